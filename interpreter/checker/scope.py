"""The names in reach of an expression, and what is known about them there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.ir import types as t


@dataclass(frozen=True, slots=True)
class Binding:
    """A name, the type of its value, and where it was named."""

    type: t.Type
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Scope:
    """`names` in reach; `die` and `element` are what a slot looks at; `facts` narrow types, by the path they are
    written as (`own.limit`), where a condition holds; `later` are steps that come below; what `owner` has is in reach
    by its plain name; `scene` is the scene whose own steps these are."""

    names: Mapping[str, Binding] = field(default_factory=dict)
    die: t.Type | None = None
    element: t.Type | None = None
    facts: Mapping[str, t.Type] = field(default_factory=dict)
    later: Mapping[str, Span] = field(default_factory=dict)
    owner: t.Thing | None = None
    scene: str = ""

    def bound(self, name: str, kind: t.Type, span: Span = NOWHERE) -> Scope:
        facts = {path: fact for path, fact in self.facts.items() if path != name and not path.startswith(f"{name}.")}
        return replace(self, names={**self.names, name: Binding(kind, span)}, facts=facts)

    def after_change(self) -> Scope:
        """The scope once something that lasts was changed: what was known of it need not hold any more."""
        kept = {path: fact for path, fact in self.facts.items() if not self._lasts(path)}
        return replace(self, facts=kept)

    def _lasts(self, path: str) -> bool:
        """Whether a path leads into a thing, through records perhaps, or to what a reaction may change of its event."""
        head, *fields = path.split(".")
        bound = self.names.get(head)
        if bound is None or head == "event":
            return bool(fields)
        kind: t.Type | None = bound.type
        for name in fields:
            kind = t.present(kind) if kind is not None else None
            if isinstance(kind, t.Thing):
                return True
            kind = kind.field(name) if isinstance(kind, t.Record) else None
        return False

    def narrowed(self, facts: Mapping[str, t.Type]) -> Scope:
        return replace(self, facts={**self.facts, **facts}) if facts else self

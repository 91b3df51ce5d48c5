"""The names that an expression may read, and what is known about their values there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from itertools import islice

from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t


@dataclass(frozen=True, slots=True)
class Binding:
    """The type of a name's value, and where the name is declared; `words` are those that it may be, if not all.

    A name that is `carried` stands for its value in the pass before, until its own step.
    """

    type: t.Type
    span: Span = NOWHERE
    words: tuple[str, ...] | None = None
    carried: bool = False


class Bindings(Mapping[str, Binding]):
    """Names in the order in which they were bound. One more takes a time that does not grow with their number: those
    that follow one upon the other share what holds them, and each knows how many of these are its own. Names that are
    bound inside of a step lie in a layer of their own, over those `below`.
    """

    __slots__ = ("_below", "_count", "_held")

    def __init__(
        self, held: dict[str, tuple[int, Binding]] | None = None, below: Mapping[str, Binding] | None = None
    ) -> None:
        self._held = {} if held is None else held
        self._count = len(self._held)
        self._below: Mapping[str, Binding] = {} if below is None else below

    @staticmethod
    def of(bindings: Mapping[str, Binding]) -> Bindings:
        """Names with their bindings, in this order."""
        return Bindings({name: (place, one) for place, (name, one) in enumerate(bindings.items())})

    def __getitem__(self, name: str) -> Binding:
        held = self._held.get(name)
        return held[1] if held is not None and held[0] < self._count else self._below[name]

    def __contains__(self, name: object) -> bool:
        held = self._held.get(name)  # type: ignore[call-overload]
        return (held is not None and held[0] < self._count) or name in self._below

    def __iter__(self) -> Iterator[str]:
        below = self._below
        yield from below
        yield from (name for name in islice(self._held, self._count) if name not in below)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def inside(self) -> Bindings:
        """The same for what is inside of a step: names that are bound there are not bound after it."""
        return Bindings(None, self)

    def with_name(self, name: str, binding: Binding) -> Bindings:
        """The same with another name, or with another binding of one."""
        held = self._held
        if len(held) != self._count or name in held:
            held = dict(islice(held.items(), self._count))
        held[name] = held[name][0] if name in held else len(held), binding
        return Bindings(held, self._below)


class Later(Mapping[str, Span]):
    """The steps from a place on, after those that come later `outside`; `steps` are all, each with its place."""

    __slots__ = ("_outside", "_place", "_steps")

    def __init__(self, steps: Mapping[str, tuple[int, Span]], place: int, outside: Mapping[str, Span]) -> None:
        self._steps, self._place, self._outside = steps, place, outside

    def __getitem__(self, name: str) -> Span:
        place, span = self._steps.get(name, (-1, NOWHERE))
        return span if place >= self._place else self._outside[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._outside
        yield from (name for name, (place, _) in self._steps.items() if place >= self._place)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@dataclass(frozen=True, slots=True)
class Scope:
    """What is defined at a place.

    `names` are bound to values. `die` and `element` are the types that a slot tests. `facts` are types narrowed by a
    condition, by path (`own.limit`). `later` are steps below, and `within` the steps that the place itself is in. The
    attributes of `owner` are defined by their plain names. `scene` names the scene that the place belongs to.
    """

    names: Bindings = field(default_factory=Bindings)
    die: t.Type | None = None
    element: t.Type | None = None
    facts: Mapping[str, t.Type] = field(default_factory=dict)
    later: Mapping[str, Span] = field(default_factory=dict)
    within: frozenset[str] = frozenset()
    owner: t.Object | None = None
    scene: str = ""

    def bound(self, name: str, kind: t.Type, span: Span = NOWHERE, words: tuple[str, ...] | None = None) -> Scope:
        facts = {path: fact for path, fact in self.facts.items() if not _depends_on(path, name)}
        return replace(self, names=self.names.with_name(name, Binding(kind, span, words)), facts=facts)

    def carry(self, name: str, kind: t.Type, step: Span) -> Scope:
        """The scope of a pass, in which a name stands for what its step, declared there, was in the pass before."""
        bound = self.bound(name, kind, step)
        return replace(bound, names=bound.names.with_name(name, Binding(kind, step, carried=True)))

    def binding_before(self, name: str, step: Span) -> Binding | None:
        """How a step is bound that is carried on from the pass before; None for other steps."""
        binding = self.names.get(name)
        return binding if binding is not None and binding.carried and binding.span == step else None

    def without_state_facts(self) -> Scope:
        """The scope after a change of the state: facts about the state are dropped."""
        kept = {path: fact for path, fact in self.facts.items() if not self._reads_object(path)}
        return replace(self, facts=kept)

    def _reads_object(self, path: str) -> bool:
        """Whether a path reads an object, perhaps through records, or an input of an event."""
        head, *fields = path.split(".")
        bound = self.names.get(head)
        if bound is None or head == "event" or "(" in path:
            return bool(fields)
        kind: t.Type | None = bound.type
        for name in fields:
            kind = t.without_maybe(kind) if kind is not None else None
            if isinstance(kind, t.Object):
                return True
            kind = kind.field(name) if isinstance(kind, t.Record) else None
        return False

    def narrow(self, facts: Mapping[str, t.Type]) -> Scope:
        return replace(self, facts={**self.facts, **facts}) if facts else self


def _depends_on(path: str, name: str) -> bool:
    """Whether a path depends on what a name stands for: it begins with it, or has it as the list of an element
    (`item(heroes, 1).hand`), or as the key of an entry (`worn(ann).kind`)."""
    return any(part.replace(",", ".").replace(")", ".").partition(".")[0] == name for part in path.split("("))

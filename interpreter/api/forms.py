"""A description of a mechanic for forms and bots: its inputs with types, bounds, defaults and meanings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.runtime.evaluator import Closures, new_frame
from interpreter.runtime.titles import titles_of
from interpreter.values import to_data


@dataclass(frozen=True)
class Input:
    """An input as a form shows it: `type` in words, bounds, default and meaning.

    `choices` maps the words that it may be to their meanings; `fields` are those of a record. `several` says that it
    is a list, whose elements `choices` are about. `title` is what people read in place of its name, `titles` in place
    of its words.
    """

    name: str
    type: str
    about: str
    required: bool
    default: Any
    low: int | None = None
    high: int | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Input] = field(default_factory=dict)
    several: bool = False
    title: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """What people read in place of its name: the title."""
        return self.title or self.name

    def title_of(self, word: str) -> str:
        """What people read in place of a word or a thing that it may be."""
        return self.titles.get(word, word)


@dataclass(frozen=True)
class Rule:
    """A mechanic as a host sees it."""

    name: str
    title: str
    about: str
    inputs: Mapping[str, Input]
    outcomes: tuple[str, ...]

    @staticmethod
    def of(rule: ir.Mechanic, closures: Closures) -> Rule:
        """The host's view of a mechanic."""
        kind = rule.type.field("outcome")
        words = t.without_maybe(kind).words if kind is not None and isinstance(t.without_maybe(kind), t.Word) else ()  # type: ignore[union-attr]
        made: dict[int, Input] = {}
        inputs = {one.name: _input(one, closures, made) for one in rule.inputs}
        return Rule(rule.name, rule.title, rule.about, inputs, words)


def _input(one: ir.Declaration, closures: Closures, inputs: dict[int, Input]) -> Input:
    """A declaration as a form shows it; `made` keeps those of record types, which many inputs may share."""
    if id(one) not in inputs:
        inputs[id(one)] = _input_of(one, closures, inputs)
    return inputs[id(one)]


def _input_of(one: ir.Declaration, closures: Closures, inputs: dict[int, Input]) -> Input:
    kind = t.without_maybe(one.type)
    words = dict(one.meanings) if one.meanings else dict.fromkeys(kind.words, "") if isinstance(kind, t.Word) else {}
    record = closures.program.types.get(kind.name) if isinstance(kind, t.Record) else None
    fields = {inner.name: _input(inner, closures, inputs) for inner in record.has} if record else {}
    low = kind.low if isinstance(kind, t.Number) else None
    high = kind.high if isinstance(kind, t.Number) else None
    default = None
    if one.default is not None:
        try:
            default = to_data(closures.of(one.default)(new_frame()))
        except (KeyError, PlayError):
            default = one.default.span.text  # it reads an earlier input, or the state
    name = kind.name if isinstance(kind, t.Record) else t.in_words(kind)
    titles = titles_of(closures.program)
    return Input(
        one.name,
        name,
        one.about,
        one.required,
        default,
        low,
        high,
        words,
        fields,
        isinstance(kind, t.List),
        titles.constructs.get(one.path, ""),
        titles.shown_of(words),
    )

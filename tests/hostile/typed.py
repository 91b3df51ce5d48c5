"""Texts that a player may type where a value is wanted: expressions of every form, over the names of a game.

Nothing of what is made need fit together: operands of every type, and of none, stand on both sides of every operator.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from interpreter.api.game import Game
from interpreter.ir import types as t
from interpreter.runtime import functions

PLAIN = (
    "none",
    "[]",
    "yes",
    "no",
    "0",
    "1",
    "2",
    "-1",
    "d6",
    "2d6",
    "no_dice",
    "3D+2",
    "it",
    "d4 & d8",
    "[none]",
    "[[]]",
)
"""Operands that every game has; the first two have no type of their own."""
SIGNS = ("+", "-", "*", "/", "&", "<", "<=", "==", "!=", ">", "is", "is not", "in", "and", "or", "otherwise")
FIELDS = ("x", "size", "tags", "face", "faces", "value", "throws", "outcome", "pips", "dice", "height", "width")


@dataclass(frozen=True, slots=True)
class Names:
    """What the expressions of a game may name."""

    values: tuple[str, ...]
    fields: tuple[str, ...]
    calls: tuple[str, ...]


def names_of(game: Game) -> Names:
    """The words, things, options, fields, tables and functions of a game."""
    program = game.program
    kinds = list(wanted_types(game))
    words = {word for one in kinds if isinstance(one, t.Word) for word in one.words[:3]}
    fields = {name for one in kinds if isinstance(one, t.Record) for name, _ in one.fields}
    fields |= {name for kind in program.kinds.values() for name in kind.has}
    options = {f"options.{name}" for name in program.options}
    things = {*list(program.kinds)[:6], *list(program.things)[:6]}
    return Names(
        tuple(sorted(words | options | things)),
        (*FIELDS, *sorted(fields)),
        (*functions.FUNCTIONS, *functions.FORMS, *program.tables, *program.functions),
    )


def wanted_types(game: Game) -> Iterator[t.Type]:
    """Every type of value that the game takes from outside, once: of inputs, options, attributes, and their parts."""
    program = game.program
    actions = [*program.actions.values(), *(one.action for one in program.reactions.values())]
    rules = (*program.mechanics.values(), *program.events.values(), *(one.rule for one in actions))
    declared = [one.type for rule in rules for one in rule.inputs]
    declared += [one.type for one in program.options.values()]
    declared += [one.type for kind in program.kinds.values() for one in kind.has.values()]
    seen: dict[t.Type, None] = {}
    while declared:
        kind = declared.pop(0)
        if kind in seen:
            continue
        seen[kind] = None
        match kind:
            case t.Maybe(of) | t.List(of):
                declared.append(of)
            case t.Map(key, of):
                declared += [key, of]
            case t.Record(_, fields):
                declared += [of for _, of in fields]
    return iter(seen)


_FORMS_OF: dict[type, tuple[str, ...]] = {
    t.Number: (
        "{number} + {number}", "{number} * {number}", "-{number}", "{number} / {number}", "max({number}, {number})",
        "{number} if {yes_no} else {number}", "first({numbers}) otherwise {number}", "count({any})", "sum({numbers})",
        "highest({any}) otherwise 0", "kth({numbers}, {number}) otherwise 0", "count({numbers} where it > {number})",
        "first([{number}])", "item([{number}], {number})", "up({number} / {number})", "count({dice}.size)",
        "only([{number}])", "clamp({number}, {number}, {number})", "first({any}.size) otherwise 1",
    ),
    t.YesNo: (
        "{number} < {number}", "{number} == {number}", "{yes_no} and {yes_no}", "not {yes_no}",
        "{number} in {numbers}",
        "any({any} where it == {number})", "given({maybe})", "any({dice} where size > {number})",
        "{yes_no} == {yes_no}", "all({numbers} where it > {number})", "{number} < {number} < {number}",
        "{element} in [{element}, none]",
    ),
    t.Dice: (
        "{dice} & {dice}", "{dice} where size > {number}", "{dice} by size", "{dice} if {yes_no} else {dice}",
        "times({dice}, {number})", "without({dice}, {dice})", "highest({dice}, {number})", "{number}d6",
        "(none if {yes_no} else {dice}) otherwise {dice}", "first({dice}, {number}) & {dice}",
    ),
    t.List: (
        "[{element}, {element}]", "{list} & {list}", "{list} where it == {element}", "first({list}, {number})",
        "{list} if {yes_no} else {list}", "[{element}] & []", "without({list}, {list})", "{list} by it",
        "reversed({list})",
    ),
}  # fmt: skip
"""How an expression of a type is made of others: `self` is one of the same type, `any` a collection of some type."""
_SEVERAL = (t.Dice(), t.List(t.NUMBER), t.List(t.YES_NO), t.List(t.List(t.NUMBER)), t.List(t.Maybe(t.NUMBER)))


class Typist:
    """Makes texts of one game, the same ones for the same seed."""

    def __init__(self, names: Names, seed: int) -> None:
        self.names, self.random = names, random.Random(seed)

    def text(self, deep: int = 3) -> str:
        """An expression that is made of others to a depth."""
        if deep <= 0 or self.random.random() < 0.15:
            return self._operand()
        return self.random.choice(self._forms)(self, deep - 1)

    def text_of(self, kind: t.Type, deep: int = 3) -> str:
        """An expression that mostly is of a type: here and there stands what may be of another one, or of none."""
        if deep <= 0 or self.random.random() < 0.15:
            return self.random.choice((self._operand(), *self._examples(kind) * 4))
        if self.random.random() < 0.1:
            return self.text(deep - 1)
        form = self.random.choice(
            _FORMS_OF.get(type(kind), ("{self} if {yes_no} else {self}", "{maybe} otherwise {self}"))
        )
        element = kind.of if isinstance(kind, t.List) else t.NUMBER
        kinds = {
            "self": kind, "yes_no": t.YES_NO, "number": t.NUMBER, "dice": t.Dice(), "element": element,
            "numbers": t.List(t.NUMBER), "list": t.List(element), "maybe": kind, "any": self.random.choice(_SEVERAL),
        }  # fmt: skip
        return re.sub(r"\{(\w+)\}", lambda match: self._bracketed(self.text_of(kinds[match[1]], deep - 1)), form)

    def _examples(self, kind: t.Type) -> tuple[str, ...]:
        match kind:
            case t.Number():
                return ("0", "1", "3")
            case t.YesNo():
                return ("yes", "no")
            case t.Word(words=words) if words:
                return words[:3]
            case t.Dice():
                return ("d6", "no_dice", "2d8")
            case t.SingleDie():
                return ("d6",)
            case t.List(of):
                return ("[]", *(f"[{one}]" for one in self._examples(of)))
            case t.Maybe(of):
                return ("none", *self._examples(of))
            case t.DiceCode():
                return ("3D+2",)
        return ("none",)

    def _operand(self) -> str:
        of = self.random.random()
        if of < 0.3:
            return self.random.choice(PLAIN[:2])
        return self.random.choice(self.names.values if self.names.values and of > 0.75 else PLAIN)

    def _signed(self, deep: int) -> str:
        return f"{self._part(deep)} {self.random.choice(SIGNS)} {self._part(deep)}"

    def _chain(self, deep: int) -> str:
        one, other = self.random.choice(("<", "<=", "==")), self.random.choice(("<", "!=", ">"))
        return f"{self._part(deep)} {one} {self._part(deep)} {other} {self._part(deep)}"

    def _prefixed(self, deep: int) -> str:
        return f"{self.random.choice(('-', 'not '))}{self._part(deep)}"

    def _conditional(self, deep: int) -> str:
        return f"{self._part(deep)} if {self._part(deep)} else {self._part(deep)}"

    def _selected(self, deep: int) -> str:
        word = self.random.choice(("where", "where", "by"))
        slot = self.random.choice((self.text(deep), f"it {self.random.choice(SIGNS)} {self._part(deep)}", "it.x"))
        return f"{self._part(deep)} {word} {slot}"

    def _field(self, deep: int) -> str:
        return f"{self._part(deep)}.{self.random.choice(self.names.fields)}"

    def _call(self, deep: int) -> str:
        given = ", ".join(self.text(deep) for _ in range(self.random.choice((1, 1, 1, 2, 2, 3))))
        return f"{self.random.choice(self.names.calls)}({given})"

    def _list(self, deep: int) -> str:
        return f"[{', '.join(self.text(deep) for _ in range(self.random.randint(1, 3)))}]"

    def _pool(self, deep: int) -> str:
        return f"{self._part(deep)}d{self.random.choice((4, 6))}"

    def _part(self, deep: int) -> str:
        return self._bracketed(self.text(deep))

    @staticmethod
    def _bracketed(text: str) -> str:
        return text if text.isalnum() or text == "[]" else f"({text})"

    _forms: tuple[Callable[[Typist, int], str], ...] = (
        _signed, _signed, _signed, _chain, _prefixed, _conditional, _selected, _selected, _field, _field,
        _call, _call, _call, _list, _pool,
    )  # fmt: skip

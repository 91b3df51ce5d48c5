"""A question about odds, from the program to the law of what is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.closures import Closures, field_of
from interpreter.diagnostics import PlayError
from interpreter.odds.answer import Law
from interpreter.odds.bags import laid_out
from interpreter.odds.forward import MOST_WAYS, Decide, Forward
from interpreter.odds.looking import first_bag, with_roll
from interpreter.odds.study import Study, holds_bag
from interpreter.odds.tails import AtLeast, Undecided
from interpreter.values import Thrown, in_words

DEPTHS = (8, 16, 32, 64)
"""How far chains without an end are followed: farther as long as the answer is not complete."""

ENOUGH = Fraction(1, 10**12)
"""What may be missing of a law that has no end."""


@dataclass
class Desk:
    """What is kept from one question to the next: for each depth the blocks that were made, and the laws found.

    One desk is for one way to answer choices.
    """

    closures: Closures
    policy: str | None
    decide: Decide
    _kept: dict[int, Forward] = field(default_factory=dict)

    def at(self, depth: int) -> Forward:
        """What follows chains this far."""
        if depth not in self._kept:
            study = Study(self.closures, self.policy, depth=depth)
            self._kept[depth] = Forward(study, self.decide)
            study.law = self._kept[depth].law
        return self._kept[depth]


def answered(desk: Desk, rule: ir.Mechanic, at: Mapping[str, Any], names: tuple[str, ...]) -> Law:
    """The joint law of some names of a mechanic's record, from a frame that holds its inputs.

    Raises PlayError where a requirement is not met, where play itself would fail, or where it is too much.
    """
    for one in rule.requires:
        if not desk.closures.of(one.condition)(dict(at)):
            raise PlayError(say.required(one.name, one.condition.span.text, one.span))
    law = _at_depth(desk, rule, at, names, DEPTHS[0])
    for depth in DEPTHS[1:]:
        if law.missing <= ENOUGH:
            break
        try:
            law = _at_depth(desk, rule, at, names, depth)
        except PlayError as error:  # no farther than the budget: what is missing is said
            if error.diagnostic.code not in ("HR804", "HR805"):
                raise
            break
    return law


def _at_depth(desk: Desk, rule: ir.Mechanic, at: Mapping[str, Any], names: tuple[str, ...], depth: int) -> Law:
    forward = desk.at(depth)
    block = forward.study.mechanic(rule.name, frozenset(tuple(name.split(".")) for name in names))
    forward.begin()
    rows, total = forward.law(block, dict(at))
    found: dict[Any, tuple[tuple[Any, ...], Fraction]] = {}
    for record, ways in rows:
        laid, whole = _laid(record, depth)
        for one, more in laid:
            try:
                values = tuple([told(one, name) for name in names])
            except Undecided:
                continue
            if AtLeast in map(type, values):
                continue
            weight = Fraction(ways * more, whole * total)
            held = found.get(values)
            found[values] = (values, weight + held[1] if held else weight)
    weights = {values: weight for values, weight in found.values() if weight}
    return Law(weights, 1 - sum(weights.values(), Fraction(0)))


def _laid(record: Any, depth: int) -> tuple[list[tuple[Any, int]], int]:
    """What is asked for of a roll is the dice as they lie."""
    if not holds_bag(record):
        return [(record, 1)], 1
    bag = first_bag(record)
    law, total = laid_out(bag, depth, MOST_WAYS, 1)
    made: list[tuple[Any, int]] = []
    below = 1
    for roll, ways in law:
        rest, below = _laid(with_roll(record, bag, roll), depth)
        made += [(one, ways * more) for one, more in rest]
    return made, total * below


def told(record: Any, name: str) -> Any:
    """What a question calls by a name: numbers, words, yes or no; one die is its value; all else is put into words.

    Dice have no order in odds, so they are told from the highest.
    """
    for part in name.split("."):
        record = field_of(record, part)
    if isinstance(record, Thrown):
        return record.value
    if isinstance(record, tuple) and len(record) == 1 and isinstance(record[0], Thrown):
        return record[0].value
    return in_words(_in_order(record)) if isinstance(record, (tuple, dict)) else record


def _in_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _in_order(one) for name, one in value.items()}
    if isinstance(value, tuple) and value and all(isinstance(one, Thrown) for one in value):
        return tuple(sorted(value, key=lambda one: (-one.value, in_words(one))))
    return tuple(map(_in_order, value)) if type(value) is tuple else value

"""A question about odds, from the program to the law of what is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.odds.answer import Advice, Law
from interpreter.odds.decisions import Answer, Decisions
from interpreter.odds.engine import Decide, ForwardEngine
from interpreter.odds.lazy_roll import MOST_WAYS, enumerated_rolls
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.rules import rule_block
from interpreter.odds.lower.verbs import VERBS
from interpreter.odds.meter import Meter
from interpreter.odds.open_rolls import first_open_roll, holds_open_roll, pairs_with, with_roll
from interpreter.odds.projection import Goal, shown, told
from interpreter.odds.state_keys import PLAIN, frozen
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.runtime.evaluator import Closures

DEPTHS = (8, 16, 32, 64)
"""How far chains without an end are followed: farther as long as the answer is not complete."""

MOST_KEPT = 5_000
"""How many answers are kept from one question to the next."""

ENOUGH = Fraction(1, 10**12)
"""What may be missing of a law that has no end."""

MOST_ANSWERS = 5_000
"""With so many different values, chains are followed no farther: there would be several times as many."""


@dataclass
class QueryCache:
    """What is kept from one question to the next: for each depth the blocks that were made, and the laws found.

    One desk is for one way to answer choices: `decide`, or, with a `goal`, `beforehand`, and else what is best for it.
    """

    closures: Closures
    policy: str | None
    decide: Decide
    goal: Goal | None = None
    beforehand: Answer = lambda choice: None
    answered: dict[Any, Law] = field(default_factory=dict)
    meter: Meter = field(default_factory=Meter)
    _kept: dict[int, ForwardEngine] = field(default_factory=dict)

    def at(self, depth: int) -> ForwardEngine:
        """What follows chains this far."""
        if depth not in self._kept:
            lowering = Lowering(
                self.closures, VERBS, self.policy, asking=self.goal is not None, depth=depth, meter=self.meter
            )
            self._kept[depth] = ForwardEngine(lowering, self.decide)
            lowering.law = self._kept[depth].law
        return self._kept[depth]

    def law(self, rule: ir.Mechanic, at: Mapping[str, Any], names: tuple[str, ...], enough: Fraction = ENOUGH) -> Law:
        """The joint law of some names of a mechanic's record, from a frame that holds its inputs.

        Chains are followed until no more than `enough` is missing, or as far as can be. Raises PlayError where a
        requirement is not met, where play itself would fail, or where it is too much.
        """
        key = (
            rule.path,
            names,
            enough,
            tuple([(name, frozen(value)) for name, value in at.items() if name != ".meter"]),
        )
        if key not in self.answered:
            if len(self.answered) > MOST_KEPT:
                self.answered.clear()
            self.answered[key] = _worked_out(self, rule, at, names, enough)
        return self.answered[key]


def _worked_out(
    desk: QueryCache, rule: ir.Mechanic, at: Mapping[str, Any], names: tuple[str, ...], enough: Fraction
) -> Law:
    for one in rule.requires:
        if not desk.closures.of(one.condition)(dict(at)):
            raise PlayError(say.required(one.name, one.condition.span.text, one.span))
    desk.meter.begin()
    law = _at_depth(desk, rule, at, names, DEPTHS[0])
    too_much = None
    for depth in DEPTHS[1:]:
        if not law.missing or law.missing <= enough or len(law.ways) > MOST_ANSWERS:
            break
        try:
            law = _at_depth(desk, rule, at, names, depth)
        except PlayError as error:  # no farther than the budget: what is missing is said
            if error.diagnostic.code not in ("HR804", "HR805"):
                raise
            too_much = error.diagnostic
            break
    if law.missing == 1 and not law.tails:
        raise PlayError(too_much or say.nothing_followed(names))
    return law


def _at_depth(desk: QueryCache, rule: ir.Mechanic, at: Mapping[str, Any], names: tuple[str, ...], depth: int) -> Law:
    forward, goal = desk.at(depth), desk.goal
    asked = (*names, goal.name) if goal else names
    block = rule_block(forward.lowering, rule, frozenset(tuple(name.split(".")) for name in asked))
    forward.begin()
    strategy: tuple[Advice, ...] = ()
    if goal and block.asks:
        chances, advice = Decisions(forward, desk.beforehand, goal.worth, goal.least).law(block, dict(at))
        strategy = tuple(_told_apart(advice, {one.name for one in rule.inputs}))
        total = lcm(*{chance.denominator for _, chance in chances})
        law = [(record, chance.numerator * (total // chance.denominator)) for record, chance in chances]
    else:
        law, total = forward.law(block, dict(at))
    return _told(law, total, names, (depth, forward.lowering.die_identity.order), strategy, desk.meter)


Laying = tuple[int, ir.OrderKept]
"""How far chains are followed when dice are laid out, and whether a rule tells in which order they lie."""


def _told(
    law: list[tuple[Any, int]],
    total: int,
    names: tuple[str, ...],
    laying: Laying,
    strategy: tuple[Advice, ...],
    meter: Meter,
) -> Law:
    """The law of what is asked of records: whole numbers over one total as long as they are added up."""
    found: dict[tuple[Any, ...], int] = {}
    rows: list[tuple[tuple[Any, ...], int, int]] = []
    below: list[tuple[int, int, int]] = []
    known: dict[Any, Ways] = {}
    for record, ways in law:
        if PLAIN.issuperset(map(type, record.values())):  # the usual case, and most of the work where answers are many
            values = tuple(map(record.get, names))
            found[values] = found.get(values, 0) + ways
            continue
        try:
            laid, whole = _laid(record, laying, known, meter)
        except Undecided:
            continue
        if len(rows) + len(laid) > MOST_WAYS:
            raise PlayError(say.too_many_states(MOST_WAYS))
        for one, more in laid:
            try:
                values = tuple([told(one, name) for name in names])
            except Undecided:
                continue
            if AtLeast not in map(type, values):
                rows.append((values, ways * more, whole))
            elif len(values) == 1:
                below.append((values[0].low, ways * more, whole))
    scale = lcm(*{whole for _, _, whole in (*rows, *below)})
    if scale > 1:
        found = {values: ways * scale for values, ways in found.items()}
    for values, ways, whole in rows:
        found[values] = found.get(values, 0) + ways * (scale // whole)
    tails: dict[int, int] = {}
    for low, ways, whole in below:
        tails[low] = tails.get(low, 0) + ways * (scale // whole)
    return Law({values: ways for values, ways in found.items() if ways}, total * scale, strategy, tails)


def _told_apart(advice: tuple[Advice, ...], inputs: set[str]) -> Iterator[Advice]:
    """Advice that shows of what was seen only what is not the same each time."""
    for one in advice:
        others = [other for other in advice if other.path == one.path]
        seen = {
            name: shown(value)
            for name, value in one.seen.items()
            if name not in inputs and any(other.seen.get(name) != value for other in others)
        }
        yield Advice(one.path, seen, shown(one.answer), one.chance)


Ways = tuple[list[tuple[Any, int]], int]


def _laid(record: Any, laying: Laying, known: dict[Any, Ways], meter: Meter) -> Ways:
    """What is asked for of a roll is the dice as they lie; `known` keeps how equal rolls can.

    Their order shows only in what they are paired with.
    """
    if not holds_open_roll(record):
        return [(record, 1)], 1
    lazy = first_open_roll(record)
    depth, order = laying
    shows: ir.OrderKept = order if pairs_with(record, {lazy.name}) else "none"
    if (lazy.groups, shows) not in known:
        known[lazy.groups, shows] = enumerated_rolls(lazy, depth, MOST_WAYS, 1, meter, shows)
    law, total = known[lazy.groups, shows]
    made: list[tuple[Any, int]] = []
    below = 1
    for roll, ways in law:
        rest, below = _laid(with_roll(record, lazy, roll), laying, known, meter)
        made += [(one, ways * more) for one, more in rest]
        if len(made) > MOST_WAYS:
            raise PlayError(say.too_many_states(MOST_WAYS))
    return made, total * below

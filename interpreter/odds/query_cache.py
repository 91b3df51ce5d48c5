"""Questions about odds: from the program to the law of some names, with answers that are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.collector import collect_garbage_rarely
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.ir import types as t
from interpreter.ir.die_identity import identity_of
from interpreter.odds.alike_elements import merge_alike_elements
from interpreter.odds.answer import Advice, Law, WorkDone
from interpreter.odds.decisions import Answer, Decisions
from interpreter.odds.engine import Decide, ForwardEngine
from interpreter.odds.laid_out import enumerate_rolls
from interpreter.odds.lazy_roll import FIRST_DEPTH, MOST_WAYS
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.records import remove_fields
from interpreter.odds.lower.rules import rule_block
from interpreter.odds.lower.verbs import VERBS
from interpreter.odds.meter import Meter
from interpreter.odds.missing_inputs import missing_inputs
from interpreter.odds.open_rolls import (
    count_entries,
    count_further_throws,
    first_open_roll,
    holds_open_roll,
    pairs_with,
    replace_roll,
)
from interpreter.odds.projection import Goal, hand_of, readings_of, value_at, value_in_advice
from interpreter.odds.renumber import order_of_dice_matters
from interpreter.odds.state_keys import PLAIN, freeze
from interpreter.odds.truncation import AtLeast, ManyBounds, Tails, Undecided
from interpreter.odds.unread_state import Attribute, unread_attributes
from interpreter.runtime.evaluator import Closures
from interpreter.runtime.state import STATE, State
from interpreter.work_count import spend

DEPTHS = (FIRST_DEPTH, 18, 24, 32, 64)
"""The numbers of throws to which endless chains are followed; the next is tried if too much is missing."""

DECIDED_DEPTHS = (FIRST_DEPTH, 12, *DEPTHS[1:])
"""The same where somebody decides: that takes longer, and dice such as a d12 hardly go on for so long."""

CAPPED_DEPTHS = DECIDED_DEPTHS[1:]
"""The same where numbers are capped: a chain that has reached the cap is followed no further, so depth costs little."""

MOST_KEPT = 5_000
"""The limit on laws that are kept."""

ENOUGH = Fraction(1, 10**12)
"""What may be missing of a law that cannot be complete."""

CAP = 12
"""Above the largest input, how far totals are followed at first where somebody decides about an outcome."""

MOST_ANSWERS = 5_000
"""With more different values, chains are not followed further, as there would be several times as many."""


NOTHING_LEFT: Mapping[str, Callable[[State], Any]] = MappingProxyType({})
"""The names that are read from the last state where none are."""


@dataclass
class QueryCache:
    """What is kept from one question to the next: an engine for each depth, with its blocks, and laws.

    A cache is for one way to answer choices: by `decide` or, with `goals`, by `beforehand` and else the best answer.
    """

    closures: Closures
    policy: str | None
    decide: Decide
    goals: tuple[Goal, ...] = ()
    beforehand: Answer = lambda choice: None
    answered: dict[Any, Law] = field(default_factory=dict)
    meter: Meter = field(default_factory=Meter)
    _engines: dict[Any, ForwardEngine] = field(default_factory=dict)

    def engine(self, depth: int, cap: int | None, keep: int | None, tails: Tails, asked: RuleQuestion) -> ForwardEngine:
        """The engine that follows chains to this depth, numbers up to a cap, so many states, and these tails, for a
        question."""
        program, rule, at = self.closures.program, asked.rule, asked.at
        identity, missing = identity_of(program, rule), missing_inputs(program, rule, at)
        # Whoever decides sees the dice in the order of their throws.
        in_order = order_of_dice_matters(identity, at) or (bool(self.goals) and identity.limited)
        unread = frozenset[Attribute]() if self.goals or asked.left else unread_attributes(program, rule, asked.names)
        key = (depth, cap, keep, tails, identity, in_order, frozenset(missing.items()), unread)
        if key not in self._engines:
            lowering = Lowering(
                self.closures, VERBS, self.policy, asking=bool(self.goals), exact=not self.goals,
                brief=cap is not None, depth=depth, observed=identity, dice_in_order=in_order, missing=missing,
                unread_attributes=unread, meter=self.meter,
            )  # fmt: skip
            self._engines[key] = ForwardEngine(lowering, self.decide, cap, keep, tails)
            lowering.law = self._engines[key].law
        return self._engines[key]

    def law(
        self,
        rule: ir.Mechanic,
        at: Mapping[str, Any],
        names: tuple[str, ...],
        enough: Fraction = ENOUGH,
        partly: bool = False,
        left: Mapping[str, Callable[[State], Any]] = NOTHING_LEFT,
    ) -> Law:
        """The joint law of some names of a mechanic's record, from a frame that holds its inputs.

        Those of the names that are in `left` are read from the state after it instead.
        Chains are followed until no more than `enough` is missing, or as far as possible. Raises PlayError if a
        requirement is not met, if play itself fails, or if the question exceeds a limit; `partly`, only the likeliest
        runs are followed then, and the rest is missing.
        """
        key = (
            rule.path,
            names,
            enough,
            partly,
            tuple([(name, freeze(value)) for name, value in at.items() if name != ".meter"]),
        )
        if key not in self.answered:
            if len(self.answered) > MOST_KEPT:
                self.answered.clear()
            with collect_garbage_rarely():
                law = _compute_law(self, RuleQuestion(rule, at, names, enough, left), partly)
            self.answered[key] = replace(law, cost=self._cost())
        return self.answered[key]

    def _cost(self) -> WorkDone:
        """What the last question took."""
        meter = self.meter
        waited = sorted([one for one in meter.waited.items() if not one[0].startswith(".")], key=lambda one: -one[1])
        return WorkDone(meter.states, meter.work, meter.whole.work, tuple(waited))


class RuleQuestion(NamedTuple):
    """A question: the names of a rule's record, from a frame that holds its inputs; `enough` may be missing. Of names
    that are `left`, the value is read from the state after the rule."""

    rule: ir.Mechanic
    at: Mapping[str, Any]
    names: tuple[str, ...]
    enough: Fraction
    left: Mapping[str, Callable[[State], Any]]


def _compute_law(cache: QueryCache, asked: RuleQuestion, partly: bool) -> Law:
    for one in asked.rule.requires:
        if not cache.closures.of(one.condition)(dict(asked.at)):
            raise PlayError(say.requirement_not_met(one.name, one.condition.text, one.span, one.about))
    try:
        return _whole_law(cache, asked)
    except PlayError as error:
        if not partly or cache.goals or error.diagnostic.code not in say.TOO_LARGE:
            raise
        return _law_of_the_likeliest(cache, asked, error)


def _law_of_the_likeliest(cache: QueryCache, asked: RuleQuestion, too_large: PlayError) -> Law:
    """What is certain of a law that is `too_large`: that of the runs through the likeliest states, more and more of
    them until no more than `enough` is missing, or until they exceed the limits in turn.

    Dropping states only takes weight away, so the chance of a value is at least its weight, and at most that and what
    is missing. Source: beam search; B. Lowerre, "The HARPY Speech Recognition System" (1976).
    """
    meter, best = cache.meter, None
    meter.begin()
    for keep in LIKELIEST:
        done = meter.work
        try:
            law = _law_at_depth(cache, asked, DEPTHS[0], keep=keep)
        except PlayError as error:
            if error.diagnostic.code not in say.TOO_LARGE:
                raise
            break
        best = law if best is None or law.missing < best.missing else best
        if law.missing <= asked.enough or meter.is_too_little_for(GROWTH * Fraction(meter.work - done)):
            break
    if best is None or best.missing > MOST_MISSING:
        raise too_large
    return replace(best, why=too_large.diagnostic.message)


MOST_MISSING = Fraction(1, 2)
"""With more missing, a law says too little to be shown."""

GROWTH = 4
"""How many times as many states are kept in the next attempt."""

LIKELIEST = tuple([100 * GROWTH**number for number in range(6)])
"""How many states are kept in turn where not all can be followed."""


def _whole_law(cache: QueryCache, asked: RuleQuestion) -> Law:
    cache.meter.begin()
    for cap in _caps(cache, asked):
        with suppress(Undecided):  # a step needs more than that a number reaches the cap
            law, _ = _follow_chains(cache, asked, cap)
            little = law.missing <= LITTLE and cache.engine(CAPPED_DEPTHS[0], cap, None, "all", asked).lowering.cut
            if (not law.missing or little) and law.doubt <= MOST_DOUBT:
                return law
        cache.meter.begin_again()
    law, too_much = _follow_chains(cache, asked, None)
    if law.missing == 1 and not (law.open and len(asked.names) == 1):
        raise PlayError(too_much or say.nothing_followed(asked.names))
    if law.doubt > MOST_DOUBT:
        raise PlayError(say.best_is_in_doubt())
    return law


LITTLE = Fraction(1, 10**10)
"""With more missing, it may be the cap that leaves it open, and not the depth to which throws are followed."""


def _tails_at_first(cache: QueryCache) -> Tails:
    """Which tails are followed at first; whoever decides sees all."""
    return "all" if cache.goals else "few"


def _follow_chains(cache: QueryCache, asked: RuleQuestion, cap: int | None) -> tuple[Law, Diagnostic | None]:
    """The law with chains followed until too little is missing to go on, or as far as the limits allow, and which one
    stopped it. Where a cap takes away what is missing, the law of the first depth."""
    tails = _tails_at_first(cache)
    try:
        return _follow_deeper(cache, asked, cap, tails)
    except PlayError as error:
        if cache.goals or error.diagnostic.code not in say.TOO_LARGE:
            raise
        if not cache.engine(DEPTHS[0], None, None, tails, asked).drawing.has_tails:
            raise
        short = _law_with_short_tails(cache, asked)
        if short is not None:
            return short, None
        if not isinstance(error, ManyBounds):
            raise
    cache.meter.begin_again()
    return _follow_deeper(cache, asked, cap, "all")


def _follow_deeper(
    cache: QueryCache, asked: RuleQuestion, cap: int | None, tails: Tails
) -> tuple[Law, Diagnostic | None]:
    """The same with these tails. Raises PlayError if not even chains of the first depth can be followed, and ManyBounds
    if there are too many tails at any."""
    first, *further = DEPTHS if not cache.goals else DECIDED_DEPTHS if cap is None else CAPPED_DEPTHS
    law = _law_at_depth(cache, asked, first, cap, tails=tails)
    if cap is not None and not cache.engine(first, cap, None, tails, asked).lowering.cut:
        return law, None
    too_much, before, spent = None, 0, cache.meter.work
    for depth in further:
        enough = law.missing <= asked.enough or len(law.ways) > MOST_ANSWERS
        if enough and law.doubt <= MOST_DOUBT:
            break
        # Work grows like a power of the depth, which is doubled; where somebody decides, at least in proportion to it.
        growth = max(Fraction(spent, before) if before else 1, 2 if cache.goals else 1)
        if cache.meter.is_too_little_for(growth * Fraction(spent)):
            too_much = say.too_much_work()
            break
        done = cache.meter.work
        try:
            law = _law_at_depth(cache, asked, depth, cap, tails=tails)
            before, spent = spent, cache.meter.work - done
        except ManyBounds:
            raise
        except PlayError as error:  # it exceeds a limit, so the law stays that of the last depth
            if error.diagnostic.code not in say.TOO_LARGE:
                raise
            too_much = error.diagnostic
            break
    return law, too_much


MOST_DOUBT = 1e-6
"""By how much, as a chance, best answers may fall short of others, since some runs are not followed to their ends."""


def _law_with_short_tails(cache: QueryCache, asked: RuleQuestion) -> Law | None:
    """The law with short tails; None if it exceeds a limit, or too much is missing.

    Most tails end sooner where chains are followed deeper, so the first depth comes last.
    """
    cache.meter.begin_again()
    for depths in (DEPTHS[1:], DEPTHS[:1]):
        for depth in depths:
            try:
                law = _law_at_depth(cache, asked, depth, tails="short")
            except PlayError as error:
                if error.diagnostic.code not in say.TOO_LARGE:
                    raise
                break
            if law.missing <= asked.enough:
                return law
    return None


def _caps(cache: QueryCache, asked: RuleQuestion) -> tuple[int, ...]:
    """How far totals are followed, in turn, where somebody decides for words, such as an outcome.

    Such decisions hardly ever depend on how far a total lies beyond what is needed.
    """
    kinds = [asked.rule.type.field(name) for name in (*asked.names, *[goal.name for goal in cache.goals])]
    if not cache.goals or not all(
        one is not None and isinstance(t.without_maybe(one), t.Word | t.YesNo) for one in kinds
    ):
        return ()
    given = max([abs(one) for one in asked.at.values() if type(one) is int], default=0)
    return CAP + given, 4 * (CAP + given)


def _law_at_depth(
    cache: QueryCache,
    asked: RuleQuestion,
    depth: int,
    cap: int | None = None,
    keep: int | None = None,
    tails: Tails = "all",
) -> Law:
    forward, goals, (rule, at, names, _, left) = cache.engine(depth, cap, keep, tails, asked), cache.goals, asked
    read = (*[name for name in names if name not in left], *[goal.name for goal in goals])
    if not left:  # which reads of one thing what it has, also where another is alike
        at = merge_alike_elements(cache.closures.program, cache.closures, rule, read, at)
    need = {tuple(name.split(".")) for name in read} | ({(STATE,)} if left else set())
    block = rule_block(forward.lowering, rule, frozenset(need))
    forward.begin()
    strategy: tuple[Advice, ...] = ()
    decided = bool(goals) and block.asks
    if decided:
        chances, advice, doubt = Decisions(forward, cache.beforehand, goals).law(block, dict(at))
        strategy = tuple(_drop_equal_names(advice, {one.name for one in rule.inputs}))
        total = lcm(*{chance.denominator for _, chance in chances})
        law = [(record, chance.numerator * (total // chance.denominator)) for record, chance in chances]
    else:
        law, total = forward.law(block, dict(at))
    if left:
        law = _with_readings(law, left)
    found = _law_of_names(law, total, names, (depth, forward.lowering.die_identity.order), strategy, cache.meter)
    # Who decides sees the whole chain and may decide better for it, so under the best decisions the mean is not known.
    return replace(found.without_means(), doubt=doubt) if decided else found


def _with_readings(law: list[tuple[Any, int]], left: Mapping[str, Callable[[State], Any]]) -> list[tuple[Any, int]]:
    """The law of records with what is read of the state after each, in place of the state; equal ones become one."""
    found: dict[Any, list[Any]] = {}
    for record, ways in law:
        made = remove_fields(record, (STATE,))
        try:
            for name, read in left.items():
                *parts, last = name.split(".")
                at = made
                for part in parts:
                    at = at.setdefault(part, {})
                at[last] = read(record[STATE])
        except Undecided:
            continue
        known = found.setdefault(freeze(made), [made, 0])
        known[1] += ways
    return [(made, ways) for made, ways in found.values()]


Precision = tuple[int, ir.OrderKept]
"""How far chains are followed when dice are enumerated, and whether a rule can tell the order of dice."""


OF_A_ROW = 1
"""The units of work in which a plain row of a law is taken."""


def _law_of_names(
    law: list[tuple[Any, int]],
    total: int,
    names: tuple[str, ...],
    precision: Precision,
    strategy: tuple[Advice, ...],
    meter: Meter,
) -> Law:
    """The law of some names of records: whole numbers over one total."""
    found: dict[tuple[Any, ...], int] = {}
    rows: list[tuple[tuple[Any, ...], int, int]] = []
    below: dict[Any, tuple[tuple[Any, ...], Fraction]] = {}
    known: dict[Any, WeightedRecords] = {}
    if law and not PLAIN.issuperset(map(type, law[0][0].values())):  # every record is shown in words, and hashed
        meter.spend(
            len(law) * max([2 * count_entries(one) + count_further_throws(one) for one in (law[0][0], law[-1][0])])
        )
    for record, ways in law:
        spend(OF_A_ROW)
        if PLAIN.issuperset(map(type, record.values())):  # the usual case, which must be fast
            values = tuple(map(record.get, names))
            found[values] = found.get(values, 0) + ways
            continue
        try:
            drawn, whole = _with_dice(record, precision, known, meter)
        except Undecided:
            continue
        if len(rows) + len(drawn) > MOST_WAYS:
            raise PlayError(say.too_many_states(MOST_WAYS))
        for one, more in drawn:
            try:
                values = tuple([value_at(one, name) for name in names])
            except Undecided:
                continue
            if AtLeast not in map(type, values):
                rows.append((values, ways * more, whole))
            else:
                weight = Fraction(ways * more, whole)
                held = below.get(key := freeze(values))
                below[key] = (values, weight + held[1] if held else weight)
    scale = lcm(*{whole for _, _, whole in rows}, *{weight.denominator for _, weight in below.values()})
    if scale > 1:
        found = {values: ways * scale for values, ways in found.items()}
    for values, ways, whole in rows:
        found[values] = found.get(values, 0) + ways * (scale // whole)
    left = tuple([(values, int(weight * scale)) for values, weight in below.values()])
    return Law({values: ways for values, ways in found.items() if ways}, total * scale, strategy, left)


def _drop_equal_names(advice: tuple[Advice, ...], inputs: set[str]) -> Iterator[Advice]:
    """The advice, without names whose value is the same at all decisions of a choice."""
    values: dict[str, dict[str, set[Any]]] = {}
    for one in advice:
        known = values.setdefault(one.path, {})
        for name, value in one.seen.items():
            known.setdefault(name, set()).add(freeze(value))
    at = Counter(one.path for one in advice)
    present = Counter((one.path, name) for one in advice for name in one.seen)
    for one in advice:
        differing = {
            name: value_in_advice(value)
            for name, value in one.seen.items()
            if name not in inputs
            and (len(values[one.path][name]) > 1 or (present[one.path, name] < at[one.path] and value is not None))
        }
        readings = {
            f"{how}({name})": number for name in differing for how, number in readings_of(one.seen[name]).items()
        }
        hands = {name: hand for name in differing if (hand := hand_of(one.seen[name])) is not None}
        answer, picked = value_in_advice(one.answer), hand_of(one.answer)
        yield Advice(one.path, differing, answer, one.chance, readings, hands, picked)


WeightedRecords = tuple[list[tuple[Any, int]], int]


def _with_dice(record: Any, precision: Precision, known: dict[Any, WeightedRecords], meter: Meter) -> WeightedRecords:
    """The law of a record with all rolls drawn die by die; `known` keeps the laws of rolls.

    The order of dice only matters if they are paired.
    """
    if not holds_open_roll(record):
        return [(record, 1)], 1
    meter.spend(10 + 4 * count_entries(record))
    lazy = first_open_roll(record)
    depth, order = precision
    kept: ir.OrderKept = order if any(pairs_with(record, {lazy.name})) else "none"
    if (lazy.groups, kept) not in known:
        known[lazy.groups, kept] = enumerate_rolls(lazy, depth, MOST_WAYS, 1, meter, kept)
    law, total = known[lazy.groups, kept]
    made: list[tuple[Any, int]] = []
    below = 1
    for roll, ways in law:
        try:
            rest, below = _with_dice(replace_roll(record, lazy, roll), precision, known, meter)
        except Undecided:  # of these dice only a bound is known, so this weight is missing
            continue
        made += [(one, ways * more) for one, more in rest]
        if len(made) > MOST_WAYS:
            raise PlayError(say.too_many_states(MOST_WAYS))
    return made, total * below

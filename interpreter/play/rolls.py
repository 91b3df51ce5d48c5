"""Steps on dice: rolling, rerolling, placing, raising, pairing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.traversal import (
    do_more_than_compute,
    formulas,
    inner_expressions,
    locals_in,
    nodes_under,
    outermost_nodes_in,
    texts_at,
)
from interpreter.play.requests import RollUnderWay
from interpreter.play.run import Record, Run, Walk, keep_outside, without_requests
from interpreter.play.steps import Score, Walker, inner_steps, walk_steps
from interpreter.play.trace_events import DicePaired, DiceRerolled
from interpreter.runtime.die_ladder import raise_dice
from interpreter.runtime.evaluator import Closure, Frame, new_frame
from interpreter.runtime.functions import COPIED, MOST_DICE, Problem, charge
from interpreter.runtime.pairing import pair_dice
from interpreter.runtime.rng import check_dice_have_face
from interpreter.runtime.state import STATE
from interpreter.values import Die, Roll, Scoring, Throw, Thrown, face_number
from interpreter.work_count import spend

_NO_NAMES: dict[str, Any] = {}


def plain_dice(dice: list[tuple[Die, str | None]], faces: Sequence[Any], first: int) -> tuple[Thrown, ...]:
    """Dice that count as their faces; `first` is the key of the first of them."""
    return tuple(
        [
            Thrown(die, name, key, (Throw(face, 1, number, _NO_NAMES),), number)
            for key, ((die, name), face) in enumerate(zip(dice, faces, strict=True), first)
            for number in (face if type(face) is int else face_number(face),)
        ]
    )


def compile_roll(
    walker: Walker, action: ir.RollDice, step: ir.Step, trail: tuple[str, ...]
) -> Callable[[Frame, Run], Walk]:
    of = walker.closures.of
    parts = [(name, of(formula)) for name, formula in action.parts]
    each = inner_steps(walker, action.each, trail)
    names = [one.name for one in action.each]
    counts = of(action.counts) if action.counts else None
    again = of(action.again) if action.again else None
    guard = of(action.guard) if action.guard else None
    path = ".".join(trail)
    reads_earlier = _may_read("earlier", (action.each, action.counts, action.again))
    scored_by = _names_kept(walker, action, step) if walker.program.die_identity.rerolled and (each or counts) else None

    def throw(given: Frame, run: Run) -> Walk:
        dice = [(die, name) for name, pool in parts for die in pool(given)]
        if len(dice) > MOST_DICE:
            raise PlayError(say.budget_spent(step.span, "dice in one roll", MOST_DICE))
        first = run.dice
        faces = yield from run.throw(tuple([die for die, _ in dice]), run.prefix + path, given, step.path)
        if not each and counts is None and again is None:
            return plain_dice(dice, faces, first)
        limit = guard(given) if guard else ir.GUARD
        scoring = scoring_of(step.path, scored_by, given) if scored_by is not None else None
        inside = dict(given)
        earlier: list[Record] = []
        thrown: list[Thrown] = []
        on_table = [(die, face) for (die, _), face in zip(dice, faces, strict=True)]
        run.on_table.append(RollUnderWay(step.name, step.path, on_table))
        try:
            for n, ((die, name), face) in enumerate(zip(dice, faces, strict=True)):
                throws: list[Throw] = []
                inside.update(size=die.size, tags=die.tags, part=name)
                while True:
                    before = tuple(charge(earlier, COPIED)) if reads_earlier else ()
                    inside.update(face=face_number(face), nth=len(throws) + 1, earlier=before)
                    if each:
                        run.depth += 1
                        yield from walk_steps(each, inside, run)
                        run.depth -= 1
                    number = counts(inside) if counts else face_number(face)
                    inside["counts"] = number
                    named = {key: inside[key] for key in names}
                    throws.append(Throw(face, len(throws) + 1, number, named))
                    earlier.append(named)
                    if again is None or not again(inside):
                        break
                    if len(throws) >= limit:
                        raise PlayError(say.guard_reached(step.span, run.prefix + path, limit))
                    face = (yield from run.throw((die,), run.prefix + path, inside, step.path))[0]
                    on_table.append((die, face))
                spend(len(throws))
                value = throws[0].counts if len(throws) == 1 else sum([one.counts for one in throws])
                thrown.append(Thrown(die, name, first + n, tuple(throws), value, scoring))
        finally:
            run.on_table.pop()
        keep_outside(inside, given)
        return tuple(thrown)

    return throw


def _may_read(name: str, nodes: tuple[Any, ...]) -> bool:
    """Whether formulas in some nodes, or in the texts for people there, read a name of the frame."""
    said = (one for node in nodes_under(nodes) for text in texts_at(node) for one in text.formulas)
    return any(name in locals_in(one.body) for one in (*formulas(nodes), *said))


IN_A_THROW = ("face", "nth", "earlier", "size", "tags", "part", "counts")
"""Names that are defined in the steps for each throw."""


def names_scored_by(roll: ir.RollDice) -> tuple[str, ...]:
    """The names outside of a roll that its `each` and `counts` read."""
    read = frozenset[str]().union(*[locals_in(one.body) for one in formulas((roll.each, roll.counts))])
    return tuple(sorted(read.difference(IN_A_THROW, [one.name for one in outermost_nodes_in(roll.each, ir.Step)])))


def _names_kept(walker: Walker, roll: ir.RollDice, step: ir.Step) -> tuple[str, ...]:
    """The names of a frame that dice keep so that they can be scored when they are rerolled.

    Exact odds inline names and bind readings to names of their own, so their formulas may read other names.
    """
    walker.rolls[step.path] = roll
    drawn = walker.closures.drawn
    return (*names_scored_by(roll), *[drawn[id(one)] for one in _expressions_that_score(roll) if id(one) in drawn])


def types_scored_by(roll: ir.RollDice) -> dict[str, t.Type]:
    """The types of the names outside of a roll that its `each` and `counts` read."""
    found = {one.name: one.type for one in _expressions_that_score(roll) if isinstance(one, ir.Local)}
    return {name: found[name] for name in names_scored_by(roll)}


def _expressions_that_score(roll: ir.RollDice) -> Iterator[ir.Expr]:
    """Every expression in the `each` and `counts` of a roll."""
    stack: list[ir.Expr] = [one.body for one in formulas((roll.each, roll.counts))]
    while stack:
        here = stack.pop()
        yield here
        stack += inner_expressions(here)


def scoring_of(path: str, names: tuple[str, ...], at: Frame) -> Scoring:
    """What scores rerolled dice of a roll that is thrown in a frame."""
    return Scoring(path, tuple([(name, at[name]) for name in names if name in at]))


def roll_at(program: ir.Program, path: str) -> ir.RollDice | None:
    """The roll at a path."""
    if not path:
        return None
    everywhere = (program.mechanics, program.events, program.actions, program.reactions, program.scenes, program.kinds)
    steps = list(outermost_nodes_in(everywhere, ir.Step))
    while steps:
        step = steps.pop()
        if step.path == path:
            action = step.action
            while isinstance(action, ir.Stages):
                action = action.start
            return action if isinstance(action, ir.RollDice) else None
        steps += outermost_nodes_in(step.action, ir.Step)
    return None


def may_be_rerolled(program: ir.Program, roll: ir.RollDice) -> bool:
    """Whether the steps for each throw of a roll can run once more: they only compute values."""
    return not do_more_than_compute(roll.each, program.mechanics.get)


def scoring_frame(scoring: Scoring, at: Frame) -> Frame:
    """The frame that rerolled dice are scored in: names as they were at their roll, the state as it is now."""
    inside = new_frame(at.get(".meter"))
    inside.update(scoring.names)
    if STATE in at:
        inside[STATE] = at[STATE]
    return inside


def score_function(walker: Walker, scoring: Scoring, step: ir.Step) -> Score:
    """What scores dice that a step rerolls. Raises PlayError if they cannot be rerolled."""
    if scoring.path not in walker.scores:
        roll = walker.rolls.get(scoring.path) or roll_at(walker.program, scoring.path)
        if roll is None or not may_be_rerolled(walker.program, roll):
            raise PlayError(say.cannot_throw_anew(step.span, scoring.path if roll else None))
        walker.scores[scoring.path] = _score_function(walker, roll, scoring.path)
    return walker.scores[scoring.path]


def _score_function(walker: Walker, roll: ir.RollDice, path: str) -> Score:
    """What scores a rerolled die: its new throw is its first and only one, with no earlier throws and no chain."""
    each = inner_steps(walker, roll.each, (path.rsplit(".", 1)[-1],))
    names = [one.name for one in roll.each]
    counts = walker.closures.of(roll.counts) if roll.counts else None

    def score(die: Thrown, face: Any, given: Frame, run: Run) -> Walk:
        assert die.scoring is not None
        inside = scoring_frame(die.scoring, given)
        number = face_number(face)
        inside.update(size=die.die.size, tags=die.die.tags, part=die.part, face=number, nth=1, earlier=())
        if each:
            run.depth += 1
            yield from walk_steps(each, inside, run)
            run.depth -= 1
        number = counts(inside) if counts else number
        return die._replace(throws=(Throw(face, 1, number, {name: inside[name] for name in names}),), value=number)

    return score


def without_repeated_dice(dice: Roll) -> list[Thrown]:
    """The dice of a list, each once: a list may hold a die twice."""
    return list({die.key: die for die in dice}.values())


def compile_reroll(
    walker: Walker, action: ir.Reroll, step: ir.Step, trail: tuple[str, ...]
) -> Callable[[Frame, Run], Walk]:
    of = walker.closures.of
    everything = of(action.of)
    which = of(action.which) if action.which else None
    most = of(action.most) if action.most else None
    to = of(action.to) if action.to else None
    toward = action.to.span if action.to else step.span
    by = of(action.by) if action.by else None
    path = ".".join(trail)

    def throw_again(given: Frame, run: Run) -> Walk:
        dice: Roll = everything(given)
        touched: list[Thrown] = without_repeated_dice(which(given)) if which else list(dice)
        if by is not None:
            touched.sort(key=lambda die: by({**given, ".die": die}))
        if most is not None:
            touched = touched[: max(most(given), 0)]
        if to is not None:
            face = to(given)
            check_dice_have_face([die.die for die in touched], face, toward)
            faces: list[Any] = [face] * len(touched)
        else:
            faces = yield from run.throw(tuple(die.die for die in touched), run.prefix + path, given, step.path)
        run.add_event(DiceRerolled, step, tuple(zip(touched, faces, strict=True)))
        new: dict[int, Thrown] = {}
        for die, face in zip(touched, faces, strict=True):
            if die.scoring is None:
                number = face_number(face)
                new[die.key] = die._replace(throws=(Throw(face, 1, number, {}),), value=number)
            else:
                new[die.key] = yield from score_function(walker, die.scoring, step)(die, face, given, run)
        return tuple([new.get(die.key, die) for die in dice])

    return throw_again


def compile_place(
    walker: Walker, action: ir.Place, step: ir.Step, trail: tuple[str, ...]
) -> Callable[[Frame, Run], Walk]:
    dice, showing = walker.closures.of(action.dice), walker.closures.of(action.showing)

    @without_requests
    def place_dice(given: Frame, run: Run) -> Any:
        face = showing(given)
        first = run.dice
        pool = dice(given)
        check_dice_have_face(pool, face, action.showing.span)
        run.dice += len(pool)
        return tuple(Thrown(die, None, first + n, (Throw(face, 1, face, {}),), face) for n, die in enumerate(pool))

    return place_dice


def compile_raise(walker: Walker, action: ir.Raise, step: ir.Step) -> Closure:
    of = walker.closures.of
    everything, by = of(action.of), of(action.by)
    which = of(action.which) if action.which else None

    def raise_pool(given: Frame) -> Any:
        pool = everything(given)
        touched = list(which(given)) if which else list(pool)
        chosen = []
        for die in pool:
            chosen.append(die in touched)
            if chosen[-1]:
                touched.remove(die)
        try:
            return raise_dice(pool, chosen, action.rungs, by(given), action.past_top, action.when_full)
        except Problem as problem:
            raise PlayError(say.cannot_compute(step.span, step.name, str(problem))) from None

    return raise_pool


def compile_pair(
    walker: Walker, action: ir.Pair, step: ir.Step, trail: tuple[str, ...]
) -> Callable[[Frame, Run], Walk]:
    of = walker.closures.of
    ours, theirs = of(action.ours), of(action.theirs)
    missing = of(action.missing) if action.missing else None
    first = of(action.first) if action.first else None
    each = inner_steps(walker, action.each, trail)

    def pair_rolls(given: Frame, run: Run) -> Walk:
        prefers = (lambda die: int(first({**given, ".die": die}))) if first else None
        records: list[Record] = []
        inside = dict(given)
        for mine, other in pair_dice(ours(given), theirs(given), missing(given) if missing else None, prefers):
            inside.update(ours=mine, theirs=other)
            run.add_event(DicePaired, step, mine, other)
            run.depth += 1
            yield from walk_steps(each, inside, run)
            run.depth -= 1
            records.append({"ours": mine, "theirs": other, **{one.name: inside[one.name] for one in each}})
        keep_outside(inside, given)
        return tuple(records)

    return pair_rolls

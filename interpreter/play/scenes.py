"""Scenes: what comes before the first round, rounds of phases until an outcome holds, and turns."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

from interpreter import ir
from interpreter.play.events import boundary, ending
from interpreter.play.requests import Request
from interpreter.play.run import Boundary, Budget, Do, MechanicEnded, Record, Run, Walk, kept
from interpreter.play.steps import Compiled, Walker, inner_steps, requirements, walked
from interpreter.runtime import objects
from interpreter.runtime.constraints import some
from interpreter.runtime.evaluator import ELEMENTS, Frame
from interpreter.runtime.state import SCENE, STATE, UNDER_WAY, put, without
from interpreter.values import Thing

USUAL_GUARD = 100
"""After how many rounds a scene is over that says nothing of it."""

MOST_ROUNDS = 10_000
"""After how many rounds every scene is over."""


def turn(walker: Walker, action: ir.Turn, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """The steps are somebody's turn; their record."""
    whose = walker.closures.of(action.who)
    steps = inner_steps(walker, action.steps, trail)

    def take_turn(given: Frame, run: Run) -> Walk:
        who: Thing = whose(given)
        run.tell("turn", step, who)
        run.depth += 1
        inside = dict(given)
        yield from boundary(walker, "turn_begins", inside, run, who)
        yield from walked(steps, inside, run)
        yield from boundary(walker, "turn_ends", inside, run, who)
        yield from ending(walker, "turn", inside, run, who)
        run.depth -= 1
        kept(inside, given)
        return {one.name: inside[one.name] for one in steps}

    return take_turn


class ScenePart(NamedTuple):
    """What is played of a scene: one `phase` of a round, or so many `rounds`; the whole where it says nothing."""

    phase: str | None = None
    rounds: int | None = None


WHOLE = ScenePart()


def scene_played(walker: Walker, scene: ir.Scene, part: ScenePart = WHOLE) -> Do:
    """The walk of a scene, or a part of it, made once."""
    key = (scene.rule.path, part)
    if key not in walker.scenes:
        walker.scenes[key] = _scene_played(walker, scene, part)
    made: Do = walker.scenes[key]
    return made


def _scene_played(walker: Walker, scene: ir.Scene, part: ScenePart) -> Do:
    """The walk of a scene, or a part of it, from a frame with its inputs.

    A run that has a boundary goes on from there. The value is the record of what comes before the first round, with
    the `outcome`, and how many `rounds` there were; of one phase, with its steps.
    """
    closures = walker.closures
    opening = inner_steps(walker, scene.rule.steps, ())
    phases = [(one, inner_steps(walker, one.steps, ())) for one in scene.phases]
    outcomes = [(one, some(closures, one.condition), inner_steps(walker, one.steps, ())) for one in scene.outcomes]
    required = requirements(walker, scene.rule.requires)
    only, rounds = part
    guard = some(closures, scene.guard)

    def holding(given: Frame, run: Run) -> str | None:
        for one, holds, _ in outcomes:
            if holds is not None and holds(given):
                return one.name
        return None

    def opened(given: Frame, run: Run) -> Came:
        if SCENE in given[STATE].things:
            for one in scene.rule.inputs:
                given[STATE] = put(given[STATE], UNDER_WAY, one.name, given[one.name])
        else:
            given[STATE] = objects.scene_made(closures, given, scene, given)
        required(given, run)
        run.tell("scene", scene.rule, dict(given))
        run.depth += 1
        yield from boundary(walker, "scene_begins", given, run)
        ended = yield from _until_end(opening, given, run)
        if ended is not None:
            given |= {one.name: None for one in opening if one.name not in given}
        return ended or holding(given, run)

    def afresh(given: Frame, run: Run, usual: Budget) -> None:
        """What comes now may compute as much as a whole run of another rule."""
        given[".meter"], run.budget = [ELEMENTS], run.further(usual)

    def one_round(given: Frame, run: Run, number: int, place: int, record: Record, usual: Budget) -> Came:
        for nth, (phase, steps) in enumerate(phases[place:], place):
            if only is not None and phase.name != only:
                continue
            if run.boundary is None or (run.boundary.round, run.boundary.phase) != (number, nth):
                run.boundary = Boundary(dict(given), number, nth, run.marks)
            afresh(given, run, usual)
            if nth == 0 or only is not None:
                given[STATE] = put(given[STATE], UNDER_WAY, "round", number)
                run.tell("round", scene.rule, number)
                yield from boundary(walker, "round_begins", given, run)
            run.tell("phase", phase, len(phases))
            run.depth += 1
            inside = dict(given)
            ended = yield from _until_end(steps, inside, run)
            run.depth -= 1
            kept(inside, given)
            if only is not None:
                record |= {one.name: inside.get(one.name) for one in steps}
            ended = ended or holding(given, run)
            if ended is not None or only is not None:
                return ended
        yield from boundary(walker, "round_ends", given, run)
        yield from ending(walker, "round", given, run)
        return None

    def over(given: Frame, run: Run, ended: str | None, record: Record) -> Walk:
        for one, _, steps in outcomes:
            if one.name == ended:
                run.tell("outcome", one, ended, above=1)
                inside = dict(given)
                yield from walked(steps, inside, run)
                kept(inside, given)
        yield from boundary(walker, "scene_ends", given, run)
        yield from ending(walker, "scene", given, run)
        given[STATE] = without(given[STATE], UNDER_WAY)

    def walk(given: Frame, run: Run) -> Walk:
        at, ended, usual = run.boundary, None, run.budget
        record: Record = {}
        if at is None:
            ended = yield from opened(given, run)
        number, place = (at.round, at.phase) if at is not None else (_round_of(given) + 1, 0)
        begun_in = number if place else number - 1
        while ended is None and (rounds is None or number <= rounds):
            most = guard(given) if guard is not None else USUAL_GUARD
            if number > min(most, MOST_ROUNDS):
                run.tell("guard", scene.rule, begun_in)
                break
            ended = yield from one_round(given, run, number, place, record, usual)
            begun_in, number, place = number, number + 1, 0
            if only is not None:
                break
        stopped = ended is None and (only is not None or (rounds is not None and begun_in == rounds))
        record = {one.name: given.get(one.name) for one in opening} | record
        if not stopped:
            afresh(given, run, usual)
            yield from over(given, run, ended, record)
        run.depth -= 1
        return {**record, "outcome": ended, "rounds": begun_in}

    return walk


def _round_of(given: Frame) -> int:
    number: int = given[STATE].things[SCENE].values["round"]
    return number


Came = Generator[Request, Any, "str | None"]


def _until_end(steps: list[Compiled], given: Frame, run: Run) -> Came:
    """The outcome that the steps end the scene with, if they do."""
    depth = run.depth
    try:
        yield from walked(steps, given, run)
    except MechanicEnded as end:
        run.depth = depth
        kept(end.frame, given)
        return str(end)
    return None

"""Scenes: the steps before the first round, rounds of phases until an outcome holds, and turns."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

from interpreter import ir
from interpreter.play import trace_events as ev
from interpreter.play.events import cause_boundary_event, end_span
from interpreter.play.interventions import SCENE_SPAN, Cut
from interpreter.play.requests import Request
from interpreter.play.run import Boundary, Do, MechanicEnded, Record, Run, RunLimits, Walk, keep_outside
from interpreter.play.steps import Compiled, Walker, inner_steps, requirements_check, walk_steps
from interpreter.runtime import new_objects, objects
from interpreter.runtime.constraints import optional_closure
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.operations import ELEMENTS
from interpreter.runtime.sentences import sentence_function
from interpreter.runtime.state import SCENE, STATE, UNDER_WAY, remove_object
from interpreter.runtime.summaries import summary_of, things_taking_part
from interpreter.values import Thing

USUAL_GUARD = 100
"""How many rounds a scene may have that sets no limit."""

MOST_ROUNDS = 10_000
"""How many rounds any scene may have."""


def compile_turn(walker: Walker, action: ir.Turn, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """Steps that are the turn of an object; the result is their record."""
    whose = walker.closures.of(action.who)
    steps = inner_steps(walker, action.steps, trail)

    def take_turn(given: Frame, run: Run) -> Walk:
        who: Thing = whose(given)
        run.add_event(ev.TurnBegun, step, who)
        run.depth += 1
        inside = dict(given)
        level, cut = run.level, None
        run.turns.append(who)
        try:
            yield from cause_boundary_event(walker, "turn_begins", inside, run, who)
            yield from walk_steps(steps, inside, run)
        except Cut as ended:
            cut = ended
            run.return_to(level)
            inside[STATE] = cut.state
        finally:
            run.turns.pop()
        yield from end_span(walker, "turn", inside, run, who)
        run.depth -= 1
        if cut is not None:
            raise Cut(cut.span, cut.outcome, inside[STATE])
        keep_outside(inside, given)
        return {one.name: inside[one.name] for one in steps}

    return take_turn


class ScenePart(NamedTuple):
    """The part of a scene that is played: one `phase` of a round, a number of `rounds`, or, without either, all."""

    phase: str | None = None
    rounds: int | None = None


WHOLE = ScenePart()

OutcomeWalk = Generator[Request, Any, "str | None"]
"""A walk that results in the outcome that ends the scene, or None."""


def compile_scene(walker: Walker, scene: ir.Scene, part: ScenePart = WHOLE) -> Do:
    """What plays a scene or a part of it, compiled once, from a frame with its inputs.

    A run that has a boundary resumes there. The result is the record of the steps before the first round, with the
    `outcome` and the number of `rounds`; if one phase is played, the record holds the results of its steps too.
    """
    key = (scene.rule.path, part)
    if key not in walker.scenes:
        walker.scenes[key] = _CompiledScene(walker, scene, part).play
    made: Do = walker.scenes[key]
    return made


class _CompiledScene:
    """A scene, or the part of it that is played, with its steps compiled."""

    def __init__(self, walker: Walker, scene: ir.Scene, part: ScenePart) -> None:
        closures = walker.closures
        self.walker, self.scene, self.part = walker, scene, part
        self.opening = inner_steps(walker, scene.rule.steps, ())
        self.phases = [(one, inner_steps(walker, one.steps, ())) for one in scene.phases]
        self.outcomes = [
            (
                one,
                optional_closure(closures, one.condition),
                inner_steps(walker, one.steps, ()),
                sentence_function(closures, one.tells),
            )
            for one in scene.outcomes
        ]
        self.required = requirements_check(walker, scene.rule.requires)
        self.guard = optional_closure(closures, scene.guard)

    def play(self, given: Frame, run: Run) -> Walk:
        only, rounds = self.part
        resumed, outcome, budget = run.boundary, None, run.budget
        record: Record = {}
        if resumed is None:
            outcome = yield from self._begin_scene(given, run)
            number, place = given[STATE].things[SCENE].values["round"] + 1, 0
        else:
            number, place = resumed.round, resumed.phase
        begun = number if place else number - 1
        while outcome is None and run.cut != SCENE_SPAN and (rounds is None or number <= rounds):
            most = self.guard(given) if self.guard is not None else USUAL_GUARD
            if resumed is None and number > min(most, MOST_ROUNDS):
                run.add_event(ev.GuardReached, self.scene.rule, begun)
                break
            resumed = None  # the round that it resumes in was allowed when it began
            outcome = yield from self._play_round(given, run, number, place, record, budget)
            begun, number, place = number, number + 1, 0
            if only is not None:
                break
        stopped = outcome is None and (only is not None or (rounds is not None and begun == rounds))
        record = {one.name: given.get(one.name) for one in self.opening} | record
        if not stopped:
            _renew_budget(given, run, budget)
            yield from self._end_scene(given, run, outcome)
        run.depth -= 1
        return {**record, "outcome": outcome, "rounds": begun}

    def _first_outcome(self, given: Frame) -> str | None:
        """The first outcome whose condition holds."""
        for one, holds, _, _ in self.outcomes:
            if holds is not None and holds(given):
                return one.name
        return None

    def _begin_scene(self, given: Frame, run: Run) -> OutcomeWalk:
        """Put the scene under way and play the steps before the first round."""
        scene = self.scene
        given[STATE] = new_objects.begin_scene(self.walker.closures, given, scene)
        self.required(given, run)
        run.add_event(ev.SceneBegun, scene.rule, dict(given))
        run.depth += 1
        yield from cause_boundary_event(self.walker, "scene_begins", given, run)
        outcome = yield from _play_steps(self.opening, given, run)
        if outcome is not None or run.cut:
            given |= {one.name: None for one in self.opening if one.name not in given}
        outcome = outcome or self._first_outcome(given)
        if outcome is None and self.part.phase is None:
            self._summarize(given, run)
        return outcome

    def _play_round(
        self, given: Frame, run: Run, number: int, place: int, record: Record, budget: RunLimits
    ) -> OutcomeWalk:
        """Play a round from the phase at a place on; `record` takes the results of a phase that is played alone."""
        only = self.part.phase
        for nth, (phase, steps) in enumerate(self.phases[place:], place):
            if only is not None and phase.name != only:
                continue
            if run.boundary is None or (run.boundary.round, run.boundary.phase) != (number, nth):
                run.boundary = Boundary(dict(given), number, nth, run.marks)
            _renew_budget(given, run, budget)
            inside = given
            if run.boundary.after:
                outcome = run.boundary.outcome
            else:
                if nth == 0 or only is not None:
                    given[STATE] = objects.change_value(self.walker.closures, given, UNDER_WAY, "round", None, number)
                    run.add_event(ev.RoundBegun, self.scene.rule, number)
                    yield from cause_boundary_event(self.walker, "round_begins", given, run)
                run.add_event(ev.PhaseBegun, phase, len(self.phases))
                run.depth += 1
                inside = dict(given)
                if run.before_phase is not None:
                    run.before_phase(phase, inside)
                outcome = yield from _play_steps(steps, inside, run)
                run.depth -= 1
            keep_outside(inside, given)
            if only is not None:
                record |= {one.name: inside.get(one.name) for one in steps}
            outcome = outcome or self._first_outcome(given)
            if outcome is not None or only is not None or run.cut == SCENE_SPAN:
                return outcome
            if run.cut:
                break
        run.cut = ""
        self._summarize(given, run)
        yield from end_span(self.walker, "round", given, run)
        return None

    def _summarize(self, given: Frame, run: Run) -> None:
        """Keep an event of what the summary of its kind names, for each thing of the scene or, if it has none, all.

        The only thing of its kind, such as the group, takes part in every scene.
        """
        if not run.keeps_events:
            return
        things, kinds = given[STATE].things, self.walker.program.kinds
        in_scene = things_taking_part(given[STATE])
        for name, held in things.items():
            kind = kinds[held.kind]
            if kind.summary and (name in in_scene or not in_scene or kind.one):
                values = summary_of(self.walker.closures, given, Thing(name, held.kind))
                run.add_event(ev.ThingSummarized, self.scene.rule, name, values)

    def _end_scene(self, given: Frame, run: Run, outcome: str | None) -> Walk:
        """Play the steps of the outcome, and end the scene."""
        for one, _, steps, told in self.outcomes:
            if one.name == outcome:
                run.add_heading(ev.OutcomeReached, one, told(given) if run.keeps_events else "")
                inside = dict(given)
                yield from walk_steps(steps, inside, run)
                keep_outside(inside, given)
        self._summarize(given, run)
        yield from end_span(self.walker, "scene", given, run)
        run.over = given[STATE]
        given[STATE] = remove_object(given[STATE], UNDER_WAY)


def _renew_budget(given: Frame, run: Run, budget: RunLimits) -> None:
    """Give the rest of a run the budget of a whole run."""
    given[".meter"], run.budget = [ELEMENTS], run.extend_budget(budget)


def _play_steps(steps: list[Compiled], given: Frame, run: Run) -> OutcomeWalk:
    """Play steps: the outcome that they end the scene with, if they do. `run.cut` says what the game master ends."""
    level = run.level
    try:
        yield from walk_steps(steps, given, run)
    except MechanicEnded as end:
        run.depth = level.depth
        keep_outside(end.frame, given)
        return str(end)
    except Cut as cut:
        run.return_to(level)
        run.cut, given[STATE] = cut.span, cut.state
        return cut.outcome
    return None

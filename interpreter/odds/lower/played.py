"""Steps that are run by `play`: those that change the state, with the events and reactions that follow.

The step is played again from its beginning for every result of its dice and every answer, each time one request
further. So events, reactions and the overflow of tracks are defined once, in `play`; they roll few dice. Paths that
lead to equal values and states are merged.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.answers import calls_in
from interpreter.ir.passes import bound_inside
from interpreter.ir.traversal import formulas
from interpreter.odds.brute_force import distinct
from interpreter.odds.lazy_roll import MOST_WAYS
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.operations import ChanceNode, DecisionNode, Done, EndedValue, Frame, Need, Op, Todo, mapped
from interpreter.odds.renumber import DICE
from interpreter.odds.truncation import Undecided, has_open_keys
from interpreter.play.requests import ThrowRequest
from interpreter.play.run import Budget, Do, MechanicEnded, SilentRun
from interpreter.runtime.evaluator import ELEMENTS
from interpreter.runtime.state import STATE
from interpreter.values import Die, Face

BUDGET = Budget(dice=1 << 62)

STEP = 5
"""The work of a step that is played."""

ELEMENT = 3
"""The work of an element that formulas of a step look at: whoever offers actions looks for what they may be done to."""


@dataclass(frozen=True, slots=True, eq=False)
class WithState:
    """The value of a step, with the state after it."""

    value: Any
    state: Any


def play(lowering: Lowering, action: ir.StepBody, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """A step that is played. If it may change the state, it results in a `WithState`, else in its value."""
    bare = replace(step, condition=None, instead=None)
    bound = {*bound_inside(action)}
    uses, touches = lowering.reads(formulas(action), bound)
    serial, changes = lowering.serial(), lowering.changes(step)
    do, calls = lowering.walker.walk_of(bare, trail), calls_in(trail)

    def start(at: Frame) -> Todo:
        todo = _played(lowering, do, calls, at, serial, ())
        return todo if changes else mapped(todo, lambda found: found.value if isinstance(found, WithState) else found)

    outside = frozenset(path for path in touches if path[0] not in bound) | {(STATE,)} | lowering.roles
    return Op(step.name, uses, outside, start=start, asks=True)


def _played(
    lowering: Lowering, do: Do, calls: tuple[str, ...], at: Frame, serial: int, answers: tuple[Any, ...]
) -> Todo:
    """The step with its first requests answered: its value, or its next request."""
    lowering.meter.spend(50 + 20 * len(answers))
    inside = {**at, ".meter": [ELEMENTS]}
    silent = SilentRun(BUDGET, dice=serial * DICE, calls=calls)  # texts may read what is not drawn yet
    run = do(inside, silent)
    try:
        request = run.send(None)
        for answer in answers:
            request = run.send([*answer] if type(answer) is Faces else answer)
    except StopIteration as stop:
        if has_open_keys(stop.value):
            raise Undecided from None
        return Done(WithState(stop.value, inside.get(STATE)))
    except MechanicEnded as end:
        return Done(EndedValue(str(end), end.frame.get(STATE)))
    finally:
        lowering.meter.spend(STEP * silent.steps + ELEMENT * (ELEMENTS - inside[".meter"][0]))
    run.close()

    def resume(before: Any, answer: Any) -> Todo:
        return _played(lowering, do, calls, at, serial, (*before, answer))

    if not isinstance(request, ThrowRequest):
        return DecisionNode(request, at, answers, resume)
    # So many throws are most likely a chain, which is followed as far as other chains are.
    if sum(type(one) is Faces for one in answers) >= lowering.depth:
        return ChanceNode([], 1, answers, resume)
    law, total = _law_of_faces(request.dice)
    return ChanceNode(law, total, answers, resume)


class Faces(tuple[Face, ...]):
    """The answer to a request for a throw, distinct from an answer to a choice of several."""

    __slots__ = ()


@lru_cache(500)
def _law_of_faces(dice: tuple[Die, ...]) -> tuple[list[tuple[Faces, int]], int]:
    """The law of the faces of dice, in their order."""
    rows: list[tuple[Faces, int]] = [(Faces(), 1)]
    total = 1
    for die in dice:
        faces = distinct(die)
        if len(rows) * len(faces) > MOST_WAYS:
            raise PlayError(say.too_many_falls(len(dice), MOST_WAYS))
        rows = [(Faces((*before, face)), weight * times) for before, weight in rows for face, times in faces]
        total *= die.size
    return rows, total

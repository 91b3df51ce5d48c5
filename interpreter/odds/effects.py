"""Steps that are played in odds, rather than followed: what changes things that last, with all that follows from it.

The walk of the step is gone through again from its beginning for every way that its dice can fall and every answer
that can be given, each time one request further. So events, reactions and what comes of a full track are told once,
in `backends.changes`; what is thrown in them are few dice. Ways that come to the same value and state are one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.traversal import NODE_TYPES, formulas
from interpreter.odds.brute_force import distinct
from interpreter.odds.lazy_roll import MOST_WAYS
from interpreter.odds.operations import ChanceNode, DecisionNode, Done, EndedValue, Frame, Op, Todo
from interpreter.odds.truncation import Undecided, has_open_keys
from interpreter.play.requests import ThrowRequest
from interpreter.play.run import Budget, Run, Walk
from interpreter.play.run import MechanicEnded as WalkEnded
from interpreter.runtime.evaluator import ELEMENTS
from interpreter.runtime.state import STATE
from interpreter.values import Die, Face

if TYPE_CHECKING:
    from interpreter.odds.lowering import Lowering

BUDGET = Budget(dice=1 << 62)


@dataclass(frozen=True, slots=True, eq=False)
class WithState:
    """What a step is worth, with what lasts by then."""

    value: Any
    state: Any


def played(study: Lowering, step: ir.Step, trail: tuple[str, ...], serial: int) -> Op:
    """A step that is played. It is worth a `WithState`; dice that it throws have keys of their own by `serial`."""
    bare = replace(step, condition=None, instead=None)
    inner = {*_bound_inside(bare.action)}
    seen, touches = study.looks([(formula.body, False) for formula in formulas(bare.action)], inner)
    walk = study.walker.walk_of(bare, trail)

    def start(at: Frame) -> Todo:
        return _further(walk, at, study, serial, ())

    outside = frozenset(path for path in touches if path[0] not in inner) | {(STATE,)}
    return Op(step.name, None, None, None, start, (), seen, outside, asks=True)


def _further(
    do: Callable[[Frame, Run], Walk], at: Frame, study: Lowering, serial: int, answers: tuple[Any, ...]
) -> Todo:
    """The step with so many answers given: what it is worth, or what it asks for next."""
    study.meter.spend(50 + 20 * len(answers))
    inside = {**at, ".meter": [ELEMENTS]}
    walk = do(inside, Run(BUDGET, dice=serial * 10_000))
    try:
        request = walk.send(None)
        for answer in answers:
            request = walk.send([*answer] if type(answer) is Faces else answer)
    except StopIteration as stop:
        if has_open_keys(stop.value):
            raise Undecided from None
        return Done(WithState(stop.value, inside.get(STATE)))
    except WalkEnded as end:
        return Done(EndedValue(str(end), end.frame.get(STATE)))
    walk.close()

    def go_on(before: Any, answer: Any) -> Todo:
        return _further(do, at, study, serial, (*before, answer))

    if not isinstance(request, ThrowRequest):
        return DecisionNode(request, at, answers, go_on)
    # So many throws are a chain, as like as not: each throw of it is asked for.
    if sum(type(one) is Faces for one in answers) >= study.depth:
        return ChanceNode([], 1, answers, go_on)
    law, total = _falls(request.dice)
    return ChanceNode(law, total, answers, go_on)


class Faces(tuple[Face, ...]):
    """What dice show, told apart from answers that are several."""

    __slots__ = ()


@lru_cache(500)
def _falls(dice: tuple[Die, ...]) -> tuple[list[tuple[Faces, int]], int]:
    """Every way that dice can fall, in their order, with its weight."""
    rows: list[tuple[Faces, int]] = [(Faces(), 1)]
    total = 1
    for die in dice:
        faces = distinct(die)
        if len(rows) * len(faces) > MOST_WAYS:
            raise PlayError(say.too_many_falls(len(dice), MOST_WAYS))
        rows = [(Faces((*before, face)), ways * times) for before, ways in rows for face, times in faces]
        total *= die.size
    return rows, total


def _bound_inside(node: Any) -> Iterator[str]:
    """Every name that steps inside a construct bind for themselves."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, ir.Step):
            yield here.name
        if isinstance(here, ir.ForEach):
            yield here.name
        if isinstance(here, ir.Repeat):
            yield from ("nth", "earlier")
        if isinstance(here, ir.ChooseEach):
            yield "chooser"
        if isinstance(here, (tuple, list)):
            stack += here
        elif type(here) in NODE_TYPES and not isinstance(here, ir.Formula):
            stack += [getattr(here, name) for name in here.__slots__ if name not in ("type", "span")]

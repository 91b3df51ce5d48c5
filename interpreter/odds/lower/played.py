"""Steps that are run by `play`: those that change the state, with the events and reactions that follow.

The step is played again from its beginning for every result of its dice and every answer, each time one request
further. So events, reactions and the overflow of tracks are defined once, in `play`; they roll few dice. Paths that
lead to equal values and states are merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache, partial
from math import prod
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.ir.answers import CallName, calls_in, within_rule
from interpreter.ir.passes import names_bound_inside
from interpreter.ir.traversal import formulas
from interpreter.odds.brute_force import distinct_faces
from interpreter.odds.lazy_roll import MOST_WAYS
from interpreter.odds.lower.followed_rules import need_of_followed_rule
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.records import remove_fields
from interpreter.odds.lower.rules import rule_block
from interpreter.odds.operations import (
    ALL,
    Block,
    ChanceNode,
    DecisionNode,
    Done,
    EndedValue,
    EnterBlock,
    Frame,
    Need,
    Op,
    Todo,
    WithState,
    map_result,
)
from interpreter.odds.renumber import DICE
from interpreter.odds.truncation import Undecided, has_open_keys
from interpreter.play.requests import Request, ThrowRequest
from interpreter.play.run import Do, MechanicEnded, Run, RunLimits, SilentRun
from interpreter.runtime.operations import ELEMENTS
from interpreter.runtime.state import STATE
from interpreter.values import Die, Face

BUDGET = RunLimits(dice=1 << 62)

STEP = 5
"""The work of a step that is played."""

ELEMENT = 3
"""The work of an element that formulas of a step look at: whoever offers actions looks for what they may be done to."""


def lower_by_playing(lowering: Lowering, action: ir.StepBody, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """A step that is played. If it may change the state, it results in a `WithState`, else in its value."""
    bare = replace(step, condition=None, instead=None)
    bound = {*names_bound_inside(action)}
    uses, touches = lowering.reads(formulas(action), bound)
    changes = lowering.may_change_state(step)
    outer, inner = within_rule(trail)
    walk, needs = lowering.walker.walk_of(bare, inner), _needs_of_rules(action, need)
    played = ReplayedWalk(lowering, walk, outer, lowering.next_serial(), needs)

    def start(at: Frame) -> Todo:
        todo = played.replay_from(at)
        return (
            todo if changes else map_result(todo, lambda found: found.value if isinstance(found, WithState) else found)
        )

    outside = frozenset(path for path in touches if path[0] not in bound) | {(STATE,)} | lowering.roles
    return Op(step.name, uses, outside, start=start, asks=True)


def _needs_of_rules(action: ir.StepBody, need: Need) -> Mapping[str, Need] | None:
    """By the path of the event or action that a step leads to, what is needed of its record; None if that may be all.

    Only a step that does nothing else results in what the rule does; others, such as stages, may read all of it.
    """
    if isinstance(action, ir.Cause):
        return {f"events.{action.event}": need}
    return {f"actions.{action.action}": need} if isinstance(action, ir.Act) else None


class RuleResult(NamedTuple):
    """What a rule results in that is followed by the engine: its record, as far as it is read, and the state."""

    record: Any
    state: Any


class _RuleReached(Exception):
    """What is played has come to a rule that the engine follows: its block, and the frame that it begins with."""

    def __init__(self, block: Block, frame: Frame) -> None:
        super().__init__()
        self.block, self.frame = block, frame


@dataclass(frozen=True, eq=False)
class ReplayedWalk:
    """What `do` plays, request by request: it is played again from its beginning for each answer.

    `outer` names the steps that have led into its rule. The rules that it leads to are followed by the engine; of
    their records is kept what `needs` says, by path, and what reactions to an event read of it; all without `needs`.
    """

    lowering: Lowering
    do: Do
    outer: tuple[str, ...]
    serial: int
    needs: Mapping[str, Need] | None = field(default_factory=dict)

    def replay_from(self, at: Frame, answers: tuple[Any, ...] = ()) -> Todo:
        """The value and state after its first requests are answered, or its next request."""
        lowering, left = self.lowering, iter(answers)
        lowering.meter.spend(50 + 20 * len(answers))
        inside = {**at, ".meter": [ELEMENTS]}
        silent = SilentRun(BUDGET, dice=self.serial * DICE)  # texts may read what is not drawn yet
        silent.prefix, silent.calls = "".join([f"{name}." for name in self.outer]), calls_in(self.outer)
        silent.rule_results = partial(self._result_of_rule, left) if lowering.exact else None
        run = self.do(inside, silent)
        try:
            request = run.send(None)
            while (known := self._answer(request, left)) is not None:
                request = run.send(known[0])
        except StopIteration as stop:
            if has_open_keys(stop.value):
                raise Undecided from None
            return Done(WithState(stop.value, inside.get(STATE)))
        except MechanicEnded as end:
            return Done(EndedValue(str(end), end.frame.get(STATE)))
        except _RuleReached as reached:
            return EnterBlock(reached.block, reached.frame, answers, partial(self._finish_rule, at))
        finally:
            lowering.meter.spend(STEP * silent.steps + ELEMENT * (ELEMENTS - inside[".meter"][0]))
        run.close()

        def resume(before: Any, answer: Any) -> Todo:
            return self.replay_from(at, (*before, answer))

        if not isinstance(request, ThrowRequest):
            return DecisionNode(request, at, answers, resume)
        # So many throws are most likely a chain, which is followed as far as other chains are.
        if sum(type(one) is Faces for one in answers) >= lowering.depth:
            return ChanceNode([], 1, answers, resume)
        lowering.meter.spend(sum([die.size for die in request.dice]) // 2)
        law, total = _law_of_faces(request.dice)
        return ChanceNode(law, total, answers, resume)

    def _answer(self, request: Request, left: Iterator[Any]) -> tuple[Any] | None:
        """The answer to a request: the one that is certain, or the next of those given; None if there is none left."""
        if self.lowering.decide is not None and not isinstance(request, ThrowRequest):
            rows = self.lowering.decide(request)
            if len(rows) == 1:
                return (rows[0][0],)
        answer = next(left, _NONE_LEFT)
        if answer is _NONE_LEFT:
            return None
        return ([*answer] if type(answer) is Faces else answer,)

    def _result_of_rule(self, left: Iterator[Any], rule: ir.Mechanic, given: Frame, run: Run) -> RuleResult | None:
        """The next answer, if the engine follows the rule. Raises _RuleReached where there is none left."""
        need = need_of_followed_rule(self.lowering, rule, self._need_of_record(rule, run), self._is_result(rule, run))
        if need is None:
            return None
        found = next(left, None)
        if found is not None:
            assert type(found) is RuleResult, "the answers come in the order of the requests"
            return found
        block = rule_block(self.lowering, rule, need | {(STATE,)}, _trail(run))
        raise _RuleReached(block, given)

    def _need_of_record(self, rule: ir.Mechanic, run: Run) -> Need:
        """What is read of the record of a rule: all of it may be where another one is played that leads to it."""
        section = rule.path.partition(".")[0]
        if section == "reactions":
            return frozenset()
        if self.needs is None or run.nested != 1 or section == "mechanics":
            return ALL
        return self.needs.get(rule.path, frozenset())

    def _is_result(self, rule: ir.Mechanic, run: Run) -> bool:
        """Whether the step results in the record of a rule, of which nothing is read while it is played."""
        return self.needs is not None and run.nested == 1 and rule.path in self.needs

    def _finish_rule(self, at: Frame, before: tuple[Any, ...], record: Any) -> Todo:
        return self.replay_from(at, (*before, RuleResult(remove_fields(record, (STATE,)), record[STATE])))


_NONE_LEFT = object()


class Faces(tuple[Face, ...]):
    """The answer to a request for a throw, distinct from an answer to a choice of several."""

    __slots__ = ()


def _trail(run: Run) -> tuple[str, ...]:
    """The names that precede those of choices where a run has come to, with the steps that have led there."""
    names = run.prefix.removesuffix(".").split(".") if run.prefix else []
    assert len(names) >= len(run.calls), "what leads into another rule precedes the names of its choices"
    paths = (*[None] * (len(names) - len(run.calls)), *run.calls)  # the last name has led into the rule
    return tuple([name if path is None else CallName(name, path) for name, path in zip(names, paths, strict=True)])


@lru_cache(500)
def _law_of_faces(dice: tuple[Die, ...]) -> tuple[list[tuple[Faces, int]], int]:
    """The law of the faces of dice, in their order."""
    rows: list[tuple[Faces, int]] = [(Faces(), 1)]
    total = 1
    for die in dice:
        faces = distinct_faces(die)
        if len(rows) * len(faces) > MOST_WAYS:
            raise PlayError(say.too_many_falls(len(dice), MOST_WAYS, prod(len(distinct_faces(each)) for each in dice)))
        rows = [(Faces((*before, face)), weight * times) for before, weight in rows for face, times in faces]
        total *= die.size
    return rows, total

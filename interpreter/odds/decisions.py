"""Optimal decisions: the best answer at each choice, found from the end backwards, and the odds that follow.

The operations are the same as in `odds.engine`, but a call continues in the middle of its caller instead of having a
law of its own, as the best answer inside a call depends on all that follows it. Each layer holds the program points
that can follow those of the layer before. A point goes on through all steps that only compute something before it is
compared with others, so that those which differ in nothing that is read later are one. Backwards, the value of a chance
vertex is the mean, and that of a decision the best, of the values of its successors. Then weights go forward again,
along the best answers only. A player who decides has seen all dice that were thrown, so rolls that are still read are
drawn before a choice.

Several players may decide, each for a goal of their own. Then each vertex has a value for every goal, and a decision is
the best for the goal of whoever makes it, knowing that all later ones are made in the same way.

Sources: backward induction; R. Bellman, "Dynamic Programming" (1957); for several players, subgame perfection; M. J.
Osborne and A. Rubinstein, "A Course in Game Theory" (1994), chapter 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.odds.answer import Advice
from interpreter.odds.chance_choices import legal
from interpreter.odds.demand import Demand
from interpreter.odds.engine import ForwardEngine
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.lower.rolls import DICE_BESIDE
from interpreter.odds.open_rolls import first_open_roll, pairs_with, places_of, with_roll
from interpreter.odds.operations import Block, ChanceNode, Done, EndedValue, EnterBlock, Frame, Op, Todo, continued
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.projection import Goal, goal_of
from interpreter.odds.state_keys import KEYS, PLAIN, frozen, key_entries
from interpreter.odds.straight_line import skip
from interpreter.odds.truncation import AtLeast, Undecided, capped
from interpreter.play.requests import Choice
from interpreter.runtime.evaluator import ELEMENTS
from interpreter.runtime.state import STATE, State

POINT, ENTRY, ROW = 1_000, 30, 100
"""The approximate size in bytes of a program point, of each entry of its key, and of a row that leads to it."""

POINT_WORK, ROW_WORK = 115, 10
"""The approximate units of work of a program point, and of a row that leads to one."""

Answer = Callable[[Choice], Any]
"""The answer that is given beforehand, as a law; None where the choice is open."""


@dataclass(frozen=True, slots=True, eq=False)
class PendingStep:
    """A step that waits for its inner block. Steps that agree in everything have the same `key`."""

    todo: EnterBlock
    block: Block
    place: int
    frame: Frame
    above: PendingStep | None
    key: int


@dataclass(frozen=True, slots=True, eq=False)
class ProgramPoint:
    """A point of a run: before the step at `place` of a block, or inside this step, with `todo` next."""

    block: Block
    place: int
    frame: Frame
    above: PendingStep | None
    todo: Todo | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ChanceVertex:
    rows: list[tuple[ProgramPoint, int]]
    total: int


@dataclass(frozen=True, slots=True, eq=False)
class DecisionVertex:
    choice: Choice
    seen: Mapping[str, Any]
    rows: list[tuple[Any, ProgramPoint]]
    goal: int


@dataclass(frozen=True, slots=True, eq=False)
class TerminalVertex:
    record: Any


Node = ChanceVertex | DecisionVertex | TerminalVertex


@dataclass(frozen=True, slots=True, eq=False)
class LayerNode:
    """A node of a layer, with its successors as places in the next layer; those of chance are merged, with their ways.

    The rows of a chance vertex are not kept.
    """

    node: Node
    next: list[int]
    ways: list[int]


@dataclass
class Decisions:
    """Finds the best answers for some goals in a block whose choices are open.

    A choice for which nobody of the goals decides takes its default.
    """

    forward: ForwardEngine
    answer: Answer
    goals: Sequence[Goal]
    _keys: dict[Any, int] = field(default_factory=dict)
    _numbers: dict[Any, int] = field(default_factory=dict)
    _numbered: dict[int, tuple[Any, tuple[Any, int]]] = field(default_factory=dict)

    def law(self, block: Block, at: Frame) -> tuple[list[tuple[Any, Fraction]], tuple[Advice, ...]]:
        """The law of a block under the best answers, and these answers.

        Raises PlayError if it exceeds a limit, or if nobody decides a choice without a default. What depends on more
        than a lower bound is missing from the law, and has the value 0 for a goal.
        """
        frame = {name: at[name] for name in block.free if name in at} | {".meter": [ELEMENTS]}
        layers = self._layers(ProgramPoint(block, 0, frame, None))
        return self._law_along(layers, self._answers(layers))

    # Forward: every program point

    def _layers(self, start: ProgramPoint) -> list[list[LayerNode]]:
        layers: list[list[LayerNode]] = []
        points = [start]
        meter, memory = self.forward.lowering.meter, 0
        while points:
            after: dict[Any, tuple[int, ProgramPoint]] = {}
            layer: list[LayerNode] = []
            for point in points:
                node = self._node(point)
                known, entries = len(after), 0
                places: list[int | None] = []
                for one in _successors(node):
                    places.append(self._place(one, after, isinstance(node, DecisionVertex)))
                    if not entries:  # the points after one node hold nearly the same, so one stands for all of them
                        entries = key_entries(next(reversed(after), 0))
                made = _layer_node(node, places)
                memory += ROW * len(made.next) + (len(after) - known) * (POINT + ENTRY * entries)
                meter.meet(1)
                if point.place < len(point.block.ops):
                    meter.wait(point.block.ops[point.place].name, 1)
                meter.spend(POINT_WORK + ROW_WORK * len(places))
                meter.hold(memory)
                layer.append(made)
            layers.append(layer)
            points = [point for _, point in after.values()]
        return layers

    def _place(self, point: ProgramPoint, after: dict[Any, tuple[int, ProgramPoint]], answered: bool) -> int | None:
        """The place of a point in the next layer; None if it depends on more than a lower bound.

        After an answer it has a place also then, as a point from which nothing follows.
        """
        try:
            point = self._settled(point)
        except Undecided:
            if self.forward.cap is not None:
                raise
            if not answered:
                return None
        return after.setdefault(self._key(point), (len(after), point))[0]

    def _key(self, point: ProgramPoint) -> Any:
        todo = point.todo
        going: Any = None
        if todo is not None:
            what = todo.value if isinstance(todo, Done) else todo.state
            going = (type(todo), self._short_key(what), id(todo.block) if isinstance(todo, EnterBlock) else 0)
        above = point.above.key if point.above else 0
        return (id(point.block), point.place, self._frame_key(point.frame), above, going)

    def _frame_key(self, frame: Frame) -> Any:
        names = sorted(name for name in frame if name != ".meter")
        return tuple([(name, self._short_key(frame[name])) for name in names])

    def _short_key(self, value: Any) -> Any:
        """A key of a value that holds numbers for the values in it.

        Most points of a run hold what other points hold, so each object is looked at once.
        """
        if type(value) in KEYS:
            return value
        known = self._numbered.get(id(value))
        if known is None or known[0] is not value:
            number = self._numbers.setdefault(frozen(value, self._short_key), len(self._numbers))
            known = self._numbered[id(value)] = value, (".number", number)
        return known[1]

    # Backward: the value of each

    def _answers(self, layers: list[list[LayerNode]]) -> list[list[int]]:
        """For every decision the place of the best answer. Values of a layer are numbers over one denominator."""
        best: list[list[int]] = []
        later: list[list[int | Fraction]] = [[] for _ in self.goals]  # of each goal
        whole = 1
        for layer in reversed(layers):
            scale = _scale(layer)
            whole *= scale
            chosen = [self._answer_at(made, later) for made in layer]
            later = [self._values(goal, layer, chosen, after, whole, scale) for goal, after in enumerate(later)]
            best.append(chosen)
        best.reverse()
        return best

    def _answer_at(self, made: LayerNode, later: list[list[int | Fraction]]) -> int:
        """The place of the best answer at a decision; -1 at any other node."""
        node = made.node
        if not isinstance(node, DecisionVertex):
            return -1
        after = later[node.goal]
        return self._best(node, [given for given, _ in node.rows], [after[to] for to in made.next])

    def _values(
        self,
        goal: int,
        layer: list[LayerNode],
        chosen: list[int],
        after: list[int | Fraction],
        whole: int,
        scale: int,
    ) -> list[int | Fraction]:
        """The value of each node of a layer for a goal, from those of the next layer."""
        values: list[int | Fraction] = []
        for made, answer in zip(layer, chosen, strict=True):
            value: int | Fraction = 0
            match made.node:
                case ChanceVertex(_, total):
                    value = scale // total * sum(map(mul, made.ways, map(after.__getitem__, made.next)))
                case DecisionVertex():
                    value = scale * after[made.next[answer]]
                case TerminalVertex(record):
                    value = whole * self._utility(goal, record)
            values.append(value)
        return values

    def _utility(self, goal: int, record: Any) -> int | Fraction:
        try:
            return self.goals[goal].utility(record)
        except Undecided:
            return 0

    def _best(self, node: DecisionVertex, answers: list[Any], values: list[int | Fraction]) -> int:
        """The place of the best answer; among equal ones the default, or else the first."""
        choice = node.choice
        best = min(values) if self.goals[node.goal].least else max(values)
        places = [place for place, value in enumerate(values) if value == best]
        default = [place for place in places if choice.has_default and answers[place] == choice.default]
        return (default or places)[0]

    # Forward again: the law along the best answers

    def _law_along(
        self, layers: list[list[LayerNode]], best: list[list[int]]
    ) -> tuple[list[tuple[Any, Fraction]], tuple[Advice, ...]]:
        law: list[tuple[Any, Fraction]] = []
        advice: dict[Any, Advice] = {}
        ways, whole = [1], 1
        for number, layer in enumerate(layers):
            scale = _scale(layer)
            after = [0] * (len(layers[number + 1]) if number + 1 < len(layers) else 0)
            for made, own, answer in zip(layer, ways, best[number], strict=True):
                if not own:
                    continue
                match made.node:
                    case ChanceVertex(_, total):
                        factor = own * (scale // total)
                        for more, to in zip(made.ways, made.next, strict=True):
                            after[to] += factor * more
                    case DecisionVertex(choice, seen, rows, _):
                        after[made.next[answer]] += own * scale
                        one = Advice(choice.path, seen, rows[answer][0], Fraction(own, whole))
                        key = (one.path, frozen(seen), frozen(one.answer))
                        held = advice.get(key)
                        chance = one.chance + held.chance if held else one.chance
                        advice[key] = Advice(one.path, seen, one.answer, chance)
                    case TerminalVertex(record):
                        law.append((record, Fraction(own, whole)))
            ways, whole = after, whole * scale
        return law, tuple(advice.values())

    # One program point

    def _node(self, point: ProgramPoint) -> Node:
        """The next node from a point, past all steps that only compute something."""
        now: ProgramPoint | Node = point
        while isinstance(now, ProgramPoint):
            try:
                now = self._next(self._settled(now))
            except Undecided:
                if self.forward.cap is not None:
                    raise
                return ChanceVertex([], 1)
        return now

    def _settled(self, point: ProgramPoint) -> ProgramPoint:
        """The point after all steps that only compute something: before a draw, a choice, inner steps, or at the end.

        Raises Undecided if a step depends on more than a lower bound.
        """
        while True:
            if isinstance(point.todo, Done):
                after = self._continue(point, point.todo)
                assert isinstance(after, ProgramPoint)
                point = after
            elif point.todo is not None:
                return point
            else:
                point, done = self._computed(point)
                if not done or point.above is None:
                    return point
                after = self._finished(point, point.block.gives(point.frame))
                assert isinstance(after, ProgramPoint)
                point = after

    def _computed(self, point: ProgramPoint) -> tuple[ProgramPoint, bool]:
        """The point after all steps of its block that only compute something, and whether the block is done."""
        block, place = point.block, point.place
        ops = block.ops
        if place == len(ops):
            return point, True
        frame = dict(point.frame)
        while place < len(ops):
            op = ops[place]
            frame[".meter"][0] = ELEMENTS
            if self.forward.must_draw(block, place, frame, op.guard_uses):
                break
            if op.guard is not None and not op.guard(frame):
                skip(op, frame)
            elif op.ends or self.forward.must_draw(block, place, frame, op.uses):
                break
            elif op.plain is not None:
                frame[op.name] = capped(op.plain(frame), self.forward.cap)
            elif (value := self._certain(op, frame)) is not _OPEN:
                frame[op.name] = value
            else:
                break
            _drop(op, frame)
            place += 1
        return ProgramPoint(block, place, frame, point.above), place == len(ops)

    def _certain(self, op: Op, frame: Frame) -> Any:
        """The value of a step with inner steps that leave nothing to chance or choice; `_OPEN` for every other step."""
        if op.start is None or op.binds_fields or op.throws or op.asks or op.changes:
            return _OPEN
        todo = op.start(frame)
        if isinstance(todo, EnterBlock) and todo.block.simple:
            law, _ = self.forward.law(todo.block, todo.frame)
            if len(law) == 1:
                todo = continued(todo, law[0][0])
        if not isinstance(todo, Done) or isinstance(todo.value, EndedValue) or type(todo.value) not in _NUMBERS:
            return _OPEN
        return capped(todo.value, self.forward.cap)

    def _next(self, point: ProgramPoint) -> ProgramPoint | Node:
        """What follows a settled point."""
        if point.todo is not None:
            return self._continue(point, point.todo)
        block, place, frame, above = point.block, point.place, dict(point.frame), point.above
        if place == len(block.ops):
            return self._finished(point, block.gives(frame))
        op = block.ops[place]
        frame[".meter"][0] = ELEMENTS
        drawn = self.forward.drawn(block, place, frame, op.guard_uses)
        if drawn is None and op.guard is not None and not op.guard(frame):
            skip(op, frame)
            return ProgramPoint(block, place + 1, _without_dropped(op, frame), above)
        if drawn is None:
            drawn = self.forward.drawn(block, place, frame, op.uses)
        if drawn is not None:
            law, total = drawn
            return ChanceVertex([(ProgramPoint(block, place, one, above), ways) for one, ways in law], total)
        if op.plain is None:
            assert op.start is not None
            return self._continue(ProgramPoint(block, place, frame, above), op.start(frame))
        return self._after_step(ProgramPoint(block, place, frame, above), op.plain(frame))

    def _continue(self, point: ProgramPoint, todo: Todo) -> ProgramPoint | Node:
        block, place, frame, above = point.block, point.place, point.frame, point.above
        if isinstance(todo, Done):
            value = todo.value
            if block.ops[place].binds_fields and not isinstance(value, EndedValue):
                return ProgramPoint(block, place + 1, _without_dropped(block.ops[place], {**frame, **value}), above)
            kept = (
                self.forward.lowering.renumbered(value, block.ops[place].serial, frame)
                if type(value) not in PLAIN
                else value
            )
            return self._after_step(point, kept)
        if isinstance(todo, ChanceNode):
            return _chance(point, todo, todo.law, todo.total)
        if isinstance(todo, EnterBlock):
            if not todo.block.asks:
                return _chance(point, todo, *self.forward.law(todo.block, todo.frame))
            # These distinguish choices of a repetition or a roll, so advice names them even where no rule reads them.
            names = (*todo.block.free, "nth", *DICE_BESIDE)
            inside = {name: todo.frame[name] for name in names if name in todo.frame}
            return ProgramPoint(todo.block, 0, inside | {".meter": [ELEMENTS]}, self._waiting(point, todo))
        given = self.answer(todo.choice)
        if given is not None:
            return _chance(point, todo, given, sum(weight for _, weight in given))
        choice = todo.choice
        goal = goal_of(self.goals, choice.path, choice.by)
        if goal is None:
            if not choice.has_default:
                raise PlayError(say.no_answer(choice.path, choice.by, choice.ask))
            return _chance(point, todo, [(choice.default, 1)], 1)
        if len(choice.at_once) > 1 and len(self.goals) > 1:
            raise PlayError(say.decided_at_once(choice.path))
        drawn = self._drawn(point, todo)
        if drawn is not None:
            return drawn
        rows = []
        for answer in legal(choice):
            follows = continued(todo, answer)
            rows.append((answer, ProgramPoint(block, place, dict(frame), above, follows)))
        return DecisionVertex(choice, self._seen(point), rows, goal)

    def _after_step(self, point: ProgramPoint, value: Any) -> ProgramPoint | Node:
        """The point after a step, with its value."""
        block, frame = point.block, dict(point.frame)
        op = block.ops[point.place]
        if op.ends and isinstance(value, EndedValue):
            return self._finished(point, block.ended(frame, value))
        frame[op.name] = value
        return ProgramPoint(block, point.place + 1, _without_dropped(op, frame), point.above)

    def _finished(self, point: ProgramPoint, record: Any) -> ProgramPoint | Node:
        above = point.above
        if above is None:
            return TerminalVertex(record)
        follows = continued(above.todo, record)
        return ProgramPoint(above.block, above.place, dict(above.frame), above.above, follows)

    def _waiting(self, point: ProgramPoint, todo: EnterBlock) -> PendingStep:
        above = point.above.key if point.above else 0
        frame = dict(point.frame)
        op = point.block.ops[point.place]
        rereads = frozenset[str]() if todo.state is None else op.rereads  # a step without a state is over then
        if rereads is not None:
            for name in set(op.drop) - rereads:
                frame.pop(name, None)
        key = (id(point.block), point.place, self._frame_key(frame), above, self._short_key(todo.state))
        number = self._keys.setdefault(key, len(self._keys) + 1)
        return PendingStep(todo, point.block, point.place, frame, point.above, number)

    # What a player who decides has seen

    def _drawn(self, point: ProgramPoint, todo: Todo) -> ChanceVertex | None:
        """The draw of a roll that is still open and read later; None if there is none."""
        wanted = self.forward.open_demand(point.block, point.place, point.frame)
        if wanted is not None:
            law, total = self.forward.drawn_as(wanted, point.frame)
            return ChanceVertex(
                [(ProgramPoint(point.block, point.place, dict(f), point.above, todo), ways) for f, ways in law], total
            )
        around = point.above
        while around is not None:
            wanted = self.forward.open_demand(around.block, around.place, around.frame)
            if wanted is not None:
                return self._drawn_around(point, todo, around, wanted)
            around = around.above
        return None

    def _drawn_around(self, point: ProgramPoint, todo: Todo, around: PendingStep, wanted: Demand) -> ChanceVertex:
        """The draw of a roll that a step around this point holds: what is read of it, or all its dice."""
        lazy = first_open_roll(wanted.source)
        rows = []
        if wanted.members and isinstance(wanted.source, LazyRoll) and not _held_elsewhere(point, around, lazy):
            law, total = self.forward.drawn_as(wanted, around.frame)
            for frame, ways in law:
                above = self._with_frame(point.above, around, frame)
                rows.append((ProgramPoint(point.block, point.place, point.frame, above, todo), ways))
            return ChanceVertex(rows, total)
        dice, total = self.forward.law_of_dice(lazy)
        for roll, ways in dice:
            with suppress(Undecided):
                rows.append((self._with_dice(point, todo, lazy, roll), ways))
        return ChanceVertex(rows, total)

    def _with_frame(self, above: PendingStep | None, around: PendingStep, frame: Frame) -> PendingStep:
        """The steps around a point, where one of them has another frame."""
        assert above is not None
        if above is around:
            return self._waiting(ProgramPoint(above.block, above.place, frame, above.above), above.todo)
        more = self._with_frame(above.above, around, frame)
        return self._waiting(ProgramPoint(above.block, above.place, above.frame, more), above.todo)

    def _with_dice(self, point: ProgramPoint, todo: Todo, lazy: LazyRoll, roll: Any) -> ProgramPoint:
        """The point with the dice of a roll that the steps around it hold."""
        frame = {name: with_roll(value, lazy, roll) for name, value in point.frame.items()}
        return ProgramPoint(point.block, point.place, frame, self._waiting_with(point.above, lazy, roll), todo)

    def _waiting_with(self, above: PendingStep | None, lazy: LazyRoll, roll: Any) -> PendingStep | None:
        if above is None:
            return None
        frame = {name: with_roll(value, lazy, roll) for name, value in above.frame.items()}
        point = ProgramPoint(above.block, above.place, frame, self._waiting_with(above.above, lazy, roll))
        return self._waiting(point, above.todo)

    def _seen(self, point: ProgramPoint) -> dict[str, Any]:
        """What a player who decides knows, by name, as far as it is read later."""
        frames = [point.frame]
        above = point.above
        while above is not None:
            frames.append(above.frame)
            above = above.above
        seen: dict[str, Any] = {}
        for frame in reversed(frames):
            for name, value in frame.items():
                if not name.startswith(".") and not isinstance(value, (LazyRoll, Paired)):
                    written = self.forward.lowering.as_written(name)
                    if written == name or written not in frame:  # after its step, a carried name is what it is now
                        seen[written] = value
        return seen | _held_by_things(next((frame[STATE] for frame in frames if STATE in frame), None))


def _held_by_things(state: State | None) -> dict[str, Any]:
    """The numbers and words that things have, `ann.coins`, by which a player may decide."""
    return {
        f"{thing}.{name}": value
        for thing, held in (state.things.items() if state is not None else ())
        for name, value in held.values.items()
        if type(value) in PLAIN and name != "is"
    }


_OPEN = object()

_NUMBERS = PLAIN | {AtLeast}


def _held_elsewhere(point: ProgramPoint, around: PendingStep, lazy: LazyRoll) -> bool:
    """Whether a roll that a step around a point holds is also held by the point, or by another step around it."""
    frames, above = [point.frame], point.above
    while above is not None:
        if above is not around:
            frames.append(above.frame)
        above = above.above
    return any(
        any(True for _ in places_of(value, lazy)) or pairs_with(value, {lazy.name})
        for frame in frames
        for value in frame.values()
    )


def _layer_node(node: Node, places: list[int | None]) -> LayerNode:
    """The node with the places of its successors; those of a chance vertex that are None are missing."""
    if not isinstance(node, ChanceVertex):
        return LayerNode(node, [place for place in places if place is not None], [])
    ways: dict[int, int] = {}
    for place, (_, more) in zip(places, node.rows, strict=True):
        if place is not None:
            ways[place] = ways.get(place, 0) + more
    return LayerNode(ChanceVertex([], node.total), list(ways), list(ways.values()))


def _successors(node: Node) -> Iterator[ProgramPoint]:
    match node:
        case ChanceVertex(rows):
            yield from (point for point, _ in rows)
        case DecisionVertex(_, _, rows, _):
            yield from (point for _, point in rows)


def _scale(layer: list[LayerNode]) -> int:
    return lcm(*{made.node.total for made in layer if isinstance(made.node, ChanceVertex)})


def _chance(
    point: ProgramPoint, todo: ChanceNode | EnterBlock | Any, law: list[tuple[Any, int]], total: int
) -> ChanceVertex:
    rows = []
    for got, ways in law:
        try:
            follows = continued(todo, got)
        except Undecided:
            continue
        rows.append((ProgramPoint(point.block, point.place, dict(point.frame), point.above, follows), ways))
    return ChanceVertex(rows, total)


def _drop(op: Op, frame: Frame) -> None:
    for name in op.drop:
        frame.pop(name, None)


def _without_dropped(op: Op, frame: Frame) -> Frame:
    _drop(op, frame)
    return frame

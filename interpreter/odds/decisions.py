"""Decisions made for the best: what to do when, found from the end backwards, and the odds that follow from it.

The same steps as in `odds.forward` are gone through, but one place after the other in place of one block inside the
other: what is best in the middle of a call depends on all that comes after it. Each layer holds the spots that may
come one step later. Backwards, a spot is worth the mean of what chance makes of it, or the best of the answers; then
the ways go forward again, along the best answers alone. Whoever decides has seen every die that was thrown, so rolls
that still matter are drawn before anybody is asked.

Source: backward induction; R. Bellman, "Dynamic Programming" (1957).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from interpreter.odds.answer import Advice
from interpreter.odds.chance_choices import legal
from interpreter.odds.engine import ForwardEngine
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.open_rolls import first_open_roll, holds_open_roll, with_roll
from interpreter.odds.operations import Block, ChanceNode, Done, EndedValue, EnterBlock, Frame, Op, Todo, went_on
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.state_keys import PLAIN, frozen
from interpreter.odds.truncation import Undecided
from interpreter.play.requests import Choice
from interpreter.runtime.evaluator import ELEMENTS

Answer = Callable[[Choice], Any]
"""The answer that was given beforehand, as a law; None where a choice is open."""


@dataclass(frozen=True, slots=True, eq=False)
class PendingStep:
    """A step that waits for the steps inside it. `key` stands for all of it."""

    todo: EnterBlock
    block: Block
    place: int
    frame: Frame
    above: PendingStep | None
    key: int


@dataclass(frozen=True, slots=True, eq=False)
class ProgramPoint:
    """Where a run can be: before the step at `place` of a block, or in the middle of it, with `todo` next."""

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


@dataclass(frozen=True, slots=True, eq=False)
class TerminalVertex:
    record: Any


Node = ChanceVertex | DecisionVertex | TerminalVertex


@dataclass(frozen=True, slots=True, eq=False)
class LayerNode:
    """A node of a layer, its followers by their places in the next one."""

    node: Node
    next: list[int]


@dataclass
class Decisions:
    """Goes through a block in which choices are open, and finds the answers that are best for a goal.

    `worth` is the whole number that a record is worth for the goal; `least` asks for the lowest mean of it.
    """

    forward: ForwardEngine
    answer: Answer
    worth: Callable[[Any], int]
    least: bool = False
    _keys: dict[Any, int] = field(default_factory=dict)

    def law(self, block: Block, at: Frame) -> tuple[list[tuple[Any, Fraction]], tuple[Advice, ...]]:
        """What a block comes to under the best answers, with its chances, and the answers.

        Raises PlayError where there is too much to go through. What nobody can decide is missing from the law, and
        counts nothing for the goal.
        """
        frame = {name: at[name] for name in block.free if name in at} | {".meter": [ELEMENTS]}
        layers = self._layers(ProgramPoint(block, 0, frame, None))
        return self._followed(layers, self._answers(layers))

    # Forward: every spot

    def _layers(self, start: ProgramPoint) -> list[list[LayerNode]]:
        layers: list[list[LayerNode]] = []
        spots = [start]
        while spots:
            after: dict[Any, tuple[int, ProgramPoint]] = {}
            layer: list[LayerNode] = []
            for spot in spots:
                node = self._node(spot)
                places = [after.setdefault(self._key(one), (len(after), one))[0] for one in _followers(node)]
                layer.append(LayerNode(node, places))
            self.forward.lowering.meter.meet(len(layer))
            self.forward.lowering.meter.spend(20 * len(layer))
            layers.append(layer)
            spots = [spot for _, spot in after.values()]
        return layers

    def _key(self, spot: ProgramPoint) -> Any:
        todo = spot.todo
        going: Any = None
        if todo is not None:
            what = todo.value if isinstance(todo, Done) else todo.state
            going = (type(todo), frozen(what), id(todo.block) if isinstance(todo, EnterBlock) else 0)
        return (id(spot.block), spot.place, _frame_key(spot.frame), spot.above.key if spot.above else 0, going)

    # Backward: what each is worth

    def _answers(self, layers: list[list[LayerNode]]) -> list[list[int]]:
        """For every decision the place of the best answer. Values are whole numbers over one denominator a layer."""
        best: list[list[int]] = []
        later: list[int] = []
        whole = 1
        for layer in reversed(layers):
            scale = _scale(layer)
            whole *= scale
            values, chosen = [], []
            for made in layer:
                value, answer = 0, -1
                match made.node:
                    case ChanceVertex(rows, total):
                        factor = scale // total
                        value = sum(ways * factor * later[to] for (_, ways), to in zip(rows, made.next, strict=True))
                    case DecisionVertex(choice, _, rows):
                        answer = self._best(choice, [given for given, _ in rows], [later[to] for to in made.next])
                        value = scale * later[made.next[answer]]
                    case TerminalVertex(record):
                        value = whole * self._worth(record)
                values.append(value)
                chosen.append(answer)
            best.append(chosen)
            later = values
        best.reverse()
        return best

    def _worth(self, record: Any) -> int:
        try:
            return self.worth(record)
        except Undecided:
            return 0

    def _best(self, choice: Choice, answers: list[Any], worths: list[int]) -> int:
        """The place of the best answer; of equals the default, else the first."""
        wanted = min(worths) if self.least else max(worths)
        places = [place for place, worth in enumerate(worths) if worth == wanted]
        usual = [place for place in places if choice.has_default and answers[place] == choice.default]
        return (usual or places)[0]

    # Forward again: the law along the best answers

    def _followed(
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
                    case ChanceVertex(rows, total):
                        for (_, more), to in zip(rows, made.next, strict=True):
                            after[to] += own * more * (scale // total)
                    case DecisionVertex(choice, seen, rows):
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

    # One spot

    def _node(self, spot: ProgramPoint) -> Node:
        """What comes next at a spot; steps that leave nothing open are gone on from."""
        now: ProgramPoint | Node = spot
        while isinstance(now, ProgramPoint):
            try:
                now = self._next(now)
            except Undecided:
                return ChanceVertex([], 1)
        return now

    def _next(self, spot: ProgramPoint) -> ProgramPoint | Node:
        if spot.todo is not None:
            return self._going(spot, spot.todo)
        block, place, frame, above = spot.block, spot.place, spot.frame, spot.above
        if place == len(block.ops):
            return self._finished(spot, block.gives(frame))
        op = block.ops[place]
        frame[".meter"][0] = ELEMENTS
        drawn = self.forward.drawn(block, place, frame, op.guard_uses)
        if drawn is None:
            if op.guard is not None and not op.guard(frame):
                if op.instead is not None:
                    return self._after(spot, op.instead(frame))
                return self._after(spot, _KEPT if op.silent else None)
            drawn = self.forward.drawn(block, place, frame, op.uses)
        if drawn is not None:
            law, total = drawn
            return ChanceVertex([(ProgramPoint(block, place, dict(one), above), ways) for one, ways in law], total)
        if op.plain is not None:
            return self._after(spot, op.plain(frame))
        assert op.start is not None
        return self._going(spot, op.start(frame))

    def _going(self, spot: ProgramPoint, todo: Todo) -> ProgramPoint | Node:
        block, place, frame, above = spot.block, spot.place, spot.frame, spot.above
        if isinstance(todo, Done):
            value = todo.value
            if block.ops[place].spreads and not isinstance(value, EndedValue):
                return ProgramPoint(block, place + 1, _forgotten(block.ops[place], {**frame, **value}), above)
            kept = (
                self.forward.lowering.renumbered(value, block.ops[place].serial, frame)
                if type(value) not in PLAIN
                else value
            )
            return self._after(spot, kept)
        if isinstance(todo, ChanceNode):
            return _chance(spot, todo, todo.law, todo.total)
        if isinstance(todo, EnterBlock):
            if not todo.block.asks:
                return _chance(spot, todo, *self.forward.law(todo.block, todo.frame))
            # Which time it is may tell one asking from the other, so advice has it even where no rule reads it.
            names = (*todo.block.free, "nth")
            inside = {name: todo.frame[name] for name in names if name in todo.frame}
            return ProgramPoint(todo.block, 0, inside | {".meter": [ELEMENTS]}, self._waiting(spot, todo))
        said = self.answer(todo.choice)
        if said is not None:
            return _chance(spot, todo, said, sum(weight for _, weight in said))
        seen = self._looked_at(spot, todo)
        if seen is not None:
            return seen
        rows = []
        for answer in legal(todo.choice):
            follows = went_on(todo, answer)
            rows.append((answer, ProgramPoint(block, place, dict(frame), above, follows)))
        return DecisionVertex(todo.choice, self._seen(spot), rows)

    def _after(self, spot: ProgramPoint, value: Any) -> ProgramPoint | Node:
        """Past a step with its value; `_KEPT` where the name keeps what it has."""
        block, frame = spot.block, dict(spot.frame)
        op = block.ops[spot.place]
        if op.ends and isinstance(value, EndedValue):
            return self._finished(spot, block.ended(frame, value))
        if value is not _KEPT:
            frame[op.name] = value
        return ProgramPoint(block, spot.place + 1, _forgotten(op, frame), spot.above)

    def _finished(self, spot: ProgramPoint, record: Any) -> ProgramPoint | Node:
        above = spot.above
        if above is None:
            return TerminalVertex(record)
        follows = went_on(above.todo, record)
        return ProgramPoint(above.block, above.place, dict(above.frame), above.above, follows)

    def _waiting(self, spot: ProgramPoint, todo: EnterBlock) -> PendingStep:
        above = spot.above.key if spot.above else 0
        frame = dict(spot.frame)
        if todo.state is None:  # a step that has more to do after it may look at what it reads once more
            frame = _forgotten(spot.block.ops[spot.place], frame)
        key = (id(spot.block), spot.place, _frame_key(frame), above, frozen(todo.state))
        number = self._keys.setdefault(key, len(self._keys) + 1)
        return PendingStep(todo, spot.block, spot.place, frame, spot.above, number)

    # What whoever decides has seen

    def _looked_at(self, spot: ProgramPoint, todo: Todo) -> ChanceVertex | None:
        """The dice on the table, where some that still matter are not drawn; None where all are."""
        drawn = self.forward.open_rolls(spot.block, spot.place, spot.frame)
        if drawn is not None:
            law, total = drawn
            return ChanceVertex(
                [(ProgramPoint(spot.block, spot.place, dict(f), spot.above, todo), ways) for f, ways in law], total
            )
        above = spot.above
        while above is not None:
            for value in above.frame.values():
                if holds_open_roll(value):
                    lazy = first_open_roll(value)
                    law, total = self.forward.law_of_dice(lazy)
                    return ChanceVertex([(self._with_dice(spot, todo, lazy, roll), ways) for roll, ways in law], total)
            above = above.above
        return None

    def _with_dice(self, spot: ProgramPoint, todo: Todo, lazy: LazyRoll, roll: Any) -> ProgramPoint:
        """The spot with a roll of the steps that wait on the table."""
        frame = {name: with_roll(value, lazy, roll) for name, value in spot.frame.items()}
        return ProgramPoint(spot.block, spot.place, frame, self._waits_with(spot.above, lazy, roll), todo)

    def _waits_with(self, above: PendingStep | None, lazy: LazyRoll, roll: Any) -> PendingStep | None:
        if above is None:
            return None
        frame = {name: with_roll(value, lazy, roll) for name, value in above.frame.items()}
        spot = ProgramPoint(above.block, above.place, frame, self._waits_with(above.above, lazy, roll))
        return self._waiting(spot, above.todo)

    def _seen(self, spot: ProgramPoint) -> dict[str, Any]:
        """What is known to whoever decides, by name, as far as anything later depends on it."""
        frames = [spot.frame]
        above = spot.above
        while above is not None:
            frames.append(above.frame)
            above = above.above
        seen: dict[str, Any] = {}
        for frame in reversed(frames):
            for name, value in frame.items():
                if not name.startswith(".") and not isinstance(value, (LazyRoll, Paired)):
                    seen[self.forward.lowering.as_written(name)] = value
        return seen


_KEPT = object()


def _followers(node: Node) -> Iterator[ProgramPoint]:
    match node:
        case ChanceVertex(rows):
            yield from (spot for spot, _ in rows)
        case DecisionVertex(_, _, rows):
            yield from (spot for _, spot in rows)


def _scale(layer: list[LayerNode]) -> int:
    return lcm(*{made.node.total for made in layer if isinstance(made.node, ChanceVertex)})


def _chance(
    spot: ProgramPoint, todo: ChanceNode | EnterBlock | Any, law: list[tuple[Any, int]], total: int
) -> ChanceVertex:
    rows = []
    for got, ways in law:
        try:
            follows = went_on(todo, got)
        except Undecided:
            continue
        rows.append((ProgramPoint(spot.block, spot.place, dict(spot.frame), spot.above, follows), ways))
    return ChanceVertex(rows, total)


def _forgotten(op: Op, frame: Frame) -> Frame:
    for name in op.drop:
        frame.pop(name, None)
    return frame


def _frame_key(frame: Frame) -> Any:
    names = sorted(name for name in frame if name != ".meter")
    return tuple([(name, value if type(value := frame[name]) in PLAIN else frozen(value)) for name in names])

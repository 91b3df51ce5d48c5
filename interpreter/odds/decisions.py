"""Optimal decisions: the best answer at each choice, found from the end backwards, and the odds that follow.

The operations are the same as in `odds.engine`, but a call continues in the middle of its caller instead of having a
law of its own, as the best answer inside a call depends on all that follows it. Each layer holds the program points
that can follow those of the layer before. A point goes on through all steps that only compute something before it is
compared with others, so that those which differ in nothing that is read later are one (`decision_graph.py`,
`alike_dice.py`); then the best answers follow backwards (`backward_induction.py`). A player who decides has seen all
dice that were thrown, so rolls that are still read are drawn before a choice.

Several players may decide, each for a goal of their own. Then each vertex has a value for every goal, and a decision is
the best for the goal of whoever makes it, knowing that all later ones are made in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.odds.alike_dice import (
    WITHOUT_DICE,
    AlikeDice,
    Kinds,
    kind_counts_of,
    one_of_each_kind,
    rules_treat_alike,
    selections_of,
)
from interpreter.odds.answer import Advice
from interpreter.odds.backward_induction import best_answers, law_along, possible_shortfall
from interpreter.odds.chance_choices import legal_answers
from interpreter.odds.decision_graph import (
    ChanceVertex,
    DecisionVertex,
    DrawnDice,
    LayerNode,
    Node,
    PendingStep,
    ProgramPoint,
    TerminalVertex,
    layer_node,
    successors,
)  # fmt: skip
from interpreter.odds.demand import Demand
from interpreter.odds.engine import ForwardEngine
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.liveness import Use
from interpreter.odds.lower.rolls import DICE_BESIDE
from interpreter.odds.open_rolls import first_open_roll, holds_open_roll, pairs_with, places_of, replace_roll
from interpreter.odds.operations import (
    Block,
    ChanceNode,
    DecisionNode,
    Done,
    EndedValue,
    EnterBlock,
    Frame,
    Op,
    Todo,
    forgets_before_asking,
    resume,
)
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.projection import Goal, goal_of
from interpreter.odds.renumber import holds_dice
from interpreter.odds.state_keys import KEYS, PLAIN, freeze, key_entries
from interpreter.odds.straight_line import skip
from interpreter.odds.truncation import AtLeast, Undecided, cap_value
from interpreter.play.requests import Choice, example
from interpreter.runtime.operations import ELEMENTS
from interpreter.runtime.state import STATE, TITLE, State

POINT, ENTRY, ROW = 1_000, 30, 100
"""The approximate size in bytes of a program point, of each entry of its key, and of a row that leads to it."""

NODE_WORK, PLACE_WORK, ROW_WORK = 80, 40, 2
"""The approximate units of work of a node, of a point whose place in the next layer is sought, and of a row."""

MOST_TRIES = 1_000
"""How often a lower bound of a roll is tried for each time that it decides everything that is asked."""

MOST_TRIES_OF_DEFAULT = 200
"""How often the default of a choice is tried for each time that it reaches what the choice is decided for."""

NO_DICE = frozenset[int]()

Answer = Callable[[Choice], Any]
"""The answer that is given beforehand, as a law; None where the choice is open."""


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
    _alike: AlikeDice | None = field(init=False)
    _after: dict[Any, dict[Any, ProgramPoint]] = field(default_factory=dict)
    """The points after answers to the choices of a layer, by what is read of the dice that each takes and leaves."""
    _placed: dict[ProgramPoint, int | None] = field(default_factory=dict)
    """The places of these points in the next layer."""
    _of_dice: dict[Any, dict[int, int | None]] = field(default_factory=dict)
    """The places in the next layer of points after a draw of dice, by all but these, and then by their list."""

    _settled: dict[Any, ProgramPoint] = field(default_factory=dict)
    """The settled points after the ends of inner blocks in a layer: many totals lead to each of them."""
    _decided: int | None = None
    """The number of the goal for which every choice gets its default, while it is tried whether they reach it."""
    _tries: dict[Any, list[int]] = field(default_factory=dict)
    """How often the lower bound of a roll was tried, and how often it decided everything, by the step."""

    def __post_init__(self) -> None:
        lowering = self.forward.lowering
        alike = rules_treat_alike(lowering.die_identity)
        self._alike = AlikeDice(Kinds(lowering.state_may_hold_dice), lowering.first_key((".alike",))) if alike else None

    def law(self, block: Block, at: Frame) -> tuple[list[tuple[Any, Fraction]], tuple[Advice, ...], float]:
        """The law of a block under the best answers, these answers, and the doubt about them.

        Raises PlayError if it exceeds a limit, or if nobody decides a choice without a default. What depends on more
        than a lower bound is missing from the law, and has the value 0 for a goal.
        """
        frame = {name: at[name] for name in block.free if name in at} | {".meter": [ELEMENTS]}
        layers = self._layers(ProgramPoint(block, 0, frame, None))
        best = best_answers(layers, self.goals)
        return *law_along(layers, best), possible_shortfall(layers, self.goals, best)

    # Forward: every program point

    def _layers(self, start: ProgramPoint) -> list[list[LayerNode]]:
        layers: list[list[LayerNode]] = []
        points = [start]
        meter, memory = self.forward.lowering.meter, 0
        while points:
            after: dict[Any, tuple[int, ProgramPoint]] = {}
            layer: list[LayerNode] = []
            self._after.clear()
            self._placed.clear()
            self._of_dice.clear()
            self._settled.clear()
            for point in points:
                node = self._next_node(point)
                known = len(after)
                places = self._places(node, after)
                made = layer_node(node, places)
                # The points after one node hold nearly the same, so one stands for all of them.
                entries = key_entries(next(reversed(after), 0)) if len(after) > known else 0
                memory += ROW * len(made.next) + (len(after) - known) * (POINT + ENTRY * entries)
                meter.count_states(1)
                if point.place < len(point.block.ops):
                    meter.count_waiting_states(point.block.ops[point.place].name, 1)
                meter.spend(NODE_WORK + ROW_WORK * len(places))
                meter.check_memory(memory)
                layer.append(made)
            layers.append(layer)
            points = [point for _, point in after.values()]
        return layers

    def _places(self, node: Node, after: dict[Any, tuple[int, ProgramPoint]]) -> list[int | None]:
        """The places in the next layer of the points that can follow a node, in their order."""
        if isinstance(node, DrawnDice):
            return self._places_of_dice(node, after)
        answered = isinstance(node, DecisionVertex)
        if not (isinstance(node, DecisionVertex) and node.shared):
            return [self._place(one, after, answered) for one in successors(node)]
        for one in node.points:
            if one not in self._placed:
                self._placed[one] = self._place(one, after, answered)
        return [self._placed[one] for one in node.points]

    def _places_of_dice(self, node: DrawnDice, after: dict[Any, tuple[int, ProgramPoint]]) -> list[int | None]:
        """The same after a draw of dice: points that had different dice open often lead to the same dice."""
        point = node.point
        rest = self._frame_key({name: one for name, one in point.frame.items() if name != node.name})
        above = point.above.key if point.above else 0
        known = self._of_dice.setdefault((id(point.block), point.place, rest, above, node.name), {})
        for roll, _ in node.law:
            if id(roll) not in known:  # there is one list of each
                frame = {**point.frame, node.name: roll}
                known[id(roll)] = self._place(ProgramPoint(point.block, point.place, frame, point.above), after, False)
        return [known[id(roll)] for roll, _ in node.law]

    def _place(self, point: ProgramPoint, after: dict[Any, tuple[int, ProgramPoint]], answered: bool) -> int | None:
        """The place of a point in the next layer; None if it depends on more than a lower bound.

        After an answer it has a place also then, as a point from which nothing follows.
        """
        self.forward.lowering.meter.spend(PLACE_WORK)
        try:
            point = self._settle(point)
        except Undecided:
            if self.forward.cap is not None:
                raise
            if not answered:
                return None
        point = self._with_alike_dice(point)
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
            number = self._numbers.setdefault(freeze(value, self._short_key), len(self._numbers))
            known = self._numbered[id(value)] = value, (".number", number)
        return known[1]

    # Dice that no rule tells apart

    def _with_alike_dice(self, point: ProgramPoint) -> ProgramPoint:
        """The point with its dice in one order; itself where a step that goes on holds dice, too."""
        around = point.above.dice if point.above is not None else NO_DICE
        if self._alike is None or point.todo is not None or around != NO_DICE:
            return point
        return ProgramPoint(point.block, point.place, dict(self._alike.order_dice(point.frame)), point.above)

    def _points_after_answers(
        self, point: ProgramPoint, todo: DecisionNode
    ) -> tuple[Sequence[Any], list[ProgramPoint], bool]:
        """The answers to a choice that differ in more than alike dice, and the point after each.

        Answers that differ only in faces that nothing reads lead to one point, also from other points of the layer;
        whether they do is told, too.
        """

        point_after = partial(self._point_after, point, todo)

        def points_of(answers: Sequence[Any]) -> tuple[Sequence[Any], list[ProgramPoint], bool]:
            return answers, [point_after(answer) for answer in answers], False

        if self._alike is None:
            return points_of(legal_answers(todo.choice))
        values, above = [point.frame, todo.state], point.above
        while above is not None:
            values += [above.frame, above.todo.state]
            above = above.above
        held = self._alike.dice_held_by(*values)
        if (selected := selections_of(todo.choice, held)) is None:
            answers = one_of_each_kind(todo.choice, held)
            return points_of(legal_answers(todo.choice) if answers is None else answers)
        unread = point.block.ops[point.place].unread
        elsewhere = any(len(held.places[die.key]) > 1 for dice in selected.kinds for die in dice)
        if unread is None or elsewhere or not forgets_before_asking(point.block, point.place, unread):
            return points_of(selected)
        rest = self._frame_key({name: one for name, one in point.frame.items() if name != unread.among})
        around = (id(point.block), point.place, rest, point.above.key if point.above else 0)
        known = self._after.setdefault(around, {})
        points = []
        for number, read in enumerate(kind_counts_of(selected, held, unread)):
            if read not in known:
                known[read] = point_after(selected[number])
            points.append(known[read])
        return selected, points, True

    def _reopen(self, op: Op, frame: Frame, above: PendingStep | None) -> LazyRoll | None:
        """The result of a reroll, with the dice that it throws open, if nothing tells which of them is which.

        Nothing does if only the step holds them, and also if no rule looks for dice of the result in another list.
        """
        reopened = op.reopen(frame) if op.reopen is not None and self._alike is not None else None
        if reopened is None or self._alike is None:
            return None
        roll, thrown = reopened
        if not op.only_read and (op.dice_needs is None or "names" in op.dice_needs):
            held = self._alike.dice_held_by(_frame_after_drop(op, dict(frame)))
            around = NO_DICE if above is None else above.dice
            if not held.followed or around is None or not thrown.isdisjoint(held.shown.keys() | around):
                return None
        return roll

    # One program point

    def _next_node(self, point: ProgramPoint) -> Node:
        """The next node from a point, past all steps that only compute something."""
        now: ProgramPoint | Node = point
        while isinstance(now, ProgramPoint):
            try:
                now = self._follow_settled(self._settle(now))
            except Undecided:
                if self.forward.cap is not None:
                    raise
                return ChanceVertex([], 1)
        return now

    def _settle(self, point: ProgramPoint) -> ProgramPoint:
        """The point after all steps that only compute something: before a draw, a choice, inner steps, or the end.

        Raises Undecided if a step depends on more than a lower bound.
        """
        ended = []
        while True:
            if isinstance(point.todo, Done):
                after = self._continue(point, point.todo)
                if not isinstance(after, ProgramPoint):  # the rule is over
                    break
                point = after
            elif point.todo is not None:
                break
            else:
                point, done = self._compute_steps(point)
                if not done or point.above is None:
                    break
                key = (id(point.block), point.above.key, self._frame_key(point.frame))
                if (known := self._settled.get(key)) is not None:
                    point = known
                    break
                ended.append(key)
                after = self._finish_block(point, point.block.gives(point.frame))
                assert isinstance(after, ProgramPoint)
                point = after
        for key in ended:
            self._settled[key] = point
        return point

    def _compute_steps(self, point: ProgramPoint) -> tuple[ProgramPoint, bool]:
        """The point after all steps of its block that only compute something, and whether the block is done."""
        block, place = point.block, point.place
        ops = block.ops
        if place == len(ops):
            return point, True
        frame = dict(point.frame)
        elements = frame[".meter"]
        while place < len(ops):
            op = ops[place]
            elements[0] = ELEMENTS
            is_open = op.watched and any(map(holds_open_roll, map(frame.get, op.watched)))
            if is_open and self.forward.drawing.must_draw(block, place, frame, op.guard_uses):
                break
            if op.guard is not None and not op.guard(frame):
                skip(op, frame)
            elif op.ends or (is_open and self.forward.drawing.must_draw(block, place, frame, op.uses)):
                break
            elif op.plain is not None:
                frame[op.name] = cap_value(op.plain(frame), self.forward.cap)
            elif (value := self._value_if_certain(op, frame, point.above)) is not _OPEN:
                frame[op.name] = value
            else:
                break
            _drop_dead_names(op, frame)
            place += 1
        return ProgramPoint(block, place, frame, point.above), place == len(ops)

    def _value_if_certain(self, op: Op, frame: Frame, above: PendingStep | None) -> Any:
        """The value of a step with inner steps that leave nothing to chance or choice; `_OPEN` for every other step."""
        if op.start is None or op.binds_fields or op.throws or op.asks or op.changes:
            return _OPEN
        at = dict(frame)  # a roll that stays open may read it later, without what is dropped by then
        if (reopened := self._reopen(op, at, above)) is not None:
            return self.forward.lowering.renumber(reopened, op.serial, at)
        todo = op.start(at)
        if isinstance(todo, EnterBlock) and todo.block.simple:
            law, _ = self.forward.law(todo.block, todo.frame)
            if len(law) == 1:
                todo = resume(todo, law[0][0])
        if not isinstance(todo, Done) or isinstance(todo.value, EndedValue):
            return _OPEN
        if type(todo.value) is LazyRoll:
            return self.forward.lowering.renumber(todo.value, op.serial, at)
        return cap_value(todo.value, self.forward.cap) if type(todo.value) in _NUMBERS else _OPEN

    def _follow_settled(self, point: ProgramPoint) -> ProgramPoint | Node:
        """What follows a settled point."""
        if point.todo is not None:
            return self._continue(point, point.todo)
        block, place, frame, above = point.block, point.place, dict(point.frame), point.above
        if place == len(block.ops):
            return self._finish_block(point, block.gives(frame))
        op = block.ops[place]
        frame[".meter"][0] = ELEMENTS
        if (dice := self._draw_all_dice(point, op.guard_uses)) is not None:
            return dice
        drawn = self.forward.drawing.draw_frames(block, place, frame, op.guard_uses)
        if drawn is None and op.guard is not None and not op.guard(frame):
            skip(op, frame)
            return ProgramPoint(block, place + 1, _frame_after_drop(op, frame), above)
        if drawn is None:
            if (dice := self._draw_all_dice(point, op.uses)) is not None:
                return dice
            drawn = self.forward.drawing.draw_frames(block, place, frame, op.uses)
        if drawn is not None:
            law, total = drawn
            return ChanceVertex([(ProgramPoint(block, place, one, above), ways) for one, ways in law], total)
        if op.plain is None:
            assert op.start is not None
            return self._continue(ProgramPoint(block, place, frame, above), op.start(frame))
        return self._point_after_step(point, {**frame, op.name: op.plain(frame)})

    def _draw_all_dice(self, point: ProgramPoint, uses: tuple[Use, ...]) -> DrawnDice | None:
        """The draw of a roll that a step reads die by die, with its dice in one order.

        None where something else is drawn, and where other values hold dice, too.
        """
        around = point.above.dice if point.above is not None else NO_DICE
        if self._alike is None or self._alike.kinds.lasting or around != NO_DICE:
            return None
        frame = point.frame
        holding = [name for name, value in frame.items() if type(value) not in WITHOUT_DICE]
        if len(holding) != 1 or type(frame[holding[0]]) is not LazyRoll:
            return None
        wanted = self.forward.drawing.demand_of_step(point.block, point.place, frame, uses)
        if wanted is None or wanted.members or wanted.split is not None:
            return None
        found = self._alike.law_in_one_order(frame[holding[0]], self.forward.lowering.depth)
        return None if found is None else DrawnDice(point, holding[0], *found)

    def _continue(self, point: ProgramPoint, todo: Todo) -> ProgramPoint | Node:
        if isinstance(todo, Done):
            op = point.block.ops[point.place]
            return self._point_after_step(point, self.forward.lowering.bind_result(op, point.frame, todo.value))
        if isinstance(todo, ChanceNode):
            return self._certain_end(point, todo) or _chance_vertex(point, todo, todo.law, todo.total)
        if isinstance(todo, EnterBlock):
            if not todo.block.asks:
                return _chance_vertex(point, todo, *self.forward.law(todo.block, todo.frame))
            # These distinguish choices of a repetition or a roll, so advice names them even where no rule reads them.
            names = (*todo.block.free, "nth", *DICE_BESIDE)
            inside = {name: todo.frame[name] for name in names if name in todo.frame}
            return ProgramPoint(todo.block, 0, inside | {".meter": [ELEMENTS]}, self._pending_step(point, todo))
        assert isinstance(todo, DecisionNode), "only exact odds without goals follow passes as a chain"
        given = self.answer(todo.choice)
        if given is not None:
            return _chance_vertex(point, todo, given, sum(weight for _, weight in given))
        choice = todo.choice
        goal = goal_of(self.goals, choice.path, choice.by)
        if goal is None:
            if not choice.has_default:
                raise PlayError(say.no_answer(choice.path, choice.by, choice.ask, example(choice)))
            return _chance_vertex(point, todo, [(choice.default, 1)], 1)
        if len(choice.at_once) > 1 and sum(not one.rank for one in self.goals) > 1:
            raise PlayError(say.decided_at_once(choice.path))
        drawn = self._draw_open_rolls(point, todo)
        if drawn is not None:
            return drawn
        if self._decided is not None:
            same = self._decided == goal and choice.has_default
            return _chance_vertex(point, todo, [(choice.default, 1)] if same else [], 1)
        if self._default_reaches(point, todo, goal):
            after = [self._point_after(point, todo, choice.default)]
            return DecisionVertex(
                choice, partial(self._knowledge_of_player, point), (choice.default,), after, goal, shared=False
            )
        answers, points, shared = self._points_after_answers(point, todo)
        return DecisionVertex(choice, partial(self._knowledge_of_player, point), answers, points, goal, shared)

    def _point_after(self, point: ProgramPoint, todo: DecisionNode, answer: Any) -> ProgramPoint:
        """The point after an answer to a choice."""
        return ProgramPoint(point.block, point.place, dict(point.frame), point.above, resume(todo, answer))

    def _default_reaches(self, point: ProgramPoint, todo: DecisionNode, number: int) -> bool:
        """Whether the default of a choice leads for certain to what it is decided for: then no answer is better, and
        the others need not be followed.

        A choice of which the default never did so is not asked again and again.
        """
        goal, choice = self.goals[number], todo.choice
        ranked = any(one.rank and one.whose == goal.whose for one in self.goals)
        if goal.value is None or ranked or not choice.has_default or type(choice.default) not in PLAIN:
            return False
        tries = self._tries.setdefault((id(point.block), point.place), [0, 0])
        if tries[0] >= MOST_TRIES_OF_DEFAULT * (1 + tries[1]):
            return False
        tries[0] += 1
        self.forward.lowering.meter.spend(NODE_WORK)
        now: ProgramPoint | Node = self._point_after(point, todo, choice.default)
        self._decided = number
        try:
            while isinstance(now, ProgramPoint):
                now = self._follow_settled(self._settle(now))
                if isinstance(now, ChanceVertex) and len(now.rows) == 1 and now.rows[0][1] == now.total:
                    now = now.rows[0][0]
            reached = isinstance(now, TerminalVertex) and goal.utility(now.record) != goal.least
        except Undecided:
            reached = False
        finally:
            self._decided = None
        tries[1] += reached
        return reached

    def _certain_end(self, point: ProgramPoint, todo: ChanceNode) -> TerminalVertex | None:
        """The end of the rule, if the lower bound of a roll that goes on decides all that is asked.

        A step whose bounds never decided anything is not asked again and again.
        """
        tries = self._tries.setdefault((id(point.block), point.place), [0, 0])
        if todo.least is None or self.forward.cap is None or tries[0] >= MOST_TRIES * (1 + tries[1]):
            return None
        self.forward.lowering.meter.spend(NODE_WORK)
        tries[0] += 1
        now: ProgramPoint | Node = ProgramPoint(
            point.block, point.place, dict(point.frame), point.above, Done(todo.least())
        )
        try:
            while isinstance(now, ProgramPoint):
                now = self._follow_settled(self._settle(now))
        except Undecided:
            return None
        if not isinstance(now, TerminalVertex):
            return None
        tries[1] += 1
        return now

    def _point_after_step(self, point: ProgramPoint, frame: Frame) -> ProgramPoint | Node:
        """The point after a step, with the frame that the step leaves."""
        op = point.block.ops[point.place]
        if (end := op.take_end(frame)) is not None:
            return self._finish_block(point, point.block.ended(frame, end))
        return ProgramPoint(point.block, point.place + 1, _frame_after_drop(op, frame), point.above)

    def _finish_block(self, point: ProgramPoint, record: Any) -> ProgramPoint | Node:
        above = point.above
        if above is None:
            return TerminalVertex(record)
        follows = resume(above.todo, record)
        return ProgramPoint(above.block, above.place, dict(above.frame), above.above, follows)

    def _pending_step(self, point: ProgramPoint, todo: EnterBlock) -> PendingStep:
        above, dice = (point.above.key, point.above.dice) if point.above else (0, NO_DICE)
        frame = dict(point.frame)
        if dice is not None and self._alike is not None:
            held = self._alike.dice_held_by(frame, todo.state)
            dice = dice | held.shown.keys() if held.followed else None
        op = point.block.ops[point.place]
        rereads = frozenset[str]() if todo.state is None else op.rereads  # a step without a state is over then
        if rereads is not None:
            for name in set(op.drop) - rereads:
                if not (self.forward.lowering.die_identity.handled and name in frame and holds_dice(frame[name])):
                    frame.pop(name, None)  # else its dice would be given new keys when the inner block is done
        key = (id(point.block), point.place, self._frame_key(frame), above, self._short_key(todo.state))
        number = self._keys.setdefault(key, len(self._keys) + 1)
        return PendingStep(todo, point.block, point.place, frame, point.above, number, dice)

    # What a player who decides has seen

    def _draw_open_rolls(self, point: ProgramPoint, todo: Todo) -> ChanceVertex | None:
        """The draw of a roll that is still open and read later; None if there is none."""
        wanted = self.forward.drawing.open_demand(point.block, point.place, point.frame)
        if wanted is not None:
            law, total = self.forward.drawing.draw_demand(wanted, point.frame)
            return ChanceVertex(
                [(ProgramPoint(point.block, point.place, dict(f), point.above, todo), ways) for f, ways in law], total
            )
        around = point.above
        while around is not None:
            wanted = self.forward.drawing.open_demand(around.block, around.place, around.frame)
            if wanted is not None:
                return self._draw_around(point, todo, around, wanted)
            around = around.above
        return None

    def _draw_around(self, point: ProgramPoint, todo: Todo, around: PendingStep, wanted: Demand) -> ChanceVertex:
        """The draw of a roll that a step around this point holds: what is read of it, or all its dice."""
        lazy = first_open_roll(wanted.source)
        rows = []
        if wanted.members and isinstance(wanted.source, LazyRoll) and not _is_held_elsewhere(point, around, lazy):
            law, total = self.forward.drawing.draw_demand(wanted, around.frame)
            for frame, ways in law:
                above = self._with_frame(point.above, around, frame)
                rows.append((ProgramPoint(point.block, point.place, point.frame, above, todo), ways))
            return ChanceVertex(rows, total)
        dice, total = self.forward.drawing.law_of_dice(lazy)
        for roll, ways in dice:
            with suppress(Undecided):
                rows.append((self._with_dice(point, todo, lazy, roll), ways))
        return ChanceVertex(rows, total)

    def _with_frame(self, above: PendingStep | None, around: PendingStep, frame: Frame) -> PendingStep:
        """The steps around a point, where one of them has another frame."""
        assert above is not None
        if above is around:
            return self._pending_step(ProgramPoint(above.block, above.place, frame, above.above), above.todo)
        more = self._with_frame(above.above, around, frame)
        return self._pending_step(ProgramPoint(above.block, above.place, above.frame, more), above.todo)

    def _with_dice(self, point: ProgramPoint, todo: Todo, lazy: LazyRoll, roll: Any) -> ProgramPoint:
        """The point with the dice of a roll that the steps around it hold."""
        frame = {name: replace_roll(value, lazy, roll) for name, value in point.frame.items()}
        return ProgramPoint(point.block, point.place, frame, self._pending_step_with(point.above, lazy, roll), todo)

    def _pending_step_with(self, above: PendingStep | None, lazy: LazyRoll, roll: Any) -> PendingStep | None:
        if above is None:
            return None
        frame = {name: replace_roll(value, lazy, roll) for name, value in above.frame.items()}
        point = ProgramPoint(above.block, above.place, frame, self._pending_step_with(above.above, lazy, roll))
        return self._pending_step(point, above.todo)

    def _knowledge_of_player(self, point: ProgramPoint) -> dict[str, Any]:
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
        return seen | _values_of_things(next((frame[STATE] for frame in frames if STATE in frame), None))


def _values_of_things(state: State | None) -> dict[str, Any]:
    """The numbers and words that things have, `ann.coins`, by which a player may decide."""
    return {
        f"{thing}.{name}": value
        for thing, held in (state.things.items() if state is not None else ())
        for name, value in held.values.items()
        if type(value) in PLAIN and name not in ("is", TITLE)
    }


_OPEN = object()

_NUMBERS = PLAIN | {AtLeast}


def _is_held_elsewhere(point: ProgramPoint, around: PendingStep, lazy: LazyRoll) -> bool:
    """Whether a roll that a step around a point holds is also held by the point, or by another step around it."""
    frames, above = [point.frame], point.above
    while above is not None:
        if above is not around:
            frames.append(above.frame)
        above = above.above
    return any(
        any(True for _ in places_of(value, lazy)) or any(pairs_with(value, {lazy.name}))
        for frame in frames
        for value in frame.values()
    )


def _chance_vertex(
    point: ProgramPoint, todo: ChanceNode | EnterBlock | Any, law: list[tuple[Any, int]], total: int
) -> ChanceVertex:
    rows = []
    for got, ways in law:
        try:
            follows = resume(todo, got)
        except Undecided:
            continue
        rows.append((ProgramPoint(point.block, point.place, dict(point.frame), point.above, follows), ways))
    return ChanceVertex(rows, total)


def _drop_dead_names(op: Op, frame: Frame) -> None:
    for name in op.drop:
        frame.pop(name, None)


def _frame_after_drop(op: Op, frame: Frame) -> Frame:
    _drop_dead_names(op, frame)
    return frame

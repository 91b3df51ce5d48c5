"""Every way at once, from the first step to the last: states with their ways, merged where nothing tells them apart.

A state is a frame, and its ways are whole numbers over one total for all. A step takes each state to those that may
follow; names that nothing below reads are forgotten, and states that then are alike become one. Blocks inside blocks
are followed on their own and remembered, so that a call with the same inputs is worked out once.

Source: variable elimination as in S. Holtzen et al., "Scaling Exact Inference for Discrete Probabilistic Programs"
(OOPSLA 2020), over states in place of decision diagrams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import lcm
from typing import Any

from interpreter import diagnostics as say
from interpreter.backends.requests import Choice
from interpreter.closures import ELEMENTS
from interpreter.diagnostics import PlayError
from interpreter.odds.bags import Bag, laid_out
from interpreter.odds.blocks import Block, Done, Draw, Ended, Frame, Go, Op, Todo, free_names
from interpreter.odds.drawing import Reader, read_off, reader
from interpreter.odds.keys import frozen
from interpreter.odds.reads import Path, Use, names_in
from interpreter.odds.study import Study, holds_bag, named_apart
from interpreter.odds.tails import Undecided

MOST_STATES = 200_000
"""How many states one question may go through."""

MOST_WAYS = 30_000
"""How many ways to lie the dice of one roll may have."""

MOST_KEPT = 20_000
"""How many laws are kept from one question to the next."""

Law = tuple[list[tuple[Any, int]], int]
Decide = Callable[[Choice], list[tuple[Any, int]]]


@dataclass
class Forward:
    """Follows blocks of one study. `decide` answers a choice, with weights where it is left to chance."""

    study: Study
    decide: Decide
    states: int = 0
    _laws: dict[Any, Law] = field(default_factory=dict)
    _drawn: dict[Any, Law] = field(default_factory=dict)
    _readers: dict[str, Reader] = field(default_factory=dict)
    _serials: dict[Any, int] = field(default_factory=dict)

    def begin(self) -> None:
        """Begin a new question: what was found before is kept as long as it is not too much."""
        self.states = 0
        if len(self._laws) + len(self._drawn) > MOST_KEPT:
            self._laws, self._drawn = {}, {}

    def law(self, block: Block, at: Frame) -> Law:
        """What a block comes to from a frame, and the ways in all; what cannot be decided is missing from it."""
        key = (id(block), tuple([frozen(at[name]) if name in at else _ABSENT for name in block.free]))
        found = self._laws.get(key)
        if found is None:
            found = self._laws[key] = self._followed(block, at)
        return found

    def _followed(self, block: Block, at: Frame) -> Law:
        states: list[tuple[Frame, int]] = [({name: at[name] for name in block.free if name in at}, 1)]
        states[0][0][".meter"] = [ELEMENTS]
        total = 1
        ended: list[tuple[Any, int]] = []
        for place, op in enumerate(block.ops):
            after: list[tuple[Frame, int]] = []
            rows: list[tuple[list[tuple[Frame, int]], int, int]] = []
            for frame, ways in states:
                children, whole = self._step(block, place, op, frame)
                rows.append((children, ways, whole))
            scale = lcm(*{whole for _, _, whole in rows}) if rows else 1
            total *= scale
            if scale != 1:
                ended = [(value, ways * scale) for value, ways in ended]
            for children, ways, whole in rows:
                factor = ways * (scale // whole)
                for frame, more in children:
                    if op.ends and isinstance(frame.get(op.name), Ended):
                        end = frame.pop(op.name)
                        ended.append((block.ended(frame, end), factor * more))
                    else:
                        after.append((frame, factor * more))
            states = self._merged(op, after)
        made: dict[Any, list[Any]] = {}
        for value, ways in (*((block.gives(frame), ways) for frame, ways in states), *ended):
            key = frozen(value)
            if key in made:
                made[key][1] += ways
            else:
                made[key] = [value, ways]
        return [(value, ways) for value, ways in made.values()], total

    def _merged(self, op: Op, states: list[tuple[Frame, int]]) -> list[tuple[Frame, int]]:
        """Forget what nothing below reads; what then is alike is one state."""
        drop, live = op.drop, op.live
        self.states += len(states)
        if self.states > MOST_STATES:
            raise PlayError(say.too_many_states(MOST_STATES))
        if len(states) < 2:
            for frame, _ in states:
                for name in drop:
                    frame.pop(name, None)
            return states
        made: dict[Any, tuple[Frame, int]] = {}
        for frame, ways in states:
            for name in drop:
                frame.pop(name, None)
            key = tuple([_key(frame[name]) if name in frame else _ABSENT for name in live])
            held = made.get(key)
            made[key] = (frame, ways) if held is None else (held[0], held[1] + ways)
        return list(made.values())

    # One step of one state

    def _step(self, block: Block, place: int, op: Op, frame: Frame) -> tuple[list[tuple[Frame, int]], int]:
        if op.guard_uses and (drawn := self._draws(block, place, frame, op.guard_uses)):
            return self._each(drawn, lambda one: self._step(block, place, op, one))
        try:
            if op.guard is not None and not op.guard(frame):
                return self._skipped(op, frame)
            if op.uses and (drawn := self._draws(block, place, frame, op.uses)):
                return self._each(drawn, lambda one: self._step(block, place, op, one))
            if op.plain is not None:
                frame[op.name] = op.plain(frame)
                return [(frame, 1)], 1
            assert op.start is not None
            law, total = self._run(op.start(frame))
        except Undecided:
            return [], 1
        children = []
        for value, ways in law:
            if op.spreads and not isinstance(value, Ended):
                child = {**frame, **value}
            else:
                child = dict(frame)
                child[op.name] = named_apart(value, op.serial) if type(value) not in _PLAIN else value
            children.append((child, ways))
        return children, total

    def _skipped(self, op: Op, frame: Frame) -> tuple[list[tuple[Frame, int]], int]:
        if op.instead is not None:
            frame[op.name] = op.instead(frame)
        elif not op.keeps and not op.spreads:
            frame[op.name] = None
        return [(frame, 1)], 1

    def _each(
        self, drawn: Law, go_on: Callable[[Frame], tuple[list[tuple[Frame, int]], int]]
    ) -> tuple[list[tuple[Frame, int]], int]:
        law, total = drawn
        rows = [(*go_on(frame), ways) for frame, ways in law]
        scale = lcm(*{whole for _, whole, _ in rows}) if rows else 1
        made = [(frame, more * ways * (scale // whole)) for children, whole, ways in rows for frame, more in children]
        return made, total * scale

    def _run(self, todo: Todo) -> Law:
        """What a step comes to: chance, inner steps and choices one after the other."""
        if isinstance(todo, Done):
            return [(todo.value, 1)], 1
        going: list[tuple[Todo, int]] = [(todo, 1)]
        done: dict[Any, list[Any]] = {}
        total = 1
        while going:
            rows: list[tuple[list[tuple[Todo, int]], int, int]] = []
            for one, ways in going:
                law, whole = self._one(one)
                nexts: list[tuple[Todo, int]] = []
                for got, more in law:
                    try:
                        nexts.append((one.then(one.state, got), more))  # type: ignore[union-attr]
                    except Undecided:
                        continue
                rows.append((nexts, ways, whole))
            scale = lcm(*{whole for _, _, whole in rows})
            if scale != 1:
                for held in done.values():
                    held[1] *= scale
            total *= scale
            merged: dict[Any, tuple[Todo, int]] = {}
            for nexts, ways, whole in rows:
                factor = ways * (scale // whole)
                for after, more in nexts:
                    if isinstance(after, Done):
                        key = frozen(after.value)
                        if key in done:
                            done[key][1] += factor * more
                        else:
                            done[key] = [after.value, factor * more]
                        continue
                    key = (type(after), frozen(after.state), id(after.block) if isinstance(after, Go) else 0)
                    held_todo = merged.get(key)
                    merged[key] = (after, factor * more + (held_todo[1] if held_todo else 0))
            going = list(merged.values())
            self.states += len(going)
            if self.states > MOST_STATES:
                raise PlayError(say.too_many_states(MOST_STATES))
        return [(value, ways) for value, ways in done.values()], total

    def _one(self, todo: Todo) -> Law:
        if isinstance(todo, Draw):
            return todo.law, todo.total
        if isinstance(todo, Go):
            return self.law(todo.block, todo.frame)
        assert not isinstance(todo, Done)
        answers = self.decide(todo.choice)
        return answers, sum(weight for _, weight in answers)

    # Bags

    def _draws(self, block: Block, place: int, frame: Frame, uses: Iterable[Use]) -> Law | None:
        """Frames in which the first bag that a step reads is drawn, with their ways; None where there is none."""
        for use in uses:
            value = _resolved(frame, use.path)
            if not holds_bag(value) or not self._happens(use, frame):
                continue
            if use.passed and not _shared(block.ops[place], frame, value):
                continue
            bag = value if isinstance(value, Bag) else first_bag(value)
            if use.reading is not None and isinstance(value, Bag):
                names = self._readings(block, place, frame, use.path, bag)
                if names is not None:
                    if all(name in frame for name in names):
                        continue
                    return self._read(frame, use.path, bag, names)
            return self._laid(frame, bag)
        return None

    def _happens(self, use: Use, frame: Frame) -> bool:
        """Whether a use is not known to be skipped: `a and b` looks at `b` only where `a` holds."""
        for expr, wanted in use.guards:
            try:
                closure = self.study.expr(expr, expr)
                if any(holds_bag(frame.get(n)) or n not in frame for n in names_in(expr)):
                    continue
                if bool(closure(frame)) is not wanted:
                    return False
            except Undecided:
                continue
        return True

    def _readings(self, block: Block, place: int, frame: Frame, path: Path, bag: Bag) -> list[str] | None:
        """The names of all readings of a bag from here on, if it is read in no other way."""
        if block.stages or _count(frame, bag) > 1:
            return None
        names: list[str] = []
        for other, uses in block.future.items():
            short = min(len(other), len(path))
            if other[:short] != path[:short]:
                continue
            for at, use, name in uses:
                if at < place or not self._happens(use, frame):
                    continue
                if name is None or other != path or use.reading is None:
                    return None
                if any(free not in frame for free in free_names(use.reading)):
                    return None
                if name not in self._readers:
                    made = reader(use.reading, name, lambda e: self.study.expr(e, e), free_names(use.reading))
                    self._readers[name] = made
                if name not in names:
                    names.append(name)
        # What is asked of the block itself must still be there when it is done.
        if path[0] in block.asked:
            return None
        return names

    def _read(self, frame: Frame, path: Path, bag: Bag, names: list[str]) -> Law:
        readers = [self._readers[name] for name in names]
        key = (bag.groups, tuple(names), tuple([frozen(frame[n]) for r in readers for n in r.free]))
        found = self._drawn.get(key)
        if found is None:
            found = self._drawn[key] = read_off(bag, readers, frame, self.study.depth)
        law, total = found
        rest = {name: value for name, value in frame.items() if name != path[0]} if len(path) == 1 else frame
        return [({**rest, **dict(zip(names, values, strict=True))}, ways) for values, ways in law], total

    def _laid(self, frame: Frame, bag: Bag) -> Law:
        key = ("laid", bag.groups, bag.name)
        found = self._drawn.get(key)
        if found is None:
            serial = self._serials.setdefault(bag.name, len(self._serials) + 1)
            found = self._drawn[key] = laid_out(bag, self.study.depth, MOST_WAYS, serial * 10_000 + 5_000_000)
        law, total = found
        return [({n: with_roll(v, bag, roll) for n, v in frame.items()}, ways) for roll, ways in law], total


_ABSENT = object()
_PLAIN = (int, str, bool, type(None))


def _key(value: Any) -> Any:
    return value if type(value) in _PLAIN else frozen(value)


def _resolved(frame: Frame, path: Path) -> Any:
    value: Any = frame.get(path[0])
    for name in path[1:]:
        if type(value) is not dict:
            return value if isinstance(value, Bag) else None
        value = value.get(name)
    return value


def first_bag(value: Any) -> Bag:
    if isinstance(value, Bag):
        return value
    inside = value.values() if type(value) is dict else value
    return next(first_bag(one) for one in inside if holds_bag(one))


def _count(value: Any, bag: Bag) -> int:
    if isinstance(value, Bag):
        return int(value.name == bag.name)
    if type(value) is dict:
        return sum(_count(one, bag) for one in value.values())
    return sum(_count(one, bag) for one in value) if type(value) is tuple and holds_bag(value) else 0


def _shared(op: Op, frame: Frame, value: Any) -> bool:
    """Whether steps inside a step get a bag that is still read when they are done: then it must lie on the table."""
    if op.start is None or not holds_bag(value):
        return False
    bag = first_bag(value)
    return any(name not in op.drop and name != op.name and _count(one, bag) for name, one in frame.items())


def with_roll(value: Any, bag: Bag, roll: Any) -> Any:
    """The value with a bag replaced by the dice as they lie."""
    if isinstance(value, Bag):
        return roll if value.name == bag.name else value
    if type(value) is dict and holds_bag(value):
        return {name: with_roll(one, bag, roll) for name, one in value.items()}
    if type(value) is tuple and holds_bag(value):
        return tuple([with_roll(one, bag, roll) for one in value])
    return value

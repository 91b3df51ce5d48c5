"""What of a roll must be drawn before a step can be worked out: some readings of it, or all its dice as they lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from interpreter.odds.bags import Bag
from interpreter.odds.blocks import Block, Frame, Op, free_names
from interpreter.odds.drawing import Reader, reader
from interpreter.odds.reads import Path, Use, names_in
from interpreter.odds.study import Study, holds_bag
from interpreter.odds.tails import Undecided


@dataclass(frozen=True, slots=True)
class Wanted:
    """A bag at `path` of a frame that must be drawn: what these readers read of it, or, without any, as it lies."""

    bag: Bag
    path: Path
    readers: tuple[Reader, ...] = ()

    def placed(self, frame: Frame, drawn: tuple[Any, ...]) -> Frame:
        """The frame with what was drawn: a value for each reader, or the dice as they lie."""
        if not self.readers:
            return {name: with_roll(value, self.bag, drawn) for name, value in frame.items()}
        rest = {name: one for name, one in frame.items() if name != self.path[0]} if len(self.path) == 1 else frame
        return {**rest, **{one.name: value for one, value in zip(self.readers, drawn, strict=True)}}


@dataclass
class Looker:
    """Finds what must be drawn; the readers that were made are kept."""

    study: Study
    _readers: dict[str, Reader] = field(default_factory=dict)

    def next(self, block: Block, place: int, frame: Frame, uses: Iterable[Use]) -> Wanted | None:
        """The first bag that a step needs drawn for these uses; None where it can go on."""
        for use in uses:
            value = _resolved(frame, use.path)
            if not holds_bag(value) or not self._happens(use, frame):
                continue
            if use.passed and not _shared(block.ops[place], frame, value):
                continue
            bag = value if isinstance(value, Bag) else first_bag(value)
            if use.reading is not None and isinstance(value, Bag):
                readers = self._readings(block, place, frame, use.path, bag)
                if readers is not None:
                    if all(one.name in frame for one in readers):
                        continue
                    return Wanted(bag, use.path, readers)
            return Wanted(bag, use.path)
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

    def _readings(self, block: Block, place: int, frame: Frame, path: Path, bag: Bag) -> tuple[Reader, ...] | None:
        """All readings of a bag from here on, if it is read in no other way."""
        # What is asked of the block itself must still be there when it is done.
        if block.stages or path[0] in block.asked or _count(frame, bag) > 1:
            return None
        found: dict[str, Reader] = {}
        for other, uses in block.future.items():
            short = min(len(other), len(path))
            if other[:short] != path[:short]:
                continue
            for at, use, name in uses:
                if at < place or not self._happens(use, frame):
                    continue
                if name is None or other != path or use.reading is None:
                    return None
                free = free_names(use.reading)
                if any(one not in frame for one in free):
                    return None
                if name not in self._readers:
                    self._readers[name] = reader(use.reading, name, lambda e: self.study.expr(e, e), free)
                found[name] = self._readers[name]
        return tuple(found.values())


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

"""What of a roll must be drawn before a step can be worked out: some readings of it, or all its dice as they lie."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.traversal import inner
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.liveness import Path, Reading, Use, conditions, names_in, open_slots
from interpreter.odds.liveness import uses as looks_of
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.marginal_kernel import PreparedReading, reader
from interpreter.odds.open_rolls import (
    first_open_roll,
    holds_open_roll,
    open_names,
    open_rolls,
    pairs_with,
    places_of,
    with_roll,
)
from interpreter.odds.operations import Block, Frame, Op, free_names
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.state_keys import PLAIN
from interpreter.odds.truncation import Undecided
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.state import STATE


class DemandedReading(NamedTuple):
    """A value that is drawn together with others: `pairs`, or `ours` and `theirs` of pairs; a roll alone is `ours`."""

    role: str
    path: Path
    readers: tuple[PreparedReading, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A die, alone in its group at `place` of a bag, that a reader tells apart; the `others` come to so much."""

    reader: PreparedReading
    place: int
    others: int


@dataclass(slots=True, eq=False)
class Demand:
    """A bag, or pairs, that must be drawn: what members read of it, or, without any, a bag as it lies.

    With `split`, only one die of a bag is looked at, by one reader. `names` are those under which a frame holds what
    the `readers` find; names of a frame that are `read` whole are not needed any more.
    """

    source: LazyRoll | Paired
    members: tuple[DemandedReading, ...] = ()
    split: Split | None = None
    readers: tuple[PreparedReading, ...] = field(init=False)
    names: tuple[str, ...] = field(init=False)
    read: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.readers = tuple([one for member in self.members for one in member.readers])
        self.names = tuple([one.name for one in self.readers])
        self.read = frozenset([member.path[0] for member in self.members if len(member.path) == 1])

    def all_placed(self, frame: Frame, law: Iterable[tuple[tuple[Any, ...], int]]) -> list[tuple[Frame, int]]:
        """The frame with each of the rows of a law, and their ways."""
        return [(self.placed(frame, drawn), ways) for drawn, ways in law]

    def of(self, role: str) -> tuple[PreparedReading, ...]:
        """The readers of a role."""
        return tuple([one for member in self.members if member.role == role for one in member.readers])

    @property
    def as_it_lies(self) -> Demand:
        """The same, to be laid out: of pairs, first the one roll, then the other."""
        return Demand(first_open_roll(self.source))

    def placed(self, frame: Frame, drawn: tuple[Any, ...]) -> Frame:
        """The frame with what was drawn: a value for each reader, or the dice as they lie."""
        if not self.members:
            assert isinstance(self.source, LazyRoll)
            return {name: with_roll(value, self.source, drawn) for name, value in frame.items()}
        rest = {name: one for name, one in frame.items() if name not in self.read}
        return {**rest, **dict(zip(self.names, drawn, strict=True))}


@dataclass
class DemandAnalysis:
    """Finds what must be drawn; the readers that were made are kept."""

    lowering: Lowering
    _readers: dict[str, PreparedReading] = field(default_factory=dict)
    _guards: dict[int, Closure] = field(default_factory=dict)
    _deciding: dict[tuple[int, int, int], frozenset[str]] = field(default_factory=dict)

    def alike(self, block: Block, place: int, frames: list[Frame], uses: tuple[Use, ...]) -> bool:
        """Whether what is `decisive` is the same for all of these frames, at a glance."""
        if len(set(map(tuple, frames))) > 1:
            return False
        names = self._deciding_at(block, place, uses)
        for name in frames[0]:
            values = list(map(itemgetter(name), frames))
            if not PLAIN.issuperset(map(type, values)):
                if len(set(map(id, values))) > 1:
                    return False
            elif name in names and len(set(values)) > 1:
                return False
        return True

    def decisive(
        self, block: Block, place: int, frame: Frame, uses: tuple[Use, ...]
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What `next` goes by besides the names of a frame: its open rolls, and values that decide what is read.

        Beside it, all that is more than a number, a word or a truth: bags as they are, other values by identity.
        """
        names = self._deciding_at(block, place, uses)
        decisive, things = [], []
        for name, value in frame.items():
            kind = type(value)
            if kind in PLAIN:
                if name in names:
                    decisive.append(value)
                continue
            thing = value if kind is LazyRoll else id(value)
            things.append(thing)
            if name in names or holds_open_roll(value):
                decisive.append(thing)
        return tuple(decisive), tuple(things)

    def _deciding_at(self, block: Block, place: int, uses: tuple[Use, ...]) -> frozenset[str]:
        """Names in conditions under which something is read from here on, and in the conditions of readings."""
        step = (id(block), place, id(uses))
        if step in self._deciding:
            return self._deciding[step]
        found: set[str] = set()
        for use in (*uses, *[use for at, use in block.hanging if at >= place]):
            exprs = [expr for expr, _ in use.guards]
            for expr in (*exprs, *conditions(use.reading)) if use.reading else exprs:
                found |= names_in(expr)
                found |= {self.lowering.named(use.reading) for use in looks_of(expr) if use.reading}
        self._deciding[step] = frozenset(found)
        return self._deciding[step]

    def next(self, block: Block, place: int, frame: Frame, uses: Iterable[Use]) -> Demand | None:
        """What a step needs drawn first for these uses; None where it can go on."""
        for use in uses:
            value = _resolved(frame, use.path)
            if use.held and type(value) is LazyRoll and _held_twice(frame, uses, value):
                return Demand(value)
            if use.held or not holds_open_roll(value):
                continue
            if use.guards and not self._happens(use, frame, block.changed_between(place, place)):
                continue
            if use.passed:
                shared = _shared(block.ops[place], frame, value)
                if shared is None:
                    continue
                return Demand(shared)
            if use.reading is not None and isinstance(value, (LazyRoll, Paired)):
                wanted = self._family(block, place, frame, use.path, value)
                if wanted is not None:
                    if all(one.name in frame for one in wanted.readers):
                        continue
                    return wanted
                split = self._split(block, place, frame, use, value) if isinstance(value, LazyRoll) else None
                if split is not None:
                    if split.split is None:
                        continue
                    return split
            return Demand(first_open_roll(value))
        return None

    def _split(self, block: Block, place: int, frame: Frame, use: Use, bag: LazyRoll) -> Demand | None:
        """A reading that looks at one die alone; without a `split` where it is known already. None for others."""
        reading = use.reading
        assert reading is not None
        if reading.kind not in ("sum", "count", "any", "all") or not _is_known(reading, frame):
            return None
        if pairs_with(frame, {bag.name}):
            return None
        # The name of what was read would stand for another reading after a stage, or once what lasts was changed.
        if block.stages or (STATE in free_names(reading) and any(one >= place for one in block.changing)):
            return None
        made = self._reader(self.lowering.named(reading), reading)
        if made.name in frame:
            return Demand(bag)
        at, others, alone = dict(frame), 0, None
        for place, (unit, count) in enumerate(bag.groups):
            try:
                elements = unit.elements(made.needs, self.lowering.depth)
                entries = {made.entry(at, one, made.takes(at, one)) for one, _ in elements}
            except Undecided:
                return None
            if len(entries) == 1:
                others += count * entries.pop()
            elif alone is not None or count > 1:
                return None
            else:
                alone = place
        return Demand(bag, (), Split(made, alone, others)) if alone is not None else None

    def _reader(self, name: str, reading: Reading) -> PreparedReading:
        if name not in self._readers:
            self._readers[name] = reader(reading, name, self.lowering.closures.plainly, free_names(reading))
        return self._readers[name]

    def open(self, block: Block, place: int, frame: Frame) -> Demand | None:
        """What is still to be drawn of rolls that anything from here on looks at; None where all of it is known."""
        for name, value in frame.items():
            if not holds_open_roll(value):
                continue
            for path, uses in block.future.items():
                found = _resolved(frame, path) if path[0] == name else None
                for at, use in uses:
                    if at < place or not holds_open_roll(found):
                        continue
                    wanted = None
                    if use.reading is not None and isinstance(found, (LazyRoll, Paired)):
                        wanted = self._family(block, place, frame, path, found)
                    if wanted is None:
                        return Demand(first_open_roll(found))
                    if any(one.name not in frame for one in wanted.readers):
                        return wanted
            if name in block.asked:
                return Demand(first_open_roll(value))
        return None

    def _family(self, block: Block, place: int, frame: Frame, path: Path, value: LazyRoll | Paired) -> Demand | None:
        """What is drawn together with a value, if all of it is only read from here on; None where it is not."""
        if block.stages:
            return None
        rolls = {name: one for name, one in frame.items() if type(one) not in PLAIN and holds_open_roll(one)}
        if len(rolls) == 1 and type(rolls.get(path[0])) is LazyRoll:  # the usual case: one roll, and nothing beside it
            readers = self._readings(block, place, frame, path)
            return (
                None
                if readers is None
                else Demand(value, (DemandedReading("ours", path, tuple([r for r, _ in readers])),))
            )
        near = [
            (name, one) for name, one in rolls.items() if type(one) is Paired and open_names(one) & open_names(value)
        ]
        if len(near) > 1 or (near and pairs_with(rolls, open_names(near[0][1])) > 1):
            return None
        source: LazyRoll | Paired = value
        roles: list[tuple[str, list[Path]]] = [("ours", [path])]
        if near:
            name, pairs = near[0]
            source = pairs
            roles = [("pairs", [(name,)])]
            roles += [("ours", list(places_of(rolls, pairs.ours))), ("theirs", list(places_of(rolls, pairs.theirs)))]
        elif isinstance(value, Paired) or len(list(places_of(rolls, value))) > 1:
            return None
        members = []
        for role, paths in roles:
            if len(paths) > 1:
                return None
            for at in paths:
                readers = self._readings(block, place, frame, at)
                if readers is None or not (not near or _can_be_paired(role, readers)):
                    return None
                members.append(DemandedReading(role, at, tuple(one for one, _ in readers)))
        return Demand(source, tuple(members))

    def _happens(self, use: Use, frame: Frame, changed: bool = False) -> bool:
        """Whether a use is not known to be skipped: `a and b` looks at `b` only where `a` holds.

        Nothing is known of what hangs on what lasts, where that may be `changed` by then.
        """
        at = _Bound(frame)
        for expr, wanted in use.guards:
            if changed and STATE in names_in(expr):
                continue
            if any(holds_open_roll(frame.get(name)) for name in names_in(expr)):
                continue
            if id(expr) not in self._guards:
                self._guards[id(expr)] = self.lowering.closures.plainly(expr)
            try:
                if bool(self._guards[id(expr)](at)) is not wanted:
                    return False
            except (_NotBound, Undecided, PlayError):  # what fails in play is told by its own step, if that is reached
                continue
            except (TypeError, AttributeError):
                if not self._is_unsure(expr, at):
                    raise
        return True

    def _is_unsure(self, expr: ir.Expr, at: Frame) -> bool:
        """Whether a formula takes something for sure that is missing or not bound, as it may where nobody reaches it.

        In `y > 1` under `if: given(y)` the type of `y` says that it is there.
        """
        if open_slots(expr):
            return False
        if any(self._is_unsure(one, at) for one in inner(expr)):
            return True
        try:
            return self.lowering.closures.plainly(expr)(at) is None and not isinstance(expr.type, t.Maybe)
        except (_NotBound, Undecided, PlayError):
            return True

    def _readings(
        self, block: Block, place: int, frame: Frame, path: Path
    ) -> list[tuple[PreparedReading, Reading]] | None:
        """All readings of a value from here on, if it is looked at in no other way."""
        # What is asked of the block itself must still be there when it is done.
        if path[0] in block.asked:
            return None
        found: dict[str, tuple[PreparedReading, Reading]] = {}
        for other, uses in block.future.items():
            short = min(len(other), len(path))
            if other[:short] != path[:short]:
                continue
            for at, use in uses:
                if at < place:
                    continue
                changed = block.changed_between(place, at)
                if use.guards and not self._happens(use, frame, changed):
                    continue
                if use.name is None or other != path or use.reading is None:
                    return None
                if not _is_known(use.reading, frame) or (changed and STATE in free_names(use.reading)):
                    return None
                found[use.name] = (self._reader(use.name, use.reading), use.reading)
        return list(found.values())


class _NotBound(Exception):
    """A condition reads a name that no step has bound yet."""


class _Bound(dict[str, Any]):
    """A frame that tells a name which is not bound yet from an error."""

    def __missing__(self, name: str) -> Any:
        raise _NotBound


def _is_known(reading: Reading, frame: Frame) -> bool:
    """Whether all that a reading needs besides its roll is there, and none of it a roll that is still open."""
    return all(name in frame and not holds_open_roll(frame[name]) for name in free_names(reading))


def _can_be_paired(role: str, readers: list[tuple[PreparedReading, Reading]]) -> bool:
    """Whether the kernel of pairs knows these readings: sums, and of a roll ranks of all its dice."""
    sums = ("sum", "count", "any", "all")
    return all(
        one.kind in sums or (role != "pairs" and not one.where and one.part is None and not one.value)
        for _, one in readers
    )


def _held_twice(frame: Frame, uses: Iterable[Use], bag: LazyRoll) -> bool:
    """Whether a roll is paired with itself."""
    return sum(use.held and any(True for _ in places_of(_resolved(frame, use.path), bag)) for use in uses) > 1


def _resolved(frame: Frame, path: Path) -> Any:
    value: Any = frame.get(path[0])
    for name in path[1:]:
        if type(value) is not dict:
            return value if isinstance(value, LazyRoll) else None
        value = value.get(name)
    return value


def _shared(op: Op, frame: Frame, value: Any) -> LazyRoll | None:
    """A roll that steps inside a step get and that is still read when they are done: it must lie on the table."""
    if op.start is None and not op.throws:
        return None
    left = {name: one for name, one in frame.items() if name not in op.drop and name != op.name}
    for bag in open_rolls(value):
        if any(True for _ in places_of(left, bag)) or pairs_with(left, {bag.name}):
            return bag
        if op.throws and sum(1 for _ in places_of(frame, bag)) > 1:  # laid together with itself
            return bag
    return None

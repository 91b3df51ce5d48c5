"""Demand: what of a roll must be drawn before a step can run, either some readings of it or all its dice."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import field
from math import comb
from operator import itemgetter
from typing import Any, NamedTuple

from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.traversal import inner_expressions
from interpreter.odds.failures_ahead import FailedAhead, mark_failures_ahead
from interpreter.odds.lazy_roll import MOST_WAYS, LazyRoll, comparison_key
from interpreter.odds.liveness import Path, Reading, Use, conditions, names_in, open_slots
from interpreter.odds.liveness import uses_in as uses_of
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.marginal_kernel import PreparedReading, prepare_reading
from interpreter.odds.open_rolls import (
    first_open_roll,
    holds_open_roll,
    leads_through_list,
    open_names,
    open_rolls,
    pairs_with,
    places_of,
    replace_roll,
)
from interpreter.odds.operations import Block, Frame, Op, free_names
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.state_keys import PLAIN
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.state import STATE


class DemandedReading(NamedTuple):
    """Readings that are drawn together with others: of `pairs`, or of `ours` and `theirs`; a roll alone is `ours`."""

    role: str
    path: Path
    readers: tuple[PreparedReading, ...] = ()


class DependentReading(NamedTuple):
    """A reading of a roll that depends on names that `steps` compute from other readings of the same roll."""

    reader: PreparedReading
    steps: tuple[Op, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """A reading that depends on the dice of the groups at some `places` of a lazy roll; the `others` add a constant."""

    reader: PreparedReading
    places: tuple[int, ...]
    others: int


@dataclass(slots=True, eq=False)
class Demand:
    """A lazy roll, or pairs, that must be drawn: the readings of `members` or, without members, all dice of the roll.

    With `split`, dice are drawn only as far as one reader tells them apart. A frame holds the values of `readers` under
    `names`. Rolls that are `read` completely are removed from it, except those that are `kept` under their names. The
    `dependent` readers of a roll come after those of its members.
    """

    source: LazyRoll | Paired
    members: tuple[DemandedReading, ...] = ()
    split: Split | None = None
    dependent: tuple[DependentReading, ...] = ()
    kept: frozenset[str] = frozenset()
    readers: tuple[PreparedReading, ...] = field(init=False)
    names: tuple[str, ...] = field(init=False)
    read: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.readers = tuple([one for member in self.members for one in member.readers])
        self.names = tuple([one.name for one in (*self.readers, *[one.reader for one in self.dependent])])
        self.read = frozenset([member.path[0] for member in self.members if len(member.path) == 1]) - self.kept

    def bind_each_row(self, frame: Frame, law: Iterable[tuple[tuple[Any, ...], int]]) -> list[tuple[Frame, int]]:
        """The frame with each row of a law, and its weight; without those dice of which too little is known."""
        made = []
        for drawn, ways in law:
            with suppress(Undecided):  # pairs with a die of which only a bound is known
                made.append((self.bind_drawn(frame, drawn), ways))
        return made

    def readers_of(self, role: str) -> tuple[PreparedReading, ...]:
        """The readers of a role."""
        return tuple([one for member in self.members if member.role == role for one in member.readers])

    @property
    def of_all_dice(self) -> Demand:
        """The demand of all dice instead; of pairs, those of the first open roll."""
        return Demand(first_open_roll(self.source))

    def bind_drawn(self, frame: Frame, drawn: tuple[Any, ...]) -> Frame:
        """The frame with what was drawn: a value for each reader, or the dice."""
        if not self.members:
            assert isinstance(self.source, LazyRoll)
            return {name: replace_roll(value, self.source, drawn) for name, value in frame.items()}
        rest = {name: one for name, one in frame.items() if name not in self.read}
        return {**rest, **dict(zip(self.names, drawn, strict=True))}


@dataclass
class DemandAnalysis:
    """Finds what must be drawn, and keeps the readers that it prepares.

    Without `splits`, a reading that is not drawn with all later ones is drawn with all dice of its roll.
    """

    lowering: Lowering
    splits: bool = True
    _readers: dict[str, PreparedReading] = field(default_factory=dict)
    _guards: dict[int, Closure] = field(default_factory=dict)
    _deciding: dict[tuple[int, int, int], frozenset[str]] = field(default_factory=dict)

    def frames_agree(self, block: Block, place: int, frames: list[Frame], uses: tuple[Use, ...]) -> bool:
        """Whether these frames certainly agree in what decides; values are compared by identity."""
        if len(set(map(tuple, frames))) > 1:
            return False
        names = self._deciding_names(block, place, uses)
        for name in frames[0]:
            values = list(map(itemgetter(name), frames))
            if not PLAIN.issuperset(map(type, values)):
                if len(set(map(id, values))) > 1:
                    return False
            elif name in names and len(set(values)) > 1:
                return False
        return True

    def deciding_key(
        self, block: Block, place: int, frame: Frame, uses: tuple[Use, ...]
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """A key of what `next_demand` depends on besides the names of a frame: open rolls, and deciding values.

        The second key is of all values that are not plain: lazy rolls as they are, others by identity.
        """
        names = self._deciding_names(block, place, uses)
        decisive, others = [], []
        for name, value in frame.items():
            kind = type(value)
            if kind in PLAIN:
                if name in names:
                    decisive.append(value)
                continue
            key = value if kind is LazyRoll else id(value)
            others.append(key)
            if name in names or holds_open_roll(value):
                decisive.append(key)
        return tuple(decisive), tuple(others)

    def _deciding_names(self, block: Block, place: int, uses: tuple[Use, ...]) -> frozenset[str]:
        """The names that guards of later uses and formulas in their readings read, and what steps compute them from."""
        step = (id(block), place, id(uses))
        if step in self._deciding:
            return self._deciding[step]
        found: set[str] = set()
        for use in (*uses, *[use for at, use in block.conditional_uses if at >= place]):
            exprs = [expr for expr, _ in use.guards]
            for expr in (*exprs, *conditions(use.reading)) if use.reading else exprs:
                found |= names_in(expr)
                found |= {self.lowering.name_of_reading(use.reading) for use in uses_of(expr) if use.reading}
        for op in reversed(block.ops[place:]):
            if op.name in found:  # a reading may depend on what it computes, and so on what it reads
                found |= {path[0] for path in op.touches}
        self._deciding[step] = frozenset(found)
        return self._deciding[step]

    def next_demand(self, block: Block, place: int, frame: Frame, uses: Iterable[Use]) -> Demand | None:
        """What must be drawn first for these uses of a step; None if it can run."""
        for use in uses:
            value = _resolve_path(frame, use.path)
            if use.held and type(value) is LazyRoll and _is_paired_with_itself(frame, uses, value):
                return Demand(value)
            if use.held or not holds_open_roll(value):
                continue
            if use.guards and not self._may_happen(use, frame, block.changed_between(place, place)):
                continue
            if use.passed:
                shared = self._roll_read_again(block, place, frame, value)
                if shared is None:
                    continue
                later = self._split_for_later_readings(block, place, frame, shared)
                if later is None or later.split is not None:
                    return later or Demand(shared)
                continue
            if use.reading is not None and isinstance(value, (LazyRoll, Paired)):
                wanted = self._joint_demand(block, place, frame, use.path, value)
                if wanted is not None:
                    if all(one.name in frame for one in wanted.readers):
                        continue
                    return wanted
                split = self._split_demand(block, place, frame, use, value) if isinstance(value, LazyRoll) else None
                if split is not None:
                    if split.split is None:
                        continue
                    return split
            return Demand(first_open_roll(value))
        return None

    def _split_demand(self, block: Block, place: int, frame: Frame, use: Use, lazy: LazyRoll) -> Demand | None:
        """The demand of a reading that tells few dice apart, without a `split` if its value is known. None for others.

        Those of one die are few, and those of many dice if they have much fewer results than the dice.
        """
        reading = use.reading
        assert reading is not None
        if reading.height or reading.kind not in ("sum", "count", "any", "all") or not _is_known(reading, frame):
            return None
        if not self.splits or any(pairs_with(frame, {lazy.name})):
            return None
        # After a stage, or after a change of the state, the same name would stand for another reading.
        if block.stages or (STATE in free_names(reading) and any(one >= place for one in block.changing)):
            return None
        made = self._prepared_reading(self.lowering.name_of_reading(reading), reading)
        if made.name in frame:
            return Demand(lazy)
        at, others, places, results, dice = dict(frame), 0, list[int](), 1, 1
        for group, (unit, count) in enumerate(lazy.groups):
            try:
                elements = unit.elements(made.needs, self.lowering.depth)
                with mark_failures_ahead(at, made.free):
                    entries = {comparison_key(made.entry(at, one, made.takes(at, one))) for one, _ in elements}
            except (Undecided, FailedAhead):
                return None
            dice *= comb(count + len(elements) - 1, count)
            if len(entries) == 1 and AtLeast not in entries:
                others += count * entries.pop()
            else:
                results *= comb(count + len(entries) - 1, count)
                places.append(group)
        few = 2 * results <= dice and results <= MOST_WAYS
        if sum([lazy.groups[group][1] for group in places]) > 1 and not (
            few and self._may_be_in_classes and not self._takes_dice_later(block, place, frame, use.path)
        ):
            return None
        return Demand(lazy, (), Split(made, tuple(places), others))

    @property
    def _may_be_in_classes(self) -> bool:
        """Whether equal dice may be known by how many of them are in which class: nothing observes their order."""
        return self.lowering.exact and self.lowering.die_identity.order == "none"

    def _takes_dice_later(self, block: Block, place: int, frame: Frame, path: Path) -> bool:
        """Whether a step from this place on may take the dice of a roll themselves."""
        for other, uses in block.future.items():
            if other[: len(path)] == path[: len(other)]:
                for at, use in uses:
                    takes = use.reading is None and not (use.passed or use.held)
                    if at >= place and takes and self._may_happen(use, frame, block.changed_between(place, at)):
                        return True
        return False

    def _roll_read_again(self, block: Block, place: int, frame: Frame, value: Any) -> LazyRoll | None:
        """A roll that a step throws again, gets for inner steps, or joins, and that is read again later, so that it
        must be drawn."""
        op = block.ops[place]
        if (op.start is None and not op.throws) or not self._may_be_read_later(block, place, frame, op.name):
            return None
        left = {name: one for name, one in frame.items() if name not in op.drop and name != op.name}
        for lazy in open_rolls(value):
            if any(True for _ in places_of(left, lazy)) or any(pairs_with(left, {lazy.name})):
                return lazy
            if op.throws and sum(1 for _ in places_of(frame, lazy)) > 1:  # joined with itself
                return lazy
        return None

    def _may_be_read_later(self, block: Block, place: int, frame: Frame, name: str) -> bool:
        """Whether a step after this one may read a name: one that reads it only under a condition may not."""
        if name in block.asked or block.ops[place].binds_fields:
            return True
        for at, op in enumerate(block.ops[place + 1 :], place + 1):
            if any(path[0] == name for path in op.touches):
                uses = [use for use in op.all_uses if use.path[0] == name]
                changed = block.changed_between(place, at)
                if not uses or any(self._may_happen(use, frame, changed) for use in uses):
                    return True
        return False

    def _split_for_later_readings(self, block: Block, place: int, frame: Frame, lazy: LazyRoll) -> Demand | None:
        """What must be drawn of a roll that a step passes on, and that is only read later in ways that tell few of its
        dice apart, without a `split` if all of that is known. None for any other roll."""
        op = block.ops[place]
        if op.throws or any(pairs_with(frame, {lazy.name})):
            return None
        left = {name: one for name, one in frame.items() if name not in op.drop and name != op.name}
        for path in places_of(left, lazy):
            if path[0] in block.asked or leads_through_list(path):
                return None
            for other, uses in block.future.items():
                if other[: len(path)] != path[: len(other)]:
                    continue
                for at, use in uses:
                    if at <= place or not self._may_happen(use, frame, block.changed_between(place, at)):
                        continue
                    if other != path or use.reading is None:
                        return None
                    wanted = self._split_demand(block, place, frame, use, lazy)
                    if wanted is None or wanted.split is not None:
                        return wanted
        return Demand(lazy)

    def _prepared_reading(self, name: str, reading: Reading) -> PreparedReading:
        if name not in self._readers:
            self._readers[name] = prepare_reading(
                reading, name, self.lowering.closures.closure_of_expression, free_names(reading)
            )
        return self._readers[name]

    def later_demand(self, block: Block, place: int, frame: Frame) -> Demand | None:
        """What must be drawn of rolls that any later operation reads; None if all of it is known."""
        for name, value in frame.items():
            if not holds_open_roll(value):
                continue
            for path, uses in block.future.items():
                found = _resolve_path(frame, path) if path[0] == name else None
                for at, use in uses:
                    if at < place or not holds_open_roll(found):
                        continue
                    wanted = None
                    if use.reading is not None and isinstance(found, (LazyRoll, Paired)):
                        wanted = self._joint_demand(block, place, frame, path, found)
                    if wanted is None:
                        return Demand(first_open_roll(found))
                    if any(one.name not in frame for one in wanted.readers):
                        return wanted
            if name in block.asked:
                return Demand(first_open_roll(value))
        return None

    def _joint_demand(
        self, block: Block, place: int, frame: Frame, path: Path, value: LazyRoll | Paired
    ) -> Demand | None:
        """All readings of a value and of the rolls paired with it; None if something else is done with these."""
        if block.stages:
            return None
        rolls = {name: one for name, one in frame.items() if type(one) not in PLAIN and holds_open_roll(one)}
        if len(rolls) == 1 and type(rolls.get(path[0])) is LazyRoll:  # the usual case: a single open roll
            dependents: list[DependentReading] | None = [] if self.lowering.exact else None
            readers = self._later_readings(block, place, frame, path, dependents)
            if readers is None:
                return None
            member = DemandedReading("ours", path, tuple([r for r, _ in readers]))
            return Demand(
                value, (member,), dependent=tuple(dependents or ()), kept=_names_read_as_missing(block, place)
            )
        paired = list(pairs_with(rolls, open_names(value)))
        if len(paired) > 1:
            return None
        source: LazyRoll | Paired = value
        roles: list[tuple[str, list[Path]]] = [("ours", [path])]
        if paired:
            at_pairs, source = paired[0]
            if len(list(pairs_with(rolls, open_names(source)))) > 1:
                return None
            roles = [("pairs", [at_pairs])]
            roles += [("ours", list(places_of(rolls, source.ours))), ("theirs", list(places_of(rolls, source.theirs)))]
        elif isinstance(value, Paired) or len(list(places_of(rolls, value))) > 1:
            return None
        members = []
        dependent: list[DependentReading] | None = [] if self.lowering.exact and not paired else None
        for role, paths in roles:
            if len(paths) > 1 or any(map(leads_through_list, paths)):
                return None
            for at in paths:
                readers = self._later_readings(block, place, frame, at, dependent)
                if readers is None or not (not paired or _can_be_paired(role, readers)):
                    return None
                members.append(DemandedReading(role, at, tuple(one for one, _ in readers)))
        return Demand(
            source, tuple(members), dependent=tuple(dependent or ()), kept=_names_read_as_missing(block, place)
        )

    def _may_happen(self, use: Use, frame: Frame, changed: bool = False) -> bool:
        """Whether a use may happen: `a and b` reads `b` only where `a` holds.

        With `changed`, the state may change before, so guards that read it are ignored.
        """
        at = _Bound(frame)
        for expr, wanted in use.guards:
            if changed and STATE in names_in(expr):
                continue
            if any(holds_open_roll(frame.get(name)) for name in names_in(expr)):
                continue
            if id(expr) not in self._guards:
                self._guards[id(expr)] = self.lowering.closures.closure_of_expression(expr)
            try:
                if bool(self._guards[id(expr)](at)) is not wanted:
                    return False
            except (_NotBound, Undecided, PlayError):  # the step itself reports an error, if it is reached
                continue
            except (TypeError, AttributeError):
                if not self._may_read_missing(expr, at):
                    raise
        return True

    def _may_read_missing(self, expr: ir.Expr, at: Frame) -> bool:
        """Whether a formula relies on a value that is missing or not bound, as a formula may that no run reaches.

        In `y > 1` under `if: given(y)`, the type of `y` says that it is not missing.
        """
        if open_slots(expr):
            return False
        if any(self._may_read_missing(one, at) for one in inner_expressions(expr)):
            return True
        try:
            return self.lowering.closures.closure_of_expression(expr)(at) is None and not isinstance(expr.type, t.Maybe)
        except (_NotBound, Undecided, PlayError):
            return True

    def _later_readings(
        self,
        block: Block,
        place: int,
        frame: Frame,
        path: Path,
        dependent: list[DependentReading] | None = None,
    ) -> list[tuple[PreparedReading, Reading]] | None:
        """All later readings of a value; None if something else reads it.

        Those that depend on what the others give are added to `dependent`, if that is given.
        """
        # What is asked of the block itself must remain until its end.
        if path[0] in block.asked:
            return None
        found: dict[str, tuple[PreparedReading, Reading]] = {}
        waiting: dict[str, DependentReading] = {}
        for other, uses in block.future.items():
            short = min(len(other), len(path))
            if other[:short] != path[:short]:
                continue
            for at, use in uses:
                if at < place:
                    continue
                changed = block.changed_between(place, at)
                if use.guards and not self._may_happen(use, frame, changed):
                    continue
                if use.name is None or other != path or use.reading is None:
                    return None
                if use.reading.height is not None and not self.lowering.exact:
                    return None
                if changed and STATE in free_names(use.reading):
                    return None
                if not _is_known(use.reading, frame):
                    later = None if dependent is None else self._dependent_reading(block, place, at, frame, use)
                    if later is None:
                        return None
                    waiting[use.name] = later
                    continue
                found[use.name] = (self._prepared_reading(use.name, use.reading), use.reading)
        for later in waiting.values():
            uses_before = [use for step in later.steps for use in step.all_uses]
            if any(holds_open_roll(_resolve_path(frame, one.path)) and one.name not in found for one in uses_before):
                return None  # a step before it reads another roll that is open, or depends on other readings in turn
        if dependent is not None:
            dependent += waiting.values()
        return list(found.values())

    def _dependent_reading(self, block: Block, place: int, at: int, frame: Frame, use: Use) -> DependentReading | None:
        """A reading of names that steps before it compute from other readings of the roll; None for any other."""
        assert use.reading is not None and use.name is not None
        if use.reading.height is not None:
            return None
        if any(holds_open_roll(frame.get(name)) for name in free_names(use.reading)):
            return None  # it depends on another roll, too
        wanted = {name for name in free_names(use.reading) if name not in frame}
        steps: list[Op] = []
        for where in reversed(range(place, at)):
            op = block.ops[where]
            if op.name in wanted:
                if op.plain is None or op.guard is not None or op.throws:
                    return None
                if block.changed_between(place, where) and any(path[0] == STATE for path in op.touches):
                    return None
                steps.append(op)
                wanted.discard(op.name)
                for one in op.uses:
                    if one.reading is None and holds_open_roll(frame.get(one.path[0])):
                        return None
                wanted |= {path[0] for path in op.touches if path[0] not in frame}
        if wanted or not steps:  # also names that an inner step binds
            return None
        return DependentReading(self._prepared_reading(use.name, use.reading), tuple(reversed(steps)))


class _NotBound(Exception):
    """A condition reads a name that no step has bound yet."""


class _Bound(dict[str, Any]):
    """A frame that raises _NotBound for a name that is not bound."""

    def __missing__(self, name: str) -> Any:
        raise _NotBound


def _is_known(reading: Reading, frame: Frame) -> bool:
    """Whether all that a reading needs besides its roll is bound, and holds no open roll."""
    return all(name in frame and not holds_open_roll(frame[name]) for name in free_names(reading))


def _names_read_as_missing(block: Block, place: int) -> frozenset[str]:
    """The names of which a step from this place on reads whether they are missing."""
    return frozenset([name for name, last in block.missed.items() if last >= place]) if block.missed else frozenset()


def _can_be_paired(role: str, readers: list[tuple[PreparedReading, Reading]]) -> bool:
    """Whether the kernel of pairs can compute these readings: sums, and of a roll ranks of all its dice."""
    sums = ("sum", "count", "any", "all")
    return all(
        one.height is None
        and (one.kind in sums or (role != "pairs" and not one.where and one.part is None and not one.value))
        for _, one in readers
    )


def _is_paired_with_itself(frame: Frame, uses: Iterable[Use], lazy: LazyRoll) -> bool:
    """Whether a roll is paired with itself."""
    return sum(use.held and any(True for _ in places_of(_resolve_path(frame, use.path), lazy)) for use in uses) > 1


def _resolve_path(frame: Frame, path: Path) -> Any:
    value: Any = frame.get(path[0])
    for name in path[1:]:
        if type(value) is not dict:
            return value if isinstance(value, LazyRoll) else None
        value = value.get(name)
    return value

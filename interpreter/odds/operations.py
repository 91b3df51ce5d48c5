"""Operations and blocks: the form of a mechanic that engines run.

An operation is a lowered step: what it reads, what it computes, and which names a frame forgets after it. A block is a
sequence of operations: of a whole mechanic, of `each`, of `steps`, or of the stages of one value. It is made for a
question, and has no operation for a step that the answer does not depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.odds.lazy_roll import LazyRoll, Needs
from interpreter.odds.liveness import COUNTED, DICE, LAST, WHETHER, Path, Reading, Use, conditions, names_in
from interpreter.odds.marginal_kernel import needs_of_reading
from interpreter.odds.state_keys import PLAIN
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.operations import spend
from interpreter.values import MOST_HELD, count_values

Frame = dict[str, Any]
Need = frozenset[Path]
"""What is needed of a value: paths below it; the empty path is all of it."""

ALL: Need = frozenset(((),))


@dataclass(frozen=True, slots=True)
class EndedValue:
    """The result of a step that ends its mechanic; `state` is the last state, if inner steps have changed it."""

    outcome: str
    state: Any = None


@dataclass(frozen=True, slots=True, eq=False)
class WithState:
    """The value of a step, with the state after it."""

    value: Any
    state: Any


@dataclass(slots=True, eq=False)
class ChanceNode:
    """A law, each value with its weight out of `total`. The step continues with `then(state, value)`.

    Without `then`, the value is the result of the step; the same holds for `EnterBlock`. `least` gives the result with
    a lower bound of every number that the step still adds to; None where none is known. An empty law is followed no
    further: its weight is missing, or is that of `least`.
    """

    law: list[tuple[Any, int]]
    total: int
    state: Any = None
    then: Callable[[Any, Any], Todo] | None = None
    least: Callable[[], Any] | None = None


@dataclass(slots=True, eq=False)
class EnterBlock:
    """A block to run from a frame. The step continues with `then(state, record)`.

    Without a state, `then` reads nothing of the frame in which the step began.
    """

    block: Block
    frame: Frame
    state: Any = None
    then: Callable[[Any, Any], Todo] | None = None


@dataclass(slots=True, eq=False)
class DecisionNode:
    """A choice of a player. The step continues with `then(state, answer)`."""

    choice: Any
    frame: Frame
    state: Any
    then: Callable[[Any, Any], Todo]


@dataclass(slots=True, eq=False)
class Done:
    """The result of a step."""

    value: Any


Law = tuple[list[tuple[Any, int]], int]
"""Values with their weights, and the total weight, of which some may be missing."""


@dataclass(slots=True, eq=False)
class ChainNode:
    """Passes of a block that differ in nothing but the state that each hands to the next one: a Markov chain.

    The first pass begins in the state `begun`, and there are no more than `most`. `frame` gives the frame of a pass in
    a state. `after` gives what a record of it leads to, where it is the last pass that may be or not: the next state,
    or `Done` with what is kept of it. `result` gives the result of the step from that and the number of passes, which
    only matters if it `counts`.
    """

    block: Block
    begun: Any
    most: int
    frame: Callable[[Any], Frame]
    after: Callable[[Any, Any, bool], Any]
    result: Callable[[Any, int], Any]
    counts: bool
    state: Any = None
    then: Callable[[Any, Any], Todo] | None = None


Todo = ChanceNode | EnterBlock | DecisionNode | ChainNode | Done


def resume(todo: ChanceNode | EnterBlock | DecisionNode | ChainNode, got: Any) -> Todo:
    """The continuation after a value, a record or an answer."""
    return Done(got) if todo.then is None else todo.then(todo.state, got)


def map_result(todo: Todo, form: Callable[[Any], Any]) -> Todo:
    """The same node, with the result of the step converted."""
    if isinstance(todo, Done):
        return Done(form(todo.value))
    return replace(todo, then=lambda _, got: map_result(resume(todo, got), form))


def follow_with(todo: Todo, before: Any, then: Callable[[Any], Todo]) -> Todo:
    """The same node, whose result is followed by another; `before` is what that depends on besides the result."""
    if isinstance(todo, Done):
        return then(todo.value)
    node = todo

    def go_on(_: Any, got: Any) -> Todo:
        return follow_with(resume(node, got), before, then)

    return replace(node, state=(before, node.state), then=go_on)


class Unread(NamedTuple):
    """Of which dice of the roll `among` later steps do not read the faces: those that a choice took, or the others."""

    among: str
    chosen: bool
    others: bool


Reopened = tuple[LazyRoll, frozenset[int]]
"""A roll in which some dice are open again, and the keys that they had."""


@dataclass(slots=True, eq=False)
class Op:
    """A lowered step: `plain` computes its result at once, else `start` begins it.

    - `guard` is its condition, and `instead` the result where it is skipped.
    - `uses` are its uses of what may hold a roll, `watched` the names in which one may be open, and `touches` all paths
      that it reads.
    - `keeps` marks a stage, whose name keeps its value where it is skipped.
    - `binds_fields` marks a result whose fields are names of the block; `changes` one that binds the state and the name
      of the step; `reads_after_change` a step that may read the state after an inner step has changed it.
    - `live` are the names of the block that are read after it, `drop` those that are not; `rereads` are names that it
      still reads once an inner block has begun, None if they may be all.
    - `only_read` says that later operations only take readings of its result, whose order thus matters to none.
    - `dice_needs` is what later operations read of each die of its result; None where one takes the dice themselves.
    - `reopen` gives the result of a reroll of drawn dice as a roll in which those that it throws are open. That is the
      result only where nothing tells which of them is which: else `start` throws them one by one.
    - `unread` says of a choice among dice of which of them later operations do not read the faces.
    - `formula` is what `plain` computes, if that is one formula or the first of several cases that holds.
    - `unbounded` is the place of the step if its number may need more than 64 bits.
    - `played` marks a step that changes the state and is played, with all that it leads to.
    """

    name: str
    uses: tuple[Use, ...]
    touches: frozenset[Path]
    plain: Closure | None = None
    start: Callable[[Frame], Todo] | None = None
    guard: Closure | None = None
    instead: Closure | None = None
    guard_uses: tuple[Use, ...] = ()
    keeps: bool = False
    binds_fields: bool = False
    changes: bool = False
    reads_after_change: bool = False
    ends: bool = False
    asks: bool = False
    throws: bool = False
    serial: int = 0
    watched: tuple[str, ...] = ()
    dead: bool = False
    live: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    rereads: frozenset[str] | None = None
    only_read: bool = False
    dice_needs: Needs | None = None
    reopen: Callable[[Frame], Reopened | None] | None = None
    unread: Unread | None = None
    formula: ir.Expr | ir.Outcomes | None = None
    unbounded: Span | None = None
    played: bool = False

    @property
    def all_uses(self) -> tuple[Use, ...]:
        """The uses of its condition and of the step itself."""
        return self.guard_uses + self.uses if self.guard_uses else self.uses

    @property
    def binds_nothing_if_skipped(self) -> bool:
        """Whether it binds no name where it is skipped."""
        return self.keeps or (self.binds_fields and not self.changes)

    def take_end(self, frame: Frame) -> EndedValue | None:
        """Remove the value with which the step has ended its mechanic from the frame after it; None if it has not."""
        end = frame.get(self.name) if self.ends else None
        if not isinstance(end, EndedValue):
            return None
        del frame[self.name]
        return end


@dataclass(slots=True, eq=False)
class Block:
    """Operations in order, with what engines need to know of them.

    - `gives` makes the result from the last frame, and `ended` from the frame in which the mechanic ended.
    - `free` are the names that a frame must have at the beginning.
    - `changing` are the places of operations that may change the state.
    - `future` are the uses of each path, with the places of their operations.
    - `missed` are the names of which an operation reads whether they are missing, with the last place of such a one.
    - `conditional_uses` are those with guards or with formulas in their readings, with the places of their operations.
    - `whole` says that all of each name is needed: different last frames then give different results.
    """

    ops: list[Op]
    free: tuple[str, ...]
    gives: Callable[[Frame], Any]
    ended: Callable[[Frame, EndedValue], Any]
    stages: bool
    outside: tuple[Use, ...]
    touches: frozenset[Path]
    asks: bool
    simple: bool
    asked: frozenset[str]
    whole: bool
    future: Mapping[Path, list[tuple[int, Use]]] = field(default_factory=dict)
    changing: tuple[int, ...] = ()
    conditional_uses: tuple[tuple[int, Use], ...] = ()
    missed: Mapping[str, int] = field(default_factory=dict)

    @property
    def paths(self) -> Iterator[Path]:
        """Every path that an operation touches, those that begin with a name of the block included."""
        return (path for op in self.ops for path in op.touches)

    def changed_between(self, place: int, at: int) -> bool:
        """Whether the state may change after the beginning of one operation and before another reads it."""
        if not self.changing:
            return False
        return any(place <= one < at or (one == at and self.ops[at].reads_after_change) for one in self.changing)


def forgets_before_asking(block: Block, place: int, unread: Unread) -> bool:
    """Whether dice of which later operations do not read the faces are forgotten before the choice after this one.

    Whoever is asked then sees them, and advice names what is seen.
    """
    chosen = block.ops[place].name
    waiting = {*([unread.among] if unread.others else []), *([unread.among, chosen] if unread.chosen else [])}
    for op in block.ops[place + 1 :]:
        if not waiting:
            return True
        if op.asks:
            return False
        waiting -= set(op.drop)
    return not waiting


def _live_operations(ops: list[Op], live: set[str]) -> tuple[list[tuple[Op, set[str], set[str]]], set[str]]:
    """The operations of which something is needed, each with the names that it reads and that are live after it.

    `live` are the names that are needed after all of them; the names that are live before the first come with them.
    """
    alive: list[tuple[Op, set[str], set[str]]] = []
    for op in reversed(ops):
        op.dead = not (op.name in live or op.ends or op.binds_fields)
        if op.dead:
            continue
        read = {path[0] for path in op.touches}
        read.update([use.name for use in op.all_uses if use.name])
        alive.append((op, read, live))
        after, live = live, read | (live if op.binds_nothing_if_skipped else live - {op.name})
        op.drop = tuple(sorted((live | {op.name}) - after))
    alive.reverse()
    return alive, live


def build_block(
    ops: list[Op],
    need: Mapping[str, Need],
    gives: Callable[[Frame], Any],
    ended: Callable[[Frame, EndedValue], Any],
    given: Iterable[str] = (),
    stages: bool = False,
) -> Block:
    """A block of operations, of which `need` is needed when all are done; `given` are names that its step binds.

    Dead operations are marked and left out; `live` and `drop` of the others are set.
    """
    alive, live = _live_operations(ops, set(need))
    made = [op for op, _, _ in alive]
    known, bound = set(given), {op.name for op in made}
    inside = known | bound | (set(need) if any(op.binds_fields for op in made) else set())
    future: dict[Path, list[tuple[int, Use]]] = {}
    conditional_uses: list[tuple[int, Use]] = []
    outside: list[Use] = []
    for place, (op, read, _) in enumerate(alive):
        bound |= read  # a roll from outside may be drawn here
        all_uses = op.all_uses
        for use in all_uses:
            if use.guards or (use.reading is not None and conditions(use.reading)):
                conditional_uses.append((place, use))
            future.setdefault(use.path, []).append((place, use))
            if use.path[0] not in known:  # a later step that reads what this one only holds reads it here, too
                outside.append(use_from_outside(replace(use, held=False, passed=True) if use.held else use, inside))
        op.watched = tuple(dict.fromkeys([use.path[0] for use in all_uses]))
        known.add(op.name)
    if any(op.binds_fields for op in made):  # it binds names of its own, and states that differ only in them differ
        bound |= set(need)
    for place, op in enumerate(made):
        later_uses = [use for path, some in future.items() if path[0] == op.name for at, use in some if at > place]
        asked = op.name in need or not later_uses
        op.only_read = not asked and all(_is_reading(use) for use in later_uses)
        op.dice_needs = None if asked else _dice_needs(later_uses)
    for op, _, later in alive:
        op.live = tuple(sorted(later & bound))
    return Block(
        made,
        tuple(sorted(live)),
        gives,
        ended,
        stages,
        tuple(outside),
        frozenset([path for op in made for path in op.touches if path[0] not in known]),
        any(op.asks for op in made),
        all(op.plain is not None and not op.ends and not op.throws for op in made),
        frozenset(need),
        all(() in paths for paths in need.values()),
        future,
        tuple([place for place, op in enumerate(made) if op.changes or op.reads_after_change]),
        tuple(conditional_uses),
        {path[0]: place for place, op in enumerate(made) for path in op.touches if path[1:] == (WHETHER,)},
    )


def _dice_needs(uses: Sequence[Use]) -> Needs | None:
    """What uses of a roll read of each die; None if one of them is no reading of the whole roll."""
    found: Needs = frozenset()
    for use in uses:
        if use.names and len(use.path) == 1 and not (use.passed or use.held):
            found |= {"names"}
            continue
        if use.reading is None or use.reading.listed or len(use.path) > 1 or use.passed or use.held:
            return None
        found |= needs_of_reading(use.reading)
    return found


def _is_reading(use: Use) -> bool:
    """Whether a use is a reading of a list as a whole."""
    read = use.reading
    return read is not None and (read.height or read).listed and len(use.path) == 1


def run_plain(block: Block, at: Frame) -> Any:
    """The result of a simple block, whose steps only compute something. It changes the frame."""
    spend(at, len(block.ops))
    for op in block.ops:
        if op.guard is not None and not op.guard(at):
            if not op.keeps or op.instead is not None:
                at[op.name] = op.instead(at) if op.instead is not None else None
            continue
        at[op.name] = op.plain(at)  # type: ignore[misc]
    return block.gives(at)


def use_from_outside(use: Use, inside: Container[str]) -> Use:
    """A use by inner steps as a use by the step around them, where names bound `inside` have another meaning or none.

    Guards on such a name are left out, as they may hold. A reading that needs one becomes a use of the dice themselves.
    """
    if use.reading is not None and any(name in inside for name in free_names(use.reading)):
        use = replace(use, reading=None, name=None)
    guards = tuple([one for one in use.guards if not any(name in inside for name in names_in(one[0]))])
    return use if len(guards) == len(use.guards) else replace(use, guards=guards)


Reads = tuple[tuple[Use, ...], frozenset[Path]]
"""What formulas read: their uses of what may hold a roll, and all paths that they touch."""

NOTHING: Reads = ((), frozenset())
"""What is read where there is no formula."""


def need_of(name: str, paths: Iterable[Path]) -> Need:
    """What paths need of the value of a name."""
    return _unmark_last({path[1:] for path in paths if path[0] == name})


MARKS: Need = frozenset({(COUNTED,), (LAST,), (WHETHER,), (DICE,)})
"""Paths that tell how a list is read, rather than what of its elements."""


def _unmark_last(paths: set[Path]) -> Need:
    """Paths below a value; those of its last element lose their mark, and `LAST` is one of them if all had it."""
    found = {path[1:] if path[:1] == (LAST,) else path for path in paths}
    return frozenset(found | {(LAST,)} if paths and all(path[:1] == (LAST,) for path in paths) else found)


@lru_cache(10_000)
def needs_of_fields(need: Need) -> Mapping[str, Need]:
    """What is needed of each field of a record; empty where all of it is."""
    made: dict[str, set[Path]] = {}
    for path in need:
        if path and path not in MARKS and path[0] not in (COUNTED, WHETHER, DICE):
            made.setdefault(path[0], set()).add(path[1:])
    return {name: _unmark_last(paths) for name, paths in made.items()}


def free_names(reading: Reading) -> frozenset[str]:
    """The names that a reading needs besides its roll."""
    return frozenset().union(*map(names_in, found)) if (found := conditions(reading)) else frozenset()


def check_record_size(record: Any) -> Any:
    """The result of a block. Raises PlayError if it holds too many values."""
    if type(record) is dict and not PLAIN.issuperset(map(type, record.values())) and count_values(record) > MOST_HELD:
        raise PlayError(say.holds_too_much(say.NOWHERE, MOST_HELD))
    return record

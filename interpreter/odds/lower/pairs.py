"""`pair:` the dice of two rolls: pairs stay open as long as their steps only compute something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir.traversal import children
from interpreter.odds.lazy_roll import LazyRoll, placed_roll
from interpreter.odds.liveness import path_of
from interpreter.odds.lower.lowering import Lowering, names_depended_on
from interpreter.odds.lower.steps import record_block, uses_of_repeated_steps
from interpreter.odds.operations import (
    MARKS,
    Block,
    Done,
    EndedValue,
    EnterBlock,
    Frame,
    Need,
    Op,
    Reads,
    Todo,
    run_plain,
)
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.state_keys import freeze
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.operations import ELEMENTS, field_of
from interpreter.runtime.pairing import pair_dice
from interpreter.values import Thrown

SIDES = ("ours", "theirs")


@dataclass(frozen=True, slots=True, eq=False)
class _Pairing:
    """A `pair` step, lowered. `keeps` are the sides whose dice are needed in the record of a pair."""

    lowering: Lowering
    block: Block
    ours: Closure
    theirs: Closure
    missing: Closure | None
    first: Closure | None
    keeps: tuple[str, ...]
    serial: int

    def prefers(self, at: Frame) -> Callable[[Any], int] | None:
        """The rank of a die among equal ones, by `first`: the highest is paired first."""
        first = self.first
        return None if first is None else lambda die: int(first({**at, ".die": die}))

    def stand_in_for_missing(self, at: Frame) -> Any:
        """What stands in for a die that is missing."""
        return self.missing(at) if self.missing else None

    def pairs(self, at: Frame) -> list[tuple[Thrown, Thrown]]:
        return pair_dice(self.ours(at), self.theirs(at), self.stand_in_for_missing(at), self.prefers(at))

    def record_of_pair(self, mine: Any, other: Any, record: Any) -> dict[str, Any]:
        """The record of a pair: the dice that are needed, and the results of its steps."""
        dice = {"ours": mine, "theirs": other}
        return {**{name: dice[name] for name in self.keeps}, **record}

    # Pair by pair, where steps may roll or ask

    def start(self, at: Frame) -> Todo:
        return self.next_pair(at, (tuple(self.pairs(at)), ()))

    def next_pair(self, at: Frame, state: Any) -> Todo:
        left, done = state
        if not left:
            return Done(done)
        mine, other = left[0]
        inside = {**at, "ours": mine, "theirs": other}
        return EnterBlock(self.block, inside, state, lambda s, record: self.finish_pair(at, s, record))

    def finish_pair(self, at: Frame, state: Any, record: Any) -> Todo:
        if isinstance(record, EndedValue):
            return Done(record)
        left, done = state
        mine, other = left[0]
        own = self.lowering.renumber(record, (self.serial, len(done)), at)
        return self.next_pair(at, (left[1:], (*done, self.record_of_pair(mine, other, own))))


def lower_pair(lowering: Lowering, action: ir.Pair, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`pair:` a roll `with:` another."""
    wanted: Need = frozenset(path for path in need - MARKS if not path or path[0] not in SIDES)
    block = record_block(lowering, action.each, wanted, trail, SIDES, done="again")
    uses, touches = lowering.reads((action.ours, action.theirs))
    own_uses, more = lowering.reads((action.missing, action.first))
    touches |= more | frozenset(path for path in block.touches if path[0] not in SIDES)
    # What the records of open pairs pass on is drawn before: it may be dice of the same pairs.
    own_uses = uses_of_repeated_steps((*own_uses, *[use for use in block.outside if use.path[0] not in SIDES]))
    pairing = _Pairing(
        lowering, block, lowering.closures.of(action.ours), lowering.closures.of(action.theirs),
        lowering.closure_of(action.missing), lowering.closure_of(action.first),
        tuple(name for name in SIDES if () in need or any(path[0] == name for path in need if path)),
        lowering.next_serial(),
    )  # fmt: skip
    if not block.simple:
        return Op(step.name, (*uses_of_repeated_steps(uses), *own_uses), touches, start=pairing.start, asks=block.asks)
    rolls = (path_of(action.ours.body), path_of(action.theirs.body))
    held = (*[replace(use, held=use.path in rolls and use.reading is None) for use in uses], *own_uses)
    plain = _closure_of_plain_pairs(
        pairing, action, (held, touches), {path[0] for path in rolls if path and len(path) == 1}
    )
    return Op(step.name, held, touches, plain=plain, throws=True, asks=block.asks)


def _closure_of_plain_pairs(pairing: _Pairing, action: ir.Pair, reads: Reads, rolls: set[str]) -> Closure:
    """Pairs whose steps only compute something: open where one of the rolls is, else a list."""
    free = names_depended_on(reads, rolls)
    keys = [_key_of_die(action.each, name) for name in SIDES]

    def pairs_or_list(here: Frame) -> Any:
        at = dict(here)  # the pairs are read later, when the frame has changed
        mine, other = pairing.ours(at), pairing.theirs(at)

        def record(one: Any, other: Any) -> dict[str, Any]:
            inside = {
                **at,
                "ours": one,
                "theirs": other,
                ".meter": [ELEMENTS],
            }  # which holds for each, not for all states
            return pairing.record_of_pair(one, other, run_plain(pairing.block, inside))

        if isinstance(mine, LazyRoll) or isinstance(other, LazyRoll):
            ours, theirs = (one if isinstance(one, LazyRoll) else placed_roll(None, one) for one in (mine, other))
            key = (pairing.serial, tuple([freeze(at.get(name)) for name in free]))
            return Paired(
                ours, theirs, pairing.stand_in_for_missing(at), pairing.prefers(at), record, keys[0], keys[1], key
            )
        return tuple([record(one, other) for one, other in pairing.pairs(at)])

    return pairs_or_list


def _key_of_die(steps: tuple[ir.Step, ...], name: str) -> Callable[[Thrown], Any]:
    """A function from a die to a key of all that steps read of it besides its value."""
    fields: set[str] = set()

    def reads_only_fields(node: Any) -> bool:
        if isinstance(node, ir.Converted) and isinstance(node.of, ir.Local) and node.of.name == name:
            return node.to == "number"
        if isinstance(node, ir.Field) and isinstance(node.of, ir.Local) and node.of.name == name:
            fields.add(node.name)
            return True
        if isinstance(node, ir.Local) and node.name == name:
            return False
        return all(map(reads_only_fields, children(node)))

    if not reads_only_fields(steps):
        return lambda die: freeze(die.with_key(0))
    others = sorted(fields - {"value"})
    return lambda die: tuple([freeze(field_of(die, one)) for one in others])

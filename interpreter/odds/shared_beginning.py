"""The beginning of a block that frames share which differ only in what is read later.

A roll to which a bonus is added at the end is followed once, and not for each bonus: where a block is entered again in
a frame that differs in a name, the operations before the first one that reads the name are a block of their own, whose
law is kept like every other. It may have such a beginning in turn, for a name that is read earlier.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.odds.liveness import conditions, names_in
from interpreter.odds.operations import Block, Frame, Law
from interpreter.odds.state_keys import PLAIN, key_of
from interpreter.odds.straight_line import DrawnLaw, DrawnNames

WORTHWHILE = 30
"""How many states a block must have met before its beginning is kept."""


def first_reads(block: Block) -> Mapping[str, int]:
    """The place of the first operation that may depend on each name of a block.

    What conditions in readings and guards read may decide what is drawn of a roll before, so it is read from the
    beginning.
    """
    first: dict[str, int] = {}
    for place, op in enumerate(block.ops):
        if op.binds_fields or op.ends:  # it may bind or give any name
            for name in block.free:
                first.setdefault(name, place)
        used = [name for use in op.all_uses for name in (use.path[0], use.name) if name]  # a roll and its reading
        for name in (op.name, *[path[0] for path in op.touches], *used):
            first.setdefault(name, place)
    for _, use in block.conditional_uses:
        exprs = [expr for expr, _ in use.guards] + (conditions(use.reading) if use.reading else [])
        for expr in exprs:
            first.update(dict.fromkeys(names_in(expr), 0))
    return first


def beginning_block(block: Block, end: int) -> Block | None:
    """The operations before the place `end` as a block whose results are frames; None if they throw nothing, or if what
    must be drawn in them depends on operations after them."""
    first = first_reads(block)
    if all(op.plain is not None and not op.throws for op in block.ops[:end]):
        return None
    inside = {op.name for op in block.ops[end:]}
    for place, use in block.conditional_uses:
        if place >= end and use.reading and any(names_in(one) & inside for one in conditions(use.reading)):
            return None
    free = tuple([name for name in block.free if first.get(name, len(block.ops)) < end])
    return replace(block, ops=block.ops[:end], free=free, gives=_without_meter, simple=False, whole=True)


def _without_meter(frame: Frame) -> Frame:
    return {name: value for name, value in frame.items() if name != ".meter"}


@dataclass(slots=True, eq=False)
class Entered:
    """How a block was entered: the keys of the first frame's values, the states it met then, and where to split it.

    The place is that of the first operation that reads a name in which later frames differed, the latest of these.
    """

    values: Mapping[str, Any]
    states: int
    first: Mapping[str, int]
    place: int = 0
    differed: set[str] = field(default_factory=set)
    blocks: dict[int, Block | None] = field(default_factory=dict)
    _drawn: dict[int, tuple[Law, list[DrawnNames]]] = field(default_factory=dict)

    def draws_of_law(self, law: Law) -> list[DrawnNames]:
        """The law of a beginning as a draw of all names that its frames hold, one for each set of names."""
        if id(law) not in self._drawn:
            rows, total = law
            groups: dict[tuple[str, ...], list[tuple[Any, int]]] = {}
            for frame, ways in rows:
                groups.setdefault(tuple(frame), []).append((tuple(frame.values()), ways))
            made = [DrawnNames(frozenset(), names, DrawnLaw(one, total), None) for names, one in groups.items()]
            self._drawn[id(law)] = law, made
        return self._drawn[id(law)][1]

    def beginning(self, block: Block, at: Frame) -> Block | None:
        """The beginning of the block that frames such as this one share; None if there is none that is worthwhile."""
        if self.states < WORTHWHILE:
            return None
        for name, value in self.values.items():
            if name not in self.differed and key_of(at.get(name)) != value:
                self.differed.add(name)
                if type(at.get(name)) in PLAIN:
                    self.place = max(self.place, self.first.get(name, len(block.ops)))
        late = [name for name in self.values if self.first.get(name, len(block.ops)) >= self.place]
        if not self.place or not all(type(at.get(name)) in PLAIN for name in late):
            return None
        if self.place not in self.blocks:
            self.blocks[self.place] = beginning_block(block, self.place)
        return self.blocks[self.place]


def remember_entry(block: Block, at: Frame, states: int) -> Entered:
    """What is remembered of the first frame in which a block is entered."""
    return Entered({name: key_of(at.get(name)) for name in block.free}, states, first_reads(block))

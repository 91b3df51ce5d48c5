"""The graph of a question about decisions: program points, and the vertices that they lead to, layer by layer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import lcm
from typing import Any

from interpreter.frozen import dataclass
from interpreter.odds.operations import Block, EnterBlock, Frame, Todo
from interpreter.play.requests import Choice
from interpreter.values import Roll


@dataclass(frozen=True, slots=True, eq=False)
class PendingStep:
    """A step that waits for its inner block. Steps that agree in everything have the same `key`.

    `dice` are the keys of all dice that it or a step around it held when it began; None if that is not known.
    """

    todo: EnterBlock
    block: Block
    place: int
    frame: Frame
    above: PendingStep | None
    key: int
    dice: frozenset[int] | None


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
class DrawnDice:
    """A draw of all dice of the roll that the frame of a point holds under a name: their law in one order."""

    point: ProgramPoint
    name: str
    law: list[tuple[Roll, int]]
    total: int


@dataclass(frozen=True, slots=True, eq=False)
class DecisionVertex:
    """A choice, what is seen by whoever decides it (told on demand), its answers, and the point after each.

    The points are `shared` where other choices of the layer may lead to the same ones.
    """

    choice: Choice
    seen: Callable[[], Mapping[str, Any]]
    answers: Sequence[Any]
    points: list[ProgramPoint]
    goal: int
    shared: bool


@dataclass(frozen=True, slots=True, eq=False)
class TerminalVertex:
    record: Any


Node = ChanceVertex | DrawnDice | DecisionVertex | TerminalVertex


@dataclass(frozen=True, slots=True, eq=False)
class LayerNode:
    """A node of a layer, with its successors as places in the next layer; those of chance are merged, with their ways.

    The rows of a chance vertex are not kept.
    """

    node: Node
    next: list[int]
    ways: list[int]


def common_denominator(layer: list[LayerNode]) -> int:
    """The least number by which the ways of all chance vertices of a layer are whole."""
    return lcm(*{made.node.total for made in layer if isinstance(made.node, ChanceVertex)})


def layer_node(node: Node, places: list[int | None]) -> LayerNode:
    """The node with the places of its successors; those of a chance vertex that are None are missing."""
    if not isinstance(node, (ChanceVertex, DrawnDice)):
        return LayerNode(node, [place for place in places if place is not None], [])
    ways: dict[int, int] = {}
    for place, (_, more) in zip(places, node.law if isinstance(node, DrawnDice) else node.rows, strict=True):
        if place is not None:
            ways[place] = ways.get(place, 0) + more
    return LayerNode(ChanceVertex([], node.total), list(ways), list(ways.values()))


def successors(node: Node) -> Iterator[ProgramPoint]:
    """The points that can follow a node."""
    match node:
        case ChanceVertex(rows):
            yield from (point for point, _ in rows)
        case DecisionVertex():
            yield from node.points

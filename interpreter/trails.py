"""Where choices stand in a mechanic: the steps that lead to each, as its key names them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter import ir

Trail = tuple[ir.Step, ...]


def choices(mechanics: Mapping[str, ir.Mechanic], name: str) -> Iterator[Trail]:
    """The trail of every choice of a mechanic, through what it calls; the last step is the choice itself."""
    rule = mechanics[name]
    outcomes = rule.outcomes.cases if rule.outcomes else ()
    yield from _among((*rule.steps, *(step for one in outcomes for step in one.steps)), (), mechanics)


def meant(trails: Iterable[Trail], key: str) -> list[Trail]:
    """The trails that a key may mean: it is the end of a path, as long as is needed."""
    names = key.split(".")
    return [trail for trail in trails if [step.name for step in trail[-len(names) :]] == names]


def _among(steps: tuple[ir.Step, ...], trail: Trail, mechanics: Mapping[str, ir.Mechanic]) -> Iterator[Trail]:
    for step in steps:
        yield from _of(step.action, (*trail, step), mechanics)


def _of(action: ir.Action, trail: Trail, mechanics: Mapping[str, ir.Mechanic]) -> Iterator[Trail]:
    match action:
        case ir.Choose():
            yield trail
        case ir.Stages(start, then):
            yield from _of(start, trail, mechanics)
            yield from _among(then, trail, mechanics)
        case ir.Toss() | ir.Repeat() | ir.Pair():
            yield from _among(action.each, trail, mechanics)
        case ir.Block(steps):
            yield from _among(steps, trail, mechanics)
        case ir.Call(name) if name in mechanics:
            for inner in choices(mechanics, name):
                yield (*trail, *inner)

"""Where choices stand in a mechanic: the steps that lead to each, as its key names them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter import ir

Mechanics = Mapping[str, ir.Mechanic]
Trail = tuple[ir.Step, ...]


def actions(mechanics: Mechanics, name: str) -> Iterator[tuple[Trail, ir.Action]]:
    """Everything that a mechanic may do, through what it calls, with the steps that lead to it."""
    rule = mechanics[name]
    outcomes = rule.outcomes.cases if rule.outcomes else ()
    yield from _among((*rule.steps, *(step for one in outcomes for step in one.steps)), (), mechanics)


def choices(mechanics: Mechanics, name: str) -> list[Trail]:
    """The trail of every choice of a mechanic; the last step is the choice itself."""
    return [trail for trail, action in actions(mechanics, name) if isinstance(action, ir.Choose)]


def meant(trails: Iterable[Trail], key: str) -> list[Trail]:
    """The trails that a key may mean: it is the end of a path, as long as is needed."""
    names = key.split(".")
    return [trail for trail in trails if [step.name for step in trail[-len(names) :]] == names]


def _among(steps: tuple[ir.Step, ...], trail: Trail, mechanics: Mechanics) -> Iterator[tuple[Trail, ir.Action]]:
    for step in steps:
        yield from _of(step.action, (*trail, step), mechanics)


def _of(action: ir.Action, trail: Trail, mechanics: Mechanics) -> Iterator[tuple[Trail, ir.Action]]:
    yield trail, action
    match action:
        case ir.Stages(start, then):
            yield from _of(start, trail, mechanics)
            yield from _among(then, trail, mechanics)
        case ir.Toss() | ir.Repeat() | ir.Pair():
            yield from _among(action.each, trail, mechanics)
        case ir.Block(steps):
            yield from _among(steps, trail, mechanics)
        case ir.Call(name) if name in mechanics:
            for inner, done in actions(mechanics, name):
                yield (*trail, *inner), done

"""What somebody can do now: every action that is open to a thing, with what its inputs may be and what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from interpreter import ir
from interpreter.backends.changes import candidates, refusal, refused
from interpreter.backends.walk import Walker
from interpreter.closures import Frame, frame
from interpreter.diagnostics import PlayError
from interpreter.state import STATE, State
from interpreter.values import Thing

MOST_TRIED = 10_000
"""How many combinations of inputs are tried to find out whether an action is possible at all."""


@dataclass(frozen=True)
class Possible:
    """An action that can be done now. `inputs` has what each input may be, or None where that cannot be listed.

    `costs` are the prices by the name of the points, None where they hang on the inputs.
    """

    action: str
    title: str
    inputs: Mapping[str, Sequence[Any] | None]
    costs: Mapping[str, int | None]


def possible(walker: Walker, state: State, who: Thing) -> tuple[Possible, ...]:
    """Every action that the rules allow somebody in this state."""
    found = []
    for name, deed in walker.program.actions.items():
        given: Frame = {**frame(), STATE: state, "actor": who}
        if getattr(deed.actor.type, "kind", None) != who.kind or refusal(walker.closures, deed, given) is not None:
            continue
        one = _possible(walker, name, deed, given)
        if one is not None:
            found.append(one)
    return tuple(found)


def _possible(walker: Walker, name: str, deed: ir.Deed, given: Frame) -> Possible | None:
    """The action, if any of what its inputs may be is allowed."""
    listed: dict[str, Sequence[Any] | None] = {}
    open_: list[list[Any]] = []
    for one in deed.rule.inputs:
        options = _options(walker, one, given)
        listed[one.name] = options
        default = walker.closures.of(one.default)(given) if one.default is not None and _alone(one) else None
        if options is None or not one.required:
            options = [default, *(options or ())]
        if not options:
            return None
        open_.append(list(options))
    names = [one.name for one in deed.rule.inputs]
    allowed: dict[str, dict[Any, None]] = {one: {} for one in names}
    fits = False
    for values in islice(product(*open_), MOST_TRIED):
        if _refused(walker, deed, {**given, **dict(zip(names, values, strict=True))}) is None:
            fits = True
            for key, value in zip(names, values, strict=True):
                allowed[key][value] = None
    if not fits:
        return None
    inputs = {key: None if among is None else [v for v in among if v in allowed[key]] for key, among in listed.items()}
    costs = {cost.name: _price(walker, cost, given) for cost in deed.costs}
    return Possible(name, deed.rule.title, inputs, costs)


def _alone(one: ir.Declaration) -> bool:
    return one.default is not None and isinstance(one.default.body, ir.Constant)


def _options(walker: Walker, one: ir.Declaration, given: Frame) -> Sequence[Any] | None:
    try:
        return candidates(walker.closures, one, given)
    except KeyError:  # what it may be hangs on an input before it
        return None


def _refused(walker: Walker, deed: ir.Deed, given: Frame) -> PlayError | None:
    try:
        return refused(walker, deed, given)
    except PlayError as error:
        return error
    except TypeError:  # an input that cannot be listed is missing in what is required
        return None


def _price(walker: Walker, cost: ir.Cost, given: Frame) -> int | None:
    try:
        price: int = walker.closures.of(cost.amount)(given)
    except KeyError:
        return None
    return price

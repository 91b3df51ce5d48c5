"""What somebody can do now: every action that is open to a thing, with what its inputs may be and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from interpreter import ir
from interpreter import types as t
from interpreter.backends.doing import candidates, refusal, refused
from interpreter.backends.walk import Walker
from interpreter.closures import Frame, frame
from interpreter.declared import some
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
    allowed: dict[str, dict[Any, None] | None] = {one.name: {} for one in deed.rule.inputs}
    fits = False
    for inside in islice(_ways(walker, deed, given, 0), MOST_TRIED):
        problem = _known(lambda inside=inside: refused(walker, deed, inside))  # type: ignore[misc]
        if problem is not None:
            continue
        fits = True
        for key, among in allowed.items():
            if key not in inside:
                allowed[key] = None
            elif among is not None and inside[key] is not None:
                among[inside[key]] = None
    if not fits:
        return None
    inputs = {key: None if among is None else list(among) for key, among in allowed.items()}
    costs = {cost.name: _known(lambda cost=cost: walker.closures.of(cost.amount)(given)) for cost in deed.costs}  # type: ignore[misc]
    return Possible(name, deed.rule.title, inputs, costs)


def _ways(walker: Walker, deed: ir.Deed, given: Frame, place: int) -> Iterator[Frame]:
    """Every way to fill in the inputs from one place on, each seeing those before it.

    An input that cannot be listed, such as a number without bounds, is left out of the frame.
    """
    if place == len(deed.rule.inputs):
        yield given
        return
    one = deed.rule.inputs[place]
    usually = some(walker.closures, one.default)
    default = _known(lambda: usually(given)) if usually is not None else None
    several = isinstance(t.present(one.type), t.List)
    options = None if several else _known(lambda: candidates(walker.closures, one, given))
    if options is None and default is None:
        yield from _ways(walker, deed, {**given, one.name: None} if one.optional else given, place + 1)
        return
    usual = () if one.required or default in (options or ()) else (default,)
    for value in (*usual, *(options or ())):
        yield from _ways(walker, deed, {**given, one.name: value}, place + 1)


def can_be(walker: Walker, deed: ir.Deed, given: Frame, place: int, value: Any) -> bool:
    """Whether an input may have a value: with it, there is a way to fill in those after it that is not refused."""
    inside = {**given, deed.rule.inputs[place].name: value}
    ways = islice(_ways(walker, deed, inside, place + 1), MOST_TRIED)
    return any(_known(lambda way=way: refused(walker, deed, way)) is None for way in ways)  # type: ignore[misc]


def _known(work: Callable[[], Any]) -> Any:
    """What comes of it; None where it hangs on an input that cannot be listed."""
    try:
        return work()
    except KeyError:
        return None

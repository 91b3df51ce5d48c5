"""What the options of a request mean: the titles and prices of actions, and how the things are doing."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.api.instance import Instance
from interpreter.api.players import Names
from interpreter.api.questions import Request, Terms
from interpreter.api.status import status_of
from interpreter.play.available_actions import PASS, Possible, describe_action, possible
from interpreter.play.requests import Prices
from interpreter.runtime.state import State
from interpreter.runtime.titles import titles_of
from interpreter.values import to_data

PASSES = "do nothing more now"
"""What it means to pass."""

Meanings = tuple[Mapping[str, str], Mapping[str, Terms]]
"""What options mean, in words and as data."""


def meanings_of(
    instance: Instance, state: State, request: Request, prices: Mapping[str, Prices], names: Names | None
) -> Meanings:
    """The meaning of each option of a request, as a player who answers for `names` may know it; None hides nothing.
    `prices` are those that the step that asks knows.

    An offered action has its title and its lowest and highest price, and a thing the summary of its kind. So has the
    thing that a question is about. Where the ruleset says what its words mean, that is left as it is.
    """
    if request.meanings or prices:
        return request.meanings, {option: Terms(price) for option, price in prices.items()}
    options = request.options or ((request.of,) if request.of != request.who else ())
    if options[-1:] == (PASS,):
        return _meanings_of_offer(instance, state, request)
    statuses = {one: status_of(instance, state, one, names) for one in options if isinstance(one, str)}
    return {one: status for one, status in statuses.items() if status}, {}


def _meanings_of_offer(instance: Instance, state: State, request: Request) -> Meanings:
    if request.who is None or request.who not in state.things:
        return {}, {}
    actions = {one.action: one for one in possible(instance.walker, state, state.thing(request.who))}
    offered = {name: actions[name] for name in request.options or () if name in actions}
    titles, actor = titles_of(instance.program, state), state.things[request.who].kind
    meanings = {name: describe_action(one, titles, actor) for name, one in offered.items()} | {PASS: PASSES}
    return meanings, {name: _terms(one) for name, one in offered.items()}


def _terms(one: Possible) -> Terms:
    settled = {name: to_data(value) for name, value in one.settled.items()}
    kinds = {kind: _without_nothing(prices) for kind, prices in one.kinds.items()}
    return Terms(_without_nothing(one.prices), one.title, kinds, settled, bool(one.free))


def _without_nothing(prices: Prices) -> Prices:
    return {name: ends for name, ends in prices.items() if ends != (0, 0)}

"""What the options of a request mean: the titles and prices of actions, and how the things are doing."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.api.instance import Instance
from interpreter.api.questions import Request
from interpreter.api.status import status_of
from interpreter.api.visibility import Names
from interpreter.play.available_actions import PASS, possible, told_of
from interpreter.runtime.state import State


def meanings_of(instance: Instance, state: State, request: Request, names: Names | None) -> Mapping[str, str]:
    """The meaning of each option of a request, as a player who answers for `names` may know it; None hides nothing.

    An offered action has its title and its lowest and highest price, and a thing the summary of its kind. So has the
    thing that a question is about. Where the ruleset says what its words mean, that is left as it is.
    """
    if request.meanings:
        return request.meanings
    options = request.options or ((request.of,) if request.of != request.who else ())
    if options[-1:] == (PASS,):
        return _offered(instance, state, request)
    told = {one: status_of(instance, state, one, names) for one in options if isinstance(one, str)}
    return {one: status for one, status in told.items() if status}


def _offered(instance: Instance, state: State, request: Request) -> Mapping[str, str]:
    if request.who is None or request.who not in state.things:
        return {}
    told = {}
    for one in possible(instance.walker, state, state.thing(request.who)):
        told[one.action] = told_of(one)
    return {name: told[name] for name in request.options or () if name in told}

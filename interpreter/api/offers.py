"""The actions of an offer in words, as whoever is asked reads them: their titles and prices."""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.api.instance import Instance
from interpreter.api.questions import Request
from interpreter.play.available_actions import PASS, possible, prices_in_words
from interpreter.runtime.state import State


def offered_in_words(instance: Instance, state: State, request: Request) -> Mapping[str, str]:
    """What each action of an offer is, and its lowest and highest price; the meanings of any other request."""
    options = request.options or ()
    if request.who is None or request.who not in state.things or not options or options[-1] != PASS or request.meanings:
        return request.meanings
    told = {}
    for one in possible(instance.walker, state, state.thing(request.who)):
        price = prices_in_words(one.prices)
        told[one.action] = one.title + (f" ({price})" if price else "")
    return {name: told[name] for name in options if name in told}

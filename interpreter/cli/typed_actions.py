"""An offered action that is typed together with what it asks for: `shoot imp`, `4 imp`, `enter barbican full`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.questions import Request
from interpreter.api.session import Session
from interpreter.cli.typed_answers import answer_of, word_meant
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.play.available_actions import PASS, Possible
from interpreter.runtime.titles import Titles, titles_of
from interpreter.values import Thing, in_words

MOST_WORDS = 4
"""The most words of a title that is typed for an input."""


def action_and_inputs(session: Session, offer: Request, text: str) -> tuple[str, dict[str, Any]]:
    """The text that picks an action, and the inputs that the words behind it give, by name. A text that as a whole
    picks one, or does not begin with one, gives none. Raises PlayError for a word that is no answer to the action."""
    name, rest = _action_in_front(offer, text)
    possible = next((one for one in _possible(session, offer) if one.action == name), None)
    if possible is None or not rest:
        return text, {}
    action, titles = session.game.program.actions[name], titles_of(session.game.program, session.state)
    given: dict[str, Any] = {}
    while rest:
        for number in range(min(len(rest), MOST_WORDS), 0, -1):
            found = _input_meant(action, possible, " ".join(rest[:number]), given, titles)
            if found is not None:
                given |= {found[0]: found[1]}
                rest = rest[number:]
                break
        else:
            raise PlayError(say.thing_not_for_action(action.rule.title, rest[0], _asked_for(action, possible, titles)))
    return name, given


def example_with_input(session: Session, offer: Request) -> str | None:
    """The number of an offered action with one of several things for it: `7 sentry`; None if no action has several."""
    by_name = {one.action: one for one in _possible(session, offer)}
    titles = titles_of(session.game.program, session.state)
    for number, name in enumerate(offer.options or (), 1):
        action = session.game.program.actions.get(name)
        for values in _own_inputs(action, by_name[name]).values() if action is not None and name in by_name else ():
            if len(values) > 1 and isinstance(values[0], Thing):
                return f"{number} {titles.value(values[0])}"
    return None


def _possible(session: Session, offer: Request) -> Sequence[Possible]:
    return session.game.possible(session.state, offer.who or "")


def _action_in_front(offer: Request, text: str) -> tuple[str, list[str]]:
    """The action that the longest beginning of a text picks, and the words behind it; empty without one."""
    words = text.split()
    for number in range(len(words), 0, -1):
        picked = answer_of(offer, " ".join(words[:number]))
        if isinstance(picked, dict):
            name = (offer.options or ())[picked["pick"]]
            return (name, words[number:]) if name != PASS else ("", [])
    return "", []


def _own_inputs(action: ir.Action, possible: Possible) -> dict[str, Sequence[Any]]:
    """The values of the inputs that whoever acts is asked for, as far as they can be listed."""
    own = [one.name for one in action.rule.inputs if one.by is None and not isinstance(one.type, (t.YesNo, t.List))]
    return {name: values for name in own if (values := possible.inputs.get(name)) is not None}


def _input_meant(
    action: ir.Action, possible: Possible, said: str, given: dict[str, Any], titles: Titles
) -> tuple[str, Any] | None:
    """The first input that is still open and that a text answers, with its value as plain data."""
    up = action.upgrade
    for name, values in _own_inputs(action, possible).items():
        if name in given:
            continue
        if said.isdecimal():
            if int(said) in [one for one in values if type(one) is int]:
                return name, int(said)
            continue
        words = {in_words(one): titles.value(one) for one in values if type(one) is not int}
        meant = word_meant(words, said)
        if meant is not None:
            return name, meant
    if up is not None and up.to in possible.kinds and word_meant({up.to: titles.action_kind(up.to)}, said) is not None:
        return next(((one.name, True) for one in action.rule.inputs if one.path == up.path), None)
    return None


def _asked_for(action: ir.Action, possible: Possible, titles: Titles) -> dict[str, str]:
    """What may be typed behind an action, by the title of its input."""
    asked = {
        titles.action_input(action.rule.name, name): ", ".join(map(titles.value, values))
        for name, values in _own_inputs(action, possible).items()
        if values
    }
    up = action.upgrade
    return {**asked, **({"or as": titles.action_kind(up.to)} if up is not None and up.to in possible.kinds else {})}

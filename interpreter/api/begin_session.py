"""How a session begins, and how a saved one is read and played again; `api/resume_session.py` takes it up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter.api.input_data import input_data
from interpreter.api.logged_run import LoggedRun
from interpreter.api.players import check_players, players_of
from interpreter.api.query import CHANCE_DICE, TABLE_DICE, PreparedRule, Query, prepare
from interpreter.api.session import Session
from interpreter.api.session_log import CHANCE, GIVEN, POLICY, STANDING, WITH, Answer, Beginning
from interpreter.api.standing_answers import SPANS, Refusal
from interpreter.api.state_json import state_data
from interpreter.diagnostics import PlayError
from interpreter.play.deciders import Policy
from interpreter.runtime.rng import Seed, fresh_salt, fresh_seed, is_fresh_seed
from interpreter.runtime.state import EMPTY, STATE
from interpreter.saves.header import KIND, check_header, is_save
from interpreter.syntax.json_text import NotJson, read_json
from interpreter.work_count import spend

if TYPE_CHECKING:
    from interpreter.api.game import Game

OF_AN_ANSWER = 10
"""The units of work in which an answer of a saved log is read."""


def begin(
    game: Game,
    query: Query,
    players: Mapping[str, Sequence[str] | str] | None,
    seed: Seed | None,
    dice: str,
    words: str,
) -> Session:
    """A session of a query that has reached its first question.

    Raises PlayError where the rule cannot be begun, or the players, the policy or the dice do not fit.
    """
    if dice not in (CHANCE_DICE, TABLE_DICE):
        raise PlayError(say.not_one_of(say.NOWHERE, "dice", dice, (CHANCE_DICE, TABLE_DICE)))
    if words and not is_fresh_seed(seed):
        raise PlayError(say.words_without_seed())
    answerers = players_of(players or {})
    prepared = prepare(query)
    frame = prepared.frame
    names = (*(["actor"] if "actor" in frame else []), *(one.name for one in prepared.rule.inputs))
    inputs = {name: input_data(frame[name]) for name in names if frame.get(name) is not None}
    state = state_data(game.program, frame[STATE]) if STATE in frame else None
    number = None if dice == TABLE_DICE else fresh_seed() if seed is None else seed
    salt = fresh_salt() if seed is None else ""
    beginning = Beginning(prepared.rule.path, inputs, state, answerers, number, salt, words=words)
    check_beginning(game, prepared, beginning, query.policy)
    run = LoggedRun(prepared, beginning, query.policy)
    run.settle()
    return Session(game, run)


def play_again(session: Session, run: LoggedRun, data: Mapping[str, Any]) -> None:
    """Play the log that was saved. Raises PlayError where it does not lead to what was saved with it."""
    players = session.players
    run.standing.asked_again = dict(data["asks_again"])
    refuses = data["refuses"].items()
    run.standing.refused = {who: Refusal(until, (rounds, turns)) for who, (until, rounds, turns) in refuses}
    run.standing.usual = asks_usual(data)
    run.walk_again([read_answer_line(number, one, players) for number, one in enumerate(data["log"], 1)])
    last = len(data["log"])
    run.undone = [_undone_answers(last, taken, players) for taken in data["undone"]]
    now = json.loads(session.to_json())
    for key, what in (("seal", "the log was changed"), ("now", "what lasts is another"), ("over", "it is not over"),
                      ("open", "something else is asked")):  # fmt: skip
        if data[key] is not None and not _is_same_data(_without_texts(now[key]), _without_texts(data[key])):
            raise PlayError(say.session_differs(last, what))
    if data["digest"] != session.digest:
        raise PlayError(say.session_differs(last, "something else has happened"))
    run.settle()
    if len(run.log) > last:  # another policy has answered more requests
        run.undone = []


def asks_usual(data: Mapping[str, Any]) -> set[str]:
    """The players of a saved session who are not asked everything."""
    return {one for one in data.get("asks_usual", ()) if one in ("", *data["players"])}


ASKED = ("id", "kind", "path", "who", "player", "of", "options", "low", "high", "least", "most")
"""What of a saved request must be the same when its session is taken up; texts of the rules may have changed."""


def _without_texts(data: Any) -> Any:
    """Open requests without what only tells people something; any other data as they are."""
    if not isinstance(data, list):
        return data
    return [{key: one[key] for key in ASKED if key in one} if isinstance(one, dict) else one for one in data]


def _is_same_data(one: Any, other: Any) -> bool:
    """Whether plain data are equal; in Python, True equals 1."""
    if isinstance(one, dict):
        return (
            isinstance(other, dict) and one.keys() == other.keys() and all(_is_same_data(one[k], other[k]) for k in one)
        )
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(_is_same_data, one, other))
    return bool(one == other and isinstance(one, bool) == isinstance(other, bool))


def _undone_answers(last: int, data: Any, players: Mapping[str, Any]) -> list[Answer]:
    """The answers that one undo took back, of a saved session: one that was given, and those after it."""
    taken = [read_answer_line(last, one, players) for one in data] if isinstance(data, list) else []
    if [one.how for one in taken[:1]] != [GIVEN] or GIVEN in [one.how for one in taken[1:]]:
        raise PlayError(say.session_differs(last, "this was not undone"))
    return taken


def read_answer_line(number: int, data: Any, players: Mapping[str, Any]) -> Answer:
    """A line of a saved log."""
    spend(OF_AN_ANSWER)
    values = {name: data.get(name) for name in _ANSWER} if isinstance(data, Mapping) else {}
    sound = (
        values
        and set(data) <= set(_ANSWER)
        and all(isinstance(values[name], str) for name in ("request", "path", "how"))
        and all(values[name] is None or isinstance(values[name], str) for name in ("who", "of", "by"))
        and values["how"] in (GIVEN, WITH, CHANCE, POLICY, STANDING)
        and (values["until"] is None or (values["until"] in SPANS and values["how"] == GIVEN))
        and values["for_all"] in (None, True)
        and values["for_everybody"] in (None, True)
        and (values["by"] is None or values["by"] in players)
    )
    if not sound:
        raise PlayError(say.session_differs(number, "this is not an answer"))
    return Answer(**values)  # type: ignore[arg-type]


_ANSWER = tuple(one.name for one in fields(Answer))

_SAVED: dict[str, type | tuple[type, ...]] = {
    "rules": Mapping,
    "by": str,
    "options": Mapping,
    "rule": str,
    "given": Mapping,
    "state": (Mapping, type(None)),
    "players": Mapping,
    "seed": (int, str, type(None)),
    "salt": str,
    "policy": (str, type(None)),
    "log": list,
    "undone": list,
    "asks_again": Mapping,
    "refuses": Mapping,
    "seal": (str, type(None)),
    "open": (list, type(None)),
    "over": (bool, type(None)),
    "now": (Mapping, type(None)),
    "digest": str,
    "boundary": (Mapping, type(None)),
    "earlier": list,
}
"""The fields of a saved session with their types; `schemas/session.json` describes them all."""

_SAVED_SOMETIMES: dict[str, type | tuple[type, ...]] = {
    "at": Mapping, "host": Mapping, "asks_usual": list, "words": str,
}  # fmt: skip
"""The fields that a saved session may lack."""


def saved_data(text: str | Mapping[str, Any]) -> Mapping[str, Any]:
    """A saved session as data. Raises PlayError if it is malformed."""
    if isinstance(text, str):
        try:
            text = read_json(text)
        except NotJson as error:
            raise PlayError(say.not_a_session(str(error))) from None
    if not isinstance(text, Mapping) or not is_save(text):
        raise PlayError(say.not_a_session(f"it is not a mapping with `{KIND}`"))
    check_header("session", text)
    known = {KIND, *_SAVED, *_SAVED_SOMETIMES}
    strange = next((str(key) for key in text if key not in known), None)
    if strange is not None:
        raise PlayError(say.not_a_session(f"`{strange}` is no part of one"))
    for key, kind in _SAVED_SOMETIMES.items():
        if key in text and not isinstance(text[key], kind):
            raise PlayError(say.not_a_session(f"`{key}` has another form"))
    for key, kind in _SAVED.items():
        if key not in text:
            raise PlayError(say.not_a_session(f"`{key}` is missing"))
        if not isinstance(text[key], kind) or (key == "seed" and not _is_seed(text[key])):
            raise PlayError(say.not_a_session(f"`{key}` has another form"))
    if not all(
        isinstance(names, list) and all(isinstance(one, str) for one in names) for names in text["players"].values()
    ):
        raise PlayError(say.not_a_session("`players` has another form"))
    if not all(type(number) is int for number in text["asks_again"].values()):
        raise PlayError(say.not_a_session("`asks_again` has another form"))
    if (words := text.get("words", "")).encode("utf-8", "replace").decode() != words:
        raise PlayError(say.not_a_session("`words` has another form"))
    if not all(map(_is_refusal, text["refuses"].values())):
        raise PlayError(say.not_a_session("`refuses` has another form"))
    if not all(isinstance(one, Mapping) for one in text["earlier"]):
        raise PlayError(say.not_a_session("`earlier` has another form"))
    for key, more in (("boundary", {"state": Mapping, "answers": int}), ("at", {})):
        if text.get(key) is not None and not _is_boundary(text[key], more, text["seed"]):
            raise PlayError(say.not_a_session(f"`{key}` has another form"))
    return text


def _is_seed(data: Any) -> bool:
    """Whether data of a save are a seed, or None."""
    return is_fresh_seed(data) if isinstance(data, str) else not isinstance(data, bool)


def _is_boundary(data: Mapping[str, Any], more: Mapping[str, type | tuple[type, ...]], seed: Any) -> bool:
    """Whether data of a save are a boundary of a scene, which has more than where a session begins."""
    wanted: dict[str, type | tuple[type, ...]]
    wanted = {"round": int, "phase": (str, type(None)), "values": Mapping, **more}
    wanted["dice"] = list if isinstance(seed, str) else int
    place = data.get("dice")
    if isinstance(place, list) and not ([type(one) for one in place] == [int, int] and min(place) >= 0):
        return False
    return data.keys() == wanted.keys() and all(
        isinstance(data[key], of) and not isinstance(data[key], bool) for key, of in wanted.items()
    )


def _is_refusal(data: Any) -> bool:
    """Whether data of a save are a refusal of reactions: the span, and the rounds and turns that had begun."""
    return isinstance(data, list) and [type(one) for one in data] == [str, int, int] and data[0] in SPANS


def check_beginning(game: Game, ready: PreparedRule, began: Beginning, policy: str | Policy | None) -> None:
    """Raises PlayError where a player answers for an unknown thing, two for the same, or the policy is unknown."""
    check_players(began.players, (ready.frame.get(STATE) or EMPTY).things, game.program.roles)
    if isinstance(policy, str) and policy not in game.program.policies:
        raise PlayError(say.unknown_policy(policy, game.program.policies))

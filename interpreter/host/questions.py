"""What another program asks of rules without a session: problems of a text, rolls, actions, chances and reasons.

Each function answers a call with plain data; a chance is there as the text of a fraction and as a float.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, Protocol

from interpreter import diagnostics as say
from interpreter import pipeline
from interpreter.api.decode import node_of
from interpreter.api.game import Game
from interpreter.api.load import loads
from interpreter.api.otherwise import nearest_changes
from interpreter.api.possible_data import possible_data
from interpreter.api.reasons import reasons_of
from interpreter.api.result import Result
from interpreter.chances.bounded import Bounded
from interpreter.chances.estimate import Estimate
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Source
from interpreter.host.call import Call, Reply, optional_seed, optional_value, text
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Change, Comparison, compare
from interpreter.play.available_actions import Possible
from interpreter.report.problem_data import problem_data
from interpreter.report.trace import Line
from interpreter.report.why import names_with_reasons
from interpreter.runtime.state import State
from interpreter.values import to_data

NOW = "now"
"""In place of a saved state: that of the session of the call."""

IN_STATE = ("things", "state", "viewer")
OF_RULE = ("rule", "given", *IN_STATE, "choices", "policy")
OF_PLAY = ("given", *IN_STATE, "choices", "policy", "seed", "faces")
OF_ODDS = (*OF_RULE, "best", "worst", "of", "within", "seconds")
"""The keys of calls about a state, about a rule, for one run and for odds."""


class HostQuestion(Protocol):
    """Whoever has the rules that are asked about."""

    playing: Game

    def state_now(self, call: Call) -> tuple[Game, State]:
        """The state of the session of a call, with its rules. Raises PlayError for a viewer who may not see all."""


def state_given(game: Game, call: Call) -> State | None:
    """The state that a call brings along, as `things` or as a saved `state`. Raises PlayError where it has both."""
    given = _held_given(call)
    return game.state(given) if given is not None else None


def _held_given(call: Call) -> Mapping[str, Any] | None:
    """The `things` of a call, or its saved `state`. Raises PlayError where it has both."""
    things = optional_value(call, "things", dict, "object")
    saved = optional_value(call, "state", dict, "object")
    if things is not None and saved is not None:
        raise PlayError(say.not_a_call("`things` and `state` are both given", "give one: a state has its things"))
    given: Mapping[str, Any] | None = saved if saved is not None else things
    return given


def _game_and_state(asked: HostQuestion, call: Call) -> tuple[Game, State | None]:
    """The rules that a call is about, and the state: that of the session if `state` is `now`."""
    if call.get("state") == NOW:
        return asked.state_now(call)
    return asked.playing, state_given(asked.playing, call)


def _answers(call: Call) -> dict[str, Any]:
    """The inputs of a call and what answers its choices."""
    return {
        "inputs": optional_value(call, "given", dict, "object"),
        "choices": optional_value(call, "choices", dict, "object"),
        "policy": optional_value(call, "policy", str, "text"),
    }


def _there(call: Call, *keys: str) -> dict[str, Any]:
    """What a call has under some keys, which the game checks itself."""
    return {key: call[key] for key in keys if call.get(key) is not None}


# Texts, runs and actions -----------------------------------------------------------------------------------------


def check(asked: HostQuestion, call: Call) -> Reply:
    """The problems of a ruleset or a house rule that is text; it may extend what comes with houserule."""
    name = text({"name": "text.yaml", **call}, "name")
    found = pipeline.from_text(Source.of(name, text(call, "text"))).problems
    return {"problems": [problem_data(one) for one in found]}


def problems(asked: HostQuestion, call: Call) -> Reply:
    """What keeps things from being those of a state: values that do not fit, and what their kinds require."""
    game, held = asked.state_now(call) if call.get("state") == NOW else (asked.playing, _held_given(call))
    if held is None:
        raise PlayError(say.not_a_call("`things` is missing"))
    return {"problems": [problem_data(one) for one in game.problems(held)]}


def roll(asked: HostQuestion, call: Call) -> Reply:
    """One run of a rule."""
    game, state = _game_and_state(asked, call)
    return {"result": game.roll(text(call, "rule"), state=state, **_answers(call), **_dice(call)).to_data()}


def act(asked: HostQuestion, call: Call) -> Reply:
    """An action of an actor; the result has the state before and after it."""
    game, state = _game_and_state(asked, call)
    there = state if state is not None else game.start
    result = game.act(there, text(call, "action"), actor=text(call, "actor"), **_answers(call), **_dice(call))
    return {"result": result.to_data()}


def _dice(call: Call) -> dict[str, Any]:
    return {
        "seed": optional_seed(call),
        "faces": optional_value(call, "faces", list, "list"),
    }


def possible_in(game: Game, state: State, call: Call) -> Reply:
    """What an actor can do in a state, or what all can do who take part."""
    actor = optional_value(call, "actor", str, "text")
    return possible_reply({actor: game.possible(state, actor)} if actor is not None else game.all_possible(state))


def possible_reply(found: Mapping[str, tuple[Possible, ...]]) -> Reply:
    """Possible actions by who can take them, as plain data."""
    return {"possible": [{"actor": who, **possible_data(one)} for who, actions in found.items() for one in actions]}


# Chances ---------------------------------------------------------------------------------------------------------


def odds(asked: HostQuestion, call: Call) -> Reply:
    """The exact odds of a rule."""
    found = _odds(*_game_and_state(asked, call), call)
    strategy = [
        {"path": one.path, "seen": {name: to_data(value) for name, value in one.seen.items()},
         "answer": to_data(one.answer), "chance": _number_data(one.chance)}
        for one in found.strategy
    ]  # fmt: skip
    return {**_laws(found, call), **({"strategy": strategy} if strategy else {})}


def _odds(game: Game, state: State | None, call: Call) -> Odds:
    more = _there(call, "best", "worst", "within", "seconds")
    return game.odds(text(call, "rule"), state=state, **_answers(call), **more)


def compare_odds(asked: HostQuestion, call: Call) -> Reply:
    """The odds of a call beside those of the same call with other keys, and with other options of the ruleset."""
    other = optional_value(call, "with", dict, "object")
    if other is None:
        raise PlayError(say.not_a_call("`with` is missing", "write what the other side has otherwise, such as `given`"))
    known = (*OF_ODDS, "options", "rules")
    strange = next((key for key in other if key not in known), None)
    if strange is not None:
        raise PlayError(say.not_a_call(f"`with` takes no `{strange}`"))
    game, state = _game_and_state(asked, call)
    in_another_state = bool({"things", "state"} & other.keys())
    kept = {key: value for key, value in call.items() if not in_another_state or key not in ("things", "state")}
    call_of_other = {**kept, **other}
    there, then = _game_and_state(asked, call_of_other) if in_another_state else (game, state)
    options, rules = optional_value(other, "options", dict, "object"), optional_value(other, "rules", str, "text")
    if rules is not None:
        there = _other_rules(game, rules)
    if options is not None:
        there = there.with_options(options)
    if rules is not None or options is not None:
        then = _things_again(there, game.to_data(then)["things"]) if then is not None else None
    both = compare(_odds(game, state, call), _odds(there, then, call_of_other))
    return {"laws": [_compared_law(both, name) for name in _names(call, both.results)]}


def _other_rules(game: Game, rules: str) -> Game:
    """The game of a text, which may be a house rule over the rules of a game by its name."""
    return loads(rules, resolve=lambda wanted: game.ruleset_text if wanted.name == game.name else None)


def _things_again(game: Game, things: Mapping[str, Any]) -> State:
    """The state of things that were there under other rules; what their kinds require was required of them then."""
    return game.read_things({name: node_of(value, name) for name, value in things.items()})[0]


def _compared_law(both: Comparison, name: str) -> Reply:
    law = both.of(name)
    rows = [{"value": to_data(value), **_change_data(change)} for value, change in law.items()]
    mean = {}
    with suppress(PlayError):
        mean = {"mean": _change_data(both.mean(name))} if _are_numbers(law) else {}
    return {"name": name, "values": rows, **mean}


def simulate(asked: HostQuestion, call: Call) -> Reply:
    """The shares of many runs of a rule; it needs NumPy."""
    game, state = _game_and_state(asked, call)
    more = _there(call, "runs", "seed", "of")
    found = game.simulate(text(call, "rule"), state=state, **_answers(call), **more)
    return {**_laws(found, call), "runs": found.runs, "seed": found.seed}


def _names(call: Call, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    """The names that a call asks for. Raises PlayError where they are no texts."""
    names = optional_value(call, "of", list, "list")
    if names is None:
        return otherwise
    if not all(isinstance(one, str) for one in names):
        raise PlayError(say.not_a_call("`of` is no list of names"))
    return tuple(names)


def _laws(found: Odds, call: Call) -> Reply:
    """The laws of the names that a call asks for, or else of the results."""
    return {"laws": [_law_data(found, name) for name in _names(call, found.results)]}


def _law_data(found: Odds, name: str) -> Reply:
    law, missing = found.of(name), found.missing_of(name)
    rows = [{"value": to_data(value), **_number_data(chance)} for value, chance in law.items()]
    mean = {}
    with suppress(PlayError):  # too much of it is missing
        mean = {"mean": _number_data(found.mean(name))} if _are_numbers(law) else {}
    return {"name": name, "values": rows, **mean, **({"missing": _number_data(missing)} if missing else {})}


def _are_numbers(values: Iterable[Any]) -> bool:
    return all(isinstance(one, int) and not isinstance(one, bool) for one in values)


def _number_data(number: Fraction) -> Reply:
    """A chance or a mean, as a fraction and as a float; of an estimate with its error and the ends of its interval."""
    data: Reply = {"fraction": str(Fraction(number)), "float": float(number)}
    if isinstance(number, Estimate | Bounded):
        data |= {"error": number.error, "low": float(number.low), "high": float(number.high)}
    return data


def _change_data(change: Change) -> Reply:
    parts = {"a": change.a, "b": change.b, "difference": Fraction(change.difference)}
    return {name: _number_data(one) for name, one in parts.items()}


# Saves ------------------------------------------------------------------------------------------------------------


def adopt_save(game: Game, call: Call) -> Reply:
    """A save of any kind under the rules of now: what has changed, what must be decided, and, if nothing is open, what
    the save becomes."""
    saved = optional_value(call, "saved", dict, "object")
    if saved is None:
        raise PlayError(say.not_a_call("`saved` is missing"))
    wishes = {
        "renamed": optional_value(call, "renamed", dict, "object"),
        "values": optional_value(call, "values", dict, "object"),
        "proposals": optional_value(call, "proposals", bool, "yes or no") or False,
    }
    adopted = game.adopt(saved, **wishes)
    now: Reply | None = None
    if adopted.state is not None:
        now = game.to_data(adopted.state)
    elif adopted.session is not None:
        now = adopted.session.to_data()
    elif adopted.result is not None:
        now = adopted.result.to_data()
    lines = [one.to_data() for one in adopted.lines]
    return {"kind": adopted.kind, "adopted": lines, **({"saved": now} if now is not None else {})}


# Reasons ---------------------------------------------------------------------------------------------------------


def why(game: Game, call: Call, result: Result | None) -> Reply:
    """Why a value of a result is what it is, and the nearest changes that make it another. The result is that of a
    session, or saved in the call."""
    saved = optional_value(call, "result", dict, "object")
    if saved is not None:
        result = game.replay(saved)
    if result is None:
        raise PlayError(say.not_a_call("the session is not over", "give a `result`, or ask when it is over"))
    name, known = text(call, "name"), names_with_reasons(result.rule)
    if name not in known:
        raise PlayError(say.not_one_of(say.NOWHERE, "`name`", name, known))
    lines = [line_data(line) for line in reasons_of(game, None, result, name)]
    return {"reasons": lines, "otherwise": [str(one) for one in nearest_changes(game, result, name)]}


def line_data(one: Line) -> Reply:
    """A line of a record or of reasons."""
    return {"depth": one.depth, "kind": one.kind, "name": one.name, "text": one.text, "path": one.path,
            "shown": str(one)}  # fmt: skip

"""Sessions of play that another program leads: it begins them, answers their requests, and reads what happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter import diagnostics as say
from interpreter.api.game import Game
from interpreter.api.load import load_kept
from interpreter.api.playable_scene import PlayableScene
from interpreter.api.players import HOST, SPECTATOR, Viewer
from interpreter.api.record import BEFORE_ALL
from interpreter.api.seat import HostView, Seat
from interpreter.api.session import Session
from interpreter.diagnostics import PlayError
from interpreter.host import questions
from interpreter.host.call import Call, CallTable, Reply, optional_seed, optional_value, refusal_data, text
from interpreter.host.questions import line_data
from interpreter.report.explain import explain_name, overview
from interpreter.runtime.rng import commitments, fresh_seed
from interpreter.runtime.state import State
from interpreter.values import to_data

USUAL = "main"
"""The name of the session of a call without `session`."""


class HostSessions:
    """The sessions of one host, by name."""

    def __init__(self, playing: Game, with_traceback: bool = False, scenes: Iterable[PlayableScene] = ()) -> None:
        self.playing = playing
        self.scenes = {one.name: one for one in scenes}
        self.with_traceback = with_traceback
        self.sessions: dict[str, Session] = {}
        self.closed = False

    def reply(self, line: bytes | str) -> Reply:
        """The reply to a call; errors are replies too."""
        return CALLS.reply(self, line, self.with_traceback)

    def session_of(self, call: Call) -> Session:
        """The session of a call. Raises PlayError if there is none of its name."""
        name = _name(call)
        if name not in self.sessions:
            raise PlayError(say.unknown_session(name, self.sessions))
        return self.sessions[name]

    def state_now(self, call: Call) -> tuple[Game, State]:
        """The state of the session of a call, with its rules. Raises PlayError unless the host asks."""
        _host_view(self, call)
        session = self.session_of(call)
        return session.game, session.state

    def scene(self, call: Call) -> PlayableScene:
        """The scene file that a call names. Raises PlayError if the host was not started with one of its name."""
        name = text(call, "scene")
        if name not in self.scenes:
            raise PlayError(say.unknown_scene(name, self.scenes))
        return self.scenes[name]

    def new_name(self, call: Call) -> str:
        """The name for a new session. Raises PlayError if it is taken."""
        name = _name(call)
        if name in self.sessions:
            raise PlayError(say.session_there(name))
        return name


def _name(call: Call) -> str:
    return text({"session": USUAL, **call}, "session")


def _viewer(call: Call) -> Viewer:
    """Who looks. Raises PlayError where a call does not say it: what it would show may be a secret."""
    match call.get("viewer"):
        case "host":
            return HOST
        case "spectator":
            return SPECTATOR
        case {"player": str(player), **others} if not others:
            return player
        case viewer:
            raise PlayError(say.no_viewer(text(call, "do"), viewer is not None))


def _seat(host: HostSessions, call: Call) -> Seat:
    """The seat of the viewer of a call. Raises PlayError where it names none."""
    viewer = _viewer(call)
    return host.session_of(call).seat(viewer)


def _host_view(host: HostSessions, call: Call) -> HostView:
    """The seat of the host, of whom a call must be. Raises PlayError for another viewer."""
    if _viewer(call) is not HOST:
        raise PlayError(say.call_of_host(text(call, "do")))
    return host.session_of(call).host


# The calls -------------------------------------------------------------------------------------------------------


def _progress_reply(session: Session) -> Reply:
    """Whom a session asks now, and how far it is, which is no secret."""
    begun, _ = session.turn
    return {"asked": list(session.asked), **({"round": begun} if begun else {}), "over": session.over}


def _requests_reply(host: HostSessions, call: Call) -> Reply:
    """The same with what the viewer of a call is asked; with `chances`, also with those of the answers."""
    seat, with_chances = _seat(host, call), optional_value(call, "chances", bool, "yes or no") or False
    requests = [one.to_data() | (_chances_data(seat, one.id) if with_chances else {}) for one in seat.requests]
    return {"requests": requests, **_progress_reply(host.session_of(call))}


def _chances_data(seat: Seat, request: str) -> Reply:
    found = {option: chance.to_data() for option, chance in seat.chances(request).items()}
    return {"chances": found} if found else {}


def _begin(host: HostSessions, call: Call) -> Reply:
    name, playing = host.new_name(call), host.playing
    players = optional_value(call, "players", dict, "object") or {}
    if not all(isinstance(names, (str, list)) for names in players.values()):
        raise PlayError(say.not_a_call("`players` has another form", "write each with a list of things and roles"))
    if "scene" in call:
        host.sessions[name] = _begin_scene_file(host, call, players if "players" in call else None)
        return _progress_reply(host.sessions[name])
    host.sessions[name] = playing.begin(
        text(call, "rule"),
        state=questions.state_given(playing, call),
        players=players,
        seed=optional_seed(call),
        words=optional_value(call, "words", str, "text") or "",
        dice=optional_value(call, "dice", str, "text") or "chance",
        policy=optional_value(call, "policy", str, "text"),
        inputs=optional_value(call, "given", dict, "object"),
    )
    return _progress_reply(host.sessions[name])


def _begin_scene_file(host: HostSessions, call: Call, players: Mapping[str, Any] | None) -> Session:
    """A session of a scene file that the host was started with."""
    strange = next((key for key in ("rule", "given", "things", "state") if key in call), None)
    if strange is not None:
        raise PlayError(say.not_a_call(f"`scene` stands for all of a scene file, and `{strange}` is given, too"))
    return host.scene(call).begin(
        players=players,
        seed=optional_seed(call),
        words=optional_value(call, "words", str, "text") or "",
        dice=optional_value(call, "dice", str, "text") or "chance",
        policy=optional_value(call, "policy", str, "text"),
    )


def _commit(host: HostSessions, call: Call) -> Reply:
    """A fresh seed for `begin`, and what can be told of it before."""
    seed = fresh_seed()
    return {"seed": seed, "commitments": commitments(seed)}


def _reveal(host: HostSessions, call: Call) -> Reply:
    """What proves that the dice of a session fell as they had to."""
    _host_view(host, call)
    hidden = optional_value(call, "hidden", bool, "yes or no") or False
    return {"reveal": host.session_of(call).reveal(hidden=hidden)}


def _possible(host: HostSessions, call: Call) -> Reply:
    state = questions.state_given(host.playing, call)
    if state is not None:
        return questions.possible_in(host.playing, state, call)
    return questions.possible_reply(_seat(host, call).possible(optional_value(call, "actor", str, "text")))


def _why(host: HostSessions, call: Call) -> Reply:
    if "result" in call:
        return questions.why(host.playing, call, None)
    _host_view(host, call)
    session = host.session_of(call)
    return questions.why(session.game, call, session.result)


def _why_not(host: HostSessions, call: Call) -> Reply:
    found = _seat(host, call).why_not(text(call, "actor"), text(call, "action"))
    return {"why_not": refusal_data(found) if found is not None else None}


def _explain(host: HostSessions, call: Call) -> Reply:
    if "rule" not in call:
        return {"lines": overview(host.playing.program)}
    return {"lines": explain_name(host.playing.program, None, text(call, "rule"))}


def _scenes(host: HostSessions, call: Call) -> Reply:
    told = [(one.name, one.title, one.about, one.players) for one in host.scenes.values()]
    return {
        "scenes": [
            {"scene": name, "title": title, "about": about, "players": {who: list(has) for who, has in players.items()}}
            for name, title, about, players in told
        ]
    }


def _resume(host: HostSessions, call: Call) -> Reply:
    name, saved = host.new_name(call), optional_value(call, "saved", dict, "object")
    policy = optional_value(call, "policy", str, "text")
    playing = host.scene(call).game if "scene" in call else host.playing
    if optional_value(call, "own_rules", bool, "yes or no"):
        playing = load_kept(saved or {})
    session = host.sessions[name] = playing.resume(saved or {}, policy=policy)
    return {**_progress_reply(session), "changed": len(session.adopted)}  # the lines may tell what is hidden


def _adopt(host: HostSessions, call: Call) -> Reply:
    if _viewer(call) is not HOST:
        raise PlayError(say.call_of_host("adopt"))
    return questions.adopt_save(host.scene(call).game if "scene" in call else host.playing, call)


def _answer(host: HostSessions, call: Call) -> Reply:
    seat = _seat(host, call)
    if "value" not in call:
        raise PlayError(say.not_a_call("`value` is missing"))
    until = optional_value(call, "until", str, "text")
    for_all = optional_value(call, "for_all", bool, "yes or no") or False
    for_everybody = optional_value(call, "for_everybody", bool, "yes or no") or False
    beside = optional_value(call, "beside", dict, "object")
    if isinstance(seat, HostView):
        seat.answer(text(call, "request"), call["value"], until, for_all, for_everybody, beside=beside)
    elif for_everybody:
        raise PlayError(say.only_host_for_everybody())
    else:
        seat.answer(text(call, "request"), call["value"], until, for_all, beside=beside)
    return _requests_reply(host, call)


def _react(host: HostSessions, call: Call) -> Reply:
    seat, wanted = _seat(host, call), optional_value(call, "wanted", list, "list")
    if wanted is None:
        raise PlayError(say.not_a_call("`wanted` is missing"))
    seat.react(text(call, "request"), wanted)
    return _requests_reply(host, call)


def _refuse(host: HostSessions, call: Call) -> Reply:
    _seat(host, call).refuse(text(call, "until"))
    return _requests_reply(host, call)


def _standing_answers(host: HostSessions, call: Call) -> Reply:
    seat = _seat(host, call)
    refused = seat.refuses
    stands = [
        {**one.to_data(), "question": seat.question_of(one), "spent": list(seat.spent_of(one))} for one in seat.standing
    ]
    return {"standing": stands, **({"refuses": refused} if refused is not None else {})}


def _ask(host: HostSessions, call: Call) -> Reply:
    _seat(host, call).ask(text(call, "what"))
    return _requests_reply(host, call)


def _ask_again(host: HostSessions, call: Call) -> Reply:
    _seat(host, call).ask_again()
    return {}


def _master(host: HostSessions, call: Call) -> Reply:
    """What the game master does in a session: one of `VERBS`, with what it takes."""
    _host_view(host, call)
    found = [verb for verb in VERBS if verb in call]
    if len(found) != 1:
        raise PlayError(say.not_a_call(f"`master` takes one of {', '.join(f'`{one}`' for one in VERBS)}"))
    verb = found[0]
    strange = next((key for key in ("to", "named", "with") if key in call and key not in VERBS[verb]), None)
    if strange is not None:
        raise PlayError(say.not_a_call(f"`{verb}` takes no `{strange}`"))
    if "to" in VERBS[verb] and "to" not in call:
        raise PlayError(say.not_a_call(f"`{verb}` takes `to`, which is missing"))
    master, what = host.session_of(call).master, text(call, verb)
    why = optional_value(call, "why", str, "text") or ""
    given = optional_value(call, "with", dict, "object") or {}
    match verb:
        case "cause":
            master.cause(what, why, inputs=given)
        case "roll":
            master.roll(what, why, inputs=given)
        case "set":
            master.set(what, call["to"], why)
        case "add":
            master.add(what, optional_value(call, "named", str, "text") or "", why, inputs=given)
        case "remove":
            master.remove(what, why)
        case "end":
            master.end(what, why)
        case "give":
            master.give(what, text(call, "to"), why)
        case "play":
            master.play(what, why)
    return _requests_reply(host, call)


VERBS: Mapping[str, tuple[str, ...]] = {
    "cause": ("with",),
    "roll": ("with",),
    "set": ("to",),
    "add": ("named", "with"),
    "remove": (),
    "end": (),
    "give": ("to",),
    "play": (),
}
"""What the game master may do, each with what it takes beside `why`."""


def _undo(host: HostSessions, call: Call) -> Reply:
    _host_view(host, call).undo()
    return _requests_reply(host, call)


def _redo(host: HostSessions, call: Call) -> Reply:
    _host_view(host, call).redo()
    return _requests_reply(host, call)


def _lines(host: HostSessions, call: Call) -> Reply:
    news = _seat(host, call).news(optional_value(call, "since", str, "text") or BEFORE_ALL)
    return {"from": news.start, "lines": [line_data(one) for one in news.lines], "cursor": news.cursor}


def _view(host: HostSessions, call: Call) -> Reply:
    return {"things": _seat(host, call).view()}


def _look(host: HostSessions, call: Call) -> Reply:
    return {"value": to_data(_host_view(host, call).look(text(call, "expression")))}


def _log(host: HostSessions, call: Call) -> Reply:
    _host_view(host, call)
    return {"log": [one.to_data() for one in host.session_of(call).log]}


def _result(host: HostSessions, call: Call) -> Reply:
    _host_view(host, call)
    result = host.session_of(call).result
    return {"result": result.to_data() if result is not None else None}


def _save(host: HostSessions, call: Call) -> Reply:
    _host_view(host, call)
    with_rules = optional_value(call, "with_rules", bool, "yes or no") or False
    return {"saved": host.session_of(call).to_data(with_rules=with_rules)}


def _forget(host: HostSessions, call: Call) -> Reply:
    host.session_of(call)
    del host.sessions[_name(call)]
    return {}


def _names(host: HostSessions, call: Call) -> Reply:
    return {"sessions": list(host.sessions)}


def _quit(host: HostSessions, call: Call) -> Reply:
    host.closed = True
    return {}


CALLS: CallTable[HostSessions] = CallTable(
    {
        "begin": (_begin, ("rule", "given", "things", "state", "scene", "players", "seed", "words", "dice", "policy")),
        "commit": (_commit, ()),
        "reveal": (_reveal, ("viewer", "hidden")),
        "resume": (_resume, ("saved", "scene", "policy", "own_rules")),
        "adopt": (_adopt, ("viewer", "saved", "scene", "renamed", "values", "proposals")),
        "requests": (_requests_reply, ("viewer", "chances")),
        "answer": (_answer, ("viewer", "request", "value", "until", "for_all", "for_everybody", "beside")),
        "react": (_react, ("viewer", "request", "wanted")),
        "refuse": (_refuse, ("viewer", "until")),
        "standing": (_standing_answers, ("viewer",)),
        "ask": (_ask, ("viewer", "what")),
        "ask_again": (_ask_again, ("viewer",)),
        "master": (_master, ("viewer", *VERBS, "to", "named", "with", "why")),
        "undo": (_undo, ("viewer",)),
        "redo": (_redo, ("viewer",)),
        "lines": (_lines, ("viewer", "since")),
        "view": (_view, ("viewer",)),
        "look": (_look, ("viewer", "expression")),
        "possible": (_possible, ("viewer", "actor", "things", "state")),
        "why_not": (_why_not, ("viewer", "actor", "action")),
        "check": (questions.check, ("text", "name")),
        "problems": (questions.problems, questions.IN_STATE),
        "roll": (questions.roll, ("rule", *questions.OF_PLAY)),
        "act": (questions.act, ("action", "actor", *questions.OF_PLAY)),
        "odds": (questions.odds, questions.OF_ODDS),
        "compare": (questions.compare_odds, (*questions.OF_ODDS, "with")),
        "simulate": (questions.simulate, (*questions.OF_RULE, "of", "runs", "seed")),
        "why": (_why, ("name", "result", "viewer")),
        "explain": (_explain, ("rule",)),
        "scenes": (_scenes, ()),
        "log": (_log, ("viewer",)),
        "result": (_result, ("viewer",)),
        "save": (_save, ("viewer", "with_rules")),
        "forget": (_forget, ()),
        "sessions": (_names, ()),
        "quit": (_quit, ()),
    }
)
"""Every call, with its keys besides `do`, `tag` and `session`."""

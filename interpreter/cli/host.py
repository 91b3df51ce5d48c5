"""`houserule host`: serve sessions to another program; each call and each reply is a line of JSON."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any

import click

from interpreter import diagnostics as say
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.api.playable_scene import PlayableScene, scene_of
from interpreter.api.possible_data import possible_data
from interpreter.api.session import Session
from interpreter.cli import parameters
from interpreter.cli.internal_errors import diagnostic_of
from interpreter.cli.rulesets import game, scene_named
from interpreter.diagnostics import Diagnostic, HouseruleError, PlayError
from interpreter.report.explain import explained, overview
from interpreter.report.trace import Line
from interpreter.syntax.json_text import NotJson, read_json

MOST_BYTES = 1 << 24
"""The largest size of a line; a saved long fight fits into it."""

USUAL = "main"
"""The name of the session of a call without `session`."""


@click.command("host")
@click.argument("ruleset")
@click.argument("scenes", nargs=-1, metavar="[SCENE]...")
@parameters.changed_rules
def command(ruleset: str, scenes: tuple[str, ...], layers: tuple[str, ...], options: tuple[str, ...]) -> None:
    """Play RULESET for another program: each line on standard input is a call, and each line on standard output its
    reply. The page on embedding lists the calls.

    Each SCENE is a scene file of RULESET that calls may begin by its name. One that comes with the ruleset may be given
    by its name alone.
    """
    with_traceback = bool(click.get_current_context().find_root().params.get("traceback"))
    playing = game(ruleset, options, layers)
    files = [Path(scene_named(ruleset, name)) for name in scenes]
    made = [_scene(ruleset, scene_file.read(file), options, layers) for file in files]
    serve(playing, sys.stdin.buffer, sys.stdout.buffer, with_traceback, made)


def _scene(
    ruleset: str, file: scene_file.SceneFile, options: tuple[str, ...], layers: tuple[str, ...]
) -> PlayableScene:
    """The scene of a file, under the house rules and options of the file and those of the command."""
    return scene_of(file, game(ruleset, options, layers, file))


def serve(
    playing: Game,
    calls: IO[bytes],
    replies: IO[bytes],
    with_traceback: bool = False,
    scenes: Iterable[PlayableScene] = (),
) -> None:
    """Answer every call with one line, in order, until `quit` or the end of the input. Calls may begin the `scenes`.

    An internal error is the reply to its call; `with_traceback` also writes its traceback on standard error.
    """
    host = HostSessions(playing, with_traceback, scenes)
    while line := calls.readline(MOST_BYTES + 1):
        if line.isspace():
            continue
        if len(line) > MOST_BYTES:
            while line and not line.endswith(b"\n"):
                line = calls.readline(MOST_BYTES)
            reply = _failed(PlayError(say.not_a_call(f"a line has at most {MOST_BYTES} bytes")), None)
        else:
            reply = host.reply(line)
        replies.write(json.dumps(reply, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        replies.flush()
        if host.closed:
            return


class HostSessions:
    """The sessions of one host, by name."""

    def __init__(self, playing: Game, with_traceback: bool = False, scenes: Iterable[PlayableScene] = ()) -> None:
        self.playing = playing
        self.scenes = {one.name: one for one in scenes}
        self.with_traceback = with_traceback
        self.sessions: dict[str, Session] = {}
        self.closed = False

    def reply(self, line: bytes) -> dict[str, Any]:
        """The reply to a call; errors are replies too."""
        tag = None
        try:
            call = _read(line)
            tag = call.get("tag")
            name = _text(call, "do")
            if name not in CALLS:
                raise PlayError(say.unknown_call(name, CALLS))
            done, known = CALLS[name]
            strange = next((key for key in call if key not in (*known, "do", "tag", "session")), None)
            if strange is not None:
                raise PlayError(say.not_a_call(f"`{name}` takes no `{strange}`", _takes(call)))
            made = done(self, call)
        except HouseruleError as error:
            return _failed(error, tag)
        except Exception as error:
            if self.with_traceback:
                traceback.print_exception(error, file=sys.stderr)
            return _failed(PlayError(diagnostic_of(error, "the call")), tag)
        return {"ok": True, **({"tag": tag} if tag is not None else {}), **made}

    def of(self, call: Mapping[str, Any]) -> Session:
        """The session of a call. Raises PlayError if there is none of its name."""
        name = _name(call)
        if name not in self.sessions:
            raise PlayError(say.unknown_session(name, self.sessions))
        return self.sessions[name]

    def scene(self, call: Mapping[str, Any]) -> PlayableScene:
        """The scene file that a call names. Raises PlayError if the host was not started with one of its name."""
        name = _text(call, "scene")
        if name not in self.scenes:
            raise PlayError(say.unknown_scene(name, self.scenes))
        return self.scenes[name]

    def fresh(self, call: Mapping[str, Any]) -> str:
        """The name for a new session. Raises PlayError if it is taken."""
        name = _name(call)
        if name in self.sessions:
            raise PlayError(say.session_there(name))
        return name


def _failed(error: HouseruleError, tag: Any) -> dict[str, Any]:
    return {"ok": False, **({"tag": tag} if tag is not None else {}), "error": _told(error.diagnostics[0])}


def _told(one: Diagnostic) -> dict[str, Any]:
    return {"code": one.code, "message": one.message, "help": one.help}


def _read(line: bytes) -> Mapping[str, Any]:
    try:
        call = read_json(line, halves=True)
    except NotJson as error:
        raise PlayError(say.not_a_call(f"it is not JSON ({error})")) from None
    if not isinstance(call, dict):
        raise PlayError(say.not_a_call("it is not an object", 'write `{"do": "requests"}`'))
    return call


def _takes(call: Mapping[str, Any]) -> str:
    """What a call takes, or which calls there are."""
    name = call.get("do")
    if not isinstance(name, str) or name not in CALLS:
        return f"`do` names the call, one of {', '.join(f'`{one}`' for one in CALLS)}"
    known = CALLS[name][1]
    return f"`{name}` takes {', '.join(f'`{one}`' for one in known)}" if known else f"`{name}` takes nothing"


def _text(call: Mapping[str, Any], key: str) -> str:
    value = call.get(key)
    if not isinstance(value, str):
        raise PlayError(say.not_a_call(f"`{key}` is {'missing' if value is None else 'no text'}", _takes(call)))
    return value


def _name(call: Mapping[str, Any]) -> str:
    return _text({"session": USUAL, **call}, "session")


def _maybe(call: Mapping[str, Any], key: str, kind: type, what: str) -> Any:
    """The value of a key, or None. Raises PlayError if it has another type."""
    value = call.get(key)
    if value is not None and (not isinstance(value, kind) or (kind is int and isinstance(value, bool))):
        raise PlayError(say.not_a_call(f"`{key}` is no {what}"))
    return value


def _player(call: Mapping[str, Any]) -> str | None:
    player: str | None = _maybe(call, "player", str, "text")
    return player


# The calls -------------------------------------------------------------------------------------------------------

Reply = dict[str, Any]


def _asks(session: Session, player: str | None) -> Reply:
    open_ = session.requests if player is None else session.asked(player)
    begun, _ = session.turn
    return {"requests": [one.to_data() for one in open_], **({"round": begun} if begun else {}), "over": session.over}


def _begin(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    name, playing = host.fresh(call), host.playing
    things = _maybe(call, "things", dict, "object")
    saved = _maybe(call, "state", dict, "object")
    if things is not None and saved is not None:
        raise PlayError(say.not_a_call("`things` and `state` are both given", "give one: a state has its things"))
    players = _maybe(call, "players", dict, "object") or {}
    if not all(isinstance(names, (str, list)) for names in players.values()):
        raise PlayError(say.not_a_call("`players` has another form", "write each with a list of things and roles"))
    if "scene" in call:
        host.sessions[name] = _begun(host, call, players if "players" in call else None)
        return _asks(host.sessions[name], None)
    state = playing.state(saved) if saved is not None else playing.state(things) if things is not None else None
    host.sessions[name] = playing.begin(
        _text(call, "rule"),
        state=state,
        players=players,
        seed=_maybe(call, "seed", int, "whole number"),
        dice=_maybe(call, "dice", str, "text") or "chance",
        policy=_maybe(call, "policy", str, "text"),
        inputs=_maybe(call, "given", dict, "object"),
    )
    return _asks(host.sessions[name], None)


def _begun(host: HostSessions, call: Mapping[str, Any], players: Mapping[str, Any] | None) -> Session:
    """A session of a scene file that the host was started with."""
    strange = next((key for key in ("rule", "given", "things", "state") if key in call), None)
    if strange is not None:
        raise PlayError(say.not_a_call(f"`scene` stands for all of a scene file, and `{strange}` is given, too"))
    return host.scene(call).begin(
        players=players,
        seed=_maybe(call, "seed", int, "whole number"),
        dice=_maybe(call, "dice", str, "text") or "chance",
        policy=_maybe(call, "policy", str, "text"),
    )


def _possible(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    found = host.of(call).possible(_maybe(call, "actor", str, "text"), _player(call))
    return {"possible": [{"actor": who, **possible_data(one)} for who, actions in found.items() for one in actions]}


def _why_not(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    found = host.of(call).why_not(_text(call, "actor"), _text(call, "action"), _player(call))
    return {"why_not": _told(found) if found is not None else None}


def _explain(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    if "rule" not in call:
        return {"lines": overview(host.playing.program)}
    return {"lines": explained(host.playing.program, None, _text(call, "rule"))}


def _scenes(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    told = [(one.name, one.title, one.about, one.players) for one in host.scenes.values()]
    return {
        "scenes": [
            {"scene": name, "title": title, "about": about, "players": {who: list(has) for who, has in players.items()}}
            for name, title, about, players in told
        ]
    }


def _resume(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    name, saved = host.fresh(call), _maybe(call, "saved", dict, "object")
    policy = _maybe(call, "policy", str, "text")
    playing = host.scene(call).game if "scene" in call else host.playing
    host.sessions[name] = playing.resume(saved or {}, policy=policy)
    return _asks(host.sessions[name], None)


def _requests(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    return _asks(host.of(call), _player(call))


def _answer(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    session, player = host.of(call), _player(call)
    if "value" not in call:
        raise PlayError(say.not_a_call("`value` is missing", _takes(call)))
    until = _maybe(call, "until", str, "text")
    for_all = _maybe(call, "for_all", bool, "yes or no") or False
    for_everybody = _maybe(call, "for_everybody", bool, "yes or no") or False
    session.answer(_text(call, "request"), call["value"], player, until, for_all, for_everybody)
    return _asks(session, player)


def _refuse(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    session, player = host.of(call), _player(call)
    session.refuse(_text(call, "until"), player)
    return _asks(session, player)


def _standing(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    session, player = host.of(call), _player(call)
    refused = session.refuses(player)
    stands = [
        {**one.to_data(), "question": session.question_of(one), "spent": list(session.spent_of(one))}
        for one in session.standing(player)
    ]
    return {"standing": stands, **({"refuses": refused} if refused is not None else {})}


def _ask_again(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    host.of(call).ask_again(_player(call))
    return {}


def _undo(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    host.of(call).undo()
    return _asks(host.of(call), None)


def _redo(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    host.of(call).redo()
    return _asks(host.of(call), None)


def _lines(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    first = _maybe(call, "from", int, "whole number") or 0
    told = [one for one in host.of(call).lines(_player(call)) if not one.quiet]
    return {"lines": [_line(one) for one in told[max(first, 0) :]]}


def _line(one: Line) -> Reply:
    return {"depth": one.depth, "kind": one.kind, "name": one.name, "text": one.text, "path": one.path,
            "shown": str(one)}  # fmt: skip


def _view(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    return {"things": host.of(call).view(_player(call))}


def _look(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    from interpreter.values import to_data

    return {"value": to_data(host.of(call).look(_text(call, "expression")))}


def _log(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    return {"log": [one.to_data() for one in host.of(call).log]}


def _result(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    result = host.of(call).result
    return {"result": result.to_data() if result is not None else None}


def _save(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    return {"saved": host.of(call).to_data()}


def _forget(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    host.of(call)
    del host.sessions[_name(call)]
    return {}


def _names(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    return {"sessions": list(host.sessions)}


def _quit(host: HostSessions, call: Mapping[str, Any]) -> Reply:
    host.closed = True
    return {}


CALLS: dict[str, tuple[Callable[[HostSessions, Mapping[str, Any]], Reply], tuple[str, ...]]] = {
    "begin": (_begin, ("rule", "given", "things", "state", "scene", "players", "seed", "dice", "policy")),
    "resume": (_resume, ("saved", "scene", "policy")),
    "requests": (_requests, ("player",)),
    "answer": (_answer, ("request", "value", "player", "until", "for_all", "for_everybody")),
    "refuse": (_refuse, ("until", "player")),
    "standing": (_standing, ("player",)),
    "ask_again": (_ask_again, ("player",)),
    "undo": (_undo, ()),
    "redo": (_redo, ()),
    "lines": (_lines, ("player", "from")),
    "view": (_view, ("player",)),
    "look": (_look, ("expression",)),
    "possible": (_possible, ("actor", "player")),
    "why_not": (_why_not, ("actor", "action", "player")),
    "explain": (_explain, ("rule",)),
    "scenes": (_scenes, ()),
    "log": (_log, ()),
    "result": (_result, ()),
    "save": (_save, ()),
    "forget": (_forget, ()),
    "sessions": (_names, ()),
    "quit": (_quit, ()),
}
"""Every call, with its keys besides `do`, `tag` and `session`."""

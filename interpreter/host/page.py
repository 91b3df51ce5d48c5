"""The calls of a page in the browser: a workbench, and sessions of the scenes of its game, as JSON in and JSON out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.host import sessions
from interpreter.host.call import Call, CallTable, Reply, optional_seed, optional_value, text
from interpreter.host.chances import Tail
from interpreter.host.sessions import HostSessions
from interpreter.host.workbench import SECONDS, Workbench, bundled_files, bundled_games

GOALS = ("best", "worst")
TAILS: Mapping[str, Tail] = {"exactly": "chance", "at_least": "at_least", "at_most": "at_most"}
"""How the law of a number is told."""


class Page:
    """One page: its workbench, and the sessions that are played at it."""

    def __init__(self, folder: Path) -> None:
        self.bench = Workbench(folder)
        self._sessions: HostSessions | None = None

    @property
    def sessions(self) -> HostSessions:
        """The sessions of the game as it is now; those of an earlier text of it go on as they began."""
        game = self.bench.rules().game
        if self._sessions is None:
            self._sessions = HostSessions(game)
        self._sessions.playing = game
        self._sessions.scenes = {one.name: one for one in self.bench.scenes()}
        return self._sessions

    def reply(self, call: str) -> str:
        """The reply to a call, both as JSON."""
        return json.dumps(CALLS.reply(self, call), ensure_ascii=False)


def _as_reply(value: Any) -> Reply:
    assert is_dataclass(value) and not isinstance(value, type)
    return asdict(value)


def _texts(call: Call, key: str) -> dict[str, str]:
    """An object of texts. Raises PlayError for anything else."""
    value = optional_value(call, key, dict, "object") or {}
    wrong = next((name for name, one in value.items() if not isinstance(one, str)), None)
    if wrong is not None:
        raise PlayError(say.not_a_call(f"`{wrong}` of `{key}` is no text"))
    return dict(value)


def _one_of(call: Call, key: str, known: Iterable[str], otherwise: str | None = None) -> str:
    value = text({key: otherwise, **call} if otherwise is not None else call, key)
    known = list(known)
    if value not in known:
        raise PlayError(say.not_a_call(f"`{key}` is `{value}`", f"it is one of {', '.join(known)}"))
    return value


def _seconds(call: Call) -> float:
    value = call.get("seconds", SECONDS)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 60:
        raise PlayError(say.not_a_call("`seconds` is no number between 0 and 60"))
    return float(value)


def _place(call: Call) -> int:
    at = optional_value(call, "at", int, "whole number")
    if at is None or at < 0:
        raise PlayError(say.not_a_call("`at` is no place of the text"))
    return int(at)


def _check(page: Page, call: Call) -> Reply:
    return _as_reply(page.bench.check(_texts(call, "files"), text(call, "main")))


def _odds(page: Page, call: Call) -> Reply:
    tail = TAILS[_one_of(call, "tail", TAILS, "exactly")]
    of = optional_value(call, "of", str, "text")
    return _as_reply(page.bench.odds(text(call, "mechanic"), _texts(call, "inputs"), of, tail, _seconds(call)))


def _sweep(page: Page, call: Call) -> Reply:
    values = optional_value(call, "values", list, "list") or []
    if not all(isinstance(one, str) for one in values):
        raise PlayError(say.not_a_call("`values` are no texts"))
    of = optional_value(call, "of", str, "text")
    points = page.bench.sweep(text(call, "mechanic"), _texts(call, "inputs"), text(call, "along"), values, of)
    return {"points": [_as_reply(one) for one in points]}


def _strategy(page: Page, call: Call) -> Reply:
    goal = _one_of(call, "goal", GOALS)
    return _as_reply(page.bench.strategy(text(call, "mechanic"), _texts(call, "inputs"), goal, text(call, "of")))


def _roll(page: Page, call: Call) -> Reply:
    seed = optional_seed(call)
    return _as_reply(page.bench.roll(text(call, "mechanic"), _texts(call, "inputs"), seed))


def _complete(page: Page, call: Call) -> Reply:
    options = page.bench.complete(text(call, "file"), text(call, "text"), _place(call))
    return {"options": [_as_reply(one) for one in options]}


def _hover(page: Page, call: Call) -> Reply:
    found = page.bench.hover(text(call, "file"), text(call, "text"), _place(call))
    return {"hover": _as_reply(found) if found is not None else None}


def _base(page: Page, _: Call) -> Reply:
    found = page.bench.base_text()
    return {"base": _as_reply(found) if found is not None else None}


def _book(page: Page, _: Call) -> Reply:
    return {"html": page.bench.book()}


def _list_games(_: Page, __: Call) -> Reply:
    return {"games": [_as_reply(one) for one in bundled_games()]}


def _files(_: Page, call: Call) -> Reply:
    return _as_reply(bundled_files(text(call, "name")))


def _session_entry(name: str) -> tuple[Callable[[Page, Call], Reply], tuple[str, ...]]:
    function, keys = sessions.CALLS.entries[name]
    return lambda page, call: function(page.sessions, call), keys


CALLS: CallTable[Page] = CallTable(
    {
        **{name: _session_entry(name) for name in sessions.CALLS.entries if name != "quit"},
        "check": (_check, ("files", "main")),
        "odds": (_odds, ("mechanic", "inputs", "of", "tail", "seconds")),
        "sweep": (_sweep, ("mechanic", "inputs", "along", "values", "of")),
        "strategy": (_strategy, ("mechanic", "inputs", "goal", "of")),
        "roll": (_roll, ("mechanic", "inputs", "seed")),
        "complete": (_complete, ("file", "text", "at")),
        "hover": (_hover, ("file", "text", "at")),
        "base": (_base, ()),
        "book": (_book, ()),
        "bundled": (_list_games, ()),
        "files": (_files, ("name",)),
    }
)
"""Every call of a page, with its keys besides `do`, `tag` and `session`; those that it has not are as for any host."""

FOLDER = Path("/page")
"""Where the files of a page lie in the file system of the browser's worker."""

_page: Page | None = None


def reply(call: str) -> str:
    """The reply to a call of the one page of this process, which lies in `FOLDER`."""
    global _page
    if _page is None:
        FOLDER.mkdir(exist_ok=True)
        _page = Page(FOLDER)
    return _page.reply(call)

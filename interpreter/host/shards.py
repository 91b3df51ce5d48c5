"""Sessions in processes of their own, so that a call that takes too much ends its process and loses nothing.

Each shard is one process of `interpreter.workers`, and the sessions whose names fall to it. A session is what its calls
made of it: a shard keeps the calls that changed each, and makes them again in the next process where one was ended.

The first shard is for what may take long, so that nobody else waits for it: questions that are about no session, and
the sessions of which a call has taken more than a part of the budget. Such a call is made again there, with all of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from queue import Queue
from threading import Thread
from zlib import crc32

from interpreter import diagnostics as say
from interpreter.api.game import Game
from interpreter.api.playable_scene import PlayableScene
from interpreter.budget import Budget, within_rest
from interpreter.diagnostics import BudgetExceeded, PlayError
from interpreter.frozen import dataclass
from interpreter.host.call import Call, Reply, failure
from interpreter.host.sessions import USUAL, HostSessions
from interpreter.runtime.rng import fresh_seed
from interpreter.syntax.json_text import NotJson, read_json
from interpreter.workers import Workers
from interpreter.workers.pool import WorkerNotStarted

OPENS = ("begin", "resume")
CHANGES = ("answer", "react", "refuse", "ask", "ask_again", "master", "undo", "redo")
"""The calls that change a session."""
MOST_CALLS = 200
"""Of how many calls a session is made again; of more, a save takes the place."""

_here: dict[str, HostSessions] = {}
"""In the process of a shard: its sessions."""


def open_sessions(playing: Game, scenes: Sequence[PlayableScene], with_traceback: bool) -> None:
    """Begin without sessions, in the process of a shard."""
    _here[""] = HostSessions(playing, with_traceback, scenes)


class NotOpened(Exception):
    """A process that took the place of one that has ended."""


def reply_here(line: bytes | str, share: float = 1.0) -> Reply:
    """The reply to a call within a share of the budget, in the process of a shard.

    Raises NotOpened in a process without its sessions.
    """
    if not _here:
        raise NotOpened
    with within_rest(share):
        return _here[""].reply(line)


class Shard:
    """One process with sessions."""

    def __init__(self, playing: Game, scenes: Sequence[PlayableScene], with_traceback: bool, budget: Budget) -> None:
        self._opened = False
        self._begin = playing, scenes, with_traceback
        self._workers = Workers(1, budget)
        self._calls: dict[str, list[str]] = {}

    @property
    def workers(self) -> Workers:
        """The process."""
        return self._workers

    @property
    def sessions(self) -> list[str]:
        """The names of the sessions."""
        return list(self._calls)

    def reply(self, line: bytes) -> Reply:
        """The reply to a call; where it takes too much, that is the reply, and the sessions are as they were before."""
        return self.reply_to(call_in(line), line)

    def reply_to(self, call: Call, line: bytes, share: float = 1.0) -> Reply:
        """The same for a call whose line was read, within a share of the budget."""
        text: bytes | str = line
        if call.get("do") == "begin" and call.get("seed") is None and call.get("dice") in (None, "chance"):
            call = {**call, "seed": fresh_seed()}  # the same dice must fall where it is made again
            text = json.dumps(call)
        try:
            reply = self._reply_of_process(text, share)
            if reply["ok"]:
                self._keep(call)
        except (BudgetExceeded, BrokenExecutor) as error:
            self._opened = False
            return {**tag_of(call), **failure(_refusal(error))}
        return reply

    def _reply_of_process(self, line: bytes | str, share: float = 1.0) -> Reply:
        self._open()
        try:
            return self._workers.submit(reply_here, line, share).result()
        except NotOpened:
            self._opened = False
            self._open()
            return self._workers.submit(reply_here, line, share).result()

    def _open(self) -> None:
        """Make the sessions again where the process is a new one."""
        if self._opened:
            return
        self._workers.submit(open_sessions, *self._begin).result()
        for calls in self._calls.values():
            for one in calls:
                self._workers.submit(reply_here, one).result()
        self._opened = True

    def _keep(self, call: Call) -> None:
        """Keep a call by which a session became what it is."""
        name, what = call.get("session", USUAL), call.get("do")
        if what == "forget":
            self._calls.pop(name, None)
        elif what in OPENS:
            self._calls[name] = [json.dumps({**call, "tag": None})]
        elif what in CHANGES:
            self._calls[name].append(json.dumps({**call, "tag": None}))
            if len(self._calls[name]) > MOST_CALLS:
                self._keep_save(name)

    def _keep_save(self, name: str) -> None:
        opened = json.loads(self._calls[name][0])
        kept = {key: opened[key] for key in ("scene", "policy") if key in opened}
        asked = json.dumps(
            {"do": "save", "viewer": "host", "session": name, "with_rules": bool(opened.get("own_rules"))}
        )
        saved = self._workers.submit(reply_here, asked).result()["saved"]
        own = {"own_rules": True} if opened.get("own_rules") else {}
        self._calls[name] = [json.dumps({"do": "resume", "session": name, "saved": saved, **kept, **own})]

    def give_up(self, session: str) -> list[str]:
        """The calls that made a session, which is forgotten here."""
        with suppress(BudgetExceeded, BrokenExecutor):
            self._reply_of_process(json.dumps({"do": "forget", "session": session}))
        return self._calls.pop(session)

    def take_over(self, session: str, calls: list[str]) -> None:
        """Make a session that another shard gives up."""
        self._calls[session] = calls
        if self._opened:
            for one in calls:
                self._workers.submit(reply_here, one).exception()

    def close(self) -> None:
        """End the process."""
        self._workers.shutdown()


def call_in(line: bytes) -> Call:
    """The call of a line; empty where it is none, which its reply says."""
    try:
        call = read_json(line, halves=True)
    except NotJson:
        return {}
    return call if isinstance(call, Mapping) else {}


def tag_of(call: Call) -> Reply:
    """What the reply to a call repeats."""
    return {"tag": call["tag"]} if call.get("tag") is not None else {}


def _refusal(error: BudgetExceeded | BrokenExecutor) -> BudgetExceeded | PlayError:
    if isinstance(error, BudgetExceeded):
        return error
    return PlayError(say.process_ended(str(error) if isinstance(error, WorkerNotStarted) else ""))


QUESTIONS = ("check", "problems", "roll", "act", "odds", "compare", "simulate", "explain", "adopt", "scenes")
"""The calls that are about no session, unless they have a `viewer`."""
QUICK = 0.1
"""The share of the budget that a call may take where others wait for it."""
MOST_WAITING = 100
"""How many calls wait for one process before no further call is read."""


@dataclass(frozen=True)
class _Entry:
    """A call that waits for a shard, or a session that is to move there, with the calls that made it."""

    call: Call
    line: bytes
    moves: tuple[str, list[str]] | None = None


class ShardedHost:
    """The sessions of one host in several processes; `write` is given each reply, by several threads."""

    def __init__(
        self,
        number: int,
        budget: Budget,
        playing: Game,
        write: Callable[[Reply], None],
        with_traceback: bool = False,
        scenes: Iterable[PlayableScene] = (),
    ) -> None:
        listed = list(scenes)
        self._write = write
        self._shards = [Shard(playing, listed, with_traceback, budget) for _ in range(number)]
        self._waiting: list[Queue[_Entry | None]] = [Queue(MOST_WAITING) for _ in self._shards]
        self._slow: set[str] = set()
        """The sessions that have moved to the first shard."""
        self._threads = [Thread(target=self._serve, args=(place,), daemon=True) for place in range(number)]
        self._quit: Call | None = None
        for thread in self._threads:
            thread.start()

    def take(self, line: bytes) -> bool:
        """Have a call answered. False after the last one."""
        call = call_in(line)
        match call.get("do"):
            case "quit":
                self._quit = call
                return False
            case "sessions":
                names = [name for shard in self._shards for name in shard.sessions]
                self._write({"ok": True, **tag_of(call), "sessions": names})
            case _:
                self._waiting[self._place_of(call)].put(_Entry(call, line))
        return True

    def _place_of(self, call: Call) -> int:
        others = len(self._shards) - 1
        name = call.get("session", USUAL)
        if not others or not isinstance(name, str) or (call.get("do") in QUESTIONS and "viewer" not in call):
            return 0
        return 1 + crc32(name.encode("utf-8", "replace")) % others

    def _serve(self, place: int) -> None:
        shard = self._shards[place]
        while (one := self._waiting[place].get()) is not None:
            name = one.call.get("session", USUAL)
            if one.moves is not None:
                shard.take_over(*one.moves)
            elif place and name in self._slow:  # it came here first, so that calls of a session keep their order
                if one.call.get("do") == "forget":
                    self._slow.discard(name)
                self._waiting[0].put(one)
            else:
                reply = shard.reply_to(one.call, one.line, QUICK if place else 1.0)
                if place and _took_too_much(reply):
                    self._move(name, shard)
                    self._waiting[0].put(one)
                else:
                    self._write(reply)

    def _move(self, name: str, shard: Shard) -> None:
        """Move a session to the first shard; that of a call which was to begin it goes there, too."""
        self._slow.add(name)
        if name in shard.sessions:
            self._waiting[0].put(_Entry({}, b"", (name, shard.give_up(name))))

    def close(self) -> None:
        """Answer what waits, and end the processes."""
        for place in (*range(1, len(self._shards)), 0):  # the others may still move sessions to the first
            self._waiting[place].put(None)
            self._threads[place].join()
            self._shards[place].close()
        if self._quit is not None:
            self._write({"ok": True, **tag_of(self._quit)})


def _took_too_much(reply: Reply) -> bool:
    return not reply["ok"] and reply["error"]["code"] in TOO_MUCH


TOO_MUCH = ("HR638", "HR639")
"""The codes of calls that took more than they may."""

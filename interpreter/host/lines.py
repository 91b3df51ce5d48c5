"""Calls as lines of JSON on one stream, and their replies as lines on another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from threading import Lock
from typing import IO

from interpreter import diagnostics as say
from interpreter.api.game import Game
from interpreter.api.playable_scene import PlayableScene
from interpreter.budget import Budget
from interpreter.diagnostics import PlayError
from interpreter.host.call import Reply, failure
from interpreter.host.sessions import HostSessions
from interpreter.host.shards import ShardedHost
from interpreter.shown_text import in_json

MOST_BYTES = 1 << 24
"""The largest size of a line; a saved long fight fits into it."""


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
    for line in _lines(calls):
        _write(replies, host.reply(line) if line is not None else _TOO_LONG)
        if host.closed:
            return


def serve_in_processes(
    number: int,
    budget: Budget,
    playing: Game,
    calls: IO[bytes],
    replies: IO[bytes],
    with_traceback: bool = False,
    scenes: Iterable[PlayableScene] = (),
) -> None:
    """The same with the sessions in so many processes, each call within the budget.

    Replies to calls of one session come in the order of the calls; others may come in between, so that a program
    tells them apart by their tags. See `ShardedHost`.
    """
    turn = Lock()

    def write(reply: Reply) -> None:
        with turn:
            _write(replies, reply)

    host = ShardedHost(number, budget, playing, write, with_traceback, scenes)
    try:
        for line in _lines(calls):
            if line is None:
                write(_TOO_LONG)
            elif not host.take(line):
                break
    finally:
        host.close()


_TOO_LONG = failure(PlayError(say.not_a_call(f"a line has at most {MOST_BYTES} bytes")))


def _lines(calls: IO[bytes]) -> Iterator[bytes | None]:
    """The lines that are no empty ones; None for one that is too long."""
    while line := calls.readline(MOST_BYTES + 1):
        if len(line) > MOST_BYTES:
            while line and not line.endswith(b"\n"):
                line = calls.readline(MOST_BYTES)
            yield None
        elif not line.isspace():
            yield line


def _write(replies: IO[bytes], reply: Reply) -> None:
    replies.write(in_json(reply).encode("utf-8", "replace") + b"\n")
    replies.flush()

"""Calls as lines of JSON on one stream, and their replies as lines on another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from interpreter import diagnostics as say
from interpreter.api.game import Game
from interpreter.api.playable_scene import PlayableScene
from interpreter.diagnostics import PlayError
from interpreter.host.call import failure
from interpreter.host.sessions import HostSessions
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
    while line := calls.readline(MOST_BYTES + 1):
        if line.isspace():
            continue
        if len(line) > MOST_BYTES:
            while line and not line.endswith(b"\n"):
                line = calls.readline(MOST_BYTES)
            reply = failure(PlayError(say.not_a_call(f"a line has at most {MOST_BYTES} bytes")))
        else:
            reply = host.reply(line)
        replies.write(in_json(reply).encode("utf-8", "replace") + b"\n")
        replies.flush()
        if host.closed:
            return

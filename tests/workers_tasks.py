"""Tasks for the tests of workers, as a host would have them."""

from __future__ import annotations

import os
import sys
import time

import interpreter
from interpreter.host import shards

RULES = "ruleset: a\nmechanics: {m: {steps: {r: {roll: d6}}, outcomes: {high: r > 3, low: otherwise}}}"


def outcome(text: str) -> str | None:
    return interpreter.loads(text).roll("m", seed=1).outcome


def spin() -> None:
    """Work that no meter counts."""
    while True:
        pass


def grow() -> None:
    held = []
    while True:
        held.append(bytearray(1 << 20))


def refuse() -> None:
    raise ValueError("no")


def end_process() -> None:
    os._exit(3)


def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "slept"


def process() -> int:
    return os.getpid()


def write_file(path: str) -> None:
    with open(path, "w") as file:
        file.write("x")
        file.flush()


def spin_at(line: str, share: float) -> None:
    spin()


def reply_or_spin(line: str | bytes, share: float = 1.0) -> object:
    """The reply to a call, unless it asks for what never ends."""
    if b"spin" in (line if isinstance(line, bytes) else line.encode()):
        spin()
    return shards.reply_here(line, share)


def end_process_at(line: str, share: float) -> None:
    end_process()


def say(text: str) -> str:
    """Print, and read what nobody has typed."""
    print(text, flush=True)
    return text + sys.stdin.read()

"""The page on embedding promises a budget of time and memory, and shows a host what holds where nobody counts; what it
says that holds is held here and in the tests of strangers' files."""

from __future__ import annotations

import sys
from pathlib import Path

import interpreter

PAGE = (Path(__file__).parent.parent.parent / "docs" / "embedding.md").read_text("utf-8")


def section() -> str:
    return PAGE.split("## Untrusted rulesets")[1].split("\n## ")[0]


def test_the_page_does_not_promise_that_a_stranger_may_be_played_anywhere() -> None:
    assert "so a ruleset from a stranger may be played" not in PAGE
    assert "not bounded" not in section() and "Budget" in section()
    assert "interpreter.Workers" in section()


def test_playing_opens_no_file_and_starts_no_process() -> None:
    game = interpreter.loads(
        "ruleset: quiet\n"
        "mechanics: {m: {inputs: {n: {type: number, default: 2}}, steps: {die: {roll: d6}, x: die * n}}}\n"
    )
    game.roll("m", seed=1)  # what is made ready once is made ready now
    seen: list[str] = []
    watching = True

    def watch(event: str, arguments: tuple[object, ...]) -> None:
        if watching and event.split(".")[0] in ("open", "socket", "subprocess", "os", "shutil", "ctypes"):
            seen.append(f"{event} {arguments!r}"[:120])

    sys.addaudithook(watch)
    try:
        game.roll("m", n=3, seed=2)
        game.roll("m", n="2 + 2", faces=[3])
        again = interpreter.loads("ruleset: quiet\nmechanics: {m: {steps: {die: {roll: d6}}}}\n")
        again.roll("m", seed=1)
    finally:
        watching = False
    assert seen == []

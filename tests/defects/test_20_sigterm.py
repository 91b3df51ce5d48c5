"""A command that SIGTERM stops tells and keeps what one that Ctrl-C stops does; its exit code is 143."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from terminal import Terminal

COUNTED = re.compile(r"simulating .*\d:\d\d:\d\d")
"""A bar that says how long it will take: it can when a second chunk has been counted."""

CONTEST = ("jadeclaw", "contest", "own=d8", "against=d6")


@pytest.mark.parametrize(("workers", "everything"), [("1", False), ("2", False), ("2", True)])
def test_a_simulation_shows_what_was_counted(workers: str, everything: bool) -> None:
    words = ["simulate", *CONTEST, "--runs", str(10**12), "--workers", workers]
    with Terminal(*words, kind="xterm", piped=True) as at:
        at.sees(COUNTED)
        at.terminates(everything)
        at.sees(re.compile(r"stopped after [1-9]\d* of 1000000000000 runs"))
        assert at.ends() == 143
        assert at.gave_the_cursor_back and "Traceback" not in at.seen
        out = at.out
    assert out.startswith("jadeclaw contest own=d8 against=d6: simulated,") and "success" in out


def test_a_sweep_says_how_far_it_came() -> None:
    words = ["sweep", *CONTEST[:2], "against=d6", "--over", "own=d8,d10", "--method", "simulate"]
    words += ["--runs", str(10**12)]
    with Terminal(*words, kind="xterm", piped=True) as at:
        at.sees(COUNTED)
        at.terminates()
        at.sees(re.compile(r"stopped after [1-9]\d* of 2000000000000 runs"))
        assert at.ends() == 143


def test_a_scene_at_the_terminal_is_saved(tmp_path: Path) -> None:
    scene = Path(__file__).parent.parent.parent / "rulesets" / "fiend-wake" / "scenes"
    file = sorted(scene.glob("*.yaml"))[0]
    with Terminal("play", "fiend-wake", str(file), "--save", str(tmp_path / "left.json")) as at:
        at.sees("> ")
        at.terminates()
        at.sees("stopped")
        assert at.ends() == 143
    assert (tmp_path / "left.json").read_text("utf-8").startswith("{")

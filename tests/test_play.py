"""`houserule play` as people use it: in a terminal of its own, prompted, with a save, a load and an undo in between."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pty = pytest.importorskip("pty", reason="there are no terminals of this kind here")

from terminal import Terminal  # noqa: E402

from interpreter import PlayError, loads  # noqa: E402
from interpreter.cli.master_commands import obey_master  # noqa: E402
from interpreter.cli.play import for_players  # noqa: E402
from interpreter.cli.report import as_text  # noqa: E402
from interpreter.cli.terminal import PREVIOUS_LINE  # noqa: E402

SCENES = Path(__file__).parent.parent / "rulesets" / "fiend-wake" / "scenes"
COMMAND = [sys.executable, "-c", "from interpreter.cli import main; main()"]
PROMPT = re.compile(r"> $")
LONGEST = 240
"""How many seconds one play may take."""


def played(words: list[str], answer: Callable[[str], str]) -> tuple[str, int]:
    """All that stands on the terminal in the end, without what was typed, and how often something was asked."""
    child, terminal = pty.fork()
    if child == 0:
        # Where lines are edited, the prompt is written again when a key was pressed, and would be answered twice.
        os.environ.update(NO_COLOR="1", COLUMNS="100", PYTHONUTF8="1", TERM="dumb")
        os.execv(COMMAND[0], [*COMMAND, "play", *words])
    told, seen, asked, until = "", 0, 0, time.monotonic() + LONGEST
    while time.monotonic() < until:
        if not select.select([terminal], [], [], 5)[0]:
            continue
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:  # so a terminal says that nobody is at its other end any more
            break
        if not data:
            break
        told += data.decode("utf-8", "replace").replace("\r\n", "\n")
        if PROMPT.search(told, seen):
            asked += 1
            os.write(terminal, f"{answer(told[seen:])}\n".encode())
            seen = len(told)
    os.close(terminal)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0, told[-2000:]
    return told, asked


def usual(page: str) -> str:
    """What somebody types who wants to fight: attacks by the number in the list, else what stands in brackets, or what
    comes first."""
    listed = re.findall(r"^ +(\d+)  (\S+)", page.rpartition("\n\n")[2], re.MULTILINE)
    for number, word in listed:
        if word in ("ranged_attack", "melee_attack", "arm_yourself"):
            return str(number)
    if "[" in page.rpartition("\n")[2]:
        return ""
    numbers = re.search(r"^  (-?\d+)(?:, -?\d+)*$", page.rpartition("\n\n")[2], re.MULTILINE)
    return numbers[1] if numbers else "1" if listed else ""


@pytest.mark.thorough
def test_a_fight_of_four_against_four_is_played_to_its_end(tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    script = {5: ":save " + str(saved), 6: "", 9: ":undo", 12: ":load " + str(saved)}
    turn = 0

    def answer(page: str) -> str:
        nonlocal turn
        turn += 1
        if turn > 300 and "agree to end the fight" in page.rpartition("\n\n")[2].lower():
            return "yes"  # the foes are down, and nobody else can end it
        return script[turn] if turn in script else usual(page)

    words = ["fiend-wake", str(SCENES / "four-against-four.yaml"), "--as", "anna", "--policy", "steady", "--seed", "3"]
    told, asked = played(words, answer)
    assert asked > 50
    assert "saved in" in told and "— undone: " in told and f"— loaded from {saved} —" in told
    assert re.search(r"^After \d+ rounds?: .+$", told, re.MULTILINE)
    assert "Round 2" in told
    assert "HR" not in told  # nothing that was typed was refused


SALE = """\
ruleset: auction
title: A sale in the dark
kinds: {buyer: {has: {coins: {type: number, default: 9}}}}
things: {buyer: {ada: {}, bo: {}}}
scenes:
  sale:
    inputs: {buyers: {list_of: buyer}}
    round:
      bidding:
        steps:
          bids: {choose: number, from: 0, to: 9, by: buyers, default: 0, ask: "How much for the lamp?"}
    guard: 1
"""

EVENING = """\
state: evening
of: auction
title: An evening
scene: sale
given: {buyers: [ada, bo]}
players: {anna: [ada], ben: [bo]}
"""


@pytest.mark.parametrize(("kind", "hidden"), [("xterm", True), ("dumb", False)])
def test_a_secret_answer_is_put_out_of_sight_before_the_next_player_is_asked(
    tmp_path: Path, kind: str, hidden: bool
) -> None:
    (tmp_path / "auction.yaml").write_text(SALE, "utf-8")
    (tmp_path / "evening.yaml").write_text(EVENING, "utf-8")
    with Terminal("play", "auction.yaml", "evening.yaml", folder=tmp_path, kind=kind) as at:
        at.sees("anna, ada: How much for the lamp?")
        at.sees("> ")
        at.types("7")
        between = at.sees("ben, bo: How much for the lamp?")
        assert (f"{PREVIOUS_LINE}> (hidden until all have answered)" in between) == hidden
        at.sees("> ")
        at.types("3")
        end = at.sees("over after 1 round")
        assert PREVIOUS_LINE not in end  # nobody is asked after the last
        assert ("ada: How much for the lamp? 7" in end) == hidden  # else it stands on the screen


def test_a_secret_answer_that_stands_is_put_out_of_sight_and_not_told_again(tmp_path: Path) -> None:
    (tmp_path / "auction.yaml").write_text(SALE.replace("guard: 1", "guard: 2"), "utf-8")
    (tmp_path / "evening.yaml").write_text(EVENING, "utf-8")
    with Terminal("play", "auction.yaml", "evening.yaml", folder=tmp_path, kind="xterm", size=(60, 24)) as at:
        at.sees("> ")
        at.types("7!scene")
        between = at.sees("ben, bo: How much for the lamp?")
        told = "  ada: “How much for the lamp?” is answered so until the\n    scene ends\n"
        assert f"{PREVIOUS_LINE}> (hidden until all have answered)\n{told}" in between
        assert "answered 7" not in between
        at.types("3!scene")
        end = at.sees("over after 2 rounds")
        assert "is answered 3 until" in end  # nobody is asked after the last


def test_a_refusal_tells_players_no_formula_and_no_place_in_the_rules() -> None:
    game = loads(
        """
ruleset: duel
kinds: {hero: {has: {luck: {type: number, default: 1}}}}
events: {blow: {inputs: {who: {title: whoever is hit, type: hero, where: it.luck > 1}}, steps: {die: {roll: d6}}}}
scenes:
  day:
    inputs: {hero: {type: hero}}
    round: {noon: {steps: {own: {turn: hero, steps: {does: {offer: [wait], to: hero}}}}}}
    guard: 1
actions: {wait: {actor: {type: hero}, steps: {over: 1}}}
"""
    )
    session = game.begin("day", state=game.state({"ann": {"is": "hero", "title": "Ann"}}), hero="ann", seed=1)
    with pytest.raises(PlayError) as refused:
        obey_master(session.master, "cause blow who=ann")
    problem = refused.value.diagnostic
    assert problem.help == "it must satisfy `it.luck > 1`"
    told = as_text(for_players(problem), lambda text, _: text)
    assert "HR605 `whoever is hit` cannot be `Ann`" in told and "luck" not in told and "duel" not in told

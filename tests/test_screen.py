"""What stands on the screen when somebody is asked in `houserule play`: no more than a screen holds."""

from __future__ import annotations

import os
import random
import re
import time
from pathlib import Path

import pytest

pytest.importorskip("pty", reason="there are no terminals of this kind here")

from terminal import Terminal

from interpreter.api import scene_file
from interpreter.cli.menu import MenuEntry, MenuPage, page_of
from interpreter.cli.prompt import Prompt, fit
from interpreter.cli.terminal import wrap

ROOT = Path(__file__).parent.parent / "rulesets"
WIDTH, HEIGHT = 80, 24
SIZE = os.terminal_size((WIDTH, HEIGHT))
SCENES = sorted((path.parent.parent.name, path.stem) for path in ROOT.glob("*/scenes/*.yaml"))
PROMPT = re.compile(r"> \Z")


def an_answer(prompt: str, pick: random.Random) -> str:
    """An answer to a prompt: Enter where it has a default, and mostly any entry of the menu."""
    line = prompt.rpartition("\n")[2]
    listed = re.findall(r"^ +(\d+)  ", prompt, re.MULTILINE)
    if listed and pick.random() < 0.6:
        return pick.choice(listed)
    number = re.search(r"(-?\d+) to -?\d+", line)
    return "" if "[" in line else listed[0] if listed else number[1] if number else "no"


def prompts_of(game: str, scene: str, seed: int, most: int) -> list[str]:
    """The prompts, from the empty line before each to the line for the answer, that a play shows at 80 by 24."""
    pick, shown = random.Random(seed), []
    with Terminal("play", game, scene, "--seed", str(seed), "--no-save", size=(WIDTH, HEIGHT)) as at:
        for _ in range(most):
            told = at.sees(re.compile(r"> \Z|^seed \d+$", re.MULTILINE))
            if not told.endswith("> "):
                break
            shown.append(told.rpartition("\n\n")[2])
            at.types(an_answer(shown[-1], pick))
    return shown


def check_heights(game: str, scene: str, seed: int, most: int) -> None:
    shown = prompts_of(game, scene, seed, most)
    assert len(shown) > 5
    for prompt in shown:
        lines = prompt.split("\n")
        assert len(lines) < HEIGHT and max(map(len, lines)) <= WIDTH, prompt
        assert not re.search(r"\b[a-z]+_[a-z_]+\b", prompt), prompt  # a name, where people read titles
        menu = [line for line in lines if re.match(r" +(\d+|…)  ", line)]
        assert len(menu) <= 12, prompt


@pytest.mark.parametrize(("game", "scene"), SCENES)
def test_a_scene_says_at_its_beginning_what_it_is_about(game: str, scene: str) -> None:
    about = scene_file.read(ROOT / game / "scenes" / f"{scene}.yaml").about
    assert about.endswith(".")
    with Terminal("play", game, scene, "--seed", "1", "--no-save", size=(1000, HEIGHT)) as at:
        assert about in at.sees(PROMPT).split("\n")


@pytest.mark.parametrize(("game", "scene"), SCENES)
def test_no_prompt_is_taller_than_the_screen(game: str, scene: str) -> None:
    check_heights(game, scene, seed=1, most=24)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize(("game", "scene"), SCENES)
def test_no_prompt_is_taller_than_the_screen_in_longer_plays(game: str, scene: str, seed: int) -> None:
    check_heights(game, scene, seed, most=150)


def of(*numbers: int) -> list[MenuEntry]:
    return [MenuEntry((f"entry {number}",)) for number in numbers]


def test_a_menu_of_any_length_is_shown_in_parts_and_its_last_entry_in_each() -> None:
    entries, seen, first = of(*range(1, 41)), set[str](), 0
    while True:
        page = page_of(entries, first, 12, WIDTH, last_stays=True)
        assert len(page.lines) <= 12 and page.lines[-1] == "entry 40"
        seen |= set(page.lines)
        first = page.next
        if not first:
            break
    assert {f"entry {number}" for number in range(1, 41)} <= seen
    assert page.lines[-2] == "   …  from the beginning: m"
    assert page_of(entries, 0, 12, WIDTH, last_stays=True).lines[-2:] == ("   …  29 more: m", "entry 40")
    assert page_of(entries[:12], 0, 12, WIDTH, last_stays=True) == MenuPage(tuple(f"entry {n}" for n in range(1, 13)))
    assert len(page_of(entries, 0, 0, 0, last_stays=True).lines) == 40  # where nobody knows how tall it is


def test_an_entry_is_as_full_as_the_width_allows() -> None:
    entry = MenuEntry(("Attack: with the axe, the imp (full)", "Attack: the imp (full)", "Attack"))
    assert [entry.line_for_width(width) for width in (0, 40, 30, 10, 5)] == [
        *(entry.forms[0],) * 2, entry.forms[1], "Attack", "Atta…"
    ]  # fmt: skip


@pytest.mark.parametrize("about", ["", "What follows. " * 10, "What follows. " * 200])
@pytest.mark.parametrize("number", [0, 1, 12, 13, 200])
@pytest.mark.parametrize("above", [0, 3, 40])
@pytest.mark.parametrize("question", ["Who?", "Who of you " * 60])
def test_a_prompt_has_room_on_a_screen(about: str, number: int, above: int, question: str) -> None:
    lines = tuple(f"  line {n} {'and more ' * (n % 12)}".rstrip() for n in range(above))
    prompt = Prompt(lines, question, about, tuple(of(*range(number))), "[none]>", offers=True)
    shown = fit(prompt, SIZE)
    text = "\n".join(["", *shown.above, question, *([shown.about] if about else []), *shown.page.lines, prompt.line])
    assert len(wrap(text, WIDTH).split("\n")) <= HEIGHT + (1 if about and not shown.about else 0)
    assert shown.above == lines[len(lines) - len(shown.above) :]  # the last are those that count
    assert fit(prompt, os.terminal_size((0, 0))).above == lines


MANY = (
    """
ruleset: kitchen
kinds:
  dish: {has: {portions: {type: number, default: 2}}}
  cook: {summary: [hands, tired, station], has: {hands: {type: points, to: 2, starts: 2, lasts: turn},
                                                 tired: {type: points, to: 9, starts: 0},
                                                 station: {type: text, default: stove}}}
actions:
"""
    + "".join(
        f"""  cook_{number}:
    title: Cook number {number}
    about: It smells of {number}.
    actor: {{type: cook}}
    inputs: {{dish: {{type: dish}}}}
    cost: {{hands: 1}}
    steps: {{hurts: {{gain: 1, to: actor.tired}}}}
"""
        for number in range(1, 21)
    )
    + """
  mop:
    title: Mop the floor
    about: It is wet for a while.
    actor: {type: cook}
    steps: {hurts: {gain: 1, to: actor.tired}}
scenes:
  day:
    inputs: {cooks: {list_of: cook, least: 1}}
    round:
      hours:
        steps:
          turns:
            for: one
            among: cooks
            each: {own: {turn: one, steps: {does: {offer: [CALLED, mop], to: one, ask: "What do you do?"}}}}
    outcomes: {evening: scene.round == 3}
""".replace("CALLED", ", ".join(f"cook_{number}" for number in range(1, 21)))
)
DAY = """
state: day
of: kitchen
scene: day
things: {cook: {ann: {title: Ann}}, dish: {soup: {}, pie: {}}}
given: {cooks: [ann]}
"""


def test_more_of_a_menu_and_one_entry_are_told_without_the_question_again(tmp_path: Path) -> None:
    (tmp_path / "kitchen.yaml").write_text(MANY)
    (tmp_path / "day.yaml").write_text(DAY)
    with Terminal("play", "kitchen.yaml", "day.yaml", "--seed", "1", folder=tmp_path, size=(WIDTH, HEIGHT)) as at:
        first = at.sees(PROMPT)
        assert (
            "  10  Cook number 10: soup or pie (hands: 1)\n   …  11 more: m\n  22  pass: do nothing more now\n" in first
        )
        assert "  Ann: station stove\n" in first
        assert first.endswith("\nAnn (hands 2/2, tired 0/9) such as 1 soup [pass]> ")
        at.types("m")
        second = at.sees(PROMPT)
        assert "\n  11  Cook number 11" in second and "   …  1 more: m\n" in second and "What do you do?" not in second
        at.types("m")
        third = at.sees(PROMPT)
        assert "\n  21  Mop the floor (free)\n   …  from the beginning: m\n" in third and "  20  " not in third
        for text in ("? 21", "? mop", "? Mop the floor"):
            at.types(text)
            told = at.sees(PROMPT)
            assert "Mop the floor (free)\nMop the floor. It is wet for a while.\n" in told, told
            assert "What do you do?" not in told and "Cook number" not in told
        at.types("20")  # which the first part does not show
        at.sees("Ann: Cook number 20: dish?")
        at.sees("Ann (hands 2/2, tired 0/9)> ")
        at.types(":undo")
        at.sees("— undone: Ann: What do you do? Cook number 20 —")
        at.sees(PROMPT)
        at.types("20")
        at.sees("Ann (hands 2/2, tired 0/9)> ")
        at.types("x")
        at.sees("HR620")
        assert "  pie" not in at.sees("Ann (hands 2/2, tired 0/9)> ")
        at.types(":quit")
        assert at.ends() == 0


def test_several_lines_that_are_pasted_answer_one_question_each(tmp_path: Path) -> None:
    (tmp_path / "kitchen.yaml").write_text(MANY)
    (tmp_path / "day.yaml").write_text(DAY)
    with Terminal("play", "kitchen.yaml", "day.yaml", "--seed", "1", folder=tmp_path, size=(WIDTH, HEIGHT)) as at:
        at.sees(PROMPT)
        at.types("20\nsoup\npass\n:look")
        at.sees("Cook number 20: Ann, dish soup")
        at.sees("Round 2")
        at.sees("Ann: hands 2 of 2, tired 1 of 9, station stove")
        at.types(":quit")
        assert at.ends() == 0


def test_what_the_game_master_did_is_told_when_it_is_undone_and_a_save_goes_on_at_the_last_turn(tmp_path: Path) -> None:
    (tmp_path / "kitchen.yaml").write_text(MANY)
    (tmp_path / "day.yaml").write_text(DAY)
    with Terminal("play", "kitchen.yaml", "day.yaml", "--seed", "1", folder=tmp_path, size=(WIDTH, HEIGHT)) as at:
        at.sees(PROMPT)
        at.types(":set ann.tired 3 a long night")
        at.sees(PROMPT)
        at.types(":undo")
        at.sees("— undone: the game master: gain: 3, to: ann.tired (a long night) —")
        at.sees(PROMPT)
        at.types("20\nsoup\npass\n:save day.session\n:quit")
        assert at.ends() == 0
    with Terminal("play", "kitchen.yaml", "day.session", "--no-save", folder=tmp_path, size=(WIDTH, HEIGHT)) as at:
        told = at.sees(PROMPT)
        assert "goes on here" in told and "Round 1" not in told and "Cook number 20: Ann" not in told
        at.types(":log")
        assert "Cook number 20: Ann" in at.sees(PROMPT)
        at.types(":quit")
        assert at.ends() == 0


def test_where_there_is_no_terminal_everything_is_shown(tmp_path: Path) -> None:
    (tmp_path / "kitchen.yaml").write_text(MANY)
    (tmp_path / "day.yaml").write_text(DAY)
    with Terminal("play", "kitchen.yaml", "day.yaml", "--seed", "1", folder=tmp_path, piped=True) as at:
        at.types(":quit")
        at.ends()
        assert "  20  Cook number 20" in at.out


def test_a_question_says_whose_turn_it_is_who_follows_and_what_has_changed(tmp_path: Path) -> None:
    (tmp_path / "kitchen.yaml").write_text(MANY)
    cooks = DAY.replace("{ann: {title: Ann}}", "{ann: {title: Ann}, bo: {}, cy: {}}").replace("[ann]", "[ann, bo, cy]")
    (tmp_path / "day.yaml").write_text(f"{cooks}players: {{ada: [ann, cy], ben: [bo]}}\n")
    with Terminal("play", "kitchen.yaml", "day.yaml", "--seed", "1", folder=tmp_path, size=(WIDTH, 40)) as at:
        first = at.sees(PROMPT)
        assert "\n── Round 1, the turn of Ann; then bo, cy\n  Ann  ██ 2/2 hands  tired 0/9, station stove\n" in first
        at.types("1; soup")
        assert "──" not in at.sees(PROMPT)  # in the same turn, the same player knows
        at.types("pass")
        second = at.sees(PROMPT)
        assert "\n── Round 1, the turn of bo; then cy\n  Ann  ██ 2/2 hands  tired 1/9, station stove\n" in second
        at.types("1; soup; pass")
        third = at.sees(PROMPT)
        assert "\n── Round 1, the turn of cy\n  since ada was last asked: bo tired 0 → 1\n" in third
        at.types(":quit")
        assert at.ends() == 0


def test_how_a_scene_stands_gives_way_where_a_screen_is_small() -> None:
    short = ("── Round 1, the turn of ann",)
    table = (*short, *(f"  cook {number}" for number in range(5)))
    full = (*table, *(f"  since {number}" for number in range(3)))
    prompt = Prompt(("  rolled 6",), "Who?", "", tuple(of(*range(12))), "[none]>", scenes=(full, table, short))
    assert fit(prompt, os.terminal_size((80, 40))).scene == full
    assert fit(prompt, SIZE).scene == table and fit(prompt, SIZE).above == prompt.above
    assert fit(prompt, os.terminal_size((80, 17))).scene == short
    assert fit(prompt, os.terminal_size((80, 16))).scene == ()
    assert fit(prompt, os.terminal_size((0, 0))).scene == ()


DEALING = """
ruleset: market
kinds:
  stall: {summary: [takings, awning], has: {takings: {type: number, default: 0}, awning: {type: text, default: red}}}
  trader:
    summary: [coins, nerve]
    has:
      coins: {type: points, to: 9, starts: 5}
      nerve: {type: points, to: 3, lasts: round}
      hands: {type: points, to: 2, starts: 2, lasts: turn}
events:
  dawn: {title: The sun rises, inputs: {who: {type: trader}}, steps: {wakes: {gain: 3, to: who.nerve}}}
  rent: {title: The rent is due, inputs: {who: {type: trader}}, steps: {paid: {lose: 1, from: who.coins}}}
actions:
  dare: {title: Dare, actor: {type: trader}, steps: {spent: {lose: 1, from: actor.nerve}}}
scenes:
  day:
    inputs: {traders: {list_of: trader}, stalls: {list_of: stall}}
    round:
      morning:
        title: The market opens
        steps:
          each_one:
            for: one
            among: traders
            each: {wakes: {cause: dawn, with: {who: one}}, pays: {cause: rent, with: {who: one}}}
      noon:
        title: Everybody trades
        steps:
          turns:
            for: one
            among: traders
            each: {own: {turn: one, steps: {does: {offer: [dare], to: one, most: 1}}}}
    outcomes: {evening: scene.round == 3}
"""


def test_a_terminal_leaves_out_of_the_record_what_stands_above_the_next_question(tmp_path: Path) -> None:
    (tmp_path / "market.yaml").write_text(DEALING)
    (tmp_path / "day.yaml").write_text(
        "{state: day, of: market, scene: day, things: {trader: {ann: {}, bo: {}}, stall: {fish: {}}},"
        " given: {traders: [ann, bo], stalls: [fish]}}"
    )
    command = "play", "market.yaml", "day.yaml", "--seed", "1", "--no-save"
    with Terminal(*command, folder=tmp_path, size=(WIDTH, 40)) as at:
        first = at.sees(PROMPT)
        assert "\n  fish: takings 0, awning red\n" in first  # has no bar, so the table does not tell of it
        assert "  ann: coins 5 of 9" not in first and "\n  ann  ████░░░░░ 4/9 coins" in first
        assert "nerve 0 → 3" not in first and "The sun rises" not in first
        assert "The rent is due: ann" in first and "ann: coins 5 → 4" in first and "The market opens" in first
        at.types("dare")
        second = at.sees(PROMPT)
        assert "ann: nerve 3 → 2" in second  # somebody has done that
        at.types(":set bo.nerve 1 a cold wind")
        assert "The game master: bo.nerve 3 → 1 (a cold wind)" in at.sees(PROMPT)
        at.types("")
        third = at.sees(PROMPT)
        assert "fish" not in third and "of 9" not in third and "at the end of the round" not in third
        at.types(":log")
        log = at.sees(PROMPT)
        assert "ann: nerve 0 → 3" in log and "ann: coins 4 of 9" in log and "at the end of the round" in log
        at.types("")
        at.sees(PROMPT)
        at.types("")
        end = at.sees("seed 1")
        assert "ann: coins 2 of 9" in end and "ann: coins 3 of 9" not in end  # nothing is asked any more
    with Terminal(*command, "--no-input", folder=tmp_path, piped=True) as at:
        at.ends()
        told = at.out
        assert "ann: nerve 0 → 3" in told and "ann: coins 4 of 9" in told


def test_what_something_costs_is_said_each_time(tmp_path: Path) -> None:
    (tmp_path / "chores.yaml").write_text(
        """
ruleset: chores
action_kinds:
  quick: {cost: {hands: 1}, upgrade: {to: long, waives: [hands]}}
  long: {at_most: {times: 2, per: scene}}
kinds: {cook: {has: {hands: {type: points, to: 9, starts: 9}}}}
actions: {stir: {title: Stir, kind: quick, actor: {type: cook}, steps: {over: 1}}}
scenes:
  day:
    inputs: {cook: {type: cook}}
    round: {noon: {steps: {own: {turn: cook, steps: {does: {offer: [stir], to: cook}}}}}}
    guard: 1
"""
    )
    (tmp_path / "day.yaml").write_text(
        "{state: day, of: chores, scene: day, things: {cook: {ann: {}}}, given: {cook: ann}}"
    )
    command = "play", "chores.yaml", "day.yaml", "--seed", "1", "--no-save", "--ask", "everything"
    with Terminal(*command, folder=tmp_path, size=(WIDTH, 40)) as at:
        for _ in range(2):
            at.sees(PROMPT)
            at.types("1")
            assert "No: it costs 1 of your hands." in at.sees(PROMPT)
            at.types("no")


def test_what_is_said_of_a_question_is_shown_once_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "kitchen.yaml").write_text(
        MANY.replace('ask: "What do you do?"', 'ask: "What do you do?", about: The stove is hot.')
    )
    (tmp_path / "day.yaml").write_text(DAY)
    with Terminal("play", "kitchen.yaml", "day.yaml", "--seed", "1", folder=tmp_path, size=(WIDTH, 40)) as at:
        assert "\n  The stove is hot.\n" in at.sees(PROMPT)
        at.types("1; soup")
        assert "The stove is hot." not in at.sees(PROMPT)
        at.types("?")
        assert "\nThe stove is hot.\n" in at.sees(PROMPT)
        at.types(":quit")
        assert at.ends() == 0


COOKING = "play", "kitchen.yaml", "day.yaml", "--seed", "1"
UP, TAB, LEFT, BACK = "\x1b[A", "\t", "\x1b[D", "\x7f"
EDITED = re.compile(r"\[pass\]> \Z")


def edits(at: Terminal, text: str) -> None:
    """Type at a prompt as soon as it stands there, with keys that edit the line."""
    at.sees(EDITED)
    at.types(text)


def test_a_line_is_edited_with_the_lines_before_and_with_tab(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    (tmp_path / "kitchen.yaml").write_text(MANY)
    (tmp_path / "day.yaml").write_text(DAY)
    with Terminal(*COOKING, folder=tmp_path, size=(WIDTH, 40), kind="xterm") as at:
        edits(at, f"mo{TAB}")
        at.sees("Mop the floor: Ann")
        edits(at, UP)  # the line before, again
        at.sees("Mop the floor: Ann")
        edits(at, f"Mop the flor{LEFT}o")
        at.sees("Mop the floor: Ann")
        edits(at, f":lx{BACK}oo{TAB} so{TAB}")
        at.sees("soup (dish): portions 2")
        edits(at, "x" * 100 + BACK * 100 + ":quit")  # longer than the terminal is wide
        assert at.ends() == 0


def test_lines_pasted_into_an_edited_line_answer_one_question_each(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    (tmp_path / "kitchen.yaml").write_text(MANY)
    (tmp_path / "day.yaml").write_text(DAY)
    with Terminal(*COOKING, folder=tmp_path, size=(WIDTH, 40), kind="xterm") as at:
        edits(at, "20\nsoup\npass\n:look")
        at.sees("Cook number 20: Ann, dish soup")
        at.sees("Round 2")
        at.sees("Ann: hands 2 of 2, tired 1 of 9, station stove")
        at.resizes(60, 20)
        edits(at, ":story")
        at.sees("Round 1")
        edits(at, ":quit")
        assert at.ends() == 0


@pytest.mark.parametrize("keys", ["", "pas"], ids=["before a key", "in a line"])
def test_no_interrupt_is_lost_where_a_line_is_edited(tmp_path: Path, keys: str) -> None:
    pytest.importorskip("readline")
    (tmp_path / "kitchen.yaml").write_text(MANY)
    (tmp_path / "day.yaml").write_text(DAY)
    with Terminal(*COOKING, folder=tmp_path, size=(WIDTH, 40), kind="xterm") as at:
        at.sees(EDITED)
        at.presses(keys)
        at.sees(keys)
        at.terminates()
        assert at.ends() == 143
        assert at.shows_what_is_typed
    with Terminal(*COOKING, folder=tmp_path, size=(WIDTH, 40), kind="xterm") as at:
        at.sees(EDITED)
        at.presses("p")
        at.sees(re.compile(r"\r[^\n]*\[pass\]> p"))  # the prompt and the key are written again as readline takes over
        time.sleep(0.1)  # Python loses an interrupt that comes within some microseconds of a key; nobody types so fast
        at.interrupts()
        assert at.ends() == 0
        assert at.shows_what_is_typed

"""The command as people and machines use it: what it says, where, and with which exit code."""

from __future__ import annotations

import io
import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from terminal import Terminal

import interpreter
from interpreter import bundled, cli, load
from interpreter.api.game import Game

RULES = """\
ruleset: little
title: A little game
roles: {game_master: Who rules.}
names: {mood: {calm: All is well., angry: It is not.}}
tags: [armor]
types:
  side:
    written_as: dice
    has: {dice: {type: dice}, bonus: {type: number, from: 0, default: 0}, mood: {type: mood, default: calm}}
options: {die: {type: die, default: d6}}
mechanics:
  test:
    title: Try it
    inputs:
      own: {type: side, about: What you roll.}
      need: {type: number, from: 1, to: 20, about: What to beat.}
      luck: {type: yes_no, default: no}
    steps:
      rolled: {roll: own.dice}
      ruling: {choose: one, among: mood, by: game_master, ask: "How does it look?", default: calm}
      extra:  {choose: some, among: "[1, 2, 3]", by: game_master, most: 2, default: []}
      total:  sum(rolled) + own.bonus + sum(extra) + (10 if ruling is angry else 0)
    outcomes: {success: total >= need, failure: otherwise}
cases:
  - {name: it works, mechanic: test, given: {own: d6, need: 4}, faces: [5], expect: {outcome: success}}
"""
BROKEN = (
    "ruleset: broken\nmechanics:\n  m:\n    steps:\n      a: nothing_such + 1\n      b: 'highest(2d6 where face > 1)'\n"
)


@dataclass
class Said:
    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "little.yaml").write_text(RULES)
    (tmp_path / "broken.yaml").write_text(BROKEN)
    return tmp_path


def run(*arguments: str, typed: bytes = b"") -> Said:
    """The command in this process, with nobody at a terminal."""
    out, err = io.StringIO(), io.StringIO()
    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    sys.argv = ["houserule", *arguments]
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(typed)), out, err
    try:
        cli.main()
    except SystemExit as end:
        code = end.code
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    assert isinstance(code, int)
    return Said(code, out.getvalue(), err.getvalue())


# Internal errors -------------------------------------------------------------------------------------------------


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the program in every roll and in every session that begins."""

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(Game, "roll", fail)
    monkeypatch.setattr(Game, "begin", fail)


@pytest.mark.usefixtures("planted")
def test_an_internal_error_says_what_to_send_and_shows_no_traceback() -> None:
    said = run("roll", "little.yaml", "test", "own=2d6 & d4", "need=4")
    assert (said.code, said.out) == (70, "")
    assert "HR999 internal error, please report: ZeroDivisionError: planted" in said.err
    assert "houserule roll little.yaml test 'own=2d6 & d4' need=4" in said.err
    assert f"Python {sys.version.split()[0]}" in said.err and "Traceback" not in said.err


@pytest.mark.usefixtures("planted")
def test_the_traceback_of_an_internal_error_is_shown_on_request() -> None:
    said = run("--traceback", "roll", "little.yaml", "test", "own=d6", "need=4")
    assert said.code == 70 and "Traceback" in said.err and "HR999" in said.err


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("flags", [[], ["--traceback"]])
def test_a_host_replies_with_an_internal_error_and_goes_on(
    flags: list[str], monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    calls = b'{"do": "begin", "rule": "test", "tag": 1}\n{"do": "sessions"}\n'
    monkeypatch.setattr(sys, "argv", ["houserule", *flags, "host", "little.yaml"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(calls)))
    with pytest.raises(SystemExit) as end:
        cli.main()
    said = capfdbinary.readouterr()
    failed, after = map(json.loads, said.out.splitlines())
    assert end.value.code == 0 and after == {"ok": True, "sessions": []}
    assert (failed["ok"], failed["tag"], failed["error"]["code"]) == (False, 1, "HR999")
    assert "ZeroDivisionError: planted" in failed["error"]["message"]
    assert (b"Traceback" in said.err) == bool(flags)


def test_a_lack_of_memory_is_no_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Game, "roll", fail)
    said = run("roll", "little.yaml", "test", "own=d6", "need=4")
    assert said.code == 2 and "memory" in said.err and "HR999" not in said.err


# Exit codes ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("", 2),
        ("--help", 0),
        ("--version", 0),
        ("chek little.yaml", 2),
        ("check", 2),
        ("check little.yaml", 0),
        ("check little.yaml broken.yaml", 1),
        ("check .", 1),
        ("check none.yaml", 2),
        ("check jadeclaw fiend-wake", 0),
        ("check little.yaml --format nonsense", 2),
        ("roll little.yaml", 0),
        ("roll little.yaml test own=d6 need=3 --seed 1", 0),
        ("roll little.yaml tset own=d6 need=3", 2),
        ("roll little.yaml test own=d6 need=0", 2),
        ("roll little.yaml test own=d6 need=3 --faces 7", 2),
        ("roll little.yaml test own=d6 need=3 --faces 1,2", 2),
        ("roll little.yaml test own=d6 need=3 --choose nonsense=1", 2),
        ("roll little.yaml test own=d6 need=3 --choose ruling", 2),
        ("roll little.yaml test own=d6 need=3 --policy nobody", 2),
        ("roll little.yaml test own=d6 need=3 --option dei=d8", 2),
        ("roll little.yaml test own=d6 need", 2),
        ("roll little.yaml test own=d6", 2),
        ("roll broken.yaml m", 1),
        ("roll none m", 2),
        ("test little.yaml", 0),
        ("test little.yaml --case nonsense", 2),
        ("test broken.yaml", 1),
        ("test none", 2),
        ("replay little.yaml none.json", 2),
        ("show little.yaml", 0),
        ("show broken.yaml", 1),
        ("show none", 2),
        ("coverage none", 2),
    ],
)
def test_exit_codes(arguments: str, code: int) -> None:
    said = run(*arguments.split())
    assert said.code == code, said
    assert "Traceback" not in said.out + said.err
    if code == 2 and arguments:
        assert said.err


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_its_help(command: str) -> None:
    said = run(command, "--help")
    assert said.code == 0
    assert f"houserule {command}" in said.out


def test_a_misspelt_command_is_named() -> None:
    assert "did you mean `check`?" in run("chek").err


def test_a_failing_case_is_told_with_its_line(folder: Path) -> None:
    (folder / "little.yaml").write_text(RULES.replace("faces: [5]", "faces: [3]"))
    said = run("test", "little.yaml")
    assert said.code == 1
    assert "little.yaml:25:95:" in said.err and "`outcome` expected success, got failure" in said.err
    assert "0 passed, 1 failed" in said.err


def test_cases_that_cannot_be_read_are_told_as_check_tells_them(folder: Path) -> None:
    said, checked = run("test", "broken.yaml"), run("check", "broken.yaml")
    assert (said.code, said.out, said.err) == (1, "", checked.out + checked.err)
    both = run("test", ".", "--format", "concise")
    assert both.code == 1 and both.err.endswith("1 passed, 2 errors\n")
    assert both.err.startswith(run("check", "broken.yaml", "--format", "concise").out)
    assert run("test", "broken.yaml", "--format", "github").out == run("check", "broken.yaml", "--format", "github").out
    (one,) = json.loads(run("test", "broken.yaml", "--format", "json").out)
    assert one["failures"] == json.loads(run("check", "broken.yaml", "--format", "json").out)
    assert (one["ruleset"], one["case"], one["passed"]) == ("broken.yaml", None, False)


# Formats ---------------------------------------------------------------------------------------------------------


def test_a_person_reads_an_excerpt_with_a_caret() -> None:
    said = run("check", "broken.yaml")
    assert "broken.yaml:5:10: HR301 `nothing_such` is not defined here" in said.out
    assert "5 |       a: nothing_such + 1" in said.out
    assert "  |          ^^^^^^^^^^^^" in said.out
    assert said.err == "2 errors\n"


def test_concise_is_a_line_each_with_the_way_out_in_it(folder: Path) -> None:
    lines = run("check", "broken.yaml", "--format", "concise").out.splitlines()
    assert [line.split(" ")[:2] for line in lines] == [["broken.yaml:5:10:", "HR301"], ["broken.yaml:6:29:", "HR305"]]
    (folder / "typo.yaml").write_text("ruleset: typo\nmechanics:\n  m:\n    steps: {tried: 1, best: tired}\n")
    assert run("check", "typo.yaml", "--format", "concise").out == (
        "typo.yaml:4:29: HR301 `tired` is not defined here (did you mean `tried`?)\n"
    )


def test_json() -> None:
    first, second = json.loads(run("check", "broken.yaml", "--format", "json").out)
    assert {key: first[key] for key in ("code", "severity", "path", "line", "column", "end_line", "end_column")} == {
        "code": "HR301",
        "severity": "error",
        "path": "broken.yaml",
        "line": 5,
        "column": 10,
        "end_line": 5,
        "end_column": 22,
    }
    assert second["code"] == "HR305"
    assert {one["severity"] for one in json.loads(run("check", "little.yaml", "--format", "json").out)} == {"warning"}
    Path("sound.yaml").write_text("ruleset: sound\nmechanics: {test: {steps: {die: {roll: d6}}}}\n", "utf-8")
    assert json.loads(run("check", "sound.yaml", "--format", "json").out) == []


def test_cases_as_json() -> None:
    (one,) = json.loads(run("test", "little.yaml", "--format", "json").out)
    assert (one["ruleset"], one["case"], one["line"], one["passed"]) == ("little", "it works", 25, True)


# Standard input, colours -----------------------------------------------------------------------------------------


def test_a_ruleset_on_standard_input_is_called_as_it_is_named() -> None:
    said = run("check", "-", "--stdin-filename", "rules/house.yaml", typed=BROKEN.encode())
    assert said.code == 1 and "rules/house.yaml:5:10: HR301" in said.out
    assert "<stdin>:5:10" in run("check", "-", typed=BROKEN.encode()).out
    assert run("check", "-", typed=RULES.encode()).code == 0
    assert run("check", "-", typed=b"\xff\xfe").code == 2
    rolled = run("roll", "-", "test", "own=d6", "need=3", "--faces", "4", typed=RULES.encode())
    assert rolled.code == 0 and "test: success" in rolled.out


def test_colours_are_for_terminals_and_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = [("check", "broken.yaml"), ("roll", "little.yaml", "test", "own=d6", "need=3", "--seed", "1")]
    for command in commands:
        assert "\x1b[" not in run(*command).out
        monkeypatch.setenv("FORCE_COLOR", "1")
        assert "\x1b[" in run(*command).out
        monkeypatch.setenv("NO_COLOR", "1")
        assert "\x1b[" not in run(*command).out
        monkeypatch.delenv("NO_COLOR")
        monkeypatch.delenv("FORCE_COLOR")


def test_data_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" not in run("check", "broken.yaml", "--format", "json").out
    assert "\x1b[" not in run("roll", "little.yaml", "test", "own=d6", "need=3", "--seed", "1", "--format", "json").out


# Rolling ---------------------------------------------------------------------------------------------------------

ROLL = ("roll", "little.yaml", "test", "need=9", "--format", "json")


def test_inputs_faces_choices_and_options() -> None:
    said = run(
        *ROLL, "own.dice=2d6 & d8", "own.bonus=2", "own.mood=angry", "--faces", "1, 2,8", "--choose", "ruling=angry"
    )
    data = json.loads(said.out)
    assert data["inputs"]["own"] == {"dice": "d6 & d6 & d8", "bonus": 2, "mood": "angry"}
    assert (data["values"]["total"], data["outcome"], data["faces"]) == (23, "success", [1, 2, 8])
    assert [one["answer"] for one in data["choices"]] == ["angry", []]


@pytest.mark.parametrize("extra", [["extra=[1, 3]"], ["extra=[[1, 3]]"]])
def test_some_are_chosen_as_a_list(extra: list[str]) -> None:
    said = run(*ROLL, "own=d6", "--faces", "5", *[word for one in extra for word in ("--choose", one)])
    assert json.loads(said.out)["values"]["total"] == 9


def test_a_record_is_written_as_a_mapping_too() -> None:
    data = json.loads(run(*ROLL, "own={dice: d8, bonus: 3}", "--faces", "8").out)
    assert (data["values"]["total"], data["outcome"]) == (11, "success")


def test_what_is_missing_is_listed_with_type_bounds_and_meaning() -> None:
    said = run("roll", "little.yaml", "test", "own=d6")
    assert said.code == 2 and said.out == ""
    assert "`test` (Try it) needs:" in said.err
    assert "own=…  side with dice, bonus, mood. What you roll." in said.err
    assert "need=…  a number from 1 to 20. What to beat." in said.err
    assert "luck=…  yes or no; default no" in said.err


def test_without_a_mechanic_they_are_listed() -> None:
    said = run("roll", "little.yaml")
    assert "A little game" in said.out and re.search(r"test\s+Try it", said.out)


def test_a_saved_result_is_replayed(folder: Path) -> None:
    saved = run(*ROLL, "own=2d6", "--seed", "5", "--choose", "extra=[2, 3]").out
    (folder / "saved.json").write_text(saved)
    assert run("replay", "little.yaml", "saved.json", "--format", "json").out == saved
    assert run("replay", "little.yaml", "-", "--format", "json", typed=saved.encode()).out == saved
    assert "test: " in run("replay", "little.yaml", "saved.json").out
    (folder / "saved.json").write_text(saved.replace('"outcome": "success"', '"outcome": "failure"', 1))
    changed = run("replay", "little.yaml", "saved.json")
    assert changed.code == 2 and "HR644" in changed.err
    assert run("replay", "jadeclaw", "saved.json").code == 2
    (folder / "saved.json").write_text("not json")
    assert "HR645" in run("replay", "little.yaml", "saved.json").err


def test_show_tells_what_the_interpreter_made_of_it() -> None:
    said = run("show", "little.yaml")
    assert "test" in said.out and "rolled" in said.out
    assert run("show", "little.yaml", "test").out.startswith("mechanic test")
    assert "did you mean `test`?" in run("show", "little.yaml", "tset").err
    assert "did you mean `test`?" in run("show", "little.yaml", "tset", "--written").err


def test_house_rules_of_a_bundled_game_are_not_those_of_a_file_of_the_same_name(folder: Path) -> None:
    (folder / "jadeclaw.yaml").write_text("ruleset: jadeclaw\nmechanics: {test: {steps: {die: {roll: d6}}}}\n")
    (folder / "big.yaml").write_text("ruleset: big\ntitle: Big\nextends: jadeclaw.yaml\n")
    (folder / "other.yaml").write_text("ruleset: other\ntitle: Other\nextends: jadeclaw\n")
    own = json.loads(run("list", "jadeclaw.yaml", "--format", "json").out)
    assert own["house rules"] == {"big.yaml": "Big"}
    assert "limits-limit" in json.loads(run("list", "jadeclaw", "--format", "json").out)["house rules"]


# At a terminal ---------------------------------------------------------------------------------------------------


LISTED = """\
ruleset: listed
mechanics:
  strike: {cites: {R-1: stated}, steps: {die: {roll: d6}}}
  both: {cites: {R-2: stated, R-7: stated}, steps: {one: {call: strike}}}
  idle: {steps: {die: {roll: d6}}}
notes: {R-8: Nothing to play.}
cases:
  - {name: both, rule: [R-1, R-2, R-9], mechanic: both, faces: [3], expect: {one.die: 3}}
"""


def test_coverage_tells_rows_that_are_not_listed_and_mechanics_that_no_case_plays(folder: Path) -> None:
    (folder / "listed.yaml").write_text(LISTED)
    (folder / "rows.tsv").write_text("id\tstatus\tname\nR-1\tstated\tStrike\nR-2\tstated\tBoth\n")
    said = run("coverage", "listed.yaml")
    assert (said.code, said.out) == (1, "listed: 2 rows, 2 cited, 2 exercised\n")
    assert [line for line in said.err.splitlines() if line.startswith("listed.yaml")] == [
        "listed.yaml:5:3: HR707 no case plays `idle`",
        "listed.yaml:4:31: HR708 `R-7` is not a row of `rows.tsv`",
        "listed.yaml:6:9: HR708 `R-8` is not a row of `rows.tsv`",
        "listed.yaml:8:35: HR708 `R-9` is not a row of `rows.tsv`",
    ]
    told = json.loads(run("coverage", "listed.yaml", "--format", "json").out)
    assert [one["code"] for one in told["problems"]] == ["HR707", "HR708", "HR708", "HR708"]


HALF = """\
ruleset: half
mechanics:
  faint:
    cites: {R-1: stated, R-2: consequence}
    steps: {die: {roll: d6}}
    outcomes:
      stands: die > 1
      lies: {if: otherwise, cites: {R-1: elsewhere, R-2: stated}}
cases:
  - {name: a one, rule: R-1, mechanic: faint, faces: [1], expect: {outcome: lies}}
"""


def test_a_row_may_be_stated_in_part_and_a_consequence_is_shown_by_a_case(folder: Path) -> None:
    (folder / "half.yaml").write_text(HALF)
    (folder / "rows.tsv").write_text("id\tstatus\tname\nR-1\tstated/elsewhere\tLie\nR-2\tconsequence\tStand\n")
    said = run("coverage", "half.yaml")
    assert (said.code, said.err) == (1, "")
    assert said.out == (
        "half: 2 rows, 2 cited, 1 exercised\n  R-2  consequence  not exercised; cited as stated  Stand\n"
    )
    (folder / "rows.tsv").write_text("id\tstatus\tname\nR-1\telsewhere/flavour\tLie\n")
    assert run("coverage", "half.yaml", "--all").out.splitlines()[1:] == [
        "  R-1  elsewhere/flavour  cited as stated  Lie",
        "         in mechanics.faint; mechanics.faint.outcomes.lies",
        "         played by a one",
    ]


HARMED = """
ruleset: lasting
kinds:
  hero:
    has:
      luck:  {type: points, to: 3, starts: 2, lasts: scene, cites: {R-1: stated}}
      grace: {is: luck + 1, cites: {R-2: stated}}
      hurts: {list_of: number, default: [], cites: {R-3: stated}}
events:
  harm:
    inputs: {who: {type: hero}}
    steps:
      lost:  {lose: 1, from: who.luck, cites: {R-4: stated}}
      noted: {add: 1, to: who.hurts, cites: {R-5: stated}}
  fall:
    inputs: {who: {type: hero}}
    steps:
      hurt: {cause: harm, with: {who: who}, cites: {R-6: stated}}
cases:
  - {name: a fall, rule: ROWS, event: fall, before: {ann: {is: hero}}, given: {who: ann}, after: AFTER}
"""


@pytest.mark.parametrize(
    ("after", "unnoticed"),
    [
        ("{ann: {luck: 1, grace: 2, hurts: [1]}}", []),
        ("{ann: {hurts: [1]}}", ["R-1", "R-2", "R-4"]),
        ("{ann: {luck: 1}}", ["R-2", "R-5"]),
    ],
)
def test_a_case_must_notice_errors_in_what_lasts(folder: Path, after: str, unnoticed: list[str]) -> None:
    rows = "[R-1, R-2, R-3, R-4, R-5, R-6]"
    (folder / "lasting.yaml").write_text(HARMED.replace("ROWS", rows).replace("AFTER", after))
    said = run("coverage", "lasting.yaml", "--mutate")
    assert [line.split()[0] for line in said.out.splitlines()[1:] if "no case notices" in line] == unnoticed
    assert said.code == bool(unnoticed)


LASTING = """\
ruleset: lasting
kinds:
  monk:
    cites: {R-1: stated}
    has:
      coins: {type: points, starts: 3, to: 5, past_full: refuse, cites: {R-2: stated}}
      breath:
        type: points
        to: 2
        starts: 2
        lasts: round
        when_empty: {faints: {set: owner.stands, to: no, cites: {R-3: stated}}}
        cites: {R-4: stated}
      stands: {type: yes_no, default: yes, cites: {R-7: stated}}
      friends: {list_of: monk, default: []}
      open: {is: 3 - coins, cites: {R-5: stated}}
actions:
  sing:
    actor: monk
    inputs: {others: {list_of: monk}}
    cost: {coins: 1}
    requires: {standing: {is: actor.stands, cites: {R-6: stated}}}
    steps:
      spent: {lose: 2, from: actor.breath, cites: {R-8: stated}}
      known:
        for: other
        among: others
        cites: {R-9: stated}
        each:
          friend: {add: other, to: actor.friends, cites: {R-10: stated}}
      heard: {cause: heard, with: {who: actor}, cites: {R-11: stated}}
events:
  heard:
    inputs: {who: {type: monk}}
    steps:
      paid: {pay: 1, from: who.coins, cites: {R-12: stated}}
cases:
  - name: a song
    rule: [R-1, R-2, R-3, R-4, R-5, R-6, R-7, R-8, R-9, R-10, R-11, R-12]
    action: sing
    actor: odo
    before: {odo: {is: monk}, ann: {is: monk}}
    given: {others: [ann]}
    expect: {spent.excess: 0}
    after: {odo: {coins: 1, open: 2, stands: no, friends: [ann]}}
"""


@pytest.mark.parametrize(
    ("looked_at", "unnoticed"),
    [
        ("{coins: 1, open: 2, stands: no, friends: [ann]}", ["R-6"]),  # nobody who lies tries to sing
        ("{coins: 1}", ["R-3", "R-5", "R-6", "R-9"]),
    ],
)
def test_coverage_makes_wrong_what_lasts(folder: Path, looked_at: str, unnoticed: list[str]) -> None:
    (folder / "lasting.yaml").write_text(LASTING.replace("{coins: 1, open: 2, stands: no, friends: [ann]}", looked_at))
    told = json.loads(run("coverage", "lasting.yaml", "--mutate", "--format", "json").out)
    assert sorted(one["id"] for one in told["rows"] if one["survivors"]) == unnoticed


def test_what_is_missing_is_asked_for_at_a_terminal(folder: Path) -> None:
    with Terminal("roll", "little.yaml", "test", "--faces", "3", folder=folder) as at:
        at.sees("own: dice. What you roll.")
        at.sees("own (such as d8 & d6):")
        at.types("d6 &")
        at.sees("HR2")  # asked again, with what is wrong
        at.sees("own (such as d8 & d6):")
        at.types("d6")
        at.sees("a number from 1 to 20. What to beat.")
        at.sees("need (such as 10):")
        at.types("99")
        at.sees("HR604")
        at.sees("need (such as 10):")
        at.types("5")
        at.sees("How does it look? (game_master)")
        at.sees("1  calm   All is well.")
        at.sees("[calm]> ")
        at.types("furious")
        at.sees("HR620")
        at.sees("[calm]> ")
        at.types("")
        at.sees("  1, 2, 3")
        at.sees("0 to 2 of them")
        at.types("1, 2")
        at.sees("test: success")
        assert at.ends() == 0


def test_nobody_is_asked_without_leave(folder: Path) -> None:
    with Terminal("roll", "little.yaml", "test", "own=d6", "need=4", "--no-input", "--faces", "3", folder=folder) as at:
        at.sees("test: failure")
        assert at.ends() == 0


def test_leaving_in_the_middle(folder: Path) -> None:
    with Terminal("roll", "little.yaml", "test", "own=d6", folder=folder) as at:
        at.sees("need (such as 10)")  # the question itself, and not the line that explains it
        at.interrupts()
        at.sees("stopped")
        assert at.ends() == 130


INTERRUPTED_AGAIN_AND_AGAIN = """
import click
from interpreter.cli.typed_lines import read_line

while True:
    try:
        read_line("well? ")
    except click.Abort:
        click.echo("stopped")
"""


def test_no_interrupt_is_lost_between_a_question_and_the_wait_for_its_answer() -> None:
    """Before the wait was for signals too, one of a thousand was lost on a busy machine."""
    with Terminal(program=INTERRUPTED_AGAIN_AND_AGAIN) as at:
        for _ in range(3_000):
            at.sees("well?")
            at.interrupts()
            at.sees("stopped")


# States ----------------------------------------------------------------------------------------------------------

YARD = """\
ruleset: yard
title: Two dogs in a yard
kinds:
  dog:
    has:
      calm: {type: points, to: 5, starts: 5}
      barks: {type: points, to: 1, starts: 1, lasts: round}
actions:
  bark:
    title: Bark at another
    actor: {type: dog}
    inputs:
      at: {type: dog, where: not it is actor}
      many: {type: number, from: 1, to: 3, default: 1}
    cost: {barks: 1}
    steps:
      rolled: {roll: d6}
      loud: {cause: noise, with: {who: at, much: many}, if: rolled > 3}
events:
  noise:
    inputs: {who: {type: dog}, much: {type: number}}
    steps:
      less: {lose: much, from: who.calm}
reactions:
  ignore:
    before: noise
    actor: {type: dog, among: "[event.who]"}
    steps:
      off: {cancel: event}
"""


@pytest.fixture
def yard(folder: Path) -> Path:
    (folder / "yard.yaml").write_text(YARD)
    (folder / "dogs.yaml").write_text("rex: {is: dog, calm: 2}\nfifi: {is: dog}\n")
    return folder


def test_a_ruleset_lists_foes_before_friends() -> None:
    four = str(bundled.rulesets()["fiend-wake"].parent / "scenes" / "four-against-four.yaml")
    said = run("possible", "fiend-wake", four, "scorch", "--format", "json")
    found = {one["action"]: one["inputs"] for one in json.loads(said.out)}
    assert found["grapple_somebody"]["target"][:4] == ["anvil", "bramble", "flint", "grit"]


def test_an_action_is_played_in_a_state_and_the_new_one_is_saved(yard: Path) -> None:
    said = run("act", "yard.yaml", "dogs.yaml", "bark", "actor=fifi", "at=rex", "--faces", "4", "--save", "next.json")
    assert (said.code, said.err) == (0, "")
    assert said.out.splitlines() == [
        "many: fifi chooses 1",
        "cost: fifi.barks 1 → 0, empty",
        "rolled: d6: 4",
        "loud: Noise: who rex, much 1",
        "  ignore: rex chooses no",
        "  less: rex.calm 2 → 1",
        "",
        "bark: done",
    ]
    saved = json.loads((yard / "next.json").read_text())
    assert saved["things"]["rex"]["calm"] == 1 and saved["things"]["fifi"]["barks"] == 0
    assert (yard / "dogs.yaml").read_text() == "rex: {is: dog, calm: 2}\nfifi: {is: dog}\n"


def test_who_acts_is_asked_until_the_answer_is_one_of_them(yard: Path) -> None:
    with Terminal("act", "yard.yaml", "dogs.yaml", "bark", "at=rex", "many=1", "--faces", "1", folder=yard) as at:
        at.sees("actor: the `dog` that does it: rex, fifi\nactor: ")
        at.types("")
        at.sees("HR620 `actor` needs an answer")
        at.types("rover")
        at.sees("HR620 `rover` is not a valid answer to `actor`")
        at.sees("allowed: rex or fifi")
        at.types("fifi")
        at.sees("bark: done")
        assert at.ends() == 0


def test_nobody_who_could_act_is_said_and_not_asked_for(yard: Path) -> None:
    (yard / "empty.yaml").write_text("{}\n")
    with Terminal("act", "yard.yaml", "empty.yaml", "bark", folder=yard) as at:
        at.sees("actor: the `dog` that does it: there is none")
        assert at.ends() == 2


def test_a_saved_state_goes_on_and_what_ends_begins_anew(yard: Path) -> None:
    bark = ("bark", "actor=fifi", "at=rex", "--faces", "4")
    assert run("act", "yard.yaml", "dogs.yaml", *bark, "--save", "next.json").code == 0
    said = run("act", "yard.yaml", "next.json", *bark)
    assert said.code == 2 and "HR651 this costs 1 of `fifi.barks`, but there are only 0" in said.err
    said = run("act", "yard.yaml", "next.json", "--ends", "round", "--save", "next.json")
    assert (said.code, said.out) == (0, "the round ends\n")
    assert run("act", "yard.yaml", "next.json", *bark, "--ends", "round", "--save", "next.json").code == 0
    assert json.loads((yard / "next.json").read_text())["things"]["fifi"] == {"is": "dog", "calm": 5, "barks": 1}


def test_reactions_are_answered_and_events_named(yard: Path) -> None:
    said = run("act", "yard.yaml", "dogs.yaml", "noise", "who=rex", "much=2", "--choose", "ignore=yes")
    assert said.out.splitlines()[:2] == ["ignore: rex chooses yes", "noise: cancelled"]


FUSE = """\
ruleset: fuse
kinds:
  guard:
    has:
      moves: {type: points, to: 2, starts: 2, lasts: round}
      hurt:  {type: points, to: 9}
actions:
  light:
    actor: guard
    cost: {moves: 1}
    upgrade: {to: slow}
    steps:
      lit: {cause: bang, with: {near: actor}, later: {rounds: 1}}
action_kinds:
  slow: {at_most: {times: 1, per: turn}}
events:
  bang:
    inputs: {near: {type: guard}}
    steps:
      die:   {roll: d6}
      ducks: {choose: yes_no, by: near, default: no}
      hurts: {gain: die, to: near.hurt, if: not ducks}
policies: {careful: {ducks: yes}}
"""


def test_what_was_put_off_is_told_when_something_ends(folder: Path) -> None:
    (folder / "fuse.yaml").write_text(FUSE)
    (folder / "tom.yaml").write_text("tom: {is: guard}\n")
    light = ("act", "fuse.yaml", "tom.yaml", "light", "actor=tom")
    assert run(*light, "--save", "lit.json").code == 0
    end = ("act", "fuse.yaml", "lit.json", "--ends", "round")
    bang = ["bang: Bang: near tom", "  die: d6: 4", "  ducks: tom chooses no", "  hurts: tom.hurt 0 → 4 of 9"]
    assert run(*end, "--faces", "4", "--save", "after.json").out.splitlines() == [*bang, "the round ends"]
    assert json.loads((folder / "after.json").read_text())["things"]["tom"]["hurt"] == 4
    assert "ducks: tom chooses yes" in run(*end, "--choose", "ducks=yes").out
    ended = run(*light, "--ends", "round", "--policy", "careful").out.splitlines()
    assert ended[1:4] == ["cost: tom.moves 2 → 1", "lit: not yet", bang[0]]
    assert ended[5:9] == ["  ducks: tom chooses yes", "the round ends", "", "light: done"]


def test_what_comes_of_an_action_is_what_lasts_when_something_has_ended_after_it(folder: Path) -> None:
    (folder / "fuse.yaml").write_text(FUSE)
    (folder / "tom.yaml").write_text("tom: {is: guard}\n")
    light = ("act", "fuse.yaml", "tom.yaml", "light", "actor=tom", "--ends", "round", "--format", "json")
    said = run(*light, "--faces", "4", "--choose", "bang.ducks=no", "--save", "after.json")
    data = json.loads(said.out)
    assert (data["ends"], data["faces"]) == ("round", [4])
    assert data["before"]["things"]["tom"] == {"is": "guard", "moves": 2, "hurt": 0}
    assert data["after"]["things"]["tom"] == {"is": "guard", "moves": 2, "hurt": 4}
    assert data["after"] == json.loads((folder / "after.json").read_text())
    assert data["trace"][-1]["name"] == "the round ends"
    schema = json.loads((bundled.schemas() / "result.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(data)
    replay = ("replay", "fuse.yaml", "-", "--format", "json")
    assert run(*replay, typed=said.out.encode()).out == said.out
    other = said.out.replace('"ends": "round"', '"ends": "week"')
    assert "what ends must be one of" in run(*replay, typed=other.encode()).err


def test_what_an_upgrade_is_where_nothing_is_said(folder: Path) -> None:
    (folder / "fuse.yaml").write_text(FUSE)
    assert "`upgraded`: yes or no; default no" in run("explain", "fuse.yaml", "light").out


def test_odds_of_an_action_or_event_ask_for_a_state(yard: Path) -> None:
    for name, what in (("bark", "an action"), ("events.noise", "an event")):
        for command in ("odds", "simulate", "sweep"):
            said = run(command, "yard.yaml", name)
            assert said.code == 2
            assert f"HR660 `{name}` is {what}" in said.err and "--state FILE" in said.err


def test_without_a_rule_actions_and_events_are_listed_too(yard: Path) -> None:
    for command in ("roll", "odds", "simulate"):
        said = run(command, "yard.yaml")
        assert said.out.splitlines() == [
            "Two dogs in a yard (yard 0)",
            "",
            "  bark   Bark at another",
            "  noise  Noise",
            "",
            "Give one of these to `act` with a state, or to `odds` and `simulate` with `--state`.",
        ]


FERRY = """\
ruleset: ferry
roles: {coxswain: Whoever gives the stroke.}
kinds: {rower: {has: {way: {type: number, default: 0}}}}
actions:
  row:
    title: Row
    actor: {type: rower, where: it in scene.crew}
    inputs: {far: {type: number, from: 1, to: 2, by: coxswain, about: "How hard?"}}
    steps: {on: {set: actor.way, to: actor.way + far}}
scenes:
  crossing:
    inputs: {crew: {list_of: rower, least: 1}}
    round:
      strokes:
        steps:
          everyone:
            for: one
            among: crew
            each: {done: {offer: [row], to: one, most: 1}}
    outcomes: {there: any(crew where it.way > 3)}
"""
CROSSING = """\
state: crossing
of: ferry
scene: crossing
things: {rower: {ann: {}}}
given: {crew: [ann]}
players: {anna: [ann, coxswain]}
"""


def test_without_an_action_or_an_actor_it_says_what_there_is(yard: Path) -> None:
    said = run("act", "yard.yaml", "dogs.yaml")
    assert said.out.splitlines()[2:4] == ["  bark   Bark at another", "  noise  Noise"]
    said = run("act", "yard.yaml", "dogs.yaml", "bark", "--no-input")
    assert said.code == 2
    assert said.err.splitlines()[:2] == ["`bark` (Bark at another) needs:", "  actor=…  the `dog` that does it"]


def test_who_acts_and_whom_it_concerns_are_asked_for_at_a_terminal(yard: Path) -> None:
    with Terminal("act", "yard.yaml", "dogs.yaml", "bark", "--faces", "4", folder=yard) as at:
        at.sees("actor: the `dog` that does it: rex, fifi")
        at.sees("actor: ")
        at.types("tom")
        at.sees("actor: ")
        at.types("fifi")
        at.sees("1 to 3 [1]> ")
        at.types("")
        at.sees("yes or no [no]> ")
        at.types("n")
        at.sees("bark: done")
        assert at.ends() == 0
    with Terminal("act", "yard.yaml", "dogs.yaml", "noise", folder=yard) as at:
        at.sees("who: ")
        at.types("tom")
        at.sees("HR6")
        at.sees("who: ")
        at.types("rex")
        at.sees("much: ")
        at.types("1")
        at.sees("yes or no [no]> ")
        at.types("Y")
        at.sees("noise: done")
        assert at.ends() == 0


def test_who_is_asked_at_a_terminal_gets_an_example_and_an_explanation(yard: Path) -> None:
    with Terminal("roll", "jadeclaw", "contest", "--seed", "1", folder=yard) as at:
        at.sees("own (such as d8 & d6):")
        at.types("?")
        at.sees("Your dice, such as")
        at.sees("own (such as d8 & d6):")
        at.types("[d8")  # no YAML
        at.sees("HR0")
        at.types("d8 & d6")
        at.sees("against (such as d8 & d6):")
        at.types("d6")
        at.sees("contest: ")
        assert at.ends() == 0
    with Terminal("act", "yard.yaml", "dogs.yaml", "bark", "actor=fifi", "--faces", "4", folder=yard) as at:
        at.sees("1 to 3 [1]> ")
        at.types("?")
        at.sees("This is about: ")
        at.sees("The answer is a number from 1 to 3. Enter gives 1.")
        at.sees("1 to 3 [1]> ")
        at.types(":explain")
        at.sees("Any `dog` can do it.")
        at.sees("1 to 3 [1]> ")
        at.types("")
        at.sees("yes or no [no]> ")
        at.types("")
        at.sees("bark: done")
        assert at.ends() == 0


def test_a_save_of_play_and_a_scene_file_are_states(folder: Path) -> None:
    (folder / "ferry.yaml").write_text(FERRY)
    (folder / "crossing.yaml").write_text(CROSSING)
    played = run("play", "ferry.yaml", "crossing.yaml", "--save", "saved.json", "--seed", "1", typed=b"row\n")
    assert played.code == 0, played.err
    for state in ("crossing.yaml", "saved.json"):
        said = run("possible", "ferry.yaml", state, "ann")
        assert said.out.startswith("row  Row"), (state, said)
    assert run("possible", "ferry.yaml", "crossing.yaml", "ann").out.splitlines()[-1] == "  far=1|2  said by coxswain"
    assert run("act", "ferry.yaml", "saved.json", "row", "actor=ann", "far=1").code == 0


def test_what_is_possible_is_listed_for_people_and_programs(yard: Path) -> None:
    said = run("possible", "yard.yaml", "dogs.yaml", "rex")
    assert said.out.splitlines() == ["bark  Bark at another (barks: 1)", "  at=fifi", "  many=1 to 3"]
    said = run("possible", "yard.yaml", "dogs.yaml")
    bark = ["  bark  Bark at another (barks: 1)", "    at=", "    many=1 to 3"]
    assert said.out.splitlines() == [
        "rex:", bark[0], bark[1] + "fifi", bark[2], "", "fifi:", bark[0], bark[1] + "rex", bark[2]
    ]  # fmt: skip
    said = run("possible", "yard.yaml", "dogs.yaml", "rex", "--format", "json")
    found = {
        "actor": "rex",
        "action": "bark",
        "title": "Bark at another",
        "inputs": {"at": ["fifi"], "many": [1, 2, 3]},
    }
    assert json.loads(said.out) == [{**found, "costs": {"barks": 1}, "prices": {"barks": [1, 1]}, "kinds": {}}]
    (yard / "dogs.yaml").write_text("rex: {is: dog, barks: 0}\n")
    assert run("possible", "yard.yaml", "dogs.yaml", "rex").out == "rex can do nothing now\n"
    assert run("possible", "yard.yaml", "dogs.yaml").out == "nobody can do anything now\n"


RACE = """ruleset: race
kinds: {runner: {has: {far: {type: number, default: 0}}}}
mechanics:
  sprint: {steps: {die: {roll: d2}}, outcomes: {quick: die == 2, slow: otherwise}}
scenes:
  course:
    inputs: {one: runner}
    round: {run: {steps: {die: {roll: d2}, on: {gain: die, to: one.far}}}}
    outcomes: {far: one.far >= 3}
cases: [{name: a two is quick, mechanic: sprint, faces: [2], expect: {outcome: quick}}]
"""
RACERS = "state: {}\nof: race.yaml\nscene: course\nthings: {{runner: {{ann}}}}\ngiven: {{one: ann}}\n"


@pytest.mark.parametrize("asked", [("odds",), ("simulate", "--runs", "20")], ids=lambda asked: asked[0])
def test_a_scene_file_of_the_ruleset_is_asked_about_by_its_name_alone(asked: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "race.yaml").write_text(RACE)
    for name in ("meadow", "sprint"):
        (tmp_path / f"{name}.yaml").write_text(RACERS.format(name))
    command, *more = asked
    for name, word in (("meadow", "far"), (f"{tmp_path}/sprint.yaml", "far"), ("sprint", "quick")):
        said = run(command, f"{tmp_path}/race.yaml", name, *more)
        assert said.code == 0 and re.search(rf"^ *{word} ", said.out, re.MULTILINE), said.err


def test_a_scene_file_stands_without_the_ruleset_that_it_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (folder := tmp_path / "scenes").mkdir()
    (folder / "race.yaml").write_text(RACE)
    (folder / "meadow.yaml").write_text(RACERS.format("meadow"))
    (folder / "other.yaml").write_text(RACERS.format("other"))
    scene, ruleset = "scenes/meadow.yaml", "scenes/race.yaml"
    for command, *more in (
        ("odds",),
        ("odds", "--of", "ann.far"),
        ("simulate", "--runs", "20", "--seed", "1"),
        ("simulate", "one=ann", "--runs", "20", "--seed", "1"),
        ("compare", "--policy-b", "random", "--runs", "20", "--seed", "1"),
        ("play", "--no-input", "--seed", "1"),
        ("act",),
        ("act", "sprint", "--no-input", "--seed", "1"),
        ("possible",),
        ("possible", "ann"),
    ):
        alone, whole = run(command, scene, *more), run(command, ruleset, scene, *more)
        assert (alone.code, alone.out, alone.err) == (whole.code, whole.out, whole.err)
        assert alone.code == 0, alone.err
    too_many = run("possible", scene, "ann", "again")
    assert too_many.code == 2 and "unexpected extra argument (again)" in too_many.err
    assert run("compare", scene).err.splitlines()[-1].startswith("Error: nothing differs")
    (folder / "race.yaml").rename(folder / "sprint.yaml")
    for command in ("odds", "simulate", "compare", "play", "act", "possible"):
        said = run(command, scene)
        assert said.code == 2 and said.err.startswith("scenes/meadow.yaml:2:5: HR564 there is no file `race.yaml` here")
        assert said.err.endswith("  = help: write `sprint.yaml`\n")


def test_a_bundled_scene_file_stands_for_its_bundled_ruleset() -> None:
    scene = bundled.scenes()["flooded-vault"]
    assert run("possible", str(scene), "mara").out == run("possible", "2d20", "flooded-vault", "mara").out


@pytest.mark.parametrize("command", ["play", "act", "possible"])
def test_a_scene_or_a_state_is_missed(command: str) -> None:
    for words in ((), ("2d20",)):
        said = run(command, *words)
        assert said.code == 2 and re.search(r"Error: Missing argument '(SCENE|STATE)'(: .*)?\.$", said.err.strip())


def test_roll_says_which_commands_take_a_state() -> None:
    said = run("roll", "2d20", "attempt", "--state", "flooded-vault")
    assert said.code == 2 and "`act RULESET STATE NAME` plays in one" in said.err
    assert "--state" not in run("roll", "--help").out


def test_a_scene_of_the_ruleset_is_a_state_by_its_name_alone() -> None:
    harm = ("harm", "actor=game_master", "victim=tolly", "amount=1", "--no-input")
    assert "tolly.stress 0 → 1 of 4" in run("act", "2d20", "flooded-vault", *harm).out
    asked = ("2d20", "attempt", "actor=mara", "target=10", "difficulty=1", "--state", "flooded-vault")
    assert "3/4" in run("odds", *asked).out
    assert run("simulate", *asked, "--runs", "10", "--seed", "1").code == 0
    missing = run("act", "2d20", "flooded-vualt", "harm")
    assert "HR643" in missing.err and "did you mean `flooded-vault`?" in missing.err


def test_every_value_of_free_numbers_and_of_what_somebody_else_gives_is_possible() -> None:
    """Numbers that decide nothing do not take the place of other inputs, however many combinations they have."""
    said = run("possible", "2d20", "flooded-vault", "mara")
    lines = said.out.splitlines()
    oppose = lines[lines.index("oppose  Begin a contest (majors: 1)") + 1 :][:5]
    assert oppose == [
        "  opponent=tolly|guard",
        "  target=0 to 20",
        "  focus=0 to 20",
        "  against=0 to 20  said by opponent",
        "  theirs=0 to 20  said by opponent",
    ]


def test_a_saved_session_is_resumed_whatever_its_file_is_called(folder: Path) -> None:
    (folder / "ferry.yaml").write_text(FERRY)
    (folder / "crossing.yaml").write_text(CROSSING)
    assert run("play", "ferry.yaml", "crossing.yaml", "--seed", "1", typed=b":save here.yaml\n").code == 0
    said = run("play", "ferry.yaml", "here.yaml", typed=b"row\n")
    assert said.code == 0 and said.err.startswith("saved; ") and said.err.count("\n") == 1 and "Row" in said.out


OTHER_STATE = json.dumps(
    {
        "houserule": "state/1", "by": "0.1.0", "things": {"tom": {"is": "cat"}},
        "rules": {"name": "other", "version": "", "language": 1, "units": 1, "uses": {}, "shape": {}},
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("state", "code", "words"),
    [
        ("rex: {is: dog, calm: 9}", "HR604", "dogs.yaml:1:22: "),
        ("rex: {is: dgo}", "HR303", "dogs.yaml:1:11: "),
        ("rex: {is: dog, clam: 1}", "HR305", "did you mean `calm`?"),
        ("[rex]", "HR659", "things are written by name"),
        ('{"houserule": "state/1"}', "HR678", "`rules` are missing"),
        (OTHER_STATE, "HR659", "a state of `other`, and `yard` has none of the kinds"),
        ("rex: {is: dog", "HR0", "dogs.yaml"),
    ],
)
def test_a_state_that_does_not_fit_is_refused_at_its_place(yard: Path, state: str, code: str, words: str) -> None:
    (yard / "dogs.yaml").write_text(state)
    said = run("possible", "yard.yaml", "dogs.yaml", "rex")
    assert (said.code, said.out) == (2, "")
    assert code in said.err and words in said.err


def test_a_state_that_cannot_be_read_or_written(yard: Path) -> None:
    assert "HR001 `none.yaml` cannot be read" in run("act", "yard.yaml", "none.yaml", "bark", "actor=rex").err
    said = run("act", "yard.yaml", "dogs.yaml", "noise", "who=rex", "much=1", "--save", "no/where.json")
    assert said.code == 2 and "HR001 `no/where.json` cannot be written" in said.err


def test_things_of_the_book_that_cannot_be_made_are_found_by_check(yard: Path) -> None:
    book = "things:\n  dog:\n    rex: {calm: 4}\n"
    (yard / "yard.yaml").write_text(YARD.replace("to: 5, starts: 5", "to: 2 + 1, starts: 1") + book)
    said = run("check", "yard.yaml", "--format", "concise")
    assert said.code == 1
    assert "HR604 `calm` must be from 0 to 3, not 4" in said.out


LOT = """\
ruleset: lot
kinds:
  player: {has: {taken: {type: number, default: 0, seen_by: everybody}, cards: {list_of: number, default: "[4, 2, 7]"}}}
scenes:
  night:
    inputs: {players: {list_of: player, least: 1}}
    round:
      go:
        steps:
          each_one:
            for: who
            among: players
            each:
              took: {choose: one, by: who, among: who.cards, ask: "Which card?"}
              kept: {set: who.taken, to: took}
    outcomes: {over: scene.round == 1}
"""
LOT_SCENE = "state: lot\nof: lot\nscene: night\nthings: {player: {ann: {}}}\ngiven: {players: [ann]}\n"


def test_options_that_are_numbers_have_no_other_numbers(folder: Path) -> None:
    (folder / "lot.yaml").write_text(LOT)
    (folder / "night.yaml").write_text(LOT_SCENE + "players: {anna: [ann]}\n")
    said = run("play", "lot.yaml", "night.yaml", "--seed", "1", typed=b"1\n2\n")
    assert "\n  4, 2, 7\n" in said.out
    assert "`1` is not a valid answer to “Which card?”" in said.out
    assert "ann: taken 0 → 2" in said.out


# What there is ---------------------------------------------------------------------------------------------------


def test_list_shows_the_games_and_the_files_of_this_folder() -> None:
    data = json.loads(run("list", "--format", "json").out)
    assert data["games"].keys() == bundled.rulesets().keys()
    assert data["house rules"].keys() == bundled.house_rules().keys()
    assert data["scenes"].keys() == bundled.scenes().keys()
    assert data["scenes"]["mill-bridge"] == "dnd5e: The bridge at the mill"
    assert data["files here"].keys() == {"little.yaml", "broken.yaml"}


def test_list_tells_what_a_policy_answers() -> None:
    assert json.loads(run("list", "blades", "--format", "json").out)["policies"]["plain"] == "answers push, bargain"


@pytest.mark.parametrize("name", sorted(bundled.rulesets()))
def test_list_shows_all_that_can_be_played(name: str) -> None:
    data, program = json.loads(run("list", name, "--format", "json").out), load(name).program
    assert data["mechanics"].keys() == program.mechanics.keys()
    assert data.get("options", {}).keys() == program.options.keys()
    assert tuple(data.get("policies", {})) == program.policies
    scenes = {Path(one).name for one in data.get("scene files", ())}
    assert scenes == {path.name for path in (bundled.rulesets()[name].parent / "scenes").glob("*.yaml")}
    layers = {path.stem for path in (bundled.rulesets()[name].parent / "house-rules").glob("*.yaml")}
    assert layers <= data.get("house rules", {}).keys()


def test_a_file_of_another_kind_is_told_with_the_command_that_takes_it(folder: Path) -> None:
    game = interpreter.load("fiend-wake")
    session = interpreter.load_scene("duel").begin(seed=1)
    (folder / "game.json").write_text(session.to_json())
    (folder / "now.json").write_text(game.to_json(session.state))
    (folder / "rolled.json").write_text(interpreter.load("jadeclaw").roll("contest", own="d8", against="d6").to_json())
    (folder / "mara.json").write_text('{"mara": {"is": "combatant"}}')
    assert run("campaign", "new", "camp", "--rules", "fiend-wake").code == 0
    ways = {
        "game.json": "`houserule play game.json` goes on with it",
        "now.json": "`houserule play SCENE --from now.json` begins a scene in it",
        "rolled.json": "`houserule replay RULESET rolled.json` plays it again",
        "mara.json": "`houserule act RULESET mara.json` takes a file of things",
        "camp": "`houserule play camp SCENE` plays its next scene",
    }
    for file, way in ways.items():
        for command in ("check", "show", "test", "roll", "list", "odds"):
            said = run(command, file)
            told = said.out + said.err
            assert said.code in (1, 2) and "HR112" in told and way in told, told
        if file not in ("game.json", "camp"):  # which are played
            said = run("play", file)
            assert said.code == 2 and way in said.err, said.err
    assert "`houserule list fiend-wake` lists its scenes" in run("play", "fiend-wake").err
    assert "there is no file `gone.json`" in run("play", "gone.json").err

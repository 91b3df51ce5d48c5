"""`--budget`, of every command that has it: what is spent ends the command with a message, and nothing else does."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from marks import thorough

import interpreter
from interpreter import cli
from interpreter.budget import Budget
from interpreter.cli.budgets import EACH, WHOLE

SLOW = """\
ruleset: slow
kinds: {hero: {has: {n: {type: number, default: 1}}}}
functions: {busy: {takes: {n: number}, gives: "sum(upto(900) by count(without(upto(900), reversed(upto(900))))) + n"}}
mechanics:
  m:
    inputs: {x: {type: number, default: 1}}
    steps: {die: {roll: d6}, work: busy(x + die)}
    outcomes: {a: work > 3, b: otherwise}
actions:
  act: {actor: hero, requires: {able: busy(actor.n) > 0}, steps: {work: busy(1)}}
cases:
  - {name: one, mechanic: m, faces: [3], expect: {outcome: a}}
  - {name: two, mechanic: m, faces: [4], expect: {outcome: a}}
"""
"""A function that takes more than half a second on any machine, and whatever calls it."""

MANY = "ruleset: many\nkinds: {hero: {has: {n: {type: number, default: 1}}}}\nmechanics:\n" + "".join(
    f"  m{n}: {{steps: {{die: {{roll: 2d6}}, s: sum(die) + {n}}}, outcomes: {{a: s > {n + 9}, b: otherwise}}}}\n"
    for n in range(400)
)
"""A file that takes some tenths of a second to load."""

LOOSE = MANY.replace("steps: {", "steps:   {")
"""The same with blanks that `fmt` takes away."""

STATE = "state: here\nof: slow\nthings: {hero: {ann: {n: 1}}}\n"


@dataclass(frozen=True)
class Asked:
    """A command whose work takes long, and the code that it ends with when its budget is spent."""

    words: tuple[str, ...]
    code: int = 2


ASKED = {
    "check": Asked(("many.yaml",)),
    "list": Asked(("many.yaml",)),
    "show": Asked(("many.yaml",)),
    "explain": Asked(("many.yaml", "m1")),
    "coverage": Asked(("many.yaml",)),
    "adopt": Asked(("many.yaml", "many.json")),
    "replay": Asked(("slow.yaml", "result.json")),
    "delta": Asked(("before", "after")),
    "docs": Asked(("slow.yaml", "-o", "page.html")),
    "roll": Asked(("slow.yaml", "m", "--seed", "1")),
    "act": Asked(("slow.yaml", "state.yaml", "act", "actor=ann", "--seed", "1")),
    "possible": Asked(("slow.yaml", "state.yaml", "ann")),
    "odds": Asked(("slow.yaml", "m")),
    "compare": Asked(("slow.yaml", "m", "--set", "x=2")),
    "simulate": Asked(("slow.yaml", "m", "--seed", "1")),
    "sweep": Asked(("slow.yaml", "m", "--over", "x=1,2,3")),
    "test": Asked(("slow.yaml",), 1),
    "fmt": Asked(("loose.yaml",)),
}
"""Of each command with the option, a question that takes longer than a tenth of a second."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory, with the files of the questions."""
    monkeypatch.chdir(tmp_path)
    many = interpreter.loads(MANY, name="many.yaml")
    with interpreter.within(Budget.none):
        slow = interpreter.loads(SLOW, name="slow.yaml")
        result = slow.roll("m", seed=1).to_json()
    files = {"slow.yaml": SLOW, "many.yaml": MANY, "loose.yaml": LOOSE, "state.yaml": STATE, "result.json": result}
    for name, text in {**files, "many.json": many.to_json(many.state(ann={"is": "hero"}))}.items():
        Path(name).write_text(text, "utf-8")
    for folder, text in {"before": SLOW, "after": SLOW.replace("work > 3", "work > 4")}.items():
        Path(folder).mkdir()
        Path(folder, "slow.yaml").write_text(text, "utf-8")
    yield tmp_path


def run(command: str, *words: str) -> tuple[int, str, str]:
    """The exit code of a command, and what it writes to both streams."""
    code = 0
    runner, argv = CliRunner(), sys.argv
    with runner.isolation() as (out, errors, _):
        sys.argv = ["houserule", command, *words]
        try:
            cli.main()
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            sys.argv = argv
        return code, out.getvalue().decode(), errors.getvalue().decode()


def test_each_command_with_the_option_is_asked() -> None:
    assert ASKED.keys() == WHOLE | EACH.keys()


@pytest.mark.parametrize("command", thorough(ASKED, lambda name: name not in ("check", "odds", "test")))
def test_a_spent_budget_ends_a_command_with_a_message_that_says_where_and_what_to_do(
    command: str, folder: Path
) -> None:
    asked = ASKED[command]
    code, out, errors = run(command, *asked.words, "--budget", "0.1")
    told = errors if command != "test" else errors + out
    assert code == asked.code, told
    assert "this takes more than it may: 0.1 seconds" in told
    assert "`--budget`" in told and ".yaml:" in told and "Traceback" not in told


def test_check_tells_of_a_file_that_takes_more_than_a_file_may_and_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("wrong.yaml").write_text("ruleset: wrong\nmechanics: {m: {steps: {x: y}}}\n", "utf-8")
    monkeypatch.setattr(Budget, "usual", Budget(None, None, work=50_000))
    code, out, errors = run("check", "many.yaml", "wrong.yaml", "--format", "concise")
    assert code == 1, errors
    assert [line.split()[1] for line in out.splitlines()] == ["HR638", "HR301"], out
    assert out.startswith("many.yaml:") and "50,000 units of work" in out


@pytest.mark.parametrize("name", ["loose.yaml", "house.yaml"])
def test_fmt_leaves_a_file_alone_that_takes_more_than_a_file_may(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One takes too much to lay out, the other to compare its program, as is its base; parts are left alone with it."""
    Path("house.yaml").write_text(
        "ruleset: house\nextends: many.yaml\nparts: [more.yaml]\nchanges:\n"
        "  mechanics.m1.steps.s: {set:   sum(die), because: so.}\n",
        "utf-8",
    )
    Path("more.yaml").write_text("part_of: house\nmechanics: {part:   {steps: {x:  1}}}\n", "utf-8")
    Path("other.yaml").write_text("ruleset: other\nmechanics:   {m: {steps: {x: 1}}}\n", "utf-8")
    left_alone = [name, *(["more.yaml"] if name == "house.yaml" else [])]
    written = {name: Path(name).read_text("utf-8") for name in left_alone}
    monkeypatch.setattr(Budget, "usual", Budget(None, None, work=50_000))
    code, _, errors = run("fmt", *left_alone, "other.yaml")
    assert code == 2, errors
    assert [one for one in left_alone if f"{one}:1:1: HR638" in errors] == left_alone
    assert {name: Path(name).read_text("utf-8") for name in written} == written
    assert Path("other.yaml").read_text("utf-8") == "ruleset: other\nmechanics: {m: {steps: {x: 1}}}\n"


@pytest.mark.parametrize("text", ["0", "-1", "much", "nan", "inf", "1e999", ""])
def test_what_is_no_budget_is_refused(text: str) -> None:
    code, _, errors = run("roll", "-e", "2d6", "--budget", text)
    assert code == 2
    assert f"`{text}` is no budget: `strict`, `none`, or a number of seconds above 0" in errors


@pytest.mark.parametrize("budget", ["strict", "none", "5", "0.5"])
def test_what_fits_into_a_budget_is_as_without(budget: str) -> None:
    words = ("-e", "2d6", "--seed", "3")
    assert run("roll", *words, "--budget", budget) == run("roll", *words)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_simulation_in_processes_shows_the_runs_of_its_budget(workers: str, folder: Path) -> None:
    """Nothing but the number of runs is left out, and the law is that of a die, within ten standard errors."""
    words = ("simulate", "-e", "x=d6", "--runs", str(10**11), "--seed", "1", "--workers", workers, "--format", "json")
    code, out, errors = run(*words, "--budget", "0.5")
    assert code == 0, errors
    assert "of 100,000,000,000 runs: all of them take more than they may" in errors and "`--budget`" in errors
    rows = next(iter(json.loads(out)["laws"].values()))["law"]
    assert len(rows) == 6 and sum(one["count"] for one in rows) >= 1_000
    assert all(abs(one["probability"] - 1 / 6) < 10 * one["error"] for one in rows)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_simulation_in_processes_is_refused_before_its_first_run_is_done(workers: str, folder: Path) -> None:
    code, out, errors = run("simulate", "slow.yaml", "m", "--seed", "1", "--workers", workers, "--budget", "0.05")
    assert (code, out) == (2, "")
    assert "this takes more than it may: 0.05 seconds" in errors and "Traceback" not in errors

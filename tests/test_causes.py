"""One cause is told once, at its own place: what follows from it is a count, in every command and format.

What differs under a house rule is listed by the paths of rules, whose cases follow by themselves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_cli import run

from interpreter import bundled, pipeline
from interpreter.testing.layered import gather_problems
from interpreter.testing.suite import Suite

RUNNERS = 230
"""More than the errors after which the rest of a ruleset is not checked."""

BASE = """\
ruleset: track
options: {slope: {type: number, default: 0}}
tables: {bonus: {rows: {0 to 2: 0, 3 to 9: 1}, off_the_rows: 0}}
functions: {doubled: {takes: {of: number}, gives: 2 * of}}
kinds:
  runner:
    has:
      pace: {type: number, from: 0, to: 9}
      tired: {type: yes_no, default: no}
      able: {is: not tired and pace > 0}
mechanics:
  throw: {inputs: {pool: dice}, steps: {rolled: {roll: pool}, most: highest(rolled) otherwise 0}}
  sprint:
    inputs: {pace: {type: number, from: 0, to: 9}}
    steps:
      thrown: {call: throw, with: {pool: 2d6}}
      far: thrown.most + pace - options.slope
    outcomes: {quick: far >= 6, slow: otherwise}
  rest: {inputs: {pace: {type: number}}, steps: {back: doubled(pace) + bonus(pace)}}
actions:
  run:
    actor: runner
    requires: {able: actor.able}
    steps: {far: {call: sprint, with: {pace: actor.pace}}}
    outcomes: {ahead: far.far >= 3, behind: otherwise}
  wait: {actor: runner, steps: {worn: {set: actor.tired, to: no}}}
"""
CASES = """\
cases:
  - {name: a six is quick, mechanic: sprint, given: {pace: 0}, faces: [6, 1], expect: {outcome: quick}}
  - {name: a five is slow, mechanic: sprint, given: {pace: 0}, faces: [5, 1], expect: {outcome: slow}}
  - {name: a pace is added, mechanic: sprint, given: {pace: 2}, faces: [2, 1], expect: {far: 4}}
  - {name: the best counts, mechanic: throw, given: {pool: 2d6}, faces: [2, 4], expect: {most: 4}}
  - {name: rest, mechanic: rest, given: {pace: 2}, expect: {back: 4}}
  - {name: two twos, evaluate: doubled(2), expect: 4}
  - {name: a big pace, evaluate: bonus(5), expect: 1}
  - name: ann runs
    action: run
    actor: ann
    before: {ann: {is: runner, pace: 1}}
    faces: [4, 4]
    expect: {far.far: 5}
  - name: ann waits
    action: wait
    actor: ann
    before: {ann: {is: runner, pace: 1, tired: yes}}
    after: {ann: {tired: no}}
"""


def many() -> str:
    """Cases of so many runners that what one slip does to each of them would hide the slip."""
    before, rest = "before: {{r{0}: {{is: runner, pace: 1}}}}", "faces: [4, 4], expect: {{far.far: 5}}"
    each = f"  - {{{{name: runner {{0}}, action: run, actor: r{{0}}, {before}, {rest}}}}}\n"
    return "".join(each.format(number) for number in range(RUNNERS))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "track.yaml").write_text(BASE + CASES, "utf-8")
    return tmp_path


def layer(changes: str, differs: str = "", name: str = "ours") -> str:
    """Writes a house rule; gives the name of its file."""
    text = f"ruleset: {name}\nextends: track.yaml\nchanges:\n  {changes}\n"
    Path(f"{name}.yaml").write_text(text + (f"differs: {differs}\n" if differs else ""), "utf-8")
    return f"{name}.yaml"


# Errors ----------------------------------------------------------------------------------------------------------

SLIPS = {
    "a type that is none": "kinds.runner.has.able: {set: base and not (resting in states), because: x}",
    "a wrong name": "kinds.runner.has.able.is: {set: base and not tierd, because: x}",
    "a wrong type": "kinds.runner.has.pace.type: {set: nubmer, because: x}",
    "a wrong name in a rule": "mechanics.sprint.steps.far: {set: base + paec, because: x}",
    "a wrong call": "actions.run.steps.far.call: {set: spritn, because: x}",
    "what others read is gone": "kinds.runner.has.pace: {remove: here, because: x}",
    "what a derived value reads is gone": "kinds.runner.has.tired: {remove: here, because: x}",
    "a step is gone": "mechanics.sprint.steps.thrown: {remove: here, because: x}",
    "a rule is gone": "mechanics.throw: {remove: here, because: x}",
    "a function is gone": "functions.doubled: {remove: here, because: x}",
    "another type": "mechanics.throw.steps.most: {set: rolled, because: x}",
}


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS)
@pytest.mark.parametrize("cases", [CASES, CASES + many()], ids=["few cases", "many cases"])
def test_one_slip_of_a_house_rule_is_one_error_in_its_line(slip: str, cases: str) -> None:
    Path("track.yaml").write_text(BASE + cases, "utf-8")
    made = pipeline.from_path(Path(layer(slip)))
    assert [(one.path, one.line) for one in made.problems.errors] == [("ours.yaml", 4)]


def test_two_slips_of_a_house_rule_are_two_errors() -> None:
    name = layer(f"{SLIPS['a step is gone']}\n  {SLIPS['a wrong name']}\n  {SLIPS['a function is gone']}")
    assert sorted(one.line for one in pipeline.from_path(Path(name)).problems.errors) == [4, 5, 6]


def test_what_is_wrong_with_the_base_is_not_blamed_on_a_house_rule() -> None:
    Path("track.yaml").write_text((BASE + CASES).replace("thrown.most + pace", "thrown.most + paec"), "utf-8")
    made = pipeline.from_path(Path(layer("mechanics.sprint.steps.thrown.with.pool: {set: 3d6, because: x}")))
    (one,) = made.problems.errors
    assert one.path == "track.yaml" and one.notes == ()


SHAPES = {
    "a key": ("to: 9}\n      tired", "too: 9}\n      tired"),
    "a verb": ("thrown: {call: throw", "thrown: {cal: throw"),
    "a section": ("tables:", "tabels:"),
    "a list for a value": ("gives: 2 * of", "gives: [2 * of]"),
    "YAML": ("steps: {back: doubled(pace)", "steps: {back: @doubled(pace)"),
}
"""Slips that a file has by itself, before it is known what its names mean."""


@pytest.mark.parametrize("slip", SHAPES)
@pytest.mark.parametrize("change", [
    "options.slope.default: {set: 1, because: x}", "mechanics.sprint: {rename: dash, because: x}",
    "kinds.runner.has.pace: {rename: speed, because: x}", SLIPS["a wrong type"],
])  # fmt: skip
def test_the_shape_of_the_base_is_not_blamed_on_a_house_rule(slip: str, change: str) -> None:
    old, new = SHAPES[slip]
    assert old in BASE
    Path("track.yaml").write_text((BASE + CASES).replace(old, new), "utf-8")
    alone = [(one.code, one.line, one.message) for one in pipeline.from_path(Path("track.yaml")).problems.errors]
    told = [one for one in pipeline.from_path(Path(layer(change))).problems.errors if one.path == "track.yaml"]
    assert alone[:1] == [(one.code, one.line, one.message) for one in told][:1]
    assert all(not one.message.startswith("`ours` has") for one in told)


def names_in_formulas() -> Iterator[tuple[str, str]]:
    """The base with one wrong name, at each name of an expression that is longer than three letters."""
    for found in re.finditer(r"(?<=[ (.])(?:thrown|pace|options|tired|actor|doubled|bonus|rolled)(?=[ .()},])", BASE):
        wrong = found[0][:2] + found[0][3] + found[0][2] + found[0][4:]
        if BASE[found.end()] != ":" and wrong != found[0]:
            yield f"{found.start()} {found[0]}", BASE[: found.start()] + wrong + BASE[found.end() :]


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in names_in_formulas()])
def test_one_slip_of_a_base_is_told_once_beside_its_house_rules(text: str, folder: Path) -> None:
    Path("track.yaml").write_text(text + CASES, "utf-8")
    for number in range(3):
        layer("options.slope.default: {set: 1, because: x}", name=f"layer-{number}")
    said = run("check", ".")
    assert said.err.endswith("1 error\n") and said.out.count(" HR") == 1
    assert "= and 3 house rules over it (`--all` tells them)" in said.out
    assert run("check", ".", "--all").out.count(" HR") == 4
    assert run("test", ".", "--format", "concise").err.count(" HR") == 1


def test_every_format_tells_a_cause_once_and_what_follows() -> None:
    name = layer(SLIPS["a step is gone"])
    (one,) = json.loads(run("check", name, "--format", "json").out)
    assert one["path"] == name and one["line"] == 4 and one["follows"] == []
    Path("track.yaml").write_text((BASE + CASES).replace("quick: far >= 6", "quick: thrown.most + far >= 6"), "utf-8")
    (one,) = json.loads(run("check", name, "--format", "json").out)
    assert [(other["path"], other["code"]) for other in one["follows"]] == [("track.yaml", "HR301")]
    (result,) = json.loads(run("check", name, "--format", "sarif").out)["runs"][0]["results"]
    assert result["occurrenceCount"] == 2 and "and 1 more error in `track`" in result["message"]["text"]
    assert run("check", name, "--format", "github").out.count("::error") == 1
    assert len(json.loads(run("check", name, "--all", "--format", "json").out)) == 2


# What differs ----------------------------------------------------------------------------------------------------

SLOPE = "options.slope.default: {set: 1, because: x}"
DOUBLED = "functions.doubled.gives: {set: 3 * of, because: x}"
THROW = "mechanics.throw.steps.most: {set: base + 1, because: x}"
BONUS = "tables.bonus.rows.3 to 9: {set: 2, because: x}"


@pytest.mark.parametrize(
    ("change", "path", "differ", "of"),
    [
        (SLOPE, "mechanics.sprint", 3, 4),
        (THROW, "mechanics.throw", 4, 5),
        (DOUBLED, "functions.doubled", 2, 2),
        (BONUS, "tables.bonus", 1, 2),
        ("actions.wait.steps.worn.to: {set: yes, because: x}", "actions.wait", 1, 1),
    ],
)
def test_a_path_stands_for_all_cases_that_play_the_rule(change: str, path: str, differ: int, of: int) -> None:
    """Directly or through calls; also those that the base gains."""
    name = layer(change)
    assert run("test", name).code == 1
    name = layer(change, f"[{path}]")
    said = run("test", name, "--list")
    assert said.code == 0 and f"ours: {path}: {differ} of {of} differ\n" in said.out
    assert said.out.count("  differs: ") == differ and said.out.count("  holds: ") == of - differ
    assert run("test", layer(change), "--update", "--yes").code == 0
    assert f"- {path}\n" in Path(name).read_text("utf-8")


@pytest.mark.parametrize(
    ("path", "code", "words"),
    [
        ("mechanics.rest", "HR710", "nothing that `mechanics.rest` plays is changed here"),
        ("actions.wait", "HR710", "nothing that `actions.wait` plays is changed here"),
        ("mechanics.spritn", "HR711", "did you mean `mechanics.sprint`?"),
        ("events.fall", "HR711", "the ruleset below has no rule `events.fall`"),
    ],
)
def test_a_path_that_stands_for_nothing_that_differs_is_an_error(path: str, code: str, words: str) -> None:
    said = run("test", layer(SLOPE, f"[mechanics.sprint, {path}]"))
    assert said.code == 1 and said.err.count(" HR") == 1 and f"{code} " in said.err and words in said.err


def test_a_rule_whose_cases_all_hold_does_not_differ() -> None:
    said = run("test", layer("mechanics.sprint.outcomes.quick: {set: far > 5, because: x}", "[mechanics.sprint]"))
    assert said.code == 1 and "HR710 `mechanics.sprint` does not differ: all its 4 cases hold as before" in said.err


def test_a_misspelt_path_is_one_failure() -> None:
    said = run("test", layer(SLOPE, "[mechanics.spritn]"))
    assert said.code == 1 and said.err.count(" HR") == 1 and "did you mean `mechanics.sprint`?" in said.err


def test_a_case_beside_those_that_are_listed_by_name_is_a_note() -> None:
    name = layer(SLOPE, "[a six is quick, ann runs]")
    said = run("test", name)
    assert said.code == 0 and "HR924 1 more case of `mechanics.sprint` differs" in said.err
    assert "`a pace is added`" in said.err
    assert run("test", name, "--strict").code == 1
    assert run("test", name, "--update", "--yes").code == 0
    assert "differs: [mechanics.sprint]" in Path(name).read_text("utf-8")


def test_a_case_of_a_rule_that_the_list_says_nothing_about_is_an_error() -> None:
    said = run("test", layer(SLOPE, "[a six is quick]"))
    assert said.code == 1 and "HR709 under `ours`, a case of `track` that plays `actions.run` fails" in said.err


def test_a_case_that_fails_in_the_base_is_not_blamed_on_the_house_rule() -> None:
    wrong = CASES.replace("{far: 4}", "{far: 5}").replace("{back: 4}", "{back: 5}")
    Path("track.yaml").write_text(BASE + wrong, "utf-8")
    said = run("test", layer("mechanics.rest.title: {set: A rest, because: x}".replace("set", "add")))
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith("7 passed, 2 cases of the base fail there already\n")
    told = run("test", "ours.yaml", "--verbose", "--format", "json")
    assert told.out.count("HR925") == 2
    both = run("test", ".")
    assert both.code == 1 and both.err.count("HR701") == 2 and "HR709" not in both.err


def test_cases_that_fail_for_one_cause_are_counted() -> None:
    Path("track.yaml").write_text(BASE + CASES + many(), "utf-8")
    name = layer(THROW)
    said = run("test", name)
    assert said.err.count(" HR") == 1 and said.err.startswith("ours.yaml:4:3: HR709 ")
    assert f"under `ours`, {RUNNERS + 4} cases of `track` that play `mechanics.throw` fail" in said.err
    assert f"= and {RUNNERS + 3} more cases (`--all` tells them)" in said.err
    assert run("test", name, "--format", "github").out.count("::error") == 1
    assert run("test", name, "--all", "--format", "concise").err.count("HR709") > RUNNERS


def test_bundled_house_rules_list_rules() -> None:
    listed = {name: _listed(path) for name, path in bundled.house_rules().items()}
    assert len(listed) > 50 and sum(map(len, listed.values())) < 70


def _listed(path: Path) -> list[str]:
    text = path.read_text("utf-8")
    found = re.search(r"^differs: *(.*\n(?:  - .*\n)*)", text, re.MULTILINE)
    return re.findall(r"^  - |[\[,]", found[1], re.MULTILINE) if found else []


def test_what_is_proposed_is_enough() -> None:
    """Whatever two changes do, the paths that are proposed make the house rule green."""
    for two in ((SLOPE, DOUBLED), (THROW, BONUS), (DOUBLED, BONUS), (SLOPE, THROW)):
        made = pipeline.from_path(Path(layer("\n  ".join(two))))
        suite = Suite(made)
        verdicts = [test.run() for test in suite]
        assert suite.layered is not None
        paths = list(suite.layered.propose_entries(one.case for one in verdicts if one.failures))
        assert len(list(gather_problems(verdicts, suite.layered))) == len(paths) <= 2
        assert run("test", layer("\n  ".join(two), str(paths).replace("'", ""))).code == 0

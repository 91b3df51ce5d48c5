"""What a change of rules does to the odds: which rules it touches, at which inputs, and what is told of them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter import pipeline
from interpreter.api.decode import node_of
from interpreter.api.game import Game
from interpreter.chances.formats import render
from interpreter.chances.report import Style
from interpreter.chances.table import ChanceRow, ChanceTable, Subject, sort_key_of_change
from interpreter.cli import group
from interpreter.delta.compared import rule_deltas
from interpreter.delta.figures import RuleDelta
from interpreter.delta.given import describe_inputs
from interpreter.delta.points import PointToCompare, Side, points_to_compare
from interpreter.delta.report import folder_report
from interpreter.delta.rulesets import folder_delta
from interpreter.delta.touched import touched_rules
from interpreter.diagnostics.source import Source
from interpreter.pipeline import Loaded
from interpreter.testing.cases import Setting, Trial
from interpreter.testing.problems import all_problems

GAME = """\
ruleset: game
names: {mood: [calm, angry]}
ladders: {rank: [page, knight]}
options: {bar: {type: number, default: 8}}
functions:
  doubled: {takes: {n: number}, gives: n * 2}
tables:
  bonus: {rows: {1: 0, 2: 1}, off_the_rows: refuse}
mechanics:
  base:
    inputs: {skill: {type: number, default: 0}}
    steps: {d: {roll: 2d6}, total: sum(d) + skill}
    outcomes: {good: total >= options.bar, bad: otherwise}
  twice:
    steps: {one: {call: base}, two: {call: base}}
    outcomes: {both: one.outcome is good and two.outcome is good, less: otherwise}
  doubling:
    steps: {d: {roll: d6}, n: doubled(d)}
    outcomes: {high: n > 6, low: otherwise}
  looked_up:
    inputs: {level: {type: number, from: 1, to: 2}}
    typical: {level: [1, 2]}
    steps: {d: {roll: d6}, n: "d + bonus(level)"}
    outcomes: {high: n > 5, low: otherwise}
  moody:
    inputs: {now: {type: mood, default: calm}}
    steps: {d: {roll: d6}, n: d + 1}
    outcomes: {hot: d > 4 and now is angry, cold: otherwise}
  alone:
    steps: {d: {roll: d6}}
    outcomes: {six: d == 6, other: otherwise}
"""


def loaded(text: str) -> Loaded:
    made = pipeline.from_text(Source.of("game.yaml", text))
    assert [str(one) for one in made.problems.errors] == []
    return made


def deltas(old: str, new: str) -> dict[str, RuleDelta]:
    return {one.name: one for one in rule_deltas(loaded(old), loaded(new), {"game.yaml"})}


@pytest.mark.parametrize(
    ("old", "new", "names"),
    [
        ("total >= options.bar", "total > options.bar", ["base", "twice"]),
        ("default: 8", "default: 9", ["base", "twice"]),
        ("n * 2", "n * 3", ["doubling"]),
        ("2: 1}", "2: 2}", ["looked_up"]),
        ("[calm, angry]", "[calm, angry, sad]", ["moody"]),
        ("[page, knight]", "[page, squire, knight]", []),
        ("d == 6", "d >= 6", ["alone"]),
        ("ruleset: game", "ruleset: game\ntitle: Other words", []),
        ("  alone:\n", "  alone:\n    title: Other words\n", []),
        ("ruleset: game", "ruleset: game\nrounding: up", ["base", "twice", "doubling", "looked_up", "moody", "alone"]),
    ],
)
def test_what_a_change_touches(old: str, new: str, names: list[str]) -> None:
    before, after = loaded(GAME).program, loaded(GAME.replace(old, new)).program
    assert before is not None and after is not None
    assert touched_rules(before, after) == [f"mechanics.{name}" for name in names]
    assert touched_rules(after, before) == [f"mechanics.{name}" for name in names]


def test_declared_inputs_are_all_shown() -> None:
    found = deltas(GAME, GAME.replace("2: 1}", "2: 2}"))["looked_up"]
    assert [(one.given, one.changes) for one in found.points] == [("level 1", False), ("level 2", True)]
    assert found.same == 0
    (high, _) = found.points[1].tables[0].lines
    assert (high.label, str(high.base), str(high.number)) == ("high", "1/3", "1/2")


def test_without_cases_the_defaults_are_taken() -> None:
    found = deltas(GAME, GAME.replace("default: 8", "default: 9"))
    assert [one.given for one in found["base"].points] == [""]
    assert found["twice"].changes


def test_a_rule_that_needs_inputs_and_has_none_is_named() -> None:
    old = GAME.replace("    typical: {level: [1, 2]}\n", "")
    found = deltas(old, old.replace("2: 1}", "2: 2}"))["looked_up"]
    assert "declares none" in found.refused and not found.points


def test_inputs_of_cases() -> None:
    cases = "cases:\n" + "".join(
        f"  - {{name: case {n}, mechanic: base, given: {{skill: {skill}}}, odds: {{good: about 0}}}}\n".replace(
            "odds: {good: about 0}", "faces: [1, 1], expect: {outcome: bad}"
        )
        for n, skill in enumerate([0, 0, 1, 20])
    )
    found = deltas(GAME + cases, (GAME + cases).replace("default: 8", "default: 9"))["base"]
    assert [one.given for one in found.points] == ["skill 1", "skill 0"]  # the largest change first
    assert found.same == 1  # with 20 nothing is bad


def test_a_value_behind_the_results_is_told_if_these_stay() -> None:
    found = deltas(GAME, GAME.replace("n: d + 1", "n: d + 2"))["moody"]
    (panel,) = found.points[0].changing_tables
    assert panel.title == "n"
    mean = panel.lines[0]
    assert (mean.label, str(mean.base), str(mean.number)) == ("mean", "9/2", "11/2")


def test_what_is_new_and_what_is_gone() -> None:
    found = deltas(GAME, GAME.replace("  alone:\n", "  single:\n"))
    assert found["single"].is_new and found["alone"].refused == "removed"


@pytest.mark.parametrize(
    ("typical", "code", "text"),
    [
        ("{level: [1, 3]}", "HR715", "looked_up` cannot be played with these typical inputs"),
        ("{}", "HR715", "looked_up` cannot be played with these typical inputs"),
        ("{levle: 1}", "HR", "levle"),
        (f"{{level: [{', '.join(['1'] * 61)}]}}", "HR714", "there are 61 combinations"),
    ],
)
def test_typical_inputs_have_to_fit(typical: str, code: str, text: str) -> None:
    made = pipeline.from_text(Source.of("game.yaml", GAME.replace("{level: [1, 2]}", typical)))
    told = [one for one in all_problems(made) if one.severity == "error"]
    assert len(told) == 1 and told[0].code.startswith(code) and text in told[0].message


def test_a_house_rule_that_renames_an_input_renames_it_in_typical_inputs(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME, "utf-8")
    change = "{mechanics.looked_up.inputs.level: {rename: height, because: B.}}"
    layer = f"ruleset: other\nextends: game.yaml\nchanges: {change}\n"
    (tmp_path / "other.yaml").write_text(layer, "utf-8")
    made = pipeline.from_path(tmp_path / "other.yaml")
    assert [str(one) for one in all_problems(made) if one.severity == "error"] == []


def test_the_command_between_two_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("old", GAME), ("new", GAME.replace("default: 8", "default: 9"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game.yaml").write_text(text, "utf-8")
        (tmp_path / name / "over.yaml").write_text("ruleset: over\nextends: game.yaml\n", "utf-8")
    (tmp_path / "old" / "gone.yaml").write_text(GAME.replace("ruleset: game", "ruleset: gone"), "utf-8")

    def run(*words: str) -> str:
        said = CliRunner().invoke(group, ["delta", *words])
        assert said.exit_code == 0, said.output
        return said.stdout

    text = run("old", "new")
    assert "base (defaults)\n        before  after  change\n  good   41.7%  27.8%  -13.9%\n" in text
    assert (
        "Read from changed files, and not shown again here: `over.yaml`." in text and "gone.yaml: gone, removed" in text
    )
    assert "No ruleset has changed." in run("old", "old")
    data = json.loads(run("old", "new", "--format", "json"))
    (rule,) = [one for one in data["rulesets"][0]["rules"] if one["rule"] == "mechanics.base"]
    assert rule["points"][0]["results"][0]["figures"][0] == {
        "value": "good", "mean": False, "before": "5/12", "after": "5/18",
    }  # fmt: skip
    assert CliRunner().invoke(group, ["delta", "nowhere"]).exit_code == 2


def test_all_that_layers_touch_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.yaml").write_text(GAME, "utf-8")
    layer = "ruleset: {}\nextends: game.yaml\nchanges: {{{}: {{set: {}, because: B.}}}}\n"
    Path("one.yaml").write_text(layer.format("one", "options.bar.default", "9"), "utf-8")
    Path("two.yaml").write_text(layer.format("two", "mechanics.alone.outcomes.six", "d >= 5"), "utf-8")
    said = CliRunner().invoke(group, ["compare", "game.yaml", "--with", "one.yaml", "--with", "two.yaml"])
    assert said.exit_code == 0, said.output
    assert [line for line in said.stdout.splitlines() if line.endswith("(defaults)")] == [
        "alone (defaults)", "base (defaults)", "twice (defaults)",
    ]  # fmt: skip
    said = CliRunner().invoke(group, ["compare", "game.yaml", "--both-with", "one.yaml", "--with", "two.yaml"])
    assert "alone" in said.stdout and "base" not in said.stdout
    assert CliRunner().invoke(group, ["compare", "game.yaml"]).exit_code == 2


# What a comment says

LASTING = """\
ruleset: lasting
kinds:
  hero: {has: {luck: {type: points, starts: 3}, wet: {type: yes_no, default: no}}}
roles: {host: Whoever leads.}
mechanics:
  lucky:
    inputs: {who: {type: hero}, needed: {type: number, from: 1, default: 4}}
    steps:
      spent: {choose: number, from: 0, to: 2, by: host, default: 0, ask: "How much luck?"}
      paid: {pay: spent, from: who.luck}
      d: {roll: d6}
    outcomes: {good: d + spent >= needed, bad: otherwise}
events:
  soaked:
    inputs: {who: {type: hero}}
    steps: {d: {roll: d6}, lost: {lose: 1, from: who.luck}, wet: {set: who.wet, to: "d >= 4"}}
cases:
  - {name: a little, mechanic: lucky, before: {ann: {is: hero}}, given: {who: ann}, choices: {spent: 2}, faces: [1],
     expect: {outcome: bad}}
  - {name: soaked, event: soaked, before: {ann: {is: hero}}, given: {who: ann}, faces: [1], after: {ann.luck: 2}}
"""


def told(tmp_path: Path, old: str, new: str) -> str:
    """The comment about a change of a game."""
    for name, text in (("old", old), ("new", new)):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "game.yaml").write_text(text, "utf-8")
    report = folder_report(folder_delta(tmp_path / "old", tmp_path / "new"), "old", "new", {})
    return render("markdown", report, Style())


def test_what_things_have_afterwards_is_compared(tmp_path: Path) -> None:
    found = deltas(LASTING, LASTING.replace("lose: 1", "lose: 2").replace("d >= 4", "d >= 5"))["soaked"]
    (luck, wet) = found.points[0].changing_tables
    assert (luck.title, luck.certain) == ("luck of ann", ("2", "1"))
    assert (wet.title, [(one.label, str(one.number)) for one in wet.lines]) == (
        "wet of ann", [("no", "2/3"), ("yes", "1/3")],
    )  # fmt: skip
    text = told(tmp_path, LASTING, LASTING.replace("lose: 1", "lose: 2"))
    assert "The largest change: luck of ann in event `soaked`, with who ann, is **1** instead of 2." in text


def test_a_state_that_is_named_like_the_outcome_is_shown_once() -> None:
    steps = 'wet: {set: who.wet, to: "d >= 4"}}\n    outcomes: {wet: d >= 4, dry: otherwise}\n'
    old = LASTING.replace('wet: {set: who.wet, to: "d >= 4"}}\n', steps)
    found = deltas(old, old.replace("d >= 4", "d >= 5"))["soaked"]
    assert [one.title for one in found.points[0].changing_tables] == [""]


@pytest.mark.parametrize(
    ("old", "new", "only_now", "no_longer"),
    [("to: 2", "to: 1", (), ("who ann, spent 2",)), ("to: 1", "to: 2", ("who ann, spent 2",), ())],
)
def test_what_one_side_alone_allows_is_told(
    old: str, new: str, only_now: tuple[str, ...], no_longer: tuple[str, ...], tmp_path: Path
) -> None:
    base = LASTING.replace("faces: [1],\n     expect: {outcome: bad}", "error: spent") if new == "to: 1" else LASTING
    found = deltas(base.replace("to: 2", old), base.replace("to: 2", new))["lucky"]
    assert (found.only_now, found.no_longer) == (only_now, no_longer)
    text = told(tmp_path, base.replace("to: 2", old), base.replace("to: 2", new))
    assert "**What is allowed changes in 1 rule:** Lucky (`lucky`)." in text
    assert ("Allowed only now: who ann, spent 2." in text) == bool(only_now)
    assert ("No longer allowed: who ann, spent 2." in text) == bool(no_longer)


THROWS = """
ruleset: game
mechanics:
  throw:
    steps:
      tries:
        repeat: 2
        each:
          die:  {roll: d6}
          more: {choose: one, among: deed, where: ALLOWED, default: stay}
      again: count(tries where it.more is anew)
    outcomes: {good: again > 0, bad: otherwise}
names: {deed: [stay, wait, anew]}
cases:
  - {name: twice, mechanic: throw, faces: [6, 5], choices: {tries.more: [stay, anew]}, END}
  - {name: once, mechanic: throw, faces: [1, 2], choices: {tries.more: [anew, stay]}, expect: {outcome: good}}
"""


def test_what_one_side_alone_allows_is_told_of_cases_that_list_their_answers() -> None:
    free = THROWS.replace("ALLOWED", "yes").replace("END", "expect: {outcome: good}")
    bound = THROWS.replace("ALLOWED", "not (it is anew) or die < 4").replace("END", "error: more")
    found = deltas(free, bound)["throw"]
    assert (found.only_now, found.no_longer) == ((), ("tries.more stay, anew (“twice”)",))
    found = deltas(bound, free)["throw"]
    assert (found.only_now, found.no_longer) == (("tries.more stay, anew (“twice”)",), ())


def test_the_choices_of_a_case_are_the_best_if_it_says_so() -> None:
    case = "{name: best, mechanic: lucky, before: {ann: {is: hero}}, given: {who: ann}, best: good, odds: {good: 5/6}}"
    old = f"{LASTING}  - {case}\n"
    found = deltas(old, old.replace("to: 2", "to: 1"))["lucky"]
    assert [(one.given, str(one.tables[0].lines[0].number)) for one in found.points] == [
        ("who ann, the best choices for good", "2/3")
    ]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("d == 6", "d >= 5", "six in `alone` goes from 16.7% to **33.3%**."),
        ("n: d + 1", "n: d + 2", "n in `moody` goes from 4.5 to **5.5** on average."),
        (
            "six: d == 6, other: otherwise}",
            'six: d == 6, other: otherwise}\n    also: {low: "d < 4"}',
            "low in `alone` is new: **50.0%**.",
        ),
        ("{type: mood, default: calm}", "{type: mood, default: angry}", "hot in `moody` goes from 0% to **33.3%**."),
    ],
)
def test_the_largest_change_is_named_with_its_result(old: str, new: str, line: str, tmp_path: Path) -> None:
    assert f"The largest change: {line}" in told(tmp_path, GAME, GAME.replace(old, new))


def test_inputs_are_told_in_words() -> None:
    traits = [{"does": "helps"}, {"does": "helps"}, {}]
    values = {"is_ready": True, "traits": traits, "who": {}, "dice": "d10 & d6", "kinds_of": ["a_b", "a_b"]}
    inputs = {name: node_of(value, name) for name, value in values.items()}
    words = describe_inputs(PointToCompare(Setting(side(GAME).trial.game, "base", None, inputs), None))
    assert words == "is ready yes, traits 2 × (does: helps), (), dice d10 & d6, kinds of a b, a b"


def test_what_was_not_followed_is_no_change(tmp_path: Path) -> None:
    old = GAME.replace("alone:\n    steps: {d: {roll: d6}}", "alone:\n    steps: {d: {roll: d6, again: face == 6}}")
    old = old.replace("six: d == 6", "six: sum(d) >= 9")
    text = told(tmp_path, old, old.replace("again: face == 6", "again: face >= 5"))
    assert "not followed" not in text and "| six | " in text
    row = ChanceRow("hit", Fraction(1, 2) + Fraction(1, 10**9), Fraction(1, 2), slack=Fraction(1, 10**8))
    assert not row.changes and replace(row, slack=Fraction(0)).changes


def test_changes_that_percentages_hide_are_named_in_one_line(tmp_path: Path) -> None:
    old = GAME.replace("alone:\n    steps: {d: {roll: d6}}", "alone:\n    steps: {d: {roll: 4d10}}")
    old = old.replace("d == 6", "sum(d) >= 40")
    text = told(tmp_path, old, old.replace("sum(d) >= 40", "sum(d) >= 41"))
    assert "**No odds change by as much as 0.05%**" in text
    assert "Touched, with changes below 0.05% at every input that was tried: `alone`." in text and "####" not in text


def test_of_many_rules_the_first_are_shown_and_the_others_folded(tmp_path: Path) -> None:
    one = "steps: {one: {call: base}}, outcomes: {x: one.outcome is good, y: otherwise}"
    more = "".join(f"  more_{number}: {{{one}}}\n" for number in range(6))
    text = told(tmp_path, GAME + more, (GAME + more).replace("default: 8", "default: 9"))
    assert text.splitlines()[2].startswith("**The odds of 8 rules change:** ")
    assert text.splitlines()[2].endswith(" and 3 more.")
    assert "<details><summary>4 more rules</summary>\n\n#### " in text
    assert text.count("#### ") == 8 and text.count("<details>") == text.count("</details>") == 1


def test_reasons_leave_out_what_stays(tmp_path: Path) -> None:
    old = GAME.replace("total: sum(d) + skill", "total: {is: sum(d) + skill, about: X.}")
    (tmp_path / "game.yaml").write_text(old, "utf-8")
    (tmp_path / "over.yaml").write_text(
        "ruleset: over\nextends: game.yaml\nchanges:\n"
        "  mechanics.base.steps.total: {set: {is: sum(d) - skill, about: Y.}, because: B.}\n"
        "  mechanics.alone.steps.d: {set: {roll: d6, again: face == 6}, because: B.}\n", "utf-8",
    )  # fmt: skip
    (tmp_path / "none").mkdir()
    (found, _) = folder_delta(tmp_path / "none", tmp_path).rulesets[::-1]
    assert [one.what for one in found.reasons] == [
        "`sum(d) - skill` instead of `sum(d) + skill`",
        "`{roll: d6, again: face == 6}` instead of `{roll: d6}`",
    ]


def test_cases_of_the_change_stand_beside_declared_inputs() -> None:
    case = "{name: far, mechanic: looked_up, given: {level: 2}, odds: {high: 1/2}}"
    old = f"{GAME}cases:\n  - {case}\n"
    found = deltas(old, old.replace("2: 1}", "2: 2}"))["looked_up"]
    assert [(one.given, one.declared) for one in found.points] == [("level 1", True), ("level 2", True)]
    assert found.alike == 1


def test_other_cases_are_tried_where_nothing_changes_at_declared_inputs() -> None:
    old = GAME.replace("typical: {level: [1, 2]}", "typical: {level: 1}")
    case = "cases:\n  - {name: far, mechanic: looked_up, given: {level: 2}, odds: {high: 1/2}}\n"
    new = old.replace("2: 1}", "2: 2}")
    found = {one.name: one for one in rule_deltas(loaded(old + case), loaded(new + case), {"other.yaml"})}["looked_up"]
    assert [(one.given, one.declared) for one in found.points] == [("level 2", False)] and found.same == 1


def test_one_cell_of_each_grid_comes_before_further_cells() -> None:
    cells = ", ".join(f"{n}: {{high: 1/{n}}}" for n in range(1, 9))
    grid = f"{{name: grid, mechanic: doubling_by, each: {{given: [n], odds: high, rows: {{{cells}}}}}}}"
    rules = (
        "ruleset: g\nmechanics:\n  doubling_by:\n"
        "    inputs: {n: {type: number, from: 1, default: 1}, x: {type: number, default: 0}}\n"
        "    steps: {d: {roll: d6}}\n    outcomes: {high: d > n + x, low: otherwise}\n"
        f"cases:\n  - {grid}\n  - {{name: last, mechanic: doubling_by, given: {{x: 3}}, odds: {{high: 1/3}}}}\n"
    )
    points = points_to_compare("mechanics.doubling_by", *(side(rules),) * 2, {"other.yaml"})
    assert [one.case for one in points[:2]] == ["grid (n 1)", "last"]


def side(text: str) -> Side:
    made = loaded(text)
    assert made.program is not None and made.world is not None
    return Side.of(made, Trial(Game(made.program, made.world)))


def test_words_stand_in_the_order_of_the_rules(tmp_path: Path) -> None:
    new = GAME.replace(
        "outcomes: {high: n > 5, low: otherwise}", "outcomes: {best: n > 6, high: n > 5, low: otherwise}"
    )
    text = told(tmp_path, GAME, new)
    assert "| with | best | high | low |" in text and "| level 1 | 0% | 16.7% | 83.3% |" in text


SCENE = """\
scenes:
  flood:
    inputs: {heroes: {list_of: hero}}
    has: {deep: {type: number, default: 1}}
    round: {rise: {steps: {d: {roll: d6}, more: {set: scene.deep, to: scene.deep + d}}}}
    outcomes: {over: scene.deep > 9}
"""


def test_a_change_of_a_scene_alone_is_named(tmp_path: Path) -> None:
    old = LASTING + SCENE
    text = told(tmp_path, old, old.replace("scene.deep + d", "scene.deep + 2"))
    assert "**What changes cannot be compared here:** Flood (scene `flood`)." in text
    assert "scene `flood` (scenes are played, and not compared)." in text


def test_a_rule_that_reads_a_scene_is_touched_by_what_it_holds_alone() -> None:
    reader = "  drowning:\n    inputs: {who: {type: hero}}\n    steps: {d: {roll: d6}, depth: scene.deep}\n"
    old = LASTING.replace("events:\n", f"{reader}events:\n").replace("cases:\n", f"{SCENE}cases:\n")

    def names(new: str) -> list[str]:
        before, after = loaded(old).program, loaded(new).program
        assert before is not None and after is not None
        return touched_rules(before, after, ["mechanics", "scenes"])

    assert names(old.replace("scene.deep + d", "scene.deep + 2")) == ["scenes.flood"]
    changed = old.replace("deep: {type: number, default: 1}", "deep: {type: number, default: 2}")
    assert sorted(names(changed)) == ["mechanics.drowning", "scenes.flood"]


def test_typical_inputs_that_all_change_alike_are_one_line() -> None:
    old = GAME.replace('n: "d + bonus(level)"', 'n: "d + 0 * bonus(level)"')
    found = deltas(old, old.replace("high: n > 5", "high: n > 4"))["looked_up"]
    assert [one.given for one in found.points] == ["all 2 typical inputs"]
    # The same value behind results that differ from point to point, and stay.
    old = GAME.replace("high: n > 5", "high: d > 5 - bonus(level)")
    found = deltas(old, old.replace("d + bonus(level)", "d + 0 * bonus(level) + 1"))["looked_up"]
    assert [one.given for one in found.points] == ["level 1", "level 2"]
    old = old.replace("d + bonus(level)", "d + 0 * bonus(level)")
    found = deltas(old, old.replace("0 * bonus(level)", "0 * bonus(level) + 1"))["looked_up"]
    assert [one.given for one in found.points] == ["all 2 typical inputs"]


def test_values_behind_are_looked_for_at_cases_where_typical_inputs_show_none() -> None:
    case = "cases:\n  - {name: c, mechanic: looked_up, given: {level: 2}, odds: {high: 1/6}}\n"
    old = GAME.replace("high: n > 5", "high: d > 5") + case
    old = old.replace("typical: {level: [1, 2]}", "typical: {level: 1}")
    found = deltas(old, old.replace("2: 1}", "2: 2}"))["looked_up"]
    assert [(one.given, one.tables[-1].title) for one in found.points] == [("level 2", "n")]


def test_what_tells_more_of_a_change_comes_first() -> None:
    def table(subject: Subject, before: str, after: str, title: str = "") -> ChanceTable:
        a, b = Fraction(before), Fraction(after)
        return ChanceTable(title, (ChanceRow("x", b, a), ChanceRow("y", 1 - b, 1 - a)), subject=subject)

    tables = [
        table(Subject.RESULT, "1/2", "1/3"),
        table(Subject.RESULT, "1/2", "2/5"),
        table(Subject.RESULT, "1", "0"),
        table(Subject.AFTERWARDS, "1", "0", "luck of ann"),
        table(Subject.AFTERWARDS, "1/2", "1/3", "luck of ann"),
        table(Subject.BEHIND, "1/2", "0", "n"),
        table(Subject.RESULT, "1/2", "4999/10000"),
    ]
    assert all(sort_key_of_change(one) > sort_key_of_change(other) for one, other in pairwise(tables))

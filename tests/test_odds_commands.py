"""Odds as people and programs get them: `odds`, `compare` and `sweep`, charts, strategies in sentences."""

from __future__ import annotations

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import games
import pytest
from terminal import Terminal
from test_cli import run

import interpreter
from interpreter.chances import laws, notebook, shortening
from interpreter.chances.formats import svg, text
from interpreter.chances.percent import percent
from interpreter.chances.report import Style
from interpreter.chances.table import ChanceRow, ChanceTable, merge_in_order
from interpreter.cli.terminal import style_of
from interpreter.odds.answer import Law, Odds
from interpreter.odds.strategy import sentences

F = Fraction
RULES = """\
ruleset: lanterns
title: Ladders and Lanterns
roles: {player: Who climbs.}
options: {bonus: {type: number, default: 0}}
types:
  climber:
    written_as: grip
    has: {grip: {type: dice}, rope: {type: number, default: 0}}
policies: {careful: {rests: yes}}
mechanics:
  climb:
    title: Climb in the dark
    inputs:
      who: {type: climber}
      height: {type: number, from: 1, default: 4}
    steps:
      rests:  {choose: yes_no, by: player, default: no}
      rolled: {roll: who.grip}
      best:   highest(rolled) otherwise 0
      reach:  best + who.rope + options.bonus + (1 if rests else 0)
      margin: reach - height
      worth:  sum(rolled)
    outcomes: {top: margin > 0, hanging: margin == 0, fall: otherwise}
    also: {lucky: best == 6, dizzy: reach >= 5}
  throw:
    inputs: {dice: {type: dice, default: 2d6}}
    steps:
      rolled: {roll: dice}
      total: sum(rolled)
  burst:
    steps:
      rolled: {roll: d6, again: face == 6}
      total: sum(rolled)
    outcomes: {great: total > 5, poor: otherwise}
cases:
  - {name: up, mechanic: climb, given: {who: d6}, faces: [5], expect: {outcome: top}}
"""
SHORTER = """\
ruleset: shorter
extends: lanterns.yaml
changes:
  mechanics.climb.outcomes.hanging: {remove: here, because: Nobody hangs about.}
"""
WHO = ("lanterns.yaml", "climb", "who=d6")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "lanterns.yaml").write_text(RULES)
    (tmp_path / "shorter.yaml").write_text(SHORTER)
    return tmp_path


def game() -> interpreter.Game:
    return interpreter.loads(RULES, name="lanterns.yaml")


def lines(*words: str) -> list[str]:
    said = run(*words)
    assert (said.code, said.err) == (0, "")
    return said.out.splitlines()


def rows(*words: str) -> list[dict[str, str]]:
    said = run(*words, "--format", "csv")
    assert (said.code, said.err) == (0, "")
    return list(csv.DictReader(io.StringIO(said.out)))


# odds ------------------------------------------------------------------------------------------------------------


def test_outcomes_have_fraction_percent_and_bar_and_readings_follow() -> None:
    assert lines("odds", *WHO) == [
        "lanterns.yaml climb who=d6: exact odds",
        "",
        "  top      1/3  33.3%  ██████████████████████████▋",
        "  hanging  1/6  16.7%  █████████████▍",
        "  fall     1/2  50.0%  ████████████████████████████████████████",
        "",
        "also",
        "  lucky  1/6  16.7%  █████████████▍",
        "  dizzy  1/3  33.3%  ██████████████████████████▋",
    ]


def test_a_value_has_mean_and_deviation() -> None:
    said = lines("odds", "lanterns.yaml", "throw", "--of", "total")
    assert said[2:4] == ["total", "   2  1/36   2.8%  ██████▋"]
    assert said[-1] == "  mean 7, deviation 2.415"
    assert lines("odds", "lanterns.yaml", "throw") == [*said[:-1]]  # without outcomes, the last value is shown


def test_what_can_be_reached() -> None:
    at_least = rows("odds", "lanterns.yaml", "throw", "--of", "total", "--at-least")
    at_most = rows("odds", "lanterns.yaml", "throw", "--of", "total", "--at-most")
    assert [one["at_least"] for one in at_least[:3]] == ["1", "35/36", "11/12"]
    assert [one["at_most"] for one in at_most[-3:]] == ["11/12", "35/36", "1"]
    assert "total, at least" in lines("odds", "lanterns.yaml", "throw", "--of", "total", "--at-least")


def test_a_joint_law_is_a_table_and_a_list_where_that_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    assert lines("odds", *WHO, "--joint", "outcome,lucky")[2:] == [
        "  outcome \\ lucky     no    yes    any",
        "  top              16.7%  16.7%  33.3%",
        "  hanging          16.7%      -  16.7%",
        "  fall             50.0%      -  50.0%",
        "  any              83.3%  16.7%",
    ]
    monkeypatch.setenv("COLUMNS", "30")
    assert "  outcome top, lucky yes     16.7%" in lines("odds", *WHO, "--joint", "outcome,lucky")
    three = rows("odds", *WHO, "--joint", "outcome,lucky,dizzy")
    assert {"outcome": "top", "lucky": "no", "dizzy": "yes", "chance": "1/6"}.items() <= three[0].items()


def test_layers_options_inputs_and_decisions_are_said_and_heeded() -> None:
    said = lines("odds", *WHO, "--with", "shorter.yaml", "--option", "bonus=2", "--choose", "rests=yes")
    assert said[0] == "lanterns.yaml climb who=d6 (with shorter.yaml, bonus=2, rests=yes): exact odds"
    assert said[2].split()[:2] == ["top", "5/6"] and said[3].split()[:2] == ["fall", "1/6"]
    assert lines("odds", *WHO, "--policy", "careful")[2].split()[:2] == ["top", "1/2"]


def test_json_has_the_question_and_the_laws() -> None:
    data = json.loads(run("odds", *WHO, "--format", "json").out)
    assert (data["mechanic"], data["inputs"], data["method"]) == ("climb", {"who": "d6"}, "exact")
    assert list(data["laws"]) == ["outcome", "lucky", "dizzy"]
    assert data["laws"]["outcome"]["law"][0] == {"value": "top", "chance": "1/3", "probability": 1 / 3}
    data = json.loads(run("odds", *WHO, "--of", "reach", "--format", "json").out)
    assert data["laws"]["reach"]["mean"] == "7/2"
    data = json.loads(run("odds", *WHO, "--joint", "outcome,lucky", "--format", "json").out)
    assert data["laws"]["outcome,lucky"]["law"][0]["values"] == {"outcome": "top", "lucky": False}


def test_csv_is_a_line_for_each_value() -> None:
    assert run("odds", *WHO, "--format", "csv").out.splitlines()[:3] == [
        "of,value,chance,probability",
        "outcome,top,1/3,0.3333333333333333",
        "outcome,hanging,1/6,0.16666666666666666",
    ]


def test_what_was_not_followed_is_a_line_everywhere() -> None:
    part = Odds("x", "burst", {}, {"outcome": ("good",)}, lambda names: Law({("good",): F(3, 4)}))
    (table,) = laws.result_tables(part)
    assert table.shares[-1].number == F(1, 4)
    assert "(not followed) 25.0%, 1/4" in notebook.picture(part)
    assert interpreter.compare(part, part).missing == (F(1, 4), F(1, 4))
    said = lines("odds", "lanterns.yaml", "burst", "--of", "total")
    assert any(line.startswith("  (not followed)") for line in said)
    assert any(line.strip().startswith("mean ") and "deviation" not in line for line in said)
    assert rows("odds", "lanterns.yaml", "burst", "--of", "total")[-1]["value"] == "(not followed)"


def test_long_laws_are_shortened_and_shown_in_whole_when_asked() -> None:
    words = ("odds", "lanterns.yaml", "throw", "dice=2d30", "--of", "total")
    said, whole = lines(*words), lines(*words, "--all")
    assert len(said) < 45 < len(whole)
    assert said[-1] == "  (shortened; --all shows every value and fraction)"
    assert any(line.split()[:3] == ["30", "to", "31"] for line in said)
    assert len(lines(*words, "--at-least")) < 45


def test_a_fraction_that_is_too_long_is_shown_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    rare = F(1, 10**20)
    law = Law({("top",): rare, ("fall",): 1 - rare})
    answered = Odds("lanterns", "climb", {}, {"outcome": ("top", "fall")}, lambda names: law)
    monkeypatch.setattr("interpreter.cli.odds.odds_of", lambda *_: answered)
    said, whole = lines("odds", *WHO), lines("odds", *WHO, "--all")
    assert said[2].split()[:3] == ["top", "…", "1e-18%"] and said[3].split()[:3] == ["fall", "…", ">99.9999%"]
    assert said[-1] == "  (… is a fraction too long for the line; --all shows it)"
    assert whole[2].split()[:2] == ["top", str(rare)] and "…" not in "".join(whole)


def test_no_line_is_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns in (100, 80, 60, 40):
        monkeypatch.setenv("COLUMNS", str(columns))
        for words in (("odds", *WHO), ("compare", *WHO, "--option", "bonus=1"), ("odds", *WHO, "--of", "reach")):
            assert all(len(line) <= columns for line in lines(*words)[4:]), (words, columns)


def test_colours_only_for_those_who_see_them(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in run("odds", *WHO).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("odds", *WHO).out
    for form in ("json", "csv", "svg"):
        assert "\x1b[" not in run("odds", *WHO, "--format", form).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["odds", *WHO, "--of", "raech"], "did you mean `reach`?"),
        (["odds", *WHO, "--joint", "outcome,raech"], "HR801"),
        (["odds", "lanterns.yaml", "clim"], "did you mean `climb`?"),
        (["odds", "lanterns.yaml", "climb"], "`climb` (Climb in the dark) needs:"),
        (["odds", *WHO, "heigth=3"], "did you mean `height`?"),
        (["odds", *WHO, "--of", "outcome", "--at-least"], "HR802 `outcome` is not a number"),
        (["odds", *WHO, "--at-least"], "--of NAME"),
        (["odds", *WHO, "--of", "reach", "--joint", "reach,worth"], "only one of"),
        (["odds", *WHO, "--policy", "nobody"], "HR642"),
        (["compare", *WHO], "nothing differs"),
        (["compare", "lanterns.yaml", "who=d6"], "RULESET MECHANIC"),
        (["compare", *WHO, "--with", "none"], "HR643"),
        (["sweep", *WHO], "nothing varies"),
        (["sweep", *WHO, "--over", "height"], "HR811"),
        (["sweep", *WHO, "--over", "height=9..1"], "HR811"),
        (["sweep", *WHO, "--over", "heigth=1,2"], "did you mean `height`?"),
        (["sweep", *WHO, "--over", "options.bnous=1,2"], "did you mean `bonus`?"),
        (["sweep", *WHO, "--over", "height=0,1"], "HR604"),
        (["sweep", *WHO, "--over", "height=1,2", "--only", "tpo"], "did you mean `top`?"),
    ],
    ids=lambda one: " ".join(one[-2:]) if isinstance(one, list) else "",
)
def test_what_cannot_be_answered_is_said_to_be_so(words: list[str], said: str) -> None:
    got = run(*words)
    assert got.code == 2 and got.out == ""
    assert said in got.err and "Traceback" not in got.err


def test_without_a_mechanic_they_are_listed() -> None:
    assert "Ladders and Lanterns" in run("odds", "lanterns.yaml").out
    assert "Climb in the dark" in run("sweep", "lanterns.yaml").out


# Charts ----------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def test_a_chart_is_a_whole_picture_with_its_words() -> None:
    tree = ElementTree.fromstring(run("odds", *WHO, "--format", "svg").out)
    assert tree.tag == f"{SVG}svg" and tree.attrib["role"] == "img"
    assert tree.findtext(f"{SVG}title") == "climb (lanterns), exact odds"
    assert "top 33.3%, 1/3" in (tree.findtext(f"{SVG}desc") or "")
    labels = ["".join(one.itertext()) for one in tree.iter(f"{SVG}text")]
    assert {"top", "hanging", "fall", "33.3% 1/3", "also", "lucky"} <= set(labels)
    bars = [float(one.attrib["width"]) for one in tree.iter(f"{SVG}rect")]
    assert bars[0] / bars[2] == pytest.approx(2 / 3, abs=0.01)
    assert "http" not in run("odds", *WHO, "--format", "svg").out.replace("http://www.w3.org/2000/svg", "")


def test_notebooks_show_charts_and_why_there_is_none() -> None:
    odds = game().odds("climb", who="d6")
    assert ElementTree.fromstring(odds._repr_html_()).tag == f"{SVG}svg"
    assert "<style>" in (odds._repr_svg_() or "") and "<style>" not in odds._repr_html_()

    def refuse(names: tuple[str, ...]) -> Law:
        raise interpreter.PlayError(figures_refused)

    figures_refused = next(iter(interpreter.check("no-such-ruleset")))
    broken = Odds("x", "y", {}, {"outcome": ()}, refuse)
    assert broken._repr_svg_() is None
    assert broken._repr_html_().startswith("<p>HR643")


def test_strange_words_do_not_break_a_chart() -> None:
    drawn = svg.chart("<a> & 'b'", "", [ChanceTable("x", (ChanceRow("<&>'\"", F(1)), ChanceRow("y" * 80, F(0))))])
    tree = ElementTree.fromstring(drawn)
    assert tree.findtext(f"{SVG}title") == "<a> & 'b'"


# Figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("chance", "said"),
    [
        (F(0), "0%"),
        (F(1), "100%"),
        (F(7, 16), "43.8%"),
        (F(1, 1000), "0.1%"),
        (F(1, 2000), "0.05%"),
        (F(1, 100_000), "0.001%"),
        (F(1, 10**9), "1e-7%"),
        (1 - F(1, 2000), "99.95%"),
        (1 - F(1, 10**9), ">99.9999%"),
    ],
)
def test_a_percent_never_hides_what_is_little(chance: Fraction, said: str) -> None:
    assert percent(chance) == said


def test_differences_are_signed() -> None:
    assert [percent(one, sign=True) for one in (F(1, 8), F(-1, 8), F(0), F(-1))] == [
        "+12.5%",
        "-12.5%",
        "0%",
        "-100%",
    ]


def test_the_rare_ends_of_a_long_law_go_together() -> None:
    law = ChanceTable("", tuple(ChanceRow(str(number), F(1, 2**number), value=number) for number in range(1, 60)))
    said = shortening.shorten(law).rows
    assert (said[0].label, said[0].number) == ("1", F(1, 2)) and said[-1].label == "15 or more"
    assert sum(row.chance for row in said) == sum(row.chance for row in law.rows)
    words = ChanceTable("", tuple(ChanceRow(f"w{number}", F(1, 100)) for number in range(100)))
    assert len(shortening.shorten(words).rows) == shortening.USUAL_LINES
    last = shortening.shorten(words).rows[-1]
    assert (last.label, last.number) == ("(61 others)", F(61, 100))


def test_bars_are_drawn_in_eighths_or_signs_that_are_known() -> None:
    assert [text.bar(F(n, 16), 2, Style()) for n in (0, 1, 8, 9, 16)] == ["", "▏", "█", "█▏", "██"]
    assert text.bar(F(1, 2), 4, style_of(io.TextIOWrapper(io.BytesIO(), encoding="ascii"))) == "##"


# Strategies ------------------------------------------------------------------------------------------------------


def advised(answers: dict[tuple[int, ...], str], *names: str, path: str = "burn") -> list[str]:
    return sentences(
        interpreter.Advice(path, dict(zip(names, seen, strict=True)), answer, F(1, 6))
        for seen, answer in answers.items()
    )


def test_a_strategy_is_told_in_sentences() -> None:
    assert advised({(face,): "yes" if face < 4 else "no" for face in range(1, 7)}, "face") == [
        "burn: yes, when face is 3 or less; otherwise no"
    ]
    assert advised({(face,): "yes" for face in range(1, 7)}, "face") == ["burn: yes, always"]
    assert advised({(face,): "yes" if face > 2 else "no" for face in range(1, 7)}, "face") == [
        "burn: yes, when face is 3 or more; otherwise no"
    ]
    assert advised({(face,): "yes" if face in (2, 3, 4, 5) else "no" for face in range(1, 7)}, "face") == [
        "burn: yes, when face is 2 to 5; otherwise no"
    ]


@pytest.mark.parametrize("name", ["nope", "margin.x", "mine.nope", "mine.dice.x"])
def test_names_that_there_are_not_are_refused(name: str) -> None:
    game = games.game("jadeclaw")
    for asked in (game.odds("contest", own="d8", against="d6"), None):
        with pytest.raises(interpreter.PlayError) as error:
            (asked or game.simulate("contest", runs=10, seed=1, of=[name], own="d8", against="d6")).law(name)
        assert error.value.diagnostic.code == "HR801"


def test_only_what_decides_is_told() -> None:
    grid = {(face, luck): "yes" if face == 6 else "no" for face in range(1, 7) for luck in range(3)}
    assert advised(grid, "face", "luck") == ["burn: yes, when face is 6; otherwise no"]
    grid = {(face, luck): "yes" if face == 6 or luck == 2 else "no" for face in range(1, 7) for luck in range(3)}
    assert advised(grid, "face", "luck") == ["burn: yes, when face is 6; or when luck is 2; otherwise no"]


def test_the_best_decisions_are_told_with_the_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    advice = [interpreter.Advice("climb.rests", {"best": face}, face < 5, F(1, 6)) for face in range(1, 7)]
    law = Law({("top",): F(1, 2), ("fall",): F(1, 2)}, strategy=tuple(advice))
    answered = Odds("lanterns", "climb", {}, {"outcome": ("top", "fall")}, lambda names: law)
    monkeypatch.setattr("interpreter.cli.odds.odds_of", lambda *_: answered)
    said = lines("odds", *WHO, "--best", "top")
    assert said[0] == "lanterns.yaml climb who=d6 (best top): exact odds"
    assert said[-2:] == ["what to do", "  climb.rests: yes, when best is 4 or less; otherwise no"]
    data = json.loads(run("odds", *WHO, "--best", "top", "--format", "json").out)
    assert data["strategy"][0] == {"choice": "climb.rests", "seen": {"best": 1}, "answer": True, "chance": "1/6"}


# compare ---------------------------------------------------------------------------------------------------------


def test_a_house_rule_beside_the_plain_rules() -> None:
    assert lines("compare", *WHO, "--with", "shorter.yaml")[:8] == [
        "climb who=d6: exact odds",
        "  A  lanterns.yaml",
        "  B  lanterns.yaml, with shorter.yaml",
        "",
        "             A           B          B - A",
        "  top      1/3  33.3%  1/3  33.3%      =",
        "  hanging  1/6  16.7%    0    0%   -16.7%",
        "  fall     1/2  50.0%  2/3  66.7%  +16.7%",
    ]


def test_options_inputs_policies_and_second_rulesets_are_compared() -> None:
    top = {"a": "1/3", "b": "1/2", "difference": "1/6"}.items()
    for words in (
        ("--option", "bonus=1"),
        ("--set", "height=3"),
        ("--set", "who.rope=1"),
        ("--policy-b", "careful"),
    ):
        assert top <= rows("compare", *WHO, *words)[0].items(), words
    (last,) = [row for row in rows("compare", "lanterns.yaml", "shorter.yaml", *WHO[1:]) if row["value"] == "fall"]
    assert (last["a"], last["b"], last["difference"]) == ("1/2", "2/3", "1/6")
    both = rows("compare", *WHO, "--both-option", "bonus=1", "--set", "height=5")[0]
    assert (both["a"], both["b"]) == ("1/2", "1/3")


def test_values_are_compared_with_their_means() -> None:
    said = lines("compare", *WHO, "--set", "who=d8", "--of", "reach")
    assert said[-1] == "  mean 3.5 and 4.5, change +1"
    data = json.loads(run("compare", *WHO, "--set", "who=d8", "--of", "reach", "--format", "json").out)
    assert data["laws"]["reach"]["mean"]["difference"] == "1"
    assert data["b"]["inputs"] == {"who": "d8"}


def test_what_makes_no_difference_is_said() -> None:
    assert lines("compare", *WHO, "--set", "height=4")[-1] == "There is no difference."


RENAMED = """\
ruleset: renamed
extends: lanterns.yaml
changes:
  mechanics.climb.outcomes.top: {rename: summit, because: It sounds better.}
  mechanics.climb.steps.reach: {rename: grasp, because: As we call it.}
  mechanics.climb.also.lucky: {rename: blessed, because: As we call it.}
"""


def test_what_is_only_renamed_does_not_differ() -> None:
    Path("renamed.yaml").write_text(RENAMED)
    said = lines("compare", *WHO, "--with", "renamed.yaml")
    assert said[3] == "  in B  top is called summit, reach is called grasp, lucky is called blessed"
    assert said[-1] == "There is no difference."
    assert {row["value"] for row in rows("compare", *WHO, "--with", "renamed.yaml", "--of", "outcome")} == {
        "summit", "hanging", "fall"
    }  # fmt: skip
    for name in ("reach", "grasp"):
        assert lines("compare", *WHO, "--with", "renamed.yaml", "--of", name)[-3:] == [
            "  mean 3.5 and 3.5, change 0", "", "There is no difference."
        ]  # fmt: skip
    bent = rows("compare", *WHO, "--with", "renamed.yaml", "--option", "bonus=1", "--of", "outcome")
    assert {row["value"]: row["difference"] for row in bent} == {"summit": "1/6", "hanging": "0", "fall": "-1/6"}


def test_an_input_of_b_alone_is_set_there() -> None:
    rule = "ruleset: luck\nextends: lanterns.yaml\nchanges:\n  mechanics.climb.inputs.luck:\n"
    rule += "    {add: {type: number, default: 0}, because: Luck.}\n"
    rule += "  mechanics.climb.steps.margin: {set: reach - height + luck, because: Luck.}\n"
    Path("luck.yaml").write_text(rule)
    (top, *_) = rows("compare", *WHO, "--with", "luck.yaml", "--set", "luck=1")
    assert (top["value"], top["difference"]) == ("top", "1/6")


def test_no_difference_says_what_was_not_followed() -> None:
    said = lines("compare", "lanterns.yaml", "throw", "dice=d6", "--set", "dice=d6", "--of", "total")
    assert said[-1] == "There is no difference."
    rule = RULES.replace("again: face == 6", "again: face == 6 or face == 5 or face == 4").replace(
        "lanterns", "lamps", 1
    )
    Path("lamps.yaml").write_text(rule)
    said = lines("compare", "lamps.yaml", "burst", "--option", "bonus=1", "--of", "total")
    assert re.fullmatch(r"There is no difference in what was followed; up to .*% was not\.", said[-1])


def test_hosts_compare_too() -> None:
    plain, bent = game().odds("climb", who="d6"), game().odds("climb", who="2d6")
    both = interpreter.compare(plain, bent)
    assert both.outcomes["top"] == (F(1, 3), F(5, 9))
    assert both.outcomes["top"].difference == F(2, 9)
    assert both.mean("reach").difference == F(161, 36) - F(7, 2)
    assert both.at_least("worth")[7] == (F(0), F(7, 12))
    with pytest.raises(interpreter.PlayError, match="HR801"):
        both.of("nothing")


def test_outcomes_of_both_stand_in_one_order() -> None:
    assert merge_in_order("abcd", "axcyd") == ["a", "x", "b", "c", "y", "d"]


# sweep -----------------------------------------------------------------------------------------------------------


def test_a_grid_has_a_line_for_each_point() -> None:
    assert lines("sweep", *WHO, "--over", "height=3..5")[2:7] == [
        "  height    top  hanging   fall",
        "  3       50.0%    16.7%  33.3%",
        "  4       33.3%    16.7%  50.0%",
        "  5       16.7%    16.7%  66.7%",
        "",
    ]


def test_inputs_options_and_parts_of_records_vary() -> None:
    got = rows("sweep", *WHO, "--over", "options.bonus=0,1", "--over", "who.rope=0,1")
    assert [(row["options.bonus"], row["who.rope"], row["top"]) for row in got] == [
        ("0", "0", "1/3"),
        ("0", "1", "1/2"),
        ("1", "0", "1/2"),
        ("1", "1", "2/3"),
    ]
    assert rows("sweep", "lanterns.yaml", "climb", "--over", "who=d4,d6 & d6")[1]["top"] == "5/9"


def test_one_outcome_over_two_names_is_a_grid_and_numbers_have_means() -> None:
    said = lines("sweep", *WHO, "--over", "height=4,5", "--over", "who.rope=0,1", "--only", "top")
    assert said[2:6] == ["", "  height \\ who.rope      0      1", *said[4:6]]
    assert said[5].split() == ["5", "16.7%", "33.3%"]
    got = rows("sweep", *WHO, "--over", "who.rope=0,1", "--of", "reach")
    assert [row["mean"] for row in got] == ["7/2", "9/2"]
    data = json.loads(run("sweep", *WHO, "--over", "who.rope=0,1", "--of", "reach", "--format", "json").out)
    assert data["points"][1]["at"] == {"who.rope": "1"} and data["points"][1]["mean"] == "9/2"


def test_wide_grids_are_broken_into_several(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "26")
    said = lines("sweep", *WHO, "--over", "height=4,5")
    assert said.count("") == 2 and all(len(line) <= 26 for line in said[1:])


def test_hosts_sweep_too() -> None:
    swept = game().sweep("climb", over={"who": ["d6", "2d6"], "options.bonus": [0, 1]}, height=4)
    assert len(swept) == 4 and [dict(point.at) for point in swept][1] == {"who": "d6", "options.bonus": 1}
    assert swept.values() == ["top", "hanging", "fall"]
    assert swept.chances("top") == [F(1, 3), F(1, 2), F(5, 9), F(3, 4)]
    assert swept.means("reach")[0] == F(7, 2)
    with pytest.raises(interpreter.PlayError, match="HR303"):
        game().sweep("climb", over={"height": [1]}, method="guess", who="d6")


# At a terminal ---------------------------------------------------------------------------------------------------


def test_stopping_gives_the_cursor_back() -> None:
    slow = (
        "import time; from interpreter.cli.terminal import wait_progress\n"
        "with wait_progress('counting'): time.sleep(600)"
    )
    with Terminal(kind="xterm", program=slow) as at:
        at.sees("counting")
        at.interrupts()
        assert at.ends() != 0
        assert at.gave_the_cursor_back


VIGIL = """\
ruleset: vigil
scenes:
  vigil:
    guard: 1
    round: {watch: {steps: {quiet: 1}}}
    outcomes: {over: scene.round == 1}
events:
  round_begins: {steps: {hours: {repeat: 50, each: {rolled: {roll: d6}, long: 'sum(upto(1000))'}}}}
"""
FOLLOWED = re.compile(r"computing the odds.*\d:\d\d:\d\d")


def test_a_terminal_shows_how_many_ways_through_a_scene_were_followed(tmp_path: Path) -> None:
    (tmp_path / "vigil.yaml").write_text(VIGIL)
    (tmp_path / "night.yaml").write_text("state: night\nof: vigil\nscene: vigil\n")
    with Terminal(
        "odds", "vigil.yaml", "night.yaml", "--seconds", "90", folder=tmp_path, kind="xterm", piped=True
    ) as at:
        at.sees(FOLLOWED)
        at.interrupts()
        at.sees(re.compile(r"stopped after [1-9][\d,]* of at most [\d,]+ ways\n"))
        assert at.ends() == 130
        assert at.gave_the_cursor_back
        assert "Traceback" not in at.seen and at.out == ""


def test_where_nobody_looks_nothing_is_shown_but_answers_and_errors(tmp_path: Path) -> None:
    (tmp_path / "vigil.yaml").write_text(VIGIL.replace("repeat: 50", "repeat: 5"))
    (tmp_path / "night.yaml").write_text("state: night\nof: vigil\nscene: vigil\n")
    said = run("odds", str(tmp_path / "vigil.yaml"), str(tmp_path / "night.yaml"))
    assert (said.code, said.err) == (0, "") and "100%" in said.out
    asked = run("odds", str(tmp_path / "vigil.yaml"), "scenes.vigil")
    assert asked.code == 2 and "HR660 `scenes.vigil` is a scene" in asked.err


# In a state ------------------------------------------------------------------------------------------------------

POND = """\
ruleset: pond
options: {cold: {type: number, from: 0, default: 0}}
kinds: {swimmer: {has: {breath: {type: points, to: 6, starts: 6 - options.cold}}}}
mechanics:
  dive:
    inputs: {who: {type: swimmer}, depth: {type: number, from: 1, default: 2}}
    steps: {die: {roll: d6}}
    outcomes: {up: die + depth <= who.breath, gasping: otherwise}
events:
  wave: {inputs: {who: {type: swimmer}}, steps: {die: {roll: d6}}, outcomes: {over: die > who.breath, under: otherwise}}
"""


@pytest.fixture
def pond(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("pond.yaml").write_text(POND, "utf-8")
    Path("pool.yaml").write_text("{ann: {is: swimmer}, bo: {is: swimmer, breath: 2}}", "utf-8")


@pytest.mark.parametrize("state", ["pool.yaml", "-"])
@pytest.mark.usefixtures("pond")
def test_both_sides_are_compared_in_a_state(state: str) -> None:
    typed = Path("pool.yaml").read_bytes() if state == "-" else b""
    one = ("compare", "pond.yaml", "dive", "--state", state, "--format", "csv")
    said = run(*one, "who=ann", "--option", "cold=2", typed=typed).out.splitlines()
    assert [line.split(",")[:4] for line in said[1:3]] == [
        ["outcome", "up", "2/3", "1/3"],
        ["outcome", "gasping", "1/3", "2/3"],
    ]
    said = run(*one, "who=ann", "--set", "who=bo", typed=typed).out.splitlines()
    assert said[1].startswith("outcome,up,2/3,0")
    wave = ("compare", "pond.yaml", "wave", "who=ann", "--option", "cold=2")
    assert (
        run(*wave, "--state", state, "--format", "csv", typed=typed)
        .out.splitlines()[1]
        .startswith("outcome,over,0,1/3")
    )
    assert "HR660" in run(*wave).err


@pytest.mark.parametrize("method", ["exact", "simulate"])
@pytest.mark.usefixtures("pond")
def test_a_grid_is_asked_in_a_state(method: str) -> None:
    asked = ("--over", "options.cold=0,5", "--state", "pool.yaml", "--method", method, "--runs", "50", "--seed", "1")
    for rule, outcome in (("dive", "up"), ("wave", "under")):
        out = run("sweep", "pond.yaml", rule, "who=bo", *asked, "--only", outcome, "--format", "csv").out
        assert len(out.splitlines()) == 3, out
    points = json.loads(run("sweep", "pond.yaml", "dive", "who=ann", *asked, "--format", "json").out)["points"]
    law = [{one["value"]: one["probability"] for one in point["law"]} for point in points]
    assert law[0].get("up", 0) > 0.4 and law[1].get("up", 0) == 0


@pytest.mark.usefixtures("pond")
def test_a_state_of_a_grid_is_one_or_made_for_each_game() -> None:
    game = interpreter.load("pond.yaml")
    over = {"options.cold": [0, 2]}
    fixed = game.sweep("dive", over=over, state=game.state(ann={"is": "swimmer"}), who="ann")
    made = game.sweep("dive", over=over, state=lambda game: game.state(ann={"is": "swimmer"}), who="ann")
    assert fixed.chances("up") == [F(2, 3), F(2, 3)]
    assert made.chances("up") == [F(2, 3), F(1, 3)]


def test_results_are_what_people_read() -> None:
    """Where no name is asked for, it is the outcome and what follows it, or else the last number or word."""
    text = """
ruleset: shown
mechanics:
  blow:
    steps:
      hand: {roll: 3d6}
      hits: count(hand where face >= 5)
      kept: highest(hand, 2)
      passes: {repeat: 2, each: {one: hits}}
  thrown:
    steps: {hand: {roll: 2d6}}
  tested:
    steps: {hand: {roll: 2d6}}
    outcomes: {good: sum(hand) > 7, bad: otherwise}
    also: {twins: all(hand where face == 6)}
"""
    game = interpreter.loads(text)
    assert game.odds("blow").results == ("hits",)
    assert game.odds("thrown").results == ("hand",)
    assert game.odds("tested").results == ("outcome", "twins")
    assert game.simulate("blow", runs=5, seed=1).together == ("hits",)

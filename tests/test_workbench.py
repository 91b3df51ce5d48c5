"""The workbench that a page in the browser asks: problems in their places, forms, odds beside the base, rolls, play."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from games import game
from hypothesis import given, settings
from hypothesis import strategies as st
from marks import thorough

from interpreter import bundled
from interpreter.host.page import CALLS, Page
from interpreter.host.utf16 import offset_of, units_of

LAYER = """ruleset: harder
extends: dnd5e
changes:
  options.critical_from.default: {set: 19, because: it is harder}
"""
OWN = """ruleset: own
title: 🎲 My game
mechanics:
  try_it:
    title: Try it
    about: Two dice against a number.
    inputs:
      skill: {type: number, from: 0, to: 5, about: What one knows.}
      how:   {type: manner, default: calm}
      push:  {type: yes_no, default: no}
    typical: {skill: [2, 3]}
    steps:
      dice:  {roll: 2d6}
      total: sum(dice) + skill
      again: {choose: yes_no, by: player, default: no}
      more:  1 if again else 0
    outcomes: {hit: total + more >= 9, miss: otherwise}
roles: {player: Who plays.}
names: {manner: {calm: Without haste., in_haste: Quick and rough.}}
"""


def ask(page: Page, do: str, **call: Any) -> Any:
    """The reply to a call, which must be done."""
    reply = json.loads(page.reply(json.dumps({"do": do, **call})))
    assert reply["ok"], reply
    return reply


def refusal(page: Page, do: str, **call: Any) -> str:
    reply = json.loads(page.reply(json.dumps({"do": do, **call})))
    assert not reply["ok"], reply
    return str(reply["error"]["message"])


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    monkeypatch.chdir(tmp_path)
    return Page(tmp_path)


def check(page: Page, text: str, **others: str) -> Any:
    return ask(
        page, "check", files={"rules.yaml": text, **{f"{n}.yaml": t for n, t in others.items()}}, main="rules.yaml"
    )


def inputs_of(checked: Any, mechanic: str) -> dict[str, str]:
    form = next(one for one in checked["game"]["mechanics"] if one["name"] == mechanic)
    return {one["name"]: one["value"] for one in form["inputs"]}


# Writing -----------------------------------------------------------------------------------------------------------


def test_a_problem_has_its_place_in_utf16_units_and_a_fix_mends_it(page: Page) -> None:
    text = OWN.replace("total: sum(dice)", "total: summ(dice)")
    (problem,) = [one for one in check(page, text)["problems"] if one["severity"] == "error"]
    written = text.encode("utf-16-le")
    assert written[2 * problem["start"] : 2 * problem["end"]].decode("utf-16-le") == "summ"
    ((edit,),) = [fix["edits"] for fix in problem["fixes"]]
    mended = written[: 2 * edit["start"]] + edit["text"].encode("utf-16-le") + written[2 * edit["end"] :]
    checked = check(page, mended.decode("utf-16-le"))
    assert checked["sound"] and all(one["severity"] != "error" for one in checked["problems"])


@given(st.text(max_size=20), st.integers(0, 20))
def test_places_in_utf16_units_are_places(text: str, offset: int) -> None:
    offset = min(offset, len(text))
    assert offset_of(text, units_of(text, offset)) == offset


def test_the_last_sound_rules_answer_while_the_text_is_broken(page: Page) -> None:
    whole = check(page, OWN)
    for broken in (OWN.replace("2d6", "2d"), "mechanic: {m: {}}", "mechanics: {m: {inputs: {n: }}}", "ruleset", ""):
        checked = check(page, broken)
        assert not checked["sound"] and checked["problems"] and checked["game"] == whole["game"]
    assert ask(page, "odds", mechanic="try_it", inputs={"skill": "3"})["tables"]


def test_a_problem_of_another_file_is_told_with_its_place(page: Page) -> None:
    other = "ruleset: other\nmechanics: {m: {steps: {x: smu(3)}}}\n"
    checked = check(page, "ruleset: mine\nextends: other.yaml\nchanges: {}\n", other=other)
    assert {one["file"] for one in checked["problems"] if one["severity"] == "error"} == {"other.yaml"}


def test_parts_are_tabs_and_closed_ones_are_gone(page: Page) -> None:
    main, part = "ruleset: mine\nparts: [part.yaml]\n", "part_of: mine\nmechanics: {m: {steps: {d: {roll: d6}}}}\n"
    checked = check(page, main, part=part)
    assert checked["sound"] and [one["name"] for one in checked["game"]["mechanics"]] == ["m"]
    assert not check(page, main)["sound"]


@pytest.mark.parametrize(
    "name", ["../out.yaml", "/etc/x.yaml", "a/b.yaml", "x", "x.py", ".yaml", "a b.yaml", "c:x.yaml"]
)
def test_a_file_stays_in_its_folder(page: Page, name: str) -> None:
    assert "is no name of a file" in refusal(page, "check", files={name: OWN}, main=name)


def test_completion_hover_and_the_base_of_a_house_rule(page: Page) -> None:
    check(page, LAYER)
    typed = LAYER.replace("{set: 19", "{set: ")
    at = typed.index("{set: ") + 6
    assert ask(page, "complete", file="rules.yaml", text=typed, at=at)["options"]
    hover = ask(page, "hover", file="rules.yaml", text=LAYER, at=LAYER.index("critical_from"))["hover"]
    assert "critical hit" in hover["lines"][0] and any("→" in line for line in hover["table"])
    base = ask(page, "base")["base"]
    (place,) = base["changed"]
    assert base["file"] == "dnd5e.yaml" and base["text"][place["start"] : place["end"]] == "default"
    assert ask(page, "base")["base"] == base
    check(page, OWN)
    assert ask(page, "base")["base"] is None


def test_what_is_extended_is_analysed_again_only_when_it_changes(page: Page) -> None:
    base, layer = "ruleset: base\nmechanics: {m: {steps: {d: {roll: d6}}}}\n", "ruleset: mine\nextends: base.yaml\n"

    def analysis_below(text: str, base: str) -> Any:
        assert check(page, f"{layer}changes: {{mechanics.m.steps.d: {{set: {{roll: {text}}}}}}}\n", base=base)["sound"]
        return page.bench.rules().base

    first = analysis_below("d8", base)
    assert analysis_below("d10", base) is first
    second = analysis_below("d10", base.replace("d6", "d4"))
    assert second is not first and "d4" in second.sources[second.root].text


# Seeing ------------------------------------------------------------------------------------------------------------


def test_a_form_has_what_a_mechanic_needs(page: Page) -> None:
    game_ = check(page, OWN)["game"]
    (form,) = game_["mechanics"]
    assert (game_["title"], form["title"], form["about"]) == ("🎲 My game", "Try it", "Two dice against a number.")
    told = [
        (one["name"], one["kind"], one["value"], one["required"], one["low"], one["high"]) for one in form["inputs"]
    ]
    assert told == [
        ("skill", "number", "2", True, 0, 5),
        ("how", "words", "calm", False, None, None),
        ("push", "yes_no", "no", False, None, None),
    ]
    assert [one["about"] for one in form["inputs"][1]["words"]] == ["Without haste.", "Quick and rough."]
    assert [one["name"] for one in form["numbers"]] == ["total", "more"]


def test_what_is_suggested_says_what_it_means(page: Page) -> None:
    text = LAYER.replace("critical_from", "critical").replace("19", "double_dice")
    check(page, text)

    def offered(part: str) -> dict[str, str]:
        found = ask(page, "complete", file="rules.yaml", text=text, at=text.index(part))
        return {one["label"]: one["about"] for one in found["options"]}

    assert offered("double_dice")["unchanged"] == "It hits, and that is all."
    assert offered("critical.")["critical_from"].startswith("The lowest face that is a critical hit")


def test_a_house_rule_that_sets_an_option_to_what_it_is_touches_what_uses_it(page: Page) -> None:
    told = check(page, LAYER.replace("19", "20"))["game"]
    assert told["touched"] == ["attack"]
    odds = ask(page, "odds", mechanic="attack", inputs=inputs_of({"game": told}, "attack"))
    assert all(row["base"] == row["chance"] for row in odds["tables"][0]["rows"])


def test_odds_stand_beside_those_of_the_base(page: Page) -> None:
    inputs = inputs_of(checked := check(page, LAYER), "attack")
    assert checked["game"]["touched"][0] == "attack" and checked["game"]["base"]["name"] == "dnd5e"
    found = ask(page, "odds", mechanic="attack", inputs=inputs)
    rows = {
        row["label"]: (row["base"]["fraction"], row["chance"]["fraction"], row["points"])
        for row in found["tables"][0]["rows"]
    }
    assert found["compared"] and rows["critical hit"] == ("1/20", "1/10", "+5.0%")
    own = ask(page, "check", files={"rules.yaml": OWN}, main="rules.yaml")
    assert not ask(page, "odds", mechanic="try_it", inputs=inputs_of(own, "try_it"))["compared"]


@pytest.mark.parametrize("tail", ["exactly", "at_least", "at_most"])
def test_a_number_is_told_exactly_at_least_and_at_most(page: Page, tail: str) -> None:
    check(page, OWN)
    table = ask(page, "odds", mechanic="try_it", inputs={"skill": "0"}, of="total", tail=tail)["tables"][-1]
    law = {n: Fraction(6 - abs(n - 7), 36) for n in range(2, 13)}
    reach = {"exactly": lambda a, b: a == b, "at_least": lambda a, b: a >= b, "at_most": lambda a, b: a <= b}[tail]
    expected = {str(n): float(sum(chance for a, chance in law.items() if reach(a, n))) for n in law}
    assert {row["label"]: row["chance"]["share"] for row in table["rows"]} == pytest.approx(expected)
    assert table["numeric"] and table["mean"] == "7"


@pytest.mark.parametrize("tail", ["at_least", "at_most"])
def test_a_number_of_the_base_is_told_beside_it_also_where_it_is_shorter(page: Page, tail: str) -> None:
    base = "ruleset: base\nmechanics: {m: {steps: {d: {roll: 2d4}, x: sum(d)}}}\n"
    check(page, "ruleset: mine\nextends: base.yaml\nchanges: {mechanics.m.steps.d: {set: {roll: 2d6}}}\n", base=base)
    rows = ask(page, "odds", mechanic="m", inputs={}, of="x", tail=tail)["tables"][-1]["rows"]
    was = {
        n: sum(1 for a in range(1, 5) for b in range(1, 5) if (a + b >= n if tail == "at_least" else a + b <= n))
        for n in range(2, 13)
    }
    assert {int(row["label"]): row["base"]["share"] * 16 for row in rows} == was


def test_a_sweep_has_both_sides_and_a_strategy_has_sentences(page: Page) -> None:
    inputs = inputs_of(check(page, LAYER), "attack")
    points = ask(page, "sweep", mechanic="attack", inputs=inputs, along="armour_class", values=["10", "30", "x"])[
        "points"
    ]
    assert [one["at"] for one in points] == ["10", "30", "x"] and points[2]["now"] is None
    assert points[0]["now"]["critical_hit"] == 0.1 and points[0]["base"]["critical_hit"] == 0.05
    check(page, OWN)
    advice = ask(page, "strategy", mechanic="try_it", inputs={"skill": "1"}, goal="best", of="hit")
    assert advice["sentences"] == ["again: yes, when total is 8; otherwise no"] and advice["tables"][0]["rows"]


def test_what_cannot_be_asked_is_refused_with_words(page: Page) -> None:
    assert "no rules without errors" in refusal(page, "odds", mechanic="m", inputs={})
    check(page, OWN)
    assert "`skill`" in refusal(page, "odds", mechanic="try_it", inputs={})
    assert refusal(page, "odds", mechanic="nothing", inputs={}) and refusal(page, "roll", mechanic="nothing", inputs={})
    for wrong in ({"seconds": 0}, {"seconds": 1e9}, {"seconds": True}, {"tail": "about"}, {"inputs": {"skill": 1}}):
        assert refusal(page, "odds", **{"mechanic": "try_it", "inputs": {"skill": "1"}, **wrong})


TEXTS = st.text(max_size=3)
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 9), TEXTS, st.lists(TEXTS, max_size=2),
    st.dictionaries(TEXTS, TEXTS, max_size=2),
)  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(do=st.sampled_from([*CALLS.entries, "x"]), data=st.data())
def test_any_call_has_a_reply(tmp_path_factory: pytest.TempPathFactory, do: str, data: st.DataObject) -> None:
    page = Page(tmp_path_factory.mktemp("page"))
    check(page, OWN)
    keys = CALLS.entries[do][1] if do in CALLS.entries else ("x",)
    call = data.draw(st.dictionaries(st.sampled_from([*keys, "tag"]), VALUES, max_size=4) if keys else st.just({}))
    reply = json.loads(page.reply(json.dumps({"do": do, **call})))
    assert reply["ok"] or (reply["error"]["code"].startswith("HR") and "internal" not in reply["error"]["message"])


EVERY = [*bundled.rulesets(), *bundled.house_rules()]


@pytest.mark.parametrize("name", thorough(EVERY, lambda name: name not in ("dnd5e", "brutal-criticals", "pbta")))
def test_every_bundled_game_and_house_rule_answers_as_the_command_does(page: Page, name: str) -> None:
    files = ask(page, "files", name=name)
    checked = ask(page, "check", files=files["files"], main=files["main"])
    assert checked["sound"], checked["problems"]
    playing = game(name)
    answered = 0
    for form in checked["game"]["mechanics"]:
        inputs = {one["name"]: one["value"] for one in form["inputs"]}
        reply = json.loads(
            page.reply(json.dumps({"do": "odds", "mechanic": form["name"], "inputs": inputs, "seconds": 1}))
        )
        given_ = {one: text for one, text in inputs.items() if text}
        if any("." in one for one in given_) or not reply["ok"]:
            continue
        answered += 1
        odds = playing.odds(form["name"], inputs=given_, seconds=1)
        for table in reply["tables"]:
            if len(table["rows"]) == len(odds.of(table["name"])):
                shares = sorted(row["chance"]["share"] for row in table["rows"])
                assert shares == pytest.approx(sorted(map(float, odds.of(table["name"]).values())))
    assert answered


# Playing -----------------------------------------------------------------------------------------------------------


def test_a_roll_shows_its_dice_and_says_why(page: Page) -> None:
    check(page, OWN)
    rolled = ask(page, "roll", mechanic="try_it", inputs={"skill": "2"}, seed=4)
    assert rolled == ask(page, "roll", mechanic="try_it", inputs={"skill": "2"}, seed=4)
    total = next(one["text"] for one in rolled["values"] if one["name"] == "total")
    assert [one["die"] for one in rolled["dice"]] == ["d6", "d6"]
    assert int(total) == sum(int(one["face"]) for one in rolled["dice"]) + 2
    assert any("total" in line for line in rolled["why"]) and any(line["kind"] == "outcome" for line in rolled["lines"])


def test_a_die_that_is_thrown_again_is_shown_with_each_throw(page: Page) -> None:
    check(page, "ruleset: again\nmechanics: {m: {steps: {d: {roll: d2, again: face == 2 and nth < 9}, x: sum(d)}}}\n")
    rolls = [ask(page, "roll", mechanic="m", inputs={}, seed=seed) for seed in range(12)]
    assert {len(one["dice"]) for one in rolls} > {1}
    for one in rolls:
        shown = [int(die["face"]) for die in one["dice"]]
        assert shown[:-1] == [2] * (len(shown) - 1)
        assert next(value["text"] for value in one["values"] if value["name"] == "x") == str(sum(shown))


def test_a_scene_of_the_base_is_played_by_several_people(page: Page) -> None:
    layer = "ruleset: mine\nextends: 2d20\nchanges: {}\n"
    scenes = check(page, layer)["game"]["scenes"]
    assert "flooded-vault" in [one["name"] for one in scenes]
    ask(page, "begin", scene="flooded-vault", seed=1)
    begun = ask(page, "requests", viewer="host")
    first, who = begun["requests"][0], begun["requests"][0]["player"]
    assert who in next(one["players"] for one in scenes if one["name"] == "flooded-vault")
    viewer = {"player": who}
    assert first in ask(page, "requests", viewer=viewer)["requests"] and ask(page, "view", viewer=viewer)["things"]
    check(page, OWN)  # a session goes on under the rules with which it began
    assert ask(page, "requests", viewer="host")["requests"] == begun["requests"]


def test_a_bundled_game_that_is_opened_whole_offers_its_scenes(page: Page) -> None:
    files = ask(page, "files", name="2d20")
    checked = ask(page, "check", files=files["files"], main=files["main"])
    assert "flooded-vault" in [one["name"] for one in checked["game"]["scenes"]]
    assert ask(page, "begin", scene="flooded-vault", seed=1)["asked"]


def test_yes_and_no_are_no_numbers(page: Page) -> None:
    inputs = inputs_of(check(page, LAYER), "attack")
    tables = ask(page, "odds", mechanic="attack", inputs=inputs, of="dealt")["tables"]
    assert [one["numeric"] for one in tables] == [False, False, True]


def test_every_bundled_game_is_listed_with_its_house_rules_and_scenes(page: Page) -> None:
    games = {one["name"]: one for one in ask(page, "bundled")["games"]}
    assert list(games) == list(bundled.rulesets())
    assert {rule["name"] for one in games.values() for rule in one["rules"]} == set(bundled.house_rules())
    assert {scene["name"] for one in games.values() for scene in one["scenes"]} == set(bundled.scenes())
    assert all(one["title"] for one in games.values()) and games["2d20"]["title"] == "2d20, additional rules"
    assert games["dnd5e"]["about"].startswith("The d20: checks, saving throws")
    assert games["pbta"]["about"].count(".") == 2 and "\n" not in games["pbta"]["about"]


def test_the_rulebook_is_a_page(page: Page) -> None:
    check(page, OWN)
    assert "Two dice against a number." in ask(page, "book")["html"]

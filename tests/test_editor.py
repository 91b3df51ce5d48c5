"""What an editor asks about a text: problems, completion, hover, links, renaming, fixes and cases.

The questions are asked of `interpreter/editor` directly; `test_lsp.py` asks some of them through the protocol.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from marks import at_night, sample, thorough

from interpreter import bundled
from interpreter.cli import group
from interpreter.diagnostics.source import Source
from interpreter.editor import links
from interpreter.editor.analysis import Analysis, analysis_of, problems_of, root_of
from interpreter.editor.completion import completions_at, first_keys
from interpreter.editor.cursor import cursor_at
from interpreter.editor.desk import Desk
from interpreter.editor.fixes import fixes_of
from interpreter.editor.hover import hover_at
from interpreter.editor.lenses import lenses_of, result_of_case
from interpreter.editor.odds import odds_lines
from interpreter.editor.positions import carry_offset, offset_at, position_at
from interpreter.syntax import abouts, grammar
from interpreter.syntax.verb_grammar import VERBS

LANTERNS = """\
ruleset: lanterns
names:
  weather: {calm: No wind., storm: Hold on.}
options:
  slippery: {type: yes_no, default: no, about: Whether the wall is wet.}
functions:
  eased:
    about: A height without its first step.
    takes: {steps_up: number}
    gives: max(steps_up - 1, 0)
mechanics:
  climb:
    title: Climb a wall
    inputs:
      height: {type: number, from: 1, default: 4, about: How far it is.}
      sky:    {type: weather, default: calm}
    steps:
      rolled: {roll: 2d6}
      reach:  highest(rolled) - (1 if sky is storm else 0)
      left:   eased(height)
    outcomes:
      top:     reach > height or left == 0 and not options.slippery
      hanging: reach == height
      fall:    otherwise
cases:
  - name: six is the top
    mechanic: climb
    given: {sky: calm}
    faces: [6, 1]
    expect: {outcome: top}
"""
LAYER = """\
ruleset: windy
extends: lanterns
changes:
  mechanics.climb.steps.reach:
    set: lowest(rolled)
    because: The wind blows.
"""


def on_disk(folder: Path, **texts: str) -> dict[str, Path]:
    """Files with these texts, by their names without ending."""
    made = {}
    for name, text in texts.items():
        made[name] = (folder / f"{name}.yaml").resolve()
        made[name].write_bytes(text.encode())
    return made


@pytest.fixture
def lanterns(tmp_path: Path) -> Analysis:
    return analysis_of(on_disk(tmp_path, lanterns=LANTERNS)["lanterns"], {})


def source_of(analysis: Analysis) -> Source:
    return analysis.sources[analysis.root]


def marked(text: str) -> tuple[str, int]:
    """A text without its mark, and the place of it."""
    return text.replace("¦", "", 1), text.index("¦")


def offered(analysis: Analysis | None, text: str) -> list[str]:
    """What is offered at the mark of a text that stands in the file of an analysis."""
    text, at = marked(text)
    name = source_of(analysis).name if analysis is not None else "x.yaml"
    return [one.label for one in completions_at(analysis, Source(name, text), at)]


# Positions --------------------------------------------------------------------------------------------------------


def test_columns_are_units_of_utf_16() -> None:
    source = Source("x", "a: 🎲🎲 b\nc: é d\n")
    assert position_at(source, source.text.index("b")) == (0, 8)
    assert offset_at(source, 0, 8) == source.text.index("b")
    assert offset_at(source, 1, 5) == source.text.index("d")
    assert offset_at(source, 0, 99) == source.text.index("\n") and offset_at(source, 9, 0) == len(source.text)
    for offset in range(len(source.text) + 1):
        assert offset_at(source, *position_at(source, offset)) == offset


def test_an_offset_is_carried_over_an_edit() -> None:
    before, after = "aa bb cc", "aa XXX cc"
    assert (
        carry_offset(before, after, 0) == 0
        and carry_offset(before, after, 6) == 7
        and carry_offset(before, after, 4) is None
    )
    assert carry_offset("", "", 0) == 0 and carry_offset("aaa", "aa", 3) == 2


# Where a cursor is ------------------------------------------------------------------------------------------------

PLACES = [
    ("mechanics:\n  climb:\n    steps:\n      a: hi¦", ("mechanics", "climb", "steps", "a"), True, "hi"),
    ("mechanics:\n  climb:\n    ste¦", ("mechanics", "climb"), False, "ste"),
    ("mechanics:\n  climb:\n    steps:\n      a: {roll: 2d6, ag¦", ("mechanics", "climb", "steps", "a"), False, "ag"),
    ("a:\n  b: {c: [1, {d: ¦", ("a", "b", "c", 1, "d"), True, ""),
    ("a:\n  b: {c: d,\n    e: f¦", ("a", "b", "e"), True, "f"),
    ("a:\n  b: {c: d\n  e: ¦", ("a", "e"), True, ""),  # a bracket that nobody has closed
    ("a:\n  b: >-\n    c: d\n    e: ¦", ("a", "b"), True, "    c: d\n    e: "),  # prose is no mapping
    ("a:\n  b: one\n    two¦", ("a", "b"), True, "one\n    two"),
    ("cases:\n  - name: x\n    me¦", ("cases", 0), False, "me"),
    ("cases:\n- name: x\n- name: y\n  given: {a: ¦", ("cases", 1, "given", "a"), True, ""),
    ("cases:\n  - {name: x, given: {a: b}, expect: {¦", ("cases", 0, "expect"), False, ""),
    ("a:\n  b: {c: max(1, ¦", ("a", "b", "c"), True, "max(1, "),
    ("a:\n  'b c': d\n¦", (), False, ""),
    ('"a.b":\n  set: x¦', ("a.b", "set"), True, "x"),
]


@pytest.mark.parametrize(("text", "path", "in_value", "typed"), PLACES)
def test_a_cursor_is_found_in_an_unfinished_text(text: str, path: tuple[object], in_value: bool, typed: str) -> None:
    found = cursor_at(*marked(text))
    assert found is not None
    assert (found.path, found.in_value, found.typed) == (path, in_value, typed)


def test_nothing_is_offered_in_a_comment(lanterns: Analysis) -> None:
    assert offered(lanterns, LANTERNS.replace("{roll: 2d6}", "{roll: 2d6} # ro¦")) == []
    assert offered(lanterns, LANTERNS.replace("  - name: six", "  # na¦\n  - name: six")) == []


# Completion -------------------------------------------------------------------------------------------------------


def test_keys_come_from_the_grammar_without_those_that_are_there(lanterns: Analysis) -> None:
    keys = offered(lanterns, LANTERNS.replace("    title: Climb", "    ¦\n    title: Climb"))
    assert {"steps", "also", "requires"} <= set(keys)
    inside = offered(lanterns, LANTERNS.replace("{roll: 2d6}", "{roll: 2d6, ¦}"))
    assert {"again", "counts", "if"} <= set(inside) and not {"roll", "choose"} & set(inside)
    assert {"roll", "choose", "repeat"} <= set(offered(lanterns, LANTERNS.replace("{roll: 2d6}", "{¦")))


def test_a_key_tells_what_it_does(lanterns: Analysis) -> None:
    text, at = marked(LANTERNS.replace("{roll: 2d6}", "{roll: 2d6, ¦}"))
    again = next(
        one for one in completions_at(lanterns, Source(source_of(lanterns).name, text), at) if one.label == "again"
    )
    assert again.about == "Whether the same die is thrown once more and added." and again.insert == "again: "


def test_names_in_reach_are_those_above(lanterns: Analysis) -> None:
    found = offered(lanterns, LANTERNS.replace("      left:   eased", "      now: hi¦\n      left:   eased"))
    assert {"height", "sky", "rolled", "reach", "highest", "eased", "options"} <= set(found) and "left" not in found
    assert "left" in offered(
        lanterns, LANTERNS.replace("      fall:    otherwise", "      more: ¦\n      fall: otherwise")
    )


def test_what_fits_comes_first_and_words_are_those_of_the_type(lanterns: Analysis) -> None:
    assert offered(lanterns, LANTERNS.replace("sky is storm", "sky is ¦"))[:2] == ["calm", "storm"]
    assert offered(lanterns, LANTERNS.replace("default: calm}", "default: ¦}"))[:2] == ["calm", "storm"]
    assert offered(lanterns, LANTERNS.replace("{sky: calm}", "{sky: ¦}"))[:2] == ["calm", "storm"]
    assert offered(lanterns, LANTERNS.replace("{outcome: top}", "{outcome: ¦}"))[:3] == ["top", "hanging", "fall"]


def test_names_of_declarations_are_offered_where_a_key_takes_one(lanterns: Analysis) -> None:
    assert "weather" in offered(lanterns, LANTERNS.replace("{type: weather,", "{type: ¦,"))
    assert offered(lanterns, LANTERNS.replace("    mechanic: climb", "    mechanic: ¦")) == ["climb"]
    assert offered(lanterns, LANTERNS.replace("{sky: calm}", "{¦"))[:2] == ["height", "sky"]
    assert offered(lanterns, LANTERNS.replace("highest(rolled) -", "options.¦ -"))[:1] == ["slippery"]
    assert "throws" in offered(lanterns, LANTERNS.replace("highest(rolled) -", "rolled.¦ -"))


def test_under_changes_what_is_in_reach_is_that_of_the_base(tmp_path: Path) -> None:
    there = on_disk(tmp_path, lanterns=LANTERNS, windy=LAYER)
    found = analysis_of(there["windy"], {})
    assert "rolled" in offered(found, LAYER.replace("lowest(rolled)", "lo¦"))


def test_paths_of_the_base_are_offered_under_changes(tmp_path: Path) -> None:
    there = on_disk(tmp_path, lanterns=LANTERNS, windy=LAYER)
    found = analysis_of(there["windy"], {})
    more = LAYER + "  ¦\n"
    assert {"mechanics", "options", "names"} <= set(offered(found, more))
    assert offered(found, more.replace("¦", "mechanics.climb.¦"))[:2] == [
        "title",
        "inputs",
    ]
    assert "left" in offered(found, more.replace("¦", "mechanics.climb.steps.l¦"))


def test_a_scene_file_is_offered_kinds_attributes_and_inputs(tmp_path: Path) -> None:
    has = "{luck: {type: number, from: 0, default: 3}, brave: {type: yes_no, default: no}}"
    ruleset = f"ruleset: duel\nkinds:\n  fighter: {{has: {has}}}\n"
    scene = "state: ring\nof: duel\nthings:\n  fighter:\n    ada: {luck: 2, ¦}\n"
    there = on_disk(tmp_path, duel=ruleset, ring=scene.replace(", ¦", ""))
    found = analysis_of(there["ring"], {there["ring"]: scene.replace(", ¦", "")})
    assert offered(found, scene)[0] == "brave"
    assert offered(found, scene.replace("of: duel", "of: ¦").replace(", ¦}", "}"))[-1] == "duel"
    assert "fighter" in offered(found, scene.partition("  fighter")[0] + "  ¦")


@pytest.mark.parametrize(
    ("name", "least"), thorough([("pbta", 95), ("d6", 95), ("jadeclaw", 90)], lambda name, _: name != "pbta")
)
def test_what_bundled_rulesets_write_is_offered_where_they_write_it(name: str, least: int) -> None:
    found = analysis_of(bundled.rulesets()[name].resolve(), {})
    used = sorted(
        (one for one in found.references if one.text.isidentifier()), key=lambda one: (one.source.name, one.start)
    )
    chosen = used[:: max(1, len(used) // 300)]
    missed = []
    for one in chosen:
        cut = Source(one.source.name, one.source.text[: one.start] + one.source.text[one.end :])
        if one.text not in [each.label for each in completions_at(found, cut, one.start)]:
            missed.append(str(one))
    assert len(chosen) > 150 and 100 * len(missed) <= (100 - least) * len(chosen), missed


# Hover, definition, references, renaming --------------------------------------------------------------------------


def hovered(analysis: Analysis, part: str, plus: int = 0) -> str:
    source = source_of(analysis)
    found = hover_at(analysis, analysis, source, source.text.index(part) + plus)
    return "\n".join(found.lines) if found is not None else ""


def test_hover_says_the_sentence_of_explain_and_the_type(lanterns: Analysis) -> None:
    assert hovered(lanterns, "climb:").startswith("Climb a wall (`climb`).")
    assert hovered(lanterns, "eased(height)", 7) == "`height`: a number, at least 1; default 4. How far it is."
    assert hovered(lanterns, "eased(height)") == hovered(lanterns, "eased:")
    assert (
        hovered(lanterns, "reach > height")
        == "`reach`: a number\n`reach`: highest(rolled) - (1 if sky is storm else 0)."
    )
    assert hovered(lanterns, "sky is storm", 9) == "`storm` of `weather`: Hold on."
    assert hovered(lanterns, "{roll:", 2).startswith("Throws dice.")
    assert hovered(lanterns, "highest(").startswith("`highest(")
    assert hovered(lanterns, "Climb a wall") == ""


def odds_at(analysis: Analysis, part: str, plus: int = 0) -> list[str]:
    """The odds that a hover shows at a part of the text."""
    source = source_of(analysis)
    found = hover_at(analysis, analysis, source, source.text.index(part) + plus)
    return list(odds_lines(analysis, found.rule)) if found is not None and found.rule is not None else []


def test_hover_gives_the_odds_for_default_inputs(lanterns: Analysis) -> None:
    told = odds_at(lanterns, "climb:")
    assert told == ["With the default inputs:", "  top      55.6%", "  hanging  19.4%", "  fall     25.0%"]
    assert odds_at(lanterns, "hanging:") == told and odds_at(lanterns, "steps:") == []


NEEDS = """\
ruleset: needs
names: {sky: [calm, storm]}
mechanics:
  of_words:
    inputs: {weather: {type: sky}}
    steps: {die: {roll: d4}}
    outcomes: {good: "weather is calm or die == 4", bad: otherwise}
  of_numbers:
    inputs: {price: {type: number, from: -1, to: 1}}
    steps: {die: {roll: d2}}
    outcomes: {good: die > price, bad: otherwise}
  of_cases:
    inputs: {own: {type: dice}}
    steps: {rolled: {roll: own}}
    outcomes: {good: sum(rolled) > 3, bad: otherwise}
  of_typical:
    inputs: {own: {type: dice}}
    steps: {rolled: {roll: own}}
    outcomes: {good: sum(rolled) > 3, bad: otherwise}
    typical: {own: [d4, d6]}
  of_typical_with_bonus:
    inputs: {own: {type: dice}, bonus: {type: number, default: 0}}
    steps: {rolled: {roll: own}}
    outcomes: {good: sum(rolled) + bonus > 3, bad: otherwise}
    typical: {own: [d4, d6], bonus: 1}
  of_nothing:
    inputs: {own: {type: dice}}
    steps: {rolled: {roll: own}}
  of_a_number:
    inputs: {more: {type: number, from: 1, to: 2}}
    steps:
      die: {roll: d2}
      sum_up: sum(die) + more
cases:
  - {name: one, mechanic: of_cases, given: {own: d4}, faces: [4], expect: {outcome: good}}
  - {name: two, mechanic: of_cases, given: {own: d4}, faces: [3], expect: {outcome: bad}}
  - {name: three, mechanic: of_cases, given: {own: 2d4}, faces: [3, 3], expect: {outcome: bad}}
"""
SHOWN = {
    "of_words": ["               good   bad", "weather calm   100%   0%", "weather storm  25.0%  75.0%"],
    "of_numbers": ["          good   bad", "price -1  100%   0%", "price 0   100%   0%", "price 1   50.0%  50.0%"],
    "of_cases": ["         good   bad", "own d4   25.0%  75.0%", "own 2d4  81.3%  18.8%"],
    "of_typical": ["        good   bad", "own d4  25.0%  75.0%", "own d6  50.0%  50.0%"],
    "of_typical_with_bonus": ["With bonus 1:", "        good   bad", "own d4  50.0%  50.0%", "own d6  66.7%  33.3%"],
    "of_nothing": ["Its odds depend on `own`; the inputs of a case of it are shown here."],
    "of_a_number": ["sum_up  2      3      4", "more 1  50.0%  50.0%  0%", "more 2  0%     50.0%  50.0%"],
}


@pytest.mark.parametrize("name", SHOWN)
def test_hover_gives_the_odds_at_the_inputs_that_tell_the_most(tmp_path: Path, name: str) -> None:
    found = analysis_of(on_disk(tmp_path, needs=NEEDS)["needs"], {})
    assert found.is_sound
    assert odds_at(found, f"{name}:") == SHOWN[name]


def test_hover_over_a_house_rule_shows_what_it_does_to_the_odds(tmp_path: Path) -> None:
    files = on_disk(tmp_path, lanterns=LANTERNS, windy=LAYER)
    found = analysis_of(files["windy"], {})
    told = odds_at(found, "climb.")
    assert told == [
        "without → with windy:",
        "With the default inputs:",
        "  top      55.6% → 11.1%",
        "  hanging  19.4% → 13.9%",
        "  fall     25.0% → 75.0%",
    ]
    assert odds_at(found, "changes:") == ["climb, without → with windy:", *told[1:]]
    unsaved = {files["lanterns"]: LANTERNS.replace("reach > height", "reach > height + 1")}
    assert odds_at(analysis_of(files["windy"], unsaved), "climb.")[2] == "  top      30.6% → 2.8%"


def test_hover_over_the_path_of_a_change_tells_of_the_mechanics_that_it_touches(tmp_path: Path) -> None:
    change = "changes:\n  functions.eased.gives: {set: steps_up, because: No help.}\n"
    layer = f"ruleset: hard\nextends: lanterns\n{change}"
    added = "  mechanics.climb.outcomes.splat: {add: reach == 1, before: fall, because: Ouch.}\n"
    files = on_disk(tmp_path, lanterns=LANTERNS, hard=layer, splat=layer.replace("hard", "splat") + added)
    assert odds_at(analysis_of(files["hard"], {}), "gives:") == ["climb, the same with and without hard"]
    splat = analysis_of(files["splat"], {})
    assert hovered(splat, "splat: {add") == "`splat` of `climb`\nsplat, if reach == 1."
    assert "  splat    0% → 2.8%" in odds_at(splat, "splat: {add")
    assert odds_at(splat, "outcomes.") == odds_at(splat, "climb.")


def test_hover_explains_the_last_sound_text_while_the_text_is_broken(lanterns: Analysis) -> None:
    broken = LANTERNS.replace("highest(rolled) -", "highest(roled) -")
    found = analysis_of(lanterns.root, {lanterns.root: broken})
    source = source_of(found)
    told = hover_at(found, lanterns, source, broken.index("climb:"))
    assert told is not None and told.lines[0].startswith("Climb a wall (`climb`).")


def test_a_definition_is_found_in_a_text_that_is_newer_than_its_analysis(lanterns: Analysis) -> None:
    newer = LANTERNS.replace("  climb:\n", "  climb:\n    about: 🎲\n")
    source = Source(source_of(lanterns).name, newer)
    found = links.definition_of(lanterns, source, newer.index("eased(height)"))
    assert found is not None and found.span.text == "eased" and found.span.line == 7


def test_references_go_across_parts_and_layers(tmp_path: Path) -> None:
    there = on_disk(tmp_path, lanterns=LANTERNS, windy=LAYER)
    base, layer = analysis_of(there["lanterns"], {}), analysis_of(there["windy"], {})
    assert list(links.layers_with_word("rolled", there["lanterns"], [tmp_path], {})) == [there["windy"]]
    declared = links.definition_of(layer, source_of(layer), LAYER.index("rolled"))
    assert declared is not None and declared.path == there["lanterns"] and declared.span.line == 18
    found = links.references_of([base, layer], declared.span, True)
    assert [(one.path.stem, one.span.line) for one in found] == [("lanterns", 18), ("lanterns", 19), ("windy", 5)]
    changed = links.definition_of(layer, source_of(layer), LAYER.index("reach"))
    assert changed is not None and changed.path == there["lanterns"] and changed.span.text == "reach"
    file = links.definition_of(layer, source_of(layer), LAYER.index("lanterns"))
    assert file is not None and file.path == there["lanterns"]


def test_a_name_is_renamed_in_base_cases_and_layers(tmp_path: Path) -> None:
    there = on_disk(tmp_path, lanterns=LANTERNS, windy=LAYER)
    analyses = [analysis_of(there[name], {}) for name in ("lanterns", "windy")]
    for old, new, uses in (
        ("climb", "scale", 3),
        ("rolled", "thrown", 3),
        ("sky", "clouds", 3),
        ("top", "summit", 2),
        ("slippery", "wet", 2),
    ):
        declared = next(span for span in analyses[0].definitions if span.text == old) if old != "top" else None
        if declared is None:
            place = links.definition_of(analyses[0], source_of(analyses[0]), LANTERNS.rindex(old))
            assert place is not None
            declared = place.span
        edits = links.rename_edits(analyses, declared, new)
        assert len(edits) == uses, old
        assert links.error_after(analyses, {}, edits, ()) is None
        after = links.apply_edits({}, edits)
        for analysis in analyses:
            assert problems_of(analysis_of(analysis.root, after)) == []


def test_a_name_that_is_taken_or_none_is_refused(lanterns: Analysis) -> None:
    declared = next(span for span in lanterns.definitions if span.text == "rolled")
    error = links.error_after([lanterns], {}, links.rename_edits([lanterns], declared, "height"), ())
    assert error is not None and error.code == "HR304"
    for name in ("if", "highest", "two words", "9x", ""):
        assert links.refused_name(name) is not None
    assert links.refused_name("thrown") is None


# Problems and fixes -----------------------------------------------------------------------------------------------


def test_a_fix_writes_the_name_that_is_meant(tmp_path: Path) -> None:
    slips = [("highest(rolled)", "highest(roled)"), ("    outcomes:", "    outcoms:"), ("{roll: 2d6}", "{rol: 2d6}")]
    slips += [
        ("sky is storm", "sky is strom"),
        ("mechanic: climb", "mechanic: clim"),
        ("eased(height)", "eesed(height)"),
    ]
    for right, wrong in slips:
        there = on_disk(tmp_path, lanterns=LANTERNS.replace(right, wrong))["lanterns"]
        problems = problems_of(analysis_of(there, {}))
        fixes = [fix for one in problems for fix in fixes_of(one)]
        assert fixes, wrong
        edits = [links.FileEdit(there, span, text) for span, text in fixes[0].edits]
        assert links.apply_edits({}, edits)[there] == LANTERNS
        assert fixes[0].title.startswith("Write `")


def test_open_texts_override_what_is_saved_and_parts_belong_to_their_ruleset(tmp_path: Path) -> None:
    main = LANTERNS.partition("cases:")[0].replace("names:", "parts: [more.yaml]\nnames:", 1)
    cases = "part_of: lanterns\ncases:" + LANTERNS.partition("cases:")[2]
    there = on_disk(tmp_path, lanterns=main, more=cases, windy=LAYER)
    assert root_of(there["more"], {}) == there["lanterns"]
    desk = Desk()
    broken = cases.replace("mechanic: climb", "mechanic: clim")
    assert desk.write(there["more"], broken) == {there["lanterns"]}
    found = analysis_of(there["lanterns"], desk.texts)
    desk.keep_analysis(found, problems_of(found))
    assert [(path.stem, [one.code for one in told]) for path, told in desk.diagnostics().items()] == [
        ("more", ["HR303"])
    ]
    assert desk.write(there["windy"], LAYER) == {there["windy"]}
    layer = analysis_of(there["windy"], desk.texts)
    desk.keep_analysis(layer, problems_of(layer))
    assert desk.write(there["more"], cases) == {there["lanterns"], there["windy"]}
    desk.close(there["more"])
    assert desk.diagnostics().keys() <= {there["more"]}


def test_a_scene_file_has_the_problems_of_its_things(tmp_path: Path) -> None:
    ruleset = "ruleset: duel\nkinds:\n  fighter: {has: {luck: {type: number, from: 0, default: 3}}}\n"
    ruleset += "mechanics:\n  x: {steps: {a: 1}}\n"
    scene = "state: ring\nof: duel\nthings:\n  fighter:\n    ada: {luk: 2}\n"
    there = on_disk(tmp_path, duel=ruleset, ring=scene)
    found = analysis_of(there["ring"], {there["ring"]: scene})
    assert [one.line for one in problems_of(found)] == [5]
    right = scene.replace("luk:", "luck:")
    assert problems_of(analysis_of(there["ring"], {there["ring"]: right})) == []


# Cases ------------------------------------------------------------------------------------------------------------


def test_a_lens_stands_at_every_case_and_runs_it(lanterns: Analysis) -> None:
    source = source_of(lanterns)
    (lens,) = lenses_of(lanterns, source)
    assert (lens.name, source.position(lens.offset)[0]) == ("six is the top", 26)
    done = result_of_case(lanterns, lens.name)
    assert done is not None and done.said == "passed"
    wrong = analysis_of(lanterns.root, {lanterns.root: LANTERNS.replace("[6, 1]", "[1, 1]")})
    failed = result_of_case(wrong, lens.name)
    assert failed is not None and failed.failures and "expected top, got fall" in failed.said
    assert result_of_case(lanterns, "no such case") is None


# Random edits -----------------------------------------------------------------------------------------------------

BITS = [
    *(
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        ":",
        ": ",
        ",",
        "#",
        " #",
        "-",
        "- ",
        "'",
        '"',
        "|",
        ">",
        "&",
        "*",
        "!",
        "%",
        "@",
        "`",
    ),
    *(
        "\n",
        "\n\n",
        "  ",
        "\t",
        "\r\n",
        "\r",
        "🎲",
        "é",
        "\u2028",
        "\x0b",
        "\x00",
        "\ufeff",
        "---\n",
        "...\n",
        "0",
        "99999999999",
    ),
    *(
        "if",
        "else",
        "where",
        "roll",
        "steps:",
        "mechanics:",
        "ruleset:",
        "extends: x\n",
        "parts: [a.yaml]\n",
        "d6",
        "2d6",
        "by",
    ),
    *(
        "reach",
        "height",
        "options.",
        "highest(",
        "it",
        "cases:\n",
        "changes:\n",
        "part_of: x\n",
        "state: x\n",
        "is",
        "none",
    ),
]


def an_edit(text: str, random: Random) -> str:
    """The text after one edit: something is put in, taken out, doubled or moved, or a line is."""
    if random.random() < 0.4:
        lines = text.split("\n")
        first, second = random.randrange(len(lines)), random.randrange(len(lines))
        match random.randrange(3):
            case 0:
                lines.insert(second, lines[first])
            case 1:
                lines.pop(first)
            case 2:
                lines[first] = " " * random.randrange(8) + lines[first].lstrip()
        return "\n".join(lines)
    start = random.randrange(len(text) + 1)
    end = min(len(text), start + random.choice([0, 0, 0, 1, 1, 2, 5, 20]))
    return text[:start] + (random.choice(BITS) if random.random() < 0.7 else "") + text[end:]


def hold_edits(folder: Path, texts: dict[str, str], seed: int, count: int, asked: int = 3) -> None:
    """After each of some random edits the problems are those of the command, and every question has an answer."""
    random = Random(seed)
    there = on_disk(folder, **texts)
    name = next(iter(texts))
    path, text, desk = there[name], texts[name], Desk((folder,))
    for number in range(count):
        if number % 12 == 0:
            text = texts[name]
        text = an_edit(text, random)
        desk.write(path, text, known=True)
        root = desk.roots[path]
        found = analysis_of(root, desk.texts, (folder,))
        problems = problems_of(found)
        desk.keep_analysis(found, problems)
        if found.scene is None and not found.refused:
            path.write_bytes(text.encode())
            assert [as_told(one) for one in problems] == as_commanded(root), text
        source = desk.source(path)
        assert source is not None
        latest = desk.analysis(path)
        for _ in range(asked):
            offset = random.randrange(len(source.text) + 1)
            assert offset_at(source, *position_at(source, offset)) == offset
            completions_at(latest, source, offset)
            if latest is not None:
                hover_at(latest, desk.last_sound(path), source, offset)
                place = links.definition_of(latest, source, offset)
                if place is not None:
                    links.references_of([latest], place.span, True)
                list(lenses_of(latest, source))
        for problem in problems:
            fixes_of(problem)


def as_told(one: object) -> tuple[object, ...]:
    return tuple(getattr(one, key) for key in ("code", "severity", "message", "path", "line", "column", "help"))


def as_commanded(path: Path) -> list[tuple[object, ...]]:
    """The problems that `houserule check` reports."""
    done = CliRunner().invoke(group, ["check", str(path), "--format", "json"])
    assert done.exit_code in (0, 1), done.output
    keys = ("code", "severity", "message", "path", "line", "column", "help")
    return [tuple(one[key] for key in keys) for one in json.loads(done.stdout)]


CLAIMED = """\
ruleset: claimed
tables:
  need:
    type: number
    rows: {2: 50, 3: 50}
    off_the_rows: nearest
    claims: {top: {mechanic: climb, given: {height: row}, is: value / 100}}
mechanics:
  climb:
    inputs: {height: {type: number, from: 1}}
    steps: {rolled: {roll: d6}}
    outcomes: {top: rolled > height, fall: otherwise}
"""
BEYOND = """\
ruleset: beyond
kinds:
  hero: {one: yes, has: {bound: {type: number, default: 1}, luck: {type: points, from: 0, to: bound, starts: 3}}}
"""
UNREAD = LANTERNS.replace(" and not options.slippery", "")


@pytest.mark.parametrize(("name", "text"), [("lanterns", UNREAD), ("claimed", CLAIMED), ("beyond", BEYOND)])
def test_warnings_claims_and_what_playing_shows_are_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.chdir(tmp_path)
    there = on_disk(tmp_path, **{name: text})[name]
    told = [as_told(one) for one in problems_of(analysis_of(there, {}))]
    assert told and told == as_commanded(there)


@pytest.mark.parametrize("seed", sample(range(100), 3, 20))
def test_random_edits_of_a_small_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.chdir(tmp_path)
    hold_edits(tmp_path, {"lanterns": LANTERNS, "windy": LAYER}, seed, 90)


@pytest.mark.parametrize("seed", sample(range(10), 1, 4))
def test_random_edits_of_a_house_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.chdir(tmp_path)
    hold_edits(tmp_path, {"windy": LAYER, "lanterns": LANTERNS}, seed, 60)


@pytest.mark.parametrize("seed", sample(range(10), 1, 4))
def test_random_edits_of_the_house_rule_of_the_tutorial(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (Path(__file__).parent.parent / "docs" / "tutorial.md").read_text("utf-8")
    files = dict(re.findall(r"<!-- file: (\S+)\.yaml -->\n```yaml\n(.*?)```", text, re.DOTALL))
    hold_edits(tmp_path, {name: files[name] for name in ("laughing-market", "market")}, seed, 120)


@pytest.mark.parametrize(
    "name",
    [*thorough(["pbta", "blades", "jadeclaw"], lambda name: name != "pbta"), *at_night(["fate", "fiend-wake"], bool)],
)
def test_random_edits_of_a_bundled_ruleset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    files = sorted(bundled.rulesets()[name].parent.glob("*.yaml"), key=lambda file: file.stem != name)
    hold_edits(tmp_path, {file.stem: file.read_text("utf-8") for file in files}, 7, 12 if name == "pbta" else 100)


def test_every_key_of_the_language_says_what_it_does() -> None:
    forms = grammar.FORMS | {f"a {verb}": form for verb, form in VERBS.items()}
    silent = [f"{name}: {key}" for name, form in forms.items() for key in form.keys if key not in form.abouts]
    assert silent == [f"a {verb}: {verb}" for verb in VERBS]  # `about` of the verb itself
    assert all(form.about for form in VERBS.values())
    assert set(abouts.OF_FORMS) <= set(grammar.FORMS) and set(abouts.OF_VERBS) <= set(VERBS)


def test_an_empty_file_offers_what_a_ruleset_begins_with() -> None:
    for text in ("", "# My rules\n\n", "rul"):
        found = first_keys(Source("x.yaml", text), len(text))
        assert [one.label for one in found] == ["ruleset", "part_of", "state"] and all(one.about for one in found)
    assert first_keys(Source("x.yaml", "on: push\n"), 9) == []
    assert first_keys(Source("x.yaml", "on: pu"), 6) == []


def test_a_house_rule_is_offered_before_it_says_that_it_is_one(lanterns: Analysis) -> None:
    assert "extends" in offered(lanterns, "ruleset: windy\n¦")
    assert "changes" not in offered(lanterns, "ruleset: windy\n¦")
    assert {"changes", "differs"} <= set(offered(lanterns, "ruleset: windy\nextends: lanterns\n¦"))


def test_the_neighbours_of_a_change_and_the_cases_of_the_base_are_offered(tmp_path: Path) -> None:
    files = on_disk(tmp_path, lanterns=LANTERNS, windy=LAYER)
    found = analysis_of(files["windy"], {})
    change = "changes:\n  mechanics.climb.outcomes.top:\n    "
    assert offered(found, f"ruleset: windy\nextends: lanterns\n{change}before: ¦") == ["hanging", "fall"]
    for path in ("mechanics", "", "."):
        assert offered(found, f"ruleset: windy\nextends: lanterns\nchanges:\n  {path}:\n    before: ¦") == []
    paths = [one for one in offered(found, f"{LAYER}differs:\n  - ¦") if "." in one]
    assert "mechanics.climb" in paths
    assert offered(found, f"{LAYER}differs:\n  - ¦") == [*paths, "six is the top"]


def inserted(analysis: Analysis, text: str, label: str) -> tuple[str, str]:
    """What is inserted for a label at the mark of a text, and what is, with the lines below, where that is possible."""
    text, at = marked(text)
    source = Source(source_of(analysis).name, text)
    (one,) = [one for one in completions_at(analysis, source, at) if one.label == label]
    return one.insert, one.block


def test_a_path_is_inserted_so_that_it_can_go_on(tmp_path: Path) -> None:
    found = analysis_of(on_disk(tmp_path, lanterns=LANTERNS, windy=LAYER)["windy"], {})
    begun = "ruleset: windy\nextends: lanterns\nchanges:\n  "
    assert inserted(found, f"{begun}me¦", "mechanics")[0] == "mechanics."
    assert inserted(found, f"{begun}mechanics.cl¦", "climb")[0] == "climb"
    assert inserted(found, f"{begun}mechanics.climb.steps.re¦", "reach")[0] == "reach:"
    source = Source(source_of(found).name, f"{begun}mechanics.climb.steps.re")
    (one,) = [one for one in completions_at(found, source, len(source.text)) if one.label == "reach"]
    assert source.text[one.start :] == "re"  # the word that editors complete, not the whole path


def test_a_key_with_entries_is_inserted_with_the_line_below(lanterns: Analysis) -> None:
    assert inserted(lanterns, "ruleset: x\nme¦", "mechanics") == ("mechanics: ", "mechanics:\n  ")
    assert inserted(lanterns, "ruleset: x\nca¦", "cases") == ("cases: ", "cases:\n  - ")
    assert inserted(lanterns, "ruleset: x\nti¦", "title") == ("title: ", "")
    climb = "ruleset: x\nmechanics:\n  climb:\n    "
    assert inserted(lanterns, f"{climb}st¦", "steps") == ("steps: ", "steps:\n      ")
    assert inserted(lanterns, "ruleset: x\nmechanics:\n  climb: {st¦", "steps") == ("steps: ", "")
    assert inserted(lanterns, "cases:\n  - name: x\n    gi¦", "given") == ("given: ", "")

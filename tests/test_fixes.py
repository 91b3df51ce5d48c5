"""`houserule check --fix`: what can mean one thing alone is mended, nothing else changes, and each fix is listed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from mistakes.restoring import all_told, shown

from interpreter import pipeline
from interpreter.cli import group
from interpreter.diagnostics.edits import apply_edits
from interpreter.diagnostics.source import Source
from interpreter.diagnostics.suggest import is_slip
from interpreter.editor.fixes import fixes_of
from interpreter.formatting.fixes import fix_mistakes
from interpreter.syntax.other_notations import relation_in_words

RULESET = """\
ruleset: slips
names: {mood: [calm, angry, anxious]}
mechanics:
  climb:
    inputs:
      height: {type: number, from: 1, about: How high}   # in feet
      length: {type: number, from: 1}
      mood:   {type: mood}
    steps:
      rolled: {roll: 2d6}
      reach:  sum(rolled)
      best:   {is: height + length}
    outcomes:
      top:  reach > height and mood is calm
      fall: otherwise
"""

MENDED = {
    "a function": ("reach:  sum(rolled)", "reach:  summ(rolled)", "reach:  sum(rolled)"),
    "a name": ("reach > height", "reach > heigth", "reach > height"),
    "a word": ("mood is calm", "mood is clam", "mood is calm"),
    "a verb": ("{roll: 2d6}", "{rol: 2d6}", "{roll: 2d6}"),
    "a key": ("from: 1, about", "form: 1, about", "from: 1, about"),
    "a type": ("height: {type: number", "height: {type: nubmer", "height: {type: number"),
    "a sign of other languages": ("reach > height and", "reach ≥ height &&", "reach >= height and"),
    "one equals sign": ("reach > height", "reach = height", "reach == height"),
    "words for a sign": ("reach > height", "reach greater than height", "reach > height"),
    "dice in capitals": ("2d6", "2D6", "2d6"),
    "a comma trap": ("{is: height + length}", "{is: max(height, length)}", "{is: 'max(height, length)'}"),
    "a text with a comma": ("How high}", "How high, and how far up}", "'How high, and how far up'}"),
    "a colon without a space": ("      best:   {is", "      best:{is", "      best: {is"),
    "a value that cannot start so": ("about: How high}", "about: @home}", "about: '@home'}"),
    "several in one line": ("reach > height and mood is calm", "raech > heigth && mood is clam",
                            "reach > height and mood is calm"),
}  # fmt: skip


def mend(text: str) -> tuple[str, list[str]]:
    """The text of a ruleset with its fixes, and the fixes as they are listed."""
    source = Source.of("slips.yaml", text)
    made = fix_mistakes(source, None, ())
    return made.texts.get("slips.yaml", text), [str(one) for one in made.fixes]


def test_the_ruleset_is_sound() -> None:
    assert pipeline.from_text(Source.of("slips.yaml", RULESET)).problems.errors == []
    assert mend(RULESET) == (RULESET, [])


@pytest.mark.parametrize("what", MENDED)
def test_it_is_mended_and_nothing_else_changes(what: str) -> None:
    right, slip, written = MENDED[what]
    assert RULESET.count(right) == 1
    text, fixes = mend(RULESET.replace(right, slip))
    assert text == RULESET.replace(right, written)
    assert fixes


SHORT = """\
ruleset: short
comparators: {beats: RELATION}
names: {condition: [stunned]}
kinds:
  hero: {has: {luck: {type: points, to: 3, lasts: RESET}, conditions: {list_of: condition, default: []}}}
events:
  stun:
    inputs: {who: hero}
    steps: {b: {add: stunned, to: who.conditions, lasts: LASTS}, c: {cause: wake, with: {who: who}, later: LASTS}}
  wake: {inputs: {who: hero}, steps: {d: {lose: 1, from: who.luck}}}
actions:
  rest: {actor: hero, at_most: {times: 1, per: RESET}, steps: {e: {gain: 1, to: actor.luck}}}
"""
OPPOSITE = {"less than": "at least", "at most": "more than", "more than": "at most", "at least": "less than"}
WORDS = {
    "less than": ["less than", "fewer than", "below", "less then"],
    "more than": ["more than", "higher than", "above", "exceeds"],
    "at least": ["at least", "reaches", "greater than or equal to"],
    "at most": ["at most", "up to", "less than or equal to"],
}
DENIED = ("not", "no", "never", "is not", "isnt")


@pytest.mark.parametrize(
    ("said", "meant"),
    [(one, relation) for relation, words in WORDS.items() for one in words]
    + [(f"{no} {one}", OPPOSITE[relation]) for no in DENIED for relation, words in WORDS.items() for one in words],
)
def test_a_comparator_in_other_words_is_never_turned_about(said: str, meant: str) -> None:
    found = relation_in_words(said)
    assert found == meant or (found is None and said.split()[-1] in ("exceeds", "reaches", "to")), found


def short(relation: str = "more than", lasts: str = "round", reset: str = "round") -> str:
    return SHORT.replace("RELATION", relation).replace("LASTS", lasts).replace("RESET", reset)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (short(relation="not less than"), short(relation="at least")),
        (short(relation="no more than"), short(relation="at most")),
        (short(relation="not les than"), None),
        (short(relation="better than"), None),
        (short(lasts="2 rounds"), short(lasts="{rounds: 2}")),
        (short(lasts="for three rounds"), short(lasts="{rounds: 3}")),
        (short(lasts="4-rounds"), short(lasts="{rounds: 4}")),
        (short(lasts="1 round"), short(lasts="{rounds: 1}")),
        (short(lasts="rounds"), short()),
        (short(lasts="2 scenes"), None),
        (short(lasts="one scene"), short(lasts="scene")),
        (short(lasts="next round"), None),
        (short(lasts="half a round"), None),
        (short(reset="3 rounds"), None),
        (short(reset="two scenes"), None),
        (short(reset="1 scene"), short(reset="scene")),
    ],
)
def test_what_is_denied_or_counted_keeps_its_meaning(wrong: str, right: str | None) -> None:
    assert pipeline.from_text(Source.of("slips.yaml", right or short())).problems.errors == []
    assert mend(wrong)[0] == (right or wrong)


OTHER_WORDS = {
    "a word that is denied": ("mood is calm", "mood is uncalm"),
    "a name that is denied": ("reach > height", "reach > unheight"),
    "a range in both directions": ("reach > height", "reach > 5 or less"),
    "a key without its colon": ("about: How high}", "about: How high, default 3}"),
}


IN_BRACES = """\
ruleset: braces
names: {mood: [calm, sad]}
kinds: {hero: {has: {luck: {type: points, to: 3}}}}
tables: {pay: {rows: {5 or less: 2, 6 or more: 3}}}
mechanics:
  meet:
    inputs: {bold: {type: yes_no}, who: {type: hero}, foe: {type: hero, among: '[who]'}, mood: {type: mood}}
    steps:
      loss: {lose: 2 if bold else 1, from: who.luck}
      part: {lose: pay(3), from: who.luck, about: Pay.}
      dice: {roll: 2d6}
      anew: {reroll: dice where face == 1, most: 1}
      more: {call: roll}
  roll: {steps: {it_is: {roll: d6}}}
"""
OF_BRACES = {
    "a row that begins with a sign": ("6 or more: 3", "> 6 or more: 3"),
    "a row that begins with a sign alone": ("6 or more: 3", ">= 6: 3"),
    "a key that begins with a sign": ("bold: {", "@bold: {"),
    "a comma behind a condition": ("1, from", "1 from"),
    "a comma behind half a condition": ("2 if bold else 1, from", "2 if bold from"),
    "a comma behind a call": ("pay(3), from", "pay(3) from"),
    "a key of another type": ("among: '[who]'", "enum: '[who]'"),
    "a verb of steps beside a text": ("{call: roll}", "{do: roll}"),
    "the most of what is no range": ("most: 1", "max: 1"),
    "a key that stands there already": ("type: hero, among", "type: hero, typ: hero, among"),
}


@pytest.mark.parametrize("what", OF_BRACES)
def test_a_quick_fix_in_braces_restores_what_is_meant_or_is_not_offered(what: str) -> None:
    assert IN_BRACES.count(OF_BRACES[what][0]) == 1
    text = IN_BRACES.replace(*OF_BRACES[what])
    found = pipeline.from_text(Source.of("braces.yaml", text)).problems.errors
    assert found and mend(text)[0] == text
    for fix in [fix for one in found for fix in fixes_of(one)]:
        assert apply_edits(found[0].span.source, fix.edits) == IN_BRACES, fix


def test_the_file_without_slips_in_braces_is_sound() -> None:
    assert pipeline.from_text(Source.of("braces.yaml", IN_BRACES)).problems.errors == []


@pytest.mark.parametrize("what", OTHER_WORDS)
def test_a_word_that_says_another_thing_is_left_alone(what: str) -> None:
    right, other = OTHER_WORDS[what]
    text = RULESET.replace(right, other)
    assert mend(text) == (text, [])


@pytest.mark.parametrize(
    ("written", "meant", "slip"),
    [
        ("heigth", "height", True),
        ("proficency", "proficiency", True),
        ("less_then", "less_than", True),
        ("atleast", "at least", True),
        ("unhurt", "hurt", False),
        ("inactive", "active", False),
        ("amoral", "moral", False),
        ("attacked", "attacker", False),
        ("payee", "payer", False),
        ("die2", "die1", False),
        ("min_wound", "max_wound", False),
        ("not less than", "less than", False),
        ("2 rounds", "round", False),
    ],
)
def test_a_slip_of_the_pen_is_no_word_of_its_own(written: str, meant: str, slip: bool) -> None:
    assert is_slip(written, meant) is is_slip(meant, written) is slip


def test_fixes_restore_what_is_meant_or_leave_the_text_alone() -> None:
    """`python -m tests.mistakes --fixes 20000` does so at length, in the bundled games, too."""
    told = list(all_told(150, 29, only_tiny=True))
    assert [shown(one) for one in told if one.wrong] == []
    assert sum(one.by_fix == "restored" for one in told) >= 30


LEFT = {
    "nothing is near": ("reach > height", "reach > velocity"),
    "a key without a value": ("about: How high}", "about: How high, optional}"),
    "a decimal": ("from: 1, about", "from: 1,5, about"),
    "a fix that does not help": ("sum(rolled)", "summ(rolled, 1, 2)"),
}


@pytest.mark.parametrize("what", LEFT)
def test_it_is_left_to_the_author(what: str) -> None:
    right, slip = LEFT[what]
    text = RULESET.replace(right, slip)
    left, _ = mend(text)
    assert slip in left


def test_it_is_left_if_two_names_are_near() -> None:
    text = RULESET.replace("length", "heighth").replace("reach > height", "reach > heigth")
    assert mend(text) == (text, [])


DECLARED_WRONG = """\
ruleset: slips
parts: [cases.yaml]
mechanics:
  climb:
    inputs: {height: {type: number, from: 2, to: 12}}
    steps: {rolled: {roll: 2d6}, total: sum(rolled)}
    outcomes: {reached: total >= height, imssed: otherwise}
"""
CASES_OF_IT = """\
part_of: slips
cases:
  - {name: odds, mechanic: climb, given: {height: 12}, odds: {reached: 1/36, WORD: 35/36}}
"""


@pytest.mark.parametrize("name", ["imssed", "missed"])
def test_a_name_declared_in_another_file_may_be_the_slip(name: str, tmp_path: Path) -> None:
    """The use is mended only if another use shows which of the two is meant."""
    (tmp_path / "slips.yaml").write_text(DECLARED_WRONG.replace("imssed", name))
    (tmp_path / "cases.yaml").write_text(CASES_OF_IT.replace("WORD", "misssed" if name == "missed" else "missed"))
    (said,) = pipeline.from_path(tmp_path / "slips.yaml").problems.errors
    assert said.help == f"did you mean `{name}`?" and not fixes_of(said)
    known = (tmp_path / "cases.yaml").read_text() + CASES_OF_IT.partition("cases:\n")[2].replace("WORD", name)
    (tmp_path / "cases.yaml").write_text(known)
    (said,) = pipeline.from_path(tmp_path / "slips.yaml").problems.errors
    assert [text for _, text in said.edits] == [name]


def test_a_name_used_twice_is_not_mended_after_its_declaration() -> None:
    text = RULESET.replace("best:   {is: height + length}", "best:   {is: heigth + heigth}")
    text = text.replace("reach > height and", "")
    assert mend(text) == (text, [])


HIDDEN = """\
ruleset: hidden
kinds: {fighter: {has: {hurt: {type: number, default: 0}}}}
mechanics:
  volley:
    inputs: {fighter: {list_of: fighter}}
    steps: {both: {for: fighter, among: fighters, each: {one: fighter.hurt}}}
"""


def test_a_use_is_not_mended_after_a_declaration_that_hides_another_name() -> None:
    """The input is meant to be `fighters`."""
    errors = pipeline.from_text(Source.of("slips.yaml", HIDDEN)).problems.errors
    assert {one.code for one in errors} == {"HR301", "HR304"}
    assert mend(HIDDEN) == (HIDDEN, [])


def test_the_command_lists_fixes_and_reports_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = RULESET.replace("reach > height", "reach > heigth").replace("sum(rolled)", "velocity")
    Path("slips.yaml").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    said = CliRunner().invoke(group, ["check", "--fix", "slips.yaml"])
    assert said.exit_code == 1
    assert said.stdout.startswith("fixed slips.yaml:14:21: HR301 `heigth` → `height`\nslips.yaml:11:15: HR301")
    mended = text.replace("heigth", "height").replace("\n", "\r\n").encode()
    assert Path("slips.yaml").read_bytes() == b"\xef\xbb\xbf" + mended


def test_parts_are_mended_and_bases_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("slips.yaml").write_text("ruleset: slips\nparts: [more.yaml]\n")
    Path("more.yaml").write_text("part_of: slips\nmechanics: {m: {steps: {r: {rol: d6}}}}\n")
    (tmp_path / "over").mkdir()
    layer = "ruleset: over\nextends: slips\nchanges: {mechanics.m.steps.r.roll: {set: d8, because: More.}}\n"
    Path("over/over.yaml").write_text(layer)
    assert CliRunner().invoke(group, ["check", "--fix", "over/over.yaml"]).exit_code == 1
    assert "rol:" in Path("more.yaml").read_text()
    said = CliRunner().invoke(group, ["check", "--fix", "slips.yaml", "--format", "json"])
    assert (said.exit_code, said.stdout, said.stderr) == (0, "[]\n", "fixed more.yaml:2:29: HR108 `rol` → `roll`\n")
    assert Path("more.yaml").read_text() == "part_of: slips\nmechanics: {m: {steps: {r: {roll: d6}}}}\n"


def test_only_files_can_be_mended() -> None:
    for words in (["-"], ["jadeclaw", "--with", "limits-limit"]):
        assert CliRunner().invoke(group, ["check", "--fix", *words]).exit_code == 2

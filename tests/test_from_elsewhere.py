"""What authors bring from other tools is told as text that loads: types, ranges, faces, costs, limits, roles and dice.

The words are those of the tables that the messages look them up in, so a new word is tried at once.
"""

from __future__ import annotations

import random
import re

import pytest

from interpreter import pipeline
from interpreter.diagnostics import Diagnostic, range_meant, usual_costs, usual_types
from interpreter.diagnostics.edits import apply_edits
from interpreter.diagnostics.source import Source
from interpreter.formatting.fixes import fix_mistakes

FORMS_OF_TYPES = (
    "list of numbers", "int[]", "[text]", "list<bool>", "int?", "optional number", "number or none", "number (1-5)",
    "int 1..5", "1 to 6", ">= 1", "> 0", "10+", "up to 5", "< 5", "positive int", "non-negative number", "low|high",
    "low, mid, high", "red/blue", "d6", "2d6+1",
)  # fmt: skip
"""Forms of types, of which there is no table."""


def errors(text: str) -> list[Diagnostic]:
    return pipeline.from_text(Source.of("small.yaml", text)).problems.errors


def proposed(found: list[Diagnostic]) -> str:
    """The text that the first message proposes."""
    written = re.search(r"write (?:the whole declaration as )?`([^`]+)`", found[0].help or "")
    assert written is not None, found[0]
    return written[1]


@pytest.mark.parametrize("of_a_thing", [False, True])
def test_a_type_of_another_tool_is_told_as_a_declaration_that_loads(of_a_thing: bool) -> None:
    words = {*usual_types.TYPES, *usual_types.NO_SIMPLE_TYPE, *FORMS_OF_TYPES}
    words |= {word for word, written in usual_types.OF_A_THING.items() if "…" not in written} if of_a_thing else set()
    words -= {word for word, written in usual_types.OF_A_THING.items() if "…" in written}
    rules = "ruleset: small\nkinds: {hero: {has: {a: DECLARED}}}\n"
    if not of_a_thing:
        rules = "ruleset: small\nmechanics: {m: {inputs: {a: DECLARED}, steps: {r: {roll: d6}}}}\n"
    for word in sorted(words):
        found = errors(rules.replace("DECLARED", f'"{word}"'))
        assert [one.code for one in found] == ["HR303"], word
        assert errors(rules.replace("DECLARED", proposed(found))) == [], word


def test_a_type_that_can_mean_one_thing_alone_is_mended() -> None:
    text = "ruleset: small\nmechanics: {m: {inputs: {a: int, b: {type: bool, default: no}}, steps: {r: {roll: d6}}}}\n"
    done = fix_mistakes(Source.of("small.yaml", text), None, ())
    assert list(done.texts.values()) == [text.replace("int", "number", 1).replace("bool", "yes_no")]


RANGES = {
    "{a} to {b}": (
        "{a}-{b}",
        "{a} - {b}",
        "{a}–{b}",
        "{a}..{b}",
        "{a}...{b}",
        "{a} through {b}",
        "between {a} and {b}",
    ),
    "{b} or more": ("{b}+", "{b} +", "{b} or higher", "{b} and up", ">= {b}", "at least {b}", "≥{b}"),
    "{a} or less": ("{a} or lower", "{a} and below", "<= {a}", "up to {a}", "at most {a}", "..{a}"),
}


def test_ranges_of_other_tools_are_those_of_the_language() -> None:
    chance = random.Random(52)
    for written, forms in RANGES.items():
        for form in forms:
            low, high = sorted(chance.sample(range(1, 90), 2))
            meant = range_meant(form.format(a=low, b=high))
            assert meant is not None, form
            assert meant.text == written.format(a=low, b=high), form
    assert [one and one.text for one in map(range_meant, ("96-00", "01-30", "4, 5, 6", "> 7", "< 7"))] == [
        "96 to 100", "1 to 30", "4 to 6", "8 or more", "6 or less",
    ]  # fmt: skip
    assert [range_meant(text) for text in ("total", "rope", "3 <= total <= 5", "4, 6", "7 9", "a-b", "9-5")] == [
        None
    ] * 7


def test_a_table_with_ranges_of_other_tools_is_mended_and_loads() -> None:
    text = "ruleset: small\ntables: {t: {rows: {1-3: 1, 4..9: 2, 10+: 3}, off_the_rows: refuse}}\n"
    found = errors(text)
    assert [one.code for one in found] == ["HR507"]
    mended = apply_edits(found[0].span.source, found[0].edits)
    assert "{1 to 3: 1, 4 to 9: 2, 10 or more: 3}" in mended
    assert errors(mended) == []


@pytest.mark.parametrize(
    "rows", ["1-5, 6-15, 16-20", "1..5, 6..15, 16..20", "5 or lower, 6 - 15, 16+", "<6, 6-15, >15"]
)
def test_outcomes_that_are_ranges_are_told_as_outcomes_that_load(rows: str) -> None:
    rules = "ruleset: small\nmechanics:\n  m:\n    steps: {r: {roll: d20}}\n    outcomes: OUTCOMES\n"
    names = ("low", "mid", "high")
    outcomes = "".join(f'\n      {name}: "{one}"' for name, one in zip(names, rows.split(", "), strict=True))
    found = errors(rules.replace("OUTCOMES", outcomes))
    assert [one.code for one in found] == ["HR516"]
    written = re.search(r"words: `([^`]+)`", found[0].help or "")
    assert written is not None
    assert errors(rules.replace("OUTCOMES", written[1])) == []


@pytest.mark.parametrize(
    "faces", ["0 to 3", "[0..3]", "[0 to 3]", "{skull: 2, blank: 1}", "[skull x2]", "-1 0 1", '"1,1,2"']
)
def test_faces_are_told_as_a_list_that_loads(faces: str) -> None:
    rules = "ruleset: small\ndice: {mine: {faces: FACES}}\nmechanics: {m: {steps: {r: {roll: mine}}}}\n"
    written = re.search(r": `([^`]+)`|write `([^`]+)`", errors(rules.replace("FACES", faces))[0].help or "")
    assert written is not None
    text = written[1] or written[2]
    assert errors(rules.replace("FACES", text if text.startswith("[") else f"[{text}]")) == []


THINGS = """ruleset: small
kinds: {hero: {has: {hope: {type: points, to: 6, starts: 2}, hp: {type: points, to: 6, starts: 6}}}}
actions: {heal: {actor: hero, cost: COST, at_most: LIMIT, steps: {b: {gain: 2, to: actor.hp}}}}
"""
COSTS = (
    "2 hope",
    "hope",
    "1 hope and 1 hp",
    "[1 hope, hp]",
    "two points of hope",
    "hope 2",
    "-1 hope",
    "spend 1 hope",
)
LIMITS = ("once per scene", "3/day", "twice per encounter", "1", "per round", "1x per turn", "three times per game")


def test_costs_and_limits_in_words_are_told_as_mappings_that_load() -> None:
    for cost in COSTS:
        found = errors(THINGS.replace("COST", cost).replace("LIMIT", "{times: 1, per: round}"))
        assert errors(THINGS.replace("COST", proposed(found)).replace("LIMIT", "{times: 1, per: round}")) == [], cost
    for limit in LIMITS:
        found = errors(THINGS.replace("COST", "{hope: 1}").replace("LIMIT", limit))
        assert errors(THINGS.replace("COST", "{hope: 1}").replace("LIMIT", proposed(found))) == [], limit
    assert usual_costs.limit_in_words("once per scene") == "write `{times: 1, per: scene}`"


@pytest.mark.parametrize("dice", ["xd6", "x_d6", "{x}d6", "[x]d6", "@xd6", "$x d6", "who.mightd6", "x d6", "@{x}d6"])
def test_as_many_dice_as_a_name_says_are_told_as_dice_that_load(dice: str) -> None:
    rules = (
        "ruleset: small\nkinds: {hero: {has: {might: {type: number, default: 2}}}}\n"
        "mechanics: {m: {inputs: {x: number, who: hero}, steps: {r: {roll: DICE}}}}\n"
    )
    found = errors(rules.replace("DICE", f'"{dice}"'))
    assert errors(rules.replace("DICE", proposed(found))) == []


@pytest.mark.parametrize("role", ["gm", "GM", "the keeper", "player 1", "active player"])
def test_a_role_that_is_not_declared_is_told_with_a_declaration_or_one_that_is(role: str) -> None:
    rules = "ruleset: small\nmechanics: {m: {steps: {c: {choose: yes_no, by: ROLE}}}}\n"
    help_text = errors(rules.replace("ROLE", role))[0].help or ""
    declared = re.search(r"`(roles: \{(\w+): [^`]+\})`", help_text)
    assert declared is not None
    assert errors(f"{rules.replace('ROLE', declared[2])}{declared[1]}\n") == []
    declared_already = "roles: {game_master: Who leads., player: Who plays.}\n"
    meant = re.search(r"did you mean `(\w+)`", errors(rules.replace("ROLE", role) + declared_already)[0].help or "")
    assert meant is not None
    assert meant[1] in ("game_master", "player")

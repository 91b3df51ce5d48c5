"""Texts of questions read dice that odds have not drawn: the odds are those of the same rules without texts."""

from __future__ import annotations

from textwrap import indent

import pytest

import interpreter

TEXTS = {
    "ask": 'ask: "It is {1 + c}. How many?"',
    "shows": 'ask: How many?, shows: ["comes to {it + c}"]',
    "shows under a condition": 'ask: How many?, shows: [{say: more, if: it + c > 2, else: "{c}"}]',
    "ask under a condition": 'ask: [{say: "It is {c}.", if: c > 1}, "How many?"]',
    "none": "ask: How many?",
}
PLACES = {
    "for dice": "for: one\namong: 2d2\neach:\n  e: {CHOICE}",
    "for numbers": "for: one\namong: upto(2)\neach:\n  e: {CHOICE}",
    "repeat": "repeat: 2\neach:\n  e: {CHOICE}",
    "in steps": "if: c > 1\nsteps:\n  e: {CHOICE}",
    "alone": "{CHOICE}",
}
CHOICES = {
    "number": "choose: number, from: 0, to: 2, default: 1",
    "yes or no": "choose: yes_no, default: yes",
    "some": "choose: some, among: upto(2), least: 1, most: 1, default: '[1]'",
}


def rules(place: str, choice: str, text: str, around: str) -> str:
    text = text.replace("it + c", "c") if "yes_no" in choice or "some" in choice else text
    step = place.replace("{CHOICE}", f"{{{choice}, {text}}}")
    inner = f"c: {{roll: d3}}\nb:\n{indent(step, '  ')}"
    steps = inner if around == "steps" else f"a:\n  repeat: 2\n  each:\n{indent(inner, '    ')}"
    return f"ruleset: texts\nmechanics:\n  main:\n    steps:\n{indent(steps, '      ')}"


@pytest.mark.parametrize("around", ["steps", "repeat"])
@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", [name for name in TEXTS if name != "none"])
def test_odds_do_not_depend_on_texts(text: str, place: str, choice: str, around: str) -> None:
    made = rules(PLACES[place], CHOICES[choice], TEXTS[text], around)
    plain = made.replace(TEXTS[text], TEXTS["none"]).replace(TEXTS[text].replace("it + c", "c"), TEXTS["none"])
    assert plain != made
    name = "a" if around == "repeat" else "b"
    told, without = (interpreter.loads(one).odds("main").law(name) for one in (made, plain))
    assert told.ways == without.ways and told.total == without.total
    assert interpreter.loads(made).roll("main", seed=1).values == interpreter.loads(plain).roll("main", seed=1).values

"""A name that nothing has, in what is declared of an option, a table or a function, is told as that and no circle."""

from __future__ import annotations

import pytest

from interpreter import pipeline
from interpreter.diagnostics.source import Source

DECLARED = [
    "options: {light: {type: yes_no, default: WORD}, dark: {type: number, default: 1}}",
    "options: {dark: {type: number, default: 1}, light: {type: number, default: WORD}}",
    "options: {light: {type: number, to: WORD, default: 1}}",
    "options: {light: {type: number, from: WORD + 1, default: 1}}",
    "options: {light: {type: dice, default: WORD}}",
    "tables: {light: {rows: {0 or less: 1, 1 or more: WORD}}}",
    "functions: {light: {takes: {n: number}, gives: n + WORD}}",
    "kinds: {light: {has: {hp: {type: number, default: WORD}}}}",
]


def codes(text: str) -> list[str]:
    text = f"ruleset: lamps\nnames: {{mood: [calm, cross]}}\n{text}\nmechanics: {{a: {{steps: {{b: {{roll: d6}}}}}}}}\n"
    return [one.code for one in pipeline.from_text(Source.of("text", text)).problems.errors]


@pytest.mark.parametrize("word", ["on", "off", "true", "shiny", "light", "Light"])
@pytest.mark.parametrize("text", DECLARED)
def test_an_unknown_name_is_told_once_and_as_no_circle(text: str, word: str) -> None:
    found = codes(text.replace("WORD", word))
    assert len(found) == 1
    # It is unknown, a function or a table without brackets, or a yes or no where a number is wanted.
    assert found[0] in ("HR301", "HR308", "HR310", "HR401")


@pytest.mark.parametrize("words", ["[on, off]", "[off, on, dim]", "{on: It burns., off: It does not.}"])
def test_on_and_off_are_words_as_any_others(words: str) -> None:
    assert codes(f"options: {{light: {{one_of: {words}, default: on}}}}") == []
    assert codes("ladders: {glow: [off, on]}\noptions: {light: {type: glow, default: on}}") == []


def test_a_circle_is_told() -> None:
    circle = "options: {one: {type: number, default: options.two}, two: {type: number, default: options.one}}"
    assert codes(circle) == ["HR309"]

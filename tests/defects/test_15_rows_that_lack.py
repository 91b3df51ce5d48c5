"""A table that is surely asked for a row that it lacks is refused on loading, by words and by numbers."""

from __future__ import annotations

import itertools

import pytest

import interpreter
from interpreter import PlayError, pipeline
from interpreter.diagnostics.source import Source

RULES = """\
ruleset: lists
names: {{mood: [calm, cross, half]}}
tables: {{worth: {{type: number, rows: {rows}{off}}}}}
mechanics:
  ask:
    inputs: {{m: {{type: mood}}, k: {{type: number{bounds}}}}}
    steps:
      found: "{asked}"
"""
REFUSE = ", off_the_rows: refuse"


def codes(rows: str, asked: str, bounds: str = "", off: str = "") -> list[str]:
    text = RULES.format(rows=rows, asked=asked, bounds=bounds, off=off)
    return [one.code for one in pipeline.from_text(Source.of("lists", text)).problems.errors]


WHOLE = "{calm: 1, cross: 2, half: 3}"


@pytest.mark.parametrize("lacking", ["calm", "cross", "half"])
@pytest.mark.parametrize(
    ("rows", "asked"),
    [
        ("WORDS", "worth(m)"),
        ("{calm: WORDS, cross: {calm: 1, cross: 2, half: 3}, half: {calm: 1, cross: 2, half: 3}}", "worth(m, m)"),
        ("{calm: {calm: 1, cross: 2, half: 3}, cross: {calm: 1, cross: 2, half: 3}, half: WORDS}", "worth(calm, m)"),
        ("{1 or less: {calm: 1, cross: 2, half: 3}, 2 or more: WORDS}", "worth(k, m)"),
        ("{1 or less: WORDS, 2 or more: {calm: 1, cross: 2, half: 3}}", "worth(3, m)"),
        ("{1 or less: WORDS, 2 or more: WORDS}", "worth(k, m)"),
    ],
)
def test_a_word_without_a_row_is_told(rows: str, asked: str, lacking: str) -> None:
    kept = ", ".join(f"{word}: 1" for word in ("calm", "cross", "half") if word != lacking)
    assert codes(rows.replace("WORDS", WHOLE), asked) == []
    assert codes(rows.replace("WORDS", f"{{{kept}}}"), asked) == ["HR508"]
    assert codes(rows.replace("WORDS", f"{{{kept}}}"), asked, off=REFUSE) == []


NUMBERS = {
    "{1: 1, 3 to 5: 2}": {1, 3, 4, 5},
    "{2 or less: 1, 6: 2}": {*range(-9, 3), 6},
    "{4 or more: 1}": {*range(4, 20)},
}


@pytest.mark.parametrize("rows", NUMBERS)
@pytest.mark.parametrize(("low", "high"), [one for one in itertools.product(range(9), range(9)) if one[0] <= one[1]])
def test_numbers_that_are_all_off_the_rows_are_told(rows: str, low: int, high: int) -> None:
    on_a_row = any(number in NUMBERS[rows] for number in range(low, high + 1))
    assert codes(rows, "worth(k)", f", from: {low}, to: {high}", REFUSE) == ([] if on_a_row else ["HR508"])


def test_a_number_that_may_be_on_a_row_is_refused_in_play() -> None:
    game = interpreter.loads(RULES.format(rows="{1: 1, 3 to 5: 2}", asked="worth(k)", bounds="", off=REFUSE))
    assert game.roll("ask", m="calm", k=4).values["found"] == 2
    with pytest.raises(PlayError, match="HR634"):
        game.roll("ask", m="calm", k=2)


@pytest.mark.parametrize("off", [", off_the_rows: nearest", ", off_the_rows: 0", ", off_the_rows: it"])
def test_what_is_said_of_other_keys_holds(off: str) -> None:
    assert codes("{1: 1, 3 to 5: 2}", "worth(k)", ", from: 8, to: 9", off) == []

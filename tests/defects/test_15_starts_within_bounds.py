"""Points begin within their bounds, or are refused: on loading where that is known, else when they are made."""

from __future__ import annotations

import itertools

import pytest

import interpreter
from interpreter import HouseruleError, pipeline
from interpreter.diagnostics.source import Source

RULES = """\
ruleset: yard
options: {{most: {{type: number, from: 1, to: 5, default: 4}}}}
kinds:
  fighter:
    has:
      top: {{type: number, from: 0, to: 9, default: 4}}
      hp: {{{declared}}}
things: {{fighter: {{ann: {{{given}}}}}}}
events: {{pass_on: {{steps: {{wait: 1}}}}}}
mechanics: {{count: {{inputs: {{who: {{type: fighter}}}}, steps: {{hp: who.hp}}}}}}
"""
LOWS, HIGHS, STARTS = ["", "0", "2", "-3"], ["", "1", "5", "8"], ["0", "1", "2", "5", "6", "14", "-1"]


def codes(declared: str, given: str = "") -> list[str]:
    loaded = pipeline.from_text(Source.of("yard", RULES.format(declared=declared, given=given)))
    return [one.code for one in loaded.problems.errors]


def points(low: str, high: str, start: str) -> str:
    bounds = [f"from: {low}" if low else "", f"to: {high}" if high else "", f"starts: {start}"]
    return ", ".join(["type: points", *filter(None, bounds)])


@pytest.mark.parametrize(("low", "high"), list(itertools.product(LOWS, HIGHS)))
def test_what_is_known_is_told_on_loading(low: str, high: str) -> None:
    if high and int(low or 0) > int(high):
        return
    for start in STARTS:
        sound = int(low or 0) <= int(start) and (not high or int(start) <= int(high))
        assert codes(points(low, high, start)) == ([] if sound else ["HR512"])


@pytest.mark.parametrize("length", ["1", "3", "options.most"])
@pytest.mark.parametrize("start", ["0", "1", "2", "6", "-1"])
def test_a_track_begins_within_its_length(length: str, start: str) -> None:
    most = int(length) if length.isdigit() else 5
    assert codes(f"type: track, length: {length}, starts: {start}") == ([] if 0 <= int(start) <= most else ["HR512"])


@pytest.mark.parametrize(
    ("declared", "given", "hp"),
    [
        ("type: points, to: top, starts: 4", "", 4),
        ("type: points, to: top, starts: 5", "", None),
        ("type: points, to: top, starts: top", "top: 7", 7),
        ("type: points, to: top, starts: 4", "top: 3", None),
        ("type: points, to: 9, from: top, starts: 3", "", None),
        ("type: points, to: 9, from: top", "", 4),
        ("type: points, to: options.most, starts: 5", "", None),
        ("type: points, to: options.most, starts: options.most", "", 4),
        ("type: points, to: 5, starts: top", "top: 6", None),
        ("type: track, length: top, starts: 5", "", None),
        ("type: track, length: top, starts: 4", "", 4),
        ("type: points, to: top, starts: 4", "hp: 5", None),
    ],
)
def test_what_is_known_when_it_is_made_is_refused_then(declared: str, given: str, hp: int | None) -> None:
    if hp is None:
        with pytest.raises(HouseruleError, match="HR604"):
            interpreter.loads(RULES.format(declared=declared, given=given)).state()
        return
    game = interpreter.loads(RULES.format(declared=declared, given=given))
    assert game.roll("count", state=game.state(), who="ann").values["hp"] == hp


def test_a_state_that_is_begun_with_other_bounds_is_refused() -> None:
    game = interpreter.loads(RULES.format(declared="type: points, to: top, starts: 4", given=""))
    with pytest.raises(HouseruleError, match="HR604"):
        game.state({"ann": {"is": "fighter", "top": 3}})
    assert game.to_data(game.state({"ann": {"is": "fighter", "top": 3, "hp": 2}}))


def test_points_that_begin_anew_are_kept_inside_bounds_that_have_moved() -> None:
    declared = "type: points, to: top, starts: 4, lasts: round"
    sink = "mechanics:\n  sink: {inputs: {who: {type: fighter}}, steps: {a: {set: who.top, to: 2}}}\n"
    rules = RULES.format(declared=declared, given="").replace("mechanics: {count: ", f"{sink}  count: ")
    game = interpreter.loads(rules.removesuffix("}\n") + "\n")
    state = game.roll("sink", state=game.state(), who="ann").state
    assert state is not None
    assert game.roll("count", state=game.ends(state, "round"), who="ann").values["hp"] == 2

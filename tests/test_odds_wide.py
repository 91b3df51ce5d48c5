"""States taken many at a time are held to states taken one by one, formula by formula and mechanic by mechanic."""

from __future__ import annotations

import random
from typing import Any

import pytest
from generated.asking import Asked
from generated.games import ruleset
from marks import sample

import interpreter
from interpreter import ir
from interpreter.api.decode import InputReader
from interpreter.api.game import Game
from interpreter.diagnostics import PlayError, RulesetError
from interpreter.diagnostics.source import Source, Span
from interpreter.ir import types as t
from interpreter.odds import engine, meter
from interpreter.odds.vectorize import ColumnNames, NotVectorizable, vectorize_formula, vectorize_outcome
from interpreter.runtime.evaluator import new_frame
from interpreter.syntax.document import Scalar

NAMES: dict[str, t.Type] = {
    "a": t.NUMBER, "b": t.NUMBER, "c": t.NUMBER, "f": t.YES_NO, "g": t.YES_NO, "m": t.Maybe(t.NUMBER),
}  # fmt: skip
GRAMMAR = {
    "N": ["a", "b", "c", "0", "7", "-N", "N + N", "N - N", "N * N", "N if F else N", "m otherwise N"],
    "F": ["f", "g", "F and F", "F or F", "not F", "N < N", "N == N", "N >= 3"],
}
GAME = interpreter.loads("ruleset: bare\nmechanics: {nothing: {steps: {one: 1}}}\n")


def reader(game: Game) -> InputReader:
    return InputReader(game.world, game.closures)


def scalar(text: str) -> Scalar:
    return Scalar(text, Span(Source("here", text), 0, len(text)), "'")


def formula(text: str) -> Any:
    return reader(GAME).check_expression(scalar(text), None, NAMES)


def grown(chance: random.Random, kind: str, depth: int) -> str:
    leaves = {"N": ["a", "b", "c", "2"], "F": ["f", "g"]}[kind]
    text = chance.choice(GRAMMAR[kind] if depth else leaves)
    return "".join([f"({grown(chance, one, depth - 1)})" if one in GRAMMAR else one for one in text])


def a_value(chance: random.Random, name: str) -> Any:
    if name in "fg":
        return chance.random() < 0.5
    return None if name == "m" and chance.random() < 0.4 else chance.randint(-3, 9)


@pytest.mark.parametrize("seed", range(300))
def test_a_formula_for_columns_agrees_with_its_closure(seed: int) -> None:
    chance = random.Random(seed)
    made = formula(grown(chance, chance.choice("NF"), 4))
    names = ColumnNames(NAMES, {})
    worked_out = vectorize_formula(made.body, names)
    assert worked_out is not None
    many = chance.randint(1, 9)
    rows = [{name: a_value(chance, name) for name in NAMES} for _ in range(many)]
    at: dict[str, Any] = {name: [row[name] for row in rows] for name in names.used}
    for name in NAMES:
        if chance.random() < 0.3:  # all states agree
            for row in rows:
                row[name] = rows[0][name]
            at[name] = rows[0][name]
    found = worked_out(at)
    plain = GAME.closures.of(made)
    assert (found if type(found) is list else [found] * many) == [plain(new_frame(**row)) for row in rows]


def test_what_a_state_does_not_come_to_cannot_fail_for_it() -> None:
    made = formula("a if a < 3 else a * 999999999999999999")
    worked_out = vectorize_formula(made.body, ColumnNames(NAMES, {}))
    assert worked_out is not None
    assert worked_out({"a": [1, 2]}) == [1, 2]
    assert worked_out({"a": [1, 3]}) == [1, 3 * 999999999999999999]
    with pytest.raises(PlayError):
        worked_out({"a": [1, 50]})


@pytest.mark.parametrize("seed", range(100))
def test_outcomes_for_columns_are_the_first_that_hold(seed: int) -> None:
    chance = random.Random(seed)
    conditions = [formula(grown(chance, "F", 3)) for _ in range(chance.randint(1, 5))]
    cases = [ir.Outcome(f"w{place}", made, "") for place, made in enumerate(conditions)]
    names = ColumnNames(NAMES, {})
    worked_out = vectorize_outcome(ir.Outcomes((*cases, ir.Outcome("none", None, ""))), names)
    assert worked_out is not None
    many = chance.randint(1, 9)
    rows = [{name: a_value(chance, name) for name in NAMES} for _ in range(many)]
    at: dict[str, Any] = {name: [row[name] for row in rows] for name in names.used}
    for name in names.used:
        if chance.random() < 0.3:  # all states agree
            for row in rows:
                row[name] = rows[0][name]
            at[name] = rows[0][name]
    found = worked_out(at)
    holds = [GAME.closures.of(made) for made in conditions]
    first = [next((f"w{n}" for n, one in enumerate(holds) if one(new_frame(**row))), "none") for row in rows]
    assert (found if type(found) is list else [found] * many) == first


def test_no_state_is_asked_for_what_comes_after_its_outcome() -> None:
    cases = [("low", "a < 3"), ("large", "a * 999999999999999999 > 0"), ("last", "max(a, b) > 0")]
    made = ir.Outcomes(tuple([ir.Outcome(name, formula(text), "") for name, text in cases]))
    worked_out = vectorize_outcome(made, ColumnNames(NAMES, {}))
    assert worked_out is not None
    assert worked_out({"a": [1, 2], "b": 3}) == ["low", "low"]
    assert worked_out({"a": [1, 3], "b": 3}) == ["low", "large"]
    with pytest.raises(PlayError):
        worked_out({"a": [1, 50], "b": 3})
    beyond = vectorize_outcome(ir.Outcomes((made.cases[0], made.cases[2])), ColumnNames(NAMES, {}))
    assert beyond is not None and beyond({"a": 1, "b": 3}) == "low"
    with pytest.raises(NotVectorizable):
        beyond({"a": [1, 3], "b": 3})
    assert vectorize_outcome(ir.Outcomes(made.cases[2:]), ColumnNames(NAMES, {})) is None


def test_what_has_no_columns_is_only_left_to_states_that_come_to_it() -> None:
    assert vectorize_formula(formula("max(a, b)").body, ColumnNames(NAMES, {})) is None
    worked_out = vectorize_formula(formula("a if f else max(a, b)").body, ColumnNames(NAMES, {}))
    assert worked_out is not None
    assert worked_out({"a": [1, 2], "b": 3, "f": True}) == [1, 2]
    assert worked_out({"a": [1, 2], "b": 3, "f": [True, True]}) == [1, 2]
    for flags in (False, [True, False]):
        with pytest.raises(NotVectorizable):
            worked_out({"a": [1, 2], "b": 3, "f": flags})


def test_a_name_that_was_drawn_stands_for_its_reading() -> None:
    made = formula("a + b").body
    worked_out = vectorize_formula(made, names := ColumnNames({"a", "b#0"}, {id(made.right): "b#0"}))
    assert worked_out is not None and names.used == {"a", "b#0"}
    assert worked_out({"a": 1, "b#0": [2, 3]}) == [3, 4]
    assert vectorize_formula(made, ColumnNames({"a"}, {id(made.right): "b#0"})) is None


# Mechanics -------------------------------------------------------------------------------------------------------

MECHANICS = {
    "a carried number that differs and one that does not": """
      one: {roll: 2d4}
      two: {roll: 3d6}
      three: {roll: d6}
      low: sum(one)
      high: highest(two)
      steady: 5
      apart: low - high
      total: (apart + sum(three) if low > 4 else steady) + low
    """,
    "a step with a condition between formulas": """
      one: {roll: 2d6}
      two: {roll: 2d6}
      more: {if: sum(one) > 7, is: sum(one) - 7, else: 0}
      total: more + highest(two) - (1 if lowest(two) == 1 else 0)
    """,
    "a roll that is read twice, by different ways": """
      one: {roll: 3d6}
      two: {roll: 2d8}
      hits: count(one where face >= 4)
      best: highest(one)
      total: best + sum(two) if hits > 1 else hits * lowest(two)
    """,
    "a carried number that is only known from below": """
      one: {roll: d6, again: face == 6}
      two: {roll: 2d6}
      high: sum(one)
      total: high + highest(two) >= 500
    """,
    "a carried number that a reading asks for": """
      one: {roll: 2d6}
      two: {roll: 4d6}
      low: sum(one)
      total: count(two where face <= low) + count(two where face * 2 <= low)
    """,
    "a roll that is told as it lies": """
      one: {roll: 2d6}
      two: {roll: 2d6}
      total: sum(one) + (sum(two) if sum(one) == 7 else 0)
      shown: two
    """,
    "a roll that is thrown in the middle, the same for all": """
      many: 3
      one: {roll: 2d6}
      low: sum(one)
      two: {roll: (many)d4}
      more: low + many
      total: more - highest(two)
    """,
    "a roll that is thrown in the middle, by what was drawn": """
      one: {roll: d3}
      low: sum(one)
      two: {roll: (low)d4}
      total: low - highest(two)
    """,
    "a kept pass whose fields are read": """
      kept: {repeat: 3, each: {one: {roll: 3d6}, low: lowest(one), high: highest(one)}, keep: {highest: high}}
      two: {roll: d4}
      total: kept.high - kept.low + sum(two)
    """,
    "a kept pass that is told, by a score of its own": """
      kept: {repeat: 3, each: {one: {roll: 3d6}, low: lowest(one)}, keep: {lowest: low * 2 - 3}}
      total: kept.low if kept.low > 2 else 0
      shown: kept
    """,
    "a kept pass with a roll that lies on the table": """
      kept: {repeat: 2, each: {one: {roll: 2d4}, low: lowest(one)}, keep: {highest: low}}
      total: kept.low + highest(kept.one)
      shown: kept.one
    """,
    "a kept pass that knows a number only from below": """
      kept:
        repeat: 2
        each: {one: {roll: d6, again: face == 6}, high: sum(one), many: count(one)}
        keep: {lowest: many}
      two: {roll: 2d6}
      total: kept.high + highest(two) >= 500
    """,
}


def laws(game: Game, ask: list[tuple[str, ...]], mechanic: str) -> list[Any]:
    found: list[Any] = []
    for names in ask:
        try:
            law = game.with_options({}).odds(mechanic).law(*names)
            found.append((dict(law.weights), law.missing))
        except PlayError as error:
            found.append(error.diagnostic.code)
    return found


def both_ways(monkeypatch: pytest.MonkeyPatch, game: Game, ask: list[tuple[str, ...]], mechanic: str) -> None:
    monkeypatch.setattr(engine, "FEW", 1)
    together = laws(game, ask, mechanic)
    monkeypatch.setattr(engine, "FEW", 1 << 60)
    assert together == laws(game, ask, mechanic)


@pytest.mark.parametrize("says", MECHANICS)
def test_states_come_to_the_same_together_and_one_by_one(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.loads(f"ruleset: r\nmechanics:\n  m:\n    steps:{MECHANICS[says]}")
    names = list(dict(game.program.mechanics["m"].type.fields))
    both_ways(monkeypatch, game, [("total",), tuple(names[-2:]), tuple(names)], "m")


@pytest.mark.parametrize("seed", sample([0, 2, 3, *range(5, 60), 1, 4], 10, 30))
def test_generated_mechanics_come_to_the_same_together_and_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ruleset(seed + 40_000)
    try:
        game = interpreter.loads(text)
    except RulesetError:
        return
    # What takes longer is refused, maybe one way a little earlier.
    monkeypatch.setattr(meter, "LIMITS", meter.WorkLimits(states=2_000))
    asked = list(Asked(game, "main", {}, None, None, {}).questions(text, 12))
    monkeypatch.setattr(engine, "FEW", 1)
    together = laws(game, asked, "main")
    monkeypatch.setattr(engine, "FEW", 1 << 60)
    for both in zip(together, laws(game, asked, "main"), strict=True):
        assert "HR805" in both or both[0] == both[1]


# Pools that are read at a glance ---------------------------------------------------------------------------------

POOLS = (
    "d6", "1d6", "2d12 & d10 & d8", "2d12&d10", "99d999", "d6 &d6", "0d6", "d0", "d1001", "d1000", "100d6", "501d6",
    "2d6 + 1", "d6  &  d8", " d6 ", "d06", "02d6", "D6", "d6 & ", "& d6", "d6 & no_dice", "(d6)", "2 d6", "d6d6",
    "２d6", " & ".join(["d4"] * 10), " & ".join(["d4"] * 11), "",
)  # fmt: skip


@pytest.mark.parametrize("text", POOLS)
@pytest.mark.parametrize("least", [0, 3])
def test_a_pool_read_at_a_glance_is_the_one_that_is_worked_out(text: str, least: int) -> None:
    def read(text: str) -> Any:
        try:
            return reader(GAME).value(scalar(text), t.Dice(least), "pool")
        except PlayError as error:
            return error.diagnostic.code

    assert read(text) == read(f"({text})") or text in ("", "& d6", "d6 & ")

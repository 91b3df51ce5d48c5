"""What throws and passes read of those before them is folded where only sums and unordered columns are read."""

from __future__ import annotations

from typing import Any

import pytest
from test_decisions import best_by_hand

import interpreter
from interpreter import ir
from interpreter.api.exact_odds import paths_of
from interpreter.api.game import Game
from interpreter.ir.traversal import nodes_under
from interpreter.odds.lower import folding
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.verbs import VERBS
from interpreter.play.deciders import Answers

READINGS = {
    "a sum": ("sum(earlier.worth) < 4", True),
    "a sum of lists": ("sum(earlier.kept) < 5", True),
    "two sums": ("sum(earlier.worth) + sum(earlier.kept) < 7", True),
    "one in any order": ("not (face in earlier.kept)", True),
    "the same as a sum and in any order": ("sum(earlier.kept) < 5 and not (face in earlier.kept)", True),
    "the rest": ("count(without([1, 2, 3], earlier.kept)) > 1", True),
    "the highest": ("(highest(earlier.kept) otherwise 0) < 3", True),
    "a sum in a record": ("sum(earlier.inner.price) < 4", True),
    "how many there were": ("count(earlier) < 2 and sum(earlier.worth) < 4", False),
    "the last one": ("(last(earlier.worth) otherwise 0) < 3 and sum(earlier.worth) < 5", False),
    "those that meet a condition": ("count(earlier.worth where it > 1) < 2", False),
}
IN_A_THROW = """
      rolled:
        roll: 2d4
        each:
          worth: face - 1
          kept: "[face] if face > 1 else []"
          inner: {{steps: {{price: face - 1}}}}
          {choice}
        again: "nth < 4 and ({reading})"
      total: sum(rolled)
"""
IN_A_PASS = """
      tries:
        repeat: 4
        each:
          die: {{roll: d4}}
          face: die + 0
          worth: face - 1
          kept: "[face] if face > 1 else []"
          inner: {{steps: {{price: face - 1}}}}
          {choice}
          on: "{reading}"
        until: not on
      total: {value}
"""
PLAIN = "taken: 1"
CHOICE = "taken: {choose: number, from: 0, to: 1, default: 0, if: face > 1, else: 0}"


def rules(form: str, reading: str, choice: str = PLAIN, value: str = "count(tries)") -> str:
    return f"ruleset: folded\nmechanics:\n  main:\n    steps:{form.format(reading=reading, choice=choice, value=value)}"


def plainly(game: Game, name: str) -> dict[Any, Any]:
    """The law of a name by plain enumeration."""
    law: dict[Any, Any] = {}
    for weight, record in paths_of(game, "main", {}, lambda: Answers({}, lambda choice, value: value, None)):
        law[record[name]] = law.get(record[name], 0) + weight
    return law


@pytest.mark.parametrize("value", ["count(tries)", "sum(tries.worth)", "last(tries).worth"])
@pytest.mark.parametrize("name", READINGS)
def test_the_law_of_passes_is_that_of_enumeration(name: str, value: str) -> None:
    game = interpreter.loads(rules(IN_A_PASS, READINGS[name][0], value=value))
    assert game.odds("main").of("total") == plainly(game, "total")


@pytest.mark.parametrize("name", READINGS)
def test_the_law_of_throws_is_that_of_enumeration(name: str) -> None:
    game = interpreter.loads(rules(IN_A_THROW.replace("2d4", "d4"), READINGS[name][0]))
    assert game.odds("main").of("total") == plainly(game, "total")


@pytest.mark.parametrize("form", [IN_A_THROW.replace("2d4", "d4"), IN_A_PASS], ids=["throws", "passes"])
@pytest.mark.parametrize("name", [name for name, (_, folds) in READINGS.items() if folds])
def test_the_best_answers_are_those_of_plain_play(name: str, form: str) -> None:
    reading = READINGS[name][0].replace("sum(earlier.worth)", "sum(earlier.worth) + sum(earlier.taken)")
    value = "sum(tries.worth) - 2 * sum(tries.taken)"
    text = rules(form, f"{reading} or taken > 0", CHOICE, value).replace("repeat: 4", "repeat: 3")
    game = interpreter.loads(text.replace("nth < 4", "nth < 3"))
    best = best_by_hand(game, "main", {}, lambda record: record["total"], False)
    assert game.odds("main", best="total").mean("total") == best


@pytest.mark.parametrize("name", READINGS)
@pytest.mark.parametrize("form", [IN_A_THROW, IN_A_PASS], ids=["throws", "passes"])
def test_only_what_may_be_folded_is_folded(form: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, folds = READINGS[name]
    game = interpreter.loads(rules(form, reading))
    found: list[bool] = []
    plain = folding.fold_of

    def watched(lowering: Lowering, action: Any, past: Any) -> Any:
        fold = plain(lowering, action, past)
        found.append(fold is not None)
        return fold

    for place in ("rolls", "repeats"):
        monkeypatch.setattr(f"interpreter.odds.lower.{place}.fold_of", watched)
    game.odds("main").of("total")
    assert found and found[-1] is folds


HISTORIES: list[list[dict[str, Any]]] = [
    [{"worth": 2, "kept": (3,), "inner": {"price": 2}}, {"worth": 0, "kept": (), "inner": {"price": 0}}],
    [{"worth": 1, "kept": (2,), "inner": {"price": 1}}, {"worth": 2, "kept": (3, 1), "inner": {"price": 2}}],
    [{"worth": 0, "kept": (), "inner": {"price": 0}}],
]


@pytest.mark.parametrize("history", HISTORIES)
@pytest.mark.parametrize("name", [name for name, (_, folds) in READINGS.items() if folds])
def test_a_folded_history_gives_every_reading_the_same_value(name: str, history: list[dict[str, Any]]) -> None:
    game = interpreter.loads(rules(IN_A_PASS, READINGS[name][0]))
    (repeat,) = [node for node in nodes_under(game.program) if isinstance(node, ir.Repeat)]
    lowering = Lowering(game.closures, VERBS, None)
    paths = {("worth",), ("kept",), ("inner", "price")}
    fold = next(filter(None, (folding.fold_of(lowering, repeat, frozenset(past)) for past in _subsets(paths))))
    (on,) = [step.action.formula for step in repeat.each if step.name == "on" and isinstance(step.action, ir.Let)]
    for face in range(1, 5):
        at = {".meter": [10**6], "face": face, "earlier": tuple(history)}
        assert game.closures.of(on)(at) == game.closures.of(on)({**at, "earlier": fold(tuple(history))})


def _subsets(paths: set[tuple[str, ...]]) -> list[list[tuple[str, ...]]]:
    """The larger ones first."""
    found: list[list[tuple[str, ...]]] = [[]]
    for path in sorted(paths):
        found += [[*one, path] for one in found]
    return sorted(found, key=len, reverse=True)

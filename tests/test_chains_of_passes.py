"""Passes that hand a state to the next one, and beginnings that frames share: odds are those of plain play."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

import pytest
from enumeration import by_enumeration

import interpreter
from interpreter.api.game import Game
from interpreter.odds.lower.repeats import _Repetition
from interpreter.odds.shared_beginning import Entered

LOOPS = {
    "a total to reach": [
        "rounds: {repeat: 5, carry: {total: 0}, each: {die: {roll: d3}, total: total + die}, until: total >= limit}",
        "needed: count(rounds)",
        "total: last(rounds.total)",
        "value: 10 * needed + total",
    ],
    "how many passes": [
        "rounds: {repeat: 5, carry: {total: 0}, each: {die: {roll: d3}, total: total + die}, until: total >= limit}",
        "value: count(rounds)",
    ],
    "without an end of its own": [
        'rounds: {repeat: 4, carry: {total: limit}, each: {die: {roll: d3}, total: "max(total - die, die)"}}',
        "value: last(rounds.total)",
    ],
    "a flag and a word": [
        "rounds: {repeat: 4, carry: {hot: no, mood: calm}, each: {die: {roll: d3}, hot: hot or die == limit,"
        " mood: {is: angry, if: die == 1}}, until: hot and mood is angry}",
        "value: count(rounds) + (10 if last(rounds.hot) else 0) + (20 if last(rounds.mood) is angry else 0)",
    ],
    "what is read of earlier passes": [
        "rounds: {repeat: 4, each: {die: {roll: d3}, ahead: die > (last(earlier.die) otherwise 0),"
        " so_far: sum(earlier.die) + die}, until: so_far >= limit}",
        "value: 10 * last(rounds.so_far) + (1 if last(rounds).ahead else 0)",
    ],
    "the dice of the last pass": [
        'rounds: {repeat: 3, carry: {best: 0}, each: {dice: {roll: 2d2}, best: "max(best, sum(dice))"},'
        " until: best >= limit}",
        "value: 10 * (highest(last(rounds).dice) otherwise 0) + (last(rounds.best) otherwise 0)",
    ],
    "an end of the mechanic": [
        "rounds: {repeat: 4, carry: {total: 0}, each: {die: {roll: d3}, dead: {end: dead, if: die == limit},"
        " total: (total otherwise 0) + die}}",
        "value: last(rounds.total) otherwise 0",
    ],
    "a roll in a roll": [
        "rounds: {repeat: 3, carry: {pool: 2}, each: {dice: {roll: (pool)d2}, hits: count(dice where face == 2),"
        ' pool: "min(hits + 1, limit)"}, until: hits == 0}',
        "value: 10 * count(rounds) + last(rounds.hits)",
    ],
    "a loop in a loop": [
        "rounds: {repeat: 3, carry: {left: 3}, each: {tries: {repeat: 2, carry: {made: 0}, each: {die: {roll: d2},"
        " made: made + (1 if die == 2 else 0)}, until: made == limit}, left: left - last(tries.made)},"
        " until: left <= 0}",
        "value: 10 * count(rounds) + last(rounds.left)",
    ],
    "the number of the pass": [
        "rounds: {repeat: 4, carry: {total: 0}, each: {die: {roll: d2}, total: total + die * nth},"
        " until: total > limit}",
        "value: last(rounds.total)",
    ],
}
OTHERS = (
    "a total to reach", "a flag and a word", "what is read of earlier passes", "an end of the mechanic",
    "a roll in a roll",
)  # fmt: skip
"""Loops of which more than the last pass or their number is read; each pass of them is a state of its own."""

SHARED = {
    "a bonus that is added at the end": "sum(rolled) + bonus",
    "a bonus that decides about dice": "count(rolled where face > bonus)",
    "a bonus in a condition": "(sum(rolled) if bonus > 1 else (highest(rolled) otherwise 0)) + bonus",
    "a bonus that is only passed on": "sum(rolled)",
}


def game(*steps: str) -> Game:
    lines = indent("\n".join(steps), "      ")
    return interpreter.loads(
        "ruleset: chains\nnames: {mood: [calm, angry]}\nmechanics:\n  one:\n    inputs: {limit: number}\n"
        f"    steps:\n{lines}\n    outcomes: {{lived: otherwise}}\n"
    )


def with_calls(reading: str) -> Game:
    """A rule that is called again and again, with another bonus each time."""
    return interpreter.loads(
        "ruleset: shared\nmechanics:\n  thrown:\n    inputs: {bonus: number, more: {type: number, default: 0}}\n"
        "    steps:\n      first_one: {roll: d2}\n"
        '      rolled: {roll: "(first_one + more)d3", again: face == 3 and nth < 3}\n'
        "      extra: {roll: d4}\n      before: sum(extra) + (highest(rolled) otherwise 0)\n"
        f"      value: {reading} + before\n"
        "  one:\n    steps:\n      a: {roll: d4}\n      b: {roll: d3}\n"
        "      c: {call: thrown, with: {bonus: a + b, more: b - 1}}\n"
        "      d: {call: thrown, with: {bonus: c.value - a}}\n"
        "      value: c.value + 100 * d.value\n"
    )


@pytest.fixture
def stepwise(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """Odds that follow every pass and every block anew."""
    with monkeypatch.context() as patched:
        patched.setattr(_Repetition, "is_chain_of_passes", False)
        patched.setattr(Entered, "beginning", lambda *_: None)
        yield patched


def laws(played: Game, names: tuple[str, ...], **given: int) -> list[dict[str, object]]:
    found = played.odds("one", **given)
    return [{repr(key): chance for key, chance in found.law(name).weights.items()} for name in names]


@pytest.mark.parametrize("loop", LOOPS)
def test_a_chain_of_passes_has_the_law_of_plain_play(loop: str) -> None:
    played = game(*LOOPS[loop])
    for limit in (1, 2, 4):
        for name in ("value", "outcome"):
            true = by_enumeration(played, "one", played.state(), (name,), {"limit": limit})
            assert laws(played, (name,), limit=limit) == [{repr(key): chance for key, chance in true.items()}]


def test_most_of_these_loops_are_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    chains = []
    original = _Repetition.start_chain
    monkeypatch.setattr(_Repetition, "start_chain", lambda self, *given: chains.append(self) or original(self, *given))
    met = []
    for loop, steps in LOOPS.items():
        before = len(chains)
        game(*steps).odds("one", limit=2).law("value")
        if len(chains) > before:
            met.append(loop)
    assert met == [loop for loop in LOOPS if loop not in (*OTHERS, "the number of the pass")]


@pytest.mark.parametrize("loop", LOOPS)
def test_a_chain_of_many_passes_has_the_law_of_each_pass_in_turn(loop: str, stepwise: pytest.MonkeyPatch) -> None:
    steps = [step.replace("repeat: 5", "repeat: 12").replace("repeat: 4", "repeat: 9") for step in LOOPS[loop]]
    one_by_one = laws(game(*steps), ("value", "outcome"), limit=7)
    stepwise.undo()
    assert laws(game(*steps), ("value", "outcome"), limit=7) == one_by_one


@pytest.mark.parametrize("reading", SHARED)
def test_calls_with_other_inputs_have_the_law_of_calls_that_share_nothing(
    reading: str, stepwise: pytest.MonkeyPatch
) -> None:
    alone = laws(with_calls(SHARED[reading]), ("value",))
    stepwise.undo()
    assert laws(with_calls(SHARED[reading]), ("value",)) == alone


def test_a_beginning_is_shared_by_calls_that_differ_in_what_is_read_later(stepwise: pytest.MonkeyPatch) -> None:
    played = SHARED["a bonus that is added at the end"]
    alone = with_calls(played).odds("one").law("value").cost
    stepwise.undo()
    together = with_calls(played).odds("one").law("value").cost
    assert alone is not None and together is not None
    assert 10 * dict(together.waited)["rolled"] < dict(alone.waited)["rolled"]

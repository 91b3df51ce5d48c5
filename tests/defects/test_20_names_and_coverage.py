"""Odds and simulation take the same names; coverage counts as played every rule that a case may come to."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import interpreter
from interpreter import PlayError, pipeline
from interpreter.diagnostics.source import Source
from interpreter.testing.coverage import coverage

RULES = """\
ruleset: yard
roles: {player: Whoever plays.}
kinds:
  fighter:
    has:
      hp:    {type: points, to: 10, starts: 10, when_empty: {fall: {cause: fallen, with: {who: owner}}}}
      luck:  {type: points, to: 3, starts: 2}
      mood:  {one_of: [fine, down], default: fine}
      worth: {is: hp + luck}
things:
  fighter: {ann: {}, bo: {hp: 3}}
events:
  round_begins: {steps: {breath: {cause: breathe, with: {who: bo}}}}
  breathe: {inputs: {who: {type: fighter}}, steps: {rest: {gain: 1, to: who.hp}}}
  fallen: {inputs: {who: {type: fighter}}, steps: {mark: {set: who.mood, to: down}}}
  hurt: {inputs: {who: {type: fighter}}, steps: {amount: {roll: d4}, less: {lose: amount, from: who.hp}}}
  cry: {steps: {loud: {roll: d4}}}
  lonely: {steps: {loud: {roll: d4}}}
actions:
  hit:
    actor: {type: fighter}
    cost: {luck: 1}
    inputs: {foe: {type: fighter}}
    steps:
      rolled: {roll: d6}
      blow: {cause: hurt, if: rolled > 2, with: {who: foe}}
    outcomes: {hit: rolled > 2, miss: otherwise}
reactions:
  answer: {actor: {type: fighter}, after: fallen, automatic: yes, steps: {shout: {cause: cry}}}
mechanics:
  tire: {inputs: {who: {type: fighter}}, steps: {lost: {roll: d4}, less: {lose: lost, from: who.hp}}}
  press:
    inputs: {who: {type: fighter}}
    steps:
      much: {choose: number, from: 1, to: 2, by: player, default: 1}
      lost: {roll: d4}
      less: {lose: lost + much, from: who.hp}
scenes:
  brawl:
    round: {blows: {steps: {one: {act: hit, with: {actor: ann, foe: bo}}}}}
    guard: 2
    outcomes: {over: bo.mood is down}
"""
GAME = interpreter.loads(RULES)
ASKED: list[tuple[str, dict[str, str]]] = [
    ("tire", {"who": "bo"}),
    ("press", {"who": "bo"}),
    ("events.hurt", {"who": "bo"}),
    ("actions.hit", {"actor": "ann", "foe": "bo"}),
    ("scenes.brawl", {}),
]
NAMES = ["bo.hp", "bo.mood", "bo.worth", "ann.luck", "ann.hp"]
RUNS = 4_000


def asked(of: str, subject: str, given: dict[str, str]) -> list[Callable[[], Any]]:
    """The law of a name by odds, by simulation, and by a simulation that was made for it."""
    state = GAME.state()
    odds = GAME.odds(subject, state=state, inputs=given)
    made = GAME.simulate(subject, state=state, inputs=given, runs=100, seed=1)
    return [
        lambda: odds.of(of),
        lambda: made.of(of),
        lambda: GAME.simulate(subject, state=state, inputs=given, runs=RUNS, seed=1, of=[of]).of(of),
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("subject", "given"), ASKED, ids=[one for one, _ in ASKED])
def test_odds_of_what_is_left_are_those_that_a_simulation_comes_near(
    subject: str, given: dict[str, str], name: str
) -> None:
    exact, few, many = (ask() for ask in asked(name, subject, given))
    assert sum(exact.values()) == 1 and set(few) <= set(exact)
    for value in {*exact, *many}:
        assert abs(float(exact.get(value, 0)) - float(many.get(value, 0))) < 4 * 0.5 / RUNS**0.5


def test_odds_of_what_is_left_are_exact() -> None:
    odds = GAME.odds("actions.hit", state=GAME.state(), actor="ann", foe="bo")
    # A hit in four of six, and then 3 or 4 of four take all that is left.
    assert odds.of("bo.hp") == {0: Fraction(1, 3), 1: Fraction(1, 6), 2: Fraction(1, 6), 3: Fraction(1, 3)}
    assert odds.joint("outcome", "bo.mood")[("hit", "down")] == Fraction(1, 3)
    assert odds.mean("ann.luck") == 1
    random = GAME.odds("press", state=GAME.state(), policy="random", who="bo")
    assert random.of("bo.hp") == {0: Fraction(7, 8), 1: Fraction(1, 8)}  # 1 and 1 leave one, all else leaves nothing


@pytest.mark.parametrize("name", ["bo.hpp", "bo", "bo.", "nobody.hp", "outcom", "rolled.x", "", ".", "bo.hp.x", "1"])
@pytest.mark.parametrize(("subject", "given"), ASKED, ids=[one for one, _ in ASKED])
def test_what_cannot_be_asked_for_is_refused_in_the_same_words(subject: str, given: dict[str, str], name: str) -> None:
    said = []
    for ask in asked(name, subject, given):
        with pytest.raises(PlayError) as refused:
            ask()
        said.append((refused.value.diagnostic.code, refused.value.diagnostic.message, refused.value.diagnostic.help))
    assert len(set(said)) == 1


def test_what_is_left_is_refused_beside_best_answers_and_lists_of_answers() -> None:
    state = GAME.state()
    by_best = GAME.odds("press", state=state, who="bo", best="lost")
    by_list = GAME.odds("press", state=state, who="bo", choices={"much": [1, 2]})
    for odds in (by_best, by_list):
        with pytest.raises(PlayError, match="HR816"):
            odds.of("bo.hp")


# Coverage --------------------------------------------------------------------------------------------------------


def unplayed(cases: str) -> list[str]:
    loaded = pipeline.from_text(Source.of("yard", RULES + "cases:\n" + cases))
    assert not loaded.problems.errors and loaded.program is not None and loaded.world is not None
    told = coverage(loaded.program, loaded.world, None)
    return [one.message.split("`")[1] for one in told.problems]


@pytest.mark.parametrize(
    ("case", "left"),
    [
        ("{scene: brawl, rounds: 1, faces: [1], expect: {rounds: 1}}", ["tire", "press", "lonely"]),
        ("{scene: brawl, odds: {over: 1}}", ["tire", "press", "lonely"]),
        ("{action: hit, actor: ann, given: {foe: bo}, faces: [1], expect: {outcome: miss}}",
         ["tire", "press", "round_begins", "breathe", "lonely", "brawl"]),
        ("{mechanic: tire, given: {who: bo}, faces: [3], expect: {lost: 3}}",
         ["press", "round_begins", "breathe", "hurt", "lonely", "brawl", "hit"]),
        ("{first: [{event: lonely, faces: [1]}], mechanic: tire, given: {who: bo}, faces: [3], expect: {lost: 3}}",
         ["press", "round_begins", "breathe", "hurt", "brawl", "hit"]),
        ("{event: cry, faces: [1], expect: {loud: 1}}",
         ["tire", "press", "round_begins", "breathe", "fallen", "hurt", "lonely", "brawl", "hit"]),
    ],
)  # fmt: skip
def test_a_rule_that_a_case_may_come_to_is_played(case: str, left: list[str]) -> None:
    assert unplayed(f"  - {case.replace('{', '{name: one, ', 1)}\n") == left

"""Exact odds of rules that change what lasts: equal to plain enumeration, and their best answers to plain play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from enumeration import by_enumeration, start

import interpreter
from interpreter.api.game import Game
from interpreter.odds.brute_force import distinct_faces
from interpreter.odds.chance_choices import equally_likely_answers, legal_answers
from interpreter.odds.projection import value_at
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.runtime.state import State

ODDS = Path(__file__).parent / "lasting" / "odds.yaml"


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreter.load(ODDS)


def states(game: Game) -> dict[str, State]:
    ann = {"is": "hero", "essence": 1}
    bo = {"is": "hero", "essence": 0, "luck": 0}
    return {
        "fresh": game.state(ann=ann),
        "poor": game.state(ann={**ann, "luck": 0, "wounds": 2}, bo=bo),
        "friends": game.state(ann={**ann, "friends": ["bo"], "wounds": 1, "luck": 2}, bo=bo, pot={"coins": 4}),
    }


STATES = ("fresh", "poor", "friends")
ASKED = [
    ("check", ("outcome", "total"), {"who": "ann"}),
    ("twice", ("left", "hurts"), {"who": "ann"}),
    ("twice", ("two.outcome", "ready", "coins"), {"who": "ann"}),
    ("blocks", ("outcome", "coins"), {"who": "ann"}),
    ("blocks", ("all_luck",), {"who": "ann"}),
    ("caller", ("done.outcome", "hurts", "left"), {"who": "ann"}),
    ("burning", ("outcome", "left", "total"), {"who": "ann"}),
    ("making", ("many", "luck"), {"who": "ann"}),
    ("events.windfall", ("happened", "got.amount"), {"amount": 2}),
    ("events.injury", ("mark.after",), {"who": "ann"}),
    ("actions.gamble", ("outcome", "luck"), {"actor": "ann", "stake": 1}),
    ("aiming", ("hits",), {"who": "ann"}),
    ("aiming", ("best",), {"who": "ann"}),
    ("aiming", ("hits", "best"), {"who": "ann"}),
    ("aiming", ("total",), {"who": "ann"}),
    ("aiming", ("hits", "hits2"), {"who": "ann"}),
    ("aiming", ("best", "hits2", "best2"), {"who": "ann"}),
    ("moving", ("hits", "rows.inside"), {"who": "ann"}),
    ("moving", ("hits", "after"), {"who": "ann"}),
    ("moving", ("after", "each_seen"), {"who": "ann"}),
    ("moving", ("each_seen",), {"who": "ann"}),
    ("moving", ("hits", "shown_sum"), {"who": "ann"}),
    ("moving", ("shown_sum",), {"who": "ann"}),
    ("hiding", ("early", "then"), {"who": "ann"}),
    ("hiding", ("then",), {"who": "ann"}),
    ("hiding", ("final",), {"who": "ann"}),
    ("passing", ("sum_.amount", "end"), {"who": "ann"}),
    ("passing", ("met.seen", "end"), {"who": "ann"}),
    ("settling", ("start", "rest"), {"who": "ann"}),
    ("settling", ("end", "rest"), {"who": "ann"}),
]
ANSWERS: list[tuple[Mapping[str, Any], Any]] = [
    ({}, None),
    ({"use": True}, None),
    ({"share": True}, None),
    ({}, "random"),
]


def by_plain_play(
    game: Game, name: str, state: State, names: tuple[str, ...], given: Mapping[str, Any]
) -> dict[Any, Fraction]:
    """The same where every answer is left to chance, all of them being as likely."""
    begin = start(game, name, state, given)
    found: dict[Any, Fraction] = {}

    def go(history: tuple[Any, ...], weight: Fraction) -> None:
        walk, _ = begin()
        try:
            request = walk.send(None)
            for one in history:
                request = walk.send(one)
        except StopIteration as stop:
            key = tuple(value_at(stop.value, n) for n in names)
            found[key] = found.get(key, Fraction(0)) + weight
            return
        if isinstance(request, Choice):
            law = equally_likely_answers(request)
            for answer, ways in law:
                go((*history, answer), weight * Fraction(ways, sum(n for _, n in law)))
            return
        assert isinstance(request, ThrowRequest)
        rows: list[tuple[list[Any], Fraction]] = [([], weight)]
        for die in request.dice:
            rows = [([*f, face], w * Fraction(n, die.size)) for f, w in rows for face, n in distinct_faces(die)]
        for faces, chance in rows:
            go((*history, faces), chance)

    go((), Fraction(1))
    return found


@pytest.mark.parametrize("where", STATES)
@pytest.mark.parametrize(("name", "names", "given"), ASKED)
@pytest.mark.parametrize(("choices", "policy"), ANSWERS)
def test_odds_are_those_of_enumeration(
    game: Game, where: str, name: str, names: tuple[str, ...], given: Any, choices: Any, policy: Any
) -> None:
    if (name, where, policy) == ("twice", "friends", "random"):
        pytest.skip("too many histories for plain play")
    state = states(game)[where]
    try:
        expected = (
            by_plain_play(game, name, state, names, given)
            if policy
            else by_enumeration(game, name, state, names, given, game.answers(choices, None, None, game.reader(state)))
        )
    except interpreter.PlayError as refused:
        with pytest.raises(interpreter.PlayError) as also:
            game.odds(name, state=state, inputs=given, choices=choices, policy=policy).law(*names)
        assert also.value.diagnostic.code == refused.diagnostic.code
        return
    law = game.odds(name, state=state, inputs=given, choices=choices, policy=policy).law(*names)
    assert law.weights == expected
    assert law.missing == 0


@pytest.mark.parametrize("where", STATES)
@pytest.mark.parametrize(
    ("name", "goal", "given"),
    [
        ("check", "good", {"who": "ann"}),
        ("twice", "left", {"who": "ann"}),
        ("burning", "good", {"who": "ann", "need": 4}),
        ("burning", "left", {"who": "ann"}),
        ("actions.gamble", "luck", {"actor": "ann", "stake": 1}),
    ],
)
@pytest.mark.parametrize("least", [False, True])
def test_the_best_answers_are_those_of_plain_play(
    game: Game, where: str, name: str, goal: str, given: Any, least: bool
) -> None:
    if (name, where) == ("twice", "friends"):
        pytest.skip("too many histories for plain play")
    state = states(game)[where]
    begin = start(game, name, state, given)
    words = {word for of in [game.rule(name).type.field("outcome")] if of is not None for word in of.words}  # type: ignore[union-attr]

    def worth(record: Any) -> Fraction:
        return Fraction(int(value_at(record, "outcome") == goal if goal in words else value_at(record, goal) or 0))

    def value(history: tuple[Any, ...]) -> Fraction:
        walk, _ = begin()
        try:
            request = walk.send(None)
            for one in history:
                request = walk.send(one)
        except StopIteration as stop:
            return worth(stop.value)
        if isinstance(request, Choice):
            return (min if least else max)(value((*history, one)) for one in legal_answers(request))
        rows: list[tuple[list[Any], Fraction]] = [([], Fraction(1))]
        for die in request.dice:
            rows = [([*f, face], w * Fraction(n, die.size)) for f, w in rows for face, n in distinct_faces(die)]
        return sum((w * value((*history, f)) for f, w in rows), Fraction(0))

    try:
        expected = value(())
    except interpreter.PlayError:
        return
    odds = game.odds(name, state=state, inputs=given, **{"worst" if least else "best": goal})
    found = odds.outcomes[goal] if goal in words else _mean(odds, goal)
    assert found == expected


def _mean(odds: Any, goal: str) -> Fraction:
    return sum((Fraction(value or 0) * chance for (value,), chance in odds.law(goal).weights.items()), Fraction(0))


def test_a_million_ways_are_followed_by_their_states(game: Game) -> None:
    """`twice` has nearly a million ways to go; followed by states there are few."""
    state = states(game)["friends"]
    law = game.odds("twice", state=state, who="ann", policy="random").law("left", "hurts", "coins")
    assert sum(law.weights.values()) == 1
    assert len(law.weights) > 20


def test_simulation_agrees_with_odds(game: Game) -> None:
    pytest.importorskip("numpy")
    state = states(game)["friends"]
    for name, names, given in (ASKED[1], ASKED[3], ASKED[8], ASKED[10]):
        exact = game.odds(name, state=state, inputs=given, policy="random").law(*names)
        counted = game.simulate(name, state=state, inputs=given, policy="random", runs=4_000, seed=3, of=names)
        law = counted.law(*names)
        for value, chance in exact.weights.items():
            assert abs(float(law.weights.get(value, 0)) - float(chance)) < 0.04, (name, value)


def test_a_change_by_the_step_that_draws_counts_for_what_is_read_after_it() -> None:
    """`more` reads one number of the roll and changes what decides which other number is read later."""
    game = interpreter.loads("""\
ruleset: change
kinds: {hero: {has: {luck: {type: points, to: 9, starts: 3}}}}
mechanics:
  main:
    inputs: {who: {type: hero}}
    steps:
      thrown: {roll: 2d6}
      more:   {gain: 1, to: who.luck, if: highest(thrown) > 3}
      out:    "sum(thrown) if who.luck > 3 else lowest(thrown)"
""")
    law = game.odds("main", state={"ann": {"is": "hero"}}, inputs={"who": "ann"}).law("out").weights
    wanted: dict[tuple[int], Fraction] = defaultdict(Fraction)
    for one, other in product(range(1, 7), repeat=2):
        wanted[(one + other if max(one, other) > 3 else min(one, other),)] += Fraction(1, 36)
    assert law == wanted


def test_what_comes_of_things_in_another_order_is_not_merged_between_phases() -> None:
    """The values are equal thing by thing, but their first is another one."""
    game = interpreter.loads("""\
ruleset: lots
kinds: {runner: {has: {luck: {type: points, to: 3, starts: 2, seen_by: everybody}}}}
scenes:
  race:
    inputs: {runners: {list_of: runner}}
    steps:
      drawn: {order: runners, keys: {lots: random}}
      grid:  {for: one, among: drawn, each: {nth: "1"}}
    round:
      start: {steps: {lost: {for: one, among: runners, each: {less: {lose: 1, from: one.luck}}}}}
    outcomes: {over: scene.round == 1}
""")
    state = game.state({"ann": {"is": "runner"}, "bo": {"is": "runner"}})
    law = game.odds("race", state=state, inputs={"runners": ["ann", "bo"]}).law("grid")
    assert {str(key): share for (key,), share in law.weights.items()} == {
        "{ann: {nth: 1}, bo: {nth: 1}}": Fraction(1, 2),
        "{bo: {nth: 1}, ann: {nth: 1}}": Fraction(1, 2),
    }


KEPT = """ruleset: kept
kinds:
  hero: {has: {n: {type: number, default: 0}, held: {list_of: number, default: []}}}
  note: {has: {n: {type: number}}}
things: {hero: {ann: {}}}
events:
  blow: {inputs: {hard: {type: number}}, steps: {s: {set: ann.n, to: hard}}}
mechanics:
  m:
    steps:
      side: {roll: d2}
      x: {roll: d3, again: face == 2}
      DOES
      b: {roll: d2}
      u: READS + b
scenes:
  night:
    round:
      dusk:
        steps:
          side: {roll: d2}
          x: {roll: d3, again: face == 2}
          c: {cause: blow, with: {hard: x}, later: {rounds: 1}}
      dawn:
        steps:
          b: {roll: d2}
          over: {end: many, if: scene.round == 2 and ann.n + b > 4}
          less: {end: few, if: scene.round == 2}
    outcomes: {many: {}, few: {}}
    guard: 3
"""


@pytest.mark.parametrize(
    ("does", "reads"),
    [
        ("a: {set: ann.n, to: x, if: side == 1}\n      c: {set: ann.n, to: x + 0, if: side == 2}", "ann.n"),
        (
            "a: {add: x, to: ann.held, if: side == 1}\n      c: {add: x + 0, to: ann.held, if: side == 2}",
            "sum(ann.held)",
        ),
        ("made: {make: note, with: {n: x}}", "made.n"),
    ],
    ids=["a number", "a list", "a new thing"],
)
def test_states_may_hold_a_number_of_which_only_a_bound_is_known(does: str, reads: str) -> None:
    law = interpreter.loads(KEPT.replace("DOES", does).replace("READS", reads)).odds("m").law("u")
    assert law.missing < Fraction(1, 10**9)
    for total in range(2, 12):  # x is 1, 3, 3, 5, 5, …: two thirds of the way to the next throw each
        chance = sum((_chain(total - b) / 2 for b in (1, 2)), Fraction(0))
        assert law.weights.get((total,), 0) == chance


def _chain(total: int) -> Fraction:
    """The chance of a sum of a d3 that is thrown again after a 2: a number of twos, and then a 1 or a 3."""
    return sum((Fraction(1, 3) ** (twos + 1) for twos in range(8) if total - 2 * twos in (1, 3)), Fraction(0))


def test_an_event_to_come_may_hold_a_number_of_which_only_a_bound_is_known() -> None:
    law = (
        interpreter.loads(KEPT.replace("DOES", "c: {is: 1}").replace("READS", "x")).odds("scenes.night").law("outcome")
    )
    assert law.missing < Fraction(1, 10**9)
    few = sum((_chain(total - b) / 2 for b in (1, 2) for total in range(5)), Fraction(0))
    assert law.weights[("few",)] == few

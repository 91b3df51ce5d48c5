"""`choose: some` asks for no more than there is, by every way of answering."""

from __future__ import annotations

from itertools import product

import pytest
import yaml
from generated.hold import CHECKS, held

import interpreter
from interpreter.runtime.rng import SeededDice
from interpreter.values import Die

BOUNDS = {
    "least": ("least: 3", 3, 5),
    "least and most": ("least: 3, most: 4", 3, 4),
    "least above most": ("least: 3, most: 1", 1, 1),
    "least worked out": ("least: n + 2", 3, 5),
}
"""What is written, and with everything there the fewest and the most of an answer."""
AMONG = {
    "a list": ("among: 'first([7, 7, 8, 9], there)'", "[7, 7, 8, 9]"),
    "where": ("among: '[1, 2, 3, 4]', where: it <= there", "[1, 2, 3, 4]"),
    "dice": ("among: 'first(rolled, there)'", "rolled"),
}
"""What is chosen from, where so many are there, and what the first of it are the answer of the policy."""


def text_of(bounds: str, among: str) -> str:
    written, _, most = BOUNDS[bounds]
    chosen, whole = AMONG[among]
    return f"""\
ruleset: some
policies: {{all: {{picked: answer}}}}
mechanics:
  main:
    inputs: {{n: {{type: number, default: 1}}}}
    steps:
      there: {{roll: d3}}
      rolled: {{roll: 4d2}}
      answer: "first({whole}, min(there, {most}))"
      picked: {{choose: some, {chosen}, {written}}}
      many: count(picked)
"""


def wanted(bounds: str, there: int) -> tuple[int, int]:
    _, fewest, most = BOUNDS[bounds]
    return min(fewest, there), min(most, there)


@pytest.mark.parametrize(("bounds", "among"), [*product(BOUNDS, AMONG)])
def test_a_form_asks_for_no_more_than_there_is(bounds: str, among: str) -> None:
    game = interpreter.loads(text_of(bounds, among))
    for there in (1, 2, 3):
        session = game.begin("main", seed=seed_that_throws(there))
        request = session.host.requests[0]
        fewest, most = wanted(bounds, there)
        assert (request.least, request.most) == (fewest, most)
        session.host.answer(request.id, list(request.options)[:fewest])
        assert session.over


def seed_that_throws(there: int) -> int:
    """A seed whose first die shows this."""
    return next(seed for seed in range(100) if SeededDice(seed).throw([Die(3)]) == [there])


@pytest.mark.parametrize(("bounds", "among"), [*product(BOUNDS, AMONG)])
def test_a_policy_is_held_to_what_is_there_by_every_way_of_answering(bounds: str, among: str) -> None:
    tree = {"game": yaml.load(text_of(bounds, among), yaml.BaseLoader), "asked": [{"rule": "main", "policy": "all"}]}
    verdict = held(
        yaml.safe_dump(tree, sort_keys=False), checks={name: CHECKS[name] for name in CHECKS if name != "cases"}
    )
    assert verdict.kind == "agreed" and verdict.held["held: exact odds"] == 1, verdict


@pytest.mark.parametrize("bounds", BOUNDS)
def test_the_best_answer_is_found_among_what_is_there(bounds: str) -> None:
    game = interpreter.loads(text_of(bounds, "where"))
    best = game.odds("main", best="many").law("many")
    assert set(best.weights) == {(wanted(bounds, there)[1],) for there in (1, 2, 3)}

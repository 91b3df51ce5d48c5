"""A payment or an offer that was answered beforehand and not asked for: the reason is told where the run shows it."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.diagnostics import PlayError

GAME = """\
ruleset: market
kinds:
  hero: {has: {gold: {type: points, from: 0, to: 9, starts: 5}}}
actions:
  rest: {actor: hero, steps: {slept: 1}}
  shop:
    actor: hero
    inputs: {rich: {type: yes_no, default: no}}
    steps:
      PLACE
"""
FEE = "fee: {pay: 2, from: actor.gold, may_refuse: yes, if: rich}"
REASONS = {
    "a payment": (FEE, "fee", "yes", "`fee` runs only if `rich`"),
    "an inner payment": (f"inner: {{steps: {{{FEE}}}}}", "inner.fee", "yes", "`fee` runs only if `rich`"),
    "an offer": ("rested: {offer: [rest], to: actor, if: rich}", "rested", "rest", "`rested` runs only if `rich`"),
}


@pytest.mark.parametrize("name", REASONS)
def test_a_step_that_was_skipped_is_the_reason(name: str) -> None:
    steps, key, answer, reason = REASONS[name]
    game = interpreter.loads(GAME.replace("PLACE", steps))
    with pytest.raises(PlayError) as error:
        game.act(game.state(ann={"is": "hero"}), "shop", actor="ann", seed=1, choices={key: answer, "rich": False})
    assert error.value.diagnostic.message == f"`{key}` was never asked: {reason}"


def test_no_reason_is_made_up_for_a_price_of_nothing() -> None:
    game = interpreter.loads(GAME.replace("PLACE", FEE.replace("pay: 2", "pay: 0")))
    with pytest.raises(PlayError) as error:
        game.act(game.state(ann={"is": "hero"}), "shop", actor="ann", seed=1, choices={"fee": "yes", "rich": True})
    assert error.value.diagnostic.message == "`fee` was never asked"

"""Turns, offers, and the rules that steps of a scene lead to are followed by the engine: the odds are those of paths
through everything that `play` does."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from generated.limits import within_limits
from marks import thorough

import interpreter
from interpreter.api import exact_odds
from interpreter.api.game import Game
from interpreter.ir.rule_graph import rules_in_circles, rules_with_dice

RULES = """
ruleset: followed
kinds:
  hero:
    has:
      hp:   {type: points, to: 6, starts: 3, when_empty: {falls: {set: owner.out, to: yes}}}
      luck: {type: points, to: "1 + hp", starts: 1}
      moves: {type: points, to: 2, starts: 2, lasts: turn}
      out: {type: yes_no, default: no}
      sore: {list_of: number, default: []}
events:
  harm:
    inputs: {target: hero, amount: number}
    steps:
      soak: {roll: d2}
      hurt: {lose: "max(0, amount - soak)", from: target.hp}
    outcomes: {deep: hurt.amount > 1, light: otherwise}
  calm: {inputs: {who: hero}, steps: {rest: {gain: 1, to: who.luck}}}
  omen: {inputs: {who: hero}, steps: {die: {roll: d2}, blessed: {gain: die - 1, to: who.luck}}}
  {between}
actions:
  strike:
    actor: hero
    inputs: {target: {type: hero, where: it is not actor}}
    requires: {stands: target.hp > 0}
    steps:
      blow: {roll: 2d3}
      deep: {cause: harm, with: {target: target, amount: highest(blow)}}
    outcomes: {hit: (deep.outcome otherwise light) is deep, scratch: otherwise}
  feint: {actor: hero, cost: {moves: 1}, steps: {die: {roll: d3}, lucky: {gain: 1, to: actor.luck, if: die == 3}}}
  pray:  {actor: hero, at_most: {times: 1, per: round}, steps: {asked: {cause: omen, with: {who: actor}}}}
  flail: {actor: hero, cost: {hp: 1}, steps: {die: {roll: d2}, tired: {end: spent, if: die == 2}, on: 2},
          outcomes: {spent: {if: die == 1}, wild: otherwise}}
reactions: {reactions}
mechanics:
  luck:
    inputs: {who: hero}
    steps: {die: {roll: 2d2}, high: highest(die) + who.luck, both: {steps: {most: high, least: lowest(die)}}}
  own_move: {inputs: {who: hero}, steps: {own: {turn: who, steps: {tries: {offer: [pray], to: who}}}}}
scenes:
  brawl:
    inputs: {ann: hero, bo: hero}
    round:
      fight:
        steps:
          {steps}
    guard: {guard}
    outcomes: {lost: ann.hp == 0, won: bo.hp == 0}
policies: {bold: {tries: pray{bold}}}
"""

STEPS = {
    "an event with dice": ["hit: {cause: harm, with: {target: bo, amount: 3}}"],
    "an event, of which something is read": [
        "hit: {cause: harm, with: {target: bo, amount: 3}}",
        "more: {lose: hit.hurt.amount otherwise 1, from: ann.hp, if: (hit.outcome otherwise light) is light}",
    ],
    "an event without dice": ["rest: {cause: calm, with: {who: ann}}"],
    "an action": [
        "hit: {act: strike, with: {actor: ann, target: bo}}",
        "back: {lose: 1, from: ann.hp, if: hit.outcome is hit}",
    ],
    "a price that fills nothing": ["one: {act: flail, with: {actor: ann}}", "two: {act: flail, with: {actor: bo}}"],
    "an offer": ["does: {offer: [strike, feint], to: ann, most: 2}"],
    "an offer, of which something is read": [
        "does: {offer: [feint, pray], to: ann, most: 3}", "paid: {lose: count(does), from: bo.hp}",
    ],
    "a turn": ["own: {turn: ann, steps: {does: {offer: [strike, feint], to: ann, most: 1}}}"],
    "a turn each": [
        "each_one: {for: one, among: '[ann, bo]', where: it.hp > 0, each: {own: {turn: one, steps:"
        " {does: {offer: [strike], to: one, most: 1}}}}}"
    ],
    "what a turn results in": [
        "own: {turn: ann, steps: {die: {roll: d3}, more: {gain: 1, to: ann.luck, if: die == 3}}}",
        "worn: {lose: own.die, from: bo.hp}",
    ],
    "an end in a turn": [
        "own: {turn: ann, steps: {die: {roll: d3}, out: {end: won, if: die == 3}, x: {lose: 1, from: bo.hp}}}"
    ],
    "points of a turn": [
        "own: {turn: ann, steps: {a: {act: feint, with: {actor: ann}}, b: {lose: ann.moves, from: bo.hp}}}",
        "left: {lose: ann.moves, from: bo.hp}",
    ],
    "a mechanic with a turn": ["moves: {call: own_move, with: {who: ann}}", "tried: {lose: ann.luck, from: bo.hp}"],
    "a mechanic that reads things": [
        "tried: {call: luck, with: {who: ann}}",
        "paid: {lose: tried.both.most, from: bo.hp}",
    ],
    "passes": ["some: {repeat: 2, each: {hit: {cause: harm, with: {target: bo, amount: 2}}}}"],
    "stages that an event begins": [
        "told: {start: {cause: harm, with: {target: bo, amount: 3}}, then: {same: told}}",
        "more: {lose: told.hurt.amount otherwise 1, from: ann.hp, if: (told.outcome otherwise light) is light}",
    ],
    "a stage that is an action": [
        "told: {start: {act: strike, with: {actor: ann, target: bo}}, then: {again: {act: strike, with: {actor: bo,"
        " target: ann}}, same: told}}",
        "more: {lose: 1, from: ann.hp, if: (told.deep.outcome otherwise light) is light}",
    ],
    "throws that cause events": [
        "some: {roll: 2d2, each: {hit: {cause: harm, with: {target: bo, amount: face}}, deep: (hit.outcome otherwise"
        " light) is deep}}",
        "more: {lose: count(some.deep), from: ann.hp}",
    ],
    "elements that last for a turn": [
        "own: {turn: ann, steps: {die: {roll: d2}, sore: {add: die, to: bo.sore, lasts: turn}}}",
        "worn: {lose: sum(bo.sore), from: ann.hp}",
    ],
}  # fmt: skip

BETWEEN = {
    "when a turn begins": "turn_begins: {inputs: {who: hero}, steps: {d: {roll: d2}, more: {gain: d, to: who.luck}}}",
    "when a turn ends": "turn_ends: {inputs: {who: hero}, steps: {d: {roll: d2}, less: {lose: d - 1, from: who.hp}}}",
}

REACTIONS = {
    "a reaction before": (
        "{duck: {before: harm, automatic: yes, actor: {type: hero, among: '[event.target]'}, requires:"
        " {has: actor.luck > 0}, cost: {luck: 1}, steps: {d: {roll: d2}, less: {change: {amount: event.amount - d}}}}}"
    ),
    "a reaction that cancels": (
        "{duck: {before: harm, automatic: yes, actor: {type: hero, among: '[event.target]'}, steps:"
        " {die: {roll: d2}, out: {cancel: event, if: die == 1}}}}"
    ),
    "a reaction after": (
        "{curse: {after: harm, automatic: yes, actor: {type: hero, among: '[event.target]'}, steps:"
        " {die: {roll: d2}, worse: {lose: 1, from: actor.luck, if: event.outcome is deep and event.soak < die}}}}"
    ),
    "a reaction that somebody decides": (
        "{duck: {before: harm, actor: {type: hero, among: '[event.target]'}, steps: {less: {change: {amount: 1}}}}}"
    ),
    "a reaction that causes it again": (
        "{echo: {after: harm, automatic: yes, actor: {type: hero, among: '[event.target]', where: it.luck > 0},"
        " cost: {luck: 1}, steps: {die: {roll: d2}, again: {cause: harm, with: {target: actor, amount: die}}}}}"
    ),
}

NAMES = ("rounds", "ann.hp", "bo.hp", "ann.luck", "bo.out")
CASES = [(steps, "", "") for steps in STEPS]
CASES += [(steps, between, "") for between in BETWEEN for steps in ("a turn", "a turn each", "a mechanic with a turn")]
CASES += [
    (steps, "", one) for one in REACTIONS for steps in ("an event, of which something is read", "an action", "a turn")
]


def followed(steps: str, between: str = "", reaction: str = "") -> Game:
    text = RULES.replace("{steps}", "\n          ".join(STEPS[steps]))
    offers = re.findall(r"offer: (\[[\w, ]+\])", text.partition("scenes:")[2])
    text = text.replace("{bold}", "".join([f', does: "{one}"' for one in offers]))
    text = text.replace("{guard}", "1" if between else "2")
    text = text.replace("{between}", BETWEEN.get(between, "")).replace("{reactions}", REACTIONS.get(reaction, "{}"))
    return interpreter.loads(text.replace("reactions: {}\n", ""))


def laws(game: Game, policy: str | None) -> list[Any]:
    state = {"ann": {"is": "hero"}, "bo": {"is": "hero", "hp": 4, "luck": 0}}
    odds = game.odds("scenes.brawl", ann="ann", bo="bo", state=state, policy=policy)
    return [odds.law(*names).weights for names in (("rounds",), ("rounds", "bo.hp"), NAMES)]


@pytest.mark.parametrize("policy", ["bold", "random"])
@pytest.mark.parametrize(
    ("steps", "between", "reaction"), thorough(CASES, lambda *case: CASES.index(case) % 4 > 0, every=4)
)
def test_what_steps_lead_to_is_followed_as_it_is_played(
    steps: str, between: str, reaction: str, policy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = laws(followed(steps, between, reaction), policy)
    monkeypatch.setattr(exact_odds, "dice_may_outlast_phase", lambda *_: True)  # phases are enumerated
    assert found == laws(followed(steps, between, reaction), policy)


def test_rules_that_may_lead_to_themselves_are_known() -> None:
    alone = followed("a turn").program
    assert rules_in_circles(alone) == frozenset()
    echo = followed("an action", "", "a reaction that causes it again").program
    assert rules_in_circles(echo) == {"events.harm", "reactions.echo"}
    with_dice = rules_with_dice(alone)
    assert {"events.harm", "actions.strike", "actions.pray", "mechanics.own_move"} <= with_dice
    assert "events.calm" not in with_dice


MELEE = """
ruleset: melee
kinds: {fighter: {has: {life: {type: points, to: 20, starts: 12}, side: {one_of: [us, them]}}}}
events: {harm: {inputs: {target: fighter, amount: number}, steps: {hurt: {lose: amount, from: target.life}}}}
actions:
  strike:
    actor: fighter
    inputs: {target: {type: fighter, where: it.side is not actor.side and it.life > 0}}
    steps:
      hits:  {roll: d20}
      deals: {roll: 2d6}
      done:  {cause: harm, with: {target: target, amount: sum(deals)}, if: hits >= 11}
scenes:
  melee:
    inputs: {fighters: {list_of: fighter}}
    round:
      blows:
        steps:
          everybody:
            for: one
            among: fighters
            where: it.life > 0
            each: {own: {turn: one, steps: {does: {offer: [strike], to: one, most: 1}}}}
    outcomes:
      won:  count(fighters where it.side is them and it.life > 0) == 0
      lost: count(fighters where it.side is us and it.life > 0) == 0
policies: {bold: {does: strike}}
"""


@cache
def won(ours: int, theirs: int) -> Fraction:
    """The chance that the first of two wins; a round without a hit changes nothing."""
    blows = {0: Fraction(1, 2)}
    for first in range(1, 7):
        for second in range(1, 7):
            blows[first + second] = blows.get(first + second, Fraction(0)) + Fraction(1, 72)
    found = Fraction(0)
    for blow, likely in blows.items():
        if blow >= theirs:
            found += likely
            continue
        for back, as_likely in blows.items():
            if back < ours and (blow or back):
                found += likely * as_likely * won(ours - back, theirs - blow)
    return found / (1 - blows[0] ** 2)


@pytest.mark.parametrize(("ours", "theirs"), thorough([(5, 9), (12, 12), (14, 14)], lambda ours, _: ours == 14))
def test_a_fight_of_turns_and_actions_ends_as_the_recursion_says(ours: int, theirs: int) -> None:
    game = interpreter.loads(MELEE)
    state = {
        "ann": {"is": "fighter", "side": "us", "life": ours},
        "bo": {"is": "fighter", "side": "them", "life": theirs},
    }
    with within_limits():
        odds = game.odds("scenes.melee", fighters=["ann", "bo"], state=state, policy="bold")
        found, missing = odds.outcomes["won"], odds.missing
    assert 0 <= won(ours, theirs) - found <= missing < Fraction(1, 10**14)


WHOLE = """
ruleset: whole
events:
  noise:
    inputs: {loud: number}
    steps: {heard: loud + 1, echo: {roll: d2}}
    outcomes: {heard_well: echo == 2, missed: otherwise}
mechanics: {main: {steps: {told: {TOLD}}}}
"""


@pytest.mark.parametrize(
    "told",
    [
        "{cause: noise, with: {loud: 2}}",
        "{start: {cause: noise, with: {loud: 2}}, then: {same: told}}",
        "{start: {cause: noise, with: {loud: 1}}, then: {louder: {cause: noise, with: {loud: told.heard}}}}",
    ],
)
def test_all_that_an_event_results_in_is_known_where_it_is_read(told: str) -> None:
    law = interpreter.loads(WHOLE.replace("{TOLD}", told)).odds("main").of("told")
    ends = {1: "missed", 2: "heard_well"}
    assert law == {
        f"{{heard: 3, echo: d2: {face}, outcome: {outcome}, happened: yes}}": Fraction(1, 2)
        for face, outcome in ends.items()
    }


RULES_ASKED: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "actions.strike": ({"actor": "ann", "target": "bo"}, ("outcome", "deep.outcome")),
    "actions.flail": ({"actor": "ann"}, ("outcome",)),
    "actions.pray": ({"actor": "bo"}, ()),
    "events.harm": ({"target": "bo", "amount": 3}, ("outcome", "soak")),
    "events.omen": ({"who": "ann"}, ("die",)),
    "mechanics.own_move": ({"who": "ann"}, ()),
    "mechanics.luck": ({"who": "ann"}, ("high",)),
}


@pytest.mark.parametrize("reaction", ["", *REACTIONS])
@pytest.mark.parametrize("rule", RULES_ASKED)
def test_what_a_rule_leaves_is_followed_as_it_is_played(
    rule: str, reaction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given, names = RULES_ASKED[rule]
    state = {"ann": {"is": "hero"}, "bo": {"is": "hero", "hp": 1, "luck": 1}}

    def laws() -> list[Any]:
        odds = followed("a turn", "", reaction).odds(rule, state=state, policy="bold", inputs=given)
        asked = (("bo.hp",), ("ann.hp", "bo.luck"), ("bo.out", "ann.moves", *names))
        return [odds.law(*one).weights for one in asked]

    found = laws()
    monkeypatch.setattr(exact_odds, "dice_last", lambda _: True)  # every path is followed
    assert found == laws()


@pytest.mark.parametrize("dice", ["8d6 & 2d8", "60d6"])
def test_many_dice_leave_what_they_come_to(dice: str) -> None:
    text = MELEE.replace("deals: {roll: 2d6}", f"deals: {{roll: {dice}}}").replace("to: 20", "to: 1000")
    state = {"ann": {"is": "fighter", "side": "us"}, "bo": {"is": "fighter", "side": "them", "life": 600}}
    odds = interpreter.loads(text).odds("strike", state=state, actor="ann", target="bo")
    left = odds.of("bo.life")
    assert sum(left.values()) == 1 and left[600] == Fraction(1, 2)
    sums = interpreter.loads(f"ruleset: sums\nmechanics: {{one: {{steps: {{x: {{roll: {dice}}}, y: sum(x)}}}}}}")
    assert {600 - life: 2 * chance for life, chance in left.items() if life < 600} == sums.odds("one").of("y")

"""What two newcomers met who wrote four games from the pages: stated types, empty lists, defaults of scenes."""

from __future__ import annotations

import pytest

import interpreter
from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.diagnostics.source import Source
from interpreter.testing.cases import Trial, cases_of

COLOURS = """
ruleset: cup
names: {colour: [green, red]}
ladders: {result: [bad, good]}
mechanics:
  draw:
    inputs: {fresh: {list_of: colour}}
    steps:
      throws:
        repeat: 2
        carry: {hand: HAND}
        each:
          now:    hand & fresh
          greens: count(now where it is green)
          hand:   {list_of: colour, is: now}
      all_greens: sum(throws.greens)
  judge:
    steps: {die: {roll: d6}}
    outcomes: {good: die > 3, bad: otherwise}
  both:
    steps:
      one: {call: judge}
      of:  {type: result, is: one.outcome}
      held: {list_of: colour, is: []}
      reds: count(held where it is red)
    outcomes: {better: of > bad, worse: otherwise}
"""


@pytest.mark.parametrize("hand", ["[]", "no_hand"])
def test_an_empty_list_is_one_of_any_words(hand: str) -> None:
    text = COLOURS.replace("HAND", hand)
    if hand == "no_hand":
        text = text.replace("      throws:\n", "      no_hand: {list_of: colour, is: []}\n      throws:\n")
    result = interpreter.loads(text).roll("draw", fresh=["green", "red", "green"])
    assert result.values["all_greens"] == 6


def test_a_stated_type_gives_words_their_order() -> None:
    game = interpreter.loads(COLOURS.replace("HAND", "[]"))
    assert game.odds("both").outcomes["better"] == game.odds("judge").outcomes["good"]


def test_a_stated_type_that_does_not_fit_is_told() -> None:
    text = COLOURS.replace("HAND", "[]").replace("{type: result, is: one.outcome}", "{type: colour, is: one.outcome}")
    loaded = pipeline.from_text(Source.of("cup.yaml", text))
    assert [one.code for one in loaded.problems.errors][:1] == ["HR306"]


SIEGE = """
ruleset: siege
names: {zone: [close, far]}
kinds: {man: {has: {life: {type: points, starts: 9}}}}
mechanics:
  aim: {steps: {range: "2 if scene.range is far else 1"}}
actions:
  shoot:
    actor: man
    steps: {hurt: {lose: "2 if scene.range is far else scene.wind", from: actor.life}}
scenes:
  fight:
    inputs:
      men:   {list_of: man, default: []}
      many:  {type: number, default: count(men)}
      range: {type: zone, default: far if many > 0 else close}
    has: {wind: {type: number, default: 3}}
    round: {only: {steps: {x: {is: 1}}}}
    outcomes: {done: any(men where it.life == 0)}
cases:
  - name: the default of an input
    action: shoot
    actor: ann
    scene: fight
    before: {ann: {is: man}, scene: {men: [ann]}}
    after: {ann.life: 7}
  - name: what is given, and what the scene has
    action: shoot
    actor: ann
    scene: fight
    before: {ann: {is: man}, scene: {men: [ann], range: close}}
    after: {ann.life: 6}
  - name: a default that follows from a default
    action: shoot
    actor: ann
    scene: fight
    before: {ann: {is: man}, scene: {}}
    after: {ann.life: 6}
"""


def test_a_scene_that_is_under_way_has_the_defaults_of_its_inputs() -> None:
    loaded = pipeline.from_text(Source.of("siege.yaml", SIEGE))
    assert loaded.program and loaded.world
    trial = Trial(Game(loaded.program, loaded.world))
    assert [trial.run(case).failures for case in cases_of(loaded.world.cases)] == [(), (), ()]


HIT = """
ruleset: hit
kinds: {hero: {has: {hp: {type: points, to: 9, starts: 4}}}}
actions:
  hit:
    actor: hero
    inputs: {aid: {one_of: [AIDS], default: alone}}
    requires: {ok: actor.hp > 3 or aid is not alone}
    steps: {with_it: aid, r: {roll: d6}}
    outcomes: {good: r > 3, bad: otherwise}
"""


def test_a_default_that_is_refused_is_not_taken() -> None:
    """The only answer that is left is taken, as of every choice; of several, somebody decides."""
    game = interpreter.loads(HIT.replace("AIDS", "alone, push"))
    hurt = game.state(ann={"is": "hero", "hp": 2})
    assert game.act(hurt, "hit", actor="ann", faces=[4]).values["with_it"] == "push"
    several = interpreter.loads(HIT.replace("AIDS", "alone, push, burn"))
    with pytest.raises(interpreter.PlayError, match="must decide `aid`"):
        several.act(several.state(ann={"is": "hero", "hp": 2}), "hit", actor="ann", faces=[4])
    assert several.act(several.state(ann={"is": "hero"}), "hit", actor="ann", faces=[4]).values["with_it"] == "alone"

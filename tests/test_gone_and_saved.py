"""What is gone does nothing more, and what is saved is read again: dice in lists, marks, things that were destroyed."""

from __future__ import annotations

import pytest

import interpreter
from interpreter.diagnostics import PlayError


def test_a_list_of_dice_is_replayed_and_resumed() -> None:
    played = interpreter.loads(
        "ruleset: dice\nmechanics:\n"
        "  one: {inputs: {dice: {list_of: die}}, steps: {rolled: {roll: d2}, n: count(dice)}}\n"
    )
    for dice in (["d6"], ["d8", "d6"]):
        result = played.roll("one", dice=dice, seed=1)
        assert played.replay(result.to_json()).values == result.values
        session = played.begin("one", seed=1, inputs={"dice": dice})
        assert played.resume(session.to_json()).result is not None
    assert played.roll("one", dice="[d8, d6]", seed=1).values["n"] == 2


GONE = """ruleset: gone
kinds:
  hero: {has: {hp: {type: points, starts: 5, when_empty: {falls: {destroy: owner}}}}}
  log: {one: yes, has: {seen: {list_of: hero, default: []}}}
events:
  bang: {inputs: {maker: {type: hero}}}
reactions:
  answer:
    after: bang
    actor: {type: hero, where: it.hp > 0}
    automatic: yes
    steps: {out: {destroy: event.maker}, noted: {add: actor, to: log.seen}}
actions:
  boom: {actor: {type: hero}, at_most: {times: 1, per: round}, cost: {hp: 1}}
scenes:
  fight:
    inputs: {who: {type: hero}}
    round: {first: {steps: {it_bangs: {cause: bang, with: {maker: who}}, over: {end: done}}}}
    outcomes: {done: {}}
"""


def test_a_thing_that_a_reaction_destroyed_does_not_react() -> None:
    played = interpreter.loads(GONE)
    state = played.state({"ann": {"is": "hero"}, "bo": {"is": "hero"}})
    result = played.cause(state, "bang", maker="bo")
    assert [one.id for one in result.state.things["log"].values["seen"]] == ["ann"]
    assert played.state(played.to_json(result.state)) == result.state
    assert played.simulate("scenes.fight", runs=5, seed=1, state=state, who="bo").law("outcome").weights == {
        ("done",): 1
    }


def test_an_action_whose_price_destroys_the_actor_leaves_no_mark() -> None:
    played = interpreter.loads(GONE)
    result = played.act(played.state({"ann": {"is": "hero", "hp": 1}}), "boom", actor="ann")
    assert result.state.marks == ()
    assert played.state(played.to_json(result.state)) == result.state


STAGES = """ruleset: stages
kinds: {hero: {has: {luck: {type: points, to: 3}}}}
events:
  bang: {inputs: {numbers: {list_of: number, among: "[1, 2]"}}}
  pick:
    inputs: {who: {type: hero}}
    steps:
      taken:
        start: "[1, 2, 3]"
        then: {some: {choose: some, among: "[1, 2, 3, 4]", by: who, least: count(taken), default: "[1]"}}
scenes:
  bangs:
    inputs: {who: {type: hero}}
    round: {first: {steps: {die: {roll: d2}, it_bangs: {cause: bang, with: {numbers: "[die, 2]"}}, over: {end: done}}}}
    outcomes: {done: {}}
  picks:
    inputs: {who: {type: hero}}
    round: {first: {steps: {it_picks: {cause: pick, with: {who: who}}, over: {end: done}}}}
    outcomes: {done: {}}
"""


@pytest.mark.parametrize("scene", ["bangs", "picks"])
def test_simulations_play_nothing_that_play_refuses(scene: str) -> None:
    played = interpreter.loads(STAGES)
    state = played.state({"ann": {"is": "hero"}})
    with pytest.raises(PlayError, match=r"HR620|HR656"):
        for seed in range(9):
            played.play(scene, seed=seed, state=state, who="ann")
    with pytest.raises(PlayError, match=r"HR620|HR656"):
        played.simulate(f"scenes.{scene}", runs=30, seed=1, state=state, who="ann")


LATER = """ruleset: later
kinds:
  torch: {has: {n: {type: number, default: 1}}}
  hero: {has: {bag: {list_of: torch, default: []}}}
events:
  bang: {inputs: {what: {list_of: torch}}, steps: {many: count(what)}}
mechanics:
  one:
    inputs: {who: {type: hero}, what: {type: torch}}
    steps:
      kept: {add: what, to: who.bag, lasts: round}
      soon: {cause: bang, with: {what: "[what]"}, later: round}
      gone: {destroy: what}
      left: count(who.bag)
"""


def test_what_is_still_to_happen_forgets_what_is_gone() -> None:
    played = interpreter.loads(LATER)
    state = played.state({"ann": {"is": "hero"}, "lamp": {"is": "torch"}})
    result = played.roll("one", state=state, who="ann", what="lamp", seed=1)
    assert result.values["left"] == 0 and result.state.timers == ()
    assert played.state(played.to_json(result.state)) == result.state
    assert [one.given for one in result.state.pending] == [(("what", ()),)]

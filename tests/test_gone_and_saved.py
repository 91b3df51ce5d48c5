"""What is gone does nothing more, and what is saved is read again: dice in lists, marks, things that were destroyed."""

from __future__ import annotations

from fractions import Fraction

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


TIMERS = """ruleset: timers
kinds: {hero: {has: {age: {type: number, default: 0}, marks: {list_of: number, default: []}}}}
scenes:
  fight:
    inputs: {who: {type: hero}}
    round:
      first:
        steps:
          lit: {add: 3, to: who.marks, lasts: round, if: who.age == 0}
          out: {REMOVED, if: who.age == 0}
          again: {add: 3, to: who.marks, if: who.age == 0}
          left: count(who.marks)
          over: {end: done, if: who.age == 1 and left == 1}
          or_else: {end: lost, if: who.age == 1}
          older: {set: who.age, to: 1}
    outcomes: {done: {}, lost: {}}
"""


@pytest.mark.parametrize(
    "removed", ["remove: 3, from: who.marks", "take: 3, from: who.marks", 'set: who.marks, to: "[]"']
)
def test_no_timer_outlives_its_element(removed: str) -> None:
    played = interpreter.loads(TIMERS.replace("REMOVED", removed))
    state = played.state({"ann": {"is": "hero"}})
    for seed in range(2):
        assert played.play("fight", state=state, seed=seed, who="ann").outcome == "done"
    assert played.simulate("scenes.fight", runs=3, seed=1, state=state, who="ann").law("outcome").weights == {
        ("done",): 1
    }
    assert played.odds("scenes.fight", state=state, who="ann").law("outcome").weights == {("done",): 1}


BOUNDS = """ruleset: bounds
kinds:
  wall: {has: {height: {type: number, default: 2}}}
  hero:
    has:
      age: {type: number, default: 0}
      wall: {type: wall, optional: yes}
      room: {type: number, default: 3, lasts: round}
      shade: {list_of: number, default: []}
      most: {type: points, to: 9, starts: full, lasts: round}
      size: {type: points, to: most + room, starts: 1}
      length: {type: points, to: size, starts: 1}
      dark: {type: points, to: count(shade), starts: 0}
      cover: {type: points, to: 1 + (wall.height otherwise 0), starts: 1}
scenes:
  fight:
    inputs: {who: {type: hero}}
    round:
      first:
        steps:
          grow: {set: who.room, to: 9, if: who.age == 0}
          sizes: {gain: 90, to: who.size, if: who.age == 0}
          lengths: {gain: 90, to: who.length, if: who.age == 0}
          shade: {add: 1, to: who.shade, lasts: round, if: who.age == 0}
          dark: {gain: 1, to: who.dark, if: who.age == 0}
          covers: {gain: 9, to: who.cover, if: who.age == 0}
          long: {end: wrong, if: who.age == 0 and (who.length != 18 or who.dark != 1 or who.cover != 3)}
          out: {destroy: who.wall, if: given(who.wall)}
          short: {end: wrong, if: who.cover != 1}
          right: {end: done, if: who.age == 1 and who.length == 12 and who.size == 12 and who.dark == 0}
          or_else: {end: wrong, if: who.age == 1}
          older: {set: who.age, to: 1}
    outcomes: {done: {}, wrong: {}}
"""


def test_points_stay_within_bounds_that_a_span_or_a_destroyed_thing_moves() -> None:
    played = interpreter.loads(BOUNDS)
    state = played.state({"ann": {"is": "hero", "wall": "gate"}, "gate": {"is": "wall"}})
    result = played.play("fight", state=state, seed=1, who="ann")
    assert result.outcome == "done"
    assert played.state(played.to_json(result.state)) == result.state
    law = {("done",): 1}
    assert played.simulate("scenes.fight", runs=3, seed=1, state=state, who="ann").law("outcome").weights == law
    assert played.odds("scenes.fight", state=state, who="ann").law("outcome").weights == law


NAMED = """ruleset: named
names: {hand: [left, right]}
kinds:
  torch: {has: {n: {type: number, default: 1}}}
  hero:
    has:
      arm: {type: torch, default: lamp}
      second: torch
      held: {type: torch, per: hand, default: lamp}
      called: {type: text, optional: yes}
      bag: {list_of: torch, default: [], least: 1}
      top: {type: number, default: 5}
      low: {type: number, to: top, default: 0}
      size: {type: number, where: it <= top, default: 0}
      one_of_bag: {type: torch, optional: yes, among: bag}
things: {torch: {lamp: {}}}
events:
  hit: {inputs: {amount: {type: number, from: 1}, most: {type: number, default: 9}}, steps: {more: amount + 1}}
reactions:
  shield: {before: hit, actor: {type: hero}, automatic: yes, steps: {less: {change: {amount: event.amount - 3}}}}
actions:
  fall: {actor: {type: hero}, steps: {gone: {destroy: actor}}}
mechanics:
  burn: {inputs: {what: {type: torch}}, steps: {gone: {destroy: what}}}
  names: {inputs: {who: {type: hero}}, steps: {called: {set: who.called, to: {text: none}}}}
  sinks:
    inputs: {who: {type: hero}}
    steps: {a: {set: who.low, to: 5}, b: {set: who.size, to: 5}, c: {set: who.top, to: 2}}
  drops:
    inputs: {who: {type: hero}, what: {type: torch}}
    steps: {a: {set: who.one_of_bag, to: what}, b: {remove: what, from: who.bag}}
  remade:
    inputs: {spare: {type: torch}, what: {type: text, default: lamp}}
    steps: {gone: {destroy: lamp}, new: {make: hero, named: what, with: {second: spare, bag: "[spare]"}}}
  reads_arm: {inputs: {who: {type: hero}}, steps: {n: {roll: d2}, x: who.arm.n}}
  reads_second: {inputs: {who: {type: hero}}, steps: {n: {roll: d2}, x: who.second is lamp}}
  reads_held: {inputs: {who: {type: hero}}, steps: {n: {roll: d2}, x: who.held(left).n}}
  reads_gone: {steps: {out: {destroy: lamp}, n: {roll: d2}, x: lamp.n}}
  sets_gone: {inputs: {who: {type: hero}}, steps: {out: {destroy: lamp}, n: {roll: d2}, x: {set: who.second, to: lamp}}}
  adds_gone: {inputs: {who: {type: hero}}, steps: {out: {destroy: lamp}, n: {roll: d2}, x: {add: lamp, to: who.bag}}}
  strikes: {inputs: {force: {type: number}}, steps: {n: {roll: d2}, x: {cause: hit, with: {amount: force}}}}
  falls: {inputs: {who: {type: hero}}, steps: {out: {destroy: who}, n: {roll: d2}, x: {act: fall, with: {actor: who}}}}
  offers: {inputs: {who: {type: hero}}, steps: {x: {offer: [fall], to: who, most: 3}}}
"""


def _named() -> tuple[interpreter.Game, interpreter.State]:
    played = interpreter.loads(NAMED)
    state = played.state({"ann": {"is": "hero", "second": "lamp", "bag": ["lamp"]}, "wick": {"is": "torch"}})
    return played, state


@pytest.mark.parametrize(
    ("rule", "given"),
    [
        ("burn", {"what": "lamp"}),
        ("names", {"who": "ann"}),
        ("sinks", {"who": "ann"}),
        ("drops", {"who": "ann", "what": "lamp"}),
        ("remade", {"spare": "wick"}),
    ],
)
def test_every_state_that_play_reaches_is_read_again(rule: str, given: dict[str, str]) -> None:
    played, state = _named()
    result = played.roll(rule, state=state, seed=1, **given)
    assert played.state(played.to_json(result.state)) == result.state


@pytest.mark.parametrize(
    ("rule", "given", "before", "said"),
    [
        ("reads_arm", {"who": "ann"}, True, "HR650 what `ann.arm` named was destroyed"),
        ("reads_second", {"who": "ann"}, True, "HR650 what `ann.second` named was destroyed"),
        ("reads_held", {"who": "ann"}, True, "HR682"),
        ("reads_gone", {}, False, "HR650 `lamp` is no longer there: it was destroyed before this"),
        ("sets_gone", {"who": "ann"}, False, "HR650 `lamp` is no longer there"),
        ("adds_gone", {"who": "ann"}, False, "HR650 `lamp` is no longer there"),
        ("strikes", {"force": 3}, False, "HR604 `amount`"),
        ("falls", {"who": "ann"}, False, "HR650 `ann` is no longer there"),
    ],
)
def test_what_is_gone_or_no_longer_fits_is_refused_where_it_is_read(
    rule: str, given: dict[str, object], before: bool, said: str
) -> None:
    played, state = _named()
    if before:
        state = played.roll("burn", state=state, seed=1, what="lamp").state
    with pytest.raises(PlayError, match=said):
        played.roll(rule, state=state, seed=1, **given)
    with pytest.raises(PlayError, match=said):
        played.simulate(rule, state=state, seed=1, runs=3, **given).law("x" if "x" in said else "n")
    with pytest.raises(PlayError, match=said):
        played.odds(rule, state=state, **given).law("x")


def test_a_change_that_fits_is_made() -> None:
    played, state = _named()
    assert played.roll("strikes", state=state, seed=1, force=4).values["x"]["more"] == 2


def test_an_offer_ends_with_who_is_offered() -> None:
    played, state = _named()
    result = played.roll("offers", state=state, seed=1, who="ann", choices={"x": "fall"})
    assert result.values["x"] == ("fall",) and "ann" not in result.state.things


def test_things_may_name_one_another_in_any_order() -> None:
    played = interpreter.loads(
        "ruleset: friends\nkinds:\n  hero:\n    has:\n      friend: {type: hero, optional: yes}\n"
        "      size: {type: number, default: 2 + (friend.rank otherwise 0)}\n      rank: {type: number, default: 1}\n"
        "      hp: {type: points, to: friend.size otherwise 9, starts: full}\n"
    )
    state = played.state({"ann": {"is": "hero", "friend": "bo"}, "bo": {"is": "hero", "friend": "ann", "rank": 5}})
    assert [state.things[name].values["hp"] for name in ("ann", "bo")] == [3, 7]
    with pytest.raises(PlayError, match="HR604 `hp`"):
        played.state({"ann": {"is": "hero", "friend": "bo", "hp": 4}, "bo": {"is": "hero", "friend": "ann"}})


ORDER = """ruleset: order
kinds:
  hero: {has: {n: number}}
  log: {one: yes, has: {seen: {list_of: number, default: []}}}
events: {bang: {}}
reactions:
  answer: {after: bang, actor: hero, automatic: yes, steps: {a: {add: actor.n, to: log.seen}}}
scenes:
  fight:
    inputs: {one: text, two: text}
    round:
      makes:
        steps:
          die: {roll: d2}
          a: {make: hero, named: one, with: {n: 1}, if: die == 1}
          b: {make: hero, named: two, with: {n: 2}}
          c: {make: hero, named: one, with: {n: 1}, if: die == 2}
      bangs: {steps: {e: {cause: bang}, f: {end: first, if: "item(log.seen, 1) == 1"}, s: {end: second}}}
    outcomes: {first: {}, second: {}}
"""


def test_states_that_differ_in_the_order_of_things_are_not_one() -> None:
    law = interpreter.loads(ORDER).odds("scenes.fight", one="aa", two="bb").law("outcome").weights
    assert law == {("first",): Fraction(1, 2), ("second",): Fraction(1, 2)}


def _after_one_step(
    has: str, step: str, more: str = "", ends: bool = False
) -> tuple[interpreter.Game, interpreter.State]:
    played = interpreter.loads(
        "ruleset: x\nnames: {w: [a, b]}\ntypes: {load: {has: {what: torch, said: {type: text, optional: yes}}}}\n"
        f"kinds:\n  torch: {{has: {{n: {{type: number, default: 1}}}}}}\n"
        f"  stat: {{part: yes, written_as: level, has: {{level: number}}}}\n  hero: {{has: {{{has}}}}}\n"
        "events: {hit: {inputs: {amount: number, most: {type: number, default: 9}}}}\n"
        "things: {torch: {lamp: {}, wick: {}}}\n"
        f"mechanics: {{m: {{inputs: {{who: hero{more}}}, steps: {{x: {{{step}}}}}}}}}\n"
    )
    given = {"s": "4"} if more else {}
    state = played.roll("m", state=played.state({"ann": {"is": "hero"}}), seed=1, who="ann", **given).state
    return played, played.ends(state, "round").state if ends else state


@pytest.mark.parametrize(
    ("has", "step", "more"),
    [
        ('l: {list_of: number, default: "[1, 2]", where: sum(it) >= 2}', "remove: 2, from: who.l", ""),
        ("v: {type: number, per: w, optional: yes}, l: {type: number, default: 1}", "set: who.l, to: 2", ""),
        ("v: {type: text, per: w, optional: yes}, l: {type: number, default: 1}", "set: who.l, to: 2", ""),
        ('l: {list_of: die, default: "[d6, d8]"}', 'set: who.l, to: "[d6, d8]"', ""),
        ("l: {type: dice, default: d6 & d8}", "set: who.l, to: d6 & d8", ""),
        ("l: {list_of: number, default: []}", "cause: hit, with: {amount: 4}, later: round", ""),
        ("l: {list_of: number, default: []}", "add: 3, to: who.l, lasts: {rounds: count(who.l) - 1}", ""),
        ("l: {list_of: number, default: []}", "cause: hit, with: {amount: 4}, later: {rounds: count(who.l) - 1}", ""),
        ("sees: {list_of: stat, default: []}", "add: s, to: who.sees", ", s: stat"),
        ("l: {type: load, default: {what: lamp}}", "destroy: lamp", ""),
        ("l: {list_of: load, default: [{what: lamp}, {what: wick}]}", "destroy: lamp", ""),
    ],
)
def test_what_is_written_of_a_state_is_read_as_the_same(has: str, step: str, more: str) -> None:
    played, state = _after_one_step(has, step, more)
    assert played.state(played.to_json(state)) == state


def test_a_field_that_named_a_destroyed_thing_is_refused_where_it_is_read() -> None:
    played = interpreter.loads(
        "ruleset: x\ntypes: {load: {has: {what: torch}}}\nkinds:\n  torch: {has: {n: {type: number, default: 1}}}\n"
        "  hero: {has: {l: {type: load, default: {what: lamp}}}}\nthings: {torch: {lamp: {}}}\n"
        "mechanics:\n  m: {inputs: {who: hero}, steps: {x: {destroy: lamp}, r: {roll: d2}, n: who.l.what.n}}\n"
    )
    state = played.state({"ann": {"is": "hero"}})
    for ask in (
        lambda: played.roll("m", state=state, seed=1, who="ann"),
        lambda: played.simulate("m", state=state, seed=1, runs=3, who="ann").law("n"),
        lambda: played.odds("m", state=state, who="ann").law("n"),
    ):
        with pytest.raises(PlayError, match=r"HR650 what `who.l.what` named was destroyed"):
            ask()


@pytest.mark.parametrize(
    ("has", "step", "ends"),
    [
        ('l: {list_of: number, default: "[1]", most: 2}, d: {list_of: number, default: "[1, 2, 3, 4, 5]"}',
         "draw: 2, from: who.l, refill: who.d", False),
        ("o: {type: number, default: 3}, l: {type: number, to: 5, default: o, lasts: round}",
         "set: who.o, to: 9", True),
    ],
)  # fmt: skip
def test_play_holds_what_is_filled_or_starts_again_to_its_limits(has: str, step: str, ends: bool) -> None:
    with pytest.raises(PlayError, match="HR604 `l`"):
        _after_one_step(has, step, ends=ends)


def test_a_pile_that_is_refilled_from_itself_has_nothing_more() -> None:
    played, state = _after_one_step('l: {list_of: number, default: "[1, 2]"}', "draw: 5, from: who.l, refill: who.l")
    assert state.things["ann"].values["l"] == ()
    assert len(played.roll("m", state=played.state({"ann": {"is": "hero"}}), seed=1, who="ann").values["x"]) == 2


@pytest.mark.parametrize("of", ['{list_of: yes_no, default: "[yes, no, no]"}', "{list_of: text, default: []}"])
def test_draws_of_any_elements_are_replayed_and_resumed(of: str) -> None:
    played = interpreter.loads(
        f"ruleset: x\nkinds: {{deck: {{one: yes, has: {{cards: {of}}}}}}}\n"
        "mechanics: {m: {steps: {x: {draw: 2, from: deck.cards}}}}\n"
    )
    state = played.state({"deck": {"cards": ["1", "b + a"]}}) if "text" in of else None
    for seed in range(6):
        result = played.roll("m", seed=seed, state=state)
        assert played.replay(result.to_json()).values == result.values
        assert played.resume(played.begin("m", seed=seed, state=state).to_json()).result is not None


@pytest.mark.parametrize(
    "has",
    [
        "p: {type: number, default: scene.round}",
        "p: {type: points, to: 5 - scene.round, starts: full}",
        "p: {type: number, default: scene.q}, q: {type: number, default: 4}",
    ],
)
def test_values_of_a_scene_may_depend_on_one_another(has: str) -> None:
    played = interpreter.loads(
        f"ruleset: x\nscenes: {{s: {{has: {{{has}}}, round: {{a: {{steps: {{x: {{roll: d2}}}}}}}}, guard: 3,\n"
        "  outcomes: {low: scene.p <= 4, high: scene.p > 4}}}\n"
    )
    law = played.odds("scenes.s").law("outcome").weights
    assert law == played.simulate("scenes.s", runs=4, seed=1).law("outcome").weights
    assert played.play("s", seed=1).outcome == next(iter(law), (None,))[0]


def test_an_event_that_is_cancelled_need_not_fit() -> None:
    played = interpreter.loads(
        "ruleset: x\nkinds: {hero: {has: {most: {type: number, default: 5}}}}\n"
        "events: {hit: {inputs: {who: {type: hero}, amount: {type: number, to: who.most}}, steps: {r: {roll: d2}}}}\n"
        "reactions:\n  shield: {before: hit, actor: {type: hero}, automatic: yes,\n"
        "    steps: {a: {set: actor.most, to: 1}, c: {cancel: event}}}\n"
        "mechanics: {m: {inputs: {who: hero}, steps: {x: {cause: hit, with: {who: who, amount: 4}}, n: {roll: d2}}}}\n"
    )
    state = played.state({"ann": {"is": "hero"}})
    assert played.roll("m", state=state, seed=1, who="ann").values["x"]["happened"] is False
    assert played.simulate("m", state=state, seed=1, runs=3, who="ann").law("n").total == 3


UNDER_ANOTHER_KIND = """ruleset: kinds
kinds:
  hero: {has: {hp: {type: points, to: 30, starts: 3}}}
  note: {has: {words: {type: text, default: beware}, weight: {type: number, default: 1}}}
  stone: {has: {weight: {type: number, default: 2}}}
things: {hero: {ann: {}}, note: {sign: {}}}
scenes:
  swap:
    inputs: {who: {type: hero}}
    round:
      first:
        steps:
          rolled: {roll: d2}
          old: {make: note, named: sign.words}
          gone: {destroy: old}
          new: {make: stone, named: sign.words}
          weighs: {gain: rolled + old.weight, to: who.hp}
    guard: 1
"""


def test_a_thing_under_the_name_of_a_destroyed_one_of_another_kind_is_not_taken_for_it() -> None:
    game = interpreter.loads(UNDER_ANOTHER_KIND)
    for ask in (
        lambda: game.roll("scenes.swap", who="ann", seed=1),
        lambda: game.simulate("scenes.swap", runs=5, seed=1, inputs={"who": "ann"}, of=["ann.hp"]),
        lambda: game.odds("scenes.swap", inputs={"who": "ann"}).of("ann.hp"),
    ):
        with pytest.raises(PlayError) as refused:
            ask()
        assert refused.value.diagnostic.code == "HR650"
    same_kind = interpreter.loads(UNDER_ANOTHER_KIND.replace("make: stone", "make: note"))
    found = same_kind.simulate("scenes.swap", runs=50, seed=1, inputs={"who": "ann"}, of=["ann.hp"]).of("ann.hp")
    assert set(found) == {5, 6}  # the name is all that tells things of a kind apart


BOUND_BY_AN_INPUT = """ruleset: bound
kinds:
  hero:
    has: {hp: {type: points, to: scene.most, starts: 6}, luck: {type: points, to: 9, starts: 0}}
scenes:
  walk:
    inputs: {who: {type: hero}, most: {type: number, from: 1, to: 9}}
    steps: {strong: {gain: 1, to: who.luck, if: who.hp == 6}}
    round: {first: {steps: {rolled: {roll: d2}}}}
    guard: 2
"""


@pytest.mark.parametrize(("most", "left"), [(4, (4, 0)), (9, (6, 1))])
def test_points_fit_their_bounds_when_a_scene_goes_on_with_another_input(most: int, left: tuple[int, int]) -> None:
    game, names = interpreter.loads(BOUND_BY_AN_INPUT), ("ann.hp", "ann.luck")
    state = game.state({"ann": {"is": "hero", "hp": 6}, "scene": {"is": "walk", "who": "ann", "most": 9, "round": 1}})
    assert game.odds("scenes.walk", state=state, inputs={"most": most}).law(*names).weights == {left: 1}
    simulated = game.simulate("scenes.walk", runs=5, seed=1, state=state, inputs={"most": most}, of=names)
    assert simulated.law(*names).weights == {left: 1}
    values = game.roll("scenes.walk", seed=1, state=state, inputs={"most": most}).state.things["ann"].values
    assert (values["hp"], values["luck"]) == left


def test_a_simulation_from_a_given_state_makes_none_of_its_own() -> None:
    game = interpreter.loads(BOUND_BY_AN_INPUT.replace("scenes:", "things: {hero: {ann: {}}}\nscenes:", 1))
    with pytest.raises(PlayError, match="HR680 no scene is under way"):
        game.state()
    state = game.state({"ann": {"hp": 6}, "scene": {"is": "walk", "who": "ann", "most": 6, "round": 1}})
    assert game.simulate("scenes.walk", runs=5, seed=1, state=state, of=["ann.luck"]).of("ann.luck") == {1: 1}

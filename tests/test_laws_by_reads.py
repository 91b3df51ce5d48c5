"""A law that was found from one state holds for every state that agrees in what was read, and for no other."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import interpreter
from interpreter.odds.engine import ForwardEngine
from interpreter.odds.laws_by_reads import LawsByReads
from interpreter.odds.traced_state import Reads, change_to, trace_reads
from interpreter.runtime import evaluator
from interpreter.runtime.state import Holdings, Mark, Pending, State, Timer, add_object, put_value, remove_object
from interpreter.values import Thing

THINGS = ("ann", "bo", "cy")
NAMES = ("hp", "luck", "sore")
Run = Callable[[State], State]


def state_of(values: dict[tuple[str, str], int]) -> State:
    return State({thing: Holdings("hero", {name: values[thing, name] for name in NAMES}) for thing in THINGS})


def program(chance: random.Random) -> Run:
    """A run of reads and changes, of which each may depend on what was read before."""
    steps = [(chance.choice("rrwwcfsd"), chance.choice(THINGS), chance.choice(NAMES), chance.randrange(3))
             for _ in range(chance.randrange(1, 9))]  # fmt: skip

    def run(state: State) -> State:
        last = 0
        for what, thing, name, number in steps:
            if thing not in state.things:
                continue
            if what == "r":
                last = state.things[thing].values[name]
            elif what == "w":
                state = put_value(state, Thing(thing, "hero"), name, last)
            elif what == "c":
                state = put_value(state, Thing(thing, "hero"), name, number)
            elif what == "f" and last == number:
                state = put_value(state, Thing(thing, "hero"), name, state.things[thing].values[name] + 1)
            elif what == "s":
                last = sum(state.things[thing].values.values())
            elif what == "d" and number == 0:
                state = remove_object(state, Thing(thing, "hero"))
            elif what == "d" and number == 1:
                fresh = Thing(f"new.{state.made}", "hero")
                state = add_object(state, fresh, dict.fromkeys(NAMES, last))
        return state

    return run


@pytest.mark.parametrize("seed", range(40))
def test_a_change_leads_on_from_every_state_that_agrees_in_what_was_read(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(50):
        run = program(chance)
        values = {(thing, name): chance.randrange(3) for thing in THINGS for name in NAMES}
        state, reads = state_of(values), Reads()
        at = trace_reads(state, reads)
        change = change_to(run(at), state, reads)
        assert change.apply_to(state) == run(state)
        for _ in range(10):
            others = {of: values[of] if of in reads else chance.randrange(3) for of in values}
            other = state_of(others)
            assert change.apply_to(other) == run(other), (reads, values, others)


def test_of_a_state_is_told_what_was_read() -> None:
    state = state_of({(thing, name): 1 for thing in THINGS for name in NAMES})
    reads = Reads()
    at = trace_reads(state, reads)
    ann, bo = Thing("ann", "hero"), Thing("bo", "hero")
    assert at.things["ann"].values["hp"] == 1
    at = put_value(at, ann, "luck", 2)
    assert at.things["ann"].values["luck"] == 2
    assert list(reads) == [("ann", "hp")], "what was changed before it is read is not read"
    assert put_value(at, bo, "hp", 1).things["bo"].values["hp"] == 1
    assert list(reads) == [("ann", "hp"), ("bo", "hp")], "whether a value changes depends on the value"
    inner = Reads()
    assert trace_reads(at, inner).things["bo"].values.get("sore") == 1
    assert list(inner) == [("bo", "sore")]
    assert list(reads)[-1] == ("bo", "sore"), "what is read of a traced state that is traced again is read of both"


def test_a_law_holds_for_the_same_things_with_the_same_past_alone() -> None:
    state, reads, laws = state_of({(thing, name): 1 for thing in THINGS for name in NAMES}), Reads(), LawsByReads()
    laws.keep(([("so", 1)], 1), True, state, reads, trace_reads(state, reads))
    assert laws.find(replace(state)) is not None
    ann, held = Thing("ann", "hero"), state.things["ann"].values
    for other in (
        replace(state, marks=(Mark("actions.pray", "ann", "round", 1),)),
        replace(state, timers=(Timer(ann, "sore", 1, "round"),)),
        replace(state, pending=(Pending("omen", (), "round"),)),
        replace(state, made=1),
        remove_object(state, ann),
        State({**state.things, "ann": Holdings("beast", held)}),
        add_object(state, Thing("dee", "hero"), held),
    ):
        assert laws.find(other) is None, other


RULES = """
ruleset: reads
kinds:
  hero:
    has:
      hp:    {type: points, to: 6, starts: 3, when_empty: {falls: {set: owner.out, to: yes}}}
      luck:  {type: points, to: "2 + hp", starts: 1}
      out:   {type: yes_no, default: no}
      sore:  {list_of: number, default: []}
      proud: {is: luck > 1 and not out}
  token: {has: {of: hero, worth: {type: number, default: 1}}}
events:
  harm:
    inputs: {target: hero, amount: number}
    steps: {soak: {roll: d2}, hurt: {lose: "max(0, amount - soak)", from: target.hp}}
  gift: {inputs: {to: hero}, steps: {die: {roll: d3}, handed: {make: token, with: {of: to, worth: die}}}}
  loss: {inputs: {of: hero}, steps: {die: {roll: d2}, gone: {destroy: of, if: die == 2}}}
  calm: {inputs: {who: hero}, steps: {eased: {set: who.luck, to: 1}, worn: {set: who.sore, to: "[]"}}}
mechanics:
  long:                                         # later throws read what the first does not
    inputs: {who: hero}
    steps: {thrown: {roll: d3, again: face <= (who.hp if nth == 1 else who.luck) and nth < 4}}
  total:
    inputs: {who: hero}
    steps: {got: {call: long, with: {who: who}}, all_: sum(got.thrown), most: highest(got.thrown) + who.luck}
actions:
  strike:
    actor: hero
    inputs: {target: hero}
    steps:
      blow: {roll: 2d3}
      calms: {cause: calm, with: {who: actor}, if: actor.proud}
      hits: {cause: harm, with: {target: target, amount: highest(blow) + count(target.sore)}}
      late: {call: total, with: {who: target}}
      more: {gain: late.most, to: actor.luck, if: late.all_ > 6}
"""

ASKED: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "actions.strike": ({"actor": "ann", "target": "bo"}, ("bo.hp", "ann.luck", "ann.sore")),
    "events.harm": ({"target": "bo", "amount": 3}, ("bo.hp", "bo.out")),
    "events.gift": ({"to": "ann"}, ("die",)),
    "events.loss": ({"of": "bo"}, ("die", "ann.luck")),
    "events.calm": ({"who": "bo"}, ("bo.luck", "bo.hp", "bo.sore")),
    "mechanics.total": ({"who": "ann"}, ("all_", "most")),
}


def state_of_heroes(chance: random.Random) -> dict[str, Any]:
    def hero() -> dict[str, Any]:
        hp = chance.randrange(5)
        sore = [1] * chance.randrange(3)
        return {"is": "hero", "hp": hp, "luck": chance.randrange(3 + hp), "out": chance.random() < 0.2, "sore": sore}

    return {"ann": hero(), "bo": hero()}


@pytest.mark.parametrize("rule", ASKED)
def test_a_game_that_has_answered_for_other_states_answers_as_one_that_has_not(rule: str) -> None:
    chance = random.Random(rule)
    given, names = ASKED[rule]
    game = interpreter.loads(RULES)
    for _ in range(30):
        state = state_of_heroes(chance)
        anew = interpreter.loads(RULES)
        one, other = (of.odds(rule, state=state, inputs=given).law(*names).weights for of in (game, anew))
        assert one == other, state


def test_what_is_not_read_makes_no_new_law(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    computed = ForwardEngine._compute_law

    def counted(self: ForwardEngine, *given: Any) -> Any:
        found.append(given)
        return computed(self, *given)

    monkeypatch.setattr(ForwardEngine, "_compute_law", counted)
    game = interpreter.loads(RULES)
    laws, numbers = [], []
    for sore in range(4):  # nothing that `harm` leads to reads it, nor anything else of `ann`
        state = {"ann": {"is": "hero", "luck": sore, "sore": [1] * sore}, "bo": {"is": "hero"}}
        laws.append(game.odds("events.harm", state=state, target="bo", amount=2).law("bo.hp").weights)
        numbers.append(len(found))
    assert laws[1:] == laws[:-1]
    assert numbers[0] > 0 and numbers[1:] == numbers[:-1]


def test_what_follows_from_a_state_is_not_kept_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluator, "MOST_IMPLIED", 10)
    game = interpreter.loads("""
ruleset: many
functions: {twice: {takes: {n: number}, gives: 2 * n}}
mechanics: {main: {inputs: {n: number}, steps: {x: twice(n)}}}
""")
    assert [game.roll("main", n=number).values["x"] for number in range(50)] == list(range(0, 100, 2))
    kept = [values for _, known in game.closures._implied.of_states.values() for values in known.values()]
    assert kept and all(0 < len(known) <= 10 for known in kept)

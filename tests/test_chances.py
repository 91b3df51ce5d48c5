"""The chances beside offered actions and their targets: exact, of the action alone, and only what a player may know."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from interpreter import load_scene, loads
from interpreter.api import chances
from interpreter.api.session import Session
from interpreter.cli.request_text import in_points
from interpreter.host.sessions import HostSessions
from interpreter.runtime.titles import titles_of

RULES = """
ruleset: yard
kinds:
  fighter:
    summary: [hits, luck, breath]
    has:
      hits:   {type: points, to: 6, starts: 6, when_empty: {falls: {set: owner.awake, to: no}}}
      luck:   {type: points, to: 3, starts: 1}
      breath: {type: points, to: 4, starts: 0, when_full: {tired: {set: owner.awake, to: no}}}
      guard:  {type: number, default: 4}
      awake:  {type: yes_no, default: yes}
      mood:   {type: number, default: 3}
mechanics:
  swing: {inputs: {needed: {type: number}}, steps: {die: {roll: d6}, hit: {is: die >= needed}}}
events:
  blow:
    inputs: {target: {type: fighter}, amount: {type: number}}
    steps: {hurts: {lose: amount, from: target.hits}}
actions:
  attack:
    title: Attack
    actor: {type: fighter}
    inputs: {target: {type: fighter, where: it is not actor and it.awake}}
    steps:
      try:  {call: swing, with: {needed: target.guard}}
      hard: {roll: d4}
      hurt: {if: try.hit, cause: blow, with: {target: target, amount: hard}}
  shout:
    actor: {type: fighter}
    inputs: {target: {type: fighter, where: it is not actor}}
    steps: {loud: {roll: d4}, tires: {gain: loud, to: target.breath}}
  shove:
    actor: {type: fighter}
    inputs: {target: {type: fighter, where: it is not actor}, hard: {type: number, from: 0, to: 3, default: 0}}
    steps: {loud: {roll: d4}, tires: {gain: loud + hard, to: target.breath}}
  pat: {actor: {type: fighter}, inputs: {target: {type: fighter}}, steps: {cheers: {gain: 1, to: target.luck}}}
  brag: {actor: {type: fighter}, steps: {loud: {roll: d4}, cheers: {gain: loud, to: actor.luck}}}
reactions:
  duck: {before: blow, actor: {type: fighter, where: it is event.target}, steps: {away: {cancel: event}}}
scenes:
  fight:
    inputs: {fighters: {list_of: fighter}}
    round:
      blows:
        steps:
          turns:
            for: one
            among: fighters
            each: {own: {turn: one, steps: {does: {offer: [attack, shout, shove, pat, brag], to: one}}}}
    outcomes: {over: scene.round == 2}
"""


def begun(rules: str = RULES, **others: object) -> Session:
    game = loads(rules)
    things = {"ann": {"is": "fighter"}, **{name: {"is": "fighter"} for name in others.pop("foes", ["bo"])}}
    players = {"anna": ["ann"], "ben": [name for name in things if name != "ann"]}
    return game.begin("fight", state=game.state(**things), players=players, seed=1, fighters=list(things))


def test_an_action_with_one_target_has_the_chance_that_it_changes_points_and_the_mean() -> None:
    session = begun()
    found = session.seat("anna").chances(session.seat("anna").requests[0].id)
    assert found["attack"].to_data() == {"thing": "bo", "points": "hits", "chance": 0.5, "mean": -1.25}
    assert (found["attack"].chance, found["attack"].mean) == (Fraction(1, 2), Fraction(-5, 4))
    assert (found["shout"].points, found["shout"].chance, found["shout"].mean) == ("breath", 1, Fraction(5, 2))
    assert set(found) == {"attack", "shout"}  # no dice in `pat`, no target of `brag`, and `shove` asks how hard
    titles = titles_of(session.game.program, session.state)
    assert in_points(found["attack"], titles) == "50%: hits -1.2"
    told = [replace(found["attack"], chance=Fraction(n, 1000), mean=Fraction(n)) for n in (0, 1, 999, 1000)]
    assert [in_points(one, titles) for one in told] == [
        "0%: hits", "<1%: hits +1.0", ">99%: hits +999.0", "100%: hits +1000.0"
    ]  # fmt: skip


def test_of_several_targets_each_has_its_own() -> None:
    session = begun(RULES.replace("guard:  {type: number, default: 4}", "guard:  {type: number, default: 6}"),
                    foes=["bo", "cy"])  # fmt: skip
    assert session.seat("anna").chances(session.seat("anna").requests[0].id) == {}
    session.seat("anna").answer(session.seat("anna").requests[0].id, "attack")
    asked = session.seat("anna").requests[0]
    found = session.seat("anna").chances(asked.id)
    assert {name: (one.thing, one.chance) for name, one in found.items()} == {
        name: (name, Fraction(1, 6)) for name in ("bo", "cy")
    }


def test_what_follows_at_a_bound_and_reactions_are_left_out() -> None:
    rules = RULES.replace("starts: 0, when_full", "starts: 4, when_full")
    session = begun(rules)
    found = session.host.chances(session.host.requests[0].id)
    assert found["shout"].mean == Fraction(5, 2)  # though no more has room
    assert found["attack"].chance == Fraction(1, 2)  # though somebody could duck


def test_nobody_reads_from_them_what_is_hidden() -> None:
    session = begun(RULES.replace("mood:   {type: number", "mood:   {seen_by: [owner], type: number"))
    request = session.host.requests[0].id
    assert session.seat("anna").chances(request) == {}
    assert set(session.host.chances(request)) == {"attack", "shout"}


def test_odds_that_take_long_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chances, "SECONDS", 1e-6)
    session = begun()
    assert session.host.chances(session.host.requests[0].id) == {}


def test_a_program_asks_for_them_with_the_requests() -> None:
    host = HostSessions(loads(RULES))
    things = {name: {"is": "fighter"} for name in ("ann", "bo")}
    given, players = {"fighters": ["ann", "bo"]}, {"anna": ["ann"], "ben": ["bo"]}
    call = {"do": "begin", "rule": "fight", "things": things, "given": given, "players": players}
    assert host.reply(json.dumps(call))["ok"]
    asks = {"do": "requests", "viewer": {"player": "anna"}}
    assert "chances" not in host.reply(json.dumps(asks))["requests"][0]
    told = host.reply(json.dumps({**asks, "chances": True}))["requests"][0]["chances"]
    assert told["attack"] == {"thing": "bo", "points": "hits", "chance": 0.5, "mean": -1.25}
    assert not host.reply(json.dumps({**asks, "chances": "yes"}))["ok"]


@pytest.mark.parametrize("scene", ["fiend-wake/scenes/duel"])
def test_a_bundled_fight_has_them(scene: str) -> None:
    file = Path(__file__).parent.parent / "rulesets" / f"{scene}.yaml"
    session = load_scene(file).begin(seed=3)
    for _ in range(40):
        asked = session.host.requests[0]
        if asked.options and asked.options[-1] == "pass":
            break
        session.host.answer(asked.id, asked.default if asked.has_default else (asked.options or (asked.low,))[0])
    assert session.host.chances(session.host.requests[0].id)

"""Who is asked: a role that a call gives to a thing or to another role, in every way of playing."""

from __future__ import annotations

from fractions import Fraction

import pytest

from interpreter import Game, loads
from interpreter.play.requests import Choice

RULES = """\
ruleset: duel
roles: {roller: Whoever rolls., opponent: Whoever rolls against.}
kinds: {fighter: {has: {hits: {type: number, default: 0}}}}
mechanics:
  push:
    inputs: {face: number}
    steps:
      pushed: {choose: yes_no, by: roller, default: no, ask: "Do you push yourself?"}
      counts: face + 2 if pushed else face
  test:
    steps:
      die:   {roll: d6, each: {push: {call: push, with: {face: face}}}, counts: push.counts}
      total: sum(die)
  contest:
    steps:
      ours:   {call: test}
      theirs: {call: test, roles: {roller: opponent}}
    outcomes: {won: ours.total > theirs.total, lost: otherwise}
  other_side:
    steps:
      theirs: {call: contest, roles: {roller: opponent, opponent: roller}}
actions:
  attack:
    actor: {type: fighter}
    inputs: {target: {type: fighter, where: it is not actor}}
    steps:
      ours:   {call: test, roles: {roller: actor}}
      theirs: {call: test, roles: {roller: target}}
      strikes: {cause: hit, with: {who: target, hard: ours.total}, if: ours.total > theirs.total}
    outcomes: {hit: given(strikes), missed: otherwise}
events:
  hit:
    inputs: {who: {type: fighter}, hard: number}
    steps:
      added: {set: who.hits, to: who.hits + hard}
      asks:  {call: push, with: {face: 1}}
scenes:
  duel:
    inputs: {one: {type: fighter}, other: {type: fighter}}
    round:
      blows:
        steps:
          blow: {act: attack, with: {actor: one, target: other}}
          over: {end: whole, if: other.hits == 0}
    outcomes: {hurt: other.hits > 0, whole: {about: The first missed.}}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def heard(asked: list[tuple[str, str | None]]) -> object:
    """A host that notes who is asked, and answers with the default."""

    def ask(choice: Choice) -> None:
        asked.append((choice.path, choice.by))

    return ask


def test_a_role_is_a_thing_in_the_mechanic_that_is_called_and_in_those_it_calls(game: Game) -> None:
    asked: list[tuple[str, str | None]] = []
    state = game.state(ann={"is": "fighter"}, bo={"is": "fighter"})
    game.act(state, "attack", actor="ann", target="bo", faces=[2, 5], ask=heard(asked))
    assert asked == [("ours.die.push.pushed", "ann"), ("theirs.die.push.pushed", "bo")]


def test_an_event_that_a_call_causes_has_no_roles_of_it(game: Game) -> None:
    asked: list[tuple[str, str | None]] = []
    state = game.state(ann={"is": "fighter"}, bo={"is": "fighter"})
    game.act(state, "attack", actor="ann", target="bo", faces=[5, 2], ask=heard(asked))
    assert asked[-1] == ("strikes.asks.pushed", "roller")


def test_a_role_may_be_another_role_and_two_may_change_places(game: Game) -> None:
    asked: list[tuple[str, str | None]] = []
    game.roll("contest", faces=[2, 5], ask=heard(asked))
    assert [by for _, by in asked] == ["roller", "opponent"]
    asked.clear()
    game.roll("other_side", faces=[2, 5], ask=heard(asked))
    assert [by for _, by in asked] == ["opponent", "roller"]


def test_odds_and_simulation_take_answers_by_the_name_of_who_has_the_role(game: Game) -> None:
    state = game.state(ann={"is": "fighter"}, bo={"is": "fighter"})
    for choices, hits in (({}, Fraction(15, 36)), ({"theirs.die.push.pushed": {"bo": True}}, Fraction(6, 36))):
        about = {"state": state, "actor": "ann", "target": "bo", "choices": choices}
        assert game.odds("actions.attack", **about).outcomes["hit"] == hits
        share = game.simulate("actions.attack", runs=20_000, seed=1, of=["outcome"], **about).law("outcome").weights
        assert abs(share[("hit",)] - hits) < Fraction(1, 50)


def test_each_player_is_asked_about_their_own_thing(game: Game) -> None:
    state = game.state(ann={"is": "fighter"}, bo={"is": "fighter"})
    session = game.begin(
        "scenes.duel", state=state, one="ann", other="bo", seed=1, players={"Anna": ["ann"], "Bert": ["bo"]}
    )
    asked = []
    while not session.over and session.host.requests and session.host.requests[0].player is not None:
        request = session.host.requests[0]
        asked.append((request.player, request.who))
        session.host.answer(request.id, False)
        if len(asked) == 2:
            break
    assert asked == [("Anna", "ann"), ("Bert", "bo")]


def test_simulated_scenes_and_played_ones_agree(game: Game) -> None:
    state = game.state(ann={"is": "fighter"}, bo={"is": "fighter"})
    about = {"state": state, "one": "ann", "other": "bo"}
    hurt = game.odds("scenes.duel", **about).outcomes.get("hurt", 0)
    share = game.simulate("scenes.duel", runs=2_000, seed=3, **about).law("outcome").weights
    assert abs(share.get(("hurt",), 0) - hurt) < Fraction(1, 20)

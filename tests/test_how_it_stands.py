"""How a scene stands, as it is told above a question."""

from __future__ import annotations

import pytest

from interpreter import load, loads
from interpreter.cli.how_it_stands import HowItStands

BRAWL = """
ruleset: brawl
kinds:
  room:
    summary: [taken_by]
    has: {taken_by: {is: scene.fighters where given(it.place) and it.place is owner}}
  weapon: {has: {reach: {type: number, default: 1}}}
  limb:   {part: yes, has: {sound: {type: yes_no, default: yes}}}
  fighter:
    summary: [weakened, scars, wounds, ready, place, hurt_limbs, unconscious]
    has:
      wounds:      {type: track, length: toughness}
      toughness:   {type: number, default: 6}
      scars:       {type: number, default: 0}
      ready:       {type: weapon, optional: yes}
      place:       {type: room, optional: yes}
      arm:         {type: limb}
      leg:         {type: limb}
      neck:        {type: limb}
      hurt_limbs:  {is: "[arm, leg, neck] where not it.sound"}
      unconscious: {type: yes_no, default: no}
      weakened:    {is: "[leg] where not it.sound"}
things:
  weapon: {axe: {}}
  room: {gatehouse: {}, keep: {}}
actions:
  arm_yourself: {actor: {type: fighter}, steps: {now: {set: actor.ready, to: axe}}}
  bleed:
    actor: {type: fighter}
    steps:
      arm:  {set: actor.arm.sound, to: no, if: not actor.leg.sound}
      neck: {set: actor.neck.sound, to: no, if: not actor.leg.sound}
      leg:  {set: actor.leg.sound, to: no}
      scar: {set: actor.scars, to: actor.scars + 1}
      hurt: {gain: 2, to: actor.wounds}
  harden: {actor: {type: fighter}, steps: {now: {set: actor.toughness, to: 7}}}
  walk: {actor: {type: fighter}, steps: {now: {set: actor.place, to: gatehouse}}}
  faint: {actor: {type: fighter}, steps: {now: {set: actor.unconscious, to: yes}}}
scenes:
  brawl:
    inputs: {fighters: {list_of: fighter}, rooms: {list_of: room}}
    round:
      acting:
        steps:
          everybody:
            for: one
            among: fighters
            each:
              own: {turn: one, steps: {move: {offer: [arm_yourself, bleed, faint, harden, walk], to: one, most: 1}}}
    outcomes: {dawn: scene.round == 9}
"""


@pytest.fixture
def told():
    """How the scene stands after some answers, one for each fighter in turn."""
    names = ["lockjaw", "bo", "cy", "dee", "eve"]
    things = {name: {"is": "fighter"} for name in names}
    things["lockjaw"]["place"], things["cy"]["place"], things["eve"]["place"] = "keep", "keep", "gatehouse"

    def after(*answers: str) -> tuple[str, ...]:
        game = loads(BRAWL)
        session = game.begin("brawl", state=things, fighters=names, rooms=["gatehouse", "keep"], seed=1)
        stands = HowItStands()
        forms = stands.forms(session, session.host.requests[0], 80)
        for answer in answers:
            session.host.answer(session.host.requests[0].id, answer)
            forms = stands.forms(session, session.host.requests[0], 80)
        return forms[0]

    return after


def test_a_thing_that_came_in_place_of_none_is_told_by_its_name(told) -> None:
    assert told("arm_yourself")[1] == "  since this was last asked: lockjaw ready none → axe"


def test_parts_are_told_by_their_own_names_and_a_list_by_what_came_and_went(told) -> None:
    assert told("bleed")[1].endswith("lockjaw weakened none → leg, scars 0 → 1, wounds 0 → 2, hurt limbs none → leg")
    again = told("bleed", *["pass"] * 4, "bleed")
    assert again[1].endswith("lockjaw scars 1 → 2, wounds 2 → 4, hurt limbs +arm +neck")


def test_who_is_out_is_told_even_where_there_is_no_room_for_the_bar(told) -> None:
    assert "  lockjaw  0/6 wounds, unconscious" in told("faint")[2]


def test_what_a_summary_names_before_the_bar_is_told_even_where_there_is_no_room_for_the_bar(told) -> None:
    assert told("bleed")[2].startswith("  lockjaw  2/6 wounds, weakened leg, s… ")
    assert told()[1].startswith("  lockjaw  ░░░░░░ 0/6 wounds ")  # and so it is where there is nothing of the kind


def test_who_came_into_a_place_is_told_once(told) -> None:
    assert told("walk")[1] == "  since this was last asked: lockjaw place keep → gatehouse"
    assert told("walk")[-1] == "  gatehouse: lockjaw and eve; keep: cy"


def test_a_bound_that_has_changed_is_told(told) -> None:
    assert told("harden")[1].endswith("lockjaw wounds 0/6 → 0/7")


def test_how_a_scene_stands_has_shorter_forms() -> None:
    game = loads(BRAWL)
    state = {"lockjaw": {"is": "fighter", "place": "keep"}, "bo": {"is": "fighter"}}
    session = game.begin("brawl", state=state, fighters=["lockjaw", "bo"], rooms=["keep"], seed=1)
    stands = HowItStands()
    stands.forms(session, session.host.requests[0], 80)
    session.host.answer(session.host.requests[0].id, "bleed")
    full, *others = stands.forms(session, session.host.requests[0], 80)
    heading, since, *table, where = full
    assert since.startswith("  since") and where == "  keep: lockjaw" and len(table) == 2
    assert others == [(heading, *table, where), (heading, *table), (heading, since), (heading,)]


def test_who_is_where_is_told(told) -> None:
    assert told()[-1] == "  gatehouse: eve; keep: lockjaw and cy"


def test_the_targets_of_an_attack_say_who_is_a_friend_and_who_is_unconscious() -> None:
    asked = {}
    game = load("fiend-wake")
    state = game.state({"anvil": {"like": "lockjaw"}, "wart": {"like": "imp", "unconscious": True}})
    scene = {"fighters": ["lockjaw", "anvil", "imp", "wart"]}
    session = game.begin("combat", state=state, fighters=scene["fighters"], seed=1)
    while not session.over and not asked:
        one = session.host.requests[0]
        if one.path.endswith("melee_attack.target"):
            asked = {name: means.partition(",")[0] for name, means in one.meanings.items()}
        elif one.who == "lockjaw" and "melee_attack" in (one.options or ()):
            session.host.answer(one.id, "melee_attack")
        else:
            session.host.answer(one.id, one.default)
    assert asked == {"imp": "hit at 7", "wart": "unconscious", "anvil": "friend"}

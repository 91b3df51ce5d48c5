"""Answers that stand for a span: who gives them to what, how long, and that saves, undo and redo know of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from terminal import Terminal

from interpreter import HOST, SPECTATOR, Game, PlayError, RulesetError, Session, loads

RULES = """\
ruleset: watch
kinds:
  guard: {has: {coins: {type: points, starts: 3}, seen: {type: number, default: 0}}}
scenes:
  night:
    inputs: {guards: {list_of: guard, least: 1}}
    round:
      hours:
        steps:
          hour:
            repeat: 2
            each:
              turns:
                for: one
                among: guards
                each:
                  own:
                    turn: one
                    steps:
                      looks: {choose: yes_no, by: one, default: no, ask: "Look around?"}
                      looked: {set: one.seen, to: one.seen + 1, if: looks}
                      again: {choose: yes_no, by: one, default: no, ask: "Look again?"}
      dice:
        steps:
          stakes: {choose: number, by: guards, from: 0, to: chooser.coins, default: 0, ask: "How much do you stake?"}
          lost:
            for: one
            among: guards
            each: {less: {lose: stakes(one), from: one.coins}}
    outcomes: {morning: scene.round == 3}
"""
SCENE = """\
state: night
of: watch
scene: night
things: {guard: {ann: {}, bea: {}, cy: {}}}
given: {guards: [ann, bea, cy]}
players: {one: [ann, bea], two: [cy]}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def night(game: Game) -> Session:
    state = game.state(ann={"is": "guard"}, bea={"is": "guard"}, cy={"is": "guard"})
    return game.begin(
        "night", state=state, players={"one": ["ann", "bea"], "two": ["cy"]}, seed=1, guards=["ann", "bea", "cy"]
    )


def asked(session: Session, most: int = 400) -> list[tuple[str | None, str, int]]:
    """Who is asked what in which round, where everybody gives the default."""
    found = []
    while not session.over and len(found) < most:
        one = session.host.requests[0]
        found.append((one.who, one.name, len(session.rounds)))
        session.seat(one.player or HOST).answer(one.id, one.default)
    return found


def first(session: Session, who: str, name: str) -> str:
    """The id of the next question of a name to a guard, after defaults for everything before it."""
    while True:
        one = session.host.requests[0]
        if (one.who, one.name) == (who, name):
            return one.id
        session.host.answer(one.id, one.default)


@pytest.mark.parametrize(("until", "left"), [("turn", (1, 2, 2)), ("round", (0, 2, 2)), ("scene", (0, 0, 0))])
def test_an_answer_stands_until_its_span_ends(game: Game, until: str, left: tuple[int, ...]) -> None:
    session = night(game)
    session.seat("one").answer(first(session, "ann", "looks"), True, until=until)
    later = asked(session)
    assert tuple(later.count(("ann", "looks", number)) for number in (1, 2, 3)) == left
    assert later.count(("ann", "again", 1)) == 2  # another question of the same turn
    assert later.count(("bea", "looks", 2)) == 2  # the same question to somebody else
    assert session.host.look("ann.seen") == 6 - sum(left)
    assert {one.how for one in session.log if one.who == "ann" and one.answer is True} == (
        {"given"} if until == "turn" else {"given", "standing"}
    )


def test_an_answer_may_stand_for_all_of_a_player(game: Game) -> None:
    session = night(game)
    session.seat("one").answer(first(session, "ann", "looks"), True, until="scene", for_all=True)
    assert {who for who, name, _ in asked(session) if name == "looks"} == {"cy"}
    assert (session.host.look("bea.seen"), session.host.look("cy.seen")) == (6, 0)


def test_an_answer_of_everybody_answers_all_players_and_none_that_a_policy_plays(game: Game) -> None:
    session = night(game)
    session.host.answer(first(session, "ann", "looks"), True, until="scene", for_everybody=True)
    assert "looks" not in {name for _, name, _ in asked(session)} and session.host.look("cy.seen") == 6
    state = game.state(ann={"is": "guard"}, cy={"is": "guard"})
    given = {"state": state, "players": {"one": ["ann"]}, "guards": ["ann", "cy"]}
    alone = game.begin("night", seed=1, policy=lambda _: None, **given)
    alone.host.answer(first(alone, "ann", "looks"), True, until="scene", for_everybody=True)
    asked(alone)
    assert (alone.host.look("ann.seen"), alone.host.look("cy.seen")) == (6, 0)
    fresh = night(game)
    with pytest.raises(TypeError):  # only the host answers for everybody
        fresh.seat("one").answer(fresh.host.requests[0].id, True, until="scene", for_everybody=True)


def test_undo_goes_to_what_somebody_answered_and_an_answer_of_everybody_still_holds(game: Game) -> None:
    session = night(game)
    for name in ("looks", "again"):
        session.host.answer(first(session, "ann", name), True, until="scene", for_everybody=True)
    assert {one.name for one in session.host.requests} == {"stakes"}  # all turns of the round are answered
    stakes = [one.id for one in session.host.requests]
    session.host.answer(stakes[0], 0)
    session.host.undo()
    assert [one.id for one in session.host.requests] == stakes and len(session.host.standing) == 2
    assert {name for _, name, _ in asked(session)} == {"stakes"}
    session = night(game)
    session.host.answer(first(session, "ann", "looks"), True, until="scene", for_everybody=True)
    session.host.answer(first(session, "ann", "again"), True, until="scene", for_everybody=True)
    session.host.undo()
    assert (session.host.requests[0].who, session.host.requests[0].name) == ("ann", "again")
    session.seat("two").ask_again()
    assert {who for who, name, _ in asked(session) if name == "looks"} == {"cy"}


def test_what_is_no_legal_answer_later_is_asked(game: Game) -> None:
    session = night(game)
    session.seat("one").answer(first(session, "ann", "stakes"), 2, until="scene")
    assert [number for who, name, number in asked(session) if (who, name) == ("ann", "stakes")] == [2]
    assert session.host.look("ann.coins") == 1


def test_a_later_answer_replaces_one_that_stands(game: Game) -> None:
    session = night(game)
    session.host.answer(first(session, "ann", "looks"), True, until="scene", for_all=True)
    session.host.ask_again()
    session.host.answer(first(session, "bea", "looks"), False, until="scene", for_all=True)
    assert [one.answer for one in session.host.standing] == [False]
    assert [one.answer for one in session.seat("two").standing] == []
    assert ("ann", "looks", 2) not in asked(session)


def test_undo_redo_and_saves_know_what_stands(game: Game) -> None:
    session = night(game)
    session.seat("one").answer(first(session, "ann", "looks"), True, until="scene", for_all=True)
    answered = session.log
    again = game.resume(session.to_json())
    assert again.log == answered and again.host.standing == session.host.standing
    session.host.undo()
    assert session.host.standing == () and session.host.requests[0].name == "looks"
    session.host.redo()
    assert session.log == answered and len(session.host.standing) == 1
    session.seat("one").ask_again()
    saved = json.loads(session.to_json())
    resumed = game.resume(saved)
    assert saved["asks_again"] == {"one": len(answered)} and resumed.host.standing == ()
    assert asked(resumed) == asked(session)


@pytest.mark.parametrize(
    ("value", "until", "code"), [(True, "week", "HR105"), (7, "round", "HR620"), ("maybe", "scene", "HR620")]
)
def test_an_answer_that_cannot_stand_changes_nothing(game: Game, value: object, until: str, code: str) -> None:
    session = night(game)
    before = session.to_json()
    with pytest.raises(PlayError) as refused:
        session.host.answer(session.host.requests[0].id, value, until=until)
    assert refused.value.diagnostic.code == code and session.to_json() == before


def test_faces_cannot_stand() -> None:
    game = loads("ruleset: one\nmechanics: {throw: {steps: {die: {roll: d6}}}}")
    session = game.begin("throw", dice="table")
    with pytest.raises(PlayError) as refused:
        session.host.answer(session.host.requests[0].id, [3], until="round")
    assert refused.value.diagnostic.code == "HR675"


def test_at_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "watch.yaml").write_text(RULES)
    (tmp_path / "night.yaml").write_text(SCENE)
    with Terminal("play", "watch.yaml", "night.yaml", "--seed", "1", folder=tmp_path) as at:
        at.sees("one, ann: Look around?")
        at.types("yes! all scene")
        at.sees("one, ann: Look again?")
        at.types("no!")
        at.sees("one, bea: Look again?")
        at.types(":standing")
        at.sees("one: “Look around?” is answered yes until the scene ends")
        at.sees("ann: “Look again?” is answered no until the round ends")
        at.sees("> ")
        at.types("n! all")
        at.sees("two, cy: Look around?")
        at.types("0!")
        at.sees("two, cy: Look again?")
        at.types("!")
        at.sees("one: How much do you stake?")
        at.sees("ann  0 to 3 [0]")
        at.sees("bea  0 to 3 [0]")
        at.sees("[0, 0]> ")
        at.types("1, 2, 3")
        at.sees("HR620 2 are asked, and 3 answers are given")
        at.sees("[0, 0]> ")
        at.types("dee 1")
        at.sees("HR105")
        at.sees("[0, 0]> ")
        at.types("1! all")
        at.sees("two, cy: How much do you stake?")
        assert "HR6" not in at.seen.rpartition("[0, 0]> ")[2]
        at.types("")
        at.sees("bea: coins 3 → 2")
        at.sees("one, ann: Look again?")
        at.types(":ask")
        at.sees("no answer stands any more")
        at.types("")
        at.sees("one, bea: Look around?")
        at.types(":quit")
        assert at.ends() == 0


CAMP = """\
ruleset: camp
kinds: {scout: {has: {hurt: {type: number, default: 0}}}}
action_kinds:
  quick: {}
  long: {at_most: {times: 1, per: turn}}
actions:
  whistle: {kind: quick, actor: {type: scout}, steps: {said: 1}}
  march:
    kind: long
    actor: {type: scout}
    steps: {trips: {cause: stumble, with: {who: actor}}}
events:
  stumble:
    inputs: {who: {type: scout}}
    steps: {hurts: {set: who.hurt, to: who.hurt + 1}}
reactions:
  catch:
    title: Catch
    before: stumble
    actor: {type: scout, where: it is not event.who}
    steps: {held: {cancel: event}}
scenes:
  day:
    inputs: {scouts: {list_of: scout, least: 1}}
    round:
      hours:
        steps:
          turns:
            for: one
            among: scouts
            each: {own: {turn: one, steps: {moves: {offer: [quick, long], to: one, ask: "What do you do?"}}}}
    outcomes: {evening: scene.round == 3}
"""
AT_CAMP = """\
state: day
of: camp
scene: day
things: {scout: {ann: {}, bea: {}, cy: {}}}
given: {scouts: [ann, bea, cy]}
players: {one: [ann, bea], two: [cy]}
"""


def test_a_pass_where_a_kind_of_action_is_spent_stands_only_where_it_is() -> None:
    game = loads(CAMP)
    state = game.state(ann={"is": "scout"})
    session = game.begin("day", state=state, players={"one": ["ann"]}, scouts=["ann"], seed=1)
    assert session.host.requests[0].spent == ()
    session.seat("one").answer(session.host.requests[0].id, "march")
    rest = session.host.requests[0]
    assert (rest.spent, rest.options, rest.to_data()["spent"]) == (("long",), ("whistle", "pass"), ["long"])
    session.seat("one").answer(rest.id, "pass", until="scene")
    assert [session.host.spent_of(one) for one in session.host.standing] == [("long",)]
    assert session.host.requests[0].options == ("whistle", "march", "pass")  # the next turn is not passed
    session = game.resume(session.to_json())
    session.seat("one").answer(session.host.requests[0].id, "march")
    assert session.host.requests[0].options == ("whistle", "march", "pass") and len(session.rounds) == 3
    session.seat("one").answer(session.host.requests[0].id, "pass", until="scene")
    assert session.over


def test_a_pass_where_everything_is_possible_stands_everywhere() -> None:
    game = loads(CAMP)
    state = game.state(ann={"is": "scout"}, bea={"is": "scout"})
    session = game.begin("day", state=state, players={"one": ["ann", "bea"]}, scouts=["ann", "bea"], seed=1)
    session.seat("one").answer(session.host.requests[0].id, "pass", until="scene")
    session.seat("one").answer(session.host.requests[0].id, "march")
    assert [one.who for one in session.host.requests] == ["ann"]  # whether to react; the offers to bea are hers
    session.seat("one").answer(session.host.requests[0].id, "no", until="scene")
    session.seat("one").answer(session.host.requests[0].id, "pass")
    assert [(one.who, one.spent) for one in session.host.requests] == [("bea", ())] and len(session.rounds) == 2
    session.seat("one").answer(session.host.requests[0].id, "pass", until="scene")
    assert session.over


def test_a_host_refuses_reactions_before_they_are_asked() -> None:
    game = loads(CAMP)
    state = game.state(ann={"is": "scout"}, bea={"is": "scout"}, cy={"is": "scout"})
    players = {"one": ["ann", "bea"], "two": ["cy"]}
    session = game.begin("day", state=state, players=players, scouts=["ann", "bea", "cy"], seed=1)
    session.seat("one").refuse("round")
    assert (session.seat("one").refuses, session.seat("two").refuses, session.host.refuses) == ("round", None, None)
    session.seat("one").answer(session.host.requests[0].id, "march")
    assert [one.name for one in session.host.requests if one.reaction and one.player == "one"] == []
    session = game.resume(session.to_json())
    assert session.seat("one").refuses == "round"
    session.host.undo()
    assert session.seat("one").refuses == "round"
    session.seat("one").ask_again()
    assert session.seat("one").refuses is None
    session.seat("one").answer(session.host.requests[0].id, "march")
    assert session.host.requests[0].reaction
    session.host.refuse("scene")
    assert not session.host.requests[0].reaction and session.host.refuses == "scene"
    with pytest.raises(PlayError):
        session.host.refuse("week")


def test_reactions_are_refused_before_anybody_is_asked(tmp_path: Path) -> None:
    (tmp_path / "camp.yaml").write_text(CAMP)
    (tmp_path / "day.yaml").write_text(AT_CAMP)
    with Terminal("play", "camp.yaml", "day.yaml", "--seed", "1", folder=tmp_path) as at:
        at.sees("one, ann: What do you do?")
        at.types(":ask everything")
        at.sees("[pass]> ")
        at.types(":refuse week")
        at.sees("HR105")
        at.sees("[pass]> ")
        at.types(":help")
        at.sees(":refuse")
        at.sees("[pass]> ")
        at.types("? pass")
        at.sees("pass: do nothing more now; pass! stands until the round ends.")
        at.sees("[pass]> ")
        at.types(":refuse scene")
        at.sees("every reaction is refused until the scene ends")
        at.sees("[pass]> ")
        at.types(":standing")
        at.sees("every reaction is refused until the scene ends")
        at.sees("[pass]> ")
        assert "no answer stands" not in at.seen
        at.types("march")
        at.sees("one, ann: Anything else? whistle, or pass\n[pass]> ")
        at.types("pass! everybody scene")
        at.sees("“What do you do?”, where long is used up, is answered pass until the scene ends")
        at.sees("one, bea: What do you do?")
        at.types("march")
        at.sees("? refused\n")
        at.sees("two, cy: What do you do?")
        at.types("march")
        at.sees("one, ann: What do you do?")
        at.types(":standing")
        at.sees("every reaction is refused until the scene ends")
        at.sees("  everybody: “What do you do?”, where long is used up, is answered pass until the scene ends\n")
        at.sees("[pass]> ")
        at.types(":ask")
        at.sees("[pass]> ")
        at.types("march")
        at.sees("Catch?")
        at.types(":quit")
        assert at.ends() == 0
        assert at.seen.count("Catch?\n") == 1 and "bea: Catch? refused\n" in at.seen


POINTS = """
ruleset: shift
kinds: {hand: {has: {majors: {type: points, to: 1, starts: 1, lasts: turn}, tired: {type: points, to: 9, starts: 0}}}}
actions:
  hum: {actor: {type: hand}, steps: {said: 1}}
  haul: {actor: {type: hand}, cost: {majors: 1}, steps: {hurts: {gain: 1, to: actor.tired}}}
scenes:
  day:
    inputs: {hands: {list_of: hand, least: 1}}
    round:
      hours:
        steps:
          turns:
            for: one
            among: hands
            each: {own: {turn: one, steps: {moves: {offer: [hum, haul], to: one, ask: "What do you do?"}}}}
    outcomes: {evening: scene.round == 3}
"""


def test_points_that_last_for_a_turn_are_used_up_as_a_kind_is() -> None:
    """A pass after the one major action of a turn is none for the turns that follow."""
    game = loads(POINTS)
    session = game.begin("day", state=game.state(ann={"is": "hand"}), players={"one": ["ann"]}, hands=["ann"], seed=1)
    assert session.host.requests[0].spent == ()
    session.seat("one").answer(session.host.requests[0].id, "haul")
    assert (session.host.requests[0].spent, session.host.requests[0].options) == (("majors",), ("hum", "pass"))
    session.seat("one").answer(session.host.requests[0].id, "pass", until="scene")
    assert session.host.requests[0].options == ("hum", "haul", "pass") and len(session.rounds) == 2  # in the next one


def test_points_that_nothing_costs_are_not_used_up() -> None:
    game = loads(POINTS.replace("majors: 1}", "majors: 0}").replace("starts: 1", "starts: 0"))
    session = game.begin("day", state=game.state(ann={"is": "hand"}), players={"one": ["ann"]}, hands=["ann"], seed=1)
    assert session.host.requests[0].spent == ()


def test_a_host_picks_an_offered_action_by_its_title() -> None:
    game = loads(POINTS.replace("  hum: {", "  hum: {title: Sing to oneself, "))
    session = game.begin("day", state=game.state(ann={"is": "hand"}), players={"one": ["ann"]}, hands=["ann"], seed=1)
    session.seat("one").answer(session.host.requests[0].id, "sing to oneself")
    assert session.log[-1].answer == "hum"
    with pytest.raises(PlayError):
        session.seat("one").answer(session.host.requests[0].id, "sing")


SMALL = """
ruleset: shed
action_kinds: {short: {}, long: {at_most: {times: 1, per: turn}}}
kinds: {hand: {has: {luck: {type: points, to: 9, starts: 9}, sung: {type: number, default: 0}}}}
actions:
  hum:   {actor: {type: hand}, kind: short, steps: {said: {set: actor.sung, to: actor.sung + 1}}}
  dream: {actor: {type: hand}, kind: long, inputs: {of: {type: text}}, steps: {said: 1}}
  haul:  {actor: {type: hand, where: it.sung < 1}, kind: long, steps: {done: 1}}
  bet:   {actor: {type: hand, where: it.sung < 3}, kind: short, cost: {luck: 3}, steps: {done: 1}}
scenes:
  day:
    inputs: {hands: {list_of: hand, least: 1}}
    round:
      hours:
        steps:
          turns:
            for: one
            among: hands
            each: {own: {turn: one, steps: {does: {offer: [hum, dream, haul, bet], to: one}}}}
    outcomes: {evening: scene.round == 3}
"""


def in_the_shed(**luck: int) -> Session:
    game = loads(SMALL)
    things = {name: {"is": "hand", "luck": luck.get(name, 9)} for name in ("ann", "bo")}
    players = {"one": ["ann"], "two": ["bo"]}
    return game.begin("day", state=game.state(**things), players=players, seed=1, hands=["ann", "bo"])


def asked_now(session: Session) -> tuple[str | None, str]:
    return session.host.requests[0].who, session.host.requests[0].name


def test_offers_that_hardly_matter_are_passed_for_who_wishes_it() -> None:
    session = in_the_shed()
    session.seat("one").ask("usual")
    assert (session.seat("one").asks, session.seat("two").asks, session.host.asks) == ("usual",) + ("everything",) * 2
    assert asked_now(session) == ("ann", "does")
    session.host.answer(session.host.requests[0].id, "haul")
    assert asked_now(session) == ("bo", "does")  # nobody asks `ann` whether she wants to do anything else
    assert (session.log[-1].how, session.log[-1].answer, session.log[-1].by) == ("standing", "pass", "one")
    session.host.answer(session.host.requests[0].id, "haul")
    assert session.host.requests[0].spent == ("long",)
    session.host.ask("usual")
    assert (session.host.asks, asked_now(session)) == ("usual", ("ann", "does"))


def test_what_is_small_or_in_free_words_alone_is_not_offered() -> None:
    session = in_the_shed(ann=0)
    session.seat("one").ask("usual")
    assert session.host.requests[0].options == ("hum", "dream", "haul", "pass")
    session.host.answer(session.host.requests[0].id, "hum")
    assert asked_now(session)[0] == "bo"  # `hum` is free, and `dream` asks for a text
    session.host.undo()
    assert session.host.requests[0].options == ("hum", "dream", "haul", "pass")
    session.host.redo()
    assert asked_now(session)[0] == "bo"
    session.host.undo()
    session.seat("one").ask("everything")
    session.host.answer(session.host.requests[0].id, "hum")
    assert session.host.requests[0].options == ("hum", "dream", "pass")


def test_what_takes_something_else_of_a_turn_is_offered() -> None:
    rules = SMALL.replace(
        "luck: {type: points,", "moves: {type: points, to: 1, starts: 1, lasts: turn}, luck: {type: points,"
    )
    session = loads(rules.replace("cost: {luck: 3}", "cost: {moves: 1}")).begin(
        "day", state={"ann": {"is": "hand"}}, players={"one": ["ann"]}, seed=1, hands=["ann"]
    )
    session.host.ask("usual")
    session.host.answer(session.host.requests[0].id, "haul")
    assert session.host.requests[0].spent == ("long",) and "bet" in (session.host.requests[0].options or ())
    session.host.answer(session.host.requests[0].id, "bet")
    assert session.host.requests[0].spent == () and len(session.rounds) == 2


MINOR = """
ruleset: toll
kinds:
  hero: {has: {coins: {type: points, starts: 3}, favours: {type: points, starts: 3}, bows: {type: number, default: 0}}}
action_kinds:
  quick: {upgrade: {to: long, waives: [coins]}}
  long: {at_most: {times: 1, per: turn}}
actions:
  cross: {actor: {type: hero}, kind: quick, cost: {coins: 1}, steps: {over: 1}}
mechanics:
  bridge:
    inputs: {who: {type: hero}}
    steps:
      bow:  {choose: number, by: who, from: 0, to: 2, default: 1, minor: who.coins > 1, ask: "How deep?"}
      deep: {set: who.bows, to: bow}
      paid: {pay: 1, from: who, in: {coins: 1, favours: 1}, may_refuse: yes, minor: who.coins > 2}
scenes:
  day:
    inputs: {hero: {type: hero}}
    round:
      morning: {steps: {early: {call: bridge, with: {who: hero}}}}
      noon:    {steps: {own: {turn: hero, steps: {does: {offer: [cross], to: hero, most: 1}}}}}
      evening: {steps: {late: {call: bridge, with: {who: hero}}, dark: {end: night}}}
    outcomes: {night: {about: It is dark.}}
"""


def names_asked(what: str) -> tuple[Session, list[str]]:
    """The questions of the scene where everybody crosses the bridge and gives defaults; at first for whom it is."""
    game, found = loads(MINOR), list[str]()
    session = game.begin("day", state=game.state(ann={"is": "hero"}), players={"one": ["ann"]}, seed=1, hero="ann")
    session.host.ask(what)
    while not session.over:
        one = session.host.requests[0]
        found.append(one.name)
        session.host.answer(one.id, "cross" if one.name == "does" else one.default)
    return session, found


def test_minor_questions_have_their_default_for_who_wishes_it() -> None:
    session, found = names_asked("everything")
    assert found == ["bow", "paid", "mix", "does", "upgraded", "bow", "paid", "mix"]
    # With three coins neither the bow nor the toll matters, and with the one that is left both do.
    short, usual = names_asked("usual")
    assert usual == ["does", "bow", "paid", "mix"]
    assert short.state == session.state
    assert [(one.path, one.answer) for one in short.log if one.how == "standing"] == [
        ("early.bow", 1), ("early.paid", True), ("early.paid.mix", "1 coins"), ("own.does.cross.upgraded", False)
    ]  # fmt: skip


def test_a_minor_question_needs_a_default() -> None:
    with pytest.raises(RulesetError) as refused:
        loads(MINOR.replace("default: 1, minor", "minor"))
    assert [one.code for one in refused.value.diagnostics] == ["HR102"]


def test_a_save_keeps_what_is_asked() -> None:
    session = in_the_shed()
    session.seat("one").ask("usual")
    session.host.answer(session.host.requests[0].id, "haul")
    saved = session.to_data()
    assert saved["asks_usual"] == ["one"] == session.progress()["asks_usual"]
    again = session.game.resume(saved)
    assert again.seat("one").asks == "usual" and again.to_data() == saved
    changed = loads(SMALL.replace("steps: {said: 1}", "steps: {said: 2}")).resume(saved)
    assert changed.seat("one").asks == "usual" and asked_now(changed) == ("bo", "does")
    with pytest.raises(PlayError):
        session.host.ask("nothing")
    with pytest.raises(PlayError):
        session.seat(SPECTATOR).ask("usual")
    session.host.ask("everything")
    assert "asks_usual" not in session.to_data()


def test_a_game_at_the_terminal_asks_what_is_usual(tmp_path: Path) -> None:
    (tmp_path / "shed.yaml").write_text(SMALL)
    (tmp_path / "day.yaml").write_text(
        "state: day\nof: shed\nscene: day\nthings: {hand: {ann: {}, bo: {}}}\n"
        "given: {hands: [ann, bo]}\nplayers: {one: [ann], two: [bo]}\n"
    )
    with Terminal("play", "shed.yaml", "day.yaml", "--seed", "1", folder=tmp_path) as at:
        at.sees("one, ann: does")
        at.types("haul")
        at.sees("(what hardly matters is not asked; :ask everything changes that)")
        at.sees("two, bo: does")
        at.types(":ask everything")
        at.sees("everything is asked")
        at.sees("> ")
        at.types("haul")
        at.sees("two, bo: Anything else? hum (free), bet (luck: 3), or pass")
        at.types(":ask usual")
        at.sees("Round 2")
        at.sees("one, ann: does")
        at.types(":ask me")
        at.sees("HR105")
        at.types(":quit")
        assert at.ends() == 0


CHORES = """\
ruleset: chores
roles: {game_master: Who runs the game.}
kinds:
  hand: {part: yes, has: {grip: {type: number, default: 2}}}
  cook:
    has:
      spoons:  {type: points, starts: 3}
      left:    {type: hand}
      right:   {type: hand}
      steamed: {type: number, default: 0}
actions:
  stir:
    title: Stir the pot
    actor: {type: cook}
    inputs:
      turns: {type: number, from: 1, to: 9, default: 2, minor: "yes", ask: "How often?"}
      steam: {type: number, from: 0, to: 9, by: game_master, default: turns * 2, minor: turns < 4}
      using: {title: held with, type: hand, among: "[actor.left, actor.right]", by: game_master, default: actor.left}
    cost: {spoons: "min(steam, 1)"}
    may_refuse: yes
    steps: {noted: {set: actor.steamed, to: steam}}
events:
  lunch:
    inputs: {who: {type: cook}}
    steps: {own: {turn: who, steps: {does: {offer: [stir], to: who, most: 1}}}}
"""


def stirs(asks: str, **beside: object) -> tuple[list[str], int]:
    """The questions of a lunch at which somebody stirs, and the steam that comes of it."""
    game = loads(CHORES)
    session = game.begin("lunch", state=game.state({"ann": {"is": "cook"}}), inputs={"who": "ann"})
    session.host.ask(asks)
    session.host.answer(session.host.requests[0].id, "stir", beside=beside)
    asked = []
    while not session.over:
        request = session.host.requests[0]
        asked.append(request.name)
        if request.name == "pays":
            assert request.about == "Said of it: steam 4, held with left." if not beside else True
        session.host.answer(request.id, request.default)
    return asked, game.look(session.state, "ann.steamed")


def test_a_minor_input_of_an_action_has_its_default_unless_it_is_given_with_the_action() -> None:
    assert stirs("usual") == (["using", "pays"], 4)
    assert stirs("everything") == (["turns", "steam", "using", "pays"], 4)
    assert stirs("usual", turns=3) == (["using", "pays"], 6)
    assert stirs("usual", turns=4) == (["steam", "using", "pays"], 8)


@pytest.mark.parametrize(
    ("was", "now", "code"),
    [
        ("default: 2, minor", "minor", "HR102"),
        ("turns: {type: number,", "turns: {type: number, minor: 3,", "HR"),
        ("inputs: {who: {type: cook}}", 'inputs: {who: {type: cook, optional: yes, minor: "yes"}}', "HR"),
    ],
)
def test_a_minor_input_needs_something_in_its_place_and_somebody_to_ask(was: str, now: str, code: str) -> None:
    with pytest.raises(RulesetError, match=code):
        loads(CHORES.replace(was, now))

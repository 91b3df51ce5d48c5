"""Sessions: who is asked and who may answer, undo and redo, saves, what each player may see; the host in lines.

Random play over small games with secrets holds at every question what must always hold: a save resumes as what it
was, undo and redo give back all of it, the log leads to the same end, and nobody reads what `seen_by` forbids.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from test_cli import run
from test_docs import ROOT, blocks, whole

import interpreter
from interpreter import HOST, Choice, Game, PlayError, Request, RulesetError, Session, bundled, load_scene
from interpreter.api import logged_run
from interpreter.api.begin_session import ASKED
from interpreter.api.journal import UNKNOWN
from interpreter.api.session_log import seal as sealed
from interpreter.host.lines import serve
from interpreter.host.sessions import CALLS, HostSessions

FOLDER = Path(__file__).parent / "sessions"
SEEDS = range(8)


def of_docs(page: str, file: str) -> Game:
    """A game that a page of the docs holds."""
    found = next(block for block in blocks(ROOT / "docs" / page) if block.file == file)
    return interpreter.loads(whole(found), name=file)


@pytest.fixture(scope="module")
def duel() -> Game:
    return of_docs("language/scenes.md", "bridge-duel.yaml")


@pytest.fixture(scope="module")
def cards() -> Game:
    return of_docs("language/secrets.md", "high-card.yaml")


@pytest.fixture(scope="module")
def auction() -> Game:
    return of_docs("embedding.md", "auction.yaml")


@pytest.fixture(scope="module")
def bluff() -> Game:
    return interpreter.load(FOLDER / "bluff.yaml")


def on_the_bridge(game: Game, **more: Any) -> Session:
    state = game.state(ann={"is": "duellist", "reach": 5}, bo={"is": "duellist"}, cy={"is": "duellist"})
    usual = {"players": {"anna": ["ann"], "ben": "bo"}, "seed": 3, "state": state}
    return game.begin("duel", **{**usual, **more}, duellists=["ann", "bo", "cy"])


def in_the_hall(game: Game, **more: Any) -> Session:
    state = game.state(ada={"is": "buyer"}, bo={"is": "buyer", "coins": 4})
    usual = {"players": {"anna": ["ada"], "ben": ["bo"]}, "seed": 3, "state": state}
    return game.begin("sale", **{**usual, **more}, buyers=["ada", "bo"])


def at_night(game: Game, seed: int) -> Session:
    state = game.state(una={"is": "gambler"}, vic={"is": "gambler"}, wim={"is": "gambler"})
    players = {"u": ["una"], "v": ["vic"], "k": ["keeper"]}
    return game.begin("night", state=state, players=players, seed=seed, gamblers=["una", "vic", "wim"])


def whole_of(session: Session) -> dict[str, Any]:
    """All that can be asked of a session, by the host and by every player."""
    told: dict[str, Any] = {"saved": session.to_data(), "lines": session.host.lines(), "view": session.host.view()}
    del told["saved"]["undone"], told["saved"]["seal"]  # which may be more, and is otherwise all the same
    told |= {"requests": session.host.requests, "log": session.log, "over": session.over}
    for player in session.players:
        told[player] = (session.seat(player).lines(), session.seat(player).view(), session.seat(player).requests)
    return told


@contextmanager
def refused(code: str, session: Session | None = None) -> Iterator[pytest.ExceptionInfo[PlayError]]:
    """Something is refused with a code, and nothing has changed."""
    before = whole_of(session) if session is not None else None
    with pytest.raises(PlayError) as error:
        yield error
    assert error.value.diagnostic.code == code, error.value.diagnostic
    if session is not None:
        assert whole_of(session) == before


def some_answer(request: Request, dice: random.Random) -> Any:
    """Any answer that a question allows."""
    match request.kind:
        case "yes_no":
            return dice.choice([True, False, "yes", "no"])
        case "number" if request.low is not None:
            return dice.randint(request.low, request.high or request.low)
        case "faces":
            return [dice.choice(die.get("faces") or range(1, die["size"] + 1)) for die in request.dice]
        case "some":
            return dice.sample(list(request.options or ()), dice.randint(request.least, request.most))
        case "text":
            return "so be it"
    options = list(request.options or ())
    return dice.choice([*options, {"pick": dice.randrange(len(options))}])


def played_on(session: Session, seed: int, most: int = 60) -> Iterator[Session]:
    """Random legal answers in any order, each by whoever may give it; the session before each of them."""
    dice = random.Random(seed)
    for _ in range(most):
        if session.over:
            return
        yield session
        request = dice.choice(session.host.requests)
        session.seat(request.player or HOST).answer(request.id, some_answer(request, dice))


# Who is asked, and who may answer --------------------------------------------------------------------------------


def test_a_request_tells_who_is_asked_what_and_what_may_be_answered(duel: Game) -> None:
    (request,) = on_the_bridge(duel).host.requests
    assert (request.who, request.player, request.kind, request.name) == ("ann", "anna", "one", "move")
    assert (request.options, request.default, request.has_default) == (("shove", "pass"), "pass", True)
    with pytest.raises(AttributeError):
        request.kind = "some"  # type: ignore[misc]


def test_all_who_are_asked_at_once_may_answer_in_any_order(auction: Game) -> None:
    ends = []
    for order in ((0, 1), (1, 0)):
        session = in_the_hall(auction)
        requests = session.host.requests
        for place in order:
            session.seat(requests[place].player or HOST).answer(requests[place].id, (5, 3)[place])
        ends.append((session.host.lines(), session.host.view()))
    assert ends[0] == ends[1]


def test_nobody_sees_an_answer_before_the_last_is_in(auction: Game) -> None:
    session = in_the_hall(auction)
    ada, bo = session.host.requests
    before = (session.seat("ben").lines(), session.seat("ben").view(), session.seat("ben").requests)
    session.seat("anna").answer(ada.id, 7)
    assert (session.seat("ben").lines(), session.seat("ben").view(), session.seat("ben").requests) == before
    assert session.seat("anna").requests == () and session.host.requests == (bo,)
    session.seat("ben").answer(bo.id, 2)
    assert "bids: ada chooses 7" in "\n".join(map(str, session.seat("ben").lines()))


def test_an_answer_reaches_only_the_question_that_it_was_given_to(auction: Game) -> None:
    session = in_the_hall(auction)
    ada, bo = session.host.requests
    session.seat("ben").answer(bo.id, 3)
    with refused("HR663", session):
        session.seat("carl").answer(ada.id, 3)
    with refused("HR662", session):
        session.seat("ben").answer(ada.id, 3)
    with refused("HR661", session):
        session.seat("ben").answer(bo.id, 4)
    with refused("HR662", session):  # a question that is closed is still not hers
        session.seat("anna").answer(bo.id, 4)
    with refused("HR674", session) as caught:
        session.seat("anna").answer("7", 4)
    assert caught.value.diagnostic.help == f"open for `anna`: `{ada.id}`"  # nobody else's
    with refused("HR674", session) as caught:
        session.seat("ben").answer("7", 4)
    assert caught.value.diagnostic.help == "nothing is open for `ben` now"
    with refused("HR670", session):
        session.host.answer(7, 4)  # type: ignore[arg-type]
    session.host.answer(ada.id, 5)  # the host may answer everything
    stale = session.host.requests[0]
    session.host.undo()
    session.seat("anna").answer(ada.id, 4)
    assert session.host.requests[0].path == stale.path
    with refused("HR674", session):
        session.seat("anna").answer(stale.id, 1)


@pytest.mark.parametrize("value", [10, -1, "many", 2.5, None, True, [1], {"pick": 30}, {}, {"a": object()}, "9" * 5000])
def test_a_wrong_answer_changes_nothing(auction: Game, value: Any) -> None:
    session = in_the_hall(auction)
    with refused("HR620", session):
        session.seat("anna").answer(session.host.requests[0].id, value)


@pytest.mark.parametrize(
    "value", ["c99", {"pick": -1}, {"pick": 99}, {"pick": [0, 1]}, {"pick": 0, "x": 1}, 0, False, []]
)
def test_what_is_no_option_is_refused(bluff: Game, value: Any) -> None:
    session = at_night(bluff, 1)
    with refused("HR620", session):
        session.seat("u").answer(session.host.requests[0].id, value)


def test_what_nobody_plays_is_left_to_the_host(duel: Game) -> None:
    session = on_the_bridge(duel, players={"ben": ["bo"]})
    (request,) = session.host.requests
    assert (request.who, request.player) == ("ann", None)
    with refused("HR662", session):
        session.seat("ben").answer(request.id, "pass")
    session.host.answer(request.id, "pass")


@pytest.mark.parametrize(
    ("players", "code"),
    [({"anna": ["ann", "zoe"]}, "HR664"), ({"anna": ["ann"], "ben": ["ann"]}, "HR665"), ({"anna": "an"}, "HR664")],
)
def test_players_answer_for_what_there_is_each_for_its_own(duel: Game, players: Any, code: str) -> None:
    with refused(code):
        on_the_bridge(duel, players=players)


def test_only_players_look(duel: Game) -> None:
    session = on_the_bridge(duel)
    with refused("HR663", session):
        session.seat("carl")
    for nobody in (None, "", 1, ["anna"]):
        with refused("HR670" if nobody != "" else "HR663", session):
            session.seat(nobody)  # type: ignore[arg-type]


def test_a_rule_that_is_refused_after_an_answer_leaves_all_as_it_was() -> None:
    game = interpreter.loads(
        """
        ruleset: greed
        mechanics:
          grab:
            steps:
              rolled: {roll: d6}
              many:  {choose: number, from: 0, to: 5000}
              dice:  {repeat: many, each: {ten: {roll: 10d6}}}
        """.replace("\n        ", "\n")
    )
    session = game.begin("grab", seed=1)
    with refused("HR631", session):
        session.host.answer(session.host.requests[0].id, 5000)
    session.host.answer(session.host.requests[0].id, 2)
    assert session.over


def test_questions_are_asked_one_by_one_where_a_host_can_wait(duel: Game) -> None:
    asked = []

    def ask(request: Request) -> Any:
        asked.append(request.path)
        return request.options[0] if request.kind == "one" else None

    session = on_the_bridge(duel).run(ask)
    assert session.over and session.result is not None and session.result.outcome == "won" and "peace" in asked
    plain = interpreter.loads("ruleset: plain\nmechanics: {say: {steps: {what: {choose: text}}}}").begin("say")
    with refused("HR621", plain):
        plain.run(lambda request: None)
    assert plain.run(lambda request: "well").result.values["what"] == "well"


@pytest.mark.parametrize("text", ["a" * 10_001, "\ud800", 7, None, ["a"], True])
def test_a_text_is_one_that_can_be_kept(text: Any) -> None:
    session = interpreter.loads("ruleset: plain\nmechanics: {say: {steps: {what: {choose: text}}}}").begin("say")
    with refused("HR620", session):
        session.host.answer(session.host.requests[0].id, text)


# Any rule, dice on the table, policies ---------------------------------------------------------------------------


def test_every_rule_can_be_begun_by_its_path(duel: Game, cards: Game) -> None:
    state = duel.state(ann={"is": "duellist"}, bo={"is": "duellist"}, cy={"is": "duellist"}, scene={
        "duellists": ["ann", "bo", "cy"], "round": 1})  # fmt: skip
    shove = duel.begin("actions.shove", state=state, actor="ann", seed=1)
    assert shove.host.requests[0].options == ("bo", "cy")
    shove.host.answer(shove.host.requests[0].id, "cy")
    assert shove.result.inputs["actor"].id == "ann" and shove.result.outcome is None
    assert duel.resume(shove.to_json()).result.to_data() == shove.result.to_data()
    dealt = cards.begin("deal", state=cards.state(una={"is": "gambler"}), to="una", many=2, seed=1)
    assert dealt.over and dealt.host.requests == () and dealt.result.values["held"] == {"happened": True}
    with refused("HR674", dealt):
        dealt.host.answer("1", "queen")
    with refused("HR601"):
        duel.begin("duell")


def test_a_scene_that_is_under_way_goes_on_in_a_session(duel: Game) -> None:
    state = duel.state(ann={"is": "duellist"}, bo={"is": "duellist"})
    after = duel.play("duel", state=state, rounds=1, seed=3, duellists=["ann", "bo"]).state
    session = duel.begin("duel", state=after, seed=4, duellists=["ann", "bo"])
    assert session.host.view()["scene"]["round"] == 2
    assert duel.resume(session.to_json()).to_json() == session.to_json()


def test_a_result_of_a_session_is_replayed_as_any_other(duel: Game) -> None:
    session = on_the_bridge(duel)
    for _ in played_on(session, 4):
        pass
    assert session.over
    assert duel.replay(session.result).outcome == session.result.outcome


def test_dice_on_the_table_are_asked_for(duel: Game) -> None:
    session = on_the_bridge(duel, seed=None, dice="table")
    (request,) = session.host.requests
    assert (request.kind, request.path, request.dice) == ("faces", "nerve.die", ({"die": "d6", "size": 6},))
    for value, code in (([1, 2], "HR613"), ([7], "HR612"), ("x", "HR612"), (None, "HR620"), ([], "HR613")):
        with refused(code, session):
            session.seat("anna").answer(request.id, value)
    for face in (3, [1], "6"):  # whoever sits there may say what lies there
        session.seat("ben").answer(session.host.requests[0].id, face)
    assert session.host.requests[0].who == "cy"
    session.host.undo()
    assert session.host.requests[0].kind == "faces"
    with refused("HR105"):
        on_the_bridge(duel, dice="tabel")


def test_a_pile_that_nobody_sees_is_drawn_from_by_the_host(cards: Game) -> None:
    state = cards.state(una={"is": "gambler"})
    session = cards.begin("deal", state=state, players={"u": ["una"]}, dice="table", to="una", many=1)
    assert session.seat("u").requests == ()
    with refused("HR662", session):
        session.seat("u").answer(session.host.requests[0].id, "queen")
    session.host.answer(session.host.requests[0].id, "queen")
    assert session.seat("u").view()["una"]["hand"] == ["queen"]


def test_a_policy_answers_for_those_whom_nobody_plays(duel: Game) -> None:
    asked = []

    def shoves(choice: Choice) -> Any:
        asked.append(choice.by)
        return choice.options[0] if choice.kind == "one" else None  # the rest takes its default

    session = on_the_bridge(duel, policy=shoves)
    for _ in played_on(session, 1):
        assert all(request.player is not None for request in session.host.requests)
    assert set(asked) == {"cy"} and {one.how for one in session.log if one.who == "cy"} == {"policy"}


def test_a_named_policy_is_saved_and_an_unknown_one_refused() -> None:
    game = interpreter.loads(
        """
        ruleset: rowing
        policies: {bold: {push: 2}}
        mechanics:
          row:
            steps:
              speed: {choose: number, from: 0, to: 3, by: cox}
              push: {choose: number, from: 0, to: 3}
              after: {choose: number, from: 0, to: 3, by: cox}
        roles: {cox: Who calls.}
        """.replace("\n        ", "\n")
    )
    session = game.begin("row", policy="bold")
    assert [one.path for one in session.host.requests] == ["speed"]
    again = game.resume(session.to_json())
    again.host.answer(again.host.requests[0].id, 1)
    assert [(one.path, one.how, one.answer) for one in again.log] == [("speed", "given", 1), ("push", "policy", 2)]
    assert [one.path for one in again.host.requests] == ["after"]
    with refused("HR642"):
        game.begin("row", policy="blod")


def test_a_policy_that_answers_nonsense_is_refused_as_answers_are(duel: Game) -> None:
    with refused("HR620"):
        on_the_bridge(duel, players={}, policy=lambda choice: "dance")
    session = on_the_bridge(duel, policy=lambda choice: "dance")
    session.seat("anna").answer(session.host.requests[0].id, "pass")
    with refused("HR620", session):  # that answer leads to nonsense
        session.seat("ben").answer(session.host.requests[0].id, "pass")


def test_a_policy_that_breaks_leaves_all_as_it_was(duel: Game) -> None:
    def breaks(choice: Choice) -> Any:
        raise ZeroDivisionError

    session = on_the_bridge(duel, policy=breaks)
    session.host.answer(session.host.requests[0].id, "pass")
    before = whole_of(session)
    with pytest.raises(ZeroDivisionError):
        session.run(lambda request: "pass")
    assert whole_of(session) == before


def test_a_scene_that_never_ends_runs_into_its_guard_and_that_is_said(duel: Game) -> None:
    session = on_the_bridge(duel, players={}, policy=lambda choice: "pass" if choice.kind == "one" else False)
    assert session.over and session.result.outcome is None and session.result.values["rounds"] == 50
    assert str(session.host.lines()[-1]).strip() == "duel: stopped after 50 rounds, without an outcome"


LOTS = """\
ruleset: lots
ladders: {card: [two, three, ace]}
kinds:
  table: {one: yes, has: {deck: {list_of: card, default: "[two, three, ace]"}}}
  man: {has: {luck: {type: number, default: 1, seen_by: owner}, strength: {type: number, default: 1}}}
scenes:
  day:
    inputs: {men: {list_of: man}}
    round:
      dawn:
        steps:
          turns: {order: men, keys: {strong: {high: it.strength}, lots: random}}
          lucks: {order: men, keys: {lucky: {high: it.luck}, lots: random}}
          card:  {draw: 1, from: table.deck}
          everyone: {for: one, among: turns, each: {own_die: {roll: d6 & d8}}}
    outcomes: {over: scene.round > 0}
"""
LOTS_SCENE = """\
state: lots-scene
of: lots
scene: day
things: {man: {ann: {strength: 0}, bo: {}, cy: {luck: 3}, di: {luck: 0}}}
given: {men: [ann, bo, cy, di]}
players: {anna: [ann], ben: [bo]}
"""


def test_lots_and_draws_on_the_table_say_what_they_are_for() -> None:
    game = interpreter.loads(LOTS, name="lots.yaml")
    men = {"ann": {"strength": 0}, "bo": {}, "cy": {"luck": 3}, "di": {"luck": 0}}
    state = game.state({name: {"is": "man", **has} for name, has in men.items()})
    session = game.begin("day", state=state, dice="table", players={"anna": "ann"}, men=list(men))
    schema = Draft202012Validator(json.loads((bundled.schemas() / "session.json").read_text("utf-8")))
    seen = []
    while session.host.requests:
        (asked,) = session.host.requests
        schema.validate(session.to_data())
        seen.append((asked.path, asked.question, asked.among, session.seat("anna").requests[0].among))
        session.host.answer(asked.id, ["ace"] if asked.path == "card" else [1] * len(asked.dice))
    three = "Lots are drawn: 1 for bo, 2 for cy, 3 for di", ("bo", "cy", "di"), ("bo", "cy", "di")
    two = "Lots are drawn: 1 for cy, 2 for di", ("cy", "di"), ("cy", "di")
    hidden = "Lots are drawn: 1 for ann, 2 for bo", ("ann", "bo"), ()
    assert seen[:4] == [
        ("turns", *three),
        ("turns", *two),
        ("lucks", *hidden),
        ("card", "Drawn from table.deck", (), ()),
    ]
    assert seen[4:] == [("everyone.own_die", "", (), ())] * 4


@pytest.mark.parametrize("alone", [True, False])
def test_who_throws_at_the_table_reads_what_for(tmp_path: Path, alone: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lots.yaml").write_text(LOTS, "utf-8")
    Path("night.yaml").write_text(LOTS_SCENE, "utf-8")
    words = ("play", "lots.yaml", "night.yaml", "--dice", "table", *(("--as", "anna") if alone else ()))
    said = run(*words, typed=b"1\n1\n1\nace\n1 1\n1 1\n1 1\n1 1\n").out
    assert "\nLots are drawn: 1 for bo, 2 for cy, 3 for di\nfaces of d3; Enter leaves it to chance> " in said
    assert ("\nDice for lucks\nfaces of d2; Enter leaves it to chance> " in said) == alone
    assert ("\nLots are drawn: 1 for ann, 2 for bo\n" in said) != alone
    assert "\nDrawn from table.deck\nfaces of deck; Enter leaves it to chance> " in said
    assert "\nDice for own die\nfaces of d6, d8; Enter leaves them to chance> " in said


def test_faces_that_nobody_types_are_left_to_chance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("lots.yaml").write_text(LOTS, "utf-8")
    Path("night.yaml").write_text(LOTS_SCENE, "utf-8")
    came = run("play", "lots.yaml", "night.yaml", "--dice", "table", "--save", "end.json", typed=b"\n" * 8)
    assert came.code == 0 and "HR6" not in came.out + came.err
    assert came.out.count("to chance> ") == 8
    faces = [face for one in json.loads(Path("end.json").read_text("utf-8"))["log"] for face in one["answer"]]
    assert len(faces) == 12 and faces[3] in ("two", "three", "ace") and all(1 <= face <= 8 for face in faces[4:])


# Undo and redo ---------------------------------------------------------------------------------------------------


def test_without_an_answer_there_is_nothing_to_undo_and_after_one_nothing_to_redo(duel: Game) -> None:
    session = on_the_bridge(duel)
    with refused("HR666", session):
        session.host.undo()
    with refused("HR666", session):
        session.host.redo()
    session.host.answer(session.host.requests[0].id, "pass")
    session.host.undo()
    session.host.answer(session.host.requests[0].id, "shove")
    with refused("HR666", session):
        session.host.redo()


def test_the_dice_stay_as_they_fell_when_an_answer_is_taken_back(duel: Game) -> None:
    faces = []
    session = on_the_bridge(duel)
    for target in ("bo", "cy"):
        session.host.answer(session.host.requests[0].id, "shove")
        session.host.answer(session.host.requests[0].id, target)
        faces.append([one.answer for one in session.log if one.how == "chance"])
        session.host.undo(), session.host.undo()
    assert faces[0] == faces[1]


def test_undo_in_a_long_fight_walks_from_the_last_phase_alone(duel: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    session = on_the_bridge(duel, players={}, policy=None)
    for _ in range(30):
        for _ in range(6):
            request = session.host.requests[0]
            session.host.answer(request.id, "pass" if request.kind == "one" else request.who != "ann")
    taken = []
    take: Callable[..., None] = logged_run.Course.take
    monkeypatch.setattr(logged_run.Course, "take", lambda *given: (taken.append(1), take(*given)))
    session.host.undo()
    assert len(session.log) > 80 and len(taken) <= 3


@pytest.mark.parametrize("seed", SEEDS)
def test_undo_all_the_way_back_is_the_beginning_and_redo_the_end(bluff: Game, seed: int) -> None:
    session = at_night(bluff, seed)
    steps = [whole_of(session) for _ in played_on(session, seed, 14)]
    steps.append(whole_of(session))
    for before in reversed(steps[:-1]):
        session.host.undo()
        assert whole_of(session) == before
    assert steps[0] == whole_of(at_night(bluff, seed))
    for after in steps[1:]:
        session.host.redo()
        assert whole_of(session) == after


@pytest.mark.parametrize("seed", SEEDS)
def test_undo_and_redo_at_random_are_one_and_the_same_play(duel: Game, seed: int) -> None:
    dice = random.Random(seed)
    session, straight = on_the_bridge(duel), on_the_bridge(duel)
    for _ in played_on(session, seed):
        back = dice.randint(0, min(3, sum(one.how == "given" for one in session.log)))
        before = whole_of(session)
        for _ in range(back):
            session.host.undo()
        for _ in range(back):
            session.host.redo()
        assert whole_of(session) == before
    for one in session.log:
        if one.how == "given":
            straight.seat(one.by or HOST).answer(one.request, one.answer)
    assert whole_of(straight) == whole_of(session)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_undone_is_given_again_after_a_save_and_goes_when_another_answer_comes(duel: Game, seed: int) -> None:
    session = on_the_bridge(duel)
    for _ in played_on(session, seed, 12):
        pass
    whole, back = whole_of(session), random.Random(seed).randint(1, 4)
    for _ in range(back):
        session.host.undo()
        session = duel.resume(session.to_json())
    for _ in range(back):
        session.host.redo()
        session = duel.resume(session.to_json())
    assert whole_of(session) == whole and session.to_data()["undone"] == []
    session.host.undo()
    session = duel.resume(session.to_json())
    session.host.answer(session.host.requests[0].id, session.to_data()["undone"][-1][0]["answer"])
    with refused("HR666", session):
        session.host.redo()


def test_where_another_policy_goes_on_after_a_save_there_is_nothing_to_redo(duel: Game) -> None:
    session = on_the_bridge(duel, players={})
    session.host.answer(session.host.requests[0].id, "shove")
    session.host.undo()
    again = duel.resume(session.to_data(), policy=lambda choice: None)
    assert again.over and again.to_data()["undone"] == []
    with refused("HR666", again):
        again.host.redo()


# Saving and resuming ---------------------------------------------------------------------------------------------

BEGIN: list[tuple[str, Callable[[Any], Session]]] = [
    ("duel", on_the_bridge),
    ("duel", lambda game: on_the_bridge(game, seed=None, dice="table")),
    ("auction", in_the_hall),
    ("bluff", lambda game: at_night(game, 2)),
]


@pytest.mark.parametrize("which", range(len(BEGIN)))
@pytest.mark.parametrize("seed", range(3))
def test_a_save_at_every_question_resumes_as_what_it_was(which: int, seed: int, request: pytest.FixtureRequest) -> None:
    name, begin = BEGIN[which]
    game: Game = request.getfixturevalue(name)
    schema = json.loads((bundled.schemas() / "session.json").read_text("utf-8"))
    valid = Draft202012Validator(schema)
    session = begin(game)
    for _ in played_on(session, seed, 25):
        text = session.to_json()
        valid.validate(json.loads(text))
        again = game.resume(text)
        assert again.to_json() == text and whole_of(again) == whole_of(session)
        session = again  # and it goes on from there
    valid.validate(session.to_data())
    if session.over:
        last = game.resume(session.to_json())
        assert last.over and last.result.to_data() == session.result.to_data()


def test_a_session_goes_on_in_another_process(auction: Game, tmp_path: Path) -> None:
    session = in_the_hall(auction)
    session.seat("ben").answer(session.host.requests[1].id, 3)
    (tmp_path / "saved.json").write_text(session.to_json(), "utf-8")
    found = next(block for block in blocks(ROOT / "docs" / "embedding.md") if block.file == "auction.yaml")
    (tmp_path / "auction.yaml").write_text(whole(found), "utf-8")
    code = (
        "import interpreter, pathlib\n"
        "session = interpreter.load('auction.yaml').resume(pathlib.Path('saved.json').read_text('utf-8'))\n"
        "session.run(lambda request: request.high)\n"
        "print(session.to_json())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=_environment(), capture_output=True, text=True
    )
    assert done.stderr == ""
    session.run(lambda request: request.high)
    assert json.loads(done.stdout)["now"] == session.host.view()


def test_who_names_no_seed_gets_numbers_that_tell_nothing_of_it(duel: Game) -> None:
    salts = {on_the_bridge(duel, seed=None).beginning.salt for _ in range(3)}
    assert len(salts) == 3 and on_the_bridge(duel, seed=1).beginning.salt == ""


def _broken(data: dict[str, Any], change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    copy = json.loads(json.dumps(data))
    change(copy)
    return copy


TAMPERED: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("HR667", lambda data: data.pop("houserule")),
    ("HR667", lambda data: data.pop("log")),
    ("HR667", lambda data: data.update(players=["anna"])),
    ("HR667", lambda data: data.update(players={"anna": "ann"})),
    ("HR667", lambda data: data.update(seed=True)),
    ("HR667", lambda data: data.update(log={})),
    ("HR677", lambda data: data.update(houserule="session/6")),
    ("HR677", lambda data: data.update(houserule="session")),
    ("HR676", lambda data: data.update(houserule="result/1")),
    ("HR667", lambda data: data.update(houserule=5)),
    ("HR667", lambda data: data.update(session=5)),
    ("HR667", lambda data: data.pop("undone")),
    ("HR667", lambda data: data.update(undone={})),
    ("HR669", lambda data: data.update(undone=[])),
    ("HR669", lambda data: data.update(undone=[[]])),
    ("HR669", lambda data: data.update(undone=[7])),
    ("HR669", lambda data: data["undone"][0].append(data["undone"][0][0])),
    ("HR669", lambda data: data["undone"][0].append(data["log"][0])),
    ("HR669", lambda data: data["undone"][0].insert(0, data["log"][0])),
    ("HR669", lambda data: data["undone"][0][0].update(answer="shove")),
    ("HR669", lambda data: data["undone"][0][0].update(how="guessed")),
    ("HR678", lambda data: data.pop("rules")),
    ("HR678", lambda data: data["rules"].pop("name")),
    ("HR678", lambda data: data["rules"].update(version=7)),
    ("HR678", lambda data: data["rules"].update(units=True)),
    ("HR678", lambda data: data["rules"]["uses"].update(rounding=7)),
    ("HR678", lambda data: data["rules"]["shape"].update(duellist={})),
    ("HR678", lambda data: data["rules"]["shape"]["duellist"]["has"].update(reach=7)),
    ("HR678", lambda data: data["rules"]["shape"]["duellist"]["has"]["reach"].update(seen_by=[7])),
    ("HR667", lambda data: data.update(by=7)),
    ("HR667", lambda data: data.update(options=["x"])),
    ("HR667", lambda data: data.update(digest=7)),
    ("HR667", lambda data: data["boundary"].pop("phase")),
    ("HR667", lambda data: data["boundary"].update(round=True)),
    ("HR667", lambda data: data.update(at=data["boundary"])),
    ("HR667", lambda data: data.update(earlier=[7])),
    ("HR667", lambda data: data.update(host=[])),
    ("HR669", lambda data: data.update(seal="0" * 32)),
    ("HR669", lambda data: data.update(seed=4)),
    ("HR669", lambda data: data["log"].pop()),
    ("HR669", lambda data: data["log"].append(data["log"][-1])),
    ("HR669", lambda data: data["log"].insert(0, 7)),
    ("HR669", lambda data: data["log"][0].update(answer=[1])),
    ("HR669", lambda data: data["log"][0].update(how="guessed")),
    ("HR669", lambda data: data["log"][0].update(extra=1)),
    ("HR669", lambda data: data["log"][0].update(by="carl")),
    ("HR669", lambda data: data["log"][3].update(answer="pass")),
    ("HR669", lambda data: data["log"][3].update(path="moves")),
    ("HR620", lambda data: data["log"][3].update(answer="dance")),
    ("HR669", lambda data: data["now"]["bo"].update(hold=5)),
    ("HR669", lambda data: data["open"][0].update(who="zoe")),
    ("HR669", lambda data: data.update(open=[])),
    ("HR669", lambda data: data.update(over=True)),
    ("HR669", lambda data: data["players"].update(ben=["ann"], anna=["bo"])),
    ("HR659", lambda data: data["state"].update(marks=7)),
    ("HR602", lambda data: data["given"].update(more=1)),
    ("HR601", lambda data: data.update(rule="scenes.chess")),
    ("HR642", lambda data: data.update(policy="blod")),
]


@pytest.mark.parametrize("number", range(len(TAMPERED)))
def test_a_save_that_was_changed_is_refused(duel: Game, number: int) -> None:
    code, change = TAMPERED[number]
    session = on_the_bridge(duel)
    session.seat("anna").answer(session.host.requests[0].id, "shove")
    session.seat("anna").answer(session.host.requests[0].id, "cy")
    session.host.answer(session.host.requests[0].id, "pass")
    session.host.undo()
    with refused(code):
        duel.resume(_broken(session.to_data(), change))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", "[" * 100_000, '{"houserule": [1]}'])
def test_what_is_no_save_is_refused(duel: Game, text: str) -> None:
    with refused("HR667"):
        duel.resume(text)


def test_a_save_of_another_game_is_refused(duel: Game, auction: Game) -> None:
    with refused("HR659"):
        auction.resume(on_the_bridge(duel).to_json())


def test_a_save_of_changed_rules_goes_on_and_tells_what_has_changed(duel: Game) -> None:
    found = next(
        block for block in blocks(ROOT / "docs" / "language" / "scenes.md") if block.file == "bridge-duel.yaml"
    )
    changed = interpreter.loads(whole(found).replace("guard: 50", "guard: 40"), name="bridge-duel.yaml")
    session = on_the_bridge(duel)
    session.seat("anna").answer(session.host.requests[0].id, "shove")
    again = changed.resume(session.to_json())
    assert [(one.kind, one.path) for one in again.adopted] == [("rule", "scenes.duel guard")]
    assert again.host.requests == session.host.requests and again.log == session.log
    assert changed.resume(again.to_json()).adopted == ()


def test_what_a_host_keeps_in_a_save_stays_there(duel: Game) -> None:
    saved = {**on_the_bridge(duel).to_data(), "host": {"portraits": {"ann": "ann.png"}}}
    assert duel.resume(duel.resume(saved).to_json()).to_data() == saved


def test_faces_of_another_seed_are_refused_even_where_the_seal_is_new(duel: Game) -> None:
    """Who works out the seal anew still cannot load the dice."""
    data = on_the_bridge(duel).to_data()
    seal = sealed("", {key: data[key] for key in ("rule", "given", "state", "players", "seed", "salt")})
    for number, one in enumerate(data["log"], 1):
        one["answer"] = [6] if one["answer"] != [6] else [5]
        one["request"] = f"{number}-{seal[:8]}"
        seal = sealed(seal, one)
    with refused("HR669"):
        duel.resume({**data, "seal": seal})


# Whatever comes in ------------------------------------------------------------------------------------------------

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["swap", "pass", "c01", "anna", "ada", "ann", "scenes.duel", {"pick": 0}, "given", "chance"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
MANY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@MANY
@given(value=ANYTHING, by=ANYTHING, moves=st.integers(0, 6))
def test_any_answer_is_taken_or_refused_in_words(bluff: Game, value: Any, by: Any, moves: int) -> None:
    session = at_night(bluff, moves)
    for _ in played_on(session, moves, moves):
        pass
    number = session.host.requests[0].id
    before = session.to_json()
    for player in (by, session.host.requests[0].player):
        try:
            session.seat(HOST if player is None else player).answer(number, value)
            break
        except PlayError:
            assert session.to_json() == before
    assert bluff.resume(session.to_json()).to_json() == session.to_json()


def _places(data: Any, trail: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*trail, key)
        yield from _places(value, (*trail, key))


def test_a_truth_is_no_number_in_a_save(duel: Game) -> None:
    saved = json.loads(on_the_bridge(duel).to_json())
    assert saved["now"]["scene"]["round"] == 1
    saved["now"]["scene"]["round"] = True
    with pytest.raises(PlayError):
        duel.resume(saved)


def _is_sealed(place: tuple[Any, ...]) -> bool:
    """Whether a change there is noticed: what a request only tells people may be worded otherwise by now."""
    return place[0] not in UNSEALED and (place[0] != "open" or len(place) < 3 or place[2] in ASKED)


UNSEALED = {"by", "rules", "options", "digest", "boundary", "earlier"}
"""What a save says of the rules that it was written under, and what is read only if these have changed."""


@MANY
@given(data=st.data(), value=ANYTHING)
def test_any_change_of_what_is_unsealed_is_taken_or_refused_in_words(
    duel: Game, data: st.DataObject, value: Any
) -> None:
    session = on_the_bridge(duel)
    session.seat("anna").answer(session.host.requests[0].id, "shove")
    saved = json.loads(session.to_json())
    trail = data.draw(st.sampled_from(sorted([one for one in _places(saved) if one[0] in UNSEALED], key=str)))
    inner = saved
    for key in trail[:-1]:
        inner = inner[key]
    inner[trail[-1]] = value
    with suppress(PlayError):
        assert duel.resume(saved).to_json()
    with suppress(PlayError):
        assert duel.adopt(saved, proposals=True).kind == "session"


@MANY
@given(data=st.data(), value=ANYTHING)
def test_any_change_of_a_save_is_refused_in_words(duel: Game, data: st.DataObject, value: Any) -> None:
    session = on_the_bridge(duel)
    session.seat("anna").answer(session.host.requests[0].id, "shove")
    session.seat("anna").answer(session.host.requests[0].id, "cy")
    session.host.undo()
    saved = json.loads(session.to_json())
    trail = data.draw(st.sampled_from(sorted([one for one in _places(saved) if _is_sealed(one)], key=str)))
    inner = saved
    for key in trail[:-1]:
        inner = inner[key]
    if inner[trail[-1]] == value and isinstance(inner[trail[-1]], bool) == isinstance(value, bool):
        return  # 1.0 is the number 1: a host may write it so
    inner[trail[-1]] = value
    if value is None and trail[0] in UNKNOWN and len(trail) == 1:
        return  # as a journal leaves it, which is held to its digest
    with pytest.raises(PlayError):
        duel.resume(saved)


@MANY
@given(
    call=st.dictionaries(
        st.sampled_from([*(key for _, keys in CALLS.entries.values() for key in keys), "session", "x"]),
        ANYTHING,
        max_size=4,
    ),
    do=st.sampled_from([*CALLS.entries, "x"]),
)
def test_any_call_of_a_host_has_a_reply(auction: Game, call: dict[str, Any], do: str) -> None:
    desk = HostSessions(auction)
    assert desk.reply(json.dumps(BEGINS).encode())["ok"]
    reply = desk.reply(json.dumps({**call, "do": do}).encode())
    assert reply["ok"] or reply["error"]["code"].startswith("HR")
    json.dumps(reply, ensure_ascii=False)


# What players see ------------------------------------------------------------------------------------------------


def _sees(session: Session, player: str) -> str:
    """All that a player is shown, as text."""
    lines = [(str(line), line.text, line.name) for line in session.seat(player).lines()]
    requests = [one.to_data() for one in session.seat(player).requests]
    return json.dumps([session.seat(player).view(), lines, requests])


@pytest.mark.parametrize("seed", range(20))
def test_nobody_reads_what_is_not_for_their_eyes(bluff: Game, seed: int) -> None:
    session = at_night(bluff, seed)
    own = {"u": "una", "v": "vic"}
    known: dict[str, set[str]] = {player: set() for player in own}
    for _ in played_on(session, seed, 60):
        things = session.host.view()
        for player, me in own.items():
            known[player] |= {*things[me]["hand"], *things["table"]["shown"], *things[me]["bag"]["notes"]}
            shown = set(re.findall(r"\bc\d\d\b", _sees(session, player)))
            assert shown <= known[player], (player, shown - known[player])
            assert session.seat(player).view()[me] == things[me]
            others = [session.seat(player).view()[who] for who in ("una", "vic", "wim") if who != me]
            assert not any({"hand", "nerve", "bag"} & has.keys() for has in others)
            assert session.seat(player).view()["table"].keys() == {"is", "shown"}
        keeper = session.seat("k").view()
        assert keeper["table"].keys() == {"is", "deck", "shown"}
        assert keeper["una"].keys() == {"is", "nerve", "moves"}
    assert "size" not in session.host.view()["una"]  # what is worked out is looked at
    assert session.host.look("una.size") == len(session.host.view()["una"]["hand"])


def test_a_record_tells_that_something_happened_and_not_what(bluff: Game) -> None:
    session = at_night(bluff, 1)
    session.seat("u").answer(session.host.requests[0].id, "hide")
    hidden = session.host.requests[0].options[0]
    session.seat("u").answer(session.host.requests[0].id, hidden)
    mine = "\n".join(map(str, session.seat("u").lines()))
    theirs = "\n".join(map(str, session.seat("v").lines()))
    assert f"card: una chooses {hidden}" in mine and f"gone: [{hidden}] taken from una.hand" in mine
    assert "card: una chooses\n" in theirs and "gone: 1 taken from una.hand" in theirs
    assert "kept: 1 put into table.vault" in mine and "notes" not in theirs
    assert f"{hidden} added to una.bag.notes" in mine


def test_what_a_game_hides_from_nobody_everybody_sees(duel: Game) -> None:
    session = on_the_bridge(duel)
    for _ in played_on(session, 2):
        assert (
            session.seat("anna").lines() == session.host.lines() and session.seat("ben").view() == session.host.view()
        )


# The host --------------------------------------------------------------------------------------------------------


HOUSERULE = [sys.executable, "-c", "from interpreter.cli import main; main()"]


def _environment() -> dict[str, str]:
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", "HOUSERULE": shlex.join(HOUSERULE)}


def host(
    folder: Path, *lines: str | dict[str, Any] | bytes, ruleset: str = "auction.yaml", scenes: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    """What `houserule host` replies to lines, in a process of its own."""
    found = next(block for block in blocks(ROOT / "docs" / "embedding.md") if block.file == "auction.yaml")
    (folder / "auction.yaml").write_text(whole(found), "utf-8")
    told = [line if isinstance(line, bytes) else (json.dumps(line) if isinstance(line, dict) else line).encode()
            for line in lines]  # fmt: skip
    command = [*HOUSERULE, "host", ruleset, *scenes]
    done = subprocess.run(command, cwd=folder, env=_environment(), input=b"\n".join(told) + b"\n", capture_output=True)
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


BEN = {"player": "ben"}

BEGINS: dict[str, Any] = {
    "do": "begin", "rule": "sale", "seed": 3, "given": {"buyers": ["ada", "bo"]},
    "things": {"ada": {"is": "buyer"}, "bo": {"is": "buyer", "coins": 4}},
    "players": {"anna": ["ada"], "ben": ["bo"]},
}  # fmt: skip


def test_a_host_plays_in_lines(auction: Game, tmp_path: Path) -> None:
    plain = in_the_hall(auction)
    ada, bo = (one.id for one in plain.host.requests)
    begun, kept, twice, saved, forgot, resumed, played, *rest, bye = host(
        tmp_path, BEGINS,
        {"do": "answer", "request": bo, "value": 3, "viewer": BEN, "tag": {"any": 1}},
        {"do": "answer", "request": bo, "value": 3, "viewer": BEN},
        {"do": "save", "viewer": "host"}, {"do": "forget"}, {**BEGINS, "session": "other"},
        {"do": "answer", "request": ada, "value": 5, "session": "other", "viewer": "host"},
        {"do": "view", "session": "other", "viewer": BEN},
        {"do": "lines", "session": "other", "viewer": BEN},
        {"do": "look", "session": "other", "expression": "ada.coins", "viewer": "host"},
        *({"do": do, "session": "other", "viewer": "host"} for do in ("undo", "redo", "log", "result")),
        {"do": "sessions"},
        {"do": "requests", "session": "other", "viewer": BEN},
        {"do": "requests", "session": "other", "viewer": "spectator"}, {"do": "quit"}, {"do": "sessions"},
    )  # fmt: skip
    assert begun == {"ok": True, "asked": ["anna", "ben"], "round": 1, "over": False}  # and shows nothing
    assert kept == {"ok": True, "tag": {"any": 1}, "requests": [], "asked": ["anna"], "round": 1, "over": False}
    assert twice["error"]["code"] == "HR661" and "undo" in twice["error"]["help"]
    assert saved["saved"]["log"][0]["answer"] == 3 and forgot == {"ok": True} and resumed["ok"]
    assert [one["id"] for one in played["requests"]] == [bo]
    view, lines, look, undone, redone, log, result, names, asked, watched = rest
    assert view["things"]["bo"]["coins"] == 4 and "coins" not in view["things"]["ada"]
    assert [one["shown"] for one in lines["lines"]][1:] == ["  round: 1"]
    assert look["value"] == 9 and len(undone["requests"]) == 2 and redone["requests"] == played["requests"]
    assert log["log"][0]["who"] == "ada" and result["result"] is None and names["sessions"] == ["other"]
    assert [one["who"] for one in asked["requests"]] == ["bo"] and bye == {"ok": True}
    assert watched == {"ok": True, "requests": [], "asked": ["ben"], "round": 1, "over": False}


def test_a_host_resumes_what_another_one_saved(tmp_path: Path) -> None:
    save = {"do": "save", "viewer": "host"}
    saved = host(tmp_path, BEGINS, save)[1]["saved"]
    again, asked = host(tmp_path, {"do": "resume", "saved": saved}, save)
    assert again["ok"] and asked["saved"] == saved


ASKS: dict[str, Any] = {"do": "requests", "viewer": "host"}
ANSWERS: dict[str, Any] = {"do": "answer", "request": "1", "value": 1}

HOST_ERRORS: list[tuple[Any, str]] = [
    ("{", "HR670"), ("[]", "HR670"), ("7", "HR670"), ("[" * 100_000, "HR670"), (b"\xff", "HR670"), ("{}", "HR670"),
    ({"do": 7}, "HR670"), ({"do": "beginn"}, "HR671"), ({**ASKS, "session": "zoo"}, "HR672"),
    ({**ASKS, "session": 7}, "HR670"), (BEGINS, "HR673"), ({**ASKS, "viewer": 7}, "HR670"),
    ({"do": "requests", "viewer": {"player": 7}}, "HR670"), ({"do": "requests", "viewer": {"plyer": "ben"}}, "HR670"),
    ({"do": "requests", "viewer": {**BEN, "host": True}}, "HR670"), ({"do": "requests", "viewer": "ben"}, "HR670"),
    ({"do": "requests", "plyer": "anna"}, "HR670"), ({"do": "answer", "request": "1", "viewer": "host"}, "HR670"),
    ({"do": "answer", "value": 1, "viewer": "host"}, "HR670"), ({**ANSWERS, "viewer": "host"}, "HR674"),
    ({**ANSWERS, "viewer": "spectator"}, "HR662"), ({"do": "refuse", "until": "round", "viewer": "spectator"}, "HR662"),
    ({**ANSWERS, "until": "round", "for_everybody": True, "viewer": BEN}, "HR675"),
    ({"do": "lines", "since": 7, "viewer": "host"}, "HR670"), ({"do": "view", "viewer": {"player": "carl"}}, "HR663"),
    ({"do": "undo", "viewer": "host"}, "HR666"), ({"do": "undo", "viewer": BEN}, "HR670"),
    ({"do": "look", "expression": "ada.(", "viewer": "host"}, "HR2"), ({"do": "look", "viewer": "host"}, "HR670"),
    ({**BEGINS, "session": "b", "players": {"anna": 7}}, "HR670"), ({**BEGINS, "session": "b", "seed": True}, "HR670"),
    ({**BEGINS, "session": "b", "rule": "sail"}, "HR601"), ({**BEGINS, "session": "b", "things": []}, "HR670"),
    ({**BEGINS, "session": "b", "given": {"buyers": ["zoe"]}}, "HR650"), ({"do": "resume", "session": "b"}, "HR667"),
    ({**BEGINS, "session": "b", "dice": "loaded"}, "HR105"), ({"do": "begin", "session": "b"}, "HR670"),
    (b'{"do": "look", "viewer": "host", "expression": "' + b"a" * 70_000 + b'"}', "HR2"),
    (b'{"do": "answer", "viewer": "host", "request": "\\ud800", "value": 1}', "HR674"),
    ({"do": "begin", "rule": {}}, "HR673"),
]  # fmt: skip


def test_what_a_host_does_not_understand_is_told_in_data_and_it_goes_on(tmp_path: Path) -> None:
    replies = host(tmp_path, BEGINS, *(line for line, _ in HOST_ERRORS), "", "  ", ASKS)
    assert len(replies) == len(HOST_ERRORS) + 2
    for (line, code), reply in zip(HOST_ERRORS, replies[1:-1], strict=True):
        assert not reply["ok"] and reply["error"]["code"].startswith(code), (line, reply)
        assert reply["error"].keys() == {"code", "message", "help"}
    assert replies[-1]["ok"] and [one["who"] for one in replies[-1]["requests"]] == ["ada", "bo"]


def test_a_call_without_a_viewer_shows_nothing_and_says_what_to_write(tmp_path: Path) -> None:
    given = {"request": "1-7e0949c1", "value": 1, "until": "round", "expression": "1", "actor": "ada", "action": "buy",
             "rule": "sale", "with": {"given": {}}}  # fmt: skip
    names = [name for name, (_, keys) in CALLS.entries.items() if "viewer" in keys]
    calls = [{"do": name, **{key: given[key] for key in CALLS.entries[name][1] if key in given}} for name in names]
    for call in calls:
        if call["do"] in ("problems", "roll", "act", "odds", "compare", "simulate"):
            call["state"] = "now"
    for name, reply in zip(names, host(tmp_path, BEGINS, *calls)[1:], strict=True):
        assert reply == {"ok": False, "error": {
            "code": "HR670", "message": f"this is not a valid call: `viewer` of `{name}` is missing",
            "help": 'write who looks: `"viewer": {"player": NAME}`, `"viewer": "spectator"` or `"viewer": "host"`, '
            "who sees all",
        }}  # fmt: skip


def test_a_host_says_what_a_call_takes_that_lacks_something(tmp_path: Path) -> None:
    asked = {"viewer": "host"}
    calls = ({"call": "begin"}, {"do": ["begin"]}, {"do": "answer", "request": "1", **asked}, {"do": "look", **asked})
    nameless, listed, answer, look = (one["error"]["help"] for one in host(tmp_path, BEGINS, *calls)[1:])
    assert nameless == listed and nameless.startswith("`do` names the call, one of `begin`, ")
    assert answer == "`answer` takes `viewer`, `request`, `value`, `until`, `for_all`, `for_everybody`, `beside`"
    assert look.startswith("`look` takes `")


def test_every_call_is_on_the_page() -> None:
    text = (ROOT / "docs" / "embedding.md").read_text("utf-8").split("\n## Hosts in any language")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|(.*?)\|", text, re.MULTILINE)
    told = {name: takes for names, takes in rows for name in re.findall(r"`(\w+)`", names)}
    assert {name: set(re.findall(r"`(\w+)`", takes)) for name, takes in told.items() if name != "do"} == {
        name: set(known) for name, (_, known) in CALLS.entries.items()
    }


def test_a_chat_plays_a_scene_through_the_host(tmp_path: Path) -> None:
    host(tmp_path)
    begins = {key: BEGINS[key] for key in ("things", "players", "given", "seed")}
    (tmp_path / "things.json").write_text(json.dumps(begins), "utf-8")
    said = "anna: 9\nben: 5\nben: 3\ncarl: 1\nben: undo\nben: 2\nanna: look\nanna: hm\nben: 4\nanna: 0\nanna: 1\n"
    chat = ROOT / "docs" / "examples" / "chat.py"
    done = subprocess.run(
        [sys.executable, str(chat), "auction.yaml", "sale", "things.json"],
        cwd=tmp_path, env=_environment(), input=said, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.stderr == ""
    told = done.stdout.splitlines()
    assert "[ben] 1. bo: How much for the lamp? (0 to 4) [0]" in told
    assert "[ben] no: `5` is not a valid answer to “How much for the lamp?” (allowed: 0 to 4)" in told
    assert "[carl] no: there is no player `carl` (there are: `anna`, `ben`)" in told
    assert "[ben]     bids: ada chooses 9" in told and "[all] ben takes the last answer back" in told
    assert "[anna] ada: is buyer, coins 0, lamps 1" in told and "[anna] bo: is buyer, lamps 0" in told
    assert told[-1] == "[all] it is over: sold_out"
    secret = told.index("[ben] no: `5` is not a valid answer to “How much for the lamp?” (allowed: 0 to 4)")
    assert not any("9" in line for line in told[:secret] if line.startswith("[ben]"))


SALE = """\
state: evening
of: auction
title: An evening sale
scene: sale
things: {buyer: {ada: {}, bo: {coins: 4}}}
given: {buyers: [ada, bo]}
players: {anna: [ada], ben: [bo]}
"""


def test_a_host_plays_a_scene_file_by_its_name_and_explains_what_may_be_done(tmp_path: Path) -> None:
    host(tmp_path)
    (tmp_path / "evening.yaml").write_text(SALE)
    scene = load_scene(tmp_path / "evening.yaml")
    assert (scene.title, scene.rule, dict(scene.players)) == (
        "An evening sale", "scenes.sale", {"anna": ("ada",), "ben": ("bo",)},
    )  # fmt: skip
    calls = [
        {"do": "scenes"},
        {"do": "begin", "scene": "evening", "seed": 3},
        {"do": "begin", "scene": "evening", "rule": "sale", "session": "two"},
        {"do": "begin", "scene": "morning", "session": "two"},
        {"do": "begin", "scene": "evening", "players": {"carl": ["ada", "bo"]}, "session": "two"},
        {"do": "explain", "rule": "scenes.sale"},
        {"do": "possible", "actor": "ada", "viewer": "host"},
        {"do": "save", "viewer": "host"},
        {"do": "possible", "viewer": {"player": "carl"}, "session": "two"},
        {"do": "possible", "viewer": {"player": "anna"}, "actor": "bo"},
        {"do": "requests", "viewer": "host"},
    ]
    told = io.BytesIO()
    serve(scene.game, io.BytesIO(b"".join(json.dumps(call).encode() + b"\n" for call in calls)), told, scenes=[scene])
    replies = [json.loads(line) for line in told.getvalue().splitlines()]
    assert [one["ok"] for one in replies] == [*(True, True, False, False, True), *(True, True, True, True, False, True)]
    assert replies[3]["error"]["help"] == (
        "it was started with: `evening`; start the host with it: `houserule host RULESET SCENE`; SCENE is a file or "
        "comes with the ruleset"
    )
    assert replies[9]["error"]["message"] == "`anna` does not answer for `bo`"
    assert replies[0]["scenes"][0]["players"] == {"anna": ["ada"], "ben": ["bo"]}
    assert replies[1]["asked"] == ["anna", "ben"] and replies[4]["asked"] == ["carl"]
    assert "`bids`" in "\n".join(replies[5]["lines"])
    begun = scene.begin(seed=3)
    assert [one.to_data() for one in begun.host.requests] == replies[10]["requests"]
    assert scene.inputs == {"buyers": ["ada", "bo"]}  # plain data
    assert scene.game.begin(scene.rule, state=scene.state, seed=3, **scene.inputs).host.requests
    again = scene.game.resume(replies[7]["saved"])
    assert [one.id for one in again.host.requests] == [one.id for one in begun.host.requests]


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 3}, {"players": "anna"}, {"players": {"anna": 3}}, {"players": {"anna": [3]}},
        {"players": {1: ["ada"]}}, {"players": {"": ["ada"]}}, {"players": {"\ud800": ["ada"]}}, {"seed": "x"},
        {"seed": True}, {"seed": 1.5}, {"seed": 10**5000}, {"dice": {}}, {"policy": 3}, {"inputs": 3},
        {"inputs": {1: 2}}, {"state": 3}, {"rule": None}, {"rule": []}, {"rule": "sail"},
    ],
)  # fmt: skip
def test_what_a_session_cannot_begin_with_is_a_message(auction: Game, wrong: dict[str, Any]) -> None:
    how = {"state": auction.state(ada={"is": "buyer"}, bo={"is": "buyer"}), "inputs": {"buyers": ["ada", "bo"]}}
    rule = wrong.get("rule", "sale")
    with pytest.raises(PlayError):
        auction.begin(rule, **{**how, **{name: one for name, one in wrong.items() if name != "rule"}})


@pytest.mark.parametrize(
    "name", ["", "a b", "a.b", "none", "yes", "1", "ada.coins", "\u0430da", "x²", "\u0308a", "_ada", "ä-ö", "⚀"]
)
def test_a_thing_has_a_name_that_expressions_can_read(auction: Game, name: str) -> None:
    with pytest.raises(PlayError):
        auction.state({name: {"is": "buyer"}})


@pytest.mark.parametrize(("typed", "name"), [("ä", "ä"), ("a\u0308", "ä"), ("Йод", "Йод"), ("И\u0306од", "Йод")])
def test_the_name_of_a_thing_may_have_letters_of_any_script(auction: Game, typed: str, name: str) -> None:
    state = auction.state({typed: {"is": "buyer"}, "bo": {"is": "buyer"}})
    assert auction.begin("sale", state=state, inputs={"buyers": [typed, "bo"]}).host.requests
    assert auction.to_data(state)["things"].keys() == {name, "bo"}


def test_a_bundled_scene_is_known_by_its_name() -> None:
    files = [file for folder in bundled.rulesets().values() for file in folder.parent.glob("scenes/*.yaml")]
    assert sorted(bundled.scenes().values()) == sorted(files), "two scenes have the same name"
    scene = load_scene("duel")
    assert scene.game.name == "fiend-wake" and scene.begin(seed=1).host.requests
    with pytest.raises(RulesetError, match="did you mean `castle`"):
        load_scene("castel")
    for name, told in (
        ("castle", "it is a scene file"),
        ("combatt", "did you mean `combat`"),
        ("x", "scenes: `combat`"),
    ):
        with refused("HR601") as caught:
            scene.game.begin(name)
        assert (caught.value.diagnostic.help or "").startswith(told)


def test_who_asks_what_is_possible_learns_it_of_nobody_else() -> None:
    session = load_scene("castle").begin(seed=3)
    mine = session.seat("carl").possible()
    assert mine.keys() <= set(session.players["carl"]) and mine
    assert session.host.possible().keys() > mine.keys()
    (name,) = session.seat("anna").possible("flint")
    assert name == "flint"
    with refused("HR662", session):
        session.seat("carl").possible("flint")
    with refused("HR662", session):
        session.seat("carl").why_not("flint", "evacuate")
    reason = session.seat("carl").why_not("anvil", "evacuate")
    assert reason is not None and reason.message.endswith("whoever is in a place")
    assert session.seat("anna").why_not("flint", "evacuate") is None


def test_a_limit_of_a_kind_of_action_is_given_as_the_reason() -> None:
    session = load_scene("castle").begin(seed=3)
    while session.host.requests[0].name != "moves":
        session.host.answer(session.host.requests[0].id, session.host.requests[0].default)
    who = session.host.requests[0].who
    assert who is not None
    pick = (session.host.requests[0].options or ()).index("assault")
    session.host.answer(session.host.requests[0].id, {"pick": pick})
    while session.host.requests[0].who != who or session.host.requests[0].name != "moves":
        one = session.host.requests[0]
        session.host.answer(one.id, one.default if one.has_default else {"pick": 0})
    reason = session.host.why_not(who, "first_aid")
    assert reason is not None
    assert reason.message == "only one `full` action may be done in a turn, and one has been done; `first_aid` is one"


def test_a_host_tells_why_somebody_cannot_act(tmp_path: Path) -> None:
    duel = host(
        tmp_path, {"do": "begin", "scene": "duel", "seed": 1},
        {"do": "why_not", "viewer": "host", "actor": "dorn", "action": "set_off"},
        {"do": "why_not", "viewer": "host", "actor": "dorn", "action": "run_away"},
        {"do": "why_not", "viewer": "host", "actor": "dorn"},
        {"do": "why_not", "viewer": "host", "actor": "nowhere", "action": "run_away"},
        {"do": "explain"},
        ruleset="fiend-wake", scenes=("duel",),
    )  # fmt: skip
    _, cannot, can, slip, no_fighter, rules = duel
    assert no_fighter["why_not"]["message"] == "`nowhere` cannot do `run_away`, which is for a combatant"
    assert any(line.strip().startswith("upkeep: ") for line in rules["lines"])
    assert cannot["why_not"]["message"].endswith("whoever has a charge")
    assert can["why_not"] is None and "`action` is missing" in slip["error"]["message"]

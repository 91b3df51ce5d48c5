"""Seats: what a viewer is asked, and that no reply to a seat tells what its viewer may not see.

Every bundled scene is played twice under a house rule with hidden values, from the same seed and with the same answers;
the two runs differ in nothing but what one thing hides. Whatever a seat that may not see it is told must be the same.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import games
import pytest

import interpreter
from interpreter import HOST, SPECTATOR, Game, PlayError, Request, Seat, Session, bundled, loads
from interpreter.api import scene_file
from interpreter.api.playable_scene import PlayableScene, scene_of
from interpreter.host.sessions import CALLS, HostSessions
from interpreter.play.available_actions import PASS
from interpreter.report.trace import Wording

VEIL = """
ruleset: veiled
extends: {base}
changes:
  kinds.{kind}.has.secret: {{add: {{type: number, from: 0, default: 0, seen_by: owner}}}}
  kinds.{kind}.has.omen:   {{add: {{is: secret * 3, seen_by: owner}}}}
  kinds.{kind}.has.told:   {{add: {{type: number, from: 0, default: 0, seen_by: owner}}}}
  mechanics.weigh: {{add: {{title: Weigh a secret, inputs: {{one: {{type: number}}}}, steps: {{twice: one * 2}}}}}}
  actions.whisper:
    add:
      title: Whisper
      shows: "you know {{actor.secret}}"
      actor: {{type: {kind}, where: it.secret >= 0}}
      inputs: {{to: {{type: {kind}, where: it is not actor and it.secret < 5000}}}}
      steps: {{heard: {{set: actor.told, to: actor.told + to.secret}}}}
  actions.boast:
    add:
      title: Boast
      actor: {{type: {kind}, where: it.secret < 1000}}
      steps: {{heard: {{set: actor.told, to: actor.secret}}}}
  scenes.{scene}.round.murmurs:
    before: {first}
    add:
      title: Secrets are weighed
      steps:
        everybody:
          for: one
          among: scene.{present}
          each:
            weighed: {{call: weigh, with: {{one: one.secret + one.omen}}}}
            kept:    {{set: one.told, to: weighed.twice}}
"""
"""What one hides: as a value, derived, given to a rule, and in what one may do."""

BASES = {
    "fiend-wake": ("combatant", "combat", "fighters", "round_prep"),
    "2d20": ("character", "combat", "present", "turns"),
    "blades": ("scoundrel", "score", "crew", "deeds_of_all"),
    "dnd5e": ("creature", "combat", "creatures", "turns_of_all"),
    "jadeclaw": ("character", "fight", "fighters", "turns_of_all"),
    "savage-worlds": ("fighter", "fight", "fighters", "turns_of_all"),
    "year-zero": ("fighter", "fight", "fighters", "turns_of_all"),
}
"""The kind that hides a value, the scene, its input with all of them, and its first phase."""

HIDDEN = ("7731", "8842")
SCENES = sorted(path for path in bundled.scenes().values())
ANSWERS = 9


@pytest.fixture(scope="module")
def veiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Game]:
    folder, games = tmp_path_factory.mktemp("veil"), {}
    for base, (kind, scene, present, first) in BASES.items():
        text = VEIL.format(base=base, kind=kind, scene=scene, present=present, first=first)
        (folder / f"{base}-veiled.yaml").write_text(text)
        games[base] = interpreter.load(folder / f"{base}-veiled.yaml")
    return games


def begun(scene: PlayableScene, who: str, secret: str) -> HostSessions:
    """A host with one session of a scene in which one hides a value."""
    game = scene.game
    things = game.to_data(scene.state)
    things["things"][who]["secret"] = int(secret)
    host = HostSessions(game)
    host.sessions["main"] = game.begin(
        scene.rule, state=game.state(things), players=scene.players, seed=5, inputs=scene.inputs
    )
    return host


def seats_of(session: Session) -> Iterator[Seat]:
    for viewer in (*session.players, SPECTATOR):
        yield session.seat(viewer)


def viewer_data(seat: Seat) -> Any:
    return {"player": seat.viewer} if isinstance(seat.viewer, str) else "spectator"


def told(host: HostSessions, seat: Seat, names: list[str]) -> str:
    """Everything that a seat is told, in Python and by the calls of a host, with every error on the way."""
    session = host.sessions["main"]
    viewer, replies = viewer_data(seat), []
    requests = [one.id for one in session.host.requests]
    calls: list[dict[str, Any]] = [
        {"do": name} for name in ("requests", "lines", "view", "possible", "standing", "undo", "look", "log", "result",
                                  "save")
    ]  # fmt: skip
    for who in names:
        calls.append({"do": "possible", "actor": who})
        calls += [{"do": "why_not", "actor": who, "action": name} for name in ("whisper", "boast")]
    calls += [{"do": "answer", "request": one, "value": {"no": "answer"}} for one in (*requests, "1-none")]
    for call in calls:
        if call["do"] == "look":
            call["expression"] = f"{names[0]}.secret"
        if "viewer" in CALLS.entries[call["do"]][1]:
            replies.append(host.reply(json.dumps({**call, "viewer": viewer})))
    replies += [[str(line) for line in seat.lines()], seat.view(), [one.to_data() for one in seat.requests]]
    replies += [seat.story(), seat.turn and [seat.turn.who, seat.turn.then]]
    for request in requests:
        told = (seat.before, seat.lines_before, lambda one: [str(seat.chances(one))])
        for ask in (*told, lambda one: seat.try_answer(one, "nonsense")):
            try:
                replies.append([str(line) for line in getattr(ask(request), "lines", ask(request)) or ()])
            except PlayError as error:
                replies.append(str(error))
    replies += [repr(seat), repr(seat.standing), str(seat.refuses)]
    return re.sub(r"\b\d+-[0-9a-f]{8}\b", "ID", json.dumps(replies, default=str))


def some_answer(session: Session, chance: random.Random) -> tuple[int, Any]:
    """The place of an open request and an answer to it that no hidden value decides."""
    requests = session.host.requests
    place = chance.randrange(len(requests))
    one = requests[place]
    options = [option for option in one.options or () if option not in ("whisper", "boast")]
    if options and one.kind == "one":
        return place, chance.choice(options)
    return place, one.default if one.has_default else options[: one.least] if one.kind == "some" else one.low


@pytest.mark.parametrize("path", SCENES, ids=[one.stem for one in SCENES])
def test_a_seat_is_told_the_same_whatever_others_hide(veiled: dict[str, Game], path: Path) -> None:
    written = scene_file.read(path)
    scene = scene_of(written, veiled[Path(written.ruleset.text).stem])
    player, names = list(scene.players.items())[-1]
    fighters = [name for one in scene.players.values() for name in one if name != "game_master"]
    one, other = (begun(scene, names[0], secret) for secret in HIDDEN)
    chance = random.Random(path.stem)
    for _ in range(ANSWERS):
        for seat, twin in zip(seats_of(one.sessions["main"]), seats_of(other.sessions["main"]), strict=True):
            here, there = (told(host, each, fighters) for host, each in ((one, seat), (other, twin)))
            if seat.viewer == player:
                assert HIDDEN[0] in here and HIDDEN[1] in there  # who hides it sees it
            else:
                assert here == there
                assert not any(value in here for value in (HIDDEN[0], str(int(HIDDEN[0]) * 3)))
        if one.sessions["main"].over:
            break
        place, value = some_answer(one.sessions["main"], chance)
        for host in (one, other):
            session = host.sessions["main"]
            session.host.answer(session.host.requests[place].id, value)
    kept = str(int(HIDDEN[0]) * 8)
    assert any(kept in str(line) for line in one.sessions["main"].host.lines())  # what was computed of it


def usual_answer(request: Request) -> Any:
    """The default, or else an answer that does as little as may be."""
    return request.default if request.has_default else PASS if PASS in (request.options or ()) else {"pick": 0}


def any_answer(request: Request, chance: random.Random) -> Any:
    """An answer among options, or a number."""
    if request.low is not None and request.high is not None:
        return chance.randint(request.low, request.high)
    return (
        {"pick": chance.randrange(len(request.options))}
        if request.kind == "one" and request.options
        else (usual_answer(request))
    )


DEN = """
ruleset: den
kinds:
  rogue:
    has:
      gold:  {type: points, from: 0, to: 9999, starts: 0, seen_by: owner}
      loot:  {type: number, from: 0, default: 0}
      moves: {type: points, to: 9, starts: 9, lasts: turn}
actions:
  rob:
    title: Rob
    actor: rogue
    inputs: {target: {type: rogue, where: it is not actor}}
    steps: {took: {set: actor.loot, to: 5 - target.gold}}
  bribe:
    title: Bribe
    actor: rogue
    inputs: {target: {type: rogue, where: it is not actor}}
    cost: {moves: target.gold}
    steps: {done: yes}
  feast:
    title: Feast
    actor: rogue
    cost: {gold: 100}
    steps: {done: yes}
  boast:
    title: Boast
    actor: rogue
    requires: {rich: actor.gold > 50}
    steps: {done: yes}
scenes:
  den:
    inputs: {rogues: {list_of: rogue, least: 2}}
    round:
      turns:
        steps:
          everybody:
            for: one
            among: rogues
            each: {own: {turn: one, steps: {does: {offer: [rob, bribe, feast, boast], to: one}}}}
    guard: 9
"""


@pytest.mark.parametrize("gold", HIDDEN)
def test_an_error_tells_no_value_that_the_player_may_not_know(gold: str) -> None:
    game = loads(DEN)
    state = game.state(ann={"is": "rogue", "gold": 7}, bo={"is": "rogue", "gold": int(gold)})
    session = game.begin("den", state=state, players={"anna": ["ann"], "ben": ["bo"]}, seed=1, rogues=["ann", "bo"])
    anna, before = session.seat("anna"), session.to_json()
    with pytest.raises(PlayError) as error:
        anna.answer(anna.requests[0].id, "rob")
    assert str(error.value.diagnostic) == (
        "HR604 this answer leads to an error of the rules, which may tell what is hidden from this player "
        "(the host is told what it is, where it gives the same answer)"
    )
    with pytest.raises(PlayError, match=str(5 - int(gold))):
        session.host.answer(session.host.requests[0].id, "rob")
    assert session.to_json() == before
    reasons = [anna.why_not("ann", action) for action in ("bribe", "feast", "boast")]
    assert [one.message for one in reasons if one is not None] == [
        "this is not possible now, for a reason that this player may not know",
        "this costs 100 of `ann.gold`, but there are only 7",
        "this is not possible: `rich` requires `actor.gold > 50`",
    ]
    told = session.host.why_not("ann", "bribe")
    assert told is not None and gold in told.message


# What a seat can do ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def castle() -> PlayableScene:
    return interpreter.load_scene("castle")


def test_a_seat_has_no_way_to_the_session_and_cannot_be_changed(castle: PlayableScene) -> None:
    seat = castle.begin(seed=1).seat("carl")
    public = {name for name in dir(seat) if not name.startswith("_")}
    assert public == {
        "answer", "ask", "ask_again", "asks", "before", "chances", "lines", "lines_before", "news", "possible",
        "question_of", "react", "refuse", "refuses", "requests", "spent_of", "standing", "story", "try_answer", "turn",
        "view", "viewer", "why_not",
    }  # fmt: skip
    with pytest.raises(AttributeError):
        seat.viewer = HOST  # type: ignore[misc]
    assert repr(seat) == "Seat(viewer='carl')"


def test_a_session_shows_nothing_without_a_viewer(castle: PlayableScene) -> None:
    session = castle.begin(seed=1)
    for name in ("requests", "lines", "view", "possible", "why_not", "standing", "look", "undo", "answer"):
        assert not hasattr(session, name)
    with pytest.raises(TypeError):
        session.seat()  # type: ignore[call-arg]


def test_a_seat_tells_how_the_session_stands_now(castle: PlayableScene) -> None:
    session = castle.begin(seed=1)
    seats = {viewer: session.seat(viewer) for viewer in session.players}
    assert session.asked == tuple(name for name, seat in seats.items() if seat.requests)
    for _ in range(20):
        (name, *_) = session.asked
        one = seats[name].requests[0]
        seats[name].answer(one.id, usual_answer(one))
        assert session.asked == tuple(name for name, seat in seats.items() if seat.requests)
    assert session.seat(HOST).lines() == session.host.lines() == session.seat(SPECTATOR).lines()


def test_a_spectator_is_asked_nothing_and_does_nothing(castle: PlayableScene) -> None:
    session = castle.begin(seed=1)
    seat, before = session.seat(SPECTATOR), session.to_json()
    assert (seat.requests, seat.standing, seat.refuses, seat.possible()) == ((), (), None, {})
    request = session.host.requests[0].id
    for refused in (
        lambda: seat.answer(request, 1), lambda: seat.try_answer(request, 1), lambda: seat.before(request),
        lambda: seat.refuse("round"), seat.ask_again, lambda: seat.possible("flint"),
        lambda: seat.why_not("flint", "evacuate"),
    ):  # fmt: skip
        with pytest.raises(PlayError) as error:
            refused()
        assert error.value.diagnostic.code == "HR662"
    assert session.to_json() == before


# The record, from where a client left off ------------------------------------------------------------------------

GOSSIP = """
ruleset: gossip
kinds:
  cousin:
    has:
      age:    {type: number, default: 40, seen_by: owner}
      shares: {type: yes_no, default: no}
  letter:
    has: {about: {type: number, seen_by: []}}
scenes:
  tea:
    inputs: {cousins: {list_of: cousin, least: 2}}
    round:
      talk:
        steps:
          everyone:
            for: one
            among: cousins
            each:
              own_turn:
                turn: one
                steps:
                  years:  one.age + 1
                  writes: {choose: yes_no, by: one, default: no}
                  sent:   {make: letter, with: {about: years}, if: writes}
    guard: 6
"""


class Client:
    """A client that keeps the record of a seat: it cuts its lines and appends what is new."""

    def __init__(self, session: Session, viewer: Any) -> None:
        self.session, self.viewer = session, viewer
        self.lines: list[str] = []
        self.cursor = ""

    def catch_up(self) -> int:
        """Take over what is new; how many lines that are."""
        news = self.session.seat(self.viewer).news(self.cursor)
        self.lines = [*self.lines[: news.start], *map(str, news.lines)]
        self.cursor = news.cursor
        return len(news.lines)


def loud_lines(session: Session, viewer: Any) -> list[str]:
    return [str(line) for line in session.seat(viewer).lines() if not line.quiet]


@pytest.mark.parametrize("seed", range(3))
def test_a_record_that_is_continued_is_the_record_as_a_whole(seed: int) -> None:
    game = games.game(Path(__file__).parent / "sessions" / "bluff.yaml")
    state = game.state(una={"is": "gambler"}, vic={"is": "gambler"}, wim={"is": "gambler"})
    players = {"u": ["una"], "v": ["vic"], "k": ["keeper"]}
    session = game.begin("night", state=state, players=players, seed=seed, gamblers=["una", "vic", "wim"])
    viewers = [*players, SPECTATOR, HOST]
    prompt, lazy = ([Client(session, viewer) for viewer in viewers] for _ in range(2))
    chance = random.Random(seed)
    for _ in range(40):
        if chance.random() < 0.25 and any(one.how == "given" for one in session.log):
            session.host.undo()
            if chance.random() < 0.5:
                session.host.redo()
        elif not session.over:
            request = session.host.requests[0]
            session.host.answer(request.id, any_answer(request, chance))
        anew = session.game.resume(session.to_json())
        for one in (*prompt, *[client for client in lazy if chance.random() < 0.2]):
            one.catch_up()
            assert one.lines == loud_lines(anew, one.viewer), one.viewer
            assert one.catch_up() == 0  # nothing is new


def test_a_record_tells_again_from_where_earlier_lines_read_otherwise() -> None:
    game = loads(GOSSIP)
    state = game.state(ann={"is": "cousin"}, bo={"is": "cousin"})
    session = game.begin("tea", state=state, players={"anna": ["ann"]}, seed=1, cousins=["ann", "bo"])
    anna, host = Client(session, "anna"), Client(session, HOST)
    for writes in (True, False, True, True):
        session.host.answer(session.host.requests[0].id, writes)
        for one in (anna, host):
            one.catch_up()
            assert one.lines == loud_lines(game.resume(session.to_json()), one.viewer)
    kept = anna.lines
    session.host.undo()
    assert 0 < session.seat("anna").news(anna.cursor).start < len(kept)
    anna.catch_up()
    session.host.redo()
    anna.catch_up()
    assert anna.lines == kept


@pytest.mark.parametrize(
    ("seen_by", "players", "told"),
    [
        ("owner", {"anna": ["ann", "bo"]}, {"anna"}),
        ("owner", {"anna": ["ann"], "ben": ["bo"]}, set()),
        ("[owner, aunt]", {"anna": ["ann"], "ben": ["bo", "aunt"]}, {"ben"}),
        ("[]", {"anna": ["ann", "bo", "aunt"]}, set()),
        ("everybody", {"anna": ["ann"], "ben": ["bo"]}, {"anna", "ben", SPECTATOR}),
    ],
)
def test_what_is_computed_of_hidden_values_is_told_to_who_may_see_those_of_all(
    seen_by: str, players: dict[str, list[str]], told: set[Any]
) -> None:
    game = loads(GOSSIP.replace("seen_by: owner", f"seen_by: {seen_by}") + "roles: {aunt: Who knows everybody.}\n")
    state = game.state(ann={"is": "cousin"}, bo={"is": "cousin"})
    session = game.begin("tea", state=state, players=players, seed=1, cousins=["ann", "bo"])
    knowing = {one for one in (*players, SPECTATOR) if "        years: 41" in loud_lines(session, one)}
    assert knowing == told
    assert all(loud_lines(session, one) == loud_lines(session, HOST) for one in knowing)


def test_a_cursor_of_another_record_gives_all_lines() -> None:
    session = interpreter.load_scene("duel").begin(seed=1)
    anna = session.seat("anna")
    whole = anna.news()
    assert whole.start == 0 and len(whole.lines) == len([one for one in anna.lines() if not one.quiet])
    assert anna.news(whole.cursor) == interpreter.News(len(whole.lines), (), whole.cursor)
    for strange in ("", "1", "0-0", whole.cursor + "0", "nonsense"):
        assert anna.news(strange) == whole
    with pytest.raises(PlayError):
        anna.news(7)  # type: ignore[arg-type]


def test_a_host_tells_a_record_from_a_cursor() -> None:
    scene = interpreter.load_scene("duel")
    host = HostSessions(scene.game, scenes=[scene])
    ask = lambda **call: host.reply(json.dumps({"viewer": "host", **call}))  # noqa: E731
    host.reply('{"do": "begin", "scene": "duel", "seed": 1}')
    first = ask(do="lines")
    request = ask(do="requests")["requests"][0]
    asked = ask(do="answer", request=request["id"], value=request.get("default", {"pick": 0}))
    assert asked["asked"] == [one["player"] for one in asked["requests"]]
    then = ask(do="lines", since=first["cursor"])
    whole = ask(do="lines")
    assert first["from"] == whole["from"] == 0 and 0 < then["from"] <= len(first["lines"])
    assert [*first["lines"][: then["from"]], *then["lines"]] == whole["lines"] and then["cursor"] == whole["cursor"]
    assert not ask(do="lines", since=7)["ok"]


def test_no_event_is_worded_twice_while_a_record_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    session, worded, lines = interpreter.load_scene("castle").begin(seed=3), [0], Wording.lines
    clients = [Client(session, player) for player in ("anna", "carl")]

    def count_events(wording: Wording, events: list[Any]) -> Any:
        worded[0] += len(events)
        return lines(wording, events)

    for _ in range(60):
        request = session.host.requests[0]
        session.host.answer(request.id, usual_answer(request))
        with monkeypatch.context() as patched:
            patched.setattr(Wording, "lines", count_events)
            for one in clients:
                one.catch_up()
    assert worded[0] == len(clients) * len(session._run.course.run.events)


# A program in another language -----------------------------------------------------------------------------------


LATER = (
    ("kinds.{kind}.has.told:", "kinds.{kind}.has.hearsay:"),
    ("default: 0, seen_by: owner}}}}\n  mechanics", "default: 0, seen_by: owner, formerly: told}}}}\n  mechanics"),
    ("secret * 3", "secret * 2"),
    ("actor.told", "actor.hearsay"),
    ("one.told", "one.hearsay"),
    (
        "  mechanics.weigh",
        "  kinds.{kind}.has.doubt: {{add: {{type: number, default: 1, seen_by: owner}}}}\n  mechanics.weigh",
    ),
)
"""How the house rule changes while somebody plays with it."""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize("killed", [False, pytest.param(True, marks=pytest.mark.thorough)], ids=["at once", "killed"])
def test_a_program_in_another_language_plays_the_castle_and_sees_no_secret(
    veiled: dict[str, Game], tmp_path: Path, killed: bool
) -> None:
    scene = scene_of(scene_file.read(bundled.scenes()["castle"]), veiled["fiend-wake"])
    state = scene.game.to_data(scene.state)
    state["things"]["flint"]["secret"], state["things"]["porter"]["secret"] = secrets = (884201, 773102)
    begins = {
        "rule": "combat", "state": state, "given": scene.inputs, "seed": 1,
        "players": {"anna": ["lockjaw", "flint", "anvil", "bramble"],
                    "ben": ["porter", "sentry", "warden", "scorch", "game_master"]},
    }  # fmt: skip
    hidden = {
        str(secret * times): [seat]
        for secret, seat in zip(secrets, ("anna", "ben"), strict=True)
        for times in (1, 2, 3, 4, 6, 8)  # what the house rule computes of it
    }
    hosts, veil = [], VEIL
    for name, changes in (("veiled", ()), ("later", LATER)):
        for old, new in changes:
            assert old in veil
            veil = veil.replace(old, new)
        file = tmp_path / f"{name}.yaml"
        file.write_text(
            veil.format(base="fiend-wake", kind="combatant", scene="combat", present="fighters", first="round_prep")
        )
        hosts.append([sys.executable, "-c", "from interpreter.cli import main; main()", "host", str(file)])
    told = {
        "host": hosts[0], "begin": begins, "hidden": hidden, "own": {"anna": "flint", "ben": "porter"},
        "most": 4_000 if killed else 900,
        **({"killed": {"after": 45, "host": hosts[1]}} if killed else {}),
    }  # fmt: skip
    program = Path(__file__).parent / "node" / "play_castle.mjs"
    done = subprocess.run(
        ["node", str(program)], input=json.dumps(told), capture_output=True, encoding="utf-8", timeout=300,
        env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    played = json.loads(done.stdout)
    assert played["over"] and played["outcome"] is not None and played["answers"] > 50 and played["odds"] > 2
    assert played["leaks"] == []
    assert any("`hearsay` now" in line for line in played["adopted"]) == killed
    assert sorted(played["seen"]) == ["anna", "ben"]  # who may see a secret does
    assert played["whole"] == {"anna": True, "ben": True, "spectator": True}  # bit by bit and as a whole
    assert played["unseen"].keys() == {"ok", "error"}  # without a viewer

"""Whole fights of the bundled rulesets: what holds of things that last holds of them, and of their sessions."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from lasting.fights import FILES, fought, scene
from lasting.play import within_bounds
from marks import thorough

from interpreter import HOST, Game, ir
from interpreter.api import scene_file
from interpreter.api.questions import FACES, Request
from interpreter.api.session import Session
from interpreter.cli.end_of_record import EndOfRecord
from interpreter.cli.play_help import about_question, help_at
from interpreter.cli.play_screen import Screen
from interpreter.cli.terminal import painter
from interpreter.ir.traversal import nodes_under
from interpreter.report.trace import Line
from interpreter.report.transcript import RecordWording, record_lines

SEEDS = range(3)
FIGHTS = thorough(
    [(path, seed) for path in FILES for seed in SEEDS],
    lambda path, seed: seed > 0 or path.stem.startswith("four"),
    every=3,
)
STEPS = 40


def named(value: Any) -> str:
    return value.stem if isinstance(value, Path) else str(value)


def test_there_are_fights() -> None:
    assert len(FILES) >= 4


@pytest.mark.parametrize(("path", "seed"), FIGHTS, ids=named)
def test_a_random_fight_keeps_what_must_hold(path: Path, seed: int) -> None:
    _, game, before = scene(path)
    told = game.to_json(before)
    result = fought(path, seed)
    assert result.state is not None
    within_bounds(game, result.state)
    assert game.to_json(before) == told
    saved = game.to_json(result.state)
    assert game.state(saved) == result.state
    assert game.to_json(game.state(saved)) == saved


@pytest.mark.parametrize(("path", "seed"), FIGHTS, ids=named)
def test_the_log_of_a_fight_gives_the_same_fight(path: Path, seed: int) -> None:
    _, game, _ = scene(path)
    result = fought(path, seed)
    again = game.replay(result.to_json())
    assert again.state == result.state
    assert str(again.trace) == str(result.trace)


def policies_that_act(game: Game) -> list[str]:
    """The policies that answer offers of actions; others are for single rolls."""
    rules = nodes_under([game.program.scenes, game.program.mechanics, game.program.events])
    offers = {one.name for one in rules if isinstance(one, ir.Step) and isinstance(one.action, ir.Offer)}
    return [
        name
        for name, policy in game.policies.items()
        if any(key.rpartition(".")[2] in offers for key in policy.answers)
    ]


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_fight_by_policy_comes_to_an_end(path: Path) -> None:
    file, game, before = scene(path)
    fighting = policies_that_act(game)
    assert fighting
    for policy in fighting:
        result = game.play(
            scene_file.path_of_scene(file), state=before, seed=1, policy=policy, inputs=scene_file.inputs_of(game, file)
        )
        assert result.outcome is not None, f"{policy}: stopped by the guard"
        assert result.state is not None and "scene" not in result.state.things
        within_bounds(game, result.state)


def any_answer(request: Request, chance: random.Random) -> Any:
    """A legal answer in plain data."""
    if request.kind == FACES:
        return [chance.choice(die.get("faces") or range(1, die["size"] + 1)) for die in request.dice]
    if request.kind == "yes_no":
        return chance.random() < 0.5
    if request.low is not None and request.high is not None:
        return chance.randint(request.low, request.high)
    if request.options is None:
        return "so be it"
    places = range(len(request.options))
    if request.kind == "some":
        return {"pick": chance.sample(places, chance.randint(request.least, min(request.most, len(places))))}
    return {"pick": chance.choice(places)}


def begun(path: Path, seed: int) -> Session:
    file, game, before = scene(path)
    return game.begin(
        scene_file.path_of_scene(file), state=before, seed=seed, players=scene_file.players_of(file),
        inputs=scene_file.inputs_of(game, file),
    )  # fmt: skip


def seen(session: Session) -> str:
    """All that there is to see of a session, but for what can be given again."""
    data = {key: value for key, value in session.to_data().items() if key not in ("undone", "seal")}
    views = {player: session.seat(player).view() for player in session.players}
    return json.dumps([data, views, [one.to_data() for one in session.host.requests]], sort_keys=True)


@pytest.mark.parametrize(("path", "seed"), FIGHTS, ids=named)
def test_undo_and_redo_in_a_fight_are_the_identity(path: Path, seed: int) -> None:
    session, chance = begun(path, seed), random.Random(seed)
    for step in range(STEPS):
        if session.over:
            break
        request = chance.choice(session.host.requests)
        before = seen(session)
        session.seat(request.player or HOST).answer(request.id, any_answer(request, chance))
        if step % 8 == 7:
            after = seen(session)
            session.host.undo()
            assert seen(session) == before
            session.host.redo()
            assert seen(session) == after


@pytest.mark.parametrize("path", FILES, ids=named)
def test_a_fight_goes_on_from_where_it_was_saved(path: Path) -> None:
    session, chance = begun(path, 5), random.Random(5)
    for _ in range(STEPS):
        if session.over:
            break
        request = chance.choice(session.host.requests)
        session.host.answer(request.id, any_answer(request, chance))
    _, game, _ = scene(path)
    again = game.resume(json.loads(session.to_json()))
    assert again.to_data() == session.to_data()
    for _ in range(10):
        if session.over:
            break
        request = session.host.requests[0]
        answer = any_answer(request, chance)
        session.host.answer(request.id, answer)
        again.host.answer(request.id, answer)
    assert again.to_data() == session.to_data()


@pytest.mark.parametrize(
    ("path", "seed"),
    thorough([(path, seed) for path in FILES for seed in range(4)], lambda _, seed: seed > 0, every=4),
    ids=named,
)
def test_every_question_of_a_fight_is_shown_at_the_terminal(
    path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """A screen words what nothing else reads: what answers come to, help, and what stands."""
    session, chance = begun(path, seed), random.Random(seed)
    screen = Screen(painter(sys.stdout), verbose=False)
    for _ in range(400):
        if session.over:
            break
        request = chance.choice(session.host.requests)
        screen.show_news(session)
        screen.show_question(session, [request])
        assert help_at(session, [request])
        assert list(about_question(session.game.program, request))
        screen.echo(request, "")
        session.seat(request.player or HOST).answer(request.id, any_answer(request, chance))
        screen.show_standing_answers(session, session.host.standing)
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    ("path", "seed"),
    thorough([(path, seed) for path in FILES for seed in range(3)], lambda _, seed: seed > 0, every=4),
    ids=named,
)
def test_the_end_of_a_record_is_that_of_the_whole_record(path: Path, seed: int) -> None:
    session, chance = begun(path, seed), random.Random(seed)
    end = EndOfRecord(session, verbose=False)
    for number in range(120):
        lines = list(map(str, end.lines()))
        whole = record_lines(session.host.lines(), session.over, session.depth, session.game.program.reactions)
        assert lines and lines == list(map(str, whole))[-len(lines) :]
        end.begin_at_last_turn()
        if session.over:
            break
        if number % 17 == 16:
            session.host.undo()
        else:
            request = session.host.requests[0]
            session.host.answer(request.id, any_answer(request, chance))


def test_a_record_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What came before the last turn or round is read once, however many questions follow."""
    session, chance = begun(next(path for path in FILES if path.stem == "castle"), 1), random.Random(1)
    end, kept = EndOfRecord(session, verbose=False), RecordWording._keep
    read = [0]

    def count(self: RecordWording, line: Line) -> None:
        read[0] += 1
        kept(self, line)

    monkeypatch.setattr(RecordWording, "_keep", count)
    for _ in range(300):
        if session.over:
            break
        end.lines()
        end.begin_at_last_turn()
        request = session.host.requests[0]
        session.host.answer(request.id, any_answer(request, chance))
    assert 0 < read[0] < 20 * len(session.host.lines())

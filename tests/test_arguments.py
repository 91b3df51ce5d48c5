"""Arguments of hosts: whatever a host passes, it is taken or refused with a message, never an error of Python."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import interpreter
from interpreter import PlayError
from interpreter.api.game import Game
from interpreter.api.master import Master
from interpreter.api.playable_scene import PlayableScene
from interpreter.api.seat import HostView, Seat
from interpreter.api.session import Session

TEXT = """\
ruleset: climb
kinds:
  climber:
    has:
      moves: {type: points, to: 1, starts: 1, lasts: turn}
mechanics:
  test:
    inputs: {bonus: {type: number, default: 1}}
    steps: {die: {roll: d6}}
    outcomes: {good: die > bonus, bad: otherwise}
events:
  storm: {steps: {wind: {roll: d6}}}
actions:
  climb: {actor: climber, cost: {moves: 1}, steps: {die: {roll: d6}}}
scenes:
  wall:
    inputs: {team: {list_of: climber}}
    round:
      effort: {steps: {effort: {choose: number, by: team, from: 0, to: 3, default: 0}}}
    outcomes: {top: scene.round == 3}
"""

SCENE = """\
state: wall
of: climb
scene: wall
things: {climber: {ann: {}, bo: {}}}
given: {team: [ann, bo]}
players: {anna: [ann]}
"""

ODD: tuple[Any, ...] = (
    None, 5, -1, 2.5, True, "", "x", b"x", [], [1], {}, {"a": 1}, {1: 2}, {"a": {"is": "climber"}}, ["a", "b"],
    float("nan"), "\ud800", {"x": object()}, ({},), object(), lambda *given: None,
)  # fmt: skip


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> PlayableScene:
    folder = tmp_path_factory.mktemp("climb")
    (folder / "climb.yaml").write_text(TEXT)
    (folder / "wall.yaml").write_text(SCENE)
    return interpreter.load_scene(folder / "wall.yaml")


def _calls(scene: PlayableScene) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]]:
    """Every public call, with arguments that it takes."""
    game, state = scene.game, scene.state
    of_session = {
        name: _of_fresh(scene, name, Session) for name in ("seat", "run", "progress", "reveal", "to_data", "to_json")
    }
    of_master = {name: _of_fresh(scene, name, Master) for name, _ in inspect.getmembers(Master, inspect.isfunction)}
    of_seat = {name: _of_fresh(scene, name, HostView) for name, _ in inspect.getmembers(HostView, inspect.isfunction)}
    request = scene.begin(seed=1).host.requests[0].id
    given = scene.begin(seed=1)
    given.host.answer(request, 1, until="round")
    return {
        "roll": (game.roll, ("test",), {"seed": 1}),
        "play": (game.play, ("wall",), {"rounds": 1, "state": state, "inputs": scene.inputs}),
        "act": (game.act, (state, "climb"), {"actor": "ann"}),
        "cause": (game.cause, (state, "storm"), {}),
        "replay": (game.replay, (game.roll("test", seed=1),), {}),
        "begin": (game.begin, ("wall",), {"state": state, "inputs": scene.inputs}),
        "resume": (game.resume, (scene.begin().to_json(),), {}),
        "adopt": (game.adopt, (game.to_json(state),), {"renamed": {}, "values": {}, "proposals": True}),
        "state": (game.state, ({"ann": {"is": "climber"}},), {}),
        "problems": (game.problems, (state,), {}),
        "allowing": (game.allowing, ([],), {}),
        "to_data": (game.to_data, (state,), {"with_rules": True}),
        "to_json": (game.to_json, (state,), {"with_rules": True}),
        "look": (game.look, (state, "ann.moves"), {}),
        "ends": (game.ends, (state, "turn"), {}),
        "ending": (game.ending, (state, "turn"), {}),
        "possible": (game.possible, (state, "ann"), {}),
        "why_not": (game.why_not, (state, "ann", "climb"), {}),
        "odds": (game.odds, ("test",), {}),
        "simulate": (game.simulate, ("test",), {"runs": 10}),
        "sweep": (game.sweep, ("test",), {"over": {"bonus": [1]}, "runs": 10}),
        "scene.begin": (scene.begin, (), {}),
        "schema": (game.schema, ("kinds.climber",), {}),
        "bounds": (game.bounds, (state, "ann", "moves"), {}),
        "load": (interpreter.load, ("fate",), {}),
        "load_bundled": (interpreter.load_bundled, ("fate",), {}),
        "load_kept": (interpreter.load_kept, (scene.game.to_json(state, with_rules=True),), {}),
        "load_file": (interpreter.load_file, ("climb.yaml",), {}),
        "loads": (interpreter.loads, (TEXT,), {}),
        "load_scene": (interpreter.load_scene, ("wall.yaml",), {}),
        "check": (interpreter.check, ("climb",), {"text": TEXT}),
        "needs": (interpreter.needs, (TEXT,), {}),
        "session.seat": (of_session["seat"], ("anna",), {}),
        "session.run": (of_session["run"], (lambda request: 1,), {}),
        "session.to_data": (of_session["to_data"], (), {"with_rules": True}),
        "session.to_json": (of_session["to_json"], (), {"with_rules": True}),
        "session.progress": (of_session["progress"], (), {}),
        "session.reveal": (scene.begin().reveal, (), {"hidden": True}),
        "seat.lines_before": (of_seat["lines_before"], (request,), {}),
        "seat.before": (of_seat["before"], (request,), {}),
        "seat.chances": (of_seat["chances"], (request,), {}),
        "seat.answer": (of_seat["answer"], (request, 1), {}),
        "seat.react": (of_seat["react"], (request, [0]), {}),
        "seat.try_answer": (of_seat["try_answer"], (request, 1), {}),
        "seat.question_of": (of_seat["question_of"], (given.log[0],), {}),
        "seat.spent_of": (of_seat["spent_of"], (given.log[0],), {}),
        "seat.ask": (of_seat["ask"], ("usual",), {}),
        "seat.refuse": (of_seat["refuse"], ("round",), {}),
        "seat.lines": (of_seat["lines"], (), {}),
        "seat.story": (of_seat["story"], ("The hill",), {}),
        "seat.news": (of_seat["news"], (), {}),
        "seat.possible": (of_seat["possible"], ("ann",), {}),
        "seat.why_not": (of_seat["why_not"], ("ann", "climb"), {}),
        "seat.look": (of_seat["look"], ("ann.moves",), {}),
        "master.play": (of_master["play"], ("{gain: 1, to: ann.moves}",), {}),
        "master.cause": (of_master["cause"], ("storm",), {"inputs": {}}),
        "master.roll": (of_master["roll"], ("test",), {"inputs": {"bonus": 1}}),
        "master.set": (of_master["set"], ("ann.moves", 0), {}),
        "master.add": (of_master["add"], ("climber", "cy"), {}),
        "master.remove": (of_master["remove"], ("ann",), {}),
        "master.end": (of_master["end"], ("round",), {}),
        "master.give": (of_master["give"], ("bo", "anna"), {}),
        "taking_part": (game.taking_part, (state,), {}),
        "all_possible": (game.all_possible, (state,), {}),
    }


def _of_fresh(scene: PlayableScene, name: str, kind: type) -> Callable[..., Any]:
    """A method of a new session, or of the seat of its host."""
    method = getattr(kind, name)

    def call(*given: Any, **named: Any) -> Any:
        session = scene.begin(seed=1)
        of = {HostView: session.host, Master: session.master}.get(kind, session)
        return method(of, *given, **named)

    known = inspect.signature(method)
    call.__signature__ = known.replace(parameters=list(known.parameters.values())[1:])  # type: ignore[attr-defined]
    return call


def test_every_call_with_arguments_is_tried(scene: PlayableScene) -> None:
    tried = {name.rpartition(".")[2] for name in _calls(scene)}
    for kind in (Game, Session, Seat, HostView, Master, PlayableScene):
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            own = name in vars(kind) and not name.startswith("_")
            assert not own or name in tried or len(inspect.signature(method).parameters) == 1, (kind, name)


@pytest.mark.parametrize("odd", ODD, ids=[str(number) for number in range(len(ODD))])
def test_an_argument_of_any_type_is_taken_or_refused_with_a_message(scene: PlayableScene, odd: Any) -> None:
    for name, (call, given, named) in _calls(scene).items():
        known = inspect.signature(call).parameters
        for place, (argument, declared) in enumerate(known.items()):
            if declared.kind is inspect.Parameter.VAR_KEYWORD:
                continue
            first, more = list(given), dict(named)
            if place < len(given):
                first[place] = odd
            else:
                more[argument] = odd
            try:
                call(*first, **more)
            except interpreter.HouseruleError as refused:
                assert refused.diagnostics and str(refused), (name, argument)
            except Exception as error:
                raise AssertionError(f"{name}({argument}={odd!r})") from error


def test_the_message_names_the_argument_and_what_it_takes(scene: PlayableScene) -> None:
    for call, message in (
        (lambda: scene.game.roll("test", faces=2), "`faces` takes a list, and this is of the type `int`"),
        (lambda: scene.begin().host.question_of("x"),
         "`answer` takes an answer of `log` or `standing`, and `x` was given"),
        (lambda: scene.game.roll(7), "`mechanic` takes a text, and this is of the type `int`"),
    ):  # fmt: skip
        with pytest.raises(PlayError) as refused:
            call()  # type: ignore[no-untyped-call]
        assert refused.value.diagnostic.message == message

"""What the game master does, as a line of the log has it: a step of the language, or one of two things beside it.

{lose: 2, from: ann.crew}     any effect, or the call of a mechanic
{end: round}                  the end of the round or of the scene; {end: fled} with an outcome
{give: ann, to: ben}          another player answers for a thing or role
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping as Names
from dataclasses import replace
from typing import Any, get_args

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import InputReader
from interpreter.api.players import Players, check_players
from interpreter.api.session_log import Answer
from interpreter.checker.call_arguments import EnclosingRule
from interpreter.checker.scope import Binding, Bindings, Scope
from interpreter.checker.steps import check_step
from interpreter.diagnostics import PlayError, Problems
from interpreter.diagnostics.source import Source
from interpreter.ir import types as t
from interpreter.play.available_actions import PossibleActions
from interpreter.play.interventions import ROUND, SCENE_SPAN, Intervention, SeatGiven, SpanCut, StepTaken
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.play.trace_events import BY_MASTER
from interpreter.runtime.state import SCENE, State
from interpreter.syntax import schema
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, parse, text_of, values_of

MASTER, WHY = "master", "why"
"""The keys of an answer in the log that is an intervention: its step, and the reason."""

ALLOWED = (*get_args(ir.Effect), ir.Call)
"""What of the language the game master may do: change things, cause events, perform actions, have a mechanic played."""


def is_intervention(answer: Any) -> bool:
    """Whether the data of an answer are an intervention of the game master."""
    return isinstance(answer, Names) and isinstance(answer.get(MASTER), str)


def read_intervention(
    reader: InputReader, state: State, players: Players, of: Choice | ThrowRequest | None, answer: Names[str, Any]
) -> Intervention:
    """The intervention that is written in an answer, checked against the things of a state and the players.

    Raises PlayError where nobody is offered an action, or it is nothing that the game master may do.
    """
    if not isinstance(of, Choice) or not isinstance(of.options, PossibleActions):
        raise PlayError(say.no_safe_point())
    text, why = answer[MASTER], str(answer.get(WHY, ""))
    program, node = reader.closures.program, _parse(text)
    match _texts(node):
        case {"end": what, **others} if what and not others:
            return SpanCut(text, why, *_span_and_outcome(program, state, what))
        case {"give": name, "to": player, **others} if not others:
            if player not in players.names:
                raise PlayError(say.unknown_player(player, players.names))
            check_players(players.after_giving(name, player).names, state.things, program.roles)
            return SeatGiven(text, why, name, player)
    problems = Problems()
    steps = _mapping(BY_MASTER, node)
    schema.conform(_mapping("steps", steps), "phase", problems)
    if problems.errors:
        raise PlayError(problems.errors[0])
    things = {name: state.thing(name) for name in state.things if "." not in name and name != SCENE}
    scope = Scope(Bindings.of({name: Binding(t.Object(thing.kind)) for name, thing in things.items()}))
    world = replace(reader.world, problems=problems)
    step = check_step(world, steps.entries[0], scope, BY_MASTER, EnclosingRule())
    if problems.errors:
        raise PlayError(problems.errors[0])
    if not isinstance(step.action, ALLOWED):
        raise PlayError(say.no_intervention(text))
    return StepTaken(text, why, replace(step, about=why), dict(things))


def _parse(text: str) -> Node:
    problems = Problems()
    node = parse(Source.of("the game master", text), problems)
    if node is None:
        raise PlayError(problems.errors[0] if problems.errors else say.no_intervention(text))
    return node


def _mapping(key: str, value: Node) -> Mapping:
    """A mapping of one entry."""
    entry = Entry(Scalar(key, value.span), value)
    return Mapping((entry,), value.span, {key: entry})


def _texts(node: Node | None) -> dict[str, str]:
    """The texts of a mapping by key."""
    return {key: text_of(value) for key, value in values_of(node).items()}


def _span_and_outcome(program: ir.Program, state: State, what: str) -> tuple[str, str | None]:
    """What ends, and the outcome with which it does. Raises PlayError for anything else than what can be ended now."""
    if SCENE not in state.things:
        raise PlayError(say.nothing_to_end())
    under_way = state.things[SCENE].values
    outcomes = [one.name for one in program.scenes[under_way["is"]].outcomes]
    known = [*([ROUND] if under_way["round"] else []), SCENE_SPAN, *outcomes]
    if what not in known:
        raise PlayError(say.nothing_to_end(what, known))
    return (what, None) if what in (ROUND, SCENE_SPAN) else (SCENE_SPAN, what)


def players_after(players: Players, log: Iterable[Answer]) -> Players:
    """The players after what the game master has given to some of them in a log."""
    for one in log:
        if is_intervention(one.answer):
            match _texts(parse(Source.of("the game master", one.answer[MASTER]), Problems())):
                case {"give": name, "to": player}:
                    players = players.after_giving(name, player)
    return players

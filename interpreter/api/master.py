"""The game master in a running scene: any effect of the language, where somebody is offered actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import InputReader
from interpreter.checker.call_arguments import EnclosingRule
from interpreter.checker.scope import Binding, Scope
from interpreter.checker.steps import check_step
from interpreter.diagnostics import PlayError, Problems
from interpreter.diagnostics.source import Source
from interpreter.ir import types as t
from interpreter.play.available_actions import PossibleActions
from interpreter.play.interventions import Intervention
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.runtime.state import SCENE, State
from interpreter.syntax.document import Entry, Scalar, parse
from interpreter.values import in_words

if TYPE_CHECKING:
    from interpreter.api.session import Session

MASTER, WHY = "master", "why"
"""The keys of an answer in the log that is an intervention: its step, and the reason."""

NAME = "game_master"
"""The name of the step, which the trace shows."""

ALLOWED = (*get_args(ir.Effect), ir.Call)
"""What the game master may do: change things, cause events, perform actions, or have a mechanic played."""


def is_intervention(answer: Any) -> bool:
    """Whether the data of an answer are an intervention of the game master."""
    return isinstance(answer, Mapping) and isinstance(answer.get(MASTER), str)


def read_intervention(
    reader: InputReader, state: State, of: Choice | ThrowRequest | None, answer: Mapping[str, Any]
) -> Intervention:
    """The step that is written in an answer, checked against the things of a state.

    Raises PlayError where nobody is offered an action, or the step is none that the game master may take.
    """
    if not isinstance(of, Choice) or not isinstance(of.options, PossibleActions):
        raise PlayError(say.no_safe_point())
    text = answer[MASTER]
    problems = Problems()
    world = replace(reader.world, problems=problems)
    node = parse(Source.of("the game master", text), problems)
    if node is None:
        raise PlayError(problems.errors[0] if problems.errors else say.no_intervention(text))
    things = {name: state.thing(name) for name in state.things if "." not in name and name != SCENE}
    scope = Scope({name: Binding(t.Object(thing.kind)) for name, thing in things.items()})
    step = check_step(world, Entry(Scalar(NAME, node.span), node), scope, NAME, EnclosingRule())
    if problems.errors:
        raise PlayError(problems.errors[0])
    if not isinstance(step.action, ALLOWED):
        raise PlayError(say.no_intervention(text))
    return Intervention(text, replace(step, about=str(answer.get(WHY, ""))), dict(things))


@dataclass(frozen=True)
class Master:
    """What the game master may do in a session; each call raises PlayError where the rules refuse it, or where nobody
    is offered an action, and then nothing changes."""

    session: Session

    def play(self, step: str, why: str = "") -> None:
        """A step of the language: `{cause: stress, with: {who: ann, amount: 2}}`, `{make: guard}`, `{destroy: cai}`."""
        open_ = self.session.host.requests
        if not open_:
            raise PlayError(say.no_safe_point())
        self.session.host.answer(open_[0].id, {MASTER: step, **({WHY: why} if why else {})})

    def cause(self, event: str, why: str = "", **given: Any) -> None:
        """An event, with its reactions."""
        inputs = ", ".join(f"{name}: {in_words(value)}" for name, value in given.items())
        self.play(f"{{cause: {event}{f', with: {{{inputs}}}' if inputs else ''}}}", why)

    def set(self, place: str, value: Any, why: str = "") -> None:
        """A value of a thing: `set("ann.crew", 3)`. What the rules do at a bound happens."""
        thing, _, name = place.partition(".")
        there = self.session.state.things.get(thing)
        kind = self.session.game.program.kinds[there.kind] if there is not None else None
        held = kind.has.get(name.partition("(")[0]) if kind is not None else None
        if held is None or not held.counter:
            self.play(f"{{set: {place}, to: {in_words(value)}}}", why)
            return
        change = _number(place, value) - int(self.session.host.look(place))
        if change:
            verb, way = ("gain", "to") if change > 0 else ("lose", "from")
            self.play(f"{{{verb}: {abs(change)}, {way}: {place}}}", why)

    def make(self, kind: str, why: str = "", **given: Any) -> None:
        """A new thing of a kind."""
        values = ", ".join(f"{name}: {in_words(value)}" for name, value in given.items())
        self.play(f"{{make: {kind}{f', with: {{{values}}}' if values else ''}}}", why)

    def destroy(self, thing: str, why: str = "") -> None:
        """A thing is there no more."""
        self.play(f"{{destroy: {thing}}}", why)


def _number(place: str, value: Any) -> int:
    """A number that somebody gives for a place. Raises PlayError for anything else."""
    try:
        return int(value)
    except (TypeError, ValueError):
        raise PlayError(say.not_that_type(say.NOWHERE, place, "a number", in_words(value))) from None

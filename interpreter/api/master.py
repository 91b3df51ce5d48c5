"""The game master in a running scene: whatever the rules can do, where somebody is offered actions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api import arguments
from interpreter.api.interventions import MASTER, WHY
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.values import in_words

if TYPE_CHECKING:
    from interpreter.api.session import Session

Types = Mapping[str, t.Type]
Inputs = Mapping[str, Any] | None


@dataclass(frozen=True)
class Master:
    """What the game master may do in a session. The reason, `why`, stands in the record.

    Each call raises PlayError where the rules refuse it, or where nobody is offered an action, and then nothing
    changes.
    """

    session: Session

    @arguments.with_checked_arguments
    def play(self, step: str, why: str = "") -> None:
        """A step of the language: `{cause: stress, with: {who: ann, amount: 2}}`, `{gain: 2, to: ann.luck}`."""
        open_ = self.session.host.requests
        if not open_:
            raise PlayError(say.no_safe_point())
        self.session.host.answer(open_[0].id, {MASTER: step, **({WHY: why} if why else {})})

    @arguments.with_checked_arguments
    def cause(self, event: str, /, why: str = "", *, inputs: Inputs = None, **given: Any) -> None:
        """An event, with its reactions. `inputs` are more of what is given, such as an input that is called `why`."""
        declared = _inputs_of(self._program.events.get(event))
        self.play(f"{{cause: {_as_text(event)}{_with(declared, {**(inputs or {}), **given})}}}", why)

    @arguments.with_checked_arguments
    def roll(self, mechanic: str, /, why: str = "", *, inputs: Inputs = None, **given: Any) -> None:
        """A mechanic is played; whoever it asks is asked as usual."""
        declared = _inputs_of(self._program.mechanics.get(mechanic))
        self.play(f"{{call: {_as_text(mechanic)}{_with(declared, {**(inputs or {}), **given})}}}", why)

    @arguments.with_checked_arguments
    def set(self, place: str, value: Any, why: str = "") -> None:
        """A value of a thing: `set("ann.crew", 3)`. What the rules do at a bound happens."""
        thing, _, name = place.partition(".")
        there = self.session.state.things.get(thing)
        held = self._program.kinds[there.kind].has.get(name.partition("(")[0]) if there is not None else None
        if held is None or not held.counter:
            to = _as_formula(place, value, held.type if held is not None else None)
            self.play(f"{{set: {_as_text(place)}, to: {to}}}", why)
            return
        change = _number(place, value) - int(self.session.host.look(place))
        if change:
            verb, way = ("gain", "to") if change > 0 else ("lose", "from")
            self.play(f"{{{verb}: {abs(change)}, {way}: {_as_text(place)}}}", why)

    @arguments.with_checked_arguments
    def add(self, kind: str, name: str = "", /, why: str = "", *, inputs: Inputs = None, **given: Any) -> None:
        """A new thing of a kind; without a name, it is called after its kind."""
        there = self._program.kinds.get(kind)
        types = {key: one.type for key, one in there.has.items()} if there is not None else {}
        named = f", named: {_as_formula('name', name, t.Text())}" if name else ""
        self.play(f"{{make: {_as_text(kind)}{named}{_with(types, {**(inputs or {}), **given})}}}", why)

    @arguments.with_checked_arguments
    def remove(self, thing: str, why: str = "") -> None:
        """A thing is there no more."""
        self.play(f"{{destroy: {_as_text(thing)}}}", why)

    @arguments.with_checked_arguments
    def end(self, what: str, why: str = "") -> None:
        """The `round` ends, or the `scene`, or the scene with an outcome: `end("fled")`.

        The turn and the phase end at once, with what the rules do at the end of a turn, a round and a scene.
        """
        self.play(f"{{end: {_as_text(what)}}}", why)

    @arguments.with_checked_arguments
    def give(self, thing: str, player: str, why: str = "") -> None:
        """From now on, a player answers for a thing, a part of one, or a role."""
        self.play(f"{{give: {_as_text(thing)}, to: {_as_text(player)}}}", why)

    @property
    def _program(self) -> ir.Program:
        return self.session.game.program


def _inputs_of(rule: ir.Mechanic | None) -> Types:
    return {one.name: one.type for one in rule.inputs} if rule is not None else {}


def _with(types: Types, given: Mapping[str, Any]) -> str:
    """What is given for a rule or a new thing, as a step has it."""
    values = [f"{_as_text(name)}: {_as_formula(name, value, types.get(name))}" for name, value in given.items()]
    return f", with: {{{', '.join(values)}}}" if values else ""


def _as_formula(name: str, value: Any, of: t.Type | None) -> str:
    """A value as an expression of a step: the text itself where a text is wanted."""
    try:
        text = in_words(value)
    except (TypeError, RecursionError):
        raise PlayError(say.misfit_argument(name, value, "a value of the rules")) from None
    wants_text = of is not None and isinstance(t.without_maybe(of), t.Text)
    return f"{{text: {_as_text(text)}}}" if wants_text else _as_text(text)


def _as_text(text: str) -> str:
    """A text in YAML, in quotes where it needs them."""
    return text if re.fullmatch(r"[\w.()+\-*/ ]+", text) else json.dumps(text, ensure_ascii=False)


def _number(place: str, value: Any) -> int:
    """A number that somebody gives for a place. Raises PlayError for anything else."""
    try:
        return int(value)
    except (TypeError, ValueError):
        raise PlayError(say.not_that_type(say.NOWHERE, place, "a number", in_words(value))) from None

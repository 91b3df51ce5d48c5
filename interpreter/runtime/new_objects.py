"""New objects of a state: their names, the values that they begin with, and the scene under way, which is one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.runtime.evaluator import Closures, Frame
from interpreter.runtime.objects import (
    check_value,
    check_within,
    clamp,
    clamp_after_change,
    current_limits,
    exists,
    frame_of_owner,
)
from interpreter.runtime.requirements import check_requirements
from interpreter.runtime.state import SCENE, STATE, TITLE, UNDER_WAY, State, add_object, put_value, remove_object
from interpreter.syntax.document import Node
from interpreter.syntax.schema import is_name
from interpreter.values import Thing

MOST_THINGS = 10_000
"""How many objects there may be at once, including parts."""


class NewObject(NamedTuple):
    """An object to make: the values that are `given` by name, for a part the mapping of its values; `spans` are the
    places where they are written."""

    thing: Thing
    given: Mapping[str, Any]
    spans: Mapping[str, Span] = {}


class _NewValue(NamedTuple):
    """An attribute of a new object, and what is given for it, if it `is_given`; inputs of scenes may be `awaited`."""

    thing: Thing
    one: ir.HeldAttribute
    given: Any
    is_given: bool
    spans: Mapping[str, Span]
    awaited: bool = False

    @property
    def is_needed(self) -> bool:
        """Whether it may not be missing; the values of a scene may, as its inputs can be given later."""
        return self.one.declared.required and self.thing != UNDER_WAY


def make_object(
    closures: Closures, frame: Frame, thing: Thing, given: Mapping[str, Any], written: Node | None = None
) -> State:
    """The state with another object and its parts; attributes that are not given have their start values.

    Raises PlayError for a value that is missing or out of bounds, and for what its kind requires and it does not meet;
    `written` is what people wrote of it.
    """
    state = make_objects(closures, frame, (NewObject(thing, given),))
    parts = [name for name in state.things if name == thing.id or name.startswith(f"{thing.id}.")]
    check_requirements(closures, {**frame, STATE: state}, parts, {thing.id: written} if written is not None else {})
    return state


class NewScene(NamedTuple):
    """A scene that is under way in a state that is read, with the inputs and values that are `given` by name."""

    scene: ir.Scene
    given: Mapping[str, Any]
    spans: Mapping[str, Span] = {}


class Misfit(NamedTuple):
    """A saved value that is out of the bounds of its attribute, or refused otherwise: at a word, if it is one of
    several, and the `nearest` value within the bounds, if it has any."""

    thing: Thing
    held: ir.HeldAttribute
    key: Any
    error: PlayError
    nearest: int | None


def make_objects(
    closures: Closures,
    frame: Frame,
    new: Iterable[NewObject],
    saved: bool = False,
    scene: NewScene | None = None,
    misfits: list[Misfit] | None = None,
) -> State:
    """The state with other objects and their parts, and perhaps a scene; their start values and bounds may read one
    another.

    Values that were `saved` are only held to constraints that play never breaks: in play, a constraint that reads
    other attributes may cease to hold, a list may become too short, and what an attribute names may be destroyed.
    Raises PlayError for a value that is missing or out of bounds; with `misfits`, those out of bounds are added there.
    """
    state: State = frame[STATE]
    every: list[_NewValue] = []
    for thing, given, spans in new:
        state = _add_empty_object(closures.program, state, thing, given, spans, every)
    if scene is not None:
        state = add_object(state, UNDER_WAY, {"is": scene.scene.rule.name})
    state, waiting = _fill_values(closures, frame, state, every, saved)
    if scene is not None:
        state, of_scene = _scene_values(closures, frame, state, scene, saved)
        every += of_scene
        state, waiting = _fill_values(closures, frame, state, [*of_scene, *waiting], saved)
    assert not waiting, "start values do not read each other in a circle (HR309)"
    for each in every:
        try:
            with say.Placed(each.spans):
                _check_start(closures, {**frame, STATE: state}, each, saved)
        except PlayError as error:
            if misfits is None:
                raise
            misfits.append(_misfit(closures, {**frame, STATE: state}, each, error))
    return state


def _misfit(closures: Closures, frame: Frame, new: _NewValue, error: PlayError) -> Misfit:
    """The first value of an attribute that is out of bounds, with the nearest one within."""
    thing, one = new.thing, new.one
    value = frame[STATE].things[thing.id].values[one.name]
    for key, each in value.items() if one.per is not None else [(None, value)]:
        if type(each) is int and isinstance(t.without_maybe(one.declared.type), t.Number):
            low, high = current_limits(closures, thing, one, frame, frame[STATE], key)
            near = clamp(each, low, high)
            if near != each:
                return Misfit(thing, one, key, error, near)
    return Misfit(thing, one, None, error, None)


def _fill_values(
    closures: Closures, frame: Frame, state: State, todo: list[_NewValue], saved: bool
) -> tuple[State, list[_NewValue]]:
    """The state with values of new objects, and those that wait for a value which is not there yet."""
    while todo:
        waiting = []
        for each in todo:
            try:
                with say.Placed(each.spans):
                    value = _start_value(closures, {**frame, STATE: state}, each, saved)
            except KeyError:  # it reads an attribute that has no value yet
                waiting.append(each)
                continue
            if value is None and each.is_needed and not (saved and each.is_given):
                raise PlayError(_missing_value_error(each))
            state = put_value(state, each.thing, each.one.name, value)
        if len(waiting) == len(todo):
            break
        todo = waiting
    else:
        waiting = []
    return state, waiting


def _add_empty_object(
    program: ir.Program,
    state: State,
    thing: Thing,
    given: Mapping[str, Any],
    spans: Mapping[str, Span],
    every: list[_NewValue],
) -> State:
    """The state with an object and its parts that have no values yet; their attributes are added to `every`."""
    if len(state.things) >= MOST_THINGS:
        raise PlayError(say.budget_spent(say.NOWHERE, "things", MOST_THINGS))
    state = add_object(state, thing, {TITLE: given[TITLE]} if TITLE in given else {})
    for one in program.kinds[thing.kind].has.values():
        if one.part is not None:
            part = Thing(f"{thing.id}.{one.name}", one.part)
            state = _add_empty_object(program, state, part, given.get(one.name) or {}, spans, every)
        elif one.derived is None:
            every.append(_NewValue(thing, one, given.get(one.name), one.name in given, spans))
    return state


def _start_value(closures: Closures, frame: Frame, new: _NewValue, saved: bool) -> Any:
    """The value that an attribute of a new object has: what is given, else its start; so each word of several.

    It is missing if what the attribute names by default was destroyed, or what it named when it was `saved`.
    """
    thing, one, given = new.thing, new.one, new.given
    if one.per is None:
        known = given is not None or (saved and new.is_given)
        return given if known else start_value_of(closures, frame, thing, one)
    given, made = given or {}, {}
    for key in one.per.words:
        known = given.get(key) is not None or (saved and key in given)
        made[key] = given[key] if known else start_value_of(closures, frame, thing, one, key)
        if made[key] is None and not known and one.declared.required:
            raise PlayError(
                say.word_is_missing(say.NOWHERE, None, one.name, [key]) if given else _missing_value_error(new)
            )
    return made


def _missing_value_error(new: _NewValue) -> Diagnostic:
    return say.missing_key(say.NOWHERE, new.one.name, f"`{new.thing.id}`, which is a `{new.thing.kind}`")


def _check_start(closures: Closures, frame: Frame, new: _NewValue, saved: bool = False) -> None:
    """Raises PlayError if the value of an attribute of a new object does not fit its declaration."""
    thing, one, given = new.thing, new.one, new.given
    value = frame[STATE].things[thing.id].values[one.name]
    if new.awaited or (thing == UNDER_WAY and value is None):
        return
    if not one.counter:
        check_value(closures, frame, thing, one, value, saved)
        return
    for key, each in value.items() if one.per is not None else [(None, value)]:
        is_given = given is not None and (key is None or given.get(key) is not None)
        if each is not None:
            check_within(closures, frame, thing, one, key, each, say.NOWHERE if is_given else _place_of_start(one))


def make_scene(closures: Closures, frame: Frame, scene: ir.Scene, given: Mapping[str, Any]) -> State:
    """The state in which a scene is under way with the given inputs; attributes of other scenes are missing.

    Raises PlayError for a value that is out of bounds.
    """
    inside = {**frame, STATE: remove_object(frame[STATE], UNDER_WAY)}
    return make_objects(closures, inside, (), scene=NewScene(scene, given))


def begin_scene(closures: Closures, frame: Frame, scene: ir.Scene) -> State:
    """The state in which a scene is under way with the inputs of a frame; one that is already keeps what else it has.

    Numbers whose bounds read an input that is now another are clamped to them. Raises PlayError for a value that is out
    of bounds.
    """
    state: State = frame[STATE]
    if SCENE not in state.things:
        return make_scene(closures, frame, scene, frame)
    had = state.things[SCENE].values
    others = [one.name for one in scene.rule.inputs if one.name not in had or had[one.name] != frame[one.name]]
    for name in others:
        state = put_value(state, UNDER_WAY, name, frame[name])
    for name in others:
        state = clamp_after_change(closures, frame, state, UNDER_WAY, name)
    return state


def _scene_values(
    closures: Closures, frame: Frame, state: State, new: NewScene, saved: bool
) -> tuple[State, list[_NewValue]]:
    """The state with the values of other scenes missing, and the values to begin with of this one."""
    scene = new.scene
    asked = {one.name for one in scene.rule.inputs}
    own = {*scene.has, "round", *asked}
    given = _add_defaults(closures, {**frame, STATE: state}, scene, new.given, saved)
    values = []
    for one in closures.program.kinds[SCENE].has.values():
        if one.derived is None and one.name in own:
            value = given.get(one.name)
            awaited = value is None and one.name in asked
            values.append(_NewValue(UNDER_WAY, one, value, one.name in new.given, new.spans, awaited))
        elif one.derived is None:
            state = put_value(state, UNDER_WAY, one.name, None)
    return state, values


def _add_defaults(
    closures: Closures, frame: Frame, scene: ir.Scene, given: Mapping[str, Any], saved: bool
) -> Mapping[str, Any]:
    """The inputs and values of a scene that are given, with the defaults of inputs that are not."""
    values = dict(given)
    for one in scene.rule.inputs:
        if (values.get(one.name) is None and not (saved and one.name in values)) and one.default is not None:
            values[one.name] = closures.of(one.default)(frame)
        frame[one.name] = values.get(one.name)
    return values


def start_value_of(closures: Closures, frame: Frame, thing: Thing, one: ir.HeldAttribute, key: Any = None) -> Any:
    """The start value of an attribute; with `per`, that of a word, which is the `key`."""
    inside = frame_of_owner(thing, frame, frame[STATE], key)
    formula = one.starts if one.counter else one.declared.default
    value = closures.of(formula)(inside) if formula is not None else None
    if one.counter:
        assert value is not None, "points have a start value"
        return value
    if value is None and isinstance(one.type, t.List) and not one.declared.required:
        return ()
    gone = one.names_thing and value is not None and not exists(frame[STATE], value)
    return None if gone else value


_NO_LETTERS = re.compile(r"[^a-z0-9]+")
LONGEST_NAME = 40
"""How much of a text an object is named after."""


def _name_after(text: str) -> str:
    """A text as a name: `Mud in the eyes` is `mud_in_the_eyes`; it may be none."""
    plain = unicodedata.normalize("NFKD", text[:LONGEST_NAME]).encode("ascii", "ignore").decode().lower()
    return _NO_LETTERS.sub("_", plain).strip("_")


def title_after(text: str, name: str) -> Mapping[str, str]:
    """The title of an object that is named after a text, where the text is more than its name."""
    title = " ".join(text[:LONGEST_NAME].split())
    return {TITLE: title} if title != name == _name_after(text) else {}


def fresh_name(program: ir.Program, state: State, kind: str, text: str = "") -> str:
    """A new name for an object of a kind: after a text if there is one and it makes a name, else after its kind.

    A name that an object has already gets a number, and so does one of the ruleset's own things, even if that was
    destroyed: formulas mean this thing by it.
    """
    after = _name_after(text)
    named = is_name(after) and after not in (SCENE, *say.VALUE_WORDS)

    def is_taken(name: str) -> bool:
        return name in state.things or name in program.things

    if named and not is_taken(after):
        return after
    stem, number = (after, 2) if named else (kind, state.made + 1)
    while is_taken(f"{stem}_{number}"):
        number += 1
    return f"{stem}_{number}"


def _place_of_start(one: ir.HeldAttribute) -> Span:
    return one.starts.span if one.starts is not None else one.declared.span

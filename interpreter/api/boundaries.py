"""The last boundary of a scene as data: where a session goes on when its rules have changed in what was played.

A boundary is before a phase of a round, which is kept by its name; before the first phase it is where the round begins,
whatever phase comes first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import InputReader, node_of
from interpreter.api.input_data import input_data
from interpreter.api.state_json import state_data
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.play.run import Boundary, Marks
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.rng import DicePosition
from interpreter.runtime.state import STATE, State
from interpreter.saves.former_names import name_of_now, names_of_now

Data = Mapping[str, Any]


def boundary_data(
    program: ir.Program, scene: ir.Scene, boundary: Boundary, dice: DicePosition
) -> dict[str, Any] | None:
    """A boundary with its state, the values of the steps before the first round, and the state of the dice; None where
    a value has no form as data."""
    values = {}
    for name in (*(one.name for one in scene.rule.inputs), *(one.name for one in scene.rule.steps)):
        if boundary.frame.get(name) is not None:
            try:
                values[name] = _data(boundary.frame[name])
                json.dumps(values[name])
            except (TypeError, ValueError):
                return None
    phase = scene.phases[boundary.phase].name if boundary.phase else None
    position = dice if isinstance(dice, int) else list(dice)
    return {
        "round": boundary.round, "phase": phase, "values": values, "dice": position,
        "state": state_data(program, boundary.frame[STATE]),
    }  # fmt: skip


def read_boundary(scene: ir.Scene, data: Data, frame: Frame, state: State, reader: InputReader) -> Boundary:
    """The boundary in a scene as it is now, in a frame with the inputs of the scene, and a state.

    Raises PlayError where a value does not fit its step any more, or its phase is gone.
    """
    reader.state, reader.saved = state, True
    types = {one.name: one.type for one in scene.rule.steps} | {one.name: one.type for one in scene.rule.inputs}
    saved = names_of_now(reader.closures.program, scene.rule.path, data["values"])
    values = {name: _read(reader, value, types[name], name) for name, value in saved.items() if name in types}
    names, phase = [one.name for one in scene.phases], 0
    if data["phase"] is not None:
        name = name_of_now(reader.closures.program, f"{scene.rule.path}.round", data["phase"])
        if name not in names:
            raise PlayError(say.unknown_of(say.NOWHERE, "phase", name, names))
        phase = names.index(name)
    return Boundary({**frame, **values, STATE: state}, data["round"], phase, Marks(0, 0, 0, 0, 0))


def _data(value: Any) -> Any:
    """A value as data; the keys of a map, which may be things, as text."""
    return {str(key): _data(one) for key, one in value.items()} if isinstance(value, Mapping) else input_data(value)


def _read(reader: InputReader, data: Any, kind: t.Type, name: str) -> Any:
    """The value of a step. Raises PlayError if the data do not fit its type."""
    kind = t.without_maybe(kind)
    if isinstance(kind, t.Map) and isinstance(data, Mapping):
        keys = {key: reader.value(node_of(key, name), kind.key, name) for key in data}
        return {keys[key]: _read(reader, one, kind.of, name) for key, one in data.items()}
    return reader.value(node_of(data, name), kind, name)

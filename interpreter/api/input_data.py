"""Values as plain data that can be read back as inputs: dice on the table keep their faces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter.values import Roll, Scoring, Thing, face_number, to_data


def input_data(value: Any) -> Any:
    """A value as data that `InputReader.value` reads back as the same value."""
    if isinstance(value, Thing):
        return value.id
    if isinstance(value, tuple) and value and hasattr(value[0], "throws"):
        return _roll_data(value)
    if isinstance(value, tuple) and value and hasattr(value[0], "size"):
        return " & ".join(map(str, value))
    if isinstance(value, Mapping):
        return {key: input_data(item) for key, item in value.items() if item is not None}
    if isinstance(value, tuple):
        return [input_data(item) for item in value] if not hasattr(value, "_fields") else str(value)
    return to_data(value)


def inputs_data(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by name, each as data."""
    return {name: input_data(value) for name, value in values.items()}


def _roll_data(roll: Roll) -> dict[str, Any]:
    """Dice on the table in the form that inputs give them, with no more fields than needed."""
    data: dict[str, Any] = {"dice": " & ".join(str(die.die) for die in roll)}
    data["faces"] = [_one_or_all([throw.face for throw in die.throws]) for die in roll]
    if any(throw.counts != face_number(throw.face) for die in roll for throw in die.throws):
        data["counts"] = [_one_or_all([throw.counts for throw in die.throws]) for die in roll]
    if any(die.part for die in roll):
        data["parts"] = [die.part or "none" for die in roll]
    if any(die.scoring is not None and die.scoring.path for die in roll):
        data["scored"] = ["none" if die.scoring is None else _scoring_data(die.scoring) for die in roll]
    return data


def _scoring_data(scoring: Scoring) -> dict[str, Any]:
    names = {name: input_data(value) for name, value in scoring.names if value is not None}
    return {"roll": scoring.path, **({"with": names} if names else {})}


def _one_or_all(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values

"""A saved result played again, from its inputs, faces and choices, and compared with what was saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from interpreter import diagnostics as say
from interpreter.api.decode import InputReader
from interpreter.api.given_answers import read_answer
from interpreter.api.instance import Instance
from interpreter.api.query import Query, prepare
from interpreter.api.result import Result, saved_result
from interpreter.api.single_run import run_prepared
from interpreter.diagnostics import PlayError
from interpreter.play.deciders import Answers
from interpreter.play.requests import Choice
from interpreter.play.scenes import ScenePart
from interpreter.saves.header import check_header, is_save, units_that_differ
from interpreter.syntax.document import from_python
from interpreter.values import in_words, to_data


def replay(instance: Instance, saved: Result | str | Mapping[str, Any]) -> Result:
    """The result played again. Raises PlayError if it belongs to other rules or differs."""
    data, program = saved_result(saved), instance.program
    rules = check_header("result", data)
    played = units_that_differ(program, rules)
    if played:
        raise PlayError(say.rules_of_result_differ(played, rules["name"], program.name))
    options = {name: value for name, value in data["options"].items() if f"options.{name}" in rules["uses"]}
    if options != instance.own_options:
        instance = type(instance)(program, instance.world, options)
    again = replace(_play_again(instance, data), seed=data.get("seed"))
    for what, now in (
        ("outcome", again.outcome),
        ("also", dict(again.also)),
        ("faces", list(again.faces)),
        ("values", {name: to_data(value) for name, value in again.values.items()}),
        *((("after", again.to_data()["after"]),) if "after" in data else ()),
    ):
        if _what_was_saved(data[what]) != _what_was_saved(now):
            raise PlayError(say.replay_differs(what, in_words(data[what]), in_words(now)))
    return again


def _what_was_saved(value: Any) -> Any:
    """What lasts in a saved state, without what it says of its rules; any other value as it is."""
    if not is_save(value):
        return value
    return {key: value[key] for key in ("things", "marks", "timers", "pending", "made") if key in value}


def _play_again(instance: Instance, data: Mapping[str, Any]) -> Result:
    before = data.get("before")
    state = instance.state(before) if before is not None else None
    inputs = {name: value for name, value in data["inputs"].items() if value is not None}
    part = ScenePart(**data.get("part", {}))
    prepared = prepare(Query(instance, data["mechanic"], inputs, state, part=part, ends=data.get("ends")))
    choices = _SavedChoices(list(data["choices"]))
    answered = Answers({}, lambda choice, answer: answer, lambda choice: choices.next(choice, prepared.reader))
    again = run_prepared(instance, prepared, answered, None, data["faces"])
    if choices.left:
        raise PlayError(say.replay_differs("choices", str(choices.left[0]["choice"]), "nothing more was asked"))
    return again


@dataclass
class _SavedChoices:
    """The choices of a saved result, in order."""

    left: list[Mapping[str, Any]]

    def next(self, choice: Choice, reader: InputReader) -> Any:
        """The saved answer to a choice. Raises PlayError where another choice was saved."""
        if not self.left:
            raise PlayError(say.replay_differs("choices", "nothing more was asked", choice.path))
        saved = self.left.pop(0)
        if saved["choice"] != choice.path or saved.get("of") != choice.of:
            raise PlayError(say.replay_differs("choices", str(saved["choice"]), choice.path))
        if saved["answer"] is None:
            return None  # the default, which is not an answer
        if "picked" not in saved:
            return read_answer(reader, choice, from_python(saved["answer"], choice.path))
        options = choice.options or ()
        picked = [options[place] for place in saved["picked"] if 0 <= place < len(options)]
        return tuple(picked) if choice.kind == "some" else picked[0] if picked else None

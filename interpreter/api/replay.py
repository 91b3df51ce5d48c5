"""A saved result played again, from its inputs, faces and choices, and compared with what was saved.

Its rules may have changed since: then it must come out the same all the same, and it says what has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from interpreter import diagnostics as say
from interpreter.api.adopt_state import AdoptedState
from interpreter.api.decode import InputReader
from interpreter.api.given_answers import read_answer
from interpreter.api.instance import Instance
from interpreter.api.query import Query, prepare
from interpreter.api.result import Result, saved_result
from interpreter.api.single_run import run_prepared
from interpreter.api.state_json import state_data
from interpreter.diagnostics import PlayError
from interpreter.play.deciders import Answers
from interpreter.play.requests import Choice
from interpreter.play.scenes import ScenePart
from interpreter.runtime.rng import Seed
from interpreter.runtime.state import State
from interpreter.saves.former_names import names_of_now, question_of_now, rule_of_now
from interpreter.saves.header import check_header, lines_of_rules, without_gone_attributes
from interpreter.saves.plan import NO_WISHES, Wishes
from interpreter.syntax.document import from_python
from interpreter.values import in_words, to_data
from interpreter.version import VERSION
from interpreter.work_count import spend


def replay(instance: Instance, saved: Result | str | Mapping[str, Any], wishes: Wishes = NO_WISHES) -> Result:
    """The result played again; its `adopted` says what has changed in its rules.

    Raises PlayError if it is malformed or comes out differently, or something of its states must be decided first.
    """
    data, program = saved_result(saved), instance.program
    rules = check_header("result", data)
    used = {name: value for name, value in data["options"].items() if f"options.{name}" in rules["uses"]}
    options = names_of_now(program, "options", used)
    options = {name: value for name, value in options.items() if name in program.options}
    if options != instance.own_options:
        instance = type(instance)(program, instance.world, options)
    lines = lines_of_rules(program, rules)
    states = [data.get(key) for key in ("before", "after")]
    before, after = (_adopt(instance, one, wishes.about(one, data)) for one in states)
    lines = [*without_gone_attributes(lines, before.lines), *before.lines]
    try:
        again = _play_again(instance, data, before.state, has_changed=bool(lines))
        _check_same(data, again, after.state, has_changed=bool(lines))
        if not lines and again.seed != data.get("seed"):
            raise PlayError(say.replay_differs("seed", str(data.get("seed")), "other faces fall from it"))
        again = replace(again, seed=data.get("seed"))
    except PlayError as error:
        if not lines:
            raise
        told = [line.text for line in lines]
        raise PlayError(say.result_comes_out_otherwise(told, error.diagnostic)) from None
    return replace(again, adopted=tuple(lines))


def _adopt(instance: Instance, state: Any, wishes: Wishes) -> AdoptedState:
    """A state of a result under the rules of now. Raises PlayError where something must be decided first."""
    if state is None:
        return AdoptedState(None, ())
    adopted = instance.adopt_state(state, check_header("state", state), wishes)
    if adopted.state is None:
        raise PlayError(say.decisions_open("result", [one.text for one in adopted.lines if one.open]))
    return adopted


def _check_same(data: Mapping[str, Any], again: Result, after: State | None, has_changed: bool) -> None:
    """Raises PlayError where a result is another than the one that was saved. Rules that have changed may have other
    steps: then those are compared that both have."""
    values = {name: to_data(value) for name, value in again.values.items()}
    both = {*values, *data["values"]} if not has_changed else {*values} & {*data["values"]}
    compared: list[tuple[str, Any, Any]] = [
        ("outcome", data["outcome"], again.outcome),
        ("also", data["also"], dict(again.also)),
        ("faces", data["faces"], list(again.faces)),
        *[("values", {name: data["values"].get(name)}, {name: values.get(name)}) for name in sorted(both)],
    ]
    if after is not None and again.state is not None:
        program = again.trace.program
        compared.append(("after", state_data(program, after), state_data(program, again.state)))
    if not has_changed and data.get("by") == VERSION and "trace" in data:
        compared.append(_traces(data, again))
    for what, then, now in compared:
        if then != now:
            place, before, since = _first_difference(what, then, now)
            raise PlayError(say.replay_differs(place, in_words(before), in_words(since)))


def _traces(data: Mapping[str, Any], again: Result) -> tuple[str, Any, Any]:
    """The lines of both traces, by their numbers: what they are of, and, where the rules of the save have the same
    texts, all that they say."""
    game: Any = again.trace.game
    has_same_texts = data["rules"].get("text", "") == game.ruleset_text if "text" in data["rules"] else False
    keys = ("depth", "kind", "name", "path", *(("title", "text") if has_same_texts else ()))
    then, now = data["trace"], again.to_data()["trace"]
    if not isinstance(then, list) or not all(isinstance(one, Mapping) for one in then):
        raise PlayError(say.not_a_result("`trace` has another form"))
    spend(3 * (len(then) + len(now)))
    lines = [{f"{number}": {key: line.get(key) for key in keys} for number, line in enumerate(one, 1)}
             for one in (then, now)]  # fmt: skip
    return "trace", lines[0], lines[1]


def _first_difference(place: str, then: Any, now: Any) -> tuple[str, Any, Any]:
    """The innermost place at which data differ first, with what is there in both."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        key = next((key for key in {**then, **now} if key not in then or key not in now or then[key] != now[key]), None)
        if key is not None and key in then and key in now:
            return _first_difference(f"{place}.{key}", then[key], now[key])
        if key is not None:
            return f"{place}.{key}", then.get(key), now.get(key)
    return place, then, now


def _play_again(instance: Instance, data: Mapping[str, Any], state: State | None, has_changed: bool) -> Result:
    """The result played again from its seed, if the saved faces fall from it under the same rules; else from these
    faces, and without a seed."""
    rule = rule_of_now(instance.program, data["mechanic"])
    inputs = {name: value for name, value in data["inputs"].items() if value is not None}
    path = rule if "." in rule else f"mechanics.{rule}"
    inputs = names_of_now(instance.program, path, inputs)
    part = ScenePart(**data.get("part", {}))
    prepared = prepare(Query(instance, rule, inputs, state, part=part, ends=data.get("ends")))

    def play(seed: Seed | None) -> Result:
        choices = _SavedChoices(list(data["choices"]))
        answered = Answers({}, lambda choice, answer: answer, lambda choice: choices.next(choice, prepared.reader))
        again = run_prepared(instance, prepared, answered, seed, data["faces"] if seed is None else None)
        if choices.left:
            raise PlayError(say.replay_differs("choices", str(choices.left[0]["choice"]), "nothing more was asked"))
        return again

    if data.get("seed") is not None and not has_changed:
        with suppress(PlayError):
            from_seed = play(data["seed"])
            if list(from_seed.faces) == data["faces"]:
                return from_seed
    return play(None)


@dataclass
class _SavedChoices:
    """The choices of a saved result, in order."""

    left: list[Mapping[str, Any]]

    def next(self, choice: Choice, reader: InputReader) -> Any:
        """The saved answer to a choice. Raises PlayError where another choice was saved."""
        if not self.left:
            raise PlayError(say.replay_differs("choices", "nothing more was asked", choice.path))
        saved = self.left.pop(0)
        if (
            question_of_now(reader.closures.program, str(saved["choice"])) != choice.path
            or saved.get("of") != choice.of
        ):
            raise PlayError(say.replay_differs("choices", str(saved["choice"]), choice.path))
        if saved["answer"] is None:
            return None  # the default, which is not an answer
        if "picked" not in saved:
            return read_answer(reader, choice, from_python(saved["answer"], choice.path))
        options = choice.options or ()
        picked = [options[place] for place in saved["picked"] if 0 <= place < len(options)]
        return tuple(picked) if choice.kind == "some" else picked[0] if picked else None

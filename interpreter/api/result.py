"""The result of a run: its fields, its form as plain data, and the reading of that form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.displays import result_html
from interpreter.api.input_data import inputs_data
from interpreter.api.state_json import to_saved
from interpreter.diagnostics import PlayError
from interpreter.identity.closure import hashes_used
from interpreter.play.requests import Choice
from interpreter.play.scenes import WHOLE, ScenePart
from interpreter.play.trace_events import ChoiceMade, Event
from interpreter.report.trace import Trace
from interpreter.runtime.rng import Seed, is_fresh_seed
from interpreter.runtime.state import State
from interpreter.saves.header import KIND, check_header, header, is_save
from interpreter.saves.plan import AdoptionLine
from interpreter.shown_text import in_json
from interpreter.syntax.fixed_words import BOUNDARIES
from interpreter.syntax.json_text import NotJson, read_json
from interpreter.values import in_words, to_data


@dataclass(frozen=True)
class Result:
    """The result of a run of a rule.

    `outcome` is its name, or None for a mechanic without outcomes; `also` holds further readings; `values` every
    named step; `faces` every face in the order in which it was requested; `choices` every decision with its key;
    `ends` the span that ended after the run, before the `state` that the run left; `over` the state in which a scene
    ended, which still has its values. `adopted` says, of one that was saved and played again, what has changed in its
    rules since.
    """

    ruleset: str
    mechanic: str
    outcome: str | None
    also: Mapping[str, Any]
    values: Mapping[str, Any]
    faces: tuple[Any, ...]
    choices: tuple[tuple[str, Any], ...]
    inputs: Mapping[str, Any]
    options: Mapping[str, Any]
    seed: Seed | None
    trace: Trace
    events: list[Event] = field(repr=False)
    before: State | None = field(default=None, repr=False)
    state: State | None = field(default=None, repr=False)
    section: str = "mechanics"
    part: ScenePart = WHOLE
    ends: str | None = None
    over: State | None = field(default=None, repr=False)
    adopted: tuple[AdoptionLine, ...] = field(default=(), repr=False)

    @property
    def rule(self) -> ir.Mechanic:
        """The rule that was played."""
        return self.trace.program.playable[self.section][self.mechanic]

    def to_data(self, *, with_rules: bool = False) -> dict[str, Any]:
        """The result as plain data, which carry the rules if `with_rules`; `schemas/result.json` describes it."""
        return {
            **self._header(with_rules),
            "mechanic": self.mechanic if self.section == "mechanics" else f"{self.section}.{self.mechanic}",
            "inputs": inputs_data(self.inputs),
            **({"part": self.part._asdict()} if self.part != WHOLE else {}),
            **({"ends": self.ends} if self.ends is not None else {}),
            "options": inputs_data(self.options),
            "seed": self.seed,
            "outcome": self.outcome,
            "also": dict(self.also),
            "values": {name: to_data(value) for name, value in self.values.items()},
            "faces": list(self.faces),
            "choices": [_decision_data(e.node, e.answer) for e in self.events if isinstance(e, ChoiceMade)],
            **self._states(),
            "trace": [
                {
                    "depth": line.depth,
                    "kind": line.kind,
                    "name": line.name,
                    **({"title": line.title} if line.title else {}),
                    "text": line.text,
                    "path": line.path,
                    "cites": dict(line.cites),
                }
                for line in self.trace
            ],
        }

    def _header(self, with_rules: bool) -> dict[str, Any]:
        """What a save says of itself; of the rules, what the rule that was played may reach."""
        program = self.trace.program
        ends = [f"events.{name}" for name in BOUNDARIES] if self.ends is not None else []
        game: Any = self.trace.game
        text = game.ruleset_text if with_rules and game is not None else None
        return header("result", program, hashes_used(program, self.rule.path, *ends), (), text)

    def _states(self) -> dict[str, Any]:
        """The states before and after the run, for a ruleset that has kinds."""
        if self.before is None or self.state is None:
            return {}
        program = self.trace.program
        options = inputs_data(self.options)
        return {
            "before": to_saved(program, options, self.before),
            "after": to_saved(program, options, self.state),
        }

    def to_json(self, *, with_rules: bool = False) -> str:
        """The same as JSON text, which `Game.replay` reads."""
        return in_json(self.to_data(with_rules=with_rules))

    def _repr_html_(self) -> str:
        return result_html(self)  # for notebooks


def _decision_data(choice: Choice, answer: Any) -> dict[str, Any]:
    """A decision with its key. `picked` holds the numbers of the options where words may not identify them."""
    several = choice.kind == "some"
    chosen = answer if several else (answer,)
    words = [one if one is None or isinstance(one, (bool, int, str)) else in_words(one) for one in chosen]
    data: dict[str, Any] = {"choice": choice.path, "answer": words if several else words[0]}
    if choice.of is not None:
        data["of"] = choice.of
    if answer is None or choice.options is None or all(isinstance(one, (bool, int, str)) for one in chosen):
        return data
    left: list[Any] = list(choice.options)
    picked = []
    for one in chosen:
        picked.append(left.index(one))
        left[picked[-1]] = _TAKEN
    return data | {"picked": picked}


_TAKEN = object()


_SAVED: dict[str, type | tuple[type, ...]] = {
    "mechanic": str,
    "inputs": Mapping,
    "options": Mapping,
    "outcome": (str, type(None)),
    "also": Mapping,
    "values": Mapping,
    "faces": list,
    "choices": list,
}
"""The fields that a replay needs, with their types; `schemas/result.json` describes all fields."""

_SAVED_SOMETIMES: dict[str, type | tuple[type, ...]] = {
    "part": Mapping,
    "ends": (str, type(None)),
    "seed": (int, str, type(None)),
    "before": (Mapping, type(None)),
    "after": (Mapping, type(None)),
}
"""The fields of a replay that a result may lack."""

_PART: dict[str, type | tuple[type, ...]] = {"phase": (str, type(None)), "rounds": (int, type(None))}
"""The fields of the part of a scene."""


def saved_result(result: Result | str | Mapping[str, Any]) -> Mapping[str, Any]:
    """A result, its JSON text or its data as data. Raises PlayError if it is not in the form of a result."""
    if isinstance(result, Result):
        return json.loads(result.to_json())  # type: ignore[no-any-return]
    if isinstance(result, str):
        try:
            result = read_json(result)
        except NotJson as error:
            raise PlayError(say.not_a_result(str(error))) from None
    if not isinstance(result, Mapping):
        raise PlayError(say.not_a_result("it is not a mapping"))
    if not is_save(result):
        raise PlayError(say.not_a_result(f"`{KIND}` is missing"))
    check_header("result", result)
    for key, kind in _SAVED.items():
        if key not in result:
            raise PlayError(say.not_a_result(f"`{key}` is missing"))
        if not isinstance(result[key], kind):
            raise PlayError(say.not_a_result(f"`{key}` has another form"))
    for key, kind in _SAVED_SOMETIMES.items():
        if key in result and not isinstance(result[key], kind):
            raise PlayError(say.not_a_result(f"`{key}` has another form"))
    if isinstance(result.get("seed"), str) and not is_fresh_seed(result["seed"]):
        raise PlayError(say.not_a_result("`seed` has another form"))
    if any(not isinstance(value, _PART.get(key, ())) for key, value in result.get("part", {}).items()):
        raise PlayError(say.not_a_result("`part` has another form"))
    for one in result["choices"]:
        picked = one.get("picked", []) if isinstance(one, Mapping) else None
        if picked is None or not {"choice", "answer"} <= set(one) or not all(type(n) is int for n in picked):
            raise PlayError(say.not_a_result("`choices` has another form"))
    return result

"""Why a run came out as it did: from a result back to the conditions, numbers, dice, options and house rules behind it.

This is a backward slice of the run (M. Weiser, "Program slicing", 1981): a result, then what its formulas read, and
what those read in turn, each with its value in this run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir.traversal import formulas, nodes_under
from interpreter.layers.merge import Merged
from interpreter.report.phrases import source_text
from interpreter.report.trace import Line, citations
from interpreter.values import Thrown, in_words

OUTCOME = "outcome"
"""The name that stands for the outcome of a rule."""


@dataclass(frozen=True)
class Played:
    """A rule that was played: the values of its inputs and steps by name, and its outcome.

    `told` are the lines of a trace about its steps, by path; a rule that was called has none. `usual` are the inputs
    that nobody gave. `passed` are the arguments of a call, by input, and `caller` is the rule that made it.
    """

    rule: ir.Mechanic
    values: Mapping[str, Any]
    outcome: str | None
    told: Mapping[str, Line] = field(default_factory=dict)
    usual: frozenset[str] = frozenset()
    passed: Mapping[str, ir.Formula] = field(default_factory=dict)
    caller: Played | None = None


def reasons(
    program: ir.Program, merged: Merged | None, played: Played, name: str, options: Mapping[str, Any]
) -> list[Line]:
    """Lines about a value of a run, by its name, and below it about everything that it was computed from.

    `options` are those of the game, by name. Each value is told once, where it is read first.
    """
    return list(_Reasons(program, merged, options).reasons(played, name, 0))


def names_with_reasons(rule: ir.Mechanic) -> list[str]:
    """The names of a rule whose reasons can be told."""
    has_outcomes = rule.outcomes is not None
    named = (*(one.name for one in rule.also), *(one.name for one in rule.steps), *(one.name for one in rule.inputs))
    return [*([OUTCOME] if has_outcomes else []), *named]


class _Reasons:
    """The program, and what has been told already."""

    def __init__(self, program: ir.Program, merged: Merged | None, options: Mapping[str, Any]) -> None:
        self.program, self.options = program, options
        self.cited = citations(program)
        self.changes = merged.applied if merged is not None else []
        self.told: set[tuple[int, str]] = set()

    def reasons(self, played: Played, name: str, depth: int) -> Iterator[Line]:
        """The lines about a name of a rule that was played; none if they stand above, or it is a name of a verb."""
        if (id(played.values), name) in self.told:
            return
        self.told.add((id(played.values), name))
        rule = played.rule
        step = next((one for one in rule.steps if one.name == name), None)
        given = next((one for one in rule.inputs if one.name == name), None)
        also = next((one for one in rule.also if one.name == name), None)
        if name == OUTCOME and rule.outcomes is not None:
            yield from self._outcome(played, rule.outcomes, str(played.outcome), OUTCOME, rule.path, depth)
        elif also is not None and isinstance(also.reading, ir.Outcomes):
            yield from self._outcome(played, also.reading, in_words(played.values.get(name)), name, also.path, depth)
        elif also is not None and isinstance(also.reading, ir.Formula):
            said = f"{in_words(played.values.get(name))}, since it is {_formula_text(also.reading)}"
            yield self._line(depth, name, said, also.path)
            yield from self._lines_of_reads(played, (also.reading,), depth + 1)
        elif step is not None:
            yield from self._step(played, step, depth)
        elif given is not None and played.caller is not None:
            formula = played.passed.get(name)
            if formula is not None and isinstance(formula.body, ir.Local):
                yield from self.reasons(played.caller, formula.body.name, depth)
            elif formula is not None:
                value = _value_of(played.caller, formula.body)
                known = "" if value is UNKNOWN else f"{_short(value)}, which is "
                yield self._line(depth, name, f"{known}{_formula_text(formula)}", given.path)
                yield from self._lines_of_reads(played.caller, (formula,), depth + 1)
        elif given is not None and played.values.get(name) is not None:
            usual = "as usual" if name in played.usual else "as given"
            yield self._line(depth, name, f"{_short(played.values[name])}, {usual}", given.path)

    def _outcome(
        self, played: Played, outcomes: ir.Outcomes, value: str, name: str, path: str, depth: int
    ) -> Iterator[Line]:
        yield self._line(depth, name, value, f"{path}.outcomes.{value}" if name == OUTCOME else path)
        if outcomes.as_of is not None:
            yield from self._lines_of_reads(played, (outcomes.as_of,), depth + 1)
            return
        read: list[ir.Formula] = []
        for case in outcomes.cases:
            holds = case.name == value
            if case.condition is None:
                yield self._line(depth + 1, case.name, "nothing before it holds", case.path)
                break
            said = f"{_formula_text(case.condition)} {'holds' if holds else 'does not hold'}"
            yield self._line(depth + 1, case.name, said, case.path)
            read.append(case.condition)
            if holds:
                break
        yield from self._lines_of_reads(played, read, depth + 1)

    def _step(self, played: Played, step: ir.Step, depth: int) -> Iterator[Line]:
        value, action = played.values.get(step.name), step.action
        line = played.told.get(step.path)
        said = line.text if line is not None and line.kind not in ("call", "choice") else _short(value)
        if isinstance(action, ir.Call) and isinstance(value, Mapping) and value.get(OUTCOME) is None:
            said = self.program.mechanics[action.mechanic].title
        read = [step.condition] if step.condition is not None else []
        if value is None and step.condition is not None:
            yield self._line(
                depth, step.name, f"not done, since {_formula_text(step.condition)} does not hold", step.path
            )
            yield from self._lines_of_reads(played, read, depth + 1)
            return
        if isinstance(action, ir.Let) and not isinstance(action.formula.body, ir.Constant):
            said += f", which is {_formula_text(action.formula)}"
        yield self._line(depth, step.name, said, step.path)
        if isinstance(action, ir.Call):
            yield from self._lines_of_reads(played, read, depth + 1)
            yield from list(self._call_lines(played, step, OUTCOME, depth))[1:]  # the first line says the same
        else:
            yield from self._lines_of_reads(played, (*read, *formulas(action)), depth + 1)

    def _call_lines(self, played: Played, step: ir.Step, name: str, depth: int) -> Iterator[Line]:
        """The lines about a value of a rule that a step called."""
        record = played.values.get(step.name)
        if isinstance(step.action, ir.Call) and isinstance(record, Mapping):
            callee, passed = self.program.mechanics[step.action.mechanic], dict(step.action.given)
            inside = Played(callee, record, record.get(OUTCOME), passed=passed, caller=played)
            yield from self.reasons(inside, name, depth)

    def _lines_of_reads(self, played: Played, read: Iterable[ir.Formula], depth: int) -> Iterator[Line]:
        """The lines about everything that some formulas read."""
        for formula in read:
            for node in nodes_under(formula.body):
                if isinstance(node, ir.Local):
                    yield from self.reasons(played, node.name, depth)
                elif isinstance(node, ir.Field) and isinstance(node.of, ir.Local):
                    step = next((one for one in played.rule.steps if one.name == node.of.name), None)
                    if step is not None and isinstance(step.action, ir.Call):
                        heading = list(self.reasons(played, step.name, depth))
                        yield from heading
                        yield from self._call_lines(played, step, node.name, depth + bool(heading))
            for path in sorted(formula.refs):
                yield from self._declaration_lines(path, depth)

    def _declaration_lines(self, path: str, depth: int) -> Iterator[Line]:
        """The line about an option, a function or a table that a formula uses."""
        section, _, name = path.partition(".")
        if (0, path) in self.told:
            return
        self.told.add((0, path))
        if section == "options" and name in self.options:
            chosen = "an option that was chosen" if self._is_chosen(name) else "the usual option"
            yield self._line(depth, name, f"{in_words(self.options[name])}, {chosen}", path)
        elif self._house_rule_note(path):
            yield self._line(depth, name, section.removesuffix("s"), path)

    def _is_chosen(self, name: str) -> bool:
        default = self.program.options[name].default
        return default is None or not isinstance(default.body, ir.Constant) or default.body.value != self.options[name]

    def _line(self, depth: int, name: str, text: str, path: str) -> Line:
        return Line(depth, "why", name, f"{text}{self._house_rule_note(path)}", path, self.cited.get(path, ()))

    def _house_rule_note(self, path: str) -> str:
        """` (house rule: great-hit)`, where one has changed a construct."""
        layers = dict.fromkeys(
            one.layer.name for one in self.changes if one.change.name == path or one.change.name.startswith(f"{path}.")
        )
        return f" (house rule: {', '.join(layers)})" if layers else ""


def _formula_text(formula: ir.Formula) -> str:
    return f"`{source_text(formula)}`"


UNKNOWN = object()
"""Stands for a value that a run does not keep."""


def _value_of(played: Played, expr: ir.Expr) -> Any:
    """The value of a name, or of a field of one, in a rule that was played."""
    if isinstance(expr, ir.Constant):
        return expr.value
    if isinstance(expr, ir.Local):
        return played.values.get(expr.name, UNKNOWN)
    if isinstance(expr, ir.Field):
        record = _value_of(played, expr.of)
        return record.get(expr.name, UNKNOWN) if isinstance(record, Mapping) else UNKNOWN
    return UNKNOWN


def _short(value: Any) -> str:
    """A value in words: a record by its outcome, by what holds of a comparison, or by what it has."""
    if isinstance(value, Mapping):
        has = {key: one for key, one in value.items() if one not in (None, (), 0, False)}
        if OUTCOME in has or not has:
            return str(has.get(OUTCOME, "done"))
        if all(type(one) is bool for one in value.values()):
            return " and ".join(has)
        return ", ".join(f"{key} {_short(one)}" for key, one in has.items())
    if type(value) is tuple and value and all(isinstance(one, Thrown) for one in value):
        return ", ".join(f"{one.die}: {in_words(one.value)}" for one in value)
    return in_words(value)

"""The rolls that become a hidden value: dice that are put into a hand, or a number that is set where few may see it.

What such a roll shows is hidden from whoever may not see where it goes, as a value that is computed from there is. Only
a whole value that is set or added counts: a wound that is lost from hidden points tells nothing of what is left. The
analysis goes backwards from each such change to the rolls that its formulas read, through steps, calls and inputs, and
may find too much but not too little.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from interpreter import ir
from interpreter.api.rule_steps import (
    NOTHING,
    Paths,
    RuleSteps,
    hidden_attributes,
    locals_of,
    own_formulas,
    rules_with_steps,
    steps_in,
)
from interpreter.ir.uses import rule_called


def rolls_into_hidden(program: ir.Program) -> Mapping[str, Paths]:
    """By the path of each such roll, and of each step inside it, the hidden attributes that it goes into."""
    hidden = frozenset(hidden_attributes(program))
    if not hidden:
        return {}
    search = _HiddenRollSearch(hidden)
    rules = list(rules_with_steps(program, hidden))
    while search.goes_on:
        search.goes_on = False
        for rule in rules:
            search.go_through(rule)
    return search.rolls


class _HiddenRollSearch:
    """What was found so far, by the path of a roll; `inputs` by the path of a rule and the name of an input, and
    `results` by the path of a rule whose result goes there."""

    def __init__(self, hidden: Paths) -> None:
        self.hidden = hidden
        self.rolls: dict[str, Paths] = {}
        self.inputs: dict[tuple[str, str], Paths] = {}
        self.results: dict[str, Paths] = {}
        self.goes_on = True

    def go_through(self, rule: RuleSteps) -> None:
        """Go through the steps of a rule once."""
        steps = list(steps_in(rule.nodes))
        path = rule.rule.path if rule.rule is not None else ""
        wanted: dict[str, Paths] = {one.name: self.results[path] for one in steps} if path in self.results else {}
        for step in steps:
            for formula, paths in self._changes(step.action):
                _note(wanted, locals_of(formula), paths)
        for _ in steps:  # a step reads earlier ones, and in a repetition later ones
            before = dict(wanted)
            for step in steps:
                if step.name in wanted:
                    _note(wanted, self._read_by(step), wanted[step.name])
            if wanted == before:
                break
        for step in steps:
            if step.name in wanted:
                self._note_origin(step, wanted[step.name])
        for one in rule.rule.inputs if rule.rule is not None else ():
            if one.name in wanted:
                self._keep(self.inputs, (path, one.name), wanted[one.name])

    def _changes(self, action: ir.StepBody) -> Iterator[tuple[ir.Formula, Paths]]:
        """The formulas whose values go into hidden attributes by an action, with these."""
        match action:
            case ir.Assign(target=target, value=value) | ir.Include(target=target, value=value):
                yield value, self._hidden_of(target.kind, target.name)
            case ir.Put(target=target, values=values):
                yield values, self._hidden_of(target.kind, target.name)
            case ir.Make(kind=kind, given=given):
                for name, formula in given:
                    yield formula, self._hidden_of(kind, name)
            case ir.Call(given=given) | ir.Cause(given=given) | ir.Act(given=given):
                for name, formula in given:
                    yield formula, self.inputs.get((rule_called(action) or "", name), NOTHING)

    def _hidden_of(self, kind: str, name: str) -> Paths:
        return frozenset({f"kinds.{kind}.has.{name}"}) & self.hidden

    def _read_by(self, step: ir.Step) -> Iterator[str]:
        """The names that the value of a step is made of: those that its formulas read, and the steps inside it."""
        inside = [one for one in steps_in(step.action) if one is not step]
        for one in (step, *inside):
            for formula in own_formulas(one):
                if formula is not one.condition:
                    yield from locals_of(formula)
        yield from (one.name for one in inside)

    def _note_origin(self, step: ir.Step, paths: Paths) -> None:
        """Note a roll, with the steps for each of its throws, or a rule whose result is wanted."""
        action = step.action.start if isinstance(step.action, ir.Stages) else step.action
        if isinstance(action, ir.RollDice | ir.Reroll):
            for one in (step, *steps_in(step.action)):
                self._keep(self.rolls, one.path, paths)
        called = rule_called(step.action)
        if called is not None:
            self._keep(self.results, called, paths)

    def _keep(self, kept: dict[Any, Paths], key: Any, paths: Paths) -> None:
        before = kept.get(key, NOTHING)
        if not paths <= before:
            kept[key], self.goes_on = before | paths, True


def _note(wanted: dict[str, Paths], names: Iterator[str] | frozenset[str], paths: Paths) -> None:
    if paths:
        for name in names:
            wanted[name] = wanted.get(name, NOTHING) | paths

"""The query of a host, and the rule prepared for it: inputs read, requirements checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import InputReader, node_of
from interpreter.api.given_answers import answers_of
from interpreter.api.instance import Held, Instance
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.play.action_plans import plan_of
from interpreter.play.actions import refusal
from interpreter.play.deciders import Answers, Policy
from interpreter.play.events import end_span
from interpreter.play.run import Run, Walk
from interpreter.play.scenes import WHOLE, ScenePart
from interpreter.play.steps import inputs_frame
from interpreter.play.trace_events import SpanEnded
from interpreter.runtime.constraints import constraints_check
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.state import SCENE, STATE
from interpreter.syntax.document import Node
from interpreter.syntax.fixed_words import SPANS

CHANCE_DICE, TABLE_DICE = "chance", "table"
"""Where the faces of a session come from: from its seed, or from dice on the table, which it asks for."""


Goals = str | Sequence[str] | Mapping[str, str | Sequence[str]]
"""What open choices are decided for: an outcome or a value, or several in the order of preference, or such names by who
decides."""


def goals_by_decider(named: Goals | None) -> Mapping[str, tuple[str, ...]]:
    """The names of goals by who decides, in the order of preference; nobody in particular for names alone."""
    by_decider = named if isinstance(named, Mapping) else {"": named} if named is not None else {}
    return {whose: (one,) if isinstance(one, str) else tuple(one) for whose, one in by_decider.items()}


@dataclass(frozen=True, slots=True)
class Query:
    """The arguments of a host's call about a rule: `roll`, `play`, `begin`, `odds`, `simulate` and `sweep` share it.

    `rule` is a name or a path. `ask` is only for single runs; `best` and `worst` are only for odds.
    """

    instance: Instance
    rule: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    state: Held | None = None
    choices: Mapping[str, Any] | None = None
    policy: str | Policy | None = None
    ask: Policy | None = None
    part: ScenePart = WHOLE
    ends: str | None = None
    best: Goals | None = None
    worst: Goals | None = None


@dataclass(frozen=True, slots=True)
class PreparedRule:
    """A rule, the reader of its inputs and answers, the frame that it starts from, and the generator that plays it."""

    rule: ir.Mechanic
    reader: InputReader
    frame: dict[str, Any]
    walk: Callable[[dict[str, Any], Run], Walk]
    part: ScenePart = WHOLE
    ends: str | None = None

    def fresh_frame(self) -> dict[str, Any]:
        """A copy of the frame that it starts from, for another run, with a new meter."""
        return {**self.frame, ".meter": new_frame()[".meter"]}


def prepare(query: Query) -> PreparedRule:
    """The rule of a query, prepared to be played.

    Raises PlayError where there is no such rule, an input is unknown, missing or does not fit, or an action is refused.
    """
    instance = query.instance
    reader = instance.reader(query.state)
    nodes = {name: node_of(value, name) for name, value in query.inputs.items()}
    section, rule = instance.find_rule(query.rule)
    with say.Placed({name: node.span for name, node in nodes.items()}):
        start = (_action_frame if section == "actions" else _rule_frame)(instance, reader, rule, nodes)
    if query.part.phase is not None and section == "scenes":
        phases = [one.name for one in instance.program.scenes[rule.name].phases]
        if query.part.phase not in phases:
            raise PlayError(say.unknown_of(say.NOWHERE, "phase", query.part.phase, phases))

    def walk(given: dict[str, Any], run: Run) -> Walk:
        # Compiled when the rule is played: odds do not play it.
        return instance.walk(query.rule, query.part)(given, run)

    prepared = PreparedRule(rule, reader, start, walk, query.part)
    return prepared if query.ends is None else _end_span_after(instance, prepared, query.ends)


def answers(query: Query, prepared: PreparedRule) -> Answers:
    """The answers of one run of a query."""
    return answers_of(prepared.reader, query.choices, query.policy, query.ask)


def _rule_frame(
    instance: Instance, reader: InputReader, rule: ir.Mechanic, nodes: Mapping[str, Node]
) -> dict[str, Any]:
    values = reader.mechanic_inputs(rule, nodes)
    if rule.path.startswith("scenes.") and SCENE in reader.state.things:  # one under way has been given its inputs
        had = reader.state.things[SCENE].values
        values = {one.name: had[one.name] for one in rule.inputs if one.name in had} | values
    return inputs_frame(instance.closures, rule, values, reader.state)


def _action_frame(
    instance: Instance, reader: InputReader, rule: ir.Mechanic, nodes: Mapping[str, Node]
) -> dict[str, Any]:
    action = instance.program.actions[rule.name]
    if "actor" not in nodes:
        raise PlayError(say.missing_input("actor", rule.name, "somebody must do it"))
    actor = reader.value(nodes["actor"], action.actor.type, "actor")
    values = reader.mechanic_inputs(rule, {name: node for name, node in nodes.items() if name != "actor"})
    start = {**new_frame(), STATE: reader.state, "actor": actor, **values}
    problem = refusal(plan_of(instance.walker, action), start)
    if problem is not None:
        raise problem
    for one in rule.inputs:
        if one.name not in values:
            break  # the run asks for it first, and the bounds of those below may read it
        constraints_check(instance.closures, one)(values[one.name], start)
    return start


def _end_span_after(instance: Instance, prepared: PreparedRule, span: str) -> PreparedRule:
    """A rule after which a span ends. Raises PlayError if it is not a span."""
    if span not in SPANS:
        raise PlayError(say.not_one_of(say.NOWHERE, "what ends", span, SPANS))

    def walk(given: dict[str, Any], run: Run) -> Walk:
        record = yield from prepared.walk(given, run)
        if STATE in given:
            yield from end_span(instance.walker, span, given, run)
        run.add_event(SpanEnded, prepared.rule, span)
        return record

    return replace(prepared, walk=walk, ends=span)

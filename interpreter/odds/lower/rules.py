"""The block of a whole mechanic: its steps, its outcome, its further readings, and the steps of the outcome."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import partial
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.answers import calls_in
from interpreter.ir.traversal import nodes_under
from interpreter.odds.lower.best_and_rest import find_best_dice
from interpreter.odds.lower.draws import readings_of_draws
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.readings_of_calls import read_in_called_rules, with_hidden_readings
from interpreter.odds.lower.records import prune, record_of
from interpreter.odds.lower.steps import lower_steps
from interpreter.odds.lower.unread_dice import unread_after_choices
from interpreter.odds.matching import compare_in_each_case, hoist_matches
from interpreter.odds.operations import (
    ALL,
    Block,
    EndedValue,
    EnterBlock,
    Frame,
    Need,
    Op,
    Todo,
    build_block,
    needs_of_fields,
)
from interpreter.runtime.evaluator import Closure, make_when_used
from interpreter.runtime.state import STATE

MOST_BLOCKS = 3_000
"""The limit on blocks of mechanics in one ruleset: a mechanic that is called has one for each path to a choice."""


def rule_block(lowering: Lowering, rule: ir.Mechanic, need: Need, prefix: tuple[str, ...] = ()) -> Block:
    """The block of a rule for what is needed of its record; `prefix` precedes the names of its choices.

    Raises PlayError where there are too many blocks.
    """
    key = (rule.path, need, *((".".join(prefix), calls_in(prefix)) if prefix and lowering.may_ask(rule) else ("", ())))
    if key not in lowering.blocks:
        if len(lowering.blocks) >= MOST_BLOCKS:
            raise PlayError(say.too_many_states(MOST_BLOCKS))
        lowering.blocks[key] = _lower_rule(lowering, lowering.inline_rule(rule), need, prefix)
    return lowering.blocks[key]


def _lower_rule(lowering: Lowering, rule: ir.Mechanic, need: Need, prefix: tuple[str, ...]) -> Block:
    asked = _need_of_fields(rule, need)
    if lowering.exact:
        rule = read_in_called_rules(lowering, with_hidden_readings(lowering, rule, asked), asked)
        rule = compare_in_each_case(rule)
        rule = hoist_matches(rule, partial(_unread_steps, lowering, rule, asked))
    also = {one.name for one in rule.also}
    spread = _lower_outcome_steps(lowering, rule, asked, prefix)
    later: list[Op] = []
    if rule.outcomes is not None and ("outcome" in asked or spread):
        later.append(_lower_outcome(lowering, rule.outcomes, "outcome"))
    for one in reversed(rule.also):
        if one.name in asked or any(path[0] == one.name for op in (*later, *spread) for path in op.touches):
            later.insert(0, _lower_also(lowering, one))
    wanted = {name: paths for name, paths in asked.items() if name not in also and name != "outcome"}
    lowering.draws |= readings_of_draws(rule, asked)
    lowering.unread |= unread_after_choices(rule, asked)
    paths = {step.path for step in rule.steps}
    lowering.set_apart = {path: one for path, one in lowering.set_apart.items() if path not in paths}
    lowering.set_apart |= find_best_dice(rule, asked) if lowering.exact and not lowering.stepwise else {}
    touched_later = [path for op in (*later, *spread) for path in op.touches]
    ops = lower_steps(lowering, rule.steps, wanted, touched_later, prefix)

    def end_record(at: Frame, end: EndedValue) -> Any:
        made = {name: prune(at.get(name), asked[name]) for name in asked}
        if STATE in asked and end.state is not None:
            made[STATE] = end.state
        return made | ({"outcome": end.outcome} if "outcome" in asked else {})

    return build_block([*ops, *later, *spread], asked, record_of(asked), end_record)


def _need_of_fields(rule: ir.Mechanic, need: Need) -> Mapping[str, Need]:
    """What is asked of each field of the record, in the order in which they are computed."""
    if () not in need:
        return needs_of_fields(need)
    known = [name for name, _ in rule.type.fields]
    first = [*(step.name for step in rule.steps), *(one.name for one in rule.also), "outcome"]
    asked = dict.fromkeys([n for n in first if n in known] + [n for n in known if n not in first], ALL)
    return asked | ({STATE: ALL} if (STATE,) in need else {})


def _unread_steps(lowering: Lowering, rule: ir.Mechanic, asked: Container[str]) -> frozenset[str]:
    """The names of the steps that do nothing to what is asked of the record."""
    ends: list[Any] = [one for one in rule.also if one.name in asked]
    if rule.outcomes is not None and ("outcome" in asked or any(one.steps for one in rule.outcomes.cases)):
        ends = [*rule.also, rule.outcomes]
    read = _names_read(ends)
    unread = set()
    for step in reversed(rule.steps):
        if step.name in asked or step.name in read or lowering.may_end(step) or lowering.may_change_state(step):
            read |= _names_read(step)
        else:
            unread.add(step.name)
    return frozenset(unread)


def _names_read(node: Any) -> set[str]:
    """The names that formulas in a part of a rule read."""
    return {one.name for one in nodes_under(node) if isinstance(one, ir.Local)}


def _lower_outcome(lowering: Lowering, of: ir.Outcomes, name: str) -> Op:
    if of.as_of is not None:
        return Op(name, *lowering.reads([of.as_of]), plain=lowering.closure_of(of.as_of))
    place = of.cases[-1].path

    def compile_choice() -> Closure:
        cases = [(one.name, lowering.closure_of(one.condition)) for one in of.cases]

        def choose(at: Frame) -> str:
            for word, holds in cases:
                if holds is None or holds(at):
                    return word
            raise PlayError(say.no_outcome(place))

        return choose

    return Op(
        name, *lowering.reads([one.condition for one in of.cases]), plain=make_when_used(compile_choice), formula=of
    )


def _lower_also(lowering: Lowering, one: ir.Also) -> Op:
    if isinstance(one.reading, ir.Outcomes):
        return _lower_outcome(lowering, one.reading, one.name)
    reads, holds = lowering.reads([one.reading]), lowering.closures.of(one.reading)
    return Op(one.name, *reads, plain=lambda at: bool(holds(at)))


_AFTER = "(after)"
"""The name of the operation that runs the steps of the outcome."""


def _end_of_outcome(wanted: Iterable[str], at: Frame, end: EndedValue) -> dict[str, Any]:
    """What the steps of an outcome give where one of them ends the rule: the end, and what the earlier ones gave."""
    state = {} if end.state is None else {STATE: end.state}
    return {name: at[name] for name in wanted if name in at} | state | {_AFTER: EndedValue(end.outcome)}


def _lower_outcome_steps(
    lowering: Lowering, rule: ir.Mechanic, asked: Mapping[str, Need], prefix: tuple[str, ...]
) -> list[Op]:
    """The operation that runs the steps of the outcome, if any of them matters; it binds names of the mechanic."""
    cases = rule.outcomes.cases if rule.outcomes else ()
    steps = [step for one in cases for step in one.steps]
    if not any(step.name in asked or lowering.may_end(step) or lowering.may_change_state(step) for step in steps):
        return []
    blocks = {}
    for one in cases:
        wanted = {step.name: asked[step.name] for step in one.steps if step.name in asked}
        if any(map(lowering.may_change_state, one.steps)):
            wanted[STATE] = ALL
        ops = lower_steps(lowering, one.steps, wanted, [], (*prefix, one.name))
        record = record_of(dict.fromkeys(wanted, ALL))
        blocks[one.name] = build_block(ops, wanted, record, partial(_end_of_outcome, wanted))
    touches = frozenset((("outcome",), *(path for block in blocks.values() for path in block.touches)))

    def start(at: Frame) -> Todo:
        return EnterBlock(blocks[at["outcome"]], at)

    outside = tuple(use for block in blocks.values() for use in block.outside)
    return [
        Op(
            _AFTER, outside, touches, start=start,
            binds_fields=True, ends=True, asks=any(block.asks for block in blocks.values()),
            serial=lowering.next_serial(),
            reads_after_change=any(block.changing for block in blocks.values()),
        )
    ]  # fmt: skip

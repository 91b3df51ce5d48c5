"""Steps for control flow: stages, repetition, groups, cases, comparison, calls, the end of a rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Never

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.passes import name_before
from interpreter.play import trace_events as ev
from interpreter.play.run import Do, LoopUnderWay, MechanicEnded, Record, Run, Walk, keep_outside, without_requests
from interpreter.play.steps import Walker, compile_step, converter_between, inner_steps, walk_steps
from interpreter.runtime.constraints import accept_any, constraints_check
from interpreter.runtime.evaluator import Closure, Frame, new_frame
from interpreter.runtime.operations import as_number, check_held
from interpreter.runtime.roles import roles_function
from interpreter.runtime.state import STATE


def forms_of_stages(stages: ir.Stages) -> list[Callable[[Any], Any] | None]:
    """For each stage, what converts the value that it passes on when it is skipped; None where none is needed."""
    before = (stages.begun, *(stage.type for stage in stages.then))
    return [converter_between(given, stage.type) for given, stage in zip(before, stages.then, strict=False)]


def compile_stages(
    walker: Walker, action: ir.Stages, step: ir.Step, trail: tuple[str, ...]
) -> Callable[[Frame, Run], Walk]:
    begin = compile_step(walker, ir.Step(step.name, action.start, action.begun, step.path, step.span), trail)
    then = [compile_step(walker, one, (*trail, one.name)) for one in action.then]
    forms = forms_of_stages(action)
    name, row = step.name, action.then[-1] if action.reads_row else None

    def change_in_stages(given: Frame, run: Run) -> Walk:
        value = begin.plain(given) if begin.plain else (yield from begin.walk(given, run))  # type: ignore[misc]
        inside = dict(given)
        run.add_event(ev.StagesBegun, step, value)
        run.depth += 1
        run.spend(len(then))
        for stage, form in zip(then, forms, strict=True):
            inside[name] = value
            if stage.condition is not None and not stage.condition(inside):
                value = stage.instead(inside) if stage.instead else form(value) if form else value
                run.add_event(ev.StepSkipped, stage.step)
                continue
            value = stage.plain(inside) if stage.plain else (yield from stage.walk(inside, run))  # type: ignore[misc]
            if stage.step is not row:  # the row is the value of the whole step, and told as that
                run.add_event(ev.StepDone, stage.step, value)
        run.depth -= 1
        keep_outside(inside, given)
        return value

    return change_in_stages


def compile_repeat(
    walker: Walker, action: ir.Repeat, step: ir.Step, trail: tuple[str, ...]
) -> Callable[[Frame, Run], Walk]:
    of = walker.closures.of
    times = of(action.times)
    each = inner_steps(walker, action.each, trail)
    until = of(action.until) if action.until else None
    key = of(action.keep[1]) if action.keep else None
    lowest = action.keep is not None and action.keep[0] == "lowest"
    carry = [(name, name_before(name), of(begun)) for name, begun in action.carry]

    def run_passes(given: Frame, run: Run) -> Walk:
        passes: list[Record] = []
        keys: list[int] = []
        inside = dict(given)
        for name, _, begun in carry:
            inside[name] = begun(given)
        for nth in range(1, times(given) + 1):
            if nth > run.budget.passes:
                raise PlayError(say.budget_spent(step.span, "passes", run.budget.passes))
            inside.update(nth=nth, earlier=tuple(passes))
            for name, was, _ in carry:
                inside[was] = inside[name]
            run.add_event(ev.PassBegun, step, nth)
            run.depth += 1
            yield from walk_steps(each, inside, run)
            run.depth -= 1
            passes.append({one.name: inside[one.name] for one in each})
            if key is not None:
                keys.append(as_number(key(inside)))
            if until is not None and until(inside):
                break
        keep_outside(inside, given)
        if key is None:
            return tuple(passes)
        if not passes:
            return None
        best = (min if lowest else max)(keys)
        return passes[keys.index(best)]

    return run_passes


def compile_comparison(walker: Walker, action: ir.Compare, step: ir.Step) -> Closure:
    lines = []
    for name, ours, theirs, ranks in action.lines:
        order = {word: rank for rank, word in enumerate(ranks)} if ranks else None
        lines.append((name, walker.closures.of(ours), walker.closures.of(theirs), order))
    ties = action.ties

    def compare_keys(given: Frame) -> Record:
        difference = 0
        for _, ours, theirs, order in lines:
            a, b = ours(given), theirs(given)
            difference = order[a] - order[b] if order else a - b
            if difference:
                break
        if difference == 0 and ties:
            difference = 1 if ties == "ours" else -1
        return {"ahead": difference > 0, "behind": difference < 0, "level": difference == 0}

    return compare_keys


def compile_call(
    walker: Walker, action: ir.Call, step: ir.Step, trail: tuple[str, ...]
) -> Callable[[Frame, Run], Walk]:
    callee = walker.program.mechanics[action.mechanic]
    given_by = {name: walker.closures.of(formula) for name, formula in action.given}
    of = walker.closures
    inputs = [
        (one.name, given_by.get(one.name), of.of(one.default) if one.default else None, constraints_check(of, one))
        for one in callee.inputs
    ]
    taken = roles_function(walker.closures, action)
    place, name = ".".join(trail) + ".", trail[-1]
    placed = say.Placed({key: formula.span for key, formula in action.given}, step.span)

    def call_mechanic(given: Frame, run: Run) -> Walk:
        inside = new_frame(given[".meter"])
        if STATE in given:
            inside[STATE] = given[STATE]
        taken(given, inside)
        for key, passed, default, check in inputs:
            value = passed(given) if passed else None
            if value is None and default is not None:
                value = default(inside)
            inside[key] = value
            if check is not accept_any:
                with placed:
                    check(value, inside)
        outer, calls = run.prefix, run.calls
        run.prefix, run.calls = outer + place, (*calls, step.path)
        why = step.about if step.path == ev.BY_MASTER else ""
        run.add_event(ev.RuleCalled, callee, name, dict(inside) if STATE in inside else inside, step.path, why)
        run.depth += 1
        try:
            record = yield from walker.walk_of_mechanic(action.mechanic)(inside, run)
        except PlayError as problem:
            raise say.with_place_of_call(problem, action.mechanic, step.span) from None
        run.depth -= 1
        run.prefix, run.calls = outer, calls
        if STATE in inside:
            given[STATE] = inside[STATE]
        return check_held(record, step.span)

    return call_mechanic


def compile_first_of(
    walker: Walker, action: ir.FirstOf, step: ir.Step, trail: tuple[str, ...]
) -> Callable[[Frame, Run], Walk]:
    of = walker.closures.of
    cases = [(case, of(case.condition) if case.condition else None, of(case.value)) for case in action.cases]

    @without_requests
    def first(given: Frame, run: Run) -> Any:
        for case, holds, value in cases:
            if holds is None or holds(given):
                run.add_event(ev.CaseHeld, case)
                return value(given)
        return None

    return first


def compile_group(
    walker: Walker, action: ir.StepGroup, step: ir.Step, trail: tuple[str, ...]
) -> Callable[[Frame, Run], Walk]:
    steps = inner_steps(walker, action.steps, trail)

    def run_block(given: Frame, run: Run) -> Walk:
        inside = dict(given)
        run.depth += 1
        yield from walk_steps(steps, inside, run)
        run.depth -= 1
        keep_outside(inside, given)
        return check_held({one.name: inside[one.name] for one in steps}, steps[-1].step.span)

    return run_block


def compile_end(walker: Walker, action: ir.End, step: ir.Step, trail: tuple[str, ...]) -> Callable[[Frame, Run], Walk]:
    @without_requests
    def end_rule(given: Frame, run: Run) -> Never:
        raise MechanicEnded(action.outcome, given)

    return end_rule


def compile_for_each(walker: Walker, action: ir.ForEach, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """Run the steps for each element that a list has at the start; the result is a map of records, or their list."""
    of = walker.closures
    among, where = of.of(action.among), of.of(action.where) if action.where is not None else None
    each = inner_steps(walker, action.each, trail)
    name = action.name
    listed = isinstance(action.among.type, t.Map)

    def run_for_each_element(given: Frame, run: Run) -> Walk:
        found: dict[Any, Any] = {}
        records: list[dict[str, Any]] = []
        inside = dict(given)
        elements = among(given)
        elements = tuple(elements.values()) if listed else elements
        outside = len(run.loops)
        for number, element in enumerate(elements, 1):
            if where is not None and not where({**inside, ".it": element}):
                if action.keyed:
                    found.setdefault(element, None)
                continue
            inside[name] = element
            run.add_event(ev.ElementBegun, step, element)
            run.depth += 1
            if run.keeps_events:
                run.loops.append(LoopUnderWay(step.path, element, elements[number:], where, inside))
            try:
                yield from walk_steps(each, inside, run)
            finally:
                del run.loops[outside:]
            run.depth -= 1
            record = {one.name: inside[one.name] for one in action.each}
            if action.keyed:
                found[element] = record
            else:
                records.append(record)
        keep_outside(inside, given)
        return found if action.keyed else tuple(records)

    return run_for_each_element

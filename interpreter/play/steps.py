"""One run of a mechanic, from its inputs to its record: the reference for every faster engine.

A walk is a generator. It yields a request where dice are thrown or a player decides, and is sent the answer; it does
not know who answers. Steps are compiled once into closures, by verb. A run keeps events as small tuples, which
`interpreter.report.trace` words when they are read.

Faces are requested in a fixed order: dice as written, all first throws of a roll, then its chains die by die, then
rerolls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import BudgetExceeded, PlayError
from interpreter.ir import types as t
from interpreter.ir.types import LARGEST
from interpreter.play import trace_events as ev
from interpreter.play.run import Do, MechanicEnded, Record, Run, Walk, keep_outside
from interpreter.runtime.constraints import constraints_check
from interpreter.runtime.evaluator import Closure, Closures, Frame, new_frame
from interpreter.runtime.operations import as_dice, as_number, check_range
from interpreter.runtime.sentences import sentence_function
from interpreter.runtime.state import EMPTY, STATE, State
from interpreter.values import Thrown


class Compiled(NamedTuple):
    """A compiled step: `plain` if it yields no requests, else `walk`."""

    name: str
    step: ir.Step
    condition: Closure | None
    plain: Closure | None
    walk: Callable[[Frame, Run], Walk] | None
    instead: Closure | None
    skipped: Closure | None


Score = Callable[[Thrown, Any, Frame, Run], Walk]
"""A thrown die with another face, from the frame of the step that turns or rerolls it."""


class Verbs(NamedTuple):
    """What compiles each kind of step: `plain` for those that only compute a value, `walks` for all others."""

    plain: Mapping[type, Callable[[Walker, Any, ir.Step], Closure]]
    walks: Mapping[type, Callable[[Walker, Any, ir.Step, tuple[str, ...]], Do]]


@dataclass
class Walker:
    """The rules of a program under fixed options, each compiled when it is first played."""

    closures: Closures
    verbs: Verbs
    _rules: dict[str, Callable[[Frame, Run], Walk]] = field(default_factory=dict)
    _hooks: dict[str, list[Compiled]] = field(default_factory=dict)
    scenes: dict[Any, Do] = field(default_factory=dict)
    plans: dict[int, Any] = field(default_factory=dict)
    """The compiled plans of actions, by the identity of the action."""
    rolls: dict[str, ir.RollDice] = field(default_factory=dict)
    """Other forms of rolls, by path, which score dice of these rolls that are rerolled."""
    scores: dict[str, Score] = field(default_factory=dict)
    """What scores rerolled dice of a roll, by path."""

    @property
    def program(self) -> ir.Program:
        return self.closures.program

    def walk_of_mechanic(self, name: str) -> Callable[[Frame, Run], Walk]:
        """The walk of a mechanic, from a frame that holds its inputs; its value is the mechanic's record."""
        return self.walk_of_rule(self.program.mechanics[name])

    def walk_of_rule(self, rule: ir.Mechanic, tested: bool = False) -> Callable[..., Walk]:
        """The walk of any rule. That of an action is `tested`: its requirements were checked before it was paid.

        A third argument is a walk that comes before its steps, such as paying for an action, which may end it, too.
        """
        if rule.path not in self._rules:
            self._rules[rule.path] = _walk_of_rule(self, rule, tested)
        return self._rules[rule.path]

    def walk_of(self, step: ir.Step, trail: tuple[str, ...]) -> Do:
        """The walk of a step without its condition; `trail` names the steps around it, and itself."""
        return self.verbs.walks[type(step.action)](self, step.action, step, trail)

    def steps_at_bound(self, path: str, steps: tuple[ir.Step, ...]) -> list[Compiled]:
        """The steps that follow when a bound is reached."""
        if path not in self._hooks:
            self._hooks[path] = inner_steps(self, steps, ())
        return self._hooks[path]


def _walk_of_rule(walker: Walker, rule: ir.Mechanic, tested: bool) -> Callable[..., Walk]:
    required = requirements_check(walker, () if tested else rule.requires)
    steps = inner_steps(walker, rule.steps, ())
    names = [one.name for one in rule.steps]
    outcomes = _outcome_chooser(walker, rule.outcomes) if rule.outcomes else None
    also = [_further_reading(walker, one) for one in rule.also]

    def walk(given: Frame, run: Run, begins: Walk | None = None) -> Walk:
        required(given, run)
        record: Record = {}
        ended: str | None = None
        depth = run.depth
        try:
            if begins is not None:
                yield from begins
            known = run.rule_results(rule, given, run) if run.rule_results is not None else None
            if known is not None:
                record, given[STATE] = known
                return record
            yield from walk_steps(steps, given, run)
        except MechanicEnded as end:
            ended, run.depth = str(end), depth
            keep_outside(end.frame, given)
        for name in names:
            record[name] = given.get(name)
        if ended is None:
            for further, reading in also:
                record[further.name] = given[further.name] = reading(given, run)
            if outcomes is not None:
                chosen, done = outcomes(given, run)
                record["outcome"] = chosen
                if done is not None:
                    try:
                        yield from walk_steps(done, given, run)
                    except MechanicEnded as end:
                        record["outcome"], run.depth = str(end), depth
                        keep_outside(end.frame, given)
                        run.add_event(ev.RuleEnded, rule, str(end))
                    record |= {step.name: given.get(step.name) for step in done}
        else:
            record |= {one.name: None for one in rule.also}
            record["outcome"] = ended
            run.add_event(ev.RuleEnded, rule, ended)
        return record

    return walk


def requirements_check(walker: Walker, of: tuple[ir.Requirement, ...]) -> Callable[[Frame, Run], None]:
    """A function that checks what must hold before a rule begins; it raises PlayError if a condition fails."""
    requires = [(one, walker.closures.of(one.condition)) for one in of]

    def check_requirements(given: Frame, run: Run) -> None:
        for one, holds in requires:
            if not holds(given):
                raise PlayError(say.requirement_not_met(one.name, one.condition.text, one.span, one.about))
            run.add_event(ev.RequirementMet, one)

    return check_requirements


def _outcome_chooser(
    walker: Walker, of: ir.Outcomes, further: ir.Also | None = None
) -> Callable[[Frame, Run], tuple[str, list[Compiled] | None]]:
    if of.as_of is not None:
        passed = walker.closures.of(of.as_of)
        return lambda given, run: (passed(given), None)
    cases = [
        (
            one,
            walker.closures.of(one.condition) if one.condition else None,
            inner_steps(walker, one.steps, (one.name,)) if one.steps else None,
            sentence_function(walker.closures, one.tells),
        )
        for one in of.cases
    ]

    def choose(given: Frame, run: Run) -> tuple[str, list[Compiled] | None]:
        for one, holds, steps, told in cases:
            if holds is None or holds(given):
                if run.keeps_events:
                    run.add_event(ev.OutcomeReached, one, told(given), further)
                return one.name, steps
        raise PlayError(say.no_outcome(cases[-1][0].path))

    return choose


def _further_reading(walker: Walker, one: ir.Also) -> tuple[ir.Also, Callable[[Frame, Run], Any]]:
    if isinstance(one.reading, ir.Formula):
        holds = walker.closures.of(one.reading)

        def flag(given: Frame, run: Run) -> bool:
            value = bool(holds(given))
            run.add_event(ev.FurtherRead, one, value)
            return value

        return one, flag
    among = _outcome_chooser(walker, one.reading, one)
    return one, lambda given, run: among(given, run)[0]


def inner_steps(walker: Walker, steps: tuple[ir.Step, ...], trail: tuple[str, ...]) -> list[Compiled]:
    """Compiled steps; `trail` names the steps around them."""
    return [compile_step(walker, step, (*trail, step.name)) for step in steps]


def compile_step(walker: Walker, step: ir.Step, trail: tuple[str, ...]) -> Compiled:
    """One compiled step."""
    of = walker.closures.of
    condition = of(step.condition) if step.condition else None
    instead = of(step.instead) if step.instead else None
    skipped = None
    plain: Closure | None = None
    walk: Do | None = None
    action = step.action
    if isinstance(action, ir.Choose) and action.default is not None:
        skipped = of(action.default)
    if type(action) in walker.verbs.plain:
        plain = walker.verbs.plain[type(action)](walker, action, step)
    else:
        walk = walker.walk_of(step, trail)
    into = converter_of_step(step)
    if into is not None:
        plain, walk = (_convert_closure(into, plain) if plain else None), (_convert_walk(into, walk) if walk else None)
    return Compiled(step.name, step, condition, plain, walk, instead, skipped)


def converter_of_step(step: ir.Step) -> Callable[[Any], Any] | None:
    """What converts the value of a step to its type, if an `else` or a later stage gives the value in another form."""
    return converter_between(step.action.formula.type if isinstance(step.action, ir.Let) else None, step.type)


def converter_between(given: t.Type | None, wanted: t.Type) -> Callable[[Any], Any] | None:
    """What converts a value of one type to another type that it fits; None if no conversion is needed."""
    own, kind = t.without_maybe(given) if given is not None else None, t.without_maybe(wanted)
    if isinstance(kind, t.Number) and not isinstance(own, t.Number):
        return as_number
    return as_dice if isinstance(kind, t.Dice) and not isinstance(own, t.Dice) else None


def _convert_closure(into: Callable[[Any], Any], plain: Closure) -> Closure:
    return lambda given: into(plain(given))


def _convert_walk(into: Callable[[Any], Any], walk: Callable[[Frame, Run], Walk]) -> Callable[[Frame, Run], Walk]:
    def convert_value(given: Frame, run: Run) -> Walk:
        return into((yield from walk(given, run)))

    return convert_value


def walk_steps(steps: list[Compiled], given: Frame, run: Run) -> Walk:
    """Run steps in order; each binds its name in the frame."""
    run.spend(len(steps))
    events = run.events if run.keeps_events else None
    for one in steps:
        name, step, condition, plain, walk, _, _ = one
        try:
            if condition is not None and not condition(given):
                given[name] = _value_if_skipped(one, given)
                run.add_event(ev.StepSkipped, step)
                continue
            if plain is not None:
                value = plain(given)
            else:
                assert walk is not None
                value = yield from walk(given, run)
        except BudgetExceeded as error:
            raise error.placed_at(step.span) from None
        if type(value) is int and not -LARGEST <= value <= LARGEST:
            check_range(value, step.span)
        given[name] = value
        if events is not None:  # the most frequent event of all
            events.append(ev.StepDone(run.depth, step, value))


def _value_if_skipped(one: Compiled, given: Frame) -> Any:
    if one.instead is not None:
        return one.instead(given)
    return one.skipped(given) if one.skipped is not None else None


def inputs_frame(closures: Closures, rule: ir.Mechanic, values: Mapping[str, Any], state: State = EMPTY) -> Frame:
    """The frame that a mechanic starts from: the given inputs, and defaults for the rest.

    Raises PlayError for an input that is missing or out of bounds.
    """
    made = new_frame()
    if closures.program.has_state:
        made[STATE] = state
    for one in rule.inputs:
        value = values.get(one.name)
        if value is None and one.default is not None:
            value = closures.of(one.default)(made)
        if value is None and one.required:
            raise PlayError(say.missing_input(one.name, rule.name, one.about or "it has no default"))
        made[one.name] = value
        constraints_check(closures, one)(value, made)
    return made

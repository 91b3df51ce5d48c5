"""Find the choices of a rule, each with the steps that lead to it: the names in its key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from interpreter import ir
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.ir import types as t
from interpreter.ir.consent import PAYS, may_refuse_price, path_of_consent
from interpreter.ir.traversal import nested_steps
from interpreter.syntax.fixed_words import BOUNDARIES

Trail = tuple[ir.Step, ...]


def all_rules(program: ir.Program) -> list[ir.Mechanic]:
    """Every rule of a ruleset: mechanics, events, scenes, and the rules of actions and reactions."""
    acting = [*program.actions.values(), *(one.action for one in program.reactions.values())]
    scenes = [one.rule for one in program.scenes.values()]
    return [*program.mechanics.values(), *program.events.values(), *scenes, *(one.rule for one in acting)]


def steps_at_bounds(program: ir.Program) -> Iterator[ir.Step]:
    """Every step that runs when a track or points reach a bound."""
    for kind in program.kinds.values():
        for one in kind.has.values():
            yield from (*one.when_full, *one.when_hit_full, *one.when_empty)


MOST_TRAILS = 20_000
"""The most paths through the calls and events of a rule that are searched for choices."""


def reachable_bodies_once(program: ir.Program, of: Iterable[ir.Mechanic]) -> Iterator[tuple[Trail, ir.StepBody]]:
    """The body of every step of some rules and of what they call and cause; each rule is visited once."""
    seen: set[str] = set()
    for rule in of:
        yield from reachable_bodies(program, rule, (), seen)


def reachable_bodies(
    program: ir.Program, rule: ir.Mechanic, above: tuple[str, ...] = (), seen: set[str] | None = None
) -> Iterator[tuple[Trail, ir.StepBody]]:
    """The body of every step of a rule and of what it calls and causes, with the steps that lead to it.

    A rule in `seen` is not visited again, since the number of paths to a rule can grow exponentially.
    """
    if rule.path in above or (seen is not None and rule.path in seen):
        return
    if seen is not None:
        seen.add(rule.path)
    outcomes = rule.outcomes.cases if rule.outcomes else ()
    steps = (*rule.steps, *(step for one in outcomes for step in one.steps))
    scene = program.scenes.get(rule.name)
    if scene is not None and scene.rule is rule:
        steps += tuple(step for phase in scene.phases for step in phase.steps)
        steps += tuple(step for outcome in scene.outcomes for step in outcome.steps)
    yield from _bodies_among(steps, (), program, (*above, rule.path), seen)


def record_with_phase(scene: ir.Scene, phase: str) -> t.Record:
    """The type of the result of a scene of which one phase is played: the steps of the phase are fields too."""
    whole = scene.rule.type
    steps = next((one.type for one in scene.phases if one.name == phase), t.Record(phase, ()))
    fields = {**dict(whole.fields), **dict(steps.fields)}
    return t.Record(whole.name, tuple(fields.items()), (*whole.where, *steps.where))


def choice_trails(program: ir.Program, rule: ir.Mechanic) -> list[Trail]:
    """The trail of every choice of a rule, up to `MOST_TRAILS`; the last step is the choice itself."""
    searched = islice(reachable_bodies(program, rule), MOST_TRAILS)
    return [trail for trail, action in searched if isinstance(action, (ir.Choose, ir.ChooseEach))]


def question_trails(program: ir.Program, rule: ir.Mechanic) -> list[Trail]:
    """The trail of every step of a rule that may ask a player: choices, payments that may be refused, and offers."""
    searched = islice(reachable_bodies(program, rule), MOST_TRAILS)
    return [trail for trail, action in searched if _may_ask(action)]


def _may_ask(action: ir.StepBody) -> bool:
    if isinstance(action, ir.Pay):
        return action.may_refuse
    return isinstance(action, (ir.Choose, ir.ChooseEach, ir.Offer))


class KeyName(NamedTuple):
    """A name in the key of a choice: its place in the text, and the path of what it names."""

    name: str
    place: Span
    path: str


Key = tuple[KeyName, ...]
"""The names in the key of a choice."""


Asked = Iterator[tuple[Key, t.Type]]


def question_keys(program: ir.Program, rule: ir.Mechanic) -> Asked:
    """The key of every question that a rule may ask, up to `MOST_TRAILS`, and the type of the answer.

    Questions are inputs of actions, choices, payments, reactions, and the questions of reactions.
    """
    return _questions_of(program, rule, (), [MOST_TRAILS])


def _questions_of(program: ir.Program, rule: ir.Mechanic, above: tuple[str, ...], left: list[int]) -> Asked:
    if rule.path in above:
        return
    above = (*above, rule.path)
    acting = program.actions.get(rule.name)
    if acting is not None and acting.rule is rule:
        yield from _questions_before_steps(acting)
    if program.events.get(rule.name) is rule:
        yield from _questions_of_reactions(program, rule.name, above, left)
    if rule.path.startswith("scenes."):
        for happens in (one for one in program.events.values() if one.name in BOUNDARIES):
            place = KeyName(happens.name, happens.span, happens.path)
            yield from (((place, *inner), kind) for inner, kind in _questions_of(program, happens, above, left))
    for trail, action in reachable_bodies(program, rule):
        left[0] -= 1
        if left[0] < 0:
            return
        key = tuple([KeyName(step.name, step.span, step.path) for step in trail])
        match action:
            case ir.Choose():
                yield key, trail[-1].type
            case ir.ChooseEach():
                kind = t.without_maybe(trail[-1].type)
                yield key, kind.of if isinstance(kind, t.Map) else kind
            case ir.Pay(purses=purses, may_refuse=may_refuse):
                if may_refuse:
                    yield key, t.YES_NO
                if len(purses) > 1:
                    yield (*key, KeyName("mix", NOWHERE, f"{key[-1].path}.mix")), t.Text()
            case ir.Act(name) if name in program.actions:
                yield from (((*key, *inner), kind) for inner, kind in _questions_of_action(program, name, above, left))
            case ir.Offer(names):
                yield key, t.Word("actions", (*names, "pass"))
                for name in (name for name in names if name in program.actions):
                    acted = program.actions[name].rule
                    place = KeyName(name, acted.span, acted.path)
                    yield from (
                        ((*key, place, *inner), kind)
                        for inner, kind in _questions_of_action(program, name, above, left)
                    )
            case ir.Cause(event):
                for inner, kind in _questions_of_reactions(program, event, above, left):
                    yield (*key, *inner), kind


def _key_of_input(rule: ir.Mechanic, one: ir.Declaration) -> KeyName:
    return KeyName(one.name, one.span, f"{rule.path}.inputs.{one.name}")


def _questions_of_action(program: ir.Program, name: str, above: tuple[str, ...], left: list[int]) -> Asked:
    action = program.actions[name]
    if action.rule.path in above:
        return
    yield from _questions_before_steps(action)
    yield from _questions_of(program, action.rule, above, left)


def _questions_before_steps(action: ir.Action) -> Asked:
    rule = action.rule
    for declared in rule.inputs:
        yield (_key_of_input(rule, declared),), declared.type
    if may_refuse_price(action):
        yield (KeyName(PAYS, rule.span, path_of_consent(rule)),), t.YES_NO


def _questions_of_reactions(program: ir.Program, event: str, above: tuple[str, ...], left: list[int]) -> Asked:
    for name, one in program.reactions.items():
        rule = one.action.rule
        if event not in one.events or rule.path in above:
            continue
        key = (KeyName(name, rule.span, rule.path),)
        if not one.automatic:
            yield key, t.YES_NO
        for declared in rule.inputs:
            yield (*key, _key_of_input(rule, declared)), declared.type
        for inner, kind in _questions_of(program, rule, above, left):
            yield (*key, *inner), kind


def trails_meant(trails: Iterable[Trail], key: str) -> list[Trail]:
    """The trails that a key may mean: those that end with the names of the key."""
    names = key.split(".")
    return [trail for trail in trails if [step.name for step in trail[-len(names) :]] == names]


Found = Iterator[tuple[Trail, ir.StepBody]]


def _bodies_among(
    steps: Sequence[ir.Step], trail: Trail, program: ir.Program, above: tuple[str, ...], seen: set[str] | None
) -> Found:
    for step in steps:
        yield from _bodies_of(step.action, (*trail, step), program, above, seen)


def _bodies_of(
    action: ir.StepBody, trail: Trail, program: ir.Program, above: tuple[str, ...], seen: set[str] | None
) -> Found:
    yield trail, action
    if isinstance(action, ir.Stages):
        yield from _bodies_of(action.start, trail, program, above, seen)
        yield from _bodies_among(action.then, trail, program, above, seen)
    else:
        yield from _bodies_among(nested_steps(action), trail, program, above, seen)
    match action:
        case ir.Call(name) if name in program.mechanics:
            yield from _bodies_of_rule(program, program.mechanics[name], trail, above, seen)
        case ir.Act(name) if name in program.actions:
            yield from _bodies_of_rule(program, program.actions[name].rule, trail, above, seen)
        case ir.Offer(names):
            for name in (name for name in names if name in program.actions):
                yield from _bodies_of_rule(program, program.actions[name].rule, trail, above, seen)
        case ir.Cause(name) if name in program.events:
            yield from _bodies_of_rule(program, program.events[name], trail, above, seen)
        case ir.Shift(_, target):
            yield from _steps_after_bound(program, target, trail, above, seen)
        case ir.Pay(_, purses):
            for target, _ in purses:
                yield from _steps_after_bound(program, target, trail, above, seen)


def _bodies_of_rule(
    program: ir.Program, rule: ir.Mechanic, trail: Trail, above: tuple[str, ...], seen: set[str] | None
) -> Found:
    for inner, done in reachable_bodies(program, rule, above, seen):
        yield (*trail, *inner), done


def _steps_after_bound(
    program: ir.Program, target: ir.Lvalue, trail: Trail, above: tuple[str, ...], seen: set[str] | None
) -> Found:
    """The steps that run when the changed number reaches a bound."""
    one = program.kinds[target.kind].has[target.name]
    if one.path not in above and (seen is None or one.path not in seen):
        if seen is not None:
            seen.add(one.path)
        steps = (*one.when_full, *one.when_hit_full, *one.when_empty)
        yield from _bodies_among(steps, trail, program, (*above, one.path), seen)

"""Check steps in order: each verb has a function in `_VERBS` that gives its node and the type of its result.

`choices.py` checks choices, `value_steps.py` steps that compute a value from others, and `effects.py` effects.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds, choices, effects, rerolls, value_steps
from interpreter.checker.call_arguments import EnclosingRule, arguments_from, roles_of_call
from interpreter.checker.declarations import stated_type
from interpreter.checker.declared_names import check_name, check_value_name
from interpreter.checker.die_faces import check_face, dice_on_table
from interpreter.checker.endless import always_throws_again
from interpreter.checker.expressions import condition, formula, formula_or_text
from interpreter.checker.expressions.unthrown import GROUP, declaration_of
from interpreter.checker.known import pool_of
from interpreter.checker.passes import (
    MOST_PASSES,
    CarriedStep,
    carried_step,
    carry_steps,
    infer_unknown_type,
    report_skipped_answers,
    type_from_beginning,
    widen_type,
)
from interpreter.checker.policies import answers_of_policies
from interpreter.checker.rows_of_dice import check_row
from interpreter.checker.scope import Later, Scope
from interpreter.checker.step_keys import (
    error_formula,
    expression_at,
    in_form_of,
    optional_at,
    with_stated_words,
    without_bounds,
    word_at,
)
from interpreter.checker.vocabulary import face_type_of, places_of, rungs_of, tag_words
from interpreter.checker.world import World, text_at
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.by_word import purse_name
from interpreter.ir.traversal import EFFECTS, do_more_than_compute, outermost_nodes_in
from interpreter.runtime import functions
from interpreter.syntax.document import Broken, Entry, Mapping, Node, Scalar, entries_of, text_of
from interpreter.syntax.verb_grammar import verbs_in
from interpreter.work_count import spend

Checked = tuple[ir.StepBody, t.Type]


OF_A_STEP = 100
"""The units of work in which a step is checked."""

Verb = Callable[[World, Mapping, Scope, str, EnclosingRule, t.Type | None], Checked]


def check_steps(
    world: World, node: Node | None, scope: Scope, path: str, rule: EnclosingRule
) -> tuple[tuple[ir.Step, ...], Scope]:
    """Steps in order, each with those above it in scope, and the scope after them."""
    entries = entries_of(node)
    world.count_silent_steps(len(entries), node.span if node is not None else None)
    if node is not None:
        world.reach[node.span] = (scope, None)
    checked_steps: list[ir.Step] = []
    named = {entry.key.text: (place, entry.key.span) for place, entry in enumerate(entries)}
    outside = scope.later
    ended = False
    for place, entry in enumerate(entries):
        name = entry.key.text
        spend(OF_A_STEP)
        here = replace(
            scope, names=scope.names.inside(), later=Later(named, place, outside), within=scope.within | {name}
        )
        one = check_step(world, entry, here, f"{path}.{name}", rule)
        if not check_value_name(world, entry.key):
            checked_steps.append(one)  # so that what reads it in a record is no second error
            continue
        carried = scope.binding_before(name, entry.key.span)
        if name in scope.names and carried is None:
            world.problems.add(say.name_taken(entry.key.span, name, scope.names[name].span))
            continue
        if carried is not None:
            one = carried_step(world, one, carried)
        ended = ended or any(True for _ in outermost_nodes_in(one, ir.End))
        checked_steps.append(replace(one, type=t.maybe(one.type)) if ended else one)  # an `end` may skip it
        if not isinstance(one.action, ir.Stages) and one.instead is None:
            _note_dice(world, one.action, scope, entry.key.span)
        if t.is_unthrown(one.type):
            world.pools[entry.key.span] = one.action
        rerolls.note_rolls(world, one, scope, entry.key.span)
        if isinstance(one.action, ir.Reroll) and one.condition is not None and one.instead is None:
            world.skipped_rerolls.add(entry.key.span)
        scope = scope.bound(name, one.type, entry.key.span)
        if _may_change(world, one.action):
            scope = scope.without_state_facts()
        world.reach[entry.key.span] = (scope, None)
    return tuple(checked_steps), scope


def _note_dice(world: World, action: ir.StepBody, scope: Scope, named: Span) -> None:
    """Record the dice on the table that a name stands for after a step."""
    lying = dice_on_table(world, action, scope)
    if lying is None:
        world.on_table.pop(named, None)
    else:
        world.on_table[named] = lying


def _may_change(world: World, node: Any) -> bool:
    """Whether a step, or several, may change the state, in nested steps or in the mechanics that they call."""
    return any(
        _mechanic_may_change(world, one.mechanic) if isinstance(one, ir.Call) else True
        for one in outermost_nodes_in(node, (ir.Call, *EFFECTS))
    )


def _mechanic_may_change(world: World, name: str) -> bool:
    """Whether a mechanic may change the state; computed once for each, since mechanics call others."""
    known = world.may_change.get(name)
    if known is not None:
        return known
    callee = world.mechanic(name)
    if callee is None:
        return True
    world.may_change[name] = changes = _may_change(world, (callee.steps, callee.outcomes))
    return changes


def _scope_of_repeated_steps(world: World, scope: Scope, checked: Callable[[Scope], tuple[ir.Step, ...]]) -> Scope:
    """The scope of repeated steps: facts about the state hold in it only if the steps do not change the state."""
    unsure = scope.without_state_facts()
    if unsure.facts == scope.facts or world.passes_exhausted:
        return unsure
    with world.silent_pass():
        checked_steps = checked(scope)
    return unsure if _may_change(world, checked_steps) else scope


def check_step(
    world: World, entry: Entry, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None = None
) -> ir.Step:
    """One step. `so_far` is the type of the value that a stage changes; a skipped stage keeps the value."""
    name, node, span = entry.key.text, entry.value, entry.key.span
    if isinstance(node, Broken):
        return ir.Step(name, ir.Let(error_formula(node.span)), t.ANYTHING, path, span)
    if not isinstance(node, Mapping):
        expression = formula(world, node, scope, so_far and without_bounds(so_far))
        return ir.Step(name, ir.Let(expression), expression.type, path, span)
    test = node.get("if")
    when = condition(world, test, scope) if test is not None else None
    inside = scope.narrow(bounds.facts_of(when.body, True)) if when else scope
    verb = verbs_in(node.by_key)[0]
    action, kind = _VERBS[verb](world, node, inside, path, rule, so_far)
    other = node.get("else")
    instead = None
    if other is not None:
        if when is None:
            world.problems.add(say.missing_key(node.key("else").span, "if", "a step with `else`"))
        instead = formula(world, other, scope, kind if isinstance(kind, t.Word) else None)
        both = t.union(kind, instead.type)
        if both is None:
            world.problems.add(say.no_common_type(instead.span, t.in_words(kind), t.in_words(instead.type)))
        kind = both or t.ANYTHING
        instead = in_form_of(instead, kind)
    elif when is not None and so_far is None and isinstance(action, ir.Choose) and action.default is not None:
        action, kind = _with_default_unasked(world, node, scope, action, kind)
    elif when is not None and so_far is None:
        kind = t.maybe(kind)
    return ir.Step(name, action, kind, path, span, when, instead, about=text_at(node, "about"))


def _with_default_unasked(
    world: World, node: Mapping, scope: Scope, action: ir.Choose, kind: t.Type
) -> tuple[ir.Choose, t.Type]:
    """A choice that may be skipped, and then has its default: this knows nothing of the condition, and may be none of
    the answers."""
    known = set(world.problems.errors)
    with world.silent_pass():
        default = formula_or_text(world, node.by_key["default"].value, scope, kind)
        errors = world.problems.errors
    for one in errors:
        if one not in known:
            world.problems.add(say.default_unasked(one))
    both = t.union(kind, default.type)
    if both is None:  # the choice has reported it
        return action, kind
    return replace(action, default=default), both


def _check_turn(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    who = expression_at(world, node, "turn", scope, None)
    if not isinstance(who.type, (t.Object, t.Anything)):
        world.problems.add(say.wrong_type(who.span, "a thing whose turn it is", t.in_words(who.type)))
    for name in ("turn_begins", "turn_ends"):
        event = world.event(name)
        if event is not None and event.inputs and not t.fits(who.type, event.inputs[0].type):
            world.problems.add(say.wrong_type(who.span, t.in_words(event.inputs[0].type), t.in_words(who.type)))
    inside = scope.without_state_facts()  # reactions to the beginning of the turn may change the state
    checked_steps, _ = check_steps(world, node.get("steps"), inside, f"{path}.steps", rule)
    return ir.Turn(who, checked_steps), _record("turn", checked_steps)


def guard_of(world: World, node: Mapping, scope: Scope, at_once: str) -> ir.Formula | None:
    """`guard` of a roll or of a scene: how often it may continue; `at_once` words the effect of one that is too low."""
    expression = optional_at(world, node, "guard", scope, t.NUMBER)
    kind = (
        t.as_number(expression.type)
        if expression is not None and not isinstance(expression.type, t.Anything)
        else t.NUMBER
    )
    if expression is not None and kind.high is not None and kind.high < 1:
        world.problems.add(say.guard_too_low(expression.span, kind.high, at_once))
    return expression


# Expressions, stages, blocks -------------------------------------------------------------------------------------


def _check_is(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    stated = _stated_type(world, node)
    expression = expression_at(world, node, "is", scope, stated or (so_far and without_bounds(so_far)))
    return ir.Let(expression), expression.type if stated is None else with_stated_words(expression.type, stated)


def _stated_type(world: World, node: Mapping) -> t.Type | None:
    """The type that a step states for its value, if it states one."""
    if "type" not in node and "list_of" not in node:
        return None
    return stated_type(world, "the value", node, node.span)[0]


def _check_start(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    first = Entry(node.key("start"), node.by_key["start"].value)
    begun = check_step(world, first, scope, f"{path}.start", rule)
    return _check_stages(world, node, begun.action, begun.type, scope, path, rule)


def _check_stages(
    world: World, node: Mapping, start: ir.StepBody, kind: t.Type, scope: Scope, path: str, rule: EnclosingRule
) -> Checked:
    then = node.get("then")
    name = path.rsplit(".", 1)[-1]
    named = scope.later.get(name, node.span)  # until it is finished, the step itself is among the later ones
    stages: list[ir.Step] = []
    begun = kind
    scope = scope.without_state_facts() if _may_change(world, start) else scope
    _note_dice(world, start, scope, named)
    for entry in entries_of(then):
        check_name(world, entry.key)
        inside = scope.bound(name, kind, named)
        stage = check_step(world, entry, inside, f"{path}.then.{entry.key.text}", rule, kind)
        together = t.union(kind, stage.type) if stage.condition else stage.type
        if together is None or t.union(kind, stage.type) is None:
            world.problems.add(say.wrong_type(entry.key.span, t.in_words(kind), t.in_words(stage.type)))
            together = t.ANYTHING
        if stage.condition is None or isinstance(stage.action, ir.Reroll):
            _note_dice(world, stage.action, inside, named)
        else:
            world.on_table.pop(named, None)
        stages.append(replace(stage, type=together))
        kind = together
        scope = scope.without_state_facts() if _may_change(world, stage.action) else scope
    return ir.Stages(start, tuple(stages), begun), kind


def _check_step_group(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    checked_steps, _ = check_steps(world, node.get("steps"), scope, f"{path}.steps", rule)
    return ir.StepGroup(checked_steps), _record(GROUP, checked_steps)


def _record(name: str, inner: tuple[ir.Step, ...], *more: tuple[str, t.Type]) -> t.Record:
    where = tuple((one.name, one.span) for one in inner)
    return t.Record(name, (*more, *((one.name, one.type) for one in inner)), where)


def _check_first_of(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    expected = _stated_type(world, node) or (so_far and without_bounds(so_far))
    return value_steps.check_first_of(world, node, path, scope, expected)


# Dice ------------------------------------------------------------------------------------------------------------


def _check_roll(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    what = node.get("roll")
    parts: list[tuple[str | None, ir.Formula]] = []
    if isinstance(what, Mapping):
        for entry in what.entries:
            check_name(world, entry.key)
            parts.append((entry.key.text, formula(world, entry.value, scope, t.Dice())))
    elif what is not None:
        parts.append((None, formula(world, what, scope, t.Dice())))
    for part, pool in parts:
        declared = declaration_of(world, pool.body)
        if declared is not None:
            world.throws.setdefault(declared, ".".join((path.rsplit(".", 1)[-1], *([part] if part else []))))
    places = places_of(what)
    names = t.Word("parts", tuple(name for name, _ in places), where=places)
    single = len(parts) == 1 and (
        isinstance(parts[0][1].body, ir.Converted) and isinstance(parts[0][1].body.of.type, t.SingleDie)
    )
    least = sum(t.least_length(part.type) for _, part in parts)
    face = face_type_of(world)
    assert isinstance(face, t.Number)
    throw = replace(scope, die=None)
    for word, kind in (
        ("face", face),
        ("nth", t.Number(1)),
        ("size", t.Number(1)),
        ("tags", t.List(tag_words(world))),
        ("part", names),
    ):
        throw = throw.bound(word, kind)
    each, inside = _with_earlier(world, node.get("each"), throw, f"{path}.each", rule)
    counts = optional_at(world, node, "counts", inside, t.NUMBER)
    shows = t.as_number(counts.type) if counts else face
    again = optional_at(world, node, "again", inside.bound("counts", shows), t.YES_NO)
    guard = guard_of(world, node, scope, "a die that is thrown again is an error at once")
    if again is not None:
        shows = t.Number(shows.low if shows.low is not None and shows.low >= 0 else None)
    once = do_more_than_compute(each, world.mechanic)
    fewest = tuple([t.least_length(part.type) for name, part in parts if name is not None]) or None
    most = _most_dice_of_parts(world, parts)
    rolled = t.Roll(least, single, names, _record("throw", each), t.Number(shows.low), once, most, fewest)
    roll = ir.RollDice(tuple(parts), each, counts, again, guard)
    if again is not None and always_throws_again(world, roll):
        world.problems.add(say.never_ends(again.span, again.span.text))
    world.die_uses.add_roll(roll)
    known = not any(isinstance(part.type, t.Anything) for _, part in parts)
    thrown: Checked = (roll, rolled if known else t.ANYTHING)
    if "then" in node:
        action, changed = _check_stages(world, node, *thrown, scope, path, rule)
        thrown = (action, changed if known else t.ANYTHING)
    return _check_row_of_dice(world, node, *thrown, scope, path) if "on" in node else thrown


def _check_row_of_dice(
    world: World, node: Mapping, rolled: ir.StepBody, kind: t.Type, scope: Scope, path: str
) -> Checked:
    """A roll, perhaps with stages, whose value is the row of a table."""
    inside = scope.without_state_facts() if _may_change(world, rolled) else scope
    row = check_row(world, node, rolled, kind, inside, path)
    before = rolled if isinstance(rolled, ir.Stages) else ir.Stages(rolled, (), kind)
    world.rows_of_dice.add(scope.later.get(path.rsplit(".", 1)[-1], node.span))
    return replace(before, then=(*before.then, row), reads_row=True), row.type


def _most_dice_of_parts(world: World, parts: list[tuple[str | None, ir.Formula]]) -> tuple[int, ...] | None:
    """The most dice of each part of a roll; None if that is not known of all."""
    pools = [pool_of(world, part.body, {}) for _, part in parts]
    most = [pool.number.high for pool in pools if pool is not None and pool.number.high is not None]
    return tuple(most) if len(most) == len(parts) else None


def _with_earlier(
    world: World, node: Node | None, scope: Scope, path: str, rule: EnclosingRule
) -> tuple[tuple[ir.Step, ...], Scope]:
    """The steps of an `each`, in which `earlier` has their names; silent passes find the types first."""
    if not isinstance(node, Mapping):
        return (), scope.bound("earlier", t.List(t.ANYTHING))
    first = scope.bound("earlier", t.List(t.ANYTHING))
    if not world.is_quiet:
        return _check_until_types_settle(world, node, first, path, rule)
    passes = world.passes.setdefault(id(node), [])
    for seen, result in passes:  # the result of a first pass depends on the scope alone
        if seen == first:
            return result
    passes.append((first, _check_until_types_settle(world, node, first, path, rule)))
    return passes[-1][1]


def _check_until_types_settle(
    world: World, node: Mapping, first: Scope, path: str, rule: EnclosingRule
) -> tuple[tuple[ir.Step, ...], Scope]:
    scope = _scope_of_repeated_steps(world, first, lambda here: check_steps(world, node, here, path, rule)[0])
    known: dict[str, t.Type] = {entry.key.text: t.NOT_YET for entry in node.entries}
    earlier = t.List(t.ANYTHING)
    carried = {name: one for name, one in first.names.items() if first.binding_before(name, one.span)}
    for _ in range(MOST_PASSES if not world.passes_exhausted else 0):
        earlier = t.List(t.Record("earlier", tuple(known.items()), places_of(node)))
        for name, begun in carried.items():
            scope = scope.carry(name, widen_type(begun.type, known.get(name, t.NOT_YET)), begun.span)
        with world.silent_pass():
            checked_steps, after = check_steps(world, node, scope.bound("earlier", earlier), path, rule)
            well = not world.problems.errors
        # An `end` before a step may skip it, but no pass follows then: the scope after the steps does not allow for it.
        types = {one.name: after.names[one.name].type if one.name in after.names else one.type for one in checked_steps}
        next_types = {name: widen_type(known.get(name, t.NOT_YET), kind) for name, kind in types.items()}
        if well and next_types == known:
            next_types = {one.name: type_from_beginning(one, next_types[one.name]) for one in checked_steps}
        if next_types == known or world.passes_exhausted:
            break
        known = {**known, **next_types}
    return check_steps(world, node, scope.bound("earlier", earlier), path, rule)


def _split_selection(expression: ir.Formula) -> tuple[ir.Formula, ir.Formula | None]:
    """`dice where c` split into all the dice and the selection, None for all."""
    if isinstance(expression.body, ir.Filtered):
        return replace(expression, body=expression.body.of, type=expression.body.of.type), expression
    return expression, None


def _check_place(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    dice = expression_at(world, node, "place", scope, t.Dice())
    showing = expression_at(world, node, "showing", scope, t.NUMBER)
    single = isinstance(dice.body, ir.Converted)
    action = ir.Place(dice, showing)
    check_face(world, action, scope)
    return action, t.Roll(t.least_length(dice.type), single, shows=t.as_number(showing.type))


def _check_raise(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    of, which = _split_selection(expression_at(world, node, "raise", scope, t.Dice()))
    by = expression_at(world, node, "by", scope, t.NUMBER)
    name = node.get("ladder")
    assert isinstance(name, Scalar | Broken)
    rungs: tuple[object, ...] = ()
    if isinstance(name, Scalar):
        world.refer(name.span, "ladders", name.text)
        rungs = rungs_of(world, name.text) or ()
        if name.text not in world.section("ladders"):
            world.problems.add(say.unknown_of(name.span, "ladder", name.text, world.section("ladders")))
        elif rungs and isinstance(rungs[0], str):
            world.problems.add(say.wrong_type(name.span, "a ladder of dice", "a ladder of words"))
            rungs = ()
    ladder = text_of(name)
    full = word_at(node, "when_full", "lost")
    action = ir.Raise(of, which, ladder, rungs, by, word_at(node, "past_top", "stop"), full)
    return action, t.Dice(t.least_length(of.type))


def _check_pair(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    ours, theirs = (
        expression_at(world, node, "pair", scope, t.Roll()),
        expression_at(world, node, "with", scope, t.Roll()),
    )
    missing = optional_at(world, node, "missing", scope, t.NUMBER)
    mine, other = functions.element_of(ours.type), functions.element_of(theirs.type)
    first = optional_at(world, node, "first", replace(scope, die=mine), None)
    if first is not None and not isinstance(first.type, t.YesNo):
        first = expression_at(world, node, "first", replace(scope, die=mine), t.NUMBER)
    inside = scope.bound("ours", mine, node.span).bound("theirs", other, node.span)
    inside = _scope_of_repeated_steps(
        world, inside, lambda here: check_steps(world, node.get("each"), here, f"{path}.each", rule)[0]
    )
    each, _ = check_steps(world, node.get("each"), inside, f"{path}.each", rule)
    least = (
        t.least_length(ours.type)
        if missing is not None
        else min(t.least_length(ours.type), t.least_length(theirs.type))
    )
    kind = t.List(_record("pair", each, ("ours", mine), ("theirs", other)), least)
    world.die_uses.add_pairs()
    return ir.Pair(ours, theirs, missing, first, each), kind


# Control ---------------------------------------------------------------------------------------------------------


def _check_repeat(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    times = expression_at(world, node, "repeat", scope, t.NUMBER)
    carried, first = _steps_carried_on(world, node, scope, path, rule)
    each, inside = _with_earlier(world, node.get("each"), first, f"{path}.each", rule)
    carry = carry_steps(world, carried, each)
    until = optional_at(world, node, "until", inside, t.YES_NO)
    if until is not None:
        report_skipped_answers(world, each, until.body)
    record = _record("pass", each)
    some = isinstance(times.type, t.Anything) or (t.as_number(times.type).low or 0) >= 1
    keep = node.get("keep")
    repetition = ir.Repeat(times, each, until, carry=carry)
    if not isinstance(keep, Mapping):
        low = t.as_number(times.type).low or 0
        return repetition, t.List(record, int(some) if until is not None else max(low, int(some)))
    if len(keep.entries) != 1:
        world.problems.add(say.two_ways_to_keep(keep.span, [e.key.text for e in keep.entries]))
        return repetition, record
    best = keep.entries[0]
    key = formula(world, best.value, inside, t.NUMBER)
    return replace(repetition, keep=(best.key.text, key)), record if some else t.maybe(record)


def _steps_carried_on(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule
) -> tuple[list[CarriedStep], Scope]:
    """The steps that passes carry on, and the scope of a pass with them."""
    carry, each = node.get("carry"), node.get("each")
    inside = scope.bound("nth", t.Number(1))
    places = dict(places_of(each))
    steps_carried: list[CarriedStep] = []
    entries = entries_of(carry)
    types = (
        _types_of_carried_steps(world, each, [entry.key.text for entry in entries], inside, path, rule)
        if entries
        else {}
    )
    for entry in entries:
        name, span = entry.key.text, entry.key.span
        goes_on = types.get(name)
        begun = formula(world, entry.value, scope, goes_on if isinstance(goes_on, t.Word) else None)
        likely_name = name if name in places else say.nearest_name(name, places) or ""
        if name in scope.names:
            world.problems.add(say.name_taken(span, name, scope.names[name].span))
        elif name not in places:
            world.problems.add(say.carried_nowhere(span, name, places))
            inside = (
                inside.carry(likely_name, t.ANYTHING, places[likely_name])
                if likely_name
                else inside.bound(name, t.ANYTHING)
            )
            continue
        elif goes_on is not None and t.union(begun.type, goes_on) is None:
            begins, other = t.in_words(begun.type), t.in_words(goes_on)
            world.problems.add(say.carried_as_another(begun.span, name, begins, other, places[name]))
            inside = inside.carry(name, t.ANYTHING, places[name])
            continue
        world.references[span] = places[name]
        inside = inside.carry(name, begun.type, places[name])
        steps_carried.append(CarriedStep(name, places[name], begun))
    return steps_carried, inside


def _types_of_carried_steps(
    world: World, each: Node | None, carried: Sequence[str], scope: Scope, path: str, rule: EnclosingRule
) -> dict[str, t.Type]:
    """The types of the steps that are carried, as far as they follow from something else than what these begin with."""
    if world.passes_exhausted:
        return {}
    for name, step_span in places_of(each):
        scope = scope.carry(name, t.ANYTHING, step_span) if name in carried else scope
    with world.silent_pass():
        checked_steps, _ = check_steps(world, each, scope.bound("earlier", t.List(t.ANYTHING)), f"{path}.each", rule)
    return {one.name: infer_unknown_type(one, one.type, t.ANYTHING) for one in checked_steps if one.name in carried}


def _check_call(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    name = node.get("call")
    if not isinstance(name, Scalar):
        return ir.Let(error_formula(node.span)), t.ANYTHING
    world.refer(name.span, "mechanics", name.text)
    callee = world.mechanic(name.text)
    if callee is None:
        if name.text not in world.section("mechanics"):
            world.problems.add(say.unknown_of(name.span, "mechanic", name.text, world.section("mechanics")))
        return ir.Let(error_formula(node.span)), t.ANYTHING
    given = arguments_from(world, scope, rule)(callee.inputs, node.get("with"), name.text, name.span)
    return ir.Call(name.text, tuple(given), tuple(roles_of_call(world, node.get("roles"), scope))), callee.type


def _check_for(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    def check_each(here: Scope) -> tuple[ir.Step, ...]:
        return check_steps(
            world, node.get("each"), effects.head_of_for(world, node, scope, here)[2], f"{path}.each", rule
        )[0]

    each_time = _scope_of_repeated_steps(world, scope, check_each)
    among, where, inside, name, element = effects.head_of_for(world, node, scope, each_time)
    each, _ = check_steps(world, node.get("each"), inside, f"{path}.each", rule)
    record = _record(name, each)
    if isinstance(element, t.ThrownDie):
        world.die_uses.add_loop(among.body)
    keyed = t.may_be_key(element)
    kind: t.Type = t.List(record, 0 if where is not None else t.least_length(among.type))
    if keyed:
        kind = t.Map(element, t.maybe(record) if where is not None else record, _fewest_keys(among))
    return ir.ForEach(name, among, where, each, keyed), kind


def _fewest_keys(among: ir.Formula) -> int:
    """The fewest different elements of a list."""
    if isinstance(among.body, ir.Constant) and type(among.body.value) is tuple:
        return len({*among.body.value})
    return min(t.least_length(among.type), 1)


def _verb_of_effect(make: Callable[[World, Mapping, Scope], Checked]) -> Verb:
    return lambda world, node, scope, path, rule, so_far: make(world, node, scope)


def _check_cause(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    return effects.check_cause(world, node, scope, arguments_from(world, scope, rule))


def _check_change(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    return effects.check_change(world, node, scope, rule.events, node.key("change").span)


def _check_pay(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    action, kind = effects.check_pay(world, node, scope)
    if isinstance(action, ir.Pay) and action.may_refuse:
        said = answers_of_policies(world, path, lambda answer: formula_or_text(world, answer, scope, t.YES_NO))
        action = replace(action, answers=said)
    if isinstance(action, ir.Pay) and len(action.purses) > 1:
        points = t.Word("points", tuple(purse_name(target) for target, _ in action.purses))
        first = answers_of_policies(
            world, f"{path}.mix", lambda answer: effects.order_of_preference(world, answer, scope, points)
        )
        action = replace(action, mixes=first)
    return action, kind


def _check_cancel(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    return effects.check_cancel(world, rule.events, node.key("cancel").span)


def _check_end(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, so_far: t.Type | None
) -> Checked:
    name = node.get("end")
    return ir.End(text_of(name)), t.Maybe(t.ANYTHING)


_VERBS: dict[str, Verb] = {
    "start": _check_start,
    "is": _check_is,
    "roll": _check_roll,
    "reroll": lambda world, node, scope, path, rule, so_far: rerolls.check_reroll(world, node, scope),
    "place": _check_place,
    "raise": _check_raise,
    "repeat": _check_repeat,
    "pair": _check_pair,
    "compare": _verb_of_effect(value_steps.check_compare),
    "choose": lambda world, node, scope, path, rule, so_far: choices.check_choose(world, node, scope, path),
    "first_of": _check_first_of,
    "call": _check_call,
    "steps": _check_step_group,
    "end": _check_end,
    "for": _check_for,
    "order": lambda world, node, scope, path, rule, so_far: value_steps.check_order(world, node, scope, path),
    "turn": _check_turn,
    "draw": _verb_of_effect(effects.check_draw),
    "put": _verb_of_effect(effects.check_put),
    "take": _verb_of_effect(effects.check_take),
    "gain": _verb_of_effect(effects.check_gain),
    "lose": _verb_of_effect(effects.check_lose),
    "pay": _check_pay,
    "set": _verb_of_effect(effects.check_assign),
    "add": _verb_of_effect(effects.check_include),
    "remove": _verb_of_effect(effects.check_exclude),
    "make": _verb_of_effect(effects.check_make),
    "destroy": _verb_of_effect(effects.check_destroy),
    "cause": _check_cause,
    "act": _verb_of_effect(effects.check_act),
    "offer": lambda world, node, scope, path, rule, so_far: effects.check_offer(world, node, scope, path),
    "change": _check_change,
    "cancel": _check_cancel,
}

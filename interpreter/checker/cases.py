"""Check the names in cases: rules, inputs, options, policies, things and values must exist.

Cases are run elsewhere, by `interpreter.testing.cases`. The places of the names can be recorded as well, so that a
house rule that renames something renames it in cases too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from collections.abc import Mapping as Names
from itertools import islice

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.case_parts import (
    JOINT_CHANCE,
    OF_CHANCES,
    expected_names,
    grid_rows,
    named_goals,
    named_values,
    names_with_chances,
    segments,
    subject_of,
    varied_names,
)
from interpreter.checker.declarations import value_type
from interpreter.checker.expressions import formula
from interpreter.checker.policies import ways_of_keys
from interpreter.checker.scope import Binding, Bindings, Scope
from interpreter.checker.things import Things, check_value_fits, objects_before, values_after
from interpreter.checker.vocabulary import record_type_of
from interpreter.checker.world import World
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.ir import types as t
from interpreter.ir.choice_keys import Key, all_rules, question_keys, reachable_bodies_once, record_with_phase
from interpreter.syntax.document import (
    Entry,
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries_of,
    items_of,
    parse_whole_number,
    scalars,
    value_at,
)
from interpreter.syntax.expression_parser import parse
from interpreter.syntax.names import NAME


def check_cases(world: World, program: ir.Program) -> None:
    """Report unknown names in cases, and among the typical inputs of mechanics."""
    for name, rule in program.mechanics.items():
        node = world.section("mechanics")[name].value
        typical = value_at(node, "typical")
        if (
            typical is not None
            and typical.span.source.name not in world.lower
            and _has_no_error(world, "mechanics", name)
        ):
            for entry in entries_of(typical):
                _check_input(world, rule, entry.key)
    for case in world.cases:
        # Cases of files below a layer are only run: the layer may have removed what they name.
        if isinstance(case, Mapping) and case.span.source.name not in world.lower:
            _check_case(world, program, case)


def _check_case(world: World, program: ir.Program, case: Mapping) -> None:
    for option in entries_of(case.get("options")):
        if option.key.text not in world.section("options"):
            world.problems.add(say.unknown_option(option.key.span, option.key.text, world.section("options")))
    policy, subject = case.get("policy"), subject_of(world, case)
    if isinstance(policy, Scalar) and policy.text not in program.policies:
        world.problems.add(say.unknown_of(policy.span, "policy", policy.text, program.policies))
    things = objects_before(world, case.get("before"), case.get("scene"))
    _check_part(world, program, case, subject)
    if subject is None:
        _check_after(world, case, things)
        return
    section, name = subject
    rule = program.playable[section].get(name.text)
    if name.text not in world.section(section):
        known = world.section(section)
        world.problems.add(say.unknown_of(name.span, section.removesuffix("s"), name.text, known))
    elif rule is not None and _has_no_error(world, section, name.text):
        if section == "actions":
            _check_actor(world, program.actions[name.text], name, case, things)
        expected = case.get("expect")
        if isinstance(expected, Scalar):
            outcomes = t.without_maybe(rule.type.field("outcome") or t.ANYTHING)
            words = outcomes.words if isinstance(outcomes, t.Word) else ()
            world.problems.add(say.expected_without_names(expected.span, expected.text, words))
        _check_inputs(world, rule, case)
        if "error" not in case:
            _check_names(world, program, rule, case)
            _check_given_things(world, rule, case, things)
            _check_after(world, case, _add_written_things(rule, case, things))


def _check_part(world: World, program: ir.Program, case: Mapping, subject: tuple[str, Scalar] | None) -> None:
    """Report an unknown phase, a number of rounds below 1, and `phase` or `rounds` in a case without a scene."""
    phase, rounds = case.get("phase"), case.get("rounds")
    played = program.scenes.get(subject[1].text) if subject is not None and subject[0] == "scenes" else None
    for key, node in (("phase", phase), ("rounds", rounds)):
        if node is not None and (subject is None or subject[0] != "scenes"):
            world.problems.add(say.part_of_no_scene(case.key(key).span, key))
    if isinstance(phase, Scalar) and played is not None:
        known = {one.name: one for one in played.phases}
        if phase.text in known:
            world.references[phase.span] = known[phase.text].span
        else:
            world.problems.add(say.unknown_of(phase.span, "phase", phase.text, known))
    if isinstance(rounds, Scalar) and (parse_whole_number(rounds.text) or 0) < 1:
        world.problems.add(say.not_that_type(rounds.span, "rounds", "a number from 1", rounds.text))
    if phase is not None and rounds is not None:
        world.problems.add(say.two_subjects(case.key("rounds").span, "rounds", "phase"))


def _result_type(program: ir.Program, rule: ir.Mechanic, case: Mapping) -> t.Record:
    """The values that a case may expect: the result of a rule, `happened` of an event, the steps of a phase."""
    result, phase = rule.type, case.get("phase")
    if rule.path.startswith("events."):
        return t.Record(rule.name, (*result.fields, ("happened", t.YES_NO)), result.where)
    if rule.path.startswith("scenes.") and isinstance(phase, Scalar):
        return record_with_phase(program.scenes[rule.name], phase.text)
    return result


def _check_after(world: World, case: Mapping, things: Things) -> None:
    """Report errors in the state that a case expects."""
    for _ in values_after(world, case.get("after"), things):
        pass


def _add_written_things(rule: ir.Mechanic, case: Mapping, things: Things) -> Things:
    """The things, with those that a case writes out as inputs; each has the name of its input."""
    kinds = {one.name: one.type for one in rule.inputs}
    fresh = {}
    for key, node in named_values(case.get("given")):
        kind = kinds.get(key.text)
        if isinstance(kind, t.Object) and not (isinstance(node, Scalar) and node.text.partition(".")[0] in things):
            fresh[key.text] = (kind.kind, key.span)
    return {**fresh, **things}


def _check_actor(world: World, action: ir.Action, name: Scalar, case: Mapping, things: Things) -> None:
    actor = case.get("actor")
    if actor is None:
        world.problems.add(say.missing_key(name.span, "actor", "a case with `action`"))
    elif isinstance(action.actor.type, t.Object):
        check_value_fits(world, actor, action.actor.type, "actor", things)


def _check_given_things(world: World, rule: ir.Mechanic, case: Mapping, things: Things) -> None:
    """Report unknown things among the inputs that a case gives."""
    kinds = {one.name: one.type for one in rule.inputs}
    for key, node in named_values(case.get("given")):
        kind = kinds.get(key.text)
        if isinstance(kind, t.Object) or (isinstance(kind, t.List) and isinstance(kind.of, t.Object)):
            check_value_fits(world, node, kind, key.text, things)


def _has_no_error(world: World, section: str, name: str) -> bool:
    """Whether all inputs and values of a rule are known: an error in it, or in a rule that it passes on, hides some."""
    node = world.section(section)[name].value
    if isinstance(node, Mapping) and "passes" in node:
        return not world.problems.errors
    return not any(node.span.holds(one.span) for one in world.problems.errors)


def _check_inputs(world: World, rule: ir.Mechanic, case: Mapping) -> None:
    """Report inputs that the rule does not have, but for one that is the error that the case expects."""
    error, grid = case.get("error"), case.get("each")
    named = value_at(grid, "given")
    given = [entry.key for entry in entries_of(case.get("given"))]
    given += [item for item in named.items if isinstance(item, Scalar)] if isinstance(named, Sequence) else []
    for key in given:
        _check_input(world, rule, key, error)


def _check_input(world: World, rule: ir.Mechanic, key: Scalar, error: Node | None = None) -> None:
    """Report an input that the rule does not have, unless that is the `error` that a case expects."""
    name, inputs = key.text.split(".")[0], [one.name for one in rule.inputs]
    if name in inputs:
        return
    unknown = say.unknown_input(key.span, name, rule.name, inputs)
    if not (isinstance(error, Scalar) and error.text in (name, unknown.code)):
        world.problems.add(unknown)


def _check_names(world: World, program: ir.Program, rule: ir.Mechanic, case: Mapping) -> None:
    """Report names of values that the rule does not have, and answers to questions that it does not ask."""
    result = _result_type(program, rule, case)
    for kind in ("expect", "mean"):
        for value in expected_names(case, kind):
            _type_at(world, result, value)
    _check_condition(world, result, case)
    known = names_with_chances(rule)
    of_values = {entry.key.text for entry in entries_of(case.get("odds")) if isinstance(entry.value, Mapping)}
    for one in expected_names(case, "odds"):
        if one.text not in known and one.text in of_values:
            _check_odds_values(world, _type_at(world, result, one), named_values(case.get("odds")), one)
        elif one.text not in known:
            with world.silent_pass():
                kind_of_value = _type_at(world, result, one)
            if kind_of_value is None:
                world.problems.add(say.no_such_value(one.span, one.text, known))
            else:
                world.problems.add(
                    say.odds_of_values(one.span, one.text, _example_value(t.without_maybe(kind_of_value)))
                )
    _check_goals(world, rule, case)
    _check_joint(world, result, case)
    if "joint" in case or any(True for kind in ("odds", "mean") for _ in expected_names(case, kind)):
        _check_answers(world, program, rule, case)


def _check_condition(world: World, result: t.Record, case: Mapping) -> None:
    """Report names and values under `when` that the rule does not have, and `when` in a case without odds or a mean."""
    for entry in entries_of(case.get("when")):
        _check_named_value(world, result, entry)
    grid = case.get("each")
    expected = {*case.by_key, *(grid.by_key if isinstance(grid, Mapping) else ())}
    if "when" in case and not expected & OF_CHANCES:
        world.problems.add(say.condition_without_odds(case.key("when").span))


def _check_named_value(world: World, result: t.Record, entry: Entry) -> None:
    """Report a name that the rule does not have, or a value of it that it never has."""
    kind = _type_at(world, result, entry.key)
    for value in entry.value.items if isinstance(entry.value, Sequence) else (entry.value,):
        if isinstance(value, Scalar):
            _check_value(world, kind, entry.key.text, value)


def _check_joint(world: World, result: t.Record, case: Mapping) -> None:
    """Report rows of `joint` without a chance or without a name, and names and values that the rule does not have."""
    listed = case.get("joint")
    for row in items_of(listed):
        if not isinstance(row, Mapping):
            continue
        if JOINT_CHANCE not in row:
            world.problems.add(say.missing_key(row.span, JOINT_CHANCE, "a row of `joint`"))
        named = [entry for entry in row.entries if entry.key.text != JOINT_CHANCE]
        if not named:
            world.problems.add(say.joint_of_nothing(row.span))
        for entry in named:
            _check_named_value(world, result, entry)


def _example_value(kind: t.Type) -> str:
    """An example of a value of a type, as the odds of a case name it."""
    if isinstance(kind, t.Word) and kind.words:
        return kind.words[0]
    return "yes" if isinstance(kind, t.YesNo) else "1" if t.reads_as_number(kind) else "…"


def _check_goals(world: World, rule: ir.Mechanic, case: Mapping) -> None:
    """Report `best` and `worst` of an unknown name, both at once, and either in a case without odds or a mean."""
    goals = [(entry.key, entry.value) for entry in case.entries if entry.key.text in ("best", "worst")]
    grid = case.get("each")
    expected = {*case.by_key, *(grid.by_key if isinstance(grid, Mapping) else ())}
    for key, goal in goals:
        if not expected & OF_CHANCES:
            world.problems.add(say.best_of_a_play(key.span, key.text))
            continue
        for one in named_goals(goal):
            if one.text not in names_with_chances(rule):
                _type_at(world, rule.type, one)
        for several in [value for _, value in named_values(goal)] if isinstance(goal, Mapping) else [goal]:
            before: set[str] = set()
            for one in named_goals(several):
                if one.text in before:
                    world.problems.add(say.preferred_already(one.span, one.text))
                before.add(one.text)
    if len(goals) > 1 and any(not isinstance(goal, Mapping) for _, goal in goals):
        world.problems.add(say.best_and_worst(goals[0][1].span.text, goals[1][1].span.text, goals[1][0].span))


def _check_odds_values(world: World, kind: t.Type | None, odds: Iterator[tuple[Scalar, Node]], of: Scalar) -> None:
    """Report values in the odds of a case that are not of the type: their chance would always be 0."""
    chances = next(node for key, node in odds if key is of)
    for value, _ in named_values(chances):
        _check_value(world, kind, of.text, value)


def _check_value(world: World, kind: t.Type | None, name: str, value: Scalar) -> None:
    """Report a value of a name that is not of its type; `none` stands for a missing one."""
    of = t.without_maybe(kind) if kind is not None else t.ANYTHING
    if value.text == "none":
        return
    if isinstance(of, t.Word) and value.text not in of.words:
        world.problems.add(say.unknown_word(value.span, value.text, of.name, of.words))
    elif isinstance(of, t.YesNo) and value.text not in ("yes", "no"):
        world.problems.add(say.not_that_type(value.span, name, "yes or no", value.text))
    elif isinstance(of, t.Number) and parse_whole_number(value.text) is None:
        world.problems.add(say.not_that_type(value.span, name, "a number", value.text))


def _check_answers(world: World, program: ir.Program, rule: ir.Mechanic, case: Mapping) -> None:
    """Report choices that a rule never asks, and answers that are not among the words of a choice.

    A case that is played finds them when it runs; odds skip choices that do not matter for the result.
    """
    for key, value in named_values(case.get("choices")):
        kind = _note_choice(world, program, key, rule)
        if kind is None:
            known = dict.fromkeys(path[-1].name for path, _ in question_keys(program, rule))
            world.problems.add(say.claim_unused(key.span, key.text, known))
        if not isinstance(kind, t.Word):
            continue
        for answer in scalars(value):
            if answer.text not in (*kind.words, "none") and answer.text.isidentifier():
                world.problems.add(say.unknown_word(answer.span, answer.text, kind.name, kind.words))


def _type_at(world: World, kind: t.Type | None, key: Scalar) -> t.Type | None:
    """The type of the value at a dotted path in a type; None if a name in the path is unknown, which is reported."""
    for name, place in segments(key):
        kind = t.without_maybe(kind) if kind is not None else t.ANYTHING
        known = dict(kind.fields) if isinstance(kind, t.Record) else {}
        if name not in known:
            if not isinstance(kind, t.Anything):
                world.problems.add(say.no_such_value(place, name, known))
            return None
        kind = known[name]
    return kind


# Recording names in cases -----------------------------------------------------------------------------------------

Bound = Names[str, Binding]


def note_cases(world: World, program: ir.Program) -> None:
    """Record what cases and policies refer to, in `world.references`; only house rules need it."""
    with world.silent_pass():
        for case in world.cases:
            if isinstance(case, Mapping):
                _note_case(world, program, case)
        for name, rule in program.mechanics.items():
            _note_typical(world, program, rule, world.section("mechanics")[name].value)
        _note_policies(world, program)


def _note_case(world: World, program: ir.Program, case: Mapping) -> None:
    for key, value in named_values(case.get("options")):
        world.refer(key.span, "options", key.text)
        if key.text in program.options:
            _note_value(world, program, value, program.options[key.text].type)
    policy, expression = case.get("policy"), case.get("evaluate")
    subject = subject_of(world, case)
    things: Things = objects_before(world, case.get("before"), case.get("scene"))
    if isinstance(policy, Scalar):
        world.refer(policy.span, "policies", policy.text)
    if isinstance(expression, Scalar):
        _note_expression(world, program, case, expression)
    elif subject is not None:
        section, name = subject
        world.refer(name.span, section, name.text)
        rule = program.playable[section].get(name.text)
        if rule is not None:
            _note_rule(world, program, case, rule)
            _check_given_things(world, rule, case, things)
            things = _add_written_things(rule, case, things)
    for node, kind in values_after(world, case.get("after"), things):
        check_value_fits(world, node, kind, "", things)
        _note_value(world, program, node, kind)
    _note_requirements(world, program, case.get("error"))
    actor = case.get("actor")
    if isinstance(actor, Scalar) and actor.text in things:
        world.references[actor.span] = things[actor.text][1]


def _note_expression(world: World, program: ir.Program, case: Mapping, expression: Scalar) -> None:
    wanted = wanted_types(program, expression)
    rows = grid_rows(case)
    given = {key.text.split(".")[0]: value for key, value in named_values(case.get("given"))}
    varied = {name.text.split(".")[0]: keys[place] for keys, _ in rows for place, name in enumerate(varied_names(case))}
    names = {
        name: Binding(wanted.get(name) or formula(world, node, Scope()).type)
        for name, node in {**varied, **given}.items()
    }
    _note_given(world, program, case, names)
    made = formula(world, expression, Scope(Bindings.of(names)))
    expect, error = case.get("expect"), case.get("error")
    for node in (expect, *(leaf for _, leaf in rows)):
        if node is not None:
            _note_value(world, program, node, made.type)
    if isinstance(error, Scalar):
        world.refer(error.span, "tables", error.text)


def _note_rule(world: World, program: ir.Program, case: Mapping, rule: ir.Mechanic) -> None:
    inputs = {one.name: Binding(value_type(one), one.span) for one in rule.inputs}
    result = _result_type(program, rule, case)
    places = dict(result.where)
    values = {name: Binding(kind, places.get(name, NOWHERE)) for name, kind in result.fields}
    with_odds = names_with_chances(rule)
    _note_given(world, program, case, inputs)
    for key, value in (*named_values(case.get("expect")), *named_values(case.get("when"))):
        _note_value(world, program, value, _note_path(world, key, values))
    joint = case.get("joint")
    for row in items_of(joint):
        for key, value in named_values(row):
            if key.text != JOINT_CHANCE:
                _note_value(world, program, value, _note_path(world, key, values))
    for key, _ in named_values(case.get("mean")):
        _note_path(world, key, values)
    for key, chance in named_values(case.get("odds")):
        kind = _note_path(world, key, {**values, **with_odds})
        for value, _ in named_values(chance) if key.text not in with_odds else ():
            _note_value(world, program, value, kind)
    for goal in (case.get("best"), case.get("worst")):
        for one in named_goals(goal):
            _note_path(world, one, {**values, **with_odds})
        for key, _ in named_values(goal):
            world.refer(key.span, "roles", key.text)
            _note_decider(world, program, key, rule)
    grid = case.get("each")
    expected = {name: grid.get(name) for name in ("expect", "mean", "odds")} if isinstance(grid, Mapping) else {}
    kinds = {
        name: _note_path(world, named, with_odds if name == "odds" else values)
        for name, named in expected.items()
        if isinstance(named, Scalar)
    }
    for _, leaf in grid_rows(case):
        if "expect" in kinds:
            _note_value(world, program, leaf, kinds["expect"])
        for key, value in named_values(leaf) if not kinds else ():
            _note_value(world, program, value, _note_path(world, key, values))
    _note_error(world, program, case.get("error"), rule, inputs)
    for key, value in named_values(case.get("choices")):
        asked = _note_choice(world, program, key, rule)
        for answer in scalars(value) if asked is not None else ():
            _note_value(world, program, answer, asked)


def _note_choice(world: World, program: ir.Program, key: Scalar, rule: ir.Mechanic) -> t.Type | None:
    """Record the steps in the key of a choice. The type of one answer; None if there is no such choice."""
    names = key.text.split(".")
    for path, kind in _questions(world, program, rule).get(names[-1], ()):
        if [one.name for one in path[-len(names) :]] == names:
            for (_, place), (_, named, _) in zip(reversed([*segments(key)]), reversed(path), strict=False):
                if named is not NOWHERE:
                    world.references[place] = named
            return _element_type(kind)
    return None


def _note_decider(world: World, program: ir.Program, key: Scalar, rule: ir.Mechanic) -> None:
    """Record the steps that say who decides: they ask or lead to a choice."""
    wanted = [*segments(key)]
    names = [name for name, _ in wanted]
    for way in [way for ways in _questions(world, program, rule).values() for way, _ in ways]:
        for at in range(len(way) - len(names) + 1):
            named = way[at : at + len(names)]
            if [one.name for one in named] == names:
                places = zip(wanted, named, strict=True)
                world.references |= {place: one.place for (_, place), one in places if one.place is not NOWHERE}
                return


def _questions(world: World, program: ir.Program, rule: ir.Mechanic) -> dict[str, list[tuple[Key, t.Type]]]:
    """The questions that a rule may ask, by the last name of their keys; computed once for all cases."""
    questions = world.asked.get(rule.path)
    if questions is None:
        questions = world.asked[rule.path] = {}
        for path, kind in question_keys(program, rule):
            questions.setdefault(path[-1].name, []).append((path, kind))
    return questions


def _element_type(kind: t.Type) -> t.Type:
    kind = t.without_maybe(kind)
    return _element_type(kind.of) if isinstance(kind, t.List) else kind


def _note_error(world: World, program: ir.Program, error: Node | None, rule: ir.Mechanic, inputs: Bound) -> None:
    """Record what an expected error of a rule names: a table, a choice or an input."""
    if isinstance(error, Scalar):
        world.refer(error.span, "tables", error.text)
        _note_choice(world, program, error, rule)
        _note_path(world, error, inputs)


def _note_requirements(world: World, program: ir.Program, error: Node | None) -> None:
    """Record the requirements of rules and kinds that expected errors name."""
    places = {one.text: one.span for one in scalars(error)} if error is not None else {}
    shared = [(section, name) for section in ("action_kinds", "kinds") for name in world.section(section)]
    for section, name in (*(one.path.split(".") for one in all_rules(program)), *shared) if places else ():
        for key, _ in named_values(value_at(world.section(section)[name].value, "requires")):
            if key.text in places:
                world.references[places[key.text]] = key.span


def _note_policies(world: World, program: ir.Program) -> None:
    """Record the choices that policies answer."""
    done = list(reachable_bodies_once(program, all_rules(program)))
    trails = [trail for trail, _ in done]
    spans = {step.path: step.span for trail in trails for step in trail}
    spans |= {one.path: one.span for one in all_rules(program)}
    spans |= {declared.path: declared.span for one in all_rules(program) for declared in one.inputs}
    paths = [trail[-1].path for trail, action in done if isinstance(action, (ir.Choose, ir.ChooseEach))]
    pays = [step.path for trail in trails for step in trail[-1:] if isinstance(step.action, ir.Pay)]
    paths += [*pays, *(f"{path}.mix" for path in pays)]
    acting = [one.action.rule for one in program.reactions.values()]
    paths += [rule.path for rule in acting]
    acting += [action.rule for action in program.actions.values()]
    paths += [f"{rule.path}.inputs.{one.name}" for rule in acting for one in rule.inputs]
    for _, answers in ((key, entry.value) for key, entry in world.section("policies").items()):
        for key, _ in named_values(answers):
            placed = [path for path in paths if f".{path}".endswith(f".{key.text}")][:1]
            if not placed and "." in key.text:
                for _, way in islice(ways_of_keys(program, {key.text}), 1):
                    world.references |= {at: one.place for (_, at), one in zip(segments(key), way, strict=True)}
            for path in placed:
                outside = path.count(".") - key.text.count(".")
                for number, (_, place) in enumerate(segments(key), outside + 1):
                    named = spans.get(".".join(path.split(".")[:number]))
                    if named is not None:
                        world.references[place] = named


def _note_given(world: World, program: ir.Program, case: Mapping, names: Bound) -> None:
    for key, value in named_values(case.get("given")):
        _note_value(world, program, value, _note_path(world, key, names))
    kinds = [_note_path(world, key, names) for key in varied_names(case)]
    for keys, _ in grid_rows(case):
        for key, kind in zip(keys, kinds, strict=True):
            _note_value(world, program, key, kind)


def _note_typical(world: World, program: ir.Program, rule: ir.Mechanic, node: Node) -> None:
    inputs = {one.name: Binding(value_type(one), one.span) for one in rule.inputs}
    for key, value in named_values(value_at(node, "typical")):
        kind = _note_path(world, key, inputs)
        for one in value.items if isinstance(value, Sequence) else (value,):
            _note_value(world, program, one, kind)


def _note_path(world: World, key: Scalar, names: Bound) -> t.Type | None:
    """Record the names of a dotted path. The type of the value at its end; None if it is unknown."""
    (head, place), *rest = segments(key)
    if head not in names:
        return None
    named: Span | None = names[head].span
    kind: t.Type | None = names[head].type
    if named is not NOWHERE and named is not None:
        world.references[place] = named
    for name, place in rest:
        record = t.without_maybe(kind) if kind is not None else None
        if not isinstance(record, t.Record):
            return None
        if name == "modifiers" and record.field(name) is None:
            return _MODIFIERS
        named, kind = record.named_at(name), record.field(name)
        if named is not None:
            world.references[place] = named
    return kind


def _note_value(world: World, program: ir.Program, node: Node, kind: t.Type | None) -> None:
    """Record the names in a value that a case gives or expects."""
    kind = t.without_maybe(kind) if kind is not None else t.ANYTHING
    record = record_type_of(world, kind)
    if kind is _MODIFIERS:
        _note_modifiers(world, program, node)
    elif isinstance(node, Sequence):
        for item in node.items:
            _note_value(world, program, item, kind.of if isinstance(kind, t.List) else kind)
    elif isinstance(node, Mapping) and isinstance(kind, t.Record):
        names = {name: Binding(of, kind.named_at(name) or NOWHERE) for name, of in kind.fields}
        for key, value in named_values(node):
            _note_value(world, program, value, _note_path(world, key, {"modifiers": Binding(_MODIFIERS), **names}))
    elif isinstance(node, Mapping):  # a roll given by its dice and faces
        for key, value in named_values(node):
            if key.text == "dice":
                _note_value(world, program, value, t.Dice())
    elif isinstance(node, Scalar) and isinstance(kind, t.Word):
        world.refer_to_word(node.span, kind, node.text)
    elif isinstance(node, Scalar) and record is not None and record.written_as is not None:
        _note_value(world, program, node, record.type.field(record.written_as))
    elif not isinstance(node, Scalar) or node.text == "none" or parse_whole_number(node.text) is not None:
        return
    elif isinstance(kind, (t.Number, t.SingleDie, t.Dice, t.DiceCode, t.List)):
        formula(world, node, Scope(), kind)


_MODIFIERS = t.Record("modifiers", ())
"""The type of `modifiers`, which is written beside the fields of a record but is not a field."""

_NAME = re.compile(NAME)


def _note_modifiers(world: World, program: ir.Program, node: Node) -> None:
    """Record the modifiers in a list; one with parameters is a mapping."""
    for item in node.items if isinstance(node, Sequence) else (node,):
        if isinstance(item, Scalar):
            quote = 1 if item.style else 0
            for match in _NAME.finditer(item.text):  # the key of a grid may name several: `[high_ground, blessed]`
                place = item.span.part(quote + match.start(), quote + match.end())
                world.refer(place, "modifiers", match.group())
        for key, taken in named_values(item):
            world.refer(key.span, "modifiers", key.text)
            takes = program.modifiers[key.text].takes if key.text in program.modifiers else ()
            names = {one.name: Binding(value_type(one), one.span) for one in takes}
            for name, value in named_values(taken):
                _note_value(world, program, value, _note_path(world, name, names))


def wanted_types(program: ir.Program, expression: Scalar) -> dict[str, t.Type]:
    """The types of the names in an expression that are passed to functions and tables, as their parameters say."""
    try:
        tree = parse(expression, program.comparators.keys())
    except PlayError:
        return {}
    types: dict[str, t.Type] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        name = node.func.id
        kinds: tuple[t.Type, ...] = ()
        if name in program.functions:
            kinds = tuple(value_type(one) for one in program.functions[name].takes)
        elif name in program.tables:
            kinds = program.tables[name].keys
        for argument, kind in zip(node.args, kinds, strict=False):
            if isinstance(argument, ast.Name):
                types[argument.id] = t.NUMBER if isinstance(kind, t.Number) else kind
    return types

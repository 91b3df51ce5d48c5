"""Check steps that compute a value from others: `first_of`, `compare` and `order`."""

from __future__ import annotations

from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.declared_names import check_name
from interpreter.checker.expressions import condition, formula
from interpreter.checker.expressions.unthrown import unthrown_dice_slip
from interpreter.checker.scope import Scope
from interpreter.checker.step_keys import error_formula, expression_at, in_form_of, word_at
from interpreter.checker.world import World
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.runtime import functions
from interpreter.syntax.document import Mapping, Scalar, entries_of


def check_first_of(
    world: World, node: Mapping, path: str, scope: Scope, expected: t.Type | None
) -> tuple[ir.FirstOf, t.Type]:
    """`first_of: {…}`, in a step or in what a function gives."""
    entries = node.get("first_of")
    cases: list[ir.FirstOfCase] = []
    kind: t.Type | None = None
    rows = entries_of(entries)
    for number, entry in enumerate(rows):
        place = f"{path}.first_of.{entry.key.text}"
        value, test = entry.value, None
        if isinstance(value, Mapping):
            test = value.get("if")
            value = value.get("is") or value
        check_name(world, entry.key)
        if isinstance(test, Scalar) and test.text == "otherwise":
            test = None
        when = condition(world, test, scope) if test is not None else None
        inside = scope.narrow(bounds.facts_of(when.body, True)) if when else scope
        hint = expected or (kind if isinstance(kind, t.Word) else None)
        expression = formula(world, value, inside, hint)
        together = expression.type if kind is None else t.union(kind, expression.type)
        if together is None and kind is not None:
            world.problems.add(say.no_common_type(expression.span, t.in_words(kind), t.in_words(expression.type)))
        kind = together or t.ANYTHING
        cases.append(ir.FirstOfCase(entry.key.text, when, expression, place))
        last = number == len(rows) - 1
        if when is None and not last:
            world.problems.add(say.otherwise_not_last(entry.key.span, entry.key.text))
        if when is not None:
            if last:
                world.problems.add(say.incomplete_outcomes(entry.key.span, None))
            scope = scope.narrow(bounds.facts_of(when.body, False))
    kind = kind or t.ANYTHING
    return ir.FirstOf(tuple(replace(case, value=in_form_of(case.value, kind)) for case in cases)), kind


def check_compare(world: World, node: Mapping, scope: Scope) -> tuple[ir.StepBody, t.Type]:
    lines = node.get("compare")
    made: list[tuple[str, ir.Formula, ir.Formula, tuple[str, ...] | None]] = []
    for entry in entries_of(lines):
        line = entry.value
        check_name(world, entry.key)
        if not isinstance(line, Mapping):
            continue
        ours = expression_at(world, line, "ours", scope, None)
        wanted = ours.type
        if t.is_unthrown(wanted):
            world.problems.add(unthrown_dice_slip(world, ours.body, None))
            expression_at(world, line, "theirs", scope, None)
            continue
        if isinstance(wanted, t.List) or (isinstance(wanted, t.Roll) and not wanted.single):
            made.append((entry.key.text, *_outranking_tests(world, line, scope), None))
            continue
        if isinstance(wanted, t.Word) and not wanted.ranked:
            world.problems.add(say.words_without_order(ours.span, wanted.name))
        elif not isinstance(wanted, (t.Word, t.YesNo)):
            ours = expression_at(world, line, "ours", scope, t.NUMBER)
            wanted = t.ANYTHING if isinstance(ours.type, t.Anything) else t.NUMBER
        theirs = expression_at(world, line, "theirs", scope, wanted)
        made.append((entry.key.text, ours, theirs, wanted.words if isinstance(wanted, t.Word) else None))
    ties = word_at(node, "ties", "") or None
    kind = t.Record("comparison", (("ahead", t.YES_NO), ("behind", t.YES_NO), ("level", t.YES_NO)))
    return ir.Compare(tuple(made), ties), kind


def _outranking_tests(world: World, line: Mapping, scope: Scope) -> tuple[ir.Formula, ir.Formula]:
    """Whether the first of two rolls or lists outranks the second, and whether the second does the first."""
    sides = [expression_at(world, line, key, scope, None) for key in ("ours", "theirs")]
    for side in sides:
        if t.is_unthrown(side.type):
            world.problems.add(unthrown_dice_slip(world, side.body, None))
        elif not functions.accepts("values", side.type):
            type_text = t.in_words(side.type)
            world.problems.add(say.wrong_argument(side.span, "compare", functions.KINDS["values"], type_text))
    if any(isinstance(side.type, t.Anything) or not functions.accepts("values", side.type) for side in sides):
        return error_formula(line.span), error_formula(line.span)
    bodies = [side.body for side in sides]
    ours, theirs = (
        replace(side, body=_outranks_call(world, both, side.span), type=t.YES_NO, refs=sides[0].refs | sides[1].refs)
        for side, both in zip(sides, (bodies, bodies[::-1]), strict=True)
    )
    return ours, theirs


def _outranks_call(world: World, sides: list[ir.Expr], span: Span) -> ir.Expr:
    outranks = ir.Builtin("outranks", tuple(sides), t.YES_NO, span)
    world.die_uses.add(outranks)
    return outranks


def check_order(world: World, node: Mapping, scope: Scope, path: str) -> tuple[ir.StepBody, t.Type]:
    of = expression_at(world, node, "order", scope, None)
    kind = of.type
    element: t.Type = t.ANYTHING
    if isinstance(kind, t.List):
        element = kind.of
    elif isinstance(kind, t.Maybe):
        world.problems.add(say.may_be_missing(of.span, t.example(t.without_maybe(kind))))
    elif not isinstance(kind, t.Anything):
        world.problems.add(say.not_a_collection(of.span, "order", t.in_words(kind)))
    keys: list[ir.SortKey] = []
    node_keys = node.get("keys")
    for entry in entries_of(node_keys):
        check_name(world, entry.key)
        place = f"{path}.keys.{entry.key.text}"
        if keys and keys[-1].way == "random":
            world.problems.add(say.never_a_key(entry.key.span, entry.key.text, keys[-1].name))
        if not isinstance(entry.value, Mapping):
            keys.append(ir.SortKey(entry.key.text, "random", None, None, place))
            continue
        ways = [key for key in ("high", "low") if key in entry.value]
        if len(ways) != 1:
            world.problems.add(say.high_or_low(entry.key.span, entry.key.text))
            continue
        expression = expression_at(world, entry.value, ways[0], replace(scope, element=element), None)
        ranks = expression.type.words if isinstance(expression.type, t.Word) else None
        if isinstance(expression.type, t.Word) and not expression.type.ranked:
            world.problems.add(say.words_without_order(expression.span, expression.type.name))
        elif isinstance(expression.type, t.Maybe):
            world.problems.add(say.may_be_missing(expression.span, t.example(t.without_maybe(expression.type))))
        elif not isinstance(expression.type, (t.Word, t.YesNo)):
            expression = expression_at(world, entry.value, ways[0], replace(scope, element=element), t.NUMBER)
        keys.append(ir.SortKey(entry.key.text, ways[0], expression, ranks, place))
    return ir.Order(of, tuple(keys)), kind

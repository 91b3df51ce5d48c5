"""Check calls: functions of the language and of the ruleset, tables, and the special forms."""

from __future__ import annotations

import ast
from itertools import zip_longest

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.attributes import attribute_entries
from interpreter.checker.expressions import rungs
from interpreter.checker.expressions.coercions import as_list
from interpreter.checker.expressions.expression_checker import ExpressionChecker
from interpreter.checker.expressions.names import allow_missing_entry, check_map_entry
from interpreter.checker.scope import Scope
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.limits import constraints_of
from interpreter.ir.state_reads import any_reads_state
from interpreter.runtime import functions
from interpreter.syntax.document import Mapping
from interpreter.syntax.expression_parser import span_of
from interpreter.syntax.verb_grammar import VERBS


def check_call(
    checker: ExpressionChecker,
    node: ast.expr,
    name: str,
    arguments: list[ast.expr],
    scope: Scope,
    expected: t.Type | None,
    span: Span,
) -> ir.Expr:
    if name in functions.FORMS:
        return _special_form(checker, name, arguments, scope, span)
    if _is_map(checker, name, scope):
        assert isinstance(node, ast.Call)
        return check_map_entry(checker, node, node.func, arguments, scope, span)
    if name in functions.FUNCTIONS:
        return _check_builtin(checker, node, name, functions.FUNCTIONS[name], arguments, scope, span)
    if name in checker.world.table_names:
        return _check_lookup(checker, name, arguments, scope, span)
    if name in checker.world.function_names:
        return _ruleset_function(checker, name, arguments, scope, span)
    for argument in arguments:
        checker.expression(argument, scope, None)
    if name in checker.world.strays:
        return ir.Constant(None, t.ANYTHING, span)
    known = [*functions.FUNCTIONS, *functions.FORMS, *checker.world.table_names, *checker.world.function_names]
    here = _span_of_name(span, name)
    elsewhere = say.mechanic_hint(name) if name in checker.world.section("mechanics") else None
    return checker.error(say.unknown_function(here, name, known, name in VERBS, elsewhere))


def _is_map(checker: ExpressionChecker, name: str, scope: Scope) -> bool:
    """Whether a name is that of a map, here or of the thing whose attribute is derived."""
    bound = scope.names.get(name)
    if bound is not None:
        return isinstance(t.without_maybe(bound.type), t.Map)
    own = attribute_entries(checker.world, scope.owner.kind) if scope.owner is not None else {}
    declared = own[name].value if name in own else None
    return isinstance(declared, Mapping) and "per" in declared


def _special_form(
    checker: ExpressionChecker, name: str, arguments: list[ast.expr], scope: Scope, span: Span
) -> ir.Expr:
    if len(arguments) != 1:
        return checker.error(say.wrong_count(span, name, "1 argument", len(arguments)))
    argument = arguments[0]
    if name == "given":
        allow_missing_entry(checker, argument)
        of = checker.expression(argument, scope, None)
        if not isinstance(of.type, (t.Maybe, t.Anything)):
            checker.world.problems.add(say.needless_given(span))
        return ir.Builtin("given", (of,), t.YES_NO, span)
    if not (isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Div)):
        return checker.error(say.rounding_of_no_division(span, name))
    a, b = checker.number(argument.left, scope), checker.number(argument.right, scope)
    kind = bounds.bounds_of_quotient(t.as_number(a.type), t.as_number(b.type), name)
    return ir.Quotient(a, b, name, False, kind, span)


def _check_builtin(
    checker: ExpressionChecker,
    node: ast.expr,
    name: str,
    function: functions.BuiltinFunction,
    arguments: list[ast.expr],
    scope: Scope,
    span: Span,
) -> ir.Expr:
    most = None if function.more else len(function.takes)
    if len(arguments) < function.fewest or (most is not None and len(arguments) > most):
        wanted = (
            f"{function.fewest}"
            if most == function.fewest
            else (f"at least {function.fewest}" if most is None else f"{function.fewest} to {most}")
        )
        wanted = f"{wanted} argument{'s' * (wanted != '1')}"
        return checker.error(say.wrong_count(span, name, wanted, len(arguments), functions.sample_arguments(function)))
    checked: list[ir.Expr] = []
    for number, argument in enumerate(arguments):
        kind = function.kind_of(number, len(arguments))
        rung = functions.element_of(checked[0].type) if kind == "rungs" else None
        one = checker.expression(argument, scope, rung)
        if isinstance(one.type, t.Maybe) and not (kind == "values" and t.is_unthrown(one.type)):
            return checker.error(checker.missing_value_error(one))
        if number == 0 and name in rungs.FUNCTIONS_OF_RUNGS and rungs.words_of(one.type):
            return rungs.check_call_with_word(checker, node, name, one, arguments[1:], scope)
        if kind == "rungs":
            one = checker.fit(one, t.List(rung or t.ANYTHING) if isinstance(one.type, t.List) else rung)
        elif kind == "number":
            one = checker.fit(one, t.NUMBER)
        elif kind == "die" and isinstance(one.type, t.SingleDie):
            pass
        elif kind == "values" and t.is_unthrown(one.type):
            return checker.error(checker.unthrown_dice_error(one, name))
        elif isinstance(one.type, t.SingleDie) and kind != "ladder":
            one = checker.fit(one, t.Dice())
        elif isinstance(one.type, t.ThrownDie) and kind in ("values", "sizes_or_values", "collection", "thrown"):
            one = checker.fit(one, t.Roll())
        one = as_list(one)
        if not functions.accepts(kind, one.type):
            type_text = t.in_words(one.type)
            if kind == "ladder" and isinstance(argument, ast.Name) and argument.id in checker.world.section("ladders"):
                by = "the value" if argument.id in scope.names else "the attribute"
                return checker.error(say.hidden_ladder(one.span, name, argument.id, by))
            return checker.error(say.wrong_argument(one.span, name, functions.KINDS[kind], type_text))
        checked.append(one)
    if any(isinstance(one.type, t.Anything) for one in checked):
        return ir.Constant(None, t.ANYTHING, span)
    if name == "all" and isinstance(checked[0], ir.Filtered):
        checked.append(checked[0].of)
    result = function.gives(*(_empty_list_as_numbers(one.type) for one in checked[: len(arguments)]))
    checker.world.inlinable += name == "without"
    call_node = ir.Builtin(name, tuple(checked), result, span)
    checker.world.die_uses.add(call_node)
    return call_node


def _ruleset_function(
    checker: ExpressionChecker, name: str, arguments: list[ast.expr], scope: Scope, span: Span
) -> ir.Expr:
    function = checker.world.function(name)
    if function is None:
        return ir.Constant(None, t.ANYTHING, span)
    checker.refs.add(function.path)
    checker.world.inlinable += 1
    checker.world.refer(_span_of_name(span, name), "functions", name)
    if len(arguments) != len(function.takes):
        wanted = f"{len(function.takes)} argument{'s' * (len(function.takes) != 1)}"
        names = [one.name for one in function.takes]
        return checker.error(say.wrong_count(span, name, wanted, len(arguments), names))
    checked = [checker.expression_as(a, scope, d.type) for a, d in zip(arguments, function.takes, strict=True)]
    limits = [limit for one in function.takes for limit in constraints_of(one)]
    reads_state = any_reads_state((function.gives, *limits))
    return ir.Apply(name, tuple(checked), function.type, span, reads_state)


def _check_lookup(
    checker: ExpressionChecker, name: str, arguments: list[ast.expr], scope: Scope, span: Span
) -> ir.Expr:
    table = checker.world.table(name)
    if table is None:
        return ir.Constant(None, t.ANYTHING, span)
    checker.refs.add(table.path)
    checker.world.refer(_span_of_name(span, name), "tables", name)
    if len(arguments) != len(table.keys):
        wanted = f"{len(table.keys)} key{'s' * (len(table.keys) != 1)}"
        names = [
            _argument_text(checker, one, key) for one, key in zip_longest(arguments, table.keys) if key is not None
        ]
        return checker.error(say.wrong_count(span, name, wanted, len(arguments), names))
    checked: list[ir.Expr] = []
    for argument, key in zip(arguments, table.keys, strict=True):
        value = checker.expression(argument, scope, key)
        given = t.without_maybe(value.type)
        if isinstance(key, t.Word) and isinstance(given, t.Word) and not isinstance(value.type, t.Maybe):
            bound = scope.names.get(value.name) if isinstance(value, ir.Local) else None
            possible = given.words if bound is None or bound.words is None else bound.words
            missing = [word for word in possible if word not in key.words]
            if missing and table.off == "refuse_at_load":
                slips = say.misspelt_rows(name, given.name, missing, _stray_rows(key, given))
                return checker.error(slips[0] if slips else say.missing_rows(value.span, name, missing))
            _refer_to_rows(checker, key, given)
            checked.append(value)
        else:
            checked.append(checker.fit(value, t.NUMBER if isinstance(key, t.Number) else key))
            # Without `off_the_rows`, the gap in the rows is already reported.
            declared = checker.world.section("tables")[name].value
            explicit = isinstance(declared, Mapping) and "off_the_rows" in declared
            refuses = explicit and isinstance(key, t.Number) and table.off == "refuse"
            if refuses and isinstance(given, t.Number) and is_on_no_row(table, len(checked) - 1, given):
                return checker.error(say.missing_rows(value.span, name, [rows_in_words(given)]))
    return ir.Lookup(name, tuple(checked), table.type, span, any_reads_state((table.rows, table.off)))


def _argument_text(checker: ExpressionChecker, argument: ast.expr | None, key: t.Type) -> str:
    """An argument as it is written, or a name for the key that has none."""
    if argument is not None:
        return span_of(argument, checker.near).text
    return t.example(key) or "x"


def _refer_to_rows(checker: ExpressionChecker, rows: t.Word, given: t.Word) -> None:
    """Record that the rows of a table are named by the words of the list that it is looked up with."""
    for row, place in rows.where if rows.name != given.name else ():
        checker.world.refer_to_word(place, given, row)


def _stray_rows(rows: t.Word, given: t.Word) -> list[tuple[str, Span]]:
    """The rows of a table that are no words of the list that it is looked up with."""
    return [(row, place) for row, place in rows.where if row not in given.words]


def is_on_no_row(table: ir.Table, place: int, numbers: t.Number) -> bool:
    """Whether no row of a table has any of the numbers as its key at a place."""
    low, high = numbers.low, numbers.high
    return all(
        (row.low is not None and high is not None and high < row.low)
        or (row.high is not None and low is not None and low > row.high)
        for row in _rows_at(table, place)
    )


def highest_row(table: ir.Table, place: int) -> int | None:
    """The highest number that has a row of a table, as its key at a place; None if there is no highest."""
    ends = [row.high for row in _rows_at(table, place)]
    return None if None in ends else max(end for end in ends if end is not None)


def _rows_at(table: ir.Table, place: int) -> list[ir.TableRow]:
    """All rows of a table for the key at a place."""
    rows = list(table.rows)
    for _ in range(place):
        rows = [inner for row in rows if not isinstance(row.value, ir.Formula) for inner in row.value]
    return rows


def rows_in_words(kind: t.Number) -> str:
    """The range of a number, worded as a row of a table: `7`, `7 to 9`, `7 or more`."""
    if kind.low is None or kind.high is None:
        return f"{kind.low} or more" if kind.high is None else f"{kind.high} or less"
    return str(kind.low) if kind.low == kind.high else f"{kind.low} to {kind.high}"


def _empty_list_as_numbers(kind: t.Type) -> t.Type:
    """The type of a collection, where `[]`, whose elements have no known type, is a list of numbers."""
    return t.List(t.NUMBER) if isinstance(kind, t.List) and isinstance(kind.of, t.Anything) else kind


def _span_of_name(span: Span, name: str) -> Span:
    """The name at the start of a call."""
    return span.part(0, len(name))

"""The reference evaluator: a hardened `SimpleEval` on the tree that the parser makes.

It evaluates expressions that are typed at run time, and every faster evaluator is tested against it. It admits only
the node types that the parser makes; names are looked up in plain data, attributes only on records and dice, and
nothing of the host is accessible. `resolved` maps nodes to what the checker found their names to mean.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from simpleeval import SimpleEval

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.runtime import operations as c
from interpreter.runtime.constraints import constraints_check
from interpreter.runtime.evaluator import Closures
from interpreter.runtime.functions import FUNCTIONS
from interpreter.runtime.state import EMPTY, STATE
from interpreter.values import Code, Die, Thing, symbols

STEPS = 20_000
"""How many nodes one evaluation may visit."""


def evaluate(formula: ir.Formula, among: Closures, names: Mapping[str, Any]) -> Any:
    """The value of a checked expression. Raises PlayError with one diagnostic if it has none."""
    assert formula.tree is not None
    try:
        return _Reference(formula, among, names).run(formula.tree)
    except RecursionError:
        raise PlayError(say.expression_too_deep(formula.span)) from None


class _Reference(SimpleEval):  # type: ignore[misc]
    """One evaluation of one expression."""

    def __init__(self, formula: ir.Formula, among: Closures, names: Mapping[str, Any]) -> None:
        super().__init__(operators=_OPERATORS, functions={}, names={})
        self.formula, self.among, self.values = formula, among, dict(names)
        self.steps = STEPS
        faces = (face for die in among.program.dice.values() for face in die.faces or ())
        self.symbols = frozenset(symbol for face in faces for symbol in symbols(face))
        self.nodes = {
            ast.Constant: lambda node: self.formula.resolved.get(id(node), node.value),
            ast.Name: self._eval_name,
            ast.Attribute: self._eval_attribute,
            ast.Call: self._eval_call,
            ast.BinOp: self._eval_binop,
            ast.UnaryOp: self._eval_unaryop,
            ast.BoolOp: self._eval_boolop,
            ast.Compare: self._eval_compare,
            ast.IfExp: self._eval_ifexp,
            ast.List: self._eval_list,
        }

    def run(self, tree: ast.expr) -> Any:
        return self._convert(self._eval(tree), self.formula.type)

    def _convert_at(self, node: ast.expr, value: Any) -> Any:
        """The value of a list or a branch, converted to the common type that the checker found."""
        kind = self.formula.resolved.get(id(node))
        return value if kind is None else self._convert(value, kind)

    def _convert(self, value: Any, kind: t.Type) -> Any:
        """A value converted to a type: a die to a pool or its number, dice to their record."""
        if value is None:
            return None
        match t.without_maybe(kind):
            case t.Number():
                return c.as_number(value)
            case t.Dice() | t.Roll():
                return c.as_dice(value)
            case t.List(of):
                listed = c.values_of(value) if type(value) is dict else value
                return tuple(self._convert(one, of) for one in listed)
            case t.Record(_, fields) if isinstance(value, dict):
                return {**value, **{key: self._convert(value.get(key), of) for key, of in fields}}
            case t.Record(name) as record if name in self.among.program.types:
                declared = self.among.program.types[name]
                made = {
                    one.name: self._evaluate_inner(one.default, {}) if one.default else None for one in declared.has
                }
                made[declared.written_as or ""] = value
                return self._convert(made, record)
        return value

    def _eval_ifexp(self, node: ast.IfExp) -> Any:
        return self._convert_at(node, self._eval(node.body if self._eval(node.test) else node.orelse))

    def _eval(self, node: ast.AST) -> Any:
        self.steps -= 1
        if self.steps < 0:
            raise PlayError(say.budget_spent(self.formula.span, "steps of an expression", STEPS))
        return self.nodes[type(node)](node)

    def _span(self, node: ast.expr) -> Span:
        return Span(self.formula.span.source, node.col_offset, node.end_col_offset or node.col_offset)

    def _eval_list(self, node: ast.List) -> Any:
        made = c.check_held(tuple(self._eval(item) for item in node.elts), self._span(node))
        return self._convert_at(node, made)

    def _number(self, node: ast.expr) -> int:
        return c.as_number(self._eval(node))

    def _eval_name(self, node: ast.Name) -> Any:
        if id(node) in self.formula.resolved:
            found = self.formula.resolved[id(node)]
            if isinstance(found, ir.OwnAttribute):
                return self._attribute(self.values["owner"], found.name)
            return self._evaluate_inner(found, self.values) if isinstance(found, ir.Formula) else found
        if node.id == "it":
            return self.values[".it"]
        die = self.values.get(".die")
        if die is not None and (node.id in _DIE_WORDS or node.id not in self.values or node.id in self.symbols):
            return c.field_of(die, node.id)
        return self.values[node.id]

    def _eval_attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id == "options" and "options" not in self.values:
            return self.among.options[node.attr]
        value = self._eval(node.value)
        found = self.formula.resolved.get(id(node), ())
        if found == "part":
            return c.part_of(value, node.attr)
        if "of the values" in found:
            value = c.values_of(value)
        if type(value) is Thing:
            return self._attribute(value, node.attr)
        if type(value) is tuple and value and all(type(one) is Thing for one in value):
            return c.concatenate([self._attribute(one, node.attr) for one in value], "of maps" in found)
        if type(value) is tuple:
            return c.column_of(value, node.attr, "of maps" in found)
        return c.field_of(value, node.attr)

    def _attribute(self, thing: Thing, name: str) -> Any:
        """An attribute of an object; the reference also computes derived ones."""
        one = self.among.program.kinds[thing.kind].has[name]
        state = self.values.get(STATE, EMPTY)
        if one.derived is not None and one.per is not None:
            owned: dict[str, Any] = {STATE: state, "owner": thing}
            return {word: self._evaluate_inner(one.derived, owned | {ir.WORD: word}) for word in one.per.words}
        if one.derived is not None:
            return self._evaluate_inner(one.derived, {STATE: state, "owner": thing})
        return self.among.attribute(thing.kind, name)(thing, {".meter": [self.steps], STATE: state})

    def _eval_binop(self, node: ast.BinOp) -> Any:
        if isinstance(node.op, ast.BitAnd):
            return c.join(c.as_dice(self._eval(node.left)), c.as_dice(self._eval(node.right)), self._span(node))
        left = self._eval(node.left)
        if (ladder := self.formula.resolved.get(id(node))) is not None:
            return self._ladder_arithmetic(ladder, node, left)
        if type(left) is Code:
            pips = self._number(node.right)
            return c.add_pips(left, pips if isinstance(node.op, ast.Add) else -pips)
        a, b = c.as_number(left), self._number(node.right)
        if isinstance(node.op, ast.Div):
            return c.quotient(a, b, self.among.program.rounding, self._span(node))
        return (
            c.check_range(self.operators[type(node.op)](a, b), self._span(node))
            if isinstance(node.op, ast.Mult)
            else self.operators[type(node.op)](a, b)
        )

    def _ladder_arithmetic(self, ladder: tuple[str, ...], node: ast.BinOp, word: str) -> Any:
        """`rank + 1`, a rung, or `high - low`, a number."""
        other = self._eval(node.right)
        if isinstance(other, str):
            return ladder.index(word) - ladder.index(other)
        by = c.as_number(other)
        at = ladder.index(word) + (by if isinstance(node.op, ast.Add) else -by)
        return ladder[min(max(at, 0), len(ladder) - 1)]

    def _eval_unaryop(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.USub):
            return -self._number(node.operand)
        return not self._eval(node.operand)

    def _eval_compare(self, node: ast.Compare) -> bool:
        left = node.left
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if not self._compare(node, operator, left, right):
                return False
            left = right
        return True

    def _compare(self, node: ast.expr, operator: ast.cmpop, left: ast.expr, right: ast.expr) -> bool:
        known = self.formula.resolved.get(id(node))
        if isinstance(operator, ast.In):
            return self._convert_at(node, self._eval(left)) in self._eval(right)
        if isinstance(operator, ast.Is):
            a = self._eval(left)
            return a in known if known is not None else a == self._eval(right)
        return self._compare_order(_SIGNS[type(operator)], left, right, known)

    def _compare_order(self, sign: str, left: ast.expr, right: ast.expr, ranks: tuple[str, ...] | None) -> bool:
        if ranks is not None:
            a, b = ranks.index(self._eval(left)), ranks.index(self._eval(right))
            return c.SIGNS[sign](a, b)
        (above, below), (over, under) = self._fraction(left), self._fraction(right)
        if isinstance(above, int) and isinstance(over, int):
            return c.SIGNS[sign](above * under, over * below)
        return c.SIGNS[sign](above, over)

    def _fraction(self, node: ast.expr) -> tuple[Any, int]:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            a, b = self._number(node.left), self._number(node.right)
            return c.fraction(a, b, self._span(node))
        value = self._eval(node)
        return (value if isinstance(value, (int, str, Die)) else c.as_number(value)), 1

    def _eval_call(self, node: ast.Call) -> Any:
        if id(node) in self.formula.resolved and self.formula.resolved[id(node)] == "entry":
            return c.entry_of(self._eval(node.func), self._eval(node.args[0]))
        if self.formula.resolved.get(id(node)) == "sure entry":
            return c.sure_entry_of(self._eval(node.func), self._eval(node.args[0]), self._span(node))
        if not isinstance(node.func, ast.Name):
            raise PlayError(say.unknown_function(self._span(node), "this", ()))
        name, arguments = node.func.id, node.args
        if name.startswith("."):
            return self._form(node, name, arguments)
        if name == "given":
            return self._eval(arguments[0]) is not None
        if name in ("up", "down", "nearest"):
            division = arguments[0]
            assert isinstance(division, ast.BinOp)
            above, below = self._number(division.left), self._number(division.right)
            return c.quotient(above, below, name, self._span(node))
        if name in FUNCTIONS:
            return self._builtin(node, name, arguments)
        if name in self.among.program.tables:
            table = self.among.program.tables[name]
            values = [self._eval(argument) for argument in arguments]
            keys = [value if isinstance(value, str) else c.as_number(value) for value in values]
            assert len(keys) == len(table.keys)
            return self.among.look_up(name, keys, self._outer_names(), self._span(node))
        return self._apply(name, [self._eval(argument) for argument in arguments], self._span(node))

    def _outer_names(self) -> dict[str, Any]:
        return {".meter": [self.steps], STATE: self.values.get(STATE, EMPTY)}

    def _apply(self, name: str, values: list[Any], span: Span) -> Any:
        function = self.among.program.functions[name]
        names = {one.name: self._convert(value, one.type) for one, value in zip(function.takes, values, strict=True)}
        names[STATE] = self.values.get(STATE, EMPTY)
        with say.Placed({}, span):
            for one in function.takes:
                constraints_check(self.among, one)(names[one.name], {**self._outer_names(), **names})
        if isinstance(function.gives, ir.Formula):
            return self._evaluate_inner(function.gives, names)
        for case in function.gives.cases:
            if case.condition is None or self._evaluate_inner(case.condition, names):
                return self._convert(self._evaluate_inner(case.value, names), function.type)
        return None

    def _evaluate_inner(self, formula: ir.Formula, names: Mapping[str, Any]) -> Any:
        inside = _Reference(formula, self.among, names)
        inside.steps = self.steps
        assert formula.tree is not None
        value = inside.run(formula.tree)
        self.steps = inside.steps
        return value

    def _builtin(self, node: ast.Call, name: str, arguments: list[ast.expr]) -> Any:
        if (ladder := self.formula.resolved.get(id(node))) is not None:
            return self._word_function(ladder, name, [self._eval(argument) for argument in arguments])
        function = FUNCTIONS[name]
        values = []
        for number, argument in enumerate(arguments):
            kind = function.takes[min(number, len(function.takes) - 1)]
            value = self._eval(argument)
            value = c.values_of(value) if type(value) is dict else value
            values.append(
                c.as_number(value) if kind == "number" else value if kind in ("die", "ladder") else c.as_dice(value)
            )
        if name == "all" and isinstance(arguments[0], ast.Call) and _is_form(arguments[0], ".where"):
            values.append(c.as_dice(self._eval(arguments[0].args[0])))
        return c.call_builtin(function.run, name, self._span(node), *values)

    def _word_function(self, ladder: tuple[str, ...], name: str, values: list[Any]) -> Any:
        """A function of numbers that takes words of a ladder."""
        first, *others = values
        first = c.values_of(first) if type(first) is dict else first
        if name in ("min", "max", "clamp"):
            places = sorted(ladder.index(word) for word in values)
            return ladder[places[{"min": 0, "max": -1, "clamp": 1}[name]]]
        ranked = sorted(first, key=ladder.index)
        if name == "ordered":
            return tuple(ranked)
        number = c.as_number(others[0]) if others else 1
        best = ranked[::-1] if name in ("highest", "kth") else ranked
        if name == "kth" or not others:
            return best[number - 1] if 1 <= number <= len(best) else None
        kept = best[: max(number, 0)]
        return tuple([word for word in first if word in kept and (kept.remove(word) or True)])  # type: ignore[func-returns-value]

    def _form(self, node: ast.Call, name: str, arguments: list[ast.expr]) -> Any:
        match name, arguments:
            case ".where", [of, slot]:
                elements = self._elements_of(of)
                return tuple(element for element in elements if self._slot(node, element, slot))
            case ".by", [of, slot]:
                ladder = self.formula.resolved.get(id(node.func))
                as_key = ladder.index if ladder else c.as_number
                return tuple(sorted(self._elements_of(of), key=lambda element: as_key(self._slot(node, element, slot))))
            case ".otherwise", [of, instead]:
                found = self._eval(of)
                return self._convert_at(node, self._eval(instead) if found is None else found)
            case ".compare", [left, ast.Name(word), right]:
                sign = _RELATIONS[self.among.program.comparators[word]]
                return self._compare_order(sign, left, right, self.formula.resolved.get(id(node)))
            case ".die", [ast.Constant(int(size))]:
                return Die(size)
            case ".pool", [number, ast.Constant(int(size))]:
                return self._pool(node, number, Die(size))
            case ".tagged", [of, *tags]:
                return c.add_tags(self._eval(of), tuple(sorted(tag.id for tag in tags if isinstance(tag, ast.Name))))
            case _:
                return self.formula.resolved[id(node)]

    def _elements_of(self, node: ast.expr) -> Any:
        value = self._eval(node)
        return c.values_of(value) if type(value) is dict else c.as_dice(value)

    def _pool(self, node: ast.expr, number: ast.expr, die: Die) -> Any:
        if isinstance(number, ast.Constant) and number.value == 1:
            return die
        return c.dice_of(die, self._number(number), self._span(node))

    def _slot(self, node: ast.expr, element: Any, slot: ast.expr) -> Any:
        key = ".it" if isinstance(self.formula.resolved[id(node)], t.List) else ".die"
        outer = self.values.get(key)
        self.values[key] = element
        value = self._eval(slot)
        self.values[key] = outer
        return value


def _is_form(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


_DIE_WORDS = ("face", "value", "size", "part", "tags")
_RELATIONS = {"at least": ">=", "more than": ">", "at most": "<=", "less than": "<", "equal to": "=="}
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_OPERATORS: dict[Any, Any] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
}

"""Writes typed expressions as Python, for play, odds and simulation.

Text of an author appears in what is written only as a quoted string; whatever else an expression needs is bound to a
name. What is written agrees with `interpreter.runtime.reference`, in value and in error. Where the values of names
and attributes are, and how functions of the ruleset are called, a subclass says: play keeps them in frames, and
generated rules in variables. What is written may read the name `frame`, from which elements are spent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, assert_never

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import is_bare_quotient, is_exact
from interpreter.runtime import operations as does
from interpreter.runtime.formula_work import count_each, tenths_of_work
from interpreter.runtime.functions import FUNCTIONS, charge, is_among
from interpreter.work_count import spend

NATIVE = {"count": "len({})", "odd": "({} % 2 == 1)", "even": "({} % 2 == 0)"}
"""Functions of the language that Python has as an operator or built-in function."""

MUCH = 50
"""The tenths of a unit of work of a formula that counts them itself, beside the step that it stands in."""

NESTED = (t.List, t.Record, t.Map, t.Dice, t.Roll)
"""Types of which a list or record of a few elements may hold many values."""


class ExpressionWriter(ABC):
    """Writes expressions as Python, under fixed options. `look_up` gives the value in a table."""

    def __init__(self, program: ir.Program, options: Mapping[str, Any], look_up: Callable[..., Any]) -> None:
        self.program, self.options, self.look_up = program, options, look_up
        self.slots: dict[str, str] = {}
        self.elements = 0

    @abstractmethod
    def bind(self, value: Any) -> str:
        """A name for a value that is not written."""

    @abstractmethod
    def local(self, name: str) -> str:
        """The value of a name of the ruleset."""

    @abstractmethod
    def attribute(self, of: ir.Attribute) -> str:
        """An attribute of an object; None if the object is missing."""

    @abstractmethod
    def column_of_things(self, of: ir.Column, kind: str) -> str:
        """An attribute of every object of a list."""

    @abstractmethod
    def application(self, of: ir.Apply) -> str:
        """The call of a function of the ruleset."""

    def slot(self, name: str) -> str:
        """The element that a slot reads: `.it`, or `.die`."""
        return self.slots[name]

    def constant(self, value: Any) -> str:
        if value is None or type(value) in (bool, int, str):
            return repr(value)
        return self.bind(value)

    def call(self, function: Callable[..., Any], *arguments: str) -> str:
        return f"{self.bind(function)}({', '.join(arguments)})"

    def spent(self, elements: str, *formulas: ir.Expr) -> str:
        """Elements that are gone through, taken from the budget of the run, each with the work of some formulas."""
        return self.call(count_each, self.call(does.charge_elements, "frame", elements), str(tenths_of_work(*formulas)))

    def fixed_value(self, of: ir.Expr) -> tuple[Any] | None:
        """The value, in a tuple, of an expression that is constant under the options; None for any other."""
        match of:
            case ir.Constant(value):
                return (value,)
            case ir.Option(name):
                return (self.options[name],)
            case ir.Relation(left=left, sign=sign, right=right, ranks=None):
                a, b = self.fixed_value(left), self.fixed_value(right)
                return (does.SIGNS[sign](a[0], b[0]),) if a is not None and b is not None else None
            case ir.Not(truth):
                value = self.fixed_value(truth)
                return (not value[0],) if value is not None else None
        return None

    @contextmanager
    def element(self, slot: str, variable: str) -> Iterator[None]:
        """In this context a slot, such as `.it`, is a variable."""
        outer = self.slots.get(slot)
        self.slots[slot] = variable
        yield
        if outer is None:
            del self.slots[slot]
        else:
            self.slots[slot] = outer

    def new_element(self) -> str:
        """A variable for an element."""
        self.elements += 1
        return f"e{self.elements}"

    def whole(self, of: ir.Expr) -> str:
        """A whole formula as Python; one that takes much work counts it each time."""
        tenths = tenths_of_work(of)
        return self.text(of) if tenths < MUCH else f"({self.call(spend, str(tenths // 10))} or {self.text(of)})"

    def text(self, of: ir.Expr) -> str:
        """An expression as Python."""
        if (fixed := self.fixed_value(of)) is not None:
            return self.constant(fixed[0])
        text, call = self.text, self.call
        match of:
            case ir.Constant() | ir.Option():
                raise AssertionError("these are fixed")
            case ir.Local(name):
                return self.local(name)
            case ir.Element():
                return self.slot(".it")
            case ir.DieField(name):
                return call(does.field_of, self.slot(".die"), repr(name))
            case ir.Attribute():
                return self.attribute(of)
            case ir.MapEntry():
                return self.entry(of)
            case ir.Field():
                return self.field(of)
            case ir.Column():
                return self.column(of)
            case ir.RollPart(dice, name):
                return call(does.part_of, text(dice), repr(name))
            case ir.Negative(number):
                return f"(-{text(number)})"
            case ir.Arithmetic():
                return self.arithmetic(of)
            case ir.Quotient(left, right, "down") if self.fixed_value(right) not in (None, (0,)):
                return f"({text(left)} // {text(right)})"
            case ir.Quotient(left, right, rounding):
                return call(does.quotient, text(left), text(right), repr(rounding), self.bind(of.span))
            case ir.Relation():
                return self.comparison(of)
            case ir.Membership(item, among) if isinstance(item.type, t.Number):
                return call(is_among, text(item), text(among))
            case ir.Membership(item, among):
                return f"({text(item)} in {call(charge, text(among))})"
            case ir.Not() | ir.And() | ir.Or() | ir.Conditional() | ir.Otherwise():
                return self.logic(of)
            case ir.ListLiteral(items):
                listed = "(" + "".join(f"{text(item)}, " for item in items) + ")"
                return self.check_size(listed, of, [item.type for item in items])
            case ir.RecordLiteral(fields):
                record = "{" + ", ".join(f"{name!r}: {text(value)}" for name, value in fields) + "}"
                return self.check_size(record, of, [value.type for _, value in fields])
            case ir.PoolLiteral(number, die):
                return call(does.dice_of, text(die), text(number), self.bind(of.span))
            case ir.Tagged(dice, tags):
                return call(does.add_tags, text(dice), self.bind(tags))
            case ir.Joined(left, right):
                return call(does.join, text(left), text(right), self.bind(of.span))
            case ir.Filtered(elements, condition, kind):
                each, holds = self.bind_element(kind, condition)
                return f"tuple([{each} for {each} in {self.spent(text(elements), condition)} if {holds}])"
            case ir.Sorted(elements, key, kind):
                each, by = self.bind_element(kind, key)
                return f"tuple(sorted({self.spent(text(elements), key)}, key=lambda {each}: {by}))"
            case ir.Builtin():
                return self.builtin(of)
            case ir.Apply():
                return self.application(of)
            case ir.Lookup():
                keys = "".join(f"{text(key)}, " for key in of.keys)
                return call(self.look_up, repr(of.name), f"({keys})", "frame", self.bind(of.span))
            case ir.Converted(value, to):
                return self.conversion(text(value), to)
            case _:
                assert_never(of)

    def bind_element(self, kind: t.Type, formula: ir.Expr) -> tuple[str, str]:
        """A variable for an element of a list, or of dice, and a condition or key that reads it."""
        variable = self.new_element()
        with self.element(".it" if isinstance(kind, t.List) else ".die", variable):
            return variable, self.text(formula)

    def entry(self, of: ir.MapEntry) -> str:
        """The value of a map at a key; None if it is missing."""
        entries, key = self.text(of.of), self.text(of.key)
        if of.sure:
            return self.call(does.sure_entry_of, entries, key, self.bind(of.span))
        return self.call(does.entry_of, entries, key)

    def field(self, of: ir.Field) -> str:
        """A field of a record, a die or a throw."""
        kind = t.without_maybe(of.of.type)
        is_record = isinstance(kind, t.Record) and kind.name != "throw"
        value = self.call(does.entry_of if is_record else does.field_of, self.text(of.of), repr(of.name))
        if may_name_destroyed(self.program, of):
            return self.call(does.check_still_exists, value, self.bind(of.span))
        return value

    def column(self, of: ir.Column) -> str:
        """A field of every element."""
        kind = t.without_maybe(of.of.type)
        element = t.without_maybe(kind.of) if isinstance(kind, t.List) else kind
        if isinstance(element, t.Object):
            return self.column_of_things(of, element.kind)
        return self.call(does.column_of, self.text(of.of), repr(of.name), repr(of.maps))

    def arithmetic(self, of: ir.Arithmetic) -> str:
        left, right = self.text(of.left), self.text(of.right)
        if isinstance(of.type, t.DiceCode):
            return self.call(does.add_pips, left, right if of.sign == "+" else f"-{right}")
        if of.sign == "*":
            return self.call(does.check_range, f"{left} * {right}", self.bind(of.span))
        return f"({left} {of.sign} {right})"

    def comparison(self, of: ir.Relation) -> str:
        if is_exact(of):
            return self.call(does.compare_fractions, repr(of.sign), self.fraction(of.left), self.fraction(of.right))
        left, right = self.text(of.left), self.text(of.right)
        if of.ranks is not None:
            ranks = self.bind({word: rank for rank, word in enumerate(of.ranks)})
            left, right = f"{ranks}[{left}]", f"{ranks}[{right}]"
        elif isinstance(t.without_maybe(of.left.type), NESTED):
            left = self.call(does.charge_compared, left)
        return f"({left} {of.sign} {right})"

    def fraction(self, of: ir.Expr) -> str:
        """A number as numerator and denominator."""
        if not is_bare_quotient(of):
            return f"({self.text(of)}, 1)"
        return self.call(does.fraction, self.text(of.left), self.text(of.right), self.bind(of.span))

    def logic(self, of: ir.Not | ir.And | ir.Or | ir.Conditional | ir.Otherwise) -> str:
        """An expression that evaluates some of its operands only where others hold, or are missing."""
        text = self.text
        match of:
            case ir.Not(truth):
                return f"(not {text(truth)})"
            case ir.And(left, right) | ir.Or(left, right):
                word = "and" if isinstance(of, ir.And) else "or"
                if (fixed := self.fixed_value(left)) is not None:
                    return text(right) if fixed[0] == (word == "and") else self.constant(fixed[0])
                return f"({text(left)} {word} {text(right)})"
            case ir.Conditional(condition, then, otherwise):
                if (fixed := self.fixed_value(condition)) is not None:
                    return text(then) if fixed[0] else text(otherwise)
                return f"({text(then)} if {text(condition)} else {text(otherwise)})"
            case ir.Otherwise(value, instead):
                if isinstance(instead, (ir.Constant, ir.Local, ir.Option)):
                    return self.call(does.first_present, text(value), text(instead))
                return self.call(does.value_or_else, text(value), f"lambda: {text(instead)}")

    def check_size(self, held: str, of: ir.ListLiteral | ir.RecordLiteral, parts: list[t.Type]) -> str:
        """A list or record, which fails if it holds too many values."""
        if not any(isinstance(t.without_maybe(kind), NESTED) for kind in parts):
            return held
        return self.call(does.check_held, held, self.bind(of.span))

    def builtin(self, of: ir.Builtin) -> str:
        """The call of a function of the language."""
        arguments = [self.text(argument) for argument in of.arguments]
        if of.name == "given":
            if isinstance(of.arguments[0], (ir.Local, ir.Field, ir.Attribute, ir.MapEntry)):
                return f"({arguments[0]} is not None)"
            return self.call(does.is_present, *arguments)  # Python warns of `is` beside a literal
        if of.name in NATIVE:
            return NATIVE[of.name].format(*arguments)
        function = FUNCTIONS[of.name]
        if function.may_fail:
            return self.call(partial(does.call_builtin, function.run, of.name, of.span), *arguments)
        return self.call(function.run, *arguments)

    def conversion(self, value: str, to: str) -> str:
        """A value read as one of another type."""
        if to == "values":
            return f"{self.bind(does.values_of)}({value})"
        into = does.as_number if to.endswith("number") else does.as_dice
        if to.startswith("each "):
            return self.call(does.convert_each, value, self.bind(into))
        return self.call(into, value)


def may_name_destroyed(program: ir.Program, field: ir.Field) -> bool:
    """Whether a field of a record names an object that may have been destroyed since."""
    record = t.without_maybe(field.of.type)
    return isinstance(field.type, t.Object) and isinstance(record, t.Record) and record.name in program.types

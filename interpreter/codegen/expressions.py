"""Formulas as Python. Text of an author appears in generated code only as a quoted string.

Generated expressions agree in value with `interpreter.runtime.evaluator`. If one fails, play reports the error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.codegen.dependencies import Read, of_function, reads
from interpreter.ir import types as t
from interpreter.ir.limits import takes_with_limits
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import each_in, is_exact, locals_in
from interpreter.runtime.evaluator import (
    SIGNS,
    as_dice,
    as_number,
    column_of,
    concatenated,
    entry_of,
    field_of,
    in_range,
    may_name_gone,
    part_of,
)
from interpreter.runtime.functions import FUNCTIONS, rounded
from interpreter.values import Thing

if TYPE_CHECKING:
    from interpreter.codegen.module import GeneratedModule

HASHABLE = (t.Object, t.Number, t.Word, t.YesNo)
NATIVE = {"count": "len({})", "odd": "({} % 2 == 1)", "even": "({} % 2 == 0)"}
"""Functions of the language that Python has as an operator or built-in function."""
MISSING = object()
"""Stands for a value that is not cached."""


class ExpressionWriter:
    """Writes expressions as Python. `variables` maps names of the ruleset to variables of the generated function.

    Other values are bound to names in the module. An expression that cannot be written is left to a closure.
    """

    def __init__(self, module: GeneratedModule, variables: Mapping[str, str]) -> None:
        self.module, self.program = module, module.program
        self.variables = variables
        self.slots: dict[str, str] = {}
        self.used = 0

    def constant(self, value: Any) -> str:
        if value is None or type(value) in (bool, int, str):
            return f"({value!r})"
        return self.module.bind(value)

    def call(self, function: Callable[..., Any], *arguments: str) -> str:
        return f"{self.module.bind(function)}({', '.join(arguments)})"

    def by_closure(self, expression: ir.Expr) -> str:
        """An expression as the call of a closure, with a frame that holds the variables it reads."""
        return self.call(self.module.closures.plainly(expression), self.frame(locals_in(expression)))

    def frame(self, read: frozenset[str] | None = None) -> str:
        """A frame of the variables, or of those that are read."""
        names = {name: of for name, of in self.variables.items() if read is None or name in read} | self.slots
        return "{**frame, " + "".join(f"{name!r}: {variable}, " for name, variable in names.items()) + "}"

    def fixed(self, of: ir.Expr) -> tuple[Any] | None:
        """The value, in a tuple, of an expression that is constant under the options; None for any other."""
        match of:
            case ir.Constant(value):
                return (value,)
            case ir.Option(name):
                return (self.module.options[name],)
            case ir.Relation(left=left, sign=sign, right=right, ranks=None):
                a, b = self.fixed(left), self.fixed(right)
                return (SIGNS[sign](a[0], b[0]),) if a is not None and b is not None else None
            case ir.Not(truth):
                one = self.fixed(truth)
                return (not one[0],) if one is not None else None
        return None

    def inside(self, slot: str, expression: ir.Expr) -> tuple[str, str]:
        """A variable for an element, and a condition or key that reads it."""
        self.used += 1
        variable = f"e{self.used}"
        with self.element(slot, variable):
            return variable, self.text(expression)

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

    def cases(self, of: ir.FirstOf) -> str:
        """The value of the first case that holds, else None."""
        text = "None"
        for case in reversed(of.cases):
            value = self.text(case.value.body)
            text = f"({value} if {self.text(case.condition.body)} else {text})" if case.condition else value
        return text

    def text(self, of: ir.Expr) -> str:
        """An expression as Python."""
        if (fixed := self.fixed(of)) is not None:
            return self.constant(fixed[0])
        text = self.text
        match of:
            case ir.Local(name):
                return self.variables[name]
            case ir.Element():
                return self.slots[".it"]
            case ir.Attribute():
                return self.attribute(of.of, of.kind, of.name)
            case ir.MapEntry(entries, key, kind, _, sure):
                if isinstance(kind, t.Object) and destroys(self.program):
                    return self.call(_not_gone, f"{text(entries)}[{text(key)}]")
                return f"{text(entries)}[{text(key)}]" if sure else self.call(entry_of, text(entries), text(key))
            case ir.DieField(name):
                return self.call(field_of, self.slots[".die"], repr(name))
            case ir.Field(record, name) if may_name_gone(self.program, of) and destroys(self.program):
                return self.call(_not_gone, self.call(entry_of, text(record), repr(name)))
            case ir.Field(record, name):
                kind = t.present(record.type)
                if not isinstance(kind, t.Record) or kind.name == "throw":
                    return self.call(field_of, text(record), repr(name))
                # A rule that an outcome ended early has a record without some fields, whatever its type.
                there = isinstance(record, ir.Local) and not isinstance(record.type, t.Maybe)
                return f"{text(record)}.get({name!r})" if there else self.call(entry_of, text(record), repr(name))
            case ir.Column():
                return self.column(of)
            case ir.RollPart(dice, name) if isinstance(dice.type, t.Maybe):
                return self.call(part_of, text(dice), repr(name))
            case ir.RollPart(dice, name):
                return f"tuple([d for d in {text(dice)} if d.part == {name!r}])"
            case ir.Negative(number):
                return f"(-{text(number)})"
            case ir.Arithmetic(sign=sign) if not isinstance(of.type, t.DiceCode):
                if sign == "*":
                    return self.call(in_range, f"{text(of.left)} * {text(of.right)}", self.module.bind(of.span))
                return f"({text(of.left)} {sign} {text(of.right)})"
            case ir.Quotient(left, right, rounding):
                return self.call(rounded, text(left), text(right), repr(rounding))
            case ir.Relation(left=left, sign=sign, right=right, ranks=ranks):
                if is_exact(of):
                    return self.by_closure(of)
                if ranks is None:
                    return f"({text(left)} {sign} {text(right)})"
                order = self.module.bind({word: rank for rank, word in enumerate(ranks)})
                return f"({order}[{text(left)}] {sign} {order}[{text(right)}])"
            case ir.Membership(item, among):
                return f"({text(item)} in {text(among)})"
            case ir.Not(truth):
                return f"(not {text(truth)})"
            case ir.And(left, right) | ir.Or(left, right) if (fixed := self.fixed(left)) is not None:
                return text(right) if fixed[0] == isinstance(of, ir.And) else self.constant(fixed[0])
            case ir.And(left, right):
                return f"({text(left)} and {text(right)})"
            case ir.Or(left, right):
                return f"({text(left)} or {text(right)})"
            case ir.Conditional(condition, then, otherwise) if (fixed := self.fixed(condition)) is not None:
                return text(then) if fixed[0] else text(otherwise)
            case ir.Conditional(condition, then, otherwise):
                return f"({text(then)} if {text(condition)} else {text(otherwise)})"
            case ir.Otherwise(value, instead):
                if isinstance(instead, (ir.Constant, ir.Local, ir.Option)):
                    return self.call(_first_there, text(value), text(instead))
                return self.call(_or_else, text(value), f"lambda: {text(instead)}")
            case ir.ListLiteral(items):
                return "(" + "".join(f"{text(item)}, " for item in items) + ")"
            case ir.Joined(left, right):
                return f"({text(left)} + {text(right)})"
            case ir.Filtered(elements, condition, kind):
                within = text(elements)
                each, holds = self.inside(".it" if isinstance(kind, t.List) else ".die", condition)
                return f"tuple([{each} for {each} in spent({within}) if {holds}])"
            case ir.Sorted(elements, key, kind):
                within = text(elements)
                each, by = self.inside(".it" if isinstance(kind, t.List) else ".die", key)
                return f"tuple(sorted(spent({within}), key=lambda {each}: {by}))"
            case ir.Builtin("given", arguments):
                if isinstance(arguments[0], (ir.Local, ir.Field, ir.Attribute, ir.MapEntry)):
                    return f"({text(arguments[0])} is not None)"
                return self.call(_is_there, text(arguments[0]))  # Python warns of `is` beside a literal
            case ir.Builtin(name, arguments):
                if name in NATIVE:
                    return NATIVE[name].format(*map(text, arguments))
                return self.call(FUNCTIONS[name].run, *map(text, arguments))
            case ir.Apply(name, arguments) if not takes_with_limits(self.program, name):
                return f"{applied(self.module, name)}({', '.join(map(text, arguments))})"
            case ir.Converted(value, to) if to.endswith("number") and not to.startswith("each "):
                return self.call(as_number, text(value))
            case ir.Converted(value, to) if to != "values" and not to.startswith("each "):
                return self.call(as_dice, text(value))
            case ir.RecordLiteral(fields):
                return "{" + ", ".join(f"{name!r}: {text(one)}" for name, one in fields) + "}"
            case _:
                return self.by_closure(of)

    def attribute(self, of: ir.Expr, kind: str, name: str) -> str:
        """An attribute of an object; None if the object is missing."""
        thing = self.text(of)
        if isinstance(of.type, t.Maybe):
            return self.call(_of_any, thing, self.reader(kind, name))
        attribute = self.program.kinds[kind].has[name]
        if attribute.part is None and attribute.derived is None and not self.may_be_gone(attribute):
            return f"has[{self.whose(of)}][{name!r}]"
        return self.of_thing(thing, kind, name)

    def may_be_gone(self, attribute: ir.HeldAttribute) -> bool:
        """Whether an attribute names an object that may have been destroyed."""
        return attribute.names_thing and attribute.per is None and destroys(self.program)

    def of_thing(self, thing: str, kind: str, name: str) -> str:
        """An attribute of an object that is not missing."""
        attribute = self.program.kinds[kind].has[name]
        if attribute.part is not None:
            return f"{self.module.bind(_parts(name, attribute.part))}[{thing}.id]"
        if attribute.derived is not None:
            return f"{derived(self.module, kind, name)}({thing})"
        read = f"has[{thing}.id][{name!r}]"
        return self.call(_not_gone, read) if self.may_be_gone(attribute) else read

    def whose(self, thing: ir.Expr) -> str:
        """The id of an object."""
        return repr(thing.value.id) if isinstance(thing, ir.Constant) else f"{self.text(thing)}.id"

    def reader(self, kind: str, name: str) -> str:
        """A function that reads an attribute of an object."""
        attribute = self.program.kinds[kind].has[name]
        if attribute.derived is not None:
            return derived(self.module, kind, name)
        return f"(lambda thing: {self.of_thing('thing', kind, name)})"

    def column(self, of: ir.Column) -> str:
        elements, name = of.of, of.name
        kind = t.present(elements.type)
        element = t.present(kind.of) if isinstance(kind, t.List) else kind
        if not isinstance(element, t.Object):
            return self.call(column_of, self.text(elements), repr(name), repr(of.maps))
        if isinstance(elements.type, t.Maybe):
            return self.by_closure(of)
        self.used += 1
        one = f"e{self.used}"
        each = f"[{self.of_thing(one, element.kind, name)} for {one} in {self.text(elements)}]"
        return self.call(concatenated, each, repr(of.maps))


def derived(module: GeneratedModule, kind: str, name: str) -> str:
    """The name of the function that computes a derived attribute of an object."""
    formula = module.program.kinds[kind].has[name].derived
    assert formula is not None

    def write(called: str) -> str:
        return _cached(module, called, {"owner": t.Object(kind)}, formula, reads(module.program, formula.body))

    return module.function(("derived", kind, name), write)


def applied(module: GeneratedModule, name: str) -> str:
    """The name of the generated function for a function of the ruleset."""
    function = module.program.functions[name]

    def write(called: str) -> str:
        simple = all(isinstance(t.present(one.type), HASHABLE) for one in function.takes)
        read = of_function(module.program, function.gives) if simple else None
        takes = {one.name: one.type for one in function.takes}
        return _cached(module, called, takes, function.gives, read)

    return module.function(("function", name), write)


def _cached(
    module: GeneratedModule,
    called: str,
    takes: Mapping[str, t.Type],
    gives: ir.Formula | ir.FirstOf,
    read: frozenset[Read] | None,
) -> str:
    """The source of a function, which caches its values if what they depend on is known."""
    variables = {name: f"p{place}" for place, name in enumerate(takes)}
    writer = ExpressionWriter(module, variables)
    text = writer.text(gives.body) if isinstance(gives, ir.Formula) else writer.cases(gives)
    parameters = ", ".join(variables.values())
    if read is None:
        return f"def {called}({parameters}):\n return {text}"
    cached, missing = module.bind(module.cache(read)), module.bind(MISSING)
    keys = [f"{variables[name]}.id" if isinstance(kind, t.Object) else variables[name] for name, kind in takes.items()]
    key = f"({', '.join(keys)})"
    return (
        f"def {called}({parameters}):\n value = {cached}.get({key}, {missing})\n"
        f" if value is {missing}:\n  value = {cached}[{key}] = {text}\n return value"
    )


class _Parts(dict[str, Thing]):
    """The part of each object, by the id of the object."""

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind = name, kind

    def __missing__(self, whole: str) -> Thing:
        made = self[whole] = Thing(f"{whole}.{self.name}", self.kind)
        return made


@lru_cache(256)
def _parts(name: str, kind: str) -> _Parts:
    return _Parts(name, kind)


def _of_any(thing: Thing | None, read: Callable[[Thing], Any]) -> Any:
    return None if thing is None else read(thing)


@once_per
def destroys(program: ir.Program) -> bool:
    """Whether anything in a ruleset destroys objects."""
    return any(True for _ in each_in(program, ir.Destroy))


def _not_gone(thing: Thing | None) -> Thing:
    """The object that an attribute names. Raises LookupError if it was destroyed, so that play reports it."""
    if thing is None:
        raise LookupError
    return thing


def _first_there(value: Any, instead: Any) -> Any:
    return instead if value is None else value


def _is_there(value: Any) -> bool:
    return value is not None


def _or_else(value: Any, instead: Callable[[], Any]) -> Any:
    return instead() if value is None else value

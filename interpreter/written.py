"""Formulas written out as Python: dearer to make than closures, and many times as quick, so for whole scenes.

What is written agrees with `interpreter.closures` in value and in error: whatever goes wrong is worked out once more
by the closure, which says what is wrong. No text of an author gets into what is written but as a quoted word. What
functions give and what things have by a formula is remembered with the state, which never changes, or with what the
thing has where it hangs on nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from interpreter import ir
from interpreter import types as t
from interpreter.closures import (
    Closure,
    Closures,
    Frame,
    as_dice,
    as_number,
    column_of,
    entry_of,
    field_of,
    in_range,
    spend,
    strung,
)
from interpreter.diagnostics import PlayError
from interpreter.functions import FUNCTIONS, rounded
from interpreter.parts import inner
from interpreter.values import Thing

Given = Callable[..., Any]
"""What a frame and some values give: `given(frame, one, other)`."""

PLAIN = (ir.Constant, ir.Local, ir.Option, ir.Element)
"""What is as quick as a closure."""


@dataclass(frozen=True)
class Written(Closures):
    """The functions, tables and options of a program, its formulas written out when they are first used."""

    _applied: dict[str, Given | None] = field(default_factory=dict)
    _derived: dict[tuple[str, str], Given | None] = field(default_factory=dict)

    def of(self, formula: ir.Formula) -> Closure:
        """The closure of a checked expression, made once."""
        kept = self._kept.get(id(formula))
        if kept is None:
            plain = isinstance(formula.body, PLAIN)
            made = self.plainly(formula.body) if plain else self._closure(formula.body)
            kept = self._kept[id(formula)] = formula, made
        return kept[1]

    def _closure(self, body: ir.Expr) -> Closure:
        plainly = _late(lambda: self.plainly(body))
        writer = Writer(self, {})
        return _made(writer, "frame", writer.text(body), "", lambda: plainly, "frame") or plainly

    def attribute(self, kind: str, name: str) -> Callable[[Thing, Frame], Any]:
        """What things of a kind have under a name, from the thing and a frame that holds the state."""
        read = self.derived(kind, name)
        if read is None:
            return super().attribute(kind, name)
        return lambda thing, frame: read(frame, thing)

    def derived(self, kind: str, name: str) -> Given | None:
        """What a thing has by a formula, from a frame with the state and the thing; None while it is being written."""
        key = (kind, name)
        if key not in self._derived:
            one = self.program.kinds[kind].has[name]
            self._derived[key] = None
            if one.derived is not None:
                own = own_alone(self.program, kind, one.derived.body)
                body, plainly = one.derived, super().attribute(kind, name)
                self._derived[key] = self._function(
                    ("owner",), body, "own" if own else "state", lambda: lambda frame, thing: plainly(thing, frame)
                )
        return self._derived[key]

    def applied(self, name: str) -> Given | None:
        """What a function gives, from a frame with the state and its arguments; None while it is being written."""
        if name not in self._applied:
            self._applied[name] = None
            function = self.program.functions[name]
            names = tuple([one.name for one in function.takes])
            simple = all(isinstance(t.present(one.type), HASHABLE) for one in function.takes)
            looks = looks_at_things(self.program, function.gives)

            def plainly() -> Given:
                work = self.function(name)
                return lambda frame, *values: work(
                    {key: frame[key] for key in (".meter", ".state") if key in frame}
                    | dict(zip(names, values, strict=True))
                )

            self._applied[name] = self._function(names, function.gives, "state" if simple and looks else "", plainly)
        return self._applied[name]

    def _function(
        self, names: Sequence[str], gives: ir.Formula | ir.FirstOf, kept: str, plainly: Callable[[], Given]
    ) -> Given | None:
        variables = {name: f"p{place}" for place, name in enumerate(names)}
        writer = Writer(self, variables)
        text = writer.text(gives.body) if isinstance(gives, ir.Formula) else writer.cases(gives)
        arguments = ", ".join(["frame", *variables.values()])
        return _made(writer, arguments, text, kept, plainly, ", ".join(variables.values()))


HASHABLE = (t.Thing, t.Number, t.Word, t.YesNo)


def _late(make: Callable[[], Closure]) -> Closure:
    """A closure that is made when it is first needed."""
    made: list[Closure] = []

    def late(frame: Frame) -> Any:
        if not made:
            made.append(make())
        return made[0](frame)

    return late


def _made(writer: Writer, arguments: str, text: str, kept: str, plainly: Callable[[], Given], key: str) -> Given | None:
    """The function of a text; what goes wrong in it is worked out `plainly`. `kept` says where its value is kept."""
    lines = [f"def made({arguments}):", " try:"]
    if "things[" in text or kept:
        lines.append("  things = frame['.state'].things")
    if kept:
        where = "things[p0.id]" if kept == "own" else "frame['.state']"
        lines += [f"  known = {where}.known", f"  key = (token, {key})" if kept == "state" else "  key = token"]
        lines += ["  if key in known:", "   return known[key]"]
        lines += ["  spend(frame, 1)", f"  value = known[key] = {text}", "  return value"]
    else:
        lines.append(f"  return {text}")
    lines += [" except PlayError:", "  raise", " except Exception:", f"  return plainly()({arguments})"]
    names = {**writer.bound, "PlayError": PlayError, "plainly": plainly, "token": object(), "spend": spend}
    try:
        exec("\n".join(lines), names)
    except (SyntaxError, RecursionError, MemoryError):  # it is nested too deep for Python
        return None
    made: Given = names["made"]
    return made


class Writer:
    """Writes expressions as Python. `variables` are names of the ruleset that are parameters of what is written.

    What else it needs is bound to names of its own. What it cannot write is left to a closure.
    """

    def __init__(self, of: Closures, variables: Mapping[str, str]) -> None:
        self.of = of
        self.variables = dict(variables)
        self.bound: dict[str, Any] = {}
        self.slots: dict[str, str] = {}
        self.used = 0

    def bind(self, value: Any) -> str:
        """The name that a value has in what is written."""
        for name, there in self.bound.items():
            if there is value:
                return name
        name = f"k{len(self.bound)}"
        self.bound[name] = value
        return name

    def constant(self, value: Any) -> str:
        if value is None or type(value) in (bool, int, str):
            return f"({value!r})"
        return self.bind(value)

    def call(self, function: Callable[..., Any], *arguments: str) -> str:
        return f"{self.bind(function)}({', '.join(arguments)})"

    def plainly(self, expression: ir.Expr) -> str:
        """What is left to a closure, with a frame that holds what are variables here."""
        names = {**self.variables, **self.slots}
        frame = "frame"
        if names:
            frame = "{**frame, " + ", ".join(f"{name!r}: {variable}" for name, variable in names.items()) + "}"
        return self.call(self.of.plainly(expression), frame)

    def inside(self, slot: str, expression: ir.Expr) -> tuple[str, str]:
        """A condition or key, with the variable that stands for the element it looks at."""
        self.used += 1
        variable = f"e{self.used}"
        outer = self.slots.get(slot)
        self.slots[slot] = variable
        text = self.text(expression)
        if outer is None:
            del self.slots[slot]
        else:
            self.slots[slot] = outer
        return variable, text

    def cases(self, of: ir.FirstOf) -> str:
        """The value of the first case that holds."""
        text = "None"
        for case in reversed(of.cases):
            value = self.text(case.value.body)
            text = f"({value} if {self.text(case.condition.body)} else {text})" if case.condition else value
        return text

    def text(self, of: ir.Expr) -> str:
        """An expression as Python."""
        text = self.text
        match of:
            case ir.Constant(value):
                return self.constant(value)
            case ir.Local(name):
                return self.variables.get(name) or f"frame[{name!r}]"
            case ir.Option(name):
                return self.constant(self.of.options[name])
            case ir.Element():
                return self.slots.get(".it") or "frame['.it']"
            case ir.Attribute():
                return self.attribute(of.of, of.kind, of.name)
            case ir.Entry(entries, key, _, _, sure):
                return f"{text(entries)}[{text(key)}]" if sure else self.call(entry_of, text(entries), text(key))
            case ir.DieWord(name):
                return self.call(field_of, self.slots.get(".die") or "frame['.die']", repr(name))
            case ir.Field(record, name):
                kind = t.present(record.type)
                is_record = isinstance(kind, t.Record) and kind.name != "throw"
                return self.call(entry_of if is_record else field_of, text(record), repr(name))
            case ir.Column(elements, name):
                return self.column(elements, name)
            case ir.Part(dice, name):
                return f"tuple([d for d in {text(dice)} if d.part == {name!r}])"
            case ir.Negative(number):
                return f"(-{text(number)})"
            case ir.Arithmetic(sign=sign) if not isinstance(of.type, t.Code):
                if sign == "*":
                    return self.call(in_range, f"{text(of.left)} * {text(of.right)}", self.bind(of.span))
                return f"({text(of.left)} {sign} {text(of.right)})"
            case ir.Quotient(left, right, rounding):
                return self.call(rounded, text(left), text(right), repr(rounding))
            case ir.Comparison(left=left, sign=sign, right=right, ranks=ranks):
                if isinstance(left, ir.Quotient) or isinstance(right, ir.Quotient):
                    return self.plainly(of)
                if ranks is None:
                    return f"({text(left)} {sign} {text(right)})"
                order = self.bind({word: rank for rank, word in enumerate(ranks)})
                return f"({order}[{text(left)}] {sign} {order}[{text(right)}])"
            case ir.Membership(item, among):
                return f"({text(item)} in {text(among)})"
            case ir.Not(truth):
                return f"(not {text(truth)})"
            case ir.Both(left, right):
                return f"({text(left)} and {text(right)})"
            case ir.Either(left, right):
                return f"({text(left)} or {text(right)})"
            case ir.Conditional(condition, then, otherwise):
                return f"({text(then)} if {text(condition)} else {text(otherwise)})"
            case ir.Otherwise(value, instead):
                if isinstance(instead, (ir.Constant, ir.Local, ir.Option)):
                    return self.call(_first_there, text(value), text(instead))
                return self.call(_or_else, text(value), f"lambda: {text(instead)}")
            case ir.Sequence(items):
                return "(" + "".join(f"{text(item)}, " for item in items) + ")"
            case ir.Joined(left, right):
                return f"({text(left)} + {text(right)})"
            case ir.Filtered(elements, condition, kind):
                within = text(elements)
                each, holds = self.inside(".it" if isinstance(kind, t.List) else ".die", condition)
                return f"tuple([{each} for {each} in {self.call(_spent, 'frame', within)} if {holds}])"
            case ir.Sorted(elements, key):
                within = text(elements)
                each, by = self.inside(".it", key)
                return f"tuple(sorted({self.call(_spent, 'frame', within)}, key=lambda {each}: {by}))"
            case ir.Builtin("given", arguments):
                return f"({text(arguments[0])} is not None)"
            case ir.Builtin(name, arguments):
                return self.call(FUNCTIONS[name].run, *map(text, arguments))
            case ir.Apply(name, arguments):
                assert isinstance(self.of, Written)
                function = self.of.applied(name)
                return self.call(function, "frame", *map(text, arguments)) if function else self.plainly(of)
            case ir.Converted(value, to) if to.endswith("number") and not to.startswith("each "):
                return self.call(as_number, text(value))
            case ir.Converted(value, to) if to != "values" and not to.startswith("each "):
                return self.call(as_dice, text(value))
            case ir.Made(fields):
                return "{" + ", ".join(f"{name!r}: {text(one)}" for name, one in fields) + "}"
            case _:
                return self.plainly(of)

    def attribute(self, of: ir.Expr, kind: str, name: str) -> str:
        """What a thing has; nothing where there is no thing."""
        missing = isinstance(of.type, t.Maybe)
        thing = self.text(of)
        holding = self.of.program.kinds[kind].has[name]
        if holding.part is None and holding.derived is None and not missing:
            return f"things[{thing}.id].values[{name!r}]"
        read = self.reader(kind, name)
        return self.call(_of_any, thing, "frame", read) if missing else f"{read}(frame, {thing})"

    def reader(self, kind: str, name: str) -> str:
        """What reads from a frame what a thing has."""
        assert isinstance(self.of, Written)
        holding = self.of.program.kinds[kind].has[name]
        if holding.part is not None:
            return self.bind(_part(name, holding.part))
        read = self.of.derived(kind, name) if holding.derived is not None else None
        if read is not None:
            return self.bind(read)
        plainly = Closures.attribute(self.of, kind, name)
        return self.bind(lambda frame, thing: plainly(thing, frame))

    def column(self, elements: ir.Expr, name: str) -> str:
        kind = t.present(elements.type)
        element = t.present(kind.of) if isinstance(kind, t.List) else kind
        if not isinstance(element, t.Thing):
            return self.call(column_of, self.text(elements), repr(name))
        if isinstance(elements.type, t.Maybe):
            return self.plainly(ir.Column(elements, name, elements.type, elements.span))
        read, among = self.reader(element.kind, name), self.text(elements)
        return self.call(strung, f"[{read}(frame, each) for each in {among}]")


@lru_cache(256)
def _part(name: str, kind: str) -> Given:
    known: Callable[[str], Thing] = lru_cache(1024)(lambda whole: Thing(f"{whole}.{name}", kind))
    return lambda frame, thing: known(thing.id)


def _of_any(thing: Thing | None, frame: Frame, read: Given) -> Any:
    return None if thing is None else read(frame, thing)


def _first_there(value: Any, instead: Any) -> Any:
    return instead if value is None else value


def _or_else(value: Any, instead: Callable[[], Any]) -> Any:
    return instead() if value is None else value


def _spent(frame: Frame, elements: Any) -> Any:
    spend(frame, len(elements))
    return elements


# What a formula hangs on -----------------------------------------------------------------------------------------


def own_alone(program: ir.Program, kind: str, expr: ir.Expr) -> bool:
    """Whether what a thing has by a formula hangs on nothing but what that very thing has."""
    if isinstance(expr, ir.Attribute):
        one = program.kinds[expr.kind].has[expr.name]
        if not (isinstance(expr.of, ir.Local) and expr.of.name == "owner") or one.part is not None:
            return False
        return one.derived is None or own_alone(program, kind, one.derived.body)
    if isinstance(expr, ir.Apply) and looks_at_things(program, program.functions[expr.name].gives):
        return False
    if isinstance(expr, ir.Column) and _of_things(expr):
        return False
    return not isinstance(expr, ir.Lookup) and all(own_alone(program, kind, one) for one in inner(expr))


def looks_at_things(program: ir.Program, gives: ir.Formula | ir.FirstOf | ir.Expr) -> bool:
    """Whether something is worked out from what things have."""
    if isinstance(gives, ir.Formula):
        return looks_at_things(program, gives.body)
    if isinstance(gives, ir.FirstOf):
        return any(looks_at_things(program, one) for case in gives.cases for one in (case.condition, case.value) if one)
    if isinstance(gives, (ir.Attribute, ir.Lookup)) or (isinstance(gives, ir.Column) and _of_things(gives)):
        return True
    if isinstance(gives, ir.Apply) and looks_at_things(program, program.functions[gives.name].gives):
        return True
    return any(looks_at_things(program, one) for one in inner(gives))


def _of_things(of: ir.Column) -> bool:
    kind = t.present(of.of.type)
    return isinstance(kind, t.List) and isinstance(t.present(kind.of), t.Thing)

"""Compiles typed expressions to Python functions, which play runs.

A function takes a frame, the dictionary of names that a rule has bound so far. Some keys are no names of a ruleset:
`.die` and `.it` hold the element that a slot reads, `.meter` counts down what the run may still compute, and `.state`
is the state. A test holds every function to `interpreter.runtime.reference`, in value and in error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import lru_cache, partial
from operator import itemgetter
from types import CodeType
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.limits import limited_parameters
from interpreter.ir.state_reads import reads_of_function
from interpreter.runtime.constraints import constraints_check
from interpreter.runtime.expression_writer import ExpressionWriter
from interpreter.runtime.implied import MOST_IMPLIED, Implied
from interpreter.runtime.operations import ELEMENTS, column_of_things, spend
from interpreter.runtime.state import EMPTY, STATE
from interpreter.values import Thing, in_words

Frame = dict[str, Any]
Closure = Callable[[Frame], Any]

MOST_NESTED = 20
"""How deep an expression is nested in one function: Python's parser has a limit, and deeper parts are called."""


def new_frame(meter: list[int] | None = None, **names: Any) -> Frame:
    """A new frame. All frames of a run share its `meter`."""
    return {".meter": meter if meter is not None else [ELEMENTS], **names}


@dataclass(frozen=True)
class Closures:
    """The functions, tables and options of a program, compiled when first used."""

    program: ir.Program
    options: dict[str, Any]
    drawn: dict[int, str] = field(default_factory=dict)
    """The names under which a frame may hold the value of an expression, by its identity: see `interpreter.odds`."""
    _functions: dict[str, Callable[..., Any]] = field(default_factory=dict)
    _kept: dict[int, tuple[ir.Formula, Closure, int]] = field(default_factory=dict)
    _derived: dict[tuple[str, str], Callable[..., Any]] = field(default_factory=dict)

    _implied: Implied = field(default_factory=Implied)

    ready: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    """What was made from a node, by its identity, with the node, which is kept alive."""

    def of(self, formula: ir.Formula) -> Closure:
        """The function of a checked expression, made once, and again after frames may hold more drawn values."""
        kept = self._kept.get(id(formula))
        if kept is None or kept[2] != len(self.drawn):
            kept = self._kept[id(formula)] = formula, self.closure_of_expression(formula.body), len(self.drawn)
        return kept[1]

    def closure_of_expression(self, expression: ir.Expr) -> Closure:
        """The function of an expression that is not a formula."""
        if id(expression) not in self.drawn:  # Python takes longer to compile them
            if isinstance(expression, ir.Local):
                return itemgetter(expression.name)
            if isinstance(expression, ir.Constant):
                value = expression.value
                return lambda frame: value
        return _FrameWriter(self).function(expression)

    def function(self, name: str) -> Callable[..., Any]:
        """A function of the ruleset, of a frame with the state and of its arguments."""
        if name not in self._functions:
            function = self.program.functions[name]
            work = self._functions[name] = self.function_of(function.gives, [one.name for one in function.takes])
            self._implied.add(work, partial(reads_of_function, self.program, function.gives))
        return self._functions[name]

    def function_of(self, gives: ir.Formula | ir.FirstOf, names: Sequence[str] | None = None) -> Callable[..., Any]:
        """What a formula or the first case that holds gives, as a function of a frame.

        With `names` it takes values with these names besides, and reads nothing of the frame but the state.
        """

        def compile_formula(formula: ir.Formula) -> Callable[..., Any]:
            return _FrameWriter(self, names).function(formula.body)

        if isinstance(gives, ir.Formula):
            return compile_formula(gives)
        cases = [
            (compile_formula(case.condition) if case.condition else None, compile_formula(case.value))
            for case in gives.cases
        ]

        def first_of(frame: Frame, *values: Any) -> Any:
            for condition, value in cases:
                if condition is None or condition(frame, *values):
                    return value(frame, *values)
            return None

        return first_of

    def attribute(self, kind: str, name: str, span: Span = NOWHERE) -> Callable[[Thing | None, Frame], Any]:
        """A function that reads an attribute, from an object or None and a frame with the state; it fails at `span`."""
        one = self.program.kinds[kind].has[name]
        if one.part is not None:
            part = one.part
            return lambda thing, frame: None if thing is None else Thing(f"{thing.id}.{name}", part)
        if one.derived is None:
            return _stored_reader(name, one.names_thing and one.per is None, span)
        if (kind, name) not in self._derived:
            work = self._derived[kind, name] = self._derived_function(one.derived, one.per)
            self._implied.add(work, partial(reads_of_function, self.program, one.derived))
        work = self._derived[kind, name]

        of_states = self._implied.of_states

        def read_derived(thing: Thing | None, frame: Frame) -> Any:
            if thing is None:
                return None
            of_state = of_states.get(id(frame.get(STATE, EMPTY)))
            if of_state is not None and (known := of_state[1].get(work)) is not None:
                found = known.get(thing)
                if found is not None and frame[".meter"][0] > found[1]:  # most often; what follows does the same
                    frame[".meter"][0] -= 1 + found[1]
                    return found[0]
            try:
                spend(frame, 1)
                return self._compute_once(thing, work, frame, thing)
            except PlayError as error:
                with say.place_errors_at(span):
                    raise error from None

        return read_derived

    def _derived_function(self, derived: ir.Formula, per: t.Word | None) -> Callable[..., Any]:
        """What a derived attribute is, of a frame and its object; with `per`, its values by word."""
        if per is None:
            return self.function_of(derived, ["owner"])
        words, value = per.words, self.function_of(derived, ["owner", ir.WORD])
        return lambda frame, owner: {word: value(frame, owner, word) for word in words}

    def application(self, of: ir.Apply) -> Callable[..., Any]:
        """A call of a function of the ruleset, of a frame with the state and of the arguments."""
        name, span = of.name, of.span
        names = [one.name for one in self.program.functions[name].takes]
        checks = [(one.name, constraints_check(self, one)) for one in limited_parameters(self.program, name)]
        placed = say.Placed({}, span)

        def check_all(frame: Frame, values: tuple[Any, ...]) -> None:
            given = {".meter": frame[".meter"], STATE: frame.get(STATE, EMPTY), **dict(zip(names, values, strict=True))}
            for parameter, check in checks:
                with placed:
                    check(given[parameter], given)

        of_states, work = self._implied.of_states, self._functions.get(name)

        def apply(frame: Frame, *values: Any) -> Any:
            nonlocal work
            is_key = _KEYS.issuperset(map(type, values))
            of_state = of_states.get(id(frame.get(STATE, EMPTY))) if is_key and not checks else None
            if of_state is not None and work is not None and (known := of_state[1].get(work)) is not None:
                found = known.get(values)
                if found is not None and frame[".meter"][0] > found[1]:  # most often; what follows does the same
                    frame[".meter"][0] -= 1 + found[1]
                    return found[0]
            spend(frame, 1)
            if checks:
                check_all(frame, values)
            if work is None:
                work = self.function(name)
            try:
                if is_key:
                    return self._compute_once(values, work, frame, *values)
                return work(frame, *values)
            except PlayError as problem:
                raise say.with_place_of_call(problem, name, span) from None

        return apply

    def _compute_once(self, key: Any, work: Callable[..., Any], frame: Frame, *values: Any) -> Any:
        """What `work` computes of a state and of values, which the key names, computed once.

        It takes as many elements as if it were computed anew, so that limits do not depend on what was asked before.
        """
        of_state = self._implied.known(frame.get(STATE, EMPTY))
        if of_state is None:
            return work(frame, *values)
        known = of_state.get(work)
        if known is None:
            known = of_state.setdefault(work, {})
        found = known.get(key)
        meter = frame[".meter"]
        if found is not None:
            value, elements = found
            if elements:
                spend(frame, elements)
            return value
        before = meter[0]
        value = work(frame, *values)
        if len(known) >= MOST_IMPLIED:
            known.clear()
        known[key] = value, before - meter[0]
        return value

    def look_up(self, name: str, keys: Sequence[Any], given: Frame, span: Span = NOWHERE) -> Any:
        """The value in a table; beyond its rows, what the table defines for that."""
        spend(given, 1)
        inside = {".meter": given[".meter"], STATE: given.get(STATE, EMPTY)}
        table = self.program.tables[name]
        rows: tuple[ir.TableRow, ...] = table.rows
        for place, key in enumerate(keys):
            row = row_of(rows, key) or (nearest_row(rows, key) if table.off == "nearest" else None)
            if row is None:
                if isinstance(table.off, ir.Formula):
                    return self.of(table.off)({**inside, ".it": key})
                raise PlayError(say.off_the_rows(span, name, in_words(key)))
            if isinstance(row.value, ir.Formula):
                assert place == len(keys) - 1
                return self.of(row.value)(inside)
            rows = row.value
        raise AssertionError("the checker counts the keys of a look-up")


def row_of(rows: tuple[ir.TableRow, ...], key: Any) -> ir.TableRow | None:
    """The row of a key."""
    for row in rows:
        if row.key == key and row.key is not None:
            return row
        if row.key is None and not isinstance(key, str) and _row_holds(row, key):
            return row
    return None


def _row_holds(row: ir.TableRow, key: int) -> bool:
    return (row.low is None or row.low <= key) and (row.high is None or key <= row.high)


def nearest_row(rows: tuple[ir.TableRow, ...], key: int) -> ir.TableRow:
    """The row that a number is closest to; of two as close, the lower one."""

    def distance(row: ir.TableRow) -> tuple[int, int]:
        ends = [end for end in (row.low, row.high) if end is not None]
        return min(abs(end - key) for end in ends), min(ends)

    return min(rows, key=distance)


def make_when_used(make: Callable[[], Closure]) -> Closure:
    """A function that is made when it is first called, which may be never."""
    function: Closure | None = None

    def evaluate(frame: Frame) -> Any:
        nonlocal function
        if function is None:
            function = make()
        return function(frame)

    return evaluate


class _FrameWriter(ExpressionWriter):
    """Writes the functions that play calls: of a `frame`, and of values that are not in it, by their `names`."""

    def __init__(self, closures: Closures, names: Sequence[str] | None = None) -> None:
        super().__init__(closures.program, closures.options, closures.look_up)
        self.closures = closures
        self.drawn = closures.drawn if names is None else {}
        self.parameters = {name: f"p{place}" for place, name in enumerate(names or ())}
        self.names: dict[str, Any] = {}
        self._bound: dict[int, str] = {}
        self._depth = 0

    def function(self, of: ir.Expr) -> Callable[..., Any]:
        """The function that evaluates an expression."""
        given = ", ".join(("frame", *self.parameters.values(), *self.slots.values()))
        compiled: Callable[..., Any] = eval(_code(f"lambda {given}: {self.whole(of)}"), self.names)
        return compiled

    def text(self, of: ir.Expr) -> str:
        self._depth += 1
        text = super().text(of) if self._depth <= MOST_NESTED else self._call_separately(of)
        self._depth -= 1
        name = self.drawn.get(id(of))
        return text if name is None else f"(frame[{name!r}] if {name!r} in frame else {text})"

    def _call_separately(self, of: ir.Expr) -> str:
        """The call of a function of its own."""
        writer = _FrameWriter(self.closures)
        writer.drawn, writer.parameters, writer.slots = self.drawn, self.parameters, self.slots
        return self.call(writer.function(of), "frame", *self.parameters.values(), *self.slots.values())

    def bind(self, value: Any) -> str:
        name = self._bound.get(id(value))
        if name is None:
            name = self._bound[id(value)] = f"k{len(self._bound)}"
            self.names[name] = value
        return name

    def local(self, name: str) -> str:
        return self.parameters.get(name) or f"frame[{name!r}]"

    def slot(self, name: str) -> str:
        return self.slots.get(name) or f"frame[{name!r}]"

    def attribute(self, of: ir.Attribute) -> str:
        return self.call(self.closures.attribute(of.kind, of.name, of.span), self.text(of.of), "frame")

    def column_of_things(self, of: ir.Column, kind: str) -> str:
        read = self.closures.attribute(kind, of.name, of.span)
        return self.call(column_of_things, self.text(of.of), self.bind(read), "frame", repr(of.maps))

    def application(self, of: ir.Apply) -> str:
        return self.call(self.closures.application(of), "frame", *map(self.text, of.arguments))


@lru_cache(4096)
def _code(source: str) -> CodeType:
    """Expressions of one form have the same source."""
    return compile(source, "<expression>", "eval")


def _stored_reader(name: str, names_thing: bool, span: Span) -> Callable[[Thing | None, Frame], Any]:
    """A function that reads an attribute that the state holds; one that `names_thing` fails if it was destroyed."""

    def read_stored(thing: Thing | None, frame: Frame) -> Any:
        if thing is None:
            return None
        held = frame.get(STATE, EMPTY).things.get(thing.id)
        if held is None or held.kind != thing.kind:  # another may have been made under the name of a destroyed one
            raise PlayError(say.destroyed_thing(span, thing.id))
        value = held.values[name]
        if value is None and names_thing:
            raise PlayError(say.named_is_gone(span, f"{thing.id}.{name}", name))
        return value

    return read_stored


_KEYS = frozenset((int, str, bool, type(None), Thing))
"""Types of values that can be looked up."""

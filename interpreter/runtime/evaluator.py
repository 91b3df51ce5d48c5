"""Compiles typed expressions to Python closures, which play runs.

A closure takes a frame, the dictionary of names that a rule has bound so far. Some keys are no names of a ruleset:
`.die` and `.it` hold the element that a slot reads, `.meter` counts down what the run may still compute, and `.state`
is the state. A test holds every closure to `interpreter.runtime.reference`, in value and in error.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any, assert_never

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.limits import takes_with_limits
from interpreter.ir.traversal import is_bare_quotient, is_exact
from interpreter.ir.types import LARGEST as LARGEST
from interpreter.runtime.constraints import bounded
from interpreter.runtime.functions import DIVISOR_IS_0, FUNCTIONS, Problem, element_number, is_among, rounded, times
from interpreter.runtime.state import EMPTY, STATE, Gathered, State
from interpreter.values import MOST_HELD, Code, Die, Thing, Throw, Thrown, count_values, face_number, in_words, symbols

Frame = dict[str, Any]
Closure = Callable[[Frame], Any]

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
DIE_WORDS = ("face", "value", "size", "part", "tags")
MOST_STATES = 8
"""Of how many states is kept what follows from them."""

MOST_IMPLIED = 2_000
"""How much is kept of what follows from one state: that without things is the state of every run without a state."""

ELEMENTS = 100_000
"""How many elements the slots of one run may read."""


def frame(meter: list[int] | None = None, **names: Any) -> Frame:
    """A new frame. All frames of a run share its `meter`."""
    return {".meter": meter if meter is not None else [ELEMENTS], **names}


Implied = dict[tuple[Any, Any], tuple[Any, int]]
"""What follows from a state alone, such as derived attributes, with how many elements it takes to compute it."""


@dataclass(frozen=True)
class Closures:
    """The functions, tables and options of a program, compiled when first used."""

    program: ir.Program
    options: dict[str, Any]
    drawn: dict[int, str] = field(default_factory=dict)
    """The names under which a frame may hold the value of an expression, by its identity: see `interpreter.odds`."""
    _functions: dict[str, Closure] = field(default_factory=dict)
    _kept: dict[int, tuple[ir.Formula, Closure, int]] = field(default_factory=dict)
    _attributes: dict[tuple[str, str], Callable[[Thing, Frame], Any]] = field(default_factory=dict)

    _implied: dict[int, tuple[State, Implied]] = field(default_factory=dict)
    """The states that were looked at last, by identity, with what follows from each."""

    ready: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    """What was made from a node, by its identity, with the node, which is kept alive."""

    def of(self, formula: ir.Formula) -> Closure:
        """The closure of a checked expression, made once, and again after frames may hold more drawn values."""
        kept = self._kept.get(id(formula))
        if kept is None or kept[2] != len(self.drawn):
            kept = self._kept[id(formula)] = formula, _compiled(formula.body, self), len(self.drawn)
        return kept[1]

    def plainly(self, expression: ir.Expr) -> Closure:
        """The closure of an expression that is not a formula."""
        return _compiled(expression, self)

    def function(self, name: str) -> Closure:
        """The closure of a function, from a frame with its parameters."""
        if name not in self._functions:
            gives = self.program.functions[name].gives
            made = self.of(gives) if isinstance(gives, ir.Formula) else self.first_of(gives)
            self._functions[name] = made
        return self._functions[name]

    def attribute(self, kind: str, name: str) -> Callable[[Thing, Frame], Any]:
        """A function that reads an attribute, from an object and a frame with the state."""
        key = (kind, name)
        if key not in self._attributes:
            self._attributes[key] = _attribute(self, self.program.kinds[kind].has[name])
        return self._attributes[key]

    def implied(self, key: tuple[Any, Any], work: Closure, inside: Frame) -> Any:
        """What `work` computes of a state and of what the key names, computed once.

        Only what follows from the last states is kept, as rules look at one state after another. It takes as many
        elements as if it were computed anew, so that limits do not depend on what was asked before.
        """
        state: State = inside[STATE]
        of_state = self._implied.get(id(state))
        if of_state is None:
            if isinstance(state.things, Gathered):  # it still changes
                return work(inside)
            if len(self._implied) >= MOST_STATES:
                self._implied.clear()
            of_state = self._implied[id(state)] = state, {}
        known = of_state[1]
        found = known.get(key)
        if found is not None:
            spend(inside, found[1])
            return found[0]
        before = inside[".meter"][0]
        value = work(inside)
        if len(known) >= MOST_IMPLIED:
            known.clear()
        known[key] = value, before - inside[".meter"][0]
        return value

    def first_of(self, of: ir.FirstOf) -> Closure:
        cases = [(self.of(case.condition) if case.condition else None, self.of(case.value)) for case in of.cases]

        def first(frame: Frame) -> Any:
            for condition, value in cases:
                if condition is None or condition(frame):
                    return value(frame)
            return None

        return first

    @cached_property
    def _nothing(self) -> Frame:
        return frame()

    def look_up(self, name: str, keys: list[Any], given: Frame, span: Span = NOWHERE) -> Any:
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
        if row.key is None and not isinstance(key, str) and _within(row, key):
            return row
    return None


def _within(row: ir.TableRow, key: int) -> bool:
    return (row.low is None or row.low <= key) and (row.high is None or key <= row.high)


def nearest_row(rows: tuple[ir.TableRow, ...], key: int) -> ir.TableRow:
    """The row that a number is closest to; of two as close, the lower one."""

    def distance(row: ir.TableRow) -> tuple[int, int]:
        ends = [end for end in (row.low, row.high) if end is not None]
        return min(abs(end - key) for end in ends), min(ends)

    return min(rows, key=distance)


def _compiled(expression: ir.Expr, of: Closures) -> Closure:
    name = of.drawn.get(id(expression)) if of.drawn else None
    if name is None:
        return _closure_of(expression, of)
    closure = when_used(lambda: _closure_of(expression, of))
    return lambda frame: frame[name] if name in frame else closure(frame)


def when_used(make: Callable[[], Closure]) -> Closure:
    """A closure that is made when it is first used, which may be never."""
    made: Closure | None = None

    def closure(frame: Frame) -> Any:
        nonlocal made
        if made is None:
            made = make()
        return made(frame)

    return closure


def _closure_of(expression: ir.Expr, of: Closures) -> Closure:
    match expression:  # the most frequent first
        case ir.Local(name):
            return operator.itemgetter(name)
        case ir.Constant(value):
            return lambda frame: value
        case ir.Relation():
            return _comparison(expression, of)
        case ir.Builtin(name, arguments, _, span):
            return _builtin(name, [_compiled(argument, of) for argument in arguments], span)
        case ir.Arithmetic():
            return _arithmetic(expression, of)
        case ir.DieField(name):
            return lambda frame: field_of(frame[".die"], name)
        case ir.Filtered(inner, condition, kind):
            return _filtered(_compiled(inner, of), _compiled(condition, of), isinstance(kind, t.List))
        case ir.Field(inner, name, kind, span):
            read = _field(_compiled(inner, of), name, t.present(inner.type))
            return _not_gone(read, span) if may_name_gone(of.program, expression) else read
        case ir.Column(inner, name, maps=maps):
            element = _element_of(inner.type)
            if isinstance(element, t.Object):
                return _column_of_things(_compiled(inner, of), of.attribute(element.kind, name), maps, expression.span)
            return _column(_compiled(inner, of), name, maps)
        case ir.Conditional(condition, then, otherwise):
            test, yes, no = _compiled(condition, of), _compiled(then, of), _compiled(otherwise, of)
            return lambda frame: yes(frame) if test(frame) else no(frame)
        case ir.PoolLiteral(number, die, _, span):
            count, one = _compiled(number, of), _compiled(die, of)
            return _guarded("dice", lambda frame: times(one(frame), count(frame)), span)
        case ir.And(left, right):
            a, b = _compiled(left, of), _compiled(right, of)
            return lambda frame: a(frame) and b(frame)
        case ir.Or(left, right):
            a, b = _compiled(left, of), _compiled(right, of)
            return lambda frame: a(frame) or b(frame)
        case ir.Not(inner):
            truth = _compiled(inner, of)
            return lambda frame: not truth(frame)
        case ir.Apply(name, arguments, span=span):
            return _apply(name, [_compiled(argument, of) for argument in arguments], of, span)
        case ir.Converted(inner, to):
            value = _compiled(inner, of)
            if to == "values":
                return lambda frame: None if (entries := value(frame)) is None else values_of(entries)
            into = as_number if to.endswith("number") else as_dice
            if to.startswith("each "):
                return lambda frame: None if (many := value(frame)) is None else tuple([into(one) for one in many])
            return lambda frame: into(value(frame))
        case ir.Option(name):
            chosen = of.options[name]
            return lambda frame: chosen
        case ir.Attribute(inner, kind, name):
            return _of_thing(_compiled(inner, of), of.attribute(kind, name), expression.span)
        case ir.MapEntry(inner, key, _, span, sure):
            return _entry(_compiled(inner, of), _compiled(key, of), span if sure else None)
        case ir.Element():
            return operator.itemgetter(".it")
        case ir.RollPart(inner, name):
            whole = _compiled(inner, of)
            if isinstance(inner.type, t.Maybe):
                return lambda frame: part_of(whole(frame), name)
            return lambda frame: tuple([die for die in whole(frame) if die.part == name])
        case ir.Negative(inner):
            amount = _compiled(inner, of)
            return lambda frame: -amount(frame)
        case ir.Quotient(left, right, rounding, span=span):
            return _quotient(_compiled(left, of), _compiled(right, of), rounding, span)
        case ir.Membership(item, xs):
            one, many = _compiled(item, of), _compiled(xs, of)
            return lambda frame: is_among(one(frame), many(frame))
        case ir.Otherwise(inner, instead):
            value, other = _compiled(inner, of), _compiled(instead, of)

            def first_there(frame: Frame) -> Any:
                found = value(frame)
                return other(frame) if found is None else found

            return first_there
        case ir.ListLiteral(items, span=span):
            parts = [_compiled(item, of) for item in items]
            if isinstance(_element_of(expression.type), (t.List, t.Record, t.Map, t.Dice, t.Roll)):
                return lambda frame: within_limit(tuple([part(frame) for part in parts]), span)
            return lambda frame: tuple([part(frame) for part in parts])
        case ir.Tagged(dice, tags):
            pool = _compiled(dice, of)
            return lambda frame: tagged(pool(frame), tags)
        case ir.Joined(left, right, span=span):
            a, b = _compiled(left, of), _compiled(right, of)
            return lambda frame: joined(a(frame), b(frame), span)
        case ir.Sorted(inner, key, kind):
            return _sorted(_compiled(inner, of), _compiled(key, of), isinstance(kind, t.List))
        case ir.Lookup(name, keys, _, span):
            wanted = [_compiled(key, of) for key in keys]
            return lambda frame: of.look_up(name, [key(frame) for key in wanted], frame, span)
        case ir.RecordLiteral(fields, span=span):
            made = [(name, _compiled(one, of)) for name, one in fields]
            return lambda frame: within_limit({name: one(frame) for name, one in made}, span)
        case _:
            assert_never(expression)


# Values ----------------------------------------------------------------------------------------------------------


def as_number(value: Any) -> int:
    """The value of a thrown die or a roll of one die; any other value as it is."""
    if type(value) is Thrown:
        return value.value
    return element_number(value[0]) if type(value) is tuple else value


def as_dice(value: Any) -> Any:
    """A die as a pool of one, a thrown die as a roll of one; any other value as it is."""
    return (value,) if type(value) in (Die, Thrown) else value


def field_of(value: Any, name: str) -> Any:
    """A field of a record, a die, a thrown die, a throw or a code; None if the value is missing."""
    if type(value) is dict:
        return value.get(name)
    if value is None:
        return None
    if type(value) is Thrown:
        return _of_thrown(value, name)
    if type(value) is Throw and name not in ("face", "nth", "counts"):
        return value.names.get(name)
    if type(value) is Throw and name == "face":
        return face_number(value.face)
    return value.get(name) if isinstance(value, dict) else getattr(value, name)


def _of_thrown(die: Thrown, name: str) -> Any:
    if name == "value":
        return die.value
    if name == "face":
        return face_number(die.throws[0].face)
    if name in ("size", "tags"):
        return getattr(die.die, name)
    if name in ("part", "throws"):
        return getattr(die, name)
    if name in die.throws[-1].names:
        return die.throws[-1].names[name]
    return sum(symbols(throw.face)[name] for throw in die.throws)


def column_of(values: Any, name: str, maps: bool = False) -> tuple[Any, ...] | None:
    """A field of every element, concatenated."""
    if values is None:
        return None
    found: list[Any] = []
    for value in values:
        if type(value) is Thrown and name in value.throws[0].names:
            found += [throw.names[name] for throw in value.throws]
        else:
            found.append(field_of(value, name))
    return concatenated(found, maps)


def entry_of(entries: Any, key: Any) -> Any:
    """The value of a map at a key; None if there is none."""
    return None if entries is None or key is None else entries.get(key)


def sure_entry_of(entries: Any, key: Any, span: Span) -> Any:
    """The value of a map at a key, which is not missing. Raises PlayError if it is, as a destroyed object is."""
    value = entries.get(key)
    if value is None:
        raise PlayError(say.nothing_for(span, in_words(key)))
    return value


def part_of(roll: Any, name: str) -> Any:
    """The dice of one part of a roll, which may be missing."""
    return None if roll is None else tuple([die for die in roll if die.part == name])


def values_of(entries: Any) -> tuple[Any, ...]:
    """The values of a map that are not missing, as a list. Odds may keep just these, where nothing reads a key."""
    return entries if type(entries) is tuple else tuple([value for value in entries.values() if value is not None])


def concatenated(values: Any, maps: bool = False) -> tuple[Any, ...]:
    """The values of a column as one list: lists, pools, rolls and the values of maps are concatenated.

    `maps` says that mappings are maps, not records. Missing values are left out.
    """
    found: list[Any] = []
    for value in values:
        if type(value) is tuple:
            found += value
        elif maps and value is not None:
            found += values_of(value)
        elif isinstance(value, tuple) and type(value) not in _SINGLE:  # throws of which not all may be known
            found.extend(value)
        elif value is not None:
            found.append(value)
    return tuple(found)


_SINGLE = frozenset((Die, Code, Thing, Throw, Thrown))
"""Types that are tuples in Python and single values in a ruleset."""


def tagged(dice: Any, tags: tuple[str, ...]) -> Any:
    """The dice with tags added."""
    if type(dice) is Die:
        return dice._replace(tags=tuple(sorted({*dice.tags, *tags})))
    return tuple(die._replace(tags=tuple(sorted({*die.tags, *tags}))) for die in dice)


def within_limit(value: Any, span: Span) -> Any:
    """A list or record. Raises PlayError if it holds more values than the limit."""
    if count_values(value) > MOST_HELD:
        raise PlayError(say.holds_too_much(span, MOST_HELD))
    return value


def joined(left: tuple[Any, ...], right: tuple[Any, ...], span: Span) -> tuple[Any, ...]:
    """Concatenated dice or lists. Raises PlayError if they are too many."""
    if len(left) + len(right) > MOST_HELD:
        raise PlayError(say.holds_too_much(span, MOST_HELD))
    return left + right


def in_range(number: Any, span: Span) -> Any:
    """A number. Raises PlayError if it exceeds 64 bits."""
    if -LARGEST <= number <= LARGEST:
        return number
    raise PlayError(say.number_out_of_range(span))


def spend(frame: Frame, elements: int) -> None:
    """Take a number of elements from what the run may still compute. Raises PlayError if it is spent."""
    meter = frame[".meter"]
    meter[0] -= elements
    if meter[0] < 0:
        raise PlayError(say.budget_spent(NOWHERE, "elements processed", ELEMENTS))


# Kinds of closures -----------------------------------------------------------------------------------------------


def _field(inner: Closure, name: str, kind: t.Type) -> Closure:
    if isinstance(kind, t.Record) and kind.name != "throw":

        def of_record(frame: Frame) -> Any:
            record = inner(frame)
            return None if record is None else record.get(name)

        return of_record
    return lambda frame: field_of(inner(frame), name)


def _column(inner: Closure, name: str, maps: bool) -> Closure:
    return lambda frame: column_of(inner(frame), name, maps)


def _column_of_things(inner: Closure, read: Callable[[Thing, Frame], Any], maps: bool, span: Span) -> Closure:
    def column(frame: Frame) -> tuple[Any, ...] | None:
        things = inner(frame)
        if things is None:
            return None
        try:
            return concatenated([read(one, frame) for one in things], maps)
        except PlayError as error:
            with say.at(span):
                raise error from None

    return column


def _element_of(kind: t.Type) -> t.Type:
    kind = t.present(kind)
    return t.present(kind.of) if isinstance(kind, t.List) else kind


def _of_thing(inner: Closure, read: Callable[[Thing, Frame], Any], span: Span) -> Closure:
    def of_thing(frame: Frame) -> Any:
        thing = inner(frame)
        if thing is None:
            return None
        try:
            return read(thing, frame)
        except PlayError as error:
            with say.at(span):
                raise error from None

    return of_thing


def may_name_gone(program: ir.Program, field: ir.Field) -> bool:
    """Whether a field of a record names an object that may have been destroyed since."""
    record = t.present(field.of.type)
    return isinstance(field.type, t.Object) and isinstance(record, t.Record) and record.name in program.types


def _not_gone(read: Closure, span: Span) -> Closure:
    def there(frame: Frame) -> Any:
        value = read(frame)
        if value is None:
            raise PlayError(say.named_is_gone(span, span.text))
        return value

    return there


def _entry(inner: Closure, key: Closure, sure: Span | None) -> Closure:
    if sure is None:
        return lambda frame: entry_of(inner(frame), key(frame))
    return lambda frame: sure_entry_of(inner(frame), key(frame), sure)


def _attribute(of: Closures, one: ir.HeldAttribute) -> Callable[[Thing, Frame], Any]:
    name = one.name
    if one.part is not None:
        kind = one.part
        return lambda thing, frame: Thing(f"{thing.id}.{name}", kind)
    if one.derived is None:

        def stored(thing: Thing, frame: Frame) -> Any:
            held = frame.get(STATE, EMPTY).things.get(thing.id)
            if held is None or held.kind != thing.kind:  # another may have been made under the name of a destroyed one
                raise PlayError(say.destroyed_thing(NOWHERE, thing.id))
            return held.values[name]

        def naming(thing: Thing, frame: Frame) -> Any:
            value = stored(thing, frame)
            if value is None:
                raise PlayError(say.named_is_gone(NOWHERE, f"{thing.id}.{name}", name))
            return value

        return naming if one.names_thing and one.per is None else stored
    work = of.of(one.derived)

    def derived(thing: Thing, frame: Frame) -> Any:
        spend(frame, 1)
        inside: Frame = {".meter": frame[".meter"], STATE: frame.get(STATE, EMPTY), "owner": thing}
        return of.implied((thing, name), work, inside)

    return derived


def _arithmetic(of: ir.Arithmetic, among: Closures) -> Closure:
    a, b, span = _compiled(of.left, among), _compiled(of.right, among), of.span
    if isinstance(of.type, t.DiceCode):
        sign = 1 if of.sign == "+" else -1
        return lambda frame: plus_pips(a(frame), sign * b(frame))
    if of.sign == "+":
        return lambda frame: a(frame) + b(frame)
    if of.sign == "-":
        return lambda frame: a(frame) - b(frame)
    return lambda frame: in_range(a(frame) * b(frame), span)


def plus_pips(code: Code, pips: int) -> Code:
    return code._replace(pips=code.pips + pips)


def _quotient(a: Closure, b: Closure, rounding: str, span: Span) -> Closure:
    return _guarded("/", lambda frame: rounded(a(frame), b(frame), rounding), span)


def _guarded(name: str, work: Closure, span: Span) -> Closure:
    """A closure that reports each Problem as a diagnostic at `span`."""

    def guarded(frame: Frame) -> Any:
        try:
            return work(frame)
        except Problem as problem:
            raise PlayError(say.cannot_compute(span, name, str(problem))) from None

    return guarded


def _comparison(of: ir.Relation, among: Closures) -> Closure:
    compare = SIGNS[of.sign]
    if is_exact(of):
        return _exactly(of, among)
    a, b = _compiled(of.left, among), _compiled(of.right, among)
    if of.ranks is not None:
        ranks = {word: rank for rank, word in enumerate(of.ranks)}
        return lambda frame: compare(ranks[a(frame)], ranks[b(frame)])
    if isinstance(of.right, ir.Constant):
        edge = of.right.value
        return lambda frame: compare(a(frame), edge)
    return lambda frame: compare(a(frame), b(frame))


def _exactly(of: ir.Relation, among: Closures) -> Closure:
    """A comparison with a quotient as an operand, computed with fractions, so that rounding does not decide it."""
    left, right, compare = _fraction(of.left, among), _fraction(of.right, among), SIGNS[of.sign]

    def exactly(frame: Frame) -> bool:
        (a, b), (c, d) = left(frame), right(frame)
        return compare(a * d, c * b)

    return exactly


def _fraction(of: ir.Expr, among: Closures) -> Callable[[Frame], tuple[int, int]]:
    if not is_bare_quotient(of):
        whole = _compiled(of, among)
        return lambda frame: (whole(frame), 1)
    above, below, span = _compiled(of.left, among), _compiled(of.right, among), of.span
    return lambda frame: fraction(above(frame), below(frame), span)


def fraction(above: int, below: int, span: Span) -> tuple[int, int]:
    """A quotient as numerator and positive denominator."""
    if below == 0:
        raise PlayError(say.cannot_compute(span, "/", DIVISOR_IS_0))
    return (above, below) if below > 0 else (-above, -below)


def _filtered(inner: Closure, condition: Closure, of_list: bool) -> Closure:
    key = ".it" if of_list else ".die"

    def filtered(frame: Frame) -> tuple[Any, ...]:
        elements = inner(frame)
        spend(frame, len(elements))
        outer = frame.get(key)
        kept = []
        for element in elements:
            frame[key] = element
            if condition(frame):
                kept.append(element)
        frame[key] = outer
        return tuple(kept)

    return filtered


def _sorted(inner: Closure, key: Closure, of_list: bool) -> Closure:
    slot = ".it" if of_list else ".die"

    def ordered(frame: Frame) -> tuple[Any, ...]:
        elements = inner(frame)
        spend(frame, len(elements))
        outer = frame.get(slot)
        keyed = []
        for element in elements:
            frame[slot] = element
            keyed.append(key(frame))
        frame[slot] = outer
        return tuple(elements[i] for i in sorted(range(len(keyed)), key=keyed.__getitem__))

    return ordered


def _builtin(name: str, arguments: list[Closure], span: Span) -> Closure:
    if name == "given":
        return lambda frame: arguments[0](frame) is not None
    run = FUNCTIONS[name].run
    if len(arguments) == 1:
        only = arguments[0]
        return _guarded(name, lambda frame: run(only(frame)), span)
    return _guarded(name, lambda frame: run(*[argument(frame) for argument in arguments]), span)


def _apply(name: str, arguments: list[Closure], of: Closures, span: Span) -> Closure:
    takes = of.program.functions[name].takes
    names = [one.name for one in takes]
    placed = say.Placed({}, span)
    checks = [(one.name, bounded(of, one)) for one in takes_with_limits(of.program, name)]

    def apply(frame: Frame) -> Any:
        spend(frame, 1)
        inside: Frame = {".meter": frame[".meter"], STATE: frame.get(STATE, EMPTY)}
        for parameter, argument in zip(names, arguments, strict=True):
            inside[parameter] = argument(frame)
        for parameter, check in checks:
            with placed:
                check(inside[parameter], inside)
        work = of.function(name)
        given = tuple(inside.values())[2:]
        try:
            return of.implied((name, given), work, inside) if _KEYS.issuperset(map(type, given)) else work(inside)
        except PlayError as problem:
            raise say.in_call(problem, name, span) from None

    return apply


_KEYS = frozenset((int, str, bool, type(None), Thing))
"""Types of values that can be looked up."""

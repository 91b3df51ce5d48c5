"""What the nodes of an expression do with their values: plain values in and out, and a place where one may fail."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.ir.types import LARGEST
from interpreter.runtime.functions import (
    COMPARED,
    COPIED,
    DIVISOR_IS_0,
    Problem,
    charge,
    element_number,
    repeat_elements,
    round_quotient,
)
from interpreter.values import MOST_HELD, Code, Die, Thing, Throw, Thrown, count_values, face_number, in_words, symbols
from interpreter.work_count import SHORT
from interpreter.work_count import spend as spend_work

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ELEMENTS = 100_000
"""How many elements the slots of one run may read."""


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
        return _field_of_thrown(value, name)
    if type(value) is Throw and name not in ("face", "nth", "counts"):
        return value.names.get(name)
    if type(value) is Throw and name == "face":
        return face_number(value.face)
    return value.get(name) if isinstance(value, dict) else getattr(value, name)


def _field_of_thrown(die: Thrown, name: str) -> Any:
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
    column: list[Any] = []
    for value in values:
        if type(value) is Thrown and name in value.throws[0].names:
            column += [throw.names[name] for throw in value.throws]
        else:
            column.append(field_of(value, name))
    return concatenate(column, maps)


def column_of_things(
    things: Any, read: Callable[[Thing, dict[str, Any]], Any], frame: dict[str, Any], maps: bool
) -> tuple[Any, ...] | None:
    """An attribute of every object of a list, which may be missing, concatenated."""
    return None if things is None else concatenate([read(thing, frame) for thing in things], maps)


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


def values_of(entries: Any) -> Any:
    """The values of a map that are not missing, as a list; None for no map.

    Odds may keep just these values, where nothing reads a key.
    """
    if entries is None or type(entries) is tuple:
        return entries
    return tuple([value for value in entries.values() if value is not None])


def concatenate(values: Any, maps: bool = False) -> tuple[Any, ...]:
    """The values of a column as one list: lists, pools, rolls and the values of maps are concatenated.

    `maps` says that mappings are maps, not records. Missing values are left out.
    """
    found: list[Any] = []
    for value in charge(values):
        if type(value) is tuple:
            found += value
            if len(found) > MOST_HELD:
                raise PlayError(say.holds_too_much(NOWHERE, MOST_HELD))
        elif maps and value is not None:
            found += values_of(value)
        elif isinstance(value, tuple) and type(value) not in _SINGLE:  # throws of which not all may be known
            found.extend(value)
        elif value is not None:
            found.append(value)
    return tuple(found)


_SINGLE = frozenset((Die, Code, Thing, Throw, Thrown))
"""Types that are tuples in Python and single values in a ruleset."""


def add_tags(dice: Any, tags: tuple[str, ...]) -> Any:
    """The dice with tags added."""
    if type(dice) is Die:
        return dice._replace(tags=tuple(sorted({*dice.tags, *tags})))
    return tuple(die._replace(tags=tuple(sorted({*die.tags, *tags}))) for die in dice)


def check_held(value: Any, span: Span) -> Any:
    """A list or record. Raises PlayError if it holds more values than the limit."""
    held = count_values(value)
    if held > SHORT:
        spend_work(held // COMPARED)
    if held > MOST_HELD:
        raise PlayError(say.holds_too_much(span, MOST_HELD))
    return value


def join(left: tuple[Any, ...], right: tuple[Any, ...], span: Span) -> tuple[Any, ...]:
    """Concatenated dice or lists. Raises PlayError if they are too many."""
    if len(left) + len(right) > SHORT:
        spend_work((len(left) + len(right)) // COPIED)
    if len(left) + len(right) > MOST_HELD:
        raise PlayError(say.holds_too_much(span, MOST_HELD))
    return left + right


def check_range(number: Any, span: Span) -> Any:
    """A number. Raises PlayError if it exceeds 64 bits."""
    if -LARGEST <= number <= LARGEST:
        return number
    raise PlayError(say.number_out_of_range(span))


def spend(frame: dict[str, Any], elements: int) -> None:
    """Take a number of elements from what the run may still compute. Raises PlayError if it is spent."""
    meter = frame[".meter"]
    meter[0] -= elements
    if meter[0] < 0:
        raise PlayError(_budget_spent_error())


def charge_elements(frame: dict[str, Any], elements: Any) -> Any:
    """Elements that a slot goes through, taken from what the run may still compute."""
    meter, many = frame[".meter"], len(elements)
    meter[0] -= many
    if meter[0] < 0:
        raise PlayError(_budget_spent_error())
    return elements


def charge_compared(value: Any) -> Any:
    """A value that is compared with others: the work is counted where it holds many."""
    held = count_values(value)
    if held > SHORT:
        spend_work(held // COMPARED)
    return value


def _budget_spent_error() -> say.Diagnostic:
    return say.budget_spent(NOWHERE, "elements processed", ELEMENTS)


def check_still_exists(thing: Any, span: Span) -> Any:
    """The object that a field of a record names. Raises PlayError if it was destroyed."""
    if thing is None:
        raise PlayError(say.named_is_gone(span, span.text))
    return thing


def first_present(value: Any, instead: Any) -> Any:
    """The value, or another if it is missing."""
    return instead if value is None else value


def value_or_else(value: Any, instead: Callable[[], Any]) -> Any:
    """The value, or what a function gives if it is missing."""
    return instead() if value is None else value


def is_present(value: Any) -> bool:
    """Whether a value is not missing."""
    return value is not None


def convert_each(values: Any, into: Callable[[Any], Any]) -> tuple[Any, ...] | None:
    """Every element of a list, which may be missing, converted."""
    return None if values is None else tuple([into(value) for value in values])


def add_pips(code: Code, pips: int) -> Code:
    """A code with more pips."""
    return code._replace(pips=code.pips + pips)


def dice_of(die: Any, number: int, span: Span) -> tuple[Any, ...]:
    """So many dice. Raises PlayError if they are too many, or fewer than none."""
    try:
        return repeat_elements(die, number)
    except Problem as problem:
        raise PlayError(say.cannot_compute(span, "dice", str(problem))) from None


def quotient(above: int, below: int, rounding: str, span: Span) -> int:
    """A rounded quotient. Raises PlayError if the divisor is 0."""
    try:
        return round_quotient(above, below, rounding)
    except Problem as problem:
        raise PlayError(say.cannot_compute(span, "/", str(problem))) from None


def fraction(above: int, below: int, span: Span) -> tuple[int, int]:
    """A quotient as numerator and positive denominator. Raises PlayError if the divisor is 0."""
    if below == 0:
        raise PlayError(say.cannot_compute(span, "/", DIVISOR_IS_0))
    return (above, below) if below > 0 else (-above, -below)


def compare_fractions(sign: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """A comparison of exact quotients, so that rounding does not decide it."""
    (above, below), (over, under) = left, right
    return SIGNS[sign](above * under, over * below)


def call_builtin(run: Callable[..., Any], name: str, span: Span, *arguments: Any) -> Any:
    """The value of a function of the language. Raises PlayError for values that it cannot process."""
    try:
        return run(*arguments)
    except Problem as problem:
        raise PlayError(say.cannot_compute(span, name, str(problem))) from None

"""Check tables. The keys of rows are numbers, ranges that may be open, or words; a second key is a nested row."""

from __future__ import annotations

import re
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.declared_names import check_name
from interpreter.checker.expressions import formula_or_text
from interpreter.checker.scope import Scope
from interpreter.checker.vocabulary import places_of, type_named
from interpreter.checker.world import World, text_at
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, value_at

_N = r"-?\d{1,18}"
_RANGE = re.compile(rf"(?P<one>{_N})$|(?P<low>{_N}) to (?P<high>{_N})$|(?P<end>{_N}) or (?P<way>less|more)$", re.ASCII)

_PROSE = re.compile(r"[^\W\d_][\w'’]*(?: [\w'’,]+)*(?: [\w'’]+[.!?])|[^\W\d_][\w'’]*[.!?]")
"""The form of a sentence, which is not an expression."""


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers of `7`, `7 to 9`, `6 or less` or `10 or more`; None is an open end."""

    low: int | None
    high: int | None
    text: str
    span: Span


def range_of(key: Scalar) -> Range | None:
    """The range that a key means; None if it is neither a number nor a range."""
    match = _RANGE.match(" ".join(key.text.split()))
    if match is None:
        return None
    if match["one"]:
        number = int(match["one"])
        return Range(number, number, key.text, key.span)
    if match["end"]:
        end = int(match["end"])
        return Range(
            end if match["way"] == "more" else None, end if match["way"] == "less" else None, key.text, key.span
        )
    return Range(int(match["low"]), int(match["high"]), key.text, key.span)


def check_ranges(world: World, ranges: list[Range], complete: bool, of_table: bool = True) -> None:
    """Report empty ranges, overlaps, and, if the ranges must be `complete`, gaps."""
    sound: list[Range] = []
    for one in ranges:
        if one.low is not None and one.high is not None and one.low > one.high:
            world.problems.add(say.empty_range(one.span, one.text))
        else:
            sound.append(one)
    infinite = 1 << 62
    ordered = sorted(sound, key=lambda r: -infinite if r.low is None else r.low)
    top: int | None = None
    last: Range | None = None
    for number, one in enumerate(ordered):
        low = -infinite if one.low is None else one.low
        if number:
            before = ordered[number - 1]
            assert top is not None
            if low <= top:
                later, earlier = (one, before) if one.span.start > before.span.start else (before, one)
                world.problems.add(say.overlapping_ranges(later.span, later.text, earlier.span, earlier.text))
            elif complete and low > top + 1:
                world.problems.add(say.gap_in_ranges(one.span, top + 1, low - 1, of_table))
        elif complete and one.low is not None:
            world.problems.add(say.gap_below(one.span, one.low - 1, of_table))
        high = infinite if one.high is None else one.high
        if top is None or high > top:
            top, last = high, one
    if complete and last is not None and top is not None and top < infinite:
        world.problems.add(say.gap_in_ranges(last.span, top + 1, None, of_table))


def words_of(entry: Entry) -> t.Word | None:
    """The closed list of the words that are the keys of a table; None if its keys are not words."""
    rows = value_at(entry.value, "rows")
    if not isinstance(rows, Mapping) or any(range_of(row.key) or say.range_meant(row.key.text) for row in rows.entries):
        return None
    places = places_of(rows)
    return t.Word(entry.key.text, tuple(word for word, _ in places), where=places)


def check_table(world: World, entry: Entry) -> ir.Table | None:
    """`tables.NAME`; the rows must not overlap and must have the type of the table."""
    node, name = entry.value, entry.key.text
    assert isinstance(node, Mapping)
    check_name(world, entry.key, functions_too=True)
    path = f"tables.{name}"
    declared = node.get("type")
    expected = type_named(world, declared) if isinstance(declared, Scalar) else None
    off_node = node.get("off_the_rows")
    complete = off_node is None
    made = _rows(world, node.get("rows"), f"{path}.rows", expected, complete, name)
    if made is None:
        return None
    rows, keys, kind = made
    off: str | ir.Formula = "refuse_at_load" if complete and any(isinstance(one, t.Word) for one in keys) else "refuse"
    refs: frozenset[str] = frozenset().union(*_refs_of_rows(rows))
    if isinstance(off_node, Scalar) and off_node.text in ("refuse", "nearest"):
        off = off_node.text
        if off == "nearest" and not isinstance(keys[0], t.Number):
            world.problems.add(say.wrong_type(off_node.span, "for tables of numbers", "a table of words"))
    elif off_node is not None:
        off = formula_or_text(world, off_node, Scope(element=keys[0]), kind)
        refs |= off.refs
        kind = t.union(kind, off.type) or kind
    return ir.Table(name, keys, rows, off, kind, path, refs, text_at(node, "about"))


def _rows(
    world: World, node: Node | None, path: str, expected: t.Type | None, complete: bool, name: str
) -> tuple[tuple[ir.TableRow, ...], tuple[t.Type, ...], t.Type] | None:
    if not isinstance(node, Mapping):
        return None
    ranges = _ranges(world, [entry.key for entry in node.entries])
    numbers = [one for one in ranges.values() if one is not None]
    if numbers and len(numbers) != len(ranges):
        odd_one = next(e for e in node.entries if ranges[e.key.text] is None)
        world.problems.add(_error_of_odd_row(odd_one))
        return None
    if numbers:
        check_ranges(world, numbers, complete)
    else:
        for entry in node.entries:
            if entry.key.text in ("otherwise", "else"):
                world.problems.add(_error_of_odd_row(entry))
                return None
            check_name(world, entry.key)
    rows: list[ir.TableRow] = []
    inner: tuple[t.Type, ...] | None = None
    kind = expected
    for entry in node.entries:
        place = f"{path}.{entry.key.text}"
        one = ranges[entry.key.text]
        low, high = (one.low, one.high) if one else (None, None)
        exact = one is not None and one.low is not None and one.low == one.high
        key = low if exact else None if one else entry.key.text
        value = entry.value
        if isinstance(value, Mapping) and "is" not in value:
            nested = _rows(world, value, place, kind, complete, name)
            if nested is None:
                return None
            if inner is not None and len(inner) != len(nested[1]):
                world.problems.add(say.uneven_rows(entry.key.span, name, len(nested[1]), len(inner)))
                return None
            below, inner = nested[0], _common_keys(inner or (), nested[1])
            kind = nested[2] if kind is None else kind
            rows.append(ir.TableRow(key, low, high, below, place, entry.key.span))
            continue
        if inner:
            world.problems.add(say.uneven_rows(entry.key.span, name, 0, len(inner)))
            return None
        inner = ()
        plain = value.get("is") if isinstance(value, Mapping) else value
        assert plain is not None
        if kind is None and isinstance(plain, Scalar) and _PROSE.fullmatch(plain.text):
            world.problems.add(say.prose_row(plain.span))
            kind = t.Text()
        made = _row_value(world, plain, name, kind)
        if kind is None:
            kind = made.type if not isinstance(made.type, t.Number) else t.NUMBER
        rows.append(ir.TableRow(key, low, high, made, place, entry.key.span))
    if isinstance(kind, t.Number):
        kind = _number_type(rows)
    own: t.Type = t.NUMBER if numbers else t.Word(name, tuple(ranges), where=places_of(node))
    return tuple(rows), (own, *(inner or ())), kind or t.ANYTHING


def _ranges(world: World, keys: list[Scalar]) -> dict[str, Range | None]:
    """The ranges that the keys of rows mean, None of words; those in the notation of others are reported together."""
    ranges = {key.text: range_of(key) for key in keys}
    others = {
        key: likely_range
        for key in keys
        if ranges[key.text] is None and (likely_range := say.range_meant(key.text)) is not None
    }
    if others:
        world.problems.add(say.ranges_of_others([(key.span, key.text, meant) for key, meant in others.items()]))
    read = {key.text: range_of(Scalar(meant.text, key.span)) for key, meant in others.items()}
    return ranges | read


def _error_of_odd_row(row: Entry) -> Diagnostic:
    """The slip of a row among rows of numbers whose key is none."""
    if row.key.text.lower() in say.ALL_THE_REST:
        value = row.value.text if isinstance(row.value, Scalar) else "…"
        return say.row_of_the_rest(row.key.span, row.key.text, value)
    if any(sign.isdigit() for sign in row.key.text):
        return say.bad_range(row.key.span, row.key.text)
    return say.mixed_rows(row.key.span)


def _row_value(world: World, node: Node, table: str, kind: t.Type | None) -> ir.Formula:
    """The value of a row; of a bare word that nothing defines, the message tells how a table may hold words."""
    if kind is None and isinstance(node, Scalar) and node.text.isidentifier():
        with world.silent_pass():
            expression = formula_or_text(world, node, Scope(), kind)
            errors = world.problems.errors
        for error in errors:
            world.problems.add(say.suggest_word_list(error, table))
        if errors:
            return expression
    return formula_or_text(world, node, Scope(), kind)


def _common_keys(left: tuple[t.Type, ...], right: tuple[t.Type, ...]) -> tuple[t.Type, ...]:
    """The types of the keys below two rows."""
    if not left or not right:
        return left or right
    first, *more = left
    if isinstance(first, t.Word) and isinstance(right[0], t.Word):
        # A lookup is safe only with a word that every row has.
        words = tuple(w for w in first.words if w in right[0].words)
        first = replace(first, words=words, where=(*first.where, *right[0].where))
    return (first, *_common_keys(tuple(more), right[1:]))


def _number_type(rows: list[ir.TableRow]) -> t.Type:
    kind: t.Type | None = None
    for row in rows:
        one = row.value.type if isinstance(row.value, ir.Formula) else _number_type(list(row.value))
        kind = one if kind is None else t.union(kind, one)
    return kind or t.NUMBER


def _refs_of_rows(rows: tuple[ir.TableRow, ...]) -> list[frozenset[str]]:
    return [
        row.value.refs if isinstance(row.value, ir.Formula) else frozenset().union(*_refs_of_rows(row.value))
        for row in rows
    ]

"""Liveness: what a formula reads, as paths of names and fields, and as readings of rolls and lists.

Exact odds are fast because of it: a name that no later step reads is dropped, so that states which differ only in it
merge; of a record only the fields that are read are kept; and a roll of which kernels can compute all readings is never
enumerated die by die.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.state_reads import reads_state
from interpreter.ir.traversal import inner_expressions
from interpreter.runtime.state import STATE

Path = tuple[str, ...]
Guards = tuple[tuple[ir.Expr, bool], ...]


@dataclass(slots=True, eq=False)
class Reading:
    """A reading, such as `highest(rolled where face > 1)`: a function of some elements of a roll or list.

    `path` is the roll. An element is read if all of `where` hold and its part is `part`. `value` are the fields that
    lead from an element to the value that is read; without fields, it is the value of the element. `k` is the number
    of highest or lowest values, or the rank from the top. `everything` is the selection that `all` compares with.

    With `height`, the elements are groups of dice, and `height` is what of each die is the height of its group.
    `each` are conditions on the throws of a die, of which those that fulfil them are counted.

    With `without_highest` or `without_lowest`, so many of the highest or lowest dice are left out. `rest` names what is
    read of the others: the sum of `all` or of `k` of them, the `highest` or the `lowest`, or the one at `rank` k.
    """

    path: Path
    kind: str
    where: tuple[ir.Expr, ...]
    part: str | None
    value: Path
    k: ir.Expr | None
    everything: Reading | None
    expr: ir.Expr
    listed: bool
    height: Reading | None = None
    each: tuple[ir.Expr, ...] = ()
    rest: str = ""
    without_highest: tuple[ir.Expr, ...] = ()
    without_lowest: tuple[ir.Expr, ...] = ()


def path_of(expr: ir.Expr) -> Path | None:
    """The path of a name or of a field of a record."""
    if isinstance(expr, ir.Local):
        return (expr.name,)
    if isinstance(expr, ir.Field) and isinstance(t.without_maybe(expr.of.type), t.Record):
        above = path_of(expr.of)
        return None if above is None else (*above, expr.name)
    return None


@lru_cache(10_000)
def names_in(expr: ir.Expr) -> frozenset[str]:
    """Every name that a formula reads."""
    if isinstance(expr, ir.Local):
        return frozenset((expr.name,))
    own = (STATE,) if reads_state(expr) else ()
    return frozenset(own).union(*map(names_in, inner_expressions(expr)))


@lru_cache(10_000)
def reads_outer_element(expr: ir.Expr) -> bool:
    """Whether a condition reads the element of another condition."""
    if isinstance(expr, (ir.Element, ir.DieField)):
        return True
    return any(map(reads_outer_element, inner_expressions(expr)))


@lru_cache(10_000)
def open_slots(expr: ir.Expr) -> frozenset[str]:
    """The slots whose element an expression reads but does not bind: `face > 2` reads the die that a `where` binds."""
    if isinstance(expr, ir.DieField):
        return frozenset((".die",))
    if isinstance(expr, ir.Element):
        return frozenset((".it",))
    if isinstance(expr, ir.Filtered):
        own = ".it" if isinstance(expr.type, t.List) else ".die"
        return open_slots(expr.of) | (open_slots(expr.condition) - {own})
    if isinstance(expr, ir.Sorted):
        own = ".it" if isinstance(expr.type, t.List) else ".die"
        return open_slots(expr.of) | (open_slots(expr.key) - {own})
    return frozenset[str]().union(*map(open_slots, inner_expressions(expr)))


# Readings --------------------------------------------------------------------------------------------------------

_PLAIN = ("sum", "count", "any", "highest", "lowest")


@lru_cache(10_000)
def find_reading(expr: ir.Expr) -> Reading | None:
    """The reading that an expression is, if it is one."""
    if isinstance(expr, ir.Converted) and expr.to == "number" and path_of(expr.of):
        return (
            _reading_of_selection(expr.of, "sum", expr)
            if isinstance(t.without_maybe(expr.of.type), (t.Roll, t.ThrownDie))
            else None
        )
    if not isinstance(expr, ir.Builtin):
        return None
    name, arguments = expr.name, expr.arguments
    if (rest := _reading_of_the_rest(expr)) is not None:
        return rest
    if name in _PLAIN and len(arguments) == 1:
        of = arguments[0]
        if name in ("sum", "count") and isinstance(of, ir.Builtin) and of.name in ("highest", "lowest"):
            if len(of.arguments) == 2:
                kind = {"highest": "top", "lowest": "low"}[of.name] if name == "sum" else None
                return _reading_of_selection(of.arguments[0], kind, expr, of.arguments[1]) if kind else None
            return None
        return _reading_of_selection(of, name, expr)
    if name == "kth" and len(arguments) == 2:
        return _reading_of_selection(arguments[0], "kth", expr, arguments[1])
    if name == "all":
        some = _reading_of_selection(arguments[0], "all", expr)
        everything = _reading_of_selection(arguments[1], "count", expr) if len(arguments) == 2 else None
        if some is None or (len(arguments) == 2 and (everything is None or everything.path != some.path)):
            return None
        return _replace_everything(some, everything)
    return None


class Rest(NamedTuple):
    """A roll, and how many of its highest and lowest dice are left out, as numbers that are added."""

    roll: ir.Expr
    highest: tuple[ir.Expr, ...] = ()
    lowest: tuple[ir.Expr, ...] = ()


def rest_of(expr: ir.Expr) -> Rest | None:
    """`without(rolled, lowest(rolled, 2))`: the rest of a roll without dice at its ends, perhaps at both."""
    if not isinstance(t.without_maybe(expr.type), t.Roll):
        return None
    if path_of(expr) is not None:
        return Rest(expr)
    if not (isinstance(expr, ir.Builtin) and expr.name == "without"):
        return None
    of, out = expr.arguments
    if not (isinstance(out, ir.Builtin) and out.name in ("highest", "lowest") and len(out.arguments) == 2):
        return None
    before, same, k = rest_of(of), rest_of(out.arguments[0]), out.arguments[1]
    if before is None or same is None or not _are_same(before, same) or reads_outer_element(k):
        return None
    if out.name == "highest":
        return before._replace(highest=(*before.highest, k))
    return before._replace(lowest=(*before.lowest, k))


def _are_same(one: Rest, other: Rest) -> bool:
    """Whether two expressions are the same rest of a roll; numbers are the same if they stand at one place."""
    if path_of(one.roll) != path_of(other.roll):
        return False
    return all(
        [k.span for k in mine] == [k.span for k in its]
        for mine, its in ((one.highest, other.highest), (one.lowest, other.lowest))
    )


def _reading_of_the_rest(expr: ir.Builtin) -> Reading | None:
    """A reading of what is left of a roll without some of its highest or lowest dice."""
    name, of, k = expr.name, expr.arguments[0], None
    if name == "sum" and isinstance(of, ir.Builtin) and of.name in ("highest", "lowest") and len(of.arguments) == 2:
        name, (of, k) = f"sum {of.name}", of.arguments
    elif name == "kth" and len(expr.arguments) == 2:
        k = expr.arguments[1]
    if name not in _OF_THE_REST or (len(expr.arguments) > 1 and k is None):
        return None
    rest = rest_of(of)
    if rest is None or not (rest.highest or rest.lowest):
        return None
    kind, what = _OF_THE_REST[name]
    found = _reading_of_selection(rest.roll, kind, expr, k)
    return found and replace(found, rest=what, without_highest=rest.highest, without_lowest=rest.lowest)


_OF_THE_REST = {
    "sum": ("top", "all"), "sum highest": ("top", "k"), "sum lowest": ("low", "k"),
    "highest": ("kth", "highest"), "lowest": ("kth", "lowest"), "kth": ("kth", "rank"),
}  # fmt: skip
"""By function, or by two of them, the kind of a reading of the rest, and what of it is read."""


def _replace_everything(some: Reading, everything: Reading | None) -> Reading:
    return replace(some, everything=everything)


def _reading_of_selection(of: ir.Expr, kind: str, expr: ir.Expr, k: ir.Expr | None = None) -> Reading | None:
    where: list[ir.Expr] = []
    each: list[ir.Expr] = []
    part: str | None = None
    value: list[str] = []
    at = of
    while True:
        if kind == "count" and isinstance(at, ir.Column) and at.name == "throws" and where and not (part or value):
            each, where = where, []
        if isinstance(at, ir.Column) and not where and part is None:
            value.insert(0, at.name)
            at = at.of
        elif isinstance(at, ir.Filtered):
            where.append(at.condition)
            at = at.of
        elif isinstance(at, ir.RollPart) and part is None:
            part = at.name
            at = at.of
        elif isinstance(at, ir.Converted) and not at.to.startswith("each "):
            at = at.of
        else:
            break
    height = None
    kind_of = t.without_maybe(at.type)
    if isinstance(at, ir.Builtin) and at.name == "groups":
        height = _reading_of_selection(at.arguments[0], "top", at)
        if height is None or height.height is not None or part is not None:
            return None
    path = height.path if height is not None else path_of(at)
    listed = isinstance(kind_of, (t.List, t.Map)) and isinstance(_type_of_elements(kind_of), t.Record)
    if path is None or not (isinstance(kind_of, (t.Roll, t.ThrownDie)) or listed):
        return None
    if listed and not value and kind not in ("count", "any", "all"):
        return None
    if listed and value and not _one_value_each(value, kind_of):
        return None
    if not listed and value and not _has_entry_for_each_die(value, kind, kind_of):
        return None
    slot = ir.Element if listed else ir.DieField
    if any(_reads_foreign_element(one, slot) for one in where) or (k is not None and reads_outer_element(k)):
        return None
    if each and (listed or height or any(_reads_foreign_element(one, ir.Element) for one in each)):
        return None
    return Reading(path, kind, tuple(where), part, tuple(value), k, None, expr, listed, height, each=tuple(each))


def _type_of_elements(kind: t.List | t.Map) -> t.Type:
    """The type of the elements of a list; of the values of a map, those that are missing left aside."""
    return t.without_maybe(kind.of) if isinstance(kind, t.Map) else kind.of


def _one_value_each(value: list[str], kind: t.Type) -> bool:
    """Whether a column of a list of records has at most one value for each record, and no list or roll of several."""
    assert isinstance(kind, (t.List, t.Map))
    of: t.Type | None = _type_of_elements(kind)
    for name in value:
        if not isinstance(of, t.Record):
            return False
        of = t.without_maybe(of.field(name) or t.ANYTHING)
    return isinstance(of, (t.Number, t.YesNo, t.Word, t.SingleDie))


def _has_entry_for_each_die(value: list[str], kind: str, roll: t.Type) -> bool:
    """Whether that column has one entry for each die, unlike tags; or is of throws, which are only counted."""
    if value == ["throws"]:
        return kind == "count"
    named = [name for name, _ in roll.throws.fields] if isinstance(roll, (t.Roll, t.ThrownDie)) else []
    return len(value) == 1 and value[0] not in ("tags", *named)


@lru_cache(10_000)
def _reads_foreign_element(expr: ir.Expr, slot: type) -> bool:
    """Whether a condition reads an element of another kind than its own slot's, or has slots of its own."""
    if isinstance(expr, (ir.Filtered, ir.Sorted)):
        return True
    if isinstance(expr, (ir.Element, ir.DieField)) and not isinstance(expr, slot):
        return True
    return any(_reads_foreign_element(one, slot) for one in inner_expressions(expr))


_NO_ROLLS = (t.Number, t.YesNo, t.Word, t.Text, t.DiceCode, t.SingleDie, t.Dice, t.Object)
"""Types of values that never contain a roll."""


@dataclass(slots=True, eq=False)
class Use:
    """One use of what may hold a roll: by a `reading`, or else of the value itself; `passed` if it is only copied.

    A use only happens if each of `guards` has the stated value: `a and b` reads `b` only where `a` holds. `held` marks
    a roll of pairs that no step has read yet. `name` is the name under which a frame holds the value of the reading.
    With `names`, only these names of the throws of the dice are read: `rolled.burn.numbers`.
    """

    path: Path
    reading: Reading | None = None
    passed: bool = False
    guards: Guards = ()
    held: bool = False
    name: str | None = None
    names: Path = ()


def uses_in(expr: ir.Expr) -> list[Use]:
    """Every use in a formula of what may hold a roll."""
    found: list[Use] = []
    _add_uses(expr, False, (), found)
    return found


def _with_guard(guards: Guards, condition: ir.Expr, holds: bool) -> Guards:
    """The guards with one more, unless it reads an element, which is not bound yet."""
    return guards if open_slots(condition) else (*guards, (condition, holds))


_SILENT = frozenset((ir.Constant, ir.DieField, ir.Element, ir.Option))
"""Nodes that read no names and have no children."""


def _add_uses(expr: ir.Expr, passed: bool, guards: Guards, found: list[Use]) -> None:
    kind = type(expr)
    if kind in _SILENT:
        return
    if kind is ir.Local or kind is ir.Field:
        path = path_of(expr)
        if path is not None:
            if not isinstance(t.without_maybe(expr.type), _NO_ROLLS):
                found.append(Use(path, None, passed, guards))
            return
    elif kind is ir.Builtin or kind is ir.Converted:
        if isinstance(expr, ir.Builtin) and expr.name == "given" and _holds_records(expr.arguments[0]):
            return  # whether a record is there is known before the rolls in it are drawn
        read = find_reading(expr)
        if read is not None:
            found.append(Use(read.path, read, False, guards))
            for one in conditions(read):
                _add_uses(one, False, guards, found)
            return
    elif isinstance(expr, ir.Column) and (of_throws := _names_of_throws(expr)) is not None:
        roll, names = of_throws
        found.append(Use(roll, guards=guards, names=names))
        return
    elif isinstance(expr, ir.RecordLiteral):
        for one in inner_expressions(expr):
            _add_uses(one, passed, guards, found)
        return
    elif isinstance(expr, (ir.And, ir.Or)):
        _add_uses(expr.left, False, guards, found)
        _add_uses(expr.right, False, _with_guard(guards, expr.left, kind is ir.And), found)
        return
    elif isinstance(expr, ir.Conditional):
        _add_uses(expr.condition, False, guards, found)
        _add_uses(expr.then, passed, _with_guard(guards, expr.condition, True), found)
        _add_uses(expr.otherwise, passed, _with_guard(guards, expr.condition, False), found)
        return
    for one in inner_expressions(expr):
        _add_uses(one, False, guards, found)


def _names_of_throws(expr: ir.Column) -> tuple[Path, Path] | None:
    """The path of a roll and the names of its throws that a column reads; None if it reads anything else."""
    names: list[str] = []
    at: ir.Expr = expr
    while isinstance(at, ir.Column):
        names.insert(0, at.name)
        at = at.of
    path, kind = path_of(at), t.without_maybe(at.type)
    if path is None or not isinstance(kind, (t.Roll, t.ThrownDie)) or kind.throws.field(names[0]) is None:
        return None
    return path, tuple(names)


def _holds_records(expr: ir.Expr) -> bool:
    """Whether a path leads to a record or a list of records, of which no more is read than whether it is there."""
    kind = t.without_maybe(expr.type)
    kind = t.without_maybe(kind.of) if isinstance(kind, t.List) else kind
    return isinstance(kind, t.Record) and path_of(expr) is not None


_STRAIGHT = frozenset((ir.Arithmetic, ir.Relation, ir.Quotient, ir.Negative, ir.Not))
"""Nodes that read nothing themselves, select nothing, and read all of their children."""


def add_reads(expr: ir.Expr, passed: bool, guards: Guards, found: list[Use], paths: list[Path]) -> None:
    """Add the uses of a formula to `found`, and the paths that it touches to `paths`, fields of elements included."""
    kind = type(expr)
    if kind is ir.Constant:
        return
    if isinstance(expr, ir.Local):
        path = (expr.name,)
        paths.append(path)
        if not isinstance(t.without_maybe(expr.type), _NO_ROLLS):
            found.append(Use(path, None, passed, guards))
    elif kind in _STRAIGHT:
        for one in inner_expressions(expr):
            add_reads(one, False, guards, found, paths)
    elif isinstance(expr, (ir.And, ir.Or)):
        add_reads(expr.left, False, guards, found, paths)
        add_reads(expr.right, False, _with_guard(guards, expr.left, kind is ir.And), found, paths)
    elif isinstance(expr, ir.Conditional):
        add_reads(expr.condition, False, guards, found, paths)
        add_reads(expr.then, passed, _with_guard(guards, expr.condition, True), found, paths)
        add_reads(expr.otherwise, passed, _with_guard(guards, expr.condition, False), found, paths)
    elif kind is ir.Builtin and (read := find_reading(expr)) is not None and _is_bare(read):  # the usual case
        found.append(Use(read.path, read, False, guards))
        paths.append((*read.path, DICE))
    else:
        _add_uses(expr, passed, guards, found)
        _add_touched(expr, None, paths)


def _is_bare(read: Reading) -> bool:
    """Whether a reading is of the values of all dice of a roll, or of how often they were thrown."""
    if read.value and (read.value != ("throws",) or read.each):
        return False
    return not (read.listed or read.height or read.where or read.part or read.k or read.everything or read.rest)


def conditions(reading: Reading) -> list[ir.Expr]:
    """The formulas inside a reading."""
    found = [*reading.where, *reading.each, *reading.without_highest, *reading.without_lowest]
    if reading.everything:
        found += conditions(reading.everything)
    if reading.k is not None:
        found.append(reading.k)
    return found + conditions(reading.height) if reading.height else found


# Fields ----------------------------------------------------------------------------------------------------------

COUNTED, LAST, WHETHER, DICE = "#", "@last", "?", "@dice"
"""Marks in paths, after a list: only its length is read, or only its last element, or only whether it is there; after a
roll: its dice, without the names that their throws have."""

COLUMN = "@column"
"""What stands in a path before a field of passes of which only the column is read, as a roll."""

VALUES = "@values"
"""What stands in a path for the keys of a map: what follows is read of each of its values."""

_SELECTORS = ("first", "last", "reversed", "ordered", "without", "highest", "lowest", "only", "item")


def spine(expr: ir.Expr) -> Path | None:
    """The path of what an expression is or selects from, through elements of lists as well; None if it has none."""
    kind = type(expr)
    if isinstance(expr, ir.Local):
        return (expr.name,)
    if kind not in _LEADING:
        return None
    if isinstance(expr, ir.Builtin):
        if expr.name == "last" and len(expr.arguments) == 1 and (last := _path_of_last(expr.arguments[0])) is not None:
            return last
        return spine(expr.arguments[0]) if expr.name in _SELECTORS and expr.arguments else None
    above = spine(expr.of)  # type: ignore[union-attr]
    return None if above is None or _is_of_thing(expr) else (*above, *_path_added_to_child(expr))


def _is_of_thing(expr: ir.Expr) -> bool:
    """Whether an expression reads a field, or a column, of things: those are in the state."""
    return isinstance(expr, (ir.Field, ir.Column)) and reads_state(expr)


def _path_added_to_child(expr: ir.Expr) -> Path:
    """What an expression adds to the path of its first child."""
    if isinstance(expr, ir.Field):
        return (expr.name,)
    if isinstance(expr, ir.Column):
        return (expr.name, VALUES) if expr.maps else (expr.name,)
    at_values = isinstance(expr, ir.MapEntry) or (isinstance(expr, ir.Converted) and expr.to == "values")
    return (VALUES,) if at_values else ()


def _path_of_last(expr: ir.Expr) -> Path | None:
    """The path of `last(passes)` or `last(passes.score)`, where each element has exactly one score; else None."""
    column: Path = ()
    if isinstance(expr, ir.Column):
        kind = t.without_maybe(expr.of.type)
        record = kind.of if isinstance(kind, t.List) else None
        score = dict(record.fields).get(expr.name) if isinstance(record, t.Record) else None
        if not isinstance(score, (t.Number, t.YesNo, t.Word)):
            return None
        column, expr = (expr.name,), expr.of
    base = path_of(expr)
    return None if base is None or not isinstance(t.without_maybe(expr.type), t.List) else (*base, LAST, *column)


_LEADING = frozenset(
    (ir.Field, ir.Column, ir.Filtered, ir.Sorted, ir.RollPart, ir.Converted, ir.Otherwise, ir.Builtin, ir.MapEntry)
)
"""Nodes whose value is their first child, or is selected from it."""


def _add_touched(expr: ir.Expr, element: Path | None, found: list[Path]) -> None:
    """Add the paths that a formula touches; `element` is the path of the slot's `it`."""
    if type(expr) is ir.Constant:
        return
    at = spine(expr)
    if at is not None:
        found.append(at)
        _add_beside_spine(expr, element, found)
        return
    if element is not None and (mine := _path_of_element(expr)) is not None:
        found.append((*element, *mine))
        return
    if isinstance(expr, ir.Builtin):
        if expr.name == "given" and _holds_records(expr.arguments[0]):
            at = spine(expr.arguments[0])
            assert at is not None
            found.append((*at, WHETHER))
            return
        if (expr.name in ("count", "any") and len(expr.arguments) == 1) or (
            expr.name == "all" and len(expr.arguments) == 2
        ):
            for of in expr.arguments:
                _add_counted(of, element, found)
            return
    elif reads_state(expr):
        found.append((STATE,))
    for one in inner_expressions(expr):
        _add_touched(one, element, found)


def _add_counted(expr: ir.Expr, element: Path | None, found: list[Path]) -> None:
    """Add the paths that a formula touches of which no more is read than how many elements it has."""
    at = spine(expr)
    of_list = isinstance(expr, (ir.Filtered, ir.Local, ir.Field)) or _path_added_to_child(expr) == (VALUES,)
    if at is None or not of_list or not isinstance(expr.type, t.List):
        _add_touched(expr, element, found)
        return
    found.append((*at, COUNTED))
    _add_beside_spine(expr, element, found)


def _path_of_element(expr: ir.Expr) -> Path | None:
    if isinstance(expr, ir.Element):
        return ()
    if isinstance(expr, (ir.Field, ir.Column)) and not reads_state(expr):
        above = _path_of_element(expr.of)
        return None if above is None else (*above, *_path_added_to_child(expr))
    if isinstance(expr, ir.Converted) and expr.to == "values":
        above = _path_of_element(expr.of)
        return None if above is None else (*above, VALUES)
    return None


def _add_beside_spine(expr: ir.Expr, element: Path | None, found: list[Path]) -> None:
    """Add what the nodes of a spine read beside it: conditions, keys, numbers and defaults."""
    if isinstance(expr, ir.Local):
        return
    if isinstance(expr, ir.Builtin):
        _add_beside_spine(expr.arguments[0], element, found)
        for one in expr.arguments[1:]:
            _add_touched(one, element, found)
        return
    if isinstance(expr, ir.Filtered):
        _add_touched_in_slot(expr.condition, expr.of, element, found)
    elif isinstance(expr, ir.Sorted):
        _add_touched_in_slot(expr.key, expr.of, element, found)
    elif isinstance(expr, ir.Otherwise):
        _add_touched(expr.instead, element, found)
    elif isinstance(expr, ir.MapEntry):
        _add_touched(expr.key, element, found)
    _add_beside_spine(expr.of, element, found)  # type: ignore[union-attr]


def _add_touched_in_slot(expr: ir.Expr, elements: ir.Expr, element: Path | None, found: list[Path]) -> None:
    """Add what a condition or key reads of each element.

    A condition on dice does not bind `it`, which is then the `element` of the list around it.
    """
    at = spine(elements)
    _add_touched(expr, at if isinstance(t.without_maybe(elements.type), t.List) else element, found)

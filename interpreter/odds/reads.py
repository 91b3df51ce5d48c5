"""What a formula reads: names with the fields of theirs that it looks at, and readings of rolls and lists.

From this follows everything that makes odds fast, and no ruleset says any of it: a name that nothing below reads is
forgotten, so that ways which differ only in it become one; of a record only the fields that are read are kept; and a
roll that is only read in ways that a kernel knows is never laid out die by die.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from interpreter import ir
from interpreter import types as t
from interpreter.parts import inner
from interpreter.state import STATE

Path = tuple[str, ...]
Guards = tuple[tuple[ir.Expr, bool], ...]


@dataclass(slots=True, eq=False)
class Reading:
    """`highest(rolled where face > 1)`: a function of some of the elements of a roll or list, each on its own.

    `path` is the roll. An element is read where all of `where` hold and its part is `part`. `value` are the fields
    that lead from an element to what is read of it; none is what the element is worth. `k` is how many of the highest
    or lowest, or which one from the top. `everything` is the selection that `all` compares with.
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


def path_of(expr: ir.Expr) -> Path | None:
    """The path of a name or of a field of a record."""
    if isinstance(expr, ir.Local):
        return (expr.name,)
    if isinstance(expr, ir.Field) and isinstance(t.present(expr.of.type), t.Record):
        above = path_of(expr.of)
        return None if above is None else (*above, expr.name)
    return None


@cache
def names_in(expr: ir.Expr) -> frozenset[str]:
    """Every name that a formula reads."""
    if isinstance(expr, ir.Local):
        return frozenset((expr.name,))
    own = (STATE,) if reads_state(expr) else ()
    return frozenset(own).union(*map(names_in, inner(expr)))


def reads_state(expr: ir.Expr) -> bool:
    """Whether an expression looks, itself, at what things have."""
    if isinstance(expr, ir.Attribute):
        return True
    if not isinstance(expr, ir.Column):
        return False
    kind = t.present(expr.of.type)
    return isinstance(kind, t.List) and isinstance(t.present(kind.of), t.Thing)


@cache
def looks_outward(expr: ir.Expr) -> bool:
    """Whether a condition looks at the element of a slot that is not its own."""
    if isinstance(expr, (ir.Element, ir.DieWord)):
        return True
    return any(map(looks_outward, inner(expr)))


# Readings --------------------------------------------------------------------------------------------------------

_PLAIN = ("sum", "count", "any", "highest", "lowest")


@cache
def reading(expr: ir.Expr) -> Reading | None:
    """The reading that an expression is, if it is one."""
    if isinstance(expr, ir.Converted) and expr.to == "number" and path_of(expr.of):
        return _selected(expr.of, "sum", expr) if isinstance(t.present(expr.of.type), (t.Roll, t.Thrown)) else None
    if not isinstance(expr, ir.Builtin):
        return None
    name, arguments = expr.name, expr.arguments
    if name in _PLAIN and len(arguments) == 1:
        of = arguments[0]
        if name in ("sum", "count") and isinstance(of, ir.Builtin) and of.name in ("highest", "lowest"):
            if len(of.arguments) == 2:
                kind = {"highest": "top", "lowest": "low"}[of.name] if name == "sum" else None
                return _selected(of.arguments[0], kind, expr, of.arguments[1]) if kind else None
            return None
        return _selected(of, name, expr)
    if name == "kth" and len(arguments) == 2:
        return _selected(arguments[0], "kth", expr, arguments[1])
    if name == "all":
        some = _selected(arguments[0], "all", expr)
        everything = _selected(arguments[1], "count", expr) if len(arguments) == 2 else None
        if some is None or (len(arguments) == 2 and (everything is None or everything.path != some.path)):
            return None
        return _with(some, everything)
    return None


def _with(some: Reading, everything: Reading | None) -> Reading:
    return Reading(some.path, some.kind, some.where, some.part, some.value, some.k, everything, some.expr, some.listed)


def _selected(of: ir.Expr, kind: str, expr: ir.Expr, k: ir.Expr | None = None) -> Reading | None:
    where: list[ir.Expr] = []
    part: str | None = None
    value: list[str] = []
    at = of
    while True:
        if isinstance(at, ir.Column) and not where and part is None:
            value.insert(0, at.name)
            at = at.of
        elif isinstance(at, ir.Filtered):
            where.append(at.condition)
            at = at.of
        elif isinstance(at, ir.Part) and part is None:
            part = at.name
            at = at.of
        elif isinstance(at, ir.Converted) and not at.to.startswith("each "):
            at = at.of
        else:
            break
    path = path_of(at)
    kind_of = t.present(at.type)
    listed = isinstance(kind_of, t.List) and isinstance(kind_of.of, t.Record)
    if path is None or not (isinstance(kind_of, (t.Roll, t.Thrown)) or listed):
        return None
    if listed and not value and kind not in ("count", "any", "all"):
        return None
    if not listed and value and not _of_one_die(value, kind, kind_of):
        return None
    slot = ir.Element if listed else ir.DieWord
    if any(_foreign(one, slot) for one in where) or (k is not None and looks_outward(k)):
        return None
    return Reading(path, kind, tuple(where), part, tuple(value), k, None, expr, listed)


def _of_one_die(value: list[str], kind: str, roll: t.Type) -> bool:
    """Whether that column has one entry for each die; the throws of a chain may at least be counted."""
    if value == ["throws"]:
        return kind == "count"
    named = [name for name, _ in roll.throws.fields] if isinstance(roll, (t.Roll, t.Thrown)) else []
    return len(value) == 1 and value[0] not in named


@cache
def _foreign(expr: ir.Expr, slot: type) -> bool:
    """Whether a condition looks at an element of another kind than its own slot's, or has slots of its own."""
    if isinstance(expr, (ir.Filtered, ir.Sorted)):
        return True
    if isinstance(expr, (ir.Element, ir.DieWord)) and not isinstance(expr, slot):
        return True
    return any(_foreign(one, slot) for one in inner(expr))


_NO_ROLLS = (t.Number, t.YesNo, t.Word, t.Text, t.Code, t.Die, t.Dice, t.Thing)
"""Types of values in which there is never a roll."""


@dataclass(slots=True, eq=False)
class Use:
    """One look at a path: by a reading; or raw, at the value itself; `passed` on, where nothing looks into it.

    It only happens where each of `guards` comes out as stated: `a and b` looks at `b` only where `a` holds.
    `held` marks a roll that a step only holds on to: pairs of which nobody has looked at any yet; `plain` a value in
    which there is never a roll.
    """

    path: Path
    reading: Reading | None = None
    passed: bool = False
    guards: Guards = ()
    held: bool = False
    plain: bool = False


def uses(expr: ir.Expr, passed: bool = False, guards: Guards = ()) -> Iterator[Use]:
    """Everything that a formula reads. With `passed`, a bare path is only handed on."""
    found = reading(expr)
    path = path_of(expr)
    if found is not None:
        yield Use(found.path, found, False, guards)
        for one in (*found.where, *(found.everything.where if found.everything else ())):
            yield from uses(one, False, guards)
        if found.k is not None:
            yield from uses(found.k, False, guards)
    elif path is not None:
        yield Use(path, None, passed, guards, False, isinstance(t.present(expr.type), _NO_ROLLS))
    elif isinstance(expr, ir.Made):
        for _, one in expr.fields:
            yield from uses(one, passed, guards)
    elif isinstance(expr, (ir.Both, ir.Either)):
        yield from uses(expr.left, False, guards)
        yield from uses(expr.right, False, (*guards, (expr.left, isinstance(expr, ir.Both))))
    elif isinstance(expr, ir.Conditional):
        yield from uses(expr.condition, False, guards)
        yield from uses(expr.then, passed, (*guards, (expr.condition, True)))
        yield from uses(expr.otherwise, passed, (*guards, (expr.condition, False)))
    else:
        if reads_state(expr):
            yield Use((STATE,), None, False, guards, False, True)
        for one in inner(expr):
            yield from uses(one, False, guards)


# Fields ----------------------------------------------------------------------------------------------------------

_SELECTORS = ("first", "last", "reversed", "ordered", "without", "highest", "lowest", "only", "item")


def spine(expr: ir.Expr) -> Path | None:
    """The path of the names that lead to what an expression is or selects from, through elements of lists as well."""
    match expr:
        case ir.Local(name):
            return (name,)
        case ir.Column() if reads_state(expr):
            return None
        case ir.Field(of, name) | ir.Column(of, name):
            above = spine(of)
            return None if above is None else (*above, name)
        case ir.Filtered(of) | ir.Sorted(of) | ir.Part(of) | ir.Converted(of) | ir.Otherwise(of):
            return spine(of)
        case ir.Builtin(name, arguments) if name in _SELECTORS and arguments:
            return spine(arguments[0])
    return None


def touched(expr: ir.Expr, element: Path | None = None) -> Iterator[Path]:
    """The paths that a formula looks at, fields of elements included; `element` is the path of the slot's `it`."""
    at = spine(expr)
    if at is not None:
        yield at
        yield from _aside(expr, element)
        return
    if element is not None and (mine := _of_element(expr)) is not None:
        yield (*element, *mine)
        return
    if isinstance(expr, ir.Builtin) and expr.name in ("count", "any") and len(expr.arguments) == 1:
        of = expr.arguments[0]
        at = spine(of)
        if at is not None and isinstance(of, (ir.Filtered, ir.Local, ir.Field)) and isinstance(of.type, t.List):
            yield (*at, "#")
            yield from _aside(of, element)
            return
    if reads_state(expr):
        yield (STATE,)
    for one in inner(expr):
        yield from touched(one, element)


def _of_element(expr: ir.Expr) -> Path | None:
    if isinstance(expr, ir.Element):
        return ()
    if isinstance(expr, (ir.Field, ir.Column)) and not reads_state(expr):
        above = _of_element(expr.of)
        return None if above is None else (*above, expr.name)
    return None


def _aside(expr: ir.Expr, element: Path | None) -> Iterator[Path]:
    """What stands beside the spine: conditions, keys, numbers, what stands in."""
    match expr:
        case ir.Filtered(of, condition):
            yield from touched(condition, spine(of))
            yield from _aside(of, element)
        case ir.Sorted(of, key):
            yield from touched(key, spine(of))
            yield from _aside(of, element)
        case ir.Otherwise(of, instead):
            yield from touched(instead, element)
            yield from _aside(of, element)
        case ir.Field(of) | ir.Column(of) | ir.Part(of) | ir.Converted(of):
            yield from _aside(of, element)
        case ir.Builtin(_, arguments):
            yield from _aside(arguments[0], element)
            for one in arguments[1:]:
                yield from touched(one, element)

"""Nodes of expressions, and of formulas: checked expressions with a place and a type."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant:
    """`7`, `yes`, `d12`, `no_dice`, a word"""

    value: Any
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Local:
    """`margin`: an input, an earlier step, or a name that a verb defines, such as `nth`"""

    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Option:
    """`options.die`"""

    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Element:
    """`it`: the element that a slot tests"""

    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DieField:
    """`face`, `value`, `size`, `part`, `tags`, or a symbol, of the die that a slot tests"""

    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Field:
    """`own.limit`: a field of a record, or a word of a die (`ours.tags`), code or throw"""

    of: Expr
    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Attribute:
    """`actor.hit_points`: the current value of an attribute of an object"""

    of: Expr
    kind: str
    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MapEntry:
    """`actor.skills(swords)`, `rolls(fighter)`: the value of a map at a key; a run that lacks a `sure` entry fails"""

    of: Expr
    key: Expr
    type: t.Type
    span: Span
    sure: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Column:
    """`tries.score`: that field of every element, as one list, one pool or one roll; `maps` have their values in it"""

    of: Expr
    name: str
    type: t.Type
    span: Span
    maps: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RollPart:
    """`rolled.challenge`: the dice of one part of a roll"""

    of: Expr
    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Negative:
    """`-a`"""

    of: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Arithmetic:
    """`a + b`, `a - b`, `a * b`"""

    sign: str
    left: Expr
    right: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Quotient:
    """`a / b`, rounded `down`, `up` or `nearest`; right under a comparison a bare one is compared exactly"""

    left: Expr
    right: Expr
    rounding: str
    bare: bool
    """Whether the quotient names no rounding of its own, as `up(a / b)` does."""
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Relation:
    """`a >= b`, `total beats 7`, `x is word`; a bare quotient right under it is compared exactly"""

    sign: str
    left: Expr
    right: Expr
    ranks: tuple[str, ...] | None
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Membership:
    """`x in xs`"""

    item: Expr
    of: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Not:
    """`not a`"""

    of: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class And:
    """`a and b`; `b` is evaluated only where `a` holds"""

    left: Expr
    right: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Or:
    """`a or b`; `b` is evaluated only where `a` fails"""

    left: Expr
    right: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Conditional:
    """`a if c else b`"""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Otherwise:
    """`a otherwise b`: `b` where `a` is missing, or is the highest element of an empty list"""

    of: Expr
    instead: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ListLiteral:
    """`[a, b]`"""

    items: tuple[Expr, ...]
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PoolLiteral:
    """`2d12`, `(n)d6`, `times(fudge, 4)`"""

    number: Expr
    die: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tagged:
    """`d8 armor`"""

    dice: Expr
    tags: tuple[str, ...]
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Joined:
    """`2d12 & d10`, of dice or of rolls"""

    left: Expr
    right: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Filtered:
    """`rolled where face >= 5`"""

    of: Expr
    condition: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sorted:
    """`numbers by -it`, `rolled by -size`: lowest key first, equal ones in their order"""

    of: Expr
    key: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Builtin:
    """`highest(rolled)`: a function of the language, in `interpreter.runtime.functions`"""

    name: str
    arguments: tuple[Expr, ...]
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Apply:
    """`trapped(stat, skill)`: a function of the ruleset; `reads_state` says that its own formulas read things"""

    name: str
    arguments: tuple[Expr, ...]
    type: t.Type
    span: Span
    reads_state: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Lookup:
    """`percent_need(40)`: a row of a table; `reads_state` says that its rows read things"""

    name: str
    keys: tuple[Expr, ...]
    type: t.Type
    span: Span
    reads_state: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Converted:
    """A thrown die read as its number, or one die as a pool. `to` is `number` or `dice`, or `each` of these.

    With `values` it is a map read as the list of its values.
    """

    of: Expr
    to: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RecordLiteral:
    """A record from its fields: `{dice: need, quality: basic}`, or `need` where a side is expected"""

    fields: tuple[tuple[str, Expr], ...]
    type: t.Type
    span: Span


Expr = (
    RecordLiteral
    | Constant
    | Local
    | Option
    | Attribute
    | MapEntry
    | Element
    | DieField
    | Field
    | Column
    | RollPart
    | Negative
    | Arithmetic
    | Quotient
    | Relation
    | Membership
    | Not
    | And
    | Or
    | Conditional
    | Otherwise
    | ListLiteral
    | PoolLiteral
    | Tagged
    | Joined
    | Filtered
    | Sorted
    | Builtin
    | Apply
    | Lookup
    | Converted
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OwnAttribute:
    """What a name in a formula of a kind resolves to: an attribute of the object that has the formula"""

    kind: str
    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Formula:
    """A checked expression.

    `refs` are the paths of what it uses of the ruleset (functions, tables, options, comparators, rounding).
    `tree` is the allow-listed Python tree that the reference evaluates, and `resolved` says what the checker found
    a node of it to be, by the node's identity.
    """

    body: Expr
    type: t.Type
    span: Span
    refs: frozenset[str] = frozenset()
    tree: ast.expr | None = field(default=None, compare=False, repr=False)
    resolved: Mapping[int, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The expression as people wrote it, without quotation marks around it."""
        text = self.span.text
        mark = text[:1]
        is_quoted = len(text) > 1 and mark in ("'", '"') and text.endswith(mark)
        return text[1:-1].replace(mark * 2, mark) if is_quoted else text

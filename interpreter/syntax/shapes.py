"""The shapes of values in a ruleset, of which the grammar consists."""

from __future__ import annotations

from dataclasses import field
from functools import cache

from interpreter.frozen import dataclass


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Prose:
    """Text for people."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Name:
    """A name of something declared elsewhere."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Expression:
    """An expression; a YAML list stands for a list of expressions."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OneOf:
    """One of a few fixed words.

    Where a number of them is written in a form of its own, `{rounds: 2}`, `counted` is the key of that form.
    """

    words: tuple[str, ...]
    counted: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FreeForm:
    """Data whose form depends on types; the checker checks it.

    With `misplaced`, it is a thing in place of a kind, which is refused.
    """

    misplaced: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ref:
    """A mapping of the form with this name."""

    form: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MapOf:
    """Names chosen by the author, each with a value of this shape; `ordered` where their order matters."""

    of: Shape
    least: int = 0
    ordered: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ListOf:
    """A list of values of this shape, of at least so many."""

    of: Shape
    least: int = 0


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AnyOf:
    """One of several shapes: a scalar, a list or a mapping.

    Where one shape is the short form of another, `short` is the key of the long form that its value belongs to.
    """

    of: tuple[Shape, ...]
    short: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ByVerb:
    """A step in its long form; its verb selects the form."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ByKey:
    """A mapping of the first shape if it has the key, otherwise of the second."""

    key: str
    has: Shape
    has_not: Shape


Shape = Prose | Name | Expression | OneOf | FreeForm | Ref | MapOf | ListOf | AnyOf | ByVerb | ByKey

ANY_FORM = FreeForm()
EXPRESSION = Expression()
PROSE = Prose()


@cache
def alternatives(shape: Shape) -> tuple[Shape, ...]:
    """The shapes of which a value of a shape has one: those of `AnyOf`, or the shape alone."""
    if not isinstance(shape, AnyOf):
        return (shape,)
    return tuple([inner for one in shape.of for inner in alternatives(one)])


@cache
def names_in(shape: Shape) -> Shape | None:
    """The shape of the entries under names of the author's own, if a value may have such names; None if not."""
    return next((one.of for one in alternatives(shape) if isinstance(one, MapOf)), None)


def node_kinds(shape: Shape) -> tuple[str, ...]:
    """The kinds of nodes that a value of a shape, which is no alternative of others, may be."""
    match shape:
        case Prose() | Name() | OneOf():
            return ("scalar",)
        case Expression():
            return ("scalar", "sequence")
        case Ref() | MapOf() | ByVerb() | ByKey():
            return ("mapping",)
        case ListOf():
            return ("sequence",)
    return ("scalar", "mapping", "sequence")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Form:
    """A mapping with fixed keys. Messages call it by its `title`; editors show `about`, and `abouts` at its keys."""

    title: str
    keys: dict[str, Shape]
    required: tuple[str, ...] = ()
    about: str = ""
    abouts: dict[str, str] = field(default_factory=dict)

"""The types of values, as the checker knows them.

Types are small, frozen and compared by value. Numbers have bounds, and pools the least number of their dice, because
`highest(pool)` needs an `otherwise` only if the pool can be empty.
"""

from __future__ import annotations

from dataclasses import field, replace

from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass

LARGEST = (1 << 63) - 1
"""The largest number of a run, and the largest negated: numbers have 64 bits."""


@dataclass(frozen=True, slots=True)
class Number:
    """`{type: number, from: 0, to: 20}`: a whole number; None is no bound.

    A bound of more than 64 bits is dropped: no run has such numbers, and the bounds of products would grow without end.
    """

    low: int | None = None
    high: int | None = None

    def __post_init__(self) -> None:
        if self.low is not None and not -LARGEST <= self.low <= LARGEST:
            object.__setattr__(self, "low", None)
        if self.high is not None and not -LARGEST <= self.high <= LARGEST:
            object.__setattr__(self, "high", None)


@dataclass(frozen=True, slots=True)
class YesNo:
    """`{type: yes_no}`"""


@dataclass(frozen=True, slots=True)
class Text:
    """`{type: text}`"""


Places = tuple[tuple[str, Span], ...]
"""Names, each with the place of its declaration, which is ignored when types are compared."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a closed list: of `names`, a ladder, the rows of a table, tags, parts of a roll, outcomes.

    `ranked` lists, as those of ladders, are ordered from lowest to highest.
    `counts_as` pairs an outcome with the outcome that it counts as.
    """

    name: str
    words: tuple[str, ...]
    ranked: bool = False
    counts_as: tuple[tuple[str, str], ...] = ()
    where: Places = field(default=(), compare=False, repr=False)

    def named_at(self, word: str) -> Span | None:
        return next((span for key, span in self.where if key == word), None)


@dataclass(frozen=True, slots=True)
class Record:
    """Named values: a type of the ruleset, the result of a mechanic, one pass of a repetition, one throw of a die."""

    name: str
    fields: tuple[tuple[str, Type], ...]
    where: Places = field(default=(), compare=False, repr=False)
    _hash: list[int] = field(default_factory=list, init=False, compare=False, repr=False)
    """The hash, computed once: records contain records, and one record may be in many others."""

    def __hash__(self) -> int:
        if not self._hash:
            self._hash.append(hash((self.name, self.fields)))
        return self._hash[0]

    def field(self, name: str) -> Type | None:
        return next((kind for key, kind in self.fields if key == name), None)

    def named_at(self, name: str) -> Span | None:
        return next((span for key, span in self.where if key == name), None)


NO_PARTS = Word("parts", ())
NO_NAMES = Record("throw", ())


@dataclass(frozen=True, slots=True)
class SingleDie:
    """`{type: die}`: one die, not thrown."""


@dataclass(frozen=True, slots=True)
class Dice:
    """`{type: dice}`: a pool that is not thrown, of at least `least` dice."""

    least: int = 0


@dataclass(frozen=True, slots=True)
class ThrownDie:
    """A thrown die, which reads as its value. `throws` has the names of `each`."""

    parts: Word = NO_PARTS
    throws: Record = NO_NAMES


@dataclass(frozen=True, slots=True)
class Roll:
    """`{type: roll}`: dice that were thrown. A roll of exactly one die reads as a number.

    One is `thrown_once` where `each` does more for every throw than work something out: no die may be thrown anew.
    `most` is the most dice of each part, in the order of `parts`, or of a roll without parts; None if unknown.
    `fewest` is the fewest of each part, None if unknown.
    """

    least: int = 0
    single: bool = False
    parts: Word = NO_PARTS
    throws: Record = NO_NAMES
    shows: Number = Number()
    thrown_once: bool = False
    most: tuple[int, ...] | None = None
    fewest: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class DiceCode:
    """`{type: code}`: `3D+2`, a number of dice and a number of pips."""


@dataclass(frozen=True, slots=True)
class List:
    """`{list_of: number}`: an ordered list of at least `least` elements."""

    of: Type
    least: int = 0


@dataclass(frozen=True, slots=True)
class Object:
    """`{type: character}`: an object of a kind, which lasts and changes; its kind declares its attributes."""

    kind: str


@dataclass(frozen=True, slots=True)
class Map:
    """`{type: number, per: skill}`, or the result of `for`: a value for each key, read as `actor.skills(swords)`."""

    key: Type
    of: Type
    least: int = 0


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value that may be missing; `otherwise` reads it, or `given(…)` tests that it is present."""

    of: Type


@dataclass(frozen=True, slots=True)
class Anything:
    """The type of an expression with an error. It fits every type, so that one mistake gives one message.

    With `not_yet` it is the type of the elements of `earlier` before the first pass; it gives way to any type.
    """

    not_yet: bool = False


Type = (
    Number
    | YesNo
    | Text
    | Word
    | SingleDie
    | Dice
    | ThrownDie
    | Roll
    | DiceCode
    | List
    | Record
    | Object
    | Map
    | Maybe
    | Anything
)


def is_composite(kind: Type) -> bool:
    """Whether values of a type have parts of their own, so that a law of whole values is long and says little."""
    of = without_maybe(kind)
    return isinstance(of, List | Record | Map) or (isinstance(of, Roll) and not of.single)


ANYTHING = Anything()
NOT_YET = Anything(not_yet=True)
NUMBER = Number()
YES_NO = YesNo()


def example(kind: Type) -> str | None:
    """A value of a type as an author writes it in an expression; None if none can be written there."""
    match kind:
        case Number() | Roll() | ThrownDie():
            return "0"
        case YesNo():
            return "no"
        case Word(words=(first, *_)):
            return first
        case List():
            return "[]"
        case Dice():
            return "no_dice"
        case SingleDie():
            return "d6"
    return None


def without_maybe(kind: Type) -> Type:
    """The type without its `Maybe`."""
    return kind.of if isinstance(kind, Maybe) else kind


def maybe(kind: Type) -> Type:
    """The type of a value of this type that may also be missing."""
    return kind if isinstance(kind, (Maybe, Anything)) else Maybe(kind)


def reads_as_number(kind: Type) -> bool:
    """Whether a value of this type can stand where a number is expected."""
    return isinstance(kind, (Number, ThrownDie, Anything)) or (isinstance(kind, Roll) and kind.single)


def as_number(kind: Type) -> Number:
    """The bounds that a value has when it is read as a number."""
    if isinstance(kind, Number):
        return kind
    return kind.shows if isinstance(kind, Roll) else NUMBER


def is_dice_on_the_table(kind: Type) -> bool:
    """Whether a type is that of a list of thrown dice, such as one of each pass, which may stand for a roll."""
    return isinstance(kind, List) and isinstance(kind.of, ThrownDie)


def is_unthrown(kind: Type) -> bool:
    """Whether values of a type are dice before they are thrown, or a list of them: they have sizes, and no numbers."""
    kind = without_maybe(kind)
    return isinstance(without_maybe(kind.of) if isinstance(kind, List) else kind, (SingleDie, Dice))


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of type `given` can stand where `wanted` is expected."""
    if given is wanted:  # the type of the result of a mechanic is one object, which many other types contain
        return True
    if isinstance(given, Anything) or isinstance(wanted, Anything):
        return True
    if isinstance(wanted, Maybe):
        return fits(without_maybe(given), wanted.of)
    match wanted:
        case Number():
            return reads_as_number(given)
        case Dice():
            return isinstance(given, (SingleDie, Dice))
        case Roll():
            return isinstance(given, (Roll, ThrownDie)) or is_dice_on_the_table(given)
        case List(of):
            return isinstance(given, List) and fits(given.of, of)
        case Object(kind):
            return isinstance(given, Object) and given.kind == kind
        case Map(key, of):
            return isinstance(given, Map) and fits(given.key, key) and fits(given.of, of)
        case Word():
            return isinstance(given, Word) and set(given.words) <= set(wanted.words)
        case Record():
            return isinstance(given, Record) and all(
                (isinstance(kind, Maybe) and given.field(key) is None) or fits(given.field(key) or Text(), kind)
                for key, kind in wanted.fields
            )
        case _:
            return type(given) is type(wanted)


def union(left: Type, right: Type) -> Type | None:
    """The type of values of either type; None if the two have no common type."""
    if isinstance(left, Anything) or isinstance(right, Anything):
        return right if left == NOT_YET else left if right == NOT_YET else ANYTHING
    if isinstance(left, Maybe) or isinstance(right, Maybe):
        both = union(without_maybe(left), without_maybe(right))
        return Maybe(both) if both == NOT_YET else both and maybe(both)  # `none` and `none` are missing for certain
    match left, right:
        case (Number(), Number()):
            return hull(left, right)
        case (SingleDie(), SingleDie()):
            return left
        case (SingleDie() | Dice(), SingleDie() | Dice()):
            return Dice(min(least_length(left), least_length(right)))
        case (Roll(), Roll()) if left.parts == right.parts:
            return replace(
                left,
                least=min(left.least, right.least),
                single=left.single and right.single,
                throws=left.throws if left.throws == right.throws else NO_NAMES,
                shows=hull(left.shows, right.shows),
                thrown_once=left.thrown_once or right.thrown_once,
                most=tuple(map(max, left.most, right.most)) if left.most and right.most else None,
                fewest=tuple(map(min, left.fewest, right.fewest)) if left.fewest and right.fewest else None,
            )
        case (List(a), List(b)):
            of = a if isinstance(b, Anything) else union(a, b)
            return of and List(of, min(left.least, right.least))
        case (Word(), Word()) if left.name == right.name:
            return left
        case (Word(), Word()):
            words = tuple(dict.fromkeys(left.words + right.words))
            return Word(left.name, words, where=(*left.where, *right.where))
    if left == right:
        return left
    if reads_as_number(left) and reads_as_number(right):
        return hull(as_number(left), as_number(right))
    return None


def hull(left: Number, right: Number) -> Number:
    """The narrowest bounds that hold both."""
    low = None if left.low is None or right.low is None else min(left.low, right.low)
    high = None if left.high is None or right.high is None else max(left.high, right.high)
    return Number(low, high)


def least_length(kind: Type) -> int:
    """The least number of elements that a pool, roll or list of this type has."""
    match kind:
        case SingleDie() | ThrownDie():
            return 1
        case Dice() | Roll() | List() | Map():
            return kind.least
    return 0


def fewest_of(roll: Roll, part: str) -> int:
    """The fewest dice of a part of a roll."""
    if roll.fewest is None or part not in roll.parts.words:
        return 0
    return roll.fewest[roll.parts.words.index(part)]


def listed_words(words: tuple[str, ...]) -> str:
    """The first words of a list, for messages: `` `calm`, `storm`, … ``."""
    return ", ".join(f"`{word}`" for word in words[:6]) + (", …" if len(words) > 6 else "")


def in_words(kind: Type) -> str:
    """The type in the words of messages."""
    match kind:
        case Number():
            return "a number"
        case YesNo():
            return "yes or no"
        case Text():
            return "text"
        case Word(name, words):
            shown = listed_words(words)
            whose = f"the {name}" if " " in name else f"`{name}`"
            return f"one of {whose} ({shown})" if words else f"one of {whose}"
        case SingleDie():
            return "a die"
        case Dice():
            return "dice"
        case ThrownDie():
            return "a thrown die"
        case Roll():
            return "a roll"
        case DiceCode():
            return "a die code"
        case List(of):
            return f"a list (each {in_words(of)})"
        case Record(name, _) | Object(name):
            return f"{article(name)} `{name}`"
        case Map(_, of):
            return f"a map (each {in_words(of)})"
        case Maybe(of):
            return f"{in_words(of)} that may be missing"
        case Anything():
            return "anything"


def article(name: str) -> str:
    return "an" if name[:1] in tuple("aeiou") else "a"


def may_be_key(kind: Type) -> bool:
    """Whether values of a type may be keys of a map; records and thrown dice may not."""
    if isinstance(kind, (Maybe, List)):
        return may_be_key(kind.of)
    return not isinstance(kind, (Record, Roll, ThrownDie, Map))

"""The values that a run computes with, and the text of each.

Numbers are `int`, truth is `bool`, words and text are `str`, lists are `tuple`, records are mappings that never
change, and a missing value is `None`. Only dice have types of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from interpreter.work_count import spend

Face = int | str
"""A face of a die: a number, or the symbols of a custom face, `success + advantage`."""


class Die(NamedTuple):
    """One die that is not thrown. `faces` is None for 1 to `size`; a custom die has a `name` and its faces."""

    size: int
    tags: tuple[str, ...] = ()
    name: str | None = None
    faces: tuple[Face, ...] | None = None

    def __str__(self) -> str:
        return die_in_words(self)


class Code(NamedTuple):
    """`3D+2`: dice, and pips that are added to their sum. `number` is how many dice; `die` is what `D` means."""

    number: int
    pips: int
    die: Die

    @property
    def dice(self) -> tuple[Die, ...]:
        return (self.die,) * self.number

    def __str__(self) -> str:
        return f"{self.number}D" + (f"{self.pips:+}" if self.pips else "")


class Thing(NamedTuple):
    """An object: a character, the group, a place. The state holds its attributes under its `id`."""

    id: str
    kind: str

    def __str__(self) -> str:
        return self.id


class Throw(NamedTuple):
    """One throw of a die: the face, its number from 1, what it counts, and the names of the roll's `each`."""

    face: Face
    nth: int
    counts: int
    names: Mapping[str, Any]


class Scoring(NamedTuple):
    """How a new throw of a die counts: by `each` and `counts` of the roll step at `path`.

    `names` are the values of earlier steps that these read, as they were when the die was first thrown. An empty path
    means that it is unknown: a host has given dice whose values differ from their faces.
    """

    path: str
    names: tuple[tuple[str, Any], ...] = ()


class Thrown(NamedTuple):
    """A die on the table, with its throws in order.

    `key` numbers the dice of a whole run in the order of their first throws, so that no two dice are equal.
    `scoring` says how a new throw of it counts; if None, as its face.
    """

    die: Die
    part: str | None
    key: int
    throws: tuple[Throw, ...]
    value: int
    scoring: Scoring | None = None

    @property
    def face(self) -> Face:
        return self.throws[0].face

    def with_key(self, key: int) -> Thrown:
        """The same die with another key; `_replace` takes twice as long."""
        return Thrown(self.die, self.part, key, self.throws, self.value, self.scoring)


MOST_HELD = 100_000
"""How many values one list or record may hold in all, nested ones included."""


def hashable(value: Any) -> Any:
    """A value of the same hash for equal values: records and maps, also those inside lists, have no hash themselves."""
    try:
        hash(value)
    except TypeError:
        if isinstance(value, Mapping):
            return frozenset((name, hashable(one)) for name, one in value.items())
        return tuple(map(hashable, value))
    return value


def count_values(value: Any, most: int = MOST_HELD) -> int:
    """How many values a list or record holds in all; counting stops beyond `most`.

    A value that it holds twice counts twice, because writing or comparing it takes twice as long.
    """
    return _count_values(value, most, {})


def _count_values(value: Any, most: int, known: dict[int, int]) -> int:
    if type(value) is dict:
        parts: Any = value.values()
    elif type(value) is tuple:
        parts = value
        if type(next(iter(value), None)) not in (tuple, dict):  # the elements of a list are of one type
            return len(value)
    else:
        return 1
    counted = known.get(id(value))
    if counted is None:
        counted = 1
        for one in parts:
            counted += _count_values(one, most, known) if type(one) in (tuple, dict) else 1
            if counted > most:
                break
        known[id(value)] = counted
    return counted


Roll = tuple[Thrown, ...]
Dice = tuple[Die, ...]


def faces_of(die: Die) -> tuple[Face, ...]:
    """Every face of a die in its fixed order, equal faces repeated."""
    return die.faces if die.faces is not None else tuple(range(1, die.size + 1))


def faces_in_words(die: Die) -> str:
    """`1 to 6`; for a custom die, each different face."""
    return f"1 to {die.size}" if die.faces is None else ", ".join(dict.fromkeys(map(str, die.faces)))


def has_face_within(die: Die, low: int | None, high: int | None) -> bool:
    """Whether a die has a number within these bounds; a bound that is None does not apply."""
    if die.faces is None:
        return (low is None or low <= die.size) and (high is None or high >= 1)
    numbers = [face for face in die.faces if isinstance(face, int)]
    return any((low is None or face >= low) and (high is None or face <= high) for face in numbers)


def face_number(face: Face) -> int:
    """The number of a face; a face of symbols counts 0."""
    return face if isinstance(face, int) else 0


def symbols(face: Face) -> Counter[str]:
    """The count of each symbol on a face; empty for numbers and for `blank`."""
    if isinstance(face, int) or face == "blank":
        return Counter()
    return Counter(face.split(" + "))


def dice_in_words(dice: Iterable[Die], shown: Callable[[str], str] = str) -> str:
    """The pool as an author writes it, biggest dice first, equal ones together: `2d12 & d4`."""
    groups = Counter(dice)
    ordered = sorted(groups, key=lambda die: (-die.size, die.tags, die.name or ""))
    if not ordered:
        return "no_dice"
    return " & ".join(
        f"{groups[die] if groups[die] > 1 else ''}{die_in_words(die, shown)}"
        if not die.name or groups[die] == 1
        else f"times({die_in_words(die, shown)}, {groups[die]})"
        for die in ordered
    )


MOST_BITS = 256
"""A longer number is written as its length; no valid number has more than 64 bits."""


def split_list(text: str) -> list[str]:
    """The parts of a list as people write it: split at commas outside brackets, without blanks around them."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "{[(") - (sign in "}])")
        if sign == "," and depth <= 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [one.strip() for one in parts if one.strip()]


def is_same_in_writing(one: str, other: str) -> bool:
    """Whether two texts are the same, or the same record: the order of its fields and blanks make no difference."""
    if one == other:
        return True
    records = [text.strip() for text in (one, other)]
    if not all(text.startswith("{") and text.endswith("}") for text in records):
        return False
    first, second = (sorted(" ".join(part.split()) for part in split_list(text[1:-1])) for text in records)
    return first == second


def in_words(value: Any, shown: Callable[[str | Thing], str] = str) -> str:
    """The text of a value, as the author of a ruleset writes it; words and things as they are `shown`."""
    if value is None:
        return "(missing)"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return f"a number of {value.bit_length()} bits"  # Python refuses to write some of them
    if isinstance(value, (str, Thing)):
        return shown(value)
    if isinstance(value, Die):
        return die_in_words(value, shown)
    if isinstance(value, (int, Code)):
        return str(value)
    if not isinstance(value, Iterable):
        return repr(value)[:80]  # a host may pass a value of any type
    if isinstance(value, Thrown):
        return _thrown_in_words(value, shown)
    if isinstance(value, Throw):
        return str(value.face)
    if isinstance(value, Mapping):
        parts = [f"{in_words(key, shown)}: {in_words(one, shown)}" for key, one in value.items() if one is not None]
        return f"{{{', '.join(parts)}}}"
    items = list(value)
    if items and all(isinstance(item, Die) for item in items):
        return dice_in_words(items, shown)
    if items and all(isinstance(item, Thrown) for item in items):
        return ", ".join([_thrown_in_words(item, shown) for item in items])
    return f"[{', '.join([in_words(one, shown) for one in items])}]"


def die_in_words(die: Die, shown: Callable[[str], str] = str) -> str:
    """A die as an author writes it, its name and its tags as they are `shown`."""
    return " ".join((shown(die.name) if die.name else f"d{die.size}", *map(shown, die.tags)))


@lru_cache(4096)
def _plain_throw_in_words(die: Die, face: Face) -> str:
    return f"{die_in_words(die)}: {face}"


def _thrown_in_words(thrown: Thrown, by: Callable[[str], str]) -> str:
    """`d6: 5`, `d6: 5 (=6)`, `d6: 6→4 (=10)`, or `d6: 6→4 (6+6=12)` where a throw of several counts not as its face."""
    throws = thrown.throws
    if by is str and len(throws) == 1 and thrown.value == thrown.face:
        return _plain_throw_in_words(thrown.die, thrown.face)
    die = die_in_words(thrown.die, by)
    shown = "→".join(str(throw.face) for throw in throws)
    if len(throws) == 1 and (thrown.value == thrown.face or not isinstance(thrown.face, int)):
        return f"{die}: {shown}"
    shows_counts = len(throws) > 1 and any(throw.counts != throw.face for throw in throws)
    adds = sum(throw.counts for throw in throws) == thrown.value
    counts = "+".join(str(throw.counts) for throw in throws).replace("+-", "-") if shows_counts and adds else ""
    return f"{die}: {shown} ({counts}={thrown.value})"


def to_data(value: Any) -> Any:
    """The value as plain JSON data. Dice are text; a thrown die is a mapping of its die, faces and values."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (Die, Code, Thing)):
        return str(value)
    if isinstance(value, Thrown):
        data: dict[str, Any] = {"die": str(value.die), "faces": [t.face for t in value.throws], "value": value.value}
        return data | ({"part": value.part} if value.part else {})
    if isinstance(value, Throw):
        return {"face": value.face, "counts": value.counts} | {k: to_data(v) for k, v in value.names.items()}
    if isinstance(value, Mapping):
        return {str(key): to_data(item) for key, item in value.items()}
    items = list(value)
    if items and all(isinstance(item, Die) for item in items):
        return dice_in_words(items)
    spend(1 + len(items))
    return [to_data(item) for item in items]

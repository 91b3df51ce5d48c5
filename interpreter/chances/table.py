"""One table for all that shows odds: the law of a result, beside the law that it is compared with, if any."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from enum import IntEnum
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from interpreter.chances.estimate import Estimate
from interpreter.chances.percent import error_of_difference
from interpreter.frozen import dataclass

NOT_FOLLOWED = "(not followed)"
FLAGS = "also"
"""The title of the table with all that is yes or no."""
NONE = Fraction(0)
SLIGHT = Fraction(1, 2000)
"""A change of a chance that its percentage with one digit hardly shows."""


@dataclass(frozen=True)
class ChanceRow:
    """The chance of a value, or another number of a law, and the `base` that it is compared with.

    Each is exact, an `Estimate` or `Bounded`; None where there is none. The base is None, too, where nothing is
    compared. Of several `values` together, `value` has all. A difference up to `slack` may be none.
    """

    label: str
    number: Fraction | None
    base: Fraction | None = None
    value: Any = None
    kind: Literal["chance", "mean", "missing"] = "chance"
    slack: Fraction = NONE

    @property
    def chance(self) -> Fraction:
        """The number; 0 where there is none."""
        return NONE if self.number is None else self.number

    @property
    def numbers(self) -> tuple[Fraction, ...]:
        """The numbers that there are, the base first."""
        return tuple(one for one in (self.base, self.number) if one is not None)

    @property
    def difference(self) -> Fraction:
        """How much the number differs from its base."""
        return Fraction(self.chance - (self.base or NONE))

    @property
    def error(self) -> float:
        """By how much the difference may be off: 0 for exact numbers."""
        return error_of_difference(self.base or NONE, self.chance)

    @property
    def differs(self) -> bool:
        """Whether there is a difference that can be told from none, also of what was not followed."""
        return (self.base is None) != (self.number is None) or abs(self.difference) > self.slack

    @property
    def changes(self) -> bool:
        """Whether a result differs."""
        return self.kind != "missing" and self.differs

    @property
    def is_possible(self) -> bool:
        """Whether it is more than a word that comes on neither side, which is kept for the order of words."""
        return self.kind == "mean" or any(self.numbers)


class Subject(IntEnum):
    """What a table is about: what a rule tells, what things have after it, or a value behind these."""

    RESULT = 0
    AFTERWARDS = 1
    BEHIND = 2


@dataclass(frozen=True)
class ChanceTable:
    """The law of one result, or of several together, the `names`; the outcome has no title.

    `kind` says what the rows are: the chance of each value, or of `at_least` or `at_most` as much. `missing` is what
    was not followed, for the reason `why`. Of numbers that are asked for there are the `mean` and the `deviation`, or a
    `note` why there are none. `margins` are the laws of each of two names.
    """

    title: str
    rows: tuple[ChanceRow, ...]
    missing: ChanceRow | None = None
    mean: ChanceRow | None = None
    deviation: float | None = None
    names: tuple[str, ...] = ()
    kind: Literal["chance", "at_least", "at_most"] = "chance"
    note: str = ""
    why: str = ""
    is_shortened: bool = False
    subject: Subject = Subject.RESULT
    margins: tuple[ChanceTable, ...] = ()

    @property
    def shares(self) -> tuple[ChanceRow, ...]:
        """The rows, and what was not followed, if anything."""
        rest = (self.missing,) if self.missing is not None and self.missing.is_possible else ()
        return (*self.rows, *rest)

    @property
    def lines(self) -> tuple[ChanceRow, ...]:
        """The mean, if there is one, and the shares."""
        return (*((self.mean,) if self.mean is not None else ()), *self.shares)

    @property
    def is_flag(self) -> bool:
        """Whether it has only the values yes and no."""
        return bool(self.rows) and len(self.shares) == len(self.rows) and self.has_flags

    @property
    def is_compared(self) -> bool:
        """Whether any of its rows has a base."""
        return any(one.base is not None for one in self.rows)

    @property
    def has_flags(self) -> bool:
        """Whether all values that were found are yes or no."""
        return all(isinstance(one.value, bool) for one in self.rows)

    @property
    def changes(self) -> bool:
        return any(one.changes for one in self.lines)

    @property
    def certain(self) -> tuple[str, str] | None:
        """The value before and after, if both are certain and it is not the outcome or one of several flags."""
        if self.title in ("", FLAGS):
            return None
        before = [one.label for one in self.shares if one.base == 1]
        after = [one.label for one in self.shares if one.number == 1]
        return (before[0], after[0]) if before and after else None

    @property
    def size(self) -> Fraction:
        """How much a chance changes at most."""
        return max((abs(one.difference) for one in self.shares if one.changes), default=NONE)

    @property
    def largest(self) -> ChanceRow | None:
        """The row that says what changes most: of a number its mean, of words the chance of one."""
        if self.mean is not None and self.mean.changes:
            return self.mean
        return max((one for one in self.shares if one.changes), key=lambda one: abs(one.difference), default=None)

    def row(self, label: str) -> ChanceRow | None:
        """The line with a label."""
        return self._lines_by_label.get(label)

    @cached_property
    def _lines_by_label(self) -> dict[str, ChanceRow]:
        """The first line with each label: a grid asks each table for many."""
        return {one.label: one for one in reversed(self.lines)}

    def with_plain_words(self) -> ChanceTable:
        """The table with names of the ruleset as words: `complication_range` is `complication range`."""
        rows = tuple(replace(one, label=plain_words(one.label)) for one in self.rows)
        return replace(self, title=plain_words(self.title), rows=rows)

    def without_base(self) -> ChanceTable:
        """The table of something new, which is compared with nothing."""
        rows, missing, mean = (
            [_row_without_base(one) for one in part if one] for part in (self.rows, [self.missing], [self.mean])
        )
        return replace(self, rows=tuple(rows), missing=next(iter(missing), None), mean=next(iter(mean), None))


def _row_without_base(row: ChanceRow) -> ChanceRow:
    return replace(row, base=None, slack=NONE)


def sort_key_of_change(one: ChanceTable) -> tuple[int, bool, Fraction]:
    """What tells more of a change: results before what things have afterwards, larger changes before smaller, and of
    results those with chances before those that are certain on both sides."""
    is_chance = any(row.base not in (None, 0, 1) or row.number not in (0, 1) for row in one.lines)
    return (-one.subject if one.size >= SLIGHT else -len(Subject), one.subject != Subject.RESULT or is_chance, one.size)


def plain_words(name: str) -> str:
    """Names of the ruleset as words."""
    return name.replace("_", " ")


def with_flags_together(tables: Iterable[ChanceTable], first_alone: bool = False) -> list[ChanceTable]:
    """Tables with all that is yes or no as the last one; with `first_alone`, the first table stays what it is."""
    others, flags = [], []
    for place, one in enumerate(tables):
        if one.is_flag and (place or not first_alone):
            yes = one.row("yes") or _impossible_row(one.rows[0])
            flags.append(replace(yes, label=one.title or "outcome"))
        else:
            others.append(one)
    return [*others, *([ChanceTable(FLAGS, tuple(flags))] if flags else [])]


def _impossible_row(other: ChanceRow) -> ChanceRow:
    """The row of a value that no run has, beside another row of its table."""
    none = Estimate.share(0, other.number.runs) if isinstance(other.number, Estimate) else NONE
    return replace(other, label="yes", value=True, number=none, base=None if other.base is None else NONE)


@dataclass(frozen=True)
class OddsPoint:
    """The odds at one place: its inputs in words, or its place in a grid, and its tables.

    `data` is what programs are told of it besides.
    """

    given: str
    tables: tuple[ChanceTable, ...]
    at: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return self.given or ", ".join(f"{name} {value}" for name, value in self.at.items())

    @property
    def changes(self) -> bool:
        return any(one.changes for one in self.tables)

    @property
    def changing_tables(self) -> tuple[ChanceTable, ...]:
        """The results of which any chance changes; all of them if none does."""
        return tuple(one for one in self.tables if one.changes) or self.tables

    @property
    def largest(self) -> ChanceTable | None:
        """The result that changes most; of values behind the results, the last one."""
        changed = [one for one in self.tables if one.changes]
        direct = [one for one in changed if one.subject != Subject.BEHIND]
        return max(direct, key=sort_key_of_change) if direct else next(iter(changed), None)

    @property
    def size(self) -> Fraction:
        """How much a chance changes at most."""
        return self.largest.size if self.largest is not None else NONE


@dataclass(frozen=True)
class ReportNote:
    """Lines with a title below the odds; those of a `listing` are not broken."""

    title: str
    lines: tuple[str, ...]
    listing: bool = False


def merge_in_order(a: Iterable[Any], b: Iterable[Any]) -> list[Any]:
    """The elements of both, in the order of the first; others keep their place after the one before them in `b`."""
    merged = list(a)
    after = 0
    for one in b:
        if one in merged:
            after = merged.index(one) + 1
        else:
            merged.insert(after, one)
            after += 1
    return merged


def all_rows(tables: Sequence[ChanceTable]) -> list[ChanceRow]:
    """The rows of all tables."""
    return [row for table in tables for row in table.rows]

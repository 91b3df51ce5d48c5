"""What a change does to the odds as numbers: chances and means before and after, by result, input and rule."""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction

from interpreter.frozen import dataclass
from interpreter.report.figures import NOT_FOLLOWED

FLAGS = "also"
"""The title of the table with all that is yes or no."""
SLIGHT = Fraction(1, 2000)
"""A change of a chance that its percentage with one digit hardly shows."""


@dataclass(frozen=True)
class Figure:
    """A number before and after: a chance of a result, or a mean; None where there is none.

    `slack` is the chance that was not followed, on both sides together: a difference up to it may be none.
    """

    label: str
    before: Fraction | None
    after: Fraction | None
    is_mean: bool = False
    slack: Fraction = Fraction(0)

    @property
    def changes(self) -> bool:
        if self.before is None or self.after is None:
            return self.before != self.after
        return not self.is_rest and abs(self.difference) > self.slack

    @property
    def difference(self) -> Fraction:
        """How much the number changes."""
        return (self.after or Fraction(0)) - (self.before or Fraction(0))

    @property
    def is_possible(self) -> bool:
        """Whether it is more than a word that comes on neither side, which is kept for the order of words."""
        return self.is_mean or bool(self.before or self.after)

    @property
    def is_rest(self) -> bool:
        """Whether it is the chance of what was not followed, which is no result."""
        return self.label == NOT_FOLLOWED


class Told(IntEnum):
    """What a table is about: what a rule tells, what things have after it, or a value behind these."""

    RESULT = 0
    LEFT = 1
    BEHIND = 2


@dataclass(frozen=True)
class ValueTable:
    """The figures of one result; the outcome has no title."""

    title: str
    figures: tuple[Figure, ...]
    told: Told = Told.RESULT

    @property
    def changes(self) -> bool:
        return any(one.changes for one in self.figures)

    @property
    def certain(self) -> tuple[str, str] | None:
        """The value before and after, if both are certain and it is not the outcome or one of several flags."""
        if self.title in ("", FLAGS):
            return None
        chances = [one for one in self.figures if not one.is_mean]
        before = [one.label for one in chances if one.before == 1]
        after = [one.label for one in chances if one.after == 1]
        return (before[0], after[0]) if before and after else None

    @property
    def size(self) -> Fraction:
        """How much a chance changes at most."""
        changed = [abs(one.difference) for one in self.figures if one.changes and not one.is_mean]
        return max(changed, default=Fraction(0))

    @property
    def largest(self) -> Figure | None:
        """The figure that says what changes most: of a number its mean, of words the chance of one."""
        changed = [one for one in self.figures if one.changes]
        means = [one for one in changed if one.is_mean]
        return means[0] if means else max(changed, key=lambda one: abs(one.difference), default=None)


@dataclass(frozen=True)
class PointDelta:
    """The odds at one point: its inputs in words, its results, and what else changes there.

    `case` is the name of the case that has these inputs; those that a rule declares are shown without a change, too.
    """

    given: str
    panels: tuple[ValueTable, ...]
    case: str = ""
    declared: bool = False

    @property
    def changes(self) -> bool:
        return any(one.changes for one in self.panels)

    @property
    def changing(self) -> tuple[ValueTable, ...]:
        """The results of which any chance changes; all of them if none does."""
        return tuple(one for one in self.panels if one.changes) or self.panels

    @property
    def largest(self) -> ValueTable | None:
        """The result that changes most; of values behind the results, the last one."""
        changed = [one for one in self.panels if one.changes]
        found = [one for one in changed if one.told != Told.BEHIND]
        return max(found, key=rank) if found else next(iter(changed), None)

    @property
    def size(self) -> Fraction:
        """How much a chance changes at most."""
        return self.largest.size if self.largest is not None else Fraction(0)


def rank(one: ValueTable) -> tuple[int, bool, Fraction]:
    """What tells more of a change: results before what things have afterwards, larger changes before smaller, and of
    results those with chances before those that are certain on both sides."""
    is_chance = any(each.before not in (None, 0, 1) or each.after not in (0, 1) for each in one.figures)
    return (-one.told if one.size >= SLIGHT else -len(Told), one.told != Told.RESULT or is_chance, one.size)


@dataclass(frozen=True)
class RuleDelta:
    """What a change does to the odds of a rule: at the points where it does something, and how many others there are.

    Of further points, at `alike` the odds are those of a point shown, and at `slight` no chance changes by as much as
    `SLIGHT`. `only_now` and `no_longer` are the inputs that just one side allows. `refused` says why there is nothing
    to compare, `unread` that what things have afterwards took too much. `is_new` has odds that nothing stands beside.
    """

    path: str
    title: str
    points: tuple[PointDelta, ...] = ()
    same: int = 0
    slight: int = 0
    alike: int = 0
    only_now: tuple[str, ...] = ()
    no_longer: tuple[str, ...] = ()
    refused: str = ""
    unread: bool = False
    is_new: bool = False

    @property
    def name(self) -> str:
        return self.path.partition(".")[2]

    @property
    def section(self) -> str:
        return self.path.partition(".")[0]

    @property
    def odds_change(self) -> bool:
        return any(one.changes for one in self.points)

    @property
    def changes(self) -> bool:
        """Whether any chance changes, or what is allowed."""
        return self.odds_change or bool(self.only_now or self.no_longer)

    @property
    def is_slight(self) -> bool:
        """Whether it changes so little that percentages hardly show it."""
        return self.changes and not (self.only_now or self.no_longer) and all(one.size < SLIGHT for one in self.points)

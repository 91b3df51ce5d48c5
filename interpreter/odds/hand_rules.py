"""The shortest rule by which the best answers follow from what is seen of dice: `what shows 4 or more`, or an answer
`when the lowest is 3 or less`.

A rule is a decision list (Rivest, Learning Decision Lists, 1987): conditions in order, each with what to do, and what
to do otherwise. Lists without a condition are tried first, then those with one, and so on, so the first that fits is
the shortest. A rule is told only if it gives the answer to every decision, or to all but a few, which it names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import eq, ge, le
from typing import Any, Literal, TypeVar

from interpreter.frozen import dataclass
from interpreter.odds.answer import Advice, DieSeen
from interpreter.values import in_words

MOST_CONDITIONS = 2
"""The most conditions of a rule; a longer one is no easier to follow than a list."""
MOST_EXCEPTIONS = 3
"""The most decisions that a rule names apart."""
RULE_OF = 8
"""For each exception a rule needs so many decisions: a rule of few with exceptions is no rule."""
MOST_DECISIONS = 1_500
"""The most decisions of a choice of which a rule is looked for."""
MOST_LISTS = 20_000
"""The most lists of conditions that are tried."""
MOST_RULES = 500
"""The most rules of the same number of conditions of which the one with the fewest letters is told."""
MOST_THRESHOLDS = 40
"""The most values of a reading that are compared with."""

SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {"==": eq, ">=": ge, "<=": le}
"""How a reading, or what a die shows, is compared; the plainest first."""
Picks = Literal["all", "none", "paired", "commonest", "highest", "lowest"]
Hand = tuple[DieSeen, ...]
Found = TypeVar("Found")


@dataclass(frozen=True)
class ReadingCondition:
    """A reading that is at most, at least or exactly a value: `sum(rolled)`, `nth`, `count(rolled where face >= 5)`."""

    reading: str
    sign: str
    value: Any


@dataclass(frozen=True)
class Advised:
    """What to do: the answer itself; or which dice of `roll` to pick.

    The `picks` are all, none, a `count` of the highest or of the lowest, those that another die is like (`paired`), or
    the most that show the same (`commonest`); with a `sign`, only those of them that show so much, as with `<=` and
    `limit`.
    """

    answer: str = ""
    roll: str = ""
    picks: Picks | None = None
    count: int = 0
    sign: str = ""
    limit: int = 0


@dataclass(frozen=True)
class HandRule:
    """What to do under the first condition that holds, and otherwise; and decisions that are different."""

    clauses: tuple[tuple[ReadingCondition, Advised], ...]
    otherwise: Advised
    exceptions: tuple[Advice, ...] = ()


class RuleSearch:
    """The search for the rules of one choice, whose decisions are bits of whole numbers: those at which a condition
    holds, and those that an answer fits. Of too many decisions there are no rules."""

    def __init__(self, advice: Sequence[Advice]) -> None:
        self.advice = advice = advice if len(advice) <= MOST_DECISIONS else ()
        self.everything = everything = (1 << len(advice)) - 1
        self.misfits = [(everything & ~mask, one) for mask, one in _distinct(_answers_of(advice))]
        self.holds = [(mask, one) for mask, one in _distinct(_conditions_of(advice)) if mask not in (0, everything)]
        self.tried = 0

    def exact(self) -> list[HandRule]:
        """The shortest rules that give the answer to every decision, all with the same number of conditions."""
        for most in range(MOST_CONDITIONS + 1 if self.advice else 0):
            found = [HandRule(*one) for one in islice(self._lists(self.everything, most), MOST_RULES)]
            if found:
                return found
        return []

    def _lists(self, left: int, most: int) -> Iterator[tuple[tuple[tuple[ReadingCondition, Advised], ...], Advised]]:
        """Every list of `most` conditions for the decisions that are left, up to a number of trials."""
        self.tried += 1
        if not most:
            yield from [((), one) for misfit, one in self.misfits if not left & misfit]
            return
        for mask, condition in self.holds:
            here = left & mask
            if here in (0, left) or self.tried > MOST_LISTS:
                continue
            then = [one for misfit, one in self.misfits if not here & misfit]
            for clauses, last in self._lists(left & ~mask, most - 1) if then else ():
                yield from [(((condition, one), *clauses), last) for one in then]

    def with_exceptions(self) -> HandRule | None:
        """The rule with the fewest conditions, of which it has at most one, and exceptions; None for many of these."""

        def best(part: int) -> tuple[int, int, Advised]:
            wrong, place = min(((part & misfit).bit_count(), place) for place, (misfit, _) in enumerate(self.misfits))
            return wrong, part & self.misfits[place][0], self.misfits[place][1]

        if not self.misfits:
            return None
        count, wrong, last = best(self.everything)
        length, found = count, HandRule((), last, self._at(wrong))
        for mask, condition in self.holds:
            (one, here, then), (two, there, last) = best(mask), best(self.everything & ~mask)
            if 1 + one + two < length:
                length, found = 1 + one + two, HandRule(((condition, then),), last, self._at(here | there))
        most = min(MOST_EXCEPTIONS, len(self.advice) // RULE_OF)
        return found if len(found.exceptions) <= most else None

    def _at(self, mask: int) -> tuple[Advice, ...]:
        return tuple(one for place, one in enumerate(self.advice) if mask >> place & 1)


def _distinct(found: Iterable[tuple[int, Found]]) -> list[tuple[int, Found]]:
    """The first, and so the plainest, of those that hold at the same decisions."""
    kept: dict[int, Found] = {}
    for mask, one in found:
        kept.setdefault(mask, one)
    return list(kept.items())


def _mask(flags: Iterable[bool]) -> int:
    return int("".join("1" if one else "0" for one in flags)[::-1] or "0", 2)


# What is done ----------------------------------------------------------------------------------------------------


def _answers_of(advice: Sequence[Advice]) -> Iterator[tuple[int, Advised]]:
    """Everything that may be done, with the decisions that it fits: the answers, or picks from a roll."""
    if any(one.picked is None for one in advice) or not any(one.picked for one in advice):
        for answer in dict.fromkeys(in_words(one.answer) for one in advice):
            yield _mask(in_words(one.answer) == answer for one in advice), Advised(answer)
        return
    for roll in _rolls(advice):
        hands = [one.hands[roll] for one in advice]
        for advised in _picks(roll, hands):
            yield _mask(picked_of(advised, one.hands[roll]) == one.picked for one in advice), advised


def _rolls(advice: Sequence[Advice]) -> list[str]:
    return [name for name in (advice[0].hands if advice else ()) if all(name in one.hands for one in advice)]


def _picks(roll: str, hands: Sequence[Hand]) -> Iterator[Advised]:
    """Ways to pick dice of a roll, the plainest first."""
    faces = sorted({die.face for hand in hands for die in hand})
    most = max(map(len, hands), default=0)
    yield Advised(roll=roll, picks="none")
    yield Advised(roll=roll, picks="all")
    for sign in SIGNS:
        yield from (Advised(roll=roll, picks="all", sign=sign, limit=face) for face in faces)
    yield Advised(roll=roll, picks="paired")
    yield Advised(roll=roll, picks="commonest")
    for count in range(1, most):
        for picks, sign in _ENDS:
            yield Advised(roll=roll, picks=picks, count=count)
            for face in faces:
                only = "==" if face == (faces[0] if sign == "<=" else faces[-1]) else sign
                yield Advised(roll=roll, picks=picks, count=count, sign=only, limit=face)


_ENDS: tuple[tuple[Picks, str], ...] = (("highest", ">="), ("lowest", "<="))


def picked_of(advised: Advised, hand: Hand) -> Hand:
    """The dice of a hand that are picked, from the highest; of a hand whose dice are from the highest."""
    match advised.picks:
        case "none":
            return ()
        case "paired":
            often = Counter(die.face for die in hand)
            return tuple([die for die in hand if often[die.face] > 1])
        case "commonest":  # of several, those that show more, which a hand has first
            often = Counter(die.face for die in hand)
            return tuple([die for die in hand if die.face == max(often, key=lambda face: often[face])])
        case "highest":
            picked = hand[: advised.count]
        case "lowest":
            picked = hand[max(len(hand) - advised.count, 0) :]
        case _:
            picked = hand
    if not advised.sign:
        return picked
    holds, limit = SIGNS[advised.sign], advised.limit
    return tuple([die for die in picked if holds(die.face, limit)])


# When ------------------------------------------------------------------------------------------------------------


def _conditions_of(advice: Sequence[Advice]) -> Iterator[tuple[int, ReadingCondition]]:
    """Every condition on a reading that all decisions have, and where it holds; the plainest reading first."""
    for reading, values in _readings(advice):
        known = list(dict.fromkeys(values))
        if len(known) < 2 or len(known) > MOST_THRESHOLDS:
            continue
        signs = list(SIGNS) if all(type(one) is int for one in known) else ["=="]
        for sign in signs:
            for value in known:
                yield _mask(SIGNS[sign](one, value) for one in values), ReadingCondition(reading, sign, value)


def _readings(advice: Sequence[Advice]) -> Iterator[tuple[str, list[Any]]]:
    """What may be read at all decisions: short values that are seen, readings of rolls, and counts of their faces."""
    rolls = _rolls(advice)
    for name in advice[0].seen:
        if all(name in one.seen and type(one.seen[name]) in (int, bool) for one in advice):
            yield name, [one.seen[name] for one in advice]
    for name in advice[0].readings:
        if all(name in one.readings for one in advice):
            yield name, [one.readings[name] for one in advice]
    for roll in rolls:
        faces = sorted({die.face for one in advice for die in one.hands[roll]})
        for sign in (">=", "=="):
            for face in faces[1:] if sign == ">=" else faces:
                yield (
                    f"count({roll} where face {sign} {face})",
                    [sum(SIGNS[sign](die.face, face) for die in one.hands[roll]) for one in advice],
                )

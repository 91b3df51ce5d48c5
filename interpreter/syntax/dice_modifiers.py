"""What stands behind dice in the notation of dice bots and virtual tabletops: `kh3`, `!p`, `ro<3`, `cs>=5`, `mi2`.

A modifier is read into one of a few kinds, whatever tool writes it so. Sources: the manuals of Roll20, Foundry, RPG
Dice Roller, d20 (Avrae) and Gnoll. What two of them read differently is a `Modifier` of one reading here, and
`dice_notation` tells the other one; what has no usual reading is refused there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum, auto
from functools import cache

from interpreter.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """`>=5` behind dice: a comparison with a number, which is equality if no sign is written."""

    sign: str
    number: int

    def holds(self, face: int) -> bool:
        return HOLDS[self.sign](face, self.number)

    def on_value(self, value: str) -> str:
        """The condition on a value, as an expression of the language."""
        return f"{value} {self.sign} {self.number}"

    @property
    def is_strict(self) -> bool:
        """Whether it is `>` or `<`, which Roll20 reads as `>=` and `<=`."""
        return self.sign in ("<", ">")


OPPOSITE = {">=": "<", ">": "<=", "<=": ">", "<": ">=", "==": "!=", "!=": "=="}

HOLDS: dict[str, Callable[[int, int], bool]] = {
    ">=": lambda face, number: face >= number,
    ">": lambda face, number: face > number,
    "<=": lambda face, number: face <= number,
    "<": lambda face, number: face < number,
    "==": lambda face, number: face == number,
    "!=": lambda face, number: face != number,
}
"""What each sign of the language says of a face and a number."""


class ModifierKind(Enum):
    EXPLODE = auto()  # thrown once more, and all throws count: each of them, or their sum
    STACK = auto()
    PENETRATE = auto()  # every later throw counts one less
    ONCE_MORE = auto()  # thrown once more, and not a third time
    REROLL_ONCE = auto()
    REROLL_UNTIL = auto()
    REROLL = auto()  # the one or the other: tools differ
    KEEP_SOME = auto()  # the highest, or the dice that show a number: tools differ
    KEEP_HIGHEST = auto()
    KEEP_LOWEST = auto()
    DROP_HIGHEST = auto()
    DROP_LOWEST = auto()
    KEEP_WHERE = auto()
    DROP_WHERE = auto()
    LEAST = auto()
    MOST = auto()
    COUNT = auto()
    COUNT_FAILURES = auto()
    LESS_FAILURES = auto()  # a failure counts -1
    SUBTRACT_FAILURES = auto()  # a failure counts as its face with a minus
    EVEN = auto()
    ODD = auto()
    MARGIN = auto()
    SORT = auto()
    UNIQUE = auto()
    MATCH = auto()
    UNKNOWN = auto()


THROWN_ON = (ModifierKind.EXPLODE, ModifierKind.STACK, ModifierKind.PENETRATE, ModifierKind.ONCE_MORE)
KEPT = (
    ModifierKind.KEEP_SOME,
    ModifierKind.KEEP_HIGHEST,
    ModifierKind.KEEP_LOWEST,
    ModifierKind.DROP_HIGHEST,
    ModifierKind.DROP_LOWEST,
)
SELECTED = (ModifierKind.KEEP_WHERE, ModifierKind.DROP_WHERE)
COUNTED = (ModifierKind.COUNT, ModifierKind.COUNT_FAILURES, ModifierKind.EVEN, ModifierKind.ODD)
WEIGHED = (ModifierKind.LESS_FAILURES, ModifierKind.SUBTRACT_FAILURES)


@dataclass(frozen=True, slots=True)
class DiceModifier:
    """A modifier from `start` up to `end` of a text, as it is written there, with its condition and its number."""

    kind: ModifierKind
    start: int
    end: int
    text: str
    condition: Condition | None = None
    number: int | None = None


_SIGNS = r"(?:>=|<=|<>|!=|=|>|<)"
_ON = rf"(?P<on>{_SIGNS}?\d+)"
_SPACED = rf"(?P<on>\d+|\s*{_SIGNS}\s*\d+)"
_SOME = r"(?P<some>\d+)?"

_FORMS: tuple[tuple[ModifierKind, str], ...] = (
    (ModifierKind.PENETRATE, rf"!!?p{_ON}?"),
    (ModifierKind.ONCE_MORE, rf"!o{_ON}?"),
    (ModifierKind.ONCE_MORE, rf"xo{_ON}?"),
    (ModifierKind.ONCE_MORE, rf"ra{_ON}"),
    (ModifierKind.STACK, rf"!!{_ON}?"),
    (ModifierKind.EXPLODE, rf"!{_ON}?"),
    (ModifierKind.EXPLODE, rf"x{_ON}?"),
    (ModifierKind.EXPLODE, rf"e{_ON}"),
    (ModifierKind.REROLL_UNTIL, rf"rr{_ON}?"),
    (ModifierKind.REROLL_ONCE, rf"ro{_ON}?"),
    (ModifierKind.LEAST, r"min?(?P<some>\d+)"),
    (ModifierKind.MOST, r"max?(?P<some>\d+)"),
    (ModifierKind.MARGIN, r"ms(?:>=|=|>)?(?P<some>\d+)"),
    (ModifierKind.COUNT, rf"cs{_SPACED}"),
    (ModifierKind.COUNT_FAILURES, rf"cf{_SPACED}"),
    (ModifierKind.LESS_FAILURES, rf"df{_SPACED}"),
    (ModifierKind.SUBTRACT_FAILURES, rf"sf{_SPACED}"),
    (ModifierKind.EVEN, "even"),
    (ModifierKind.ODD, "odd"),
    (ModifierKind.KEEP_WHERE, rf"k(?P<on>{_SIGNS}\d+)"),
    (ModifierKind.DROP_WHERE, rf"p{_ON}"),
    (ModifierKind.KEEP_HIGHEST, rf"\s*kh(?:\s*(?=\d))?{_SOME}"),
    (ModifierKind.KEEP_LOWEST, rf"\s*kl(?:\s*(?=\d))?{_SOME}"),
    (ModifierKind.KEEP_SOME, rf"\s*k(?:\s*(?=\d))?{_SOME}"),
    (ModifierKind.DROP_HIGHEST, rf"\s*dh(?:\s*(?=\d))?{_SOME}"),
    (ModifierKind.DROP_HIGHEST, rf"ph{_SOME}"),
    (ModifierKind.DROP_LOWEST, rf"\s*dl(?:\s*(?=\d))?{_SOME}"),
    (ModifierKind.DROP_LOWEST, rf"pl{_SOME}"),
    (ModifierKind.DROP_LOWEST, rf"d{_SOME}"),
    (ModifierKind.SORT, "s[ad]?"),
    (ModifierKind.UNIQUE, "uo?"),
    (ModifierKind.MATCH, r"mt?\d*"),
    (ModifierKind.REROLL, rf"r{_ON}?"),
)
"""The forms of the kinds; of those that begin alike, the longest stands first."""


@cache
def _compile_patterns() -> tuple[tuple[ModifierKind, re.Pattern[str]], ...]:
    """The patterns of the forms, which only dice with something behind them need."""
    return tuple((kind, re.compile(form + r"(?!_)", re.IGNORECASE)) for kind, form in _FORMS)


_LESS_FAILURES = re.compile(rf"(?P<counted>{_SIGNS}\d+)f{_ON}(?![\w!])", re.IGNORECASE)
"""Successes less failures: `>5f<=2`."""
_WORD = re.compile(r"[A-Za-z][\w!<>=]*")


def modifiers(text: str, start: int) -> Iterator[DiceModifier]:
    """The modifiers that stand in a text from `start` on, one behind the other.

    The last one is UNKNOWN, up to the end of the word, where letters follow that are no modifier.
    """
    at, word = start, start
    modifiers_read: list[DiceModifier] = []
    while at < len(text):
        if (both := _LESS_FAILURES.match(text, at)) is not None:
            yield from modifiers_read
            yield DiceModifier(
                ModifierKind.COUNT, at, both.end("counted"), both["counted"], condition_of(both["counted"])
            )
            failed = both.end("counted")
            yield DiceModifier(
                ModifierKind.LESS_FAILURES, failed, both.end(), text[failed : both.end()], condition_of(both["on"])
            )
            return
        one = _modifier_at(text, at)
        if one is None:
            break
        if not text[at - 1 : at].isalpha():
            word = len(modifiers_read)
        modifiers_read.append(one)
        at = one.end
    rest = _WORD.match(text, at)
    if rest is None:
        yield from modifiers_read
        return
    if text[at - 1 : at].isalpha():  # what was read of the same word belongs to what is unknown
        at = modifiers_read[word].start if modifiers_read else at
        modifiers_read = modifiers_read[:word]
    yield from modifiers_read
    yield DiceModifier(ModifierKind.UNKNOWN, at, rest.end(), text[at : rest.end()])


def _modifier_at(text: str, at: int) -> DiceModifier | None:
    for kind, pattern in _compile_patterns():
        if (match := pattern.match(text, at)) is not None:
            if match[0][0].isspace() and text[match.end() : match.end() + 1].isalpha():  # a word of its own
                continue
            groups = match.groupdict()
            condition = condition_of(groups["on"]) if groups.get("on") else None
            some = int(groups["some"]) if groups.get("some") else None
            return DiceModifier(kind, at, match.end(), match[0].strip(), condition, some)
    return None


def condition_of(text: str) -> Condition:
    """`6`, `=6`, `>5`, `<>1` as a condition."""
    sign, number = re.fullmatch(r"\s*(\D*?)\s*(\d+)", text).groups()  # type: ignore[union-attr]
    return Condition({"": "==", "=": "==", "<>": "!="}.get(sign, sign), int(number))

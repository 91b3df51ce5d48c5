"""Dice as they are written in a text, with what stands behind them, before anything is made of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.frozen import dataclass
from interpreter.syntax.dice_modifiers import DiceModifier, ModifierKind, modifiers

FUDGE = "fudge"
"""The name of a die of -1, 0 and 1, which others write `dF`."""
COIN = "coin"
"""The name of a die of 0 and 1, which Foundry writes `dc`."""
_NAMED_FACES = {"F": (FUDGE, (-1, 0, 1)), "F.2": (FUDGE, (-1, 0, 1)), "F.1": ("thin_fudge", (-1, 0, 0, 0, 0, 1)),
                "C": (COIN, (0, 1))}  # fmt: skip

_DIE = (
    r"(?:(?<!\w)(?P<several>\((?:[^()]|\([^()]*\))*\))|(?<![\w.])(?P<number>\d*))"
    r"[dD](?P<faces>\d+|%|[fF](?:\.[12])?|[cC]|\{\s*-?\d+(?:\.\.-?\d+)?(?:\s*,\s*-?\d+(?:\.\.-?\d+)?)*\s*\})"
)
DICE = re.compile(_DIE)


@dataclass(frozen=True)
class WrittenDice:
    """The dice of a match in a text.

    `number` is how many there are, perhaps as a formula; `pool`, `faces` and `dice` are as in `DiceTerm`; `end` is
    where the modifiers end.
    """

    text: str
    found: re.Match[str]
    number: str
    pool: str
    faces: tuple[int, ...]
    dice: tuple[tuple[str, tuple[int, ...]], ...]
    modifiers: tuple[DiceModifier, ...]
    end: int

    @staticmethod
    def of_match(text: str, match: re.Match[str]) -> WrittenDice:
        several, number = match["several"], match["number"]
        pool, faces, dice = _pool(match, several or number or "")
        behind = tuple(modifiers(text, match.end()))
        end = max((one.end for one in behind), default=match.end())
        return WrittenDice(text, match, several[1:-1] if several else number or "1", pool, faces, dice, behind, end)

    @property
    def without_modifiers(self) -> str:
        """The dice without what stands behind them."""
        return self.found[0]

    @property
    def whole_text(self) -> str:
        return self.text[self.found.start() : self.end]

    @property
    def written_count(self) -> str:
        """How many there are, if that is written."""
        return (self.found["several"] or self.found["number"] or "").strip("()")

    @property
    def is_name(self) -> bool:
        """Whether it is a name that begins like dice, as `d6b`."""
        return [one.kind for one in self.modifiers[:1]] == [ModifierKind.UNKNOWN] and not self.written_count

    def modifiers_of(self, *kinds: ModifierKind) -> list[DiceModifier]:
        return [one for one in self.modifiers if one.kind in kinds]

    def has_modifier(self, *kinds: ModifierKind) -> bool:
        return bool(self.modifiers_of(*kinds))

    def replace_modifier(self, one: DiceModifier, text: str) -> str:
        """The dice with another text in place of a modifier."""
        return self.text[self.found.start() : one.start] + text + self.text[one.end : self.end]

    def without_kinds(self, *kinds: ModifierKind) -> str:
        """The dice without modifiers of some kinds."""
        return self.without_modifiers + "".join(one.text for one in self.modifiers if one.kind not in kinds)


def kept_dice(number: str, modifiers: Sequence[DiceModifier]) -> str:
    """The dice that are kept of a roll `{}` of `number` dice: those that no modifier drops, each of which is about all.

    `number` may be a formula. It is empty if none are left.
    """
    high: list[str] = []
    low: list[str] = []
    for one in modifiers:
        some = str(one.number if one.number is not None else 1)
        left = subtract(number, some)
        highest = one.kind in (ModifierKind.KEEP_SOME, ModifierKind.KEEP_HIGHEST, ModifierKind.DROP_LOWEST)
        kept = left if one.kind in (ModifierKind.DROP_HIGHEST, ModifierKind.DROP_LOWEST) else some
        if kept == "0":
            return ""
        (high if highest else low).append(kept)
    top, bottom = _smallest_formula(high), _smallest_formula(low)
    if top and bottom:
        both = subtract(f"{top} + {bottom}", number)
        return f"lowest(highest({{}}, {top}), {both})" if both != "0" else ""
    return f"highest({{}}, {top})" if top else f"lowest({{}}, {bottom})" if bottom else "{}"


def subtract(number: str, some: str) -> str:
    """A number less another one, at least 0, as a number where both are known."""
    parts = number.split(" + ")
    if some.isdigit() and all(part.isdigit() for part in parts):
        return str(max(sum(map(int, parts)) - int(some), 0))
    return f"{number} - {some}"


def _smallest_formula(numbers: Sequence[str]) -> str:
    """The smallest of some numbers, as a formula; empty for none."""
    if all(one.isdigit() for one in numbers):
        return min(numbers, key=int, default="")
    return numbers[0] if len(numbers) == 1 else f"min({', '.join(numbers)})"


def _pool(match: re.Match[str], several: str) -> tuple[str, tuple[int, ...], tuple[tuple[str, tuple[int, ...]], ...]]:
    """The dice of a match as the language writes them, their faces, and the declarations that they need.

    The faces are empty where there are more than a die may have.
    """
    written = match["faces"].upper()
    if written.isdigit() or written == "%":
        sides = 100 if written == "%" else int(written)
        return f"{several}d{sides}", tuple(range(1, sides + 1)) if sides <= MOST_SIDES else (), ()
    name, faces = _NAMED_FACES.get(written) or _typed_faces(written)
    pool = f"times({name}, {several.removeprefix('(').removesuffix(')')})" if several else name
    return pool, faces, ((name, faces),)


MOST_SIDES = 1000
"""The most faces of a die."""


def _typed_faces(written: str) -> tuple[str, tuple[int, ...]]:
    """`{1, 1, 2}` and `{0..9}` as the name of a die and its faces."""
    faces: list[int] = []
    for part in written.strip("{}").split(","):
        first, _, last = part.partition("..")
        low = int(first)
        high = int(last) if last.strip() else low
        faces += range(low, min(high, low + MOST_SIDES) + 1)
    return name_of_die(faces), tuple(faces)


def name_of_die(faces: Sequence[int]) -> str:
    """A name for a die by its faces: `d_2_to_20`, `d_1_1_2`."""
    parts: list[str] = []
    start = 0
    for at in range(1, len(faces) + 1):
        if at < len(faces) and faces[at] == faces[at - 1] + 1:
            continue
        first, last = (str(face).replace("-", "minus_") for face in (faces[start], faces[at - 1]))
        parts.append(first if at - start == 1 else f"{first}_to_{last}")
        start = at
    return "d_" + "_".join(parts)

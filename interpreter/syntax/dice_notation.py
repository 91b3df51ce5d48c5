"""Dice as dice bots and virtual tabletops write them: `4d6kh3`, `3d6!`, `2d20kl1`, `4dF`, `d%`.

The forms are those that Roll20, Foundry, RPG Dice Roller and d20 have in common: which dice are kept (`k`, `kh`, `kl`)
or dropped (`d`, `dl`, `dh`), dice that explode (`!`, `!!`, `!>=5`), and dice that are thrown anew once (`ro1`, `ro<3`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter import diagnostics as say
from interpreter.frozen import dataclass
from interpreter.syntax.yaml_text import mapping, quoted_inside

FUDGE = "fudge"
"""The name of a die of -1, 0 and 1, which others write `dF`."""
FUDGE_DIE = f"{FUDGE}: {{faces: [-1, 0, 1]}}"

_DIE = r"(?:(?<!\w)(?P<several>\([^()]*\))|(?<![\w.])(?P<number>\d*))[dD](?P<faces>\d+|%|[fF](?![A-Za-z]))"
_FACES = r"(?:>=|<=|>|<|=)?\d+"
_MODIFIER = re.compile(
    rf"""(?P<explodes>!!?)(?P<on>{_FACES})?
       | ro(?P<again>{_FACES})
       | \s*(?P<kept>kh|kl|dh|dl|k|d(?=\d))\s*(?P<some>\d+)?(?![\w.])""",
    re.VERBOSE | re.IGNORECASE,
)
_FIRST = re.compile(_DIE)


@dataclass(frozen=True)
class DiceTerm:
    """Dice in a text, from `start` up to `end`, and how the language writes them.

    `pool` are the dice, `again` says which are thrown once more, `reroll` which are thrown anew, and `reading` is what
    is read of the roll `{}`; the last three are empty where the dice say nothing of the kind.
    """

    start: int
    end: int
    pool: str
    again: str = ""
    reroll: str = ""
    reading: str = ""

    @property
    def has_fudge(self) -> bool:
        return FUDGE in self.pool

    @property
    def is_pool(self) -> bool:
        """Whether the language writes it as dice alone."""
        return not (self.again or self.reroll or self.reading or self.has_fudge)

    def expression(self, roll: str) -> str:
        """What is read of a roll, which is given by its name or as dice."""
        return (self.reading or "{}").replace("{}", roll)

    @property
    def help(self) -> str:
        """What an author of a ruleset should write."""
        if self.is_pool:
            return f"write `{self.pool}`"
        steps = list(self.steps("rolled"))
        read = self.reading and self.reading.replace("{}", steps[-1][0])
        return say.how_dice_are_read(steps, read, FUDGE_DIE if self.has_fudge else "")

    def steps(self, name: str) -> Iterator[tuple[str, str]]:
        """The steps that throw the dice, with their names, as YAML: the last one has the roll."""
        again = {"again": quoted_inside(self.again)} if self.again else {}
        yield name, mapping({"roll": quoted_inside(self.pool), **again})
        if self.reroll:
            yield f"{name}_again", mapping({"reroll": f"{name} where {self.reroll}"})


def dice_terms(text: str) -> Iterator[DiceTerm]:
    """The dice of a text that other tools write so, from left to right; dice that are an expression are left out."""
    position = 0
    while found := _FIRST.search(text, position):
        term = _term(text, found)
        position = term.end
        if term.pool != found[0] or term.again or term.reroll or term.reading:
            yield term


def _term(text: str, found: re.Match[str]) -> DiceTerm:
    several, number, faces = found["several"], found["number"], found["faces"].upper()
    sides = 1 if faces == "F" else 100 if faces == "%" else int(faces)
    if faces == "F":
        pool = f"times({FUDGE}, {several[1:-1] if several else number})" if several or number else FUDGE
    else:
        pool = f"{several or number or ''}d{sides}"
    again = reroll = reading = ""
    end = found.end()
    while modifier := _MODIFIER.match(text, end):
        if modifier["explodes"]:
            again = _meets(modifier["on"] or str(sides))
        elif modifier["again"]:
            reroll = _meets(modifier["again"])
        elif not reading:
            reading = _kept(modifier["kept"].lower(), int(modifier["some"] or 1), several or number or "1")
        else:
            break
        end = modifier.end()
    return DiceTerm(found.start(), end, pool, again, reroll, reading)


def _meets(faces: str) -> str:
    """`6`, `>5`, `>=5` as a condition on the face of a die."""
    sign, number = re.fullmatch(r"(\D*)(\d+)", faces).groups()  # type: ignore[union-attr]
    return f"face {'==' if sign in ('', '=') else sign} {number}"


def _kept(which: str, some: int, number: str) -> str:
    """What is read of a roll of `number` dice, of which some are kept or dropped."""
    highest = which in ("k", "kh", "d", "dl")
    function = "highest" if highest else "lowest"
    if which in ("k", "kh", "kl"):
        kept = str(some)
    elif number.isdigit():
        kept = str(max(int(number) - some, 0))
    else:
        kept = f"{number} - {some}"
    if kept == "1" and number.isdigit() and int(number) > 0:
        return f"{function}({{}})"
    return f"sum({function}({{}}, {kept}))"

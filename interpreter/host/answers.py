"""What the workbench answers, as frozen values of plain data: `dataclasses.asdict` makes JSON of each."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from interpreter.chances.percent import LONGEST_FRACTION, percent
from interpreter.frozen import dataclass
from interpreter.runtime.rng import Seed


@dataclass(frozen=True)
class Edit:
    """A text in place of what stands from `start` to `end`, in UTF-16 units, of an open file."""

    file: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class OfferedFix:
    """A change of the text that mends a problem, as a button offers it."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class PlacedProblem:
    """A problem of an open file; of another file, `file` is empty and `where` says its place."""

    file: str
    start: int
    end: int
    line: int
    where: str
    severity: str
    code: str
    message: str
    help: str
    fixes: tuple[OfferedFix, ...]


@dataclass(frozen=True)
class Titled:
    """A name with what people read in its place."""

    name: str
    title: str


@dataclass(frozen=True)
class WordChoice:
    """A word that an input may be, with its title and its meaning."""

    value: str
    title: str
    about: str


FieldKind = Literal["number", "words", "yes_no", "dice", "text"]


@dataclass(frozen=True)
class FormInput:
    """An input of a form, and the `value` that stands there first.

    The value of a record is several inputs, whose names have dots.
    """

    name: str
    title: str
    kind: FieldKind
    about: str
    low: int | None
    high: int | None
    words: tuple[WordChoice, ...]
    value: str
    required: bool


@dataclass(frozen=True)
class MechanicForm:
    """A mechanic as a form: its inputs, the results that its odds tell, and its steps that are numbers."""

    name: str
    title: str
    about: str
    inputs: tuple[FormInput, ...]
    results: tuple[Titled, ...]
    numbers: tuple[Titled, ...]


@dataclass(frozen=True)
class SceneChoice:
    """A scene file that may be played, with what each player answers for."""

    name: str
    title: str
    about: str
    players: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class GameOverview:
    """A game without errors: what it can play, and what a house rule touches of what it extends."""

    name: str
    title: str
    about: str
    base: Titled | None
    mechanics: tuple[MechanicForm, ...]
    touched: tuple[str, ...]
    scenes: tuple[SceneChoice, ...]
    changes: tuple[str, ...]


@dataclass(frozen=True)
class Checked:
    """The problems of the open files, and the game that they last were without errors; `sound` says they are now."""

    problems: tuple[PlacedProblem, ...]
    sound: bool
    game: GameOverview | None


@dataclass(frozen=True)
class Chance:
    """A chance as a number from 0 to 1, in percent, and as a fraction, which is empty if it is too long to be read."""

    share: float
    percent: str
    fraction: str

    @staticmethod
    def of(chance: Fraction) -> Chance:
        text = str(Fraction(chance))
        return Chance(float(chance), percent(chance), text if len(text) <= LONGEST_FRACTION else "")


@dataclass(frozen=True)
class OddsRow:
    """A line of a table: a value, its chance, that without the house rule, and the difference in points."""

    label: str
    chance: Chance
    base: Chance | None
    points: str


@dataclass(frozen=True)
class OddsTable:
    """The law of one result; `missing` is what was not followed."""

    name: str
    title: str
    numeric: bool
    rows: tuple[OddsRow, ...]
    missing: Chance | None = None
    mean: str | None = None
    mean_base: str | None = None


@dataclass(frozen=True)
class OddsAnswer:
    """The odds of a mechanic; `compared` says that those without the house rule stand beside them."""

    tables: tuple[OddsTable, ...]
    compared: bool
    exact: bool


@dataclass(frozen=True)
class SweepPoint:
    """The shares of the outcomes, or of the values of a number, at one value of an input; None where there are none."""

    at: str
    now: dict[str, float] | None
    base: dict[str, float] | None


@dataclass(frozen=True)
class Strategy:
    """What to do for a goal, in sentences, and the chances that this gives."""

    sentences: tuple[str, ...]
    tables: tuple[OddsTable, ...]


@dataclass(frozen=True)
class ShownDie:
    """A die as it lies on the table, and what it counts as, where that is not its face."""

    die: str
    face: str
    counts: str


@dataclass(frozen=True)
class TraceLine:
    """A line of what was done, with its depth and the rows of the book that it follows."""

    depth: int
    kind: str
    name: str
    text: str
    path: str
    cites: tuple[str, ...]


@dataclass(frozen=True)
class ResultValue:
    """A value of a run, in words."""

    name: str
    title: str
    text: str


@dataclass(frozen=True)
class Rolled:
    """A run of a mechanic: its outcome, the dice that fell, what was done, why it came out so, and the seed."""

    outcome: Titled | None
    values: tuple[ResultValue, ...]
    dice: tuple[ShownDie, ...]
    lines: tuple[TraceLine, ...]
    why: tuple[str, ...]
    seed: Seed | None


@dataclass(frozen=True)
class CompletionOption:
    """One thing that may be written at the cursor: `insert` replaces what stands from `start` to the cursor."""

    label: str
    kind: str
    start: int
    insert: str
    detail: str
    about: str
    rank: int
    block: str


@dataclass(frozen=True)
class HoverText:
    """What is said about the word from `start` to `end`, and a table of odds in Markdown."""

    start: int
    end: int
    lines: tuple[str, ...]
    table: tuple[str, ...]


@dataclass(frozen=True)
class BaseChange:
    """A place of the text of a base that a house rule changes, with the path of the change."""

    start: int
    end: int
    path: str


@dataclass(frozen=True)
class BaseText:
    """The text of what a house rule extends, and its places that the house rule changes."""

    file: str
    text: str
    changed: tuple[BaseChange, ...]


@dataclass(frozen=True)
class Files:
    """Texts by the name of their file, and the one that is loaded."""

    files: dict[str, str]
    main: str


@dataclass(frozen=True)
class BundledGame:
    """A game that comes with houserule, with its house rules and scenes."""

    name: str
    title: str
    about: str
    rules: tuple[Titled, ...] = ()
    scenes: tuple[Titled, ...] = ()

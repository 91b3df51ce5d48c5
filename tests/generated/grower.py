"""What everything that grows a game shares: chance, names, how many ways there may still be, what may be read where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, TypeVar

import yaml

from .constructs import USAGE

Tree = dict[str, Any]
T = TypeVar("T")


@cache
def usage() -> dict[str, dict[str, int]]:
    """In how many texts of the project each construct is used, by kind."""
    table: dict[str, dict[str, int]] = yaml.safe_load(USAGE.read_text("utf-8"))
    return table


def weight(kind: str, name: str) -> float:
    """How often a construct should be grown. What people use a lot comes more often, and everything comes at times."""
    return 2 + usage()[kind][name] ** 0.6


@dataclass(frozen=True)
class Rolled:
    """A roll that may be read.

    `least` is the fewest dice that it has, `single` whether it is one die that reads as a number, `parts` are the
    names of its parts, `symbols` whether its dice have symbols, `marks` the names of numbers that `each` gave every
    throw, `flips` those of dice that `each` rolls, and `thrown` whether it came straight from dice, so that it may be
    thrown again. `part_of` is the roll that it is some dice of, which a reroll gives in its place.
    """

    least: int
    single: bool = False
    parts: tuple[str, ...] = ()
    symbols: bool = False
    marks: tuple[str, ...] = ()
    flips: tuple[str, ...] = ()
    thrown: bool = True
    part_of: str = ""


@dataclass(frozen=True)
class Listed:
    """A list of passes or pairs, or a map: its columns of numbers and of yes and no, and the fewest elements."""

    numbers: tuple[str, ...]
    flags: tuple[str, ...]
    least: int
    elements: bool = True
    """Whether its elements can be looked at by `where it.…`; those of a map cannot."""


@dataclass
class Scope:
    """What may be read at a place: expressions by what they are worth, rolls, and lists of records.

    Kinds of values are `number`, `flag`, `pool`, `die`, `code`, `numbers` (a list), and the name of a list of words
    or of a kind of things, or of a list of those with `list ` before it; `together` are numbers that read several
    things at once, and that no step has read yet.
    """

    known: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    missing: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """Numbers and rolls that may be missing, which are read with `otherwise` or after `given`."""
    rolls: dict[str, Rolled] = field(default_factory=dict)
    lists: dict[str, Listed] = field(default_factory=dict)
    skipped: dict[str, Listed] = field(default_factory=dict)
    """Lists of records of which the step may have been skipped, which are read after `given`."""
    picked: dict[str, str] = field(default_factory=dict)
    """The roll of which a player chose some dice, by the name of the choice."""
    things: bool = False
    """Whether what lasts may be changed here."""
    selecting: bool = False
    """Whether this stands inside a `where`, which may hold no other."""
    reaction: tuple[str, ...] = ()
    """The numbers among the inputs of the event that a reaction before it may change; `*` stands for cancelling."""

    def inner(self) -> Scope:
        """What steps inside a step see: all of this, and what they name is their own."""
        made = Scope(things=self.things, selecting=self.selecting, reaction=self.reaction)
        for mine, its in ((self.known, made.known), (self.missing, made.missing)):
            for kind, names in mine.items():
                its[kind] = [*names]
        made.rolls, made.lists, made.picked = {**self.rolls}, {**self.lists}, {**self.picked}
        made.skipped = {**self.skipped}
        return made

    def bind_list(self, name: str, of: Listed, skipped: bool) -> None:
        """Name a list of records, which may be missing if its step may be skipped."""
        if skipped:
            self.skipped[name] = of
            self.missing["given"] += [name, name]
        else:
            self.lists[name] = of

    def all_of(self, kind: str) -> list[str]:
        """The expressions of a kind."""
        return self.known.get(kind, [])


@dataclass(frozen=True)
class Called:
    """A mechanic or an event that another rule may use: inputs with their kinds, what it gives, the ways it costs."""

    inputs: tuple[tuple[str, str], ...]
    numbers: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    outcomes: tuple[str, ...] = ()
    rolls: tuple[tuple[str, Rolled], ...] = ()
    lists: tuple[tuple[str, Listed], ...] = ()
    cost: float = 1
    passed: tuple[str, ...] = ()


@dataclass
class Grower:
    """Chance, names, and how many ways a rule may still have, about: whatever throws dice pays for it."""

    chance: Random
    left: float = 1
    calls: dict[str, Called] = field(default_factory=dict)
    events: dict[str, Called] = field(default_factory=dict)
    actions: dict[str, Called] = field(default_factory=dict)
    kinds: dict[str, Any] = field(default_factory=dict)
    keys: dict[str, tuple[str, Any]] = field(default_factory=dict)
    """Choices that were grown, by name: their kind and what may be answered, for policies and given answers."""
    deep: int = 0
    may_end: bool = False
    """Whether passes may end the rule that is grown."""
    _names: int = 0

    def maybe(self, likely: float = 0.5) -> bool:
        return self.chance.random() < likely

    def any_of(self, *of: T) -> T:
        return self.chance.choice(of)

    def one(self, of: Sequence[T]) -> T:
        return self.chance.choice(of)

    def weighted(self, rows: Sequence[tuple[T, float]]) -> T:
        """One of several, each as likely as its weight."""
        return self.chance.choices([one for one, _ in rows], [weight for _, weight in rows])[0]

    def number(self, low: int, high: int) -> int:
        return self.chance.randint(low, high)

    def name(self, kind: str) -> str:
        self._names += 1
        return f"{kind}{self._names}"

    def pay(self, ways: float) -> bool:
        """Whether there is room for so many times as many ways; it is used up."""
        if self.left < ways:
            return False
        self.left /= ways
        return True

    @contextmanager
    def share(self, times: int) -> Iterator[None]:
        """Inside, dice cost so many times as much, as they are thrown so many times."""
        before = self.left
        self.left = before ** (1 / max(times, 1))
        yield
        self.left **= max(times, 1)


def in_parts(text: str, condition: str, place: str) -> Any:
    """A question in one of the forms that it may have; `place` is the name of what asks, and decides which.

    So no new chance is taken, and seeds keep their games.
    """
    also = {"say": "It is as it is.", "if": condition}
    forms = (text, [text, also], {"say": text, "if": condition, "else": "Well?"}, [also, {"say": text}], [text])
    return forms[sum(map(ord, place)) % len(forms)]


def said_if(text: str, condition: str, place: str) -> Any:
    """What is said of an answer or an outcome in one of the forms that it may have; `place` decides as `in_parts`."""
    one = {"say": text, "if": condition}
    forms = (text, one, [one, {"say": ", and more", "if": condition}], [text, {**one, "else": ", and less"}, "."])
    return forms[sum(map(ord, place)) % len(forms)]


class _Plainly(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes what stands in two places twice: rulesets know no aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def written(tree: Any) -> str:
    """A tree of mappings, lists and plain values as YAML."""
    return yaml.dump(tree, Dumper=_Plainly, sort_keys=False, width=1000, allow_unicode=True)

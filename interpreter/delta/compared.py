"""The odds of the rules that a change touches, before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from interpreter import diagnostics as say
from interpreter.api.exact_odds import Allowance, exact_odds
from interpreter.api.game import Game
from interpreter.api.query import Query
from interpreter.delta.points import Asked, Side, asked
from interpreter.delta.touched import removed, touched
from interpreter.diagnostics import PlayError
from interpreter.layers.merge import Merged
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Comparison
from interpreter.pipeline import Loaded
from interpreter.rulebook.chances import BOUND, compared_panels, told_of
from interpreter.syntax.document import Mapping as Mapping_
from interpreter.syntax.document import Node, Scalar, Sequence
from interpreter.testing.cases import Setting, Trial

LIMITS = BOUND
"""The bound of one law, as on the pages of rulebooks: about a second, and the same on every machine."""


@dataclass(frozen=True)
class Figure:
    """A number before and after: a chance of a result, or a mean; None where there is none."""

    label: str
    before: Fraction | None
    after: Fraction | None
    is_mean: bool = False

    @property
    def changes(self) -> bool:
        return self.before != self.after


@dataclass(frozen=True)
class ValueTable:
    """The figures of one result; the outcome has no title."""

    title: str
    figures: tuple[Figure, ...]

    @property
    def changes(self) -> bool:
        return any(one.changes for one in self.figures)


@dataclass(frozen=True)
class PointDelta:
    """The odds at one point: its inputs in words, and its results, of which some change.

    `case` is the name of the case that has these inputs.
    """

    given: str
    panels: tuple[ValueTable, ...]
    case: str = ""

    @property
    def changes(self) -> bool:
        return any(one.changes for one in self.panels)

    @property
    def changing(self) -> tuple[ValueTable, ...]:
        """The results of which any chance changes; all of them if none does."""
        return tuple(one for one in self.panels if one.changes) or self.panels

    @property
    def largest(self) -> Figure | None:
        """The chance that changes most."""
        both = [one for panel in self.panels for one in panel.figures if not one.is_mean]
        known = [one for one in both if one.before is not None and one.after is not None and one.changes]
        return max(known, key=lambda one: abs(_difference(one)), default=None)


def _difference(one: Figure) -> Fraction:
    return (one.after or Fraction(0)) - (one.before or Fraction(0))


@dataclass(frozen=True)
class RuleDelta:
    """What a change does to the odds of a rule: at the points where it does something, and how many others there are.

    Of further points, at `alike` the odds are those of a point shown, and at `slight` no chance changes by as much as
    `SLIGHT`. `refused` says why there is nothing to compare. `is_new` has odds that nothing stands beside.
    """

    path: str
    title: str
    points: tuple[PointDelta, ...] = ()
    same: int = 0
    slight: int = 0
    alike: int = 0
    refused: str = ""
    is_new: bool = False

    @property
    def name(self) -> str:
        return self.path.partition(".")[2]

    @property
    def changes(self) -> bool:
        return any(one.changes for one in self.points)


def rule_deltas(
    before: Loaded, after: Loaded, own: Collection[str], watch: Callable[[int, int], None] = lambda done, of: None
) -> list[RuleDelta]:
    """The rules that differ between two rulesets without errors; `own` are the names of the files that changed.

    `watch` is told how many rules are done, of how many.
    """
    assert before.program is not None and after.program is not None
    assert before.world is not None and after.world is not None
    old = Side.of(before, Trial(Game(before.program, before.world)))
    new = Side.of(after, Trial(Game(after.program, after.world)))
    renamed = renamed_by(after.merged)
    paths = touched(before.program, after.program)
    found = []
    for number, path in enumerate(paths):
        watch(number, len(paths))
        found.append(_rule(path, old, new, own, renamed))
    gone = [RuleDelta(path, _title(before, path), refused="removed") for path in removed(before.program, after.program)]
    return [*found, *(one for one in gone if one.name not in renamed)]


def renamed_by(merged: Merged | None) -> dict[str, str]:
    """The names that house rules give, by the name before."""
    changes = [one.change for one in merged.applied] if merged is not None else []
    return {one.path[-1]: one.value.text for one in changes if one.verb == "rename" and isinstance(one.value, Scalar)}


def _title(made: Loaded, path: str) -> str:
    section, _, name = path.partition(".")
    return made.program.playable[section][name].title if made.program is not None else name


def _rule(path: str, old: Side, new: Side, own: Collection[str], renamed: Mapping[str, str]) -> RuleDelta:
    made = RuleDelta(path, _title(new.made, path))
    section, _, name = path.partition(".")
    assert old.made.program is not None
    is_new = name not in old.made.program.playable[section]
    points, declared = asked(path, old, new, own)
    if not points:
        return replace(made, refused="no inputs to compare at: no case plays it, and it declares none", is_new=is_new)
    shown: list[PointDelta] = []
    same, refused = 0, ""
    for one in points:
        if one.before is None and not is_new:
            refused = refused or "what its cases give, the rules before do not have"
            continue
        if not declared and len(shown) == MOST_SHOWN:
            break
        try:
            point = _point(one, renamed, deep=same < MOST_DEEP)
        except PlayError as problem:
            refused = refused or problem.diagnostic.message
            continue
        if point is None:
            same += 1
        elif point.changes or is_new or declared:
            shown.append(point)
        else:
            same += 1
    if not shown and not same:
        return replace(made, refused=refused, is_new=is_new)
    if declared and not any(one.changes for one in shown) and not is_new:
        shown, same = [], len(shown)
    slight, found = 0, len(shown)
    if not declared:
        shown = list({one.panels: one for one in reversed(shown)}.values())[::-1]
    alike = found - len(shown)
    if not declared and not is_new:
        shown.sort(key=lambda one: -_size(one))
        clear = [one for one in shown if _size(one) >= SLIGHT] or shown[:1]
        shown, slight = clear, len(shown) - len(clear)
    return replace(made, points=tuple(_told_apart(shown)), same=same, slight=slight, alike=alike, is_new=is_new)


def _told_apart(points: list[PointDelta]) -> Iterator[PointDelta]:
    """Points with the same inputs get the names of their cases: what tells them apart is the state before."""
    many = Counter(one.given for one in points)
    for one in points:
        told = f"{one.given}: {one.case}" if one.given else one.case
        yield replace(one, given=told) if many[one.given] > 1 and one.case else one


SLIGHT = Fraction(1, 2000)
"""A change of a chance that its percentage with one digit hardly shows."""


def _size(point: PointDelta) -> Fraction:
    """How much a chance changes at most; a mean or a new value counts as much."""
    largest = point.largest
    return abs(_difference(largest)) if largest is not None else Fraction(1)


def _point(one: Asked, renamed: Mapping[str, str], deep: bool) -> PointDelta | None:
    """The odds at a point; None where nothing is left to chance on either side.

    The values behind the results are looked at only where that is `deep`. Raises PlayError where the odds take too much
    work, or need an answer that is not given.
    """
    odds = _odds(one.after, one)
    given = ", ".join(filter(None, [*_inputs(one.after.inputs), _answers(one), one.options]))
    if one.before is None:
        alone = Comparison(odds, odds)
        told = told_of(one.after, odds)
        panels = [_without_before(panel) for panel in _panels(alone, told)]
        return PointDelta(given, tuple(panels), one.case) if panels else None
    both = Comparison(_odds(one.before, one), odds, renamed)
    told = told_of(one.after, odds)
    panels = _panels(both, told)
    if deep and not any(
        panel.changes for panel in panels
    ):  # what is told is as before, but a value behind it may not be
        panels = [*panels, *islice(_behind(both, told), MOST_BEHIND)]
    return PointDelta(given, tuple(panels), one.case) if panels else None


MOST_DEEP = 2
"""At how many points without a change the values behind the results of a rule are compared, too."""
MOST_BEHIND = 3
"""How many values that are no results of a rule are shown where its results stay as they are."""


def _behind(both: Comparison, told: Collection[str]) -> Iterator[ValueTable]:
    """The values of steps whose odds change."""
    names = [one for one in both.b.known if "." not in one and one not in told and one not in both.b.composite]
    for name in names:
        try:
            changes = any(one.difference for one in both.of(name).values())
        except (PlayError, TypeError):
            continue
        if changes:
            yield from (panel for panel in _panels(both, {name}) if panel.changes)


def _odds(setting: Setting, one: Asked) -> Odds:
    query = Query(setting.game, setting.rule, setting.inputs, setting.state, one.choices or None, one.policy)
    try:
        odds = exact_odds(query, Allowance(LIMITS))
    except PlayError as problem:
        if not one.choices or problem.diagnostic.code not in ("HR616", "HR618"):
            raise
        odds = exact_odds(replace(query, choices=None), Allowance(LIMITS))
    if all(odds.missing_of(name) == 1 for name in odds.results):
        raise PlayError(say.nothing_followed(odds.results))
    return odds


def _inputs(inputs: Mapping[str, Node]) -> Iterator[str]:
    """The inputs as they are written: `own d8`, without those that a case leaves to their defaults."""
    for name, node in inputs.items():
        if (text := _written(node)) != "()":
            yield f"{name} {text}"


def _written(node: Node) -> str:
    match node:
        case Scalar():
            return node.text
        case Mapping_():
            return f"({', '.join(f'{one.key.text} {_written(one.value)}' for one in node.entries)})"
        case Sequence():
            return ", ".join(map(_written, node.items)) or "none"
    return ""


def _answers(one: Asked) -> str:
    told = [f"{name} {' '.join(node.span.text.split())}" for name, node in one.choices.items()]
    return ", ".join([*told, *([f"policy {one.policy}"] if one.policy else [])])


MOST_SHOWN = 4
"""How many inputs of cases are shown for a rule that declares none: that many changes say what there is to say."""


def _panels(both: Comparison, told: Collection[str]) -> list[ValueTable]:
    """The results of both sides that are told, in the order of the rule."""
    known = {name: words for name, words in both.b.known.items() if name in told}
    narrowed = replace(both, b=replace(both.b, known=known))
    found = []
    for title, rows in compared_panels(narrowed):
        figures = [Figure(row.label, row.before, row.chance) for row in rows if row.chance or row.before]
        if title and title != "also" and title.replace(" ", "_") in known:
            figures = [*_mean(both, title.replace(" ", "_")), *figures]
        found.append(ValueTable(title, tuple(figures)))
    return found


def _mean(both: Comparison, name: str) -> list[Figure]:
    with suppress(PlayError, KeyError, TypeError):
        mean = both.mean(name)
        return [Figure("mean", Fraction(mean.a), Fraction(mean.b), is_mean=True)]
    return []


def _without_before(panel: ValueTable) -> ValueTable:
    return replace(panel, figures=tuple(replace(one, before=None) for one in panel.figures))

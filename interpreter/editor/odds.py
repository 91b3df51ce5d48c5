"""The odds that a hover shows: at the inputs that tell the most, beside those without the house rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from interpreter import ir
from interpreter.api.decode import node_of
from interpreter.chances.formats.text import grid
from interpreter.chances.laws import compared_table, law_table
from interpreter.chances.percent import percent
from interpreter.chances.shortening import shorten
from interpreter.chances.table import NONE, ChanceRow, ChanceTable
from interpreter.delta.compared import odds_or_problem, renamings
from interpreter.delta.given import input_phrases
from interpreter.delta.points import PointToCompare, Side, points_to_compare
from interpreter.delta.touched import touched_rules
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.editor.analysis import Analysis, analysis_of
from interpreter.editor.hover import TOUCHED
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.layers.renamed_paths import names_for
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Comparison, Renamed
from interpreter.rulebook.chances import names_shown
from interpreter.syntax.document import Scalar
from interpreter.testing.cases import Setting, Trial

MOST_LINES = 14
"""The most lines of a law, and the most points of a table."""
MOST_COLUMNS = 6
"""The most columns of a table that fits into the window of a hover."""
ARROW = "→"
MOST_TOUCHED = 2
"""The most mechanics that a house rule changes whose odds are told at once."""
MOST_LAWS = 2
"""The most results that are told at one point."""


@dataclass(frozen=True)
class _Point:
    """The laws at one point, each without and with the house rule, or why there are none."""

    given: tuple[str, ...]
    laws: tuple[ChanceTable, ...]
    refused: str = ""


def odds_lines(analysis: Analysis, rule: str) -> tuple[str, ...]:
    """The chances of a mechanic as lines of a table, or those of `TOUCHED`; where there are none, what it needs or why.

    The inputs are the typical ones of the mechanic, its defaults, each value of the one input without a default, or
    those of its cases, whichever comes first. The chances of a house rule stand beside those of what it extends.
    """
    program = analysis.loaded.program
    if program is None or not analysis.is_sound:
        return ()
    try:
        after = _side(analysis)
        below = base_analysis(analysis)
        before = _side(below) if below is not None and below.is_sound else after
    except PlayError as problem:
        return (f"No odds: {problem.diagnostic.message}.",)
    if rule != TOUCHED:
        mechanic = program.mechanics.get(rule.removeprefix("mechanics."))
        return tuple(_mechanic_lines(analysis, mechanic, before, after)) if mechanic is not None else ()
    paths = touched_rules(before.trial.game.program, program, ["mechanics"])
    lines: list[str] = []
    for name in [path.removeprefix("mechanics.") for path in paths[:MOST_TOUCHED]]:
        told = _mechanic_lines(analysis, program.mechanics[name], before, after)
        told = told if ARROW in told[0] else [told[0].rstrip(":")]
        lines += [*([""] if lines else []), f"{name}, {told[0]}", *told[1:]]
    others = [path.removeprefix("mechanics.") for path in paths[MOST_TOUCHED:]]
    return (*lines, *(["", f"It may change {', '.join(others)}, too."] if others else []))


def _mechanic_lines(analysis: Analysis, mechanic: ir.Mechanic, before: Side, after: Side) -> list[str]:
    asked_points = _distinct_points(analysis, mechanic, before, after)
    if not asked_points:
        needed = ", ".join(f"`{one.name}`" for one in mechanic.inputs if one.required)
        return [f"Its odds depend on {needed}; the inputs of a case of it are shown here."]
    renamed = Renamed(*names_for(renamings(analysis.loaded.merged), mechanic.path))
    points = [_point(one, renamed, before is not after) for one in asked_points[:MOST_LINES]]
    return [*_legend(analysis, points), *_point_lines(points, mechanic)]


def _legend(analysis: Analysis, points: Sequence[_Point]) -> Iterator[str]:
    """A line that says what the arrows of a house rule mean, or that there are none."""
    merged = analysis.loaded.merged
    rows = [row for point in points for law in point.laws for row in law.shares]
    if merged is None or not merged.layers or all(row.base is None for row in rows):
        return
    changes = any(row.base not in (None, row.number) for row in rows)
    name = merged.layers[-1].name
    yield f"without {ARROW} with {name}:" if changes else f"the same with and without {name}:"


def _side(analysis: Analysis) -> Side:
    return Side.of(analysis.loaded, Trial(analysis.game))


def base_analysis(analysis: Analysis) -> Analysis | None:
    """What a house rule extends, with the texts that it was read from; None for a ruleset of its own."""
    merged = analysis.loaded.merged
    below = merged.below if merged is not None else []
    path = analysis.paths.get(below[-1].root.span.source.name) if below else None
    if path is None:
        return None
    texts = tuple((path, source.text) for path, source in analysis.sources.items() if path != analysis.root)
    return _analyse_texts(path, texts, tuple({path.parent, analysis.root.parent}))


@lru_cache(4)
def _analyse_texts(root: Path, texts: tuple[tuple[Path, str], ...], roots: tuple[Path, ...]) -> Analysis:
    """The analysis of what a house rule extends, kept while only the house rule is written."""
    return analysis_of(root, dict(texts), roots)


# The inputs ------------------------------------------------------------------------------------------------------


def _distinct_points(analysis: Analysis, mechanic: ir.Mechanic, before: Side, after: Side) -> list[PointToCompare]:
    """The points, of those with the same inputs in words the first."""
    needed = [one.name for one in mechanic.inputs if one.required]
    points = points_to_compare(f"mechanics.{mechanic.name}", before, after, ())
    declared = [one for one in points if one.declared]
    if not declared and len(needed) <= 1 and not after.trial.game.program.has_state:
        values = _values_of_input(analysis, mechanic, needed[0]) if needed else [None]
        if values:
            return [
                _point_with_inputs(mechanic, {} if one is None else {needed[0]: one}, before, after) for one in values
            ]
    by_inputs: dict[tuple[str, ...], PointToCompare] = {}
    for one in declared or points:
        by_inputs.setdefault(input_phrases(one), one)
    return list(by_inputs.values())


def _point_with_inputs(mechanic: ir.Mechanic, inputs: Mapping[str, str], before: Side, after: Side) -> PointToCompare:
    """The point with these inputs, and the defaults of the others."""
    now = Setting(after.trial.game, mechanic.name, None, {name: node_of(one, name) for name, one in inputs.items()})
    has = mechanic.name in before.trial.game.program.mechanics
    return PointToCompare(now, replace(now, game=before.trial.game) if has else None)


def _values_of_input(analysis: Analysis, mechanic: ir.Mechanic, name: str) -> list[str | None]:
    """All values of an input, if they are few: words, yes and no, or numbers between bounds that are written out."""
    kind = next(t.without_maybe(one.type) for one in mechanic.inputs if one.name == name)
    if isinstance(kind, t.Word):
        return [*kind.words] if len(kind.words) <= MOST_LINES else []
    if isinstance(kind, t.YesNo):
        return ["yes", "no"]
    bounds = [analysis.node_at(("mechanics", mechanic.name, "inputs", name, key)) for key in ("from", "to")]
    if not isinstance(kind, t.Number) or not all(
        isinstance(node, Scalar) and _is_whole_number(node.text) for node in bounds
    ):
        return []
    low, high = (int(node.text) for node in bounds if isinstance(node, Scalar))
    return [str(value) for value in range(low, high + 1)] if high - low < MOST_LINES else []


def _is_whole_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


# The chances -----------------------------------------------------------------------------------------------------


def _point(one: PointToCompare, renamed: Renamed, compares: bool) -> _Point:
    odds = odds_or_problem(one.after, one)
    if isinstance(odds, Diagnostic):
        return _Point(input_phrases(one), (), f"No odds: {odds.message}.")
    old = odds_or_problem(one.before, one) if compares and one.before is not None else None
    both = Comparison(old, odds, renamed) if isinstance(old, Odds) else None
    names = names_shown(one.after, odds)
    try:
        laws = tuple(_law(name, odds, both) for name in [each for each in odds.results if each in names][:MOST_LAWS])
    except PlayError as problem:
        return _Point(input_phrases(one), (), f"No odds: {problem.diagnostic.message}.")
    return _Point(input_phrases(one), laws)


def _law(name: str, odds: Odds, both: Comparison | None) -> ChanceTable:
    if both is None or name not in both.results:
        return shorten(law_table(odds, name), MOST_LINES)
    table = shorten(compared_table(both, name), MOST_LINES)
    return replace(table, rows=tuple(row for row in table.rows if row.is_possible))


# The table -------------------------------------------------------------------------------------------------------


def _point_lines(points: Sequence[_Point], mechanic: ir.Mechanic) -> list[str]:
    """One point as lists, several as a table with a line for each point or, of few, with a column for each.

    Above a table stands what is the same at all of its points.
    """
    sound = [point for point in points if point.laws]
    if len(sound) < 2:
        (point, *_) = sound or points
        told = _with_inputs(point.given) if point.given else "With the default inputs:" if mechanic.inputs else ""
        return [*filter(None, [told, point.refused]), *_list_lines(point)]
    same = [phrase for phrase in sound[0].given if all(phrase in point.given for point in sound)]
    rest = "nothing else" if same else "the defaults"
    given = [", ".join(phrase for phrase in point.given if phrase not in same) or rest for point in sound]
    laws = [(at, point.laws[0]) for at, point in zip(given, sound, strict=True)]
    labels = list(dict.fromkeys(row.label for _, law in laws for row in law.shares))
    corner = laws[0][1].title
    if len(labels) <= MOST_COLUMNS:
        table = [[corner, *labels], *([at, *(_cell(law.row(label)) for label in labels)] for at, law in laws)]
    else:
        laws = laws[:MOST_COLUMNS]
        rows = ([label, *(_cell(law.row(label)) for _, law in laws)] for label in labels)
        table = [[corner, *(at for at, _ in laws)], *rows]
    return [*([_with_inputs(same)] if same else []), *_align_columns(table)]


def _with_inputs(phrases: Sequence[str]) -> str:
    return f"With {', '.join(phrases)}:"


def _cell(row: ChanceRow | None) -> str:
    if row is None:
        return percent(NONE)
    after = percent(row.chance)
    return after if row.base in (None, row.number) else f"{percent(row.base or NONE)} {ARROW} {after}"


def _list_lines(point: _Point) -> Iterator[str]:
    for law in point.laws:
        yield from [f"{law.title}:"] if law.title else []
        yield from _align_columns([[f"  {row.label}", _cell(row)] for row in law.shares])


def _align_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with columns of equal width."""
    return [line.removeprefix("  ").rstrip() for line in grid(rows, left=len(rows[0]))]

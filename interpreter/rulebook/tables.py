"""Tables of a ruleset as grids: one key down the side, and a second one across the top."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.report.phrases import source_text
from interpreter.report.plain_words import FormulaWording, plain_words


@dataclass(frozen=True)
class Cell:
    """A value of a table in words, the path of its row, and what the row says about itself."""

    text: str
    path: str
    about: str = ""


@dataclass(frozen=True)
class GridRow:
    """A row: its keys, and its cells under the heads of the columns; a cell may be missing."""

    keys: tuple[str, ...]
    path: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True)
class Grid:
    """A table for a page: `keys` are the heads of the columns of keys, `columns` those of the columns of values."""

    keys: tuple[str, ...]
    across: str
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]


MOST_COLUMNS = 8


def grid(table: ir.Table, wording: FormulaWording) -> Grid:
    """A table as a grid. The last of several keys stands across the top, if its words or numbers fit there."""
    keys = tuple(map(_key, table.keys))
    last = list(dict.fromkeys(row.path.rsplit(".", 1)[-1] for row in _lowest_rows(table.rows)))
    if len(keys) == 1 or len(last) > MOST_COLUMNS:
        rows = tuple(GridRow(names, row.path, (_cell(row, wording),)) for names, row in _flat_rows(table.rows))
        return Grid(keys, "", (_value(table),), rows)
    return Grid(keys[:-1], keys[-1], tuple(map(_plain_name, last)), tuple(_grid_rows(table.rows, last, wording)))


def _grid_rows(
    rows: tuple[ir.TableRow, ...], last: list[str], wording: FormulaWording, before: tuple[str, ...] = ()
) -> Iterator[GridRow]:
    for row in rows:
        names = (*before, _name(row))
        assert not isinstance(row.value, ir.Formula)
        if any(not isinstance(inner.value, ir.Formula) for inner in row.value):
            yield from _grid_rows(row.value, last, wording, names)
            continue
        by_name = {inner.path.rsplit(".", 1)[-1]: inner for inner in row.value}
        cells = tuple(_cell(by_name[one], wording) if one in by_name else None for one in last)
        yield GridRow(names, row.path, cells)


def _flat_rows(
    rows: tuple[ir.TableRow, ...], before: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], ir.TableRow]]:
    for row in rows:
        names = (*before, _name(row))
        if isinstance(row.value, ir.Formula):
            yield names, row
        else:
            yield from _flat_rows(row.value, names)


def _lowest_rows(rows: tuple[ir.TableRow, ...]) -> Iterator[ir.TableRow]:
    return (row for _, row in _flat_rows(rows))


def _cell(row: ir.TableRow, wording: FormulaWording) -> Cell:
    assert isinstance(row.value, ir.Formula)
    told = plain_words(row.value, wording) or source_text(row.value)
    return Cell(told, row.path, wording.program.abouts.get(row.path, ""))


def _name(row: ir.TableRow) -> str:
    return _plain_name(row.path.rsplit(".", 1)[-1])


def _key(kind: t.Type) -> str:
    of = t.without_maybe(kind)
    return (
        _plain_name(of.name) if isinstance(of, t.Word) else {"a number": "number"}.get(t.in_words(of), t.in_words(of))
    )


def _value(table: ir.Table) -> str:
    of = t.without_maybe(table.type)
    return _plain_name(of.name) if isinstance(of, t.Word) and of.name != table.name else "gives"


def _plain_name(name: str) -> str:
    return name.replace("_", " ")

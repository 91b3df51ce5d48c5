"""The whole table: `python -m tests.classes` asks every cell and prints what comes of each, as Markdown.

`--of` takes only what is of such a function, operator or verb, `--operand` only such a value, `--place` only such a
place; `--every 50` takes each fiftieth row. Exits with 1 where some cell is an error.
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).parents[1]))

from classes.cells import Cell, Row, cells, rows
from classes.operations import ALL
from classes.places import PLACES


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.classes", description=__doc__)
    parser.add_argument("--of", action="append", help="a function, operator, verb or field (`.face`)")
    parser.add_argument("--operand", action="append", help="a value, by its name in the table")
    parser.add_argument("--place", action="append", choices=list(PLACES))
    parser.add_argument("--every", type=int, default=1, help="only each so many-th row")
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first row of those")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the rulesets of cells that are errors")
    parser.add_argument("--errors", action="store_true", help="print only the errors")
    given = parser.parse_args()
    operations = [one for one in ALL if not given.of or one.of in given.of]
    wanted = [row for row in rows(operations) if not given.operand or row.operand in given.operand]
    wanted = wanted[given.first :: given.every]
    places = given.place or tuple(PLACES)
    made = _worked_out(wanted, tuple(places), given.jobs)
    found: list[Cell] = []
    told = monotonic()
    for number, row_cells in enumerate(made, start=1):
        for cell in row_cells:
            if not cell.verdict.well:
                print(f"ERROR {_title(cell)}: {cell.verdict.about[:300]}", flush=True)
                if given.keep:
                    _keep(given.keep, cell, sum(not one.verdict.well for one in found))
            found.append(cell)
        if monotonic() > told + 60:
            told = monotonic()
            print(f"… {number} of {len(wanted)} rows", file=sys.stderr, flush=True)
    if not given.errors:
        _table(found)
    kinds = Counter(cell.verdict.kind for cell in found)
    print(", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    return int(kinds["error"] > 0)


def _worked_out(wanted: list[Row], places: tuple[str, ...], jobs: int) -> Iterator[list[Cell]]:
    """The cells of each row, as soon as they are known."""
    if jobs == 1:
        yield from (list(cells(row, places)) for row in wanted)
        return
    with multiprocessing.get_context("fork").Pool(jobs, initializer=_begin, maxtasksperchild=50) as pool:
        yield from pool.imap(_One(places), wanted, chunksize=20)


def _begin() -> None:
    """Prepare a process of its own: what stands from the start is no garbage, and new garbage is looked for less often,
    which saves a fifth of the time."""
    gc.freeze()
    gc.set_threshold(100_000, 10, 100)


class _One:
    """The cells of one row, in another process."""

    def __init__(self, places: tuple[str, ...]) -> None:
        self.places = places

    def __call__(self, row: Row) -> list[Cell]:
        return list(cells(row, self.places))


def _title(cell: Cell) -> str:
    return f"{cell.row.operation.name} | {cell.row.operand} | {cell.place}"


def _keep(folder: Path, cell: Cell, number: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    about = f"# {_title(cell)}\n# {cell.verdict.about}\n"
    (folder / f"{number:04}.yaml").write_text(about + cell.text, "utf-8")


def _table(found: list[Cell]) -> None:
    """Each operation with its operands: first those that it refuses, then a row for each that it takes."""
    print("\n`=` every way to ask agrees; a code refuses it when it is loaded, or in play, or in odds.\n")
    for name, of_operation in groupby(found, key=lambda cell: cell.row.operation.name):
        print(f"### `{name}`\n")
        refused: dict[str, list[str]] = {}
        taken: dict[str, dict[str, str]] = {}
        for operand, group in groupby(of_operation, key=lambda cell: cell.row.operand):
            here = list(group)
            if len(here) == 1 and here[0].verdict.kind == "load":
                refused.setdefault(here[0].verdict.code, []).append(operand)
                continue
            for cell in here:
                told = taken.setdefault(operand, {})
                one = cell.verdict.short
                told[cell.place] = one if told.get(cell.place, one) == one else f"{told[cell.place]}; {one}"
        for code, operands in refused.items():
            print(f"- {code}: {', '.join(operands)}")
        columns = [place for place in PLACES if any(place in row for row in taken.values())]
        if columns:
            print(f"\n| value | {' | '.join(columns)} |\n|---{'|---' * len(columns)}|")
        for operand, row in taken.items():
            print(f"| {operand} | {' | '.join(row.get(place, '') for place in columns)} |")
        print()


if __name__ == "__main__":
    sys.exit(main())

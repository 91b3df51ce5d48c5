"""Which rows of a rulebook a ruleset cites, and which its cases exercise.

A row is exercised when a case that names it holds and reaches a construct that cites it. With mutation, every
construct that cites it is made wrong in turn, and a case that names the row must then fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from interpreter import ir
from interpreter.cases import Case, Trial, Verdict, cases_of
from interpreter.checker.world import World
from interpreter.game import Game
from interpreter.mutants import mutants
from interpreter.reach import Reach

Watch = Callable[[list[str]], Iterable[str]]

EXEMPT = ("elsewhere", "flavour")
"""Rows of which nothing, or only a hook, can be executed."""


@dataclass(frozen=True)
class Row:
    """A row of the system's list, with what the ruleset does about it.

    `survivors` are the constructs that cite it and can be made wrong without a case noticing; None if not tried.
    `strange` are statuses that constructs cite it with and that are not the row's.
    """

    id: str
    name: str
    status: str
    cited: bool
    exercised: bool
    survivors: tuple[str, ...] | None = None
    strange: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        exempt = self.status in EXEMPT
        return self.cited and (self.exercised or exempt) and not (self.survivors and not exempt) and not self.strange


def listed(folder: Path | None) -> dict[str, tuple[str, str]]:
    """The rows of `rows.tsv` in a ruleset's folder: id, then status and name. Empty where there is no list."""
    file = folder / "rows.tsv" if folder else None
    if file is None or not file.is_file():
        return {}
    lines = [line.split("\t") for line in file.read_text("utf-8").splitlines()[1:] if line.strip()]
    return {row: (status, name) for row, status, name in lines}


def coverage(
    program: ir.Program, world: World, folder: Path | None, mutate: bool = False, watch: Watch = lambda rows: rows
) -> list[Row]:
    """Every row of the list (without one: every row that is cited), in order.

    `watch` gets the rows and gives them back one by one, for a progress bar.
    """
    rows = listed(folder) or {one.row: (one.status, "") for one in program.citations}
    trial = Trial(Game(program, world))
    verdicts = [trial.run(case) for case in cases_of(world.cases)]
    return [_row(row, *rows[row], program, world, verdicts, mutate) for row in watch(list(rows))]


def _row(
    row: str, status: str, name: str, program: ir.Program, world: World, verdicts: list[Verdict], mutate: bool
) -> Row:
    citing = [one for one in program.citations if one.row == row]
    paths = list(dict.fromkeys(one.path for one in citing))
    reach = Reach(program)
    naming = [one for one in verdicts if row in one.case.rules and not one.failures and not one.skipped]
    exercised = any(reach.covers(set(one.reached), path) for one in naming for path in paths)
    survivors = None
    if mutate:
        cases = [one.case for one in naming]
        survivors = tuple(path for path in paths if not _noticed(program, world, path, cases))
    strange = tuple(sorted({one.status for one in citing} - {status}))
    return Row(row, name, status, bool(citing) or row in program.notes, exercised, survivors, strange)


def _noticed(program: ir.Program, world: World, path: str, cases: Iterable[Case]) -> bool:
    """Whether a case fails when the construct at `path` is wrong."""
    cases = list(cases)
    for mutant, declared in mutants(program, world, path):
        trial = Trial(Game(mutant, declared))
        if any(trial.run(case).failures for case in cases):
            return True
    return False

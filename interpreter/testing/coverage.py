"""Which rows of a rulebook a ruleset cites, and which its cases exercise.

A row is exercised when a case that names it passes and reaches a construct that cites it. With mutation, each
construct that cites it is made wrong in turn, and a case that names the row must then fail.

It also reports mechanics that no case plays, and rows that are not in the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.game import Game
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic, RulesetError
from interpreter.frozen import dataclass
from interpreter.ir.choice_keys import all_rules, reachable_bodies
from interpreter.syntax import files
from interpreter.syntax.document import Mapping as Tree
from interpreter.syntax.document import Scalar, Sequence
from interpreter.syntax.fixed_words import BOUNDARIES
from interpreter.testing.cases import Case, Trial, Verdict, cases_of
from interpreter.testing.mutants import mutants
from interpreter.testing.reachability import Reach

Watch = Callable[[list[str]], Iterable[str]]

EXEMPT = ("elsewhere", "flavour")
"""Statuses of rows that no rule, or only a hook, implements."""


@dataclass(frozen=True)
class CoverageRow:
    """A row of the list of a rulebook, with its coverage.

    `status` is one status, or several with `/` between them: the text says one part, and another text the rest.
    `survivors` are the constructs that cite it and that no case notices when they are wrong; None without mutation.
    `strange` are statuses that constructs cite it with and that differ from the statuses of the row. `places` are the
    paths of the constructs that cite it, `cases` the names of the passing cases that name it, and `note` is what the
    ruleset says about a row that it leaves out.
    """

    id: str
    name: str
    status: str
    cited: bool
    exercised: bool
    survivors: tuple[str, ...] | None = None
    strange: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    note: str = ""

    @property
    def exempt(self) -> bool:
        """Whether no case need play it: no part of it stands in the text as a rule."""
        return all(one in EXEMPT for one in self.status.split("/"))

    @property
    def holds(self) -> bool:
        exempt = self.exempt
        return self.cited and (self.exercised or exempt) and not (self.survivors and not exempt) and not self.strange


@dataclass(frozen=True)
class Coverage:
    """Every row in order, and the problems that belong to no row."""

    rows: tuple[CoverageRow, ...]
    problems: tuple[Diagnostic, ...]

    @property
    def holds(self) -> bool:
        return not self.problems and all(row.holds for row in self.rows)


def listed_rows(folder: Path | None) -> dict[str, tuple[str, str]]:
    """The rows of `rows.tsv` in a ruleset's folder: id, then status and name. Empty where there is no list."""
    file = files.file_inside(folder, "rows.tsv") if folder else None
    if file is None:
        return {}
    lines = [line.split("\t") for line in files.read_saved(str(file)).splitlines()[1:] if line.strip()]
    if any(len(line) != 3 for line in lines):
        raise RulesetError(say.cannot_read("rows.tsv", "each line is an id, a status and a name, with tabs between"))
    return {row: (status, name) for row, status, name in lines}


def coverage(
    program: ir.Program, world: World, folder: Path | None, mutate: bool = False, watch: Watch = lambda rows: rows
) -> Coverage:
    """Every row of the list; without one, every row that is cited.

    `watch` gets the rows and gives them back one by one, for a progress bar.
    """
    known = listed_rows(folder)
    rows = known or {one.row: (one.status, "") for one in program.citations}
    trial = Trial(Game(program, world))
    verdicts = [trial.run(case) for case in cases_of(world.cases)]
    row_verdicts = tuple(_row(row, *rows[row], program, world, verdicts, mutate) for row in watch(list(rows)))
    return Coverage(
        row_verdicts, (*_unplayed_rules(program, verdicts), *(_unlisted_rows(program, world, known) if known else ()))
    )


def _unplayed_rules(program: ir.Program, verdicts: Iterable[Verdict]) -> Iterator[Diagnostic]:
    """Mechanics, events and actions that no case plays, nor one that may come to them."""
    verdicts = list(verdicts)
    named = {name for one in verdicts for name in one.case.subjects}
    named |= {f"events.{span}_ends" for one in verdicts for span in one.case.ends}
    played = _rules_reached(
        program, [rule for rule in all_rules(program) if rule.path.removeprefix("mechanics.") in named]
    )
    played |= {path for one in verdicts for path in one.reached}
    for rule in all_rules(program):
        if rule.path not in played and not rule.path.startswith("reactions."):
            yield say.no_cases(rule.span, rule.name)


def _rules_reached(program: ir.Program, played: Iterable[ir.Mechanic]) -> set[str]:
    """The paths of rules, and of all rules that they may call, cause, play as actions or trigger as reactions."""
    open_, paths, seen = list(played), set[str](), set[str]()
    while open_:
        rule = open_.pop()
        if rule.path in paths:
            continue
        paths.add(rule.path)
        if rule.path.startswith("scenes."):
            open_ += [one for name, one in program.events.items() if name in BOUNDARIES]
        if rule.path.startswith("events."):
            open_ += [one.action.rule for one in program.reactions.values() if rule.name in one.events]
        for _, action in reachable_bodies(program, rule, (), seen):
            match action:
                case ir.Call(name):
                    open_.append(program.mechanics[name])
                case ir.Cause(name):
                    open_.append(program.events[name])
                case ir.Act(name):
                    open_.append(program.actions[name].rule)
                case ir.Offer(names):
                    open_ += [program.actions[name].rule for name in names]
    return paths


def _unlisted_rows(program: ir.Program, world: World, known: Mapping[str, object]) -> Iterator[Diagnostic]:
    """Rows that a construct cites, or that a note or a case names, and that the list lacks."""
    named = [(one.row, one.span) for one in program.citations]
    named += [(row, entry.key.span) for row, entry in world.section("notes").items()]
    for case in world.cases:
        rule = case.get("rule") if isinstance(case, Tree) else None
        rows = rule.items if isinstance(rule, Sequence) else (rule,)
        named += [(row.text, row.span) for row in rows if isinstance(row, Scalar)]
    for row, span in named:
        if row not in known:
            yield say.unknown_row(span, row, known)


def _row(
    row: str, status: str, name: str, program: ir.Program, world: World, verdicts: list[Verdict], mutate: bool
) -> CoverageRow:
    citing = [one for one in program.citations if one.row == row]
    paths = list(dict.fromkeys(one.path for one in citing))
    reach = Reach(program)
    naming = [one for one in verdicts if row in one.case.rules and not one.failures and not one.skipped]
    exercised = any(reach.covers(set(one.reached), path) for one in naming for path in paths)
    survivors = None
    if mutate:
        cases = [one.case for one in naming]
        survivors = tuple(path for path in paths if not _is_noticed(program, world, path, cases))
    strange = tuple(sorted({one.status for one in citing} - set(status.split("/"))))
    cited, note = bool(citing) or row in program.notes, program.notes.get(row, "")
    named = tuple(one.case.name for one in naming)
    return CoverageRow(row, name, status, cited, exercised, survivors, strange, tuple(paths), named, note)


def _is_noticed(program: ir.Program, world: World, path: str, cases: Iterable[Case]) -> bool:
    """Whether a case fails when the construct at `path` is wrong."""
    cases = list(cases)
    for mutant, declared in mutants(program, world, path):
        trial = Trial(Game(mutant, declared))
        if any(_fails(trial, case) for case in cases):
            return True
    return False


def _fails(trial: Trial, case: Case) -> bool:
    """Whether a case fails; a mutant that no checker has accepted may also raise an error of Python."""
    try:
        return bool(trial.run(case).failures)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return True

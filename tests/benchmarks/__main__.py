"""`python -m tests.benchmarks`: everything that is measured, in one run. `docs/benchmarks.md` tells what it means."""

from __future__ import annotations

import platform
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from pkgutil import walk_packages

from ..workloads import WORKLOADS
from . import editor, fights, loading, odds, peers, play, questions
from .table import Table

PARTS: dict[str, Callable[[int], Table | None]] = {
    "growth": odds.growth,
    "cliffs": questions.cliffs,
    "questions": questions.questions,
    "memory": lambda runs: odds.peaks(WORKLOADS),
    "rolls": play.rolls,
    "simulation": play.simulation,
    "fights": fights.fights,
    "start": play.start,
    "editor": editor.editor,
    "loading": loading.loading,
}


def main() -> int:
    """Run the command."""
    parser = ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--only", action="append", choices=[*WORKLOADS, "odds", *PARTS], help="a workload or a part")
    parser.add_argument("--runs", type=int, default=5, help="how often each is measured; the median is told")
    parser.add_argument("--markdown", type=Path, help="write the tables into this file too")
    given = parser.parse_args()
    chosen = given.only or ["odds", *PARTS]
    _import_all()
    tables: list[Table] = []
    if asked := list(WORKLOADS) if "odds" in chosen else [name for name in WORKLOADS if name in chosen]:
        tables.append(_shown(odds.workloads(asked, given.runs)))
    for name, part in PARTS.items():
        if name in chosen and (table := part(given.runs)) is not None:
            tables.append(_shown(table))
    print(_machine())
    if given.markdown:
        given.markdown.write_text("\n\n".join([one.markdown() for one in tables] + [_machine()]) + "\n", "utf-8")
    return 0


def _import_all() -> None:
    """Import the modules that only some questions need, as every copy of this process would be charged for them."""
    for name in ("api", "codegen", "odds", *(["simulation"] if peers.numpy is not None else [])):
        package = import_module(f"interpreter.{name}")
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)


def _shown(table: Table) -> Table:
    print(table.text(), end="\n\n", flush=True)
    return table


def _machine() -> str:
    """What it was measured with."""
    found = []
    for library in ("icepool", "dyce", "d20", "numpy"):
        try:
            found.append(f"{library} {version(library)}")
        except PackageNotFoundError:
            continue
    left = f"; not installed and left out: {', '.join(peers.MISSING)}" if peers.MISSING else ""
    return f"Python {platform.python_version()} on {platform.machine()}; {', '.join(found)}{left}."


if __name__ == "__main__":
    sys.exit(main())

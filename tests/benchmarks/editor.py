"""Answers for an editor, over the whole text of the largest bundled ruleset."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from interpreter import bundled
from interpreter.diagnostics.source import Source
from interpreter.editor import links
from interpreter.editor.analysis import analysis_of, problems_of
from interpreter.editor.completion import completions_at
from interpreter.editor.hover import hover_at

from .table import Table, milliseconds

PLACES = 200


def _bytes(main: Path) -> int:
    return sum(file.stat().st_size for file in main.parent.glob("*.yaml"))


def editor(runs: int) -> Table:
    """Each question at 200 places, spread evenly over all files; the fastest of `runs` counts for each place."""
    name, main = max(bundled.rulesets().items(), key=lambda one: _bytes(one[1]))
    analysis = analysis_of(main.resolve(), {})
    _ = analysis.uses, analysis.definitions, analysis.name_at(Source("", ""), 0)  # as the server does before it answers
    length = sum(len(source.text) for source in analysis.sources.values())
    places = []
    for source in analysis.sources.values():
        places += [(source, offset) for offset in range(7, len(source.text), length // PLACES)]
    questions: dict[str, Callable[[Source, int], object]] = {
        "completion": lambda source, offset: completions_at(analysis, source, offset),
        "hover": lambda source, offset: hover_at(analysis, analysis, source, offset),
        "definition": lambda source, offset: links.definition_of(analysis, source, offset),
    }
    table = Table(f"An editor on {name}, milliseconds", ["", "median", "95th of 100", "longest"])
    for question, ask in questions.items():
        found = sorted(min(_seconds(lambda one=one, ask=ask: ask(*one)) for _ in range(runs)) for one in places)
        shown = (found[len(found) // 2], found[len(found) * 95 // 100], found[-1])
        table.rows.append([question, *map(milliseconds, shown)])
    checks = sorted(_seconds(lambda: problems_of(analysis_of(main.resolve(), {}))) for _ in range(runs))
    table.rows.append(["all problems, after a change", milliseconds(checks[len(checks) // 2]), "", ""])
    return table


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start

"""How long it takes to load and check rulesets with more and more of something."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import interpreter
from interpreter import pipeline

from ..growing_texts import SHAPES
from .clock import Measured, Task, times
from .table import Table, failures, milliseconds

FEW = 50
TIMES = (1, 2, 4, 8)
"""How many times as many of each as the least."""


def loading(runs: int) -> Table:
    """How long a ruleset takes with 1, 2, 4 and 8 times as many of something, and how much longer the last takes."""
    table = Table(
        f"Growth of loading, milliseconds (median of {runs})",
        ["as many", *[f"× {n}" for n in TIMES], f"× {TIMES[-1]} takes"],
    )
    for name, make in SHAPES.items():
        with TemporaryDirectory() as folder:
            found: list[Measured] = []
            for n in TIMES:
                task = Task(partial(_write_and_load, make(FEW * n), Path(folder)))
                found.append(times({name: task}, runs)[name])
                table.notes += failures({f"{name}, × {n}": found[-1]})
        first, last = found[0], found[-1]
        grown = f"{last / first:.1f}" if isinstance(first, float) and isinstance(last, float) else ""
        table.rows.append([name, *map(milliseconds, found), grown])
    return table


def _write_and_load(texts: tuple[str, ...], folder: Path) -> Callable[[], Any]:
    names = ("t.yaml", "h.yaml")[: len(texts)]
    for name, text in zip(names, texts, strict=True):
        (folder / name).write_text(text, "utf-8")
    with suppress(interpreter.HouseruleError):
        interpreter.loads("ruleset: first\nmechanics: {m: {steps: {x: {roll: d6}, y: zz}}}\n")

    def load() -> None:
        with interpreter.within(interpreter.Budget.usual):
            pipeline.from_path(folder / names[-1])

    return load

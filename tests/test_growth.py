"""Nothing in loading and checking grows with the square of what can be many: held by how much longer more takes."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from marks import thorough

import interpreter
from interpreter import Budget, pipeline

BASE = "ruleset: t\nmechanics:\n"
OVER = "ruleset: h\nextends: t.yaml\nchanges:\n"


def lines(number: int, line: Callable[[int], str]) -> str:
    return "".join(f"{line(place)}\n" for place in range(number))


def mechanics(number: int) -> str:
    return BASE + lines(number, lambda n: f"  m{n}: {{steps: {{x: {n}}}}}")


def near_names(number: int) -> str:
    names = [f"alpha_{n:04}_beta" for n in range(number)]
    functions = lines(number, lambda n: f"  {names[n]}: {{takes: {{n: number}}, gives: n}}")
    misspelt = lines(number // 5, lambda n: f"      y{n}: {names[n][:-1]}x(1)")
    return f"ruleset: t\nfunctions:\n{functions}mechanics:\n  m:\n    steps:\n{misspelt}"


STEPS = BASE + "  m:\n    steps:\n"

SHAPES: dict[str, Callable[[int], tuple[str, ...]]] = {
    "steps": lambda n: (STEPS + lines(30 * n, lambda n: f"      a{n}: {n}"),),
    "rolls": lambda n: (STEPS + lines(n, lambda n: f"      a{n}: {{roll: d6}}"),),
    "steps that read others": lambda n: (STEPS + "      a0: 1\n" + lines(n, lambda n: f"      a{n + 1}: a{n} + 1"),),
    "mechanics": lambda n: (mechanics(n),),
    "functions": lambda n: (
        "ruleset: t\nfunctions:\n  f0: {takes: {n: number}, gives: n}\n"
        + lines(n, lambda n: f"  f{n + 1}: {{takes: {{n: number}}, gives: f{n}(n) + 1}}"),
    ),
    "rows": lambda n: (
        "ruleset: t\ntables:\n  t:\n    rows:\n" + lines(5 * n, lambda n: f"      {n}: {n}"),
    ),
    "attributes": lambda n: (
        "ruleset: t\nkinds:\n  k:\n    has:\n" + lines(n, lambda n: f"      a{n}: {{type: number, default: 1}}"),
    ),
    "cases": lambda n: (
        "ruleset: t\nmechanics: {m: {steps: {x: {roll: d6}}}}\ncases:\n"
        + lines(n, lambda n: f"  - {{name: c{n}, mechanic: m, faces: [3], expect: {{x: 3}}}}"),
    ),
    "things like others": lambda n: (
        "ruleset: t\nkinds: {h: {has: {a: {type: number, default: 1}}}}\nmechanics: {m: {steps: {x: 1}}}\n"
        "cases:\n  - name: c\n    mechanic: m\n    expect: {x: 1}\n    before:\n      t0: {is: h}\n"
        + lines(n, lambda n: f"      t{n + 1}: {{like: t{n}, a: {n}}}"),
    ),
    "errors": lambda n: (STEPS + lines(n, lambda n: f"      a{n}: zz{n}"),),
    "misspelt names": lambda n: (near_names(n),),
    "renames": lambda n: (
        mechanics(n), OVER + lines(n, lambda n: f"  mechanics.m{n}: {{rename: q{n}, because: so.}}"),
    ),
    "changes": lambda n: (
        mechanics(n), OVER + lines(n, lambda n: f"  mechanics.m{n}.steps.x: {{set: {n + 1}, because: so.}}"),
    ),
    "steps that are added": lambda n: (
        BASE + "  m: {steps: {x: 1}}\n",
        OVER + lines(n, lambda n: f"  mechanics.m.steps.y{n}: {{add: {n}, after: x, because: so.}}"),
    ),
}  # fmt: skip
"""Texts of a ruleset, and of a house rule over it, with so many of something."""

FEW = 60
QUICK = ("renames",)


def seconds_to_load(texts: tuple[str, ...], folder: Path) -> float:
    for name, text in zip(("t.yaml", "h.yaml"), texts, strict=False):
        (folder / name).write_text(text, "utf-8")
    gc.collect()
    gc.disable()
    try:
        began = time.thread_time()
        with interpreter.within(Budget.usual):
            pipeline.from_path(folder / ("h.yaml" if len(texts) > 1 else "t.yaml"))
        return time.thread_time() - began
    finally:
        gc.enable()


@pytest.mark.parametrize("name", thorough(SHAPES, lambda name: name not in QUICK))
def test_four_times_as_much_takes_little_more_than_four_times_as_long_to_load(name: str, tmp_path: Path) -> None:
    """With the square it would be sixteen times, and with n log n it is five."""
    few, many = (min(seconds_to_load(SHAPES[name](n), tmp_path) for _ in range(2)) for n in (FEW, 4 * FEW))
    assert many < 8 * few + 0.05

"""Nothing in loading and checking grows with the square of what can be many: held by how much longer more takes."""

from __future__ import annotations

import gc
import time
from pathlib import Path

import pytest
from growing_texts import SHAPES
from marks import thorough

import interpreter
from interpreter import Budget, pipeline

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


def test_a_state_may_hold_thousands_of_things_each_of_which_is_like_the_one_before() -> None:
    """What each is like is found once, whatever their order, and a circle of them is told."""
    game = interpreter.loads(
        "ruleset: t\nkinds: {h: {has: {a: {type: number, default: 1}, b: {type: number, default: 2}}}}\n"
    )
    row: dict[str, dict[str, object]] = {f"t{n}": {"like": f"t{n - 1}", "b": n} for n in range(1, 4_000)}
    for things in ({"t0": {"is": "h", "a": 7}, **row}, {**dict(reversed(row.items())), "t0": {"is": "h", "a": 7}}):
        state = game.state(things)
        assert game.look(state, "t3999.a") == 7 and game.look(state, "t3999.b") == 3_999
        assert game.look(state, "t2000.b") == 2_000
    with pytest.raises(interpreter.PlayError, match="HR650"):
        game.state({**row, "t0": {"like": "t3999"}})

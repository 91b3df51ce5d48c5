"""Python's collector of cycles runs rarely while odds are computed and scenes are played, and as before afterwards."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from threading import Barrier, Thread

import pytest

import interpreter
from interpreter.collector import RARELY, collect_garbage_rarely
from interpreter.diagnostics import PlayError


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_it_runs_rarely_inside_and_as_before_after_the_last() -> None:
    with collect_garbage_rarely():
        assert gc.get_threshold() == (RARELY, 10, 10)
        with collect_garbage_rarely():
            assert gc.get_threshold() == (RARELY, 10, 10)
        assert gc.get_threshold() == (RARELY, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("young", [0, 2 * RARELY])
def test_a_host_that_collects_more_rarely_or_never_keeps_its_own(young: int) -> None:
    gc.set_threshold(young, 10, 10)
    with collect_garbage_rarely():
        assert gc.get_threshold() == (young, 10, 10)
    assert gc.get_threshold() == (young, 10, 10)


def test_threads_that_overlap_leave_it_as_it_was() -> None:
    first_is_inside, second_is_inside = Barrier(2), Barrier(2)

    def first() -> None:
        with collect_garbage_rarely():
            first_is_inside.wait()
            second_is_inside.wait()

    def second() -> None:
        first_is_inside.wait()
        with collect_garbage_rarely():
            second_is_inside.wait()

    threads = [Thread(target=first), Thread(target=second)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert gc.get_threshold() == (700, 10, 10)


def test_a_question_that_fails_leaves_it_as_it_was() -> None:
    game = interpreter.loads(
        "ruleset: large\nmechanics:\n  main: {steps: {rolled: {roll: 30d20}, low: first(rolled)}}\n"
    )
    with pytest.raises(PlayError):
        game.odds("main").law("rolled")
    assert gc.get_threshold() == (700, 10, 10)


def test_it_runs_rarely_while_a_scene_is_played_and_as_before_after_a_run_that_fails() -> None:
    game = interpreter.loads(
        "ruleset: asks\nroles: {ann: {}}\nscenes:\n  main:\n    round:\n"
        "      asked: {steps: {one: {choose: number, from: 1, to: 3, by: ann}}}\n"
        "    outcomes: {over: scene.round > 5}\n"
    )
    seen = []

    def answer(choice: object) -> int:
        seen.append(gc.get_threshold()[0])
        return 9

    with pytest.raises(PlayError):
        game.play("main", policy=answer)
    assert seen == [RARELY]
    assert gc.get_threshold() == (700, 10, 10)

"""Workers: what a task may take ends it and nothing else, whatever the task is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, CancelledError
from pathlib import Path

import pytest
import workers_tasks as tasks

import interpreter
from interpreter.budget import Budget
from interpreter.host.shards import Shard
from interpreter.workers import Workers

SMALL = Budget(seconds=0.2, memory=64 << 20)


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with Workers(1, SMALL) as made:
        yield made


def test_a_task_returns_what_its_function_returns(workers: Workers) -> None:
    assert (
        workers.submit(tasks.outcome, tasks.RULES).result() == interpreter.loads(tasks.RULES).roll("m", seed=1).outcome
    )


def test_a_task_raises_what_its_function_raises(workers: Workers) -> None:
    with pytest.raises(ValueError, match="no"):
        workers.submit(tasks.refuse).result()
    with pytest.raises(interpreter.RulesetError) as error:
        workers.submit(tasks.outcome, "ruleset: a\nmechanics: 3").result()
    assert error.value.diagnostics[0].span.source.text.startswith("ruleset: a")


@pytest.mark.parametrize(("task", "allowed"), [(tasks.spin, "0.2 seconds"), (tasks.grow, "64 MB")])
def test_the_system_ends_what_no_meter_counts_and_the_next_task_has_a_new_process(
    workers: Workers, task: object, allowed: str
) -> None:
    before = workers.submit(tasks.process).result()
    with pytest.raises(interpreter.HouseruleError, match=allowed):
        workers.submit(task).result()  # type: ignore[arg-type]
    assert task is tasks.grow or workers.submit(tasks.process).result() != before
    assert workers.submit(tasks.outcome, tasks.RULES).result()


def test_what_a_task_prints_is_no_reply_and_nobody_types_to_it(workers: Workers) -> None:
    assert workers.submit(tasks.say, "hello " * 1000).result() == "hello " * 1000
    assert workers.submit(tasks.outcome, tasks.RULES).result()


def test_the_meter_tells_where_the_work_was(workers: Workers) -> None:
    slow = "ruleset: a\nmechanics: {m: {steps: {z: {repeat: 9999, each: {x: 'count(ordered(upto(999)))'}}, r: z}}}"
    with pytest.raises(interpreter.HouseruleError) as error:
        workers.submit(tasks.outcome, slow).result()
    assert error.value.diagnostics[0].code == "HR638"
    assert error.value.diagnostics[0].span.text in ("x", "z")  # the clock may be read in a pass, or between two


def test_a_process_that_ends_takes_only_its_task_with_it(workers: Workers) -> None:
    ended, after = workers.submit(tasks.end_process), workers.submit(tasks.outcome, tasks.RULES)
    with pytest.raises(BrokenExecutor, match="code 3"):
        ended.result()
    assert after.result()


def test_a_task_that_runs_can_be_cancelled(workers: Workers) -> None:
    task, waits = workers.submit(tasks.sleep, 60), workers.submit(tasks.sleep, 60)
    while not task.running():
        time.sleep(0.01)
    assert waits.cancel()
    assert task.cancel()
    with pytest.raises(CancelledError):
        task.result()
    assert workers.submit(tasks.sleep, 0).result() == "slept"
    assert not task.cancel()


def test_a_task_writes_nothing_into_files(workers: Workers, tmp_path: Path) -> None:
    with pytest.raises((OSError, BrokenExecutor)):
        workers.submit(tasks.write_file, str(tmp_path / "file")).result()
    assert not (tmp_path / "file").exists() or not (tmp_path / "file").stat().st_size


def test_workers_that_are_shut_down_take_no_task() -> None:
    with Workers(2, SMALL) as workers:
        results = [workers.submit(tasks.outcome, tasks.RULES) for _ in range(6)]
    assert all(one.done() for one in results)
    with pytest.raises(RuntimeError, match="shut down"):
        workers.submit(tasks.process)


def test_a_process_that_does_not_start_is_told_once_for_each_task_and_not_on_standard_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    failing = tmp_path / "python"
    failing.write_text("#!/bin/sh\necho Traceback >&2\necho 'ImportError: no such thing' >&2\nexit 1\n")
    failing.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(failing))
    with Workers(2, SMALL) as workers:
        for task in [workers.submit(tasks.process) for _ in range(5)]:
            with pytest.raises(BrokenExecutor, match=r"^the process of a worker does not start: ImportError: no such"):
                task.result()
    assert capfd.readouterr() == ("", "")


def test_a_host_tells_why_its_processes_do_not_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false" if Path("/bin/false").exists() else "/usr/bin/false")
    shard = Shard(interpreter.loads(tasks.RULES), (), False, SMALL)
    replies = [shard.reply(b'{"do": "scenes"}') for _ in range(2)]
    shard.close()
    for one in replies:
        assert one["error"]["code"] == "HR639"
        assert one["error"]["message"] == "the process of a worker does not start: it ended with code 1"

"""What holds for every test, and what the tests cost: the processor time of each, and which of them are slow."""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import partialmethod
from inspect import signature
from pathlib import Path
from zlib import crc32

import pytest
import yaml
from click.testing import CliRunner, Result
from durations import SLOW

from interpreter.syntax import yaml_events

COSTLIEST = 12
"""How many files of tests are named with what they take, where there are more."""

os.environ["HOUSERULE_STRICT"] = "1"  # generated functions that raise where play does not are an error

# What programs keep of a user, such as journals of games, is no business of the user who runs the tests.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="houserule-state-")
os.environ["HOUSERULE_CACHE"] = "off"  # what earlier code found out may not hold; `test_check_cache.py` turns it on

# Hundreds of tests start programs, each of which would compile every module anew, and take twice as long for that.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

gc.set_threshold(20_000, 20, 20)  # a ruleset is tens of thousands of objects, and none of them is garbage

# What a shell runs in the background ignores Ctrl-C, and so would every program that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Before click 8.2, what is written on standard error is told apart only if one asks for it, and is no part of `output`.
if "mix_stderr" in signature(CliRunner).parameters:
    CliRunner.__init__ = partialmethod(CliRunner.__init__, mix_stderr=False)  # type: ignore[assignment]
    Result.output = property(lambda self: self.stdout + self.stderr)  # type: ignore[assignment]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--python-yaml", action="store_true", help="read YAML in Python, as where libyaml is not there")
    parser.addoption(
        "--most-seconds",
        type=float,
        metavar="N",
        help="fail if a test takes more than N seconds of processor time; without it, only the sum is told",
    )
    parser.addoption(
        "--half",
        type=int,
        metavar="DAY",
        help="of the longer tests with parameters, leave out the half whose turn is on the other days, even or odd",
    )
    parser.addoption("--processor-times", metavar="FILE", help="write the processor time of each test there, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--python-yaml"):
        yaml_events.LOADER = yaml.SafeLoader
    options = config.getoption("--most-seconds"), config.getoption("--processor-times")
    config.pluginmanager.register(ProcessorTime(*options), "processor-time")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    slow = set(SLOW.read_text("utf-8").splitlines())
    for item in items:
        if item.nodeid in slow:
            item.add_marker(pytest.mark.thorough)
    day = config.getoption("--half")
    if day is not None:
        left_out = {item.nodeid for item in items if _is_of_another_day(item, day)}
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
        items[:] = [item for item in items if item.nodeid not in left_out]


def _is_of_another_day(item: pytest.Item, day: int) -> bool:
    """Whether a longer test with parameters is left out on a day: each runs on even or on odd ones."""
    is_one_of_many = hasattr(item, "callspec") and item.get_closest_marker("thorough") is not None
    return is_one_of_many and crc32(item.nodeid.encode()) % 2 != day % 2


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Leave what the tests of a file have made out of later searches for garbage, which took a fifth of all time."""
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


class ProcessorTime:
    """Adds up the processor time of tests, their fixtures and the programs that they ran to their end.

    A worker notes it in the properties of a test, which reach the process that reports.
    """

    def __init__(self, most: float | None, file: str | None) -> None:
        self.most = most
        self.file = file
        self.started = 0.0
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        self.started = _processor_time()
        return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        if call.when == "teardown":
            item.user_properties.append(("processor_time", _processor_time() - self.started))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self.seconds[report.nodeid] = dict(report.user_properties).get("processor_time", 0.0)

    def too_slow(self) -> list[str]:
        slow = [name for name, seconds in self.seconds.items() if self.most is not None and seconds > self.most]
        return sorted(slow, key=lambda name: -self.seconds[name])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.file is not None and not hasattr(session.config, "workerinput"):
            Path(self.file).write_text(json.dumps(self.seconds), "utf-8")
        if session.exitstatus == pytest.ExitCode.OK and self.too_slow():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for name in self.too_slow():
            terminalreporter.write_line(f"too slow: {self.seconds[name]:.1f} s of processor time: {name}")
        if self.seconds:
            terminalreporter.write_line(f"tests: {sum(self.seconds.values()):.0f} s of processor time")
        if len(of_files := self.of_files()) > COSTLIEST:
            costly = ", ".join(f"{name} {seconds:.0f}" for name, seconds in of_files.most_common(COSTLIEST))
            terminalreporter.write_line(f"most of it: {costly}")

    def of_files(self) -> Counter[str]:
        """The seconds of each file of tests."""
        found: Counter[str] = Counter()
        for name, seconds in self.seconds.items():
            found[name.partition("::")[0].removeprefix("tests/").removesuffix(".py")] += seconds
        return found


def _processor_time() -> float:
    """Seconds that this process has taken, and the children that it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)

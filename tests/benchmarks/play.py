"""Single rolls, mass simulation, and what it takes to start and to load."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import interpreter
from interpreter import bundled

from ..workloads import RULES, WORKLOADS, related
from . import peers
from .clock import Measured, Task, times
from .table import Table, each_second, failures, megabytes, milliseconds, ratio

SINGLE = """
ruleset: single
mechanics:
  ability: {steps: {rolled: {roll: 4d6}, total: "sum(highest(rolled, 3))"}}
  damage:  {steps: {rolled: {roll: 2d6}, total: sum(rolled) + 3}}
kinds:
  hero: {has: {life: {type: points, to: 20, starts: 20}}}
things:
  hero: {rhea: {}}
scenes:
  trap:
    inputs: {who: {type: hero, default: rhea}}
    round:
      sprung: {steps: {rolled: {roll: 4d6}, total: "sum(highest(rolled, 3))", hurt: {lose: total, from: who.life}}}
    guard: 3
    outcomes: {hurt: who.life < 20}
"""
WRITTEN = {"ability": "4d6kh3", "damage": "2d6+3"}
"""How d20 writes the same."""

ROLLS = 2000
RUNS = 1 << 22
CHECKS = 1 << 17
"""Runs of a mechanic that calls many others, in about as much time."""
SCENES = 1 << 15
"""Runs of a scene with one roll: scenes are played run by run."""


def rolls(runs: int) -> Table:
    """Rolls a second, one by one, each with its trace, beside d20's, which has none."""
    game = interpreter.loads(SINGLE)
    table = Table(f"Single rolls a second (median of {runs})", ["", "with trace", "trace in words", "d20", "ratio"])
    for mechanic, written in WRITTEN.items():
        tasks = {
            "rolled": Task(_warm(lambda m=mechanic: game.roll(m)), ROLLS),
            "told": Task(_warm(lambda m=mechanic: str(game.roll(m).trace)), ROLLS),
        }
        if peers.d20 is not None:
            tasks["d20"] = Task(_warm(lambda w=written: peers.d20.roll(w)), ROLLS)
        found: dict[str, Measured] = {"d20": None, **times(tasks, runs)}
        shown = [each_second(found[kind]) for kind in ("rolled", "told", "d20")]
        table.rows.append([written, *shown, ratio(found["rolled"], found["d20"])])
        table.notes += failures(found)
    return table


def _warm(work: Callable[[], Any]) -> Callable[[], Callable[[], Any]]:
    def ready() -> Callable[[], Any]:
        for _ in range(100):
            work()
        return work

    return ready


def simulation(runs: int) -> Table | None:
    """Runs a second of mass simulation on one core, beside NumPy by hand and d20; None where there is none."""
    game = interpreter.load(RULES)
    if not hasattr(game, "simulate") or peers.numpy is None:
        return None
    table = Table(
        f"Simulation, million runs a second on one core (median of {runs})", ["", "houserule", "peer", "ratio"]
    )
    for name, by_hand in peers.numpy.SAMPLED.items():
        workload = WORKLOADS[name]

        def many(workload: Any = workload) -> Any:
            return game.simulate(workload.mechanic, runs=RUNS, seed=1, of=workload.asked, inputs=workload.inputs)

        tasks = {
            "ours": Task(lambda many=many: many),
            "peer": Task(lambda by_hand=by_hand: lambda: by_hand(peers.numpy.generator(), RUNS)),
        }
        _compared(table, f"{name}, beside NumPy by hand", tasks, runs, RUNS, RUNS)
    single = interpreter.loads(SINGLE)
    tasks = {"ours": Task(lambda: lambda: single.simulate("ability", runs=RUNS, seed=1, of=["total"]))}
    if peers.d20 is not None:
        tasks["peer"] = Task(_warm(lambda: peers.d20.roll("4d6kh3")), ROLLS)
    _compared(table, "4d6kh3, beside d20", tasks, runs, RUNS, 1)
    helped = related("tracking")
    d6 = interpreter.load(helped.ruleset)

    def checks() -> Any:
        return d6.simulate(helped.mechanic, runs=CHECKS, seed=1, of=helped.asked, inputs=helped.inputs)

    _compared(table, "D6, a check with a related skill", {"ours": Task(lambda: checks)}, runs, CHECKS, 1)
    sprung = Task(lambda: lambda: single.simulate("scenes.trap", runs=SCENES, seed=1))
    _compared(table, "a scene with one roll, run by run", {"ours": sprung}, runs, SCENES, 1)
    return table


def _compared(table: Table, says: str, tasks: dict[str, Task], runs: int, ours: int, theirs: int) -> None:
    found: dict[str, Measured] = {"peer": None, **times(tasks, runs)}
    one = {"ours": _each(found["ours"], ours), "peer": _each(found["peer"], theirs)}
    table.rows.append([says, *[_millions(of) for of in one.values()], _fraction(one["ours"], one["peer"])])
    table.notes += failures({f"{says}: {kind}": of for kind, of in found.items()})


def _each(found: Measured, runs: int) -> Measured:
    return found / runs if isinstance(found, float) else found


def _millions(found: Measured) -> str:
    return f"{1e-6 / found:.3g}" if isinstance(found, float) else each_second(found)


def _fraction(ours: Measured, theirs: Measured) -> str:
    """How many times as many runs ours makes: here less than one is worth telling."""
    if isinstance(ours, float) and isinstance(theirs, float) and theirs < 2 * ours:
        return f"{theirs / ours:.2f}"
    return ratio(ours, theirs)


def start(runs: int) -> Table:
    """From a cold shell to an answer, and loading with checking."""
    largest = max(bundled.rulesets().items(), key=lambda one: _bytes(one[1]))
    play = "from interpreter.cli import main; main()"
    tasks = {
        "python -c pass": ["-c", "pass"],
        "python -c 'import yaml'": ["-c", "import yaml"],
        "python -c 'import yaml, jsonschema'": ["-c", "import yaml, jsonschema"],
        "houserule --version": ["-c", play, "--version"],
        "houserule --help": ["-c", play, "--help"],
        "houserule check pbta": ["-c", play, "check", "pbta"],
        f"houserule check {largest[0]}": ["-c", play, "check", largest[0]],
        "houserule roll jadeclaw contest": ["-c", play, "roll", "jadeclaw", "contest", "own=d10 & d4", "against=2d6"],
        "houserule roll fiend-wake roll": ["-c", play, "roll", "fiend-wake", "roll", "difficulty=7"],
        "houserule odds jadeclaw contest": ["-c", play, "odds", "jadeclaw", "contest", "own=d10 & d4", "against=2d6"],
    }
    for given in tasks.values():
        _run(given)  # whatever it imports is compiled
    found = times(
        {name: Task(lambda given=given: lambda: _run(given), 1, _of_commands) for name, given in tasks.items()}, runs
    )
    yaml = found["python -c 'import yaml, jsonschema'"]
    table = Table(f"Start, milliseconds (median of {runs})", ["", "milliseconds", "times yaml, jsonschema", "peak MB"])
    for name, given in tasks.items():
        table.rows.append([name, milliseconds(found[name]), ratio(yaml, found[name]), megabytes(_peak(given))])
    ways = {"load": lambda: interpreter.load(largest[0]), "check": lambda: interpreter.check(largest[0])}
    loading = times({way: Task(lambda call=call: call) for way, call in ways.items()}, runs)
    for way in ways:
        table.rows.append([f"{way} {largest[0]}, the largest", milliseconds(loading[way]), "", ""])
    table.notes += failures({**found, **loading})
    return table


def _of_commands() -> float:
    """Seconds that the commands run so far have spent on a core."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment of commands: one that is installed is compiled once, and not for each command."""


def _run(given: list[str]) -> None:
    subprocess.run([sys.executable, *given], check=True, capture_output=True, env=ENVIRONMENT)


PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, capture_output=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""A small program that runs another one and tells the most kilobytes that it held."""


def _peak(given: list[str]) -> float:
    """The most memory of a process in bytes."""
    command = [sys.executable, "-c", PEAK, sys.executable, *given]
    return 1024.0 * int(subprocess.run(command, check=True, capture_output=True, env=ENVIRONMENT).stdout)


def _bytes(ruleset: Path) -> int:
    folder = ruleset.parent if ruleset.is_file() else ruleset
    return sum(file.stat().st_size for file in folder.glob("*.yaml"))

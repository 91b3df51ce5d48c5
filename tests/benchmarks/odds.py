"""Exact odds: the workloads beside other libraries, how they grow, and the memory they take."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from math import exp, log
from typing import Any

import interpreter
from interpreter.api.game import Game

from ..workloads import RULES, WORKLOADS, Law, Workload, reference
from . import peers
from .clock import LIMIT, Failed, Measured, Task, apart, memory, times
from .table import Table, failures, megabytes, milliseconds, ratio

AGAIN = 200
"""How often a question that has its answer already is asked to measure it."""


def workloads(names: Collection[str], runs: int) -> Table:
    """Every workload: cold, planned and asked again, beside icepool and dyce."""
    game = interpreter.load(RULES)
    table = Table(
        f"Exact odds, milliseconds (median of {runs})",
        ["workload", "cold", "planned", "again", "icepool", "dyce", "icepool/cold", "icepool/planned", "dyce/cold"],
    )
    gained: dict[str, list[float]] = {"cold": [], "planned": []}
    for name in names:
        found: dict[str, Measured] = {"icepool": None, "dyce": None, **times(_tasks(game, name), runs)}
        ours, planned, again = found["cold"], found["planned"], found["again"]
        table.rows.append([
            f"{name} {WORKLOADS[name].says}",
            *map(milliseconds, (ours, planned, again, found["icepool"], found["dyce"])),
            ratio(ours, found["icepool"]), ratio(planned, found["icepool"]), ratio(ours, found["dyce"]),
        ])  # fmt: skip
        table.notes += [*failures({f"{name} {kind}": one for kind, one in found.items()}), *_wrong(game, name)]
        for kind, others in gained.items():
            mine, theirs = found[kind], found["icepool"]
            if isinstance(mine, float) and isinstance(theirs, float):
                others.append(theirs / mine)
    if all(gained.values()):
        means = [f"{exp(sum(map(log, others)) / len(others)):.1f} {kind}" for kind, others in gained.items()]
        table.notes.append(f"icepool takes {' and '.join(means)} times as long in the geometric mean.")
    return table


def _tasks(game: Game, name: str) -> dict[str, Task]:
    workload = WORKLOADS[name]
    tasks = {
        "cold": Task(lambda: _cold(game, workload)),
        "planned": Task(lambda: _planned(game, workload)),
        "again": Task(lambda: _again(game, workload), AGAIN),
    }
    if peers.icepool is not None:
        asked, small = peers.icepool.ASKED[name]
        tasks["icepool"] = Task(lambda: _after(small, asked))
    if peers.dyce is not None:
        tasks["dyce"] = Task(lambda: peers.dyce.ASKED[name])
    return tasks


def _cold(game: Game, workload: Workload) -> Callable[[], Any]:
    """The code has run before, but this game was never asked anything, nor was any other of the same program."""
    workload.ask(game.with_options({}), **workload.others)
    fresh = interpreter.load(RULES)
    return lambda: workload.ask(fresh)


def _planned(game: Game, workload: Workload) -> Callable[[], Any]:
    """This game was asked the same of other inputs."""
    fresh = game.with_options({})
    workload.ask(fresh, **workload.others)
    return lambda: workload.ask(fresh)


def _again(game: Game, workload: Workload) -> Callable[[], Any]:
    fresh = game.with_options({})
    workload.ask(fresh)
    return lambda: workload.ask(fresh)


def _after(small: Callable[[], Any], asked: Callable[[], Any]) -> Callable[[], Any]:
    """The code of a peer has run before, but not with these dice."""
    small()
    return asked


def _wrong(game: Game, name: str) -> list[str]:
    """A sentence for each law that is not the true one."""
    true = reference()[name]
    laws: dict[str, Callable[[], Law]] = {"houserule": lambda: WORKLOADS[name].law(game)}
    for library in (peers.icepool, peers.dyce):
        if library is not None:
            asked = library.ASKED[name]
            ask = asked[0] if isinstance(asked, tuple) else asked
            laws[library.__name__.rpartition("_")[2]] = lambda ask=ask, library=library: library.law(ask())
    agreed = {who: apart(lambda law=law: law() == true, LIMIT) for who, law in laws.items()}
    return [f"{name}: {who} has another law" for who, one in agreed.items() if one is False]


# Growth ----------------------------------------------------------------------------------------------------------

GROWING: dict[str, tuple[str, Callable[[int], Workload]]] = {
    "contest": (
        "contest of n d12 and n d10",
        lambda n: Workload("", "contest", ("outcome",), {"own": f"{n}d12", "against": f"{n}d10"}, {"own": "d8"}),
    ),
    "damage": (
        "damage of n d12 & d8 against n d12 & d6",
        lambda n: Workload(
            "", "damage", ("hits",), {"blow": f"{n}d12 & d8", "soak": f"{n}d12 & d6"}, {"blow": "d8", "soak": "d6"}
        ),
    ),
    "keep": (
        "keep n/2 of n exploding d10",
        lambda n: Workload("", "keep_best", ("total",), {"pool": f"{n}d10", "keep": n // 2}, {"pool": "d8", "keep": 1}),
    ),
}
SIZES = (2, 4, 8, 16, 40)
SECONDS = 10.0
"""How long a question of growth may take: as long as one on the command line by default."""


def growth(runs: int) -> Table:
    """How long pools of n dice take, beside icepool."""
    game = interpreter.load(RULES)
    table = Table(
        f"Growth, milliseconds, cold (median of {runs})",
        ["", *[f"n = {n}" for n in SIZES], *[f"icepool {n}" for n in SIZES], *[f"ratio {n}" for n in SIZES]],
    )
    for name, (says, workload) in GROWING.items():
        ours: list[Measured] = []
        theirs: list[Measured] = []
        for n in SIZES:
            asked = replace(workload(n), otherwise={"seconds": SECONDS})
            tasks = {"ours": Task(lambda asked=asked: _cold(game, asked))}
            if peers.icepool is not None:
                grow = peers.icepool.GROWTH[name]
                tasks["icepool"] = Task(lambda n=n, grow=grow: _after(lambda: grow(2 if n > 2 else 3), lambda: grow(n)))
            found = {"icepool": None, **times(tasks, runs)}
            ours.append(found["ours"])
            theirs.append(found["icepool"])
            table.notes += failures({f"{says}, n = {n}, {kind}": one for kind, one in found.items()})
        table.rows.append([
            says, *map(milliseconds, ours), *map(milliseconds, theirs),
            *[ratio(a, b) for a, b in zip(ours, theirs, strict=True)],
        ])  # fmt: skip
    return table


# Memory ----------------------------------------------------------------------------------------------------------


def peaks(names: Collection[str]) -> Table:
    """The most memory each workload holds at once, cold, beside the peers."""
    game = interpreter.load(RULES)
    table = Table("Peak memory of a question, megabytes", ["workload", "houserule", "icepool", "dyce"])
    for name in names:
        tasks = {kind: task for kind, task in _tasks(game, name).items() if kind in ("cold", "icepool", "dyce")}
        found: dict[str, Measured] = {"icepool": None, "dyce": None, **memory(tasks)}
        table.rows.append([name, *[megabytes(found[kind]) for kind in ("cold", "icepool", "dyce")]])
        table.notes += [f"{name} {kind} failed: {one.why}" for kind, one in found.items() if isinstance(one, Failed)]
    return table

"""Holds every way to work a mechanic out to plain enumeration, question by question.

A new way to answer, such as simulation, is a line in `METHODS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from math import sqrt
from random import Random
from typing import Any

import interpreter
from interpreter import types as t
from interpreter.backends.answers import drive
from interpreter.backends.walk import Untold, inputs_frame
from interpreter.backends.ways import Effort
from interpreter.diagnostics import PlayError, RulesetError
from interpreter.draws import Chance
from interpreter.game import Game
from interpreter.odds.telling import told
from interpreter.written import Script, run_of

Law = Mapping[tuple[Any, ...], Fraction]
Names = tuple[str, ...]

EFFORT = Effort(ways=600, throws=40)
"""Beyond it, enumeration takes too long to be worth it."""

SCALAR = (t.Number, t.YesNo, t.Word, t.Roll)
"""Types of what is asked for; rolls are told as sorted faces."""


@dataclass(frozen=True)
class Method:
    """A way to answer a question, and whether its law is as good as the true one."""

    law: Callable[[Game, Names], Law]
    agrees: Callable[[Law, Law], bool]


def exact(game: Game, names: Names) -> Law:
    """Exact odds; chances that are missing are a law that sums to less than 1."""
    return game.odds("main").law(*names).weights


RUNS = 3_000


def columns(game: Game, names: Names) -> Law:
    """Shares of simulated runs."""
    return game.simulate("main", runs=RUNS, seed=1, of=names).law(*names).weights


def likely(true: Law, found: Law) -> bool:
    """Whether shares are within six standard errors, and nothing came up that cannot."""

    def near(key: Any, share: Fraction) -> bool:
        return abs(float(found.get(key, 0) - share)) <= 6 * sqrt(share * (1 - share) / RUNS) + 3 / RUNS

    return found.keys() <= true.keys() and all(near(key, share) for key, share in true.items())


METHODS = {
    "exact": Method(exact, lambda true, found: true == found),
    **({"columns": Method(columns, likely)} if find_spec("numpy") else {}),
}


@dataclass(frozen=True)
class Verdict:
    """What came of one ruleset: `kind` is `agreed`, `rejected`, `too much`, `fails in play`, or what went wrong.

    `about` says which question it was, and how the laws differ.
    """

    kind: str
    about: str = ""

    @property
    def well(self) -> bool:
        return self.kind in ("agreed", "rejected", "too much", "fails in play")


def held(text: str, methods: Mapping[str, Method] = METHODS) -> Verdict:
    """Every question that the mechanic `main` of a ruleset allows, asked of every method and of enumeration."""
    try:
        game = interpreter.loads(text)
    except RulesetError as error:
        return Verdict("rejected", error.diagnostics[0].code)
    except Exception as error:  # whatever it is, it is to be told and made small
        return Verdict(f"crash at load: {type(error).__name__}", str(error))
    if "main" not in game.program.mechanics:
        return Verdict("rejected", "no mechanic `main`")
    try:
        records = enumerated(game)
    except PlayError as error:
        return Verdict("too much" if error.diagnostic.code == "HR631" else "fails in play", str(error))
    except Exception as error:  # the checker let something pass that play cannot do
        return Verdict(f"crash in play: {type(error).__name__}", str(error))
    if any(record is None for _, record in records):
        return Verdict("too much", "chains")
    try:
        differs = differently_written(game)
    except Exception as error:
        return Verdict(f"written crashes: {type(error).__name__}", str(error))
    if differs is not None:
        return Verdict("written differs", differs)
    for names in questions(game, text):
        true = law_of(records, names)
        for name, method in methods.items():
            try:
                found = method.law(game, names)
            except PlayError as error:
                return Verdict(f"{name} refuses: {error.diagnostic.code}", f"{names}: {error}")
            except Exception as error:
                return Verdict(f"{name} crashes: {type(error).__name__}", f"{names}: {error}")
            if not method.agrees(true, found):
                return Verdict(f"{name} differs", f"{names}: {_difference(true, found)}")
    return Verdict("agreed")


def enumerated(game: Game) -> list[tuple[Fraction, Any]]:
    """Every way that `main` can go, with its chance and its record."""
    reader = game.reader()
    values = reader.mechanic_inputs(game.program.mechanics["main"], {})
    return [tuple(way) for way in game.ways("main", values, lambda: game.answers(None, None, None, reader), EFFORT)]


SEEDS = range(5)


def differently_written(game: Game) -> str | None:
    """What `main`, written out as Python, comes to from some seed where the walk comes to something else."""
    rule, reader = game.program.mechanics["main"], game.reader()
    script = Script(game.program, game.options, whole=True)
    play, values = run_of(script, rule), reader.mechanic_inputs(rule, {})
    for seed in SEEDS:
        given = inputs_frame(game.closures, rule, values)
        walked = drive(game.walk("main")(dict(given), Untold()), Chance(seed), game.answers(None, None, None, reader))
        written = play(given, Chance(seed), False)
        if walked != written:
            return f"seed {seed}: {written}, and it is {walked}"
    return None


def law_of(records: list[tuple[Fraction, Any]], names: Names) -> dict[tuple[Any, ...], Fraction]:
    """The law of some names over all ways."""
    law: dict[tuple[Any, ...], Fraction] = {}
    for weight, record in records:
        key = tuple(told(record, name) for name in names)
        law[key] = law.get(key, Fraction(0)) + weight
    return law


def questions(game: Game, text: str) -> Iterator[Names]:
    """Every name alone, then some of them together."""
    names = list(_names(game.program.mechanics["main"].type.fields))
    yield from ((name,) for name in names)
    chance = Random(text)
    for _ in range(min(3, len(names) - 1)):
        yield tuple(chance.sample(names, min(chance.choice((2, 2, 3)), len(names))))


def _names(fields: Any, prefix: str = "") -> Iterator[str]:
    for name, kind in fields:
        kind = t.present(kind)
        if isinstance(kind, SCALAR):
            yield prefix + name
        elif hasattr(kind, "fields") and not prefix:
            inner = [(n, k) for n, k in kind.fields if isinstance(t.present(k), SCALAR)]
            yield from _names(inner, f"{name}.")


def _difference(true: Law, found: Law) -> str:
    rows = [f"{key} {true.get(key, 0)} not {found.get(key, 0)}" for key in {**true, **found}
            if true.get(key, 0) != found.get(key, 0)]  # fmt: skip
    return "; ".join(rows[:4])

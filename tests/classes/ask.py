"""What comes of one small ruleset: every way to ask must say the same, or refuse it in words."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from importlib.util import find_spec
from math import sqrt
from typing import Any

from classes.places import Question
from interpreter import pipeline
from interpreter.api.exact_odds import paths
from interpreter.api.game import Game
from interpreter.api.query import PreparedRule, Query, prepare
from interpreter.codegen import NotGenerated, module_of, rule_player
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Source
from interpreter.ir.printer import listing
from interpreter.odds.brute_force import Effort
from interpreter.odds.projection import value_at
from interpreter.play.deciders import drive
from interpreter.play.run import SilentRun
from interpreter.report.explain import explain_name
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.rng import SeededDice
from interpreter.runtime.state import STATE

EFFORT = Effort(ways=4_000, throws=14)
SECONDS = 10
SEEDS = range(4)
RUNS = 400


class Slow(BaseException):
    """It took longer than anybody should wait for a refusal."""


@dataclass(frozen=True)
class Verdict:
    """`kind` is `agrees`, `load`, `play`, `odds`, `too much`, or `error`; `code` that of the diagnostic, `about` what
    is wrong."""

    kind: str
    code: str = ""
    about: str = ""

    @property
    def well(self) -> bool:
        return self.kind != "error"

    @property
    def short(self) -> str:
        return {"agrees": "=", "load": self.code, "play": f"{self.code} in play", "odds": f"{self.code} in odds",
                "too much": "too much"}.get(self.kind, "ERROR")  # fmt: skip


class Wrong(Exception):
    """Something that may not be, in words."""


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """No longer than that, in time of the processor."""

    def stop(*_: Any) -> None:
        raise Slow

    former = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)


class Stage(list[str]):
    """What is asked at the moment. Each stage has its own time, as each is one thing that a person asks for."""

    def enter(self, name: str) -> None:
        self[:] = [name]
        signal.setitimer(signal.ITIMER_PROF, SECONDS)


def asked(question: Question) -> Verdict:
    """What comes of a question."""
    stage = Stage(["load"])
    try:
        with patience(SECONDS):
            return _asked(question, stage)
    except Slow:
        return Verdict("error", "", f"{stage[0]}: longer than {SECONDS} seconds")
    except Wrong as wrong:
        return Verdict("error", "", f"{stage[0]}: {wrong}")
    except Exception as error:  # whatever is no diagnostic is an error of ours
        return Verdict("error", "", f"{stage[0]}: {type(error).__name__}: {str(error)[:200]}")


def _asked(question: Question, stage: Stage) -> Verdict:
    loaded = pipeline.from_text(Source.of("cell", question.text))
    if loaded.problems.errors:
        return Verdict("load", loaded.problems.errors[0].code, str(loaded.problems.errors[0]).splitlines()[0])
    assert loaded.program is not None and loaded.world is not None and loaded.merged is not None
    stage.enter("show")
    if not listing(loaded.program):
        raise Wrong("nothing is shown")
    stage.enter("explain")
    explain_name(loaded.program, loaded.merged, question.rule if "." in question.rule else f"mechanics.{question.rule}")
    game = Game(loaded.program, loaded.world)
    stage.enter("enumeration")
    records, code = _enumerated(game, question)
    if code == "HR631":
        return Verdict("too much", code)
    stage.enter("told play")
    _told_as_enumerated(game, question, records, code)
    stage.enter("silent play")
    _silent_as_told(game, question)
    refused = ""
    for names in (*((name,) for name in question.names), *([question.names] if len(question.names) > 1 else [])):
        true = None if code else _law(records, names)
        stage.enter(f"odds of {', '.join(names)}")
        found = _hold_odds(game, question, names, true, code)
        refused = refused or found
        if find_spec("numpy"):
            stage.enter(f"simulation of {', '.join(names)}")
            _hold_simulation(game, question, names, true)
    if code:
        return Verdict("play", code)
    return Verdict("odds", refused) if refused else Verdict("agrees")


def _ready(game: Game, question: Question) -> PreparedRule:
    from interpreter.syntax.document import from_python

    nodes = {name: from_python(value, name) for name, value in question.given}
    return prepare(Query(game, question.rule, nodes))


Records = list[tuple[Fraction, Any]]


def _enumerated(game: Game, question: Question) -> tuple[Records, str]:
    """Every way with its record, and the code of what refuses one of them."""
    reader = game.reader()
    try:
        ready = _ready(game, question)
        ways = paths(ready, lambda: game.answers(None, None, None, reader), EFFORT)
    except PlayError as error:
        return [], error.diagnostic.code
    stopped = question.rule.startswith("scenes.")  # what its guard has stopped has no outcome, and is missing
    return [
        (way.weight, None if stopped and way.record is not None and way.record["outcome"] is None else way.record)
        for way in ways
    ], ""


def _is_left(name: str) -> bool:
    return name.startswith(("ann.", "bo."))


def _law(records: Records, names: tuple[str, ...]) -> tuple[Mapping[Any, Fraction], Fraction] | None:
    """The law of some names as far as it was followed, and what was not; None where only the state tells it."""
    if any(_is_left(name) for name in names):
        return None
    law = law_of(records, names)
    return law, 1 - sum(law.values(), Fraction(0))


def law_of(records: Records, names: tuple[str, ...]) -> dict[Any, Fraction]:
    """The law of some names over all ways that were followed."""
    law: dict[Any, Fraction] = {}
    for weight, record in records:
        if record is not None:
            key = tuple(value_at(record, name) for name in names)
            law[key] = law.get(key, Fraction(0)) + weight
    return law


def likely(true: Mapping[Any, Fraction], found: Mapping[Any, Any]) -> bool:
    """Whether shares of `RUNS` runs are within six standard errors, and nothing came up that cannot."""

    def near(key: Any, share: Fraction) -> bool:
        return abs(float(found.get(key, 0) - share)) <= 6 * sqrt(share * (1 - share) / RUNS) + 3 / RUNS

    return found.keys() <= true.keys() and all(near(key, share) for key, share in true.items())


def _told_as_enumerated(game: Game, question: Question, records: Records, code: str) -> None:
    """Play by seed: a result that is among those of enumeration, told, saved and played again."""
    names = tuple(name for name in question.names if not _is_left(name))
    possible = {tuple(value_at(record, name) for name in names) for _, record in records if record is not None}
    open_ = any(record is None for _, record in records)
    given = dict(question.given)
    for seed in SEEDS:
        try:
            if question.rule.startswith("scenes."):
                result = game.play(question.rule, seed=seed, **given)
            else:
                result = game.roll(question.rule, seed=seed, **given)
        except PlayError as error:
            if not code and not open_:
                raise Wrong(f"refused with seed {seed}, and enumeration is not: {error}") from None
            continue
        str(result.trace)
        game.replay(result.to_json())
        if code or open_:
            continue
        record = {**result.values, **result.also, "outcome": result.outcome}
        came = tuple(value_at(record, name) for name in names)
        if came not in possible:
            raise Wrong(f"seed {seed}: {came} is not among {sorted(map(str, possible))[:8]}")


def _silent_as_told(game: Game, question: Question) -> None:
    """What is written out as Python comes to the same record and state as the walk."""
    ready = None
    with_state = True
    try:
        ready = _ready(game, question)
    except PlayError:
        return
    rule = ready.rule
    module = module_of(game.program, game.option_values, whole=True)
    try:
        play = rule_player(module, rule)
    except NotGenerated:
        return
    for seed in SEEDS:
        at = {**ready.frame, ".meter": new_frame()[".meter"]}
        try:
            walked = drive(
                game.walk(question.rule)(at, SilentRun()),
                SeededDice(seed),
                game.answers(None, None, None, game.reader()),
            )
        except PlayError:
            continue
        given = {**ready.frame, ".meter": new_frame()[".meter"]}
        try:
            written = play(given, SeededDice(seed), with_state)
        except NotGenerated:
            continue
        if walked != written:
            raise Wrong(f"seed {seed}: {written}, and it is {walked}")
        if STATE in at and at[STATE] != given[STATE]:
            raise Wrong(f"seed {seed}: the state {given[STATE]} is left, and it is {at[STATE]}")


def _hold_odds(game: Game, question: Question, names: tuple[str, ...], true: Any, code: str) -> str:
    """Exact odds beside enumeration; the code where they are refused."""
    try:
        found = game.odds(question.rule, **dict(question.given)).law(*names)
    except PlayError as error:
        return error.diagnostic.code
    if true is None:
        return ""
    law, missing = true
    if sum(found.weights.values(), found.missing) != 1:
        raise Wrong(f"the chances are {sum(found.weights.values())}, and {found.missing} is missing")
    if not missing:
        if found.weights != law:
            raise Wrong(_difference(law, found.weights))
        return ""
    for key in law.keys() | found.weights.keys():
        low, high = law.get(key, Fraction(0)), law.get(key, Fraction(0)) + missing
        if not low <= found.weights.get(key, Fraction(0)) + found.missing or not found.weights.get(key, 0) <= high:
            raise Wrong(_difference(law, found.weights))
    return ""


def _hold_simulation(game: Game, question: Question, names: tuple[str, ...], true: Any) -> None:
    try:
        found = game.simulate(question.rule, runs=RUNS, seed=1, of=names, **dict(question.given)).law(*names).weights
    except PlayError as error:
        if true is not None and not true[1]:
            raise Wrong(f"simulation is refused, and enumeration is not: {error.diagnostic.code} {error}") from None
        return
    if true is None or true[1]:
        return
    if not likely(true[0], found):
        raise Wrong(_difference(true[0], found))


def _difference(true: Mapping[Any, Fraction], found: Mapping[Any, Any]) -> str:
    rows = [f"{key} {true.get(key, 0)} not {found.get(key, 0)}" for key in {**true, **found}
            if true.get(key, 0) != found.get(key, 0)]  # fmt: skip
    return "; ".join(rows[:4])

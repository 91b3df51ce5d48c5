"""The task of a worker that runs chunks of a simulation: it is pickled with its game, and compiled by the worker."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from itertools import count
from os import getpid
from threading import local
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.budget import Budget, meter_in_force, within
from interpreter.codegen import GeneratedModule, NotGenerated, PlayScene, module_of, rule_player
from interpreter.diagnostics import BudgetExceeded, PlayError
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.choice_keys import question_trails
from interpreter.odds.answer import Law, results_of
from interpreter.odds.chance_choices import equally_likely_answers
from interpreter.odds.projection import reads_end_state
from interpreter.odds.scenes import was_stopped
from interpreter.odds.truncation import AtLeast
from interpreter.play.deciders import RANDOM, Answers, Policy, any_answer, drive
from interpreter.play.requests import Choice
from interpreter.play.run import SilentRun
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.rng import Pcg32, SeededDice, fresh_number
from interpreter.runtime.state import STATE
from interpreter.simulation.answer import Simulated, Stopped, decided_counts, simulated_law
from interpreter.simulation.chunks import SMALLEST, Interrupted, OpenValue, Progress, Tally, count_runs
from interpreter.simulation.columns import TooManyStates
from interpreter.simulation.query_cache import TOO_MUCH, SimulationCache
from interpreter.simulation.random_bits import Bits

if TYPE_CHECKING:
    from interpreter.api.instance import Instance

_here = local()
"""What this thread has compiled, by task: caches are not shared between threads."""

PASSED_LIMIT = {"HR630": 100, "HR631": 20}
"""The codes of the errors of a run that reaches a guard or exceeds its budget.

A simulation is refused if its first runs all end so; the numbers of these runs are chosen for what such a run costs.
"""

STRICT = "HOUSERULE_STRICT"
"""The environment variable with which it is an error if a generated function raises where play does not."""

MOST_KEPT = 4
_numbers = count()


def fresh_key() -> str:
    """A key that is unique to one task, in all processes."""
    return f"{getpid()}-{next(_numbers)}-{fresh_number()}"


class GeneratedCodeFailed(Exception):
    """A generated function raised an error in a run with which nothing is wrong."""


@dataclass(frozen=True)
class WorkerTask:
    """Runs chunks of a rule from a frame with its inputs, and counts the values of some names."""

    game: Instance
    mechanic: str
    at: Mapping[str, Any]
    names: tuple[str, ...]
    choices: Mapping[str, Any] | None
    policy: str | Policy | None
    seed: int
    in_turn: bool = False
    """Whether some given answers are lists, one answer for each time that the choice is asked."""
    key: str = ""
    """The key of what a thread has compiled for this task."""
    budget: Budget = Budget.usual
    """What the chunks of a process of its own may take, each."""

    def __call__(self, chunk: int, runs: int) -> Tally:
        """The tally of one chunk; of the runs before the budget was spent, if they were played one by one."""
        if meter_in_force() is None:
            with within(self.budget):
                return self._tally(chunk, runs)
        return self._tally(chunk, runs)

    def _tally(self, chunk: int, runs: int) -> Tally:
        made: dict[Any, tuple[Instance, SimulationCache | None]] = _here.__dict__.setdefault("caches", {})
        # Where only the ruleset answers choices, all tasks of this game share the cache.
        own = not self.choices and (self.policy is None or isinstance(self.policy, str))
        section = self.game.rule(self.mechanic).path.partition(".")[0]
        left = any(reads_end_state(self.at.get(STATE), name) for name in self.names)
        key = (id(self.game), self.policy, section, left) if own else self.key
        if key not in made:
            made[key] = self.game, self._cache() if not left else None
            if len(made) > MOST_KEPT:
                del made[next(iter(made))]
        cache = made[key][1]
        rule = self.game.rule(self.mechanic)
        if cache is not None:
            try:
                return Tally(runs, cache.counts(rule, self.at, self.names, runs, self.seed, chunk))
            except PlayError as error:
                if error.diagnostic.code not in TOO_MUCH:
                    raise
            except TooManyStates:
                pass
        return self._play(rule, runs, chunk)

    @property
    def policies_to_choose(self) -> tuple[str, ...] | None:
        """The policies of the ruleset, if none of them nor any answer decides what the rule asks; else None."""
        asks = question_trails(self.game.program, self.game.rule(self.mechanic))
        return None if self.policy is not None or self.choices or not asks else tuple(self.game.program.policies)

    @property
    def smallest(self) -> int:
        """How many runs the first chunk has: a whole fight takes as long as thousands of rolls."""
        return SMALLEST >> 8 if self.game.section_of(self.mechanic) == "scenes" else SMALLEST

    def _cache(self) -> SimulationCache | None:
        """The engine for many runs at once; None where an answer may differ each time a choice is asked."""
        if self.in_turn:
            return None
        if self.game.rule(self.mechanic).path.startswith(("actions.", "events.", "scenes.")):
            return None  # the engine does not know costs and reactions
        named = self.policy if isinstance(self.policy, str) and self.policy != RANDOM else None
        answers = self._answers()

        def decide(choice: Choice) -> list[tuple[Any, int]]:
            return (
                equally_likely_answers(choice)
                if self.policy == RANDOM and not answers.has_answer_to(choice)
                else answers.answer_always(choice)
            )

        return SimulationCache(self.game.closures, named, decide)

    def _load_generated(self) -> PlayScene | None:
        """The generated code of one run; None where a host decides, or chance."""
        if self.choices or self.policy == RANDOM or not (self.policy is None or isinstance(self.policy, str)):
            return None
        made: dict[Any, tuple[Instance, GeneratedModule]] = _here.__dict__.setdefault("modules", {})
        # The counted names may include steps that no rule reads, which need the whole record.
        whole = any(
            name not in ("outcome", "rounds") and not reads_end_state(self.at.get(STATE), name) for name in self.names
        )
        key = id(self.game), self.policy, whole
        if key not in made:
            made[key] = self.game, module_of(self.game.program, self.game.option_values, self.policy, whole)
            if len(made) > MOST_KEPT:
                del made[next(iter(made))]
        return rule_player(made[key][1], self.game.rule(self.mechanic))

    def _answers(self, pick: Pcg32 | None = None) -> Answers:
        policy: str | Policy | None = self.policy
        if self.policy == RANDOM:
            policy = (lambda choice: any_answer(choice, pick)) if pick else None
        return self.game.answers(self.choices, policy, None, self.game.reader(self.at.get(STATE)))

    def _play(self, rule: ir.Mechanic, runs: int, chunk: int) -> Tally:
        """The tally of a chunk that is played run by run. A run that passes a limit is left out of its counts.

        Raises the PlayError of the limit if this is the first chunk and its first runs all pass one. Raises
        GeneratedCodeFailed where a generated function does and is not allowed to.
        """
        tally, passed = Tally(runs), 0
        found = tally.counts
        walk, generated = self.game.walk(self.mechanic), self._load_generated()
        left = any(reads_end_state(self.at.get(STATE), name) for name in self.names)
        # A scene that its guard has stopped has no outcome.
        of_outcome = "outcome" in self.names and rule.path.startswith("scenes.")
        scene = self.game.program.scenes[rule.name] if of_outcome else None
        readings = [self.game.reader_of_name(self.at.get(STATE), name) for name in self.names]
        done = 0
        try:
            for seed in Bits(self.seed, chunk, 1).words(runs).tolist():
                at = {**self.at, ".meter": new_frame()[".meter"]}
                record, slip = None, None
                if generated is not None:
                    try:
                        record = generated(at, SeededDice(seed), left)
                    except BudgetExceeded:
                        raise
                    except Exception as error:  # play runs it again, and reports what is wrong with the run
                        slip = None if isinstance(error, NotGenerated) else error
                        at = {**self.at, ".meter": new_frame()[".meter"]}
                if record is None:
                    tally.by_play += 1
                    try:
                        record = drive(walk(at, SilentRun()), SeededDice(seed), self._answers(Pcg32(seed, 1)))
                    except PlayError as error:
                        most = PASSED_LIMIT.get(error.diagnostic.code, 0)
                        passed += 1
                        done += 1
                        if not most or (not chunk and not found and passed >= min(most, runs)):
                            raise
                        continue
                    if slip is not None:  # though nothing is wrong with the run
                        if os.environ.get(STRICT):
                            raise GeneratedCodeFailed(f"{rule.path}, seed {seed}: {slip!r}") from slip
                        tally.slips[type(slip).__name__] += 1
                values = [read(record, at) for read in readings]
                if scene is not None and was_stopped(scene, record):
                    values[self.names.index("outcome")] = OpenValue.OPEN
                key = tuple([OpenValue.OPEN if isinstance(value, AtLeast) else value for value in values])
                found[key] = found.get(key, 0) + 1
                done += 1
        except BudgetExceeded as cut:
            if not done or (not chunk and not found):  # runs of which none has an end answer nothing
                raise
            tally.runs, tally.cut = done, cut
        return tally


# The whole of a simulation ---------------------------------------------------------------------------------------


def simulate(
    task: WorkerTask, of: Sequence[str] | None, runs: int, executor: Executor | None, progress: Progress | None
) -> Simulated:
    """The counts of all runs; `of` names what is counted together. Raises Stopped after an interrupt."""
    game = task.game
    rule = game.rule(task.mechanic)
    kinds = game.type_of(task.mechanic).fields
    known = {name: kind.words if isinstance(kind := t.without_maybe(of), t.Word) else () for name, of in kinds}
    composite = frozenset([name for name, of in kinds if t.is_composite(of)])
    names = tuple(of) if of is not None else results_of(known, composite)

    def known_of(others: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The names that read the state after the run, with their words. Raises PlayError for an unknown name."""
        return game.names_of_state(task.mechanic, task.at.get(STATE), others)

    known |= known_of(names)
    if runs < 1:
        raise PlayError(say.too_few_runs(runs))
    for one in rule.requires if rule.path.startswith("mechanics.") else ():
        if not game.closures.of(one.condition)(dict(task.at)):
            raise PlayError(say.requirement_not_met(one.name, one.condition.text, one.span, one.about))
    task._answers()  # raises PlayError for an unknown policy

    def simulate_names(others: tuple[str, ...], tally: Tally) -> Law:
        known_of(others)
        again = count_runs(replace(task, names=others, key=fresh_key()), tally.runs, smallest=task.smallest)
        return simulated_law(again.counts, again.runs)

    def answer(tally: Tally) -> Simulated:
        if tally.runs and not decided_counts(tally.counts) and rule.path.startswith("scenes."):
            raise PlayError(say.always_stopped(rule.name, task.policies_to_choose))
        return Simulated(
            game.name,
            task.mechanic,
            {one.name: task.at.get(one.name) for one in rule.inputs},
            known,
            lambda others: simulate_names(others, tally),
            {names: simulated_law(tally.counts, tally.runs)},
            counted=tally.counts,
            runs=tally.runs,
            seed=task.seed,
            together=names,
            composite=composite,
            by_play=tally.by_play,
            slips=dict(tally.slips),
            cut=None if tally.cut is None else tally.cut.diagnostic,
        )

    try:
        meter = meter_in_force()
        budget = Budget.none if meter is None else meter.share_of_rest(1)
        asked = replace(task, names=names, key=fresh_key(), budget=budget)
        return answer(count_runs(asked, runs, executor, progress, task.smallest))
    except Interrupted as cut:
        raise Stopped(answer(cut.tally) if cut.tally.runs else None, runs) from None

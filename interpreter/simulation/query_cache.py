"""A rule and the names that are counted, lowered once and sampled for each chunk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir.die_identity import identity_of
from interpreter.odds.engine import Decide
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.rules import rule_block
from interpreter.odds.lower.verbs import VERBS
from interpreter.odds.missing_inputs import missing_inputs
from interpreter.odds.renumber import order_of_dice_matters
from interpreter.runtime.evaluator import Closures
from interpreter.simulation.chunks import Counts
from interpreter.simulation.columns import TooManyStates
from interpreter.simulation.engine import FEW_RUNS, SamplingEngine
from interpreter.simulation.random_bits import Bits

DEPTH = 256
"""The limit on throws of a chain that are followed one by one."""

TOO_MUCH = (*say.TOO_LARGE, "HR806")


@dataclass
class SimulationCache:
    """The engines that are kept from one chunk to the next, for one way to answer choices.

    Dice are drawn from their exact laws where these are small enough, and throw by throw elsewhere (`stepwise`).
    """

    closures: Closures
    policy: str | None
    decide: Decide
    _kept: dict[tuple[bool, Any, bool, Any], SamplingEngine] = field(default_factory=dict)

    def engine(self, stepwise: bool, rule: ir.Mechanic, at: Mapping[str, Any]) -> SamplingEngine:
        """The engine for runs of a rule that begin in the frame `at`."""
        program = self.closures.program
        identity, missing = identity_of(program, rule), missing_inputs(program, rule, at)
        in_order = order_of_dice_matters(identity, at)
        key = (stepwise, identity, in_order, frozenset(missing.items()))
        if key not in self._kept:
            lowering = Lowering(
                self.closures, VERBS, self.policy,
                depth=DEPTH, stepwise=stepwise, observed=identity, dice_in_order=in_order, missing=missing,
            )  # fmt: skip
            self._kept[key] = SamplingEngine(lowering, self.decide)
        return self._kept[key]

    def counts(
        self, rule: ir.Mechanic, at: Mapping[str, Any], names: tuple[str, ...], runs: int, seed: int, chunk: int
    ) -> Counts:
        """The number of runs of a chunk for each combination of values of some names of a mechanic's record.

        Raises PlayError where play itself fails, and with one of `TOO_MUCH` where the engine refuses the rule;
        TooManyStates where nearly every run has a state of its own, so that single runs are faster.
        """
        try:
            return self._count_in_parts(False, rule, at, names, runs, (seed, chunk))
        except PlayError as error:
            if error.diagnostic.code not in TOO_MUCH:
                raise
        return self._count_in_parts(True, rule, at, names, runs, (seed, chunk, 0))

    def _count_in_parts(
        self,
        stepwise: bool,
        rule: ir.Mechanic,
        at: Mapping[str, Any],
        names: tuple[str, ...],
        runs: int,
        place: tuple[int, ...],
    ) -> Counts:
        """The same, in parts that are small enough for the limit of states."""
        engine = self.engine(stepwise, rule, at)
        block = rule_block(engine.lowering, rule, frozenset(tuple(name.split(".")) for name in names))
        found: Counts = {}
        size, done = runs, 0
        while done < runs:
            part = min(size, runs - done)
            try:
                counts = engine.counts(block, dict(at), names, part, Bits(place[0], *place[1:], part, done))
            except TooManyStates:
                if part <= FEW_RUNS:
                    raise
                size = max(part // 4, FEW_RUNS)
                continue
            done += part
            for values, count in counts.items():
                found[values] = found.get(values, 0) + count
        return found

"""The tests of a ruleset, each of which can be run alone: its cases, the names under `differs`, the claims of tables.

`houserule test` and the plugin for pytest run them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, partial

from interpreter.api.game import Game
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.pipeline import Loaded, ruleset_below
from interpreter.testing.cases import Case, Trial, Verdict, cases_of
from interpreter.testing.claims import claims_of
from interpreter.testing.layered import LayeredCases, Standing, may_differ


@dataclass(frozen=True)
class Test:
    """One test. `run` gives its verdict; one of the names under `differs` is worth telling only if it `is_listing`."""

    __test__ = False  # no class of tests of pytest

    case: Case
    run: Callable[[], Verdict]
    is_listing: bool = False


class Suite:
    """The tests of a ruleset without errors, in the order in which they are told. Each case is played once at most."""

    def __init__(self, loaded: Loaded) -> None:
        assert loaded.program is not None and loaded.world is not None
        self._made = loaded
        self._trial = Trial(Game(loaded.program, loaded.world))
        self._cases = tuple(cases_of(loaded.world.cases))
        self._played: dict[int, Verdict] = {}
        self.layered: LayeredCases | None = None
        if loaded.merged is not None and loaded.merged.layers:
            self.layered = LayeredCases(loaded.merged, self._cases, loaded.program, self._holds_below)

    def __iter__(self) -> Iterator[Test]:
        if self.layered is not None:
            for title in self.layered.listed_titles:
                yield Test(self.layered.listing(title), partial(self._listing_verdict, self.layered, title), True)
        for number, case in enumerate(self._cases):
            yield Test(case, partial(self._case_verdict, number))
        for case, run in claims_of(self._made):
            yield Test(case, run)

    def standings(self) -> Iterator[Standing]:
        """What is listed under `differs`, each with its cases of the base that come out otherwise, and those that do
        not; those that have not been played yet are played."""
        for title in self.layered.listed_titles if self.layered is not None else ():
            assert self.layered is not None
            meant = self.layered.cases_meant(title)
            cases = [(case, may_differ(self._play(self._numbers_of_cases[id(case)]))) for case in meant]
            differ, hold = (tuple(case for case, differs in cases if differs is wanted) for wanted in (True, False))
            if cases:
                yield Standing(title, self.layered.is_path(title), differ, hold)

    def _case_verdict(self, number: int) -> Verdict:
        played = self._play(number)
        return self.layered.judge(played) if self.layered is not None else played

    def _listing_verdict(self, layered: LayeredCases, title: str) -> Verdict:
        """The verdict on what is listed under `differs`: a case of the base that it stands for has to come out
        otherwise."""
        numbers = [self._numbers_of_cases[id(case)] for case in layered.cases_meant(title)]
        numbers.sort(key=lambda number: (number not in self._played, self._cases[number].states_odds))
        wrong = layered.problem(title, any(may_differ(self._play(number)) for number in numbers))
        return wrong or Verdict(layered.listing(title), ())

    def _play(self, number: int) -> Verdict:
        if number not in self._played:
            self._played[number] = self._trial.run(self._cases[number])
        return self._played[number]

    @cached_property
    def _numbers_of_cases(self) -> dict[int, int]:
        return {id(case): number for number, case in enumerate(self._cases)}

    def _holds_below(self, case: Case) -> bool:
        """Whether a case of the base holds in the ruleset below the last layer; also if it cannot be played there."""
        found = self._cases_below.get((case.name, case.span))
        return found is None or not found[0].run(found[1]).failures

    @cached_property
    def _cases_below(self) -> dict[tuple[str, Span], tuple[Trial, Case]]:
        """The cases of the ruleset below the last layer, each with what runs it; none if that has errors."""
        assert self._made.merged is not None
        loaded = ruleset_below(self._made.merged)
        if loaded.problems.errors or loaded.program is None or loaded.world is None:
            return {}
        trial = Trial(Game(loaded.program, loaded.world))
        return {(case.name, case.span): (trial, case) for case in cases_of(loaded.world.cases)}

"""The tests of a ruleset, each of which can be run alone: its cases, the names under `differs`, the claims of tables.

`houserule test` and the plugin for pytest run them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from interpreter.api.game import Game
from interpreter.frozen import dataclass
from interpreter.pipeline import Loaded
from interpreter.testing.cases import Case, LayeredCases, Trial, Verdict, cases_of, may_differ
from interpreter.testing.claims import claims_of


@dataclass(frozen=True)
class Test:
    """One test. `run` gives its verdict; one of the names under `differs` is worth telling only if it `is_listing`."""

    __test__ = False  # no class of tests of pytest

    case: Case
    run: Callable[[], Verdict]
    is_listing: bool = False


class Suite:
    """The tests of a ruleset without errors, in the order in which they are told. Each case is played once at most."""

    def __init__(self, made: Loaded) -> None:
        assert made.program is not None and made.world is not None
        self._made = made
        self._trial = Trial(Game(made.program, made.world))
        self._cases = tuple(cases_of(made.world.cases))
        self._layered = LayeredCases(made.merged, self._cases) if made.merged is not None else None
        self._played: dict[int, Verdict] = {}

    def __iter__(self) -> Iterator[Test]:
        if self._layered is not None:
            for title in self._layered.listed:
                yield Test(self._layered.listing(title), partial(self._of_listing, self._layered, title), True)
        for number, case in enumerate(self._cases):
            yield Test(case, partial(self._of_case, number))
        for case, run in claims_of(self._made):
            yield Test(case, run)

    def _of_case(self, number: int) -> Verdict:
        played = self._play(number)
        return self._layered.judged(played) if self._layered is not None else played

    def _of_listing(self, layered: LayeredCases, title: str) -> Verdict:
        """The verdict on a name under `differs`: cases of that name in the base have to come out otherwise."""
        named = [n for n, case in enumerate(self._cases) if case.title == title and layered.is_of_base(case)]
        wrong = layered.problem(title, any(may_differ(self._play(number)) for number in named))
        return wrong or Verdict(layered.listing(title), ())

    def _play(self, number: int) -> Verdict:
        if number not in self._played:
            self._played[number] = self._trial.run(self._cases[number])
        return self._played[number]

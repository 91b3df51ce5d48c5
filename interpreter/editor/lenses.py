"""Cases in a file, and what comes of running one."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Source
from interpreter.editor.analysis import Analysis
from interpreter.editor.positions import carry_offset
from interpreter.frozen import dataclass
from interpreter.syntax.document import Mapping, Scalar
from interpreter.testing.cases import Trial, cases_of


@dataclass(frozen=True)
class CaseLens:
    """A case whose name stands at an offset."""

    name: str
    offset: int


@dataclass(frozen=True)
class Ran:
    """What came of a case: how many cells of its grid were played, and what failed."""

    name: str
    played: int
    failures: tuple[Diagnostic, ...]

    @property
    def said(self) -> str:
        """`passed`, `4 cells passed`, or the first failure."""
        if self.failures:
            return self.failures[0].message
        return "passed" if self.played == 1 else f"{self.played} cells passed"


def lenses_of(analysis: Analysis, source: Source) -> Iterator[CaseLens]:
    """The cases of a text, which may be newer than its analysis."""
    analysed = next((one for one in analysis.sources.values() if one.name == source.name), None)
    for node in analysis.loaded.world.cases if analysis.loaded.world is not None and analysed is not None else ():
        name = node.get("name") if isinstance(node, Mapping) else None
        if isinstance(name, Scalar) and name.span.source.name == source.name and analysed is not None:
            at = carry_offset(analysed.text, source.text, name.span.start)
            if at is not None:
                yield CaseLens(name.text, at)


def result_of_case(analysis: Analysis, name: str) -> Ran | None:
    """What comes of a case; None if there is none of that name, or the ruleset has errors.

    Raises PlayError where the ruleset cannot begin.
    """
    if not analysis.is_sound or analysis.loaded.world is None:
        return None
    nodes = [node for node in analysis.loaded.world.cases if isinstance(node, Mapping) and _is_named(node, name)]
    trial = Trial(analysis.game)
    verdicts = [trial.run(case) for case in cases_of(list(nodes))]
    if not verdicts:
        return None
    return Ran(name, len(verdicts), tuple(failure for one in verdicts for failure in one.failures))


def _is_named(node: Mapping, name: str) -> bool:
    named = node.get("name")
    return isinstance(named, Scalar) and named.text == name

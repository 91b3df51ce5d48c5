"""The plugin for pytest: `pytest rules/` runs each case of the rulesets in a folder as a test of its own.

Whoever has houserule installed has the plugin too, so it imports nothing until a file is a ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from interpreter.diagnostics import Diagnostic
    from interpreter.testing.suite import Test

MOST_READ = 1 << 20
"""How much of a file is searched for its first key: as much as a ruleset may have."""
_RULESET = re.compile(rb"^ruleset *:", re.MULTILINE)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """The cases of a file that is a ruleset; None for another file."""
    if file_path.suffix not in (".yaml", ".yml") or not file_path.is_file():  # a pipe would be waited for
        return None
    with file_path.open("rb") as file:
        is_ruleset = _RULESET.search(file.read(MOST_READ)) is not None
    return CollectedRuleset.from_parent(parent, path=file_path) if is_ruleset else None


class CollectedRuleset(pytest.File):
    """A ruleset: first the test that it has no errors, and if it has none, its cases and what its tables claim."""

    def collect(self) -> Iterator[pytest.Item]:
        from interpreter import pipeline
        from interpreter.api.first_state import problems_of_things
        from interpreter.testing.suite import Suite

        made = pipeline.from_path(self.path, (Path.cwd(),))
        sound = made.program is not None and made.world is not None and not made.problems.errors
        errors = (
            made.problems.errors + [one for one in problems_of_things(made) if one.severity == "error"] if sound else []
        )
        yield RulesetCheck.from_parent(self, name="check", errors=errors if sound else made.problems.errors)
        for test in Suite(made) if sound else ():
            name = f"differs: {test.case.name}" if test.is_listing else test.case.name
            yield RulesetCase.from_parent(self, name=name, test=test)


class RulesetItem(pytest.Item):
    """A test of a ruleset, which fails with problems as `houserule` words them."""

    funcargs: dict[str, Any] = {}  # noqa: RUF012 - other plugins, such as pytest-lsp, read the fixtures of every item

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if not isinstance(excinfo.value, RulesetFailure):
            return super().repr_failure(excinfo, style)
        from interpreter.cli.report import as_text

        return "\n".join(as_text(one, lambda text, style: text) for one in excinfo.value.problems)


class RulesetCheck(RulesetItem):
    """That a ruleset has no errors."""

    def __init__(self, errors: list[Diagnostic], **more: Any) -> None:
        super().__init__(**more)
        self.errors = errors

    def runtest(self) -> None:
        if self.errors:
            raise RulesetFailure(self.errors)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, self.errors[0].line - 1 if self.errors else 0, f"{self.path.name}: {self.name}"


class RulesetCase(RulesetItem):
    """A case, a name under `differs`, or a row of a table that claims odds."""

    def __init__(self, test: Test, **more: Any) -> None:
        super().__init__(**more)
        self.test = test

    def runtest(self) -> None:
        verdict = self.test.run()
        if verdict.failures:
            raise RulesetFailure(verdict.failures)
        if verdict.skipped is not None:
            pytest.skip(verdict.skipped.message)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        span = self.test.case.span
        return Path(span.source.name).resolve(), span.line - 1, f"{self.path.name}: {self.name}"


class RulesetFailure(Exception):
    """The problems of a test that fails."""

    def __init__(self, problems: Any) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems: list[Diagnostic] = list(problems)

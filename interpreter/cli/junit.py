"""Results as JUnit XML, as build servers read it: a suite for each ruleset, with what passes too.

The form is that of `junit-10.xsd`, the schema of Jenkins' xUnit plugin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from interpreter.diagnostics import Diagnostic
from interpreter.frozen import dataclass


@dataclass(frozen=True)
class JunitCase:
    """A test: it passes without `failures`, unless it was `skipped`."""

    name: str
    failures: Sequence[Diagnostic] = ()
    skipped: Diagnostic | None = None


@dataclass(frozen=True)
class JunitSuite:
    """The tests of one ruleset; `group` is what reports list them under."""

    name: str
    group: str
    cases: Sequence[JunitCase]


def checked_cases(errors: Iterable[Diagnostic]) -> list[JunitCase]:
    """The test that a ruleset has no errors: one that passes, or one that fails for each error, named by its place."""
    failing = [JunitCase(str(one.span) if one.path else one.code, [one]) for one in errors]
    return failing or [JunitCase("check")]


def junit_document(suites: Sequence[JunitSuite]) -> str:
    """Suites as a document."""
    body = "".join(_suite(suite) for suite in suites)
    text = f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites name="houserule">\n{body}</testsuites>\n'
    return _FORBIDDEN.sub("\ufffd", text)


_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML 1.0 document can contain, not even as a reference."""


def _suite(suite: JunitSuite) -> str:
    failing = sum(bool(one.failures) for one in suite.cases)
    skipped = sum(one.skipped is not None for one in suite.cases)
    counts = f'tests="{len(suite.cases)}" failures="{failing}" errors="0" skipped="{skipped}"'
    lines = "".join(_case(suite.group, one) for one in suite.cases)
    return f"  <testsuite name={quoteattr(suite.name)} {counts}>\n{lines}  </testsuite>\n"


def _case(group: str, one: JunitCase) -> str:
    head = f"    <testcase classname={quoteattr(group)} name={quoteattr(one.name)}"
    body = "".join(
        f"      <failure type={quoteattr(f.code)} message={quoteattr(f.message)}>{escape(str(f))}</failure>\n"
        for f in one.failures
    )
    if one.skipped is not None:
        body += f"      <skipped message={quoteattr(one.skipped.message)}/>\n"
    return f"{head}>\n{body}    </testcase>\n" if body else f"{head}/>\n"

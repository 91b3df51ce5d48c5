"""Problems as plain data, for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Span


def problem_data(one: Diagnostic) -> dict[str, Any]:
    """A diagnostic as plain data; lines and columns count from 1, and the character at an end is no part of it.

    `edits` mend it without a decision of the author, `proposed` are those that its help proposes.
    """
    return {
        "code": one.code,
        "severity": one.severity,
        "message": one.message,
        **_place(one.span),
        "help": one.help,
        "notes": [
            {"path": span.source.name, "line": span.line, "column": span.column, "message": text}
            for span, text in one.notes
        ],
        "edits": _edits(one.edits),
        "proposed": _edits(one.proposed),
        "follows": [problem_data(other) for other in one.follows],
    }


def _place(span: Span) -> dict[str, Any]:
    end_line, end_column = span.source.position(span.end) if span.source.text else (1, 1)
    return {
        "path": span.source.name, "line": span.line, "column": span.column, "end_line": end_line,
        "end_column": end_column,
    }  # fmt: skip


def _edits(edits: Iterable[tuple[Span, str]]) -> list[dict[str, Any]]:
    return [{**_place(span), "text": text} for span, text in edits]

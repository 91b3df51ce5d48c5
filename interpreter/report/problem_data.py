"""Problems as plain data, for programs."""

from __future__ import annotations

from typing import Any

from interpreter.diagnostics import Diagnostic


def problem_data(one: Diagnostic) -> dict[str, Any]:
    """A diagnostic as plain data."""
    end_line, end_column = one.span.source.position(one.span.end) if one.span.source.text else (1, 1)
    return {
        "code": one.code,
        "severity": one.severity,
        "message": one.message,
        "path": one.path,
        "line": one.line,
        "column": one.column,
        "end_line": end_line,
        "end_column": end_column,
        "help": one.help,
        "notes": [
            {"path": span.source.name, "line": span.line, "column": span.column, "message": text}
            for span, text in one.notes
        ],
        "follows": [problem_data(other) for other in one.follows],
    }

"""Diagnostics as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), as code scanning services read it.

The codes that occur come with their texts, every result with the end of its place, and with the edits that mend it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.codes import codes, explained_code
from interpreter.diagnostics.source import Span
from interpreter.version import VERSION

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(problems: Sequence[Diagnostic]) -> dict[str, Any]:
    """A log with one run."""
    occurring = sorted({one.code for one in problems})
    driver = {
        "name": "houserule",
        "version": VERSION,
        "semanticVersion": VERSION,
        "rules": [*map(sarif_rule, occurring)],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The folder in which the command ran."}}},
        "results": [_result(one, occurring.index(one.code)) for one in problems],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


_ROOT = "%SRCROOT%"


def sarif_rule(code: str) -> dict[str, Any]:
    """What a code means: in a sentence, in full, and with examples."""
    about = " ".join(codes()[code]["about"].split())
    first, stop, _ = about.partition(". ")
    return {
        "id": code,
        "shortDescription": {"text": first + stop.strip()},
        "fullDescription": {"text": about},
        "help": {"text": explained_code(code), "markdown": _markdown(code)},
        "defaultConfiguration": {"level": "warning" if code.startswith("HR9") and code != "HR999" else "error"},
    }


def _markdown(code: str) -> str:
    one = codes()[code]
    parts = [one["about"].strip()]
    for key, title in (("wrong", "Wrong:"), ("right", "Right:")):
        if key in one:
            parts.append(f"{title}\n\n```yaml\n{one[key].rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def _result(one: Diagnostic, index: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": one.code,
        "ruleIndex": index,
        "level": "error" if one.severity == "error" else "warning",
        "message": {"text": one.in_one_line},
        "locations": [{"physicalLocation": _place(one.span)}] if one.path else [],
    }
    if one.follows:
        result["occurrenceCount"] = 1 + len(one.follows)
    if one.notes:
        result["relatedLocations"] = [
            {"physicalLocation": _place(span), "message": {"text": text}}
            for span, text in one.notes
            if span.source.name
        ]
    if one.edits:
        result["fixes"] = [{"description": {"text": one.help or one.message}, "artifactChanges": _changes(one)}]
    return result


def _changes(one: Diagnostic) -> list[dict[str, Any]]:
    """The edits of a diagnostic, file by file."""
    by_file: dict[str, list[dict[str, Any]]] = {}
    for span, text in one.edits:
        change = {"deletedRegion": _region(span), "insertedContent": {"text": text}}
        by_file.setdefault(span.source.name, []).append(change)
    return [{"artifactLocation": _file(name), "replacements": changes} for name, changes in by_file.items()]


def _place(span: Span) -> dict[str, Any]:
    file = {"artifactLocation": _file(span.source.name)}
    return file | {"region": _region(span)} if span.source.text else file  # a file that could not be read has no lines


def _region(span: Span) -> dict[str, int]:
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _file(name: str) -> dict[str, str]:
    path = Path(name)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix()), "uriBaseId": _ROOT}

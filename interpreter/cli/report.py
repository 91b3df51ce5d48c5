"""Diagnostics as text for terminals, and in the formats of editors and services."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import IO

from interpreter.cli.terminal import Paint, painter
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.report.problem_data import problem_data
from interpreter.shown_text import in_json, in_one_line, on_terminal, visible

FORMATS = ("text", "concise", "json", "github", "sarif")


def write_diagnostics(diagnostics: Iterable[Diagnostic], form: str, out: IO[str]) -> None:
    """Write diagnostics in one of `FORMATS`."""
    problems = list(diagnostics)
    match form:
        case "json":
            out.write(in_json([problem_data(one) for one in problems], indent=1) + "\n")
        case "github":
            out.writelines(_github(one) + "\n" for one in problems)
        case "sarif":
            from interpreter.cli.sarif import sarif_log

            out.write(in_json(sarif_log(problems), indent=1) + "\n")
        case "concise":
            out.writelines(on_terminal(f"{one}\n") for one in problems)
        case _:
            paint = painter(out)
            out.write(on_terminal("".join(as_text(one, paint) + "\n" for one in problems)))
    out.flush()  # what follows on the other stream comes after it, also where both go to one file


def count_in_words(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")


def _place(one: Diagnostic) -> str:
    return "" if one.span is NOWHERE or not one.path else f"{one.span}: "


def as_text(one: Diagnostic, paint: Paint) -> str:
    """A diagnostic with its excerpt, caret and help."""
    color = "bold red" if one.severity == "error" else "bold yellow"
    lines = [f"{_place(one)}{paint(one.code, color)} {paint(one.message, 'bold')}"]
    width = max((len(str(span.line)) for span, _ in [(one.span, ""), *one.notes] if span.source.text), default=0)
    lines += _excerpt(one.span, "", width, color, paint)
    for span, text in one.notes:
        lines += _excerpt(span, text, width, "bold blue", paint, one.span)
    if one.help:
        lines.append(f"{' ' * width} {paint('=', 'blue')} {paint('help:', 'bold cyan')} {one.help}")
    if one.consequence:
        summary = f"{paint('and', 'bold cyan')} {one.consequence} (`--all` tells them)"
        lines.append(f"{' ' * width} {paint('=', 'blue')} {summary}")
    return "\n".join(lines)


def _excerpt(span: Span, label: str, width: int, color: str, paint: Paint, above: Span | None = None) -> list[str]:
    if not span.source.text:
        return []
    line, column = span.source.position(span.start)
    text = visible(span.source.line(line).replace("\t", " "))
    room = max(min(span.end, span.start + len(text) - column + 1) - span.start, 1)
    start = max(column - 61, 0) if len(text) > 120 else 0
    shown = ("…" if start else "") + text[start : start + 120] + ("…" if len(text) > start + 120 else "")
    indent = column - 1 - start + (1 if start else 0)
    carets = "^" * min(room, max(120 - indent, 1))
    bar = paint("|", "blue")
    lines = [] if above is None or above.source.name == span.source.name else [f"{' ' * width}--> {span}"]
    lines.append(f"{paint(f'{line:>{width}}', 'blue')} {bar} {shown}")
    lines.append(f"{' ' * width} {bar} {' ' * indent}{paint((carets + ' ' + in_one_line(label)).rstrip(), color)}")
    return lines


def _github(one: Diagnostic) -> str:
    """A workflow command of GitHub Actions, which becomes an annotation; columns are for a place within one line."""
    level = "error" if one.severity == "error" else "warning"
    text = _escape(one.in_one_line)
    place = {"file": one.path} if one.path else {}
    if one.path and one.span.source.text:
        line, column = one.span.source.position(one.span.start)
        end_line, end_column = one.span.source.position(one.span.end)
        place |= {"line": f"{line}", "endLine": f"{end_line}"}
        place |= {"col": f"{column}", "endColumn": f"{end_column}"} if line == end_line else {}
    words = (f"{key}={_escape(value, (':', ','))}" for key, value in (place | {"title": one.code}).items())
    return f"::{level} {','.join(words)}::{text}"


def _escape(text: str, signs: tuple[str, ...] = ()) -> str:
    text = visible(text)
    for sign in ("%", "\r", "\n", *signs):
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def report_on_stderr(diagnostics: Iterable[Diagnostic], form: str = "text") -> None:
    """Diagnostics on standard error."""
    write_diagnostics(diagnostics, form, sys.stderr)

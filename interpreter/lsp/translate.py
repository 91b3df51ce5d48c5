"""Answers of `editor/` as values of the protocol, and positions of the protocol as offsets."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris

from interpreter.diagnostics import NOWHERE, Diagnostic
from interpreter.diagnostics.source import Source, Span
from interpreter.editor.completion import Completion
from interpreter.editor.links import FileEdit, Location
from interpreter.editor.positions import offset_at, position_at
from interpreter.syntax import files

KINDS = {
    "key": lsp.CompletionItemKind.Property,
    "name": lsp.CompletionItemKind.Variable,
    "word": lsp.CompletionItemKind.EnumMember,
    "function": lsp.CompletionItemKind.Function,
    "file": lsp.CompletionItemKind.File,
}


def path_of(uri: str) -> Path:
    """The file of an address; of a document without one, such as a new one, a path that no file has."""
    name = uris.to_fs_path(uri) if uri.startswith("file:") else None
    path = Path(name) if name else Path.cwd() / uri.replace("/", "_")
    return files.resolve(path) or path


def uri_of(path: Path) -> str:
    """The address of a file."""
    return str(uris.from_fs_path(str(path)))


def range_of(span: Span) -> lsp.Range:
    """The range of a place; the beginning of the file for a problem without one."""
    if span is NOWHERE or not span.source.text:
        return lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    return range_between(span.source, span.start, span.end)


def range_between(source: Source, start: int, end: int) -> lsp.Range:
    """The range from one offset to another."""
    return lsp.Range(lsp.Position(*position_at(source, start)), lsp.Position(*position_at(source, end)))


def offset_of(source: Source, position: lsp.Position) -> int:
    """The offset of a position."""
    return offset_at(source, position.line, position.character)


def diagnostic_of(one: Diagnostic, paths: dict[str, Path]) -> lsp.Diagnostic:
    """A problem; its help stands in its second line."""
    notes = [
        lsp.DiagnosticRelatedInformation(lsp.Location(uri_of(paths[span.source.name]), range_of(span)), text)
        for span, text in one.notes
        if span.source.name in paths
    ]
    return lsp.Diagnostic(
        range=range_of(one.span),
        message="\n".join([one.message, *([f"help: {one.help}"] if one.help else []), *_lines_of_consequences(one)]),
        severity=lsp.DiagnosticSeverity.Error if one.severity == "error" else lsp.DiagnosticSeverity.Warning,
        code=one.code,
        source="houserule",
        related_information=notes or None,
    )


def _lines_of_consequences(one: Diagnostic) -> list[str]:
    """How much follows from a problem, as a line of its message; an editor marks only the cause."""
    return [f"and {one.consequence}"] if one.consequence else []


def item_of(one: Completion, source: Source, offset: int, blocks: bool = False) -> lsp.CompletionItem:
    """Something that may be written; with `blocks`, to an editor that can insert lines as they are."""
    is_block = blocks and bool(one.block)
    return lsp.CompletionItem(
        label=one.label,
        kind=KINDS[one.kind],
        detail=one.detail or None,
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, one.about) if one.about else None,
        sort_text=f"{one.rank}{one.label}",
        filter_text=one.label,
        text_edit=lsp.TextEdit(range_between(source, one.start, offset), one.block if is_block else one.insert),
        insert_text_mode=lsp.InsertTextMode.AsIs if is_block else None,
    )


def location_of(place: Location) -> lsp.Location:
    """A place in a file."""
    return lsp.Location(uri_of(place.path), range_of(place.span))


def workspace_edit(edits: Iterable[FileEdit]) -> lsp.WorkspaceEdit:
    """Edits of several files."""
    changes: dict[str, list[lsp.TextEdit]] = {}
    for one in edits:
        changes.setdefault(uri_of(one.path), []).append(lsp.TextEdit(range_of(one.span), one.text))
    return lsp.WorkspaceEdit(changes=changes)


def apply_changes(text: str, changes: Iterable[lsp.TextDocumentContentChangeEvent]) -> str:
    """The text of a document after changes, each of a range or of the whole.

    Lines end where the protocol says: at a newline, a carriage return, or both.
    """
    for change in changes:
        span = getattr(change, "range", None)
        if span is None:
            text = change.text
            continue
        start, end = (_raw_offset(text, position) for position in (span.start, span.end))
        text = text[:start] + change.text + text[max(start, end) :]
    return text


def _raw_offset(text: str, position: lsp.Position) -> int:
    """The offset in a text whose lines may end in any way."""
    if "\r" not in text:
        return offset_at(Source("", text), position.line, position.character)
    start = 0
    for _ in range(position.line):
        ends = [at for at in (text.find("\n", start), text.find("\r", start)) if at >= 0]
        if not ends:
            return len(text)
        start = min(ends) + (2 if text[min(ends) : min(ends) + 2] == "\r\n" else 1)
    ends = [at for at in (text.find("\n", start), text.find("\r", start)) if at >= 0]
    line = text[start : min(ends, default=len(text))]
    return start + offset_at(Source("", line), 0, position.character)

"""Where a name is declared and used, across the parts and layers of a ruleset; and its renaming."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from interpreter import bundled, pipeline
from interpreter import diagnostics as say
from interpreter.diagnostics import Diagnostic, RulesetError
from interpreter.diagnostics.source import Source, Span
from interpreter.editor.analysis import Analysis, Texts, analysis_of
from interpreter.editor.positions import carry_offset
from interpreter.frozen import dataclass
from interpreter.runtime import functions
from interpreter.syntax.document import Mapping, Node, Scalar, Sequence
from interpreter.syntax.schema import is_name


@dataclass(frozen=True)
class Location:
    """A place in a file."""

    path: Path
    span: Span


@dataclass(frozen=True)
class FileEdit:
    """A place in a file, and what should stand there."""

    path: Path
    span: Span
    text: str


def place_at(analysis: Analysis, source: Source, offset: int) -> Span | None:
    """The place of the name at an offset of a text, which may be newer than its analysis."""
    analysed = next((one for one in analysis.sources.values() if one.name == source.name), None)
    at = carry_offset(source.text, analysed.text, offset) if analysed is not None else None
    return analysis.name_at(analysed, at) if analysed is not None and at is not None else None


def definition_of(analysis: Analysis, source: Source, offset: int) -> Location | None:
    """Where the name at an offset is declared; the file that it names, if it names one."""
    file = _file_at(analysis, source, offset)
    if file is not None:
        return file
    used = place_at(analysis, source, offset)
    return _location_of(analysis, analysis.references.get(used, used)) if used is not None else None


def references_of(analyses: list[Analysis], declared: Span, itself: bool) -> list[Location]:
    """The uses of what is declared at a place in all analyses, perhaps with the declaration, each once."""
    locations: dict[tuple[Path, int, int], Location] = {}
    for analysis in analyses:
        spans = [*([declared] if itself else []), *analysis.uses.get(declared, ())]
        for place in filter(None, (_location_of(analysis, span) for span in spans)):
            locations.setdefault((place.path, place.span.start, place.span.end), place)
    return sorted(locations.values(), key=lambda one: (str(one.path), one.span.start))


def _location_of(analysis: Analysis, span: Span) -> Location | None:
    path = analysis.paths.get(span.source.name)
    return Location(path, span) if path is not None else None


def _file_at(analysis: Analysis, source: Source, offset: int) -> Location | None:
    """The beginning of the file that the text at an offset names: a base, a part, the ruleset of a scene."""
    own = next((path for path, one in analysis.sources.items() if one.name == source.name), None)
    merged = analysis.loaded.merged
    roots: list[Node] = [one.root for one in (*merged.bases, *merged.layers)] if merged is not None else []
    names = [one for root in roots if isinstance(root, Mapping) for one in _files_in(root)]
    if analysis.scene is not None:
        names += [analysis.scene.ruleset, *analysis.scene.layers]
    for name in names:
        if name.span.source.name == source.name and name.span.start <= offset <= name.span.end and own is not None:
            known = {**bundled.rulesets(), **bundled.house_rules()}
            path = known.get(name.text, own.parent / name.text)
            for file in (path, path.with_name(f"{path.name}.yaml"), path.with_name(f"{path.name}.yml")):
                if file.is_file():
                    return Location(file.resolve(), say.NOWHERE)
    return None


def _files_in(root: Mapping) -> Iterator[Scalar]:
    for key in ("extends", "parts"):
        node = root.get(key)
        items = node.items if isinstance(node, Sequence) else (node,)
        yield from (one for one in items if isinstance(one, Scalar))


# Renaming --------------------------------------------------------------------------------------------------------


def refused_name(new: str) -> str | None:
    """Why a name cannot be given; None if it can."""
    if not is_name(new):
        return f"`{new}` is no name: a name has letters, digits and `_`, and begins with a letter"
    if new in say.EXPRESSION_WORDS | say.VALUE_WORDS:
        return f"`{new}` is a word of the language"
    if new in functions.FUNCTIONS or new in functions.FORMS:
        return f"`{new}` is a function of the language"
    return None


def rename_edits(analyses: list[Analysis], declared: Span, new: str) -> list[FileEdit]:
    """The edits that give a declaration and all its uses a new name."""
    old = _without_quotes(declared).text
    edits = []
    for place in references_of(analyses, declared, True):
        inner = _without_quotes(place.span)
        if inner.text == old:
            edits.append(FileEdit(place.path, inner, new))
    return edits


def _without_quotes(span: Span) -> Span:
    """A place without the quotation marks around it."""
    text = span.text
    quoted = len(text) > 1 and text[0] in "'\"" and text[-1] == text[0]
    return Span(span.source, span.start + 1, span.end - 1) if quoted else span


def apply_edits(texts: Texts, edits: list[FileEdit]) -> dict[Path, str]:
    """The texts of files after edits, which do not overlap."""
    texts_after: dict[Path, str] = {}
    for edit in sorted(edits, key=lambda one: -one.span.start):
        text = texts_after.get(edit.path, edit.span.source.text)
        texts_after[edit.path] = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return {**texts, **texts_after}


def error_after(
    analyses: list[Analysis], texts: Texts, edits: list[FileEdit], roots: tuple[Path, ...]
) -> Diagnostic | None:
    """The first error that edits would add to a ruleset; None if they add none."""
    after = apply_edits(texts, edits)
    for analysis in analyses:
        known = {(one.code, one.message) for one in analysis.loaded.problems.errors}
        for error in analysis_of(analysis.root, after, roots).loaded.problems.errors:
            if (error.code, error.message) not in known:
                return error
    return None


MOST_SEARCHED = 400
"""The most files of a folder in which uses of a name are looked for."""


def layers_with_word(word: str, base: Path, folders: list[Path], texts: Texts) -> Iterator[Path]:
    """The house rules in some folders whose text has a word: they may use a name of the ruleset under them."""
    seen = 0
    for folder in folders:
        for file in sorted(folder.rglob("*.yaml")):
            seen += 1
            if seen > MOST_SEARCHED:
                return
            path = file.resolve()
            try:
                text = texts[path] if path in texts else pipeline.read(path).text
            except RulesetError:
                continue
            if path != base and "\nextends:" in f"\n{text}" and word in text:
                yield path

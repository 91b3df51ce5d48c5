"""What is said about the name or key under a pointer: the sentence of `explain`, the type, what a key does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Source
from interpreter.editor.analysis import Analysis, Definition
from interpreter.editor.cursor import Cursor, Key, cursor_at
from interpreter.editor.positions import carry_offset
from interpreter.editor.shapes import about_key, form_of
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.report.explain import SECTIONS, explain_declaration, explain_name, explain_step
from interpreter.runtime import functions
from interpreter.runtime.titles import titles_of
from interpreter.syntax.document import Mapping, Scalar, Sequence

MOST_LINES = 14
"""The most lines of an explanation that a window is filled with."""


TOUCHED = "changes"
"""In place of a mechanic: those whose odds a house rule may change."""


@dataclass(frozen=True)
class Hover:
    """Lines about what stands from `start` to `end`.

    `rule` is the path of the mechanic whose odds belong to them, or `TOUCHED`.
    """

    lines: tuple[str, ...]
    start: int
    end: int
    rule: str | None = None


def hover_at(analysis: Analysis, sound: Analysis | None, source: Source, offset: int) -> Hover | None:
    """What to say about the word at an offset of a text, which may be newer than its analysis.

    `sound` is the last analysis without errors: only its rules can be explained. None where there is nothing to say.
    """
    word = _word_at(source.text, offset)
    if word is None:
        return None
    start, end = word
    name = source.text[start:end]
    named = definition_at(analysis, source, offset)
    cursor = cursor_at(source.text, start)
    changes = cursor is not None and cursor.path in ((), ("changes",)) and _is_change(cursor, name)
    if named is not None and (lines := _describe_definition(sound or analysis, named)):
        rule = named.path if re.fullmatch(r"mechanics\.\w+", named.path) else TOUCHED if changes else None
        return Hover(lines, start, end, rule)
    behind = source.text[end : end + 1]
    if cursor is not None and not cursor.in_value and (lines := _describe_outcome(sound or analysis, cursor, name)):
        return Hover(lines, start, end, f"mechanics.{_path_of(cursor, name)[1]}")
    if re.match(r"[\"']? *:(?=\s|$)", source.text[end:]) and cursor is not None and not cursor.in_value:
        if changes and cursor.path:
            return Hover((f"`{name}`",), start, end, TOUCHED)
        about = about_key(cursor, form_of(cursor.beside[0] if len(cursor.beside) > 1 else _keys(source.text)), name)
        return Hover((about,), start, end, TOUCHED if changes else None) if about else None
    if behind == "(" and (said := function_about(analysis, name)):
        return Hover((said,), start, end)
    return None


def _is_change(cursor: Cursor, name: str) -> bool:
    """Whether a key is `changes` of a house rule, or the path of a change."""
    return not cursor.in_value and (cursor.path == ("changes",) or name == "changes")


def _path_of(cursor: Cursor, name: str) -> tuple[Key, ...]:
    """The path in the ruleset of a name at which a key begins, or of one in the path of a change."""
    above, dots, _ = f"{cursor.typed}{name}".rpartition(".")
    return (*above.split("."), name) if cursor.path == ("changes",) and dots else (*cursor.path, name)


def _describe_outcome(analysis: Analysis, cursor: Cursor, name: str) -> tuple[str, ...]:
    """The sentence about an outcome of a mechanic, or about its outcomes; none elsewhere, or where there are errors."""
    program, path = analysis.loaded.program, _path_of(cursor, name)
    if path[:1] != ("mechanics",) or path[2:3] != ("outcomes",) or len(path) > 4 or program is None:
        return ()
    if len(path) == 3 and cursor.path != ("changes",):
        return ()
    if not analysis.is_sound or path[1] not in program.mechanics:
        return ()
    whole, shown = explain_name(program, analysis.loaded.merged, f"mechanics.{path[1]}"), titles_of(program).word(name)
    begins = (f"{shown}, ", f"{shown}: ")
    sentences = [line.strip() for line in whole if len(path) == 4 and line.strip().startswith(begins)]
    return (f"`{name}` of `{path[1]}`", *sentences[:1])


def _keys(text: str) -> dict[str, str]:
    return dict.fromkeys(re.findall(r"^([^\W\d]\w*) *:", text, re.MULTILINE), "")


def _word_at(text: str, offset: int) -> tuple[int, int] | None:
    """The word that holds an offset or ends there."""
    start = end = offset
    while start > 0 and _is_part_of_word(text[start - 1]):
        start -= 1
    while end < len(text) and _is_part_of_word(text[end]):
        end += 1
    return (start, end) if start < end else None


def _is_part_of_word(character: str) -> bool:
    return character.isalnum() or character in "_-"


def definition_at(analysis: Analysis, source: Source, offset: int) -> Definition | None:
    """What the name at an offset stands for."""
    analysed = next((one for one in analysis.sources.values() if one.name == source.name), None)
    if analysed is None:
        return None
    at = carry_offset(source.text, analysed.text, offset)
    place = analysis.name_at(analysed, at) if at is not None else None
    if place is None:
        return None
    return analysis.definitions.get(analysis.references.get(place, place))


def function_about(analysis: Analysis, name: str) -> str:
    """A sentence about a function of the language."""
    builtin = functions.FUNCTIONS.get(name)
    if builtin is not None:
        return f"`{name}({', '.join(builtin.takes)})`: {builtin.about}."
    form = functions.FORMS.get(name)
    return f"`{name}(…)`: {form}." if form is not None else ""


def _describe_definition(analysis: Analysis, named: Definition) -> tuple[str, ...]:
    """The sentences about something with a name; none if its ruleset has errors and it cannot be explained."""
    program = analysis.loaded.program
    if program is None:
        return ()
    section, name, *inside = named.path.split(".")
    node = named.node
    if isinstance(node, ir.Declaration):
        title = program.titles.get(node.path, "")
        return (
            explain_declaration(program, node) if analysis.is_sound else _name_with_type(node.name, node.type, title),
        )
    if isinstance(node, ir.Step):
        lines = _shorten(explain_step(program, node)) if analysis.is_sound else ()
        return (_name_with_type(node.name, node.type, program.titles.get(node.path, "")), *lines)
    if section in SECTIONS and not inside and analysis.is_sound:
        try:
            return _shorten(explain_name(program, analysis.loaded.merged, named.path))
        except PlayError:
            return ()
    return tuple(_describe_entry(analysis, section, name, inside))


def _name_with_type(name: str, kind: t.Type, title: str = "") -> str:
    return f"`{name}`: {f'{title}, ' if title else ''}{t.in_words(kind)}"


def _shorten(lines: list[str]) -> tuple[str, ...]:
    return tuple(lines) if len(lines) <= MOST_LINES else (*lines[: MOST_LINES - 1], "…")


def _describe_entry(analysis: Analysis, section: str, name: str, inside: list[str]) -> Iterator[str]:
    """A sentence about what `explain` does not know: a list of words, one of its words, a die, a role."""
    node = analysis.node_at((section, name))
    about = analysis.node_at((section, name, *inside, "about"))
    means = analysis.node_at((section, name, *inside))
    long = analysis.node_at((section, name, *inside, "is"))
    about_text = next((one.text for one in (about, long, means) if isinstance(one, Scalar) and one.text), "")
    title = analysis.node_at((section, name, *inside, "title"))
    parts = [title.text if isinstance(title, Scalar) else "", " ".join(about_text.split())]
    if inside:
        yield f"`{inside[-1]}` of `{name}`: {'. '.join(filter(None, parts))}".removesuffix(": ")
        return
    if section in SECTIONS:  # of a ruleset with errors, which cannot be explained
        yield f"`{name}`: " + (". ".join(filter(None, parts)) or f"in the section `{section}`")
        return
    listed = node.by_key if isinstance(node, Mapping) and section not in ("tags", "roles") else ()
    words = [item.text for item in node.items if isinstance(item, Scalar)] if isinstance(node, Sequence) else listed
    what = {"names": "a list of words", "dice": "a die", "tags": "a tag", "roles": "a role"}.get(section, section)
    said = ", ".join(words) or ". ".join(filter(None, parts))
    yield f"`{name}`: {what}{': ' if said else ''}{said}"

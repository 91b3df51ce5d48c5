"""A word of the language explained in lines for a terminal: what it means, its keys, an example, and where more is."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from interpreter.manual.examples import example_of
from interpreter.manual.pages import Section, plain_line
from interpreter.manual.words import Meaning, meanings, sections_about
from interpreter.syntax.verb_grammar import VERBS

WIDTH = 100


def explained_word(word: str, more: bool = False) -> list[str]:
    """The lines about a word; with `more`, the sections of the manual that explain it follow."""
    lines = [line for meaning in meanings(word) for line in _meaning_lines(word, meaning)]
    example = example_of(word)
    if example:
        lines += ["", "For example:", "", *textwrap.indent(example.rstrip("\n"), "    ").splitlines()]
    sections = sections_about(word)
    if more:
        lines += [
            line for section in sections for line in ("", _title(section), "", *plain_line(section.text).splitlines())
        ]
    elif sections:
        where = "; ".join(map(_title, sections[:3]))
        lines += [
            "",
            *_wrap(f"The manual says more: {where}. `houserule explain {_quote(word)} --more` prints it."),
        ]
    return lines


def _meaning_lines(word: str, meaning: Meaning) -> Iterator[str]:
    yield from _wrap(f"`{word}`, {meaning.role}: {meaning.about}")
    width = max((len(key) for key, _ in meaning.beside), default=0)
    for key, about in meaning.beside:
        yield from textwrap.wrap(about, WIDTH, initial_indent=f"  {key:{width}}  ", subsequent_indent=" " * (width + 4))
    if word in VERBS and meaning.beside:
        yield "Beside every verb: `if`, `else`, `title`, `about`, `cites`."


def _wrap(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _title(section: Section) -> str:
    return f"docs/{section.page}, “{section.title.replace('`', '')}”"


def _quote(word: str) -> str:
    return f"'{word}'" if " " in word else word

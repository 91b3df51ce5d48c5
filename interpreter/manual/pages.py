"""The pages of the manual: sections, the examples in them, and the rows and points that explain a word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from interpreter import bundled
from interpreter.diagnostics import EXPRESSION_WORDS
from interpreter.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, and the text below it up to the next one. `page` is the file from the folder of the manual."""

    page: str
    title: str
    text: str

    @property
    def anchor(self) -> str:
        """The end of a link to the heading."""
        return re.sub(r"[^\w -]", "", self.title.lower()).replace(" ", "-")


@dataclass(frozen=True, slots=True)
class Passage:
    """A row of a table or a point of a list that begins with words in backticks, and what it says of them."""

    words: tuple[str, ...]
    text: str
    section: Section


@cache
def sections() -> tuple[Section, ...]:
    """The sections of all pages about the language, in the order of reading."""
    return tuple(section for page in pages() for section in _sections_of(page))


def pages() -> list[Path]:
    """The pages about the language."""
    return sorted((bundled.manual() / "language").glob("*.md"))


@cache
def passages() -> tuple[Passage, ...]:
    """Every row and point that begins with words."""
    return tuple(passage for section in sections() for passage in _passages_of(section))


def examples(section: Section) -> Iterator[str]:
    """The rulesets, or parts of some, that a section shows and that have no mistake."""
    for block in re.finditer(r"^```yaml\n(.*?)^```$", section.text, re.MULTILINE | re.DOTALL):
        yield block[1]


def plain_line(text: str) -> str:
    """A line of Markdown as a terminal shows it: links and bold print are only their words."""
    return re.sub(r"\*\*(.*?)\*\*", r"\1", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text))


_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| (?P<lead>`[^|]*`) \| (?P<text>.*) \|$")
_POINT = re.compile(r"^- (?:\*\*)?(?P<lead>`[^`]+`(?:, `[^`]+`)*)(?:\*\*)?(?P<text>.*)$")


def _sections_of(page: Path) -> Iterator[Section]:
    text = page.read_text("utf-8")
    headings = list(_HEADING.finditer(_FENCED.sub(_blank, text)))
    name = page.relative_to(bundled.manual()).as_posix()
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        end = following.start() if following is not None else len(text)
        yield Section(name, heading[1], text[heading.end() : end].strip("\n"))


def _blank(block: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", block[0])


def _passages_of(section: Section) -> Iterator[Passage]:
    for line in _FENCED.sub("", section.text).splitlines():
        match = _ROW.match(line) or _POINT.match(line)
        if match is not None and (words := tuple(_words_of(match["lead"]))):
            text = match["text"].replace(" | ", "; ")
            yield Passage(
                words,
                plain_line(f"{match['lead']}: {text}" if line.startswith("|") else f"{match['lead']}{text}"),
                section,
            )


def _words_of(lead: str) -> Iterator[str]:
    """The words that a row is about: those in backticks, alone or with arguments or a value; operators among others."""
    for code in re.findall(r"`([^`]+)`", lead):
        alone = re.fullmatch(r"\.?([a-z_]+)(?:[(:].*)?", code)
        yield from [alone[1]] if alone else [word for word in code.split() if word in EXPRESSION_WORDS]

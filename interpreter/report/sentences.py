"""What an explanation consists of: sentences, each about one construct, with the sentences below it.

`explain` joins them to lines, and a rulebook lays them out on a page. Inside a sentence, formulas and references to
other rules are marked by control characters; `plain_text` and `pieces` read the marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal

from interpreter.frozen import dataclass

_FORMULA, _REFERENCE, _TITLE, _END = "\x02", "\x0e", "\x1f", "\x03"
_MARKED = re.compile(
    rf"{_FORMULA}(?P<formula>[^{_FORMULA}{_REFERENCE}{_END}]*){_END}"
    rf"|{_REFERENCE}(?P<path>[^{_TITLE}{_END}]*){_TITLE}(?P<title>[^{_END}]*){_END}"
    r"|`(?P<code>[^`]+)`"
)
_MARKS = re.compile(f"[{_FORMULA}{_REFERENCE}{_TITLE}{_END}]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence about the construct at `path`, with the rows of the book that the construct cites.

    `lead` stands before the sentence in a line, such as "`rolled`: "; `name` is what it names, for pages that show
    names otherwise. A sentence with a `part` begins a part of an explanation, such as the inputs.
    """

    text: str
    path: str = ""
    below: tuple[Sentence, ...] = ()
    lead: str = ""
    name: str = ""
    cites: tuple[tuple[str, str], ...] = ()
    part: str = ""


Kind = Literal["text", "formula", "code", "reference"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a sentence: plain text, a formula, a name or an example in code, or a reference to a `path`."""

    kind: Kind
    text: str
    path: str = ""


def formula(text: str) -> str:
    """A formula, to stand in a sentence."""
    return f"{_FORMULA}{text}{_END}"


def reference(section: str, name: str, title: str) -> str:
    """A reference to another rule, to stand in a sentence; in plain text its title and its name."""
    return f"{_REFERENCE}{section}.{name}{_TITLE}{title}{_END}"


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a sentence, in order."""
    at = 0
    for match in _MARKED.finditer(text):
        if match.start() > at:
            yield Piece("text", _MARKS.sub("", text[at : match.start()]))
        if match["formula"] is not None:
            yield Piece("formula", match["formula"])
        elif match["path"] is not None:
            yield Piece("reference", _MARKS.sub("", match["title"]), match["path"])
        else:
            yield Piece("code", _MARKS.sub("", match["code"]))
        at = match.end()
    if at < len(text):
        yield Piece("text", _MARKS.sub("", text[at:]))


def plain_text(text: str) -> str:
    """A sentence as text: a reference is a title with its name, as in `Simple Roll (`simple_roll`)`."""

    def piece_text(one: Piece) -> str:
        match one.kind:
            case "reference":
                return f"{one.text} (`{one.path.partition('.')[2]}`)"
            case "code":
                return f"`{one.text}`"
        return one.text

    return "".join(map(piece_text, pieces(text)))


def lines(sentences: Iterable[Sentence], indent: str = "") -> Iterator[str]:
    """Sentences as lines; those below one are indented, and rows of the book stand in brackets."""
    for one in sentences:
        cited = ", ".join(f"{row} {status}" for row, status in one.cites)
        yield indent + plain_text(one.lead + one.text).rstrip() + (f" [{cited}]" if cited else "")
        yield from lines(one.below, indent + "  ")


def with_sentences_below(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Sentences and all that stand below them."""
    for one in sentences:
        yield one
        yield from with_sentences_below(one.below)

"""Text on its way to where people read it: without characters that nobody sees, and in one line where one is meant.

A ruleset, a state and what players type come from anybody, and are shown on terminals and in logs, pages and comments.
A character that moves the cursor, hides or turns round what stands beside it is refused where a text comes in
(`find_unseen`), and `visible` shows a sign in its place where one is quoted, as messages do. A line break stays only in
texts that may have several lines: elsewhere it could begin a line that looks as if somebody else had written it.

This module has the signs of each form that text is written in: lines, XML and HTML, Markdown, commands of GitHub.
"""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

from interpreter.work_count import foresee, spend

_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff"  # control characters, surrogates
    "\u200b\u2028\u2029\u2060\ufeff\u202a-\u202e\u2066-\u2069"  # invisible characters, or changes of direction
)
UNSEEN = re.compile(f"[{_UNSEEN}]")
"""Characters that are invisible or change how text is displayed. Marks that only say the direction of what stands right
beside them (U+200E, U+200F, U+061C) are none of these: Hebrew and Arabic are written with them."""
_BREAK = re.compile(r"\s*[\n\r]\s*")
_STYLE = re.compile(r"(\x1b\[[0-9;]*m)")
"""What paints text."""
_COMMAND = re.compile(r"^([ \t]*):(?=:)", re.MULTILINE)
_LINK = re.compile(r"(?i)\b((?:https?|ftp|mailto|xmpp):|www(?=\.))|([@#])(?=\w)")
_APART = "&#8203;"
"""A space without width, as Markdown writes it: what is parted by it is no address and no name."""


def find_unseen(text: str) -> str | None:
    """The first character of a text that nobody sees; None if there is none."""
    if text.isprintable():
        return None
    found = UNSEEN.search(text)
    return found[0] if found else None


def visible(text: str) -> str:
    """A text with a sign in place of each character that nobody sees, so that every place in it stays where it is."""
    return text if text.isprintable() else UNSEEN.sub(_sign, text)


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def in_one_line(text: str) -> str:
    """A text in one line, in which every character is seen."""
    return text if text.isprintable() else visible(_BREAK.sub(" ", text))


def on_terminal(text: str) -> str:
    """Lines for a terminal or a log, as the program paints them: GitHub reads none of them as a command."""
    if not text.isprintable():
        text = "".join(part if place % 2 else visible(part) for place, part in enumerate(_STYLE.split(text)))
    return _COMMAND.sub(r"\1: ", text).replace("##[", "## [") if "::" in text or "##[" in text else text


def in_json(data: Any, indent: int | None = None) -> str:
    """Data as JSON, in which every character that nobody sees is written as its number."""
    entries, letters = _size_of_data(data)
    foresee(entries * (2 if indent else 1) // WRITTEN + letters // LETTERS, COPIES * (letters + 4 * entries))
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    if not text.isprintable():
        text = UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text.replace("##[", "#\\u0023[")  # GitHub takes it for a command wherever it stands in a line


WRITTEN, LETTERS, COPIES = 5, 500, 2
"""The entries and the letters that are written in a unit of work, and how often what is written is held at once."""


def _size_of_data(data: Any) -> tuple[int, int]:
    """The number of entries of data, and that of the letters of their texts."""
    entries = letters = 0
    stack = [data]
    while stack:
        one = stack.pop()
        if isinstance(one, str):
            letters += len(one)
        elif isinstance(one, (dict, list, tuple)):
            entries += len(one)
            spend(1 + len(one) // WRITTEN)
            stack += one.values() if isinstance(one, dict) else one
    return entries, letters


def in_xml(text: str) -> str:
    """A text inside an element or an attribute of XML or HTML."""
    return escape(visible(text))


def in_markdown(text: str) -> str:
    """A text in one line that ends no cell of a table, begins no element and no link, and mentions nobody."""
    text = in_one_line(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    text = text.replace("](", "]\\(").replace("]:", "]\\:")
    return _LINK.sub(lambda found: f"{found[0]}{_APART}", text)


def last_sentence(question: str) -> str:
    """What a question asks: the last sentence that is a question, or the last of all; the others tell values, which
    differ from time to time."""
    sentences = re.split(r"(?<=[.;!?]) +", question)
    return next((one for one in reversed(sentences) if one.endswith("?")), sentences[-1])

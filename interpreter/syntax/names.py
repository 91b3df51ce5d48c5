"""What a name is: letters, digits and `_` of one script, beginning with a letter.

Texts are compared in NFC, in which one letter is always written with the same characters, so that `stärke` is one name
however a keyboard makes the `ä`. A name of letters of two scripts is refused: `а` may be Latin or Cyrillic, and nobody
sees which.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Set
from functools import lru_cache

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0711-\u074a\u0900-\u0963"
    "\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ece\u0f18-\u0fbc\u102b-\u109d\u17b4-\u17d3\u3099\u309a"
)
"""Signs above, below and behind letters, such as vowels of Hebrew and Hindi, which `\\w` lacks."""

WORD = rf"[\w{_MARKS}]"
"""A character of a name, in a regular expression."""

NAME = rf"[^\W\d_]{WORD}*"
"""A name, in a regular expression. `is_word` is stricter about the letters."""

_TOGETHER = (
    frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}),
    frozenset({"CJK", "HANGUL"}),
    frozenset({"CJK", "BOPOMOFO"}),
)
"""Scripts that one language is written with."""


def normalize(text: str) -> str:
    """A text with each letter in the one way to write it, NFC."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@lru_cache(maxsize=2048)
def is_word(text: str) -> bool:
    """Whether a text has the form of a name, in NFC, in letters of one script."""
    if text.isascii():
        return text.isidentifier() and not text.startswith("_")
    starts_with_letter = text[0].isalpha() and text.isidentifier()
    return starts_with_letter and unicodedata.is_normalized("NFKC", text) and not mixed_scripts(text)


def mixed_scripts(text: str) -> Set[str]:
    """The scripts of the letters of a text, such as Latin and Cyrillic, if no language is written with all of them."""
    scripts = {_script(letter) for letter in text if letter.isalpha()}
    alone = len(scripts) < 2 or any(scripts <= together for together in _TOGETHER)
    return set() if alone else {"Han" if script == "CJK" else script.capitalize() for script in scripts}


def _script(letter: str) -> str:
    """The script of a letter: the first word of its name in Unicode."""
    return unicodedata.name(letter, "?").split()[0]

"""What a slip of the pen was probably meant to be, and how names are listed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from functools import lru_cache

from interpreter.diagnostics.model import LONGEST_MISSPELT, MOST_COMPARED
from interpreter.diagnostics.source import Span
from interpreter.work_count import affords, spend

OF_A_NAME = 10
"""The units of work in which a name is looked at, before it is compared with any."""


def nearest_name(name: str, known: Iterable[str], sure: bool = False) -> str | None:
    """The known name that is closest to a misspelt one, if any is close; if `sure`, only one that must be meant."""
    spend(OF_A_NAME)
    written = fold_case(name)
    if len(written) > LONGEST_MISSPELT:
        return None
    close: tuple[int, bool, float, int, str] | None = None
    for least, number, candidate in sorted(_may_be_meant(written, known)):
        other = fold_case(candidate)
        if (close and least > close[0]) or not affords(len(written) * len(other) // 2):
            break
        slips = edit_distance(written, other, close[0] if close else None)
        if close and slips > close[0]:
            continue
        alike = SequenceMatcher(None, written, other).ratio()
        if alike >= (0.75 if sure else 0.6) or (slips == 1 and len(written) > 2):
            found = (slips, sorted(written) != sorted(other), -alike, number, candidate)
            close = min(close or found, found)
    return close and close[-1]


def _may_be_meant(written: str, known: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """The known names with enough letters in common to be near, each after its place and the least number of slips.

    Letters are counted in far less time than names are compared, and only the nearest names need to be.
    """
    letters = _letters_of(written)
    compared = 0
    for number, candidate in enumerate(known):
        longer = max(len(candidate), len(written))
        if abs(len(candidate) - len(written)) > longer // 2:
            continue
        other = fold_case(candidate)
        compared += 1
        if compared > MOST_COMPARED and other[:1] != written[:1]:
            continue
        if compared > 4 * MOST_COMPARED or not affords(1):
            return
        common = len(letters & _letters_of(other))
        if 2 * common >= 0.6 * (len(written) + len(other)) or common >= longer - 1:
            yield longer - common, number, candidate


@lru_cache(maxsize=4 * MOST_COMPARED)
def _letters_of(name: str) -> frozenset[int]:
    """The letters of a name, each as often as it is in it: as numbers, of which a second `a` has another one."""
    so_far = Counter[str]()
    numbers = []
    for letter in name:
        numbers.append(ord(letter) << 8 | min(so_far[letter], 255))
        so_far[letter] += 1
    return frozenset(numbers)


def fold_case(name: str) -> str:
    return name.lower().replace("-", "_")


def edit_distance(a: str, b: str, most: int | None = None) -> int:
    """How many letters were left out, put in, taken for another or changed about with their neighbour.

    If they are more than `most`, any number above it. This is the optimal string alignment distance.
    """
    rows = [list(range(len(b) + 1))]
    for i, left in enumerate(a):
        above, row = rows[-1], [i + 1]
        for j, right in enumerate(b):
            row.append(min(above[j + 1] + 1, row[j] + 1, above[j] + (left != right)))
            if i and j and left == b[j - 1] and a[i - 1] == right:
                row[-1] = min(row[-1], rows[-2][j - 1] + 1)
        rows.append(row)
        if most is not None and min(row) > most:
            return most + 1
    return rows[-1][-1]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    near = nearest_name(name, known)
    return f"did you mean `{near}`?" if near else None


def respelling_edit(span: Span, name: str, known: Iterable[str]) -> tuple[tuple[Span, str], ...]:
    """The edit that writes the known name that must be meant by a misspelt one; none if it could be several.

    Only a slip of the pen is mended: a word that somebody chose says what it says, though one like it is known.
    """
    known = set(known)
    near = nearest_name(name, sorted(known), sure=True)
    if span.text.count(name) == 1 and span.text != name:  # as in a path, or in quotes
        span = span.part(span.text.index(name), span.text.index(name) + len(name))
    if near is None or span.text != name or not is_slip(name, near):
        return ()
    slips = edit_distance(fold_case(name), fold_case(near))
    return () if any(_is_as_near(name, one, slips + 1) for one in known - {near}) else ((span, near),)


def _is_as_near(name: str, other: str, slips: int) -> bool:
    """Whether a name is like another, and is that one with so many slips at most."""
    if abs(len(name) - len(other)) > slips or nearest_name(name, [other], sure=True) is None:
        return False
    return edit_distance(fold_case(name), fold_case(other)) <= slips


_DENYING = ("un", "in", "im", "il", "ir", "dis", "non", "not", "no", "anti", "a", "mis")
_OF_SIDES = ("er", "or", "ed", "ee", "ing")
"""Ends of words that tell who does something from whom it is done to."""
_LONG = 7
"""From so many letters on a word may have two slips."""


UNSURE = re.compile(r"\b(?:better|worse)\b", re.IGNORECASE)
"""Words of comparisons whose sign depends on the game: where low dice are good, better is lower."""


def is_slip(written: str, meant: str) -> bool:
    """Whether a word is another with a slip of the pen, and no word of its own.

    A slip is a letter or two of one word. Another number of words, another digit, a syllable that denies (`unhurt` for
    `hurt`) and the other side of a deed (`attacked` for `attacker`) are no slips: they have a meaning.
    """
    words, others = (re.split(r"[\s_]+", fold_case(one)) for one in (written, meant))
    if "".join(words) == "".join(others):
        return True
    if len(words) != len(others) or re.findall(r"\d+", written) != re.findall(r"\d+", meant):
        return False
    return all(map(_one_word_is_slip, words, others))


def _one_word_is_slip(written: str, meant: str) -> bool:
    if edit_distance(written, meant) > (2 if min(len(written), len(meant)) >= _LONG else 1):
        return False
    shorter, longer = sorted((written, meant), key=len)
    if longer.endswith(shorter) and longer.removesuffix(shorter) in _DENYING:
        return False
    ends = [{end for end in _OF_SIDES if one.endswith(end)} for one in (written, meant)]
    return not (ends[0] and ends[1] and ends[0] != ends[1])


def in_backticks(span: Span) -> str:
    """The text of a span in backticks; `this` if it is too long for a sentence."""
    text = " ".join(span.text.split())
    return f"`{text}`" if 0 < len(text) <= 40 else "this"


def list_words(words: Iterable[str], most: int = 12) -> str:
    shown = list(words)
    return ", ".join(f"`{word}`" for word in shown[:most]) + (", …" if len(shown) > most else "")


def near_or_list(name: str, known: Iterable[str], what: str) -> str | None:
    known = list(known)
    return did_you_mean(name, known) or (f"{what}: {list_words(known)}" if known else None)


def how_to_install(extra: str) -> str:
    """The help that says how an extra is installed; from a clone, since no registry has houserule."""
    return f"in a clone of houserule: pip install '.[{extra}]'"

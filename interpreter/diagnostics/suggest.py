"""What a slip of the pen was probably meant to be, and how names are listed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from interpreter.diagnostics.model import LONGEST_MISSPELT, MOST_COMPARED, Diagnostic
from interpreter.diagnostics.source import Span


def nearest_name(name: str, known: Iterable[str], sure: bool = False) -> str | None:
    """The known name that is closest to a misspelt one, if any is close; if `sure`, only one that must be meant."""
    written = folded(name)
    if len(written) > LONGEST_MISSPELT:
        return None
    close: list[tuple[int, bool, float, int, str]] = []
    compared = 0
    for number, candidate in enumerate(known):
        if abs(len(candidate) - len(written)) > max(len(candidate), len(written)) // 2:
            continue
        other = folded(candidate)
        compared += 1
        if compared > MOST_COMPARED and other[:1] != written[:1]:
            continue
        if compared > 4 * MOST_COMPARED:
            break
        alike = SequenceMatcher(None, written, other).ratio()
        slips = edit_distance(written, other)
        if alike >= (0.75 if sure else 0.6) or (slips == 1 and len(written) > 2):
            close.append((slips, sorted(written) != sorted(other), -alike, number, candidate))
    return min(close)[-1] if close else None


def folded(name: str) -> str:
    return name.lower().replace("-", "_")


def edit_distance(a: str, b: str) -> int:
    """How many letters were left out, put in, taken for another or changed about with their neighbour."""
    rows = [list(range(len(b) + 1))]
    for i, left in enumerate(a):
        above, row = rows[-1], [i + 1]
        for j, right in enumerate(b):
            row.append(min(above[j + 1] + 1, row[j] + 1, above[j] + (left != right)))
            if i and j and left == b[j - 1] and a[i - 1] == right:
                row[-1] = min(row[-1], rows[-2][j - 1] + 1)
        rows.append(row)
    return rows[-1][-1]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    near = nearest_name(name, known)
    return f"did you mean `{near}`?" if near else None


def respelt(span: Span, name: str, known: Iterable[str]) -> tuple[tuple[Span, str], ...]:
    """The edit that writes the known name that must be meant by a misspelt one; none if it could be several."""
    known = set(known)
    near = nearest_name(name, sorted(known), sure=True)
    if near is None or span.text != name or nearest_name(name, sorted(known - {near}), sure=True) is not None:
        return ()
    return ((span, near),)


def quoted(span: Span) -> str:
    """The text of a span in backticks; `this` if it is too long for a sentence."""
    text = " ".join(span.text.split())
    return f"`{text}`" if 0 < len(text) <= 40 else "this"


def listed(words: Iterable[str], most: int = 12) -> str:
    shown = list(words)
    return ", ".join(f"`{word}`" for word in shown[:most]) + (", …" if len(shown) > most else "")


def near_or_list(name: str, known: Iterable[str], what: str) -> str | None:
    known = list(known)
    return did_you_mean(name, known) or (f"{what}: {listed(known)}" if known else None)


_MEANT = re.compile(r"did you mean `([^`]+)`\?")
_SAID = re.compile(r"`([^`]+)`")


def respelling(problem: Diagnostic) -> tuple[tuple[Span, str], ...]:
    """The edit that a help of `did_you_mean` stands for: the name that is meant, in place of the one that is not.

    Nothing where the help says something else, or the name does not stand at the place of the problem.
    """
    meant = _MEANT.fullmatch(problem.help or "")
    if meant is None:
        return ()
    for name in _SAID.findall(problem.message):
        at = problem.span.text.find(name)
        if at >= 0 and problem.span.text.count(name) == 1:
            return ((problem.span.part(at, at + len(name)), meant[1]),)
    return ()


def installed_by(extra: str) -> str:
    """The help that says how an extra is installed; from a clone, since no registry has houserule."""
    return f"in a clone of houserule: pip install '.[{extra}]'"

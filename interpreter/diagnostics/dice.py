"""HR1: the faces of dice, as they are declared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.usual_ranges import range_meant

MOST_WRITTEN = 24
"""The most faces that are written out in a help."""

_SEVERAL = r"(?:(?P<before>\d+)\s*[x×*]?\s*(?P<what>[^\W\d_]\w*)|(?P<same>[^\W\d_]\w*|\d+)\s*[x×*:]\s*(?P<after>\d+))"


def no_list_of_faces(span: Span) -> Diagnostic:
    """Of `faces: 0 to 99`."""
    return Diagnostic("HR103", "`faces` should be a list with every face, not a single value", span,
                      _how_to_write_faces(span, " ".join(span.text.strip("\"'").split())))  # fmt: skip


def sides_of_a_die(span: Span, key: str, sides: str) -> Diagnostic:
    """Of `{sides: 6}`."""
    way_out = f"a die with the faces 1 to {sides} is `d{sides}`: write that in place of `{{{key}: …}}`"
    if not re.fullmatch(r"\d{1,4}", sides):
        way_out = "a die lists its faces: `{faces: [1, 1, 2, skull]}`"
    return Diagnostic("HR101", f"unknown key `{key}` in a die", span, way_out)


def faces_by_number(span: Span, faces: Sequence[tuple[str, str]]) -> Diagnostic:
    """Of `faces: {skull: 2, blank: 4}`, which says how many there are of each."""
    counted = [(face, int(number)) for face, number in faces if number.isdecimal() and len(number) < 3]
    written = _faces_text(face for face, number in counted for _ in range(number))
    if len(counted) < len(faces) or not 0 < sum(number for _, number in counted) <= MOST_WRITTEN:
        written = "[skull, skull, blank]"
    return Diagnostic("HR103", "`faces` should be a list with every face, not `name: …` entries", span,
                      f"write each face as often as the die has it: `{written}`")  # fmt: skip


def no_face(span: Span, text: str, name: str, alone: bool) -> Diagnostic | None:
    """Of `faces: [0 to 99]`, in which `name` is no symbol; None where the text does not tell what is meant.

    A face that is a die, as in `faces: [d6]`, tells that only if it stands `alone`.
    """
    way_out = _how_to_write_faces(span, text, inside=True) if _is_more_than_a_face(text, alone) else None
    return Diagnostic("HR106", f"`{name}` is no face: a face is a number or a word", span, way_out) if way_out else None


def _is_more_than_a_face(text: str, alone: bool) -> bool:
    return bool(_numbers_of_range(text) or re.fullmatch(_SEVERAL, text) or (alone and re.fullmatch(r"d\d+", text)))


def _numbers_of_range(text: str) -> tuple[int, int] | None:
    """The numbers of `0 to 99`, `0..99` or `upto(10)`."""
    if found := re.fullmatch(r"(?:upto|range|seq)\((?:(-?\d{1,6})\s*,\s*)?(-?\d{1,6})\)", text):
        return int(found[1] or 1), int(found[2])
    likely_range = range_meant(text)
    ends = re.fullmatch(r"(-?\d{1,6}) to (-?\d{1,6})", likely_range.text) if likely_range is not None else None
    return (int(ends[1]), int(ends[2])) if ends else None


def _how_to_write_faces(span: Span, text: str, inside: bool = False) -> str:
    """How the faces at a place are written; `inside` where they are some of a list."""
    ends = _numbers_of_range(text)
    if inside and ends is not None and 0 <= ends[1] - ends[0] < MOST_WRITTEN:
        return f"write `{_faces_text(range(ends[0], ends[1] + 1)).strip('[]')}` in its place"
    if ends is not None and ends[0] == 1:
        return f"a die with the faces 1 to {ends[1]} is `d{ends[1]}`: write that in place of `{{faces: …}}`"
    if ends is not None and ends[0] <= ends[1]:
        low, number = ends[0], ends[1] - ends[0] + 1
        sign = f"- {1 - low}" if low < 1 else f"+ {low - 1}"
        name = _name_of_die(span)
        read = f"read `rolled {sign}`, and drop `{name}` here" if name else f"and read `rolled {sign}`"
        rolled = f"roll `d{number}`, `rolled: {{roll: d{number}}}`, {read}"
        return f"write `{_faces_text(range(low, ends[1] + 1))}`" if number <= MOST_WRITTEN else rolled
    if size := re.fullmatch(r"d?(\d{1,4})", text):
        return f"a die with the faces 1 to {size[1]} is `d{size[1]}`: write that in place of `{{faces: …}}`"
    if several := re.fullmatch(_SEVERAL, text):
        face, number = several["what"] or several["same"], int(several["before"] or several["after"])
        written = _faces_text([face] * min(number, MOST_WRITTEN))
        return f"write it as often as the die has it: `{written.strip('[]') if inside else written}`"
    return f"write `[{', '.join(re.split(r'[,;/|]? +|[,;/|]', text))}]`"


def _name_of_die(span: Span) -> str | None:
    """The name of the die whose faces stand at a place."""
    found = re.search(r"([^\W\d]\w*):\s*\{?\s*[\"']?faces[\"']?:[^:]*\Z", span.source.text[: span.start])
    return found[1] if found else None


def _faces_text(faces: Iterable[object]) -> str:
    return f"[{', '.join(map(str, faces))}]"

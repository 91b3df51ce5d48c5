"""The comments in `tests/rejected` that say which problems a file has, written anew from what is found.

A comment that still holds stays as it is. One that does not is given the code, the column and the sentence of the
problem that takes its place; a problem without a comment gets one at the end of the file.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path

import test_layers
import test_rejected

from interpreter import pipeline
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Source
from interpreter.testing.claims import problems_of_claims


@dataclass(frozen=True)
class Found:
    """A problem, or a note (`N`) of one: its place, and the sentences about it."""

    kind: str
    code: str
    file: str
    line: int
    column: int
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Comment:
    """`# E@7: HR301 18 did you mean`: the line that it stands on, where it begins and ends, and what it expects."""

    row: int
    start: int
    end: int
    kind: str
    code: str
    file: str
    line: int
    column: int | None
    words: str
    names_line: bool
    own_file: str

    def is_met_by(self, one: Found) -> bool:
        same = (self.kind, self.code, self.file, self.line) == (one.kind, one.code, one.file, one.line)
        return same and self.column in (None, one.column) and self.words in " ".join(one.sentences)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.file != self.own_file else str(self.line)
        at = f"@{place}" if self.names_line else ""
        column = "" if self.column is None else str(self.column)
        return " ".join(filter(None, (f"# {self.kind}{at}:", self.code, column, self.words)))


_COMMENT = re.compile(
    r"# (?P<kind>[EWN])(?:@(?:(?P<file>[\w-]+\.yaml):)?(?P<line>\d+))?: "
    r"(?P<code>HR\d{3}\b)? ?(?P<column>\d+\b)? ?(?P<words>.*?)(?=\s+# [EWN][:@]|\s*$)"
)


def comments(text: str, file: str) -> Iterator[Comment]:
    for row, line in enumerate(text.splitlines(), 1):
        for match in _COMMENT.finditer(line):
            yield Comment(
                row,
                *match.span(),
                match["kind"],
                match["code"] or "",
                match["file"] or file,
                int(match["line"] or row),
                int(match["column"]) if match["column"] else None,
                match["words"],
                match["line"] is not None,
                file,
            )


def recorded(text: str, file: str, found: list[Found]) -> str:
    """The text of a file with comments that expect just what is found."""
    left = list(found)
    unmet: list[Comment] = []
    for comment in comments(text, file):
        met = next((one for one in left if comment.is_met_by(one)), None)
        if met is None:
            unmet.append(comment)
        else:
            left.remove(met)
    anew: list[tuple[Comment, str]] = []
    for alike in _ALIKE:
        for comment in list(unmet):
            for one in left:
                if alike(comment, one):
                    anew.append((comment, str(_expecting(comment, one))))
                    unmet.remove(comment)
                    left.remove(one)
                    break
    lines = text.splitlines()
    for comment, new in sorted([*anew, *((one, "") for one in unmet)], key=lambda pair: -pair[0].start):
        line = lines[comment.row - 1]
        lines[comment.row - 1] = (line[: comment.start] + new + line[comment.end :]).rstrip()
    for one in left:
        place = str(one.line) if one.file == file else f"{one.file}:{one.line}"
        lines.append(" ".join(filter(None, (f"# {one.kind}@{place}:", one.code, str(one.column), one.sentences[0]))))
    return "\n".join(lines).rstrip("\n") + "\n"


_ALIKE: list[Callable[[Comment, Found], bool]] = [
    lambda comment, one: (comment.line, comment.code) == (one.line, one.code),
    lambda comment, one: comment.line == one.line and (comment.kind == "N") == (one.kind == "N"),
    lambda comment, one: comment.code == one.code,
]
"""When a problem takes the place of a comment that does not hold, the best match first."""


def _expecting(comment: Comment, one: Found) -> Comment:
    words = comment.words
    if words not in " ".join(one.sentences):
        words = max(one.sentences, key=lambda sentence: SequenceMatcher(None, comment.words, sentence).ratio())
    moved = (one.file, one.line) != (comment.file, comment.line)
    return replace(
        comment,
        kind=one.kind,
        code=one.code,
        file=one.file,
        line=one.line,
        column=None if comment.column is None else one.column,
        words=words,
        names_line=comment.names_line or moved,
    )


# What is found ---------------------------------------------------------------------------------------------------


def of_problem(one: Diagnostic) -> Found:
    sentences = (one.message, *filter(None, [one.help]), *(words for _, words in one.notes))
    return Found(one.severity[0].upper(), one.code, Path(one.path).name, one.line, one.column, sentences)


def in_file(path: Path) -> Iterator[Found]:
    """What checking a file of `tests/rejected` finds, and the commands in it."""
    text = path.read_text("utf-8")
    bad = test_rejected.read(path)
    if not any(words[0] == "test" for words, _ in bad.commands):
        loaded = pipeline.from_text(Source.of(path.name, text))
        yield from (of_problem(one) for one in [*loaded.problems, *problems_of_claims(loaded)])
    rows = [row for row, line in enumerate(text.splitlines(), 1) if re.match(r"# (roll|test)\b", line)]
    for row, (words, _) in zip(rows, bad.commands, strict=True):
        plays = words[0] == "roll"
        _, _, err = test_rejected.run(*words, *(["--no-input"] if plays else []))
        for line, column, code, message, help in _COMPLAINT.findall(err):
            sentences = (message, *filter(None, [help]))
            yield Found("E", code, path.name, row if plays else int(line), int(column or 0), sentences)


_COMPLAINT = re.compile(
    r"^(?:\S+?:(\d+):(\d+): )?(HR\d{3}) (.*)$(?:\n(?: *\d+ *\|| *\|).*$)*(?:\n *= help: (.*)$)?", re.MULTILINE
)


def in_layer(path: Path) -> Iterator[Found]:
    for one in test_layers.problems(path):
        found = of_problem(one)
        yield replace(found, sentences=tuple(filter(None, [one.message, one.help])))
        for span, words in one.notes:
            yield Found("N", "", Path(span.source.name).name, span.line, span.column, (words,))


def record(paths: list[Path]) -> None:
    """Write the comments of these files anew, or what `houserule check` prints where a file is the text beside one."""
    for path in paths:
        if path.suffix == ".txt":
            with contextlib.chdir(test_rejected.FOLDER):
                _, out, err = test_rejected.run("check", f"{path.stem}.yaml")
            path.write_text(out + err, "utf-8")
            continue
        before = path.read_text("utf-8")
        found = in_layer(path) if path in test_layers.FILES else in_file(path)
        after = recorded(before, path.name, list(found))
        if after != before:
            path.write_text(after, "utf-8")

"""Plant mistakes in copies of the bundled rulesets, and judge the first message about each."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from interpreter import Game, pipeline
from interpreter.diagnostics import Diagnostic
from interpreter.testing.cases import Trial, cases_of

from .by_hand import BY_HAND, Slip
from .from_elsewhere import FROM_ELSEWHERE, IN_THE_MARKET
from .kinds import KINDS, Kind

RULESETS = Path(__file__).parents[2] / "rulesets"
PER_KIND = 8
"""How many mistakes of a kind are planted, in as many rulesets as have a place for it."""

PROSE = re.compile(
    r"\b(?:about|ask|title|because|sources?|note): |^ *-? *(?:name|rule): |: [A-Z][a-z]+,? [a-z]+,? |: \||: >"
)


MARKET, HARBOUR = (Path(__file__).parent / f"{name}.yaml" for name in ("market", "harbour"))
"""The games of the mistakes that are planted by hand."""

SMALL: dict[Path, tuple[Slip, ...]] = {MARKET: (*BY_HAND, *IN_THE_MARKET), HARBOUR: FROM_ELSEWHERE}


@dataclass(frozen=True)
class Mistake:
    """A line of a file that is changed: where it may be told, and what a message about it should say."""

    name: str
    file: Path
    line: int
    before: str
    after: str
    lines: frozenset[int]
    """The lines on which the first message may stand."""
    cause: re.Pattern[str]
    mend: re.Pattern[str]


@dataclass(frozen=True)
class Verdict:
    """What was said of a mistake, and what of it is right."""

    mistake: Mistake
    said: tuple[Diagnostic, ...]

    @property
    def first(self) -> str:
        """The first message with its notes."""
        return " ".join((self.said[0].message, *(text for _, text in self.said[0].notes))) if self.said else ""

    @property
    def line(self) -> bool:
        return bool(self.said) and self.said[0].line in self.mistake.lines

    @property
    def cause(self) -> bool:
        return bool(self.said) and bool(self.mistake.cause.search(self.first))

    @property
    def mend(self) -> bool:
        whole = f"{self.first} {self.said[0].help or ''}" if self.said else ""
        return bool(self.said) and bool(self.mistake.mend.search(whole))

    @property
    def right(self) -> bool:
        return self.line and self.cause and self.mend


def all_mistakes(per_kind: int = PER_KIND) -> Iterator[Mistake]:
    """Mistakes of every kind, from as many rulesets as have a place for it."""
    folders = sorted(one for one in RULESETS.iterdir() if one.is_dir())
    for kind in KINDS:
        places = [list(_places(kind, folder)) for folder in folders]
        made = 0
        while made < per_kind and any(places):
            for some in places:
                if some and made < per_kind:
                    yield some.pop(len(some) // 2)
                    made += 1


def _places(kind: Kind, folder: Path) -> Iterator[Mistake]:
    """Every place in the files of a ruleset where a kind can be planted."""
    for file in sorted(folder.glob("*.yaml")):
        section, lines = "", file.read_text("utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            if found := re.match(r"(\w+):", line):
                section = found[1]
            prose = PROSE.search(line) and "name: " not in kind.find
            if not re.fullmatch(kind.inside, section) or prose or "#" in line:
                continue
            if section == "cases" and _expects_an_error(lines, number):
                continue
            match = re.search(kind.find, line)
            if match is None or not re.search(kind.where, line):
                continue
            new = kind.write.format(match[0], *match.groups())
            start, end = match.span("it") if "it" in match.re.groupindex else match.span()
            after = line[:start] + new + line[end:]
            if after != line:
                told = frozenset(range(number - kind.above, number + kind.below + 1))
                cause, mend = (_filled(one, match) for one in (kind.cause, kind.mend))
                yield Mistake(kind.name, file, number, line, after, told, cause, mend)


def _filled(pattern: str, match: re.Match[str]) -> re.Pattern[str]:
    """A pattern of a kind, with what its groups found filled in."""
    filled = re.sub(r"\{(\d)\}", lambda one: re.escape(match[int(one[1])] or ""), pattern)
    return re.compile(filled, re.IGNORECASE)


def by_hand() -> Iterator[tuple[Mistake, str]]:
    """The mistakes in the small games, each with the text of the whole file."""
    for file, slip in ((file, slip) for file, slips in SMALL.items() for slip in slips):
        text = file.read_text("utf-8")
        start = text.index(slip.old)
        changed = text[:start] + slip.new + text[start + len(slip.old) :]
        line, lines = text[:start].count("\n") + 1, changed.splitlines()
        told = {number for number, one in enumerate(lines, 1) if re.search(slip.at, one)} if slip.at else {line}
        patterns = (re.compile(one) for one in (slip.cause, slip.mend))
        yield Mistake(slip.name, file, line, slip.old, slip.new, frozenset(told), *patterns), changed


def _expects_an_error(lines: list[str], number: int) -> bool:
    """Whether the case around a line expects an error, so that another error hardly differs."""
    around = [
        *reversed(_until_the_next(lines[: number - 1][::-1])),
        lines[number - 1],
        *_until_the_next(lines[number:]),
    ]
    return any(re.search(r"\berror: ", one) for one in around)


def _until_the_next(lines: list[str]) -> list[str]:
    """The lines up to the beginning of a case."""
    return list(takewhile(lambda line: not line.startswith("  - "), lines))


def judged(mistakes: list[Mistake], folder: Path) -> Iterator[Verdict]:
    """What is said of the mistakes by hand and of those given; `folder` is for copies of the rulesets."""
    for mistake, text in by_hand():
        copy = folder / mistake.file.name
        copy.write_text(text, "utf-8")
        yield Verdict(mistake, tuple(_said(copy, copy, mistake.line)))
    for mistake in mistakes:
        own = folder / mistake.file.parent.name
        if not own.exists():
            shutil.copytree(mistake.file.parent, own)
        copy = own / mistake.file.name
        lines = mistake.file.read_text("utf-8").splitlines()
        lines[mistake.line - 1] = mistake.after
        copy.write_text("\n".join(lines) + "\n", "utf-8")
        try:
            yield Verdict(mistake, tuple(_said(own / f"{own.name}.yaml", copy, mistake.line)))
        finally:
            copy.write_text(mistake.file.read_text("utf-8"), "utf-8")


def _said(ruleset: Path, changed: Path, line: int) -> list[Diagnostic]:
    """What `check` says of a ruleset, errors first; if it says nothing, what the case with the changed line says."""
    loaded = pipeline.from_path(ruleset)
    found = [*loaded.problems.errors, *(one for one in loaded.problems if one.severity == "warning")]
    if found or loaded.program is None or loaded.world is None:
        return found
    trial = Trial(Game(loaded.program, loaded.world))
    own = [case for case in cases_of(loaded.world.cases) if Path(case.span.source.name).name == changed.name]
    last = max((case.span.line for case in own if case.span.line <= line), default=0)
    near = [case for case in own if case.span.line == last or changed.name in (one.name for one in SMALL)]
    return list({str(failure): failure for case in near for failure in trial.run(case).failures}.values())

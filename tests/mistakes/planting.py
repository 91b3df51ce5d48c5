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

from .kinds import KINDS, Kind

RULESETS = Path(__file__).parents[2] / "rulesets"
PER_KIND = 8
"""How many mistakes of a kind are planted, in as many rulesets as have a place for it."""

PROSE = re.compile(
    r"\b(?:about|ask|title|because|sources?|note): |^ *-? *(?:name|rule): |: [A-Z][a-z]+,? [a-z]+,? |: \||: >"
)


@dataclass(frozen=True)
class Mistake:
    """A file of a ruleset with one line changed."""

    kind: Kind
    file: Path
    line: int
    before: str
    after: str
    groups: tuple[str, ...]

    def pattern(self, text: str) -> re.Pattern[str]:
        """A pattern of the kind with what was found filled in."""
        filled = re.sub(r"\{(\d)\}", lambda one: re.escape(self.groups[int(one[1]) - 1]), text)
        return re.compile(filled, re.IGNORECASE)


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
        kind, at = self.mistake.kind, self.mistake.line
        return bool(self.said) and at - kind.above <= self.said[0].line <= at + kind.below

    @property
    def cause(self) -> bool:
        return bool(self.said) and bool(self.mistake.pattern(self.mistake.kind.cause).search(self.first))

    @property
    def mend(self) -> bool:
        whole = f"{self.first} {self.said[0].help or ''}" if self.said else ""
        return bool(self.said) and bool(self.mistake.pattern(self.mistake.kind.mend).search(whole))

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
                yield Mistake(kind, file, number, line, after, match.groups())


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
    """What is said of each mistake; `folder` is for copies of the rulesets."""
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
    near = [case for case in own if case.span.line <= line]
    return [failure for case in near[-1:] for failure in trial.run(case).failures]

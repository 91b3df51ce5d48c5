"""Mistakes that are mended without a decision of the author, because only one thing can be meant.

A diagnostic proposes with `edits` what to write. A fix is kept only if the checker agrees: with it the ruleset has
fewer errors than before, and none that it had not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from interpreter import pipeline
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.edits import Edit, apply_edits
from interpreter.diagnostics.source import Source
from interpreter.formatting.proof import Rewritten
from interpreter.frozen import dataclass

MOST_ROUNDS = 20
"""How often a ruleset is checked again because a fix has brought another one to light."""

_MOST_SLIPS = 5
"""The most slips of one line that are mended together: an expression shows its second when the first is mended."""


@dataclass(frozen=True)
class Fix:
    """`line:column code old → new` in the file that was checked, as it stood when the fix was found."""

    diagnostic: Diagnostic

    @property
    def edits(self) -> tuple[Edit, ...]:
        return self.diagnostic.edits

    def __str__(self) -> str:
        changes = ", ".join(f"`{place.text}` → `{text.strip()}`" for place, text in self.edits)
        return f"{self.edits[0][0]}: {self.diagnostic.code} {changes}"


@dataclass(frozen=True)
class Fixed:
    """The texts of files that change, by the names of their sources, and what was changed in them."""

    texts: dict[str, str]
    fixes: tuple[Fix, ...] = ()


def fix_mistakes(ruleset: Source, folder: Path | None, roots: tuple[Path, ...]) -> Fixed:
    """What mends a ruleset and its parts, which lie in `folder`. Nothing is written."""
    bench = _Bench(ruleset, folder, roots)
    now = _Tried({}, (), tuple(bench.errors({})))
    refused: set[tuple[str, str]] = set()
    for _ in range(MOST_ROUNDS):
        proposed = [one for one in now.errors if bench.may_fix(one) and (one.code, one.message) not in refused]
        if not proposed:
            break
        together = bench.try_fixes(now, proposed)
        if together is not None:
            now = together
            continue
        better = next((one for fix in proposed if (one := bench.try_fixes(now, [fix]))), None)
        if better is None:
            break
        refused |= {(one.code, one.message) for one in proposed[: _place_of(better, proposed)]}
        now = better
    return Fixed(now.texts, now.fixes)


@dataclass(frozen=True)
class _Tried:
    """Texts in place of those of files, the fixes in them, and the errors that are left."""

    texts: dict[str, str]
    fixes: tuple[Fix, ...]
    errors: tuple[Diagnostic, ...]


def _place_of(tried: _Tried, proposed: list[Diagnostic]) -> int:
    """The number of proposals that were tried in vain before the one that was kept."""
    kept = {id(one.diagnostic) for one in tried.fixes}
    return next(number for number, one in enumerate(proposed) if id(one) in kept)


@dataclass(frozen=True)
class _Bench:
    """A ruleset that is checked with other texts of its files."""

    ruleset: Source
    folder: Path | None
    roots: tuple[Path, ...]

    def errors(self, texts: Mapping[str, str]) -> list[Diagnostic]:
        text = texts.get(self.ruleset.name, self.ruleset.text)
        finder = Rewritten(self.roots, texts=texts)
        loaded = pipeline.from_text(Source(self.ruleset.name, text), finder, folder=self.folder)
        return loaded.problems.errors

    def may_fix(self, error: Diagnostic) -> bool:
        """Whether an error says how it is mended, in the file or beside it: what the ruleset extends is not changed."""
        name = error.span.source.name
        own = name == self.ruleset.name or (self.folder is not None and Path(name).resolve().parent == self.folder)
        return bool(error.edits) and own and all(place.text == place.in_file.text for place, _ in error.edits)

    def try_fixes(self, now: _Tried, picked: list[Diagnostic]) -> _Tried | None:
        """The state with some fixes, if the checker agrees to them."""
        lines = {(one.path, one.line) for one in picked}
        before = Counter((one.code, one.message) for one in now.errors)
        texts, fixes = now.texts, now.fixes
        for _ in range(_MOST_SLIPS):
            texts = {**texts, **_edited_texts(picked)}
            fixes += tuple(map(Fix, picked))
            errors = self.errors(texts)
            new = Counter((one.code, one.message) for one in errors) - before
            if len(errors) < len(now.errors) and not new:
                return _Tried(texts, fixes, tuple(errors))
            picked = [one for one in errors if self.may_fix(one) and (one.path, one.line) in lines]
            if not picked:
                return None
        return None


def _edited_texts(picked: Iterable[Diagnostic]) -> dict[str, str]:
    """The texts of the files that edits change."""
    edits: dict[Source, list[Edit]] = {}
    for one in picked:
        for place, text in one.edits:
            edits.setdefault(place.source.file, []).append((place.in_file, text))
    return {source.name: apply_edits(source, some) for source, some in edits.items()}

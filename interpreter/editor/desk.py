"""The texts that are open in an editor, and the latest analysis of each ruleset that they belong to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Source
from interpreter.editor.analysis import Analysis, root_of
from interpreter.pipeline import kind_of_text


@dataclass
class Desk:
    """What is open, and what is known about it.

    `sound` holds, for each ruleset, its last analysis without errors, which explains rules while the text is broken.
    `paths` are files by the names of their sources.
    """

    folders: tuple[Path, ...] = ()
    texts: dict[Path, str] = field(default_factory=dict)
    roots: dict[Path, Path] = field(default_factory=dict)
    latest: dict[Path, Analysis] = field(default_factory=dict)
    sound: dict[Path, Analysis] = field(default_factory=dict)
    told: dict[Path, tuple[Diagnostic, ...]] = field(default_factory=dict)
    paths: dict[str, Path] = field(default_factory=dict)

    def write(self, path: Path, text: str, known: bool = False) -> set[Path]:
        """Note the text of a file that is opened or changed; the rulesets that must be analysed again.

        A text that is none of this language, and never was, is left alone, unless it is `known` to be one.
        """
        self.texts[path] = text
        if not known and path not in self.roots and kind_of_text(text) is None:
            return self._rulesets_reading(path)
        self.roots[path] = root_of(path, self.texts)
        return {self.roots[path]} | self._rulesets_reading(path)

    def close(self, path: Path) -> set[Path]:
        """Forget the text of a file; the rulesets that must be analysed again, since what is saved counts now."""
        self.texts.pop(path, None)
        root = self.roots.pop(path, None)
        if root is not None and root not in self.roots.values():
            for known in (self.latest, self.sound, self.told):
                known.pop(root, None)
        return self._rulesets_reading(path)

    def _rulesets_reading(self, path: Path) -> set[Path]:
        """The rulesets that were read from a file, among others."""
        return {root for root, one in self.latest.items() if path in one.sources}

    def keep_analysis(self, analysis: Analysis, problems: Iterable[Diagnostic]) -> None:
        """Note an analysis and its problems, if its ruleset is still open."""
        root = analysis.root
        if root not in self.roots.values():
            return
        if analysis.loaded.world is not None or root not in self.latest:
            self.latest[root] = analysis
        if analysis.is_sound:
            self.sound[root] = analysis
        self.told[root] = tuple(problems)
        self.paths |= analysis.paths

    def analysis(self, path: Path) -> Analysis | None:
        """The latest analysis of the ruleset of a file that had a tree; None if there is none yet."""
        root = self.roots.get(path)
        return self.latest.get(root) if root is not None else None

    def last_sound(self, path: Path) -> Analysis | None:
        """The last analysis without errors of the ruleset of a file."""
        root = self.roots.get(path)
        return self.sound.get(root) if root is not None else None

    def source(self, path: Path) -> Source | None:
        """The text of a file as it is now, under the name that its problems have."""
        text = self.texts.get(path)
        if text is None:
            return None
        name = next((name for name, one in self.paths.items() if one == path), str(path))
        return Source.of(name, text)

    def diagnostics(self) -> dict[Path, list[Diagnostic]]:
        """The problems of each file, of all open rulesets together, each once; those without a place at its root."""
        by_path: dict[Path, dict[tuple[object, ...], Diagnostic]] = {}
        for root, problems in self.told.items():
            for one in problems:
                path = self.paths.get(one.path, root)
                by_path.setdefault(path, {})[one.code, one.span.start, one.message] = one
        return {path: list(problems.values()) for path, problems in by_path.items()}

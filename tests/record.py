"""Write files of expected output anew, and show what changed: `python -m tests.record [KIND or FILE …]`.

Tests compare these files with what the program says. After a change of wording, record them, and read the difference
before you commit it. The exit code is 1 where something changed.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import durations
import messages
import public_names
import saved_games
import test_architecture
import test_docs
import test_odds_page
from adoption import told

from interpreter import bundled
from interpreter.syntax import json_schemas
from interpreter.version import VERSION

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Golden:
    """A kind of expected output: the files, as patterns under the root, and what writes them anew."""

    files: tuple[str, ...]
    record: Callable[[list[Path]], None]

    def paths(self) -> list[Path]:
        return sorted({path for pattern in self.files for path in ROOT.glob(pattern)})


def pages(paths: list[Path]) -> None:
    """The output of commands and programs in the README and `docs/`."""
    for page in paths:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            test_docs.write_files(page, Path(folder))
            test_docs.write_anew(page, Path(folder))


def words(_: list[Path]) -> None:
    """The list of the words that rulesets use."""
    test_architecture.WORDS.write_text(test_architecture.words_page(), "utf-8")


def schemas(_: list[Path]) -> None:
    """The schemas that come from the grammar."""
    json_schemas.write_schemas(bundled.schemas())


GOLDENS = {
    "adoption": Golden(("tests/adoption/told.txt",), told.record),
    "durations": Golden(("tests/slow.txt",), durations.record),
    "messages": Golden(
        ("tests/rejected/*.yaml", "tests/rejected/*.txt", "tests/rejected/layers/*.yaml"), messages.record
    ),
    "names": Golden(("tests/public_names.txt",), public_names.record),
    "odds": Golden(("interpreter/odds/README.md",), test_odds_page.record),
    "pages": Golden(("README.md", "docs/**/*.md"), pages),
    "saved": Golden((f"tests/saved/{VERSION}/*",), saved_games.record),
    "schemas": Golden(tuple(f"schemas/{name}.json" for name in ("levels", "any", *json_schemas.FILES)), schemas),
    "words": Golden(("docs/words.md",), words),
}


BY_NAME = ("durations", "saved")
"""The kinds that are written only if they are named."""


def named(words: list[str]) -> dict[str, list[Path]]:
    """The files to write by kind, of kinds and files that somebody names; all but those of `BY_NAME`, if nothing is.

    Raises:
        ValueError: a word is neither a kind nor a recorded file.
    """
    chosen: dict[str, list[Path]] = {}
    for word in words or [kind for kind in GOLDENS if kind not in BY_NAME]:
        path = Path(word).resolve()
        kinds = [word] if word in GOLDENS else [kind for kind, golden in GOLDENS.items() if path in golden.paths()]
        if not kinds:
            raise ValueError(f"no such kind or recorded file: {word}")
        for kind in kinds:
            chosen.setdefault(kind, []).extend(GOLDENS[kind].paths() if word in GOLDENS else [path])
    return chosen


def texts(kinds: Iterable[str]) -> dict[Path, str]:
    """The text of every file of these kinds."""
    return {path: path.read_text("utf-8") for kind in kinds for path in GOLDENS[kind].paths()}


def main() -> int:
    parser = ArgumentParser(prog="python -m tests.record", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"a file, or {', '.join(GOLDENS)}; all but {' and '.join(BY_NAME)}",
    )
    try:
        chosen = named(parser.parse_args().names)
    except ValueError as wrong:
        parser.error(str(wrong))
    before = texts(chosen)
    for kind, paths in chosen.items():
        GOLDENS[kind].record(paths)
    after = texts(chosen)
    changed = sorted(str(path.relative_to(ROOT)) for path, text in after.items() if before.get(path) != text)
    if changed:
        print("changed:", *changed, sep="\n  ", flush=True)
        subprocess.run(["git", "diff", "--stat", "--", *changed], cwd=ROOT, check=False)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())

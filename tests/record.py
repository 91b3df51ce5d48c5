"""Write every file of expected output anew, and show what changed: `python -m tests.record [KIND …]`.

Tests compare these files with what the program says. After a change of wording, record them, and read the difference
before you commit it. The exit code is 1 where something changed.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import messages
import test_architecture
import test_docs
import test_odds_page

from interpreter import bundled
from interpreter.syntax import schema

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Golden:
    """A kind of expected output: the files, as patterns under the root, and what writes them anew."""

    files: tuple[str, ...]
    record: Callable[[], None]

    def paths(self) -> list[Path]:
        return sorted({path for pattern in self.files for path in ROOT.glob(pattern)})


def pages() -> None:
    """The output of commands and programs in the README and `docs/`."""
    for page in test_docs.PAGES:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            test_docs.write_files(page, Path(folder))
            test_docs.write_anew(page, Path(folder))


def words() -> None:
    """The list of the words that rulesets use."""
    test_architecture.WORDS.write_text(test_architecture.words_page(), "utf-8")


def schemas() -> None:
    """The schemas that come from the grammar."""
    schema.write(bundled.schemas())


GOLDENS = {
    "messages": Golden(
        ("tests/rejected/*.yaml", "tests/rejected/*.txt", "tests/rejected/layers/*.yaml"), messages.record
    ),
    "odds": Golden(("interpreter/odds/README.md",), test_odds_page.record),
    "pages": Golden(("README.md", "docs/*.md"), pages),
    "schemas": Golden(tuple(f"schemas/{name}.json" for name in ("levels", "any", *schema.FILES)), schemas),
    "words": Golden(("docs/words.md",), words),
}


def texts(kinds: list[str]) -> Iterator[tuple[Path, str]]:
    for kind in kinds:
        for path in GOLDENS[kind].paths():
            yield path, path.read_text("utf-8")


def main() -> int:
    parser = ArgumentParser(prog="python -m tests.record", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(GOLDENS)}; all of them without any")
    kinds = parser.parse_args().kinds or list(GOLDENS)
    if unknown := [kind for kind in kinds if kind not in GOLDENS]:
        parser.error(f"no such kind: {', '.join(unknown)}")
    before = dict(texts(kinds))
    for kind in kinds:
        GOLDENS[kind].record()
    changed = sorted({str(path.relative_to(ROOT)) for path, text in texts(kinds) if before.get(path) != text})
    if changed:
        print("changed:", *changed, sep="\n  ", flush=True)
        subprocess.run(["git", "diff", "--stat", "--", *changed], cwd=ROOT, check=False)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())

"""What is opened: regular files of limited size, in the folder that was named, whatever links and devices lie there."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from test_architecture import PACKAGE, places

import interpreter
from interpreter.diagnostics import HouseruleError, RulesetError
from interpreter.syntax import files

BOOK = "ruleset: book\nmechanics: {strike: {steps: {total: {roll: d6}}}}\n"
SECRET = "password: open-sesame\n"

OPENERS = ("open", "read_text", "read_bytes", "fdopen", "fromfile")
OWN_FILES = (
    "bundled.py", "diagnostics/codes.py", "host/workbench.py", "manual/pages.py", "rulebook/page.py",
    "syntax/schema.py",
)  # fmt: skip
"""Modules that read files of the package itself, whose names come from nobody else."""
ELSEWHERE = {
    "syntax/files.py": "it opens files for all others",
    "pytest_plugin.py": "it imports nothing until a file is a ruleset, and asks first whether it is a regular file",
    "cli/campaign_lock.py": "it opens a lock of its own, and reads nothing of it",
    "budget.py": "it reads the memory of its process from the system",
    "workers/pool.py": "it opens pipes to its own processes",
    "workers/process.py": "it reads the memory of its process from the system",
}


def _opens(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    match node.func:
        case ast.Name("open"):
            return True
        case ast.Attribute(ast.Name("files"), _):
            return False
        case ast.Attribute(_, name):
            return name in OPENERS
    return False


def test_files_are_opened_in_one_place() -> None:
    opened = places(_opens)
    allowed = tuple(f"interpreter/{name}:" for name in (*OWN_FILES, *ELSEWHERE))
    assert [place for place in opened if not place.startswith(allowed)] == []


@pytest.fixture
def sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as a stranger sends it: a ruleset, and beside it a pipe, and links to a device and to a file outside."""
    folder = tmp_path / "sent"
    folder.mkdir()
    (tmp_path / "secret.yaml").write_text(SECRET)
    (folder / "book.yaml").write_text(BOOK)
    os.mkfifo(folder / "pipe.yaml")
    (folder / "zero.yaml").symlink_to("/dev/zero")
    (folder / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (folder / "scenes").symlink_to(folder)
    monkeypatch.chdir(folder)
    return folder


COMMANDS = (
    ("list",), ("list", "book.yaml"), ("check", "."), ("check", "book.yaml"), ("check", "link.yaml"),
    ("check", "zero.yaml"), ("check", "pipe.yaml"), ("fmt", "--check", "."), ("fmt", "--check", "link.yaml"),
    ("explain", "link.yaml"), ("roll", "link.yaml", "strike"), ("roll", "book.yaml", "strike", "--with", "link.yaml"),
    ("docs", "link.yaml"), ("test", "."), ("coverage", "book.yaml"), ("adopt", "book.yaml", "."),
    ("act", "book.yaml", "link.yaml", "strike"), ("act", "book.yaml", "zero.yaml", "strike"),
    ("act", "book.yaml", "pipe.yaml", "strike"), ("possible", "book.yaml", "link.yaml"),
    ("replay", "book.yaml", "link.yaml"), ("show", "link.yaml", "hero"),
    ("play", "book.yaml", "link.yaml"), ("play", "pipe.yaml"),
    ("init", "game", "new", "--from", "book.yaml"), ("delta", ".", "."), ("report", "book.yaml"),
)  # fmt: skip
"""Commands in that folder, and on what lies there."""


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_neither_waits_nor_reads_on_for_ever_nor_shows_what_a_link_leads_to(
    sent: Path, words: tuple[str, ...]
) -> None:
    told = _run(words)
    assert "password" not in told and "sesame" not in told and "HR999" not in told and "Traceback" not in told


@pytest.mark.parametrize("typed", ["check ", "check li", "roll book.yaml --with ", "play book.yaml "])
def test_tab_offers_no_links_and_no_devices(sent: Path, typed: str) -> None:
    words = ["houserule", *typed.split(" ")]
    told = _run(
        (), {"_HOUSERULE_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    )
    assert not {"link.yaml", "zero.yaml", "pipe.yaml"} & {line.rpartition(",")[2] for line in told.split()}


def _run(words: tuple[str, ...], environment: Mapping[str, str] = {}) -> str:
    """What the command prints, in a process that may neither hold much nor take long."""
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30));"
    run = f"{limited} from interpreter.cli import main; sys.argv[0] = 'houserule'; main()"
    done = subprocess.run(
        [sys.executable, "-c", run, *words], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent), **environment},
    )  # fmt: skip
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    "read",
    [
        interpreter.load,
        interpreter.load_file,
        lambda path: interpreter.load(path.with_name("book.yaml"), layers=[path]),
    ],
    ids=["load", "load_file", "layers"],
)
def test_a_host_reads_neither_devices_nor_secrets_behind_links(sent: Path, read: Callable[[Path], object]) -> None:
    for name in ("link.yaml", "zero.yaml", "pipe.yaml"):
        with pytest.raises(HouseruleError) as caught:
            read(sent / name)
        assert "password" not in str(caught.value)


def test_a_ruleset_behind_a_link_is_read(sent: Path) -> None:
    (sent.parent / "other.yaml").write_text(BOOK)
    (sent / "other.yaml").symlink_to(sent.parent / "other.yaml")
    assert interpreter.load(sent / "other.yaml").program.name == "book"


def test_a_link_inside_the_folder_is_read_whatever_it_is(sent: Path) -> None:
    (sent / "near.yaml").write_text("no ruleset\n")
    (sent / "inner.yaml").symlink_to("near.yaml")
    assert "no ruleset" in _run(("check", "inner.yaml"))


@pytest.mark.parametrize("name", ["pipe.yaml", "zero.yaml", "scenes"])
def test_only_regular_files_are_read(sent: Path, name: str) -> None:
    with pytest.raises(RulesetError, match="it is no regular file"):
        files.read_bytes(sent / name, name, 10)
    assert files.beginning(sent / name, 10) == b""

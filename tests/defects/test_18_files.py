"""A file that the program writes holds the old or the new text, whole, whenever it is stopped; and nothing that a
ruleset, a layer or a scene file names is read outside of the folders that it may name files of."""

from __future__ import annotations

import ast
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

import interpreter
from interpreter.api import scene_file
from interpreter.cli import group
from interpreter.diagnostics import HouseruleError, RulesetError
from interpreter.syntax import files

OLD, NEW = "the old text\n", "the new text, which is longer than the old one\n"
STOPS: dict[str, tuple[object, str]] = {
    "open": (os, "open"), "fsync": (os, "fsync"), "replace": (os, "replace"), "chmod": (os, "chmod"),
}  # fmt: skip


def dies(*given: object, **named: object) -> None:
    os._exit(9)


@pytest.mark.parametrize("there", [True, False], ids=["over another", "new"])
@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_kill_leaves_the_old_or_the_new_file_whole(tmp_path: Path, stop: str, after: bool, there: bool) -> None:
    file = tmp_path / "game.json"
    if there:
        file.write_text(OLD)
    where, name = STOPS[stop]
    done = getattr(where, name)

    def dying(*given: object, **named: object) -> None:
        if after:
            done(*given, **named)
        os._exit(9)

    child = os.fork()
    if child == 0:
        setattr(where, name, dying)
        files.write_whole(str(file), NEW)
        os._exit(0)
    os.waitpid(child, 0)
    found = file.read_text() if file.exists() else None
    assert found in (OLD if there else None, NEW)


@pytest.mark.parametrize("stop", ["fsync", "replace"])
def test_what_goes_wrong_changes_nothing_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: str
) -> None:
    file = tmp_path / "game.json"
    file.write_text(OLD)

    def full(*given: object, **named: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, stop, full)
    with pytest.raises(RulesetError, match=r"HR001 .* cannot be written: no space left on device"):
        files.write_whole(str(file), NEW)
    assert file.read_text() == OLD and [one.name for one in tmp_path.iterdir()] == ["game.json"]


def test_permissions_stay_and_a_new_file_has_the_usual_ones(tmp_path: Path) -> None:
    file, fresh = tmp_path / "old.json", tmp_path / "fresh.json"
    file.write_text(OLD)
    file.chmod(0o640)
    before = os.umask(0o027)
    try:
        files.write_whole(str(file), NEW)
        files.write_whole(str(fresh), NEW)
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.stat().st_mode) == 0o640 and file.read_text() == NEW
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o640 and fresh.read_text() == NEW
    assert sorted(one.name for one in tmp_path.iterdir()) == ["fresh.json", "old.json"]


def test_a_link_stays_and_what_it_points_at_is_written(tmp_path: Path) -> None:
    (tmp_path / "saves").mkdir()
    file, link = tmp_path / "saves" / "game.json", tmp_path / "last.json"
    file.write_text(OLD)
    link.symlink_to(file)
    files.write_whole(str(link), NEW)
    assert link.is_symlink() and file.read_text() == NEW


@pytest.mark.parametrize("name", ["", ".", "no/such/folder/game.json", "a\0b", "n" * 3000, "loop", "n" * 300 + ".json"])
def test_a_name_that_cannot_be_written_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(RulesetError, match=r"HR001 .* cannot be written: "):
        files.write_whole(name, NEW)
    assert [one.name for one in tmp_path.iterdir()] == ["loop"]


def test_half_of_a_character_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(OLD)
    with pytest.raises(RulesetError, match="HR001"):
        files.write_whole(str(file), "\ud800")
    assert file.read_text() == OLD


def is_mode_that_writes(text: str) -> bool:
    return set(text) <= set("rwaxbt+") and bool(set(text) & set("wax+"))


def calls(tree: ast.AST) -> Iterator[str]:
    """What a module calls that writes files: names of methods, and modes of `open`.

    `fdopen` writes to what is open already, as a pipe between two processes.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in ("write_text", "write_bytes", "replace", "rename", "open_file"):
                yield name if name != "replace" or not node.args else ""
            if name == "open" and any(
                isinstance(one, ast.Constant) and isinstance(one.value, str) and is_mode_that_writes(one.value)
                for one in (*node.args, *(key.value for key in node.keywords))
            ):
                yield name


def test_everything_is_written_by_one_function() -> None:
    package = Path(interpreter.__file__).parent
    wrong = {
        str(file.relative_to(package)): found
        for file in package.rglob("*.py")
        if file.name != "files.py" and (found := [one for one in calls(ast.parse(file.read_text("utf-8"))) if one])
    }
    assert wrong == {}


# What is read -------------------------------------------------------------------------------------------------------

SECRET = "part_of: book\nnames: {secret: [open_sesame, shut]}\n"
BOOK = "ruleset: book\nmechanics: {m: {steps: {x: {roll: d6}}}}\n"


def laid_out(folder: Path) -> tuple[Path, Path]:
    """A folder that a stranger has sent, and one beside it that is no business of theirs."""
    sent, own = folder / "sent", folder / "own"
    sent.mkdir(), own.mkdir()
    (own / "secret.yaml").write_text(SECRET)
    (own / "base.yaml").write_text(BOOK)
    (own / "rows.tsv").write_text("id\tstatus\tname\nS-1\tstated\topen sesame\n")
    for name in ("secret.yaml", "base.yaml", "rows.tsv"):
        (sent / name).symlink_to(own / name)
    (sent / "inner").symlink_to(own)
    (sent / "round.yaml").symlink_to("round.yaml")
    return sent, own


NAMES = [
    "secret.yaml", "base.yaml", "base", "inner/base.yaml", "../own/base.yaml", "round.yaml", "a\0b.yaml", "inner.yaml",
    "n" * 3000 + ".yaml", "n" * 3000, "\ud800.yaml", "/etc/passwd", "/dev/zero.yaml", ".", "..",
]  # fmt: skip


def as_part(sent: Path, name: str) -> object:
    (sent / "book.yaml").write_text(f"{BOOK}parts: [{json.dumps(name)}]\n")
    return interpreter.load(sent / "book.yaml")


def as_base(sent: Path, name: str) -> object:
    (sent / "bent.yaml").write_text(f"ruleset: bent\nextends: {json.dumps(name)}\n")
    return interpreter.load(sent / "bent.yaml")


def as_rules_of_a_scene(sent: Path, name: str) -> object:
    (sent / "scene.yaml").write_text(f"state: here\nof: {json.dumps(name)}\n")
    return scene_file.game_of(scene_file.read(sent / "scene.yaml"))


def as_layer_of_a_scene(sent: Path, name: str) -> object:
    (sent / "mine.yaml").write_text(BOOK)
    (sent / "scene.yaml").write_text(f"state: here\nof: mine.yaml\nwith: {json.dumps(name)}\n")
    return scene_file.game_of(scene_file.read(sent / "scene.yaml"))


@pytest.mark.parametrize("name", NAMES, ids=[ascii(name)[:20] for name in NAMES])
@pytest.mark.parametrize("how", [as_part, as_base, as_rules_of_a_scene, as_layer_of_a_scene])
def test_nothing_outside_of_the_folder_can_be_named(
    tmp_path: Path, name: str, how: Callable[[Path, str], object]
) -> None:
    sent, _ = laid_out(tmp_path)
    with pytest.raises(HouseruleError) as caught:
        how(sent, name)
    assert "sesame" not in str(caught.value)


def test_a_link_within_the_folder_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "words.yaml").write_text(SECRET)
    (tmp_path / "words.yaml").symlink_to("inner/words.yaml")
    (tmp_path / "book.yaml").write_text(f"{BOOK}parts: [words.yaml]\n")
    assert interpreter.load(tmp_path / "book.yaml").program.words == {"secret": ("open_sesame", "shut")}


def test_a_folder_is_read_without_what_links_lead_to_outside(tmp_path: Path) -> None:
    sent, own = laid_out(tmp_path)
    (sent / "sent.yaml").symlink_to(own / "base.yaml")
    with pytest.raises(RulesetError, match="HR643"):
        interpreter.load(sent)
    (sent / "fifo.yaml").unlink(missing_ok=True)
    os.mkfifo(sent / "fifo.yaml")
    (sent / "folder.yaml").mkdir()
    (sent / "sent.yaml").unlink()
    (sent / "sent.yaml").write_text(BOOK)
    said = CliRunner().invoke(group, ["check", str(sent / "..")])
    assert ("sesame" not in said.output and said.exception is None) or isinstance(said.exception, SystemExit)


def test_rows_of_a_book_are_read_within_the_folder(tmp_path: Path) -> None:
    sent, _ = laid_out(tmp_path)
    (sent / "book.yaml").write_text(BOOK)
    said = CliRunner().invoke(group, ["coverage", str(sent / "book.yaml")])
    assert "sesame" not in said.output and not isinstance(said.exception, OSError | ValueError)
    (sent / "rows.tsv").unlink()
    (sent / "rows.tsv").write_text("id\tstatus\tname\nonly-one\n")
    said = CliRunner().invoke(group, ["coverage", str(sent / "book.yaml")])
    assert isinstance(said.exception, HouseruleError) and "HR001" in str(said.exception)


@pytest.mark.parametrize("name", ["a\0b", "n" * 3000, "\ud800", "", ".", "/dev/null/x", "loop"])
def test_a_name_that_a_host_hands_over_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    for ask in (
        lambda: interpreter.load(name),
        lambda: interpreter.load("fate", layers=[name]),
        lambda: files.read_saved(name),
        lambda: scene_file.read(Path(name)),
    ):
        with pytest.raises(HouseruleError):
            ask()
    assert interpreter.check(name)

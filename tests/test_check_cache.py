"""What one command found out about files serves the next, as long as they are the same; and nothing needs it."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter import pipeline
from interpreter.cli import check_cache, group

BOOK = "ruleset: book\nparts: [more.yaml]\nmechanics: {m: {steps: {x: {roll: d6}, y: options.low + x}}}\n"
MORE = "part_of: book\noptions: {low: {type: number, default: 1}}\n"
HOUSE = "ruleset: house\nextends: book\nchanges: {options.low.default: {set: 2}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOUSERULE_CACHE", "on")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "own").mkdir()
    monkeypatch.chdir(tmp_path / "own")
    for name, text in (("book.yaml", BOOK), ("more.yaml", MORE), ("house.yaml", HOUSE)):
        Path(name).write_text(text)
    return tmp_path


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rulesets that are loaded, and not found in the cache."""
    loaded: list[str] = []
    whole = pipeline.from_path

    def noted(path: Path, *given: object, **named: object) -> pipeline.Loaded:
        loaded.append(path.name)
        return whole(path, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(pipeline, "from_path", noted)
    return loaded


def run(*words: str) -> str:
    return CliRunner().invoke(group, words).output


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "cache/houserule/checks").iterdir())


COMMANDS = [
    ("roll", "book.yaml", "m", "--seed", "1"),
    ("roll", "book.yaml", "m", "--seed", "1", "--with", "house.yaml"),
    ("odds", "house.yaml", "m", "--of", "y"),
    ("check", "book.yaml", "house.yaml"),
    ("check", "book.yaml", "--with", "house.yaml"),
    ("possible", "fiend-wake", "duel", "lockjaw"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_second_command_says_the_same_and_checks_nothing(
    folder: Path, checks: list[str], words: tuple[str, ...]
) -> None:
    first = run(*words)
    assert checks
    checks.clear()
    assert run(*words) == first
    assert not checks


@pytest.mark.parametrize("name", ["book.yaml", "more.yaml"])
def test_a_changed_text_is_checked_again(folder: Path, checks: list[str], name: str) -> None:
    run("check", "book.yaml")
    Path(name).write_text(Path(name).read_text() + "oops: 1\n")
    assert "HR" in run("check", "book.yaml")
    assert len(checks) == 2


def test_errors_are_not_kept(folder: Path, checks: list[str]) -> None:
    Path("more.yaml").unlink()
    assert "more.yaml" in run("check", "book.yaml")
    Path("more.yaml").write_text(MORE)
    assert "no errors" in run("check", "book.yaml")


def test_another_version_of_the_code_or_of_the_budget_checks_again(
    folder: Path, checks: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run("check", "book.yaml")
    run("check", "book.yaml", "--budget", "strict")
    monkeypatch.setattr(check_cache, "_version", lambda: ("3.99", ""))
    run("check", "book.yaml")
    assert len(checks) == 3


def test_files_that_another_file_could_hide_are_not_kept(folder: Path, checks: list[str]) -> None:
    """What `extends` names is searched for beside the layer first, and then in the working folder."""
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "far.yaml").write_text("ruleset: far\nextends: book\n")
    run("roll", str(elsewhere / "far.yaml"), "m")
    (elsewhere / "book.yaml").write_text("ruleset: book\nmechanics: {m: {steps: {x: {roll: d8}}}}\n")
    assert "x: d8" in run("roll", str(elsewhere / "far.yaml"), "m")


def test_a_file_that_a_bundled_ruleset_hides_is_told_of_as_soon_as_it_is_there(folder: Path) -> None:
    Path("house.yaml").write_text("ruleset: house\nextends: pbta\noptions: {low: {type: number, default: 2}}\n")
    before = run("check", "house.yaml")
    Path("pbta.yaml").write_text("ruleset: pbta\nmechanics: {m: {steps: {x: {roll: d6}}}}\n")
    assert run("check", "house.yaml") != before and "pbta.yaml" in run("check", "house.yaml")


class Call:
    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, ("touch called",)


def forged(value: object) -> bytes:
    data = pickle.dumps({}) + pickle.dumps(value)
    return check_cache._hash(data).encode() + data


DOTTED = b"\x80\x04\x8c\x1binterpreter.cli.check_cache\x8c\tos.system\x93\x8c\x0ctouch called\x85R."


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"x" * 100,
        forged(Call()),
        check_cache._hash(pickle.dumps({}) + DOTTED).encode() + pickle.dumps({}) + DOTTED,
    ],
    ids=["empty", "noise", "a call", "a call by the name of an own module"],
)
def test_strange_data_is_made_anew_and_calls_nothing(folder: Path, checks: list[str], data: bytes) -> None:
    first = run("roll", "book.yaml", "m", "--seed", "1")
    (place,) = kept(folder)
    place.write_bytes(data)
    assert run("roll", "book.yaml", "m", "--seed", "1") == first
    assert len(checks) == 2 and not Path("called").exists()


def test_half_of_a_value_is_made_anew(folder: Path, checks: list[str]) -> None:
    run("check", "book.yaml")
    (place,) = kept(folder)
    place.write_bytes(place.read_bytes()[:-10])
    assert "no errors" in run("check", "book.yaml") and len(checks) == 2


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="a system without users of files")
def test_what_others_may_write_is_not_read(folder: Path, checks: list[str]) -> None:
    run("check", "book.yaml")
    kept(folder)[0].parent.chmod(0o777)
    run("check", "book.yaml")
    kept(folder)[0].parent.chmod(0o700)
    kept(folder)[0].chmod(0o666)
    run("check", "book.yaml")
    assert len(checks) == 3


def test_a_folder_that_cannot_be_written_is_no_problem(folder: Path, checks: list[str]) -> None:
    (folder / "cache").write_text("a file in its place")
    assert run("check", "book.yaml") == run("check", "book.yaml") == "1 ruleset, no errors\n"
    assert len(checks) == 2


def test_only_so_many_values_are_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_cache, "MOST_FILES", 2)
    for name in ("book.yaml", "house.yaml", "dnd5e", "pbta"):
        run("check", name)
    assert len(kept(folder)) == 2


def test_it_can_be_turned_off(folder: Path, checks: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSERULE_CACHE", "off")
    run("check", "book.yaml")
    run("check", "book.yaml")
    assert len(checks) == 2 and not (folder / "cache").exists()

"""Bad input: every slip of an author or a player is told at its place, once, in words, and nothing breaks.

A file of `tests/rejected` is a small ruleset with a slip in it, and says itself what must be found: a comment at the
end of the line that errs, with the code, the column and some words of the message or its help. A file has exactly
these problems and no other.

    total: sum(throw) + 1                   # E: HR301 18 did you mean `thrown`?

`# W:` is a warning; `# E@7:` names the line where no comment can stand at its end. `# roll: …` and `# test` are
commands that the file is tried with besides; what must be found stands at the end of a `roll`, with the column in
the word that was typed. A `.txt` beside a file is the whole of what `houserule check` prints.
"""

from __future__ import annotations

import io
import json
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest

from interpreter import pipeline
from interpreter.cli import main
from interpreter.diagnostics import Diagnostic, shape, usual_names
from interpreter.diagnostics.source import Source
from interpreter.testing.claims import problems_of_claims

FOLDER = Path(__file__).parent / "rejected"
SCHEMA = "".join(one.read_text("utf-8") for one in (Path(__file__).parents[1] / "schemas").glob("*.json"))
FILES = sorted(FOLDER.glob("*.yaml"))
GOLDEN = sorted(FOLDER.glob("*.txt"))

AT_HOME = {
    *("claim-off", "claim-slip", "ladder-twice", "table-gap", "table-overlap", "no-row", "when-of-one-run"),
    *("unreachable-outcome", "not-a-ruleset", "ruleset-name", "starts-outside", "ended-twice", "left-undone"),
    *("row-misspelt", "stray-row", "never-caused", "nobody-there", "without-effect", "word-untested"),
    *(
        "counter-key",
        "word-in-a-row",
        "list-to-compute",
        "reaction-of-what",
        "case-of-things",
        "thing-without-kind",
        "thing-slip",
        "policy-of-reaction",
        "policy-by-call",
        "joint-chances",
        "required-of-things",
    ),
}
"""Kinds of slips that belong to one place by their nature; all others are tried in several."""


@dataclass(frozen=True)
class Expected:
    """`# E: HR301 18 did you mean`: what must be found on a line."""

    line: int
    severity: str
    code: str
    column: int | None
    words: str

    def is_met_by(self, one: Diagnostic) -> bool:
        said = f"{one.message} {one.help or ''} {' '.join(note for _, note in one.notes)}"
        return (
            (one.code, one.severity, one.line) == (self.code, self.severity, self.line)
            and self.column in (None, one.column)
            and self.words in said
        )


_EXPECTED = re.compile(r"# (?P<kind>[EW])(?:@(?P<line>\d+))?: (?P<code>HR\d{3})(?: (?P<column>\d+))?(?P<words>.*)")
_COMMAND = re.compile(r"^# (?P<name>roll|test)\b:?(?P<rest>.*)$")


def expectations(line: str, number: int) -> Iterator[Expected]:
    """What the comments of a line say must be found."""
    for comment in re.split(r"\s(?=# [EW][:@])|^(?=# [EW][:@])", line):
        if match := _EXPECTED.match(comment):
            severity = "error" if match["kind"] == "E" else "warning"
            column = int(match["column"]) if match["column"] else None
            yield Expected(int(match["line"] or number), severity, match["code"], column, match["words"].strip())


@dataclass(frozen=True)
class Bad:
    """A file with slips: what checking it must find, and what the commands in it must."""

    path: Path
    found: tuple[Expected, ...]
    commands: tuple[tuple[tuple[str, ...], tuple[Expected, ...]], ...]

    @property
    def kind(self) -> str:
        return self.path.stem.rsplit("-", 1)[0]


def read(path: Path) -> Bad:
    found: list[Expected] = []
    commands = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        command = _COMMAND.match(line)
        wanted = list(expectations(line, number))
        if command is None:
            found += wanted
        else:
            words = shlex.split(command["rest"].split("# E:")[0])
            wanted = [Expected(1, one.severity, one.code, one.column, one.words) for one in wanted]
            commands.append(((command["name"], str(path), *words), tuple(wanted)))
    if commands and commands[-1][0][0] == "test":
        # What stands at the cases is found when they are run, not when the file is checked.
        return Bad(path, (), ((commands[-1][0], tuple(found)),))
    return Bad(path, tuple(found), tuple(commands))


ALL = [read(path) for path in FILES]


def run(*words: str) -> tuple[int, str, str]:
    """The command `houserule`: exit code, output, complaints. Whatever it does not catch comes through."""
    out, err = io.StringIO(), io.StringIO()
    with patch("sys.argv", ["houserule", *words]), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
    return code, out.getvalue(), err.getvalue()


def complaint(expected: tuple[Expected, ...], found: list[Diagnostic]) -> str:
    """Nothing where exactly what is expected was found, else both, to be read side by side."""
    left = list(found)
    missing = []
    for one in expected:
        met = next((other for other in left if one.is_met_by(other)), None)
        if met is None:
            missing.append(one)
        else:
            left.remove(met)
    if not left and not missing:
        return ""
    return "\n".join([*(f"expected {one}" for one in missing), *(f"found    {one}" for one in left)])


@pytest.mark.parametrize("bad", ALL, ids=lambda bad: bad.path.stem)
def test_each_slip_is_told_once_and_at_its_place(bad: Bad) -> None:
    loaded = pipeline.from_text(Source.of(bad.path.name, bad.path.read_text("utf-8")))
    assert not complaint(bad.found, [*loaded.problems, *problems_of_claims(loaded)])


@pytest.mark.parametrize("bad", ALL, ids=lambda bad: bad.path.stem)
def test_the_command_says_so_and_writes_nothing(bad: Bad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    errors = [one for one in bad.found if one.severity == "error"]
    code, out, err = run("check", "--format", "json", str(bad.path))
    assert (code, err) == (1 if errors else 0, "")
    assert len(json.loads(out)) == len(bad.found)
    for words, expected in bad.commands:
        code, out, err = run(*words, *(["--no-input"] if words[0] == "roll" else []))
        assert code == (1 if words[0] == "test" else 2), err
        assert out == "" or words[0] == "test"
        said = re.sub(r"^ *\d+ \|.*$", "", err, flags=re.MULTILINE)  # the lines of the file have the comments in them
        for one in expected:
            assert f"{one.code} " in said and one.words in said
            assert one.column is None or f":{one.column}: {one.code} " in err, err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda path: path.stem)
def test_the_whole_message_reads_well(golden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    code, out, err = run("check", f"{golden.stem}.yaml")
    assert code == 1
    assert out + err == golden.read_text("utf-8")


def place_of(bad: Bad, line: int) -> str:
    """The section that a line stands in, and the key of the language's own nearest above it (`mechanics outcomes`)."""
    text = bad.path.read_text("utf-8").splitlines()[:line]
    indent, above = len(text[-1]) + 1, []
    for one in reversed(text):
        depth = len(one) - len(one.lstrip())
        if (match := re.match(r" *(?:- )?(\w+):", one)) and depth < indent:
            indent = depth
            above.append(match[1])
    parts = [key for key in above[1:] if key in PARTS][:1]
    return " ".join([*above[-1:], *parts])


PARTS = {"inputs", "requires", "steps", "each", "then", "outcomes", "also", "has", "takes", "rows", "first_of"}


@pytest.mark.parametrize("kind", sorted({bad.kind for bad in ALL}))
def test_each_kind_of_slip_is_tried_in_several_places(kind: str) -> None:
    files = [bad for bad in ALL if bad.kind == kind]
    assert len(files) >= 3
    places = {place_of(bad, one.line) for bad in files for one in bad.found}
    plays = any(bad.commands for bad in files)
    assert kind in AT_HOME or plays or len(places) >= 3, places


def test_most_expectations_name_the_column() -> None:
    named = defaultdict(int)
    for bad in ALL:
        for one in bad.found:
            named[one.column is not None] += 1
    assert named[True] > 20 * named[False]


@pytest.mark.parametrize("name", sorted(shape._OTHER_WORDS))
def test_the_word_proposed_for_a_reserved_name_is_free(name: str) -> None:
    text = "ruleset: duel\nmechanics:\n  swing:\n    steps:\n      {}: {{roll: d6}}\n"
    found = list(pipeline.from_text(Source.of("duel.yaml", text.format(name))).problems)
    if not found:  # it may be a name of a step, and is none of a table
        return
    other = re.search(r"call it `(\w+)`", found[0].help or "")
    assert found[0].code == "HR107" and other is not None
    assert not list(pipeline.from_text(Source.of("duel.yaml", text.format(other[1]))).problems)


@pytest.mark.parametrize("word", sorted(usual_names._MEANT))
def test_what_a_usual_name_stands_for_is_a_key_of_the_language(word: str) -> None:
    for key in usual_names._MEANT[word]:
        assert key != word and re.search(rf'"{key}":', SCHEMA)

"""Texts of strangers are shown as what they are: whatever they hold, in every format of every command.

`POISON` has what means something to a terminal, to the logs of GitHub, to XML, HTML, Markdown and JSON. It stands in
every text of a ruleset, of a state and of what players type. What nobody sees is refused before it gets anywhere.
"""

from __future__ import annotations

import csv
import html.parser
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from test_architecture import PACKAGE, places

import interpreter
from interpreter.cli import group
from interpreter.diagnostics import HouseruleError
from interpreter.shown_text import UNSEEN, in_json, in_markdown, in_one_line, on_terminal, visible

POISON = (
    "evil\n::error::forged ##[error]forged </script><script>forged()</script> ]]> -- | ` `` * "
    "[forged](https://forged.example) ![forged](x) @forged #12 www.forged.example \\"
)
"""Several lines, as a text may have; a name of a case or a player is the same in one line."""
LINE = in_one_line(POISON)
UNSEEN_SIGNS = [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0x200B, 0x2028, 0x2029, 0x2060, 0xFEFF]
UNSEEN_SIGNS += [*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFFFE, 0xFFFF]

RULES = """
ruleset: book
title: POISON
about: POISON
notes: {B-2: POISON}
options: {luck: {type: number, default: 1, title: POISON, about: POISON}}
names: {mood: {calm: POISON, wild: {about: POISON, title: POISON}}}
roles: {judge: {is: POISON, title: POISON}}
kinds:
  hero:
    title: POISON
    about: POISON
    has:
      luck: {type: number, default: 1, title: POISON, about: POISON}
      note: {type: text, default: POISON, title: POISON, about: POISON}
    summary: [luck, note]
things: {hero: {ann: {title: POISON, note: POISON}}}
tables: {worth: {type: number, about: POISON, rows: {calm: 1, wild: 2}}}
functions: {twice: {takes: {n: number}, gives: n * 2, about: POISON}}
mechanics:
  strike:
    title: POISON
    about: POISON
    cites: {B-1: stated}
    inputs:
      mood: {type: mood, default: calm, title: POISON, about: POISON}
      said: {type: text, default: POISON, title: POISON, about: POISON}
    requires: {worthy: {is: worth(mood) > 0, about: POISON}}
    steps:
      rolled: {roll: 2d6, title: POISON, about: POISON}
      more: {choose: yes_no, ask: POISON, default: no, title: POISON, about: POISON}
      words: {choose: text, ask: POISON, default: POISON, title: POISON}
      tall: {is: highest(rolled) + worth(mood) + options.luck, about: POISON, title: POISON}
    outcomes:
      hit: {if: tall > 4, about: POISON, title: POISON}
      miss: otherwise
actions:
  rest:
    actor: hero
    title: POISON
    about: POISON
    shows: POISON
    inputs: {why: {type: text, default: POISON, title: POISON}}
    steps: {rested: {gain: 1, to: actor.luck, about: POISON, title: POISON}}
cases:
  - {name: POISON, about: POISON, mechanic: strike, faces: [6, 6], expect: {outcome: hit}}
  - {name: POISON, mechanic: strike, faces: [1, 1], expect: {outcome: hit}}
"""
LAYER = """
ruleset: softer
extends: book.yaml
title: POISON
about: POISON
changes:
  mechanics.strike.steps.rolled.roll: {set: 3d6, because: POISON}
  mechanics.strike.outcomes.hit.about: {set: POISON, because: POISON}
"""
WRONG = """
ruleset: wrong
title: POISON
extends: [POISON]
"""


def written(text: str) -> str:
    """A ruleset with the poison in the place of each of its texts."""
    number = count(1)  # people answer with titles, so each of a list has another
    text = re.sub("(?<=name: )POISON", lambda _: json.dumps(f"{LINE} {next(number)}"), text)
    return re.sub("POISON", lambda _: json.dumps(f"{POISON} {next(number)}"), text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("sent")
    for name, text in (("book", RULES), ("softer", LAYER), ("wrong", WRONG)):
        (there / f"{name}.yaml").write_text(written(text).lstrip())
    (there / "before").mkdir()
    (there / "before" / "book.yaml").write_text(written(RULES).lstrip().replace("> 4", "> 5"))
    (there / "after").mkdir()
    (there / "after" / "book.yaml").write_text(written(RULES).lstrip())
    state = "state: now\nof: book.yaml\nthings: {hero: {bo: {title: POISON, note: POISON}}}\n"
    (there / "state.yaml").write_text(written(state))
    return there


CHARTS = ("text", "json", "csv", "svg", "markdown")
PROBLEMS = ("text", "concise", "json", "github", "sarif", "junit")
COMMANDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("check book.yaml", PROBLEMS), ("check wrong.yaml", PROBLEMS), ("test book.yaml", PROBLEMS),
    ("coverage book.yaml", ("text", "json")), ("list", ("text", "json")), ("list book.yaml", ("text", "json")),
    ("explain book.yaml strike", ("",)), ("explain book.yaml rest", ("",)), ("show book.yaml", ("",)),
    ("show book.yaml --with softer.yaml --written", ("",)), ("docs book.yaml", ("html", "markdown")),
    ("docs book.yaml --with softer.yaml", ("html", "markdown")),
    ("roll book.yaml strike --seed 1 --verbose", ("text", "json")),
    ("roll book.yaml strike said=POISON --seed 1 --verbose", ("text", "json")),
    ("roll book.yaml strike --seed 1 --why outcome", ("text",)),
    ("act book.yaml state.yaml rest actor=bo --seed 1 --verbose", ("text", "json")),
    ("possible book.yaml state.yaml", ("text", "json")),
    ("odds book.yaml strike", CHARTS), ("odds book.yaml strike --of words", CHARTS),
    ("simulate book.yaml strike --runs 50 --seed 1", CHARTS), ("compare book.yaml softer.yaml strike", CHARTS),
    ("sweep book.yaml strike --over mood=calm,wild", CHARTS), ("delta before after", CHARTS),
)  # fmt: skip
"""What is asked of that folder, in these formats."""
SILENT = ("check book.yaml", "coverage", "roll book.yaml strike --seed 1 --why", "odds book.yaml strike", "simulate",
          "compare", "sweep", "delta")  # fmt: skip
"""Commands that tell no text of a sound ruleset, or not in every format."""


def said(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, form: str = "") -> str:
    """What a command writes on both streams."""
    monkeypatch.chdir(folder)
    words = [word.replace("POISON", POISON) for word in command.split()] + (["--format", form] if form else [])
    done = CliRunner().invoke(group, words, catch_exceptions=True)
    error = done.exception
    if isinstance(error, HouseruleError):
        return done.output + str(error)
    assert error is None or isinstance(error, SystemExit), (words, error)
    assert done.exit_code in (0, 1), done.output
    return done.output


@pytest.mark.parametrize(
    ("command", "form"),
    [(command, form) for command, forms in COMMANDS for form in forms],
    ids=lambda one: one or "plain",
)
def test_a_text_forges_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch, command: str, form: str) -> None:
    output = said(folder, monkeypatch, command, form)
    assert "evil" in output or command.startswith(SILENT)
    assert not UNSEEN.search(output)
    assert [line for line in output.splitlines() if line.lstrip().startswith("::")] == [] or form == "github"
    assert "##[" not in output or form == "github"  # where it stands in a command already
    FORMS.get(form, lambda text: None)(output)


def _is_xml(text: str) -> None:
    root = ElementTree.fromstring(text[text.index("<") :])
    assert not {"script"} & {one.tag.rpartition("}")[2] for one in root.iter()}


def _is_html(text: str) -> None:
    class Reader(html.parser.HTMLParser):
        scripts, inside = 0, False

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.scripts, self.inside = self.scripts + (tag == "script"), tag == "script"
            assert not any("forged" in (value or "") for name, value in attrs if name in ("href", "src"))

        def handle_data(self, data: str) -> None:
            assert not (self.inside and "forged()" in data and "evil" not in data)

        def handle_endtag(self, tag: str) -> None:
            self.inside = False

    reader = Reader()
    reader.feed(text)
    assert "<script>forged" not in text and "</script><script>" not in text


def _is_markdown(text: str) -> None:
    outside = re.sub(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", text.replace("\\`", ""))  # what is no code
    assert not re.search(r"(?<!\\)\]\((?:https://forged|x\))", outside) and not re.search(r"(?<!\\)<script", outside)
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in rows)


def _is_github(text: str) -> None:
    commands = [line for line in text.splitlines() if line.startswith("::")]
    assert all(re.match(r"::(error|warning) file=[^,]+,", line) for line in commands)


def _is_csv(text: str) -> None:
    rows = list(csv.reader(io.StringIO(text)))
    assert len({len(row) for row in rows}) == 1


@pytest.mark.parametrize("command", ["compare book.yaml softer.yaml strike --of words", "delta before after"])
def test_a_comment_mentions_nobody_and_has_no_links(
    folder: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    output = said(folder, monkeypatch, command, "markdown")
    assert "evil" in output and not re.search(r"@forged|https://|www\.|#12|<script", output)


FORMS: dict[str, Callable[[str], Any]] = {
    "json": json.loads, "sarif": json.loads, "junit": _is_xml, "svg": _is_xml, "html": _is_html,
    "markdown": _is_markdown, "github": _is_github, "csv": _is_csv,
}  # fmt: skip


def test_a_key_has_one_line() -> None:
    for place in ("notes", "options", "names", "mechanics"):
        with pytest.raises(HouseruleError, match="HR007 a line break in a key"):
            interpreter.loads(f'ruleset: book\n{place}: {{"a\\n::error::b": {{}}}}\n')


@pytest.mark.parametrize("code", UNSEEN_SIGNS, ids=lambda code: f"U+{code:04X}")
def test_what_nobody_sees_is_refused_in_a_ruleset_and_in_what_is_typed(code: int) -> None:
    sign = chr(code)
    steps = "inputs: {said: text}, steps: {x: {roll: d6}}"
    text = f'ruleset: book\nmechanics: {{m: {{title: "a\\u{code:04x}b", {steps}}}}}\n'
    with pytest.raises(HouseruleError, match=f"HR007.*U\\+{code:04X}"):
        interpreter.loads(text)
    game = interpreter.loads(text.replace(f"\\u{code:04x}", ""))
    with pytest.raises(HouseruleError, match=f"HR007.*U\\+{code:04X}"):
        game.roll("m", said=f"a{sign}b")
    with pytest.raises(HouseruleError) as caught:
        game.roll(f"a{sign}b")
    assert sign not in str(caught.value)


def test_a_name_of_a_file_that_is_extended_moves_no_cursor(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "clears.yaml").write_text('ruleset: clears\nextends: ["\\e]0;x\\a\\e[2J.yaml"]\n')
    for form in PROBLEMS:
        output = said(folder, monkeypatch, "check clears.yaml", form)
        assert not UNSEEN.search(output)


def test_files_that_nobody_has_checked_are_listed_without_what_nobody_sees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd.yaml").write_text("ruleset: odd\ntitle: red \x1b[31mforger \u202e\x9b2J ::error::x\n")
    (tmp_path / "a\n::error::b\x1b[2J.yaml").write_text("ruleset: named\ntitle: forger\n")
    for form in ("text", "json"):
        output = said(tmp_path, monkeypatch, "list", form)
        assert output.count("forger") == 2 and not UNSEEN.search(output)
        assert not re.search(r"^\s*::", output, re.MULTILINE)
    assert said(tmp_path, monkeypatch, "check .", "concise").count("HR007") == 1


@pytest.mark.parametrize(
    "words",
    ["POISON", "check POISON", "explain POISON", "roll book.yaml POISON", "roll book.yaml strike mood=POISON",
     "roll book.yaml strike POISON=1", "odds -e POISON", "odds book.yaml strike --of POISON", "list --POISON",
     "act book.yaml state.yaml rest actor=POISON", "delta POISON", "test book.yaml --case POISON"],
)  # fmt: skip
def test_words_of_a_command_line_forge_nothing(folder: Path, words: str) -> None:
    run = "from interpreter.cli import main; main()"
    given = [word.replace("POISON", f"{POISON}\x1b[2J\u202e\x9b") for word in words.split()]
    done = subprocess.run(
        [sys.executable, "-c", run, *given], capture_output=True, text=True, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )  # fmt: skip
    output = done.stdout + done.stderr
    assert done.returncode in (1, 2) and "evil" in output
    assert not UNSEEN.search(output) and "##[" not in output and not re.search(r"^\s*::", output, re.MULTILINE)


def test_what_players_write_begins_no_line(folder: Path) -> None:
    game = interpreter.load(folder / "book.yaml")
    result = game.roll("strike", said=POISON, choices={"words": POISON}, seed=1)
    assert not re.search(r"^\s*::", str(result.trace), re.MULTILINE)
    with pytest.raises(HouseruleError, match="players"):
        game.begin("strike", players={POISON: ["judge"]})


def _writes(node: Any) -> bool:
    import ast

    match node:
        case ast.Call(ast.Attribute(ast.Name("click"), "echo" | "secho") | ast.Name("print")):
            return True
        case ast.Call(ast.Attribute(ast.Attribute(ast.Name("sys"), "stdout" | "stderr"), "write" | "writelines")):
            return True
    return False


WRITERS = {
    "terminal.py": "all others write with its `echo`",
    "__init__.py": "it says `stopped`, before anything else is imported",
}


def test_commands_write_in_one_place() -> None:
    found = places(_writes, sorted((PACKAGE / "cli").rglob("*.py")))
    assert [one for one in found if one.split("/")[-1].split(":")[0] not in WRITERS] == []


@pytest.mark.parametrize(
    ("show", "text", "shown"),
    [
        (visible, "a\x1bb\x7fc\u202ed\n", "a␛b␡c\ufffdd\n"),
        (in_one_line, "a \n b\tc\x00", "a b\tc␀"),
        (on_terminal, "\x1b[31mred\x1b[0m\x1b[2J\n  ::error::x ##[a", "\x1b[31mred\x1b[0m␛[2J\n  : :error::x ## [a"),
        (in_json, "a\u2028##[\x9b", '"a\\u2028#\\u0023[\\u009b"'),
        (in_markdown, "a|b\\ [x](y) @me #1 https://e.x", "a\\|b\\\\ [x]\\(y) @&#8203;me #&#8203;1 https:&#8203;//e.x"),
        (visible, "שלום\u200f!", "שלום\u200f!"),
    ],
)  # fmt: skip
def test_what_means_something_elsewhere_is_written_so_that_it_does_not(
    show: Callable[[str], str], text: str, shown: str
) -> None:
    assert show(text) == shown

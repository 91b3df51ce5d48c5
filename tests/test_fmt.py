"""`houserule fmt`: the layout is found once and for all, and changes nothing of what a file says."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import test_docs
from click.testing import CliRunner
from layouts import written_oddly
from marks import thorough

import interpreter
from interpreter import pipeline
from interpreter.cli import group
from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source
from interpreter.formatting import proof
from interpreter.formatting.layout import lay_out
from interpreter.formatting.proof import have_same_meaning, have_same_program, same_values
from interpreter.formatting.tree import comments
from interpreter.ir import printer
from interpreter.syntax import document

ROOT = Path(interpreter.__file__).parent.parent
BUNDLED = sorted((ROOT / "rulesets").rglob("*.yaml"))
FILES = [*BUNDLED, *(file for file in sorted((ROOT / "tests").rglob("*.yaml")) if "defects" not in file.parts)]
BLOCKS = test_docs.of("yaml", "yaml wrong")


def sound(text: str) -> Source | None:
    """The source of a text in which no error of its YAML is found."""
    source, problems = Source.of("file.yaml", text), Problems()
    return source if document.parse(source, problems) is not None and not problems.errors else None


def hold(source: Source) -> str:
    """Hold that the layout says the same, and that it is found at once; the text in it."""
    new = Source(source.name, lay_out(source))
    assert have_same_meaning(source, new)
    assert lay_out(new) == new.text
    return new.text


# Everything that is there ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_a_file_says_the_same_in_the_layout(file: Path) -> None:
    source = sound(file.read_text("utf-8"))
    if source is not None:
        hold(source)
    assert source is not None or file not in BUNDLED


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_an_example_is_the_same_program_in_the_layout(block: test_docs.Block) -> None:
    source = sound(test_docs.whole(block))
    if source is not None:
        assert listing(source.text) == listing(hold(source))


def listing(text: str) -> str:
    """The program of a ruleset; the codes of its errors if it has some."""
    made = pipeline.from_text(Source.of("file.yaml", text))
    if made.program is None or made.problems.errors:
        return ", ".join(one.code for one in made.problems.errors)
    return printer.listing(made.program)


@pytest.mark.parametrize("name", ["blades", pytest.param("fiend-wake", marks=pytest.mark.thorough)])
def test_a_ruleset_of_several_files_is_the_same_program_in_the_layout(name: str) -> None:
    folder = ROOT / "rulesets" / name
    texts = {}
    for file in folder.glob("*.yaml"):
        source = pipeline.read(file)
        texts[source.name] = lay_out(Source.of(source.name, written_oddly(source.text, 7)))
    assert have_same_program(pipeline.read(folder / f"{name}.yaml"), folder, (), texts)


# Odd layouts -----------------------------------------------------------------------------------------------------


@cache
def originals() -> list[tuple[str, bool]]:
    """Sound texts, and whether each is a whole ruleset."""
    texts = [file.read_text("utf-8") for file in BUNDLED if file.stat().st_size < 6_000]
    found = [(text, False) for text in texts if sound(text)]
    blocks = [test_docs.whole(block) for block in BLOCKS]
    # an empty block of text, `beats: >`, can only be written so
    return found + [
        (text, True) for text in blocks if sound(text) and text.startswith("ruleset") and ": >\n" not in text
    ]


@pytest.mark.parametrize("first", thorough(range(0, 2300, 50), lambda first: first >= 300, every=4))
def test_odd_layouts_become_the_same_program(first: int) -> None:
    for seed in range(first, first + 50):
        text, is_whole = originals()[seed % len(originals())]
        odd = Source.of("file.yaml", written_oddly(text, seed))
        before = sound(text)
        assert before is not None and sound(odd.text), seed
        new = Source(odd.name, hold(odd))
        assert same_values(tree(before), tree(new)), seed
        if is_whole:
            assert listing(text) == listing(new.text), seed


def test_odd_layouts_have_comments_everywhere() -> None:
    """Some layouts have many for their length; they stand alone, behind values and inside brackets."""
    texts = [written_oddly(originals()[seed][0], seed) for seed in range(120)]
    many = [text for text in texts if len(comments(Source.of("", text))) > text.count("\n") / 5]
    assert len(many) > 20
    for place in (r"^ *#", r"^ *\w+: +\w+[ \t]+#", r"[{,][ \t]*#", r"^ *\w+:[ \t]+#", r"[}\]][ \t]+#"):
        assert sum(re.search(place, text, re.MULTILINE) is not None for text in many) > 6, place


def tree(source: Source) -> document.Node:
    found = document.parse(source, Problems())
    assert found is not None
    return found


# What becomes of what --------------------------------------------------------------------------------------------

LONG = "x" * 50
TABLE = {
    "braces that fit stay": ("a: { b: 1,c: [ 2,3 ] }", "a: {b: 1, c: [2, 3]}"),
    "braces over several lines are joined": ("a: {b: 1,\n    c: 2}", "a: {b: 1, c: 2}"),
    "a block stays a block": ("a:\n      b: 1", "a:\n  b: 1"),
    "braces that are too long become a block": (
        f"a: {{b: {LONG}, c: {LONG}, d: {{e: {LONG}}}}}",
        f"a:\n  b: {LONG}\n  c: {LONG}\n  d: {{e: {LONG}}}",
    ),
    "so do those of an item": (
        f"- {{b: {LONG}, c: {LONG}, d: {LONG}}}\n- [[{LONG}, {LONG}], {LONG}]",
        f"- b: {LONG}\n  c: {LONG}\n  d: {LONG}\n- - [{LONG}, {LONG}]\n  - {LONG}",
    ),
    "braces with comments become a block": (
        "a: {b: 1, # first\n    # second\n    c: 2 # third\n}  # fourth\nd: 3",
        "a:\n  b: 1  # first\n  # second\n  c: 2  # third\n  # fourth\nd: 3",
    ),
    "the items of a list are indented": ("a:\n- b\n-   c:  1\n    d: 2", "a:\n  - b\n  - c: 1\n    d: 2"),
    "a value goes to its key": ("a:\n  b", "a: b"),
    "a column stays": ("aa:   1\nb:    2\nc: 3", "aa: 1\nb:  2\nc: 3"),
    "a single wide value does not": ("a:    1\nbbb: 2", "a: 1\nbbb: 2"),
    "a blank line ends a column": ("aaa: 1\nb:   2\n\nc:   3", "aaa: 1\nb:   2\n\nc: 3"),
    "entries stay below each other": (
        "a:  {hit: won,  miss: x}\nbb: {hit: lost, miss: y}",
        "a:  {hit: won,  miss: x}\nbb: {hit: lost, miss: y}",
    ),
    "quotes go": ("a: 'b'\n\"c\": \"d, e\"", "a: b\nc: d, e"),
    "quotes stay where they are needed": (
        "a: \"b: c\"\nd: 'it # x'\ne: \"[x]\"\nf: ''\ng: {h: \"max(1, 2)\"}",
        'a: "b: c"\nd: "it # x"\ne: "[x]"\nf: ""\ng: {h: "max(1, 2)"}',
    ),
    "quotes stay where an editor reads a number": ("a: '12'\nb: \"yes\"\nc: 12", 'a: "12"\nb: "yes"\nc: 12'),
    "single quotes save a backslash": ('a: "\\"b\\": c"', "a: '\"b\": c'"),
    "a long text is folded": (
        f"about: {' '.join(['word'] * 30)}",
        f"about: >-\n  {' '.join(['word'] * 23)}\n  {' '.join(['word'] * 7)}",
    ),
    "a block of text keeps its lines": (
        "a: >-\n     one\n     two\n\nb: |\n  three\n   four\n",
        "a: >-\n  one\n  two\n\nb: |\n  three\n   four",
    ),
    "a block of text that begins with blanks": ("a: |1\n   one\n  two\n", "a: |2\n    one\n   two"),
    "a comment keeps its column": ("a: 1      # x\nbbbbbbbbbbbb: 1 # y", "a: 1      # x\nbbbbbbbbbbbb: 1  # y"),
    "a comment moves with its line": ("a:\n     b: 1      # x\n     c: 2", "a:\n  b: 1      # x\n  c: 2"),
    "what may be no comment stays as it warns": ("a: the #2 die", "a: the #2 die"),
    "a comment above is indented like what follows": ("a:\n     # x\n  b: 1", "a:\n  # x\n  b: 1"),
    "a comment that ends a block stays there": ("a:\n    b: 1\n    # x\n# y\nc: 2", "a:\n  b: 1\n  # x\n# y\nc: 2"),
    "a comment between key and value": ("a:  # x\n  # y\n  b", "# x\n# y\na: b"),
    "a comment behind a dash": ("-  # x\n  a: 1\n  b: 2", "# x\n- a: 1\n  b: 2"),
    "one blank line of several": ("\n\na: 1\n\n\n  \nb:\n\n  c: 2\n\n\n", "a: 1\n\nb:\n\n  c: 2"),
    "white space at the end of a line goes": ("a: 1  \nb: \t\n  c: 2  # x \t\n", "a: 1\nb:\n  c: 2  # x"),
    "signs of a document go": ("# x\n---\na: 1\n...\n# y", "# x\na: 1\n# y"),
    "an empty value": ("a:\nb: {}\nc: [ ]\nd: {e: }", "a:\nb: {}\nc: []\nd: {e: }"),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLE)
def test_layout(name: str) -> None:
    before, after = TABLE[name]
    source = Source.of("file.yaml", before)
    assert hold(source) == after + "\n"


# The command -----------------------------------------------------------------------------------------------------


def run(*words: str, typed: bytes = b"") -> tuple[int, str, str]:
    """Exit code, output and complaints of the command."""
    said = CliRunner().invoke(group, words, input=typed)
    return said.exit_code, said.stdout, said.stderr


UNTIDY = "ruleset:  x\nmechanics: {m: {steps: { r: {roll: d6} }}}\n"
TIDY = "ruleset: x\nmechanics: {m: {steps: {r: {roll: d6}}}}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "inside" / ".hidden").mkdir(parents=True)
    for name in ("x.yaml", "inside/y.yml", "inside/.hidden/z.yaml"):
        (tmp_path / name).write_text(UNTIDY, "utf-8")
    (tmp_path / "tidy.yaml").write_text(TIDY, "utf-8")
    return tmp_path


def test_a_folder_is_laid_out(folder: Path) -> None:
    assert run("fmt", ".") == (0, "", "2 files changed, 1 file as it should be\n")
    assert (folder / "x.yaml").read_text() == (folder / "inside/y.yml").read_text() == TIDY
    assert (folder / "inside/.hidden/z.yaml").read_text() == UNTIDY
    assert run("fmt", ".", "x.yaml") == (0, "", "3 files as it should be\n")


def test_check_and_diff_write_nothing(folder: Path) -> None:
    assert run("fmt", "--check", ".") == (
        1, "would change: inside/y.yml\nwould change: x.yaml\n", "2 files would change, 1 file as it should be\n"
    )  # fmt: skip
    code, out, _ = run("fmt", "--diff", "x.yaml")
    assert (code, out.splitlines()[:4]) == (1, ["--- x.yaml", "+++ x.yaml", "@@ -1,2 +1,2 @@", "-ruleset:  x"])
    assert run("fmt", "--diff", "tidy.yaml")[:2] == (0, "")
    assert (folder / "x.yaml").read_text() == UNTIDY


def test_standard_input(folder: Path) -> None:
    assert run("fmt", "-", typed=UNTIDY.encode()) == (0, TIDY, "")
    assert run("fmt", "-", "--check", typed=UNTIDY.encode())[:2] == (1, "would change: <stdin>\n")


def test_line_breaks_and_byte_order_marks_change(folder: Path) -> None:
    (folder / "x.yaml").write_bytes(b"\xef\xbb\xbf" + TIDY.replace("\n", "\r\n").encode())
    assert run("fmt", "--check", "x.yaml")[0] == 1
    run("fmt", "x.yaml")
    assert (folder / "x.yaml").read_bytes() == TIDY.encode()


def test_a_file_that_is_no_yaml_is_left_alone_and_the_others_are_written(folder: Path) -> None:
    (folder / "x.yaml").write_text("a: {b: max(1, 2)}")
    code, _, err = run("fmt", "x.yaml", "inside")
    assert code == 2 and "x.yaml:1:8: HR011" in err
    assert err.endswith("1 file changed, 1 file left alone\n")
    assert (folder / "x.yaml").read_text() == "a: {b: max(1, 2)}"
    assert (folder / "inside/y.yml").read_text() == TIDY


def test_what_is_not_there_is_said(folder: Path) -> None:
    code, _, err = run("fmt", "--check", "tidy.yaml", "inside/.hidden/z.yaml")
    assert (code, err) == (1, "1 file would change, 1 file as it should be\n")
    assert fmt_raises("nothing.yaml") == "`nothing.yaml` cannot be read: there is no such file or folder"
    (folder / "empty").mkdir()
    assert fmt_raises("empty") == "`empty` cannot be read: there is no YAML file in this folder"


def fmt_raises(*words: str) -> str:
    error = CliRunner().invoke(group, ["fmt", *words]).exception
    assert isinstance(error, interpreter.RulesetError)
    return error.diagnostics[0].message


WRONG: dict[str, Callable[[Source], str]] = {
    "a value": lambda source: lay_out(source).replace("d6", "d8"),
    "a comment": lambda source: lay_out(source).replace("  # why", ""),
    "the order": lambda source: "".join(reversed(lay_out(source).splitlines(keepends=True))),
    "its YAML": lambda source: lay_out(source) + "\t{",
}


@pytest.mark.parametrize("what", WRONG)
def test_nothing_is_written_that_says_something_else(folder: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    (folder / "x.yaml").write_text(UNTIDY.replace("x\n", "x  # why\n"))
    before = (folder / "x.yaml").read_text()
    monkeypatch.setattr(proof, "lay_out", WRONG[what])
    code, _, err = run("fmt", "x.yaml")
    assert code == 2 and "x.yaml:1:1: HR018" in err
    assert (folder / "x.yaml").read_text() == before


def test_a_program_that_would_change_keeps_all_its_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "x.yaml").write_text(UNTIDY + "parts: [part.yaml]\n")
    (folder / "part.yaml").write_text("part_of:  x\noptions: {o: {type: number, default: 1}}\n")
    monkeypatch.setattr(proof, "have_same_meaning", lambda *_: True)
    monkeypatch.setattr(proof, "lay_out", lambda source: lay_out(source).replace("default: 1", "default: 2"))
    code, _, err = run("fmt", "x.yaml", "part.yaml")
    assert code == 2 and err.count("HR018") == 2
    assert run("fmt", "part.yaml")[0] == 2
    assert (folder / "x.yaml").read_text().startswith(UNTIDY)


def test_the_bundled_rulesets_are_laid_out() -> None:
    assert [str(file) for file in BUNDLED if lay_out(pipeline.read(file)) != file.read_text("utf-8")] == []

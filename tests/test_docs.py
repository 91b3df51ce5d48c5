"""Every snippet of the README and of `docs/` is run, and says what really comes out.

What a fenced block is, its first word tells:

- `yaml`: a ruleset, or some sections of one, which this test gives a first line. It must have no problems, and its
  cases must hold. Under `<!-- in: mechanic -->` it is what stands under the name of a mechanic, under
  `<!-- in: steps -->` what stands under `steps`. Under `<!-- file: NAME -->` it lies in that file for the commands
  of the same page; where a page has a file several times, as it grows, a block sees the last one above it.
  `<!-- files of: PAGE -->` at the top of a page brings those of another page.
- `yaml wrong`: the same, but the block below it holds all that is reported, each problem with its help.
- `console`: lines after `$` are typed into a shell, and the others are what it says.
- `python`: run in order, all blocks of a page as one program; the block below holds what it prints.
- `sh`: a line to paste in a fresh clone; `.ci/run` runs those of the README.
- `text`: belongs to the block above it. Under `<!-- hover: FILE NAME -->` it is the odds that an editor shows over this
  name in this file of the page.
- `json` and `toml`: settings, which must be readable; `lua`, `elisp` and `shell` need programs that tests do without.

After a change of wording, `python -m tests.record pages` writes anew what comes out; read what it changed.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
import yaml
from generated import constructs

import interpreter
from interpreter import diagnostics as say
from interpreter import pipeline
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Source
from interpreter.editor.analysis import analysis_of
from interpreter.editor.hover import hover_at
from interpreter.editor.odds import odds_lines
from interpreter.runtime import functions
from interpreter.syntax import grammar, shapes, verb_grammar
from interpreter.testing.cases import Trial, cases_of
from interpreter.testing.layered import judge_under_layers

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LANGUAGE = sorted((ROOT / "docs" / "language").glob("*.md"))
WRAPPERS = {
    "ruleset": "",
    "sections": "ruleset: example\n",
    "mechanic": "ruleset: example\nmechanics:\n  example:\n",
    "steps": "ruleset: example\nmechanics:\n  example:\n    steps:\n",
}


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@dataclass(frozen=True)
class Block:
    """A fenced block: its first line after the fence, its text, the comment above it, what is said to come out."""

    page: Path
    line: int
    info: str
    text: str
    mark: str
    output: str | None

    @property
    def file(self) -> str | None:
        return self.mark.removeprefix("file:").strip() if self.mark.startswith("file:") else None

    def __str__(self) -> str:
        return f"{name_of(self.page)}:{self.line}"


_BLOCK = re.compile(
    r"(?:^<!-- *(?P<mark>[^\n]*?) *-->\n+)?^```(?P<info>[^\n]*)\n(?P<text>.*?)^```\n"
    r"(?:\n*^```text\n(?P<output>.*?)^```\n)?",
    re.MULTILINE | re.DOTALL,
)


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8") + "\n"
    for found in _BLOCK.finditer(text):
        line = text.count("\n", 0, found.start("info")) + 1
        yield Block(page, line, found["info"].strip(), found["text"], found["mark"] or "", found["output"])


ALL = [block for page in PAGES for block in blocks(page)]


def of(*infos: str) -> list[Block]:
    return [block for block in ALL if block.info in infos]


def whole(block: Block) -> str:
    """The ruleset that a block is, or that it is a piece of."""
    if re.search(r"^(ruleset|part_of|state):", block.text, re.MULTILINE):
        return block.text
    wrapper = WRAPPERS[block.mark.removeprefix("in:").strip() if block.mark.startswith("in:") else "sections"]
    depth = 0 if wrapper.count("\n") < 2 else 2 * wrapper.count("\n") - 2
    return wrapper + textwrap.indent(block.text, " " * depth)


def loaded(block: Block, folder: Path) -> pipeline.Loaded:
    """The ruleset of a block; one that lies in a file with the other files of its page, a part by its ruleset."""
    if block.file is None:
        return pipeline.from_text(Source.of(str(block), whole(block)))
    write_files(block.page, folder, block.line)
    part_of = re.match(r"part_of: (.*)", block.text)
    return pipeline.from_path(folder / (f"{part_of[1]}.yaml" if part_of else block.file))


def said(problem: Diagnostic) -> str:
    return f"{problem.code} {problem.message}\n" + (f"help: {problem.help}\n" if problem.help else "")


def write_files(page: Path, folder: Path, line: float = math.inf) -> None:
    """The files of a page as they stand at a line: of several that have one name, the last one above it."""
    for other in re.findall(r"^<!-- files of: (.*) -->$", page.read_text("utf-8"), re.MULTILINE):
        write_files((page.parent / other).resolve(), folder)
    written = set()
    for block in blocks(page):
        if block.file and (block.line <= line or block.file not in written):
            (folder / block.file).write_text(whole(block), "utf-8")
            written.add(block.file)


# The snippets ----------------------------------------------------------------------------------------------------


HOVERS = [block for block in of("text") if block.mark.startswith("hover:")]


@pytest.mark.parametrize("block", HOVERS, ids=str)
def test_a_hover_shows_what_the_page_says(block: Block, tmp_path: Path) -> None:
    write_files(block.page, tmp_path, block.line)
    _, file, name = block.mark.split()
    analysis = analysis_of((tmp_path / file).resolve(), {})
    source = analysis.sources[analysis.root]
    told = hover_at(analysis, analysis, source, source.text.index(name))
    assert told is not None and told.rule is not None
    assert "".join(f"{line}\n" for line in odds_lines(analysis, told.rule)) == block.text


def test_there_is_a_test_for_every_block() -> None:
    known = {"yaml", "yaml wrong", "console", "python", "sh", *SETTINGS}
    assert [f"{block}: {block.info}" for block in ALL if block.info not in known and block not in HOVERS] == []
    assert [str(block) for block in of("yaml wrong") if block.output is None] == []
    assert [str(block) for block in of("yaml", "console", "sh") if block.output is not None] == []


SETTINGS: dict[str, Callable[[str], object]] = {
    "json": json.loads,
    "toml": tomllib.loads,
    "yml": yaml.safe_load,  # of other programs
    **dict.fromkeys(("lua", "elisp", "shell"), str),
}


@pytest.mark.parametrize("block", of(*SETTINGS), ids=str)
def test_settings_can_be_read(block: Block) -> None:
    assert SETTINGS[block.info](block.text)


SCENE_FILES = [block for block in of("yaml") if block.text.startswith("state:")]


@pytest.mark.parametrize("block", SCENE_FILES, ids=str)
def test_scene_files_can_be_played(block: Block, tmp_path: Path) -> None:
    write_files(block.page, tmp_path, block.line)
    assert block.file is not None
    file = scene_file.read(tmp_path / block.file)
    game = scene_file.game_of(file)
    began = {"players": scene_file.players_of(file), "inputs": scene_file.inputs_of(game, file)}
    assert game.begin(scene_file.path_of_scene(file), state=scene_file.state_of(game, file), **began).host.requests


@pytest.mark.parametrize("block", [block for block in of("yaml") if block not in SCENE_FILES], ids=str)
def test_yaml_is_a_sound_ruleset(block: Block, tmp_path: Path) -> None:
    made = loaded(block, tmp_path)
    assert [str(problem) for problem in made.problems] == []
    assert made.program and made.world
    trial = Trial(Game(made.program, made.world))
    verdicts = [trial.run(case) for case in cases_of(made.world.cases)]
    if made.merged is not None:
        verdicts = judge_under_layers(verdicts, made.merged, made.program)
    assert [str(failure) for verdict in verdicts for failure in verdict.failures] == []


@pytest.mark.parametrize("block", of("yaml wrong"), ids=str)
def test_wrong_yaml_is_told_so(block: Block, tmp_path: Path) -> None:
    assert complaints(block, tmp_path) == block.output


def complaints(block: Block, folder: Path) -> str:
    """What is wrong with a ruleset, or, where nothing is, with its cases."""
    made = loaded(block, folder)
    found = list(made.problems)
    if not found and made.program and made.world:
        trial = Trial(Game(made.program, made.world))
        found = [failure for case in cases_of(made.world.cases) for failure in trial.run(case).failures]
    return "".join(map(said, found))


def by_command(block: Block) -> str:
    """A name that stays when a page gets more lines: the page and the first command."""
    return f"{name_of(block.page)}: {block.text.splitlines()[0].removeprefix('$ ')}"


@pytest.mark.parametrize("block", of("console"), ids=by_command)
def test_console_says_so(block: Block, tmp_path: Path) -> None:
    assert typed(block, tmp_path) == block.text


def typed(block: Block, folder: Path) -> str:
    """The block with what its commands really say."""
    write_files(block.page, folder, block.line)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "PYTHONUTF8": "1", "COLUMNS": "80"}
    transcript = ""
    for line in block.text.splitlines():
        if line.startswith("$ "):
            transcript += line + "\n"
            done = subprocess.run(
                line[2:],
                shell=True,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                encoding="utf-8",
            )
            assert "Traceback" not in done.stdout, done.stdout
            transcript += done.stdout
    return transcript


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(block.page == page for block in of("python"))], ids=name_of
)
def test_python_runs_and_prints_so(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(page, tmp_path)
    monkeypatch.chdir(tmp_path)
    for block, printed in run(page):
        assert printed == (block.output or ""), str(block)


def run(page: Path) -> Iterator[tuple[Block, str]]:
    """The Python of a page, block by block, with what it prints."""
    names: dict[str, object] = {"__name__": "__example__"}
    for block in of("python"):
        if block.page == page:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block.text, str(block), "exec"), names)
            yield block, printed.getvalue()


def test_the_readme_has_a_line_that_plays_and_one_that_tests() -> None:
    """`.ci/run` runs these lines themselves."""
    lines = [line for block in of("sh") if block.page == ROOT / "README.md" for line in block.text.splitlines()]
    assert len(lines) == len(of("sh")) == 2
    assert all(line.startswith("python3 -m venv .venv ") for line in lines)
    assert " .venv/bin/houserule roll " in lines[0]
    assert lines[1].endswith(" .venv/bin/python -m pytest")


# The lists of words ----------------------------------------------------------------------------------------------


def section(title: str) -> str:
    """The text of the language reference under a heading, up to the next one of its level."""
    for page in LANGUAGE:
        text = page.read_text("utf-8")
        level = re.search(rf"^(#+) {re.escape(title)}$", text, re.MULTILINE)
        if level is not None:
            rest = text[level.end() :]
            bare = re.sub(r"^```.*?^```", _blank, rest, flags=re.M | re.S)
            end = re.search(rf"^#{{1,{len(level[1])}}} ", bare, re.MULTILINE)
            return rest[: end.start()] if end else rest
    raise AssertionError(title)


def headings() -> list[str]:
    return [title for page in LANGUAGE for title in re.findall(r"^#+ (.*)$", outside_fences(page), re.MULTILINE)]


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def first_column(title: str) -> list[str]:
    """The words in backticks in the first cells of the tables of a section."""
    cells = re.findall(r"^\| (`.*?) \|", section(title), re.MULTILINE)
    return [word for cell in cells for word in re.findall(r"`(\w+)", cell)]


def test_every_function_is_in_the_reference() -> None:
    assert sorted(set(first_column("Functions"))) == sorted({*functions.FUNCTIONS, *functions.FORMS})


def test_every_verb_has_a_place_in_the_reference() -> None:
    verbs = [verb for heading in headings() for verb in re.findall(r"`(\w+)`", heading)]
    assert sorted(verbs) == sorted(verb_grammar.VERBS)


def test_every_word_of_the_language_is_used_by_a_ruleset_or_an_example() -> None:
    """By a bundled ruleset, or by an example of a page, which the tests above run.

    A house rule and a part of a ruleset have the sections of a ruleset, which are the same tables of the grammar: a
    section that a ruleset uses is used.
    """
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "rulesets").glob("**/*.yaml"))]
    words: set[str] = set()
    for text in [*texts, *map(whole, of("yaml"))]:
        words |= constructs.used(constructs.read(text))
    same = [("layer", key) for key in grammar.FORMS["ruleset"].keys] + [("part", key) for key in grammar.SECTIONS]
    words |= {constructs.key_named(form, key) for form, key in same if constructs.key_named("ruleset", key) in words}
    missing = [word for known in constructs.language().values() for word in known if word not in words]
    assert not missing, "neither a bundled ruleset nor an example of a page uses: " + ", ".join(missing)


def test_every_companion_of_a_verb_is_named_in_its_place() -> None:
    places = {verb: section(title) for title in headings() for verb in re.findall(r"`(\w+)`", title)}
    missing = []
    for verb, form in verb_grammar.VERBS.items():
        keys = form.keys.keys() - verb_grammar.STEP_KEYS
        missing += [f"{verb}: {key}" for key in sorted(keys) if not re.search(rf"\b{key}\b", places[verb] + verb)]
    assert missing == []


def test_every_section_is_in_the_reference() -> None:
    form = grammar.FORMS["ruleset"]
    assert sorted(first_column("Sections")) == sorted(form.keys)


def test_every_key_of_a_declaration_is_in_the_reference() -> None:
    assert sorted(first_column("Keys of a declaration")) == sorted(grammar.FORMS["declaration"].keys)


def test_every_type_is_in_the_reference() -> None:
    assert set(grammar.DECLARATION_TYPES) <= set(first_column("Types"))


def test_every_key_of_a_case_is_in_the_reference() -> None:
    assert sorted(first_column("Keys of a case")) == sorted(grammar.FORMS["case"].keys)


def test_every_key_of_a_claim_is_in_the_reference() -> None:
    keys = grammar.FORMS["claim"].keys.keys() - {"about", "cites"}
    assert sorted(first_column("Tables that claim odds")) == sorted(keys)


def test_every_key_of_a_house_rule_is_in_the_reference() -> None:
    own = grammar.FORMS["layer"].keys.keys() - grammar.FORMS["ruleset"].keys.keys()
    assert sorted(first_column("Keys of a house rule")) == sorted(own)
    assert sorted(first_column("Keys of a change")) == sorted(grammar.FORMS["change"].keys)


def test_the_words_that_cannot_be_names_are_in_the_reference() -> None:
    lines = section("Names and words").splitlines()
    (of_expressions,) = [line for line in lines if "cannot be names" in line]
    (of_values,) = [line for line in lines if "be names of values" in line]
    assert sorted(re.findall(r"`(.*?)`", of_expressions)[0].split()) == sorted(say.EXPRESSION_WORDS)
    assert sorted(re.findall(r"`(.*?)`", of_values)) == sorted(say.VALUE_WORDS)


def shorts() -> Iterator[tuple[str, str]]:
    """Each key of the language whose value, or an entry of it, has a short form, with the key of the long form."""
    forms = (*grammar.FORMS.values(), *verb_grammar.VERBS.values())
    todo = [item for form in forms for item in form.keys.items()]
    while todo:
        key, shape = todo.pop()
        if isinstance(shape, shapes.AnyOf):
            yield from [(key, shape.short)] if shape.short else []
            todo += [(key, one) for one in shape.of]
        elif isinstance(shape, shapes.MapOf | shapes.ListOf):
            todo.append((key, shape.of))
        elif isinstance(shape, shapes.ByKey):
            todo += [(key, shape.has), (key, shape.has_not)]


def test_every_short_form_has_its_path_in_the_reference() -> None:
    told = set()
    for row in re.findall(r"^\| (.*`: `.*|.*: `.*) \| `(.*)` \|$", section("Paths"), re.MULTILINE):
        keys, _, _ = row[0].rpartition(": `")
        told |= {(key, row[1].rsplit(".", 1)[-1]) for key in re.findall(r"`(\w+)`", keys)}
    assert told == set(shorts())


def test_the_reference_has_a_path_into_every_section_that_can_be_changed() -> None:
    """And every path of its tables leads through keys of the grammar."""
    paths = re.findall(r"\| `([^`]+)` \|$", section("Paths"), re.MULTILINE)
    lacking = {*grammar.SECTIONS, "rounding"} - {"cases"} - {path.split(".")[0] for path in paths}
    assert lacking - {"roles", "tags"} == set()  # the row of `comparators` tells of these, too
    wrong = [path for path in paths if not leads(path.split("."), shapes.Ref("ruleset"))]
    assert len(paths) > 25 and wrong == []


def leads(path: list[str], shape: shapes.Shape) -> bool:
    """Whether a path leads through keys of the grammar and names of an author."""
    if not path:
        return True
    inner: list[shapes.Shape] = []
    for one in shapes.alternatives(shape):
        match one:
            case shapes.MapOf(of):
                inner.append(of)
            case shapes.Ref(form):
                inner += [grammar.FORMS[form].keys[path[0]]] if path[0] in grammar.FORMS[form].keys else []
            case shapes.ByVerb():
                inner += [form.keys[path[0]] for form in verb_grammar.VERBS.values() if path[0] in form.keys]
            case shapes.ByKey(_, has, has_not):
                if leads(path, has) or leads(path, has_not):
                    return True
            case shapes.FreeForm():
                return True
    return any(leads(path[1:], one) for one in inner)


def test_nothing_says_that_a_registry_has_houserule() -> None:
    """The name is not ours there: whoever followed the line would install the program of somebody else."""
    of_registry = re.compile(r"pip install (-\S+ )*'?\"?houserule|houserule==|houserule\[")
    folders = [ROOT / name for name in ("docs", "interpreter", "integrations", "tests")]
    found = [
        path for folder in folders for path in folder.rglob("*") if path.suffix in TEXTS and path != Path(__file__)
    ]
    wrong = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in [*found, *ROOT.glob("*.md")]
        if "node_modules" not in path.parts
        for line in path.read_text("utf-8").splitlines()
        if of_registry.search(line)
    ]
    assert len(found) > 300 and wrong == []


TEXTS = {".md", ".py", ".yaml", ".yml", ".js", ".json", ".sh", ".txt"}


def test_the_pages_link_to_files_that_are_there() -> None:
    folders = [ROOT, *(ROOT / name for name in ("changes", "interpreter", "interpreter/odds", "tests"))]
    pages = {page for folder in folders for page in folder.glob("*.md")} | {*PAGES, *ROOT.glob("integrations/*/*.md")}
    broken = []
    for page in sorted(pages):
        for link, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", outside_fences(page)):
            target = page.parent / link if link else page
            if "://" not in link and not (target.exists() and (not anchor or anchor in anchors(target))):
                broken.append(f"{name_of(page)}: {link}#{anchor}")
    assert broken == []


@cache
def outside_fences(page: Path) -> str:
    return re.sub(r"^ *```.*?^ *```", _blank, page.read_text("utf-8"), flags=re.M | re.S)


@cache
def anchors(page: Path) -> list[str]:
    """The ends of links to the headings of a page, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", outside_fences(page), re.MULTILINE)
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title).lower() for title in titles]
    return [re.sub(r"[^\w -]", "", title).replace(" ", "-") for title in plain]


def test_no_two_headings_of_a_page_have_one_link() -> None:
    """The second one would get a number, which changes with what stands above it."""
    assert [name_of(page) for page in PAGES if len({*anchors(page)}) < len(anchors(page))] == []


def test_a_page_about_the_language_or_the_commands_is_read_in_ten_minutes() -> None:
    """At 230 words a minute, examples and tables too."""
    pages = [page for page in PAGES if page.parent.name in ("language", "cli") and page.name != "words.md"]
    words = {name_of(page): len(page.read_text("utf-8").split()) for page in pages}
    assert len(words) > 15 and {name: count for name, count in words.items() if count > 2300} == {}


def test_a_change_is_told_in_lines_of_the_changelog() -> None:
    """`changes/README.md` says how."""
    changes = [path for path in sorted((ROOT / "changes").iterdir()) if path.name != "README.md"]
    wrong = [
        path.name
        for path in changes
        if path.suffix != ".md" or not all(line.startswith("- ") for line in path.read_text("utf-8").splitlines())
    ]
    assert wrong == []
    assert re.search(rf"^## {re.escape(interpreter.__version__)}$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)


def test_the_door_is_in_the_reference() -> None:
    text = (ROOT / "docs" / "embedding.md").read_text("utf-8")
    assert [name for name in interpreter.__all__ if f"`{name}" not in text and f"interpreter.{name}" not in text] == []


# Writing anew what comes out -------------------------------------------------------------------------------------


def write_anew(page: Path, folder: Path) -> None:
    """The page with what its blocks really say; the last block first, so that places stay true."""
    texts = {block.line: ("output", printed) for block, printed in run(page) if block.output is not None}
    for block in of("yaml wrong", "console"):
        if block.page == page:
            wrong = block.info == "yaml wrong"
            texts[block.line] = ("output", complaints(block, folder)) if wrong else ("text", typed(block, folder))
    text = page.read_text("utf-8")
    for found in reversed(list(_BLOCK.finditer(text))):
        part, new = texts.get(text.count("\n", 0, found.start("info")) + 1, ("", ""))
        if part:
            text = text[: found.start(part)] + new + text[found.end(part) :]
    page.write_text(text, "utf-8")

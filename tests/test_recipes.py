"""The recipes of `interpreter/README.md`: each lists every file that a verb, an effect, a function or a message needs.

A dummy is added to a copy of the checkout. mypy and the tests that compare tables then name the files that lack it,
and the recipe must list these files and no others.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from test_codes import WORDED
from test_packages import PACKAGE

from interpreter import ir
from interpreter.checker import steps
from interpreter.diagnostics.codes import codes
from interpreter.odds.lower.verbs import VERBS as LOWERED
from interpreter.play.verbs import VERBS as PLAYED
from interpreter.syntax import verb_grammar

ROOT = PACKAGE.parent


def section(title: str) -> str:
    return (PACKAGE / "README.md").read_text("utf-8").split(f"\n### {title}\n")[1].split("\n#")[0]


def recipe(title: str) -> list[str]:
    """The files of a recipe: the first column of its table."""
    return re.findall(r"^\| `([^`]+)` \|", section(title), re.MULTILINE)


NODE = """@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dummy:
    amount: Formula


Effect = ("""
FORM = '    "dummy": Form("a dummy", {"dummy": EXPRESSION}, about="A dummy."),\n    "destroy": Form('
FUNCTION = (
    '    "dummy": BuiltinFunction(("number",), _number(), lambda x: x, "the number"),\n    "tens": BuiltinFunction('
)
MESSAGE = 'def dummy(span: Span) -> Diagnostic:\n    return Diagnostic("HR998", "a dummy", span)\n\n\n'

ADDITIONS = {
    "A verb": {
        "interpreter/syntax/verb_grammar.py": [('    "destroy": Form(', FORM)],
        "interpreter/ir/steps.py": [("Effect = (", NODE), ("StepBody = (\n", "StepBody = (\n    Dummy\n    | ")],
    },
    "An effect": {
        "interpreter/syntax/verb_grammar.py": [('    "destroy": Form(', FORM)],
        "interpreter/ir/steps.py": [("Effect = (", NODE), ("Effect = (\n", "Effect = (\n    Dummy\n    | ")],
    },
    "A function": {"interpreter/runtime/functions.py": [('    "tens": BuiltinFunction(', FUNCTION)]},
    "A message": {"interpreter/diagnostics/names.py": [("def ambiguous_word(", f"{MESSAGE}def ambiguous_word(")]},
}
"""For each recipe the files that define a dummy, and the pieces of their text that are replaced."""

NAMED = {
    "test_architecture.py::test_the_schemas_are_those_of_the_grammar": "schemas/",
    "test_units.py::test_every_field_is_classified_once": "interpreter/identity/fields.py",
    "test_architecture.py::test_the_list_of_used_words_is_up_to_date": "docs/words.md",
    "test_classes.py::test_every_function_and_verb_has_its_cells": "tests/classes/operations.py",
    "test_classes.py::test_every_expression_and_action_of_the_program_is_in_some_cell": "tests/test_classes.py",
    "test_codes.py::test_every_code_is_explained_and_no_other": "interpreter/diagnostics/codes.yaml",
    "test_docs.py::test_every_function_is_in_the_reference": "docs/language/functions.md",
    "test_docs.py::test_every_verb_has_a_place_in_the_reference": "docs/language/steps.md",
    "test_generated.py::test_the_table_of_weights_knows_the_whole_language": "tests/generated/usage.yaml",
    "test_generated.py::test_what_no_game_uses_is_listed_with_a_reason": "tests/generated/",
    "test_recipes.py::test_every_verb_is_checked": "interpreter/checker/steps.py",
    "test_recipes.py::test_every_action_is_played": "interpreter/play/verbs.py",
    "test_recipes.py::test_every_action_is_lowered": "interpreter/odds/lower/verbs.py",
    "test_recipes.py::test_every_message_is_tried": "tests/rejected/",
    "test_rejected.py::test_the_whole_message_reads_well[unknown-verb-2]": "tests/rejected/unknown-verb-2.txt",
    "test_reference.py::test_every_function_of_the_language_is_tried": "tests/test_reference.py",
}
"""Tests that compare a table with the language, and the file or folder that one which fails names."""


# What no type checker sees ---------------------------------------------------------------------------------------


def test_every_verb_is_checked() -> None:
    assert steps._VERBS.keys() == verb_grammar.VERBS.keys()


def test_every_action_is_played() -> None:
    assert {*PLAYED.plain, *PLAYED.walks} == {*get_args(ir.StepBody)}


def test_every_action_is_lowered() -> None:
    assert LOWERED.of.keys() == {*get_args(ir.StepBody)}


UNTRIED = {
    *("HR002", "HR005", "HR017", "HR113", "HR116", "HR117", "HR201", "HR635", "HR699"),
    "HR806",
}
"""Codes that no test names and no example gives."""


def test_every_message_is_tried() -> None:
    files = [file for pattern in ("*.py", "*.yaml") for file in (ROOT / "tests").rglob(pattern)]
    others = [file.read_text("utf-8") for file in files if file != Path(__file__)]
    named = {code for text in others for code in re.findall(r"HR\d{3}", text)}
    assert WORDED - named - {code for code, one in codes().items() if "wrong" in one} == UNTRIED


# The recipes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", ADDITIONS)
def test_a_recipe_names_files_that_are_there(title: str) -> None:
    beside = re.findall(r"`(interpreter/[^`]+)`", section(title))
    assert [name for name in (*recipe(title), *beside) if not (ROOT / name).exists()] == []


def test_a_recipe_names_what_is_in_the_files_beside_it() -> None:
    places = re.findall(r"`(\w+)` in `(interpreter/[^`]+)`", section("A verb"))
    assert len(places) > 8
    assert [one for one in places if not re.search(rf"\b{one[0]}\b", (ROOT / one[1]).read_text("utf-8"))] == []


def knows_all(file: Path) -> bool:
    """Whether a file names every node of a step's action, or has every verb as a key of a table."""
    tree = ast.parse(file.read_text("utf-8"))
    named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    tables = [node for node in ast.walk(tree) if isinstance(node, ast.Dict)]
    keys = [{key.value for key in table.keys if isinstance(key, ast.Constant)} for table in tables]
    actions = {one.__name__ for one in get_args(ir.StepBody)}
    return actions <= named or any(verb_grammar.VERBS.keys() <= one for one in keys)


@pytest.mark.thorough
@pytest.mark.parametrize("title", ["A verb", "An effect"])
def test_a_file_that_lists_every_verb_is_in_the_recipe(title: str) -> None:
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    found = {str(file.relative_to(ROOT)) for file in files if knows_all(file)}
    assert "interpreter/ir/printer.py" in found
    assert sorted(found - {*recipe(title)}) == []


@pytest.mark.thorough
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
@pytest.mark.parametrize("title", ADDITIONS)
def test_a_recipe_is_what_the_type_checker_and_the_tests_name(title: str, tmp_path: Path) -> None:
    unused = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__")
    copy = shutil.copytree(ROOT, tmp_path / "copy", ignore=unused)
    for name, edits in ADDITIONS[title].items():
        text = (copy / name).read_text("utf-8")
        for old, new in edits:
            assert text.count(old) == 1, (name, old)
            text = text.replace(old, new)
        (copy / name).write_text(text, "utf-8")
    named = {*ADDITIONS[title]}
    checked = _run(copy, "mypy")
    named |= {*re.findall(r"^([^\n:]+):\d+: error: ", checked, re.MULTILINE)}
    tested = _run(copy, "pytest", "-n0", "-rfE", "-m", "", "-p", "no:cacheprovider", *(f"tests/{one}" for one in NAMED))
    failed = re.findall(r"^(?:FAILED|ERROR) tests/(\S+)", tested, re.MULTILINE)
    named |= {NAMED[one] for one in failed}
    listed = recipe(title)
    assert sorted(listed) == sorted({_listed_as(one, listed) for one in named})


def _listed_as(file: str, listed: list[str]) -> str:
    """The file itself, or the folder of a recipe that it is in."""
    return file if file in listed else next((one for one in listed if one.endswith("/") and file.startswith(one)), file)


def _run(folder: Path, module: str, *words: str) -> str:
    return subprocess.run([sys.executable, "-m", module, *words], cwd=folder, capture_output=True, text=True).stdout

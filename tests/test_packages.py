"""Imports point one way: `interpreter/README.md` lists the packages in their order, and no files go in a circle.

What is imported only for the type checker does not count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import get_args

from interpreter import ir
from interpreter.codegen import verbs as codegen
from interpreter.play import verbs as play

PACKAGE = Path(__file__).parent.parent / "interpreter"
FILES = {
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted(PACKAGE.rglob("*.py"))
}

LATE = {
    "interpreter.cli": "a command imports what it needs when it is called, so that each of them starts quickly",
    "interpreter.api.game": "a roll loads neither sessions nor the engine of exact odds",
    "interpreter.api.instance": "a roll does not load what odds and simulations ask",
    "interpreter.api.player_views": "a session loads the engine of exact odds only when it is asked for chances",
    "interpreter.api.sampling": "NumPy is optional",
    "interpreter.pytest_plugin": "pytest loads it in every project, with rulesets or without",
    "interpreter.host.workbench": "only the rulebook needs Jinja2",
    "interpreter.odds.answer": "only a notebook draws charts",
    "interpreter.odds.comparison": "only a notebook draws charts",
    "interpreter.odds.sweep": "only a notebook draws charts",
}
"""Where functions import, with the reason; packages are meant with all their files."""


@cache
def order() -> list[str]:
    """The packages and top files that the table names, from the first to the last."""
    text = (PACKAGE / "README.md").read_text("utf-8").split("## Packages")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([^`]+)`", row)]


def package_of(module: str) -> str:
    name = module.split(".")[1] if "." in module else "__init__"
    return f"{name}/" if (PACKAGE / name).is_dir() else f"{name}.py"


@cache
def imports(module: str, late: bool) -> frozenset[str]:
    """The modules that a file imports: at its top, or in its functions."""
    found: set[str] = set()
    for node in _statements(ast.parse(FILES[module].read_text("utf-8")), False, late):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found.add(whole if whole in FILES else str(node.module))
        else:
            found |= {alias.name for alias in node.names}
    return frozenset(found & FILES.keys())


def _statements(node: ast.AST, inside: bool, late: bool) -> Iterator[ast.Import | ast.ImportFrom]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import | ast.ImportFrom):
            if inside is late:
                yield child
        elif not (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)):
            yield from _statements(child, inside or isinstance(child, ast.FunctionDef), late)


def test_every_file_is_in_a_package_of_the_table() -> None:
    assert sorted({package_of(module) for module in FILES} - set(order())) == []


def test_imports_point_one_way() -> None:
    place = {name: number for number, name in enumerate(order())}
    wrong = [
        f"{module} imports {other}"
        for module in FILES
        for other in imports(module, False) | imports(module, True)
        if place[package_of(other)] > place[package_of(module)]
    ]
    assert wrong == []


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = {module: imports(module, False) | imports(module, True) for module in FILES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" imports ".join(reversed(error.args[1]))) from None


def test_every_kind_of_step_has_one_verb() -> None:
    kinds = set(get_args(ir.StepBody))
    assert not play.VERBS.plain.keys() & play.VERBS.walks.keys()
    assert play.VERBS.plain.keys() | play.VERBS.walks.keys() == kinds
    assert codegen.VERBS.keys() <= kinds


def test_functions_import_only_where_a_reason_is_given() -> None:
    late = {module for module in FILES if imports(module, True)}
    unreasoned = {module for module in late if not any(f"{module}.".startswith(f"{one}.") for one in LATE)}
    assert unreasoned == set()
    assert {one for one in LATE if not any(f"{module}.".startswith(f"{one}.") for module in late)} == set()


MOST_LINES = 60


def test_a_long_function_is_one_match() -> None:
    """It has a case for each kind of node, and little else."""
    for file in FILES.values():
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and lines(node) > MOST_LINES:
                cases = sum(lines(one) for one in node.body if isinstance(one, ast.Match))
                assert lines(node) - cases < 15, f"{file.relative_to(PACKAGE)}: {node.name} has {lines(node)} lines"


def lines(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1

"""Imports point one way: the table of rooms in `interpreter/README.md` is in the order of imports, and complete."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "interpreter"


def rooms() -> dict[str, int]:
    """Every file and folder that the table names, with the number of its row."""
    text = (PACKAGE / "README.md").read_text("utf-8").split("## Rooms")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return {name: number for number, row in enumerate(rows) for name in re.findall(r"`([^`]+)`", row)}


def room_of(file: Path) -> str:
    inside = file.relative_to(PACKAGE)
    return f"{inside.parts[0]}/" if len(inside.parts) > 1 else inside.name


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """The rooms that a file imports from at its top, with the line."""
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "interpreter":
            base = (node.module or "").split(".")[1:]
            for name in [base[0]] if base else [alias.name for alias in node.names]:
                yield node.lineno, f"{name}/" if (PACKAGE / name).is_dir() else f"{name}.py"


def test_every_file_has_its_room() -> None:
    files = {room_of(file) for file in PACKAGE.rglob("*.py")}
    assert sorted(files - set(rooms())) == []


def test_imports_point_one_way() -> None:
    row = rooms()
    wrong = [
        f"{file.relative_to(PACKAGE)}:{line} imports from {name}"
        for file in sorted(PACKAGE.rglob("*.py"))
        for line, name in imported(file)
        if row.get(name, 0) > row.get(room_of(file), 0)
    ]
    assert wrong == []

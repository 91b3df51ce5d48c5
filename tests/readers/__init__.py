"""Other readers of YAML, and the tree of text that each makes of a file.

PyYAML with libyaml and in Python and ruamel.yaml are there with the extra `test`; js-yaml and yaml are packages of npm,
which `installed` installs where npm is there and can reach them.
A tree has dicts, lists and strings, whatever type a reader takes a string for; a reading with types must have as many
entries and items.
"""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import warnings
from collections.abc import Callable, Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from ruamel.yaml import YAML as Ruamel

from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source
from interpreter.syntax import document
from interpreter.syntax.document import Mapping, Scalar, Sequence

FOLDER = Path(__file__).parent

Reading = dict[str, Any]
"""What a reader makes of a text: its `tree`, or the `error`."""


def our_tree(text: str) -> Any:
    """The tree of a text as rulesets are read; None if an error is found in it."""
    problems = Problems()
    tree = document.parse(Source.of("file.yaml", text), problems)
    return None if tree is None or problems.errors else _plain(tree)


def _plain(node: document.Node) -> Any:
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return [_plain(one) for one in node.items]
        case Mapping():
            return {one.key.text: _plain(one.value) for one in node.entries}
    raise AssertionError(node)


def size(value: Any) -> int:
    """How many entries and items a value has, with those inside."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(1 + size(one) for one in parts)


def _composed(node: yaml.Node | None) -> Any:
    match node:
        case yaml.SequenceNode():
            return [_composed(one) for one in node.value]
        case yaml.MappingNode():
            return {_composed(key): _composed(value) for key, value in node.value}
    return "" if node is None else node.value


def _pyyaml(loader: Any) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        made = loader(text)
        node = made.get_single_node()
        tree = _composed(node)
        _hold_size(tree, made.construct_document(node) if node is not None else None)
        return tree

    return read


def _ruamel(version: str) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        made = Ruamel(typ="safe", pure=True)
        made.version = version
        node = made.compose(text)
        tree = _composed_by_ruamel(node)
        _hold_size(tree, made.constructor.construct_document(node) if node is not None else None)
        return tree

    return read


def _composed_by_ruamel(node: Any) -> Any:
    value = "" if node is None else node.value
    if not isinstance(value, list):
        return value
    if node.id == "mapping":
        return {_composed_by_ruamel(key): _composed_by_ruamel(one) for key, one in value}
    return [_composed_by_ruamel(one) for one in value]


def _hold_size(tree: Any, typed: Any) -> None:
    if size(tree) != size(typed):
        raise ValueError(f"{size(typed)} entries and items with types, not {size(tree)}")


READERS = {
    "PyYAML": _pyyaml(yaml.SafeLoader),
    **({"libyaml": _pyyaml(yaml.CSafeLoader)} if yaml.__with_libyaml__ else {}),
    "ruamel.yaml 1.1": _ruamel("1.1"),
    "ruamel.yaml 1.2": _ruamel("1.2"),
}


def readings(texts: list[str], without: Collection[str] = ()) -> list[dict[str, Reading]]:
    """What every reader that is there makes of each text, `without` some of the readers in Python."""
    named = [(name, read) for name, read in READERS.items() if name not in without]
    found = [{name: _reading(read, text) for name, read in named} for text in texts]
    if installed():
        for here, there in zip(found, _by_node(texts), strict=True):
            here.update(there)
    return found


def _reading(read: Callable[[str], Any], text: str) -> Reading:
    try:
        with warnings.catch_warnings(action="ignore"):  # ruamel.yaml's of numbers
            return {"tree": read(text)}
    except Exception as error:  # some raise ValueError, RecursionError or KeyError
        return {"error": f"{type(error).__name__}: {error}".replace("\n", " ")}


def _by_node(texts: Iterable[str]) -> list[dict[str, Reading]]:
    done = subprocess.run(
        ["node", "read.js"], cwd=FOLDER, input=json.dumps(list(texts)), capture_output=True, encoding="utf-8",
        timeout=300, check=True,
    )  # fmt: skip
    found: list[dict[str, Reading]] = json.loads(done.stdout)
    return found


@cache
def installed() -> bool:
    """Whether the readers in JavaScript are there. `npm ci` installs them once, where it can."""
    if shutil.which("node") is None:
        return False
    there = FOLDER / "node_modules" / ".package-lock.json"  # which npm writes last
    if not there.is_file() and shutil.which("npm") is not None:
        command = ["npm", "ci", "--no-audit", "--no-fund", "--fetch-retries=0", "--fetch-timeout=20000"]
        with (FOLDER / "package-lock.json").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
            if not there.is_file():
                subprocess.run(command, cwd=FOLDER, capture_output=True)
    return there.is_file()


def differing(text: str, read: dict[str, Reading]) -> dict[str, Reading]:
    """The readings of a text that are not as rulesets are read."""
    ours = our_tree(text)
    return {name: one for name, one in read.items() if one.get("tree") != ours or "error" in one}

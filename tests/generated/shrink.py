"""Makes a ruleset that fails small, as long as it fails in the same way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from time import monotonic
from typing import Any

import yaml

from .grow import written


def shrunk(text: str, fails: Callable[[str], bool], seconds: float = 60) -> str:
    """The smallest ruleset found for which `fails` is still true, by leaving out and shortening one thing at a time."""
    until = monotonic() + seconds
    tree = yaml.load(text, yaml.BaseLoader)
    smaller = True
    while smaller and monotonic() < until:
        smaller = False
        for made in _smaller(tree):
            if monotonic() > until:
                break
            if fails(written(made)):
                tree, smaller = made, True
                break
    return written(tree)


def _smaller(tree: Any) -> Iterator[Any]:
    """Every tree that is one step smaller, the boldest steps first."""
    places = sorted(_places(tree), key=len)
    for place in places:
        made = deepcopy(tree)
        del _at(made, place[:-1])[place[-1]]
        yield made
    for place in places:
        value = _at(tree, place)
        options: list[Any] = []
        if isinstance(value, str):
            options = [short for short in _shorter(value) if len(short) < len(value)]
        elif isinstance(value, dict) and "is" in value:
            options = [value["is"]]
        elif isinstance(value, dict) and "start" in value:
            options = [value["start"]]
        elif isinstance(value, dict) and "roll" in value and len(value) > 1:
            options = [{"roll": value["roll"]}]
        for option in options:
            made = deepcopy(tree)
            _at(made, place[:-1])[place[-1]] = option
            yield made


def _shorter(expression: str) -> Iterator[str]:
    yield from ("1", "0", "yes", "no", "d2", "2d2")
    for inner in re.findall(r"\w[\w.]*\([^()]*\)", expression):
        yield inner
    for inner in re.findall(r"\(([^()]*)\)", expression):
        yield inner
    for found in re.finditer(r"\((.*)\)", expression):
        yield found.group(1)
    for split in (
        " and ",
        " or ",
        " + ",
        " - ",
        " & ",
        " where ",
        " if ",
        " else ",
        " otherwise ",
        " >= ",
        " == ",
        " > ",
    ):
        if split in expression:
            before, _, after = expression.partition(split)
            yield from (before, after)
    yield from re.findall(r"[A-Za-z_][\w.]*", expression)


def _places(tree: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    rows = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in rows:
        if (*above, key) != ("ruleset",):
            yield (*above, key)
            yield from _places(value, (*above, key))


def _at(tree: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        tree = tree[key]
    return tree

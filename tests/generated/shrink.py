"""Makes a game that fails small, as long as it fails in the same way."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from time import monotonic
from typing import Any

from .constructs import read
from .grower import written


def shrunk(text: str, fails: Callable[[str], bool], seconds: float = 60) -> str:
    """The smallest game found for which `fails` is still true, by leaving out and shortening one thing at a time."""
    until = monotonic() + seconds
    tree = read(text)
    smaller = True
    while smaller and monotonic() < until:
        smaller = False
        for change in (_without, _replaced, _renamed_to_short):
            for place in sorted(_places(tree), key=lambda place: -_size(_at(tree, place))):
                for made in change(tree, place):
                    if monotonic() > until:
                        return written(tree)
                    if _still(fails, written(made)):
                        tree, smaller = made, True
                        break
    return written(tree)


def _still(fails: Callable[[str], bool], text: str) -> bool:
    """Whether a game fails; what is no game any more does not."""
    try:
        return fails(text)
    except Exception:
        return False


def _without(tree: Any, place: tuple[Any, ...]) -> Iterator[Any]:
    """The tree without what stands at a place."""
    if _there(tree, place):
        made = deepcopy(tree)
        del _at(made, place[:-1])[place[-1]]
        yield made


def _replaced(tree: Any, place: tuple[Any, ...]) -> Iterator[Any]:
    """The tree with something smaller at a place."""
    if not _there(tree, place):
        return
    value = _at(tree, place)
    options: list[Any] = []
    if isinstance(value, str):
        options = [short for short in dict.fromkeys(_shorter(value)) if len(short) < len(value)]
    elif isinstance(value, dict):
        options = [value[key] for key in ("is", "start") if key in value]
        if "roll" in value and len(value) > 1:
            options.append({"roll": value["roll"]})
    for option in options:
        made = deepcopy(tree)
        _at(made, place[:-1])[place[-1]] = option
        yield made


def _renamed_to_short(tree: Any, place: tuple[Any, ...]) -> Iterator[Any]:
    """The tree with a generated name, such as `number12`, written as one letter."""
    name = place[-1]
    if not isinstance(name, str) or not re.fullmatch(r"[a-z_]+\d+", name) or not _there(tree, place):
        return
    text = written(tree)
    for short in ("a", "b", "c", "e", "f", "g", "h", "k", "m", "n", "o", "p", "q", "r", "s", "t", "u", "v"):
        if not re.search(rf"\b{short}\b", text):
            yield read(re.sub(rf"\b{name}\b", short, text))
            return


def _shorter(expression: str) -> Iterator[str]:
    yield from ("1", "0", "yes", "no", "d2", "2d2")
    for inner in re.findall(r"\w[\w.]*\([^()]*\)", expression):
        yield inner
    for inner in re.findall(r"\(([^()]*)\)", expression):
        yield inner
    for found in re.finditer(r"\((.*)\)", expression):
        yield found.group(1)
    for split in (" and ", " or ", " + ", " - ", " & ", " where ", " if ", " else ", " otherwise ", " >= ", " == ",
                  " > ", " < ", ", ", "not "):  # fmt: skip
        if split in expression:
            before, _, after = expression.partition(split)
            yield from (before, after)
    for call in re.finditer(r"\([^()]*\)", expression):  # a bracket inside of it becomes a number
        yield expression[: call.start()] + "1" + expression[call.end() :]
    yield from re.findall(r"[A-Za-z_][\w.]*", expression)


def _places(tree: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    rows = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in rows:
        if (*above, key) not in (("ruleset",), ("game",), ("game", "ruleset")):
            yield (*above, key)
        yield from _places(value, (*above, key))


def _size(tree: Any) -> int:
    inside = tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ()
    return 1 + sum(map(_size, inside))


def _there(tree: Any, place: tuple[Any, ...]) -> bool:
    try:
        _at(tree, place)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _at(tree: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        tree = tree[key]
    return tree

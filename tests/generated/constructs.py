"""Which words of the language a text uses: verbs, keys, functions and operators, found by the grammar itself.

`python -m tests.generated.constructs` counts them in the bundled rulesets, the pages and the tests, and writes
`usage.yaml`, which the generator takes its weights from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml

from interpreter.runtime import functions
from interpreter.syntax import grammar, verb_grammar
from interpreter.syntax.shapes import (
    AnyOf,
    ByKey,
    ByVerb,
    Expression,
    Form,
    FreeForm,
    ListOf,
    MapOf,
    Name,
    OneOf,
    Prose,
    Ref,
    Shape,
)

ROOT = Path(__file__).resolve().parents[2]
USAGE = Path(__file__).with_name("usage.yaml")

OPERATORS = {
    "where": r"\bwhere\b", "by": r"\bby\b", "otherwise": r"\botherwise\b", "if": r"\bif\b", "and": r"\band\b",
    "or": r"\bor\b", "not": r"\bnot\b", "is": r"\bis\b", "in": r"\bin\b", "given": r"\bgiven\(",
    "+": r"\+", "-": r"-", "*": r"\*", "/": r"/", "&": r"&", "==": r"==", "!=": r"!=", "<": r"<(?!=)", "<=": r"<=",
    ">": r">(?!=)", ">=": r">=", "chained": r"<=?[^<>=]+<=?", "list": r"\[", "earlier": r"\bearlier\b",
    "nth": r"\bnth\b", "it": r"\bit\b", "face": r"\bface\b", "value": r"\bvalue\b", "size": r"\bsize\b",
    "part": r"\bpart\b", "tags": r"\btags\b", "counts": r"\bcounts\b", "throws": r"\.throws\b",
    "height": r"\.height\b", "width": r"\.width\b", "outcome": r"\.outcome\b", "happened": r"\.happened\b",
    "excess": r"\bexcess\b", "before": r"\.before\b", "after": r"\.after\b", "amount": r"\.amount\b",
    "owner": r"\bowner\b", "actor": r"\bactor\b", "event": r"\bevent\.", "scene": r"\bscene\.",
    "spent": r"\bspent\.", "chooser": r"\bchooser\b", "options": r"\boptions\.", "no_dice": r"\bno_dice\b",
    "dice of a number": r"\)d\d", "base": r"\bbase\b", "dice": r"\.dice\b", "pips": r"\.pips\b",
}  # fmt: skip
"""What expressions are made of besides functions, and how each is recognised."""

FUNCTIONS = (*functions.FUNCTIONS, *functions.FORMS)


def read(text: str) -> Any:
    """A YAML text with every plain value as text."""
    return yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))


def used(tree: Any) -> set[str]:
    """The constructs that a ruleset, a house rule or a scene file uses, each by a name such as `verb roll`."""
    form = "state" if "state" in tree else "layer" if "extends" in tree else "part" if "part_of" in tree else "ruleset"
    return set(_in_shape(tree, Ref(form), form))


def _in_shape(node: Any, shape: Shape | Form, place: str) -> Iterator[str]:
    match shape:
        case Prose() | Name():
            return
        case FreeForm():
            yield from _in_free(node)
        case Expression():
            yield from _in_expression(node)
        case OneOf():
            yield f"word {place}: {node}"
        case Ref(name):
            yield from _in_form(node, grammar.FORMS[name], name)
        case MapOf(of):
            for value in node.values() if isinstance(node, dict) else ():
                yield from _in_shape(value, of, place)
        case ListOf(of):
            for value in node if isinstance(node, list) else ():
                yield from _in_shape(value, of, place)
        case ByVerb():
            for verb in verb_grammar.verbs_in(node)[:1]:
                yield f"verb {verb}"
                yield from _in_form(node, verb_grammar.VERBS[verb], f"step {verb}")
        case ByKey(key, has, has_not):
            yield from _in_shape(node, has if key in node else has_not, place)
        case AnyOf(of):
            yield from _in_shape(node, _fitting(node, of), place)


def _in_form(node: Any, form: Form, place: str) -> Iterator[str]:
    for key, value in node.items() if isinstance(node, dict) else ():
        if key in form.keys:
            yield key_named(place, key)
            yield from _in_shape(value, form.keys[key], f"{place}.{key}")


def key_named(place: str, key: str) -> str:
    """The name of a key in a form; what nearly every form has is one construct."""
    if key in ("about", "cites", "title"):
        return f"key {key}"
    return f"key step.{key}" if place.startswith("step ") and key in ("if", "else") else f"key {place}.{key}"


def _fitting(node: Any, shapes: Iterable[Shape]) -> Shape:
    """The shape of several that a node of this kind has."""
    shapes = tuple(shapes)
    wanted: tuple[type, ...] = (Expression, OneOf, Name, Prose)
    if isinstance(node, dict):
        wanted = (ByVerb, ByKey, Ref, MapOf)
    elif isinstance(node, list):
        wanted = (ListOf, Expression)
    for shape in shapes:
        if isinstance(shape, OneOf) and node in shape.words:
            return shape
    found = [shape for shape in shapes if isinstance(shape, wanted) and not isinstance(shape, OneOf)]
    return (found or [shape for shape in shapes if isinstance(shape, wanted)] or [FreeForm()])[0]


def _in_free(node: Any) -> Iterator[str]:
    """What stands where anything may, such as the value of a change: a step by its verb, or expressions."""
    if isinstance(node, dict):
        if any(key in verb_grammar.VERBS for key in node):
            yield from _in_shape(node, ByVerb(), "")
        else:
            for value in node.values():
                yield from _in_free(value)
    else:
        yield from _in_expression(node)


def _in_expression(node: Any) -> Iterator[str]:
    if isinstance(node, list):
        yield "operator list"
        for one in node:
            yield from _in_expression(one)
        return
    text = str(node)
    for name in re.findall(r"\b([a-z_]+)\(", text):
        if name in FUNCTIONS:
            yield f"function {name}"
    for name, pattern in OPERATORS.items():
        if re.search(pattern, text):
            yield f"operator {name}"


def language() -> dict[str, list[str]]:
    """Every construct that there is, by its kind."""
    keys = [key_named(name, key) for name, form in grammar.FORMS.items() for key in form.keys]
    keys += [
        key_named(f"step {verb}", key) for verb, form in verb_grammar.VERBS.items() for key in form.keys if key != verb
    ]
    keys = list(dict.fromkeys(keys))
    return {
        "verb": [f"verb {verb}" for verb in verb_grammar.VERBS],
        "function": [f"function {name}" for name in FUNCTIONS],
        "operator": [f"operator {name}" for name in OPERATORS],
        "key": keys,
    }


# What people write ------------------------------------------------------------------------------------------------


def written_by_people() -> Iterator[Any]:
    """Every ruleset, house rule and scene file of the project: bundled, on its pages, in its tests."""
    files = [*ROOT.glob("rulesets/**/*.yaml"), *ROOT.glob("tests/**/*.yaml")]
    texts = [path.read_text("utf-8") for path in files if "rejected" not in path.parts]
    for page in sorted(ROOT.glob("docs/**/*.md")):
        texts += re.findall(r"```yaml\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    for test in sorted(ROOT.glob("tests/test_*.py")):
        texts += re.findall(r'"""\n?(ruleset:.*?)"""', test.read_text("utf-8"), re.DOTALL)
    for text in texts:
        try:
            tree = read(text)
        except yaml.YAMLError:
            continue
        if isinstance(tree, dict):
            yield tree


def main() -> None:
    """Count, and write the table."""
    counts: Counter[str] = Counter()
    for tree in written_by_people():
        counts.update(used(tree))
    table = {kind: {one.partition(" ")[2]: counts[one] for one in ones} for kind, ones in language().items()}
    head = "# In how many texts of the project each construct is used: `python -m tests.generated.constructs`.\n"
    USAGE.write_text(head + yaml.safe_dump(table, sort_keys=False), "utf-8")


if __name__ == "__main__":
    main()

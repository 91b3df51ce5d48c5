"""The published schemas take the files whose shape the checker takes, each kind by its own and all by `any.json`."""

from __future__ import annotations

import copy
import json
import random
import re
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from interpreter import bundled
from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source
from interpreter.syntax import document, json_schemas, schema
from interpreter.syntax.document import Mapping, Scalar, Sequence

ROOT = Path(__file__).parent.parent.parent


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((bundled.schemas() / f"{name}.json").read_text("utf-8")))


def kind_of(data: Any) -> str:
    told_by = {"part_of": "part", "state": "scene", "extends": "house-rule", "changes": "house-rule"}
    return next((kind for key, kind in told_by.items() if key in data), "ruleset")


def fits(data: Any) -> bool:
    """Whether the published schemas take a file."""
    own, every = (validator(name).is_valid(data) for name in (kind_of(data), "any"))
    assert own == every
    return own


def is_shaped(text: str, kind: str) -> bool:
    """Whether the checker takes the shape of a file."""
    problems = Problems()
    tree = document.parse(Source.of("text", text), problems)
    assert tree is not None
    schema.conform(tree, json_schemas.FILES[kind], problems)
    return not problems.errors


def plain(node: document.Node) -> Any:
    """A tree as plain data, every value as it is written."""
    match node:
        case Scalar():
            return None if node.is_empty else node.text
        case Sequence(items):
            return [plain(item) for item in items]
        case Mapping(entries):
            return {one.key.text: plain(one.value) for one in entries}
    raise AssertionError


def as_json(value: Any) -> Any:
    """What an editor makes of YAML: keys are text, and there are no dates."""
    if isinstance(value, dict):
        return {str(key): as_json(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_json(inner) for inner in value]
    return str(value) if isinstance(value, date) else value


@cache
def texts() -> dict[str, str]:
    """Every YAML file of the project, and every whole file among the snippets of the pages, that can be read."""
    found = {}
    for folder in ("rulesets", "tests"):
        for path in sorted((ROOT / folder).rglob("*.yaml")):
            found[path.relative_to(ROOT).as_posix()] = path.read_text("utf-8")
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        for snippet in re.finditer(r"^```yaml[^\n]*\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL):
            if re.search(r"^(ruleset|part_of|state):", snippet[1], re.MULTILINE):
                found[f"{page.name}:{snippet.start()}"] = snippet[1]
    return found


@cache
def files() -> dict[str, Any]:
    """The texts as plain data."""
    found = {}
    for name, text in texts().items():
        problems = Problems()
        tree = document.parse(Source.of(name, text), problems)
        if isinstance(tree, Mapping) and not problems.errors:
            found[name] = plain(tree)
    return found


@pytest.mark.thorough
def test_each_file_of_a_right_shape_fits_its_schema_and_no_other_does() -> None:
    kinds = {kind_of(data) for data in files().values()}
    assert kinds == set(json_schemas.FILES) and len(files()) > 400
    # An empty block of text is told by the checker alone: a schema sees text.
    wrong = [
        name
        for name, data in files().items()
        if fits(data) != is_shaped(texts()[name], kind_of(data)) and "empty-block" not in name
    ]
    assert wrong == []


def test_what_another_reader_makes_of_a_bundled_file_fits_too() -> None:
    for name in files():
        if name.startswith("rulesets/"):
            data = as_json(yaml.load(texts()[name], Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
            assert fits(data), name


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every place in plain data, as what holds it and the key or number there."""
    found, stack = [], [data]
    while stack:
        here = stack.pop()
        if isinstance(here, dict):
            found += [(here, key) for key in here]
            stack += here.values()
        elif isinstance(here, list):
            found += [(here, number) for number in range(len(here))]
            stack += here
    return found


def with_a_slip(data: Any, rng: random.Random) -> Any:
    """A copy of a file in which a key is gone, misspelt or strange, or a value of another kind."""
    data = copy.deepcopy(data)
    holder, key = rng.choice(places(data))
    match rng.randrange(6):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[f"{key}x"] = holder.pop(key)
        case 2 if isinstance(holder, dict):
            holder[key] = rng.choice([[], ["a"], {"a": "b"}, {"is": "1"}, "b", None, "yes", [{"a": "1"}]])
        case 3 if isinstance(holder, dict):
            added = rng.choice(["roll", "is", "steps", "about", "cites", "strange", "if", "type"])
            holder[added] = rng.choice(["1", ["1"], {"a": "1"}])
        case 4:
            holder[key] = {"x": holder[key]}
        case _:
            holder[key] = [holder[key]]
    return data


def test_a_slip_of_shape_is_refused_by_the_schemas_as_by_the_checker() -> None:
    rng = random.Random(16)
    small = [data for name, data in files().items() if len(texts()[name]) < 3000]
    told = []
    for _ in range(600):
        before = rng.choice(small)
        data = with_a_slip(before, rng)
        if kind_of(data) == kind_of(before):
            text = json.dumps(data).replace(": null", ": ")
            told.append((fits(data), is_shaped(text, kind_of(data)), text))
    assert [text for fit, shaped, text in told if fit != shaped] == []
    assert sum(not fit for fit, _, _ in told) > len(told) / 3


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("{ruleset: a, mechanic: {}}", "a misspelt section"),
        ("{ruleset: a, mechanics: {b: {step: {c: 1}}}}", "a misspelt key"),
        ("{ruleset: a, mechanics: {b: {steps: {c: {rol: d6}}}}}", "a misspelt verb"),
        ("{ruleset: a, mechanics: {b: {steps: {c: {about: d6}}}}}", "no verb"),
        ("{ruleset: a, mechanics: {b: {steps: {c: {roll: d6, choose: one}}}}}", "two verbs"),
        ("{ruleset: a, mechanics: {b: {steps: [1]}}}", "a list in place of names"),
        ("{extends: a, changes: {}}", "a house rule without a name"),
        ("{ruleset: a, extends: b, changes: {c.d: {sett: 1, because: x}}}", "a misspelt change"),
        ("{part_of: a, extends: b}", "a part that extends"),
        ("{state: a, things: {}}", "a scene for no ruleset"),
        ("{state: a, of: b, mechanics: {}}", "rules in a scene file"),
        ("[ruleset]", "no entries"),
    ],
)
def test_a_typical_slip_is_refused(text: str, slip: str) -> None:
    data = yaml.safe_load(text)
    assert not fits(data), slip

"""The reader in Python and libyaml take and refuse the same texts, and make the same trees with the same places."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from interpreter import pipeline
from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source
from interpreter.syntax import document, yaml_scanner
from interpreter.syntax.document import Broken, Mapping, Scalar, Sequence

ROOT = Path(__file__).parent.parent.parent
SIGNS = [
    *"?:,[]{}#&*!|>'\"%@`-+ \t\n\\x.~=ab01",
    *("---", "...", "- ", ": ", " #", "? ", "\\u12", "\n  ", "\n\n", "??", ":?", "|\n", "|2", ">-\n", '"\n'),
    *("%YAML 1.2\n", "%TAG ! a\n", "!t ", "&a ", "*a", "''", "[? ", "{? "),
]
ODD = [
    "{ask: Burn essence?, else: no}",
    "{a?b: c?d}",
    "{?a: 1}",
    "[? ]",
    "{? \n  }",
    "{a: , b: }",
    "{a:{b: 1}}",
    "a:\tb\tc  \td",
    "a: |#no\n  text\n\ttab",
    "a: >-\n  one\n   two\n\n  three\n",
    'a: "one\\\n   two\n\n  three \\u00e9 \\q"',
    "a: 'it''s\n\n  so'",
    "[\n blows:",
    "%YAML 1.1\n--- {a: 1}\n",
    "%a",
    "%TAG 00! tag:t,2000:\n---\na: !x 1",
    "!b!t",
    "!t, [",
    "a: b\n%c",
    "a: \u2028b",
    "a: \x85b",
    "a: \uffffb",
]

EMPTY_KEY = re.compile(r"\?\s*\]")

needs_libyaml = pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")


def plain(node: document.Node | None) -> Any:
    """A tree with its places as plain data."""
    match node:
        case Scalar(text, span, style):
            return text, style, span.start, span.end
        case Sequence(items, span):
            return [plain(item) for item in items], span.start, span.end
        case Mapping(entries, span):
            return [(plain(one.key), plain(one.value)) for one in entries], span.start, span.end
        case Broken(span):
            return "broken", span.start, span.end
    return None


def read(text: str, loader: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a loader makes of a text: its tree, and all that is reported."""
    monkeypatch.setattr(yaml_scanner, "LOADER", loader)
    problems = Problems()
    tree = document.parse(Source.of("text", text), problems)
    return plain(tree), [(one.code, one.span.start, one.span.end, one.message, one.help) for one in problems]


def differences(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any, Any]]:
    """The texts of which the two loaders make something different, with what each makes of it.

    libyaml before 0.2.6 skips the `]` after an empty key; texts with such a key are left out there.
    """
    skips = yaml.__with_libyaml__ and yaml._yaml.get_version() < (0, 2, 6)  # type: ignore[attr-defined]
    found = []
    for text in texts:
        first, second = read(text, yaml.CSafeLoader, monkeypatch), read(text, yaml_scanner.PythonLoader, monkeypatch)
        if repr(first) != repr(second) and not (skips and EMPTY_KEY.search(text)):
            found.append((text, first, second))
    return found


@cache
def texts() -> list[str]:
    """Every YAML text of the project: files, snippets of the pages, hostile files."""
    files = [path for folder in ("rulesets", "tests", "docs") for path in sorted((ROOT / folder).rglob("*.yaml"))]
    found = [path.read_text("utf-8") for path in files]
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        found += re.findall(r"^```yaml.*?\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    for line in (ROOT / "tests" / "hostile" / "files.jsonl").read_text("utf-8").splitlines():
        text = json.loads(line)["text"]
        text = text if isinstance(text, str) else "".join(piece * times for piece, times in text)
        found += [text] if len(text) < 10_000 else []
    return found


def mutated(rng: random.Random) -> str:
    """A few lines of one of the texts, with signs put in, taken out and moved."""
    lines = rng.choice(texts()).split("\n")
    count = rng.randint(1, 8)
    first = rng.randrange(max(1, len(lines) - count + 1))
    text = "\n".join(lines[first : first + count])
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        at = rng.randint(0, len(text))
        match rng.randrange(4):
            case 0 | 1:
                text = text[:at] + rng.choice(SIGNS) + text[at:]
            case 2:
                text = text[:at] + rng.choice(["", rng.choice(SIGNS)]) + text[at + 1 :]
            case _:
                to = rng.randint(0, len(text))
                text = text[:to] + text[at : at + rng.randint(0, 12)] + text[to:]
    return text


@pytest.mark.thorough
@needs_libyaml
def test_every_text_of_the_project_is_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(texts()) > 500
    assert differences(texts() + ODD, monkeypatch) == []


@needs_libyaml
def test_texts_with_slips_are_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(16)
    assert differences([mutated(rng) for _ in range(2000)], monkeypatch) == []


@needs_libyaml
def test_signs_at_random_are_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(16)
    made = ["".join(rng.choice(SIGNS) for _ in range(rng.randint(1, 12))) for _ in range(2000)]
    assert differences(made, monkeypatch) == []


@pytest.mark.parametrize("name", ["fate", "genesys"])
def test_a_bundled_game_loads_without_libyaml(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_scanner, "LOADER", yaml_scanner.PythonLoader)
    assert list(pipeline.from_path(ROOT / "rulesets" / name / f"{name}.yaml").problems) == []


def test_without_libyaml_the_python_loader_is_taken(pytestconfig: pytest.Config) -> None:
    wanted = yaml_scanner.PythonLoader if pytestconfig.getoption("--python-yaml") else yaml.CSafeLoader
    assert not yaml.__with_libyaml__ or yaml_scanner.LOADER is wanted

"""YAML with slips: the texts of the project with signs put in, taken out and moved, and signs at random."""

from __future__ import annotations

import json
import random
import re
from functools import cache
from pathlib import Path

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


def at_random(rng: random.Random) -> str:
    """A few signs at random."""
    return "".join(rng.choice(SIGNS) for _ in range(rng.randint(1, 12)))

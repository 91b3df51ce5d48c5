"""Every reader of YAML makes the same of a file: `check` warns where one does not, and what `fmt` writes is safe.

The readers are those of `readers/`. They are compared key by key and text by text; which type one gives a text does not
matter, unless it refuses the file for it or takes two keys for one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import readers
import test_docs
import yaml
from click.testing import CliRunner
from oldest import oldest
from readers import slips

import interpreter
from interpreter.cli import group
from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source
from interpreter.formatting.layout import lay_out
from interpreter.formatting.proof import have_same_meaning
from interpreter.formatting.scalar_text import is_plain
from interpreter.syntax import document, yaml_events
from interpreter.syntax.document import Broken, Mapping, Scalar, Sequence

ROOT = Path(interpreter.__file__).parent.parent
needs_libyaml = pytest.mark.skipif(not yaml.__with_libyaml__, reason="PyYAML was built without libyaml")


def hold(texts: Iterable[str], without: Collection[str] = ()) -> None:
    """Hold that every reader that is there reads each text as rulesets are read, `without` some."""
    several = list(texts)
    for text, found in zip(several, readers.readings(several, without), strict=True):
        assert readers.differing(text, found) == {}, text


def warned(text: str) -> bool:
    """Whether `check` says that some reader may not read a text, or not so."""
    problems = Problems()
    document.parse(Source.of("file.yaml", text), problems)
    return any(one.code == "HR923" for one in problems)


# What the project writes -----------------------------------------------------------------------------------------

BUNDLED = sorted((ROOT / "rulesets").rglob("*.yaml"), key=lambda file: file.stat().st_size)
SLOW = {"ruamel.yaml 1.1", "ruamel.yaml 1.2"}


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.thorough) for part in range(1, 8))])
def test_the_bundled_files(part: int) -> None:
    """`check` warns of the others in every test of them."""
    hold(file.read_text("utf-8") for file in BUNDLED[part::8])


def test_other_files() -> None:
    files = [file for folder in ("integrations", ".github") for file in (ROOT / folder).rglob("*.y*ml")]
    others = [file for file in files if "node_modules" not in file.parts]
    codes = ROOT / "interpreter" / "diagnostics" / "codes.yaml"
    hold((file.read_text("utf-8") for file in [codes, ROOT / ".pre-commit-hooks.yaml", *others]), SLOW)


def test_the_examples_of_the_pages() -> None:
    hold((block.text for block in test_docs.of("yaml")), SLOW)


STARTERS = [
    ("game", "market"), ("game", "moves", "--from", "pbta"), ("rule", "bold", "--over", "pbta"),
    ("scene", "stand", "--over", "fiend-wake"),
]  # fmt: skip


def test_what_init_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in STARTERS:
        assert CliRunner().invoke(group, ["init", *words]).exit_code == 0
    hold((file.read_text("utf-8") for file in tmp_path.rglob("*.yaml")), SLOW)


def test_the_readers_in_javascript_are_there_where_npm_can_reach_them() -> None:
    if not readers.installed():
        pytest.skip("Node.js or the packages of npm are not there")
    assert len(readers.readings(["a: b"])[0]) == len(readers.READERS) + 4


# Single texts ----------------------------------------------------------------------------------------------------

PIECES = [
    *"?:-,[]{}#&*!|>'\"%@`~=<.+/\\_^$;ab01éß漢א", "  ", " ", "\t", " #", " :", ": ", "- ", " -", "<<", "null", "yes",
    "on", "off", "0o7", "010", "1:30", "190:20:30", "1_000", ".5", "0b_", "0x_", "0b1", "2024-13-45", "2024-01-02",
    "2001-12-14t21:59:43.10-05:00", "---", "...", "\u00a0", "\U0001f3b2", ".inf", ".nan", "1e3", "0x", "'s", "\ue000",
]  # fmt: skip
FORMS = {
    "x: {}\n": (False, False), "{}: x\n": (False, True), "a:\n  b:\n    {}: x\n    c: y\n": (False, True),
    "- a\n- {}\n": (False, False), "- {}: x\n  c: y\n": (False, True), "a: {{a: b, x: {}, c: d}}\n": (True, False),
    "a: {{a: b, {}: x, c: d}}\n": (True, True), "a: {{x: {}}}\n": (True, False), "a: {{{}: x}}\n": (True, True),
    "a: [a, {}, b]\n": (True, False), "a: [{}]\n": (True, False),
}  # fmt: skip
"""Places of a text: how it stands in a file, whether in braces or brackets, and whether as a key."""
TRAPS = [
    "Again?", "a ? b", "=", "<<", "-", "---", "--- a", "... a", "2024-13-45", "2024-1-2", "0b_", "-0x__", "9" * 5000,
    "a\tb", "?", "? a",
]  # fmt: skip
TYPED = ["yes", "no", "on", "Off", "~", "null", "010", "0o7", "1:30", "1_000", ".5", "1e3", ".inf", "0x1F", "+1"]
"""Texts that readers give other types, and of which they keep the text."""


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 10))])
def test_plain_texts_are_plain_for_everybody(seed: int) -> None:
    rng = random.Random(seed)
    texts = ["".join(rng.choices(PIECES, k=rng.randint(1, 4))) for _ in range(50)] + TRAPS[seed::2] + TYPED[seed::2]
    hold(form.format(text) for text in texts for form, place in FORMS.items() if is_plain(text, *place))


@pytest.mark.parametrize("text", TYPED)
def test_what_has_another_type_elsewhere_needs_no_quotes(text: str) -> None:
    assert all(is_plain(text, *place) for place in FORMS.values())


KEYS = ["1", "01", "1.0", "+1", "0x1", "yes", "on", "Yes", "y", "true", "no", "off", "0", "~", "null", "010", "8", "10",
        "1:30", "90", "1_0", ".5", "0.5", "a", "b", "'1'", "'true'", "'90'"]  # fmt: skip


def test_keys_that_somebody_takes_for_one_are_told_apart() -> None:
    pairs = [(one, other) for n, one in enumerate(KEYS) for other in KEYS[n + 1 :] if one != other.strip("'")]
    texts = [f"{one}: x\n{other}: y\n" for one, other in pairs]
    for text, found in zip(texts, readers.readings(texts, SLOW), strict=True):
        assert warned(text) or readers.differing(text, found) == {}, text
    assert not warned("1: x\n2: y\n03: z\n3-4: c\na: {yes: a, no: b}\n")
    hold([lay_out(Source.of("file.yaml", "".join(f"x{n}:\n  {one}: a\n  {other}: b\n"
                                                   for n, (one, other) in enumerate(pairs))))])  # fmt: skip


# Whole texts with slips ------------------------------------------------------------------------------------------

ODD = [
    "a: {b: c?, d: e}\n",
    "a: [b?]\n",
    "a:\tb\tc\n",
    "a: b\t# c\n",
    "a: {b: 1}# c\n",
    "a: |# no\n  text\n",
    "a: {\n  b: 1\n}\n",
    'a: "b\nc"\n',
    "a:\n>-\n b\n",
    "a:\n  - {b:\n  c}\n",
    "? a\n: b\n",
    "a: {? b : c}\n",
    "a: |\n  b",
    "a: >\n  b\n  c",
    "1: a\n01: b\n",
    "a: =\n",
]
"""One text for each thing that is warned of."""


@pytest.mark.parametrize("text", ODD)
def test_what_is_odd_is_warned_of_and_laid_out(text: str) -> None:
    assert warned(text)
    source = Source.of("file.yaml", text)
    new = lay_out(source)
    assert have_same_meaning(source, Source.of("file.yaml", new)) and not warned(new)
    hold([new])


def sound_slips(rng: random.Random) -> Iterator[str]:
    """Texts with slips in which no error is found."""
    while True:
        text = slips.mutated(rng) if rng.random() < 0.7 else slips.at_random(rng)
        if len(text) < 1500 and isinstance(readers.our_tree(text), dict | list):
            yield Source.of("file.yaml", text).text


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 20))])
def test_a_text_with_slips_is_warned_of_or_read_alike(seed: int) -> None:
    texts = list(islice(sound_slips(random.Random(seed)), 40))
    for text, found in zip(texts, readers.readings(texts), strict=True):
        assert warned(text) or readers.differing(text, found) == {}, text
    new = [lay_out(Source.of("file.yaml", text)) for text in texts if not EMPTY_KEY.search(text)]
    assert [text for text in new if warned(text)] == []
    hold(new)


EMPTY_KEY = re.compile(r"\?")


# The two readers of rulesets -------------------------------------------------------------------------------------


def places(node: document.Node | None) -> Any:
    """A tree with its places as plain data."""
    match node:
        case Scalar(text, span, style):
            return text, style, span.start, span.end
        case Sequence(items, span):
            return [places(item) for item in items], span.start, span.end
        case Mapping(entries, span):
            return [(places(one.key), places(one.value)) for one in entries], span.start, span.end
        case Broken(span):
            return "broken", span.start, span.end
    return None


def read(text: str, loader: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, list[Any], bool]:
    """What a loader makes of a text: its tree with places, what is reported, and whether an error is."""
    monkeypatch.setattr(yaml_events, "LOADER", loader)
    problems = Problems()
    tree = document.parse(Source.of("text", text), problems)
    told = [(one.code, one.span.start, one.span.end, one.message, one.help) for one in problems]
    return places(tree), told, bool(problems.errors)


def hold_both(texts: Iterable[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold that both readers give the same places; a text that one of them refuses is warned of by the other."""
    for text in texts:
        fast, slow = read(text, yaml.CSafeLoader, monkeypatch), read(text, yaml.SafeLoader, monkeypatch)
        if not fast[2] and not slow[2]:
            assert fast == slow, text
        elif fast[2] != slow[2]:
            assert any(told[0] == "HR923" for told in fast[1] + slow[1]), text


@needs_libyaml
@pytest.mark.parametrize("seed", range(2))
def test_both_readers_give_the_same_places(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    hold_both([slips.mutated(rng) for _ in range(400)], monkeypatch)
    hold_both([slips.at_random(rng) for _ in range(400)], monkeypatch)
    hold_both(slips.ODD + ODD + ['a: {"b":[c], "d":{e: 1}, f: [g:{h: 1}]}'], monkeypatch)


@needs_libyaml
@pytest.mark.thorough
def test_both_readers_read_every_text_of_the_project_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(slips.texts()) > 500
    hold_both(slips.texts(), monkeypatch)


def test_without_libyaml_the_reader_in_python_is_taken(pytestconfig: pytest.Config) -> None:
    wanted = yaml.SafeLoader if pytestconfig.getoption("--python-yaml") else yaml.CSafeLoader
    assert not yaml.__with_libyaml__ or yaml_events.LOADER is wanted


def test_each_package_that_is_needed_has_a_lower_bound() -> None:
    """`python -m tests.oldest` installs just these, each of which its bound says."""
    pins = dict(one.split("==") for one in oldest())
    assert {"click", "jsonschema", "pyyaml", "numpy", "pytest"} <= pins.keys()

"""Hostile and careless text: whatever is handed in, it is taken or refused in words, soon, and never breaks.

`hostile/` holds expressions and files that were collected against other loaders: giant numbers, bombs, escapes to
the host's objects, depths, odd characters, Python of every kind. A row's `text` is the input, or pieces with how
often each stands.
"""

from __future__ import annotations

import gc
import json
import random
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import games
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import interpreter
from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.diagnostics import HouseruleError, PlayError, RulesetError
from interpreter.diagnostics.source import Source, Span
from interpreter.ir import types as t
from interpreter.syntax.document import Scalar

FOLDER = Path(__file__).parent / "hostile"
SOON = 0.5
"""Seconds that one text may take; the promise is a tenth of it, and test machines are slow and busy."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Hold what is done inside to ``seconds`` of this thread.

    Garbage is not collected meanwhile: a worker that has run thousands of tests walks all that they left,
    which took 0.7 seconds of a text that is refused in two thousandths of a second.
    """
    gc.disable()
    began = time.thread_time()
    try:
        yield
        took = time.thread_time() - began
    finally:
        gc.enable()
    assert took < seconds


PLAIN = interpreter.loads("ruleset: plain\nmechanics: {strike: {steps: {total: {roll: d6}}}}")


def rows(name: str) -> Iterator[Any]:
    for line in (FOLDER / name).read_text("utf-8").splitlines():
        row = json.loads(line)
        text = row["text"] if isinstance(row["text"], str) else "".join(piece * times for piece, times in row["text"])
        yield pytest.param({**row, "text": text}, id=row["id"])


@pytest.mark.parametrize("row", list(rows("expressions.jsonl")))
def test_a_hostile_expression_is_refused_at_once_and_at_its_place(row: dict[str, str]) -> None:
    source = Source.of("typed", row["text"])
    scalar = Scalar(source.text, Span(source, 0, len(source.text)), "'")
    names = {"hp": (t.NUMBER, 10), "mp": (t.NUMBER, 3)}
    with within(SOON):
        try:
            value = PLAIN.reader().expression(scalar, None, names)
        except PlayError as error:
            assert error.diagnostic.line >= 1 and error.diagnostic.column >= 1
        else:
            assert row["want"] == "value-ok" and isinstance(value, int)


@pytest.mark.parametrize("row", list(rows("expressions.jsonl")))
def test_a_ruleset_with_a_hostile_expression_is_refused(row: dict[str, str]) -> None:
    text = f"ruleset: hostile\nmechanics: {{strike: {{steps: {{total: {json.dumps(row['text'])}}}}}}}\n"
    with within(SOON):
        try:
            game = interpreter.loads(text)
        except RulesetError as error:
            assert all(one.code and one.message for one in error.diagnostics)
        else:
            assert row["want"] == "value-ok" or row["text"] == "1/0"
            if row["text"] == "1/0":
                with pytest.raises(PlayError, match="HR632"):
                    game.roll("strike")


@pytest.mark.parametrize("row", list(rows("files.jsonl")))
@pytest.mark.parametrize("before", ["", "ruleset: hostile\nmechanics: {strike: {steps: {total: 1}}}\n"])
def test_a_hostile_file_is_refused_soon_and_in_words(before: str, row: dict[str, str]) -> None:
    if before and not row["text"]:
        return
    with within(2 * SOON):
        with pytest.raises(RulesetError) as caught:
            interpreter.loads(before + row["text"], name="hostile.yaml")
        assert caught.value.diagnostics
        for one in caught.value.diagnostics:
            assert one.path == "hostile.yaml" and one.line >= 1 and one.column >= 1


DEEP = {
    "brackets": "(" * 40 + "n" + ")" * 40,
    "not": "not " * 249 + "b",
    "minus": "-" * 299 + "n",
    "sum": " + ".join(["n"] * 150),
    "and": " and ".join(["b"] * 140),
    "if": "1 if b else " * 70 + "2",
    "conditions": "(n if b else " * 38 + "n" + ")" * 38,
    "calls": "max(1, " * 40 + "n" + ")" * 40,
    "lists": "[" * 40 + "n" + "]" * 40,
    "products": "*".join(["n"] * 150),
    "pools": " & ".join(["d6"] * 150),
    "where": "upto(3)" + " where it > 0" * 50,
}


@pytest.mark.parametrize("name", DEEP)
def test_an_expression_as_deep_as_allowed_is_played(name: str) -> None:
    text = f"ruleset: deep\nmechanics: {{m: {{inputs: {{b: yes_no, n: number}}, steps: {{x: '{DEEP[name]}'}}}}}}"
    value = interpreter.loads(text).roll("m", b=True, n=1).values["x"]
    source = Source.of("typed", DEEP[name])
    scalar = Scalar(source.text, Span(source, 0, len(source.text)), "'")
    names = {"b": (t.YES_NO, True), "n": (t.NUMBER, 1)}
    assert PLAIN.reader().expression(scalar, None, names) == value


@pytest.mark.parametrize(("limit", "stack"), [(1000, 512 * 1024), (200, 0), (60, 0)])
def test_little_room_to_call_brings_no_raw_error(limit: int, stack: int) -> None:
    broken: list[BaseException] = []

    def work() -> None:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(limit)
        try:
            for text in [*DEEP.values(), "[" * 63 + "]" * 63]:
                try:
                    made = (
                        f"ruleset: deep\nmechanics: {{m: {{inputs: {{b: yes_no, n: number}}, steps: {{x: '{text}'}}}}}}"
                    )
                    interpreter.loads(made).roll("m", b=True, n=1)
                except HouseruleError:
                    pass
        except BaseException as error:
            broken.append(error)
        finally:
            sys.setrecursionlimit(before)

    size = threading.stack_size(stack)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    threading.stack_size(size)
    assert broken == []


# Mutations of a sound ruleset ------------------------------------------------------------------------------------

SOUND = (FOLDER / "sound.yaml").read_text("utf-8")
LINES = SOUND.split("\n")
WORDS = sorted(set(re.findall(r"[\w.]+|[^\w\s]", SOUND)))
ODD = st.one_of(
    st.sampled_from(["\t", "\x00", "\u00a0", "\u202e", "é", "²", "\ud800", "'", '"', "{", "[", "# "]), st.characters()
)


def test_the_sound_ruleset_is_sound() -> None:
    assert pipeline.from_text(Source.of("sound.yaml", SOUND)).problems.errors == []


def takes_or_refuses(text: str) -> None:
    """Load a text, and play what can be played."""
    try:
        game = interpreter.loads(text)
    except RulesetError as error:
        for one in error.diagnostics:
            assert one.line >= 1 and one.column >= 1 and str(one)
        return
    plays(game)


def plays(game: Game) -> None:
    for rule in game.mechanics.values():
        with suppress(HouseruleError):
            game.roll(rule.name, seed=1)


usual = settings(
    max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None, derandomize=True
)


@pytest.mark.thorough
@usual
@given(st.data())
def test_words_taken_for_others_are_told(data: st.DataObject) -> None:
    words = list(re.finditer(r"[\w.]+|[^\w\s]", SOUND))
    text = SOUND
    for place in sorted(data.draw(st.sets(st.integers(0, len(words) - 1), min_size=1, max_size=3)), reverse=True):
        word = words[place]
        text = text[: word.start()] + data.draw(st.sampled_from(WORDS)) + text[word.end() :]
    takes_or_refuses(text)


@usual
@given(st.integers(0, len(SOUND)), st.integers(0, 6), ODD)
def test_letters_left_out_and_put_in_are_told(place: int, width: int, letter: str) -> None:
    takes_or_refuses(SOUND[:place] + letter + SOUND[place + width :])


@usual
@given(
    st.integers(0, len(LINES) - 1), st.integers(0, len(LINES)), st.sampled_from(["out", "twice", "moved", "in", "back"])
)
def test_lines_left_out_doubled_moved_and_indented_are_told(line: int, other: int, how: str) -> None:
    lines = list(LINES)
    if how in ("out", "moved"):
        lines.pop(line)
    if how in ("twice", "moved"):
        lines.insert(other, LINES[line])
    if how in ("in", "back"):
        lines[line] = f" {lines[line]}" if how == "in" else lines[line][1:]
    takes_or_refuses("\n".join(lines))


@usual
@given(st.text(max_size=200))
def test_any_text_at_all_is_told(text: str) -> None:
    takes_or_refuses(text)
    takes_or_refuses(f"ruleset: any\n{text}")


@usual
@given(st.binary(max_size=200))
def test_any_bytes_at_all_are_told(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_bytes(b"ruleset: any\n" + data)
    for one in interpreter.check(file):
        assert str(one)


@usual
@given(st.lists(st.sampled_from([*WORDS, "2d6", "(", ")", "if", "else", "not"]), max_size=12))
def test_any_words_in_a_row_are_told(words: list[str]) -> None:
    text = " ".join(words)
    source = Source.of("typed", text)
    try:
        PLAIN.reader().expression(Scalar(text, Span(source, 0, len(text)), "'"), None, {"hp": (t.NUMBER, 3)})
    except PlayError as error:
        assert error.diagnostic.message


def test_many_slips_at_once_are_told() -> None:
    chance = random.Random(7)
    words = list(re.finditer(r"\w+", SOUND))
    for _ in range(20):
        text = SOUND
        for word in sorted(chance.sample(words, 40), key=lambda match: -match.start()):
            text = text[: word.start()] + chance.choice(WORDS) + text[word.end() :]
        takes_or_refuses(text)


# What was saved, and changed by another hand -----------------------------------------------------------------------

VALUES = (None, True, -1, 10**30, "", "x", [], {}, [1], {"x": 1}, {"x": []}, 1.5, "none", [[[]]], "2d6")
"""What is put where a saved file has something else."""

KEPT_SOMETIMES = ("part", "ends", "seed", "before", "after")
"""Fields that only some results have."""


def places_of(data: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place inside of saved data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*at, key)
        yield from places_of(value, (*at, key))


def doctored(saved: str, chance: random.Random) -> dict[str, Any]:
    """Saved data with another value somewhere, or without one, or with one more."""
    data: dict[str, Any] = json.loads(saved)
    *above, key = chance.choice([(name,) for name in KEPT_SOMETIMES] if chance.random() < 0.2 else [*places_of(data)])
    inner: Any = data
    for name in above:
        inner = inner[name]
    if chance.random() < 0.2 and key in (inner if isinstance(inner, dict) else ()):
        del inner[key]
    else:
        inner[key] = chance.choice(VALUES)
    return data


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    ("name", "rule", "values"),
    [
        ("fiend-wake", "roll", {"stat": 5, "skill": 3, "difficulty": 7}),
        ("d6", "check", {"code": "3D", "difficulty": 15}),
        ("jadeclaw", "contest", {"own": "d8", "against": "d6"}),
    ],
)
def test_what_was_saved_and_then_changed_is_taken_or_refused(
    name: str, rule: str, values: dict[str, Any], seed: int
) -> None:
    game, chance = games.game(name), random.Random(f"{name} {seed}")
    result = game.roll(rule, seed=seed, inputs=values).to_json()
    session = game.begin(rule, seed=seed, inputs=values).to_json()
    for _ in range(60):
        with suppress(HouseruleError):
            game.replay(doctored(result, chance))
        with suppress(HouseruleError):
            again = game.resume(doctored(session, chance))
            assert again.to_json() and again.host.lines() is not None


@pytest.mark.parametrize("name", ["kth(", "a[", "b\\\\", "c*+"])
def test_a_name_that_is_no_name_is_told_where_it_lacks_too(name: str) -> None:
    """Messages look for names in texts beside them, and an author may write any letters where a name stands."""
    takes_or_refuses(
        f"ruleset: a\nevents:\n  e:\n    inputs: {{'{name}': number}}\n    steps: {{x: 1}}\n"
        "actions: {do: {actor: h, steps: {c: {cause: e, with: 'one two'}}}}\nkinds: {h: {has: {n: number}}}\n"
    )


@pytest.mark.parametrize("gone", ["by", "seed", "trace", "values", "faces", "outcome", "also", "options", "rules"])
def test_a_result_without_a_part_is_replayed_or_refused_in_words(gone: str) -> None:
    data = json.loads(PLAIN.roll("strike", seed=1).to_json())
    del data[gone]
    with suppress(HouseruleError):
        PLAIN.replay(data)

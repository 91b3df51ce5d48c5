"""Whatever a stranger hands over - a file, an input, a saved state or session, a name - is taken or refused with a
diagnostic, and the work that goes into it grows no faster than it is long."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hostile.families import CHAINS, LISTS
from marks import thorough

import interpreter
from interpreter.diagnostics import HouseruleError, PlayError
from interpreter.ir import types as t
from interpreter.syntax.json_text import NotJson, read_json


class TooMuchWork(BaseException):
    """A question has called more functions than it may."""


def work(question: Callable[[], Any], most: int) -> int:
    """How many functions are called to answer a question, whether it is answered or refused."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        if event == "call":
            calls += 1
            if calls > most:
                raise TooMuchWork

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        question()
    except HouseruleError as refused:
        assert refused.diagnostics
    except TooMuchWork:
        pass
    finally:
        sys.setprofile(before)
    return calls


MOST = 1_500_000
"""Calls of functions: a second or two."""
MOST_TO_LOAD = 5_000_000
"""The same for the check of the longest chain, which takes 3.4 million as the first work of a process."""


def load(text: str) -> interpreter.Game:
    return interpreter.loads(text, name="grown.yaml")


@pytest.mark.parametrize("name", thorough(CHAINS, lambda name: name == "rounds in which something is known"))
def test_chains_and_nests_are_checked_and_played_or_refused(name: str) -> None:
    text = CHAINS[name](24)
    assert work(lambda: load(text), MOST_TO_LOAD) < MOST_TO_LOAD
    if name not in SPENT:
        assert work(lambda: load(text).roll("m", seed=1), MOST) < MOST


SPENT = ["calls of dice", "calls of numbers", "calls with choices", "calls with outcomes", "events", "actions",
         "rounds in which something is known"]  # fmt: skip
"""Chains that spend the whole budget of steps of a run: that is refused, but only after a while."""


@pytest.mark.thorough
@pytest.mark.parametrize("name", LISTS)
def test_work_grows_with_the_length_of_lists(name: str) -> None:
    few, many = (work(lambda size=size: load(LISTS[name](size)), 10 * MOST) for size in (6, 12))
    assert many < 3 * few + 50_000


ODDS = [
    "calls of numbers", "calls with choices", "calls with outcomes", "functions of functions",
    "tables", "records of records", "squares", "sums", "pools", "rolls", "options", "types of types",
]  # fmt: skip


@pytest.mark.parametrize("name", ODDS)
def test_odds_of_chains_are_told_or_refused(name: str) -> None:
    text = CHAINS[name](7)

    def asked() -> None:
        odds = load(text).odds("m")
        odds.law(list(odds.known)[-1])

    assert work(asked, 4 * MOST) < 4 * MOST


# Numbers ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bound", [t.LARGEST + 1, -t.LARGEST - 1, 1 << 100_000], ids=["above", "below", "huge"])
def test_bounds_beyond_64_bits_are_unknown(bound: int) -> None:
    assert t.Number(bound, bound) == t.Number()


GROWS = ["x * x", "x + x", "sum([x, x, x])", "x - (0 - x)", "0 - x - x", "abs(x) + abs(x)"]


@pytest.mark.parametrize("grows", GROWS)
def test_play_odds_and_simulation_refuse_the_same_numbers(grows: str) -> None:
    game = load(f"ruleset: grown\nmechanics: {{m: {{steps: {{die: {{roll: d6}}, x0: die + 1, {_named(grows)}}}}}}}\n")
    for ask in (
        lambda: game.roll("m", seed=1),
        lambda: game.odds("m").of("x69"),
        lambda: game.simulate("m", runs=50, seed=1, of=("x69",)).counts("x69"),
    ):
        with pytest.raises(PlayError, match="HR633"):
            ask()


def _named(grows: str) -> str:
    return ", ".join(f"x{n}: '{re.sub(r'[x]', f'x{n - 1}', grows)}'" for n in range(1, 70))


HUGE = [10**5000, -(10**5000), 10**30, float("nan"), float("inf"), -float("inf"), 1.5, True, None, "1" * 5000, b"1",
        [], {}, [[1]], {"a": 1}, object(), "\ud800", "\0", [10**5000], {10**5000: 1}]  # fmt: skip
KINDS = ["number", "yes_no", "text", "die", "dice", "roll", "code", "word", "record", "climber"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("value", HUGE, ids=[f"value {n}" for n in range(len(HUGE))])
def test_a_host_may_hand_over_anything(kind: str, value: object) -> None:
    game = load(
        "ruleset: taken\nnames: {word: [a, b]}\ntypes: {record: {has: {a: {type: number}}}}\n"
        "kinds: {climber: {has: {reach: {type: number, default: 1}}}}\n"
        f"mechanics: {{m: {{inputs: {{x: {{type: {kind}}}}}, steps: {{die: {{roll: d6}}}}}}}}\n"
    )
    for ask in (lambda: game.roll("m", x=value, seed=1), lambda: game.odds("m", x=value).of("die")):
        try:
            ask()
        except HouseruleError as refused:
            assert str(refused)


# JSON ---------------------------------------------------------------------------------------------------------------

NO_JSON = [
    "NaN", "Infinity", "-Infinity", "1e999", "1" * 5000, "[" * 100_000, '{"a":' * 50_000,
    '{"a": 1, "a": 2}', '"\\ud800"',
    '{"\\udfff": 1}', "", "nul", "{", '"\0"', "[1,]", "'a'",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_JSON, ids=[ascii(text[:12]) for text in NO_JSON])
def test_what_is_no_json_is_refused_wherever_it_is_read(text: str) -> None:
    with pytest.raises(NotJson):
        read_json(text)
    for ask in (SHOVES.state, SHOVES.resume, SHOVES.replay):
        with pytest.raises(PlayError) as caught:
            ask(text)
        assert str(caught.value)


SHOVES = load(
    "ruleset: shoves\n"
    "kinds: {climber: {has: {reach: {type: number, default: 3}, hold: {type: points, to: 9, starts: 9}, "
    "marks: {list_of: number, default: '[]'}}}}\n"
    "things: {climber: {ann: {}, bo: {}}}\n"
    "events: {slips: {inputs: {who: climber}, steps: {a: {lose: 1, from: who.hold}}}}\n"
    "actions: {shove: {actor: climber, at_most: {times: 1, per: turn}, "
    "steps: {a: {add: 2, to: actor.marks, lasts: round}, b: {cause: slips, with: {who: actor}, later: round}}}}\n"
    "mechanics: {m: {steps: {die: {roll: d6}}}}\n"
)
STATE = json.loads(SHOVES.to_json(SHOVES.act(SHOVES.start, "shove", actor="ann", seed=1).state))
SESSION = json.loads(SHOVES.begin("actions.shove", state=SHOVES.start, actor="bo", seed=1).to_json())
RESULT = json.loads(SHOVES.act(SHOVES.start, "shove", actor="ann", seed=1).to_json())
WRONG = [None, True, -1, 10**25, 1.5, float("inf"), float("nan"), "", "x", "\ud800", [], {}, [None], [[[]]], {"a": {}},
         [{}], {"path": 3}, 10**5000]  # fmt: skip


def places(data: Any, trail: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The trails to everything in plain data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [trail, *(one for key, value in inner for one in places(value, (*trail, key)))]


def damaged(data: Any, trail: tuple[Any, ...], value: Any) -> Any:
    if not trail:
        return value
    made = json.loads(json.dumps(data))
    inside = made
    for key in trail[:-1]:
        inside = inside[key]
    inside[trail[-1]] = value
    return made


@pytest.mark.parametrize("what", ["state", "session", "result"])
def test_saved_data_with_anything_in_any_place_is_taken_or_refused(what: str) -> None:
    data, read = {
        "state": (STATE, SHOVES.state), "session": (SESSION, SHOVES.resume), "result": (RESULT, SHOVES.replay)
    }[what]  # fmt: skip
    ours = []
    for trail in places(data):
        if what == "result" and trail[:1] == ("trace",):
            continue
        for value in WRONG:
            try:
                read(damaged(data, trail, value))
            except HouseruleError as refused:
                assert str(refused)
            except Exception as error:
                ours.append((trail, value if value != WRONG[-1] else "huge", repr(error)[:80]))
    assert ours == []


def test_reading_a_state_is_linear() -> None:
    def many(size: int) -> str:
        things = {f"t{n}": {"is": "climber", "reach": 3, "hold": 9, "marks": [1]} for n in range(size)}
        return json.dumps({**STATE, "things": things, "marks": [], "timers": [], "pending": []})

    texts = {size: many(size) for size in (100, 400)}
    few, more = (work(lambda text=text: SHOVES.state(text), 10 * MOST) for text in texts.values())
    assert more < 4.5 * few
    assert len(SHOVES.state(many(3000)).things) == 3000


def test_a_state_holds_no_more_things_than_a_run_may() -> None:
    things = {f"t{n}": {"is": "climber"} for n in range(10_001)}
    with pytest.raises(PlayError, match="HR631"):
        SHOVES.state(things)


# Names of files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["a\\0b", "n" * 3000, "\\ud800", "../" * 900 + "x.yaml"], ids=["null", "long", "half", "up"]
)
@pytest.mark.parametrize("key", ["extends: {}", "extends: [{}]", "parts: [{}]"])
def test_names_in_a_text_are_refused_in_words(key: str, name: str) -> None:
    layer = "" if key.startswith("extends") else "mechanics: {m: {steps: {x: 1}}}\n"
    with pytest.raises(HouseruleError):
        load(f"ruleset: odd\n{key.format(chr(34) + name + chr(34))}\n{layer}")


# The command --------------------------------------------------------------------------------------------------------

PATH = {**os.environ, "PYTHONPATH": str(Path(interpreter.__file__).parent.parent)}
COMMAND = [sys.executable, "-c", "from interpreter.cli import main; main()"]
LONG = (
    "ruleset: long\nmechanics: {m: {steps: {a: {roll: 1000d900}, b: {roll: 1000d901}}, "
    "outcomes: {same: any(a where face == 1) and any(b where face == 1), other: otherwise}}}\n"
)


@pytest.mark.parametrize("form", thorough(["text", "json"], lambda form: form == "json"))
def test_chances_of_thousands_of_digits_are_written(tmp_path: Path, form: str) -> None:
    (tmp_path / "long.yaml").write_text(LONG)
    asked = [*COMMAND, "odds", "long.yaml", "m", "--format", form]
    said = subprocess.run(asked, cwd=tmp_path, env=PATH, capture_output=True, text=True, timeout=120)
    assert said.returncode == 0 and "same" in said.stdout, said.stderr[-300:]


def test_what_cannot_be_printed_is_escaped(tmp_path: Path) -> None:
    asked = [*COMMAND, "roll", b"no\xffsuch", b"\xff=\xff"]
    said = subprocess.run(asked, cwd=tmp_path, env=PATH, capture_output=True, timeout=120)
    assert said.returncode == 2 and b"HR643" in said.stderr and b"Traceback" not in said.stderr

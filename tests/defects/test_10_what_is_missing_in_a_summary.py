"""What a further reading comes to is told alike in a summary and asked for by name: what is missing stays missing."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest

import interpreter
from interpreter.chances.laws import result_tables
from interpreter.cli import main

STEPS = """
ruleset: sums
mechanics:
  m:
    inputs: {on: {type: yes_no, default: no}, some: {type: yes_no, default: no}}
    steps:
      die: {roll: d20}
      over: {end: low, if: not (on or (some and die > 5))}
      rolled: {roll: 3d6}
      chain: {roll: d100, again: face > 1}
      often: count(chain.throws)
    outcomes: {high: die > 10, low: otherwise}
    also:
      even_die: even(die)
      at_least_17: sum(rolled) >= 17
      uneven: odd(often)
"""


def told(tmp_path: Path, *words: str) -> str:
    (tmp_path / "sums.yaml").write_text(STEPS, "utf-8")
    out = io.StringIO()
    argv = ["houserule", words[0], str(tmp_path / "sums.yaml"), *words[1:]]
    with patch("sys.argv", argv), redirect_stdout(out), redirect_stderr(out):
        try:
            main()
        except SystemExit as end:
            assert not end.code, out.getvalue()
    return out.getvalue()


def chances(text: str, name: str) -> dict[str, str]:
    """The percents below a heading, by label."""
    block = re.split(rf"^{name}$", text, flags=re.MULTILINE)[1].split("\n\n")[0]
    return {m[1]: m[2] for m in re.finditer(r"^  (\S+|\(.+?\))  .*?([\d.]+%)", block, re.MULTILINE)}


@pytest.mark.parametrize("given", [(), ("on=yes",), ("some=yes",)])
def test_a_summary_and_a_name_tell_the_same(given: tuple[str, ...], tmp_path: Path) -> None:
    odds = interpreter.loads(STEPS).odds("m", inputs={one.split("=")[0]: True for one in given})
    summary = {
        table.title: {row.label: row.number for row in table.rows}
        | {"?": table.missing.number if table.missing is not None else 0}
        for table in result_tables(odds)
    }
    for name in ("even_die", "at_least_17", "uneven"):
        law = odds.of(name)
        if name in summary:
            words = {True: "yes", False: "no", None: "(missing)"}
            assert summary[name] == {words[value]: chance for value, chance in law.items()} | {
                "?": odds.missing_of(name)
            }
        else:
            assert not odds.missing_of(name) and None not in law
            assert summary["also"][name] == law[True] and summary["also"]["?"] == 0
    whole, alone = told(tmp_path, "odds", "m", *given), told(tmp_path, "odds", "m", *given, "--of", "at_least_17")
    if "on=yes" not in given:
        assert chances(whole, "at_least_17") == chances(alone, "at_least_17")
    assert ("(missing)" in whole) == ("(missing)" in alone) == ("on=yes" not in given)


@pytest.mark.parametrize("command", ["odds", "simulate", "compare"])
def test_every_command_tells_what_is_missing(command: str, tmp_path: Path) -> None:
    more = {"simulate": ("--runs", "200", "--seed", "1"), "compare": ("--set", "some=yes")}.get(command, ())
    text = told(tmp_path, command, "m", *more)
    assert "(missing)" in text and not re.search(r"at_least_17\s+0\s+0%", text), text


def test_data_tells_it_too(tmp_path: Path) -> None:
    laws = json.loads(told(tmp_path, "odds", "m", "some=yes", "--format", "json"))["laws"]
    assert {"value": None, "chance": "1/4", "probability": 0.25} in laws["at_least_17"]["law"]
    assert laws["uneven"]["missing"] != "0"

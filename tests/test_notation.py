"""Dice in the notation of other tools: what they mean, what is told beside the answer, and that proposals work."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interpreter.api.expression_ruleset import expression_ruleset
from interpreter.cli import group
from interpreter.diagnostics import HouseruleError
from interpreter.syntax.dice_modifiers import ModifierKind, modifiers
from tests.notation.known import FOLLOWED, KNOWN
from tests.notation.laws import law, mean
from tests.notation.told import REFUSED, TOLD, Proposed

with (Path(__file__).parent / "notation" / "manuals.tsv").open(encoding="utf-8") as file:
    MANUALS = {row["expression"]: row["mean"] for row in csv.DictReader(file, delimiter="\t")}
NEARLY = Fraction(1, 10_000)


def answer(*typed: str) -> dict[Any, Fraction]:
    rules = expression_ruleset(typed)
    return dict(rules.game().odds(rules.rule).of(rules.results[-1]))


def refusal(typed: str) -> Any:
    with pytest.raises(HouseruleError) as refused:
        expression_ruleset([typed]).game()
    [problem] = refused.value.diagnostics
    return problem


def proposals(help: str | None) -> list[list[str]]:
    """The expressions of each proposal in a help, as one would type them."""
    written = re.findall(r"write `([^`]+)`", help or "")
    return [re.findall(r"-e '([^']+)'", one) or [one] for one in written]


@pytest.mark.parametrize(("typed", "expected"), MANUALS.items(), ids=MANUALS)
def test_what_manuals_and_their_tests_say_is_answered(typed: str, expected: str) -> None:
    if expected == "refuse":
        assert refusal(typed).help
    else:
        assert abs(mean(answer(typed)) - Fraction(expected)) < NEARLY


@pytest.mark.parametrize("typed", KNOWN)
def test_the_law_is_that_of_plain_enumeration(typed: str) -> None:
    assert answer(typed) == law(*KNOWN[typed])


@pytest.mark.parametrize("typed", FOLLOWED)
def test_dice_that_are_thrown_on_have_the_mean_of_plain_enumeration(typed: str) -> None:
    assert abs(mean(answer(typed)) - mean(law(*FOLLOWED[typed]))) < 20 * NEARLY


@pytest.mark.parametrize("typed", TOLD)
def test_what_is_told_beside_the_answer_means_what_it_says(typed: str) -> None:
    readings = [note.reading for note in expression_ruleset([typed]).notes]
    hold([list(one.write) for reading in readings for one in reading.instead], TOLD[typed])


@pytest.mark.parametrize("typed", REFUSED)
def test_what_is_refused_shows_a_way_out_that_means_what_it_says(typed: str) -> None:
    problem = refusal(typed)
    assert problem.code == "HR214"
    assert not re.search(r"\brolled", problem.message)
    assert problem.span.source.text == typed
    hold(proposals(problem.help), REFUSED[typed])


def hold(written: list[list[str]], expected: Sequence[Proposed]) -> None:
    assert len(written) == len(expected), written
    for expressions, one in zip(written, expected, strict=True):
        if one is not None:
            assert abs(mean(answer(*expressions)) - mean(law(*one))) < 20 * NEARLY, expressions


BEHIND = [
    "", "kh3", "k2", "kl", "d", "dl1dh1", "!", "!!", "!p", "!o", "x>4", "e6", "ro1", "rr<3", "r2", "mi2", "max5",
    "cs>=5", "cf1", "df1", "sf1", "even", "ms12", "k>2", "p1", "s", "u", "mt", ">=5", ">5f1", "zap",
]  # fmt: skip


@pytest.mark.parametrize("first", BEHIND)
def test_whatever_stands_behind_dice_is_read_or_has_a_way_out(first: str) -> None:
    """Of two modifiers together, too, nothing is refused without an expression that is answered."""
    for second in BEHIND[BEHIND.index(first) % 2 :: 2]:
        typed = f"5d6{first}{second}"
        try:
            rules = expression_ruleset([typed])
            rules.game()
            written = [list(one.write) for note in rules.notes for one in note.reading.instead]
        except HouseruleError as refused:
            [problem] = refused.diagnostics
            written = proposals(problem.help)
            assert written, (typed, str(problem))
            assert "rolled" not in problem.message
        for expressions in written:
            expression_ruleset(expressions).game()


def test_a_word_behind_dice_is_taken_as_a_whole() -> None:
    found = list(modifiers("4d6damage", 3))
    assert [(one.kind, one.text) for one in found] == [(ModifierKind.UNKNOWN, "damage")]
    assert [one.text for one in modifiers("4d6min2max5kh3", 3)] == ["min2", "max5", "kh3"]


def run(*arguments: str) -> Any:
    done = CliRunner().invoke(group, arguments)
    assert done.exit_code == 0, done.output
    return done


def test_notes_stand_below_the_answer_and_in_its_data() -> None:
    for command in (["odds"], ["roll", "--seed", "1"], ["simulate", "--runs", "100", "--seed", "1"]):
        said = run(*command, "-e", "d66").stdout
        assert "\nread as\n  `d66` is read as digits, 11 to 66; for a die with 66 faces, write `(1)d66`\n" in said
        assert "read as" not in run(*command, "-e", "4d6kh3").stdout
    for command in (["odds"], ["simulate", "--runs", "100", "--seed", "1"]):
        [note] = json.loads(run(*command, "-e", "hits=5d10>3", "--format", "json").stdout)["notes"][1:]
        assert (note["expression"], note["column"], note["text"]) == ("hits=5d10>3", 6, "5d10>3")
        assert [one["write"] for one in note["instead"]] == [["5d10>=3"]]


def test_notes_do_not_break_formats_for_programs() -> None:
    done = run("odds", "-e", "d66", "--format", "csv")
    assert all(len(line.split(",")) == 4 for line in done.stdout.splitlines())
    assert done.stderr.startswith("note: `d66` is read as digits")
    assert run("roll", "-e", "d66", "--format", "json").stderr.startswith("note: ")
    json.loads(run("roll", "-e", "d66", "--format", "json").stdout)


def test_dice_that_all_differ_are_a_condition() -> None:
    [typed] = proposals(refusal("3d6u").help)
    condition = [word for one in typed for word in ("-e", one)]
    data = json.loads(run("odds", *condition, "--when", "all_differ=yes", "--format", "json").stdout)
    [found] = [one["law"] for name, one in data["laws"].items() if name.startswith("result")]
    seen = law([range(1, 7)] * 3, lambda *f: sum(f) if len(set(f)) == 3 else 0)
    del seen[0]
    assert {one["value"]: Fraction(one["chance"]) for one in found} == {
        value: chance / sum(seen.values()) for value, chance in seen.items()
    }


def test_each_throw_as_a_die_of_its_own_can_be_simulated() -> None:
    [note] = expression_ruleset(["4d6!kh3"]).notes
    typed = [word for one in note.reading.instead[0].write for word in ("-e", one)]
    assert "mean" in run("simulate", *typed, "--runs", "1000", "--seed", "1").stdout

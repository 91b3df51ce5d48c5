"""Dice and expressions without a ruleset (`-e`): each against plain enumeration, and each slip at its place."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest
from click.testing import CliRunner, Result

from interpreter.api.expression_ruleset import expression_ruleset
from interpreter.cli import group
from interpreter.diagnostics import HouseruleError
from interpreter.syntax.dice_notation import dice_terms

Reading = Callable[..., int | bool]
D6, D8, D10, D20 = (range(1, sides + 1) for sides in (6, 8, 10, 20))
FUDGE = (-1, 0, 1)


def best(number: int) -> Reading:
    return lambda *faces: sum(sorted(faces)[-number:])


def worst(number: int) -> Reading:
    return lambda *faces: sum(sorted(faces)[:number])


def total(*faces: int) -> int:
    return sum(faces)


LAWS: dict[str, tuple[list[range | tuple[int, ...]], Reading]] = {
    # The notation of the language, with the dice thrown where they stand
    "sum(highest(4d6, 3))": ([D6] * 4, best(3)),
    "highest(2d20)": ([D20] * 2, max),
    "count(3d10 where face >= 7)": ([D10] * 3, lambda *faces: sum(face >= 7 for face in faces)),
    "any(2d6 where face == 6)": ([D6] * 2, lambda *faces: 6 in faces),
    "d20 + 5 >= 15": ([D20], lambda face: face + 5 >= 15),
    "sum(2d6 & d8 where size > 6)": ([D6, D6, D8], lambda *faces: faces[2]),
    # Dice that are read as a number
    "2d6+3": ([D6] * 2, lambda *faces: sum(faces) + 3),
    "d6 & d8": ([D6, D8], total),
    "highest(3d6, 2)": ([D6] * 3, best(2)),
    "highest(3d6, 2) * 2 - d8": ([D6, D6, D6, D8], lambda *f: 2 * best(2)(*f[:3]) - f[3]),
    "max(2d6, d8)": ([D6, D6, D8], lambda a, b, c: max(a + b, c)),
    "(2d6 + 1) / 2": ([D6] * 2, lambda a, b: (a + b + 1) // 2),
    "lowest([2d6, 2d6])": ([D6] * 4, lambda a, b, c, d: min(a + b, c + d)),
    "2d6 if d8 > 4 else 0": ([D6, D6, D8], lambda a, b, c: a + b if c > 4 else 0),
    "times(d6, 2)": ([D6] * 2, total),
    # Dice as other tools write them
    "4d6kh3": ([D6] * 4, best(3)),
    "4d6k3 + 1": ([D6] * 4, lambda *faces: best(3)(*faces) + 1),
    "4d6dl1": ([D6] * 4, best(3)),
    "4d6d1": ([D6] * 4, best(3)),
    "4D6 kl 2": ([D6] * 4, worst(2)),
    "4d6dh1": ([D6] * 4, worst(3)),
    "2d20kl1": ([D20] * 2, min),
    "2d20kh": ([D20] * 2, max),
    "4dF": ([FUDGE] * 4, total),
    "dF + 2": ([FUDGE], lambda face: face + 2),
    "d%": ([range(1, 101)], total),
    "3d10>=7": ([D10] * 3, lambda *faces: sum(face >= 7 for face in faces)),
    "3d10 = 10": ([D10] * 3, lambda *faces: sum(face == 10 for face in faces)),
    "1 + 3d10 > 7": ([D10] * 3, lambda *faces: 1 + sum(faces) > 7),
    "2d6>=9": ([D6] * 2, lambda *faces: sum(faces) >= 9),  # no die shows nine
    "2d6 > 2d8": ([D6, D6, D8, D8], lambda a, b, c, d: a + b > c + d),
    "2d6ro1": ([D6] * 4, lambda a, b, c, d: (c if a == 1 else a) + (d if b == 1 else b)),
    "2d6ro<3kh1": ([D6] * 4, lambda a, b, c, d: max(c if a < 3 else a, d if b < 3 else b)),
    "best 3 of 4d6": ([D6] * 4, best(3)),
    "2d6 plus 3": ([D6] * 2, lambda *faces: sum(faces) + 3),
}


@pytest.mark.parametrize("typed", LAWS)
def test_the_odds_are_those_of_plain_enumeration(typed: str) -> None:
    dice, reading = LAWS[typed]
    counted = Counter(reading(*faces) for faces in product(*dice))
    rules = expression_ruleset([typed])
    law = rules.game().odds(rules.rule).of("result")
    assert law == {value: Fraction(number, counted.total()) for value, number in counted.items()}


def test_dice_that_explode_are_followed() -> None:
    rules = expression_ruleset(["2d6!", "3d10!10>=8"])
    assert rules.steps == (
        "rolled: {roll: 2d6, again: face == 6}",
        "result: sum(rolled)",
        "rolled_2: {roll: 3d10, again: face == 10, counts: 1 if face >= 8 else 0}",
        "result_2: sum(rolled_2)",
    )
    odds = rules.game().odds(rules.rule)
    assert odds.of("result")[2] == Fraction(1, 36)
    assert odds.of("result")[7] == Fraction(4, 36)  # a six is thrown once more
    assert odds.of("result_2")[0] == Fraction(7, 10) ** 3


@pytest.mark.parametrize(
    ("typed", "listing"),
    [
        ("4d6kh3", ["rolled: {roll: 4d6}", "result: sum(highest(rolled, 3))"]),
        ("5d10>=7", ["rolled: {roll: 5d10}", "result: count(rolled where face >= 7)"]),
        ("2d6+3", ["rolled: {roll: 2d6}", "result: sum(rolled)+3"]),
        ("4d6ro1kh3", [
            "rolled: {roll: 4d6}",
            "rolled_again: {reroll: rolled where face == 1}",
            "result: sum(highest(rolled_again, 3))",
        ]),
        ("4dF", [
            "dice:", "  fudge: {faces: [-1, 0, 1]}", "steps:", '  rolled: {roll: "times(fudge, 4)"}',
            "  result: sum(rolled)",
        ]),
        ("sum(highest(4d6, 3))", None),
        ("d20 + 5", None),
    ],
)  # fmt: skip
def test_other_notations_are_shown_as_a_ruleset_has_them(typed: str, listing: list[str] | None) -> None:
    rules = expression_ruleset([typed])
    assert (list(rules.listing) if rules.translated else None) == listing


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, arguments)


def test_results_have_names_and_read_dice_above_them() -> None:
    typed = ["-e", "rolled=3d10", "-e", "hits=rolled>=7", "-e", "ones=count(rolled where face == 1)"]
    data = json.loads(run("odds", *typed, "--format", "json").stdout)
    assert list(data["laws"]) == ["hits", "ones"]
    assert data["laws"]["hits"]["law"][3]["chance"] == str(Fraction(4, 10) ** 3)
    assert data["expressions"]["hits"] == "rolled>=7"
    together = json.loads(run("odds", *typed, "--joint", "hits,ones", "--format", "json").stdout)["laws"]["hits,ones"]
    assert {"values": {"hits": 3, "ones": 0}, "chance": "8/125", "probability": 0.064} in together["law"]
    text = run("roll", *typed, "--faces", "1,7,9").stdout
    assert "rolled: d10: 1, d10: 7, d10: 9" in text
    assert "hits: 2\nones: 1" in text


def test_names_get_their_values_beside_the_expressions() -> None:
    given = ["n=2", "bonus=1", "lucky=yes"]
    assert "result,yes,11/36" in run("odds", "-e", "(n)d6kh1 + bonus >= 7 and lucky", *given, "--format", "csv").stdout
    assert "result,16,1/64" in run("odds", "-e", "sum(pool)", "pool=2d8", "--format", "csv").stdout


@pytest.mark.parametrize(
    ("typed", "place", "said"),
    [
        ("sum(higest(4d6, 3))", (5, 11), "there is no function or table `higest`"),
        ("4d6kh3 + bonus", (10, 15), "`bonus` is not defined here"),
        ("d20 + bonus", (7, 12), "`bonus` is not defined here"),
        ("4d6kh3 +", (9, 9), "the expression ends too early: a value is missing here"),
        ("2d6 + 3d6kh2 wibble", (14, 20), "unexpected `wibble`"),
        ("total=4d6kh3 + bonus", (16, 21), "`bonus` is not defined here"),
        ("9999d6", (1, 7), "invalid dice: there may be at most 1000"),
        ("2d6kh2 + 0d0", (10, 13), "invalid dice: a die has 1 to 1000 faces"),
        ("", (1, 1), "an expression is missing here"),
        ("1 + highest((n)d6)", (5, 19), "this may be empty, and `highest` of nothing has no value"),
    ],
)
def test_a_slip_is_told_at_its_place(typed: str, place: tuple[int, int], said: str) -> None:
    with pytest.raises(HouseruleError) as refused:
        expression_ruleset([typed], {"n": "2"} if "(n)" in typed else {}).game()
    [problem] = refused.value.diagnostics
    span = problem.span
    assert (span.start + 1, span.end + 1, problem.message) == (*place, said)
    assert span.source.text == typed


def test_a_slip_while_it_is_played_is_told_at_its_place() -> None:
    done = run("roll", "-e", "3 + 2d6 / zero", "zero=0")
    assert isinstance(done.exception, HouseruleError)
    assert str(done.exception.diagnostics[0]).startswith("-e:1:5: HR")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-e", "d6", "n=3"], "HR602 the expression does not read `n`"),
        (["-e", "(n)d6", "m=3", "n=3"], "HR602 the expression does not read `m` (it reads: `n`)"),
        (["-e", "d6", "jadeclaw"], "-e is in place of a ruleset"),
        (["-e", "d6", "--with", "near-miss"], "-e has none"),
        ([], "Missing argument 'RULESET', or an expression"),
    ],
)
@pytest.mark.parametrize("command", ["odds", "roll", "simulate"])
def test_what_does_not_fit_is_refused(command: str, arguments: list[str], said: str) -> None:
    done = run(command, *arguments)
    assert done.exit_code != 0
    assert said in done.output + str(done.exception)


def test_every_command_shows_the_translation() -> None:
    for command in (["odds"], ["roll", "--seed", "1"], ["simulate", "--runs", "100", "--seed", "1"]):
        assert run(*command, "-e", "4d6kh3").stdout.endswith(
            "in a ruleset\n  rolled: {roll: 4d6}\n  result: sum(highest(rolled, 3))\n"
        )
        assert "in a ruleset" not in run(*command, "-e", "sum(highest(4d6, 3))").stdout


def test_what_is_asked_of_odds_is_asked_of_expressions() -> None:
    assert "\n  12   1/36   2.8%" in run("odds", "-e", "2d6", "--at-least", "--all").stdout
    svg = run("odds", "-e", "2d6", "-e", "d12", "--format", "svg").stdout
    assert svg.startswith("<svg") and ">d12</text>" in svg


@pytest.mark.parametrize("text", ["4d6", "2d6 & d8", "(n)d6", "a.d6kh", "word4d6kh3", "3D+2", "times(d6, 2)", "d66"])
def test_dice_of_the_language_are_left_alone(text: str) -> None:
    assert list(dice_terms(text)) == []

"""`up`, `down` and `nearest` always round; only a bare `/` right under a comparison is compared exactly."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import ceil, floor

import pytest
from generated.hold import CHECKS, held

import interpreter
from interpreter.ir.verify import violations

ROUNDINGS: dict[str, Callable[[Fraction], int | Fraction]] = {
    "up": ceil,
    "down": floor,
    "nearest": lambda number: floor(number + Fraction(1, 2)) if number >= 0 else ceil(number - Fraction(1, 2)),
    "": lambda number: number,
}
SIGNS: dict[str, Callable[[object, object], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "reaches": operator.ge,
    "beats": operator.gt,
    "within": operator.le,
    "under": operator.lt,
    "meets": operator.eq,
}
PLACES: dict[str, tuple[str, Callable[..., object]]] = {
    "left": ("{q} {s} 1", lambda q, s: s(q, 1)),
    "right": ("1 {s} {q}", lambda q, s: s(1, q)),
    "both": ("{q} {s} {q}", lambda q, s: s(q, q)),
    "beside a bare quotient": ("{q} {s} (x - 2) / 3", lambda q, s, x: s(q, Fraction(x - 2, 3))),
    "denied": ("not {q} {s} 1", lambda q, s: not s(q, 1)),
    "where": ("any([x] where {i} {s} 1)", lambda q, s: s(q, 1)),
    "where of dice": ("any(rolled where {f} {s} 1)", lambda q, s: s(q, 1)),
    "under a condition": ("1 if {q} {s} 1 else 0", lambda q, s: int(s(q, 1))),
    "behind a function": ("asks_{n}(x)", lambda q, s: s(q, 1)),
}
WHOLE: dict[str, tuple[str, Callable[..., object]]] = {
    "nested in max": ("max({q}, 0) {s} 1", lambda q, s: s(max(q, 0), 1)),
    "a function that gives it": ("half(x) {s} 1", lambda q, s: s(q, 1)),
    "a function that takes it": ("same({q}) {s} 1", lambda q, s: s(q, 1)),
}
"""Where a bare quotient is rounded too, downwards here."""


def ruleset(rounding: str, place: str) -> str:
    quotient = f"{rounding}((x - 2) / 2)" if rounding else "(x - 2) / 2"
    text = (PLACES | WHOLE)[place][0]
    steps, functions = [], []
    for number, sign in enumerate(SIGNS):
        named = {"q": quotient, "s": sign, "n": number}
        named |= {"i": quotient.replace("x", "it"), "f": quotient.replace("x", "face")}
        steps.append(f'      s{number}: {{is: "{text.format(**named)}"}}')
        functions.append(f'  asks_{number}: {{takes: {{x: number}}, gives: "{quotient} {sign} 1"}}')
    return "\n".join(
        [
            "ruleset: halves",
            "comparators: {reaches: at least, beats: more than, within: at most, under: less than, meets: equal to}",
            "functions:",
            f'  half: {{takes: {{x: number}}, gives: "{quotient}"}}',
            "  same: {takes: {x: number}, gives: x}",
            *functions,
            "mechanics:",
            "  main:",
            "    steps:",
            "      rolled: {roll: d6}",
            "      x: {is: sum(rolled)}",
            *steps,
        ]
    )


@pytest.mark.parametrize(("rounding", "place"), [*product(ROUNDINGS, PLACES | WHOLE)])
def test_explicit_rounding_rounds_under_every_comparison(rounding: str, place: str) -> None:
    text = ruleset(rounding, place)
    game = interpreter.loads(text)
    found = {face: game.roll("main", faces=[face]).values for face in range(1, 7)}
    truth = (PLACES | WHOLE)[place][1]
    for face, (number, sign) in product(range(1, 7), enumerate(SIGNS)):
        exact = Fraction(face - 2, 2)
        quotient = ROUNDINGS[rounding or "down" if place in WHOLE else rounding](exact)
        given = (quotient, SIGNS[sign]) + ((face,) if place == "beside a bare quotient" else ())
        assert found[face][f"s{number}"] == truth(*given), (face, sign)
    verdict = held(text, checks={name: CHECKS[name] for name in CHECKS if name != "cases"}, thorough=True)
    assert verdict.kind == "agreed" and verdict.held["held: exact odds"] == 1, verdict


@pytest.mark.parametrize("text", ["up(n / 2 / 3)", "nearest(n / (n / 2))", "down(1 / max(n / 2, 1))"])
def test_a_quotient_inside_an_explicit_rounding_names_the_rounding_of_the_ruleset(text: str) -> None:
    given = f"ruleset: halves\nmechanics: {{main: {{inputs: {{n: number}}, steps: {{x: '{text}'}}}}}}"
    assert not violations(interpreter.loads(given).program)

"""A case or a claim passes only if nothing that was not followed could make it untrue, and fails if all of it would."""

from __future__ import annotations

from fractions import Fraction as F

import pytest
from agreement import assert_agreement
from marks import thorough

import interpreter
from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.diagnostics.source import Source
from interpreter.testing.cases import Trial, cases_of
from interpreter.testing.claims import claim_verdicts

CHAINS = {
    "d20, again: face > 2": F(9, 10),
    "d6, again: face >= 2": F(5, 6),
    "d2, again: face == 2": F(1, 2),
    "d6, again: face == 6": F(1, 6),
}
"""Dice that go on, each with the chance that one throw is followed by another."""

STEPS = """
      rolled: {{roll: {chain}}}
      n: count(rolled.throws)
      half: n / 2
      odd_n: odd(n)
      little: min(n, 3)
      rest: clamp(n, 2, 70)
"""


def verdicts(text: str) -> list[str]:
    """How each case of a ruleset comes out: nothing where it passes, else the code of what is said."""
    loaded = pipeline.from_text(Source.of("chain.yaml", text))
    assert not loaded.problems.errors and loaded.program and loaded.world, list(map(str, loaded.problems))
    trial = Trial(Game(loaded.program, loaded.world))
    found = []
    for case in cases_of(loaded.world.cases):
        made = trial.run(case)
        found.append(",".join(one.code for one in (*made.failures, *filter(None, [made.skipped]))))
    return found


def of_chain(chain: str, *cases: str) -> list[str]:
    text = f"ruleset: chain\nmechanics:\n  m:\n    steps:{STEPS.format(chain=chain)}"
    text += "    outcomes: {long: n > 50, short: otherwise}\ncases:\n"
    return verdicts(text + "".join(f"  - {{name: c, mechanic: m, {case}}}\n" for case in cases))


@pytest.mark.parametrize("chain", CHAINS)
def test_chances_of_how_long_a_chain_is(chain: str) -> None:
    """The chance that it is longer than it is followed is known, for only the end of it is not."""
    on = CHAINS[chain]
    for stated in (F(0), F(1, 1000), F(1), on**49, on**51, on):
        assert of_chain(chain, f"odds: {{long: {stated}}}") == ["HR701"], stated
    assert of_chain(chain, f"odds: {{long: {on**50}}}") == [""]
    right = {2: on * (1 - on), 1: 1 - on}
    assert of_chain(chain, *(f"odds: {{n: {{{n}: {one}}}}}" for n, one in right.items())) == ["", ""]
    assert of_chain(chain, f"odds: {{little: {{3: {on**2}, 2: {on * (1 - on)}}}}}") == [""]


@pytest.mark.parametrize("chain", CHAINS)
def test_no_untrue_mean_passes(chain: str) -> None:
    """Of a number without a bound no mean passes that is not the right one; what is too little fails for certain."""
    mean = 1 / (1 - CHAINS[chain])
    said = of_chain(chain, *(f"mean: {{n: {one}}}" for one in (mean + 1, mean * 10, mean / 2, mean)))
    assert said[2] == "HR701"
    assert said == ["HR701", "HR701", "HR701", ""]
    bounded = 1 + CHAINS[chain] + CHAINS[chain] ** 2
    assert of_chain(chain, f"mean: {{little: {bounded}}}", f"mean: {{little: {bounded + F(1, 10**9)}}}") == [
        "",
        "HR701",
    ]


def test_what_is_known_to_so_many_digits_is_settled() -> None:
    cases = ["mean: {half: {about: 0.1714}}", "mean: {half: {about: 0.1715}}", "mean: {half: 6/35}"]
    assert of_chain("d6, again: face == 6", *cases) == ["", "HR701", "HR712"]


@pytest.mark.parametrize("chain", CHAINS)
def test_the_mean_number_of_throws_is_settled(chain: str) -> None:
    mean = 1 / (1 - CHAINS[chain])
    stated = [mean, mean + 1, mean + F(1, 10**15), mean - F(1, 10**15)]
    assert of_chain(chain, *(f"mean: {{n: {one}}}" for one in stated)) == ["", *["HR701"] * 3]


@pytest.mark.thorough
def test_values_of_what_is_open_are_neither_right_nor_wrong() -> None:
    """Whether the number of throws is odd, of a chain that mostly goes on beyond where it is followed."""
    slow = "d1000, again: face > 1"
    assert of_chain(slow, "odds: {odd_n: {yes: 0}}", "odds: {odd_n: {yes: 1}}") == ["HR701", "HR701"]
    for stated in ("1/10", "1/2", "999/1999", "1000/1999", "{about: 0.5}"):
        assert of_chain(slow, f"odds: {{odd_n: {{yes: {stated}}}}}") == ["HR712"], stated
    assert of_chain(
        slow,
        "mean: {half: 999000/1999}",
        "mean: {half: 500}",
        "mean: {rest: 60}",
        "mean: {rest: 1}",
        "mean: {rest: 71}",
    ) == (["HR712", *["HR701"] * 4])


def test_of_a_scene_as_well() -> None:
    text = """
ruleset: race
kinds: {runner: {has: {way: {type: points, from: 0, to: 1000000, starts: 0}}}}
scenes:
  run:
    inputs: {who: {type: runner}}
    guard: 3
    round:
      on:
        steps:
          thrown: {roll: d6}
          moved: {gain: thrown, to: who.way}
          there: {end: home, if: thrown == 6}
    outcomes: {home: who.way > 100}
cases:
"""
    before = "before: {ada: {is: runner}}, given: {who: ada}"
    stated = ["1/2", "91/216", "1", "1/6", "{about: 0.421}"]
    text += "".join(f"  - {{name: c, scene: run, {before}, odds: {{home: {one}}}}}\n" for one in stated)
    assert verdicts(text) == ["HR712", "HR712", "HR712", "HR701", "HR712"]


@pytest.mark.parametrize(("printed", "code"), [("50", "HR518"), ("83", "HR518"), ("17", ""), ("18", "HR518")])
def test_claims_of_tables(printed: str, code: str) -> None:
    text = f"""
ruleset: printed
tables:
  t: {{rows: {{2: {printed}}}, off_the_rows: refuse, claims: {{long: {{mechanic: m, is: value / 100, within: 1/200}}}}}}
mechanics:
  m:
    steps: {{rolled: {{roll: d6, again: face == 6}}, n: count(rolled.throws)}}
    outcomes: {{long: n > 1, short: otherwise}}
"""
    loaded = pipeline.from_text(Source.of("printed.yaml", text))
    assert not loaded.problems.errors, list(map(str, loaded.problems))
    assert [one.code for verdict in claim_verdicts(loaded) for one in verdict.failures] == ([code] if code else [])


def test_a_claim_that_what_is_open_may_change_is_not_held() -> None:
    text = """
ruleset: printed
tables:
  t: {rows: {2: 50}, off_the_rows: refuse, claims: {uneven: {mechanic: m, is: value / 100, within: 1/100}}}
mechanics:
  m:
    steps: {rolled: {roll: d1000, again: face > 1}, n: count(rolled.throws)}
    outcomes: {uneven: odd(n), even: otherwise}
"""
    loaded = pipeline.from_text(Source.of("printed.yaml", text))
    assert not loaded.problems.errors, list(map(str, loaded.problems))
    assert [one.code for verdict in claim_verdicts(loaded) for one in verdict.failures] == ["HR519"]


@pytest.mark.parametrize("most", [1, 3, 20])
def test_the_largest_and_smallest_of_chains(most: int) -> None:
    """`min`, `max` and `clamp` of a number that is known only from below are as much as can be said of them."""
    rules = f"""
ruleset: chain
mechanics:
  m:
    steps:
      a: {{roll: d4, again: face == 4}}
      b: {{roll: d6, again: face == 6}}
      low: min(a, {most})
      both: max(a, b)
      less: min(a, b)
      twice: max(a, a)
    outcomes: {{high: both > {most}, low: less > {most}, other: otherwise}}
"""
    odds = interpreter.loads(rules).odds("m")
    assert not odds.missing and not odds.missing_of("low")
    assert sum(odds.of("low").values()) == 1
    over = {4: _over(4, most), 6: _over(6, most)}
    assert odds.outcomes["high"] == over[4] + over[6] - over[4] * over[6]
    assert odds.outcomes["low"] == 0


def _over(size: int, most: int) -> F:
    """The chance that a die which goes on with its highest face comes to more than so much."""
    whole, rest = divmod(most, size)
    return F(1, size**whole) * F(size - rest, size)


AMONG = ["[sum(c), 3]", "[sum(c), sum(d)]", "[3, sum(c), 12]"]
READ = ["count(a)", "(a(12).b otherwise 0)", "a"]


@pytest.mark.parametrize("among", thorough(AMONG, lambda among: among != AMONG[0], every=2))
@pytest.mark.parametrize("read", thorough(READ, lambda read: read != "a", every=2))
def test_elements_that_are_not_known_are_no_keys(among: str, read: str) -> None:
    """A map over such elements is not known: what it has at 12 may be the element that is 10 or more."""
    assert_agreement(f"""
ruleset: open
mechanics:
  main:
    steps:
      c: {{roll: 2d2, again: face == 1}}
      d: {{roll: d2, again: face == 1}}
      a: {{for: each_, among: '{among}', each: {{b: each_}}}}
      out: {{is: '{read}'}}
""")

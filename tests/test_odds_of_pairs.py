"""The kernel for pairs: two rolls, die against die, held to plain enumeration over random clashes."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from marks import sample

import interpreter
from interpreter.api.exact_odds import paths_of
from interpreter.odds import drawing
from interpreter.odds.brute_force import Effort
from interpreter.odds.projection import value_at
from interpreter.syntax.document import from_python

DICE = ("d2", "d3", "d4", "d3 keen", "d4 keen", "blank", "burst")
WORTH = (
    "1 if lead > 0 else 0",
    "2 if lead >= 2 else (1 if lead > 0 else 0)",
    "lead",
    "0 if ours == 1 else max(lead, 0)",
    "lead * 2 if keen in ours.tags else lead",
    "theirs - 2 if keen in theirs.tags else 1",
    "1 if keen in ours.tags and lead > 0 else 0",
)
READ = (
    "sum(pairs.hits)",
    "count(pairs where it.hits > 0)",
    "count(pairs)",
    "sum((pairs where it.lead > 0).hits)",
    "any(pairs where it.lead > 2)",
    "count(own) > 0 and all(own where value == 1)",
    "all(other where value == 1)",
    "any(own where keen in tags and value > 1)",
    "sum(own)",
    "sum(other where value > 1)",
    "count(other where keen in tags)",
    "highest(own) otherwise 0",
    "lowest(other) otherwise 0",
    "sum(highest(own, 2))",
    "kth(other, 2) otherwise 0",
)


def a_clash(chance: random.Random) -> str:
    missing = chance.choice(["", "        missing: 1\n", "        missing: 0\n"])
    first = chance.choice(["", "        first: keen in tags\n", "        first: not keen in tags\n"])
    throws = "{roll: %s}", "{roll: %s}", "{roll: %s, again: face == size and nth < 3}"
    reads = chance.sample(READ, chance.randint(1, 4))
    steps = "\n".join(f"      read_{n}: {text}" for n, text in enumerate(reads))
    pairs = f"""\
      pairs:
        pair: own
        with: other
{missing}{first}        each:
          lead: ours - theirs
          hits: {chance.choice(WORTH)}
"""
    before, after = ("", pairs) if chance.random() < 0.8 else ("      early: sum(own)\n", pairs)
    return f"""\
ruleset: clash
language: 1
tags: {{keen: It is sharp.}}
dice:
  blank: {{faces: [0, 2, 2]}}
  burst: d2
mechanics:
  clash:
    inputs: {{mine: dice, against: dice}}
    steps:
      own: {chance.choice(throws) % "mine"}
      other: {chance.choice(throws) % "against"}
{before}{after}{steps}
"""


@pytest.mark.parametrize("seed", sample(range(150), 16, 50))
def test_pairs_have_the_odds_that_enumeration_gives(seed: int) -> None:
    chance = random.Random(seed)
    text = a_clash(chance)
    game = interpreter.loads(text)
    most = 2 if "again" in text else 3  # enumeration is the slow side
    pools = [" & ".join(chance.choice(DICE) for _ in range(chance.randint(1, most))) for _ in range(2)]
    reader = game.reader()
    given = {"mine": from_python(pools[0], "mine"), "against": from_python(pools[1], "against")}
    values = reader.mechanic_inputs(game.program.mechanics["clash"], given)
    ways = paths_of(game, "clash", values, lambda: game.answers(None, None, None, reader), Effort(200_000, 60))
    odds = game.odds("clash", mine=pools[0], against=pools[1])
    names = [name for name in odds.known if name.startswith("read_")]
    for asked in (*((name,) for name in names), tuple(names)):
        law: dict[Any, Fraction] = {}
        for weight, record in ways:
            key = tuple(value_at(record, name) for name in asked)
            law[key] = law.get(key, Fraction(0)) + weight
        assert odds.law(*asked).weights == law
        assert odds.missing_of(*asked) == 0


def test_large_pools_are_not_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "MOST_WAYS", 10)
    game = interpreter.loads(a_clash(random.Random(3)).replace("missing: 0", "missing: 1"))
    odds = game.odds("clash", mine="8d4 & d4 keen", against="8d3 & d2")
    assert sum(odds.law("read_0").weights.values()) == 1

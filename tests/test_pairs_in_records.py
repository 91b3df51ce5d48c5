"""Pairs and their rolls, wherever records and lists hold them: what is read of both is read of the same dice."""

from __future__ import annotations

import pytest
from enumeration import hold_to_every_history
from marks import grid

import interpreter
from interpreter.odds import meter

OURS, THEIRS = "ours: {roll: 2d3}", "theirs: {roll: d2 & d3}"
EACH = "each: {won: ours > theirs, gap: ours - theirs}"
PAIR = f"pair: ours, with: theirs, {EACH}"
AGAIN = f"pair: theirs, with: ours, {EACH}"

HELD = {
    "side by side": (f"{OURS}\n{THEIRS}\nmet: {{{PAIR}}}", "ours", "theirs", "met"),
    "pairs in a record": (f"{OURS}\n{THEIRS}\na: {{steps: {{met: {{{PAIR}}}}}}}", "ours", "theirs", "a.met"),
    "a roll and pairs in a record": (
        f"{THEIRS}\na: {{steps: {{{OURS}, met: {{{PAIR}}}}}}}", "a.ours", "theirs", "a.met",
    ),
    "all in a record": (f"a: {{steps: {{{OURS}, {THEIRS}, met: {{{PAIR}}}}}}}", "a.ours", "a.theirs", "a.met"),
    "in a record of a record": (
        f"{THEIRS}\na: {{steps: {{{OURS}, b: {{steps: {{met: {{{PAIR}}}}}}}}}}}", "a.ours", "theirs", "a.b.met",
    ),
    "in the record of a call": ("a: {call: meets}", "a.ours", "a.theirs", "a.met"),
    "in the records of two calls": ("a: {call: meets}\nb: {call: meets}", "a.ours", "b.theirs", "b.met"),
    "in a pass in a record": (
        f"a: {{steps: {{{THEIRS}, b: {{repeat: 1, each: {{{OURS}, met: {{{PAIR}}}}}}}}}}}",
        "first(a.b).ours", "a.theirs", "first(a.b).met",
    ),
    "in a record in a pass": (
        f"{THEIRS}\nb: {{repeat: 1, each: {{a: {{steps: {{{OURS}, met: {{{PAIR}}}}}}}}}}}",
        "first(b).a.ours", "theirs", "first(b).a.met",
    ),
    "in a pass": (
        f"{THEIRS}\nb: {{repeat: 1, each: {{{OURS}, met: {{{PAIR}}}}}}}", "first(b).ours", "theirs", "first(b).met",
    ),
    "in two passes": (
        f"{OURS}\n{THEIRS}\nb: {{repeat: 2, each: {{met: {{{PAIR}}}}}}}", "ours", "theirs", "last(b).met",
    ),
    "pairs twice, in a record": (
        f"{OURS}\n{THEIRS}\nmet: {{{PAIR}}}\na: {{steps: {{anew: {{{AGAIN}}}}}}}", "ours", "theirs", "a.anew",
    ),
    "the roll kept in a record, too": (
        f"{OURS}\n{THEIRS}\na: {{steps: {{kept: ours, met: {{{PAIR}}}}}}}", "a.kept", "theirs", "a.met",
    ),
    "rolls in a record": (
        f"a: {{steps: {{{OURS}, {THEIRS}}}}}\nmet: {{pair: a.ours, with: a.theirs, {EACH}}}",
        "a.ours", "a.theirs", "met",
    ),
    "a roll in a pass": (
        f"{THEIRS}\nb: {{repeat: 1, each: {{{OURS}}}}}\nmet: {{pair: first(b).ours, with: theirs, {EACH}}}",
        "first(b).ours", "theirs", "met",
    ),
    "a roll in a pass with a name": (
        f"{THEIRS}\nb: {{repeat: 1, each: {{{OURS}}}}}\none: first(b).ours\nmet: {{pair: one, with: theirs, {EACH}}}",
        "first(b).ours", "theirs", "met",
    ),
    "rolls of two passes": (
        f"{THEIRS}\nb: {{repeat: 2, each: {{own: {{roll: d3}}}}}}\nmet: {{pair: b.own, with: theirs, {EACH}}}",
        "last(b).own", "theirs", "met",
    ),
    "a list of rolls": (
        f"{THEIRS}\nb: {{repeat: 2, each: {{own: {{roll: d3}}}}}}\nmet: {{pair: b.own, with: theirs, {EACH}}}",
        "b.own", "theirs", "met",
    ),
    "rolls of elements": (
        f"{THEIRS}\nb: {{for: n, among: upto(2), each: {{own: {{roll: d3}}}}}}\n"
        f"met: {{pair: b(1).own, with: theirs, {EACH}}}",
        "b(1).own", "theirs", "met",
    ),
    "thrown again": (
        f"thrown: {{roll: 2d3}}\n{THEIRS}\na: {{steps: {{ours: {{reroll: thrown where face == 1}}, met: {{{PAIR}}}}}}}",
        "a.ours", "theirs", "a.met",
    ),
    "before it is thrown again": (
        f"thrown: {{roll: 2d3}}\n{THEIRS}\na: {{steps: {{ours: {{reroll: thrown where face == 1}}, met: {{{PAIR}}}}}}}",
        "thrown", "theirs", "a.met",
    ),
    "with a part": (
        f"{THEIRS}\na: {{steps: {{ours: {{roll: {{good: d3, bad: d2}}}}, met: {{{PAIR}}}}}}}",
        "a.ours.good", "theirs", "a.met",
    ),
    "some of the dice": (
        f"{OURS}\n{THEIRS}\na: {{steps: {{met: {{pair: 'highest(ours, 1)', with: theirs, {EACH}}}}}}}",
        "ours", "theirs", "a.met",
    ),
}  # fmt: skip
"""Steps that hold two rolls and their pairs, and how these are read."""

OF_PAIRS = [
    "1 if all({met}.won) else 0",
    "count({met} where it.won)",
    "sum({met}.gap)",
    "highest({met}.gap) otherwise 0",
]
OF_ROLLS = [
    "sum({ours})", "sum({theirs})", "highest({ours}) otherwise 0", "count({theirs} where face == 1)",
    "sum({ours}) - sum({theirs})",
]  # fmt: skip
FORMS = {
    "a roll first": "x: ({of_rolls})\ny: ({of_pairs})\nvalue: 100 * x + y",
    "pairs first": "y: ({of_pairs})\nx: ({of_rolls})\nvalue: 100 * x + y",
    "at once": "value: 100 * ({of_rolls}) + ({of_pairs})",
    "in passes": "x: ({of_rolls})\nlater: {{repeat: 2, each: {{f: {{is: '{of_pairs}', if: x > 1, else: 0}}}}}}\n"
    "value: 100 * x + sum(later.f)",
}


@pytest.mark.parametrize(("held", "of_pairs", "of_rolls", "form"), grid(HELD, OF_PAIRS, OF_ROLLS, FORMS, every=2))
def test_what_is_read_of_pairs_and_of_their_rolls_is_read_of_the_same_dice(
    held: str, of_pairs: str, of_rolls: str, form: str
) -> None:
    steps, ours, theirs, met = HELD[held]
    reads = {"of_pairs": of_pairs.format(met=met), "of_rolls": of_rolls.format(ours=ours, theirs=theirs)}
    lines = f"{steps}\n{FORMS[form].format(**reads)}".split("\n")
    meets = f"  meets: {{steps: {{{OURS}, {THEIRS}, met: {{{PAIR}}}}}}}\n"
    rules = "ruleset: pairs\nmechanics:\n" + meets + "  one:\n    steps:\n" + "".join(f"      {one}\n" for one in lines)
    hold_to_every_history(interpreter.loads(rules), "one", "value")


def test_readings_of_a_roll_that_a_called_rule_pairs_are_drawn_with_the_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    """3,000 hands of one roll would be drawn, each followed through the dice of the other."""
    monkeypatch.setattr(meter, "LIMITS", meter.WorkLimits(states=1_000))
    game = interpreter.loads("""\
ruleset: blows
mechanics:
  strike:
    inputs: {pool: dice, against: dice}
    steps:
      mine: {roll: pool}
      other: {roll: against}
      met: {pair: mine, with: other, each: {won: ours > theirs}}
  struck:
    steps:
      blow: {call: strike, with: {pool: 3d12 & d8, against: 2d12 & d8}}
      won: count(blow.met where it.won)
      best: highest(blow.mine)
""")
    law = game.odds("struck").law("won", "best")
    assert sum(law.weights.values()) == 1

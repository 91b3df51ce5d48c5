"""A reroll gives the whole roll that its dice come from, whatever part of it is named, and however.

Every way to name some dice of a roll, and every place where they are named, in every way of playing, against plain
Python over all faces.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import pytest
from enumeration import hold_to_every_history

import interpreter
from interpreter import RulesetError

SIZES = (2, 2, 3)
"""The dice of the roll: two d2 and a d3, as the parts `small` and `large`."""

Faces = Sequence[int]


def in_order(faces: Faces, key: Callable[[int], int]) -> list[int]:
    """The places of dice, those with the lowest key first, equal ones as thrown."""
    return sorted(range(len(faces)), key=key)


PARTS: dict[str, tuple[str, Callable[[Faces], Sequence[int]]]] = {
    "where": ("R where face == 1", lambda f: [n for n in range(3) if f[n] == 1]),
    "all": ("R", lambda f: range(3)),
    "lowest": ("lowest(R, 1)", lambda f: in_order(f, lambda n: f[n])[:1]),
    "highest": ("highest(R, 2)", lambda f: in_order(f, lambda n: -f[n])[:2]),
    "by size": ("first(R where face == 1 by -size, 1)", lambda f: [n for n in (2, 0, 1) if f[n] == 1][:1]),
    "by face": ("first(R by face, 2)", lambda f: in_order(f, lambda n: f[n])[:2]),
    "first": ("first(R where face > 1, 1)", lambda f: [n for n in range(3) if f[n] > 1][:1]),
    "last": ("last(R, 2)", lambda f: [1, 2]),
    "item": ("item(R by -face, 1)", lambda f: in_order(f, lambda n: -f[n])[:1]),
    "only": ("only(lowest(R, 1))", lambda f: in_order(f, lambda n: f[n])[:1]),
    "ordered": ("first(reversed(ordered(R)), 1)", lambda f: in_order(f, lambda n: f[n])[-1:]),
    "without": ("without(R, highest(R, 1))", lambda f: sorted({0, 1, 2} - {*in_order(f, lambda n: -f[n])[:1]})),
    "two selections": ("(R where face == 1) & (R where face == 2)", lambda f: [n for n in range(3) if f[n] < 3]),
    "a part": ("R.large", lambda f: [2]),
    "some of a part": ("lowest(R.small, 1)", lambda f: in_order(f[:2], lambda n: f[n])[:1]),
    "a function": ("worst(R)", lambda f: in_order(f, lambda n: f[n])[:1]),
    "one or the other": (
        "highest(R, 1) if sum(R) > 4 else (R where face == 1)",
        lambda f: in_order(f, lambda n: -f[n])[:1] if sum(f) > 4 else [n for n in range(3) if f[n] == 1],
    ),
}  # fmt: skip

PLACES = {
    "itself": "rolled: THROW\nanew: {reroll: 'PART'}",
    "a step": "rolled: THROW\nsome: 'PART'\nanew: {reroll: some}",
    "two steps": "rolled: THROW\nsome: 'PART'\nmore: some\nanew: {reroll: more}",
    "some of a step": "rolled: THROW\nsome: 'PART'\nanew: {reroll: some where face > 0}",
    "a case": "rolled: THROW\nsome: {first_of: {never: {if: sum(rolled) > 9, is: rolled}, else_: 'PART'}}\n"
    "anew: {reroll: some}",
    "a group": "all_of: {steps: {rolled: THROW, some: 'PART'}}\nanew: {reroll: all_of.some}",
    "a call": "called: {call: other}\nanew: {reroll: called.some}",
    "a pass": "passes: {repeat: 1, each: {rolled: THROW, some: 'PART'}}\nanew: {reroll: 'item(passes, 1).some'}",
    "in a pass": "rolled: THROW\npasses: {repeat: 1, each: {some: 'PART', anew: {reroll: some}}}\n"
    "anew: item(passes, 1).anew",
    "a choice": "rolled: THROW\nsome: {choose: some, among: rolled, by: player, default: 'PART'}\nanew: {reroll: some}",
    "a roll that was thrown anew": "opening: THROW\nrolled: {reroll: opening where face > 9}\nanew: {reroll: 'PART'}",
    "a stage": "anew: {start: THROW, then: {again: {reroll: 'PART'}}}",
}
THROW = "{roll: {small: 2d2, large: d3}}"

RULES = """ruleset: whole
roles: {player: Who plays.}
functions: {worst: {takes: {of: roll}, gives: 'lowest(of, 1)'}}
mechanics:
  other: {steps: {rolled: THROW, some: 'PART'}}
  rule:
    steps:
STEPS      dice: count(anew)
      total: sum(anew)
"""

SLICE = [
    (place, part)
    for n, place in enumerate(PLACES)
    for m, part in enumerate(PARTS)
    if place == "itself" or (n + m) % 5 == 0
]
"""Every part as it is, and a fifth of the others."""


def ruleset_of(place: str, part: str) -> str:
    text = PARTS[part][0].replace("R", "anew" if place == "a stage" else "rolled")
    steps = PLACES[place].replace("PART", text)
    other = PARTS[part][0].replace("R", "rolled")
    lines = "".join(f"      {line}\n" for line in steps.splitlines())
    return RULES.replace("STEPS", lines).replace("PART", other).replace("THROW", THROW)


def law_by_hand(taken: Callable[[Faces], Sequence[int]]) -> dict[tuple[int, int], Fraction]:
    """The law of how many dice lie there, and of their sum."""
    counted: Counter[tuple[int, int]] = Counter()
    for faces, new in product(product(*map(faces_of, SIZES)), repeat=2):
        places = set(taken(faces))
        counted[3, sum(new[n] if n in places else faces[n] for n in range(3))] += 1
    every = sum(counted.values())
    return {key: Fraction(times, every) for key, times in counted.items()}


def faces_of(size: int) -> range:
    return range(1, size + 1)


@pytest.mark.parametrize(("place", "part"), SLICE)
def test_the_value_is_the_whole_roll_in_every_way_of_playing(place: str, part: str) -> None:
    game = interpreter.loads(ruleset_of(place, part))
    assert game.odds("rule").law("dice", "total").weights == law_by_hand(PARTS[part][1])
    hold_to_every_history(game, "rule", "dice", "total")


def test_the_lower_of_two_dice() -> None:
    steps = "two: {roll: 2d12}\n      again: {reroll: 'lowest(two, 1)'}\n      total: sum(again)\n"
    game = interpreter.loads(f"ruleset: two\nmechanics:\n  rule:\n    steps:\n      {steps}")
    assert game.odds("rule").mean("total") == Fraction(1079, 72)


NO_ROLL = {
    "two rolls": "a: {roll: 2d6}\nb: {roll: 2d6}\nc: {reroll: a & b}",
    "two rolls by name": "a: {roll: 2d6}\nb: {roll: 2d6}\nboth: a & b\nc: {reroll: both where face == 1}",
    "some of two rolls": "a: {roll: 2d6}\nb: {roll: 2d6}\nc: {reroll: 'lowest(a, 1) & lowest(b, 1)'}",
    "dice of passes": "a: {repeat: 2, each: {b: {roll: d6}}}\nc: {reroll: a.b}",
    "rolls of passes": "a: {repeat: 2, each: {b: {roll: 2d6}}}\nc: {reroll: a.b where face == 1}",
    "a list of dice": "a: {roll: d6}\nb: {repeat: 2, each: {d: {roll: d6}}}\nc: {reroll: 'first(b.d)'}",
    "a part of either": "a: {roll: 2d6}\nb: {roll: 2d6}\nd: 'lowest(a, 1) if sum(a) > 7 else lowest(b, 1)'\n"
    "c: {reroll: d}",
    "out of reach": "a: {roll: 2d6}\nb: {call: other, with: {r: a}}\nc: {reroll: b.low}",
}


@pytest.mark.parametrize("case", NO_ROLL)
def test_without_a_single_roll_it_is_an_error(case: str) -> None:
    lines = "".join(f"      {line}\n" for line in NO_ROLL[case].splitlines())
    other = "  other: {inputs: {r: {type: roll}}, steps: {low: 'lowest(r, 1)'}}\n"
    with pytest.raises(RulesetError) as raised:
        interpreter.loads(f"ruleset: none\nmechanics:\n{other}  rule:\n    steps:\n{lines}")
    assert [one.code for one in raised.value.diagnostics] == ["HR420"], raised.value


KEYS: dict[str, Callable[[int, int], int]] = {
    "-size": lambda face, size: -size,
    "size": lambda face, size: size,
    "face": lambda face, size: face,
    "-face": lambda face, size: -face,
    "value * 2 - size": lambda face, size: 2 * face - size,
    "1 if part is large else 0": lambda face, size: int(size == 3),
}
"""What dice are sorted by, and the same in Python."""


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("reading", ["first", "last", "most", "faces"])
def test_dice_come_in_the_order_that_by_says(key: str, reading: str) -> None:
    """Sorting is held to plain Python through play; odds and simulations are held to play."""
    taken = {
        "first": f"some: first(rolled by {key}, 2)\nvalue: 9 * sum(some.size) + sum(some)",
        "last": f"some: last(rolled by {key}, 1)\nvalue: 9 * sum(some.size) + sum(some)",
        "most": f"some: {{reroll: 'rolled where face < 3 by {key}', most: 1}}\nvalue: sum(some)",
        "faces": f"some: (rolled by {key}).face\nvalue: 9 * item(some, 1) + item(some, 2)",
    }[reading]
    lines = "".join(f"      {line}\n" for line in f"rolled: {THROW}\n{taken}".splitlines())
    game = interpreter.loads(f"ruleset: sorted\nmechanics:\n  rule:\n    steps:\n{lines}")
    hold_to_every_history(game, "rule", "value")
    if reading == "faces":
        for faces in ([2, 1, 3], [1, 2, 1], [2, 2, 2]):
            keys = [KEYS[key](face, size) for face, size in zip(faces, SIZES, strict=True)]
            found = game.roll("rule", faces=faces).values["some"]
            assert list(found) == [faces[n] for n in in_order(faces, keys.__getitem__)]

"""Sentences that mean the same have the same odds and take about the same work: an author who writes a rule in another
way is not refused.

Each question is made by chance, and written in several ways. With few dice, all of them have the law of enumeration;
with many, all have one law, and none takes more than a few times the work of another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from enumeration import by_enumeration
from marks import thorough

import interpreter

MOST_TIMES = 3
"""How many times the work of one sentence another may take that means the same."""


class Question(NamedTuple):
    """A question in several ways of writing: the steps of each, what is asked, and inputs for few and for many dice.

    `beside` are more ways, which may take more or less work, and `rules` and `mechanics` what else the ruleset has.
    """

    ways: Mapping[str, str]
    asked: tuple[str, ...]
    few: Mapping[str, Any]
    many: Mapping[str, Any]
    beside: Mapping[str, str] = MappingProxyType({})
    rules: str = ""
    mechanics: str = ""

    @property
    def all_ways(self) -> Mapping[str, str]:
        return {**self.ways, **self.beside}


def text_of(question: Question) -> str:
    """A ruleset with a mechanic for each way."""
    inputs = "".join([f"      {name}: {_type_of(value)}\n" for name, value in question.few.items()])
    text = f"ruleset: words\n{question.rules}mechanics:\n{question.mechanics}"
    for number, way in enumerate(question.all_ways.values()):
        steps = "".join([f"      {line}\n" for line in way.strip().split("\n")])
        text += f"  way_{number}:\n    inputs:\n{inputs}    steps:\n{steps}"
    return text


def _type_of(value: Any) -> str:
    return "yes_no" if isinstance(value, bool) else "number"


# Rerolls ----------------------------------------------------------------------------------------------------------


def a_limited_reroll(by_chance: Random) -> Question:
    """A few of the dice that do not hit are thrown again, and all dice are read after it."""
    size, most = by_chance.choice([4, 6, 10]), by_chance.choice([1, 2, 3])
    hit = by_chance.randint(2, size)
    rolled = by_chance.choice(
        [f"{{roll: (n)d{size}}}", f"{{roll: (n)d{size} & 2d4}}", f"{{roll: (n)d{size}, counts: face}}"]
    )
    if part := by_chance.choice(["", "", "plain"]):
        rolled = f"{{roll: {{plain: (n)d{size}, other: 2d{size}}}}}"
    of, where = (f"rolled.{part}" if part else "rolled"), f"face < {hit}"
    value = by_chance.choice(
        [f"count(again where face >= {hit})", "sum(again)", "highest(again)", "kth(again, 2) otherwise 0",
         f"count(again where face >= {hit}) + count(again where face == {size})",
         "(kth(again, 1) otherwise 0) - (kth(again, 2) otherwise 0)"]
    )  # fmt: skip
    read = f"\nvalue: {value}"
    ways = {
        "most": f"rolled: {rolled}\nagain: {{reroll: {of} where {where}, most: {most}}}{read}",
        "first": f"rolled: {rolled}\nagain: {{reroll: 'first({of} where {where}, {most})'}}{read}",
        "the other way round": f"rolled: {rolled}\n"
        f"again: {{reroll: {of} where not (face >= {hit}), most: {most}}}{read}",
        "in order": f"rolled: {rolled}\nagain: {{reroll: {of} where {where} by 0, most: {most}}}{read}",
        "named": f"rolled: {rolled}\nmisses: {of} where {where}\nagain: {{reroll: misses, most: {most}}}{read}",
        "under a condition": f"rolled: {rolled}\n"
        f"again: {{reroll: {of} where {where}, most: {most}, if: pushed, else: rolled}}{read}",
        "one of two": f"rolled: {rolled}\nanew: {{reroll: {of} where {where}, most: {most}}}\n"
        f"again: anew if pushed else rolled{read}",
        "a stage": f"again: {rolled[:-1]}, then: {{anew: {{reroll: {of.replace('rolled', 'again')} where {where},"
        f" most: {most}}}}}}}{read}",
    }
    beside = {
        "read before": f"rolled: {rolled}\nbefore: count({of} where face >= {hit})\n"
        f"again: {{reroll: {of} where {where}, most: {most}, if: before >= 0, else: rolled}}{read}",
    }
    return Question(ways, ("value",), {"n": 2, "pushed": True}, {"n": 12, "pushed": True}, beside)


def a_reroll_of_the_lowest(by_chance: Random) -> Question:
    """The lowest dice are thrown again, whatever they show."""
    size, most = by_chance.choice([3, 4, 6]), by_chance.choice([1, 2])
    rolled = by_chance.choice([f"(n)d{size}", f"(n)d{size} & 2d3"])
    value = by_chance.choice(["sum(again)", f"count(again where face > {size // 2})", "highest(again)"])
    ways = {
        how: f"rolled: {{roll: {rolled}}}\nagain: {{{reroll}}}\nvalue: {value}"
        for how, reroll in {
            "lowest": f"reroll: 'lowest(rolled, {most})'",
            "most": f"reroll: rolled by face, most: {most}",
            "first": f"reroll: 'first(rolled by face, {most})'",
            "by value": f"reroll: rolled where face > 0 by value, most: {most}",
        }.items()
    }
    return Question(ways, ("value",), {"n": 2}, {"n": 12})


def a_gain_by_a_reroll(by_chance: Random) -> Question:
    """Dice are read before and after a reroll of all that miss, or of a few of them."""
    size = by_chance.choice([4, 6, 10])
    hit, limit = by_chance.randint(2, size), by_chance.choice(["", ", most: 1", ", most: 2"])
    ways = {
        "afterwards": f"rolled: {{roll: (n)d{size}}}\nagain: {{reroll: rolled where face < {hit}{limit}}}\n"
        f"value: count(again where face >= {hit}) - count(rolled where face >= {hit})",
        "in turn": f"rolled: {{roll: (n)d{size}}}\nbefore: count(rolled where face >= {hit})\n"
        f"again: {{reroll: rolled where face < {hit}{limit}}}\nvalue: count(again where face >= {hit}) - before",
        "named": f"rolled: {{roll: (n)d{size}}}\nmisses: rolled where face < {hit}\nagain: {{reroll: misses{limit}}}\n"
        f"before: n - count(misses)\nvalue: count(again where face >= {hit}) - before",
    }
    return Question(ways, ("value",), {"n": 3}, {"n": 12})


def readings_of_parts(by_chance: Random) -> Question:
    """Several readings of a roll with parts, which is pushed or not."""
    hit, bad, pushed = by_chance.choice([5, 6]), by_chance.choice([1, 2]), by_chance.random() < 0.5
    read = f"\nvalue: count(again where face >= {hit})\npanic: any(again.stress where face <= {bad})"
    rolled, anew = "{roll: {plain: (n)d6, stress: (n + 1)d6}}", f"reroll: rolled where face < {hit}"
    ways = {
        "a condition": f"rolled: {rolled}\nagain: {{{anew}, if: pushed, else: rolled}}{read}",
        "one of two": f"rolled: {rolled}\nanew: {{{anew}}}\nagain: anew if pushed else rolled{read}",
        "a stage": f"again: {rolled[:-1]}, then: {{anew: {{{anew.replace('rolled', 'again')}, if: pushed}}}}}}{read}",
        "a case": f"rolled: {rolled}\nanew: {{{anew}}}\n"
        f"again: {{first_of: {{pushed_on: {{if: pushed, is: anew}}, as_it_was: rolled}}}}{read}",
    }
    return Question(ways, ("value", "panic"), {"n": 1, "pushed": pushed}, {"n": 8, "pushed": pushed})


# Rules that lead to others ----------------------------------------------------------------------------------------


def dice_of_an_event(by_chance: Random) -> Question:
    """The dice of a rule that another one leads to are read by that one, and perhaps by both."""
    pool = by_chance.choice(["(n)d6 & 2d8", "(n)d10", "(n)d4 & (n)d6"])
    value = by_chance.choice(
        ["sum(harm)", "count(harm where face > 2)", "highest(harm) otherwise 0", "count(harm) + sum(harm)"]
    )
    dealt = by_chance.choice(["", "sum(harm)", "count(harm where face > 3)", "lowest(harm) otherwise 0"])
    inside = f", dealt: '{dealt}'" if dealt else ""
    read = f"value: {value.replace('harm', 'blow.harm')}" + (" + blow.dealt" if dealt else "")
    body = f"{{inputs: {{n: number}}, steps: {{harm: {{roll: '{pool}'}}{inside}}}}}"
    here = f"harm: {{roll: '{pool}'}}\nvalue: {value}" + (f" + ({dealt})" if dealt else "")
    ways = {"here": here, "by a call": f"blow: {{call: strike, with: {{n: n}}}}\n{read}"}
    beside = {"by a cause": f"blow: {{cause: blow, with: {{n: n}}}}\n{read}"}  # each result of it has a state
    return Question(ways, ("value",), {"n": 2}, {"n": 12}, beside, f"events:\n  blow: {body}\n", f"  strike: {body}\n")


# Whole pools ------------------------------------------------------------------------------------------------------


def the_best_of_several_pools(by_chance: Random) -> Question:
    """Who has the best pool, highest die first; of equal pools, the first is the best."""
    size, again = by_chance.choice([3, 4]), by_chance.choice(["", "", ", again: face == 3 and nth < 2"])
    pools = by_chance.choice([("n", "2", "n", "n"), ("n", "n", "2"), ("2", "n", "n", "n")])
    names = ["one", "two", "three", "four"][: len(pools)]
    rolled = "\n".join([f"{name}: {{roll: ({pool})d{size}{again}}}" for name, pool in zip(names, pools, strict=True)])
    if by_chance.random() < 0.5:
        rolled += "\nhits: count(one where face > 1) + count(two where face > 1)"
    best = [
        (number, " or ".join([f"outranks({other}, {name})" for other in names[number:]]))
        for number, name in enumerate(names[:-1], 1)
    ]
    cases = ", ".join([f"c{number}: {{if: 'not ({beaten})', is: {number}}}" for number, beaten in best])
    otherwise = "".join([f"{number} if not ({beaten}) else " for number, beaten in best])
    compared = "\n".join(
        [
            f"{name}_{other}: {{compare: {{dice: {{ours: {other}, theirs: {name}}}}}}}"
            for place, name in enumerate(names)
            for other in names[place + 1 :]
        ]
    )
    in_lines = "".join(
        [
            f"{number} if not ({' or '.join([f'{name}_{other}.ahead' for other in names[number:]])}) else "
            for number, name in enumerate(names[:-1], 1)
        ]
    )
    in_turn = "lead_1: one\nwho_1: 1"
    for number, name in enumerate(names[1:], 2):
        beats = f"outranks({name}, lead_{number - 1})"
        in_turn += f"\nlead_{number}: {name} if {beats} else lead_{number - 1}"
        in_turn += f"\nwho_{number}: {number} if {beats} else who_{number - 1}"
    ways = {
        "cases": f"{rolled}\nwho: {{first_of: {{{cases}, last_one: {len(names)}}}}}",
        "a formula": f"{rolled}\nwho: {otherwise}{len(names)}",
        "compared": f"{rolled}\n{compared}\nwho: {in_lines}{len(names)}",
        "in turn": f"{rolled}\n{in_turn}\nwho: who_{len(names)}",
    }
    return Question(ways, ("who",), {"n": 1}, {"n": 4})


def sets_and_straights(by_chance: Random) -> Question:
    """The worth of a roll is its highest die, its best set, or its longest straight, whichever is the most."""
    size, least = by_chance.choice([4, 6]), by_chance.choice([2, 3])
    rolled = f"rolled: {{roll: (n)d{size}}}"
    sets = "sets: {for: set, among: groups(rolled), each: {worth: set.height * set.width}}"
    within = "it.height >= low and it.height <= top"
    worth = "down((low + top) * long / 2) if long >= {0} and count({1} where {2}) == long else 0"
    straights = (
        f"straights:\n  for: low\n  among: upto({size})\n  each:\n    tops:\n      for: top\n"
        f"      among: upto({size})\n      each:\n        long: top - low + 1\n        worth: {{0}}\n"
        "    worth: highest(tops.worth) otherwise 0"
    )
    best = "max(highest(rolled) otherwise 0, highest(sets.worth) otherwise 0, highest(straights.worth) otherwise 0)"
    ways = {
        "groups": f"{rolled}\n{sets}\n{straights.format(worth.format(least, 'groups(rolled)', within))}\nvalue: {best}",
        "named groups": f"{rolled}\nfound: groups(rolled)\n{sets.replace('groups(rolled)', 'found')}\n"
        f"{straights.format(worth.format(least, 'found', within))}\nvalue: {best}",
    }
    return Question(ways, ("value",), {"n": 3}, {"n": 4})


QUESTIONS: Mapping[str, Callable[[Random], Question]] = {
    made.__name__: made
    for made in (
        a_limited_reroll,
        a_reroll_of_the_lowest,
        a_gain_by_a_reroll,
        readings_of_parts,
        dice_of_an_event,
        the_best_of_several_pools,
        sets_and_straights,
    )
}
SEEDS = 12
GRID = [(kind, seed) for kind in QUESTIONS for seed in range(SEEDS)]


@pytest.mark.parametrize("kind, seed", thorough(GRID, lambda kind, seed: seed > 0))
def test_sentences_that_mean_the_same_have_the_same_odds(kind: str, seed: int) -> None:
    question = QUESTIONS[kind](Random(f"{kind} {seed}"))
    game = interpreter.loads(text_of(question))
    state = game.state()
    true = by_enumeration(game, "way_0", state, question.asked, question.few)
    of_many, work = {}, {}
    for number, way in enumerate(question.all_ways):
        assert game.odds(f"way_{number}", state=state, **question.few).law(*question.asked).weights == true, way
        law = game.odds(f"way_{number}", state=state, **question.many).law(*question.asked)
        assert law.cost is not None and not law.missing
        of_many[way], work[way] = law.weights, law.cost.work
    assert all(law == next(iter(of_many.values())) for law in of_many.values())
    alike = [work[way] for way in question.ways]
    assert max(alike) <= MOST_TIMES * min(alike), work

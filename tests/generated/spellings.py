"""Questions that an author can write in several ways, each of them in all of these ways."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import product
from random import Random
from textwrap import indent
from typing import NamedTuple

Steps = str
"""The steps of a rule, of which `value` is asked for."""


class Sizes(NamedTuple):
    """How many passes, of dice with how many faces, and what they are compared with."""

    passes: int
    faces: int
    limit: int
    rank: int


def sizes(chance: Random, small: bool) -> Sizes:
    """Sizes at random: `small` ones that can be enumerated, or those of questions at a table."""
    if small:
        return Sizes(chance.randint(2, 3), chance.randint(2, 3), chance.randint(1, 3), chance.randint(1, 3))
    faces = chance.choice([6, 8, 10, 12, 20])
    return Sizes(chance.randint(6, 12), faces, chance.randint(2, faces), chance.randint(1, 5))


def ruleset(spellings: Mapping[str, Steps]) -> str:
    """A ruleset with a mechanic for each spelling, by its name."""
    rules = [f"  {name}:\n    steps:\n{indent(steps.strip(), '      ')}\n" for name, steps in spellings.items()]
    return "ruleset: spellings\nmechanics:\n" + "".join(rules)


# Passes -----------------------------------------------------------------------------------------------------------

READINGS = {
    "count": (
        "count(dice where face >= L)", "count(six where it.die >= L)", "count(six.hit where it)", "sum(six.hits)",
    ),
    "any": ("any(dice where face >= L)", "any(six where it.die >= L)", "any(six.hit)", "sum(six.hits) > 0"),
    "all": ("all(dice where face >= L)", "all(six where it.die >= L)", "all(six.hit)", "sum(six.hits) == N"),
    "sum": ("sum(dice)", "sum(six.die)", "sum(six.v) - N", "sum((six where it.v > 0).v) - N"),
    "sum of some": (
        "sum(dice where face >= L)", "sum((six where it.die >= L).die)", "sum((six where it.hit).die)",
        "sum(six.worth)",
    ),
    "highest": ("highest(dice) otherwise 0", "highest(six.die)", "highest(six.v) - 1", "kth(six.v, 1) - 1"),
    "lowest": ("lowest(dice) otherwise 0", "lowest(six.die)", "lowest(six.v) - 1", 'min(lowest(six.v) - 1, 99)'),
    "rank": ("kth(dice, K) otherwise 0", "kth(six.die, K) otherwise 0", "(kth(six.v, K) otherwise 1) - 1"),
    "best": ("sum(highest(dice, K))", "sum(highest(six.die, K))", "sum(highest(six.v, K)) - min(K, N)"),
    "groups": (
        "highest(groups(dice).width) otherwise 0", "highest(groups(six.die).width)", "highest(groups(six.v).width)",
    ),
    "two at once": (
        "sum(dice) * 100 + count(dice where face >= L)",
        "sum(six.die) * 100 + count(six where it.die >= L)",
        "(sum(six.v) - N) * 100 + sum(six.hits)",
    ),
    "a limit that is rolled": (
        "count(dice where face >= limit)", "count(six where it.die >= limit)", "count(six.v where it > limit)",
    ),
    "those that show the highest": (
        "count(dice where face == highest(dice))", "count(six.v where it == highest(six.v))",
        "count(six where it.die == highest(six.die))",
    ),
}  # fmt: skip
"""By what is asked, what is read of a roll or a column `dice`, and of passes `six` that also have other names.

`L` is what dice are compared with, `N` the number of passes, and `K` a rank."""

EACH = {
    "die": "die: {roll: dF}",
    "hit": "hit: die >= L",
    "hits": "hits: 1 if die >= L else 0",
    "v": "v: die + 1",
    "worth": "worth: die if die >= L else 0",
}
UNTIL = {"no": "", "a die": ", until: die == F", "the number of the pass": ", until: die + nth > F + 2"}


def spellings_of_passes(reading: str, until: str, size: Sizes) -> dict[str, Steps]:
    """One question about passes that roll a die each, in many ways: of a roll, of columns, and of passes."""
    of_dice, *of_passes = READINGS[reading]
    columns = [of_dice.replace("dice", "six.die"), of_dice.replace("face", "value").replace("dice", "six.die")]
    of_numbers = of_dice.replace("dice where face", "six.die where it").replace("dice", "six.die")
    passes = "six: {VERB, each: {EACH}UNTIL}\n"
    found = {
        "column": passes + f"value: {columns[0]}",
        "value": passes + f"value: {columns[1]}",
        "named": passes + f"dice: six.die\nvalue: {of_dice}",
        "numbers": passes + f"value: {of_numbers}",
    }
    found |= {f"passes_{place}": passes + f"value: {one}" for place, one in enumerate(of_passes)}
    if until == "no":
        found["roll"] = f"dice: {{roll: NdF}}\nvalue: {of_dice}"
        every = "[" + ", ".join(map(str, range(size.passes))) + "]"
        loops = {name: text.replace("VERB", f'for: one, among: "{every}"') for name, text in found.items()}
        found |= {f"for_{name}": text for name, text in loops.items() if text != found[name]}
    else:
        found = {
            name: text for name, text in found.items() if not re.search(r"\bN\b", text)
        }  # those count on all passes
    return {name: _filled(text, until, size) for name, text in found.items()}


def _filled(text: str, until: str, size: Sizes) -> Steps:
    """Steps with sizes in place of letters, and no more in a pass than is read of it."""
    name, value = text.rpartition("value: ")[0], text.rpartition("value: ")[2]
    limit = "limit: {roll: dF}\n" if "limit" in value else ""
    read = [step for key, step in EACH.items() if key == "die" or f".{key}" in text]
    made = f"{limit}{name}value: '{value}'".replace("EACH", ", ".join(read)).replace("UNTIL", UNTIL[until])
    made = made.replace("VERB", f"repeat: {size.passes}")
    for letter, number in (("NdF", f"{size.passes}dF"), ("dF", f"d{size.faces}"), (" F", f" {size.faces}")):
        made = made.replace(letter, number)
    for letter, number in (("L", size.limit), ("N", size.passes), ("K", size.rank)):
        made = "".join([str(number) if one == letter else one for one in made])
    return made


POOLS = {
    "sum": ("sum(dice)", "sum(six.pool)", "sum(six.total)"),
    "count": ("count(dice where face >= L)", "count(six.pool where face >= L)", "sum(six.hits)"),
    "any": ("any(dice where face >= L)", "any(six.pool where face >= L)", "any(six where it.hits > 0)"),
    "all": ("all(dice where face >= L)", "all(six.pool where face >= L)", "all(six where it.hits == 2)"),
    "highest": ("highest(dice)", "highest(six.pool)", "highest(six.best)"),
    "rank": ("kth(dice, K) otherwise 0", "kth(six.pool, K) otherwise 0"),
    "best": ("sum(highest(dice, K))", "sum(highest(six.pool, K))"),
    "groups": ("count(groups(dice) where it.width > 1)", "count(groups(six.pool) where it.width > 1)"),
    "of passes": ("sum(six.total)", "sum(six.pool)", "sum((six where sum(it.pool) > 0).total)"),
    "passes": (
        "count(six where it.total >= L)",
        "count(six where sum(it.pool) >= L)",
        "count(six.total where it >= L)",
    ),
    "best of passes": ("highest(six.total)", "kth(six.total, 1)"),
}
"""By what is asked, what is read of a roll of all dice, and of passes with two dice each."""

EACH_POOL = {
    "pool": "pool: {roll: 2dF}",
    "total": "total: sum(pool)",
    "hits": "hits: count(pool where face >= L)",
    "best": "best: highest(pool)",
}


def spellings_of_pools(reading: str, size: Sizes) -> dict[str, Steps]:
    """One question about passes that roll two dice each, in many ways."""
    found = {}
    for place, value in enumerate(POOLS[reading]):
        read = [step for key, step in EACH_POOL.items() if key == "pool" or f".{key}" in value]
        passes = f"six: {{repeat: {size.passes}, each: {{{', '.join(read)}}}}}"
        dice = f"dice: {{roll: {2 * size.passes}dF}}" if "dice" in value else passes
        found[f"spelling_{place}"] = f"{dice}\nvalue: '{value}'"
    made = {}
    for name, text in found.items():
        filled = text.replace("dF", f"d{size.faces}")
        made[name] = filled.replace(">= L", f">= {size.limit}").replace(", K)", f", {size.rank})")
    return made


# Names -----------------------------------------------------------------------------------------------------------

SELECTIONS = {
    "some dice": (["# where face >= L"], "count(#)"),
    "dice of a part": (["#.left", "# where face >= L"], "sum(#)"),
    "dice in order": (["ordered(#)", "# where face >= L"], "sum(#)"),
    "dice by their faces": (["# by -face"], "highest(#)"),
    "all but one": (["without(#, lowest(#, 1))"], "sum(#)"),
    "the best": (["highest(#, K)"], "sum(#)"),
    "the widest set": (["groups(#)", "#.width"], "highest(#) otherwise 0"),
    "sets": (["groups(#)", "# where it.width > 1"], "count(#)"),
    "a set of some dice": (["# where face >= L", "groups(#)", "#.height"], "highest(#) otherwise 0"),
    "faces": (["#.face", "# where it >= L"], "count(#)"),
    "faces of some dice": (["# where face >= L", "#.face"], "sum(#)"),
    "a rank of some dice": (["# where face >= L", "ordered(#)"], "kth(#, K) otherwise 0"),
    "whether there is one": (["#.face", "# where it >= L"], "any(#)"),
}
"""By what is read, the selections that lead to it from a roll, and the reading of the last one."""


def spellings_of_selections(selection: str, chance: Random, size: Sizes) -> dict[str, Steps]:
    """One question about a roll, with each of the selections that lead to it named, or not; read once or twice, and in
    a pass or outside of one."""
    layers, reader = SELECTIONS[selection]
    first = chance.randint(1, size.passes - 1)
    roll = f"{{roll: {{left: {first}d{size.faces}, right: {size.passes - first}d{size.faces}}}}}"
    value = f"({reader})" if "otherwise" in reader else reader
    value = value if selection == "whether there is one" else chance.choice([value, f"{value} * 3 - {value}"])
    in_pass = chance.random() < 0.5
    together = "any(tries.value)" if selection == "whether there is one" else "sum(tries.value)"
    found = {}
    for named in product((False, True), repeat=len(layers)):
        steps, last = [("rolled", roll)], "rolled"
        for place, (layer, has_name) in enumerate(zip(layers, named, strict=True)):
            last = f"({layer.replace('#', last)})"
            if has_name:
                steps.append((f"chosen_{place}", f"'{last}'"))
                last = steps[-1][0]
        steps.append(("value", f"'{value.replace('#', last)}'"))
        text = "\n".join([f"{name}: {what}" for name, what in steps])
        if in_pass:
            text = "tries: {repeat: 2, each: {" + text.replace("\n", ", ") + "}}\nvalue: " + together
        for letter, number in (("L", size.limit), ("K", size.rank)):
            text = re.sub(rf"\b{letter}\b", str(number), text)
        found["named_" + "".join(["y" if one else "n" for one in named])] = text
    return found


# Changes that nothing reads ----------------------------------------------------------------------------------------

CHANGES = {
    "nothing": "",
    "gain": "skill: {gain: 1, to: who.skills(which(learn))}",
    "lose": "wound: {lose: learn, from: who.health}",
    "set": "wound: {set: who.health, to: learn}",
    "two": "skill: {gain: learn, to: who.skills(a)}, wound: {lose: 1, from: who.health}",
    "call": "trained: {call: train, with: {who: who, lesson: learn}}",
    "for": 'skill: {for: one, among: "[1, 2]", each: {more: {gain: one, to: who.skills(which(learn))}}}',
    "sometimes": "skill: {gain: 1, to: who.skills(which(learn)), if: learn > 1}",
}
"""What a term of service changes, by its name."""

LIFE = """\
ruleset: life
names: {skill: [a, b, c]}
tables: {which: {type: skill, rows: {1: a, 2: b, 3: c}, off_the_rows: refuse}}
kinds:
  hero: {has: {skills: {type: points, per: skill}, health: {type: points, to: 9, starts: full}}}
mechanics:
  train:
    inputs: {who: {type: hero}, lesson: number}
    steps: {skill: {gain: 1, to: who.skills(which(lesson))}}
  life:
    inputs: {who: {type: hero}}
    steps:
      terms: {repeat: TERMS, each: {learn: {roll: d3}, CHANGE alive: {roll: 2dF}, lives: sum(alive) > L}UNTIL}
      served: count(terms)
    outcomes: {dead: not all(terms.lives), retired: otherwise}
    also: {skilled: SKILLED}
"""


def life(change: str, terms: int, until: bool, size: Sizes, skilled: str = "served > 1") -> str:
    """A ruleset with a life of some terms of service, each of which changes something."""
    text = LIFE.replace("TERMS", str(terms)).replace("UNTIL", ", until: not lives" if until else "")
    text = text.replace("CHANGE", CHANGES[change] + "," if CHANGES[change] else "").replace("dF", f"d{size.faces}")
    return text.replace("> L", f"> {size.limit}").replace("SKILLED", skilled)

"""A name that looks like a die is refused where it is declared, in every place whose names expressions read.

In each place below an ordinary name is declared and read; a name such as `d6` is refused there, once, at its place.
A rule that is only called by its name may be called like a die.
"""

from __future__ import annotations

import pytest

import interpreter
from interpreter.diagnostics import RulesetError


def steps(text: str) -> str:
    return f"mechanics:\n  main:\n    inputs: {{n: {{type: number, default: 2}}}}\n    steps:\n{text}"


HERO = "kinds: {hero: {one: yes, has: {luck: {type: number, default: 1}}}}\n"

PLACES = {
    "a step": steps("      NAME: 3\n      x: NAME + 1\n"),
    "a step of a block": steps("      b: {steps: {NAME: 3}}\n      x: b.NAME\n"),
    "a step of a pass": steps("      r: {repeat: 2, each: {NAME: {roll: d6}}}\n      x: sum(r.NAME)\n"),
    "a step for an element": steps("      r: {for: one, among: '[1, 2]', each: {NAME: one}}\n      x: sum(r.NAME)\n"),
    "a step for a pair": steps(
        "      a: {roll: 2d6}\n      p: {pair: a, with: a, each: {NAME: ours - theirs}}\n      x: sum(p.NAME)\n"
    ),
    "a name of a throw": steps("      a: {roll: 2d6, each: {NAME: face * 2}}\n      x: sum(a.throws.NAME)\n"),
    "an element": steps("      r: {for: NAME, among: '[1, 2]', each: {x: NAME + 1}}\n"),
    "a stage": steps("      a: {start: n, then: {NAME: a + 1}}\n"),
    "a case": steps("      a: {first_of: {NAME: {if: n > 1, is: 1}, other: 2}}\n"),
    "a line": steps("      a: {compare: {NAME: {ours: n, theirs: 2}}}\n      x: a.ahead\n"),
    "a part of a roll": steps("      a: {roll: {NAME: 2d6, other: d8}}\n      x: sum(a.NAME)\n"),
    "a field of a call": "mechanics:\n  main:\n    steps:\n      a: {call: other}\n      x: a.NAME\n"
    "  other:\n    steps:\n      NAME: 3\n",
    "a flag": "mechanics:\n  main:\n    steps: {a: {call: other}, x: a.NAME}\n"
    "  other:\n    steps: {a: {roll: d6}}\n    also: {NAME: a > 3}\n",
    "an outcome": "mechanics:\n  main:\n    steps: {a: {call: other}, x: a.outcome is NAME}\n"
    "  other:\n    steps: {a: {roll: d6}}\n    outcomes: {NAME: a > 3, miss: otherwise}\n",
    "an input": "mechanics:\n  main:\n    inputs: {NAME: {type: number, default: 1}}\n    steps: {x: NAME + 1}\n",
    "a requirement": steps("      x: n\n    requires: {NAME: n > 1}\n"),
    "a table": "tables: {NAME: {rows: {1: 10, 2: 20}, off_the_rows: 0}}\n" + steps("      x: NAME(n)\n"),
    "a word of rows": "tables: {price: {rows: {NAME: 10, bread: 20}}}\n" + steps("      x: price(NAME)\n"),
    "a function": "functions: {NAME: {takes: {a: number}, gives: a + 1}}\n" + steps("      x: NAME(n)\n"),
    "a parameter": "functions: {half: {takes: {NAME: number}, gives: NAME + 1}}\n" + steps("      x: half(n)\n"),
    "a field of a record": "types: {side: {has: {NAME: {type: number, default: 1}}}}\nmechanics:\n  main:\n"
    "    inputs: {own: {type: side}}\n    steps: {x: own.NAME}\n",
    "an option": "options: {NAME: {type: number, default: 1}}\n" + steps("      x: options.NAME\n"),
    "a word of an option": "options: {rule: {one_of: [NAME, other], default: other}}\n"
    + steps("      x: options.rule is NAME\n"),
    "a word": "names: {gem: [NAME, ruby]}\n"
    + steps("      c: {choose: one, among: gem, default: ruby}\n      x: c is NAME\n"),
    "a list of words": "names: {NAME: [ruby, opal]}\n"
    + steps("      c: {choose: one, among: NAME, default: ruby}\n      x: c is ruby\n"),
    "a ladder": "ladders: {NAME: [page, squire]}\n"
    + steps("      c: {choose: one, among: NAME, default: page}\n      x: c < squire\n"),
    "a tag": "tags: [NAME]\n" + steps("      a: {roll: 2d6 NAME}\n      x: count(a where NAME in tags)\n"),
    "a die": "dice: {NAME: {faces: [1, 1, 2]}}\n" + steps("      a: {roll: NAME}\n      x: a + 1\n"),
    "a symbol": "dice: {omen: {faces: [blank, NAME]}}\n"
    + steps("      a: {roll: 'times(omen, 2)'}\n      x: sum(a.NAME)\n"),
    "a comparator": "comparators: {NAME: more than}\n" + steps("      x: n NAME 2\n"),
    "a kind": "kinds: {NAME: {one: yes, has: {luck: {type: number, default: 1}}}}\n" + steps("      x: NAME.luck\n"),
    "what a thing has": HERO.replace("luck", "NAME") + steps("      x: hero.NAME\n"),
    "a modifier": "types: {side: {has: {bonus: {type: number, default: 0}}}}\n"
    "modifiers: {NAME: {to: side, adds: {bonus: 1}}}\n"
    + steps("      x: n\n"),
    "an action": HERO + "actions: {NAME: {actor: hero, steps: {x: 1}}, rest: {actor: hero, steps: {x: 2}}}\n"
    + steps("      a: {offer: [NAME, rest], to: hero}\n"),
    "a role": "roles: {NAME: Who plays.}\n" + steps("      a: {choose: yes_no, by: NAME, default: no}\n"),
    "a phase": "scenes:\n  fight:\n    round: {NAME: {steps: {o: {end: over}}}}\n"
    "    outcomes: {over: {about: Enough.}}\n"
    + steps("      x: n\n"),
}  # fmt: skip

LIKE_DICE = ["d6", "d1", "d20", "d1000"]


@pytest.mark.parametrize("place", PLACES)
def test_a_name_is_declared_where_it_can_be_read(place: str) -> None:
    interpreter.loads("ruleset: named\n" + PLACES[place].replace("NAME", "dx6"))


@pytest.mark.parametrize("place", PLACES)
def test_a_name_that_looks_like_a_die_is_refused_where_it_is_declared(place: str) -> None:
    for name in LIKE_DICE:
        text = "ruleset: named\n" + PLACES[place].replace("NAME", name)
        with pytest.raises(RulesetError) as raised:
            interpreter.loads(text)
        told = [one for one in raised.value.diagnostics if one.code == "HR106"]
        assert [one.span.text for one in told] == [name], raised.value.diagnostics
        assert "read as a die" in told[0].message and f"`{name}_`" in (told[0].help or "")


@pytest.mark.parametrize("name", LIKE_DICE)
def test_a_rule_that_is_only_called_may_be_called_like_a_die(name: str) -> None:
    game = interpreter.loads(f"""\
ruleset: named
{HERO}events:
  {name}: {{inputs: {{much: number}}, steps: {{x: much}}}}
mechanics:
  {name}:
    steps: {{rolled: {{roll: {name}}}}}
  main:
    steps: {{a: {{call: {name}}}, b: {{cause: {name}, with: {{much: 3}}}}, x: a.rolled + b.x}}
cases:
  - {{name: called, mechanic: {name}, faces: [1], expect: {{rolled: 1}}}}
""")
    assert game.roll("main", faces=(1,)).values["x"] == 4

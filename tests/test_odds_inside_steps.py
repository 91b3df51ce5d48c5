"""Rolls in steps inside steps: the same dice inside and outside, and other dice in every pass, throw and pair.

Each is asked for alone, and all together, and held to plain enumeration.
"""

from __future__ import annotations

from textwrap import indent

import pytest
from generated.asking import Asked
from marks import thorough

import interpreter
from interpreter import ir
from interpreter.runtime.evaluator import Closure, Closures, Frame

HEAD = """\
ruleset: inside
roles: {player: Who plays.}
mechanics:
  main:
    steps:
"""
CALLED = """
  pairing:
    inputs: {x: {type: roll}, y: {type: roll}}
    steps: {p: {pair: x, with: y, each: {w: EACH}}}
  reading:
    inputs: {x: {type: roll}, y: {type: roll}}
    steps: {p: {pair: x, with: y, each: {w: EACH}}, q: sum(p.w)}
"""
TWO = "a: {roll: 2d2}\nb: {roll: 2d2}\n"
PAIRS = "p: {pair: a, with: b, each: {w: EACH}}"
CHOICE = "c: {choose: yes_no, by: player, default: sum(p.w) > 1}"
TOSSED = "q: {roll: d2}"

PLACES = {
    "at once": f"{PAIRS}\ns: sum(p.w) - (WORTH)",
    "at once, twice": f"{PAIRS}\nq: {{pair: a, with: b, each: {{w: EACH}}}}\ns: sum(p.w) + sum(q.w) - 2 * (WORTH)",
    "read twice": f"{PAIRS}\nm: sum(p.w) - (WORTH)\ns: count(p.w where it > 1)\nt: sum(p.w) + sum(a)",
    "in a block": f"k: {{steps: {{{PAIRS}}}}}\ns: sum(k.p.w) - (WORTH)",
    "in a block, read there": f"k: {{steps: {{{PAIRS}, q: sum(p.w)}}}}\ns: k.q - (WORTH)",
    "in a block that may be skipped": (
        f"e: {{roll: d2}}\nk: {{if: e == 1, steps: {{{PAIRS}}}}}\ns: sum(k.p.w) - (WORTH) if given(k) else 9"
    ),
    "in a block inside a block": f"k: {{steps: {{m: {{steps: {{{PAIRS}}}}}}}}}\ns: sum(k.m.p.w) - (WORTH)",
    "in two blocks": (
        f"k: {{steps: {{{PAIRS}}}}}\nm: {{steps: {{{PAIRS}}}}}\ns: 10 * sum(k.p.w) - sum(m.p.w) - 9 * (WORTH)"
    ),
    "with a roll of the block": (
        "k: {steps: {e: {roll: 2d2}, p: {pair: e, with: b, each: {w: theirs}}}}\ns: sum(k.p.w) - sum(b)\nt: sum(k.e)"
    ),
    "in a call": "k: {call: pairing, with: {x: a, y: b}}\ns: sum(k.p.w) - (WORTH)",
    "in a call, read there": "k: {call: reading, with: {x: a, y: b}}\ns: k.q - (WORTH)",
    "in two calls": (
        "k: {call: pairing, with: {x: a, y: b}}\nm: {call: pairing, with: {x: a, y: b}}\n"
        "s: 10 * sum(k.p.w) - sum(m.p.w) - 9 * (WORTH)"
    ),
    "in passes": f"k: {{repeat: 2, each: {{{PAIRS}}}}}\ns: sum(k.p.w) - 2 * (WORTH)",
    "in passes, read there": (
        f"k: {{repeat: 2, each: {{{PAIRS}, q: sum(p.w)}}}}\ns: item(k.q, 1) - (WORTH)\nt: sum(k.q)"
    ),
    "in the pass that is kept": (
        f"k: {{repeat: 2, each: {{{PAIRS}, {TOSSED}}}, keep: {{highest: q}}}}\ns: sum(k.p.w) - (WORTH)\nt: sum(k.q)"
    ),
    "in the pass that is kept, for their sake": (
        f"k: {{repeat: 2, each: {{{PAIRS}, q: sum(p.w)}}, keep: {{highest: q}}}}\ns: sum(k.p.w) - (WORTH)"
    ),
    "in passes until something holds": (
        f"k: {{repeat: 3, each: {{{PAIRS}, {TOSSED}}}, until: q == 2}}\ns: sum(k.p.w) - count(k) * (WORTH)"
    ),
    "in passes that look back": (
        f"k: {{repeat: 3, each: {{{PAIRS}, q: count(earlier.p)}}}}\ns: sum(k.p.w) - 3 * (WORTH)\nt: sum(k.q)"
    ),
    "in throws": f"k: {{roll: 2d2, each: {{{PAIRS}, q: sum(p.w)}}}}\ns: sum(k.q) - 2 * (WORTH)",
    "in throws that count": (
        f"k: {{roll: 2d2, each: {{{PAIRS}, q: sum(p.w)}}, counts: face + q}}\ns: sum(k)\nt: sum(a)"
    ),
    "in throws, read later": f"k: {{roll: 2d2, each: {{{PAIRS}}}}}\ns: sum(k.p.w) - 2 * (WORTH)",
    "in pairs": f"k: {{pair: a, with: b, each: {{{PAIRS}, q: sum(p.w)}}}}\ns: sum(k.q) - 2 * (WORTH)",
    "in rounds": (f"k: {{for: e, among: '[1, 2]', each: {{{PAIRS}, q: sum(p.w)}}}}\ns: sum(k.q) - 2 * (WORTH)"),
    "beside stages": f"v: {{start: 1, then: {{one: v + sum(a), two: v + sum(b)}}}}\n{PAIRS}\ns: 5 * v + sum(p.w)",
    "handed to a block": f"{PAIRS}\nk: {{steps: {{q: p}}}}\ns: sum(k.q.w) - (WORTH)",
    "handed to a block, and one of the rolls read": f"{PAIRS}\nk: {{steps: {{q: p}}}}\ns: sum(k.q.w) + 5 * sum(b)",
    "handed to a block, read there": f"{PAIRS}\nk: {{steps: {{q: p, m: sum(q.w)}}}}\ns: k.m + 5 * sum(b)",
    "handed to passes": f"{PAIRS}\nk: {{repeat: 2, each: {{q: p}}}}\ns: sum(k.q.w) - 2 * (WORTH)",
    "in a record that is handed on": (
        f"k: {{steps: {{{PAIRS}}}}}\nm: {{steps: {{q: k}}}}\ns: sum(m.q.p.w) + 5 * sum(b)\nt: sum(k.p.w)"
    ),
    "handed on twice": (
        f"k: {{steps: {{{PAIRS}}}}}\nm: {{steps: {{q: k.p}}}}\nn: {{steps: {{q: m.q, u: sum(q.w)}}}}\ns: n.u - (WORTH)"
    ),
    "before a choice": f"{PAIRS}\n{CHOICE}\ns: sum(p.w) - (WORTH) if c else sum(a)",
    "in a block with a choice": f"k: {{steps: {{{PAIRS}, {CHOICE}}}}}\ns: sum(k.p.w) - (WORTH) if k.c else sum(a)",
    "in passes with a choice": (
        f"k: {{repeat: 2, each: {{{PAIRS}, {CHOICE}}}}}\ns: sum(k.p.w) - 2 * (WORTH) + count(k.c where it)"
    ),
}
EACH = {
    "ours": "sum(a)",
    "theirs": "sum(b)",
    "ours - theirs": "sum(a) - sum(b)",
    "ours + theirs": "sum(a) + sum(b)",
}


def holds(steps: str, called: str = "") -> None:
    game = interpreter.loads(HEAD + indent(steps, "      ") + "\n" + called)
    plain = Asked(game, "main", {}, None, None, {})
    names = [name for name in game.odds("main").known if name in ("s", "t")]
    assert names
    for asked in {*((name,) for name in names), tuple(names)}:
        assert game.odds("main").law(*asked).weights == plain.law(asked)


@pytest.mark.parametrize("each", EACH)
@pytest.mark.parametrize("place", thorough(PLACES, lambda place: list(PLACES).index(place) % 3 > 0, every=2))
def test_pairs_of_rolls_from_outside_are_of_the_same_dice(place: str, each: str) -> None:
    def filled(text: str) -> str:
        return text.replace("WORTH", EACH[each]).replace("EACH", each)

    holds(TWO + filled(PLACES[place]), filled(CALLED))


@pytest.mark.parametrize(
    "steps",
    [
        "p: {pair: a, with: b, each: {w: ours, v: theirs}}\ns: sum(p.w) > sum(p.v)\nt: count(p where it.w > it.v)",
        "p: {pair: a, with: b, each: {w: ours}}\ns: sum((p where it.w == 2).w) - sum(a where face == 2)",
        "p: {pair: a, with: b, each: {w: ours}}\ns: sum(highest(p.w, 1)) - highest(a)\nt: count(p.w where it == 2)",
        "p: {pair: a, with: b, each: {w: ours}}\ns: sum(p.w.face) - sum(a)\nt: highest(p.w) otherwise 0",
        "p: {pair: a, with: b, each: {w: 1}}\ns: sum(p.ours) - sum(a)\nt: sum(p.theirs) - sum(b)",
        "p: {pair: a, with: b, each: {w: {is: ours, if: ours > theirs}}}\ns: sum(p.w)\nt: count(p.w)",
        "p: {pair: a, with: b, each: {w: ours if ours > theirs else theirs}}\ns: sum(p.w)\nt: sum(a)",
        "p: {pair: a, with: 'lowest(b, 1)', missing: 1, each: {v: theirs}}\ns: sum(p.v) - sum(b)",
        "c: {roll: d2}\np: {pair: a, with: c, missing: 1, each: {w: ours, v: theirs}}\n"
        "s: sum(p.w) - sum(a)\nt: sum(p.v)",
        "c: {roll: d2}\np: {pair: a, with: c, missing: 0, each: {v: theirs}}\ns: sum(p.v) - sum(c)",
    ],
)
def test_pairs_may_be_worth_the_dice_themselves(steps: str) -> None:
    holds(TWO + steps)


@pytest.mark.parametrize(
    "steps",
    [
        "p: {pair: a, with: b, first: face == highest(b), each: {w: ours}}\ns: sum(p.w) - sum(b)",
        "p: {pair: a, with: b, first: face == highest(a), each: {w: ours}}\ns: sum(p.w) - sum(b)",
        "c: {roll: d2}\np: {pair: a, with: b, first: face == sum(c), each: {w: ours - theirs}}\ns: sum(p.w) - sum(c)",
        "c: {roll: d2}\nk: {steps: {r: {roll: 2d2}, n: sum(c)}}\n"
        "p: {pair: k.r, with: b, each: {w: ours + k.n}}\ns: sum(p.w)\nt: sum(a)",
        "p: {pair: a, with: b, each: {w: ours + count(b where face == 2)}}\ns: sum(p.w) - sum(a)",
    ],
)
def test_pairs_may_look_at_further_rolls(steps: str) -> None:
    holds(TWO + steps)


def test_pairs_with_rolls_on_the_table_are_told_apart() -> None:
    inside = "p: {pair: a, with: c, each: {w: ours}}, q: {pair: b, with: e, each: {w: ours}}"
    read = "10 * sum(k.q.w) - sum(a) - 10 * sum(b)"
    holds(f"{TWO}c: {{roll: 2d2}}\ne: {{roll: 2d2}}\nk: {{steps: {{{inside}}}}}\ns: sum(k.p.w) + {read}")


@pytest.mark.parametrize(
    "steps",
    [
        "k: {repeat: 2, each: {r: {roll: d2}, m: sum(r) - sum(earlier.r)}}\ns: item(k.m, 2)\nt: sum(k.r)",
        "k: {repeat: 2, each: {r: {roll: d2}, m: sum(earlier.r)}}\ns: item(k.m, 2)\nt: sum(k.r)",
        "k: {repeat: 3, each: {r: {roll: d2}, m: sum(r) - sum(earlier.r)}}\ns: sum(k.m)\nt: item(k.m, 3)",
        "a: {roll: 2d2}\nk: {repeat: 2, each: {r: {roll: d2}, p: {pair: r, with: a, each: {w: ours - theirs}},"
        " m: sum(earlier.p.w)}}\ns: sum(k.m)\nt: sum(k.p.w) + 5 * sum(a)",
        "k: {repeat: 3, each: {r: {roll: d2}, a: sum(r), b: count(earlier where it.a == 1), c: sum(earlier.b)}}\n"
        "s: item(k.c, 3)",
        "k: {roll: d2, each: {b: count(earlier where it.a == 1), c: sum(earlier.b), a: face}, counts: c,"
        " again: nth < 3, guard: 3}\ns: sum(k)",
    ],
)
def test_passes_may_look_back_at_rolls(steps: str) -> None:
    holds(steps)


@pytest.mark.parametrize(
    "steps",
    [
        "k: {roll: 2d2, each: {r: {roll: d2}}}\ns: sum(k.r)\nt: sum(k)",
        "k: {roll: 2d2, each: {r: {roll: d2}, p: {pair: a, with: r, each: {w: theirs}}}}\ns: sum(k.p.w) - sum(k.r)",
        "k: {pair: a, with: b, each: {r: {roll: d2}, w: ours + r}}\ns: sum(k.r)\nt: sum(k.w) - sum(a)",
        "k: {repeat: 2, each: {r: {roll: d2}}}\ns: sum(k.r)\nt: item(k.r, 1) + 0",
    ],
)
def test_every_throw_pair_and_pass_has_dice_of_its_own(steps: str) -> None:
    holds(TWO + steps)


ROLLED = """
  rolled:
    steps: {r: {roll: 2d2}, h: "1 if sum(r) == 4 else 0"}
"""
OTHERS = "k: {call: rolled}\nm: {call: rolled}\nc: m.r & k.r\n"
BESIDE = "10 * k.h + 100 * m.h"


@pytest.mark.parametrize(
    "steps",
    [
        f"{OTHERS}s: sum(without(c, highest(c, 1))) + {BESIDE}",
        f"{OTHERS}s: sum(without(k.r, highest(m.r, 1))) + {BESIDE}",
        f"{OTHERS}d: {{reroll: 'highest(m.r, 1)'}}\ns: sum(d) + {BESIDE}",
        f"{OTHERS}d: {{reroll: m.r where face == 2, most: 1}}\ns: sum(d) + {BESIDE}",
        f"{OTHERS}d: {{reroll: m.r where face == 2, most: 1, to: 1}}\ns: sum(d) + {BESIDE}",
        f"{OTHERS}d: {{reroll: m.r by -size, most: 1}}\ns: sum(d) + {BESIDE}",
        "a: {roll: 2d2}\nk: {steps: {c: a, h: sum(c)}}\ns: sum(without(a, highest(k.c, 1))) + 10 * k.h",
        "a: {roll: 2d2}\nd: {reroll: a where face == 1}\ns: sum(without(d, highest(a, 1)))",
        "a: {roll: 2d2}\nb: {roll: d2}\nd: {reroll: 'highest(a, 1)'}\ns: sum(without(d & b, highest(a, 1)))",
        "a: {roll: 2d2}\nb: {roll: d2}\nc: a & b\ns: sum(without(c, highest(a, 1))) + 10 * sum(a)",
        "a: {roll: 2d2}\nb: {roll: 2d2}\nd: {reroll: a where face == 2, most: 1}\ns: sum(b & d) + 10 * sum(a)",
        "a: {roll: 2d2}\nb: {roll: d2}\nk: {steps: {c: a & b}}\ns: sum(without(k.c, highest(a, 1))) + 10 * sum(a)",
    ],
)
def test_a_die_is_the_same_wherever_it_is_and_no_other(steps: str) -> None:
    holds(steps, ROLLED)


@pytest.mark.parametrize(
    "step",
    [
        "k: {roll: 2d2, each: {e: {end: early, if: face > 1}}}",
        "k: {roll: 2d2, each: {e: {end: early, if: nth > 1}}, again: face > 1 and nth < 3}",
        "k: {roll: 2d2, then: {e: {end: early, if: sum(k) > 2}}}",
        "k: {repeat: 2, each: {e: {end: early, if: sum(a) + nth > 4}}}",
        "k: {pair: a, with: a, each: {e: {end: early, if: ours > 1}}}",
    ],
)
def test_what_ends_a_rule_ends_it_wherever_it_stands(step: str) -> None:
    holds(f"a: {{roll: 2d2}}\n{step}\ny: {{roll: d2}}\ns: y + 1")


@pytest.mark.parametrize(
    "steps",
    [
        "y: {is: sum(b), if: sum(b) > 2}\nv: y otherwise 0\ns: sum(a) + v\n"
        "t: {is: 'y > 3 and lowest(a) > 1', if: given(y)}",
        "y: {is: sum(b), if: sum(b) > 2}\nv: y otherwise 0\ns: sum(a) + v\n"
        "t: {is: 'v > 0 and (6 / v > 2 and lowest(a) > 1)', if: 'lowest(a) == v'}",
        "n: {roll: d2}\nx: sum(n)\ny: {is: '[1, 2] where it > x'}\nk: count(y)\ns: sum(a) + k\n"
        "t: {is: 'highest(y) > x and lowest(a) > 1', if: count(y) > 0}",
    ],
)
def test_a_condition_need_not_make_sense_where_its_step_is_skipped(steps: str) -> None:
    holds(TWO + steps)


@pytest.mark.parametrize("error", [TypeError, AttributeError, KeyError])
def test_an_error_of_the_interpreter_in_a_condition_is_not_taken_for_one_that_is_not_known(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    plainly = Closures.closure_of_expression

    def broken(self: Closures, expression: ir.Expr) -> Closure:
        def fails(frame: Frame) -> bool:
            raise error("a mistake")

        return fails if isinstance(expression, ir.Relation) else plainly(self, expression)

    monkeypatch.setattr(Closures, "closure_of_expression", broken)
    game = interpreter.loads(
        HEAD + indent("e: {roll: d2}\nn: sum(e)\na: {roll: 2d6}\ns: sum(a) if n > 1 else 0", "      ")
    )
    with pytest.raises(error, match="a mistake"):
        game.odds("main").law("s")


GIVEN = (("2d4", [2, 1]), ("3d4", [1, 3, 2]), ("2d4 & d6", [3, 1, 1]))


@pytest.mark.parametrize(("dice", "faces"), GIVEN)
@pytest.mark.parametrize(
    "steps",
    [
        "b: {reroll: a, most: 1}",
        "c: {reroll: a where face == 9}\nb: {reroll: c, most: 1}",
        "c: {reroll: a where face == 1}\nb: {reroll: c, most: 1}",
        "c: a\nb: {reroll: c where face > 0 by -size, most: 2}",
        "b: {reroll: a, to: 4, most: 1}",
        "k: {call: again, with: {a: a}}\nb: k.b",
        "r: {roll: 2d4}\nk: {call: again, with: {a: a & r}}\nb: k.b",
    ],
)
def test_the_first_of_dice_on_the_table_is_the_one_that_lies_first(steps: str, dice: str, faces: list[int]) -> None:
    given = {"dice": dice, "faces": faces}
    game = interpreter.loads(
        "ruleset: r\nmechanics:\n  again:\n    inputs: {a: {type: roll}}\n    steps:\n"
        "      b: {reroll: a, most: 1}\n  main:\n    inputs: {a: {type: roll}}\n    steps:\n"
        + indent(steps + "\ns: sum(b)\nt: highest(b)", "      ")
    )
    plain = Asked(game, "main", {"a": given}, None, None, {})
    for asked in (("s", "t"), ("b",)):
        true = plain.law(asked)
        assert game.odds("main", a=given).law(*asked).weights == true
        found = game.simulate("main", runs=500, seed=1, of=asked, a=given).law(*asked).weights
        assert set(found) <= set(true)

"""Texts of rulesets with as many of something as one likes: what loading and checking them takes must not grow with
the square. `test_growth.py` holds that, and the benchmark measures it.
"""

from __future__ import annotations

from collections.abc import Callable

BASE = "ruleset: t\nmechanics:\n"
OVER = "ruleset: h\nextends: t.yaml\nchanges:\n"


def lines(number: int, line: Callable[[int], str]) -> str:
    return "".join(f"{line(place)}\n" for place in range(number))


def mechanics(number: int) -> str:
    return BASE + lines(number, lambda n: f"  m{n}: {{steps: {{x: {n}}}}}")


def near_names(number: int) -> str:
    names = [f"alpha_{n:04}_beta" for n in range(number)]
    functions = lines(number, lambda n: f"  {names[n]}: {{takes: {{n: number}}, gives: n}}")
    misspelt = lines(number // 5, lambda n: f"      y{n}: {names[n][:-1]}x(1)")
    return f"ruleset: t\nfunctions:\n{functions}mechanics:\n  m:\n    steps:\n{misspelt}"


STEPS = BASE + "  m:\n    steps:\n"

SHAPES: dict[str, Callable[[int], tuple[str, ...]]] = {
    "steps": lambda n: (STEPS + lines(30 * n, lambda n: f"      a{n}: {n}"),),
    "rolls": lambda n: (STEPS + lines(n, lambda n: f"      a{n}: {{roll: d6}}"),),
    "steps that read others": lambda n: (STEPS + "      a0: 1\n" + lines(n, lambda n: f"      a{n + 1}: a{n} + 1"),),
    "mechanics": lambda n: (mechanics(n),),
    "functions": lambda n: (
        "ruleset: t\nfunctions:\n  f0: {takes: {n: number}, gives: n}\n"
        + lines(n, lambda n: f"  f{n + 1}: {{takes: {{n: number}}, gives: f{n}(n) + 1}}"),
    ),
    "rows": lambda n: (
        "ruleset: t\ntables:\n  t:\n    rows:\n" + lines(5 * n, lambda n: f"      {n}: {n}"),
    ),
    "attributes": lambda n: (
        "ruleset: t\nkinds:\n  k:\n    has:\n" + lines(n, lambda n: f"      a{n}: {{type: number, default: 1}}"),
    ),
    "cases": lambda n: (
        "ruleset: t\nmechanics: {m: {steps: {x: {roll: d6}}}}\ncases:\n"
        + lines(n, lambda n: f"  - {{name: c{n}, mechanic: m, faces: [3], expect: {{x: 3}}}}"),
    ),
    "things like others": lambda n: (
        "ruleset: t\nkinds: {h: {has: {a: {type: number, default: 1}}}}\nmechanics: {m: {steps: {x: 1}}}\n"
        "cases:\n  - name: c\n    mechanic: m\n    expect: {x: 1}\n    before:\n      t0: {is: h}\n"
        + lines(n, lambda n: f"      t{n + 1}: {{like: t{n}, a: {n}}}"),
    ),
    "errors": lambda n: (STEPS + lines(n, lambda n: f"      a{n}: zz{n}"),),
    "misspelt names": lambda n: (near_names(n),),
    "renames": lambda n: (
        mechanics(n), OVER + lines(n, lambda n: f"  mechanics.m{n}: {{rename: q{n}, because: so.}}"),
    ),
    "changes": lambda n: (
        mechanics(n), OVER + lines(n, lambda n: f"  mechanics.m{n}.steps.x: {{set: {n + 1}, because: so.}}"),
    ),
    "steps that are added": lambda n: (
        BASE + "  m: {steps: {x: 1}}\n",
        OVER + lines(n, lambda n: f"  mechanics.m.steps.y{n}: {{add: {n}, after: x, because: so.}}"),
    ),
    "unknown keys": lambda n: (
        f"ruleset: t\nmechanics: {{m: {{steps: {{x: 1}}}}}}\n{lines(n, lambda n: f'mechanicz{n}: 1')}",
    ),
    "keys without a value": lambda n: (BASE + lines(n, lambda n: f"  m{n}:"),),
    "inputs": lambda n: (
        BASE + "  m:\n    steps: {x: 1}\n    inputs:\n" + lines(5 * n, lambda n: f"      a{n}: number"),
    ),
    "outcomes": lambda n: (
        BASE + "  m:\n    inputs: {x: number}\n    steps: {r: {roll: d6}}\n    outcomes:\n"
        + lines(n, lambda n: f"      o{n}: x == {n}") + "      other: otherwise\n",
    ),
    "values in a text": lambda n: (
        "ruleset: t\nroles: {p: x}\n" + STEPS.removeprefix("ruleset: t\n") + "      x: 1\n"
        f"      c: {{choose: yes_no, by: p, default: no, ask: \"{'{x}' * 10 * n}\"}}\n",
    ),
    "things of the book like others": lambda n: (
        "ruleset: t\nkinds: {h: {has: {a: {type: number, default: 1}}}}\nmechanics: {m: {steps: {x: 1}}}\n"
        "things:\n  h:\n    t0: {a: 1}\n" + lines(n, lambda n: f"    t{n + 1}: {{like: t{n}, a: {n}}}"),
    ),
    "actions": lambda n: (
        "ruleset: t\nkinds: {h: {has: {a: {type: points, to: 9, starts: 9}}}}\nactions:\n"
        + lines(n, lambda n: f"  a{n}: {{actor: h, cost: {{a: 1}}, steps: {{x: 1}}}}"),
    ),
    "events that cause others": lambda n: (
        "ruleset: t\nevents:\n  e0: {steps: {x: 1}}\n"
        + lines(n, lambda n: f"  e{n + 1}: {{steps: {{x: {{cause: e{n}}}}}}}"),
    ),
}  # fmt: skip
"""Texts of a ruleset, and of a house rule over it, with so many of something."""

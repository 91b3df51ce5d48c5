"""Families of rulesets that grow by a number: chains in which each part uses the one before it several times, nesting,
and long lists. What works through calls, records or repeats anew at each place takes for ever with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Family = Callable[[int], str]


def _joined(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def _mechanic(steps: str, before: str = "") -> str:
    return f"ruleset: grown\n{before}mechanics: {{m: {{steps: {{die: {{roll: d6}}, {steps}}}}}}}\n"


def calls(first: str, times: int, more: str = "", before: str = "") -> Family:
    """Mechanics that each call the one before so many times; the last is called `m`."""

    def made(size: int) -> str:
        lines = [f"ruleset: grown\n{before}mechanics:\n  m0: {{{first}}}"]
        for number in range(1, size + 1):
            name = "m" if number == size else f"m{number}"
            steps = _joined(f"c{n}: {{call: m{number - 1}}}" for n in range(times))
            lines.append(f"  {name}: {{steps: {{{steps}}}{more}}}")
        return "\n".join(lines) + "\n"

    return made


def functions(gives: str) -> Family:
    """Functions that each use the one before: `{}` is its name."""

    def made(size: int) -> str:
        chain = [f"f{n}: {{takes: {{x: number}}, gives: {gives.format(f'f{n - 1}')}}}" for n in range(1, size)]
        before = _joined(["f0: {takes: {x: number}, gives: x + 1}", *chain])
        return _mechanic(f"v: f{size - 1}(die)", f"functions: {{{before}}}\n")

    return made


def steps(first: str, form: str) -> Family:
    """Steps that each use the one before: `{}` is its name."""
    return lambda size: _mechanic(
        _joined([f"x0: {first}", *(f"x{n}: {form.format(f'x{n - 1}')}" for n in range(1, size))])
    )


def nested(inmost: str, form: str, before: str = "", around: str = "{}") -> Family:
    """Steps inside of steps: `%d` numbers them, and `%s` is what is inside."""

    def made(size: int) -> str:
        body = inmost
        for number in range(min(size, 24)):
            body = form % (number, body)
        return _mechanic(f"v: {around.format(body)}", before)

    return made


def of_kind(has: Callable[[int], str], use: Callable[[int], str]) -> Family:
    return lambda size: _mechanic(use(size), f"kinds: {{h: {{one: yes, has: {{{has(size)}}}}}}}\n")


def long(form: str, use: str, before: str, joint: str = ", ") -> Family:
    """Long lists: `%d` numbers the entries."""
    return lambda size: _mechanic(use, before % joint.join(form.replace("%d", str(n)) for n in range(40 * size)))


def _parts(size: int) -> str:
    chain = [
        f"k{n}: {{{'one' if n == size - 1 else 'part'}: yes, has: {{a: {{type: k{n - 1}}}, b: {{type: k{n - 1}}}}}}}"
        for n in range(1, size)
    ]
    kinds = _joined(["k0: {part: yes, has: {v: {type: number, default: 1}}}", *chain])
    return _mechanic("v: 1", f"kinds: {{{kinds}}}\n")


def _types(size: int) -> str:
    chain = [f"t{n}: {{has: {{a: {{type: t{n - 1}}}, b: {{type: t{n - 1}}}}}}}" for n in range(1, size)]
    types = _joined(["t0: {has: {v: {type: number, default: 1}}}", *chain])
    return (
        f"ruleset: grown\ntypes: {{{types}}}\n"
        f"mechanics: {{m: {{inputs: {{i: {{type: t{size - 1}, optional: yes}}}}, steps: {{die: {{roll: d6}}}}}}}}\n"
    )


def _tables(size: int) -> str:
    rows = "{{0 or less: 't{0}(1) + t{0}(2)', 1 or more: 't{0}(1) + t{0}(2)'}}"
    chain = [f"t{n}: {{type: number, rows: {rows.format(n - 1)}}}" for n in range(1, size)]
    tables = _joined(["t0: {type: number, rows: {0 or less: 0, 1 or more: 1}}", *chain])
    return _mechanic(f"v: t{size - 1}(die)", f"tables: {{{tables}}}\n")


def _options(size: int) -> str:
    chain = [f"o{n}: {{type: number, default: options.o{n - 1} * 1 + 1}}" for n in range(1, size)]
    return _mechanic(f"v: options.o{size - 1}", f"options: {{{_joined(['o0: {type: number, default: 1}', *chain])}}}\n")


def _events(size: int) -> str:
    chain = [f"e{n}: {{steps: {{a: {{cause: e{n - 1}}}, b: {{cause: e{n - 1}}}}}}}" for n in range(1, size)]
    before = "kinds: {h: {one: yes, has: {p: {type: points, from: 0, to: 9}}}}\n"
    events = _joined(["e0: {steps: {a: {gain: 1, to: h.p}}}", *chain])
    return _mechanic(f"v: {{cause: e{size - 1}}}", f"{before}events: {{{events}}}\n")


def _acts(how: str) -> Family:
    def made(size: int) -> str:
        before = "kinds: {h: {has: {p: {type: points, from: 0, to: 9}}}}\nthings: {h: {ann: {}}}\n"
        twice = [
            f"a{n}: {{actor: h, steps: {{a: {{{how.format(n - 1, 'actor')}}}, b: {{{how.format(n - 1, 'actor')}}}}}}}"
            for n in range(1, size)
        ]
        acts = _joined(["a0: {actor: h, steps: {a: {gain: 1, to: actor.p}}}", *twice])
        return _mechanic(f"v: {{{how.format(size - 1, 'ann')}}}", f"{before}actions: {{{acts}}}\n")

    return made


def _hooks(size: int) -> str:
    chain = [
        f"p{n}: {{type: points, from: 0, to: 1, when_full: {{a: {{gain: 1, to: owner.p{n - 1}}}, "
        f"b: {{lose: 1, from: owner.p{n - 1}}}, c: {{gain: 1, to: owner.p{n - 1}}}}}}}"
        for n in range(1, size)
    ]
    has = _joined(["p0: {type: points, from: 0, to: 9}", *chain])
    return _mechanic(f"v: {{gain: 1, to: h.p{size - 1}}}", f"kinds: {{h: {{one: yes, has: {{{has}}}}}}}\n")


FACTS = "kinds: {h: {one: yes, has: {o: {type: number, optional: yes}}}}\n"
KNOWN = "{{if: given(h.o), steps: {{w: {}}}}}"

CHAINS: dict[str, Family] = {
    "calls of dice": calls("steps: {v: {roll: d6}}", 4),
    "calls of numbers": calls("steps: {v: 1 + 1}", 4),
    "calls with choices": calls("steps: {c: {choose: yes_no, default: yes}}", 3, before="policies: {p: {c: no}}\n"),
    "calls with outcomes": calls(
        "steps: {v: {roll: d6}}, outcomes: {a: highest(v) > 3, b: otherwise}", 3,
        ", outcomes: {a: c0.outcome is a, b: otherwise}",
    ),
    "functions twice": functions("{0}(x) + {0}(x)"),
    "functions of functions": functions("'{0}({0}(x))'"),
    "functions by cases": functions("{{first_of: {{a: {{if: {0}(x) > 3, is: {0}(x)}}, b: {0}(x)}}}}"),
    "tables": _tables,
    "options": _options,
    "derived values": of_kind(
        lambda size: _joined(
            ["a0: {type: number, default: 1}", *(f"a{n}: {{is: a{n - 1} + a{n - 1}}}" for n in range(1, size))]
        ),
        lambda size: f"v: h.a{size - 1}",
    ),
    "parts of kinds": _parts,
    "types of types": _types,
    "records of records": steps("{steps: {a: 1}}", "{{steps: {{a: {0}, b: {0}}}}}"),
    "lists of lists": steps("upto(900)", "'[{0}, {0}, {0}]'"),
    "pools": steps("500d6", "{0} & {0}"),
    "rolls": steps("{roll: 500d6}", "{0} & {0}"),
    "squares": steps("die + 1", "{0} * {0}"),
    "squares of a constant": steps("3000", "{0} * {0}"),
    "doubles": steps("die + 1", "{0} + {0}"),
    "sums": steps("die + 1", "'sum([{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}])'"),
    "repeats": nested("{roll: d6}", "{repeat: 2, each: {r%d: %s}}"),
    "repeats in which something is known": nested("{is: h.o}", "{repeat: 2, each: {r%d: %s}}", FACTS, KNOWN),
    "rounds in which something is known": nested("{is: 1}", "{for: e%d, among: upto(2), each: {r: %s}}", FACTS, KNOWN),
    "rolls with steps": nested("{is: 1}", "{roll: d2, each: {r%d: %s}}"),
    "blocks": nested("{roll: d6}", "{steps: {r%d: %s}}"),
    "stages": nested("{is: 1}", "{start: 1, then: {s%d: %s}}"),
    "events": _events,
    "actions": _acts("act: a{0}, with: {{actor: {1}}}"),
    "offers": _acts("offer: [a{0}], to: {1}, most: 1"),
    "hooks": _hooks,
}  # fmt: skip
"""Each part uses the one before it several times."""

LISTS: dict[str, Family] = {
    "unknown names": long("f%d: {gives: mistake%d}", "v: 1", "functions: {%s}\n"),
    "unknown keys": long("key%d: 1", "v: 1", "%s\n", "\n"),
    "lists of names": long("l%d: [a%d, b]", "v: a3", "names: {%s}\n"),
    "rows": long("%d: %d", "v: t(die)", "tables: {t: {type: number, rows: {%s}, off_the_rows: 0}}\n"),
    "kinds": long("k%d: {one: yes, has: {v: {type: number, default: 1}}}", "v: k1.v", "kinds: {%s}\n"),
    "things": long("t%d: {v: 2}", "v: t1.v", "kinds: {k: {has: {v: {type: number, default: 1}}}}\nthings: {k: {%s}}\n"),
}  # fmt: skip
"""Many of the same."""

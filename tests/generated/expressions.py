"""Expressions as people write them: numbers, conditions, words, pools, and what is read of rolls and lists.

Each function is named for what the expression is worth, and takes the scope that it stands in; `deep` is how far it
may be made of others.
"""

from __future__ import annotations

from collections.abc import Callable

from .grower import Grower, Listed, Rolled, Scope, weight

Maker = Callable[[], str]

WORDS = {
    "mood": ("calm", "angry", "sad"),
    "rank": ("page", "squire", "knight"),
    "gear": ("rope", "lamp", "axe"),
}
"""The lists of words that every game has; `rank` is a ladder."""

FEW = (0, 1, 1, 2, 2, 3, 4, 5, 6)


# Numbers ----------------------------------------------------------------------------------------------------------


def number(g: Grower, s: Scope, deep: int = 1) -> str:
    """A number, in brackets where it needs them."""
    if deep <= 0 or g.maybe(0.4):
        return simple(g, s)
    rows: list[tuple[Maker, float]] = [
        (lambda: f"({part(g, s, deep)} + {part(g, s, deep)})", weight("operator", "+")),
        (lambda: f"({part(g, s, deep)} - {part(g, s, deep)})", weight("operator", "-") / 3),
        (lambda: f"{part(g, s, deep)} * {g.number(1, 3)}", weight("operator", "*")),
        (lambda: f"(-{part(g, s, deep)})", 1),
        (lambda: f"(({part(g, s, deep)} + {part(g, s, deep)}) / {g.any_of(2, 2, 3)})", weight("operator", "/") / 3),
        (lambda: f"({part(g, s, deep)} if {flag(g, s, deep - 1)} else {part(g, s, deep)})", weight("operator", "if")),
        (lambda: f"(1 if {flag(g, s, deep)} else 0)", weight("operator", "if")),
    ]
    for name in ("up", "down", "nearest"):
        rows.append((lambda name=name: f"{name}({part(g, s, deep)} / {g.any_of(2, 2, 3)})", weight("function", name)))
    for name in ("min", "max"):
        rows.append((lambda name=name: f"{name}({part(g, s, deep)}, {part(g, s, deep)})", weight("function", name)))
    for name in ("abs", "tens", "units"):
        rows.append((lambda name=name: f"{name}({part(g, s, deep)})", weight("function", name)))
    rows += [
        (lambda: f"clamp({part(g, s, deep)}, {g.any_of(0, 0, 1)}, {g.number(2, 5)})", weight("function", "clamp")),
        (lambda: f"min({part(g, s, deep)}, {part(g, s, deep)}, {g.number(1, 6)})", 1),
        (lambda: f"half({part(g, s, deep)})", 3),
        (lambda: f"graded({part(g, s, deep)})", 2),
        (lambda: f"{g.any_of('wound', 'wound', 'near', 'off')}({part(g, s, deep)})", 4),
        (lambda: f"({part(g, s, deep)} + options.bonus)", 3),
    ]
    return g.weighted(rows)()


def part(g: Grower, s: Scope, deep: int) -> str:
    return number(g, s, deep - 1)


def simple(g: Grower, s: Scope) -> str:
    """A number that is made of no other: written, named, looked up or read of dice and lists."""
    rows: list[tuple[Maker, float]] = [
        (lambda: str(g.one(FEW)), 5),
        (lambda: "options.bonus", 1),
    ]
    if s.all_of("number"):
        rows.append((lambda: g.one(s.all_of("number")), 12))
        rows.append((lambda: divided(g, g.one(s.all_of("number"))), 1))
    if s.things:
        rows.append((lambda: f"{g.any_of('echo', 'echo', 'din')}({g.one(s.all_of('number') or ['1'])})", 3))
    if s.missing.get("number"):
        rows.append((lambda: f"({g.one(s.missing['number'])} otherwise {g.any_of(0, 0, 1, 3)})", 8))
    if s.missing.get("number") and s.all_of("number"):
        rows.append((lambda: f"({g.one(s.missing['number'])} otherwise {g.one(s.all_of('number'))})", 3))
    if s.rolls and not s.selecting:
        rows.append((lambda: of_roll(g, s), 14))
    if s.missing.get("roll") and not s.selecting:
        rows.append((lambda: of_missing_roll(g, s), 4))
    if s.lists and not s.selecting:
        rows.append((lambda: of_records(g, *g.one(list(s.lists.items()))), 10))
    if s.skipped and not s.selecting:
        rows.append((lambda: of_missing_records(g, s), 6))
    if s.all_of("numbers") and not s.selecting:
        rows.append((lambda: of_numbers(g, s), 6))
    if s.all_of("pool") and not s.selecting:
        rows.append((lambda: of_pool(g, s), 2))
    if s.all_of("code"):
        rows.append((lambda: f"{g.one(s.all_of('code'))}.pips", 2))
    if s.all_of("rank"):
        rows.append((lambda: f"worth_of({g.one(s.all_of('rank'))})", 2))
        rows.append((lambda: f"rung_of(rank, {g.one(s.all_of('rank'))})", 1))
        rows.append((lambda: f"({g.one(s.all_of('rank'))} - {g.one(WORDS['rank'])})", 1))
    rows.append((lambda: f"price({g.any_of('bread', 'wine')}, {g.any_of('spring', 'winter')})", 0.5))
    for kind in ("hero", "beast"):
        if s.all_of(f"list {kind}") and not s.selecting:
            rows.append((lambda kind=kind: of_things(g, s, kind), 3))
    return g.weighted(rows)()


def divided(g: Grower, by: str) -> str:
    """A quotient, where there is something to divide by."""
    return f"({g.any_of('up', 'down')}({g.number(1, 6)} / {by}) if {by} > 0 else {g.number(0, 2)})"


def of_roll(g: Grower, s: Scope) -> str:
    """A number that is read of a roll."""
    name, of = g.one(list(s.rolls.items()))
    if of.symbols:
        return g.any_of(
            f"sum({name}.star)",
            f"sum({name}.moon)",
            f"sum({name})",
            f"count({name} where star > 0)",
            f"count({name} where {die_condition(g, s, of)})",
            f"count({name})",
        )
    if of.parts and g.maybe():
        name, of = f"{name}.{g.one(of.parts)}", Rolled(0, thrown=of.thrown)
    if of.marks and g.maybe(0.5):
        return of_throws(g, name, of)
    if g.maybe(0.12):
        return of_throws(g, name, of)
    if g.maybe(0.08):
        return matched(g, s, name)
    made, least = selected(g, s, name, of)
    return collected(g, made, least)


def matched(g: Grower, s: Scope, name: str) -> str:
    """How the faces of a roll, or of one of its parts, match those of another roll."""
    other = g.one([one for one, its in s.rolls.items() if not its.symbols])
    made = f"{g.any_of('common', 'without')}({name}.face, {other}.face)"
    return g.any_of(f"count({made})", f"count({made})", f"sum({made})", f"(1 if any({made}) else 0)")


def selected(g: Grower, s: Scope, name: str, of: Rolled) -> tuple[str, int]:
    """A roll, or some of its dice, with the fewest dice that those are."""
    k = few(g, s)
    rows: list[tuple[Callable[[], tuple[str, int]], float]] = [(lambda: (name, of.least), 6)]
    if not s.selecting:
        rows.append((lambda: (f"{name} where {die_condition(g, s, of)}", 0), weight("operator", "where") / 2))
        rows += [
            (lambda: (f"highest({name}, {k})", 0), 3),
            (lambda: (f"lowest({name}, {k})", 0), 2),
            (lambda: (f"first({name}, {k})", 0), 0.6),
            (lambda: (f"last({name}, {k})", 0), 0.4),
            (lambda: (f"ordered({name})", of.least), 0.5),
            (lambda: (f"reversed({name})", of.least), 0.3),
            (lambda: (rest(g, name, k), 0), 1),
            (lambda: (rest(g, rest(g, name, k), g.any_of(*"012")), 0), 0.7),
        ]
        others = [one for one, its in s.rolls.items() if not its.symbols and not its.parts and one != name]
        if others and not of.parts:
            rows.append((lambda: (f"({name} & {g.one(others)})", of.least), 2))
    made, least = g.weighted(rows)()
    return made, least


def rest(g: Grower, name: str, k: str) -> str:
    """A roll without some dice at one end."""
    return f"without({name}, {g.any_of('highest', 'lowest')}({name}, {k}))"


def few(g: Grower, s: Scope) -> str:
    """How many dice of a roll are taken, which may be none."""
    return f"clamp({g.one(s.all_of('number'))}, 0, 2)" if s.all_of("number") and g.maybe(0.1) else g.any_of(*"011122")


def collected(g: Grower, made: str, least: int) -> str:
    """A number that is read of a collection of numbers, dice or thrown dice."""
    zero = "" if least else f" otherwise {g.any_of(0, 0, 1)}"
    k = g.number(1, 3)
    whole = made.replace("(", "").replace(")", "").replace("_", "").isalnum()
    rows: list[tuple[str, float]] = [
        (f"sum({made})", weight("function", "sum")),
        (f"count({made})", weight("function", "count")),
        (f"(highest({made}){zero})", weight("function", "highest")),
        (f"(lowest({made}){zero})", weight("function", "lowest")),
        (f"(kth({made}, {k}) otherwise 0)", 2 * weight("function", "kth")),
        (f"sum(highest({made}, {k}))", weight("function", "highest") / 3),
        (f"sum(lowest({made}, {k}))", weight("function", "lowest") / 3),
        (f"count(groups({made}))", weight("function", "groups")),
        (f"(highest(groups({made}).width) otherwise 0)", weight("function", "groups")),
        (f"(highest(groups({made}).height) otherwise 0)", weight("function", "groups") / 2),
        (f"count(groups({made}) where it.width >= {g.any_of(1, 2, 2)})", weight("function", "groups")),
    ]
    if whole and least:
        rows.append((f"(0 + item({made}, 1))", 0.4))
        rows.append((f"(0 + first({made}))", 0.4))
        rows.append((f"(0 + only({g.any_of('highest', 'lowest')}({made}, 1)))", 0.6))
    return g.weighted(rows)


def of_throws(g: Grower, name: str, of: Rolled) -> str:
    """A number that is read of the throws of a roll, or of what `each` named for them."""
    throws = f"{name}.throws"
    k = g.number(1, 4)
    rows = [
        f"count({throws})",
        f"count({throws} where it.face >= {k})",
        f"count({throws} where it.face == {k})",
        f"count({throws} where it.counts >= {k})",
        f"sum({throws}.counts)",
        f"(highest({throws}.face) otherwise 0)",
        f"(count({throws}) - count({name}))",
    ]
    for mark in of.marks:
        rows += [f"sum({throws}.{mark})", f"count({throws} where it.{mark} > 0)", f"sum({throws}.{mark})"]
    return g.one(rows) if not throws.startswith("(") else f"count({throws})"


def of_missing_roll(g: Grower, s: Scope) -> str:
    """A number that is read of a roll that may have been skipped."""
    name = g.one(s.missing["roll"])
    made, _ = selected(g, s, name, Rolled(0))
    if made != name and "where" not in made:
        made = name
    return f"({g.any_of('sum', 'count')}({made}) if given({name}) else {g.any_of(0, 0, 1)})"


def of_missing_records(g: Grower, s: Scope) -> str:
    """A number that is read of a list of records whose step may have been skipped."""
    name, of = g.one(list(s.skipped.items()))
    return f"({of_records(g, name, of)} if given({name}) else {g.any_of(0, 0, 1)})"


def of_records(g: Grower, name: str, of: Listed) -> str:
    """A number that is read of a list of passes or pairs, or of a map."""
    rows: list[tuple[str, float]] = [(f"count({name})", 2)]
    for column in of.numbers:
        at, k = f"{name}.{column}", g.number(0, 3)
        zero = "" if of.least else " otherwise 0"
        end = g.any_of("highest", "lowest")
        rows += [(f"sum({at})", 4), (f"({end}({at}){zero})", 3), (f"count({at} where it == {k})", 2)]
        rows += [(f"(kth({at}, 2) otherwise 0)", 1), (f"sum({end}({at}, 2))", 1)]
        rows += [(f"({g.any_of('first', 'last')}({at}){zero})", 2)]
        if of.elements:
            rows += [(f"count({name} where it.{column} >= {k})", 3)]
            if of.least:
                rows += [(f"last({name}).{column}", 2), (f"item({name}, 1).{column}", 1)]
            else:
                rows += [(f"(last({name}).{column} otherwise 0)", 1)]
            rows += [(f"sum(({name} by -it.{column}).{column})", 0.5)]
            rows += [(f"sum(first({name} by it.{column}, 1).{column})", 1)]
    for column in of.flags:
        rows += [(f"count({name}.{column} where it)", 3)]
        if of.elements:
            rows += [(f"count({name} where it.{column})", 3)]
    return g.weighted(rows)


def read_together(g: Grower, s: Scope, lists: dict[str, Listed]) -> None:
    """Note what is read at once of lists of records, such as pairs, and of rolls that they may come from."""
    rolls = [name for name, of in s.rolls.items() if not of.symbols]
    for name, of in lists.items() if rolls else ():
        one = g.one(rolls)
        roll = g.any_of(f"sum({one})", f"(highest({one}) otherwise 0)", f"count({one} where face == 1)")
        s.known["together"].append(f"{of_records(g, name, of)} {g.any_of('+', '-')} {roll}")


def of_numbers(g: Grower, s: Scope) -> str:
    """A number that is read of a list of numbers."""
    name = g.one(s.all_of("numbers"))
    k = g.number(0, 3)
    made = g.weighted(
        [
            (name, 6.0),
            (f"{name} where it {g.any_of('>', '>=', '==', '<')} {simple_outside(g, s)}", 4),
            (f"{name} where {g.any_of('odd', 'even')}(it)", 2),
            (f"{name} by {g.any_of('it', '-it')}", 1),
            (f"without({name}, [{k}])", 1),
            (f"first({name}, {k})", 1),
            (f"ordered({name})", 0.5),
            (f"reversed({name})", 0.5),
        ]
    )
    return collected(g, made, 0)


def of_pool(g: Grower, s: Scope) -> str:
    """A number that is read of dice that are not thrown."""
    name = g.one(s.all_of("pool"))
    made = g.any_of(
        name,
        name,
        f"{name} where size > 2",
        f"{name} where not (size == 3)",
        f"without_biggest({name}, 1)",
        f"without_smallest({name}, 1)",
        f"cap({name}, d3)",
        f"times({name}, 2)",
    )
    return g.any_of(f"count({made})", f"(highest(({made}).size) otherwise 0)", f"sum(({made}).size)")


def of_things(g: Grower, s: Scope, kind: str) -> str:
    """A number that is read of a list of things."""
    name = g.one(s.all_of(f"list {kind}"))
    holds = g.kinds[kind]
    column = g.one([one for one in holds.numbers if "(" not in one])
    rows = [f"count({name})", f"sum({name}.{column})", f"(highest({name}.{column}) otherwise 0)"]
    rows += [f"count({name} where it.{column} > {g.number(0, 3)})"]
    if holds.flags:
        rows.append(f"count({name} where {g.any_of('', 'not ')}it.{g.one(holds.flags)})")
    return g.one(rows)


def simple_outside(g: Grower, s: Scope) -> str:
    """A number from outside, to compare an element or a die with."""
    rows: list[tuple[str, float]] = [(str(g.number(1, 5)), 5)]
    if s.all_of("number"):
        rows.append((g.one(s.all_of("number")), 6))
    if s.missing.get("number"):
        rows.append((f"({g.one(s.missing['number'])} otherwise 0)", 2))
    return g.weighted(rows)


# Yes and no -------------------------------------------------------------------------------------------------------


def flag(g: Grower, s: Scope, deep: int = 1) -> str:
    """A condition."""
    if deep > 0 and g.maybe(0.35):
        return g.weighted(
            [
                (f"({flag(g, s, deep - 1)} and {flag(g, s, deep - 1)})", weight("operator", "and")),
                (f"({flag(g, s, deep - 1)} or {flag(g, s, deep - 1)})", weight("operator", "or")),
                (f"(not {flag(g, s, deep - 1)})", weight("operator", "not")),
                (f"({flag(g, s, deep - 1)} and not {flag(g, s, 0)})", weight("operator", "not") / 2),
                (f"({flag(g, s, deep - 1)} == {flag(g, s, 0)})", 1),
                (f"({flag(g, s, deep - 1)} if {flag(g, s, 0)} else {flag(g, s, 0)})", 2),
            ]
        )
    rows: list[tuple[Maker, float]] = [(lambda: compared(g, s, deep), 14), (lambda: "options.harsh", 1)]
    if s.all_of("flag"):
        rows.append((lambda: g.one(s.all_of("flag")), 10))
    if s.missing.get("flag"):
        rows.append((lambda: f"({g.one(s.missing['flag'])} otherwise {g.any_of('yes', 'no')})", 4))
    if s.missing.get("given"):
        rows.append((lambda: f"given({g.one(s.missing['given'])})", weight("operator", "given")))
    if s.missing.get("number"):
        rows.append((lambda: given_and(g, s), weight("operator", "given")))
    rows += [(lambda name=name: worded(g, s, name), 5) for name in WORDS if s.all_of(name)]
    rows += [
        (lambda: f"{g.any_of('odd', 'even')}({number(g, s, 0)})", weight("function", "odd")),
    ]
    if s.rolls and not s.selecting:
        rows += [(lambda: of_some_die(g, s), 8), (lambda: dominates(g, s), 1)]
    for name, of in s.lists.items():
        rows += [(lambda name=name, one=one: f"{g.any_of('any', 'all')}({name}.{one})", 4) for one in of.flags]
    if s.all_of("numbers") and not s.selecting:
        rows.append((lambda: f"({number(g, s, 0)} {g.any_of('in', 'not in')} {g.one(s.all_of('numbers'))})", 4))
        rows.append((lambda: f"any({g.one(s.all_of('numbers'))} where it > {simple_outside(g, s)})", 3))
    rows.append((lambda: f"({number(g, s, 0)} in [1, {g.number(2, 4)}])", weight("operator", "in") / 2))
    for kind in ("hero", "beast"):
        if len(s.all_of(kind)) > 1:
            rows.append((lambda kind=kind: f"({' is '.join(g.chance.sample(s.all_of(kind), 2))})", 2))
        if s.all_of(kind) and s.all_of(f"list {kind}"):
            rows.append((lambda kind=kind: f"({g.one(s.all_of(kind))} in {g.one(s.all_of(f'list {kind}'))})", 2))
    return g.weighted(rows)()


def compared(g: Grower, s: Scope, deep: int) -> str:
    sign = g.weighted([(one, weight("operator", one)) for one in (">=", ">", "<", "<=", "==", "!=")])
    if g.maybe(0.15):
        sign = g.any_of("beats", "reaches")
    if g.maybe(0.06) and s.all_of("number"):
        return f"({g.number(0, 2)} <= {g.one(s.all_of('number'))} <= {g.number(3, 5)})"
    mine = number(g, s, deep)
    for _ in range(3):  # what compares only numbers that are written out is always true or never
        if any(one.isalpha() for one in mine):
            break
        mine = number(g, s, deep)
    other = str(g.one(FEW)) if g.maybe(0.55) or not any(one.isalpha() for one in mine) else number(g, s, 0)
    return f"({mine} {sign} {other})"


def worded(g: Grower, s: Scope, name: str) -> str:
    """A condition on a word."""
    word = g.one(s.all_of(name))
    is_ = f"({word} {g.any_of('is', 'is', 'is not')} {g.one(WORDS[name])})"
    among = f"({word} {g.any_of('in', 'not in')} [{', '.join(g.chance.sample(WORDS[name], 2))}])"
    if name == "rank":
        return g.any_of(is_, among, f"({word} {g.any_of('<', '>=', '>')} {g.one(WORDS[name])})")
    return g.any_of(is_, is_, among)


def given_and(g: Grower, s: Scope) -> str:
    able = [name for name in s.missing["number"] if "(" not in name]
    if not able:
        return compared(g, s, 0)
    name = g.one(able)
    return f"(given({name}) and {name} {g.any_of('>=', '==', '<')} {g.one(FEW)})"


def of_some_die(g: Grower, s: Scope) -> str:
    """A condition on the dice of a roll."""
    name, of = g.one(list(s.rolls.items()))
    if of.parts and g.maybe(0.3):
        name, of = f"{name}.{g.one(of.parts)}", Rolled(0)
    return f"{g.any_of('any', 'any', 'all')}({name} where {die_condition(g, s, of)})"


def dominates(g: Grower, s: Scope) -> str:
    able = [name for name, of in s.rolls.items() if not of.symbols]
    if len(able) < 2:
        return compared(g, s, 0)
    one, other = g.chance.sample(able, 2)
    return f"{g.any_of('dominates', 'outranks')}({one}, {other})"


# Conditions on one die --------------------------------------------------------------------------------------------


def die_condition(g: Grower, s: Scope, of: Rolled, deep: int = 2) -> str:
    """What is asked of one die of a roll, beside `where`; it may look at other rolls, inputs and steps."""
    if deep > 0 and g.maybe(0.4):
        a, b = die_condition(g, s, of, deep - 1), die_condition(g, s, of, deep - 1)
        return g.weighted(
            [
                (f"{a} and {b}", weight("operator", "and")),
                (f"({a} or {b})", weight("operator", "or")),
                (f"not ({a})", weight("operator", "not")),
                (f"{a} and not ({b})", weight("operator", "not") / 2),
                (f"({a} if {outside(g, s)} else {b})", 2),
            ]
        )
    if of.symbols:
        return g.any_of("star > 0", "moon == 0", "star + moon == 2", "star > moon", "face == 2", "face < 1")
    k, sign = g.number(1, 5), g.any_of("==", "==", ">=", ">", "<", "<=", "!=")
    rows: list[tuple[str, float]] = [
        (f"face {sign} {k}", 10),
        (f"face {sign} {simple_outside(g, s)}", 8),
        (f"value {sign} {k}", 3),
        (f"value {sign} {simple_outside(g, s)}", 3),
        (f"{g.any_of('odd', 'even')}({g.any_of('face', 'value')})", 3),
        (f"size >= {g.any_of(3, 4, 6)}", 2),
        ("face == size", 3),
        (f"face in [1, {k + 1}]", 2),
        (f"{g.any_of('red', 'blue')} in tags", 2),
        ("red not in tags", 1),
        (f"face + {g.number(1, 2)} {sign} {simple_outside(g, s)}", 2),
        (f"face * 2 {sign} {k}", 1),
        (outside(g, s), 2),
    ]
    if s.things:
        rows += [("louder(face)", 3), (f"echo(face) {sign} {k}", 2), (f"din(face) {sign} {k}", 1)]
    if of.parts:
        rows += [(f"part is {g.one(of.parts)}", 4), (f"part in [{', '.join(of.parts)}]", 1)]
    return g.weighted(rows)


def outside(g: Grower, s: Scope) -> str:
    """A condition that looks at no die at hand."""
    within = s.inner()
    within.selecting = True
    return flag(g, within, 0)


# Words, pools, lists, things --------------------------------------------------------------------------------------


def word(g: Grower, s: Scope, name: str, deep: int = 1) -> str:
    """One of a list of words."""
    rows: list[tuple[Maker, float]] = [(lambda: g.one(WORDS[name]), 3)]
    if s.all_of(name):
        rows.append((lambda: g.one(s.all_of(name)), 6))
    if s.missing.get(name):
        rows.append((lambda: f"({g.one(s.missing[name])} otherwise {g.one(WORDS[name])})", 3))
    if deep > 0:
        if name != "rank":  # whose words are those of a table, too
            rows.append((lambda: f"({g.one(WORDS[name])} if {flag(g, s)} else {g.one(WORDS[name])})", 4))
        if name == "mood":
            rows.append((lambda: f"{g.any_of('temper', 'feeling_of')}({number(g, s, 1)})", 5))
        if name == "rank":
            rows.append((lambda: f"({g.one(s.all_of('rank') or ['rung(rank, 1)'])} if {flag(g, s)} else knight)", 3))
            rows.append((lambda: f"rung(rank, clamp({number(g, s, 1)}, 1, 3))", 4))
            rows.append((lambda: f"({word(g, s, 'rank', 0)} {g.any_of('+', '-')} {number(g, s, 1)})", 4))
            rows.append((lambda: f"{g.any_of('min', 'max')}({word(g, s, 'rank', 0)}, {word(g, s, 'rank', 0)})", 2))
            rows.append((lambda: f"({g.any_of('highest', 'lowest')}({ranks(g, s)}) otherwise squire)", 3))
    return g.weighted(rows)()


def ranks(g: Grower, s: Scope) -> str:
    """A list of words of a ladder."""
    words = f"[{word(g, s, 'rank', 0)}, {word(g, s, 'rank', 0)}, {word(g, s, 'rank', 0)}]"
    return g.any_of(words, f"highest({words}, {few(g, s)})", f"{words} where it > page", f"{words} by it")


def numbers(g: Grower, s: Scope) -> str:
    """A list of numbers."""
    rows: list[tuple[Maker, float]] = [
        (lambda: f"[{number(g, s, 0)}, {number(g, s, 0)}]", 3),
        (lambda: f"upto(clamp({number(g, s, 0)}, 0, 3))", 3),
        (lambda: f"times([{number(g, s, 0)}, 1], 2)", 1),
    ]
    if s.all_of("numbers"):
        of_these = g.one(s.all_of("numbers"))
        rows.append((lambda: f"{of_these} where {g.any_of('odd(it)', f'it > {simple_outside(g, s)}', 'it >= 2')}", 4))
        rows.append((lambda: f"first({of_these} by {g.any_of('it', '-it')}, 2)", 1))
        rows.append((lambda: f"common({of_these}, [{number(g, s, 0)}, 1])", 1))
    for name, of in s.lists.items():
        rows += [(lambda name=name, one=one: f"{name}.{one}", 2) for one in of.numbers]
    return g.weighted(rows)()

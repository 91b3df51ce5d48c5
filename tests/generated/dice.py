"""Steps that do something with dice: rolls with parts, chains and what throws count, rerolls, placed dice, pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .expressions import die_condition, flag, number, simple_outside
from .grower import Grower, Listed, Rolled, Scope, Tree

FACES = {"d2": 2, "d3": 3, "d4": 4, "d6": 6, "d8": 8, "d10": 10, "fudge": 3, "loaded": 3, "omen": 4, "ten": 4}
"""Dice, and how many different faces each has."""

Step = tuple[str, Any]
NOTHING: Step = ("", None)


# Pools ------------------------------------------------------------------------------------------------------------


def pool(g: Grower, count: int) -> tuple[str, int, bool]:
    """Dice that are not thrown: as written, the fewest, and whether they all have symbols."""
    if g.maybe(0.06) and g.pay(4**count):
        return f"times(omen, {count})" if count > 1 else "omen", count, True
    made, thrown = [], 0
    while thrown < count:
        die = g.any_of("d2", "d2", "d3", "d3", "d4", "d4", "d6", "d6", "d8", "d10", "fudge", "loaded", "ten")
        if not g.pay(FACES[die]):
            die = g.any_of("d2", "d3")
            if not g.pay(FACES[die]):
                break
        many = 1
        while thrown + many < count and g.maybe(0.6) and g.pay(FACES[die]):
            many += 1
        if die.startswith("d"):
            tag = g.any_of(" red", " blue", " red blue") if g.maybe(0.15) else ""
            made.append(f"{many if many > 1 else ''}{die}{tag}")
        else:
            made.append(f"times({die}, {many})" if many > 1 else die)
        thrown += many
    if not made:
        return "d2", 1, False  # there is always a die to be had
    return " & ".join(made), thrown, False


def thrown_pool(g: Grower, s: Scope) -> tuple[str, Rolled] | None:
    """What stands beside `roll`, and what is known of the roll."""
    if s.all_of("pool") and g.maybe(0.25) and g.pay(9):
        return g.one(s.all_of("pool")), Rolled(0)
    if s.all_of("die") and g.maybe(0.4) and g.pay(4):
        return g.one(s.all_of("die")), Rolled(1, True)
    if s.all_of("code") and g.maybe(0.4) and g.pay(9):
        return f"{g.one(s.all_of('code'))}.dice", Rolled(0)
    if s.all_of("number") and g.maybe(0.12) and g.pay(8):
        return f"(clamp({g.one(s.all_of('number'))}, 0, 2))d{g.any_of(2, 3)}", Rolled(0)
    made, least, symbols = pool(g, g.any_of(1, 1, 1, 2, 2, 2, 3, 3, 4))
    single = least == 1 and not symbols
    if g.maybe(0.08):
        return f"{made} if {flag(g, s)} else {g.any_of('no_dice', 'd2')}", Rolled(0, symbols=symbols)
    return made, Rolled(least, single, symbols=symbols)


# Rolls ------------------------------------------------------------------------------------------------------------


def roll(g: Grower, s: Scope) -> Step:
    """A roll: of dice, of named parts, with chains, with what throws count, with stages."""
    name = g.name("roll")
    if g.maybe(0.08) and g.pay(4):
        return endless_roll(g, s, name)
    if g.maybe(0.15):
        parts = ("base", "extra") if g.maybe(0.7) else ("wild", "base", "extra")
        what: Any = {one: pool(g, g.any_of(1, 1, 2))[0] if g.maybe(0.9) else "no_dice" for one in parts}
        if any("omen" in one for one in what.values()):
            what = {one: "d2" if "omen" in of else of for one, of in what.items()}
        of = Rolled(0 if "no_dice" in what.values() else len(parts), parts=parts)
    else:
        found = thrown_pool(g, s)
        assert found is not None
        what, of = found
    step: Tree = {"roll": what}
    of = dressed(g, s, step, of)
    if of.least and g.maybe(0.1):
        s.rolls[name] = of
        step["then"], of = roll_stages(g, s, name, of)
        s.rolls.pop(name)
    if not of.symbols and g.maybe(0.12):
        return row_of_dice(g, s, name, step)
    if g.maybe(0.15):
        return skipped_roll(g, s, name, step, of)
    bind(s, name, of)
    return name, step


def row_of_dice(g: Grower, s: Scope, name: str, step: Tree) -> Step:
    """A roll whose value is the row of a table to which its dice come, perhaps under a condition."""
    words = g.maybe(0.3)
    table = "temper" if words else g.any_of("wound", "near", "off")
    added = g.any_of(f"it + {simple_outside(g, s)}", f"it - {g.number(1, 3)}", f"down(it / {g.number(2, 3)})")
    step["on"] = g.any_of(table, f"{table}({added})", f"{table}({added}) if it > 2 else {table}(it)")
    known = "mood" if words else "number"
    if g.maybe(0.2):
        step["if"] = flag(g, s)
        if g.maybe():
            s.missing[known].append(name)
            return name, step
        step["else"] = "sad" if words else "0"
    s.known[known] += [name, name]
    return name, step


def endless_roll(g: Grower, s: Scope, name: str) -> Step:
    """Dice that may go on for ever; what they count may be less than nothing, too.

    No other roll says so in this way: see `asking.ENDLESS`.
    """
    many = g.any_of(1, 1, 1, 2)
    step: Tree = {"roll": g.any_of("d2", "d3") if many == 1 else "2d2"}
    end = g.any_of("face == size", "face == size", "face == 1", "face == size and counts != 0")
    if g.maybe(0.3):
        step["each"] = {"low": f"face == {g.any_of(1, 1, 2)}"}
        end = g.any_of("face == size and not any(earlier.low)", "face == size and count(earlier where it.low) == 0")
    step["again"] = end
    if g.maybe(0.6):
        worth = ["face - 2", "1 - face", "face if nth < 3 else -1", "0 if nth < 3 else face", "1 if face == 1 else 0"]
        step["counts"] = g.any_of(*worth, f"face - {simple_outside(g, s)}")
    bind(s, name, Rolled(many, many == 1))
    return name, step


def bind(s: Scope, name: str, of: Rolled) -> None:
    """Let a roll be read."""
    s.rolls[name] = of
    s.rolls |= {f"{name}.throws.{flip}": Rolled(0, thrown=False) for flip in of.flips}
    if of.single:
        s.known["number"].append(name)


def skipped_roll(g: Grower, s: Scope, name: str, step: Tree, of: Rolled) -> Step:
    """A roll under a condition, with whichever form of saying what holds otherwise."""
    step["if"] = flag(g, s)
    if of.single and g.maybe(0.6):
        step["else"] = g.any_of("0", "0", "1", number(g, s, 0))
        s.known["number"] += [name, name]
        return name, step
    alike = [one for one, its in s.rolls.items() if its == of and not of.marks]
    if alike and g.maybe(0.3):
        step["else"] = g.one(alike)
        s.rolls[name] = replace(of, single=False)
        return name, step
    if of.single:
        s.missing["number"] += [name, name]
    elif not of.symbols and not of.parts and not of.marks:
        s.missing["roll"].append(name)
    s.missing["given"].append(name)
    return name, step


def dressed(g: Grower, s: Scope, step: Tree, of: Rolled) -> Rolled:
    """Let throws count something else, have names of their own, or go on; what is known of the roll then."""
    if of.symbols or not g.maybe(0.4):
        return of
    inner = s.inner()
    inner.rolls, inner.missing["roll"] = {}, []
    inner.known["number"] += ["face", "face", "face", "nth"]
    marks: list[str] = []
    flips: list[str] = []
    if g.maybe(0.45):
        step["each"] = each_throw(g, inner, marks, flips)
    if g.maybe(0.5):
        step["counts"] = g.any_of(
            f"1 if face >= {simple_outside(g, s)} else 0",
            "2 if face == size else 1 if face >= 2 else 0",
            "face * 2",
            "0 if face == 1 else face",
            "count(earlier) + face",
            number(g, inner, 1),
            *([f"face + sum(earlier.{marks[0]})", marks[0]] if marks else []),
        )
    if of.least and g.maybe(0.55) and g.pay(3 ** min(of.least, 3)):
        inner.known["number"].append("counts")
        ends = ["face == size", "face == size", "face >= 2", "odd(face)", "counts > 1", flag(g, inner)]
        if marks:
            ends += [f"face > 1 and not any(earlier.{marks[0]} where it > 2)", f"{marks[0]} > 0"]
            ends += [f"nth - {marks[0]} <= 1 and face == size"]
        step["again"] = f"({g.one(ends)}) and nth < {g.any_of(2, 2, 3)}"
        if g.maybe(0.1):
            step["guard"] = 5
    return replace(of, marks=tuple(marks), flips=tuple(flips))


def each_throw(g: Grower, inner: Scope, marks: list[str], flips: list[str]) -> Tree:
    """What is named for every throw, by what came before it too."""
    made: Tree = {}
    for _ in range(g.any_of(1, 1, 2)):
        own = g.name("mark")
        before = f"(last(earlier.{own}) otherwise 0)"
        made[own] = g.weighted(
            [
                (number(g, inner, 1), 4.0),
                (f"1 if nth == 1 and face == 1 else {before}", 2),
                (f"{before} + (1 if face {g.any_of('==', '>=')} {g.number(1, 3)} else 0)", 2),
                (f"count(earlier where it.{own} > 0) + face", 1),
                (f"face + sum(earlier.{own})", 1),
                ("count(earlier)", 1),
                (f"max(face, highest(earlier.{own}) otherwise 0)", 1),
            ]
        )
        inner.known["number"].append(own)
        marks.append(own)
    if g.maybe(0.3):
        own = g.name("low")
        made[own] = g.any_of("face <= 1", "odd(face)", f"face == 1 and not any(earlier.{own})", flag(g, inner))
        inner.known["flag"] += [own, f"any(earlier.{own})"]
    if g.maybe(0.15):
        own = g.name("late")
        made[own] = {"is": g.any_of("face", "nth"), "if": "nth >= 2"}
        inner.known["number"] += [f"sum(earlier.{own})"] * 2
    if g.maybe(0.25):
        own = g.name("flip")
        if g.pay(3):
            made[own] = {"roll": "d2"} | ({"again": "face == 2 and nth < 2"} if g.maybe(0.2) else {})
            flips.append(own)
        else:
            made[own] = {"is": "face + 1", "if": "face > 1", "else": 0}
        inner.known["number"].append(own)
        marks.append(own)
    if inner.things and g.maybe(0.2):
        from . import lasting

        inner.rolls |= {own: Rolled(1, True) for own in flips}
        name, step = g.one((lasting.gain, lasting.lose, lasting.keep_dice, lasting.keep_dice))(g, inner)
        if name:
            made[name] = step
    return made


def roll_stages(g: Grower, s: Scope, name: str, of: Rolled) -> tuple[Tree, Rolled]:
    """Stages that change a roll, and what is known of it after them."""
    made: Tree = {}
    for _ in range(g.any_of(1, 2)):
        stage = g.name("stage")
        if g.maybe(0.6) and g.pay(4):
            made[stage] = rerolled(g, s, name, of)
            if g.maybe(0.3):
                made[stage]["if"] = flag(g, s)
        else:
            cut = f"{g.any_of('highest', 'lowest')}({name}, {g.any_of(1, 2)})"
            made[stage] = g.any_of(cut, f"{name} where {die_condition(g, s, of)}")
            of = replace(of, least=0, single=False)
    return made, of


def rerolled(g: Grower, s: Scope, name: str, of: Rolled) -> Tree:
    some = f"{name} where {die_condition(g, s, of)}"
    made: Tree = {"reroll": g.any_of(some, some, some, name)}
    if g.maybe(0.15):
        made["reroll"] = g.any_of(
            f"{g.any_of('highest', 'lowest', 'first', 'last')}({name}, {g.any_of(1, 2)})",
            f"without({name}, {g.any_of('highest', 'lowest')}({name}, 1))",
            f"without({name}, {some})",
        )
    if g.maybe(0.45):
        in_order = f" by {g.any_of('-size', 'size', 'face', '-face')}" if g.maybe(0.5) else ""
        if g.maybe(0.3):
            made["reroll"] = f"first({made['reroll']}{in_order}, {g.any_of(1, 2)})"
        else:
            made["reroll"] += in_order
            made["most"] = g.any_of("1", "1", "2", f"clamp({number(g, s, 0)}, 0, 2)")
    if g.maybe(0.15) and not of.symbols:
        made["to"] = g.any_of("1", "2", f"clamp({number(g, s, 0)}, 1, 2)")
    return made


def reroll(g: Grower, s: Scope) -> Step:
    """A reroll of a roll that was thrown."""
    able = [name for name, of in s.rolls.items() if (of.least or of.part_of in s.rolls) and of.thrown]
    if not able or not g.pay(4):
        return NOTHING
    name, of = g.name("again"), s.rolls[rolled := g.one(able)]
    step = rerolled(g, s, rolled, of)
    of = s.rolls.get(of.part_of, of)
    if g.maybe(0.2):
        step["if"] = flag(g, s)
        if g.maybe(0.6):
            step["else"] = s.rolls[rolled].part_of or rolled
            s.rolls[name] = of
        else:
            if not of.symbols and not of.parts and not of.marks:
                s.missing["roll"].append(name)
            s.missing["given"].append(name)
        return name, step
    bind(s, name, of)
    if not of.symbols and g.maybe(0.2):
        s.known["number"].append(shared(g, name, rolled))
    return name, step


def shared(g: Grower, one: str, other: str) -> str:
    """How many dice are in two lists, or in one alone."""
    return g.any_of(f"count(common({one}, {other}))", f"count(without({one}, {other}))")


def thrown_by_choice(g: Grower, s: Scope) -> Step:
    """A reroll of the dice that a player chose, or of the others; what lies there then may be joined."""
    if not g.pay(2):
        return NOTHING
    name, chosen = g.name("again"), g.one(list(s.picked))
    of = s.picked.pop(chosen) if g.maybe() else s.picked[chosen]
    rest = f"without({of}, {chosen})"
    thrown, kept = g.any_of((rest, chosen), (rest, chosen), (chosen, rest))
    if g.maybe(0.3):
        s.known["number"].append(f"sum({kept})")
    s.rolls[name] = s.rolls.get(of, Rolled(0))
    if g.maybe(0.3):
        s.known["number"].append(shared(g, name, g.any_of(of, chosen)))
    return name, {"reroll": thrown}


def place(g: Grower, s: Scope) -> Step:
    name, many = g.name("placed"), g.any_of(1, 1, 2)
    dice = f"{many}d3" if many > 1 else "d3"
    if g.maybe(0.3):
        dice, many = f"{dice} & d6", many + 1
    step = {"place": dice, "showing": g.any_of("1", "2", "3", f"clamp({number(g, s, 1)}, 1, 3)")}
    bind(s, name, Rolled(many, many == 1))
    return name, step


def raised(g: Grower, s: Scope) -> Step:
    """Dice that climb a ladder, which may be thrown after that."""
    if not g.pay(3):
        return NOTHING
    name = g.name("pool")
    of = g.any_of("d2", "2d2", "d3 & d2", "d4 & d2", *s.all_of("pool"), *s.all_of("die"))
    step: Tree = {"raise": of, "ladder": "size", "by": g.any_of("1", "-1", f"clamp({number(g, s, 1)}, -1, 2)")}
    if g.maybe(0.2):
        step["raise"] = f"{of} where size < 3"
    if g.maybe(0.3):
        step["past_top"] = g.any_of("carry_to_next_smaller", "stop")
    if g.maybe(0.2):
        step["when_full"] = g.any_of("add_lowest", "lost")
    if g.maybe(0.15):
        step |= {"if": flag(g, s), "else": of}
    s.known["pool"].append(name)
    return name, step


def pair(g: Grower, s: Scope) -> Step:
    """Two rolls, die against die."""
    able = [name for name, of in s.rolls.items() if not of.symbols]
    if len(able) < 2:
        return NOTHING
    ours, theirs = g.chance.sample(able, 2)
    name, lead, won = g.name("pairs"), g.name("lead"), g.name("won")
    others = s.all_of("number") or ["2"]
    each = {
        lead: g.any_of(
            "ours", "theirs", "ours - theirs", "max(ours, theirs)", "1 if ours >= theirs + 2 else 0",
            "wound(ours - theirs)", f"min(ours, {g.one(others)})", "ours.face + theirs.size",
        ),
        won: g.any_of(
            "ours > theirs", "ours == theirs", "ours reaches theirs", "odd(ours + theirs)", "ours beats theirs",
            f"ours - theirs > {g.one(others)}",
        ),
    }  # fmt: skip
    step: Tree = {"pair": ours, "with": theirs, "each": each}
    least = min(s.rolls[ours].least, s.rolls[theirs].least)
    if g.maybe():
        step["missing"] = g.any_of("1", "2", f"clamp({number(g, s, 0)}, 0, 2)")
        least = s.rolls[ours].least
        each[lead] = each[lead].replace(" + theirs.size", "")
    if g.maybe(0.2):
        step["first"] = g.any_of(
            "red in tags",
            f"face >= {simple_outside(g, s)}",
            "size > 3",
            "size",
            "2 if red in tags else 1 if size > 3 else 0",
        )
    if g.maybe(0.3):
        del each[lead if g.maybe() else won]
    if g.maybe(0.2):
        step["if"] = flag(g, s)
    of = Listed(tuple(n for n in each if n == lead), tuple(f for f in each if f == won), 0 * least)
    s.bind_list(name, of, "if" in step)
    if "if" in step:
        return name, step
    ranks = [f"(highest({one}) otherwise 0)" for one in (ours, theirs)] + [f"sum(lowest({ours}, 2))", f"sum({theirs})"]
    of_pairs = f"sum({name}.{lead})" if lead in each else f"count({name}.{won} where it)"
    s.known["number"] += [f"({of_pairs} + {g.one(ranks)})", f"({of_pairs} - {g.one(ranks)})"]
    return name, step


def dice(g: Grower, s: Scope) -> Step:
    """A roll made of other rolls."""
    if not s.rolls:
        return NOTHING
    one = g.one(list(s.rolls))
    name, of = g.name("dice"), s.rolls[one]
    some = replace(of, least=0, single=False, part_of=of.part_of or one)
    k = g.any_of(1, 2)
    rows = [
        (f"{one} where {die_condition(g, s, of)}", some),
        (f"highest({one}, {k})", some),
        (f"lowest({one}, {k})", some),
        (f"without({one}, {g.any_of('highest', 'lowest')}({one}, 1))", some),
        (f"{one} if {flag(g, s)} else highest({one}, 1)", some),
        (one, of),
    ]
    others = [n for n, its in s.rolls.items() if n != one and not its.symbols and not its.parts and not its.marks]
    if others and not of.parts and not of.symbols and not of.marks:
        other = g.one(others)
        both = Rolled(of.least + s.rolls[other].least, thrown=False)
        rows += [(f"{one} & {other}", both)] * 2
        if s.rolls[other].single == of.single:
            rows.append((f"{one} if {flag(g, s)} else {other}", replace(some, single=of.single, thrown=False)))
    if not of.parts and not of.symbols and not of.marks and of.thrown:
        rows.append((f"{one} & {one}", Rolled(2 * of.least, part_of=of.part_of or one)))
    made, known = g.one(rows)
    if g.maybe(0.1) and known.least == 0:
        made = f"{made} by {g.any_of('size', '-size', 'face', '-value')}"
    bind(s, name, known)
    return name, made

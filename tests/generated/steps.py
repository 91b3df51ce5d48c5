"""Steps that work out values, repeat, branch, ask and call. Each function adds what it names to the scope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import dice, lasting
from .dice import NOTHING, Step
from .expressions import WORDS, flag, number, numbers, of_records, read_together, simple_outside, word
from .grower import Called, Grower, Listed, Rolled, Scope, Tree, in_parts, said_if, weight

Maker = Callable[[Grower, Scope], Step]


def steps(g: Grower, s: Scope, count: int) -> Tree:
    """So many steps, about, of which the first is a roll where there is none to read."""
    made: Tree = {}
    g.deep += 1
    if not s.rolls and not s.things and g.maybe(0.8):
        add(made, dice.roll(g, s))
    rows = [(make, weight("verb", verb)) for verb, make in MAKERS.items() if g.deep < 3 or verb not in DEEP]
    rows += [(make, weight("verb", verb)) for verb, make in lasting.MAKERS.items() if s.things]
    rows += [(lasting.keep_dice, 40)] if s.things else []
    rows += [(dice.pair, 12)] if len(s.rolls) > 1 else []
    rows += [(one_flag, 6), (one_word, 4), (a_list, 4), (dice.dice, 6), (choose_dice, 15), (guarded, 8)]
    for _ in range(count):
        add(made, g.weighted(rows)(g, s))
        if s.picked and g.maybe():
            add(made, dice.thrown_by_choice(g, s))
        if s.things and s.rolls and g.maybe(0.25):
            made |= lasting.picked_before_a_change(g, s)
        if s.all_of("together") and g.maybe():
            add(made, at_once(g, s))
    if not made or g.maybe(0.5):
        add(made, value(g, s))
    g.deep -= 1
    return made


def add(made: Tree, step: Step) -> None:
    if step[0]:
        made[step[0]] = step[1]


# Values -----------------------------------------------------------------------------------------------------------


def value(g: Grower, s: Scope) -> Step:
    """A number, perhaps under a condition, with whichever form of saying what holds otherwise."""
    name = g.name("number")
    step: Any = number(g, s, 2)
    form = g.chance.random()
    if s.skipped and g.maybe(0.3):
        listed, of = g.one(list(s.skipped.items()))
        step = {"is": of_records(g, listed, of), "if": f"given({listed})", "else": g.any_of("0", number(g, s, 1))}
    elif form < 0.15:
        other = g.any_of(number(g, s, 1), "0", "0")
        step = {"is": step, "if": flag(g, s), "else": other}
    elif form < 0.27:  # missing where the condition does not hold
        step = {"is": step, "if": flag(g, s)}
        s.missing["number"] += [name, name]
        s.missing["given"].append(name)
        return name, step
    s.known["number"] += [name, name]
    return name, step


def at_once(g: Grower, s: Scope) -> Step:
    """A number that is read of several things at once."""
    name = g.name("number")
    s.known["number"] += [name, name]
    return name, s.known["together"].pop()


def guarded(g: Grower, s: Scope) -> Step:
    """A number that is read of dice by a formula which fails where its condition does not hold."""
    able = [name for name, of in s.rolls.items() if not of.symbols]
    if not able:
        return NOTHING
    name, of, k = g.name("number"), g.one(able), g.number(1, 4)
    by = g.one(s.all_of("number") or ["(options.bonus - 1)"])
    reading, condition = g.any_of(
        (f"count({of} where face >= up({k} / {by}))", f"{by} > 0"),
        (f"sum({of} where face > down(6 / {by}))", f"{by} != 0"),
        (f"count({of} where up(6 / (face - {k})) > 1)", f"count({of} where face == {k}) == 0"),
        (f"sum(highest({of}, up(2 / {by})))", f"{by} > 0"),
    )
    if s.missing["number"] and g.maybe(0.3):
        given = [one for one in s.missing["number"] if "(" not in one]
        if given:
            one = g.one(given)
            reading, condition = f"count({of} where face > {one})", f"given({one})"
    s.known["number"].append(name)
    if g.maybe():
        return name, f"{reading} if {condition} else {g.number(0, 2)}"
    return name, {"is": reading, "if": condition, "else": str(g.number(0, 2))}


def one_flag(g: Grower, s: Scope) -> Step:
    name, step = g.name("flag"), flag(g, s, 2)
    if g.maybe(0.12):
        made = {"is": step, "if": flag(g, s)}
        s.missing["flag"].append(name)
        s.missing["given"].append(name)
        return name, made
    if g.maybe(0.12):
        step = {"is": step, "if": flag(g, s), "else": g.any_of("no", "yes", flag(g, s))}
    s.known["flag"].append(name)
    return name, step


def one_word(g: Grower, s: Scope) -> Step:
    of = g.any_of("mood", "mood", "rank")
    name = g.name(of)
    step: Any = word(g, s, of)
    if step in WORDS["rank"]:
        step = f"rung(rank, {WORDS['rank'].index(step) + 1})"
    if step in WORDS[of] and of == "mood":
        step = f"{step} if {flag(g, s)} else {g.one(WORDS[of])}"
    if g.maybe(0.2):
        step = {"is": step, "if": flag(g, s)}
        if g.maybe(0.5):
            s.missing[of].append(name)
            return name, step
        step["else"] = g.one(WORDS[of])
    s.known[of].append(name)
    return name, step


def a_list(g: Grower, s: Scope) -> Step:
    name = g.name("list")
    step = numbers(g, s)
    s.known["numbers"].append(name)
    return name, step


def started(g: Grower, s: Scope) -> Step:
    """A value that stages change; now and then it begins with a roll."""
    name = g.name("value")
    inner = s.inner()
    then: Tree = {}
    if g.maybe(0.2) and g.pay(9):
        begin: Any = {"roll": g.any_of("2d3", "d3", "d2 & d4")}
        of = Rolled(1 if begin["roll"] == "d3" else 2)
        inner.rolls[name] = of
        then, of = dice.roll_stages(g, inner, name, of)
        dice.bind(s, name, of)
        return name, {"start": begin, "then": then}
    inner.known["number"] += [name] * 3
    for _ in range(g.any_of(1, 2, 2, 3)):
        stage: Any = g.any_of(f"{name} + 1", f"max({name} - 1, 0)", f"half({name})", number(g, inner, 1))
        if g.maybe():
            stage = {"is": stage, "if": flag(g, inner)}
            if g.maybe(0.2):
                stage["else"] = number(g, inner, 0)
        then[g.name("stage")] = stage
    begin = number(g, s, 1)
    step = {"start": f"{begin} + 0" if begin in s.rolls else begin, "then": then}
    s.known["number"].append(name)
    return name, step


def first_of(g: Grower, s: Scope) -> Step:
    name = g.name("which")
    kind = g.any_of("number", "number", "number", "flag", "mood")
    of: dict[str, Callable[[], str]] = {
        "number": lambda: number(g, s, 1),
        "flag": lambda: flag(g, s, 1),
        "mood": lambda: g.one(WORDS["mood"]),
    }
    cases: Tree = {g.name("case"): {"if": flag(g, s, 1), "is": of[kind]()} for _ in range(g.any_of(1, 2, 2))}
    cases[g.name("case")] = of[kind]()
    s.known[kind].append(name)
    return name, {"first_of": cases}


def compare(g: Grower, s: Scope) -> Step:
    name = g.name("standing")
    lines: Tree = {g.name("line"): {"ours": number(g, s, 1), "theirs": number(g, s, 1)}}
    if g.maybe():
        lines[g.name("line")] = {"ours": flag(g, s, 1), "theirs": flag(g, s, 1)}
    if g.maybe(0.2) and s.all_of("rank"):
        lines[g.name("line")] = {"ours": g.one(s.all_of("rank")), "theirs": g.one(WORDS["rank"])}
    numbered = [one for one, of in s.rolls.items() if not of.symbols]
    if g.maybe(0.3) and numbered:
        lines[g.name("line")] = {"ours": f"{g.one(numbered)} where yes", "theirs": numbers(g, s)}
    step: Tree = {"compare": lines}
    if g.maybe(0.3):
        step["ties"] = g.any_of("ours", "theirs")
    s.known["flag"] += [f"{name}.ahead", f"{name}.behind", f"{name}.level"]
    return name, step


# Again and again --------------------------------------------------------------------------------------------------


def repeat(g: Grower, s: Scope) -> Step:
    times, name = g.any_of(2, 2, 2, 3), g.name("tries")
    with g.share(times):
        inner = s.inner()
        inner.rolls = {n: of for n, of in inner.rolls.items() if g.maybe(0.4)}
        inner.known["number"] += ["nth"]
        carry, goes_on = carried(g, s, inner) if g.maybe(0.4) else ({}, {})
        each: Tree = {}
        if g.maybe(0.35):
            own = g.name("so_far")
            each[own] = g.any_of(f"(last(earlier.{own}) otherwise 0) + 1", "count(earlier)")
            inner.known["number"].append(own)
        each |= steps(g, inner, g.any_of(1, 1, 2, 3))
        numbers_in = [n for n in inner.all_of("number") if n in each]
        flags = tuple(dict.fromkeys(f for f in inner.all_of("flag") if f in each))
        if numbers_in and g.maybe(0.45):
            late, one = g.name("late"), g.one(numbers_in)
            each[late] = g.any_of(
                f"sum(earlier.{one}) + {one}",
                f"(last(earlier).{one} otherwise 0)",
                f"max({one}, last(earlier).{late} otherwise {one})",
                f"count(earlier where it.{one} > {g.number(0, 3)})",
                f"(last(earlier.{late}) otherwise 0) + {one}",
                f"(highest(earlier.{one}) otherwise 0)",
                f"count(earlier) + {one}",
            )
            numbers_in.append(late)
            inner.known["number"].append(late)
        mine = [n for n, of in inner.rolls.items() if n in each and of.least and not (of.symbols or of.parts)]
        if mine and g.maybe(0.3):
            numbers_in += dice_of_passes(g, s, inner, each, g.one(mine), (carry, goes_on))
        each |= goes_on
        numbers_in += [n for n in goes_on if n in inner.known["number"]]
        if g.may_end and numbers_in and g.maybe(0.12):
            each[g.name("end")] = {"end": g.any_of("good", "bad"), "if": f"{g.one(numbers_in)} == {g.number(0, 4)}"}
    columns = tuple(dict.fromkeys(numbers_in))
    step: Tree = {"repeat": str(times), "each": each} | ({"carry": carry} if carry else {})
    least = 1
    if g.maybe(0.2):
        least = g.any_of(0, 1)
        step["repeat"] = f"clamp({number(g, s, 1)}, {least}, {times})"
    if g.maybe(0.35):
        step["until"] = g.one(flags) if flags and g.maybe() else flag(g, inner, 1)
    if columns and least and g.maybe(0.35):
        step["keep"] = {g.any_of("highest", "lowest"): g.one(columns)}
        if g.maybe(0.2):
            step["if"] = flag(g, s)
            s.missing["number"] += [f"{name}.{n}" for n in columns]
            s.missing["flag"] += [f"{name}.{f}" for f in flags]
            s.missing["given"].append(name)
            return name, step
        s.known["number"] += [f"{name}.{n}" for n in columns]
        s.known["flag"] += [f"{name}.{f}" for f in flags]
        s.rolls |= {f"{name}.{n}": of for n, of in inner.rolls.items() if n in each}
        return name, step
    skipped = g.maybe(0.2)
    if skipped:
        step["if"] = flag(g, s)
    s.bind_list(name, Listed(columns, flags, least), skipped)
    if not skipped:
        plain = [n for n, of in inner.rolls.items() if n in each and not (of.symbols or of.parts or of.marks)]
        s.rolls |= {f"{name}.{n}": Rolled(0, thrown=False) for n in plain if g.maybe(0.4)}
    return name, step


def dice_of_passes(g: Grower, s: Scope, inner: Scope, each: Tree, own: str, carried: tuple[Tree, Tree]) -> list[str]:
    """Numbers of a pass that compare its dice with those of the passes before, or with dice that it is handed."""
    carry, goes_on = carried
    apart = g.name("apart")
    each[apart] = dice.shared(g, own, f"earlier.{own}")
    handed = [n for n, of in s.rolls.items() if of == inner.rolls[own] and of.thrown and not of.marks]
    if handed and g.maybe() and g.pay(2):
        pool = g.name("pool")
        carry[pool] = g.one(handed)
        each[apart] = dice.shared(g, own, pool)
        goes_on[pool] = g.any_of(own, {"reroll": f"{pool} where face == 1"})
    inner.known["number"].append(apart)
    return [apart]


def carried(g: Grower, s: Scope, inner: Scope) -> tuple[Tree, Tree]:
    """What passes carry on, with its beginnings, and the steps that go on from it; `inner` may read it before them."""
    carry: Tree = {}
    each: Tree = {}
    for _ in range(g.any_of(1, 1, 2)):
        kind = g.any_of("number", "number", "number", "flag", "mood")
        name = g.name("carried")
        before = inner.known[kind]
        if kind == "number":
            carry[name] = number(g, s, 1)
            one = g.one([*inner.known["number"], "1"])
            goes_on: Any = g.any_of(
                f"{name} + {one}", f"max({name}, {one})", f"{one} - {name}", f"min({name}, {one}) + 1"
            )
        elif kind == "flag":
            carry[name] = g.any_of("yes", "no")
            goes_on = g.any_of(f"{name} or {flag(g, inner, 1)}", f"not {name}", f"{name} and nth < 2")
        else:
            carry[name] = word(g, s, kind)
            goes_on = word(g, inner, kind)
        if g.maybe(0.4):
            goes_on = {"is": goes_on, "if": flag(g, inner, 1)}
        each[name] = goes_on
        inner.known[kind] = [*before, name]
    return carry, each


def for_each(g: Grower, s: Scope) -> Step:
    """The steps for every element of a list of numbers or of words."""
    if g.maybe(0.2) and s.things:
        return lasting.for_things(g, s)
    name, inner = g.name("round"), s.inner()
    with g.share(3):
        if g.maybe(0.7):
            element, among, kind = g.name("n"), "upto(3)" if g.maybe(0.3) else numbers(g, s), "number"
        else:
            element, among, kind = g.name("word"), "mood", "mood"
        inner.known[kind].append(element)
        each = steps(g, inner, g.any_of(1, 1, 2))
    step: Tree = {"for": element, "among": among, "each": each}
    if kind == "number" and g.maybe(0.3):
        step["where"] = g.any_of("it > 1", "odd(it)", f"it > {simple_outside(g, s)}")
    columns = tuple(n for n in dict.fromkeys(inner.all_of("number")) if n in each)
    flags = tuple(f for f in dict.fromkeys(inner.all_of("flag")) if f in each)
    if g.maybe(0.2):
        step["if"] = flag(g, s)
    s.bind_list(name, Listed(columns, flags, 0, elements=False), "if" in step)
    if columns and "if" not in step and kind == "number":
        s.missing["number"].append(f"{name}({g.number(1, 2)}).{g.one(columns)}")
    return name, step


def block(g: Grower, s: Scope) -> Step:
    name, inner = g.name("block"), s.inner()
    made: Tree = {}
    if g.maybe(0.4):
        add(made, dice.roll(g, inner))
        add(made, dice.pair(g, inner))
    listed = [one for one in made if one in inner.lists]
    made |= steps(g, inner, g.any_of(1, 2, 2))
    mine = [n for n in dict.fromkeys(inner.all_of("number")) if n in made]
    if g.maybe(0.2 if listed else 0.65):
        step: Tree = {"if": flag(g, s, 1), "steps": made}
        s.missing["number"] += [f"{name}.{n}" for n in mine]
        s.missing["given"].append(name)
        s.missing["flag"] += [f"{name}.{f}" for f in inner.all_of("flag") if f in made]
        return name, step
    s.known["number"] += [f"{name}.{n}" for n in mine]
    s.known["flag"] += [f"{name}.{f}" for f in inner.all_of("flag") if f in made]
    s.rolls |= {f"{name}.{n}": of for n, of in inner.rolls.items() if n in made}
    held = {f"{name}.{n}": of for n, of in inner.lists.items() if n in made}
    s.lists |= held
    read_together(g, s, held)
    s.missing["number"] += [f"{name}.{n}" for n in inner.missing["number"] if n in made]
    return name, {"steps": made}


# Choices ----------------------------------------------------------------------------------------------------------


def one_asked(g: Grower, s: Scope) -> str:
    """Who is asked: a role, or one of two by a condition."""
    role = g.any_of("player", "guide")
    if not g.maybe(0.12):
        return role
    other = {"player": "guide", "guide": "player"}[role]
    return f"{role} if {flag(g, s, 1)} else {other}"


def choose_dice(g: Grower, s: Scope) -> Step:
    """A question to a role which dice of a roll it chooses, of which some may be thrown again."""
    whole = [n for n, of in s.rolls.items() if of.least and not of.symbols and not of.parts and of.thrown]
    if not whole or not g.pay(2):
        return NOTHING
    name, of_dice = g.name("chosen"), g.one(whole)
    step: Tree = {"choose": "some", "by": one_asked(g, s), "among": of_dice}
    if g.maybe(0.2):
        s.known["number"].append(name)
        return name, step | {"choose": "one", "default": f"only(highest({of_dice}, 1))"}
    step |= {"most": g.any_of("1", "2", f"count({of_dice})")}
    step["default"] = g.any_of("[]", f"highest({of_dice}, 1)")
    if g.maybe(0.25):
        step |= {"where": g.any_of("it.face >= 2", "it.face == 1", "not (it.face == 2)"), "default": "[]"}
    if g.maybe(0.3):  # one element alone always fits
        step["together"] = g.any_of("count(it) < 2 or sum(it) == 3", "sum(it) < 4 or count(it) == 1")
    if g.maybe(0.2):
        step["if"] = flag(g, s.inner(), 1)
    else:
        s.picked[name] = of_dice
        if g.maybe(0.3):
            s.known["number"].append(f"count(without({of_dice}, {name}))")
    s.rolls[name] = Rolled(0, thrown=False)
    return name, step


def choose(g: Grower, s: Scope) -> Step:
    """A question to a role, with a default."""
    kind = g.any_of("number", "number", "yes_no", "yes_no", "one", "one", "some", "text")
    name, before = g.name("chosen"), s.inner()
    step: Tree = {"choose": kind, "by": one_asked(g, before)}
    if kind == "number":
        step |= {"from": "0", "to": g.any_of("2", f"clamp({number(g, before, 0)}, 1, 2)")}
        step["default"] = g.any_of("0", "1", f"clamp({number(g, before, 1)}, 0, 1)")
        s.known["number"].append(name)
        g.keys[name] = ("number", ["0", "1"])
        if g.maybe(0.2):
            step |= {"where": "not (it == 2)"}
    elif kind == "yes_no":
        step["default"] = g.any_of("yes", "no", "no", flag(g, before, 1))
        s.known["flag"].append(name)
        g.keys[name] = ("yes_no", ["yes", "no"])
    elif kind == "one" and g.maybe():
        of = g.any_of("mood", "rank")
        step |= {"among": of, "default": WORDS[of][0]}
        s.known[of].append(name)
        g.keys[name] = (of, list(WORDS[of][:2]))
        if g.maybe(0.4):
            step["where"] = f"not (it is {WORDS[of][2]})"
    elif kind == "one":
        step |= {"among": "[1, 2, 3]", "default": g.any_of("1", "2")}
        s.known["number"].append(name)
        g.keys[name] = ("number", ["1", "2"])
        if g.maybe(0.4):
            step["where"] = g.any_of("it < 3", "not (it == 3)")
    elif kind == "some":
        step |= {"among": "[1, 2, 3]", "least": g.any_of("0", "1"), "most": g.any_of("1", "2"), "default": "[1]"}
        s.known["numbers"].append(name)
        g.keys[name] = ("some", ["[2]", "[3]"])
        if g.maybe(0.3):  # one element alone always fits
            step["together"] = g.any_of("count(it) < 2 or sum(it) == 3", "sum(it) < 4 or count(it) == 1")
    else:
        step["default"] = g.any_of("So be it", "Nothing: at all")
        step["ask"] = "What do you say?"
    if g.maybe(0.3):
        step["if"] = flag(g, before, 1)
    if g.maybe(0.3):
        told = before.known["number"][-1:]  # no new chance is taken, so that seeds keep their games
        condition = f"{told[0]} > 1" if told else "options.bonus > 0"
        step["ask"] = in_parts(f"What about {name}{f', with {{{told[0]}}}' if told else ''}?", condition, name)
        if kind == "number":
            step["shows"] = said_if(f"comes to {{it + {told[0] if told else 1}}}", "it > 0", name)
        elif kind == "yes_no":
            step["shows"] = said_if("it is {it}", "it", name)
    return name, step


# Calls ------------------------------------------------------------------------------------------------------------


def given_to(g: Grower, s: Scope, of: Called) -> Tree | None:
    """Inputs for what is called or caused; None where something is not at hand."""
    made: Tree = {}
    for name, kind in of.inputs:
        if name in of.passed and g.maybe(0.5):
            continue
        if kind == "number":
            made[name] = number(g, s, 1)
        elif kind == "amount":
            made[name] = f"max({number(g, s, 1)}, 0)"
        elif kind == "few":
            made[name] = g.any_of("1", "2", f"clamp({number(g, s, 1)}, 0, 2)")
        elif kind == "flag":
            made[name] = flag(g, s, 1)
        elif kind == "trade":
            made[name] = g.any_of("smith", "bard")
        elif kind in WORDS:
            made[name] = word(g, s, kind)
        elif kind == "numbers":
            made[name] = numbers(g, s)
        elif kind == "roll":
            able = [n for n, its in s.rolls.items() if its.least and not its.symbols]
            if not able:
                return None
            made[name] = g.one(able)
        elif kind == "pool":
            made[name] = g.any_of("2d2", "d3", "d2 & d3", "d4", *s.all_of("pool"))
        elif kind == "side":
            made[name] = {"dice": g.any_of("2d2", "d3"), "bonus": number(g, s, 0)}
        elif s.all_of(kind):
            made[name] = g.one(s.all_of(kind))
        else:
            return None
    return made


def call(g: Grower, s: Scope) -> Step:
    able = [name for name, of in g.calls.items() if of.cost <= g.left]
    if not able:
        return NOTHING
    called = g.one(able)
    of = g.calls[called]
    given = given_to(g, s, of)
    if given is None:
        return NOTHING
    g.pay(of.cost)
    name = g.name("call")
    step: Tree = {"call": called}
    if given:
        step["with"] = given
    if g.maybe(0.2):
        step["roles"] = {"player": "guide"}
    bind_call(g, s, name, step, of)
    return name, step


def bind_call(g: Grower, s: Scope, name: str, step: Tree, of: Called) -> None:
    """Let be read what a call or an event gives, which a condition may leave out."""
    if g.maybe(0.2):
        step["if"] = flag(g, s, 1)
        s.missing["number"] += [f"{name}.{n}" for n in of.numbers]
        s.missing["flag"] += [f"{name}.{f}" for f in of.flags]
        s.missing["given"].append(name)
        return
    s.known["number"] += [f"{name}.{n}" for n in of.numbers]
    s.known["flag"] += [f"({name}.outcome is {one})" for one in of.outcomes] + [f"{name}.{f}" for f in of.flags]
    s.rolls |= {f"{name}.{n}": its for n, its in of.rolls}
    held = {f"{name}.{n}": its for n, its in of.lists}
    s.lists |= held
    read_together(g, s, held)


MAKERS: dict[str, Maker] = {
    "is": value,
    "roll": dice.roll,
    "reroll": dice.reroll,
    "place": dice.place,
    "raise": dice.raised,
    "start": started,
    "repeat": repeat,
    "pair": dice.pair,
    "compare": compare,
    "choose": choose,
    "first_of": first_of,
    "call": call,
    "steps": block,
    "for": for_each,
}
DEEP = ("repeat", "steps", "for")

"""Steps that change what lasts, and let things happen. Each function adds what it names to the scope."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import things
from .dice import NOTHING, Step
from .expressions import WORDS, flag, number, word
from .grower import Grower, Listed, Rolled, Scope, Tree, in_parts


def somebody(g: Grower, s: Scope) -> str:
    return g.one(s.all_of("hero"))


def amount(g: Grower, s: Scope) -> str:
    """A number that is mostly not below 0."""
    return g.any_of("1", "1", "2", f"max({number(g, s, 1)}, 0)", f"clamp({number(g, s, 1)}, 0, 2)")


def counter(g: Grower, s: Scope) -> str:
    """A place of points or of a track."""
    if g.maybe(0.15) and s.all_of("camp"):
        return f"{g.one(s.all_of('camp'))}.noise"
    if g.maybe(0.1) and s.all_of("beast"):
        return f"{g.one(s.all_of('beast'))}.rage"
    return f"{somebody(g, s)}.{g.one(g.kinds['hero'].counters)}".replace("?", word(g, s, "gear", 1))


def moved(g: Grower, s: Scope, name: str, step: Tree, fields: tuple[str, ...]) -> Step:
    """A change, perhaps under a condition; its fields can be read."""
    if g.maybe(0.3):
        step["if"] = flag(g, s)
        s.missing["number"] += [f"{name}.{one}" for one in fields]
        s.missing["flag"].append(f"{name}.happened")
    else:
        s.known["number"] += [f"{name}.{one}" for one in fields]
        s.known["flag"].append(f"{name}.happened")
    return name, step


ALL = ("before", "after", "amount", "excess")


def gain(g: Grower, s: Scope) -> Step:
    return moved(g, s, g.name("gained"), {"gain": amount(g, s), "to": counter(g, s)}, ALL)


def lose(g: Grower, s: Scope) -> Step:
    return moved(g, s, g.name("lost"), {"lose": amount(g, s), "from": counter(g, s)}, ALL)


def picked_before_a_change(g: Grower, s: Scope) -> Tree:
    """Dice that are picked by a number of a thing, which changes before they are read."""
    rolls = [name for name, of in s.rolls.items() if not (of.symbols or of.parts or of.single)]
    if not rolls:
        return {}
    name, place, of = g.name("culled"), counter(g, s), g.one(rolls)
    ends = f"{g.any_of('highest', 'lowest')}({of}, clamp({place}, 0, 3))"
    picked = g.any_of(f"{of} where face >= {place}", ends, f"without({of}, {ends})")
    changed, step = moved(g, s, g.name("gained"), {g.any_of("gain", "lose"): "1"}, ALL)
    step["to" if "gain" in step else "from"] = place
    s.rolls[name] = Rolled(0, thrown=False)
    read = g.name("number")
    s.known["number"].append(read)
    return {name: picked, changed: step, read: f"{g.any_of('sum', 'count')}({name})"}


def pay(g: Grower, s: Scope) -> Step:
    name, who = g.name("paid"), somebody(g, s)
    step: Tree = {"pay": g.any_of("1", "1", "2"), "from": f"{who}.luck"}
    if g.maybe(0.5):
        price = g.any_of("0", "1", "2", "3", f"clamp({number(g, s, 1)}, 0, 3)")
        purses = g.chance.sample(["luck", "hp", *(["harm"] if "harm" in g.kinds["hero"].counters else [])], 2)
        worth = [g.any_of("1", "1", "2", f"clamp({number(g, s, 0)}, 0, 2)") for _ in purses]
        in_: Tree = dict(zip(purses, worth, strict=True))
        alone = g.maybe(0.3)
        if alone:
            in_ = {"luck": g.any_of("1", "2", "2", "3", f"clamp({number(g, s, 0)}, 0, 3)")}
        elif "charges(?)" in g.kinds["hero"].counters and g.maybe(0.4):
            of = g.chance.sample(things.GEAR, 2)
            both = g.maybe()
            in_ = {"charges": dict(zip(of, worth, strict=True))} if both else {purses[0]: "1", "charges": {of[1]: "1"}}
            purses = [f"{of[0]}_charges" if both else purses[0], f"{of[1]}_charges"]
        step = {"pay": price, "from": who, "in": in_}
        if not alone:
            g.keys[f"{name}.mix"] = ("mix", [purses[0], purses[1], f"[{purses[1]}, {purses[0]}]"])
        if g.maybe(0.7):
            s.missing["number"] += [f"{name}.{one}" for one in ("before", "after", "amount", "excess")]
    if g.maybe(0.6):
        step["may_refuse"] = "yes"
        g.keys[name] = ("yes_no", ["yes", "no"])
    elif "in" not in step and g.maybe(0.8):
        step["if"] = f"{who}.luck >= {step['pay']}"
        s.missing["flag"].append(f"{name}.happened")
        return name, step
    if "in" in step:
        s.known["flag"].append(f"{name}.happened")
        return name, step
    return moved(g, s, name, step, ("before", "after", "amount"))


def put_to(g: Grower, s: Scope) -> Step:
    """`set`."""
    name, who = g.name("set"), somebody(g, s)
    place, kind = g.one(list(g.kinds["hero"].settable.items()))
    value: Any
    if kind == "amount":
        value = f"clamp({number(g, s, 1)}, 0, 4)"
    elif kind == "flag":
        value = g.any_of("yes", "no", flag(g, s))
    elif kind in WORDS:
        value = word(g, s, kind)
    elif kind == "text":
        value = {"text": g.any_of("Beware of the dog", "Less is more: mostly")}
    else:
        value = g.any_of("none", somebody(g, s))
    return moved(g, s, name, {"set": f"{who}.{place}", "to": value}, ())


def keep_dice(g: Grower, s: Scope) -> Step:
    """Somebody keeps the dice of a roll, beside those that they keep already or in their place."""
    able = [name for name, of in s.rolls.items() if not of.symbols and not of.parts]
    who = somebody(g, s)
    if not able or not g.kinds["hero"].dice:
        return NOTHING
    place, own = f"{who}.{g.one(g.kinds['hero'].dice)}", f"{g.one(able)} where yes"
    both, kept, name = g.name("both"), g.name("kept"), g.name("hoard")
    made: Tree = {both: {"is": f"({own}) & {place}", "if": f"given({place})"}}
    made[kept] = {"set": place, "to": f"{both} if given({both}) else {own}" if g.maybe(0.7) else own}
    return name, {"steps": made}


def pile(g: Grower, s: Scope, *kinds: str) -> tuple[str, str] | None:
    rows = [(f"{who}.{name}", of) for who in s.all_of("hero") for name, of in g.kinds["hero"].piles.items()]
    rows = [row for row in rows if row[1] in kinds]
    return g.one(rows) if rows else None


def add(g: Grower, s: Scope) -> Step:
    found = pile(g, s, "gear", "number")
    if found is None:
        return NOTHING
    place, of = found
    step: Tree = {"add": word(g, s, "gear", 0) if of == "gear" else number(g, s, 0), "to": place}
    if g.maybe(0.25) and of == "gear":
        step["lasts"] = g.any_of("turn", "round", {"rounds": g.any_of("1", "2")})
    return moved(g, s, g.name("added"), step, ())


def remove(g: Grower, s: Scope) -> Step:
    found = pile(g, s, "gear", "number")
    if found is None:
        return NOTHING
    place, of = found
    what = word(g, s, "gear", 0) if of == "gear" else g.any_of("1", "2")
    return moved(g, s, g.name("removed"), {"remove": what, "from": place}, ())


def make(g: Grower, s: Scope) -> Step:
    name = g.name("beast")
    step: Tree = {"make": "beast"}
    if g.maybe():
        step["with"] = {"bite": number(g, s, 1)}
    things.bind(g, s, name, "beast")
    return name, step


def destroy(g: Grower, s: Scope) -> Step:
    able = [name for name in s.all_of("beast") if name.startswith("beast")]
    if not able:
        beast = g.name("beast")
        both: Tree = {beast: {"make": "beast"}, g.name("gone"): {"destroy": beast}}
        return g.name("hunted"), {"steps": both}
    gone = g.one(able)
    forget(s, gone)
    return g.name("gone"), {"destroy": gone}


def forget(s: Scope, name: str) -> None:
    """What is there no more cannot be read."""
    for names in (*s.known.values(), *s.missing.values()):
        names[:] = [one for one in names if name not in one]


def cause(g: Grower, s: Scope) -> Step:
    from .steps import given_to

    able = [name for name, of in g.events.items() if of.cost <= g.left]
    if not able:
        return NOTHING
    event = g.one(able)
    of = g.events[event]
    given = given_to(g, s, of)
    if given is None:
        return NOTHING
    g.pay(of.cost)
    name = g.name("caused")
    step: Tree = {"cause": event, **({"with": given} if given else {})}
    if g.maybe(0.08):
        step["later"] = g.any_of("turn", "round", {"rounds": "1"})
        s.known["flag"].append(f"{name}.happened")
        return name, step
    if g.maybe(0.2):
        step["if"] = flag(g, s)
        s.missing["flag"].append(f"{name}.happened")
    else:
        s.known["flag"].append(f"{name}.happened")
    s.missing["number"] += [f"{name}.{n}" for n in of.numbers]  # a reaction may have called it off
    return name, step


def act(g: Grower, s: Scope) -> Step:
    able = [name for name, of in g.actions.items() if of.cost <= g.left]
    if not able:
        return NOTHING
    action = g.one(able)
    of = g.actions[action]
    g.pay(of.cost)
    given: Tree = {"actor": somebody(g, s)}
    for name, kind in of.inputs:
        if kind == "hero":
            others = [one for one in s.all_of("hero") if one != given["actor"]]
            if not others:
                return NOTHING
            given[name] = g.one(others)
        else:
            given[name] = "1"
    return g.name("acted"), {
        "act": action,
        "with": given,
        "if": f"{given['actor']}.luck > 1 and not {given['actor']}.fallen",
    }


def told(g: Grower, s: Scope) -> Step:
    """A value in stages that begins with an event or an action, which may happen again."""
    name, step = cause(g, s) if g.maybe(0.7) else act(g, s)
    if not step or "later" in step:
        return name, step
    condition = {"if": step.pop("if")} if "if" in step else {}
    again: Any = g.any_of(name, dict(step))
    if isinstance(again, dict) and not g.pay(6):
        again = name
    if g.maybe(0.5):
        again = {**(again if isinstance(again, dict) else {"is": again}), "if": flag(g, s)}
    return name, {"start": step, "then": {g.name("stage"): again}} | condition


def offer(g: Grower, s: Scope) -> Step:
    able = [name for name, of in g.actions.items() if of.cost**2 <= g.left]
    if not able:
        return NOTHING
    name = g.name("moves")
    some = g.chance.sample(able, min(len(able), 2))
    many = g.any_of(1, 1, 2)
    g.pay(max(g.actions[one].cost for one in some) ** many)
    step: Tree = {"offer": some if len(some) > 1 else some[0], "to": somebody(g, s), "most": str(many)}
    if g.maybe(0.3):
        step["ask"] = in_parts("What do you do?", "options.bonus > 0", name)
    g.keys[name] = ("offer", [f"[{', '.join(some)}]", f"[{some[0]}]"])
    return name, step


def draw(g: Grower, s: Scope) -> Step:
    able = [who for who in s.all_of("hero") if "deck" in g.kinds["hero"].piles]
    if not able or not g.pay(6):
        return NOTHING
    who, name = g.one(able), g.name("drawn")
    step: Tree = {"draw": g.any_of("1", "1", "2"), "from": f"{who}.deck"}
    if g.maybe(0.5):
        step["refill"] = f"{who}.used"
    s.known["numbers"].append(name)
    return name, step


def put(g: Grower, s: Scope) -> Step:
    found = pile(g, s, "number")
    if found is None:
        return NOTHING
    return g.name("laid"), {"put": g.any_of("[1, 2]", *s.all_of("numbers")), "into": found[0]}


def take(g: Grower, s: Scope) -> Step:
    found = pile(g, s, "number")
    if found is None:
        return NOTHING
    name, place = g.name("taken"), found[0]
    if g.maybe(0.3):
        return name, {"take": f"first({place}, 1)", "from": place}
    s.missing["number"].append(name)
    return name, {"take": f"item({place}, 1)", "from": place, "if": f"count({place}) > 0"}


def for_things(g: Grower, s: Scope) -> Step:
    """The steps for every hero of the camp."""
    from .steps import steps

    able = s.all_of("list hero")
    if not able:
        return NOTHING
    name, one, inner = g.name("round"), g.name("one"), s.inner()
    with g.share(3):
        things.bind(g, inner, one, "hero", rare=True)
        each = steps(g, inner, g.any_of(1, 1, 2))
    step: Tree = {"for": one, "among": g.one(able), "each": each}
    if g.maybe(0.4):
        step["where"] = g.any_of("not it.fallen", "it.hp > 0", f"it is not {somebody(g, s)}")
    columns = tuple(n for n in dict.fromkeys(inner.all_of("number")) if n in each)
    flags = tuple(f for f in dict.fromkeys(inner.all_of("flag")) if f in each)
    s.lists[name] = Listed(columns, flags, 0, elements=False)
    if columns:
        s.missing["number"].append(f"{name}({somebody(g, s)}).{g.one(columns)}")
    return name, step


def bids(g: Grower, s: Scope) -> Step:
    """A number or an answer of everybody at once."""
    able = s.all_of("list hero")
    if not able:
        return NOTHING
    name, group = g.name("bid"), g.one(able)
    if g.maybe(0.6):
        step: Tree = {"choose": "number", "by": group, "from": "0", "to": "chooser.luck", "default": g.any_of("0", "0")}
        s.known["number"] += [f"sum({name})", f"(highest({name}) otherwise 0)"]
        s.missing["number"].append(f"{name}({somebody(g, s)})")
        g.keys[name] = ("number", ["0", "min(chooser.luck, 1)"])
    else:
        step = {"choose": "yes_no", "by": group, "default": g.any_of("yes", "no")}
        s.known["flag"] += [f"any({name})", f"all({name})"]
        g.keys[name] = ("yes_no", ["yes", "no"])
    return name, step


def chosen(g: Grower, s: Scope) -> Step:
    """One of the things, or a number for each of them."""
    able = s.all_of("list hero")
    if not able:
        return NOTHING
    name, group, who = g.name("picked"), g.one(able), somebody(g, s)
    if g.maybe(0.3):
        s.known["number"].append(f"sum({name})")
        return name, {
            "choose": "number",
            "by": who,
            "among": group,
            "from": "0",
            "to": "1",
            "budget": "1",
            "default": "0",
        }
    s.known["hero"].append(name)
    s.known["number"].append(f"{name}.hp")
    return name, {"choose": "one", "by": who, "among": group, "default": who}


def order(g: Grower, s: Scope) -> Step:
    able = s.all_of("list hero")
    if not able:
        return NOTHING
    name = g.name("ranking")
    keys: Tree = {g.name("key"): {g.any_of("high", "low"): f"it.{g.one(g.kinds['hero'].numbers)}"}}
    if g.maybe(0.3):
        keys[g.name("key")] = {g.any_of("high", "low"): "it.fallen"}
    if g.maybe(0.5) and g.pay(6):
        keys["lots"] = "random"
    step: Tree = {"order": g.one(able), "keys": keys}
    s.known["list hero"].append(name)
    return name, step


def turn(g: Grower, s: Scope) -> Step:
    from .steps import steps

    name, inner = g.name("turn"), s.inner()
    who = somebody(g, s)
    made = steps(g, inner, g.any_of(1, 2))
    s.known["number"] += [f"{name}.{n}" for n in dict.fromkeys(inner.all_of("number")) if n in made]
    return name, {"turn": who, "steps": made}


def change(g: Grower, s: Scope) -> Step:
    able = [name for name in s.reaction if name != "*"]
    if not able:
        return NOTHING
    name = g.one(able)
    other = f"event.{name} - 1" if g.maybe(0.3) else f"max({number(g, s, 1)}, 0)"
    value = g.any_of("0", f"event.{name} / 2", f"event.{name} + 1", other)
    step: Tree = {"change": {name: value}}
    if g.maybe(0.4):
        step["if"] = flag(g, s)
    return g.name("changed"), step


def cancel(g: Grower, s: Scope) -> Step:
    if "*" not in s.reaction:
        return NOTHING
    return g.name("stops"), {"cancel": "event", "if": flag(g, s)}


MAKERS: dict[str, Callable[[Grower, Scope], Step]] = {
    "gain": gain,
    "lose": lose,
    "pay": pay,
    "set": put_to,
    "add": add,
    "remove": remove,
    "make": make,
    "destroy": destroy,
    "cause": cause,
    "act": act,
    "start": told,
    "offer": offer,
    "draw": draw,
    "put": put,
    "take": take,
    "for": for_things,
    "order": order,
    "turn": turn,
    "change": change,
    "cancel": cancel,
    "choose": bids,
    "is": chosen,
}

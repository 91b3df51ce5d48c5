"""Whole mechanics: inputs, requirements, steps, outcomes, further readings."""

from __future__ import annotations

from typing import Any

from .expressions import WORDS, flag, number
from .grower import Called, Grower, Rolled, Scope, Tree, said_if
from .steps import steps

INPUTS = (
    "number",
    "number",
    "number",
    "flag",
    "roll",
    "pool",
    "mood",
    "rank",
    "numbers",
    "code",
    "side",
    "die",
    "trade",
)


def an_input(g: Grower, s: Scope, kind: str, made: Tree, required: bool = False) -> str:
    """One input of a kind, which the scope knows from then on; its name."""
    name = g.name({"number": "skill", "flag": "brave", "numbers": "bids"}.get(kind, f"{kind}_"))
    match kind:
        case "number":
            made[name] = {"type": "number"}
            if not required or g.maybe(0.5):
                made[name]["default"] = g.number(0, 4)
            if g.maybe(0.4):
                made[name] |= {"from": -9, "to": g.number(9, 20)}
            elif g.maybe(0.1):
                made[name] |= {"where": "it > -99"}
        case "flag":
            made[name] = {"type": "yes_no", "default": g.any_of("yes", "no")}
        case "roll":
            made[name] = {"type": "roll", "least": 1}
            s.rolls[name] = Rolled(1)
            return name
        case "pool":
            made[name] = {"type": "dice", "least": 1, "default": g.any_of("2d2", "d3", "d2 & d3")}
        case "die":
            made[name] = {"type": "size", "where": "it in size", "default": g.any_of("d2", "d3", "d4")}
        case "code":
            made[name] = {"type": "code", "default": g.any_of("1D+2", "2D", "1D+1")}
        case "trade":
            made[name] = {"one_of": {"smith": "Of iron.", "bard": "Of songs."}, "default": "smith"}
            s.known["flag"] += [f"({name} is smith)", f"({name} is not bard)"]
            return name
        case "side":
            made[name] = {"type": "side", "default": g.any_of("2d2", "d3")}
            s.known["pool"].append(f"{name}.dice")
            s.known["number"].append(f"{name}.bonus")
            return name
        case "numbers":
            made[name] = {"list_of": "number", "default": g.any_of([], [1, 2], [3, 1, 1])}
            if g.maybe(0.2):
                made[name] |= {"most": 4}
        case _:
            made[name] = {"type": kind, "default": g.one(WORDS[kind])}
    if kind == "number" and g.maybe(0.08):
        made[name].pop("default", None)
        made[name]["optional"] = "yes"
        s.missing["number"].append(name)
        s.missing["given"].append(name)
        return name
    s.known[kind] += [name, name]
    return name


def inputs(g: Grower, s: Scope, most: int, required: bool) -> tuple[Tree, list[tuple[str, str]]]:
    """Some inputs, as declared and with their kinds."""
    made: Tree = {}
    given: list[tuple[str, str]] = []
    for _ in range(g.number(0, most)):
        kind = g.one(INPUTS)
        if kind == "numbers" and not required and g.maybe():
            kind = "number"
        given.append((an_input(g, s, kind, made, required), kind))
    return made, given


def requires(g: Grower, s: Scope, kinds: list[tuple[str, str]]) -> Tree:
    """Requirements that mostly hold."""
    numbers = [name for name, kind in kinds if kind == "number" and name in s.all_of("number")]
    if not numbers or not g.maybe(0.15):
        return {}
    return {"requires": {g.name("needed"): f"{g.one(numbers)} > {g.any_of(-1, -9, -20)}"}}


def mechanic(g: Grower, s: Scope, count: int, made: Tree) -> Tree:
    """The steps and readings of a rule, whose inputs stand in `made` already."""
    ends = g.maybe(0.12)
    done = steps(g, s, count)
    if ends:
        at = g.number(1, len(done))
        items = list(done.items())
        before = s.inner()
        later = {name for name, _ in items[at:]}
        before.known["flag"] = [one for one in before.known["flag"] if not _reads(one, later)]
        end: Tree = {"end": g.any_of("soon", "good", "bad"), "if": early_flag(g, items[:at], made)}
        done = dict([*items[:at], (g.name("end"), end), *items[at:]])
    if done or "steps" not in made:
        made["steps"] = done
    if g.maybe(0.75) or ends or _ends_inside(done):
        made["outcomes"] = outcomes(g, s, done)
    if g.maybe(0.4):
        made["also"] = {g.name("also"): also(g, s) for _ in range(g.any_of(1, 1, 2))}
    return made


def _ends_inside(step: Any) -> bool:
    """Whether a step inside of these ends the rule."""
    inner = step.values() if isinstance(step, dict) else ()
    return any(isinstance(one, dict) and ("end" in one or _ends_inside(one)) for one in inner)


def _reads(text: str, names: set[str]) -> bool:
    return any(name in text for name in names)


def early_flag(g: Grower, items: list[tuple[str, Any]], made: Tree) -> str:
    """A condition on what stands above an `end`."""
    singles = [n for n, step in items if n.startswith("number") and not (isinstance(step, dict) and "if" in step)]
    singles = [n for n in singles if not (isinstance(made.get("steps", {}).get(n), dict))]
    if singles:
        return f"{g.one(singles)} {g.any_of('>', '==', '<')} {g.number(0, 4)}"
    return f"options.harsh or options.bonus > {g.number(0, 1)}"


def outcomes(g: Grower, s: Scope, done: Tree) -> Tree:
    calls = [n for n, step in done.items() if isinstance(step, dict) and "call" in step and "if" not in step]
    calls = [n for n in calls if g.calls[done[n]["call"]].outcomes]
    if calls and g.maybe(0.4) and not any(isinstance(step, dict) and "end" in step for step in done.values()):
        return {"as": g.one(calls)}
    if s.all_of("number") and g.maybe(0.2):
        low = g.number(0, 3)
        high = low + g.number(1, 3)
        middle = f"{low} to {high - 1}" if high - low > 1 else f"{low}"
        return {
            "read": f"{number(g, s, 1)} + options.bonus - options.bonus",  # nobody proves a range of it
            "fine": f"{high} or more",
            "fair": middle,
            "poor": f"{low - 1} or less",
        }
    made: Tree = {}
    words = ("good", "fair", "odd_one")[: g.number(1, 3)]
    for place, word in enumerate(words):
        condition: Any = open_flag(g, s)
        if g.maybe(0.12) and g.left > 4:
            inner = s.inner()
            done = steps(g, inner, g.number(1, 2))
            if g.maybe(0.4):  # the rule ends here, perhaps with steps behind
                done[g.name("end")] = {"end": "bad", "if": flag(g, inner, 1)}
                done |= steps(g, inner, g.number(0, 1))
            condition = {"if": condition, "steps": done}
        elif g.maybe(0.1) and place + 1 < len(words):
            condition = {"if": condition, "counts_as": words[place + 1]}
        elif g.maybe(0.1):
            told = number(g, s)
            condition = {"if": condition, "tells": said_if(f"{{{told}}} of {word}", f"{told} > 1", told)}
        made[word] = condition
    made["bad"] = "otherwise"
    return made


def also(g: Grower, s: Scope) -> Any:
    if g.maybe(0.6):
        return flag(g, s, 1)
    return {"high": open_flag(g, s), "low": "otherwise"}


def open_flag(g: Grower, s: Scope) -> str:
    """A condition of an outcome: mostly one that the checker cannot prove to hold always or never."""
    made = flag(g, s, 1)
    return f"{made} != options.harsh" if g.maybe(0.75) else made


def helper(g: Grower, things: bool = False) -> tuple[str, Tree]:
    """A mechanic to be called, and its name."""
    name, s = g.name("test"), Scope(things=things)
    made: Tree = {}
    declared, given = inputs(g, s, 2, True)
    if declared:
        made["inputs"] = declared
    made |= requires(g, s, given)
    g.left = 12
    made = mechanic(g, s, g.number(1, 3), made)
    g.calls[name] = called(made, s, given, 12 / max(g.left, 0.5))
    return name, made


def called(made: Tree, s: Scope, given: list[tuple[str, str]], cost: float) -> Called:
    """What whoever uses a rule may give it and read of it."""
    done = made.get("steps", {})
    ended = any(isinstance(step, dict) and "end" in step for step in done.values())
    names = set() if ended else set(done)
    numbers = tuple(n for n in dict.fromkeys(s.all_of("number")) if n in names)
    flags = tuple(f for f in dict.fromkeys(s.all_of("flag")) if f in names)
    flags += tuple(n for n, of in made.get("also", {}).items() if isinstance(of, str) and not ended)
    ends = made.get("outcomes", {})
    words = tuple(word for word in ends if word not in ("read", "as"))
    rolls = tuple((n, of) for n, of in s.rolls.items() if n in names)
    lists = tuple((n, of) for n, of in s.lists.items() if n in names)
    inputs_of = made.get("inputs", {})
    passed = tuple(
        n for n, _ in given if isinstance(inputs_of.get(n), dict) and {"default", "optional"} & set(inputs_of[n])
    )
    return Called(tuple(given), numbers, flags, words, rolls, lists, cost, passed)

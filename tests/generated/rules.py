"""Events, what answers them, and what things can do."""

from __future__ import annotations

from . import lasting, things
from .grower import Called, Grower, Scope, Tree, in_parts, said_if
from .mechanics import mechanic, open_flag
from .steps import steps

COST = 6
"""About how many ways an event or an action may have."""


def lasting_scope(g: Grower) -> Scope:
    """What every rule of a game with things sees."""
    s = Scope(things=True)
    things.bind(g, s, "camp", "camp")
    return s


def event(g: Grower) -> tuple[str, Tree]:
    name, s = g.name("event"), lasting_scope(g)
    made: Tree = {"inputs": {"who": {"type": "hero"}}}
    given = [("who", "hero")]
    things.bind(g, s, "who", "hero")
    if g.maybe(0.6):
        made["inputs"]["force"] = {"type": "number", "from": 0, **({"default": 1} if g.maybe(0.3) else {})}
        given.append(("force", "amount"))
        if g.maybe(0.3):
            made["inputs"]["force"]["to"] = g.any_of(2, 3)
            given[-1] = ("force", "few")
        s.known["number"] += ["force"] * 3
    if g.maybe(0.15):
        made["requires"] = {g.name("needed"): g.any_of("who.hp >= 0", "camp.noise < 9")}
    g.left = COST
    if g.maybe(0.85):
        made = mechanic(g, s, g.number(1, 2), made)
    done = made.get("steps", {})
    ended = any(isinstance(step, dict) and "end" in step for step in done.values())
    numbers = () if ended else tuple(n for n in dict.fromkeys(s.all_of("number")) if n in done)
    words = tuple(one for one in made.get("outcomes", {}) if one not in ("read", "as"))
    g.events[name] = Called(tuple(given), numbers, (), words, (), (), COST / max(g.left, 0.5))
    return name, made


def reaction(g: Grower) -> tuple[str, Tree] | None:
    if not g.events:
        return None
    answered = g.one(list(g.events))
    name, s = g.name("answer"), lasting_scope(g)
    when = g.any_of("before", "before", "after")
    made: Tree = {when: answered}
    among = g.any_of("[event.who]", "camp.heroes")
    made["actor"] = {"type": "hero", "among": among}
    if g.maybe(0.5):
        made["actor"]["where"] = g.any_of("it.luck > 0", "not it.fallen", "it.hp > 1")
    if g.maybe(0.5):
        made["automatic"] = "yes"
    else:
        g.keys[name] = ("yes_no", ["yes", "no"])
        made["ask"] = in_parts("It happens to {event.who}. Do you answer?", "event.who is actor", name)
    if g.maybe(0.3):
        made["cost"] = {"luck": "1"}
    if has_charges(g) and g.maybe(0.3):
        made["cost"] = {**made.get("cost", {}), "charges": {g.one(things.GEAR): "1"}}
    if g.maybe(0.2):
        made["at_most"] = {"times": "1", "per": g.any_of("turn", "round", "scene")}
    things.bind(g, s, "actor", "hero")
    numbers = [n for n, kind in g.events[answered].inputs if kind in ("amount", "few")]
    s.known["number"] += [f"event.{n}" for n in numbers] * 2
    s.known["number"].append("event.who.hp")
    if when == "before":
        s.reaction = (*numbers, "*")
    g.left = 3
    if g.maybe(0.2):
        made["requires"] = {g.name("needed"): "actor.hp >= 0"}
    if g.maybe(0.2):
        effort = {"type": "number", "from": 0, "to": "1", "default": 0}
        made["inputs"] = {"strain": effort}
        s.known["number"].append("strain")
        g.keys["strain"] = ("number", ["0", "1"])
    events = dict(g.events)
    g.events.clear()  # what answers an event causes none, or nobody would know whether it ends
    made["steps"] = steps(g, s, g.any_of(1, 1, 2))
    if s.reaction and g.maybe(0.5):  # among all steps that there may be, few would be those that only reactions have
        name_of, one = lasting.change(g, s)
        made["steps"] |= {name_of: one} if name_of else {}
    if g.maybe(0.2):
        made["outcomes"] = {"well": open_flag(g, s), "badly": "otherwise"}
    if g.maybe(0.2):
        made["also"] = {g.name("also"): "actor.hp > 1"}
    g.events.update(events)
    return name, made


def action(g: Grower, kinds: Tree) -> tuple[str, Tree]:
    name, s = g.name("deed"), lasting_scope(g)
    made: Tree = {"actor": {"type": "hero"}}
    if g.maybe(0.4):
        made["actor"]["where"] = g.any_of("not it.fallen", "it.hp > 0")
    things.bind(g, s, "actor", "hero")
    given: list[tuple[str, str]] = []
    inputs: Tree = {}
    if g.maybe(0.6):
        inputs["target"] = {"type": "hero", "where": "it is not actor"}
        if g.maybe(0.3):
            inputs["target"]["among"] = "camp.heroes"
        if g.maybe(0.3):
            inputs["target"]["shows"] = said_if("has {it.hp} of {actor.hp}", "it.hp > 1", name)
        given.append(("target", "hero"))
        things.bind(g, s, "target", "hero")
    if g.maybe(0.35):
        inputs["effort"] = {"type": "number", "from": 0, "to": g.any_of("2", "actor.luck"), "default": 0}
        if "target" in inputs and g.maybe(0.3):
            inputs["effort"] |= {"to": "2", "by": "target", "ask": in_parts("How hard is it?", "actor.hp > 1", name)}
        given.append(("effort", "amount"))
        s.known["number"] += ["effort"] * 2
        g.keys["effort"] = ("number", ["0", "min(actor.luck, 1)"])
    if g.maybe(0.15):
        inputs["others"] = {"list_of": "hero", "among": "camp.heroes", "most": 2, "default": []}
        given.append(("others", "list hero"))
        s.known["list hero"].append("others")
        g.keys["others"] = ("some", ["first(camp.heroes, 1)", "[]"])
    if has_charges(g) and g.maybe(0.5):
        inputs["tool"] = {"type": "gear", **({"where": "actor.charges(it) > 0"} if g.maybe(0.3) else {})}
        given.append(("tool", "gear"))
        s.known["gear"].append("tool")
        s.known["number"].append("actor.charges(tool)")
        g.keys["tool"] = ("one", ["rope", "axe"])
    if inputs:
        made["inputs"] = inputs
    if kinds and g.maybe(0.5):
        made["kind"] = g.one(list(kinds))
        if made["kind"] == "quick" and g.maybe(0.4):
            made["upgrade"] = {"to": "slow", "about": "With all one has."}
    if g.maybe(0.2):
        shows = g.any_of("with luck {actor.luck}", "hp {actor.hp}, {count(camp.heroes)} in camp")
        made["shows"] = said_if(shows, "actor.hp > 1", name)
    if g.maybe(0.4):
        named_by_other = "by" in inputs.get("effort", {})
        own = g.any_of("1", "1", "effort" if "effort" in inputs else "1")
        made["cost"] = {"luck": "effort" if named_by_other else own}
        s.known["number"].append("spent.luck")
        if named_by_other and g.maybe(0.7):
            made["may_refuse"] = "yes"
            g.keys["pays"] = ("yes_no", ["actor.luck > 1", "no"])
    if has_charges(g) and g.maybe(0.4):
        of = ["tool" if "tool" in inputs else g.one(things.GEAR), *([g.one(things.GEAR)] if g.maybe(0.3) else [])]
        made["cost"] = {**made.get("cost", {}), "charges": {one: g.any_of("1", "1", "2") for one in of}}
        s.known["number"].append("spent.charges")
    if g.maybe(0.2):
        made["at_most"] = {"times": g.any_of("1", "2"), "per": g.any_of("turn", "round")}
    if g.maybe(0.15):
        made["requires"] = {g.name("needed"): g.any_of("actor.hp > 0", "camp.noise < 9")}
    g.left = COST
    made = mechanic(g, s, g.number(1, 2), made)
    taken = tuple((n, kind) for n, kind in given if n == "target")
    g.actions[name] = Called(taken, cost=COST / max(g.left, 0.5))
    return name, made


def has_charges(g: Grower) -> bool:
    """Whether heroes have points of each word of a list."""
    return "charges(?)" in g.kinds["hero"].counters


def action_kinds(g: Grower) -> Tree:
    if not g.maybe(0.5):
        return {}
    made: Tree = {
        "quick": {"cost": {"luck": "1"}} if g.maybe() else {},
        "slow": {"at_most": {"times": "1", "per": "turn"}},
    }
    if g.maybe(0.7):
        made["quick"]["upgrade"] = {"to": "slow"}
        if "cost" in made["quick"] and g.maybe():
            made["quick"]["upgrade"] |= {"waives": ["luck"], "counts_as": "2"}
    if not made["quick"]:
        made["quick"]["requires"] = {"lucky": "actor.luck >= 0"}
    return made

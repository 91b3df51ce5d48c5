"""Scenes: what is given, what they have, phases with turns and offers, and how they end."""

from __future__ import annotations

from . import things
from .expressions import flag
from .grower import Grower, Scope, Tree
from .rules import lasting_scope
from .steps import steps

ROUNDS = (1, 2, 2)


def scene(g: Grower) -> Tree:
    """A scene of some rounds, which few dice decide."""
    rounds = g.one(ROUNDS)
    s = lasting_scope(g)
    s.known["list hero"] += ["heroes", "heroes"]
    made: Tree = {"inputs": {"heroes": {"list_of": "hero", "least": 1}}}
    if g.maybe(0.4):
        made["has"] = {"dread": {"type": "points", "to": 4, "starts": 0}}
        made["has"]["able"] = {"is": "heroes where not it.fallen"}
        s.known["number"].append("scene.dread")
        s.known["list hero"].append("scene.able")
    s.known["number"].append("scene.round")
    g.left = g.any_of(16, 64, 200)
    if g.maybe(0.4):
        with g.share(2):
            first = s.inner()
            first.known["number"] = [one for one in first.known["number"] if one != "scene.round"]
            things.bind(g, first, "item(heroes, 1)", "hero", rare=True)
            made["steps"] = steps(g, first, g.any_of(1, 2))
    made["round"] = {}
    with g.share(rounds):
        for _ in range(g.any_of(1, 1, 2)):
            made["round"][g.name("phase")] = {"steps": phase(g, s)}
    made["guard"] = str(rounds)
    made["outcomes"] = {"won": g.any_of("any(heroes where it.fallen)", "camp.noise > 1", flag(g, s, 1))}
    if g.maybe(0.2):
        made["requires"] = {"somebody": "count(heroes) > 0"}
    if g.maybe(0.3):
        made["outcomes"]["done"] = {"if": "scene.round > 1", "steps": {"rest": {"gain": "1", "to": "camp.noise"}}}
    if g.maybe(0.3):
        made["outcomes"]["lost"] = {"if": "all(heroes where it.hp == 0)"}
    return made


def phase(g: Grower, s: Scope) -> Tree:
    """The steps of a phase: mostly everybody's turn."""
    inner = s.inner()
    if g.maybe(0.6):
        one = g.name("one")
        with g.share(2):
            turn = inner.inner()
            things.bind(g, turn, one, "hero", rare=True)
            own = steps(g, turn, g.any_of(1, 2))
        each: Tree = {g.name("own"): {"turn": one, "steps": own}} if g.maybe(0.7) else own
        step: Tree = {"for": one, "among": g.any_of("heroes", "camp.heroes"), "each": each}
        if g.maybe(0.5):
            step["where"] = "not it.fallen"
        return {g.name("everyone"): step}
    things.bind(g, inner, "item(heroes, 1)", "hero", rare=True)
    return steps(g, inner, g.any_of(1, 2))

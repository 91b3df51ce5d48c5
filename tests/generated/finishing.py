"""What people add to a game that works: long forms, reasons, sources, parts, rules that pass their inputs on."""

from __future__ import annotations

from typing import Any

from .grower import Grower, Tree

PARTED = ("tables", "functions", "policies", "reactions", "events", "kinds", "names", "dice", "things", "modifiers")


def finished(g: Grower, tree: Tree) -> Tree:
    """A game with its questions, written out as somebody would who cares."""
    game = tree["game"] = {**tree["game"]}
    if g.maybe(0.3):
        game |= {"language": "1", "version": "1.0.0", "title": "A game that was grown", "about": "Nobody wrote it."}
    if g.maybe(0.3):
        noted(g, game)
    if g.maybe(0.3):
        longer(g, game)
    if g.maybe(0.25) and "kinds" not in game:
        relayed(g, tree)
    if g.maybe(0.15):
        parted(g, tree)
    return tree


def noted(g: Grower, game: Tree) -> None:
    """Reasons and sources beside steps and rules."""
    game["notes"] = {"R-9": "Who keeps watch is told elsewhere."}
    for section in ("mechanics", "events", "actions"):
        for rule in game.get(section, {}).values():
            if g.maybe(0.5):
                rule |= {"title": "A rule", "about": "Why: nobody knows.", "cites": {"R-1": "stated"}}
            steps = rule.get("steps", {})
            for name, step in steps.items():
                if g.maybe(0.3) and isinstance(step, dict):
                    steps[name] = {**step, "cites": {"R-2": g.any_of("inferred", "assumed", "elsewhere")}}
                elif g.maybe(0.2) and isinstance(step, str):
                    steps[name] = {"is": step, "about": "It is so."}


def longer(g: Grower, game: Tree) -> None:
    """The long forms of what stands in short ones."""
    game["comparators"] = {"beats": {"is": "more than", "about": "Ties go to the other."}, "reaches": "at least"}
    game["ladders"] = {**game["ladders"], "rank": {"rungs": ["page", "squire", "knight"], "about": "In order."}}
    game["tables"] = {**game["tables"]}
    wound = game["tables"]["wound"]
    game["tables"]["wound"] = {**wound, "rows": {**wound["rows"], "1 to 3": {"is": "1", "about": "A scratch."}}}
    for rule in game.get("mechanics", {}).values():
        for key, long in (("also", "if"), ("requires", "is"), ("outcomes", "if")):
            for name, one in rule.get(key, {}).items():
                if isinstance(one, str) and g.maybe(0.5) and not {"read", "as"} & set(rule[key]) and one != "otherwise":
                    rule[key][name] = {long: one, "about": "As it says."}


def relayed(g: Grower, tree: Tree) -> None:
    """A mechanic that passes all inputs of the one that is asked about on to it."""
    asked = tree["asked"][0]
    if asked["rule"] != "main" or "choices" in asked:
        return
    mechanics = tree["game"]["mechanics"]
    relay: Tree = {"passes": ["main"], "steps": {"tried": {"call": "main"}}}
    if "outcomes" in mechanics["main"] and g.maybe(0.7):
        relay["outcomes"] = {"as": "tried"}
    tree["game"]["mechanics"] = {**mechanics, "relay": relay}
    keen = tree["game"].get("policies", {}).get("keen", {})
    asked_there = [name for name in keen if name in g.keys and name in mechanics["main"]["steps"]]
    through = {f"tried.{name}": keen[name] for name in asked_there}
    if through and g.maybe(0.7):
        first = {name: g.one(g.keys[name][1]) for name in asked_there}
        tree["game"]["policies"] = {"keen": {**keen, **first, **through}}
    tree["asked"] = [*tree["asked"], {**asked, "rule": "relay"}]


def parted(g: Grower, tree: Tree) -> None:
    """Some sections in a further file."""
    game = tree["game"]
    here = [one for one in PARTED if one in game]
    part: Tree = {"part_of": "generated", "title": "The rest"}
    for one in g.chance.sample(here, min(len(here), g.number(1, 3))):
        part[one] = game.pop(one)
    game["parts"] = ["more.yaml"]
    tree["parts"] = [part]


def modified(g: Grower, given: Any) -> Any:
    """A record as somebody writes it who knows of modifiers."""
    made: Tree = {"dice": given, "modifiers": g.any_of(["careful"], ["careful", {"wind": {"strength": 1}}])}
    return made if g.maybe(0.5) else given

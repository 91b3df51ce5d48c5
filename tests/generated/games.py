"""Whole games with the questions that are asked of them, as one tree: `game`, `house_rules`, `asked`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from . import rules
from .finishing import finished, modified
from .grower import Grower, Scope, Tree, written
from .layers import house_rules
from .mechanics import helper, inputs, mechanic, requires
from .scenes import scene
from .things import bind, kinds, things

HEAD: Tree = {
    "ruleset": "generated",
    "comparators": {"beats": "more than", "reaches": "at least"},
    "roles": {"player": "Who plays.", "guide": "Who runs the game."},
    "tags": ["red", "blue"],
    "names": {
        "mood": ["calm", "angry", "sad"],
        "gear": {"rope": "Long.", "lamp": "Bright.", "axe": "Sharp."},
        "season": ["spring", "winter"],
    },
    "ladders": {"size": ["d2", "d3", "d4"], "rank": ["page", "squire", "knight"]},
    "dice": {
        "fudge": {"faces": [-1, 0, 1]},
        "loaded": {"faces": [1, 1, 2, 4]},
        "ten": {"faces": [0, 10, 20, 30]},
        "omen": {"faces": ["blank", "star", "star + moon", "2"]},
        "D": "d3",
    },
    "options": {
        "bonus": {"type": "number", "from": 0, "default": 1},
        "harsh": {"type": "yes_no", "default": "no"},
    },
    "types": {
        "side": {"written_as": "dice", "has": {"dice": {"type": "dice"}, "bonus": {"type": "number", "default": 0}}}
    },
    "modifiers": {
        "careful": {"to": "side", "by": "player", "adds": {"bonus": 1}},
        "wind": {"to": "side", "takes": {"strength": "number"}, "adds": {"bonus": "-strength", "dice": "d2"}},
    },
    "functions": {
        "feeling_of": {"takes": {"n": "number"}, "type": "mood", "gives": "calm if n > 1 else sad"},
        "half": {"takes": {"n": "number"}, "gives": "up(n / 2)"},
        "shown": {"takes": {"thrown": "roll"}, "gives": "count(thrown where face >= 2)"},
        "graded": {
            "takes": {"n": "number"},
            "gives": {"first_of": {"big": {"if": "n > 3", "is": "n - 1"}, "rest": "n"}},
        },
    },
    "tables": {
        "wound": {"type": "number", "rows": {"0 or less": 0, "1 to 3": 1, "4 or more": 3}},
        "temper": {"type": "mood", "rows": {"1 or less": "calm", "2 to 3": "sad", "4 or more": "angry"}},
        "near": {"rows": {1: 0, 3: 2}, "off_the_rows": "nearest"},
        "off": {"rows": {1: 4, 2: 5}, "off_the_rows": "it * 2"},
        "worth_of": {"rows": {"page": 1, "squire": 2, "knight": 4}},
        "price": {"rows": {"bread": {"spring": 1, "winter": 3}, "wine": {"spring": 2, "winter": "2 + options.bonus"}}},
    },
}
"""What every game has."""

OF_THINGS: Tree = {
    "functions": {
        "louder": {"takes": {"n": "number"}, "gives": "n > camp.noise"},
        "echo": {"takes": {"n": "number"}, "gives": "n + camp.noise"},
    },
    "tables": {"din": {"rows": {"1 or less": "camp.noise", "2 or more": 3}}},
}
"""What every game with things has besides: functions and tables that read some."""

WAYS = (8, 20, 60, 150, 300)
"""How many ways the rule that is asked about may have, about."""


def game(seed: int) -> str:
    """A game with its questions as text; the same seed gives the same one."""
    return written(grown(seed))


def grown(seed: int) -> Tree:
    """The same as a tree."""
    g = Grower(Random(seed))
    made = g.weighted([(dice_game, 5.0), (lasting_game, 4.0)])(g)
    if g.maybe(0.25):
        made["house_rules"] = house_rules(g, made["game"])
    return finished(g, made)


def ruleset(seed: int) -> str:
    """Only the ruleset of a game of dice: its mechanic `main` needs no inputs."""
    return written(dice_game(Grower(Random(seed)), required=False)["game"])


def dice_game(g: Grower, required: bool = True) -> Tree:
    """A game of mechanics, which nothing outlasts."""
    mechanics: Tree = {}
    for _ in range(g.any_of(0, 1, 1, 2)):
        name, made = helper(g)
        mechanics[name] = made
    of_helpers = dict(g.keys)
    g.keys.clear()
    s, main = Scope(), {}
    declared, kinds = inputs(g, s, 3, required)
    if not required:
        declared = {name: one for name, one in declared.items() if one.get("type") != "roll"}
        kinds = [(name, kind) for name, kind in kinds if name in declared]
        s.rolls = {name: of for name, of in s.rolls.items() if name in declared}
    if declared:
        main["inputs"] = declared
    main |= requires(g, s, kinds)
    g.left = g.one(WAYS)
    g.may_end = True
    mechanics["main"] = mechanic(g, s, g.number(2, 7), main)
    g.may_end = False
    made = {**HEAD, **rounding(g), "mechanics": mechanics}
    asked: Tree = {"rule": "main"}
    given = {name: given_value(g, kind) for name, kind in kinds if needs(declared[name]) or (required and g.maybe(0.4))}
    if given:
        asked["given"] = given
    if (g.keys or of_helpers) and g.maybe(0.6):
        made["policies"] = {"keen": keen(g, made, {**of_helpers, **g.keys})}
        asked["policy"] = g.any_of("keen", "keen", "random")
    elif g.keys and g.maybe(0.3):
        name = g.one(list(g.keys))
        answer = g.one(g.keys[name][1])
        asked["choices"] = {name: [answer.strip("[]")] if answer.startswith("[") else answer}
    return {"game": made, "asked": [asked]}


def lasting_game(g: Grower) -> Tree:
    """A game with things that last: mechanics, events and what answers them, actions, and perhaps a scene."""
    made: Tree = {**HEAD, **rounding(g), "kinds": kinds(g), "things": {"beast": {"wolf": {"bite": 2}}}}
    for section, more in OF_THINGS.items():
        made[section] = {**made[section], **more}
    mechanics: Tree = dict(helper(g) for _ in range(g.any_of(0, 1)))
    events: Tree = dict(rules.event(g) for _ in range(g.any_of(1, 1, 2)))
    if g.maybe(0.2):
        events["turn_begins"] = {
            "inputs": {"who": {"type": "hero"}},
            "steps": {"wakes": {"gain": "1", "to": "who.luck"}},
        }
    reactions = dict(one for one in (rules.reaction(g) for _ in range(g.any_of(0, 1, 1, 2))) if one is not None)
    action_kinds = rules.action_kinds(g)
    actions = dict(rules.action(g, action_kinds) for _ in range(g.any_of(1, 1, 2)))
    asked: list[Tree] = []
    there = things(g)
    names = [name for name in there if name != "camp"]
    if g.maybe(0.6):
        s = rules.lasting_scope(g)
        main: Tree = {"inputs": {"who": {"type": "hero"}, "at": {"type": "hero"}}}
        bind(g, s, "who", "hero")
        bind(g, s, "at", "hero", rare=True)
        g.left = g.one(WAYS[:-1])
        mechanics["main"] = mechanic(g, s, g.number(2, 5), main)
        asked.append({"rule": "main", "things": there, "given": {"who": "ann", "at": g.one(names)}})
    if g.maybe(0.4):
        made["scenes"] = {"fight": scene(g)}
        asked.append({"rule": "scenes.fight", "things": there, "given": {"heroes": names}})
    if g.maybe(0.4) or not asked:
        name = g.one([one for one in events if one != "turn_begins"])
        given: Tree = {"who": g.one(names)}
        if "force" in events[name]["inputs"]:
            given["force"] = g.number(0, 3)
        asked.append({"rule": f"events.{name}", "things": there, "given": given})
    if g.maybe(0.4):
        name = g.one(list(actions))
        given = {"actor": "ann"}
        if "target" in actions[name].get("inputs", {}):
            given["target"] = "bo"
        asked.append({"rule": f"actions.{name}", "things": there, "given": given})
    sections = {"mechanics": mechanics, "events": events, "reactions": reactions, "action_kinds": action_kinds,
                "actions": actions}  # fmt: skip
    made |= {name: of for name, of in sections.items() if of}
    if g.keys and g.maybe(0.6):
        made["policies"] = {"keen": keen(g, made, g.keys)}
        for one in asked:
            if g.maybe(0.7):
                one["policy"] = g.any_of("keen", "keen", "random")
    return {"game": made, "asked": asked}


def rounding(g: Grower) -> Tree:
    return {"rounding": g.any_of("up", "nearest", "down")} if g.maybe(0.3) else {}


def needs(declared: Any) -> bool:
    return not isinstance(declared, dict) or not {"default", "optional"} & set(declared)


def given_value(g: Grower, kind: str) -> Any:
    """An input as a host writes it."""
    match kind:
        case "number":
            return g.number(0, 5)
        case "flag":
            return g.any_of("yes", "no")
        case "roll":
            many = g.number(1, 3)
            return {"dice": f"{many}d4", "faces": [g.number(1, 4) for _ in range(many)]}
        case "pool":
            return g.any_of("d2", "2d2", "d3 & d2")
        case "side":
            return modified(g, g.any_of("d2", "2d2", "d3 & d2"))
        case "die":
            return g.any_of("d2", "d4")
        case "trade":
            return "bard"
        case "code":
            return g.any_of("1D+1", "2D", "0D+3")
        case "mood":
            return g.any_of("angry", "sad")
        case "rank":
            return g.any_of("page", "knight")
        case "numbers":
            return [g.number(0, 4) for _ in range(g.number(0, 3))]
    raise AssertionError(kind)


def keen(g: Grower, game: Tree, keys: Mapping[str, tuple[str, Any]]) -> Tree:
    """A policy with an answer to every choice, and others to some that are reached through a certain step."""
    found: Tree = {name: policy_answer(g, *of) for name, of in keys.items()}
    by_call = {}
    for section, rule, step, to in leading(game):
        for name in [name for name in keys if name.split(".")[0] in asked_in(to)]:
            if g.maybe(0.6):
                key = f"{step}.{name}"
                anchored = f"{rule}.{key}" if section == "mechanics" and g.maybe(0.4) else key
                by_call[anchored] = policy_answer(g, *keys[name])
    return {**by_call, **found} if g.maybe() else {**found, **by_call}


def leading(game: Tree) -> Iterator[tuple[str, str, str, Tree]]:
    """Every outer step that leads into another rule, with the section and the name of its own rule, and that rule."""
    verbs = {"call": "mechanics", "cause": "events", "act": "actions"}
    for section in ("mechanics", "events", "actions", "reactions"):
        for rule, of in game.get(section, {}).items():
            for name, step in of.get("steps", {}).items():
                for verb, target in verbs.items():
                    to = game.get(target, {}).get(step[verb]) if isinstance(step, dict) and verb in step else None
                    if to is not None:
                        yield section, rule, name, to


def asked_in(rule: Tree) -> set[str]:
    """The names of the outer steps and inputs of a rule: those that are choices are asked for right there."""
    return {*rule.get("steps", {}), *(rule.get("inputs", {}) if "actor" in rule else ())}


def policy_answer(g: Grower, kind: str, answers: list[str]) -> Any:
    """What a policy says to a choice."""
    if kind == "number" and g.maybe(0.3):
        return "1 if options.harsh else 0" if "0" in answers else answers[0]
    return g.one(answers)

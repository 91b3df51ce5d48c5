"""House rules laid over a game: set, add, remove, move, rename, options, sections of their own, one over another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .grower import Grower, Tree

Change = tuple[str, Tree]
Entry = tuple[str, Any]


def house_rules(g: Grower, game: Tree) -> list[Tree]:
    """Some layers over a game; a second one extends the first, or stands beside it under one that extends both."""
    first = layer(g, game, "house-one", "generated.yaml", g.any_of(1, 2, 3))
    made = [first]
    if g.maybe(0.3):
        over = "house-one.yaml"
        made.append(layer(g, game, "house-two", over, 1, set(first["changes"])))
    return made


def layer(g: Grower, game: Tree, name: str, extends: str, count: int, taken: set[str] | None = None) -> Tree:
    """A layer with so many changes, at paths that nothing else has changed."""
    done = set(taken or ())
    changes: Tree = {}
    for _ in range(count):
        found = g.weighted(MAKERS)(g, game)
        if found is None:
            continue
        path, change = found
        heads = {path.rsplit(".", depth)[0] for depth in range(1, path.count("."))}
        if path in done or heads & done or any(one.startswith(f"{path}.") for one in done):
            continue
        done.add(path)
        if g.maybe(0.8):
            change["because"] = "We play it so."
        changes[path] = change
    if (more := more_text(game, done)) is not None:
        changes[more[0]] = more[1]
    if not changes:
        changes["options.bonus.default"] = {"set": "2", "because": "More of it."}
    made: Tree = {"ruleset": name, "extends": extends, "changes": changes}
    if g.maybe(0.3):
        made["requires"] = "generated" if extends == "generated.yaml" else "house-one"
    if g.maybe(0.3):
        made |= g.chance.sample(OWN, 1)[0]
    if g.maybe(0.2):
        made["options"] = {g.name("ruled"): {"type": "number", "default": 1}}
    return made


def more_text(game: Tree, done: set[str]) -> Change | None:
    """More in the first text that no change has come near: no new chance is taken, so that seeds keep their games."""
    for path, rule in rules(game):
        for section, key in (("steps", "ask"), ("steps", "shows"), ("outcomes", "tells")):
            of = rule.get(section)
            for name, one in of.items() if isinstance(of, dict) else ():
                place = f"{path}.{section}.{name}.{key}"
                near = [before for before in done if f"{before}.".startswith(f"{path}.") or path.startswith(before)]
                if isinstance(one, dict) and key in one and not near:
                    more = ["{base}", {"say": "So it goes.", "if": "options.harsh"}]
                    return place, {"set": more, "because": "We say more."}
    return None


OWN: list[Tree] = [
    {"functions": {"twice": {"takes": {"n": "number"}, "gives": "n * 2"}}},
    {
        "mechanics": {
            "extra_test": {"steps": {"die": {"roll": "d4"}}, "outcomes": {"up_high": "die > 2", "low": "otherwise"}}
        }
    },
    {"tables": {"grade": {"rows": {"1 or less": 1, "2 or more": 2}}}, "names": {"colour": ["grey", "green"]}},
    {"dice": {"odd_die": {"faces": [1, 3, 5]}}, "ladders": {"pace": ["slow", "fast"]}},
    {"tags": ["heavy"], "roles": {"scribe": "Who writes."}, "comparators": {"exceeds": "more than"}},
]
"""Sections of a layer's own, which only add names."""


# Places -----------------------------------------------------------------------------------------------------------


def rules(game: Tree) -> Iterator[tuple[str, Tree]]:
    """Every rule with steps, by its path."""
    for section in ("mechanics", "events", "actions"):
        for name, rule in game.get(section, {}).items():
            if "steps" in rule:
                yield f"{section}.{name}", rule


def a_step(g: Grower, game: Tree, fits: Callable[[str, Any], bool]) -> tuple[str, str, Any] | None:
    """A step of some rule: the path of the rule, its name, and what it is."""
    rows = [
        (path, name, step) for path, rule in rules(game) for name, step in rule["steps"].items() if fits(name, step)
    ]
    return g.one(rows) if rows else None


def set_number(g: Grower, game: Tree) -> Change | None:
    """Another number for a step."""
    found = a_step(g, game, lambda name, step: name.startswith("number"))
    if found is None:
        return None
    path, name, step = found
    change: Tree = {"set": g.any_of("base + 1", "max(base, 1)", "base", "2", "base - options.bonus")}
    if isinstance(step, str) and g.maybe(0.4):
        change["was"] = step
    if isinstance(step, dict) and g.maybe(0.5):
        return f"{path}.steps.{name}.is", {"set": change["set"]}
    return f"{path}.steps.{name}", change


def set_condition(g: Grower, game: Tree) -> Change | None:
    """Another condition of a step, or of an outcome."""
    found = a_step(g, game, lambda name, step: isinstance(step, dict) and "if" in step)
    if found is None or g.maybe(0.4):
        return set_outcome(g, game)
    path, name, _ = found
    return f"{path}.steps.{name}.if", {
        "set": g.any_of("not base", "base and not options.harsh", "base or options.harsh")
    }


def set_dice(g: Grower, game: Tree) -> Change | None:
    found = a_step(g, game, lambda name, step: isinstance(step, dict) and isinstance(step.get("roll"), str))
    if found is None:
        return None
    path, name, _ = found
    return f"{path}.steps.{name}.roll", {"set": g.any_of("d2", "2d2", "d3")}


def with_outcomes(g: Grower, game: Tree) -> tuple[str, Tree] | None:
    rows = [(path, rule["outcomes"]) for path, rule in rules(game) if "bad" in rule.get("outcomes", {})]
    return g.one(rows) if rows else None


def set_outcome(g: Grower, game: Tree) -> Change | None:
    found = with_outcomes(g, game)
    if found is None:
        return None
    path, outcomes = found
    return f"{path}.outcomes.{next(iter(outcomes))}", {"set": g.any_of("base != options.harsh", "not (base)", "base")}


def rename_outcome(g: Grower, game: Tree) -> Change | None:
    found = with_outcomes(g, game)
    if found is None:
        return None
    path, outcomes = found
    return f"{path}.outcomes.{g.one(list(outcomes))}", {"rename": g.name("called")}


def rename_step(g: Grower, game: Tree) -> Change | None:
    found = a_step(g, game, lambda name, step: name.startswith(("number", "roll", "tries", "value", "gained")))
    return None if found is None else (f"{found[0]}.steps.{found[1]}", {"rename": g.name("renamed")})


def add_outcome(g: Grower, game: Tree) -> Change | None:
    found = with_outcomes(g, game)
    if found is None:
        return None
    path, outcomes = found
    first = next(iter(outcomes))
    return f"{path}.outcomes.{g.name('extra')}", {"add": "options.harsh or options.bonus > 3", "before": first}


def move_outcome(g: Grower, game: Tree) -> Change | None:
    found = with_outcomes(g, game)
    if found is None or len(found[1]) < 3:
        return None
    names = list(found[1])
    return f"{found[0]}.outcomes.{names[1]}", {"move": "here", "before": names[0]}


def remove_outcome(g: Grower, game: Tree) -> Change | None:
    found = with_outcomes(g, game)
    if found is None or len(found[1]) < 3:
        return None
    return f"{found[0]}.outcomes.{next(iter(found[1]))}", {"remove": "here"}


def add_step(g: Grower, game: Tree) -> Change | None:
    found = a_step(g, game, lambda name, step: True)
    if found is None:
        return None
    path, name, _ = found
    made = g.any_of(
        "options.bonus + 1", {"is": "3", "if": "options.harsh", "else": "0"}, {"place": "d3", "showing": "2"}
    )
    return f"{path}.steps.{g.name('added')}", {"add": made, g.any_of("before", "after"): name}


def add_reading(g: Grower, game: Tree) -> Change | None:
    rows = [path for path, rule in rules(game) if "also" in rule]
    if not rows:
        return None
    return f"{g.one(rows)}.also.{g.name('reading')}", {"add": "options.bonus > 1"}


def set_declared(g: Grower, game: Tree) -> Change | None:
    """What is declared for all rules: options, functions, tables, comparators, kinds."""
    rows: list[Change] = [
        ("options.bonus.default", {"set": g.any_of("0", "2", "3"), "was": "1"}),
        ("options.harsh.default", {"set": "yes"}),
        ("functions.half.gives", {"set": g.any_of("down(n / 2)", "base + 1")}),
        ("tables.wound.rows.1 to 3", {"set": g.any_of("2", "base + 1")}),
        ("comparators.beats", {"set": "at least", "was": "more than"}),
        ("ladders.rank.rungs.baron", {"add": "baron", "after": "knight"}),
        ("tables.worth_of.rows.baron", {"add": "9"}),
        ("names.mood.merry", {"add": "merry"}),
        ("dice.loaded.faces", {"set": ["1", "2", "2", "4"]}),
    ]
    if "kinds" in game:
        rows += [
            ("kinds.hero.has.hp.starts", {"set": "1"}),
            ("kinds.hero.has.might.default", {"set": "1"}),
            ("kinds.hero.has.pluck", {"add": {"type": "number", "default": 1}}),
        ]
    if "to" in (charges := game.get("kinds", {}).get("hero", {}).get("has", {}).get("charges", {})):
        one_word = isinstance(charges["to"], dict)
        rows.append((f"kinds.hero.has.charges.to{'.lamp' if one_word else ''}", {"set": g.any_of("1", "base + 1")}))
    if "policies" in game:
        rows.append((f"policies.keen.{g.one(list(game['policies']['keen']))}", {"remove": "here"}))
    return g.one(rows)


MAKERS: list[tuple[Callable[[Grower, Tree], Change | None], float]] = [
    (set_number, 5), (set_condition, 4), (set_outcome, 4), (set_dice, 2), (rename_outcome, 3), (rename_step, 3),
    (add_outcome, 3), (move_outcome, 1), (remove_outcome, 1), (add_step, 3), (add_reading, 2), (set_declared, 6),
]  # fmt: skip

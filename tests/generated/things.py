"""Kinds of things: what they have, what may be read and changed of them, and the things of a question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .grower import Grower, Scope, Tree

HEROES = ("ann", "bo", "cy")


@dataclass
class Kind:
    """What the things of a kind have, by what it is: names of attributes."""

    numbers: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)
    settable: dict[str, str] = field(default_factory=dict)
    """Attributes that may be set, with the kind of value they take."""
    piles: dict[str, str] = field(default_factory=dict)
    """Lists that may change, with what they hold."""
    optional: list[str] = field(default_factory=list)
    dice: list[str] = field(default_factory=list)
    """Attributes that keep thrown dice, where somebody has some."""
    words: dict[str, str] = field(default_factory=dict)


def kinds(g: Grower) -> Tree:
    """The kinds of a game: heroes with a part, a camp of which there is one, and beasts that come and go."""
    hero, has = Kind(), {}
    g.kinds["hero"] = hero
    add(has, hero, "might", {"type": "number", "from": 0, "default": g.number(1, 3)}, settable="amount")
    add(has, hero, "hp", {"type": "points", "to": g.any_of(3, 4, "might + 2"), "starts": g.any_of(2, 3)}, counter=True)
    if g.maybe(0.6):
        has["hp"]["when_empty"] = {"falls": {"set": "owner.fallen", "to": "yes"}}
    add(has, hero, "luck", {"type": "points", "to": 3, "starts": g.any_of(1, 2)}, counter=True)
    if g.maybe(0.5):
        has["luck"]["lasts"] = g.any_of("turn", "round", "scene")
    add(has, hero, "fallen", {"type": "yes_no", "default": "no"}, flag=True, settable="flag")
    if g.maybe(0.5):
        add(has, hero, "harm", track(g), counter=True)
    if g.maybe(0.5):
        add(has, hero, "feeling", {"type": "mood", "default": "calm"}, settable="mood", word="mood")
    if g.maybe(0.4):
        add(has, hero, "skills", {"type": "number", "per": "gear", "from": 0, "default": 1}, number=False)
        hero.numbers.append(f"skills({g.any_of('rope', 'lamp', 'axe')})")
        hero.settable["skills(axe)"] = "amount"
        add(has, hero, "training", {"is": "skills(word) + (1 if word is axe else might)", "per": "gear"}, number=False)
        hero.numbers.append("training(axe)")
    if g.maybe(0.4):
        add(has, hero, "charges", charges(g), number=False)
        hero.numbers.append(f"charges({g.one(GEAR)})")
        hero.counters += [f"charges({g.one(GEAR)})", "charges(?)"]
    if g.maybe(0.5):
        more = {"lasts": "round"} if g.maybe(0.2) else {}
        add(has, hero, "pack", {"list_of": "gear", "default": g.any_of([], ["rope"]), **more}, pile="gear")
    if g.maybe(0.4):
        add(has, hero, "deck", {"list_of": "number", "default": g.any_of([1, 2], [1, 2, 2])}, pile="number")
        add(has, hero, "used", {"list_of": "number", "default": []}, pile="number")
        if g.maybe(0.3):
            has["deck"]["seen_by"] = g.any_of([], "owner")
    if g.maybe(0.4):
        add(has, hero, "friend", {"type": "hero", "optional": "yes"}, number=False, settable="hero")
        hero.optional.append("friend")
    if g.maybe(0.35):
        add(has, hero, "arm", {"type": "limb"}, number=False)
        hero.numbers.append("arm.hurt")
        hero.counters.append("arm.hurt")
    if g.maybe(0.5):
        add(has, hero, "guard", {"is": g.any_of("might + hp", "3 + might", "hp * 2 - 1")}, number=True)
    if g.maybe(0.5):
        add(
            has, hero, "brave", {"is": g.any_of("hp > 1", "hp > 0 and not fallen", "luck >= 1 or might > 2")}, flag=True
        )
    if g.maybe(0.3):
        add(has, hero, "wits", {"type": "number", "default": 2, "where": "it < 9"}, settable="amount")
        add(has, hero, "trade", {"one_of": ["smith", "bard"], "default": "smith"}, number=False)
        add(has, hero, "marks", {"list_of": "number", "among": "[1, 2, 3]", "most": 3, "default": []}, number=False)
    if g.maybe(0.4):
        add(has, hero, "hand", {"type": "roll", "optional": "yes"}, number=False)
        hero.dice.append("hand")
    if g.maybe(0.3):
        add(has, hero, "motto", {"type": "text", "default": "Onward"}, number=False, settable="text")
    if g.maybe(0.3):
        add(has, hero, "mount", {"type": "beast", "default": "wolf"}, number=False)
        hero.numbers.append("mount.bite")
    camp, of_camp = Kind(), {}
    g.kinds["camp"] = camp
    add(of_camp, camp, "noise", {"type": "points", "to": g.any_of(2, 4), "starts": 0}, counter=True)
    add(of_camp, camp, "heroes", {"list_of": "hero", "default": []}, number=False)
    add(of_camp, camp, "beasts", {"list_of": "beast", "default": []}, pile="beast")
    beast, of_beast = Kind(), {}
    g.kinds["beast"] = beast
    add(of_beast, beast, "bite", {"type": "number", "default": 1}, settable="number")
    add(of_beast, beast, "rage", {"type": "points", "to": 3}, counter=True)
    made: Tree = {"hero": {"has": has}, "camp": {"one": "yes", "has": of_camp}, "beast": {"has": of_beast}}
    if "arm" in has:
        limb = {"hurt": {"type": "points", "to": 2}, "sound": {"is": "2 - hurt"}}
        made["limb"] = {"part": "yes", "written_as": "hurt", "has": limb}
    if g.maybe(0.3):
        has["luck"]["bookkeeping"] = "yes"
    if g.maybe(0.4):
        made["hero"]["summary"] = [name for name in has if g.maybe(0.4)]
        made["hero"]["requires"] = {"able": "might >= 0 and luck <= 3"}
        made["beast"]["requires"] = {"tame": {"is": "bite < 4", "about": "Nobody tames a wilder one."}}
    return made


GEAR = ("rope", "lamp", "axe")


def charges(g: Grower) -> Tree:
    """Points or a track of each word of a list."""
    each = {"rope": "1", "lamp": g.any_of("3", "might"), "axe": "2"}
    bound = g.any_of("2", "might + 1", "3 if word is axe else 1", each)
    starts = g.any_of("full", "1", {"rope": "0", "lamp": "1", "axe": "1"})
    made: Tree = {"type": "points", "to": bound, "starts": starts}
    if g.maybe(0.25):
        made = {"type": "track", "length": bound}
    made["per"] = "gear"
    if made["type"] == "points" and g.maybe(0.2):
        made["from"] = g.any_of("-1", {"rope": "0", "lamp": "-1", "axe": "0"})
    if g.maybe(0.2):
        made["past_full"] = g.any_of("lost", "refuse")
    if g.maybe(0.3):
        made["lasts"] = g.any_of("turn", "round")
    if g.maybe(0.4):
        made["when_empty"] = {"gone": {"set": "owner.fallen", "to": "word is axe"}}
    if g.maybe(0.3):
        made[g.any_of("when_full", "when_hit_full")] = {
            "spark": {"gain": g.any_of("1", "excess"), "to": "owner.luck", "if": "not (word is rope)"}
        }
    return made


def track(g: Grower) -> Tree:
    """A track, with what happens when it is full."""
    made: Tree = {"type": "track", "length": g.any_of(2, 3)}
    if g.maybe(0.2):
        made["past_full"] = g.any_of("lost", "refuse")
    if g.maybe(0.5):
        made["when_full"] = {
            "worse": {"lose": "1", "from": "owner.hp"},
            "clear": {"set": "owner.harm", "to": g.any_of("0", "1")},
            "rest": {"gain": "excess", "to": "owner.harm"},
        }
    if g.maybe(0.3):
        made["when_hit_full"] = {"more": {"gain": g.any_of("1", "excess"), "to": "owner.luck"}}
    return made


def add(
    has: Tree,
    kind: Kind,
    name: str,
    declared: Tree,
    *,
    number: bool | None = None,
    flag: bool = False,
    counter: bool = False,
    settable: str = "",
    pile: str = "",
    word: str = "",
) -> None:
    """One attribute of a kind, and what may be done with it."""
    has[name] = declared
    if number or (number is None and (counter or settable in ("number", "amount"))):
        kind.numbers.append(name)
    if flag:
        kind.flags.append(name)
    if counter:
        kind.counters.append(name)
    if settable:
        kind.settable[name] = settable
    if pile:
        kind.piles[name] = pile
    if word:
        kind.words[name] = word


def bind(g: Grower, s: Scope, name: str, kind: str, rare: bool = False) -> None:
    """Let a thing be read by name."""
    of = g.kinds[kind]
    s.known[kind].append(name)
    some = of.numbers if not rare else g.chance.sample(of.numbers, min(2, len(of.numbers)))
    s.known["number"] += [f"{name}.{one}" for one in some]
    s.known["flag"] += [f"{name}.{one}" for one in of.flags]
    for one, what in of.words.items():
        s.known[what].append(f"{name}.{one}")
    for one, what in of.piles.items():
        if what == "number":
            s.known["numbers"].append(f"{name}.{one}")
        elif what == "beast":
            s.known["list beast"].append(f"{name}.{one}")
    for one in of.dice:
        s.missing["roll"].append(f"{name}.{one}")
        s.missing["given"].append(f"{name}.{one}")
    for one in of.optional:
        s.missing["number"] += [f"{name}.{one}.{n}" for n in ("hp", "might")]
    if kind == "camp":
        s.known["list hero"].append(f"{name}.heroes")


def things(g: Grower) -> Tree:
    """The things that there are when a question is asked."""
    made: Tree = {}
    for name in HEROES[: g.any_of(2, 2, 3)]:
        one: Tree = {"is": "hero"}
        if g.maybe(0.5):
            one["hp"] = g.number(1, 3)
        if g.maybe(0.3):
            one["luck"] = g.number(0, 2)
        if g.maybe(0.3):
            one["might"] = g.number(1, 4)
        if "charges(?)" in g.kinds["hero"].counters and g.maybe(0.4):
            one["charges"] = {g.one(GEAR): g.number(0, 1)}
        made[name] = one
    if g.kinds["hero"].optional and g.maybe():
        made["ann"]["friend"] = "bo"
    made["camp"] = {"heroes": list(made)}
    return made


def hero_given(g: Grower) -> Any:
    return g.any_of("ann", "bo")

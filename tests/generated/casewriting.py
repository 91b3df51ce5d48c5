"""Cases as an author writes them, of what enumeration and play come to: they hold, and those that are bent do not."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.diagnostics.source import Source
from interpreter.layers.effective import effective_ruleset
from interpreter.pipeline import Loaded
from interpreter.play.deciders import RANDOM
from interpreter.testing.cases import Trial, Verdict, cases_of

from .asking import Asked
from .grower import Tree, written

SECTION = {"events": "event", "actions": "action", "scenes": "scene"}


def cases_for(asked: Asked, things: Any, chance: Random) -> list[tuple[Tree, bool]]:
    """Cases about a question, and whether each holds."""
    if asked.policy == RANDOM:
        return []  # which no case can name
    section, _, rule = asked.rule.rpartition(".")
    given = dict(asked.given)
    head: Tree = {SECTION.get(section, "mechanic"): rule}
    if section == "actions":
        head["actor"] = given.pop("actor")
    if given:
        head["given"] = given
    if things:
        head["before"] = things
    if asked.policy:
        head["policy"] = asked.policy
    made: list[tuple[Tree, bool]] = []
    names = [name for name in asked.names if "." not in name and _told_of_numbers_or_words(asked, name)]
    for name in chance.sample(names, min(2, len(names))):
        law = {key[0]: share for key, share in asked.law((name,)).items()}
        if sum(law.values()) != 1:
            continue
        made.append(({**head, "odds": odds_of(name, law)}, True))
        changed = True if True in law and type(next(iter(law))) is bool else next(iter(law))
        bent = {**law, changed: law[changed] * Fraction(6, 7)}
        if odds_of(name, bent) != odds_of(name, law):
            made.append(({**head, "odds": odds_of(name, bent)}, False))
        if all(type(value) is int for value in law):
            mean = sum((value * share for value, share in law.items()), Fraction(0))
            made.append(({**head, "mean": {name: str(mean)}}, True))
            made.append(({**head, "mean": {name: str(mean + Fraction(1, 3))}}, False))
    if len(names) > 1 and chance.random() < 0.5:
        made += joined(asked, head, chance.sample(names, 2), chance)
    if section != "scenes":
        made += played(asked, head)
    return [({"name": f"case {place}", **one}, holds) for place, (one, holds) in enumerate(made)]


def joined(asked: Asked, head: Tree, names: list[str], chance: Random) -> list[tuple[Tree, bool]]:
    """Cases of chances of two values together, of which some rows may be left out."""
    law = asked.law(tuple(names))
    if sum(law.values()) != 1 or len(law) > 40:
        return []
    rows = [{**dict(zip(names, map(word, values), strict=True)), "is": str(share)} for values, share in law.items()]
    kept = chance.sample(rows, chance.randint(1, len(rows)))
    bent = [*kept[:-1], {**kept[-1], "is": str(Fraction(kept[-1]["is"]) * Fraction(6, 7))}]
    return [({**head, "joint": kept}, True), ({**head, "joint": bent}, False)]


def played(asked: Asked, head: Tree) -> list[tuple[Tree, bool]]:
    """Cases of one play with its faces, and of one that comes out otherwise."""
    result = asked.game.roll(asked.rule, seed=3, **asked.how)
    told = {"outcome": result.outcome, **result.also, **result.values}
    plain = {name: word(value) for name, value in told.items() if type(value) in (int, bool, str)}
    if not plain:
        return []
    faces = {"faces": list(result.faces)}
    number = next((name for name, value in told.items() if type(value) is int), None)
    made = [({**head, **faces, "expect": plain}, True)]
    if number is not None:
        made.append(({**head, **faces, "expect": {number: told[number] + 1}}, False))
    return made


def _told_of_numbers_or_words(asked: Asked, name: str) -> bool:
    return all(type(key[0]) in (int, bool) or key[0] in WORDS for key in asked.law((name,)))


WORDS = ("good", "fair", "odd_one", "bad", "fine", "poor", "high", "low", "calm", "sad", "angry")


def word(value: Any) -> Any:
    return value if type(value) is not bool else "yes" if value else "no"


def odds_of(name: str, law: dict[Any, Fraction]) -> Tree:
    """Chances as a case has them."""
    if name == "outcome":
        return {str(value): str(share) for value, share in law.items()}
    if name.startswith(("also", "reading")) and set(law) == {True, False}:
        return {name: str(law.get(True, Fraction(0)))}  # the short form; the long one stands for the rest
    return {name: {word(value): str(share) for value, share in law.items()}}


def verdicts(loaded: Loaded, cases: list[Tree]) -> list[Verdict]:
    """What comes of cases that stand below the text of a ruleset."""
    assert loaded.merged is not None and loaded.world is not None
    lines = [line.text for line in effective_ruleset(loaded.merged, loaded.world.base_places)]
    again = pipeline.from_text(Source.of("cases.yaml", "\n".join(lines) + "\n" + written({"cases": cases})))
    assert again.program is not None and again.world is not None
    if again.problems.errors:
        raise AssertionError(f"cases are rejected: {again.problems.errors[0]}")
    trial = Trial(Game(again.program, again.world))
    return [trial.run(case) for case in cases_of(again.world.cases)]

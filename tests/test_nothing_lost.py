"""No value of a state is ever lost: over generated games whose rules change at random, each is held or kept aside.

`LOST_COUNT=2000 python -m pytest tests/test_nothing_lost.py` tries more games.
"""

from __future__ import annotations

import copy
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from generated.games import grown, written
from marks import thorough

import interpreter
from interpreter import Game, HouseruleError

COUNT = int(os.environ.get("LOST_COUNT", "60"))

Tree = dict[str, Any]
Change = Callable[[Tree, Random], Tree]


def attributes(rules: Tree) -> list[tuple[str, str]]:
    """Every attribute of a kind that is stored, with its kind."""
    return [
        (kind, name)
        for kind, of in rules.get("kinds", {}).items()
        for name, has in of["has"].items()
        if not (isinstance(has, dict) and "is" in has)
    ]


def renamed(rules: Tree, chance: Random) -> Tree:
    """An attribute, or what else has its name, is called something else."""
    kind, name = chance.choice(attributes(rules))
    text = re.sub(rf"(?<![\w.]){name}(?=\W)|(?<=\.){name}(?=\W)", f"{name}_then", json.dumps(rules))
    changed: Tree = json.loads(text)
    has = changed["kinds"][kind]["has"]
    if chance.random() < 0.5 and isinstance(has.get(f"{name}_then"), dict):
        has[f"{name}_then"]["formerly"] = name
    return changed


def dropped(rules: Tree, chance: Random) -> Tree:
    """An attribute is gone."""
    changed = copy.deepcopy(rules)
    kind, name = chance.choice(attributes(rules))
    del changed["kinds"][kind]["has"][name]
    return changed


def lowered(rules: Tree, chance: Random) -> Tree:
    """An upper bound is lower, and so is what begins above it."""
    changed = copy.deepcopy(rules)
    kind, name = chance.choice(attributes(rules))
    has = changed["kinds"][kind]["has"][name]
    if isinstance(has, dict) and isinstance(has.get("to"), int):
        has["to"] = has["to"] // 2
        for key in ("starts", "default"):
            if isinstance(has.get(key), int):
                has[key] = min(has[key], has["to"])
    return changed


def retyped(rules: Tree, chance: Random) -> Tree:
    """An attribute is of another type."""
    changed = copy.deepcopy(rules)
    kind, name = chance.choice(attributes(rules))
    changed["kinds"][kind]["has"][name] = {"type": chance.choice(["text", "yes_no", "number"]), "optional": "yes"}
    return changed


def grown_by_one(rules: Tree, chance: Random) -> Tree:
    """There is another attribute."""
    changed = copy.deepcopy(rules)
    kind, _ = chance.choice(attributes(rules))
    changed["kinds"][kind]["has"]["omen_of_then"] = {"type": "number", "default": chance.randint(0, 9)}
    return changed


CHANGES: tuple[Change, ...] = (renamed, dropped, lowered, retyped, grown_by_one)
"""Changes after which going back to the old rules gives every value back, unless a former name has led a value to a
name that the old rules do not know."""


def played(rules: Tree, seed: int) -> tuple[Game, dict[str, Any]] | None:
    """A generated game, and the data of a state in which there is a thing of each kind that can be made."""
    try:
        game = interpreter.loads(written(rules))
    except HouseruleError:
        return None  # some generated rules have a mistake, or further files
    things: dict[str, Any] = {}
    for number, (kind, of) in enumerate(rules["kinds"].items()):
        if not of.get("one") and not of.get("part"):
            try:
                game.state({**things, f"somebody_{number}": {"is": kind}})
            except HouseruleError:
                continue
            things[f"somebody_{number}"] = {"is": kind}
    state = game.state(things)
    return (game, json.loads(game.to_json(state))) if state.things else None


def leaves(value: Any) -> Iterator[str]:
    """Every single value in data, in words, for a number may become a text; without what says of which kind it is."""
    if isinstance(value, dict):
        for key, one in value.items():
            if key != "is":
                yield from leaves(one)
    elif isinstance(value, list):
        for one in value:
            yield from leaves(one)
    else:
        yield {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("seed", thorough(range(COUNT), lambda seed: seed >= 12))
def test_every_value_is_held_or_kept_aside(seed: int) -> None:
    chance = Random(seed)
    rules = next((one for n in range(50) if attributes(one := grown(seed * 50 + n)["game"])), None)
    assert rules is not None
    there = played(rules, seed)
    if there is None:
        return
    game, saved = there
    for _ in range(6):
        makes = [chance.choice(CHANGES) for _ in range(chance.randint(1, 2))]
        changed = rules
        for make in makes:
            changed = make(changed, chance) if attributes(changed) else changed
        try:
            other = interpreter.loads(written(changed))
        except HouseruleError:
            continue  # the rules need what is gone
        adopted = other.adopt(saved, proposals=True)
        if adopted.state is None:
            assert adopted.decisions
            continue
        now = json.loads(other.to_json(adopted.state))
        for name, values in saved["things"].items():
            kept = Counter(leaves(now["things"].get(name, {})))
            kept += Counter(
                one for key, of in now.get("aside", {}).get("things", {}).items()
                if key.partition(".")[0] == name for one in leaves(of)
            )  # fmt: skip
            assert not Counter(leaves(values)) - kept, f"{name}: {[make.__name__ for make in makes]}"
        again = other.adopt(now)
        assert again.lines == () and again.state == adopted.state
        if "formerly" not in json.dumps(changed):
            back = game.adopt(now)
            assert back.state is not None
            assert json.loads(game.to_json(back.state))["things"] == saved["things"], [make.__name__ for make in makes]

"""Makers of cases: each takes a generator of chance, and does something that a stranger may make a program do.

What is refused is refused with a HouseruleError; anything else that a maker raises breaks a promise.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from growing_texts import SHAPES

import interpreter
from interpreter import bundled
from interpreter.api.game import Game
from interpreter.api.playable_scene import PlayableScene
from interpreter.diagnostics import HouseruleError
from interpreter.host.sessions import CALLS, HostSessions

FOLDER = Path(__file__).parent.parent
TOKENS = (
    *("1", "0", "-1", "7", "10**9", "999999999999999999", "2d6", "d20", "100d6", "1000d1000", "3D+2", "yes", "no"),
    *("none", "[]", "[1, 2]", "{a: 1}", "it", "face", "x", "xs", "who", "who.hp", "xs.x", "[].x", "'word'", "word"),
    *("+", "-", "*", "/", "&", "==", "!=", "<", "<=", ">", ">=", "and", "or", "not", "in", "is", "where", "by"),
    *("otherwise", "if", "else", "(", ")", "[", "]", ",", ".", ":", "!", "kh3", "!>2"),
    *("count(", "sum(", "highest(", "kth(", "upto(1000)", "reversed(", "ordered(", "groups(", "without(", "common("),
    *("times(", "outranks(", "up(", "given(", "\u202e", "\x1b[2J", "\n", "\t", "é", "²", '"', "`", "{{", "{who}"),
)
"""What expressions of strangers are made of: words of the language, and what is none."""

VALUES = (None, True, False, 0, -1, 1, 10**30, 1.5, "", "x", "none", "2d6", "1000d1000", [], {}, [1], {"x": 1}, [[[]]])
"""What stands where something else should."""


def any_expression(chance: random.Random, most: int = 14) -> str:
    """Words of the language in a row."""
    return " ".join(chance.choice(TOKENS) for _ in range(chance.randint(1, most)))


WORD = re.compile(r"[\w.]+|[^\w\s]")


def mutated(text: str, chance: random.Random) -> str:
    """A text with a few lines, words or letters changed."""
    for _ in range(chance.randint(1, 3)):
        way = chance.randrange(4)
        if way == 0:
            lines = text.split("\n")
            one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
            change = chance.randrange(4)
            if change == 0:
                del lines[one]
            elif change == 1:
                lines.insert(other, lines[one])
            else:
                lines[one] = f" {lines[one]}" if change == 2 else lines[one][1:]
            text = "\n".join(lines)
        elif way == 1:
            place, other = (WORD.search(text, chance.randint(0, len(text))) for _ in range(2))
            if place and other:
                new = chance.choice([other[0], chance.choice(TOKENS), any_expression(chance)])
                text = text[: place.start()] + new + text[place.end() :]
        else:
            place = chance.randint(0, len(text))
            letter = chance.choice("\t\x00\u00a0\u202eé²'\"{}[]#:,-&*!|>%@`\ud800 \n")
            text = text[:place] + letter + text[place + chance.randint(0, 3) :]
    return text


@cache
def small_games() -> tuple[str, ...]:
    """Texts of rulesets that load quickly."""
    found = [(FOLDER / "hostile" / "sound.yaml").read_text("utf-8")]
    found += [
        (FOLDER / "lasting" / f"{name}.yaml").read_text("utf-8") for name in ("duel", "records", "bounds", "odds")
    ]
    return tuple(found)


@cache
def game(name: str) -> Game:
    return interpreter.load_bundled(name)


@cache
def scene() -> PlayableScene:
    """A scene that comes with houserule."""
    return interpreter.load_scene("duel")


def expression(chance: random.Random) -> None:
    """A typed expression, where a player types one."""
    text = any_expression(chance)
    kind = chance.choice(("number", "yes_no", "dice", "{list_of: number}"))
    try:
        typed_game(kind).roll("m", seed=1, inputs={"x": text})
    except HouseruleError as error:
        assert str(error)


@cache
def typed_game(kind: str) -> Game:
    return interpreter.loads(f"ruleset: typed\nmechanics: {{m: {{inputs: {{x: {kind}}}, steps: {{y: x}}}}}}\n")


def file(chance: random.Random) -> None:
    """A ruleset, changed here and there, which is then played."""
    text = mutated(chance.choice(small_games()), chance)
    try:
        made = interpreter.loads(text, name="sent.yaml")
    except interpreter.RulesetError as error:
        assert all(str(one) and one.line >= 1 and one.column >= 1 for one in error.diagnostics)
        return
    for rule in list(made.mechanics.values())[:3]:
        with suppress(HouseruleError):
            made.roll(rule.name, seed=1)


def layer_or_state(chance: random.Random) -> None:
    """A house rule over a game, or a saved state, session or result of one, changed here and there."""
    if chance.random() < 0.5:
        name = chance.choice(sorted(bundled.house_rules()))
        text = mutated(bundled.house_rules()[name].read_text("utf-8"), chance)
        try:
            interpreter.loads(text, name="sent.yaml")
        except interpreter.RulesetError as error:
            assert all(str(one) for one in error.diagnostics)
        return
    data = doctored(saved(chance.randrange(3)), chance)
    playing = scene().game
    read: Callable[[Any], Any] = chance.choice((playing.state, playing.resume, playing.replay))
    try:
        read(data)
    except HouseruleError as error:
        assert str(error)


@cache
def saved(which: int) -> str:
    if which == 0:
        return scene().game.to_json(scene().state)
    if which == 1:
        return scene().begin(seed=1).to_json()
    return scene().game.roll("roll", seed=1, inputs={"stat": 5, "skill": 3, "difficulty": 7}).to_json()


def doctored(text: str, chance: random.Random) -> Any:
    """Saved data with another value somewhere, or without one."""
    data: Any = json.loads(text)
    for _ in range(chance.randint(1, 3)):
        inner = data
        while True:
            keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
            if not keys:
                break
            key = chance.choice(keys)
            if isinstance(inner[key], (dict, list)) and inner[key] and chance.random() < 0.7:
                inner = inner[key]
                continue
            if chance.random() < 0.2:
                del inner[key]
            else:
                inner[key] = chance.choice(VALUES)
            break
    return data


def host_calls(chance: random.Random) -> None:
    """Calls of the host protocol in a row, each with values of every kind."""
    host = HostSessions(scene().game, scenes=[scene()])
    seats: list[Any] = ["host", "spectator", *({"player": one} for one in scene().players), {"player": 3}, 7]
    requests: list[str] = ["1", "x"]
    for _ in range(20):
        do = chance.choice([*CALLS.entries, *("begin", "requests", "answer", "answer") * 5])
        call: dict[str, Any] = {"do": do}
        for key in CALLS.entries[do][1] if do in CALLS.entries else ():
            if chance.random() < 0.6:
                call[key] = chance.choice([*VALUES, *requests, any_expression(chance, 5)])
        if "viewer" in CALLS.entries[do][1]:
            call["viewer"] = chance.choice(seats[:-2] if chance.random() < 0.9 else seats)
        if do == "begin" and chance.random() < 0.7:
            call = {"do": do, "scene": scene().name, "seed": chance.randrange(9)}
        reply = host.reply(json.dumps(call))
        assert reply["ok"] or reply["error"]["code"] != "HR999", (call, reply)
        requests = [one["id"] for one in reply.get("requests", ())] or requests


MANY = ("999", "1000", "9999")
PLAIN = ("upto(1000)", "reversed(upto(1000))", "ordered(upto(500))", "upto(1000) & upto(1000)")
LISTS = (*PLAIN, "a", "a & a & a & a", "reversed(a)", "ordered(a)", "ordered(r.value)", "r.value", "groups(r).width")
NUMBERS = (
    *("count(l)", "sum(l)", "(highest(l) otherwise 0)", "(kth(l, 5) otherwise 0)", "count(without(l, reversed(l)))"),
    *(
        "count(groups(l))",
        "count(common(l, l))",
        "sum(l) * sum(l)",
        "count(l) * 3 - (highest(l) otherwise 0)",
        "count(ordered(l))",
    ),
)
ROLLS = ("1000d1000", "999d6", "100d100", "9d20", "d6", "9d1000", "200d999", "30d6")
CALLS_OF_COSTLY = ("roll", "odds", "outcomes", "simulate", "act", "possible", "begin")


def costly_program(chance: random.Random) -> tuple[str, str]:
    """A small ruleset that may take long, and what is asked of it."""

    def number(among: tuple[str, ...] = LISTS) -> str:
        return re.sub(r"\bl\b", f"({chance.choice(among)})", chance.choice(NUMBERS))

    again = chance.choice(("", "", ", again: face >= 3", f", counts: 'face + {number(PLAIN)}'"))
    steps = ["a: upto(1000)", f"r: {{roll: '{chance.choice(ROLLS)}'{again}}}"]
    for place in range(chance.randint(1, 4)):
        heavy = number()
        where = number(PLAIN)
        form = chance.randrange(8)
        name = "z" if place == 0 else f"z{place}"
        times = chance.choice(MANY)
        if form == 0:
            steps.append(f"{name}: {{repeat: {times}, each: {{v: '{heavy}'}}}}")
        elif form == 1:
            steps.append(f"{name}: {{repeat: {times}, carry: {{t: 0}}, each: {{v: {{roll: 9d20}}, t: 't + {heavy}'}}}}")
        elif form == 2:
            steps.append(f"{name}: {{repeat: {times}, carry: {{t: '[1]'}}, each: {{t: 't & a'}}}}")
        elif form == 3:
            steps.append(f"{name}: {{for: e, among: a, each: {{v: '{heavy}'}}}}")
        elif form == 4:
            steps.append(f"{name}: {{choose: number, from: 0, to: 999, by: p, default: 0, shows: '{{{heavy}}}'}}")
        elif form == 5:
            steps.append(f"{name}: {{choose: some, among: a, where: '{where} == it', by: p, default: []}}")
        elif form == 6:
            steps.append(f"{name}: {{order: a, keys: {{k: {{high: '{heavy}'}}}}}}")
        else:
            steps.append(f"{name}: '{heavy}'")
    written = ", ".join(steps)
    outcome = f"{{high: 'sum(r) > {number()}', low: otherwise}}"
    text = (
        f"ruleset: t\nroles: {{p: x}}\nkinds: {{h: {{has: {{n: {{type: points, to: 9999, starts: 9}}}}}}}}\n"
        f"mechanics:\n m: {{steps: {{{written}}}, outcomes: {outcome}}}\n"
        f"actions:\n do:\n  actor: h\n  inputs:\n   x: {{type: number, from: 1, to: 999}}\n"
        f"   y: {{type: number, from: 1, to: 999, where: 'x > {number(PLAIN)}'}}\n  steps: {{{written}}}\n"
        f"scenes:\n s:\n  guard: 10000\n  round: {{p: {{steps: {{{written}}}}}}}\n"
        f"  outcomes: {{o: scene.round == 99999}}\n"
    )
    return text, chance.choice(CALLS_OF_COSTLY)


def costly(chance: random.Random) -> None:
    """A small ruleset that may take long, loaded and asked."""
    text, what = costly_program(chance)
    try:
        made = interpreter.loads(text)
        if what == "roll":
            made.roll("m", seed=1)
        elif what == "odds":
            made.odds("m").of("r" if chance.random() < 0.3 else "z")
        elif what == "outcomes":
            made.odds("m").outcomes  # noqa: B018
        elif what == "simulate":
            made.simulate("m", seed=1).outcomes  # noqa: B018
        elif what == "begin":
            made.begin("s", seed=1, players={"ann": ["p"]})
        else:
            state = made.state(ann={"is": "h"})
            _ = made.act(state, "do", actor="ann", seed=1, x=5, y=5) if what == "act" else made.possible(state, "ann")
    except HouseruleError as error:
        assert str(error)


NUMBERS_OF_MANY = (100, 1_000, 5_000, 20_000, 60_000)
LARGEST_TEXT = 1 << 20


def large(chance: random.Random) -> None:
    """A ruleset with very many of something, perhaps cut or changed somewhere, and a house rule over it."""
    make = SHAPES[chance.choice(sorted(SHAPES))]
    base, *rules = [text[:LARGEST_TEXT] for text in make(chance.choice(NUMBERS_OF_MANY))]
    text = rules[0] if rules else base
    if chance.random() < 0.3:
        text = mutated(text, chance)
    try:
        interpreter.loads(text, name="sent.yaml", resolve=lambda wanted: base if wanted.name == "t.yaml" else None)
    except HouseruleError as error:
        assert str(error)

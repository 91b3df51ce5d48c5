"""What is done with a value: every function, operator and field of expressions, and every verb, with a hole `X`.

Functions and verbs are taken from the tables of the interpreter. What is not in a table, such as operators, is written
out here, and `test_classes.py` says which expression or verb of the program no cell has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from interpreter.runtime.functions import FORMS, FUNCTIONS
from interpreter.syntax.shapes import AnyOf, Expression, MapOf, Shape
from interpreter.syntax.verb_grammar import VERBS

HOLE = re.compile(r"\bX\b")


@dataclass(frozen=True)
class Operation:
    """A step with a hole. `of` is the function, operator or verb that it is of."""

    of: str
    step: Any

    @property
    def name(self) -> str:
        return self.step if isinstance(self.step, str) else _told(self.step)

    def filled(self, text: str) -> Any:
        """The step with something in its hole."""
        return filled(self.step, text)


def filled(step: Any, text: str) -> Any:
    """A tree with a text in place of every hole."""
    if isinstance(step, str):
        return HOLE.sub(lambda _: text, step)
    if isinstance(step, dict):
        return {key: filled(value, text) for key, value in step.items()}
    return [filled(one, text) for one in step] if isinstance(step, list) else step


def _told(step: Any) -> str:
    if isinstance(step, dict):
        return "{" + ", ".join(f"{key}: {_told(value)}" for key, value in step.items()) + "}"
    return str(step)


# Functions -------------------------------------------------------------------------------------------------------

USUAL = {
    "number": "2",
    "collection": "others",
    "values": "others",
    "sizes_or_values": "others",
    "thrown": "others",
    "dice": "(2d3 & d2)",
    "dice_or_list": "(2d3 & d2)",
    "die": "d3",
    "ladder": "size",
    "rungs": "high",
    "truths": "(others where face == 2)",
    "anything": "n",
}
"""What stands in the other places of a function, by the kind of argument."""

OF_FORMS = {
    "up": ("up(X / 2)", "up(7 / X)"),
    "down": ("down(X / 2)", "down(7 / X)"),
    "nearest": ("nearest(X / 2)", "nearest(7 / X)"),
    "given": ("given(X)", "not given(X)", "1 if given(X) else 0"),
}


def functions() -> list[Operation]:
    """Each function with the hole in each of its places, with as few and with as many arguments as it takes."""
    made = []
    for name, function in FUNCTIONS.items():
        kinds = list(function.takes)
        lengths = {function.fewest, len(kinds)} | ({len(kinds) + 2} if function.more else set())
        for length in sorted(lengths):
            row = [kinds[min(place, len(kinds) - 1)] for place in range(length)]
            for place in range(length if not function.more else min(length, 2)):
                arguments = ["X" if at == place else USUAL[kind] for at, kind in enumerate(row)]
                made.append(Operation(name, f"{name}({', '.join(arguments)})"))
        if len(kinds) > 1:
            made.append(Operation(name, f"{name}({', '.join('X' for _ in kinds)})"))
        if kinds[0] == "truths":
            made += [Operation(name, f"{name}(X where {test})") for test in ("face == 2", "it == 2", "yes")]
    made += [Operation(name, text) for name in FORMS for text in OF_FORMS[name]]
    return made


OPERATORS: dict[str, tuple[str, ...]] = {
    "value": ("X", "(X)"),
    "+": ("X + 1", "1 + X", "X + coin", "X + X"),
    "-": ("X - 1", "coin - X", "-X"),
    "*": ("X * 2", "X * X"),
    "/": ("X / 2", "7 / X", "X / 2 > 1", "sums < X / 2", "(X + 1) / 2 == coin"),
    "&": ("X & d2", "d2 & X", "X & others", "others & X", "X & X"),
    "==": ("X == 2", "2 == X", "X != coin", "X == X", "X == d3", "X == yes"),
    "<": ("X < 2", "coin <= X", "X >= sums", "X > X", "X < high", "1 < X <= 3", "1 <= coin < X"),
    "comparator": ("X beats 1", "sums beats X", "X beats low"),
    "is": ("X is calm", "X is not angry", "X is high", "X is ann", "ann is X", "X is good", "X is left", "X is X"),
    "in": (
        "X in [1, 2]",
        "X not in [coin]",
        "X in [calm]",
        "X in [ann]",
        "1 in X",
        "coin in X",
        "calm in X",
        "high in X",
        "ann in X",
        "d2 in X",
        "armor in X",
        "X in price",
        "X in outfit",
        "X in X",
        "X in [X]",
    ),
    "not": ("not X",),
    "and": ("X and coin == 1", "coin == 1 and X", "X and X"),
    "or": ("X or coin == 1", "coin == 1 or X"),
    "if": ("X if coin == 1 else X", "1 if X else 0", "X if coin == 1 else none", "X if coin == 1 else 0"),
    "otherwise": (
        "X otherwise 0",
        "X otherwise no",
        "X otherwise calm",
        "X otherwise no_dice",
        "(highest(others where face > 2) otherwise X)",
        "none otherwise X",
    ),
    "where": (
        "X where yes",
        "X where face == 2",
        "X where value > coin",
        "X where face > 1 and face < sums",
        "X where size > 2",
        "X where armor in tags",
        "X where part is left",
        "X where star > 0",
        "X where burn > 2",
        "X where it == 2",
        "X where it > coin",
        "X where it is calm",
        "X where it is ann",
        "X where it",
        "X where it.die == 2",
        "X where it.open",
        "X where it.luck > 1",
        "X where it.lead > 0",
        "X where it.width > 1",
        "X where it.face == 2",
        "others where face == X",
        "others where face > X",
        "others where X",
        "[1, 2, 3] where it > X",
        "[1, 2, 3] where X",
        "tries where it.die == X",
        "tries where it.both == X",
        "count(others where face > X) + count(others where face == 1)",
        "count(X where face == 2) + count(X where face > 1 and face > coin)",
        "count(others where face == X and odd(face))",
    ),
    "by": ("X by it", "X by -it", "X by it.die", "X by it.lead", "X by it.luck", "X by face", "[2, 3, 1] by it * X"),
    "list": ("[X]", "[X, X]", "[1, X]", "[calm, X]", "[X, d2]", "count([X, coin])"),
    "pool": ("(X)d2", "(X)boost", "(X)d2 armor"),
    "tags": ("X armor",),
    "entry": ("X(calm)", "X(1)", "X(coin)", "X(3) otherwise 0", "X(1).left", "ann.skills(X)", "mapped(X).left"),
    "table": ("price(X)", "level(X)", "outfit(X)"),
    "function": ("half(X)", "best(X)", "total(X)", "shown(X)", "armed(X)", "grave(X)", "denied(X)"),
}

FIELDS = (
    *("size", "tags", "face", "value", "part", "nth", "counts", "throws", "star", "moon", "left", "right", "burn"),
    *("dice", "pips", "bonus", "late", "height", "width", "die", "open", "lead", "won", "ours", "theirs", "both"),
    *("ahead", "level", "happened", "before", "after", "excess", "amount", "outcome", "total", "rolled", "heard"),
    *("luck", "worth", "mood", "friends", "rival", "skills", "marks", "note", "arms", "toss", "each"),
)
"""Names that values have fields of; `test_classes.py` says which of the language is not among them."""

DEEPER = (
    *("throws.face", "throws.counts", "friends.luck", "friends.friends", "friends.skills", "die.face", "both.face"),
    *("throws.burn", "rival.luck", "rolled.left", "tags.size", "die.throws", "ours.face", "toss.face", "dice.size"),
)


def fields() -> list[Operation]:
    """Each field of a value, and some fields of those."""
    return [Operation(f".{name}", f"X.{name}") for name in (*FIELDS, *DEEPER)] + [
        Operation(".", text)
        for text in (
            "sum(X.face)",
            "sum(X.burn)",
            "count(X.throws where it.face == 2)",
            "count(X.throws where it.counts > 1)",
            "count(X.throws where face == 2)",
            "highest(X.die) otherwise 0",
            "any(X.open)",
            "all(X.open)",
            "count(X.open where it)",
            "sum(X.both)",
            "highest(X.lead) otherwise 0",
            "count(X.won where it)",
            "sum(highest(X, 1))",
            "sum(X where face > 1) + count(X where face == 2)",
            "max(highest(X) otherwise 0, 2)",
            "count(groups(X))",
            "sum(without(X, highest(X, 1)))",
            "first(X where it == 2) otherwise 0",
            "first(X where face == 2) otherwise 0",
        )
    ]


def operators() -> list[Operation]:
    return [Operation(name, text) for name, texts in OPERATORS.items() for text in texts]


# Verbs -----------------------------------------------------------------------------------------------------------

STEP_VERBS: dict[str, list[dict[str, Any]]] = {
    "is": [{"is": "coin"}],
    "roll": [
        {
            "roll": "2d2",
            "each": {"named": "face"},
            "counts": "face",
            "again": "face == 2 and nth < 2",
            "guard": "9",
            "then": {"anew": {"reroll": "out where face == 1"}},
        },
        {"roll": {"left": "d2", "right": "2d2"}},
        {"roll": "2d2", "again": "face == 2 and nth < 2", "on": "level(it - 3)"},
    ],
    "reroll": [
        {"reroll": "tosses by -size", "most": "1"},
        {"reroll": "tosses where face == 1", "to": "2"},
        {"reroll": "X where face == 1"},
    ],
    "place": [{"place": "2d2", "showing": "2"}],
    "raise": [
        {"raise": "d2 & d3", "ladder": "size", "by": "1", "past_top": "carry_to_next_smaller", "when_full": "lost"}
    ],
    "start": [{"start": "coin", "then": {"more": "out + 1"}}],
    "repeat": [
        {"repeat": "2", "each": {"die": {"roll": "d2"}}, "until": "die == 2"},
        {"repeat": "2", "each": {"die": {"roll": "d2"}}, "keep": {"highest": "die"}},
        {"repeat": "2", "carry": {"total": "1"}, "each": {"die": {"roll": "d2"}, "total": "total + die"}},
    ],
    "pair": [
        {
            "pair": "tosses",
            "with": "others",
            "missing": "1",
            "first": "armor in tags",
            "each": {"lead": "ours - theirs"},
        }
    ],
    "compare": [
        {"compare": {"one_line": {"ours": "coin", "theirs": "sums"}}, "ties": "ours"},
        {"compare": {"one_line": {"ours": "coin", "theirs": "2"}, "two_line": {"ours": "X", "theirs": "X"}}},
    ],
    "choose": [
        {"choose": "number", "from": "0", "to": "2", "by": "player", "default": "1"},
        {"choose": "yes_no", "by": "player", "default": "no", "minor": "coin == 1"},
        {"choose": "one", "among": "[1, 2, 3]", "where": "it > 1", "by": "player", "default": "2"},
        {"choose": "some", "among": "[1, 2, 3]", "least": "0", "most": "2", "by": "player", "default": "[1]"},
        {"choose": "some", "among": "[1, 2]", "together": "sum(it) < 3", "by": "player", "default": "[1]"},
        {"choose": "text", "by": "player", "default": "X"},
        {"choose": "number", "from": "0", "to": "ann.luck", "by": "bo.friends", "default": "1"},
        {"choose": "number", "among": "bo.friends", "from": "0", "budget": "2", "by": "ann", "default": "1"},
    ],
    "first_of": [{"first_of": {"one_case": {"if": "coin == 1", "is": "X"}, "last_case": "X"}}],
    "call": [
        {"call": "helper", "with": {"need": "X"}},
        {"call": "helper", "with": {"need": "2"}, "roles": {"player": "X"}},
    ],
    "steps": [{"steps": {"inner": "coin + 1"}}],
    "end": [{"end": "good"}],
    "for": [{"for": "each_one", "among": "[1, 2]", "where": "it > 1", "each": {"left": "each_one + 1"}}],
    "order": [
        {"order": "[2, 1, 3]", "keys": {"by_it": {"high": "it"}}},
        {"order": "[2, 1, 3]", "keys": {"by_it": {"low": "X"}, "lots": "random"}},
    ],
    "turn": [{"turn": "ann", "steps": {"inner": "coin + 1"}}],
    "draw": [{"draw": "1", "from": "ann.marks", "refill": "bo.marks"}],
    "put": [{"put": "[coin]", "into": "ann.marks"}],
    "take": [{"take": "1", "from": "ann.marks"}],
    "gain": [{"gain": "1", "to": "ann.luck"}, {"gain": "X", "to": "ann.harm"}],
    "lose": [{"lose": "1", "from": "ann.luck"}],
    "pay": [
        {"pay": "1", "from": "ann.luck", "may_refuse": "yes"},
        {"pay": "1", "from": "ann", "in": {"luck": "1"}, "minor": "coin == 1"},
    ],
    "set": [
        {"set": "ann.luck", "to": "2"},
        *({"set": f"ann.{name}", "to": "X"} for name in ("level", "open", "mood", "rank", "note", "arms", "rival")),
        *({"set": f"ann.{name}", "to": "X"} for name in ("friends", "marks", "moods", "skills", "skills(calm)")),
    ],
    "add": [
        {"add": "1", "to": "ann.marks", "lasts": {"rounds": "1"}},
        {"add": "X", "to": "ann.friends"},
        {"add": "X", "to": "ann.moods"},
    ],
    "remove": [{"remove": "1", "from": "ann.marks"}, {"remove": "X", "from": "bo.friends"}],
    "make": [
        {"make": "hero"},
        *({"make": "hero", "with": {name: "X"}} for name in ("level", "mood", "note", "arms")),
        {"make": "hero", "named": "X"},
        *({"make": "hero", "with": {name: "X"}} for name in ("marks", "friends", "luck")),
    ],
    "destroy": [{"destroy": "bo"}],
    "cause": [
        {"cause": "noise", "with": {"loud": "1"}},
        {"cause": "noise", "with": {"loud": "X"}, "later": {"rounds": "1"}},
    ],
    "act": [{"act": "shout", "with": {"actor": "ann", "loud": "1"}}],
    "offer": [{"offer": ["shout"], "to": "ann", "most": "1"}],
    "change": [{"change": {"loud": "event.loud + 1"}}],
    "cancel": [{"cancel": "event"}],
}  # fmt: skip
"""Each verb as it usually stands; every expression of it is a hole in turn."""


def _admits(shape: Shape) -> bool:
    if isinstance(shape, AnyOf):
        return any(_admits(one) for one in shape.of)
    return isinstance(shape, Expression) or (isinstance(shape, MapOf) and _admits(shape.of))


def holes_of(verb: str) -> list[str]:
    """The keys of a verb beside which an expression stands, as the grammar has it."""
    return [key for key, shape in VERBS[verb].keys.items() if _admits(shape) and key not in ("about", "cites")]


def verbs() -> list[Operation]:
    """Each verb with the hole in each of its places, and beside it."""
    made: dict[str, Operation] = {}

    def keep(verb: str, step: dict[str, Any]) -> None:
        one = Operation(verb, step)
        if one.name not in made and HOLE.search(one.name):
            made[one.name] = one

    for verb, forms in STEP_VERBS.items():
        for step in forms:
            keep(verb, step)
            if any(HOLE.search(_told(value)) for value in step.values()):
                continue
            for key in step:
                for put in _put(step[key], f"{verb}.{key}", key):
                    keep(verb, {**step, key: put})
            keep(verb, {**step, "if": "X"})
            keep(verb, {**step, "if": "coin == 1", "else": "X"})
    return list(made.values())


def _put(value: Any, path: str, key: str) -> list[Any]:
    """What stands beside a key with a hole in it, once for each place where an expression may stand."""
    verb = path.partition(".")[0]
    shape = VERBS[verb].keys.get(key)
    if shape is None or (not _admits(shape) and not isinstance(value, dict)):
        return []
    if isinstance(value, dict):
        return [
            {**value, name: one}
            for name, inner in value.items()
            for one in (_deep(inner) if isinstance(inner, dict) else ["X"])
        ]
    return ["X"]


def _deep(value: dict[str, Any]) -> list[Any]:
    return [{**value, name: "X"} for name, inner in value.items() if isinstance(inner, str)]


ALL: list[Operation] = [*functions(), *operators(), *fields(), *verbs()]

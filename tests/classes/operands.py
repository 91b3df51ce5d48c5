"""Values of every type, each made by a step `x` of a small rule, and what the rules of the table have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

HEADER: dict[str, Any] = {
    "ruleset": "cell",
    "roles": {"player": "Who plays."},
    "comparators": {"beats": "more than"},
    "names": {"mood": ["calm", "angry"]},
    "ladders": {"size": ["d2", "d3", "d4"], "rank": ["low", "middle", "high"]},
    "tags": ["armor", "wild"],
    "dice": {
        "D": "d2",
        "fudge": {"faces": ["-1", "0", "1"]},
        "boost": {"faces": ["blank", "star", "star + moon"]},
    },
    "options": {"bonus": {"type": "number", "default": "1"}},
    "tables": {
        "price": {"type": "number", "rows": {"1": "10", "2": "20"}, "off_the_rows": "nearest"},
        "level": {"type": "rank", "rows": {"0 or less": "low", "1 to 2": "middle", "3 or more": "high"}},
        "outfit": {"type": "dice", "rows": {"calm": "d2", "angry": "2d2"}},
    },
    "types": {
        "side": {
            "written_as": "dice",
            "has": {
                "dice": "dice",
                "bonus": {"type": "number", "default": "0"},
                "late": {"type": "number", "optional": "yes"},
            },
        }
    },
    "functions": {
        "half": {"takes": {"of_number": "number"}, "gives": "of_number / 2"},
        "best": {"takes": {"of_pool": "dice"}, "gives": "highest(of_pool) otherwise 0"},
        "total": {"takes": {"of_list": {"list_of": "number"}}, "gives": "sum(of_list where it > 1)"},
        "shown": {"takes": {"of_roll": "roll"}, "gives": "count(of_roll where face == 2)"},
        "armed": {"takes": {"of_side": "side"}, "gives": "count(of_side.dice) + of_side.bonus"},
        "grave": {"takes": {"of_mood": "mood"}, "gives": "of_mood is angry"},
        "denied": {"takes": {"of_truth": "yes_no"}, "gives": "not of_truth"},
    },
}  # fmt: skip
"""What every cell declares."""

LASTING: dict[str, Any] = {
    "kinds": {
        "hero": {
            "has": {
                "luck": {"type": "points", "to": "5", "starts": "2"},
                "harm": {"type": "track", "length": "3"},
                "level": {"type": "number", "default": "2"},
                "open": {"type": "yes_no", "default": "no"},
                "mood": {"type": "mood", "default": "calm"},
                "rank": {"type": "rank", "default": "low"},
                "note": {"type": "text", "default": "none"},
                "arms": {"type": "dice", "default": "2d2"},
                "rival": {"type": "hero", "optional": "yes"},
                "skills": {"type": "number", "per": "mood", "default": "1"},
                "friends": {"list_of": "hero", "default": "[]"},
                "marks": {"list_of": "number", "default": "[1, 2]"},
                "moods": {"list_of": "mood", "default": "[]"},
                "worth": {"is": "luck + level"},
            }
        },
    },
    "things": {"hero": {"ann": {}, "bo": {"level": "3", "mood": "angry", "friends": "[ann]"}}},
}
"""What a cell declares beside that, where somebody is named."""

SOMEBODY = ("ann", "bo", "hero")

INPUTS: dict[str, Any] = {
    "n": {"type": "number", "default": "2"},
    "words": {"type": "text", "default": "hello"},
    "own": {"type": "side", "default": "2d2"},
    "lying": {"type": "roll", "default": "no_dice"},
    "who": {"type": "hero", "default": "ann"},
}
"""Inputs that a rule has where it reads them."""

PASS: dict[str, Any] = {"die": {"roll": "d2"}, "open": "die == 2", "burn": "die + 1"}
SOME: dict[str, Any] = {"choose": "some", "most": "2", "by": "player"}
PAIR: dict[str, Any] = {"lead": "ours - theirs", "won": "ours > theirs"}

COMMON: dict[str, Any] = {
    "coin": {"roll": "d2"},
    "others": {"roll": "2d2"},
    "tosses": {"roll": "d2 & d3 armor"},
    "sums": "sum(tosses)",
    "chain": {"roll": "2d2", "each": {"burn": "face * 2"}, "again": "face == 2 and nth < 2"},
    "tries": {"repeat": "2", "each": {**PASS, "both": {"roll": "2d2"}}},
    "paired": {"pair": "tosses", "with": "others", "each": PAIR},
    "mapped": {"for": "one_of", "among": "[1, 2]", "each": {"left": "one_of + coin", "toss": {"roll": "d2"}}},
    "called": {"call": "helper", "with": {"need": "2"}},
}  # fmt: skip
"""Steps that stand before what is tried, where they are read."""

HELPER: dict[str, Any] = {
    "inputs": {"need": "number"},
    "steps": {"rolled": {"roll": "2d2"}, "total": "sum(rolled)"},
    "outcomes": {"good": "total > need", "bad": "otherwise"},
}
"""The mechanic that is called."""


@dataclass(frozen=True)
class Operand:
    """A value. `x` is the step that gives it, or None where `text` is enough; `instead` is one of the same type."""

    name: str
    x: Any = None
    text: str = "x"
    instead: str = ""


def _all() -> list[Operand]:
    fixed = {
        "a number": "3",
        "no": "no",
        "a word": "calm",
        "a die": "d3",
        "a die with tags": "d3 armor",
        "a die of numbers": "fudge",
        "a pool": "2d2",
        "an empty pool": "no_dice",
        "a code": "2D + 1",
        "a list": "[1, 3]",
        "an empty list": "[]",
        "nothing": "none",
        "a ladder of dice": "size",
        "a ladder of words": "rank",
        "a table": "price",
        "a table of words": "outfit",
        "a list of words": "mood",
        "an option": "options.bonus",
        "a number given": "n",
        "a text": "words",
        "a record": "own",
        "dice on the table": "lying",
        "a thing": "ann",
        "a thing given": "who",
        "points": "ann.luck",
        "what is derived": "ann.worth",
        "a map of a thing": "ann.skills",
        "a thing that may be missing": "ann.rival",
        "a list of things": "bo.friends",
        "numbers of a thing": "ann.marks",
        "a text of a thing": "ann.note",
        "dice of a thing": "ann.arms",
        "a rank of a thing": "ann.rank",
        "a list written out": "[coin, sums]",
    }
    made: dict[str, tuple[Any, str]] = {
        "a rolled number": ("sums", "0"),
        "a rolled truth": ("sums > 3", "no"),
        "a rolled word": ("calm if coin == 1 else angry", "angry"),
        "a rolled rank": ("low if coin == 1 else high", "middle"),
        "a rolled die": ("d2 if coin == 1 else d3", "d4"),
        "a rolled pool": ("(coin)d2 & d3", "no_dice"),
        "a rolled list": ("[1, coin, 2]", "[]"),
        "rolled words": ("[calm] if coin == 1 else [calm, angry]", "[]"),
        "rolled truths": ("[coin == 1, sums > 3]", "[]"),
        "a list of dice": ("[d2, d3] if coin == 1 else [d2]", "[]"),
        "a list of rolled dice": ("[coin, first(others)]", "[]"),
        "a list up to a number": ("upto(coin)", "[]"),
        "a rolled code": ("2D + coin", "1D"),
        "one die": ({"roll": "d3"}, "0"),
        "a roll": ({"roll": "2d3"}, "others"),
        "a roll of unequal dice": ({"roll": "d2 & d3 armor"}, "others"),
        "a roll that may be empty": ({"roll": "(coin - 1)d3"}, "others"),
        "a roll with parts": ({"roll": {"left": "d2", "right": "2d2"}}, "split"),
        "a roll with names": ({"roll": "2d2", "each": {"burn": "face * 2"}}, "others"),
        "a roll that counts": ({"roll": "2d3", "counts": "1 if face == 2 else 0"}, "others"),
        "one die that counts": ({"roll": "d3", "counts": "face - 2"}, "0"),
        "a chain": ({"roll": "d2", "again": "face == 2 and nth < 3"}, "0"),
        "chains": ({"roll": "2d2", "each": {"burn": "face + nth"}, "again": "face == 2 and nth < 2"}, "others"),
        "a chain without end": ({"roll": "d3", "again": "face == 2"}, "0"),
        "a roll of symbols": ({"roll": "times(boost, 2)"}, "others"),
        "a roll of numbers": ({"roll": "times(fudge, 2)"}, "others"),
        "a reroll": ({"reroll": "tosses where face == 1"}, "others"),
        "placed dice": ({"place": "2d3", "showing": "coin"}, "others"),
        "a raised pool": ({"raise": "d2 & d3", "ladder": "size", "by": "coin"}, "no_dice"),
        "some of a roll": ("tosses where face > 1", "others"),
        "the highest of a roll": ("highest(tosses, 1)", "others"),
        "two rolls together": ("tosses & others", "others"),
        "a part": ("split.left", "others"),
        "a thrown die": ("first(tosses)", "1"),
        "the throws": ("chain.throws", "[]"),
        "a throw": ("first(chain.throws)", ""),
        "what throws named": ("chain.burn", "[]"),
        "faces": ("tosses.face", "[]"),
        "passes": ({"repeat": "2", "each": PASS}, "[]"),
        "passes until": ({"repeat": "2", "each": PASS, "until": "die == 2"}, "[]"),
        "a column": ("tries.burn", "[]"),
        "a column of dice": ("tries.die", "[]"),
        "a column of truths": ("tries.open", "[]"),
        "a column of rolls": ("tries.both", "others"),
        "a kept pass": ({"repeat": "2", "each": PASS, "keep": {"highest": "die"}}, ""),
        "pairs": ({"pair": "tosses", "with": "others", "each": PAIR}, "[]"),
        "a column of pairs": ("paired.lead", "[]"),
        "groups": ("groups(tosses)", "[]"),
        "a comparison": ({"compare": {"one_line": {"ours": "coin", "theirs": "sums"}}}, ""),
        "a map": ({"for": "each_one", "among": "[1, 2]", "each": {"left": "each_one + coin"}}, ""),
        "a map of numbers": ({"choose": "number", "by": "bo.friends", "from": "0", "to": "2", "default": "coin"}, ""),
        "a column of a map": ("mapped.left", "[]"),
        "a call": ({"call": "helper", "with": {"need": "2"}}, ""),
        "an outcome": ("called.outcome", ""),
        "a roll of a call": ("called.rolled", "others"),
        "a block": ({"steps": {"die": {"roll": "d2"}, "burn": "die + 1"}}, ""),
        "stages": ({"start": "sums", "then": {"more": "x + coin"}}, "0"),
        "a roll in stages": ({"roll": "2d2", "then": {"anew": {"reroll": "x where face == 1"}}}, "others"),
        "cases": ({"first_of": {"some": {"if": "coin == 1", "is": "sums"}, "none_left": "0"}}, "0"),
        "a chosen number": ({"choose": "number", "from": "0", "to": "2", "by": "player", "default": "coin"}, "0"),
        "a chosen word": ({"choose": "one", "among": "mood", "by": "player", "default": "calm"}, "angry"),
        "chosen numbers": ({**SOME, "among": "[1, 2, 3]", "default": "[coin]"}, "[]"),
        "chosen dice": ({**SOME, "among": "tosses", "default": "highest(tosses, 1)"}, "others"),
        "a gain": ({"gain": "coin", "to": "ann.luck"}, ""),
        "an addition": ({"add": "coin", "to": "ann.marks"}, ""),
        "a draw": ({"draw": "1", "from": "ann.marks"}, "[]"),
        "what is made": ({"make": "hero", "with": {"level": "coin"}}, "bo"),
        "an order": ({"order": "[2, 1, 3]", "keys": {"by_size": {"high": "it"}}}, "[]"),
        "an event": ({"cause": "noise", "with": {"loud": "coin"}}, ""),
        "points after a change": ("ann.luck + coin", "0"),
    }  # fmt: skip
    return [
        *(Operand(name, None, text, text) for name, text in fixed.items()),
        *(Operand(name, step, "x", instead) for name, (step, instead) in made.items()),
    ]


COMMON["split"] = {"roll": {"left": "d2", "right": "2d2"}}

EVENT: dict[str, Any] = {
    "inputs": {"loud": "number"},
    "steps": {"heard": "loud + 1", "echo": {"roll": "d2"}},
    "outcomes": {"heard_well": "echo == 2", "missed": "otherwise"},
}
"""The event `noise`, which is caused."""

OPERANDS = _all()

INSIDE: dict[str, tuple[str, str]] = {
    "a face": ("tosses", "face"),
    "a value": ("chain", "value"),
    "a size": ("2d2 & d3", "size"),
    "a size thrown": ("tosses", "size"),
    "tags": ("tosses", "tags"),
    "a part of a die": ("split", "part"),
    "a symbol": ("symbols", "star"),
    "a face of symbols": ("symbols", "face"),
    "a name of throws": ("chain", "burn"),
    "an element": ("[1, 2, 3]", "it"),
    "a rolled element": ("[1, coin, sums]", "it"),
    "an element of words": ("[calm, angry]", "it"),
    "a rung": ("rank", "it"),
    "a die of a list": ("[d2, d3]", "it"),
    "a thing of a list": ("[ann, bo]", "it"),
    "a pass": ("tries", "it"),
    "a die of a pass": ("tries", "it.die"),
    "a roll of a pass": ("tries", "it.both"),
    "a number of a pass": ("tries", "it.burn"),
    "a truth of a pass": ("tries", "it.open"),
    "a pair": ("paired", "it"),
    "a lead": ("paired", "it.lead"),
    "a die of a pair": ("paired", "it.ours"),
    "a group": ("groups(tosses)", "it.width"),
    "a throw of a chain": ("chain.throws", "it"),
    "a face of a chain": ("chain.throws", "it.face"),
    "what a throw counts": ("chain.throws", "it.counts"),
    "a name of a chain": ("chain.throws", "it.burn"),
    "a value of a map": ("mapped", "it.left"),
    "a rolled die of a list": ("[coin, first(tosses)]", "it"),
}
"""What a condition sees of one element: the collection, and what of it."""

COMMON["symbols"] = {"roll": "times(boost, 2)"}

THROWN: dict[str, str] = {
    "the face of a throw": "face",
    "the number of a throw": "nth",
    "the size of a throw": "size",
    "the tags of a throw": "tags",
    "the part of a throw": "part",
    "earlier throws": "earlier",
    "what earlier throws named": "earlier.named",
    "truths of earlier throws": "earlier.low",
    "the last earlier": "(last(earlier.named) otherwise 0)",
    "what was named": "named",
}
"""What is in reach of the steps for each throw."""

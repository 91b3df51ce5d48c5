"""What authors write for types: words and forms of other languages and tools, each as a declaration of this one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from interpreter.frozen import dataclass

_SURE = {
    "number": "int integer integers ints num nums numeric int32 int64 uint",
    "yes_no": "bool boolean booleans bools yesno yes-no yes/no y/n true/false yes_or_no",
    "text": "str string strings",
}
"""Words that stand for one type in every language that has them."""

_LIKELY = {
    "number": "numerical digit whole whole_number count amount quantity value score rating level long short byte "
    "float floats double decimal real fraction",
    "yes_no": "flag checkbox check toggle switch truth truthy bit logical",
    "text": "char chars varchar label textarea free_text freetext plaintext note",
    "dice": "die_pool dicepool dice_pool diceroll dice_formula",
    "roll": "rolled thrown throw",
}
TYPES = {word: name for table in (_LIKELY, _SURE) for name, words in table.items() for word in words.split()}
_ONE_READING = frozenset(word for words in _SURE.values() for word in words.split())

NO_SIMPLE_TYPE = {
    **dict.fromkeys(("percent", "percentage", "%", "d%", "probability"), "{type: number, from: 0, to: 100}"),
    **dict.fromkeys(("positive", "natural"), "{type: number, from: 1}"),
    **dict.fromkeys(("nonnegative", "non_negative", "unsigned"), "{type: number, from: 0}"),
    **dict.fromkeys(
        ("list", "array", "set", "collection", "sequence", "tuple", "vector", "multiple", "items", "multiselect"),
        "{list_of: number}",
    ),
    **dict.fromkeys(
        ("enum", "enumeration", "select", "option", "choice", "choices", "dropdown", "radio", "oneof", "literal"),
        "{one_of: [low, high]}",
    ),
}
"""Words that stand for more than a type, each with a declaration of that kind."""

OF_A_THING = {
    **dict.fromkeys(("resource", "counter", "bar", "gauge", "meter", "pool", "points_pool"), "{type: points, to: 10}"),
    **dict.fromkeys(("clock", "progress", "boxes", "steps", "wounds", "stress_track"), "{type: track, length: 6}"),
    **dict.fromkeys(("computed", "derived", "calculated", "formula", "calc"), "{is: …}"),
}
"""Words for what a thing has, which have their own types there."""

RECORDS = ("dict", "dictionary", "map", "mapping", "object", "record", "struct", "json", "hash", "schema", "template")
"""Words for several values by name."""

PERSONS = (
    *("character", "char", "creature", "actor", "player", "pc", "npc", "person", "being", "entity", "hero", "monster"),
    *("target", "opponent", "enemy", "thing", "item", "token", "unit", "combatant"),
)
"""Words for things that last, which a ruleset declares as kinds of its own."""

_SEVERAL = (
    r"(?:list|array|set|sequence)\s*(?:\[|<|\(|\bof\b|:)\s*(?P<of>[\w ]+?)\s*[\])>]?",
    r"(?P<of>\w+)\s*\[\s*\]",
    r"\[\s*(?P<of>\w+)\s*\]",
    r"(?:several|many|multiple)\s+(?P<of>\w+)",
    r"(?P<of>\w+)\s*[*+]",
)
_OPTIONAL = (
    r"(?P<of>\w+)\s*\?",
    r"(?:optional|maybe|nullable)\s*[\[<(]?\s*(?P<of>\w+)\s*[\])>]?",
    r"(?P<of>\w+)\s*(?:\||\bor\b|/|,)\s*(?:none|null|nil|nothing|undefined|missing)",
)
_NUMBER = r"-?\d{1,9}"
_NUMBERS = r"(?:[a-z]+\s*)?(?:[\[(<]\s*|(?:from|between)\s+)?"
_BETWEEN = rf"{_NUMBERS}(?P<low>{_NUMBER})\s*(?:to|and|through|until|[-–—,:]|\.\.+)\s*(?P<high>{_NUMBER})\s*[\])>]?"
_AT_LEAST = (rf"{_NUMBERS}(?:(?:>=|≥|at least|min|minimum)\s*(?P<low>{_NUMBER})|>\s*(?P<over>{_NUMBER})|"
    rf"(?P<end>{_NUMBER})\s*(?:\+|or more|or higher|and up))\s*[\])>]?")  # fmt: skip
_AT_MOST = (rf"{_NUMBERS}(?:(?:<=|≤|at most|up to|max|maximum)\s*(?P<high>{_NUMBER})|<\s*(?P<under>{_NUMBER})|"
    rf"(?P<end>{_NUMBER})\s*(?:or less|or lower|or fewer))\s*[\])>]?")  # fmt: skip
_WITH_DICE = r"(?P<dice>\d*d\d+)(?P<more>\s*[+-]\s*\d+)?"


@dataclass(frozen=True)
class MeantType:
    """A type, or a whole declaration, that is meant by a word that is no type.

    `type` is the word of the language if it stands for just that, and `sure` says that nothing else can be meant.
    """

    written: str
    type: str | None = None
    sure: bool = False


def type_meant(name: str, known: Collection[str], of_a_thing: bool) -> MeantType | None:
    """What an author means by a word that is no type; None if that is not known.

    `known` are the types of the ruleset, and `of_a_thing` says that it is declared under `has` of a kind.
    """
    word = " ".join(name.split()).lower()
    if of_a_thing and word in OF_A_THING:
        return MeantType(OF_A_THING[word])
    if word in TYPES:
        return MeantType(TYPES[word], TYPES[word], word in _ONE_READING)
    if word in NO_SIMPLE_TYPE:
        return MeantType(NO_SIMPLE_TYPE[word])
    return next(_by_form(word, known), None)


def _by_form(word: str, known: Collection[str]) -> Iterator[MeantType]:
    if low := re.fullmatch(r"(positive|natural|non-?negative|unsigned)\s+\w+", word):
        yield MeantType(f"{{type: number, from: {1 if low[1] in ('positive', 'natural') else 0}}}")
    for pattern, written in ((_SEVERAL, "{{list_of: {}}}"), (_OPTIONAL, "{{type: {}, optional: yes}}")):
        for form in pattern:
            found = re.fullmatch(form, word)
            of = _known_type(found["of"], known) if found is not None else None
            if of is not None:
                yield MeantType(written.format(of))
    if found := re.fullmatch(_BETWEEN, word):
        yield MeantType(f"{{type: number, from: {found['low']}, to: {found['high']}}}")
    if found := re.fullmatch(_AT_LEAST, word):
        least = int(found["over"]) + 1 if found["over"] else int(found["low"] or found["end"])
        yield MeantType(f"{{type: number, from: {least}}}")
    if found := re.fullmatch(_AT_MOST, word):
        most = int(found["under"]) - 1 if found["under"] else int(found["high"] or found["end"])
        yield MeantType(f"{{type: number, to: {most}}}")
    if found := re.fullmatch(_WITH_DICE, word):
        bonus = (found["more"] or "").replace(" ", "").lstrip("+")
        more = f"`, and beside it the bonus by itself, `{{type: number, default: {bonus}}}" if bonus else ""
        yield MeantType(f"{{type: dice, default: {found['dice']}}}{more}")
    words = re.split(r"\s*(?:\||,|/|\bor\b)\s*", word)
    if len(words) > 1 and all(re.fullmatch(r"[a-z]\w*", one) and not _known_type(one, known) for one in words):
        yield MeantType(f"{{one_of: [{', '.join(words)}]}}")


def _known_type(word: str, known: Collection[str]) -> str | None:
    """The type that a word names, as the language writes it; of a plural the type of one."""
    word = word.strip()
    for one in (word, word.removesuffix("s"), word.removesuffix("es")):
        if one in known or one in TYPES:
            return one if one in known else TYPES[one]
    return None

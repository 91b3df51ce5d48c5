"""Mistakes whose meaning is known: a line of a ruleset as somebody may write it, and as it is meant.

An automatic fix restores what is meant, or leaves the line alone. Where the meaning is another than that of the line
before, as of a comparison that is denied, `meant` says so; where the text says what no ruleset can say, it is None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from interpreter.diagnostics import usual_names

from .kinds import KINDS, RULES


@dataclass(frozen=True)
class Slip:
    """What somebody writes in place of a line, and the line that is meant; None if nothing may take its place."""

    after: str
    meant: str | None


Planter = Callable[[str, Random], Iterator[Slip]]

SIGNS = ("<", "<=", ">", ">=")
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
IN_WORDS = {
    "<": ("less than", "less then", "lower than", "below", "under", "fewer than", "smaller than"),
    ">": ("more than", "greater than", "higher than", "above", "over", "bigger than", "more then"),
    "<=": ("at most", "up to", "less than or equal to", "lower than or equal to"),
    ">=": ("at least", "greater than or equal to", "more than or equal to"),
}
BEFORE = ("", "is ")
DENIED = ("not ", "is not ", "isnt ", "isn’t ", "never ", "is never ", "no ", "is no ")
UNSURE = ("better than", "worse than", "not better than", "no worse than")
"""What is better is higher in one game, and lower in another."""

_VALUE = r"(?<=[\s({,])(?!(?:not|and|or|if|else|is|in)\b)[a-z_][\w.]*(?:\([^()]*\))?"
_OPERAND = r"(?:-?\d+|[a-z_][\w.]*)\b(?![(\w.])"
_COMPARED = re.compile(rf"(?P<left>{_VALUE}) (?P<sign><=?|>=?) (?P<right>{_OPERAND})")
_RELATION = re.compile(r"(?<=: )(?P<it>at least|more than|at most|less than)(?=[,}]|$)")
RELATIONS = {"at least": ">=", "more than": ">", "at most": "<=", "less than": "<"}


def _with(line: str, found: re.Match[str], text: str, group: str | int = 0) -> str:
    return line[: found.start(group)] + text + line[found.end(group) :]


def comparisons(line: str, random: Random) -> Iterator[Slip]:
    """`total not at least 7` for `total < 7`."""
    for found in _COMPARED.finditer(line):
        left, right = found["left"], found["right"]
        says = random.choice(SIGNS)
        words, denied = random.choice(IN_WORDS[says]), random.choice((*BEFORE, *DENIED))
        meant = OPPOSITE[says] if denied in DENIED else says
        slip, right_way = (_with(line, found, f"{left} {sign} {right}") for sign in (f"{denied}{words}", meant))
        yield Slip(slip, right_way)
        unsure = random.choice(UNSURE)
        yield Slip(_with(line, found, f"{left} {unsure} {right}"), None)


def relations(line: str, random: Random) -> Iterator[Slip]:
    """`beats: no less than` for `beats: at least`."""
    for found in _RELATION.finditer(line):
        says = random.choice(SIGNS)
        denied = random.choice(("", *DENIED))
        meant = OPPOSITE[says] if denied in DENIED else says
        word = next(word for word, sign in RELATIONS.items() if sign == meant)
        words = random.choice(IN_WORDS[says])
        yield Slip(_with(line, found, denied + words, "it"), _with(line, found, word, "it"))
        misspelt = _one_letter_off(words, random)
        yield Slip(_with(line, found, denied + misspelt, "it"), _with(line, found, word, "it"))
        yield Slip(_with(line, found, random.choice(UNSURE), "it"), None)


_SPAN = re.compile(r"\b(?P<key>lasts|later|per|ends): (?P<it>turn|round|scene|game)\b")
_UNITS = ("turn", "round", "scene", "game", "day", "minute")
_NUMBERS = {"2": "2", "two": "2", "3": "3", "four": "4", "1": "1", "one": "1"}


def units(line: str, random: Random) -> Iterator[Slip]:
    """`lasts: 2 rounds` for `lasts: {rounds: 2}`, where rounds can be counted."""
    for found in _SPAN.finditer(line):
        number, unit = random.choice(tuple(_NUMBERS)), random.choice(_UNITS)
        digits = _NUMBERS[number]
        text = random.choice(("", "", "for ")) + f"{number} {unit}" + ("s" if digits != "1" else "")
        counted = unit == "round" and re.search(r"\b(?:add|cause): ", line) and found["key"] != "per"
        one = unit if digits == "1" and unit in _UNITS[:4] else None
        meant = f"{{rounds: {digits}}}" if counted else one
        yield Slip(_with(line, found, text, "it"), None if meant is None else _with(line, found, meant, "it"))
        yield Slip(_with(line, found, found["it"] + "s", "it"), line)
        for words in ("next {}", "half a {}", "each {}", "no {}", "d4 {}s", "some {}s", "{} or two", "not one {}"):
            yield Slip(_with(line, found, words.format(found["it"]), "it"), None)


_RANGE = re.compile(r"(?P<low>-?\b\d+) to (?P<high>\d+)\b")
_OPEN = re.compile(r"\b(?P<end>\d+) or (?P<way>more|less)\b")


def ranges(line: str, random: Random) -> Iterator[Slip]:
    """`not 7 to 9`, `7..9`, `more than 7`, where ranges of numbers stand."""
    for found in _RANGE.finditer(line):
        low, high = found["low"], found["high"]
        same = random.choice((f"{low}-{high}", f"{low}..{high}", f"{low} – {high}", f"between {low} and {high}",
                              f"from {low} to {high}", f"{low} through {high}"))  # fmt: skip
        yield Slip(_with(line, found, same), line)
        other = random.choice((f"not {low} to {high}", f"not {low}-{high}", f"outside {low} to {high}",
                               f"{low} or {high}", f"{high} to {low}"))  # fmt: skip
        yield Slip(_with(line, found, other), None)
    for found in _OPEN.finditer(line):
        end, more = int(found["end"]), found["way"] == "more"
        word = random.choice(("higher", "above", "greater", "up") if more else ("lower", "below", "fewer", "down"))
        yield Slip(_with(line, found, f"{end} or {word}"), line)
        says = random.choice(SIGNS)
        text = random.choice(("", "not ", "no ")) + random.choice((*IN_WORDS[says], says)) + f" {end}"
        meant = OPPOSITE[says] if text.startswith(("not ", "no ")) else says
        written = {">=": f"{end} or more", ">": f"{end + 1} or more", "<=": f"{end} or less", "<": f"{end - 1} or less"}
        yield Slip(_with(line, found, text), _with(line, found, written[meant]))
        yield Slip(_with(line, found, f"not {found[0]}"), None)
        yield Slip(_with(line, found, f"{random.choice(SIGNS[::2])} {found[0]}"), None)


_WORD = re.compile(r"(?<![\w'\"])[A-Za-z_][A-Za-z_]{2,}(?!\w)")


def _one_letter_off(word: str, random: Random) -> str:
    at = random.randrange(len(word))
    letter = random.choice("abcdefghiklmnoprstuvw")
    return random.choice((
        word[:at] + word[at + 1 :],
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
        word[:at] + word[at] + word[at:],
    ))  # fmt: skip


def letters(line: str, random: Random) -> Iterator[Slip]:
    """A word with a slip of the pen, or two."""
    words = list(_WORD.finditer(line))
    for found in random.sample(words, min(2, len(words))):
        slip = _one_letter_off(found[0], random)
        yield Slip(_with(line, found, slip), line)
        yield Slip(_with(line, found, _one_letter_off(slip, random) if len(slip) > 6 else slip.capitalize()), line)
        yield Slip(_with(line, found, found[0].removesuffix("s") if found[0].endswith("s") else found[0] + "s"), line)


_DENIALS = ("un{}", "in{}", "non{}", "non_{}", "not_{}", "dis{}", "no_{}", "{}less", "anti{}", "not {}", "un_{}")
_OTHERS = ("{}2", "{}_2", "second_{}", "other_{}", "max_{}", "half_{}", "2 {}", "two {}s", "{}_before")


def denials(line: str, random: Random) -> Iterator[Slip]:
    """`unhurt` for `hurt`: a word that says another thing than one that is known."""
    words = list(_WORD.finditer(line))
    for found in random.sample(words, min(2, len(words))):
        for forms in (_DENIALS, _OTHERS):
            slip = _with(line, found, random.choice(forms).format(found[0]))
            yield Slip(slip, None)


_KEY = re.compile(r"(?<=[{ ])(?P<it>[a-z_]+)(?=: |:$)")
_FOREIGN = [(keys, words.split()) for keys, words in usual_names._WORDS.items()]


def foreign_keys(line: str, random: Random) -> Iterator[Slip]:
    """`values: [a, b]` for `one_of: [a, b]`."""
    for found in _KEY.finditer(line):
        for keys, words in _FOREIGN:
            face = found["it"] == "to" and "reroll:" in line  # and no bound: `maximum` is the most dice there
            if found["it"] in keys and not face:
                yield Slip(_with(line, found, random.choice(words), "it"), line)


_PAIR = re.compile(r", (?P<key>[a-z_]+)(?P<it>: )(?=[^,{}\[\]]+[,}])")
_QUOTED = re.compile(r"(?P<it>'[^'\"]*'|\"[^'\"\\]*\")")


def marks(line: str, random: Random) -> Iterator[Slip]:
    """A colon, a comma or quotes that are left out."""
    for found in _PAIR.finditer(line):
        yield Slip(_with(line, found, random.choice((" ", " = ", ":", " is ")), "it"), line)
        yield Slip(line[: found.start()] + line[found.start() + 1 :], line)
    for found in _QUOTED.finditer(line):
        yield Slip(_with(line, found, found["it"][1:-1], "it"), line)


_TRUTH = {"yes": ("Yes", "YES", "true", "True", "on", "not no"), "no": ("No", "NO", "false", "False", "off", "not yes"),
          "and": ("And", "AND", "&", "&&"), "or": ("Or", "OR", "|", "||", "and/or"),
          "not": ("Not", "NOT", "!", "isnt"), "otherwise": ("Otherwise", "else", "default"), "none": ("None", "null"),
          "is": ("=", "==", "equals", "is the same as", "is not", "isnt", "is never", "!="),
          "in": ("among", "one of", "not in", "within")}  # fmt: skip
_DENYING = {"not no": "yes", "not yes": "no", "isnt": "is not", "is never": "is not", "!=": "is not"}
_LITTLE = re.compile(rf"(?<=[\s({{,\[])(?P<it>{'|'.join(_TRUTH)})(?=[\s)}},\]]|$)")


def little_words(line: str, random: Random) -> Iterator[Slip]:
    """`True`, `AND`, `isnt`: the little words of the language as others write them."""
    for found in _LITTLE.finditer(line):
        word = random.choice(_TRUTH[found["it"]])
        if found["it"] == "is" and line[found.end() :].startswith(" not "):
            continue
        meant = _DENYING.get(word, found["it"])
        if word in ("is not", "not in"):
            continue  # which is no mistake
        if (found["it"], word) == ("not", "isnt") or word == "and/or":
            yield Slip(_with(line, found, word, "it"), None)
        else:
            yield Slip(_with(line, found, word, "it"), _with(line, found, meant, "it"))


MEANT = {
    "percent": "{1} / 2",
    "half as a function": None,
    "power of two": None,
    "comma for a point": None,
    "number added to a roll": None,
    "dice added": None,
    "keep in the roll": None,
    "explode as a bang": None,
    "explode as a key": None,
    "keep as a key": None,
    "die of no size": None,
    "face that a die lacks": None,
    "one face too few": None,
    "one face too many": None,
    "expected number": None,
}
"""What is meant by mistakes of `kinds.py` that say another thing than the line before."""


def _of_kinds(line: str, random: Random) -> Iterator[Slip]:
    """The kinds whose messages are judged, too."""
    for kind in KINDS:
        found = re.search(kind.find, line)
        if found is None or not re.search(kind.where, line):
            continue
        group: str | int = "it" if "it" in found.re.groupindex else 0
        after = _with(line, found, kind.write.format(found[0], *found.groups()), group)
        meant: str | None = line
        if kind.name in MEANT:
            form = MEANT[kind.name]
            meant = None if form is None else _with(line, found, form.format(found[0], *found.groups()), group)
        yield Slip(after, meant)


PLANTERS: dict[str, tuple[Planter, str]] = {
    "kinds of messages": (_of_kinds, rf"{RULES}|cases|changes"),
    "comparisons in words": (comparisons, rf"{RULES}|changes"),
    "comparators": (relations, "comparators|changes"),
    "numbers with units": (units, rf"{RULES}|changes"),
    "ranges": (ranges, rf"{RULES}|changes"),
    "letters": (letters, ".*"),
    "other words": (denials, ".*"),
    "keys of other tools": (foreign_keys, ".*"),
    "marks left out": (marks, ".*"),
    "little words": (little_words, rf"{RULES}|options|cases|changes"),
}
"""By kind, what plants a mistake in a line, and the sections that it is planted in."""

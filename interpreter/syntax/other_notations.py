"""Rewrite what authors write as in a sentence, in other tools or in other languages as expressions of this one.

The rewritten text is only proposed: where a text is no expression, and is one after rewriting, the message shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from interpreter.syntax.fixed_words import RELATION_SIGNS

VALUE = r"(?:\w+(?:\.\w+)*(?:\([^()]*\))?|\([^()]*\))"
"""A number, a name, a call or something in brackets."""
_IS = r"(?:\b(?:is|are|was|be)\s+)?"
_NOT = rf"(?:{_IS}\b(?:not|never|no)|\b(?:isnt|isn't|isn’t))\s+"
_VALUE_IS = rf"\b({VALUE})\s+is\s+"
_NOT_BELOW = r"(?<!/)(?<!/ )"
_THAN = r"\s+th[ae]n"
_EQUAL = r"(?:\s+or\s+equal(?:\s+to)?)?"
_MORE = r"(?:more|greater|higher|bigger|larger|above|over|better)"
_LESS = r"(?:less|lower|smaller|fewer|below|under|worse)"


_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_FUNCTIONS = "sum|count|highest|lowest|any|all|only|first|last|ordered|groups|up|down|nearest|abs|odd|even"


class Notation(NamedTuple):
    """A form of words or signs, and how the language writes it; in `written`, `\\1` is a group of the pattern.

    `of_words` is what the language writes where words are compared, if that is another sign.
    """

    text: str
    written: str | Callable[[re.Match[str]], str]
    of_words: str = ""

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern, which only a text that is no expression needs."""
        return re.compile(self.text, re.IGNORECASE)


def _sign_or_equal(sign: str) -> Callable[[re.Match[str]], str]:
    return lambda match: f"{sign}=" if "equal" in match.group().lower() else sign


def _times(value: str, whole: str, decimals: str) -> str:
    """A value times a decimal number, in whole numbers: `total * 1.5` is `3 * total / 2`."""
    factor = Fraction(f"{whole}.{decimals}")
    times = value if factor.numerator == 1 else f"{factor.numerator} * {value}"
    return times if factor.denominator == 1 else f"{times} / {factor.denominator}"


NOTATIONS = (
    # Comparisons in words
    Notation(rf"{_NOT}(?:{_MORE}{_THAN}\s+or\s+equal(?:\s+to)?|at\s+least)\b", "<"),
    Notation(rf"{_NOT}(?:{_LESS}{_THAN}\s+or\s+equal(?:\s+to)?|at\s+most)\b", ">"),
    Notation(rf"{_IS}\bat\s+least\b|{_NOT}(?:{_LESS}{_THAN}|below|under)\b", ">="),
    Notation(rf"{_IS}\b(?:at\s+most|up\s+to)\b|{_NOT}(?:{_MORE}{_THAN}|above|over)\b", "<="),
    Notation(rf"{_IS}\b(?:{_MORE}{_THAN}{_EQUAL}|exceeds|above|over)\b", _sign_or_equal(">")),
    Notation(rf"{_IS}\b(?:{_LESS}{_THAN}{_EQUAL}|below|under)\b", _sign_or_equal("<")),
    Notation(rf"{_IS}\bnot\s+(?:equal\s+to|the\s+same\s+as)\b|\bdiffers\s+from\b", "!=", "is not"),
    Notation(r"\b(?:does\s+not|doesn'?t|doesn’t)\s+equal\b", "!=", "is not"),
    Notation(rf"{_IS}\b(?:equal\s+to|the\s+same\s+as|exactly)\b|\bequals\b", "==", "is"),
    Notation(r"\b(?:isnt|isn't|isn’t|arent|aren't)\b", "!=", "is not"),
    Notation(rf"\b({VALUE})\s+{_IS}(\d+)\s*(?:\+|or\s+{_MORE})(?!\s*\w)", r"\1 >= \2"),
    Notation(rf"\b({VALUE})\s+{_IS}(\d+)\s+or\s+{_LESS}\b", r"\1 <= \2"),
    Notation(
        rf"\b({VALUE})\s+{_NOT}(?:between\s+({VALUE})\s+and|(?:from\s+|in\s+)?(\d+)\s*(?:to|\.\.\.?|-|–|—))\s*({VALUE})",
        lambda match: f"not {match[2] or match[3]} <= {match[1]} <= {match[4]}",
    ),
    Notation(rf"\b({VALUE})\s+{_IS}between\s+({VALUE})\s+and\s+({VALUE})", r"\2 <= \1 <= \3"),
    Notation(rf"\b({VALUE})\s+(?:{_IS}(?:from\s+|in\s+)?)?(\d+)\s*(?:to|\.\.\.?|-|–|—)\s*(\d+)\b", r"\2 <= \1 <= \3"),
    Notation(rf"{_VALUE_IS}either\s+(\w+)\s+or\s+(\w+)\b", r"\1 in [\2, \3]"),
    Notation(rf"{_VALUE_IS}neither\s+(\w+)\s+nor\s+(\w+)\b", r"\1 not in [\2, \3]"),
    Notation(r"\b(?:reaches|meets)\b", ">="),
    Notation(rf"({VALUE})\s*(?<![<>=!])=(?!=)\s*(?:nothing|null|nil|none)\b", r"\1 == 0"),
    Notation(rf"({VALUE})\s*(?<![<>=!])=(?!=)\s*(?:nothing|null|nil|none)\b", r"not given(\1)"),
    Notation(rf"({VALUE})\s*!=\s*(?:nothing|null|nil|none)\b", r"given(\1)"),
    Notation(r"(?<![<>=!])=(?![=>])", "==", "is"),
    # Conditions
    Notation(r"^\s*(?:if\s+)?(.+?)\s+\?\s*(.+?)\s*:\s*(.+?)\s*$", r"\2 if \1 else \3"),
    Notation(r"^\s*if\s+(.+?)\s*:\s*(.+?)[;,]?\s+(?:else|otherwise)\s*:?\s+(.+?)\s*$", r"\2 if \1 else \3"),
    Notation(r"^\s*if\s+(.+?)\s+then\s+(.+?)\s+(?:else|otherwise)\s+(.+?)\s*$", r"\2 if \1 else \3"),
    Notation(r"^\s*(?:if|when)\s+(.+?)\s*$", r"\1"),
    Notation(r"^\s*(?:else|otherwise|default|(?:anything|everything|all)\s+(?:else|others?))\s*$", "otherwise"),
    Notation(r"\s*(?:&&)\s*", " and "),
    Notation(r"\s*&\s*", " and "),
    Notation(r"\s*\|\|?\s*", " or "),
    # Sums
    Notation(rf"({VALUE})\s+(?:x|times|multiplied\s+by)\s+(?={VALUE})", r"\1 * "),
    Notation(r"\s+plus\s+", " + "),
    Notation(r"\s+minus\s+", " - "),
    Notation(r"\s+divided\s+by\s+", " / "),
    Notation(rf"\bhalf\s+(?:of\s+)?(?:the\s+)?({VALUE})", r"\1 / 2"),
    Notation(rf"\b(?:double|twice)\s+(?:the\s+)?({VALUE})", r"2 * \1"),
    Notation(r"\*\s*50\s*%", "/ 2"),
    Notation(r"\*\s*(\d+)\s*%", r"* \1 / 100"),
    Notation(
        rf"{_NOT_BELOW}\b(\d+)[.,](\d{{1,3}})\s*\*\s*({VALUE})",
        lambda found: _times(found[3], found[1], found[2]),
    ),
    Notation(
        rf"{_NOT_BELOW}(?<![\w.])({VALUE})\s*\*\s*(\d+)[.,](\d{{1,3}})\b",
        lambda found: _times(found[1], found[2], found[3]),
    ),
    # Dice that are kept
    Notation(rf"\b({VALUE})\s+(?:keep\s+)?(?:k|kh|highest)\s*(\d+)\b", r"highest(\1, \2)"),
    Notation(rf"\b({VALUE})\s+(?:keep\s+)?(?:kl|lowest)\s*(\d+)\b", r"lowest(\1, \2)"),
    Notation(rf"\b(?:keep\s+)?(?:the\s+)?(?:highest|best)\s+(\d+)\s+(?:of|from|in)\s+({VALUE})", r"highest(\2, \1)"),
    Notation(rf"\b(?:keep\s+)?(?:the\s+)?(?:lowest|worst)\s+(\d+)\s+(?:of|from|in)\s+({VALUE})", r"lowest(\2, \1)"),
    Notation(rf"\b(?:the\s+)?(highest|lowest|sum|count|first|last)\s+(?:of|from|in)\s+({VALUE})", r"\1(\2)"),
    Notation(rf"\b(?:the\s+)?number\s+of\s+({VALUE})", r"count(\1)"),
    # Functions without their brackets
    Notation(rf"\b({_FUNCTIONS})\s+([^\W\d]\w*(?:\.\w+)*)", r"\1(\2)"),
    Notation(rf"\b({_FUNCTIONS})\[([^\[\]]*)\]", r"\1(\2)"),
    # Lists, formulas of spreadsheets, and dice of chats
    Notation(rf"\bnot\s+({VALUE})\s+(?:contains|includes|has)\s+({VALUE})", r"\2 not in \1"),
    Notation(rf"({VALUE})\s+(?:does\s+not|doesn'?t)\s+(?:contain|include|have)\s+({VALUE})", r"\2 not in \1"),
    Notation(rf"({VALUE})\s+(?:contains|includes|has)\s+({VALUE})", r"\2 in \1"),
    Notation(r"^\s*=\s*(?!=)(.+)$", lambda found: re.sub(r"\b[A-Z]+\(", lambda one: one[0].lower(), found[1])),
    Notation(r"^\s*/(?:r|roll|gmroll|throw)\s+", ""),
    # Names with signs, and as many dice as a name says
    Notation(r"[@$#]\{([^\W\d]\w*(?:\.\w+)*)\}\s*(d\d+)\b", r"(\1)\2"),
    Notation(r"[@$#]\{?([^\W\d]\w*(?:\.[^\W\d]\w*)*)\}?", r"\1"),
    Notation(r"[\[{<]\s*([^\W\d]\w*(?:\.\w+)*)\s*[\]}>]\s*(d\d+)\b", r"(\1)\2"),
    Notation(r"(?<![\w.)])([^\W\d]\w*?(?:\.\w+?)*)_?(d\d+)\b", r"(\1)\2"),
    # Dice
    Notation(r"\b(?:roll|throw|dice|die)\s+(?=\d*[dD]\d)", ""),
    Notation(rf"\b({'|'.join(_NUMBERS)})\s+(?=d\d)", lambda match: str(_NUMBERS.index(match[1].lower()) + 1)),
    Notation(r"\b(\d+)\s*(?:x\s*)?[dDwW]\s*(\d+)\b", r"\1d\2"),
    Notation(r"\b(d\d+)\s*x\s*(\d+)\b", r"\2\1"),
    Notation(r"(?<![\w.)])([^\W\d]\w*(?:\.\w+)*)\s+(d\d+)\b", r"(\1)\2"),
    Notation(r"\b[dD]\s+(\d+)\b", r"d\1"),
    Notation(r"\b(\d*)D(\d+)\b", r"\1d\2"),
)


def relation_in_words(text: str) -> str | None:
    """The relation of a comparator that a text says in other words: of `not less than` it is `at least`."""
    for written in (f"a {text} b", *(other for other, _ in likely_texts(f"a {text} b"))):
        match = re.fullmatch(r"a ([<>=]+) b", written)
        if match and match[1] in _RELATIONS:
            return _RELATIONS[match[1]]
    return None


_RELATIONS = {sign: relation for relation, sign in RELATION_SIGNS.items()}


class Count(NamedTuple):
    """A number, in digits, and what is counted, in the singular."""

    number: str
    unit: str


_COUNT = re.compile(rf"(?:for\s+)?(\d+|{'|'.join(_NUMBERS)})[\s-]*([a-z]+?)s?", re.IGNORECASE)


def number_of_units(text: str) -> Count | None:
    """The number and the unit of a text such as `2 rounds` or `for three turns`; None for another text."""
    match = _COUNT.fullmatch(text.strip())
    if match is None:
        return None
    number = match[1].lower()
    digits = number if number.isdecimal() else str(_NUMBERS.index(number) + 1)
    return Count(digits, match[2].lower())


def likely_texts(text: str) -> Iterator[tuple[str, str]]:
    """Texts that may have been meant, each with the words of another notation that it was written with.

    Each form is rewritten alone, and then all of them, one after the other; what compares words comes after what
    compares numbers.
    """
    seen = {text}
    numbers, of_words, words = text, text, ""
    for form in NOTATIONS:
        match = form.pattern.search(text)
        if match is None:
            continue
        words = words or match[0].strip()
        numbers = form.pattern.sub(form.written, numbers)
        of_words = form.pattern.sub(form.of_words or form.written, of_words)
        for written in (form.written, form.of_words or form.written):
            alone = form.pattern.sub(written, text)
            if alone not in seen:
                seen.add(alone)
                yield alone, match[0].strip()
    for whole in (numbers, of_words):
        if whole not in seen:
            seen.add(whole)
            yield whole, words

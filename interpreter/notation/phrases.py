"""What other tools say of whole expressions: in words, in brackets, or beside the dice.

`highest 3 of 4d6` (AnyDice), `sum largest 3 4d6` (Troll), `4d6 drop lowest`, `d20 with advantage`, `{4d6, 3d8}kh1` and
labels such as `[fire]` or `# damage` become what the language or the notation of dice has for them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from interpreter.notation.placed_text import PlacedText, TextEdit

OPERAND = (
    r"(?:(?<![\w.])\d*[dD](?:\d+|%|[fF](?:\.\d)?|\{[^{}]*\})[\w!<>=]*|(?<!\w)\((?:[^()]|\([^()]*\))*\)(?:d\d+\w*)?"
    r"|(?<![\w.])[A-Za-z]\w*\((?:[^()]|\([^()]*\))*\)|(?<![\w.])\w+(?![\w.(]))"
)
"""Dice with what stands behind them, something in brackets, a call, a number or a name."""
_DICE = r"(?:(?<![\w.])\d*[dD](?:\d+|%|[fF](?:\.\d)?|\{[^{}]*\})[\w!<>=]*|(?<!\w)\((?:[^()]|\([^()]*\))*\)(?:d\d+\w*)?)"
_MOST = "(?:keep the |keep )?(?:the )?(?:highest|largest|best|top|maximum|max)"
_LEAST = "(?:keep the |keep )?(?:the )?(?:lowest|least|smallest|worst|bottom|minimum|min)"
_CALLED = "highest|lowest|largest|least|middle|count|sum|absolute|max|min|best|worst"

Template = str | Callable[[re.Match[str]], str]

_UNSAID: tuple[str, ...] = (
    r"^\s*[/!](?:roll|gmroll|r|gr|em)\b",
    r"^\s*(?:output|roll|throw)\b(?!\s*[=(])",
    r"(?<=\S)\s*#(?!\s*\d*[dD]\d)[^#]*$",
    r"(?<=\S)\s*//\s*[A-Za-z][^/]*$",
    r"/\*.*?\*/",
    r'(?<=\S)\s+named\s+"[^"]*"\s*$',
)
"""What the result does not depend on: commands and comments."""

_LABEL = re.compile(
    r"((?<![\w.])\d*[dD](?:\d+|%|[fF])[\w!<>=]*|(?<![\w.])\d+|\)|\})\s*\[[^\[\]]*[A-Za-z][^\[\]]*\](?!\s*\()"
)

_SIGNS = {"−": "-", "–": "-", "×": "*", "÷": "/", "≥": ">=", "≤": "<=", "≠": " != ", "<>": " != "}

PHRASES: tuple[tuple[str, Template], ...] = (
    (r"^\s*\[\[(.*)\]\]\s*$", r"\1"),
    (rf"(?<![\w)\]}}])\[\s*((?:{_CALLED})\s(?:[^\[\],{{}}]|\{{[^{{}}]*\}})*)\]", r"(\1)"),
    (rf"\b(?:sum|total)\s+(?:of\s+)?(?=(?:{_MOST}|{_LEAST})\s)", ""),
    (rf"\b{_MOST}\s+(\d+)\s+(?:dice\s+)?(?:of\s+|from\s+|in\s+)?({_DICE})", r"highest(\2, \1)"),
    (rf"\b{_LEAST}\s+(\d+)\s+(?:dice\s+)?(?:of\s+|from\s+|in\s+)?({_DICE})", r"lowest(\2, \1)"),
    (rf"\b{_MOST}\s+of\s+({OPERAND})\s+and\s+({OPERAND})", r"max(\1, \2)"),
    (rf"\b{_LEAST}\s+of\s+({OPERAND})\s+and\s+({OPERAND})", r"min(\1, \2)"),
    (rf"\b{_MOST}\s+(?:die\s+)?(?:of\s+|from\s+|in\s+)?({_DICE})", r"highest(\1)"),
    (rf"\b{_LEAST}\s+(?:die\s+)?(?:of\s+|from\s+|in\s+)?({_DICE})", r"lowest(\1)"),
    (r"\b(?:middle|median)\s+(?:(\d+)\s+of\s+)?((\d+)d(?:\d+|%))", lambda found: _middle_dice(found)),
    (
        rf"\bcount\s+(\d+)\s*(<=|<|>=|>|=)\s*({_DICE})",
        lambda found: _function_of_matching("count", found),
    ),
    (rf"\bsum\s+(\d+)\s*(<=|<|>=|>|=)\s*({_DICE})", lambda found: _function_of_matching("sum", found)),
    (rf"\bcount\s+(?:values\s+)?\{{([^{{}}]*)\}}\s+in\s+({_DICE})", r"count(\2 where face in [\1])"),
    (rf"\bcount\s+(\d+)\s+in\s+({_DICE})", r"count(\2 where face == \1)"),
    (rf"\bsum\s+(?:of\s+)?({_DICE})", r"sum(\1)"),
    (r"\babsolute\s+([^\[\](){}]+)", r"abs(\1)"),
    (rf"(?<![\w.])\{{1\s*(?:,\s*2\s*)?\.\.\s*(\d+)\}}\s*@\s*({_DICE})", r"highest(\2, \1)"),
    (rf"(?<![\w.])\{{1,\s*2\}}\s*@\s*({_DICE})", r"highest(\1, 2)"),
    (r"(?<![A-Za-z_])(\d*[dD])\((\d+)\)", r"\1\2"),
    (rf"(?<![\w.])(\d+)@({_DICE})", r"kth(\2, \1)"),
    (rf"({_DICE})\s+(?:drop|dropping|without)\s+(?:the\s+)?lowest(?:\s+(\d+)(?![\w.]))?", r"\1dl\2"),
    (rf"({_DICE})\s+(?:drop|dropping|without)\s+(?:the\s+)?highest(?:\s+(\d+)(?![\w.]))?", r"\1dh\2"),
    (rf"({_DICE})\s+(?:keep|keeping)\s+(?:the\s+)?(?:highest|best|top)(?:\s+(\d+)(?![\w.]))?", r"\1kh\2"),
    (rf"({_DICE})\s+(?:keep|keeping)\s+(?:the\s+)?(?:lowest|worst)(?:\s+(\d+)(?![\w.]))?", r"\1kl\2"),
    (rf"({_DICE})\s+(?:keep|keeping)\s+(\d+)(?![\w.])", r"\1kh\2"),
    (r"(?<![\w.])1?(d20)\s+(?:with\s+)?(?:adv|advantage)\b", r"2\1kh1"),
    (r"(?<![\w.])1?(d20)\s+(?:with\s+)?(?:dis|disadvantage)\b", r"2\1kl1"),
    (r"(?<![\w.])1?(d20)((?:\s*[-+]\s*\w+)+)\s+(?:with\s+)?(?:adv|advantage)\s*$", r"2\1kh1\2"),
    (r"(?<![\w.])1?(d20)((?:\s*[-+]\s*\w+)+)\s+(?:with\s+)?(?:dis|disadvantage)\s*$", r"2\1kl1\2"),
    (rf"({OPERAND})\s*//\s*({OPERAND})", r"down(\1 / \2)"),
    (r"\bfloor\((?=[^()]*(?:\([^()]*\)[^()]*)*/)", "down("),
    (r"\bceil\((?=[^()]*(?:\([^()]*\)[^()]*)*/)", "up("),
    (r"\bround\((?=[^()]*(?:\([^()]*\)[^()]*)*/)", "nearest("),
    (r"\b(?:floor|ceil|round)\((?=[^/]*\))", "("),
)
"""Forms of words, in the order in which they are rewritten; in a template, `\\1` is a group of the pattern."""


@cache
def _compile_phrases() -> tuple[tuple[re.Pattern[str], Template], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), template) for pattern, template in PHRASES)


def rewrite_other_tools_phrases(text: PlacedText) -> PlacedText:
    """A text without what the result does not depend on, and without the words of other tools."""
    for unsaid in _UNSAID:
        text = replace_matches(text, re.compile(unsaid, re.IGNORECASE), "")
    text = replace_matches(text, _LABEL, r"\1")
    for sign, written in _SIGNS.items():
        if sign in text.text:
            text = replace_matches(text, re.compile(re.escape(sign)), written)
    for pattern, template in _compile_phrases():
        text = replace_matches(text, pattern, template)
    return text


def replace_matches(text: PlacedText, pattern: re.Pattern[str], template: Template) -> PlacedText:
    """A text with every match of a pattern rewritten; what a group holds keeps its place."""
    edits = [
        TextEdit(*match.span(), fill_template(text, match, template if isinstance(template, str) else template(match)))
        for match in pattern.finditer(text.text)
    ]
    return text.edit(edits) if edits else text


def fill_template(text: PlacedText, match: re.Match[str], template: str) -> PlacedText:
    """A template with the groups of a match in a text; all else comes from the whole of the match."""
    old = text.part(*match.span())
    filled = text.part(0, 0)
    for literal, group in _pieces(template):
        filled += old.instead(literal)
        if group is not None and match[group] is not None:
            filled += text.part(*match.span(group))
    return filled


def _pieces(template: str) -> Iterator[tuple[str, int | None]]:
    """`highest(\\2, \\1)` as literals, each with the group behind it."""
    at = 0
    for match in re.finditer(r"\\(\d)", template):
        yield template[at : match.start()], int(match[1])
        at = match.end()
    yield template[at:], None


def _function_of_matching(function: str, match: re.Match[str]) -> str:
    """A function of the dice that a number is compared with: `count 7 <= 5d10` (Troll)."""
    sign = "==" if match[2] == "=" else match[2]
    return rf"{function}(\3 where {match[1]} {sign} face)"


def _middle_dice(match: re.Match[str]) -> str:
    """The middle dice of a pool; unchanged where they are not in the middle."""
    some, number = int(match[1] or 1), int(match[3])
    at_each_end = (number - some) // 2
    if (number - some) % 2 or number < some:
        return match[0].replace("\\", "")
    return rf"\2dl{at_each_end}dh{at_each_end}" if at_each_end else r"\2"

"""HR2: expressions as text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import UNSURE, did_you_mean
from interpreter.diagnostics.usual_functions import OF_ANY_SIZE


def expression_too_long(span: Span, limit: int, what: str) -> Diagnostic:
    return Diagnostic("HR201", f"this expression has more than {limit:,} {what}", span, "split it into named steps")


def expression_too_deep(span: Span, limit: int | None = None) -> Diagnostic:
    deep = f"more than {limit} deep" if limit is not None else "too deep"
    return Diagnostic("HR201", f"this expression is nested {deep}", span, "split it into named steps")


def value_not_closed(span: Span) -> Diagnostic:
    help = "close it after the value: `{target.wounds}`; a brace of the text itself is written twice: `{{`"
    return Diagnostic("HR213", "this `{` is never closed", span, help)


def no_value_in_braces(span: Span) -> Diagnostic:
    help = "write a value between the braces: `{target.wounds}`; a brace of the text itself is written twice: `{{`"
    return Diagnostic("HR213", "nothing stands between these braces", span, help)


def words_without_number(span: Span) -> Diagnostic:
    """Of two words between braces that go by no number."""
    help = "put the number before them, as in `{wounds} {wound|wounds}`: the first word stands after 1, else the second"
    return Diagnostic("HR213", "these words go by the number in braces before them, and there is none", span, help)


_NOT_SIGNS = {
    "=": "write `==` to compare",
    "&&": "write `and`",
    "||": "write `or`",
    "|": "write `or`",
    "=>": "write `>=`",
    "=<": "write `<=`",
    "<>": "write `!=`",
    "**": "there are no powers: multiply instead, `x * x`",
    "//": "write `down(a / b)`",
    "!": "write `not`",
    "%": "write `units(x)` or `x - x / n * n`",
    "^": "there are no powers: multiply instead, `x * x`",
    "'": "words need no quotes inside an expression",
    '"': "words need no quotes inside an expression",
    "$": "names need no sign",
    "@": "names need no sign",
    "#": "names need no sign",
    "\u201c": "words need no quotes inside an expression",
    "\u201d": "words need no quotes inside an expression",
    "\u2018": "words need no quotes inside an expression",
    "\u2019": "words need no quotes inside an expression",
    "\u2264": "write `<=`",
    "\u2265": "write `>=`",
    "\u2260": "write `!=`",
    "\u00d7": "write `*`",
    "\u00f7": "write `/`",
    "\u2212": "write `-`",
    "\u2013": "write `-`",
    "{": "records are written in YAML, not inside an expression",
    "?": "write `a if condition else b`",
    ":": "write `a if condition else b`",
}

_MENDED = {
    "=": "==", "&&": "and", "||": "or", "=>": ">=", "=<": "<=", "<>": "!=",
    "\u2264": "<=", "\u2265": ">=", "\u2260": "!=", "\u00d7": "*", "\u00f7": "/", "\u2212": "-", "\u2013": "-",
}  # fmt: skip
"""Signs that can mean one thing alone, and what to write."""


def not_a_token(span: Span, rest: str) -> Diagnostic:
    word = re.match(r"[\w.]*", rest)[0]  # type: ignore[index]
    sign = next((sign for sign in _NOT_SIGNS if len(sign) > 1 and rest.startswith(sign)), rest[:1])
    span = span.part(0, len(word or sign))
    if (again := re.fullmatch(r"(\d*d\d+)r(?:o|r)?([<>=]*)(\d+)", word)) is not None:
        compared = f"face {again[2] or '=='} {again[3]}".replace("= =", "==")
        thrown = f"throw them, `rolled: {{roll: {again[1]}}}`, and in the next step `again: {{reroll: rolled where "
        return Diagnostic("HR202", f"`{word}` is not a number, dice or a name", span, f"{thrown}{compared}}}`")
    if sign == "=" and (change := _step_meant_by_change(span)) is not None:
        return Diagnostic("HR202", "`=` has no meaning here", span, change)
    if word[:1].isdigit() and "." in word:
        return Diagnostic("HR202", f"`{word}` is not a whole number", span, "the language has whole numbers only")
    if word[:1].isalnum():
        written = "dice are written `2d6`, codes `3D+2`, names begin with a letter"
        if re.fullmatch(r"\d*d", word) or re.fullmatch(r"\d+d(?!ice|ie)[^\W\d]\w*", word):
            written = f"a die is written `d6`, a pool `2d6`; {OF_ANY_SIZE}"
        elif many := re.fullmatch(r"(\d+)([a-z_]{3,}\w*)", word):
            written = f"of dice of your own, several are `times({many[2]}, {many[1]})`; others are written `2d6`"
        return Diagnostic("HR202", f"`{word}` is not a number, dice or a name", span, written)
    if not sign.isprintable() or sign.isspace():
        return Diagnostic("HR202", f"invisible character (U+{ord(sign):04X})", span)
    edits = ((span, _with_spaces(span, _MENDED[sign])),) if sign in _MENDED and span.text == sign else ()
    return Diagnostic("HR202", f"`{sign}` has no meaning here", span, _NOT_SIGNS.get(sign), edits=edits)


def _step_meant_by_change(span: Span) -> str | None:
    """The step that is meant by `who.luck -= 2` or `who.luck = 2`; None of any other `=`."""
    text = span.source.text
    before = re.search(r"([^\W\d]\w*\.[\w.]+)\s*([-+]?)\s*$", text[: span.start])
    after = re.match(r"=\s*([\w.()]+(?:\s*[-+*/]\s*[\w.()]+)*)", text[span.start :])
    if before is None or after is None:
        return None
    of, value = before[1], after[1]
    if before[2]:
        verb, side = ("lose", "from") if before[2] == "-" else ("gain", "to")
        return f"a change is a step of its own: `{{{verb}: {value}, {side}: {of}}}`"
    return f"write `==` to compare; a step changes a value, `{{set: {of}, to: {value}}}`"


def _with_spaces(span: Span, written: str) -> str:
    """A word or sign with the spaces that it needs beside it."""
    text = span.source.text
    before, after = text[max(span.start - 1, 0) : span.start], text[span.end : span.end + 1]
    return f"{'' if before.isspace() else ' '}{written}{'' if after.isspace() else ' '}"


def suggest_other_words(slip: Diagnostic, meant: str, words: str, whole: Span | None, alone: bool) -> Diagnostic:
    """A slip in an expression with what was probably meant, an expression, and the words of it that are none.

    `whole` is the place of the expression, if `meant` can be written there; `alone` says that it is all that can be
    meant.
    """
    edits = ((whole, meant),) if whole is not None and alone and not UNSURE.search(words) else ()
    if slip.code == "HR207" and words:  # the `else` is missing only because the words end the condition
        message = f"`{words}` has no meaning here"
        return replace(slip, message=message, help=f"write `{meant}`", edits=edits)
    kept = re.search(r"\b(highest|lowest)\((\d*d\d+), (\d+)\)", meant)
    if kept:  # the dice are to be thrown first: to keep some of a pool takes its biggest dice
        cure = (
            f"throw the dice in a step, `rolled: {{roll: {kept[2]}}}`, and read `{kept[1]}(rolled, {kept[3]})` after it"
        )
        return replace(slip, message=f"`{words}` has no meaning here", help=cure, edits=())
    return replace(slip, help=f"write `{meant}`", edits=edits)


def how_dice_are_read(steps: Iterable[tuple[str, str]], read: str, die: str) -> str:
    """How the language has dice that are written in the notation of other tools: steps that throw them, what is read of
    the last one, and the declaration of a die that they need; the last two are empty where there is no need of them."""
    steps = list(steps)
    first = f"declare `{die}` under `dice`; " if die else ""
    thrown = " and ".join(f"`{name}: {text}`" for name, text in steps)
    there = f"throw the dice in {'a step' if len(steps) == 1 else 'steps'}, {thrown}"
    return first + there + (f", and read `{read}` after it" if read else "")


def number_too_large(span: Span) -> Diagnostic:
    return Diagnostic("HR203", "this number is too large", span)


def bracket_never_closed(span: Span, bracket: str) -> Diagnostic:
    closing = {"(": ")", "[": "]"}.get(bracket, "")
    return Diagnostic("HR204", f"this `{bracket}` is never closed", span, f"put a `{closing}` where it ends")


def unexpected_token(span: Span, text: str, wanted: str | None) -> Diagnostic:
    message = f"unexpected `{text}`" + (f", where `{wanted}` is expected" if wanted else "")
    return Diagnostic("HR205", message, span, _ways_out_of_brackets(span) or _UNEXPECTED.get(text))


def _ways_out_of_brackets(span: Span) -> str | None:
    """The ways out of `name[key]`, with what stands there; None for anything else."""
    text = span.source.text
    before = re.search(r"([^\W\d][\w.]*)\s*$", text[: span.start])
    inside = re.match(r"\[([^\[\]\n]+)\]", text[span.start :])
    if before is None or inside is None:
        return None
    name, key = before[1], inside[1].strip()
    return (
        f"write `{name}({key})` for a row of a table, `item({name}, {key})` for one of a list, "
        f"`kth({name}, {key})` for a die, counted from the highest"
    )


def left_over(span: Span, text: str, between: Iterable[str]) -> Diagnostic:
    """For text after a complete expression; `between` are the words that could join the two."""
    missing = "something is missing before it: a sign such as `+`, or a word such as `and`"
    near = did_you_mean(text, between) if text[:1].isalpha() and text not in between else None
    if re.search(r"\b(?:roll|throw)\s*$", span.source.text[: span.start]):
        near = f"a step throws dice: `{{roll: {text}}}`"
    bare = re.search(r"(?<![\w.])(\d+)\s+$", span.source.text[: span.start])
    if text.isalpha() and text not in between and bare:
        near = f"a number has no unit: write `{bare[1]}`"
    number = re.search(r"\b([^\W\d]\w*)\s+$", span.source.text[: span.start])
    if re.fullmatch(r"d\d+", text) and number and number[1] not in _WORDS_BEFORE_DICE:
        near = f"for `{number[1]}` dice, write `({number[1]}){text}`"
    if text == "," and re.search(r"\d$", span.source.text[: span.start]) and span.source.text[span.end :][:1].isdigit():
        near = "the language has whole numbers only: half of a number is `x / 2`"
        return Diagnostic("HR205", f"unexpected `{text}`", span, near)
    if span.source.text[span.start - 1 : span.start] == ")" and text[:1].isalpha():
        near = "only dice like `d6` may follow `)`; to take another pool `n` times, write `times(pool, n)`"
    way_out = _ways_out_of_brackets(span) or _UNEXPECTED.get(text) or near or missing
    done = re.match(r"then\s+(\w+)\s+(\S+)", span.source.text[span.start :])
    if done is not None and done[1] in ("lose", "gain", "set", "add", "remove", "pay", "roll", "cause", "make"):
        way_out = "an outcome does something in steps: `{if: total >= 7, steps: {its_name: {gain: 1, to: who.luck}}}`"
    return Diagnostic("HR205", f"unexpected `{text}`", span, way_out)


_WORDS_BEFORE_DICE = ("and", "or", "not", "if", "else", "in", "is", "by", "where", "of", "roll", "throw", "otherwise")


def prose_row(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR205", "this looks like a sentence, but a row is an expression", span, "add `type: text` beside `rows`"
    )


_UNEXPECTED = {
    ",": "several values are a list, in brackets: `[a, b]`",
    "[": "a row of a table is read with round brackets, `price(ware)`, the `n`-th of a list with `item(xs, n)`, "
    "the `k`-th highest die with `kth(xs, k)`",
    "to": "the highest number has a key of its own: `from: 1, to: 6`",
    "loses": "a change is a step of its own: `{lose: 4, from: who.gold}`",
    "gains": "a change is a step of its own: `{gain: 4, to: who.gold}`",
    "spends": "a change is a step of its own: `{lose: 4, from: who.gold}`",
    "takes": "a change is a step of its own: `{lose: 4, from: who.gold}`",
    **dict.fromkeys(("least", "most", "than"), "a value is missing before the comparison: `total >= 5`"),
    **dict.fromkeys(("has", "contains", "includes"), "write `a in xs`, as in `rope in actor.things`"),
    "are": "write `a == b` to compare two values",
    "between": "write `3 <= x <= 5`",
    "then": "write `a if condition else b`",
    **dict.fromkeys((">=", ">", "<=", "<", "==", "!="), "a value is missing before it: `face >= 5`, `total >= 5`"),
    **dict.fromkeys(("*", "/", "&"), "a value is missing before it"),
    "]": "a `[` is missing before it",
    ")": "a `(` is missing before it",
    "=": "write `==` to compare",
}


def something_missing(span: Span) -> Diagnostic:
    return Diagnostic("HR206", "the expression ends too early: a value is missing here", span,
                      "write the value, or remove the sign before it")  # fmt: skip


def nothing_there(span: Span) -> Diagnostic:
    return Diagnostic("HR206", "an expression is missing here", span)


def if_without_else(span: Span) -> Diagnostic:
    return Diagnostic("HR207", "this `if` has no `else`", span, "write `a if condition else b`")


def not_in_the_middle(span: Span, word: str) -> Diagnostic:
    return Diagnostic(
        "HR208", f"`not` cannot stand before `{word}` here", span, "write `not a`, `x is not word` or `x not in list`"
    )


def chained_comparison(span: Span) -> Diagnostic:
    return Diagnostic("HR209", "comparisons cannot be chained like this", span, "join two of them with `and`")


def no_field_name(span: Span) -> Diagnostic:
    return Diagnostic("HR210", "the name of a field is expected after `.`", span)


def word_out_of_place(span: Span, word: str) -> Diagnostic:
    cure = "write `a if condition else b`" if word == "if" else None
    return Diagnostic("HR211", f"a value is expected here, not `{word}`", span, cure)


def bad_dice(span: Span, why: str) -> Diagnostic:
    written = "a die is written `d6`, a pool `2d6`; dice of other faces stand under `dice`, with `faces: [1, 1, 2]`"
    return Diagnostic("HR212", f"invalid dice: {why}", span, written)

"""HR4: types."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from enum import Enum

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.run import THROWN_ANEW
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import in_backticks, list_words


def wrong_type(span: Span, wanted: str, found: str) -> Diagnostic:
    help_text = None
    if wanted == "a number" and found.startswith("a list (each a number"):
        help_text = f"write `sum({span.text})`, or `highest({span.text})`"
    elif wanted == "a number" and found.startswith("a map (each a number"):
        help_text = f"name a word, `{span.text}(…)`, or write `sum({span.text})`"
    elif wanted == "dice" and (bare := re.fullmatch(r"\[+\s*(\d*d\d+)\s*\]+", span.text)):
        help_text = f"write `{bare[1]}`"
    elif wanted == "a number" and found.startswith("a list"):
        help_text = f"its length is `count({span.text})`; to put more into a list, write `{span.text} & [a]`"
    elif wanted.startswith("one of") and found.startswith("a list"):
        help_text = f"to move several, write `{{put: {span.text}, into: …}}`"
    elif wanted == "a die" and found == "a number" and span.text.isdigit():
        help_text = f"write `d{span.text}`"
    elif wanted == "a number" and found in ("`yes`", "`no`", "`on`", "`off`"):
        help_text = f"write `{1 if found in ('`yes`', '`on`') else 0}`, or give the value `type: yes_no`"
    elif found.endswith(" that may be missing"):
        help_text = f"say first what is meant where it is missing: `if: given({span.text})`"
    elif wanted == "a number" and found == "yes or no":
        help_text = f"write `(1 if {span.text} else 0)`"
    elif wanted == "yes or no" and found == "a number":
        compared = f"face == {span.text}" if span.text.isdigit() else f"{span.text} > 0"
        help_text = f"compare it with another number, such as `{compared}`"
    return Diagnostic("HR401", f"this should be {wanted}, not {found}", span, help_text)


def word_as_number(span: Span, found: str, ladder: str | None) -> Diagnostic:
    """`ladder` is the ladder that the word is of, if it is of one."""
    in_a_table = "look it up in a table of numbers"
    help_text = f"take the number of its rung, `rung_of({ladder}, {span.text})`, or {in_a_table}"
    return Diagnostic("HR401", f"this should be a number, not {found}", span, help_text if ladder else in_a_table)


def added_dice(span: Span, dice: Iterable[str]) -> Diagnostic:
    """Of `roll: d8 + d6`."""
    return Diagnostic("HR401", "`+` adds numbers, and these are dice", span, f"write `{' & '.join(dice)}`")


def number_added_to_dice(span: Span, dice: Iterable[str], numbers: Iterable[str]) -> Diagnostic:
    """Of `roll: 2d6 + 3`; `numbers` have their signs."""
    thrown, more = " & ".join(dice), " ".join(numbers)
    if not re.search(r"\broll:\s*[\"'(]*$", span.source.text[: span.start]):
        bonus = more.removeprefix("+ ").replace("- ", "-")
        declared = re.search(r"\bdefault:\s*[\"'(]*$", span.source.text[: span.start]) is not None
        named = f"bonus: {{type: number, default: {bonus}}}" if declared else f"bonus: {bonus}"
        return Diagnostic("HR401", "dice are no sum, and a number is no die", span,
                          f"write `{thrown}`, and beside it the number under a name of its own, `{named}`; where the "
                          "dice are thrown, read `sum(rolled) + bonus`")  # fmt: skip
    return Diagnostic("HR401", "a roll throws dice, and a number is no die", span,
                      f"throw the dice, `rolled: {{roll: {thrown}}}`, and write the sum in a step after it: "
                      f"`total: sum(rolled) {more}`")  # fmt: skip


def multiplied_dice(span: Span, number: str, die: str) -> Diagnostic:
    """Of `roll: n * d6`."""
    number = number.strip("()")
    return Diagnostic("HR401", "`*` multiplies numbers, and this is a die", span,
                      f"write `{number if number.isdigit() else f'({number})'}{die}`")  # fmt: skip


def subtracted_dice(span: Span) -> Diagnostic:
    """Of `roll: 2d6 - d4`."""
    return Diagnostic("HR401", "`-` subtracts numbers, and these are dice", span,
                      "throw each in a step of its own, and subtract the sums")  # fmt: skip


def skipped_call(span: Span, found: str) -> Diagnostic:
    """Of `outcomes: {as: vault}`, where the step `vault` has an `if`."""
    return Diagnostic(
        "HR401", f"this should be a step that calls a mechanic with outcomes, not {found}", span,
        "it must always be done: leave out its `if`, or `end` the rule before it with an outcome of its own",
    )  # fmt: skip


def words_as_conditions(span: Span, words: Iterable[str], left: str, first: str, denied: bool) -> Diagnostic:
    """Of `room is hall or stair`, where the words after `or` stand alone; `span` is the first of them."""
    words = list(words)
    there = f"`{words[0]}` is a word" if len(words) == 1 else f"{list_words(words)} are words"
    return Diagnostic(
        "HR401", f"each side of `and` and `or` is a condition of its own, and {there}", span,
        f"write `{left} {'not in' if denied else 'in'} [{', '.join((first, *words))}]`",
    )  # fmt: skip


def word_as_condition(span: Span, word: str, of: str) -> Diagnostic:
    """Of `room is hall or stair`: the words on both sides of `or` are compared."""
    return Diagnostic(
        "HR401", f"this should be yes or no, and `{word}` is a word of `{of}`", span,
        f"each side of `and` and `or` is a comparison of its own: `… is {word}`; or write `… in [{word}, …]`",
    )  # fmt: skip


def number_among_dice(span: Span, dice: Span, is_number: bool) -> Diagnostic:
    """Of `x in dice`, which asks whether this very die is one of the others."""
    number = span.text if is_number else f"sum({span.text})"
    return Diagnostic(
        "HR401", f"this should be one of the dice, but {in_backticks(span)} is a number", span,
        f"ask for its number: `any({dice.text} where value == {number})`",
    )  # fmt: skip


def roll_as_number(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR402",
        "a roll of several dice is not a number",
        span,
        f"write `sum({span.text})`, `highest({span.text})` or `count({span.text})`; "
        f"to test each die by itself, `{span.text} where face == 6`",
    )


def default_unasked(slip: Diagnostic) -> Diagnostic:
    """A mistake in the default of a choice, which only shows where the choice is not asked."""
    return replace(
        slip, help="a choice whose `if` does not hold has its default, too; give its value for that case with `else: …`"
    )


def may_be_missing(span: Span, instead: str | None = None, of_dice: bool = False) -> Diagnostic:
    """`instead` is a value of the type, as the author writes it; None if it cannot be written."""
    help_text = f"use it only where `given({span.text})`" if span.text.isidentifier() else "test `given(…)` first"
    if instead is not None and _reads_earlier_passes(span):
        help_text = f"the first one has none before it: write `({_expression_in_help(span)} otherwise {instead})`"
    elif instead is not None:
        help_text = (
            f"give a value for that case, `({_expression_in_help(span)} otherwise {instead})`, or test `given(…)` first"
        )
    if of_dice:
        help_text = f"write `sum({span.text}) if given({span.text}) else 0`, or roll `… if condition else no_dice`"
    return Diagnostic("HR403", f"{in_backticks(span)} may be missing", span, help_text)


def none_as_value(span: Span) -> Diagnostic:
    """Of `none < 1`."""
    help_text = "write a value; `given(…)` tests whether there is one"
    return Diagnostic("HR403", "`none` stands for no value, and one is needed here", span, help_text)


def empty_list_without_type(span: Span) -> Diagnostic:
    """Of `[].size`: nothing says what an element would be."""
    help_text = "write a list with elements, or read one that has a name and a type"
    return Diagnostic("HR416", "`[]` has no elements of which anything can be read", span, help_text)


def _expression_in_help(span: Span, short: str = "…") -> str:
    """An expression as it is repeated in a help, in short where it is long."""
    text = " ".join(span.text.split())
    return text if len(text) <= 40 else short


def _reads_earlier_passes(span: Span) -> bool:
    """Whether an expression reads what came before in a `repeat` or a roll."""
    return re.search(r"\bearlier\b", span.text) is not None


def skipped_reroll(span: Span) -> Diagnostic:
    """Of a `reroll` with `if` and without `else`."""
    help_text = (
        f"make it a stage of the roll, `then: {{{span.text}: {{reroll: …, if: …}}}}`; a skipped stage changes nothing"
    )
    return Diagnostic("HR403", f"{in_backticks(span)} may be missing", span, help_text)


def may_be_empty(span: Span, name: str, instead: str | None) -> Diagnostic:
    """`instead` is a value of the type, as the author writes it; None if it cannot be written."""
    help_text = (
        f"write `({_expression_in_help(span, f'{name}(…)')} otherwise {instead})`" if instead is not None else None
    )
    if help_text is not None and _reads_earlier_passes(span):
        help_text = f"the first one has none before it: {help_text}"
    if help_text is None:
        help_text = f"name it in a step, `best: {name}(…)`, and use `best` only where `given(best)`"
    return Diagnostic("HR404", f"this may be empty, and `{name}` of nothing has no value", span, help_text)


def wrong_argument(span: Span, function: str, wanted: str, found: str) -> Diagnostic:
    help_text = "such as the step of a roll, `rolled`, or a list, `[1, 2]`"
    if wanted == "a word":
        of_lists = {"min": "lowest", "max": "highest"}.get(function, "first")
        help_text = f"of a list, write `{of_lists}(…)`"
    elif "one of" in found:
        help_text = "words have no sum: look each up in a table of numbers; of a ladder, take `rung_of(ladder, word)`"
    return Diagnostic("HR405", f"`{function}` takes {wanted} here, not {found}", span, help_text)


def hidden_ladder(span: Span, function: str, name: str, by: str) -> Diagnostic:
    """`by` is what has the name of a ladder as well, and is read in its place."""
    return Diagnostic("HR405", f"`{function}` takes a ladder here, and {by} `{name}` hides the ladder `{name}`", span,
                      "give one of the two another name")  # fmt: skip


def wrong_count(span: Span, function: str, wanted: str, found: int, takes: Iterable[str] = ()) -> Diagnostic:
    """`takes` are names for what a function or a table takes."""
    takes = list(takes)
    cure = {"max": "highest", "min": "lowest"}.get(function) if found == 1 else None
    help_text = f"for dice or a list, write `{cure}(…)`" if cure else None
    if function == "count" and found == 2:
        help_text = "to count some of the dice, write `count(rolled where face == 6)`"
    elif takes:
        help_text = f"write `{function}({', '.join(takes)})`"
    return Diagnostic("HR406", f"`{function}` takes {wanted}, not {found}", span, help_text)


def carried_as_another(span: Span, name: str, begins: str, goes_on: str, step: Span) -> Diagnostic:
    """Of a step under `carry` whose first value is of another type than the step."""
    message = f"`{name}` begins as {begins}, and goes on as {goes_on}"
    help_text = "write under `carry` what the step would be before the first pass, of the same type"
    return Diagnostic("HR407", message, span, help_text, notes=((step, "the step is here"),))


def no_common_type(span: Span, left: str, right: str) -> Diagnostic:
    help_text = None
    if "a roll" in (left, right) and {left, right} & {"dice", "a die"}:
        help_text = "a step turns dice into a roll: `{roll: … if condition else no_dice}`"
    elif "a roll" in (left, right) and "a number" in (left, right):
        help_text = "turn the roll into a number with `sum(…)`, `highest(…)` or `count(…)`"
    return Diagnostic("HR407", f"this is {left} in one case and {right} in the other", span, help_text)


def no_list_to_join(span: Span, of: str, found: str, is_one: bool) -> Diagnostic:
    """Of `names & rope`, a list and something that is none; `is_one` if it could be an element of the list."""
    help_text = f"a list of one is written in brackets: `[{_expression_in_help(span)}]`" if is_one else None
    return Diagnostic("HR407", f"`&` joins {of} and another list, and this is {found}", span, help_text)


def joined_conditions(left: Span, right: Span) -> Diagnostic:
    """Of `total >= 7 & bold`."""
    if left.source != right.source:  # what `base` stands for is written in another file
        return Diagnostic("HR401", "`&` puts dice or lists together, and joins no conditions", right, "write `and`")
    sign = _sign_between(left, right)
    return Diagnostic("HR401", "`&` puts dice or lists together, and joins no conditions", sign,
                      "write `and`", edits=((sign, "and"),))  # fmt: skip


def no_common_list(span: Span, left: str, right: str) -> Diagnostic:
    return Diagnostic("HR407", f"`&` joins two lists of one type, and these are {left} and {right}", span)


def not_comparable(span: Span, left: str, right: str) -> Diagnostic:
    return Diagnostic("HR408", f"{left} and {right} cannot be compared", span)


def number_as_condition(span: Span, before: Span) -> Diagnostic:
    """Of `face == 5 or 6`."""
    compared = re.fullmatch(r"(.+?)\s*(?:==|\bis\b)\s*(\d+)", before.text)
    whole = f"`{compared[1]} in [{compared[2]}, {span.text}]`" if compared else f"`… == {span.text}`"
    message = f"each side of `and` and `or` is a condition of its own, and `{span.text}` is a number"
    return Diagnostic("HR401", message, span, f"write {whole}")


def no_word_before_is(span: Span, left: Span, right: Span, found: str, meant: str) -> Diagnostic:
    """Of `total is high`, where `left` is `found` and no word; `meant` is a comparison that it may be."""
    meant = f"not {meant}" if _is_denied(right) else meant
    return Diagnostic("HR409", f"`is` compares words, and {in_backticks(left)} is {found}", span, f"write `{meant}`")


def number_before_is(span: Span, left: Span, right: Span, found: str) -> Diagnostic:
    """Of `total is 7`, where `left` is `found` and can be compared with `right` by a sign."""
    denied = _is_denied(right)
    sign = "!=" if denied else "=="
    message = f"`{'is not' if denied else 'is'}` compares words, and `{sign}` numbers and truth"
    return _with_another_sign("HR409", message, span, left, right, sign, found)


def function_after_is(span: Span, function: str, left: Span) -> Diagnostic:
    """Of `total is odd`."""
    denied = "not " if re.search(r"\bnot\s+\w+$", span.source.text[left.end : span.end]) else ""
    written = f"{denied}{function}({_expression_in_help(left)})"
    return Diagnostic("HR409", f"`is` compares words, and `{function}` is a function", span,
                      f"write `{written}`", proposed=((span, written),))  # fmt: skip


def _is_denied(right: Span) -> bool:
    """Whether `is not` stands before the right side of a comparison."""
    return re.search(r"\bis\s+not[\s(]*$", right.source.text[: right.start]) is not None


def equals_for_numbers(span: Span, left: Span, sign: str, right: Span) -> Diagnostic:
    """Of `mood != calm`."""
    relation = "is not" if sign == "!=" else "is"
    message = f"`{sign}` compares numbers and truth, and `{relation}` words"
    return _with_another_sign("HR410", message, span, left, right, relation, "words")


def _with_another_sign(
    code: str, message: str, span: Span, left: Span, right: Span, sign: str, found: str
) -> Diagnostic:
    if left.source != right.source:  # what `base` stands for is written in another file
        return Diagnostic(code, message, span, f"write `{sign}` for {found}")
    whole = Span(span.source, left.start, right.end)
    truth = {"true": "yes", "false": "no"}.get(right.text.lower()) if sign in ("==", "!=") else None
    instead = f"{left.text} {sign} {truth or right.text}"
    help_text = f"write `{instead}`" if len(instead) <= 60 and "\n" not in instead else f"write `{sign}` for {found}"
    edits = ((_sign_between(left, right), sign), *([(right, truth)] if truth else []))
    return Diagnostic(code, message, whole, help_text, edits=edits)


def _sign_between(left: Span, right: Span) -> Span:
    """The sign between two expressions, without brackets and space around it; empty if they stand in two files."""
    if left.source != right.source:
        return Span(right.source, right.start, right.start)
    start, end = left.end, right.start
    text = left.source.text[start:end]
    return Span(left.source, start + len(text) - len(text.lstrip(" )\n")), end - len(text) + len(text.rstrip(" (\n")))


def words_without_order(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR411", f"the words of `{name}` have no order", span, "make it a ladder")


def nested_slot(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR412",
        "a `where` or `by` inside another one would mix up their elements",
        span,
        "make the inner one a function or a step of its own",
    )


def rounding_of_no_division(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR413", f"`{name}` rounds a division, and this is not one", span, f"write `{name}(a / b)`")


def not_a_collection(span: Span, word: str, found: str, sought: str = "") -> Diagnostic:
    """`sought` is what `in` looks for."""
    if word != "in" or found in ("dice", "a die"):
        takes = "dice or a list" if word in ("where", "by") else "a list"
        message = f"`{word}` takes {takes}, not {found}"
    else:
        message = f"`in` looks for something in a list, not in {found}"
    if word == "in" and found.startswith("a roll"):
        help_text = f"write `any({_expression_in_help(span)} where face == {sought})`"
    elif found in ("dice", "a die") or found.startswith("a roll"):
        help_text = "throw dice in a step, `rolled: {roll: …}`, and say which number of them you mean: `rolled.face`"
        if word == "in":
            thrown = f"rolled: {{roll: {_expression_in_help(span)}}}"
            help_text = f"throw them in a step, `{thrown}`, and write `any(rolled where face == {sought})`"
    elif word == "in":
        compared = f"`{sought} == {_expression_in_help(span)}`"
        help_text = f"several values are a list, `{sought} in [1, 3]`; one is compared, {compared}"
    else:
        help_text = f"a list is written in brackets, `[{_expression_in_help(span)}, …]`"
    return Diagnostic("HR414", message, span, help_text)


def needless_given(span: Span) -> Diagnostic:
    return Diagnostic("HR902", "this is never missing", span, severity="warning")


def needless_otherwise(span: Span) -> Diagnostic:
    return Diagnostic("HR903", "this is never missing, so `otherwise` changes nothing", span, severity="warning")


def code_without_die(span: Span) -> Diagnostic:
    return Diagnostic("HR415", "the die `D` is not declared", span, "add it to the section `dice`: `D: d6`")


def no_type(span: Span) -> Diagnostic:
    return Diagnostic("HR416", "the type of this expression is unclear", span, "write it more simply, in several steps")


def never_thrown_anew(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR417", "dice of this roll are rerolled, but its `each` asks, changes the state or ends the rule", span,
        THROWN_ANEW,
    )  # fmt: skip


class NoRoll(Enum):
    """Why dice do not come from a single roll: several rolls are joined, they are one of each pass, they come from one
    of several rolls, their roll cannot be read here, or the step that throws them is the row to which they come."""

    JOINED = "these dice come from two rolls"
    LISTED = "these dice come from several rolls"
    SEVERAL = "these dice come from one of several rolls"
    HIDDEN = "the roll that these dice come from cannot be read here"
    ROW = "this step is a row"


_ROLLED_ANEW = {
    NoRoll.JOINED: "reroll each roll in a step of its own, and put them together after it: `a & b`",
    NoRoll.LISTED: "reroll them where they are thrown, beside the `roll` in the same `each`",
    NoRoll.SEVERAL: "reroll each roll in a step of its own",
    NoRoll.HIDDEN: "name the roll itself: `{reroll: rolled where face == 1}`",
    NoRoll.ROW: "throw the dice in one of their own, `dice: {roll: d6}`, and read the row after the reroll",
}


def no_single_roll(span: Span, why: NoRoll) -> Diagnostic:
    """Of `reroll: a & b`."""
    return Diagnostic("HR420", f"a reroll gives a whole roll, and {why.value}", span, _ROLLED_ANEW[why])


def no_row_of_dice(span: Span, tables: Iterable[str]) -> Diagnostic:
    """Of `on: 7`, and of `on: mishaps(2)`, which says nothing of the dice."""
    table = next(iter(tables), "its_table")
    help_text = f"name a table, `on: {table}`, or read one with `it`: `on: {table}(it + 1)`"
    return Diagnostic("HR401", "this should be a row of a table, read with what the dice come to", span, help_text)


def cannot_show(span: Span, die: str, face: str, faces: str) -> Diagnostic:
    """Of dice that a step turns to a face; `face` as it is written, or as it came out in play."""
    help_text = f"it shows {faces}; `clamp(…, low, high)` keeps a number between two others"
    return Diagnostic("HR418", f"the die `{die}` cannot be turned to `{face}`", span, help_text)

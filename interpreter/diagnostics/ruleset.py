"""HR5: tables, ladders, outcomes and options as wholes."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import UNSURE, list_words, near_or_list, nearest_name, respelling_edit
from interpreter.diagnostics.usual_ranges import MeantRange


def incomplete_outcomes(span: Span, example: str | None) -> Diagnostic:
    note = f", for example where {example}" if example else ""
    return Diagnostic("HR501", f"these outcomes do not cover every case{note}", span, "end with `name: otherwise`")


def unreachable_outcome(span: Span, name: str, because: Span | None = None) -> Diagnostic:
    notes = ((because, "this one always holds first"),) if because else ()
    help_text = "move it up, or remove it" if because else "the outcomes above it cover everything; remove it"
    return Diagnostic("HR502", f"`{name}` can never be reached", span, help_text, notes)


def outcome_never_holds(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR502", f"`{name}` can never be reached: its condition never holds", span, "remove it")


def range_without_read(span: Span, read: str, written: Iterable[tuple[str, str]]) -> Diagnostic:
    """Of `fair: 7 to 9` in outcomes that do not say which number is read, which may be `read`.

    `written` are all the outcomes as ranges, with their names; none where some of them are conditions.
    """
    written = list(written)
    help_text = f"name it first among the outcomes: `read: {read}`"
    if written:
        whole = ", ".join(f"{name}: {text}" for name, text in (("read", read), *written))
        help_text += f", and write ranges in words: `{{{whole}}}`" if len(whole) <= 160 else ""
    return Diagnostic("HR516", f"nothing says which number is {span.text}", span, help_text)


def range_beside_conditions(span: Span, read: str, meant: str) -> Diagnostic:
    """Of `fair: 7 to 9` among outcomes that are conditions; `meant` is the range as a comparison of `read`."""
    return Diagnostic("HR516", f"nothing says which number is {span.text}", span, f"compare it: `{meant}`; or name the "
                      f"number first, `read: {read}`, and write every outcome as a range")  # fmt: skip


ENDS_OF_RANGES = {
    **dict.fromkeys(("more", "greater", "higher", "bigger", "larger", "better", "above", "over", "up"), ">="),
    **dict.fromkeys(("less", "fewer", "lower", "smaller", "worse", "below", "under", "down"), "<="),
}
"""The words behind `or` that make a range of a number, each with the sign of an expression."""


def range_of_nothing(span: Span, word: str, bound: str, known: Iterable[str]) -> Diagnostic:
    """Of `hit: 10 or more` in an expression; `known` are the numbers that it may read."""
    read = next(reversed(list(known)), "total")
    return Diagnostic("HR516", f"nothing says which number is {span.text}", span,
                      f"compare it: `{read} {ENDS_OF_RANGES[word]} {bound}`")  # fmt: skip


def range_behind(span: Span, compared: str, sign: str, word: str, bound: str, chained: bool) -> Diagnostic:
    """Of `total >= 10 or more`, in which the sign and the words say the same, or do not; `chained` of `1 <= x <= 6`."""
    likely_range = ENDS_OF_RANGES[word]
    written = f"{compared} {likely_range} {bound}"
    if sign not in (likely_range, "==", "is"):
        ways = f"write `{written}` or `{compared} {sign} {bound}`, whichever is meant"
        return Diagnostic("HR516", f"`{sign}` and `or {word}` do not say the same", span, ways)
    edits = () if chained or UNSURE.search(word) else ((span, written),)
    return Diagnostic("HR516", f"`or {word}` is no part of a comparison: its sign says it", span,
                      f"write `{written}`", edits=edits)  # fmt: skip


def outcome_behind(span: Span, word: str, name: str, written: str = "otherwise") -> Diagnostic:
    """Of `otherwise: failure`, and of `10+: success`, whose range is `written` otherwise here."""
    return Diagnostic("HR503", f"`{word}` is no name of an outcome: the name stands first, and the condition behind it",
                      span, f"write `{name}: {written}`")  # fmt: skip


def otherwise_not_last(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR503", f"nothing after `{name}: otherwise` can be reached", span, "move it to the end")


def gap_in_ranges(span: Span, first: int, last: int | None, of_table: bool) -> Diagnostic:
    missing = f"{first}" if first == last else f"{first} to {last}" if last is not None else f"{first} and more"
    return Diagnostic("HR504", f"there is a gap: nothing covers {missing}", span, _gap_help(of_table))


def gap_below(span: Span, last: int, of_table: bool) -> Diagnostic:
    help_text = _gap_help(of_table)
    if not of_table:
        help_text += f"; a number that is never {last} or less can say so: an input with `from: {last + 1}`"
        help_text += f", a step with `max(…, {last + 1})`"
    return Diagnostic("HR504", f"there is a gap: nothing covers {last} and less", span, help_text)


def _gap_help(of_table: bool) -> str:
    other = "add `off_the_rows`" if of_table else "end with `name: otherwise`"
    return f"extend a range, or {other}"


def overlapping_ranges(span: Span, key: str, first: Span, other: str) -> Diagnostic:
    return Diagnostic("HR505", f"`{key}` overlaps with `{other}`", span, "let one of them begin after the other ends",
                      notes=((first, "the other range"),))  # fmt: skip


def empty_range(span: Span, key: str) -> Diagnostic:
    return Diagnostic(
        "HR506", f"`{key}` goes from the higher number to the lower", span, "the smaller number comes first"
    )


def nothing_among(span: Span) -> Diagnostic:
    return Diagnostic("HR596", "there is nothing to choose from: this list is empty", span,
                      "write what there is to choose from, `[a, b]`, or remove the question")  # fmt: skip


def least_above_most(span: Span, least: int, most: int) -> Diagnostic:
    return Diagnostic("HR596", f"at least {least} and at most {most} can never be chosen", span,
                      "the smaller number stands at `least`")  # fmt: skip


def least_above_all(span: Span, least: int, there: int) -> Diagnostic:
    message = f"there are only {there} to choose from, so at least {least} is always all of them"
    return Diagnostic("HR922", message, span, f"write {there} or fewer, or lengthen the list", severity="warning")


def bad_range(span: Span, key: str) -> Diagnostic:
    return Diagnostic(
        "HR507", f"`{key}` is not a range of numbers", span, "write `7`, `7 to 9`, `6 or less` or `10 or more`"
    )


def ranges_of_others(ranges: Iterable[tuple[Span, str, MeantRange]]) -> Diagnostic:
    """Of rows `2-5` and `6+` in one table, each with the range that is meant."""
    first, *more = list(ranges)
    help_text = f"write `{first[2].text}`"
    if more:
        help_text += ", and so on: " + ", ".join(f"`{meant.text}` for `{text}`" for _, text, meant in more[:3])
    edits = [(span, meant.text) for span, text, meant in (first, *more) if meant.sure and span.text == text]
    return Diagnostic("HR507", f"`{first[1]}` is not how a range of numbers is written", first[0], help_text,
                      edits=tuple(edits) if len(edits) == len(more) + 1 else ())  # fmt: skip


ALL_THE_REST = (
    "otherwise",
    "else",
    "default",
    "other",
    "others",
    "rest",
    "any",
    "anything",
    "everything",
    "*",
    "_",
    "?",
)
"""What authors write for the row of everything that has none."""


def row_of_the_rest(span: Span, key: str, value: str) -> Diagnostic:
    """Of a row `otherwise: 2`."""
    return Diagnostic("HR511", f"`{key}` is no key of a row: what has no row is said beside the rows", span,
                      f"write `off_the_rows: {value}` beside `rows`, and remove this one")  # fmt: skip


def missing_rows(span: Span, table: str, words: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR508",
        f"`{table}` has no row for {list_words(words)}",
        span,
        "add the rows, or add `off_the_rows`",
        about=table,
    )


def dice_off_the_rows(span: Span, table: str, numbers: Iterable[str]) -> Diagnostic:
    """Of `on: mishaps` beside `roll: d8`, where the rows of the table end at 6."""
    words = list(numbers)
    rows = " and ".join([f"`{words[0]}`", "…", f"`{words[-1]}`"] if len(words) > 2 else [f"`{one}`" for one in words])
    return Diagnostic(
        "HR508",
        f"`{table}` has no row for {rows}, and the dice come to that",
        span,
        "add the rows, throw other dice, or give the table `off_the_rows: nearest`",
        about=table,
    )


def misspelt_rows(table: str, of: str, missing: Iterable[str], strays: Iterable[tuple[str, Span]]) -> list[Diagnostic]:
    """Rows that are no words of the list `of`, each with the word that must be meant, which has no row."""
    missing = list(missing)
    found = [(place, row, nearest_name(row, missing, sure=True)) for row, place in strays]
    return [
        Diagnostic("HR508", f"`{row}` is not a word of `{of}`, and `{table}` has no row for `{near}`", place,
                   f"did you mean `{near}`?", edits=respelling_edit(place, row, missing), about=table)
        for place, row, near in found if near is not None
    ]  # fmt: skip


def doubled_rung(span: Span, name: str, first: Span) -> Diagnostic:
    return Diagnostic("HR509", f"`{name}` appears twice on this ladder", span, "remove one of them",
                      notes=((first, "the first one"),))  # fmt: skip


def rungs_out_of_order(span: Span, name: str, before: str) -> Diagnostic:
    return Diagnostic(
        "HR510", f"`{name}` is smaller than `{before}` before it", span, "list the rungs from the lowest to the highest"
    )


def mixed_rungs(span: Span, text: str, of_dice: bool) -> Diagnostic:
    what = "is not a die, but the rungs before it are" if of_dice else "is a die, but the rungs before it are words"
    return Diagnostic("HR517", f"`{text}` {what}", span, "the rungs of one ladder are all dice, or all words")


def mixed_rows(span: Span) -> Diagnostic:
    return Diagnostic("HR511", "the keys of one table must be all numbers and ranges, or all words", span,
                      "make two tables of it, or write this key as the others are")  # fmt: skip


def uneven_rows(span: Span, name: str, found: int, wanted: int) -> Diagnostic:
    """`found` and `wanted` are the numbers of keys below this row and below the rows above it."""
    here, there = (f"{number} more key{'s' * (number != 1)}" if number else "no more key" for number in (found, wanted))
    return Diagnostic("HR511", f"this row of `{name}` leads to {here}, and the rows above it to {there}", span,
                      "give every row as many keys, or make two tables of it")  # fmt: skip


def default_outside(span: Span, what: str, called: str = "default") -> Diagnostic:
    return Diagnostic("HR512", f"this {called} is not allowed: {what}", span, "write another, or allow it")


def empty_list_of(span: Span, what: str) -> Diagnostic:
    return Diagnostic("HR513", f"{what} needs at least one entry", span, "write one, or remove the key")


def cited_and_noted(span: Span, row: str, other: Span) -> Diagnostic:
    return Diagnostic(
        "HR514", f"`{row}` is cited by a rule, so it cannot be a note", span, notes=((other, "it is cited here"),)
    )


def claim_unused(span: Span, choice: str, known: Iterable[str]) -> Diagnostic:
    known = list(known)
    help_text = near_or_list(choice, known, "there are")
    message = f"there is no choice `{choice}`"
    return Diagnostic("HR515", message, span, help_text, edits=respelling_edit(span, choice, known))


def choice_not_led_to(span: Span, key: str, choice: str, ways: Iterable[str]) -> Diagnostic:
    """A key of a policy whose last name is a choice, to which the names before it do not lead."""
    return Diagnostic(
        "HR515", f"no steps lead to the choice `{choice}` by `{key}`", span, near_or_list(key, ways, "it is asked by")
    )


def read_in_outcomes(span: Span, meant: MeantRange | None) -> Diagnostic:
    """`meant` is the range that is written in the notation of others."""
    help_text = "write `10 or more`, `7 to 9` or `6 or less`; without `read`, every outcome is a condition"
    edits: tuple[tuple[Span, str], ...] = ()
    if meant is not None:
        help_text, edits = f"write `{meant.text}`", ((span, meant.text),) if meant.sure else ()
    return Diagnostic("HR516", "with `read`, every outcome is a range of numbers", span, help_text, edits=edits)


def no_word_read(span: Span, name: str, read: str, words: Iterable[str]) -> Diagnostic:
    """An outcome beside `read` of a word that is none of its list."""
    message = f"`{name}` is no outcome here: with `read: {read}`, an outcome is one of its words"
    return Diagnostic("HR306", message, span, near_or_list(name, list(words), "the words are"))


def condition_beside_word(span: Span, name: str, read: str) -> Diagnostic:
    """A condition of an outcome that already is a word."""
    return Diagnostic(
        "HR516",
        f"`read: {read}` is a word, so that it is `{name}` without a condition",
        span,
        f"leave `{name}` out, or write what is added to it: `{name}: {{tells: …}}`; without `read`, every outcome is a "
        "condition",
    )


def claim_is_off(
    row: Span, place: str, of: str, claimed: Fraction, chance: Fraction, whole: bool, bent: str | None
) -> Diagnostic:
    """`place` is the row and its table in words; `bent` is the path of the claim where a house rule may mean it.

    `whole` says that every way was followed, so that the chance is exact.
    """
    exact = (
        f"{chance}, {share_in_percent(chance)}%"
        if whole and len(str(chance)) <= 40
        else f"about {share_in_percent(chance)}%"
    )
    off = chance - claimed
    return Diagnostic(
        "HR518",
        f"{place} claims {share_in_percent(claimed)}% for `{of}`, but the chance is {exact}: "
        f"{share_in_percent(abs(off))} points {'more' if off > 0 else 'less'}",
        row,
        f"if this is intended, change or remove `{bent}`"
        if bent
        else "correct the row, or say with `within` how far a printed number may be off",
    )


def share_in_percent(share: Fraction) -> str:
    """A share in percent, with as many digits as tell it apart from nothing."""
    percent = float(share * 100)
    return f"{percent:.2f}".rstrip("0").rstrip(".") if percent >= 0.01 or not share else f"{percent:.2g}"


def claim_cannot_be_held(row: Span, place: str, why: Diagnostic) -> Diagnostic:
    return Diagnostic("HR519", f"{place} cannot be checked: {why.message}", row, why.help)


def claim_later(row: Span, place: str, of: str) -> Diagnostic:
    return Diagnostic("HR907", f"{place}: the chance of `{of}` takes too much work to check", row, severity="warning")

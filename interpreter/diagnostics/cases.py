"""HR7: cases."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from dataclasses import replace
from fractions import Fraction

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.ruleset import share_in_percent
from interpreter.diagnostics.source import NOWHERE as NOWHERE
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import did_you_mean, list_words, near_or_list, nearest_name, respelling_edit

Edits = tuple[tuple[Span, str], ...]


CASE_DIFFERS = "HR701"
"""The code of a value that is another than a case expects; its edits write what came."""


def case_differs(span: Span, case: str, what: str, expected: str, got: str, edits: Edits = ()) -> Diagnostic:
    """`edits` write what came in place of what was expected."""
    return Diagnostic(CASE_DIFFERS, f"{case}: `{what}` expected {expected}, got {got}", span, edits=edits)


def case_not_settled(span: Span, case: str, what: str, expected: str, known: str, missing: Fraction) -> Diagnostic:
    """`known` gives the bounds of the number, `missing` the probability that was not followed."""
    return Diagnostic(
        "HR712",
        f"{case}: `{what}` is {known}, so whether it is {expected} stays open: {_share(missing)} was not followed",
        span,
        _SETTLED_BY,
    )


_SETTLED_BY = "state it as `about: …` with fewer digits, or limit how often dice are thrown again"


def claim_not_settled(of: str, known: str, missing: Fraction) -> Diagnostic:
    """As `case_not_settled`, of the chance that a table claims."""
    message = f"the chance of `{of}` is {known}, as {_share(missing)} was not followed"
    return Diagnostic("HR519", message, NOWHERE, "say with `within` how far a printed number may be off")


def _share(missing: Fraction) -> str:
    """How much of the probability: `0.12%`, `1.6e-15`."""
    return (
        f"{share_in_percent(missing)}% of the probability"
        if missing >= Fraction(1, 1_000_000)
        else f"{float(missing):.2g} of the probability"
    )


def case_failed(span: Span, case: str, why: Diagnostic) -> Diagnostic:
    """The refusal of a run, told at the case; a note shows where in the rules it happens."""
    notes = () if why.span in (NOWHERE, span) else ((why.span, "it happens here"),)
    return Diagnostic("HR702", f"{case}: {why.message}", span, why.help, (*notes, *why.notes))


def no_error(span: Span, case: str, expected: str) -> Diagnostic:
    return Diagnostic("HR703", f"{case}: expected the error {expected}, but there was none", span)


def nothing_expected(span: Span) -> Diagnostic:
    return Diagnostic(
        "HR704",
        "this case expects nothing, so it cannot fail",
        span,
        "add `expect`, `odds`, `joint`, `mean` or `error`",
    )


def condition_without_odds(span: Span) -> Diagnostic:
    message = "`when` says of which runs chances and averages are, and this case expects neither"
    return Diagnostic("HR713", message, span, "add `odds`, `joint` or `mean`, or remove `when`")


_A_PATH = re.compile(r"\w+(\.\w+)*")
"""The name of a value, or of one inside it."""


def no_such_value(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    known = list(known)
    help_text = (
        near_or_list(name, known, "there are") or "the rule gives no values: expect what it changes, with `after`"
    )
    if not _A_PATH.fullmatch(name):
        help_text = f"an expression is no name: make it a step of the rule, `a_name: {name}`, and expect `a_name`"
    return Diagnostic(
        "HR705", f"there is no value `{name}` to expect", span, help_text, edits=respelling_edit(span, name, known)
    )


def odds_of_values(span: Span, name: str, value: str) -> Diagnostic:
    """Of a step in the odds of a case, with a chance instead of its values."""
    return Diagnostic("HR705", f"`{name}` is a step, so its odds are those of its values", span,
                      f"say which value has this chance, as in `{name}: {{{value}: …}}`")  # fmt: skip


def joint_of_nothing(span: Span) -> Diagnostic:
    """Of a row under `joint` with a chance alone."""
    return Diagnostic("HR705", "this row of `joint` names no value", span,
                      "say what has this chance, as in `{outcome: …, is: …}`")  # fmt: skip


def no_subject(span: Span) -> Diagnostic:
    return Diagnostic("HR706", "a case must name what it tests: `mechanic`, `event`, `action` or `evaluate`", span)


def two_subjects(span: Span, key: str, other: str) -> Diagnostic:
    return Diagnostic("HR706", f"a case tests one rule, and this one names `{other}` and `{key}`", span,
                      "split it into two cases")  # fmt: skip


def odds_left_open(span: Span, case: str, why: Diagnostic | None = None) -> Diagnostic:
    """A case whose odds are left open; `why` is what refused them."""
    message = f"{case}: its odds take too much work to check"
    if why is None:
        return Diagnostic("HR904", message, span, severity="warning")
    return Diagnostic("HR904", f"{message}: {why.message}", span, why.help, severity="warning")


def too_many_typical_combinations(span: Span, count: int, most: int) -> Diagnostic:
    """Of `typical` with so many combinations that nobody reads their odds."""
    return Diagnostic("HR714", f"there are {count} combinations of these inputs, and at most {most} are compared", span,
                      "name fewer values: those that come up most", severity="error")  # fmt: skip


def unfit_typical_input(span: Span, mechanic: str, why: Diagnostic) -> Diagnostic:
    """An input of `typical` that does not fit: `why` is the refusal of the mechanic."""
    place = span if why.span is NOWHERE else why.span
    return Diagnostic(
        "HR715", f"`{mechanic}` cannot be played with these typical inputs: {why.message}", place, why.help
    )


def no_cases(span: Span, mechanic: str) -> Diagnostic:
    return Diagnostic("HR707", f"no case plays `{mechanic}`", span, "add one to `cases`")


def unknown_row(span: Span, row: str, known: Iterable[str]) -> Diagnostic:
    known = list(known)
    message = f"`{row}` is not a row of `rows.tsv`"
    return Diagnostic("HR708", message, span, did_you_mean(row, known), edits=respelling_edit(span, row, known))


BENT = "HR709"
"""The code of a case of the base that comes out otherwise, and should not."""


def case_bent_by_layer(failure: Diagnostic, layer: str, base: str, meant: str) -> Diagnostic:
    """`meant` is the path of the rule that the case plays, or the name of the case."""
    return replace(failure, code=BENT, message=f"under `{layer}`, a case of `{base}` fails: {failure.message}",
                   help=f"if this is intended, list `{meant}` under `differs`", edits=(), proposed=())  # fmt: skip


def cases_bent_by_layer(
    span: Span, layer: str, base: str, meant: str, names: list[str], first: Diagnostic, others: tuple[Diagnostic, ...]
) -> Diagnostic:
    """As `case_bent_by_layer`, of all cases with one cause, at the place of the change; `first` is of the first one."""
    reason = first.message.partition(" fails: ")[2] or first.message
    some = len(names) > 1
    cases = f"{len(names)} cases" if some else "a case"
    message = f"under `{layer}`, {cases} of `{base}` that play{'' if some else 's'} `{meant}` fail{'' if some else 's'}"
    help_text = f"if this is intended, list `{meant}` under `differs`"
    made = Diagnostic(BENT, message, span, help_text, notes=((first.span, reason),))
    return (
        replace(made, consequence=_more_in_words(len(names) - 1, "case"), follows=(first, *others)) if others else made
    )


def _more_in_words(count: int, what: str) -> str:
    return f"{count} more {what}" + ("" if count == 1 else "s")


def differs_too(span: Span, case: str, rule: str) -> Diagnostic:
    """Of a case that comes out otherwise, as others of its rule do, which are listed by their names."""
    return Diagnostic("HR924", f"`{case}` differs, too, as others of `{rule}` that are listed by name", span,
                      f"list `{rule}` in place of the names", severity="warning")  # fmt: skip


def more_differ(span: Span, rule: str, names: list[str]) -> Diagnostic:
    """Of all such cases of a rule."""
    differ = "differs" if len(names) == 1 else "differ"
    cases = f"{_more_in_words(len(names), 'case')} of `{rule}` {differ}, which `differs` does not name"
    near = list_words(names[:3]) + (", …" if len(names) > 3 else "")
    return Diagnostic("HR924", f"{cases}: {near}", span,
                      f"list `{rule}` in place of the names, which stands for all its cases; `test --update` writes it",
                      severity="warning")  # fmt: skip


FAILS_BELOW = "HR925"
"""The code of a case of the base that fails there as well."""


def fails_below(span: Span, case: str, base: str) -> Diagnostic:
    return Diagnostic(FAILS_BELOW, f"{case}: fails in `{base}` already, so it says nothing about this house rule", span,
                      f"mend it in `{base}`", severity="warning")  # fmt: skip


def nothing_changed_there(span: Span, path: str) -> Diagnostic:
    return Diagnostic("HR710", f"nothing that `{path}` plays is changed here, so no case of it differs", span,
                      "remove it from `differs`")  # fmt: skip


def all_listed_cases_hold(span: Span, path: str, count: int) -> Diagnostic:
    cases = "its one case holds" if count == 1 else f"all its {count} cases hold"
    return Diagnostic("HR710", f"`{path}` does not differ: {cases} as before", span, "remove it from `differs`")


def no_such_rule_to_differ(span: Span, path: str, played: Iterable[str], known: Container[str]) -> Diagnostic:
    """`played` are the paths that cases of the rulesets below play, `known` those of all rules."""
    played = list(played)
    if path in known:
        return Diagnostic("HR711", f"no case of the ruleset below plays `{path}`", span, "remove it from `differs`")
    nearest = nearest_name(path, played, sure=True)
    help_text = did_you_mean(path, played) or near_or_list(path, played, "there are cases of")
    return Diagnostic("HR711", f"the ruleset below has no rule `{path}`", span, help_text, about=nearest)


def listed_case_still_holds(span: Span, case: str) -> Diagnostic:
    return Diagnostic("HR710", f"`{case}` holds as before, so it does not differ", span, "remove it from `differs`")


def no_such_case(span: Span, case: str, known: Iterable[str], own: Container[str]) -> Diagnostic:
    """`known` are the cases of the rulesets below, `own` those of the layer itself."""
    known = list(known)
    help_text = did_you_mean(case, known) or near_or_list(case, known, "there are")
    if case in own:
        help_text = "it is a case of this file itself, which needs no permission to differ: take it out"
    nearest = nearest_name(case, known, sure=True)
    edits = () if case in own else respelling_edit(span, case, known)
    return Diagnostic("HR711", f"the ruleset below has no case `{case}`", span, help_text, about=nearest, edits=edits)


def expected_without_names(span: Span, text: str, outcomes: Container[str]) -> Diagnostic:
    """Of `expect: alarm`, a value without the name of what should have it."""
    likely_text = f"outcome: {text}" if text in outcomes else f"…: {text}"
    return Diagnostic("HR103", f"`expect` should be `name: value` entries, not `{text}` alone", span,
                      f"write `expect: {{{likely_text}}}`")  # fmt: skip


def no_because(span: Span) -> Diagnostic:
    return Diagnostic("HR905", "this change does not say why", span, "add `because: …`", severity="warning")

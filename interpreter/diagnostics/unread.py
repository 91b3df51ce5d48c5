"""HR908 to HR914, HR920, HR926: what is declared or changed to no effect."""

from __future__ import annotations

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import in_backticks


def never_read(span: Span, name: str, kind: str, changed: Span | None) -> Diagnostic:
    """Of what a kind has; `changed` is where a step changes it."""
    is_changed = "is changed, but no rule reads it" if changed else "is read by no rule"
    notes = ((changed, "it is changed here"),) if changed else ()
    way_out = "read it in a rule, or write `seen_by: everybody` if people read it"
    return Diagnostic("HR908", f"`{name}` of `{kind}` {is_changed}", span, way_out, notes, "warning")


def never_used(span: Span, what: str, name: str) -> Diagnostic:
    return Diagnostic("HR909", f"no rule reads the {what} `{name}`", span, "read it, or remove it", severity="warning")


def never_rounded(span: Span) -> Diagnostic:
    return Diagnostic("HR909", "no result is rounded this way: no rule divides without saying how", span,
                      "remove it, or list its row under `notes`", severity="warning")  # fmt: skip


def answer_never_read(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR910", f"`{name}` is asked, but no rule reads the answer", span,
                      "read it, or tell it in `outcomes` or `also`", severity="warning")  # fmt: skip


def result_never_read(span: Span, name: str, mechanic: str) -> Diagnostic:
    return Diagnostic("HR910", f"`{mechanic}` changes nothing, and no rule reads its result `{name}`", span,
                      "read it, or tell it in `outcomes` or `also`", severity="warning")  # fmt: skip


def flag_never_read(span: Span, name: str, mechanic: str, call: Span) -> Diagnostic:
    return Diagnostic("HR910", f"no rule that calls `{mechanic}` reads `{name}`, so nothing comes of it", span,
                      "read it where it is called, or tell it there in `also`",
                      ((call, "it is called here"),), "warning")  # fmt: skip


def word_never_tested(span: Span, word: str, attribute: str) -> Diagnostic:
    return Diagnostic("HR911", f"`{word}` can be in `{attribute}`, but no rule asks for it", span,
                      f"write what it does, as in `if: {word} in who.{attribute}`, or remove it",
                      severity="warning")  # fmt: skip


def without_effect(span: Span, name: str, priced: bool) -> Diagnostic:
    only = "has a price, but it changes nothing and tells nothing" if priced else "changes nothing and tells nothing"
    return Diagnostic("HR912", f"`{name}` {only}", span,
                      "add a step that changes something, or tell a result in `outcomes`",
                      severity="warning")  # fmt: skip


def price_known_already(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR926", f"whoever does `{name}` knows its price already, and is not asked again", span,
                      "leave `may_refuse` out, or let somebody else name what it costs: `price: {…, by: …}`",
                      severity="warning")  # fmt: skip


def never_caused(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR913", f"no rule causes `{name}`", span,
                      f"write `cause: {name}` where it happens, or say with `by` who causes it at the table",
                      severity="warning")  # fmt: skip


def nobody_has_role(span: Span, role: str, step: str, call: Span) -> Diagnostic:
    return Diagnostic("HR914", f"nobody may have the role `{role}` when `{step}` is asked", span,
                      f"say who has it where this is called: `roles: {{{role}: …}}`, or ask a thing",
                      ((call, "it is called here, where things act"),), "warning")  # fmt: skip


def default_refused(span: Span, key: str, limit: str) -> Diagnostic:
    message = f"{in_backticks(span)} is no answer to this choice: `{key}: {limit}` refuses it"
    return Diagnostic("HR919", message, span, "give a default that may be chosen, or none", severity="warning")


def no_sentence(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR915", f"whoever is asked for `{name}` sees no question", span,
                      "write it beside the choice: `ask: …?`", severity="warning")  # fmt: skip


def goes_on_unasked(span: Span, name: str) -> Diagnostic:
    """Of a question inside a `repeat` with `until: not name`."""
    return Diagnostic(
        "HR920", f"where its `if` skips `{name}`, its default is taken, `yes`, and the passes go on", span,
        "say what a skipped question means: `else: no` ends the passes, `else: yes` goes on",
        severity="warning",
    )  # fmt: skip

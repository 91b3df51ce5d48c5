"""HR58: scenes."""

from __future__ import annotations

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span


def other_in_scene(span: Span, name: str, scene: str, first: str, where: Span) -> Diagnostic:
    return Diagnostic("HR580", f"`{name}` is declared differently in `{scene}` and in `{first}`", span,
                      "`scene.NAME` means the same in all scenes: declare it the same way, or choose another name",
                      notes=((where, f"`{name}` in `{first}`"),))  # fmt: skip


def boundary_takes(span: Span, name: str, who: bool) -> Diagnostic:
    takes = "has one input, `who`" if who else "has no inputs"
    return Diagnostic("HR581", f"`{name}` is an event of the language itself and {takes}", span)


def never_a_key(span: Span, name: str, before: str) -> Diagnostic:
    return Diagnostic("HR582", f"`{name}` is never used: `{before}` leaves no ties", span,
                      "put `random` last")  # fmt: skip


def high_or_low(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR583", f"`{name}` needs exactly one of `high` and `low`", span,
                      "write `high:` to put the highest first, or `low:` for the lowest")  # fmt: skip


def budget_of_what(span: Span) -> Diagnostic:
    return Diagnostic("HR584", "`budget` needs a choice of a number for each of several elements", span,
                      "write `choose: number` with `among`")  # fmt: skip


def outcome_without_end(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR585", f"the scene never ends with `{name}`", span,
                      f"give it a condition, or let a step `end: {name}`")  # fmt: skip


def end_of_an_end(span: Span) -> Diagnostic:
    return Diagnostic("HR590", "the scene has already ended with an outcome when this step runs", span,
                      "leave it out, or let a step of a phase `end` the scene")  # fmt: skip


def guard_too_low(span: Span, most: int, at_once: str) -> Diagnostic:
    return Diagnostic("HR589", f"with a guard of {most}, {at_once}", span,
                      "write how often it may repeat, 1 or more, or leave `guard` out")  # fmt: skip


def part_of_no_scene(span: Span, key: str) -> Diagnostic:
    return Diagnostic("HR586", f"`{key}` limits how much of a scene is played, but this case plays no scene", span,
                      "remove it, or name the scene with `scene`")  # fmt: skip


def no_key(span: Span, element: str) -> Diagnostic:
    return Diagnostic(
        "HR587", f"results are kept by element, and two of {element} may be indistinguishable", span,
        "choose among numbers, words or things, such as a column of them: `xs.height`",
    )  # fmt: skip


def list_per_word(span: Span, name: str, words: str) -> Diagnostic:
    return Diagnostic("HR588", f"`{name}` would be a list for each of `{words}`, and no step could add to it", span,
                      "declare a list for each word: `left_hand: {list_of: …}`")  # fmt: skip


def several_in_a_role(span: Span, role: str) -> Diagnostic:
    return Diagnostic("HR595", f"only one can be the `{role}` of a call", span,
                      "call the mechanic once for each of them, in a step with `for`")  # fmt: skip

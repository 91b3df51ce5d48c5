"""HR55: layers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import NOWHERE as NOWHERE
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import did_you_mean, list_words, near_or_list, nearest_name, respelling_edit


def change_without_verb(span: Span, verbs: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR550", "this change has no verb", span, f"it has one of {list_words(verbs)}")


def literally_here(span: Span, verb: str) -> Diagnostic:
    return Diagnostic("HR551", f"`{verb}` takes the word `here`", span, f"write `{verb}: here`")


def two_anchors(span: Span) -> Diagnostic:
    return Diagnostic("HR552", "a position is `before` or `after` something, not both", span)


def no_target(
    span: Span, name: str, path: Iterable[str], known: Iterable[str], verb: str, is_last: bool,
    going_on: Iterable[str] = (), rest: Iterable[str] = (),
) -> Diagnostic:  # fmt: skip
    """A path names what is not there: at its end (`is_last`), where `verb` would be done, or on the way.

    On the way, `rest` is how the path goes on, and `going_on` are the known names from which it leads somewhere.
    """
    path = list(path)
    place = ".".join(path)
    where = f" in `{place}`" if place else ""
    known = list(known)
    made = "`add` in place of `set` makes a new one" if is_last and verb == "set" else ""
    help_text = did_you_mean(name, known) or "; ".join(filter(None, (made, near_or_list(name, known, "there are"))))
    going_on = list(going_on)
    nearest = nearest_name(name, going_on) or (going_on[0] if len(going_on) == 1 else None)
    if nearest is not None and nearest != nearest_name(name, known):
        help_text = f"did you mean `{'.'.join((*path, nearest, *rest))}`?"
        known = [nearest]
    done = f" to {verb}" if is_last and verb != "set" else " to change"
    edits = respelling_edit(span, name, known) if nearest_name(name, known) else ()
    return Diagnostic("HR553", f"there is no `{name}`{where}{done}", span, help_text, edits=edits)


def no_way_into(span: Span, name: str, path: Iterable[str], listed: bool) -> Diagnostic:
    """A path that goes on where there are no names to go on by."""
    place = ".".join(path)
    help_text = f"`{place}` is a list; `set` it as a whole" if listed else f"`{place}` has nothing under it"
    if place == "cases":
        help_text = "list a case whose result differs under `differs`; add new cases under `cases`"
    return Diagnostic("HR553", f"there is no `{name}` in `{place}` to change", span, help_text)


def already_there(span: Span, name: str, first: Span) -> Diagnostic:
    return Diagnostic("HR554", f"`{name}` already exists", span, "`set` changes what is there, `add` adds a new name",
                      notes=((first, "it is defined here"),))  # fmt: skip


def was_otherwise(span: Span, name: str, was: str, now: str, place: Span) -> Diagnostic:
    return Diagnostic("HR555", f"`{name}` was `{was}` when this was written, and is `{now}` now", span,
                      "check that the change still makes sense, then update `was`",
                      notes=((place, "as it is now"),))  # fmt: skip


def no_anchor(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic("HR556", f"the position of `{name}` matters", span,
                      f"add `before:` or `after:` with one of {list_words(known)}")  # fmt: skip


def no_anchor_there(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    known = list(known)
    help_text = near_or_list(name, known, "there are")
    message = f"there is no `{name}` in the same list"
    return Diagnostic("HR557", message, span, help_text, edits=respelling_edit(span, name, known))


def layers_conflict(span: Span, layer: str, other: str, path: str, other_path: str, first: Span) -> Diagnostic:
    both = f"both change `{path}`"
    if path != other_path:
        both = f"change `{path}` and `{other_path}`, which overlap"
    return Diagnostic("HR558", f"`{layer}` and `{other}` {both}, and neither extends the other", span,
                      "write a house rule that extends both and makes this change itself",
                      notes=((first, f"the change of `{other}`"),))  # fmt: skip


def cannot_extend(span: Span, name: str, why: Diagnostic) -> Diagnostic:
    return Diagnostic("HR559", f"`{name}` cannot be extended: {why.message}", span, why.help)


def bundled_is_meant(span: Span, name: str, file: str) -> Diagnostic:
    return Diagnostic(
        "HR906",
        f"`{name}` is the bundled ruleset, not `{file}` beside this file",
        span,
        f"to use the file, write `{file}`",
        severity="warning",
    )


def bad_requirement(span: Span, text: str) -> Diagnostic:
    return Diagnostic("HR560", f"`{text}` is not a valid requirement", span, "write `name` or `name >= 1.2`")


def not_extended(span: Span, name: str, known: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        "HR561", f"`{name}` is required but not extended", span, near_or_list(name, known, "extended here")
    )


def other_version(span: Span, name: str, wanted: str, found: str) -> Diagnostic:
    return Diagnostic("HR562", f"`{wanted}` is required, but `{name}` is {found}", span)


def bends_another(span: Span, layer: str, base: str, ruleset: str) -> Diagnostic:
    return Diagnostic("HR563", f"`{layer}` cannot be applied to `{ruleset}`", span,
                      f"it is made for `{base}`" if base != layer else "it extends nothing")  # fmt: skip


def out_of_reach(name: str, around: Iterable[str] = ()) -> Diagnostic:
    reach = "it must be bundled, or a file in the folder of the house rule or in an allowed folder"
    near = nearest_name(name, around, sure=True)
    problem = f"`{name}` cannot be loaded from here" if "/" in name else f"there is no file `{name}` here"
    return Diagnostic("HR564", problem, NOWHERE, f"did you mean `{near}`?" if near else reach)


def file_under_another_name(name: str, file: str) -> Diagnostic:
    """Of `extends: cave`, where the ruleset `cave` is in the file `cavern.yaml`."""
    return Diagnostic("HR564", f"there is no file `{name}` here: the ruleset of this name is in `{file}`", NOWHERE,
                      f"write `{file}`")  # fmt: skip


def idle_step(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR565", f"nothing reads `{name}`, so it changes nothing", span,
                      "make it a stage of the value it should change, or let a later step read it")  # fmt: skip


PAST = {"set": "changed", "add": "added", "remove": "removed", "move": "moved", "rename": "renamed"}


def changed_by(layer: str, verb: str, name: str) -> str:
    """What a layer did, as a note of an error in the ruleset below it."""
    return f"`{layer}` has {PAST[verb]} `{name}`"


def broken_below(problem: Diagnostic, span: Span, layer: str, verb: str, name: str, base: Iterable[str]) -> Diagnostic:
    """An error in a ruleset `base` that a change of a layer causes, told at the change."""
    message = f"`{layer}` has {PAST[verb]} `{name}`, which breaks {list_words(base)}: {problem.message}"
    notes = ((problem.span, "here"), *problem.notes)
    return replace(problem, span=span, message=message, notes=notes, edits=(), proposed=())


def with_consequence(problem: Diagnostic, follows: Iterable[Diagnostic], rulesets: Iterable[str]) -> Diagnostic:
    """A problem with those that follow from it, which stand in `rulesets`; the problem itself without any."""
    follows = tuple(follows)
    errors = f"{len(follows)} more error{'s' if len(follows) > 1 else ''} in {list_words(rulesets)}"
    return replace(problem, consequence=errors, follows=follows) if follows else problem


def with_house_rules_over(problem: Diagnostic, others: Iterable[Diagnostic]) -> Diagnostic:
    """A problem of a ruleset with the same one of the house rules over it."""
    others = tuple(others)
    rules = f"{len(others)} house rule{'s' if len(others) > 1 else ''} over it"
    words = ", ".join(filter(None, (problem.consequence, rules)))
    return replace(problem, consequence=words, follows=(*problem.follows, *others)) if others else problem

"""The words of what a save and the rules differ in: one function for each difference."""

from __future__ import annotations

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.saves.plan import LineKind


@dataclass(frozen=True)
class Note:
    """A difference of one thing, which is told together with those of other things that are alike: see
    `AdoptionLine`."""

    kind: LineKind
    path: str
    text: str
    open: bool = False
    way: str = ""


def kind_gone(kind: str) -> Note:
    return Note("aside", f"kinds.{kind}", f"there is no `{kind}` any more, and what was one is kept aside")


def thing_back(kind: str) -> Note:
    return Note("back", f"kinds.{kind}", "is back, which was kept aside")


def kind_renamed(kind: str, now: str) -> Note:
    return Note("renamed", f"kinds.{now}", f"a `{kind}` is a `{now}` now")


def thing_new(name: str) -> Note:
    return Note("thing", f"things.{name}", "new in the rules, and there from now on")


def thing_changed(name: str) -> Note:
    return Note("thing", f"things.{name}", "another in the book now; the saved values stay")


def attribute_gone(kind: str, name: str, is_derived: bool) -> Note:
    gone = "worked out" if is_derived else "gone"
    return Note("aside", f"kinds.{kind}.{name}", f"`{name}` of `{kind}` is {gone} now, and its value is kept aside")


def attribute_is_part(kind: str, held: ir.HeldAttribute) -> Note:
    return Note("aside", held.path, f"`{held.name}` of `{kind}` is a part now, and its value is kept aside")


def attribute_renamed(kind: str, name: str, held: ir.HeldAttribute) -> Note:
    return Note("renamed", held.path, f"`{name}` of `{kind}` is `{held.name}` now")


def attribute_new(kind: str, held: ir.HeldAttribute) -> Note:
    return Note("default", held.path, f"`{held.name}` of `{kind}` is new and has its initial value")


def attribute_needed(kind: str, held: ir.HeldAttribute, thing: str) -> Note:
    text = f"`{held.name}` of `{kind}` is new and has no initial value"
    return Note("needed", held.path, text, True, f"--set {thing}.{held.name}=…")


def attribute_back(held: ir.HeldAttribute) -> Note:
    return Note("back", held.path, f"`{held.name}` is back, which was kept aside")


def word_gone(kind: str, held: ir.HeldAttribute, word: str) -> Note:
    return Note("aside", held.path, f"`{held.name}` of `{kind}` has no `{word}` any more, and its value is kept aside")


def value_converted(kind: str, held: ir.HeldAttribute) -> Note:
    return Note("converted", held.path, f"`{held.name}` of `{kind}` has another form")


def value_misfit(kind: str, held: ir.HeldAttribute, thing: str, is_open: bool) -> Note:
    way = f"--set {thing}.{held.name}=…, or --all for its initial value"
    wanted = t.in_words(t.without_maybe(held.type))
    return Note("value", held.path, f"`{held.name}` of `{kind}` is {wanted} now", is_open, way)


def value_out_of_bounds(held: ir.HeldAttribute, message: str, place: str, nearest: int | None) -> Note:
    """`message` is that of the error, and `place` how the value is set."""
    text = message if nearest is None else f"{message}, and the nearest is {nearest}"
    return Note(
        "bound",
        held.path,
        text,
        True,
        f"--set {place}=…" + (", or --all for the nearest" if nearest is not None else ""),
    )


def value_bounded(held: ir.HeldAttribute) -> Note:
    return Note("bound", held.path, f"`{held.name}` is brought to its nearest bound")


def seen_by_others(kind: str, held: ir.HeldAttribute, before: list[str] | None, now: list[str] | None) -> Note:
    text = f"`{held.name}` of `{kind}` is seen by {_people(now)} now, and was by {_people(before)}"
    return Note("seen", held.path, text)


def limit_gone(path: str) -> Note:
    return Note("dropped", path, "a limit that is gone is no longer counted")


def timer_gone(name: str, is_open: bool) -> Note:
    return Note("aside", "timers", f"`{name}` is no list any more that something is removed from", is_open, "--all")


def event_gone(name: str, is_open: bool) -> Note:
    return Note("aside", "pending", f"there is no event `{name}` any more, and it was to happen", is_open, "--all")


def _people(names: list[str] | None) -> str:
    return "everybody" if names is None else " and ".join(names) or "nobody"

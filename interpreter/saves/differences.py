"""The words of what a save and the rules differ in: one function for each difference."""

from __future__ import annotations

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.saves.plan import LineKind


@dataclass(frozen=True)
class Difference:
    """A difference of one thing, which is told together with those of other things that are alike: see
    `AdoptionLine`."""

    kind: LineKind
    path: str
    text: str
    open: bool = False
    way: str = ""


def kind_gone(kind: str) -> Difference:
    return Difference("aside", f"kinds.{kind}", f"there is no `{kind}` any more, and what was one is kept aside")


def thing_back(kind: str) -> Difference:
    return Difference("back", f"kinds.{kind}", "is back, which was kept aside")


def kind_renamed(kind: str, now: str) -> Difference:
    return Difference("renamed", f"kinds.{now}", f"a `{kind}` is a `{now}` now")


def thing_new(name: str) -> Difference:
    return Difference("thing", f"things.{name}", "new in the rules, and there from now on")


def thing_changed(name: str) -> Difference:
    return Difference("thing", f"things.{name}", "another in the book now; the saved values stay")


def attribute_gone(kind: str, name: str, is_derived: bool) -> Difference:
    gone = "worked out" if is_derived else "gone"
    return Difference(
        "aside", f"kinds.{kind}.{name}", f"`{name}` of `{kind}` is {gone} now, and its value is kept aside"
    )


def attribute_is_part(kind: str, held: ir.HeldAttribute) -> Difference:
    return Difference("aside", held.path, f"`{held.name}` of `{kind}` is a part now, and its value is kept aside")


def attribute_renamed(kind: str, name: str, held: ir.HeldAttribute) -> Difference:
    return Difference("renamed", held.path, f"`{name}` of `{kind}` is `{held.name}` now")


def attribute_new(kind: str, held: ir.HeldAttribute) -> Difference:
    return Difference("default", held.path, f"`{held.name}` of `{kind}` is new and has its initial value")


def attribute_needed(kind: str, held: ir.HeldAttribute, thing: str) -> Difference:
    text = f"`{held.name}` of `{kind}` is new and has no initial value"
    return Difference("needed", held.path, text, True, f"--set {thing}.{held.name}=…")


def attribute_back(held: ir.HeldAttribute) -> Difference:
    return Difference("back", held.path, f"`{held.name}` is back, which was kept aside")


def words_renamed(kind: str, held: ir.HeldAttribute) -> Difference:
    return Difference("renamed", held.path, f"a word of `{held.name}` of `{kind}` has another name now")


def word_gone(kind: str, held: ir.HeldAttribute, word: str) -> Difference:
    return Difference(
        "aside", held.path, f"`{held.name}` of `{kind}` has no `{word}` any more, and its value is kept aside"
    )


def value_converted(kind: str, held: ir.HeldAttribute) -> Difference:
    return Difference("converted", held.path, f"`{held.name}` of `{kind}` has another form")


def value_misfit(kind: str, held: ir.HeldAttribute, thing: str, is_open: bool) -> Difference:
    way = f"--set {thing}.{held.name}=…, or --all for its initial value"
    wanted = t.in_words(t.without_maybe(held.type))
    return Difference("value", held.path, f"`{held.name}` of `{kind}` is {wanted} now", is_open, way)


def value_out_of_bounds(held: ir.HeldAttribute, message: str, place: str, nearest: int | None) -> Difference:
    """`message` is that of the error, and `place` how the value is set."""
    text = message if nearest is None else f"{message}, and the nearest is {nearest}"
    return Difference(
        "bound",
        held.path,
        text,
        True,
        f"--set {place}=…" + (", or --all for the nearest" if nearest is not None else ""),
    )


def value_set(kind: str, name: str) -> Difference:
    """`name` may be that of a value of a part, or for a word."""
    return Difference("set", f"kinds.{kind}.{name}", f"`{name}` of `{kind}` is set")


def value_bounded(held: ir.HeldAttribute) -> Difference:
    return Difference("bound", held.path, f"`{held.name}` is brought to its nearest bound")


def seen_by_others(kind: str, held: ir.HeldAttribute, before: list[str] | None, now: list[str] | None) -> Difference:
    text = f"`{held.name}` of `{kind}` is seen by {_people(now)} now, and was by {_people(before)}"
    return Difference("seen", held.path, text)


def limit_gone(path: str) -> Difference:
    return Difference("dropped", path, "a limit that is gone is no longer counted")


def timer_gone(name: str, is_open: bool) -> Difference:
    return Difference(
        "aside", "timers", f"`{name}` is no list any more that something is removed from", is_open, "--all"
    )


def event_gone(name: str, is_open: bool) -> Difference:
    return Difference(
        "aside", "pending", f"there is no event `{name}` any more, and it was to happen", is_open, "--all"
    )


def _people(names: list[str] | None) -> str:
    return "everybody" if names is None else " and ".join(names) or "nobody"

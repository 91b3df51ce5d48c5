"""HR57: things that last."""

from __future__ import annotations

import re
from collections.abc import Sequence

from interpreter.diagnostics.model import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.diagnostics.suggest import list_words


def key_only_for_counters(span: Span, key: str) -> Diagnostic:
    return Diagnostic(
        "HR570", f"`{key}` is only for points and tracks", span, "write `type: points` or `type: track` beside it"
    )


def key_not_allowed(span: Span, key: str, what: str) -> Diagnostic:
    helps = {"default": "write `starts`", "from": "a track begins at 0", "to": "write `length`", "length": "write `to`"}
    return Diagnostic("HR570", f"`{key}` does not go with {what}", span, helps.get(key, "remove it"))


def value_of_each(words: Sequence[str], value: str) -> str:
    """How a value is written for each word of a list: `{pistol: 3, rifle: 3}`."""
    several = ", ".join(f"{word}: {value or '…'}" for word in words[:2])
    return f"write the value of each word: `{{{several}{', …' if len(words) > 2 else ''}}}`"


def word_not_given(span: Span, name: str, written: str) -> Diagnostic:
    """Of what has a value for each word, where that of one word is due; `written` is the same with a word."""
    return Diagnostic("HR592", f"`{name}` has a value for each word, and this names none of them", span,
                      f"write `{written}`, or another word in its place")  # fmt: skip


def list_instead_of_word(span: Span, name: str) -> Diagnostic:
    """Of the name of a list where its word is meant whose bound or start this is."""
    return Diagnostic("HR592", f"`{name}` is the whole list, and this needs one word of it", span,
                      "write `word`: it is the word whose value this is")  # fmt: skip


def value_not_by_word(span: Span, name: str) -> Diagnostic:
    """Of values by word for what has one value."""
    return Diagnostic("HR592", f"`{name}` has one value, and this is one for each word", span,
                      "write one value, or declare it with `per: …` and the name of a list of words")  # fmt: skip


def word_is_missing(span: Span, key: str | None, name: str, missing: Sequence[str]) -> Diagnostic:
    """Of an attribute, or of what is declared for it under a key."""
    where = f"`{key}` of `{name}`" if key is not None else f"`{name}`"
    lacks = ", ".join(f"`{word}`" for word in missing[:5]) + (" and others" if missing[5:] else "")
    return Diagnostic("HR592", f"{where} has no value for {lacks}", span,
                      f"add `{missing[0]}: …`; every word of the list needs one")  # fmt: skip


def full_of_what(span: Span, name: str) -> Diagnostic:
    return Diagnostic(
        "HR573", f"`{name}` has no upper bound, so it cannot start full", span, "give it a bound with `to`"
    )


def derived_has_no(span: Span, key: str, name: str) -> Diagnostic:
    return Diagnostic("HR571", f"`{name}` is derived by `is`, so it cannot have `{key}`", span,
                      f"remove `{key}`, or remove `is` and let rules set the value")  # fmt: skip


def derived_is_fixed(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR571", f"`{name}` is derived from other values, so it cannot be changed", span,
                      "change what it is derived from")  # fmt: skip


def derived_is_given(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR571", f"`{name}` is derived from other values, so it cannot be given", span,
                      "give what it is derived from")  # fmt: skip


def legal_without_scene(span: Span, name: str, kind: str) -> Diagnostic:
    """Of a requirement of a kind that reads the scene under way, perhaps through a derived value or a function."""
    return Diagnostic("HR598", f"`{name}` reads the scene, and a `{kind}` is legal or not without one", span,
                      "read what the thing has; a rule or a scene may require the rest")  # fmt: skip


def part_is_there(span: Span, name: str, kind: str, key: str) -> Diagnostic:
    instead = {
        "default": f"remove `default`; a part begins as its kind says, or as a thing is given it: `{name}: {{…}}`",
        "per": "remove `per`, and declare a part for each word",
    }
    return Diagnostic("HR572", f"`{name}` is a part of the kind `{kind}`, and there is always exactly one", span,
                      instead.get(key, f"remove `{key}`, or the `part: yes` of `{kind}`"))  # fmt: skip


def part_is_fixed(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR572", f"`{name}` is a part and cannot be replaced", span, "change what it has")


def no_upper_bound(span: Span, key: str, name: str) -> Diagnostic:
    return Diagnostic(
        "HR573", f"`{name}` has no upper bound, so there is no `{key}`", span, "give it a bound with `to`"
    )


def no_place(span: Span, verb: str) -> Diagnostic:
    said = "; the new value goes under `to`" if verb == "set" else ""
    event = re.fullmatch(r"event\.(\w+)", span.text)
    if event:
        return Diagnostic("HR574", f"`{verb}` changes a value of a thing, and this is one of an event", span,
                          f"a reaction before the event writes `{{change: {{{event[1]}: …}}}}`")  # fmt: skip
    of = span.text if span.text.isidentifier() else "actor"
    return Diagnostic("HR574", f"`{verb}` changes a value of a thing, and this is not one", span,
                      f"write it as `thing.name`, such as `{of}.luck`{said}")  # fmt: skip


def verb_of_other_type(span: Span, verb: str, other: str) -> Diagnostic:
    what = "a list" if other in ("add", "remove") else "a number"
    return Diagnostic("HR575", f"`{verb}` is not for {what}", span, f"write `{other}`")


def cannot_be_made(span: Span, kind: str, one: bool) -> Diagnostic:
    why = "there is always exactly one" if one else "it is part of another thing and exists as long as that thing"
    return Diagnostic("HR576", f"no `{kind}` can be made or destroyed: {why}", span,
                      "change the values of the one that is there")  # fmt: skip


def verb_outside_reaction(span: Span, verb: str) -> Diagnostic:
    return Diagnostic("HR577", f"`{verb}` is only for reactions before an event", span,
                      "write it in a reaction with `before: NAME` of the event")  # fmt: skip


def no_actor(span: Span, of: str, kinds: Sequence[str], likely: Sequence[tuple[str, str]]) -> Diagnostic:
    """Of a reaction without `actor`; `likely` are the things of its event, each with its kind."""
    return Diagnostic("HR102", f"{of} needs `actor`: who may do it", span, f"add `actor: {_actor(kinds, likely)}`")


def not_an_actor(span: Span, name: str, kinds: Sequence[str], likely: Sequence[tuple[str, str]]) -> Diagnostic:
    """Of `actor: who`, which names no kind of thing; `likely` are the things of the event, each with its kind."""
    matches = [one for one in likely if one[0] == name.removeprefix("event.").strip("[]")]
    several = f"; the kinds are {list_words(kinds)}" if len(kinds) > 1 else ""
    if not kinds:
        several = "; declare one under `kinds`"
    return Diagnostic("HR303", f"an actor is a kind of thing, and `{name}` is none", span,
                      f"write `{_actor(kinds, matches or likely)}`{several}")  # fmt: skip


def _actor(kinds: Sequence[str], likely: Sequence[tuple[str, str]]) -> str:
    """An actor as it may be written: the thing that the event is about, or any of a kind."""
    if likely:
        name, kind = likely[0]
        return f'{{type: {kind}, among: "[event.{name}]"}}'
    return kinds[0] if kinds else "its_kind"


def reaction_without_event(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR578", f"`{name}` must name the event it reacts to, `before` or `after` it", span,
                      "add `before: …` or `after: …` with the name of an event")  # fmt: skip


def rounds_of_what(span: Span) -> Diagnostic:
    return Diagnostic("HR579", "a number of rounds is for a single element, not for a whole value", span,
                      "write it beside the `add` that adds the element")  # fmt: skip


def thing_in_place_of_kind(span: Span, name: str, kind: str) -> Diagnostic:
    """Of a thing under `things` that says what it `is`, as things of a case or a scene do."""
    help_text = f"in a ruleset, things stand under their kind: `{kind}: {{{name}: {{…}}}}`, without `is`"
    return Diagnostic("HR576", f"a kind is expected here, and `{name}` has `is`, as a thing does", span, help_text)


def bad_thing(span: Span, kind: str, one: bool) -> Diagnostic:
    why = "always exists under its own name" if one else "exists as part of another thing"
    return Diagnostic("HR576", f"`{kind}` {why}, so it cannot be listed under `things`", span, "leave it out")


def former_name_in_use(span: Span, name: str) -> Diagnostic:
    return Diagnostic("HR597", f"`{name}` is what something is called now, so it is no former name", span,
                      "write under `formerly` a name that nothing has any more")  # fmt: skip


def former_name_of_nothing(span: Span) -> Diagnostic:
    return Diagnostic("HR597", "no save names what is declared here, so it has no former name", span,
                      "leave `formerly` out")  # fmt: skip


def former_name_of_two(span: Span, name: str, other: str) -> Diagnostic:
    return Diagnostic("HR597", f"`{name}` is the former name of `{other}` already", span,
                      "leave it to one of the two")  # fmt: skip

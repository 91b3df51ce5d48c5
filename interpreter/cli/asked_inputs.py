"""Inputs that the person at the terminal is asked for: records field by field, each with an example."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.forms import Input, Rule
from interpreter.api.game import Game
from interpreter.cli.report import as_text
from interpreter.cli.rulesets import parse_value
from interpreter.cli.terminal import painter, print_wrapped
from interpreter.cli.typed_lines import read_line
from interpreter.diagnostics import PlayError, RulesetError
from interpreter.ir import types as t
from interpreter.runtime.state import State
from interpreter.runtime.titles import titles_of
from interpreter.syntax.document import Node
from interpreter.values import in_words

EXAMPLES = ("d8 & d6", "4D+1", "2", "yes", "[]")
"""What is tried as an example, one for each sort of value."""

ONE_OF = re.compile(r"given\(\w+\)(?: or given\(\w+\))*")
"""A condition by which one of some inputs has to be given."""

Tries = Callable[[str], None]
"""Raises PlayError or RulesetError where a text is no value."""


def ask_input(playing: Game, path: str, one: Input, state: State | None = None) -> Node:
    """The value of an input of a rule from the person at the terminal; it may name things of a state.

    Of a record, the required fields are asked for, or, if there are none, the one as which it is written.
    """

    def tries(text: str) -> None:
        playing.try_input(path, one.name, parse_value(one.name, text), state)

    one = _add_titles_of_things(one, _titles_of_things(playing, state))
    record = playing.program.types.get(one.type) if one.fields else None
    if record is None:
        print_wrapped(f"{one.shown}: {describe_input(one)}", err=True)
        return parse_value(one.name, _ask_for_value(one.shown, one, tries))
    asked = [field for field in one.fields.values() if field.required or field.name == record.written_as]
    written = asked[0] if len(asked) == 1 and asked[0].name == record.written_as else None
    about = f". {one.about}" if one.about else ""
    if written is not None or not asked:
        head = f"{written.type if written is not None else one.type}{about}"
        more = [field for field in one.fields if written is None or field != written.name]
        print_wrapped(f"{one.shown}: {head}", err=True)
        help = _add_further_fields(head, one, written, more) + _describe_modifiers(
            playing.program, record.name, written
        )
        return parse_value(one.name, _ask_for_value(one.shown, written or one, tries, help=help))
    print_wrapped(f"{one.shown}: {', '.join(field.shown for field in asked)}{about}", err=True)
    while True:
        answers: list[str] = []
        for field in asked:
            text = _ask_for_value(f"{one.shown}.{field.shown}", field, _tries_of_field(tries, field.name))
            if text.startswith("{"):
                return parse_value(one.name, text)  # the whole record
            answers.append(f"{field.name}: {text}" if text[:1] in ("[", "{") else f"{field.name}: '{text}'")
        text = f"{{{', '.join(answers)}}}"
        try:
            tries(text)
            return parse_value(one.name, text)
        except (PlayError, RulesetError) as problem:
            _print_problem(problem)


def ask_for_optional(playing: Game, rule: ir.Mechanic, given: dict[str, Node]) -> Iterator[tuple[str, Node]]:
    """The inputs with a default that have a question and are not given; Enter gives the default."""
    form = Rule.of(rule, playing.closures)
    for declared in rule.inputs:
        if declared.required or declared.name in given or not declared.ask.parts:
            continue
        text = _ask_if_wanted(playing, rule, form.inputs[declared.name])
        if text:
            yield declared.name, parse_value(declared.name, text)


def _add_further_fields(head: str, one: Input, written: Input | None, more: list[str]) -> str:
    """What is told of a record at `?`: also what else it may have, and how that is written."""
    if not more:
        return head
    start = f"{written.name}: …, " if written is not None else ""
    return f"{head.removesuffix('.')}. It may also have {', '.join(more)}: {{{start}{more[0]}: …}}"


def _describe_modifiers(program: ir.Program, record: str, written: Input | None) -> str:
    """What is told of the modifiers of a record at `?`: how they are written, and which there are."""
    modifiers = [one for one in program.modifiers.values() if one.to == record]
    if not modifiers:
        return ""
    start = f"{written.name}: …, " if written is not None else ""
    abouts = ((one.name, program.abouts.get(one.path, "").rstrip(".")) for one in modifiers)
    names = ", ".join(f"{name} ({about})" if about else name for name, about in abouts)
    return f". Modifiers add to it, {{{start}modifiers: [{modifiers[0].name}]}}: {names}."


def ask_for_required(playing: Game, rule: ir.Mechanic, given: dict[str, Node]) -> Iterator[tuple[str, Node]]:
    """One of several optional inputs of which a rule requires one, if none of them is given; Enter goes to the next."""
    form = Rule.of(rule, playing.closures)
    for requirement in rule.requires:
        condition = requirement.condition.text
        named = re.findall(r"given\((\w+)\)", condition) if ONE_OF.fullmatch(condition) else []
        if not named or any(name in given for name in named):
            continue
        for name in named:
            text = _ask_if_wanted(playing, rule, form.inputs[name])
            if text:
                yield name, parse_value(name, text)
                break


def kind_of_missing_thing(playing: Game, one: Input, rule: ir.Mechanic) -> str | None:
    """The kind of a thing that an input needs, also in a field, if no thing of that kind is part of the game."""
    declared = next(each for each in rule.inputs if each.name == one.name)
    waiting, seen = [declared], set[str]()
    while waiting:
        kind = t.without_maybe(waiting.pop().type)
        if isinstance(kind, t.Object) and not any(held.kind == kind.kind for held in playing.start.things.values()):
            return kind.kind
        record = playing.program.types.get(kind.name) if isinstance(kind, t.Record) else None
        if record is not None and kind.name not in seen:  # type: ignore[union-attr]
            seen.add(kind.name)  # type: ignore[union-attr]
            waiting += [field for field in record.has if field.required]
    return None


def describe_input(one: Input) -> str:
    """An input in words: its type, bounds, default and meaning."""
    words = one.type
    if one.choices:
        words = ("any of " if one.several else "one of ") + ", ".join(map(one.title_of, one.choices))
    if one.low is not None and one.high is not None:
        words += f" from {one.low} to {one.high}"
    elif one.low is not None or one.high is not None:
        words += f", at least {one.low}" if one.low is not None else f", at most {one.high}"
    if one.several:
        words += "; commas between several, [] for none"
    if one.fields:
        words += f" with {', '.join(field.shown for field in one.fields.values())}"
    if one.default is not None and not one.fields:
        default = _default_in_words(one)
        words += f"; default {default}"
    elif not one.required:
        words += "; optional"
    return words + (f". {one.about}" if one.about else "")


def _tries_of_field(tries: Tries, field: str) -> Tries:
    """Tries a text for one field of a record: an error of another field, such as a missing one, is none of this."""

    def part(text: str) -> None:
        if text.startswith("{"):
            tries(text)
            return
        try:
            tries(f"{{{field}: '{text}'}}" if text[:1] != "[" else f"{{{field}: {text}}}")
        except PlayError as problem:
            if problem.diagnostic.code != MISSING_FIELD:
                raise

    return part


MISSING_FIELD = "HR102"
"""The code of the message that a record lacks a field."""


def _ask_for_value(name: str, one: Input, tries: Tries, optional: bool = False, help: str = "") -> str:
    """A text that is a value, from the person at the terminal; `help` is what `?` tells, by default the input in words.

    Enter gives nothing where the input is `optional`, and else needs an answer.
    """
    example = _example(one, tries)
    usual = one.default if optional else None
    hint = (
        f" [{_default_in_words(one)}]"
        if usual is not None
        else f" (such as {one.title_of(example)})"
        if example
        else ""
    )
    while True:
        text = read_line(f"{name}{hint}: ")
        if text.startswith("?") or text == ":help":
            print_wrapped(f"{name}: {help or describe_input(one)}", err=True)
            continue
        if not text and not optional:
            _print_problem(PlayError(say.not_an_answer(name, "", f"{one.type}{hint}")))
            continue
        try:
            text = _in_brackets(_replace_titles(one, text), tries) if one.several else _replace_titles(one, text)
            tries(text)
        except (PlayError, RulesetError) as problem:
            pool = _likely_pool(text, tries)
            _print_problem(PlayError(say.written_so(text, pool)) if pool is not None else problem)
            continue
        return text


def _default_in_words(one: Input) -> str:
    """The default of an input in words."""
    return in_words(
        one.default if not isinstance(one.default, list) else tuple(one.default), lambda name: one.title_of(str(name))
    )


def _titles_of_things(playing: Game, state: State | None) -> dict[str, str]:
    """The titles of the things that an input may name."""
    now = state if state is not None else playing.start
    return titles_of(playing.program, now).shown_of(map(now.thing, now.things))


def _add_titles_of_things(one: Input, things: Mapping[str, str]) -> Input:
    """An input, and the fields of a record, with the titles of things."""
    fields = {name: _add_titles_of_things(field, things) for name, field in one.fields.items()}
    return replace(one, titles={**things, **one.titles}, fields=fields)


def _replace_titles(one: Input, text: str) -> str:
    """A text with the names of the words and things of which somebody has typed the titles."""
    names = {title.casefold(): name for name, title in one.titles.items()}
    bare = text.removeprefix("[").removesuffix("]") if one.several else text
    parts = [part.strip() for part in bare.split(",")] if one.several and bare.casefold() not in names else [bare]
    named = [names.get(part.casefold(), part) for part in parts]
    return text if named == parts else ", ".join(named)


def _in_brackets(text: str, tries: Tries) -> str:
    """The elements of a list as one types them, `iron, gold` or `3 1 1`, in brackets.

    If neither commas nor spaces part it into elements that fit, it is the text with brackets, for the message.
    """
    if text.startswith("["):
        return text
    lists = [f"[{', '.join(re.split(between, text))}]" for between in (r"\s*[,;]\s*", r"\s*[,;\s]\s*")]
    for one in lists:
        with suppress(PlayError, RulesetError):
            tries(one)
            return one
    return lists[0] if "," in text else lists[-1]


def _ask_if_wanted(playing: Game, rule: ir.Mechanic, one: Input) -> str:
    """A text that is a value of an input that may stay as it is, or nothing after Enter."""

    def tries(text: str) -> None:
        if text:
            playing.try_input(rule.path, one.name, parse_value(one.name, text))

    one = _add_titles_of_things(one, _titles_of_things(playing, None))
    print_wrapped(f"{one.shown}: {describe_input(one)}", err=True)
    return _ask_for_value(one.shown, one, tries, optional=True)


def _example(one: Input, tries: Tries) -> str | None:
    """A text that is a value: one of the words, a number in the middle of its bounds or the lowest one but 0, or
    the first of the usual examples that fits."""
    if one.several:
        for text in (", ".join([*one.choices][:2]), "3, 1", "yes, no"):
            with suppress(PlayError, RulesetError):
                tries(_in_brackets(text, tries) if text else "")
                return text
    low = [] if one.low is None else [str((one.low + one.high) // 2)] if one.high is not None else [str(one.low)]
    for text in (*one.choices, *(each for each in low if each != "0"), *EXAMPLES):
        with suppress(PlayError, RulesetError):
            tries(text)
            return text
    return None


def _likely_pool(text: str, tries: Tries) -> str | None:
    """What is a value, where dice were joined with words or signs of other kinds."""
    pool = re.sub(r"\s*(?:,|;|\+|\band\b)\s*", " & ", text)
    with suppress(PlayError, RulesetError):
        if pool != text:
            tries(pool)
            return pool
    return None


def _print_problem(problem: PlayError | RulesetError) -> None:
    first = problem.diagnostic if isinstance(problem, PlayError) else problem.diagnostics[0]
    print_wrapped(as_text(first, painter(sys.stderr)), err=True)

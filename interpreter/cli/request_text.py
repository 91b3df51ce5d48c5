"""A request in words, as a terminal shows it: the question, its options, and the answer that Enter gives."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import groupby
from typing import TYPE_CHECKING, Any

from interpreter.api.questions import FACES, Request
from interpreter.cli.menu import MenuEntry
from interpreter.cli.typed_answers import NONE, are_numbered, is_offer, option_text
from interpreter.frozen import dataclass
from interpreter.play.available_actions import FREE, PASS, Possible, describe_action, prices_in_words, terms_in_words
from interpreter.runtime.titles import NO_TITLES, Titles
from interpreter.values import Thing, in_words

if TYPE_CHECKING:
    from interpreter.api.chances import ChanceOfChange


def title_of(request: Request) -> str:
    """The question; for faces, what the dice are thrown for."""
    name = request.title_of(request.name).replace("_", " ")
    return request.question or (f"Dice for {name}" if request.kind == FACES else name)


@dataclass(frozen=True)
class SharedSentences:
    """The sentences that several questions have in common, as one `text`, and what else each of them says."""

    text: str
    own: tuple[str, ...]


SENTENCE = re.compile(r"(?<=[.;!?]) +")
"""What stands between the sentences of a question."""


def shared_sentences(questions: Sequence[str], ends: bool = True) -> SharedSentences:
    """The sentences at the beginning of several questions that are the same in all, and with `ends` also those at their
    end, as long as each question has something of its own or all are the same."""
    each = [SENTENCE.split(one) for one in questions]
    shortest = min(map(len, each))
    first = next((n for n in range(shortest) if len({one[n] for one in each}) > 1), shortest)
    room = shortest - first if ends else 0
    last = next((n for n in range(room) if len({one[-1 - n] for one in each}) > 1), room)
    own = [one[first : len(one) - last] for one in each]
    return SharedSentences(" ".join([*each[0][:first], *each[0][len(each[0]) - last :]]), tuple(map(" ".join, own)))


def options_of(request: Request) -> Iterator[str]:
    """The list of options, each in full."""
    return (entry.forms[0] for entry in entries_of(request))


@dataclass(frozen=True)
class Beside:
    """What stands beside the options of a request: of an offer, the `possible` actions by name, from which an entry has
    the targets that there are, the `own` inputs of each, which the actor gives, and the kind of the `actor`; and the
    `chances` of options, in words."""

    titles: Titles = NO_TITLES
    actor: str = ""
    possible: Mapping[str, Possible] = field(default_factory=dict)
    chances: Mapping[str, str] = field(default_factory=dict)
    own: Mapping[str, Collection[str]] = field(default_factory=dict)


NOTHING_BESIDE = Beside()


def entries_of(request: Request, beside: Beside = NOTHING_BESIDE) -> Iterator[MenuEntry]:
    """The menu of options."""
    if request.options is None or (request.kind == "number" and request.meanings):
        of_answers = request.kind == "number" and request.of not in request.meanings  # and not of what it is about
        means = _meanings_of_numbers(request) if of_answers else list(request.meanings.items())
        width = max((len(word) for word, _ in means), default=0)
        yield from (MenuEntry((f"  {word:>{width}}  {texts}",)) for word, texts in means)
        return
    texts = [option_text(one) for one in request.options]
    if not are_numbered(texts):
        yield MenuEntry((f"  {', '.join(map(request.title_of, texts))}",))
        return
    if is_offer(request):
        for number, word in enumerate(texts, 1):
            one = beside.possible.get(word)
            told = _forms_of_action(one, beside) if one is not None else (_describe_offered_action(request, word),)
            yield MenuEntry(tuple([f"  {number:>2}  {form}" for form in told]))
        return
    shown = [_own_name(request, word) for word in texts]
    width = max(map(len, shown), default=0)
    for number, (word, short) in enumerate(zip(texts, shown, strict=True), 1):
        more = "; ".join(filter(None, (beside.chances.get(word), request.meanings.get(word))))
        yield MenuEntry((f"  {number:>2}  {short:<{width}}  {more}".rstrip(),))


def _describe_offered_action(request: Request, word: str) -> str:
    """An offered action in full, or to pass."""
    means = request.meanings.get(word, "")
    return means or request.title_of(word) if word != PASS else f"{PASS}: {means}" if means else PASS


MOST_TARGETS = 4
"""The most things that an entry of a menu names as what an action can be done to."""


def _forms_of_action(one: Possible, beside: Beside) -> tuple[str, ...]:
    """An action as a menu tells it, with what it comes to, the things that it can be done to, its chance and what it
    costs; each form is shorter than the one before."""
    titles, price = beside.titles, terms_in_words(one, beside.titles, beside.actor)
    chance, paid = beside.chances.get(one.action, ""), f" ({price})" if price else ""
    *others, last = _targets(one, beside.own.get(one.action, one.inputs), titles) or [""]
    among = f"{', '.join(others)} or {last}" if others else last
    whole = describe_action(one, titles, beside.actor).removesuffix(paid) if one.settled or not among else ""
    whole = whole or told_after(one.title, one.shows, among)
    forms = [
        f"{told_after(whole, chance, between='; ')}{paid}",
        f"{told_after(one.title, among, chance)}{paid}",
        f"{told_after(one.title, among)}{paid}",
        f"{one.title}{paid}",
        one.title,
    ]
    return tuple(dict.fromkeys(forms))


def told_after(title: str, *parts: str, between: str = ": ") -> str:
    """A title and what is told of it, without parts that are empty."""
    told = ", ".join(filter(None, parts))
    return f"{title}{between}{told}" if told else title


def in_points(chance: ChanceOfChange, titles: Titles) -> str:
    """The chance that points change, and the mean: `58%: wounds +3.2`; `0%: wounds` where it changes nothing."""
    name = titles.attribute(titles.kind_of(chance.thing), chance.points).replace("_", " ")
    if not chance.chance:
        return f"0%: {name}"
    percent = round(chance.chance * 100)
    mark = "<" if percent == 0 < chance.chance else ">" if percent == 100 and chance.chance < 1 else ""
    return f"{mark}{min(max(percent, 1), 99) if mark else percent}%: {name} {float(chance.mean):+.1f}"


def _targets(one: Possible, own: Collection[str], titles: Titles) -> list[str]:
    """The things that the first of the actor's own inputs which takes one can be; of many, how many more there are."""
    for name, values in one.inputs.items():
        if name in own and values and all(isinstance(value, Thing) for value in values):
            named = [titles.value(value) for value in values]
            return named if len(named) <= MOST_TARGETS else [*named[: MOST_TARGETS - 1], f"{len(named) - 3} more"]
    return []


def _own_name(request: Request, word: str) -> str:
    """An option, a part of whoever is asked, or of the one thing of which all options are parts, by its own name:
    `cunning` for `lockjaw.cunning`; it may be typed so. The points of a mix are told with spaces: `1 turn tokens`."""
    if word in request.titles:
        return request.title_of(word)
    owners = {option_text(one).rpartition(".")[0] for one in request.options or ()}
    own = word.removeprefix(f"{owners.pop() if len(owners) == 1 else request.who}.")
    return own.replace("_", " ") if request.path.endswith(".mix") else own


def remaining_offer(request: Request) -> str:
    """What an offer still has where actions of some kind are spent, in one line, with what each costs."""
    *actions, usual = request.options or ()
    return f"{', '.join(_option_with_price(request, option_text(one)) for one in actions)}, or {option_text(usual)}"


def _option_with_price(request: Request, option: str) -> str:
    terms = request.terms.get(option)
    price = "" if terms is None else FREE if terms.free else prices_in_words(terms.prices)
    shown = request.title_of(option)
    return f"{shown} ({price})" if price else shown


def _meanings_of_numbers(request: Request) -> list[tuple[str, str]]:
    """What numbers come to, those in a row that come to the same in one line: `-3 to 0`; with a sign, where some are
    below 0."""
    sign = "+" if any(word.startswith("-") for word in request.meanings) else ""
    rows: list[tuple[str, str]] = []
    shown = [(int(word), means) for word, means in request.meanings.items()]
    in_a_row = groupby(enumerate(shown), key=lambda one: (one[1][1], one[1][0] - one[0]))  # some may come to nothing
    for (means, _), same in in_a_row:
        numbers = [f"{number:{sign}}" if number else "0" for _, (number, _) in same]
        rows.append((numbers[0] if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}", means))
    return rows


def hint_of(request: Request) -> str:
    """What may be typed, with the answer that Enter gives in brackets."""
    default = f" [{hint_of_default(request)}]" if request.has_default else ""
    match request.kind:
        case "faces":
            dice = ", ".join(str(die["die"]) for die in request.dice)
            return f"faces of {dice}; Enter leaves {'it' if len(request.dice) == 1 else 'them'} to chance"
        case "number" if request.low is not None:
            return f"{request.low} to {request.high}{default}"
        case "yes_no":
            return f"yes or no{default}"
        case "some":
            span = f"{request.least} to {request.most}" if request.least != request.most else str(request.most)
            several = f"{span} of them" + (f", or {NONE}" if request.least == 0 else "")
            return f"{several}{default}"
    return default.strip() if request.options is not None else f"text{default}"


def hint_of_default(request: Request) -> str:
    """The answer that Enter gives, in words; of several, without brackets."""
    default = request.default
    if default in (None, []):
        return NONE
    each = default if isinstance(default, list) else [default]
    answers = ", ".join([request.title_of(in_words(one)) for one in each])
    return _own_name(request, answers) if request.kind == "one" else answers


def as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value

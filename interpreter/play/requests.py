"""What a run requests: faces and decisions. It does not know who answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Any, NamedTuple

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.runtime.late import make_when_read
from interpreter.values import Die, Thing, in_words


@dataclass(slots=True)
class ThrowRequest:
    """A throw of dice; the answer is one face for each, in order. `path` names the step, and `step` is its path in the
    ruleset.

    A draw from a pile is requested in the same way; `pile` is the object that has it, and its name. So are lots: the
    face is the place, from 1, of one of `among`, and `at` is the path in the ruleset of the step that draws them.
    """

    dice: tuple[Die, ...]
    path: str
    pile: tuple[Thing, str] | None = None
    among: tuple[Any, ...] = ()
    at: str = ""
    step: str = ""


@dataclass(slots=True)
class RollUnderWay:
    """A roll whose dice are still looked at: its step, by name and path, and the dice on the table with their faces."""

    name: str
    path: str
    dice: list[tuple[Die, Any]]

    @property
    def shown(self) -> str:
        """The dice with their faces: `d12 7, d12 3`."""
        return ", ".join(f"{die} {in_words(face)}" for die, face in self.dice)


Prices = Mapping[str, "tuple[int, int] | None"]
"""The lowest and the highest price by the name of the points; None if that depends on what is not known yet."""


@dataclass(slots=True)
class Choice:
    """A decision. The answer is an element of `options`, some of them, yes or no, a number, or text.

    `path` is its key in answers (`tosses.burn`). `least` and `most` are the bounds for `some`. `by_policy` has the
    answer of each policy of the ruleset. If a step asks one question for each of several, `of` is the one that this
    choice is about; `at_once` are all choices that are asked at once, this one included, and no player sees an answer
    before the last is given. `at` is the path in the ruleset of the step that asks. `events` are those of the run so
    far, `depth` is that of the step that asks, and `on_table` the dice of rolls under way, which no event tells yet.
    `about` is what the ruleset says about
    the step or input. `fits` tests what is chosen together with `some`; `condition` is this test as the ruleset writes
    it. `pattern` is `ask` with `…` in place of each value, the same whenever it is asked. Of an offer, `spent`
    is what is used up: kinds of actions, and points that last for a turn. `prices` are those of
    answers, by the answer in words, where the step that asks knows them. Of a reaction, `event` is the number of events
    of the run before the one that it is to, and `others` gives the choices of other reactions to this one that are
    possible now and are still to come; of a number for one of several, the same, with the choices about the others. A
    `minor` choice is one that whoever is asked only what is usual is not asked. The texts `ask`, `pattern`,
    `meanings` and `about` may be `late`: most choices are answered by somebody who reads none of them.
    """

    path: str
    kind: str
    by: str | None
    ask: str
    options: Sequence[Any] | None
    least: int
    most: int
    default: Any
    has_default: bool
    meanings: Mapping[str, str] = field(default_factory=dict)
    by_policy: Mapping[str, Callable[[], Any]] = field(default_factory=dict)
    of: str | None = None
    at_once: tuple[Choice, ...] = field(default=(), repr=False)
    at: str = ""
    events: Sequence[Any] = field(default=(), repr=False, compare=False)
    on_table: tuple[RollUnderWay, ...] = field(default=(), repr=False, compare=False)
    depth: int = field(default=0, repr=False, compare=False)
    about: str = field(default="", compare=False)
    fits: Callable[[Any], bool] | None = field(default=None, repr=False, compare=False)
    condition: str = ""
    pattern: str = ""
    spent: frozenset[str] = frozenset()
    prices: Mapping[str, Prices] = field(default_factory=dict, compare=False)
    event: int = field(default=0, compare=False)
    others: Callable[[], tuple[Choice, ...]] = field(default=tuple, repr=False, compare=False)
    minor: bool = field(default=False, compare=False)

    @property
    def name(self) -> str:
        return self.path.rsplit(".", 1)[-1]

    @property
    def words(self) -> Sequence[Any]:
        """The answers that can have a meaning, in words: the options, or yes and no."""
        return ("yes", "no") if self.kind == "yes_no" else tuple(map(in_words, self.options or ()))

    @property
    def offers_default(self) -> bool:
        """Whether there is a default that is a legal answer; a formula may give one that is not."""
        return self.has_default and is_allowed(self, self.default)


make_when_read(Choice, "ask", "meanings", "about", "pattern")


class Settled(NamedTuple):
    """A decision that nobody was asked for, because only `value` was possible; the fields are those of a choice."""

    path: str
    kind: str
    by: str | None
    of: str | None
    value: Any

    @property
    def choice(self) -> Choice:
        """The choice as it would be put, with this answer alone."""
        options = None if self.kind in ("yes_no", "text") else self.value if self.kind == "some" else (self.value,)
        return Choice(self.path, self.kind, self.by, "", options, 0, len(options or ()), None, False, of=self.of)


Request = ThrowRequest | Choice

MOST_SELECTIONS = 100_000
"""The most selections that are tried to find those that fit together."""


def legal_answers(choice: Choice) -> str:
    """The legal answers, in words."""
    options = choice.options or ()
    match choice.kind:
        case "yes_no":
            return "`yes` or `no`"
        case "text":
            return "any text"
        case "number" if isinstance(options, range) and options:
            return f"{options[0]} to {options[-1]}"
    shown = ", ".join(in_words(option) for option in options[:20]) + (", …" if len(options) > 20 else "")
    if choice.kind == "some":
        if choice.fits is not None and (few := _few_selections(choice)) is not None:
            return "; ".join(f"[{', '.join(map(in_words, one))}]" for one in few) or "nothing"
        condition = f", together `{choice.condition}`" if choice.condition else ""
        return f"{choice.least} to {choice.most} of {shown}{condition}" if options else "nothing"
    return shown


def example(choice: Choice) -> str | None:
    """A legal answer as it is typed; None where there is none to tell, as of a text or where nothing is offered."""
    match choice.kind:
        case "yes_no":
            return "yes"
        case "text":
            return None
        case "some":
            few = islice(selections(choice), MOST_TRIED_TO_TELL)
            legal = sorted((one for one in few if one is not None), key=lambda one: not one)
            return f"[{', '.join(map(_as_item, legal[0]))}]" if legal else None
    return in_words(choice.options[0]) if choice.options else None


def _as_item(option: Any) -> str:
    """An option as an element of a YAML list: in quotes where its text would be read as something else."""
    said = in_words(option)
    return said if re.fullmatch(r"-?\w+(?: \w+)*", said) else json.dumps(said, ensure_ascii=False)


def selections(choice: Choice) -> Iterator[tuple[Any, ...] | None]:
    """Every selection of `some`, the smallest first: itself if it is legal, None if it does not fit."""
    for number in range(choice.least, choice.most + 1):
        for chosen in combinations(choice.options or (), number):
            yield chosen if choice.fits is None or choice.fits(chosen) else None


MOST_TOLD, MOST_TRIED_TO_TELL = 12, 500
"""The limits on selections that a refusal lists, and on those that are tried for it."""


def _few_selections(choice: Choice) -> list[tuple[Any, ...]] | None:
    """The legal selections, each once; None if there are too many to tell."""
    found: dict[str, tuple[Any, ...]] = {}
    for tried, chosen in enumerate(selections(choice)):
        if chosen is not None:
            found.setdefault(in_words(chosen), chosen)
        if tried == MOST_TRIED_TO_TELL or len(found) > MOST_TOLD:
            return None
    return list(found.values())


def is_open(choice: Choice) -> bool:
    """Whether there is a legal selection of `some`, or so many selections that it is not known."""
    if choice.fits is None:
        return True
    return any(chosen is not None or tried == MOST_SELECTIONS for tried, chosen in enumerate(selections(choice)))


def check_answer(choice: Choice, answer: Any) -> Any:
    """A legal answer as the value that a run uses: text that is written like an option becomes that option.

    None is legal if the default is None. Raises PlayError for any other answer.
    """
    if answer is None and choice.has_default and choice.default is None:
        return None
    match choice.kind:
        case "yes_no":
            found = {"yes": True, "no": False}.get(answer, answer) if isinstance(answer, str) else answer
            legal = isinstance(found, bool)
        case "text":
            found, legal = answer, isinstance(answer, str)
        case "some":
            found, legal = _options_and_legality(choice, answer)
        case _ if type(answer) is str and answer in (choice.options or ()):
            return answer  # of offered actions, no other is tried
        case _:
            place = _place_of_option(choice.options or (), answer)
            found, legal = (choice.options or ())[place] if place is not None else answer, place is not None
    if not legal:
        raise PlayError(
            say.not_an_answer(choice.path, answer_in_words(answer), _explain_refusal(choice, answer), choice.ask)
        )
    return found


def _options_and_legality(choice: Choice, answer: Any) -> tuple[Any, bool]:
    """Several options as a tuple, none more often than it is offered, and whether the answer is legal."""
    if type(answer) not in (tuple, list):
        answer = (answer,)
    if not choice.least <= len(answer) <= choice.most:
        return answer, False
    found = _options_meant(choice, answer)
    return (answer if found is None else found), found is not None and (choice.fits is None or choice.fits(found))


def _options_meant(choice: Choice, answer: Sequence[Any]) -> tuple[Any, ...] | None:
    """The options that an answer means, none more often than it is offered; None if one is not offered so often."""
    left, found = list(choice.options or ()), []
    for one in answer:
        place = _place_of_option(left, one)
        if place is None:
            return None
        found.append(left.pop(place))
    return tuple(found)


def _place_of_option(options: Sequence[Any], answer: Any) -> int | None:
    """The place of the option that an answer means: one equal to it in value and type, or else in writing."""
    if isinstance(options, range):
        if isinstance(answer, str) and answer.removeprefix("-").isdecimal() and answer.isascii() and len(answer) < 20:
            answer = int(answer)
        return options.index(answer) if type(answer) is int and answer in options else None
    plain = isinstance(answer, (bool, int, float, str))
    for place, option in enumerate(options):
        if option == answer and (type(option) is type(answer) or not plain):
            return place
    if isinstance(answer, str):
        return next((place for place, option in enumerate(options) if in_words(option) == answer), None)
    return None


def answer_in_words(answer: Any) -> str:
    """An answer of a host, which may be anything, shortened for a message."""
    try:
        text = in_words(answer)
    except (TypeError, RecursionError):
        text = repr(answer)[:200]
    text = text[:80].encode("utf-8", "replace").decode()
    return text if len(text) < 80 else f"{text[:79]}…"


def _explain_refusal(choice: Choice, answer: Any) -> str:
    """The legal answers, and, if each option in an answer exists, why the answer is refused nevertheless."""
    words = legal_answers(choice)
    if choice.kind == "text":
        return f"{words}, and this is not text"
    if choice.kind != "some" or not isinstance(answer, (tuple, list)):
        return words
    several = re.split(r"[,\s]+", answer[0].strip()) if len(answer) == 1 and isinstance(answer[0], str) else []
    if len(several) > 1 and _options_meant(choice, several) is not None:
        return f"{words}; several are written as a list: `[{', '.join(several)}]`"
    fits = choice.least <= len(answer) <= choice.most
    each_exists = all(_place_of_option(choice.options or (), one) is not None for one in answer)
    too_often = fits and each_exists and _options_meant(choice, answer) is None
    return f"{words}, each at most as often as it is offered" if too_often else words


def is_allowed(choice: Choice, answer: Any) -> bool:
    """Whether an answer is legal."""
    try:
        check_answer(choice, answer)
    except PlayError:
        return False
    return True

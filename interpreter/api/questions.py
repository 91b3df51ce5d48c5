"""Requests for hosts, frozen and convertible to plain data, and answers to them, which are plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.play.interventions import Intervention
from interpreter.play.requests import Choice, Prices, ThrowRequest, answer_in_words, check_answer, legal_answers
from interpreter.runtime import objects
from interpreter.runtime.rng import canonical_face
from interpreter.runtime.titles import NO_TITLES, Titles
from interpreter.values import in_words, to_data

FACES = "faces"
"""The kind of a request for the faces of dice on the table."""

MOST_TEXT = 10_000
"""The largest number of characters of an answer that is a text."""

PICK = "pick"
"""The only key of an answer that gives the numbers of options, from 0."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What an option of a request is and costs, as data.

    `prices` are the lowest and the highest price by the name of the points; a price is None if it depends on what is
    still to be asked. Of an offered action, `title` is its title, `kinds` has its prices for each kind of action as
    which it can be done, and `settled` the inputs for which nobody is asked; it is `free` if it takes nothing, neither
    points nor one of a number of actions.
    """

    prices: Prices = field(default_factory=dict)
    title: str = ""
    kinds: Mapping[str, Prices] = field(default_factory=dict)
    settled: Mapping[str, Any] = field(default_factory=dict)
    free: bool = False

    def to_data(self) -> dict[str, Any]:
        """The same as plain data, without empty fields but the prices."""
        kinds = {kind: _ends(prices) for kind, prices in self.kinds.items()}
        more = {"title": self.title, "kinds": kinds, "settled": dict(self.settled), "free": self.free}
        return {"prices": _ends(self.prices), **{key: value for key, value in more.items() if value}}


def _ends(prices: Prices) -> dict[str, list[int] | None]:
    return {name: None if ends is None else list(ends) for name, ends in prices.items()}


@dataclass(frozen=True, slots=True)
class Request:
    """An open request.

    `kind` is `faces`, or that of a choice: `number`, `yes_no`, `one`, `some`, `text`. `who` is the thing or
    role that is asked, and `player` answers for it; if `player` is None, the host or any player answers. `of` is the
    element that the question is about, if there is one question for each of several. `options` are plain data, or
    None for a number between `low` and `high` and for kinds without options. Each of `dice` has its name, its `size`,
    and its `faces` if they are not 1 to its size. In a draw of lots, the face is the number of one of `among`, from 1.
    A `secret` answer is hidden from the others until all have answered. `since` tells what happened
    after the previous question to the same player, line by line, and the dice on the table, as far as they may know.
    `status` is the summary of the thing that is asked: `wounds 2 of 6, place gate`. `rule` is the path of the rule that
    asks: `mechanics.burn_essence`, and `about` what the ruleset says about the question. `together` is the condition
    on all that are chosen with `some`, as the ruleset writes it. `terms` are what options cost, by the option in words.
    `until` are the spans for which an answer may stand, and a `reaction` is the question whether to react to an event.
    `others` are what the same player will be asked at the same moment, without ids: further reactions to the same
    event, which `react` answers together with this one, or the number for each further one of several, which `answer`
    takes `beside` the number for this one.
    Of an offer, `spent` is what is used up: kinds of actions, and points that last for a turn. `titles` are what people
    read in place of names in it, such as options, and may answer with.
    """

    id: str
    kind: str
    path: str
    who: str | None = None
    player: str | None = None
    of: str | None = None
    question: str = ""
    options: tuple[Any, ...] | None = None
    low: int | None = None
    high: int | None = None
    least: int = 0
    most: int = 1
    default: Any = None
    has_default: bool = False
    meanings: Mapping[str, str] = field(default_factory=dict)
    dice: tuple[Mapping[str, Any], ...] = ()
    among: tuple[Any, ...] = ()
    secret: bool = False
    since: tuple[str, ...] = ()
    status: str = ""
    rule: str = ""
    about: str = ""
    together: str = ""
    terms: Mapping[str, Terms] = field(default_factory=dict)
    until: tuple[str, ...] = ()
    reaction: bool = False
    spent: tuple[str, ...] = ()
    others: tuple[Request, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rsplit(".", 1)[-1]

    def title_of(self, name: str | None) -> str:
        """What people read in place of a name in the request: of an option, a thing, a role, points."""
        return self.titles.get(name, name) if name is not None else ""

    def to_data(self) -> dict[str, Any]:
        """The same as plain data, without empty fields."""
        whole = asdict(self) | {"name": self.name, "dice": [dict(die) for die in self.dice]}
        whole |= {key: list(whole[key]) for key in ("among", "since", "until", "spent")}
        whole["others"] = [one.to_data() for one in self.others]
        whole["terms"] = {option: terms.to_data() for option, terms in self.terms.items()}
        if self.options is not None:
            whole["options"] = list(self.options)
        empty: tuple[Any, ...] = (None, "", [], {})
        kept = {"id", "kind", "path", "name", "who", "player", *(["default"] if self.has_default else [])}
        if self.kind == "some":
            kept |= {"least", "most"}
        elif self.kind != "some":
            whole.pop("least"), whole.pop("most")
        for key in ("has_default", "secret", "reaction"):
            whole[key] = whole[key] or None
        return {key: value for key, value in whole.items() if key in kept or value not in empty}


@dataclass(frozen=True)
class TurnUnderWay:
    """Whose turn it is, and who has the next ones as far as is known, in order."""

    who: str
    then: tuple[str, ...] = ()


def question(of: Choice | ThrowRequest, number: str, player: str | None, titles: Titles = NO_TITLES) -> Request:
    """The request with an id, for the player who answers it."""
    if isinstance(of, ThrowRequest):
        dice = [
            {"die": str(die), "size": die.size, **({"faces": list(die.faces)} if die.faces else {})} for die in of.dice
        ]
        return Request(
            number,
            FACES,
            of.path,
            None,
            player,
            question=_question_of_draw(of, titles),
            dice=tuple(dice),
            among=tuple(map(to_data, of.among)),
            most=len(dice),
            least=len(dice),
            titles={of.path.rsplit(".", 1)[-1]: titles.constructs[of.at]} if of.at in titles.constructs else {},
        )
    numbers = of.options if of.kind == "number" and isinstance(of.options, range) else None
    offered = of.offers_default
    words = of.words if of.meanings else ()
    return Request(
        number,
        of.kind,
        of.path,
        of.by,
        player,
        of.of if of.of != of.by else None,
        of.ask,
        tuple(map(to_data, of.options)) if of.options is not None and numbers is None else None,
        numbers[0] if numbers else None,
        numbers[-1] if numbers else None,
        of.least,
        of.most,
        to_data(of.default) if offered else None,
        offered,
        {word: means for word, means in of.meanings.items() if means and word in words},
        secret=len(of.at_once) > 1,
        rule=".".join(of.at.split(".")[:2]),
        about=of.about,
        together=of.condition,
        titles=_titles(of, numbers is None, titles),
    )


def _titles(of: Choice, listed: bool, titles: Titles) -> dict[str, str]:
    """The titles of the options, of who is asked and what about, and of the step or input by whose name it is asked."""
    named = {name: titles.who(name) for name in (of.by, of.of) if name is not None}
    asked = {of.name: titles.constructs[of.at]} if of.at in titles.constructs else {}
    shown = titles.shown_of(of.options) if listed and of.options is not None and of.kind != "text" else {}
    return {name: title for name, title in {**asked, **named, **shown}.items() if title != name}


def _question_of_draw(of: ThrowRequest, titles: Titles) -> str:
    """The question of a throw that stands for a draw from a pile or of lots."""
    if of.pile is not None:
        return f"Drawn from {titles.place(objects.AttributePlace(*of.pile))}"
    lots = [f"{number} for {titles.value(one)}" for number, one in enumerate(of.among, 1)]
    return f"Lots are drawn: {', '.join(lots)}" if lots else ""


def read(of: Choice | ThrowRequest, said: Any, titles: Titles = NO_TITLES) -> Any:
    """The answer that plain data mean: options by name or by title. Raises PlayError if the request does not allow
    it."""
    if isinstance(of, ThrowRequest):
        return _faces(of, said)
    return check_answer(of, _meaning_of(of, said, titles))


def _faces(of: ThrowRequest, said: Any) -> list[Any]:
    if isinstance(said, (int, str)) and not isinstance(said, bool):
        said = [said]
    if not isinstance(said, (list, tuple)):
        raise PlayError(say.not_an_answer(of.path, answer_in_words(said), "one face for each die"))
    if len(said) != len(of.dice):
        raise PlayError(say.wrong_number_of_faces(say.NOWHERE, len(of.dice), len(said)))
    return [canonical_face(die, face) for die, face in zip(of.dice, said, strict=True)]


def _meaning_of(of: Choice, said: Any, titles: Titles) -> Any:
    """What plain data mean as an answer, which `check_answer` then holds to the request."""
    if said is None and of.has_default and of.default is None:
        return None  # it may be left out
    picked = _options_by_number(of, said)
    if picked is not None:
        options = [(of.options or ())[place] for place in picked]
        return tuple(options) if of.kind == "some" else options[0]
    match of.kind:
        case "yes_no":
            return said
        case "number":
            return said.strip() if isinstance(said, str) else said
        case "text":
            return _require_savable(of, said)
        case "some":
            each, left = said if isinstance(said, list | tuple) else [said], list(of.options or ())
            return tuple([_option(of, one, left, titles) for one in each])
    return _option(of, said, list(of.options or ()), titles)


def _require_savable(of: Choice, said: Any) -> Any:
    """A text that can be saved: no longer than `MOST_TEXT`, with only characters that UTF-8 can encode.

    Raises PlayError for any other value.
    """
    if type(said) is not str or len(said) > MOST_TEXT or said.encode("utf-8", "replace").decode() != said:
        raise PlayError(say.not_an_answer(of.path, answer_in_words(said), legal_answers(of), of.ask))
    return said


def _options_by_number(of: Choice, said: Any) -> list[int] | None:
    """The numbers of options, if an answer gives them."""
    if not isinstance(said, Mapping) or set(said) != {PICK} or of.options is None:
        return None  # an option itself, such as a die, or not an answer
    numbers = said.get(PICK)
    places = numbers if isinstance(numbers, list) else [numbers]
    known = all(type(one) is int and 0 <= one < len(of.options) for one in places)
    single = of.kind == "some" or len(places) == 1
    if not known or not single or len(set(places)) != len(places):
        raise PlayError(say.not_an_answer(of.path, answer_in_words(said), legal_answers(of), of.ask))
    return list(places)


def _option(of: Choice, said: Any, left: list[Any], titles: Titles) -> Any:
    """The option that an answer gives; of equal options, each is taken once."""
    for number, option in enumerate(left):
        data = to_data(option)
        if (type(data) is type(said) and data == said) or (isinstance(said, str) and in_words(option) == said):
            return left.pop(number)
    for number, option in enumerate(left):
        if isinstance(said, str) and titles.value(option).casefold() == said.strip().casefold():
            return left.pop(number)
    raise PlayError(say.not_an_answer(of.path, answer_in_words(said), legal_answers(of), of.ask))


def answer_data(of: Choice | ThrowRequest, answer: Any) -> Any:
    """An answer as plain data, which `read` reads back as the same answer."""
    if isinstance(answer, Intervention):
        return {"master": answer.text, **({"why": answer.why} if answer.why else {})}
    if isinstance(of, ThrowRequest):
        return list(answer)
    if answer is None or of.options is None or isinstance(of.options, range):
        return answer
    places = _places(of.options, answer if of.kind == "some" else (answer,))
    options: list[Any] = [to_data(of.options[place]) for place in places]
    single = all(isinstance(one, (str, int)) for one in options) and len({in_words(one) for one in of.options}) == len(
        of.options
    )
    if single:
        return options if of.kind == "some" else options[0]
    return {PICK: places}


def _places(options: Sequence[Any], answers: Sequence[Any]) -> list[int]:
    left: list[Any] = list(options)
    places = []
    for one in answers:
        places.append(next(n for n, option in enumerate(left) if option is not _TAKEN and option == one))
        left[places[-1]] = _TAKEN
    return places


_TAKEN = object()

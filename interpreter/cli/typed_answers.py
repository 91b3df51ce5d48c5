"""What the texts mean that somebody types at a question: answers, for whom, and how long they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.players import HOST
from interpreter.api.questions import FACES, Request
from interpreter.api.seat import Seat
from interpreter.api.session import Session
from interpreter.api.standing_answers import ROUND, SPANS
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.play.available_actions import PASS
from interpreter.runtime.rng import SeededDice, fresh_seed
from interpreter.values import in_words, split_list

STANDS = re.compile(r"(?P<answer>.*?)\s*!(?P<words>(?:\s*(?:all|everybody|turn|round|scene))*)\s*")
"""An answer that stands: `no!`, `pass! turn`, `0! all scene`, `no! everybody`."""


@dataclass(frozen=True)
class Typed:
    """A text as it was typed for one question: the answer, and, with `until`, how long and for whom it stands.

    It stands for all characters of the player, or, with `for_everybody`, for those of all players at the terminal.
    """

    answer: str
    until: str | None = None
    for_all: bool = False
    for_everybody: bool = False


def read_answer(text: str, request: Request) -> Typed:
    """The answer in a text. Raises PlayError where the words after `!` contradict each other."""
    stands = STANDS.fullmatch(text) if request.kind not in ("text", FACES) else None
    if stands is None:
        return Typed(text)
    words = stands["words"].split()
    spans = [one for one in words if one not in ("all", "everybody")]
    if len(spans) > 1:
        raise PlayError(say.two_spans(spans))
    everybody = "everybody" in words
    return Typed(stands["answer"], spans[0] if spans else ROUND, everybody or "all" in words, everybody)


def seat_at_terminal(session: Session) -> Seat:
    """The seat from which a terminal shows a session: that of its only player, or else that of the host, since several
    players read one screen."""
    return session.seat(HOST if session.only_player is None else session.only_player)


def seat_asked(session: Session, request: Request) -> Seat:
    """The seat that a request is put to: that of its player, or of the only one if that one may answer, or the host."""
    if request.player is not None:
        return session.seat(request.player)
    here = seat_at_terminal(session)
    return here if any(one.id == request.id for one in here.requests) else session.host


# Several questions -----------------------------------------------------------------------------------------------


def equal_requests(session: Session) -> list[Request]:
    """The first open question, and the same one to the other characters of the same player; or a number for one of
    several things, and the numbers for the others, which are asked after it."""
    first = _first_question(session)
    if first.kind not in ("number", "yes_no") or not first.has_default:
        return [first]
    if is_shared_out(first):
        return [first, *first.others]
    here = session.seat(HOST if first.player is None else first.player).requests
    same = [
        one
        for one in here
        if (one.path, one.kind, one.player) == (first.path, first.kind, first.player)
        and one.has_default and one.who is not None
    ]  # fmt: skip
    return same if len(same) > 1 else [first]


def is_shared_out(request: Request) -> bool:
    """Whether a request is for the number for one of several things, of which others are asked at the same moment."""
    return bool(request.others) and not request.reaction


def subject_of(request: Request) -> str:
    """What tells a request from others in a group: what it is about, or who is asked."""
    return str(request.of if request.of is not None else request.who)


def _first_question(session: Session) -> Request:
    """The first open question; with only one player here, as that player may see it."""
    first = session.host.requests[0]
    return next((seen for seen in seat_at_terminal(session).requests if seen.id == first.id), first)


def answers_of(group: Sequence[Request], text: str) -> list[tuple[Request, Any]]:
    """The answer to each of several requests: one text for all, one for each in order, or some by name.

    Raises PlayError where the text does not say that.
    """
    return [(request, _checked_answer_of(request, one)) for request, one in _texts_for_requests(group, text)]


def _texts_for_requests(group: Sequence[Request], text: str) -> list[tuple[Request, str]]:
    if len(group) == 1:
        return [(group[0], text)]
    bare = [one for one in text.split() if one.lower() in ("yes", "no", *YES_OR_NO) or isinstance(_number(one), int)]
    parts = bare if len(bare) == len(text.split()) > 1 else [one.strip() for one in text.split(",")]  # or `2 0 1`
    if any(" " in one for one in parts):
        named = dict(_subject_and_answer(group, one, len(parts)) for one in parts)
        if len(named) < len(parts):
            raise PlayError(say.wrong_number_of_answers(len(group), len(parts), _example_by_name(group)))
        return [(request, named.get(subject_of(request), "")) for request in group]
    alone = (len(group),) if is_shared_out(group[0]) and parts not in (["0"], [""]) else (1, len(group))
    if len(parts) not in alone:
        raise PlayError(say.wrong_number_of_answers(len(group), len(parts), _example_by_name(group)))
    return list(zip(group, parts * len(group) if len(parts) == 1 else parts, strict=True))


def _subject_and_answer(group: Sequence[Request], part: str, number: int) -> tuple[str, str]:
    """Whom or what one of a `number` of answers by name is for, `ann 2`, by its name or title, and the answer."""
    for one in group:
        for name in (subject_of(one), one.title_of(subject_of(one))):
            if part.lower().startswith(f"{name.lower()} "):
                return subject_of(one), part[len(name) :].strip()
    word = part.partition(" ")[0]
    if word.isdigit() or word in ("yes", "no", *YES_OR_NO):
        raise PlayError(say.wrong_number_of_answers(len(group), number, _example_by_name(group)))
    raise PlayError(say.not_one_of(say.NOWHERE, "who answers", word, [subject_of(one) for one in group]))


def _example_by_name(group: Sequence[Request]) -> str:
    """An example of answers for some of several characters: `ann 0, bo 0`."""
    return ", ".join(f"{subject_of(one)} {in_words(one.default)}" for one in group[:2])


@dataclass(frozen=True)
class AnswersAhead:
    """Texts that were typed after `;` for the questions that follow one, and the question that they follow.

    They answer the `offer` at a path when it is made again to `who`, the inputs of its actions, whoever of the same
    player is asked for them, and what the steps of these `actions` ask and they fit, until the turn is over. An action
    is picked by its name: a text that begins none is left over from a question that was not asked, so nothing takes it
    once the inputs of an action are over. Without an `offer` they answer what the same `rule` asks the same one. `turn`
    numbers the rounds and turns that had begun. They are `interrupted` once somebody else is asked for an input: from
    then on nobody can tell which of them was meant for whom, and they answer the questions to `who` alone.
    """

    texts: tuple[str, ...] = ()
    who: str | None = None
    player: str | None = None
    rule: str = ""
    offer: str = ""
    inputs: frozenset[str] = frozenset()
    turn: tuple[int, int] = (0, 0)
    actions: Mapping[str, str] = field(default_factory=dict)
    interrupted: bool = False

    def are_for(self, request: Request, turn: tuple[int, int]) -> bool:
        """Whether the next of them answers a request."""
        if not self.texts or self.turn != turn:
            return False
        if request.path in self.inputs:
            if request.who == self.who:
                return True
            return not self.interrupted and self._asks_the_same(request) and is_surely_answer(request, self.texts[0])
        if not self.offer:
            return request.rule == self.rule and request.who == self.who
        if request.rule.removeprefix("actions.") in self.actions:
            return self._asks_the_same(request) and is_surely_answer(request, self.texts[0])
        return request.path == self.offer and request.who == self.who and not self.texts[0][:1].isdigit()

    def count_unasked(self, request: Request, turn: tuple[int, int]) -> int:
        """How many at the front answer questions that were not asked: yes, no and numbers that do not answer this one,
        before one that does, or, where the offer is made again, before the end."""
        if self.turn != turn or not self._asks_the_same(request):
            return 0
        for number, text in enumerate(self.texts):
            if self._surely_answers(request, text):
                return number
            if not re.fullmatch(r"yes|no|y|n|none|[-+]?[0-9]+", text.lower()):
                return 0
        return len(self.texts) if request.path == self.offer and request.who == self.who else 0

    def _surely_answers(self, request: Request, text: str) -> bool:
        """Whether a text surely answers a request, the offer or a question about one of its actions."""
        if is_offer(request):
            return request.path == self.offer and request.who == self.who and self._begins_action_name(text)
        about_action = request.path in self.inputs or request.rule.removeprefix("actions.") in self.actions
        return about_action and is_surely_answer(request, text)

    def interrupt_for(self, request: Request) -> AnswersAhead:
        """The same where a request is answered that none of them is for."""
        return replace(self, interrupted=self.interrupted or request.path in self.inputs)

    def _asks_the_same(self, request: Request) -> bool:
        return request.who == self.who or (self.player is not None and request.player == self.player)

    def _begins_action_name(self, text: str) -> bool:
        """Whether a text begins the name or the title of an action, or passes."""
        named = [one.lower().replace(" ", "_") for one in (*self.actions, *self.actions.values(), PASS)]
        return any(one.startswith(text.lower().replace(" ", "_")) for one in named)

    def are_over(self, request: Request, turn: tuple[int, int]) -> bool:
        """Whether none of them can answer a question any more."""
        if not self.texts or self.are_for(request, turn):
            return False
        if self.turn != turn or is_offer(request):
            return True
        if self.offer:
            return request.path not in self.inputs and not self._begins_action_name(
                self.texts[0].partition("!")[0].strip()
            )
        return request.rule != self.rule and request.who == self.who


def refused_until(words: Sequence[str]) -> str:
    """The span for which reactions are refused by the words after `:refuse`. Raises PlayError for other words."""
    if len(words) > 1 or any(one not in SPANS for one in words):
        raise PlayError(say.not_one_of(say.NOWHERE, "how long reactions are refused", " ".join(words), SPANS))
    return words[0] if words else ROUND


def split(
    text: str, request: Request, actions: Mapping[str, ir.Action], turn: tuple[int, int]
) -> tuple[str, AnswersAhead]:
    """The text for a question, and those for the questions that follow it: `shoot; wart; pass`.

    After an offer or an input of an action, these are the questions about the action and the offer made again, and else
    those of the same rule.
    """
    offer = request.path if is_offer(request) else request.path.rpartition(".")[0].rpartition(".")[0]
    names = {name: action.rule.title for name, action in actions.items()}
    inputs = {f"{offer}.{name}.{one}" for name, action in actions.items() for one in action.answers}
    if ";" not in text or request.kind == "text":
        return text, AnswersAhead()
    if request.path not in {*inputs, offer}:
        offer, inputs, names = "", set(), {}
    first, *others = [one.strip() for one in text.split(";")]
    asks = (request.who, request.player, request.rule)
    return first, AnswersAhead(tuple(others), *asks, offer, frozenset(inputs), turn, names)


def is_surely_answer(request: Request, text: str) -> bool:
    """Whether a text is surely an answer to a question: an option, a number, yes or no."""
    bare = text.partition("!")[0].strip()
    match request.kind:
        case "yes_no":
            return bare.lower() in ("yes", "no", *YES_OR_NO)
        case "number":
            return isinstance(_number(bare), int)
        case "one":
            return isinstance(_pick_option(request, bare), int)
        case "some":
            return bare.lower() == NONE or all(
                isinstance(_pick_option(request, one.strip()), int) for one in bare.split(",")
            )
    return False


def names_thing_not_offered(text: str, request: Request, things: Container[str]) -> bool:
    """Whether a text names one of some things, and the question has no thing among its options."""
    options = [in_words(one) for one in request.options or ()]
    return text in things and not any(one in things or one.endswith(f".{text}") for one in options)


def check_possible_ahead(session: Session, offer: Request, text: str, ahead: Sequence[str]) -> None:
    """Raise PlayError where the answers typed ahead for an action name a thing that no input of it can be.

    Answers from the next action on that is named are left alone: what is possible for it may change until then.
    """
    picked = answer_of(offer, text)
    name = (offer.options or ())[picked["pick"]] if isinstance(picked, dict) else ""
    action = next((one for one in session.game.possible(session.state, offer.who or "") if one.action == name), None)
    if action is None or any(values is None for values in action.inputs.values()):
        return
    among = {key: [in_words(one) for one in values or ()] for key, values in action.inputs.items()}
    things = seat_at_terminal(session).view()
    of_things = {key: ", ".join(words) for key, words in among.items() if any(one in things for one in words)}
    for word in ahead:
        if word == PASS or action_meant_by(session.game.program.actions, word) is not None:
            return
        if word in things and not any(word in words for words in among.values()):
            raise PlayError(say.thing_not_for_action(action.title, word, of_things))


def is_offer(request: Request) -> bool:
    """Whether a request offers actions."""
    return request.options is not None and request.options[-1:] == (PASS,)


# One question ----------------------------------------------------------------------------------------------------


def answer_of(request: Request, text: str) -> Any:
    """The answer that a typed text means: numbers of the list, words, yes or no; of dice, no text throws them."""
    text = text.strip()
    if request.kind == FACES:
        if not text:
            draw = SeededDice(fresh_seed()).generator.below
            return [(die.get("faces") or range(1, die["size"] + 1))[draw(die["size"])] for die in request.dice]
        return [_number(one) for one in (split_list(text) if "{" in text else text.replace(",", " ").split())]
    if request.has_default and (not text or (text == NONE and request.default is None)):
        return request.default
    if request.kind == "yes_no":
        return YES_OR_NO.get(text.lower(), text)
    if request.kind == "number":
        return _number(text)
    if request.options is None:
        return text
    if request.kind == "some":
        bare = text.strip("[]")
        words = [] if bare.lower() == NONE else [one.strip() for one in bare.split(",") if one.strip()]
        picked: list[int | str] = []
        for word in words:
            picked.append(_pick_option(request, word, picked))
        return {"pick": picked} if all(isinstance(one, int) for one in picked) else words
    one = _pick_option(request, text)
    return {"pick": one} if isinstance(one, int) else text


def _checked_answer_of(request: Request, text: str) -> Any:
    """The answer that a typed text means. Raises PlayError, in the words of the screen, where it means no option or
    several: what programs are told names options by their words."""
    answer = answer_of(request, text)
    if request.kind != "one" or request.options is None or answer is None or isinstance(answer, Mapping):
        return answer
    if request.has_default and answer == request.default:
        return answer
    words = map(option_text, request.options)
    shown = {word: word if word == PASS else _title_of(request, word) for word in words}
    near = words_meant(shown, text)
    if len(near) > 1:
        raise PlayError(say.several_meant(request.path, text, [shown[one] for one in near]))
    raise PlayError(say.not_an_answer(request.path, text, "; ".join(shown.values()), request.question))


YES_OR_NO = {"y": "yes", "1": "yes", "n": "no", "0": "no"}
"""Short answers at a terminal."""

NONE = "none"
"""What is typed and shown for no option at all."""


def option_text(option: Any) -> str:
    """An option as people read it, a thrown die with its faces: `d6: 3`."""
    if isinstance(option, Mapping) and {"die", "faces"} <= option.keys():
        return f"{option['die']}: {'→'.join(map(in_words, option['faces']))}"
    return in_words(option)


def are_numbered(options: Sequence[str]) -> bool:
    """Whether a list of options has numbers by which to pick one: not where options are numbers themselves."""
    return not any(one.removeprefix("-").isdigit() for one in options)


def _number(text: str) -> Any:
    return int(text) if re.fullmatch(r"[-+]?[0-9]+", text) else text


def _pick_option(request: Request, text: str, before: Sequence[int | str] = ()) -> int | str:
    """The index of an option that was typed as its number in the list, from 1, or as its text.

    Of options with the same text it is the first that was not picked `before`.
    """
    texts = [option_text(one) for one in request.options or ()]

    def first(word: str) -> int:
        places = [place for place, one in enumerate(texts) if one == word]
        return next((place for place in places if place not in before), places[0])

    if text in texts:
        return first(text)
    if text.isdigit() and 1 <= int(text) <= len(texts) and are_numbered(texts):
        return int(text) - 1
    near = option_meant(request, text)
    return first(near) if near is not None else text


def option_meant(request: Request, text: str) -> str | None:
    """The one option that a text means: its word or the title of an offered action, a beginning of either, or the last
    part of its word. None if there is no such option, or more than one."""
    return word_meant({word: _title_of(request, word) for word in map(option_text, request.options or ())}, text)


def option_named(request: Request, text: str) -> str | None:
    """The option that a number in the list or a text means, if the request says what that comes to; else None."""
    if request.options is None or request.kind not in ("one", "some"):
        return None
    meant = _pick_option(request, text)
    option = option_text(request.options[meant]) if isinstance(meant, int) else None
    return option if option in request.meanings else None


def action_meant_by(actions: Mapping[str, ir.Action], text: str) -> str | None:
    """The one action that a text means, whether or not it is possible now. None if there is none, or more than one."""
    return word_meant({name: action.rule.title for name, action in actions.items()}, text)


def word_meant(titles: Mapping[str, str], text: str) -> str | None:
    """The one word that a text means. None if there is none, or more than one."""
    near = words_meant(titles, text)
    return near[0] if len(near) == 1 else None


def words_meant(titles: Mapping[str, str], text: str) -> list[str]:
    """The words that a text may mean, case aside: it or its title, a beginning of either, or the last part of it. Those
    meant in one of these ways are none of those meant in a later one."""
    said = text.lower().replace(" ", "_")
    names = {word: {one.lower().replace(" ", "_") for one in (word, title)} for word, title in titles.items()}
    ways: tuple[Callable[[str], bool], ...] = (
        lambda name: name == said, lambda name: name.startswith(said), lambda name: name.endswith(f".{said}")
    )  # fmt: skip
    found = ([word for word, called in names.items() if any(map(way, called))] for way in ways if said)
    return next(filter(None, found), [])


def _title_of(request: Request, word: str) -> str:
    """The title of an option; of an offered action, without what may be given for it and its price."""
    means = request.meanings.get(word, "") if is_offer(request) else ""
    return re.split(r" \(|: ", means, maxsplit=1)[0] or request.title_of(word)

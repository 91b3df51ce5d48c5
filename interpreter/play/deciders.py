"""What decides without a player: answers given beforehand, a policy, a host's function, the default."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any, Protocol

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError
from interpreter.play.requests import (
    MOST_SELECTIONS,
    Choice,
    Settled,
    ThrowRequest,
    check_answer,
    example,
    legal_answers,
)
from interpreter.play.run import Walk
from interpreter.runtime.rng import Draws, FaceSource
from interpreter.values import in_words

RANDOM = "random"
"""The name of the policy that answers every choice at random."""

Policy = Callable[[Choice], Any]
"""A host's policy: from a choice to the answer, or None for the default."""


class NeverAsked(PlayError):
    """An answer was given beforehand to a choice that was never asked."""


class Answered(Protocol):
    """The answers to one choice that were given beforehand."""

    def answers_to_choice(self, choice: Choice) -> list[Any] | None:
        """One answer for each time it is asked; None if there is none for whom it asks or what it is about."""

    def about(self) -> Sequence[str]:
        """The names of those who are asked, or that it is about, if answers are given by name.

        A mapping that turns out to be a record among the options has no names once `answers_to_choice` has seen it.
        """


@dataclass
class Answers:
    """Answers choices: from the `given` answers by key, else by the policy, else by `ask`, else with the default.

    A key is the path of a choice or the end of it (`tosses.burn`, `burn`), if that identifies one choice.
    `settled` are the decisions of the run that nobody is asked for: an answer given to one must be the right one.
    """

    given: Mapping[str, Answered]
    read: Callable[[Choice, Any], Any]
    policy: str | Policy | None = None
    ask: Policy | None = None
    used: dict[tuple[str, str], int] = field(default_factory=dict)
    meant: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    asked_of: dict[str, dict[str, None]] = field(default_factory=dict)
    left: dict[tuple[str, str], list[Any]] = field(default_factory=dict)
    settled: list[Settled] = field(default_factory=list)
    settled_before: dict[tuple[str, str], int] = field(default_factory=dict)

    def decide(self, choice: Choice) -> Any:
        """The answer to a choice. Raises PlayError if there is none."""
        self.asked.append(choice.path)
        key, answers = self._given_answers(choice)
        if answers is not None:
            number = self.used.get(key, 0)
            if number >= len(answers):
                raise PlayError(say.answers_used_up(choice.path, number, legal_answers(choice)))
            self.used[key] = number + 1
            self.left[key] = answers[number + 1 :]
            self.settled_before[key] = len(self.settled)
            return self.read(choice, answers[number])
        answer = self._answer_of_policy(choice)
        if answer is None and self.ask is not None:
            answer = self.ask(choice)
        if answer is None and choice.has_default:
            return choice.default
        if answer is None:
            raise PlayError(say.no_answer(choice.path, choice.by, choice.ask, example(choice)))
        return answer

    def answer_always(self, choice: Choice) -> list[tuple[Any, int]]:
        """The answer to a choice as a law with one value, the same whenever it is asked; for exact odds."""
        return self.answer_beforehand(choice) or [(self.decide(choice), 1)]

    def answer_beforehand(self, choice: Choice) -> list[tuple[Any, int]] | None:
        """As `answer_always`, but None if no answer was given and the policy has none."""
        key, answers = self._given_answers(choice)
        if answers is not None:
            self.used[key], self.left[key] = 1, []
            return [(self.read(choice, answers[0]), 1)]
        answer = self._answer_of_policy(choice)
        return None if answer is None else [(answer, 1)]

    def has_answer_to(self, choice: Choice) -> bool:
        """Whether an answer to a choice was given beforehand."""
        return self._given_answers(choice)[1] is not None

    def finish(self) -> None:
        """Raises PlayError for an answer that was never asked for, unless it is the only one that was possible."""
        for key, given in self.given.items():
            for one in given.about() or [""]:
                shown, place = f"{key}.{one}" if one else key, (key, one)
                only = self._settled_answers(key, one)
                if place not in self.used:
                    answers = given.answers_to_choice(only[0].choice) if only else None
                    if answers is None:
                        known = self.asked_of.get(key, ()) if one else dict.fromkeys(self.asked)
                        raise NeverAsked(say.never_asked(shown, known))
                    if not self._are_right(answers, only):
                        raise PlayError(say.could_only_be(shown, [in_words(settled.value) for settled in only]))
                elif not self._are_right(self.left[place], only):
                    used = self.used[place]
                    raise PlayError(say.asked_less_often(shown, used, used + len(self.left[place])))

    def _settled_answers(self, key: str, one: str) -> list[Settled]:
        """What was settled under a key, of one name if that is given, after the last answer to it was used."""
        found = self.settled[self.settled_before.get((key, one), 0) :]
        found = [settled for settled in found if settled.path == key or settled.path.endswith(f".{key}")]
        path = self.meant.get(key) or (found[0].path if found else key)
        return [settled for settled in found if settled.path == path and one in ("", settled.of or settled.by)]

    def _are_right(self, answers: Sequence[Any], only: Sequence[Settled]) -> bool:
        """Whether answers are, in order, the only ones that were possible."""
        return len(answers) <= len(only) and all(map(self._is_right, answers, only))

    def _is_right(self, answer: Any, only: Settled) -> bool:
        try:
            return bool(check_answer(only.choice, self.read(only.choice, answer)) == only.value)
        except PlayError:
            return False

    def _given_answers(self, choice: Choice) -> tuple[tuple[str, str], list[Any] | None]:
        """The key that an answer is counted under, and the given answers to a choice, if any."""
        key = self._key(choice)
        if key is None:
            return ("", ""), None
        answers = self.given[key].answers_to_choice(choice)
        by_name = (choice.of or choice.by or "") if self.given[key].about() else ""
        if by_name:
            self.asked_of.setdefault(key, {})[f"{key}.{by_name}"] = None
        return (key, by_name), answers

    def _key(self, choice: Choice) -> str | None:
        keys = [key for key in self.given if choice.path == key or choice.path.endswith(f".{key}")]
        if not keys:
            return None
        key = max(keys, key=len)
        if self.meant.setdefault(key, choice.path) != choice.path:
            raise PlayError(say.ambiguous_choice(key, [self.meant[key], choice.path]))
        return key

    def _answer_of_policy(self, choice: Choice) -> Any:
        if isinstance(self.policy, str):
            answer = choice.by_policy.get(self.policy)
            return answer() if answer else None
        return self.policy(choice) if self.policy is not None else None


def drive(walk: Walk, source: FaceSource, answers: Answers) -> Any:
    """Run a walk to its end with answers to its requests; its result."""
    answer: Any = None
    while True:
        try:
            request = walk.send(answer)
        except StopIteration as stop:
            return stop.value
        answer = source.throw(request.dice) if isinstance(request, ThrowRequest) else answers.decide(request)


# By chance --------------------------------------------------------------------------------------------------------


def any_answer(choice: Choice, pick: Draws) -> Any:
    """A random legal answer, all equally likely."""
    options = choice.options or ()
    if choice.kind == "yes_no":
        return bool(pick.below(2))
    if choice.kind == "text":
        return None
    if choice.kind != "some":
        return options[pick.below(len(options))]
    for _ in range(MOST_SELECTIONS):
        chosen = _any_selection(choice, options, pick)
        if choice.fits is None or choice.fits(chosen):
            return chosen
    raise PlayError(say.too_many_answers(choice.path, MOST_SELECTIONS))


def _any_selection(choice: Choice, options: Sequence[Any], pick: Draws) -> tuple[Any, ...]:
    """A random selection, all equally likely: first the number of options is drawn, then the options."""
    many = choice.least
    at = _random_below(pick, sum(comb(len(options), number) for number in range(choice.least, choice.most + 1)))
    while at >= comb(len(options), many):
        at -= comb(len(options), many)
        many += 1
    left = list(range(len(options)))
    chosen = [left.pop(pick.below(len(left))) for _ in range(many)]
    return tuple([options[place] for place in sorted(chosen)])  # as odds answer by chance, in the order of the options


def _random_below(pick: Draws, bound: int) -> int:
    """A random number from 0 to `bound` - 1, of any size."""
    words = (bound.bit_length() + 31) // 32
    while True:
        drawn = sum(pick.below(1 << 32) << (32 * place) for place in range(words)) >> (32 * words - bound.bit_length())
        if drawn < bound:
            return drawn

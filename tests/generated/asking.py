"""A question that is asked of a game, and the plain answer: every way that the dice can fall, and what then came."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from random import Random
from typing import Any

from interpreter.api.game import Game
from interpreter.api.query import PreparedRule, Query, prepare
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.odds.brute_force import Effort, distinct_faces, enumerate_paths
from interpreter.odds.chance_choices import equally_likely_answers, legal_answers
from interpreter.odds.scenes import was_stopped
from interpreter.play.deciders import RANDOM, Answers
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.play.run import Run, SilentRun, Walk
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.state import STATE, State

Law = Mapping[tuple[Any, ...], Fraction]
Names = tuple[str, ...]

EFFORT = Effort(ways=1500, throws=60)
"""Beyond it, enumeration takes too long to be worth it."""

SCALAR = (t.Number, t.YesNo, t.Word, t.Roll, t.List, t.Object, t.SingleDie, t.Dice, t.Map)
"""Types of what is asked for; what is no number or word is told in words."""


MOST_DECIDED = 200
"""How many ways there may be where answers are open; each of them is walked again for every request."""

EFFORT_OF_CHAINS = Effort(ways=1500, throws=16)
"""The same where dice may go on for ever: what they come to after so many throws is not known."""

MOST_UNKNOWN = Fraction(1, 4)
"""How likely a chain may be that was not followed to its end, for the question to be worth asking."""

ENDLESS = re.compile(r"\bagain: (?!.* and nth < )")
"""A roll as games are grown whose dice may go on for ever."""


class TooMuch(Exception):
    """There are more ways than are worth walking."""


@dataclass(frozen=True)
class Way:
    """One way that it can go: how likely, the record that came of it, and the state.

    There is no record where a chain was not followed to its end.
    """

    weight: Fraction
    record: Any
    state: State | None


@dataclass(frozen=True)
class Asked:
    """A question: a rule of a game in a state, with inputs, and who answers its choices."""

    game: Game
    rule: str
    given: Mapping[str, Any]
    state: State | None
    policy: str | None
    choices: Mapping[str, Any]
    endless: bool = False
    """Whether there may be dice that go on for ever."""

    @property
    def how(self) -> dict[str, Any]:
        """What `odds`, `simulate` and `roll` take of it."""
        return {"state": self.state, "policy": self.policy, "choices": dict(self.choices), "inputs": dict(self.given)}

    def ready(self) -> PreparedRule:
        """The rule, ready to be walked."""
        return prepare(Query(self.game, self.rule, self.given, self.state))

    def answers(self) -> Answers:
        """Who decides, but for the policy `random`."""
        policy = None if self.policy == RANDOM else self.policy
        return self.game.answers(dict(self.choices), policy, None, self.game.reader(self.state))

    def begun(self, run: Run | SilentRun) -> tuple[Walk, dict[str, Any]]:
        """A walk from the beginning, and the frame in which it leaves the state."""
        ready = self.ready()
        at = {**ready.frame, ".meter": new_frame()[".meter"]}
        return ready.walk(at, run), at  # type: ignore[arg-type]

    @cached_property
    def ways(self) -> list[Way]:
        """Every way. Raises TooMuch where there are too many, PlayError where one of them cannot be played."""
        found = self._by_chance() if self.policy == RANDOM else self._plainly()
        if sum(one.weight for one in found if one.record is None) > MOST_UNKNOWN * self.endless:
            raise TooMuch("chains")
        return found

    @cached_property
    def unknown(self) -> Fraction:
        """How likely it is that a chain goes on for longer than it was followed."""
        return sum((one.weight for one in self.ways if one.record is None), Fraction(0))

    def _plainly(self) -> list[Way]:
        """By the reference, `interpreter.odds.brute_force`."""
        answers = self.answers()

        def start() -> tuple[Walk, Run]:
            nonlocal answers
            answers = self.answers()
            run = SilentRun()
            walk, at = self.begun(run)
            return _with_state(walk, at), run

        try:
            effort = EFFORT_OF_CHAINS if self.endless else EFFORT
            found = list(enumerate_paths(start, lambda choice: answers.decide(choice), effort))
        except PlayError as error:
            if error.diagnostic.code == "HR631" and "ways" in error.diagnostic.message:
                raise TooMuch("ways") from None
            raise
        return [Way(weight, *(came or (None, None))) for weight, came in found]

    def _by_chance(self) -> list[Way]:
        """The same where choices are answered by chance, all answers being as likely."""
        if self.endless:
            raise TooMuch("chains")
        answers = self.answers()

        def forks(request: ThrowRequest | Choice) -> list[tuple[Any, Fraction]]:
            if isinstance(request, Choice):
                law = answers.answer_beforehand(request) or equally_likely_answers(request)
                whole = sum(weight for _, weight in law)
                return [(answer, Fraction(weight, whole)) for answer, weight in law]
            return _fallen(request)

        return list(every_way(lambda: self.begun(SilentRun()), forks))

    def best(self, worth: Callable[[Any], Fraction], pick: Callable[[Iterable[Fraction]], Fraction]) -> Fraction:
        """What the record is worth in the mean where every answer is picked for that, knowing all that came before.

        Raises TooMuch where there are too many ways.
        """
        left = MOST_DECIDED

        def from_here(said: tuple[Any, ...]) -> Fraction:
            nonlocal left
            walk, _ = self.begun(SilentRun())
            try:
                request = walk.send(None)
                for answer in said:
                    request = walk.send(answer)
            except StopIteration as stop:
                left -= 1
                if left < 0:
                    raise TooMuch("ways") from None
                return worth(stop.value)
            if isinstance(request, Choice):
                return pick([from_here((*said, answer)) for answer in legal_answers(request)])
            return sum((share * from_here((*said, faces)) for faces, share in _fallen(request)), Fraction(0))

        return from_here(())

    @cached_property
    def goals(self) -> list[tuple[str, str | None]]:
        """What choices may be decided for: a number by its name, or `outcome` with one of the outcomes."""
        fields = self.game.type_of(self.rule).fields
        words = [word for name, kind in fields if name == "outcome" and isinstance(kind, t.Word) for word in kind.words]
        return [("outcome", word) for word in words] + [(n, None) for n, kind in fields if isinstance(kind, t.Number)]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What may be asked for by name."""
        found = list(_names(self.game.type_of(self.rule).fields))
        if self.state is not None:
            kinds = self.game.program.kinds
            for name, held in self.state.things.items():
                if "." not in name:
                    found += [
                        f"{name}.{one}" for one, of in kinds[held.kind].has.items() if isinstance(of.type, SCALAR)
                    ]
        return tuple(found)

    def law(self, names: Names) -> Law:
        """The law of some names over all ways; where the outcome is among them, less what a guard has stopped."""
        if names not in self._laws:
            scene = self.game.program.scenes.get(self.rule.removeprefix("scenes.")) if "outcome" in names else None
            law: dict[tuple[Any, ...], Fraction] = {}
            columns = [self._read(name) for name in names]
            for number, way in enumerate(self._known):
                key = tuple([column[number] for column in columns])
                if scene is None or not was_stopped(scene, way.record):
                    law[key] = law.get(key, Fraction(0)) + way.weight
            self._laws[names] = law
        return self._laws[names]

    @cached_property
    def _known(self) -> list[Way]:
        return [way for way in self.ways if way.record is not None]

    def _read(self, name: str) -> list[Any]:
        """What a name is worth in every way that is known."""
        if name not in self._readings:
            reading = self.game.reader_of_name(self.state, name)
            self._readings[name] = [reading(way.record, {STATE: way.state}) for way in self._known]
        return self._readings[name]

    @cached_property
    def _laws(self) -> dict[Names, Law]:
        return {}

    @cached_property
    def _readings(self) -> dict[str, list[Any]]:
        return {}

    def questions(self, seed: str, most: int) -> Iterator[Names]:
        """So many names alone, then some of them together."""
        chance = Random(seed)
        names = list(self.names)
        alone = names if len(names) <= most else chance.sample(names, most)
        yield from ((name,) for name in alone)
        for _ in range(min(3, len(names) - 1)):
            yield tuple(chance.sample(names, min(chance.choice((2, 2, 3)), len(names))))


def _fallen(request: ThrowRequest) -> list[tuple[list[Any], Fraction]]:
    """Every way that the dice of a throw can fall, and how likely it is."""
    faces = [[(face, Fraction(times, die.size)) for face, times in distinct_faces(die)] for die in request.dice]
    return [
        ([face for face, _ in one], prod((share for _, share in one), start=Fraction(1))) for one in product(*faces)
    ]


def every_way(
    start: Callable[[], tuple[Walk, dict[str, Any]]],
    forks: Callable[[ThrowRequest | Choice], list[tuple[Any, Fraction]]],
) -> Iterator[Way]:
    """Every way through a walk whose every request forks. Raises TooMuch where there are too many."""
    path: list[int] = []
    for _ in range(EFFORT.ways):
        walk, at = start()
        weight, widths, answer = Fraction(1), [], None
        while True:
            try:
                request = walk.send(answer)
            except StopIteration as stop:
                yield Way(weight, stop.value, at.get(STATE))
                break
            rows = forks(request)
            if len(widths) == len(path):
                path.append(0)
            answer, share = rows[path[len(widths)]]
            widths.append(len(rows))
            weight *= share
        del path[len(widths) :]
        while path and path[-1] + 1 >= widths[len(path) - 1]:
            path.pop()
        if not path:
            return
        path[-1] += 1
    raise TooMuch("ways")


def _with_state(walk: Walk, at: dict[str, Any]) -> Walk:
    record = yield from walk
    return record, at.get(STATE)


def _names(fields: Any, prefix: str = "") -> Iterator[str]:
    for name, kind in fields:
        kind = t.without_maybe(kind)
        if isinstance(kind, SCALAR):
            yield prefix + name
        elif hasattr(kind, "fields") and not prefix:
            yield from _names([(n, k) for n, k in kind.fields if isinstance(t.without_maybe(k), SCALAR)], f"{name}.")

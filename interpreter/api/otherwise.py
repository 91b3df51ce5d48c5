"""The nearest changes that make a run come out otherwise: one other face, input or answer, and all else as it was.

Each is found by playing the run again. A change counts only where the run then needs no die that was not thrown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from interpreter.api.game import Game
from interpreter.api.result import Result
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.play.requests import Choice, is_allowed
from interpreter.values import Die, in_words

MOST_RUNS = 2_000
"""The most runs that are tried."""

MOST_INPUTS = 6
"""The most changes of inputs that are told."""

FARTHEST = 30
"""How far from its value a number is tried."""


@dataclass(frozen=True)
class NearestChange:
    """A change that makes a value another one: `what` is changed from `was` to `now`; the value is `then`.

    `kind` says what is changed: a `die`, an `input` or an `answer`.
    """

    kind: str
    what: str
    was: str
    now: str
    then: str

    def __str__(self) -> str:
        changed = {
            "die": f"{self.now} on {self.what}",
            "input": f"`{self.what}` {self.now}",
            "answer": f"the answer {self.now} to `{self.what}`",
        }[self.kind]
        return f"with {changed} in place of {self.was}: {self.then}"


def nearest_changes(game: Game, result: Result, name: str) -> list[NearestChange]:
    """For each other value of a name that one change brings, the nearest change of a die, of each input and of an
    answer; of inputs, at most `MOST_INPUTS`.

    `result` is that of a mechanic, with or without a state. Only words and yes or no are asked for: of a number, every
    change brings another one.
    """
    here = value_of(result, name)
    if type(here) not in (str, bool):
        return []
    again = _Again(game, result)
    changes: list[NearestChange] = []
    for kind, ways in (
        ("die", _changes_of_dice(again)),
        ("input", _changes_of_inputs(again)),
        ("answer", _changes_of_answers(again)),
    ):
        nearest: dict[Any, tuple[int, NearestChange]] = {}
        for distance, what, was, now, run in ways:
            then = value_of(run, name)
            key = (then, what if kind == "input" else "")
            if then != here and (key not in nearest or distance < nearest[key][0]):
                nearest[key] = distance, NearestChange(kind, what, in_words(was), in_words(now), in_words(then))
        in_order = sorted(nearest.values(), key=lambda one: one[0])
        changes += [one for _, one in in_order[: MOST_INPUTS if kind == "input" else None]]
    return changes


def value_of(result: Result, name: str) -> Any:
    """The value of an outcome, a further reading or a step by its name; None if there is none."""
    return result.outcome if name == "outcome" else result.also.get(name, result.values.get(name))


class _NotKnown(Exception):
    """The run needs a face or an answer that the first run does not have."""


@dataclass
class _Faces:
    """Faces in the order of the first run, for the same dice; `thrown` are those dice."""

    faces: Sequence[Any]
    dice: Sequence[Die] | None = None
    thrown: list[Die] = field(default_factory=list)

    def throw(self, dice: Sequence[Die]) -> list[Any]:
        place = slice(len(self.thrown), len(self.thrown) + len(dice))
        if place.stop > len(self.faces) or (self.dice is not None and tuple(dice) != tuple(self.dice[place])):
            raise _NotKnown
        self.thrown += dice
        return list(self.faces[place])


class _Again:
    """A run that is played again with changes."""

    def __init__(self, game: Game, result: Result) -> None:
        self.game, self.result, self.runs = game, result, 0
        self.asked: list[Choice] = []
        table = _Faces(result.faces)
        self._run(table, {}, {}, self.asked)
        self.dice = tuple(table.thrown)

    def with_(self, faces: Sequence[Any] | None = None, inputs: Any = None, answers: Any = None) -> Result | None:
        """The run with other faces, inputs by name or answers by number; None where it is not known or not allowed."""
        self.runs += 1
        if self.runs > MOST_RUNS:
            return None
        try:
            return self._run(_Faces(faces or self.result.faces, self.dice), inputs or {}, answers or {}, [])
        except (_NotKnown, PlayError):
            return None

    def _run(self, table: _Faces, inputs: Any, answers: Any, asked: list[Choice]) -> Result:
        left = list(enumerate(self.result.choices))

        def answer(choice: Choice) -> Any:
            asked.append(choice)
            place = next((n for n, (_, (key, _)) in enumerate(left) if key == choice.path), None)
            if place is None:
                return None  # the default, where a question was not asked before
            number, (_, said) = left.pop(place)
            said = answers.get(number, said)
            if not is_allowed(choice, said):
                raise _NotKnown
            return said

        given = {name: value for name, value in self.result.inputs.items() if value is not None} | inputs
        section = self.result.section
        name = self.result.mechanic if section == "mechanics" else f"{section}.{self.result.mechanic}"
        return self.game.roll(name, source=table, inputs=given, state=self.result.before, policy=answer)


Ways = Iterator[tuple[int, str, Any, Any, Result]]


def _changes_of_dice(again: _Again) -> Ways:
    faces, dice = list(again.result.faces), again.dice
    for place, (die, was) in enumerate(zip(dice, faces, strict=True)):
        same = [n for n, one in enumerate(dice) if one == die]
        what = f"the {die}" if len(same) == 1 else f"{die} number {same.index(place) + 1}"
        every = list(die.faces or range(1, die.size + 1))
        for distance, now in _by_distance(every, was):
            run = again.with_(faces=[*faces[:place], now, *faces[place + 1 :]])
            if run is not None:
                yield distance, what, was, now, run


def _changes_of_inputs(again: _Again) -> Ways:
    for one in again.result.rule.inputs:
        has = again.result.inputs.get(one.name)
        fields = has if isinstance(has, Mapping) else {"": has}
        for field_, was in fields.items():
            for distance, now in _other_values(one.type, was):
                run = again.with_(inputs={one.name: {**fields, field_: now} if field_ else now})
                if run is not None:
                    yield distance, f"{one.name}.{field_}".removesuffix("."), was, now, run


def _changes_of_answers(again: _Again) -> Ways:
    for number, (key, was) in enumerate(again.result.choices):
        choice = next((one for one in again.asked if one.path == key), None)
        if choice is None or type(was) is tuple:
            continue
        every: Iterable[Any] = (True, False) if choice.kind == "yes_no" else choice.options or ()
        for distance, now in _by_distance(list(every), was):
            run = again.with_(answers={number: now})
            if run is not None:
                yield distance, key, was, now, run


def _other_values(of: t.Type, was: Any) -> list[tuple[int, Any]]:
    """Other values of a number, of yes or no, or of a word among several; the nearest first."""
    if type(was) is bool:
        return [(1, not was)]
    if type(was) is int:
        return [(abs(by), was + by) for far in range(1, FARTHEST + 1) for by in (-far, far)]
    words = getattr(of, "words", ())
    return _by_distance(list(words), was) if was in words else []


def _by_distance(every: Sequence[Any], was: Any) -> list[tuple[int, Any]]:
    """The other elements of a list, by how far they stand from one."""
    here = every.index(was) if was in every else 0
    return sorted(((abs(place - here), one) for place, one in enumerate(every) if one != was), key=lambda one: one[0])

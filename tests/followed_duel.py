"""The odds of the bundled duel of Fiend Wake by the policy `steady`, worked out turn by turn in plain Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from benchmarks.by_hand import AXE, RIFLE, Armour, Duel, Fighter, Score, fighters

MOST_STACKED = 3
"""Power allows no more of them to count."""

MOST_TOSSES = 60
Result = tuple[bool, int]


class Asked(Exception):
    """A duel has come to something that is left to chance: its results with their chances."""

    def __init__(self, law: list[tuple[Any, float]]) -> None:
        super().__init__()
        self.law = law


class FollowedDuel(Duel):
    """A duel whose rolls and lots come out as `answers` say; it asks for those that are missing."""

    answers: Iterator[Any] = iter(())

    def roll(self, stat: Score, skill: int, difficulty: int) -> Result:
        traps = tuple([number for number in reversed(stat.numbers[:skill]) if number in stat.free])
        return self.answer(law_of_roll(traps, difficulty))

    def answer(self, law: list[tuple[Any, float]]) -> Any:
        found = next(self.answers, None)
        if found is None:
            raise Asked(law)
        return found

    def copied(self, answers: tuple[Any, ...]) -> FollowedDuel:
        own = [
            replace(one, scores={name: copied(score) for name, score in one.scores.items()}) for one in self.fighters
        ]
        made = FollowedDuel(self.throw, self.outcome, self.rounds, own)
        made.answers = iter(answers)
        made.throw = lambda size: made.answer([(number + 1, 1 / size) for number in range(size)])
        return made

    @property
    def key(self) -> Any:
        """All that differs from one state to another."""
        return (self.outcome, *[told(one) for one in self.fighters])


def copied(score: Score) -> Score:
    made = replace(score, handicapped=list(score.handicapped))
    made.free = list(score.free)
    return made


def told(one: Fighter) -> Any:
    lost = tuple([len(score.handicapped) for score in one.scores.values()])
    return (one.points, one.tokens, one.wounds, one.pending, one.armed, one.struck, one.unconscious, one.fled, lost)


@cache
def law_of_roll(traps: tuple[int, ...], difficulty: int) -> list[tuple[Result, float]]:
    """Whether a roll comes to its difficulty, and how many dice are stacked, as far as they count."""
    law: dict[Result, float] = {}
    spare = 1 if 1 in traps else 0
    waiting = {0: 1.0}
    for tosses in range(MOST_TOSSES):
        target = min(traps[tosses] if tosses < len(traps) else spare, 9)
        after: dict[int, float] = {}
        for total, chance in waiting.items():
            for face in range(1, 13):
                now = min(total + face, difficulty)
                if face <= target:
                    after[now] = after.get(now, 0) + chance / 12
                else:
                    result = (now >= difficulty, min(tosses, MOST_STACKED))
                    law[result] = law.get(result, 0) + chance / 12
        waiting = after
    return list(law.items())


States = dict[Any, tuple[FollowedDuel, float]]


def followed(states: States, does: Callable[[FollowedDuel], Any]) -> States:
    """The states after all have done something. What it results in is kept beside the state."""
    made: States = {}
    for duel, chance in states.values():
        waiting: list[tuple[tuple[Any, ...], float]] = [((), chance)]
        while waiting:
            answers, share = waiting.pop()
            after = duel.copied(answers)
            try:
                beside = does(after)
            except Asked as asked:
                waiting += [((*answers, value), share * weight) for value, weight in asked.law]
                continue
            key = (after.key, beside)
            before = made[key][1] if key in made else 0
            made[key] = after, before + share
    return made


def rounds_by_hand(most: int) -> dict[int, float]:
    """The chance that the bundled duel ends in each of the first rounds."""
    begin = FollowedDuel(lambda size: size, None, 0, fighters(Armour(1, 1), Armour(0, 0), 6))
    states: States = {begin.key: (begin, 1.0)}
    ended = {}
    for number in range(1, most + 1):
        after: States = {}
        for names, some in in_order(states).items():
            for key, (duel, chance) in of_round(some, names).items():
                after[key] = duel, (after[key][1] if key in after else 0) + chance
        ended[number] = sum(chance for duel, chance in after.values() if duel.outcome)
        states = {key: one for key, one in after.items() if not one[0].outcome}
    return ended


def are_those_of(state: Any) -> None:
    """Whether the fighters by hand are those of the state of the bundled duel."""
    brakk, dorn = (state.things[name].values for name in ("brakk", "dorn"))
    assert brakk["armour"].id == "flak_jacket" and dorn["armour"] is None
    assert brakk["wounds_threshold"] == dorn["wounds_threshold"] == 6
    assert (brakk["weapons"][0].id, dorn["weapons"][0].id) == (RIFLE.name, AXE.name)


def in_order(states: States) -> dict[tuple[str, ...], States]:
    """The states after the bids, by the order of the fighters."""

    def bids(duel: FollowedDuel) -> tuple[str, ...]:
        duel.prepare()
        return tuple([one.name for one in duel.bids()])

    found: dict[tuple[str, ...], States] = {}
    for (key, names), one in followed(states, bids).items():
        found.setdefault(names, {})[key] = one
    return found


def of_round(states: States, names: tuple[str, ...]) -> States:
    """The states after the turns and the aftermath of a round."""

    def order(duel: Duel) -> list[Fighter]:
        return [one for name in names for one in duel.fighters if one.name == name]

    def takes_turn(duel: FollowedDuel, name: str) -> None:
        for one in duel.fighters:
            if one.name == name and one.pending:
                one.pending = False
                if one.able:
                    duel.turn(one)

    def ends(duel: FollowedDuel) -> None:
        duel.aftermath(order(duel))
        duel.lapse()

    while any(one.able and one.tokens > 0 for duel, _ in states.values() for one in duel.fighters):
        states = followed(states, lambda duel: duel.set_out(order(duel)))
        for name in names:
            states = followed(states, lambda duel, name=name: takes_turn(duel, name))
    return followed(states, ends)

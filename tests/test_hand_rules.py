"""Rules by which the best answers follow from dice: each sentence, read back word by word, decides every hand."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from textwrap import indent
from typing import Any

import pytest

import interpreter
from interpreter import Advice
from interpreter.odds.answer import DieSeen, Odds
from interpreter.odds.hand_rules import MOST_EXCEPTIONS
from interpreter.odds.strategy import sentences

F = Fraction
Faces = tuple[int, ...]


def odds_of(steps: str, **goals: Any) -> Odds:
    head = "ruleset: dice\nroles: {player: Who rolls.}\nmechanics:\n  game:\n    steps:\n"
    return interpreter.loads(head + indent(steps, " " * 6)).odds("game", **goals)


def keep(dice: str, count: int, score: str, most: int | None = None, sides: int = 6) -> str:
    return (
        f"rolled: {{roll: {dice}}}\n"
        f"keep:   {{choose: some, among: rolled, least: 0, most: {most or count}}}\n"
        f"later:  {{roll: ({count} - count(keep))d{sides}}}\n"
        f"score:  {score}"
    )


def passes(number: int, score: str) -> str:
    return (
        "rolled: {roll: 2d6}\npasses:\n"
        f"  repeat: {number}\n"
        "  carry: {held: rolled}\n"
        "  each:\n"
        "    keep: {choose: some, among: held, least: 0, most: 2}\n"
        "    more: {roll: (2 - count(keep))d6}\n"
        "    held: keep & more\n"
        f"score: {score}"
    )


ONE_OF_THREE = (
    "rolled: {roll: 3d8}\nagain: {choose: some, among: rolled, least: 0, most: 1}\n"
    "later: {roll: (count(again))d8}\nscore: sum(rolled) - sum(again) + sum(later)"
)
PUSH = "rolled: {roll: 3d6}\nwants: {choose: yes_no, default: no}\n"
GAMES = {
    "a sum": (keep("3d6", 3, "sum(keep) + sum(later)"), "keep: what shows 4 or more"),
    "successes": (keep("4d6", 4, "count(keep & later where face >= 5)"), "keep: what shows 5 or more"),
    "sixes": (keep("4d6", 4, "count(keep & later where face == 6)"), "keep: what shows 6"),
    "different dice": (keep("d20 & d6", 2, "sum(keep & later)", sides=8), "keep: what shows 5 or more"),
    "pairs": (
        keep(
            "3d6",
            3,
            "3 * count(groups(keep & later) where it.width >= 2) + 5 * count(groups(keep & later) where it.width >= 3)",
        ),
        "keep: what shows the same as another",
    ),
    "one die again": (ONE_OF_THREE, "again: the lowest if it shows 4 or less"),
    "a die for another": (
        "rolled: {roll: 3d6}\nwhich: {choose: one, among: rolled}\nother: {roll: d6}\n"
        "score: sum(rolled) - which + other",
        "which: the lowest",
    ),
    "three throws": (
        passes(2, "sum(last(passes).held)"),
        "passes.keep: what shows 5 or more, when nth is 1; otherwise what shows 4 or more",
    ),
    "four throws": (
        passes(3, "sum(last(passes).held)"),
        "passes.keep: what shows 4 or more, when nth is 3; otherwise what shows 5 or more",
    ),
    "all again": (
        PUSH + "later: {reroll: rolled where wants}\nscore: sum(later)",
        "wants: yes, when sum(rolled) is 10 or less; otherwise no",
    ),
    "two conditions": (
        PUSH + "fine: lowest(rolled) >= 3 and sum(rolled) >= 12\nscore: (1 if fine else 0) if wants else 0",
        "wants: no, when lowest(rolled) is 2 or less; or when sum(rolled) is 11 or less; otherwise yes",
    ),
    "how many of a face": (
        PUSH + "score: 2 if wants else 2 * count(rolled where face == 6)",
        "wants: yes, when count(rolled where face == 6) is 0; otherwise no",
    ),
}


# A reader of sentences, which knows nothing of how they are made -------------------------------------------------


def faces_of(value: Any) -> Faces:
    """The faces of dice as advice shows them: `d6: 5, d6: 1`, 4, or `[]`."""
    return (int(value),) if str(value).isdecimal() else tuple(map(int, re.findall(r": (\d+)", value)))


def is_within(text: str, number: int) -> bool:
    """Whether a number is what a sentence says: `3`, `4 or more`, `2 or less`, `2 to 5`, `1, 2 or 3`."""
    if found := re.fullmatch(r"(-?\d+) or (more|less)", text):
        return number >= int(found[1]) if found[2] == "more" else number <= int(found[1])
    if found := re.fullmatch(r"(-?\d+) to (-?\d+)", text):
        return int(found[1]) <= number <= int(found[2])
    return number in map(int, re.split(r", | or ", text))


def reading(text: str, seen: dict[str, Any]) -> int:
    if text in seen:
        return int(seen[text])
    found = re.fullmatch(r"(\w+)\((\w+)(?: where face (>=|==) (\d+))?\)", text)
    assert found is not None, text
    faces = faces_of(seen[found[2]])
    if found[3]:
        return sum(face >= int(found[4]) if found[3] == ">=" else face == int(found[4]) for face in faces)
    return {"lowest": min, "highest": max, "sum": sum, "count": len}[found[1]](faces)  # type: ignore[operator]


def picked(text: str, faces: Sequence[int]) -> list[int]:
    often, ordered = Counter(faces), sorted(faces, reverse=True)
    if text in ("none", "all"):
        return ordered if text == "all" else []
    if text == "what shows the same as another":
        return [face for face in ordered if often[face] > 1]
    if text == "the most that show the same":
        most = max(often.values(), default=0)
        return [max(face for face in often if often[face] == most)] * most if most else []
    if found := re.fullmatch(r"what shows (.*)", text):
        return [face for face in ordered if is_within(found[1], face)]
    found = re.fullmatch(r"(?:of )?the (lowest|highest)(?: (\d+))?(?: (?:if it|what) shows (.*))?", text)
    assert found is not None, text
    count = int(found[2] or 1)
    end = ordered[:count] if found[1] == "highest" else ordered[max(len(ordered) - count, 0) :]
    return [face for face in end if not found[3] or is_within(found[3], face)]


def decide(sentence: str, one: Advice) -> str:
    """What a sentence says of a decision: the words before the first condition that holds, or after `otherwise`."""
    main, _, but = sentence.partition(": ")[2].partition("; but ")
    seen = " and ".join(f"{name} is {value}" for name, value in one.seen.items())
    for exception in filter(None, but.split("; ")):
        if exception.endswith(f" when {seen}"):
            return exception.removesuffix(f" when {seen}")
    then = ""
    for part in main.removesuffix(", always").split("; "):
        if part.startswith("otherwise "):
            return part.removeprefix("otherwise ")
        if not part.startswith("or when "):
            then = part.partition(", when ")[0]
        conditions = part.removeprefix("or when ") if part.startswith("or when ") else part.partition(", when ")[2]
        readings = (re.fullmatch(r"(.+) is (.+?)", each) for each in filter(None, conditions.split(" and ")))
        if all(found and is_within(found[2], reading(found[1], dict(one.seen))) for found in readings):
            return then
    raise AssertionError(sentence)


def check_every_decision(sentence: str, strategy: Iterable[Advice]) -> None:
    for one in strategy:
        said = decide(sentence, one)
        if one.picked is None:
            assert said == {True: "yes", False: "no"}.get(one.answer, one.answer)
        elif re.match(r"d\d+: |\d+$|\[\]", said):
            assert faces_of(said) == faces_of(one.answer)
        else:
            roll = next(value for value in one.seen.values() if isinstance(value, str) and ": " in value)
            assert sorted(picked(said, faces_of(roll))) == sorted(faces_of(one.answer)), (sentence, one)


# ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_a_rule_is_short_and_decides_every_hand(name: str) -> None:
    steps, expected = GAMES[name]
    strategy = odds_of(steps, best="score").strategy
    said = sentences(strategy)
    assert said == [expected]
    assert {len(one.seen) for one in strategy} and sum(one.chance for one in strategy) >= 1
    check_every_decision(said[0], strategy)


@pytest.mark.parametrize("seed", range(16))
def test_what_is_told_of_a_random_game_is_right_at_every_hand(seed: int) -> None:
    chance = random.Random(seed)
    sides, least = chance.choice([4, 5, 6]), chance.randint(0, 1)
    parts = [
        f"{chance.randint(0, 3)} * sum(keep & later)",
        f"{chance.randint(0, 9)} * count(keep & later where face >= {chance.randint(2, sides)})",
        f"{chance.randint(-4, 4)} * count(keep)",
        f"({chance.randint(-6, 6)} if count(keep) == {chance.randint(0, 3)} else 0)",
    ]
    steps = keep(f"3d{sides}", 3, " + ".join(chance.sample(parts, 3)), sides=sides).replace(
        "least: 0", f"least: {least}"
    )
    strategy = odds_of(steps, best="score").strategy
    for said in sentences(strategy):
        if "of the times it is asked" not in said:
            check_every_decision(said, strategy)


def test_every_hand_is_among_the_decisions() -> None:
    strategy = odds_of(GAMES["a sum"][0], best="score").strategy
    hands = {tuple(sorted(faces_of(one.seen["rolled"]))) for one in strategy}
    assert hands == set(combinations_with_replacement(range(1, 7), 3))


def test_who_follows_the_rule_gets_what_the_odds_say() -> None:
    steps, sentence = GAMES["one die again"]
    rule = sentence.partition(": ")[2]
    total = F(0)
    for hand in product(range(1, 9), repeat=3):
        again = picked(rule, hand)
        total += sum(hand) - sum(again) + F(9, 2) * len(again)
    assert odds_of(steps, best="score").mean("score") == total / 8**3


def advise(faces: Sequence[int], answer: Any, chosen: Sequence[int] | None = None) -> Advice:
    """A decision in sight of dice, as odds make it."""
    faces = sorted(faces, reverse=True)
    shown = ", ".join(f"d6: {face}" for face in faces)
    of = {"lowest(rolled)": min(faces), "highest(rolled)": max(faces), "sum(rolled)": sum(faces)}
    dice = None if chosen is None else tuple(DieSeen(face, "d6") for face in sorted(chosen, reverse=True))
    hand = tuple(DieSeen(face, "d6") for face in faces)
    return Advice("keep", {"rolled": shown}, answer, F(1, 56), of, {"rolled": hand}, dice)


def hands(count: int = 3) -> list[Faces]:
    return list(combinations_with_replacement(range(1, 7), count))


def keeping(chosen: dict[Faces, Faces]) -> list[Advice]:
    return [
        advise(hand, ", ".join(f"d6: {face}" for face in sorted(of, reverse=True)) or "[]", of)
        for hand, of in chosen.items()
    ]


def test_a_rule_names_its_exceptions() -> None:
    chosen = {hand: tuple(face for face in hand if face > 4) for hand in hands()}
    chosen[1, 1, 5] = ()
    chosen[2, 3, 3] = (3, 3)
    strategy = keeping(chosen)
    (said,) = sentences(strategy)
    assert said == (
        "keep: what shows 5 or more; but none when rolled is d6: 5, d6: 1, d6: 1; d6: 3, d6: 3 when rolled is d6: 3, "
        "d6: 3, d6: 2"
    )
    check_exceptions = [one for one in strategy if one.seen["rolled"] not in said]
    check_every_decision(said.partition("; but ")[0], check_exceptions)
    assert len(strategy) - len(check_exceptions) == 2


def test_where_no_short_rule_fits_none_is_told() -> None:
    chance = random.Random(3)
    chosen = {hand: tuple(face for face in hand if chance.random() < 0.5) for hand in hands()}
    (said,) = sentences(keeping(chosen))
    assert "of the times it is asked" in said and " others in " in said and len(said) < 400
    chosen = {hand: tuple(face for face in hand if face > 4) for hand in hands()}
    for hand in chance.sample(hands(), MOST_EXCEPTIONS + 3):
        chosen[hand] = hand if chosen[hand] != hand else ()
    (said,) = sentences(keeping(chosen))
    assert "of the times it is asked" in said


@pytest.mark.parametrize("seed", range(40))
def test_sentences_of_any_rule_decide_every_hand(seed: int) -> None:
    """Random policies that a rule fits, and some that none fits: whatever sentence is told is right at every hand."""
    chance = random.Random(seed)
    of_faces = ["what shows the same as another", "the most that show the same"]
    of_ends = ["none", "all", "the lowest", "the highest 2", "of the lowest 2 what shows 3 or less"]
    picks = [f"what shows {n} or more" for n in range(2, 7)] + of_faces + of_ends
    one, other = chance.sample(picks, 2)
    limit, kind = chance.randint(2, 5), chance.choice([min, max, lambda hand: sum(hand) // 3])
    chosen = {hand: tuple(picked(one if kind(hand) <= limit else other, hand)) for hand in hands()}
    strategy = keeping(chosen)
    (said,) = sentences(strategy)
    assert "of the times" not in said and len(said) < 140, said
    check_every_decision(said, strategy)
    yes = [advise(hand, kind(hand) <= limit or hand.count(6) > 1) for hand in hands()]
    (said,) = sentences(yes)
    assert "of the times" not in said, said
    check_every_decision(said, yes)

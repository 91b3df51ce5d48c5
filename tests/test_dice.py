"""What is done with dice that nobody throws: ladders, pairs, limits, rounding, each against a plain telling of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import ceil, floor

import pytest

from interpreter.runtime.die_ladder import raise_dice
from interpreter.runtime.functions import FUNCTIONS, MOST_DICE, Problem, round_quotient
from interpreter.runtime.pairing import pair_dice
from interpreter.values import Die, Roll, Throw, Thrown

LADDER = tuple(map(Die, (4, 6, 8, 10, 12)))
SHORT = tuple(map(Die, (6, 8)))


def sizes(pool: tuple[Die, ...]) -> list[int]:
    return sorted((die.size for die in pool), reverse=True)


# A ladder of sizes -----------------------------------------------------------------------------------------------


def step_by_step(
    pool: list[int], chosen: list[bool], rungs: list[int], by: int, past_top: str, when_full: str
) -> list[int]:
    """A player with a pile of dice: one step at a time, and every step that a die cannot take asks where it goes."""
    dice = list(pool)
    may = [i for i, is_chosen in enumerate(chosen) if is_chosen]
    spare = 0
    for i in may:
        for _ in range(abs(by)):
            if dice[i] > rungs[-1]:
                spare += by > 0
            elif by < 0 and dice[i] > rungs[0]:
                dice[i] = rungs[rungs.index(dice[i]) - 1]
            elif by > 0 and dice[i] < rungs[-1]:
                dice[i] = rungs[rungs.index(dice[i]) + 1]
            elif by > 0:
                spare += 1
    if not may and when_full == "add_lowest":
        spare = max(by, 0)
    elif past_top == "stop":
        spare = 0
    for _ in range(spare):
        growing = [i for i in may if dice[i] < rungs[-1]]
        if growing:
            biggest = max(growing, key=lambda i: dice[i])
            dice[biggest] = rungs[rungs.index(dice[biggest]) + 1]
        elif when_full == "add_lowest":
            dice.append(rungs[0])
            may.append(len(dice) - 1)
    return sorted(dice, reverse=True)


POOLS = [pool for count in range(4) for pool in combinations_with_replacement([12, 10, 8, 6, 4], count)]


@pytest.mark.parametrize("past_top", ["stop", "carry_to_next_smaller"])
@pytest.mark.parametrize("when_full", ["lost", "add_lowest"])
def test_raising_is_the_same_as_moving_dice_by_hand(past_top: str, when_full: str) -> None:
    for pool, by in product(POOLS, range(-6, 10)):
        dice = tuple(map(Die, pool))
        everyone = [True] * len(pool)
        made = raise_dice(dice, everyone, LADDER, by, past_top, when_full)
        plain = step_by_step(list(pool), everyone, [4, 6, 8, 10, 12], by, past_top, when_full)
        assert sizes(made) == plain, (pool, by)


@pytest.mark.parametrize("past_top", ["stop", "carry_to_next_smaller"])
@pytest.mark.parametrize("when_full", ["lost", "add_lowest"])
def test_only_the_chosen_dice_are_raised(past_top: str, when_full: str) -> None:
    for pool, by, chosen in product(POOLS[:25], (-3, 1, 4, 7), product([True, False], repeat=3)):
        dice, those = tuple(map(Die, pool)), list(chosen[: len(pool)])
        made = raise_dice(dice, those, SHORT + LADDER[3:], by, past_top, when_full) if 4 not in pool else None
        if made is not None:
            assert sizes(made) == step_by_step(list(pool), those, [6, 8, 10, 12], by, past_top, when_full), (pool, by)


def test_dice_above_the_ladder_stay_and_those_on_no_rung_are_an_error() -> None:
    assert sizes(raise_dice((Die(20), Die(4)), [True, True], LADDER, 1, "stop", "lost")) == [20, 6]
    assert sizes(raise_dice((Die(20), Die(4)), [True, True], LADDER, 1, "carry_to_next_smaller", "lost")) == [20, 8]
    with pytest.raises(Problem):
        raise_dice((Die(5),), [True], LADDER, 1, "stop", "lost")


def test_tags_stay_on_a_raised_die() -> None:
    assert raise_dice((Die(6, ("armor",)),), [True], LADDER, 1, "stop", "lost") == (Die(8, ("armor",)),)


def test_no_ladder_makes_more_dice_than_a_roll_may_have() -> None:
    with pytest.raises(Problem):
        raise_dice((), [], LADDER, 10**15, "stop", "add_lowest")
    with pytest.raises(Problem):
        raise_dice((Die(12),) * 2, [True] * 2, LADDER, 5 * MOST_DICE, "carry_to_next_smaller", "add_lowest")


# Pairs -----------------------------------------------------------------------------------------------------------


def lying(*faces: int, tags: dict[int, str] | None = None) -> Roll:
    """Dice on the table, as thrown; `tags` by place."""
    return tuple(
        Thrown(Die(12, ((tags or {}).get(i),) if (tags or {}).get(i) else ()), None, i, (Throw(f, 1, f, {}),), f)  # type: ignore[arg-type]
        for i, f in enumerate(faces)
    )


def shown(pairs: list[tuple[Thrown, Thrown]]) -> list[tuple[int, int]]:
    return [(ours.value, theirs.value) for ours, theirs in pairs]


@pytest.mark.parametrize(
    ("ours", "theirs", "missing", "pairs"),
    [
        ((3, 9, 5), (4, 8, 1), None, [(9, 8), (5, 4), (3, 1)]),
        ((3, 9, 5), (4,), None, [(9, 4)]),
        ((3, 9, 5), (4,), 1, [(9, 4), (5, 1), (3, 1)]),
        ((3, 9, 5), (), 0, [(9, 0), (5, 0), (3, 0)]),
        ((3, 9, 5), (4,), -2, [(9, 4), (5, -2), (3, -2)]),
        ((7,), (2, 8, 5), 1, [(7, 8)]),
        ((7,), (2, 8, 5), None, [(7, 8)]),
        ((), (2, 8), 1, []),
        ((), (), None, []),
    ],
)
def test_pairs(ours: tuple[int, ...], theirs: tuple[int, ...], missing: int | None, pairs: list[object]) -> None:
    assert shown(pair_dice(lying(*ours), lying(*theirs), missing, None)) == pairs


@pytest.mark.parametrize(
    ("ours", "theirs", "ahead"),
    [
        ([6, 2], [6, 1, 1], True),
        ([1, 6, 2], [5, 6], False),
        ([6, 5, 1], [5, 6], True),
        ([5, 6], [6, 5, 1], False),
        ([6, 5], [5, 6], False),
        ([], [], False),
        ([1], [], True),
    ],
)
def test_the_first_pair_that_differs_decides(ours: list[int], theirs: list[int], ahead: bool) -> None:
    assert FUNCTIONS["outranks"].run(tuple(ours), tuple(theirs)) is ahead


@pytest.mark.parametrize(
    ("ours", "theirs", "both"),
    [((3, 1, 3), (3, 3, 3), (3, 3)), ((1, 2), (3,), ()), ((2, 1, 2), (1, 2), (2, 1)), ((), (1,), ())],
)
def test_what_two_collections_share_is_as_often_in_both(
    ours: tuple[int, ...], theirs: tuple[int, ...], both: tuple[int, ...]
) -> None:
    assert FUNCTIONS["common"].run(ours, theirs) == both


def test_among_equal_dice_those_that_are_put_first_come_first() -> None:
    ours = lying(5, 9, 5, tags={2: "slaying"})
    slaying = [
        mine.die.tags for mine, _ in pair_dice(ours, lying(1, 2, 3), None, lambda die: "slaying" in die.die.tags)
    ]
    assert slaying == [(), ("slaying",), ()]
    assert [mine.key for mine, _ in pair_dice(ours, lying(1, 2, 3), None, None)] == [1, 0, 2]  # else as thrown


# Pools -----------------------------------------------------------------------------------------------------------


def call(name: str, *arguments: object) -> tuple[Die, ...]:
    made: tuple[Die, ...] = FUNCTIONS[name].run(*arguments)
    return made


@pytest.mark.parametrize("pool", POOLS[:30])
@pytest.mark.parametrize("number", [-1, 0, 1, 2, 5])
def test_without_biggest_and_smallest(pool: tuple[int, ...], number: int) -> None:
    dice, taken = tuple(map(Die, pool)), max(number, 0)
    ordered = sorted(pool, reverse=True)
    assert sizes(call("without_biggest", dice, number)) == ordered[taken:]
    assert sizes(call("without_smallest", dice, number)) == ordered[: max(len(pool) - taken, 0)]


def test_of_equal_dice_the_first_goes_and_the_order_stays() -> None:
    first, second = Die(6, ("armor",)), Die(6)
    assert call("without_biggest", (Die(4), first, second), 1) == (Die(4), second)
    assert call("without_smallest", (Die(8), first, second), 1) == (Die(8), second)


@pytest.mark.parametrize("limit", [4, 8, 12, 20])
def test_a_limit_makes_bigger_dice_that_size(limit: int) -> None:
    for pool in POOLS:
        assert sizes(call("cap", tuple(map(Die, pool)), Die(limit))) == sorted(
            (min(size, limit) for size in pool), reverse=True
        )


def test_a_limit_leaves_tags_and_custom_faces() -> None:
    fudge = Die(6, (), "fudge", (-1, -1, 0, 0, 1, 1))
    assert call("cap", (Die(12, ("trait",)), fudge), Die(4)) == (Die(4, ("trait",)), fudge)


def test_copies() -> None:
    assert call("times", Die(6), 3) == (Die(6),) * 3
    assert call("times", (Die(6), Die(4)), 2) == (Die(6), Die(4), Die(6), Die(4))
    for number in (-1, MOST_DICE + 1, 10**18):
        with pytest.raises(Problem):
            call("times", Die(6), number)


# Rounding --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounding", ["down", "up", "nearest"])
def test_rounding(rounding: str) -> None:
    for above, below in product(range(-25, 26), [*range(-7, 0), *range(1, 8)]):
        exact = Fraction(above, below)
        half_away = floor(abs(exact) + Fraction(1, 2)) * (1 if exact >= 0 else -1)
        wanted = {"down": floor(exact), "up": ceil(exact), "nearest": half_away}[rounding]
        assert round_quotient(above, below, rounding) == wanted, (above, below)


@pytest.mark.parametrize(
    ("rounding", "halves"),
    [("down", [-2, -1, 0, 1]), ("up", [-1, 0, 1, 2]), ("nearest", [-2, -1, 1, 2])],
)
def test_halves(rounding: str, halves: list[int]) -> None:
    assert [round_quotient(above, 2, rounding) for above in (-3, -1, 1, 3)] == halves


def test_nothing_can_be_divided_by_nothing() -> None:
    with pytest.raises(Problem):
        round_quotient(3, 0, "down")

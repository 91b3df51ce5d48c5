"""Where faces come from: the published vectors of PCG32, fair dice, and dice on the table."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from interpreter.diagnostics import PlayError
from interpreter.runtime.rng import FacesOnTable, Pcg32, SeededDice
from interpreter.values import Die

# The first round of `pcg32-demo`, seed 42 and stream 54, as https://www.pcg-random.org prints it.
NUMBERS = [0xA15C02B7, 0x7B47F409, 0xBA1D3330, 0x83D2F293, 0xBFA4784B, 0xCBED606E]
COINS = "HHTTTHTHHHTHTTTHHHHHTTTHHHTHTHTHTTHTTTHHHHHHTTTTHHTTTTTHTTTTTTTHT"
ROLLS = "341122324324335231315141564662633"
CARDS = (
    "Qd Ks 6d 3s 3d 4c 3h Td Kc 5c Jh Kd Jd As 4s 4h Ad Th Ac Jc 7s Qs 2s 7h Kh 2d "
    "6c Ah 4d Qh 9h 6s 5s 2c 9c Ts 8d 9s 3c 8c Js 5d 2h 6h 7d 8s 9d 5h 8h Qc 7c Tc"
)


def test_the_published_demonstration() -> None:
    pcg = Pcg32(42, 54)
    assert [pcg.next() for _ in range(6)] == NUMBERS
    assert "".join("TH"[pcg.below(2)] for _ in range(65)) == COINS
    assert "".join(str(pcg.below(6) + 1) for _ in range(33)) == ROLLS
    cards = list(range(52))
    for left in range(52, 1, -1):
        drawn = pcg.below(left)
        cards[left - 1], cards[drawn] = cards[drawn], cards[left - 1]
    assert " ".join("A23456789TJQK"[card // 4] + "hcds"[card % 4] for card in cards) == CARDS


def test_seeds_use_the_published_stream() -> None:
    pcg = Pcg32(42, 54)
    faces = [pcg.below(6) + 1 for _ in range(100)]
    assert SeededDice(42).throw([Die(6)] * 100) == faces


@pytest.mark.parametrize("size", [2, 3, 4, 6, 8, 10, 12, 20, 100])
def test_every_face_is_as_likely(size: int) -> None:
    """Chi-square: of right dice, one in a million is further off than six deviations above the mean."""
    throws = 100 * size if size > 20 else 4000
    counted = Counter(SeededDice(2024).throw([Die(size)] * throws))
    assert set(counted) == set(range(1, size + 1))
    expected = throws / size
    chi_square = sum((counted[face] - expected) ** 2 / expected for face in range(1, size + 1))
    freedom = size - 1
    assert chi_square < freedom + 6 * (2 * freedom) ** 0.5


def test_draws_below_a_bound_that_does_not_divide_are_not_biased() -> None:
    """Without drawing again, two thirds of 3 * 2^30 would come out as often as all the rest: here half of it do."""
    pcg = Pcg32(1)
    low = sum(pcg.below(3 << 30) < (1 << 30) for _ in range(6000))
    assert 1800 < low < 2200


@pytest.mark.thorough
def test_one_seed_one_sequence_wherever_it_is_played() -> None:
    play = (
        "import interpreter; game = interpreter.load('jadeclaw');"
        "print(*game.roll('contest', own='d12 & 2d10 & d4', against='3d8', seed=20).faces)"
    )
    shown = set()
    for hashes in ("0", "1", "4711"):
        made = subprocess.run(
            [sys.executable, "-c", play],
            env={**os.environ, "PYTHONHASHSEED": hashes},
            capture_output=True,
            text=True,
            check=True,
        )
        shown.add(str(made.stdout.split()))
    assert shown == {"['6', '5', '3', '1', '2', '8', '5']"}


def test_different_seeds_differ() -> None:
    assert len({tuple(SeededDice(seed).throw([Die(20)] * 8)) for seed in range(200)}) == 200


def test_a_custom_die_shows_its_faces() -> None:
    fudge = Die(3, (), "fudge", (-1, 0, 1))
    assert set(SeededDice(1).throw([fudge] * 50)) == {-1, 0, 1}


def code_of(error: pytest.ExceptionInfo[PlayError]) -> str:
    return error.value.diagnostic.code


def test_the_table_gives_what_lies_there_in_order() -> None:
    table = FacesOnTable([3, "6", 1])
    assert table.throw([Die(6), Die(8)]) == [3, 6]
    assert table.throw([Die(4)]) == [1]
    table.finish()


def test_too_few_faces() -> None:
    with pytest.raises(PlayError) as error:
        FacesOnTable([3]).throw([Die(6), Die(8)])
    assert code_of(error) == "HR610"
    assert "d8" in error.value.diagnostic.message


def test_too_many_faces() -> None:
    table = FacesOnTable([3, 4])
    table.throw([Die(6)])
    with pytest.raises(PlayError) as error:
        table.finish()
    assert code_of(error) == "HR611"


@pytest.mark.parametrize("face", [7, 0, -3, "7", "x", "", "²", "--5", "-", 2.5, 3.0, None, True, [3], {}])
def test_a_face_that_the_die_has_not(face: object) -> None:
    with pytest.raises(PlayError) as error:
        FacesOnTable([face]).throw([Die(6)])  # type: ignore[list-item]
    assert code_of(error) == "HR612"


def test_symbols_may_be_written_in_any_order() -> None:
    die = Die(2, (), "boost", ("blank", "advantage + success"))
    assert FacesOnTable(["success+advantage", "blank"]).throw([die, die]) == ["advantage + success", "blank"]
    with pytest.raises(PlayError) as error:
        FacesOnTable(["success"]).throw([die])
    assert code_of(error) == "HR612"

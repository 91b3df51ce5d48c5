"""What a misspelt name was meant to be: found among the nearest names only, as if all were compared."""

from __future__ import annotations

import random
from difflib import SequenceMatcher

import pytest

from interpreter.diagnostics.suggest import edit_distance, fold_case, nearest_name


def nearest_of_all(name: str, known: list[str], sure: bool) -> str | None:
    """The same by comparing the name with each."""
    written, close = fold_case(name), []
    for number, candidate in enumerate(known):
        other = fold_case(candidate)
        if abs(len(candidate) - len(name)) > max(len(candidate), len(name)) // 2:
            continue
        alike, slips = SequenceMatcher(None, written, other).ratio(), edit_distance(written, other)
        if alike >= (0.75 if sure else 0.6) or (slips == 1 and len(written) > 2):
            close.append((slips, sorted(written) != sorted(other), -alike, number, candidate))
    return min(close)[-1] if close else None


@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_name_is_that_of_comparing_all(seed: int) -> None:
    chance = random.Random(seed)
    letters = "ab_" if seed % 2 else "aAbdefhiklmnoprstuw_-"
    known = ["".join(chance.choices(letters, k=chance.randint(1, 9))) for _ in range(60)]
    for _ in range(60):
        name = chance.choice(known) if chance.random() < 0.7 else "".join(chance.choices(letters, k=6))
        for _ in range(chance.randint(0, 3)):  # slips
            at = chance.randrange(len(name) + 1)
            name = name[:at] + chance.choice(["", chance.choice(letters)]) + name[at + chance.randint(0, 1) :]
        for sure in (False, True):
            assert nearest_name(name, known, sure) == nearest_of_all(name, known, sure), name


def test_a_distance_is_counted_as_far_as_it_matters() -> None:
    assert edit_distance("atacker", "attacker") == 1
    assert edit_distance("attakcer", "attacker") == 1
    assert edit_distance("roles", "rounding") == 6
    assert all(edit_distance("roles", "rounding", most) > most for most in range(6))
    assert edit_distance("roles", "rounding", 6) == 6

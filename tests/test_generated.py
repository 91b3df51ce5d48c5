"""Generated mechanics: whatever combines, every faster way gives what plain enumeration gives.

`python -m tests.generated 10000 --seed 1` holds more of them, and makes small what fails; so do the variables
`GENERATED_COUNT` and `GENERATED_SEED` here.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from generated.grow import ruleset
from generated.hold import held

FIRST = int(os.environ.get("GENERATED_SEED", "0"))
COUNT = int(os.environ.get("GENERATED_COUNT", "150"))

KNOWN: dict[int, str] = {}
"""Seeds whose rulesets have other odds than enumeration gives, and what is wrong with them; to become none."""


def marked(seed: int) -> Any:
    return pytest.param(seed, marks=[pytest.mark.xfail(strict=True, reason=KNOWN[seed])] if seed in KNOWN else [])


@pytest.mark.parametrize("seed", [marked(seed) for seed in range(FIRST, FIRST + COUNT)])
def test_every_way_agrees_with_enumeration(seed: int) -> None:
    verdict = held(ruleset(seed))
    assert verdict.well, f"{verdict.kind}: {verdict.about}"


def test_most_of_what_is_generated_is_sound_and_small_enough_to_walk() -> None:
    kinds = [held(ruleset(seed)).kind for seed in range(1_000_000, 1_000_030)]
    assert kinds.count("agreed") > len(kinds) / 3

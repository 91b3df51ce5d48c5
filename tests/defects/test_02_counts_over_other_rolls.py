"""A `where` over faces, other rolls and inputs, in any combination: odds and simulation agree with enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice, product
from random import Random

import pytest
import yaml
from agreement import assert_agreement
from marks import thorough

OF_THE_DIE = ["face > 2", "face == 1", "face != 2", "odd(face)", "even(value)", "value in [1, 3]", "not face < 2"]
OF_ANOTHER = ["face > bar", "face == bar", "face <= bar + 1", "face < sum(more)", "value >= edge", "face + edge > bar"]
BOTH = ["odd(face + bar)", "bar > 1", "even(bar)", "edge == 2", "highest(more) > 1"]
SIGNS = ["and", "or"]


def conditions() -> list[str]:
    """What is asked of the die alone, of the die and others, and of others alone, in every combination."""
    pairs = [*product(OF_THE_DIE, OF_ANOTHER), *product(OF_ANOTHER, OF_THE_DIE), *product(OF_THE_DIE, BOTH),
             *product(BOTH, OF_ANOTHER)]  # fmt: skip
    found = [f"{one} {sign} {other}" for one, other in pairs for sign in SIGNS]
    found += [f"not ({one} {sign} {other})" for one, other in pairs[::3] for sign in SIGNS]
    found += [f"({a} or {b}) and {c}" for (a, b), c in zip(pairs[::2], cycle(OF_ANOTHER), strict=False)]
    return found


READ = ["count({})", "sum({})", "any({})", "highest({}) otherwise 0", "lowest({}) otherwise 0",
        "kth({}, 1) otherwise 0", "sum(highest({}, 2))", "count({}) > 1"]  # fmt: skip


def ruleset(some: list[tuple[str, str]], source: str) -> str:
    """Readings of one roll, then their sum, whether they are equal, and outcomes of them."""
    steps = {"bar": {"roll": "d3"}, "more": {"roll": "d2"}, "hand": {"roll": "2d4"}}
    steps |= {f"read_{n}": read.format(f"{source} where {where}") for n, (read, where) in enumerate(some)}
    steps["ones"] = f"count({source} where face == 1)"
    names = [f"read_{n}" for n, (read, _) in enumerate(some) if read not in ("any({})", "count({}) > 1")]
    steps["both"] = " + ".join(["ones", *names])
    steps["same"] = f"ones == {names[0]}" if names else "ones == bar"
    outcomes = {"more": f"both > {len(names) + 1}", "same": "same", "less": "otherwise"}
    main = {"inputs": {"edge": {"type": "number", "default": 2}}, "steps": steps, "outcomes": outcomes}
    return yaml.safe_dump({"ruleset": "counts", "mechanics": {"main": main}}, sort_keys=False)


def rulesets(conditions: list[str]) -> Iterator[str]:
    """Rulesets with three conditions each; readings are dealt to them in turn."""
    read = zip(cycle(READ), conditions, strict=False)
    while three := list(islice(read, 3)):
        yield ruleset(three, "hand")


@pytest.mark.parametrize("part", thorough(range(10), lambda part: part > 0))
def test_counts_over_other_rolls_agree(part: int) -> None:
    every = conditions()
    Random(2).shuffle(every)
    for number, text in enumerate(rulesets(every[part::10])):
        assert_agreement(text, drawn=number % 3 == 0)

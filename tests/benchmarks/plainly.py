"""The rules of the workloads in plain Python, for libraries that are told a rule as a function."""

from __future__ import annotations

from collections.abc import Sequence


def classified(own: int, against: int) -> str:
    """What comes of a contest."""
    if own == 1:
        return "botch"
    margin = own - against
    return "overwhelming" if margin >= 5 else "success" if margin > 0 else "tie" if margin == 0 else "fail"


def hits(blow: Sequence[int], soak: Sequence[int]) -> int:
    """What damage dice do to soak dice, both from the highest."""
    pairs = [(face, soak[place] if place < len(soak) else 1) for place, face in enumerate(blow)]
    return sum(2 if a >= b + 5 else 1 if a > b else 0 for a, b in pairs) + all(face == 1 for face in soak)

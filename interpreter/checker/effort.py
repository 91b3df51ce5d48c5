"""How much work a check of one ruleset may take where a small file could ask for much."""

from __future__ import annotations

from dataclasses import dataclass

MOST_TRIED = 4_000_000
"""The most conditions of outcomes that are tried in one ruleset; beyond them, outcomes must end in `otherwise`."""

MOST_FOLLOWED = 5_000
"""The most calls of functions that are followed to know their results: functions may call functions twice."""


@dataclass
class CheckingEffort:
    """What a check has tried and followed so far."""

    tried: int = 0
    followed: int = 0

    def may_try_more(self, conditions: int) -> bool:
        """Count conditions that are tried to prove outcomes complete; False if they are too many."""
        self.tried += conditions
        return self.tried <= MOST_TRIED

    def may_follow_more(self) -> bool:
        """Count a call of a function that is followed to know its result; False if they are too many."""
        self.followed += 1
        return self.followed <= MOST_FOLLOWED

"""The first message about a mistake stands on its line, names its cause and leads to the mend.

`python -m tests.mistakes` prints the score by kind.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from marks import sample
from mistakes.by_hand import BY_HAND
from mistakes.from_elsewhere import FROM_ELSEWHERE
from mistakes.kinds import KINDS
from mistakes.planting import PER_KIND, Verdict, all_mistakes, judged


def _score(verdicts: list[Verdict], what: str) -> float:
    return sum(bool(getattr(one, what)) for one in verdicts) / len(verdicts)


@pytest.mark.parametrize(("per_kind", "every"), sample([(1, 3), (PER_KIND, 1)], 1, 1))
def test_the_first_message_leads_to_the_mend(tmp_path: Path, per_kind: int, every: int) -> None:
    verdicts = list(judged(list(all_mistakes(per_kind))[::every], tmp_path))
    assert len(verdicts) >= (400 if every == 1 else 48)
    missed = [f"{one.mistake.name}: {one.mistake.after.strip()}: {one.said[:1]}" for one in verdicts if not one.right]
    assert _score(verdicts, "line") >= 0.97, missed
    assert _score(verdicts, "cause") >= 0.95, missed
    assert _score(verdicts, "mend") >= 0.95, missed
    assert sum(len(one.said) for one in verdicts) / len(verdicts) <= 1.2


def test_at_least_sixty_kinds_are_planted() -> None:
    assert len({one.name for one in (*KINDS, *BY_HAND, *FROM_ELSEWHERE)}) >= 240

"""What houserule promises of what strangers send, in a short run; `docs/safety.md` has the figures of a long one."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from promises import makers
from promises.run import PROMISES

from interpreter.budget import Budget, within
from interpreter.diagnostics import BudgetExceeded

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", [one.name for one in PROMISES])
def test_a_case_is_the_same_each_time(name: str) -> None:
    """A failure can be made again: a maker takes nothing but its generator of chance."""
    made = []
    for _ in range(2):
        chance = random.Random(5)
        with suppress(BudgetExceeded), within(Budget(None, None, 100_000)):
            getattr(makers, name)(chance)
        made.append(chance.random())
    assert made[0] == made[1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="workers need processes that can be forked")
@pytest.mark.thorough
def test_the_promises_hold_in_thirty_seconds() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(FOLDER), str(FOLDER.parent)])}
    begin = random.SystemRandom().randrange(10**6)  # other cases each time; a failure tells its number
    command = [sys.executable, "-m", "promises", "--seconds", "30", "--first", str(begin)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split("|") for line in done.stdout.splitlines()[2:]]
    assert [row[1].strip() for row in rows] == [one.about for one in PROMISES]
    assert all(int(row[2].replace(",", "")) > 0 and int(row[3]) == 0 for row in rows)

"""Which tests are slow: they have the mark `thorough`, as those that get it by hand.

`tests/slow.txt` names them, as a whole run measured them; `python -m tests.record durations` measures them anew. Of a
test with several parameters, the quickest one is slow only if it takes long itself.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SLOW = Path(__file__).resolve().parent / "slow.txt"

LONG, VERY_LONG = 0.4, 1.5
"""Seconds of processor time from which a test is slow, and from which the quickest parameter of a test is, too."""
MOST = 5.0
"""Seconds of processor time that no test may take that runs after each change."""


def slow_tests(seconds: dict[str, float]) -> list[str]:
    """The tests that are slow, of the processor time that each took."""
    quickest: dict[str, str] = {}
    for name in sorted(seconds, key=lambda name: (-seconds[name], name)):
        quickest[name.partition("[")[0]] = name
    return sorted(
        name
        for name, taken in seconds.items()
        if taken > (VERY_LONG if quickest[name.partition("[")[0]] == name else LONG)
    )


def record(_: list[Path]) -> None:
    """Run all tests but the nightly ones, which takes some ten minutes, and write which of them are slow.

    Then the tests that run after each change are run: none of them may take more than `MOST` seconds.
    """
    with tempfile.TemporaryDirectory() as folder:
        times = Path(folder) / "times.json"
        command = [sys.executable, "-m", "pytest"]
        subprocess.run([*command, "-m", "not nightly", f"--processor-times={times}"], cwd=ROOT, check=False)
        SLOW.write_text("".join(f"{name}\n" for name in slow_tests(json.loads(times.read_text("utf-8")))), "utf-8")
    subprocess.run([*command, "--most-seconds", str(MOST)], cwd=ROOT, check=True)

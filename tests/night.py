"""Everything that is too long for each change: `python -m tests.night`, for a night.

It runs all tests, also those with the marks `thorough` and `nightly`, then generated games with seeds that differ from
night to night, the whole table of operations, the score of the messages, and whole promises of what strangers send,
with other cases each night. It goes on after a failure, says at its end what failed, and exits with 1 then.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

PARTS = {
    "all tests": ["pytest", "-m", ""],
    "generated games": ["tests.generated", "20000", "--jobs", "2"],
    "the table of operations": ["tests.classes", "--jobs", "2"],
    "mistakes": ["tests.mistakes"],
    "promises": ["promises", "--cases", "whole", "--first", f"{date.today().toordinal()}000000"],
}
"""What is run, each a module with its arguments."""


def main() -> int:
    failed = []
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT)])}
    for name, (module, *arguments) in PARTS.items():
        started = time.monotonic()
        done = subprocess.run([sys.executable, "-m", module, *arguments], cwd=ROOT, check=False, env=environment)
        print(f"{name}: {'failed' if done.returncode else 'passed'} in {time.monotonic() - started:.0f} s", flush=True)
        failed += [name] if done.returncode else []
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

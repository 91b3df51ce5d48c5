"""The benchmark runs: its smallest part, once. No time is held to anything."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each measurement is made in a copy of the process")
def test_the_smallest_part_of_the_benchmark_runs(tmp_path: Path) -> None:
    page = tmp_path / "table.md"
    command = [sys.executable, "-m", "tests.benchmarks", "--only", "W6", "--runs", "1", "--markdown", str(page)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    assert "W6 successes" in done.stdout and "failed" not in done.stdout and "another law" not in done.stdout
    assert "| W6 successes" in page.read_text("utf-8")

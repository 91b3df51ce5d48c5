"""What happens where there is no room any more: a full standard output, and the worker of the docs without memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from test_architecture import PACKAGE

FULL = Path("/dev/full")
HOUSERULE = [sys.executable, "-m", "interpreter"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(PACKAGE.parent)}


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize(
    "words",
    ["list", "--help", "list --help", "--version", "check jadeclaw", "roll jadeclaw contest own=d6 against=d6",
     "odds jadeclaw contest own=d6 against=d6 --format json", "host jadeclaw"],
)  # fmt: skip
def test_a_full_standard_output_is_a_message(words: str) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run(
            [*HOUSERULE, *words.split()], input='{"call": "forms"}\n', stdout=full, stderr=subprocess.PIPE, text=True,
            env=ENVIRONMENT,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (74, "standard output cannot be written: no space left on device\n")


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")
def test_a_full_standard_error_leaves_the_exit_code() -> None:
    with FULL.open("wb") as full:
        assert subprocess.run([*HOUSERULE, "check", "nope"], stderr=full, env=ENVIRONMENT).returncode == 2

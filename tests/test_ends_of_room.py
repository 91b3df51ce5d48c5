"""What happens where there is no room any more: a full standard output, and the worker of the docs without memory."""

from __future__ import annotations

import os
import re
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


SENT = "ruleset: sent\nmechanics: {strike: {steps: {hit: {roll: d6}}, outcomes: {hurts: hit > 3, misses: otherwise}}}"


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory differ elsewhere")
@pytest.mark.parametrize("mebibytes", [12, 18, 22, 26, 28, 30, 32, 34, 36, 38, 1024])
def test_the_worker_of_the_docs_tells_no_paths_where_its_memory_ends(mebibytes: int) -> None:
    page = (PACKAGE.parent / "docs" / "embedding.md").read_text("utf-8")
    found = re.search(r'WORKER = """\n(.*?)"""', page, re.DOTALL)
    assert found is not None
    worker = found[1].replace("1 << 30", f"{mebibytes} << 20")
    assert worker != found[1]
    done = subprocess.run([sys.executable, "-c", worker], input=SENT, capture_output=True, text=True, env=ENVIRONMENT)
    assert str(PACKAGE.parent) not in done.stderr and "Traceback" not in done.stderr and ".py" not in done.stderr
    assert (done.stdout == "misses\n") == (done.returncode == 0)
    if mebibytes == 1024:
        assert done.returncode == 0

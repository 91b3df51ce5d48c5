"""The command under other versions of Python and of what it needs: `python -m tests.oldest`.

For each Python, it makes an environment in a folder of its own, installs houserule there with the extras that are
tested, and runs the fast tests of the commands. Under the oldest Python that `pyproject.toml` allows, the oldest
releases that it allows are installed, each as its bound says: `click>=8.1` is click 8.1. Newer Pythons need newer
releases of what is compiled, and take the newest. At its end it says what each took, and exits with 1 if one failed.

    python -m tests.oldest                                 under this Python, or any that is named
    python -m tests.oldest python3.11 python3.12 python3.13
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

EXTRAS = ("simulate", "docs", "editor", "test")
"""The extras that the tests of the commands use."""

TESTS = (
    "cli", "play", "journal", "writing", "campaign", "adopt_command", "completion", "init", "fmt", "fixes", "watch",
    "odds_commands", "odds_formats", "conditional_odds", "notation", "page_command", "pytest_plugin", "lsp", "rulebook",
    "simulation", "draws", "session", "host_questions", "summaries", "updates",
)  # fmt: skip
"""The files of tests that run commands, and those of what the extras are for."""

_BOUND = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+)")


def oldest() -> list[str]:
    """The oldest release of each package that houserule and the extras need, as pip is told it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [*project["dependencies"], *(one for extra in EXTRAS for one in project["optional-dependencies"][extra])]
    bounds = [_BOUND.fullmatch(one) for one in needed if not one.startswith("houserule")]
    assert all(bounds), f"each of these has a lower bound and nothing else: {needed}"
    return [f"{bound[1]}=={bound[2]}" for bound in bounds if bound is not None]


def oldest_python() -> str:
    """The oldest version of Python that houserule runs under: `3.11`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return str(project["requires-python"].removeprefix(">="))


def try_python(python: str, folder: Path) -> int:
    """Install houserule in a new environment, and run the tests there; the exit code of what failed, or 0."""
    said = subprocess.run([python, "-c", "import sys; print(*sys.version_info[:2], sep='.')"], stdout=subprocess.PIPE,
                          text=True, check=True)  # fmt: skip
    version = said.stdout.strip()
    pins = oldest() if version == oldest_python() else []
    (folder / "pins.txt").write_text("\n".join(pins))
    print(f"Python {version} with {', '.join(pins) or 'the newest releases'}", flush=True)
    inside = str(folder / "env" / "bin" / "python")
    for command in (
        [python, "-m", "venv", str(folder / "env")],
        [inside, "-m", "pip", "install", "-q", "-c", str(folder / "pins.txt"), f"{ROOT}[{','.join(EXTRAS)}]"],
        [inside, "-m", "pytest", "-p", "no:cacheprovider", *(f"tests/test_{name}.py" for name in TESTS)],
    ):
        done = subprocess.run(command, cwd=ROOT, check=False)
        if done.returncode:
            return done.returncode
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.oldest", description=__doc__.splitlines()[0])
    parser.add_argument("pythons", nargs="*", default=[sys.executable], metavar="PYTHON")
    took = []
    for python in parser.parse_args().pythons:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            code = try_python(python, Path(folder))
        took.append((code, f"{python}: {'failed' if code else 'passed'} in {time.monotonic() - started:.0f} s"))
    print("\n".join(line for _, line in took))
    return max(int(code != 0) for code, _ in took)


if __name__ == "__main__":
    sys.exit(main())

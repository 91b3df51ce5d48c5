"""Deliberate errors in the interpreter, chosen at random, and whether a command notices them.

    python -m tests.mutation interpreter/odds --count 10 --seed 7 -- python -m tests.generated 2000 --first

Each error is one change of one operator, number or keyword by cosmic-ray, made in a copy of the working tree; the
command runs in that copy, once for each error, and notices it by failing. Errors that are not noticed are shown as a
difference, to be judged by a reader: some of them change nothing that anybody could see.
"""

from __future__ import annotations

import argparse
import difflib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from cosmic_ray.mutating import MutationVisitor
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parent.parent

LEFT_OUT = re.compile(r"RemoveDecorator|Variable|BitOr|BitAnd|BitXor|Shift|_Pow|_Is|Exception|Unary|Mod_|_Mod")
"""Operators that mostly make errors which no program could run with, or which change nothing but annotations."""

SHOWN = 2
"""How many of the last lines of the command are shown."""


@dataclass(frozen=True)
class Mutant:
    """One deliberate error: the file, relative to the root, its text with the error, and the difference."""

    file: Path
    text: str
    difference: str


def mutants(files: list[Path], chance: Random) -> Iterator[Mutant]:
    """Different errors in these files without end, every place in a file as likely as any other."""
    operators = sorted(name for name in operator_names() if not LEFT_OUT.search(name))
    sizes = [len(file.read_text("utf-8").splitlines()) for file in files]
    seen: set[str] = set()
    while True:
        file = chance.choices(files, sizes)[0]
        operator = get_operator(chance.choice(operators))()
        before = file.read_text("utf-8")
        places = _places(before, operator)
        after = MutationVisitor.mutate_code(before, operator, chance.randrange(places)) if places else None
        if after is None or after in seen:
            continue
        seen.add(after)
        name = file.relative_to(ROOT)
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), str(name), str(name), n=2, lineterm="")
        yield Mutant(name, after, "\n".join(lines))


def _places(text: str, operator: Any) -> int:
    """In how many places of a text the operator can make an error."""
    visitor = MutationVisitor(-1, operator)
    found = 0
    original = operator.mutation_positions

    def counted(node: Any) -> Iterator[Any]:
        nonlocal found
        for position in original(node):
            found += 1
            yield position

    operator.mutation_positions = counted
    from cosmic_ray.ast import get_ast

    visitor.walk(get_ast(text))
    operator.mutation_positions = original
    return found


def noticed(mutant: Mutant, command: list[str], seconds: float) -> tuple[str, str]:
    """What the command says of an error: `noticed`, `not noticed`, or `too slow` where it does not end in time.

    With it come the last lines that the command wrote, which say what noticed the error and how soon.
    """
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        tracked = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout.splitlines()  # fmt: skip
        for name in tracked:
            if (ROOT / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, copy / name)
        (copy / mutant.file).write_text(mutant.text, "utf-8")
        try:
            done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return "too slow", ""
        last = "\n".join(f"    {line[:300]}" for line in (done.stdout + done.stderr).splitlines()[-SHOWN:])
        return ("noticed" if done.returncode else "not noticed"), last


def main() -> int:
    """Make the errors that the command line asks for; the number of those that nobody noticed is the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", type=Path, help="files or folders in which errors are made")
    parser.add_argument("--count", type=int, default=10, help="how many errors")
    parser.add_argument("--seed", type=int, help="which errors; a fresh number without it")
    parser.add_argument("--seconds", type=float, default=600, help="how long the command may take for one error")
    cut = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    asked = parser.parse_args(sys.argv[1:cut])
    command = sys.argv[cut + 1 :] or [sys.executable, "-m", "pytest", "-x", "-q"]
    seed = SystemRandom().randrange(10**6) if asked.seed is None else asked.seed
    print(f"seed {seed}, command: {' '.join(command)}", flush=True)
    found = [one.resolve() for path in asked.paths for one in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    unseen = 0
    for _, mutant in zip(range(asked.count), mutants(found, Random(seed)), strict=False):
        verdict, last = noticed(mutant, command, asked.seconds)
        unseen += verdict == "not noticed"
        print(f"{verdict}: {mutant.file}\n{mutant.difference}\n{last}\n", flush=True)
    print(f"{asked.count - unseen} of {asked.count} noticed", flush=True)
    return min(unseen, 125)


if __name__ == "__main__":
    sys.exit(main())

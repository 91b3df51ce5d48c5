"""`python -m tests.generated 10000 --seed 0`: hold so many generated rulesets to plain enumeration.

What fails is made small and printed, and written into the folder `--keep`, if there is one.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path

from .grow import ruleset
from .hold import Verdict, held
from .shrink import shrunk


def main() -> int:
    """Run the command; the exit code is 1 where something failed."""
    parser = ArgumentParser(prog="python -m tests.generated", description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000, help="how many rulesets")
    parser.add_argument("--seed", type=int, default=0, help="the first seed; the others follow it")
    parser.add_argument("--keep", type=Path, help="a folder for failing rulesets")
    parser.add_argument("--most", type=int, default=3, help="how many of a kind are made small")
    given = parser.parse_args()
    kinds: Counter[str] = Counter()
    for seed in range(given.seed, given.seed + given.count):
        text = ruleset(seed)
        verdict = held(text)
        kinds[verdict.kind] += 1
        if verdict.well:
            continue
        print(f"seed {seed}: {verdict.kind}: {verdict.about[:300]}", flush=True)
        if kinds[verdict.kind] > given.most:
            continue
        small = shrunk(text, lambda made, kind=verdict.kind: held(made).kind == kind)
        print(small, flush=True)
        if given.keep:
            given.keep.mkdir(parents=True, exist_ok=True)
            name = "".join(c if c.isalnum() else "-" for c in verdict.kind)
            (given.keep / f"{name}-{seed}.yaml").write_text(f"# seed {seed}, {held(small)}\n{small}", "utf-8")
    print(", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    return int(not all(Verdict(kind).well for kind in kinds))


if __name__ == "__main__":
    sys.exit(main())

"""Runs cases of each promise in workers, and prints a row for each: cases, failures, worst time and worst memory."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from interpreter.budget import Budget
from promises.run import PROMISES, run_cases, run_promise


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="?", choices=[one.name for one in PROMISES], help="the name of one promise")
    parser.add_argument("seed", nargs="?", type=int, help="a case of it, run here")
    parser.add_argument("--cases", default="some", choices=["some", "whole"])
    parser.add_argument("--seconds", type=float, default=30.0, help="how long some cases of all promises may take")
    parser.add_argument(
        "--budget",
        type=float,
        default=Budget.strict.seconds,
        help="how many seconds of the processor a case may take; less finds sooner what is not counted",
    )
    parser.add_argument("--first", type=int, default=1, help="the seed of the first case")
    asked = parser.parse_args()
    promises = [one for one in PROMISES if asked.only in (None, one.name)]
    budget = replace(Budget.strict, seconds=asked.budget)
    if asked.seed is not None:
        print(run_cases(promises[0].name, range(asked.seed, asked.seed + 1), budget))
        return
    print("| promise | cases | failures | the slowest, s | memory, MB |\n|---|---|---|---|---|")
    failed = False
    for one in promises:
        whole = asked.cases == "whole"
        seconds = 1e9 if whole else asked.seconds / len(promises)
        found = run_promise(one, one.whole, seconds, asked.first, budget)
        failed = failed or bool(found.failures)
        told = f"{found.cases * one.of:,} | {len(found.failures)} | {found.slowest[0]:.2f} | {found.memory // 1024:,}"
        print(f"| {one.about} | {told} |", flush=True)
        for seed, why in found.failures[:5]:
            print(f"  {one.name} {seed}: {why}", file=sys.stderr, flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()

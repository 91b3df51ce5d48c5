"""`python -m tests.generated 20000`: grow so many games, and hold all ways of playing and counting them together.

What fails is made small and printed, and written into the folder `--keep`, if there is one. A file from there, given
in place of a number, is held again.
"""

from __future__ import annotations

import gc
import secrets
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Iterator
from multiprocessing import get_context
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from .constructs import read
from .games import game
from .hold import CHECKS, WELL, Verdict, held
from .limits import limit_memory, within_limits
from .report import Tally, constructs
from .shrink import shrunk

Came = tuple[int, str, str, Counter[str], set[str]]


def main() -> int:
    """Run the command; the exit code is 1 where something failed."""
    parser = ArgumentParser(prog="python -m tests.generated", description=__doc__)
    parser.add_argument("count", nargs="?", default="1000", help="how many games, or files of games")
    parser.add_argument("--seed", type=int, help="the first seed; the others follow it; by chance without it")
    parser.add_argument("--keep", type=Path, help="a folder for failing games")
    parser.add_argument("--most", type=int, default=3, help="how many of a kind are made small")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--first", action="store_true", help="stop at the first failure, and do not make it small")
    parser.add_argument("--minutes", type=float, help="stop after so long")
    given = parser.parse_args()
    if not given.count.isdigit():
        return again(Path(given.count))
    first = secrets.randbelow(10**9) if given.seed is None else given.seed
    print(f"--seed {first}", flush=True)
    tally, wrong = Tally(), 0
    until = monotonic() + 60 * given.minutes if given.minutes else None
    told = monotonic()
    for seed, kind, about, counts, uses in carried(range(first, first + int(given.count)), given.jobs):
        tally.add(kind, about, counts, uses)
        if kind not in WELL:
            wrong += 1
            failed(seed, kind, about, tally, given)
            if given.first:
                break
        if monotonic() > told + 60:
            told = monotonic()
            print(f"… {tally.games} games, {wrong} failed", flush=True)
        if until is not None and monotonic() > until:
            break
    if given.first:  # whoever puts errors in wants to know what noticed them and how soon, not what games use
        print(f"{tally.games} games, {wrong} failed")
        return int(wrong > 0)
    print("\n".join(tally.lines()))
    print(f"--seed {first}")
    return int(wrong > 0)


def again(path: Path) -> int:
    """Hold a game that was kept."""
    verdict = watched(path.read_text("utf-8"))
    print(verdict.kind, verdict.about)
    return int(not verdict.well)


def carried(seeds: Iterable[int], jobs: int) -> Iterator[Came]:
    """What comes of the game of each seed, by so many processes."""
    if jobs <= 1:
        limit_memory()
        yield from map(one, seeds)
        return
    with get_context("fork").Pool(jobs, initializer=begin, maxtasksperchild=500) as pool:
        yield from pool.imap_unordered(one, seeds, chunksize=4)


def begin() -> None:
    """Prepare a process of its own: a limit of memory, and garbage looked for less often, which is a fifth faster."""
    limit_memory()
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE_AFTER, 10, 100)


GARBAGE_AFTER = 100_000
"""How many objects a process makes before it looks for garbage: many, to save time, but few enough that the memory of
one game does not grow beyond what it needs."""


def one(seed: int) -> Came:
    """What comes of the game of a seed."""
    text = game(seed)
    verdict = watched(text)
    return seed, verdict.kind, verdict.about, verdict.held, constructs(read(text))


def watched(text: str) -> Verdict:
    return held(text, within_limits)


def failed(seed: int, kind: str, about: str, tally: Tally, given: Namespace) -> None:
    """Tell of a failure, and make it small where there are not enough of its kind."""
    print(f"seed {seed}: {kind}: {about[:300]}", flush=True)
    if tally.kinds[kind] > given.most or given.first:
        return
    checks = {name: check for name, check in CHECKS.items() if kind.startswith(name) or kind.endswith(f"for {name}")}
    small = shrunk(game(seed), lambda made: held(made, within_limits, checks, True).kind == kind)
    print(small, flush=True)
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
        name = "".join(c if c.isalnum() else "-" for c in kind)
        (given.keep / f"{name}-{seed}.yaml").write_text(f"# seed {seed}: {kind}: {about[:200]!r}\n{small}", "utf-8")


if __name__ == "__main__":
    sys.exit(main())

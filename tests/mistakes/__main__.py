"""`python -m tests.mistakes`: the score of the messages by kind; with `--fixes`, what fixes make of mistakes."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from .meanings import PLANTERS
from .planting import PER_KIND, Verdict, all_mistakes, judged
from .restoring import all_told, shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-kind", type=int, default=PER_KIND)
    parser.add_argument("--show", help="print what was said where something is missed: a kind, or `all`")
    parser.add_argument("--fixes", type=int, help="plant so many mistakes, and hold every fix to what is meant")
    parser.add_argument("--jobs", type=int, default=1, help="of `--fixes`: how many processes plant them")
    parser.add_argument("--seed", type=int, default=1, help="of `--fixes`: the first seed")
    parser.add_argument("--of", choices=PLANTERS, help="of `--fixes`: of the mistakes, try only those of a kind")
    asked = parser.parse_args()
    if asked.fixes:
        sys.exit(_hold_fixes(asked.fixes, asked.jobs, asked.seed, asked.of))
    by_kind: dict[str, list[Verdict]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for one in judged(list(all_mistakes(asked.per_kind)), Path(folder)):
            by_kind[one.mistake.name].append(one)
            if asked.show in ("all", one.mistake.name) and not one.right:
                print(_shown(one))
    print(f"{'kind':28} {'planted':>8} {'found':>6} {'line':>6} {'cause':>6} {'mend':>6} {'said':>6}")
    for name, verdicts in by_kind.items():
        print(_row(name, verdicts))
    print(_row("all", [one for some in by_kind.values() for one in some]), f" of {len(by_kind)} kinds")


EACH = 1_000
"""How many mistakes are planted from one seed."""


def _hold_fixes(count: int, jobs: int, seed: int, of: str | None) -> int:
    """Print what fixes make of mistakes, and each that is wrong once it is found; 1 if one is."""
    by_kind: dict[str, Counter[str]] = {kind: Counter() for kind in PLANTERS}
    tried = failed = 0
    with ProcessPoolExecutor(jobs) as pool:
        seeds = range(seed, seed + -(-count // EACH))
        for made in as_completed([pool.submit(_fixes_of, one, of) for one in seeds]):
            counts, wrong = made.result()
            for kind, some in counts.items():
                by_kind[kind] += some
                tried += sum(some[how] for how in HOWS[:5])
            failed += wrong
            print(f"{tried:,} tried, {failed} wrong", file=sys.stderr, flush=True)
    print(f"{'kind':24}", *(f"{how:>16}" for how in HOWS))
    for kind, some in [*by_kind.items(), ("all", sum(by_kind.values(), Counter()))]:
        print(f"{kind:24}", *(f"{some[how]:16,}" for how in HOWS))
    print(f"{failed} mistakes of which a fix makes something else")
    return int(failed > 0)


HOWS = ("valid", "left", "restored", "partly", "changed", "editor restored", "editor partly", "editor changed")


def _fixes_of(seed: int, of: str | None) -> tuple[dict[str, Counter[str]], int]:
    """What fixes make of the mistakes of one seed, by kind, and how many are wrong, each of which is printed."""
    by_kind: dict[str, Counter[str]] = defaultdict(Counter)
    wrong = 0
    for one in all_told(EACH, seed, of=of):
        by_kind[one.planted.kind].update([one.by_fix, *(f"editor {how}" for how in one.by_editor.elements())])
        wrong += bool(one.wrong)
        if one.wrong:
            print(shown(one), flush=True)
    return by_kind, wrong


def _row(name: str, verdicts: list[Verdict]) -> str:
    counts = [sum(bool(getattr(one, what)) for one in verdicts) for what in ("said", "line", "cause", "mend")]
    said = sum(len(one.said) for one in verdicts) / len(verdicts)
    return f"{name:28} {len(verdicts):8} " + " ".join(f"{count:6}" for count in counts) + f" {said:6.2f}"


def _shown(one: Verdict) -> str:
    mistake = one.mistake
    missed = [what for what in ("line", "cause", "mend") if not getattr(one, what)]
    told = (
        "\n".join(f"    {said.line}: {said.code} {said.message} / {said.help}" for said in one.said[:4])
        or "    nothing"
    )
    place = f"{mistake.file.parent.name}/{mistake.file.name}:{mistake.line}"
    return (
        f"{mistake.name}: {place}, missed: {', '.join(missed)}\n"
        f"  was {mistake.before.strip()}\n  is  {mistake.after.strip()}\n{told}"
    )


if __name__ == "__main__":
    main()

"""`python -m tests.mistakes`: the score of the messages by kind; with `--fixes`, what fixes make of mistakes."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .planting import PER_KIND, Verdict, all_mistakes, judged
from .restoring import all_told, shown


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-kind", type=int, default=PER_KIND)
    parser.add_argument("--show", help="print what was said where something is missed: a kind, or `all`")
    parser.add_argument("--fixes", type=int, help="plant so many mistakes, and hold every fix to what is meant")
    parser.add_argument("--jobs", type=int, default=1, help="of `--fixes`: how many processes plant them")
    parser.add_argument("--seed", type=int, default=1, help="of `--fixes`: the first seed")
    asked = parser.parse_args()
    if asked.fixes:
        sys.exit(_hold_fixes(asked.fixes, asked.jobs, asked.seed))
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


def _hold_fixes(count: int, jobs: int, seed: int) -> int:
    """Print what fixes make of mistakes, and each that is wrong; 1 if one is."""
    by_kind: dict[str, Counter[str]] = defaultdict(Counter)
    failed = 0
    with ProcessPoolExecutor(jobs) as pool:
        seeds = range(seed, seed + -(-count // EACH))
        for found in pool.map(_fixes_of, seeds):
            for kind, by_fix, by_editor, wrong in found:
                by_kind[kind].update([by_fix, *(f"editor {how}" for how in by_editor.elements())])
                failed += bool(wrong)
                if wrong:
                    print(wrong, flush=True)
    hows = ("valid", "left", "restored", "partly", "changed", "editor restored", "editor partly", "editor changed")
    print(f"{'kind':24}", *(f"{how:>16}" for how in hows))
    for kind, counts in [*by_kind.items(), ("all", sum(by_kind.values(), Counter()))]:
        print(f"{kind:24}", *(f"{counts[how]:16,}" for how in hows))
    print(f"{failed} mistakes of which a fix makes something else")
    return int(failed > 0)


def _fixes_of(seed: int) -> list[tuple[str, str, Counter[str], str]]:
    told = all_told(EACH, seed)
    return [(one.planted.kind, one.by_fix, one.by_editor, shown(one) if one.wrong else "") for one in told]


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

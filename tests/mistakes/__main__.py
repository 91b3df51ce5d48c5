"""`python -m tests.mistakes`: the score of the messages by kind."""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from pathlib import Path

from .planting import PER_KIND, Verdict, all_mistakes, judged


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-kind", type=int, default=PER_KIND)
    parser.add_argument("--show", help="print what was said where something is missed: a kind, or `all`")
    asked = parser.parse_args()
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


main()

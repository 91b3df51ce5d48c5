"""`houserule compare`: how a house rule, an option or another input changes the odds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import click

from interpreter.chances.laws import compared_table
from interpreter.chances.percent import percent
from interpreter.chances.report import Report, ReportSection
from interpreter.chances.table import ChanceRow, OddsPoint
from interpreter.cli import parameters
from interpreter.cli.question import SCENES, MechanicQuestion, odds_of, renaming, simulate
from interpreter.cli.rulesets import ruleset_of_scene
from interpreter.cli.terminal import count_progress, wait_progress, write_report
from interpreter.odds.comparison import Comparison, compare
from interpreter.runtime.rng import Seed, fresh_number
from interpreter.simulation.answer import Simulated


@click.command("compare")
@click.argument("words", nargs=-1, required=True, metavar="RULESET [RULESET] [MECHANIC] [NAME=VALUE]...")
@parameters.house_rules("B")
@parameters.ruleset_options("Set this option of B.")
@click.option("--set", "changed", multiple=True, metavar="NAME=VALUE", help="Change this input of B.")
@click.option("--policy-b", metavar="NAME", help="The policy that answers the choices in B.")
@click.option("--both-with", multiple=True, metavar="LAYER", help="Apply this house rule to A and B.")
@click.option("--both-option", multiple=True, metavar="NAME=VALUE", help="Set this option of A and B.")
@parameters.allow
@parameters.in_state
@parameters.who_decides
@click.option("--runs", type=int, help=f"Simulate this many runs of A and of B; {SCENES:,} by default for a scene.")
@parameters.seed(parameters.SAME_SAMPLE)
@click.option("--of", "names", multiple=True, metavar="NAME", help="Compare the distribution and mean of a value.")
@click.option("--all", "whole", is_flag=True, help="Show every value and every fraction in full.")
@parameters.odds_format
def command(
    words: tuple[str, ...],
    layers: tuple[str, ...],
    options: tuple[str, ...],
    changed: tuple[str, ...],
    policy_b: str | None,
    both_with: tuple[str, ...],
    both_option: tuple[str, ...],
    allow: tuple[str, ...],
    state: str | None,
    choose: tuple[str, ...],
    policy: str | None,
    best: tuple[str, ...],
    worst: tuple[str, ...],
    runs: int | None,
    seed: Seed | None,
    names: tuple[str, ...],
    whole: bool,
    form: str,
) -> None:
    """Compare the odds of MECHANIC, or of a scene file, in A, the ruleset as it is, and in B, with a change.

    \b
    houserule compare jadeclaw contest own=d8 against=d6 --with double-botch-ties
    houserule compare jadeclaw contest own=d8 against=d6 --option double_botch=tie
    houserule compare jadeclaw contest own=d8 against=d6 --set own=d10
    houserule compare mine.yaml yours.yaml contest own=d8 against=d6
    houserule compare jadeclaw --with double-botch-ties

    Without MECHANIC, every rule that the layers touch is compared, at the inputs that it declares as `typical` or at
    those of its cases.

    With two rulesets the second is B; --with, --option and --set still change B alone. Both use the same policy and
    answers, unless --policy-b names another policy for B.
    """
    of = ruleset_of_scene(words[0])
    words = words if of is None else (of, *words)
    if len(words) == 1:
        others = (options, changed, policy_b, both_option, allow, state, choose, policy, best, worst, names)
        if not layers or any(others) or runs is not None:
            raise click.UsageError("without MECHANIC, give the layers that are compared, with --with and --both-with")
        _compare_all_rules(words[0], layers, both_with, form)
        return
    a, b = (
        replace(one, allow=allow, state=state)
        for one in _questions_of_sides(words, both_with, both_option, choose, policy, best, worst)
    )
    b = replace(b, layers=b.layers + layers, options=b.options + options, changed=changed, policy=policy_b or policy)
    if a == b:
        raise click.UsageError("nothing differs: give a second ruleset, or --with, --option, --set or --policy-b")
    if runs is not None or a.subject.startswith("scenes."):
        number, thrown = runs if runs is not None else SCENES, fresh_number() if seed is None else seed
        both = compare(simulate(a, number, thrown, names), simulate(b, number, thrown, names), renaming(a, b))
        write_report(_report(a, b, both, names, whole), form)
        return
    with wait_progress("computing the odds"):
        report = _report(a, b, compare(odds_of(a), odds_of(b), renaming(a, b)), names, whole)
    write_report(report, form)


def _compare_all_rules(ruleset: str, layers: tuple[str, ...], below: tuple[str, ...], form: str) -> None:
    """Compare every rule that layers over a ruleset touch."""
    from interpreter.cli.rulesets import load_playable
    from interpreter.delta.report import ruleset_report
    from interpreter.delta.rulesets import layered_delta

    with count_progress("comparing the odds") as watch:
        a, b = load_playable(ruleset, below), load_playable(ruleset, below + layers)
        found = layered_delta(a, b, watch or (lambda done, of: None))
    title = f"{', '.join([ruleset, *(f'with {one}' for one in below)])}, before and after {', '.join(layers)}"
    write_report(ruleset_report(found, title), form)


def _questions_of_sides(
    words: tuple[str, ...],
    layers: tuple[str, ...],
    options: tuple[str, ...],
    choose: tuple[str, ...],
    policy: str | None,
    best: tuple[str, ...],
    worst: tuple[str, ...],
) -> tuple[MechanicQuestion, MechanicQuestion]:
    """Questions A and B from the arguments: before the first `name=value` stand one or two rulesets and a mechanic."""
    count = next((place for place, word in enumerate(words) if "=" in word), len(words))
    names, inputs = words[:count], words[count:]
    if count not in (2, 3):
        raise click.UsageError("give RULESET MECHANIC, or RULESET RULESET MECHANIC, then the inputs as NAME=VALUE")
    sides = [
        MechanicQuestion(one, names[-1], inputs, layers, options, (), choose, policy, best, worst) for one in names[:-1]
    ]
    return sides[0], sides[-1]


def _report(a: MechanicQuestion, b: MechanicQuestion, both: Comparison, names: tuple[str, ...], whole: bool) -> Report:
    tables = [compared_table(both, name) for name in names or both.results]
    if names:
        tables = [replace(one, title=one.names[0]) for one in tables]
    is_sample = isinstance(both.a, Simulated)
    method = "simulate" if is_sample else "exact"
    data: dict[str, Any] = {"a": a.to_data(method), "b": b.to_data(method), "method": method}
    data |= {"runs": both.a.runs, "seed": both.a.seed} if isinstance(both.a, Simulated) else {}
    is_same = all(row.difference == 0 for table in tables for row in table.rows)
    return Report(
        " ".join([a.mechanic or "", *a.inputs]) + f": {both.a.method if is_sample else 'exact odds'}",
        ReportSection(
            points=(OddsPoint("", tuple(tables)),),
            below=(_no_difference([row for one in tables if (row := one.missing)]),) if is_same else (),
            data=data,
        ),
        sides=("A", "B"),
        facts=tuple(_sides_in_words(a, b, both)),
        named=bool(names),
        whole=whole,
    )


def _no_difference(missing: Sequence[ChanceRow]) -> str:
    most = max((one for row in missing for one in row.numbers), default=Fraction(0))
    followed = f" in what was followed; up to {percent(most)} was not." if most else "."
    return f"There is no difference{followed}"


def _sides_in_words(a: MechanicQuestion, b: MechanicQuestion, both: Comparison) -> Iterator[tuple[str, str]]:
    """What each side is, what both have, and what is only called otherwise in B."""
    shared = [one for one in a.conditions if one in b.conditions]
    for letter, side in (("A", a), ("B", b)):
        more = [one for one in side.conditions if one not in shared]
        yield letter, ", ".join([side.ruleset, *more])
    if shared:
        yield "both", ", ".join(shared)
    words = {word for name, of in both.a.known.items() if name != "outcome" for word in of}
    others = {old: new for old, new in both.renamed.others.items() if old in words}
    changed = [f"{old} is called {new}" for old, new in {**others, **both.renamed.own}.items()]
    if changed:
        yield "in B", ", ".join(changed)

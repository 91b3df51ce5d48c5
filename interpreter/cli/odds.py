"""`houserule odds`: the exact chance of each outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import click

from interpreter.chances.laws import joint_table, law_table, with_mean
from interpreter.chances.notebook import title_of
from interpreter.chances.percent import percent
from interpreter.chances.report import Report, ReportSection
from interpreter.chances.table import ChanceTable, OddsPoint, ReportNote
from interpreter.cli import parameters
from interpreter.cli.expressions import notes_of_expressions, report_notes
from interpreter.cli.interrupts import exit_code
from interpreter.cli.question import MechanicQuestion, odds_of
from interpreter.cli.terminal import echo, wait_progress, write_report
from interpreter.odds.answer import Odds
from interpreter.odds.scenes import Unfinished
from interpreter.odds.strategy import sentences
from interpreter.simulation.answer import Simulated
from interpreter.values import to_data

MOST_STEPS = 3
"""How many steps are named that took the most."""


@click.command("odds")
@parameters.rule_or_expressions
@parameters.changed_rules
@parameters.in_state
@parameters.who_decides
@parameters.values_shown
@parameters.how_far
@click.option("--explain", is_flag=True, help="Say what the answer took, and which steps the most.")
@parameters.odds_format
def command(
    ruleset: str,
    mechanic: str | None,
    inputs: tuple[str, ...],
    expressions: tuple[str, ...],
    layers: tuple[str, ...],
    options: tuple[str, ...],
    allow: tuple[str, ...],
    state: str | None,
    choose: tuple[str, ...],
    policy: str | None,
    best: tuple[str, ...],
    worst: tuple[str, ...],
    names: tuple[str, ...],
    joint: str | None,
    at_least: bool,
    at_most: bool,
    when: tuple[str, ...],
    whole: bool,
    within: Fraction | None,
    seconds: float | None,
    explain: bool,
    form: str,
) -> None:
    """Compute the exact odds of MECHANIC of RULESET with inputs such as `own="d10 & d4"`.

    It shows the outcomes and the readings under `also`, or else the last number or word; --of shows any step, --joint
    several together. Without MECHANIC, it lists the mechanics of the ruleset. With -e, it asks about dice without a
    ruleset.
    """
    question = MechanicQuestion(
        ruleset, mechanic, inputs, layers, options, allow, choose, policy, best, worst,
        state=state, when=when, expressions=expressions,
    )  # fmt: skip
    names = question.shown(names, joint)
    kind, together = parameters.kind_of_chances(names, joint, at_least, at_most), parameters.names_of(joint)
    try:
        with question.problems_in_place(), wait_progress("computing the odds") as progress:
            odds = parameters.conditional_odds(odds_of(question, progress, within or Fraction(0), seconds), when)
            report = odds_report(question, odds, names, together, kind, whole)
            report = _with_costs(report, odds) if explain else report
            report = _with_strategy(report, odds) if best or worst else report
    except Unfinished as stopped:
        echo(str(stopped), err=True)
        raise click.exceptions.Exit(exit_code(stopped)) from None
    write_report(report, form)
    report_notes(question.expression_ruleset, form)


# What is told ----------------------------------------------------------------------------------------------------


def odds_report(
    question: MechanicQuestion,
    odds: Odds,
    names: tuple[str, ...],
    together: tuple[str, ...],
    kind: parameters.Kind,
    whole: bool,
    notes: Sequence[ReportNote] = (),
) -> Report:
    """The laws of `names`, the joint law of those `together`, or the results of the mechanic."""
    tables: list[ChanceTable] = []
    if together:
        tables.append(joint_table(odds, *together))
    for name in () if together else names or odds.results:
        table = law_table(odds, name, kind)
        title = question.heading(name, "" if kind == "chance" else kind.replace("_", " "))
        table = replace(table, title=title or ("outcome" if tables else ""))
        tables.append(with_mean(table, odds) if names else table)
    in_part = not isinstance(odds, Simulated) and any(one.why for one in tables)
    runs = {"runs": odds.runs, "seed": odds.seed} if isinstance(odds, Simulated) else {}
    return Report(
        question.title("exact odds of the likeliest runs" if in_part else odds.method),
        ReportSection(
            points=(OddsPoint("", tuple(tables)),), data=question.to_data("simulate" if runs else "exact") | runs
        ),
        subject=title_of(odds),
        given=", ".join([*question.inputs, *question.conditions]),
        named=bool(names),
        whole=whole,
        notes=(*notes, *notes_of_expressions(question.expression_ruleset)),
    )


def _with_strategy(report: Report, odds: Odds) -> Report:
    """A report with the best decisions."""
    said = sentences(odds.strategy) or ["there is nothing to decide"]
    decisions = [
        {"choice": one.path, "seen": to_data(one.seen), "answer": to_data(one.answer), "chance": str(one.chance)}
        for one in odds.strategy
    ]
    body = replace(report.body, data={**report.body.data, "strategy": decisions})
    return replace(report, body=body, notes=(ReportNote("what to do", tuple(said)), *report.notes))


def _with_costs(report: Report, odds: Odds) -> Report:
    """A report with what its laws took."""
    costs = [line for table in report.tables for line in _costs(odds, table.names)]
    return replace(report, notes=(ReportNote("what it took", tuple(costs)), *report.notes))


def _costs(odds: Odds, names: tuple[str, ...]) -> Iterator[str]:
    """What a law took, and the steps before which the most states waited."""
    law, name = odds.law(*names), " and ".join(names)
    if law.cost is None:
        yield f"{name}: every path was followed"
        return
    most = ", ".join(f"`{step}` {states:,}" for step, states in law.cost.waited[:MOST_STEPS])
    share = f"{law.cost.work / law.cost.allowed:.1%} of the work that is allowed"
    yield f"{name}: {law.cost.states:,} states, {share}" + (f"; most at {most}" if most else "")
    if law.missing:
        yield f"{name}: {percent(law.missing)} was not followed" + (f", as {law.why}" if law.why else "")
    if law.cost.work > law.cost.allowed / 10:
        yield "cheaper: ask for one value alone with --of, or read less of the dice before these steps"

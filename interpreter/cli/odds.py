"""`houserule odds`: the exact chance of each outcome."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from textwrap import wrap
from typing import Any

import click

from interpreter.cli import parameters, tables
from interpreter.cli.expressions import lines_below_answer, report_notes
from interpreter.cli.interrupts import exit_code
from interpreter.cli.question import MechanicQuestion, odds_of
from interpreter.cli.terminal import Paint, painter, wait_progress
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.odds.answer import Odds
from interpreter.odds.bounded import Bounded
from interpreter.odds.scenes import Unfinished
from interpreter.odds.strategy import sentences
from interpreter.report import chart
from interpreter.report.figures import NOT_FOLLOWED, USUAL_LINES, Panel, panel, panels, percent, shortened, thinned
from interpreter.values import in_words, to_data

FORMATS = ("text", "json", "csv", "svg")
Rows = tuple[tuple[str, Fraction], ...]
MOST_STEPS = 3
"""How many steps are named that took the most."""

MODES = {"at_least": "at least", "at_most": "at most"}


@click.command("odds")
@parameters.rule_or_expressions
@parameters.changed_rules
@parameters.in_state
@parameters.who_decides
@parameters.values_shown
@parameters.how_far
@click.option("--explain", is_flag=True, help="Say what the answer took, and which steps the most.")
@parameters.output_format(*FORMATS)
def command(
    ruleset: str,
    mechanic: str | None,
    inputs: tuple[str, ...],
    expressions: tuple[str, ...],
    layers: tuple[str, ...],
    options: tuple[str, ...],
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
        ruleset, mechanic, inputs, layers, options, choose, policy, best, worst,
        state=state, when=when, expressions=expressions,
    )  # fmt: skip
    names = question.shown(names, joint)
    mode, together = parameters.mode_of(names, joint, at_least, at_most), parameters.names_of(joint)
    try:
        with question.problems_in_place(), wait_progress("computing the odds") as progress:
            odds = parameters.conditional_odds(odds_of(question, progress, within or Fraction(0), seconds), when)
            asked = OddsQuestion(question, odds, names, together, mode, whole, explain)
            text = _WRITERS[form](asked)
    except Unfinished as stopped:
        click.echo(str(stopped), err=True)
        raise click.exceptions.Exit(exit_code(stopped)) from None
    click.echo(text, nl=False, color=True)
    report_notes(question.expression_ruleset, form)


@dataclass(frozen=True)
class OddsQuestion:
    """What to show: the laws of `names`, the joint law of `together`, or the results of the mechanic."""

    question: MechanicQuestion
    odds: Odds
    names: tuple[str, ...]
    together: tuple[str, ...]
    mode: str
    whole: bool
    explain: bool = False

    @property
    def laws(self) -> list[tuple[str, ...]]:
        if self.names or self.together:
            return [(name,) for name in self.names] or [self.together]
        return [(name,) for name in self.odds.results]

    @property
    def panels(self) -> list[Panel]:
        most = None if self.whole else USUAL_LINES
        if self.together:
            law = {self.combination(values): chance for values, chance in self.odds.joint(*self.together).items()}
            return [self.panel_of(" and ".join(self.together), law, shortened(law, most), *self.together)]
        if self.mode:
            laws = {name: self.law(name) for name in self.names}
            titles = {name: self.question.heading(name, MODES[self.mode]) for name in self.names}
            return [self.panel_of(titles[n], one, thinned(one, most), n) for n, one in laws.items()]
        return [panel(self.odds, name, most) for name in self.names] or list(panels(self.odds, most))

    @property
    def with_titles(self) -> list[Panel]:
        """The panels, each with its title in place of the name of a value."""
        return [replace(one, title=self.question.heading(one.title) or "outcome") for one in self.panels]

    def panel_of(self, title: str, law: Mapping[Any, Fraction], rows: Rows, *names: str) -> Panel:
        return Panel(title, rows, self.odds.missing_of(*names), len(rows) < len(law))

    def law(self, *names: str) -> Mapping[Any, Fraction]:
        """The law of names, cumulative if `mode` says so."""
        if len(names) > 1:
            return self.odds.joint(*names)
        law: Mapping[Any, Fraction] = getattr(self.odds, self.mode or "of")(names[0])
        return law

    def combination(self, values: tuple[Any, ...]) -> str:
        return ", ".join(f"{name} {in_words(value)}" for name, value in zip(self.together, values, strict=True))


# Text output ----------------------------------------------------------------------------------------------------


def _page(asked: OddsQuestion) -> str:
    paint = painter(sys.stdout)
    in_part = any(asked.odds.why_of(*names) for names in asked.laws)
    lines = [paint(asked.question.title("exact odds of the likeliest runs" if in_part else "exact odds"), "bold")]
    crossed = _joint_table(asked, paint) if len(asked.together) == 2 else []
    if crossed:
        lines += ["", *crossed]
    shown = asked.panels if not crossed else []
    largest = max((chance for one in shown for _, chance in one.rows), default=None) if not asked.names else None
    for number, one in enumerate(shown):
        title = asked.question.heading(one.title)
        lines += ["", *([paint(title, "bold")] if number or title else [])]
        rows = [*one.rows, *([(NOT_FOLLOWED, one.missing)] if one.missing else [])]
        lines += tables.chances(rows, paint, asked.whole, largest)
        lines += [paint(f"  {note}", "dim") for note in _notes(asked, one)]
    if asked.question.best or asked.question.worst:
        lines += ["", paint("what to do", "bold"), *_strategy(asked)]
    if asked.explain:
        lines += ["", paint("what it took", "bold"), *[f"  {line}" for line in _effort_lines(asked)]]
    lines += lines_below_answer(asked.question.expression_ruleset, paint)
    return "\n".join(lines) + "\n"


def _effort_lines(asked: OddsQuestion) -> Iterator[str]:
    """What each law took, and the steps before which the most states waited."""
    for names in asked.laws:
        law, told = asked.odds.law(*names), " and ".join(names)
        if law.cost is None:
            yield f"{told}: every path was followed"
            continue
        most = ", ".join(f"`{step}` {states:,}" for step, states in law.cost.waited[:MOST_STEPS])
        share = f"{law.cost.work / law.cost.allowed:.1%} of the work that is allowed"
        yield f"{told}: {law.cost.states:,} states, {share}" + (f"; most at {most}" if most else "")
        if law.missing:
            yield f"{told}: {percent(law.missing)} was not followed" + (f", as {law.why}" if law.why else "")
        if law.cost.work > law.cost.allowed / 10:
            yield "cheaper: ask for one value alone with --of, or read less of the dice before these steps"


def _notes(asked: OddsQuestion, one: Panel) -> Iterator[str]:
    """Notes below the lines of a law."""
    names = (one.title,) if one.title in asked.odds.known or one.title in asked.names else asked.together
    if why := asked.odds.why_of(*names):
        yield f"(each chance is at least this, and at most {percent(one.missing)} more: {why})"
    if one.title in asked.names:
        yield from mean(asked.odds, one.title)
    if one.shortened:
        yield "(shortened; --all shows every value and fraction)"
    elif tables.cut([chance for _, chance in one.rows], asked.whole):
        yield "(… is a fraction too long for the line; --all shows it)"


def mean(odds: Odds, name: str) -> Iterator[str]:
    """Mean and deviation of a number, as far as they are known, or why there is no mean; nothing for words."""
    law = odds.of(name)
    if any(isinstance(value, str) for value in law) or all(isinstance(value, bool) for value in law):
        return
    try:
        found = odds.mean(name)
    except PlayError as problem:
        yield problem.diagnostic.message
        return
    if odds.missing_of(name):
        yield f"mean {number(found)}"
    else:
        yield f"mean {number(found)}, deviation {odds.deviation(name):.3f}".rstrip("0").rstrip(".")


def number(value: Fraction, sign: bool = False) -> str:
    """`7`, `6.5`, `4.472 (161/36)`: a fraction as a decimal, with the exact value if that is short, or with its error,
    as in `17.405138 ± 3.9e-15`."""
    if isinstance(value, Bounded):
        return f"{'+' if sign and value > 0 else ''}{value}"
    shown = f"{float(value):{'+' if sign and value else ''}.3f}".rstrip("0").rstrip(".")
    if Fraction(shown) == value or len(str(value)) > tables.LONGEST_FRACTION:
        return shown
    return f"{shown} ({value})"


def _strategy(asked: OddsQuestion) -> list[str]:
    said = sentences(asked.odds.strategy) or ["there is nothing to decide"]
    return [line for one in said for line in wrap(one, tables.width(), initial_indent="  ", subsequent_indent="    ")]


def _joint_table(asked: OddsQuestion, paint: Paint) -> list[str]:
    """The joint law of two names as a table, transposed if only that fits; empty if neither fits."""
    missing = asked.odds.missing_of(*asked.together)
    for down, across in (asked.together, asked.together[::-1]):
        law = asked.odds.joint(down, across)
        rows, columns = asked.odds.of(down), asked.odds.of(across)
        table = [[f"{down} \\ {across}", *map(in_words, columns), "any"]]
        for value, chance in rows.items():
            cells = [law.get((value, other)) for other in columns]
            table.append([in_words(value), *(percent(cell) if cell else "-" for cell in cells), percent(chance)])
        table.append(["any", *map(percent, columns.values()), ""])
        if max(map(len, tables.grid(table))) <= tables.width() and len(table) <= USUAL_LINES:
            left = [f"  {NOT_FOLLOWED}  {percent(missing)}"] if missing else []
            return [*tables.grid(table, paint=paint), *left]
    return []


# Data formats ---------------------------------------------------------------------------------------------------


def _json(asked: OddsQuestion) -> str:
    data = asked.question.to_data() | {"laws": {",".join(one): _as_data(asked, one) for one in asked.laws}}
    if asked.question.best or asked.question.worst:
        data["strategy"] = [
            {"choice": one.path, "seen": to_data(one.seen), "answer": to_data(one.answer), "chance": str(one.chance)}
            for one in asked.odds.strategy
        ]
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _as_data(asked: OddsQuestion, names: tuple[str, ...]) -> dict[str, Any]:
    lines = []
    for value, chance in asked.law(*names).items():
        key = (
            {"values": dict(zip(names, map(to_data, value), strict=True))}
            if len(names) > 1
            else {"value": to_data(value)}
        )
        lines.append(key | {asked.mode or "chance": str(chance), "probability": float(chance)})
    data: dict[str, Any] = {"law": lines, "missing": str(asked.odds.missing_of(*names))}
    if why := asked.odds.why_of(*names):
        data["why"] = why
    if asked.names:
        with suppress(PlayError):
            data |= mean_as_data(asked.odds.mean(names[0]))
            data["deviation"] = asked.odds.deviation(names[0])
    return data


def mean_as_data(mean: Fraction) -> dict[str, Any]:
    """A mean: exact as a fraction, within bounds as a decimal number beside the error that it may have."""
    if not isinstance(mean, Bounded):
        return {"mean": str(mean)}
    return {"mean": str(float(mean)), "mean_error": mean.error}


def _csv(asked: OddsQuestion) -> str:
    heads = list(asked.together) or ["of", "value"]
    rows: list[list[Any]] = [[*heads, asked.mode or "chance", "probability"]]
    for names in asked.laws:
        start = [] if asked.together else [names[0]]
        for value, chance in asked.law(*names).items():
            values = value if asked.together else (value,)
            rows.append([*start, *map(in_words, values), chance, float(chance)])
        if missing := asked.odds.missing_of(*names):
            rows.append([*start, NOT_FOLLOWED, *[""] * (len(names) - 1), missing, float(missing)])
    return as_csv(rows)


def as_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV; lines end in a newline alone."""
    out = StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _svg(asked: OddsQuestion) -> str:
    about = ", ".join([*asked.question.inputs, *asked.question.conditions])
    return chart.drawn(chart.title(asked.odds), about, asked.with_titles)


_WRITERS = {"text": _page, "json": _json, "csv": _csv, "svg": _svg}

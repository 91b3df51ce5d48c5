"""`houserule compare`: how a house rule, an option or another input changes the odds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import wraps
from string import ascii_uppercase
from typing import Any

import click

from interpreter.api.game import Game
from interpreter.chances.laws import compared_table
from interpreter.chances.percent import percent
from interpreter.chances.report import Report, ReportSection
from interpreter.chances.series import MOST_SERIES, TooManySeries
from interpreter.chances.table import ChanceRow, OddsPoint
from interpreter.chances.words import mean_in_words
from interpreter.cli import parameters
from interpreter.cli.expressions import report_notes
from interpreter.cli.grids import GridPart, axes_of, grid_report
from interpreter.cli.odds import odds_report
from interpreter.cli.question import (
    SCENES,
    MechanicQuestion,
    decision_arguments,
    game_and_inputs,
    odds_of,
    renames_between,
    simulate,
    state_of_question,
)
from interpreter.cli.rulesets import ruleset_of_scene
from interpreter.cli.terminal import count_progress, wait_progress, write_report
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Comparison, compare
from interpreter.odds.sweep import Sweep
from interpreter.runtime.rng import Seed, fresh_number
from interpreter.runtime.state import State
from interpreter.simulation.answer import Simulated

Command = Callable[..., None]

OF_EXPRESSIONS = ("expressions", "words", "names", "runs", "seed", "whole", "form")
"""The parameters that a comparison of expressions has."""


def _or_expressions(command: Command) -> Command:
    """Compare expressions if there are any, or else what `command` compares."""

    @wraps(command)
    def check_and_call(expressions: tuple[str, ...], **given: Any) -> None:
        if expressions:
            if any(value for name, value in given.items() if name not in OF_EXPRESSIONS):
                raise click.UsageError("-e goes with --of, --runs, --seed, --all and --format; `sweep -e` has --over")
            _compare_expressions(expressions, **{name: given[name] for name in OF_EXPRESSIONS[1:]})
        elif not given["words"]:
            raise click.UsageError("Missing argument 'RULESET', or expressions: -e 2d6 -e 3d4.")
        elif given["only"] is not None and not given["over"]:
            raise click.UsageError("--only goes with --over")
        else:
            command(**given)

    return check_and_call


@click.command("compare")
@click.argument("words", nargs=-1, metavar="RULESET [RULESET] [MECHANIC] [NAME=VALUE]...")
@parameters.expressions
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
@click.option("--over", multiple=True, metavar="NAME=A,B,…", help="Compare at each of these values, as `sweep` does.")
@click.option("--only", metavar="VALUE", help="With --over: show one outcome or value.")
@click.option("--all", "whole", is_flag=True, help="Show every value and every fraction in full.")
@parameters.odds_format
@_or_expressions
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
    over: tuple[str, ...],
    only: str | None,
    whole: bool,
    form: str,
) -> None:
    """Compare the odds of MECHANIC, or of a scene file, in A, the ruleset as it is, and in B, with a change.

    \b
    houserule compare jadeclaw contest own=d8 against=d6 --with double-botch-ties
    houserule compare jadeclaw contest own=d8 against=d6 --option double_botch=tie
    houserule compare jadeclaw contest own=d8 against=d6 --set own=d10
    houserule compare mine.yaml yours.yaml contest own=d8 against=d6
    houserule compare jadeclaw contest against=d6 --with double-botch-ties --over own=d4,d6,d8 --only tie
    houserule compare jadeclaw --with double-botch-ties
    houserule compare -e 2d6 -e 3d4 -e d12

    Without MECHANIC, every rule that the layers touch is compared, at the inputs that it declares as `typical` or at
    those of its cases.

    With two rulesets the second is B; --with, --option and --set still change B alone. Both use the same policy and
    answers, unless --policy-b names another policy for B. With -e, the laws of expressions are drawn in one picture.
    """
    of = ruleset_of_scene(words[0])
    words = words if of is None else (of, *words)
    if len(words) == 1:
        others = (options, changed, policy_b, both_option, allow, state, choose, policy, best, worst, names, over)
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
    report = (
        _report_over(a, b, axes_of(over), names, only, runs, seed)
        if over
        else _report_of_sides(a, b, names, runs, seed, whole)
    )
    write_report(report, form)


def _compare_expressions(
    expressions: tuple[str, ...],
    words: tuple[str, ...],
    names: tuple[str, ...],
    runs: int | None,
    seed: Seed | None,
    whole: bool,
    form: str,
) -> None:
    """Compare the laws of expressions, which stand side by side."""
    parameters.refuse_words_beside_expressions(words)
    question = MechanicQuestion("", None, words, expressions=expressions)
    with question.problems_in_place():
        names = question.shown(names, None)
        if len(names) < 2:
            raise click.UsageError(
                f"`{question.heading(names[0]) or expressions[0]}` is compared with nothing: give another -e"
            )
        if len(names) > MOST_SERIES:
            raise click.UsageError(str(TooManySeries(len(names))))
        if runs is not None:
            odds: Odds = simulate(question, runs, fresh_number() if seed is None else seed, names)
        else:
            odds = odds_of(question)
        with wait_progress("computing the odds"):
            report = odds_report(question, odds, names, (), "chance", whole)
    (point,) = report.body.points
    legend = []
    for table in point.tables:
        mean = mean_in_words(table) if table.mean is not None and not table.has_flags else table.note
        legend.append(", ".join(filter(None, [table.title, mean])))
    write_report(replace(report, together=True, facts=tuple(zip(ascii_uppercase, legend, strict=False))), form)
    report_notes(question.expression_ruleset, form)


def _report_of_sides(
    a: MechanicQuestion, b: MechanicQuestion, names: tuple[str, ...], runs: int | None, seed: Seed | None, whole: bool
) -> Report:
    """Both sides, exactly or, with `runs` or of a scene, by simulation."""
    if runs is not None or a.subject.startswith("scenes."):
        number = runs if runs is not None else SCENES
        thrown = fresh_number() if seed is None else seed
        both = compare(simulate(a, number, thrown, names), simulate(b, number, thrown, names), renames_between(a, b))
        return _report(a, b, both, names, whole)
    with wait_progress("computing the odds"):
        return _report(a, b, compare(odds_of(a), odds_of(b), renames_between(a, b)), names, whole)


def _report_over(
    a: MechanicQuestion,
    b: MechanicQuestion,
    axes: Mapping[str, tuple[Any, ...]],
    names: tuple[str, ...],
    only: str | None,
    runs: int | None,
    seed: Seed | None,
) -> Report:
    """Both sides at every point of a grid, exactly or, with `runs`, by simulation."""
    thrown = fresh_number() if seed is None else seed
    with wait_progress("computing the odds" if runs is None else "simulating"):
        sides = [_sweep_side(side, axes, names, runs, thrown) for side in (a, b)]
        both = compare(sides[0].points[0].odds, sides[1].points[0].odds, renames_between(a, b))
        shown = names or both.results[:1]
        parts = [
            GridPart(" ".join([letter, *([name] if len(shown) > 1 else [])]), called(name), swept)
            for name in shown
            for letter, swept, called in zip("AB", sides, (both.in_a, both.in_b), strict=True)
        ]
        method = "simulate" if runs is not None else "exact"
        data: dict[str, Any] = {"a": a.to_data(method), "b": b.to_data(method), "method": method}
        title = " ".join([a.mechanic or "", *a.inputs]) + f": {both.a.method if runs is not None else 'exact odds'}"
        report = grid_report(title, parts, only, data)
    return replace(report, facts=tuple(_sides_in_words(a, b, both)))


def _sweep_side(
    side: MechanicQuestion, axes: Mapping[str, tuple[Any, ...]], names: tuple[str, ...], runs: int | None, seed: Seed
) -> Sweep:
    """The odds of a side at every point of a grid."""
    game, given = game_and_inputs(side, tuple(axes))

    def state(playing: Game) -> State | None:
        return state_of_question(playing, side)

    how = decision_arguments(side)
    if runs is not None:
        how |= {"method": "simulate", "runs": runs, "seed": seed, "of": names or None}
    return game.sweep(side.subject, over=axes, inputs=given, state=state, **how)


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

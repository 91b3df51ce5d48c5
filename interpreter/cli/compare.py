"""`houserule compare`: how a house rule, an option or another input changes the odds."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

import click

from interpreter.cli import parameters, tables
from interpreter.cli.odds import as_csv, number
from interpreter.cli.question import SCENES, MechanicQuestion, odds_of, renaming, simulate
from interpreter.cli.rulesets import ruleset_of_scene
from interpreter.cli.terminal import Paint, count_progress, painter, wait_progress
from interpreter.diagnostics import PlayError
from interpreter.odds.bounded import Bounded
from interpreter.odds.comparison import Change, Comparison, compare, labelled
from interpreter.report.figures import NOT_FOLLOWED, USUAL_LINES, is_flag, percent
from interpreter.runtime.rng import fresh_seed
from interpreter.simulation.answer import Estimate, Simulated
from interpreter.values import in_words, to_data

NONE = Fraction(0)


@click.command("compare")
@click.argument("words", nargs=-1, required=True, metavar="RULESET [RULESET] [MECHANIC] [NAME=VALUE]...")
@parameters.house_rules("B")
@parameters.ruleset_options("Set this option of B.")
@click.option("--set", "changed", multiple=True, metavar="NAME=VALUE", help="Change this input of B.")
@click.option("--policy-b", metavar="NAME", help="The policy that answers the choices in B.")
@click.option("--both-with", multiple=True, metavar="LAYER", help="Apply this house rule to A and B.")
@click.option("--both-option", multiple=True, metavar="NAME=VALUE", help="Set this option of A and B.")
@parameters.in_state
@parameters.who_decides
@click.option("--runs", type=int, help=f"Simulate this many runs of A and of B; {SCENES:,} by default for a scene.")
@parameters.seed(parameters.SAME_SAMPLE)
@click.option("--of", "names", multiple=True, metavar="NAME", help="Compare the distribution and mean of a value.")
@click.option("--all", "whole", is_flag=True, help="Show every value and every fraction in full.")
@parameters.output_format("text", "json", "csv")
def command(
    words: tuple[str, ...],
    layers: tuple[str, ...],
    options: tuple[str, ...],
    changed: tuple[str, ...],
    policy_b: str | None,
    both_with: tuple[str, ...],
    both_option: tuple[str, ...],
    state: str | None,
    choose: tuple[str, ...],
    policy: str | None,
    best: tuple[str, ...],
    worst: tuple[str, ...],
    runs: int | None,
    seed: int | None,
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
        told = (options, changed, policy_b, both_option, state, choose, policy, best, worst, names)
        if not layers or any(told) or runs is not None or form == "csv":
            raise click.UsageError("without MECHANIC, give the layers that are compared, with --with and --both-with")
        _whole(words[0], layers, both_with, form)
        return
    a, b = (replace(one, state=state) for one in _sides(words, both_with, both_option, choose, policy, best, worst))
    b = replace(b, layers=b.layers + layers, options=b.options + options, changed=changed, policy=policy_b or policy)
    if a == b:
        raise click.UsageError("nothing differs: give a second ruleset, or --with, --option, --set or --policy-b")
    if runs is not None or a.subject.startswith("scenes."):
        number, thrown = runs if runs is not None else SCENES, fresh_seed() if seed is None else seed
        both = compare(simulate(a, number, thrown, names), simulate(b, number, thrown, names), renaming(a, b))
        click.echo(_format_comparison(a, b, both, names, whole, form), nl=False, color=True)
        return
    with wait_progress("computing the odds"):
        text = _format_comparison(a, b, compare(odds_of(a), odds_of(b), renaming(a, b)), names, whole, form)
    click.echo(text, nl=False, color=True)


def _whole(ruleset: str, layers: tuple[str, ...], below: tuple[str, ...], form: str) -> None:
    """Compare every rule that layers over a ruleset touch."""
    from interpreter.cli.changes import as_data, rules
    from interpreter.cli.rulesets import playable
    from interpreter.delta.rulesets import layered_delta

    with count_progress("comparing the odds") as watch:
        a, b = playable(ruleset, below), playable(ruleset, below + layers)
        found = layered_delta(a, b, watch or (lambda done, of: None))
    if form == "json":
        click.echo(json.dumps(as_data(found), ensure_ascii=False, indent=1))
        return
    click.echo(f"{', '.join([ruleset, *(f'with {one}' for one in below)])}, before and after {', '.join(layers)}")
    for line in rules(found):
        click.echo(line)


def _format_comparison(
    a: MechanicQuestion, b: MechanicQuestion, both: Comparison, names: tuple[str, ...], whole: bool, form: str
) -> str:
    laws = {name: both.of(name) for name in names or both.results}
    if form == "json":
        return _json(a, b, both, laws)
    if form == "csv":
        return _csv(both, laws)
    return "\n".join(_page(a, b, both, laws, bool(names), whole, painter(sys.stdout))) + "\n"


def _sides(
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
        MechanicQuestion(one, names[-1], inputs, layers, options, choose, policy, best, worst) for one in names[:-1]
    ]
    return sides[0], sides[-1]


Laws = Mapping[str, Mapping[Any, Change]]


def _page(
    a: MechanicQuestion, b: MechanicQuestion, both: Comparison, laws: Laws, named: bool, whole: bool, paint: Paint
) -> Iterator[str]:
    method = both.a.method if isinstance(both.a, Simulated) else "exact odds"
    yield paint(" ".join([a.mechanic or "", *a.inputs]) + f": {method}", "bold")
    shared = [one for one in a.conditions if one in b.conditions]
    for letter, side in (("A", a), ("B", b)):
        more = [one for one in side.conditions if one not in shared]
        yield f"  {paint(letter, 'bold')}  {', '.join([side.ruleset, *more])}"
    if shared:
        yield f"  both  {', '.join(shared)}"
    told = {word for name, words in both.a.known.items() if name != "outcome" for word in words}
    others = {old: new for old, new in both.renamed.others.items() if old in told}
    changed = [f"{old} is called {new}" for old, new in {**others, **both.renamed.own}.items()]
    if changed:
        yield f"  in B  {', '.join(changed)}"
    flags: dict[str, Change] = {}
    for name, law in laws.items():
        if not named and is_flag(law, any(both.missing_of(name))):
            flags[name] = law.get(True, Change(NONE, NONE))
            continue
        lines = labelled(law, None if whole else USUAL_LINES)
        title = "" if name == "outcome" and not named else name
        yield from _table(title, lines, both.missing_of(name), whole, paint)
        if named:
            yield from _means(both, name, law, paint)
    if flags:
        yield from _table("also", flags, Change(NONE, NONE), whole, paint)
    if all(change.difference == 0 for law in laws.values() for change in law.values()):
        left = [part for name in laws for part in both.missing_of(name) if part]
        yield ""
        yield "There is no difference" + (
            f" in what was followed; up to {percent(max(left))} was not." if left else "."
        )


def _table(title: str, lines: Mapping[str, Change], missing: Change, whole: bool, paint: Paint) -> Iterator[str]:
    rows = dict(lines) | ({NOT_FOLLOWED: missing} if any(missing) else {})
    changes = [percent(one.difference, sign=True) if one.difference else "=" for one in rows.values()]
    parts = [
        ["", *rows],
        ["A", *(tables.exact(one.a, whole) for one in rows.values())],
        ["", *tables.points([percent(one.a) for one in rows.values()])],
        ["B", *(tables.exact(one.b, whole) for one in rows.values())],
        ["", *tables.points([percent(one.b) for one in rows.values()])],
        ["B - A", *tables.points(changes)],
    ]
    table = tables.grid(list(zip(*parts, strict=True)))
    errors = [margin(one.error) if one.error else "" for one in rows.values()]
    if any(isinstance(one.a, Estimate) or isinstance(one.b, Estimate) for one in rows.values()):
        parts = [parts[0], ["A", *parts[2][1:]], ["B", *parts[4][1:]], parts[5], ["", *errors]]
        table = tables.grid(list(zip(*parts, strict=True)))
    elif max(map(len, table)) > tables.width() and not whole:
        parts = [parts[0], ["A", *parts[2][1:]], ["B", *parts[4][1:]], parts[5]]
        table = tables.grid(list(zip(*parts, strict=True)))
    yield ""
    if title:
        yield paint(title, "bold")
    yield paint(table[0], "dim")
    for line, one in zip(table[1:], rows.values(), strict=True):
        yield paint(line, "bold") if one.difference else line  # more is not better: no green, no red


def _means(both: Comparison, name: str, law: Mapping[Any, Change], paint: Paint) -> Iterator[str]:
    if any(isinstance(value, str) for value in law):
        return
    try:
        mean = both.mean(name)
    except PlayError as problem:
        yield paint(f"  {problem.diagnostic.message}", "dim")
        return
    if mean.error:
        sides = [str(one) if isinstance(one, Estimate) else number(one) for one in mean]
        yield f"  mean {sides[0]} and {sides[1]}, change {float(mean.difference):+.3g} ± {mean.error:.2g}"
        return
    yield f"  mean {number(mean.a)} and {number(mean.b)}, change {number(mean.difference, sign=True)}"


def _json(a: MechanicQuestion, b: MechanicQuestion, both: Comparison, laws: Laws) -> str:
    method = "simulate" if isinstance(both.a, Simulated) else "exact"
    data: dict[str, Any] = {"a": a.to_data(method), "b": b.to_data(method), "laws": {}, "method": method}
    if isinstance(both.a, Simulated):
        data |= {"runs": both.a.runs, "seed": both.a.seed}
    for name, law in laws.items():
        lines = [{"value": to_data(value)} | _as_data(change) for value, change in law.items()]
        data["laws"][name] = {"law": lines, "missing": _as_data(both.missing_of(name))}
        with suppress(PlayError):
            data["laws"][name]["mean"] = _as_data(both.mean(name))
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _as_data(change: Change) -> dict[str, Any]:
    bounded = any(isinstance(one, Bounded) for one in change)
    a, b, difference = [str(float(one) if bounded else Fraction(one)) for one in (*change, change.difference)]
    return {
        "a": a,
        "b": b,
        "difference": difference,
        "difference_as_number": float(change.difference),
        **({"error": change.error} if change.error else {}),
    }


def margin(error: float) -> str:
    """`± 1.2%`: the standard error of a difference of shares."""
    return f"± {100 * error:.2g}%"


def _csv(both: Comparison, laws: Laws) -> str:
    rows: list[list[Any]] = [["of", "value", "a", "b", "difference", "a_probability", "b_probability"]]
    for name, law in laws.items():
        missing = both.missing_of(name)
        for value, one in [*law.items(), *([(NOT_FOLLOWED, missing)] if any(missing) else [])]:
            rows.append([name, in_words(value), one.a, one.b, one.difference, float(one.a), float(one.b)])
    return as_csv(rows)

"""`houserule test`: run the cases beside the rules."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from interpreter.api.game import Game
from interpreter.cli import parameters
from interpreter.cli.report import as_data, as_text, complain, junit_cases, report, summary
from interpreter.cli.rulesets import found, loaded
from interpreter.cli.terminal import painter, progress
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.edits import difference, updated
from interpreter.diagnostics.source import Source
from interpreter.pipeline import Loaded
from interpreter.syntax import files
from interpreter.testing.cases import Trial, Verdict, cases_of, under_layers
from interpreter.testing.claims import claimed
from interpreter.testing.updates import edits_for


@click.command("test")
@click.argument("rulesets", nargs=-1, required=True)
@parameters.house_rules("each ruleset")
@click.option("--case", "only", help="Only cases whose name contains this.")
@parameters.output_format("text", "concise", "json", "github", "junit")
@click.option("--verbose", "-v", is_flag=True, help="Name every case.")
@click.option("--update", is_flag=True, help="Show what would make failing cases pass, and write it if you agree.")
@click.option("--yes", is_flag=True, help="With --update: write without asking.")
def command(
    rulesets: tuple[str, ...],
    layers: tuple[str, ...],
    only: str | None,
    form: str,
    verbose: bool,
    update: bool,
    yes: bool,
) -> None:
    """Run the cases of RULESETS, and compare the chances that tables claim with the exact ones.

    Errors in a ruleset are reported as by `check`, and its cases are not run.

    Exit code 0 if all pass, 1 if one fails or a ruleset has errors, 2 if there is no case.
    """
    if update:
        _update(list(found(rulesets)), layers, only, yes)
    verdicts: list[tuple[str, Verdict]] = []
    broken: dict[str, list[Diagnostic]] = {}
    for name in found(rulesets):
        made = loaded(name, layers=layers)
        if made.problems.errors or made.program is None or made.world is None:
            broken[name] = made.problems.errors
            if form == "github":
                report(broken[name], form, sys.stdout)
            elif form not in ("json", "junit"):
                complain(broken[name], form)
            continue
        tried = _tried(made, only)
        for verdict in [*tried, *(one for one in claimed(made) if only is None or only in one.case.name)]:
            verdicts.append((made.program.name, verdict))
            _say(verdicts[-1], form, verbose)
    failed = [one for _, one in verdicts if one.failures]
    skipped = [one for _, one in verdicts if one.skipped]
    bent = [one for _, one in verdicts if one.bent]
    match form:
        case "json":
            told = [_data(name, one) for name, one in verdicts] + [
                _unread(name, errors) for name, errors in broken.items()
            ]
            click.echo(json.dumps(told, ensure_ascii=False, indent=1))
        case "junit":
            click.echo(_junit(verdicts, [one for errors in broken.values() for one in errors]), nl=False)
        case "text" | "concise":
            passed = len(verdicts) - len(failed) - len(skipped) - len(bent)
            parts = [
                f"{passed} passed" if verdicts or not broken else "",
                f"{len(failed)} failed" if failed else "",
                _otherwise(len(bent)),
                f"{len(skipped)} left open" if skipped else "",
                summary(sum(map(len, broken.values())), "error") if broken else "",
            ]
            said = ", ".join(filter(None, parts)) if verdicts or broken else "no cases"
            click.echo(said, err=bool(failed or broken) or not verdicts)
    if broken or failed:
        raise click.exceptions.Exit(1)
    raise click.exceptions.Exit(0 if verdicts else 2)


def _tried(made: Loaded, only: str | None) -> list[Verdict]:
    """The verdicts on the cases of a ruleset without errors."""
    assert made.program is not None and made.world is not None
    trial = Trial(Game(made.program, made.world))
    cases = [case for case in cases_of(made.world.cases) if only is None or only in case.name]
    tried = [trial.run(case) for case in progress(cases, made.program.name)]
    return under_layers(tried, made.merged) if made.merged is not None and only is None else tried


def _update(names: list[str], layers: tuple[str, ...], only: str | None, yes: bool) -> None:
    """Show what would make failing cases pass, and write it if that is wanted."""
    texts: dict[Source, str] = {}
    for name in names:
        made = loaded(name, layers=layers)
        if not made.problems.errors and made.program is not None:
            for source, edits in edits_for(_tried(made, only), made.merged).items():
                texts[source] = updated(source, edits)
    for source, text in texts.items():
        click.echo(difference(source, text))
    if not texts or not (yes or (sys.stdin.isatty() and click.confirm("Write this?"))):
        if texts and not yes:
            click.echo("nothing is written; `--yes` writes it", err=True)
        return
    for source, text in texts.items():
        files.write_whole(source.name, text)


def _otherwise(bent: int) -> str:
    if bent == 1:
        return "1 differs from the base as expected"
    return f"{bent} differ from the base as expected" if bent else ""


def _say(one: tuple[str, Verdict], form: str, verbose: bool) -> None:
    name, verdict = one
    if form == "github":
        report(verdict.failures, form, sys.stdout)
    if form in ("text", "concise"):
        for failure in verdict.failures:
            text = as_text(failure, painter(sys.stderr)) if form == "text" else f"{failure}"
            click.echo(text, err=True, color=True)
        if verbose:
            state = "failed" if verdict.failures else "left open" if verdict.skipped else "passed"
            click.echo(f"{name}: {verdict.case.name}: {state}")


def _data(name: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "ruleset": name,
        "case": verdict.case.name,
        "rules": list(verdict.case.rules),
        "line": verdict.case.span.line,
        "passed": not verdict.failures and not verdict.skipped,
        "skipped": verdict.skipped is not None,
        "failures": [as_data(failure) for failure in verdict.failures],
    }


def _unread(name: str, errors: list[Diagnostic]) -> dict[str, Any]:
    """A ruleset whose cases were not run, in the form of a failed case without a name."""
    return {
        "ruleset": name,
        "case": None,
        "rules": [],
        "line": None,
        "passed": False,
        "skipped": False,
        "failures": [as_data(one) for one in errors],
    }


def _junit(verdicts: list[tuple[str, Verdict]], errors: list[Diagnostic]) -> str:
    from xml.sax.saxutils import escape, quoteattr

    lines = []
    for name, one in verdicts:
        body = "".join(
            f"<failure type={quoteattr(f.code)} message={quoteattr(f.message)}>{escape(str(f))}</failure>"
            for f in one.failures
        ) + ("<skipped/>" if one.skipped else "")
        lines.append(f"  <testcase classname={quoteattr(name)} name={quoteattr(one.case.name)}>{body}</testcase>\n")
    lines.append(junit_cases(errors))
    many, failures = len(verdicts) + len(errors), sum(bool(one.failures) for _, one in verdicts) + len(errors)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<testsuite name="houserule" tests="{many}" failures="{failures}">\n{"".join(lines)}</testsuite>\n'
    )

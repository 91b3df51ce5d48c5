"""`houserule test`: run the cases beside the rules."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import click

from interpreter import pipeline
from interpreter.cli import parameters
from interpreter.cli.junit import JunitCase, JunitSuite, checked_cases, junit
from interpreter.cli.report import as_data, as_text, complain, report, summary
from interpreter.cli.rulesets import found, loaded, touched_by
from interpreter.cli.terminal import painter, progress
from interpreter.diagnostics import Diagnostic, RulesetError
from interpreter.diagnostics.edits import difference, updated
from interpreter.diagnostics.source import Source
from interpreter.frozen import dataclass
from interpreter.pipeline import Loaded, Reader
from interpreter.syntax import files
from interpreter.testing.cases import Verdict
from interpreter.testing.suite import Suite
from interpreter.testing.updates import edits_for


@dataclass(frozen=True)
class _Tested:
    """What came of a ruleset, `file`: the verdicts on its tests, or the errors for which none was run."""

    file: str
    name: str
    verdicts: tuple[Verdict, ...] = ()
    errors: tuple[Diagnostic, ...] = ()

    @property
    def failed(self) -> bool:
        return bool(self.errors) or any(one.failures for one in self.verdicts)


@click.command("test")
@click.argument("rulesets", nargs=-1, required=True)
@parameters.house_rules("each ruleset")
@click.option("--case", "only", help="Only cases whose name contains this.")
@parameters.output_format("text", "concise", "json", "github", "sarif", "junit")
@click.option("--verbose", "-v", is_flag=True, help="Name every case.")
@parameters.changed
@click.option("--watch", is_flag=True, help="Go on: test again what changed files touch, until Ctrl-C.")
@click.option("--update", is_flag=True, help="Show what would make failing cases pass, and write it if you agree.")
@click.option("--yes", is_flag=True, help="With --update: write without asking.")
def command(
    rulesets: tuple[str, ...],
    layers: tuple[str, ...],
    only: str | None,
    form: str,
    verbose: bool,
    changed: bool,
    watch: bool,
    update: bool,
    yes: bool,
) -> None:
    """Run the cases of RULESETS, and compare the chances that tables claim with the exact ones.

    Errors in a ruleset are reported as by `check`, and its cases are not run.

    Exit code 0 if all pass, 1 if one fails or a ruleset has errors, 2 if no case has the words of `--case`.
    """
    if watch:
        if changed or update or "-" in rulesets or form not in ("text", "concise"):
            raise click.UsageError("`--watch` is for people who change files: it goes with `--case`, `--with` and `-v`")
        raise click.exceptions.Exit(_watch(rulesets, layers, only, form, verbose))
    names = touched_by(rulesets) if changed else list(found(rulesets))
    if update:
        _update(names, layers, only, yes)
    told: list[_Tested] = []
    for name in names:
        told.append(_tested(name, layers, only))
        _say(told[-1], form, verbose)
    _sum_up(told, form, only)
    if any(one.failed for one in told):
        raise click.exceptions.Exit(1)
    raise click.exceptions.Exit(2 if only is not None and not any(one.verdicts for one in told) else 0)


def _tested(name: str, layers: tuple[str, ...], only: str | None, read: Reader = pipeline.read) -> _Tested:
    made = loaded(name, layers=layers, read=read)
    if made.problems.errors or made.program is None or made.world is None:
        return _Tested(name, name, errors=tuple(made.problems.errors))
    return _Tested(name, made.program.name, tuple(_verdicts(made, only)))


def _verdicts(made: Loaded, only: str | None) -> Iterator[Verdict]:
    """The verdicts on the tests of a ruleset without errors, without the names under `differs` that are right."""
    tests = [one for one in Suite(made) if only is None or only in one.case.name]
    for test in progress(tests, made.program.name if made.program is not None else ""):
        verdict = test.run()
        if verdict.failures or not test.is_listing:
            yield verdict


def _update(names: list[str], layers: tuple[str, ...], only: str | None, yes: bool) -> None:
    """Show what would make failing cases pass, and write it if that is wanted."""
    texts: dict[Source, str] = {}
    for name in names:
        made = loaded(name, layers=layers)
        if not made.problems.errors and made.program is not None:
            for source, edits in edits_for(_verdicts(made, only), made.merged).items():
                texts[source] = updated(source, edits)
    ask = not yes and sys.stdin.isatty()
    for source, text in texts.items():
        for line in difference(source, text).splitlines():
            click.echo(painter(sys.stdout)(line, _PATCH.get(line[:1], "none")), color=True)
        if yes or (ask and click.confirm(f"Write this to {source.name}?")):
            files.write_whole(source.name, text)
        elif not ask:
            click.echo("nothing is written; `--yes` writes it", err=True)


_PATCH = {"+": "green", "-": "red", "@": "cyan"}
"""The colour of a line of a patch, by its first sign."""


# While working ---------------------------------------------------------------------------------------------------


def _watch(rulesets: tuple[str, ...], layers: tuple[str, ...], only: str | None, form: str, verbose: bool) -> int:
    """Test rulesets, and again what changed files touch, until somebody presses Ctrl-C; the last exit code."""
    from interpreter.cli.watching import EVERY, NotingReader, listed

    told: dict[str, _Tested] = {}
    readers: dict[str, NotingReader] = {}
    folders = [Path(one) for one in rulesets if files.is_folder(Path(one))]
    try:
        while True:
            there = listed(folders)
            names = _found_now(rulesets, told)
            told = {name: told[name] for name in names if name in told}
            readers = {name: readers[name] for name in told}
            for name in names:
                if name not in told or readers[name].is_stale():
                    readers[name] = NotingReader()
                    told[name] = _tested_now(name, layers, only, readers[name])
            if sys.stdout.isatty():
                click.echo("\x1b[H\x1b[2J\x1b[3J", nl=False, color=True)  # an empty screen, and nothing above it
            for one in told.values():
                _say(one, form, verbose)
            _sum_up([*told.values()], form, only)
            watched = {path for one in readers.values() for path in one.read}
            click.echo(f"watching {summary(len(watched), 'file')}; Ctrl-C ends")
            while listed(folders) == there and not any(one.is_stale() for one in readers.values()):
                Event().wait(EVERY)
    except KeyboardInterrupt:
        click.echo()
        return 1 if any(one.failed for one in told.values()) else 0


def _found_now(rulesets: tuple[str, ...], before: Iterable[str]) -> list[str]:
    """The rulesets that names mean now; those of before while there are none, as when a file is being replaced."""
    try:
        return list(found(rulesets))
    except RulesetError:
        if not before:
            raise
        return list(before)


def _tested_now(name: str, layers: tuple[str, ...], only: str | None, read: Reader) -> _Tested:
    """What comes of a ruleset, also if a file of it is just not there."""
    try:
        return _tested(name, layers, only, read)
    except RulesetError as error:
        return _Tested(name, name, errors=tuple(error.diagnostics))


# What is told ----------------------------------------------------------------------------------------------------


def _say(tested: _Tested, form: str, verbose: bool) -> None:
    """Tell what came of a ruleset, where that is told as it comes."""
    if form == "github":
        report([*tested.errors, *(failure for one in tested.verdicts for failure in one.failures)], form, sys.stdout)
    if form not in ("text", "concise"):
        return
    if tested.errors:
        complain(tested.errors, form)
    for verdict in tested.verdicts:
        for failure in (*verdict.failures, *([verdict.skipped] if verdict.skipped else [])):
            text = as_text(failure, painter(sys.stderr)) if form == "text" else f"{failure}"
            click.echo(text, err=True, color=True)
        if verbose:
            state = "failed" if verdict.failures else "left open" if verdict.skipped else "passed"
            click.echo(f"{tested.name}: {verdict.case.name}: {state}")


def _sum_up(told: list[_Tested], form: str, only: str | None) -> None:
    """Tell what came of all rulesets together."""
    errors = [one for tested in told for one in tested.errors]
    match form:
        case "json":
            data = [_data(one.name, verdict) for one in told for verdict in one.verdicts]
            data += [_unread(one.name, one.errors) for one in told if one.errors]
            click.echo(json.dumps(data, ensure_ascii=False, indent=1))
        case "sarif":
            failures = [failure for one in told for verdict in one.verdicts for failure in verdict.failures]
            report([*errors, *failures], form, sys.stdout)
        case "junit":
            click.echo(junit([JunitSuite(one.file, one.name, _junit_cases(one)) for one in told]), nl=False)
        case "text" | "concise":
            failed = any(one.failed for one in told)
            click.echo(_summary(told, only), err=failed or not any(one.verdicts for one in told))


def _summary(told: list[_Tested], only: str | None) -> str:
    """`3 passed, 1 failed`."""
    verdicts = [verdict for one in told for verdict in one.verdicts]
    broken = [one for tested in told for one in tested.errors]
    failed = sum(bool(one.failures) for one in verdicts)
    skipped = sum(one.skipped is not None for one in verdicts)
    bent = sum(one.bent for one in verdicts)
    if not verdicts and not broken:
        return "no cases" if only is None else f"no case has `{only}` in its name"
    parts = [
        f"{len(verdicts) - failed - skipped - bent} passed" if verdicts or not broken else "",
        f"{failed} failed" if failed else "",
        _otherwise(bent),
        f"{skipped} left open" if skipped else "",
        summary(len(broken), "error") if broken else "",
    ]
    return ", ".join(filter(None, parts))


def _otherwise(bent: int) -> str:
    if bent == 1:
        return "1 differs from the base as expected"
    return f"{bent} differ from the base as expected" if bent else ""


def _data(name: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "ruleset": name,
        "case": verdict.case.name,
        "rules": list(verdict.case.rules),
        "line": verdict.case.span.line,
        "passed": not verdict.failures and not verdict.skipped,
        "skipped": verdict.skipped is not None,
        "failures": [as_data(failure) for failure in verdict.failures],
    } | ({"why": as_data(verdict.skipped)} if verdict.skipped is not None else {})


def _unread(name: str, errors: Iterable[Diagnostic]) -> dict[str, Any]:
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


def _junit_cases(tested: _Tested) -> list[JunitCase]:
    """The cases of a ruleset; first, that it has no errors."""
    cases = [JunitCase(one.case.name, one.failures, one.skipped) for one in tested.verdicts]
    return [*checked_cases(tested.errors), *cases]

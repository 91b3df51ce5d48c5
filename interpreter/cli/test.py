"""`houserule test`: run the cases beside the rules."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import field
from pathlib import Path
from threading import Event
from typing import Any

import click

from interpreter import pipeline
from interpreter.cli import parameters
from interpreter.cli.junit import JunitCase, JunitSuite, checked_cases, junit_document
from interpreter.cli.report import count_in_words, report_on_stderr, write_diagnostics
from interpreter.cli.rulesets import load, rulesets_named, rulesets_reading
from interpreter.cli.terminal import clear_screen, echo, painter, with_progress_bar
from interpreter.diagnostics import FAILS_BELOW, Diagnostic, RulesetError, flatten_consequences
from interpreter.diagnostics.edits import apply_edits, difference
from interpreter.diagnostics.source import Source
from interpreter.frozen import dataclass
from interpreter.pipeline import Reader
from interpreter.report.problem_data import problem_data
from interpreter.shown_text import in_json
from interpreter.syntax import files
from interpreter.testing.cases import Verdict
from interpreter.testing.layered import LayeredCases, Standing, gather_problems
from interpreter.testing.suite import Suite
from interpreter.testing.updates import edits_for


@dataclass(frozen=True)
class _Tested:
    """What came of a ruleset, `file`: the verdicts on its tests, or the errors for which none was run."""

    file: str
    name: str
    verdicts: tuple[Verdict, ...] = ()
    errors: tuple[Diagnostic, ...] = ()
    layered: LayeredCases | None = None
    standings: tuple[Standing, ...] = ()

    @property
    def has_failed(self) -> bool:
        return bool(self.errors) or any(one.failures for one in self.verdicts)

    def problems(self, every: bool) -> list[Diagnostic]:
        """What is wrong, each cause once; with `every`, also what follows from it."""
        all_problems = [*self.errors, *gather_problems(self.verdicts, self.layered)]
        return list(flatten_consequences(all_problems)) if every else all_problems


@dataclass(frozen=True)
class _Shown:
    """How much is told, and in which form. `said` are the errors that were told of a ruleset before."""

    form: str
    verbose: bool
    listing: bool
    every: bool
    said: set[tuple[str, str, int, str]] = field(default_factory=set)

    def not_shown_yet(self, problems: Iterable[Diagnostic]) -> list[Diagnostic]:
        """The problems that have not been told yet: a slip in a base is no other one under each of its house rules."""
        if self.every:
            return list(problems)
        by_key = {(one.code, one.path, one.span.start, one.message): one for one in problems}
        fresh = [one for key, one in by_key.items() if key not in self.said]
        self.said.update(by_key)
        return fresh


@click.command("test")
@click.argument("rulesets", nargs=-1, required=True)
@parameters.house_rules("each ruleset")
@click.option("--case", "only", help="Only cases whose name contains this.")
@parameters.output_format("text", "concise", "json", "github", "sarif", "junit")
@click.option("--verbose", "-v", is_flag=True, help="Name every case.")
@click.option("--list", "listing", is_flag=True, help="Name the cases that each entry of `differs` stands for.")
@click.option("--all", "every", is_flag=True, help="Tell everything that follows from one cause, not only how much.")
@click.option("--strict", is_flag=True, help="Fail on notes: cases that differ as others that are listed by name do.")
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
    listing: bool,
    every: bool,
    strict: bool,
    changed: bool,
    watch: bool,
    update: bool,
    yes: bool,
) -> None:
    """Run the cases of RULESETS, and compare the chances that tables claim with the exact ones.

    Errors in a ruleset are reported as by `check`, and its cases are not run. Cases of the base that come out otherwise
    under a house rule are told once for each rule that they play.

    Exit code 0 if all pass, 1 if one fails or a ruleset has errors, 2 if no case has the words of `--case`.
    """
    if watch:
        if changed or update or "-" in rulesets or form not in ("text", "concise"):
            raise click.UsageError("`--watch` is for people who change files: it goes with `--case`, `--with` and `-v`")
        raise click.exceptions.Exit(_watch_files(rulesets, layers, only, _Shown(form, verbose, listing, every)))
    names = rulesets_reading(rulesets) if changed else list(rulesets_named(rulesets))
    if update:
        _update_cases(names, layers, only, yes)
    results: list[_Tested] = []
    shown = _Shown(form, verbose, listing, every)
    for name in names:
        results.append(_run_cases(name, layers, only))
        _print_result(results[-1], shown)
    _sum_up(results, shown, only)
    if any(one.has_failed or (strict and any(case.note for case in one.verdicts)) for one in results):
        raise click.exceptions.Exit(1)
    raise click.exceptions.Exit(2 if only is not None and not any(one.verdicts for one in results) else 0)


def _run_cases(name: str, layers: tuple[str, ...], only: str | None, read: Reader = pipeline.read) -> _Tested:
    loaded = load(name, layers=layers, read=read)
    if loaded.problems.errors or loaded.program is None or loaded.world is None:
        return _Tested(name, name, errors=tuple(loaded.problems.errors))
    suite = Suite(loaded)
    verdicts = tuple(_verdicts(suite, loaded.program.name, only))
    standings = tuple(suite.standings()) if only is None else ()
    return _Tested(name, loaded.program.name, verdicts, (), suite.layered, standings)


def _verdicts(suite: Suite, name: str, only: str | None) -> Iterator[Verdict]:
    """The verdicts on the tests of a ruleset, without the entries of `differs` that are right."""
    tests = [one for one in suite if only is None or only in one.case.name]
    for test in with_progress_bar(tests, name):
        verdict = test.run()
        if verdict.failures or not test.is_listing:
            yield verdict


def _update_cases(names: list[str], layers: tuple[str, ...], only: str | None, yes: bool) -> None:
    """Show what would make failing cases pass, and write it if that is wanted."""
    texts: dict[Source, str] = {}
    for name in names:
        loaded = load(name, layers=layers)
        if not loaded.problems.errors and loaded.program is not None:
            suite = Suite(loaded)
            for source, edits in edits_for(_verdicts(suite, loaded.program.name, only), suite.layered).items():
                texts[source] = apply_edits(source, edits)
    ask = not yes and sys.stdin.isatty()
    for source, text in texts.items():
        for line in difference(source, text).splitlines():
            echo(painter(sys.stdout)(line, _PATCH.get(line[:1], "none")), color=True)
        if yes or (ask and click.confirm(f"Write this to {source.name}?")):
            files.write_whole(source.name, text)
        elif not ask:
            echo("nothing is written; `--yes` writes it", err=True)


_PATCH = {"+": "green", "-": "red", "@": "cyan"}
"""The colour of a line of a patch, by its first sign."""


# While working ---------------------------------------------------------------------------------------------------


def _watch_files(rulesets: tuple[str, ...], layers: tuple[str, ...], only: str | None, shown: _Shown) -> int:
    """Test rulesets, and again what changed files touch, until somebody presses Ctrl-C; the last exit code."""
    from interpreter.cli.watching import EVERY, NotingReader, yaml_files

    results: dict[str, _Tested] = {}
    readers: dict[str, NotingReader] = {}
    folders = [Path(one) for one in rulesets if files.is_folder(Path(one))]
    try:
        while True:
            there = yaml_files(folders)
            names = _rulesets_now(rulesets, results)
            results = {name: results[name] for name in names if name in results}
            readers = {name: readers[name] for name in results}
            for name in names:
                if name not in results or readers[name].is_stale():
                    readers[name] = NotingReader()
                    results[name] = _test_if_readable(name, layers, only, readers[name])
            if sys.stdout.isatty():
                clear_screen()
            shown.said.clear()
            for one in results.values():
                _print_result(one, shown)
            _sum_up([*results.values()], shown, only)
            watched = {path for one in readers.values() for path in one.read}
            echo(f"watching {count_in_words(len(watched), 'file')}; Ctrl-C ends")
            while yaml_files(folders) == there and not any(one.is_stale() for one in readers.values()):
                Event().wait(EVERY)
    except KeyboardInterrupt:
        echo()
        return 1 if any(one.has_failed for one in results.values()) else 0


def _rulesets_now(rulesets: tuple[str, ...], before: Iterable[str]) -> list[str]:
    """The rulesets that names mean now; those of before while there are none, as when a file is being replaced."""
    try:
        return list(rulesets_named(rulesets))
    except RulesetError:
        if not before:
            raise
        return list(before)


def _test_if_readable(name: str, layers: tuple[str, ...], only: str | None, read: Reader) -> _Tested:
    """What comes of a ruleset, also if a file of it is just not there."""
    try:
        return _run_cases(name, layers, only, read)
    except RulesetError as error:
        return _Tested(name, name, errors=tuple(error.diagnostics))


# What is told ----------------------------------------------------------------------------------------------------


def _print_result(tested: _Tested, shown: _Shown) -> None:
    """Tell what came of a ruleset, where that is told as it comes."""
    if shown.form == "github":
        write_diagnostics(shown.not_shown_yet(tested.problems(shown.every)), shown.form, sys.stdout)
    if shown.form not in ("text", "concise"):
        return
    left_open = [one.skipped for one in tested.verdicts if one.skipped is not None and one.skipped.code != FAILS_BELOW]
    report_on_stderr(shown.not_shown_yet([*tested.problems(shown.every), *left_open]), shown.form)
    for one in tested.standings:
        if one.is_path or shown.listing:
            echo(f"{tested.name}: {_standing_line(one)}")
        for state, cases in (("differs", one.differ), ("holds", one.hold)) if shown.listing else ():
            for title in dict.fromkeys(case.title for case in cases):
                echo(f"  {state}: {title}")
    for verdict in tested.verdicts if shown.verbose else ():
        state = "failed" if verdict.failures else "left open" if verdict.skipped else "passed"
        echo(f"{tested.name}: {verdict.case.name}: {state}")


def _standing_line(one: Standing) -> str:
    """`mechanics.move: 10 of 14 differ`."""
    return f"{one.listed}: {len(one.differ)} of {len(one.differ) + len(one.hold)} differ"


def _sum_up(results: list[_Tested], shown: _Shown, only: str | None) -> None:
    """Tell what came of all rulesets together."""
    match shown.form:
        case "json":
            data = [_verdict_data(one.name, verdict) for one in results for verdict in one.verdicts]
            data += [_data_of_unread_ruleset(one.name, one.errors) for one in results if one.errors]
            echo(in_json(data, indent=1))
        case "sarif":
            write_diagnostics(
                shown.not_shown_yet(problem for one in results for problem in one.problems(shown.every)),
                "sarif",
                sys.stdout,
            )
        case "junit":
            echo(junit_document([JunitSuite(one.file, one.name, _junit_cases(one)) for one in results]), nl=False)
        case "text" | "concise":
            failed = any(one.has_failed for one in results)
            echo(_summary(results, only), err=failed or not any(one.verdicts for one in results))


def _summary(results: list[_Tested], only: str | None) -> str:
    """`3 passed, 1 failed`."""
    verdicts = [verdict for one in results for verdict in one.verdicts]
    broken = {(one.code, one.path, one.span.start, one.message) for tested in results for one in tested.errors}
    failed = sum(bool(one.failures) for one in verdicts)
    below = sum(one.skipped is not None and one.skipped.code == FAILS_BELOW for one in verdicts)
    skipped = sum(one.skipped is not None for one in verdicts) - below
    bent = sum(one.bent for one in verdicts)
    if not verdicts and not broken:
        return "no cases" if only is None else f"no case has `{only}` in its name"
    parts = [
        f"{len(verdicts) - failed - skipped - below - bent} passed" if verdicts or not broken else "",
        f"{failed} failed" if failed else "",
        _differing_in_words(bent),
        f"{skipped} left open" if skipped else "",
        f"{count_in_words(below, 'case')} of the base {'fails' if below == 1 else 'fail'} there already"
        if below
        else "",
        count_in_words(len(broken), "error") if broken else "",
    ]
    return ", ".join(filter(None, parts))


def _differing_in_words(bent: int) -> str:
    if bent == 1:
        return "1 differs from the base as expected"
    return f"{bent} differ from the base as expected" if bent else ""


def _verdict_data(name: str, verdict: Verdict) -> dict[str, Any]:
    return {
        "ruleset": name,
        "case": verdict.case.name,
        "rules": list(verdict.case.rules),
        "line": verdict.case.span.line,
        "passed": not verdict.failures and not verdict.skipped,
        "skipped": verdict.skipped is not None,
        "failures": [problem_data(failure) for failure in verdict.failures],
    } | ({"why": problem_data(verdict.skipped)} if verdict.skipped is not None else {})


def _data_of_unread_ruleset(name: str, errors: Iterable[Diagnostic]) -> dict[str, Any]:
    """A ruleset whose cases were not run, in the form of a failed case without a name."""
    return {
        "ruleset": name,
        "case": None,
        "rules": [],
        "line": None,
        "passed": False,
        "skipped": False,
        "failures": [problem_data(one) for one in errors],
    }


def _junit_cases(tested: _Tested) -> list[JunitCase]:
    """The cases of a ruleset; first, that it has no errors."""
    cases = [JunitCase(one.case.name, one.failures, one.skipped) for one in tested.verdicts]
    return [*checked_cases(tested.errors), *cases]

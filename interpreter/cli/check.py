"""`houserule check`: every problem that can be found without playing."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import click

from interpreter import pipeline
from interpreter.budget import metered
from interpreter.cli import parameters
from interpreter.cli.budgets import refusal_of_one
from interpreter.cli.check_cache import make_with_cache
from interpreter.cli.junit import JunitSuite, checked_cases, junit_document
from interpreter.cli.report import FORMATS, count_in_words, write_diagnostics
from interpreter.cli.rulesets import load, read_stdin, rulesets_named, rulesets_reading, scene_files_in_folders
from interpreter.cli.terminal import echo
from interpreter.diagnostics import (
    BudgetExceeded,
    Diagnostic,
    RulesetError,
    flatten_consequences,
    with_house_rules_over,
)
from interpreter.diagnostics.source import Source
from interpreter.pipeline import Loaded
from interpreter.syntax import files
from interpreter.syntax.document import USUAL, Mapping


def _all_problems(loaded: Loaded) -> list[Diagnostic]:
    """The same as `testing.problems.all_problems`, which imports the engine of odds, and that is slow."""
    if loaded.program is not None and loaded.program.claims:
        from interpreter.testing.problems import all_problems

        return all_problems(loaded)
    problems = list(loaded.problems)
    if _has_typical(loaded):
        from interpreter.testing import typical

        problems += typical.problems_of_typical_inputs(loaded)
    if loaded.program is not None and loaded.program.kinds:
        from interpreter.api.first_state import problems_of_things

        problems += problems_of_things(loaded)
    return problems


def _has_typical(loaded: Loaded) -> bool:
    rules = loaded.world.section("mechanics").values() if loaded.world is not None else ()
    return any(isinstance(one.value, Mapping) and "typical" in one.value for one in rules)


@metered
def _fix_and_list(name: str, form: str) -> None:
    """Fix a ruleset and its parts, and list the fixes; in the formats of programs, on standard error."""
    from interpreter.formatting.fixes import fix_mistakes

    path = pipeline.find_ruleset(name)
    mended = fix_mistakes(pipeline.read(path), path.resolve().parent, (Path.cwd(),))
    for file, text in mended.texts.items():
        before = files.read_bytes(Path(file), file, USUAL.size).decode("utf-8")
        breaks = "\r\n" if "\r\n" in before else "\n"
        mark = "\ufeff" if before.startswith("\ufeff") else ""
        files.write_whole(file, mark + text.replace("\n", breaks))
    for one in mended.fixes:
        echo(f"fixed {one}", err=form not in ("text", "concise"))


@click.command("check")
@click.argument("rulesets", nargs=-1, required=True)
@parameters.house_rules("each ruleset")
@parameters.output_format(*FORMATS, "junit")
@click.option("--stdin-filename", default="<stdin>", help="Name of standard input in messages.")
@parameters.changed
@click.option("--campaign", metavar="FOLDER", help="Check scene files as the next scene of this campaign.")
@click.option("--fix", is_flag=True, help="First write what can mean one thing alone as it is meant.")
@click.option("--all", "every", is_flag=True, help="Tell everything that follows from one cause, not only how much.")
@click.option("--quiet", "-q", is_flag=True, help="Print nothing if there are no errors.")
def command(
    rulesets: tuple[str, ...],
    layers: tuple[str, ...],
    form: str,
    stdin_filename: str,
    changed: bool,
    campaign: str | None,
    fix: bool,
    every: bool,
    quiet: bool,
) -> None:
    """Check RULESETS: names, files, folders, or `-` for standard input.

    A file of a scene or of a state is checked against the ruleset that it names with `of`, also in a folder. With
    `--campaign`, whoever is there after the last scene of the campaign is there.

    Chances that tables claim are compared with the exact ones.

    A cause is told once, at its own place, with the number of errors and of house rules that suffer from it.

    With `--fix`, each change of a file is listed; a ruleset has fewer errors after it, and none that it had not.

    Exit code 0 without errors, 1 with errors, 2 if a ruleset cannot be found.
    """
    if campaign is not None and layers:
        raise click.UsageError("a campaign has its own house rules: leave out `--with`")
    if fix and (layers or "-" in rulesets):
        raise click.UsageError("`--fix` mends files, without `--with` and standard input")
    by_ruleset: dict[str, list[Diagnostic]] = {}
    by_scene: set[str] = set()
    named = (
        (*rulesets_named(rulesets), *scene_files_in_folders(rulesets)) if not changed else rulesets_reading(rulesets)
    )
    for name in named:
        source = _source_of(name, stdin_filename)
        shown = name if name != "-" else stdin_filename
        is_scene = source is not None and pipeline.kind_of_text(source.text) == "state"
        if is_scene:
            by_scene.add(shown)
        try:
            if fix and not is_scene:
                _fix_and_list(name, form)
            by_ruleset[shown] = _problems_of_file(name, source, is_scene, layers, campaign)
        except BudgetExceeded as error:
            by_ruleset[shown] = [refusal_of_one(error, source or Source(shown, ""))]
    _drop_told_of_rulesets(by_ruleset, by_scene)
    problems = list(flatten_consequences(one for several in by_ruleset.values() for one in several))
    if not every:
        problems = _merge_repeated(by_ruleset.values())
    errors = _errors(problems)
    if form == "junit":
        suites = [JunitSuite(name, name, checked_cases(_errors(several))) for name, several in by_ruleset.items()]
        echo(junit_document(suites), nl=False)
    elif problems or form not in ("text", "concise"):
        write_diagnostics(problems, form, sys.stdout)
    if form == "text" and (errors or not quiet):
        sound = _files_in_words(len(by_ruleset) - len(by_scene), len(by_scene))
        echo(_summary(len(errors), len(problems) - len(errors), sound), err=bool(errors))
    raise click.exceptions.Exit(1 if errors else 0)


def _summary(errors: int, warnings: int, files: str) -> str:
    """How many problems there are in the files."""
    said = count_in_words(errors, "error") if errors else f"{files}, no errors"
    return said + (f", {count_in_words(warnings, 'warning')}" if warnings else "")


def _source_of(name: str, stdin_filename: str) -> Source | None:
    """The text of a file; None for one that cannot be read as text, which loading it tells."""
    if name == "-":
        return read_stdin(stdin_filename)
    with suppress(RulesetError):
        return pipeline.read(pipeline.find_ruleset(name))
    return None


def _drop_told_of_rulesets(by_file: dict[str, list[Diagnostic]], scenes: set[str]) -> None:
    """Leave out of scene files the errors of their rulesets that are told of the ruleset, or of another scene."""
    told = {str(one) for name, several in by_file.items() if name not in scenes for one in several}
    for name in by_file:
        if name in scenes:
            by_file[name] = [one for one in by_file[name] if str(one) not in told]
            told |= {str(one) for one in by_file[name]}


@metered
def _problems_of_file(
    name: str, source: Source | None, is_scene: bool, layers: tuple[str, ...], campaign: str | None
) -> list[Diagnostic]:
    """The problems of a ruleset or a scene file. Raises BudgetExceeded if it takes more than a file may."""
    if source is None or not is_scene:
        return _problems_of_ruleset(name, source, layers)
    return _problems_of_scene(name, source, layers) if campaign is None else _problems_in(campaign, name, source)


def _problems_of_ruleset(name: str, source: Source | None, layers: tuple[str, ...]) -> list[Diagnostic]:
    """The problems of a ruleset, or those that another command has found in the same files."""
    if name == "-" and source is not None:
        roots, over = (Path.cwd(),), [pipeline.origin_of_layer(one) for one in layers]
        return _all_problems(pipeline.from_text(source, pipeline.Finder(roots), over))
    return make_with_cache(
        "check",
        (name, *layers),
        lambda reader: _all_problems(load(name, layers=layers, read=reader)),
        lambda problems: not _errors(problems),
    )


def _problems_of_scene(name: str, source: Source, layers: tuple[str, ...]) -> list[Diagnostic]:
    from interpreter.api.scene_problems import problems_of_text

    folder = Path.cwd() if name == "-" else Path(name).resolve().parent
    return problems_of_text(source, folder, over=[pipeline.origin_of_layer(one) for one in layers])


def _problems_in(campaign: str, name: str, source: Source) -> list[Diagnostic]:
    """The problems of a scene file as the next scene of a campaign, under its rules and after its last scene."""
    from interpreter.api import scene_file
    from interpreter.api.scene_problems import problems_in_game
    from interpreter.cli.campaigns import check_is_for, open_campaign
    from interpreter.cli.states import state_left_by

    opened = open_campaign(campaign)
    try:
        file = scene_file.from_text(source, Path.cwd() if name == "-" else Path(name).resolve().parent)
        check_is_for(opened, file)
    except RulesetError as error:
        return error.diagnostics
    before = state_left_by(opened.playing, str(opened.now))[0] if opened.now.exists() else None
    return problems_in_game(file, opened.playing, before)


def _files_in_words(rulesets: int, scenes: int) -> str:
    counts = ((rulesets, "ruleset"), (scenes, "scene file"))
    return " and ".join(count_in_words(number, what) for number, what in counts if number) or "0 rulesets"


def _merge_repeated(groups: Iterable[Sequence[Diagnostic]]) -> list[Diagnostic]:
    """The problems of rulesets, those of a base once, with the number of house rules that have them too."""
    same: dict[tuple[str, str, int, str], list[Diagnostic]] = {}
    for group in groups:
        for one in group:
            same.setdefault((one.code, one.path, one.span.start, one.message), []).append(one)
    return [with_house_rules_over(one, others) for one, *others in same.values()]


def _errors(problems: list[Diagnostic]) -> list[Diagnostic]:
    return [one for one in problems if one.severity == "error"]

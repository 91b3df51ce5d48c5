"""`houserule fmt`: the files of rulesets in the one layout."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import click

from interpreter import diagnostics as say
from interpreter import pipeline
from interpreter.cli.budgets import refusal_of_one
from interpreter.cli.report import count_in_words, report_on_stderr
from interpreter.cli.terminal import echo
from interpreter.diagnostics import BudgetExceeded, Diagnostic, RulesetError
from interpreter.diagnostics.source import Source, Span
from interpreter.formatting.proof import format_text, have_same_program
from interpreter.frozen import dataclass
from interpreter.syntax import document, files
from interpreter.syntax.document import USUAL, Mapping, Scalar


@dataclass(frozen=True)
class _File:
    """A file, or standard input without a `path`: its text as it is, as it is read, and as it should be."""

    path: Path | None
    written: str
    source: Source
    new: str
    root: document.Node

    @property
    def changes(self) -> bool:
        return self.new != self.written


@click.command("fmt")
@click.argument("paths", nargs=-1, required=True, metavar="FILES...")
@click.option("--check", is_flag=True, help="Write nothing; only say which files would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show the lines that would change.")
@click.option("--changed", is_flag=True, help="The files named have changed: leave alone those that hold no rules.")
@click.option("--stdin-filename", default="<stdin>", help="Name of standard input in messages.")
def command(paths: tuple[str, ...], check: bool, diff: bool, changed: bool, stdin_filename: str) -> None:
    """Lay FILES out in the one way: files, folders with all YAML files in them, or `-` for standard input.

    Only white space, line breaks, quotes and braces change. A file is written only if what it says is proved to stay
    the same, with every comment.

    Exit code 0 if all is well, 1 if `--check` or `--diff` finds files that would change, 2 if a file cannot be laid
    out.
    """
    ready: list[_File] = []
    wrong: list[Diagnostic] = []
    named = [one for one in _files_named(paths) if not changed or (one is not None and _holds_rules(one))]
    for path in named:
        try:
            ready.append(_read_and_lay_out(path, stdin_filename))
        except RulesetError as error:
            wrong += error.diagnostics
    wrong += _problems_of_changed_programs(ready)
    refused = {one.span.source for one in wrong}
    ready = [one for one in ready if one.source not in refused]
    new = [one for one in ready if one.changes]
    report_on_stderr(wrong)
    for one in new if diff else []:
        echo(_difference(one), nl=False)
    if not check and not diff:
        _write(ready)
    for one in new if check and not diff else []:
        echo(f"would change: {one.source.name}")
    _sum_up(new, ready, check or diff, len({one.path for one in wrong}))
    raise click.exceptions.Exit(2 if wrong else 1 if new and (check or diff) else 0)


def _files_named(paths: Iterable[str]) -> Iterator[Path | None]:
    """Every file that arguments mean, once; None is standard input. Hidden files and folders are left alone."""
    seen: set[Path | None] = set()
    for name in paths:
        for path in [None] if name == "-" else _files_inside(Path(name), name):
            if path not in seen:
                seen.add(path)
                yield path


def _holds_rules(path: Path) -> bool:
    """Whether a file is a ruleset, a part of one or a scene."""
    try:
        return pipeline.kind_of_text(pipeline.read(path).text) is not None
    except RulesetError:  # what cannot be read is no text
        return False


def _files_inside(path: Path, name: str) -> list[Path]:
    if files.is_file(path):
        return [path]
    if not files.is_folder(path):
        raise RulesetError(say.cannot_read(files.short_name(name), "there is no such file or folder"))
    paths = [
        one
        for ending in pipeline.ENDINGS
        for one in path.rglob(f"*{ending}")
        if not any(part.startswith(".") for part in one.relative_to(path).parts)
        and files.file_inside(path, str(one.relative_to(path))) is not None
    ]
    if not paths:
        raise RulesetError(say.cannot_read(files.short_name(name), "there is no YAML file in this folder"))
    return sorted(paths)


def _read_and_lay_out(path: Path | None, stdin_filename: str) -> _File:
    """A file with its new text. Raises RulesetError if it cannot be read, is no sound YAML, or takes too much."""
    if path is None:
        name, data = stdin_filename, sys.stdin.buffer.read(USUAL.size + 1)
    else:
        name = pipeline.path_in_messages(path)
        data = files.read_bytes(path, name, USUAL.size)
    source = pipeline.decode(data, name)
    try:
        new, root = format_text(source)
    except BudgetExceeded as error:
        raise RulesetError(refusal_of_one(error, source)) from None
    return _File(path, data.decode("utf-8"), source, new, root)


def _problems_of_changed_programs(ready: list[_File]) -> Iterator[Diagnostic]:
    """A problem for each changed file of a ruleset whose program would not stay the same, or takes too much to tell."""
    texts = {one.source.name: one.new for one in ready}
    said: dict[Source, Callable[[Span], Diagnostic] | None] = {}
    for one in (file for file in ready if file.changes):
        folder = one.path.resolve().parent if one.path is not None else Path.cwd()
        ruleset = _ruleset_of(one, folder)
        if ruleset is None:
            continue
        if ruleset not in said:
            said[ruleset] = _problem_of_program(ruleset, folder, texts)
        if (problem := said[ruleset]) is not None:
            yield problem(Span(one.source, 0, 0))


def _problem_of_program(ruleset: Source, folder: Path, texts: dict[str, str]) -> Callable[[Span], Diagnostic] | None:
    """What keeps the files of a ruleset from being written with other texts, or None if nothing does."""
    try:
        same = have_same_program(ruleset, folder, (Path.cwd(),), texts)
    except BudgetExceeded as error:
        refusal = refusal_of_one(error, ruleset)
        return lambda span: replace(refusal, span=span)
    return None if same else say.layout_not_proved


def _ruleset_of(file: _File, folder: Path) -> Source | None:
    """The file of the ruleset that a file is, or is a part of; None for a scene file and a part that lies alone."""
    if not isinstance(file.root, Mapping):
        return None
    if "ruleset" in file.root:
        return file.source
    name = file.root.get("part_of")
    path = files.file_inside(folder, f"{name.text}.yaml") if isinstance(name, Scalar) else None
    return pipeline.read(path) if path is not None else None


def _difference(file: _File) -> str:
    """The lines that change, as a patch."""
    before, after = (text.splitlines(keepends=True) for text in (file.written, file.new))
    lines = difflib.unified_diff(before, after, file.source.name, file.source.name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _write(ready: list[_File]) -> None:
    for one in ready:
        if one.path is None:
            echo(one.new, nl=False)
        elif one.changes:
            files.write_whole(str(one.path), one.new)


def _sum_up(changed: list[_File], ready: list[_File], only_said: bool, wrong: int) -> None:
    shown = [one for one in ready if one.path is not None or only_said]
    if not shown and not wrong:
        return
    would = "would change" if only_said else "changed"
    parts = [
        f"{count_in_words(len(changed), 'file')} {would}" if changed and shown else "",
        f"{count_in_words(len(ready) - len(changed), 'file')} as it should be" if len(ready) > len(changed) else "",
        f"{count_in_words(wrong, 'file')} left alone" if wrong else "",
    ]
    echo(", ".join(filter(None, parts)), err=True)

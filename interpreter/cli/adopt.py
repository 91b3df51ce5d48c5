"""`houserule adopt`: take up saves under rules that have changed, and decide what no longer fits."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import Any

import click

from interpreter import diagnostics as say
from interpreter.api.adopt import Adopted
from interpreter.api.game import Game
from interpreter.api.journal import session_in
from interpreter.cli import parameters
from interpreter.cli.campaign_lock import campaign_lock
from interpreter.cli.campaigns import open_campaign
from interpreter.cli.report import count_in_words
from interpreter.cli.rulesets import load_game
from interpreter.cli.states import json_object, read_text
from interpreter.cli.terminal import echo, painter
from interpreter.diagnostics import HouseruleError, RulesetError
from interpreter.frozen import dataclass
from interpreter.saves.header import is_save
from interpreter.saves.plan import things_in, values_about
from interpreter.shown_text import in_json
from interpreter.syntax import files

OPEN, UNREADABLE = 1, 2
"""The exit codes where something must be decided, and where a save cannot be taken up at all."""


@click.command("adopt")
@click.argument("ruleset")
@click.argument("saves", nargs=-1, metavar="SAVE...")
@click.option("--renamed", multiple=True, metavar="OLD=NEW", help="A new name: `ship.sail=canvas`, `ship=vessel`.")
@click.option("--set", "values", multiple=True, metavar="PLACE=VALUE", help="A value: `ann.flag=2`.")
@click.option("--all", "proposals", is_flag=True, help="Take the nearest bound or the initial value.")
@click.option("--out", metavar="FILE", help="Write the one SAVE as it is under the rules of now to this new file.")
@click.option("--write", is_flag=True, help="Write each save back; as it was, it stays beside with `.old` at its end.")
@parameters.house_rules()
@parameters.ruleset_options()
@parameters.output_format("text", "json")
def command(
    ruleset: str,
    saves: tuple[str, ...],
    renamed: tuple[str, ...],
    values: tuple[str, ...],
    proposals: bool,
    out: str | None,
    write: bool,
    layers: tuple[str, ...],
    options: tuple[str, ...],
    form: str,
) -> None:
    """Say what it takes to take up each SAVE, a state, a session or a result, under RULESET as it is now.

    RULESET may be the folder of a campaign, which has its own rules and house rules; without a SAVE, its saves are
    meant. A folder stands for the saves in it. Nothing is written without `--out` or `--write`, and no value is lost or
    changed without a decision. A session that is over stays as it was played. The exit code is 1 while something must
    be decided, and 2 where a save cannot be read.
    """
    is_campaign = files.is_campaign(ruleset)
    if is_campaign and (options or layers):
        raise click.UsageError(f"a campaign has its own rules: write them into `{Path(ruleset) / files.CAMPAIGN}`")
    if not saves and not is_campaign:
        raise click.UsageError("Missing argument 'SAVE...'.")
    playing = open_campaign(ruleset).playing if is_campaign else load_game(ruleset, options, layers)
    saves = saves or (ruleset,)
    found = [path for one in saves for path in _files_of(one)]
    if out is not None and len(found) != 1:
        raise click.UsageError("`--out` writes one save; name just one")
    renames = dict(_pair(one, "--renamed", "OLD=NEW, such as `ship.sail=canvas`") for one in renamed)
    given = dict(_pair(one, "--set", "PLACE=VALUE, such as `ann.flag=2`") for one in values)
    decided = _Decided(renames, given, proposals)
    with campaign_lock(Path(ruleset)) if is_campaign and write else nullcontext():
        raise click.exceptions.Exit(_adopt_each(playing, found, decided, out, write, form))


@dataclass(frozen=True)
class _Decided:
    """What the command line decides: new names, values by place, and whether proposals are taken where nothing is."""

    renames: Mapping[str, str]
    values: Mapping[str, str]
    proposals: bool


def _adopt_each(playing: Game, found: Sequence[str], decided: _Decided, out: str | None, write: bool, form: str) -> int:
    """Adopt each of the saves, and tell what that comes to; the exit code."""
    seen = {name: files.see(name) for name in found}
    read, told = _read_saves(found)
    code = UNREADABLE if told else 0
    anywhere = {thing for save in read.values() for thing in things_in(save)}
    for name, save in read.items():
        if save.get("over"):
            told.append({"save": name, "kind": "session", "lines": []})
            if form == "text":
                echo(f"{name}: a session that is over, and stays as it was played")
            continue
        try:
            here = values_about(decided.values, things_in(save), anywhere)
            adopted = playing.adopt(save, renamed=decided.renames, values=here, proposals=decided.proposals)
        except HouseruleError as error:
            if len(found) == 1:
                raise
            told.append({"save": name, "problem": str(error)})
            code = UNREADABLE
            continue
        told.append({"save": name, "kind": adopted.kind, "lines": [one.to_data() for one in adopted.lines]})
        code = max(code, OPEN if adopted.decisions else 0)
        if form == "text":
            echo("\n".join(_report(name, adopted)))
        if out is not None and not adopted.decisions:
            _write_new(playing, adopted, out)
        if write and adopted.lines and not adopted.decisions:
            old = _write_back(playing, adopted, name, seen[name])
            if form == "text":
                echo(f"  written; as it was, it is in {old}")
    if form == "json":
        echo(in_json(told, indent=1))
    elif any("problem" in one for one in told):
        echo("\n".join(f"{one['save']}: {one['problem']}" for one in told if "problem" in one), err=True)
    return code


def _files_of(name: str) -> Iterator[str]:
    """A file, or the files with saves in a folder, without those that `--write` has kept as they were."""
    path = Path(name)
    if not files.is_folder(path):
        yield name
        return
    for file in sorted(path.rglob("*")):
        kept = file.is_symlink() or file.name.endswith(".old")
        if not kept and b'"houserule"' in files.beginning(file, 200):
            yield str(file)


def _read_saves(names: Sequence[str]) -> tuple[dict[str, Mapping[str, Any]], list[dict[str, Any]]]:
    """The data of saves by their names, and what is told of those that cannot be read. Raises RulesetError if that is
    the only one."""
    read, told = {}, []
    for name in names:
        try:
            read[name] = _read_save(name)
        except HouseruleError as error:
            if len(names) == 1:
                raise
            told.append({"save": name, "problem": str(error)})
    return read, told


def _read_save(name: str) -> Mapping[str, Any]:
    """The data of a save or of a journal. Raises RulesetError where the file is neither."""
    text = read_text(name)
    save = session_in(text) or json_object(text)
    if save is None or not is_save(save):
        raise RulesetError(say.file_is_no_save(name))
    return save


def _pair(text: str, option: str, form: str) -> tuple[str, str]:
    """What stands before and after the sign `=`. Raises UsageError where one of the two is missing."""
    before, _, after = text.partition("=")
    if not before or not after:
        raise click.UsageError(f"`{option}` takes {form}, not `{text}`")
    return before.strip(), after.strip()


def _report(name: str, adopted: Adopted) -> Iterator[str]:
    paint = painter(sys.stdout)
    if not adopted.lines:
        yield f"{name}: a {adopted.kind}, and nothing that it uses has changed"
        return
    yield f"{name}: a {adopted.kind}"
    for one in adopted.lines:
        yield f"  {paint('decide', 'bold') if one.open else 'told  '}  {one.text}" + (
            f"   {one.way}" if one.way else ""
        )
    if adopted.decisions:
        yield f"{count_in_words(len(adopted.decisions), 'decision')} open; nothing was written"


def _write_new(playing: Game, adopted: Adopted, out: str) -> None:
    """Write what a save has become to a file that is not there yet."""
    if Path(out).exists():
        raise RulesetError(say.file_is_there(out))
    files.write_whole(out, _text_of(playing, adopted), files.NOTHING)


def _write_back(playing: Game, adopted: Adopted, name: str, seen: str) -> str:
    """Write what a save has become in its place, and keep it as it was beside, in a file of a new name; that name.
    Raises RulesetError where the save is not what was `seen` any more."""
    names = (f"{name}{f'.{number}' if number > 1 else ''}.old" for number in count(1))
    old = next(one for one in names if not Path(one).exists())
    files.write_whole(old, read_text(name), files.NOTHING)
    files.write_whole(name, _text_of(playing, adopted), seen)
    return old


def _text_of(playing: Game, adopted: Adopted) -> str:
    if adopted.state is not None:
        return playing.to_json(adopted.state) + "\n"
    played = adopted.session or adopted.result
    return (played.to_json(with_rules=True) if played is not None else "") + "\n"

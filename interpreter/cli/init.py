"""`houserule init`: first files of a game, of a house rule and of a scene, to change as one likes."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from interpreter import bundled, pipeline
from interpreter import diagnostics as say
from interpreter.cli.rulesets import load_game as loaded_game
from interpreter.cli.rulesets import load_playable
from interpreter.cli.terminal import echo
from interpreter.diagnostics import RulesetError
from interpreter.pipeline import ENDINGS, path_in_messages
from interpreter.starters.new_file import NewFile, write
from interpreter.syntax.document import Node
from interpreter.syntax.schema import is_file_name


@click.group("init")
def command() -> None:
    """Make a first game, house rule or scene: a file without errors that plays at once, with cases that pass.

    \b
    houserule init game night-market
    houserule init game our-moves --from pbta
    houserule init rule bold-moves --over pbta
    houserule init scene last-stand --over fiend-wake

    NAME is the name of the file, without its ending, and may lie in a folder. No file is overwritten.
    """


@command.command("game")
@click.argument("name")
@click.option("--from", "base", metavar="RULESET", help="Copy this one, bundled or not, into a folder of the new name.")
def game(name: str, base: str | None) -> None:
    """Make a game: one mechanic with two cases, or a copy of a bundled game."""
    from interpreter.starters import game as starter

    path = _path_for_name(name)
    if base is None:
        files = starter.small_game(path)
        plays = f"roll {_shell_word(path)} {starter.MECHANIC} skill=2"
        asks = f"odds {_shell_word(path)} {starter.MECHANIC} skill=2"
        _write(files, [(plays, "play it"), (asks, "its exact odds"), (f"test {_shell_word(path)}", "run its cases")])
        return
    folder = path.with_suffix("")
    files = starter.copy_game(_main_file(base), folder)
    _write(
        files,
        [(f"list {_shell_word(folder)}", "what there is to play"), (f"test {_shell_word(folder)}", "run its cases")],
    )


@command.command("rule")
@click.argument("name")
@click.option("--over", "base", metavar="RULESET", required=True, help="The ruleset that it changes.")
def rule(name: str, base: str) -> None:
    """Make a house rule over a ruleset: one change, and a case that shows it.

    The change is an example: a number or a ruling of the base that one of its cases notices.
    """
    from interpreter.starters.house_rule import house_rule

    file = _main_file(base)
    path, called = _place_over(name, base, file)
    _refuse_existing(path)
    new_file = house_rule(load_playable(base), path, called)
    if new_file is None:
        raise click.ClickException(f"no case of `{base}` would notice a change, so write a case of it first")
    typed, change = _shell_word(path), new_file.change
    subject = new_file.case.text("mechanic")
    given = "".join(f" {shlex.quote(f'{name}={_one_line(value)}')}" for name, value in new_file.case.inputs.items())
    asks = f"compare {shlex.quote(base)} {subject}{given} --with {typed}"
    compare = [(asks, "what it does to the odds")] if subject and "before" not in new_file.case.node else []
    _write([new_file.file], [(f"test {typed}", "run its cases, and those of its base"), *compare])
    echo(f"\nIt changes {change.path} from `{change.was}` to `{change.now}`: an example to replace.")


@command.command("scene")
@click.argument("name")
@click.option("--over", "base", metavar="RULESET", required=True, help="The game, or one of its scenes to copy.")
def scene(name: str, base: str) -> None:
    """Make a scene file: who takes part in a scene, and who answers for whom.

    It is a copy of a scene that comes with the game, or the smallest scene that its rules allow.
    """
    from interpreter.starters import scene as starter

    model = bundled.scenes().get(base)
    ruleset = model.parent.parent.name if model is not None else base
    file = _main_file(ruleset)
    path, called = _place_over(name, ruleset, file)
    _refuse_existing(path)
    playing = loaded_game(ruleset)
    model = model or starter.shortest_beside(file)
    new_file = (
        starter.copy_scene(model, path, called) if model is not None else starter.smallest_scene(playing, path, called)
    )
    if new_file is None:
        raise RulesetError(say.no_scene_to_begin(ruleset, list(playing.program.scenes), _rulesets_with_scenes()))
    typed = f"{shlex.quote(ruleset)} {_shell_word(path)}"
    _write([new_file], [(f"play {typed}", "play it at the terminal"),
                   (f"simulate {typed} --policy random", "how it usually ends")])  # fmt: skip


def _one_line(value: Node) -> str:
    """An input of a case as it is typed in a shell."""
    return " ".join(value.span.text.split())


def _rulesets_with_scenes() -> list[str]:
    """The bundled rulesets that come with scenes."""
    return sorted({path.parent.parent.name for path in bundled.scenes().values()})


def _path_for_name(name: str) -> Path:
    """The file of a name, with its ending. Raises UsageError for what is no name of a ruleset."""
    path = Path(name)
    path = path if path.suffix in ENDINGS else path.with_name(f"{path.name}.yaml") if path.name else path
    if not is_file_name(path.stem):
        raise click.UsageError(f"`{path.stem}` is no name: write letters, digits, `-` and `_`, as in `night-market`")
    return path


def _main_file(ruleset: str) -> Path:
    """The main file of a ruleset. Raises RulesetError if there is none."""
    return pipeline.find_ruleset(ruleset)


def _place_over(name: str, ruleset: str, file: Path) -> tuple[Path, str]:
    """Where a file over a ruleset goes, and how it names that: beside it, or anywhere over a bundled one."""
    path = _path_for_name(name)
    if file in (bundled.rulesets() | bundled.house_rules()).values():
        return path, file.stem
    there = path if path.parent != Path() else file.parent / path
    if there.resolve().parent != file.resolve().parent:
        raise click.UsageError(
            f"a file over `{ruleset}` must lie beside it: write `{path_in_messages(file.parent / path.name)}`"
        )
    return there, file.name


def _refuse_existing(path: Path) -> None:
    """Raises RulesetError at once if a file is there, before anything is worked out."""
    if path.exists():
        raise RulesetError(say.is_there_already(path_in_messages(path)))


def _shell_word(path: Path) -> str:
    return shlex.quote(path_in_messages(path))


def _write(files: Sequence[NewFile], further: Sequence[tuple[str, str]]) -> None:
    """Write files, and say what was made and what to type next."""
    write(files)
    echo("\n".join(f"made {path_in_messages(file.path)}" for file in files))
    width = max(len(line) for line, _ in further)
    echo("\n".join(["", *(f"  houserule {line:<{width}}   {what}" for line, what in further)]))

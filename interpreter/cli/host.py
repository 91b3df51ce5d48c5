"""`houserule host`: serve sessions to another program; each call and each reply is a line of JSON."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from interpreter.api import scene_file
from interpreter.api.playable_scene import PlayableScene, scene_of
from interpreter.budget import Budget
from interpreter.cli import parameters
from interpreter.cli.rulesets import load_game, scene_named
from interpreter.host.lines import serve, serve_in_processes


@click.command("host")
@click.argument("ruleset")
@click.argument("scenes", nargs=-1, metavar="[SCENE]...")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Keep the sessions in N processes that the system limits.",
)
@parameters.changed_rules
def command(
    ruleset: str,
    scenes: tuple[str, ...],
    workers: int | None,
    layers: tuple[str, ...],
    options: tuple[str, ...],
    allow: tuple[str, ...],
) -> None:
    """Play RULESET for another program: each line on standard input is a call, and each line on standard output its
    reply. The page on embedding lists the calls.

    Each SCENE is a scene file of RULESET that calls may begin by its name. One that comes with the ruleset may be given
    by its name alone.

    With --workers, a call may take a second and 256 MB, and what takes more ends alone; replies come in the order of
    the calls of each session, so give your calls a `tag`.
    """
    with_traceback = bool(click.get_current_context().find_root().params.get("traceback"))
    playing = load_game(ruleset, options, layers, allow=allow)
    files = [Path(scene_named(ruleset, name)) for name in scenes]
    playable_scenes = [_load_scene(ruleset, scene_file.read(file), options, layers, allow) for file in files]
    streams = sys.stdin.buffer, sys.stdout.buffer
    if workers is None:
        serve(playing, *streams, with_traceback, playable_scenes)
    else:
        serve_in_processes(workers, Budget.strict, playing, *streams, with_traceback, playable_scenes)


def _load_scene(
    ruleset: str,
    file: scene_file.SceneFile,
    options: tuple[str, ...],
    layers: tuple[str, ...],
    allow: tuple[str, ...],
) -> PlayableScene:
    """The scene of a file, under the house rules and options of the file and those of the command."""
    return scene_of(file, load_game(ruleset, options, layers, file, allow))

"""Rulesets named on a command line: bundled names, files, folders, `-` for standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter import bundled as library
from interpreter import diagnostics as say
from interpreter import pipeline
from interpreter.cli.check_cache import make_with_cache
from interpreter.cli.report import report_on_stderr
from interpreter.diagnostics import RulesetError
from interpreter.diagnostics.source import Source, Span
from interpreter.pipeline import FileOrigin, Loaded
from interpreter.saves.header import kind_of_save
from interpreter.syntax import files
from interpreter.syntax.document import USUAL, Node, Scalar, parse
from interpreter.syntax.file_head import has_key
from interpreter.syntax.json_text import NotJson, read_json
from interpreter.syntax.names import normalize

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.api.scene_file import SceneFile
    from interpreter.layers.merge import Merged


def load(
    name: str,
    stdin_filename: str = "<stdin>",
    layers: tuple[str, ...] = (),
    below: Sequence[FileOrigin] = (),
    to_play: bool = False,
    read: pipeline.Reader = pipeline.read,
) -> Loaded:
    """The ruleset of a name, file, folder or `-`, with layers over it. Raises RulesetError if there is none.

    It has no warnings if it is loaded only `to_play`: see `pipeline.from_path`. `read` gives the text of its files.
    """
    roots = (Path.cwd(),)
    over = [*below, *(pipeline.origin_of_layer(layer, read) for layer in layers)]
    if name == "-":
        return pipeline.from_text(read_stdin(stdin_filename), pipeline.Finder(roots), over)
    return pipeline.from_path(pipeline.find_ruleset(name), roots, over, to_play, read)


def _load_to_play(name: str, layers: tuple[str, ...], below: Sequence[FileOrigin]) -> Loaded:
    """A ruleset to play, or the same that another command has checked."""
    if below or name == "-":
        return load(name, layers=layers, below=below, to_play=True)
    return make_with_cache(
        "play",
        (name, *layers),
        lambda reader: _to_keep(load(name, layers=layers, to_play=True, read=reader)),
        lambda loaded: loaded.program is not None and not loaded.problems.errors,
    )


def _to_keep(loaded: Loaded) -> Loaded:
    """A loaded ruleset without what only an editor reads; and without its files, if no house rule lies over them."""
    world = replace(loaded.world, references={}, reach={}) if loaded.world is not None else None
    layered = loaded.merged is not None and loaded.merged.layers
    return replace(loaded, world=world, merged=loaded.merged if layered else None)


def read_stdin(name: str) -> Source:
    """The text of standard input, which messages call by a name."""
    return pipeline.decode(sys.stdin.buffer.read(USUAL.size + 1), name)


def is_ruleset_name(name: str) -> bool:
    """Whether a name is one of a ruleset, of a file or a folder, or `-`."""
    path = Path(name)
    known = name in library.rulesets() or name in library.house_rules()
    return name == "-" or known or path.suffix != "" or len(path.parts) > 1 or files.is_file(path) or _is_ruleset(path)


def _is_ruleset(folder: Path) -> bool:
    return files.is_folder(folder) and files.file_inside(folder, f"{folder.name}.yaml") is not None


def load_playable(
    name: str, layers: tuple[str, ...] = (), below: Sequence[FileOrigin] = (), to_play: bool = False
) -> Loaded:
    """A ruleset without errors; errors are reported, with exit code 1."""
    loaded = _load_to_play(name, layers, below) if to_play else load(name, layers=layers, below=below)
    if loaded.problems.errors or loaded.program is None or loaded.world is None:
        report_on_stderr(loaded.problems.errors)
        raise click.exceptions.Exit(1)
    return loaded


def load_game(
    name: str,
    options: tuple[str, ...] = (),
    layers: tuple[str, ...] = (),
    file: SceneFile | None = None,
    allow: tuple[str, ...] = (),
) -> Game:
    """The game of a ruleset, with the layers and options of a scene `file` if given; errors are reported, with exit
    code 1. `allow` names requirements of kinds that things need not meet."""
    from interpreter.api.game import Game

    if file is None:
        loaded = load_playable(name, layers, to_play=True)
    else:
        from interpreter.api import scene_file

        loaded = load_playable(name, layers, scene_file.layers_of(file), to_play=True)
        scene_file.check_ruleset(file, loaded)
    assert loaded.program is not None and loaded.world is not None
    chosen = {**(file.options if file is not None else {}), **parse_assignments(options)}
    return Game(loaded.program, loaded.world, chosen).allowing(allow)


def changes_of(name: str, layers: tuple[str, ...]) -> Merged | None:
    """The files of a ruleset and its layers, with the changes that these make."""
    return load_playable(name, layers, to_play=True).merged if layers else None


def rulesets_named(names: tuple[str, ...]) -> Iterator[str]:
    """Every ruleset that names mean; a folder that is not a ruleset means all rulesets in it."""
    bundled = {**library.rulesets(), **library.house_rules()}
    for name in names:
        path = Path(name)
        if name == "-" or files.is_file(path) or (name in bundled and not files.is_folder(path)):
            yield name
        elif files.is_folder(path):
            inside = list(_rulesets_inside(path))
            if files.is_campaign(name):
                raise RulesetError(say.campaign_as_ruleset(name))
            if not inside:
                raise RulesetError(say.no_ruleset(name, bundled))
            yield from inside
        else:
            raise RulesetError(say.no_ruleset(name, bundled))


def rulesets_reading(names: tuple[str, ...]) -> list[str]:
    """The rulesets below the working folder that are read from one of these files; those in hidden folders are not
    looked at."""
    changed = {Path(name).resolve() for name in names}
    roots = (Path.cwd(),)
    inside = [one for one in _rulesets_inside(Path()) if not any(part.startswith(".") for part in Path(one).parts)]
    return [one for one in inside if pipeline.files_of(Path(one), roots) & changed]


def scene_files_in_folders(names: tuple[str, ...]) -> Iterator[str]:
    """The scene files in the folders among some names."""
    for name in names:
        if files.is_folder(Path(name)):
            yield from _files_inside(Path(name), "state")


def _rulesets_inside(folder: Path) -> Iterator[str]:
    yield from _files_inside(folder, "ruleset")


def _files_inside(folder: Path, key: str) -> Iterator[str]:
    """The YAML files in a folder that have a key at the left margin, without those that a link leads out to.

    Raises RulesetError where one cannot be read: a folder with such a file is none without errors.
    """
    for file in sorted([*folder.rglob("*.yaml"), *folder.rglob("*.yml")]):
        if files.file_inside(folder, str(file.relative_to(folder))) is None:
            continue
        files.read_bytes(file, str(file), 0)
        if has_key(file, key):
            yield str(file)


def scene_named(ruleset: str, name: str) -> str:
    """The scene file that comes with a ruleset, if it is given by its name alone; otherwise the same name.

    Raises RulesetError if there is neither a file nor a scene of that name.
    """
    from interpreter.api import scene_file

    if scene_file.is_path(name) or ruleset == "-":
        return name
    there = scenes_beside(ruleset)
    if name not in there:
        raise RulesetError(say.no_scene_file(name, ruleset, there))
    return str(there[name])


def command_for(name: str) -> str:
    """What to do with a file, or a ruleset, that is no scene, and is no save that can be played alone."""
    if not Path(name).exists():
        known = name in {**library.rulesets(), **library.house_rules()}
        return f"`houserule list {name}` lists its scenes" if known else f"there is no file `{name}`"
    if files.is_file(Path(name)) and name.endswith(".json"):
        with suppress(NotJson):
            use = say.use_of_save(kind_of_save(read_json(files.read_saved(name))), name)
            return use or f"`{name}` is no save; `houserule act RULESET {name}` takes a file of things"
    return f"`houserule list {name}` lists its scenes, if it is a ruleset"


def scenes_beside(ruleset: str) -> dict[str, Path]:
    """The scene files that come with a ruleset, by the name alone; none with standard input."""
    if ruleset == "-":
        return {}
    folder = pipeline.find_ruleset(ruleset).parent
    there = [*sorted(folder.glob("*.yaml")), *sorted((folder / "scenes").glob("*.yaml"))]
    return {one.stem: one for one in there if has_key(one, "state")}


def ruleset_of_scene(name: str) -> str | None:
    """The ruleset that a scene file names with `of`, as a command line names it; None if `name` is no scene file.

    Raises RulesetError, at that line, if there is no such ruleset.
    """
    from interpreter.api import scene_file

    file = Path(name)
    if not (name.endswith(scene_file.ENDINGS) and files.is_file(file) and has_key(file, "state")):
        return None
    return scene_file.ruleset_of(scene_file.read(file))


def parse_assignments(written: tuple[str, ...]) -> dict[str, Node]:
    """`name=value` words as trees; a dotted name (`against.quality=expert`) reaches into a record."""
    from interpreter.api.decode import fold_dotted_keys

    return fold_dotted_keys(dict(map(parse_assignment, written)))


def parse_assignment(text: str) -> tuple[str, Node]:
    """The name and the value of `name=value`."""
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise RulesetError(say.bad_assignment(text))
    return name.strip(), parse_value(name.strip(), value)


def parse_value(name: str, text: str) -> Node:
    """A typed value: `[…]` and `{…}` are parsed as YAML, any other text is a scalar."""
    text = normalize(text)
    source = Source.of(name, text)
    if text.strip()[:1] in ("[", "{"):
        problems = say.Problems()
        tree = parse(source, problems)
        if problems.errors or tree is None:
            raise RulesetError(*problems.errors)
        return tree
    return Scalar(text, Span(source, 0, len(source.text)), "" if text else "'")

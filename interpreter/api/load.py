"""Loading for hosts: a ruleset by name, path or text becomes a game, or a list of its problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from os import PathLike
from pathlib import Path
from typing import Any

from interpreter import bundled as bundled_files
from interpreter import diagnostics as say
from interpreter import pipeline
from interpreter.api import arguments
from interpreter.api.game import Game
from interpreter.api.host_texts import Resolve, finder_for
from interpreter.api.journal import session_in
from interpreter.api.scene_problems import problems_of_text
from interpreter.diagnostics import Diagnostic, PlayError, RulesetError
from interpreter.diagnostics.source import Source
from interpreter.pipeline import FileOrigin, Finder, Loaded
from interpreter.saves.header import FORMATS, KEPT, check_header, kind_of_save
from interpreter.syntax import files
from interpreter.syntax.json_text import NotJson, read_json

Path_ = str | PathLike[str]


@arguments.with_checked_arguments
def load(
    ruleset: Path_,
    *,
    options: Mapping[str, Any] | None = None,
    layers: Sequence[Path_] = (),
    roots: Sequence[Path_] = (),
) -> Game:
    """Open whatever ruleset it is told, for scripts: a bundled name, a file or a folder, with `layers` over it.

    A host that is told by others what to load uses `load_bundled`, `load_file` or `loads`. Layers are bundled names or
    files. `roots` are folders that house rules may extend files from. `options` are those of the ruleset.

    Raises RulesetError with every error where the ruleset cannot be played or an option does not fit.
    """
    over = [pipeline.origin_of_layer(str(layer)) for layer in layers]
    return _game(pipeline.from_path(pipeline.find_ruleset(str(ruleset)), _folders(roots), over, to_play=True), options)


@arguments.with_checked_arguments
def load_bundled(name: str, *, options: Mapping[str, Any] | None = None, layers: Sequence[str] = ()) -> Game:
    """The game of a ruleset or a house rule that comes with houserule, with bundled house rules as `layers` over it.

    It opens no other file, whatever the names are. Raises RulesetError as `load` does.
    """
    known = {**bundled_files.rulesets(), **bundled_files.house_rules()}
    paths = []
    for one in (name, *map(str, layers)):
        if one not in known:
            raise RulesetError(say.nothing_bundled(one, known))
        paths.append(known[one])
    over = [FileOrigin(pipeline.read(path), path.parent) for path in paths[1:]]
    return _game(pipeline.from_path(paths[0], over=over, to_play=True), options)


@arguments.with_checked_arguments
def load_file(
    path: Path_,
    *,
    inside: Path_ | None = None,
    options: Mapping[str, Any] | None = None,
    layers: Sequence[Path_] = (),
    roots: Sequence[Path_] = (),
) -> Game:
    """The game of a file, or of a folder, with the files `layers` over it; it is never one of a bundled name.

    With `inside`, paths are those from this folder on, and a file outside of it is refused, also where a link leads
    there: so a path may come from somebody who is not trusted. The file may extend bundled rulesets, and files of its
    own folder and of `roots`. Raises RulesetError as `load` does.
    """
    base, *over = (_file(str(one), inside) for one in (path, *layers))
    origins = [FileOrigin(pipeline.read(one), one.parent) for one in over]
    return _game(pipeline.from_path(base, _folders(roots), origins, to_play=True), options)


def _file(name: str, inside: Path_ | None) -> Path:
    """The file of a path, or the one of the folder's name in a folder. Raises RulesetError where there is none."""
    path = Path(name) if inside is None else Path(inside) / name
    whole = files.resolve(path)
    if whole is not None and files.is_folder(path):
        path = path / f"{whole.name}.yaml"
        whole = files.resolve(path)
    within = None if inside is None else files.resolve(Path(inside))
    if whole is None or not files.is_file(path) or (within is not None and not whole.is_relative_to(within)):
        raise RulesetError(say.not_inside(files.short_name(name), None if inside is None else str(inside)))
    return path if within is None else whole


@arguments.with_checked_arguments
def loads(
    text: str,
    *,
    name: str = "<text>",
    options: Mapping[str, Any] | None = None,
    layers: Sequence[str] = (),
    resolve: Resolve | None = None,
    bundled: bool = True,
    roots: Sequence[Path_] = (),
) -> Game:
    """The game of a ruleset that is text, with `layers` over it; it opens no file but those of bundled rulesets.

    `name` is what messages call it. `resolve` gives the texts that it names: it is called with a `Wanted` and returns a
    text, or None where there is none. A bundled ruleset is meant where `resolve` gives None for its name, and never if
    `bundled` is false. Without `resolve`, a ruleset may extend files of the folders `roots`.

    Raises RulesetError as `load` does, and what `resolve` raises.
    """
    return _game(_load_text(text, name, layers, resolve, bundled, roots), options)


def _load_text(
    text: str, name: str, layers: Sequence[str], resolve: Resolve | None, bundled: bool, roots: Sequence[Path_]
) -> Loaded:
    asks = resolve is not None or not bundled
    if asks and roots:
        raise PlayError(say.either_or("roots", "resolve" if resolve is not None else "bundled=False"))
    finder = finder_for(resolve, bundled) if asks else Finder(_folders(roots))
    place = FileOrigin(Source.of(name, text))
    return pipeline.from_place(place, finder, [finder.base(place, str(layer), "layer") for layer in layers])


@arguments.with_checked_arguments
def load_kept(save: str | Mapping[str, Any]) -> Game:
    """The game of the rules that a save carries, under the options that it was saved with; it opens no file.

    `save` is a state, a session, a result or a journal, as text or data, that was written `with_rules`: so it goes on
    under its own rules, whatever has become of them elsewhere. Raises PlayError for a save without its rules, and
    RulesetError where they cannot be played by this version.
    """
    data = _save_data(save) if isinstance(save, str) else save
    what = kind_of_save(data)
    if what not in FORMATS:
        raise PlayError(say.no_save())
    rules = check_header(what, data)
    if "text" not in rules:
        raise PlayError(say.save_without_rules(what))
    options = data.get("options")
    return loads(rules["text"], name=KEPT, bundled=False, options=options if isinstance(options, Mapping) else {})


def _save_data(text: str) -> Any:
    """The data of a save or of a journal that is text; None if it is neither."""
    session = session_in(text)
    if session is not None:
        return session
    with suppress(NotJson):
        return read_json(text)
    return None


def _folders(roots: Sequence[Path_]) -> tuple[Path, ...]:
    return tuple(Path(root) for root in roots)


@arguments.with_checked_arguments
def check(
    path: Path_,
    *,
    text: str | None = None,
    layers: Sequence[Path_] = (),
    resolve: Resolve | None = None,
    bundled: bool = True,
    roots: Sequence[Path_] = (),
) -> list[Diagnostic]:
    """Every problem of a ruleset that can be found without playing, including warnings; of a scene file, or of one that
    describes a state, its own problems and the errors of its ruleset.

    `path` is a bundled name, a file or a folder; with `text`, it is what messages call that text, and no file is opened
    but those of bundled rulesets. All else is as for `load`, and with a `text` as for `loads`.
    """
    try:
        if text is not None and pipeline.kind_of_text(text) == "state":
            finder = finder_for(resolve, bundled)
            place = FileOrigin(Source.of(str(path), text))
            over = [finder.base(place, str(layer), "layer") for layer in layers]
            return problems_of_text(place.source, finder=finder, over=over)
        if text is not None:
            return list(_load_text(text, str(path), [str(one) for one in layers], resolve, bundled, roots).problems)
        over = [pipeline.origin_of_layer(str(layer)) for layer in layers]
        file = pipeline.find_ruleset(str(path))
        if pipeline.kind_of_text((source := pipeline.read(file)).text) == "state":
            return problems_of_text(source, file.resolve().parent, over=over)
        return list(pipeline.from_path(file, _folders(roots), over).problems)
    except RulesetError as error:
        return error.diagnostics


def _game(loaded: Loaded, options: Mapping[str, Any] | None) -> Game:
    if loaded.problems.errors or loaded.program is None or loaded.world is None:
        raise RulesetError(*loaded.problems.errors)
    try:
        return Game(loaded.program, loaded.world, options)
    except PlayError as error:
        raise RulesetError(*error.diagnostics) from None


def path_of(ruleset: str) -> Path:
    """The path of a ruleset. Raises RulesetError if there is none of that name."""
    return pipeline.find_ruleset(ruleset)

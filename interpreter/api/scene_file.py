"""Scene files: the things of a state, the scene that is played in it, and the players.

    text → document → schema → SceneFile → the state that it begins with

A file without a scene is a state to play other rules in.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping as Names
from collections.abc import Sequence as Several
from os import PathLike
from pathlib import Path
from types import MappingProxyType

from interpreter import bundled, ir, pipeline
from interpreter import diagnostics as say
from interpreter.api.decode import fold_dotted_keys
from interpreter.api.game import Game
from interpreter.api.players import check_players
from interpreter.diagnostics import PlayError, Problems, RulesetError
from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.pipeline import FileOrigin, Finder, Loaded, Naming, Reader
from interpreter.runtime.state import SCENE, State
from interpreter.syntax import document, files, schema
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, entries_of, items_of, text_of, values_of

ENDINGS = pipeline.ENDINGS


@dataclass(frozen=True)
class SceneFile:
    """A scene file as it is written; `players` maps each player to the things and roles that the player answers for.

    `changes` are values of things that are there when the scene begins, by kind, as `things` are.
    `gives` is the place of the inputs of the scene, or else of its name.
    """

    name: str
    title: str
    about: str
    ruleset: Scalar
    layers: tuple[Scalar, ...]
    options: Names[str, Node]
    scene: Scalar | None
    things: tuple[Entry, ...]
    changes: tuple[Entry, ...]
    given: Names[str, Node]
    gives: Span
    players: Names[str, tuple[Scalar, ...]]
    place: FileOrigin


def is_scene_file(tree: Node | None) -> bool:
    """Whether a document is a scene file."""
    return isinstance(tree, Mapping) and isinstance(tree.get("state"), Scalar)


def find_scene_file(name: str | PathLike[str]) -> Path:
    """The file of a name: a path, or the name alone of a bundled scene. Raises RulesetError if there is neither."""
    path, there = Path(name), bundled.scenes()
    if is_path(str(name)):
        return path
    if str(name) not in there:
        raise RulesetError(say.no_scene_file(str(name), None, there))
    return there[str(name)]


def is_path(name: str) -> bool:
    """Whether a name of a scene file is a path, and not the name alone of a scene that comes with a ruleset."""
    path = Path(name)
    return name == "-" or files.is_file(path) or bool(path.suffix) or path.name != name


def read(path: Path) -> SceneFile:
    """The scene of a file. Raises RulesetError with everything that is wrong with its form."""
    return from_text(pipeline.read(path), path.resolve().parent)


def from_text(source: Source, folder: Path | None = None) -> SceneFile:
    """The scene of a text; files that it names are found in `folder`. Raises RulesetError as `read` does."""
    problems = Problems()
    tree = document.parse(source, problems)
    if tree is not None and not problems.errors:
        tree = schema.conform(tree, "state", problems)
        schema.check_file_name(tree, "state", problems)
    if problems.errors or not isinstance(tree, Mapping):
        raise RulesetError(*problems.errors)
    return SceneFile(
        text_of(tree.get("state")),
        text_of(tree.get("title")) or text_of(tree.get("state")).replace("-", " ").replace("_", " ").capitalize(),
        text_of(tree.get("about")),
        _scalars(tree.get("of"))[0],
        _scalars(tree.get("with")),
        values_of(tree.get("options")),
        next(iter(_scalars(tree.get("scene"))), None),
        entries_of(tree.get("things")),
        entries_of(tree.get("changes")),
        fold_dotted_keys(values_of(tree.get("given"))),
        next(tree.by_key[key].key.span for key in ("given", "scene", "state") if key in tree),
        {one.key.text: _scalars(one.value) for one in entries_of(tree.get("players"))},
        FileOrigin(source, folder),
    )


def _scalars(node: Node | None) -> tuple[Scalar, ...]:
    """The single values of a list, or a single value alone."""
    return tuple(one for one in items_of(node) or (node,) if isinstance(one, Scalar))


def things_of(program: ir.Program, file: SceneFile) -> dict[str, Node]:
    """The things of a file by name, each with its kind; one of which there is one has the name of its kind."""
    return {one.key.text: one.value for kind in file.things for one in things_of_kind(program, kind)}


def things_of_kind(program: ir.Program, kind: Entry) -> tuple[Entry, ...]:
    """The things under a kind in a file, each with its name."""
    known = program.kinds.get(kind.key.text)
    if known is not None and known.one:
        return (kind,)
    return tuple(Entry(one.key, _with_kind(kind.key, one.value)) for one in entries_of(kind.value))


def _with_kind(kind: Scalar, node: Node) -> Node:
    """A thing with its kind, in the form of states; a thing without a value has no attributes."""
    if isinstance(node, Scalar) and node.is_empty:
        node = Mapping((), node.span, {})
    if not isinstance(node, Mapping):
        return node
    said = {"is": Entry(Scalar("is", kind.span), kind)}
    return Mapping((said["is"], *node.entries), node.span, {**said, **node.by_key})


# With a game -----------------------------------------------------------------------------------------------------


def layers_of(file: SceneFile, finder: Finder | None = None) -> list[FileOrigin]:
    """The files of the house rules of a scene. Raises RulesetError if one is missing."""
    return [_origin_of(file, one, "layer", finder or finder_of(file)) for one in file.layers]


def names_of_layers(file: SceneFile) -> list[str]:
    """The house rules of a scene, as commands name them: bundled names, and paths of files."""
    known = bundled.house_rules()
    places = zip(file.layers, layers_of(file), strict=True)
    return [one.text if one.text in known else place.source.name for one, place in places]


def finder_of(file: SceneFile, read: Reader = pipeline.read) -> Finder:
    """What finds the files that a scene file names: bundled ones, and those of its own folder."""
    return Finder((file.place.folder,) if file.place.folder else (), read=read)


def _origin_of(file: SceneFile, name: Scalar, what: Naming, finder: Finder) -> FileOrigin:
    """The file of a ruleset or house rule that a scene file names. Raises RulesetError if it is missing."""
    with say.place_errors_at(name.span):
        return finder.base(file.place, name.text, what)


def ruleset_of(file: SceneFile) -> str:
    """The ruleset of a scene: its bundled name, or the path of its file. Raises RulesetError if it is missing."""
    place = _origin_of(file, file.ruleset, "ruleset", finder_of(file))
    return file.ruleset.text if bundled.is_ruleset(place.folder) else place.source.name


def check_ruleset(file: SceneFile, loaded: Loaded) -> None:
    """Raises RulesetError if a scene is for another ruleset."""
    bases = [one.name for one in loaded.merged.below] if loaded.merged is not None else []
    names = {*bases, loaded.program.name if loaded.program is not None else ""}
    if loaded.merged is not None:  # a ruleset may lie in a file of another name
        names |= {
            Path(source.name).stem
            for one in (*loaded.merged.bases, *loaded.merged.layers)
            for source in one.sources[:1]
        }
    if file.ruleset.text not in names and Path(file.ruleset.text).stem not in names:
        name = loaded.program.name if loaded.program is not None else ""
        raise RulesetError(say.for_another_ruleset(file.ruleset.span, file.ruleset.text, name))


def load_ruleset(file: SceneFile, finder: Finder | None = None, over: Several[FileOrigin] = ()) -> Loaded:
    """The ruleset of a scene with its house rules, as `finder` finds them, and others `over` these.

    Raises RulesetError if a file is missing.
    """
    finder = finder or finder_of(file)
    layers = [*layers_of(file, finder), *over]
    return pipeline.from_place(_origin_of(file, file.ruleset, "ruleset", finder), finder, layers)


def game_of(file: SceneFile, finder: Finder | None = None) -> Game:
    """The game of a scene, with its house rules and options; `finder` finds the files that it names.

    Raises RulesetError with everything that is wrong with the ruleset, PlayError for options that do not fit.
    """
    loaded = load_ruleset(file, finder)
    if loaded.problems.errors or loaded.program is None or loaded.world is None:
        raise RulesetError(*loaded.problems.errors)
    return Game(loaded.program, loaded.world, file.options)


def path_of_scene(file: SceneFile) -> str:
    """The path of the scene that is played. Raises RulesetError where the file names none."""
    if file.scene is None:
        raise RulesetError(say.no_scene_named(file.ruleset.span, file.name))
    return f"scenes.{file.scene.text}"


def inputs_of(
    game: Game, file: SceneFile, more: Names[str, Node] = MappingProxyType({}), later: Collection[str] = ()
) -> dict[str, Node]:
    """The inputs of the scene, with `more` from the command line; the inputs `later` are given afterwards.

    Raises PlayError if an input is missing, unless the scene is under way and has its inputs already.
    """
    inputs = {**file.given, **more}
    scene = game.program.scenes.get(file.scene.text) if file.scene is not None else None
    if scene is None or SCENE in things_of(game.program, file):
        return inputs
    for one in scene.rule.inputs:
        if one.required and one.name not in inputs and one.name not in later:
            raise PlayError(say.missing_given(file.gives, one.name, scene.rule.name, one.about))
    return inputs


def state_of(game: Game, file: SceneFile, before: State | None = None) -> State:
    """The state that a scene file describes: with a state `before`, that one and the things that are not there yet.

    What the file changes is changed, whether the thing was there before or not. Raises PlayError if a value or a player
    does not fit.
    """
    if file.scene is not None and file.scene.text not in game.program.scenes:
        raise PlayError(say.unknown_of(file.scene.span, "scene", file.scene.text, game.program.scenes))
    things = things_of(game.program, file)
    if before is None:
        state, _ = game.state_of(things)
    else:
        state = game.with_things(before, {name: node for name, node in things.items() if name not in before.things})
    state = with_changes(game, state, file.changes)
    places = {(player, one.text): one.span for player, ones in file.players.items() for one in ones}
    check_players(players_of(file), state.things, game.program.roles, places)
    return state


def with_changes(game: Game, state: State, changes: Several[Entry]) -> State:
    """A state with the values that a scene file changes, by kind.

    Raises PlayError for a thing that is not there or of another kind, and for a value that does not fit.
    """
    written = {}
    for kind in changes:
        known = [one for one in game.program.kinds if one != SCENE]
        if kind.key.text not in known:
            raise PlayError(say.unknown_of(kind.key.span, "kind", kind.key.text, known))
        for one in things_of_kind(game.program, kind):
            name = one.key.text
            if name not in state.things:
                raise PlayError(
                    say.nothing_to_change(one.key.span, name, [one for one in state.things if "." not in one])
                )
            if state.things[name].kind != kind.key.text:
                raise PlayError(say.of_another_kind(one.key.span, name, state.things[name].kind))
            written[name] = one.value
    return game.with_things(state, written) if written else state


def players_of(file: SceneFile) -> dict[str, tuple[str, ...]]:
    """Which things and roles each player answers for."""
    return {player: tuple(one.text for one in ones) for player, ones in file.players.items()}

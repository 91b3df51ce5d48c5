"""Every problem of a scene file, or of a file that describes a state, against the ruleset that it names.

    text → SceneFile → its ruleset, house rules and options → its things → the inputs of its scene, its players

Where a later part needs an earlier one that has errors, it is not looked at, so that one slip gives one message.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Several
from dataclasses import replace
from pathlib import Path

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.api.playable_scene import scene_of
from interpreter.api.players import check_players
from interpreter.api.scene_file import SceneFile
from interpreter.checker.things import objects_before
from interpreter.diagnostics import Diagnostic, HouseruleError, PlayError, Problems, RulesetError
from interpreter.diagnostics.source import Source, Span
from interpreter.pipeline import FileOrigin, Finder, Loaded
from interpreter.runtime.state import EMPTY, SCENE, State
from interpreter.syntax.document import OF_A_NODE, Entry, Mapping, Node, entries_of
from interpreter.work_count import spend

MOST_FOUND = 200
"""How many values that do not fit are looked for."""


def problems_of_text(
    source: Source, folder: Path | None = None, finder: Finder | None = None, over: Several[FileOrigin] = ()
) -> list[Diagnostic]:
    """Every problem of a scene file, with the errors of its ruleset; `over` are further house rules.

    Files that it names are found in `folder`, or as `finder` finds them.
    """
    try:
        file = scene_file.from_text(source, folder)
        loaded = scene_file.load_ruleset(file, finder, over)
    except RulesetError as error:
        return error.diagnostics
    return [*problems_of_file(file, loaded), *loaded.problems.errors]


def problems_of_file(file: SceneFile, loaded: Loaded) -> list[Diagnostic]:
    """Every problem of a scene file in a ruleset that is loaded; none where that has errors."""
    if loaded.program is None or loaded.world is None or loaded.problems.errors:
        return []
    return problems_in_game(file, Game(loaded.program, loaded.world))


def problems_in_game(file: SceneFile, game: Game, before: State | None = None) -> list[Diagnostic]:
    """Every problem of a scene file in a game, and in the state that is there `before`, as in a campaign."""
    options = list(_problems_of_options(game, file))
    things = list(_problems_of_things(game, file, before or EMPTY))
    found = [*options, *_problems_of_names(game.program, file), *things]
    if not options and not things:
        game = game.with_options(file.options)
        state, things = _state_and_problems(game, file, before)
        found += things
        if state is not None:
            found += game.unmet_requirements(state, _new_things(game, file, before), before or EMPTY)
            found += _problems_in_state(game, file, state)
    if not found:
        try:
            is_whole = file.scene is not None and before is None
            _ = scene_of(file, game) if is_whole else scene_file.state_of(game, file, before)
        except HouseruleError as error:
            found += error.diagnostics
    unlike = {(one.code, one.span.start, one.message): one for one in found}
    return sorted(unlike.values(), key=lambda one: one.span.start)


def _problems_of_options(game: Game, file: SceneFile) -> Iterator[Diagnostic]:
    for name, node in file.options.items():
        try:
            game.with_options({name: node})
        except PlayError as error:
            yield from error.diagnostics


def _problems_of_names(program: ir.Program, file: SceneFile) -> Iterator[Diagnostic]:
    """The scene and its inputs, by their names."""
    if file.scene is None:
        return
    if file.scene.text not in program.scenes:
        yield say.unknown_of(file.scene.span, "scene", file.scene.text, program.scenes)
        return
    rule = program.scenes[file.scene.text].rule
    declared = {one.name: one for one in rule.inputs}
    for name, node in file.given.items():
        if name not in declared:
            yield say.unknown_input(node.span, name, rule.name, declared)
    if not any(kind.key.text == SCENE for kind in file.things):  # one under way has its inputs
        for one in rule.inputs:
            if one.required and one.name not in file.given:
                yield say.missing_given(file.gives, one.name, rule.name, one.about)


# Things ----------------------------------------------------------------------------------------------------------


def _problems_of_things(game: Game, file: SceneFile, before: State) -> Iterator[Diagnostic]:
    """What is wrong with the names, the attributes and the types of things, without making them."""
    kinds = game.program.kinds
    for kind in file.things:
        if kind.key.text not in kinds and kind.key.text != SCENE:
            yield say.unknown_of(kind.key.span, "kind", kind.key.text, [one for one in kinds if one != SCENE])
    written = [
        (game.program.kinds[kind.key.text], entry)
        for kind in file.things
        if kind.key.text in kinds
        for entry in scene_file.things_of_kind(game.program, kind)
    ]
    spend(OF_A_NODE * len(written))
    flat = [(of, one) for of, one in written if not of.one and not isinstance(one.value, Mapping)]
    for of, one in flat:
        span, has = one.value.span, f"write {', '.join(of.has)}"
        yield say.not_that_type(span, one.key.text, f"a `{of.name}`", span.text, has)
    if flat:
        return
    entries = tuple(one for _, one in written if isinstance(one.value, Mapping))
    world = replace(game.world, problems=Problems(most=None))
    there = {name: held.kind for name, held in before.things.items() if "." not in name}
    new = tuple(one for one in entries if one.key.text not in there)
    objects_before(world, Mapping(new, file.gives, {one.key.text: one for one in new}), there=there)
    yield from world.problems.errors


def _new_things(game: Game, file: SceneFile, before: State | None) -> dict[str, Node]:
    """The things that a file makes: those that are not there before."""
    things = scene_file.things_of(game.program, file)
    return {name: node for name, node in things.items() if before is None or name not in before.things}


def _state_and_problems(game: Game, file: SceneFile, before: State | None) -> tuple[State | None, list[Diagnostic]]:
    """The state of a file, and what is wrong with its values, such as a bound that reads another value.

    A value that does not fit is left out, so that the next one is found.
    """
    things, found = _new_things(game, file, before), list[Diagnostic]()
    for _ in range(MOST_FOUND):
        try:
            state = game.read_things(things, before)[0]
        except PlayError as error:
            left = {name: _without(node, error.diagnostic.span) for name, node in things.items()}
            if left != things or not found:
                found += error.diagnostics
            if left == things:
                return None, found
            things = left
        else:
            return (None if found else state), found
    return None, found


def _without(node: Node, place: Span) -> Node:
    """A thing without its value at a place; the same thing where that is elsewhere."""
    if not isinstance(node, Mapping):
        return node
    for entry in node.entries:
        if entry.key.text in ("is", "like") or not (entry.key.span.holds(place) or entry.value.span.holds(place)):
            continue
        inner = _without(entry.value, place)
        kept = [Entry(one.key, inner) if one is entry else one for one in node.entries]
        if inner is entry.value:
            kept = [one for one in node.entries if one is not entry]
        return Mapping(tuple(kept), node.span, {one.key.text: one for one in kept})
    return node


def _problems_of_changes(game: Game, file: SceneFile, state: State) -> Iterator[Diagnostic]:
    """What is wrong with the values that a file changes, of each thing the first."""
    for kind in file.changes:
        single = kind.key.text in game.program.kinds and game.program.kinds[kind.key.text].one
        alone = () if single else entries_of(kind.value)
        parts = [Entry(kind.key, Mapping((one,), kind.value.span, {one.key.text: one})) for one in alone]
        for one in parts or (kind,):
            try:
                scene_file.with_changes(game, state, (one,))
            except PlayError as error:
                yield from error.diagnostics


def _problems_in_state(game: Game, file: SceneFile, state: State) -> Iterator[Diagnostic]:
    """What is wrong with the inputs of the scene and with the players."""
    scene = game.program.scenes.get(file.scene.text) if file.scene is not None else None
    declared = {one.name for one in scene.rule.inputs} if scene is not None else set()
    for name, node in file.given.items():
        if scene is None or name not in declared:
            continue
        try:
            game.try_input(scene.rule.path, name, node, state)
        except PlayError as error:
            yield from error.diagnostics
    yield from _problems_of_changes(game, file, state)
    places = {(player, one.text): one.span for player, ones in file.players.items() for one in ones}
    first: dict[str, str] = {}
    for player, name in places:
        try:
            check_players(
                {first.setdefault(name, player): (name,), player: (name,)}, state.things, game.program.roles, places
            )
        except PlayError as error:
            yield from error.diagnostics

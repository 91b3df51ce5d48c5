"""A first scene: a copy of one that comes with the game, or the smallest one that the rules allow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from interpreter import ir, pipeline
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.diagnostics import HouseruleError
from interpreter.diagnostics.source import Source
from interpreter.ir import types as t
from interpreter.starters.game import scenes_beside
from interpreter.starters.new_file import NewFile, put_schema_line, title_of

_NAMES = ("ann", "bo", "cy", "dee", "eve", "fay", "gus", "hal")


def shortest_beside(base: Path) -> Path | None:
    """The shortest scene file that comes with a ruleset."""
    return min(scenes_beside(base), key=lambda path: (len(pipeline.read(path).text), path.name), default=None)


def copy_scene(model: Path, path: Path, of: str) -> NewFile:
    """A scene file under a new name; `of` names its ruleset."""
    text = re.sub(r"\A(#.*\n)+", "", pipeline.read(model).text)  # what is said of the model
    for key, value in (("state", path.stem), ("of", of), ("title", title_of(path.stem))):
        text = re.sub(rf"^{key}: .*$", f"{key}: {value}", text, count=1, flags=re.MULTILINE)
    return NewFile(path, put_schema_line(text, "scene"))


def smallest_scene(game: Game, path: Path, of: str) -> NewFile | None:
    """A scene with as few things as the rules allow, each as it is by default; None if no such scene can begin."""
    for scene in game.program.scenes.values():
        for number in (2, 1, 3, 4):
            text = _scene_text(game.program, scene, number, path.stem, of)
            if text is not None and can_be_played(game, text):
                return NewFile(path, put_schema_line(text, "scene"))
    return None


def can_be_played(game: Game, text: str) -> bool:
    """Whether the scene of a text can begin, and asks something or ends."""
    try:
        file = scene_file.from_text(Source.of("scene", text))
        state, players, given = (
            scene_file.state_of(game, file),
            scene_file.players_of(file),
            scene_file.inputs_of(game, file),
        )
        session = game.begin(scene_file.path_of_scene(file), state=state, players=players, seed=1, inputs=given)
    except HouseruleError:
        return False
    return bool(session.host.requests) or session.over


def _scene_text(program: ir.Program, scene: ir.Scene, number: int, name: str, of: str) -> str | None:
    """The text of a scene with so many things in each list; None if an input is no thing."""
    names = iter(_NAMES)
    things: dict[str, list[str]] = {}
    given: dict[str, str] = {}
    for one in scene.rule.inputs:
        if not one.required:
            continue
        new_things = list(_things(one.type, program, number, names))
        if not new_things:
            return None
        kind = new_things[0][0]
        things.setdefault(kind, []).extend(thing for _, thing in new_things)
        called = [thing for _, thing in new_things]
        given[one.name] = f"[{', '.join(called)}]" if isinstance(one.type, t.List) else called[0]
    lines = [f"state: {name}", f"of: {of}", f"title: {title_of(name)}", f"scene: {scene.rule.name}", "things:"]
    for kind, called in things.items():
        lines += [f"  {kind}:", *(f"    {thing}: {{}}" for thing in called)]
    lines += [f"  {name}: {{}}" for name, kind in program.kinds.items() if kind.one and name not in things]
    if given:
        lines += ["given:", *(f"  {name}: {value}" for name, value in given.items())]
    everybody = [thing for called in things.values() for thing in called]
    lines += ["players:", *(f"  player_{place}: [{thing}]" for place, thing in enumerate(everybody, 1))]
    return "\n".join(line for line in lines if line != "things:" or things or lines[-1] != "things:") + "\n"


def _things(kind: t.Type, program: ir.Program, number: int, names: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Things for an input, each with its kind."""
    of = kind.of if isinstance(kind, t.List) else kind
    if isinstance(of, t.Object) and not program.kinds[of.kind].one:
        for _ in range(number if isinstance(kind, t.List) else 1):
            yield of.kind, next(names)

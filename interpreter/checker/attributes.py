"""The kinds of a ruleset, what their objects have, and the objects that every state begins with."""

from __future__ import annotations

from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.world import World
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.once_per import once_per
from interpreter.runtime.state import SCENE
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, entries_of, from_python, value_at


@dataclass(frozen=True, slots=True)
class SceneAttribute:
    """An attribute of scenes: its first declaration with the path and the section, and every scene that declares it.

    The section is `inputs` or `has`.
    """

    entry: Entry
    path: str
    section: str
    scenes: tuple[tuple[str, Entry], ...]


@once_per
def single_kinds(world: World) -> tuple[str, ...]:
    """The kinds with one object, which has the name of its kind."""
    return tuple(name for name, entry in world.section("kinds").items() if _says_yes(entry.value, "one"))


def is_part_kind(world: World, kind: str) -> bool:
    """Whether objects of a kind are parts of others."""
    entry = world.section("kinds").get(kind)
    return entry is not None and _says_yes(entry.value, "part")


@once_per
def scene_attributes(world: World) -> dict[str, SceneAttribute]:
    """The inputs and attributes of scenes, by name."""
    attributes: dict[str, SceneAttribute] = {}
    for scene, entry in world.section("scenes").items():
        node = entry.value
        for key in ("inputs", "has"):
            part = value_at(node, key)
            for one in entries_of(part):
                first = attributes.get(one.key.text) or SceneAttribute(
                    one, f"scenes.{scene}.{key}.{one.key.text}", key, ()
                )
                attributes[one.key.text] = replace(first, scenes=(*first.scenes, (scene, one)))
    return attributes


def path_of_attribute(world: World, kind: str, name: str) -> str:
    """The path of the declaration of an attribute."""
    if kind == SCENE and name in scene_attributes(world):
        return scene_attributes(world)[name].path
    return f"kinds.{kind}.has.{name}"


def scene_lacks(world: World, name: str, scene: str) -> bool:
    """Whether the scene under way may lack an attribute, in steps of `scene`, or outside scenes if it is empty."""
    if name not in scene_attributes(world):
        return False
    having = [one for one, _ in scene_attributes(world)[name].scenes]
    return scene not in having and len(having) < len(world.section("scenes"))


@once_per
def attribute_entries(world: World, kind: str) -> dict[str, Entry]:
    """The entries of the attributes of a kind, by name."""
    if kind == SCENE and world.section("scenes"):
        own = {name: one.entry for name, one in scene_attributes(world).items()}
        number = from_python({"type": "number", "default": "0"}, "round")
        return {**own, "round": Entry(Scalar("round", number.span), number)}
    entry = world.section("kinds").get(kind)
    has = entry.value.get("has") if entry is not None and isinstance(entry.value, Mapping) else None
    return {one.key.text: one for one in has.entries} if isinstance(has, Mapping) else {}


def attribute_of(world: World, kind: str, name: str) -> ir.HeldAttribute | None:
    """An attribute of a kind, without the steps at its bounds; None if there is none or it has an error."""
    entry = attribute_entries(world, kind).get(name)
    if entry is None:
        return None
    return world.make_once((f"kinds.{kind}", name), entry, lambda entry: world.checks.attribute(world, kind, entry))


def type_of_attribute(world: World, kind: str, name: str) -> t.Type | None:
    """The type of an attribute of a kind; None if the kind has no such attribute."""
    if name not in attribute_entries(world, kind):
        return None
    one = attribute_of(world, kind, name)
    return one.type if one is not None else t.ANYTHING


@once_per
def things_of(world: World) -> dict[str, tuple[str, Entry]]:
    """The objects of the ruleset by name: the kind, and the entry."""
    things: dict[str, tuple[str, Entry]] = {}
    for kind, section in world.section("things").items():
        said = value_at(section.value, "is")
        if isinstance(said, Scalar) and kind not in world.section("kinds"):
            things.setdefault(kind, (said.text, section))  # its shape was reported
            continue
        for entry in entries_of(section.value):
            if entry.key.text in things:
                first = things[entry.key.text][1].key.span
                world.problems.add(say.name_taken(entry.key.span, entry.key.text, first))
            things.setdefault(entry.key.text, (kind, entry))
    return things


def _says_yes(node: Node, key: str) -> bool:
    value = value_at(node, key)
    return isinstance(value, Scalar) and value.text == "yes"

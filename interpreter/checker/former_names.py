"""Former names: what declarations were called before, so that older saves are taken up."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Names

from interpreter import diagnostics as say
from interpreter.checker.world import World
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, entries_of, items_of, value_at

KEY = "formerly"

RULE_SECTIONS = ("mechanics", "events", "actions", "scenes")
"""The sections of rules that a save names, with their inputs."""


def former_names(world: World) -> dict[str, str]:
    """What has a former name now, by the path of the former name, such as `canvas` by `kinds.ship.sail`.

    What stands around a former name has the name of now in its path. Former names that something has now, or that two
    declarations claim, are reported.
    """
    found: dict[str, str] = {}
    for scope, entries in _declarations(world):
        names = {entry.key.text for entry in entries}
        for entry in entries:
            for former in _former_names_of(entry.value):
                path = f"{scope}.{former.text}"
                if former.text in names:
                    world.problems.add(say.former_name_in_use(former.span, former.text))
                elif path in found:
                    world.problems.add(say.former_name_of_two(former.span, former.text, found[path]))
                found.setdefault(path, entry.key.text)
    return found


def renamed_by_layers(world: World, renamed: Names[tuple[str, ...], str]) -> dict[str, str]:
    """The same of the names that house rules give: the new name by the path of what they rename, except where
    something else has the old name now."""
    declared = {scope: {entry.key.text for entry in entries} for scope, entries in _declarations(world)}
    found: dict[str, str] = {}
    for path, new in renamed.items():
        *scope, old = [name for name in path if name not in ("has", "inputs")]
        names = declared.get(".".join(scope), set())
        if new in names and old not in names:
            found[".".join((*scope, old))] = new
    return found


def name_of_now(entries: Names[str, Entry], former: str) -> str | None:
    """What is called otherwise now, of declarations by their names; None if nothing was called so."""
    return next(
        (name for name, one in entries.items() if any(of.text == former for of in _former_names_of(one.value))), None
    )


def _former_names_of(node: Node | None) -> Iterator[Scalar]:
    said = value_at(node, KEY)
    yield from [one for one in (items_of(said) or (said,)) if isinstance(one, Scalar)]


def _declarations(world: World) -> Iterator[tuple[str, tuple[Entry, ...]]]:
    """The declarations whose names stand in saves, by the path that is around them."""
    for section in ("kinds", "options", *RULE_SECTIONS):
        yield section, tuple(world.section(section).values())
    for name, entry in world.section("kinds").items():
        yield f"kinds.{name}", _entries_at(entry.value, "has")
    for section in RULE_SECTIONS:
        for name, entry in world.section(section).items():
            yield f"{section}.{name}", _entries_at(entry.value, "inputs")
    for name, entry in world.section("scenes").items():
        yield f"scenes.{name}.round", _entries_at(entry.value, "round")
    for name, entry in world.section("names").items():
        yield f"names.{name}", entries_of(entry.value)


def _entries_at(node: Node, key: str) -> tuple[Entry, ...]:
    return entries_of(value_at(node, key)) if isinstance(node, Mapping) else ()

"""Check a ruleset: the tree becomes a program with resolved names and types, and every problem is reported.

`check` does all of it. `World` makes a declaration when it is first used; those that nothing uses are made at the end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.actions import actions, check_action, check_event, events, may_cancel, reactions
from interpreter.checker.attributes import single_kinds, things_of
from interpreter.checker.cases import check_cases
from interpreter.checker.claims import claims
from interpreter.checker.declarations import check_option, check_record_type
from interpreter.checker.declared_names import check_name, check_value_name, check_words, comparators_of
from interpreter.checker.dice import check_die
from interpreter.checker.former_names import former_names
from interpreter.checker.functions import check_function
from interpreter.checker.kinds import all_kinds, attribute, check_kind
from interpreter.checker.mechanics import all_mechanics, check_mechanic
from interpreter.checker.modifiers import modifiers
from interpreter.checker.policies import settle_policies
from interpreter.checker.scenes import check_scene, scene_kind, scenes
from interpreter.checker.tables import check_table, words_of
from interpreter.checker.things import check_things
from interpreter.checker.titles import check_titles, word_titles
from interpreter.checker.untyped import report_untyped
from interpreter.checker.vocabulary import ambiguous_names, die_named, meanings_of, rungs_of
from interpreter.checker.world import Checks, World, text_at
from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source
from interpreter.ir.traversal import outermost_nodes_in
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence, entries_of, text_of, to_python
from interpreter.syntax.grammar import SECTIONS
from interpreter.work_count import spend

Made = TypeVar("Made")

CHECKS = Checks(
    die=check_die,
    option=check_option,
    record=check_record_type,
    function=check_function,
    table=check_table,
    words_of_table=words_of,
    kind=check_kind,
    attribute=attribute,
    mechanic=check_mechanic,
    event=check_event,
    action=check_action,
    scene=check_scene,
    cancels=may_cancel,
)


def world_of(root: Mapping, problems: Problems, sources: tuple[Source, ...], lower: frozenset[str]) -> World:
    """The sections of a ruleset made of `sources`; `lower` names those under a layer."""
    sections = {name: {entry.key.text: entry for entry in _entries_of_section(root.get(name))} for name in SECTIONS}
    cases = root.get("cases")
    listed = list(cases.items) if isinstance(cases, Sequence) else []
    return World(sections, listed, problems, root, CHECKS, sources, lower)


def _entries_of_section(section: Node | None) -> tuple[Entry, ...]:
    """The entries of a section; a list of words is a mapping without explanations."""
    if isinstance(section, Sequence):
        return tuple(Entry(item, Scalar("", item.span, "'")) for item in section.items if isinstance(item, Scalar))
    return entries_of(section)


def check(world: World) -> ir.Program:
    """The program of a ruleset. It may be used only if no error was reported."""
    options = _make_all(world, "options", world.option)
    types = _make_all(world, "types", world.record)
    functions = _make_all(world, "functions", world.function)
    tables = _make_all(world, "tables", world.table)
    kinds = all_kinds(world)
    mechanics = all_mechanics(world)
    happened = events(world)
    done, answered = actions(world), reactions(world)
    played = scenes(world)
    under_way = scene_kind(world)
    if under_way is not None:
        kinds[under_way.name] = under_way
    _check_names(world)
    added = modifiers(world)
    citations = tuple(_citations(world))
    _check_notes(world, citations)
    dice = _make_all(world, "dice", lambda name: die_named(world, name))
    program = ir.Program(
        name=_text_at(world.root, "ruleset"),
        version=_text_at(world.root, "version") or "0",
        title=text_at(world.root, "title") or _text_at(world.root, "ruleset"),
        rounding=world.rounding,
        options=options,
        types=types,
        functions=functions,
        tables=tables,
        claims=tuple(claims(world, tables, mechanics)),
        modifiers=added,
        kinds=kinds,
        mechanics=mechanics,
        events=happened,
        actions=done,
        reactions=answered,
        scenes=played,
        roles=world.roles,
        words={name: tuple(meanings_of(world, "names", name)) for name in world.section("names")},
        comparators=comparators_of(world),
        ladders={name: rungs_of(world, name) or () for name in world.section("ladders")},
        dice=dice,
        policies=tuple(world.section("policies")),
        citations=citations,
        notes=_note_texts(world),
        die_identity=ir.DieIdentity(False, False, "none"),
        fingerprint=fingerprint(world.sources),
        about=text_at(world.root, "about"),
        meanings={name: meanings_of(world, "names", name) for name in world.section("names")},
        abouts={place: text_at(node, "about") for place, node in _constructs(world) if "about" in node},
        titles={place: text_at(node, "title") for place, node in _constructs(world) if "title" in node},
        word_titles=word_titles(world),
        things=_written_things(world),
        formerly=former_names(world),
    )
    settle_policies(world, program)
    program = replace(program, die_identity=world.die_uses.identity(mechanics, dice, _has_playable_rules(program)))
    _check_what_needs_all(world, program)
    return program


def _check_what_needs_all(world: World, program: ir.Program) -> None:
    check_titles(world)
    check_things(world)
    check_cases(world, program)
    report_untyped(program, world.problems)


def _has_playable_rules(program: ir.Program) -> bool:
    """Whether a ruleset has rules that odds play step by step."""
    of_events = program.events or program.actions or program.reactions or program.scenes
    return bool(of_events) or any(True for _ in outermost_nodes_in(program.kinds, ir.Reroll))  # when a bound is reached


def _written_things(world: World) -> dict[str, Any]:
    """The objects of the ruleset by name, with what is written of each; nothing of the one thing of a kind."""
    written = {name: to_python(entry.value) for name, (_, entry) in things_of(world).items()}
    return written | dict.fromkeys(single_kinds(world))


def _check_names(world: World) -> None:
    """Report names of sections that are no names, and ladders that are none."""
    for name, (first, second) in ambiguous_names(world).items():
        world.problems.add(say.name_taken(second, name, first))
    for name in world.section("ladders"):
        rungs_of(world, name)
    for key in ("tags", "names", "ladders", "dice", "roles"):
        for entry in world.section(key).values():
            if key in ("tags", "roles"):
                check_name(world, entry.key)
            else:
                check_value_name(world, entry.key)
    for name in world.section("names"):
        check_words(world, world.section("names")[name].value)


def _make_all(world: World, section: str, make: Callable[[str], Made | None]) -> dict[str, Made]:
    """Every declaration of a section without an error."""
    return {name: made for name in world.section(section) if (made := make(name)) is not None}


def _text_at(node: Mapping, key: str) -> str:
    value = node.get(key)
    return text_of(value)


def _citations(world: World) -> Iterator[ir.Citation]:
    """Every `cites`, with the path of its construct."""
    for place, node in _constructs(world):
        cites = node.get("cites")
        for row in entries_of(cites):
            if isinstance(row.value, Scalar):
                yield ir.Citation(row.key.text, row.value.text, place, row.key.span)


def _constructs(world: World) -> Iterator[tuple[str, Mapping]]:
    """Every mapping of the sections but `notes`, with its path, as it is written."""
    found: list[tuple[str, Node | None]] = [("rounding", world.root.get("rounding"))]
    for name, section in world.sections.items():
        if name != "notes":
            found += [(f"{name}.{key}", entry.value) for key, entry in section.items()]
    stack = found[::-1]
    while stack:
        place, here = stack.pop()
        spend(1)
        if isinstance(here, Mapping):
            yield place, here
            inner = [entry for entry in reversed(here.entries) if entry.key.text != "cites"]
            stack += [(f"{place}.{entry.key.text}", entry.value) for entry in inner]


def _note_texts(world: World) -> dict[str, str]:
    """The text of each note."""
    section = world.section("notes")
    return {name: text_at(world.root.get("notes") or entry.value, name) for name, entry in section.items()}


def _check_notes(world: World, citations: tuple[ir.Citation, ...]) -> None:
    for row, entry in world.section("notes").items():
        other = next((one.span for one in citations if one.row == row), None)
        if other is not None:
            world.problems.add(say.cited_and_noted(entry.key.span, row, other))


def fingerprint(sources: tuple[Source, ...]) -> str:
    """A hash of the text, by which a saved run recognises its ruleset."""
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.text.encode())
    return digest.hexdigest()[:16]

"""Mechanics as forms: what may be given for each input, and what stands there first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter import ir
from interpreter.api.forms import Input
from interpreter.api.game import Game
from interpreter.chances.table import plain_words
from interpreter.checker.world import World
from interpreter.host.answers import FieldKind, FormInput, MechanicForm, Titled, WordChoice
from interpreter.ir import types as t
from interpreter.runtime.titles import titles_of
from interpreter.syntax.document import Node, Scalar
from interpreter.testing.typical import typical_node, typical_points
from interpreter.values import in_words

FIRST: Mapping[FieldKind, str] = {"yes_no": "no", "dice": "2d6", "number": "1"}
"""What stands in an input of which nothing tells a usual value."""


def forms_of(game: Game, world: World) -> tuple[MechanicForm, ...]:
    """The mechanics of a game as forms, in the order of the ruleset."""
    return tuple(_form(game, world, game.program.mechanics[name]) for name in game.mechanics)


def _form(game: Game, world: World, rule: ir.Mechanic) -> MechanicForm:
    shown, titles = game.mechanics[rule.name], titles_of(game.program)
    typical = _typical(world, rule.name)
    inputs = [
        field
        for one in rule.inputs
        for field in _fields(game.program, one, shown.inputs[one.name], one.name, typical, required=True)
    ]
    results = [*(["outcome"] if rule.outcomes is not None else []), *(one.name for one in rule.also)]
    numbers = [one for one in rule.steps if isinstance(t.without_maybe(one.type), t.Number)]
    return MechanicForm(
        rule.name,
        shown.title or plain_words(rule.name),
        rule.about,
        tuple(inputs),
        tuple(Titled(name, plain_words(name)) for name in results),
        tuple(Titled(one.name, plain_words(titles.of(one))) for one in numbers),
    )


def _fields(
    program: ir.Program, declared: ir.Declaration, shown: Input, path: str, typical: Mapping[str, str], required: bool
) -> Iterator[FormInput]:
    """An input, or, of a record, each of its values; `shown` is the same as hosts see it."""
    kind, required = t.without_maybe(declared.type), required and shown.required
    if isinstance(kind, t.Record) and kind.name in program.types:
        for inner in program.types[kind.name].has:
            name = f"{path}.{inner.name}"
            yield from _fields(program, inner, shown.fields[inner.name], name, typical, required)
        return
    field = _field_kind(kind)
    words = [WordChoice(word, shown.title_of(word), about) for word, about in shown.choices.items()]
    value = typical.get(path, "" if shown.default is None else in_words(shown.default))
    if not value and required:
        value = words[0].value if words else str(shown.low) if shown.low is not None else FIRST.get(field, "")
    title = plain_words(shown.shown)
    yield FormInput(path, title, field, shown.about, shown.low, shown.high, tuple(words), value, required)


def _field_kind(kind: t.Type) -> FieldKind:
    match kind:
        case t.Word():
            return "words"
        case t.YesNo():
            return "yes_no"
        case t.Number():
            return "number"
        case t.Dice():
            return "dice"
        case _:
            return "text"


def _typical(world: World, mechanic: str) -> dict[str, str]:
    """The first point that a mechanic declares as typical, in words."""
    entry = world.section("mechanics").get(mechanic)
    node = typical_node(entry) if entry is not None else None
    first: Mapping[str, Node] = next(iter(typical_points(node)), {}) if node is not None else {}
    return {name: value.text if isinstance(value, Scalar) else value.span.text for name, value in first.items()}

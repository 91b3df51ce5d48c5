"""Mechanics as forms: what may be given for each input, and what stands there first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter import ir
from interpreter.api.forms import Input
from interpreter.api.game import Game
from interpreter.chances.table import plain_words
from interpreter.checker.world import World
from interpreter.host.answers import FormInput, MechanicForm, Titled, WordChoice
from interpreter.ir import types as t
from interpreter.runtime.titles import titles_of
from interpreter.syntax.document import Node, Scalar
from interpreter.testing.typical import points, typical_node
from interpreter.values import in_words

FIRST = {"yes_no": "no", "dice": "2d6", "number": "1"}
"""What stands in an input of which nothing tells a usual value."""


def forms_of(game: Game, world: World) -> tuple[MechanicForm, ...]:
    """The mechanics of a game as forms, in the order of the ruleset."""
    return tuple(_form(game, world, game.program.mechanics[name]) for name in game.mechanics)


def _form(game: Game, world: World, rule: ir.Mechanic) -> MechanicForm:
    shown, titles = game.mechanics[rule.name], titles_of(game.program)
    typical = _typical(world, rule.name)
    inputs = [one for field in shown.inputs.values() for one in _inputs(field, field.name, typical, True)]
    fields = (rule.type.field("outcome"), *(rule.type.field(one.name) for one in rule.also))
    results = [name for name, kind in zip(("outcome", *(one.name for one in rule.also)), fields, strict=True) if kind]
    numbers = [one for one in rule.steps if isinstance(t.present(one.type), t.Number)]
    return MechanicForm(
        rule.name,
        shown.title or plain_words(rule.name),
        rule.about,
        tuple(inputs),
        tuple(Titled(name, plain_words(name)) for name in results),
        tuple(Titled(one.name, plain_words(titles.of(one))) for one in numbers),
    )


def _inputs(one: Input, path: str, typical: Mapping[str, str], required: bool) -> Iterator[FormInput]:
    """An input, or, of a record, each of its values."""
    required = required and one.required
    for name, inner in one.fields.items():
        yield from _inputs(inner, f"{path}.{name}", typical, required)
    if not one.fields:
        kind = _kind(one)
        words = [WordChoice(word, one.title_of(word), about) for word, about in one.choices.items()]
        value = typical.get(path, _value(one.default))
        if not value and required:
            value = words[0].value if words else str(one.low) if one.low is not None else FIRST.get(kind, "")
        yield FormInput(path, plain_words(one.shown), kind, one.about, one.low, one.high, tuple(words), value, required)


def _kind(one: Input) -> str:
    if one.choices and not one.several:
        return "words"
    if one.type == t.in_words(t.YES_NO):
        return "yes_no"
    if one.type.startswith(t.in_words(t.NUMBER)) and not one.several:
        return "number"
    return "dice" if one.type == "dice" else "text"


def _typical(world: World, mechanic: str) -> dict[str, str]:
    """The first point that a mechanic declares as typical, in words."""
    entry = world.section("mechanics").get(mechanic)
    node = typical_node(entry) if entry is not None else None
    first: Mapping[str, Node] = next(iter(points(node)), {}) if node is not None else {}
    return {name: value.text if isinstance(value, Scalar) else value.span.text for name, value in first.items()}


def _value(default: object) -> str:
    return "" if default is None else in_words(default)

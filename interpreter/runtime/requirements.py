"""What kinds require of their things where these begin: as people write them, and as rules make them.

Nothing is required of a thing once it is there, so a rule may break a requirement, and a saved state is read as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Names
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.traversal import inner_expressions, nodes_under
from interpreter.runtime.evaluator import Closures, Frame
from interpreter.runtime.objects import frame_of_owner
from interpreter.runtime.state import STATE, State
from interpreter.syntax.document import Node, value_at
from interpreter.values import in_words

SHOWN = (t.Number, t.YesNo, t.Word, t.Text, t.SingleDie, t.DiceCode)
"""The types of the values that a message tells of what a requirement reads: those that are one word or number."""


def check_requirements(closures: Closures, frame: Frame, things: Iterable[str], written: Names[str, Node]) -> None:
    """Raises PlayError with every requirement that some things of a state do not meet; see `unmet_requirements`."""
    unmet = list(unmet_requirements(closures, frame, things, written))
    if unmet:
        raise PlayError(*unmet)


def unmet_requirements(
    closures: Closures, frame: Frame, things: Iterable[str], written: Names[str, Node]
) -> Iterator[Diagnostic]:
    """Every requirement that some things in the state of a frame do not meet, with the values that it reads.

    `written` is what is written of things, by name, for the places of what is told. Raises PlayError where a
    requirement cannot be worked out.
    """
    state: State = frame[STATE]
    for name in things:
        kind = closures.program.kinds[state.things[name].kind]
        inside = frame_of_owner(state.thing(name), frame, state)
        for one in kind.requires:
            if not closures.of(one.condition)(inside):
                span = _place(written, name, _names_read(kind, one.condition.body))
                read = dict(_values_read(closures, inside, one.condition.body))
                yield say.not_legal(span, name, one.name, one.condition.text, one.about, read)


def _place(written: Names[str, Node], thing: str, read: Iterable[str]) -> Span:
    """Where the first value that a requirement reads is written, or else the thing or what it is a part of."""
    whole, *parts = thing.split(".")
    node = written.get(whole)
    place = node.span if node is not None else say.NOWHERE
    for part in parts:
        node = value_at(node, part)
    return next((one.span for name in read if (one := value_at(node, name)) is not None), place)


def _names_read(kind: ir.Kind, read: ir.Expr) -> dict[str, None]:
    """The attributes of the thing itself that an expression reads, directly or through derived ones, in this order."""
    names: dict[str, None] = {}
    waiting = [read]
    while waiting:
        for node in nodes_under(waiting.pop(0)):
            if isinstance(node, ir.Attribute) and _is_owner(node.of) and node.name not in names:
                names[node.name] = None
                derived = kind.has[node.name].derived
                waiting += [derived.body] if derived is not None else []
    return names


def _values_read(closures: Closures, inside: Frame, read: ir.Expr) -> Iterator[tuple[str, str]]:
    """The values of the thing and the options that an expression reads, by how they are written in it."""
    if isinstance(t.without_maybe(read.type), SHOWN) and _is_value_of_owner(read):
        value = closures.closure_of_expression(read)(inside)
        yield read.span.text, in_words(value)
        return
    for one in inner_expressions(read):
        yield from _values_read(closures, inside, one)


def _is_value_of_owner(read: ir.Expr) -> bool:
    """Whether an expression is an option, or reads a value of the thing, of a part of it or of what it names."""
    match read:
        case ir.Option():
            return True
        case ir.Attribute(of=of):
            return _is_owner(of) or _is_value_of_owner(of)
        case ir.MapEntry(of=of, key=key):
            return isinstance(key, ir.Constant) and _is_value_of_owner(of)
    return False


def _is_owner(of: Any) -> bool:
    return isinstance(of, ir.Local) and of.name == "owner"

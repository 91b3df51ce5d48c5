"""Expected values of a case: their reading, and how they differ from what was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from interpreter import diagnostics as say
from interpreter.api.decode import InputReader
from interpreter.api.game import Game
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.ir import types as t
from interpreter.runtime.state import State
from interpreter.syntax.document import Mapping, Node, Scalar, Sequence
from interpreter.values import Die, dice_in_words, in_words


def differences(
    game: Game, case: str, what: str, kind: t.Type, node: Node, got: Any, state: State | None = None
) -> Iterator[Diagnostic]:
    """The problem of a value that is not the expected one."""
    if _is_none(node, kind):
        if got is not None:
            yield say.case_differs(node.span, case, what, "nothing", in_words(got), ((node.span, in_words(got)),))
        return
    present = t.without_maybe(kind)
    try:
        expected = _expected_value(game, node, present, what, state)
    except PlayError as problem:
        yield say.case_failed(problem.diagnostic.span, case, problem.diagnostic)
        return
    if _comparable_form(expected, present) != _comparable_form(got, present):
        edits = ((node.span, _value_in_words(got, present)),) if isinstance(node, Scalar | Sequence) else ()
        yield say.case_differs(
            node.span, case, what, _value_in_words(expected, present), _value_in_words(got, present), edits
        )


def _is_none(node: Node, kind: t.Type) -> bool:
    """Whether a case expects that there is no value; `none` may also be a word of a list."""
    words = kind.words if isinstance(kind := t.without_maybe(kind), t.Word) else ()
    return isinstance(node, Scalar) and node.text == "none" and "none" not in words


def _expected_value(game: Game, node: Node, kind: t.Type, what: str, state: State | None = None) -> Any:
    if _is_none(node, kind):
        return None
    if isinstance(kind, (t.Roll, t.ThrownDie)):
        if isinstance(node, Sequence):
            return tuple(int(item.text) if isinstance(item, Scalar) else 0 for item in node.items)
        return (int(node.text),) if isinstance(node, Scalar) and node.text.lstrip("-").isdigit() else None
    if isinstance(kind, t.Record) and isinstance(node, Mapping):
        return {
            entry.key.text: _expected_value(
                game, entry.value, t.without_maybe(kind.field(entry.key.text) or t.ANYTHING), what, state
            )
            for entry in node.entries
        }
    if isinstance(kind, t.Map) and isinstance(node, Mapping):
        of = t.without_maybe(kind.of)
        return {entry.key.text: _expected_value(game, entry.value, of, what, state) for entry in node.entries}
    if isinstance(kind, t.List) and isinstance(node, Sequence):
        return tuple(_expected_value(game, item, t.without_maybe(kind.of), what, state) for item in node.items)
    if isinstance(kind, t.Number):
        kind = t.NUMBER
    return game.reader(state).value(node, kind, what)


def _comparable_form(value: Any, kind: t.Type) -> Any:
    """A value in the form that is compared: pools without order, rolls by the values of their dice."""
    if value is None:
        return None
    if isinstance(kind, (t.Dice, t.SingleDie)):
        return Counter((value,) if isinstance(value, Die) else value)
    if isinstance(kind, t.ThrownDie):
        return (value.value,) if hasattr(value, "value") else value
    if isinstance(kind, t.Roll):
        return tuple(die.value if hasattr(die, "value") else die for die in value)
    if isinstance(kind, t.Record) and isinstance(value, dict):
        return {k: _comparable_form(v, t.without_maybe(kind.field(k) or t.ANYTHING)) for k, v in value.items()}
    if isinstance(kind, t.Map):
        return {in_words(key): _comparable_form(one, t.without_maybe(kind.of)) for key, one in value.items()}
    if isinstance(kind, t.List):
        return tuple(_comparable_form(item, t.without_maybe(kind.of)) for item in value)
    return value


def _value_in_words(value: Any, kind: t.Type) -> str:
    """A value as a failing case shows it: pools in their own order, rolls by the values of their dice."""
    if isinstance(kind, t.Dice) and value is not None:
        return dice_in_words(value)
    return in_words(value if isinstance(kind, t.SingleDie) else _comparable_form(value, kind))


def guess_type(reader: InputReader, node: Node) -> t.Type:
    """The type that a given value has on its own."""
    if isinstance(node, Scalar) and node.text in ("yes", "no"):
        return t.YES_NO
    if isinstance(node, Scalar) and node.text.lstrip("-").isdigit():
        return t.NUMBER
    if isinstance(node, Mapping) and set(node.by_key) == {"dice", "faces"}:
        return t.Roll()
    kind: t.Type = reader.check_expression(node, None, {}).type
    return kind

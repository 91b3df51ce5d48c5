"""What a stored value of each kind must fit, as data that a save carries, so that a later reader knows what changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from interpreter import ir
from interpreter.ir import types as t


def shapes_of(program: ir.Program, kinds: Iterable[str]) -> dict[str, Any]:
    """The shape of each of these kinds, and of those of which there is always one, by its name."""
    named = {*kinds, *(one.name for one in program.kinds.values() if one.one or one.part)}
    return {kind.name: _shape_of_kind(kind) for kind in program.kinds.values() if kind.name in named}


def _shape_of_kind(kind: ir.Kind) -> dict[str, Any]:
    held = {name: _shape_of_attribute(one) for name, one in sorted(kind.has.items()) if one.derived is None}
    return {**({"one": True} if kind.one else {}), "has": held}


def _shape_of_attribute(one: ir.HeldAttribute) -> dict[str, Any]:
    """The type of an attribute, its constant bounds, and who may see it, if that is not everybody."""
    shape = {"part": one.part} if one.part is not None else _shape_of_type(one.type)
    for key, bound in (("from", one.declared.low), ("to", one.declared.high)):
        if bound is not None:
            shape[key] = bound.body.value if isinstance(bound.body, ir.Constant) else bound.text
    return shape | ({"seen_by": list(one.seen_by)} if one.seen_by is not None else {})


def _shape_of_type(kind: t.Type) -> dict[str, Any]:
    match kind:
        case t.Word():
            return {"word": kind.name, "words": list(kind.words)}
        case t.List():
            return {"list_of": _shape_of_type(kind.of)}
        case t.Map():
            return {"per": _shape_of_type(kind.key), "of": _shape_of_type(kind.of)}
        case t.Maybe():
            return {**_shape_of_type(kind.of), "optional": True}
        case t.Record():
            return {"record": {name: _shape_of_type(of) for name, of in kind.fields}}
        case t.Object():
            return {"type": kind.kind}
        case (
            t.Number() | t.YesNo() | t.Text() | t.SingleDie() | t.Dice() | t.ThrownDie() | t.Roll() | t.DiceCode()
            | t.Anything()
        ):  # fmt: skip
            return {"type": t.in_words(kind)}
        case _:
            assert_never(kind)

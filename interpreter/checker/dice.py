"""Check the dice that a ruleset declares: those with other names, and those with faces of their own."""

from __future__ import annotations

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.expressions import formula
from interpreter.checker.scope import Scope
from interpreter.checker.world import World
from interpreter.ir import types as t
from interpreter.syntax.document import Broken, Entry, Mapping, Scalar, items_of, parse_whole_number
from interpreter.syntax.names import mixed_scripts
from interpreter.syntax.schema import is_name
from interpreter.values import Die, Face


def check_die(world: World, entry: Entry) -> Die | None:
    """The die of an entry of the section `dice`; None if it has an error, which is reported."""
    node = entry.value
    if not isinstance(node, Mapping):
        expression = formula(world, node, Scope(), t.SingleDie())
        return expression.body.value if isinstance(expression.body, ir.Constant) else None
    faces = node.get("faces")
    if isinstance(faces, Broken):
        return None
    items = items_of(faces)
    read = [_face(world, item, len(items) == 1) for item in items if isinstance(item, Scalar)]
    if not read:
        world.problems.add(say.empty_list_of(entry.key.span, f"`{entry.key.text}`"))
        return None
    kept = tuple(face for face in read if face is not None)
    return Die(len(kept), (), entry.key.text, kept) if kept else None


def _face(world: World, node: Scalar, alone: bool) -> Face | None:
    text = node.text.strip()
    number = parse_whole_number(text)
    if number is not None:
        return number
    symbols = [symbol.strip() for symbol in text.split("+")]
    for symbol in symbols:
        if not is_name(symbol):
            slip = say.no_face(node.span, text, symbol, alone)
            world.problems.add(slip or say.bad_name(node.span, symbol, mixed_scripts(symbol)))
            return None
    return " + ".join(sorted(symbols))

"""Find questions that nothing can answer, by constants alone: whoever plays would learn it at the table."""

from __future__ import annotations

from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.world import World
from interpreter.ir import types as t
from interpreter.syntax.document import Mapping


def report_no_answer(
    world: World,
    node: Mapping,
    bounds: t.Type,
    among: ir.Formula | None,
    least: ir.Formula | None,
    most: ir.Formula | None,
) -> bool:
    """Report what keeps an input from having a value, or a choice from having an answer; return whether anything does.

    `bounds` has the lowest and the highest number that it may be. Some of several may be none of none, and are never
    more than there are, so `least` of a choice is only warned of: see `report_least`.
    """
    if isinstance(bounds, t.Number) and bounds.low is not None and bounds.high is not None and bounds.low > bounds.high:
        world.problems.add(say.empty_range(node.key("from").span, f"{bounds.low} to {bounds.high}"))
        return True
    if among is not None and _number_of(among) == 0:
        world.problems.add(say.nothing_among(among.span))
        return True
    fewest, largest = _constant(least), _constant(most)
    if fewest is not None and largest is not None and fewest > largest:
        world.problems.add(say.least_above_most(node.key("least").span, fewest, largest))
        return True
    return False


def report_least(
    world: World, node: Mapping, among: ir.Formula | None, least: ir.Formula | None, most: ir.Formula | None
) -> None:
    """Warn of a choice of some of a list that leaves no choice: of none, or of more than there ever may be."""
    there, fewest, largest = _number_of(among) if among is not None else None, _constant(least), _constant(most)
    if among is not None and there == 0:
        world.problems.add(replace(say.nothing_among(among.span), code="HR922", severity="warning"))
    elif fewest is not None and largest is not None and fewest > largest:
        slip = say.least_above_most(node.key("least").span, fewest, largest)
        world.problems.add(replace(slip, code="HR922", severity="warning"))
    elif there is not None and fewest is not None and fewest > there:
        world.problems.add(say.least_above_all(node.key("least").span, fewest, there))


def _number_of(among: ir.Formula) -> int | None:
    """How many there are to choose from, where it is always the same number."""
    match among.body:
        case ir.ListLiteral(items):
            return len(items)
        case ir.Constant(value, t.List()) if isinstance(value, tuple):
            return len(value)
    return None


def _constant(number: ir.Formula | None) -> int | None:
    known = t.as_number(number.type) if number is not None else t.NUMBER
    return known.low if known.low == known.high else None

"""Steps that sort a list, as Python."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from operator import itemgetter
from typing import Any

from interpreter import ir
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import Trail
from interpreter.codegen.steps import write_result
from interpreter.values import Die


def write_order(writer: FunctionWriter, action: ir.Order, step: ir.Step, trail: Trail, value: str | None) -> None:
    """Write what sorts a list by keys, the lowest first, and orders elements with equal keys by lot if it says so."""
    elements, one = writer.variable(), writer.variable()
    keys = []
    with writer.element(".it", one):
        for key in action.keys:
            if key.formula is not None:
                text = writer.text(key.formula)
                if key.ranks is not None:
                    text = f"{writer.module.bind({word: rank for rank, word in enumerate(key.ranks)})}[{text}]"
                keys.append(f"{'-' if key.way == 'high' else ''}int({text}), ")
    formulas = [key.formula.body for key in action.keys if key.formula is not None]
    writer.line(f"{elements} = {writer.expressions.spent(writer.text(action.of), *formulas)}")
    ranked = f"[(({''.join(keys)}), {one}) for {one} in {elements}]"
    lots = any(key.way == "random" for key in action.keys)
    write_result(writer, value, f"{writer.module.bind(_sort)}({ranked}, {'thrown' if lots else None})")


def _sort(ranked: list[tuple[tuple[int, ...], Any]], throw: Callable[[tuple[Die]], list[int]] | None) -> Any:
    ranked.sort(key=itemgetter(0))
    if throw is None:
        return tuple([one for _, one in ranked])
    found: list[Any] = []
    for _, level in groupby(ranked, itemgetter(0)):
        left = [one for _, one in level]
        while len(left) > 1:
            found.append(left.pop(throw((Die(len(left)),))[0] - 1))
        found += left
    return tuple(found)

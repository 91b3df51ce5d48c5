"""Rolls of which the best dice are set apart, and of the others only what dice they are is read.

An effect die is the biggest of the dice that are not among the two best, whatever it shows. The rolls with the same
best dice are one then, whatever the others show.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from interpreter import ir
from interpreter.ir.traversal import formulas, inner_expressions, outermost_nodes_in
from interpreter.odds.laid_out import BestDice

OF_THE_DIE = ("size", "tags", "part")
"""What is read of a die and not of its throws."""


def find_best_dice(rule: ir.Mechanic, asked: Collection[str]) -> Mapping[str, BestDice]:
    """By the path of a roll of a rule, its dice that are set apart, if nothing reads what the others show."""
    found: dict[str, BestDice] = {}
    if not rule.needs_inlining:  # so nothing in it is `without`
        return found
    for step in rule.steps:
        if isinstance(step.action, ir.RollDice) and step.name not in asked:
            reader = _RestReader(step.name, rule, asked)
            if reader.reads_only_what_dice_rest_has() and len(reader.ends) == 1 and reader.has_rest:
                (end,) = reader.ends
                found[step.path] = BestDice(end, max(reader.numbers))
    return found


class _RestReader:
    """Searches what a rule reads of a roll: at which `ends` it takes dice, the `numbers` of these, and whether it
    `has_rest`: something that is read of the others."""

    def __init__(self, roll: str, rule: ir.Mechanic, asked: Collection[str]) -> None:
        self.roll, self.rule = roll, rule
        self.ends: set[str] = set()
        self.numbers: list[int] = []
        self.has_rest = False
        lets = {
            step.name: step.action.formula.body
            for step in rule.steps
            if isinstance(step.action, ir.Let) and step.condition is None
        }
        self.best = {name for name, body in lets.items() if self._is_best(body)}
        self.rests = {name for name, body in lets.items() if name not in asked and self._is_rest(body)}

    def reads_only_what_dice_rest_has(self) -> bool:
        """Whether of the dice that are not taken at an end, only what dice they are is read."""
        names = {self.roll, *self.best, *self.rests}
        if sum(step.name in names for step in outermost_nodes_in(self.rule, ir.Step)) > len(names):
            return False  # a step inside another has the same name
        own = {id(one) for step in self.rule.steps if step.name in self.rests for one in formulas(step.action)}
        return all(self._is_allowed(one.body) for one in formulas(self.rule) if id(one) not in own)

    def _is_allowed(self, expr: ir.Expr) -> bool:
        if isinstance(expr, ir.Local):
            return expr.name != self.roll and expr.name not in self.rests
        if self._is_best(expr):
            return True
        if isinstance(expr, ir.Column) and expr.name in OF_THE_DIE and self._is_of_rest(expr.of):
            return True
        if isinstance(expr, ir.Builtin) and expr.name in ("count", "any") and len(expr.arguments) == 1:
            of = expr.arguments[0]
            if self._is_of_rest(of) or self._is_roll(of):
                return True
        return all(map(self._is_allowed, inner_expressions(expr)))

    def _is_of_rest(self, expr: Any) -> bool:
        """Whether an expression is the other dice, or some of them by what dice they are."""
        while isinstance(expr, ir.Filtered):
            if not self._reads_only_what_die(expr.condition):
                return False
            expr = expr.of
        found = self._is_rest(expr) or (isinstance(expr, ir.Local) and expr.name in self.rests)
        self.has_rest |= found
        return found

    def _reads_only_what_die(self, condition: ir.Expr) -> bool:
        """Whether a condition on a die reads of it only what die it is, and nothing of the roll."""
        match condition:
            case ir.DieField(name):
                return name in OF_THE_DIE
            case ir.Element():
                return False
            case ir.Local(name):
                return name != self.roll and name not in self.rests
        return all(map(self._reads_only_what_die, inner_expressions(condition)))

    def _is_rest(self, expr: Any) -> bool:
        match expr:
            case ir.Builtin("without", (of, best)) if self._is_roll(of):
                return self._is_best(best) or (isinstance(best, ir.Local) and best.name in self.best)
        return False

    def _is_best(self, expr: Any) -> bool:
        """Whether an expression takes dice of the roll at an end, which is noted."""
        match expr:
            case ir.Builtin("highest" | "lowest" as end, (of,)) if self._is_roll(of):
                number = 1
            case ir.Builtin("highest" | "lowest" as end, (of, ir.Constant(int() as number))) if self._is_roll(of):
                pass
            case _:
                return False
        self.ends.add(end)
        self.numbers.append(number)
        return True

    def _is_roll(self, expr: Any) -> bool:
        return isinstance(expr, ir.Local) and expr.name == self.roll

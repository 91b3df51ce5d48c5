"""Dice whose faces nothing reads once a player has chosen among them.

Of the dice of a roll that are not kept, but thrown again, later steps only read how many there are. The states after
such choices are equal though those faces differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import formulas, inner_expressions, outermost_nodes_in
from interpreter.odds.operations import Unread


def unread_after_choices(rule: ir.Mechanic, asked: Collection[str]) -> dict[str, Unread]:
    """By the path of a choice among the dice of a roll, which of their faces its rule does not read any more."""
    found: dict[str, Unread] = {}
    for place, step in enumerate(rule.steps):
        roll = _roll_chosen_from(step)
        later = (rule.steps[place + 1 :], rule.outcomes, rule.also)
        if (
            roll is None
            or roll in asked
            or any(one.name in (roll, step.name) for one in outermost_nodes_in(later, ir.Step))
        ):
            continue
        reader = _FacesRead(roll, step.name)
        rerolls = [one for one in outermost_nodes_in(later, ir.Reroll) if not (one.most or one.to)]
        thrown = [(one.of.body, one.which.body) for one in rerolls if one.which is not None]
        reader.search([one.body for one in formulas(later)], thrown)
        unread = Unread(roll, not reader.chosen and step.name not in asked, not reader.others)
        if unread.chosen or unread.others:
            found[step.path] = unread
    return found


def _roll_chosen_from(step: ir.Step) -> str | None:
    """The roll among whose dice a step lets a player choose some; None for every other step."""
    made = step.action
    if not isinstance(made, ir.Choose) or made.kind != "some" or made.among is None:
        return None
    if step.condition is not None or made.where is not None:  # some dice may not be chosen
        return None
    of = made.among.body
    return of.name if isinstance(of, ir.Local) and isinstance(t.without_maybe(of.type), t.Roll) else None


class _FacesRead:
    """Finds out whether formulas read the faces of the dice that were chosen of a roll, and those of the others."""

    def __init__(self, roll: str, chosen: str) -> None:
        self.roll, self.name = roll, chosen
        self.chosen = self.others = False

    def search(self, read: Iterable[ir.Expr], thrown: Iterable[tuple[ir.Expr, ir.Expr]]) -> None:
        """Search formulas, of which some only say what of a roll is thrown again; the other dice stay as they are."""
        again: set[int] = set()
        for roll, some in thrown:
            if self._is_local(roll, self.roll) and (self._is_local(some, self.name) or self._is_rest(some)):
                again |= {id(roll), id(some)}
                self.others |= self._is_local(some, self.name)
                self.chosen |= self._is_rest(some)
        for expr in read:
            if id(expr) not in again:
                self._search(expr)

    def _search(self, expr: ir.Expr) -> None:
        if isinstance(expr, ir.Local):
            self.chosen |= expr.name in (self.roll, self.name)
            self.others |= expr.name == self.roll
        elif self._is_rest(expr):
            self.others = True
        elif not (self._only_counts_dice(expr)):
            for one in inner_expressions(expr):
                self._search(one)

    def _only_counts_dice(self, expr: ir.Expr) -> bool:
        """Whether an expression only counts dice, of which no more than their number is read."""
        if not (isinstance(expr, ir.Builtin) and expr.name == "count" and len(expr.arguments) == 1):
            return False
        of = expr.arguments[0]
        return self._is_local(of, self.name) or self._is_local(of, self.roll) or self._is_rest(of)

    def _is_rest(self, expr: ir.Expr) -> bool:
        """Whether an expression is the roll without the dice that were chosen."""
        return (
            isinstance(expr, ir.Builtin)
            and expr.name == "without"
            and self._is_local(expr.arguments[0], self.roll)
            and self._is_local(expr.arguments[1], self.name)
        )

    def _is_local(self, expr: Any, name: str) -> bool:
        return isinstance(expr, ir.Local) and expr.name == name

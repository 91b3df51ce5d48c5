"""Rules that a step leads to while it is played, and that the engine follows: they roll dice of their own."""

from __future__ import annotations

from interpreter import ir
from interpreter.ir.rule_graph import rules_in_circles, rules_with_dice
from interpreter.ir.traversal import formulas, step_bodies
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.open_rolls import may_be_open
from interpreter.odds.operations import Need, needs_of_fields
from interpreter.play.run import CHANGED


def need_of_followed_rule(lowering: Lowering, rule: ir.Mechanic, read: Need, is_result: bool = False) -> Need | None:
    """What is needed of the record of a rule that is reached in a step that is played, if the engine follows it.

    It follows a rule with dice, which may not lead to itself and changes no event, and of whose record no dice are
    needed while the step is played: those of its result may be open. `read` is what is read of the record.
    """
    known = lowering.needs_of_followed
    key = (rule.path, read, is_result)
    if key not in known:
        program, fields = lowering.program, dict(rule.type.fields)
        of_reactions = need_of_reactions(lowering, rule)
        need = read | of_reactions
        hidden = lowering.hidden_readings.get(rule.path, {})
        need = need if () in need else frozenset([path for path in need if path[0] in fields or path[0] in hidden])
        changes_event = any(isinstance(one, (ir.ChangeEvent, ir.CancelEvent)) for one in step_bodies(rule))
        needed = of_reactions if is_result else need
        needs_dice = any(
            may_be_open(kind) for name, kind in fields.items() if () in needed or name in needs_of_fields(needed)
        )
        with_dice = rule.path in rules_with_dice(program) - rules_in_circles(program)
        follows = with_dice and not (changes_event or needs_dice or lowering.state_may_hold_dice)
        known[key] = need if follows else None
    return known[key]


def need_of_reactions(lowering: Lowering, rule: ir.Mechanic) -> Need:
    """What reactions after an event read of it."""
    program = lowering.program
    if program.events.get(rule.name) is not rule:
        return frozenset()
    after = [one for one in program.reactions.values() if rule.name in one.events and not one.before]
    _, touches = lowering.reads(formulas(after))
    return frozenset([path[1:] for path in touches if path[0] == CHANGED])

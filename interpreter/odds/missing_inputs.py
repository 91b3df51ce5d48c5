"""Rules without what depends on inputs that are left out: `if: given(hero)` does not hold where no hero is given.

What is left need not be played step by step for the sake of points that nobody has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter import ir
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import nodes_under, outermost_nodes_in
from interpreter.odds.inlining import map_expressions

Missing = Mapping[str, frozenset[str]]
"""By the path of a mechanic, the inputs that are missing wherever it is called."""

NONE_MISSING: Missing = {}


def missing_inputs(program: ir.Program, rule: ir.Mechanic, at: Mapping[str, Any]) -> Missing:
    """What is missing of the inputs of a rule and of those that it calls, as far as they ask whether it is there.

    `at` is the frame in which the rule begins. An input of a mechanic that is called is missing only if it is in each
    call.
    """
    gone = frozenset(one.name for one in rule.inputs if one.name in at and at[one.name] is None)
    if not gone:
        return NONE_MISSING
    known = _known_missing(program)
    if (rule.path, gone) not in known:
        known[rule.path, gone] = _missing_below(program, rule, gone)
    return known[rule.path, gone]


@once_per
def _known_missing(program: ir.Program) -> dict[tuple[str, frozenset[str]], Missing]:
    """What is known to be missing, by the rule and those of its inputs that are: each question asks for it."""
    return {}


def _missing_below(program: ir.Program, rule: ir.Mechanic, gone: frozenset[str]) -> Missing:
    found, waiting = {rule.path: gone}, [rule]
    while waiting:
        here = waiting.pop()
        for call in outermost_nodes_in(here, ir.Call):
            callee = program.mechanics[call.mechanic]
            left_out = _omitted_inputs(callee, call, found[here.path])
            now = left_out & found.get(callee.path, left_out)
            if now != found.get(callee.path):
                found[callee.path] = now
                waiting.append(callee)
    asked = {path: names & _names_asked_for(program, path, rule) for path, names in found.items()}
    return {path: names for path, names in asked.items() if names}


def _omitted_inputs(callee: ir.Mechanic, call: ir.Call, gone: frozenset[str]) -> frozenset[str]:
    """The inputs of a mechanic that a call leaves out or fills with missing ones, and that have no default."""
    given = {name: formula.body for name, formula in call.given}
    bare = [one.name for one in callee.inputs if one.default is None]
    return frozenset(name for name in bare if name not in given or _is_missing(given[name], gone))


def _is_missing(expr: ir.Expr, gone: frozenset[str]) -> bool:
    if isinstance(expr, ir.Constant):
        return expr.value is None
    return isinstance(expr, ir.Local) and expr.name in gone


def _names_asked_for(program: ir.Program, path: str, rule: ir.Mechanic) -> frozenset[str]:
    """The names of which a rule asks whether they are given."""
    of = rule if path == rule.path else program.mechanics[path.removeprefix("mechanics.")]
    tests = [one.arguments[0] for one in nodes_under(of) if isinstance(one, ir.Builtin) and one.name == "given"]
    return frozenset(one.name for one in tests if isinstance(one, ir.Local))


def without_inputs(rule: ir.Mechanic, missing: frozenset[str]) -> ir.Mechanic:
    """The rule, in which these inputs are not given."""
    if not missing:
        return rule

    def known(expr: ir.Expr) -> ir.Expr:
        match expr:
            case ir.Builtin("given", (ir.Local(name),)) if name in missing:
                return ir.Constant(False, expr.type, expr.span)
        return expr

    made: ir.Mechanic = map_expressions(rule, known)
    return made

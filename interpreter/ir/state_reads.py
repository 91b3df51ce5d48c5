"""What reads the state of the game: attributes of things, and functions and tables that read some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.once_per import once_per
from interpreter.ir.rule_graph import events_of_turns, steps_of
from interpreter.ir.traversal import bodies, under


def reads_state(expr: Any) -> bool:
    """Whether an expression itself reads attributes of things, and not only expressions in it."""
    if isinstance(expr, ir.Attribute):
        return True
    if isinstance(expr, (ir.Apply, ir.Lookup)):
        return expr.reads_state
    if not isinstance(expr, ir.Column):
        return False
    kind = t.present(expr.of.type)
    return isinstance(kind, t.List) and isinstance(t.present(kind.of), t.Thing)


def any_reads_state(node: Any) -> bool:
    """Whether any expression in a construct, or in several, reads the state."""
    return any(map(reads_state, under(node)))


@dataclass(frozen=True, slots=True)
class AttributesUsed:
    """The names of the attributes that a construct may read or change, and of those that it may change.

    What follows from it depends on their values, on which things there are, and on nothing else that things have.
    """

    names: frozenset[str]
    changed: frozenset[str]


def attributes_used(program: ir.Program, node: Any) -> AttributesUsed | None:
    """The attributes that a construct uses, also through all rules and formulas that it leads to.

    None where it makes or destroys things, which may change any attribute.
    """
    names: set[str] = set()
    changed: set[str] = set()
    seen: set[int] = set()
    waiting = [node, program.types]  # values of records are held to the limits of their fields

    def visit(*further: Any) -> None:
        new = [one for one in further if id(one) not in seen]
        seen.update(map(id, new))
        waiting.extend(new)

    def use(name: str, changes: bool) -> None:
        names.add(name)
        for one in [kind.has[name] for kind in program.kinds.values() if name in kind.has]:
            visit(one.declared, *([one.derived] if one.derived is not None else []), *([one] if changes else []))

    while waiting:
        for one in under(waiting.pop()):
            if isinstance(one, (ir.Make, ir.Destroy)):
                return None
            visit(*_led_to(program, one))
            if isinstance(one, (ir.Attribute, ir.Column)):
                use(one.name, changes=False)
                continue
            targets = [one.name] if isinstance(one, (ir.Lvalue, ir.Cost)) else []
            if isinstance(one, ir.Turn):
                targets += _ended_with_turns(program)
            for name in {*targets, *(_with_moving_bounds(program) if targets else ())}:
                changed.add(name)
                use(name, changes=True)
    return AttributesUsed(frozenset(names), frozenset(changed))


def _led_to(program: ir.Program, node: Any) -> list[Any]:
    """The rules, functions and tables that a node leads to."""
    match node:
        case ir.Apply(name):
            return [program.functions[name]]
        case ir.Lookup(name):
            return [program.tables[name]]
        case ir.Call(name):
            return [program.mechanics[name]]
        case ir.Cause(name):
            return [program.events[name], *[one for one in program.reactions.values() if name in one.events]]
        case ir.Act(name):
            return [program.actions[name]]
        case ir.Offer(names):
            return [program.actions[name] for name in names]
        case ir.Turn():
            return [one for name in events_of_turns(program) for one in _led_to(program, ir.Cause(name, ()))]
    return []


@once_per
def _ended_with_turns(program: ir.Program) -> tuple[str, ...]:
    """The names of attributes that may change when a turn ends: those that last so long, and whose elements may."""
    lasting = [one.name for kind in program.kinds.values() for one in kind.has.values() if one.lasts is not None]
    added = [one.target.name for one in bodies(steps_of(program)) if isinstance(one, ir.Include) and one.lasts]
    return (*lasting, *added)


@once_per
def _with_moving_bounds(program: ir.Program) -> frozenset[str]:
    """The names of points and tracks with a bound that is not always the same: a change may clamp them."""
    return frozenset([
        one.name
        for kind in program.kinds.values()
        for one in kind.has.values()
        for end in (one.declared.low, one.declared.high)
        if one.counter and end is not None and not isinstance(end.body, ir.Constant)
    ])  # fmt: skip

"""What reads the state of the game: attributes of things, and functions and tables that read some."""

from __future__ import annotations

from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import under


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


def attributes_read(program: ir.Program, node: Any) -> frozenset[str]:
    """The names of all attributes that a construct may read, also by what it calls, looks up and derives.

    Besides values of these, what follows from the construct may depend on which things there are.
    """
    names: set[str] = set()
    seen: set[Any] = set()
    waiting = [node]

    def visit(key: Any, further: Any) -> None:
        if key not in seen:
            seen.add(key)
            waiting.append(further)

    while waiting:
        for one in under(waiting.pop()):
            if isinstance(one, ir.Apply):
                visit(("function", one.name), program.functions[one.name])
            elif isinstance(one, ir.Lookup):
                visit(("table", one.name), program.tables[one.name])
            elif isinstance(one, ir.Call):
                visit(("mechanic", one.mechanic), program.mechanics[one.mechanic])
            elif isinstance(one, (ir.Attribute, ir.Column)) and one.name not in names:
                names.add(one.name)
                waiting += [kind.has[one.name] for kind in program.kinds.values() if one.name in kind.has]
    return frozenset(names)

"""Check the functions of a ruleset: one expression, or several with conditions."""

from __future__ import annotations

from interpreter import ir
from interpreter.checker.declarations import declarations
from interpreter.checker.declared_names import check_name
from interpreter.checker.expressions import formula
from interpreter.checker.scope import Scope
from interpreter.checker.value_steps import check_first_of
from interpreter.checker.vocabulary import type_named
from interpreter.checker.world import World, text_at
from interpreter.ir.limits import constraints_of
from interpreter.syntax.document import Broken, Entry, Mapping, Scalar


def check_function(world: World, entry: Entry) -> ir.Function | None:
    """`functions.NAME`; its expressions read only its parameters and the options."""
    node, name = entry.value, entry.key.text
    assert isinstance(node, Mapping)
    path = f"functions.{name}"
    check_name(world, entry.key, functions_too=True)
    takes, scope = declarations(world, node.get("takes"), f"{path}.takes", Scope())
    declared = node.get("type")
    expected = type_named(world, declared) if isinstance(declared, Scalar) else None
    gives = node.get("gives")
    if isinstance(node.get("takes"), Broken):
        return None
    assert gives is not None
    limits = [limit for one in takes for limit in constraints_of(one) if limit is not None]
    limit_refs = frozenset[str]().union(*(limit.refs for limit in limits))
    about = text_at(node, "about")
    if isinstance(gives, Mapping):
        cases, kind = check_first_of(world, gives, f"{path}.gives", scope, expected)
        refs = frozenset[str]().union(*(f.refs for case in cases.cases for f in (case.condition, case.value) if f))
        return ir.Function(name, tuple(takes), cases, expected or kind, path, refs | limit_refs, about)
    expression = formula(world, gives, scope, expected)
    return ir.Function(
        name, tuple(takes), expression, expected or expression.type, path, expression.refs | limit_refs, about
    )

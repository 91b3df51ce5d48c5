"""Check the claims of tables: the mechanic, its inputs, and the outcome or flag with the chance must exist.

`interpreter.testing.claims` tests whether a claim is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Names
from fractions import Fraction

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.call_arguments import accepted_type
from interpreter.checker.case_parts import names_with_chances
from interpreter.checker.expressions import formula
from interpreter.checker.scope import Binding, Bindings, Scope
from interpreter.checker.world import World
from interpreter.ir import types as t
from interpreter.syntax.document import Entry, Mapping, Scalar, entries_of, parse_share, value_at


def claims(world: World, tables: Names[str, ir.Table], mechanics: Names[str, ir.Mechanic]) -> Iterator[ir.Claim]:
    """The claims of all tables without an error; errors are reported."""
    for table in tables.values():
        node = world.section("tables")[table.name].value
        claimed = value_at(node, "claims")
        for entry in entries_of(claimed):
            claim = _claim(world, table, entry, mechanics)
            if claim is not None:
                yield claim


def _claim(world: World, table: ir.Table, entry: Entry, mechanics: Names[str, ir.Mechanic]) -> ir.Claim | None:
    node = entry.value
    mechanic, chance = (node.get("mechanic"), node.get("is")) if isinstance(node, Mapping) else (None, None)
    if not isinstance(node, Mapping) or not isinstance(mechanic, Scalar) or chance is None:
        return None
    scope = Scope(Bindings.of({name: Binding(kind) for name, kind in names_of(table).items()}))
    expression = formula(world, chance, scope, t.NUMBER)
    within, policy = _stated_tolerance(world, node), node.get("policy")
    if isinstance(policy, Scalar):
        world.refer(policy.span, "policies", policy.text)
        if policy.text not in world.section("policies"):
            world.problems.add(say.unknown_of(policy.span, "policy", policy.text, world.section("policies")))
    world.refer(mechanic.span, "mechanics", mechanic.text)
    if mechanic.text not in world.section("mechanics"):
        world.problems.add(say.unknown_of(mechanic.span, "mechanic", mechanic.text, world.section("mechanics")))
    if mechanic.text not in mechanics:
        return None
    rule = mechanics[mechanic.text]
    known = names_with_chances(rule)
    if entry.key.text in known:
        if known[entry.key.text].span is not say.NOWHERE:
            world.references[entry.key.span] = known[entry.key.text].span
    else:
        world.problems.add(say.no_such_value(entry.key.span, entry.key.text, known))
    return ir.Claim(
        table.name,
        entry.key.text,
        rule.name,
        tuple(_inputs_from_row(world, rule, node, mechanic, scope)),
        expression,
        within,
        policy.text if isinstance(policy, Scalar) else None,
        f"{table.path}.claims.{entry.key.text}",
    )


def names_of(table: ir.Table) -> dict[str, t.Type]:
    """The names that a claim may read, with their types: the keys of a row, and its value."""
    return {**dict(zip(("row", "column"), table.keys, strict=False)), "value": table.type}


def _inputs_from_row(
    world: World, rule: ir.Mechanic, node: Mapping, mechanic: Scalar, scope: Scope
) -> Iterator[tuple[str, ir.Formula]]:
    """The inputs of the mechanic, from a row. Unknown and missing inputs are reported."""
    wanted = {one.name: one for one in rule.inputs}
    values = node.get("given")
    for entry in entries_of(values):
        one = wanted.pop(entry.key.text, None)
        if one is None:
            names = [one.name for one in rule.inputs]
            world.problems.add(say.unknown_input(entry.key.span, entry.key.text, rule.name, names))
            continue
        world.references[entry.key.span] = one.span
        yield one.name, formula(world, entry.value, scope, accepted_type(one))
    for one in wanted.values():
        if one.required:
            world.problems.add(say.missing_key(mechanic.span, one.name, f"`{rule.name}`"))


def _stated_tolerance(world: World, node: Mapping) -> Fraction:
    """The largest difference allowed between a printed chance and the exact one; 0 by default."""
    within = node.get("within")
    if not isinstance(within, Scalar):
        return Fraction(0)
    off = parse_share(within.text)
    if off is None or not 0 <= off < 1:
        world.problems.add(say.wrong_type(within.span, "a share such as `1/100` or `0.005`", f"`{within.text}`"))
    return off or Fraction(0)

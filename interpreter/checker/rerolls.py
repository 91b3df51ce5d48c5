"""Check rerolls: which dice are thrown again, in what order, and the whole roll that they come from.

The value of a reroll is the whole roll, whatever part of it is named: `{reroll: "lowest(two, 1)"}` gives both dice. The
roll is found in the text, through what selects dice and through the steps that are named.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.die_faces import check_face
from interpreter.checker.expressions.unthrown import name_read
from interpreter.checker.scope import Scope
from interpreter.checker.step_keys import error_formula, expression_at, optional_at
from interpreter.checker.world import World
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.die_identity import DieUses
from interpreter.ir.state_reads import any_reads_state
from interpreter.ir.traversal import inner_expressions, map_children
from interpreter.syntax.document import Mapping

Whole = ir.Expr | say.NoRoll
"""The whole roll that dice come from, or why there is none."""

SELECTS = ("highest", "lowest", "first", "last", "item", "only", "ordered", "reversed", "without", "common")
"""The functions that give dice of the roll which is their first argument."""


def check_reroll(world: World, node: Mapping, scope: Scope) -> tuple[ir.Reroll, t.Type]:
    """`reroll`: the step, and the type of the whole roll."""
    if _names_a_row(world, node, scope):
        world.problems.add(say.no_single_roll(node.by_key["reroll"].value.span, say.NoRoll.ROW))
        return ir.Reroll(error_formula(node.span)), t.ANYTHING
    named = expression_at(world, node, "reroll", scope, t.Roll())
    most = optional_at(world, node, "most", scope, t.NUMBER)
    to = optional_at(world, node, "to", scope, t.NUMBER)
    if isinstance(named.type, t.Anything):
        return ir.Reroll(named, None, most, None, to), t.ANYTHING
    whole = _RollSearch(world, scope).whole_roll(named.body)
    if not isinstance(whole, say.NoRoll) and isinstance(whole.type, t.Maybe):
        whole = say.NoRoll.HIDDEN
    if isinstance(whole, say.NoRoll):
        world.problems.add(say.no_single_roll(named.span, whole))
        return ir.Reroll(named, None, most, None, to), t.ANYTHING
    action = _as_ordered_reroll(world.die_uses, ir.Reroll(_formula_of_part(named, whole), named, most, None, to))
    if action.which is not None and action.which.body is whole:
        action = replace(action, which=None)
    if isinstance(whole.type, t.Roll) and whole.type.thrown_once:
        world.problems.add(say.never_thrown_anew(named.span))
    check_face(world, action, scope)
    world.die_uses.rerolls.append(action)
    return action, whole.type


def _names_a_row(world: World, node: Mapping, scope: Scope) -> bool:
    """Whether the dice of a reroll are named by a step that is the row of a table to which they come."""
    if not world.rows_of_dice:
        return False
    with world.silent_pass():
        named = expression_at(world, node, "reroll", scope, None)
    tree = named.tree or ast.Constant(None)
    bound = [scope.names.get(one.id) for one in ast.walk(tree) if isinstance(one, ast.Name)]
    return any(one is not None and one.span in world.rows_of_dice for one in bound)


def _formula_of_part(expression: ir.Formula, body: ir.Expr) -> ir.Formula:
    """A formula of an expression that a formula holds, or that follows from it."""
    return replace(expression, body=body, type=body.type, span=body.span)


def _as_ordered_reroll(uses: DieUses, action: ir.Reroll) -> ir.Reroll:
    """A reroll of `first(dice by -size, 2)` as one of at most two dice, in that order.

    So it need not be known which of all dice come first, but only which of those that are equal in what sorts them.
    """
    assert action.which is not None
    which, body = action.which, action.which.body
    while isinstance(body, ir.Converted):
        body = body.of
    if isinstance(body, ir.Builtin) and body.name == "first" and len(body.arguments) == 2 and action.most is None:
        of, number = body.arguments
        if isinstance(of, ir.Sorted | ir.Filtered | ir.RollPart | ir.Local) and isinstance(of.type, t.Roll):
            uses.take_back(body)
            action = replace(action, which=_formula_of_part(which, of), most=_formula_of_part(which, number))
            body = of
    if isinstance(body, ir.Sorted):
        uses.take_back(body)
        return replace(action, which=_formula_of_part(which, body.of), by=_formula_of_part(which, body.key))
    return action


def note_rolls(world: World, step: ir.Step, scope: Scope, named: Span) -> None:
    """Record of a step that is some dice of a roll which whole roll that is; `named` is the place of its name."""
    world.whole_rolls.pop(named, None)
    bodies = _expressions_of_value(step)
    if not bodies or not all(_is_dice(one) for one in bodies):
        return
    search = _RollSearch(world, scope)
    wholes = [search.whole_roll(one) for one in bodies]
    selected = isinstance(step.action, ir.Choose)
    if not selected and all(one is _without_conversions(body) for one, body in zip(wholes, bodies, strict=True)):
        return  # it is a whole roll itself, perhaps one of several
    first = wholes[0]
    if not isinstance(first, say.NoRoll):
        before = any(not isinstance(one, say.NoRoll) and _reads_before(one, scope) for one in wholes)
        if before and scope.binding_before(step.name, named):
            return  # what it was in the pass before is gone: the roll is what it has become
        same = all(not isinstance(one, say.NoRoll) and _are_same(first, one) for one in wholes)
        first = first if same and not any_reads_state(first) else say.NoRoll.SEVERAL
    world.whole_rolls[named] = first


def note_elements(world: World, among: ir.Expr, scope: Scope, named: Span) -> None:
    """Record of a name that stands for one die after the other of a roll which roll that is."""
    if isinstance(t.without_maybe(among.type), t.Roll):
        world.whole_rolls[named] = _RollSearch(world, scope).whole_roll(among)


def _expressions_of_value(step: ir.Step) -> list[ir.Expr]:
    """The expressions of which a step gives one, or some dice; none of a step that throws, or changes in stages."""
    match step.action:
        case ir.Let(formula):
            bodies = [formula.body]
        case ir.FirstOf(cases):
            bodies = [case.value.body for case in cases]
        case ir.Choose(among=ir.Formula() as among):
            bodies = [among.body, *([step.action.default.body] if step.action.default is not None else [])]
            bodies = [one for one in bodies if not _is_nothing(one)]
        case _:
            return []
    return bodies if step.instead is None else [*bodies, step.instead.body]


def _is_nothing(expr: ir.Expr) -> bool:
    """Whether an expression is `[]`, which has no dice."""
    expr = _without_conversions(expr)
    return (isinstance(expr, ir.Constant) and expr.value == ()) or (isinstance(expr, ir.ListLiteral) and not expr.items)


def _is_dice(expr: ir.Expr) -> bool:
    kind = t.without_maybe(_without_conversions(expr).type)
    return isinstance(kind, (t.Roll, t.ThrownDie)) or t.is_dice_on_the_table(kind)


def _without_conversions(expr: ir.Expr) -> ir.Expr:
    """An expression without the conversions of its form."""
    while isinstance(expr, ir.Converted):
        expr = expr.of
    return expr


def _reads_before(expr: ir.Expr, scope: Scope) -> bool:
    """Whether an expression reads what a carried step was in the pass before."""
    if isinstance(expr, ir.Local):
        return expr.name not in scope.names
    return any(_reads_before(one, scope) for one in inner_expressions(expr))


def _are_same(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether two expressions are one roll: the same name, or the same field of the same."""
    if isinstance(one, ir.Local) and isinstance(other, ir.Local):
        return one.name == other.name
    if isinstance(one, ir.Field | ir.Attribute) and isinstance(other, ir.Field | ir.Attribute):
        return one.name == other.name and _are_same(one.of, other.of)
    return one is other


class _RollSearch:
    """The search for the whole roll that dice come from, at a place with a scope."""

    def __init__(self, world: World, scope: Scope) -> None:
        self.world, self.scope = world, scope

    def whole_roll(self, expr: ir.Expr) -> Whole:
        """The whole roll that dice come from."""
        match expr:
            case ir.Converted(of):
                return self.whole_roll(of)
            case ir.Filtered(of) | ir.Sorted(of) | ir.RollPart(of):
                return self.whole_roll(of)
            case ir.Builtin(name, (of, *_)) if name in SELECTS and isinstance(
                _without_conversions(of).type, t.Roll | t.ThrownDie
            ):
                return self.whole_roll(of)
            case ir.Local() | ir.Field():
                return self.roll_of_name(expr)
            case ir.Joined(left, right):
                return self.roll_of_two(expr, left, right, say.NoRoll.JOINED)
            case ir.Conditional(_, left, right) | ir.Otherwise(left, right):
                return self.roll_of_two(expr, left, right, None)
            case ir.Apply(name, arguments):
                return self.roll_of_call(expr, name, arguments)
        return (
            expr if isinstance(t.without_maybe(expr.type), t.Roll) and not _gathers_rolls(expr) else say.NoRoll.LISTED
        )

    def roll_of_two(self, expr: ir.Expr, left: ir.Expr, right: ir.Expr, both: say.NoRoll | None) -> Whole:
        """The one roll of the dice of two expressions; without `both`, only one of these has a value."""
        if not isinstance(expr, ir.Otherwise) and (_is_nothing(left) or _is_nothing(right)):
            return self.whole_roll(right if _is_nothing(left) else left)
        ours, theirs = self.whole_roll(left), self.whole_roll(right)
        if isinstance(ours, say.NoRoll) or isinstance(theirs, say.NoRoll):
            return ours if isinstance(ours, say.NoRoll) else theirs
        if _are_same(ours, theirs):
            return ours
        if both is not None:
            return both
        if ours is _without_conversions(left) and theirs is _without_conversions(right):
            return expr
        return say.NoRoll.SEVERAL

    def roll_of_name(self, expr: ir.Local | ir.Field) -> Whole:
        """The whole roll of a name, or of a field of a record, such as what a call has named."""
        if isinstance(expr, ir.Local) and expr.name not in self.scope.names:
            return expr  # a carried step as it was in the pass before
        named = name_read(expr)
        declared = self.world.references.get(named) if named is not None else None
        whole = self.world.whole_rolls.get(declared) if declared is not None else None
        if whole is None:
            kind = t.without_maybe(expr.type)
            return expr if isinstance(kind, t.Roll) and not _gathers_rolls(expr) else say.NoRoll.LISTED
        if isinstance(whole, say.NoRoll):
            return whole
        record = t.without_maybe(expr.of.type) if isinstance(expr, ir.Field) else None
        return self.roll_as_read_here(whole, expr, record if isinstance(record, t.Record) else None)

    def roll_as_read_here(self, whole: ir.Expr, reader: ir.Local | ir.Field, record: t.Record | None) -> Whole:
        """A roll as it is read here: a step of what was called, or of a group, by way of its record."""
        if isinstance(whole, ir.Local):
            declared = self.world.references.get(whole.span)
            here = self.scope.names.get(whole.name)
            if here is not None and here.span == declared:
                return whole
            if here is None and any(one.span == declared for one in self.scope.names.values()):
                return whole  # a carried step as it was in the pass before, in the same pass
            if record is not None and isinstance(reader, ir.Field) and record.named_at(whole.name) == declared:
                return ir.Field(reader.of, whole.name, record.field(whole.name) or t.ANYTHING, reader.span)
            return say.NoRoll.HIDDEN
        if isinstance(whole, ir.Constant):
            return whole
        parts = [self.roll_as_read_here(one, reader, record) for one in inner_expressions(whole)]
        kept = [one for one in parts if not isinstance(one, say.NoRoll)]
        if len(kept) < len(parts):
            return say.NoRoll.HIDDEN
        rest = iter(kept)
        made: ir.Expr = map_children(whole, lambda _: next(rest))
        return made

    def roll_of_call(self, expr: ir.Expr, name: str, arguments: tuple[ir.Expr, ...]) -> Whole:
        """The whole roll of dice that a function of the ruleset gives, by way of what it takes."""
        function = self.world.function(name)
        if function is None or not isinstance(function.gives, ir.Formula):
            return say.NoRoll.HIDDEN
        takes = [one.name for one in function.takes]
        given = dict(zip(takes, arguments, strict=True))
        return self.whole_roll(_replace_locals(function.gives.body, lambda one: given.get(one.name, one)))


def _replace_locals(expr: ir.Expr, by: Callable[[ir.Local], ir.Expr]) -> ir.Expr:
    if isinstance(expr, ir.Local):
        return by(expr)
    made: ir.Expr = map_children(expr, lambda one: _replace_locals(one, by))
    return made


def _gathers_rolls(expr: ir.Expr) -> bool:
    """Whether an expression puts the rolls of several passes or things together."""
    return isinstance(expr, ir.Column)

"""The slip of dice that are read as a number though nobody has thrown them, and where they are to be thrown."""

from __future__ import annotations

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.vocabulary import die_named
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.syntax.document import Mapping

GROUP = "steps"
"""The name of the record that a group of steps gives."""


def unthrown_dice_slip(world: World, expr: ir.Expr, reading: str | None) -> Diagnostic:
    """The slip of dice that are not thrown and that `reading`, a function such as `sum`, reads as a number.

    It is told where a step names the dice, since that is what lacks its `roll`; where another step throws these dice,
    where they are read, since the wrong name is read there.
    """
    kind = t.without_maybe(expr.type)
    how = say.UnthrownDice(isinstance(kind, t.SingleDie), isinstance(kind, t.List), reading, not _has_own_faces(world))
    names = _dice_names(expr) or []
    declared = declaration_of(world, names[0]) if len(names) == 1 else None
    if declared in world.throws:
        return say.thrown_elsewhere(expr.span, how, names[0].span, world.throws[declared])
    named = _first_named(world, names)
    if named is None or how.listed or (_is_of_base(world, named[1].span) and not _is_of_base(world, expr.span)):
        in_function = declared is not None and _is_parameter(world, declared)
        return say.not_thrown(expr.span, how, _whole_pool(expr).span, in_function)
    step, dice = named
    return say.only_named(dice.span, how, step.text, expr.span, dice.span.source is not step.source)


def _whole_pool(expr: ir.Expr) -> ir.Expr:
    """The dice of which an expression selects some: those are thrown, and then some of what they show is selected."""
    match expr:
        case ir.Converted(of) | ir.Filtered(of) | ir.Sorted(of):
            return _whole_pool(of)
        case ir.Builtin("highest" | "lowest" | "first" | "last" | "without" | "ordered" | "reversed", (of, *_)):
            return _whole_pool(of) if t.is_unthrown(of.type) and not isinstance(of.type, t.List) else expr
    return expr


def _first_named(world: World, names: list[ir.Expr]) -> tuple[Span, ir.Formula] | None:
    """The one step from which the dice of some names come, its name and what names them; None where there is not one.

    `kept: highest(pool, 2)` has its dice from `pool`, where they should have been thrown.
    """
    waiting, seen = [*names], set[Span]()
    first: dict[Span, ir.Formula] = {}
    while waiting:
        declared = declaration_of(world, waiting.pop())
        step = world.pools.get(declared) if declared is not None else None
        if declared is None or step is None:
            return None
        if declared in seen:
            continue
        seen.add(declared)
        chosen = [_dice_names(formula.body) for formula in _formulas_of_value(step)]
        if all(chosen) and chosen:
            waiting += [one for several in chosen for one in several or ()]
        elif isinstance(step, ir.Let):
            first[declared] = step.formula
        else:
            return None
    return next(iter(first.items())) if len(first) == 1 else None


def _formulas_of_value(step: ir.StepBody) -> list[ir.Formula]:
    """The formulas of which a step has the value of one."""
    if isinstance(step, ir.FirstOf):
        return [case.value for case in step.cases]
    return [step.formula] if isinstance(step, ir.Let) else []


def _dice_names(expr: ir.Expr) -> list[ir.Expr] | None:
    """The names of the dice of which an expression gives some; None where it gives other dice, such as `2d6`."""
    whole = _whole_pool(expr)
    match whole:
        case ir.Local() | ir.Field() | ir.Attribute() | ir.Option():
            return [whole]
        case ir.Conditional(_, left, right) | ir.Otherwise(left, right):
            ours, theirs = _dice_names(left), _dice_names(right)
            return ours + theirs if ours is not None and theirs is not None else None
    return None


def _is_of_base(world: World, place: Span) -> bool:
    """Whether a place is in what a house rule extends."""
    return place.source.name in world.lower


def _is_parameter(world: World, declared: Span) -> bool:
    """Whether a name that is declared at a place is what a function takes."""
    takes = [one.value.get("takes") for one in world.section("functions").values() if isinstance(one.value, Mapping)]
    return any(entry.key.span == declared for one in takes if isinstance(one, Mapping) for entry in one.entries)


def declaration_of(world: World, expr: ir.Expr) -> Span | None:
    """The place of the name that an expression reads, of a step, an input or the like; None for anything else."""
    while isinstance(expr, ir.Converted):
        expr = expr.of
    if isinstance(expr, ir.Field) and not (isinstance(expr.of.type, t.Record) and expr.of.type.name == GROUP):
        return None
    named = name_read(expr)
    return world.references.get(named) if named is not None else None


def name_read(expr: ir.Expr) -> Span | None:
    """The place where an expression reads a name, at its end; None for what is neither a name nor a field."""
    match expr:
        case ir.Local():
            return expr.span
        case ir.Field(of, name) if isinstance(t.without_maybe(of.type), t.Record):
            return expr.span.part(len(expr.span.text) - len(name), len(expr.span.text))
    return None


def _has_own_faces(world: World) -> bool:
    """Whether the ruleset declares dice with faces of their own, whose size is not the most that they show."""
    dice = [die_named(world, name) for name in world.section("dice")]
    return any(die.faces for die in dice if die is not None)

"""Mutants: programs with one deliberate error, such as a construct negated or dropped, which a case should notice.

A mutant differs from the program of the ruleset in one construct. A node of the program is changed there; what the
checker copies into many nodes (comparators, rounding, ladders) is changed in the tree of the ruleset, which is then
checked again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, assert_never

from interpreter import checker, ir
from interpreter.checker.declared_names import comparators_of
from interpreter.checker.world import World
from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import NOWHERE
from interpreter.ir import types as t
from interpreter.ir.traversal import children, map_children
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence, items_of
from interpreter.values import Die

_OPPOSITE = {
    "at least": "less than",
    "less than": "at least",
    "more than": "at most",
    "at most": "more than",
    "equal to": "more than",
}
_NEXT_ROUNDING = {"down": "up", "up": "down", "nearest": "down"}


def mutants(program: ir.Program, world: World, path: str) -> Iterator[tuple[ir.Program, World]]:
    """The programs with one error in the construct at `path`, each with its world.

    There are none where the construct cannot be wrong.
    """
    if path == "rounding" or path.split(".")[0] in ("comparators", "ladders", "dice"):
        yield from _declaration_mutants(world, path)
        return
    if path.startswith("reactions.") and path.count(".") == 1:
        for late in _with_reaction_moved(program, program.reactions.get(path.split(".")[1])):
            yield late, world
    if path.startswith("action_kinds."):
        for shared in _action_kind_mutants(program, *path.split(".")[1:3]):
            yield shared, world
    found = _find(program, path)
    while found is None and "." in path:
        path = path.rsplit(".", 1)[0]
        found = _find(program, path)
    if found is not None:
        for changed in _wrong_nodes(found, path):
            yield _replace_node(program, found, changed), world


# Nodes of the program --------------------------------------------------------------------------------------------


def _with_reaction_moved(program: ir.Program, one: ir.Reaction | None) -> Iterator[ir.Program]:
    """The program in which a reaction comes after its event in place of before it, or before in place of after."""
    if one is None or (not one.before and any(program.events[event].type.fields for event in one.events)):
        return  # a reaction before an event cannot read its values
    yield _replace_node(program, one, replace(one, before=not one.before))


def _action_kind_mutants(program: ir.Program, kind: str, what: str = "") -> Iterator[ir.Program]:
    """The programs in which all actions of a kind have other upgrades, no prices, or no limit."""
    own = {name: action for name, action in program.actions.items() if action.kind == kind}
    ups = {
        name: action
        for name, action in program.actions.items()
        if action.upgrade is not None and action.upgrade.to == kind
    }
    if what == "upgrade":
        for change in ({"waives": ()}, {"counts_as": _constant(0)}, {"limit": None}):
            wrong = {
                name: replace(action, upgrade=replace(action.upgrade, **change))
                for name, action in own.items()
                if action.upgrade
            }
            yield replace(program, actions={**program.actions, **wrong})
        return
    free = {name: replace(action, costs=()) for name, action in own.items() if action.costs}
    often = {name: replace(action, limit=None) for name, action in own.items() if action.limit}
    often |= {
        name: replace(action, upgrade=replace(action.upgrade, limit=None))
        for name, action in ups.items()
        if action.upgrade
    }
    for wrong in (free, often):
        if wrong:
            yield replace(program, actions={**program.actions, **wrong})


def _find(program: ir.Program, path: str) -> Any:
    """The node with a path, None where no node has it."""
    stack: list[Any] = [program]
    while stack:
        here = stack.pop()
        if getattr(here, "path", None) == path and not isinstance(here, ir.Citation):
            return here
        if not isinstance(here, ir.Formula):
            stack += reversed(children(here))
    return None


def _replace_node(node: Any, old: Any, new: Any) -> Any:
    """The tree with one node exchanged; unchanged parts are shared."""
    if node is old:
        return new
    return node if isinstance(node, ir.Formula) else map_children(node, lambda one: _replace_node(one, old, new))


def _wrong_nodes(node: Any, path: str) -> Iterator[Any]:
    match node:
        case ir.Step():
            yield from _wrong_step(node, in_stages=path.split(".")[-2:-1] == ["then"])
        case ir.Outcome(condition=condition):
            yield replace(node, condition=make_wrong(condition) if condition else _constant(False))
        case ir.FirstOfCase(condition=condition, value=value):
            yield replace(node, condition=_constant(False)) if condition else replace(node, value=make_wrong(value))
        case ir.Also(reading=ir.Formula() as reading):
            yield replace(node, reading=make_wrong(reading))
        case ir.Requirement():
            yield replace(node, condition=_constant(True))
        case ir.Declaration():
            yield from _wrong_declaration(node)
        case ir.HeldAttribute():
            yield from _wrong_holding(node)
        case ir.Cost(amount=amount):
            yield replace(node, amount=make_wrong(amount))
            yield replace(node, amount=_constant(0))
        case ir.UseLimit(times=times):
            yield replace(node, times=make_wrong(times))
        case ir.Function(gives=ir.Formula() as gives):
            yield replace(node, gives=make_wrong(gives))
        case ir.Function(gives=ir.FirstOf(cases=cases)):
            yield replace(node, gives=ir.FirstOf(cases[-1:]))
        case ir.Table(rows=rows, off=off):
            yield replace(node, rows=tuple(map(_wrong_row, rows)))
            if isinstance(off, ir.Formula):
                yield replace(node, off=make_wrong(off))
        case ir.TableRow():
            yield _wrong_row(node)
        case ir.Modifier():
            yield replace(node, adds=())
        case ir.Phase():
            yield replace(node, steps=())
        case ir.SortKey(way=way):
            yield replace(node, way="random", formula=None) if way != "random" else replace(node, way="none")
        case ir.Kind(has=has, requires=requires):
            for name, one in has.items():
                for changed in _wrong_holding(one):
                    yield replace(node, has={**has, name: changed})
            for wanted in requires:
                yield replace(node, requires=tuple([one for one in requires if one is not wanted]))
        case ir.Mechanic():
            dropped = ir.Requirement("dropped", _constant(False), f"{path}.requires.dropped")
            yield replace(node, requires=(dropped,))


def _wrong_declaration(node: ir.Declaration) -> Iterator[ir.Declaration]:
    if node.low or node.high or node.where:
        yield replace(node, low=None, high=None, where=None)
    if node.among is not None:
        yield replace(node, among=None)
    if node.default is not None:
        yield replace(node, default=make_wrong(node.default))


def _wrong_holding(one: ir.HeldAttribute) -> Iterator[ir.HeldAttribute]:
    """What a thing has: without a bound, begun otherwise, lasting for good, with nothing that follows."""
    declared = one.declared
    if one.derived is not None:
        yield replace(one, derived=make_wrong(one.derived))
    elif one.counter:
        if declared.high is not None:
            yield replace(one, declared=replace(declared, high=None))
        if declared.low is not None and not isinstance(declared.low.body, ir.Constant):
            yield replace(one, declared=replace(declared, low=None))
        if one.starts is not None:
            yield replace(one, starts=_other_start(one.starts, declared.low))
    else:
        yield from (replace(one, declared=wrong) for wrong in _wrong_declaration(declared))
    if one.lasts is not None:
        yield replace(one, lasts=None)
    if one.refuses:
        yield replace(one, refuses=False)
    if one.when_full:
        yield replace(one, when_full=())
    if one.when_hit_full:
        yield replace(one, when_hit_full=())
    if one.when_empty:
        yield replace(one, when_empty=())


def _other_start(starts: ir.Formula, low: ir.Formula | None) -> ir.Formula:
    """One less to begin with, or one more where that is the least there can be."""
    same = low is None or _number(low) == _number(starts)
    less = ir.Arithmetic("-", starts.body, _constant(1).body, t.NUMBER, starts.span)
    return make_wrong(starts) if same else replace(starts, body=less)


def _number(formula: ir.Formula) -> Any:
    return formula.body.value if isinstance(formula.body, ir.Constant) else formula.span


def _wrong_row(row: ir.TableRow) -> ir.TableRow:
    value = row.value
    return replace(row, value=make_wrong(value) if isinstance(value, ir.Formula) else tuple(map(_wrong_row, value)))


def _wrong_step(step: ir.Step, in_stages: bool) -> Iterator[ir.Step]:
    if in_stages:
        yield replace(step, condition=_constant(False), instead=None)
        return
    if isinstance(step.action, (ir.Assign, ir.Include, ir.Exclude, ir.Destroy, ir.ChangeEvent, ir.CancelEvent)):
        yield replace(step, condition=_constant(False))
    instead = step.action.default if isinstance(step.action, ir.Choose) else step.instead
    for action in _wrong_action(step.action):
        yield replace(step, action=action, instead=instead)  # the value of a skipped choice is its default
    if step.condition is not None:
        yield replace(step, condition=make_wrong(step.condition))


def _wrong_action(action: ir.StepBody) -> Iterator[ir.StepBody]:
    match action:
        case ir.Let(formula):
            yield ir.Let(make_wrong(formula))
        case ir.RollDice(parts, again=again, counts=counts):
            if again is not None:
                yield replace(action, again=None)
            if counts is not None:
                yield replace(action, counts=None)
            yield replace(action, parts=tuple((name, make_wrong(pool)) for name, pool in parts))
        case ir.Reroll():
            yield replace(action, most=_constant(0))
        case ir.Place(showing=showing):
            yield replace(action, showing=make_wrong(showing))
        case ir.Raise():
            yield replace(action, by=_constant(0))
        case ir.Stages(start, then, _, reads_row):
            kept = then[-1:] if reads_row else ()
            yield replace(action, then=kept) if then != kept else action
            for begun in _wrong_action(start):
                yield replace(action, start=begun)
        case ir.Repeat(keep=keep):
            if keep:
                yield replace(action, keep=("highest" if keep[0] == "lowest" else "lowest", keep[1]))
            yield replace(action, times=_constant(1))
        case ir.Pair(ours=ours):
            yield replace(action, ours=make_wrong(ours))
        case ir.Compare(lines):
            yield replace(action, lines=tuple((name, theirs, ours, ranks) for name, ours, theirs, ranks in lines))
        case ir.Choose(default=default):
            if action.together is not None:
                yield replace(action, together=None)
            yield ir.Let(default if default is not None else _BROKEN)
        case ir.FirstOf(cases):
            yield ir.FirstOf(cases[-1:])
        case ir.Call():
            yield ir.Let(_BROKEN)
        case ir.StepGroup() | ir.End():
            yield ir.Let(_constant(None))
        case ir.ForEach(among=among, where=where):
            yield replace(action, among=make_wrong(among))
            if where is not None:
                yield replace(action, where=None)
        case ir.ChooseEach(choice=choice, budget=budget):
            yield ir.Let(choice.default if choice.default is not None and not action.asked else _BROKEN)
            if budget is not None:
                yield replace(action, budget=_constant(0))
        case ir.Order(of, keys):
            yield ir.Let(of)
            for place, key in enumerate(keys):
                if len(keys) > 1:
                    yield replace(action, keys=(*keys[:place], *keys[place + 1 :]))
                if key.way != "random":
                    turned = replace(key, way="low" if key.way == "high" else "high")
                    yield replace(action, keys=(*keys[:place], turned, *keys[place + 1 :]))
        case (
            ir.Shift()
            | ir.Pay()
            | ir.Assign()
            | ir.Include()
            | ir.Exclude()
            | ir.Make()
            | ir.Destroy()
            | ir.Cause()
            | ir.Act()
            | ir.Offer()
            | ir.ChangeEvent()
            | ir.CancelEvent()
            | ir.Turn()
            | ir.Draw()
            | ir.Put()
            | ir.Take()
        ):
            yield from _wrong_effect(action)
        case _:
            assert_never(action)


def _wrong_effect(effect: ir.Effect) -> Iterator[ir.StepBody]:
    """What changes things that last: by one more, not at all, the other way, with another value."""
    match effect:
        case ir.Shift(amount, _, down):
            yield replace(effect, amount=make_wrong(amount))
            yield replace(effect, amount=_constant(0))
            yield replace(effect, down=not down)
        case ir.Pay(amount):
            yield replace(effect, amount=make_wrong(amount))
            yield replace(effect, amount=_constant(0))
        case ir.Assign(_, value):
            yield replace(effect, value=make_wrong(value))
        case ir.Include(value, _, lasts):
            yield replace(effect, value=make_wrong(value))
            if lasts is not None:
                yield replace(effect, lasts=None)
        case ir.Exclude(value):
            yield replace(effect, value=make_wrong(value))
        case ir.Make() | ir.Destroy():
            yield ir.Let(_BROKEN)
        case ir.Cause(_, given):
            yield ir.Let(_BROKEN)
            if effect.later is not None:
                yield replace(effect, later=None)
            for name, value in given:
                if isinstance(t.without_maybe(value.type), t.Number):
                    others = tuple((key, make_wrong(one) if key == name else one) for key, one in given)
                    yield replace(effect, given=others)
        case ir.Act():
            yield ir.Let(_BROKEN)
        case ir.Offer():
            yield replace(effect, actions=())
            yield replace(effect, most=_constant(1))
        case ir.ChangeEvent(given):
            yield ir.ChangeEvent(tuple((name, make_wrong(value)) for name, value in given))
        case ir.CancelEvent():
            yield ir.ChangeEvent(())
        case ir.Turn(_, steps):
            yield ir.StepGroup(steps)
        case ir.Draw(number, _, refill):
            yield replace(effect, number=make_wrong(number))
            if refill is not None:
                yield replace(effect, refill=None)
        case ir.Put() | ir.Take():
            yield ir.Let(_BROKEN)
        case _:
            assert_never(effect)


# Formulas --------------------------------------------------------------------------------------------------------


def _constant(value: Any) -> ir.Formula:
    kind: t.Type = t.YES_NO if isinstance(value, bool) else t.NUMBER if isinstance(value, int) else t.Maybe(t.ANYTHING)
    return ir.Formula(ir.Constant(value, kind, NOWHERE), kind, NOWHERE)


_BROKEN = ir.Formula(
    ir.Quotient(_constant(1).body, _constant(0).body, "down", True, t.NUMBER, NOWHERE), t.NUMBER, NOWHERE
)
"""A formula whose evaluation fails."""

_NOTHING_HAPPENED = ir.Formula(ir.Constant({"happened": False}, t.ANYTHING, NOWHERE), t.ANYTHING, NOWHERE)
"""The value of a cancelled event."""


def make_wrong(formula: ir.Formula) -> ir.Formula:
    """The formula made wrong: negated, one larger, another word, or empty."""
    body, span = formula.body, formula.span
    match t.without_maybe(formula.type):
        case t.YesNo():
            wrong: ir.Expr = ir.Not(body, t.YES_NO, span)
        case t.Number():
            wrong = ir.Arithmetic("+", body, _constant(1).body, t.NUMBER, span)
        case t.DiceCode():
            wrong = ir.Arithmetic("+", body, _constant(1).body, t.DiceCode(), span)
        case t.Word(_, words) as kind if len(words) > 1:
            first, second = (ir.Constant(word, kind, span) for word in words[:2])
            same = ir.Relation("==", body, first, None, t.YES_NO, span)
            wrong = ir.Conditional(same, second, first, kind, span)
        case t.SingleDie() if isinstance(body, ir.Constant) and isinstance(body.value, Die):
            wrong = ir.Constant(body.value._replace(size=body.value.size + 2), t.SingleDie(), span)
        case t.Dice() | t.Roll() | t.List() as kind:
            listed = body.items if isinstance(body, ir.ListLiteral) else None
            if listed == () or (isinstance(body, ir.Constant) and body.value == ()):
                wrong = _BROKEN.body
            else:
                wrong = ir.Builtin("first", (body, _constant(0).body), kind, span)
        case _:
            wrong = _BROKEN.body
    return replace(formula, body=wrong)


# The ruleset as written ------------------------------------------------------------------------------------------


def _declaration_mutants(world: World, path: str) -> Iterator[tuple[ir.Program, World]]:
    section, _, rest = path.partition(".")
    name = rest.split(".")[0]
    root, sections = world.root, world.sections
    if section == "rounding":
        entry = Entry(root.key("rounding"), _scalar_like(_NEXT_ROUNDING[world.rounding], root.by_key["rounding"].value))
        entries = {**root.by_key, "rounding": entry}
        root = Mapping(tuple(entries.values()), root.span, entries)
    else:
        before = sections[section][name]
        changed = _change_node(section, before.value, comparators_of(world).get(name, ""))
        sections = {**sections, section: {**sections[section], name: Entry(before.key, changed)}}
    again = World(sections, world.cases, Problems(), root, world.checks, world.sources, world.lower)
    program = checker.check(again)
    if not again.problems.errors:
        yield program, again


def _scalar_like(text: str, like: Node) -> Scalar:
    return Scalar(text, like.span)


def _change_node(section: str, node: Node, relation: str) -> Node:
    if section == "comparators":
        return _scalar_like(_OPPOSITE[relation], node)
    listed = node.get("rungs" if section == "ladders" else "faces") if isinstance(node, Mapping) else node
    items = [e.key for e in listed.entries] if isinstance(listed, Mapping) else list(items_of(listed))
    inner = Sequence(tuple(items[1:] if section == "dice" else _lower_first(items)), node.span)
    if not isinstance(node, Mapping):
        return inner
    key = "rungs" if section == "ladders" else "faces"
    entries = {**node.by_key, key: Entry(node.key(key), inner)}
    return Mapping(tuple(entries.values()), node.span, entries)


def _lower_first(rungs: list[Any]) -> list[Any]:
    """A ladder gone wrong: words the other way round, dice without the lowest but one."""
    is_dice = isinstance(rungs[0], Scalar) and rungs[0].text[:1] == "d" and rungs[0].text[1:].isdigit()
    return [rungs[0], *rungs[2:]] if is_dice else rungs[::-1]

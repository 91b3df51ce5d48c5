"""Readings of the dice of passes, taken within each pass.

Of six passes that each roll a die, `count(six.die where face >= 15)` and `count(six where it.die >= 15)` read no more
than whether the die of a pass shows 15. A hidden step at the end of the pass computes that, and what later steps read
of the passes is a number or a truth of each: a kernel computes its law, whatever the author's spelling.

A pass that rolls one die has one value, so every reading of the column `six.die` is one of that number. Of several dice
in a pass, a sum is the sum of the sums of the passes, a highest die the highest of those of the passes, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import is_not
from typing import Any, NamedTuple

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.failures import Fails
from interpreter.ir.passes import names_of_pass
from interpreter.ir.traversal import children, equal_apart_from_spans, inner_expressions, is_bare_quotient, map_children
from interpreter.odds.condition_numbers import PLAIN_TYPES, may_be_missing, never_missing
from interpreter.odds.inlining import all_steps
from interpreter.odds.liveness import names_in, open_slots
from interpreter.odds.matching import hidden_name
from interpreter.odds.slots import (
    binds_slot,
    is_number_of_element,
    map_in_slot,
    own_slot,
    reads_element_as_die,
    substitute_in_slot,
)
from interpreter.runtime.state import STATE


def read_within_passes(rule: ir.Mechanic, changes: Callable[[ir.Step], bool], fails: Fails) -> ir.Mechanic:
    """The mechanic with what its steps read of the dice of passes computed within each pass, where that can be.

    `changes` tells which steps may change the state: a pass then computes nothing that reads it, and nothing that
    `fails` either.
    """
    known = {one.name for one in rule.inputs if not isinstance(one.type, t.Maybe)}
    if not any(map(changes, all_steps(rule))):
        known.add(STATE)
    names = _Names(frozenset(known), frozenset(known), fails)
    steps, put = _read_steps(rule.steps, names, (rule.outcomes, rule.also))
    if steps is rule.steps:
        return rule
    return replace(rule, steps=steps, outcomes=put(rule.outcomes), also=put(rule.also))


class _Names(NamedTuple):
    """The names that steps may read, and which of them are `fixed`: the same in all runs of a question."""

    known: frozenset[str]
    fixed: frozenset[str]
    fails: Fails

    def with_more(self, names: Iterable[str]) -> _Names:
        """With names of steps besides."""
        return self._replace(known=self.known.union(names))


Put = Callable[[Any], Any]
"""Puts readings that are taken within passes into a construct."""


def _read_steps(steps: tuple[ir.Step, ...], names: _Names, after: Any) -> tuple[tuple[ir.Step, ...], Put]:
    """Steps whose passes compute what later ones read of their dice, and what puts that into a construct after them.

    `names` are those that the steps may read, and `after` is what comes after them.
    """
    made = list(steps)
    puts: list[Put] = []
    for place, step in enumerate(steps):
        inside = _read_inside(made[place], names)
        names = names.with_more(never_missing([step]))
        passes = _passes_of(inside, names)
        if passes is not None:
            rest = (tuple(made[place + 1 :]), after)
            if _read(rest, passes) is not rest:
                put = _make_put(passes)
                inside = passes.with_hidden_steps()
                made[place + 1 :] = map(put, made[place + 1 :])
                puts.append(put)
        made[place] = inside
    if not any(map(is_not, made, steps)):
        return steps, lambda node: node
    return tuple(made), lambda node: reduce(lambda so_far, put: put(so_far), puts, node)


def _read_inside(step: ir.Step, names: _Names) -> ir.Step:
    """A step whose inner steps read the dice of passes within these."""
    action = step.action
    if isinstance(action, ir.StepGroup):
        each, _ = _read_steps(action.steps, names, ())
        return step if each is action.steps else replace(step, action=replace(action, steps=each))
    if not isinstance(action, (ir.Repeat, ir.ForEach)):
        return step
    own = names_of_pass(action) if isinstance(action, ir.Repeat) else (action.name,)
    rest = tuple([one for one in children(action) if not isinstance(one, ir.Step)])
    each, put = _read_steps(action.each, names.with_more(own), rest)
    return step if each is action.each else replace(step, action=replace(put(action), each=each))


# Passes ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Passes:
    """A step with passes of which later steps read, and the `hidden` steps that each pass gets for that.

    `record` is the type of a pass, and `known` are the names that may be read in it besides those of its own steps,
    some of which are `fixed`.
    """

    step: ir.Step
    record: t.Record
    known: frozenset[str]
    fixed: frozenset[str]
    fails: Fails
    hidden: list[ir.Step] = field(default_factory=list)

    def compute(self, expr: ir.Expr) -> ir.Step:
        """The hidden step of each pass that computes an expression."""
        for one in self.hidden:
            if isinstance(one.action, ir.Let) and equal_apart_from_spans(one.action.formula.body, expr):
                return one
        name = hidden_name("read", str(len(self.hidden) + 1), "of", self.step.name)
        body = ir.Formula(expr, expr.type, expr.span)
        made = ir.Step(name, ir.Let(body), expr.type, f"{self.step.path}.{name}", expr.span)
        self.hidden.append(made)
        return made

    @property
    def type(self) -> t.Type:
        """The type of the passes with the hidden steps."""
        more = tuple([(one.name, one.type) for one in self.hidden])
        kind = self.step.type
        assert isinstance(kind, (t.List, t.Map))
        return replace(kind, of=replace(self.record, fields=(*self.record.fields, *more)))

    def with_hidden_steps(self) -> ir.Step:
        """The step, each pass of which has the hidden steps."""
        action = self.step.action
        assert isinstance(action, (ir.Repeat, ir.ForEach))
        return replace(self.step, action=replace(action, each=(*action.each, *self.hidden)), type=self.type)

    @property
    def element(self) -> ir.Element:
        """A pass, in a condition on passes."""
        return ir.Element(self.record, self.step.span)


def _passes_of(step: ir.Step, names: _Names) -> _Passes | None:
    """The passes of a step, if their dice can be read within them."""
    action, kind = step.action, step.type
    keeps_one = isinstance(action, ir.Repeat) and action.keep is not None
    if not isinstance(action, (ir.Repeat, ir.ForEach)) or keeps_one or step.condition is not None:
        return None
    if not isinstance(kind, (t.List, t.Map)) or not isinstance(kind.of, t.Record):
        return None
    own = {step.name, *[one.name for one in action.each]}
    own |= {"nth", "earlier"} if isinstance(action, ir.Repeat) else set()
    return _Passes(step, kind.of, names.known - own, names.fixed - own, names.fails)


def _make_put(passes: _Passes) -> Put:
    """What puts the readings of passes into a construct."""
    name, kind = passes.step.name, passes.type

    def with_type(node: Any) -> Any:
        if isinstance(node, ir.Local):
            return replace(node, type=kind) if node.name == name else node
        return _map(node, with_type)

    return lambda node: with_type(_read(node, passes))


def _map(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node, or each of several, with a change of its children."""
    if isinstance(node, tuple):
        several = tuple(map(change, node))
        return several if any(map(is_not, several, node)) else node
    return node if node is None else map_children(node, change)


def _read(node: Any, passes: _Passes) -> Any:
    """A construct with what it reads of the dice of passes computed within these."""
    made = _reading_within(node, passes) if isinstance(node, ir.Builtin) else None
    return _map(node, lambda one: _read(one, passes)) if made is None else made


# Readings --------------------------------------------------------------------------------------------------------

_OF_NO_DICE: Mapping[str, Any] = {"sum": 0, "count": 0, "any": False, "all": True, "highest": None, "lowest": None}
"""What a reading gives where there are no dice, by its function."""


def _reading_within(node: ir.Builtin, passes: _Passes) -> ir.Expr | None:
    """A reading of passes as one of what each pass computes; None if it is none of their dice, or stays what it is."""
    name, of = node.name, node.arguments[0] if node.arguments else None
    others = [_read(one, passes) for one in node.arguments[1:]]
    if name == "sum" and isinstance(of, ir.Builtin) and of.name in ("highest", "lowest") and len(of.arguments) == 2:
        values = _values_of(of.arguments[0], passes)
        best = None if values is None else replace(of, arguments=(values, _read(of.arguments[1], passes)))
        return None if best is None else replace(node, arguments=(best,))
    if name in ("groups", "kth"):
        values = _values_of(of, passes)
        return None if values is None else replace(node, arguments=(values, *others))
    chosen = None if name not in _OF_NO_DICE else _selection(of, passes)
    if chosen is None:
        return None
    if others:
        return _reading_of_all(node, chosen, passes) if name == "all" and len(others) == 1 else None
    if not chosen.is_of_one_value:
        return _combine(node, chosen, passes)
    found = _elements_and_value(chosen, passes)
    if found is None:
        return _combine(node, chosen, passes)
    elements, value = found
    if name == "count" or (name == "any" and (value is None or chosen.holds_dice)):
        return replace(node, arguments=(elements,))
    return None if value is None else replace(node, arguments=(_column(elements, value),))


def _reading_of_all(node: ir.Builtin, some: _Selection, passes: _Passes) -> ir.Expr | None:
    """`all(passes where …)`: the selection, and everything that it is selected from."""
    everything = _selection(node.arguments[1], passes)
    if everything is None:
        return None
    both = (some, everything)
    if all(one.is_of_one_value for one in both):
        found = [_elements_and_value(one, passes) for one in both]
        if all(one is not None for one in found):
            return replace(node, arguments=tuple([one[0] for one in found if one is not None]))
    return None if some.where or everything.where else _combine(node, some, passes, everything)


class _Selection(NamedTuple):
    """What is selected of passes: those that fulfil `where`, a field of each at a `path`, and `further` of its value.

    `base` is the list of passes.
    """

    where: tuple[ir.Expr, ...]
    path: tuple[tuple[str, t.Type], ...]
    further: tuple[ir.Expr, ...]
    base: ir.Expr

    @property
    def kind(self) -> t.Type | None:
        """The type of the field."""
        return t.without_maybe(self.path[-1][1]) if self.path else None

    @property
    def may_be_missing(self) -> bool:
        """Whether a pass may lack the field."""
        return any(isinstance(kind, t.Maybe) for _, kind in self.path)

    @property
    def holds_dice(self) -> bool:
        """Whether the field holds thrown dice."""
        return isinstance(self.kind, t.Roll)

    @property
    def is_of_one_value(self) -> bool:
        """Whether a pass has at most one value that may be selected: itself, a plain one, or a die."""
        kind = self.kind
        return isinstance(kind, PLAIN_TYPES) or kind is None or (isinstance(kind, t.Roll) and kind.single)

    def field_of(self, record: ir.Expr | None) -> ir.Expr:
        """The field of a pass; without one, as a step in the pass reads it."""
        span, at = self.base.span, record
        for name, kind in self.path:
            at = ir.Local(name, kind, span) if at is None else ir.Field(at, name, kind, span)
        assert at is not None
        return at


def _selection(expr: ir.Expr | None, passes: _Passes) -> _Selection | None:
    """What an expression selects of passes; None if it is anything else."""
    steps: list[Any] = []
    at: Any = expr
    while not _is_list_of_passes(at, passes):
        if not (isinstance(at, (ir.Filtered, ir.Column, ir.RollPart)) or _makes_dice(at)):
            return None
        steps.insert(0, at)
        at = at.of
    where: list[ir.Expr] = []
    path: list[tuple[str, t.Type]] = []
    kind: t.Type = passes.record
    while steps and isinstance(record := t.without_maybe(kind), t.Record):
        one = steps.pop(0)
        if isinstance(one, ir.Filtered) and not path:
            where.append(one.condition)
        elif isinstance(one, ir.Column) and not one.maps and (of := record.field(one.name)) is not None:
            path.append((one.name, of))
            kind = of
        else:
            return None
    return _Selection(tuple(where), tuple(path), tuple(steps), at)


def _is_list_of_passes(expr: Any, passes: _Passes) -> bool:
    if isinstance(expr, ir.Converted) and expr.to == "values":
        expr = expr.of
    return isinstance(expr, ir.Local) and expr.name == passes.step.name


def _makes_dice(expr: Any) -> bool:
    """Whether an expression is a list of thrown dice as a roll."""
    return isinstance(expr, ir.Converted) and expr.to == "dice"


# One value for each pass -----------------------------------------------------------------------------------------


def _values_of(expr: ir.Expr | None, passes: _Passes) -> ir.Expr | None:
    """A selection as a column with one number for each pass; None if there may be several, or nothing is to be done."""
    chosen = _selection(expr, passes)
    if chosen is None or not chosen.is_of_one_value:
        return None
    found = _elements_and_value(chosen, passes)
    if found is None or found[1] is None:
        return None
    return _column(found[0], found[1])


def _elements_and_value(chosen: _Selection, passes: _Passes) -> tuple[ir.Expr, ir.Expr | None] | None:
    """The passes that are selected, and the value of each as a field of it; None where dice must be read for it, or
    where a pass has no name for the value."""
    found = _conditions_and_value(chosen, passes.element)
    if found is None:
        return None
    conditions, value = found
    elements = _passes_where(conditions, chosen, passes)
    if value is not None:
        value = _within_pass(value, passes)
        if not isinstance(value, ir.Field):
            return None
    return elements, value


def _conditions_and_value(chosen: _Selection, element: ir.Expr) -> tuple[list[ir.Expr], ir.Expr | None] | None:
    """The conditions on a pass under which it is selected, and the value that is selected, both read of an `element`.

    None if words of a die are read that are no numbers.
    """
    conditions = list(chosen.where)
    if not chosen.path:
        return (conditions, None) if not chosen.further else None
    whole = chosen.field_of(element)
    if chosen.may_be_missing:
        conditions.append(_given_builtin(whole))
    value = _number_of_die(chosen, whole, "value") if chosen.holds_dice else whole
    for one in chosen.further:
        if isinstance(one, ir.Column) and chosen.holds_dice and one.name in ("face", "value"):
            value = _number_of_die(chosen, whole, one.name)
        elif isinstance(one, ir.Filtered):
            condition = _condition_on_value(chosen, one, value, whole)
            if condition is None:
                return None
            conditions.append(condition)
        elif not _makes_dice(one):
            return None
    return conditions, value


def _condition_on_value(chosen: _Selection, filtered: ir.Filtered, value: ir.Expr, whole: ir.Expr) -> ir.Expr | None:
    """A condition on a value as one on its pass; None where it reads more of a die than its numbers."""
    if own_slot(filtered) == ".die":
        if binds_slot(filtered.condition, ".it"):
            return None  # `it` would be another element there
        made = substitute_in_slot(filtered.condition, ".die", lambda one: _word_as_number(chosen, one, whole))
        return None if ".die" in open_slots(made) else made

    made = substitute_in_slot(filtered.condition, ".it", lambda one: value if is_number_of_element(one) else None)
    return None if reads_element_as_die(made) else made


def _word_as_number(chosen: _Selection, expr: ir.Expr, die: ir.Expr) -> ir.Expr | None:
    """`face` or `value` of the one die of a pass, read from outside; None for other expressions."""
    if not isinstance(expr, ir.DieField) or not isinstance(expr.type, t.Number) or expr.name not in ("face", "value"):
        return None
    return _number_of_die(chosen, die, expr.name)


def _number_of_die(chosen: _Selection, die: ir.Expr, name: str) -> ir.Expr:
    """The face or the value of the one die of a pass."""
    found: ir.Expr = ir.Converted(die, "number", t.NUMBER, die.span)
    if name == "face":
        found = ir.Builtin("sum", (ir.Column(die, "face", t.List(t.NUMBER), die.span),), t.NUMBER, die.span)
    return _if_given(chosen, die, found, None)


def _if_given(chosen: _Selection, dice: ir.Expr, found: ir.Expr, otherwise: Any) -> ir.Expr:
    """What is found of the dice of a pass, and something else where the pass lacks them."""
    if not chosen.may_be_missing:
        return found
    kind = t.maybe(found.type) if otherwise is None else found.type
    return ir.Conditional(_given_builtin(dice), found, ir.Constant(otherwise, kind, found.span), kind, found.span)


def _given_builtin(expr: ir.Expr) -> ir.Expr:
    return ir.Builtin("given", (expr,), t.YES_NO, expr.span)


def _column(elements: ir.Expr, value: ir.Expr) -> ir.Expr:
    """The column of a field of an element."""
    if not isinstance(value, ir.Field):
        return elements
    kind = t.without_maybe(value.type)
    return ir.Column(_column(elements, value.of), value.name, t.List(kind), value.span)


# Several dice in a pass ------------------------------------------------------------------------------------------


def _combine(
    node: ir.Builtin, chosen: _Selection, passes: _Passes, everything: _Selection | None = None
) -> ir.Expr | None:
    """A reading of the dice of all passes as one of the same reading of each pass; None if that cannot be."""
    if not chosen.holds_dice:
        return None
    dice, is_rank = chosen.field_of(None), node.name in ("highest", "lowest")
    further = [one.further for one in (chosen, everything) if one is not None]
    reading = replace(
        node,
        arguments=tuple([_rebuild(selections, dice) for selections in further]),
        type=t.maybe(t.NUMBER) if is_rank else node.type,
    )
    outer = frozenset[str]().union(
        *[names_in(one.condition) for some in further for one in some if isinstance(one, ir.Filtered)]
    )
    hidden = _compute(_if_given(chosen, dice, reading, _OF_NO_DICE[node.name]), outer, passes)
    if hidden is None:
        return None
    value = ir.Field(passes.element, hidden.name, hidden.type, node.span)
    elements = _passes_where([*chosen.where, *([_given_builtin(value)] if is_rank else [])], chosen, passes)
    return replace(node, name="sum" if node.name == "count" else node.name, arguments=(_column(elements, value),))


def _passes_where(conditions: list[ir.Expr], chosen: _Selection, passes: _Passes) -> ir.Expr:
    """The passes that fulfil all conditions."""
    if not conditions:
        return chosen.base
    kept = reduce(lambda left, right: ir.And(left, right, t.YES_NO, right.span), conditions)
    return ir.Filtered(chosen.base, _within_pass(kept, passes), chosen.base.type, kept.span)


def _rebuild(selections: Iterable[ir.Expr], dice: ir.Expr) -> ir.Expr:
    """The same selections of other dice."""
    made = dice
    for one in selections:
        if isinstance(one, (ir.Filtered, ir.Column, ir.RollPart)):
            made = replace(one, of=made)
    return made


# What a pass computes --------------------------------------------------------------------------------------------


def _within_pass(expr: ir.Expr, passes: _Passes, whole: bool = True) -> ir.Expr:
    """An expression about a pass, in which the pass computes what is read of its dice, as far as it can.

    Without `whole`, it is part of an expression whose other parts may say that a field is not missing.
    """
    if not _reads_dice(expr):
        return expr
    parts = None
    if not names_in(expr) <= passes.fixed:  # the law of a pass would be another one for each value of the others
        parts = map_in_slot(expr, ".it", lambda one: _within_pass(one, passes, False))
        if not _reads_dice(parts):
            return parts
    is_plain = isinstance(t.without_maybe(expr.type), PLAIN_TYPES) and not is_bare_quotient(expr)
    if is_plain and (whole or not may_be_missing(expr)):
        hidden = _compute(substitute_in_slot(expr, ".it", _as_local), names_in(expr), passes)
        if hidden is not None:
            return ir.Field(passes.element, hidden.name, hidden.type, expr.span)
    return map_in_slot(expr, ".it", lambda one: _within_pass(one, passes, False)) if parts is None else parts


def _reads_dice(expr: ir.Expr) -> bool:
    """Whether an expression about a pass reads a field of it that holds dice."""
    if isinstance(expr, ir.Field) and isinstance(t.without_maybe(expr.type), t.Roll):
        return ".it" in open_slots(expr)
    return any(map(_reads_dice, inner_expressions(expr)))


def _as_local(expr: ir.Expr) -> ir.Expr | None:
    """A field of a pass as a step in the pass reads it; None for any other expression."""
    if isinstance(expr, ir.Field) and isinstance(expr.of, ir.Element):
        return ir.Local(expr.name, expr.type, expr.span)
    return None


def _compute(expr: ir.Expr, outer: frozenset[str], passes: _Passes) -> ir.Step | None:
    """The step of a pass that computes an expression, which reads these `outer` names from outside; None if it may
    fail, or the pass does not know a name."""
    if not outer <= passes.known or open_slots(expr) or passes.fails(expr):
        return None
    return passes.compute(expr)

"""Inlining of functions and selections, so that readings of rolls are visible to kernels.

`successes(rolled)` hides that only `count(rolled where face >= 6)` is read, and so does a step that is only
`rolled where face >= 6`: both are inlined where they are used. Options are known, so conditions that depend on them
alone are folded; and `without(rolled, rolled where c)` becomes `rolled where not c`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from operator import is_not
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.failures import Fails, may_fail
from interpreter.ir.limits import has_limits, limited_parameters
from interpreter.ir.once_per import once_per
from interpreter.ir.state_reads import any_reads_state, reads_state
from interpreter.ir.traversal import (
    NODE_TYPES,
    NODES,
    formulas,
    inner_expressions,
    is_bare_quotient,
    locals_in,
    map_children,
    outermost_nodes_in,
)
from interpreter.odds.liveness import names_in, path_of, rest_of
from interpreter.runtime.state import STATE

Known = Callable[[ir.Expr], Any]
"""Evaluates an expression that reads nothing. Raises PlayError if that fails."""


def inline_functions(
    rule: ir.Mechanic, program: ir.Program, known: Known, changes: Callable[[ir.Step], bool]
) -> ir.Mechanic:
    """The mechanic without functions that take rolls, conditions on options, and steps that only select dice.

    A function that would be too long is kept, and takes its roll die by die. `changes` tells which steps may change the
    state.
    """
    lengths = _Lengths(program)

    def inline(expr: ir.Expr) -> ir.Expr:
        return _simplify(_fold_constants(_inline_call(expr, lengths), known)) if type(expr) in _SIMPLIFIABLE else expr

    inlined = _inline_selections(map_expressions(rule, inline) if rule.needs_inlining else rule, changes)
    return _inline_numbers(inlined, partial(may_fail, program))


def without_dead_steps(rule: ir.Mechanic) -> ir.Mechanic:
    """The mechanic in which a step whose condition is known not to hold is the value that a skipped one has, and one
    whose condition is known to hold has none."""

    def remove_dead(node: Any) -> Any:
        if isinstance(node, ir.Formula):
            return node
        if isinstance(node, ir.Stages):
            left_out = [stage for stage in node.then if _condition_holds(stage) is False and stage.instead is None]
            node = replace(node, then=tuple([stage for stage in node.then if stage not in left_out]))
        node = map_children(node, remove_dead)
        if not isinstance(node, ir.Step) or (holds := _condition_holds(node)) is None:
            return node
        action = node.action if holds else ir.Let(_value_when_skipped(node))
        return replace(node, action=action, condition=None, instead=None)

    decided = any(_condition_holds(step) is not None for step in _all_steps_in(rule))
    made: ir.Mechanic = remove_dead(rule) if decided else rule
    return made


def all_steps(rule: ir.Mechanic) -> tuple[ir.Step, ...]:
    """The steps of a rule, and those of its outcomes."""
    return (*rule.steps, *outermost_nodes_in(rule.outcomes, ir.Step))


def _all_steps_in(node: Any) -> Iterator[ir.Step]:
    """Every step in a construct, also inside of others."""
    for step in outermost_nodes_in(node, ir.Step):
        yield step
        yield from _all_steps_in(step.action)


def _condition_holds(step: ir.Step) -> bool | None:
    """Whether the condition of a step holds, if that is known."""
    body = step.condition.body if step.condition is not None else None
    return bool(body.value) if isinstance(body, ir.Constant) else None


def _value_when_skipped(step: ir.Step) -> ir.Formula:
    """The value of a step that is skipped."""
    if step.instead is not None:
        return step.instead
    if isinstance(step.action, ir.Choose) and step.action.default is not None:
        return step.action.default
    return ir.Formula(ir.Constant(None, step.type, step.span), step.type, step.span)


def without_unread_arguments(rule: ir.Mechanic, program: ir.Program) -> ir.Mechanic:
    """The mechanic with calls that do not pass on what only a question tells.

    The text of a question may tell a total that grows without end, and that would keep apart throws with equal odds.
    """
    called = {one.mechanic for one in outermost_nodes_in(rule, ir.Call)}
    unread = {name: inputs for name in called if (inputs := _unread_inputs(program, name))}

    def prune(node: Any) -> Any:
        if isinstance(node, ir.Formula):
            return node
        if isinstance(node, ir.Call) and node.mechanic in unread:
            return replace(node, given=tuple([one for one in node.given if one[0] not in unread[node.mechanic]]))
        return map_children(node, prune)

    made: ir.Mechanic = prune(rule) if unread else rule
    return made


@once_per
def _unread_inputs(program: ir.Program, name: str) -> frozenset[str]:
    """The inputs without limits of a mechanic that no formula in it reads."""
    rule = program.mechanics[name]
    unread = {one.name for one in rule.inputs if not has_limits(program, one)}
    for formula in formulas(rule):
        if not unread:
            break
        unread -= locals_in(formula.body)
    return frozenset(unread)


_SIMPLIFIABLE = frozenset((ir.Apply, ir.Option, ir.Builtin, ir.Conditional, ir.Not, ir.Relation, ir.And, ir.Or))
"""Nodes that may be inlined, folded or simplified."""


def _inline_selections(rule: ir.Mechanic, changes: Callable[[ir.Step], bool]) -> ir.Mechanic:
    """The mechanic with steps that only select dice of a roll inlined in later steps.

    What is selected by the state stays a step of its own if a later one may change the state.
    """
    chosen: dict[str, ir.Expr] = {}

    def inline_chosen(expr: ir.Expr) -> ir.Expr:
        return _simplify(chosen.get(expr.name, expr) if isinstance(expr, ir.Local) else expr)

    steps = []
    for place, step in enumerate(rule.steps):
        now = map_expressions(step, inline_chosen) if chosen else step
        steps.append(now)
        if (
            isinstance(now.action, ir.Let)
            and now.condition is None
            and _is_selection_of_roll(body := now.action.formula.body)
        ):
            later = (*rule.steps[place + 1 :], *_all_steps_in(rule.outcomes))
            changed = STATE in names_in(body) and any(map(changes, later))
            if not changed:
                chosen[now.name] = body
    if not chosen:
        return rule
    return replace(
        rule,
        steps=tuple(steps),
        outcomes=map_expressions(rule.outcomes, inline_chosen),
        also=map_expressions(rule.also, inline_chosen),
    )


MOST_USES = 2
MOST_NODES = 40
"""The limits on uses of a number, and on nodes of its formula, for inlining."""


def _inline_numbers(rule: ir.Mechanic, fails: Fails) -> ir.Mechanic:
    """The mechanic with numbers inlined that formulas right after them read under a condition.

    `lost: highest(rolled)` before `total: sum(rolled) - lost if failed else sum(rolled)` is then only drawn where
    `failed` holds. Formulas that may fail are not inlined, as they must fail whether they are used or not.
    """
    recent: dict[str, ir.Expr] = {}
    steps = list(rule.steps)
    for place, step in enumerate(rule.steps):
        if not isinstance(step.action, ir.Let):
            recent = {}
            continue
        if recent and (some := recent.keys() & _names_under_conditions(step)):
            formulas = _all_formulas_in((rule.steps, rule.outcomes, rule.also))
            used = Counter([name for one in formulas for name in _names(one.body)])
            known: dict[str, ir.Expr] = {}
            for name, body in recent.items():
                if 0 < used[name] <= MOST_USES and not fails(body):
                    body = _substitute(body, known)
                    if _size(body) <= MOST_NODES:
                        known[name] = body
            step = steps[place] = _substitute(step, {name: known[name] for name in some if name in known})
        if isinstance(t.without_maybe(step.type), (t.Number, t.YesNo)) and step.condition is None:
            recent[step.name] = _body_of_let(step)
    return replace(rule, steps=tuple(steps)) if any(map(is_not, steps, rule.steps)) else rule


def _names_under_conditions(step: ir.Step) -> frozenset[str]:
    """The names that a step reads only under a condition."""
    return names_in(_body_of_let(step)) if step.condition is not None else _names_read_conditionally(_body_of_let(step))


def _names_read_conditionally(expr: ir.Expr) -> frozenset[str]:
    """The names that an expression reads only under a condition."""
    if isinstance(expr, (ir.And, ir.Or)):
        return _names_read_conditionally(expr.left) | names_in(expr.right)
    if isinstance(expr, ir.Conditional):
        return _names_read_conditionally(expr.condition) | names_in(expr.then) | names_in(expr.otherwise)
    return _NO_NAMES.union(*map(_names_read_conditionally, inner_expressions(expr)))


_NO_NAMES: frozenset[str] = frozenset()


def _body_of_let(step: ir.Step) -> ir.Expr:
    assert isinstance(step.action, ir.Let)
    return step.action.formula.body


def _substitute(node: Any, known: Mapping[str, ir.Expr]) -> Any:
    """A construct with expressions substituted for names."""
    return map_expressions(node, lambda expr: known.get(expr.name, expr) if isinstance(expr, ir.Local) else expr)


def _size(expr: ir.Expr) -> int:
    return 1 + sum(map(_size, inner_expressions(expr)))


def _names(expr: ir.Expr) -> Iterator[str]:
    """The names in an expression, each as often as it occurs."""
    if type(expr) is ir.Local:
        yield expr.name
    for one in inner_expressions(expr):
        yield from _names(one)


def _all_formulas_in(construct: Any) -> list[ir.Formula]:
    """Every formula in a construct."""
    found: list[ir.Formula] = []
    left = [construct]
    for node in left:  # which grows during the loop
        kind = type(node)
        if kind is ir.Formula:
            found.append(node)
        elif kind is tuple:
            left += node
        elif kind is dict:
            left += node.values()
        elif kind not in _LEAVES:
            left += filter(None, map(node.__getattribute__, _PARTS.get(kind) or _expression_fields(kind)))
    return found


def _is_selection_of_roll(expr: ir.Expr) -> bool:
    """Whether an expression is a roll or a list of records, or selects of it by a condition, a part or a field, or
    dice at its ends."""
    if isinstance(expr, ir.Column):
        return _is_list_of_records(expr.of) and not reads_state(expr) and path_of(_selected_from(expr.of)) is not None
    if not (isinstance(t.without_maybe(expr.type), t.Roll) or _is_list_of_records(expr)):
        return False
    match expr:
        case ir.Filtered(of, condition):
            return path_of(_selected_from(of)) is not None and not _has_slots(condition)
        case ir.RollPart():
            return path_of(_selected_from(expr)) is not None
        case ir.Builtin("highest" | "lowest", (of, k)):
            return rest_of(of) is not None and not _has_slots(k)
        case ir.Builtin("without"):
            return rest_of(expr) is not None
    return path_of(expr) is not None


def _is_list_of_records(expr: ir.Expr) -> bool:
    """Whether an expression is a list of records."""
    kind = t.without_maybe(expr.type)
    return isinstance(kind, t.List) and isinstance(kind.of, t.Record)


def _selected_from(expr: ir.Expr) -> ir.Expr:
    while isinstance(expr, (ir.Filtered, ir.RollPart)):
        expr = expr.of
    return expr


def _has_slots(expr: ir.Expr) -> bool:
    return isinstance(expr, (ir.Filtered, ir.Sorted)) or any(map(_has_slots, inner_expressions(expr)))


def _fold_constants(expr: ir.Expr, known: Known) -> ir.Expr:
    """An expression that depends only on options and constants, folded to its value."""
    match expr:
        case ir.Conditional(ir.Constant(value), then, otherwise):
            return _as_a_number(then if value else otherwise)
        case ir.Option() | ir.Not(ir.Constant()) | ir.Relation(_, ir.Constant(), ir.Constant()):
            try:
                value = known(expr)
            except PlayError:
                return expr
            return ir.Constant(value, expr.type, expr.span) if isinstance(value, (bool, int, str)) else expr
        case ir.And(ir.Constant(value), right):
            return right if value else ir.Constant(False, expr.type, expr.span)
        case ir.Or(ir.Constant(value), right):
            return ir.Constant(True, expr.type, expr.span) if value else right
        case ir.And(left, ir.Constant(value)) if value or isinstance(left, ir.Local):
            return left if value else ir.Constant(False, expr.type, expr.span)
        case ir.Or(left, ir.Constant(value)) if not value or isinstance(left, ir.Local):
            return ir.Constant(True, expr.type, expr.span) if value else left
    return expr


def _simplify(expr: ir.Expr) -> ir.Expr:
    """`without(rolled, rolled where c)` as `rolled where not c`."""
    if not isinstance(expr, ir.Builtin) or expr.name != "without":
        return expr
    whole, removed = expr.arguments
    if not isinstance(removed, ir.Filtered) or not isinstance(t.without_maybe(whole.type), t.Roll):
        return expr
    if path_of(whole) is None or path_of(whole) != path_of(removed.of):
        return expr
    return ir.Filtered(whole, ir.Not(removed.condition, t.YES_NO, removed.span), expr.type, expr.span)


def _inline_call(expr: ir.Expr, functions: _Lengths) -> ir.Expr:
    """The body of a function in place of its call, if an argument is a roll or the function reads things."""
    if not isinstance(expr, ir.Apply):
        return expr
    if not any(map(_is_of_dice, expr.arguments)) and not any_reads_state(expr):
        return expr
    length, _ = functions.length(expr)
    if length > MOST_KEPT_CALL:
        raise PlayError(say.too_much_work())
    if length > MOST_INLINED:
        return expr
    function = functions.program.functions[expr.name]
    if limited_parameters(functions.program, expr.name):
        return expr
    if any(map(_reads_element, expr.arguments)):  # their `it` would be captured by a condition in the function
        return expr
    given = {one.name: _as_a_number(argument) for one, argument in zip(function.takes, expr.arguments, strict=True)}
    body: ir.Expr = _substitute(body_of(function), given)
    made: ir.Expr = map_expressions(body, lambda one: _inline_call(one, functions))
    return _as_a_number(made)


def _as_a_number(expr: ir.Expr) -> ir.Expr:
    """An expression that replaces a name or a call: a quotient is rounded, whatever expression is around it."""
    return replace(expr, bare=False) if is_bare_quotient(expr) else expr


MOST_INLINED = 4_000
"""The limit on nodes of an expression whose functions are inlined."""

MOST_KEPT_CALL = 50_000
"""The limit on nodes of a call that is not inlined, and so evaluated for every combination of its dice."""


@dataclass(slots=True)
class _Lengths:
    """Functions and their lengths, which are kept: functions that call others twice grow exponentially."""

    program: ir.Program
    _lengths: dict[str, tuple[int, int]] = field(default_factory=dict)

    def length(self, expr: ir.Expr) -> tuple[int, int]:
        """The number of nodes of an expression whose functions are inlined, and how many of them are names.

        All arguments of a call count as the longest one.
        """
        if isinstance(expr, ir.Local):
            return 1, 1
        parts = [self.length(one) for one in inner_expressions(expr)]
        if not isinstance(expr, ir.Apply):
            return 1 + sum([length for length, _ in parts]), sum([names for _, names in parts])
        if expr.name not in self._lengths:
            self._lengths[expr.name] = self.length(body_of(self.program.functions[expr.name]))
        body, used = self._lengths[expr.name]
        longest, names = max(parts, default=(1, 0))
        return body + used * (longest - 1), used * names


def _is_of_dice(expr: ir.Expr) -> bool:
    return isinstance(t.without_maybe(expr.type), (t.Roll, t.ThrownDie, t.List))


def _reads_element(expr: ir.Expr) -> bool:
    """Whether an expression reads the element of a condition around it."""
    match expr:
        case ir.Element() | ir.DieField():
            return True
        case ir.Filtered(of) | ir.Sorted(of):
            return _reads_element(of)
    return any(map(_reads_element, inner_expressions(expr)))


def body_of(function: ir.Function) -> ir.Expr:
    """The result of a function as one expression."""
    if isinstance(function.gives, ir.Formula):
        return function.gives.body
    return as_conditionals(function.gives, function.type)


def as_conditionals(of: ir.FirstOf, kind: t.Type) -> ir.Expr:
    """The cases of a `first_of` as one expression of a type: `first if … else (second if … else …)`."""
    *cases, last = of.cases
    made = last.value.body
    if last.condition is not None:
        cases, made = [*cases, last], ir.Constant(None, kind, last.value.span)
    for case in reversed(cases):
        assert case.condition is not None
        made = ir.Conditional(case.condition.body, case.value.body, made, kind, case.value.span)
    return made


_SKIPPED = ("type", "span", "tree", "resolved", "refs")
_BARE = frozenset(("str", "str | None", "bool", "int", "int | None", "Any", "tuple[str, ...]"))
"""The annotations of fields that never hold an expression."""
_LEAVES = frozenset((str, int, bool, type(None)))
_EXPRESSIONS = frozenset(NODES)


_PARTS: dict[type, tuple[str, ...]] = {}


def _expression_fields(kind: type) -> tuple[str, ...]:
    """The fields of a construct of the program that may hold expressions."""
    if kind not in _PARTS:
        annotations = kind.__annotations__ if kind in NODE_TYPES else {}
        _PARTS[kind] = tuple([name for name, of in annotations.items() if name not in _SKIPPED and of not in _BARE])
    return _PARTS[kind]


def map_expressions(node: Any, change: Callable[[ir.Expr], ir.Expr]) -> Any:
    """A construct with its expressions changed, from the innermost out; the same object if nothing changes."""
    kind = type(node)
    if kind is tuple:
        items = [one if type(one) in _LEAVES else map_expressions(one, change) for one in node]
        return tuple(items) if any(map(is_not, items, node)) else node
    if kind is dict:
        entries = {name: map_expressions(one, change) for name, one in node.items()}
        return entries if any(entries[name] is not one for name, one in node.items()) else node
    made = {}
    for name in _expression_fields(kind):
        one = getattr(node, name)
        if type(one) not in _LEAVES:
            now = map_expressions(one, change)
            if now is not one:
                made[name] = now
    if made:
        node = replace(node, **made)
    return change(node) if kind in _EXPRESSIONS else node

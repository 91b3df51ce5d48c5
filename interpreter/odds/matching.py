"""Comparisons that only depend on how many dice of two rolls show each face, such as which of them outranks the other.

They are hoisted out of formulas into a hidden step, so that all comparisons of the same rolls are drawn together, and a
kernel goes down the faces instead of through the dice. These are two rolls, or more of which each is compared with
another of them: who has the best of several pools.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from operator import is_not
from typing import Any, TypeVar

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.passes import names_bound_inside
from interpreter.ir.traversal import children, locals_in, map_children
from interpreter.odds.liveness import Path, path_of

T = TypeVar("T")

# What is compared -------------------------------------------------------------------------------------------------

Step = Callable[[Any, Any, int, int], Any]
"""From what is known so far, a face, and how many dice of ours and of theirs show it, to what is known after it."""


@dataclass(frozen=True, slots=True)
class Fold:
    """A comparison as a fold over faces, from 0, from the highest face down.

    `settled` says that no lower face changes what is known, and `result` makes the value of it at the end.
    """

    step: Step
    settled: Callable[[Any], bool]
    result: Callable[[Any], Any]


def _lead_at_highest(so_far: int, face: Any, mine: int, other: int) -> int:
    """Which roll has more dice at the highest face that not equally many dice of both show: 1 is ours, -1 theirs."""
    return so_far or (mine > other) - (mine < other)


def _surplus(so_far: int, face: Any, mine: int, other: int) -> int:
    """How many more dice of ours than of theirs show this face or a higher one; -1 once it has been fewer."""
    return so_far if so_far < 0 else max(so_far + mine - other, -1)


def _is_never_settled(so_far: Any) -> bool:
    return False


def _identity(so_far: Any) -> Any:
    return so_far


def _sum_of(many: Callable[[int, int], int], worth: Callable[[Any], int]) -> Fold:
    return Fold(
        lambda so_far, face, mine, other: so_far + many(mine, other) * worth(face), _is_never_settled, _identity
    )


def _number_unmatched(mine: int, other: int) -> int:
    return max(mine - other, 0)


FOLDS: Mapping[str, Fold] = {
    "outranks": Fold(_lead_at_highest, bool, lambda lead: lead > 0),
    "dominates": Fold(_surplus, lambda reserve: reserve < 0, lambda reserve: reserve >= 0),
    "count common": _sum_of(min, lambda face: 1),
    "sum common": _sum_of(min, _identity),
    "count without": _sum_of(_number_unmatched, lambda face: 1),
    "sum without": _sum_of(_number_unmatched, _identity),
}


@dataclass(frozen=True, slots=True)
class Match:
    """A comparison of the rolls at two paths: the name of its fold, and `by` which name of a die they are compared."""

    fold: str
    ours: Path
    theirs: Path
    by: str


def match_of(expr: ir.Expr) -> Match | None:
    """The comparison of two rolls that an expression is, if it is one."""
    if not isinstance(expr, ir.Builtin):
        return None
    name, arguments = expr.name, expr.arguments
    if name in ("count", "sum") and len(arguments) == 1 and isinstance(arguments[0], ir.Builtin):
        name, arguments = f"{name} {arguments[0].name}", arguments[0].arguments
        columns = [one for one in arguments if isinstance(one, ir.Column) and one.name in ("face", "value")]
        if len(columns) < 2 or columns[0].name != columns[1].name:
            return None
        by, arguments = columns[0].name, tuple([one.of for one in columns])
    else:
        by = "value"
    if name not in FOLDS or len(arguments) != 2:
        return None
    ours, theirs = map(_path_of_roll, arguments)
    return None if ours is None or theirs is None or ours == theirs else Match(name, ours, theirs, by)


def _path_of_roll(expr: ir.Expr) -> Path | None:
    return path_of(expr) if isinstance(expr.type, t.Roll) else None


def matches_of(expr: ir.Expr) -> Mapping[str, Match] | None:
    """The comparisons of a record, by field, if it has nothing else, and all compare the same rolls in one way."""
    if not isinstance(expr, ir.RecordLiteral):
        return None
    found = {name: match_of(one) for name, one in expr.fields}
    some = {name: one for name, one in found.items() if one is not None}
    joined = _join_compared([frozenset((one.ours, one.theirs)) for one in some.values()])
    in_one_way = len({one.by for one in some.values()}) == 1
    return some if len(some) == len(found) and in_one_way and len(joined) == 1 else None


def _join_compared(pairs: Iterable[frozenset[T]]) -> list[frozenset[T]]:
    """The rolls that belong together, as each is compared with another of them."""
    joined: list[frozenset[T]] = []
    for rolls in pairs:
        touching = [some for some in joined if some & rolls]
        joined = [some for some in joined if not some & rolls] + [rolls.union(*touching)]
    return joined


# Hidden steps -----------------------------------------------------------------------------------------------------


def hoist_matches(rule: ir.Mechanic, unread: Callable[[], frozenset[str]] = frozenset) -> ir.Mechanic:
    """The mechanic with comparisons of rolls in hidden steps, where its steps read these rolls in no other way.

    The steps with `unread` names do not matter to the question; they are only asked for where rolls are compared.
    """
    if not _matches((rule.steps, rule.outcomes)):
        return rule
    given = {one.name for one in rule.inputs}.difference(*[locals_in(one.condition.body) for one in rule.requires])
    steps, put = _hoist(rule.steps, given, (rule.outcomes,), unread())
    if steps is rule.steps:
        return rule
    return replace(rule, steps=steps, outcomes=put(rule.outcomes), also=put(rule.also))


MOST_CASES = 30
"""The most comparisons that one of a roll which is one of several becomes."""


def compare_in_each_case(rule: ir.Mechanic) -> ir.Mechanic:
    """The mechanic in which a comparison with a roll that is one of several, such as `b if outranks(b, a) else a`, is
    one of these in each case."""
    cases: dict[str, ir.Expr] = {}
    if not any(map(_names_roll_in_cases, rule.steps)):
        return rule

    def spread(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(map(spread, node))
        if node is None:
            return node
        node = map_children(node, spread)
        if isinstance(node, ir.Builtin) and node.name in ("outranks", "dominates"):
            made = _in_each_case(node, (), cases)
            return node if _number_of_cases(made) > MOST_CASES else made
        return node

    steps = []
    for step in rule.steps:
        steps.append(made := spread(step))
        if _names_roll_in_cases(made):
            cases[made.name] = made.action.formula.body
    return replace(rule, steps=tuple(steps), outcomes=spread(rule.outcomes), also=spread(rule.also))


def _names_roll_in_cases(step: ir.Step) -> bool:
    """Whether a step names one of several rolls."""
    return isinstance(step.action, ir.Let) and step.condition is None and _is_roll_in_cases(step.action.formula.body)


def _is_roll_in_cases(expr: ir.Expr) -> bool:
    """Whether an expression is one of several rolls that have names."""
    return isinstance(expr, ir.Conditional) and all(
        _is_roll_in_cases(one) or _path_of_roll(one) is not None for one in (expr.then, expr.otherwise)
    )


def _in_each_case(expr: ir.Builtin, done: tuple[ir.Expr, ...], cases: Mapping[str, ir.Expr]) -> ir.Expr:
    """A comparison of rolls, the first of which are `done`, in each of the cases that the others are."""
    if len(done) == len(expr.arguments):
        first, other = map(path_of, done)
        if first == other and first is not None:  # a roll does not outrank itself, and dominates itself
            return ir.Constant(expr.name == "dominates", expr.type, expr.span)
        return replace(expr, arguments=done)

    def go_on(one: ir.Expr) -> ir.Expr:
        one = cases.get(one.name, one) if isinstance(one, ir.Local) else one
        if _is_roll_in_cases(one):
            assert isinstance(one, ir.Conditional)
            return ir.Conditional(one.condition, go_on(one.then), go_on(one.otherwise), expr.type, expr.span)
        return _in_each_case(expr, (*done, one), cases)

    return go_on(expr.arguments[len(done)])


def _number_of_cases(expr: ir.Expr) -> int:
    return _number_of_cases(expr.then) + _number_of_cases(expr.otherwise) if isinstance(expr, ir.Conditional) else 1


def _hoist(
    steps: tuple[ir.Step, ...], given: Iterable[str], after: Any, unread: frozenset[str] = frozenset()
) -> tuple[tuple[ir.Step, ...], Callable[[Any], Any]]:
    """Steps with hidden ones, and a function that puts these into what comes after the steps.

    `given` are rolls that are there before the steps, and `after` is what reads names of the steps after them. Nothing
    reads the steps with `unread` names.
    """
    within = tuple(map(_hoist_inside, steps))
    steps = within if any(map(is_not, within, steps)) else steps
    places = {**dict.fromkeys(given, -1), **{one.name: n for n, one in enumerate(steps) if one.condition is None}}
    hidden: dict[int, list[ir.Step]] = {}
    known: dict[Match, ir.Expr] = {}
    inside = frozenset([name for one in steps for name in names_bound_inside(one.action) if not is_hidden(name)])
    read = (tuple([one for one in steps if one.name not in unread]), after)
    of_two = _matches(read)
    for rolls in _join_compared(of_two):
        some = {one: expr for two, found in of_two.items() if two <= rolls for one, expr in found.items()}
        if rolls & inside or not rolls <= places.keys():  # inner steps give one of these names to something else
            continue
        there = max(places[name] for name in rolls)
        if any(
            two <= rolls for two in _matches(steps[: there + 1])
        ):  # stages compare what one of them is until they are done
            continue
        in_one_way = len({one.by for one in some}) == 1  # what compares faces and what compares values is no one law
        if in_one_way and not _reads_otherwise(read, rolls):
            step = _hidden_step(rolls, some)
            hidden.setdefault(there, []).append(step)
            known |= {one: ir.Field(ir.Local(step.name, step.type, expr.span), _field_name(one), expr.type, expr.span)
                      for one, expr in some.items()}  # fmt: skip

    def replace_matches(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(map(replace_matches, node))
        found = match_of(node)
        return known[found] if found in known else node if node is None else map_children(node, replace_matches)

    if not known:
        return steps, lambda node: node
    made = list(hidden.get(-1, []))
    for place, step in enumerate(steps):
        made += [replace_matches(step), *hidden.get(place, [])]
    return tuple(made), replace_matches


def _hoist_inside(step: ir.Step) -> ir.Step:
    """A step with hidden ones among its inner steps; those of `for` are played, which gains nothing from them."""
    action = step.action
    if isinstance(action, ir.Repeat):
        each, put = _hoist(action.each, (), _parts_besides_steps(action))
        return step if each is action.each else replace(step, action=replace(put(action), each=each))
    if isinstance(action, ir.StepGroup):
        each, _ = _hoist(action.steps, (), ())
        return step if each is action.steps else replace(step, action=replace(action, steps=each))
    return step


def _parts_besides_steps(action: ir.Repeat) -> tuple[Any, ...]:
    """What a repeat has besides its steps."""
    return tuple([one for one in children(action) if not isinstance(one, ir.Step)])


def _matches(node: Any) -> dict[frozenset[str], dict[Match, ir.Expr]]:
    """The comparisons of two rolls that have names, by these names."""
    found: dict[frozenset[str], dict[Match, ir.Expr]] = {}
    for one, made in _outermost_matches(node):
        if made is not None and len(made.ours) == len(made.theirs) == 1:
            found.setdefault(frozenset((*made.ours, *made.theirs)), {}).setdefault(made, one)
    return found


def _outermost_matches(node: Any) -> Iterator[tuple[Any, Match | None]]:
    """Every node, except those inside a comparison of two rolls, each with the comparison that it is."""
    stack = [node]
    while stack:
        here = stack.pop()
        made = match_of(here)
        yield here, made
        if made is None:
            stack += children(here)


def _reads_otherwise(node: Any, rolls: frozenset[str]) -> bool:
    """Whether something else than comparisons of these reads one of them."""
    for one, made in _outermost_matches(node):
        read = {one.name} if isinstance(one, ir.Local) else {*made.ours[:1], *made.theirs[:1]} if made else set()
        if read & rolls and (made is None or not read <= rolls):
            return True
    return False


def _field_name(one: Match) -> str:
    return f"{one.fold} {one.ours[0]} {one.theirs[0]} {one.by}"


def hidden_name(*words: str) -> str:
    """The name of a step that is put in; no step of an author has a space in its name."""
    return " ".join(words)


def is_hidden(name: str) -> bool:
    """Whether a step of that name was put in, and is no part of a record that somebody asks for."""
    return " " in name


def _hidden_step(rolls: frozenset[str], some: Mapping[Match, ir.Expr]) -> ir.Step:
    """The step that has all comparisons of some rolls."""
    name = hidden_name("match", *sorted(rolls))
    span = next(iter(some.values())).span
    made = tuple([(_field_name(one), expr) for one, expr in some.items()])
    kind = t.Record(name, tuple([(field, expr.type) for field, expr in made]))
    body = ir.RecordLiteral(made, kind, span)
    return ir.Step(name, ir.Let(ir.Formula(body, kind, span)), kind, name, span)

"""Traverse the program: the children of a node, the nodes of a kind inside it, and a copy with children changed.

Only the fields whose annotations name a class of nodes are read, so a new field of a node is traversed without an
edit here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeGuard, TypeVar, get_args

from interpreter import ir
from interpreter.ir import expressions, rules, steps

Kind = TypeVar("Kind")
NODES = get_args(ir.Expr)
"""Every class of nodes of expressions."""
NODE_TYPES: frozenset[type] = frozenset(
    one
    for module in (expressions, steps, rules)
    for one in vars(module).values()
    if isinstance(one, type) and is_dataclass(one) and one.__module__ == module.__name__
)
"""Every class of nodes of a program."""
EFFECTS = get_args(ir.Effect)
BODIES = (*(set(get_args(ir.StepBody)) - {ir.Effect}), *EFFECTS)

WORD = re.compile(r"\w+")
_BY_NAME: Mapping[str, tuple[type, ...]] = {
    **{one.__name__: (one,) for one in NODE_TYPES},
    "Expr": NODES, "StepBody": BODIES, "Effect": EFFECTS,
}  # fmt: skip
"""Classes of nodes by the names that annotations give them."""
_HELD = {
    kind: {
        name: frozenset([one for word in WORD.findall(of) for one in _BY_NAME.get(word, ())])
        for name, of in kind.__annotations__.items()
    }
    for kind in NODE_TYPES
}
"""Which classes of nodes each field of a class holds, itself or in a collection."""
_FIELDS = {kind: tuple([name for name, of in fields.items() if of]) for kind, fields in _HELD.items()}
"""The fields of each class that hold nodes."""


def children(node: Any) -> list[Any]:
    """The nodes right under a node, or in a collection of nodes; a value that is no node has none."""
    found: list[Any] = []
    kind = type(node)
    if kind not in NODE_TYPES:
        _add_nodes(node, found)
        return found
    for name in _FIELDS[kind]:
        here = getattr(node, name)
        if type(here) in NODE_TYPES:
            found.append(here)
        elif here is not None:
            _add_nodes(here, found)
    return found


def _add_nodes(value: Any, found: list[Any]) -> None:
    """Add a node, or the nodes in a collection."""
    if type(value) in NODE_TYPES:
        found.append(value)
    elif isinstance(value, (tuple, list)):
        for one in value:
            _add_nodes(one, found)
    elif isinstance(value, Mapping):
        for one in value.values():
            _add_nodes(one, found)


def nodes_under(node: Any) -> Iterator[Any]:
    """Every node under a node, or in a collection of nodes, with itself: expressions too, each before its children."""
    stack = [node] if type(node) in NODE_TYPES else children(node)[::-1]
    while stack:
        here = stack.pop()
        yield here
        stack += reversed(children(here))


def texts_at(node: Any) -> Iterator[ir.Question]:
    """The texts for people right at a node, which traversal does not enter."""
    for key in _TEXTS:
        of = getattr(node, key, None)
        if isinstance(of, ir.Question):
            yield of


_TEXTS = ("ask", "shows", "tells")


def map_children(node: Any, change: Callable[[Any], Any]) -> Any:
    """The node with `change` applied to each child; the node itself where no child changes."""
    changes = {}
    for name in _FIELDS[type(node)]:
        before = getattr(node, name)
        after = _map_value(before, change)
        if after is not before:
            changes[name] = after
    return replace(node, **changes) if changes else node


def _map_value(value: Any, change: Callable[[Any], Any]) -> Any:
    if type(value) in NODE_TYPES:
        return change(value)
    if isinstance(value, Mapping):
        entries = {key: _map_value(one, change) for key, one in value.items()}
        return value if all(entries[key] is one for key, one in value.items()) else entries
    if type(value) in (tuple, list):
        items = tuple([_map_value(one, change) for one in value])
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return value


def inner_expressions(node: ir.Expr) -> Sequence[ir.Expr]:
    """The expressions right under an expression."""
    return _INNER[type(node)](node)


def equal_apart_from_spans(one: Any, other: Any) -> bool:
    """Whether two parts of a program are equal, apart from their spans."""
    if type(one) is not type(other):
        return False
    if type(one) is tuple:
        return len(one) == len(other) and all(map(equal_apart_from_spans, one, other))
    if type(one) not in _COMPARED:
        return bool(one == other)
    return all(equal_apart_from_spans(getattr(one, name), getattr(other, name)) for name in _COMPARED[type(one)])


_COMPARED = {kind: [name for name in kind.__slots__ if name not in ("type", "span")] for kind in NODES}
"""The fields of each class of expressions that say what it computes."""


def is_bare_quotient(node: ir.Expr) -> TypeGuard[ir.Quotient]:
    """Whether a node is a quotient whose fraction a comparison right above it compares."""
    return type(node) is ir.Quotient and node.bare


def is_exact(node: ir.Relation) -> bool:
    """Whether a comparison is one of fractions."""
    return is_bare_quotient(node.left) or is_bare_quotient(node.right)


def _inner_of(kind: type) -> Callable[[Any], Sequence[ir.Expr]]:
    """A function that returns the expressions right under nodes of a class."""
    fields = {name: of for name, of in kind.__annotations__.items() if "Expr" in of}
    if not fields:
        return lambda node: ()
    (name, of), *others = fields.items()
    if others:
        assert {*fields.values()} == {"Expr"}
        return attrgetter(*fields)
    if of == "Expr":
        return lambda node: (getattr(node, name),)
    return attrgetter(name) if of == "tuple[Expr, ...]" else lambda node: [one for _, one in getattr(node, name)]


_INNER = {kind: _inner_of(kind) for kind in NODES}


@lru_cache(10_000)
def locals_in(expr: ir.Expr) -> frozenset[str]:
    """The names of the frame that an expression reads, without the state."""
    if isinstance(expr, ir.Local):
        return frozenset((expr.name,))
    return frozenset[str]().union(*map(locals_in, inner_expressions(expr)))


def do_more_than_compute(steps: Sequence[ir.Step], rule: Callable[[str], ir.Mechanic | None]) -> bool:
    """Whether steps do more than compute values: ask a player, change the state, or end the rule.

    `rule` gives the mechanics that they call.
    """
    if next(outermost_nodes_in(steps, (ir.End, *DOES_MORE)), None) is not None:
        return True
    seen: set[str] = set()
    stack: list[Any] = [steps]
    while stack:
        here = stack.pop()
        if next(outermost_nodes_in(here, DOES_MORE), None) is not None:
            return True
        for name in {one.mechanic for one in outermost_nodes_in(here, ir.Call)} - seen:
            seen.add(name)
            called = rule(name)
            stack += [called.steps, called.outcomes] if called is not None else []
    return False


DOES_MORE = (ir.Choose, ir.ChooseEach, *EFFECTS)


def nested_steps(action: ir.StepBody) -> list[ir.Step]:
    """The steps right inside the body of a step, of whatever verb; those inside them are not among them."""
    return list(outermost_nodes_in(action, ir.Step))


def formulas(node: Any, but: type | tuple[type, ...] = ()) -> Iterator[ir.Formula]:
    """Every formula inside a node or a collection; nodes of the classes `but` are skipped with all inside them."""
    return outermost_nodes_in(node, ir.Formula, but)


def outermost_nodes_in(
    node: Any, kind: type[Kind] | tuple[type[Kind], ...], but: type | tuple[type, ...] = ()
) -> Iterator[Kind]:
    """The outermost nodes of a class inside a node or a collection, itself included.

    The search enters neither formulas nor nodes of the classes `but`.
    """
    towards = _fields_towards(kind)  # type: ignore[arg-type]  # mypy takes a class of a type variable as not hashable
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, kind):
            yield here
        elif type(here) in NODE_TYPES:
            if not isinstance(here, but):
                stack += [getattr(here, name) for name in towards[type(here)]]
        elif isinstance(here, (tuple, list)):
            stack += here
        elif here is not None and isinstance(here, Mapping):
            stack += here.values()


@lru_cache
def _fields_towards(kind: type | tuple[type, ...]) -> Mapping[type, tuple[str, ...]]:
    """The fields of each class of nodes in which a search that does not enter formulas may find nodes of a class."""
    entered = {of: {} if of is ir.Formula else fields for of, fields in _HELD.items()}
    leads = {of for of in NODE_TYPES if issubclass(of, kind)}
    before = 0
    while len(leads) > before:
        before = len(leads)
        leads |= {of for of, fields in entered.items() if any(leads & held for held in fields.values())}
    return {of: tuple([name for name, held in fields.items() if held & leads]) for of, fields in entered.items()}


def step_bodies(node: Any) -> Iterator[ir.StepBody]:
    """What every step inside a node or a collection does, those inside other steps included."""
    for one in outermost_nodes_in(node, BODIES):
        yield one
        yield from step_bodies(children(one))


def rule_at(program: ir.Program, path: str) -> ir.Mechanic | None:
    """The rule that a path names or leads into (`mechanics.strike.steps.die`), or None where no run begins there."""
    section, name = (*path.split("."), "")[:2]
    return program.playable.get(section, {}).get(name)

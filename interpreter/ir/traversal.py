"""What stands under an expression or a construct, and which names it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any, TypeGuard, TypeVar, get_args

from interpreter import ir
from interpreter.ir import expressions, rules, steps

Kind = TypeVar("Kind")
NODES = get_args(ir.Expr)
NODE_TYPES: frozenset[type] = frozenset(
    one
    for module in (expressions, steps, rules)
    for one in vars(module).values()
    if isinstance(one, type) and is_dataclass(one)
)
"""Every class of nodes of a program."""


def inner(node: ir.Expr) -> Sequence[ir.Expr]:
    """The expressions right under a node."""
    return _INNER[type(node)](node)


def is_bare_quotient(node: ir.Expr) -> TypeGuard[ir.Quotient]:
    """Whether a node is a quotient that is worth a fraction right under a comparison."""
    return type(node) is ir.Quotient and node.bare


def is_exact(node: ir.Comparison) -> bool:
    """Whether a comparison is one of fractions."""
    return is_bare_quotient(node.left) or is_bare_quotient(node.right)


def _inner_of(kind: type) -> Callable[[Any], Sequence[ir.Expr]]:
    """Looks for what is right under nodes of a kind: one, several, or several with names of their own."""
    written = {name: of for name, of in kind.__annotations__.items() if "Expr" in of}
    if not written:
        return lambda node: ()
    (name, of), *others = written.items()
    if others:
        assert {*written.values()} == {"Expr"}
        return attrgetter(*written)
    if of == "Expr":
        return lambda node: (getattr(node, name),)
    return attrgetter(name) if of == "tuple[Expr, ...]" else lambda node: [one for _, one in getattr(node, name)]


_INNER = {kind: _inner_of(kind) for kind in NODES}


@lru_cache(10_000)
def locals_in(expr: ir.Expr) -> frozenset[str]:
    """Every name of the frame that an expression reads, what lasts left aside."""
    if isinstance(expr, ir.Local):
        return frozenset((expr.name,))
    return frozenset[str]().union(*map(locals_in, inner(expr)))


def does_more(steps: Sequence[ir.Step], rule: Callable[[str], ir.Mechanic | None]) -> bool:
    """Whether steps do more than work something out: ask somebody, change what lasts, end the rule.

    `rule` gives the mechanics that they call.
    """
    if next(each_in(steps, (ir.End, *DOES_MORE)), None) is not None:
        return True
    seen: set[str] = set()
    stack: list[Any] = [steps]
    while stack:
        here = stack.pop()
        if next(each_in(here, DOES_MORE), None) is not None:
            return True
        for name in {one.mechanic for one in each_in(here, ir.Call)} - seen:
            seen.add(name)
            called = rule(name)
            stack += [called.steps, called.outcomes] if called is not None else []
    return False


DOES_MORE = (ir.Choose, ir.ChooseEach, *get_args(ir.Effect))


def formulas(node: Any, but: type | tuple[type, ...] = ()) -> Iterator[ir.Formula]:
    """Every formula inside a construct of the program, or several; what is inside of some kinds of nodes left aside."""
    return each_in(node, ir.Formula, but)


def each_in(node: Any, kind: type[Kind] | tuple[type[Kind], ...], but: type | tuple[type, ...] = ()) -> Iterator[Kind]:
    """Every node of a kind inside a construct, formulas left closed."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, kind):
            yield here
        elif isinstance(here, Mapping):
            stack += here.values()
        elif isinstance(here, (tuple, list)):
            stack += here
        elif type(here) in NODE_TYPES and type(here) is not ir.Formula and not isinstance(here, but):
            stack += [getattr(here, name) for name in here.__slots__ if name not in ("type", "span")]


def nodes_within(node: Any) -> Iterable[Any]:
    """What is directly inside a construct of the program or an expression."""
    return inner(node) if isinstance(node, NODES) else _fields(node)


def _fields(node: Any) -> Iterator[Any]:
    if isinstance(node, ir.Formula):
        yield node.body
    elif isinstance(node, (tuple, list)):
        yield from node
    elif isinstance(node, Mapping):
        yield from node.values()
    elif type(node) in NODE_TYPES and not isinstance(node, type):
        yield from (getattr(node, slot) for slot in node.__slots__ if slot not in ("type", "span"))

"""An invariant of every program that may be played: each expression in it has a type.

What nobody could tell the type of agrees with everything, so it must come with an error; where it does not, this
reports it rather than letting it be played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import Problems
from interpreter.ir import types as t


def assert_settled(program: ir.Program, problems: Problems) -> None:
    """Report every expression without a type, if nothing was reported that explains it."""
    if not problems.errors:
        for expression in _unsettled(program):
            problems.add(say.no_type(expression.span))


def _unsettled(program: ir.Program) -> Iterator[ir.Expr]:
    stack: list[Any] = [program.options, program.functions, program.tables, program.types, program.mechanics]
    stack += [program.claims, program.kinds, program.events, program.actions, program.reactions]
    while stack:
        here = stack.pop()
        if isinstance(here, dict):
            stack += here.values()
        elif isinstance(here, (tuple, list)) and not hasattr(here, "_fields"):
            stack += here
        elif is_dataclass(here) and not isinstance(here, type):
            if isinstance(getattr(here, "type", None), t.Anything) and not isinstance(here, (ir.Formula, ir.Step)):
                yield here  # type: ignore[misc]
                continue
            stack += [
                getattr(here, one.name) for one in fields(here) if one.name not in ("type", "span", "tree", "resolved")
            ]

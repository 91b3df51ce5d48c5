"""One function on its way to be written: its lines, and the variables that stand for names of the ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from interpreter import ir
from interpreter.codegen.expressions import ExpressionWriter
from interpreter.codegen.module import GeneratedModule
from interpreter.ir.traversal import formulas, locals_in


class FunctionWriter:
    """The lines of one function, which is made `of` a construct, and the variables that stand for names of it."""

    def __init__(self, script: GeneratedModule, name: str, parameters: Sequence[str], of: Any) -> None:
        self.script = script
        self.variables = {one: f"p{place}" for place, one in enumerate(parameters)}
        self.read = names_read(of)
        self.writer = ExpressionWriter(script, self.variables)
        self.lines = [f"def {name}({', '.join(self.variables.values())}):"]
        self.depth = 1
        self.made = 0

    @property
    def whole(self) -> str:
        return "\n".join(self.lines)

    def line(self, text: str) -> None:
        self.lines.append(" " * self.depth + text)

    def new(self) -> str:
        """A variable that is not in use."""
        self.made += 1
        return f"v{self.made}"

    def text(self, formula: ir.Formula) -> str:
        return self.writer.text(formula.body)

    @contextmanager
    def under(self, head: str) -> Iterator[None]:
        """Lines under `if …:`, `for …:` and the like."""
        self.line(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def inside(self, **names: str) -> Iterator[None]:
        """Names that hold in here alone, as all that are given in here."""
        outer = dict(self.variables)
        self.variables.update(names)
        yield
        self.variables.clear()
        self.variables.update(outer)

    def element(self, slot: str, variable: str) -> AbstractContextManager[None]:
        """Lines in which `it` and the like is a variable."""
        return self.writer.element(slot, variable)


def names_read(rule: Any) -> frozenset[str]:
    """Every name that the formulas of a construct read, those of what policies say too."""
    return frozenset[str]().union(*[locals_in(one.body) for one in formulas(rule)])

"""The source of one generated function: its lines, and the variables that stand for names of the ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from interpreter import ir
from interpreter.codegen.expressions import VariableWriter
from interpreter.codegen.module import GeneratedModule
from interpreter.ir.traversal import formulas, locals_in, nodes_under


class FunctionWriter:
    """Collects the lines of one function, which runs `construct`.

    `variables` maps names of the ruleset to variables of the function; `names_read` are the names that some formula
    of the construct reads.
    """

    def __init__(self, module: GeneratedModule, name: str, parameters: Sequence[str], construct: Any) -> None:
        self.module = module
        self.variables = {parameter: f"p{place}" for place, parameter in enumerate(parameters)}
        self.names_read = _names_read(construct)
        self.expressions = VariableWriter(module, self.variables)
        self._lines = [f"def {name}({', '.join(self.variables.values())}):"]
        self._depth = 1
        self._variables_made = 0

    @property
    def source(self) -> str:
        return "\n".join(self._lines)

    def line(self, text: str) -> None:
        self._lines.append(" " * self._depth + text)

    def variable(self) -> str:
        """A new variable."""
        self._variables_made += 1
        return f"v{self._variables_made}"

    def text(self, formula: ir.Formula) -> str:
        """A formula as a Python expression."""
        return self.expressions.whole(formula.body)

    def spend(self, steps: int) -> None:
        """Write lines that take steps from the budget of the run."""
        self.line(f"run.steps += {steps}")
        self.line("if run.steps >= run.next_count: run.count_steps()")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Lines of the block under `if …:`, `for …:` and the like."""
        self.line(head)
        self._depth += 1
        before = len(self._lines)
        yield
        if len(self._lines) == before:
            self.line("pass")
        self._depth -= 1

    @contextmanager
    def scope(self, **names: str) -> Iterator[None]:
        """A scope: names that are bound in it, these and others, are unbound at its end."""
        outer = dict(self.variables)
        self.variables.update(names)
        yield
        self.variables.clear()
        self.variables.update(outer)

    def element(self, slot: str, variable: str) -> AbstractContextManager[None]:
        """Lines in which a slot, such as `.it`, is a variable."""
        return self.expressions.element(slot, variable)


def _names_read(construct: Any) -> frozenset[str]:
    """Every name that the formulas of a construct read, those of its policies too, and all that passes carry on."""
    carried = [name for one in nodes_under(construct) if isinstance(one, ir.Repeat) for name, _ in one.carry]
    return frozenset(carried).union(*[locals_in(formula.body) for formula in formulas(construct)])

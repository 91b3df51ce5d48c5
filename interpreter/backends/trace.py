"""What happened, worded when somebody reads it.

A run keeps events as small tuples. Here they become lines: how deep, the name of the step, what came of it, why
(which rule of the book it follows), and where in the ruleset that is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from interpreter import ir
from interpreter.backends.requests import Choice
from interpreter.backends.walk import Event
from interpreter.source import NOWHERE, Span
from interpreter.values import Thrown, in_words


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a trace. `cites` are the rows of the book that the construct at `path` follows, with status."""

    depth: int
    kind: str
    name: str
    text: str
    path: str
    cites: tuple[tuple[str, str], ...] = ()
    span: Span = NOWHERE

    def __str__(self) -> str:
        shown = f"{'  ' * self.depth}{self.name}"
        shown += f": {self.text}" if self.text else ""
        cites = ", ".join(row if status == "stated" else f"{row} ({status})" for row, status in self.cites)
        return f"{shown}  [{cites}]" if cites else shown


class Trace(Sequence[Line]):
    """The lines of a run, in order; `str()` is the whole as text."""

    def __init__(self, events: list[Event], program: ir.Program) -> None:
        self._events, self._program = events, program

    @cached_property
    def _lines(self) -> list[Line]:
        return list(_worded(self._events, citations(self._program)))

    def __getitem__(self, index: Any) -> Any:
        return self._lines[index]

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Line]:
        return iter(self._lines)

    def __str__(self) -> str:
        return "\n".join(map(str, self._lines))


def citations(program: ir.Program) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """The rows that each construct cites, by its path."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for one in program.citations:
        found[one.path] = (*found.get(one.path, ()), (one.row, one.status))
    return found


def _worded(events: list[Event], cited: Mapping[str, tuple[tuple[str, str], ...]]) -> Iterator[Line]:
    """Steps with a body come after it in the events, and before it on the page; so do calls."""
    cases: list[tuple[int, str]] = []
    for what, node, value, depth in events:
        match what:
            case "step":
                cites = cited.get(node.path, ())
                text = _shown(node, value)
                if cases and cases[-1][0] == depth:
                    case = cases.pop()[1]
                    text += f"  ({case})"
                if isinstance(node.action, ir.Call):
                    text = text or "done"
                yield Line(depth, "step", node.name, text, node.path, cites, node.span)
            case "start":
                yield Line(depth, "start", node.name, f"{in_words(value)} to begin with", node.path, (), node.span)
            case "pass":
                yield Line(depth, "pass", node.name, f"pass {value}", node.path, (), node.span)
            case "call":
                cites = cited.get(node.path, ())
                yield Line(depth, "call", node.title, _given(value, node), node.path, cites, node.span)
            case "case":
                cases.append((depth, value))
                cites = cited.get(node.path, ())
                if cites:
                    yield Line(depth, "case", value, "holds", node.path, cites)
            case "choice":
                assert isinstance(node, Choice)
                who = f"{node.by} decides" if node.by else "decided"
                yield Line(depth, "choice", node.name, f"{who}: {in_words(value)}", node.path)
            case "reroll":
                thrown = ", ".join(f"{die.die} {die.face}→{face}" for die, face in value) or "nothing"
                yield Line(depth, "reroll", node.name, f"again: {thrown}", node.path, (), node.span)
            case "outcome":
                yield Line(depth, "outcome", "outcome", value, node.path, cited.get(node.path, ()), node.span)
            case "also":
                yield Line(depth, "also", node.name, in_words(value), node.path, cited.get(node.path, ()))
            case "end":
                yield Line(depth, "outcome", "outcome", value, node.path)


def _shown(step: ir.Step, value: Any) -> str:
    if isinstance(step.action, (ir.Call, ir.Block)) and isinstance(value, Mapping):
        return str(value["outcome"]) if value.get("outcome") is not None else ""
    if isinstance(step.action, (ir.Repeat, ir.Pair)) and isinstance(value, tuple):
        return f"{len(value)} passes" if isinstance(step.action, ir.Repeat) else f"{len(value)} pairs"
    if isinstance(value, Mapping):
        return in_words({k: v for k, v in value.items() if not isinstance(v, Mapping)})
    if isinstance(value, tuple) and value and isinstance(value[0], Thrown):
        return in_words(value)
    return in_words(value)


def _given(inside: Mapping[str, Any], rule: ir.Mechanic) -> str:
    given = {one.name: inside.get(one.name) for one in rule.inputs}
    return ", ".join(f"{name} {in_words(value)}" for name, value in given.items() if value is not None)

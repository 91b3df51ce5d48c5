"""What a person may know before a question: what came since the last one, and the dice on the table."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace

from interpreter import ir
from interpreter.play.requests import RollUnderWay
from interpreter.play.run import Event
from interpreter.report.short import KEPT, shortened
from interpreter.report.trace import Line, Trace
from interpreter.report.transcript import HEADS, NOTHING, recorded
from interpreter.runtime.evaluator import Closures


def lines_before(
    closures: Closures, events: Sequence[Event], on_table: Iterable[RollUnderWay], start: int = 0
) -> list[Line]:
    """The lines of the events from number `start` on, and then one for each roll under way."""
    told = [line for line in Trace(list(events[start:]), closures) if not line.quiet]
    depth = told[-1].depth if told else 0
    rolls = [Line(depth, "table", roll.name, f"{roll.shown} on the table", roll.path) for roll in on_table]
    return [*told, *rolls]


SAYS_NOTHING = (*NOTHING, "{}", "yes")
"""Values that say nothing without the step that reads them."""

COMPUTED = ("step", "call", "roll", "table")
"""The kinds of lines that tell what was computed for a question."""


def told_briefly(lines: Sequence[Line], depth: int, rule: ir.Mechanic | None, program: ir.Program) -> list[str]:
    """The lines before a question as people read them: the record of play up to the turn, action or event under way,
    and then what came and was computed in it. The arguments are those of `on_this_level`."""
    head = max((n for n, line in enumerate(lines) if line.kind in HEADS), default=-1) + 1
    while head < len(lines) and lines[head].kind == "cost":  # the record tells it with the action
        head += 1
    told = recorded(lines[:head], over=False)
    computed = set[str]()
    for line in on_this_level(lines[head:], depth, rule, program, also=KEPT):
        if line.kind in KEPT:
            told += recorded([line], over=False)
        elif str(line) not in computed:  # passes of a loop compute the same
            computed.add(str(line))
            told.append(replace(line, depth=0, cites=()))
    return [f"{'  ' * line.depth}{line.name}{': ' if line.name and line.text else ''}{line.text}" for line in told]


def on_this_level(
    lines: Sequence[Line], depth: int, rule: ir.Mechanic | None, program: ir.Program, also: Container[str] = ()
) -> list[Line]:
    """Those of the lines before a question that belong to it: all dice, and the values of the rules that still run.

    `depth` is that of the step that asks, and `rule` the rule that it belongs to, if that is known: calls that this
    rule has finished are one line with the values that it reads of them. Of everything else that is finished only the
    dice are left, and lines of the kinds `also`. What tells how often something ran, and what is nothing, is left out.
    """
    own = next((n + 1 for n in reversed(range(len(lines))) if lines[n].depth < depth), 0)
    inside = [replace(line, depth=line.depth - depth) for line in lines[own:]]
    if rule is None:
        kept = _still_running(inside, also)
    else:
        kept = [one for one in shortened(inside, rule, program) if one.kind in also or _is_computed(one)]
    return [*_still_running(lines[:own], also), *kept]


def _still_running(lines: Sequence[Line], also: Container[str]) -> list[Line]:
    kept: list[Line] = []
    depth = lines[-1].depth if lines else 0
    for line in reversed(lines):
        still_runs = line.depth <= depth
        depth = min(depth, line.depth)
        if line.kind in also or (_is_computed(line) and (still_runs or line.kind in ("roll", "table"))):
            kept.append(line)
    return kept[::-1]


def _is_computed(line: Line) -> bool:
    counts = line.kind == "step" and (line.text.startswith("for ") or line.text.endswith((" pass", " passes")))
    return line.kind in COMPUTED and not counts and line.text not in SAYS_NOTHING

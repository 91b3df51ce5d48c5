"""What a person may know before a question: what came since the last one, and the dice on the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.play.requests import RollUnderWay
from interpreter.play.run import Event
from interpreter.report.trace import Line, Trace
from interpreter.runtime.evaluator import Closures


def lines_before(
    closures: Closures, events: Sequence[Event], on_table: Iterable[RollUnderWay], start: int = 0
) -> list[Line]:
    """The lines of the events from number `start` on, and then one for each roll under way."""
    told = [line for line in Trace(list(events[start:]), closures) if not line.quiet]
    depth = told[-1].depth if told else 0
    rolls = [Line(depth, "table", roll.name, f"{roll.shown} on the table", roll.path) for roll in on_table]
    return [*told, *rolls]

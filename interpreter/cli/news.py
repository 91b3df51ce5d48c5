"""What a terminal shows of the record of play: what is new, without what stands above the next question anyhow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter import ir
from interpreter.play import trace_events as ev
from interpreter.report.story import LAPSING
from interpreter.report.trace import Line, reason_of_master
from interpreter.runtime.summaries import OutOf

DOES = ev.TurnBegun | ev.ActionBegun
"""What somebody does: the points that change by it are news."""


def without_what_stands_above(lines: Sequence[Line], program: ir.Program, over: bool) -> list[Line]:
    """The lines of a record without what a terminal tells above its questions: who is how, until the scene is `over`,
    points that come and lapse with each turn or round, where nobody does anything, and headings of only that."""
    rounds = [number for number, line in enumerate(lines) if isinstance(line.event, ev.RoundBegun)]
    first, last = (rounds[0], rounds[-1]) if rounds else (len(lines), -1)
    if not any(isinstance(line.event, ev.SceneBegun) for line in lines):  # they begin later
        first = -1
    kept: list[Line] = []
    emptied: set[int] = set()
    around: list[tuple[Line, int]] = []
    for number, line in enumerate(lines):
        while around and around[-1][0].depth >= line.depth:
            around.pop()
        stays = (
            (over and number > last) or (number < first and not _has_bar(line.event))
            if isinstance(line.event, ev.ThingSummarized)
            else not _is_dealt(line, program, [one.event for one, _ in around])
        )
        if stays:
            around.append((line, len(kept)))
            kept.append(line)
        elif around:
            emptied.add(around[-1][1])
    return list(_without_empty_headings(kept, emptied))


def _without_empty_headings(lines: Sequence[Line], emptied: set[int]) -> Iterator[Line]:
    """The lines without the events and phases of which nothing is left, except for a last phase, which goes on."""
    for number, line in enumerate(lines):
        below = (
            lines[number + 1].depth > line.depth if number + 1 < len(lines) else isinstance(line.event, ev.PhaseBegun)
        )
        if below or number not in emptied or not isinstance(line.event, ev.EventCaused | ev.PhaseBegun):
            yield line


def _is_dealt(line: Line, program: ir.Program, around: Sequence[ev.Event | None]) -> bool:
    """Whether a line tells only that points came or lapsed by themselves, as they do in each turn or round."""
    if reason_of_master(line.event) is not None:
        return False
    match line.event:
        case ev.PointsLapsed():
            return True
        case ev.NumberMoved(place=place) | ev.ValueSet(place=place):
            kind = program.kinds.get(place.thing.kind)
            lapses = kind is not None and place.name in kind.has and kind.has[place.name].lasts in LAPSING
            return lapses and not any(isinstance(one, DOES) for one in around)
    return False


def _has_bar(event: ev.ThingSummarized) -> bool:
    """Whether the table of those who take part has a line for a thing."""
    return any(isinstance(one, OutOf) and one.most > 0 for one in event.has.values())

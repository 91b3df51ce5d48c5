"""The record of a play as a story, in Markdown: who did what to whom, and how it ended.

What people chose is told by what they then do; what was computed, points that come and lapse with each turn or round,
and the names of events that an action causes are left out. The record has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from interpreter import ir
from interpreter.ir import types as t
from interpreter.play import trace_events as ev
from interpreter.report.trace import GivenInput, Line, is_of_rule, reason_of_master
from interpreter.report.transcript import RecordLine, join_lines, record_lines

LAPSING = ("turn", "round")
"""Spans at whose end points and values are reset, so that nobody asks later what they were."""


def story_of(lines: Sequence[Line], program: ir.Program, over: bool, title: str = "") -> str:
    """The story of a session, as lines of a trace tell it to a viewer; `title` stands above it."""
    told = list(join_lines(_without_refused(one for one in record_lines(lines, over) if _is_told(one, program))))
    begun = next((one for one in told if isinstance(one.event, ev.SceneBegun)), None)
    last = max((number for number, one in enumerate(told) if is_of_rule(one.event)), default=0) if over else len(told)
    happened = [one for one in told[:last] if one is not begun and not isinstance(one.event, ev.ThingSummarized)]
    heading = f"# {_escape_for_markdown(title)}" if title else ""
    opening = _words(begun.text) if begun is not None else ""
    return "\n\n".join(filter(None, [heading, opening, *_parts(happened), *_end(told[last:], over)])) + "\n"


def _is_told(line: RecordLine, program: ir.Program) -> bool:
    """Whether a story has a line of a record, at least as the heading of what happens in it."""
    match line.event:
        case ev.ChoiceMade(node=choice, answer=answer):
            return choice.kind == "text" and answer is not ev.UNSEEN
        case ev.NumberMoved(place=place) | ev.ValueSet(place=place):
            kind = program.kinds.get(place.thing.kind)
            return kind is None or place.name not in kind.has or kind.has[place.name].lasts not in LAPSING
        case ev.PointsLapsed() | ev.StagesBegun() | ev.EventCancelled():
            return False
        case ev.StepDone():
            return line.kind != "stages"
    return True


def _without_refused(lines: Iterable[RecordLine]) -> Iterator[RecordLine]:
    """The lines without actions that were refused, and what somebody wrote for them."""
    written: list[RecordLine] = []
    for line in lines:
        if isinstance(line.event, ev.ChoiceMade):
            written.append(line)
            continue
        if not isinstance(line.event, ev.ActionDenied):
            yield from written
            yield line
        written = []
    yield from written


# What happens ---------------------------------------------------------------------------------------------------


def _parts(lines: Iterable[Line]) -> Iterator[str]:
    """Rounds with their headings, and a list of what happened in each."""
    listed: list[str] = []
    for group in _groups(lines):
        first = group[0]
        if isinstance(first.event, ev.RoundBegun):
            yield from ["\n".join(listed)] if listed else []
            listed = []
            yield f"## {first.text}"
        elif told := " ".join(_sentences(group)):
            listed.append(f"- {told}")
    yield from ["\n".join(listed)] if listed else []


def _groups(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines that belong together: an action, or an event outside of any, with all that comes of it, or what is done in
    a row outside of these. Phases and turns end a group and are none."""
    group: list[Line] = []
    for line in lines:
        heads = isinstance(line.event, ev.RoundBegun | ev.PhaseBegun | ev.TurnBegun)
        opens = isinstance(line.event, ev.ActionBegun | ev.EventCaused)
        inside = bool(group) and isinstance(group[0].event, ev.ActionBegun | ev.EventCaused)
        if group and (heads or (line.depth <= group[0].depth and (opens or inside))):
            yield group
            group = []
        if isinstance(line.event, ev.RoundBegun):
            yield [line]
        elif not heads:
            group.append(line)
    if group:
        yield group


def _sentences(group: Sequence[Line]) -> Iterator[str]:
    """What a group of lines tells, dice in brackets; nothing where only the name of an event is left."""
    first = group[0]
    if isinstance(first.event, ev.EventCaused) and len(group) == 1 and reason_of_master(first.event) is None:
        return
    for line in group:
        text = _sentence(line, line is first)
        if text:
            yield text


def _sentence(line: Line, is_first: bool) -> str:
    text, event = _words(line.text), line.event
    match event:
        case ev.ActionBegun(node=rule, who=who):
            given = ", ".join([_input_in_words(one, len(line.inputs) == 1) for one in line.inputs])
            return _end_sentence(f"**{_words(line.titles.value(who))}**: {_words(rule.title)}{given and f': {given}'}")
        case ev.EventCaused():
            return _end_sentence(text) if is_first or reason_of_master(event) is not None else ""
        case ev.ChoiceMade(node=choice, answer=answer):
            return f"{_words(line.titles.who(choice.by or ''))}: “{_escape_for_markdown(str(answer))}”."
    if line.kind == "roll":
        return f"[{text}]"
    if line.kind == "rolled" and isinstance(line, RecordLine):
        dice, came = _words(line.head), _words(line.text[len(line.head) :])
        return f"[{dice.removesuffix(', ')}] {_end_sentence(came)}"
    return _end_sentence(text)


def _input_in_words(one: GivenInput, alone: bool) -> str:
    """What is given for an action, with its name if it is not `alone`; what somebody wrote stands as it is."""
    is_text = isinstance(t.without_maybe(one.declared.type), t.Text)
    return (_escape_for_markdown if is_text else _words)(one.said if alone else one.words)


def _end_sentence(text: str) -> str:
    """A text as a sentence."""
    return text if not text or text.endswith((".", "!", "?", "…")) else f"{text}."


# The end --------------------------------------------------------------------------------------------------------


def _end(told: Sequence[Line], over: bool) -> Iterator[str]:
    """How it ended, and how everybody was then."""
    if not over:
        yield "*It is not over.*"
        return
    yield f"## The end: {_words(told[0].text)}" if told else "## The end"
    left = [one for one in told if isinstance(one.event, ev.ThingSummarized)]
    yield "\n".join(f"- **{_words(one.shown)}**: {_words(one.text)}" for one in left)


def _words(text: str) -> str:
    """Text of the rules, in which a name without a title is words, too."""
    return _escape_for_markdown(text.replace("_", " "))


def _escape_for_markdown(text: str) -> str:
    """Text that stands in Markdown as it is; brackets are common in it, and make links only with what follows."""
    plain = "".join(f"\\{sign}" if sign in "\\`*_<>#|" else sign for sign in text)
    return plain.replace("](", "]\\(").replace("][", "]\\[").replace("]:", "]\\:")

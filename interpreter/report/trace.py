"""The trace of a run, in words.

A run keeps events as small tuples. When a trace is read, they become lines with their depth, the name of the step, its
result, the rows of the book that it cites, and its place in the ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from interpreter import ir
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.frozen import dataclass
from interpreter.play.requests import Choice
from interpreter.play.run import Event
from interpreter.runtime import summaries
from interpreter.runtime.evaluator import Closures, frame
from interpreter.runtime.objects import in_sentence
from interpreter.runtime.pairing import STAND_IN
from interpreter.runtime.state import EMPTY, STATE
from interpreter.values import Thing, Thrown, in_words

UNSEEN = object()
"""Stands for an answer that is hidden from the reader."""

STARTS = "starts as "
"""How the line begins that shows what stages begin with."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a trace. `cites` are the rows of the book that the construct at `path` cites, with their status.

    A `quiet` line adds nothing: a stage that left its value unchanged, the only pass of a repetition.
    In a record of play, `told` stands for the name: of an outcome, its sentence; of a choice, what was asked.
    """

    depth: int
    kind: str
    name: str
    text: str
    path: str
    cites: tuple[tuple[str, str], ...] = ()
    span: Span = NOWHERE
    quiet: bool = False
    told: str = ""

    def __str__(self) -> str:
        shown = f"{'  ' * self.depth}{self.name}"
        shown += f": {self.text}" if self.text else ""
        return f"{shown}  [{self.sources}]" if self.cites else shown

    @property
    def sources(self) -> str:
        """The cited rows, with any status other than `stated`."""
        return ", ".join(row if status == "stated" else f"{row} {status}" for row, status in self.cites)


class Trace(Sequence[Line]):
    """The lines of a run, in order; `str()` gives the text without quiet lines."""

    def __init__(self, events: list[Event], closures: Closures) -> None:
        self.events, self._closures = events, closures

    @property
    def program(self) -> ir.Program:
        """The program that was played."""
        return self._closures.program

    @cached_property
    def _lines(self) -> list[Line]:
        return _Wording(self._closures).lines(self.events)

    def __getitem__(self, index: Any) -> Any:
        return self._lines[index]

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Line]:
        return iter(self._lines)

    def __str__(self) -> str:
        return "\n".join(str(line) for line in self._lines if not line.quiet)


def citations(program: ir.Program) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """The rows that each construct cites, by the path of the construct."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for one in program.citations:
        found[one.path] = (*found.get(one.path, ()), (one.row, one.status))
    return found


class _Wording:
    """Turns events into lines, one after the other; it leaves out inputs that have their default."""

    def __init__(self, closures: Closures) -> None:
        self.closures = closures
        self.cited = citations(closures.program)
        self.found: list[Line] = []
        self.cases: dict[int, str] = {}
        self.orders: dict[int, Any] = {}

    def lines(self, events: list[Event]) -> list[Line]:
        for event in events:
            line = self._line(event)
            if line is not None and line.depth >= 0:  # a rule that is played alone needs no heading
                self.found.append(line)
        return self.found

    def _line(self, event: Event) -> Line | None:
        what, node, value, depth = event
        match what:
            case "step":
                return self._step(node, value, depth)
            case "start":
                line = self._told(event, node.name, f"{STARTS}{in_words(value)}")
                return replace(line, kind="roll") if _rolls(node.action) and value else line
            case "pass":
                return self._told(event, node.name, f"pass {value}")
            case "pair":
                mine, other = value
                return self._told(event, node.name, f"{mine.die} {mine.value} against {_against(other)}")
            case "call":
                step, inside = value
                given = self._given(node.inputs, inside)
                return self._told(event, step, f"{node.title}{': ' if given else ''}{given}")
            case "scene":
                given = self._given(node.inputs, value)
                return self._told(event, node.name, f"{node.title}{': ' if given else ''}{given}")
            case "round":
                return self._told(event, "round", str(value))
            case "phase":
                return replace(self._told(event, node.name, node.title), quiet=value == 1)
            case "turn":
                return self._told(event, node.name, f"the turn of {value}")
            case "lapse":
                span, lapsed = value
                told = ", ".join(_changed(where, before, after) for where, before, after in lapsed)
                return Line(depth, what, "", f"at the end of the {span}: {told}", "")
            case "ended":
                return Line(depth, what, f"the {value} ends", "", "", (), NOWHERE)
            case "guard":
                return self._told(event, node.name, f"stopped after {_rounds(value)}, without an outcome")
            case "draw":
                where, elements, left = value
                rest = "" if left is None else f", {left} left"
                return self._told(event, node.name, f"{in_words(elements)} drawn from {where}{rest}")
            case "refill":
                where, number = value
                return self._told(event, node.name, f"all {number} of {where} put back")
            case "put":
                where, added = value
                return self._told(event, node.name, f"{in_words(added)} put into {where}")
            case "take":
                where, taken = value
                return self._told(event, node.name, f"{in_words(taken)} taken from {where}")
            case "cause":
                return self._caused(event)
            case "act":
                return self._acted(event)
            case "declined":
                self._was_asked(event)
            case "denied":
                return self._told(event, node.name, f"{node.title}: {value.message if value else 'denied'}")
            case "cancel":
                return self._told(event, node.name, "cancelled")
            case "summary":
                thing, has = value
                words = summaries.in_sentence(has)
                return Line(depth, what, thing, words, "", (), NOWHERE) if words else None
            case "move":
                return replace(self._moved(event), quiet=self._bookkeeping(value[0].thing.kind, value[0].name))
            case "set":
                where, before, after = value
                return self._told_of(event, _changed(where, before, after))
            case "change":
                changed = ", ".join(_changed(name, *both) for name, both in value.items())
                return self._told(event, node.name, changed)
            case "include":
                where, element, until = value
                lasts = "" if until is None else f" until the {until} ends" if isinstance(until, str) else _for(until)
                return self._told_of(event, f"{in_words(element)} added to {where}{lasts}")
            case "exclude":
                where, element, there = value
                gone = "removed from" if there else "was not in"
                return self._told_of(event, f"{in_words(element)} {gone} {where}")
            case "make":
                thing, has = value
                told = ", ".join(f"{name} {in_words(one)}" for name, one in has.items() if one is not None)
                return self._told(event, node.name, f"{thing} created{': ' if told else ''}{told}")
            case "destroy":
                thing, there = value
                return self._told(event, node.name, f"{thing} destroyed" if there else f"{thing} was already destroyed")
            case "each":
                _, element = value
                return self._told(event, node.name, f"for {in_words(element)}")
            case "key":
                return replace(self._told(event, value, "decides"), quiet=node.path not in self.cited)
            case "order":
                self.orders[depth] = value
            case "case":
                self.cases[depth] = value
                return self._told(event, value, "holds") if node.path in self.cited else None
            case "choice":
                assert isinstance(node, Choice)
                who = f"{node.by} chooses" if node.by else "chosen"
                about = f" for {node.of}" if node.of is not None and node.of != node.by else ""
                answer = "" if value is UNSEEN else f" {in_words(value)}"
                told = last_sentence(node.ask)
                asked = "" if "…" in told else told  # there, it stands for a value that the reader may not see
                return Line(depth, "choice", node.name, f"{who}{answer}{about}", node.path, told=asked)
            case "reroll":
                thrown = ", ".join(f"{die.die} {die.face} → {face}" for die, face in value)
                return self._told(event, node.name, f"rerolled {thrown}") if thrown else None
            case "outcome":  # its path is that of the rule, then `outcomes.WORD` or `also.NAME.WORD`
                section, name = node.path.split(".")[2:4]
                word, told = value
                line = self._told(event, name if section == "also" else "outcome", word)
                return replace(line, kind="outcome", told=told)
            case "end":
                return replace(self._told(event, "outcome", value), kind="outcome")
            case "also":
                return self._told(event, node.name, in_words(value))
        return None

    def _told_of(self, event: Event, text: str) -> Line:
        """The line for a step that changes an attribute; that of bookkeeping is quiet."""
        target = event.node.action.target
        return replace(self._told(event, event.node.name, text), quiet=self._bookkeeping(target.kind, target.name))

    def _bookkeeping(self, kind: str, name: str) -> bool:
        """Whether a record of play leaves out the changes of an attribute."""
        return self.closures.program.kinds[kind].has[name].bookkeeping

    def _caused(self, event: Event) -> Line:
        """The line for an event that begins: its step, title and inputs, with the sources of step and event."""
        (step, inside), rule = event.value, event.node
        given = self._given(rule.inputs, inside)
        line = self._told(event, step.name if step else rule.name, f"{rule.title}{': ' if given else ''}{given}")
        cites = self.cited.get(step.path, ()) if step and rule.outcomes is None else ()  # else the outcome shows them
        return replace(line, cites=tuple(dict.fromkeys((*cites, *line.cites))))

    def _acted(self, event: Event) -> Line | None:
        """The line for an action; if its actor was asked, the line of that choice gets the inputs instead."""
        (who, inside), rule = event.value, event.node
        if self._was_asked(event, inside):
            return None
        given = self._given(rule.inputs, inside)
        return self._told(event, rule.name, f"{rule.title}: {who}{', ' if given else ''}{given}")

    def _was_asked(self, event: Event, inside: Mapping[str, Any] | None = None) -> bool:
        """Whether the last choice asked about this reaction; its line then gets the sources and inputs."""
        for number in range(len(self.found) - 1, -1, -1):
            line = self.found[number]
            if line.depth > event.depth:
                continue
            if line.kind != "choice" or line.name != event.node.name or line.path == event.node.path:
                return False
            named = {later.name for later in self.found[number + 1 :] if later.kind == "choice"}
            silent = tuple(one for one in event.node.inputs if one.name not in named)
            given = self._given(silent, inside or {})
            told = self._told(event, line.name, f"{line.text}{', ' if given else ''}{given}")
            self.found[number] = replace(told, kind="choice", told=line.told)
            return True
        return False

    def _moved(self, event: Event) -> Line:
        """`bo.hold 6 → 0, empty (excess 3)`, `bo.hold 2 → 4 of 6`"""
        move, what = event.value
        how = move.how
        text = _changed(in_sentence(move.thing, move.name, move.key), how.before, how.after)
        text += f" of {how.most}" if how.before < how.after < (how.most or 0) else ""
        text += {"when_empty": ", empty", "when_full": ", full", "when_hit_full": ", full"}.get(what, "")
        text += f" (excess {how.excess})" if how.excess else ""
        paid = isinstance(event.node, ir.Cost)
        return replace(self._told(event, "cost" if paid else event.node.name, text), kind="cost" if paid else "move")

    def _told(self, event: Event, name: str, text: str) -> Line:
        node = event.node
        span = getattr(node, "span", NOWHERE)
        return Line(event.depth, event.what, name, text, node.path, self.cited.get(node.path, ()), span)

    def _step(self, step: ir.Step, value: Any, depth: int) -> Line | None:
        text = _result(step, value)
        if text is None or (isinstance(step.action, (ir.Choose, ir.ChooseEach)) and self._just_chosen(step, depth)):
            return None
        quiet = False
        if step.path.split(".")[-2:-1] == ["then"]:
            before = next((line for line in reversed(self.found) if line.depth <= depth), None)
            quiet = before is not None and before.text.removeprefix(STARTS) == text
        elif isinstance(step.action, ir.ForEach):
            quiet = bool(value) and (type(value) is tuple or None not in value.values())  # its elements show it
        elif isinstance(step.action, ir.Stages):
            self._quiet_if_unchanged(step.path)
        elif isinstance(step.action, ir.Repeat):
            self._quiet_only_pass(step.path, depth)
        case = self.cases.pop(depth, None) if isinstance(step.action, ir.FirstOf) else None
        text += f" ({case.replace('_', ' ')})" if case else ""
        kind = "roll" if _rolls(step.action) and value else "step"
        if isinstance(step.action, ir.Order) and depth in self.orders:
            places = self.orders.pop(depth)
            kind = "order" if any(isinstance(one, Thing) for one, _, _ in places) else kind
            text = _ranking(places, step.action)
        return Line(depth, kind, step.name, text, step.path, self.cited.get(step.path, ()), step.span, quiet)

    def _just_chosen(self, step: ir.Step, depth: int) -> bool:
        """Whether the last line is the choice of this step, which then gets the sources of the step."""
        last = self.found[-1] if self.found else None
        if last is None or last.kind != "choice" or last.name != step.name or last.depth != depth:
            return False
        self.found[-1] = replace(last, path=step.path, cites=self.cited.get(step.path, ()), span=step.span)
        return True

    def _quiet_if_unchanged(self, path: str) -> None:
        """Make the first line of stages quiet if no stage changed the value."""
        for number in range(len(self.found) - 1, -1, -1):
            line = self.found[number]
            if line.path == path and line.text.startswith(STARTS):
                loud = any(not later.quiet for later in self.found[number + 1 :])
                self.found[number] = replace(line, quiet=not loud)
                return

    def _quiet_only_pass(self, path: str, depth: int) -> None:
        passes = []
        for number in range(len(self.found) - 1, -1, -1):
            line = self.found[number]
            if line.depth < depth:
                break
            if line.kind == "pass" and line.path == path:
                passes.append(number)
                if line.text == "pass 1":
                    break
        if len(passes) == 1:
            self.found[passes[0]] = replace(self.found[passes[0]], quiet=True)

    @cached_property
    def _upgraded_to(self) -> Mapping[str, str]:
        """The kind of action that an action is upgraded to, in words, by the path of the upgrade."""
        upgrades = [action.upgrade for action in self.closures.program.actions.values()]
        return {one.path: one.to.replace("_", " ") for one in upgrades if one is not None}

    def _given(self, declared: tuple[ir.Declaration, ...], inside: Mapping[str, Any]) -> str:
        """The inputs that differ from their defaults, in words."""
        told = []
        for one in declared:
            value = inside.get(one.name)
            if value is None or value == self._default(one, inside):
                continue
            record = self.closures.program.types.get(getattr(one.type, "name", ""))
            upgraded = self._upgraded_to.get(one.path)
            if upgraded is not None:
                told.append(f"as a {upgraded} action")
            elif record is not None and isinstance(value, Mapping):
                told.append(f"{one.name} {self._record(record, value, inside)}")
            else:
                told.append(f"{one.name} {in_words(value)}")
        return ", ".join(told)

    def _record(self, record: ir.RecordType, value: Mapping[str, Any], inside: Mapping[str, Any]) -> str:
        fields = {one.name: value[one.name] for one in record.has if value[one.name] != self._default(one, inside)}
        if record.written_as is not None and set(fields) <= {record.written_as}:
            return in_words(value[record.written_as])
        return in_words(fields)

    def _default(self, one: ir.Declaration, inside: Mapping[str, Any]) -> Any:
        """The default of an input, which may read the state of the frame; None if it depends on another input."""
        if one.default is None:
            return None
        try:
            return self.closures.of(one.default)({**frame(), STATE: inside.get(STATE, EMPTY)})
        except KeyError:  # it reads an earlier input, so the default is not fixed
            return None


def last_sentence(question: str) -> str:
    """What a question asks: the last sentence that is a question, or the last of all; the others tell values, which
    differ from time to time."""
    sentences = re.split(r"(?<=[.;!?]) +", question)
    return next((one for one in reversed(sentences) if one.endswith("?")), sentences[-1])


def _ranking(places: Sequence[tuple[Any, ir.SortKey | None, str]], action: ir.Order) -> str:
    """`bo, cy (by luck: 1 after 2), ann (by lots)`: the elements in order, with the key that decided and its numbers,
    unless it was the first one."""
    told = []
    for one, key, numbers in places:
        decided = key is not None and key is not action.keys[0]
        told.append(in_words(one) + (f" (by {key.name}{numbers and f': {numbers}'})" if key and decided else ""))
    return f"[{', '.join(told)}]"


def _rolls(action: ir.StepBody) -> bool:
    """Whether a step rolls dice, or has stages that start with a roll."""
    return isinstance(action.start if isinstance(action, ir.Stages) else action, ir.RollDice)


def _changed(where: str, before: Any, after: Any) -> str:
    """`bo.hold 6 → 0`"""
    if before == after:
        return f"{where} stays {_or_none(after)}"
    return f"{where} {_or_none(before)} → {_or_none(after)}"


def _or_none(value: Any) -> str:
    return "none" if value is None else in_words(value)


def _for(rounds: int) -> str:
    return f" for {_rounds(rounds)}"


def _rounds(number: int) -> str:
    return f"{number} round{'s' * (number != 1)}"


def _against(die: Thrown) -> str:
    return f"{die.die} {die.value}" if die.key != STAND_IN else f"no die, counted as {die.value}"


def _result(step: ir.Step, value: Any) -> str | None:
    """The result of a step, in words; None if its own lines show it."""
    match step.action:
        case ir.Call() | ir.StepGroup() | ir.Turn():
            return value.get("outcome") if isinstance(value, Mapping) else None
        case ir.Compare():
            return next(word for word in ("ahead", "behind", "level") if value[word])
        case ir.Repeat(keep=keep):
            if keep is None:
                return f"{len(value)} pass{'es' * (len(value) != 1)}"
            kept = value.get(keep[1].span.text) if value else None
            return f"the {keep[0]} {keep[1].span.text}" + (f" is {in_words(kept)}" if kept is not None else "")
        case ir.Cause() if step.action.later is not None:
            when = step.action.later if isinstance(step.action.later, str) else "rounds"
            return "not yet" if when == "rounds" else f"when the {when} ends"
        case ir.Act():
            return str(value["outcome"]) if value.get("outcome") is not None else None
        case ir.Cause():
            outcome: str | None = value.get("outcome")
            return outcome
        case ir.Pay():
            return None if value["happened"] else "not paid"
        case ir.ForEach(keyed=False):
            return f"for {len(value)}" if value else "for none"
        case ir.ForEach():
            done = sum(one is not None for one in value.values())
            return f"for {done} of {len(value)}" if value else "for none"
        case ir.Shift() | ir.Assign() | ir.Include() | ir.Exclude() | ir.Make() | ir.Destroy():
            return None
        case ir.ChangeEvent() | ir.CancelEvent() | ir.Draw() | ir.Put() | ir.Take():
            return None
        case ir.Pair():
            return f"{len(value)} pair{'s' * (len(value) != 1)}"
    return in_words(value)

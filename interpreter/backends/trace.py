"""What happened, worded when somebody reads it.

A run keeps events as small tuples. Here they become lines: how deep, the name of the step, what came of it, why
(which rule of the book it follows), and where in the ruleset that is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from interpreter import ir
from interpreter.backends.requests import Choice
from interpreter.backends.walk import Event
from interpreter.closures import Closures, frame
from interpreter.dice.pairing import STAND_IN
from interpreter.source import NOWHERE, Span
from interpreter.values import Thrown, in_words


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a trace. `cites` are the rows of the book that the construct at `path` follows, with status.

    `quiet` lines change nothing: a stage that left its value as it was, the only pass of a repetition.
    """

    depth: int
    kind: str
    name: str
    text: str
    path: str
    cites: tuple[tuple[str, str], ...] = ()
    span: Span = NOWHERE
    quiet: bool = False

    def __str__(self) -> str:
        shown = f"{'  ' * self.depth}{self.name}"
        shown += f": {self.text}" if self.text else ""
        return f"{shown}  [{self.sources}]" if self.cites else shown

    @property
    def sources(self) -> str:
        """The rows that are cited, with their status where that is not plainly `stated`."""
        return ", ".join(row if status == "stated" else f"{row} {status}" for row, status in self.cites)


class Trace(Sequence[Line]):
    """The lines of a run, in order; `str()` is the text without its quiet lines."""

    def __init__(self, events: list[Event], closures: Closures) -> None:
        self._events, self._closures = events, closures

    @property
    def program(self) -> ir.Program:
        """The rules that were played."""
        return self._closures.program

    @cached_property
    def _lines(self) -> list[Line]:
        return _Wording(self._closures).lines(self._events)

    def __getitem__(self, index: Any) -> Any:
        return self._lines[index]

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Line]:
        return iter(self._lines)

    def __str__(self) -> str:
        return "\n".join(str(line) for line in self._lines if not line.quiet)


def citations(program: ir.Program) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """The rows that each construct cites, by its path."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for one in program.citations:
        found[one.path] = (*found.get(one.path, ()), (one.row, one.status))
    return found


class _Wording:
    """Words events one after the other; knows the defaults, which need no mention."""

    def __init__(self, closures: Closures) -> None:
        self.closures = closures
        self.cited = citations(closures.program)
        self.found: list[Line] = []
        self.cases: dict[int, str] = {}

    def lines(self, events: list[Event]) -> list[Line]:
        for event in events:
            line = self._line(event)
            if line is not None:
                self.found.append(line)
        return self.found

    def _line(self, event: Event) -> Line | None:
        what, node, value, depth = event
        match what:
            case "step":
                return self._step(node, value, depth)
            case "start":
                return self._told(event, node.name, f"{in_words(value)} to begin with")
            case "pass":
                return self._told(event, node.name, f"pass {value}")
            case "pair":
                mine, other = value
                return self._told(event, node.name, f"{mine.die} {mine.value} against {_against(other)}")
            case "call" | "cause" | "act" if depth >= 0:  # what the host lets happen has no line of its own
                step, inside = value
                given = self._given(node.inputs, inside)
                return self._told(event, str(step), f"{node.title}{': ' if given else ''}{given}")
            case "each":
                name, element = value
                return self._told(event, node.name, f"{name} {in_words(element)}")
            case "cost":
                return self._told(event, node.name, f"{how.before} → {how.after}") if (how := value) else None
            case "cancel":
                return self._told(event, value, f"{node.title} does not happen")
            case "case":
                self.cases[depth] = value
                return self._told(event, value, "holds") if node.path in self.cited else None
            case "choice":
                assert isinstance(node, Choice)
                who = f"{node.by} chooses" if node.by else "chosen"
                return Line(depth, "choice", node.name, f"{who} {in_words(value)}", node.path)
            case "reroll":
                thrown = ", ".join(f"{die.die} {die.face} → {face}" for die, face in value)
                return self._told(event, node.name, f"again {thrown}") if thrown else None
            case "outcome" | "end":
                return replace(self._told(event, "outcome", value), kind="outcome")
            case "also":
                return self._told(event, node.name, in_words(value))
        return None

    def _told(self, event: Event, name: str, text: str) -> Line:
        node = event.node
        span = getattr(node, "span", NOWHERE)
        return Line(event.depth, event.what, name, text, node.path, self.cited.get(node.path, ()), span)

    def _step(self, step: ir.Step, value: Any, depth: int) -> Line | None:
        text = _worth(step, value)
        if text is None or (isinstance(step.action, ir.Choose) and self._just_chosen(step, depth)):
            return None
        quiet = False
        if step.path.split(".")[-2:-1] == ["then"]:
            before = next((line for line in reversed(self.found) if line.depth <= depth), None)
            quiet = before is not None and before.text.removesuffix(" to begin with") == text
        elif isinstance(step.action, (ir.Shift, ir.Pay)):
            quiet = value["happened"] and value["before"] == value["after"] and not value["excess"]
        elif isinstance(step.action, ir.Stages):
            self._hush("start", step.path)
        elif isinstance(step.action, ir.Repeat):
            self._hush_only_pass(step.path, depth)
        case = self.cases.pop(depth, None) if isinstance(step.action, ir.FirstOf) else None
        text += f" ({case.replace('_', ' ')})" if case else ""
        return Line(depth, "step", step.name, text, step.path, self.cited.get(step.path, ()), step.span, quiet)

    def _just_chosen(self, step: ir.Step, depth: int) -> bool:
        """A choice that was asked has said its answer; it gets the sources of its step."""
        last = self.found[-1] if self.found else None
        if last is None or last.kind != "choice" or last.name != step.name or last.depth != depth:
            return False
        self.found[-1] = replace(last, path=step.path, cites=self.cited.get(step.path, ()), span=step.span)
        return True

    def _hush(self, kind: str, path: str) -> None:
        """The beginning of stages need not be told where no stage changed it."""
        for number in range(len(self.found) - 1, -1, -1):
            line = self.found[number]
            if line.kind == kind and line.path == path:
                loud = any(not later.quiet for later in self.found[number + 1 :])
                self.found[number] = replace(line, quiet=not loud)
                return

    def _hush_only_pass(self, path: str, depth: int) -> None:
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

    def _given(self, declared: tuple[ir.Declaration, ...], inside: Mapping[str, Any]) -> str:
        """The values that are not what they would be anyway."""
        told = []
        for one in declared:
            value = inside.get(one.name)
            if value is None or value == self._default(one):
                continue
            record = self.closures.program.types.get(getattr(one.type, "name", ""))
            if record is not None and isinstance(value, Mapping):
                told.append(f"{one.name} {self._record(record, value)}")
            else:
                told.append(f"{one.name} {in_words(value)}")
        return ", ".join(told)

    def _record(self, record: ir.RecordType, value: Mapping[str, Any]) -> str:
        fields = {one.name: value[one.name] for one in record.has if value[one.name] != self._default(one)}
        if record.written_as is not None and set(fields) <= {record.written_as}:
            return in_words(value[record.written_as])
        return in_words(fields)

    def _default(self, one: ir.Declaration) -> Any:
        if one.default is None:
            return None
        try:
            return self.closures.of(one.default)(frame())
        except KeyError:  # it reads an earlier input, so there is no one default
            return None


def _against(die: Thrown) -> str:
    return f"{die.die} {die.value}" if die.key != STAND_IN else f"no die, which counts {die.value}"


def _worth(step: ir.Step, value: Any) -> str | None:
    """What came of a step, in words; None where its own lines have said it."""
    match step.action:
        case ir.Call() | ir.Block():
            return value.get("outcome") if isinstance(value, Mapping) else None
        case ir.Compare():
            return next(word for word in ("ahead", "behind", "level") if value[word])
        case ir.Repeat(keep=keep):
            if keep is None:
                return f"{len(value)} pass{'es' * (len(value) != 1)}"
            kept = value.get(keep[1].span.text) if value else None
            return f"the {keep[0]} {keep[1].span.text}" + (f" is {in_words(kept)}" if kept is not None else "")
        case ir.Pair():
            return f"{len(value)} pair{'s' * (len(value) != 1)}"
        case ir.Shift(spot=spot) | ir.Assign(spot=spot):
            return _changed(_written(spot), value)
        case ir.Pay(purses=purses) if value["happened"] and len(purses) == 1:
            return _changed(_written(purses[0][0]), value)
        case ir.Pay():
            return f"{value['amount']} paid" if value["happened"] else "not paid"
        case ir.Include(spot=spot) | ir.Exclude(spot=spot):
            return f"{_written(spot)} {'changed' if value['happened'] else 'is as it was'}"
        case ir.Cause():
            return None if value["happened"] else "it does not happen"
        case ir.ForEach():
            return None
        case ir.Destroy() | ir.Change() | ir.Cancel():
            return "done"
    return in_words(value)


def _written(spot: ir.Spot) -> str:
    """What is changed, as its author wrote it."""
    return " ".join(spot.span.text.split()).strip("'\"")


def _changed(what: str, change: Any) -> str:
    past = f", and {change['excess']} more" if change.get("excess") else ""
    return f"{what} {in_words(change['before'])} → {in_words(change['after'])}{past}"

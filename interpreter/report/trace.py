"""The trace of a run, in words.

A run keeps events as frozen values (`play/trace_events.py`). When a trace is read, they become lines with their depth,
the name of the step, its result, the rows of the book that it cites, and its place in the ruleset. A line keeps the
event that it words: what is told in another form is taken from there, and never from the words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, assert_never

from interpreter import ir
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.play import trace_events as ev
from interpreter.runtime import summaries
from interpreter.runtime.evaluator import Closures, new_frame
from interpreter.runtime.pairing import STAND_IN
from interpreter.runtime.state import EMPTY, STATE, State
from interpreter.runtime.titles import NO_TITLES, Titles, titles_of
from interpreter.shown_text import in_one_line, last_sentence
from interpreter.syntax.fixed_words import SPANS
from interpreter.values import Thing, Thrown
from interpreter.work_count import spend

OF_A_LINE = 10
"""The units of work in which a line of a record is worded."""

NOTHING = ("no", "pass", "[]", "none")
"""Values that say nothing, in words: answers by which nothing happens, conditions that do not hold, empty lists."""

MASTER = "The game master"
"""What people read of a step that no rule has."""

OUTCOME = "outcome"
"""The name of the line of the outcome of a rule."""

Located = (
    ev.Computation | ev.Heading | ev.SceneBegun | ev.RoundBegun | ev.PhaseBegun | ev.TurnBegun | ev.GuardReached
    | ev.ReactionDeclined | ev.ActionDenied | ev.EventCancelled | ev.StepChange
)  # fmt: skip
"""An event whose line has the path and the sources of a construct of the program."""


@dataclass(frozen=True, slots=True)
class GivenInput:
    """An input that differs from its default: what was given for it, as a value and as it is `said`. The upgrade of an
    action is said without a name; an input that has a `title` is told by it."""

    declared: ir.Declaration
    value: Any
    said: str
    is_upgrade: bool = False
    title: str = ""

    @property
    def words(self) -> str:
        """`patient bo`"""
        return self.said if self.is_upgrade else f"{self.title or self.declared.name} {self.said}"


Inputs = tuple[GivenInput, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a trace. `cites` are the rows of the book that the construct at `path` cites, with their status.

    A `quiet` line adds nothing: a stage that left its value unchanged, the only pass of a repetition. `event` is what
    it words; `inputs` are those that it tells. People read the `title` in place of the name, and `titles` for others.
    """

    depth: int
    kind: str
    name: str
    text: str
    path: str
    cites: tuple[tuple[str, str], ...] = ()
    span: Span = NOWHERE
    quiet: bool = False
    event: ev.Event | None = field(default=None, repr=False, compare=False)
    inputs: tuple[GivenInput, ...] = field(default=(), repr=False, compare=False)
    title: str = ""
    titles: Titles = field(default=NO_TITLES, repr=False, compare=False)

    def __post_init__(self) -> None:  # a text of a player or of a state may have line breaks
        if not self.text.isprintable():
            object.__setattr__(self, "text", in_one_line(self.text))

    def __str__(self) -> str:
        shown = f"{'  ' * self.depth}{self.shown}"
        shown += f": {self.text}" if self.text else ""
        return f"{shown}  [{self.sources}]" if self.cites else shown

    @property
    def shown(self) -> str:
        """What people read in place of its name, if it has one: the title."""
        return self.title if self.name and self.title else self.name

    @property
    def words(self) -> str:
        """Its title, or its name as words of a sentence."""
        return self.title or self.name.replace("_", " ")

    @property
    def sources(self) -> str:
        """The cited rows, with any status other than `stated`."""
        return ", ".join(row if status == "stated" else f"{row} {status}" for row, status in self.cites)


def says_nothing(line: Line, words: Collection[str] = NOTHING) -> bool:
    """Whether a line shows a value that says nothing, which is one of these `words`; a text always says something."""
    of = line.event.node.type if isinstance(line.event, ev.StepDone) else None
    return line.text in words and not (of is not None and isinstance(t.without_maybe(of), t.Text))


def is_of_rule(event: ev.Event | None) -> bool:
    """Whether an event is the outcome of a rule, and no reading beside it."""
    return isinstance(event, ev.RuleEnded) or (isinstance(event, ev.OutcomeReached) and event.further is None)


def is_end_of_scene(event: ev.Event | None, scene: str) -> bool:
    """Whether an event is an outcome of a scene itself, which is named by its path."""
    return isinstance(event, ev.OutcomeReached) and event.node.path.startswith(f"{scene}.outcomes.")


def reason_of_master(event: ev.Event | None) -> str | None:
    """Why the game master does what an event tells, which may be empty; None where a rule does it."""
    match event:
        case ev.MasterEnded(why=why) | ev.MasterGave(why=why) | ev.RuleCalled(at=ev.BY_MASTER, why=why):
            return why
        case ev.EventCaused(step=ir.Step(path=ev.BY_MASTER, about=why)):
            return why
    step = event.node if isinstance(event, ev.StepChange) else None
    return step.about if isinstance(step, ir.Step) and step.path == ev.BY_MASTER else None


def with_reason(text: str, why: str | None) -> str:
    """`ann.crew 5 → 3 (a wave)`"""
    return f"{text} ({why})" if why else text


def _line_of_master(event: ev.MasterEnded | ev.MasterGave, text: str) -> Line:
    return Line(event.depth, "master", ev.BY_MASTER, text, "", event=event, title=MASTER)


class Trace(Sequence[Line]):
    """The lines of a run that began in a `state`, in order; `str()` gives the text without quiet lines. `game` is what
    was played."""

    def __init__(
        self, events: list[ev.Event], closures: Closures, state: State | None = EMPTY, game: object = None
    ) -> None:
        self.events, self._closures, self._state, self.game = events, closures, state, game

    @property
    def program(self) -> ir.Program:
        """The program that was played."""
        return self._closures.program

    @cached_property
    def _lines(self) -> list[Line]:
        return Wording(self._closures, self._state).lines(self.events)

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
    rows: dict[str, tuple[tuple[str, str], ...]] = {}
    for one in program.citations:
        rows[one.path] = (*rows.get(one.path, ()), (one.row, one.status))
    return rows


class Wording:
    """Turns events into lines, one after the other; it leaves out inputs that have their default."""

    def __init__(self, closures: Closures, state: State | None) -> None:
        self.closures = closures
        self.titles = titles_of(closures.program, state)
        self.cited = citations(closures.program)
        self.found: list[Line] = []
        self.cases: dict[int, str] = {}
        self.sorted: dict[int, ev.ListSorted] = {}

    def lines(self, events: Sequence[ev.Event]) -> list[Line]:
        """All lines so far, with those of further events; these may change lines that were there before."""
        for event in events:
            spend(OF_A_LINE)
            line = self._line(event)
            if line is not None and line.depth >= 0:  # a rule that is played alone needs no heading
                self.found.append(replace(line, titles=self.titles))
        return self.found

    def _line(self, event: ev.Event) -> Line | None:
        if isinstance(event, ev.ThingMade) and event.title:
            self.titles = replace(self.titles, made={**self.titles.made, event.thing.id: event.title})
        if isinstance(event, ev.Computation):
            return self._computation_line(event)
        if isinstance(event, ev.Heading):
            return self._heading(event)
        if isinstance(event, ev.Progress):
            return self._progress_line(event)
        if isinstance(event, ev.Decision):
            return self._decision_line(event)
        return self._change_line(event)

    def _computation_line(self, event: ev.Computation) -> Line | None:
        match event:
            case ev.StepDone():
                return self._step(event)
            case ev.StagesBegun(node=step, value=value):
                kind = "roll" if _is_roll(step.action) and value else "start"
                begins = "" if _is_row_of_dice_alone(step.action) else "starts as "
                return self._located_line(event, kind, step.name, f"{begins}{self.titles.value(value)}")
            case ev.PassBegun(node=step, number=number):
                return self._located_line(event, "pass", step.name, f"pass {number}")
            case ev.ElementBegun(node=step, element=element):
                return self._located_line(event, "each", step.name, f"for {self.titles.value(element)}")
            case ev.DicePaired(node=step, ours=mine, theirs=other):
                return self._located_line(
                    event, "pair", step.name, f"{mine.die} {mine.value} against {_other_die_in_words(other)}"
                )
            case ev.DiceRerolled(node=step, dice=dice):
                thrown = ", ".join(f"{die.die} {die.face} → {face}" for die, face in dice)
                return self._located_line(event, "reroll", step.name, f"rerolled {thrown}") if thrown else None
            case ev.KeyUsed(node=key):
                return replace(self._located_line(event, "key", key.name, "decides"), quiet=key.path not in self.cited)
            case ev.ListSorted():
                self.sorted[event.depth] = event
            case ev.CaseHeld(node=case):
                self.cases[event.depth] = self.titles.in_text(case)
                return self._located_line(event, "case", case.name, "holds") if case.path in self.cited else None
            case ev.OutcomeReached(further=further):
                return self._located_line(
                    event, "outcome", further.name if further is not None else OUTCOME, self._outcome(event)
                )
            case ev.RuleEnded(outcome=word):
                return self._located_line(event, "outcome", OUTCOME, self.titles.word(word))
            case ev.FurtherRead(node=further, holds=holds):
                return self._located_line(event, "also", further.name, self.titles.value(holds))
            case ev.StepSkipped() | ev.RequirementMet():
                pass
            case _:
                assert_never(event)
        return None

    def _heading(self, event: ev.Heading) -> Line | None:
        given = self._unusual_inputs(event.node.inputs, event.inputs)
        match event:
            case ev.RuleCalled(node=rule, step=step):
                return self._with_inputs(event, "call", step, rule.title, given)
            case ev.EventCaused(node=rule, step=cause):
                line = self._with_inputs(event, "cause", cause.name if cause else rule.name, rule.title, given)
                cites = self.cited.get(cause.path, ()) if cause and rule.outcomes is None else ()  # else it shows them
                return replace(line, cites=tuple(dict.fromkeys((*cites, *line.cites))))
            case ev.ActionBegun(node=rule, who=who):
                if self._was_asked(event, given):
                    return None
                words = ", ".join([self.titles.value(who), *[one.words for one in given]])
                return replace(self._located_line(event, "act", rule.name, f"{rule.title}: {words}"), inputs=given)
            case _:
                assert_never(event)

    def _progress_line(self, event: ev.Progress) -> Line | None:
        match event:
            case ev.SceneBegun(node=rule, inputs=inputs):
                return self._with_inputs(
                    event, "scene", rule.name, rule.title, self._unusual_inputs(rule.inputs, inputs)
                )
            case ev.RoundBegun(number=number):
                return self._located_line(event, "round", "round", str(number))
            case ev.PhaseBegun(node=phase, phases=phases):
                return replace(self._located_line(event, "phase", phase.name, phase.title), quiet=phases == 1)
            case ev.TurnBegun(node=step, who=who):
                return self._located_line(event, "turn", step.name, f"the turn of {self.titles.value(who)}")
            case ev.GuardReached(node=rule, rounds=rounds):
                return self._located_line(
                    event, "guard", rule.name, f"stopped after {_rounds_in_words(rounds)}, without an outcome"
                )
            case ev.SpanEnded(span=span):
                return Line(event.depth, "ended", f"the {span} ends", "", "", event=event)
            case ev.ThingSummarized(thing=thing, has=has):
                words = summaries.summary_in_words(has, self.titles, self.titles.kind_of(thing), thing)
                shown = self.titles.thing(thing)
                return Line(event.depth, "summary", thing, words, "", event=event, title=shown) if words else None
            case _:
                assert_never(event)

    def _decision_line(self, event: ev.Decision) -> Line | None:
        match event:
            case ev.ChoiceMade(node=choice, answer=answer):
                who = f"{self.titles.who(choice.by)} chooses" if choice.by else "chosen"
                about = f" for {self.titles.who(choice.of)}" if choice.of is not None and choice.of != choice.by else ""
                said = "" if answer is ev.UNSEEN else f" {self.titles.answer(choice.kind, answer)}"
                text, title = f"{who}{said}{about}", self.titles.constructs.get(choice.at, "")
                return Line(event.depth, "choice", choice.name, text, choice.path, event=event, title=title)
            case ev.ReactionDeclined():
                self._was_asked(event, ())
                return None
            case ev.ActionDenied(node=rule, why=why):
                return self._located_line(
                    event, "denied", rule.name, f"{rule.title}: {why.message if why else 'denied'}"
                )
            case ev.EventCancelled(node=rule):
                return self._located_line(event, "cancel", rule.name, "cancelled")
            case ev.MasterEnded(what=what, why=why):
                ends = f"the {what} ends" if what in SPANS else f"the scene ends: {self.titles.word(what)}"
                return _line_of_master(event, with_reason(ends, why))
            case ev.MasterGave(name=name, player=player, why=why):
                gives = f"{player} answers for {self.titles.who(name)} from now on"
                return _line_of_master(event, with_reason(gives, why))
            case _:
                assert_never(event)

    def _change_line(self, event: ev.Change) -> Line:
        if isinstance(event, ev.PointsLapsed):
            lapsed = ", ".join(
                before_and_after(self.titles.place(place), before, after) for place, before, after in event.changes
            )
            return Line(event.depth, "lapse", "", f"at the end of the {event.span}: {lapsed}", "", event=event)
        kind = _kind_of_change(event)
        name = event.node.name if isinstance(event.node, ir.Step) else kind
        where = self.titles.place(event.place) if isinstance(event, ev.PlacedChange) else ""
        line = self._located_line(event, kind, name, change_in_words(event, where, self.titles))
        if isinstance(event, ev.NumberMoved | ev.ValueSet | ev.ElementAdded | ev.ElementRemoved):
            place = event.place  # a record of play leaves out the changes of bookkeeping
            return replace(line, quiet=self.closures.program.kinds[place.thing.kind].has[place.name].bookkeeping)
        return line

    def _with_inputs(self, event: ev.Heading | ev.SceneBegun, kind: str, name: str, title: str, given: Inputs) -> Line:
        """The line for what begins with a title and its inputs."""
        words = ", ".join(one.words for one in given)
        return replace(self._located_line(event, kind, name, f"{title}{': ' if given else ''}{words}"), inputs=given)

    def _was_asked(self, event: ev.ActionBegun | ev.ReactionDeclined, given: Inputs) -> bool:
        """Whether the last choice asked about this reaction; its line then gets the sources and inputs."""
        for number in range(len(self.found) - 1, -1, -1):
            line = self.found[number]
            if line.depth > event.depth:
                continue
            if line.kind != "choice" or line.name != event.node.name or line.path == event.node.path:
                return False
            named = {later.name for later in self.found[number + 1 :] if later.kind == "choice"}
            silent = tuple([one for one in given if one.declared.name not in named])
            text = ", ".join([line.text, *[one.words for one in silent]])
            choice_line = self._located_line(event, "choice", line.name, text)
            self.found[number] = replace(choice_line, event=line.event, inputs=silent)
            return True
        return False

    def _located_line(self, event: Located, kind: str, name: str, text: str) -> Line:
        node = event.node
        span, text = getattr(node, "span", NOWHERE), with_reason(text, reason_of_master(event))
        cites = self.cited.get(node.path, ())
        return Line(event.depth, kind, name, text, node.path, cites, span, event=event, title=self._title(event, name))

    def _title(self, event: Located, name: str) -> str:
        """The title of the step or another part of a rule by whose name a line begins; rules tell theirs themselves."""
        if name == ev.BY_MASTER and reason_of_master(event) is not None:
            return MASTER
        if isinstance(event, ev.RuleCalled):
            return self.titles.constructs.get(event.at, "")
        parts = (getattr(event, key, None) for key in ("step", "further", "node"))
        named = (one for one in parts if one is not None and one.name == name)
        paths = (one.path for one in named if not isinstance(one, ir.Mechanic | ir.Phase))
        return next((self.titles.constructs[path] for path in paths if path in self.titles.constructs), "")

    def _outcome(self, event: ev.OutcomeReached) -> str:
        return self.titles.constructs.get(event.node.path) or self.titles.word(event.node.name)

    def _step(self, event: ev.StepDone) -> Line | None:
        step, value, depth = event.node, event.value, event.depth
        text = _result(step, value, self.titles)
        if text is None or (isinstance(step.action, (ir.Choose, ir.ChooseEach)) and self._was_just_chosen(step, depth)):
            return None
        quiet = False
        if step.path.split(".")[-2:-1] == ["then"]:
            before = next((line for line in reversed(self.found) if line.depth <= depth), None)
            quiet = before is not None and _value_in_words(before, self.titles) == text
        elif isinstance(step.action, ir.ForEach):
            quiet = bool(value) and (type(value) is tuple or None not in value.values())  # its elements show it
        elif isinstance(step.action, ir.Stages) and not step.action.reads_row:
            self._hide_unchanged_stages(step.path)
        elif isinstance(step.action, ir.Repeat):
            self._hide_only_pass(step.path, depth)
        is_roll, is_row = _is_roll(step.action), isinstance(step.action, ir.Stages) and step.action.reads_row
        case = self.cases.pop(depth, None) if isinstance(step.action, ir.FirstOf) else None
        text += f" ({case})" if case else ""
        line = replace(
            self._located_line(event, "roll" if is_roll and (value or is_row) else "step", step.name, text),
            quiet=quiet,
        )
        order = self.sorted.pop(depth, None) if isinstance(step.action, ir.Order) else None
        if order is None:
            return line
        line = replace(line, text=f"[{describe_order(order, self.titles)}]")
        of_things = any(isinstance(one.element, Thing) for one in order.places)
        return replace(line, kind="order", event=order) if of_things else line

    def _was_just_chosen(self, step: ir.Step, depth: int) -> bool:
        """Whether the last line is the choice of this step, which then gets the sources of the step."""
        last = self.found[-1] if self.found else None
        if last is None or last.kind != "choice" or last.name != step.name or last.depth != depth:
            return False
        self.found[-1] = replace(last, path=step.path, cites=self.cited.get(step.path, ()), span=step.span)
        return True

    def _hide_unchanged_stages(self, path: str) -> None:
        """Make the first line of stages quiet if no stage changed the value."""
        for number in range(len(self.found) - 1, -1, -1):
            line = self.found[number]
            if line.path == path and isinstance(line.event, ev.StagesBegun):
                loud = any(not later.quiet for later in self.found[number + 1 :])
                self.found[number] = replace(line, quiet=not loud)
                return

    def _hide_only_pass(self, path: str, depth: int) -> None:
        passes = []
        for number in range(len(self.found) - 1, -1, -1):
            line = self.found[number]
            if line.depth < depth:
                break
            if isinstance(line.event, ev.PassBegun) and line.path == path:
                passes.append(number)
                if line.event.number == 1:
                    break
        if len(passes) == 1:
            self.found[passes[0]] = replace(self.found[passes[0]], quiet=True)

    @cached_property
    def _upgrade_kinds(self) -> Mapping[str, str]:
        """The kind of action that an action is upgraded to, in words, by the path of the upgrade."""
        upgrades = [action.upgrade for action in self.closures.program.actions.values()]
        return {one.path: one.to.replace("_", " ") for one in upgrades if one is not None}

    def _unusual_inputs(self, declared: tuple[ir.Declaration, ...], inside: Mapping[str, Any]) -> Inputs:
        """The inputs that differ from their defaults."""
        inputs = []
        for one in declared:
            value = inside.get(one.name)
            if value is None or value == self._default(one, inside):
                continue
            record = self.closures.program.types.get(getattr(one.type, "name", ""))
            upgraded, title = self._upgrade_kinds.get(one.path), self.titles.constructs.get(one.path, "")
            if upgraded is not None:
                inputs.append(GivenInput(one, value, f"as a {upgraded} action", is_upgrade=True))
            elif record is not None and isinstance(value, Mapping):
                inputs.append(GivenInput(one, value, self._record(record, value, inside), title=title))
            else:
                inputs.append(GivenInput(one, value, self.titles.value(value, one.type), title=title))
        return tuple(inputs)

    def _record(self, record: ir.RecordType, value: Mapping[str, Any], inside: Mapping[str, Any]) -> str:
        fields = {one.name: value[one.name] for one in record.has if value[one.name] != self._default(one, inside)}
        if record.written_as is not None and set(fields) <= {record.written_as}:
            return self.titles.value(value[record.written_as])
        return self.titles.record(fields, record.has)

    def _default(self, one: ir.Declaration, inside: Mapping[str, Any]) -> Any:
        """The default of an input, which may read the state of the frame; None if it depends on another input."""
        if one.default is None:
            return None
        try:
            return self.closures.of(one.default)({**new_frame(), STATE: inside.get(STATE, EMPTY)})
        except KeyError:  # it reads an earlier input, so the default is not fixed
            return None


def question_of(event: ev.ChoiceMade) -> str:
    """What the question of a choice asks; empty where it has none, or the reader may not know the values in it."""
    return last_sentence(event.node.ask)


def describe_order(order: ev.ListSorted, titles: Titles) -> str:
    """`bo, cy (by luck: 1 after 2), ann (by lots)`: the elements in order, with the key that decided and its numbers,
    unless it was the first one."""
    assert isinstance(order.node.action, ir.Order)
    first = order.node.action.keys[0]
    return ", ".join(
        titles.value(one) + (f" (by {titles.of(key)}{numbers and f': {numbers}'})" if key and key is not first else "")
        for one, key, numbers in order.places
    )


def _kind_of_change(event: ev.StepChange) -> str:
    """The kind of the line that tells a change."""
    match event:
        case ev.NumberMoved(node=node):
            return "cost" if isinstance(node, ir.Cost) else "move"
        case ev.ValueSet():
            return "set"
        case ev.EventChanged():
            return "change"
        case ev.ElementAdded():
            return "include"
        case ev.ElementRemoved():
            return "exclude"
        case ev.PileDrawn():
            return "draw"
        case ev.PileRefilled():
            return "refill"
        case ev.PutIntoPile():
            return "put"
        case ev.TakenFromPile():
            return "take"
        case ev.ThingMade():
            return "make"
        case ev.ThingDestroyed():
            return "destroy"
        case _:
            assert_never(event)


def change_in_words(event: ev.StepChange, where: str, titles: Titles) -> str:
    """What has changed, `where` it is said to be: `bo.hold 6 → 0, empty (excess 3)`, `3 added to bo.wounds`."""
    match event:
        case ev.NumberMoved(how=how):
            text = before_and_after(where, how.before, how.after)
            text += f" of {how.most}" if how.before < how.after < (how.most or 0) else ""
            text += {"when_empty": ", empty", "when_full": ", full", "when_hit_full": ", full"}.get(
                how.follows or "", ""
            )
            return text + (f" (excess {how.excess})" if how.excess else "")
        case ev.ValueSet(before=before, after=after):
            return before_and_after(where, before, after, titles)
        case ev.EventChanged(inputs=inputs):
            return ", ".join(before_and_after(titles.event_input(name), *both, titles) for name, both in inputs.items())
        case ev.ElementAdded(element=element, until=until):
            lasts = "" if until is None else f" until the {until} ends" if isinstance(until, str) else _duration(until)
            return f"{titles.value(element)} added to {where}{lasts}"
        case ev.ElementRemoved(element=element, there=there):
            return f"{titles.value(element)} {'removed from' if there else 'was not in'} {where}"
        case ev.PileDrawn(elements=elements, left=left):
            return f"{titles.value(elements)} drawn from {where}" + ("" if left is None else f", {left} left")
        case ev.PileRefilled(number=number):
            return f"all {number} of {where} put back"
        case ev.PutIntoPile(elements=elements):
            return f"{titles.value(elements)} put into {where}"
        case ev.TakenFromPile(elements=elements):
            return f"{titles.value(elements)} taken from {where}"
        case ev.ThingMade(thing=thing, has=has):
            changes = ", ".join(
                f"{titles.attribute(thing.kind, name)} {titles.value(one)}"
                for name, one in has.items()
                if one is not None
            )
            return f"{titles.value(thing)} created{': ' if changes else ''}{changes}"
        case ev.ThingDestroyed(thing=thing, there=there):
            return f"{titles.value(thing)} destroyed" if there else f"{titles.value(thing)} was already destroyed"
        case _:
            assert_never(event)


def _value_in_words(line: Line, titles: Titles) -> str:
    """The value that a line of a stage, or of what the stages begin with, tells."""
    return titles.value(line.event.value) if isinstance(line.event, ev.StagesBegun) else line.text


def _is_roll(action: ir.StepBody) -> bool:
    """Whether a step rolls dice, or has stages that start with a roll."""
    return isinstance(action.start if isinstance(action, ir.Stages) else action, ir.RollDice)


def _is_row_of_dice_alone(action: ir.StepBody) -> bool:
    """Whether a step reads the row to which its dice come, and does nothing else with them."""
    return isinstance(action, ir.Stages) and action.reads_row and len(action.then) == 1


def before_and_after(where: str, before: Any, after: Any, titles: Titles = NO_TITLES) -> str:
    """`bo.hold 6 → 0`"""
    if before == after:
        return f"{where} stays {_in_words_or_none(after, titles)}"
    return f"{where} {_in_words_or_none(before, titles)} → {_in_words_or_none(after, titles)}"


def _in_words_or_none(value: Any, titles: Titles) -> str:
    return "none" if value is None else titles.value(value)


def _duration(rounds: int) -> str:
    return f" for {_rounds_in_words(rounds)}"


def _rounds_in_words(number: int) -> str:
    return f"{number} round{'s' * (number != 1)}"


def _other_die_in_words(die: Thrown) -> str:
    return f"{die.die} {die.value}" if die.key != STAND_IN else f"no die, counted as {die.value}"


def _result(step: ir.Step, value: Any, titles: Titles) -> str | None:
    """The result of a step, in words; None if its own lines show it."""
    match step.action:
        case ir.Call() | ir.StepGroup() | ir.Turn():
            return _outcome(value, titles) if isinstance(value, Mapping) else None
        case ir.Compare():
            return next(word for word in ("ahead", "behind", "level") if value[word])
        case ir.Repeat(keep=keep):
            if keep is None:
                return f"{len(value)} pass{'es' * (len(value) != 1)}"
            kept = value.get(keep[1].span.text) if value else None
            return f"the {keep[0]} {keep[1].span.text}" + (f" is {titles.value(kept)}" if kept is not None else "")
        case ir.Cause() if step.action.later is not None:
            when = step.action.later if isinstance(step.action.later, str) else "rounds"
            return "not yet" if when == "rounds" else f"when the {when} ends"
        case ir.Act():
            return _outcome(value, titles)
        case ir.Cause():
            return _outcome(value, titles)
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
    return titles.value(value, step.type)


def _outcome(of: Mapping[str, Any], titles: Titles) -> str | None:
    """The outcome of a rule that was called, as people read it."""
    word = of.get("outcome")
    return titles.word(word) if word is not None else None

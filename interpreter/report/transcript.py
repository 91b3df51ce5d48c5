"""A trace as a record of play: who acted, what was rolled and what resulted, without how it was computed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, assert_never

from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.play import trace_events as ev
from interpreter.report.trace import (
    MASTER,
    NOTHING,
    GivenInput,
    Inputs,
    Line,
    before_and_after,
    change_in_words,
    describe_order,
    question_of,
    reason_of_master,
)
from interpreter.runtime.objects import AttributePlace
from interpreter.runtime.state import UNDER_WAY
from interpreter.runtime.titles import Titles
from interpreter.syntax.fixed_words import BOUNDARIES
from interpreter.values import Die, Thrown, in_words

DECLINED = "declined"
"""The kind of a line that tells a reaction which somebody has declined."""

Start = ev.SceneBegun | ev.RoundBegun | ev.PhaseBegun | ev.TurnBegun | ev.ActionBegun | ev.EventCaused | ev.GuardReached
"""What begins a part of a record."""


@dataclass(frozen=True, slots=True)
class RecordLine(Line):
    """A line of a record, whose `text` is all of it.

    `head` is the beginning of the text that an answer, or a change of a thing, shares with others like it: the question
    or whose it is; of a roll with its outcome, the dice. An answer that was `paid` for tells the price behind it.
    """

    head: str = ""
    paid: bool = False


def record_lines(
    lines: Iterable[Line], over: bool = True, depth: int | None = None, reactions: Collection[str] = ()
) -> list[RecordLine]:
    """The lines of a trace that matter to players, with depths that skip the lines left out.

    An answer by which nothing happens is left out, except where it declines one of these `reactions`.

    If the play is not `over`, a last phase or event in which nothing has happened yet is kept, unless the `depth` of
    the step that asks tells that it has ended.
    """
    return RecordWording(reactions).read(lines).record(over, depth)


@dataclass(frozen=True, slots=True)
class _StagesUnderWay:
    """Stages of a number of an event: the line that began them, the number, and the names of those that changed it."""

    line: Line
    number: Any
    names: tuple[str, ...] = ()


class RecordWording:
    """Turns lines of a trace into those of a record, one after the other."""

    def __init__(self, reactions: Collection[str] = ()) -> None:
        self.reactions = reactions
        self._kept: list[RecordLine] = []
        self._depths: list[int] = []
        self._around: list[Line] = []
        self._rules: list[Line] = []
        self._stages: dict[str, _StagesUnderWay] = {}
        self._further = ("", "")

    def from_here(self) -> RecordWording:
        """What goes on with further lines as this would, and gives only theirs."""
        other = RecordWording(self.reactions)
        other._depths, other._around, other._rules = [*self._depths], [*self._around], [*self._rules]
        other._stages, other._further = {**self._stages}, self._further
        return other

    def read(self, lines: Iterable[Line]) -> RecordWording:
        """This, after it has read further lines."""
        for line in lines:
            if not self._is_repeated_result(line):
                self._keep(line)
                for one in self._read_stage(line):
                    self._keep(one)
        return self

    def record(self, over: bool, depth: int | None) -> list[RecordLine]:
        """The record so far, as `record_lines` gives it."""
        kept, depths = [*self._kept], [*self._depths]
        while depth is not None and depths and depths[-1] >= 2 * depth:
            depths.pop()
        if over or depth is not None:
            _drop_empty_heading(kept, 0 if over else len(depths))
        return kept

    def _keep(self, line: Line) -> None:
        """Add the entry of a line, or to the last one, if people are told of it."""
        event, kept = line.event, self._kept
        self._note_around(line)
        if line.kind == "cost" and kept and kept[-1].kind in ("act", "choice"):  # of a reaction
            kept[-1] = _with_price(kept[-1], line)
            return
        entry = line if isinstance(line, RecordLine) else _entry_of(line)
        if isinstance(event, ev.ChoiceMade) and entry is None and line.name in self.reactions:
            entry = replace(_answer(line, event), kind=DECLINED)
        if isinstance(event, ev.RuleCalled):  # what happens in it belongs to no event before it
            self._close(2 * line.depth)
        if entry is None:
            return
        if kept and _is_told_again(kept[-1], line):
            kept.pop()
        if isinstance(event, ev.EventCaused) and kept:
            entry = _without_repeated_inputs(entry, kept[-1])
        if line.kind == "outcome":
            sentence = event.told if isinstance(event, ev.OutcomeReached) else ""
            if kept and kept[-1].kind == "roll":
                head = f"{kept[-1].text}, "
                kept[-1] = replace(kept[-1], kind="rolled", text=f"{head}{entry.text}", head=head)
                return
            if not sentence and self._around and _is_untold_call(self._around[-1].event):
                entry = replace(
                    entry, text=f"{_call_in_words(self._around[-1])}: {entry.text}"
                )  # no heading says what came to this
        if isinstance(event, ev.ActionBegun):
            told_again = _count_repeated(event, line.inputs, kept)
            if told_again:
                del self._depths[kept[-told_again].depth :], kept[-told_again:]
        if isinstance(event, ev.RoundBegun):
            self._depths.clear()
        below = 2 * line.depth - isinstance(event, ev.RoundBegun)  # a trace gives phases the depth of their round
        self._close(below)
        kept.append(replace(entry, depth=len(self._depths)))
        self._depths.append(below)

    def _note_around(self, line: Line) -> None:
        """Note which parts and calls the next line belongs to."""
        if isinstance(line.event, Start | ev.RuleCalled | ev.OutcomeReached | ev.RuleEnded):
            while self._around and self._around[-1].depth >= line.depth:
                self._around.pop()
            self._around += [line] if isinstance(line.event, Start | ev.RuleCalled) else []

    def _close(self, below: int) -> None:
        """End the parts that are not above a depth."""
        while self._depths and self._depths[-1] >= below:
            self._depths.pop()
        _drop_empty_heading(self._kept, len(self._depths))

    def _is_repeated_result(self, line: Line) -> bool:
        """Whether a line is a further result (`also`) that a rule only passes on from the one that it called."""
        if isinstance(line.event, ev.OutcomeReached) and line.event.further is not None and not line.event.told:
            if (line.name, line.text) == self._further:
                return True
            self._further = (line.name, line.text)
        elif isinstance(line.event, Start | ev.RuleCalled) or line.kind == "roll":
            self._further = ("", "")
        return False

    def _read_stage(self, line: Line) -> Iterator[Line]:
        """What is told after a line: of a number of an event that stages have changed, `suffered 6 → 5 (reduced)`."""
        event, rules = line.event, self._rules
        if isinstance(event, Start | ev.RuleCalled):
            while rules and rules[-1].depth >= line.depth:
                rules.pop()
            rules.append(line)
        elif isinstance(event, ev.StagesBegun) and rules and isinstance(rules[-1].event, ev.EventCaused):
            self._stages[line.path] = _StagesUnderWay(line, event.value)
        elif isinstance(event, ev.StepDone) and line.path in self._stages:
            stages = self._stages.pop(line.path)
            if type(stages.number) is int and stages.number != event.value:
                why = f" ({', '.join(name.replace('_', ' ') for name in stages.names)})" if stages.names else ""
                text = f"{line.words} {stages.number} → {line.text}{why}"
                yield replace(_entry(line, text), kind="stages", cites=())
        elif line.kind == "step" and not line.quiet:
            for path, one in self._stages.items():
                if line.depth == one.line.depth + 1:
                    self._stages[path] = replace(one, names=(*one.names, line.shown))


def _is_untold_call(event: ev.Event | None) -> bool:
    """Whether an event is a call, of which no entry tells unless the game master has made it."""
    return isinstance(event, ev.RuleCalled) and reason_of_master(event) is None


def _is_told_again(above: RecordLine, line: Line) -> bool:
    """Whether a line tells the same dice as the entry above, because the stages of their step have changed nothing."""
    match above.event, line.event:
        case ev.StagesBegun(value=first), ev.StepDone(value=last):
            return above.path == line.path and first == last
    return False


def _count_repeated(act: ev.ActionBegun, inputs: Inputs, kept: Sequence[RecordLine]) -> int:
    """How many of the last entries tell the choice of an action and of its inputs, which its line repeats."""
    for number, one in enumerate(reversed(kept), 1):
        if one.kind != "choice" or not isinstance(one.event, ev.ChoiceMade):
            break
        if one.event.answer == act.node.name:
            return number
        if not any(one.titles.answer(one.event.node.kind, one.event.answer) == given.said for given in inputs):
            break
    return 0


def _drop_empty_heading(kept: list[RecordLine], depth: int) -> None:
    """Remove a last phase or event in which nothing happened; a turn stays, also if its player passed."""
    while (
        kept
        and isinstance(kept[-1].event, ev.PhaseBegun | ev.EventCaused)
        and reason_of_master(kept[-1].event) is None
        and kept[-1].depth >= depth
    ):
        kept.pop()


def _entry(line: Line, text: str, head: str = "") -> RecordLine:
    """A line as an entry, of which the text tells the name, too."""
    return RecordLine(
        line.depth, line.kind, "", text, line.path, line.cites, line.span, line.quiet, line.event, line.inputs, "",
        line.titles, head,
    )  # fmt: skip


def _heading(line: Line, text: str) -> RecordLine:
    """A line that others follow as an entry, without its sources."""
    return replace(_entry(line, text), cites=())


def _entry_of(line: Line) -> RecordLine | None:
    """A line of a trace as an entry of the record, with the game master before it if that one does it; None if it is
    left out."""
    entry = _entry_of_rules(line)
    if reason_of_master(line.event) is None or (entry is None and isinstance(line.event, ev.Change)):
        return entry
    head = f"{MASTER}: "
    return replace(_entry(line, f"{head}{line.text}", head), cites=())


def _entry_of_rules(line: Line) -> RecordLine | None:
    """A line of a trace as an entry, whoever has done what it tells."""
    event = line.event
    if event is None:
        return None
    if isinstance(event, ev.Computation):
        return _computation_entry(line, event)
    if isinstance(event, ev.Change):
        return _change_entry(line, event)
    given = tuple([one for one in line.inputs if one.value != ()])
    match event:
        case ev.EventCaused(node=rule, step=None) if rule.name in BOUNDARIES:
            return None
        case ev.SceneBegun(node=rule) | ev.EventCaused(node=rule):
            return _with_inputs(_heading(line, rule.title), given)
        case ev.ActionBegun(node=rule, who=who):
            words = ", ".join([line.titles.value(who), *[one.words for one in given]])
            return replace(_heading(line, f"{rule.title}: {words}"), inputs=given)
        case ev.RoundBegun(number=number):
            return _heading(line, f"Round {number}")
        case ev.TurnBegun(who=who):
            return _heading(line, f"The turn of {line.titles.value(who)}")
        case ev.PhaseBegun() | ev.GuardReached():
            return _heading(line, line.text)
        case ev.ThingSummarized(thing=thing):
            return replace(_entry(line, line.text), name=thing, title=line.title)
        case ev.ChoiceMade():
            return _answer(line, event) if not _is_nothing(event) else None
        case ev.ActionDenied() | ev.EventCancelled():
            return _entry(line, line.text)
        case ev.RuleCalled() | ev.SpanEnded() | ev.ReactionDeclined():
            return None
        case ev.MasterEnded() | ev.MasterGave():
            return _entry(line, line.text)
        case _:
            assert_never(event)


def _computation_entry(line: Line, event: ev.Computation) -> RecordLine | None:
    """What a rule has computed, if it is of dice, an order of things or an outcome."""
    match event:
        case ev.ListSorted():
            return _heading(line, f"{line.words}: {describe_order(event, line.titles)}")
        case ev.StepDone() | ev.StagesBegun():
            return _entry(line, f"{line.shown} {line.text}") if line.kind == "roll" else None
        case ev.OutcomeReached(told=sentence, further=further):
            is_nothing = further is not None and not sentence and line.text in NOTHING
            return _entry(line, sentence or line.text) if not is_nothing else None
        case ev.RuleEnded():
            return _entry(line, line.text)
        case ev.DiceRerolled():
            return _entry(line, line.text)
        case ev.PassBegun() | ev.ElementBegun() | ev.DicePaired() | ev.KeyUsed():
            return None
        case ev.CaseHeld() | ev.StepSkipped() | ev.RequirementMet() | ev.FurtherRead():
            return None
        case _:
            assert_never(event)


# Answers --------------------------------------------------------------------------------------------------------


def _is_nothing(event: ev.ChoiceMade) -> bool:
    """Whether by an answer nothing happens. What somebody wrote always tells something."""
    choice, answer = event.node, event.answer
    if answer is ev.UNSEEN or choice.kind == "text":
        return False
    if type(answer) is int and answer == 0:
        return bool(_about(event)) or not question_of(event)
    return in_words(answer) in NOTHING


def _about(event: ev.ChoiceMade) -> str:
    """What a choice is about, if that is not who is asked."""
    return event.node.of if event.node.of is not None and event.node.of != event.node.by else ""


def _answer(line: Line, event: ev.ChoiceMade) -> RecordLine:
    """The line of a choice as a question with its answer: `ann: How many do you bid? 2`."""
    choice, asked = event.node, question_of(event)
    if choice.by is None or event.answer is ev.UNSEEN:
        head = f"{asked} " if asked else f"{line.words}: "
        return _entry(line, f"{head}{line.text}", head)
    titles, of = line.titles, _about(event)
    about = f" for {titles.who(of)}" if of and titles.who(of) not in asked else ""
    parts = [_list_without_brackets(event.answer, titles.answer(choice.kind, event.answer), titles) + about]
    head = f"{titles.who(choice.by)}: {asked or line.name.replace('_', ' ')} "
    return _entry(line, head + ", ".join([*parts, *[one.words for one in line.inputs]]), head)


def _with_price(entry: RecordLine, cost: Line) -> RecordLine:
    """What somebody does or answers with the price that is paid for it, and whose it is if the entry does not tell."""
    event = cost.event
    if not isinstance(event, ev.NumberMoved) or is_unchanged(event):
        return entry
    match entry.event:
        case ev.ActionBegun(who=who):
            told = who.id
        case ev.ChoiceMade(node=choice):
            told = choice.by or ""
        case _:
            told = ""
    titles = cost.titles
    whose = "" if event.place.thing.id == told else f"{_owner(event.place, titles)}: "
    paid = change_in_words(event, _below_owner(event.place, titles), titles)
    return replace(entry, text=f"{entry.text} ({whose}{paid})", paid=True)


def join_lines(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of a record, where those in a row that tell answers to one question, or changes of one thing, are one:
    `How many do you bid? ann 2, bo 0`, `ann: coins 5 → 4, favours 0 → 1`."""
    for (same_is, head, _, _), some in groupby(lines, key=_join_key):
        same = list(some)
        match same_is:
            case "question" if len(same) > 1:
                yield replace(same[0], text=head + ", ".join(map(_answer_alone, same)))
            case "owner":
                yield replace(same[0], text=head + ", ".join(map(_text_after_common, same)))
            case _:
                yield from same


def _join_key(line: Line) -> tuple[str, str, str, int]:
    """What lines in a row have in common, if `join_lines` makes them one: what kind of thing, and how they begin."""
    match line.event:
        case ev.ChoiceMade(node=choice) if line.kind != DECLINED and question_of(line.event):
            return "question", f"{question_of(line.event)} ", choice.name, line.depth
        case ev.NumberMoved() | ev.ValueSet() if isinstance(line, RecordLine):
            return "owner", line.head, "", line.depth
    return "", "", "", 0


def _text_after_common(line: Line) -> str:
    """The text of a line behind what it has in common with others."""
    return line.text[len(line.head) :] if isinstance(line, RecordLine) else line.text


def _answer_alone(line: Line) -> str:
    """Who answers what: `ann 2`. A line of a trace tells it by itself, and so does one that hides the answer."""
    match line.event:
        case ev.ChoiceMade(node=choice, answer=answer) if isinstance(line, RecordLine) and answer is not ev.UNSEEN:
            return (
                f"{line.titles.who(choice.by)} {_text_after_common(line)}"
                if choice.by is not None
                else _text_after_common(line)
            )
    return _text_after_common(line)


# Changes --------------------------------------------------------------------------------------------------------


def _change_entry(line: Line, event: ev.Change) -> RecordLine | None:
    """A change with the thing that it is of: `ann: tactical points 5 → 4`, `ann: 3 added to burnt essence`."""
    if line.quiet or line.kind == "cost" or is_unchanged(event):
        return None
    if isinstance(event, ev.PointsLapsed):
        of = line.titles
        lapsed = [
            before_and_after(f"{_owner(place, of)} {_below_owner(place, of)}", before, after)
            for place, before, after in event.changes
        ]
        return _entry(line, f"at the end of the {event.span}: {', '.join(lapsed)}")
    if not isinstance(event, ev.PlacedChange) or isinstance(event, ev.PileRefilled) or event.place.thing == UNDER_WAY:
        return _entry(line, line.text)
    where = _below_owner(event.place, line.titles, last=isinstance(event, ev.NumberMoved | ev.ValueSet))
    head = f"{_owner(event.place, line.titles)}: "
    return _entry(line, head + change_in_words(event, where, line.titles), head)


def _owner(place: AttributePlace, titles: Titles) -> str:
    """The thing that has an attribute, itself or in a part."""
    return titles.thing(place.thing.id.partition(".")[0])


def _below_owner(place: AttributePlace, titles: Titles, last: bool = True) -> str:
    """The name of an attribute after those of the parts of its owner that have it, `essence burnt`, or before them."""
    parts, name = titles.parts(place.thing.id), titles.in_place(place)
    return " ".join([*parts, name] if last else [name, *reversed(parts)]).replace("_", " ")


def is_unchanged(event: ev.Event | None) -> bool:
    """Whether a change is none to people: the value stays as it was, though there was room for more, or it is one of
    the scene itself."""
    match event:
        case ev.NumberMoved(place=place, how=how):
            return place.thing == UNDER_WAY or (how.before == how.after and not how.excess)
        case ev.ValueSet(place=place, before=before, after=after):
            return place.thing == UNDER_WAY or before == after
        case ev.EventChanged(inputs=inputs):
            return all(before == after for before, after in inputs.values())
    return False


# What begins ----------------------------------------------------------------------------------------------------


def _without_repeated_inputs(entry: RecordLine, above: RecordLine) -> RecordLine:
    """An event of several inputs without the things and words that stand in the entry above, if it comes of that."""
    follows = isinstance(above.event, ev.ActionBegun | ev.EventCaused) and reason_of_master(entry.event) is None
    if not follows or len(entry.inputs) == 1:
        return entry
    there = [one.value for one in above.inputs if _is_word(one)]
    there += [above.event.who] if isinstance(above.event, ev.ActionBegun) else []
    return _with_inputs(entry, tuple([one for one in entry.inputs if one.value not in there]))


def _call_in_words(call: Line) -> str:
    """What was called, with the things and words that are given for it: `Armour upkeep (bo)`."""
    title = call.event.node.title if isinstance(call.event, ev.RuleCalled) else ""
    words = [one.said for one in call.inputs if _is_word(one) and not _is_told_by_dice(one)]
    return f"{title} ({', '.join(words)})" if words else title


def _with_inputs(entry: RecordLine, inputs: Inputs) -> RecordLine:
    """What happens with what is given for it: `Treat: ann, patient bo`. The name of an input is left out where it is
    the only one, and given a thing or a word: `Stun damage: bo`."""
    title = entry.event.node.title if isinstance(entry.event, ev.SceneBegun | ev.EventCaused) else ""
    alone = len(inputs) == 1 and _is_word(inputs[0])
    words = (
        _list_without_brackets(inputs[0].value, inputs[0].said, entry.titles)
        if alone
        else ", ".join(one.words for one in inputs)
    )
    return replace(entry, text=f"{title}{': ' if inputs else ''}{words}", inputs=inputs)


def _is_word(given: GivenInput) -> bool:
    """Whether a value tells by itself what it is: numbers, yes and no do not."""
    return type(given.value) not in (bool, int)


def _is_told_by_dice(given: GivenInput) -> bool:
    """Whether a value is a record, such as a side with its dice, or thrown dice. Too long for a word beside a title, it
    is told by what is thrown."""
    return isinstance(t.without_maybe(given.declared.type), t.Record | t.Roll)


def _list_without_brackets(value: Any, said: str, titles: Titles) -> str:
    """A value as it is `said`, and the elements of a list without brackets."""
    is_list = type(value) is tuple and not any(isinstance(one, Die | Thrown) for one in value)
    return ", ".join(map(titles.value, value)) if is_list else said

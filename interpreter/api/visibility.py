"""What a player may see of a state and of a trace.

A player is a set of names: the things and roles that the player answers for. An attribute with `seen_by` is hidden
from every player whom it does not name. So is every value computed from it, until it is stored in a visible attribute
or becomes an outcome; and so is a roll that becomes such a value (`api/rolls_into_hidden.py`). The steps that compute
such values are found in the program, by an analysis that may hide too much but not too little.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass, replace
from typing import Any, NamedTuple, assert_never

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.players import Names
from interpreter.api.rolls_into_hidden import rolls_into_hidden
from interpreter.api.rule_steps import (
    NOTHING,
    Paths,
    hidden_attributes,
    locals_of,
    own_formulas,
    parts_of,
    rules_with_steps,
    steps_in,
)
from interpreter.frozen import dataclass
from interpreter.ir.once_per import once_per
from interpreter.ir.uses import rule_called
from interpreter.play import trace_events as ev
from interpreter.runtime.functions import charge
from interpreter.runtime.objects import AttributePlace
from interpreter.runtime.state import State
from interpreter.shown_text import last_sentence


def may_see(program: ir.Program, kinds: Mapping[str, str], thing: str, name: str, names: Names) -> bool:
    """Whether a player may see an attribute of a thing; `kinds` are those of the things by id."""
    known = [kinds[thing]] if thing in kinds else list(program.kinds)  # the kind of a destroyed thing is unknown
    for kind in known:
        one = program.kinds[kind].has.get(name)
        if one is not None and one.seen_by is not None and not _is_among(one.seen_by, thing, names):
            return False
    above, _, part = thing.rpartition(".")
    return not above or may_see(program, kinds, above, part, names)


def _is_among(seen_by: Iterable[str], thing: str, names: Names) -> bool:
    """Whether `seen_by` names a player; who answers for a thing answers for its parts."""
    whole = thing.split(".")
    own = {".".join(whole[:length]) for length in range(1, len(whole) + 1)}
    return any(bool(own & names) if word == "owner" else word in names for word in seen_by)


def kinds_of(state: State) -> dict[str, str]:
    """The kind of each thing."""
    return {name: held.kind for name, held in charge(state.things).items()}


def redact_state(program: ir.Program, state: State, data: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """Things as plain data (`state_json.things_data`) without what a player may not see."""
    kinds = kinds_of(state)

    def of(thing: str, has: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: of(f"{thing}.{name}", value) if f"{thing}.{name}" in kinds else value
            for name, value in has.items()
            if name == "is" or _is_title(program, kinds[thing], name) or may_see(program, kinds, thing, name, names)
        }

    return {thing: of(thing, has) for thing, has in data.items()}


def _is_title(program: ir.Program, kind: str, name: str) -> bool:
    """Whether a key of a thing is its title, and no attribute of its kind."""
    return name == "title" and name not in program.kinds[kind].has


def hidden_paths(program: ir.Program, states: Iterable[State], names: Names) -> Paths:
    """The paths of the attributes that a player may not see of every thing that has them."""
    paths = set()
    there = [(name, held.kind) for state in states for name, held in state.things.items()]
    for path, one in hidden_attributes(program).items():
        kind = path.split(".")[1]
        things = [name for name, of in there if of == kind]
        seen_by = one.seen_by or ()
        if not any(word in names for word in seen_by if word != "owner") and (
            not things or not all(_is_among(seen_by, thing, names) for thing in things)
        ):
            paths.add(path)
    return frozenset(paths)


# The record ------------------------------------------------------------------------------------------------------


def redact_events(
    program: ir.Program, events: Iterable[ev.Event], states: tuple[State, ...], names: Names
) -> list[ev.Event]:
    """The events of a run as a player may see them: those that show hidden values are left out or redacted."""
    redactor = redactor_for(program, states, names)
    return list(events) if redactor is None else redactor.redact(events)


def redactor_for(program: ir.Program, states: tuple[State, ...], names: Names) -> Redactor | None:
    """What redacts the events of a run, which began in the first of some states and is now in the last, for a player;
    None where nothing is hidden from that one."""
    closed = hidden_paths(program, states, names)
    if not closed:
        return None
    kinds: dict[str, str] = {}
    for state in states:
        kinds |= kinds_of(state)
    return Redactor(program, closed, kinds, names)


@dataclass(frozen=True, eq=False)
class Redactor:
    """What redacts events for a player who answers for `names`: what `closed` attributes affect is hidden, and
    attributes of things of these `kinds` that the player may not see."""

    program: ir.Program
    closed: Paths
    kinds: Mapping[str, str]
    names: Names

    def continues(self, earlier: Redactor) -> bool:
        """Whether it redacts all events that there were then as an earlier one did: no other attributes are hidden, and
        no thing is gone. What was made since is in none of these events."""
        return self.closed == earlier.closed and earlier.kinds.items() <= self.kinds.items()

    def redact(self, events: Iterable[ev.Event]) -> list[ev.Event]:
        """The events as the player may see them."""

        def sees(thing: str, name: str) -> bool:
            return may_see(self.program, self.kinds, thing, name, self.names)

        veil = _Redaction(sources(self.program), self.closed, sees)
        return [seen for event in events if (seen := _redact_event(veil, event, self.names)) is not None]


def may_know(program: ir.Program, states: tuple[State, ...], at: str, names: Names) -> bool:
    """Whether a player may know the result of the construct at a path of the ruleset."""
    closed = hidden_paths(program, states, names)
    return not closed or not sources(program).result.get(at, NOTHING) & closed


def may_know_order(program: ir.Program, states: tuple[State, ...], at: str, names: Names) -> bool:
    """Whether a player may know which elements the loop at a path of the ruleset is for, and in which order."""
    closed = hidden_paths(program, states, names)
    return not closed or not sources(program).own.get(at, NOTHING) & closed


def may_know_price(program: ir.Program, states: tuple[State, ...], action: str, names: Names) -> bool:
    """Whether a player may know what an action costs and how often it may be done, by its path."""
    closed = hidden_paths(program, states, names)
    return not closed or not sources(program).price.get(action, NOTHING) & closed


class Sources(NamedTuple):
    """The hidden attributes that affect each construct, by its path: its result (`result`), or its own formulas alone
    (`own`), and of an action its costs and its limit (`price`); and those that affect the inputs of each rule, by name
    (`given`)."""

    result: Mapping[str, Paths]
    own: Mapping[str, Paths]
    price: Mapping[str, Paths]
    given: Mapping[str, Mapping[str, Paths]]


Sees = Callable[[str, str], bool]
"""Whether a player may see an attribute, by the id of its thing and its name."""


class _Redaction(NamedTuple):
    """What is hidden from a player: results that `closed` attributes affect, and attributes that it does not `see`."""

    sources: Sources
    closed: Paths
    sees: Sees

    def sees_place(self, place: AttributePlace) -> bool:
        return self.sees(place.thing.id, place.name)

    def hides(self, path: str) -> bool:
        return bool(self.sources.result.get(path, NOTHING) & self.closed)

    def visible_inputs(self, rule: ir.Mechanic, inside: Mapping[str, Any]) -> dict[str, Any]:
        taken = self.sources.given.get(rule.path, {})
        return {name: value for name, value in inside.items() if not taken.get(name, NOTHING) & self.closed}


def _redact_event(veil: _Redaction, event: ev.Event, names: Names) -> ev.Event | None:
    """An event as a player may see it; None if it is hidden."""
    match event:
        case ev.StepDone(node=node) if isinstance(node.action, _OF_WORD):
            return event  # its line shows its outcome alone
        case ev.StepDone(node=ir.Step(path=ev.BY_MASTER)):
            return None  # no analysis of the rules knows what it reads; changes are told by themselves
        case (
            ev.StepDone()
            | ev.StagesBegun()
            | ev.DicePaired()
            | ev.DiceRerolled()
            | ev.EventChanged()
            | ev.KeyUsed()
            | ev.CaseHeld()
        ):
            return None if veil.hides(event.node.path) else event
        case ev.ListSorted():
            places = [
                ev.SortedPlace(one.element) if one.key and veil.hides(one.key.path) else one for one in event.places
            ]
            return None if veil.hides(event.node.path) else replace(event, places=tuple(places))
        case ev.ElementBegun():
            return None if veil.sources.own.get(event.node.path, NOTHING) & veil.closed else event
        case ev.ChoiceMade():
            return _redact_choice(veil, event, names)
        case ev.RuleCalled() | ev.EventCaused() | ev.ActionBegun() | ev.SceneBegun():
            return replace(event, inputs=veil.visible_inputs(event.node, event.inputs))
        case ev.ThingSummarized():
            return replace(event, has=visible_summary(veil.sees, event.thing, event.has))
        case ev.NumberMoved() | ev.ValueSet() | ev.ElementAdded() | ev.ElementRemoved() | ev.PileRefilled():
            return event if veil.sees_place(event.place) else None
        case ev.PointsLapsed():
            seen = tuple(one for one in event.changes if veil.sees_place(one[0]))
            return replace(event, changes=seen) if seen else None
        case ev.PileDrawn() | ev.PutIntoPile() | ev.TakenFromPile():
            return event if veil.sees_place(event.place) else _without_elements(event)
        case ev.ThingMade():
            has = {name: value for name, value in event.has.items() if veil.sees(event.thing.id, name)}
            return replace(event, has=has)
        case ev.OutcomeReached():
            return replace(event, told="") if veil.hides(event.node.path) else event
        case ev.ActionDenied():
            return event if event.why and event.why.code == say.REQUIRED else replace(event, why=None)  # of amounts
        case ev.StepSkipped() | ev.RequirementMet() | ev.FurtherRead() | ev.RuleEnded():
            return event
        case ev.PassBegun() | ev.RoundBegun() | ev.PhaseBegun() | ev.TurnBegun() | ev.GuardReached() | ev.SpanEnded():
            return event  # how the run goes on
        case ev.ThingDestroyed() | ev.ReactionDeclined() | ev.EventCancelled():
            return event
        case ev.MasterEnded() | ev.MasterGave():
            return event
        case _:
            assert_never(event)


def _redact_choice(veil: _Redaction, event: ev.ChoiceMade, names: Names) -> ev.ChoiceMade:
    """A choice as a player may see it: the values in a question are for those who are asked."""
    choice = event.node
    if choice.by is not None and _is_among(("owner",), choice.by, names):
        return event
    asked = last_sentence(choice.pattern)
    shown = "…" not in asked or asked == last_sentence(choice.ask)
    seen = replace(choice, ask=asked if shown else "")
    return replace(event, node=seen, answer=ev.UNSEEN if veil.hides(choice.at) else event.answer)


def _without_elements(event: ev.PileDrawn | ev.PutIntoPile | ev.TakenFromPile) -> ev.Event:
    """How many elements a pile has lost or got, for who may not see it."""
    number = event.elements if isinstance(event.elements, int) else len(event.elements)
    if isinstance(event, ev.PileDrawn):
        return replace(event, elements=number, left=None)
    return replace(event, elements=number)


def visible_summary(sees: Sees, thing: str, has: Mapping[str, Any]) -> dict[str, Any]:
    """What a player may see of the summary of a thing and of its parts."""
    return {
        key: visible_summary(sees, f"{thing}.{key}", value) if type(value) is dict else value
        for key, value in has.items()
        if sees(thing, key)
    }


_OF_WORD = (ir.Call, ir.StepGroup, ir.Turn, ir.Cause, ir.Act, ir.ForEach, ir.Pay, ir.End)

# What affects what ----------------------------------------------------------------------------------------------


@once_per
def sources(program: ir.Program) -> Sources:
    """The hidden attributes that affect every step and input, as a fixed point over the program."""
    going = _Search(program)
    while going.go_through():
        pass
    return Sources(going.result, going.own, going.prices(), going.given)


class _Search:
    """The hidden attributes found so far, by the fields of `Sources`; `more` says whether a pass found a new one."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.hidden = frozenset(hidden_attributes(program))
        self.result: dict[str, Paths] = dict(rolls_into_hidden(program))
        self.own: dict[str, Paths] = {}
        self.given: dict[str, dict[str, Paths]] = {}
        self.more = False
        self.inner = {one.path: one.refs for one in program.functions.values()}
        self.inner |= {one.path: one.refs for one in program.tables.values()}
        self.groups = [(one, list(steps_in(one.nodes))) for one in rules_with_steps(program, self.hidden)]

    def go_through(self) -> bool:
        """Go through the program once; whether anything new was found."""
        self.more = False
        for group, steps in self.groups:
            names = dict(self.given.get(group.rule.path, {})) if group.rule else {}
            if group.rule is not None and group.rule.path.startswith("reactions."):
                names["event"] = self._sources_of_events(group.rule)
            for step in steps:
                names[step.name] = names.get(step.name, NOTHING) | self.result.get(step.path, NOTHING)
            for node in group.nodes:
                self._sources_of_node(node, names, group.around, group.rule)
        return self.more

    def prices(self) -> dict[str, Paths]:
        """What affects the costs and the limit of each action, by its path."""
        priced = {one.rule.path: (one.costs, one.limit) for one in self.program.actions.values()}
        return {path: self._sources_of_node(of, self.given.get(path, {}), NOTHING, None) for path, of in priced.items()}

    def _sources_of_events(self, rule: ir.Mechanic) -> Paths:
        reaction = self.program.reactions[rule.name]
        paths = NOTHING
        for name in reaction.events:
            paths = paths.union(
                self.result.get(f"events.{name}", NOTHING), *self.given.get(f"events.{name}", {}).values()
            )
        return paths

    def _note(self, kept: dict[str, Paths], path: str, paths: Paths) -> None:
        before = kept.get(path, NOTHING)
        if not paths <= before:
            kept[path], self.more = before | paths, True

    def _sources_of_node(self, node: Any, names: Mapping[str, Paths], around: Paths, rule: ir.Mechanic | None) -> Paths:
        """The hidden attributes that affect a node or anything inside it."""
        if isinstance(node, ir.Formula):
            return self._sources_of_formula(node, names, around)
        if isinstance(node, (tuple, list)):
            return NOTHING.union(*(self._sources_of_node(one, names, around, rule) for one in node))
        if isinstance(node, Mapping):
            return NOTHING.union(*(self._sources_of_node(one, names, around, rule) for one in node.values()))
        if not is_dataclass(node):
            return NOTHING
        inside = around
        if isinstance(node, ir.Step):
            own = NOTHING.union(*(self._sources_of_formula(one, names, around) for one in own_formulas(node)))
            self._note(self.own, node.path, own)
            inside = around | own
            self._note_call(node.action, names, around)
        parts = parts_of(node)
        paths = NOTHING.union(*(self._sources_of_node(one, names, inside, rule) for one in parts))
        if isinstance(node, (ir.Draw, ir.Lvalue)):
            paths |= self._targets(node)
        if isinstance(node, ir.Step):
            paths |= self._sources_of_call(node.action)
        if isinstance(node, ir.Declaration) and rule is not None:
            self._note(self.given.setdefault(rule.path, {}), node.name, paths)
        if isinstance(node, (ir.Step, ir.Declaration, ir.SortKey, ir.FirstOfCase, ir.Outcome)):
            self._note(self.result, node.path, paths)
        if rule is not None and isinstance(node, ir.Step):
            self._note(self.result, rule.path, paths)
        return paths

    def _targets(self, node: ir.Draw | ir.Lvalue) -> Paths:
        targets = (
            [node] if isinstance(node, ir.Lvalue) else [one for one in (node.target, node.refill) if one is not None]
        )
        return frozenset(f"kinds.{one.kind}.has.{one.name}" for one in targets) & self.hidden

    def _sources_of_formula(self, formula: ir.Formula, names: Mapping[str, Paths], around: Paths) -> Paths:
        paths = self._hidden_among(formula.refs)
        for local in locals_of(formula):
            paths |= names.get(local, around)
        return paths

    def _hidden_among(self, refs: Iterable[str]) -> Paths:
        """The hidden attributes among references, also those of functions and tables that they use."""
        hidden, left = set(), list(refs)
        seen: set[str] = set()
        while left:
            one = left.pop()
            if one in seen:
                continue
            seen.add(one)
            hidden |= {one} & self.hidden
            left += self.inner.get(one, ())
        return frozenset(hidden)

    def _note_call(self, action: ir.StepBody, names: Mapping[str, Paths], around: Paths) -> None:
        """Note what affects the arguments of a call, as inputs of the rule that is called."""
        target = rule_called(action)
        if target is None:
            return
        for name, formula in action.given:  # type: ignore[union-attr]
            self._note(self.given.setdefault(target, {}), name, self._sources_of_formula(formula, names, around))

    def _sources_of_call(self, action: ir.StepBody) -> Paths:
        """What affects the result of a rule that is called."""
        target = rule_called(action)
        return self.result.get(target, NOTHING) if target is not None else NOTHING

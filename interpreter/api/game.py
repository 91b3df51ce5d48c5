"""A loaded game: what a host asks, plays and replays."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial, wraps
from hashlib import sha256
from itertools import count
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import InputReader, varied
from interpreter.checker.declarations import value_type
from interpreter.checker.world import World
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.choice_keys import with_phase
from interpreter.odds.answer import Law, Odds
from interpreter.odds.brute_force import USUAL_EFFORT, Effort, Path, ways
from interpreter.odds.chance_choices import by_chance, legal
from interpreter.odds.projection import Goal, counting_as, is_left, reading_of, shown, there, told
from interpreter.odds.starting_states import Beginning, beginnings, best_law
from interpreter.odds.sweep import Sweep, sweep
from interpreter.play.deciders import RANDOM, Answers, Policy, drive
from interpreter.play.requests import Choice
from interpreter.play.run import Event, Run, SilentRun, Walk
from interpreter.play.scenes import WHOLE, ScenePart, scene_played
from interpreter.play.steps import inputs_frame
from interpreter.play.unasked_answers import why
from interpreter.play.verbs import walker_of
from interpreter.report.trace import Trace
from interpreter.runtime.constraints import bounded
from interpreter.runtime.evaluator import Closures, frame
from interpreter.runtime.rng import FacesOnTable, FaceSource, SeededDice, fresh_salt, fresh_seed
from interpreter.runtime.state import EMPTY, SCENE, STATE, State
from interpreter.simulation.answer import Simulated
from interpreter.syntax.document import Mapping as Tree
from interpreter.syntax.document import Node, Scalar, from_python
from interpreter.syntax.document import Sequence as Items
from interpreter.syntax.grammar import SPANS
from interpreter.syntax.json_text import NotJson, read_json
from interpreter.values import Roll, Scoring, Thing, face_number, in_words, to_data

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from interpreter.simulation.chunks import Progress

if TYPE_CHECKING:
    from interpreter.api.session import Session
    from interpreter.odds.query_cache import QueryCache
    from interpreter.play.available_actions import Possible

Held = State | Mapping[str, Any] | str
"""A state as a host hands it over: one that a game has made, or plain data or JSON text that `Game.state` takes."""

P = ParamSpec("P")
R = TypeVar("R")


def _with_room(ask: Callable[P, R]) -> Callable[P, R]:
    """What a host asks, refused in words where the host's own calls leave too little room to work it out."""
    return wraps(ask)(_in_room(ask))


def _in_room(ask: Callable[P, R]) -> Callable[P, R]:
    """The same of what no host sees by itself."""

    def asked(*given: P.args, **named: P.kwargs) -> R:
        try:
            return ask(*given, **named)
        except RecursionError:
            raise PlayError(say.expression_too_deep(say.NOWHERE)) from None

    return asked


@dataclass(frozen=True)
class Result:
    """What came of playing a mechanic.

    `outcome` is its name, or None for a mechanic without outcomes; `also` holds further readings; `values` every
    named step; `faces` every face in the order in which it was asked for; `choices` every decision with its key;
    `ends` what ended after it, before the `state` that came of it.
    """

    ruleset: str
    mechanic: str
    outcome: str | None
    also: Mapping[str, Any]
    values: Mapping[str, Any]
    faces: tuple[Any, ...]
    choices: tuple[tuple[str, Any], ...]
    inputs: Mapping[str, Any]
    options: Mapping[str, Any]
    seed: int | None
    trace: Trace
    fingerprint: str
    events: list[Event] = field(repr=False)
    before: State | None = field(default=None, repr=False)
    state: State | None = field(default=None, repr=False)
    section: str = "mechanics"
    part: ScenePart = WHOLE
    ends: str | None = None

    def to_data(self) -> dict[str, Any]:
        """The result as plain data; `schemas/result.json` says what is in it."""
        return {
            "ruleset": self.ruleset,
            "fingerprint": self.fingerprint,
            "mechanic": self.mechanic if self.section == "mechanics" else f"{self.section}.{self.mechanic}",
            "inputs": {name: _again(value) for name, value in self.inputs.items()},
            **({"part": self.part._asdict()} if self.part != WHOLE else {}),
            **({"ends": self.ends} if self.ends is not None else {}),
            "options": {name: _again(value) for name, value in self.options.items()},
            "seed": self.seed,
            "outcome": self.outcome,
            "also": dict(self.also),
            "values": {name: to_data(value) for name, value in self.values.items()},
            "faces": list(self.faces),
            "choices": [_decided(e.node, e.value) for e in self.events if e.what == "choice"],
            **self._states(),
            "trace": [
                {
                    "depth": line.depth,
                    "kind": line.kind,
                    "name": line.name,
                    "text": line.text,
                    "path": line.path,
                    "cites": dict(line.cites),
                }
                for line in self.trace
            ],
        }

    def _states(self) -> dict[str, Any]:
        """The states before and after, for a ruleset with things that last."""
        from interpreter.api.state_json import to_saved

        if self.before is None or self.state is None:
            return {}
        options = {name: _again(value) for name, value in self.options.items()}
        program = self.trace.program
        return {
            "before": to_saved(program, options, self.before),
            "after": to_saved(program, options, self.state),
        }

    def to_json(self) -> str:
        """The result as JSON text, which `Game.replay` takes back."""
        return json.dumps(self.to_data(), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class PreparedRule:
    """A rule, the frame that it starts from, and its walk from there."""

    rule: ir.Mechanic
    frame: dict[str, Any]
    walk: Callable[[dict[str, Any], Run], Walk]
    part: ScenePart = WHOLE
    ends: str | None = None


def _again(value: Any) -> Any:
    """An input as data that can be read back as an input: dice on the table keep their faces."""
    if isinstance(value, Thing):
        return value.id
    if isinstance(value, tuple) and value and hasattr(value[0], "throws"):
        return _lying(value)
    if isinstance(value, tuple) and value and hasattr(value[0], "size"):
        return " & ".join(map(str, value))
    if isinstance(value, Mapping):
        return {key: _again(item) for key, item in value.items() if item is not None}
    if isinstance(value, tuple):
        return [_again(item) for item in value] if not hasattr(value, "_fields") else str(value)
    return to_data(value)


def _lying(roll: Roll) -> dict[str, Any]:
    """Dice on the table as `inputs.ON_THE_TABLE` tells them, no more of it than is needed."""
    data: dict[str, Any] = {"dice": " & ".join(str(die.die) for die in roll)}
    data["faces"] = [_one_or_all([throw.face for throw in die.throws]) for die in roll]
    if any(throw.counts != face_number(throw.face) for die in roll for throw in die.throws):
        data["counts"] = [_one_or_all([throw.counts for throw in die.throws]) for die in roll]
    if any(die.part for die in roll):
        data["parts"] = [die.part or "none" for die in roll]
    if any(die.scoring is not None and die.scoring.path for die in roll):
        data["scored"] = ["none" if die.scoring is None else _scored(die.scoring) for die in roll]
    return data


def _scored(scoring: Scoring) -> dict[str, Any]:
    names = {name: _again(value) for name, value in scoring.names if value is not None}
    return {"roll": scoring.path, **({"with": names} if names else {})}


def _one_or_all(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def _decided(choice: Choice, answer: Any) -> dict[str, Any]:
    """A decision with its key. `picked` numbers what was picked among the options, where words may not tell it."""
    several = choice.kind == "some"
    chosen = answer if several else (answer,)
    said = [one if one is None or isinstance(one, (bool, int, str)) else in_words(one) for one in chosen]
    data: dict[str, Any] = {"choice": choice.path, "answer": said if several else said[0]}
    if choice.of is not None:
        data["of"] = choice.of
    if answer is None or choice.options is None or all(isinstance(one, (bool, int, str)) for one in chosen):
        return data
    left: list[Any] = list(choice.options)
    picked = []
    for one in chosen:
        picked.append(left.index(one))
        left[picked[-1]] = _TAKEN
    return data | {"picked": picked}


_TAKEN = object()


class Game:
    """A ruleset under chosen options. It never changes, and may be used from several threads."""

    def __init__(self, program: ir.Program, world: World, options: Mapping[str, Any] | None = None) -> None:
        self.program = program
        self._world = world
        chosen = _options(program, {})
        self._chosen: dict[str, Any] = {}
        for name, value in (options or {}).items():
            node = value if isinstance(value, (Scalar, Tree, Items)) else from_python(value, name)
            if name not in program.options:
                raise PlayError(say.unknown_option(node.span, name, program.options))
            reader = InputReader(world, Closures(program, chosen))
            self._chosen[name] = _option(reader, program.options[name], node)
        self.options: Mapping[str, Any] = MappingProxyType(_options(program, self._chosen) if self._chosen else chosen)
        self._closures = Closures(program, dict(self.options))
        self._walker = walker_of(self._closures)
        self._desks: dict[Any, QueryCache] = {}
        self._texts: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def title(self) -> str:
        return self.program.title

    @property
    def version(self) -> str:
        return self.program.version

    @property
    def closures(self) -> Closures:
        """The expressions of the ruleset under these options, compiled when first used."""
        return self._closures

    def walk(self, name: str, part: ScenePart = WHOLE) -> Callable[[dict[str, Any], Run], Walk]:
        """What is done by a rule of a name or a path, from a frame with its inputs; of a scene, by a part of it."""
        from interpreter.play.actions import acted
        from interpreter.play.events import happening

        section, rule = self._found(name)
        if section == "events":
            return lambda given, run: happening(self._walker, rule, None, given, run)
        if section == "actions":
            deed = self.program.actions[rule.name]
            return lambda given, run: acted(self._walker, deed, given, run)
        if section == "scenes":
            return scene_played(self._walker, self.program.scenes[rule.name], part)
        return self._walker.rule(rule)

    def _walk(self, name: str, part: ScenePart = WHOLE) -> Callable[[dict[str, Any], Run], Walk]:
        """The same, made ready when it is walked: whoever asks for odds does not walk."""
        return lambda given, run: self.walk(name, part)(given, run)

    @property
    def parts(self) -> tuple[ir.Program, World, dict[str, Any]]:
        """What this game would be made of again."""
        return self.program, self._world, {name: _again(value) for name, value in self._chosen.items()}

    @cached_property
    def _packed(self) -> tuple[Any, tuple[str, bytes]]:
        data = pickle.dumps(self.parts, pickle.HIGHEST_PROTOCOL)
        return _unpacked, (sha256(data).hexdigest(), data)

    def __reduce__(self) -> tuple[Any, tuple[str, bytes]]:
        return self._packed

    @cached_property
    def mechanics(self) -> Mapping[str, Rule]:
        """Every mechanic with its inputs: type, bounds, default, meaning."""
        return {name: Rule.of(one, self._closures) for name, one in self.program.mechanics.items()}

    @_with_room
    def roll(
        self,
        mechanic: str,
        /,
        *,
        seed: int | None = None,
        faces: Sequence[Any] | None = None,
        choices: Mapping[str, Any] | None = None,
        policy: str | Policy | None = None,
        ask: Policy | None = None,
        source: FaceSource | None = None,
        state: Held | None = None,
        ends: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> Result:
        """Play a mechanic once.

        Inputs are given by name, as the author would write them (`own="d10 & d4"`), as plain data, or as values of
        another result; `inputs` takes those whose names are words of this call. Faces come by chance from `seed`
        (a fresh one without it), or from `faces`, which must be exactly those needed. Choices are answered by
        `choices`, then `policy` (a name of the ruleset, or a function), then `ask`, then their default. The things of
        `state` may be named; the result has the state that comes of it, when a `turn`, `round`, `scene` or the `game`
        has ended after it, if `ends` says so.
        Raises PlayError with one diagnostic where it cannot be played.
        """
        reader = self.reader(state)
        nodes = {name: _node(value, name) for name, value in {**(inputs or {}), **given}.items()}
        ready = self._then(self._ready(mechanic, nodes, reader), ends)
        return self._finish(ready, faces, seed, self.answers(choices, policy, ask, reader), source)

    @_with_room
    def play(
        self,
        scene: str,
        /,
        *,
        phase: str | None = None,
        rounds: int | None = None,
        state: Held | None = None,
        seed: int | None = None,
        faces: Sequence[Any] | None = None,
        choices: Mapping[str, Any] | None = None,
        policy: str | Policy | None = None,
        ask: Policy | None = None,
        source: FaceSource | None = None,
        inputs: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> Result:
        """Play a scene to its end, or so many `rounds` of it, or one `phase` of a round; all else is as for `roll`.

        What is stopped before its end leaves a state in which the scene is under way.
        """
        reader = self.reader(state)
        nodes = {name: _node(value, name) for name, value in {**(inputs or {}), **given}.items()}
        name = f"scenes.{scene.removeprefix('scenes.')}"
        ready = self._ready(name, nodes, reader, ScenePart(phase, rounds))
        known = [one.name for one in self.program.scenes[ready.rule.name].phases]
        if phase is not None and phase not in known:
            raise PlayError(say.unknown_of(say.NOWHERE, "phase", phase, known))
        return self._finish(ready, faces, seed, self.answers(choices, policy, ask, reader), source)

    def _ready(
        self, name: str, nodes: Mapping[str, Node], reader: InputReader, part: ScenePart = WHOLE
    ) -> PreparedRule:
        """A rule with its inputs read, ready to be walked; of a scene maybe a part."""
        section, rule = self._found(name)
        with say.Placed({key: node.span for key, node in nodes.items()}):
            if section != "actions":
                values = reader.mechanic_inputs(rule, nodes)
                if section == "scenes" and SCENE in reader.state.things:  # one that is under way has been given them
                    had = reader.state.things[SCENE].values
                    values = {one.name: had[one.name] for one in rule.inputs if one.name in had} | values
                made = inputs_frame(self._closures, rule, values, reader.state)
                return PreparedRule(rule, made, self._walk(name, part), part)
            deed = self.program.actions[rule.name]
            if "actor" not in nodes:
                raise PlayError(say.missing_input("actor", rule.name, "somebody must do it"))
            actor = reader.value(nodes["actor"], deed.actor.type, "actor")
            values = reader.mechanic_inputs(rule, {key: node for key, node in nodes.items() if key != "actor"})
            started = {**frame(), STATE: reader.state, "actor": actor, **values}
            self._allowed(deed, values, started)
            return PreparedRule(rule, started, self._walk(name))

    def _then(self, ready: PreparedRule, ends: str | None) -> PreparedRule:
        """A rule after which something ends. Raises PlayError for what cannot end."""
        from interpreter.play.events import ending

        if ends is None:
            return ready
        if ends not in SPANS:
            raise PlayError(say.not_one_of(say.NOWHERE, "what ends", ends, SPANS))

        def walk(given: dict[str, Any], run: Run) -> Walk:
            record = yield from ready.walk(given, run)
            if STATE in given:
                yield from ending(self._walker, ends, given, run)
            run.tell("ended", ready.rule, ends)
            return record

        return replace(ready, walk=walk, ends=ends)

    def _allowed(self, deed: ir.Action, values: Mapping[str, Any], started: dict[str, Any]) -> None:
        """Raises PlayError where somebody cannot do this, or not with what was given; while it is known where that
        was written."""
        from interpreter.play.actions import plan, refusal

        problem = refusal(plan(self._walker, deed), started)
        if problem is not None:
            raise problem
        for one in deed.rule.inputs:
            if one.name not in values:
                return  # what is asked for comes first, and those below it may hang on it
            bounded(self._closures, one)(values[one.name], started)

    def rule(self, name: str) -> ir.Mechanic:
        """The rule of a name or a path. Raises PlayError where there is none."""
        return self._found(name)[1]

    def type_of(self, name: str, phase: str | None = None) -> t.Record:
        """What a rule of a name or a path gives: its values, and of an event whether it happened; of one phase of a
        scene, its steps too."""
        section, rule = self._found(name)
        if section == "scenes" and phase is not None:
            return with_phase(self.program.scenes[rule.name], phase)
        if section != "events":
            return rule.type
        return t.Record(rule.name, (*rule.type.fields, ("happened", t.YES_NO)), rule.type.where)

    def section_of(self, name: str) -> str:
        """The section that a rule of a name or a path stands in. Raises PlayError where there is none."""
        return self._found(name)[0]

    def _found(self, name: str) -> tuple[str, ir.Mechanic]:
        """The rule of a name, or of a path (`events.stress`), and the section that it stands in."""
        program = self.program
        if name in program.mechanics:  # as nearly every name that is asked for
            return "mechanics", program.mechanics[name]
        sections: dict[str, Mapping[str, ir.Mechanic]] = {
            "mechanics": program.mechanics,
            "events": program.events,
            "scenes": {key: scene.rule for key, scene in program.scenes.items()},
            "actions": {key: deed.rule for key, deed in program.actions.items()},
        }
        section, _, last = name.rpartition(".")
        for key, rules in sections.items():
            if section in ("", key) and last in rules:
                return key, rules[last]
        raise PlayError(say.unknown_mechanic(name, [key for rules in sections.values() for key in rules]))

    def act(self, state: Held, action: str, /, *, actor: Any, **given: Any) -> Result:
        """Somebody does something. The result has the new state; the old one is untouched.

        `actor` is the name of a thing; everything else is as for `roll`. Raises PlayError where it is refused: when
        it is not possible now, not allowed for this target, too dear, or done often enough.
        """
        return self.roll(f"actions.{action.removeprefix('actions.')}", state=state, actor=actor, **given)

    def cause(self, state: Held, event: str, /, **given: Any) -> Result:
        """Something happens, with all that answers it; as for `act`."""
        return self.roll(f"events.{event.removeprefix('events.')}", state=state, **given)

    @cached_property
    def start(self) -> State:
        """What there is before anybody comes: the things of the book, and one of each kind of which there is one."""
        from interpreter.api.state_json import start

        return start(InputReader(self._world, self._closures, known=self._texts))

    @_with_room
    def state(self, things: Mapping[str, Any] | str | None = None, /, **more: Any) -> State:
        """A state with these things, or one that `to_data` or `to_json` of this game has written.

        Things are written by name, each as what it has, with its kind under `is`: `ada={"is": "hero", "luck": 2}`.
        Raises PlayError where something does not fit, or where it is a state of other rules.
        """
        from interpreter.api.state_json import from_saved, named_nodes

        if isinstance(things, str):
            try:
                things = read_json(things)
            except NotJson as error:
                raise PlayError(say.wrong_state(str(error))) from None
        if things is not None and not isinstance(things, Mapping):
            raise PlayError(say.wrong_state("it is not a mapping"))
        written = dict(things or {})
        if "fingerprint" not in written:
            return self.state_of({name: _node(value, name) for name, value in {**written, **more}.items()})[0]
        reader = InputReader(self._world, self._closures, known=self._texts)
        mine = {"ruleset": self.program.name, "fingerprint": self.program.fingerprint, "options": self.own_options}
        for key, value in mine.items():
            if written.get(key) != value:
                raise PlayError(say.other_rules(key, in_words(written.get(key))[:80], in_words(value)))
        return from_saved(reader, written, named_nodes(_node(written.get("things", {}), "things")))

    def state_of(self, written: Mapping[str, Node]) -> tuple[State, set[str]]:
        """The state with things as they are written, and the paths of what of the ruleset that uses."""
        from interpreter.api.state_json import extended

        reader = InputReader(self._world, self._closures, known=self._texts)
        return extended(reader, EMPTY, written), reader.used

    @property
    def own_options(self) -> dict[str, Any]:
        """The options that were chosen, as plain data."""
        return {name: _again(value) for name, value in self._chosen.items()}

    def to_data(self, state: Held) -> dict[str, Any]:
        """A state as plain data; `schemas/state.json` says what is in it."""
        from interpreter.api.state_json import to_saved

        return to_saved(self.program, self.own_options, self.held(state))

    def to_json(self, state: Held) -> str:
        """A state as JSON text, which `state` takes back."""
        return json.dumps(self.to_data(state), ensure_ascii=False)

    @_with_room
    def look(self, state: Held, text: str) -> Any:
        """The value of an expression about a state, such as `ada.luck` or `count(bo.injuries)`."""
        return self.seen(state, text)[1]

    def seen(self, state: Held, text: str) -> tuple[t.Type, Any, frozenset[str]]:
        """The type of an expression about a state, its value, and the paths of what it uses."""
        here = self.held(state)
        made, value = self.reading(here, text)
        return made.type, value(here), made.refs

    def reading(self, state: Held, text: str) -> tuple[ir.Formula, Callable[[State], Any]]:
        """An expression about the things of a state, and what works it out in that and in later ones."""
        state = self.held(state)
        things = {one: state.thing(one) for one in state.things if "." not in one}
        kinds = {name: t.Thing(thing.kind) for name, thing in things.items()}
        made = self.reader(state).checked(_node(text, text), None, kinds)
        value = self._closures.of(made)
        return made, lambda now: value({**frame(), **things, STATE: now})

    @_with_room
    def ends(
        self,
        state: Held,
        span: str,
        who: str | None = None,
        *,
        faces: Sequence[Any] | None = None,
        seed: int | None = None,
        choices: Mapping[str, Any] | None = None,
        policy: str | Policy | None = None,
        ask: Policy | None = None,
    ) -> State:
        """The state when a `turn` (of `who`, or everybody's), a `round`, a `scene` or the `game` has ended.

        Events that were put off until then happen first; their dice and choices are answered as those of `roll`.
        """
        return self.ending(state, span, who, faces=faces, seed=seed, choices=choices, policy=policy, ask=ask)[0]

    @_with_room
    def ending(
        self,
        state: Held,
        span: str,
        who: str | None = None,
        *,
        faces: Sequence[Any] | None = None,
        seed: int | None = None,
        choices: Mapping[str, Any] | None = None,
        policy: str | Policy | None = None,
        ask: Policy | None = None,
    ) -> tuple[State, Trace]:
        """The same as `ends`, with the trace of the events that were put off until then."""
        from interpreter.play.events import ending

        if span not in SPANS:
            raise PlayError(say.not_one_of(say.NOWHERE, "what ends", span, SPANS))
        state = self.held(state)
        if who is not None and who not in state.things:
            raise PlayError(say.no_such_thing(say.NOWHERE, who, state.things))
        table = FacesOnTable(faces) if faces is not None else None
        thrower = table or SeededDice(fresh_seed() if seed is None else seed)
        answers = self.answers(choices, policy, ask, self.reader(state))
        run, made = Run(), {**frame(), STATE: state}
        drive(ending(self._walker, span, made, run, state.thing(who) if who is not None else None), thrower, answers)
        answers.finish()
        if table is not None:
            table.finish()
        return made[STATE], Trace(run.events, self._closures)

    @_with_room
    def possible(self, state: Held, actor: str) -> tuple[Possible, ...]:
        """Everything that somebody can do now, with what each input may be."""
        from interpreter.play.available_actions import possible

        state = self.held(state)
        if actor not in state.things:
            raise PlayError(say.no_such_thing(say.NOWHERE, actor, state.things))
        return possible(self._walker, state, state.thing(actor))

    def _finish(
        self,
        ready: PreparedRule,
        faces: Sequence[Any] | None,
        seed: int | None,
        answers: Answers,
        source: FaceSource | None,
    ) -> Result:
        rule, made, began = ready.rule, ready.frame, dict(ready.frame)
        table = FacesOnTable(faces) if faces is not None else None
        if table is None and source is None:
            seed = fresh_seed() if seed is None else seed
        thrower: FaceSource = table or source or SeededDice(seed or 0)
        run = Run()
        record = drive(ready.walk(made, run), thrower, answers)
        if table is not None:
            table.finish()
        try:
            answers.finish()
        except PlayError as error:
            given = [name for name, value in began.items() if value is not None]
            raise PlayError(why(error.diagnostic, self.program, rule, given, run.events, made)) from None
        return self.result_of(replace(ready, frame=began), made, run, record, seed if table is None else None)

    def result_of(
        self, ready: PreparedRule, made: Mapping[str, Any], run: Run, record: Mapping[str, Any], seed: int | None
    ) -> Result:
        """What came of a run: from where it began, how its frame was left, and its record."""
        rule, began = ready.rule, ready.frame
        given = {one.name: began.get(one.name) for one in rule.inputs}  # what was asked for is among the choices
        if "actor" in began:
            given = {"actor": began["actor"], **given}
        also = {one.name: record.get(one.name) for one in rule.also}
        outcome = record.get("outcome")
        return Result(
            self.program.name,
            rule.name,
            outcome,
            also,
            {name: value for name, value in record.items() if name not in also and name != "outcome"},
            tuple(run.faces),
            tuple(run.choices),
            given,
            dict(self._chosen),
            seed,
            Trace(run.events, self._closures),
            self.program.fingerprint,
            run.events,
            began.get(STATE),
            made.get(STATE),
            rule.path.partition(".")[0],
            ready.part,
            ready.ends,
        )

    @_with_room
    def begin(
        self,
        rule: str,
        /,
        *,
        state: Held | None = None,
        players: Mapping[str, Sequence[str] | str] | None = None,
        seed: int | None = None,
        dice: str = "chance",
        policy: str | Policy | None = None,
        inputs: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> Session:
        """Begin a scene, or any rule by its path, and stop where somebody must answer.

        `players` says who answers for which things and roles; the host answers for the rest, or `policy` does. Dice
        fall by chance, from `seed` (a fresh one without it), or, with `dice="table"`, their faces are asked for.
        Inputs are as for `roll`. Raises PlayError where it cannot be begun.
        """
        from interpreter.api.session import Beginning, begun, players_of

        if dice not in (CHANCE, ON_TABLE):
            raise PlayError(say.not_one_of(say.NOWHERE, "dice", dice, (CHANCE, ON_TABLE)))
        reader = self.reader(state)
        nodes = {name: _node(value, name) for name, value in {**(inputs or {}), **given}.items()}
        ready = self._ready(f"scenes.{rule}" if rule in self.program.scenes else rule, nodes, reader)
        names = (*(["actor"] if "actor" in ready.frame else []), *(one.name for one in ready.rule.inputs))
        began = {name: _again(ready.frame[name]) for name in names if ready.frame.get(name) is not None}
        there = self.to_data(ready.frame[STATE]) if STATE in ready.frame else None
        number = None if dice == ON_TABLE else fresh_seed() if seed is None else seed
        salt = fresh_salt() if seed is None else ""
        beginning = Beginning(ready.rule.path, began, there, players_of(players), number, salt)
        return begun(self, ready, beginning, policy)

    @_with_room
    def resume(self, session: str | Mapping[str, Any], *, policy: str | Policy | None = None) -> Session:
        """Take up a session where it was saved, by `Session.to_json` or `to_data`, in this process or another.

        A `policy` that is a function has to be given again. Raises PlayError for what is no session, was saved under
        other rules or in another form, or does not fit together.
        """
        from interpreter.api.session import Beginning, players_of, resumed, saved

        data = saved(session)
        mine = {"ruleset": self.program.name, "version": self.program.version,
                "fingerprint": self.program.fingerprint, "options": self.own_options}  # fmt: skip
        for key, value in mine.items():
            if data[key] != value:
                raise PlayError(say.other_session(key, str(data[key]), str(value)))
        reader = self.reader(self.state(data["state"]) if data["state"] is not None else None)
        nodes = {name: from_python(value, name) for name, value in data["given"].items()}
        ready = self._ready(data["rule"], nodes, reader)
        players = players_of(data["players"])
        began = Beginning(data["rule"], data["given"], data["state"], players, data["seed"], data["salt"])
        return resumed(self, ready, began, policy or data["policy"], data)

    @_with_room
    def odds(
        self,
        mechanic: str,
        /,
        *,
        choices: Mapping[str, Any] | None = None,
        policy: str | Policy | None = None,
        best: str | None = None,
        worst: str | None = None,
        progress: Progress | None = None,
        state: Held | None = None,
        inputs: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> Odds:
        """The exact odds of a mechanic with these inputs, or of an event or an action in this state, or of a scene.

        Inputs, `choices` and `policy` are as for `roll`; the policy `random` answers every choice by chance, all
        answers being as likely. With `best` what is left open is decided for the highest chance of an outcome, or the
        highest mean of a value; with `worst` for the lowest. `progress` is told, of a scene, how many ways through it
        were followed, and how many may be. Raises PlayError where an input does not fit.
        """
        reader = self.reader(state)
        nodes = {name: _node(value, name) for name, value in {**(inputs or {}), **given}.items()}
        ready = self._ready(mechanic, nodes, reader)
        rule, made, record = ready.rule, ready.frame, self.type_of(mechanic)
        known = {name: kind.words if isinstance(kind := t.present(of), t.Word) else () for name, of in record.fields}
        shown = {one.name: made.get(one.name) for one in rule.inputs}

        if rule.path.startswith("scenes."):
            return self._scene_odds(ready, known, shown, (choices, policy), best or worst, progress)
        goal = self._goal(rule, known, best, worst)
        answers = self.answers(choices, None if policy == RANDOM else policy, None, reader)
        if any(isinstance(one, Items) for one in nodes_of(choices)):
            if goal is not None:
                raise PlayError(say.best_with_lists(best or worst or goal.name))

            def afresh() -> Answers:
                return self.answers(choices, policy, None, reader)

            def plainly(names: tuple[str, ...]) -> Law:
                if self.left_of(mechanic, ready.frame.get(STATE), names):
                    raise PlayError(say.left_with_lists(names))
                return self._plainly(ready, names, afresh)

            return Odds(self.program.name, mechanic, shown, known, _in_room(plainly))
        begun_by: Sequence[Beginning] = ()
        if goal is not None and rule.path.startswith("actions."):
            begun_by = self._beginnings(ready, answers)
            followed, made, above = replace(rule, requires=()), begun_by[0].frame, ""
        else:
            followed, made, above = self._followed(ready, answers)
        by_chance_already = policy == RANDOM and goal is None and bool(answers.asked)  # what an action asks first
        if goal is not None and above:
            goal = replace(goal, name=f"{above}{goal.name}")
        desk = self._desk(answers, choices, policy, goal)

        def exact(names: tuple[str, ...], **how: Any) -> Law:
            if self.left_of(mechanic, ready.frame.get(STATE), names):
                if goal is not None:
                    raise PlayError(say.left_with_best(names, goal.name.removeprefix(above)))
                return self._left_law(ready, names, _each_answer(answers, policy))
            if by_chance_already:
                return self._left_law(ready, names, _each_answer(answers, policy))
            try:
                if len(begun_by) > 1 and goal is not None:
                    return best_law(begun_by, goal, lambda at, of: desk.law(followed, at, of, **how), names)
                return desk.law(followed, made, tuple([f"{above}{name}" for name in names]), **how)
            except PlayError as error:
                if error.diagnostic.code == say.NOTHING_FOLLOWED and policy != RANDOM:
                    self._tried(ready, self.answers(choices, policy, None, reader))
                raise

        exactly, farthest = _in_room(exact), _in_room(partial(exact, enough=Fraction(0)))
        return Odds(self.program.name, mechanic, shown, known, exactly, ask_farthest=farthest if goal is None else None)

    def _beginnings(self, ready: PreparedRule, answers: Answers) -> Sequence[Beginning]:
        """Every way to begin an action where what it asks is decided for a goal."""
        from interpreter.play.actions import begun

        def open_answers(choice: Choice) -> list[Any]:
            given = answers.beforehand(choice)
            return [answer for answer, _ in given] if given is not None else legal(choice)

        deed = self.program.actions[ready.rule.name]
        begin = partial(begun, self._walker, deed)
        return beginnings(lambda at: begin(at, Run()), {**ready.frame, ".meter": frame()[".meter"]}, open_answers)

    def _tried(self, ready: PreparedRule, answers: Answers) -> None:
        """Play once what cannot be followed: raises PlayError where play itself never comes to an end."""
        drive(ready.walk({**ready.frame, ".meter": frame()[".meter"]}, SilentRun()), SeededDice(0), answers)

    def _left_law(self, ready: PreparedRule, names: tuple[str, ...], decide: Callable[[Choice], Any]) -> Law:
        """The law of names of which some tell what is left, by following every way of a rule."""
        from interpreter.odds.scenes import law

        readings = [self.told_of(ready.frame[STATE], name) for name in names]
        return law(None, self.walk(ready.rule.path), dict(ready.frame), decide, readings)

    def _scene_odds(
        self,
        ready: PreparedRule,
        known: Mapping[str, tuple[Any, ...]],
        shown: Mapping[str, Any],
        by: tuple[Mapping[str, Any] | None, str | Policy | None],
        goal: str | None,
        progress: Progress | None,
    ) -> Odds:
        """The odds of a scene, followed phase by phase; what is left of things can be asked for as well."""
        from interpreter.odds.scenes import law

        choices, policy = by
        path, state = ready.rule.path, ready.frame[STATE]
        if goal is not None:
            raise PlayError(say.no_best_in_a_scene("highest or lowest", goal))
        if any(_has_list(one) for one in nodes_of(choices)):
            raise PlayError(say.best_with_lists(ready.rule.name))
        answers = self.answers(choices, None if policy == RANDOM else policy, None, self.reader(state))
        decide = _each_answer(answers, policy)

        def exact(names: tuple[str, ...]) -> Law:
            self.left_of(path, state, names)
            readings = [self.told_of(state, name) for name in names]
            scene, walk = self.program.scenes[ready.rule.name], self.walk(path)
            return law(scene, walk, dict(ready.frame), decide, readings, progress, "outcome" in names, names)

        things = {name: () for name in state.things if "." not in name}  # before the outcome, which is shown first
        return Odds(self.program.name, path, shown, {**things, **known}, _in_room(exact))

    def left_of(self, rule: str, state: State | None, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Of names those that tell what is left, each with its words. Raises PlayError for one that means nothing."""
        left = {}
        for name in names:
            if state is not None and is_left(state, name):
                kind = t.present(self.reading(state, name)[0].type)
                left[name] = kind.words if isinstance(kind, t.Word) else ()
            else:
                there(self.type_of(rule), name)
        return left

    def told_of(self, state: State | None, name: str) -> Callable[[Any, Mapping[str, Any]], Any]:
        """What is told under a name of the record of a run, or of the state in which it has ended.

        Raises PlayError for what nobody has.
        """
        if state is None or not is_left(state, name):
            return lambda record, at: told(record, name)
        _, value = self.reading(state, name)
        head = name.partition(".")[0]
        return lambda record, at: shown(value(at[STATE])) if head in at[STATE].things else None

    def _followed(self, ready: PreparedRule, answers: Answers) -> tuple[ir.Mechanic, dict[str, Any], str]:
        """The rule whose steps odds follow, the frame that it starts from, and what stands before the names asked for.

        An action is begun: what it costs is paid before anything is left to chance. An event is what causes it, so
        that whoever answers it does.
        """
        rule = ready.rule
        if rule.path.startswith("actions."):
            from interpreter.play.actions import begun

            made = dict(ready.frame)
            drive(begun(self._walker, self.program.actions[rule.name], made, Run()), _NO_DICE, answers)
            return replace(rule, requires=()), made, ""
        if rule.path.startswith("events."):
            return _causing(rule, self.type_of(rule.path)), ready.frame, "it."
        return rule, ready.frame, ""

    def _goal(
        self, rule: ir.Mechanic, known: Mapping[str, tuple[Any, ...]], best: str | None, worst: str | None
    ) -> Goal | None:
        """What open choices are decided for: an outcome, or else a value."""
        if best is not None and worst is not None:
            raise PlayError(say.best_and_worst(best, worst))
        name = best if best is not None else worst
        if name is None:
            return None
        told = reading_of(rule, name)
        if told is not None:
            return Goal(*told, worst is not None, counting_as(rule, *told))
        if name.partition(".")[0] not in known or name == "outcome":
            raise PlayError(say.no_odds_of(name, {**dict.fromkeys(known.get("outcome", ())), **known}))
        there(self.type_of(rule.path), name)
        return Goal(name, None, worst is not None)

    def _desk(
        self,
        answers: Answers,
        choices: Mapping[str, Any] | None,
        policy: str | Policy | None,
        goal: Goal | None,
    ) -> QueryCache:
        """What follows every way with these answers; kept for the next question where they are the ruleset's own."""
        from interpreter.odds.query_cache import QueryCache  # whoever only rolls need not wait for it

        named = policy if isinstance(policy, str) and policy != RANDOM else None
        decide, beforehand = answers.always, answers.beforehand
        if policy == RANDOM:  # what was answered is not left to chance

            def decide(choice: Choice) -> list[tuple[Any, int]]:
                return answers.beforehand(choice) or by_chance(choice)

            beforehand = decide
        if choices or not (policy is None or isinstance(policy, str)):
            return QueryCache(self._closures, named, decide, goal, beforehand)
        key = (policy, goal)
        if key not in self._desks:
            self._desks[key] = QueryCache(self._closures, named, decide, goal, beforehand)
        return self._desks[key]

    @_with_room
    def simulate(
        self,
        mechanic: str,
        /,
        *,
        runs: int = 1_000_000,
        seed: int | None = None,
        of: Sequence[str] | None = None,
        choices: Mapping[str, Any] | None = None,
        policy: str | Policy | None = None,
        executor: Executor | None = None,
        progress: Progress | None = None,
        state: Held | None = None,
        inputs: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> Simulated:
        """So many runs of a mechanic with these inputs, counted.

        Inputs, `choices` and `policy` are as for `odds`. `of` names what is counted together, the outcome and the
        further readings unless it says otherwise. The answer follows from the seed (a fresh one without it) and the
        number of runs; any `executor` may carry them, and `progress` is told how many are done, of how many.
        Raises PlayError where an input does not fit, where play itself fails, or without NumPy; Stopped, with what
        came so far, where somebody stops it by hand.
        """
        nodes = {name: _node(value, name) for name, value in {**(inputs or {}), **given}.items()}
        made = self._ready(mechanic, nodes, self.reader(state)).frame
        try:
            from interpreter.simulation.worker import WorkerTask, simulated
        except ModuleNotFoundError as missing:
            if missing.name != "numpy":
                raise
            raise PlayError(say.no_numpy()) from None
        number = (fresh_seed() if seed is None else seed) & ((1 << 64) - 1)
        in_turn = any(isinstance(one, Items) for one in nodes_of(choices))
        task = WorkerTask(self, mechanic, made, (), choices, policy, number, in_turn)
        return simulated(task, of, runs, executor, progress)

    def _plainly(self, ready: PreparedRule, names: tuple[str, ...], answers: Callable[[], Answers]) -> Law:
        """The law of some names by plain enumeration: for answers that differ from one asking to the next."""
        weights: dict[Any, Fraction] = {}
        for weight, record in self._all_ways(ready, answers, USUAL_EFFORT):
            if record is not None:
                key = tuple(told(record, name) for name in names)
                weights[key] = weights.get(key, Fraction(0)) + weight
        return Law(weights)

    @_with_room
    def sweep(
        self,
        mechanic: str,
        /,
        *,
        over: Mapping[str, Sequence[Any]],
        method: str = "exact",
        choices: Mapping[str, Any] | None = None,
        policy: str | Policy | None = None,
        best: str | None = None,
        worst: str | None = None,
        runs: int = 1_000_000,
        seed: int | None = None,
        of: Sequence[str] | None = None,
        executor: Executor | None = None,
        progress: Progress | None = None,
        state: Held | Callable[[Game], Held | None] | None = None,
        inputs: Mapping[str, Any] | None = None,
        **given: Any,
    ) -> Sweep:
        """The odds of a mechanic at every point of a grid; all else is as for `odds`.

        By the method `simulate` it is as for `simulate`, with the same seed at every point.

        `over` names inputs (`own`, a part of one by a dot: `own.limit`) and options (`options.die`), each with its
        values. Where options vary what things begin with, `state` may be what makes one for a game. Raises PlayError
        where a point does not fit.
        """
        whole = {name: _node(value, name) for name, value in {**(inputs or {}), **given}.items()}
        games: dict[str, tuple[Game, Held | None]] = {}
        seed = fresh_seed() if seed is None else seed
        points = prod(map(len, over.values()))
        done = count()

        def place(at: Mapping[str, Any]) -> tuple[Game, Held | None, dict[str, Any]]:
            options = {name.removeprefix("options."): v for name, v in at.items() if name.startswith("options.")}
            key = repr(options) if options else ""
            if key not in games:
                under = self.under(options) if options else self
                games[key] = under, state(under) if callable(state) else state
            game, here = games[key]
            own = {name: value for name, value in at.items() if not name.startswith("options.")}
            return game, here, game.with_inputs(mechanic, whole, own)

        def exact(at: Mapping[str, Any]) -> Odds:
            game, here, made = place(at)
            return game.odds(mechanic, choices=choices, policy=policy, best=best, worst=worst, state=here, inputs=made)

        def simulated(at: Mapping[str, Any]) -> Odds:
            if best or worst:
                raise PlayError(say.decides_nothing("best" if best else "worst"))
            game, here, made = place(at)
            before = next(done) * runs
            told = (lambda now, _: progress(before + now, points * runs)) if progress else None
            return game.simulate(
                mechanic, runs=runs, seed=seed, of=of, choices=choices, policy=policy, executor=executor,
                progress=told, state=here, inputs=made,
            )  # fmt: skip

        methods = {"exact": exact, "simulate": simulated}  # any other that answers as Odds do may stand beside them
        if method not in methods:
            raise PlayError(say.unknown_of(say.NOWHERE, "method", method, methods))
        return sweep(methods[method], over)

    def under(self, options: Mapping[str, Any]) -> Game:
        """The same game with these options ruled otherwise."""
        return Game(self.program, self._world, {**{name: _again(v) for name, v in self._chosen.items()}, **options})

    def with_inputs(self, mechanic: str, given: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
        """Inputs with some of them otherwise; a dotted name changes a part of a record and keeps the rest."""
        short = {}
        for one in self.rule(mechanic).inputs:
            kind = t.present(one.type)
            record = self.program.types.get(kind.name) if isinstance(kind, t.Record) else None
            short[one.name] = record.written_as if record else None
        made = {name: _node(value, name) for name, value in given.items()}
        for name, value in changed.items():
            made = varied(made, name, _node(value, name), short.get(name.partition(".")[0]))
        return dict(made)

    @_with_room
    def ways(
        self,
        mechanic: str,
        values: Mapping[str, Any],
        answers: Callable[[], Answers],
        effort: Effort = USUAL_EFFORT,
    ) -> list[Path]:
        """Every way a mechanic can go from these input values, by plain enumeration of the dice."""
        rule = self._rule(mechanic)
        ready = PreparedRule(rule, inputs_frame(self._closures, rule, values, self.reader().state), self.walk(mechanic))
        return self._all_ways(ready, answers, effort)

    def _all_ways(self, ready: PreparedRule, answers: Callable[[], Answers], effort: Effort) -> list[Path]:
        current = answers()

        def start() -> tuple[Walk, Run]:
            nonlocal current
            current = answers()
            run = Run()
            return ready.walk({**ready.frame, ".meter": frame()[".meter"]}, run), run

        return list(ways(start, lambda choice: current.decide(choice), effort))

    @_with_room
    def replay(self, result: Result | str | Mapping[str, Any]) -> Result:
        """Play a result again from its inputs, faces and choices. Raises PlayError where it comes out otherwise."""
        data = _saved(result)
        for key, own in (("ruleset", self.program.name), ("fingerprint", self.program.fingerprint)):
            if data[key] != own:
                raise PlayError(
                    say.other_ruleset(
                        f"{data['ruleset']} {data['fingerprint']}", f"{self.program.name} {self.program.fingerprint}"
                    )
                )
        game = self
        chosen = {name: _again(value) for name, value in self._chosen.items()}
        if data["options"] != chosen:
            game = Game(self.program, self._world, data["options"])
        again = replace(game._replayed(data, _Replayed(list(data["choices"]))), seed=data.get("seed"))
        for what, now in (
            ("outcome", again.outcome),
            ("also", dict(again.also)),
            ("faces", list(again.faces)),
            ("values", {name: to_data(value) for name, value in again.values.items()}),
            *((("after", again.to_data()["after"]),) if "after" in data else ()),
        ):
            if data[what] != now:
                raise PlayError(say.replay_differs(what, in_words(data[what]), in_words(now)))
        return again

    def _replayed(self, data: Mapping[str, Any], choices: _Replayed) -> Result:
        state = self.state(data["before"]) if data.get("before") is not None else None
        reader = self.reader(state)
        nodes = {name: from_python(v, name) for name, v in data["inputs"].items() if v is not None}
        ready = self._ready(data["mechanic"], nodes, reader, ScenePart(**data.get("part", {})))
        ready = self._then(ready, data.get("ends"))
        answers = Answers({}, lambda choice, answer: answer, lambda choice: choices.next(choice, reader))
        again = self._finish(ready, data["faces"], None, answers, None)
        if choices.left:
            raise PlayError(say.replay_differs("choices", str(choices.left[0]["choice"]), "nothing more was asked"))
        return again

    def answers(
        self, choices: Mapping[str, Any] | None, policy: str | Policy | None, ask: Policy | None, reader: InputReader
    ) -> Answers:
        """The answers of a run: given ones are read by the type of the choice when it is asked."""
        if isinstance(policy, str) and policy not in self.program.policies:
            raise PlayError(say.unknown_policy(policy, self.program.policies))
        given = {key: Given(_node(value, key)) for key, value in (choices or {}).items()}
        return Answers(given, lambda choice, node: read_answer(reader, choice, node), policy, ask)

    def worked_out(self, formula: ir.Formula, names: Mapping[str, Any]) -> Any:
        """The value of a checked expression, as play works it out."""
        return self._closures.of(formula)(frame(**names))

    @_with_room
    def try_input(self, mechanic: str, name: str, given: Any) -> None:
        """Raises PlayError where a value does not fit an input, as far as that can be told without the others."""
        declared = next(one for one in self._rule(mechanic).inputs if one.name == name)
        node = _node(given, name)
        value = self.reader().value(node, declared.type, name)
        with suppress(KeyError), say.Placed({name: node.span}):  # a bound that reads another input waits for it
            bounded(self._closures, declared)(value, frame())

    def held(self, state: Held) -> State:
        """A state as it is, or what `state` makes of plain data. Raises PlayError for what is neither."""
        if isinstance(state, State):
            return state
        if not isinstance(state, Mapping | str):
            raise PlayError(
                say.wrong_state(f"it is neither a state nor a mapping of things, but a {type(state).__name__}")
            )
        return self.state(state)

    def reader(self, state: Held | None = None) -> InputReader:
        """A reader of values for this ruleset under these options; it knows the things of a state."""
        there = self.held(state) if state is not None else self.start if self.program.kinds else EMPTY
        return InputReader(self._world, self._closures, known=self._texts, state=there, stateless=state is None)

    def _rule(self, name: str) -> ir.Mechanic:
        if name not in self.program.mechanics:
            raise PlayError(say.unknown_mechanic(name, self.program.mechanics))
        return self.program.mechanics[name]


def _causing(event: ir.Mechanic, kind: t.Record) -> ir.Mechanic:
    """A mechanic that does nothing but let an event happen, with the same inputs; the event is its step `it`."""
    given = []
    for one in event.inputs:
        body = ir.Local(one.name, value_type(one), one.span)
        given.append((one.name, ir.Formula(body, body.type, one.span)))
    step = ir.Step("it", ir.Cause(event.name, tuple(given)), kind, f"{event.path}.it", event.span)
    of = t.Record(event.name, (("it", kind),))
    return replace(event, steps=(step,), outcomes=None, also=(), requires=(), type=of, path=f"{event.path} caused")


class _NoDice:
    """The dice of what comes before the steps of an action, where nothing is left to chance."""

    def throw(self, dice: Sequence[Any]) -> list[Any]:
        raise PlayError(say.too_much_to_lay_out(len(dice), 0))


_NO_DICE = _NoDice()


def _each_answer(answers: Answers, policy: str | Policy | None) -> Callable[[Choice], list[tuple[Any, int]]]:
    """The answer to a choice as a law: all that are possible where it is left to chance and nothing was answered."""

    def decide(choice: Choice) -> list[tuple[Any, int]]:
        return (answers.beforehand(choice) or by_chance(choice)) if policy == RANDOM else answers.always(choice)

    return decide


CHANCE, ON_TABLE = "chance", "table"
"""Where the faces of a session come from: from its seed, or from dice on the table."""


def _has_list(node: Node) -> bool:
    """Whether an answer is one for each asking, for somebody or for all."""
    return isinstance(node, Items) or (isinstance(node, Tree) and any(_has_list(one.value) for one in node.entries))


def nodes_of(choices: Mapping[str, Any] | None) -> list[Node]:
    """Answers as they were written."""
    return [_node(value, key) for key, value in (choices or {}).items()]


@dataclass
class _Replayed:
    """The choices of a saved result, in order."""

    left: list[Mapping[str, Any]]

    def next(self, choice: Choice, reader: InputReader) -> Any:
        if not self.left:
            raise PlayError(say.replay_differs("choices", "nothing more was asked", choice.path))
        saved = self.left.pop(0)
        if saved["choice"] != choice.path or saved.get("of") != choice.of:
            raise PlayError(say.replay_differs("choices", str(saved["choice"]), choice.path))
        if saved["answer"] is None:
            return None  # it was left out, as is its default
        if "picked" not in saved:
            return read_answer(reader, choice, from_python(saved["answer"], choice.path))
        options = choice.options or ()
        picked = [options[place] for place in saved["picked"] if 0 <= place < len(options)]
        return tuple(picked) if choice.kind == "some" else picked[0] if picked else None


# Values that hosts give ------------------------------------------------------------------------------------------


def _node(value: Any, label: str) -> Node:
    return value if isinstance(value, (Scalar, Tree, Items)) else from_python(value, label)


class _Options(dict[str, Any]):
    """Options that were chosen, and the defaults of the others, each worked out when it is asked for: it may read
    other options. The checker has seen that none goes round in a circle."""

    def __init__(self, program: ir.Program, chosen: Mapping[str, Any]) -> None:
        super().__init__(chosen)
        self._program, self._closures = program, Closures(program, self)

    def __missing__(self, name: str) -> Any:
        default = self._program.options[name].default
        self[name] = value = self._closures.of(default)(frame()) if default is not None else None
        return value


def _options(program: ir.Program, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with its value."""
    found = _Options(program, chosen)
    return {name: found[name] for name in program.options}


def _option(reader: InputReader, option: ir.Declaration, node: Node) -> Any:
    value = reader.value(node, option.type, option.name)
    with say.Placed({option.name: node.span}):
        bounded(reader.closures, option)(value, frame())
    return value


class Given:
    """The answers under one key. A list is one answer for each asking, unless it is itself an answer to `some`."""

    def __init__(self, node: Node) -> None:
        self.node = node

    def to(self, choice: Choice) -> list[Any] | None:
        """The answers in order, as the choice that asks understands them."""
        node: Node | None = self.node
        if isinstance(node, Tree):
            node = node.get(choice.of or choice.by or "")
        if node is None:
            return None
        if not isinstance(node, Items):
            return [node]
        if choice.kind == "some" and not any(isinstance(item, Items) for item in node.items):
            return [node]
        return list(node.items)

    def about(self) -> Sequence[str]:
        """Those that a mapping answers for by name."""
        return list(self.node.by_key) if isinstance(self.node, Tree) else ()


def read_answer(reader: InputReader, choice: Choice, node: Any) -> Any:
    """A given answer by the type of the choice that asks."""
    if not isinstance(node, (Scalar, Tree, Items)):
        return node
    match choice.kind:
        case "yes_no":
            return reader.value(node, t.YES_NO, choice.name)
        case "text":
            return reader.value(node, t.Text(), choice.name)
        case "number":
            return reader.value(node, t.NUMBER, choice.name)
        case "some":
            items = node.items if isinstance(node, Items) else [node]
            left = list(choice.options or ())
            found = []
            for item in items:  # of options that are written alike, each is meant once
                found.append(_element(reader, choice, item, left))
                if found[-1] in left:
                    left.remove(found[-1])
            return tuple(found)
    return _element(reader, choice, node, choice.options or ())


def _element(reader: InputReader, choice: Choice, node: Node, options: Sequence[Any]) -> Any:
    """The option that is written like the answer."""
    text = node.text if isinstance(node, Scalar) else node.span.text
    for option in options:
        if in_words(option) == text:
            return option
    if options and isinstance(options[0], int) and isinstance(node, Scalar):
        return reader.value(node, t.NUMBER, choice.name)
    return text


_SAVED: dict[str, type | tuple[type, ...]] = {
    "ruleset": str,
    "fingerprint": str,
    "mechanic": str,
    "inputs": Mapping,
    "options": Mapping,
    "outcome": (str, type(None)),
    "also": Mapping,
    "values": Mapping,
    "faces": list,
    "choices": list,
}
"""What must be in a saved result for it to be played again; `schemas/result.json` says all of it."""


def _saved(result: Result | str | Mapping[str, Any]) -> Mapping[str, Any]:
    if isinstance(result, Result):
        return json.loads(result.to_json())  # type: ignore[no-any-return]
    if isinstance(result, str):
        try:
            result = read_json(result)
        except NotJson as error:
            raise PlayError(say.not_a_result(str(error))) from None
    if not isinstance(result, Mapping):
        raise PlayError(say.not_a_result("it is not a mapping"))
    for key, kind in _SAVED.items():
        if key not in result:
            raise PlayError(say.not_a_result(f"`{key}` is missing"))
        if not isinstance(result[key], kind):
            raise PlayError(say.not_a_result(f"`{key}` has another form"))
    for one in result["choices"]:
        picked = one.get("picked", []) if isinstance(one, Mapping) else None
        if picked is None or not {"choice", "answer"} <= set(one) or not all(type(n) is int for n in picked):
            raise PlayError(say.not_a_result("`choices` has another form"))
    return result


# What forms and bots need to know --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Input:
    """An input as a form shows it: `type` in words, bounds, default and meaning.

    `choices` are the words it may be, with what they mean; `fields` those of a record.
    """

    name: str
    type: str
    about: str
    required: bool
    default: Any
    low: int | None = None
    high: int | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Input] = field(default_factory=dict)


@dataclass(frozen=True)
class Rule:
    """A mechanic as a host sees it."""

    name: str
    title: str
    about: str
    inputs: Mapping[str, Input]
    outcomes: tuple[str, ...]

    @staticmethod
    def of(rule: ir.Mechanic, closures: Closures) -> Rule:
        """The host's view of a mechanic."""
        kind = rule.type.field("outcome")
        words = t.present(kind).words if kind is not None and isinstance(t.present(kind), t.Word) else ()  # type: ignore[union-attr]
        seen: dict[int, Input] = {}
        inputs = {one.name: _input(one, closures, seen) for one in rule.inputs}
        return Rule(rule.name, rule.title, rule.about, inputs, words)


def _input(one: ir.Declaration, closures: Closures, seen: dict[int, Input]) -> Input:
    """A declaration as a form shows it; `seen` are those of records, which may stand in many others."""
    if id(one) not in seen:
        seen[id(one)] = _input_of(one, closures, seen)
    return seen[id(one)]


def _input_of(one: ir.Declaration, closures: Closures, seen: dict[int, Input]) -> Input:
    kind = t.present(one.type)
    words = dict(one.meanings) if one.meanings else dict.fromkeys(kind.words, "") if isinstance(kind, t.Word) else {}
    record = closures.program.types.get(kind.name) if isinstance(kind, t.Record) else None
    fields = {inner.name: _input(inner, closures, seen) for inner in record.has} if record else {}
    low = kind.low if isinstance(kind, t.Number) else None
    high = kind.high if isinstance(kind, t.Number) else None
    default = None
    if one.default is not None:
        try:
            default = to_data(closures.of(one.default)(frame()))
        except (KeyError, PlayError):
            default = one.default.span.text  # it reads an earlier input, or what lasts
    name = kind.name if isinstance(kind, t.Record) else t.in_words(kind)
    return Input(one.name, name, one.about, one.required, default, low, high, words, fields)


@lru_cache(maxsize=8)
def _unpacked(key: str, data: bytes) -> Game:
    """The game that another process has sent, made once however often it is sent."""
    return Game(*pickle.loads(data))

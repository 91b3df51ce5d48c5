"""One run of a mechanic, from its inputs to its record: the reference for every faster backend.

The walk is a generator. It yields a request where dice are thrown or somebody decides, and is sent the answer; who
answers is not its business. Steps are compiled once into closures, by verb, and a run keeps what happened as small
tuples, which `backends.trace` words when somebody reads them.

Faces are asked for in a fixed order: dice as written, all first throws of a roll, then its chains die by die, then
rerolls.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, assert_never

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.traversal import does_more, each_in, formulas, inner, locals_in
from interpreter.play.requests import Request, ThrowRequest
from interpreter.runtime.constraints import bounded
from interpreter.runtime.die_ladder import raised
from interpreter.runtime.evaluator import (
    LARGEST,
    Closure,
    Closures,
    Frame,
    as_dice,
    as_number,
    bearable,
    frame,
    in_range,
)
from interpreter.runtime.functions import MOST_DICE, Problem
from interpreter.runtime.objects import MOST_THINGS
from interpreter.runtime.pairing import paired
from interpreter.runtime.rng import hold_to_faces
from interpreter.runtime.state import EMPTY, STATE, State
from interpreter.values import Die, Roll, Scoring, Thing, Thrown, face_number
from interpreter.values import Throw as Toss

Walk = Generator[Request, Any, Any]
Record = dict[str, Any]


@dataclass(frozen=True)
class Budget:
    """What one run may do: steps, dice thrown, passes of one repetition (each is shown all that came before), and
    how many things there may be."""

    steps: int = 100_000
    dice: int = 10_000
    passes: int = 10_000
    things: int = MOST_THINGS


class Event(NamedTuple):
    """Something that happened: what the construct was, what came of it, how deep in calls and blocks."""

    what: str
    node: Any
    value: Any
    depth: int


class MechanicEnded(Exception):
    """A step has ended the mechanic with an outcome; `frame` is where it stands, with what lasts by then."""

    def __init__(self, outcome: str, frame: Frame) -> None:
        super().__init__(outcome)
        self.frame = frame


class Marks(NamedTuple):
    """How much a run had done: numbers of events, faces, choices, dice and steps."""

    events: int
    faces: int
    choices: int
    dice: int
    steps: int


@dataclass(frozen=True, slots=True)
class Boundary:
    """Where a scene can be taken up again: before the `phase` of that number, from 0, of a `round`, from 1.

    `frame` is what the phase begins with, and `marks` how far the run had come.
    """

    frame: Frame
    round: int
    phase: int
    marks: Marks


@dataclass(slots=True)
class Run:
    """What one run has done so far; `told` is whether anybody wants to know what happened.

    `boundary` is the last that it went past, in a scene; `state` what lasted when it last asked for something.
    """

    budget: Budget = field(default_factory=Budget)
    events: list[Event] = field(default_factory=list)
    prefix: str = ""
    depth: int = 0
    dice: int = 0
    steps: int = 0
    faces: list[Any] = field(default_factory=list)
    choices: list[tuple[str, Any]] = field(default_factory=list)
    nested: int = 0
    boundary: Boundary | None = None
    state: State = EMPTY
    told: bool = True

    @property
    def marks(self) -> Marks:
        """How far it has come."""
        return Marks(len(self.events), len(self.faces), len(self.choices), self.dice, self.steps)

    def further(self, budget: Budget) -> Budget:
        """What it may have done when it has spent a budget from here on."""
        return replace(budget, steps=self.steps + budget.steps, dice=self.dice + budget.dice)

    def at(self, boundary: Boundary) -> Run:
        """A run that goes on from a boundary that this one has gone past."""
        events, faces, choices, dice, steps = boundary.marks
        return Run(
            events=self.events[:events], depth=1, dice=dice, steps=steps, faces=self.faces[:faces],
            choices=self.choices[:choices], boundary=boundary,
        )  # fmt: skip

    def tell(self, what: str, node: Any, value: Any, above: int = 0) -> None:
        """Something has happened, here or so many levels above."""
        self.events.append(Event(what, node, value, self.depth - above))

    def spend(self, steps: int) -> None:
        self.steps += steps
        if self.steps > self.budget.steps:
            raise PlayError(say.budget_spent(say.NOWHERE, "steps", self.budget.steps))

    def throw(
        self,
        dice: tuple[Die, ...],
        path: str,
        given: Frame,
        pile: tuple[Thing, str] | None = None,
        among: tuple[Any, ...] = (),
        at: str = "",
    ) -> Generator[Request, Any, list[Any]]:
        self.dice += len(dice)
        if self.dice > self.budget.dice:
            raise PlayError(say.budget_spent(say.NOWHERE, "dice", self.budget.dice))
        if not dice:
            return []
        self.state = given.get(STATE, EMPTY)
        faces: list[Any] = yield ThrowRequest(dice, path, pile, among, at)
        self.faces += faces
        return faces


@dataclass(slots=True)
class SilentRun(Run):
    """A run of which nobody is told what happened: no event is kept."""

    told: bool = False

    def tell(self, what: str, node: Any, value: Any, above: int = 0) -> None:
        pass


Do = Callable[[Frame, Run], Any]


class Compiled(NamedTuple):
    """A step ready to run: `plain` where it asks for nothing, else `walk`."""

    name: str
    step: ir.Step
    condition: Closure | None
    plain: Closure | None
    walk: Callable[[Frame, Run], Walk] | None
    instead: Closure | None
    skipped: Closure | None


Score = Callable[[Thrown, Any, Frame, Run], Walk]
"""A die as it lies with another face, from the frame of the step that turns it or throws it anew."""


@dataclass
class Walker:
    """The mechanics of a program under fixed options, each compiled when it is first played."""

    closures: Closures
    _rules: dict[str, Callable[[Frame, Run], Walk]] = field(default_factory=dict)
    _hooks: dict[str, list[Compiled]] = field(default_factory=dict)
    scenes: dict[Any, Do] = field(default_factory=dict)
    plans: dict[int, Any] = field(default_factory=dict)
    """By the identity of a deed, what `backends.doing` has made ready of it."""
    rolls: dict[str, ir.RollDice] = field(default_factory=dict)
    """By path, rolls whose dice may be thrown anew, where they are to be scored by another form of them."""
    _scores: dict[str, Score] = field(default_factory=dict)

    @property
    def program(self) -> ir.Program:
        return self.closures.program

    def score(self, scoring: Scoring, step: ir.Step) -> Score:
        """What scores dice that a step throws anew. Raises PlayError where they cannot be."""
        if scoring.path not in self._scores:
            toss = self.rolls.get(scoring.path) or toss_at(self.program, scoring.path)
            if toss is None or not may_be_thrown_anew(self.program, toss):
                raise PlayError(say.cannot_throw_anew(step.span, scoring.path if toss else None))
            self._scores[scoring.path] = _score(self, toss, scoring.path)
        return self._scores[scoring.path]

    def mechanic(self, name: str) -> Callable[[Frame, Run], Walk]:
        """The walk of a mechanic, from a frame that holds its inputs; its value is the mechanic's record."""
        return self.rule(self.program.mechanics[name])

    def rule(self, rule: ir.Mechanic, tested: bool = False) -> Callable[[Frame, Run], Walk]:
        """The same of any rule: a mechanic, an event, what an action does, which was `tested` before it was paid."""
        if rule.path not in self._rules:
            self._rules[rule.path] = _mechanic(self, rule, tested)
        return self._rules[rule.path]

    def hook(self, path: str, steps: tuple[ir.Step, ...]) -> list[Compiled]:
        """The steps that follow when a bound is reached."""
        if path not in self._hooks:
            self._hooks[path] = inner_steps(self, steps, ())
        return self._hooks[path]


def _mechanic(walker: Walker, rule: ir.Mechanic, tested: bool) -> Callable[[Frame, Run], Walk]:
    required = requirements(walker, () if tested else rule.requires)
    steps = inner_steps(walker, rule.steps, ())
    names = [one.name for one in rule.steps]
    outcomes = _outcomes(walker, rule.outcomes) if rule.outcomes else None
    also = [_also(walker, one) for one in rule.also]

    def walk(given: Frame, run: Run) -> Walk:
        required(given, run)
        record: Record = {}
        ended: str | None = None
        depth = run.depth
        try:
            yield from walked(steps, given, run)
        except MechanicEnded as end:
            ended, run.depth = str(end), depth
            kept(end.frame, given)
        for name in names:
            record[name] = given.get(name)
        if ended is None:
            for further, reading in also:
                record[further.name] = given[further.name] = reading(given, run)
            if outcomes is not None:
                chosen, done = outcomes(given, run)
                record["outcome"] = chosen
                if done is not None:
                    try:
                        yield from walked(done, given, run)
                    except MechanicEnded as end:
                        record["outcome"], run.depth = str(end), depth
                        kept(end.frame, given)
                        run.tell("end", rule, str(end))
                    record |= {step.name: given.get(step.name) for step in done}
        else:
            record |= {one.name: None for one in rule.also}
            record["outcome"] = ended
            run.tell("end", rule, ended)
        return record

    return walk


def requirements(walker: Walker, of: tuple[ir.Requirement, ...]) -> Callable[[Frame, Run], None]:
    """What must hold before a rule begins. Raises PlayError where it does not."""
    requires = [(one, walker.closures.of(one.condition)) for one in of]

    def required(given: Frame, run: Run) -> None:
        for one, holds in requires:
            if not holds(given):
                raise PlayError(say.required(one.name, one.condition.span.text, one.span))
            run.tell("require", one, True)

    return required


def _outcomes(walker: Walker, of: ir.Outcomes) -> Callable[[Frame, Run], tuple[str, list[Compiled] | None]]:
    if of.as_of is not None:
        passed = walker.closures.of(of.as_of)
        return lambda given, run: (passed(given), None)
    cases = [
        (
            one,
            walker.closures.of(one.condition) if one.condition else None,
            inner_steps(walker, one.steps, (one.name,)) if one.steps else None,
        )
        for one in of.cases
    ]

    def choose(given: Frame, run: Run) -> tuple[str, list[Compiled] | None]:
        for one, holds, steps in cases:
            if holds is None or holds(given):
                run.tell("outcome", one, one.name)
                return one.name, steps
        raise PlayError(say.no_outcome(cases[-1][0].path))

    return choose


def _also(walker: Walker, one: ir.Also) -> tuple[ir.Also, Callable[[Frame, Run], Any]]:
    if isinstance(one.reading, ir.Formula):
        holds = walker.closures.of(one.reading)

        def flag(given: Frame, run: Run) -> bool:
            value = bool(holds(given))
            run.tell("also", one, value)
            return value

        return one, flag
    among = _outcomes(walker, one.reading)
    return one, lambda given, run: among(given, run)[0]


def inner_steps(walker: Walker, steps: tuple[ir.Step, ...], trail: tuple[str, ...]) -> list[Compiled]:
    """Steps ready to run; `trail` names the steps that they stand in."""
    return [_compiled(walker, step, (*trail, step.name)) for step in steps]


def _compiled(walker: Walker, step: ir.Step, trail: tuple[str, ...]) -> Compiled:
    of = walker.closures.of
    condition = of(step.condition) if step.condition else None
    instead = of(step.instead) if step.instead else None
    skipped = None
    plain: Closure | None = None
    walk: Callable[[Frame, Run], Walk] | None = None
    action = step.action
    if isinstance(action, ir.Choose) and action.default is not None:
        skipped = of(action.default)
    if isinstance(action, ir.Let):
        plain = of(action.formula)
    elif isinstance(action, ir.Compare):
        plain = comparing(walker, action)
    elif isinstance(action, ir.Place):
        walk = _place(walker, action)
    elif isinstance(action, ir.Raise):
        plain = raising(walker, action, step)
    else:
        walk = action_walk(walker, action, step, trail)
    into = form_of(step)
    if into is not None:
        plain, walk = (_plain_into(into, plain) if plain else None), (_walk_into(into, walk) if walk else None)
    return Compiled(step.name, step, condition, plain, walk, instead, skipped)


def form_of(step: ir.Step) -> Callable[[Any], Any] | None:
    """What makes of a step's value what its type says, where an `else` or a later stage gives another form of it."""
    return form_between(step.action.formula.type if isinstance(step.action, ir.Let) else None, step.type)


def form_between(given: t.Type | None, wanted: t.Type) -> Callable[[Any], Any] | None:
    """What makes of a value of one type what another type says that both fit; None where it is that already."""
    own, kind = t.present(given) if given is not None else None, t.present(wanted)
    if isinstance(kind, t.Number) and not isinstance(own, t.Number):
        return as_number
    return as_dice if isinstance(kind, t.Dice) and not isinstance(own, t.Dice) else None


def forms_of_stages(stages: ir.Stages) -> list[Callable[[Any], Any] | None]:
    """For every stage, what a value that it passes on because it is skipped has to be made into."""
    before = (stages.begun, *(stage.type for stage in stages.then))
    return [form_between(given, stage.type) for given, stage in zip(before, stages.then, strict=False)]


def _plain_into(into: Callable[[Any], Any], plain: Closure) -> Closure:
    return lambda given: into(plain(given))


def _walk_into(into: Callable[[Any], Any], walk: Callable[[Frame, Run], Walk]) -> Callable[[Frame, Run], Walk]:
    def shaped(given: Frame, run: Run) -> Walk:
        return into((yield from walk(given, run)))

    return shaped


def kept(inside: Frame, outside: Frame) -> None:
    """What holds beyond steps with names of their own: the state, and the event as a reaction has changed it."""
    if STATE in inside:
        outside[STATE] = inside[STATE]
        if CHANGED in inside and CHANGED in outside:
            outside[CHANGED] = inside[CHANGED]


CHANGED = "event"
"""The name of the event in a reaction, which `change` exchanges."""


def walked(steps: list[Compiled], given: Frame, run: Run) -> Walk:
    """Steps one under the other; each binds its name in the frame."""
    run.spend(len(steps))
    told = run.told
    for one in steps:
        if one.condition is not None and not one.condition(given):
            given[one.name] = value = _left_out(one, given)
            run.tell("skip", one.step, value)
            continue
        if one.plain is not None:
            value = one.plain(given)
        else:
            assert one.walk is not None
            value = yield from one.walk(given, run)
        if type(value) is int and not -LARGEST <= value <= LARGEST:
            in_range(value, one.step.span)
        given[one.name] = value
        if told:
            run.tell("step", one.step, value)


def _left_out(one: Compiled, given: Frame) -> Any:
    if one.instead is not None:
        return one.instead(given)
    return one.skipped(given) if one.skipped is not None else None


def action_walk(
    walker: Walker, action: ir.StepBody, step: ir.Step, trail: tuple[str, ...]
) -> Callable[[Frame, Run], Walk]:
    """The walk of what a step does, its condition left aside."""
    match action:
        case ir.RollDice():
            return _toss(walker, action, step, trail)
        case ir.Reroll():
            return _reroll(walker, action, step, trail)
        case ir.Stages():
            return _stages(walker, action, step, trail)
        case ir.Repeat():
            return _repeat(walker, action, step, trail)
        case ir.Pair():
            return _pair(walker, action, step, trail)
        case ir.Choose():
            from interpreter.play.choices import choose

            return choose(walker, action, step, trail)
        case ir.ChooseEach():
            from interpreter.play.choices import choose_each

            return choose_each(walker, action, step, trail)
        case ir.Order():
            from interpreter.play.sorting import order

            return order(walker, action, step, trail)
        case ir.Call():
            return _call(walker, action, step, trail)
        case ir.FirstOf():
            return _first_of(walker, action)
        case ir.StepGroup(steps):
            return _block(inner_steps(walker, steps, trail))
        case ir.End(outcome):
            return _end(outcome)
        case ir.ForEach():
            from interpreter.play.effects import for_each

            return for_each(walker, action, step, trail)
        case (
            ir.Shift()
            | ir.Pay()
            | ir.Assign()
            | ir.Include()
            | ir.Exclude()
            | ir.Make()
            | ir.Destroy()
            | ir.Cause()
            | ir.Act()
            | ir.Offer()
            | ir.ChangeEvent()
            | ir.CancelEvent()
            | ir.Turn()
            | ir.Draw()
            | ir.Put()
            | ir.Take()
        ):
            from interpreter.play.effects import effect

            return effect(walker, action, step, trail)
        case ir.Let() | ir.Compare() | ir.Place() | ir.Raise():
            raise AssertionError("these ask for nothing")
        case _:
            assert_never(action)


# Dice ------------------------------------------------------------------------------------------------------------


def _toss(walker: Walker, action: ir.RollDice, step: ir.Step, trail: tuple[str, ...]) -> Callable[[Frame, Run], Walk]:
    of = walker.closures.of
    parts = [(name, of(formula)) for name, formula in action.parts]
    each = inner_steps(walker, action.each, trail)
    names = [one.name for one in action.each]
    counts = of(action.counts) if action.counts else None
    again = of(action.again) if action.again else None
    guard = of(action.guard) if action.guard else None
    path = ".".join(trail)
    no_names: dict[str, Any] = {}
    scored_by = names_scored_by(action) if walker.program.telling.rerolled and (each or counts) else None

    def throw(given: Frame, run: Run) -> Walk:
        dice = [(die, name) for name, pool in parts for die in pool(given)]
        if len(dice) > MOST_DICE:
            raise PlayError(say.budget_spent(step.span, "dice in one roll", MOST_DICE))
        first = run.dice
        faces = yield from run.throw(tuple([die for die, _ in dice]), run.prefix + path, given)
        if not each and counts is None and again is None:
            return tuple(
                [
                    Thrown(die, name, first + n, (Toss(face, 1, worth, no_names),), worth)
                    for n, ((die, name), face) in enumerate(zip(dice, faces, strict=True))
                    for worth in (face_number(face),)
                ]
            )
        fuse = guard(given) if guard else ir.GUARD
        scoring = scoring_of(step.path, scored_by, given) if scored_by is not None else None
        inside = dict(given)
        earlier: list[Record] = []
        thrown: list[Thrown] = []
        for n, ((die, name), face) in enumerate(zip(dice, faces, strict=True)):
            throws: list[Toss] = []
            inside.update(size=die.size, tags=die.tags, part=name)
            while True:
                inside.update(face=face_number(face), nth=len(throws) + 1, earlier=tuple(earlier))
                if each:
                    run.depth += 1
                    yield from walked(each, inside, run)
                    run.depth -= 1
                worth = counts(inside) if counts else face_number(face)
                inside["counts"] = worth
                named = {key: inside[key] for key in names}
                throws.append(Toss(face, len(throws) + 1, worth, named))
                earlier.append(named)
                if again is None or not again(inside):
                    break
                if len(throws) >= fuse:
                    raise PlayError(say.guard_reached(step.span, run.prefix + path, fuse))
                face = (yield from run.throw((die,), run.prefix + path, inside))[0]
            value = throws[0].counts if len(throws) == 1 else sum([one.counts for one in throws])
            thrown.append(Thrown(die, name, first + n, tuple(throws), value, scoring))
        kept(inside, given)
        return tuple(thrown)

    return throw


IN_A_THROW = ("face", "nth", "earlier", "size", "tags", "part", "counts")
"""Names that are in reach of what is said of every throw."""


def names_scored_by(toss: ir.RollDice) -> tuple[str, ...]:
    """The names outside of a roll that its `each` and `counts` read."""
    read = frozenset[str]().union(*[locals_in(one.body) for one in formulas((toss.each, toss.counts))])
    return tuple(sorted(read.difference(IN_A_THROW, [one.name for one in each_in(toss.each, ir.Step)])))


def types_scored_by(toss: ir.RollDice) -> dict[str, t.Type]:
    """The types of the names outside of a roll that its `each` and `counts` read."""
    found: dict[str, t.Type] = {}
    stack: list[ir.Expr] = [one.body for one in formulas((toss.each, toss.counts))]
    while stack:
        here = stack.pop()
        if isinstance(here, ir.Local):
            found[here.name] = here.type
        stack += inner(here)
    return {name: found[name] for name in names_scored_by(toss)}


def scoring_of(path: str, names: tuple[str, ...], at: Frame) -> Scoring:
    """How new throws of dice count that are thrown in a frame."""
    return Scoring(path, tuple([(name, at[name]) for name in names if name in at]))


def toss_at(program: ir.Program, path: str) -> ir.RollDice | None:
    """The roll that stands at a path."""
    if not path:
        return None
    everywhere = (program.mechanics, program.events, program.actions, program.reactions, program.scenes, program.kinds)
    steps = list(each_in(everywhere, ir.Step))
    while steps:
        step = steps.pop()
        if step.path == path:
            action = step.action
            while isinstance(action, ir.Stages):
                action = action.start
            return action if isinstance(action, ir.RollDice) else None
        steps += each_in(step.action, ir.Step)
    return None


def may_be_thrown_anew(program: ir.Program, toss: ir.RollDice) -> bool:
    """Whether what a roll does for every throw can be done for one more: it only works something out."""
    return not does_more(toss.each, program.mechanics.get)


def scoring_frame(scoring: Scoring, at: Frame) -> Frame:
    """What scores dice that are thrown anew: the names that their roll read as they were, what lasts as it is."""
    inside = frame(at.get(".meter"))
    inside.update(scoring.names)
    if STATE in at:
        inside[STATE] = at[STATE]
    return inside


def _score(walker: Walker, toss: ir.RollDice, path: str) -> Score:
    """A new throw stands alone: it is the first of its die, no throw came before it, and no chain follows."""
    each = inner_steps(walker, toss.each, (path.rsplit(".", 1)[-1],))
    names = [one.name for one in toss.each]
    counts = walker.closures.of(toss.counts) if toss.counts else None

    def score(die: Thrown, face: Any, given: Frame, run: Run) -> Walk:
        assert die.scoring is not None
        inside = scoring_frame(die.scoring, given)
        number = face_number(face)
        inside.update(size=die.die.size, tags=die.die.tags, part=die.part, face=number, nth=1, earlier=())
        if each:
            run.depth += 1
            yield from walked(each, inside, run)
            run.depth -= 1
        worth = counts(inside) if counts else number
        return die._replace(throws=(Toss(face, 1, worth, {name: inside[name] for name in names}),), value=worth)

    return score


def _reroll(walker: Walker, action: ir.Reroll, step: ir.Step, trail: tuple[str, ...]) -> Callable[[Frame, Run], Walk]:
    of = walker.closures.of
    everything = of(action.of)
    which = of(action.which) if action.which else None
    most = of(action.most) if action.most else None
    to = of(action.to) if action.to else None
    toward = action.to.span if action.to else step.span
    biggest = action.biggest_first
    path = ".".join(trail)

    def again(given: Frame, run: Run) -> Walk:
        dice: Roll = everything(given)
        touched: list[Thrown] = list(which(given) if which else dice)
        if biggest is not None:
            touched.sort(key=lambda die: (-die.die.size if biggest else die.die.size, die.key))
        if most is not None:
            touched = touched[: max(most(given), 0)]
        if to is not None:
            face = to(given)
            hold_to_faces([die.die for die in touched], face, toward)
            faces: list[Any] = [face] * len(touched)
        else:
            faces = yield from run.throw(tuple(die.die for die in touched), run.prefix + path, given)
        run.tell("reroll", step, tuple(zip(touched, faces, strict=True)))
        new: dict[int, Thrown] = {}
        for die, face in zip(touched, faces, strict=True):
            if die.scoring is None:
                number = face_number(face)
                new[die.key] = die._replace(throws=(Toss(face, 1, number, {}),), value=number)
            else:
                new[die.key] = yield from walker.score(die.scoring, step)(die, face, given, run)
        return tuple([new.get(die.key, die) for die in dice])

    return again


def _place(walker: Walker, action: ir.Place) -> Callable[[Frame, Run], Walk]:
    dice, showing = walker.closures.of(action.dice), walker.closures.of(action.showing)

    def place(given: Frame, run: Run) -> Walk:
        face = showing(given)
        first = run.dice
        pool = dice(given)
        hold_to_faces(pool, face, action.showing.span)
        run.dice += len(pool)
        return tuple(Thrown(die, None, first + n, (Toss(face, 1, face, {}),), face) for n, die in enumerate(pool))
        yield  # a walk that asks for nothing is a walk all the same

    return place


def raising(walker: Walker, action: ir.Raise, step: ir.Step) -> Closure:
    of = walker.closures.of
    everything, by = of(action.of), of(action.by)
    which = of(action.which) if action.which else None

    def lift(given: Frame) -> Any:
        pool = everything(given)
        touched = list(which(given)) if which else list(pool)
        chosen = []
        for die in pool:
            chosen.append(die in touched)
            if chosen[-1]:
                touched.remove(die)
        try:
            return raised(pool, chosen, action.rungs, by(given), action.past_top, action.when_full)
        except Problem as problem:
            raise PlayError(say.cannot_compute(step.span, step.name, str(problem))) from None

    return lift


def _pair(walker: Walker, action: ir.Pair, step: ir.Step, trail: tuple[str, ...]) -> Callable[[Frame, Run], Walk]:
    of = walker.closures.of
    ours, theirs = of(action.ours), of(action.theirs)
    missing = of(action.missing) if action.missing else None
    first = of(action.first) if action.first else None
    each = inner_steps(walker, action.each, trail)

    def match(given: Frame, run: Run) -> Walk:
        prefers = (lambda die: bool(first({**given, ".die": die}))) if first else None
        records: list[Record] = []
        inside = dict(given)
        for mine, other in paired(ours(given), theirs(given), missing(given) if missing else None, prefers):
            inside.update(ours=mine, theirs=other)
            run.tell("pair", step, (mine, other))
            run.depth += 1
            yield from walked(each, inside, run)
            run.depth -= 1
            records.append({"ours": mine, "theirs": other, **{one.name: inside[one.name] for one in each}})
        kept(inside, given)
        return tuple(records)

    return match


# Control ---------------------------------------------------------------------------------------------------------


def _stages(walker: Walker, action: ir.Stages, step: ir.Step, trail: tuple[str, ...]) -> Callable[[Frame, Run], Walk]:
    begin = _compiled(walker, ir.Step(step.name, action.start, action.begun, step.path, step.span), trail)
    stages = [_compiled(walker, one, (*trail, one.name)) for one in action.then]
    forms = forms_of_stages(action)
    name = step.name

    def change(given: Frame, run: Run) -> Walk:
        value = begin.plain(given) if begin.plain else (yield from begin.walk(given, run))  # type: ignore[misc]
        inside = dict(given)
        run.tell("start", step, value)
        run.depth += 1
        run.spend(len(stages))
        for stage, form in zip(stages, forms, strict=True):
            inside[name] = value
            if stage.condition is not None and not stage.condition(inside):
                value = stage.instead(inside) if stage.instead else form(value) if form else value
                run.tell("skip", stage.step, value)
                continue
            value = stage.plain(inside) if stage.plain else (yield from stage.walk(inside, run))  # type: ignore[misc]
            run.tell("step", stage.step, value)
        run.depth -= 1
        kept(inside, given)
        return value

    return change


def _repeat(walker: Walker, action: ir.Repeat, step: ir.Step, trail: tuple[str, ...]) -> Callable[[Frame, Run], Walk]:
    of = walker.closures.of
    times = of(action.times)
    each = inner_steps(walker, action.each, trail)
    until = of(action.until) if action.until else None
    key = of(action.keep[1]) if action.keep else None
    lowest = action.keep is not None and action.keep[0] == "lowest"

    def repeat(given: Frame, run: Run) -> Walk:
        passes: list[Record] = []
        keys: list[int] = []
        inside = dict(given)
        for nth in range(1, times(given) + 1):
            if nth > run.budget.passes:
                raise PlayError(say.budget_spent(step.span, "passes", run.budget.passes))
            inside.update(nth=nth, earlier=tuple(passes))
            run.tell("pass", step, nth)
            run.depth += 1
            yield from walked(each, inside, run)
            run.depth -= 1
            passes.append({one.name: inside[one.name] for one in each})
            if key is not None:
                keys.append(as_number(key(inside)))
            if until is not None and until(inside):
                break
        kept(inside, given)
        if key is None:
            return tuple(passes)
        if not passes:
            return None
        best = (min if lowest else max)(keys)
        return passes[keys.index(best)]

    return repeat


def comparing(walker: Walker, action: ir.Compare) -> Closure:
    lines = []
    for name, ours, theirs, ranks in action.lines:
        order = {word: rank for rank, word in enumerate(ranks)} if ranks else None
        lines.append((name, walker.closures.of(ours), walker.closures.of(theirs), order))
    ties = action.ties

    def compare(given: Frame) -> Record:
        difference = 0
        for _, ours, theirs, order in lines:
            a, b = ours(given), theirs(given)
            difference = order[a] - order[b] if order else a - b
            if difference:
                break
        if difference == 0 and ties:
            difference = 1 if ties == "ours" else -1
        return {"ahead": difference > 0, "behind": difference < 0, "level": difference == 0}

    return compare


def _call(walker: Walker, action: ir.Call, step: ir.Step, trail: tuple[str, ...]) -> Callable[[Frame, Run], Walk]:
    callee = walker.program.mechanics[action.mechanic]
    given_by = {name: walker.closures.of(formula) for name, formula in action.given}
    inputs = [
        (one, given_by.get(one.name), walker.closures.of(one.default) if one.default else None) for one in callee.inputs
    ]
    checks = [bounded(walker.closures, one) for one in callee.inputs]
    place, name = ".".join(trail) + ".", trail[-1]

    def call(given: Frame, run: Run) -> Walk:
        inside = frame(given[".meter"])
        if STATE in given:
            inside[STATE] = given[STATE]
        for (one, passed, default), check in zip(inputs, checks, strict=True):
            value = passed(given) if passed else None
            if value is None and default is not None:
                value = default(inside)
            inside[one.name] = value
            check(value, inside)
        outer, run.prefix = run.prefix, run.prefix + place
        run.tell("call", callee, (name, dict(inside) if STATE in inside else inside))
        run.depth += 1
        record = yield from walker.mechanic(action.mechanic)(inside, run)
        run.depth -= 1
        run.prefix = outer
        if STATE in inside:
            given[STATE] = inside[STATE]
        return bearable(record, step.span)

    return call


def _first_of(walker: Walker, action: ir.FirstOf) -> Callable[[Frame, Run], Walk]:
    of = walker.closures.of
    cases = [(case, of(case.condition) if case.condition else None, of(case.value)) for case in action.cases]

    def first(given: Frame, run: Run) -> Walk:
        for case, holds, value in cases:
            if holds is None or holds(given):
                run.tell("case", case, case.name)
                return value(given)
        return None
        yield  # a walk that asks for nothing is a walk all the same

    return first


def _block(steps: list[Compiled]) -> Callable[[Frame, Run], Walk]:
    def block(given: Frame, run: Run) -> Walk:
        inside = dict(given)
        run.depth += 1
        yield from walked(steps, inside, run)
        run.depth -= 1
        kept(inside, given)
        return bearable({one.name: inside[one.name] for one in steps}, steps[-1].step.span)

    return block


def _end(outcome: str) -> Callable[[Frame, Run], Walk]:
    def end(given: Frame, run: Run) -> Walk:
        raise MechanicEnded(outcome, given)
        yield  # a walk that asks for nothing is a walk all the same

    return end


def inputs_frame(closures: Closures, rule: ir.Mechanic, values: Mapping[str, Any], state: State = EMPTY) -> Frame:
    """The frame that a mechanic starts from: inputs given, defaults for the rest, all within their bounds.

    Raises PlayError for one that is missing or out of bounds.
    """
    made = frame()
    if closures.program.lasts:
        made[STATE] = state
    for one in rule.inputs:
        value = values.get(one.name)
        if value is None and one.default is not None:
            value = closures.of(one.default)(made)
        if value is None and one.required:
            raise PlayError(say.missing_input(one.name, rule.name, one.about or "it has no default"))
        made[one.name] = value
        bounded(closures, one)(value, made)
    return made

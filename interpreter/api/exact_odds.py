"""Exact odds of a query: of a mechanic, of an event or an action in a state, and of a scene."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.given_answers import check_keys, differ_in_turn
from interpreter.api.instance import Instance
from interpreter.api.query import PreparedRule, Query, answers, goals_by_decider, prepare
from interpreter.api.stack_guard import stack_guarded
from interpreter.checker.declarations import value_type
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.choice_keys import question_keys as questions
from interpreter.ir.choice_keys import question_trails
from interpreter.ir.lasting_dice import dice_last, dice_may_outlast_phase
from interpreter.odds import scenes
from interpreter.odds.answer import Law, Odds, Values
from interpreter.odds.brute_force import USUAL_EFFORT, Effort, Path, enumerate_paths
from interpreter.odds.chance_choices import equally_likely_answers, legal_answers
from interpreter.odds.intervals import range_of
from interpreter.odds.meter import Meter, WorkLimits
from interpreter.odds.phases import PhaseLaws
from interpreter.odds.projection import Goal, check_name, outcomes_counting_as, reading_of, value_at
from interpreter.odds.query_cache import ENOUGH, QueryCache
from interpreter.odds.starting_states import StartingState, best_law, find_starting_states
from interpreter.play.actions import begin_action
from interpreter.play.deciders import RANDOM, Answers, drive
from interpreter.play.requests import Choice
from interpreter.play.run import MechanicEnded, Run, SilentRun, Walk, keep_outside
from interpreter.play.steps import inputs_frame
from interpreter.runtime.rng import SeededDice
from interpreter.runtime.state import STATE, State

if TYPE_CHECKING:
    from interpreter.simulation.chunks import Progress

Decide = Callable[[Choice], list[tuple[Any, int]]]
"""The answers to a choice as a law: each answer with its weight."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a question may take, and what is done where it takes more.

    `limits` are those of each law, if they are not the usual ones. With `within`, a question that exceeds them is not
    refused: its likeliest runs are followed until no more than `within` is missing, or as far as the limits allow.
    `told` is called now and then with how much is done and how much there may be; what it raises ends the question.
    """

    limits: WorkLimits | None = None
    within: Fraction | None = None
    told: Progress | None = None


USUAL = Allowance()


def _spending_at(rule: ir.Mechanic, law: Callable[..., Law]) -> Callable[..., Law]:
    """The same law; where it takes more than it may, the rule is the place of that."""

    def law_within_budget(*given: Any, **named: Any) -> Law:
        with say.spending_at(rule.span):
            return law(*given, **named)

    return law_within_budget


@dataclass(frozen=True, slots=True)
class _Asked:
    """A query whose odds are asked, with the rule made ready; `known` are the names of its record with their words.

    `composite` are those of them whose values have parts.
    """

    query: Query
    prepared: PreparedRule
    known: Mapping[str, tuple[Any, ...]]
    composite: frozenset[str]
    allowance: Allowance

    @property
    def instance(self) -> Instance:
        return self.query.instance

    @property
    def rule(self) -> ir.Mechanic:
        return self.prepared.rule

    @property
    def state(self) -> State | None:
        return self.prepared.frame.get(STATE)

    @property
    def by_chance(self) -> bool:
        """Whether the policy leaves choices to chance."""
        return self.query.policy == RANDOM

    @property
    def named_policy(self) -> str | None:
        """The name of the policy of the ruleset that answers choices, if one does."""
        policy = self.query.policy
        return policy if isinstance(policy, str) and policy != RANDOM else None

    def answers(self) -> Answers:
        """The answers of a run; without those of chance, which are many."""
        return answers(replace(self.query, policy=None) if self.by_chance else self.query, self.prepared)

    def left(self, names: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """The names that read the state after the run. Raises PlayError for a name that means nothing."""
        return self.instance.names_of_state(self.query.rule, self.state, names)

    def read_left(self, names: Iterable[str]) -> dict[str, Callable[[State], Any]]:
        """For each of some names that read the state after the run, the function that reads it."""
        readers = {name: self.instance.reader_of_name(self.state, name) for name in names}
        return {name: lambda state, read=read: read({}, {STATE: state}) for name, read in readers.items()}  # type: ignore[misc]

    def odds(self, law: Callable[..., Law], farthest: Callable[..., Law] | None = None) -> Odds:
        """Odds that compute the law of names when they are asked for."""
        shown = {one.name: self.prepared.frame.get(one.name) for one in self.rule.inputs}
        name = self.instance.program.name
        return Odds(
            name,
            self.query.rule,
            shown,
            self.known,
            stack_guarded(_spending_at(self.rule, law)),
            ask_farthest=farthest,
            composite=self.composite,
            range_of=self._range_of,
            again=(exact_odds, (self.query, replace(self.allowance, told=None))),
        )

    def _range_of(self, name: str) -> tuple[int, int]:
        kind = t.without_maybe(self.instance.type_of(self.query.rule))
        for part in name.split("."):
            kind = t.without_maybe((kind.field(part) if isinstance(kind, t.Record) else None) or t.ANYTHING)
        return range_of(kind)


def exact_odds(query: Query, allowance: Allowance = USUAL) -> Odds:
    """The exact odds of a query; they are computed when names are asked for.

    Raises PlayError where the rule cannot be played from these inputs, or the goal is none.
    """
    prepared = prepare(query)
    fields = query.instance.type_of(query.rule).fields
    known = {name: kind.words if isinstance(kind := t.without_maybe(of), t.Word) else () for name, of in fields}
    composite = frozenset([name for name, of in fields if t.is_composite(of)])
    asked = _Asked(query, prepared, known, composite, allowance)
    check_keys(asked.instance.program, prepared.rule, query.choices, query.inputs)
    if prepared.rule.path.startswith("scenes."):
        return _scene_odds(asked, allowance.told)
    goals = _goals(asked)
    if asked.by_chance:  # which answers every choice, so that none is left for a goal
        goals = ()
    given = asked.answers()
    if differ_in_turn(asked.instance.program, prepared.rule, query.choices):
        if asked.by_chance:
            raise PlayError(say.random_with_lists())
        return _odds_by_enumeration(asked, goals)
    return _followed_odds(asked, goals, given)


def _goals(asked: _Asked) -> tuple[Goal, ...]:
    """What open choices are decided for, and by whom: outcomes, or else values."""
    best, worst = goals_by_decider(asked.query.best), goals_by_decider(asked.query.worst)
    everybody = "" in best or "" in worst
    if best and worst and (everybody or best.keys() & worst.keys()):
        whose = "" if everybody else next(iter(best.keys() & worst.keys()))
        raise PlayError(say.best_and_worst(_goal_of(best, whose), _goal_of(worst, whose)))
    return tuple(
        [
            replace(_goal(asked, name, whose, least), rank=rank)
            for least, by_decider in ((False, best), (True, worst))
            for whose, names in by_decider.items()
            for rank, name in enumerate(_each_once(names))
        ]
    )


def _each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    """Goals in the order of preference. Raises PlayError for one that stands there twice."""
    for place, name in enumerate(names):
        if name in names[:place]:
            raise PlayError(say.preferred_already(say.NOWHERE, name))
    return names


def _goal_of(named: Mapping[str, tuple[str, ...]], whose: str) -> str:
    return ", ".join(named[whose] if whose in named else next(iter(named.values())))


def _goal(asked: _Asked, name: str, whose: str, least: bool) -> Goal:
    """One goal: an outcome, or else a value."""
    rule, known = asked.rule, asked.known
    if whose:
        _check_decider(asked, whose)
    reading = reading_of(rule, name)
    if reading is not None:
        return Goal(*reading, least, outcomes_counting_as(rule, *reading), whose)
    if name.partition(".")[0] not in known or name == "outcome":
        raise PlayError(say.no_odds_of(name, {**dict.fromkeys(known.get("outcome", ())), **known}))
    kind = check_name(asked.instance.type_of(rule.path), name)
    if isinstance(kind, t.Roll) and not kind.single:
        raise PlayError(say.dice_are_no_number(name))
    return Goal(name, None, least, (), whose)


def _check_decider(asked: _Asked, whose: str) -> None:
    """Raises PlayError if nobody of this name decides anything in a rule: no role, no thing, and no step."""
    program, frame = asked.instance.program, asked.prepared.frame
    things = frame[STATE].things if STATE in frame else {}
    ways = [[one.name for one in way] for way, _ in questions(program, asked.rule)]
    steps = dict.fromkeys(name for way in ways for name in way)
    if whose not in (*program.roles, *things) and not any(f".{whose}." in f".{'.'.join(way)}." for way in ways):
        raise PlayError(say.decides_nowhere(whose, asked.rule.name, [*program.roles, *things, *steps]))


# Mechanics, events and actions, by the engine ----------------------------------------------------------------------


def _followed_odds(asked: _Asked, goals: tuple[Goal, ...], given: Answers) -> Odds:
    """The odds that the engine computes, for answers that are the same each time a choice is asked."""
    starts: Sequence[StartingState] = ()
    chance_before = False
    if goals and asked.rule.path.startswith("actions."):
        starts = _action_starts(asked, given)
        if len(starts) > 1 and goals[0].whose:
            raise PlayError(say.decided_before_an_action(asked.rule.name))
        rule, start, prefix = replace(asked.rule, requires=()), starts[0].frame, ""
    else:
        try:
            rule, start, prefix = _engine_start(asked, given)
            chance_before = asked.by_chance and bool(given.asked)  # choices that an action asks first
        except PlayError:
            if not (asked.by_chance and asked.rule.path.startswith("actions.")):
                raise
            rule, start, prefix, chance_before = asked.rule, asked.prepared.frame, "", True
    if prefix:
        goals = tuple([replace(goal, name=f"{prefix}{goal.name}") for goal in goals])
    cache, within = _query_cache(asked, given, goals), asked.allowance.within
    usual: dict[str, Any] = {} if within is None else {"enough": max(within, ENOUGH), "partly": True}

    def law(names: tuple[str, ...], **how: Any) -> Law:
        left = asked.left(names)
        if left and goals:
            raise PlayError(say.left_with_best(names, goals[0].name.removeprefix(prefix)))
        if chance_before or (left and dice_last(asked.instance.program)):
            return _law_by_paths(asked, names, _decide(asked, given))
        cache.meter.report = asked.allowance.told  # odds that were asked since may share the cache
        try:
            if len(starts) > 1:
                return best_law(starts, goals, lambda at, of: cache.law(rule, at, of, **usual | how), names)
            wanted = tuple([name if name in left else f"{prefix}{name}" for name in names])
            found = cache.law(rule, start, wanted, left=asked.read_left(left), **usual | how)
            if not prefix:
                return found
            advice = tuple([replace(one, path=one.path.removeprefix(prefix)) for one in found.strategy])
            return replace(found, strategy=advice)
        except PlayError as error:
            if error.diagnostic.code == say.NOTHING_FOLLOWED and not asked.by_chance:
                _play_once(asked)
            if error.diagnostic.code == say.TOO_MUCH and goals:
                raise PlayError(say.too_many_choices(error.diagnostic)) from None
            if error.diagnostic.code in say.TOO_LARGE and not goals:
                raise PlayError(say.with_more_time(error.diagnostic, cache.meter.waited, within is not None)) from None
            raise

    farthest = stack_guarded(partial(law, enough=Fraction(0))) if not goals else None
    return asked.odds(law, farthest)


def _action_starts(asked: _Asked, given: Answers) -> Sequence[StartingState]:
    """Every way to begin an action whose first choices are decided for a goal."""

    def open_answers(choice: Choice) -> list[Any]:
        before = given.answer_beforehand(choice)
        return [answer for answer, _ in before] if before is not None else legal_answers(choice)

    begin = partial(begin_action, asked.instance.walker, asked.instance.program.actions[asked.rule.name])
    try:
        return find_starting_states(lambda at: begin(at, Run()), asked.prepared.fresh_frame, open_answers)
    except MechanicEnded:  # a step that follows when points run out ends it
        raise PlayError(say.ended_by_its_price(asked.rule.name)) from None


def _engine_start(asked: _Asked, given: Answers) -> tuple[ir.Mechanic, dict[str, Any], str]:
    """The rule whose steps the engine follows, the frame that it starts from, and the prefix of its names there.

    An action is begun: its costs are paid before any dice are thrown. An event becomes a mechanic that causes it, so
    that reactions answer it.
    """
    rule, start = asked.rule, asked.prepared.frame
    if rule.path.startswith("actions."):
        start = dict(start)
        action, rule = asked.instance.program.actions[rule.name], replace(rule, requires=())
        try:
            drive(begin_action(asked.instance.walker, action, start, Run()), _NoDice(), given)
        except MechanicEnded as end:  # a step that follows when points run out ends it
            keep_outside(end.frame, start)
            ends = ir.Step(".paid", ir.End(str(end)), t.ANYTHING, f"{rule.path}.cost", rule.span)
            rule = replace(rule, steps=(ends, *rule.steps), path=f"{rule.path}.cost")
        return rule, start, ""
    if rule.path.startswith("events."):
        return _mechanic_that_causes(rule, asked.instance.type_of(rule.path)), start, "it."
    return rule, start, ""


class _NoDice:
    """The dice before the steps of an action, where none may be thrown."""

    def throw(self, dice: Sequence[Any]) -> list[Any]:
        raise PlayError(say.too_much_to_lay_out(len(dice), 0))


def _mechanic_that_causes(event: ir.Mechanic, kind: t.Record) -> ir.Mechanic:
    """A mechanic with the inputs of an event whose only step, `it`, causes the event."""
    given = []
    for one in event.inputs:
        body = ir.Local(one.name, value_type(one), one.span)
        given.append((one.name, ir.Formula(body, body.type, one.span)))
    step = ir.Step("it", ir.Cause(event.name, tuple(given)), kind, f"{event.path}.it", event.span)
    of = t.Record(event.name, (("it", kind),))
    return replace(event, steps=(step,), outcomes=None, also=(), requires=(), type=of, path=f"{event.path} caused")


def _query_cache(asked: _Asked, given: Answers, goals: tuple[Goal, ...]) -> QueryCache:
    """The laws that were computed under these answers; kept for later queries where only the ruleset answers."""
    policy, instance = asked.query.policy, asked.instance
    decide = _decide(asked, given)
    beforehand = decide if asked.by_chance else given.answer_beforehand
    named, meter = asked.named_policy, Meter(asked.allowance.limits, asked.allowance.told)
    made = partial(QueryCache, instance.closures, named, decide, goals, beforehand, meter=meter)
    if asked.query.choices or not (policy is None or isinstance(policy, str)):
        return made()
    key = (policy, goals, asked.allowance.limits)
    if key not in instance.odds_caches:
        instance.odds_caches[key] = made()
    return instance.odds_caches[key]


def _decide(asked: _Asked, given: Answers) -> Decide:
    """The answers to a choice: all legal ones where it is left to chance and has no given answer."""
    if not asked.by_chance:
        return given.answer_always
    return lambda choice: given.answer_beforehand(choice) or equally_likely_answers(choice)


def _play_once(asked: _Asked) -> None:
    """Play once what cannot be followed: raises PlayError where play itself does not end."""
    prepared = asked.prepared
    drive(prepared.walk(prepared.fresh_frame(), SilentRun()), SeededDice(0), answers(asked.query, prepared))


# By paths: scenes, states after a run, and answers that differ each time -------------------------------------------


def _scene_odds(asked: _Asked, progress: Progress | None) -> Odds:
    """The odds of a scene, followed phase by phase; names may read the state after it."""
    state = asked.prepared.frame[STATE]
    for named in (asked.query.best, asked.query.worst):
        for goals in goals_by_decider(named).values():
            raise PlayError(say.no_best_in_a_scene("highest or lowest", ", ".join(goals)))
    if differ_in_turn(asked.instance.program, asked.rule, asked.query.choices):
        raise PlayError(say.best_with_lists(asked.rule.name))
    decide = _decide(asked, asked.answers())
    asked = replace(asked, query=replace(asked.query, rule=asked.rule.path))
    phases = _phases_of(asked, decide)

    of_ends: list[Law] = []

    def law(names: tuple[str, ...]) -> Law:
        asked.left(names)
        if names not in (("outcome",), ("rounds",)):
            return _law_by_paths(asked, names, decide, progress, phases, "outcome" in names)
        if not of_ends:  # whoever asks for one of them mostly asks for the other, too
            of_ends.append(_law_by_paths(asked, ("outcome", "rounds"), decide, progress, phases, False))
        return _law_of_rounds(of_ends[0]) if names == ("rounds",) else _law_of_outcome(asked, of_ends[0])

    things = {name: () for name in state.things if "." not in name}  # before the outcome, which is shown first
    return replace(asked, known={**things, **asked.known}).odds(law)


def _law_of_rounds(of_ends: Law) -> Law:
    """The law of the rounds of a scene from that of its outcome and its rounds."""
    ways: dict[Values, int | Fraction] = {}
    for (_, rounds), many in of_ends.ways.items():
        ways[rounds,] = ways.get((rounds,), 0) + many
    return replace(of_ends, ways=ways)


def _law_of_outcome(asked: _Asked, of_ends: Law) -> Law:
    """The same of the outcome: runs that a guard stops have none, and are missing. Raises PlayError if all are."""
    has_outcomes = bool(asked.instance.program.scenes[asked.rule.name].outcomes)
    ways: dict[Values, int | Fraction] = {}
    for (outcome, _), many in of_ends.ways.items():
        if outcome is not None or not has_outcomes:
            ways[outcome,] = ways.get((outcome,), 0) + many
    if not ways:
        raise _never_ends(asked)
    return replace(of_ends, ways=ways)


def _never_ends(asked: _Asked) -> PlayError:
    """The error that a guard stops every run of a scene, with its policies where nobody acts."""
    query, program = asked.query, asked.instance.program
    nobody_acts = query.policy is None and not query.choices and question_trails(program, asked.rule)
    return PlayError(say.always_stopped(asked.rule.name, program.policies if nobody_acts else None))


def _law_by_paths(
    asked: _Asked,
    names: tuple[str, ...],
    decide: Decide,
    progress: Progress | None = None,
    phases: PhaseLaws | None = None,
    of_outcome: bool = False,
) -> Law:
    """The law of names of which some read the state after the run, by following every path of a rule.

    With `of_outcome`, runs that a guard stops are missing.
    """
    instance, rule, start = asked.instance, asked.rule, dict(asked.prepared.frame)
    readings = [instance.reader_of_name(asked.state, name) for name in names]
    walk = instance.walk(rule.path)
    within, limits = asked.allowance.within, asked.allowance.limits
    budget = scenes.PathBudget(report=progress) if limits is None else scenes.PathBudget.for_work(limits.work, progress)
    if not rule.path.startswith("scenes."):
        budget.most_steps = min(budget.most_steps, scenes.MOST_STEPS)
        return scenes.law_of_scene(None, walk, start, decide, readings, budget=budget)
    scene = instance.program.scenes[rule.name]
    law = partial(
        scenes.law_of_scene, scene, walk, start, decide, readings, of_outcome, names, instance.program,
        budget=budget, within=within,
    )  # fmt: skip
    try:
        if phases is None or _dice_may_outlast_phase(asked, names):
            return law()
        phases.begin()
        return _better_scene_law(law, phases)
    except PlayError as error:
        if error.diagnostic.code == say.ALWAYS_STOPPED:
            raise _never_ends(asked) from None
        raise


def _dice_may_outlast_phase(asked: _Asked, names: tuple[str, ...]) -> bool:
    scene = asked.instance.program.scenes[asked.rule.name]
    return dice_may_outlast_phase(asked.instance.program, scene, scenes.names_read_of_frame(scene, names))


def _phases_of(asked: _Asked, decide: Decide) -> PhaseLaws | None:
    """What follows the phases of a scene, if anything does."""
    instance, scene, limits = asked.instance, asked.instance.program.scenes[asked.rule.name], asked.allowance.limits
    if _dice_may_outlast_phase(asked, ()):
        return None
    if asked.allowance.within is not None:
        limits = WorkLimits(work=limits.work if limits is not None else scenes.MOST_STEPS * scenes.WORK_OF_STEP)
    return PhaseLaws(instance.closures, scene, asked.named_policy, decide, limits)


def _better_scene_law(law: Callable[..., Law], phases: PhaseLaws) -> Law:
    """The law of a scene with the laws of its phases; where these exceed their limits, the better of that and the law
    with enumerated phases."""
    in_part = None
    try:
        in_part = law(phases=phases)
        if not phases.exceeded:
            return in_part
    except PlayError as error:
        if error.diagnostic.code not in say.TOO_LARGE:
            raise
    try:
        enumerated = law()
    except PlayError:
        if in_part is None:
            raise
        return in_part
    return enumerated if in_part is None or enumerated.missing < in_part.missing else in_part


def _odds_by_enumeration(asked: _Asked, goals: tuple[Goal, ...]) -> Odds:
    """The odds where an answer may differ each time a choice is asked: by plain enumeration of the dice."""
    query, prepared = asked.query, asked.prepared
    if goals:
        raise PlayError(say.best_with_lists(goals[0].value or goals[0].name))

    def law(names: tuple[str, ...]) -> Law:
        if asked.left(names):
            raise PlayError(say.left_with_lists(names))
        weights: dict[Any, Fraction] = {}
        for weight, record in paths(prepared, lambda: answers(query, prepared)):
            if record is not None:
                key = tuple(value_at(record, name) for name in names)
                weights[key] = weights.get(key, Fraction(0)) + weight
        return Law(weights)

    return asked.odds(law)


def paths(prepared: PreparedRule, fresh_answers: Callable[[], Answers], effort: Effort = USUAL_EFFORT) -> list[Path]:
    """Every path of a prepared rule with its weight and its record, by plain enumeration of the dice."""
    current = fresh_answers()

    def start() -> tuple[Walk, Run]:
        nonlocal current
        current = fresh_answers()
        run = SilentRun()
        return prepared.walk(prepared.fresh_frame(), run), run

    return list(enumerate_paths(start, lambda choice: current.decide(choice), effort))


def paths_of(
    instance: Instance,
    mechanic: str,
    values: Mapping[str, Any],
    fresh_answers: Callable[[], Answers],
    effort: Effort = USUAL_EFFORT,
) -> list[Path]:
    """Every path of a mechanic from the values of its inputs."""
    rule, reader = instance.rule(mechanic), instance.reader()
    start = inputs_frame(instance.closures, rule, values, reader.state)
    return paths(PreparedRule(rule, reader, start, instance.walk(mechanic)), fresh_answers, effort)

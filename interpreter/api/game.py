"""A loaded game: what a host asks, plays and replays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import count
from math import prod
from typing import TYPE_CHECKING, Any

from interpreter import bundled
from interpreter import diagnostics as say
from interpreter.api import arguments, pickles, single_run
from interpreter.api.forms import ActionRule, EventRule, Forms, Kind, Option, PolicyRule, Rule, SceneRule, Table
from interpreter.api.instance import Held, Instance
from interpreter.api.query import CHANCE_DICE, Goals, Query
from interpreter.api.result import Result
from interpreter.api.stack_guard import stack_guarded
from interpreter.api.state_json import to_saved
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.play.deciders import Policy
from interpreter.play.scenes import ScenePart
from interpreter.report.trace import Trace
from interpreter.runtime.evaluator import new_frame
from interpreter.runtime.objects import current_limits
from interpreter.runtime.rng import FaceSource, Seed, fresh_number, number_of
from interpreter.runtime.state import STATE, State
from interpreter.runtime.summaries import things_taking_part
from interpreter.saves.plan import Wishes
from interpreter.shown_text import in_json
from interpreter.values import Thing

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from interpreter.api.adopt import Adopted
    from interpreter.api.session import Session
    from interpreter.odds.answer import Odds
    from interpreter.odds.sweep import Sweep
    from interpreter.play.available_actions import Possible
    from interpreter.simulation.answer import Simulated
    from interpreter.simulation.chunks import Progress

Choices = Mapping[str, Any] | None
Inputs = Mapping[str, Any] | None
By = str | Policy | None
"""Who answers: a policy of the ruleset by name, or a function."""

USUAL_RUNS = 1_000_000


class Game(Instance):
    """A ruleset under chosen options. It never changes, and may be used from several threads."""

    # What there is ----------------------------------------------------------------------------------------------

    def __dir__(self) -> list[str]:
        """What a host uses; all else is for the rest of the package, and may change."""
        return [*FOR_HOSTS, *(name for name in object.__dir__(self) if name.startswith("__"))]

    def _repr_html_(self) -> str:
        """What it can play, for notebooks."""
        from interpreter.api.displays import game_html

        return game_html(self)

    @cached_property
    def _forms(self) -> Forms:
        return Forms(self.closures, self.world)

    @cached_property
    def mechanics(self) -> Mapping[str, Rule]:
        """Every mechanic with its inputs: type, bounds, default, meaning."""
        return self._forms.mechanics()

    @cached_property
    def actions(self) -> Mapping[str, ActionRule]:
        """Every action with its inputs, the kind of things that may take it, and what it takes."""
        return self._forms.actions()

    @cached_property
    def events(self) -> Mapping[str, EventRule]:
        """Every event with its inputs."""
        return self._forms.events()

    @cached_property
    def scenes(self) -> Mapping[str, SceneRule]:
        """Every scene with its inputs, its phases and its outcomes."""
        return self._forms.scenes()

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Every kind of things with its attributes."""
        return self._forms.kinds()

    @cached_property
    def options(self) -> Mapping[str, Option]:
        """Every option with what it may be, and with the `value` that it has in this game."""
        return self._forms.options(self.option_values)

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """Every table with its rows."""
        return self._forms.tables()

    @cached_property
    def policies(self) -> Mapping[str, PolicyRule]:
        """Every policy with its answers."""
        return self._forms.policies()

    @arguments.with_checked_arguments
    def schema(self, name: str, /) -> dict[str, Any]:
        """The JSON Schema, of the draft 2020-12, of what a host gives as plain data, for makers of forms.

        `name` is that of a rule, such as `actions.ram`, for its inputs, and for an action also its `actor`; that of a
        kind, such as `kinds.ship`, for a thing; or `options`. Raises PlayError where there is nothing of that name.
        """
        from interpreter.api import json_schema

        section, _, last = name.rpartition(".")
        if section == "kinds":
            if last not in self.kinds:
                raise PlayError(say.unknown_of(say.NOWHERE, "kind", last, self.kinds))
            return json_schema.schema_of_kind(self.program, self.kinds, last)
        if name == "options":
            return json_schema.schema_of_options(self.program, self.options)
        section, rule = self.find_rule(name)
        shown: Mapping[str, Mapping[str, Rule]] = {
            "mechanics": self.mechanics, "actions": self.actions, "events": self.events, "scenes": self.scenes,
        }  # fmt: skip
        actor = self.actions[rule.name].actor if section == "actions" else ""
        return json_schema.schema_of_rule(self.program, self.kinds, rule, shown[section][rule.name].inputs, actor)

    @arguments.with_checked_arguments
    def bounds(self, state: Held, thing: str, name: str, word: str | None = None) -> tuple[int | None, int | None]:
        """The lowest and the highest that a number of a thing may be in a state now; None is no bound.

        Of a number with a value for each of some words, `word` says which. Raises PlayError where there is no such
        thing, or no such number of it.
        """
        state = self.state_from(state)
        if thing not in state.things:
            raise PlayError(say.no_such_thing(say.NOWHERE, thing, state.things))
        owner = state.thing(thing)
        has = {one.name: one for one in self.program.kinds[owner.kind].has.values() if one.is_number}
        if name not in has:
            raise PlayError(say.unknown_field(say.NOWHERE, f"`{owner.kind}`", name, has))
        per = has[name].per
        if per is not None and word not in per.words:
            raise PlayError(say.unknown_word(say.NOWHERE, word or "none", per.name, per.words))
        if per is None and word is not None:
            raise PlayError(say.no_value_per_word(name, word))
        return current_limits(self.closures, owner, has[name], {**new_frame(), STATE: state}, state, word)

    # Playing ----------------------------------------------------------------------------------------------------

    @stack_guarded
    @arguments.with_checked_arguments
    def roll(
        self, mechanic: str, /, *, seed: Seed | None = None, faces: Sequence[Any] | None = None,
        choices: Choices = None, policy: By = None, ask: Policy | None = None, source: FaceSource | None = None,
        state: Held | None = None, ends: str | None = None, inputs: Inputs = None, **given: Any,
    ) -> Result:  # fmt: skip
        """Play a mechanic once.

        Inputs are given by name, as the author would write them (`own="d10 & d4"`), as plain data, or as values of
        another result; `inputs` takes those whose names are words of this call. Faces come by chance from `seed`
        (a fresh one without it), or from `faces`, which must be exactly those needed. Choices are answered by
        `choices`, then `policy` (a name of the ruleset, or a function), then `ask`, then their default. Inputs may name
        the things of `state`; the result has the state after the run, and after the end of a `turn`, `round`, `scene`
        or the `game` if `ends` names one. Raises PlayError with one diagnostic where it cannot be played.
        """
        query = Query(self, mechanic, {**(inputs or {}), **given}, state, choices, policy, ask, ends=ends)
        return single_run.run_once(query, seed, faces, source)

    @stack_guarded
    @arguments.with_checked_arguments
    def play(
        self, scene: str, /, *, phase: str | None = None, rounds: int | None = None, state: Held | None = None,
        seed: Seed | None = None, faces: Sequence[Any] | None = None, choices: Choices = None, policy: By = None,
        ask: Policy | None = None, source: FaceSource | None = None, ends: str | None = None, inputs: Inputs = None,
        **given: Any,
    ) -> Result:  # fmt: skip
        """Play a scene to its end, or `rounds` rounds of it, or one `phase` of a round; all else is as for `roll`.

        A scene that is stopped before its end is under way in the state of the result.
        """
        name, part = f"scenes.{scene.removeprefix('scenes.')}", ScenePart(phase, rounds)
        query = Query(self, name, {**(inputs or {}), **given}, state, choices, policy, ask, part, ends)
        return single_run.run_once(query, seed, faces, source)

    @arguments.with_checked_arguments
    def act(self, state: Held, action: str, /, *, actor: Any, **given: Any) -> Result:
        """An action of an actor. The result has the new state; the old one is unchanged.

        `actor` is the name of a thing; all else is as for `roll`. Raises PlayError where the action is refused: it is
        not possible now, not allowed for this target, costs too much, or was done as often as it may be.
        """
        return self.roll(f"actions.{action.removeprefix('actions.')}", state=state, actor=actor, **given)

    @arguments.with_checked_arguments
    def cause(self, state: Held, event: str, /, **given: Any) -> Result:
        """An event, with all its reactions; as for `act`."""
        return self.roll(f"events.{event.removeprefix('events.')}", state=state, **given)

    @stack_guarded
    @arguments.with_checked_arguments
    def replay(self, result: Result | str | Mapping[str, Any]) -> Result:
        """Play a result again from its inputs, faces and choices.

        Where its rules have changed, its `adopted` says how. Raises PlayError where it comes out differently.
        """
        from interpreter.api.replay import replay

        return replay(self, result)

    @stack_guarded
    @arguments.with_checked_arguments
    def begin(
        self, rule: str, /, *, state: Held | None = None, players: Mapping[str, Sequence[str] | str] | None = None,
        seed: Seed | None = None, words: str = "", dice: str = CHANCE_DICE, policy: By = None, inputs: Inputs = None,
        **given: Any,
    ) -> Session:  # fmt: skip
        """Begin a scene, or any rule by its path, and stop at the first question.

        `players` maps each player to the things and roles that the player answers for; `policy` answers for the rest,
        or else the host does. Dice fall by chance, from `seed` (a fresh one without it), or, with `dice="table"`, the
        session asks for their faces. From a fresh seed, they follow from `words`, too: what players have said after its
        `commitments` were told. Inputs are as for `roll`. Raises PlayError where it cannot be begun.
        """
        from interpreter.api.begin_session import begin

        name = f"scenes.{rule}" if rule in self.program.scenes else rule
        if not self.has(name):
            rules = [one.path for rules in self.program.playable.values() for one in rules.values()]
            others = [path for path in rules if not path.startswith("scenes.")]
            raise PlayError(say.nothing_to_begin(rule, self.program.scenes, others, rule in bundled.scenes()))
        query = Query(self, name, {**(inputs or {}), **given}, state, policy=policy)
        return begin(self, query, players, seed, dice, words)

    @stack_guarded
    @arguments.with_checked_arguments
    def resume(self, session: str | Mapping[str, Any], *, policy: By = None) -> Session:
        """Continue a session that `Session.to_json` or `to_data` has saved, in this process or another.

        A `policy` that is a function has to be given again. A session whose rules have changed is taken up as `adopt`
        does without decisions; its `adopted` says what has changed. Raises PlayError for what is no session or
        contradicts itself, or where something must be decided first.
        """
        from interpreter.api.resume_session import resume

        return resume(self, session, policy)

    @stack_guarded
    @arguments.with_checked_arguments
    def adopt(
        self,
        save: str | Mapping[str, Any],
        *,
        renamed: Mapping[str, str] | None = None,
        values: Mapping[str, Any] | None = None,
        proposals: bool = False,
    ) -> Adopted:
        """Take up a saved state, session or result, as JSON text or data, under the rules of this game.

        No value is lost or changed without a decision: what the rules no longer hold is kept aside. `renamed` has new
        names by old ones (`{"ship.sail": "canvas"}`), `values` are values by place (`{"ann.flag": 2}`), and
        `proposals` takes the nearest bound or the initial value wherever something is open. Raises PlayError for what
        is no save, or of a later form.
        """
        from interpreter.api.adopt import adopt

        return adopt(self, save, Wishes(renamed or {}, values or {}, proposals))

    # States -----------------------------------------------------------------------------------------------------

    def to_data(self, state: Held, *, with_rules: bool = False) -> dict[str, Any]:
        """A state as plain data, which carry the rules if `with_rules`; `schemas/state.json` describes it."""
        text = self.ruleset_text if with_rules else None
        return to_saved(self.program, self.own_options, self.state_from(state), text)

    def to_json(self, state: Held, *, with_rules: bool = False) -> str:
        """The same as JSON text, which `state` reads, and `load_kept` if it carries its rules."""
        return in_json(self.to_data(state, with_rules=with_rules))

    @stack_guarded
    def problems(self, state: Held) -> tuple[Diagnostic, ...]:
        """What keeps a state from being one of this game: a value that does not fit, or else every requirement of their
        kinds that its things do not meet.

        What is in play may come to break a requirement, and so may a saved state, which is read all the same.
        """
        try:
            return tuple(self.unmet_requirements(self.state_from(state), {}))
        except PlayError as error:
            return tuple(error.diagnostics)

    @stack_guarded
    @arguments.with_checked_arguments
    def look(self, state: Held, text: str) -> Any:
        """The value of an expression about a state, such as `ada.luck` or `count(bo.injuries)`."""
        return self.evaluate_with_type(state, text)[1]

    @arguments.with_checked_arguments
    def ends(
        self, state: Held, span: str, who: str | None = None, *, faces: Sequence[Any] | None = None,
        seed: Seed | None = None, choices: Choices = None, policy: By = None, ask: Policy | None = None,
    ) -> State:  # fmt: skip
        """The state when a `turn` (of `who`, or of all), a `round`, a `scene` or the `game` has ended.

        The event of the language, such as `round_ends`, and events that were put off until then happen first; their
        dice and choices are answered as those of `roll`.
        """
        return self.ending(state, span, who, faces=faces, seed=seed, choices=choices, policy=policy, ask=ask)[0]

    @stack_guarded
    @arguments.with_checked_arguments
    def ending(
        self, state: Held, span: str, who: str | None = None, *, faces: Sequence[Any] | None = None,
        seed: Seed | None = None, choices: Choices = None, policy: By = None, ask: Policy | None = None,
    ) -> tuple[State, Trace]:  # fmt: skip
        """The same as `ends`, with the trace of the events that this causes."""
        return single_run.state_after(self, state, span, who, faces, seed, (choices, policy, ask))

    @stack_guarded
    @arguments.with_checked_arguments
    def possible(self, state: Held, actor: str) -> tuple[Possible, ...]:
        """Every action that an actor can take now, with the values that each input may have."""
        from interpreter.play.available_actions import possible

        state = self.state_from(state)
        return possible(self.walker, state, self._actor(state, actor))

    def taking_part(self, state: Held) -> frozenset[str]:
        """The names of the things that take part in the scene under way, with those of which there is only one; of all
        things outside of a scene."""
        state, kinds = self.state_from(state), self.program.kinds
        only = {name for name, held in state.things.items() if kinds[held.kind].one}
        there = things_taking_part(state)
        return there | only if there else frozenset(state.things)

    @arguments.with_checked_arguments
    def all_possible(self, state: Held, actors: Collection[str] | None = None) -> Mapping[str, tuple[Possible, ...]]:
        """Every action that each of some actors can take now; without `actors`, of the things that take part. Actors
        that can do nothing are left out."""
        state = self.state_from(state)
        names = [name for name in state.things if name in self.taking_part(state)] if actors is None else actors
        found = {name: self.possible(state, name) for name in names}
        return {name: actions for name, actions in found.items() if actions}

    @arguments.with_checked_arguments
    def why_not(self, state: Held, actor: str, action: str) -> Diagnostic | None:
        """Why an actor cannot take an action now, whatever its inputs; None if it can, or if that cannot be told."""
        from interpreter.play.available_actions import why_not

        state = self.state_from(state)
        if action not in self.program.actions:
            raise PlayError(say.unknown_of(say.NOWHERE, "action", action, self.program.actions))
        return why_not(self.walker, state, self._actor(state, actor), action)

    def _actor(self, state: State, name: str) -> Thing:
        """The thing of a name that acts. Raises PlayError if there is none."""
        if arguments.text("actor", name) not in state.things:
            raise PlayError(say.no_such_thing(say.NOWHERE, name, state.things))
        return state.thing(name)

    # Odds -------------------------------------------------------------------------------------------------------

    @stack_guarded
    @arguments.with_checked_arguments
    def odds(
        self, mechanic: str, /, *, choices: Choices = None, policy: By = None, best: Goals | None = None,
        worst: Goals | None = None, seconds: float | None = None, within: Fraction | float | None = None,
        progress: Progress | None = None, state: Held | None = None, inputs: Inputs = None, **given: Any,
    ) -> Odds:  # fmt: skip
        """The exact odds of a mechanic with these inputs, or of an event or an action in this state, or of a scene.

        Inputs, `choices` and `policy` are as for `roll`; the policy `random` answers every choice by chance, all
        answers with the same probability. With `best`, open choices are decided for the highest chance of an outcome,
        or the highest mean of a value; with `worst` for the lowest. Either may hold such names by who decides (a role,
        a thing, or a step that asks or leads to a choice): `best={"ours": "ahead", "theirs": "behind"}`.
        `seconds` is the time that each law may take on a small machine, 5 if nothing is said; it is counted in work, so
        the answer is the same on every machine. A law that takes more is refused with PlayError. With `within`, its
        likeliest runs are followed instead, until no more than that is missing or as far as the time allows; `missing`
        and `bounds` of the odds say how far that is, and a law of which more than half is missing is refused.
        `progress` is called now and then with the work done and allowed, for a scene with the number of paths followed
        so far and of those known; what it raises ends the question. Raises PlayError where an input does not fit.
        """
        from interpreter.api.exact_odds import Allowance, exact_odds
        from interpreter.odds.meter import limits_of

        limits = None if seconds is None else limits_of(seconds)
        allowance = Allowance(limits, None if within is None else Fraction(within), progress)
        query = Query(self, mechanic, {**(inputs or {}), **given}, state, choices, policy, best=best, worst=worst)
        return exact_odds(query, allowance)

    @stack_guarded
    @arguments.with_checked_arguments
    def simulate(
        self, mechanic: str, /, *, runs: int = USUAL_RUNS, seed: Seed | None = None, of: Sequence[str] | None = None,
        choices: Choices = None, policy: By = None, executor: Executor | None = None,
        progress: Progress | None = None, state: Held | None = None, inputs: Inputs = None, **given: Any,
    ) -> Simulated:  # fmt: skip
        """The counts of `runs` runs of a mechanic with these inputs.

        Inputs, `choices` and `policy` are as for `odds`. `of` names what is counted together: the outcome and the
        further readings without it. The answer follows from the seed (a fresh one without it) and the number of runs;
        any `executor` may carry them, and `progress` is called with how many are done, of how many.
        Raises PlayError where an input does not fit, where play itself fails, or without NumPy; Stopped, with the
        counts so far, after an interrupt.
        """
        from interpreter.api.sampling import sample

        query = Query(self, mechanic, {**(inputs or {}), **given}, state, choices, policy)
        return sample(query, runs, seed, of, executor, progress)

    @stack_guarded
    @arguments.with_checked_arguments
    def sweep(
        self, mechanic: str, /, *, over: Mapping[str, Sequence[Any]], method: str = "exact", choices: Choices = None,
        policy: By = None, best: Goals | None = None, worst: Goals | None = None, runs: int = USUAL_RUNS,
        seed: Seed | None = None, of: Sequence[str] | None = None, executor: Executor | None = None,
        progress: Progress | None = None, state: Held | Callable[[Game], Held | None] | None = None,
        inputs: Inputs = None, **given: Any,
    ) -> Sweep:  # fmt: skip
        """The odds of a mechanic at every point of a grid; all else is as for `odds`.

        `over` names inputs (`own`, a part of one by a dot: `own.limit`) and options (`options.die`), each with its
        values. Where options vary what things begin with, `state` may be a function that makes it for a game. With the
        method `simulate`, each point is as for `simulate`, with the same seed. Raises PlayError where a point does not
        fit.
        """
        from interpreter.api.exact_odds import exact_odds
        from interpreter.api.grid import sweep_query
        from interpreter.api.sampling import sample

        points, before, number = (
            prod(map(len, over.values())),
            count(),
            fresh_number() if seed is None else number_of(seed),
        )

        def simulate_point(query: Query) -> Simulated:
            done = next(before) * runs
            tell_all = (lambda now, _: progress(done + now, points * runs)) if progress else None
            return sample(query, runs, number, of, executor, tell_all)

        methods: dict[str, Callable[[Query], Odds]] = {"exact": exact_odds, "simulate": simulate_point}
        if method not in methods:
            raise PlayError(say.unknown_of(say.NOWHERE, "method", method, methods))
        query = Query(
            self, mechanic, {**(inputs or {}), **given}, None, choices, policy, best=best, worst=worst
        )  # fmt: skip
        return sweep_query(query, state if callable(state) else lambda game: state, over, methods[method])


pickles.register()

FOR_HOSTS = tuple(
    sorted({one for one in vars(Game) if one[0] != "_"} | {"name", "title", "version", "state", "start", "allowing"})
)
"""The names of a game that hosts use, which the manual explains."""

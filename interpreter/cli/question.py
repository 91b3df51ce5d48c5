"""Questions about odds from the arguments of a command, the same for every command that asks some."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from interpreter import diagnostics as say
from interpreter.api import scene_file
from interpreter.api.expression_ruleset import ExpressionRuleset
from interpreter.api.game import Game
from interpreter.api.scene_file import ENDINGS, SceneFile
from interpreter.cli.expressions import ruleset_of_expressions
from interpreter.cli.parameters import goals_of
from interpreter.cli.roll import describe_needs, list_rules, parse_answers
from interpreter.cli.rulesets import load, load_game, parse_assignment, parse_assignments, scene_named, scenes_beside
from interpreter.cli.states import state_in
from interpreter.cli.terminal import Progress, count_progress, echo
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.layers.renamed_paths import RenamedPath, names_for, renamed_paths
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Renamed
from interpreter.runtime.rng import Seed
from interpreter.runtime.state import State
from interpreter.simulation.answer import Simulated

SCENES = 1_000
"""The default number of runs of a scene: a whole fight takes as long as thousands of rolls."""


@dataclass(frozen=True)
class MechanicQuestion:
    """A mechanic of a ruleset with its inputs, layers, options and answers; `changed` are inputs that are replaced.

    With the file of a `state`, it can also be about actions and events. `expressions` are in place of a ruleset, and
    `varied` has a value of each name that is given others later.
    """

    ruleset: str
    mechanic: str | None
    inputs: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    choose: tuple[str, ...] = ()
    policy: str | None = None
    best: tuple[str, ...] = ()
    worst: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    state: str | None = None
    when: tuple[str, ...] = ()
    expressions: tuple[str, ...] = ()
    varied: tuple[str, ...] = ()

    @cached_property
    def file(self) -> SceneFile | None:
        """The scene file that is given as the mechanic, if any: a path, or the name alone of one that comes with the
        ruleset, unless the ruleset has a rule of that name. Raises RulesetError if it cannot be read."""
        if not self.mechanic or self.expressions:
            return None
        if self.mechanic.endswith(ENDINGS):
            return scene_file.read(Path(self.mechanic))
        scene = scenes_beside(self.ruleset).get(self.mechanic)
        return scene_file.read(scene) if scene is not None and not self._names_a_rule() else None

    def _names_a_rule(self) -> bool:
        program = load(self.ruleset, layers=self.layers, to_play=True).program
        return program is not None and any(self.mechanic in rules for rules in program.playable.values())

    @cached_property
    def expression_ruleset(self) -> ExpressionRuleset | None:
        """The ruleset of the expressions, if there are any. Raises PlayError where one is none."""
        return ruleset_of_expressions(self.expressions, (*self.inputs, *self.varied))

    @contextmanager
    def problems_in_place(self) -> Iterator[None]:
        """Give every problem raised inside its place in the expressions, if there are any."""
        with self.expression_ruleset.problems_in_place() if self.expression_ruleset is not None else nullcontext():
            yield

    def shown(self, names: tuple[str, ...], joint: str | None) -> tuple[str, ...]:
        """The values to show: those that are named, or each result of the expressions."""
        return (
            self.expression_ruleset.results
            if self.expression_ruleset is not None and not names and not joint
            else names
        )

    def heading(self, name: str, mode: str = "") -> str:
        """What stands over the law of a value: its name, if the title of the whole page does not say it, and `mode`."""
        title = self.expression_ruleset.title(name) if self.expression_ruleset is not None else name
        said = name == "outcome" or (title in self.expressions and len(self.expressions) == 1)
        return ", ".join(filter(None, ["" if said and not (mode and name == "outcome") else title, mode]))

    @property
    def subject(self) -> str:
        """The path of the rule."""
        if self.expression_ruleset is not None:
            return self.expression_ruleset.rule
        return scene_file.path_of_scene(self.file) if self.file is not None else self.mechanic or ""

    @property
    def conditions(self) -> list[str]:
        """The state, layers, options and answers, in words."""
        return [
            *([f"in {self.state}"] if self.state else []),
            *(f"with {layer.text}" for layer in (self.file.layers if self.file is not None else ())),
            *(f"with {layer}" for layer in self.layers),
            *self.options,
            *(f"allowing {one}" for one in self.allow),
            *self.changed,
            *self.choose,
            *([f"by policy {self.policy}"] if self.policy else []),
            *(f"best {one}" for one in self.best),
            *(f"worst {one}" for one in self.worst),
            *(f"when {one}" for one in self.when),
        ]

    def title(self, method: str) -> str:
        """`jadeclaw contest own=d8 against=d6 (with double-botch-ties): exact odds`."""
        subject = [", ".join(self.expressions)] if self.expressions else [self.ruleset, self.mechanic or ""]
        asked = " ".join([*subject, *self.inputs])
        return asked + (f" ({', '.join(self.conditions)})" if self.conditions else "") + f": {method}"

    def to_data(self, method: str = "exact") -> dict[str, Any]:
        return {
            "ruleset": self.ruleset or None,
            "mechanic": self.mechanic,
            **(self.expression_ruleset.to_data() if self.expression_ruleset is not None else {}),
            "inputs": dict(_split_assignment(one) for one in (*self.inputs, *self.changed)),
            "layers": list(self.layers),
            "options": dict(map(_split_assignment, self.options)),
            "choices": dict(map(_split_assignment, self.choose)),
            "policy": self.policy,
            "best": goals_of(self.best, "--best"),
            "worst": goals_of(self.worst, "--worst"),
            **({"allow": list(self.allow)} if self.allow else {}),
            **({"state": self.state} if self.state else {}),
            **({"when": list(self.when)} if self.when else {}),
            "method": method,
        }


def _split_assignment(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip(), value


def game_and_inputs(question: MechanicQuestion, varied: tuple[str, ...] = ()) -> tuple[Game, dict[str, Any]]:
    """The game of a question and its inputs; missing inputs are listed, with exit code 2. `varied` are given later."""
    file = question.file
    if question.expression_ruleset is not None:
        return question.expression_ruleset.game(), dict(parse_assignments(question.inputs))
    later = [name.partition(".")[0] for name in varied]
    if file is not None:
        playing = load_game(question.ruleset, question.options, question.layers, file, question.allow)
        return playing, scene_file.inputs_of(
            playing, file, parse_assignments((*question.inputs, *question.changed)), later
        )
    playing = load_game(question.ruleset, question.options, question.layers, allow=question.allow)
    if question.mechanic is None:
        list_rules(playing)
        raise click.exceptions.Exit(0)
    rule = playing.mechanics.get(question.mechanic)
    if rule is None:
        section = playing.section_of(question.mechanic)
        if question.state is None and section != "mechanics" and playing.program.kinds:
            raise PlayError(say.no_state(question.mechanic, section.removesuffix("s")))
        return playing, dict(parse_assignments((*question.inputs, *question.changed)))
    given: dict[str, Any] = dict(parse_assignments(question.inputs))
    given = playing.with_inputs(rule.name, given, dict(map(parse_assignment, question.changed)))
    for name, node in given.items():
        if name not in rule.inputs:
            raise PlayError(say.unknown_input(node.span, name, rule.name, rule.inputs))
    there = {*given, *later}
    if any(one.required and one.name not in there for one in rule.inputs.values()):
        echo(describe_needs(rule), err=True)
        raise click.exceptions.Exit(2)
    return playing, given


def decision_arguments(question: MechanicQuestion) -> dict[str, Any]:
    """The arguments of `Game.odds` that answer choices."""
    return {
        "choices": parse_answers(question.choose),
        "policy": question.policy,
        "best": goals_of(question.best, "--best"),
        "worst": goals_of(question.worst, "--worst"),
    }


def renames_between(a: MechanicQuestion, b: MechanicQuestion) -> Renamed:
    """What the rule and its words are called in B where A calls them otherwise, as house rules rename them."""
    mine, theirs = ({(one.scope, one.old): one.new for one in _renamed_paths(side)} for side in (a, b))
    paths = [(scope, mine.get((scope, old), old), theirs.get((scope, old), old)) for scope, old in {**mine, **theirs}]
    rule = b.mechanic or ""
    changed = [RenamedPath(*one) for one in paths if one[1] != one[2]]
    return Renamed(*names_for(changed, rule if "." in rule else f"mechanics.{rule}"))


def _renamed_paths(question: MechanicQuestion) -> tuple[RenamedPath, ...]:
    merged = load(question.ruleset, layers=question.layers).merged
    return renamed_paths(one.change for one in merged.applied) if merged is not None else ()


def odds_of(
    question: MechanicQuestion,
    progress: Progress | None = None,
    within: Fraction | None = None,
    seconds: float | None = None,
) -> Odds:
    """The odds of a question; nothing is computed yet."""
    playing, given = game_and_inputs(question)
    return playing.odds(
        question.subject, inputs=given, state=state_of_question(playing, question), progress=progress, within=within,
        seconds=seconds, **decision_arguments(question),
    )  # fmt: skip


def simulate(question: MechanicQuestion, runs: int, seed: Seed | None, names: tuple[str, ...] = ()) -> Simulated:
    """The counts of simulated runs of a question; `names` are counted together, if any are given."""
    playing, given = game_and_inputs(question)
    if question.best or question.worst:
        raise PlayError(say.decides_nothing("best" if question.best else "worst"))
    with count_progress("simulating") as progress:
        return playing.simulate(
            question.subject, runs=runs, seed=seed, of=names or None,
            choices=parse_answers(question.choose), policy=question.policy,
            progress=progress, state=state_of_question(playing, question), inputs=given,
        )  # fmt: skip


def state_of_question(playing: Game, question: MechanicQuestion) -> State | None:
    """The state of a question, if it has one."""
    if question.file is not None:
        return scene_file.state_of(playing, question.file)
    return state_in(playing, scene_named(question.ruleset, question.state)) if question.state is not None else None

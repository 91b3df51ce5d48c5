"""`houserule roll`: play a mechanic, with a full trace."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from interpreter import diagnostics as say
from interpreter.api.forms import Rule
from interpreter.cli import parameters
from interpreter.cli.asked_inputs import (
    ask_for_optional,
    ask_for_required,
    ask_input,
    describe_input,
    kind_of_missing_thing,
)
from interpreter.cli.rulesets import changes_of, load_game, parse_assignments, parse_value
from interpreter.cli.terminal import echo, painter, print_wrapped, style_of
from interpreter.cli.traces import as_page
from interpreter.diagnostics import PlayError
from interpreter.runtime.rng import Seed
from interpreter.syntax.document import Node, Sequence

if TYPE_CHECKING:
    from interpreter.api.game import Game
    from interpreter.play.deciders import Policy
    from interpreter.runtime.state import State


@click.command("roll")
@parameters.rule_or_expressions
@parameters.single_run
@parameters.why
@parameters.without_state
def command(
    ruleset: str,
    mechanic: str | None,
    inputs: tuple[str, ...],
    expressions: tuple[str, ...],
    faces: str | None,
    choose: tuple[str, ...],
    policy: str | None,
    layers: tuple[str, ...],
    options: tuple[str, ...],
    allow: tuple[str, ...],
    seed: Seed | None,
    form: str,
    no_input: bool,
    verbose: bool,
    why: str | None,
) -> None:
    """Play MECHANIC of RULESET with inputs such as `own="d10 & d4"` or `against.quality=expert`.

    At a terminal, it asks for missing inputs. Without MECHANIC, it lists the mechanics of the ruleset. With -e, it
    throws dice without a ruleset.
    """
    if why is not None and (expressions or form == "json"):
        raise click.UsageError(f"--why does not go with {'-e' if expressions else '--format json'}")
    if expressions:
        _roll_expressions(expressions, inputs, faces, seed, form, verbose)
        return
    playing = load_game(ruleset, options, layers, allow=allow)
    if mechanic is None:
        list_rules(playing)
        return
    asks = sys.stdin.isatty() and not no_input
    given = _ask_for_missing(playing, ruleset, mechanic, parse_assignments(inputs), asks)
    result = playing.roll(
        mechanic,
        inputs=given,
        faces=parameters.faces_of(faces),
        choices=parse_answers(choose),
        policy=policy,
        seed=seed,
        ask=terminal_answers(playing, f"mechanics.{mechanic}") if asks else None,
    )
    if form == "json":
        echo(result.to_json())
    elif why is not None:
        from interpreter.cli.why import why_page  # other rolls do without it

        print_wrapped(why_page(playing, changes_of(ruleset, layers), result, why, given, painter(sys.stdout), verbose))
    else:
        print_wrapped(as_page(result, painter(sys.stdout), verbose))


def _ask_for_missing(playing: Game, ruleset: str, mechanic: str, given: dict[str, Node], asks: bool) -> dict[str, Node]:
    """The inputs of a mechanic with those that the person at the terminal is asked for; without one, those that are
    missing are listed, with exit code 2."""
    rule = playing.mechanics.get(mechanic)
    if rule is None:
        return given
    for name, node in given.items():
        if name not in rule.inputs:
            raise PlayError(say.unknown_input(node.span, name, mechanic, rule.inputs))
    missing = [one for one in rule.inputs.values() if one.required and one.name not in given]
    if missing and not asks:
        echo(describe_needs(rule), err=True)
        raise click.exceptions.Exit(2)
    for one in missing:
        kind = kind_of_missing_thing(playing, one, playing.rule(mechanic))
        if kind is not None:
            raise PlayError(say.needs_things(ruleset, mechanic, one.name, kind))
    for one in missing:
        given[one.name] = ask_input(playing, mechanic, one)
    if asks:
        given |= ask_for_required(playing, playing.rule(mechanic), given)
        given |= ask_for_optional(playing, playing.rule(mechanic), given)
    return given


def _roll_expressions(
    expressions: tuple[str, ...],
    inputs: tuple[str, ...],
    faces: str | None,
    seed: Seed | None,
    form: str,
    verbose: bool,
) -> None:
    from interpreter.cli import expressions as typed  # a roll of a ruleset does without it

    rules = typed.ruleset_of_expressions(expressions, inputs)
    assert rules is not None
    playing = rules.game()
    with rules.problems_in_place():
        result = playing.roll(rules.rule, inputs=parse_assignments(inputs), faces=parameters.faces_of(faces), seed=seed)
    if form == "json":
        echo(result.to_json())
        typed.report_notes(rules, "result")
    else:
        print_wrapped(typed.as_page(result, rules, style_of(sys.stdout), verbose))


def terminal_answers(playing: Game, path: str, state: State | None = None) -> Policy:
    """What asks the person at the terminal in a run of the rule at a path, which begins in a state."""
    from interpreter.cli.terminal_answers import TerminalAnswers  # a command without questions does without it

    return TerminalAnswers(playing, path, state=state or playing.start)


def list_rules(playing: Game) -> None:
    """List what a ruleset can play, where nothing is named."""
    rules, lasting = mechanic_titles(playing), titles_of_actions_and_events(playing)
    scenes = {name: scene.rule.title for name, scene in playing.program.scenes.items()}
    width = max(map(len, (*rules, *lasting, *scenes)), default=0)
    echo(f"{playing.title} ({playing.name} {playing.version})")
    for named, how in (
        (rules, "Give one of these, and its inputs as name=value."),
        (lasting, "Give one of these to `act` with a state, or to `odds` and `simulate` with `--state`."),
        (scenes, "Give `play`, `odds` or `simulate` a scene file that says who is in one of these."),
    ):
        if named:
            lines = [f"  {name:<{width}}  {title}" for name, title in named.items()]
            echo("\n".join(["", *lines, "", how]))


def mechanic_titles(playing: Game) -> dict[str, str]:
    """The mechanics of a ruleset, each with its title."""
    return {rule.name: rule.title for rule in playing.mechanics.values()}


def titles_of_actions_and_events(playing: Game) -> dict[str, str]:
    """The actions and events of a ruleset, each with its title."""
    actions = {name: action.rule.title for name, action in playing.program.actions.items()}
    return actions | {name: event.title for name, event in playing.program.events.items()}


def describe_needs(rule: Rule, *first: str) -> str:
    """The required and the other inputs of a rule, in words; `first` are lines that come before them."""
    required = [one for one in rule.inputs.values() if one.required]
    others = [one for one in rule.inputs.values() if not one.required]
    lines = [f"`{rule.name}` ({rule.title}) needs:", *first]
    lines += [f"  {one.name}=…  {describe_input(one)}" for one in required]
    if others:
        lines.append("It also accepts:")
        lines += [f"  {one.name}=…  {describe_input(one)}" for one in others]
    return "\n".join(lines)


def parse_answers(written: tuple[str, ...]) -> dict[str, Node]:
    """Answers by key; a key that is given several times has a list of answers, in that order."""
    given_answers: dict[str, list[Node]] = {}
    for text in written:
        name, sign, value = text.partition("=")
        if not sign:
            raise PlayError(say.bad_assignment(text))
        given_answers.setdefault(name, []).append(parse_value(name, value))
    return {
        name: nodes[0] if len(nodes) == 1 else Sequence(tuple(nodes), nodes[0].span)
        for name, nodes in given_answers.items()
    }

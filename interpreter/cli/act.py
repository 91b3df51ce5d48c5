"""`houserule act`: play an action, an event or a mechanic in a saved state."""

from __future__ import annotations

import sys

import click

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.forms import Rule
from interpreter.api.game import Game
from interpreter.cli import parameters
from interpreter.cli.asked_inputs import ask_input
from interpreter.cli.report import as_text
from interpreter.cli.roll import (
    describe_needs,
    mechanic_titles,
    parse_answers,
    terminal_answers,
    titles_of_actions_and_events,
)
from interpreter.cli.rulesets import load_game, parse_assignments, parse_value, scene_named
from interpreter.cli.states import save_state, state_in
from interpreter.cli.terminal import echo, painter
from interpreter.cli.traces import as_page, trace_lines
from interpreter.cli.typed_lines import read_line
from interpreter.ir.limits import has_listable_values
from interpreter.runtime.rng import Seed
from interpreter.runtime.state import State
from interpreter.syntax import files
from interpreter.syntax.document import Node
from interpreter.syntax.fixed_words import SPANS


@click.command("act")
@click.argument("ruleset", required=False)
@click.argument("state", required=False, metavar="STATE")
@click.argument("action", required=False)
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--ends", type=click.Choice(SPANS), help="End this span after ACTION, or alone if there is no ACTION.")
@click.option("--save", "file", metavar="FILE", help="Write the new state to this file.")
@parameters.single_run
@parameters.allow_scene_alone("state", "action", rest="inputs")
def command(
    ruleset: str,
    state: str,
    action: str | None,
    inputs: tuple[str, ...],
    ends: str | None,
    file: str | None,
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
) -> None:
    """Play ACTION of RULESET in STATE, with inputs such as `actor=ann target=bo`; or an event or a mechanic.

    STATE is a file of things, in the form of `before` in a case, or a file written by `--save`, also by that of
    `play`; `-` is standard input. Of a scene file, it has the things as the scene begins; one that comes with the
    ruleset may be given by its name alone.
    Without ACTION, it lists the actions, events and mechanics. At a terminal, it asks for missing inputs.
    """
    seen = files.see(file) if file is not None else files.NOTHING
    playing = load_game(ruleset, options, layers, allow=allow)
    there = state_in(playing, scene_named(ruleset, state))
    if action is None and ends is None:
        _list_rules(playing)
        return
    asks = sys.stdin.isatty() and not no_input
    thrown = parameters.faces_of(faces)
    path = playing.find_rule(action)[1].path if action is not None else ""
    ask = terminal_answers(playing, path, there) if asks else None
    paint = painter(sys.stdout)
    if action is None:
        there, put_off = playing.ending(
            there, ends or "", faces=thrown, seed=seed, choices=parse_answers(choose), policy=policy, ask=ask
        )
        if file is not None:
            save_state(playing, there, file, seen)
        lines = [*trace_lines(put_off, paint, verbose), f"the {ends} ends"]
        echo(playing.to_json(there) if form == "json" else "\n".join(lines), color=True)
        return
    given = _ask_for_missing(playing, there, action, parse_assignments(inputs), asks)
    result = playing.roll(
        action,
        state=there,
        ends=ends,
        inputs=given,
        faces=thrown,
        choices=parse_answers(choose),
        policy=policy,
        seed=seed,
        ask=ask,
    )
    if file is not None and result.state is not None:
        save_state(playing, result.state, file, seen)
    echo(result.to_json() if form == "json" else as_page(result, paint, verbose), color=True)


def _list_rules(playing: Game) -> None:
    """List the actions, events and mechanics of a ruleset."""
    parts = [one for one in (titles_of_actions_and_events(playing), mechanic_titles(playing)) if one]
    width = max((len(name) for one in parts for name in one), default=0)
    echo(f"{playing.title} ({playing.name} {playing.version})")
    for one in parts:
        echo("\n".join(["", *(f"  {name:<{width}}  {title}" for name, title in one.items())]))
    echo("\nGive one of these, with its inputs as name=value; an action also needs actor=….")


def _ask_for_missing(playing: Game, state: State, path: str, given: dict[str, Node], asks: bool) -> dict[str, Node]:
    """The inputs of a rule with those that are missing, for which the person at the terminal is asked.

    Play itself asks for what it can list: most inputs of an action, among those that are possible.
    """
    section, rule = playing.find_rule(path)
    form = Rule.of(rule, playing.closures)
    action = playing.program.actions[rule.name] if section == "actions" else None
    missing = [
        form.inputs[one.name]
        for one in rule.inputs
        if one.name not in given and form.inputs[one.name].required and not (action and has_listable_values(one))
    ]
    lacks_actor = action is not None and "actor" not in given
    if not asks and (lacks_actor or (missing and action is None)):
        who = [f"  actor=…  the `{_kind_of(action)}` that does it"] if action else []
        echo(describe_needs(form, *who), err=True)
        raise click.exceptions.Exit(2)
    if asks and action is not None and lacks_actor:
        given["actor"] = _ask_actor(state, _kind_of(action))
    for one in missing if asks else ():
        given[one.name] = ask_input(playing, path, one, state)
    return given


def _kind_of(action: ir.Action) -> str:
    return getattr(action.actor.type, "kind", "thing")


def _ask_actor(state: State, kind: str) -> Node:
    """The thing that acts; with one thing of the kind, that is the default."""
    names = [one.id for one in state.of_kind(kind)]
    echo(f"actor: the `{kind}` that does it: {', '.join(names) or 'there is none'}", err=True)
    if not names:
        raise click.exceptions.Exit(2)
    usual = names[0] if len(names) == 1 else ""
    while True:
        named = read_line(f"actor{f' [{usual}]' if usual else ''}: ") or usual
        if named in names:
            return parse_value("actor", named)
        problem = say.not_an_answer("actor", named, " or ".join(names))
        echo(as_text(problem, painter(sys.stderr)), err=True, color=True)

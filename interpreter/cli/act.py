"""`houserule act`: play an action, an event or a mechanic in a saved state."""

from __future__ import annotations

import sys

import click

from interpreter.api.forms import Rule
from interpreter.api.game import Game
from interpreter.cli import parameters
from interpreter.cli.roll import TerminalAnswers, answers, as_page, happenings, needed, told
from interpreter.cli.rulesets import assignments, game
from interpreter.cli.states import save, state_in
from interpreter.cli.terminal import painter
from interpreter.syntax.grammar import SPANS


@click.command("act")
@click.argument("ruleset")
@click.argument("state")
@click.argument("action", required=False)
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--ends", type=click.Choice(SPANS), help="End this span after ACTION, or alone if there is no ACTION.")
@click.option("--save", "file", metavar="FILE", help="Write the new state to this file.")
@parameters.single_run
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
    seed: int | None,
    form: str,
    no_input: bool,
    verbose: bool,
) -> None:
    """Play ACTION of RULESET in STATE, with inputs such as `actor=ann target=bo`; or an event or a mechanic.

    STATE is a file of things, in the form of `before` in a case, or a file written by `--save`; `-` is standard input.
    Without ACTION, it lists the actions and events.
    """
    playing = game(ruleset, options, layers)
    there = state_in(playing, state)
    if action is None and ends is None:
        _listed(playing)
        return
    asks = sys.stdin.isatty() and not no_input
    thrown = parameters.faces_of(faces)
    ask = TerminalAnswers(playing) if asks else None
    paint = painter(sys.stdout)
    if action is None:
        there, put_off = playing.ending(
            there, ends or "", faces=thrown, seed=seed, choices=answers(choose), policy=policy, ask=ask
        )
        if file is not None:
            save(playing, there, file)
        lines = [*told(put_off, paint, verbose), f"the {ends} ends"]
        click.echo(playing.to_json(there) if form == "json" else "\n".join(lines), color=True)
        return
    section = playing.section_of(action)
    given = assignments(inputs)
    if section == "actions" and "actor" not in given:
        click.echo(_needed(playing, action.rpartition(".")[2]), err=True)
        raise click.exceptions.Exit(2)
    result = playing.roll(
        action,
        state=there,
        ends=ends,
        inputs=given,
        faces=thrown,
        choices=answers(choose),
        policy=policy,
        seed=seed,
        ask=ask,
    )
    if file is not None and result.state is not None:
        save(playing, result.state, file)
    click.echo(result.to_json() if form == "json" else as_page(result, paint, verbose), color=True)


def _listed(playing: Game) -> None:
    """List the actions and events of a ruleset."""
    rules = happenings(playing)
    width = max(map(len, rules), default=0)
    click.echo(f"{playing.title} ({playing.name} {playing.version})\n")
    for name, title in rules.items():
        click.echo(f"  {name:<{width}}  {title}")
    click.echo("\nGive one of these, with its inputs as name=value; an action also needs actor=….")


def _needed(playing: Game, action: str) -> str:
    """The inputs of an action, and the kind of its actor."""
    declared = playing.program.actions[action]
    who = getattr(declared.actor.type, "kind", "thing")
    return needed(Rule.of(declared.rule, playing.closures), f"  actor=…  the `{who}` that does it")

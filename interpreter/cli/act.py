"""`houserule act`: somebody does something, or something happens, in a state that lasts."""

from __future__ import annotations

import sys

import click

from interpreter.api.forms import Rule
from interpreter.api.game import Game
from interpreter.cli.roll import answers, as_page, ask_choice, happenings, needed, told
from interpreter.cli.rulesets import assignments, game
from interpreter.cli.states import save, state_in
from interpreter.cli.terminal import painter
from interpreter.syntax.grammar import SPANS


@click.command("act", short_help="Somebody does something, or something happens, in a state.")
@click.argument("ruleset")
@click.argument("state")
@click.argument("action", required=False)
@click.argument("inputs", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--ends", type=click.Choice(SPANS), help="What ends after that, or by itself without ACTION.")
@click.option("--save", "file", metavar="FILE", help="Write the state that comes of it here.")
@click.option("--faces", help="Dice on the table, in the order asked for: 9,4,3.")
@click.option("--choose", multiple=True, metavar="NAME=VALUE", help="Answer a choice; again for a later asking.")
@click.option("--policy", help="A policy of the ruleset that answers the choices.")
@click.option("--with", "layers", multiple=True, metavar="LAYER", help="Lay this house rule over it.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Play under this option.")
@click.option("--seed", type=int, help="The same seed throws the same faces.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.option("--verbose", "-v", is_flag=True, help="Show steps that changed nothing too.")
@click.option("--no-input", is_flag=True, help="Never ask; choices take their defaults.")
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
    """Let somebody do ACTION of RULESET in STATE: `actor=ann target=bo`. An event or a mechanic can be named, too.

    STATE is a file of things, as cases have them under `before`, or one that `--save` has written; `-` is standard
    input. Without ACTION, what there is to do is listed.
    """
    playing = game(ruleset, options, layers)
    there = state_in(playing, state)
    if action is None and ends is None:
        _listed(playing)
        return
    asks = sys.stdin.isatty() and not no_input
    thrown = [face.strip() for face in faces.split(",") if face.strip()] if faces is not None else None
    ask = (lambda choice: ask_choice(playing, choice)) if asks else None
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
    """What there is to do and what may happen, for somebody who named nothing."""
    rules = happenings(playing)
    width = max(map(len, rules), default=0)
    click.echo(f"{playing.title} ({playing.name} {playing.version})\n")
    for name, title in rules.items():
        click.echo(f"  {name:<{width}}  {title}")
    click.echo("\nGive one of these, for an action its actor=…, and what it takes as name=value.")


def _needed(playing: Game, action: str) -> str:
    """What an action needs, with who may do it."""
    deed = playing.program.actions[action]
    who = getattr(deed.actor.type, "kind", "thing")
    head, *rest = needed(Rule.of(deed.rule, playing.closures)).splitlines()
    inputs = [line for line in rest if line.strip() and not line.startswith("and")]
    return "\n".join([head, f"  actor=…  the `{who}` that does it", *(["and takes:", *inputs] if inputs else [])])

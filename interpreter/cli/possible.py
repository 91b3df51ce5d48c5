"""`houserule possible`: the actions that an actor can take now, with their inputs and costs."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click

from interpreter import ir
from interpreter.api.game import Game
from interpreter.api.possible_data import possible_data
from interpreter.cli import parameters
from interpreter.cli.rulesets import game
from interpreter.cli.states import state_in
from interpreter.ir import types as t
from interpreter.play.available_actions import Possible, terms_in_words
from interpreter.values import in_words

MOST_SHOWN = 20
"""How many possible values of an input the text shows."""


@click.command("possible")
@click.argument("ruleset")
@click.argument("state")
@click.argument("actor")
@parameters.changed_rules
@parameters.output_format("text", "json")
def command(ruleset: str, state: str, actor: str, layers: tuple[str, ...], options: tuple[str, ...], form: str) -> None:
    """List what ACTOR can do in STATE by the rules of RULESET: each action, its cost and its possible inputs.

    STATE is a file of things, in the form of `before` in a case, or a file written by `act --save` or `play --save`. A
    scene file stands for its scene when the first question is asked; its dice are thrown at random.
    """
    playing = game(ruleset, options, layers)
    found = playing.possible(state_in(playing, state, under_way=True), actor)
    if form == "json":
        click.echo(json.dumps([possible_data(one) for one in found], ensure_ascii=False))
        return
    for one in found:
        for line in _lines(playing, one):
            click.echo(line)
    if not found:
        click.echo(f"{actor} can do nothing now")


def _lines(playing: Game, one: Possible) -> Iterator[str]:
    price = terms_in_words(one)
    yield f"{one.action}  {one.title}" + (f" ({price})" if price else "")
    declared = {each.name: each for each in playing.program.actions[one.action].rule.inputs}
    for name, may in one.inputs.items():
        by = declared[name].by
        said = f"  said by {by.span.text if isinstance(by, ir.Formula) else by}" if by is not None else ""
        if may is None:
            yield f"  {name}=…  {t.in_words(declared[name].type)}{said}"
            continue
        more = ", …" if len(may) > MOST_SHOWN else ""
        yield f"  {name}={'|'.join(map(in_words, may[:MOST_SHOWN]))}{more}{said}"

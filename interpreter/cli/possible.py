"""`houserule possible`: the actions that an actor can take now, with their inputs and costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from interpreter import ir
from interpreter.api.game import Game
from interpreter.api.possible_data import possible_data
from interpreter.cli import parameters
from interpreter.cli.rulesets import load_game, scene_named
from interpreter.cli.states import state_in
from interpreter.cli.terminal import echo
from interpreter.ir import types as t
from interpreter.play.available_actions import Possible, terms_in_words
from interpreter.shown_text import in_json
from interpreter.values import in_words

MOST_SHOWN = 20
"""How many possible values of an input the text shows."""


@click.command("possible")
@click.argument("ruleset", required=False)
@click.argument("state", required=False, metavar="STATE")
@click.argument("actor", required=False)
@parameters.changed_rules
@parameters.output_format("text", "json")
@parameters.allow_scene_alone("state", "actor")
def command(
    ruleset: str,
    state: str,
    actor: str | None,
    layers: tuple[str, ...],
    options: tuple[str, ...],
    allow: tuple[str, ...],
    form: str,
) -> None:
    """List what ACTOR, or else everybody, can do in STATE by the rules of RULESET: each action, its cost and its
    possible inputs.

    STATE is a file of things, in the form of `before` in a case, or a file written by `act --save` or `play --save`. A
    scene file stands for its scene when the first question is asked; its dice are thrown at random. One that comes with
    the ruleset may be given by its name alone.
    """
    playing = load_game(ruleset, options, layers, allow=allow)
    there = state_in(playing, scene_named(ruleset, state), under_way=True)
    by_actor = {actor: playing.possible(there, actor)} if actor is not None else playing.all_possible(there)
    if form == "json":
        rows = [{"actor": who, **possible_data(one)} for who, actions in by_actor.items() for one in actions]
        echo(in_json(rows))
        return
    for place, (who, actions) in enumerate(by_actor.items()):
        if actor is None:
            echo(f"{chr(10) if place else ''}{who}:")
        for one in actions:
            for line in _lines(playing, one):
                echo(line if actor is not None else f"  {line}")
    if not any(by_actor.values()):
        echo(f"{actor} can do nothing now" if actor is not None else "nobody can do anything now")


def _lines(playing: Game, one: Possible) -> Iterator[str]:
    price = terms_in_words(one)
    yield f"{one.action}  {one.title}" + (f": {one.shows}" if one.shows else "") + (f" ({price})" if price else "")
    declared = {each.name: each for each in playing.program.actions[one.action].rule.inputs}
    for name, may in one.inputs.items():
        by = declared[name].by
        said = f"  said by {by.span.text if isinstance(by, ir.Formula) else by}" if by is not None else ""
        if may is None:
            yield f"  {name}=…  {t.in_words(declared[name].type)}{said}"
            continue
        yield f"  {name}={_list_values(may)}{said}"


def _list_values(may: Sequence[Any]) -> str:
    """The values of an input: `ann|bo`, and `0 to 20` of numbers without a gap."""
    if len(may) > 2 and type(may[0]) is int and list(may) == list(range(may[0], may[0] + len(may))):
        return f"{may[0]} to {may[-1]}"
    return "|".join(map(in_words, may[:MOST_SHOWN])) + (", …" if len(may) > MOST_SHOWN else "")

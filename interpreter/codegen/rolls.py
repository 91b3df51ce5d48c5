"""Rolls as Python, which throw dice in the order in which play throws them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from interpreter import ir
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule, NotGenerated, Trail
from interpreter.codegen.steps import record_expression, write_call_of_play, write_result, write_step
from interpreter.play.rolls import plain_dice
from interpreter.runtime.functions import COPIED, MOST_DICE, charge
from interpreter.values import Die, Throw, Thrown, face_number

Pools = Sequence[tuple[tuple[Die, ...], str | None]]


def write_roll(writer: FunctionWriter, action: ir.RollDice, step: ir.Step, trail: Trail, value: str | None) -> None:
    if (action.each or action.counts) and writer.module.program.die_identity.rerolled:
        write_call_of_play(writer, action, step, trail, value)  # play notes how each die counts if it is rerolled
    elif action.each or action.counts or action.again:
        _write_chains(writer, action, trail, value or writer.variable())
    else:
        throw = writer.module.bind(_throw_once(writer.module))
        write_result(writer, value, f"{throw}({_pools(writer, action.parts)})")


def _pools(writer: FunctionWriter, parts: Sequence[tuple[str | None, ir.Formula]]) -> str:
    return "(" + "".join(f"({writer.text(formula)}, {name!r}), " for name, formula in parts) + ")"


def _dice_with_parts(pools: Pools) -> list[tuple[Die, str | None]]:
    """Each die with the part of the roll that it belongs to."""
    dice = [(die, name) for pool, name in pools for die in pool]
    if len(dice) > MOST_DICE:
        raise NotGenerated
    return dice


def _throw_once(module: GeneratedModule) -> Callable[[Pools], tuple[Thrown, ...]]:
    """A function that throws each die once."""
    run, thrown = module.run, module.names["thrown"]

    def throw(pools: Pools) -> tuple[Thrown, ...]:
        dice, first = _dice_with_parts(pools), run.dice
        return plain_dice(dice, thrown(tuple([die for die, _ in dice])), first)

    return throw


def _write_chains(writer: FunctionWriter, roll: ir.RollDice, trail: Trail, value: str) -> None:
    """Write a roll with steps for each throw, or with dice that are thrown again."""
    bind = writer.module.bind
    dice, first, faces, found, earlier = (writer.variable() for _ in range(5))
    die, part, face, n, throws, number, nth, tags, counts, size, named, guard = (writer.variable() for _ in range(12))
    fields = writer.module.fields_read
    kept = [one for one in roll.each if fields is None or one.name in fields]
    writer.line(f"{dice} = {bind(_dice_with_parts)}({_pools(writer, roll.parts)})")
    writer.line(f"{first} = run.dice")
    writer.line(f"{faces} = thrown(tuple([one for one, _ in {dice}]))")
    writer.line(f"{guard} = {writer.text(roll.guard) if roll.guard is not None else ir.GUARD}")
    writer.line(f"{found} = []")
    writer.line(f"{earlier} = []")
    with writer.scope(), writer.block(f"for {n}, (({die}, {part}), {face}) in enumerate(zip({dice}, {faces})):"):
        writer.line(f"{throws} = []")
        writer.line(f"{size} = {die}.size")
        writer.line(f"{tags} = {die}.tags")
        writer.variables.update(size=size, tags=tags, part=part, face=number, nth=nth)
        with writer.block("while True:"):
            writer.line(f"{number} = {face} if type({face}) is int else {bind(face_number)}({face})")
            writer.line(f"{nth} = len({throws}) + 1")
            if "earlier" in writer.names_read:
                writer.variables["earlier"] = writer.variable()
                writer.line(f"{writer.variables['earlier']} = tuple({bind(charge)}({earlier}, {COPIED}))")
            if roll.each:
                writer.spend(len(roll.each))
            for one in roll.each:
                write_step(writer, one, (*trail, one.name), one in kept)
            writer.line(f"{counts} = {writer.text(roll.counts) if roll.counts is not None else number}")
            writer.variables["counts"] = counts
            writer.line(f"{named} = {record_expression(writer, kept)}")
            writer.line(f"{throws}.append({bind(Throw)}({face}, {nth}, {counts}, {named}))")
            writer.line(f"{earlier}.append({named})")
            writer.line(f"if not {writer.text(roll.again)}: break" if roll.again is not None else "break")
            writer.line(f"if {nth} >= {guard}: raise NotGenerated")
            writer.line(f"{face} = thrown(({die},))[0]")
        total = f"{throws}[0].counts if len({throws}) == 1 else sum([one.counts for one in {throws}])"
        writer.line(f"{found}.append({bind(Thrown)}({die}, {part}, {first} + {n}, tuple({throws}), {total}))")
    writer.line(f"{value} = tuple({found})")

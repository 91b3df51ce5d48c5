"""Steps as Python: one variable for each name, and no generator, for nobody is asked who is not there.

What is not written out is left to the walk, from a frame with what are variables here. Dice are thrown in the order
in which the walk throws them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

from interpreter import ir
from interpreter.codegen.choices import chosen
from interpreter.codegen.effects import (
    assign_written,
    assigned,
    ending,
    excluded,
    included,
    paid,
    placed,
    shift_written,
    shifted,
)
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule, NotGenerated
from interpreter.ir import types as t
from interpreter.ir.traversal import inner
from interpreter.play.control import forms_of_stages
from interpreter.play.deciders import drive
from interpreter.play.effects import MOST_NESTED
from interpreter.play.events import CANCELLED
from interpreter.play.run import CHANGED, Budget, MechanicEnded, SilentRun, kept
from interpreter.play.steps import form_of, inner_steps
from interpreter.runtime.evaluator import LARGEST, Frame, as_number
from interpreter.runtime.functions import MOST_DICE
from interpreter.runtime.state import STATE
from interpreter.values import Die, Thrown, face_number
from interpreter.values import Throw as Toss

Trail = tuple[str, ...]


def block(page: FunctionWriter, steps: Sequence[ir.Step], trail: Trail, whole: bool) -> None:
    """Steps one under the other; of their values, those that are read, or the `whole` of them."""
    if not steps:
        return
    page.line(f"run.steps += {len(steps)}")
    page.line("if run.steps > run.most_steps: raise Unwritten")
    for one in steps:
        step(page, one, (*trail, one.name), whole)


def step(page: FunctionWriter, one: ir.Step, trail: Trail, whole: bool) -> None:
    """One step, which binds its name to a variable where somebody reads it."""
    value = page.new() if whole or one.name in page.read else None
    if one.condition is None:
        _done(page, one, trail, value)
    else:
        with page.under(f"if {page.text(one.condition)}:"):
            _done(page, one, trail, value)
        if value is not None:
            with page.under("else:"):
                page.line(f"{value} = {_left_out(page, one)}")
    if value is not None:
        page.variables[one.name] = value


def _left_out(page: FunctionWriter, one: ir.Step) -> str:
    if one.instead is not None:
        return page.text(one.instead)
    if isinstance(one.action, ir.Choose) and one.action.default is not None:
        return page.text(one.action.default)
    return "None"


def _may_outgrow(page: FunctionWriter, one: ir.Step) -> bool:
    """Whether a step is worth a number that may come to more than 64 bits."""
    found: list[ir.Formula | None] = []
    match one.action:
        case ir.Let(formula):
            found = [formula]
        case ir.FirstOf(cases):
            found = [case.value for case in cases]
        case ir.Stages(_, then, _):
            found = [stage.instead for stage in then]
    grow = any(formula is not None and _grows(page, formula.body) for formula in found)
    return grow and isinstance(t.present(one.type), t.Number)


def _grows(page: FunctionWriter, expr: ir.Expr) -> bool:
    """Whether a number may come to more than 64 bits, where all that it is made of are less."""
    if isinstance(expr, ir.Attribute):
        return page.script.program.kinds[expr.kind].has[expr.name].derived is not None
    if isinstance(expr, (ir.Conditional, ir.Otherwise)) or (isinstance(expr, ir.Builtin) and expr.name != "sum"):
        return any(_grows(page, one) for one in inner(expr))
    return isinstance(expr, (ir.Arithmetic, ir.Negative, ir.Quotient, ir.Builtin, ir.Apply))


def _done(page: FunctionWriter, one: ir.Step, trail: Trail, value: str | None) -> None:
    may_outgrow = _may_outgrow(page, one)
    if may_outgrow and value is None:
        value = page.new()
    _action(page, one, trail, value)
    into = form_of(one)
    if value is not None and into is not None:
        page.line(f"{value} = {page.script.bind(into)}({value})")
    if may_outgrow:
        page.line(f"if type({value}) is int and not {-LARGEST} <= {value} <= {LARGEST}: raise Unwritten")


def _action(page: FunctionWriter, one: ir.Step, trail: Trail, value: str | None) -> None:
    match one.action:
        case ir.Let(formula):
            _gives(page, value, page.text(formula))
        case ir.FirstOf() as first:
            _gives(page, value, page.writer.cases(first))
        case ir.Choose() as choose:
            chosen(page, choose, value or page.new())
        case ir.ChooseEach() as each:
            _choose_each(page, each, value or page.new())
        case ir.Call(mechanic, given):
            from interpreter.codegen.rules import mechanic_of

            called = mechanic_of(page.script, page.script.program.mechanics[mechanic])
            _gives(page, value, f"{called}({passed(page, page.script.program.mechanics[mechanic], given)})")
        case ir.RollDice(_, each, counts) if (each or counts) and page.script.program.telling.rerolled:
            _left_to_the_walk(page, one, trail, value)  # it notes how each die counts when it is thrown anew
        case ir.RollDice() as toss if toss.each or toss.counts or toss.again:
            _chains(page, toss, trail, value or page.new())
        case ir.RollDice(parts):
            _gives(page, value, f"{page.script.bind(_laid(page.script))}({_pools(page, parts)})")
        case ir.Stages() as stages:
            _stages(page, one, stages, trail, value or page.new())
        case ir.Repeat() as repeat:
            _repeat(page, repeat, trail, value)
        case ir.ForEach() as loop:
            _for_each(page, loop, trail, value)
        case ir.StepGroup(steps):
            with page.inside():
                block(page, steps, trail, value is not None)
                _gives(page, value, _record(page, steps) if value is not None else None)
        case ir.Turn() as turn:
            _turn(page, turn, trail, value)
        case ir.End(outcome):
            page.line(f"raise Ended({outcome!r}, frame)")
        case ir.Shift(amount, spot, down) if placed(page.script, spot):
            if not shift_written(page, spot, amount, down, value):
                thing, key = _spot(page, spot)
                work = page.script.bind(shifted(page.script, spot.kind, spot.name, down))
                _gives(page, value, f"{work}({thing}, {page.text(amount)}{key})")
        case ir.Assign(spot, after) if placed(page.script, spot):
            if not assign_written(page, spot, page.text(after), value):
                thing, key = _spot(page, spot)
                work = page.script.bind(assigned(page.script, spot.kind, spot.name))
                _gives(page, value, f"{work}({thing}, {page.text(after)}{key})")
        case ir.Pay() as pay if all(placed(page.script, spot) for spot, _ in pay.purses):
            alone = len(pay.purses) == 1 and pay.purses[0][1] is None and not pay.may_refuse
            if not (alone and shift_written(page, pay.purses[0][0], pay.amount, True, value, paid=True)):
                _pay(page, pay, value)
        case ir.Include(element, spot, lasts) if placed(page.script, spot):
            thing, _ = _spot(page, spot)
            until = repr(lasts) if lasts is None or isinstance(lasts, str) else page.text(lasts)
            work = page.script.bind(included(page.script, spot.kind, spot.name))
            _gives(page, value, f"{work}({thing}, {page.text(element)}, {until})")
        case ir.Exclude(gone, spot) if placed(page.script, spot):
            thing, _ = _spot(page, spot)
            work = page.script.bind(excluded(page.script, spot.kind, spot.name))
            _gives(page, value, f"{work}({thing}, {page.text(gone)})")
        case ir.Order() as order:
            _order(page, order, value or page.new())
        case ir.Cause(event, given, None):
            from interpreter.codegen.rules import caused

            rule = page.script.program.events[event]
            deeper(page, f"{caused(page.script, rule)}({passed(page, rule, given)})", value)
        case ir.Act() as act:
            _act(page, act, value)
        case ir.Offer() as offer:
            from interpreter.codegen.actions import offered

            offered(page, offer, value)
        case ir.ChangeEvent(given):
            event = page.variables[CHANGED]
            changed = ", ".join(f"{name!r}: {page.text(formula)}" for name, formula in given)
            page.line(f"{event} = {{**{event}, {changed}}}")
            _gives(page, value, "{'happened': True}" if value else None)
        case ir.CancelEvent():
            event = page.variables[CHANGED]
            page.line(f"{event} = {{**{event}, {CANCELLED!r}: True}}")
            _gives(page, value, "{'happened': True}" if value else None)
        case _:
            _left_to_the_walk(page, one, trail, value)


def _gives(page: FunctionWriter, value: str | None, text: str | None) -> None:
    """The value of a step; what may go wrong, or changes something, is done though nobody reads it."""
    if text is not None:
        page.line(f"{value} = {text}" if value is not None else text)


def _record(page: FunctionWriter, steps: Sequence[ir.Step]) -> str:
    """What some steps came to, by name."""
    return "{" + ", ".join(f"{one.name!r}: {page.variables[one.name]}" for one in steps) + "}"


def passed(page: FunctionWriter, rule: ir.Mechanic, given: Sequence[tuple[str, ir.Formula]]) -> str:
    """What a rule is given, in the order of its inputs; None for what is not."""
    by_name = dict(given)
    return ", ".join(page.text(by_name[one.name]) if one.name in by_name else "None" for one in rule.inputs)


def deeper(page: FunctionWriter, text: str, value: str | None = None) -> None:
    """Something that happens because of something else, with its value where somebody reads it."""
    page.line("run.nested += 1")
    page.line(f"if run.nested > {MOST_NESTED}: raise Unwritten")
    _gives(page, value, text)
    page.line("run.nested -= 1")


def _spot(page: FunctionWriter, spot: ir.Lvalue) -> tuple[str, str]:
    return page.text(spot.thing), f", {page.text(spot.key)}" if spot.key is not None else ""


# Control ---------------------------------------------------------------------------------------------------------


def _for_each(page: FunctionWriter, each: ir.ForEach, trail: Trail, value: str | None) -> None:
    among, found = page.text(each.among), value and page.new()
    if found is not None:
        page.line(f"{found} = {{}}")
    variable = page.new()
    listed = ".values()" if isinstance(each.among.type, t.Map) else ""
    with page.inside(), page.under(f"for {variable} in {among}{listed}:"):
        if each.where is not None:
            with page.element(".it", variable):
                condition = page.text(each.where)
            with page.under(f"if not {condition}:"):
                if found is not None:
                    page.line(f"{found}.setdefault({variable}, None)")
                page.line("continue")
        page.variables[each.name] = variable
        block(page, each.each, trail, found is not None)
        if found is not None:
            page.line(f"{found}[{variable}] = {_record(page, each.each)}")
    if found is not None:
        page.line(f"{value} = {found}")


def _repeat(page: FunctionWriter, repeat: ir.Repeat, trail: Trail, value: str | None) -> None:
    passes, nth = page.new(), page.new()
    keys = page.new() if repeat.keep is not None else None
    whole = value is not None or "earlier" in page.read
    page.line(f"{passes} = []")
    if keys is not None:
        page.line(f"{keys} = []")
    times = page.text(repeat.times)
    with page.inside(nth=nth), page.under(f"for {nth} in range(1, {times} + 1):"):
        page.line(f"if {nth} > {Budget.passes}: raise Unwritten")
        if "earlier" in page.read:
            page.variables["earlier"] = page.new()
            page.line(f"{page.variables['earlier']} = tuple({passes})")
        block(page, repeat.each, trail, whole)
        if whole:
            page.line(f"{passes}.append({_record(page, repeat.each)})")
        if repeat.keep is not None:
            page.line(f"{keys}.append({page.writer.call(as_number, page.text(repeat.keep[1]))})")
        if repeat.until is not None:
            page.line(f"if {page.text(repeat.until)}: break")
    if repeat.keep is None:
        _gives(page, value, f"tuple({passes})" if value else None)
    elif value is not None:
        best = "min" if repeat.keep[0] == "lowest" else "max"
        page.line(f"{value} = {passes}[{keys}.index({best}({keys}))] if {passes} else None")


def _order(page: FunctionWriter, order: ir.Order, value: str) -> None:
    """A list by its keys, the lowest first; of those that are level, lots draw one after the other."""
    elements, one = page.new(), page.new()
    keys = []
    with page.element(".it", one):
        for key in order.keys:
            if key.formula is not None:
                text = page.text(key.formula)
                if key.ranks is not None:
                    text = f"{page.script.bind({word: rank for rank, word in enumerate(key.ranks)})}[{text}]"
                keys.append(f"{'-' if key.way == 'high' else ''}int({text}), ")
    page.line(f"{elements} = spent({page.text(order.of)})")
    ranked = f"[(({''.join(keys)}), {one}) for {one} in {elements}]"
    lots = any(key.way == "random" for key in order.keys)
    page.line(f"{value} = {page.script.bind(_ordered)}({ranked}, {'thrown' if lots else None})")


def _ordered(ranked: list[tuple[tuple[int, ...], Any]], thrown: Callable[[tuple[Die]], list[int]] | None) -> Any:
    ranked.sort(key=itemgetter(0))
    if thrown is None:
        return tuple([one for _, one in ranked])
    found: list[Any] = []
    for _, level in groupby(ranked, itemgetter(0)):
        left = [one for _, one in level]
        while len(left) > 1:
            found.append(left.pop(thrown((Die(len(left)),))[0] - 1))
        found += left
    return tuple(found)


def _stages(page: FunctionWriter, one: ir.Step, stages: ir.Stages, trail: Trail, value: str) -> None:
    _done(page, ir.Step(one.name, stages.start, stages.begun, one.path, one.span), trail, value)
    page.line(f"run.steps += {len(stages.then)}")
    with page.inside(**{one.name: value}):
        for stage, form in zip(stages.then, forms_of_stages(stages), strict=True):
            condition = f"if {page.text(stage.condition)}:" if stage.condition is not None else "if True:"
            with page.under(condition), page.inside():
                _done(page, stage, (*trail, stage.name), value)
            if stage.instead is not None:
                with page.under("else:"):
                    page.line(f"{value} = {page.text(stage.instead)}")
            elif stage.condition is not None and form is not None:
                with page.under("else:"):
                    page.line(f"{value} = {page.script.bind(form)}({value})")


def _choose_each(page: FunctionWriter, choose: ir.ChooseEach, value: str) -> None:
    one, found = page.new(), page.new()
    among = page.text(choose.among) + (".values()" if isinstance(choose.among.type, t.Map) else "")
    left = page.new() if choose.budget is not None and not choose.asked else None
    page.line(f"{found} = {{}}")
    if left is not None and choose.budget is not None:
        page.line(f"{left} = {page.text(choose.budget)}")
    with page.inside(), page.under(f"for {one} in dict.fromkeys({among}):"):
        answer = page.new()
        if choose.asked:
            page.variables["chooser"] = one
            chosen(page, choose.choice, answer)
        else:
            with page.element(".it", one):
                chosen(page, choose.choice, answer, left)
        page.line(f"{found}[{one}] = {answer}")
        if left is not None:
            page.line(f"if {left} is not None: {left} -= {answer}")
    page.line(f"{value} = {found}")


def _turn(page: FunctionWriter, turn: ir.Turn, trail: Trail, value: str | None) -> None:
    from interpreter.codegen.rules import boundary

    who = page.new()
    page.line(f"{who} = {page.text(turn.who)}")
    boundary(page, "turn_begins", who)
    with page.inside():
        block(page, turn.steps, trail, value is not None)
        record = _record(page, turn.steps) if value is not None else None
    boundary(page, "turn_ends", who)
    page.line(f"{page.script.bind(ending(page.script, 'turn'))}({who})")
    _gives(page, value, record)


def _pay(page: FunctionWriter, pay: ir.Pay, value: str | None) -> None:
    answer, mix = [said.get(page.script.policy or "") for said in (pay.answers, pay.mixes)]
    agrees, mixed = [f"lambda: {page.text(one)}" if one is not None else "lambda: None" for one in (answer, mix)]
    purses = []
    for spot, rate in pay.purses:
        key = page.text(spot.key) if spot.key is not None else "None"
        purses.append(f"({page.text(spot.thing)}, {key}, {page.text(rate) if rate is not None else 1}), ")
    work = page.script.bind(paid(page.script, pay))
    _gives(page, value, f"{work}({page.text(pay.amount)}, ({''.join(purses)}), {agrees}, {mixed})")


def _act(page: FunctionWriter, act: ir.Act, value: str | None) -> None:
    from interpreter.codegen.actions import acted

    deed = page.script.program.actions[act.action]
    given = passed(page, deed.rule, act.given)
    deeper(page, f"{acted(page.script, deed)}({page.text(act.actor)}, False, {given})", value)


# Dice ------------------------------------------------------------------------------------------------------------


def _pools(page: FunctionWriter, parts: Sequence[tuple[str | None, ir.Formula]]) -> str:
    return "(" + "".join(f"({page.text(formula)}, {name!r}), " for name, formula in parts) + ")"


Pools = Sequence[tuple[tuple[Die, ...], str | None]]
NO_NAMES: dict[str, Any] = {}


def _parted(pools: Pools) -> list[tuple[Die, str | None]]:
    """Each die with the part of the roll that it is in."""
    dice = [(die, name) for pool, name in pools for die in pool]
    if len(dice) > MOST_DICE:
        raise NotGenerated
    return dice


def _laid(script: GeneratedModule) -> Callable[[Pools], tuple[Thrown, ...]]:
    """Dice thrown once."""
    run, thrown = script.run, script.names["thrown"]

    def laid(pools: Pools) -> tuple[Thrown, ...]:
        dice, first = _parted(pools), run.dice
        faces = thrown(tuple([die for die, _ in dice]))
        found = []
        for n, ((die, name), face) in enumerate(zip(dice, faces, strict=True)):
            worth = face_number(face)
            found.append(Thrown(die, name, first + n, (Toss(face, 1, worth, NO_NAMES),), worth))
        return tuple(found)

    return laid


def _chains(page: FunctionWriter, toss: ir.RollDice, trail: Trail, value: str) -> None:
    """Dice with what is done for every throw, and when one is thrown again."""
    bind = page.script.bind
    dice, first, faces, found, earlier = (page.new() for _ in range(5))
    die, part, face, n, throws, number, nth, tags, counts, size, named, fuse = (page.new() for _ in range(12))
    fields = page.script.fields_read
    kept = [one for one in toss.each if fields is None or one.name in fields]
    page.line(f"{dice} = {bind(_parted)}({_pools(page, toss.parts)})")
    page.line(f"{first} = run.dice")
    page.line(f"{faces} = thrown(tuple([one for one, _ in {dice}]))")
    page.line(f"{fuse} = {page.text(toss.guard) if toss.guard is not None else ir.GUARD}")
    page.line(f"{found} = []")
    page.line(f"{earlier} = []")
    with page.inside(), page.under(f"for {n}, (({die}, {part}), {face}) in enumerate(zip({dice}, {faces})):"):
        page.line(f"{throws} = []")
        page.line(f"{size} = {die}.size")
        page.line(f"{tags} = {die}.tags")
        page.variables.update(size=size, tags=tags, part=part, face=number, nth=nth)
        with page.under("while True:"):
            page.line(f"{number} = {face} if type({face}) is int else {bind(face_number)}({face})")
            page.line(f"{nth} = len({throws}) + 1")
            if "earlier" in page.read:
                page.variables["earlier"] = page.new()
                page.line(f"{page.variables['earlier']} = tuple({earlier})")
            for one in toss.each:  # what is kept of each throw is bound, and what is read
                page.line("run.steps += 1")
                step(page, one, (*trail, one.name), one in kept)
            page.line("if run.steps > run.most_steps: raise Unwritten")
            page.line(f"{counts} = {page.text(toss.counts) if toss.counts is not None else number}")
            page.variables["counts"] = counts
            page.line(f"{named} = {_record(page, kept)}")
            page.line(f"{throws}.append({bind(Toss)}({face}, {nth}, {counts}, {named}))")
            page.line(f"{earlier}.append({named})")
            page.line(f"if not {page.text(toss.again)}: break" if toss.again is not None else "break")
            page.line(f"if {nth} >= {fuse}: raise Unwritten")
            page.line(f"{face} = thrown(({die},))[0]")
        total = f"{throws}[0].counts if len({throws}) == 1 else sum([one.counts for one in {throws}])"
        page.line(f"{found}.append({bind(Thrown)}({die}, {part}, {first} + {n}, tuple({throws}), {total}))")
    page.line(f"{value} = tuple({found})")


# What the walk does ----------------------------------------------------------------------------------------------


def _left_to_the_walk(page: FunctionWriter, one: ir.Step, trail: Trail, value: str | None) -> None:
    script = page.script
    bare = replace(one, condition=None, instead=None)
    work = script.bind(_walking(script, bare, trail))
    event = page.variables.get(CHANGED)
    if event is not None:
        inside = page.new()
        page.line(f"{inside} = {page.writer.frame()}")
        with page.under("try:"):
            _gives(page, value, f"{work}({inside})")
        with page.under("finally:"):
            page.line(f"{event} = {inside}[{CHANGED!r}]")
    else:
        _gives(page, value, f"{work}({page.writer.frame()})")


def _walking(script: GeneratedModule, one: ir.Step, trail: Trail) -> Callable[[Frame], Any]:
    """A step as it is walked: its value, from a frame; the state is afterwards as it has left it."""
    made: list[Any] = []

    def walking(given: Frame) -> Any:
        if not made:
            made.append(inner_steps(script.walker, (one,), trail[:-1])[0])
        compiled, count = made[0], script.run
        if compiled.plain is not None:
            return compiled.plain(given)
        if count.source is None:
            raise NotGenerated
        run = SilentRun(Budget(count.most_steps, count.most_dice))
        run.steps, run.dice, run.nested = count.steps, count.dice, count.nested
        before = given[STATE] = script.live.still
        try:
            value = drive(compiled.walk(given, run), count.source, script.answers)
        except MechanicEnded as end:
            script.become(end.frame[STATE])
            kept(end.frame, given)
            raise
        finally:
            count.steps, count.dice = run.steps, run.dice
        if given[STATE] is not before:
            script.become(given[STATE])
        return value

    return walking

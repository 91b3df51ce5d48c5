"""One step, and the steps of a block: what is needed of each, its condition, and the form of its result."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from interpreter import ir
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.passes import name_before
from interpreter.odds.liveness import LAST, Path, Use
from interpreter.odds.lower.lowering import Lowering
from interpreter.odds.lower.records import pass_on_end, record_of, remove_fields
from interpreter.odds.matching import is_hidden
from interpreter.odds.open_rolls import may_be_open
from interpreter.odds.operations import (
    ALL,
    MARKS,
    NOTHING,
    Block,
    EndedValue,
    EnterBlock,
    Frame,
    Need,
    Op,
    Reads,
    Todo,
    WithState,
    build_block,
    map_result,
    need_of,
    needs_of_fields,
)
from interpreter.play.steps import converter_of_step
from interpreter.runtime.evaluator import Closure
from interpreter.runtime.operations import as_number
from interpreter.runtime.state import STATE

FOLLOWED = (ir.Call, ir.StepGroup, ir.RollDice, ir.Repeat, ir.ForEach, ir.Draw, ir.Turn, ir.Offer)
"""Actions that are followed step by step even if inner steps change the state; others are played then."""

REPEATED = (ir.RollDice, ir.Repeat, ir.ForEach)
"""Those of them whose inner steps run again and again: they are played where dice may last in the state."""

READ_FIRST = (
    ir.Call, ir.Shift, ir.Pay, ir.Assign, ir.Include, ir.Exclude, ir.Make, ir.Destroy, ir.Cause, ir.Act, ir.ChangeEvent,
    ir.CancelEvent,
)  # fmt: skip
"""Actions that read everything they need of their own rule before they change anything."""

MAY_GIVE_ROLLS = (ir.Let, ir.RollDice, ir.Reroll)
"""Actions whose value may be an open roll. Stages convert their values themselves."""


def lower_steps(
    lowering: Lowering, steps: Iterable[ir.Step], asked: Mapping[str, Need], later: list[Path], trail: tuple[str, ...]
) -> list[Op]:
    """The steps that something needs: `asked` of each name when all are done, or touched by `later` operations.

    They are lowered from the last one up, so that what is needed of each is known.
    """
    made: list[Op] = []
    steps = list(steps)
    at_end = [*later, *[(name, *path) for name, need in asked.items() for path in need]]
    paths = [*at_end]
    for place, step in reversed(list(enumerate(steps))):
        need = need_of(step.name, paths)
        if not need and not lowering.may_end(step) and not lowering.may_change_state(step):
            continue
        read = lowering.draws.get(step.path)
        if read is not None:
            others = [*at_end, *[path for op in made if op.name not in read.row for path in op.touches]]
            lowering.draws[step.path] = replace(read, state=any(path[0] == STATE for path in others))
        op = lower_step(lowering, step, need, (*trail, step.name))
        if lowering.asking and isinstance(step.action, ir.Choose):
            op.touches |= _results_in_advice(lowering, steps[:place], {path[0] for path in paths} | {step.name})
        made.append(op)
        paths += op.touches
    made.reverse()
    return made


def _results_in_advice(lowering: Lowering, before: Sequence[ir.Step], later: set[str]) -> set[Path]:
    """The results of steps before a choice that advice names, numbers, truths and words rather than dice, where they
    follow from what is read `later` anyway: others would only multiply the states."""
    names = {one.name for one in before}
    named_results: set[Path] = set()
    for one in before:
        if isinstance(one.action, ir.Let) and isinstance(t.without_maybe(one.type), (t.Number, t.YesNo, t.Word)):
            _, read = lowering.reads((one.action.formula, one.condition, one.instead))
            if all(path[0] not in names or path[0] in later or path[:1] in named_results for path in read):
                named_results.add((one.name,))
    return named_results


def lower_step(lowering: Lowering, step: ir.Step, need: Need, trail: tuple[str, ...], keeps: bool = False) -> Op:
    """One step; `keeps` marks a stage, whose name keeps its value if the stage is skipped."""
    if lowering.is_left_out(step.action):  # its record is asked for as a part of another, and not read
        return Op(step.name, *NOTHING, plain=lambda at: None)
    condition, instead = step.condition, step.instead
    if instead is None and not keeps and isinstance(step.action, ir.Choose):
        instead = step.action.default
    # A roll in place of a step that is skipped is only passed on.
    formulas = [(one.body, one is instead) for one in (condition, instead) if one is not None]
    uses, touches = lowering.reads_of(formulas) if formulas else NOTHING
    serial = lowering.next_serial()
    form = converter_of_step(step)
    if lowering.may_change_state(step):
        op = _lower_changing_step(lowering, step, need, trail, serial)
    elif form is as_number and isinstance(step.action, MAY_GIVE_ROLLS):
        op = _read_as_number(lowering, step, trail)
    else:
        op = lower_action(lowering, step, need, trail)
    if condition or instead:
        op.guard, op.instead = lowering.closure_of(condition), lowering.closure_of(instead)
        op.touches |= touches
        if op.guard:
            op.guard_uses = uses
        else:
            op.uses += uses
    op.keeps = keeps
    op.serial = serial
    op.ends = op.ends or lowering.may_end(step)
    if form is not None and not op.changes:
        _convert_result(op, form)
    if keeps:
        op.touches |= {(step.name,)}
    return op


def lower_action(lowering: Lowering, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """The action of a step, its condition left aside."""
    return lowering.verbs.of[type(step.action)](lowering, step.action, step, need, trail)


def _convert_result(op: Op, form: Callable[[Any], Any]) -> None:
    """Convert the value of a step to the form of its type."""

    def shape(value: Any) -> Any:
        return value if isinstance(value, EndedValue) else form(value)

    if op.plain is not None:
        plain = op.plain
        op.plain, op.formula = lambda at: shape(plain(at)), None
    elif op.start is not None:
        start = op.start
        op.start = lambda at: map_result(start(at), shape)


# Steps that change the state -------------------------------------------------------------------------------------


def _lower_changing_step(lowering: Lowering, step: ir.Step, need: Need, trail: tuple[str, ...], serial: int) -> Op:
    """A step that may change the state: it results in its value and the state after it."""
    played = isinstance(step.action, REPEATED) and lowering.state_may_hold_dice
    if isinstance(step.action, FOLLOWED) and not played:
        op = lower_action(lowering, step, need, trail)
    else:
        op = lowering.verbs.play(lowering, step.action, step, need, trail)
        op.played = lowering.exact and not lowering.state_may_hold_dice  # dice that last name others
    begin, form = op.start, converter_of_step(step)
    assert begin is not None

    def start(at: Frame) -> Todo:
        return map_result(begin(at), partial(bind, at))

    def bind(at: Frame, value: Any) -> Any:
        if isinstance(value, EndedValue):
            return value
        if isinstance(value, WithState):
            result, state = form(value.value) if form is not None else value.value, value.state
        else:
            result, state = remove_fields(value, (STATE,)), value[STATE]
        if lowering.state_may_hold_dice:  # the result and the state may hold the same dice
            return lowering.renumber({step.name: result, STATE: state}, serial, at)
        return {step.name: lowering.renumber(result, serial, at), STATE: state}

    op.start, op.binds_fields, op.changes = start, True, True
    op.reads_after_change = not isinstance(step.action, READ_FIRST)
    op.touches |= {(STATE,)}
    return op


# Rolls of one die that are read as numbers -----------------------------------------------------------------------

ROLLED = ".rolled"
"""The name of a roll that is only read as a number."""


def _read_as_number(lowering: Lowering, step: ir.Step, trail: tuple[str, ...]) -> Op:
    """A step whose type is a number and whose action gives a roll of one die: the roll is read at once."""
    span = step.span
    if isinstance(step.action, ir.Let):
        formula = step.action.formula
        body = ir.Converted(formula.body, "number", step.type, formula.span)
        number = replace(step, action=ir.Let(replace(formula, body=body, type=step.type)))
        return lower_action(lowering, number, ALL, trail)
    kind = t.Roll(1, True)
    rolled = lower_step(lowering, replace(step, name=ROLLED, type=kind, condition=None, instead=None), ALL, trail)
    read = lower_number_of(lowering, ROLLED, kind, step.name, span)
    block = build_block([rolled, read], {step.name: ALL}, lambda at: at[step.name], pass_on_end)
    return op_with_blocks(step.name, NOTHING, [block], lambda at: EnterBlock(block, at))


def lower_number_of(lowering: Lowering, name: str, kind: t.Type, into: str, span: Span) -> Op:
    """Read the value of one name, which may be a roll of one die, as a number under another name."""
    body = ir.Converted(ir.Local(name, kind, span), "number", t.NUMBER, span)
    reads = lowering.reads_of([(body, False)])
    return Op(into, *reads, plain=lowering.closures.closure_of_expression(body), formula=body)


# Steps inside steps ----------------------------------------------------------------------------------------------

DRAWN = ".drawn"
"""The name of the operation at the end of a pass or a throw that reads rolls, so that none of them stays open."""


def op_with_blocks(name: str, read: Reads, blocks: list[Block], start: Callable[[Frame], Todo]) -> Op:
    """A step with inner blocks; `read` is what its own formulas read, outside of these blocks."""
    uses, touches = read
    uses += tuple(use for block in blocks for use in block.outside)
    touches |= frozenset(path for block in blocks for path in block.touches)
    return Op(name, uses, touches, start=start, asks=any(block.asks for block in blocks))


def uses_of_repeated_steps(uses: Iterable[Use]) -> tuple[Use, ...]:
    """Uses by steps that are done repeatedly: what they only pass on must be the same roll each time."""
    return tuple(replace(use, passed=False) if use.passed else use for use in uses)


def block_with_earlier(
    block_with: Callable[[Need], Block], touches: Iterable[Path] = (), carry: Iterable[str] = ()
) -> tuple[Block, Need, dict[str, Need]]:
    """The block of a pass or a throw that keeps what later ones read of it, what they read of it in `earlier`, and of
    each of the names that passes `carry` on.

    `block_with` makes the block for it; `touches` are paths that are read besides. What is kept may read more of those
    before in turn.
    """
    past: Need = frozenset()
    carried: dict[str, Need] = {name: frozenset() for name in carry}
    while True:
        on = {(name, *path) for name, need in carried.items() for path in need - {(LAST,)}}
        block = block_with(frozenset((past - MARKS) | on))
        paths = [*block.paths, *touches]
        found = need_of("earlier", paths)
        read = {name: need_of(name_before(name), paths) for name in carried}
        if found - MARKS == past - MARKS and read == carried:
            return block, found, read
        past, carried = found, read


def end_op(lowering: Lowering, name: str, formula: ir.Formula) -> Op:
    """A formula that is computed when the other steps of a block are done."""
    return Op(name, *lowering.reads([formula]), plain=lowering.closures.of(formula), formula=formula.body)


def plain_op(lowering: Lowering, name: str, formulas: Iterable[ir.Formula | None], make: Callable[[], Closure]) -> Op:
    """A step that only computes something from formulas: what they read is named before `make` compiles them."""
    return Op(name, *lowering.reads(formulas), plain=make())


def lower_group(lowering: Lowering, action: ir.StepGroup, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    """`steps: {…}`: a block that results in a record of its steps."""
    block = record_block(lowering, action.steps, need, trail, with_state=lowering.may_change_state(step))
    return op_with_blocks(step.name, NOTHING, [block], lambda at: EnterBlock(block, at))


def record_block(
    lowering: Lowering,
    steps: tuple[ir.Step, ...],
    need: Need,
    trail: tuple[str, ...],
    given: tuple[str, ...] = (),
    extra: Collection[Path] = (),
    last: Sequence[Op] = (),
    with_state: bool = False,
    done: Literal["once", "again", "in a throw"] = "once",
) -> Block:
    """A block that results in a record of its steps; hidden ones are no part of a record that is asked for whole, but
    later steps may read them beside it.

    `given` are names that the block gets from its step. `extra` are paths that are needed besides `need`. `last` are
    operations at the end whose values are in the record as well; with `with_state`, so is the state. At its end some
    rolls must be drawn: in a throw all of them, as a die cannot hold an open roll; in a pass those that `extra` leads
    to, as the next pass reads them from a list, and those that a player knows at a choice in the next pass.
    """
    names = [step.name for step in steps]
    of_author = [name for name in names if not is_hidden(name)]
    asked: dict[str, Need] = dict(needs_of_fields(need))
    if () in need:
        asked |= dict.fromkeys(of_author, ALL)
    extra = [(name,) for name in of_author] if () in extra else [*extra]
    for path in extra:
        if path[0] in names:
            asked[path[0]] = asked.get(path[0], frozenset()) | {path[1:]}
    ops = lower_steps(lowering, steps, asked, [path for op in last for path in op.touches], trail)
    player_knows = done == "again" and lowering.asking and any(op.asks for op in ops)
    shown = asked if player_knows or done == "in a throw" else {path[0] for path in extra}
    rolls = [Use((one.name,)) for one in steps if one.name in shown and one.name in asked and may_be_open(one.type)]
    if rolls:
        last = [*last, Op(DRAWN, tuple(rolls), frozenset(), plain=lambda at: None)]
    asked |= {op.name: ALL for op in last} | ({STATE: ALL} if with_state else {})
    order = (*names, *(op.name for op in last), STATE)
    gives = record_of({name: asked[name] for name in order if name in asked})
    return build_block([*ops, *last], asked, gives, pass_on_end, given)

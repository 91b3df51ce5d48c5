"""Steps that change attributes of objects, as Python: points and tracks, values, lists, payments.

A simple change is written out in the function of its rule. Any other is a call of a closure that is made once for
the attribute, by kind and name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from interpreter import ir
from interpreter.codegen.choices import policy_says
from interpreter.codegen.expressions import has_destroying_steps
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule, NotGenerated, Trail
from interpreter.codegen.steps import leading_step, write_block, write_call_of_play, write_result
from interpreter.ir import types as t
from interpreter.ir.by_word import purse_name
from interpreter.ir.limits import constraints_of, has_limits, record_fields
from interpreter.ir.types import LARGEST
from interpreter.play.effects import MOST_NESTED, preferred_mix, ways_to_pay
from interpreter.play.run import Record
from interpreter.runtime import objects
from interpreter.runtime.constraints import constraints_check
from interpreter.runtime.functions import Bag
from interpreter.runtime.state import make_timer, timers_within
from interpreter.values import Thing

Bound = Callable[[Thing, Any], int | None]
"""The lower or upper bound of a number of an object, at a key if it is one of several."""


# Verbs -----------------------------------------------------------------------------------------------------------


def write_shift_step(writer: FunctionWriter, action: ir.Shift, step: ir.Step, trail: Trail, value: str | None) -> None:
    target = action.target
    if not _is_one_value(writer.module, target):
        write_call_of_play(writer, action, step, trail, value)
    elif not write_shift(writer, target, action.amount, action.down, value):
        function = shift_function(writer.module, target.kind, target.name, action.down)
        with leading_step(writer, step.path):
            _write_call_with_target(writer, target, function, writer.text(action.amount), value)


def write_assign_step(
    writer: FunctionWriter, action: ir.Assign, step: ir.Step, trail: Trail, value: str | None
) -> None:
    target = action.target
    if not _is_one_value(writer.module, target):
        write_call_of_play(writer, action, step, trail, value)
    elif not write_assignment(writer, target, writer.text(action.value), value):
        function = assign_function(writer.module, target.kind, target.name)
        _write_call_with_target(writer, target, function, writer.text(action.value), value)


def _write_call_with_target(
    writer: FunctionWriter, target: ir.Lvalue, function: Callable[..., Record], argument: str, value: str | None
) -> None:
    """Call a function with the object of a target, an argument, and the key of the target if it has one."""
    key = f", {writer.text(target.key)}" if target.key is not None else ""
    write_result(writer, value, f"{writer.module.bind(function)}({writer.text(target.thing)}, {argument}{key})")


def write_include(writer: FunctionWriter, action: ir.Include, step: ir.Step, trail: Trail, value: str | None) -> None:
    target, lasts = action.target, action.lasts
    if not _is_one_value(writer.module, target):
        write_call_of_play(writer, action, step, trail, value)
        return
    until = repr(lasts) if lasts is None or isinstance(lasts, str) else writer.text(lasts)
    function = writer.module.bind(include_function(writer.module, target.kind, target.name))
    write_result(writer, value, f"{function}({writer.text(target.thing)}, {writer.text(action.value)}, {until})")


def write_exclude(writer: FunctionWriter, action: ir.Exclude, step: ir.Step, trail: Trail, value: str | None) -> None:
    target = action.target
    if not _is_one_value(writer.module, target):
        write_call_of_play(writer, action, step, trail, value)
        return
    function = writer.module.bind(exclude_function(writer.module, target.kind, target.name))
    write_result(writer, value, f"{function}({writer.text(target.thing)}, {writer.text(action.value)})")


def write_pay(writer: FunctionWriter, action: ir.Pay, step: ir.Step, trail: Trail, value: str | None) -> None:
    if not all(_is_one_value(writer.module, target) for target, _ in action.purses):
        write_call_of_play(writer, action, step, trail, value)
        return
    target, rate = action.purses[0]
    alone = len(action.purses) == 1 and rate is None and not action.may_refuse
    if not (alone and write_shift(writer, target, action.amount, True, value, paid=True)):
        _write_payment(writer, action, step, value)


def _write_payment(writer: FunctionWriter, pay: ir.Pay, step: ir.Step, value: str | None) -> None:
    outer = writer.variable()
    if writer.module.keeps_calls:
        writer.line(f"{outer} = run.calls")
    says = [policy_says(writer, answers, outer) for answers in (pay.answers, pay.mixes)]
    agrees, mixed = [f"lambda: {one[0]}" if one is not None else "lambda: None" for one in says]
    purses = []
    for target, rate in pay.purses:
        key = writer.text(target.key) if target.key is not None else "None"
        purses.append(f"({writer.text(target.thing)}, {key}, {writer.text(rate) if rate is not None else 1}), ")
    work = writer.module.bind(pay_function(writer.module, pay))
    with leading_step(writer, step.path):
        write_result(writer, value, f"{work}({writer.text(pay.amount)}, ({''.join(purses)}), {agrees}, {mixed})")


# Places and their bounds ------------------------------------------------------------------------------------------


def _is_one_value(module: GeneratedModule, target: ir.Lvalue) -> bool:
    """Whether a target is one value: a map as a whole is left to play."""
    one = module.program.kinds[target.kind].has[target.name]
    return (one.per is None) == (target.key is None)


def write_bounds_check(writer: FunctionWriter, one: ir.Declaration, value: str) -> None:
    """Write the check that a value fits its declaration."""
    if record_fields(writer.module.program, one) and has_limits(writer.module.program, one):
        check = writer.module.bind(constraints_check(writer.module.closures, one))
        writer.line(f"{check}({value}, {writer.expressions.frame()})")
        return
    if not any(constraints_of(one)):
        return
    with writer.block(f"if {value} is not None:"):
        for end, sign in ((one.low, "<"), (one.high, ">")):
            if end is not None and not isinstance(end.type, t.Maybe):
                writer.line(f"if {value} {sign} {writer.text(end)}: raise NotGenerated")
            elif end is not None:
                edge = writer.variable()
                writer.line(f"{edge} = {writer.text(end)}")
                writer.line(f"if {edge} is not None and {value} {sign} {edge}: raise NotGenerated")
        for end, sign in ((one.fewest, "<"), (one.most, ">")):
            if end is not None:
                writer.line(f"if len({value}) {sign} {writer.text(end)}: raise NotGenerated")
        if one.among is not None:
            are_among = writer.module.bind(_are_candidates)
            writer.line(f"if not {are_among}({value}, {writer.text(one.among)}): raise NotGenerated")
        if one.where is not None:
            with writer.element(".it", value):
                writer.line(f"if not {writer.text(one.where)}: raise NotGenerated")


def _are_candidates(value: Any, candidates: Sequence[Any]) -> bool:
    """Whether a value, or each element of several, is a candidate, and none more often than it is one."""
    left = Bag(candidates)
    return all(left.take(one) for one in (value if type(value) is tuple else (value,)))


def owner_function(module: GeneratedModule, formula: ir.Formula) -> Callable[[Thing, Any], Any]:
    """A formula of a kind as a function of an object of that kind, and of the word of a value with `per`."""

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, ("owner", ir.WORD), formula)
        writer.line(f"return {writer.text(formula)}")
        return writer.source

    name, names = module.function(("of owner", id(formula)), write), module.names
    return lambda thing, key: names[name](thing, key)


def _bound(module: GeneratedModule, end: ir.Formula | None) -> Bound:
    if end is None:
        return lambda thing, key: None
    if isinstance(end.body, ir.Constant):
        value = end.body.value
        return lambda thing, key: value
    return owner_function(module, end)


def settle_function(module: GeneratedModule, kind: str, name: str) -> Callable[[Thing], None] | None:
    """A function that moves values back inside bounds which depend on an attribute; None if no bound does."""
    own = objects.numbers_moved_by(module.program, kind, name)
    if not own and not objects.numbers_bounded_by_others(module.program, kind, name):
        return None
    return module.make_once(("settle", kind, name), lambda: _make_settle(module, name))


def _make_settle(module: GeneratedModule, name: str) -> Callable[[Thing], None]:
    program, state = module.program, module.state

    def settle(thing: Thing) -> None:
        todo = [(thing, name)]
        for at, moved in todo:
            for one in objects.numbers_moved_by(program, at.kind, moved):
                if _clamp_function(module, at.kind, one)(at):
                    todo.append((at, one.name))
            for one, kind in objects.numbers_bounded_by_others(program, at.kind, moved):
                keep = _clamp_function(module, kind, one)
                todo += [(other, one.name) for other in state.of_kind(kind) if keep(other)]

    return settle


def _clamp_function(module: GeneratedModule, kind: str, one: ir.HeldAttribute) -> Callable[[Thing], bool]:
    """A function that moves points or a track back inside its bounds, made once; it tells whether they were outside."""
    return module.make_once(("clamp", kind, one.name), lambda: _make_clamp(module, kind, one))


def _make_clamp(module: GeneratedModule, kind: str, one: ir.HeldAttribute) -> Callable[[Thing], bool]:
    name, low, high = one.name, _bound(module, one.declared.low), _bound(module, one.declared.high)
    has, caches = module.state.has_by_id, module.caches_of((kind, one.name))

    def clamp(thing: Thing, key: Any, value: int) -> int:
        floor, ceiling = low(thing, key), high(thing, key)
        inside = value if floor is None else max(value, floor)
        return inside if ceiling is None else min(inside, ceiling)

    def keep(thing: Thing) -> bool:
        value = has[thing.id][name]
        inside: Any = None
        if one.per is None:
            inside = clamp(thing, None, value)
        else:
            inside = {key: clamp(thing, key, each) for key, each in value.items()}
        if inside == value:
            return False
        has[thing.id][name] = inside
        for cache in caches:
            cache.clear()
        return True

    return keep


def shift_function(module: GeneratedModule, kind: str, name: str, down: bool) -> Callable[..., Record]:
    """A function that moves points or a track, made once; it takes an object, a number and a key."""
    return module.make_once(("shift", kind, name, down), lambda: _make_shift(module, kind, name, down))


def _make_shift(module: GeneratedModule, kind: str, name: str, down: bool) -> Callable[..., Record]:
    one = module.program.kinds[kind].has[name]
    end = _bound(module, one.declared.low if down else one.declared.high)
    refuses = one.refuses and not down
    has, caches, settle = module.state.has_by_id, module.caches_of((kind, name)), settle_function(module, kind, name)
    when_stopped = follow_function(module, one, "when_empty" if down else "when_full")
    when_stuck = follow_function(module, one, "when_hit_full") if not down else None

    def shift(thing: Thing, by: int, key: Any = None) -> Record:
        values = has[thing.id]
        before = values[name] if key is None else values[name][key]
        bound, excess, after = end(thing, key), 0, before - by if down else before + by
        if bound is not None and (after < bound if down else after > bound):
            excess, after = abs(after - bound), bound
        if by < 0 or (excess and refuses) or not -LARGEST <= after <= LARGEST:
            raise NotGenerated
        if after != before:
            values[name] = after if key is None else {**values[name], key: after}
            for cache in caches:
                cache.clear()
            if settle is not None:
                settle(thing)
        if after == bound:
            if before != bound:
                if when_stopped is not None:
                    when_stopped(thing, key, excess, before)
            elif when_stuck is not None and excess > 0:
                when_stuck(thing, key, excess, before)
        return {"happened": True, "before": before, "after": after, "amount": by - excess, "excess": excess}

    return shift


def _simple_target(module: GeneratedModule, target: ir.Lvalue) -> ir.HeldAttribute | None:
    """The attribute of a target, if a change of it moves no bound and no steps follow; else None."""
    one = module.program.kinds[target.kind].has[target.name]
    ends = [end for end in (one.declared.low, one.declared.high) if end is not None]
    if target.key is not None or not all(isinstance(end.body, ir.Constant) for end in ends):
        return None
    follows = one.when_full or one.when_hit_full or one.when_empty or settle_function(module, target.kind, target.name)
    return None if follows else one


def write_shift(
    writer: FunctionWriter, target: ir.Lvalue, by: ir.Formula, down: bool, value: str | None, paid: bool = False
) -> bool:
    """Write out a simple move of points, which must be there to be `paid`; False, with no line, if it is not simple."""
    one = _simple_target(writer.module, target)
    if one is None:
        return False
    end = one.declared.low if down else one.declared.high
    bound = writer.text(end) if end is not None else "0" if paid else str(-LARGEST if down else LARGEST)
    number, at, before, after = (writer.variable() for _ in range(4))
    writer.line(f"{number} = {writer.text(by)}")
    fixed = writer.expressions.fixed_value(by.body)
    if fixed is None or fixed[0] < 0:
        writer.line(f"if {number} < 0: raise NotGenerated")
    writer.line(f"{at} = has[{writer.expressions.id_of_thing(target.thing.body)}]")
    writer.line(f"{before} = {at}[{one.name!r}]")
    writer.line(f"{after} = {before} {'-' if down else '+'} {number}")
    refuses = paid or end is None or (one.refuses and not down)
    with writer.block(f"if {after} {'<' if down else '>'} {bound}:"):
        writer.line("raise NotGenerated" if refuses else f"{after} = {bound}")
    _write_change(writer, target, at, before, after)
    if value is not None:
        moved = f"{before} - {after}" if down else f"{after} - {before}"
        kept = f" - {bound}" if paid and end is not None else ""  # only points above the lower bound can be paid
        told = f"'before': {before}{kept}, 'after': {after}{kept}, 'amount': {moved}, 'excess': {number} - ({moved})"
        writer.line(f"{value} = {{'happened': True, {told}}}")
    return True


def write_assignment(writer: FunctionWriter, target: ir.Lvalue, to: str, value: str | None) -> bool:
    """Write out a simple assignment; False, with no line, if it is not simple."""
    one = _simple_target(writer.module, target)
    if one is None or isinstance(one.type, t.List) or check_function(writer.module, one) is not None:
        return False  # elements of a list may have timers
    at, before, after = writer.variable(), writer.variable(), writer.variable()
    writer.line(f"{after} = {to}")
    writer.line(f"{at} = has[{writer.expressions.id_of_thing(target.thing.body)}]")
    writer.line(f"{before} = {at}[{one.name!r}]")
    _write_change(writer, target, at, before, after)
    if value is not None:
        writer.line(f"{value} = {{'happened': True, 'before': {before}, 'after': {after}}}")
    return True


def _write_change(writer: FunctionWriter, target: ir.Lvalue, at: str, before: str, after: str) -> None:
    """Write the change of a value, which clears the caches that depend on it."""
    with writer.block(f"if {after} is not {before}:"):
        writer.line(f"{at}[{target.name!r}] = {after}")
        caches = writer.module.bind(writer.module.caches_of((target.kind, target.name)))
        writer.line(f"for cache in {caches}: cache.clear()")


def follow_function(
    module: GeneratedModule, one: ir.HeldAttribute, what: str
) -> Callable[[Thing, Any, int, int], None] | None:
    """A function that runs the steps that follow when a bound is reached; None if there are none."""
    steps: tuple[ir.Step, ...] = getattr(one, what)
    if not steps:
        return None

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, ("owner", ir.WORD, "excess", "before"), steps)
        write_block(writer, steps, (), False)
        return writer.source + "\n pass"

    name, names, run = module.function((one.path, what), write), module.names, module.run

    def run_steps(thing: Thing, key: Any, excess: int, before: int) -> None:
        run.nested += 1
        if run.nested > MOST_NESTED:
            raise NotGenerated
        names[name](thing, key, excess, before)
        run.nested -= 1

    return run_steps


def assign_function(module: GeneratedModule, kind: str, name: str) -> Callable[..., Record]:
    """A function that sets a value, made once; it takes an object, a value and a key."""
    return module.make_once(("set", kind, name), lambda: _make_assign(module, kind, name))


def _make_assign(module: GeneratedModule, kind: str, name: str, checked: bool = True) -> Callable[..., Record]:
    one = module.program.kinds[kind].has[name]
    state, caches, settle = module.state, module.caches_of((kind, name)), settle_function(module, kind, name)
    has, check = state.has_by_id, check_function(module, one) if checked else None

    def assign(thing: Thing, after: Any, key: Any = None) -> Record:
        values = has[thing.id]
        before = values[name] if key is None else values[name][key]
        if check is not None:
            check(thing, key, after)
        if after is not before:
            values[name] = after if key is None else {**values[name], key: after}
            for cache in caches:
                cache.clear()
            if state.timers:
                state.timers = timers_within(state.timers, thing, name, values[name])
            if settle is not None:
                settle(thing)
        return {"happened": True, "before": before, "after": after}

    return assign


def check_function(module: GeneratedModule, one: ir.HeldAttribute) -> Callable[[Thing, Any, Any], None] | None:
    """A function that checks a value against its declaration; None if nothing is declared."""
    declared = one.declared
    kind = t.without_maybe(declared.type)
    element = t.without_maybe(kind.of) if isinstance(kind, t.List) else kind
    may_be_gone = isinstance(element, t.Object) and has_destroying_steps(module.program)
    if not has_limits(module.program, declared) and not may_be_gone:
        return None

    def write(name: str) -> str:
        writer = FunctionWriter(module, name, ("owner", ir.WORD, ".value"), declared)
        value = writer.variables.pop(".value")
        if may_be_gone:
            several = value if isinstance(kind, t.List) else f"({value},)"
            writer.line(f"if not {module.bind(_all_exist)}({several}, has): raise NotGenerated")
        write_bounds_check(writer, declared, value)
        return writer.source + "\n pass"

    name, names = module.function(("checked", one.path), write), module.names
    return lambda thing, key, value: names[name](thing, key, value)


def _all_exist(things: Sequence[Thing | None], has: Mapping[str, Any]) -> bool:
    """Whether none of the objects was destroyed."""
    return all(thing is None or thing.id in has for thing in things)


# Lists ----------------------------------------------------------------------------------------------------------


def include_function(module: GeneratedModule, kind: str, name: str) -> Callable[[Thing, Any, str | int | None], Record]:
    """A function that adds an element to a list, made once; it takes an object, the element and when it is removed."""
    return module.make_once(("include", kind, name), lambda: _make_include(module, kind, name))


def _make_include(module: GeneratedModule, kind: str, name: str) -> Callable[[Thing, Any, str | int | None], Record]:
    one, assign, state = module.program.kinds[kind].has[name], assign_function(module, kind, name), module.state

    def include(thing: Thing, element: Any, until: str | int | None) -> Record:
        held = module.state.has_by_id[thing.id][name]
        if one.declared.among is not None and element in held:
            raise NotGenerated
        assign(thing, (*held, element))
        if until is not None:
            state.timers = (*state.timers, make_timer(thing, name, element, until))
        return {"happened": True}

    return include


def exclude_function(module: GeneratedModule, kind: str, name: str) -> Callable[[Thing, Any], Record]:
    """A function that removes an element from a list, made once."""
    return module.make_once(("exclude", kind, name), lambda: _make_exclude(module, kind, name))


def _make_exclude(module: GeneratedModule, kind: str, name: str) -> Callable[[Thing, Any], Record]:
    has, assign = module.state.has_by_id, _make_assign(module, kind, name, checked=False)

    def exclude(thing: Thing, element: Any) -> Record:
        held = list(has[thing.id][name])
        if element not in held:
            return {"happened": False}
        held.remove(element)
        assign(thing, tuple(held))
        return {"happened": True}

    return exclude


# Paying ----------------------------------------------------------------------------------------------------------


Purse = tuple[Thing, Any, int]
"""The owner of points, their key, and the price that one of them pays."""

Answer = Callable[[], Any]
"""Evaluates the answer of a policy; None if it gives none."""


def pay_function(module: GeneratedModule, pay: ir.Pay) -> Callable[[int, Sequence[Purse], Answer, Answer], Record]:
    """A function that pays a price from purses, if the payer agrees, in the mix that the policy prefers."""
    names, called = [target.name for target, _ in pay.purses], [purse_name(target) for target, _ in pay.purses]
    lows = [_bound(module, module.program.kinds[target.kind].has[target.name].declared.low) for target, _ in pay.purses]
    shifts = [shift_function(module, target.kind, target.name, True) for target, _ in pay.purses]
    has, alone = module.state.has_by_id, len(pay.purses) == 1

    def pay_price(price: int, purses: Sequence[Purse], agrees: Answer, mixed: Answer) -> Record:
        if price < 0:
            raise NotGenerated
        there = []
        for name, low, (thing, key, rate) in zip(names, lows, purses, strict=True):
            value = has[thing.id][name]
            value = value if key is None else value[key]
            there.append((max(value - (low(thing, key) or 0), 0), rate))
        if alone and there[0][1] == 1:
            ways: list[tuple[int, ...]] = [(price,)] if price <= there[0][0] else []
        else:
            ways = ways_to_pay(price, there)
        before = sum([value for value, _ in there])
        refused = not ways
        if refused and not pay.may_refuse:
            raise NotGenerated
        if not refused and pay.may_refuse and price > 0:
            agreed = agrees()
            agreed = True if agreed is None else agreed
            if type(agreed) is not bool:
                raise NotGenerated
            refused = not agreed
        if refused:
            return {"happened": False, "before": before, "after": before, "amount": 0, "excess": price}
        wanted = mixed() if len(ways) > 1 else None
        mix = ways[preferred_mix(wanted, called, ways) if wanted is not None else 0]
        for shift, (thing, key, _), number in zip(shifts, purses, mix, strict=True):
            if number or alone:
                shift(thing, number, key)
        spent = sum(mix)
        return {"happened": True, "before": before, "after": before - spent, "amount": spent, "excess": 0}

    return pay_price

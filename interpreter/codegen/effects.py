"""Changes of what lasts, made ready for one place: points and tracks, values, payments, what ends with a span."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter import ir
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule, NotGenerated
from interpreter.ir import types as t
from interpreter.play.effects import MOST_NESTED, spent_first, ways_to_pay
from interpreter.play.run import Record
from interpreter.runtime import objects
from interpreter.runtime.constraints import held_to
from interpreter.runtime.evaluator import LARGEST
from interpreter.runtime.state import STATE, marks_after, timer
from interpreter.syntax.grammar import SPANS
from interpreter.values import Thing

THERE = "", ""
"""What hangs on which things there are reads this."""

End = Callable[[Thing], int | None]
"""A bound of a number that a thing has."""


def placed(script: GeneratedModule, spot: ir.Lvalue) -> bool:
    """Whether what is changed is one value, as those are that are changed here."""
    one = script.program.kinds[spot.kind].has[spot.name]
    return (one.per is None) == (spot.key is None)


def bounds(page: FunctionWriter, one: ir.Declaration, value: str) -> None:
    """Lines which hold a value to what is declared of it."""
    if not any(held_to(one)):
        return
    with page.under(f"if {value} is not None:"):
        for end, sign in ((one.low, "<"), (one.high, ">")):
            if end is not None and not isinstance(end.type, t.Maybe):
                page.line(f"if {value} {sign} {page.text(end)}: raise Unwritten")
            elif end is not None:
                edge = page.new()
                page.line(f"{edge} = {page.text(end)}")
                page.line(f"if {edge} is not None and {value} {sign} {edge}: raise Unwritten")
        for end, sign in ((one.fewest, "<"), (one.most, ">")):
            if end is not None:
                page.line(f"if len({value}) {sign} {page.text(end)}: raise Unwritten")
        if one.among is not None:
            candidates = page.new()
            page.line(f"{candidates} = {page.text(one.among)}")
            with page.under(f"for each in {value} if type({value}) is tuple else ({value},):"):
                page.line(f"if each not in {candidates}: raise Unwritten")
        if one.where is not None:
            with page.element(".it", value):
                page.line(f"if not {page.text(one.where)}: raise Unwritten")


def of_owner(script: GeneratedModule, formula: ir.Formula) -> Callable[[Thing], Any]:
    """A formula of a kind, for one of its things."""

    def write(name: str) -> str:
        page = FunctionWriter(script, name, ("owner",), formula)
        page.line(f"return {page.text(formula)}")
        return page.whole

    name, names = script.function(("of owner", id(formula)), write), script.names
    return lambda thing: names[name](thing)


def _end(script: GeneratedModule, end: ir.Formula | None) -> End:
    if end is None:
        return lambda thing: None
    if isinstance(end.body, ir.Constant):
        value = end.body.value
        return lambda thing: value
    return of_owner(script, end)


def _settling(script: GeneratedModule, kind: str, name: str) -> Callable[[Thing], None] | None:
    """What keeps the values inside their bounds that may have moved with what things of a kind have under a name."""
    own = [_kept_inside(script, kind, one) for one in objects.moved_by(script.program, kind, name)]
    others = [(of, _kept_inside(script, of, one)) for one, of in objects.bounded_by_others(script.program)]
    live = script.live
    if not own and not others:
        return None

    def settle(thing: Thing) -> None:
        for keep in own:
            keep(thing)
        for of, keep in others:
            for other in live.of_kind(of):
                keep(other)

    return settle


def _kept_inside(script: GeneratedModule, kind: str, one: ir.HeldAttribute) -> Callable[[Thing], None]:
    name, low, high = one.name, _end(script, one.declared.low), _end(script, one.declared.high)
    has, known = script.live.has_by_id, script.touched((kind, one.name))

    def keep(thing: Thing) -> None:
        value, floor, ceiling = has[thing.id][name], low(thing), high(thing)
        inside = value if floor is None else max(value, floor)
        inside = inside if ceiling is None else min(inside, ceiling)
        if inside != value:
            has[thing.id][name] = inside
            for each in known:
                each.clear()

    return keep


def shifted(script: GeneratedModule, kind: str, name: str, down: bool) -> Callable[..., Record]:
    """What moves points or a track, by thing, number and key, made once."""
    return script.once(("shift", kind, name, down), lambda: _shifted(script, kind, name, down))


def _shifted(script: GeneratedModule, kind: str, name: str, down: bool) -> Callable[..., Record]:
    one = script.program.kinds[kind].has[name]
    end = _end(script, one.declared.low if down else one.declared.high)
    refuses = one.refuses and not down
    has, known, settle = script.live.has_by_id, script.touched((kind, name)), _settling(script, kind, name)
    when_stopped = follow(script, one, "when_empty" if down else "when_full")
    when_stuck = follow(script, one, "when_hit_full") if not down else None

    def shift(thing: Thing, by: int, key: Any = None) -> Record:
        values = has[thing.id]
        before = values[name] if key is None else values[name][key]
        bound, excess, after = end(thing), 0, before - by if down else before + by
        if bound is not None and (after < bound if down else after > bound):
            excess, after = abs(after - bound), bound
        if by < 0 or (excess and refuses) or not -LARGEST <= after <= LARGEST:
            raise NotGenerated
        if after != before:
            values[name] = after if key is None else {**values[name], key: after}
            for each in known:
                each.clear()
        if settle is not None:  # though nothing moved here: a bound may have, when something ended
            settle(thing)
        if after == bound:
            if before != bound:
                if when_stopped is not None:
                    when_stopped(thing, excess, before)
            elif when_stuck is not None and excess > 0:
                when_stuck(thing, excess, before)
        return {"happened": True, "before": before, "after": after, "amount": by - excess, "excess": excess}

    return shift


def _plain(script: GeneratedModule, spot: ir.Lvalue) -> ir.HeldAttribute | None:
    """What is declared of a place, if a change of it is nothing but that: no bound moves, and nothing follows."""
    one = script.program.kinds[spot.kind].has[spot.name]
    ends = [end for end in (one.declared.low, one.declared.high) if end is not None]
    if spot.key is not None or not all(isinstance(end.body, ir.Constant) for end in ends):
        return None
    follows = one.when_full or one.when_hit_full or one.when_empty or _settling(script, spot.kind, spot.name)
    return None if follows else one


def shift_written(
    page: FunctionWriter, spot: ir.Lvalue, by: ir.Formula, down: bool, value: str | None, paid: bool = False
) -> bool:
    """Write out what moves points, where it is plain; where they are `paid`, they have to be there. False where not."""
    one = _plain(page.script, spot)
    if one is None:
        return False
    end = one.declared.low if down else one.declared.high
    bound = page.text(end) if end is not None else "0" if paid else str(-LARGEST if down else LARGEST)
    number, at, before, after = (page.new() for _ in range(4))
    page.line(f"{number} = {page.text(by)}")
    fixed = page.writer.fixed(by.body)
    if fixed is None or fixed[0] < 0:
        page.line(f"if {number} < 0: raise Unwritten")
    page.line(f"{at} = has[{page.writer.whose(spot.thing.body)}]")
    page.line(f"{before} = {at}[{one.name!r}]")
    page.line(f"{after} = {before} {'-' if down else '+'} {number}")
    refuses = paid or end is None or (one.refuses and not down)
    with page.under(f"if {after} {'<' if down else '>'} {bound}:"):
        page.line("raise Unwritten" if refuses else f"{after} = {bound}")
    _put(page, spot, at, before, after)
    if value is not None:
        moved = f"{before} - {after}" if down else f"{after} - {before}"
        kept = f" - {bound}" if paid and end is not None else ""  # what can be paid is what is above the lower bound
        told = f"'before': {before}{kept}, 'after': {after}{kept}, 'amount': {moved}, 'excess': {number} - ({moved})"
        page.line(f"{value} = {{'happened': True, {told}}}")
    return True


def assign_written(page: FunctionWriter, spot: ir.Lvalue, to: str, value: str | None) -> bool:
    """Write out what sets a value, where it is plain. False where it is not."""
    one = _plain(page.script, spot)
    if one is None or _checked(page.script, one) is not None:
        return False
    at, before, after = page.new(), page.new(), page.new()
    page.line(f"{after} = {to}")
    page.line(f"{at} = has[{page.writer.whose(spot.thing.body)}]")
    page.line(f"{before} = {at}[{one.name!r}]")
    _put(page, spot, at, before, after)
    if value is not None:
        page.line(f"{value} = {{'happened': True, 'before': {before}, 'after': {after}}}")
    return True


def _put(page: FunctionWriter, spot: ir.Lvalue, at: str, before: str, after: str) -> None:
    """Another value, and what hangs on it is forgotten."""
    with page.under(f"if {after} is not {before}:"):
        page.line(f"{at}[{spot.name!r}] = {after}")
        page.line(f"for known in {page.script.bind(page.script.touched((spot.kind, spot.name)))}: known.clear()")


def follow(script: GeneratedModule, one: ir.HeldAttribute, what: str) -> Callable[[Thing, int, int], None] | None:
    """What is done when a bound is reached, if anything is said of that."""
    steps: tuple[ir.Step, ...] = getattr(one, what)
    if not steps:
        return None

    def write(name: str) -> str:
        from interpreter.codegen.steps import block

        page = FunctionWriter(script, name, ("owner", "excess", "before"), steps)
        block(page, steps, (), False)
        return page.whole + "\n pass"

    name, names, run = script.function((one.path, what), write), script.names, script.run

    def followed(thing: Thing, excess: int, before: int) -> None:
        run.nested += 1
        if run.nested > MOST_NESTED:
            raise NotGenerated
        names[name](thing, excess, before)
        run.nested -= 1

    return followed


def assigned(script: GeneratedModule, kind: str, name: str) -> Callable[..., Record]:
    """What sets a value, by thing, value and key, made once."""
    return script.once(("set", kind, name), lambda: _assigned(script, kind, name))


def _assigned(script: GeneratedModule, kind: str, name: str) -> Callable[..., Record]:
    one = script.program.kinds[kind].has[name]
    has, known, settle = script.live.has_by_id, script.touched((kind, name)), _settling(script, kind, name)
    check = _checked(script, one)

    def assign(thing: Thing, after: Any, key: Any = None) -> Record:
        values = has[thing.id]
        before = values[name] if key is None else values[name][key]
        if check is not None:
            check(thing, after)
        if after is not before:
            values[name] = after if key is None else {**values[name], key: after}
            for each in known:
                each.clear()
        if settle is not None:
            settle(thing)
        return {"happened": True, "before": before, "after": after}

    return assign


def _checked(script: GeneratedModule, one: ir.HeldAttribute) -> Callable[[Thing, Any], None] | None:
    """What holds a value to what is declared of it."""
    declared = one.declared
    if not any(held_to(declared)):
        return None

    def write(name: str) -> str:
        page = FunctionWriter(script, name, ("owner", ".value"), declared)
        bounds(page, declared, page.variables.pop(".value"))
        return page.whole + "\n pass"

    name, names = script.function(("checked", one.path), write), script.names
    return lambda thing, value: names[name](thing, value)


# Lists ----------------------------------------------------------------------------------------------------------


def included(script: GeneratedModule, kind: str, name: str) -> Callable[[Thing, Any, str | int | None], Record]:
    """What puts one more element into a list, until a span or so many rounds have ended, made once."""
    return script.once(("include", kind, name), lambda: _included(script, kind, name))


def _included(script: GeneratedModule, kind: str, name: str) -> Callable[[Thing, Any, str | int | None], Record]:
    one, assign, live = script.program.kinds[kind].has[name], assigned(script, kind, name), script.live

    def include(thing: Thing, element: Any, until: str | int | None) -> Record:
        held = script.live.has_by_id[thing.id][name]
        if one.declared.among is not None and element in held:
            raise NotGenerated
        assign(thing, (*held, element))
        if until is not None:
            live.timers = (*live.timers, timer(thing, name, element, until))
        return {"happened": True}

    return include


def excluded(script: GeneratedModule, kind: str, name: str) -> Callable[[Thing, Any], Record]:
    """What takes an element out of a list, made once."""
    return script.once(("exclude", kind, name), lambda: _excluded(script, kind, name))


def _excluded(script: GeneratedModule, kind: str, name: str) -> Callable[[Thing, Any], Record]:
    has, known, settle = script.live.has_by_id, script.touched((kind, name)), _settling(script, kind, name)

    def exclude(thing: Thing, element: Any) -> Record:
        held = list(has[thing.id][name])
        if element not in held:
            return {"happened": False}
        held.remove(element)
        has[thing.id][name] = tuple(held)
        for each in known:
            each.clear()
        if settle is not None:
            settle(thing)
        return {"happened": True}

    return exclude


# Paying ----------------------------------------------------------------------------------------------------------


Purse = tuple[Thing, Any, int]
"""Who has it, at which key, and what one of it is worth."""


Says = Callable[[], Any]
"""What a policy says, None where it says nothing."""


def paid(script: GeneratedModule, pay: ir.Pay) -> Callable[[int, Sequence[Purse], Says, Says], Record]:
    """What pays a price out of purses, where whoever pays agrees, with the points that are to be spent first."""
    names = [spot.name for spot, _ in pay.purses]
    lows = [_end(script, script.program.kinds[spot.kind].has[spot.name].declared.low) for spot, _ in pay.purses]
    shifts = [shifted(script, spot.kind, spot.name, True) for spot, _ in pay.purses]
    has, alone = script.live.has_by_id, len(pay.purses) == 1

    def work(price: int, purses: Sequence[Purse], agrees: Says, mixed: Says) -> Record:
        if price < 0:
            raise NotGenerated
        there = []
        for name, low, (thing, key, worth) in zip(names, lows, purses, strict=True):
            value = has[thing.id][name]
            value = value if key is None else value[key]
            there.append((max(value - (low(thing) or 0), 0), worth))
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
        mix = ways[spent_first(wanted, names, ways) if wanted is not None else 0]
        for shift, (thing, key, _), number in zip(shifts, purses, mix, strict=True):
            if number or alone:
                shift(thing, number, key)
        spent = sum(mix)
        return {"happened": True, "before": before, "after": before - spent, "amount": spent, "excess": 0}

    return work


# Ending ----------------------------------------------------------------------------------------------------------


def ending(script: GeneratedModule, span: str) -> Callable[[Thing | None], None]:
    """What ends a turn (of somebody), a round or a scene: what was put off happens, what lasts for it begins anew."""
    return script.once(("ending", span), lambda: _ending(script, span))


def _ending(script: GeneratedModule, span: str) -> Callable[[Thing | None], None]:
    from interpreter.codegen.rules import caused

    live, run, names = script.live, script.run, script.names
    spans = SPANS[: SPANS.index(span) + 1]
    anew_of = script.memory(frozenset((THERE,)))
    anew = {
        kind: [_anew(script, kind, one) for one in objects.lasting(script.program, kind, span)]
        for kind in script.program.kinds
    }
    events = {name: caused(script, event) for name, event in script.program.events.items()}

    def happens_now() -> None:
        state, now = objects.due(live.still, span)
        script.become(state)
        for one in now:
            given = dict(one.given)
            run.nested += 1
            if run.nested > MOST_NESTED:
                raise NotGenerated
            names[events[one.event]](*[given.get(taken.name) for taken in script.program.events[one.event].inputs])
            run.nested -= 1

    def end(who: Thing | None = None) -> None:
        if live.pending:
            happens_now()
        if who is not None and who.id not in live.things:
            return
        if live.timers:
            script.become(objects.ended(script.plain, {**script.frame, STATE: live.still}, span, who))
            return
        if who not in anew_of:
            whose = objects.whose(script.program, live.still, span, who)
            anew_of[who] = [begin(thing) for thing in whose for begin in anew[thing.kind]]
        for values, name, start, known in anew_of[who]:
            value = start()
            if values[name] != value:
                values[name] = value
                for each in known:
                    each.clear()
        if live.marks:
            live.marks = marks_after(live.marks, spans, who if span == "turn" else None)

    return end


Anew = tuple[dict[str, Any], str, Callable[[], Any], list[dict[Any, Any]]]
"""What a thing has, a name in it, the value that it has there anew, and what hangs on that."""


def _anew(script: GeneratedModule, kind: str, one: ir.HeldAttribute) -> Callable[[Thing], Anew]:
    """What lets a value of a thing begin anew."""
    ends = (one.declared.low, one.declared.high) if one.counter else ()
    formula = one.starts if one.counter else one.declared.default
    fixed = all(each is None or isinstance(each.body, ir.Constant) for each in (*ends, formula))

    def begin(thing: Thing) -> Anew:
        def start() -> Any:
            return objects.begun_anew(script.plain, script.frame, thing, one)

        always = start() if fixed else None
        values = script.live.has_by_id[thing.id]
        return values, one.name, (lambda: always) if fixed else start, script.touched((kind, one.name))

    return begin

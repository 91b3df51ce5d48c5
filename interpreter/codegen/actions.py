"""What somebody does, as Python: whether it can be done, what is said of it, what it costs; offers and reactions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter import ir
from interpreter.codegen.choices import looked_at, said, some_of
from interpreter.codegen.effects import bounds, of_owner, shifted
from interpreter.codegen.function_writer import FunctionWriter
from interpreter.codegen.module import GeneratedModule, NotGenerated
from interpreter.codegen.rules import played
from interpreter.codegen.steps import deeper
from interpreter.ir import types as t
from interpreter.ir.traversal import locals_in
from interpreter.play.actions import MOST_CANDIDATES, MOST_TRIED, deciding
from interpreter.play.available_actions import PASS
from interpreter.play.events import CANCELLED, MOST_OFFERED
from interpreter.play.run import CHANGED
from interpreter.runtime.state import done, with_mark

ACTOR, OFFERED, SPENT, UPGRADED = "actor", ".offered", "spent", "upgraded"


def names_of(deed: ir.Action, reaction: bool) -> list[str]:
    """What the function of a deed is given: who does it, the event that is answered, its inputs."""
    return [ACTOR, *([CHANGED] if reaction else [OFFERED]), *[one.name for one in deed.rule.inputs]]


def acted(script: GeneratedModule, deed: ir.Action, reaction: bool = False) -> str:
    """The function of a deed. It gives its record; that of a reaction gives the event as it has left it."""

    def write(name: str) -> str:
        page = FunctionWriter(script, name, names_of(deed, reaction), deed)
        page.line(f"if not {_who_may(script, deed, reaction)}({_given(page, deed, reaction, 0)}): raise Unwritten")
        for place, one in enumerate(deed.rule.inputs):
            value = page.variables[one.name]
            with page.under(f"if {value} is None:"):
                _asked(page, deed, reaction, place, value)
            bounds(page, one, value)
        problems = page.new()
        page.line(f"{problems} = True")
        with page.under("while True:"):
            paid = _refused(page, deed, "break")
            page.line(f"{problems} = False")
            page.line("break")
        page.line(f"if {problems}: raise Unwritten")
        actor = page.variables[ACTOR]
        kind = _kind(deed)
        for cost in deed.costs:
            page.line(f"{script.bind(shifted(script, kind, cost.name, True))}({actor}, {paid[cost.name]})")
        _marked(page, deed)
        record = played(page, deed.rule, tested=True)
        page.line(f"return {page.variables[CHANGED] if reaction else record}")
        return page.whole

    return script.function(("deed", deed.rule.path), write)


def _kind(deed: ir.Action) -> str:
    kind = t.present(deed.actor.type)
    assert isinstance(kind, t.Thing), "somebody does it"
    return kind.kind


def _given(page: FunctionWriter, deed: ir.Action, reaction: bool, inputs: int, last: str = "") -> str:
    """What a function is given that needs who does it, the event, and the first so many inputs, the `last` as said."""
    names = [ACTOR, *([CHANGED] if reaction else []), *[one.name for one in deed.rule.inputs[:inputs]]]
    values = [page.variables[name] for name in names]
    return ", ".join([*values[:-1], last] if last else values)


def _asking(script: GeneratedModule, name: str, deed: ir.Action, reaction: bool, inputs: int) -> FunctionWriter:
    """A page of such a function."""
    names = [ACTOR, *([CHANGED] if reaction else []), *[one.name for one in deed.rule.inputs[:inputs]]]
    return FunctionWriter(script, name, names, deed)


# Whether it may be done ------------------------------------------------------------------------------------------


def _who_may(script: GeneratedModule, deed: ir.Action, reaction: bool) -> str:
    """The function that tells whether somebody may do it, as far as that can be told before it is said how."""

    def write(name: str) -> str:
        page = _asking(script, name, deed, reaction, 0)
        actor = page.variables[ACTOR]
        if deed.actor.where is not None:
            with page.element(".it", actor):
                page.line(f"if not {page.text(deed.actor.where)}: return False")
        if deed.actor.among is not None:
            page.line(f"if {actor} not in {page.text(deed.actor.among)}: return False")
        limit = deed.limit if deed.upgrade is None else None
        if limit is not None and locals_in(limit.times.body) <= page.variables.keys():  # else it hangs on an input
            _often_enough(page, limit, "return False")
        page.line("return True")
        return page.whole

    return script.function(("may", deed.rule.path), write)


def can_be_done(script: GeneratedModule, deed: ir.Action, reaction: bool) -> str:
    """The function that tells whether somebody can do it in any way."""

    def write(name: str) -> str:
        page = _asking(script, name, deed, reaction, 0)
        page.line(f"if not {_who_may(script, deed, reaction)}({_given(page, deed, reaction, 0)}): return False")
        page.line(f"return {_any_way(script, deed, reaction, 0)}({_given(page, deed, reaction, 0)})")
        return page.whole

    return script.function(("can", deed.rule.path), write)


def _any_way(script: GeneratedModule, deed: ir.Action, reaction: bool, place: int) -> str:
    """The function that tells whether there is a way to fill in the inputs from one on that is not refused."""

    def write(name: str) -> str:
        page = _asking(script, name, deed, reaction, place)
        tried = page.new()
        page.line(f"{tried} = 0")
        _ways(page, deed, place, tried)
        page.line("return False")
        return page.whole

    return script.function(("way", deed.rule.path, place), write)


def _ways(page: FunctionWriter, deed: ir.Action, place: int, tried: str) -> None:
    """Lines that go through what the inputs may be, from one on; those that decide nothing are left as they come."""
    if place == len(deed.rule.inputs):
        page.line(f"if {tried} == {MOST_TRIED}: return False")
        page.line(f"{tried} += 1")
        with page.under("while True:"):
            _refused(page, deed, "break")
            page.line("return True")
        return
    one, value, usual = deed.rule.inputs[place], page.new(), page.new()
    if not _listable(one):
        if one.default is None and not one.optional:
            page.line("raise Unwritten")  # what hangs on an input that nobody can list is told by the walk
        page.line(f"{value} = {page.text(one.default) if one.default is not None else None}")
        page.variables[one.name] = value
        _ways(page, deed, place + 1, tried)
        return
    options = _candidates(page, one)
    if not one.required:
        page.line(f"{usual} = {page.text(one.default) if one.default is not None else None}")
        page.line(f"{options} = {options} if {usual} in {options} else ({usual}, *{options})")
    if not _decides(deed, place):
        page.line(f"{options} = {options}[:1]")
    with page.under(f"for {value} in {options}:"):
        page.variables[one.name] = value
        _ways(page, deed, place + 1, tried)


def _decides(deed: ir.Action, place: int) -> bool:
    """Whether what is refused, or what an input after it may be, hangs on an input."""
    return deed.rule.inputs[place].name in deciding(deed)


def _listable(one: ir.Declaration) -> bool:
    """Whether what an input may be can be listed, for one of a list each element."""
    kind = t.present(one.type)
    if isinstance(kind, t.List):
        return False
    if isinstance(kind, (t.Thing, t.YesNo, t.Word)) or one.among is not None:
        return True
    return isinstance(kind, t.Number) and one.low is not None and one.high is not None


def _candidates(page: FunctionWriter, one: ir.Declaration) -> str:
    """What an input may be."""
    kind, options, each = t.present(one.type), page.new(), page.new()
    if isinstance(kind, t.List):
        kind = t.present(kind.of)
    several = isinstance(t.present(one.type), t.List)
    if one.among is not None:
        found = page.text(one.among) if several else f"dict.fromkeys({page.text(one.among)})"
    elif isinstance(kind, t.Thing):
        found = f"{page.script.bind(page.script.live.of_kind)}({kind.kind!r})"
    elif isinstance(kind, t.YesNo):
        found = "(False, True)"
    elif isinstance(kind, t.Word):
        found = page.script.bind(kind.words)
    else:
        assert one.low is not None and one.high is not None, "numbers that can be listed have bounds"
        low, high = page.new(), page.new()
        page.line(f"{low} = {page.text(one.low)}")
        page.line(f"{high} = {page.text(one.high)}")
        page.line(f"if {high} - {low} >= {MOST_CANDIDATES}: raise Unwritten")
        found = f"range({low}, {high} + 1)"
    if one.where is None or several:  # of a list, it is the list that is chosen
        page.line(f"{options} = tuple({found})")
    else:
        with page.element(".it", each):
            page.line(f"{options} = tuple([{each} for {each} in {found} if {page.text(one.where)}])")
    return options


# What it costs ---------------------------------------------------------------------------------------------------


def _often_enough(page: FunctionWriter, limit: ir.UseLimit | None, out: str) -> None:
    if limit is None:
        return
    live, actor = page.script.bind(page.script.live), page.variables[ACTOR]
    how_often = page.writer.call(done, f"{live}.marks", repr(limit.path), f"{actor}.id", repr(limit.per))
    page.line(f"if {how_often} >= {page.text(limit.times)}: {out}")


def _marked(page: FunctionWriter, deed: ir.Action) -> None:
    """It was done once more."""
    live = page.script.live

    def mark(limit: ir.UseLimit) -> Callable[[Any], None]:
        def now(actor: Any) -> None:
            live.marks = with_mark(live.marks, limit.path, actor.id, limit.per)

        return now

    limits = [("if True:", deed.limit)]
    if deed.upgrade is not None:
        upgraded = page.variables[UPGRADED]
        limits = [(f"if not {upgraded}:", deed.limit), (f"if {upgraded}:", deed.upgrade.limit)]
    for when, limit in limits:
        if limit is not None:
            with page.under(when):
                page.line(f"{page.script.bind(mark(limit))}({page.variables[ACTOR]})")


def _refused(page: FunctionWriter, deed: ir.Action, out: str) -> dict[str, str]:
    """Lines that go `out` where it is refused with these inputs; the variables with what it costs, by its points."""
    up, actor = deed.upgrade, page.variables[ACTOR]
    if up is None:
        _often_enough(page, deed.limit, out)
    else:
        with page.under(f"if {page.variables[UPGRADED]}:"):
            _often_enough(page, up.limit, out)
        with page.under("else:"):
            _often_enough(page, deed.limit, out)
    paid = {cost.name: page.new() for cost in deed.costs}
    for cost in deed.costs:
        page.line(f"{paid[cost.name]} = {page.text(cost.amount)}")
    spent = page.new()
    if deed.costs or up is not None or SPENT in page.read:
        page.line(f"{spent} = {{{', '.join(f'{name!r}: {value}' for name, value in paid.items())}}}")
        page.variables[SPENT] = spent
    if up is not None:
        with page.under(f"if {page.variables[UPGRADED]}:"):
            for name in up.waives:
                if name in paid:
                    page.line(f"{paid[name]} = {spent}[{name!r}] = 0")
            if up.counts_as is not None:
                counted = page.new()
                page.line(f"{counted} = {page.text(up.counts_as)}")
                for name in up.counted:
                    page.line(f"{spent}[{name!r}] = {counted}")
    for one in deed.rule.requires:
        page.line(f"if not {page.text(one.condition)}: {out}")
    for cost in deed.costs:
        low = page.script.program.kinds[_kind(deed)].has[cost.name].declared.low
        bound = "0"
        if low is not None:
            bound = f"({page.script.bind(of_owner(page.script, low))}({actor}) or 0)"
        there = f"has[{actor}.id][{cost.name!r}] - {bound}"
        page.line(f"if not 0 <= {paid[cost.name]} <= {there}: {out}")
    return paid


# What is said of it ----------------------------------------------------------------------------------------------


def _asked(page: FunctionWriter, deed: ir.Action, reaction: bool, place: int, value: str) -> None:
    """An input that nobody gave: what the policy says where there is something to choose, else as usual."""
    one = deed.rule.inputs[place]
    kind = t.present(one.type)
    several = isinstance(kind, t.List)
    if not (_listable(one) or (several and one.among is not None)):
        page.line(_usual(page, one, value))
        return
    options = _candidates(page, one)
    looked_at(page, one.by)
    if several:
        most = f"min({page.text(one.most)}, len({options}))" if one.most is not None else f"len({options})"
        least = page.text(one.fewest) if one.fewest is not None else "0"
        with page.under(f"if not {options}:"):
            page.line(_usual(page, one, value))
        with page.under("else:"):
            said(page, deed.answers.get(one.name, {}), one.default, value)
            page.line(f"{value} = {page.script.bind(some_of)}({options}, {least}, {most}, {value})")
        return
    way = _any_way(page.script, deed, reaction, place + 1) if _decides(deed, place) else None
    if isinstance(kind, t.YesNo):
        _answer(page, deed, reaction, place, value, options, way)
        return
    with page.under(f"if not {options}:"):
        page.line(_usual(page, one, value))
    if way is None and one.required:
        with page.under(f"elif len({options}) == 1:"):
            page.line(f"{value} = {options}[0]")
    with page.under("else:"):
        _answer(page, deed, reaction, place, value, options, way)


def _usual(page: FunctionWriter, one: ir.Declaration, value: str) -> str:
    if one.required:
        return "raise Unwritten"
    return f"{value} = {page.text(one.default) if one.default is not None else None}"


def _answer(
    page: FunctionWriter, deed: ir.Action, reaction: bool, place: int, value: str, options: str, way: str | None
) -> None:
    """What the policy says, else the default; where it would be refused whatever comes after, what alone would not.

    An answer that is open is right whether it was asked for or is the only one that is open.
    """
    one = deed.rule.inputs[place]
    formula = deed.answers.get(one.name, {}).get(page.script.policy or "")
    usual = page.text(one.default) if one.default is not None else "None"
    if formula is not None:
        looked_at(page, one.default)
    page.line(f"{value} = {page.text(formula) if formula is not None else usual}")
    if formula is not None and isinstance(formula.type, t.Maybe):
        page.line(f"if {value} is None: {value} = {usual}")
    illegal = f"{value} not in {options} or (type({value}) is not bool) == {isinstance(t.present(one.type), t.YesNo)}"
    if way is None:
        page.line(f"if {illegal}: raise Unwritten")
        return
    fits = f"{way}({_given(page, deed, reaction, place + 1, value)})"
    with page.under(f"if {illegal} or not {fits}:"):
        each, open_ = page.new(), page.new()
        of_each = f"{way}({_given(page, deed, reaction, place + 1, each)})"
        page.line(f"{open_} = [{each} for {each} in {options} if {of_each}]")
        forced = f"len({open_}) == 1"
        if isinstance(t.present(one.type), t.YesNo):
            offered = "False" if reaction else page.variables[OFFERED]
            forced += f" and ({offered} or {open_}[0] == {usual})"
        elif not one.required:
            forced = "False"
        page.line(f"if not ({forced}): raise Unwritten")
        page.line(f"{value} = {open_}[0]")


# Offers and reactions --------------------------------------------------------------------------------------------


def offered(page: FunctionWriter, offer: ir.Offer, value: str | None) -> None:
    """Lines that let somebody do what the policy says of what is offered, until it passes."""
    script, who, count = page.script, page.new(), page.new()
    deeds = {name: deed for name, deed in script.program.actions.items() if name in offer.actions}
    formula = offer.answers.get(script.policy or "")
    found = page.new() if value is not None else None
    page.line(f"{who} = {page.text(offer.to)}")
    if found is not None:
        page.line(f"{found} = ()")
    most = page.text(offer.most) if offer.most is not None else str(MOST_OFFERED)
    if formula is not None:
        with page.under(f"for {count} in range({most}):"):
            wanted, first = page.new(), page.new()
            page.line(f"{wanted} = {page.text(formula)}")
            page.line(f"{first} = {script.bind(_choosing(script, deeds))}({wanted}, {who})")
            page.line(f"if {first} is None: break")
            deeper(page, f"{script.bind(_acting(script, deeds))}[{first}]({who}, True)")
            if found is not None:
                page.line(f"{found} += ({first},)")
    if found is not None:
        page.line(f"{value} = {found}")


def _choosing(script: GeneratedModule, deeds: dict[str, ir.Action]) -> Callable[[Any, Any], str | None]:
    """What is done of what is wanted: of several the first that is open; None to pass."""
    names = script.names
    can = {name: can_be_done(script, deed, False) for name, deed in deeds.items()}
    kinds = {name: _kind(deed) for name, deed in deeds.items()}

    def open_(name: str, who: Any) -> bool:
        return name in can and kinds[name] == who.kind and bool(names[can[name]](who))

    def first(wanted: Any, who: Any) -> str | None:
        if type(wanted) is tuple:
            chosen = next((one for one in wanted if one == PASS or open_(one, who)), PASS)
            return chosen if chosen != PASS else None
        if wanted is None or wanted == PASS:
            return None
        if not open_(wanted, who):
            # A policy may only name what is open, unless nothing is, for then it is not asked.
            if any(open_(name, who) for name in can):
                raise NotGenerated
            return None
        return str(wanted)

    return first


def _acting(script: GeneratedModule, deeds: dict[str, ir.Action]) -> dict[str, Callable[..., Any]]:
    """What does it, by name: from whoever does it, as one who was offered it."""
    names = script.names

    def act(name: str, inputs: Sequence[Any]) -> Callable[..., Any]:
        nothing = [None] * len(inputs)
        return lambda who, offered: names[name](who, offered, *nothing)

    return {name: act(acted(script, deed), deed.rule.inputs) for name, deed in deeds.items()}


def reacting(script: GeneratedModule, reaction: ir.Reaction, name: str) -> str:
    """The text of what lets everybody react who may, from the record of an event to what it has become."""
    deed, actor = reaction.deed, reaction.deed.actor
    page = FunctionWriter(script, name, (CHANGED,), reaction)
    event = page.variables[CHANGED]
    who = page.new()
    with page.under(f"for {who} in {_candidates(page, actor)}:"):
        page.variables[ACTOR] = who
        page.line(f"if not {can_be_done(script, deed, True)}({who}, {event}): continue")
        if not reaction.automatic:
            formula, answer = reaction.answers.get(script.policy or ""), page.new()
            page.line(f"{answer} = {page.text(formula) if formula is not None else False}")
            page.line(f"if {answer} is None: {answer} = False")
            page.line(f"if type({answer}) is not bool: raise Unwritten")
            page.line(f"if not {answer}: continue")
        deeper(page, f"{acted(script, deed, True)}({who}, {event}{', None' * len(deed.rule.inputs)})", event)
        page.line(f"if {CANCELLED!r} in {event}: break")
    page.line(f"return {event}")
    return page.whole

"""Check effects, the steps that change the state: points, tracks, attributes, lists, objects, and events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.attributes import attribute_entries, attribute_of, is_part_kind, single_kinds
from interpreter.checker.declared_names import check_value_name
from interpreter.checker.expressions import argument, formula
from interpreter.checker.expressions.texts import question
from interpreter.checker.per_word import values_by_key, words_given
from interpreter.checker.policies import answers_of_policies
from interpreter.checker.rerolls import note_elements
from interpreter.checker.scope import Scope
from interpreter.checker.step_keys import optional_at
from interpreter.checker.world import World
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.runtime import functions
from interpreter.syntax.document import Entry, Mapping, Node, Scalar, Sequence, entries_of, text_of, value_at
from interpreter.syntax.fixed_words import SPANS

Made = tuple[ir.StepBody, t.Type]

HAPPENED = ("happened", t.YES_NO)
COUNTED = t.Record(
    "change",
    (HAPPENED, ("before", t.NUMBER), ("after", t.NUMBER), ("amount", t.Number(0)), ("excess", t.Number(0))),
)
"""The result of a gain, a loss or a payment: the number before and after, what moved, and what did not."""
DONE = t.Record("change", (HAPPENED,))
NOTHING = (ir.Let(ir.Formula(ir.Constant(None, t.ANYTHING, say.NOWHERE), t.ANYTHING, say.NOWHERE)), t.ANYTHING)


def lvalue(world: World, node: Node, scope: Scope, verb: str) -> ir.Lvalue | None:
    """The target of a change: an attribute of an object, perhaps at a key. None if the expression is no target."""
    expression = formula(world, node, scope)
    body: ir.Expr = expression.body
    key: ir.Formula | None = None
    if isinstance(body, ir.MapEntry):
        key = ir.Formula(body.key, body.key.type, body.key.span, expression.refs)
        body = body.of
    if isinstance(expression.type, t.Anything):
        return None
    if not isinstance(body, ir.Attribute):
        world.problems.add(say.no_place(expression.span, verb))
        return None
    if isinstance(body.of.type, t.Maybe):
        world.problems.add(say.may_be_missing(body.of.span))
        return None
    one = attribute_of(world, body.kind, body.name)
    assert one is not None
    if one.derived is not None:
        world.problems.add(say.derived_is_fixed(expression.span, body.name))
        return None
    if one.part is not None:
        world.problems.add(say.part_is_fixed(expression.span, body.name))
        return None
    kind = one.type
    if key is not None:
        assert isinstance(kind, t.Map)
        kind = kind.of
    thing = ir.Formula(body.of, body.of.type, body.of.span, expression.refs)
    return ir.Lvalue(thing, body.kind, body.name, key, kind, expression.span)


def _number_lvalue(world: World, node: Node, scope: Scope, verb: str) -> ir.Lvalue | None:
    """The target of a change of a number. None if it is no such target, which is reported."""
    target = lvalue(world, node, scope, verb)
    return target if target is not None and _is_number(world, target, verb) else None


def _is_number(world: World, target: ir.Lvalue, verb: str) -> bool:
    if isinstance(target.type, t.Map):
        _report_missing_word(world, target, target.type)
    elif isinstance(target.type, t.List):
        world.problems.add(say.verb_of_other_type(target.span, verb, "add" if verb == "gain" else "remove"))
    elif not isinstance(t.without_maybe(target.type), t.Number):
        world.problems.add(say.wrong_type(target.span, "points, a track or a number", t.in_words(target.type)))
    else:
        return True
    return False


def _report_missing_word(world: World, target: ir.Lvalue, kind: t.Map) -> None:
    words = kind.key.words if isinstance(kind.key, t.Word) else ()
    instead = f"{target.span.text}({words[0] if words else '…'})"
    world.problems.add(say.word_not_given(target.span, target.name, instead))


def _value_at(node: Mapping, key: str) -> Node:
    value = node.get(key)
    assert value is not None
    return value


def check_gain(world: World, node: Mapping, scope: Scope) -> Made:
    return _gain_or_loss(world, node, scope, "gain", "to")


def check_lose(world: World, node: Mapping, scope: Scope) -> Made:
    return _gain_or_loss(world, node, scope, "lose", "from")


def _gain_or_loss(world: World, node: Mapping, scope: Scope, verb: str, beside: str) -> Made:
    target = lvalue(world, _value_at(node, beside), scope, verb)
    if target is not None and not _is_number(world, target, verb):
        return NOTHING  # an element of a list is no amount: one error, one message
    amount = formula(world, _value_at(node, verb), scope, t.NUMBER)
    if target is None:
        return NOTHING
    check_amount(world, amount, verb, target.span.text)
    return ir.Shift(amount, target, verb == "lose"), COUNTED


def check_amount(world: World, amount: ir.Formula, verb: str, of: str) -> None:
    """Report an amount that is below 0 whatever happens; of others, a run finds out."""
    high = amount.type.high if isinstance(amount.type, t.Number) else None
    if high is not None and high < 0:
        world.problems.add(say.below_nothing(amount.span, verb, high, of))


def check_pay(world: World, node: Mapping, scope: Scope) -> Made:
    amount = formula(world, _value_at(node, "pay"), scope, t.NUMBER)
    source, rates = _value_at(node, "from"), node.get("in")
    refuse = node.get("may_refuse")
    may_refuse = isinstance(refuse, Scalar) and refuse.text == "yes"
    minor = optional_at(world, node, "minor", scope, t.YES_NO)
    if not isinstance(rates, Mapping):
        target = _number_lvalue(world, source, scope, "pay")
        if target is None:
            return NOTHING
        check_amount(world, amount, "pay", target.span.text)
        return ir.Pay(amount, ((target, None),), target.thing, may_refuse, minor), COUNTED
    payer = formula(world, source, scope)
    kind = payer.type
    if not isinstance(kind, t.Object):
        if not isinstance(kind, t.Anything):
            world.problems.add(say.wrong_type(payer.span, "a thing that pays", t.in_words(kind)))
        return NOTHING
    purses = []
    for entry in rates.entries:
        name = entry.key.text
        one = attribute_of(world, kind.kind, name)
        if one is None or not one.counter:
            counters = [key for key in attribute_entries(world, kind.kind) if _is_counter(world, kind.kind, key)]
            world.problems.add(say.unknown_of(entry.key.span, "kind of points", name, counters))
            continue
        world.references[entry.key.span] = one.declared.span
        for key, rate in values_by_key(world, one, entry):
            where = entry.key.span if key is None else key.span
            word = formula(world, key, scope, one.per) if key is not None else None
            if key is not None and one.per is not None and key.text not in one.per.words:
                if word is not None and not isinstance(word.type, t.Anything):  # else it was told
                    world.problems.add(say.unknown_word(key.span, key.text, one.per.name, one.per.words))
                continue
            target = ir.Lvalue(payer, kind.kind, name, word, one.declared.type, where)
            purses.append((target, formula(world, rate, scope, t.NUMBER)))
    return ir.Pay(amount, tuple(purses), payer, may_refuse, minor), COUNTED


def _is_counter(world: World, kind: str, name: str) -> bool:
    one = attribute_of(world, kind, name)
    return one is not None and one.counter


def check_assign(world: World, node: Mapping, scope: Scope) -> Made:
    target = lvalue(world, _value_at(node, "set"), scope, "set")
    if target is None:
        return NOTHING
    if isinstance(target.type, t.Map):
        with world.silent_pass():
            of_one_word = isinstance(formula(world, _value_at(node, "to"), scope).type, t.Number | t.Word | t.YesNo)
        if of_one_word:
            _report_missing_word(world, target, target.type)
            return NOTHING
    value = argument(world, _value_at(node, "to"), scope, _without_bounds(target.type))
    fields = (HAPPENED, ("before", target.type), ("after", target.type))
    return ir.Assign(target, value), t.Record("change", fields)


def _without_bounds(kind: t.Type) -> t.Type:
    """The type without bounds of numbers, which a run checks."""
    if isinstance(kind, t.Maybe):
        return t.Maybe(_without_bounds(kind.of))
    return t.NUMBER if isinstance(kind, t.Number) else kind


def check_include(world: World, node: Mapping, scope: Scope) -> Made:
    target, kind = _list_lvalue(world, _value_at(node, "to"), scope, "add")
    if target is None:
        return NOTHING
    value = formula(world, _value_at(node, "add"), scope, _without_bounds(kind))
    return ir.Include(value, target, _duration(world, node.get("lasts"), scope)), DONE


def check_exclude(world: World, node: Mapping, scope: Scope) -> Made:
    target, kind = _list_lvalue(world, _value_at(node, "from"), scope, "remove")
    if target is None:
        return NOTHING
    return ir.Exclude(formula(world, _value_at(node, "remove"), scope, _without_bounds(kind)), target), DONE


def check_draw(world: World, node: Mapping, scope: Scope) -> Made:
    """Random elements of a list of an object."""
    number = formula(world, _value_at(node, "draw"), scope, t.NUMBER)
    target, kind = _list_lvalue(world, _value_at(node, "from"), scope, "draw")
    refill = None
    if "refill" in node:
        refill, other = _list_lvalue(world, _value_at(node, "refill"), scope, "draw")
        if refill is not None and not t.fits(other, kind):
            world.problems.add(say.wrong_type(refill.span, t.in_words(t.List(kind)), t.in_words(refill.type)))
    if target is None:
        return NOTHING
    return ir.Draw(number, target, refill), t.List(kind)


def check_put(world: World, node: Mapping, scope: Scope) -> Made:
    """One value, or all of a list, at the end of a list of an object."""
    target, kind = _list_lvalue(world, _value_at(node, "into"), scope, "put")
    if target is None:
        return NOTHING
    return ir.Put(_values_moved(world, _value_at(node, "put"), scope, kind), target), DONE


def check_take(world: World, node: Mapping, scope: Scope) -> Made:
    """One value, or all of a list, out of a list of an object."""
    target, kind = _list_lvalue(world, _value_at(node, "from"), scope, "take")
    if target is None:
        return NOTHING
    values = _values_moved(world, _value_at(node, "take"), scope, kind)
    return ir.Take(values, target), t.List(kind)


def _values_moved(world: World, node: Node, scope: Scope, kind: t.Type) -> ir.Formula:
    """The values that are put or taken: a list, or one element."""
    with world.silent_pass():
        several = isinstance(formula(world, node, scope).type, t.List)
    return formula(world, node, scope, t.List(_without_bounds(kind)) if several else _without_bounds(kind))


def _list_lvalue(world: World, node: Node, scope: Scope, verb: str) -> tuple[ir.Lvalue | None, t.Type]:
    target = lvalue(world, node, scope, verb)
    if target is None:
        return None, t.ANYTHING
    if not isinstance(target.type, t.List):
        if isinstance(t.without_maybe(target.type), t.Number):
            world.problems.add(say.verb_of_other_type(target.span, verb, "gain" if verb == "add" else "lose"))
        else:
            world.problems.add(say.wrong_type(target.span, "a list that something has", t.in_words(target.type)))
        return None, t.ANYTHING
    return target, target.type.of


def check_make(world: World, node: Mapping, scope: Scope) -> Made:
    named = _value_at(node, "make")
    if not isinstance(named, Scalar):
        return NOTHING
    name = named.text
    world.refer(named.span, "kinds", name)
    if name not in world.section("kinds"):
        world.problems.add(say.unknown_of(named.span, "kind", name, world.section("kinds")))
        return NOTHING
    if name in single_kinds(world) or is_part_kind(world, name):
        world.problems.add(say.cannot_be_made(named.span, name, name in single_kinds(world)))
        return NOTHING
    given = list(_values_of_object(world, name, node.get("with"), scope, named.span, ""))
    if "named" in node:
        world.named_kinds.add(name)
    called = argument(world, _value_at(node, "named"), scope, t.Text()) if "named" in node else None
    return ir.Make(name, tuple(given), called), t.Object(name)


def _values_of_object(
    world: World, kind: str, values: Node | None, scope: Scope, at: Span, above: str
) -> Iterator[tuple[str, ir.Formula]]:
    """The values of a new object, by attribute; those of a part have the name of the part and a dot before."""
    has = {key: one for key in attribute_entries(world, kind) if (one := attribute_of(world, kind, key)) is not None}
    entries = {entry.key.text: entry for entry in values.entries} if isinstance(values, Mapping) else {}
    for name, entry in entries.items():
        one = has.get(name)
        if one is None or one.derived is not None:
            plain = [key for key, h in has.items() if h.derived is None]
            world.problems.add(say.unknown_field(entry.key.span, f"`{kind}`", name, plain))
            continue
        world.references[entry.key.span] = one.declared.span
        if one.per is not None:
            for key, value in words_given(world, one, entry):
                yield f"{above}{name}.{key}", argument(world, value, scope, _without_bounds(one.declared.type))
        elif one.part is None:
            yield f"{above}{name}", argument(world, entry.value, scope, _without_bounds(one.type))
        else:
            inner = _part_in_long_form(world, one.part, entry)
            yield from _values_of_object(world, one.part, inner, scope, entry.key.span, f"{above}{name}.")
    for one in has.values():
        if one.part is not None and one.name not in entries:
            yield from _values_of_object(world, one.part, None, scope, at, f"{above}{one.name}.")
    for one in required_attributes(has.values()):
        if one.name not in entries:
            world.problems.add(say.missing_key(at, f"{above}{one.name}", f"`{kind}`"))


def required_attributes(has: Iterable[ir.HeldAttribute]) -> list[ir.HeldAttribute]:
    """The attributes that need a value when an object is made."""
    return [
        one for one in has if one.derived is None and not one.counter and one.part is None and one.declared.required
    ]


def _part_in_long_form(world: World, part: str, entry: Entry) -> Node:
    """A part in its long form: a plain value stands for one of its attributes."""
    kind = world.section("kinds")[part].value
    short = value_at(kind, "written_as")
    if isinstance(entry.value, Mapping) or not isinstance(short, Scalar):
        return entry.value
    inner = Entry(Scalar(short.text, entry.key.span), entry.value)
    return Mapping((inner,), entry.value.span, {short.text: inner})


def check_destroy(world: World, node: Mapping, scope: Scope) -> Made:
    thing = formula(world, _value_at(node, "destroy"), scope)
    if not isinstance(thing.type, (t.Object, t.Anything)):
        world.problems.add(say.wrong_type(thing.span, "a thing", t.in_words(thing.type)))
        return NOTHING
    if isinstance(thing.type, t.Object) and (
        thing.type.kind in single_kinds(world) or is_part_kind(world, thing.type.kind)
    ):
        world.problems.add(say.cannot_be_made(thing.span, thing.type.kind, thing.type.kind in single_kinds(world)))
    return ir.Destroy(thing), DONE


def check_cause(world: World, node: Mapping, scope: Scope, passed: Callable[..., list[tuple[str, ir.Formula]]]) -> Made:
    named = _value_at(node, "cause")
    if not isinstance(named, Scalar):
        return NOTHING
    name = named.text
    world.refer(named.span, "events", name)
    event = world.event(name)
    if event is None:
        if name not in world.section("events"):
            world.problems.add(say.unknown_of(named.span, "event", name, world.section("events")))
        return NOTHING
    given = passed(event.inputs, node.get("with"), name, named.span)
    later = _duration(world, node.get("later"), scope)
    if later is not None:
        return ir.Cause(name, tuple(given), later), DONE
    return ir.Cause(name, tuple(given)), record_of_event(world, event)


def _duration(world: World, node: Node | None, scope: Scope) -> str | ir.Formula | None:
    """How long something lasts: a word, or a number of rounds."""
    if isinstance(node, Mapping):
        return formula(world, _value_at(node, "rounds"), scope, t.NUMBER)
    return node.text if isinstance(node, Scalar) and node.text in SPANS else None


def check_act(world: World, node: Mapping, scope: Scope) -> Made:
    """`act`: `with` holds the actor and the inputs of the action."""
    named = _value_at(node, "act")
    if not isinstance(named, Scalar):
        return NOTHING
    world.refer(named.span, "actions", named.text)
    action = world.action(named.text)
    if action is None:
        if named.text not in world.section("actions"):
            world.problems.add(say.unknown_of(named.span, "action", named.text, world.section("actions")))
        return NOTHING
    wanted = {"actor": action.actor.type, **{one.name: _without_bounds(one.type) for one in action.rule.inputs}}
    places = {one.name: one.span for one in action.rule.inputs}
    given = {}
    values = node.get("with")
    for entry in entries_of(values):
        kind = wanted.get(entry.key.text)
        if kind is None:
            world.problems.add(say.unknown_input(entry.key.span, entry.key.text, named.text, wanted))
            continue
        if entry.key.text in places:
            world.references[entry.key.span] = places[entry.key.text]
        given[entry.key.text] = argument(world, entry.value, scope, kind)
    actor = given.pop("actor", None)
    if actor is None:
        world.problems.add(say.missing_key(named.span, "actor", f"`{named.text}`"))
        return NOTHING
    return ir.Act(named.text, actor, tuple(given.items())), action.rule.type


def check_offer(world: World, node: Mapping, scope: Scope, path: str) -> Made:
    """`offer`: an object is asked which action to take; the result is the list of the actions taken."""
    offered = _value_at(node, "offer")
    words = offered.items if isinstance(offered, Sequence) else (offered,)
    names: list[str] = []
    for word in words:
        if not isinstance(word, Scalar):
            continue
        of_kind = [key for key, entry in world.section("actions").items() if _is_of_kind(entry, word.text)]
        world.refer(word.span, "actions", word.text)
        world.refer(word.span, "action_kinds", word.text)
        if word.text in world.section("actions"):
            names.append(word.text)
        elif word.text in world.section("action_kinds"):
            names += of_kind
        else:
            known = [*world.section("actions"), *world.section("action_kinds")]
            world.problems.add(say.unknown_of(word.span, "action", word.text, known))
    to = formula(world, _value_at(node, "to"), scope)
    if not isinstance(to.type, (t.Object, t.Anything)):
        world.problems.add(say.wrong_type(to.span, "a thing that is asked", t.in_words(to.type)))
    most = formula(world, _value_at(node, "most"), scope, t.NUMBER) if "most" in node else None
    unique = tuple(dict.fromkeys(names))
    word_type = t.Word("actions", (*unique, PASS))
    asked = scope.without_state_facts()  # an offer is repeated after each action
    answers = answers_of_policies(world, path, lambda said: order_of_preference(world, said, asked, word_type))
    return ir.Offer(unique, to, most, answers, question(world, node, scope)), t.List(t.Word("actions", unique))


def order_of_preference(world: World, node: Node, scope: Scope, word: t.Word) -> ir.Formula:
    """The answer of a policy: one word, or several in the order of preference."""
    with world.silent_pass():
        several = isinstance(t.without_maybe(formula(world, node, scope, t.List(word)).type), t.List)
    return formula(world, node, scope, t.List(word) if several else word)


PASS = "pass"
"""The answer to an offer that does none of the actions."""


def _is_of_kind(entry: Entry, kind: str) -> bool:
    named = value_at(entry.value, "kind")
    return isinstance(named, Scalar) and named.text == kind


def record_of_event(world: World, event: ir.Mechanic) -> t.Record:
    """The result of `cause`; all fields but `happened` may be missing if a reaction can cancel the event."""
    fields = event.type.fields
    if world.may_be_cancelled(event.name):
        fields = tuple((name, t.maybe(kind)) for name, kind in fields)
    return t.Record(event.name, (*fields, HAPPENED), event.type.where)


def check_change(world: World, node: Mapping, scope: Scope, events: tuple[ir.Mechanic, ...], at: Span) -> Made:
    if not events:
        world.problems.add(say.verb_outside_reaction(at, "change"))
        return NOTHING
    others = [{one.name for one in event.inputs} for event in events[1:]]
    inputs = {one.name: one for one in events[0].inputs if all(one.name in names for names in others)}
    values = node.get("change")
    given = []
    for entry in entries_of(values):
        one = inputs.get(entry.key.text)
        if one is None:
            world.problems.add(say.unknown_input(entry.key.span, entry.key.text, events[0].name, inputs))
            continue
        world.references[entry.key.span] = one.span
        kind = _without_bounds(one.type)
        given.append((one.name, argument(world, entry.value, scope, kind if one.required else t.maybe(kind))))
    return ir.ChangeEvent(tuple(given)), DONE


def check_cancel(world: World, events: tuple[ir.Mechanic, ...], at: Span) -> Made:
    if not events:
        world.problems.add(say.verb_outside_reaction(at, "cancel"))
        return NOTHING
    return ir.CancelEvent(), DONE


def head_of_for(
    world: World, node: Mapping, scope: Scope, each_time: Scope
) -> tuple[ir.Formula, ir.Formula | None, Scope, str, t.Type]:
    """The head of `for`: the list, the filter, the scope of a pass, the name, and the type of an element.

    The list is evaluated once, in `scope`; everything else for each element, in `each_time`.
    """
    named = _value_at(node, "for")
    name = text_of(named)
    if isinstance(named, Scalar):
        check_value_name(world, named)
        if name in scope.names:
            world.problems.add(say.name_taken(named.span, name, scope.names[name].span))
    among = formula(world, _value_at(node, "among"), scope)
    kind = among.type
    if isinstance(kind, (t.List, t.Map, t.Roll, t.Dice)):
        element = functions.element_of(kind) if not isinstance(kind, t.Map) else t.without_maybe(kind.of)
    else:
        if isinstance(kind, t.Maybe):
            world.problems.add(say.may_be_missing(among.span, t.example(t.without_maybe(kind))))
        elif not isinstance(kind, t.Anything):
            world.problems.add(say.not_a_collection(among.span, "among", t.in_words(kind)))
        element = t.ANYTHING
    if isinstance(named, Scalar):
        note_elements(world, among.body, scope, named.span)
    test = node.get("where")
    where = None
    inside = each_time.bound(name, element, named.span)
    if test is not None:
        in_element = replace(each_time, element=element)
        where = formula(world, test, in_element, t.YES_NO)
        facts = bounds.facts_of(where.body, True)
        known = {f"{name}{path[2:]}": fact for path, fact in facts.items() if path == "it" or path.startswith("it.")}
        inside = inside.narrow(known)
    return among, where, inside, name, element

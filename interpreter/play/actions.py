"""Actions: whether an actor can perform one, with which inputs, at which price; then its steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.ir import types as t
from interpreter.ir.consent import PAYS, may_refuse_price, path_of_consent
from interpreter.ir.limits import has_listable_values
from interpreter.ir.traversal import nodes_under
from interpreter.play.action_plans import TRIED, ActionInput, Plan, Price, plan_of, value_if_in_scene, value_if_known
from interpreter.play.choices import AnswersOfPolicies, ask_choice
from interpreter.play.effects import put_number
from interpreter.play.refused_ideas import REFUSED, Idea, idea_of, is_closed, was_refused
from interpreter.play.requests import Choice, Prices, Settled
from interpreter.play.run import Record, Run, Walk
from interpreter.play.steps import Walker
from interpreter.play.trace_events import ActionBegun
from interpreter.runtime import objects
from interpreter.runtime.evaluator import Closure, Frame
from interpreter.runtime.late import late
from interpreter.runtime.roles import decider_function
from interpreter.runtime.state import STATE, mark_use, times_done
from interpreter.runtime.summaries import value_in_summary
from interpreter.runtime.titles import titles_of
from interpreter.values import Thing
from interpreter.work_count import spend

OFFERED = ".offered"
"""In the frame of an action that was picked from an offer: an input with one possible value is not asked for."""


# Refusals --------------------------------------------------------------------------------------------------------


def refusal(of: Plan, given: Frame) -> PlayError | None:
    """Why the actor cannot perform the action, whatever its inputs: who it is, or how often it has acted."""
    who, action = given["actor"], of.action
    if of.where is not None and not of.where({**given, ".it": who}):
        assert action.actor.where is not None
        return PlayError(say.not_this_actor(action.actor.where.span, who.id, action.rule.name, action.actor.about))
    if of.among is not None and who not in of.among(given):
        assert action.actor.among is not None
        return PlayError(say.not_this_actor(action.actor.among.span, who.id, action.rule.name, action.actor.about))
    if action.upgrade is not None:
        return None
    problem: PlayError | None = value_if_known(lambda at: _refusal_by_limit(of, action.limit, of.times, at), given)
    return problem


def _refusal_by_limit(of: Plan, limit: ir.UseLimit | None, times: Closure | None, given: Frame) -> PlayError | None:
    if limit is None or times is None:
        return None
    most = times(given)
    if times_done(given[STATE].marks, limit.path, given["actor"].id, limit.per) < most:
        return None
    section, _, kind = limit.path.removesuffix(".at_most").partition(".")
    of_kind = kind if section == "action_kinds" else None
    return PlayError(say.done_often_enough(limit.span, of.action.rule.name, of_kind, most, limit.per))


def is_kind_used_up(of: Plan, given: Frame) -> bool:
    """Whether the actor may do no more actions of the kind of this one, by the limit that the kind has for all of its
    actions."""
    limit = of.action.limit
    if limit is None or limit.path != f"action_kinds.{of.action.kind}.at_most":
        return False
    return value_if_known(lambda at: _refusal_by_limit(of, limit, of.times, at), given) is not None


def points_spent(plans: Iterable[Plan], given: Frame) -> frozenset[str]:
    """The points of the actor that last for a turn, which some actions cost, and of which there are too few for any."""
    least: dict[str, int] = {}
    held: dict[str, int] = {}
    for price in [one for of in plans for one in of.prices if one.attribute.lasts == "turn"]:
        amount = value_if_known(price.amount, given)
        if amount is None or amount > 0:  # what it costs may not be known yet
            name = price.points_name(given)
            least[name] = min(least.get(name, t.LARGEST), amount or 1)
            held[name] = most_points_held(price, given)
    return frozenset([name for name, amount in least.items() if held[name] < amount])


def most_points_held(price: Price, given: Frame) -> int:
    """How many points the actor has for a price; those of the word with most of them where the word is not known."""
    there = given[STATE].has(given["actor"]).get(price.cost.name, 0)
    if price.key is None or not isinstance(there, dict):
        return there if isinstance(there, int) else 0
    word = value_if_known(price.key, given)
    return max(there.values(), default=0) if word is None else there[word]


def _limit_of(of: Plan, given: Frame) -> tuple[ir.UseLimit | None, Closure | None]:
    up = of.action.upgrade
    return (up.limit, of.upgraded_times) if up is not None and given.get("upgraded") else (of.action.limit, of.times)


def prices_of(of: Plan, given: Frame) -> tuple[list[int], dict[str, int]]:
    """The costs of an action in order, and what counts as spent, by the name of the points, of all words together."""
    up = of.action.upgrade if given.get("upgraded") else None
    waives = up.waives if up is not None else ()
    whole = [price.amount(given) for price in of.prices]
    paid = [0 if price.cost.name in waives else amount for price, amount in zip(of.prices, whole, strict=True)]
    spent: dict[str, int] = {}
    for price, amount in zip(of.prices, paid, strict=True):
        spent[price.cost.name] = spent.get(price.cost.name, 0) + amount
    if up is not None and of.counts_as is not None:
        counted: int = of.counts_as(given)
        spent |= dict.fromkeys(up.counted, counted)
    return paid, spent


def named_prices(of: Plan, given: Frame, paid: Iterable[int | None]) -> dict[str, int | None]:
    """Amounts in the order of the costs, by what the points are called in a frame; None for one that is not known."""
    found: dict[str, int | None] = {}
    for price, amount in zip(of.prices, paid, strict=True):
        name = price.points_name(given)
        before = found.get(name, 0)
        found[name] = None if amount is None or before is None else before + amount
    return found


def refusal_of_inputs(of: Plan, given: Frame) -> PlayError | None:
    """Why the action is refused with the inputs of a frame: an earlier refusal, its limit, requirements, costs."""
    if REFUSED in given and is_closed(given):
        return PlayError(say.refused_before(of.action.rule.span, of.action.rule.name))
    problem = _refusal_by_limit(of, *_limit_of(of, given), given)
    if problem is not None:
        return problem
    paid, given["spent"] = prices_of(of, given)
    for one, holds in of.requires:
        if not holds(given):
            return PlayError(say.requirement_not_met(one.name, one.condition.text, one.span, one.about))
    whole: dict[tuple[str, Any], int] = {}
    for price, amount in zip(of.prices, paid, strict=True):
        thing, place = given["actor"], (price.cost.name, price.word(given))
        low, _ = price.limits(thing, given, place[1])
        there = objects.value_at(given[STATE], thing, *place) - (low or 0)
        if amount < 0:
            return PlayError(
                say.below_nothing(price.cost.span, "pay", amount, objects.place_in_sentence(thing, *place))
            )
        whole[place] = whole.get(place, 0) + amount  # two words may turn out to be the same
        if whole[place] > there:
            where = objects.place_in_sentence(thing, *place)
            return PlayError(say.too_few_points(price.cost.span, where, whole[place], there))
    return None


# Combinations of inputs ------------------------------------------------------------------------------------------


def ways_to_fill_inputs(of: Plan, given: Frame, place: int, every: bool = True) -> Iterator[Frame]:
    """Frames with every combination of inputs from a place on; later inputs may depend on earlier ones.

    Without `every`, one value stands for all of an input that decides nothing. An input that cannot be listed, such
    as a number without bounds, is left out of the frame.
    """
    spend(TRIED)
    if place == len(of.inputs):
        yield given
        return
    one = of.inputs[place]
    name = one.one.name
    if given.get(name) is not None:  # it was given beforehand
        yield from ways_to_fill_inputs(of, given, place + 1, every)
        return
    values = values_of(one, given)
    if values is None:
        yield from ways_to_fill_inputs(of, {**given, name: None} if one.one.optional else given, place + 1, every)
        return
    for value in values if every or _decides(one, given) else values[:1]:
        yield from ways_to_fill_inputs(of, {**given, name: value}, place + 1, every)


def _decides(one: ActionInput, given: Frame) -> bool:
    """Whether its value decides; where ideas were refused, each of the actor's own does."""
    return one.decides or (REFUSED in given and one.one.by is None)


def values_of(one: ActionInput, given: Frame) -> tuple[Any, ...] | None:
    """The values of an input after the earlier inputs of a frame; None if they cannot be listed.

    A default that is no candidate is none of them: with it, the action would be refused.
    """
    default = value_if_known(one.usual, given) if one.usual is not None else None
    options = None if one.several else value_if_known(one.candidates, given)
    if options is None:
        return None if default is None else (default,)
    may_lack = not one.one.required and default is None and None not in options
    return (None, *options) if may_lack else tuple(options)


MOST_TRIED = 10_000
"""How many combinations of inputs are tried to find out whether an action is possible."""


def may_have_value(of: Plan, given: Frame, place: int, value: Any) -> bool:
    """Whether an input may have a value: some combination of the later inputs is not refused."""
    return _has_allowed_way(of, {**given, of.inputs[place].one.name: value}, place + 1)


class Denied(PlayError):
    """Somebody other than the actor gave a value with which the action is refused, or a price that the actor does not
    pay. It ends before its price is paid.
    """


def _reason_to_refuse(of: Plan, given: Frame, place: int, value: Any) -> Diagnostic:
    """Why an action is refused with a value of an input, whatever the later ones."""
    for way in ways_to_fill_inputs(of, {**given, of.inputs[place].one.name: value}, place + 1, every=False):
        problem = refusal_of_inputs(of, way)
        if problem is not None:
            return problem.diagnostic
    one = of.inputs[place].one
    return say.no_candidate(one.span, one.name)


def can_be_done(of: Plan, given: Frame) -> bool:
    """Whether the actor of a frame can perform the action with any inputs."""
    return bool(value_if_in_scene(lambda: refusal(of, given) is None and _has_allowed_way(of, given, 0)))


def _has_allowed_way(of: Plan, given: Frame, place: int) -> bool:
    for tried, way in enumerate(ways_to_fill_inputs(of, given, place, every=False)):
        if tried == MOST_TRIED:
            return False
        if value_if_known(lambda inside: refusal_of_inputs(of, inside), way) is None:
            return True
    return False


# Performing an action --------------------------------------------------------------------------------------------


def perform_action(walker: Walker, action: ir.Action, given: Frame, run: Run) -> Walk:
    """Perform an action from a frame with the `actor`: its inputs, its price, its steps. The result is its record.

    The actor is asked for an input that the frame lacks. Raises PlayError if the action is refused.
    """
    begins = begin_action(walker, action, given, run)
    record: Record = yield from walker.walk_of_rule(action.rule, tested=True)(given, run, begins)
    return record


def begin_action(walker: Walker, action: ir.Action, given: Frame, run: Run) -> Walk:
    """An action up to its steps: it fills in the inputs, checks whether it is refused, and pays the price."""
    of, rule, who = plan_of(walker, action), action.rule, given["actor"]
    problem = refusal(of, given)
    if problem is not None:
        raise problem
    consents = False
    for place, one in enumerate(of.inputs):
        value, answered = given.get(one.one.name), len(run.choices)
        if value is None:
            value = yield from _fill_in_input(walker, of, place, given, run)
        given[one.one.name] = value
        one.check(value, given)
        if action.upgrade is not None and one.one.path == action.upgrade.path:
            consents = value and len(run.choices) > answered  # whoever wants it as the other kind knows the price
    problem = refusal_of_inputs(of, given)
    if problem is not None:
        raise problem
    if may_refuse_price(action) and not consents:
        yield from _ask_consent(walker, of, given, run)
    run.add_heading(ActionBegun, rule, who, dict(given))
    paid, _ = prices_of(of, given)
    words = [price.word(given) for price in of.prices]
    for price, word, amount in zip(of.prices, words, paid, strict=True):
        how = objects.move_number(walker.closures, given, who, price.attribute, word, amount, True)
        purse = objects.AttributePlace(who, price.cost.name, word)
        yield from put_number(walker.closures, given, run, price.cost, purse, how, price.follow)
    limit, _ = _limit_of(of, given)
    if limit is not None and who.id in given[STATE].things:  # what happens when points run out may destroy it
        given[STATE] = mark_use(given[STATE], limit.path, who.id, limit.per)


def _ask_consent(walker: Walker, of: Plan, given: Frame, run: Run) -> Walk:
    """Ask the actor whether to pay what somebody else has named. Raises Denied if not."""
    action, who, up = of.action, given["actor"], of.action.upgrade
    paid, _ = prices_of(of, given)
    upgraded = up is not None and given["upgraded"]
    if not (upgraded or any(paid)):
        return
    told = [f"{n} of your {name.replace('_', ' ')}" for name, n in named_prices(of, given, paid).items() if n]
    price = f"costs {' and '.join(told)}" if told else ""
    if up is not None and upgraded:
        use = _use_of_upgrade(up, value_if_known(of.upgraded_times, given) if of.upgraded_times is not None else None)
        price = f"{price} and {use}" if price else use
    choice = Choice(
        run.prefix + PAYS, "yes_no", who.id, f"{action.rule.title}: it {price}. Do you do it?", None, 0, 1, True, True,
        by_policy=AnswersOfPolicies(walker.closures, action.pays, given, run), at=path_of_consent(action.rule),
        about=_inputs_of_others(walker, of, given), prices={"yes": _known_prices(of, given)},
        pattern=f"{action.rule.title}: it costs …. Do you do it?",
    )  # fmt: skip
    if not (yield from ask_choice(run, choice, given)):
        raise Denied(say.price_refused(action.rule.span, who.id))


def _inputs_of_others(walker: Walker, of: Plan, given: Frame) -> str:
    """What others have said of an action so far, beside that it is allowed, for the actor who may refuse its price."""
    titles, rule = titles_of(walker.program, given[STATE]), of.action.rule
    others = [one.name for one in rule.inputs if one.by is not None and given.get(one.name) not in (None, True)]
    values = {name: value_in_summary(given[name], titles, given["actor"].id) for name in others}
    said = [f"{titles.action_input(rule.name, name)} {value}" for name, value in values.items()]
    return f"Said of it: {', '.join(said)}." if said else ""


def refused_idea(of: Plan, given: Frame) -> Idea:
    """The idea that was refused, from the frame of the action."""
    return idea_of(of.action, given, [one.one.name for one in of.inputs if has_listable_values(one.one)])


def _fill_in_input(walker: Walker, of: Plan, place: int, given: Frame, run: Run) -> Walk:
    """The value of an input that was not given: it is asked for if there is a choice, else it is the default.

    For the actor, a value that would be refused, whatever the later inputs, is no option. Anybody else may give such a
    value. Raises Denied if that happens.
    """
    one = of.inputs[place].one
    usual = of.inputs[place].usual
    default = usual(given) if usual is not None else None
    choice = _choice_of(walker, of, place, given, run, default)
    consent = choice is not None and choice.by != given["actor"].id
    if consent and REFUSED in given and was_refused(given):
        raise Denied(say.refused_before(of.action.rule.span, of.action.rule.name))

    def settle(value: Any) -> Any:
        if choice is None or value is None:
            return value
        return run.settle(Settled(choice.path, choice.kind, choice.by, None, value))

    if choice is not None and choice.kind == "yes_no" and one.where is not None:
        fitting = of.inputs[place].candidates(given) or ()
        if not fitting:
            raise PlayError(say.no_candidate(one.span, one.name))
        if len(fitting) == 1:
            return settle(fitting[0])
    if choice is not None and choice.options is not None and choice.kind != "some" and default is not None:
        choice.has_default = choice.has_default and default in choice.options  # what is offered must be allowed
    narrowed = not consent and _decides(of.inputs[place], given)
    if choice is not None and choice.kind not in ("some", "text") and narrowed:
        options = (False, True) if choice.options is None else choice.options
        open_ = tuple([value for value in options if may_have_value(of, given, place, value)])
        if choice.options is None and len(open_) == 1 and (OFFERED in given or open_[0] == default):
            return settle(open_[0])
        if choice.options is not None and open_ and len(open_) < len(options):
            choice.options = open_
            choice.has_default = choice.has_default and default in open_  # what is offered must be allowed
    if choice is None:
        if one.required:
            raise PlayError(say.missing_input(one.name, "this action", one.about or "it has no default"))
        return default
    if choice.options is not None and (not choice.options or choice.least > choice.most):
        if not one.required:
            return settle(default)
        if choice.kind == "some" and choice.least <= 0:
            return settle(())
        raise PlayError(say.no_candidate(one.span, one.name))
    only = choice.options[0] if choice.kind != "some" and choice.options and len(choice.options) == 1 else None
    if only is not None and (one.required or only == default or not choice.has_default):
        return settle(only)
    answer = yield from ask_choice(run, choice, given)
    if consent and of.inputs[place].decides and not may_have_value(of, given, place, answer):
        raise Denied(_reason_to_refuse(of, given, place, answer))
    return answer


def _choice_of(walker: Walker, plan: Plan, place: int, given: Frame, run: Run, default: Any) -> Choice | None:
    of, one = walker.closures, plan.inputs[place].one
    path = run.prefix + one.name
    yes_no = isinstance(t.without_maybe(one.type), t.YesNo)
    text = isinstance(t.without_maybe(one.type), t.Text) and one.among is None and one.where is None
    options = None if yes_no or text else plan.inputs[place].candidates(given)
    if options is None and not (yes_no or text):
        return None
    by = decider_function(of, one.by)(given) or given["actor"].id
    by_policy = AnswersOfPolicies(of, plan.action.answers.get(one.name, {}), given, run)
    costs, up, now = dict[str, Prices](), plan.action.upgrade, dict(given)
    upgrades, shown, meanings = up is not None and one.path == up.path, plan.inputs[place].shown, dict(one.meanings)
    words = lru_cache(1)(partial(_words_of_choice, walker, plan, place, now, by, run.keeps_events))
    told = late(lambda: words()[0]), late(lambda: words()[1]), late(lambda: words()[2])
    ask, about, pattern = told if run.keeps_events else words()
    if run.keeps_events and upgrades:
        ways = {"no": {**given, one.name: False}, "yes": {**given, one.name: True}}
        costs = {way: _known_prices(plan, inside) for way, inside in ways.items()}
    if run.keeps_events and shown is not None:
        meanings = late(lambda: dict(one.meanings) | shown(now, options))
    is_minor = run.keeps_events and (minor := plan.inputs[place].minor) is not None and bool(minor(given))
    if isinstance(t.without_maybe(one.type), t.List) and options is not None:
        few = of.of(one.fewest)(given) if one.fewest is not None else 0
        many = min(of.of(one.most)(given), len(options)) if one.most is not None else len(options)
        return Choice(
            path, "some", by, ask, options, few, many, default, not one.required,
            meanings, by_policy=by_policy, at=one.path, about=about, pattern=pattern, minor=is_minor,
        )  # fmt: skip
    kind = "yes_no" if yes_no else "text" if text else "number" if isinstance(options, range) else "one"
    return Choice(
        path, kind, by, ask, options, 0, 1, default, not one.required, meanings, by_policy, at=one.path, about=about,
        pattern=pattern, prices=costs, minor=is_minor or (upgrades and bool(up and up.waives)),
    )  # fmt: skip


def _words_of_choice(walker: Walker, plan: Plan, place: int, given: Frame, by: str, told: bool) -> Sequence[str]:
    """The question for an input, what there is to say about it, and its pattern, which is the question if nobody is
    `told` it."""
    one, up, who = plan.inputs[place].one, plan.action.upgrade, given["actor"].id
    said = plan.inputs[place].said(given) if told else one.ask.pattern
    actor = who if by != who and not re.search(rf"\b{re.escape(who)}\b", said) else None
    ask, about = _question(plan, one, said, actor, given)
    if told and up is not None and one.path == up.path:
        about = _describe_upgrade_choice(plan, up, given)
        if may_refuse_price(plan.action):
            about = f"{about} {_inputs_of_others(walker, plan, given)}".rstrip()
    return ask, about, one.ask.pattern and _question(plan, one, one.ask.pattern, actor, given)[0]


def _known_prices(plan: Plan, given: Frame) -> Prices:
    """The costs with the inputs of a frame; None for one that depends on what is not known yet."""
    paid = value_if_known(lambda at: prices_of(plan, at)[0], given)
    amounts = named_prices(plan, given, paid if paid is not None else [None] * len(plan.prices))
    return {name: None if amount is None else (amount, amount) for name, amount in amounts.items()}


def _describe_upgrade_choice(plan: Plan, upgrade: ir.Upgrade, given: Frame) -> str:
    """What an action costs as it is; and what it costs upgraded, what then counts as spent, if its steps read that, and
    as what it counts."""

    def points(amount: Any, name: str) -> str:
        told = name.replace("_", " ")
        return f"{amount} of your {told}" if amount is not None else f"its price in {told}"

    rule = plan.action.rule
    costs = [(price.cost.name, price.points_name(given), value_if_known(price.amount, given)) for price in plan.prices]
    read = any(isinstance(one, ir.Local) and one.name == "spent" for one in nodes_under((rule.steps, rule.outcomes)))
    counts = value_if_known(plan.counts_as, given) if plan.counts_as is not None and read else None
    no = " and ".join(points(amount, called) for _, called, amount in costs) or "nothing"
    yes = " and ".join(points(amount, called) for name, called, amount in costs if name not in upgrade.waives)
    yes = yes or "nothing"
    counted = [points(counts, name) for name in upgrade.counted if counts is not None]
    spent = f", counts as if you had spent {' and '.join(counted)}," if counted else ""
    times = value_if_known(plan.upgraded_times, given) if plan.upgraded_times is not None else None
    return f"No: it costs {no}. Yes: it costs {yes}{spent} and {_use_of_upgrade(upgrade, times)}."


def _use_of_upgrade(upgrade: ir.Upgrade, times: int | None) -> str:
    """What an upgraded action uses up; `times` is how often actions of its new kind may be done."""
    named = f"{upgrade.to.replace('_', ' ')} action"
    if upgrade.limit is None:
        return f"is {t.article(named)} {named}"
    if times == 1:
        return f"takes your only {named} of the {upgrade.limit.per}"
    return f"takes one of your {'' if times is None else f'{times} '}{named}s of the {upgrade.limit.per}"


def _question(plan: Plan, one: ir.Declaration, said: str, actor: str | None, given: Frame) -> tuple[str, str]:
    """The question for an input, and what there is to say about it.

    It is what the `ask` of the input `said`, or an `about` that is a question, or else made of the action and the
    input; that for the upgrade names the things that the other inputs are. `actor` is who acts, where somebody else is
    asked and the question does not name the actor.
    """
    title, upgrade = plan.action.rule.title, plan.action.upgrade
    of_whom = f" ({actor}: {title})" if actor is not None else ""
    if upgrade is not None and one.path == upgrade.path:
        things = [str(there.id) for each in plan.inputs if isinstance(there := given.get(each.one.name), Thing)]
        what = f"{title} ({', '.join(things)}): " if things else f"{title}: "
        named = f"{upgrade.to.replace('_', ' ')} action"
        asked = f"o it as {t.article(named)} {named}?"
        return f"D{asked}{of_whom}" if actor else f"{what}d{asked}", ""
    if said:
        return f"{said}{of_whom}", one.about
    if one.about.endswith("?"):
        return f"{one.about}{of_whom}", ""
    name = one.name.replace("_", " ")
    return f"{name[:1].upper()}{name[1:]}?{of_whom}" if actor else f"{title}: {name}?", one.about

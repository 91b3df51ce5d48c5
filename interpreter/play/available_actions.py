"""The actions that an object can perform now, with the values that their inputs may have and their costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import Diagnostic
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.play.action_plans import Plan, plan_of, value_if_in_scene, value_if_known
from interpreter.play.actions import (
    MOST_TRIED,
    can_be_done,
    is_kind_used_up,
    named_prices,
    points_spent,
    prices_of,
    refusal,
    refusal_of_inputs,
    values_of,
    ways_to_fill_inputs,
)
from interpreter.play.refused_ideas import MOST_REFUSED, Idea, refused_with
from interpreter.play.steps import Walker
from interpreter.runtime.evaluator import Frame, new_frame
from interpreter.runtime.state import STATE, State
from interpreter.runtime.titles import NO_TITLES, Titles
from interpreter.values import Thing


@dataclass(frozen=True)
class Possible:
    """An action that is possible now. `inputs` has the values of each input, or None if they cannot be listed.

    `costs` are the prices by the name of the points, of those of a word with the word where that depends on no input,
    as in `ammo(rifle)`; None if they depend on the inputs; `prices` are the lowest and the
    highest of each, None if that depends on an input that cannot be listed. `kinds` has these prices for each kind of
    action as which it can be performed, that of an upgrade included; it is empty where the action has no kind.
    `settled` are the inputs other than yes-or-no that can have only one value, for which nobody is asked. `shows` is
    what the action comes to, as the ruleset says it, and `comes_to` what settled inputs do. `free` are the kinds as
    which it takes nothing: no points, and none of a number of actions; None stands for an action without a kind.
    """

    action: str
    title: str
    inputs: Mapping[str, Sequence[Any] | None]
    costs: Mapping[str, int | None]
    prices: Mapping[str, tuple[int, int] | None]
    kinds: Mapping[str, Mapping[str, tuple[int, int] | None]]
    settled: Mapping[str, Any]
    shows: str
    comes_to: Mapping[str, str]
    free: frozenset[str | None] = frozenset()


def possible(walker: Walker, state: State, who: Thing) -> tuple[Possible, ...]:
    """Every action that an object can perform in a state."""
    found = []
    priced = any(action.costs for action in walker.program.actions.values())
    for name, action in walker.program.actions.items():
        given: Frame = {**new_frame(), STATE: state, "actor": who}
        if getattr(action.actor.type, "kind", None) != who.kind:
            continue
        with say.spending_at(action.rule.span):
            one = value_if_in_scene(partial(_possible_for_actor, plan_of(walker, action), name, given, priced))
        if one is not None:
            found.append(one)
    return tuple(found)


def why_not(walker: Walker, state: State, who: Thing, name: str) -> Diagnostic | None:
    """Why an object cannot perform an action in a state, whatever the inputs; None if it can, or nobody knows."""
    action = walker.program.actions[name]
    of, given = plan_of(walker, action), {**new_frame(), STATE: state, "actor": who}
    kind = getattr(action.actor.type, "kind", None)
    if kind != who.kind:
        return say.not_this_actor(action.rule.span, who.id, name, f"{t.article(kind)} {kind}") if kind else None
    with say.spending_at(action.rule.span):
        found: Diagnostic | None = value_if_in_scene(partial(_reason, of, given))
    return found


def _reason(of: Plan, given: Frame) -> Diagnostic | None:
    problem = refusal(of, given)
    for inside in islice(ways_to_fill_inputs(of, given, 0, every=False), MOST_TRIED) if problem is None else ():
        one = value_if_known(lambda way: refusal_of_inputs(of, way), inside)
        if one is None:
            return None
        problem = problem or one
    if problem is not None:
        return problem.diagnostic
    without = next((one.one for one in of.inputs if one.one.required), None)
    return say.nothing_to_name(without.span, without.name, without.ask.pattern) if without is not None else None


def _possible_for_actor(of: Plan, name: str, given: Frame, priced: bool) -> Possible | None:
    return _possible(of, name, given, priced) if refusal(of, given) is None else None


def _possible(of: Plan, name: str, given: Frame, priced: bool) -> Possible | None:
    """The action, if it is allowed with any values of its inputs. In a ruleset where nothing is `priced`, that an
    action is free goes without saying.

    Only the inputs that decide are combined; all others may have each of their values in every combination. An input
    that somebody else gives has every value that its declaration allows.
    """
    rule = of.action.rule
    allowed: dict[str, dict[Any, None] | None] = {one.name: {} for one in rule.inputs}
    fits, free = False, [one for one in of.inputs if not one.decides or one.one.by is not None]
    decide = [one.one.name for one in of.inputs if one not in free]
    points = dict.fromkeys(price.points_name(given) for price in of.prices)  # which word it is may depend on the inputs
    paid: dict[str | None, dict[str, set[int | None]]] = {}
    tried = 0
    for inside in islice(ways_to_fill_inputs(of, given, 0, every=False), MOST_TRIED):
        tried += 1
        if value_if_known(lambda way: refusal_of_inputs(of, way), inside) is not None:
            continue
        fits = True
        for one in free:
            values, among = values_of(one, inside), allowed[one.one.name]
            if values is None or among is None:
                allowed[one.one.name] = None
            else:
                among.update(dict.fromkeys(value for value in values if value is not None))
        amounts = value_if_known(lambda way: prices_of(of, way)[0], inside)
        now = named_prices(of, given, amounts) if amounts is not None else dict.fromkeys(points)
        upgrade = of.action.upgrade if inside.get("upgraded") else None
        kind = upgrade.to if upgrade is not None else of.action.kind
        for point, ends in paid.setdefault(kind, {point: set() for point in points}).items():
            ends.add(now[point])
        for key in decide:
            among = allowed[key]
            if key not in inside:
                allowed[key] = None
            elif among is not None and inside[key] is not None:
                among[inside[key]] = None
    if not fits:
        return None
    if tried == MOST_TRIED:  # there may be more
        allowed |= dict.fromkeys(decide, None)
    inputs = {key: None if among is None else list(among) for key, among in allowed.items()}
    costs = named_prices(of, given, [value_if_known(price.amount, given) for price in of.prices])
    whole = {point: set[int | None]().union(*(one[point] for one in paid.values())) for point in points}
    kinds = {kind: _lowest_and_highest_of_each(amounts) for kind, amounts in paid.items() if kind is not None}
    settled = _only_values(rule, inputs) if tried < MOST_TRIED else {}
    comes_to = _texts_of_only_values(of, settled, {**given, **settled})
    nothing = frozenset(kind for kind, amounts in paid.items() if priced and _takes_nothing(of, kind, amounts))
    shown = of.shown(given)
    return Possible(
        name, rule.title, inputs, costs, _lowest_and_highest_of_each(whole), kinds, settled, shown, comes_to, nothing
    )


def _takes_nothing(of: Plan, kind: str | None, amounts: Mapping[str, set[int | None]]) -> bool:
    """Whether an action as one of a kind costs no points, and is none of a number of actions that there may be."""
    upgrade = of.action.upgrade
    limit = upgrade.limit if upgrade is not None and kind == upgrade.to else of.action.limit
    limited = limit is not None and (kind is None or limit.path.startswith(ir.ACTION_KINDS))
    return not limited and all(paid == {0} for paid in amounts.values())


def _texts_of_only_values(of: Plan, settled: Mapping[str, Any], given: Frame) -> dict[str, str]:
    """What stands beside the values of inputs that can have only one."""
    beside = {
        one.one.name: value_if_known(partial(_text_beside, one.shown, settled[one.one.name]), given)
        for one in of.inputs
        if one.one.name in settled and one.shown is not None
    }
    return {name: told for name, told in beside.items() if told}


def _text_beside(shown: Callable[[Frame, Sequence[Any]], Mapping[str, str]], value: Any, given: Frame) -> str:
    """What stands beside the only value of an input."""
    return next(iter(shown(given, (value,)).values()), "")


def _only_values(rule: ir.Mechanic, inputs: Mapping[str, Sequence[Any] | None]) -> dict[str, Any]:
    found = {}
    for one in rule.inputs:
        values = inputs[one.name]
        if (
            one.required
            and values is not None
            and len(values) == 1
            and not isinstance(t.without_maybe(one.type), t.YesNo)
        ):
            found[one.name] = values[0]
    return found


def _lowest_and_highest_of_each(amounts: Mapping[str, set[int | None]]) -> Mapping[str, tuple[int, int] | None]:
    return {point: _lowest_and_highest(paid) for point, paid in amounts.items()}


def _lowest_and_highest(amounts: set[int | None]) -> tuple[int, int] | None:
    numbers = [one for one in amounts if one is not None]
    return (min(numbers), max(numbers)) if len(numbers) == len(amounts) else None


def terms_in_words(one: Possible, titles: Titles = NO_TITLES, actor: str = "") -> str:
    """The prices of an action for each kind as which it can be performed: `simple, moves: 2; or full`.

    `actor` is the kind of who pays them, whose points may have titles.
    """
    if not one.kinds:
        return FREE if None in one.free else prices_in_words(one.prices, titles, actor)
    priced = {kind: FREE if kind in one.free else prices_in_words(of, titles, actor) for kind, of in one.kinds.items()}
    terms = [", ".join(filter(None, (titles.action_kind(kind), price))) for kind, price in priced.items()]
    return "; or ".join(terms)


FREE = "free"
"""What stands in place of a price where an action takes nothing."""


def prices_in_words(of: Mapping[str, tuple[int, int] | None], titles: Titles = NO_TITLES, actor: str = "") -> str:
    """Prices in words: `tactical points: 0 to 5, moves: 1`; without those that are nothing."""
    told = []
    for name, ends in of.items():
        if ends == (0, 0):
            continue
        low, high = ends if ends is not None else (None, None)
        number = "some" if low is None else str(low) if low == high else f"{low} to {high}"
        told.append(f"{titles.attribute(actor, name).replace('_', ' ')}: {number}")
    return ", ".join(told)


def describe_action(one: Possible, titles: Titles = NO_TITLES, actor: str = "") -> str:
    """An action as a menu tells it: title, what it comes to, inputs that nobody is asked for, prices."""
    beside = {name: f" ({told})" for name, told in one.comes_to.items()}
    settled = [
        f"{titles.action_input(one.action, name)} {titles.value(value)}{beside.get(name, '')}"
        for name, value in one.settled.items()
    ]
    told, price = ", ".join(([one.shows] if one.shows else []) + settled), terms_in_words(one, titles, actor)
    return f"{one.title}{f': {told}' if told else ''}{f' ({price})' if price else ''}"


TURN = "turn"
"""The span of what a turn has room for."""

PASS = "pass"
"""The answer that ends an offer."""


@dataclass(frozen=True)
class OfferedActions:
    """The actions of an offer, by name in the order of the program; `first` sorts the names by number of inputs."""

    plans: Mapping[str, Plan]
    first: tuple[str, ...]

    @staticmethod
    def of(walker: Walker, actions: Sequence[str]) -> OfferedActions:
        """The offer of some actions."""
        actions_of_program = [action for name, action in walker.program.actions.items() if name in actions]
        plans = {action.rule.name: plan_of(walker, action) for action in actions_of_program}
        return OfferedActions(plans, tuple(sorted(plans, key=lambda name: len(plans[name].inputs))))


class PossibleActions(Sequence[str]):
    """The offered actions that an object can perform in a state, and then `pass`.

    Whether one is possible is computed when it is asked for: a policy asks only for the action that it names. What was
    `refused` in the same offer is not, and after too many refusals no other idea with the same action is.
    """

    def __init__(self, offered: OfferedActions, state: State, who: Thing, refused: Sequence[Idea] = ()) -> None:
        self._offered, self._plans = offered, offered.plans
        self._state, self._who, self._refused = state, who, refused
        self._tried = dict.fromkeys([idea.action for idea in refused], False) if len(refused) >= MOST_REFUSED else {}

    def _is_possible(self, name: str) -> bool:
        known = self._tried.get(name)
        if known is None:
            of = self._plans[name]
            its_kind = getattr(of.action.actor.type, "kind", None) == self._who.kind
            refused = refused_with(name, self._refused)
            known = its_kind and can_be_done(of, {**new_frame(), STATE: self._state, "actor": self._who, **refused})
            self._tried[name] = known
        return known

    @property
    def spent(self) -> frozenset[str]:
        """What is used up: kinds of which no more may be done now, and points of a turn that are too few for any."""
        given = {**new_frame(), STATE: self._state, "actor": self._who}
        kinds = {of.action.kind: of for of in self._plans.values() if of.action.kind is not None}
        used_up = [kind for kind, of in kinds.items() if is_kind_used_up(of, given)]
        return frozenset(used_up) | points_spent(self._plans.values(), given)

    @property
    def matters(self) -> bool:
        """Whether an action is possible that is more than small or in free words: a small one is of a kind and takes
        nothing, and one in free words asks whoever acts for a text. Where something of the turn is used up, only an
        action counts that takes something else of it."""
        names = self._possible_names()[:-1]
        if self.spent:
            names = tuple([name for name in names if self._takes_of_turn(name)])
        return any(map(self._matters, names))

    def _takes_of_turn(self, name: str) -> bool:
        """Whether an action costs points that last for a turn, or may be done only so often in one."""
        of = self._plans[name]
        limit = of.action.limit
        return any(price.attribute.lasts == TURN for price in of.prices) or (limit is not None and limit.per == TURN)

    def _matters(self, name: str) -> bool:
        of, given = self._plans[name], {**new_frame(), STATE: self._state, "actor": self._who}
        if any(isinstance(t.without_maybe(one.type), t.Text) and one.by is None for one in of.action.rule.inputs):
            return False
        priced = any(one.action.costs for one in self._plans.values())
        found = value_if_in_scene(partial(_possible, of, name, given, priced))
        return found is None or not found.free or None in found.free

    @property
    def any(self) -> bool:
        """Whether any action is possible."""
        return any(map(self._is_possible, self._offered.first))

    def _possible_names(self) -> tuple[str, ...]:
        return (*filter(self._is_possible, self._plans), PASS)

    def __contains__(self, name: object) -> bool:
        return name == PASS or (name in self._plans and self._is_possible(str(name)))

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self._possible_names())

    def __iter__(self) -> Iterator[str]:
        return iter(self._possible_names())

    def __getitem__(self, place: Any) -> Any:
        return self._possible_names()[place]

    def __repr__(self) -> str:
        return repr(self._possible_names())

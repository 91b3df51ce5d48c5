"""What somebody can do now: every action that is open to a thing, with what its inputs may be and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from interpreter.play.actions import MOST_TRIED, Plan, can_be_done, in_its_scene, known, plan, refusal, refused, ways
from interpreter.play.steps import Walker
from interpreter.runtime.evaluator import Frame, frame
from interpreter.runtime.state import STATE, State
from interpreter.values import Thing


@dataclass(frozen=True)
class Possible:
    """An action that can be done now. `inputs` has what each input may be, or None where that cannot be listed.

    `costs` are the prices by the name of the points, None where they hang on the inputs.
    """

    action: str
    title: str
    inputs: Mapping[str, Sequence[Any] | None]
    costs: Mapping[str, int | None]


def possible(walker: Walker, state: State, who: Thing) -> tuple[Possible, ...]:
    """Every action that the rules allow somebody in this state."""
    found = []
    for name, deed in walker.program.actions.items():
        given: Frame = {**frame(), STATE: state, "actor": who}
        if getattr(deed.actor.type, "kind", None) != who.kind:
            continue
        one = in_its_scene(partial(_open, plan(walker, deed), name, given))
        if one is not None:
            found.append(one)
    return tuple(found)


def _open(of: Plan, name: str, given: Frame) -> Possible | None:
    return _possible(of, name, given) if refusal(of, given) is None else None


def _possible(of: Plan, name: str, given: Frame) -> Possible | None:
    """The action, if any of what its inputs may be is allowed."""
    rule = of.deed.rule
    allowed: dict[str, dict[Any, None] | None] = {one.name: {} for one in rule.inputs}
    fits = False
    for inside in islice(ways(of, given, 0), MOST_TRIED):
        problem = known(lambda way: refused(of, way), inside)
        if problem is not None:
            continue
        fits = True
        for key, among in allowed.items():
            if key not in inside:
                allowed[key] = None
            elif among is not None and inside[key] is not None:
                among[inside[key]] = None
    if not fits:
        return None
    inputs = {key: None if among is None else list(among) for key, among in allowed.items()}
    costs = {price.cost.name: known(price.amount, given) for price in of.prices}
    return Possible(name, rule.title, inputs, costs)


PASS = "pass"
"""What ends an offer."""


@dataclass(frozen=True)
class Offered:
    """What may be offered, by name in the order of the program. `first` are the names with the fewest inputs first."""

    plans: Mapping[str, Plan]
    first: tuple[str, ...]

    @staticmethod
    def of(walker: Walker, actions: Sequence[str]) -> Offered:
        """Those of some actions that the program has."""
        deeds = [deed for name, deed in walker.program.actions.items() if name in actions]
        plans = {deed.rule.name: plan(walker, deed) for deed in deeds}
        return Offered(plans, tuple(sorted(plans, key=lambda name: len(plans[name].inputs))))


class Open(Sequence[str]):
    """Those of what is offered that somebody can do in a state, and then `pass`.

    Each is tried when it is asked for: a policy asks for the one that it names.
    """

    def __init__(self, offered: Offered, state: State, who: Thing) -> None:
        self._offered, self._plans = offered, offered.plans
        self._state, self._who = state, who
        self._tried: dict[str, bool] = {}

    def _can(self, name: str) -> bool:
        known = self._tried.get(name)
        if known is None:
            of = self._plans[name]
            its_kind = getattr(of.deed.actor.type, "kind", None) == self._who.kind
            known = its_kind and can_be_done(of, {**frame(), STATE: self._state, "actor": self._who})
            self._tried[name] = known
        return known

    @property
    def any(self) -> bool:
        """Whether there is anything to do but to pass."""
        return any(map(self._can, self._offered.first))

    def _all(self) -> tuple[str, ...]:
        return (*filter(self._can, self._plans), PASS)

    def __contains__(self, name: object) -> bool:
        return name == PASS or (name in self._plans and self._can(str(name)))

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __getitem__(self, place: Any) -> Any:
        return self._all()[place]

    def __repr__(self) -> str:
        return repr(self._all())

"""How likely an offered action changes points of what it is done to, and by how much: exact odds, where they are quick.

They are those of the action alone: nobody reacts who need not, every question has its default answer, and points and
tracks may go beyond their upper bounds, so that nothing follows from that: a hit of 3 wounds counts 3, whoever it
fells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from interpreter import ir
from interpreter.api.exact_odds import Allowance, exact_odds
from interpreter.api.instance import Instance
from interpreter.api.query import Query
from interpreter.api.questions import Request
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.choice_keys import reachable_bodies
from interpreter.ir.once_per import once_per
from interpreter.odds.meter import limits_of
from interpreter.play.available_actions import PASS, Possible, possible
from interpreter.runtime.state import State
from interpreter.values import Thing

SECONDS = 0.1
"""How long the odds of one target may take on a small machine; counted in work, so that it is the same on every one."""

MOST_COMPUTED = 6
"""The most targets of a request of which odds are computed."""

MOST_MISSING = Fraction(1, 1000)
"""How much of a law may be unknown, such as what follows long chains of dice."""


@dataclass(frozen=True, slots=True)
class ChanceOfChange:
    """The `chance` that an action changes some `points` of a thing, and by how much it does on average (`mean`)."""

    thing: str
    points: str
    chance: Fraction
    mean: Fraction

    def to_data(self) -> dict[str, Any]:
        """The same as plain data."""
        return {"thing": self.thing, "points": self.points, "chance": float(self.chance), "mean": float(self.mean)}


def chances_of(instance: Instance, state: State, request: Request) -> Mapping[str, ChanceOfChange]:
    """The chances of the answers to a request, by the answer in words: of offered actions with only one target, and of
    the targets of an action of which nothing else is asked. Answers without such odds are left out."""
    if request.who is None or request.who not in state.things:
        return {}
    actions = {one.action: one for one in possible(instance.walker, state, state.thing(request.who))}
    found: dict[str, ChanceOfChange] = {}
    for option, one, target in list(_targets_by_option(instance.program, request, actions))[:MOST_COMPUTED]:
        chance = _chance(instance, state, request.who, one, target)
        found |= {option: chance} if chance is not None else {}
    return found


def _targets_by_option(
    program: ir.Program, request: Request, actions: Mapping[str, Possible]
) -> Iterator[tuple[str, Possible, Thing]]:
    """The answers that settle an action which rolls dice, with its only target, or the one that is answered."""
    options = [one for one in request.options or () if isinstance(one, str)]
    if options[-1:] == [PASS]:
        for one in (actions[name] for name in options if name in actions):
            things = _things_of_target(program, one)
            if things is not None and len(things) == 1:
                yield one.action, one, things[0]
        return
    section, _, name = request.rule.partition(".")
    asked = actions.get(name) if section == "actions" else None
    if asked is not None and _target_of(program, name) == request.name:
        yield from ((one.id, asked, one) for one in _things_of_target(program, asked) or () if one.id in options)


def _things_of_target(program: ir.Program, one: Possible) -> list[Thing] | None:
    """What an action may be done to; None if it rolls no dice or something else is still asked."""
    target = _target_of(program, one.action)
    others = [values for name, values in one.inputs.items() if name != target]
    if target is None or not _rolls_dice(program, one.action) or any(not other or len(other) > 1 for other in others):
        return None
    return [thing for thing in one.inputs[target] or () if isinstance(thing, Thing)]


def _target_of(program: ir.Program, action: str) -> str | None:
    """The first input of an action that takes a thing and is asked of who acts."""
    inputs = program.actions[action].rule.inputs
    return next(
        (one.name for one in inputs if isinstance(t.without_maybe(one.type), t.Object) and one.by is None), None
    )


def _chance(instance: Instance, state: State, actor: str, one: Possible, target: Thing) -> ChanceOfChange | None:
    """The chance of one target, for the first of the points in the summary of its kind that the action may change."""
    simple = instance.without_consequences
    changed = _points_changed(simple.program, one.action, target.kind)
    before = state.things[target.id].values if target.id in state.things else {}
    points = next((name for name in changed if isinstance(before.get(name), int)), None)
    if points is None:
        return None
    given = {name: values[0] for name, values in one.inputs.items() if values}
    given = {name: value.id if isinstance(value, Thing) else value for name, value in given.items()}
    given |= {_target_of(instance.program, one.action) or "": target.id}
    query = Query(simple, one.action, {"actor": actor, **given}, state)
    try:
        law = exact_odds(query, Allowance(limits_of(SECONDS))).law(f"{target.id}.{points}")
    except PlayError:
        return None
    if law.missing > MOST_MISSING or not all(isinstance(value, int) for (value,) in law.weights):
        return None
    whole, now = sum(law.weights.values()), before[points]
    changes = {value - now: weight / whole for (value,), weight in law.weights.items()}
    return ChanceOfChange(
        target.id, points, 1 - changes.get(0, Fraction(0)), Fraction(sum(by * p for by, p in changes.items()))
    )


@once_per
def _points_changed(program: ir.Program, action: str, kind: str) -> tuple[str, ...]:
    """The points and tracks in the summary of a kind that an action, or what it causes, may raise or lower."""
    bodies = [body for _, body in reachable_bodies(program, program.actions[action].rule, (), set())]
    shifted = {one.target.name for one in bodies if isinstance(one, ir.Shift) and one.target.kind == kind}
    has = program.kinds[kind].has
    return tuple([name for name in program.kinds[kind].summary if name in shifted and has[name].counter])


@once_per
def _rolls_dice(program: ir.Program, action: str) -> bool:
    """Whether dice are rolled in an action or in what it causes."""
    bodies = reachable_bodies(program, program.actions[action].rule, (), set())
    return any(isinstance(body, ir.RollDice) for _, body in bodies)

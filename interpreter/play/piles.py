"""Steps on piles, which are lists that something has: drawing by chance, putting into one, taking out of one.

What is drawn is asked for like a die whose faces are what is left, one after the other: so decks on the table can be
used, and odds know it.
"""

from __future__ import annotations

from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.play.effects import placed_at
from interpreter.play.run import Do, Event, Run, Walk
from interpreter.play.steps import Walker
from interpreter.runtime import objects
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.state import STATE
from interpreter.values import Die, Face, in_words

MOST_ELEMENTS = 10_000
"""How many elements one pile may have."""


def draw(walker: Walker, action: ir.Draw, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """So many out of a pile, each as likely as any other; fewer where there are fewer."""
    number = walker.closures.of(action.number)
    one, at = placed_at(walker, action.spot)
    more = placed_at(walker, action.refill) if action.refill is not None else None
    path = ".".join(trail)

    def drawn(given: Frame, run: Run) -> Walk:
        thing, _ = at(given)
        at_pile = (thing, one.name)
        wanted = number(given)
        if wanted < 0:
            raise PlayError(
                say.below_nothing(action.number.span, "draw", wanted, objects.in_sentence(thing, one.name, None))
            )
        came: list[Any] = []
        left = list(objects.value_at(given[STATE], thing, one.name, None))
        while len(came) < wanted:
            if not left and more is not None:
                other, (where, _) = more[0], more[1](given)
                left = list(objects.value_at(given[STATE], where, other.name, None))
                given[STATE] = objects.changed(walker.closures, given, where, other.name, None, ())
                run.events.append(
                    Event("refill", step, (objects.in_sentence(where, other.name, None), len(left)), run.depth)
                )
            if not left:
                break
            faces = tuple([_face(each) for each in left])
            face = (yield from run.throw((Die(len(left), (), one.name, faces),), run.prefix + path, given, at_pile))[0]
            came.append(left.pop(faces.index(face)))
        given[STATE] = objects.changed(walker.closures, given, thing, one.name, None, tuple(left))
        where_from = objects.in_sentence(thing, one.name, None)
        run.tell("draw", step, (where_from, tuple(came), len(left)))
        return tuple(came)

    return drawn


def _face(element: Any) -> Face:
    """What is read when an element comes up."""
    return element if isinstance(element, (int, str)) else in_words(element)


def put(walker: Walker, action: ir.Put, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """All of a list, or one, at the end of a pile."""
    values = _several(walker, action.values)
    one, at = placed_at(walker, action.spot)

    def putting(given: Frame, run: Run) -> Walk:
        thing, _ = at(given)
        added = values(given)
        held = (*objects.value_at(given[STATE], thing, one.name, None), *added)
        if len(held) > MOST_ELEMENTS:
            raise PlayError(say.budget_spent(step.span, "elements in a list", MOST_ELEMENTS))
        with say.Placed({one.name: action.values.span}):
            objects.checked_value(walker.closures, given, thing, one, held)
        given[STATE] = objects.changed(walker.closures, given, thing, one.name, None, held)
        run.tell("put", step, (objects.in_sentence(thing, one.name, None), added))
        return {"happened": True}
        yield  # a walk that asks for nothing is a walk all the same

    return putting


def take(walker: Walker, action: ir.Take, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """One, or all of a list, out of a pile. Raises PlayError where they are not in it."""
    values = _several(walker, action.values)
    one, at = placed_at(walker, action.spot)

    def taking(given: Frame, run: Run) -> Walk:
        thing, _ = at(given)
        taken, where = values(given), objects.in_sentence(thing, one.name, None)
        held = list(objects.value_at(given[STATE], thing, one.name, None))
        for each in taken:
            if each not in held:
                raise PlayError(say.not_in_pile(action.values.span, where, in_words(each)))
            held.remove(each)
        given[STATE] = objects.changed(walker.closures, given, thing, one.name, None, tuple(held))
        run.tell("take", step, (where, taken))
        return taken
        yield  # a walk that asks for nothing is a walk all the same

    return taking


def _several(walker: Walker, values: ir.Formula) -> Any:
    """What is put or taken, as a list."""
    of = walker.closures.of(values)
    if isinstance(t.present(values.type), t.List):
        return of
    return lambda given: (of(given),)

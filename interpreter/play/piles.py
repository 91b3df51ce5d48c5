"""Steps on piles, which are lists that an object has: drawing by chance, putting in, taking out.

A draw is requested like the throw of a die whose faces are the elements that are left, one after the other: so a
host can use a deck on the table, and exact odds handle it as any throw.
"""

from __future__ import annotations

from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.play import trace_events as ev
from interpreter.play.effects import place_of_target
from interpreter.play.run import Do, Record, Run, Walk, without_requests
from interpreter.play.steps import Walker
from interpreter.runtime import objects
from interpreter.runtime.evaluator import Frame
from interpreter.runtime.functions import Bag, charge, split_by
from interpreter.runtime.objects import AttributePlace
from interpreter.runtime.state import STATE
from interpreter.values import Die, Face, in_words

MOST_ELEMENTS = 10_000
"""How many elements one pile may have."""


def compile_draw(walker: Walker, action: ir.Draw, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """Draw a number of elements of a pile with equal chances, or all if there are fewer."""
    number = walker.closures.of(action.number)
    one, at = place_of_target(walker, action.target)
    more = place_of_target(walker, action.refill) if action.refill is not None else None
    path = ".".join(trail)

    def draw_elements(given: Frame, run: Run) -> Walk:
        thing, _ = at(given)
        at_pile = (thing, one.name)
        wanted = number(given)
        if wanted < 0:
            raise PlayError(
                say.below_nothing(action.number.span, "draw", wanted, objects.place_in_sentence(thing, one.name, None))
            )
        taken: list[Any] = []
        left, refilled = list(objects.value_at(given[STATE], thing, one.name, None)), False
        while len(taken) < wanted:
            if not left and more is not None:
                refilled = True
                given[STATE] = objects.change_value(walker.closures, given, thing, one.name, None, ())
                other, (where, _) = more[0], more[1](given)
                left = list(objects.value_at(given[STATE], where, other.name, None))
                given[STATE] = objects.change_value(walker.closures, given, where, other.name, None, ())
                run.add_event(ev.PileRefilled, step, AttributePlace(where, other.name), len(left))
            if not left:
                break
            faces = tuple([_face_of_element(each) for each in charge(left)])
            deck = (Die(len(left), (), one.name, faces),)
            face = (yield from run.throw(deck, run.prefix + path, given, step.path, at_pile))[0]
            taken.append(left.pop(faces.index(face)))
        if refilled and action.refill is not None:
            with say.Placed({one.name: action.refill.span}):
                objects.check_value(walker.closures, given, thing, one, tuple(left))
        given[STATE] = objects.change_value(walker.closures, given, thing, one.name, None, tuple(left))
        run.add_event(ev.PileDrawn, step, AttributePlace(thing, one.name), tuple(taken), len(left))
        return tuple(taken)

    return draw_elements


def _face_of_element(element: Any) -> Face:
    """The face that stands for an element."""
    return element if type(element) in (int, str) else in_words(element)


def compile_put(walker: Walker, action: ir.Put, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """Add one value, or all of a list, at the end of a pile."""
    values = _as_tuple(walker, action.values)
    one, at = place_of_target(walker, action.target)

    @without_requests
    def put_elements(given: Frame, run: Run) -> Record:
        thing, _ = at(given)
        added = values(given)
        held = (*objects.value_at(given[STATE], thing, one.name, None), *added)
        if len(held) > MOST_ELEMENTS:
            raise PlayError(say.budget_spent(step.span, "elements in a list", MOST_ELEMENTS))
        with say.Placed({one.name: action.values.span}):
            objects.check_value(walker.closures, given, thing, one, held)
        given[STATE] = objects.change_value(walker.closures, given, thing, one.name, None, held)
        run.add_event(ev.PutIntoPile, step, AttributePlace(thing, one.name), added)
        return {"happened": True}

    return put_elements


def compile_take(walker: Walker, action: ir.Take, step: ir.Step, trail: tuple[str, ...]) -> Do:
    """Remove one value, or all of a list, from a pile; a run raises PlayError if one is not in it."""
    values = _as_tuple(walker, action.values)
    one, at = place_of_target(walker, action.target)

    @without_requests
    def take_elements(given: Frame, run: Run) -> Any:
        thing, _ = at(given)
        taken, place = values(given), AttributePlace(thing, one.name)
        held = objects.value_at(given[STATE], thing, one.name, None)
        there = Bag(held)
        for each in taken:
            if not there.take(each):
                raise PlayError(say.value_not_in_pile(action.values.span, str(place), in_words(each)))
        given[STATE] = objects.change_value(walker.closures, given, thing, one.name, None, split_by(held, taken)[1])
        run.add_event(ev.TakenFromPile, step, place, taken)
        return taken

    return take_elements


def _as_tuple(walker: Walker, values: ir.Formula) -> Any:
    """The values that are put or taken, as a tuple."""
    of = walker.closures.of(values)
    if isinstance(t.without_maybe(values.type), t.List):
        return of
    return lambda given: (of(given),)

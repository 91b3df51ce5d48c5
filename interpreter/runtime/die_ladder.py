"""Move dice up or down a ladder of sizes; a step that a die cannot take may move another die."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.runtime.functions import MOST_DICE, Problem
from interpreter.values import Dice, Die


def raise_dice(
    pool: Dice, chosen: Sequence[bool], rungs: Sequence[Die], by: int, past_top: str, when_full: str
) -> Dice:
    """The pool with every chosen die moved up by `by` steps, or down if it is negative, to the lowest rung at most.

    A die on the top rung cannot take a step. With `past_top: stop` the step is lost; `carry_to_next_smaller` gives it
    to the biggest chosen die below the top. If there is none, `when_full: lost` loses it, and `add_lowest` uses it to
    add a die of the lowest rung, which takes the further steps. If no die is chosen, `add_lowest` adds dice in the
    same way with all the steps. Raises Problem for too many dice and for a die that is not on the ladder.
    """
    sizes = [rung.size for rung in rungs]
    top = len(sizes) - 1
    places = [_place(die, sizes) for die in pool]
    touched = [i for i, is_chosen in enumerate(chosen) if is_chosen]
    if by < 0:
        for i in touched:
            places[i] = max(places[i] + by, 0) if places[i] <= top else places[i]
        return tuple(_die_on_rung(die, place, rungs) for die, place in zip(pool, places, strict=True))
    spare = 0
    for i in touched:
        room = max(top - places[i], 0)
        places[i] += min(by, room)
        spare += max(by - room, 0)
    if not touched and when_full == "add_lowest":
        spare = by
    added: list[int] = []
    if past_top == "carry_to_next_smaller" or not touched:
        spare = _carry_over(spare, places, touched, top)
        if when_full == "add_lowest":
            added = _new_rungs(spare, top)
    if len(pool) + len(added) > MOST_DICE:
        raise Problem(f"there may be at most {MOST_DICE} dice")
    kept = [_die_on_rung(die, place, rungs) for die, place in zip(pool, places, strict=True)]
    return (*kept, *(rungs[place] for place in added))


def _place(die: Die, sizes: list[int]) -> int:
    if die.size in sizes:
        return sizes.index(die.size)
    if die.size > sizes[-1]:
        return len(sizes)
    raise Problem(f"{die} is not on the ladder")


def _die_on_rung(die: Die, place: int, rungs: Sequence[Die]) -> Die:
    return die if place >= len(rungs) else die._replace(size=rungs[place].size)


def _carry_over(spare: int, places: list[int], touched: list[int], top: int) -> int:
    """Give spare steps to the biggest dice below the top; the steps that are left when all are at the top."""
    while spare:
        below = [i for i in touched if places[i] < top]
        if not below:
            break
        biggest = max(below, key=lambda i: places[i])
        taken = min(spare, top - places[biggest])
        places[biggest] += taken
        spare -= taken
    return spare


def _new_rungs(spare: int, top: int) -> list[int]:
    """The rungs of new dice: adding one takes a step, and it reaches the top before the next is added."""
    if spare > (top + 1) * MOST_DICE:
        raise Problem(f"there may be at most {MOST_DICE} dice")
    full, rest = divmod(spare, top + 1)
    return [top] * full + ([rest - 1] if rest else [])

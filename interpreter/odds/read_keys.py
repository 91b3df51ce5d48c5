"""What a step reads of a frame, as a key: frames in which it is equal lead to equal results of the step.

Six dice of ten sides have 5,005 combinations, but a step that reads which faces they show meets only 847 of these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interpreter.frozen import dataclass
from interpreter.odds.liveness import COUNTED, DICE, LAST, WHETHER, Path
from interpreter.odds.operations import Frame
from interpreter.odds.state_keys import PLAIN, freeze
from interpreter.runtime.operations import spend

MOST_REMEMBERED = 20_000
"""How many results of a step are remembered; beyond that, all are forgotten."""

WORK_OF_A_KEY = 5
"""What it costs to find a remembered result, in units of the work of a question."""

_HELD = (tuple, dict)


@dataclass(frozen=True, slots=True)
class ReadKey:
    """What a step reads of each name: `fields` of the records in a list, or all of the value where that is None."""

    reads: tuple[tuple[str, frozenset[str] | None], ...]

    def of(self, at: Frame) -> Any:
        """The key of what is read of a frame; None if that holds dice, open rolls, the state or numbers without end."""
        found = []
        for name, fields in self.reads:
            value = at.get(name)
            if type(value) not in PLAIN:
                if fields is not None and type(value) is tuple and all(type(one) is dict for one in value):
                    value = tuple([{one: of[one] for one in of if one in fields} for of in value])
                if not _is_settled(value):
                    return None
                value = freeze(value)
            found.append(value)
        return tuple(found)


def _is_settled(value: Any) -> bool:
    """Whether a value holds nothing but plain values, in lists and records."""
    if type(value) in PLAIN:
        return True
    if type(value) not in _HELD:
        return False
    inner = value.values() if type(value) is dict else value
    return PLAIN.issuperset(map(type, inner)) or all(map(_is_settled, inner))


def read_key_of(touches: Iterable[Path], names: Iterable[str] = ()) -> ReadKey:
    """The key of what a step reads: the paths that it `touches`, and all of some `names`."""
    found: dict[str, set[str] | None] = dict.fromkeys(names)
    for name, *below in touches:
        first = next((one for one in below if one != LAST), None)
        if first is None or first == DICE:
            found[name] = None
            continue
        fields = found.setdefault(name, set())
        if fields is not None and first not in (COUNTED, WHETHER):  # a key has the number of the records anyway
            fields.add(first)
    return ReadKey(tuple([(name, None if some is None else frozenset(some)) for name, some in sorted(found.items())]))


def remember_results(compute: Callable[[Frame], Any], key: ReadKey, spend_work: Callable[[int], None]) -> Any:
    """The same function of a frame, which computes nothing anew for what it has met before.

    What it spends of the limit on elements, it spends each time.
    """
    known: dict[Any, tuple[Any, int]] = {}

    def compute_once(at: Frame) -> Any:
        met = key.of(at)
        if met is None:
            return compute(at)
        if met not in known:
            before = at[".meter"][0]
            result = compute(at)
            if len(known) >= MOST_REMEMBERED:
                known.clear()
            known[met] = result, before - at[".meter"][0]
            return result
        result, spent = known[met]
        spend_work(WORK_OF_A_KEY)
        spend(at, spent)
        return result

    return compute_once

"""The names that questions about odds use, the values that answers show, and goals of decisions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.odds.answer import DieSeen
from interpreter.odds.lazy_roll import LazyRoll
from interpreter.odds.matching import is_hidden
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.runtime.operations import field_of
from interpreter.runtime.state import State
from interpreter.values import Thrown, in_words


@dataclass(frozen=True, slots=True)
class Goal:
    """What decisions are made for: the highest chance that a name has a value or, without a value, its highest mean.

    With `least`, it is the lowest. `counting` are outcomes that count as the value. `whose` names who decides for it: a
    role, a thing, or steps that ask or lead to a choice; without it, all choices are decided for this goal. A goal of a
    `rank` above 0 only decides between answers that are equally good for those of the same decider with a lower one.
    """

    name: str
    value: Any = None
    least: bool = False
    counting: tuple[str, ...] = ()
    whose: str = ""
    rank: int = 0

    def decides(self, path: str, by: str | None) -> bool:
        """Whether a choice at a path, which is put to a role or thing, is decided for this goal."""
        return self.whose in ("", by) or f".{self.whose}." in f".{path}."

    def utility(self, record: Any) -> int | Fraction:
        """The value of a record for the goal; of a number of which only a bound and the mean are known, the mean.

        Raises Undecided if it is not known, PlayError if it is no number.
        """
        value = value_at(record, self.name)
        if self.value is not None:
            return int(value == self.value or value in self.counting)
        if isinstance(value, AtLeast):
            if value.mean is None:
                raise Undecided
            return value.mean
        if isinstance(value, LazyRoll):
            return value.mean_of_sum()
        if not isinstance(value, int):
            raise PlayError(say.no_number(self.name, in_words(value)))
        return int(value)


def goal_of(goals: Sequence[Goal], path: str, by: str | None) -> int | None:
    """The place of the goal for which a choice is decided: of several, the one with the longest name of who decides."""
    found = [place for place, goal in enumerate(goals) if not goal.rank and goal.decides(path, by)]
    return max(found, key=lambda place: goals[place].whose.count("."), default=None)


def reading_of(rule: ir.Mechanic, key: str) -> tuple[str, Any] | None:
    """The name and value that an outcome, a flag, or a word of a further reading stands for; None for other keys."""
    outcome = t.without_maybe(rule.type.field("outcome") or t.ANYTHING)
    if isinstance(outcome, t.Word) and key in outcome.words:
        return "outcome", key
    for one in rule.also:
        kind = t.without_maybe(one.type)
        if isinstance(kind, t.Word) and key in kind.words:
            return one.name, key
        if one.name == key and not isinstance(kind, t.Word):
            return one.name, True
    return None


def outcomes_counting_as(rule: ir.Mechanic, name: str, value: Any) -> tuple[str, ...]:
    """The outcomes that count as a word of a reading, as they do for `is` in rules."""
    kind = t.without_maybe(rule.type.field(name) or t.ANYTHING)
    return tuple(word for word, other in kind.counts_as if other == value) if isinstance(kind, t.Word) else ()


def check_name(of: t.Record, name: str) -> t.Type:
    """The type of a value of a rule, in whose name dots precede fields. Raises PlayError if there is none."""
    kind: t.Type = of
    so_far: list[str] = []
    for part in name.split("."):
        kind = t.without_maybe(kind)
        known = [field for field, _ in kind.fields] if isinstance(kind, t.Record) else []
        if part not in known:
            raise PlayError(say.no_odds_of(name, [".".join((*so_far, one)) for one in known]))
        so_far.append(part)
        kind = dict(kind.fields)[part] if isinstance(kind, t.Record) else kind
    return t.without_maybe(kind)


def reads_end_state(state: State | None, name: str) -> bool:
    """Whether a name reads the last state, as an attribute of a thing: `ann.hold`."""
    return state is not None and "." in name and name.partition(".")[0] in state.things


def value_at(record: Any, name: str) -> Any:
    """The value that a record has under a name, with dots before fields, as an answer shows it."""
    for part in name.split("."):
        record = field_of(record, part)
    return shown_value(record)


def shown_value(record: Any) -> Any:
    """A value as an answer shows it: plain; a number for a single die; else in words, with dice from the highest."""
    if isinstance(record, Thrown):
        return record.value
    if isinstance(record, tuple) and len(record) == 1 and isinstance(record[0], Thrown):
        return record[0].value
    return in_words(_sort_dice(record)) if isinstance(record, (tuple, dict)) else record


def value_in_advice(value: Any) -> Any:
    """A value as advice names it: as an answer shows it; of a chain that is not followed to its end, the bound."""
    try:
        return shown_value(value)
    except Undecided:
        return in_words(_bounds_in_words(value))


def hand_of(value: Any) -> tuple[DieSeen, ...] | None:
    """The dice of a roll, or a single one, from the highest; none of an empty list. None for other values, and where a
    die shows a word, has been thrown on, or counts otherwise than it shows."""
    dice = (value,) if isinstance(value, Thrown) else value
    if not isinstance(dice, tuple) or isinstance(value, str):
        return None
    if not all(isinstance(one, Thrown) and type(one.value) is int and one.value == one.face for one in dice):
        return None
    if any(len(one.throws) > 1 for one in dice):
        return None
    return tuple(sorted((DieSeen(one.value, str(one.die)) for one in dice), key=lambda one: (-one.face, one.die)))


def readings_of(value: Any) -> dict[str, int]:
    """The lowest, the highest, the sum and the number of the dice of a roll; nothing of other values, nor where a die
    shows a word or is not followed to its end."""
    if not isinstance(value, tuple) or not value or not all(isinstance(one, Thrown) for one in value):
        return {}
    faces = [one.value for one in value]
    if not all(type(face) is int for face in faces):
        return {}
    return {"lowest": min(faces), "highest": max(faces), "sum": sum(faces), "count": len(faces)}


def _bounds_in_words(value: Any) -> Any:
    """The value with lower bounds in words, and dice of which no more is known."""
    if isinstance(value, Thrown):
        value = value.value
    if isinstance(value, AtLeast):
        return repr(value)
    if isinstance(value, dict):
        return {name: _bounds_in_words(one) for name, one in value.items()}
    return tuple(map(_bounds_in_words, tuple.__iter__(value))) if isinstance(value, tuple) else value


def _sort_dice(value: Any) -> Any:
    """The value with dice from the highest, without hidden fields. Raises Undecided if it holds a number with only a
    lower bound."""
    if isinstance(value, AtLeast) or (isinstance(value, Thrown) and isinstance(value.value, AtLeast)):
        raise Undecided
    if isinstance(value, dict):
        return {name: _sort_dice(one) for name, one in value.items() if not (type(name) is str and is_hidden(name))}
    if isinstance(value, tuple) and value and all(isinstance(one, Thrown) for one in value):
        plain = len({one.die for one in value}) == 1 and all(
            len(one.throws) == 1 and one.value == one.face for one in value
        )
        return tuple(sorted(value, key=lambda one: (-one.value, "" if plain else in_words(one))))
    return tuple(map(_sort_dice, value)) if type(value) is tuple else value

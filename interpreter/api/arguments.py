"""Arguments that a host passes, held to their types: a wrong one is a message, and not an error of Python.

Here the names that a host passes get the one form in which names are compared (`syntax/names.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from functools import wraps
from inspect import Parameter, signature
from os import PathLike
from typing import Any, ParamSpec, TypeVar, cast

from interpreter import diagnostics as say
from interpreter.budget import metered
from interpreter.diagnostics import PlayError
from interpreter.runtime.rng import Seed, is_fresh_seed
from interpreter.shown_text import in_one_line
from interpreter.syntax.names import normalize

P = ParamSpec("P")
R = TypeVar("R")


def text(name: str, value: object) -> str:
    """A text, with each letter in the one way to write it. Raises PlayError for any other value."""
    if not isinstance(value, str):
        raise PlayError(say.misfit_argument(name, value, "a text"))
    return normalize(value)


def whole_number(name: str, value: object) -> int:
    """A whole number of at most 64 bits. Raises PlayError for any other value; a truth is no number."""
    if not isinstance(value, int) or isinstance(value, bool) or not -(2**63) <= value < 2**64:
        raise PlayError(say.misfit_argument(name, value, "a whole number of at most 64 bits"))
    return value


def seed(name: str, value: object) -> Seed:
    """A whole number of at most 64 bits, or a fresh seed. Raises PlayError for any other value."""
    if isinstance(value, str) and is_fresh_seed(value.lower()):
        return value.lower()
    if isinstance(value, str):
        raise PlayError(say.misfit_argument(name, value, FORM_OF_SEED))
    return whole_number(name, value)


FORM_OF_SEED = "a whole number of at most 64 bits or 32 hexadecimal digits"


def truth(name: str, value: object) -> bool:
    """True or False. Raises PlayError for any other value."""
    if not isinstance(value, bool):
        raise PlayError(say.misfit_argument(name, value, "`True` or `False`"))
    return value


def names(name: str, value: object) -> Mapping[str, Any]:
    """A mapping of names that are texts. Raises PlayError for any other value."""
    if not isinstance(value, Mapping) or not all(isinstance(one, str) and _is_sound(one) for one in value):
        raise PlayError(say.misfit_argument(name, value, "a mapping of names that are texts"))
    return value if all(one.isascii() for one in value) else {normalize(one): has for one, has in value.items()}


def policy(name: str, value: object) -> object:
    """The name of a policy or a function that answers. Raises PlayError for any other value."""
    if not isinstance(value, str) and not callable(value):
        raise PlayError(say.misfit_argument(name, value, "a name or a function"))
    return normalize(value) if isinstance(value, str) else value


def function(name: str, value: object) -> object:
    """A function. Raises PlayError for any other value."""
    if not callable(value):
        raise PlayError(say.misfit_argument(name, value, "a function"))
    return value


def several(name: str, value: object) -> Collection[Any]:
    """A list or another collection, which a text is not. Raises PlayError for any other value."""
    if not isinstance(value, Collection) or isinstance(value, (str, bytes, Mapping)):
        raise PlayError(say.misfit_argument(name, value, "a list"))
    return value


def texts(name: str, value: object) -> object:
    """A list of texts. Raises PlayError for any other value."""
    return [text(f"each of {name}", one) for one in several(name, value)]


def file(name: str, value: object) -> object:
    """A name or the path of a file. Raises PlayError for any other value."""
    if not isinstance(value, (str, PathLike)):
        raise PlayError(say.misfit_argument(name, value, "a text or a path"))
    return value


def files(name: str, value: object) -> object:
    """A list of names or paths. Raises PlayError for any other value."""
    return [file(f"each of {name}", one) for one in several(name, value)]


def grid(name: str, value: object) -> object:
    """A mapping of names, each with a list of values. Raises PlayError for any other value."""
    return {one: several(f"{name}.{one}", values) for one, values in names(name, value).items()}


def _object_with_method(method: str, what: str) -> Callable[[str, object], object]:
    """Holds an argument to objects with a method."""

    def check_method(name: str, value: object) -> object:
        if not callable(getattr(value, method, None)) or isinstance(value, type):
            raise PlayError(say.misfit_argument(name, value, what))
        return value

    return check_method


def goals(name: str, value: object) -> object:
    """A name, several in the order of preference, or such by who decides. Raises PlayError for anything else."""
    if isinstance(value, Mapping):
        return {text(name, whose): _goals_of_one(name, goal) for whose, goal in value.items()}
    return _goals_of_one(name, value)


def _goals_of_one(name: str, value: object) -> str | tuple[str, ...]:
    if isinstance(value, (list, tuple)) and value:
        return tuple([text(name, one) for one in value])
    return text(name, value)


def new_names(name: str, value: object) -> object:
    """Names by the names before. Raises PlayError for anything else."""
    return {text(name, old): text(name, new) for old, new in names(name, value).items()}


def players(name: str, value: object) -> dict[str, tuple[str, ...]]:
    """The names that each player answers for. Raises PlayError where the players have another form."""
    names_by_player = {}
    for player, has in names(name, value).items():
        each = (has,) if isinstance(has, str) else has
        if not isinstance(each, (list, tuple, set, frozenset)) or not all(isinstance(one, str) for one in each):
            raise PlayError(say.misfit_argument(name, has, "for each player one name or a list of names"))
        names_by_player[player] = tuple(map(normalize, each))
    return names_by_player


def seconds(name: str, value: object) -> float:
    """A time above 0. Raises PlayError for anything else."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= MOST_SECONDS:
        return float(value)
    raise PlayError(say.misfit_argument(name, value, f"a number of seconds above 0, at most {MOST_SECONDS:,}"))


MOST_SECONDS = 1_000_000
"""The longest time that a question may take."""


def share(name: str, value: object) -> Fraction:
    """A part of the probability, from 0 to 1. Raises PlayError for anything else."""
    if isinstance(value, (int, float, Fraction)) and not isinstance(value, bool) and 0 <= value <= 1:
        return Fraction(value)
    raise PlayError(say.misfit_argument(name, value, "a part of the probability, from 0 to 1"))


def free_text(name: str, value: object) -> str:
    """Any text that can be saved, as it is. Raises PlayError for any other value."""
    if not isinstance(value, str) or not (value == "" or _is_sound(value)):
        raise PlayError(say.misfit_argument(name, value, "a text"))
    return value


def _is_sound(name: str) -> bool:
    """Whether a name is there, and each character of it is seen and can be saved."""
    return bool(name) and in_one_line(name) == name


FORMS: Mapping[str, Callable[[str, Any], object]] = {
    **dict.fromkeys(("mechanic", "scene", "rule", "action", "event", "phase", "method", "dice", "name"), text),
    **dict.fromkeys(("ends", "span", "who", "text", "expression"), text),
    **dict.fromkeys(("best", "worst"), goals),
    **dict.fromkeys(("request", "until", "actor", "thing", "word", "since"), text),
    **dict.fromkeys(("step", "why", "kind", "place", "what", "player", "title"), text),
    **dict.fromkeys(("rounds", "runs", "from_event"), whole_number),
    "seed": seed,
    "words": free_text,
    "seconds": seconds,
    "within": share,
    **dict.fromkeys(("choices", "inputs", "options", "values", "beside"), names),
    "renamed": new_names,
    **dict.fromkeys(("ask", "progress", "resolve"), function),
    **dict.fromkeys(("for_all", "for_everybody", "bundled", "proposals", "hidden"), truth),
    "policy": policy,
    "players": players,
    "over": grid,
    "faces": several,
    **dict.fromkeys(("of", "actors", "allow"), texts),
    "source": _object_with_method("throw", "an object with `throw(dice)`"),
    "executor": _object_with_method("submit", "an executor of `concurrent.futures`"),
    **dict.fromkeys(("ruleset", "path", "inside"), file),
    **dict.fromkeys(("layers", "roots"), files),
}
"""What reads an argument and holds it to its type, by its name, which means the same in every call of a host."""


def with_checked_arguments(call: Callable[P, R]) -> Callable[P, R]:
    """The same call with its arguments in the form that their names say (`FORMS`), which raises PlayError where one
    has another type.

    An argument may be None where None is what it has without a value.
    """
    known = signature(call).parameters
    forms = {name: FORMS[name] for name in known if name in FORMS}
    optional = {name for name, one in known.items() if one.default is None}
    in_order = [name for name, one in known.items() if one.kind is not Parameter.KEYWORD_ONLY]

    def read(name: str, value: Any) -> Any:
        return value if name not in forms or (value is None and name in optional) else forms[name](name, value)

    @metered
    @wraps(call)
    def call_with_forms(*given: P.args, **named: P.kwargs) -> R:
        several = [read(name, value) for name, value in zip(in_order, given, strict=False)]
        others: dict[str, Any] = {name: read(name, value) for name, value in named.items()}
        return cast(Callable[..., R], call)(*several, *given[len(several) :], **others)

    return call_with_forms

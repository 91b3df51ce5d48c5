"""Arguments that a host passes, held to their types: a wrong one is a message, and not an error of Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter import diagnostics as say
from interpreter.diagnostics import PlayError


def text(name: str, value: object) -> str:
    """A text. Raises PlayError for any other value."""
    if not isinstance(value, str):
        raise PlayError(say.misfit_argument(name, value, "a text"))
    return value


def whole_number(name: str, value: object) -> int | None:
    """A whole number of at most 64 bits, or None. Raises PlayError for any other value; a truth is no number."""
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not -(2**63) <= value < 2**64:
        raise PlayError(say.misfit_argument(name, value, "a whole number of at most 64 bits"))
    return value


def truth(name: str, value: object) -> bool:
    """True or False. Raises PlayError for any other value."""
    if not isinstance(value, bool):
        raise PlayError(say.misfit_argument(name, value, "`True` or `False`"))
    return value


def names(name: str, value: object) -> Mapping[str, Any]:
    """A mapping of names that are texts; empty for None. Raises PlayError for any other value."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(one, str) and _is_sound(one) for one in value):
        raise PlayError(say.misfit_argument(name, value, "a mapping of names that are texts"))
    return value


def policy(value: Any) -> Any:
    """The name of a policy, a function that answers, or None. Raises PlayError for any other value."""
    if value is not None and not isinstance(value, str) and not callable(value):
        raise PlayError(say.misfit_argument("policy", value, "a name or a function"))
    return value


def players(value: object) -> dict[str, tuple[str, ...]]:
    """The names that each player answers for. Raises PlayError where the players have another form."""
    made = {}
    for player, has in names("players", value).items():
        each = (has,) if isinstance(has, str) else has
        if not isinstance(each, (list, tuple, set, frozenset)) or not all(isinstance(one, str) for one in each):
            raise PlayError(say.misfit_argument("players", has, "for each player one name or a list of names"))
        made[player] = tuple(each)
    return made


def _is_sound(name: str) -> bool:
    """Whether a name is there and can be saved."""
    return bool(name) and name.encode("utf-8", "replace").decode() == name

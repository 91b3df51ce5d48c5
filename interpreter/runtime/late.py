"""Values that are made when somebody reads them, such as the texts of questions that a policy answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

Made = TypeVar("Made")


def late(make: Callable[[], Made]) -> Made:
    """A value for an attribute that `make_when_read` has prepared: it is made when somebody reads it."""
    return cast(Made, Late(make))


class Late:
    """Stands in an attribute for a value until that is read; nothing that it is made of may change until then."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def make_when_read(of: type, *names: str) -> None:
    """Let attributes of a class with slots hold a `Late`, which is made when the attribute is first read."""
    for name in names:
        setattr(of, name, _LateSlot(of.__dict__[name]))


class _LateSlot:
    """A slot that makes its value when it is first read."""

    def __init__(self, slot: Any) -> None:
        self.get, self.set = slot.__get__, slot.__set__

    def __get__(self, of: Any, kind: type | None = None) -> Any:
        if of is None:
            return self
        value = self.get(of, kind)
        if type(value) is Late:
            value = value.make()
            self.set(of, value)
        return value

    def __set__(self, of: Any, value: Any) -> None:
        self.set(of, value)

"""Dataclasses that cost little where a command starts: it creates hundreds of classes before it does anything else, and
thousands of small values after that.

- They are frozen for the type checker only. The methods with which a frozen dataclass refuses assignments take half of
  the time in which the class is created, and double that in which a value is; mypy refuses the assignments in the
  interpreter anyway. What hosts are given is frozen in earnest, by `dataclasses`.
- Their methods are written when one of them is called first, all of a class in one text. Most classes of a command are
  only named in it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls: type | None = None, /, *, frozen: bool = False, eq: bool = True, repr: bool = True, **options: Any
    ) -> Any:
        """As in `dataclasses`, but without the methods that refuse assignments, and with one `__repr__` for all."""

        def make(of: type) -> type:
            own = of.__dict__
            written = [name for name in ("__init__", "__eq__") if name not in own and (eq or name != "__eq__")]
            if eq and frozen and own.get("__hash__") is None:
                written.append("__hash__")
            if repr and "__repr__" not in own:
                of.__repr__ = _shown
            of.__doc__ = of.__doc__ or of.__name__  # else `dataclasses` makes one, of a signature
            made = dataclasses.dataclass(of, init=False, eq=False, repr=False, **options)
            if eq and not frozen and made.__dict__.get("__hash__") is None:
                made.__hash__ = None
            for name in written:
                setattr(made, name, _written_when_called(made, name, written))
            return made

        return make if cls is None else make(cls)


_Fields = tuple[dataclasses.Field[Any], ...]


def _written_when_called(of: type, name: str, written: list[str]) -> Any:
    """A method in whose place the real ones come when it is called first."""

    def write_and_call(self: Any, *values: Any, **named: Any) -> Any:
        _write_methods(of, written)
        return getattr(of, name)(self, *values, **named)

    write_and_call.__name__, write_and_call.__qualname__ = name, f"{of.__qualname__}.{name}"
    return write_and_call


def _write_methods(of: type, written: list[str]) -> None:
    """Give a class the methods of a dataclass that have these names."""
    fields = dataclasses.fields(of)
    names: dict[str, Any] = {"MISSING": dataclasses.MISSING, "NotImplemented": NotImplemented}
    for one in fields:
        names[f"default_{one.name}"] = one.default
        names[f"factory_{one.name}"] = one.default_factory
    texts = {"__init__": _init_lines, "__eq__": _eq_lines, "__hash__": _hash_lines}
    lines = [line for name in written for line in texts[name](fields, of)]
    found: dict[str, Any] = {}
    exec("\n".join(lines), names, found)
    for name in written:
        method = found[name]
        method.__qualname__, method.__module__ = f"{of.__qualname__}.{name}", of.__module__
        setattr(of, name, method)


def _init_lines(fields: _Fields, of: type) -> list[str]:
    by_name = [one for one in fields if one.init and one.kw_only]
    parameters = ["self", *(_parameter(one) for one in fields if one.init and not one.kw_only)]
    parameters += ["*", *map(_parameter, by_name)] if by_name else []
    last = "self.__post_init__()" if hasattr(of, "__post_init__") else "return"
    return [f"def __init__({', '.join(parameters)}):", *_assignments(fields), f"  {last}"]


def _parameter(one: dataclasses.Field[Any]) -> str:
    if one.default is not dataclasses.MISSING:
        return f"{one.name}=default_{one.name}"
    return f"{one.name}=MISSING" if one.default_factory is not dataclasses.MISSING else one.name


def _assignments(fields: _Fields) -> Iterator[str]:
    for one in fields:
        made = one.default_factory is not dataclasses.MISSING
        if one.init:
            value = f"factory_{one.name}() if {one.name} is MISSING else {one.name}" if made else one.name
            yield f"  self.{one.name} = {value}"
        elif made or one.default is not dataclasses.MISSING:
            yield f"  self.{one.name} = {f'factory_{one.name}()' if made else f'default_{one.name}'}"


def _eq_lines(fields: _Fields, _of: type) -> list[str]:
    own, others = (_values(whose, [one for one in fields if one.compare]) for whose in ("self", "other"))
    return [
        "def __eq__(self, other):",
        f"  return {own} == {others} if other.__class__ is self.__class__ else NotImplemented",
    ]


def _hash_lines(fields: _Fields, _of: type) -> list[str]:
    hashed = [one for one in fields if (one.compare if one.hash is None else one.hash)]
    return ["def __hash__(self):", f"  return hash({_values('self', hashed)})"]


def _values(whose: str, fields: list[dataclasses.Field[Any]]) -> str:
    return f"({''.join(f'{whose}.{one.name}, ' for one in fields)})"


@recursive_repr()
def _shown(value: Any) -> str:
    values = [f"{one.name}={getattr(value, one.name)!r}" for one in dataclasses.fields(value) if one.repr]
    return f"{type(value).__qualname__}({', '.join(values)})"

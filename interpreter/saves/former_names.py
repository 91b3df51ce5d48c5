"""What the names in a save are called now: of kinds, attributes, options, rules, inputs, and words of lists."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter import ir
from interpreter.ir import types as t


def name_of_now(program: ir.Program, scope: str, name: str) -> str:
    """What something is called now; `scope` is the path around it, such as `kinds.ship`."""
    return program.formerly.get(f"{scope}.{name}", name)


def names_of_now(program: ir.Program, scope: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by names of now, such as the inputs of a rule at the path `scope`."""
    return {name_of_now(program, scope, name): value for name, value in values.items()}


def rule_of_now(program: ir.Program, path: str) -> str:
    """The path of a rule by its name of now; that of a mechanic may lack its section, and lacks it then."""
    section, _, name = path.rpartition(".")
    now = name_of_now(program, section or "mechanics", name)
    return f"{section}.{now}" if section else now


def path_of_now(program: ir.Program, path: str) -> str:
    """The path of a unit with each of its names as it is called now."""
    construct, _, part = path.partition(" ")
    first, *names = construct.split(".")
    for name in names:
        first = f"{first}.{name_of_now(program, first, name)}"
    return f"{first} {part}".rstrip()


def question_of_now(program: ir.Program, path: str) -> str:
    """The path of a question, which names the actions and inputs on the way to it, as they are called now."""
    names: list[str] = []
    for name in path.split("."):
        action = name_of_now(program, "actions", name)
        names.append(name_of_now(program, f"actions.{names[-1]}", name) if action == name and names else action)
    return ".".join(names)


def words_of_now(program: ir.Program, kind: t.Type, value: Any) -> Any:
    """A value of a type as plain data, with the words of its lists as they are called now."""
    match t.without_maybe(kind):
        case t.Word(name=name, words=words) if isinstance(value, str) and value not in words:
            return name_of_now(program, f"names.{name}", value)
        case t.List(of=of) if isinstance(value, list):
            return [words_of_now(program, of, one) for one in value]
        case t.Map(key=key, of=of) if isinstance(value, Mapping):
            return {words_of_now(program, key, name): words_of_now(program, of, one) for name, one in value.items()}
        case t.Record(fields=fields) if isinstance(value, Mapping):
            types = dict(fields)
            return {name: words_of_now(program, types.get(name, t.ANYTHING), one) for name, one in value.items()}
        case _:
            return value

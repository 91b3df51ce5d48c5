"""The options of a ruleset: those that a host chooses, and the defaults of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.decode import InputReader, node_of
from interpreter.checker.world import World
from interpreter.diagnostics import PlayError
from interpreter.runtime.constraints import constraints_check
from interpreter.runtime.evaluator import Closures, new_frame


def chosen_options(program: ir.Program, world: World, given: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the options that a host gives. Raises PlayError for one that is unknown or does not fit."""
    defaults = all_options(program, {}) if given else {}
    chosen = {}
    for name, value in given.items():
        node = node_of(value, name)
        if name not in program.options:
            raise PlayError(say.unknown_option(node.span, name, program.options))
        option, reader = program.options[name], InputReader(world, Closures(program, defaults))
        read = reader.value(node, option.type, option.name)
        with say.Placed({option.name: node.span}):
            constraints_check(reader.closures, option)(read, new_frame())
        chosen[name] = read
    return chosen


def all_options(program: ir.Program, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Every option with its value."""
    values = _Options(program, chosen)
    return {name: values[name] for name in program.options}


class _Options(dict[str, Any]):
    """Chosen options, and the defaults of the others, each evaluated when it is first read.

    A default may read other options; the checker has found those that depend on each other in a circle.
    """

    def __init__(self, program: ir.Program, chosen: Mapping[str, Any]) -> None:
        super().__init__(chosen)
        self._program, self._closures = program, Closures(program, self)

    def __missing__(self, name: str) -> Any:
        default = self._program.options[name].default
        self[name] = value = self._closures.of(default)(new_frame()) if default is not None else None
        return value

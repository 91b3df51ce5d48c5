"""Formulas as Python expressions of variables: attributes and functions of the ruleset as generated functions do.

If one fails, play reports the error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.limits import limited_parameters
from interpreter.ir.once_per import once_per
from interpreter.ir.state_reads import Read, attributes_read, reads_of_function
from interpreter.ir.traversal import outermost_nodes_in
from interpreter.runtime.expression_writer import ExpressionWriter, may_name_destroyed
from interpreter.runtime.operations import concatenate
from interpreter.values import Thing

if TYPE_CHECKING:
    from interpreter.codegen.module import GeneratedModule

HASHABLE = (t.Object, t.Number, t.Word, t.YesNo)
MISSING = object()
"""Stands for a value that is not cached."""


class VariableWriter(ExpressionWriter):
    """Writes expressions of variables. `variables` maps names of the ruleset to variables of the generated function."""

    def __init__(self, module: GeneratedModule, variables: Mapping[str, str]) -> None:
        super().__init__(module.program, module.options, module.closures.look_up)
        self.module, self.variables = module, variables

    def bind(self, value: Any) -> str:
        return self.module.bind(value)

    def frame(self) -> str:
        """A frame of the variables."""
        names = dict(self.variables) | self.slots
        return "{**frame, " + "".join(f"{name!r}: {variable}, " for name, variable in names.items()) + "}"

    def cases(self, of: ir.FirstOf) -> str:
        """The value of the first case that holds, else None."""
        text = "None"
        for case in reversed(of.cases):
            value = self.whole(case.value.body)
            text = f"({value} if {self.whole(case.condition.body)} else {text})" if case.condition else value
        return text

    def local(self, name: str) -> str:
        return self.variables[name]

    def entry(self, of: ir.MapEntry) -> str:
        if not of.sure or (isinstance(of.type, t.Object) and has_destroying_steps(self.program)):
            return super().entry(of)
        return f"{self.text(of.of)}[{self.text(of.key)}]"

    def field(self, of: ir.Field) -> str:
        kind = t.without_maybe(of.of.type)
        # A rule that an outcome ended early has a record without some fields, whatever its type.
        there = isinstance(of.of, ir.Local) and not isinstance(of.of.type, t.Maybe)
        if there and isinstance(kind, t.Record) and kind.name != "throw" and not may_name_destroyed(self.program, of):
            return f"{self.text(of.of)}.get({of.name!r})"
        return super().field(of)

    def attribute(self, of: ir.Attribute) -> str:
        kind, name = of.kind, of.name
        if isinstance(of.of.type, t.Maybe):
            return self.call(_read_if_present, self.text(of.of), self.reader(kind, name))
        attribute = self.program.kinds[kind].has[name]
        if attribute.part is None and attribute.derived is None and not self.may_be_gone(attribute):
            return f"has[{self.id_of_thing(of.of)}][{name!r}]"
        return self.attribute_of_thing(self.text(of.of), kind, name)

    def may_be_gone(self, attribute: ir.HeldAttribute) -> bool:
        """Whether an attribute names an object that may have been destroyed."""
        return attribute.names_thing and attribute.per is None and has_destroying_steps(self.program)

    def attribute_of_thing(self, thing: str, kind: str, name: str) -> str:
        """An attribute of an object that is not missing."""
        attribute = self.program.kinds[kind].has[name]
        if attribute.part is not None:
            return f"{self.bind(_parts(name, attribute.part))}[{thing}.id]"
        if attribute.derived is not None:
            return f"{derived_function(self.module, kind, name)}({thing})"
        read = f"has[{thing}.id][{name!r}]"
        return self.call(_check_not_destroyed, read) if self.may_be_gone(attribute) else read

    def id_of_thing(self, thing: ir.Expr) -> str:
        """The id of an object."""
        return repr(thing.value.id) if isinstance(thing, ir.Constant) else f"{self.text(thing)}.id"

    def reader(self, kind: str, name: str) -> str:
        """A function that reads an attribute of an object."""
        attribute = self.program.kinds[kind].has[name]
        if attribute.derived is not None:
            return derived_function(self.module, kind, name)
        return f"(lambda thing: {self.attribute_of_thing('thing', kind, name)})"

    def column_of_things(self, of: ir.Column, kind: str) -> str:
        things, each = self.text(of.of), self.new_element()

        def column(things: str) -> str:
            read = f"[{self.attribute_of_thing(each, kind, of.name)} for {each} in {things}]"
            return self.call(concatenate, read, repr(of.maps))

        if isinstance(of.of.type, t.Maybe):
            return self.call(_read_if_present, things, f"lambda things: {column('things')}")
        return column(things)

    def application(self, of: ir.Apply) -> str:
        arguments = map(self.text, of.arguments)
        if limited_parameters(self.program, of.name):
            return self.call(self.module.closures.application(of), "frame", *arguments)
        return f"{ruleset_function(self.module, of.name)}({', '.join(arguments)})"


def derived_function(module: GeneratedModule, kind: str, name: str) -> str:
    """The name of the function that computes a derived attribute of an object; with `per`, its values by word."""
    one = module.program.kinds[kind].has[name]
    formula, per = one.derived, one.per
    assert formula is not None
    takes: Mapping[str, t.Type] = {"owner": t.Object(kind)} | ({ir.WORD: per} if per is not None else {})

    def write(called: str) -> str:
        return _cached_source(module, called, takes, formula, attributes_read(module.program, formula.body))

    value = module.function(("derived", kind, name), write)
    if per is None:
        return value

    def write_by_word(called: str) -> str:
        words = module.bind(per.words)
        return f"def {called}(owner):\n return {{word: {value}(owner, word) for word in {words}}}"

    return module.function(("derived by word", kind, name), write_by_word)


def ruleset_function(module: GeneratedModule, name: str) -> str:
    """The name of the generated function for a function of the ruleset."""
    function = module.program.functions[name]

    def write(called: str) -> str:
        simple = all(isinstance(t.without_maybe(one.type), HASHABLE) for one in function.takes)
        read = reads_of_function(module.program, function.gives) if simple else None
        takes = {one.name: one.type for one in function.takes}
        return _cached_source(module, called, takes, function.gives, read)

    return module.function(("function", name), write)


def _cached_source(
    module: GeneratedModule,
    called: str,
    takes: Mapping[str, t.Type],
    gives: ir.Formula | ir.FirstOf,
    read: frozenset[Read] | None,
) -> str:
    """The source of a function, which caches its values if what they depend on is known."""
    variables = {name: f"p{place}" for place, name in enumerate(takes)}
    writer = VariableWriter(module, variables)
    text = writer.whole(gives.body) if isinstance(gives, ir.Formula) else writer.cases(gives)
    parameters = ", ".join(variables.values())
    if read is None:
        return f"def {called}({parameters}):\n return {text}"
    cached, missing = module.bind(module.cache(read)), module.bind(MISSING)
    keys = [f"{variables[name]}.id" if isinstance(kind, t.Object) else variables[name] for name, kind in takes.items()]
    key = f"({', '.join(keys)})"
    return (
        f"def {called}({parameters}):\n value = {cached}.get({key}, {missing})\n"
        f" if value is {missing}:\n  value = {cached}[{key}] = {text}\n return value"
    )


class _Parts(dict[str, Thing]):
    """The part of each object, by the id of the object."""

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind = name, kind

    def __missing__(self, whole: str) -> Thing:
        made = self[whole] = Thing(f"{whole}.{self.name}", self.kind)
        return made


@lru_cache(256)
def _parts(name: str, kind: str) -> _Parts:
    return _Parts(name, kind)


def _read_if_present(value: Any, read: Callable[[Any], Any]) -> Any:
    return None if value is None else read(value)


@once_per
def has_destroying_steps(program: ir.Program) -> bool:
    """Whether anything in a ruleset destroys objects."""
    return any(True for _ in outermost_nodes_in(program, ir.Destroy))


def _check_not_destroyed(thing: Thing | None) -> Thing:
    """The object that an attribute names. Raises LookupError if it was destroyed, so that play reports it."""
    if thing is None:
        raise LookupError
    return thing

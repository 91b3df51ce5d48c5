"""A hash of every named part of a program, its units, and which other units each of them refers to.

The path of a unit is that of a construct (`mechanics.strike`). What has several subjects is hashed in parts, such as
`kinds.hero.luck holds` and `kinds.hero.luck begins`, so that a report can say what has changed.
The hashes depend on the nodes of the program, and with them on the interpreter: `UNITS` numbers the way in which they
are made, and whoever compares hashes compares this number first.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, field
from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.identity.fields import FIELDS, RULES
from interpreter.ir import types as t
from interpreter.ir.once_per import once_per
from interpreter.ir.traversal import nodes_under
from interpreter.syntax.fixed_words import BOUNDARIES
from interpreter.values import Die

UNITS = 1
"""The number of the way in which units are hashed; a change of the hashes gives it another."""

DIGITS = 12
"""How many hexadecimal digits of a hash are kept: two units with the same digits are equal, one pair in 2^48 apart."""

HOLDS = ("type", "low", "high", "optional", "where", "among", "fewest", "most")
"""The fields of the declaration of an attribute that say which values it may hold."""

ATTRIBUTE_PARTS: Mapping[str, tuple[str, ...]] = {
    "holds": ("counter", "part", "per"),
    "begins": ("starts",),
    "acts": ("lasts", "refuses", "when_full", "when_hit_full", "when_empty"),
    "seen": ("seen_by",),
    "derived": ("derived",),
}
"""The fields of an attribute by its parts, which are hashed apart; `declared` is divided between the first two."""


PART_WORDS = {
    "holds": "what it may hold", "begins": "what it begins with", "acts": "when it is reset, and what its bounds do",
    "seen": "who sees it", "derived": "how it is worked out", "round": "its phases", "guard": "its limit of rounds",
    "outcomes": "its outcomes",
}  # fmt: skip
"""What each part of a unit is about."""


def unit_in_words(path: str) -> str:
    """The path of a unit, with what its part is about: `kinds.hero.luck` (what it may hold)."""
    construct, _, part = path.partition(" ")
    return f"`{construct}`" + (f" ({PART_WORDS[part]})" if part in PART_WORDS else "")


@dataclass(frozen=True)
class RuleUnit:
    """A named part of a program: its hash, as hexadecimal digits, and the paths of the units that it refers to."""

    hash: str
    refers: frozenset[str]


@once_per
def units_of(program: ir.Program) -> Mapping[str, RuleUnit]:
    """Every unit of a program, by its path; a part of one by its path, a space and the name of the part."""
    named = frozenset((*program.words, *program.ladders))
    return {path: _unit(node, named) for path, node in _parts(program)}


@dataclass(slots=True)
class _UnitWriter:
    """Writes what is a rule in nodes as text, in which the lists of words under `named` stand by name."""

    named: frozenset[str]
    written: list[str] = field(default_factory=list)
    refers: set[str] = field(default_factory=set)

    def write(self, value: Any) -> None:
        kind = type(value)
        if kind in FIELDS:
            self._note_references(value)
            if kind is t.Word and value.name in self.named:
                self.written.append(f"Word({value.name})")
                return
            if kind is t.Record and not value.fields:
                self.written.append(f"Record({value.name})")
                return
            self.written.append(f"{kind.__name__}(")
            for name in RULES[kind]:
                here, usual = getattr(value, name), _USUAL[kind].get(name, _NO_DEFAULT)
                if type(here) is type(usual) and here == usual:
                    continue
                self.written.append(f"{name}=")
                self.write(here)
            self.written.append(")")
        elif isinstance(value, Die):
            self.refers |= {f"dice.{value.name}"} if value.name else set()
            self.written.append(repr(value))
        elif isinstance(value, Mapping):
            self.written.append("{")
            for key in sorted(value, key=repr):
                self.written.append(repr(key))
                self.write(value[key])
            self.written.append("}")
        elif isinstance(value, (tuple, list)):
            self.written.append(f"{kind.__name__ if kind is not list else 'tuple'}[")
            for one in value:
                self.write(one)
            self.written.append("]")
        elif isinstance(value, frozenset):
            self.write(tuple(sorted(value)))
        else:
            self.written.append(repr(value))

    def _note_references(self, node: Any) -> None:
        match node:
            case ir.Formula():
                self.refers |= {".".join(path.split(".")[:2]) for path in node.refs}
            case ir.Option():
                self.refers.add(f"options.{node.name}")
            case ir.Apply():
                self.refers.add(f"functions.{node.name}")
            case ir.Lookup():
                self.refers.add(f"tables.{node.name}")
            case ir.Attribute() | ir.Lvalue():
                self.refers.add(f"kinds.{node.kind}.{node.name}")
            case t.Object():
                self.refers.add(f"kinds.{node.kind}")
            case ir.Make():
                self.refers.add(new_thing(node.kind))
            case ir.Call():
                self.refers.add(f"mechanics.{node.mechanic}")
            case ir.Cause():
                self.refers.add(f"events.{node.event}")
            case ir.Act():
                self.refers.add(f"actions.{node.action}")
            case ir.Offer():
                self.refers |= {f"actions.{name}" for name in node.actions}
            case ir.Turn():
                self.refers |= {f"events.{name}" for name in BOUNDARIES}
            case ir.Raise():
                self.refers.add(f"ladders.{node.ladder}")
            case t.Word():
                self.refers |= {f"names.{node.name}", f"ladders.{node.name}"} if node.name in self.named else set()
            case t.Record():
                self.refers.add(f"types.{node.name}")


_NO_DEFAULT = object()


def _defaults(kind: Any) -> dict[str, Any]:
    found = {}
    for one in dataclasses.fields(kind):
        if one.default is not MISSING:
            found[one.name] = one.default
        elif one.default_factory is not MISSING:
            found[one.name] = one.default_factory()
    return found


_USUAL = {kind: _defaults(kind) for kind in FIELDS}
"""The values of fields that a unit leaves out, by class: so a field with a default that is added to the language later
leaves the hashes of rules that do not use it as they were."""


def new_thing(kind: str) -> str:
    """The path of a unit that stands for all that a new thing of a kind begins with."""
    return f"new {kind}"


def _unit(node: Any, named: frozenset[str]) -> RuleUnit:
    writer = _UnitWriter(named)
    writer.write(node)
    text = " ".join(writer.written)
    return RuleUnit(hashlib.sha256(text.encode()).hexdigest()[:DIGITS], frozenset(writer.refers))


def _parts(program: ir.Program) -> Iterator[tuple[str, Any]]:
    """The path of each unit, with the nodes that are in it."""
    yield "rounding", program.rounding
    for name, written in program.things.items():
        yield f"things.{name}", _without_texts(written)
    sections: Mapping[str, Mapping[str, Any]] = {
        "options": program.options, "functions": program.functions, "tables": program.tables,
        "modifiers": program.modifiers, "types": program.types, "names": program.words, "ladders": program.ladders,
        "dice": program.dice, "comparators": program.comparators, "mechanics": program.mechanics,
        "events": program.events, "actions": program.actions, "reactions": program.reactions,
    }  # fmt: skip
    for section, declared in sections.items():
        for name, node in declared.items():
            yield f"{section}.{name}", node
    for kind in program.kinds.values():
        yield from _parts_of_kind(kind)
    for scene in program.scenes.values():
        yield from _parts_of_scene(scene)
    for policy in program.policies:
        yield f"policies.{policy}", tuple(_answers_of(program, policy))


def _parts_of_kind(kind: ir.Kind) -> Iterator[tuple[str, Any]]:
    path = f"kinds.{kind.name}"
    yield path, (kind.one, kind.part, kind.written_as)
    for name, one in kind.has.items():
        declared = {field: getattr(one.declared, field) for field in HOLDS}
        first = {"holds": declared, "begins": one.declared.default}
        for part, fields in ATTRIBUTE_PARTS.items():
            yield f"{path}.{name} {part}", (first.get(part), [getattr(one, field) for field in fields])
    for wanted in kind.requires:
        yield f"{path}.requires.{wanted.name}", wanted


def _parts_of_scene(scene: ir.Scene) -> Iterator[tuple[str, Any]]:
    path = scene.rule.path
    yield path, scene.rule
    for phase in scene.phases:
        yield f"{path}.round.{phase.name}", phase
    yield f"{path} round", [phase.name for phase in scene.phases]
    yield f"{path} guard", scene.guard
    yield f"{path} outcomes", scene.outcomes


def _without_texts(written: Any) -> Any:
    """What is written of a thing, without its title."""
    return {key: one for key, one in written.items() if key != "title"} if isinstance(written, Mapping) else written


def _answers_of(program: ir.Program, policy: str) -> Iterator[tuple[str, Any]]:
    """Every answer of a policy, with the path of what it answers."""
    steps = [program.kinds, program.mechanics, program.events, program.actions, program.reactions, program.scenes]
    for node in nodes_under(steps):
        for name in FIELDS[type(node)].policy.split():
            answers: Mapping[str, Any] = getattr(node, name)
            if isinstance(node, ir.Action):
                yield from [(f"{node.rule.path}.{key}", _of(of[policy])) for key, of in answers.items() if policy in of]
            elif policy in answers:
                yield name, _of(answers[policy])


def _of(answers: Iterable[ir.PolicyAnswer]) -> list[tuple[ir.Formula, tuple[str, ...]]]:
    return [(one.formula, one.calls) for one in answers]

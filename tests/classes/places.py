"""Where something is done with a value: alone, of what was skipped, in each step that has steps, in events and scenes.

A place makes a whole ruleset of an operand and an operation, as data, and says which rule is asked for what. Where the
value stands in a condition, `probes` are tried one after the other, until one fits the type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml

from classes.operands import COMMON, EVENT, HEADER, HELPER, INPUTS, LASTING, SOMEBODY, Operand
from classes.operations import Operation
from interpreter.ir import types as t

Tree = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """A ruleset, the rule of it that is played, and the names that are asked for, alone and together."""

    tree: Tree
    rule: str
    names: tuple[str, ...]
    given: tuple[tuple[str, str], ...] = ()

    @cached_property
    def text(self) -> str:
        return yaml.dump(self.tree, Dumper=_Plain, sort_keys=False, width=1000)


class _Plain(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
    """Writes what stands in several places out in each."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


Place = Callable[[Operand, Operation, str], Iterator[Question]]
"""A place, given a condition that reads what comes of the operation."""

PROBES = ("({}) > 1", "({})", "({}) is calm", "({}) is high", "({}) is left", "count({}) > 1", "({}).size > 2",
          "({}) is ann", "({}) otherwise no", "({} otherwise 0) > 1", "({} otherwise ann) is ann")  # fmt: skip
"""Conditions that read a value of a type that nobody knows beforehand."""


def probe_of(kind: t.Type, text: str = "({})") -> str:
    """A condition that reads a value of this type, with `{}` for the value; nothing where there is none."""
    match kind:
        case t.Number() | t.ThrownDie() | t.Roll(single=True):
            return f"{text} > 1"
        case t.YesNo():
            return text
        case t.Word(_, words) if words:
            return f"{text} is {words[-1]}"
        case t.Dice() | t.Roll() | t.List() | t.Map():
            return f"count{text if text == '({})' else f'({text})'} > 1"
        case t.SingleDie():
            return f"{text}.size > 2"
        case t.DiceCode():
            return f"{text}.pips > 1"
        case t.Object():
            return f"{text} is ann"
        case t.Maybe():
            return f"given{text}" if text == "({})" else ""
        case t.Record(_, named):
            return next((made for name, of in named if (made := probe_of(of, f"{text}.{name}"))), "")
    return ""


WORDS = re.compile(r"[a-z_]+")


def used(tree: Any) -> set[str]:
    """All words that stand in the values of a tree."""
    if isinstance(tree, str):
        return set(WORDS.findall(tree))
    if isinstance(tree, Mapping):
        return set().union(*(used(value) for value in tree.values())) if tree else set()
    return set().union(*(used(one) for one in tree)) if isinstance(tree, list) else set()


def before(steps: Tree) -> Tree:
    """The steps with those of the common ones before them that they read."""
    needed: list[str] = []

    def need(of: Any) -> None:
        for name in sorted(used(of) & COMMON.keys()):
            if name not in needed and name not in steps:
                need(COMMON[name])
                needed.append(name)

    need(steps)
    return {**{name: COMMON[name] for name in needed}, **steps}


def rule(steps: Tree, outer: Any = (), **more: Any) -> Tree:
    """A rule of these steps and what else it has, with the inputs and common steps that they read; `outer` is what
    else is in reach, and needs nothing."""
    steps = before(steps) if "coin" not in outer else steps
    inputs = {name: INPUTS[name] for name in INPUTS if name in used({"steps": steps, **more})}
    return {**({"inputs": inputs} if inputs else {}), "steps": steps, **more}


def ruleset(sections: Tree) -> Tree:
    """The sections with everything declared that they use."""
    words = used(sections)
    tree: Tree = {"ruleset": "cell"}
    if "helper" in words:
        sections = {**sections, "mechanics": {"helper": HELPER, **sections.get("mechanics", {})}}
    if "noise" in words and "noise" not in sections.get("events", {}):
        sections = {**sections, "events": {"noise": EVENT, **sections.get("events", {})}}
    if words & {"shout", *SOMEBODY} or "actions" in sections or "reactions" in sections:
        tree |= LASTING
    if "shout" in words and "actions" not in sections:
        shout = {"actor": "hero", "inputs": {"loud": {"type": "number", "default": "1"}},
                 "cost": {"luck": "loud"}, "steps": {"echo": {"roll": "d2"}}}  # fmt: skip
        sections = {**sections, "actions": {"shout": shout}}
    whole = used([*sections.values(), *tree.values()])
    for name, section in HEADER.items():
        if name in ("functions", "tables", "dice", "types", "options", "comparators"):
            kept = {key: value for key, value in section.items() if key in whole or (key == "D" and _coded(sections))}
            if name == "types" and "armed" in whole:
                kept = section
            if kept:
                tree[name] = kept
        elif name != "ruleset" and (name != "roles" or "player" in whole):
            tree[name] = section
    return {**tree, **sections}


def _coded(sections: Tree) -> bool:
    return "2D" in str(sections) or "1D" in str(sections)


def _long(step: Any, **beside: Any) -> Tree:
    """A step in its long form, with keys beside its verb."""
    return {**(step if isinstance(step, dict) else {"is": step}), **beside}


def _given(operand: Operand) -> Tree:
    """The step of an operand, where it has one."""
    return {"x": operand.x} if operand.x is not None else {}


def _ends(operation: Operation) -> Tree:
    """The outcomes of a rule, where its steps may end it."""
    return {"outcomes": {"good": "coin == 1", "bad": "otherwise"}} if operation.of == "end" else {}


def _names(steps: Tree, prefix: str = "") -> tuple[str, ...]:
    return (f"{prefix}out", *(f"{prefix}{name}" for name in ("left",) if name in steps))


def _left(operation: Operation) -> Tree:
    """What somebody has after it, where it changes what somebody has."""
    step = operation.step
    changes = isinstance(step, dict) and "ann" in used(step)
    return {"left": "ann.luck + ann.level + count(ann.marks)"} if changes else {}


def alone(
    operand: Operand, operation: Operation, probe: str = "", skip: Tree | None = None, text: str = ""
) -> Iterator[Question]:
    """What is done, as a step of a mechanic; `skip` is what stands beside the value, `text` how it is read."""
    steps = _given(operand)
    if skip is not None:
        steps = {"coin": COMMON["coin"], **before({"x": _long(steps["x"], **skip)})}
    steps |= {"out": operation.filled(text or operand.text), **_left(operation)}
    main = rule(steps, **_ends(operation))
    yield Question(ruleset({"mechanics": {"main": main}}), "main", _names(steps))


SKIPPED = {"if": "coin == 1"}


def skipped(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    if operand.x is not None and "if" not in _long(operand.x):
        yield from alone(operand, operation, probe, SKIPPED)


def skipped_else(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    if operand.x is not None and operand.instead:
        yield from alone(operand, operation, probe, {**SKIPPED, "else": operand.instead})


def otherwise(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    if operand.x is not None and operand.instead:
        yield from alone(operand, operation, probe, SKIPPED, f"(x otherwise {operand.instead})")


def given(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    if operand.x is None:
        return
    step = operation.filled(operand.text)
    if isinstance(step, dict) and "if" in step:
        return
    steps = {"coin": COMMON["coin"], **before({"x": _long(operand.x, **SKIPPED)})}
    steps |= {"out": _long(step, **{"if": "given(x)"}), **_left(operation)}
    main = rule(steps, **_ends(operation))
    yield Question(ruleset({"mechanics": {"main": main}}), "main", _names(steps))


def called(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    steps = {**_given(operand), "out": operation.filled(operand.text)}
    mechanics = {"inner": rule(steps, **_ends(operation)), "main": rule({"it_": {"call": "inner"}})}
    yield Question(ruleset({"mechanics": mechanics}), "main", ("it_.out",))


def event(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    steps = {**_given(operand), "out": operation.filled(operand.text), **_left(operation)}
    sections = {
        "events": {"happening": rule(steps, **_ends(operation))},
        "mechanics": {"main": rule({"it_": {"cause": "happening"}})},
    }
    tree = ruleset(sections)
    yield Question(tree, "main", _names(steps, "it_."))
    yield Question(tree, "events.happening", _names(steps))


def action(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    steps = {**_given(operand), "out": operation.filled(operand.text), **_left(operation)}
    done = {"actor": "hero", "cost": {"luck": "1"}, **rule(steps, **_ends(operation))}
    yield Question(ruleset({"actions": {"doing": done}}), "actions.doing", _names(steps), (("actor", "ann"),))


def reaction(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    steps = {**_given(operand), "out": operation.filled(operand.text)}
    heard = {**rule(steps, **_ends(operation)), "before": "noise", "automatic": "yes", "actor": "hero"}
    heard["actor"] = {"type": "hero", "where": "it is ann"}
    heard.pop("inputs", None)
    sections = {
        "reactions": {"answered": heard},
        "mechanics": {"main": rule({"it_": {"cause": "noise", "with": {"loud": "1"}}})},
    }
    yield Question(ruleset(sections), "main", ("it_.happened", "it_.heard"))


def scene(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    """In a phase; what comes of it ends the scene, or is what somebody has then."""
    steps = {**_given(operand), "out": operation.filled(operand.text)}
    inner = rule({**steps, "over": {"end": "done", "if": probe.format("out") if probe else "coin == 1"}})
    night: Tree = {"round": {"dusk": {"steps": inner["steps"]}}, "guard": "2", "outcomes": {"done": {"about": "So."}}}
    if operation.of == "end":
        night["outcomes"]["good"] = {"about": "So."}
    if "inputs" in inner:
        night["inputs"] = inner["inputs"]
    names = ("outcome", "rounds", *(("ann.luck",) if "ann" in used(steps) else ()))
    yield Question(ruleset({"scenes": {"night": night}}), "scenes.night", names)


def block(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    inner = before({**_given(operand), "out": operation.filled(operand.text)})
    inner.pop("coin", None)
    steps = {"coin": COMMON["coin"], "it_": {"steps": inner, "if": "coin == 1"}}
    main = rule(steps, ("coin",), **_ends(operation))
    yield Question(ruleset({"mechanics": {"main": main}}), "main", ("it_.out",))


def repeated(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    """The value and what is done with it in each pass; then with the value before the passes."""
    out = {"out": operation.filled(operand.text)}
    inner = before({**_given(operand), **out})
    main = rule({"passes": {"repeat": "2", "each": inner}}, ("coin",), **_ends(operation))
    yield Question(ruleset({"mechanics": {"main": main}}), "main", ("passes",))
    steps = {**before({**_given(operand), **out})}
    steps.pop("out")
    passes = {"repeat": "2", "each": {"die_": {"roll": "d2"}, **out}}
    steps |= {"passes": passes, "many": "count(passes)"}
    main = rule(steps, ("coin",), **_ends(operation))
    yield Question(ruleset({"mechanics": {"main": main}}), "main", ("passes", "many"))


def each_throw(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    out = {"out": operation.filled(operand.text)}
    steps = before({**_given(operand), **out})
    steps.pop("out")
    steps |= {"tossed": {"roll": "2d2", "each": {"low": "face == 1", **out}}, "found": "count(tossed.out)"}
    main = rule(steps, ("coin",), **_ends(operation))
    yield Question(ruleset({"mechanics": {"main": main}}), "main", ("tossed", "found"))


def each_element(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    out = {"out": operation.filled(operand.text)}
    steps = before({**_given(operand), **out})
    steps.pop("out")
    steps |= {"through": {"for": "one_", "among": "[1, 2]", "each": out}}
    main = rule(steps, ("coin",), **_ends(operation))
    yield Question(ruleset({"mechanics": {"main": main}}), "main", ("through",))


def stages(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    out = operation.filled(operand.text)
    steps = {**_given(operand), "staged": {"start": out, "then": {"same": "staged"}}}
    yield Question(ruleset({"mechanics": {"main": rule(steps, **_ends(operation))}}), "main", ("staged",))


def _conditions(operand: Operand, operation: Operation, probe: str) -> Iterator[tuple[Tree, str]]:
    """The steps before a condition, and the condition, where what is done can stand in one."""
    if isinstance(operation.step, str) and probe:
        yield _given(operand), probe.format(operation.filled(operand.text))


def where(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    for steps, text in _conditions(operand, operation, probe):
        more = {
            "thrown": {"roll": "2d3"},
            "found": f"count(thrown where {text} and face > 1)",
            "also_": f"sum(thrown where face == 1 or {text})",
            "listed": f"count([1, 2, 3] where it > 1 and {text})",
        }
        main = rule({**steps, **more})
        yield Question(ruleset({"mechanics": {"main": main}}), "main", ("found", "also_", "listed"))


def again(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    for steps, text in _conditions(operand, operation, probe):
        tossed = {"roll": "2d2", "counts": f"2 if {text} else face", "again": f"face == 2 and nth < 2 and {text}"}
        main = rule({**steps, "tossed": tossed, "found": "sum(tossed)"})
        yield Question(ruleset({"mechanics": {"main": main}}), "main", ("found", "tossed"))


def until(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    for steps, text in _conditions(operand, operation, probe):
        passes = {"repeat": "3", "each": {"die_": {"roll": "d2"}}, "until": f"die_ == 2 and {text}"}
        main = rule({**steps, "passes": passes, "found": "count(passes)"})
        yield Question(ruleset({"mechanics": {"main": main}}), "main", ("found",))


def condition(operand: Operand, operation: Operation, probe: str) -> Iterator[Question]:
    """Whether a step is done, and what the outcome is."""
    for steps, text in _conditions(operand, operation, probe):
        steps = {
            **steps,
            "done": {"roll": "d2", "if": text, "else": "0"},
            "twice": "done + done",
            "chance": {"roll": "d2"},
        }
        outcomes = {"good": f"chance == 1 and {text}", "bad": "otherwise"}
        main = rule(steps, outcomes=outcomes, also={"flag": text})
        yield Question(ruleset({"mechanics": {"main": main}}), "main", ("outcome", "twice", "flag"))


PLACES: dict[str, Place] = {
    "alone": alone,
    "skipped": skipped,
    "else": skipped_else,
    "otherwise": otherwise,
    "given": given,
    "call": called,
    "event": event,
    "action": action,
    "reaction": reaction,
    "scene": scene,
    "block": block,
    "repeat": repeated,
    "throw": each_throw,
    "for": each_element,
    "stages": stages,
    "where": where,
    "again": again,
    "until": until,
    "if": condition,
}
"""Every place by its name; the first is asked before all others, which are left out where it refuses the type."""


def inside(collection: str, text: str, operation: Operation) -> Iterator[Question]:
    """Of an element that a condition looks at: one question for each condition that there may be."""
    for probe in PROBES:
        steps = {"found": f"count({collection} where {probe.format(operation.filled(text))})"}
        steps["twice"] = f"{steps['found']} + count({collection})"
        yield Question(ruleset({"mechanics": {"main": rule(steps)}}), "main", ("found", "twice"))


def of_throw(text: str, operation: Operation) -> Question:
    """Of what is in reach of the steps for each throw."""
    each = {"low": "face == 1", "named": "face + 1", "out": operation.filled(text)}
    tossed = {"roll": "d2 & d2 armor", "each": each, "counts": "named", "again": "face == 2 and nth < 2"}
    main = rule({**before({"out": operation.filled(text)}), "tossed": tossed, "found": "count(tossed.out)"}, ("coin",))
    main["steps"].pop("out")
    return Question(ruleset({"mechanics": {"main": main}}), "main", ("tossed", "found"))

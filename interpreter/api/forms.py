"""What a host asks of a game, as frozen objects: its rules and their inputs, its kinds, options, tables, policies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypedDict

from interpreter import ir
from interpreter.api.displays import kind_html, rule_html
from interpreter.checker.world import World
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.runtime.evaluator import Closures, new_frame
from interpreter.runtime.titles import Titles, titles_of
from interpreter.syntax.document import entries_of, value_at
from interpreter.values import to_data


@dataclass(frozen=True)
class Input:
    """An input as a form shows it: `type` in words, bounds, default and meaning.

    `choices` maps the words that it may be to their meanings; `fields` are those of a record. `several` says that it
    is a list, whose elements `choices` are about. `title` is what people read in place of its name, `titles` in place
    of its words. `kind` is the kind of things that it, or each of its elements, may be, and empty for all else.

    `low` and `high` always hold. Where a bound depends on other inputs or on a state, `low_text` or `high_text` is its
    formula, and what holds now may be narrower. `default_text` is that of a default that depends on them.
    """

    name: str
    type: str
    about: str
    required: bool
    default: Any
    low: int | None = None
    high: int | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, Input] = field(default_factory=dict)
    several: bool = False
    title: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)
    kind: str = ""
    low_text: str = ""
    high_text: str = ""
    default_text: str = ""

    @property
    def live(self) -> bool:
        """Whether a bound depends on other inputs or on a state."""
        return bool(self.low_text or self.high_text)

    @property
    def shown(self) -> str:
        """What people read in place of its name: the title."""
        return self.title or self.name

    def title_of(self, word: str) -> str:
        """What people read in place of a word or a thing that it may be."""
        return self.titles.get(word, word)


@dataclass(frozen=True)
class Attribute(Input):
    """An attribute of a kind of things, with all that an input has.

    `counter` is true for points and tracks. What is `derived` is worked out, by the formula in `default_text`, and
    never given. `part` is the kind of a thing that is part of this one. With `per`, there is a value for each of its
    `words`, with their titles; `per` is the name of their list. `lasts` is the span at whose end it is reset, and
    `seen_by` who may see it; None is everybody.
    """

    counter: bool = False
    derived: bool = False
    part: str = ""
    per: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    lasts: str | None = None
    seen_by: tuple[str, ...] | None = None


@dataclass(frozen=True)
class ThingRequirement:
    """What a kind requires of a thing that is written or made: the `condition`, and `about` it in words, if any are
    there. `Game.problems` tells what a thing does not meet."""

    name: str
    condition: str
    about: str


@dataclass(frozen=True)
class Kind:
    """A kind of things. Of one with `one` there is one thing, of its name; a `part` is only part of other things.

    `written_as` is the attribute that may be given in place of the whole thing, and `summary` those that tell at a
    glance how it is. `requires` is what must hold of a thing that is written or made, by name.
    """

    name: str
    title: str
    about: str
    has: Mapping[str, Attribute]
    one: bool = False
    part: bool = False
    written_as: str | None = None
    summary: tuple[str, ...] = ()
    requires: Mapping[str, ThingRequirement] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        """The kind with its attributes, for notebooks."""
        return kind_html(self)


@dataclass(frozen=True)
class Rule:
    """A rule as a host sees it: a mechanic, or what all rules have. `section` is where it stands in the ruleset."""

    name: str
    title: str
    about: str
    inputs: Mapping[str, Input]
    outcomes: tuple[str, ...]
    section: str = "mechanics"

    @property
    def path(self) -> str:
        """The path of the rule, by which every call takes it."""
        return f"{self.section}.{self.name}"

    def _repr_html_(self) -> str:
        """The rule with its inputs, for notebooks."""
        return rule_html(self)

    @staticmethod
    def of(rule: ir.Mechanic, closures: Closures) -> Rule:
        """The host's view of a mechanic."""
        return Rule(**_said_of(rule, closures, rule.path.partition(".")[0]))


@dataclass(frozen=True)
class ActionRule(Rule):
    """An action. `actor` is the kind of things that may take it, and `kind` the kind of action that it is.

    `costs` are the points that it takes, by name, each a number or, where it depends on inputs or on the state, its
    formula. It may be taken `at_most` so often `per` span; `at_most` may be a formula, too.
    """

    actor: str = ""
    kind: str | None = None
    costs: Mapping[str, int | str] = field(default_factory=dict)
    at_most: int | str | None = None
    per: str | None = None


@dataclass(frozen=True)
class EventRule(Rule):
    """An event. `by` are the roles that may cause it at the table."""

    by: tuple[str, ...] = ()


@dataclass(frozen=True)
class SceneRule(Rule):
    """A scene. `phases` are those of each of its rounds, with their titles."""

    phases: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Option(Input):
    """An option of a ruleset, with all that an input has. `value` is what it is in this game, as plain data."""

    value: Any = None


@dataclass(frozen=True)
class Row:
    """A row of a table: a `key`, or the numbers from `low` to `high`, of which None is no bound.

    `value` is plain data, the text of a formula, or, where a table has two keys, the rows for the second.
    """

    key: Any
    low: int | None
    high: int | None
    value: Any


@dataclass(frozen=True)
class Table:
    """A table: the types of its `keys` and of its values in words, and its rows."""

    name: str
    title: str
    about: str
    keys: tuple[str, ...]
    type: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class PolicyRule:
    """A policy: what it answers to each question, as formulas by the key of the question."""

    name: str
    title: str
    answers: Mapping[str, str]


# The objects of a program --------------------------------------------------------------------------------------------


class Forms:
    """What a host asks of a program under its options, each made when it is first asked for."""

    def __init__(self, closures: Closures, world: World) -> None:
        self.closures, self.world, self.program = closures, world, closures.program
        self.titles = titles_of(self.program)

    def mechanics(self) -> Mapping[str, Rule]:
        return _read_only_view({name: Rule.of(one, self.closures) for name, one in self.program.mechanics.items()})

    def actions(self) -> Mapping[str, ActionRule]:
        return _read_only_view({name: self._action(one) for name, one in self.program.actions.items()})

    def _action(self, one: ir.Action) -> ActionRule:
        limit = one.limit
        return ActionRule(
            **_said_of(one.rule, self.closures, "actions"),
            actor=getattr(t.without_maybe(one.actor.type), "kind", ""),
            kind=one.kind,
            costs={cost.name: _number_or_text(cost.amount) for cost in one.costs},
            at_most=_number_or_text(limit.times) if limit is not None else None,
            per=limit.per if limit is not None else None,
        )

    def events(self) -> Mapping[str, EventRule]:
        rules = self.program.events
        return _read_only_view(
            {name: EventRule(**_said_of(one, self.closures, "events"), by=one.by) for name, one in rules.items()}
        )

    def scenes(self) -> Mapping[str, SceneRule]:
        return _read_only_view({name: self._scene(one) for name, one in self.program.scenes.items()})

    def _scene(self, one: ir.Scene) -> SceneRule:
        said = _said_of(one.rule, self.closures, "scenes")
        said["outcomes"] = tuple(outcome.name for outcome in one.outcomes)
        return SceneRule(**said, phases={phase.name: phase.title for phase in one.phases})

    def kinds(self) -> Mapping[str, Kind]:
        written = self.world.section("kinds")  # a scene under way has a kind, too
        return _read_only_view({name: self._kind(one) for name, one in self.program.kinds.items() if name in written})

    def _kind(self, one: ir.Kind) -> Kind:
        has = {name: self._attribute(held) for name, held in one.has.items()}
        title = self.titles.constructs.get(one.path, "")
        requires = {each.name: ThingRequirement(each.name, each.condition.text, each.about) for each in one.requires}
        return Kind(one.name, title, one.about, has, one.one, one.part, one.written_as, one.summary, requires)

    def _attribute(self, one: ir.HeldAttribute) -> Attribute:
        kind = one.type.of if one.per is not None and isinstance(one.type, t.Map) else one.type
        shown = vars(_input_of(one.declared, self.closures, {}, kind))
        if one.starts is not None:
            shown |= _default_of(one.starts, self.closures)
        if one.derived is not None:
            shown |= {"default": None, "default_text": one.derived.text}
        initial = one.starts is not None or one.derived is not None or one.part is not None
        return Attribute(
            **{**shown, "required": one.declared.required and not initial},
            counter=one.counter,
            derived=one.derived is not None,
            part=one.part or "",
            per=one.per.name if one.per is not None else "",
            words={word: self.titles.word(word) for word in one.per.words} if one.per is not None else {},
            lasts=one.lasts,
            seen_by=one.seen_by,
        )

    def options(self, values: Mapping[str, Any]) -> Mapping[str, Option]:
        """The options, of which some have these `values`."""
        declared = self.program.options
        return _read_only_view(
            {
                name: Option(**vars(_input_of(one, self.closures, {})), value=to_data(values[name]))
                for name, one in declared.items()
            }
        )

    def tables(self) -> Mapping[str, Table]:
        return _read_only_view({name: self._table(one) for name, one in self.program.tables.items()})

    def _table(self, one: ir.Table) -> Table:
        title, keys = self.titles.constructs.get(one.path, ""), tuple(map(t.in_words, one.keys))
        return Table(one.name, title, one.about, keys, t.in_words(one.type), tuple(map(_row, one.rows)))

    def policies(self) -> Mapping[str, PolicyRule]:
        section = self.world.section("policies")
        return _read_only_view({name: _policy(name, section, self.titles) for name in self.program.policies})


class _Said(TypedDict):
    name: str
    title: str
    about: str
    inputs: Mapping[str, Input]
    outcomes: tuple[str, ...]
    section: str


def _read_only_view(made: dict[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(made)


def _said_of(rule: ir.Mechanic, closures: Closures, section: str) -> _Said:
    """What is said of every rule."""
    kind = rule.type.field("outcome")
    word = t.without_maybe(kind) if kind is not None else None
    made: dict[int, Input] = {}
    return {
        "name": rule.name,
        "title": rule.title,
        "about": rule.about,
        "inputs": {one.name: _input(one, closures, made) for one in rule.inputs},
        "outcomes": word.words if isinstance(word, t.Word) else (),
        "section": section,
    }


def _input(one: ir.Declaration, closures: Closures, inputs: dict[int, Input]) -> Input:
    """A declaration as a form shows it; `made` keeps those of record types, which many inputs may share."""
    if id(one) not in inputs:
        inputs[id(one)] = _input_of(one, closures, inputs)
    return inputs[id(one)]


def _input_of(one: ir.Declaration, closures: Closures, inputs: dict[int, Input], of: t.Type | None = None) -> Input:
    """A declaration as a form shows it, with the type `of` in place of its own."""
    kind = t.without_maybe(of or one.type)
    element = t.without_maybe(kind.of) if isinstance(kind, t.List) else kind
    words = dict(one.meanings) if one.meanings else dict.fromkeys(kind.words, "") if isinstance(kind, t.Word) else {}
    record = closures.program.types.get(kind.name) if isinstance(kind, t.Record) else None
    fields = {inner.name: _input(inner, closures, inputs) for inner in record.has} if record else {}
    titles = titles_of(closures.program)
    return Input(
        one.name,
        kind.name if isinstance(kind, t.Record) else t.in_words(kind),
        one.about,
        one.required,
        **_default_of(one.default, closures),
        low=kind.low if isinstance(kind, t.Number) else None,
        high=kind.high if isinstance(kind, t.Number) else None,
        choices=words,
        fields=fields,
        several=isinstance(kind, t.List),
        title=titles.constructs.get(one.path, ""),
        titles=titles.shown_of(words),
        kind=element.kind if isinstance(element, t.Object) else "",
        low_text=_text_of_live(one.low),
        high_text=_text_of_live(one.high),
    )


class _Default(TypedDict):
    default: Any
    default_text: str


def _default_of(formula: ir.Formula | None, closures: Closures) -> _Default:
    """The value that stands there first; the text of its formula where it reads an earlier input, or the state."""
    if formula is None:
        return {"default": None, "default_text": ""}
    try:
        return {"default": to_data(closures.of(formula)(new_frame())), "default_text": ""}
    except (KeyError, PlayError):
        return {"default": formula.text, "default_text": formula.text}


def _text_of_live(formula: ir.Formula | None) -> str:
    """The text of a formula that is no constant; empty for any other."""
    return "" if formula is None or isinstance(formula.body, ir.Constant) else formula.text


def _number_or_text(formula: ir.Formula) -> int | str:
    """The number that a formula is, or its text."""
    is_number = isinstance(formula.body, ir.Constant) and isinstance(formula.body.value, int)
    return formula.body.value if is_number else formula.text  # type: ignore[union-attr]


def _row(row: ir.TableRow) -> Row:
    value: Any = tuple(map(_row, row.value)) if isinstance(row.value, tuple) else _value_or_text(row.value)
    return Row(to_data(row.key), row.low, row.high, value)


def _value_or_text(formula: ir.Formula) -> Any:
    return to_data(formula.body.value) if isinstance(formula.body, ir.Constant) else formula.text


def _policy(name: str, section: Mapping[str, Any], titles: Titles) -> PolicyRule:
    entry = section.get(name)
    answers = entries_of(entry.value) if entry is not None else ()
    told = {one.key.text: (value_at(one.value, "is") or one.value).span.text for one in answers}
    return PolicyRule(name, titles.constructs.get(f"policies.{name}", ""), told)

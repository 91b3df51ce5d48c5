"""Nodes of rules and declarations, and the program that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from typing import Any, Literal

from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.expressions import Formula
from interpreter.ir.question import NO_QUESTION, Question
from interpreter.ir.steps import FirstOf, PolicyAnswer, Step


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Declaration:
    """`{type: number, from: 0, default: 2, about: …}`: an input, a field of a record, an option, a parameter.

    `optional` may be left out; one with `default` is then that. `where` tests the value as `it`.
    `meanings` are the words of an option with their explanations. `by` is who is asked for an input of an action, if
    it is not the actor, `ask` the question, and `shows` the text beside each answer, which is `it` there. Where it is
    `minor`, whoever is asked only what is usual gives the default.
    """

    name: str
    type: t.Type
    path: str
    span: Span = NOWHERE
    low: Formula | None = None
    high: Formula | None = None
    default: Formula | None = None
    optional: bool = False
    where: Formula | None = None
    about: str = ""
    meanings: tuple[tuple[str, str], ...] = ()
    fewest: Formula | None = None
    most: Formula | None = None
    among: Formula | None = None
    by: str | Formula | None = None
    ask: Question = NO_QUESTION
    shows: Question = NO_QUESTION
    minor: Formula | None = None

    @property
    def required(self) -> bool:
        return self.default is None and not self.optional


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Outcome:
    """`success: total beats difficulty`; the last may have no condition"""

    name: str
    condition: Formula | None
    path: str
    span: Span = NOWHERE
    counts_as: str | None = None
    steps: tuple[Step, ...] = ()
    tells: Question = NO_QUESTION
    refs: frozenset[str] = frozenset()
    about: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Outcomes:
    """`outcomes: …`: the first that holds, or, with `as: test`, that of the step `test`"""

    cases: tuple[Outcome, ...] = ()
    as_of: Formula | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Also:
    """`also: {match: a == b}`: a flag, or a further list of outcomes"""

    name: str
    reading: Formula | Outcomes
    type: t.Type
    path: str
    about: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Requirement:
    """`requires: {some_dice: count(pool) > 0}` of a rule, or of a kind, whose formulas read the thing as `owner`"""

    name: str
    condition: Formula
    path: str
    span: Span = NOWHERE
    about: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Mechanic:
    """One rule: its inputs, requirements, steps and outcomes; `by` is who causes an event at the table

    With `needs_inlining`, a formula in it has a function of the ruleset, an option or `without`, which exact odds
    inline so that they find what it reads of a roll.
    """

    name: str
    title: str
    about: str
    inputs: tuple[Declaration, ...]
    requires: tuple[Requirement, ...]
    steps: tuple[Step, ...]
    outcomes: Outcomes | None
    also: tuple[Also, ...]
    type: t.Record
    path: str
    span: Span = NOWHERE
    needs_inlining: bool = True
    by: tuple[str, ...] = ()


WORD = "word"
"""The name of the word in the formulas and the steps of an attribute with `per`."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HeldAttribute:
    """An attribute of objects: `luck: {type: points, from: 0, to: 6, starts: 3}`, `guard: {is: 10 + agility}`

    `counter` is true for points and tracks, whose bounds are those of the declaration. `derived` is never stored.
    `part` is the kind of an object that is part of this one. Formulas read the object as `owner`, and its attributes by
    their names; with `per`, `WORD` is the word whose value, bound or start it is. `when_full` runs when the upper bound
    is reached, `when_hit_full` at a gain beyond it, `when_empty` when the lower bound is reached. `seen_by` is who may
    see the value; None is everybody. Changes of `bookkeeping` are left out of a record of play.
    """

    declared: Declaration
    type: t.Type
    counter: bool = False
    derived: Formula | None = None
    starts: Formula | None = None
    part: str | None = None
    per: t.Word | None = None
    lasts: str | None = None
    refuses: bool = False
    when_full: tuple[Step, ...] = ()
    when_hit_full: tuple[Step, ...] = ()
    when_empty: tuple[Step, ...] = ()
    seen_by: tuple[str, ...] | None = None
    bookkeeping: bool = False

    @property
    def name(self) -> str:
        return self.declared.name

    @property
    def path(self) -> str:
        return self.declared.path

    @property
    def is_number(self) -> bool:
        """Whether it is a number; with `per`, one for each word."""
        kind = self.type.of if self.per is not None and isinstance(self.type, t.Map) else self.type
        return isinstance(t.without_maybe(kind), t.Number)

    @property
    def names_thing(self) -> bool:
        """Whether it names an object that may not be missing, but may be destroyed; with `per`, one for each word."""
        may_lack = self.declared.optional and self.declared.default is None
        return isinstance(self.declared.type, t.Object) and self.part is None and not may_lack


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Kind:
    """`fighter: {has: {…}}`; of a kind with `one` there is one thing, of its name; a `part` lives inside another

    `summary` are the attributes that a record of play shows when a round or the scene ends. A thing meets what its kind
    `requires` where it begins, as people write it or a rule makes it; play may break that later.
    """

    name: str
    has: Mapping[str, HeldAttribute]
    one: bool
    part: bool
    written_as: str | None
    about: str
    path: str
    span: Span = NOWHERE
    summary: tuple[str, ...] = ()
    requires: tuple[Requirement, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UseLimit:
    """`at_most: {times: 1, per: round}`, for each actor"""

    times: Formula
    per: str
    path: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cost:
    """`cost: {actions: 1}`, `cost: {ammo: {rifle: 1}}`: a number of points of the actor, of a word if it has a `key`"""

    name: str
    amount: Formula
    path: str
    span: Span
    key: Formula | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Upgrade:
    """`upgrade: {to: full, waives: [points], counts_as: 2}`: an action performed as one of another kind

    `limit` is that of the other kind; `counted` are the points of which `counts_as` counts as spent.
    """

    to: str
    limit: UseLimit | None
    waives: tuple[str, ...]
    counted: tuple[str, ...]
    counts_as: Formula | None
    path: str


ACTION_KINDS = "action_kinds."
"""The beginning of the path of what all actions of a kind share."""


@dataclass(frozen=True, slots=True, eq=False, repr=False, weakref_slot=True)
class Action:
    """An action or a reaction: a rule with an actor, costs, and a limit of uses

    `answers` are those of the policies, by input; `shows` is the text beside the action in an offer. With `may_refuse`,
    the actor is asked whether to pay a price that somebody else has named, and `pays` has what policies answer.
    """

    rule: Mechanic
    actor: Declaration
    costs: tuple[Cost, ...]
    limit: UseLimit | None
    kind: str | None = None
    upgrade: Upgrade | None = None
    answers: Mapping[str, Mapping[str, tuple[PolicyAnswer, ...]]] = field(default_factory=dict)
    shows: Question = NO_QUESTION
    may_refuse: bool = False
    pays: Mapping[str, tuple[PolicyAnswer, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reaction:
    """`parry: {before: blow, actor: …}`: a rule that answers events; an `automatic` one runs without a question"""

    action: Action
    events: tuple[str, ...]
    before: bool
    automatic: bool
    answers: Mapping[str, tuple[PolicyAnswer, ...]] = field(default_factory=dict)
    ask: Question = NO_QUESTION


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Phase:
    """`round_prep: {steps: …}`: a part of every round of a scene; `type` is that of its steps"""

    name: str
    title: str
    about: str
    steps: tuple[Step, ...]
    type: t.Record
    path: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scene:
    """`duel: {inputs: …, has: …, steps: …, round: …, guard: 100, outcomes: …}`

    `rule` runs before the first round, and has the inputs and the type of the result; `has` names the attributes of
    the scene. An outcome without a condition is only reached by `end`.
    """

    rule: Mechanic
    has: tuple[str, ...]
    phases: tuple[Phase, ...]
    guard: Formula | None
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Function:
    """`stack_numbers: {takes: {level: number}, gives: …}`"""

    name: str
    takes: tuple[Declaration, ...]
    gives: Formula | FirstOf
    type: t.Type
    path: str
    refs: frozenset[str] = frozenset()
    about: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TableRow:
    """One row of a table: an exact key, or a range with None for an open end."""

    key: Any
    low: int | None
    high: int | None
    value: Formula | tuple[TableRow, ...]
    path: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """`percent_need: {rows: {0: 13, …}, off_the_rows: refuse}`; `off` is `refuse`, `nearest` or an expression"""

    name: str
    keys: tuple[t.Type, ...]
    rows: tuple[TableRow, ...]
    off: str | Formula
    type: t.Type
    path: str
    refs: frozenset[str] = frozenset()
    about: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Claim:
    """`claims: {happens: {mechanic: percent, given: {percent: row}, is: row / 100, within: 1/100}}` of a table

    `of` is an outcome, a flag or a word of a further reading. In formulas, `row` and `column` are the keys of a row,
    and `value` is its value.
    """

    table: str
    of: str
    mechanic: str
    given: tuple[tuple[str, Formula], ...]
    chance: Formula
    within: Fraction
    policy: str | None
    path: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Modifier:
    """`bad_footing: {to: side, adds: {penalties: 1}}`"""

    name: str
    to: str
    takes: tuple[Declaration, ...]
    adds: tuple[tuple[str, Formula], ...]
    title: str
    by: str | None
    path: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RecordType:
    """`side: {written_as: dice, has: {…}}`"""

    name: str
    written_as: str | None
    has: tuple[Declaration, ...]
    type: t.Record
    path: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Citation:
    """`cites: {FWC-08: inferred}` on the construct at `path`"""

    row: str
    status: str
    path: str
    span: Span


OrderKept = Literal["none", "equal", "all"]
"""The dice whose order a rule may observe: none, equal ones that look different, or all."""


@dataclass(frozen=True, slots=True)
class DieIdentity:
    """What rules may observe of dice besides what they show.

    With `which`, a rule tests whether a die is one of some others, so that each die keeps its identity. With `handled`,
    a rule refers to particular dice. `order` are the dice whose order of throws a rule may observe. With `rerolled`, a
    rule throws dice again, so that each die keeps how it counts; with `limited`, it takes the first few of equal dice,
    which observes nothing of dice thrown by chance, as all their orders are equally likely, and the order of dice that
    are given with their faces. With `ranked`, it takes dice by rank, the first of those that are equal.
    """

    which: bool
    handled: bool
    order: OrderKept
    rerolled: bool = False
    limited: bool = False
    ranked: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False, weakref_slot=True)
class Program:
    """A whole ruleset, checked.

    `meanings` are those of the words of each list under `names`, and `abouts` what each construct says about itself, by
    its path. `titles` are what people read in place of the names of constructs, by path, and `word_titles` in place of
    words. `things` are the objects of the ruleset, which formulas may read, by name, with what is written of each.
    `formerly` is what has a former name now, by the path of that name: see `checker/former_names.py`.
    """

    name: str
    version: str
    title: str
    rounding: str
    options: Mapping[str, Declaration]
    types: Mapping[str, RecordType]
    functions: Mapping[str, Function]
    tables: Mapping[str, Table]
    claims: tuple[Claim, ...]
    modifiers: Mapping[str, Modifier]
    kinds: Mapping[str, Kind]
    mechanics: Mapping[str, Mechanic]
    events: Mapping[str, Mechanic]
    actions: Mapping[str, Action]
    reactions: Mapping[str, Reaction]
    scenes: Mapping[str, Scene]
    roles: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]
    comparators: Mapping[str, str]
    ladders: Mapping[str, tuple[Any, ...]]
    dice: Mapping[str, Any]
    policies: tuple[str, ...]
    citations: tuple[Citation, ...]
    notes: Mapping[str, str]
    die_identity: DieIdentity
    fingerprint: str
    about: str = ""
    meanings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    abouts: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    word_titles: Mapping[str, str] = field(default_factory=dict)
    things: Mapping[str, Any] = field(default_factory=dict)
    formerly: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_state(self) -> bool:
        """Whether runs begin with a state: whether there are kinds, whose objects are in it, or events."""
        return bool(self.kinds or self.events)

    @property
    def playable(self) -> Mapping[str, Mapping[str, Mechanic]]:
        """The rules with which a run can begin, by their section and name."""
        return {
            "mechanics": self.mechanics,
            "events": self.events,
            "scenes": {key: scene.rule for key, scene in self.scenes.items()},
            "actions": {key: action.rule for key, action in self.actions.items()},
        }

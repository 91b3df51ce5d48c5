"""Nodes of steps, which a rule runs in order, effects on the state among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.expressions import Formula
from interpreter.ir.question import NO_QUESTION, Question


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Let:
    """`total: sum(tosses)`"""

    formula: Formula


GUARD = 1000
"""The default guard of a roll: the number of throws of one die that is an error."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RollDice:
    """`roll: 3d6` with `each`, `again`, `counts`, `guard`; `parts` has one unnamed part or the named ones"""

    parts: tuple[tuple[str | None, Formula], ...]
    each: tuple[Step, ...] = ()
    counts: Formula | None = None
    again: Formula | None = None
    guard: Formula | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reroll:
    """`reroll: dice where face == 1` with `most`, `to`.

    `of` is the whole roll, and `which` selects the dice that are thrown again, at most `most`, those with the lowest
    number `by` first.
    """

    of: Formula
    which: Formula | None = None
    most: Formula | None = None
    by: Formula | None = None
    to: Formula | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Place:
    """`place: 2d6` `showing: 6`: dice set down with a face, not thrown"""

    dice: Formula
    showing: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Raise:
    """`raise: pool` `ladder: size` `by: 2` `past_top: stop` `when_full: lost`"""

    of: Formula
    which: Formula | None
    ladder: str
    rungs: tuple[Any, ...]
    by: Formula
    past_top: str
    when_full: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Stages:
    """`start: own.dice` (or a verb) with `then:`, named stages that change the value in order.

    `begun` is the type of the result of `start`; each stage has the type of the value after it. Of `roll: d6` with
    `on: mishaps`, the roll is the start, and `on` the last stage, which reads the row: then it `reads_row`.
    """

    start: StepBody
    then: tuple[Step, ...]
    begun: t.Type
    reads_row: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Repeat:
    """`repeat: 1 + penalty` with `each`, `until`, `keep: {lowest: score}`, `carry: {total: 0}`

    In a pass, `name_before(name)` is what the step `name` of `carry` was in the pass before, or what it begins with.
    """

    times: Formula
    each: tuple[Step, ...]
    until: Formula | None = None
    keep: tuple[str, Formula] | None = None
    carry: tuple[tuple[str, Formula], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pair:
    """`pair: damage` `with: soak` `missing: 1` `first: slaying in tags` `each: …`"""

    ours: Formula
    theirs: Formula
    missing: Formula | None
    first: Formula | None
    each: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Compare:
    """`compare: {score: {ours: a, theirs: b}}` `ties: ours`; `ranks` where the two are words of a ladder"""

    lines: tuple[tuple[str, Formula, Formula, tuple[str, ...] | None], ...]
    ties: str | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PolicyAnswer:
    """`ours.burn: yes` in a policy: its answer to a question that is reached through certain steps.

    `calls` are the paths of the last of these steps, each of which leads into another rule: it calls a mechanic, causes
    an event, performs or offers an action, or moves points or a track to a bound. Without any, the answer fits
    wherever the question is asked.
    """

    formula: Formula
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Choose:
    """`choose: one` `by: game_master` `among: ruling` `default: drop_highest` `ask: …`

    `together` is a condition on all that are chosen with `some`. `answers` are the answers of the policies of the
    ruleset, by the name of the policy, of which the first that fits is given. `shows` is the text beside each answer,
    which is `it` there. Where it is `minor`, whoever is asked only what is usual gives the default.
    """

    kind: str
    by: str | Formula | None = None
    among: Formula | None = None
    where: Formula | None = None
    together: Formula | None = None
    low: Formula | None = None
    high: Formula | None = None
    most: Formula | None = None
    least: Formula | None = None
    default: Formula | None = None
    ask: Question = NO_QUESTION
    shows: Question = NO_QUESTION
    meanings: tuple[tuple[str, str], ...] = ()
    answers: Mapping[str, tuple[PolicyAnswer, ...]] = field(default_factory=dict)
    minor: Formula | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Call:
    """`call: simple_roll` `with: {own: own}`; `given` holds the arguments, by the callee's input

    `roles` says who has a role in this call: a thing, or another role.
    """

    mechanic: str
    given: tuple[tuple[str, Formula], ...]
    roles: tuple[tuple[str, Formula | str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FirstOf:
    """`first_of: {big: {if: margin >= 5, is: 2}, plain: 1}`"""

    cases: tuple[FirstOfCase, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FirstOfCase:
    """`big: {if: margin >= 5, is: 2}`; the last has no condition"""

    name: str
    condition: Formula | None
    value: Formula
    path: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StepGroup:
    """`steps: {…}`: several steps under one condition"""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class End:
    """`end: automatic_success`"""

    outcome: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ForEach:
    """`for: fighter` `among: turns` `where: it.state is up` `each: …`: the steps for each element, one by one

    The value is a map from element to steps if it is `keyed`; of elements that cannot be keys, a list.
    """

    name: str
    among: Formula
    where: Formula | None
    each: tuple[Step, ...]
    keyed: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChooseEach:
    """`choose: number` `by: scene.able` or `among: in_reach` `budget: 5`: one `choice` for each of several

    They are `asked` themselves, all at once, as `chooser`; or the choice is about each of them, as `it`, and together
    the numbers are no more than the budget.
    """

    choice: Choose
    among: Formula
    asked: bool
    budget: Formula | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SortKey:
    """`bid: {high: bids(it)}`, `lots: random`; `way` is `high`, `low` or `random`; `ranks` where it is a word"""

    name: str
    way: str
    formula: Formula | None
    ranks: tuple[str, ...] | None
    path: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Order:
    """`order: fighters` `keys: {bid: {high: bids(it)}, lots: random}`"""

    of: Formula
    keys: tuple[SortKey, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Lvalue:
    """`target.hit_points`, `actor.skills(swords)`: the target of a change: an attribute, or an entry of one"""

    thing: Formula
    kind: str
    name: str
    key: Formula | None
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Shift:
    """`gain: 2, to: actor.luck`, or, with `down`, `lose: 2, from: actor.luck`"""

    amount: Formula
    target: Lvalue
    down: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pay:
    """`pay: 3` `from: actor.points`, or `from: actor` `in: {points: 1, tokens: 2}`, the value of one of each

    `purses` are the points that may be spent, each with its value. `answers` are those of the policies to whether the
    price is paid, `mixes` the points that each policy spends first. Where it is `minor`, whoever is asked only what is
    usual pays with the first points.
    """

    amount: Formula
    purses: tuple[tuple[Lvalue, Formula | None], ...]
    payer: Formula
    may_refuse: bool
    minor: Formula | None = None
    answers: Mapping[str, tuple[PolicyAnswer, ...]] = field(default_factory=dict)
    mixes: Mapping[str, tuple[PolicyAnswer, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Assign:
    """`set: door.open` `to: yes`"""

    target: Lvalue
    value: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Include:
    """`add: prone` `to: target.conditions` `lasts: {rounds: 2}`; `lasts` is a word, or a number of rounds"""

    value: Formula
    target: Lvalue
    lasts: str | Formula | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Exclude:
    """`remove: prone` `from: target.conditions`"""

    value: Formula
    target: Lvalue


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Make:
    """`make: progress` `with: {segments: 6}`; `named` is a text that the thing is named after."""

    kind: str
    given: tuple[tuple[str, Formula], ...]
    named: Formula | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Destroy:
    """`destroy: tower`"""

    thing: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cause:
    """`cause: wounds` `with: {target: target, amount: 3}` `later: {rounds: 2}`; `later` as `lasts` of `Include`"""

    event: str
    given: tuple[tuple[str, Formula], ...]
    later: str | Formula | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Act:
    """`act: stabilise` `with: {actor: ada, patient: bo}`"""

    action: str
    actor: Formula
    given: tuple[tuple[str, Formula], ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Offer:
    """`offer: [strike, simple]` `to: fighter` `most: 2`; `actions` lists every action, those of a kind one by one"""

    actions: tuple[str, ...]
    to: Formula
    most: Formula | None
    answers: Mapping[str, tuple[PolicyAnswer, ...]] = field(default_factory=dict)
    ask: Question = NO_QUESTION


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChangeEvent:
    """`change: {amount: event.amount / 2}`, in a reaction before an event"""

    given: tuple[tuple[str, Formula], ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CancelEvent:
    """`cancel: event`, in a reaction before it"""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Turn:
    """`turn: fighter` `steps: …`: the turn of an object, which ends after the steps"""

    who: Formula
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Draw:
    """`draw: 2` `from: table.deck` `refill: table.discard`: random elements, all equally likely"""

    number: Formula
    target: Lvalue
    refill: Lvalue | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Put:
    """`put: drawn` `into: actor.hand`: all of them at the end of a list"""

    values: Formula
    target: Lvalue


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Take:
    """`take: card` `from: actor.hand`: one, or all of a list; refused where they are not there"""

    values: Formula
    target: Lvalue


Effect = (
    Shift
    | Pay
    | Assign
    | Include
    | Exclude
    | Make
    | Destroy
    | Cause
    | Act
    | Offer
    | ChangeEvent
    | CancelEvent
    | Turn
    | Draw
    | Put
    | Take
)
StepBody = (
    Let
    | RollDice
    | Reroll
    | Place
    | Raise
    | Stages
    | Repeat
    | Pair
    | Compare
    | Choose
    | Call
    | FirstOf
    | StepGroup
    | End
    | ForEach
    | ChooseEach
    | Order
    | Effect
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Step:
    """`name: {verb: …, if: …, else: …}`: what the step does, its condition, and its name"""

    name: str
    action: StepBody
    type: t.Type
    path: str
    span: Span = NOWHERE
    condition: Formula | None = None
    instead: Formula | None = None
    refs: frozenset[str] = frozenset()
    at_most: Formula | None = None
    about: str = ""

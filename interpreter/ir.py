"""The program: a small, frozen, typed tree that every backend reads, and nothing else.

Nodes have no behaviour, not even equality: a node is itself, and leaving out what nobody asks keeps the start short.
Unions are closed by name, and whoever takes one apart ends with `assert_never`, so that a new node makes the type
checker name every place that does not know it yet. `path` is where a construct stands in the ruleset
(`mechanics.roll.steps.tosses`): its name in traces, in coverage and for house rules.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from interpreter import types as t
from interpreter.source import NOWHERE, Span

# Expressions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant:
    """`7`, `yes`, `d12`, `no_dice`, a word"""

    value: Any
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Local:
    """`margin`: an input, an earlier step, or a name that a verb puts in reach, such as `nth`"""

    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Option:
    """`options.die`"""

    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Element:
    """`it`: the element that a slot looks at"""

    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DieWord:
    """`face`, `value`, `size`, `part`, `tags`, or a symbol, of the die that a slot looks at"""

    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Field:
    """`own.limit`: a field of a record, or a word of a die (`ours.tags`), code or throw"""

    of: Expr
    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Attribute:
    """`actor.hit_points`: what a thing has, as it is now"""

    of: Expr
    kind: str
    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Entry:
    """`actor.skills(swords)`, `rolls(fighter)`: the value of a map at a key; where it is `sure`, it must be there"""

    of: Expr
    key: Expr
    type: t.Type
    span: Span
    sure: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Column:
    """`tries.score`: that field of every element, as one list, one pool or one roll; `maps` have their values in it"""

    of: Expr
    name: str
    type: t.Type
    span: Span
    maps: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Part:
    """`rolled.challenge`: the dice of one part of a roll"""

    of: Expr
    name: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Negative:
    """`-a`"""

    of: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Arithmetic:
    """`a + b`, `a - b`, `a * b`"""

    sign: str
    left: Expr
    right: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Quotient:
    """`a / b`, rounded `down`, `up` or `nearest`; right under a comparison a bare one is compared exactly"""

    left: Expr
    right: Expr
    rounding: str
    bare: bool
    """Whether nothing is said about rounding where it is written, as `up(a / b)` says it."""
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison:
    """`a >= b`, `total beats 7`, `x is word`; a bare quotient right under it is compared exactly"""

    sign: str
    left: Expr
    right: Expr
    ranks: tuple[str, ...] | None
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Membership:
    """`x in xs`"""

    item: Expr
    of: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Not:
    """`not a`"""

    of: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Both:
    """`a and b`; `b` is only looked at where `a` holds"""

    left: Expr
    right: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Either:
    """`a or b`; `b` is only looked at where `a` does not hold"""

    left: Expr
    right: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Conditional:
    """`a if c else b`"""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Otherwise:
    """`a otherwise b`: `b` where `a` is missing, or is the highest of nothing"""

    of: Expr
    instead: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sequence:
    """`[a, b]`"""

    items: tuple[Expr, ...]
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pool:
    """`2d12`, `(n)d6`, `times(fudge, 4)`"""

    number: Expr
    die: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tagged:
    """`d8 armor`"""

    dice: Expr
    tags: tuple[str, ...]
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Joined:
    """`2d12 & d10`, of dice or of rolls"""

    left: Expr
    right: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Filtered:
    """`rolled where face >= 5`"""

    of: Expr
    condition: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Sorted:
    """`numbers by -it`: lowest key first"""

    of: Expr
    key: Expr
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Builtin:
    """`highest(rolled)`: a function of the language, in `interpreter.functions`"""

    name: str
    arguments: tuple[Expr, ...]
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Apply:
    """`trapped(stat, skill)`: a function of the ruleset"""

    name: str
    arguments: tuple[Expr, ...]
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Lookup:
    """`percent_need(40)`: a row of a table"""

    name: str
    keys: tuple[Expr, ...]
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Converted:
    """A thrown die read as its number, or one die as a pool. `to` is `number` or `dice`, or `each` of these.

    With `values` it is a map read as the list of its values.
    """

    of: Expr
    to: str
    type: t.Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Made:
    """A record from its fields: `{dice: need, quality: basic}`, or `need` where a side is expected"""

    fields: tuple[tuple[str, Expr], ...]
    type: t.Type
    span: Span


Expr = (
    Made
    | Constant
    | Local
    | Option
    | Attribute
    | Entry
    | Element
    | DieWord
    | Field
    | Column
    | Part
    | Negative
    | Arithmetic
    | Quotient
    | Comparison
    | Membership
    | Not
    | Both
    | Either
    | Conditional
    | Otherwise
    | Sequence
    | Pool
    | Tagged
    | Joined
    | Filtered
    | Sorted
    | Builtin
    | Apply
    | Lookup
    | Converted
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Own:
    """What a name in a formula of a kind was found to be: the attribute of the thing that has the formula"""

    kind: str
    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Formula:
    """A checked expression.

    `refs` are the paths of what it uses of the ruleset (functions, tables, options, comparators, rounding).
    `tree` is the allow-listed Python tree that the reference evaluates, and `resolved` says what the checker found
    a node of it to be, by the node's identity.
    """

    body: Expr
    type: t.Type
    span: Span
    refs: frozenset[str] = frozenset()
    tree: ast.expr | None = field(default=None, compare=False, repr=False)
    resolved: Mapping[int, Any] = field(default_factory=dict, compare=False, repr=False)


# Steps -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Let:
    """`total: sum(tosses)`"""

    formula: Formula


GUARD = 1000
"""How many throws of one die reach the guard of a roll that names none."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Toss:
    """`roll: 3d6` with `each`, `again`, `counts`, `guard`; `parts` has one unnamed part or the named ones"""

    parts: tuple[tuple[str | None, Formula], ...]
    each: tuple[Step, ...] = ()
    counts: Formula | None = None
    again: Formula | None = None
    guard: Formula | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reroll:
    """`reroll: dice where face == 1` with `most`, `first`, `to`.

    `of` are all the dice, and `which` says which of them are touched.
    """

    of: Formula
    which: Formula | None = None
    most: Formula | None = None
    biggest_first: bool | None = None
    to: Formula | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Place:
    """`place: 2d6` `showing: 6`: dice set down, not thrown"""

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

    `begun` is the type of what `start` gives; each stage has the type of the value after it.
    """

    start: Action
    then: tuple[Step, ...]
    begun: t.Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Repeat:
    """`repeat: 1 + penalty` with `each`, `until`, `keep: {lowest: score}`"""

    times: Formula
    each: tuple[Step, ...]
    until: Formula | None = None
    keep: tuple[str, Formula] | None = None


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
class Choose:
    """`choose: one` `by: game_master` `among: ruling` `default: drop_highest` `ask: …`

    `answers` are what the policies of the ruleset say here, by the name of the policy.
    """

    kind: str
    by: str | Formula | None = None
    among: Formula | None = None
    where: Formula | None = None
    low: Formula | None = None
    high: Formula | None = None
    most: Formula | None = None
    least: Formula | None = None
    default: Formula | None = None
    ask: str = ""
    meanings: tuple[tuple[str, str], ...] = ()
    answers: Mapping[str, Formula] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Call:
    """`call: simple_roll` `with: {own: own}`; `given` holds what is passed, by the callee's input"""

    mechanic: str
    given: tuple[tuple[str, Formula], ...]


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
class Block:
    """`steps: {…}`: several steps under one condition"""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class End:
    """`end: automatic_success`"""

    outcome: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ForEach:
    """`for: fighter` `among: turns` `where: it.state is up` `each: …`: the steps for each element, one by one"""

    name: str
    among: Formula
    where: Formula | None
    each: tuple[Step, ...]


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
class Key:
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
    keys: tuple[Key, ...]


# What changes things that last -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Spot:
    """`target.hit_points`, `actor.skills(swords)`: what is changed, of which thing, at which key of a map"""

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
    spot: Spot
    down: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pay:
    """`pay: 3` `from: actor.points`, or `from: actor` `in: {points: 1, tokens: 2}`, what one of each is worth

    `answers` are those of the policies to whether it is paid, `mixes` which points each of them spends first.
    """

    amount: Formula
    purses: tuple[tuple[Spot, Formula | None], ...]
    payer: Formula
    may_refuse: bool
    answers: Mapping[str, Formula] = field(default_factory=dict)
    mixes: Mapping[str, Formula] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Assign:
    """`set: door.open` `to: yes`"""

    spot: Spot
    value: Formula


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Include:
    """`add: prone` `to: target.conditions` `lasts: {rounds: 2}`; `lasts` is a word, or a number of rounds"""

    value: Formula
    spot: Spot
    lasts: str | Formula | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Exclude:
    """`remove: prone` `from: target.conditions`"""

    value: Formula
    spot: Spot


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Make:
    """`make: progress` `with: {segments: 6}`"""

    kind: str
    given: tuple[tuple[str, Formula], ...]


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
    """`offer: [strike, simple]` `to: fighter` `most: 2`; `actions` are named one by one, kinds of them too"""

    actions: tuple[str, ...]
    to: Formula
    most: Formula | None
    answers: Mapping[str, Formula] = field(default_factory=dict)
    ask: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Change:
    """`change: {amount: event.amount / 2}`, in a reaction before an event"""

    given: tuple[tuple[str, Formula], ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cancel:
    """`cancel: event`, in a reaction before it"""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Turn:
    """`turn: fighter` `steps: …`: what lasts for its turn ends with them"""

    who: Formula
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Draw:
    """`draw: 2` `from: table.deck` `refill: table.discard`: so many by chance, each as likely as any other"""

    number: Formula
    spot: Spot
    refill: Spot | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Put:
    """`put: drawn` `into: actor.hand`: all of them at the end of a list"""

    values: Formula
    spot: Spot


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Take:
    """`take: card` `from: actor.hand`: one, or all of a list; refused where they are not there"""

    values: Formula
    spot: Spot


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
    | Change
    | Cancel
    | Turn
    | Draw
    | Put
    | Take
)
Action = (
    Let
    | Toss
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
    | Block
    | End
    | ForEach
    | ChooseEach
    | Order
    | Effect
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Step:
    """`name: {verb: …, if: …, else: …}`: what is done, when, and what it is called"""

    name: str
    action: Action
    type: t.Type
    path: str
    span: Span = NOWHERE
    condition: Formula | None = None
    instead: Formula | None = None
    refs: frozenset[str] = frozenset()
    at_most: Formula | None = None


# Rules -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Declaration:
    """`{type: number, from: 0, default: 2, about: …}`: an input, a field of a record, an option, a parameter.

    `optional` may be left out; one with `default` is then that. `where` tests the value as `it`.
    `one_of` are the words of an option with what they mean, where they are written beside it. `by` is who is asked
    for an input of an action, if it is not the actor.
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
    refs: frozenset[str] = frozenset()


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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Requirement:
    """`requires: {some_dice: count(pool) > 0}`"""

    name: str
    condition: Formula
    path: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Mechanic:
    """One rule: what it is given, what it requires, what is done, and how it comes out

    It may `hide` what it reads of a roll where a function of the ruleset, an option or `without` stands in a formula.
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
    hides: bool = True


# Things that last ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Holding:
    """What a thing has: `luck: {type: points, from: 0, to: 6, starts: 3}`, `guard: {is: 10 + agility}`

    `counter` holds for points and tracks, whose bounds are those of the declaration. `derived` is never stored.
    `part` is the kind of a thing that lives in this one. In formulas, the thing is `owner`, and what it has is in
    reach by its name. `when_full` is done when the upper bound is reached, `when_hit_full` when there is more for
    one that is full, `when_empty` when the lower bound is reached. `seen_by` is who may see it; None is everybody.
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

    @property
    def name(self) -> str:
        return self.declared.name

    @property
    def path(self) -> str:
        return self.declared.path


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Kind:
    """`fighter: {has: {…}}`; of a kind with `one` there is one thing, of its name; a `part` lives inside another"""

    name: str
    has: Mapping[str, Holding]
    one: bool
    part: bool
    written_as: str | None
    about: str
    path: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Limit:
    """`at_most: {times: 1, per: round}`, for each actor"""

    times: Formula
    per: str
    path: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cost:
    """`cost: {actions: 1}`: so many of the actor's points"""

    name: str
    amount: Formula
    path: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Upgrade:
    """`upgrade: {to: full, waives: [points], counts_as: 2}`: done as an action of another kind, and paid otherwise

    `limit` is that of the other kind; `counted` are the points of which `counts_as` counts as spent.
    """

    to: str
    limit: Limit | None
    waives: tuple[str, ...]
    counted: tuple[str, ...]
    counts_as: Formula | None
    path: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Deed:
    """An action or a reaction: a rule with somebody who does it, what it costs, and how often it may be done

    `answers` are those of the policies, by the input that is asked for.
    """

    rule: Mechanic
    actor: Declaration
    costs: tuple[Cost, ...]
    limit: Limit | None
    kind: str | None = None
    upgrade: Upgrade | None = None
    answers: Mapping[str, Mapping[str, Formula]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reaction:
    """`parry: {before: blow, actor: …}`: what answers events; an `automatic` one is not asked"""

    deed: Deed
    events: tuple[str, ...]
    before: bool
    automatic: bool
    answers: Mapping[str, Formula] = field(default_factory=dict)


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

    `rule` is what comes before the first round, with the inputs and all that the scene is worth; `has` names what it
    remembers. An outcome without a condition is only reached by `end`.
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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Row:
    """One row of a table: an exact key, or a range with None for an open end."""

    key: Any
    low: int | None
    high: int | None
    value: Formula | tuple[Row, ...]
    path: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table:
    """`percent_need: {rows: {0: 13, …}, off_the_rows: refuse}`; `off` is `refuse`, `nearest` or an expression"""

    name: str
    keys: tuple[t.Type, ...]
    rows: tuple[Row, ...]
    off: str | Formula
    type: t.Type
    path: str
    refs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Claim:
    """`claims: {happens: {mechanic: percent, given: {percent: row}, is: row / 100, within: 1/100}}` of a table

    `of` is an outcome, a flag or a word of a further reading. In formulas, `row` and `column` are the keys of a row,
    and `value` is what stands in it.
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


OrderTold = Literal["none", "equal", "all"]
"""Of which dice a rule may tell the order: of none, of equal ones that look different, or of all."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What rules may tell of dice besides what they show.

    `which` says that one asks if a die is one of some others, so that each must keep what it is; `handled` that one
    asks for dice by what they are at all; `order` of which dice one may tell the order in which they were thrown;
    `rerolled` that one throws dice anew, so that each must keep how it counts.
    """

    which: bool
    handled: bool
    order: OrderTold
    rerolled: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Program:
    """A whole ruleset, checked."""

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
    actions: Mapping[str, Deed]
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
    telling: Telling
    fingerprint: str

    @property
    def lasts(self) -> bool:
        """Whether runs begin with a state: where there may be things that last, or events, which reactions answer."""
        return bool(self.kinds or self.events)

"""From the program to blocks: what each step does when every way is followed at once.

The meaning of steps is that of `backends.walk`, and a test holds the two together. What differs is that nothing is
asked for one by one: a step says what may come and goes on with each, and a roll stays a bag until it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate, combinations, repeat
from math import comb, lcm
from operator import floordiv, sub
from typing import Any, Literal, assert_never, get_args

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.traversal import NODE_TYPES, NODES, inner
from interpreter.odds.brute_force import distinct
from interpreter.odds.effects import WithState, played
from interpreter.odds.inlining import written_out
from interpreter.odds.lazy_roll import (
    Anew,
    Chain,
    ChainThrow,
    DieUnit,
    Elements,
    LazyRoll,
    PlainDie,
    RerolledDie,
    TruncatedThrows,
    grouped,
    grouped_again,
    lying,
    on_the_table,
    thrown_anew,
    thrown_once,
)
from interpreter.odds.liveness import Path, Reading, Use, add_looks, names_in, path_of, spine
from interpreter.odds.marginal_kernel import needs_of
from interpreter.odds.meter import Meter
from interpreter.odds.operations import (
    ALL,
    NOTHING,
    Block,
    ChanceNode,
    DecisionNode,
    Done,
    EndedValue,
    EnterBlock,
    Frame,
    Need,
    Op,
    Todo,
    below,
    finished_block,
    from_outside,
    need_of,
    went_on,
)
from interpreter.odds.paired_kernel import Paired
from interpreter.odds.renumber import DICE, DieKeys, named_apart
from interpreter.odds.state_keys import NO_NAMES, PLAIN, frozen, names_of
from interpreter.odds.truncation import AtLeast, Undecided
from interpreter.play.control import comparing, forms_of_stages
from interpreter.play.requests import Choice, checked
from interpreter.play.rolls import IN_A_THROW, may_be_thrown_anew, raising, scoring_frame, toss_at
from interpreter.play.run import Budget
from interpreter.play.steps import Walker, form_between, form_of
from interpreter.play.verbs import walker_of
from interpreter.runtime.constraints import bounded
from interpreter.runtime.evaluator import Closure, Closures, as_number, field_of, frame, in_range, spend, when_used
from interpreter.runtime.functions import MOST_DICE
from interpreter.runtime.pairing import paired
from interpreter.runtime.rng import hold_to_faces
from interpreter.runtime.state import STATE
from interpreter.values import Die, Face, Scoring, Throw, Thrown, face_number

Rows = list[tuple[ir.Expr, bool]]


ThrowLaw = Callable[..., tuple[list[tuple["ChainThrow", int]], int]]
"""What a throw of a die of a roll may come to: from a frame, the die, its part, its number and, perhaps, its face."""


@dataclass
class Lowering:
    """A program under fixed options, made ready for questions about odds.

    `policy` names the policy whose formulas answer choices. `asking` says that choices are open, so that whatever
    holds one must be gone through step by step. With `stepwise` no law of a block is asked for: all goes step by step.
    """

    closures: Closures
    policy: str | None = None
    asking: bool = False
    stepwise: bool = False
    depth: int = 8
    meter: Meter = field(default_factory=Meter)
    law: Callable[[Block, Frame], tuple[list[tuple[Any, int]], int]] = field(default=lambda block, frame: ([], 1))
    """The law of a block, set by whoever follows every way: rolls whose throws have steps of their own ask for it."""
    _rules: dict[str, ir.Mechanic] = field(default_factory=dict)
    _changing: dict[str, bool] = field(default_factory=dict)
    _asking: dict[str, bool] = field(default_factory=dict)
    _blocks: dict[tuple[str, Need, str], Block] = field(default_factory=dict)
    _readings: dict[tuple[Path, str], list[tuple[str, ir.Expr]]] = field(default_factory=dict)
    _scored: dict[str, ThrowLaw] = field(default_factory=dict)
    _serial: int = 0
    _laid: dict[Any, int] = field(default_factory=dict)
    _keys: DieKeys = field(init=False)

    def __post_init__(self) -> None:
        self.closures = Closures(self.closures.program, self.closures.options)
        self._keys = DieKeys(self.serial)

    @cached_property
    def walker(self) -> Walker:
        """What plays steps one by one."""
        return walker_of(self.closures)

    @property
    def program(self) -> ir.Program:
        return self.closures.program

    @property
    def telling(self) -> ir.DieIdentity:
        """What rules may tell of dice: what nobody may ask for is not kept."""
        return self.program.telling

    def of(self, formula: ir.Formula | None) -> Closure | None:
        """The closure of a formula, if there is one."""
        return None if formula is None else self.closures.of(formula)

    def named(self, reading: Reading) -> str:
        """The name under which a frame holds a reading once it is drawn: one for readings that are written alike."""
        expr = reading.expr
        drawn = self.closures.drawn
        if id(expr) not in drawn:
            alike = self._readings.setdefault((reading.path, reading.kind), [])
            name = next((name for name, one in alike if written_alike(one, expr)), None)
            if name is None:
                name = f"{'.'.join(reading.path)}#{len(drawn)}"
                alike.append((name, expr))
            drawn[id(expr)] = name
        return drawn[id(expr)]

    def looks(
        self, formulas: Iterable[tuple[ir.Expr, bool]], inside: Container[str] = ()
    ) -> tuple[tuple[Use, ...], frozenset[Path]]:
        """What formulas read, and the paths that they touch; a `True` beside one says that a bare path is passed on.

        Looks at names that are only bound `inside` of a step are left out.
        """
        seen: list[Use] = []
        paths: list[Path] = []
        for one, passed in formulas:
            add_looks(one, passed, (), seen, paths)
        if inside:
            seen = [from_outside(use, inside) for use in seen if use.path[0] not in inside]
        for use in seen:
            if use.reading is not None:
                use.name = self.named(use.reading)
        return tuple(seen), frozenset(paths)

    def told(self, name: str) -> str:
        """What an author calls a name of a frame: itself, or the formula of a reading."""
        for alike in self._readings.values():
            for one, expr in alike:
                if one == name:
                    return " ".join(expr.span.text.split())
        return name

    def serial(self) -> int:
        self._serial += 1
        return self._serial

    def apart(self, value: Any, label: Any, at: Frame) -> Any:
        """What steps inside a step came to that began in a frame, with rolls and dice that are of this time alone."""
        if type(value) is dict and PLAIN.issuperset(map(type, value.values())):
            return value
        named = named_apart(value, label)
        return self._keys.apart(named, label, at) if self.telling.handled else named

    def first_key(self, name: Any) -> int:
        """The key of the first die of a roll of that name, once it lies on the table."""
        if name not in self._laid:
            self._laid[name] = self.serial()
        return self._laid[name] * DICE

    def block(self, rule: ir.Mechanic, need: Need, prefix: tuple[str, ...] = ()) -> Block:
        """The block of a rule for what is asked of its record; `prefix` is before the names of its choices."""
        key = (rule.path, need, ".".join(prefix) if prefix and self.may_ask(rule) else "")
        if key not in self._blocks:
            if len(self._blocks) >= MOST_BLOCKS:
                raise PlayError(say.too_many_states(MOST_BLOCKS))
            self._blocks[key] = _mechanic(self, self.rule(rule), need, prefix)
        return self._blocks[key]

    def changes(self, step: ir.Step) -> bool:
        """Whether a step, or a rule that it calls, may change what lasts."""
        return bool(self.program.lasts) and _holds(step, self._changes)

    def _changes(self, action: ir.StepBody) -> bool:
        if not isinstance(action, ir.Call):
            return isinstance(action, EFFECTS)
        rule = self.program.mechanics[action.mechanic]
        if rule.path not in self._changing:
            self._changing[rule.path] = any(map(self.changes, _all_steps(rule)))
        return self._changing[rule.path]

    def rule(self, rule: ir.Mechanic) -> ir.Mechanic:
        """A rule with the functions written out that take rolls, or look at what lasts."""
        name = rule.path
        if name not in self._rules:
            known = self.closures

            def worked_out(expr: ir.Expr) -> Any:
                return known.of(ir.Formula(expr, expr.type, expr.span))(frame())

            self._rules[name] = written_out(rule, self.program.functions, worked_out)
        return self._rules[name]

    def scores(self, path: str, toss: ir.RollDice, law: ThrowLaw) -> None:
        """Dice of the roll at a path are scored by a law when they are thrown anew; whatever is played does so, too."""
        self._scored[path] = law
        self.walker.rolls[path] = toss

    def anew(self, one: DieUnit | Thrown, step: ir.Step, at: Frame, face: Face | None = None) -> Elements:
        """What a die comes to that a step throws anew, or turns to a face."""
        die, part, scoring = one.die, one.part, one.scoring
        if scoring is None:
            return thrown_once(die, part) if face is None else [(lying(die, part, face), 1)]
        toss = self.walker.rolls.get(scoring.path) or toss_at(self.program, scoring.path)
        if toss is None or not may_be_thrown_anew(self.program, toss):
            raise PlayError(say.cannot_throw_anew(step.span, scoring.path if toss else None))
        if scoring.path not in self._scored:  # it was only played, not followed
            _chained(self, toss, step, ALL, (step.name,), lambda at: [], NOTHING, self.serial(), scoring.path)
        faces = distinct(die) if face is None else [(face, 1)]
        rows, total = self._scored[scoring.path](scoring_frame(scoring, at), die, part, 1, faces)
        made: dict[Any, tuple[Thrown, int]] = {}
        for once, ways in rows:
            thrown = Thrown(die, part, 0, (Throw(once.face, 1, once.counts, once.names),), once.counts, scoring)
            before = made.get(key := frozen(thrown))
            made[key] = (thrown, ways + (before[1] if before else 0))
        left = total - sum(ways for _, ways in rows)
        unknown: Any = AtLeast(-(1 << 62))
        lost = Thrown(die, part, 0, TruncatedThrows((Throw(0, 1, 0, NO_NAMES),)), unknown, scoring)
        return [*made.values(), *([(lost, left)] if left else [])]

    def may_ask(self, rule: ir.Mechanic) -> bool:
        """Whether a rule, or one that it calls, has a choice in it; who answers an event may have one."""

        def asks(action: ir.StepBody) -> bool:
            if isinstance(action, ir.Call):
                return self.may_ask(self.program.mechanics[action.mechanic])
            return isinstance(action, (ir.Choose, *EFFECTS))

        if rule.path not in self._asking:
            self._asking[rule.path] = any(_holds(step, asks) for step in _all_steps(rule))
        return self._asking[rule.path]


MOST_BLOCKS = 3_000
"""How many blocks are made of the rules of one ruleset: a rule that is called makes one for each way to a choice."""

EFFECTS = get_args(ir.Effect)
READ_FIRST = (
    ir.Call, ir.Shift, ir.Pay, ir.Assign, ir.Include, ir.Exclude, ir.Make, ir.Destroy, ir.Cause, ir.Act, ir.ChangeEvent,
    ir.CancelEvent,
)  # fmt: skip
"""What has read all that it reads of its own rule before it changes anything."""


def _all_steps(rule: ir.Mechanic) -> list[ir.Step]:
    cases = rule.outcomes.cases if rule.outcomes else ()
    return [*rule.steps, *(step for one in cases for step in one.steps)]


def written_alike(one: Any, other: Any) -> bool:
    """Whether the same is written, wherever it stands."""
    if type(one) is not type(other):
        return False
    if type(one) is tuple:
        return len(one) == len(other) and all(map(written_alike, one, other))
    if type(one) not in _SHAPED:
        return bool(one == other)
    return all(written_alike(getattr(one, name), getattr(other, name)) for name in _SHAPED[type(one)])


_SHAPED = {kind: [name for name in kind.__slots__ if name not in ("type", "span")] for kind in NODES}


# Blocks ----------------------------------------------------------------------------------------------------------


def _mechanic(study: Lowering, rule: ir.Mechanic, need: Need, prefix: tuple[str, ...]) -> Block:
    asked = below(need)
    if () in need:
        known = [name for name, _ in rule.type.fields]
        first = [*(s.name for s in rule.steps), *(one.name for one in rule.also), "outcome"]
        asked = dict.fromkeys([n for n in first if n in known] + [n for n in known if n not in first], ALL)
        asked |= {STATE: ALL} if (STATE,) in need else {}
    also = {one.name: one for one in rule.also}
    later: list[Op] = []
    spread: list[Op] = []
    outcome_steps = {}
    if rule.outcomes and any(one.steps for one in rule.outcomes.cases):
        outcome_steps = {one.name: one.steps for one in rule.outcomes.cases}
        names = [s.name for one in rule.outcomes.cases for s in one.steps]
        after = [s for steps in outcome_steps.values() for s in steps]
        if any(name in asked for name in names) or any(_ends(s) or study.changes(s) for s in after):
            spread.append(_following(study, rule, asked, names, prefix))
    if rule.outcomes is not None and ("outcome" in asked or spread):
        later.append(_outcome_op(study, rule.outcomes, "outcome"))
    for one in reversed(rule.also):
        if one.name in asked or any(path[0] == one.name for op in (*later, *spread) for path in op.touches):
            later.insert(0, _also_op(study, one))
    wanted = {name: paths for name, paths in asked.items() if name not in also and name != "outcome"}
    touched_later = [path for op in (*later, *spread) for path in op.touches]
    ops = _ops(study, rule.steps, wanted, touched_later, prefix)

    def ended(at: Frame, end: EndedValue) -> Any:
        made = {name: None if name in also else _pruned(at.get(name), asked[name]) for name in asked}
        if STATE in asked and end.state is not None:
            made[STATE] = end.state
        return made | ({"outcome": end.outcome} if "outcome" in asked else {})

    return finished_block([*ops, *later, *spread], asked, _record_of(asked), ended)


def _outcome_op(study: Lowering, of: ir.Outcomes, name: str) -> Op:
    if of.as_of is not None:
        seen, touches = study.looks([(of.as_of.body, False)])
        return Op(name, None, None, study.of(of.as_of), None, (), seen, touches)
    rows: Rows = [(one.condition.body, False) for one in of.cases if one.condition]
    seen, touches = study.looks(rows)
    place = of.cases[-1].path

    def choosing() -> Closure:
        cases = [(one.name, study.of(one.condition)) for one in of.cases]

        def choose(at: Frame) -> str:
            for word, holds in cases:
                if holds is None or holds(at):
                    return word
            raise PlayError(say.no_outcome(place))

        return choose

    return Op(name, None, None, when_used(choosing), None, (), seen, touches, formula=of)


def _also_op(study: Lowering, one: ir.Also) -> Op:
    if isinstance(one.reading, ir.Outcomes):
        return _outcome_op(study, one.reading, one.name)
    seen, touches = study.looks([(one.reading.body, False)])
    holds = study.closures.of(one.reading)
    return Op(one.name, None, None, lambda at: bool(holds(at)), None, (), seen, touches)


def _following(
    study: Lowering, rule: ir.Mechanic, asked: Mapping[str, Need], names: list[str], prefix: tuple[str, ...]
) -> Op:
    """The steps of the outcome that came; their names become names of the mechanic."""
    assert rule.outcomes is not None
    blocks = {}
    for one in rule.outcomes.cases:
        wanted = {s.name: asked[s.name] for s in one.steps if s.name in asked}
        if any(map(study.changes, one.steps)):
            wanted[STATE] = ALL
        ops = _ops(study, one.steps, wanted, [], (*prefix, one.name))
        blocks[one.name] = finished_block(ops, wanted, _record_of(dict.fromkeys(wanted, ALL)), _passed_on)
    touches = frozenset((("outcome",), *(p for b in blocks.values() for p in b.touches)))

    def start(at: Frame) -> Todo:
        return EnterBlock(blocks[at["outcome"]], at)

    outside = tuple(u for b in blocks.values() for u in b.outside)
    return Op(
        "(after)", None, None, None, start, (), outside, touches,
        spreads=True, ends=True, asks=any(b.asks for b in blocks.values()), serial=study.serial(),
        within=any(b.changing for b in blocks.values()),
    )  # fmt: skip


def _ops(
    study: Lowering, steps: Iterable[ir.Step], asked: Mapping[str, Need], later: list[Path], trail: tuple[str, ...]
) -> list[Op]:
    """Steps that something below needs. They are made ready from the last one up, so that each knows what is read."""
    made: list[Op] = []
    steps = list(steps)
    paths = [*later, *[(name, *path) for name, need in asked.items() for path in need]]
    for place, step in reversed(list(enumerate(steps))):
        need = need_of(step.name, paths)
        if not need and not _ends(step) and not study.changes(step):
            continue
        op = _op(study, step, need, (*trail, step.name))
        if study.asking and isinstance(step.action, ir.Choose):
            op.touches |= {(one.name,) for one in steps[:place] if _said_short(one)}
        made.append(op)
        paths += op.touches
    made.reverse()
    return made


def _said_short(step: ir.Step) -> bool:
    """Whether a step before a choice is one in whose words advice is short: `before` rather than five dice."""
    return isinstance(step.action, ir.Let) and isinstance(t.present(step.type), (t.Number, t.YesNo, t.Word))


def _ends(step: ir.Step) -> bool:
    return type(step.action) is not ir.Let and _holds(step, lambda action: isinstance(action, ir.End))


def _holds(step: ir.Step, wanted: Callable[[ir.StepBody], bool]) -> bool:
    """Whether the action of a step, or one inside it, is such a one; calls are not followed."""
    action = step.action
    if wanted(action):
        return True
    if isinstance(action, (ir.RollDice, ir.Repeat, ir.Pair, ir.ForEach)):
        within = action.each
    elif isinstance(action, ir.StepGroup):
        within = action.steps
    elif isinstance(action, ir.Stages):
        within = (replace(step, action=action.start, condition=None, instead=None), *action.then)
    else:
        return False
    return any(_holds(one, wanted) for one in within)


def _op(study: Lowering, step: ir.Step, need: Need, trail: tuple[str, ...], keeps: bool = False) -> Op:
    condition, instead = step.condition, step.instead
    if instead is None and isinstance(step.action, ir.Choose):
        instead = step.action.default
    seen, touches = NOTHING
    if condition or instead:
        seen, touches = study.looks([(one.body, False) for one in (condition, instead) if one])
    serial = study.serial()
    into = form_of(step)
    if study.changes(step):
        op = _changing(study, step, need, trail, serial)
    elif into is as_number and isinstance(step.action, _GIVE_ROLLS):
        op = _read_as_number(study, step, trail)
    else:
        op = _action(study, step, need, trail)
    if condition or instead:
        op.guard, op.instead = study.of(condition), study.of(instead)
        op.touches |= touches
        if op.guard:
            op.guard_uses = seen
        else:
            op.uses += seen
    op.keeps = keeps
    op.serial = serial
    op.ends = op.ends or _ends(step)
    if into is not None and not op.changes:
        _shape_into(op, into)
    if keeps:
        op.touches |= {(step.name,)}
    return op


_GIVE_ROLLS = (ir.Let, ir.RollDice, ir.Reroll)
"""Actions whose value may be a roll that is still open; stages see to it themselves."""


def _read_as_number(study: Lowering, step: ir.Step, trail: tuple[str, ...]) -> Op:
    """A step that is worth a number, though its action gives a roll of one die: that is read as soon as it is there."""
    span = step.span
    if isinstance(step.action, ir.Let):
        formula = step.action.formula
        body = ir.Converted(formula.body, "number", step.type, formula.span)
        return _action(study, replace(step, action=ir.Let(replace(formula, body=body, type=step.type))), ALL, trail)
    kind = t.Roll(1, True)
    rolled = _op(study, replace(step, name=ROLLED, type=kind, condition=None, instead=None), ALL, trail)
    number = _number_of(study, ROLLED, kind, step.name, span)
    block = finished_block([rolled, number], {step.name: ALL}, lambda at: at[step.name], _passed_on)
    return _nested(step.name, NOTHING, [block], lambda at: EnterBlock(block, at))


ROLLED = ".rolled"
"""The name of a roll that is only read as a number."""


def _number_of(study: Lowering, name: str, kind: t.Type, into: str, span: Span) -> Op:
    """What one name holds, which may be a roll of one die, as a number under another name."""
    body = ir.Converted(ir.Local(name, kind, span), "number", t.NUMBER, span)
    op = _plain_op(study, into, [(body, False)], lambda: study.closures.plainly(body))
    op.formula = body
    return op


def _shape_into(op: Op, into: Callable[[Any], Any]) -> None:
    """Let the value of a step take the form that its type says."""

    def shaped(value: Any) -> Any:
        return value if isinstance(value, EndedValue) else into(value)

    if op.plain is not None:
        plain = op.plain
        op.plain, op.formula = lambda at: shaped(plain(at)), None
    elif op.start is not None:
        start = op.start
        op.start = lambda at: _mapped(start(at), shaped)


def _mapped(todo: Todo, into: Callable[[Any], Any]) -> Todo:
    if isinstance(todo, Done):
        return Done(into(todo.value))
    return replace(todo, then=lambda _, got: _mapped(went_on(todo, got), into))


def may_outgrow(kind: t.Type) -> bool:
    """Whether a number of this type may have more than 64 bits before anybody looks."""
    return isinstance(kind, t.Number) and (kind.low is None or kind.high is None)


def _in_range(plain: Closure, span: Span) -> Closure:
    def checked(at: Frame) -> Any:
        value = plain(at)
        return in_range(value, span) if type(value) is int else value

    return checked


def _plain_op(study: Lowering, name: str, rows: Rows, make: Callable[[], Closure]) -> Op:
    seen, touches = study.looks(rows)
    return Op(name, None, None, make(), None, (), seen, touches)


def _action(study: Lowering, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    action, name = step.action, step.name
    match action:
        case ir.Let(formula):
            rolls = _rolls_joined(formula.body)
            if rolls is not None and len(set(map(path_of, rolls))) == len(rolls):
                return _joined(study, name, rolls)
            bare = path_of(formula.body) is not None or isinstance(formula.body, ir.RecordLiteral)
            seen, touches = study.looks([(formula.body, bare)])
            plain = when_used(partial(study.closures.of, formula))
            op = Op(name, None, None, plain, None, (), seen, touches, formula=formula.body)
            if may_outgrow(formula.type):
                op.plain, op.unbounded = _in_range(plain, step.span), step.span
            whole = spine(formula.body)
            if whole is not None and () not in need:  # another name for it: only what is asked of this one
                op.touches = (op.touches - {whole}) | {(*whole, *path) for path in need if path != ("#",)}
                op.touches |= {(*whole, "#")}
            return op
        case ir.Compare(lines):
            rows: Rows = [(one, False) for _, a, b, _ in lines for one in (a.body, b.body)]
            return _plain_op(study, name, rows, lambda: comparing(study.walker, action, step))
        case ir.Raise():
            rows = [(f.body, False) for f in (action.of, action.which, action.by) if f]
            return _plain_op(study, name, rows, lambda: raising(study.walker, action, step))
        case ir.Place(dice, showing):
            return _plain_op(study, name, [(dice.body, False), (showing.body, False)], lambda: _placed(study, action))
        case ir.FirstOf(cases):
            rows = [(f.body, False) for case in cases for f in (case.condition, case.value) if f]
            return _plain_op(study, name, rows, lambda: study.closures.first_of(action))
        case ir.End(outcome):
            op = _plain_op(study, name, [], lambda: lambda at: EndedValue(outcome))
            op.ends = True
            return op
        case ir.RollDice() if _ends(step):  # one throw may end it for all dice, so none of them can be left open
            return _of_value(played(study, step, trail, study.serial()))
        case ir.RollDice():
            return _toss(study, action, step, need, trail)
        case ir.Reroll():
            return _reroll(study, action, step)
        case ir.Stages():
            return _stages(study, action, step, need, trail)
        case ir.Repeat():
            return _repeat(study, action, step, need, trail)
        case ir.Pair():
            return _pair(study, action, step, need, trail)
        case ir.Choose():
            return _choose(study, action, step, trail)
        case ir.Call():
            return _call(study, action, step, need, trail)
        case ir.StepGroup(steps):
            block = _record_block(study, steps, need, trail)
            return _nested(name, NOTHING, [block], lambda at: EnterBlock(block, at))
        case ir.ForEach() | ir.ChooseEach() | ir.Order():
            return _of_value(played(study, step, trail, study.serial()))
        case (
            ir.Shift()
            | ir.Pay()
            | ir.Assign()
            | ir.Include()
            | ir.Exclude()
            | ir.Make()
            | ir.Destroy()
            | ir.Cause()
            | ir.Act()
            | ir.Offer()
            | ir.ChangeEvent()
            | ir.CancelEvent()
            | ir.Turn()
            | ir.Draw()
            | ir.Put()
            | ir.Take()
        ):
            raise AssertionError("these change what lasts")
        case _:
            assert_never(action)


# What changes what lasts -----------------------------------------------------------------------------------------


def _changing(study: Lowering, step: ir.Step, need: Need, trail: tuple[str, ...], serial: int) -> Op:
    """A step that may change what lasts: it is worth its value and the state by then.

    Calls, blocks and rolls are followed like any others; everything else is played, for it throws few dice.
    """
    action = step.action
    match action:
        case ir.Call():
            op = _call(study, action, step, need | {(STATE,)}, trail)
        case ir.StepGroup(steps):
            block = _record_block(study, steps, need, trail, lasting=True)
            op = _nested(step.name, NOTHING, [block], lambda at: EnterBlock(block, at))
        case ir.RollDice() if not _ends(step):
            op = _toss(study, action, step, need, trail)
        case _:
            op = played(study, step, trail, serial)
    begin, into = op.start, form_of(step)
    assert begin is not None

    def start(at: Frame) -> Todo:
        return _mapped(begin(at), partial(told_apart, at))

    def told_apart(at: Frame, value: Any) -> Any:
        if isinstance(value, EndedValue):
            return value
        if isinstance(value, WithState):
            worth = into(value.value) if into is not None else value.value
            return {step.name: study.apart(worth, serial, at), STATE: value.state}
        return {step.name: study.apart(_without(value, (STATE,)), serial, at), STATE: value[STATE]}

    op.start, op.spreads, op.changes = start, True, True
    op.within = not isinstance(action, READ_FIRST)
    op.touches |= {(STATE,)}
    return op


def _of_value(op: Op) -> Op:
    """A step that is played and changes nothing that lasts is worth its value alone."""
    begin = op.start
    assert begin is not None
    op.start = lambda at: _mapped(begin(at), lambda worth: worth.value if isinstance(worth, WithState) else worth)
    return op


def _passed_on(at: Frame, end: EndedValue) -> EndedValue:
    """An end inside a block, with what lasts by then."""
    return end if end.state is not None or STATE not in at else EndedValue(end.outcome, at[STATE])


def _rolls_joined(expr: ir.Expr) -> list[ir.Expr] | None:
    """The rolls that are laid together, each as it is; None where it is something else."""
    if not isinstance(expr, ir.Joined):
        return None
    parts = []
    for one in (expr.left, expr.right):
        is_roll = isinstance(t.present(one.type), t.Roll) and path_of(one) is not None
        found = [one] if is_roll else _rolls_joined(one)
        if found is None:
            return None
        parts += found
    return parts


def _joined(study: Lowering, name: str, rolls: list[ir.Expr]) -> Op:
    """Rolls laid together: still open, unless one of them is looked at alone from here on."""
    seen, touches = study.looks([(roll, True) for roll in rolls])
    of = [study.closures.plainly(roll) for roll in rolls]

    def joined(at: Frame) -> Any:
        parts = [one(at) for one in of]
        if not any(isinstance(part, LazyRoll) for part in parts):
            return tuple([die for part in parts for die in part])
        bags = [part if isinstance(part, LazyRoll) else on_the_table(None, part) for part in parts]
        return LazyRoll(tuple([bag.name for bag in bags]), grouped_again(bags))

    return Op(name, None, None, joined, None, (), seen, touches, throws=True)


def _nested(
    name: str,
    read: tuple[tuple[Use, ...], frozenset[Path]],
    blocks: list[Block],
    start: Callable[[Frame], Todo],
) -> Op:
    """A step with steps inside; `read` is what its own formulas look at, which stand outside of these steps."""
    seen, touches = read
    seen += tuple(u for b in blocks for u in b.outside)
    touches |= frozenset(p for b in blocks for p in b.touches)
    return Op(name, None, None, None, start, (), seen, touches, asks=any(b.asks for b in blocks))


def _looked_into(seen: Iterable[Use]) -> tuple[Use, ...]:
    """Uses by steps that are done again and again: what they only pass on must be the same roll each time."""
    return tuple(replace(use, passed=False) if use.passed else use for use in seen)


def _record_block(
    study: Lowering,
    steps: tuple[ir.Step, ...],
    need: Need,
    trail: tuple[str, ...],
    given: tuple[str, ...] = (),
    extra: Collection[Path] = (),
    ends: Sequence[Op] = (),
    lasting: bool = False,
    done: Literal["once", "again", "in a throw"] = "once",
) -> Block:
    """A block that is worth a record of its steps.

    `extra` are paths that are asked for besides; `ends` are steps without a name of their own that come last, whose
    values are in the record as well; with `lasting`, so is the state. In the end some rolls must lie on the table: all
    that are `done` in a throw, as a die has no place for what is open; what `extra` leads to, as the next pass reads it
    while it waits in a list; and what whoever decides in the next pass has seen by then.
    """
    names = [step.name for step in steps]
    asked: dict[str, Need] = dict.fromkeys(names, ALL) if () in need else dict(below(need))
    extra = [(name,) for name in names] if () in extra else [*extra]
    for path in extra:
        if path[0] in names:
            asked[path[0]] = asked.get(path[0], frozenset()) | {path[1:]}
    ops = _ops(study, steps, asked, [path for op in ends for path in op.touches], trail)
    seen = done == "again" and study.asking and any(op.asks for op in ops)
    shown = asked if seen or done == "in a throw" else {path[0] for path in extra}
    rolls = [Use((one.name,)) for one in steps if one.name in shown and one.name in asked and _may_be_open(one.type)]
    if rolls:
        ends = [*ends, Op(LAID, None, None, lambda at: None, None, (), tuple(rolls), frozenset())]
    asked |= {op.name: ALL for op in ends} | ({STATE: ALL} if lasting else {})
    gives = _record_of({name: asked[name] for name in (*names, *(op.name for op in ends), STATE) if name in asked})
    return finished_block([*ops, *ends], asked, gives, _passed_on, given)


def _may_be_open(kind: t.Type) -> bool:
    """Whether a roll that nobody has looked at yet may be in values of a type."""
    kind = t.present(kind)
    if isinstance(kind, t.List):
        return isinstance(t.present(kind.of), t.Record) or _may_be_open(kind.of)  # it may be a list of pairs
    if isinstance(kind, t.Record):
        return any(_may_be_open(one) for _, one in kind.fields)
    return isinstance(kind, t.Roll)


def _record_of(asked: Mapping[str, Need]) -> Callable[[Frame], Any]:
    """A record of what is asked for of the names of a frame."""
    names = tuple(asked)
    if all(() in need for need in asked.values()):
        return lambda at: dict(zip(names, map(at.get, names), strict=True))
    return lambda at: {name: _pruned(at.get(name), need) for name, need in asked.items()}


def _without(record: Any, names: Iterable[str]) -> Any:
    """A record without some of its fields."""
    return {name: one for name, one in record.items() if name not in names}


def _pruned(value: Any, need: Need) -> Any:
    """Of a record, or of the records of a list, only what is asked for."""
    if type(value) in PLAIN or () in need:
        return value
    if isinstance(value, dict):
        asked = below(need)
        return {name: _pruned(one, asked[name]) for name, one in value.items() if name in asked}
    if type(value) is tuple and value and type(value[0]) is dict:
        return tuple([_pruned(one, need) for one in value])
    return value


# Dice ------------------------------------------------------------------------------------------------------------


def _placed(study: Lowering, action: ir.Place) -> Closure:
    dice, showing = study.closures.of(action.dice), study.closures.of(action.showing)
    serial = study.serial()

    def place(at: Frame) -> Any:
        face, pool = _shown(showing(at)), dice(at)
        hold_to_faces(pool, face, action.showing.span)
        return tuple(lying(die, None, face)._replace(key=serial * DICE + n) for n, die in enumerate(pool))

    return place


def _shown(face: Any) -> Any:
    """The face that a die is turned to. Raises Undecided where it is known only from below."""
    if isinstance(face, AtLeast):
        raise Undecided
    return face


MOST_BAGS = 1_000
"""How many different pools of one step are remembered."""


def _toss(study: Lowering, action: ir.RollDice, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    serial = study.serial()
    rows: Rows = [(formula.body, False) for _, formula in action.parts]
    seen, touches = study.looks(rows)
    parts = [(name, study.closures.of(formula)) for name, formula in action.parts]
    span = step.span

    def dice_of(at: Frame) -> list[tuple[Die, str | None]]:
        dice = [(die, name) for name, pool in parts for die in pool(at)]
        if len(dice) > MOST_DICE:
            raise PlayError(say.budget_spent(span, "dice in one roll", MOST_DICE))
        return dice

    if not action.each and action.counts is None and action.again is None:
        bags: dict[Any, LazyRoll] = {}
        only = parts[0][1] if len(parts) == 1 else None

        def thrown(at: Frame) -> LazyRoll:
            """One bag for equal pools, so that states which hold it are seen to be alike."""
            pools = only(at) if only else tuple([pool(at) for _, pool in parts])
            if pools not in bags:
                if len(bags) >= MOST_BAGS:
                    bags.clear()
                bags[pools] = LazyRoll(serial, grouped([PlainDie(die, name) for die, name in dice_of(at)]))
            return bags[pools]

        return Op(step.name, None, None, thrown, None, (), seen, touches, throws=True)
    return _chained(study, action, step, need, trail, dice_of, (seen, touches), serial, step.path)


def _chained(
    study: Lowering,
    action: ir.RollDice,
    step: ir.Step,
    need: Need,
    trail: tuple[str, ...],
    dice_of: Callable[[Frame], list[tuple[Die, str | None]]],
    read: tuple[tuple[Use, ...], frozenset[Path]],
    serial: int,
    path: str,
) -> Op:
    ends: Rows = [(f.body, False) for f in (action.counts, action.again) if f]
    end_uses, end_touches = study.looks(ends)
    names = {one.name for one in action.each}
    of_throws = [path[1:] if path[:1] == ("throws",) else path for path in need]
    inside_need: Need = frozenset(path for path in of_throws if path and path[0] in names)
    if () in need or (any(path[:1] == ("throws",) and len(path) == 1 for path in need) and ("throws", "#") not in need):
        inside_need |= {(name,) for name in names}

    lasting = study.changes(step)

    def block_for(asked: Need) -> Block:
        last = [("counts", action.counts), (".again", action.again)] if action.each else []
        ends = [_end(study, name, formula) for name, formula in last if formula]
        return _record_block(study, action.each, asked, trail, IN_A_THROW, (), ends, lasting, "in a throw")

    # What `earlier` is asked for, the throws must have.
    block = block_for(inside_need)
    past = need_of("earlier", [*block_paths(block), *end_touches])
    if past - {("#",)}:
        inside_need |= past
        block = block_for(inside_need)
    fuse_uses, fuse_touches = study.looks([(action.guard.body, False)] if action.guard else [])
    fuse_of = study.of(action.guard)
    counts, again = study.of(action.counts), study.of(action.again)
    given = set(IN_A_THROW) | names
    outer_uses = tuple(from_outside(u, given) for u in end_uses if u.path[0] not in given)
    outer_touches = frozenset(p for p in end_touches if p[0] not in given)
    reads_nth = any(p[0] == "nth" for p in block_paths(block)) or any("nth" in names_in(e) for e, _ in ends)
    looks_back = _spines(step, "earlier")
    looked = [u for u in (*end_uses, *block.outside) if u.path[0] not in given]
    free = _depends_on(study, looked, (*block.touches, *outer_touches), given)

    scored = study.telling.rerolled and bool(action.each or action.counts)
    scored_by = [name for name in free if name != STATE]
    least = t.as_number(action.counts.type).low if action.counts else None

    def start(at: Frame) -> Todo:
        dice = dice_of(at)
        fuse = fuse_of(at) if fuse_of else ir.GUARD
        at_guard = say.guard_reached(step.span, ".".join(trail), fuse)
        fuse = max(fuse, 1)  # a die that is thrown once is none that went on
        scoring = Scoring(path, tuple([(name, at[name]) for name in scored_by if name in at])) if scored else None
        if not study.stepwise and not lasting and not (study.asking and block.asks):
            env = (serial, tuple([frozen(at.get(name)) for name in free]))
            if all(_steady_past(study, at, die, name, throw_law, looks_back) for die, name in dict.fromkeys(dice)):
                units: list[DieUnit] = [
                    Chain(
                        die,
                        name,
                        _memo(partial(throw_law, at, die, name)),
                        not reads_nth,
                        fuse,
                        env,
                        scoring,
                        least if action.counts else min(face_number(face) for face, _ in distinct(die)),
                        at_guard,
                        study.meter,
                    )
                    for die, name in dice
                ]
                return Done(LazyRoll(serial, grouped(units)))
        return one_throw(at, (dice, scoring), fuse, ((), (), (), at.get(STATE) if lasting else None))

    def inside_of(at: Frame, die: Die, name: str | None, face: Any, nth: int, earlier: Any) -> Frame:
        die_words = {"size": die.size, "tags": die.tags, "part": name}
        worth = face_number(face)
        return {**at, **die_words, "face": worth, "counts": worth, "nth": nth, "earlier": earlier}

    def after(inside: Frame, face: Any, record: Any) -> ChainThrow:
        if action.each:
            said = names_of(_without(record, THROW_ENDS))
            return ChainThrow(face, record.get("counts", inside["counts"]), said, bool(record.get(".again")))
        worth = counts(inside) if counts else inside["counts"]
        return ChainThrow(face, worth, NO_NAMES, bool(again and again({**inside, "counts": worth})))

    def throw_law(
        at: Frame, die: Die, name: str | None, nth: int, faces: Any = None
    ) -> tuple[list[tuple[ChainThrow, int]], int]:
        rows: list[tuple[ChainThrow, int, int]] = []
        faces = distinct(die) if faces is None else faces
        for face, times in faces:
            inside = inside_of(at, die, name, face, nth, ())
            law, total = study.law(block, inside) if block.ops else ([({}, 1)], 1)
            if sum([ways for _, ways in law]) < total:  # nobody knows what this throw comes to
                raise Undecided
            rows += [(after(inside, face, record), times * ways, total) for record, ways in law]
        whole = lcm(*[total for _, _, total in rows])
        sides = sum(times for _, times in faces)
        return [(once, ways * (whole // total)) for once, ways, total in rows], sides * whole

    if scored:
        study.scores(path, action, throw_law)

    # Throw by throw, where one depends on those before.

    def one_throw(at: Frame, rolled: Any, fuse: int, state: Any) -> Todo:
        thrown, throws, _earlier, lasts = state
        dice, _scoring = rolled
        if len(thrown) == len(dice):
            return Done(WithState(tuple(thrown), lasts) if lasting else tuple(thrown))
        if len(throws) >= min(fuse, study.depth):
            return ChanceNode([], 1, state, lambda s, got: Done(None))
        die, _ = dice[len(thrown)]
        faces = distinct(die)
        return ChanceNode(faces, die.size, state, lambda s, face: seen_face(at, rolled, fuse, s, face))

    def seen_face(at: Frame, rolled: Any, fuse: int, state: Any, face: Any) -> Todo:
        thrown, throws, earlier, lasts = state
        die, name = rolled[0][len(thrown)]
        at = {**at, STATE: lasts} if lasting else at
        inside = inside_of(at, die, name, face, len(throws) + 1, earlier)
        if not block.ops:
            return settled(at, rolled, fuse, state, inside, face, {})

        def record_there(now: Any, record: Any) -> Todo:
            before, shown = now
            again_inside = inside_of(at, die, name, shown, len(before[1]) + 1, before[2])
            return settled(at, rolled, fuse, before, again_inside, shown, record)

        return EnterBlock(block, inside, (state, face), record_there)

    def settled(at: Frame, rolled: Any, fuse: int, state: Any, inside: Frame, face: Any, record: Any) -> Todo:
        if isinstance(record, EndedValue):
            return Done(record)
        thrown, throws, earlier, lasts = state
        lasts = record.get(STATE, lasts)
        once = after(inside, face, record)
        throws = (*throws, Throw(face, len(throws) + 1, once.counts, once.names))
        earlier = (*earlier, _pruned(once.names, past)) if past else earlier
        if once.again:
            return one_throw(at, rolled, fuse, (thrown, throws, earlier, lasts))
        dice, scoring = rolled
        die, name = dice[len(thrown)]
        value = sum(one.counts for one in throws) if len(throws) > 1 else throws[0].counts
        one = Thrown(die, name, serial * DICE + len(thrown), throws, value, scoring)
        return one_throw(at, rolled, fuse, ((*thrown, one), (), earlier, lasts))

    seen, touches = read
    op = Op(step.name, None, None, None, start, (), (), frozenset())
    op.uses = _looked_into((*seen, *outer_uses, *fuse_uses, *(u for u in block.outside if u.path[0] not in given)))
    op.touches = touches | outer_touches | fuse_touches | block.touches
    op.asks = block.asks
    return op


def block_paths(block: Block) -> Iterator[Path]:
    """Every path that the steps of a block touch, names that come with it included."""
    for op in block.ops:
        yield from op.touches


def _memo(work: Callable[[int], Any]) -> Callable[[int], Any]:
    known: dict[int, Any] = {}

    def once(nth: int) -> Any:
        if nth not in known:
            known[nth] = work(nth)
        return known[nth]

    return once


def _spines(step: ir.Step, name: str) -> list[ir.Expr] | None:
    """The columns that formulas inside a step take of a list; None where one looks at it in another way."""
    found: list[ir.Expr] = []

    def search(node: Any) -> bool:
        at = node
        while isinstance(at, ir.Column):
            at = at.of
        if isinstance(at, ir.Local) and at.name == name:
            found.append(node)
            return isinstance(node, ir.Column)
        if isinstance(node, NODES):
            return all(search(one) for one in inner(node))
        return all(search(one) for one in _within(node))

    return found if search(step.action) else None


def _within(node: Any) -> Iterator[Any]:
    """What stands right inside a construct of the program."""
    if isinstance(node, ir.Formula):
        yield node.body
        return
    if isinstance(node, (tuple, list)):
        yield from node
        return
    if isinstance(node, Mapping):
        yield from node.values()
        return
    if type(node) in NODE_TYPES and not isinstance(node, type):
        for slot in node.__slots__:
            if slot not in ("type", "span"):
                yield getattr(node, slot)


def _steady_past(
    study: Lowering,
    at: Frame,
    die: Die,
    name: str | None,
    throw_law: Callable[..., tuple[list[tuple[ChainThrow, int]], int]],
    looks_back: list[ir.Expr] | None,
) -> bool:
    """Whether what throws read of earlier ones never changes, as nothing was burnt in the first: then it never will."""
    if looks_back is None:
        return False
    if not looks_back:
        return True
    closures = [study.closures.plainly(one) for one in looks_back]
    outcomes, _ = throw_law(at, die, name, 1)
    for once, _ in outcomes:
        for closure in closures:
            if closure({**at, "earlier": (once.names,)}) != ():
                return False
    return True


def _reroll(study: Lowering, action: ir.Reroll, step: ir.Step) -> Op:
    serial = study.serial()
    path = path_of(action.of.body)
    which = action.which.body if action.which else None
    condition = None
    if isinstance(which, ir.Filtered) and path is not None and path_of(which.of) == path:
        condition = which.condition
    each_alone = (
        path is not None and (which is None or condition is not None) and action.most is None and action.to is None
    )
    if each_alone and (condition is None or not _slots(condition)):
        return _rerolled_unread(study, action, step, path, condition, serial)
    lasting = _scored_by_what_lasts(study)
    rows: Rows = [(f.body, False) for f in (action.of, action.which, action.most, action.to) if f]
    seen, touches = study.looks(rows)
    # Handled as dice: a reading of them is no help here.
    seen = (*seen, *(Use(u.path, None, False) for u in seen))
    everything, chosen = study.closures.of(action.of), study.of(action.which)
    most, to, biggest = study.of(action.most), study.of(action.to), action.biggest_first

    def start(at: Frame) -> Todo:
        dice = everything(at)
        touched = list(chosen(at) if chosen else dice)
        if biggest is not None:
            touched.sort(key=lambda die: (-die.die.size if biggest else die.die.size, die.key))
        if most is None or study.telling.order == "all":
            return turned(at, dice, touched[: max(most(at), 0)] if most else touched)
        law, total = _first_thrown(dice, touched, max(most(at), 0))
        return ChanceNode(law, total, None, lambda _, some: turned(at, dice, some))

    def turned(at: Frame, dice: Any, touched: Sequence[Thrown]) -> Todo:
        if to is not None and action.to is not None:
            face = _shown(to(at))
            hold_to_faces([one.die for one in touched], face, action.to.span)
            return _one_by_one(dice, touched, lambda one: study.anew(one, step, at, face))
        return _thrown_again(study, serial, step, at, dice, touched)

    return Op(step.name, None, None, None, start, (), seen, touches | lasting, serial=serial)


def _scored_by_what_lasts(study: Lowering) -> frozenset[Path]:
    """What a reroll reads though it is not written in it: `counts` of the roll may look at things."""
    return frozenset({(STATE,)}) if study.program.lasts else frozenset()


def _thrown_again(study: Lowering, serial: int, step: ir.Step, at: Frame, dice: Any, touched: Sequence[Thrown]) -> Todo:
    """Some dice of a roll that lies on the table, thrown anew: back into the bag, or each by its key."""
    if not study.telling.which and study.telling.order == "none":
        return Done(thrown_anew(serial, dice, {one.key: _in_hand(study, one, step, at) for one in touched}))
    return _one_by_one(dice, touched, lambda one: study.anew(one, step, at))


def _in_hand(study: Lowering, one: Thrown, step: ir.Step, at: Frame) -> DieUnit:
    if one.scoring is None:
        return PlainDie(one.die, one.part)
    return Anew(one.die, one.part, one.scoring, study.anew(one, step, at), _scored_as(one, at))


def _scored_as(one: DieUnit | Thrown, at: Frame) -> Any:
    """What new throws of a die hang on, as a key."""
    return None if one.scoring is None else (frozen(one.scoring), frozen(at.get(STATE)))


def _one_by_one(dice: Any, touched: Sequence[Thrown], law: Callable[[Thrown], Elements]) -> Todo:
    """Dice of a roll that lies on the table exchanged for what each of them comes to."""

    def one_die(state: Any) -> Todo:
        now, left = state
        if not left:
            return Done(now)
        came = law(left[0])
        if len(came) == 1:
            return anew(state, came[0][0])
        return ChanceNode(came, sum(ways for _, ways in came), state, anew)

    def anew(state: Any, thrown: Thrown) -> Todo:
        now, left = state
        new = thrown._replace(key=left[0].key)
        return one_die((tuple([new if one.key == new.key else one for one in now]), left[1:]))

    return one_die((dice, tuple(touched)))


def _first_thrown(dice: Any, touched: list[Thrown], most: int) -> tuple[list[tuple[tuple[Thrown, ...], int]], int]:
    """Which dice are the first so many of those touched, where equal dice lie in no order of their own.

    Dice of a roll that stand beside each other and are of one kind may have been thrown in any order, each as likely.
    """
    if most >= len(touched):
        return [(tuple(touched), 1)], 1
    runs: dict[int, int] = {}
    number = 0
    for place, one in enumerate(dice):
        number += bool(place) and _kind(one) != _kind(dice[place - 1])
        runs[one.key] = number
    cut = runs[touched[most].key]
    sure = [one for one in touched[:most] if runs[one.key] != cut]
    open_ = [one for one in touched if runs[one.key] == cut]
    found: dict[Any, tuple[tuple[Thrown, ...], int]] = {}
    for some in combinations(open_, most - len(sure)):
        key = frozen(tuple([one._replace(key=0) for one in some]))
        held = found.get(key)
        found[key] = ((*sure, *some), held[1] + 1 if held else 1)
    return list(found.values()), comb(len(open_), most - len(sure))


def _kind(one: Thrown) -> Any:
    """Dice of one roll that are alike."""
    return one.die, one.part, one.key // DICE


def _slots(expr: ir.Expr) -> bool:
    return isinstance(expr, (ir.Filtered, ir.Sorted, ir.Element)) or any(map(_slots, inner(expr)))


def _depends_on(
    study: Lowering, uses: Iterable[Use], touches: Iterable[Path], given: Iterable[str] = ()
) -> tuple[str, ...]:
    """The names of a frame that something is worked out from: those it touches, and what was drawn for it."""
    drawn = {use.name for use in uses if use.name}
    return tuple(sorted({path[0] for path in touches} - set(given) | drawn))


def _rerolled_unread(
    study: Lowering, action: ir.Reroll, step: ir.Step, path: Path | None, condition: ir.Expr | None, serial: int
) -> Op:
    """Every die for itself: the new throw is part of what a die of the bag may come to."""
    rows: Rows = [(action.of.body, True)]
    if condition is not None:
        rows.append((condition, False))
    seen, touches = study.looks(rows)
    if action.which:
        touches |= study.looks([(action.which.body, True)])[1]
    lasting = _scored_by_what_lasts(study)
    everything = study.closures.of(action.of)
    holds = study.closures.plainly(condition) if condition is not None else (lambda at: True)
    looks = needs_of(condition) if condition is not None else frozenset[str]()
    free = _depends_on(study, seen, [(name,) for name in names_in(condition)]) if condition is not None else ()

    def start(at: Frame) -> Todo:
        dice = everything(at)
        if not isinstance(dice, LazyRoll):
            touched = tuple([one for one in dice if holds({**at, ".die": one})])
            return _thrown_again(study, serial, step, at, dice, touched)
        key = (serial, tuple([frozen(at.get(name)) for name in free]))
        units: list[DieUnit] = []
        for unit, count in dice.groups:
            anew, scored = study.anew(unit, step, at), _scored_as(unit, at)
            again = RerolledDie(unit, lambda one: bool(holds({**at, ".die": one})), looks, anew, (key, scored))
            units += [again] * count
        return Done(LazyRoll(dice.name, grouped(units)))

    return Op(step.name, None, None, None, start, (), seen, touches | lasting, serial=serial)


# Steps inside steps ----------------------------------------------------------------------------------------------


def _stages(study: Lowering, action: ir.Stages, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    name = step.name
    paths: list[Path] = [(name, *path) for path in need]
    ops: list[Op] = []
    before = (action.begun, *[stage.type for stage in action.then])
    forms = forms_of_stages(action)
    if form_between(before[-1], step.type) is as_number:
        ops.append(_number_of(study, name, before[-1], name, step.span))
    for stage, given, form in reversed(list(zip(action.then, before, forms, strict=False))):
        if form is as_number and stage.condition and not stage.instead:  # what a skipped stage passes on
            ops.append(_number_of(study, name, given, name, stage.span))
        own = replace(stage, name=name)
        made = _op(study, own, ALL, (*trail, stage.name), keeps=True)
        made.name = name
        ops.append(made)
        paths += made.touches
    begin = ir.Step(name, action.start, action.begun, step.path, step.span)
    ops.append(_op(study, begin, need if not action.then else ALL, trail))
    ops.reverse()
    block = finished_block(ops, {name: ALL}, lambda at: at[name], lambda at, end: end, (), True)
    if block.simple and not any(map(_may_be_open, (*before, step.type))):

        def run(at: Frame) -> Any:
            inside = dict(at)
            for op in block.ops:
                if op.guard is not None and not op.guard(inside):
                    if op.instead is not None:
                        inside[name] = op.instead(inside)
                    continue
                assert op.plain is not None
                inside[name] = op.plain(inside)
            return inside[name]

        return Op(name, None, None, run, None, (), block.outside, block.touches)
    return _nested(name, NOTHING, [block], lambda at: EnterBlock(block, at))


class Passes:
    """How far a repetition has come: the number of its next pass, and what is kept of those before.

    As a key it is as long as there are passes, and holds numbers alone: what passes came to is told by `marks`.
    """

    __slots__ = ("best", "earlier", "key", "marks", "nth", "passes")

    def __init__(
        self,
        nth: int,
        passes: tuple[Any, ...] = (),
        best: tuple[int, Any, int] | None = None,
        earlier: tuple[Any, ...] = (),
        marks: tuple[int, ...] = (),
    ) -> None:
        self.nth, self.passes, self.best, self.earlier, self.marks = nth, passes, best, earlier, marks
        self.key = (nth, marks, best and (best[0], best[2]))

    @property
    def entries(self) -> int:
        """How much is kept of the passes before."""
        return len(self.marks) + len(self.earlier)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Passes) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


def _repeat(study: Lowering, action: ir.Repeat, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    given = ("nth", "earlier")
    wanted: Need = frozenset(path for path in need if path != ("#",))
    keep = action.keep[1] if action.keep else None
    score = ".keep"
    if keep and isinstance(keep.body, ir.Local) and any(one.name == keep.body.name for one in action.each):
        score, keep_last = keep.body.name, None  # a name of the pass is there already
    else:
        keep_last = keep
    scored = wanted | {(score,)} if keep and not keep_last else wanted

    def block_with(extra: Collection[Path]) -> Block:
        last = ((".until", action.until), (".keep", keep_last))
        ends = [_end(study, name, formula) for name, formula in last if formula]
        return _record_block(study, action.each, scored, trail, given, extra, ends, done="again")

    block = block_with(())
    past = need_of("earlier", block_paths(block))
    if past - {("#",)}:
        block = block_with(past - {("#",)})
    looks = {p[0] for p in block_paths(block)}
    read = study.looks([(action.times.body, False)])
    times = study.closures.of(action.times)
    lowest = action.keep is not None and action.keep[0] == "lowest"
    apart = action.until is None and not looks & {"nth", "earlier"}
    shown = block.asked == set(below(wanted)) or (() in wanted and not keep_last and LAID not in block.asked)
    label = study.serial()
    met: dict[Any, tuple[Any, Any, int]] = {}  # passes that came to the same are one and the same, with a number

    def start(at: Frame) -> Todo:
        number = times(at)
        if number < 1:
            return Done(None if keep else ())
        if number > Budget.passes:
            raise PlayError(say.budget_spent(step.span, "passes", Budget.passes))
        if keep and apart and number > 1 and not study.stepwise and not (study.asking and block.asks):
            law, total = study.law(block, at)
            kept = _best_of_equal(law, score, number, lowest)
            if not shown:
                kept = [(_pruned(_without(record, PASS_ENDS), wanted), ways) for record, ways in kept]
            return ChanceNode(kept, total**number)
        return one_pass(at, number, Passes(1))

    def one_pass(at: Frame, number: int, state: Passes) -> Todo:
        return EnterBlock(
            block,
            {**at, "nth": state.nth, "earlier": state.earlier},
            state,
            lambda s, record: settled(at, number, s, record),
        )

    def settled(at: Frame, number: int, state: Passes, record: Any) -> Todo:
        if isinstance(record, EndedValue):
            return Done(record)
        plain = _without(record, PASS_ENDS)
        kept = study.apart(_pruned(plain, wanted), (label, state.nth), at)
        before = _pruned(plain, past) if past else None
        key = frozen((kept, before))
        kept, before, mark = met.setdefault(key, (kept, before, len(met)))
        passes, best, marks = state.passes, state.best, state.marks
        if keep is None:
            passes = (*passes, kept)
        else:
            worth = as_number(record[score])
            if best is None or (worth < best[0] if lowest else worth > best[0]):
                best = (worth, kept, mark)
        if state.nth >= number or record.get(".until"):
            return Done(best[1] if best is not None else passes)
        earlier = (*state.earlier, before) if past else ()
        marks = (*marks, mark) if keep is None or past else ()
        return one_pass(at, number, Passes(state.nth + 1, passes, best, earlier, marks))

    op = _nested(step.name, read, [block], start)
    op.uses = _looked_into(op.uses)
    return op


LAID = ".laid"
"""What lets rolls lie on the table in the end of a pass or a throw."""

PASS_ENDS, THROW_ENDS = (LAID, ".until", ".keep"), (LAID, "counts", ".again", STATE)
"""Names of what is worked out last in each pass, and for each throw."""


def _end(study: Lowering, name: str, formula: ir.Formula) -> Op:
    """A formula that is worked out when the other steps of a block are done."""
    op = _plain_op(study, name, [(formula.body, False)], lambda: study.closures.of(formula))
    op.formula = formula.body
    return op


def _best_of_equal(law: list[tuple[Any, int]], score: str, number: int, lowest: bool) -> list[tuple[Any, int]]:
    """The best of so many passes that know nothing of each other, the first of equals: by powers of the ways up to it.

    Of `n` passes the i-th is kept with the ways `below^(i-1) · own · upto^(n-i)`; over all i that is
    `own / level · (upto^n - below^n)`, where `level` are the ways of all passes with its score.
    """
    scored: dict[int, list[tuple[Any, int]]] = {}
    for record, ways in law:
        if isinstance(record, EndedValue):
            raise PlayError(say.too_many_states(0))
        scored.setdefault(as_number(record[score]), []).append((record, ways))
    best = sorted(scored, reverse=lowest)
    levels = [sum([ways for _, ways in scored[one]]) for one in best]
    reached = list(map(pow, accumulate(levels), repeat(number)))
    shares = map(floordiv, map(sub, reached, (0, *reached)), levels)
    return [(record, ways * share) for one, share in zip(best, shares, strict=True) for record, ways in scored[one]]


def _pair(study: Lowering, action: ir.Pair, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    given = ("ours", "theirs")
    wanted: Need = frozenset(path for path in need if path != ("#",) and (not path or path[0] not in given))
    block = _record_block(study, action.each, wanted, trail, given, done="again")
    held, touches = study.looks([(action.ours.body, False), (action.theirs.body, False)])
    beside, more = study.looks([(f.body, False) for f in (action.missing, action.first) if f])
    touches |= more
    ours, theirs = study.closures.of(action.ours), study.closures.of(action.theirs)
    missing, first = study.of(action.missing), study.of(action.first)
    keeps_dice = tuple(name for name in given if () in need or any(path[0] == name for path in need if path))
    serial = study.serial()

    def pairs_of(at: Frame) -> list[tuple[Thrown, Thrown]]:
        prefers = (lambda die: bool(first({**at, ".die": die}))) if first else None
        return paired(ours(at), theirs(at), missing(at) if missing else None, prefers)

    def record_of(mine: Any, other: Any, record: Any) -> dict[str, Any]:
        dice = {"ours": mine, "theirs": other}
        return {**{name: dice[name] for name in keeps_dice}, **record}

    def start(at: Frame) -> Todo:
        return one_pair(at, (tuple(pairs_of(at)), ()))

    def one_pair(at: Frame, state: Any) -> Todo:
        left, done = state
        if not left:
            return Done(done)
        mine, other = left[0]
        return EnterBlock(block, {**at, "ours": mine, "theirs": other}, state, lambda s, record: settled(at, s, record))

    def settled(at: Frame, state: Any, record: Any) -> Todo:
        if isinstance(record, EndedValue):
            return Done(record)
        left, done = state
        mine, other = left[0]
        own = study.apart(record, (serial, len(done)), at)
        return one_pair(at, (left[1:], (*done, record_of(mine, other, own))))

    op = Op(step.name, None, None, None, start, (), (), frozenset())
    beside += tuple([use for use in block.outside if use.path[0] not in given])
    op.uses = _looked_into((*held, *beside))
    op.touches = touches | frozenset(p for p in block.touches if p[0] not in given)
    op.asks = block.asks
    rolls = (path_of(action.ours.body), path_of(action.theirs.body))
    if block.simple:
        op.start, op.throws = None, True
        op.uses = (*[replace(use, held=use.path in rolls and use.reading is None) for use in held], *beside)
        free = _depends_on(study, op.uses, op.touches, {path[0] for path in rolls if path and len(path) == 1})
        looks = [_looks_of(action.each, name) for name in given]

        def pairs_or_list(here: Frame) -> Any:
            at = dict(here)  # the pairs are looked at later, when the frame has gone on
            mine, other = ours(at), theirs(at)

            def record(one: Any, met: Any) -> dict[str, Any]:
                return record_of(one, met, run_plain(block, {**at, "ours": one, "theirs": met}))

            if isinstance(mine, LazyRoll) or isinstance(other, LazyRoll):
                bags = [one if isinstance(one, LazyRoll) else on_the_table(None, one) for one in (mine, other)]
                prefers = (lambda die: bool(first({**at, ".die": die}))) if first else None
                key = (serial, tuple([frozen(at.get(name)) for name in free]))
                return Paired(
                    bags[0], bags[1], missing(at) if missing else None, prefers, record, looks[0], looks[1], key
                )
            return tuple([record(one, met) for one, met in pairs_of(at)])

        op.plain = pairs_or_list
    return op


def _looks_of(steps: tuple[ir.Step, ...], name: str) -> Callable[[Thrown], Any]:
    """What steps look at of a die beside its worth."""
    seen: set[str] = set()

    def search(node: Any) -> bool:
        if isinstance(node, ir.Converted) and isinstance(node.of, ir.Local) and node.of.name == name:
            return node.to == "number"
        if isinstance(node, ir.Field) and isinstance(node.of, ir.Local) and node.of.name == name:
            seen.add(node.name)
            return True
        if isinstance(node, ir.Local) and node.name == name:
            return False
        return all(map(search, inner(node) if isinstance(node, NODES) else _within(node)))

    whole = not search(steps)
    fields = sorted(seen - {"value"})
    if whole:
        return lambda die: frozen(die._replace(key=0))
    return lambda die: tuple([frozen(field_of(die, one)) for one in fields])


def run_plain(block: Block, at: Frame) -> Any:
    """A block in which nothing is left to chance or choice."""
    spend(at, len(block.ops))
    for op in block.ops:
        if op.guard is not None and not op.guard(at):
            if not op.keeps or op.instead is not None:
                at[op.name] = op.instead(at) if op.instead is not None else None
            continue
        at[op.name] = op.plain(at)  # type: ignore[misc]
    return block.gives(at)


# Calls and choices -----------------------------------------------------------------------------------------------


def _call(study: Lowering, action: ir.Call, step: ir.Step, need: Need, trail: tuple[str, ...]) -> Op:
    callee = study.program.mechanics[action.mechanic]
    block = study.block(callee, need, trail)
    rows: Rows = [
        (f.body, path_of(f.body) is not None or isinstance(f.body, ir.RecordLiteral)) for _, f in action.given
    ]
    seen, touches = study.looks(rows)
    given_by = {name: study.closures.of(formula) for name, formula in action.given}
    inputs = [(one, given_by.get(one.name), study.of(one.default)) for one in callee.inputs]
    checks = [bounded(study.closures, one) for one in callee.inputs]
    requires = [(one, study.closures.of(one.condition)) for one in callee.requires]
    used = set(block.free)

    def start(at: Frame) -> Todo:
        inside = frame(at.get(".meter"))
        if STATE in at:
            inside[STATE] = at[STATE]
        for (one, passed, default), check in zip(inputs, checks, strict=True):
            value = passed(at) if passed else None
            if value is None and default is not None:
                value = default(inside)
            inside[one.name] = value
            if not isinstance(value, LazyRoll):
                check(value, inside)
        for wanted, holds in requires:
            if not holds(inside):
                raise PlayError(say.required(wanted.name, wanted.condition.span.text, wanted.span))
        if block.simple and not _bags(inside, used):
            return Done(run_plain(block, inside))
        return EnterBlock(block, inside)

    if study.program.lasts:  # its own bounds and requirements may look at it, too
        touches |= {(STATE,)}
    return Op(step.name, None, None, None, start, (), seen, touches, asks=block.asks)


def _bags(at: Frame, names: Iterable[str]) -> bool:
    return any(holds_bag(at.get(name)) for name in names)


def holds_bag(value: Any) -> bool:
    """Whether a roll that nobody has looked at yet is in a value."""
    if isinstance(value, (LazyRoll, Paired)):
        return True
    if type(value) is dict:
        return any(map(holds_bag, value.values()))
    return (
        type(value) is tuple
        and bool(value)
        and type(value[0]) in (dict, LazyRoll, Paired)
        and any(map(holds_bag, value))
    )


def _choose(study: Lowering, action: ir.Choose, step: ir.Step, trail: tuple[str, ...]) -> Op:
    policy = action.answers.get(study.policy) if study.policy else None
    formulas = (
        action.low, action.high, action.among, action.where, action.least, action.most, action.default, policy,
    )  # fmt: skip
    rows: Rows = [(f.body, False) for f in formulas if f]
    seen, touches = study.looks(rows)
    low, high, among, where, least, most, default, said = (study.of(f) for f in formulas)
    meanings = dict(action.meanings)
    path = ".".join(trail)
    kind = action.kind

    def start(at: Frame) -> Todo:
        options: Any = None
        if low is not None and high is not None and kind == "number":
            options = range(low(at), high(at) + 1)
        elif among is not None:
            options = tuple(among(at))
        if options is not None and where is not None:
            options = tuple([one for one in options if where({**at, ".it": one})])
        fewest = least(at) if least else 0
        many = min(most(at), len(options or ())) if most else len(options or ())
        if kind in ("number", "one"):
            if not options:
                raise PlayError(say.nothing_to_choose(path, step.span))
            if len(options) == 1:
                return Done(options[0])
        if kind == "some" and (not options or many <= 0):
            return Done(())
        answers = {study.policy: (lambda: said(at))} if said is not None and study.policy else {}
        choice = Choice(
            path, kind, action.by if isinstance(action.by, str) else None, action.ask, options,
            min(fewest, many), many,
            default(at) if default else None, default is not None, meanings, answers,
        )  # fmt: skip
        return DecisionNode(choice, at, None, lambda _, answer: Done(checked(choice, answer)))

    return Op(step.name, None, None, None, start, (), seen, touches, asks=True)

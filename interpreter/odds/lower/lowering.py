"""The context of lowering: the program under fixed options, with blocks and readings that are made once and kept."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple, get_args

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir.failures import may_fail
from interpreter.ir.lasting_dice import dice_last
from interpreter.ir.passes import written_name
from interpreter.ir.traversal import equal_apart_from_spans, outermost_nodes_in, step_bodies
from interpreter.odds.condition_numbers import name_numbers_in_conditions
from interpreter.odds.dice_columns import name_dice_columns
from interpreter.odds.inlining import all_steps, inline_functions, without_dead_steps, without_unread_arguments
from interpreter.odds.laid_out import BestDice
from interpreter.odds.lazy_roll import ThrowLaw
from interpreter.odds.liveness import Path, Reading, Use, add_reads
from interpreter.odds.loop_selections import name_selections_of_loops
from interpreter.odds.meter import Meter
from interpreter.odds.missing_inputs import Missing, without_inputs
from interpreter.odds.named_selections import read_named_selections
from interpreter.odds.operations import Block, EndedValue, Frame, Need, Op, Reads, Unread, use_from_outside
from interpreter.odds.pass_readings import read_within_passes
from interpreter.odds.renumber import DICE, DieKeys, rename_rolls
from interpreter.odds.state_keys import PLAIN
from interpreter.play.requests import Choice
from interpreter.play.steps import Walker
from interpreter.play.verbs import walker_of
from interpreter.runtime.evaluator import Closure, Closures, new_frame
from interpreter.runtime.roles import ROLES

ScoringLaw = Callable[..., ThrowLaw]
"""The law of one throw of a die: from a frame, the die, its part, the number of the throw and, perhaps, its faces."""

Verb = Callable[["Lowering", Any, ir.Step, Need, tuple[str, ...]], Op]
"""Lowers a step: from its action, the step, what is needed of its result, and the path of names that leads to it."""

EFFECTS = get_args(ir.Effect)


class VerbTable(NamedTuple):
    """What lowers steps: by the kind of step, and, as `play`, what lowers any of them as one that is played."""

    of: Mapping[type, Verb]
    play: Verb


@dataclass(frozen=True, slots=True)
class DrawFold:
    """What is read of drawn elements that fulfil conditions and equal items, worked out element by element.

    `kind` is `count`, `sum`, `highest` or `lowest`, of which `k` are read, `each` for all elements, or `kth`: then the
    highest elements come first.
    """

    kind: str
    conditions: tuple[ir.Expr, ...]
    k: int = 1
    items: tuple[ir.Expr, ...] = ()

    @property
    def begun(self) -> Any:
        """The value before the first element."""
        return 0 if self.kind in ("count", "sum") else (0, None) if self.kind == "kth" else ()

    def with_another(self, value: Any, new: Any) -> Any:
        """The value with one more element; None for one that does not count."""
        if new is None:
            return value
        if self.kind in ("count", "sum"):
            return value + new
        if self.kind == "each":
            return (*value, new)
        if self.kind == "kth":
            number, _ = value
            return value if number == self.k else (number + 1, new if number + 1 == self.k else None)
        return tuple(sorted((*value, new), reverse=self.kind == "highest")[: self.k])

    def is_settled(self, value: Any) -> bool:
        """Whether no further element, which is no higher than those before, changes the value."""
        return (self.kind == "kth" and value[0] == self.k) or (self.kind == "highest" and len(value) == self.k)


@dataclass(frozen=True, slots=True)
class DrawReadings:
    """What is read of the elements that a step draws, whose order is not: some `folds`, or all of each element.

    With `state`, the state is read later by more than the steps of its `row`: those that draw from the same pile after
    it. Without, it leaves the pile as it was, and says so in `left_pile` with its folds, to those of which it is one of
    the steps in `row_before`.
    """

    folds: tuple[DrawFold, ...] | None
    state: bool = True
    row: tuple[str, ...] = ()
    row_before: tuple[str, ...] = ()
    left_pile: dict[str, tuple[DrawFold, ...] | None] = field(default_factory=dict)


@dataclass
class Lowering:
    """A program under fixed options, prepared for questions about odds.

    `policy` names the policy whose formulas answer choices. `asking` says that choices are open: then a block that
    contains one is followed step by step. With `stepwise`, every block is followed step by step.
    """

    closures: Closures
    verbs: VerbTable
    policy: str | None = None
    asking: bool = False
    stepwise: bool = False
    exact: bool = False
    """Whether laws are asked for, and not runs or decisions: then more kinds of rolls and readings stay open."""
    brief: bool = False
    """Whether only what is read later is kept, and not what else advice could name."""
    depth: int = 8
    observed: ir.DieIdentity | None = None
    """What the rules of the question may observe of dice; None stands for what those of the ruleset may."""
    dice_in_order: bool = False
    """Whether the question begins with dice on the table, whose order matters to its rules."""
    missing: Missing = field(default_factory=dict)
    """The inputs of each mechanic that are missing wherever it is called."""
    unread_attributes: frozenset[tuple[str, str]] = frozenset()
    """The attributes, each with its kind, whose changes matter to nothing that is asked, and are left out."""
    meter: Meter = field(default_factory=Meter)
    law: Callable[[Block, Frame], tuple[list[tuple[Any, int]], int]] = field(default=lambda block, frame: ([], 1))
    """The law of a block. The engine sets it; rolls whose throws have steps of their own call it."""
    decide: Callable[[Choice], list[tuple[Any, int]]] | None = None
    """The answers to every choice, where nobody is asked. The engine sets it; what is played goes on with an answer
    that is certain."""
    blocks: dict[tuple[str, Need, str, tuple[str, ...]], Block] = field(default_factory=dict)
    """The blocks of mechanics: by path, need, prefix of the names of choices, and the calls that lead there."""
    draws: dict[str, DrawReadings | None] = field(default_factory=dict)
    """By the path of a `draw`, what is read of its elements in the block being made; None where their order is read."""
    cut: bool = False
    """Whether a roll that is followed throw by throw went on for longer than the depth."""
    set_apart: dict[str, BestDice] = field(default_factory=dict)
    """By the path of a roll, its best dice, if in the block being made nothing reads what the others show."""
    best_dice: dict[Any, BestDice] = field(default_factory=dict)
    """The same by the name of a lazy roll."""
    unread: dict[str, Unread] = field(default_factory=dict)
    """By the path of a choice among dice, of which of them later steps do not read the faces."""
    needs_of_followed: dict[tuple[str, Need, bool], Need | None] = field(default_factory=dict)
    """By the path of a rule, what a step reads of it, and whether that is its result, what is needed of its record;
    None where it is played."""
    hidden_readings: dict[str, dict[str, ir.Step]] = field(default_factory=dict)
    """By the path of a rule, the hidden steps that read rolls in its record for rules that lead to it, by name."""
    throw_laws: dict[str, ScoringLaw] = field(default_factory=dict)
    """By the path of a roll, the law that scores its dice when they are rerolled."""
    _rules: dict[str, ir.Mechanic] = field(default_factory=dict)
    _changing: dict[str, bool] = field(default_factory=dict)
    _asking: dict[str, bool] = field(default_factory=dict)
    _readings: dict[tuple[Path, str], list[tuple[str, ir.Expr]]] = field(default_factory=dict)
    _serial: int = 0
    _first_keys: dict[Any, int] = field(default_factory=dict)
    _keys: DieKeys = field(init=False)

    def __post_init__(self) -> None:
        self.closures = Closures(self.closures.program, self.closures.options)
        self._keys = DieKeys(self.next_serial, self.state_may_hold_dice)

    @cached_property
    def walker(self) -> Walker:
        """Plays steps one by one."""
        return walker_of(self.closures)

    @property
    def program(self) -> ir.Program:
        return self.closures.program

    @property
    def state_may_hold_dice(self) -> bool:
        """Whether the state may hold thrown dice."""
        return dice_last(self.program)

    @cached_property
    def die_identity(self) -> ir.DieIdentity:
        """What rules can find out about the identity of dice: the rest need not be kept."""
        known = self.observed or self.program.die_identity
        return replace(known, order="all") if self.dice_in_order and known.limited else known

    @cached_property
    def roles(self) -> frozenset[Path]:
        """The path under which a frame holds who has which role; empty if no call gives anybody a role."""
        bound = any(call.roles for call in outermost_nodes_in(self.program, ir.Call))
        return frozenset({(ROLES,)}) if bound else frozenset()

    def closure_of(self, formula: ir.Formula | None) -> Closure | None:
        """The closure of a formula, if there is one."""
        return None if formula is None else self.closures.of(formula)

    def next_serial(self) -> int:
        """The next number for a step or a roll."""
        self._serial += 1
        return self._serial

    # What formulas read

    def reads(self, formulas: Iterable[ir.Formula | None], inside: Container[str] = ()) -> Reads:
        """What formulas read, and the paths that they touch. Names that are bound `inside` a step are left out."""
        return self.reads_of([(one.body, False) for one in formulas if one is not None], inside)

    def reads_of(self, exprs: Iterable[tuple[ir.Expr, bool]], inside: Container[str] = ()) -> Reads:
        """The same for expressions; a `True` beside one says that a bare path in it is passed on unread."""
        uses: list[Use] = []
        paths: list[Path] = []
        for one, passed in exprs:
            add_reads(one, passed, (), uses, paths)
        if inside:
            uses = [use_from_outside(use, inside) for use in uses if use.path[0] not in inside]
        for use in uses:
            if use.reading is not None:
                use.name = self.name_of_reading(use.reading)
        return tuple(uses), frozenset(paths)

    def name_of_reading(self, reading: Reading) -> str:
        """The name under which a frame holds the result of a reading; equal readings share it."""
        expr = reading.expr
        drawn = self.closures.drawn
        if id(expr) not in drawn:
            readings = self._readings.setdefault((reading.path, reading.kind), [])
            name = next((name for name, one in readings if equal_apart_from_spans(one, expr)), None)
            if name is None:
                name = f"{'.'.join(reading.path)}#{len(drawn)}"
                readings.append((name, expr))
            drawn[id(expr)] = name
        return drawn[id(expr)]

    def as_written(self, name: str) -> str:
        """A name of a frame as the author wrote it, or the formula of a reading."""
        for readings in self._readings.values():
            for one, expr in readings:
                if one == name:
                    return " ".join(expr.span.text.split())
        return written_name(name)

    # Identity of rolls and dice

    def renumber(self, value: Any, label: Any, at: Frame) -> Any:
        """The result of inner steps that began in the frame `at`, with fresh names of rolls and keys of dice."""
        if type(value) is dict and PLAIN.issuperset(map(type, value.values())):
            return value
        named = rename_rolls(value, label)
        return self._keys.renumber(named, label, at) if self.die_identity.handled else named

    def bind_result(self, op: Op, frame: Frame, value: Any) -> Frame:
        """The frame after a step with a value that came from chance, a choice or inner steps."""
        if op.binds_fields and not isinstance(value, EndedValue):
            return {**frame, **value}
        return {**frame, op.name: value if type(value) in PLAIN else self.renumber(value, op.serial, frame)}

    def first_key(self, name: Any) -> int:
        """The key of the first die of the roll of that name."""
        if name not in self._first_keys:
            self._first_keys[name] = self.next_serial()
        return self._first_keys[name] * DICE

    # Rules

    def inline_rule(self, rule: ir.Mechanic) -> ir.Mechanic:
        """A rule with those functions inlined that take rolls or read the state."""
        name = rule.path
        if name not in self._rules:
            known = self.closures

            def constant(expr: ir.Expr) -> Any:
                return known.of(ir.Formula(expr, expr.type, expr.span))(new_frame())

            made = without_inputs(without_unread_arguments(rule, self.program), self.missing.get(name, frozenset()))
            inside = (made.steps, made.outcomes) if self.program.has_state else ()
            stateful = has_action(inside, self._action_may_change_state)
            changes = self.may_change_state if stateful else _never_changes
            made = without_dead_steps(inline_functions(made, self.program, constant, changes))
            if self.exact:
                fails = partial(may_fail, self.program)
                made = read_named_selections(made, changes, fails)
                made = name_numbers_in_conditions(made, changes, fails)
                made = name_dice_columns(made, changes)
                made = read_within_passes(made, changes, fails)
                made = name_selections_of_loops(made, changes, fails)
            self._rules[name] = made
        return self._rules[name]

    def may_end(self, step: ir.Step) -> bool:
        """Whether a step, or one inside it, may end its mechanic, as what happens at a bound of points may, too."""
        if type(step.action) is ir.Let:
            return False
        ends = any(True for _ in outermost_nodes_in(step, ir.End))
        return ends or (self._hooks_may_end and self.may_change_state(step))

    @cached_property
    def _hooks_may_end(self) -> bool:
        return any(True for _ in outermost_nodes_in(self.program.kinds, ir.End))

    def may_change_state(self, step: ir.Step) -> bool:
        """Whether a step, or a rule that it calls, may change the state."""
        if not self.program.has_state or type(step.action) is ir.Let:
            return False
        return has_action(step, self._action_may_change_state)

    def _action_may_change_state(self, action: ir.StepBody) -> bool:
        if not isinstance(action, ir.Call):
            return isinstance(action, EFFECTS) and not self.is_left_out(action)
        rule = self.program.mechanics[action.mechanic]
        if rule.path not in self._changing:
            self._changing[rule.path] = any(map(self.may_change_state, all_steps(self.inline_rule(rule))))
        return self._changing[rule.path]

    def is_left_out(self, action: ir.StepBody) -> bool:
        """Whether an action only changes an attribute that nothing in the question depends on."""
        changed = action.target if isinstance(action, (ir.Shift, ir.Assign)) else None
        return changed is not None and (changed.kind, changed.name) in self.unread_attributes

    def may_ask(self, rule: ir.Mechanic) -> bool:
        """Whether a rule, or one that it calls, has a choice in it. Reactions to an event may have one."""

        def action_may_ask(action: ir.StepBody) -> bool:
            if isinstance(action, ir.Call):
                return self.may_ask(self.program.mechanics[action.mechanic])
            return isinstance(action, (ir.Choose, *EFFECTS))

        if rule.path not in self._asking:
            self._asking[rule.path] = any(
                has_action(step, action_may_ask) for step in all_steps(self.inline_rule(rule))
            )
        return self._asking[rule.path]


def _never_changes(step: ir.Step) -> bool:
    """What the steps of a rule that changes no state say of whether they may."""
    return False


def has_action(steps: Any, wanted: Callable[[ir.StepBody], bool]) -> bool:
    """Whether the action of a step, or of one inside it, is wanted; calls are not followed."""
    return any(map(wanted, step_bodies(steps)))


def names_depended_on(reads: Reads, given: Iterable[str] = ()) -> tuple[str, ...]:
    """The names of a frame on which a result depends: those it touches, `given` ones aside, and those drawn for it."""
    uses, touches = reads
    drawn = {use.name for use in uses if use.name}
    return tuple(sorted({path[0] for path in touches} - set(given) | drawn))

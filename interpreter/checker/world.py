"""The declarations of a ruleset, each checked when it is first used.

So the order of a file does not matter, and a cyclic declaration is found where the cycle closes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from functools import cached_property
from typing import Any, TypeVar

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.effort import CheckingEffort
from interpreter.checker.scope import Scope
from interpreter.diagnostics import Problems
from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.die_identity import DieUses
from interpreter.syntax.document import Broken, Entry, Mapping, Node, Scalar, text_of, value_at
from interpreter.syntax.fixed_words import ROUNDINGS
from interpreter.values import Die

Made = TypeVar("Made")


MOST_SILENT_STEPS = 7_500
"""The most steps that are checked in silent passes. Repeated steps need several passes, and repeated steps inside them
several passes in each of these."""


@dataclass(slots=True)
class PolicyQuestion:
    """A question that policies may answer: what checks an answer, and the answers so far, the most specific first.

    An answer through more calls is more specific, and of those through equally many, the one with the longer key.
    """

    read: Callable[[Node], ir.Formula]
    answers: dict[str, tuple[ir.PolicyAnswer, ...]] = field(default_factory=dict)
    _ranks: dict[ir.PolicyAnswer, tuple[int, int]] = field(default_factory=dict)

    def add(self, policy: str, key: str, answer: ir.PolicyAnswer) -> None:
        """Add an answer of a policy under its key."""
        self._ranks[answer] = len(answer.calls), key.count(".")
        ranked = sorted((*self.answers.get(policy, ()), answer), key=self._ranks.__getitem__, reverse=True)
        always = next((place for place, one in enumerate(ranked) if not one.calls), len(ranked))
        self.answers[policy] = tuple(ranked[: always + 1])


@dataclass(frozen=True, slots=True)
class Checks:
    """How each kind of declaration is checked, from its entry to its node.

    These functions use the world, so it receives them as values and does not import them.
    """

    die: Callable[[World, Entry], Die | None]
    option: Callable[[World, Entry], ir.Declaration | None]
    record: Callable[[World, Entry], ir.RecordType | None]
    function: Callable[[World, Entry], ir.Function | None]
    table: Callable[[World, Entry], ir.Table | None]
    words_of_table: Callable[[Entry], t.Word | None]
    kind: Callable[[World, Entry], ir.Kind | None]
    attribute: Callable[[World, str, Entry], ir.HeldAttribute | None]
    mechanic: Callable[[World, Entry], ir.Mechanic | None]
    event: Callable[[World, Entry], ir.Mechanic | None]
    action: Callable[[World, Entry], ir.Action | None]
    scene: Callable[[World, Entry], ir.Scene | None]
    cancels: Callable[[Entry, str], bool]
    """Whether a reaction may cancel an event."""


@dataclass(eq=False)
class World:
    """The sections of a ruleset and its parts, and the declarations made of them so far."""

    sections: dict[str, dict[str, Entry]]
    cases: list[Node]
    problems: Problems
    root: Mapping
    checks: Checks
    sources: tuple[Source, ...] = ()
    lower: frozenset[str] = frozenset()
    _made: dict[tuple[str, str], Any] = field(default_factory=dict)
    under_way: list[tuple[str, str]] = field(default_factory=list)
    """The declarations that are being made, by section and name."""
    used_answers: set[tuple[str, str]] = field(default_factory=set)
    """The answers of policies that some choice has, by policy and key."""
    policy_questions: dict[str, list[PolicyQuestion]] = field(default_factory=dict)
    """By its path, each question as it was checked: several times where silent passes came before."""
    references: dict[Span, Span] = field(default_factory=dict)
    """The place of each use of a name, with the place of its declaration; `rename` reads it."""
    reach: dict[Span, tuple[Scope, t.Type | None]] = field(default_factory=dict)
    """What may be read, and the type that is expected, by place: of an expression; of a mapping of steps, at its
    beginning; and of the name of a step, after it. An editor offers names from it."""
    base_places: set[Span] = field(default_factory=set)
    """The places of `base`, which stands for the expression that a house rule replaces."""
    inlinable: int = 0
    """The number of expressions found so far that exact odds inline: see `ir.Mechanic`."""
    die_uses: DieUses = field(default_factory=DieUses)
    on_table: dict[Span, tuple[Die | None, ...]] = field(default_factory=dict)
    """The dice of the roll of a step, by the place of its name; None for an unknown die."""
    pools: dict[Span, ir.StepBody] = field(default_factory=dict)
    """The steps whose values are dice that are not thrown, by the place of the name."""
    whole_rolls: dict[Span, ir.Expr | say.NoRoll] = field(default_factory=dict)
    """By the place of the name of a step that is some dice of a roll: the whole roll, or why there is not one."""
    rows_of_dice: set[Span] = field(default_factory=set)
    """The places of the names of steps that throw dice and are a row of a table."""
    throws: dict[Span, str] = field(default_factory=dict)
    """The step that throws a pool, by the place of the name of the pool; of a part, `rolled.fear`."""
    skipped_rerolls: set[Span] = field(default_factory=set)
    """The places of the names of rerolls that an `if` without `else` may skip."""
    passes: dict[int, list[tuple[Scope, tuple[tuple[ir.Step, ...], Scope]]]] = field(default_factory=dict)
    """By the `id` of a node with repeated steps: the scopes of its silent passes, each with the result."""
    _silent_steps: int = 0
    effort: CheckingEffort = field(default_factory=CheckingEffort)
    asked: dict[str, dict[str, list[tuple[Any, t.Type]]]] = field(default_factory=dict)
    """By the path of a rule of the finished program: the questions that it may ask, by the last name of their keys."""
    named_kinds: set[str] = field(default_factory=set)
    """The kinds of which a rule makes things under names of their own."""
    may_change: dict[str, bool] = field(default_factory=dict)
    """Whether a mechanic may change the state, by its name, as far as it is computed."""
    choices: set[str] = field(default_factory=set)
    """The names of the choices checked so far."""
    _reported: tuple[Problems, set[tuple[str, str]]] | None = None
    """During a silent pass: the problems and used answers of the check outside it."""

    # Making declarations

    @property
    def strays(self) -> set[str]:
        """Names under unknown keys: the key is reported, so a use of such a name is not."""
        return self.problems.strays

    def section(self, name: str) -> dict[str, Entry]:
        return self.sections.get(name, {})

    def make(self, section: str, name: str, how: Callable[[Entry], Made | None]) -> Made | None:
        """The declaration with a name, made once; None if there is none or it has an error."""
        entry = self.section(section).get(name)
        return None if entry is None else self.make_once((section, name), entry, how)

    def make_once(self, key: tuple[str, str], entry: Entry, how: Callable[[Entry], Made | None]) -> Made | None:
        """The declaration of an entry, made once; a cyclic one is reported where the cycle closes."""
        name = key[1]
        if key in self._made:
            made: Made | None = self._made[key]
            return made
        if key in self.under_way:
            circle = [of for _, of in self.under_way[self.under_way.index(key) :]]
            formula = value_at(entry.value, "is")
            text = text_of(formula)
            self.problems.add(say.cyclic_declarations(entry.key.span, [*circle, name], key[0].partition(".")[0], text))
            return None
        self.under_way.append(key)
        try:
            with self._report_inside_silent_pass():
                self._made[key] = None if isinstance(entry.value, Broken) else how(entry)
        finally:
            self.under_way.pop()
        made = self._made[key]
        return made

    def refer(self, used: Span, section: str, name: str) -> None:
        """Record the use of a name of a section."""
        entry = self.section(section).get(name)
        if entry is not None:
            self.references[used] = entry.key.span

    def refer_to_word(self, used: Span, of: t.Word, word: str) -> None:
        """Record the use of a word of a list."""
        named = of.named_at(word)
        if named is not None and named != used:
            self.references[used] = named

    @property
    def is_quiet(self) -> bool:
        """Whether this is a silent pass."""
        return self._reported is not None

    @property
    def passes_exhausted(self) -> bool:
        """Whether no further silent pass may begin."""
        return self._silent_steps > MOST_SILENT_STEPS

    def count_silent_steps(self, steps: int, span: Span | None) -> None:
        """Count the steps that a silent pass has checked; too many are reported after all."""
        if self._reported is None or self.passes_exhausted:
            return
        self._silent_steps += steps
        if self.passes_exhausted and span is not None:
            self._reported[0].add(say.too_much_inside(span))

    @contextmanager
    def silent_pass(self) -> Iterator[None]:
        """Check without reporting: a silent pass, which finds the types of names that depend on each other."""
        outer, loud = self._reported, (self.problems, self.used_answers)
        self._reported = outer or loud
        self.problems, self.used_answers = Problems(self.problems.strays, most=None), set(self.used_answers)
        try:
            yield
        finally:
            self._reported, (self.problems, self.used_answers) = outer, loud

    @contextmanager
    def _report_inside_silent_pass(self) -> Iterator[None]:
        """Check with reports inside a silent pass, for a declaration, which is made only once."""
        quiet, silent = self._reported, (self.problems, self.used_answers)
        if quiet is not None:
            self._reported, (self.problems, self.used_answers) = None, quiet
        try:
            yield
        finally:
            self._reported, (self.problems, self.used_answers) = quiet, silent

    # Plain settings

    @cached_property
    def rounding(self) -> str:
        node = plain_form(self.root.get("rounding"))
        return node.text if isinstance(node, Scalar) and node.text in ROUNDINGS else "down"

    @cached_property
    def roles(self) -> dict[str, str]:
        return {
            name: prose(plain_form(entry.value)) or text_at(entry.value, "about")
            for name, entry in self.section("roles").items()
        }

    # Declarations by their checks

    def record(self, name: str) -> ir.RecordType | None:
        return self.make("types", name, lambda entry: self.checks.record(self, entry))

    def kind(self, name: str) -> ir.Kind | None:
        return self.make("kinds", name, lambda entry: self.checks.kind(self, entry))

    def option(self, name: str) -> ir.Declaration | None:
        return self.make("options", name, lambda entry: self.checks.option(self, entry))

    @property
    def option_names(self) -> list[str]:
        return list(self.section("options"))

    def function(self, name: str) -> ir.Function | None:
        return self.make("functions", name, lambda entry: self.checks.function(self, entry))

    @property
    def function_names(self) -> list[str]:
        return list(self.section("functions"))

    def table(self, name: str) -> ir.Table | None:
        return self.make("tables", name, lambda entry: self.checks.table(self, entry))

    def table_words(self, name: str) -> t.Word | None:
        return self.checks.words_of_table(self.section("tables")[name])

    @property
    def table_names(self) -> list[str]:
        return list(self.section("tables"))

    def mechanic(self, name: str) -> ir.Mechanic | None:
        return self.make("mechanics", name, lambda entry: self.checks.mechanic(self, entry))

    def scene(self, name: str) -> ir.Scene | None:
        return self.make("scenes", name, lambda entry: self.checks.scene(self, entry))

    def event(self, name: str) -> ir.Mechanic | None:
        return self.make("events", name, lambda entry: self.checks.event(self, entry))

    def action(self, name: str) -> ir.Action | None:
        return self.make("actions", name, lambda entry: self.checks.action(self, entry))

    def may_be_cancelled(self, event: str) -> bool:
        """Whether a reaction may cancel an event, so that its result may be missing."""
        return any(self.checks.cancels(entry, event) for entry in self.section("reactions").values())


def plain_form(node: Node | None) -> Node | None:
    """A value without its long form `{is: …}`."""
    return node.get("is") if isinstance(node, Mapping) and "is" in node else node


def prose(node: Node | None) -> str:
    """A text on one line; empty where there is none."""
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""


def text_at(node: Node, key: str) -> str:
    """The prose under a key, on one line; empty where there is none."""
    return prose(node.get(key)) if isinstance(node, Mapping) else ""

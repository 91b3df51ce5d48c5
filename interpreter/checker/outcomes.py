"""Check outcomes and further readings: conditions in order, proved complete, and each of them reachable.

Completeness is decided by trying every combination of what the conditions ask: a number is tried at and beside each
value that it is compared with, a word at each word of its list, two values in each order, and anything else as a
plain yes or no. What this calls unreachable is so for every play; where it cannot see that a list is complete,
it asks for `otherwise`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker import bounds
from interpreter.checker.call_arguments import EnclosingRule
from interpreter.checker.declared_names import check_name
from interpreter.checker.expressions import condition, formula
from interpreter.checker.expressions.texts import question
from interpreter.checker.scope import Scope
from interpreter.checker.steps import check_steps
from interpreter.checker.tables import Range, check_ranges, range_of
from interpreter.checker.world import World, text_at
from interpreter.diagnostics.source import NOWHERE, Span
from interpreter.ir import types as t
from interpreter.ir.printer import expression
from interpreter.ir.traversal import is_bare_quotient
from interpreter.syntax.document import Broken, Entry, Mapping, Node, Scalar, value_at
from interpreter.work_count import spend

OF_A_CONDITION = 10
"""The units of work in which it is decided whether a condition holds in a case."""
MOST_COMBINATIONS = 20_000
"""The most combinations that are tried; beyond them, the list must end in `otherwise`."""


def check_outcomes(
    world: World, node: Mapping, scope: Scope, path: str, rule: EnclosingRule, ends: tuple[str, ...]
) -> ir.Outcomes:
    """A list of outcomes: `as`, `read`, or conditions in order. `ends` are added by steps that end the rule."""
    if "as" in node:
        return _outcomes_as_word(world, node, scope)
    entries = [_with_name_first(world, entry) for entry in node.entries if entry.key.text != "read"]
    for entry in entries:
        check_name(world, entry.key)
    kind = _word_read(world, node, scope)
    if kind is not None:
        return _outcomes_of_word(world, node, kind, entries, scope, path, rule, ends)
    _check_counts_as(world, entries, {entry.key.text: entry.key.span for entry in entries}, ends)
    _report_missing_conditions(world, entries)
    if "read" in node:
        return _outcomes_with_read(world, node, entries, scope, path, rule)
    checked: list[ir.Outcome] = []
    inside = scope
    for number, entry in enumerate(_outcomes_without_read(world, entries, scope)):
        one = _outcome(world, entry, inside, f"{path}.{entry.key.text}", rule)
        checked.append(one)
        if one.condition is None and number < len(entries) - 1:
            world.problems.add(say.otherwise_not_last(entry.key.span, entry.key.text))
            return ir.Outcomes(tuple(checked))
        if one.condition is not None:
            inside = inside.narrow(bounds.facts_of(one.condition.body, False))
    _prove_complete(world, checked, entries)
    return ir.Outcomes(tuple(checked))


def _with_name_first(world: World, entry: Entry) -> Entry:
    """The entry, or, of `otherwise: failure`, the one that is meant."""
    key, value = entry.key, entry.value
    likely_range = range_of(key) or say.range_meant(key.text)
    if likely_range is not None and isinstance(value, Scalar) and value.text.isidentifier():
        world.problems.add(say.outcome_behind(key.span, key.text, value.text, likely_range.text))
        return Entry(value, Broken(key.span))
    if (
        key.text not in ("otherwise", "else", "default")
        or not isinstance(value, Scalar)
        or not value.text.isidentifier()
    ):
        return entry
    world.problems.add(say.outcome_behind(key.span, key.text, value.text))
    return Entry(value, Scalar("otherwise", key.span))


def words_of(outcomes_checked: ir.Outcomes, name: str, ends: tuple[str, ...]) -> t.Word:
    """The outcomes as a list of words."""
    if outcomes_checked.as_of is not None:
        kind = outcomes_checked.as_of.type
        assert isinstance(kind, t.Word)
        return t.Word(name, tuple(dict.fromkeys((*kind.words, *ends))), False, kind.counts_as, kind.where)
    counts = tuple((one.name, one.counts_as) for one in outcomes_checked.cases if one.counts_as)
    where = tuple((one.name, one.span) for one in outcomes_checked.cases)
    return t.Word(name, tuple(dict.fromkeys((*(word for word, _ in where), *ends))), False, counts, where)


def _outcomes_as_word(world: World, node: Mapping, scope: Scope) -> ir.Outcomes:
    for entry in node.entries:
        if entry.key.text != "as":
            world.problems.add(say.unknown_key(entry.key.span, entry.key.text, ["as"], "outcomes with `as`"))
    name = node.get("as")
    nothing = ir.Formula(ir.Constant(None, t.ANYTHING, node.span), t.Word("outcome", ()), node.span)
    if not isinstance(name, Scalar):
        return ir.Outcomes((), nothing)
    of = formula(world, name, scope)
    kind = t.without_maybe(of.type)
    outcome_type = kind.field("outcome") if isinstance(kind, t.Record) else None
    if not isinstance(outcome_type, t.Word) or isinstance(of.type, t.Maybe):
        if not isinstance(kind, t.Anything):
            skipped = isinstance(outcome_type, t.Word)
            wanted = "a step that calls a mechanic with outcomes"
            world.problems.add(
                say.skipped_call(name.span, t.in_words(of.type))
                if skipped
                else say.wrong_type(name.span, wanted, t.in_words(of.type))
            )
        return ir.Outcomes((), nothing)
    body = ir.Field(of.body, "outcome", outcome_type, name.span)
    return ir.Outcomes((), ir.Formula(body, outcome_type, name.span, of.refs, of.tree, of.resolved))


def _outcomes_without_read(world: World, entries: list[Entry], scope: Scope) -> list[Entry]:
    """The outcomes of a list without `read`; of those that are ranges, in whatever notation, one report is made.

    A number alone is a range only beside others: by itself it is told to be no condition.
    """
    tests = [one.value.get("if") if isinstance(one.value, Mapping) else one.value for one in entries]
    written = [_range_in_words(test) for test in tests]
    first = next((test for test, text in zip(tests, written, strict=True) if text and not text.isdecimal()), None)
    if not isinstance(first, Scalar):
        return entries
    read = _number_read(scope, " ".join(test.text for test in tests if isinstance(test, Scalar)))
    rest = [isinstance(test, Scalar) and test.text == "otherwise" for test in tests]
    if all(text or last for text, last in zip(written, rest, strict=True)):
        proposed = written if any(rest) else _with_open_ends(written)
        ranges = [(one.key.text, text or "otherwise") for one, text in zip(entries, proposed, strict=True)]
        plain = all(isinstance(one.value, Scalar) for one in entries)
        world.problems.add(say.range_without_read(first.span, read, ranges if plain else ()))
    else:
        likely_range = range_of(Scalar(_range_in_words(first), first.span))
        assert likely_range is not None
        world.problems.add(say.range_beside_conditions(first.span, read, _comparison_text(read, likely_range)))
    return [
        replace(one, value=Broken(one.value.span)) if text else one for one, text in zip(entries, written, strict=True)
    ]


def _with_open_ends(written: list[str]) -> list[str]:
    """Ranges of which the lowest and the highest have no end, so that together they cover every number."""
    ranges = [range_of(Scalar(text, NOWHERE)) for text in written]
    low = min((one.low for one in ranges if one is not None and one.low is not None), default=None)
    high = max((one.high for one in ranges if one is not None and one.high is not None), default=None)
    if len(ranges) < 2 or any(one is None or one.low is None or one.high is None for one in ranges):
        return written
    return [
        f"{one.high} or less" if one.low == low else f"{one.low} or more" if one.high == high else text
        for one, text in zip(ranges, written, strict=True)
        if one is not None
    ]


def _range_in_words(test: Node | None) -> str:
    """The range that stands where a condition should, as the language writes it; nothing where there is none."""
    if not isinstance(test, Scalar):
        return ""
    if range_of(test) is not None:
        return " ".join(test.text.split())
    likely_range = say.range_meant(test.text)
    return likely_range.text if likely_range is not None else ""


def _comparison_text(read: str, one: Range) -> str:
    """A range as a comparison."""
    if one.low is not None and one.high is not None:
        return f"{one.low} <= {read} <= {one.high}"
    return f"{read} >= {one.low}" if one.low is not None else f"{read} <= {one.high}"


def _number_read(scope: Scope, others: str) -> str:
    """The number that outcomes are most likely about: one that the `others` read, or the last that is above them."""
    said = set(re.findall(r"\w+", others))
    names = reversed(list(scope.names.items()))
    for name, bound in sorted(names, key=lambda one: one[0] not in said):
        kind = bound.type
        if isinstance(kind, t.Number) or (isinstance(kind, t.Roll) and kind.single):
            return str(name)
        if isinstance(kind, t.Roll):
            return f"sum({name})"
    return "total"


def _outcome(world: World, entry: Entry, scope: Scope, path: str, rule: EnclosingRule) -> ir.Outcome:
    node, name, span = entry.value, entry.key.text, entry.key.span
    test = node.get("if") if isinstance(node, Mapping) else node
    when = None
    if isinstance(test, Broken) or test is None:
        broken = ir.Constant(None, t.ANYTHING, node.span)
        when = ir.Formula(broken, t.ANYTHING, node.span)
    elif isinstance(test, Scalar) and test.text.lower() in ("always", "true"):
        world.problems.add(say.condition_of_the_last(test.span, test.text))
    elif not (isinstance(test, Scalar) and test.text.strip() == "otherwise"):
        when = condition(world, test, scope)
    counts = value_at(node, "counts_as")
    done: tuple[ir.Step, ...] = ()
    inside = scope.narrow(bounds.facts_of(when.body, True)) if when else scope
    if isinstance(node, Mapping) and "steps" in node:
        done, _ = check_steps(world, node.get("steps"), inside, f"{path}.steps", rule)
    sentence = _outcome_text(world, node, inside)
    named = counts.text if isinstance(counts, Scalar) else None
    return ir.Outcome(name, when, path, span, named, done, sentence, about=text_at(node, "about"))


def _outcome_text(world: World, node: Node, scope: Scope) -> ir.Question:
    return question(world, node, scope, "tells") if isinstance(node, Mapping) else ir.NO_QUESTION


def _report_missing_conditions(world: World, entries: list[Entry]) -> None:
    for entry in entries:
        if isinstance(entry.value, Mapping) and "if" not in entry.value:
            world.problems.add(say.missing_key(entry.key.span, "if", "an outcome"))


def _word_read(world: World, node: Mapping, scope: Scope) -> t.Word | None:
    """The list of the word that outcomes `read`; None where they read a number, or nothing."""
    what = node.get("read")
    if not isinstance(what, Scalar):
        return None
    with world.silent_pass():
        kind = t.without_maybe(formula(world, what, scope).type)
    return kind if isinstance(kind, t.Word) else None


def _outcomes_of_word(
    world: World,
    node: Mapping,
    kind: t.Word,
    entries: list[Entry],
    scope: Scope,
    path: str,
    rule: EnclosingRule,
    ends: tuple[str, ...],
) -> ir.Outcomes:
    """Each word of a list as an outcome, the highest of a ranked list first; `entries` are what is added to some."""
    what = node.get("read")
    assert isinstance(what, Scalar)
    value = formula(world, what, scope, kind)
    words = tuple(reversed(kind.words)) if kind.ranked else kind.words
    added = {}
    for entry in entries:
        if entry.key.text not in words:
            world.problems.add(say.no_word_read(entry.key.span, entry.key.text, what.text, words))
        elif not isinstance(entry.value, Mapping) or "if" in entry.value:
            world.problems.add(say.condition_beside_word(entry.value.span, entry.key.text, what.text))
        else:
            added[entry.key.text] = entry
            world.refer_to_word(entry.key.span, kind, entry.key.text)
    _check_counts_as(world, entries, {word: kind.named_at(word) or what.span for word in words}, ends)
    return ir.Outcomes(tuple([_outcome_of_word(world, value, kind, word, added, scope, path, rule) for word in words]))


def _outcome_of_word(
    world: World,
    value: ir.Formula,
    kind: t.Word,
    word: str,
    added: dict[str, Entry],
    scope: Scope,
    path: str,
    rule: EnclosingRule,
) -> ir.Outcome:
    body = ir.Relation("==", value.body, ir.Constant(word, kind, value.span), None, t.YES_NO, value.span)
    when, place = ir.Formula(body, t.YES_NO, value.span, value.refs), f"{path}.{word}"
    if word not in added:
        return ir.Outcome(word, when, place, value.span)
    inside = scope.narrow(bounds.facts_of(body, True))
    return replace(_outcome_without_condition(world, added[word], inside, place, rule), condition=when)


def _outcomes_with_read(
    world: World, node: Mapping, entries: list[Entry], scope: Scope, path: str, rule: EnclosingRule
) -> ir.Outcomes:
    what = node.get("read")
    assert what is not None
    value = formula(world, what, scope, t.NUMBER)
    ranges: list[Range] = []
    checked: list[ir.Outcome] = []
    for number, entry in enumerate(entries):
        test = entry.value.get("if") if isinstance(entry.value, Mapping) else entry.value
        one = range_of(test) if isinstance(test, Scalar) else None
        if (
            one is None
            and isinstance(test, Scalar)
            and (likely_range := say.range_meant(test.text, named=True)) is not None
        ):
            world.problems.add(say.read_in_outcomes(test.span, likely_range))
            one = range_of(Scalar(likely_range.text, test.span))
        place = f"{path}.{entry.key.text}"
        if isinstance(test, Scalar) and test.text == "otherwise" and number == len(entries) - 1:
            checked.append(ir.Outcome(entry.key.text, None, place, entry.key.span))
            return ir.Outcomes(tuple(checked))
        if one is None:
            if isinstance(test, Scalar):
                world.problems.add(say.read_in_outcomes(test.span, None))
            continue
        ranges.append(one)
        base = _outcome_without_condition(world, entry, scope, place, rule)
        when = _test_of_range(value, one)
        checked.append(replace(base, condition=when))
    if len(ranges) == len(entries) and not isinstance(value.type, t.Anything):
        kind = t.as_number(value.type)
        reachable = [one for one in ranges if _range_overlaps(one, kind)]
        for one in ranges:
            if one not in reachable:
                name = next(e.key.text for e in entries if e.value.span.start <= one.span.start <= e.value.span.end)
                world.problems.add(say.outcome_never_holds(one.span, name))
        kind = t.Number(kind.low, _highest_count(value.body)) if kind.high is None else kind
        stretched = [_open_range_at_limits(one, kind) for one in reachable if _range_overlaps(one, kind)]
        check_ranges(world, stretched, True, of_table=False)
    return ir.Outcomes(tuple(checked))


def _outcome_without_condition(world: World, entry: Entry, scope: Scope, path: str, rule: EnclosingRule) -> ir.Outcome:
    node = entry.value
    counts = value_at(node, "counts_as")
    done: tuple[ir.Step, ...] = ()
    if isinstance(node, Mapping) and "steps" in node:
        done, _ = check_steps(world, node.get("steps"), scope, f"{path}.steps", rule)
    named = counts.text if isinstance(counts, Scalar) else None
    sentence, about = _outcome_text(world, node, scope), text_at(node, "about")
    return ir.Outcome(entry.key.text, None, path, entry.key.span, named, done, sentence, about=about)


def _test_of_range(value: ir.Formula, one: Range) -> ir.Formula:
    tests: list[ir.Expr] = []
    for sign, bound in ((">=", one.low), ("<=", one.high)):
        if bound is not None:
            edge = ir.Constant(bound, t.Number(bound, bound), one.span)
            tests.append(ir.Relation(sign, value.body, edge, None, t.YES_NO, one.span))
    body = tests[0] if len(tests) == 1 else ir.And(tests[0], tests[1], t.YES_NO, one.span)
    return ir.Formula(body, t.YES_NO, one.span, value.refs)


def _range_overlaps(one: Range, kind: t.Number) -> bool:
    below = one.high is not None and kind.low is not None and one.high < kind.low
    above = one.low is not None and kind.high is not None and one.low > kind.high
    return not below and not above


def _open_range_at_limits(one: Range, kind: t.Number) -> Range:
    """A range that contains the lowest or highest possible number counts as open there."""
    low = None if one.low is not None and kind.low is not None and one.low <= kind.low else one.low
    high = None if one.high is not None and kind.high is not None and one.high >= kind.high else one.high
    return Range(low, high, one.text, one.span)


def _check_counts_as(world: World, entries: list[Entry], named: dict[str, Span], ends: tuple[str, ...]) -> None:
    """`named` are the outcomes, each with its place."""
    for entry in entries:
        node = value_at(entry.value, "counts_as")
        if isinstance(node, Scalar) and node.text in named:
            world.references[node.span] = named[node.text]
        elif isinstance(node, Scalar) and node.text not in ends:
            world.problems.add(say.unknown_word(node.span, node.text, "outcomes", (*named, *ends)))


def _highest_count(body: ir.Expr) -> int | None:
    """The most that `count(…)` of dice can be: all of them; None of anything else, or where they are not known."""
    of = body.arguments[0].type if isinstance(body, ir.Builtin) and body.name == "count" else None
    return sum(of.most) if isinstance(of, t.Roll) and of.most is not None else None


# Completeness ----------------------------------------------------------------------------------------------------


def _prove_complete(world: World, outcomes_so_far: list[ir.Outcome], entries: list[Entry]) -> None:
    conditions = [one.condition.body for one in outcomes_so_far if one.condition is not None]
    if any(isinstance(part.type, t.Anything) for part in conditions):
        return
    asked = _Conditions()
    for part in conditions:
        asked.add(part)
    if not world.effort.may_try_more(asked.combinations * len(conditions)):
        asked.domains = {("too", "many"): [None] * (MOST_COMBINATIONS + 1)}
    reached = [False] * len(outcomes_so_far)
    open_example: str | None = None
    complete = True
    tried = False
    for assignment in asked.assignments():
        tried = True
        spend(OF_A_CONDITION * len(conditions))
        holds = next((n for n, part in enumerate(conditions) if asked.holds(part, assignment)), None)
        if holds is not None:
            reached[holds] = True
        elif len(conditions) < len(outcomes_so_far):
            reached[-1] = True
        else:
            complete = False
            open_example = open_example or asked.in_words(assignment)
    if not tried:
        if len(conditions) == len(outcomes_so_far):
            world.problems.add(say.incomplete_outcomes(entries[-1].key.span, None))
        return
    if not complete:
        world.problems.add(say.incomplete_outcomes(entries[-1].key.span, open_example))
    for number, (one, was) in enumerate(zip(outcomes_so_far, reached, strict=True)):
        if was:
            continue
        if one.condition is None:
            world.problems.add(say.unreachable_outcome(one.span, one.name))
        elif (first := _earlier_true_condition(world, asked, conditions, number)) is None:
            world.problems.add(say.outcome_never_holds(one.span, one.name))
        else:
            world.problems.add(say.unreachable_outcome(one.span, one.name, outcomes_so_far[first].span))


def _earlier_true_condition(world: World, asked: _Conditions, conditions: list[ir.Expr], number: int) -> int | None:
    """An earlier condition that holds in a case where this one does, too; None if no such case is found."""
    if not world.effort.may_try_more(asked.combinations * number):
        return None
    for assignment in asked.assignments(asked.wide):
        spend(OF_A_CONDITION * number)
        if asked.holds(conditions[number], assignment):
            for earlier in range(number):
                if asked.holds(conditions[earlier], assignment):
                    return earlier
    return None


@dataclass
class _Conditions:
    """The values that conditions test, each with the cases that they distinguish."""

    domains: dict[tuple[str, ...], list[Any]] = field(default_factory=dict)
    wide: dict[tuple[str, ...], list[Any]] = field(default_factory=dict)
    """The same for numbers, also with those that the outcomes above exclude."""
    written: dict[str, str] = field(default_factory=dict)
    """The text of each value as the author wrote it."""
    _keys: dict[int, str] = field(default_factory=dict)

    def key(self, value: ir.Expr) -> str:
        """What a value is known by, whatever its text: a house rule that renames a name moves the places in a text."""
        if id(value) not in self._keys:
            self._keys[id(value)] = key = expression(value)
            self.written.setdefault(key, _without_brackets(" ".join(value.span.text.split())))
        return self._keys[id(value)]

    def add(self, part: ir.Expr) -> None:
        match part:
            case ir.Not(of):
                self.add(of)
            case ir.And(left, right) | ir.Or(left, right):
                self.add(left)
                self.add(right)
            case ir.Constant():
                pass
            case ir.Relation(_, left, right):
                self._comparison(left, right)
            case ir.Membership(item, ir.Constant()) if isinstance(item.type, t.Word):
                self.domains[("word", self.key(item))] = list(item.type.words)
            case ir.Membership(item, ir.ListLiteral(items)) if isinstance(item.type, t.Word) and all(
                isinstance(one, ir.Constant) for one in items
            ):
                self.domains[("word", self.key(item))] = list(item.type.words)
            case _:
                self.domains[("plain", self.key(part))] = [False, True]

    def _comparison(self, left: ir.Expr, right: ir.Expr) -> None:
        if isinstance(right, ir.Constant) and isinstance(left.type, t.Word):
            self.domains[("word", self.key(left))] = list(left.type.words)
        elif isinstance(right, ir.Constant) and isinstance(left.type, t.YesNo):
            self.domains[("plain", self.key(left))] = [False, True]
        elif isinstance(right, ir.Constant) and isinstance(right.value, int):
            key = ("number", self.key(left))
            distance = 0.5 if is_bare_quotient(left) else 1
            kind = t.as_number(left.type)
            near = [right.value - distance, right.value, right.value + distance]
            within = [n for n in near if (kind.low is None or n >= kind.low) and (kind.high is None or n <= kind.high)]
            _insert_sorted(self.wide.setdefault(key, []), near)
            _insert_sorted(self.domains.setdefault(key, []), within or [kind.low or 0])
        else:
            self.domains[("order", self.key(left), self.key(right))] = [-1, 0, 1]

    @property
    def combinations(self) -> int:
        """The number of combinations of answers that are tried."""
        size = 1
        for key, domain in self.domains.items():
            size *= max(len(domain), len(self.wide.get(key, ())), 1)
            if size > MOST_COMBINATIONS:
                return 0
        return size

    def assignments(
        self, instead: dict[tuple[str, ...], list[Any]] | None = None
    ) -> Iterator[dict[tuple[str, ...], Any]]:
        domains = {**self.domains, **(instead or {})}
        size = 1
        for domain in domains.values():
            size *= max(len(domain), 1)
        if size > MOST_COMBINATIONS:
            return
        for values in product(*domains.values()):
            yield dict(zip(domains, values, strict=True))

    def holds(self, part: ir.Expr, given: dict[tuple[str, ...], Any]) -> bool:
        match part:
            case ir.Not(of):
                return not self.holds(of, given)
            case ir.And(left, right):
                return self.holds(left, given) and self.holds(right, given)
            case ir.Or(left, right):
                return self.holds(left, given) or self.holds(right, given)
            case ir.Constant(value):
                return bool(value)
            case ir.Relation(sign, left, right):
                return self._compare(sign, left, right, given)
            case ir.Membership(item, ir.Constant(value)) if isinstance(item.type, t.Word):
                return given[("word", self.key(item))] in value
            case ir.Membership(item, ir.ListLiteral(items)) if ("word", self.key(item)) in given:
                return given[("word", self.key(item))] in [i.value for i in items if isinstance(i, ir.Constant)]
        return bool(given[("plain", self.key(part))])

    def _compare(self, sign: str, left: ir.Expr, right: ir.Expr, given: dict[tuple[str, ...], Any]) -> bool:
        if isinstance(right, ir.Constant) and isinstance(left.type, t.Word):
            words = left.type.words
            value = given[("word", self.key(left))]
            return _compare_numbers(sign, words.index(value), words.index(right.value))
        if isinstance(right, ir.Constant) and isinstance(left.type, t.YesNo):
            return _compare_numbers(sign, int(given[("plain", self.key(left))]), int(right.value))
        if isinstance(right, ir.Constant) and isinstance(right.value, int):
            return _compare_numbers(sign, given[("number", self.key(left))], right.value)
        return _compare_numbers(sign, given[("order", self.key(left), self.key(right))], 0)

    def in_words(self, given: dict[tuple[str, ...], Any]) -> str | None:
        facts = []
        for key, value in given.items():
            match key:
                case ("number", text):
                    facts.append(f"`{self.written[text]}` is {value}")
                case ("word", text):
                    facts.append(f"`{self.written[text]}` is `{value}`")
                case ("plain", text):
                    facts.append(f"{'' if value else 'not '}`{self.written[text]}`")
        return ", ".join(facts[:3]) or None


def _insert_sorted(known: list[Any], numbers: Iterable[Any]) -> None:
    """Put numbers into a list in the order of size, in which each stands once."""
    for number in numbers:
        at = bisect_left(known, number)
        if known[at : at + 1] != [number]:
            known.insert(at, number)


def _without_brackets(text: str) -> str:
    """A text without the brackets around the whole of it."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and at < len(text) - 1:
            return text
    return _without_brackets(text[1:-1].strip()) if text.startswith("(") and text.endswith(")") else text


def _compare_numbers(sign: str, left: float, right: float) -> bool:
    return {
        "==": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[sign]


def further_reading(
    world: World, entry: Entry, scope: Scope, path: str, rule: EnclosingRule
) -> tuple[ir.Formula | ir.Outcomes, t.Type]:
    """One entry of `also`: a flag, or a list of outcomes that must be complete."""
    node: Node | None = entry.value
    if isinstance(node, Mapping) and "if" not in node:
        for one in node.entries:
            if isinstance(one.value, Mapping) and "steps" in one.value:
                key = one.value.key("steps")
                world.problems.add(say.unknown_key(key.span, key.text, ["if", "counts_as"], "a further reading"))
        checked = check_outcomes(world, node, scope, path, rule, ())
        return checked, words_of(checked, entry.key.text, ())
    if isinstance(node, Mapping):
        node = node.get("if")
    assert node is not None
    return condition(world, node, scope), t.YES_NO

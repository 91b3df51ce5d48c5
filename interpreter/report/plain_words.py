"""Formulas in the words of people at a table: `the total is at least the difficulty`.

Options stand as their value at the table, so that what they decide is not told as a question. A formula that would
take a paragraph is not told: there the exact rule is read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import Any, assert_never

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import expressions as ex
from interpreter.ir import types as t
from interpreter.report.phrases import enumeration
from interpreter.runtime.titles import Titles
from interpreter.values import Thing, in_words
from interpreter.work_count import spend

LONGEST = 180
"""The most letters of a formula in words; a longer one explains nothing to a reader."""
OF_AN_EXPRESSION = 3
"""The units of work in which an expression is put into words, besides what it is made of."""
_COMPARED = {
    ">=": ("at least", "less than"),
    ">": ("more than", "at most"),
    "<=": ("at most", "more than"),
    "<": ("less than", "at least"),
    "==": ("", "not"),
    "!=": ("not", ""),
}
"""What a comparison says after `is`, and what its contrary says."""
_SIGNS = {"+": "+", "-": "−", "*": "×"}
_PRONOUNS = ("who", "whom", "it", "what")
_VERBS = ("has", "can", "is", "may", "was", "had", "needs", "must")
_OF_ONE = {
    "highest": "the highest of {}",
    "lowest": "the lowest of {}",
    "sum": "the sum of {}",
    "count": "the number of {}",
    "first": "the first of {}",
    "last": "the last of {}",
    "only": "{}",
    "ordered": "{} in order",
    "reversed": "{} from the last to the first",
    "abs": "the size of {}",
}
_OF_TWO = {
    "highest": "the {1} highest of {0}",
    "lowest": "the {1} lowest of {0}",
    "max": "{} or {}, whichever is more",
    "min": "{} or {}, whichever is less",
    "without": "{0} without {1}",
    "first": "the first {1} of {0}",
    "item": "number {1} of {0}",
    "times": "{1} of {0}",
}


class _Untold(Exception):
    """A formula has no words that are shorter than itself."""


@dataclass(frozen=True, slots=True)
class FormulaWording:
    """What the words of formulas are taken from.

    `options` are the values of the options at the table, and `steps` the steps of the rule whose formulas are told,
    by name: a condition that is a step alone is told by what the step says. `named` are the titles of its inputs and
    steps, by name. `read` are the steps whose numbers its
    outcomes compare, and `told_inside` the mechanics that are told where they are called.
    """

    program: ir.Program
    titles: Titles
    options: Mapping[str, Any] = field(default_factory=dict)
    steps: Mapping[str, ir.Step] = field(default_factory=dict)
    named: Mapping[str, str] = field(default_factory=dict)
    read: frozenset[str] = frozenset()
    told_inside: frozenset[str] = frozenset()


def plain_words(of: ir.Formula, wording: FormulaWording) -> str | None:
    """The words of a formula that gives a value, `the total`, or a condition, `the total is 3`; None without any."""
    try:
        told = _words(of.body, wording, {})
    except _Untold:
        return None
    return told if len(told) <= LONGEST else None


def truth(of: ir.Formula, wording: FormulaWording) -> bool | None:
    """Whether a condition always or never holds at the table; None where that depends on play."""
    return _truth(of.body, wording)


def plain_name(name: str) -> str:
    """A name as people read it."""
    return name.replace("_", " ")


def _truth(one: ex.Expr, wording: FormulaWording) -> bool | None:
    match one:
        case ex.Constant(value=bool(value)):
            return value
        case ex.Option(name):
            value = wording.options.get(name)
            return value if isinstance(value, bool) else None
        case ex.Local(name) if (step := wording.steps.get(name)) is not None and _is_yes_no(one):
            alone = step.condition is None and isinstance(step.action, ir.Let)
            return _truth(step.action.formula.body, wording) if alone else None  # type: ignore[union-attr]
        case ex.Not(of):
            inner = _truth(of, wording)
            return None if inner is None else not inner
        case ex.And(left, right):
            both = (_truth(left, wording), _truth(right, wording))
            return False if False in both else True if both == (True, True) else None
        case ex.Or(left, right):
            both = (_truth(left, wording), _truth(right, wording))
            return True if True in both else False if both == (False, False) else None
        case ex.Relation(sign, ex.Option(name), ex.Constant(value)) if sign in ("==", "!=") and name in wording.options:
            return bool((wording.options[name] == value) == (sign == "=="))
    return None


def _words(one: ex.Expr, wording: FormulaWording, bound: Mapping[str, str]) -> str:
    """The words of an expression; `bound` are those of the parameters of a function that is told."""

    def said(of: ex.Expr) -> str:
        return _words(of, wording, bound)

    spend(OF_AN_EXPRESSION)
    match one:
        case ex.Constant(value, type=kind):
            return _value(value, wording, kind)
        case ex.Option(name):
            return _value(wording.options[name], wording) if name in wording.options else _noun(name)
        case ex.Local():
            return _local(one, wording, bound)
        case ex.Element():
            return "it"
        case ex.DieField(name):
            return f"its {plain_name(name)}"
        case ex.Attribute(of, kind, name):
            if _is_yes_no(one):
                return _predicate(said(of), plain_name(wording.titles.attribute(kind, name)))
            return _possessive(said(of), plain_name(wording.titles.attribute(kind, name)))
        case ex.Field(of, name) | ex.RollPart(of, name):
            return (
                _predicate(said(of), plain_name(name)) if _is_yes_no(one) else _possessive(said(of), plain_name(name))
            )
        case ex.Column(of, name):
            return f"the {plain_name(name)} of each of {said(of)}"
        case ex.MapEntry(ex.Local()) if _is_yes_no(one):
            return "that was chosen"
        case ex.MapEntry(of, key):
            return said(of) if isinstance(key, ex.Local) else f"{said(of)} ({said(key)})"
        case ex.Negative(of):
            return f"−{said(of)}"
        case ex.Arithmetic(sign, left, right):
            return _arithmetic(sign, _operand(left, said(left), sign), _operand(right, said(right), sign))
        case ex.Quotient(left, right, rounding):
            how = {"down": ", rounded down", "up": ", rounded up", "nearest": ", rounded to the nearest"}[rounding]
            return f"{_operand(left, said(left), '*')} ÷ {_operand(right, said(right), '*')}{how}"
        case ex.Relation() | ex.Membership() | ex.Not() | ex.And() | ex.Or():
            return _condition(one, wording, bound, False)
        case ex.Conditional(condition, then, otherwise):
            known = _truth(condition, wording)
            if known is not None:
                return said(then if known else otherwise)
            return f"{said(then)} if {said(condition)}, otherwise {said(otherwise)}"
        case ex.Otherwise(of) if _is_yes_no(of):
            return said(of)
        case ex.Otherwise(of, instead):
            return f"{said(of)}, or {said(instead)} where there is none"
        case ex.ListLiteral() | ex.PoolLiteral() | ex.Tagged() | ex.Joined() | ex.Filtered() | ex.Sorted():
            return _several_in_words(one, wording, said)
        case ex.Converted(of):
            return said(of)
        case ex.Builtin("count", (ex.Filtered(of, condition),)):
            return f"the number of {said(of)} where {said(condition)}"
        case ex.Builtin(name, arguments):
            if name == "given":
                return _condition(one, wording, bound, False)
            return _builtin(name, list(map(said, arguments)))
        case ex.Apply(name, arguments):
            return _call_in_words(name, list(map(said, arguments)), wording)
        case ex.Lookup(name, keys):
            title = wording.titles.constructs.get(f"tables.{name}") or plain_name(name)
            return f"what the table “{title}” gives for {enumeration(list(map(said, keys)))}"
        case ex.RecordLiteral(fields):
            told = [f"{plain_name(name)} {said(value)}" for name, value in fields]
            return ", ".join(told)
        case _:
            assert_never(one)


def _several_in_words(
    one: ex.ListLiteral | ex.PoolLiteral | ex.Tagged | ex.Joined | ex.Filtered | ex.Sorted,
    wording: FormulaWording,
    said: Callable[[ex.Expr], str],
) -> str:
    """The words of a list or of dice; `said` are those of a part."""
    match one:
        case ex.ListLiteral(items):
            return enumeration(list(map(said, items))) or "none"
        case ex.PoolLiteral(number, die):
            if isinstance(number, ex.Conditional) and _truth(number.condition, wording) is None:
                ways = [replace(one, number=of) for of in (number.then, number.otherwise)]
                return f"{said(ways[0])} if {said(number.condition)}, otherwise {said(ways[1])}"
            if isinstance(number, ex.Constant):
                return f"{number.value if number.value != 1 else ''}{said(die)}"
            return f"as many {said(die)} as {said(number)}"
        case ex.Tagged(dice):
            return said(dice)
        case ex.Joined(left, right):
            return f"{said(left)} and {said(right)}"
        case ex.Filtered(of, condition):
            return f"those of {said(of)} where {said(condition)}"
        case ex.Sorted(of):
            return said(of)


def _condition(one: ex.Expr, wording: FormulaWording, bound: Mapping[str, str], contrary: bool) -> str:
    """A condition in words, or its contrary."""

    def said(of: ex.Expr) -> str:
        return _words(of, wording, bound)

    match one:
        case ex.Relation(("==" | "!=") as sign, ex.Field(of, "outcome"), ex.Constant() as word):
            how = "does not end in" if (sign == "!=") is not contrary else "ends in"
            return f"{_subject_of_outcome(of, wording, bound)} {how} {said(word)}"
        case ex.Membership(ex.Field(of, "outcome"), ex.ListLiteral(words)):
            listed = " or ".join(map(said, words))
            return f"{_subject_of_outcome(of, wording, bound)} {'does not end in' if contrary else 'ends in'} {listed}"
        case ex.Relation(sign, left, right):
            how = _COMPARED[sign][contrary]
            subject = said(left)
            return f"{subject} {_is(subject)} {how + ' ' if how else ''}{said(right)}"
        case ex.Membership(item, of):
            subject = said(item)
            return f"{subject} {_is(subject)} {'not ' if contrary else ''}among {said(of)}"
        case ex.Not(of):
            return _condition(of, wording, bound, not contrary)
        case ex.And(left, right) | ex.Or(left, right):
            is_and = isinstance(one, ex.And)
            kept = [part for part in (left, right) if _truth(part, wording) is not is_and]
            parts = [_condition(part, wording, bound, contrary) for part in kept]
            if not parts:
                raise _Untold
            if len(kept) == 2 and isinstance(kept[0], ex.Relation) and isinstance(kept[1], ex.Relation):
                begins = f"{said(kept[0].left)} {_is(said(kept[0].left))} "
                parts[1] = parts[1].removeprefix(begins) if parts[0].startswith(begins) else parts[1]
            joint, other = (" and ", " or ") if is_and is not contrary else (" or ", " and ")
            return joint.join(f"({part})" if other in part and len(parts) > 1 else part for part in parts)
        case ex.Builtin("given", (ex.Attribute(of, kind, name),)):
            called = plain_name(wording.titles.attribute(kind, name))
            return f"{said(of)} has {'no' if contrary else t.article(called)} {called}"
        case ex.Builtin("given", (of,)):
            return f"there is {'no ' + said(of).removeprefix('the ') if contrary else said(of)}"
        case ex.Builtin("any", (of,)):
            return f"there is {'none' if contrary else 'one'} of {said(of)}"
    if (inner := _step_alone(one, wording, bound)) is not None:
        return _condition(inner, wording, bound, contrary)
    told = said(one)
    if not contrary:
        return told
    for verb in ("is", "are", "has", "can", "may", "was", "must"):
        if f" {verb} " in told:
            return told.replace(f" {verb} ", f" {verb} not " if verb != "has" else " has no ", 1)
    return f"not {told}"


def _arithmetic(sign: str, left: str, right: str) -> str:
    """A sum, difference or product; of two numbers that are known, what it is."""
    if left.isdecimal() and right.isdecimal():
        a, b = int(left), int(right)
        return str({"+": a + b, "-": a - b, "*": a * b}[sign])
    if sign == "*" and "1" in (left, right):
        return left if right == "1" else right
    return f"{left} {_SIGNS[sign]} {right}"


def _subject_of_outcome(of: ex.Expr, wording: FormulaWording, bound: Mapping[str, str]) -> str:
    """What an outcome is of: the roll, if a rule makes only one, else the title of what is rolled."""
    step = wording.steps.get(of.name) if isinstance(of, ex.Local) else None
    if step is None or not isinstance(step.action, ir.Call):
        return _words(of, wording, bound)
    calls = [one for one in wording.steps.values() if isinstance(one.action, ir.Call)]
    deciding = [one for one in calls if wording.program.mechanics[one.action.mechanic].outcomes is not None]  # type: ignore[union-attr]
    return "the roll" if len(deciding) == 1 else f"“{wording.program.mechanics[step.action.mechanic].title}”"


def _step_alone(one: ex.Expr, wording: FormulaWording, bound: Mapping[str, str]) -> ex.Expr | None:
    """What the step says that is read as a condition; None where it has a title, or may be missing."""
    step = wording.steps.get(one.name) if isinstance(one, ex.Local) and one.name not in bound else None
    if step is None or not _is_yes_no(one) or step.path in wording.titles.constructs:
        return None
    return step.action.formula.body if step.condition is None and isinstance(step.action, ir.Let) else None


def _local(one: ex.Local, wording: FormulaWording, bound: Mapping[str, str]) -> str:
    if one.name in bound:
        return bound[one.name]
    if one.name == "owner":
        return "it"
    title = wording.named.get(one.name)
    if _is_yes_no(one):
        alone = _step_alone(one, wording, bound)
        return _words(alone, wording, bound) if alone is not None else title or plain_name(one.name)
    kind = t.without_maybe(one.type)
    if one.name in _PRONOUNS and isinstance(kind, t.Object):
        return f"the {plain_name(wording.titles.kind(kind.kind))}"
    return f"the {title}" if title else _noun(one.name)


def _builtin(name: str, told: list[str]) -> str:
    pattern = (_OF_ONE if len(told) == 1 else _OF_TWO if len(told) == 2 else {}).get(name)
    if name == "any":
        return f"there is one of {told[0]}"
    if pattern is None:
        raise _Untold
    if name in ("max", "min") and told[0] == told[1]:
        return told[0]
    return pattern.format(*told)


def _call_in_words(name: str, told: list[str], wording: FormulaWording) -> str:
    """A function of the ruleset: what it gives, with its arguments in place of its parameters."""
    function = wording.program.functions[name]
    if isinstance(function.gives, ir.Formula):
        words = _words(
            function.gives.body, wording, {one.name: text for one, text in zip(function.takes, told, strict=True)}
        )
        if len(words) > LONGEST:  # functions may call functions twice
            raise _Untold
        return words
    title = wording.titles.constructs.get(f"functions.{name}")
    return f"the {title or plain_name(name)} of {enumeration(told)}" if told else f"the {title or plain_name(name)}"


def _value(value: Any, wording: FormulaWording, kind: t.Type | None = None) -> str:
    if value is None or value == ():
        return "none"
    if isinstance(value, Mapping):
        raise _Untold
    if isinstance(value, Thing) and value.id == value.kind:
        return f"the {plain_name(wording.titles.kind(value.kind))}".lower()
    if isinstance(value, Thing) and (title := wording.titles.constructs.get(f"things.{value.kind}.{value.id}")):
        return title
    if isinstance(value, int | Fraction) and not isinstance(value, bool) and value < 0:
        return f"−{-value}"
    if isinstance(value, str) and kind is not None and isinstance(t.without_maybe(kind), t.Text):
        return f"“{value}”"
    told = wording.titles.value(value)
    return plain_name(told) if told == in_words(value) else told


def _noun(name: str) -> str:
    return f"the {plain_name(name)}"


def _possessive(owner: str, name: str) -> str:
    if owner == "it":
        return f"its {name}"
    return f"{owner}’ {name}" if owner.endswith("s") and not owner.endswith("ss") else f"{owner}’s {name}"


def _predicate(subject: str, name: str) -> str:
    """`it is able`, `the target has fallen`"""
    return f"{subject} {name}" if name.split(" ")[0] in _VERBS else f"{subject} {_is(subject)} {name}"


def _is(subject: str) -> str:
    return "are" if is_plural(subject) else "is"


def is_plural(subject: str) -> bool:
    """Whether what is said of a subject is said of several."""
    last = subject.split(" ")[-1]
    return last.endswith("s") and not last.endswith(("ss", "us", "is", "’s")) and " of " not in subject


def _operand(one: ex.Expr, told: str, sign: str) -> str:
    needs = isinstance(one, ex.Conditional | ex.Quotient | ex.Otherwise) or (
        isinstance(one, ex.Arithmetic) and one.sign != "*" and sign != "+"
    )
    is_long = not isinstance(one, ex.Arithmetic) and (", whichever" in told or " where " in told)
    return f"({told})" if not told.isdecimal() and (needs or is_long) else told


def _is_yes_no(one: ex.Expr) -> bool:
    return isinstance(t.without_maybe(one.type), t.YesNo)

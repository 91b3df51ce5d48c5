"""The table of operations, operands and places: it has every function, verb and expression of the language, and a
fixed slice of its cells is no error.

`python -m tests.classes` asks all cells.
"""

from __future__ import annotations

from itertools import cycle
from typing import Any, get_args

import pytest
from classes.cells import ANSWERS, cells, rows
from classes.operands import HELPER, OPERANDS
from classes.operations import ALL, FIELDS, STEP_VERBS, USUAL, holes_of
from classes.places import PLACES, Question
from marks import thorough

from interpreter import ir, pipeline
from interpreter.diagnostics.source import Source
from interpreter.ir.traversal import nodes_under
from interpreter.runtime.functions import FORMS, FUNCTIONS, KINDS
from interpreter.syntax.verb_grammar import VERBS

EVERY = 1500
"""One row in so many is asked here."""


def test_every_function_and_verb_has_its_cells() -> None:
    of = {one.of for one in ALL}
    assert {*FUNCTIONS, *FORMS, *VERBS} <= of
    assert USUAL.keys() == KINDS.keys()
    assert STEP_VERBS.keys() == VERBS.keys()


def test_every_expression_of_a_verb_is_a_hole() -> None:
    """An expression that may stand beside a verb stands there in some template, or is the hole of one."""
    lacking = []
    for verb, forms in STEP_VERBS.items():
        written = {key for step in forms for key in step}
        lacking += [f"{verb}.{key}" for key in holes_of(verb) if key not in written | {"if", "else"}]
    assert lacking == []


IN_CELLS: dict[type, tuple[str, str]] = {
    ir.RecordLiteral: ("armed(X)", "a pool"),
    ir.Constant: ("X", "a number"),
    ir.Local: ("X", "a rolled number"),
    ir.Option: ("X", "an option"),
    ir.Attribute: ("X.luck", "a thing"),
    ir.MapEntry: ("X(calm)", "a map of a thing"),
    ir.Element: ("X where it > coin", "a list"),
    ir.DieField: ("X where face == 2", "a roll"),
    ir.Field: ("X.bonus", "a record"),
    ir.Column: ("X.face", "a roll"),
    ir.RollPart: ("X.left", "a roll with parts"),
    ir.Negative: ("-X", "a rolled number"),
    ir.Arithmetic: ("X + 1", "a rolled number"),
    ir.Quotient: ("X / 2", "a rolled number"),
    ir.Relation: ("X < 2", "a rolled number"),
    ir.Membership: ("X in [1, 2]", "a rolled number"),
    ir.Not: ("not X", "a rolled truth"),
    ir.And: ("X and X", "a rolled truth"),
    ir.Or: ("X or coin == 1", "a rolled truth"),
    ir.Conditional: ("1 if X else 0", "a rolled truth"),
    ir.Otherwise: ("highest(X.die) otherwise 0", "passes until"),
    ir.ListLiteral: ("[X, X]", "a rolled number"),
    ir.PoolLiteral: ("(X)d2", "a rolled number"),
    ir.Tagged: ("(X)d2 armor", "a rolled number"),
    ir.Joined: ("X & d2", "a pool"),
    ir.Filtered: ("X where yes", "a roll"),
    ir.Sorted: ("X by it", "a list"),
    ir.Builtin: ("sum(X)", "a roll"),
    ir.Apply: ("half(X)", "a number"),
    ir.Lookup: ("price(X)", "a number"),
    ir.Converted: ("X + 1", "one die"),
    ir.Let: ("is", "a rolled truth"),
    ir.RollDice: ("roll", "a pool"),
    ir.Reroll: ("reroll", "a roll"),
    ir.Place: ("place", "a pool"),
    ir.Raise: ("raise", "a pool"),
    ir.Stages: ("start", "a number"),
    ir.Repeat: ("repeat", "a number"),
    ir.Pair: ("pair", "a roll"),
    ir.Compare: ("compare", "a number"),
    ir.Choose: ("choose", "a number"),
    ir.Call: ("call", "a number"),
    ir.FirstOf: ("first_of", "a number"),
    ir.StepGroup: ("steps", "a number"),
    ir.End: ("end", "a rolled truth"),
    ir.ForEach: ("for", "a list"),
    ir.ChooseEach: ("choose", "a list of things"),
    ir.Order: ("order", "a list"),
    ir.Shift: ("gain", "a number"),
    ir.Pay: ("pay", "a number"),
    ir.Assign: ("set", "a number"),
    ir.Include: ("add", "a number"),
    ir.Exclude: ("remove", "a number"),
    ir.Make: ("make", "a number"),
    ir.Destroy: ("destroy", "a thing"),
    ir.Cause: ("cause", "a number"),
    ir.Act: ("act", "a thing"),
    ir.Offer: ("offer", "a thing"),
    ir.ChangeEvent: ("change", "a number"),
    ir.CancelEvent: ("cancel", "a rolled truth"),
    ir.Turn: ("turn", "a thing"),
    ir.Draw: ("draw", "a number"),
    ir.Put: ("put", "a list"),
    ir.Take: ("take", "a number"),
}
"""Each expression and each action of the program, with an operation (or a verb) and a value of a cell that has it."""


def test_every_expression_and_action_of_the_program_is_in_some_cell() -> None:
    assert IN_CELLS.keys() == {*get_args(ir.Expr), *get_args(ir.StepBody)}
    values = {one.name: one for one in OPERANDS}
    for node, (name, operand) in IN_CELLS.items():
        found: set[type] = set()
        for operation in [one for one in ALL if name in (one.name, one.of)]:
            place = PLACES["reaction" if operation.of in ANSWERS else "alone"]
            program = _program(next(iter(place(values[operand], operation, ""))))
            found |= {type(one) for one in nodes_under(program)}
            if node in found:
                break
        assert node in found, (node, name, operand)


def _program(question: Question) -> ir.Program | None:
    loaded = pipeline.from_text(Source.of("cell", question.text))
    return None if loaded.problems.errors else loaded.program


def test_every_field_that_a_value_may_have_is_asked_for() -> None:
    from interpreter.checker.expressions.names import DIE_WORDS

    named = {*DIE_WORDS, "size", "tags", "throws", "nth", "counts", "pips", "dice", "height", "width"}
    assert named <= {*FIELDS}
    assert {*HELPER["steps"], "outcome", "happened", "heard"} <= {*FIELDS}


def _slice() -> list[Any]:
    one_in_two = cycle(([], [pytest.mark.thorough]))
    return [
        pytest.param(row, id=f"{row.operation.name} of {row.operand}", marks=marks)
        for row, marks in zip(list(rows())[::EVERY], one_in_two, strict=False)
    ]


@pytest.mark.parametrize("row", _slice())
def test_a_slice_of_the_table_has_no_error(row: Any) -> None:
    wrong = [f"{cell.place}: {cell.verdict.about}\n{cell.text}" for cell in cells(row) if not cell.verdict.well]
    assert wrong == []


WRONG_BEFORE = [
    ("last(X, 2)", "passes", ("alone", "where", "if")),
    ("last(X, 2)", "passes until", ("alone", "call")),
    ("then: {anew: {reroll: out where face == 1}}", "a list written out", ("for",)),
    ("then: {anew: {reroll: out where face == 1}}", "a part", ("for",)),
    ("counts: X, again", "one die", ("for",)),
    ("guard: X, then", "a chain without end", ("alone", "call")),
    ("{repeat: X, each: {die: {roll: d2}}, until: die == 2}", "a chain without end", ("call",)),
    ("first: armor in tags, each: {lead: X}", "pairs", ("alone", "stages")),
]
"""A part of the name of an operation, a value, and places of which exact odds were wrong, broke or took too long."""


@pytest.mark.parametrize(
    ("part", "operand", "places"), thorough(WRONG_BEFORE, lambda part, operand, _: part.startswith(("then", "{repeat")))
)
def test_what_the_whole_table_has_found_wrong(part: str, operand: str, places: tuple[str, ...]) -> None:
    found = [one for one in rows() if part in one.operation.name and one.operand == operand]
    assert found
    for row in found:
        assert [cell.verdict.about for cell in cells(row, places) if not cell.verdict.well] == []

"""All cells of the table: an operation, an operand and a place, with what comes of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from classes.ask import Verdict, asked
from classes.operands import INSIDE, OPERANDS, THROWN, Operand
from classes.operations import ALL, Operation
from classes.places import PLACES, Question, inside, of_throw, probe_of
from interpreter import pipeline
from interpreter.diagnostics.source import Source
from interpreter.ir import types as t

ANSWERS = ("change", "cancel")
"""Verbs that stand only in a reaction."""
OF_MISSING = ("given", "otherwise")
"""What is only done with something that may be missing."""


@dataclass(frozen=True)
class Row:
    """An operation on an operand, whose cells are its places."""

    operation: Operation
    operand: str
    of: Operand | tuple[str, str] | str
    """A value, what a condition sees of an element, or a word of a throw."""


@dataclass(frozen=True)
class Cell:
    row: Row
    place: str
    verdict: Verdict
    text: str = ""


def rows(operations: Collection[Operation] = tuple(ALL)) -> Iterator[Row]:
    for operation in operations:
        for operand in OPERANDS:
            yield Row(operation, operand.name, operand)
        if isinstance(operation.step, str):
            for name, pair in INSIDE.items():
                yield Row(operation, name, pair)
        for name, word in THROWN.items():
            yield Row(operation, name, word)


def cells(row: Row, places: Collection[str] = tuple(PLACES)) -> Iterator[Cell]:
    """The cells of a row. What is refused alone for its type is not tried elsewhere."""
    if isinstance(row.of, str):
        if "throw" in places:
            yield _cell(row, "throw", of_throw(row.of, row.operation))
    elif isinstance(row.of, tuple):
        if "where" in places:
            yield _first(row, "where", list(inside(*row.of, row.operation)))
    else:
        yield from _of_operand(row, row.of, places)


def _of_operand(row: Row, operand: Operand, places: Collection[str]) -> Iterator[Cell]:
    operation = row.operation
    first = "reaction" if operation.of in ANSWERS else "alone"
    question = next(iter(PLACES[first](operand, operation, "")))
    cell = _cell(row, first, question)
    if first in places:
        yield cell
    refused = cell.verdict.kind == "load"
    if refused and operation.of not in OF_MISSING:
        return
    probe = "" if refused else probe_of(_type_of(question))
    for place in places:
        if place != first and (not refused or place in ("skipped", "given")):
            for one in PLACES[place](operand, operation, probe):
                yield _cell(row, place, one)


def _type_of(question: Question) -> t.Type:
    """The type of what comes of the operation."""
    program = pipeline.from_text(Source.of("cell", question.text)).program
    assert program is not None
    rule = program.mechanics.get(question.rule)
    return (rule.type.field("out") if rule is not None else None) or t.ANYTHING


def _cell(row: Row, place: str, question: Question) -> Cell:
    verdict = asked(question)
    return Cell(row, place, verdict, question.text if not verdict.well or verdict.kind == "odds" else "")


def _first(row: Row, place: str, questions: list[Question]) -> Cell:
    """The first question whose condition fits; where none does, the first of all."""
    for question in questions:
        if not pipeline.from_text(Source.of("cell", question.text)).problems.errors:
            return _cell(row, place, question)
    return _cell(row, place, questions[0])

"""A ruleset made of expressions, in which dice are thrown where they stand: `sum(highest(4d6, 3))`, `4d6kh3`, `2d6+3`.

In a ruleset, dice are thrown in a step and read in another. Here every pool of an expression becomes a step that
throws it, dice that are read as a number are added up, and other notations become the expressions they stand for.
Problems are reported at their place in the expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from interpreter import diagnostics as say
from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.diagnostics import HouseruleError, RulesetError
from interpreter.diagnostics.source import Source, Span
from interpreter.frozen import dataclass
from interpreter.notation.context import Note, declared_input
from interpreter.notation.placed_text import TextPlace
from interpreter.notation.translation import RESULT, Translation, translate
from interpreter.syntax.dice_notation import die_declaration

RULE = "expression"
"""The name of the ruleset and of its only mechanic."""

_NO_NAME = re.compile(rf"{RESULT}(_\d+)?")
_STEPS = f"ruleset: {RULE}\n{{dice}}mechanics:\n  {RULE}:\n    title: {{title}}\n{{inputs}}    steps:\n"


@dataclass(frozen=True)
class ExpressionRuleset:
    """`labels` has the expression of each result as it was typed; `steps` are the steps as lines of YAML."""

    source: Source
    labels: Mapping[str, str]
    dice: tuple[str, ...]
    steps: tuple[str, ...]
    translated: tuple[str, ...]
    """The expressions in another notation than that of the language."""
    kept: frozenset[str]
    """The names of dice that other expressions read."""
    places: tuple[TextPlace, ...]
    notes: tuple[Note, ...] = ()
    """What was read of them that may have been meant otherwise."""

    rule = RULE
    """The name of the mechanic."""

    @property
    def results(self) -> tuple[str, ...]:
        """The names of what is asked for; dice that other expressions read are named for these alone."""
        return tuple(name for name in self.labels if name not in self.kept) or tuple(self.labels)

    def title(self, name: str) -> str:
        """What a value is called: its name, or the expression of a result without one."""
        return self.labels[name] if name in self.labels and _NO_NAME.fullmatch(name) else name

    @property
    def listing(self) -> tuple[str, ...]:
        """Its dice and steps as lines of YAML."""
        if not self.dice:
            return self.steps
        parts = (("dice:", self.dice), ("steps:", self.steps))
        return tuple(line for head, lines in parts for line in (head, *(f"  {one}" for one in lines)))

    def to_data(self) -> dict[str, Any]:
        """Its expressions by the names of their results, its steps as a ruleset has them, and what is told of them."""
        return {"expressions": dict(self.labels), "listing": list(self.listing), "notes": self.notes_data}

    @property
    def notes_data(self) -> list[dict[str, Any]]:
        """The notes as plain data, each with its place in the expression."""
        return [
            {"expression": span.source.text, "column": span.column, "text": span.text, **reading.to_data()}
            for span, reading in self.notes
        ]

    def game(self) -> Game:
        """The game of the ruleset. Raises RulesetError where an expression is wrong."""
        with self.problems_in_place():
            loaded = pipeline.from_text(self.source)
            if loaded.problems.errors or loaded.program is None or loaded.world is None:
                raise RulesetError(*loaded.problems.errors)
            return Game(loaded.program, loaded.world)

    @contextmanager
    def problems_in_place(self) -> Iterator[None]:
        """Give every problem raised inside its place in the expression."""
        try:
            yield
        except HouseruleError as error:
            if all(one.span.source is not self.source for one in error.diagnostics):
                raise
            raise type(error)(*(self._place_problem(one) for one in error.diagnostics)) from None

    def _place_problem(self, problem: say.Diagnostic) -> say.Diagnostic:
        notes = tuple((self._origin(span), text) for span, text in problem.notes)
        placed = replace(problem, span=self._origin(problem.span), notes=notes, edits=())
        return say.suggest_given_value(placed) if placed.code == "HR301" else placed

    def _origin(self, span: Span) -> Span:
        """The place in what was typed that a place in the ruleset comes from."""
        if span.source is not self.source:
            return span
        for one in self.places:
            if span.start <= one.start + len(one.text.text):
                start = max(span.start - one.start, 0)
                return one.text.origin(start, span.end - one.start if span.start >= one.start else len(one.text.text))
        return say.NOWHERE


def expression_ruleset(
    typed: Sequence[str], given: Mapping[str, str] = {}, source_name: str = "-e"
) -> ExpressionRuleset:
    """The ruleset of expressions, each of which may have a name (`hits=5d10>=7`) that those after it may read.

    `given` has the values of names that the expressions read: numbers, yes or no, or dice.
    Raises PlayError where a text is no expression in any notation, or a value is given that none of them reads.
    """
    translation = translate([Source.of(source_name, text) for text in typed], given)
    return _assemble(translation, given)


def _assemble(translation: Translation, given: Mapping[str, str]) -> ExpressionRuleset:
    dice = tuple(die_declaration(name, faces) for name, faces in translation.dice.items())
    inputs = [f"      {name}: {declared_input(value)}\n" for name, value in given.items()]
    text = _STEPS.format(
        dice="".join(["dice:\n", *(f"  {one}\n" for one in dice)]) if dice else "",
        title=_double_quoted(", ".join(translation.labels.values())),
        inputs="".join(["    inputs:\n", *inputs]) if inputs else "",
    )
    places, lines = [], []
    for name, before, written, after in translation.steps:
        head = f"{name}: {before}"
        lines.append(head + written.text + after)
        places.append(TextPlace(len(text) + 6 + len(head), written))
        text += f"      {lines[-1]}\n"
    return ExpressionRuleset(
        Source.of(RULE, text),
        translation.labels,
        dice,
        tuple(lines),
        translation.translated,
        translation.kept,
        tuple(places),
        translation.notes,
    )


def _double_quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'

"""Whatever a player types where a value is wanted is a value of its type, or is refused in words.

A text reaches an operator only with types that it takes: `none` has none, and nor have the elements of `[]`.
"""

from __future__ import annotations

from typing import Any

import games
import pytest
from hostile.typed import FIELDS, Names, Typist, names_of, wanted_types

from interpreter import bundled
from interpreter.api.expression_ruleset import RULE, expression_ruleset
from interpreter.diagnostics import HouseruleError, PlayError
from interpreter.diagnostics.source import Source, Span
from interpreter.ir import types as t
from interpreter.runtime import functions
from interpreter.syntax.document import Scalar
from interpreter.values import Code, Die, Thing, Thrown

GAMES = tuple(bundled.rulesets())
MANY = {"fast": 700, "thorough": 20_000}
"""How many texts are typed for each game."""


def is_value_of(value: Any, kind: t.Type) -> bool:
    """Whether a value is one of a type, as operators take it."""
    match kind:
        case t.Maybe(of):
            return value is None or is_value_of(value, of)
        case t.Number():
            return type(value) is int
        case t.YesNo():
            return type(value) is bool
        case t.Text():
            return type(value) is str
        case t.Word(words=words):
            return value in words
        case t.SingleDie():
            return type(value) is Die
        case t.DiceCode():
            return type(value) is Code
        case t.Dice():
            return type(value) is tuple and all(type(one) is Die for one in value)
        case t.Roll():
            return type(value) is tuple and all(type(one) is Thrown for one in value)
        case t.List(of):
            return type(value) is tuple and all(is_value_of(one, of) for one in value)
        case t.Map(_, of):
            return type(value) is dict and all(is_value_of(one, of) for one in value.values())
        case t.Record(_, fields):
            return type(value) is dict and all(is_value_of(value[name], of) for name, of in fields)
        case t.Object(name):
            return type(value) is Thing and value.kind == name
    raise AssertionError(f"no value has the type {kind}")


def type_texts(ruleset: str, seed: int, many: int) -> int:
    """Type so many texts for values of a game; how many of them were values of the wanted type."""
    game = games.game(ruleset)
    typist, kinds = Typist(names_of(game), seed), list(wanted_types(game))
    taken = 0
    for number in range(many):
        kind = typist.random.choice(kinds)
        text = typist.text_of(kind) if number % 3 else typist.text()
        source = Source.of("typed", text)
        try:
            value = game.reader().value(Scalar(text, Span(source, 0, len(text)), "'"), kind, "given")
        except HouseruleError:
            continue
        except Exception as error:
            raise AssertionError(f"seed {seed}, text {number}: `{text}` as {t.in_words(kind)}") from error
        taken += 1
        assert is_value_of(value, kind), (text, t.in_words(kind), value)
    return taken


@pytest.mark.parametrize("half", [pytest.param("fast"), pytest.param("thorough", marks=pytest.mark.thorough)])
@pytest.mark.parametrize("ruleset", GAMES)
def test_a_typed_text_is_a_value_of_its_type_or_refused_in_words(ruleset: str, half: str) -> None:
    assert type_texts(ruleset, 57, MANY[half]) > MANY[half] // 10


def test_expressions_without_a_game_have_a_value_or_are_refused_in_words() -> None:
    typist = Typist(Names(("hits",), FIELDS, (*functions.FUNCTIONS, *functions.FORMS)), 57)
    rolled = 0
    for number in range(200):
        text = typist.text_of(t.NUMBER) if number % 3 else typist.text()
        try:
            expression_ruleset([text]).game().roll(RULE, seed=1)
        except HouseruleError:
            continue
        except Exception as error:
            raise AssertionError(text) from error
        rolled += 1
    assert rolled > 3


@pytest.mark.parametrize("ruleset", GAMES)
def test_what_a_host_reads_of_a_state_by_a_typed_text_is_a_value_or_refused_in_words(ruleset: str) -> None:
    game = games.game(ruleset)
    typist, kinds = Typist(names_of(game), 58), list(wanted_types(game))
    for _ in range(150):
        text = typist.text_of(typist.random.choice(kinds))
        try:
            game.look(game.start, text)
        except HouseruleError:
            continue
        except Exception as error:
            raise AssertionError(text) from error


NO_OPERANDS = {
    "none < 1": "HR403", "1 == none": "HR403", "none.x & d6": "HR403", "none is d6": "HR403", "none": "HR403",
    "d6 & [].x": "HR416", "[].x": "HR416", "d6 if any([] where it > 3) else d8": "HR416",
    "d6 if first([none]) == 1 else d8": "HR416", "([] & []).x": "HR416",
}  # fmt: skip


@pytest.mark.parametrize("typed", NO_OPERANDS)
def test_what_has_no_type_is_no_operand(typed: str) -> None:
    with pytest.raises(PlayError, match=NO_OPERANDS[typed]):
        games.game("jadeclaw").roll("contest", own=typed, against="2d6")


@pytest.mark.parametrize(
    "typed", ["(d8 if yes else none) otherwise d6", "[]", "none otherwise d6", "d6 if [] in [[]] else d8"]
)
def test_what_has_no_type_stands_where_nothing_reads_it(typed: str) -> None:
    assert games.game("jadeclaw").roll("contest", own=typed, against="2d6", seed=1).outcome

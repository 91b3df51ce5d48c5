"""Records as people give them: as faces of a pile, as answers, in any order of their fields."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from interpreter import Game, PlayError, loads
from interpreter.cli import group
from interpreter.values import is_same_in_writing, split_list

RULES = """\
ruleset: cards
types: {card: {has: {rank: number, suit: number}}}
kinds:
  table: {one: yes, has: {deck: {list_of: card, default: []}}}
mechanics:
  pull:
    steps:
      drawn: {draw: 1, from: table.deck}
      rank:  highest(drawn.rank) otherwise 0
      suit:  highest(drawn.suit) otherwise 0
    outcomes: {high: rank > 2, low: otherwise}
  pick:
    inputs: {hand: {list_of: card}}
    steps:
      card: {choose: one, among: hand, ask: "Which card?"}
      rank: card.rank
      suit: card.suit
cases:
  - name: a card is drawn
    mechanic: pull
    before: {table: {deck: [{rank: 1, suit: 1}, {rank: 3, suit: 2}]}}
    faces: [{suit: 2, rank: 3}]
    expect: {rank: 3}
  - name: a card is chosen
    mechanic: pick
    given: {hand: [{rank: 1, suit: 1}, {rank: 3, suit: 2}]}
    choices: {card: {suit: 2, rank: 3}}
    expect: {suit: 2}
"""
DECK = [{"rank": 1, "suit": 1}, {"rank": 2, "suit": 1}, {"rank": 3, "suit": 2}, {"rank": 3, "suit": 3}]


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def held(game: Game) -> Any:
    return game.state({"table": {"deck": DECK}})


def test_odds_of_a_pile_of_records(game: Game) -> None:
    odds = game.odds("pull", state=held(game))
    assert odds.outcomes == {"high": Fraction(1, 2), "low": Fraction(1, 2)} and odds.mean("rank") == Fraction(9, 4)


@pytest.mark.parametrize("face", ["{rank: 3, suit: 2}", "{suit: 2,rank: 3}", {"rank": 3, "suit": 2}])
def test_a_record_is_drawn(game: Game, face: Any) -> None:
    assert game.roll("pull", state=held(game), faces=[face]).values["suit"] == 2


def test_a_record_that_is_not_there_is_refused(game: Game) -> None:
    with pytest.raises(PlayError, match=r"HR612 the die `deck` cannot show `\{rank: 9, suit: 2\}`"):
        game.roll("pull", state=held(game), faces=["{rank: 9, suit: 2}"])


@pytest.mark.parametrize("answer", ["{rank: 3, suit: 2}", {"suit": 2, "rank": 3}])
def test_a_record_is_chosen(game: Game, answer: Any) -> None:
    assert game.roll("pick", inputs={"hand": DECK}, choices={"card": answer}).values["suit"] == 2


def test_a_record_with_other_fields_names_who_is_asked(game: Game) -> None:
    with pytest.raises(PlayError, match="HR62"):
        game.roll("pick", inputs={"hand": DECK}, choices={"card": {"rank": 3}})


def test_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text(RULES)
    (tmp_path / "deck.yaml").write_text(f"table: {{is: table, deck: {str(DECK).replace(chr(39), '')}}}\n")
    tested = CliRunner().invoke(group, ["test", str(tmp_path / "cards.yaml")])
    assert "2 passed" in tested.output
    words = ["act", str(tmp_path / "cards.yaml"), str(tmp_path / "deck.yaml"), "pull", "--faces", "{suit: 3, rank: 3}"]
    assert "[{rank: 3, suit: 3}] drawn" in CliRunner().invoke(group, words).output
    words = ["roll", str(tmp_path / "cards.yaml"), "pick", "hand=[{rank: 1, suit: 1}, {rank: 2, suit: 1}]"]
    assert "rank: 2" in CliRunner().invoke(group, [*words, "--choose", "card={suit: 1, rank: 2}"]).output


def test_pieces_and_writing() -> None:
    assert split_list("4, {rank: 3, suit: 1}, [1, 2],") == ["4", "{rank: 3, suit: 1}", "[1, 2]"]
    assert is_same_in_writing("{a: 1, b: [2, 3]}", "{ b: [2, 3],a: 1 }")
    assert not is_same_in_writing("{a: 1}", "{a: 2}") and not is_same_in_writing("a: 1", "a:  1")

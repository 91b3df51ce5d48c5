"""A thing that is made is called after a text with `named`: by a name that every state may have, and by no other's."""

from __future__ import annotations

import json

import pytest

from interpreter import loads
from interpreter.api.game import Game

RULES = """
ruleset: notes
kinds:
  note: {has: {says: text}}
events:
  pin_up:
    inputs: {words: {type: text}, named: {type: yes_no, default: yes}}
    steps:
      made:  {make: note, named: words, with: {says: words}, if: named}
      plain: {make: note, with: {says: words}, if: not named}
"""


@pytest.fixture(scope="module")
def notes() -> Game:
    return loads(RULES)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Cold fingers", "cold_fingers"),
        ("  Beware of the dog!  ", "beware_of_the_dog"),
        ("Kälte", "kalte"),
        ("3 rats", "note_1"),  # a name begins with a letter
        ("d6", "note_1"),  # a die
        ("not", "note_1"),  # words of expressions
        ("Options", "note_1"),
        ("Scene", "note_1"),  # what is played
        ("霧", "note_1"),
        ("!", "note_1"),
        ("a " * 100, "_".join(["a"] * 20)),
    ],
)
def test_a_name_is_made_of_a_text_as_far_as_it_makes_one(notes: Game, words: str, name: str) -> None:
    state = notes.cause(notes.state(), "pin_up", words=words).state
    assert state is not None and list(state.things) == [name]
    saved = json.loads(json.dumps(notes.to_json(state)))
    assert notes.state(saved) == state


def test_nothing_is_called_like_something_else(notes: Game) -> None:
    state = notes.state()
    for _ in range(3):
        state = notes.cause(state, "pin_up", words="Mud").state or state
    assert list(state.things) == ["mud", "mud_2", "mud_3"]


def test_without_a_text_it_is_called_by_its_kind(notes: Game) -> None:
    state = notes.cause(notes.state(), "pin_up", words="Mud", named=False).state
    assert state is not None and list(state.things) == ["note_1"]

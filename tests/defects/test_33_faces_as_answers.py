"""Whoever chooses thrown dice names them by their faces, as far as these tell them apart."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter

HANDS = """\
ruleset: hands
roles: {lord: Who keeps.}
mechanics:
  keep:
    steps:
      hand:  {roll: 3d6 & d8}
      kept:  {choose: some, by: lord, among: hand, least: 2, most: 2}
      best:  {choose: one, by: lord, among: hand, default: first(hand)}
      sizes: sum(kept.size)
"""
FACES = [4, 4, 6, 4]


@pytest.mark.parametrize(
    ("kept", "sizes"),
    [
        ([6, "d6: 4"], 12),
        ([6, {"d8": 4}], 14),
        (["d6: 4", {"d6": 4}], 12),
        (["d8: 4", "d6: 6"], 14),
    ],
)
def test_a_face_names_a_die(kept: Any, sizes: int) -> None:
    assert result(kept, 6).values["sizes"] == sizes


@pytest.mark.parametrize("kept", [[6, 4], [6, 5], [6, 6], [{"d8": 6}, 6]])
def test_a_face_of_several_dice_or_of_none_is_refused(kept: Any) -> None:
    with pytest.raises(interpreter.PlayError, match="not a valid answer to `kept`"):
        result(kept, 6)


def test_one_die_is_named_by_its_face() -> None:
    assert result([6, "d6: 4"], 6).values["best"].face == 6
    with pytest.raises(interpreter.PlayError, match="not a valid answer to `best`"):
        result([6, "d6: 4"], 4)


def result(kept: Any, best: Any) -> Any:
    game = interpreter.loads(HANDS)
    return game.roll("keep", faces=FACES, choices={"kept": kept, "best": best})

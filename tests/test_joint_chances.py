"""Chances of several values together in cases: exact ones, and those of chains that are not followed to their end."""

from __future__ import annotations

from fractions import Fraction

from interpreter.api.game import Game
from interpreter.diagnostics.edits import apply_edits
from interpreter.diagnostics.source import Source
from interpreter.odds.answer import Law
from interpreter.odds.intervals import joint_chance_of
from interpreter.odds.truncation import AtLeast
from interpreter.pipeline import from_text
from interpreter.testing.cases import Trial, cases_of
from interpreter.testing.updates import edits_for

BURST = """
ruleset: burst
mechanics:
  burst:
    inputs: {need: {type: number, default: 4}}
    steps: {die: {roll: d6, again: face == 6}, thrown: count(die.throws), level: "min(sum(die), 8)"}
    outcomes: {hit: sum(die) >= need, miss: otherwise}
    also: {wild: sum(die) > 6}
cases:
  - name: the chain
    mechanic: burst
    joint:
"""


def failures(rows: str) -> list[str]:
    """The codes of the failures of a case with these rows, each where it has one, and the text as it is updated."""
    source = Source.of("burst.yaml", BURST + rows)
    loaded = from_text(source)
    assert loaded.program is not None and loaded.world is not None, loaded.problems.errors
    verdict = Trial(Game(loaded.program, loaded.world)).run(next(cases_of(loaded.world.cases)))
    edits = edits_for([verdict], None)
    return [*(one.code for one in verdict.failures), apply_edits(source, edits.get(source, ()))]


def test_all_rows_hold() -> None:
    rows = """
      - {outcome: hit, wild: yes, is: 1/6}
      - {outcome: miss, wild: no, is: 1/2}
      - {outcome: hit, level: [4, 5], is: 1/3}
      - {outcome: hit, level: 8, wild: yes, is: 5/36}
      - {outcome: miss, wild: yes, is: 0}
    """
    assert failures(rows)[:-1] == []


def test_what_is_not_followed_cannot_be_a_value_that_one_law_has_in_full() -> None:
    assert failures("      - {outcome: miss, thrown: 1, is: 1/2}\n")[:-1] == []
    assert failures("      - {outcome: hit, thrown: 2, is: 5/36}\n")[:-1] == []
    assert failures("      - {thrown: 2, level: 7, is: 1/36}\n")[:-1] == []


def test_what_is_not_followed_may_be_any_other_value() -> None:
    far = Law({("hit", 1): 5, ("miss", 1): 2, ("hit", 2): 2}, 10)
    thrown = Law({(1,): 7, (2,): 2}, 10, open=(((AtLeast(3),), 1),))
    laws = {("outcome",): Law({("hit",): 8, ("miss",): 2}, 10), ("thrown",): thrown, ("outcome", "thrown"): far}

    def chance(**meant: list[object]) -> tuple[Fraction, Fraction]:
        found = joint_chance_of(lambda *names: laws[names], meant)
        return found.low, found.high

    tenth = Fraction(1, 10)
    assert chance(outcome=["hit"], thrown=[3]) == (0, tenth)
    assert chance(outcome=["miss"], thrown=[3]) == (0, 0)  # every miss is known
    assert chance(outcome=["hit"], thrown=[2]) == (2 * tenth, 2 * tenth)  # what is missing throws three dice or more
    assert chance(outcome=["hit"], thrown=[2, 3]) == (2 * tenth, 3 * tenth)
    assert chance(outcome=["hit", "miss"], thrown=[1]) == (7 * tenth, 7 * tenth)


def test_a_failure_shows_both_chances_and_update_writes_the_right_one() -> None:
    wrong = """
      - {outcome: hit, wild: yes, is: 1/5}   # to be mended
      - {outcome: miss, wild: no, is: {about: 0.41}}
      - {outcome: miss, thrown: 1, is: 1/2}
    """
    *codes, text = failures(wrong)
    assert codes == ["HR701", "HR701"]
    mended = wrong.replace("1/5", "1/6").replace("0.41", "0.50")
    assert text == BURST + mended
    assert failures(mended)[:-1] == []

"""What `check` must not complain of, though it looks like a slip it knows."""

from __future__ import annotations

import pytest

from interpreter import pipeline
from interpreter.diagnostics.source import Source

PRICES = """\
ruleset: market
tables:
  price: {{type: number, rows: {rows}, off_the_rows: refuse}}
mechanics:
  buy:
    inputs: {{ware: {{{ware}}}}}
    steps: {{purse: {{roll: 3d6}}}}
    outcomes: {{bought: sum(purse) > price(ware), dear: otherwise}}
"""
HANDS = """\
ruleset: poker
ladders: {hand: [high, pair, flush]}
mechanics:
  NAME:
    inputs: {held: {type: hand, default: high}}
    steps: {die: {roll: d6}, best: "highest([held, pair])"}
    outcomes: {good: best >= flush or sum(die) > 4, bad: otherwise}
"""


def found(text: str) -> list[str]:
    return [str(one) for one in pipeline.from_text(Source.of("game.yaml", text), pipeline.Finder(())).problems]


@pytest.mark.parametrize(
    ("rows", "ware", "complaint"),
    [
        ("{1: 5, 3: 7}", 'type: number, where: "it in [1, 3]"', ""),
        ("{1: 5, 3: 7}", "type: number, from: 1, to: 3, where: odd(it)", ""),
        ("{1: 5, 3: 7}", "type: number, from: 1, to: 3", "no row for 2"),
        ("{1: 5, 4: 7}", "type: number, from: 1, to: 4, where: odd(it)", "no row for 2 to 3"),
        ("{tin: 5, gold: 7}", 'one_of: [tin, gold, lead], where: "it in [tin, gold]"', ""),
        ("{tin: 5, gold: 7}", "one_of: [tin, gold, lead]", "no row for `lead`"),
    ],
)
def test_a_table_needs_no_rows_for_what_the_input_refuses(rows: str, ware: str, complaint: str) -> None:
    told = found(PRICES.format(rows=rows, ware=ware))
    assert (not told) if not complaint else (len(told) == 1 and complaint in told[0]), told


@pytest.mark.parametrize("name", ["deal", "hand"])
def test_a_mechanic_may_have_the_name_of_a_list_of_words(name: str) -> None:
    assert found(HANDS.replace("NAME", name)) == []


ELEMENTS = """\
ruleset: fellowship
kinds: {hero: {has: {friend: {type: hero, optional: yes}, hand: {type: roll, optional: yes}, hp: {type: number}}}}
mechanics:
  look:
    inputs: {heroes: {list_of: hero, least: 1}, others: {list_of: hero, least: 1}}
    steps:
      all_of: [count(others), count(others.hand), count(others.friend), count(others.hp)]
      one:    LINE
"""


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("first(heroes).friend.hp + 1 if given(first(heroes).friend) else 0", ""),
        ("sum(item(heroes, 2).hand) if given(item(heroes, 2).hand) else 0", ""),
        ("item(heroes, 2).friend.hp + 1 if given(item(heroes, 1).friend) else 0", "may be missing"),
        ("last(heroes).friend.hp + 1 if given(first(heroes).friend) else 0", "may be missing"),
        ("first(others).friend.hp + 1 if given(first(heroes).friend) else 0", "may be missing"),
        ("count(others where given(first(heroes).friend) and first(heroes).friend.hp + 1 > it.hp)", ""),
    ],
)
def test_a_test_of_an_element_holds_for_that_element(line: str, complaint: str) -> None:
    told = found(ELEMENTS.replace("LINE", f'"{line}"'))
    assert (not told) if not complaint else (len(told) == 1 and complaint in told[0]), told


@pytest.mark.parametrize(
    ("step", "complaint"),
    [
        ("{set: first(strays).hp, to: 1, if: given(first(strays))}", ""),
        ("{is: first(strays).hp + 1, if: given(first(strays))}", ""),
        ("{set: last(strays).hp, to: 1, if: given(first(strays))}", "may be missing"),
    ],
)
def test_a_test_of_the_first_of_what_may_be_empty_holds_for_it(step: str, complaint: str) -> None:
    """Also where a step changes it, and not only where a formula reads a field of it."""
    text = ELEMENTS.replace("heroes: {list_of: hero, least: 1}", "strays: {list_of: hero}").replace("LINE", step)
    told = found(text)
    assert (not told) if not complaint else (len(told) == 1 and complaint in told[0]), told


def test_a_test_of_an_element_is_forgotten_where_the_state_changes() -> None:
    step = """
        if: given(first(heroes).friend)
        steps:
          before: first(heroes).friend.hp + 1
          leader: first(heroes)
          leaves: {set: leader.friend, to: none}
          after:  first(heroes).friend.hp + 1"""
    told = found(ELEMENTS.replace("LINE", step))
    assert len(told) == 1 and ":14:" in told[0] and "may be missing" in told[0], told


ENTRIES = """\
ruleset: fellowship
kinds:
  hero:
    has: {hp: {type: points, to: 9, starts: 9}, rival: {type: hero, optional: yes}}
mechanics:
  look:
    inputs: {one: hero, other: hero}
    steps:
      r: {for: who, among: "[one, other]", where: it.hp > 4, each: {dice: {roll: 2d6}, rival: who.rival}}
      n: LINE
"""


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("sum(r(one).dice) if given(r(one)) else 0", ""),
        ("sum(r(one).dice) if given(r(one).dice) else 0", ""),
        ("r(one).rival.hp + 1 if given(r(one).rival) else 0", ""),
        ("sum(r(other).dice) if given(r(one)) else 0", "may be missing"),
        ("count([one, other] where given(r(one)) and sum(r(it).dice) > 4)", "may be missing"),
        ("count([one, other] where given(r(one)) and sum(r(one).dice) > it.hp)", ""),
    ],
)
def test_a_test_of_an_entry_holds_for_that_entry(line: str, complaint: str) -> None:
    told = found(ENTRIES.replace("LINE", f'"{line}"'))
    assert (not told) if not complaint else (len(told) == 1 and complaint in told[0]), told


def test_a_test_of_an_entry_is_forgotten_where_the_state_changes() -> None:
    step = """
        if: given(r(one).rival)
        steps:
          before: r(one).rival.hp + 1
          leaves: {set: one.rival, to: none}
          after:  r(one).rival.hp + 1"""
    told = found(ENTRIES.replace("LINE", step))
    assert len(told) == 1 and ":15:" in told[0] and "may be missing" in told[0], told


GOALS = """\
ruleset: pig
roles: {player: Who throws.}
kinds: {racer: {has: {points: {type: points}}}}
mechanics:
  turn:
    steps:
      die: {roll: d6}
      on: {choose: yes_no, by: player, default: no, ask: "Again?"}
      more: {roll: d6, if: on}
      score: die + (sum(more) if given(more) else 0)
    also: {reached: score >= 8}
events:
  go:
    inputs: {who: {type: racer}}
    steps: {own: {call: turn}, won: {gain: own.score, to: who.points}}
cases:
  - {name: at best, mechanic: turn, KEY: GOAL, odds: {reached: 5/12}}
"""


@pytest.mark.parametrize(
    ("key", "goal", "complaint"),
    [("best", "reached", ""), ("best", "{player: reached}", ""), ("best", "score", "nothing comes of it")],
)
def test_a_flag_that_answers_are_chosen_for_needs_no_other_reader(key: str, goal: str, complaint: str) -> None:
    problems = [one for one in found(GOALS.replace("KEY", key).replace("GOAL", goal)) if "HR910" in one]
    assert len(problems) == bool(complaint) and all(complaint in one for one in problems)


CARDS = """\
ruleset: cut
ladders: {card: [two, king, joker]}
kinds:
  table: {one: yes, has: {deck: {list_of: card, default: "[two, king, joker]", seen_by: []}}}
mechanics:
  cut:
    steps: {cards: {draw: 1, from: table.deck}, card: {is: first(cards) otherwise two}}
    outcomes: {wild: card is joker, high: card > two, low: otherwise}
"""


def test_cards_that_are_drawn_may_be_compared_without_being_named() -> None:
    assert found(CARDS) == []

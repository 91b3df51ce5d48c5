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

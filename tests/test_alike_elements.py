"""Elements of piles that no rule of a question tells apart are one: odds are those of every order of the pile."""

from __future__ import annotations

from textwrap import indent

import pytest
from enumeration import by_enumeration

import interpreter
from interpreter.api.game import Game
from interpreter.odds import query_cache

RULES = {
    "until one comes": "cards: {repeat: 7, each: {card: {draw: 1, from: table.deck}, ace: 1 in card}, until: ace}\n"
    "value: count(cards)",
    "how many come": "one: {draw: 2, from: table.deck}\ntwo: {draw: 3, from: table.deck}\n"
    "value: 10 * count(one where it > 2) + count(two where it == 1)",
    "called again": "first_one: {call: high_card}\nsecond_one: {call: high_card}\n"
    "value: (10 if first_one.is_high else 0) + (1 if second_one.is_high else 0)",
    "in passes that end": "cards: {repeat: 4, carry: {high: 0}, each: {card: {draw: 1, from: table.deck},"
    ' high: "high + count(card where it >= 3)"}, until: high == 2}\nvalue: last(cards.high)',
}
"""Rules that read only conditions of what they draw."""

OTHERS = {
    "what it is": "card: {draw: 2, from: table.deck}\nvalue: sum(card)",
    "a name in the condition": "least: {roll: d3}\ncard: {draw: 2, from: table.deck}\n"
    "value: count(card where it > least)",
    "the pile": "card: {draw: 2, from: table.deck}\nlow: 1 in card\nvalue: sum(table.deck) + (100 if low else 0)",
    "the pile in a function": "card: {draw: 2, from: table.deck}\nlow: 1 in card\n"
    "value: worth(1) + (100 if low else 0)",
    "what comes first": "card: {draw: 2, from: table.deck}\nlow: 1 in card\nvalue: item(card, 1) + (100 if low else 0)",
    "one in passes": "cards: {repeat: 2, each: {card: {draw: 1, from: table.deck}, low: 1 in card}}\n"
    "value: count(cards.low where it)",
    "elements of passes": "cards: {repeat: 2, each: {card: {draw: 1, from: table.deck}, low: 1 in card}}\n"
    "value: sum(last(cards).card)",
    "passes under another name": "cards: {repeat: 2, each: {card: {draw: 1, from: table.deck}, low: 1 in card}}\n"
    "all_cards: cards\nvalue: count(all_cards)",
    "a call under another name": "first_one: {call: high_card}\nsame_one: first_one\n"
    "value: 1 if same_one.is_high else 0",
    "what was drawn in an earlier pass": "cards: {repeat: 2, each: {card: {draw: 1, from: table.deck}, low: 1 in card,"
    " same: count(earlier where it.low == any(earlier.low))}}\nvalue: last(cards.same)",
    "elements that are put elsewhere": "card: {draw: 2, from: table.deck}\nlow: 1 in card\n"
    "laid: {put: card, into: table.hand}\nvalue: sum(table.hand) + (100 if low else 0)",
}
"""Rules that read more, or do more."""


WORTH = 'functions:\n  worth: {takes: {n: number}, gives: "n * sum(table.deck)"}\n'


def game(rule: str) -> Game:
    return interpreter.loads(
        f"ruleset: piles\n{WORTH if 'worth(' in rule else ''}"
        "kinds:\n  table:\n    one: yes\n    has:\n"
        '      deck: {list_of: number, default: "[1, 2, 2, 3, 4, 4, 5]"}\n'
        "      hand: {list_of: number, default: []}\nmechanics:\n  high_card:\n    steps:\n"
        "      card: {draw: 1, from: table.deck}\n      is_high: any(card where it > 3)\n  one:\n    steps:\n"
        + indent(rule, "      ")
        + "\n    outcomes: {lived: otherwise}\n"
    )


def is_changed(played: Game, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a question about the value puts one element in the place of others."""
    changed = []
    original = query_cache.merge_alike_elements

    def watched(*given: object) -> object:
        made = original(*given)  # type: ignore[arg-type]
        changed.append(made != given[-1])
        return made

    with monkeypatch.context() as patched:
        patched.setattr(query_cache, "merge_alike_elements", watched)
        played.odds("one").law("value")
    return any(changed)


@pytest.mark.parametrize("rule", RULES | OTHERS)
def test_odds_are_those_of_every_order(rule: str) -> None:
    played = game((RULES | OTHERS)[rule])
    true = by_enumeration(played, "one", played.state(), ("value",), {})
    assert dict(played.odds("one").law("value").weights) == true


@pytest.mark.parametrize("rule", RULES)
def test_one_element_stands_for_others_where_only_conditions_are_read(
    rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_changed(game(RULES[rule]), monkeypatch)


@pytest.mark.parametrize("rule", [rule for rule in OTHERS if rule != "one in passes"])
def test_each_stands_for_itself_where_more_is_read(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_changed(game(OTHERS[rule]), monkeypatch)


@pytest.mark.parametrize(
    "rule, name",
    [
        ("one in passes", "cards"),
        ("called again", "first_one"),
        ("passes under another name", "all_cards"),
        ("a call under another name", "same_one"),
    ],
)
def test_passes_and_results_of_calls_are_told_as_they_are(rule: str, name: str) -> None:
    played = game((RULES | OTHERS)[rule])
    assert dict(played.odds("one").law(name).weights) == by_enumeration(played, "one", played.state(), (name,), {})


def test_what_is_drawn_is_told_as_it_is() -> None:
    played = game(RULES["how many come"])
    true = by_enumeration(played, "one", played.state(), ("one",), {})
    found = played.odds("one").law("one").weights
    assert {tuple(sorted(key[0])) for key in found} == {tuple(sorted(key[0])) for key in true}
    assert sum(found.values()) == 1

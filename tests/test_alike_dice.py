"""Decisions about dice that no rule tells apart are taken once for all of them, and are those that are taken else."""

from __future__ import annotations

from fractions import Fraction
from textwrap import indent

import pytest
from test_decisions import held

import interpreter
from interpreter import ir
from interpreter.ir.die_identity import identity_of
from interpreter.odds import decisions
from interpreter.odds.answer import Law

KEPT_TWICE = """
rolled: {roll: POOL}
kept:   {choose: some, among: rolled, default: rolled}
again:  {reroll: "without(rolled, kept)"}
held:   {choose: some, among: again, default: again}
shown:  {reroll: "without(again, held)"}
score:  SCORE
"""
RULES = {
    "kept twice, added up": KEPT_TWICE.replace("POOL", "2d3").replace("SCORE", "sum(shown)"),
    "kept twice, alike": KEPT_TWICE.replace("POOL", "2d3").replace("SCORE", "highest(groups(shown).width) otherwise 0"),
    "kept twice, of two sizes": KEPT_TWICE.replace("POOL", "d2 & d3").replace(
        "SCORE", "sum(held.size) * (highest(groups(shown).width) otherwise 0) + sum(shown)"
    ),
    "some thrown again, and the rest read": """
rolled: {roll: 3d3}
anew:   {choose: some, among: rolled, most: 2, default: []}
again:  {reroll: anew}
score:  "sum(without(rolled, anew)) * 2 + sum(again)"
""",
    "one of two marked lists": """
rolled: {roll: 3d3}
marked: {choose: some, among: rolled, least: 1, most: 1}
other:  {choose: some, among: rolled, least: 1, most: 2}
score:  3 * count(common(marked, other)) + sum(marked) - sum(other)
""",
    "what was thrown again is looked for among what was rolled": """
rolled: {roll: 3d3}
anew:   {choose: some, among: rolled, most: 2, default: []}
again:  {reroll: anew}
kept:   {choose: some, among: rolled & again, least: 1, most: 1}
score:  2 * sum(common(kept, anew)) + sum(kept) - count(common(rolled, again)) * highest(rolled)
""",
    "another choice before the rest is thrown": """
rolled: {roll: 3d3}
kept:   {choose: some, among: rolled, default: rolled}
bold:   {choose: yes_no, default: no}
again:  {reroll: "without(rolled, kept)"}
score:  "(sum(again) * 2 if bold else sum(kept)) - count(kept)"
""",
    "dice that are chosen are thrown, and counted": """
rolled: {roll: 3d3}
anew:   {choose: some, among: rolled, least: 1, default: rolled}
again:  {reroll: anew}
score:  sum(again) * 2 + sum(without(rolled, anew)) - count(anew)
""",
    "what is thrown again depends on what lies there": """
rolled: {roll: 3d3}
kept:   {choose: some, among: rolled, most: 2, default: []}
again:  {reroll: "without(rolled, kept)", if: sum(rolled) > 5}
score:  sum(again otherwise kept) * 2 + sum(kept)
""",
    "twice among the same dice": """
rolled: {roll: 3d3}
kept:   {choose: some, among: rolled, least: 1, most: 1}
other:  {choose: some, among: "without(rolled, kept)", least: 1, most: 1}
again:  {reroll: other}
score:  sum(kept) * 3 - sum(again) + sum(rolled)
""",
    "dice that a list holds twice": """
rolled: {roll: 2d3}
twice:  rolled & rolled
bold:   {choose: yes_no, default: no}
gone:   {choose: some, among: twice, least: 1, most: 1}
score:  "count(without(twice, gone)) * sum(gone) + (1 if bold else sum(twice))"
""",
    "one die": """
rolled: {roll: 3d3}
chosen: {choose: one, among: rolled}
again:  {reroll: chosen}
score:  "sum(without(rolled, chosen)) + 2 * sum(again)"
""",
    "by rank": """
rolled: {roll: 3d3}
marked: {choose: some, among: rolled, least: 1, most: 1}
best:   highest(rolled, 1)
again:  {reroll: marked}
score:  4 * count(common(best, marked)) + sum(again)
""",
    "dice that count": """
rolled: {roll: 3d3, counts: "2 if face == 3 else 1 if face == 2 else 0"}
kept:   {choose: some, among: rolled, default: rolled}
again:  {reroll: "without(rolled, kept)"}
score:  sum(again) * 2 - count(kept)
""",
    "dice that explode": """
rolled: {roll: 2d3, again: face == 3 and nth <= 2}
kept:   {choose: some, among: rolled, default: rolled}
score:  sum(kept) * 3 - sum(rolled)
""",
    "in a loop": """
tries:
  repeat: 2
  carry: {dice: start}
  each:
    anew:  {choose: some, among: dice, default: [], ask: "Which?"}
    again: {reroll: anew}
    dice:  again
score: sum(last(tries).dice)
""",
    "a roll that counts by a choice before it": """
chosen: {choose: some, among: [1, 3], default: []}
listed: "chosen & [2, sum(chosen)]"
tossed: {roll: d2, counts: count(listed where odd(it)) + face}
score:  tossed + 1
""",
    "around a loop": """
rolled: {roll: 2d3}
tries:
  repeat: 2
  each:
    die:   {choose: some, among: rolled, least: 1, most: 1, ask: "Which?"}
    again: {reroll: die}
    gain:  sum(again) - sum(die)
score: sum(tries.gain) + sum(rolled)
""",
    **{
        f"beside a number named {name}": f"""
die:    {{roll: d2}}
{name}: "1 if sum(die) > 1 else 0 - 3"
rolled: {{roll: 2d3}}
kept:   {{choose: some, among: rolled, default: rolled}}
again:  {{reroll: "without(rolled, kept)"}}
score:  sum(again) * {name} - count(kept)
"""
        for name in ("luck", "zeal")  # before and after the dice in the alphabet, by which names are compared
    },
}
LIMITED = """
only_here:
  steps:
    rolled: {roll: 3d6, counts: 1 if face == 6 else 0}
    opening: {reroll: rolled where face == 1, most: 1}
    best:   highest(opening, 2)
    place:  first(rolled)
"""


def game(rule: str, more: str = "") -> interpreter.Game:
    if "start" in rule:
        rule = "start: {roll: 2d3}\n" + rule.lstrip()
    text = f"ruleset: alike\nmechanics:\n  one:\n    steps:\n{indent(rule.strip(), '      ')}\n{indent(more, '  ')}"
    return interpreter.loads(text)


@pytest.mark.parametrize("name", RULES)
def test_the_best_answers_are_those_of_plain_play(name: str) -> None:
    held(game(RULES[name]), "one", "score")


@pytest.mark.parametrize("name", RULES)
def test_what_other_rules_observe_of_dice_changes_no_answer(name: str) -> None:
    alone, beside = game(RULES[name]), game(RULES[name], LIMITED)
    assert alone.odds("one", best="score").mean("score") == beside.odds("one", best="score").mean("score")


@pytest.mark.parametrize("name", ["kept twice, alike", "kept twice, added up"])
def test_equal_dice_are_decided_about_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = RULES[name].replace("2d3", "3d4")
    alike = game(rule).odds("one", best="score").law("score")
    monkeypatch.setattr(decisions, "rules_treat_alike", lambda identity: False)
    apart = game(rule).odds("one", best="score").law("score")
    assert mean(alike) == mean(apart)
    assert alike.cost and apart.cost and alike.cost.states * 2 < apart.cost.states


def mean(law: Law) -> Fraction:
    return sum((value * chance for (value,), chance in law.weights.items()), Fraction(0))


def test_a_question_is_asked_what_its_own_rules_observe_of_dice() -> None:
    program = game(RULES["kept twice, added up"], LIMITED).program
    assert program.die_identity == ir.DieIdentity(True, True, "all", True, True, True)
    assert identity_of(program, program.mechanics["one"]) == ir.DieIdentity(True, True, "none", True)
    assert identity_of(program, program.mechanics["only_here"]) == ir.DieIdentity(False, True, "all", True, True, True)

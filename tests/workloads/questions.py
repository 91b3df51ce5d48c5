"""Questions that people who play would ask, of `questions.yaml` and of bundled rulesets, by what they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import HERE, OUTCOME, TOTAL, Workload, points

QUESTION_RULES = HERE / "questions.yaml"


def asked(
    mechanic: str, of: tuple[str, ...] = OUTCOME, given: Mapping[str, Any] | None = None, best: str | None = None
) -> Workload:
    return Workload("", mechanic, of, given or {}, best=best)


QUESTIONS = {
    # pools that explode
    "8d6 exploding, keep 3": asked("best_three_of_exploding", TOTAL, {"pool": "8d6"}),
    "4d6 & 3d8 & 2d10 exploding, keep 3": asked("best_three_of_exploding", TOTAL, {"pool": "4d6 & 3d8 & 2d10"}),
    "10d10 exploding, drop the two lowest": asked("exploding_without_the_two_lowest", TOTAL),
    "6d8 exploding, the second highest": asked("second_highest_of_exploding", ("second",)),
    "12d10 from 8 up, tens again": asked("successes_of_exploding", ("successes",), {"pool": "12d10"}),
    "30d10 from 8 up, tens again": asked("successes_of_exploding", ("successes",), {"pool": "30d10"}),
    "9d6 exploding, how many reach 9": asked("exploding_dice_that_reach", ("reached",)),
    "5d6 exploding, keep the middle three": asked("middle_three_of_exploding", TOTAL),
    "8d10 exploding, successes less ones": asked("successes_less_ones", ("net",), {"pool": "8d10"}),
    "7d6 exploding, best and sum": asked("best_and_sum_of_exploding", ("best", "total")),
    "12d6 exploding once, keep 5 less ones": asked("exploding_once_with_a_penalty", TOTAL),
    # pools without exploding
    "spread of 6d10": asked("spread", ("spread",), {"pool": "6d10"}),
    "spread of 20d20": asked("spread", ("spread",), {"pool": "20d20"}),
    "10d10, drop the two lowest": asked("without_the_two_lowest", TOTAL, {"pool": "10d10"}),
    "9d12, how many show the highest": asked("how_many_show_the_highest", ("often",), {"pool": "9d12"}),
    "median of 7d20": asked("median", ("middle",)),
    "two best of 2d4 & 2d6 & 2d8 & 2d10 & 2d12": asked("mixed_pool_best_two", TOTAL),
    "two best of d6 & 2d8 & 2d10 & d12, and an effect die": asked(
        "mixed_pool_best_two_and_effect", ("total", "effect")
    ),
    # pools against pools
    "8d6 against 7d6, hits that explode": asked("hits_against_hits", OUTCOME, {"own": "8d6", "against": "7d6"}),
    "25d6 against 20d6, hits that explode": asked("hits_against_hits", OUTCOME, {"own": "25d6", "against": "20d6"}),
    "7d10 keep 3 against 6d10 keep 4, exploding": asked(
        "roll_and_keep", OUTCOME, {"own": "7d10", "keep": 3, "against": "6d10", "other_keep": 4}
    ),
    "d8 and d6 exploding against d10 and d6": asked("opposed_exploding", OUTCOME),
    "d8 and d6 exploding against d10 and d6, raises": asked("opposed_exploding", ("raises",)),
    "8d6 above the best of 6d6": asked("above_their_best", ("hits",)),
    "3d6 against 2d6 in pairs": asked("dice_of_battle", ("lost",)),
    "a siege, 10 against 8": asked("siege", OUTCOME, {"attackers": 10, "defenders": 8}),
    "a siege, 30 against 25": asked("siege", OUTCOME, {"attackers": 30, "defenders": 25}),
    "advantage against the lowest of three": asked("advantage_against_disadvantage"),
    "6d12 against 5d10, the highest and how often": asked("quarrel"),
    # thrown again
    "7d6, ones and twos again, keep 5": asked("low_dice_again", TOTAL),
    "10d6 pushed, sixes and ones": asked("pushed", ("hits", "banes")),
    "three d20 and damage with low dice again": asked("great_weapon", ("harm",)),
    "the middle of three d20": asked("middle_of_three"),
    "4d6 keep 3, all again if that helps": asked("again_if_it_helps", TOTAL, best="total"),
    "5d6, five alike with two throws more": asked("five_alike", OUTCOME, {"pool": "5d6", "wanted": 5}, "done"),
    "9d6, seven alike with two throws more": asked("five_alike", OUTCOME, {"pool": "9d6", "wanted": 7}, "done"),
    "5d6, 24 with two throws more": asked("number_reached", OUTCOME, {"pool": "5d6", "wanted": 24}, "done"),
    "9d6, 40 with two throws more": asked("number_reached", OUTCOME, {"pool": "9d6", "wanted": 40}, "done"),
    "5d6, a large straight with two throws more": asked("large_straight", best="done"),
    "6d6, 25 with two dice thrown again": asked("two_again", best="done"),
    # push your luck
    "a turn of pig": asked("pig", ("score",), best="score"),
    "d10s up to 21": asked("twenty_one", ("score",), best="score"),
    "ones and fives of six dice": asked("ones_and_fives", ("score",), best="score"),
    "tokens out of a bag, as far as one dares": asked("brains", ("score",), best="score"),
    # races and clocks
    "5 successes before 3 failures": asked("race", OUTCOME, {"made": 5, "lost": 3, "need": 65}),
    "30 successes before 20 failures": asked("race", OUTCOME, {"made": 30, "lost": 20, "need": 60}),
    "5d6 against 4d6, first to twelve successes": asked("race_of_pools"),
    "a clock of 8, by 3d6": asked("clock", ("needed",), {"pool": "3d6", "segments": 8}),
    "a clock of 24, by 2d6": asked("clock", ("needed",), {"pool": "2d6", "segments": 24}),
    "a clock of 8 before a danger of 6": asked("two_clocks"),
    "how long a d12 of supplies lasts": asked("supply", ("lasts",)),
    "5d10 exploding until twenty successes": asked("extended_exploding", ("needed",)),
    # damage and fights
    "4d6 exploding less 3d6 exploding, a wound for 4": asked(
        "exploding_damage", ("wounds",), {"blow": "4d6", "soak": "3d6"}
    ),
    "2d8 & 2d10 exploding less 2d6 & d8, a wound for 4": asked(
        "exploding_damage", ("wounds",), {"blow": "2d8 & 2d10", "soak": "2d6 & d8"}
    ),
    "six blows less armor": asked("soaked_blows", TOTAL),
    "20 attacks that hit, wound and are not saved": asked("volley", TOTAL, {"attacks": 20}),
    "60 attacks that hit, wound and are not saved": asked("volley", TOTAL, {"attacks": 60}),
    "a duel of 24 and 30 life": asked("duel"),
    "how many blows fell 45 life": asked("how_many_blows", ("needed",)),
    # sets and runs
    "7d6, four in a row": asked("run_of_four", OUTCOME, {"pool": "7d6"}),
    "6d6, the longest run": asked("longest_run", ("longest",)),
    "5d6, a full house": asked("full_house", OUTCOME, {"pool": "5d6"}),
    "10d6, a full house": asked("full_house", OUTCOME, {"pool": "10d6"}),
    "7d10, the widest set and its height": asked("widest_and_highest", ("best",), {"pool": "7d10"}),
    "8d10, how many sets": asked("how_many_sets", ("sets",)),
    "7d6, the worth of the widest set": asked("worth_of_the_widest", ("worth",)),
    "8d20, all different": asked("all_different"),
    "6d10 against 5d10, the widest sets": asked("sets_against_sets", ("ahead",)),
    # cards
    "five cards, a flush": asked("flush"),
    "five cards, a pair": asked("one_pair"),
    "seven cards, the best three": asked("best_three_of_seven_cards", TOTAL),
    "cards until an ace": asked("until_an_ace", ("needed",)),
    "a bank that stands on 17": asked("bank"),
    "four cards against three": asked("initiative_by_cards"),
    "two to four lands among seven cards": asked("opening_hand"),
    # points at best
    "three points of luck in five tests": asked("luck_in_tests", best="all"),
    "five points before three tests": asked("points_before", best="all"),
    "five points after three tests": asked("points_after", best="all"),
    "two draughts in five rooms": asked("draughts", best="alive"),
    "twelve dice for three tests": asked("dice_of_a_stock", best="all"),
    "D6, five points before and after the roll": points(5),
}
"""Each with what is asked of it; `test_questions.py` holds the answers to computations in plain Python."""

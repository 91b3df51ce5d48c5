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
    # passes, read in one way or another
    "six passes, the dice from 15 up": asked("passes_that_reach", ("good",)),
    "six passes, those whose die is 15 or more": asked("passes_of_which_it_reaches", ("good",)),
    "six passes with a bonus, the numbers from 16 up": asked("passes_with_a_bonus_that_reach", ("good",)),
    "six passes, the best die": asked("best_of_passes", ("best",)),
    "eight passes, the sum of their dice": asked("sum_of_passes", TOTAL),
    "six passes, the sum of what is 16 or more": asked("sum_of_what_reaches", TOTAL),
    "six passes, any twenty": asked("any_pass_is_a_twenty", ("critical",)),
    "seven passes, the spread of their dice": asked("spread_of_passes", ("spread",)),
    "five passes of 3d6, the best sum": asked("best_sum_of_passes", ("best",)),
    "five passes of 3d6, those of 13 or more": asked("passes_whose_sum_reaches", ("good",)),
    "passes until a six, how many": asked("passes_until_a_six", ("needed",)),
    "passes until a one, the sum of their dice": asked("total_until_a_one", TOTAL),
    # dice that a step only names
    "10d10, the widest of the named sets": asked("named_sets", ("widest",)),
    "8d6 & 4d8, how many named hits": asked("named_hits", ("made",), {"pool": "8d6 & 4d8"}),
    "9d8, the named best three": asked("named_best", TOTAL),
    "9d6, the named rest without the best two": asked("named_rest", TOTAL),
    "8d10, the best of the named even dice": asked("best_of_named_hits", ("best",)),
    # a few dice thrown again
    "10d10, three misses again": asked("three_again", ("hits",), {"size": 10}),
    "30d10, three misses again": asked("three_again", ("hits",), {"size": 30}),
    "10d10 whose tens count twice, three misses again": asked("three_again_that_count", ("hits",)),
    "7d10 and two of hunger, three plain misses again": asked("three_plain_again", ("hits",)),
    "6d6, the two lowest again": asked("two_lowest_again", TOTAL),
    "four dice and five of stress": asked("pushed_or_not", ("successes", "panicked"), {"dice": 4, "stress": 5}),
    "four dice and five of stress, pushed": asked(
        "pushed_or_not", ("successes", "panicked"), {"dice": 4, "stress": 5, "push": True}
    ),
    "twenty shots that wound and are not saved": asked("shots", ("lost",)),
    "twenty shots, the misses again": asked("shots", ("lost",), {"again": True}),
    # pools against pools, die by die
    "5d6 ahead of 4d8, die by die": asked("better_of_two_pools", ("ahead",)),
    "3d6 ahead of 2d6, 2d6 and 5d6": asked("best_of_four_pools", ("ahead",)),
    "5d6 ahead of 3d6, 2d6 and 2d6": asked("best_of_four_pools_with_five", ("ahead",)),
    "6d10, the widest set and the longest straight": asked("set_and_straight", ("widest", "longest")),
    "6d10, a set, a straight or the highest die": asked("set_straight_or_highest", TOTAL, {"pool": "6d10"}),
    # dice that a rule leads to
    "a blow of 8d6 & 2d8 that is caused": asked("a_blow_that_is_caused", TOTAL),
    "the best two of 6d6 against those of 5d6, exploding": asked("two_exploding_pools", ("ahead",)),
    # more of what tables ask
    "six terms of a life that teaches skills": asked("a_life"),
    "8d6, how many different faces": asked("different_faces", ("different",)),
    "5d6, how many pairs": asked("pairs_among_five", ("pairs",)),
    "3d20, highest less lowest": asked("highest_less_lowest_of_three", ("spread",)),
    "2d6, and 2d6 more with doubles": asked("doubles_add", TOTAL),
    "two d10 as a percentage, the better way round": asked("higher_or_lower_of_percent", ("best",)),
    "two of three checks of 3d6 against 11": asked("three_checks_of_which_two", ("made",)),
}
"""Each with what is asked of it; `test_questions.py` holds the answers to computations in plain Python."""

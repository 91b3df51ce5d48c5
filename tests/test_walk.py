"""What each verb does, played with dice on the table: which faces are asked for, in which order, what follows."""

from __future__ import annotations

from typing import Any

import pytest

import interpreter
from interpreter import Choice, Game, PlayError, Result
from interpreter.values import Thrown


def rules(mechanics: str, more: str = "") -> Game:
    """A little ruleset; `mechanics` stands under that key, indented by two."""
    return interpreter.loads(
        f"ruleset: little\nlanguage: 1\n"
        f"roles: {{roller: Who rolls., game_master: Who rules.}}\n{more}\nmechanics:\n{mechanics}"
    )


def play(steps: str, more: str = "", /, **given: Any) -> Result:
    """The result of one mechanic whose steps these are."""
    return rules(f"  played:\n    steps:\n{steps}", more).roll("played", **given)


def shown(roll: Any) -> list[list[Any]]:
    """The faces of every die, in the order in which it showed them."""
    return [[throw.face for throw in die.throws] for die in roll]


def worth(roll: Any) -> list[int]:
    return [die.value for die in roll]


def code(error: pytest.ExceptionInfo[PlayError]) -> str:
    return error.value.diagnostic.code


# The order of faces ----------------------------------------------------------------------------------------------


def test_first_all_first_throws_then_chains_die_by_die_then_rerolls() -> None:
    result = play(
        """
      rolled:
        roll: 3d6
        again: face == 6
        then:
          once_more: {reroll: rolled where value == 1}
""",
        faces=[6, 1, 6, 2, 6, 3, 5],
    )
    # 6 1 6 are the first throws; 2 goes on with the first die, 6 and 3 with the third; 5 replaces the 1.
    assert shown(result.values["rolled"]) == [[6, 2], [5], [6, 6, 3]]
    assert worth(result.values["rolled"]) == [8, 5, 15]
    assert result.faces == (6, 1, 6, 2, 6, 3, 5)


def test_parts_are_thrown_in_the_order_in_which_they_are_written() -> None:
    result = play(
        """
      rolled: {roll: {action: d6, challenge: 2d10}}
      action: sum(rolled.action)
      challenge: highest(rolled.challenge) otherwise 0
""",
        faces=[3, 9, 7],
    )
    assert [die.part for die in result.values["rolled"]] == ["action", "challenge", "challenge"]
    assert (result.values["action"], result.values["challenge"]) == (3, 9)


def test_dice_are_thrown_as_they_are_written_joined_and_times() -> None:
    result = play("      rolled: {roll: 'd4 & times(d8 & d6, 2)'}\n", faces=[4, 8, 6, 7, 5])
    assert [die.die.size for die in result.values["rolled"]] == [4, 8, 6, 8, 6]


def test_steps_are_asked_one_under_the_other_and_calls_where_they_stand() -> None:
    game = rules("""
  inner: {steps: {rolled: {roll: d6}}}
  outer:
    steps:
      before: {roll: d4}
      called: {call: inner}
      after: {roll: d8}
""")
    result = game.roll("outer", faces=[4, 6, 8])
    assert worth(result.values["called"]["rolled"]) == [6]
    with pytest.raises(PlayError):
        game.roll("outer", faces=[6, 4, 8])


# Every throw -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", ["d8", "d8 if big else d6", "own"])
def test_a_call_gives_a_die_as_a_die(given: str) -> None:
    game = rules(f"""
  strike:
    inputs: {{die: {{type: die}}}}
    steps: {{half: die.size / 2}}
  played:
    inputs: {{own: {{type: die, default: d8}}, big: {{type: yes_no, default: yes}}}}
    steps: {{blow: {{call: strike, with: {{die: {given}}}}}}}
""")
    assert game.roll("played").values["blow"]["half"] == 4


def test_each_runs_for_every_throw_and_counts_stands_in_place_of_the_face() -> None:
    result = play(
        """
      rolled:
        roll: 2d6
        each:
          third: nth == 3
          before: count(earlier)
        counts: 10 if third else face
        again: counts == 6
      marks: rolled.before
      throws: count(rolled.throws)
      values: rolled.throws.counts
""",
        faces=[6, 2, 6, 5],
    )
    assert shown(result.values["rolled"]) == [[6, 6, 5], [2]]
    assert worth(result.values["rolled"]) == [22, 2]  # the third throw counts 10
    assert result.values["marks"] == (0, 1, 2, 3)  # `earlier` are all throws before, of other dice too
    assert result.values["throws"] == 4
    assert result.values["values"] == (6, 6, 10, 2)


def test_again_sees_what_the_throw_counts_for_and_nth_can_cap_it() -> None:
    result = play("      r: {roll: d6, counts: face - 1, again: counts == 5 and nth < 3}\n", faces=[6, 6, 6])
    assert worth(result.values["r"]) == [15]


def test_what_a_die_is_can_be_asked_of_it() -> None:
    result = play(
        """
      rolled:
        roll: {plain: d8, strange: d6 odd_one}
        each:
          size_seen: size
          is_odd: odd_one in tags
          is_plain: part is plain
      strange: rolled.is_odd
      plain: rolled.is_plain
      sizes: rolled.size_seen
""",
        "tags: [odd_one]",
        faces=[3, 3],
    )
    assert (result.values["strange"], result.values["plain"], result.values["sizes"]) == (
        (False, True),
        (True, False),
        (8, 6),
    )


def test_a_guard_is_a_fuse() -> None:
    steps = "      rolled: {roll: d6, again: face == 6, guard: 3}\n"
    assert worth(play(steps, faces=[6, 6, 1]).values["rolled"]) == [13]
    with pytest.raises(PlayError) as error:
        play(steps, faces=[6, 6, 6, 1])
    assert code(error) == "HR630"


def test_a_chain_without_a_guard_of_its_own_ends_too() -> None:
    with pytest.raises(PlayError) as error:
        play("      low: {roll: d2}\n      rolled: {roll: d6, again: face > low - 2}\n", seed=1)
    assert code(error) == "HR630"


# Repetition ------------------------------------------------------------------------------------------------------


def test_repeat_gives_every_pass_and_until_is_asked_after_each() -> None:
    steps = """
      tries:
        repeat: 4
        each:
          rolled: {roll: d6}
          score: sum(rolled) + nth
        until: score >= 8
      scores: tries.score
"""
    assert play(steps, faces=[1, 2, 6]).values["scores"] == (2, 4, 9)
    assert play(steps, faces=[1, 2, 3, 3]).values["scores"] == (2, 4, 6, 7)
    assert play(steps, faces=[6, 6]).values["scores"] == (7, 8)


@pytest.mark.parametrize(("keep", "kept"), [("lowest", (2, 1)), ("highest", (5, 2))])
def test_keep_keeps_the_first_of_equals(keep: str, kept: tuple[int, int]) -> None:
    result = play(
        f"""
      best:
        repeat: 4
        each:
          rolled: {{roll: d6}}
          score: sum(rolled)
          number: nth
        keep: {{{keep}: score}}
      score: best.score
      number: best.number
""",
        faces=[2, 5, 2, 5],
    )
    assert (result.values["score"], result.values["number"]) == kept


def test_no_pass_at_all() -> None:
    steps = """
      best: {repeat: 0, each: {rolled: {roll: d6}}, keep: {highest: sum(rolled)}}
      score: sum(best.rolled) otherwise 7
"""
    with pytest.raises(interpreter.RulesetError):
        play(steps)
    steps = "      none_at_all: {repeat: -2, each: {rolled: {roll: d6}}}\n      n: count(none_at_all)\n"
    result = play(steps, faces=[])
    assert result.values["n"] == 0


def test_the_count_is_taken_once_and_passes_see_those_before() -> None:
    result = play(
        """
      tries:
        repeat: 3
        each:
          sum_before: sum(earlier.number)
          number: nth * 10
      sums: tries.sum_before
""",
        faces=[],
    )
    assert result.values["sums"] == (0, 10, 30)


def test_a_run_may_not_go_on_for_ever() -> None:
    with pytest.raises(PlayError) as error:
        play("      tries: {repeat: 1000000000, each: {one: nth}}\n")
    assert code(error) == "HR631"


# Rerolls and dice set down ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "faces", "after"),
    [
        ("", [5, 6], [[5], [3], [6]]),
        (" by -size, most: 1", [9], [[1], [3], [9]]),
        (" by size, most: 1", [4], [[4], [3], [1]]),
        (", most: 1", [2], [[2], [3], [1]]),
        (", most: 0", [], [[1], [3], [1]]),
        (", to: 2", [], [[2], [3], [2]]),
    ],
)
def test_reroll(how: str, faces: list[int], after: list[list[int]]) -> None:
    result = play(
        f"""
      thrown: {{roll: d6 & d8 & d10}}
      again:  {{reroll: thrown where face == 1{how}}}
""",
        faces=[1, 3, 1, *faces],
    )
    assert shown(result.values["again"]) == after
    assert shown(result.values["thrown"]) == [[1], [3], [1]]  # a name keeps what it was bound to


def test_of_equal_sizes_the_first_thrown_is_rerolled() -> None:
    result = play("      a: {roll: 3d6}\n      b: {reroll: a by -size, most: 2}\n", faces=[1, 2, 3, 4, 5])
    assert shown(result.values["b"]) == [[4], [5], [3]]


def test_a_reroll_keeps_which_die_it_is() -> None:
    result = play(
        """
      thrown: {roll: 3d6}
      again: {reroll: thrown where face == 1}
      others: without(again, thrown where face == 1)
""",
        faces=[1, 4, 1, 4, 4],
    )
    assert shown(result.values["others"]) == [[4]]
    assert result.values["others"][0].key == 1


def test_placed_dice_ask_for_no_face() -> None:
    result = play(
        """
      set_down: {place: 2d6, showing: 5}
      rolled:   {roll: d6}
      total:    sum(set_down & rolled)
""",
        faces=[3],
    )
    assert result.values["total"] == 13
    keys = [die.key for name in ("set_down", "rolled") for die in result.values[name]]
    assert len(set(keys)) == 3


# Pairs and comparisons -------------------------------------------------------------------------------------------


def test_pairs_meet_missing_dice_and_first_orders_equals() -> None:
    steps = """
      mine:  {roll: 2d6 & d6 keen}
      other: {roll: d6}
      pairs:
        pair: mine
        with: other
        missing: 2
        first: keen in tags
        each:
          lead: ours - theirs
      leads: pairs.lead
"""
    result = play(steps, "tags: [keen]", faces=[4, 6, 4, 5])
    assert result.values["leads"] == (1, 2, 2)
    assert [pair["ours"].die.tags for pair in result.values["pairs"]] == [(), ("keen",), ()]
    assert [pair["theirs"].value for pair in result.values["pairs"]] == [5, 2, 2]


@pytest.mark.parametrize(
    ("ties", "score", "rank", "stands"),
    [
        ("", 5, "low", "ahead"),
        ("", 3, "high", "behind"),
        ("", 4, "high", "ahead"),
        ("", 4, "low", "behind"),
        ("", 4, "middle", "level"),
        ("ours", 4, "middle", "ahead"),
        ("theirs", 4, "middle", "behind"),
    ],
)
def test_the_first_line_that_differs_decides(ties: str, score: int, rank: str, stands: str) -> None:
    game = rules(
        f"""
  compared:
    inputs: {{score: number, rank: rank}}
    steps:
      standing:
        compare:
          score: {{ours: score, theirs: 4}}
          rank:  {{ours: rank, theirs: middle}}
        {f"ties: {ties}" if ties else "about: A tie stays one."}
""",
        "ladders: {rank: [low, middle, high]}",
    )
    standing = game.roll("compared", score=score, rank=rank).values["standing"]
    assert [name for name, holds in standing.items() if holds] == [stands]


# Choices ---------------------------------------------------------------------------------------------------------

CHOICES = """
  choices:
    inputs: {most: {type: number, default: 4}}
    steps:
      number: {choose: number, from: 1, to: most, by: roller, default: 2, if: most > 0}
      sure:   {choose: yes_no, by: game_master, default: no}
      one:    {choose: one, among: "[3, 5, 8]", where: it <= most * 2, by: roller, default: 3}
      some:   {choose: some, among: "[1, 2, 3]", least: 0, most: 2, by: roller, default: []}
      text:   {choose: text, by: roller, default: told}
"""


def test_every_kind_of_choice_has_its_default() -> None:
    result = rules(CHOICES).roll("choices")  # the default of a text is the text itself
    assert [value for _, value in result.choices] == [2, False, 3, (), "told"]
    game = rules(CHOICES.replace(", default: told", ""))
    with pytest.raises(PlayError) as error:
        game.roll("choices")
    assert code(error) == "HR621"
    result = game.roll("choices", choices={"text": "a tale"})
    assert [value for _, value in result.choices] == [2, False, 3, (), "a tale"]


def test_choices_are_answered_and_kept_by_the_path_of_their_step() -> None:
    game = rules(CHOICES.replace(", default: told", ""))
    given = {"number": 4, "sure": "yes", "one": 5, "some": [3, 1], "text": "yes"}
    result = game.roll("choices", choices=given)
    assert result.choices == (("number", 4), ("sure", True), ("one", 5), ("some", (3, 1)), ("text", "yes"))


@pytest.mark.parametrize(
    "wrong",
    [
        *({"number": 5}, {"number": 0}, {"number": "yes"}, {"sure": 1}, {"one": 4}, {"one": "x"}, {"some": [1, 2, 3]}),
        *(
            {"some": [4]},
            {"some": [1, 1]},
            {"some": "x"},
        ),
    ],
    ids=str,
)
def test_what_is_no_legal_answer(wrong: dict[str, Any]) -> None:
    game = rules(CHOICES.replace(", default: told", ""))
    with pytest.raises(PlayError):
        game.roll("choices", choices={"text": "a tale", **wrong})


@pytest.mark.parametrize("wrong", [99, 0, True, None, "x", [1]])
def test_what_a_hosts_policy_may_not_answer(wrong: Any) -> None:
    game = rules("  m:\n    steps:\n      n: {choose: number, from: 1, to: 4, by: roller}\n")
    with pytest.raises(PlayError):
        game.roll("m", policy=lambda choice: wrong)


def test_a_choice_with_one_legal_answer_is_not_asked() -> None:
    game = rules("""
  m:
    inputs: {top: number}
    steps:
      number: {choose: number, from: 1, to: top, by: roller}
      one:    {choose: one, among: "[1, 2, 3]", where: it <= top, by: roller}
      some:   {choose: some, among: "[1, 2, 3]", where: it > 3, by: roller}
""")
    asked: list[Choice] = []
    result = game.roll("m", top=1, ask=asked.append)
    assert asked == [] and result.choices == ()
    assert result.values == {"number": 1, "one": 1, "some": ()}
    with pytest.raises(PlayError) as error:
        game.roll("m", top=0)
    assert code(error) == "HR625"


def test_a_skipped_choice_takes_its_default() -> None:
    game = rules("""
  m:
    inputs: {asked: yes_no}
    steps:
      number: {choose: number, from: 1, to: 9, by: roller, default: 7, if: asked}
      twice: number * 2
""")
    assert game.roll("m", asked=False).values["twice"] == 14
    assert game.roll("m", asked=True, choices={"number": 3}).values["twice"] == 6


def test_whoever_is_asked_sees_who_decides_what_and_what_it_means() -> None:
    game = rules(
        "  m:\n    steps:\n      ruling: {choose: one, among: verdicts, by: game_master, ask: 'What is it?'}\n",
        "names: {verdicts: {good: All is well., bad: It is not.}}",
    )
    seen: list[Choice] = []

    def ask(choice: Choice) -> str:
        seen.append(choice)
        return "bad"

    assert game.roll("m", ask=ask).values["ruling"] == "bad"
    (choice,) = seen
    assert (choice.path, choice.by, choice.ask) == ("ruling", "game_master", "What is it?")
    assert choice.options == ("good", "bad")
    assert choice.meanings == {"good": "All is well.", "bad": "It is not."}


def test_answers_come_from_choices_then_policy_then_ask_then_default() -> None:
    game = rules(
        "  m:\n    steps:\n      n: {choose: number, from: 1, to: 9, by: roller, default: 1}\n",
        "policies: {bold: {n: 9}}",
    )
    ask = {"ask": lambda choice: 3}
    assert game.roll("m").values["n"] == 1
    assert game.roll("m", **ask).values["n"] == 3
    assert game.roll("m", policy="bold", **ask).values["n"] == 9
    assert game.roll("m", policy=lambda choice: 5, **ask).values["n"] == 5
    assert game.roll("m", policy="bold", choices={"n": 2}, **ask).values["n"] == 2
    with pytest.raises(PlayError) as error:
        game.roll("m", policy="blod")
    assert code(error) == "HR642"


TWO_LEGS = """
  m:
    steps:
      out:  {steps: {push: {choose: number, from: 0, to: 9, default: 0}}}
      back: {steps: {push: {choose: number, from: 0, to: 9, default: 0}}}
"""


@pytest.mark.parametrize(
    ("choices", "out", "back"),
    [
        ({"push": 1, "back.push": 2}, 1, 2),
        ({"back.push": 2, "push": 1}, 1, 2),
        ({"out.push": 3, "push": 4}, 3, 4),
        ({"out.push": 3, "back.push": 4}, 3, 4),
    ],
)
def test_of_several_keys_that_fit_a_choice_the_longest_answers_it(choices: dict[str, int], out: int, back: int) -> None:
    result = rules(TWO_LEGS).roll("m", choices=choices)
    assert (result.values["out"]["push"], result.values["back"]["push"]) == (out, back)


@pytest.mark.parametrize(
    ("choices", "expected"),
    [({"push": 1}, "HR624"), ({"push": 1, "out.push": 2, "back.push": 3}, "HR623")],
)
def test_a_key_is_for_one_choice_that_no_longer_key_answers(choices: dict[str, int], expected: str) -> None:
    with pytest.raises(PlayError) as error:
        rules(TWO_LEGS).roll("m", choices=choices)
    assert code(error) == expected


def test_a_comparison_takes_yes_and_no() -> None:
    game = rules("""
  m:
    inputs: {a: yes_no, b: yes_no}
    steps:
      drawn: {compare: {quick: {ours: a, theirs: b}, either: {ours: a or b, theirs: no}}}
""")
    for a, b, ahead, behind in ((True, False, True, False), (False, True, False, True), (True, True, True, False)):
        drawn = game.roll("m", a=a, b=b).values["drawn"]
        assert (drawn["ahead"], drawn["behind"], drawn["level"]) == (ahead, behind, False)
    assert game.roll("m", a=False, b=False).values["drawn"]["level"]


ASKED_TWICE = """
  m:
    steps:
      tries:
        repeat: 2
        each:
          n:      {choose: number, from: 1, to: 9, by: roller, default: 1}
          burned: {choose: some, among: "[1, 2, 3]", by: roller, default: []}
      numbers: tries.n
      burned:  tries.burned
"""


def test_asked_repeatedly_it_takes_a_list() -> None:
    game = rules(ASKED_TWICE.replace("      burned:  tries", "      burnt:  tries"))
    result = game.roll("m", choices={"n": [4, 5], "tries.burned": [[1, 2], []]})
    assert (result.values["numbers"], result.values["burnt"]) == ((4, 5), (1, 2))
    for wrong, expected in (({"n": [4, 5, 6]}, "HR623"), ({"n": 4}, "HR622"), ({"m": 4}, "HR623")):
        with pytest.raises(PlayError) as error:
            game.roll("m", choices=wrong)
        assert code(error) == expected


SKIPPED = """
  m:
    inputs: {go: yes_no, most: {type: number, default: 2}, brave: {type: yes_no, default: yes}}
    steps:
      bold: {choose: yes_no, by: roller, default: no, if: go}
      held: {choose: number, from: 0, to: most, by: roller, default: 0}
      tries: {steps: {dared: {choose: yes_no, by: roller, default: no}}, if: go and brave}
"""


def test_an_answer_that_nothing_asked_for_says_why_where_that_is_known() -> None:
    game = rules(SKIPPED)
    for choices, why in (
        ({"bold": True}, "`bold` was never asked: `bold` runs only if `go`"),
        ({"dared": True}, "`dared` was never asked: `tries` runs only if `go and brave`"),
        ({"held": 1}, "`held` was not asked: it could only be 0"),
        ({"hold": 0}, "`hold` was never asked"),
    ):
        with pytest.raises(PlayError) as error:
            game.roll("m", choices=choices, go=False, most=0)
        assert (code(error), error.value.diagnostic.message) == ("HR623", why)


def test_how_many_answers_were_given_is_counted() -> None:
    game = rules(ASKED_TWICE.replace("burned:  tries", "burnt:  tries"))
    with pytest.raises(PlayError, match=r"`tries\.n` is asked again, but only 1 answer was given"):
        game.roll("m", choices={"n": 4})
    with pytest.raises(PlayError, match="only 0 answers were given"):
        game.roll("m", choices={"n": []})


def test_a_list_is_one_answer_where_the_answer_is_a_list() -> None:
    game = rules("  m:\n    steps:\n      s: {choose: some, among: '[1, 2, 3]', by: roller}\n")
    assert game.roll("m", choices={"s": [1, 3]}).values["s"] == (1, 3)
    assert game.roll("m", choices={"s": [[1, 3]]}).values["s"] == (1, 3)
    assert game.roll("m", choices={"s": []}).values["s"] == ()
    assert game.roll("m", choices={"s": 2}).values["s"] == (2,)


def test_thrown_dice_can_be_chosen_among_equal_ones_too() -> None:
    game = rules("""
  m:
    steps:
      rolled: {roll: 3d6}
      kept:   {choose: some, among: rolled, by: roller}
      again:  {reroll: "without(rolled, kept)"}
      hand:   again
""")
    first = game.roll("m", faces=[4, 4, 2, 6], policy=lambda choice: choice.options and choice.options[:2])
    assert worth(first.values["hand"]) == [4, 4, 6]
    assert game.replay(first.to_json()).to_json() == first.to_json()


def test_equal_dice_of_a_pool_are_chosen_one_by_one() -> None:
    game = rules("""
  m:
    steps:
      taken: {choose: some, among: 2d6 & d8, by: roller}
      left:  without(2d6 & d8, taken)
""")
    first = game.roll("m", choices={"taken": ["d6", "d6"]})
    assert [die.size for die in first.values["left"]] == [8]
    assert first.to_data()["choices"] == [{"choice": "taken", "answer": ["d6", "d6"], "picked": [0, 1]}]
    assert game.replay(first.to_json()).to_json() == first.to_json()
    with pytest.raises(PlayError):
        game.roll("m", choices={"taken": ["d6", "d6", "d6"]})


def test_a_choice_called_twice_must_be_named_in_full() -> None:
    game = rules("""
  ask: {steps: {n: {choose: number, from: 1, to: 9, by: roller, default: 1}}}
  m:
    steps:
      one: {call: ask}
      two: {call: ask}
      total: one.n * 10 + two.n
""")
    assert game.roll("m", choices={"one.n": 4, "two.n": 5}).values["total"] == 45
    with pytest.raises(PlayError) as error:
        game.roll("m", choices={"n": [4, 5]})
    assert code(error) == "HR624"


# Ends, outcomes, stages, calls -----------------------------------------------------------------------------------

ENDING = """
  m:
    inputs: {n: number}
    steps:
      early: {end: nothing_to_do, if: n < 1}
      rolled: {roll: d6}
      deep:
        if: n > 1
        steps:
          late: {end: enough, if: n > 2}
          more: {roll: d6}
      total: sum(rolled) + (deep.more otherwise 0)
    outcomes:
      high: total >= 6
      low:  otherwise
    also:
      one: total == 1
  caller:
    inputs: {n: number}
    steps:
      inner: {call: m, with: {n: n}}
      after: 5
    outcomes: {as: inner}
"""


def test_an_end_names_the_outcome_and_nothing_below_is_run() -> None:
    game = rules(ENDING)
    assert game.roll("m", n=0, faces=[]).outcome == "nothing_to_do"
    ended = game.roll("m", n=3, faces=[2])
    assert (ended.outcome, ended.values["total"], ended.also) == ("enough", None, {"one": None})
    assert game.roll("m", n=2, faces=[2, 4]).outcome == "high"
    assert game.roll("m", n=1, faces=[1]).also == {"one": True}
    assert game.mechanics["m"].outcomes == ("high", "low", "nothing_to_do", "enough")


def test_the_end_of_a_called_rule_does_not_end_its_caller() -> None:
    result = rules(ENDING).roll("caller", n=3, faces=[2])
    assert (result.outcome, result.values["after"]) == ("enough", 5)
    assert [line.depth for line in result.trace if line.name == "after"] == [0]


def test_an_outcome_may_have_steps_and_they_may_end_otherwise() -> None:
    game = rules("""
  m:
    inputs: {n: number}
    steps: {twice: n * 2}
    outcomes:
      won:
        if: n > 3
        steps:
          prize: {roll: d6}
          lost:  {end: swindled, if: sum(prize) == 1}
          kept:  sum(prize) + twice
      draw: otherwise
  caller:
    inputs: {n: number}
    steps:
      inner: {call: m, with: {n: n}}
      kept: inner.kept otherwise 0
    outcomes: {as: inner}
""")
    won = game.roll("m", n=4, faces=[5])
    assert (won.outcome, won.values["kept"]) == ("won", 13)
    assert game.roll("m", n=3, faces=[]).outcome == "draw"
    assert game.roll("m", n=4, faces=[1]).outcome == "swindled"
    assert game.mechanics["m"].outcomes == ("won", "draw", "swindled")
    called = game.roll("caller", n=4, faces=[1])
    assert (called.outcome, called.values["kept"]) == ("swindled", 0)


def test_end_and_call_may_be_names_of_inputs() -> None:
    game = rules("""
  inner: {inputs: {end: number, call: number}, steps: {total: end + call}}
  outer:
    inputs: {n: number}
    steps: {made: {call: inner, with: {end: n, call: 4}}}
    outcomes: {seven: made.total == 7, other: otherwise}
""")
    assert game.roll("outer", n=3).outcome == "seven"
    assert game.mechanics["outer"].outcomes == ("seven", "other")


def test_stages_change_the_value_in_order_and_a_skipped_one_passes_it_on() -> None:
    game = rules("""
  m:
    inputs: {limit: {type: die, optional: yes}, more: {type: yes_no, default: no}}
    steps:
      pool:
        start: d12 & d6
        then:
          joined:  {is: pool & d4, if: more}
          limited: {is: "cap(pool, limit)", if: given(limit)}
          raised:  {raise: pool, ladder: size, by: 1}
      n: count(pool)
""", "ladders: {size: [d4, d6, d8, d10, d12]}")  # fmt: skip

    def sizes(**given: Any) -> list[int]:
        return [die.size for die in game.roll("m", **given).values["pool"]]

    assert sizes() == [12, 8]
    assert sizes(more=True) == [12, 8, 6]
    assert sizes(limit="d8") == [10, 8]
    assert sizes(limit="d4", more=True) == [6, 6, 6]


def test_a_step_that_is_left_out_gives_its_else() -> None:
    game = rules("""
  m:
    inputs: {hit: yes_no}
    steps:
      damage: {roll: d6, if: hit, else: 0}
      total:  damage + 1
      pool:   {first_of: {one: {if: hit, is: d6}, two: 2d6}}
      n:      count(pool)
      missed: {roll: d6, if: not hit}
      worst:  missed otherwise 9
      more:   worst + 1
""")
    hit, missed = game.roll("m", hit=True, faces=[5]), game.roll("m", hit=False, faces=[2])
    assert [hit.values[name] for name in ("total", "n", "more")] == [6, 1, 10]
    assert [missed.values[name] for name in ("total", "n", "more")] == [1, 2, 3]


def test_passed_inputs_are_inputs_of_the_caller() -> None:
    game = rules("""
  roll:
    inputs: {bonus: {type: number, default: 2}, size: {type: die}, name: {type: number, default: bonus * 10}}
    steps: {rolled: {roll: size}, total: sum(rolled) + bonus + name}
  outer:
    passes: [roll]
    inputs: {bonus: {type: number, default: 5}}
    steps: {made: {call: roll, with: {bonus: bonus}}, total: made.total}
""")
    assert list(game.mechanics["outer"].inputs) == ["bonus", "size", "name"]
    assert game.roll("outer", size="d6", faces=[1]).values["total"] == 56
    assert game.roll("outer", size="d6", bonus=1, name=0, faces=[1]).values["total"] == 2
    with pytest.raises(PlayError) as error:
        game.roll("outer")
    assert code(error) == "HR603"


def test_a_default_that_follows_from_what_a_call_gives_is_worked_out_there() -> None:
    game = rules("""
  roll:
    inputs: {size: {type: die}, need: {type: number, from: size.size / 2, default: size.size}}
    steps: {rolled: {roll: size}}
    outcomes: {good: rolled >= need, bad: otherwise}
  outer:
    passes: [roll]
    inputs: {die: {type: die}}
    steps: {made: {call: roll, with: {size: die}}}
    outcomes: {as: made}
""")
    assert game.roll("outer", die="d6", faces=[5]).outcome == "bad"
    assert game.roll("outer", die="d6", need=4, faces=[5]).outcome == "good"
    with pytest.raises(PlayError) as error:
        game.roll("outer", die="d6", need=2, faces=[5])
    assert code(error) == "HR604"


def test_counts_as_makes_one_outcome_be_another_too() -> None:
    game = rules("""
  test:
    inputs: {n: number}
    steps: {twice: n * 2}
    outcomes:
      triumph: {if: n > 8, counts_as: success}
      success: n > 4
      failure: otherwise
  caller:
    inputs: {n: number}
    steps:
      made: {call: test, with: {n: n}}
      good: made.outcome is success
      best: made.outcome is triumph
""")
    seen = [(r["good"], r["best"]) for r in (game.roll("caller", n=n).values for n in (1, 5, 9))]
    assert seen == [(False, False), (True, False), (True, True)]


def test_first_of_and_the_first_outcome_that_holds() -> None:
    game = rules("""
  m:
    inputs: {n: {type: number, from: 0, to: 9}}
    steps:
      size: {first_of: {small: {if: n < 3, is: 1}, middle: {if: n < 6, is: 2}, big: 3}}
    outcomes:
      read: size
      few: 1
      more: 2 or more
    also:
      odd_one: odd(n)
      told: {none_left: n == 0, some_left: otherwise}
""")
    seen = [(r.values["size"], r.outcome, r.also) for r in (game.roll("m", n=n) for n in (0, 3, 7))]
    assert seen == [
        (1, "few", {"odd_one": False, "told": "none_left"}),
        (2, "more", {"odd_one": True, "told": "some_left"}),
        (3, "more", {"odd_one": True, "told": "some_left"}),
    ]


def test_requirements_refuse_before_any_die_is_thrown() -> None:
    game = rules("  m:\n    inputs: {n: number}\n    requires: {enough: n > 2}\n    steps: {rolled: {roll: d6}}\n")
    assert worth(game.roll("m", n=3, faces=[1]).values["rolled"]) == [1]
    with pytest.raises(PlayError) as error:
        game.roll("m", n=2, faces=[])
    assert (code(error), error.value.diagnostic.about) == ("HR606", "enough")


@pytest.mark.parametrize(
    ("step", "said", "about"),
    [
        ("{lose: 0 - ann.hp, from: ann.hp}", "HR652", "hp"),
        ("{gain: 0 - ann.hp, to: ann.hp}", "HR652", "hp"),
        ("{pay: 0 - ann.hp, from: ann.hp}", "HR652", "hp"),
        ("{add: 1, to: ann.ticked}", "HR657", "ticked"),
    ],
)
def test_what_cannot_be_changed_is_said_by_its_name(step: str, said: str, about: str) -> None:
    has = 'hp: {type: points, starts: 9}, ticked: {list_of: number, among: "[1, 2]", default: "[1]"}'
    kinds = f"kinds: {{fighter: {{has: {{{has}}}}}}}\nthings: {{fighter: {{ann: {{}}}}}}"
    with pytest.raises(PlayError) as error:
        play(f"      done: {step}", kinds)
    assert (code(error), error.value.diagnostic.about) == (said, about)
    assert f"`ann.{about}`" in error.value.diagnostic.message


def test_a_thrown_die_knows_its_size_tags_and_throws() -> None:
    (die,) = play("      rolled: {roll: d8 armor}\n", "tags: [armor]", faces=[3]).values["rolled"]
    assert isinstance(die, Thrown)
    assert (die.die.size, die.die.tags, die.face, die.value) == (8, ("armor",), 3, 3)

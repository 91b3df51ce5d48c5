"""Decisions for the best, held to plain play: every history of faces and answers, valued from its end backwards."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from textwrap import indent
from typing import Any

import games
import pytest
from marks import thorough

import interpreter
from interpreter.api.game import Game
from interpreter.diagnostics import PlayError
from interpreter.odds import meter, query_cache
from interpreter.odds.brute_force import distinct_faces
from interpreter.odds.chance_choices import legal_answers
from interpreter.odds.projection import value_at
from interpreter.odds.strategy import sentences
from interpreter.play.requests import Choice, ThrowRequest
from interpreter.play.run import Run
from interpreter.play.steps import inputs_frame
from interpreter.play.verbs import walker_of
from interpreter.runtime.evaluator import Closures
from interpreter.syntax.document import from_python

Worth = Callable[[Any], int]


def best_by_hand(game: Game, mechanic: str, given: dict[str, Any], worth: Worth, least: bool) -> Fraction:
    """The value of a mechanic where whoever decides knows all faces so far: nothing is shared, nothing is merged."""
    rule = game.program.mechanics[mechanic]
    values = game.reader().mechanic_inputs(rule, {name: from_python(value, name) for name, value in given.items()})
    closures = Closures(game.program, dict(game.option_values))
    play = walker_of(closures).walk_of_mechanic(mechanic)

    def value(history: tuple[Any, ...]) -> Fraction:
        walk = play(inputs_frame(closures, rule, values), Run())
        left, answer = list(history), None
        while True:
            try:
                request = walk.send(answer)
            except StopIteration as stop:
                return Fraction(worth(stop.value))
            if left:
                answer = left.pop(0)
            elif isinstance(request, Choice):
                return (min if least else max)(value((*history, one)) for one in legal_answers(request))
            else:
                assert isinstance(request, ThrowRequest)
                return fallen(history, request.dice, ())

    def fallen(history: tuple[Any, ...], dice: Any, faces: tuple[Any, ...]) -> Fraction:
        if len(faces) == len(dice):
            return value((*history, list(faces)))
        die = dice[len(faces)]
        rows = distinct_faces(die)
        return sum((Fraction(n, die.size) * fallen(history, dice, (*faces, face)) for face, n in rows), Fraction(0))

    return value(())


def held(game: Game, mechanic: str, goal: str, **given: Any) -> None:
    """The engine's value for a goal, the best and the worst, is that of plain play."""
    words = game.odds(mechanic, inputs=given).known.get("outcome", ())

    def worth(record: Any) -> int:
        return int(value_at(record, "outcome") == goal) if goal in words else int(value_at(record, goal))

    for least, odds in (
        (False, game.odds(mechanic, best=goal, inputs=given)),
        (True, game.odds(mechanic, worst=goal, inputs=given)),
    ):
        found = odds.outcomes[goal] if goal in words else odds.mean(goal)
        assert found == best_by_hand(game, mechanic, given, worth, least), (mechanic, goal, least)


@pytest.mark.parametrize(
    ("name", "mechanic", "goal", "given"),
    [
        ("year-zero", "test", "success", {"attribute": 1, "skill": 1}),
        ("year-zero", "test", "trauma", {"attribute": 1, "gear": 1}),
        ("year-zero", "attack", "wounded", {"attribute": 1, "weapon": 1, "armor": 1}),
        ("2d20", "test", "success", {"target": 12, "focus": 2, "difficulty": 1, "dice": 2}),
    ],
)
def test_bundled_mechanics_are_worth_what_plain_play_finds(name: str, mechanic: str, goal: str, given: Any) -> None:
    held(games.game(name), mechanic, goal, **given)


KEEP = """
ruleset: keep
roles: {player: Who rolls.}
mechanics:
  keep:
    about: Three times, the last one stays; whoever likes what lies there may stop.
    steps:
      tries:
        repeat: 3
        until: stop
        each:
          die: {roll: d4}
          stop: {choose: yes_no, by: player, ask: "Stop?"}
      score: sum(last(tries).die)
"""

GREED = """
ruleset: greed
roles: {player: Who rolls.}
mechanics:
  greed:
    about: Pick dice to throw anew, once, then buy points for them.
    steps:
      rolled: {roll: 2d3}
      again:  {choose: some, among: rolled, by: player, ask: "Which dice?"}
      second: {reroll: rolled where face in again.face}
      bought: {choose: number, from: 0, to: 2, by: player, ask: "How many points?"}
      shield: {roll: d4}
      total:  sum(second) + bought
      paid:   total - 2 * bought + (3 if total > shield + 2 else 0)
    outcomes: {good: total > shield + bought, bad: otherwise}
"""

CALLED = """
ruleset: called
roles: {player: Who rolls., other: The other side.}
mechanics:
  burn:
    inputs: {bonus: number}
    steps:
      die:   {roll: d4}
      extra: {roll: 2d2, if: die < 3}
      burnt: {choose: yes_no, by: player, default: no, ask: "Burn it?", if: die < 4}
      worth: die + bonus + ((count(extra where face == 2) if given(extra) else 0) if burnt else 1)
    outcomes: {up: worth > 3, down: otherwise}
  duel:
    steps:
      hidden: {roll: d3}
      mine:   {call: burn, with: {bonus: 0}}
      yours:  {call: burn, with: {bonus: hidden}, if: mine.outcome is down}
      gap:    mine.worth - (yours.worth otherwise 2)
    outcomes: {won: gap > 0 and mine.outcome is up, lost: otherwise}
"""


@pytest.mark.parametrize(
    ("text", "mechanic", "goal"),
    [
        (KEEP, "keep", "score"),
        (GREED, "greed", "good"),
        (GREED, "greed", "paid"),
        (CALLED, "burn", "up"),
        (CALLED, "duel", "won"),
        (CALLED, "duel", "gap"),
    ],
)
def test_decisions_in_the_middle_are_worth_what_plain_play_finds(text: str, mechanic: str, goal: str) -> None:
    given = {"bonus": 1} if mechanic == "burn" else {}
    held(interpreter.loads(text), mechanic, goal, **given)


INSIDE = """
ruleset: inside
roles: {player: Who plays.}
mechanics:
  main:
    steps:
STEPS
  asking:
    inputs: {x: {type: roll}, y: {type: roll}}
    steps: {p: {pair: x, with: y, each: {w: ours - theirs}}, c: CHOICE}
"""
PAIRS = "p: {pair: a, with: b, each: {w: ours - theirs}}"


@pytest.mark.parametrize(
    "steps",
    [
        f"{PAIRS}\nc: CHOICE\ns: sum(p.w) - sum(b) if c else -2",
        f"{PAIRS}\nq: {{pair: b, with: a, each: {{w: ours}}}}\nc: CHOICE\ns: sum(p.w) if c else sum(q.w) - 3",
        f"k: {{steps: {{{PAIRS}, c: CHOICE}}}}\ns: sum(k.p.w) + sum(a) - 3 if k.c else 0",
        f"k: {{steps: {{c: CHOICE, {PAIRS}}}}}\ns: sum(k.p.w) + sum(a) - 3 if k.c else 0",
        f"k: {{repeat: 2, each: {{{PAIRS}, c: CHOICE}}}}\ns: sum(k.p.w) - sum(a) + 2 if last(k.c) else 0",
        "k: {call: asking, with: {x: a, y: b}}\ns: sum(k.p.w) - sum(a) + 2 if k.c else 0",
        f"k: {{steps: {{{PAIRS}}}}}\nm: {{steps: {{q: k.p, c: CHOICE}}}}\ns: sum(m.q.w) - sum(b) + 2 if m.c else 0",
        "k: {pair: a, with: b, each: {r: {roll: d2}, c: CHOICE}}\ns: sum(k.r) if any(k.c) else 3",
        "k: {pair: a, with: b, each: {w: ours, c: CHOICE}}\ns: sum(k.w) if any(k.c) else sum(b)",
    ],
)
def test_whoever_decides_sees_the_pairs_and_their_dice(steps: str) -> None:
    _held_inside("a: {roll: 2d2}\nb: {roll: 2d2}\n" + steps)


@pytest.mark.parametrize(
    "steps",
    [
        "k: {repeat: 2, each: {c: CHOICE, r: {roll: d3}}}\ns: sum(first(k.r, 1)) if last(k.c) else 2",
        "k: {repeat: 2, each: {c: CHOICE, r: {roll: d3}}, keep: {highest: 1 if c else 0}}\ns: sum(k.r)",
        "k: {repeat: 2, each: {r: {roll: d3}, c: CHOICE, m: sum(r) - sum(earlier.r)}}\n"
        "s: item(k.m, 2) if last(k.c) else 0",
        "k: {roll: 2d2, each: {c: CHOICE, r: {roll: d2}}}\ns: sum(first(k.r, 1)) if any(last(k.c, 1)) else 1",
        "a: {roll: 2d2}\nk: {pair: a, with: a, each: {c: CHOICE, r: {roll: d3}}}\n"
        "s: sum(first(k.r, 1)) if any(last(k.c, 1)) else 2",
    ],
)
def test_whoever_decides_saw_the_dice_of_earlier_passes(steps: str) -> None:
    _held_inside(steps)


@pytest.mark.parametrize(
    "each", ["r: {roll: d2}, p: {pair: r, with: b, each: {w: ours - theirs}}", "p: b + nth - b * nth"]
)
def test_passes_go_on_with_what_they_began_with(each: str) -> None:
    read = "k.p.w" if "pair" in each else "k.p"
    _held_inside(f"b: {{roll: d2}}\nk: {{repeat: 2, each: {{{each}, c: CHOICE}}}}\ns: sum({read}) if last(k.c) else 1")


def _held_inside(steps: str) -> None:
    text = INSIDE.replace("STEPS", indent(steps, "      "))
    held(interpreter.loads(text.replace("CHOICE", "{choose: yes_no, by: player, default: no}")), "main", "s")


PLACES = {
    "a die that shows another face in another list": "rolled: {roll: 2d2}\nanew: {reroll: rolled}\n"
    "kept: {choose: one, among: anew}\nscore: kept + 0 * count(common(anew, rolled))",
    "dice that are left of an earlier list": "rolled: {roll: 2d2}\nanew: {reroll: rolled where face == 1}\n"
    "kept: {choose: some, among: anew, most: 1}\nscore: sum(kept) + count(without(rolled, kept))",
    "dice that may not be chosen": "n: {roll: d2}\nrolled: {roll: (sum(n))d2}\n"
    "kept: {choose: some, among: rolled, where: it.face == 2, default: []}\n"
    "again: {reroll: 'without(rolled, kept)'}\nscore: sum(kept) + sum(again)",
    "dice that may not be chosen, read later": "rolled: {roll: 2d3}\n"
    "kept: {choose: some, among: rolled, where: it.face == 3, default: []}\nagain: {reroll: kept}\n"
    "score: sum(without(rolled, kept)) * 2 + sum(again)",
    "a reroll of the first dice": "rolled: {roll: 2d2}\nbold: {choose: yes_no, default: no}\n"
    "again: {reroll: rolled, most: 1}\nscore: sum(again) * 2 if bold else 6",
    "a reroll of the first dice of some": "rolled: {roll: 3d2}\nbold: {choose: yes_no, default: no}\n"
    "again: {reroll: rolled where face == 1, most: 1}\nscore: sum(again) * (2 if bold else 1) - (5 if bold else 0)",
    "a die that a list holds twice": "rolled: {roll: d2}\ntwice: rolled & rolled\nagain: {reroll: twice}\n"
    "go: {choose: yes_no, default: no}\nscore: highest(again) if go else 1",
    "chosen dice beside all": "rolled: {roll: 2d2}\nkept: {choose: some, among: rolled, default: []}\n"
    "both: rolled & kept\nagain: {reroll: both}\nscore: highest(groups(again).width) otherwise 0",
    "a choice without a default in a throw": "rolled: {roll: d2, each: {c: {choose: yes_no}}}\n"
    "score: count(rolled.throws where it.c)",
    "dice of an earlier pass": "rolled: {roll: 2d2}\nk: {repeat: 2, each: {c: {choose: one, among: rolled}}}\n"
    "score: sum(without(rolled, k.c))",
    "dice of an earlier round of a loop": "rolled: {roll: 2d2}\n"
    "k: {for: n, among: '[1, 2]', each: {c: {choose: one, among: rolled}}}\nscore: sum(without(rolled, k.c))",
    "rerolls of what is chosen in passes": "rolled: {roll: 2d2}\n"
    "k: {repeat: 2, each: {c: {choose: some, among: rolled, most: 1, default: []}, x: {reroll: c}}}\n"
    "score: sum(k.x) * 2 - 3 * count(common(first(k).x, last(k).c))",
    "dice that throws name": "rolled: {roll: d2, each: {extra: {roll: 2d2}}}\nts: rolled.throws\nex: ts.extra\n"
    "kept: {choose: one, among: ex}\ngo: {choose: yes_no, default: no}\n"
    "score: count(common(ts.extra, kept)) if go else 0",
    "a call of a call": "rolled: {roll: 2d2}\na: {call: mid, with: {dice: rolled}}\n"
    "score: count(common(a.x.c, rolled))",
    "a call in a group": "rolled: {roll: 2d2}\ng: {steps: {y: rolled, a: {call: pick, with: {dice: y}}}}\n"
    "score: count(common(g.a.c, rolled))",
    "an end right after an answer": "rolled: {roll: 2d2}\nscore: sum(rolled)\n"
    "kept: {choose: some, among: rolled, default: []}\nout: {end: bad}",
    "an end after an answer in passes": "rolled: {roll: 2d2}\nscore: sum(rolled)\n"
    "some: {repeat: 2, each: {kept: {choose: some, among: rolled, default: []},"
    " out: {end: bad, if: count(kept) == 1}}}",
    "no fewer than a negative number": "n: {roll: d2}\n"
    "kept: {choose: some, among: '[1, 2]', least: n - 3, default: []}\nscore: sum(kept) + n",
}


@pytest.mark.parametrize("steps", PLACES)
def test_whoever_decides_knows_each_die_in_each_list(steps: str) -> None:
    held(_with_steps(PLACES[steps]), "one", "score")


TIES = {
    "the default in another order": (
        "rolled: {roll: 2d3}\nkept: {choose: some, among: rolled, by: player, default: reversed(rolled)}\n"
        "mine: count(kept) * 0\nyours: count(kept)",
        2,
    ),
    "the first of two kinds": (
        "rolled: {roll: d3 & d2}\nkept: {choose: some, among: rolled, by: player, least: 1, most: 1}\n"
        "mine: 0 * sum(kept)\nyours: sum(kept.size)",
        3,
    ),
    "the first one": (
        "rolled: {roll: d2 & d3}\nkept: {choose: one, among: rolled, by: player}\nmine: kept * 0\nyours: kept.size",
        2,
    ),
}


@pytest.mark.parametrize("rule", TIES)
def test_of_equally_good_answers_the_default_or_the_first_is_given(rule: str) -> None:
    steps, yours = TIES[rule]
    played = _with_steps(steps)
    assert played.odds("one", best="mine").mean("yours") == yours


def _with_steps(steps: str) -> Game:
    head = (
        "ruleset: dice\nroles: {player: Who rolls.}\nmechanics:\n"
        "  pick: {inputs: {dice: {type: roll}}, steps: {c: {choose: some, among: dice, least: 1, most: 1}}}\n"
        "  mid: {inputs: {dice: {type: roll}}, steps: {x: {call: pick, with: {dice: dice}}}}\n  one:\n    steps:\n"
    )
    return interpreter.loads(head + indent(steps, " " * 6))


def test_a_strategy_says_what_to_do_when() -> None:
    odds = interpreter.loads(KEEP).odds("keep", best="score")
    law = odds.law("score")
    assert odds.mean("score") == Fraction(13, 4)
    assert sum(one.chance for one in law.strategy if one.seen.get("nth") == 1) == 1
    assert sentences(law.strategy)


@pytest.mark.parametrize(
    ("read", "seen"),
    [
        ("sum(rolled)", {"sum(rolled)"}),
        ("highest(rolled)", {"highest(rolled)"}),
        ("count(rolled where face > 4)", {"count(rolled where face > 4)"}),
        ("sum(rolled) - lowest(rolled)", {"sum(rolled)", "lowest(rolled)"}),
        ("sum(without(rolled, first(rolled)))", {"rolled"}),  # the dice themselves
    ],
)
def test_a_strategy_inside_of_passes_names_what_is_read_of_the_roll_around_them(read: str, seen: set[str]) -> None:
    gain = "sum(die) - 3 if more else 0"
    game = _with_steps(
        "rolled: {roll: 2d6}\n"
        f'tries:  {{repeat: 2, each: {{more: {{choose: yes_no, default: no}}, die: {{roll: d6}}, gain: "{gain}"}}}}\n'
        f"score:  sum(tries.gain) * ({read})"
    )
    strategy = game.odds("one", best="score").law("score").strategy
    assert {frozenset(one.seen) for one in strategy} == {frozenset((*seen, "nth"))}


def test_the_law_is_that_of_the_best_answers() -> None:
    game = games.game("fate")
    odds = game.odds("act", fate_points=1, best="success")
    assert odds.of("success")[True] == Fraction(1937, 2187)
    assert sum(odds.outcomes.values()) == 1
    assert {one.answer for one in odds.strategy if one.seen["stands"] == 0} == {"add"}


def test_given_answers_and_policies_are_not_decided_anew() -> None:
    game = games.game("year-zero")
    never = game.odds("test", attribute=3, policy="never").outcomes
    assert game.odds("test", attribute=3, policy="never", best="success").outcomes == never
    assert game.odds("test", attribute=3, choices={"push": False}, best="success").outcomes == never


RACE = """
ruleset: race
roles: {cox: Who steers., crowd: Who cheers.}
policies: {steady: {theirs.push: 1}}
mechanics:
  row:
    steps:
      die:    {roll: d3}
      push:   {choose: number, from: 0, to: 2, by: cox}
      far:    die + push
      breath: 2 - push
  race:
    steps:
      ours:   {call: row}
      cheer:  {choose: yes_no, by: crowd, default: no}
      theirs: {call: row}
      wind:   {roll: d2}
      lead:   ours.far - theirs.far + (wind if cheer else 0)
      mood:   theirs.breath + lead
    outcomes: {ahead: lead > 0, level: lead == 0, behind: otherwise}
"""


@pytest.mark.parametrize(
    ("best", "worst"),
    [
        ({"ours": "ahead", "theirs": "behind", "crowd": "level"}, {}),
        ({"ours": "lead", "theirs": "theirs.breath", "cheer": "mood"}, {}),
        ({"ours.push": "ahead", "crowd": "ahead"}, {"theirs": "ahead"}),
        ({"cox": "lead"}, {"cheer": "lead"}),
        ({"cox": "mood", "theirs.push": "behind"}, {"crowd": "mood"}),
        ({"ours": "ahead", "theirs": "behind"}, {}),
    ],
)
def test_each_who_decides_may_have_a_goal(best: dict[str, str], worst: dict[str, str]) -> None:
    game = interpreter.loads(RACE)
    goals = [(whose, goal, False) for whose, goal in best.items()] + [(who, goal, True) for who, goal in worst.items()]

    def worth(goal: str) -> Worth:
        return lambda record: value_at(record, goal) if goal not in ("ahead", "level", "behind") else int(
            record["outcome"] == goal
        )  # fmt: skip

    def decider(choice: Choice) -> int | None:
        fitting = [
            place for place, (whose, _, _) in enumerate(goals)
            if whose == choice.by or f".{whose}." in f".{choice.path}."
        ]  # fmt: skip
        return max(fitting, key=lambda place: goals[place][0].count("."), default=None)

    values = best_by_hand_for_each(game, "race", [worth(goal) for _, goal, _ in goals], decider,
                                   [least for _, _, least in goals])  # fmt: skip
    odds = game.odds("race", best=best or None, worst=worst or None)
    for (_, goal, _), value in zip(goals, values, strict=True):
        found = odds.outcomes[goal] if goal in ("ahead", "level", "behind") else odds.mean(goal)
        assert found == value


def best_by_hand_for_each(
    game: Game, mechanic: str, worths: list[Worth], decider: Callable[[Choice], int | None], least: list[bool]
) -> tuple[Fraction, ...]:
    """The values of a mechanic for each goal, where each who decides does the best for their own."""
    rule = game.program.mechanics[mechanic]
    closures = Closures(game.program, dict(game.option_values))
    play = walker_of(closures).walk_of_mechanic(mechanic)

    def value(history: tuple[Any, ...]) -> tuple[Fraction, ...]:
        walk = play(inputs_frame(closures, rule, {}), Run())
        left, answer = list(history), None
        while True:
            try:
                request = walk.send(answer)
            except StopIteration as stop:
                return tuple(Fraction(worth(stop.value)) for worth in worths)
            if left:
                answer = left.pop(0)
                continue
            if isinstance(request, ThrowRequest):
                (die,) = request.dice
                rows = [(Fraction(n, die.size), value((*history, [face]))) for face, n in distinct_faces(die)]
                return tuple(sum((p * one[goal] for p, one in rows), Fraction(0)) for goal in range(len(worths)))
            assert isinstance(request, Choice)
            goal = decider(request)
            if goal is None:
                return value((*history, request.default))
            found = [(one, value((*history, one))) for one in legal_answers(request)]
            most = (min if least[goal] else max)(values[goal] for _, values in found)
            equal = [(one, values) for one, values in found if values[goal] == most]
            usual = [values for one, values in equal if request.has_default and one == request.default]
            return (usual or [values for _, values in equal])[0]

    return value(())


def test_one_side_decides_against_a_policy() -> None:
    odds = interpreter.loads(RACE).odds("race", policy="steady", best={"ours": "ahead"})
    assert odds.mean("theirs.push") == 1
    assert {one.path for one in odds.strategy} == {"ours.push"}


@pytest.mark.parametrize(
    ("best", "worst", "code", "words"),
    [
        ({"us": "ahead"}, None, "HR821", "`us` decides nothing in `race`"),
        ({"ours": "ahead"}, None, "HR621", "theirs.push"),
        ({"ours": "ahead"}, {"ours": "behind"}, "HR812", "the best of `ahead` or the worst of `behind`"),
        ("ahead", {"ours": "behind"}, "HR812", "not both"),
        ({"ours": "win"}, None, "HR801", "`win`"),
        ({"ours": 3}, None, "HR670", "best"),
    ],
)
def test_deciders_that_make_no_sense_are_refused(best: Any, worst: Any, code: str, words: str) -> None:
    with pytest.raises(PlayError) as refused:
        _ = interpreter.loads(RACE).odds("race", best=best, worst=worst).outcomes
    assert refused.value.diagnostic.code == code
    assert words in str(refused.value)


BIDS = """
ruleset: bids
kinds: {porter: {has: {gold: {type: points, to: 3, starts: 1}}}}
mechanics:
  auction:
    inputs: {who: {list_of: porter}}
    steps:
      bids: {choose: number, by: who, from: 0, to: chooser.gold}
      sum_of: sum(bids)
actions:
  bid:
    actor: {type: porter}
    inputs: {much: {type: number, from: 0, to: 2}}
    steps: {left: 2 - much}
"""


def test_where_several_answer_at_once_or_before_an_action_one_goal_decides_for_all() -> None:
    game = interpreter.loads(BIDS)
    state = game.state(ann={"is": "porter"}, bo={"is": "porter"})
    given = {"state": state, "inputs": {"who": ["ann", "bo"]}}
    assert game.odds("auction", best="sum_of", **given).mean("sum_of") == 2
    with pytest.raises(PlayError, match="several at once") as refused:
        game.odds("auction", best={"ann": "sum_of"}, worst={"bo": "sum_of"}, **given).mean("sum_of")
    assert refused.value.diagnostic.code == "HR822"
    acting = {"state": state, "inputs": {"actor": "ann"}}
    assert game.odds("bid", best="left", **acting).mean("left") == 2
    with pytest.raises(PlayError, match="before its steps") as refused:
        game.odds("bid", best={"ann": "left"}, **acting).mean("left")
    assert refused.value.diagnostic.code == "HR823"


@pytest.mark.parametrize("usual", ["yes", "no"])
def test_where_answers_are_as_good_the_usual_one_is_given(usual: str) -> None:
    game = interpreter.loads(
        "ruleset: whim\n"
        "roles: {player: Who rolls.}\n"
        "mechanics:\n"
        "  whim:\n"
        "    steps:\n"
        "      die:  {roll: d6}\n"
        f"      sing: {{choose: yes_no, by: player, default: {usual}, ask: 'Sing?'}}\n"
        "      loud: 1 if sing else 0\n"
        "    outcomes: {good: die + loud * 0 >= 4, bad: otherwise}\n"
    )
    assert game.odds("whim", best="good").mean("loud") == (usual == "yes")


def test_goals_that_make_no_sense_are_refused() -> None:
    game = games.game("fate")
    for code, asked in (
        ("HR801", {"best": "sucess"}),
        ("HR801", {"best": "outcome"}),
        ("HR812", {"best": "fail", "worst": "tie"}),
        ("HR810", {"best": "fail", "choices": {"mine": ["again", "pass"]}}),
    ):
        with pytest.raises(PlayError) as error:
            _ = game.odds("act", **asked).outcomes  # type: ignore[arg-type]
        assert error.value.diagnostic.code == code


def one_die(roll: str) -> Game:
    return interpreter.loads(
        "ruleset: dice\nmechanics:\n  throw:\n    steps:\n      more: {choose: yes_no, default: no}\n"
        f"      die: {{roll: {roll}}}\n      twice: sum(die) * 2\n"
    )


@pytest.mark.parametrize(
    ("roll", "mean"),
    [("d6 if more else d8", Fraction(9)), ("d6 if more else d4, counts: face * 2", Fraction(14))],
)
def test_a_goal_may_be_a_die(roll: str, mean: Fraction) -> None:
    assert one_die(roll).odds("throw", best="die").mean("twice") == mean


def test_a_goal_may_be_a_die_that_explodes() -> None:
    law = one_die("d6 if more else d4, again: face == size").odds("throw", best="die").law("twice")
    assert law.weights[2,] == Fraction(1, 6) and law.missing < Fraction(1, 10**12)  # the d6 has a mean of 4.2


def test_a_goal_is_no_roll_of_several_dice() -> None:
    with pytest.raises(PlayError) as error:
        _ = one_die("2d6 if more else d8").odds("throw", best="die").law("twice")
    assert error.value.diagnostic.message == "`die` is a roll of dice and not a number"


ENDLESS_CALL = """
ruleset: endless
mechanics:
  throw:
    steps:
      rolled: {roll: d6, again: face == size}
      best: SEEN
  test:
    steps:
      a: {call: throw}
      redo: {choose: yes_no, default: no}
      b: {call: throw, if: redo}
      score: b.best otherwise a.best
    outcomes: {good: score >= 4, bad: otherwise}
"""


@pytest.mark.parametrize("of", ["rolled + 0", "rolled", "highest(rolled)"])
def test_advice_names_a_chain_that_is_not_followed_to_its_end(of: str) -> None:
    """A decision that knows a record with a number of which only a bound is known: the advice tells the bound."""
    odds = interpreter.loads(ENDLESS_CALL.replace("SEEN", of)).odds("test", best="good")
    assert odds.outcomes == {"good": Fraction(3, 4), "bad": Fraction(1, 4)}
    assert {one.answer for one in odds.strategy} == {True, False}
    assert any("or more" in str(one.seen) for one in odds.strategy)


def test_throws_that_differ_in_nothing_that_is_read_are_one() -> None:
    """What a die came to is read here and not which faces made it, so the states grow with the sum of its throws."""
    text = """
ruleset: pushing
roles: {player: Who throws.}
mechanics:
  push:
    steps:
      die:
        roll: d6
        each: {more: {choose: yes_no, by: player, default: no, if: face < 6}}
        again: more and nth < 7
        guard: 8
      total: sum(die)
    outcomes: {over: total > 21, safe: otherwise}
"""
    game = interpreter.loads(text)
    states: list[int] = []
    law = game.odds("push", best="safe").outcomes
    assert law["safe"] == 1
    meet = meter.Meter.count_states

    def counted(self: meter.Meter, many: int) -> None:
        states.append(many)
        meet(self, many)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meter.Meter, "count_states", counted)
        best = interpreter.loads(text).odds("push", best="over")
        assert best.outcomes["over"] > 0
    assert sum(states) < 7 * 42 * 6 * 4


READ_OF_THROWS = {
    "value": "r: sum(die)",
    "how often": "r: count(die.throws)",
    "first face": "r: count(die where face == 2) + 2 * sum(die)",
    "names and how often": "r: count(die.throws where it.more) + 3 * count(die.throws)",
    "names of all": "r: count(die.throws where it.more) + 3 * sum(die)",
    "the dice": "r: highest(die.throws.face) otherwise 0",
    "of another roll": "r: 'sum(die) + 10 * count(common(die.face, [1]))'",
}


@pytest.mark.parametrize("read", READ_OF_THROWS)
@pytest.mark.parametrize("goal", ["r", "-r"])
def test_what_is_read_of_throws_is_kept_before_a_decision(read: str, goal: str) -> None:
    text = f"""
ruleset: pushing
roles: {{player: Who throws.}}
mechanics:
  push:
    steps:
      die:
        roll: 2d3
        each: {{more: {{choose: yes_no, by: player, default: no}}}}
        counts: 4 - face
        again: more and nth < 2
      {READ_OF_THROWS[read]}
      goal: "{goal} if odd(r) else r"
"""
    held(interpreter.loads(text), "push", "goal")


TOTALS = """
ruleset: totals
mechanics:
  bought:
    about: Dice that explode, and others that are bought after a look.
    steps:
      rolled: {roll: 2d4, again: face == 4}
      more: {choose: number, from: 0, to: 2, default: 0, ask: "How many?"}
      bought: {roll: (more)d4, again: face == 4}
      total: sum(rolled) + sum(bought) - 3 * more
    outcomes: {high: total >= NEED, mean: total >= NEED - 2, low: otherwise}
    also: {pair: sum(rolled) == 4 or sum(rolled) == 8, top: {good: highest(rolled) > 3, bad: otherwise}}
  less:
    about: What is taken from it is known no better than the total.
    steps:
      rolled: {roll: 2d4, again: face == 4}
      burn: {choose: yes_no, default: no, ask: "Burn?"}
      taken: {roll: 2d4, again: face == 4}
      total: sum(rolled) - (1 if burn else sum(taken))
    outcomes: {high: total >= NEED - 4, low: otherwise}
  spread:
    about: How many dice may be thrown again depends on how high they are.
    steps:
      rolled: {roll: 3d6}
      allowed: min(down(sum(rolled) / 4), 2)
      again: {choose: number, from: 0, to: allowed, default: 0, ask: "How many again?"}
      anew: {roll: (again)d6}
      total: sum(highest(rolled & anew, 3))
    outcomes: {high: total >= NEED, low: otherwise}
"""


@pytest.mark.parametrize("need", thorough([5, 14, 40], lambda need: need == 40))
@pytest.mark.parametrize(
    ("mechanic", "goal", "names"),
    [
        ("bought", "high", ["outcome"]),
        ("bought", "low", ["outcome", "pair"]),
        ("bought", "pair", ["pair", "top"]),
        ("bought", "mean", ["top", "outcome"]),
        ("less", "high", ["outcome"]),
        ("spread", "high", ["outcome"]),
        ("spread", "low", ["outcome"]),
    ],
)
def test_how_far_totals_are_followed_changes_no_best_odds(
    monkeypatch: pytest.MonkeyPatch, need: int, mechanic: str, goal: str, names: list[str]
) -> None:
    def law() -> Any:
        found = interpreter.loads(TOTALS.replace("NEED", str(need))).odds(mechanic, best=goal).law(*names)
        return dict(found.weights), found.missing

    known, missing = law()
    monkeypatch.setattr(query_cache, "_caps", lambda *_: ())
    plain, more_missing = law()
    assert missing <= more_missing
    assert all(0 <= chance - plain.get(key, 0) <= more_missing for key, chance in known.items())
    if not more_missing:
        assert known == plain


def test_what_a_cap_leaves_open_inside_a_step_is_asked_again_without_it() -> None:
    """Steps inside a step, in which nobody decides, are a law of their own, and what they leave open is missing."""
    law = (
        interpreter.loads("""
ruleset: capped
dice: {ten: {faces: [1, 30]}}
mechanics:
  m:
    steps:
      h: {roll: ten}
      a: {repeat: 3, carry: {g: 1}, each: {g: h - g}}
      b: {choose: yes_no, default: no, ask: "Well?"}
    outcomes: {fair: last(a.g) > 0 and b, bad: otherwise}
""")
        .odds("m", best="fair")
        .law("outcome")
    )
    assert law.weights == {("fair",): Fraction(1, 2), ("bad",): Fraction(1, 2)}


def test_totals_are_followed_no_further_than_outcomes_need(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int | None] = []
    at_depth = query_cache._law_at_depth

    def noted(*given: Any, **how: Any) -> Any:
        seen.append(given[3] if len(given) > 3 else None)
        return at_depth(*given, **how)

    monkeypatch.setattr(query_cache, "_law_at_depth", noted)
    game = interpreter.loads(TOTALS.replace("NEED", "5"))
    game.odds("bought", best="high").law("outcome")
    assert seen == [12]  # every total above it is one state
    seen.clear()
    game.odds("less", best="high").law("outcome")
    assert seen[:2] == [12, 48] and None in seen  # what is taken may be as high, so whole numbers are needed
    seen.clear()
    game.odds("bought", best="high").law("total")
    assert set(seen) == {None}  # the total itself is asked for


def test_each_beginning_of_an_action_may_compute_as_much_as_a_run() -> None:
    played = interpreter.loads(
        "ruleset: r\nkinds: {hero: {has: {luck: {type: points, starts: 5}}}}\nactions:\n  run:\n    actor: hero\n"
        "    inputs: {far: {type: number, from: 1, to: 20}}\n"
        '    requires: {fine: "sum(upto(500) where it > far) > 0"}\n    steps: {die: {roll: d2}, total: far + die}\n'
    )
    state = played.state(ann={"is": "hero"})
    law = played.odds("actions.run", state=state, actor="ann", best="total").law("total").weights
    assert law == {(21,): Fraction(1, 2), (22,): Fraction(1, 2)}


DOUBT = """ruleset: doubt
roles: {pl: Who plays.}
kinds: {hero: {has: {luck: {type: points, starts: 5}}}}
mechanics:
  m:
    steps:
      safe: {choose: yes_no, by: pl}
      dice: {roll: d100 if not safe else no_dice, again: face >= 2}
      n: count(dice.throws)
      total: 50 if safe else n / 1
actions:
  a:
    actor: hero
    inputs: {safe: {type: yes_no}}
    steps:
      dice: {roll: d100 if not safe else no_dice, again: face >= 2}
      n: count(dice.throws)
      total: 50 if safe else n / 1
"""


@pytest.mark.parametrize("rule", ["m", "actions.a"])
@pytest.mark.parametrize(("safe", "first"), [(99, 1), (101, 101)])
def test_a_mean_within_bounds_says_which_answer_is_best(safe: int, first: int, rule: str) -> None:
    played = interpreter.loads(DOUBT.replace("50 if safe", f"{safe} if safe"))  # thrown on until a 1: 100 throws
    given = {"state": played.state(ann={"is": "hero"}), "actor": "ann"} if rule == "actions.a" else {}
    assert min(played.odds(rule, best="total", **given).law("total").weights) == (first,)


@pytest.mark.parametrize("rule", ["m", "actions.a"])
def test_no_answer_is_called_best_that_runs_not_followed_may_beat(rule: str) -> None:
    # The mean of the square is 100 * 199, and the bounds of what is not followed are on both sides of it.
    played = interpreter.loads(DOUBT.replace("50 if safe else n / 1", "19900 if safe else n * n"))
    given = {"state": played.state(ann={"is": "hero"}), "actor": "ann"} if rule == "actions.a" else {}
    with pytest.raises(PlayError, match="HR805 which answers are best depends on runs"):
        played.odds(rule, best="total", **given).law("total")


def test_the_policy_random_answers_what_an_action_asks_first() -> None:
    played = interpreter.loads(
        "ruleset: r\nkinds: {hero: {has: {luck: {type: points, starts: 5}}}}\nactions:\n  run:\n    actor: hero\n"
        "    inputs: {far: {type: number, from: 0, to: 3}}\n    cost: {luck: far}\n"
        "    steps: {die: {roll: d2}, total: far + 100 * die}\n"
    )
    state = played.state(ann={"is": "hero"})
    for goal in (None, "total"):
        law = played.odds("actions.run", state=state, actor="ann", policy="random", best=goal).law("total").weights
        assert law == {(far + 100 * die,): Fraction(1, 8) for far in range(4) for die in (1, 2)}


ASKS = """ruleset: asks
roles: {p: Who plays.}
mechanics:
  m: {steps: {c: {choose: number, from: 0, to: 3, by: p, default: 1}, r: {roll: d6}, t: r + c}}
  n: {steps: {x: {call: m}, t: x.t}}
events: {blow: {steps: {c: {choose: number, from: 0, to: 3, by: p}, r: {roll: d2}, t: r + c}}}
"""


def test_answers_to_questions_that_no_rule_asks_are_refused() -> None:
    played = interpreter.loads(ASKS.partition("events")[0])
    for ask in (played.odds, played.simulate):
        with pytest.raises(PlayError, match=r"HR623 `cc` was never asked .*`x\.c`"):
            ask("n", choices={"cc": 2})
        assert ask("n", choices={"c": 2}) and ask("n", choices={"x.c": 2})


def test_lists_of_answers_beside_random_ones_are_refused_in_words() -> None:
    with pytest.raises(PlayError, match="HR810 answers that differ from time to time"):
        interpreter.loads(ASKS).odds("n", choices={"c": [2, 0]}, policy="random")


def test_advice_about_an_event_names_choices_as_play_does() -> None:
    played = interpreter.loads(ASKS)
    advice = played.odds("events.blow", best="t").law("t").strategy
    assert [one.path for one in advice] == ["c"]
    assert played.cause(played.state(), "blow", seed=1, choices={advice[0].path: advice[0].answer}).values["t"] >= 4


SOME = """ruleset: some
roles: {p: Who plays.}
kinds: {hero: {has: {luck: {type: points, to: 30, starts: 5}}}}
things: {hero: {ann: {}, bo: {}}}
mechanics:
  picks:
    steps:
      die: {roll: d6}
      some: {choose: some, among: "[1, 2, 3, 4]", most: 2, by: p}
      more: {choose: number, from: 0, to: 3, by: p}
      total: die + sum(some) + more
  twice:
    steps:
      passes: {repeat: 2, each: {some: {choose: some, among: "[1, 2, 3, 4]", most: 2, by: p}, got: sum(some)}}
      total: sum(passes.got)
actions:
  run: {actor: hero, inputs: {far: {type: number, from: 1, to: 3}}, steps: {die: {roll: d2}, total: die + far}}
scenes:
  night:
    round:
      watch:
        steps:
          some: {choose: some, among: "[1, 2, 3, 4]", most: 2, by: p}
          rest: {gain: sum(some), to: ann.luck}
    guard: 1
"""


def test_a_list_that_is_one_answer_to_some_is_given_each_time() -> None:
    game = interpreter.loads(SOME)
    best = game.odds("picks", choices={"some": [1, 4]}, best="total").law("total").weights
    assert best == {(face + 1 + 4 + 3,): Fraction(1, 6) for face in range(1, 7)}
    assert game.odds("scenes.night", choices={"some": [1, 4]}).of("ann.luck") == {10: 1}
    for ask in (game.odds, partial(game.simulate, runs=1_000)):
        assert ask("twice", choices={"passes.some": [1, 4]}).of("total") == {10: 1}
        assert ask("twice", choices={"passes.some": [[1, 4], [2]]}).of("total") == {7: 1}
        with pytest.raises(PlayError, match=r"HR622 .* is asked again"):
            ask("twice", choices={"passes.some": [[1, 4]]}).of("total")


def test_an_answer_to_an_input_that_is_given_is_refused() -> None:
    game = interpreter.loads(SOME)
    for ask in (game.odds, partial(game.simulate, runs=1_000), game.roll):
        assert ask("actions.run", actor="ann", choices={"far": 2})
        with pytest.raises(PlayError, match="HR623 `far` was never asked: it was given as an input"):
            ask("actions.run", actor="ann", far=1, choices={"far": 2})

"""What is too much for odds is refused as soon as there are too many states, and not when all of them were made."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from generated.limits import within_limits

import interpreter
from interpreter.api import exact_odds
from interpreter.diagnostics import PlayError
from interpreter.odds import engine, meter, scenes
from interpreter.odds.fold import Axis
from interpreter.odds.kernels import joint_law
from interpreter.odds.meter import Meter
from interpreter.odds.truncation import AtLeast
from interpreter.play.events import STEPS_OF_AN_OFFER

MOST = 2_000

REPEATS = {
    "kept passes": (
        "tries: {repeat: 12, each: {rolled: {roll: 3d6}, score: sum(rolled)}}",
        "sum(highest(tries.score, 6)) + first(tries).score",
    ),
    "whole passes": ("tries: {repeat: 6, each: {a: {roll: d20}, b: {roll: d20}, score: a + b}}", "first(tries).score"),
    "passes before": (
        "tries: {repeat: 6, each: {drawn: {roll: d365}, day: sum(drawn), again: day in earlier.day}}",
        "count(tries where it.again)",
    ),
    "until": (
        "tries: {repeat: 30, each: {rolled: {roll: 3d6}, score: sum(rolled)}, until: score == 3}",
        "sum(highest(tries.score, 3)) + first(tries).score",
    ),
    "passes in passes": (
        "tries: {repeat: 6, each: {best: {repeat: 6, each: {rolled: {roll: 3d6}, score: sum(rolled)},"
        " keep: {highest: score}}, score: best.score}}",
        "first(tries).score",
    ),
}


@pytest.mark.parametrize("name", REPEATS)
def test_repeats(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tries, value = REPEATS[name]
    text = f'ruleset: much\nmechanics:\n  much:\n    steps:\n      {tries}\n      value: "{value}"\n'
    made = 0

    def continued(todo: Any, got: Any) -> Any:
        nonlocal made
        made += 1
        return plainly(todo, got)

    plainly = engine.resume
    monkeypatch.setattr(meter, "LIMITS", meter.WorkLimits(states=MOST))
    monkeypatch.setattr(engine, "resume", continued)
    with pytest.raises(PlayError) as refused:
        interpreter.loads(text).odds("much").law("value")
    assert refused.value.diagnostic.code == "HR805"
    assert made < MOST + 500


# Answered or refused within the promise ---------------------------------------------------------------------------


def rule(steps: str, functions: str = "") -> str:
    body = "\n".join("      " + line for line in steps.strip().splitlines())
    return f"ruleset: much\n{functions}mechanics:\n  much:\n    steps:\n{body}\n"


def pools(dice: str, again: str, value: str) -> str:
    return rule(f'rolled: {{roll: {dice}{again}}}\nvalue: "{value}"')


def nested(deep: int) -> str:
    """Functions by cases, each of which calls the one before it twice."""
    made = "functions:\n"
    for number in range(deep):
        inner = f"f{number - 1}(dice)" if number else "count(dice)"
        made += (
            f"  f{number}:\n    takes: {{dice: roll}}\n    gives:\n      first_of:\n"
            f"        many: {{if: '{inner} > 3', is: '{inner} + 1'}}\n        few: {{if: otherwise, is: '{inner}'}}\n"
        )
    return rule(f"rolled: {{roll: 4d6}}\nvalue: f{deep - 1}(rolled)", made)


def paired(ours: str, theirs: str) -> str:
    return rule(
        f"a: {{roll: {ours}}}\nb: {{roll: {theirs}}}\n"
        "pairs: {pair: a, with: b, each: {wins: ours > theirs}}\nvalue: count(pairs.wins where it)"
    )


FAMILIES = {
    **{f"endless keep {n}": pools(f"{n}d10", ", again: face == 10", "sum(highest(rolled, 3))") for n in (3, 5, 9)},
    **{f"keep half of {n}": pools(f"{n}d{n}", "", f"sum(highest(rolled, {n // 2}))") for n in (20, 1000)},
    "endless sum of a large die": pools("2d1000", ", again: face > 1", "sum(rolled)"),
    **{f"nested {n}": nested(n) for n in (3, 8, 16, 40)},
    **{f"pairs {n}": paired(f"{n}d20", f"{n}d20") for n in (20, 40)},
}


def pig(hold: int) -> dict[tuple[int], Fraction]:
    """The law of the total of a turn of Pig: roll until the total is high enough, or a 1 takes it all."""
    going, ended = {0: Fraction(1)}, dict.fromkeys(range(hold + 6), Fraction(0))
    for total in range(hold):
        chance = going.get(total, Fraction(0))
        ended[0] += chance / 6
        for face in range(2, 7):
            into = going if total + face < hold else ended
            into[total + face] = into.get(total + face, Fraction(0)) + chance / 6
    return {(total,): chance for total, chance in ended.items() if chance}


ANSWERED: dict[str, tuple[str, Any]] = {
    "many passes that count those before": (
        "tries: {repeat: 9999, each: {number: count(earlier)}}\nvalue: last(tries).number",
        {(9998,): 1},
    ),
    "many passes that are added up": ("tries: {repeat: 9999, each: {n: nth}}\nvalue: sum(tries.n)", {(49_995_000,): 1}),
    "a turn of Pig, held at 20": (
        """turn:
  repeat: 100
  each:
    rolled: {roll: d6}
    bust: sum(rolled) == 1
    total: "0 if bust else sum(rolled) + (last(earlier.total) otherwise 0)"
  until: bust or total >= 20
value: last(turn.total)""",
        pig(20),
    ),
}


@pytest.mark.parametrize("name", ANSWERED)
def test_long_repetitions_are_answered(name: str) -> None:
    steps, law = ANSWERED[name]
    with within_limits():
        assert interpreter.loads(rule(steps)).odds("much").law("value").weights == law


def test_of_passes_only_the_last_is_kept_where_only_that_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meter, "LIMITS", meter.WorkLimits(states=500))
    steps, law = ANSWERED["a turn of Pig, held at 20"]
    assert interpreter.loads(rule(steps)).odds("much").law("value").weights == law


@pytest.mark.parametrize("name", FAMILIES)
def test_the_promise_is_kept(name: str) -> None:
    game = interpreter.loads(FAMILIES[name])
    with within_limits():
        try:
            assert game.odds("much").law("value").weights
        except PlayError as refused:
            assert refused.diagnostic.code in ("HR804", "HR805")


ASKED = """
rolled:
  roll: d12
  again: face > 6
  each:
    taken: {choose: yes_no, default: no}
    gained: "nth * face if taken else 0"
value: sum(rolled.gained)
"""


def test_points_where_somebody_decides_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """They hold all that was thrown before, so their memory is what grows first."""
    monkeypatch.setattr(meter, "LIMITS", meter.WorkLimits(memory=1 << 20))
    odds = interpreter.loads(rule(ASKED)).odds("much", best="value")
    with pytest.raises(PlayError) as refused:
        odds.law("value")
    assert refused.value.diagnostic.code == "HR805"


@pytest.mark.thorough
def test_the_best_answers_in_a_long_chain_keep_the_promise() -> None:
    game = interpreter.load("fiend-wake", layers=["twelves-explode"])
    with within_limits():
        law = game.odds("roll", stat=5, skill=3, difficulty=7, best="success").law("outcome")
        usual = game.odds("roll", stat=5, skill=3, difficulty=7).law("outcome")
        far = game.odds("roll", stat=5, skill=3, difficulty=20, best="success").law("outcome")
    assert not law.missing and law.weights == usual.weights  # whoever wants a success tosses again
    assert 0 < far.missing < Fraction(1, 100_000)


def test_dice_known_from_below_are_set_apart() -> None:
    """Three dice of which some go on: as the definition has it, where that decides."""
    groups = [({(1,): 3, (2,): 2, (AtLeast(3),): 1}, 3)]
    law = joint_law(groups, [Axis("top", 2)], Meter())[0]
    found = {(value.low, "more") if isinstance(value, AtLeast) else value: ways for (value,), ways in law.items()}
    # Two of three or more: 3·(3+2) + 1; one: 3·(ways of the highest of two others).
    assert found == {2: 27, 3: 54, 4: 44, (4, "more"): 27, (5, "more"): 48, (6, "more"): 16}


OFFERS = """
ruleset: offers
roles: {player: Who plays.}
kinds:
  hero: {has: {hp: {type: points, to: 3, starts: 3}}}
things:
  hero: {ann: {}}
actions:
  rest: {actor: {type: hero, where: it.hp < 3}, inputs: {}, steps: {slept: 1}}
  wait: {actor: {type: hero}, inputs: {}, steps: {waited: 1}}
scenes:
  night:
    inputs: {who: hero}
    round:
      watch:
        steps:
          luck: {roll: 2d6}
          hours: {repeat: 20, each: {moves: {offer: [rest, wait], to: who, most: 1}}}
    guard: 1
"""


def test_offers_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an offer takes counts, even where nobody does anything: its actions have to be tried."""
    game = interpreter.loads(OFFERS)
    plain = interpreter.loads(OFFERS.replace("{offer: [rest, wait], to: who, most: 1}", "{is: 1}"))
    monkeypatch.setattr(scenes, "MOST_STEPS", 36 * 20 * STEPS_OF_AN_OFFER)
    monkeypatch.setattr(exact_odds, "dice_may_outlast_phase", lambda *_: True)  # phases are enumerated
    assert plain.odds("scenes.night", inputs={"who": "ann"}).of("ann.hp") == {3: 1}
    with pytest.raises(PlayError) as refused:
        game.odds("scenes.night", inputs={"who": "ann"}, choices={"moves": "pass"}).of("ann.hp")
    assert refused.value.diagnostic.code == "HR814"


MANY_TO_STRIKE = """
ruleset: melee
kinds:
  hero: {has: {hp: {type: points, to: 3, starts: 3}}}
  camp: {one: yes, has: {heroes: {list_of: hero, default: []}}}
actions:
  strike: {actor: hero, requires: {somebody: any(camp.heroes where it.hp > 2)}, steps: {hit: 1}}
mechanics:
  turn:
    inputs: {who: hero}
    steps: {luck: {roll: d4}, moves: {offer: strike, to: who, most: 1}}
    outcomes: {lucky: luck == 4, fair: otherwise}
"""


def test_what_an_offer_looks_at_counts() -> None:
    """Whoever looks for somebody among sixty looks at sixty."""
    game = interpreter.loads(MANY_TO_STRIKE)

    def work(heroes: int) -> int:
        state: dict[str, Any] = {f"hero_{number}": {"is": "hero"} for number in range(heroes)}
        state["camp"] = {"heroes": [*state]}
        law = game.odds("turn", inputs={"who": "hero_0"}, state=state, choices={"moves": "strike"}).law("outcome")
        assert law.weights == {("fair",): Fraction(3, 4), ("lucky",): Fraction(1, 4)}
        assert law.cost is not None
        return law.cost.work

    assert work(60) >= work(2) + 58


TWO_ATTEMPTS = """ruleset: attempts
mechanics:
  all_passes:
    steps:
      x: {roll: d3, again: face == 2}
      y: {repeat: x, carry: {total: 1}, each: {die: {roll: d2}, total: total + die}}
"""


def test_all_attempts_at_a_question_together_do_half_as_much_again_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is too large where tails are followed to their ends is asked again with short ones."""
    spent, begun = [0], [0]
    spend, again = Meter.spend, Meter.begin_again

    def counted(one: Meter, work: int) -> None:
        spent[0] += work
        spend(one, work)

    def counted_again(one: Meter) -> None:
        begun[0] += 1
        again(one)

    monkeypatch.setattr(Meter, "spend", counted)
    monkeypatch.setattr(Meter, "begin_again", counted_again)
    with pytest.raises(PlayError, match="these odds need more work"):
        interpreter.loads(TWO_ATTEMPTS).odds("all_passes", seconds=0.2).of("y")
    assert begun == [1]
    assert 200_000 < spent[0] < 330_000


LONG_CHAINS = """ruleset: chains
mechanics:
  main:
    steps:
      a: {roll: 2d2, again: face == 2}
      b: {reroll: a where face == 2}
"""


def test_the_throws_of_long_chains_count_where_answers_show_them() -> None:
    """Dice that are thrown on thirty times take as long to compare and to show as thirty dice."""
    law = interpreter.loads(LONG_CHAINS).odds("main").law("a", "b")
    throws = sum(text.count("→") for values in law.ways for text in values)
    assert law.cost is not None and law.cost.work > 2 * throws > 400_000


PRODUCT = """ruleset: product
mechanics:
  main:
    steps:
      a: {roll: dSIDES}
      b: {roll: dSIDES}
      x: sum(a) * sum(b)
      y: x * x - x
"""


@pytest.mark.parametrize(("sides", "counted"), [(2, 4), (10, 25), (100, 2_500)])
def test_many_states_that_only_formulas_follow_count_as_the_few_that_take_as_long(sides: int, counted: int) -> None:
    law = interpreter.loads(PRODUCT.replace("SIDES", str(sides))).odds("main").law("y")
    assert law.missing == 0 and law.cost is not None
    assert counted < law.cost.states <= counted + sides + 1  # and those before the second die

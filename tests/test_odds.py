"""Exact odds: every faster way is held to plain enumeration, kernel by kernel and mechanic by mechanic."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, get_args

import games
import pytest
from generated.asking import Asked
from marks import thorough

import interpreter
from interpreter import bundled, ir
from interpreter.api.exact_odds import paths_of
from interpreter.api.game import Game
from interpreter.diagnostics import PlayError
from interpreter.ir.choice_keys import reachable_bodies
from interpreter.odds.brute_force import Effort
from interpreter.odds.fold import HIGHEST, LOWEST, SUM, Axis, fold
from interpreter.odds.kernels import joint_law
from interpreter.odds.long_sum import long_sum
from interpreter.odds.lower.verbs import VERBS
from interpreter.odds.meter import Meter
from interpreter.odds.projection import value_at
from interpreter.testing.cases import cases_of, fold_dotted_keys

# Kernels ---------------------------------------------------------------------------------------------------------


def some_axes(chance: random.Random) -> list[Axis]:
    kinds = [SUM, SUM, HIGHEST, LOWEST, *(Axis(kind, k) for kind in ("kth", "top", "low") for k in range(4))]
    return [chance.choice(kinds) for _ in range(chance.randint(1, 3))]


@pytest.mark.parametrize("seed", range(800))
def test_every_kernel_agrees_with_taking_one_die_after_the_other(seed: int) -> None:
    chance = random.Random(seed)
    axes, groups = some_axes(chance), []
    alike = chance.random() < 0.6  # all axes look at the same number of every die, as `sweep` asks
    for _ in range(chance.randint(1, 3)):
        features: dict[Any, int] = {}
        for _ in range(chance.randint(1, 5)):
            value = chance.randint(-2, 5)
            other = [value if alike or chance.random() < 0.8 else None for _ in axes]
            row = tuple(chance.randint(-1, 3) if a.kind == "sum" else o for a, o in zip(axes, other, strict=True))
            features[row] = features.get(row, 0) + chance.randint(1, 3)
        groups.append((features, chance.randint(0, 3)))
    law, total = joint_law(groups, axes, Meter())
    assert {values: ways for values, ways in law.items() if ways} == fold(groups, axes, Meter())
    assert sum(law.values()) == total


@pytest.mark.parametrize("seed", range(200))
def test_a_long_sum_agrees_with_taking_one_die_after_the_other(seed: int) -> None:
    chance = random.Random(seed)
    low, size, dice = chance.randint(-3, 3), chance.randint(1, 6), chance.randint(1, 9)
    weights = [chance.randint(0 if 0 < place < size - 1 else 1, 3) for place in range(size)]
    if seed % 3 == 0:  # all numbers equally often, which is faster
        weights = [weights[0]] * size
    features = {(low + place,): weight for place, weight in enumerate(weights) if weight}
    assert long_sum(features, dice, Meter()) == fold([(features, dice)], [SUM], Meter())


def test_hundreds_of_large_dice_are_added() -> None:
    odds = interpreter.loads("ruleset: many\nmechanics: {main: {steps: {a: {roll: 400d100}, r: sum(a)}}}").odds("main")
    assert odds.mean("r") == 400 * Fraction(101, 2)
    assert odds.of("r")[400] == Fraction(1, 100**400)
    assert odds.of("r")[402] == Fraction(400 * 401 // 2, 100**400)
    assert round(odds.deviation("r"), 6) == round((400 * (100**2 - 1) / 12) ** 0.5, 6)


# Lowering --------------------------------------------------------------------------------------------------------


def test_every_verb_is_lowered() -> None:
    assert VERBS.of.keys() == {*get_args(ir.StepBody)}


# Mechanics -------------------------------------------------------------------------------------------------------

FEW = Effort(ways=700, throws=9)


def questions(name: str) -> list[tuple[str, Any]]:
    """What the cases of a ruleset play, but for rules that change what lasts: no way is followed through those."""
    loaded = games.loaded(name)
    program, world = loaded.program, loaded.world
    assert program is not None and world is not None
    pure = [
        key
        for key, rule in program.mechanics.items()
        if not any(isinstance(action, ir.Effect) for _, action in reachable_bodies(program, rule))
    ]
    seen, found = set(), []
    for case in cases_of(world.cases):
        mechanic = case.text("mechanic")
        if mechanic not in pure or {"error", "options", "policy", "before"} & set(case.node.by_key):
            continue
        key = (mechanic, repr({k: getattr(v, "text", v.span.text) for k, v in case.given.items()}))
        if key not in seen:
            seen.add(key)
            found.append((mechanic, fold_dotted_keys(case.given)))
    return found


SLOW = ("dnd5e", "fiend-wake", "savage-worlds")
"""Rulesets whose enumeration takes long."""


@pytest.mark.parametrize("name", thorough(sorted(bundled.rulesets()), SLOW.__contains__))
def test_bundled_mechanics_have_the_odds_that_enumeration_gives(name: str) -> None:
    game = games.game(name)
    tried = 0
    for mechanic, given in questions(name)[:120]:
        try:
            compare(game, mechanic, given)
            tried += 1
        except PlayError as error:
            assert error.diagnostic.code in ("HR631", "HR621", "HR601", "HR602", "HR625")
    assert tried


def compare(game: Game, mechanic: str, given: Any) -> None:
    """Raises PlayError where plain enumeration does not get to the end."""
    rule = game.program.mechanics[mechanic]
    reader = game.reader()
    values = reader.mechanic_inputs(rule, given)
    ways = paths_of(game, mechanic, values, lambda: game.answers(None, None, None, reader), FEW)
    missing = sum((way.weight for way in ways if way.record is None), Fraction(0))
    names = [name for name, _ in rule.type.fields]
    asked = ("outcome",) if "outcome" in names else (names[-1],)
    law: dict[Any, Fraction] = {}
    for weight, record in ways:
        if record is not None:
            key = tuple(value_at(record, name) for name in asked)
            law[key] = law.get(key, Fraction(0)) + weight
    found = game.odds(mechanic, inputs=given).law(*asked)
    if not missing:
        assert found.weights == law and not found.missing
    for key, weight in law.items():
        got = found.weights.get(key, Fraction(0))
        assert got <= weight + missing and weight <= got + found.missing


# What is worth knowing -------------------------------------------------------------------------------------------


def test_a_contest_of_pools() -> None:
    odds = games.game("jadeclaw").odds("contest", own="2d12 & d10 & d8", against="3d10 & d6")
    assert odds.outcomes["botch"] == Fraction(1, 11520)
    assert odds.outcomes["overwhelming_success"] == Fraction(3959531, 34560000)
    assert odds.outcomes["tie"] == Fraction(2989219, 23040000)
    assert sum(odds.outcomes.values()) == 1 and not odds.missing


def test_dice_that_explode_for_ever_have_exact_odds_where_a_bound_decides() -> None:
    game = interpreter.loads(
        "ruleset: ace\n"
        "mechanics:\n"
        "  test:\n"
        "    inputs: {target: number}\n"
        "    steps:\n"
        "      rolled: {roll: {trait: d8, wild: d6}, again: face == size}\n"
        "      best: highest(rolled)\n"
        "    outcomes: {made: best >= target, missed: otherwise}\n"
    )
    assert game.odds("test", target=8).outcomes["made"] == Fraction(71, 288)
    assert game.odds("test", target=8).missing == 0
    assert 0 < game.odds("test", target=8).missing_of("best") < Fraction(1, 10**12)


def test_a_bound_decides_sums_as_well() -> None:
    game = interpreter.loads(
        "ruleset: ace\n"
        "mechanics:\n"
        "  test:\n"
        "    steps:\n"
        "      rolled: {roll: {trait: d6, wild: d4}, again: face == size}\n"
        "      total:  max(sum(rolled) - 2, 0) * 3\n"
        "    outcomes: {made: total >= 30, missed: otherwise}\n"
    )
    odds = game.odds("test")
    assert odds.missing == 0 and sum(odds.outcomes.values()) == 1


def test_choices_by_chance_are_answered_with_every_answer() -> None:
    game = interpreter.loads(
        "ruleset: coin\n"
        "roles: {player: Who calls.}\n"
        "mechanics:\n"
        "  call:\n"
        "    steps:\n"
        "      called: {choose: number, from: 1, to: 2, by: player, ask: 'Which?'}\n"
        "      thrown: {roll: d6}\n"
        "    outcomes: {right: thrown == called, wrong: otherwise}\n"
    )
    assert game.odds("call", policy="random").outcomes["right"] == Fraction(1, 6)
    assert game.odds("call", policy="random").of("called") == {1: Fraction(1, 2), 2: Fraction(1, 2)}


def test_a_chain_that_a_rule_ends_is_followed_to_its_end() -> None:
    game = interpreter.loads(
        "ruleset: long\n"
        "mechanics:\n"
        "  run:\n"
        "    steps:\n"
        "      rolled: {roll: {die: d6}, again: face >= 5 and nth < 40}\n"
        "      total: sum(rolled)\n"
    )
    assert game.odds("run").missing == 0
    assert game.odds("run").of("total")[6 * 40] == Fraction(1, 6**40)


def law_of(text: str, *names: str) -> dict[Any, Fraction]:
    """The law of some names of the mechanic `main` of a ruleset, nothing else being asked."""
    return dict(interpreter.loads(f"ruleset: small\nmechanics:\n{text}").odds("main").law(*names).weights)


def test_a_roll_may_say_how_often_something_is_repeated() -> None:
    text = "  main: {steps: {die: {roll: d2}, tries: {repeat: die, each: {one: {roll: d2}}}, total: sum(tries.one)}}"
    assert law_of(text, "total") == {
        (1,): Fraction(1, 4),
        (2,): Fraction(3, 8),
        (3,): Fraction(1, 4),
        (4,): Fraction(1, 8),
    }


def test_what_an_outcome_names_keeps_states_apart_where_the_outcome_is_not_asked_for() -> None:
    text = (
        "  main:\n    steps: {die: {roll: d2}}\n    outcomes: {high: {if: die == 2, steps: {more: 1}}, low: otherwise}"
    )
    assert law_of(text, "more") == {(None,): Fraction(1, 2), (1,): Fraction(1, 2)}


def test_a_roll_that_is_read_in_a_call_and_told_beside_it_is_one_roll() -> None:
    text = (
        "  inner: {inputs: {lying: {type: roll}}, steps: {most: sum(lying)}}\n"
        "  main: {steps: {rolled: {roll: d2}, called: {call: inner, with: {lying: rolled}}}}"
    )
    assert law_of(text, "rolled", "called.most") == {(1, 1): Fraction(1, 2), (2, 2): Fraction(1, 2)}


def test_a_roll_that_a_mechanic_is_given_stays_itself_when_it_was_looked_at() -> None:
    text = (
        "  inner:\n    inputs: {lying: {type: roll}}\n    steps: {least: 'lowest(lying, 1)'}\n"
        "    also: {much: sum(least) > 7 or sum(lying) >= 5}\n"
        "  main: {steps: {rolled: {roll: 2d3}, called: {call: inner, with: {lying: rolled}}}}"
    )
    assert law_of(text, "called.much") == {(False,): Fraction(2, 3), (True,): Fraction(1, 3)}


def test_what_a_throw_counts_may_be_read_of_another_roll() -> None:
    text = (
        "  main:\n    steps:\n      one: {roll: d2}\n      other: {roll: d2}\n"
        "      pairs: {pair: one, with: other, each: {most: 'max(ours, theirs)'}}\n"
        "      counted: {roll: d2, counts: sum(pairs.most)}\n"
        "      anew: {reroll: counted where value == highest(one)}\n"
        "      total: sum(anew)"
    )
    assert law_of(text, "counted") == {(1,): Fraction(1, 4), (2,): Fraction(3, 4)}
    game = interpreter.loads(f"ruleset: small\nmechanics:\n{text}")
    true: dict[Any, Fraction] = {}
    for weight, record in paths_of(game, "main", {}, lambda: game.answers(None, None, None, game.reader())):
        true[(record["total"],)] = true.get((record["total"],), Fraction(0)) + weight
    assert law_of(text, "total") == true


@pytest.mark.parametrize(
    "steps",
    [
        "{a: {roll: d2}, b: a, n: sum(a & b)}",
        "{a: {roll: 2d2}, b: {roll: d3}, c: a & b, d: a & c, n: sum(d) + count(c where face == 2)}",
        "{a: {roll: 2d2}, b: {roll: d3}, p: {pair: a, with: b, each: {won: ours > theirs}}, c: a & b,"
        " n: sum(c) * 10 + count(p.won where it)}",
        "{a: {roll: d4}, b: a, n: count(a where face >= b)}",
        "{x: {call: two}, c: x.dice & x.same, n: sum(c)}",
        "{a: {roll: 3d3}, low: 'a where face == 1', n: 'sum(without(a, low)) * 10 + count(low)'}",
        "{a: {roll: 2d3 & d4 wild}, plain: count(a where face == 1 or not wild in tags),"
        " b: {is: 'without(a, highest(a, 1))', if: plain == 3, else: a}, n: sum(b) * 10 + plain}",
    ],
)
def test_a_roll_that_meets_itself_is_one_roll(steps: str) -> None:
    two = "two: {steps: {dice: {roll: d3}, same: dice}}"
    game = interpreter.loads(
        f"ruleset: same\ntags: {{wild: It may go on.}}\nmechanics: {{{two}, m: {{steps: {steps}}}}}"
    )
    law: dict[Any, Fraction] = {}
    for weight, record in paths_of(game, "m", {}, lambda: game.answers(None, None, None, game.reader())):
        law[(record["n"],)] = law.get((record["n"],), Fraction(0)) + weight
    assert game.odds("m").law("n").weights == law


@pytest.mark.parametrize(
    ("tries", "total"),
    [
        ("repeat: 2, each: {counts: {roll: d4}}, keep: {highest: counts}", "sum(tries.counts)"),
        ("repeat: 3, each: {counts: {roll: d2}}, until: sum(counts) == 2", "sum(tries.counts)"),
    ],
)
def test_a_step_of_a_pass_may_have_any_name(tries: str, total: str) -> None:
    """Even one that stands for something else in a throw."""
    text = f"  main: {{steps: {{tries: {{{tries}}}, total: {total}}}}}"
    game = interpreter.loads(f"ruleset: small\nmechanics:\n{text}")
    true: dict[Any, Fraction] = {}
    for weight, record in paths_of(game, "main", {}, lambda: game.answers(None, None, None, game.reader())):
        true[(record["total"],)] = true.get((record["total"],), Fraction(0)) + weight
    assert law_of(text, "total") == true


def test_a_stage_reads_the_roll_as_it_is_by_then() -> None:
    """What was read of one die in a condition is another reading once a stage has thrown the dice anew."""
    anew = "{reroll: rolled, if: count(rolled where face > 1 and size > 3) > 0}"
    text = (
        "  main:\n    steps:\n      rolled:\n        roll: d4 & d3\n"
        f"        then:\n          more: {anew}\n          again: {anew}\n      total: sum(rolled)"
    )
    game = interpreter.loads(f"ruleset: small\nmechanics:\n{text}")
    true: dict[Any, Fraction] = {}
    for weight, record in paths_of(game, "main", {}, lambda: game.answers(None, None, None, game.reader())):
        true[(record["total"],)] = true.get((record["total"],), Fraction(0)) + weight
    assert law_of(text, "total") == true


def test_a_rule_says_whether_it_hides_what_it_reads() -> None:
    """What does is written out when odds are first asked, which takes a walk over the whole rule."""
    game = interpreter.loads(
        "ruleset: small\noptions: {high: {type: number, default: 5}}\nfunctions:\n"
        "  good: {takes: {dice: {type: roll}}, gives: count(dice where face > 3)}\n"
        "mechanics:\n"
        "  plain: {steps: {a: {roll: 2d6}, n: sum(a)}}\n"
        "  by_function: {steps: {a: {roll: 2d6}, n: good(a)}}\n"
        "  by_option: {steps: {a: {roll: 2d6}, n: count(a where face > options.high)}}\n"
        "  by_without: {steps: {a: {roll: 2d6}, n: 'count(without(a, a where face == 1))'}}\n"
        "  in_outcomes: {steps: {a: {roll: 2d6}}, outcomes: {win: good(a) > 1, lose: otherwise}}\n"
    )
    hiding = {name for name, rule in game.program.mechanics.items() if rule.needs_inlining}
    assert hiding == {"by_function", "by_option", "by_without", "in_outcomes"}


@pytest.mark.parametrize("counts", ["face", "face - 2", "1"])
def test_one_die_that_goes_on_for_ever_is_told_apart_from_those_beside_it(counts: str) -> None:
    text = f"""
    ruleset: apart
    mechanics:
      main:
        steps:
          endless: {{roll: d3, again: face == size, counts: {counts}}}
          few: endless in [1, 3]
          other: {{roll: d8}}
          both: other & endless
          both_tell: 1 if any(both where value < 1) or few else 0
    """
    game = interpreter.loads(text)
    asked = Asked(game, "main", {}, None, None, {}, True)
    for names in (("both_tell",), ("few", "both_tell"), ("endless", "both_tell")):
        law, plain = game.odds("main").law(*names), asked.law(names)
        assert sum(law.weights.values()) + law.missing == 1
        assert all(share <= law.weights.get(key, 0) <= share + asked.unknown for key, share in plain.items())


@pytest.mark.thorough
def test_chains_are_followed_no_deeper_than_the_work_will_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a greater depth takes is foreseen from the growth so far, so that no time is lost before it is refused."""
    from interpreter.odds import query_cache

    work: list[int] = []
    at_depth = query_cache._law_at_depth

    def watched(cache: Any, *rest: Any, **more: Any) -> Any:
        law = at_depth(cache, *rest, **more)
        work.append(cache.meter.work)
        return law

    monkeypatch.setattr(query_cache, "_law_at_depth", watched)
    game = interpreter.loads("""\
ruleset: r
mechanics:
  one: {steps: {r: {roll: d2, again: face == 2}, low: lowest(r)}}
  m: {steps: {tries: {repeat: 3, each: {made: {call: one}}}}}
""")
    law = game.odds("m").law("tries")
    limit = Meter().limits.work
    assert 0 < law.missing < 1 and 1 < len(work) < len(query_cache.DEPTHS)
    steps = [now - before for before, now in zip([0, *work], work, strict=False)]
    assert work[-1] < limit < work[-1] + steps[-1] * (steps[-1] / steps[-2])

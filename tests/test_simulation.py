"""Simulation: columns held to kernels over every combination, samples to exact odds, answers to any executor."""

from __future__ import annotations

import json
import math
import os
import pickle
import random
import re
import subprocess
import sys
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import games
import pytest
from marks import thorough
from terminal import Terminal
from test_cli import run
from test_odds import questions
from test_odds_of_pairs import DICE, a_clash

import interpreter
from interpreter import bundled
from interpreter.api.query import Query, prepare
from interpreter.budget import Budget
from interpreter.chances.estimate import Estimate
from interpreter.diagnostics import HouseruleError, PlayError
from interpreter.simulation import chunks as running

np = pytest.importorskip("numpy")

from interpreter.simulation import tables  # noqa: E402
from interpreter.simulation.columns import LawColumns  # noqa: E402
from interpreter.simulation.dice_columns import DiceColumns  # noqa: E402
from interpreter.simulation.random_bits import FEW, SLOTS, Bits, Urn  # noqa: E402
from interpreter.simulation.reading_columns import ReadingColumns  # noqa: E402
from interpreter.simulation.worker import WorkerTask  # noqa: E402

CONTEST: dict[str, Any] = {"own": "2d12 & d10 & d8", "against": "3d10 & d6"}

HOUSERULE = [sys.executable, "-c", "from interpreter.cli import main; main()"]

# Chance ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_every_place_has_as_many_slots_as_its_share_and_the_rest_of_it_is_drawn_once_more(seed: int) -> None:
    chance = random.Random(seed)
    ways = [chance.choice((0, 1, chance.randint(1, 10**6), 10**40)) for _ in range(chance.randint(1, 60))] + [1]
    urn = Urn(ways)
    assert [SLOTS * one for one in ways] == [
        full * sum(ways) + rest for full, rest in zip(urn.full, urn.rests, strict=True)
    ]
    assert sum(urn.full) == urn.open and sum(urn.rests) == (SLOTS - urn.open) * sum(ways)
    drawn = np.concatenate([urn.draw(Bits(seed, 0), FEW), urn.draw(Bits(seed, 1), 20_000)])
    assert all(ways[place] for place in set(drawn.tolist()))


def test_every_die_is_fair() -> None:
    """Chi-square of each size of die: of 99 sums, none is farther out than one in a hundred thousand."""
    for size in range(2, 101):
        for draws in (1000, 60_000):  # with and without the table
            counts = np.bincount(Urn([1] * size).draw(Bits(size, draws), draws), minlength=size)
            expected = draws / size
            chi = float(((counts - expected) ** 2 / expected).sum())
            free = size - 1
            deviations = ((chi / free) ** (1 / 3) - (1 - 2 / (9 * free))) / math.sqrt(2 / (9 * free))  # Wilson-Hilferty
            assert abs(deviations) < 4.4, (size, draws)


def test_chunks_have_bits_of_their_own_that_no_version_changes() -> None:
    assert Bits(1, 0).words(3).tolist() != Bits(1, 1).words(3).tolist()
    assert Bits(7, 2).slots(5).tolist() == SLOTS_OF_SEED_7


SLOTS_OF_SEED_7 = [52488, 60302, 15158, 13643, 54556]

# What draws a roll -----------------------------------------------------------------------------------------------


def drawn_by(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is made ready to draw rolls from here on."""
    from interpreter.simulation.engine import SamplingEngine

    made: list[Any] = []
    plain = SamplingEngine._sampler

    def noted(*wanted: Any) -> Any:
        made.append(plain(*wanted))
        return made[-1]

    monkeypatch.setattr(SamplingEngine, "_sampler", noted)
    return made


# Samples ---------------------------------------------------------------------------------------------------------


def agrees(game: interpreter.Game, mechanic: str, given: Any, runs: int = 20_000) -> bool:
    """Whether a sample was held to exact odds: no share is more than five standard errors off."""
    rule = game.program.mechanics[mechanic]
    names = [name for name, _ in rule.type.fields]
    asked = "outcome" if "outcome" in names else names[-1]
    try:
        law = game.odds(mechanic, inputs=given).law(asked).weights
    except PlayError as problem:
        if problem.diagnostic.code not in ("HR804", "HR805"):
            with pytest.raises(PlayError):
                game.simulate(mechanic, inputs=given, runs=1, seed=5, of=[asked])
        return False
    counts = game.simulate(mechanic, inputs=given, runs=runs, seed=5, of=[asked]).counts(asked)
    close(law, counts, runs)
    return True


def close(law: Any, counts: Any, runs: int) -> None:
    """No count is more than five standard errors off."""
    for value in {*law, *counts}:
        chance = float(law.get(value, 0))
        deviation = math.sqrt(max(runs * chance * (1 - chance), 1))
        assert abs(counts.get(value, 0) - runs * chance) < 5 * deviation, value


@pytest.mark.parametrize("name", thorough(sorted(bundled.rulesets()), lambda name: name == "savage-worlds"))
def test_samples_of_bundled_mechanics_agree_with_exact_odds(name: str) -> None:
    game = games.game(name)
    seen: dict[str, int] = {}
    for mechanic, given in questions(name):
        seen[mechanic] = seen.get(mechanic, 0) + 1
        if seen[mechanic] == 1 and (name, mechanic) not in SLOW:
            agrees(game, mechanic, given)
    assert seen


SLOW = {("d6", "related_skill"), ("2d20", "test"), ("2d20", "skill_test"), ("d6", "opposed"), ("d6", "with_related")}


RULES = """\
ruleset: pairs
roles: {player: Who decides.}
mechanics:
  damage:
    inputs: {own: {type: dice}, soak: {type: dice}}
    steps:
      blow: {roll: own}
      shield: {roll: soak}
      met:
        pair: blow
        with: shield
        missing: 1
        each:
          margin: ours - theirs
          hits: "(1 if margin > 0 else 0) + (1 if margin >= 5 else 0)"
      ones: all(shield where face == 1)
      hits: sum(met.hits) + (1 if ones else 0)
  handled:
    inputs: {dice: {type: dice, default: 4d6}}
    steps:
      rolled: {roll: dice}
      anew: {reroll: rolled where face < 3 by size, most: 1}
      kept: first(anew, 3)
      total: sum(kept)
  ace:
    inputs: {target: {type: number, default: 9}}
    steps:
      rolled: {roll: {trait: d8, wild: d6}, again: face == size}
      best: highest(rolled)
    outcomes: {made: best >= target, missed: otherwise}
  endless:
    steps:
      rolled: {roll: d2, again: face > 1 or nth < 300, guard: 300}
      total: sum(rolled)
    outcomes: {done: total > 9, never: otherwise}
  call:
    steps:
      called: {choose: number, from: 1, to: 2, by: player, ask: "Which?"}
      again: {choose: number, from: 1, to: 2, by: player, default: 1}
      thrown: {roll: d6}
    outcomes: {right: thrown == called, wrong: otherwise}
  scores:
    steps:
      best:
        repeat: 6
        keep: {highest: total}
        each:
          rolled: {roll: 4d6}
          total: sum(highest(rolled, 3))
      total: best.total
"""


def rules() -> interpreter.Game:
    return interpreter.loads(RULES, name="pairs.yaml")


@pytest.mark.parametrize(
    ("mechanic", "given"),
    [
        ("damage", {"own": "3d12 & d10 & d8", "soak": "2d12 & d8"}),
        ("damage", {"own": "d4", "soak": "3d6"}),
        ("handled", {}),
        ("ace", {}),
        ("ace", {"target": 15}),
        ("scores", {}),
    ],
)
def test_samples_of_every_kind_of_roll_agree_with_exact_odds(mechanic: str, given: Any) -> None:
    assert agrees(rules(), mechanic, given, runs=50_000)


@pytest.mark.parametrize("seed", range(24))
def test_samples_of_pairs_agree_with_exact_odds(seed: int) -> None:
    chance = random.Random(seed)
    game = interpreter.loads(a_clash(chance))
    pools = [" & ".join(chance.choice(DICE) for _ in range(chance.randint(1, 3))) for _ in range(2)]
    odds = game.odds("clash", mine=pools[0], against=pools[1])
    names = tuple(name for name in odds.known if name.startswith("read_"))
    counts = game.simulate("clash", mine=pools[0], against=pools[1], runs=20_000, seed=seed, of=names).counts(*names)
    close(odds.law(*names).weights, counts, 20_000)


LONG = """\
ruleset: long
language: 1
mechanics:
  main:
    steps:
      rolled: {roll: 2d100, again: face > 2}
      total: sum(rolled)
      many: count(rolled.throws)
"""


PAIRS = """\
ruleset: pairs
language: 1
mechanics:
  main:
    steps:
      own: {roll: 2d2, again: face == 1 and nth < 4, counts: 0 if nth < 3 else face}
      other: {place: d3 & d6, showing: "3"}
      pairs: {pair: own, with: other, each: {lead: ours, uneven: odd(ours + theirs)}}
      left: highest(own) - sum(pairs.lead)
"""


@pytest.mark.parametrize("names", [("pairs",), ("own", "pairs"), ("left", "pairs"), ("left",)])
def test_equal_dice_that_look_different_are_paired_in_the_order_in_which_they_fell(names: tuple[str, ...]) -> None:
    game = interpreter.loads(PAIRS)
    counts = game.simulate("main", runs=20_000, seed=1, of=names).counts(*names)
    close(game.odds("main").law(*names).weights, counts, 20_000)


def test_readings_have_a_law_and_dice_that_are_handled_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    made = drawn_by(monkeypatch)
    rules().simulate("damage", own="3d6", soak="2d6", runs=100, seed=1)
    assert [type(one) for one in made] == [LawColumns]
    made.clear()
    rules().simulate("handled", runs=100, seed=1)
    assert {type(one) for one in made} == {DiceColumns}
    made.clear()
    rules().simulate("ace", runs=100, seed=1)
    assert {type(one) for one in made} == {LawColumns}


WIDE = """\
ruleset: wide
mechanics:
  main:
    steps:
      rolled: {roll: {rest: d4 & 2d6 & d8, ace: d6}, again: part is ace and face == size and nth < 4}
      total: sum(rolled)
      top: sum(highest(rolled, 2))
      low: lowest(rolled)
      second: item(highest(rolled, 2), 2)
      high: highest(rolled where face < 3)
      few: sum(lowest(rolled where odd(face), 2))
      ones: count(rolled where face == 1)
      never: any(rolled where face == 9)
"""


def test_readings_without_a_law_are_drawn_in_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.loads(WIDE)
    monkeypatch.setattr(tables, "WORK_OF_A_LAW", 0)
    made = drawn_by(monkeypatch)
    for names in [("total", "top", "low"), ("high", "ones"), ("few",), ("top", "never"), ("second",)]:
        counts = game.simulate("main", runs=20_000, seed=1, of=names).counts(*names)
        close(game.odds("main").law(*names).weights, counts, 20_000)
    assert ReadingColumns in {type(one) for one in made} and LawColumns not in {type(one) for one in made}


def test_a_law_that_is_too_much_goes_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = rules().simulate("scores", runs=50_000, seed=1).mean("total")
    monkeypatch.setattr(tables, "WORK_OF_A_PART", 1)
    monkeypatch.setattr(tables, "WORK_OF_A_RUN", 0)
    stepwise = rules().simulate("scores", runs=50_000, seed=1).mean("total")
    assert plain != stepwise and abs(plain - stepwise) < 5 * (plain.error + stepwise.error)


@pytest.mark.parametrize(("states", "fewest"), [(200, 64), (1, 1 << 14)], ids=["in parts", "one by one"])
def test_many_states_are_followed_some_runs_at_a_time_or_played(
    states: int, fewest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from interpreter.simulation import engine, query_cache

    whole = rules().simulate("handled", runs=16_000, seed=1).mean("total")
    monkeypatch.setattr(engine, "MOST_STATES", states)
    monkeypatch.setattr(query_cache, "FEW_RUNS", fewest)
    parts = rules().simulate("handled", runs=2_000, seed=1).mean("total")
    assert whole != parts and abs(whole - parts) < 5 * (whole.error + parts.error)


def test_what_is_never_decided_is_missing_and_said() -> None:
    game = rules()
    for names in (["total"], ["rolled"], ["total", "outcome"]):
        sample = game.simulate("endless", runs=200, seed=1, of=names)
        assert 0.35 < sample.missing_of(*names) < 0.65 and sum(sample.counts(*names).values()) > 70
    task = WorkerTask(game, "endless", prepare(Query(game, "endless", {})).frame, ("total",), None, None, 1)
    assert 25 < sum(task._play(game.rule("endless"), 80, 0).counts.values()) < 55


def test_a_chunk_whose_first_runs_all_pass_a_limit_is_kept_unless_it_is_the_first() -> None:
    game = interpreter.loads(LONG.replace("face > 2", "face > 2, guard: 9"))
    rule = game.rule("main")
    task = WorkerTask(game, "main", prepare(Query(game, "main", {})).frame, ("total",), None, None, 1)
    share = (1 - 0.98**9) ** 2  # two dice, each of which ends within nine throws
    many = sum(sum(task._play(rule, 100, chunk).counts.values()) for chunk in range(1, 41))
    assert abs(many - 4_000 * share) < 5 * math.sqrt(4_000 * share * (1 - share))
    never = interpreter.loads(LONG.replace("d100, again: face > 2", "d1000, again: face > 1 or nth < 9, guard: 9"))
    task = WorkerTask(never, "main", prepare(Query(never, "main", {})).frame, ("total",), None, None, 1)
    assert task._play(never.rule("main"), 100, 1).counts == {}
    with pytest.raises(PlayError, match="HR630"):
        task._play(never.rule("main"), 100, 0)


@pytest.mark.parametrize("names", [("total",), ("many",), ("total", "many"), ("rolled",)])
def test_chains_that_go_on_for_long_are_thrown_to_their_end(names: tuple[str, ...]) -> None:
    game = interpreter.loads(LONG)
    law = {many: (many - 1) * 0.02**2 * 0.98 ** (many - 2) for many in range(2, 3_000)}
    sample = game.simulate("main", runs=2_000, seed=1, of=names)
    assert sample.missing_of(*names) < 0.01
    if "many" in names:
        found = [(key[names.index("many")], count) for key, count in sample.counts(*names).items()]
        close(within_tens(law.items()), within_tens(found), 2_000)


MANY_CHAINS = """
ruleset: chains
mechanics:
  values:
    steps:
      a: {roll: d100}
      b: {roll: d2, again: face == 1, counts: face if nth < 3 else a - 50}
  pooled:
    steps:
      a: {roll: d100}
      b: {roll: 3d2, again: face == 1, counts: face if nth < 3 else a - 50}
  rerolled:
    steps:
      a: {roll: d100}
      pool: {roll: 3d10, again: face == 10, counts: face + a}
      b: {reroll: pool where face <= a / 10}
  own_dice:
    steps:
      a: {roll: d100}
      b:
        roll: 4d10
        each:
          own: {roll: 2d20}
          low: count(own where face * 5 < a)
        again: low == 2 and nth < 20
        counts: face + low
  many_own_dice:
    steps:
      a: {roll: d100}
      b:
        roll: 4d10
        each:
          own: {roll: 3d20}
          low: count(own where face * 5 < a)
        again: low == 2 and nth < 20
        counts: face + low
"""
"""Each state has a chain of its own. All tables of `values`, for example, took 16 seconds."""


OWN_SUMS = """
ruleset: sums
mechanics:
  own_sums:
    steps:
      a: {roll: d20}
      dice:
        roll: 4d10
        each:
          own: {roll: 2d6}
          more: sum(own) - a
        again: more == 2 and nth < 20
        counts: face + more
      b: sum(dice)
"""
"""The throws of each state have laws of their own."""


@pytest.mark.parametrize("rule", ["values", "pooled", "rerolled", "own_dice", "many_own_dice", "own_sums"])
def test_no_simulation_is_prepared_for_longer_than_odds_are_refused(rule: str) -> None:
    game = interpreter.loads(OWN_SUMS if rule == "own_sums" else MANY_CHAINS)
    began = process_time()
    game.simulate(rule, runs=250, seed=1, of=["a", "b"])
    assert process_time() - began < 8


def test_chains_with_a_table_and_without_one_agree_with_exact_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    game = interpreter.loads(MANY_CHAINS.replace("d100", "d8"))
    law = game.odds("values").law("b").weights
    for work in (0, 300_000, 100_000_000):
        monkeypatch.setattr(tables, "WORK_OF_A_PART", work)
        close(law, game.simulate("values", runs=20_000, seed=work, of=["b"]).counts("b"), 20_000)


@pytest.mark.parametrize("again", ["face > 2", "face == 1 and nth < 3", "face == 4"])
def test_chains_that_are_thrown_one_throw_at_a_time_agree_with_exact_odds(
    again: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "WORK_OF_A_TABLE", 0)
    game = interpreter.loads(f"""
ruleset: chains
mechanics:
  main:
    steps:
      thrown: {{roll: 2d4, again: {again}, counts: face + nth}}
      many:   count(thrown.throws)
      total:  sum(thrown)
""")
    exact, sample = game.odds("main"), game.simulate("main", runs=5_000, seed=1)
    for name in ("many", "total"):
        close(exact.law(name).weights, sample.counts(name), 5_000)


@pytest.mark.parametrize(
    ("rule", "work"), [("values", 300_000), ("own_sums", 30_000), ("own_sums", 285_000), ("own_sums", 500_000)]
)
def test_a_part_of_the_runs_does_not_depend_on_what_was_made_for_others(
    rule: str, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "WORK_OF_A_PART", work)

    def task() -> WorkerTask:
        game = interpreter.loads(OWN_SUMS if rule == "own_sums" else MANY_CHAINS)
        return WorkerTask(game, rule, prepare(Query(game, rule, {})).frame, ("a", "b"), None, None, 1)

    several = task()
    others = [several(chunk, 400) for chunk in range(4)]
    assert [task()(chunk, 400) for chunk in range(4)] == others


def within_tens(shares: Any) -> dict[int, Any]:
    made: dict[int, Any] = {}
    for number, share in shares:
        made[number // 10] = made.get(number // 10, 0) + share
    return made


@pytest.mark.parametrize("seconds", [1.5, pytest.param(10, marks=pytest.mark.thorough)])
def test_a_simulation_whose_runs_all_pass_their_budget_is_refused(seconds: float) -> None:
    each = "{die: {roll: d2}}"
    for level in range(12):
        each = f"{{inner{level}: {{repeat: '10', each: {each}}}}}"
    game = interpreter.loads(f"ruleset: nested\nlanguage: 1\nmechanics: {{main: {{steps: {each}}}}}")
    began = process_time()
    with interpreter.within(Budget(seconds)), pytest.raises(HouseruleError, match=r"HR63[178]"):
        game.simulate("main", runs=10**6, seed=1, of=["inner11"])
    assert process_time() - began < 30


def test_choices_are_answered_as_elsewhere_and_asking_by_asking() -> None:
    game = rules()
    by_chance = game.simulate("call", policy="random", runs=50_000, seed=1, of=["outcome", "called", "again"])
    assert by_chance.of("called").keys() == {1, 2} == by_chance.of("again").keys()
    assert by_chance.outcomes["right"].low < 1 / 6 < by_chance.outcomes["right"].high
    both = game.simulate("call", policy="random", choices={"called": 2}, runs=1000, seed=1, of=["called", "again"])
    assert both.of("called").keys() == {2} and both.of("again").keys() == {1, 2}
    listed = game.simulate("call", choices={"called": [1]}, runs=500, seed=1)
    assert listed.outcomes["right"].low < 1 / 6 < listed.outcomes["right"].high
    with pytest.raises(PlayError, match="HR6"):
        game.simulate("call", runs=10, seed=1)


# The answer ------------------------------------------------------------------------------------------------------


def test_an_estimate_is_a_share_that_knows_its_error() -> None:
    half = Estimate.share(500, 1000)
    assert half == Fraction(1, 2) and str(half) == "0.500 ± 0.016" and f"{half:.1%}" == "50.0%"
    assert half.error == pytest.approx(math.sqrt(0.25 / 1000))
    assert (half.low, half.high) == pytest.approx((0.469, 0.531), abs=0.001)
    never, always = Estimate.share(0, 1000), Estimate.share(1000, 1000)
    assert (never.low, always.high) == (0, 1) and never.high == pytest.approx(1 - always.low) == pytest.approx(
        0.00383, abs=1e-4
    )
    copy = pickle.loads(pickle.dumps(half))
    assert copy == half and (copy.error, copy.low, copy.high) == (half.error, half.low, half.high)


def test_what_was_counted_together_comes_from_the_same_runs() -> None:
    game = games.game("jadeclaw")
    sample = game.simulate("contest", runs=3000, seed=3, own="d8", against="d6")
    assert sample.together == ("outcome", "double_botch")
    joint = sample.joint("outcome", "double_botch")
    assert sum(joint.values()) == 1 == sum(sample.outcomes.values()) + sample.missing
    botch = sum(share for (outcome, _), share in joint.items() if outcome == "botch")
    assert botch == sample.outcomes["botch"] and sum(sample.counts("outcome").values()) == 3000
    again = sample.at_least("margin")  # another name: simulated anew
    assert again == game.simulate("contest", runs=3000, seed=3, own="d8", against="d6", of=["margin"]).at_least(
        "margin"
    )
    assert "simulated, 3,000 runs, seed 3" in sample._repr_html_() and "exact" not in sample._repr_html_()


@pytest.mark.parametrize(
    ("asked", "code"),
    [({"runs": 0}, "HR809"), ({"of": ["nothing"]}, "HR801"), ({"policy": "nobody"}, "HR6"), ({"own": "d1d"}, "HR")],
)
def test_what_cannot_be_simulated_is_said(asked: Any, code: str) -> None:
    game = games.game("jadeclaw")
    with pytest.raises(PlayError, match=code):
        game.simulate("contest", **({"own": "d8", "against": "d6", "runs": 10, "seed": 1} | asked))


def test_without_numpy_there_is_a_way_out(tmp_path: Path) -> None:
    """The rest works without, and simulation says what to install."""
    (tmp_path / "numpy.py").write_text("raise ModuleNotFoundError(\"No module named 'numpy'\", name='numpy')")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "NO_COLOR": "1"}

    def said(word: str) -> tuple[int, str]:
        command = [*HOUSERULE, word, "jadeclaw", "contest", "own=d8", "against=d6"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        return done.returncode, done.stderr

    assert said("odds") == (0, "")
    code, err = said("simulate")
    assert code == 2 and err.startswith("HR807 simulation needs NumPy") and "pip install '.[simulate]'" in err


def test_nothing_but_simulation_brings_numpy_in() -> None:
    code = "import sys, interpreter.cli.odds, interpreter.cli.sweep; interpreter = sys.modules['interpreter']; "
    code += (
        "interpreter.load('jadeclaw').odds('contest', own='d8', against='d6').outcomes; print('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


# Who carries the runs --------------------------------------------------------------------------------------------


def counts(executor: Executor | None, runs: int = 60_000, game: interpreter.Game | None = None) -> Any:
    game = game or interpreter.load("jadeclaw", options={"double_botch": "tie"})
    sample = game.simulate("contest", runs=runs, seed=11, executor=executor, **CONTEST)
    return sample.counts(*sample.together)


def test_the_answer_is_the_same_whoever_carries_the_runs() -> None:
    alone = counts(None)
    assert sum(alone.values()) == 60_000
    for workers in (1, 2, 3):
        with ThreadPoolExecutor(workers) as threads:
            assert counts(threads) == alone
    with ProcessPoolExecutor(2) as processes:
        assert counts(processes) == alone
    assert counts(None, 60_001) != alone


def test_dask_carries_the_runs_too() -> None:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        assert counts(client.get_executor()) == counts(None)


def test_a_sweep_has_at_each_point_what_a_simulation_has() -> None:
    game = games.game("jadeclaw")
    asked: dict[str, Any] = {"runs": 20_000, "seed": 5, "against": "d6"}
    told: list[tuple[int, int]] = []
    swept = game.sweep(
        "contest", over={"own": ["d4", "d8"], "options.double_botch": ["tie"]}, method="simulate",
        progress=lambda done, of: told.append((done, of)), **asked,
    )  # fmt: skip
    house = interpreter.load("jadeclaw", options={"double_botch": "tie"})
    for point in swept:
        assert point.odds.outcomes == house.simulate("contest", own=point.at["own"], **asked).outcomes
    assert told[-1] == (40_000, 40_000) and told == sorted(told)
    with pytest.raises(PlayError, match="HR808"):
        game.sweep("contest", over={"own": ["d4"]}, method="simulate", best="success", **asked)


def test_problems_come_back_from_other_processes() -> None:
    with ProcessPoolExecutor(1) as processes, pytest.raises(PlayError, match="HR6") as problem:
        rules().simulate("call", runs=10, seed=1, executor=processes)
    assert problem.value.diagnostic.about == "called"


def test_a_game_can_be_pickled() -> None:
    game = interpreter.load("jadeclaw", options={"double_botch": "tie"}, layers=["strong-success"])
    copy = pickle.loads(pickle.dumps(game))
    assert copy.option_values == game.option_values and counts(None, 100, copy) == counts(None, 100, game)


def test_chunks_grow_and_are_known_by_the_number_of_runs() -> None:
    assert list(running.chunk_sizes(20_000)) == [1 << 14, 20_000 - (1 << 14)]
    many = list(running.chunk_sizes(5_000_000))
    assert sum(many) == 5_000_000 and max(many) == 1 << 20 and many == sorted(many[:-1]) + many[-1:]


# Stopped by hand -------------------------------------------------------------------------------------------------


def stop_after(chunks: int) -> Any:
    """A progress that stops when so many chunks are done, as Ctrl-C does."""
    seen: list[int] = []

    def progress(done: int, of: int) -> None:
        seen.append(done)
        if len(seen) > chunks:
            raise KeyboardInterrupt

    return progress


def test_what_was_counted_so_far_is_kept() -> None:
    game = games.game("jadeclaw")
    with pytest.raises(interpreter.Stopped) as stopped:
        game.simulate("contest", seed=1, progress=stop_after(2), **CONTEST)
    so_far = stopped.value.so_far
    assert so_far is not None and so_far.runs == 3 << 14 and sum(so_far.outcomes.values()) == 1
    assert str(stopped.value) == "stopped after 49152 of 1000000 runs"
    with pytest.raises(interpreter.Stopped) as stopped:
        game.simulate("contest", seed=1, progress=stop_after(0), **CONTEST)
    assert stopped.value.so_far is None
    with ThreadPoolExecutor(1) as threads, pytest.raises(interpreter.Stopped) as stopped:
        game.simulate("contest", seed=1, progress=stop_after(1), executor=threads, **CONTEST)
    assert stopped.value.so_far is not None


COUNTED = re.compile(r"simulating .*\d:\d\d:\d\d")
"""A bar that says how long it will take: it can when a second chunk has been counted."""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_leaves_the_terminal_clean_and_says_how_far_it_came(workers: str) -> None:
    words = ["simulate", "jadeclaw", "contest", "own=d8", "against=d6", "--runs", str(10**12), "--workers", workers]
    with Terminal(*words, kind="xterm", piped=True) as at:
        at.sees(COUNTED)
        at.interrupts()
        at.sees(re.compile(r"stopped after [1-9]\d* of 1000000000000 runs"))
        assert at.ends() == 130
        assert at.gave_the_cursor_back
        assert "Traceback" not in at.seen
        out = at.out
    assert out.startswith("jadeclaw contest own=d8 against=d6: simulated,") and "success" in out


# On the command line ---------------------------------------------------------------------------------------------

WORDS = ("simulate", "jadeclaw", "contest", "own=d8", "against=d6", "--seed", "1", "--runs", "20000")


def test_shares_are_told_with_their_errors() -> None:
    said = run(*WORDS)
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    assert lines[0] == "jadeclaw contest own=d8 against=d6: simulated, 20,000 runs, seed 1"
    told = {line.split()[0]: line.split()[1:] for line in lines[2:] if line}
    assert told["overwhelming_failure"] == ["0%", "up", "to", "0.019%"]
    assert told["success"][1] == "±" and abs(float(told["success"][0].rstrip("%")) - 43.75) < 5 * float(
        told["success"][2].rstrip("%")
    )
    of = run(*WORDS, "--of", "margin", "--workers", "2").out.splitlines()
    assert of[-1].startswith("  mean ") and " ± " in of[-1] and "deviation" in of[-1]
    assert run(*WORDS, "--of", "margin", "--at-least").out.splitlines()[2] == "margin, at least"


def test_programs_get_counts_and_intervals() -> None:
    data = json.loads(run(*WORDS, "--format", "json").out)
    assert (data["method"], data["runs"], data["seed"]) == ("simulate", 20_000, 1)
    law = {one["value"]: one for one in data["laws"]["outcome"]["law"]}
    assert sum(one["count"] for one in law.values()) == 20_000
    assert law["success"]["low"] < 7 / 16 < law["success"]["high"]
    table = run(*WORDS, "--joint", "outcome,double_botch", "--format", "csv").out.splitlines()
    assert table[0] == "outcome,double_botch,count,probability,error,low,high"
    assert "exact" not in run(*WORDS, "--format", "svg").out


def test_a_grid_is_simulated() -> None:
    words = ("sweep", "jadeclaw", "contest", "own=d8", "--over", "against=d4,d6", "--method", "simulate")
    said = run(*words, "--seed", "1", "--runs", "20000").out.splitlines()
    assert said[0].endswith("simulated, 20,000 runs, seed 1") and said[1].startswith("  standard errors up to 0.3")
    data = json.loads(run(*words, "--seed", "1", "--runs", "20000", "--format", "json").out)
    assert data["method"] == "simulate" and data["points"][0]["runs"] == 20_000
    assert {"value", "count", "probability", "error", "low", "high"} == set(data["points"][0]["law"][0])


@pytest.mark.parametrize(
    ("again", "counts", "where"),
    thorough(
        product(
            ["face == size", "face > 1"],
            ["face", "0", "1 if face > 2 else 0"],
            ["odd(value)", "value != 3", "value == 2 and not (face == size)"],
        ),
        lambda again, counts, where: again == "face > 1" and (counts, where) != ("face", "odd(value)"),
    ),
)
def test_dice_that_go_on_are_rerolled_by_what_they_have_come_to(again: str, counts: str, where: str) -> None:
    """Chains of some hundreds of throws, and conditions that a chain cut short does not decide."""
    game = interpreter.loads(f"""\
ruleset: again
mechanics:
  main:
    steps:
      thrown: {{roll: 2d20, again: {again}, counts: "{counts}"}}
      better: {{reroll: "thrown where {where}"}}
      total:  sum(better)
""")
    found = game.simulate("main", runs=20_000 if again == "face == size" else 4_000, seed=1)
    assert found.law("better").missing == found.law("total").missing == 0
    played = [game.roll("main", seed=seed).values["total"] for seed in range(200)]
    weights = found.law("total").weights
    mean = float(sum(value * share for (value,), share in weights.items()))
    spread = math.sqrt(float(sum((value - mean) ** 2 * share for (value,), share in weights.items())))
    assert abs(sum(played) / len(played) - mean) <= 5 * spread / math.sqrt(len(played)) + 1e-9


def test_a_law_of_many_ways_keeps_every_bit_of_its_total() -> None:
    """100d100 fall in 10^200 ways, which no floating-point number counts: a total that lost bits was less than its
    parts."""
    game = interpreter.loads(
        "ruleset: many\nmechanics: {m: {steps: {r: {roll: 100d100}}, outcomes: {high: sum(r) > 5050, low: otherwise}}}"
    )
    high = game.simulate("m", runs=200_000, seed=1).outcomes["high"]
    assert high.low < game.odds("m").outcomes["high"] < high.high

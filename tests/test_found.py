"""What generated games have found wrong, each held by its kind."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import games
import pytest
from generated.asking import Asked
from marks import is_slow, thorough

import interpreter
from interpreter import PlayError, bundled, pipeline
from interpreter.api.query import Query, prepare
from interpreter.diagnostics.source import Source
from interpreter.ir.printer import listing
from interpreter.layers.effective import effective_ruleset
from interpreter.play.deciders import RANDOM
from interpreter.simulation.worker import WorkerTask
from interpreter.testing.cases import Trial, cases_of

OF_SOME = """
ruleset: some
mechanics:
  main:
    inputs:
      few: {KIND, least: 2}
    steps:
      best:  highest(few) <= 3
      one_die: last(few) + 0
      named: "few where LOOK"
"""
FEW = {
    "type: roll": ("face > 1", {"dice": "d6", "faces": [3]}, {"dice": "2d6", "faces": [3, 4]}),
    "type: dice": ("size > 1", "d6", "2d6"),
    "list_of: number": ("it > 1", [3], [3, 4]),
}


@pytest.mark.parametrize("kind", FEW)
def test_what_there_is_at_least_of_an_input_is_there(kind: str) -> None:
    look, one, two = FEW[kind]
    text = OF_SOME.replace("KIND", kind).replace("LOOK", look)
    if kind == "type: dice":  # dice that nobody threw have sizes, and no numbers
        text = text.replace("highest(few)", "highest(few.size)").replace("last(few) + 0", "last(few).size")
    game = interpreter.loads(text)
    with pytest.raises(PlayError) as error:
        game.roll("main", few=one, seed=1)
    assert error.value.diagnostic.code == "HR604"
    assert game.roll("main", few=two, seed=1).values["best"] in (True, False)


SOME = """
ruleset: several
mechanics:
  main:
    steps:
      kept: {choose: some, among: "[3, 1, 2]", least: LEAST, most: MOST, default: "[3, 1]"}
"""


@pytest.mark.parametrize(("least", "most"), [(0, 3), (1, 2), (2, 2)])
def test_several_that_are_chosen_by_chance_come_in_the_order_of_the_options(least: int, most: int) -> None:
    game = interpreter.loads(SOME.replace("LEAST", str(least)).replace("MOST", str(most)))
    task = WorkerTask(game, "main", {}, ("kept",), {}, RANDOM, 1)
    ready = prepare(Query(game, "main"))
    counts = replace(task, at=ready.frame)._play(game.rule("main"), 2000, 0).counts
    true = game.odds("main", policy=RANDOM).law("kept").weights
    assert set(counts) == set(true)
    assert all(abs(counts[key] / 2000 - share) < 0.06 for key, share in true.items())


@pytest.mark.parametrize("name", thorough({**bundled.rulesets(), **bundled.house_rules()}, is_slow, every=4))
def test_the_effective_text_of_a_ruleset_is_the_same_ruleset(name: str) -> None:
    loaded = games.loaded(name)
    assert loaded.program is not None and loaded.merged is not None and loaded.world is not None
    lines = "\n".join(line.text for line in effective_ruleset(loaded.merged, loaded.world.base_places))
    again = pipeline.from_text(Source.of("effective.yaml", lines))
    assert again.problems.errors == [] and again.program is not None
    assert listing(again.program) == listing(loaded.program)


PAIRED = """
ruleset: paired
mechanics:
  main:
    steps:
      mine:   {roll: DICE, COUNTS}
      theirs: {roll: 2d2, counts: 1}
      pairs:  {pair: mine, with: theirs, each: {lead: LEAD}}
      total:  sum(pairs.lead)
"""


@pytest.mark.parametrize("lead", ["ours.face - theirs", "theirs.face", "ours.size"])
@pytest.mark.parametrize("counts", ["counts: 1", "counts: 1 if face >= 2 else 0", "each: {low: face == 1}, counts: 2"])
@pytest.mark.parametrize("dice", ["2d2", "2d3", "d2 & d3", "3d2"])
def test_of_dice_that_count_the_same_the_first_thrown_is_paired_first(dice: str, counts: str, lead: str) -> None:
    game = interpreter.loads(PAIRED.replace("DICE", dice).replace("COUNTS", counts).replace("LEAD", lead))
    plain = Asked(game, "main", {}, None, None, {})
    for names in (("pairs",), ("total",), ("pairs", "mine")):
        assert game.odds("main").law(*names).weights == plain.law(names)


@pytest.mark.parametrize(
    "first", ["size", "0 - size", "2 if red in tags else 1 if blue in tags else 0", "blue in tags"]
)
@pytest.mark.parametrize("dice", ["d2 & d3 red & d2 blue", "d2 blue & d3 & d2 red", "2d2 & d2 red"])
def test_of_equal_dice_those_with_the_highest_number_are_paired_first(dice: str, first: str) -> None:
    rules = PAIRED.replace("DICE, COUNTS", dice).replace("LEAD", "(ours.size if red in ours.tags else 1) * theirs.face")
    rules = rules.replace("each: {lead", f"first: {first}, each: {{lead").replace("2d2, counts: 1", "2d2")
    game = interpreter.loads(f"{rules}tags: {{red: It is., blue: It is.}}")
    plain = Asked(game, "main", {}, None, None, {})
    for names in (("pairs",), ("total",), ("total", "mine")):
        assert game.odds("main").law(*names).weights == plain.law(names)


def test_a_number_puts_three_kinds_of_dice_in_order() -> None:
    rules = PAIRED.replace("DICE, COUNTS", "d6 & d6 red & d6 blue").replace("2d2, counts: 1", "3d6")
    rules = rules.replace("LEAD", "theirs.face").replace("each: {lead", "first: ORDER, each: {kind: ours.tags, lead")
    tags = "tags: {red: It is., blue: It is.}"
    three, two = "2 if red in tags else 1 if blue in tags else 0", "1 if red in tags else 0"
    for order, met in ((three, [5, 4, 3]), (two, [5, 3, 4])):
        game = interpreter.loads(rules.replace("ORDER", order) + tags)
        pairs = game.roll("main", faces=[2, 2, 2, 5, 4, 3]).values["pairs"]
        by_kind = {(pair["kind"] or ("none",))[0]: pair["lead"] for pair in pairs}
        assert [by_kind[str(kind)] for kind in ("red", "blue", "none")] == met


ROUNDED = """
ruleset: rounded
names: {gear: [rope, lamp]}
functions:
  half:  {takes: {n: number}, gives: up(n / 2)}
  third: {takes: {n: number}, gives: n / 3}
  above: {takes: {n: number}, gives: n >= 2}
  least: {takes: {r: roll}, gives: sum(r) / 2}
kinds: {hero: {has: {skills: {type: number, per: gear, default: 1}}}}
mechanics:
  main:
    inputs: {who: {type: hero}}
    steps:
      r: {roll: 2d3}
      x: OF
"""
OF_A_FUNCTION = [
    "half(who.skills(rope)) == 1", "third(who.skills(rope) + 1) < 1", "above((who.skills(rope) + 2) / 2)",
    "least(r) == 2", "half(least(r)) > 1", "least(r) >= 2 or least(r) == 1",
    "(sum(r) / 2 if who.skills(rope) == 1 else 0) == 2", "above(sum(r) / 2)",
]  # fmt: skip


@pytest.mark.parametrize("of", OF_A_FUNCTION)
def test_what_a_function_gives_is_rounded_wherever_it_stands(of: str) -> None:
    game = interpreter.loads(ROUNDED.replace("OF", of))
    state = game.state(ann={"is": "hero"})
    plain = Asked(game, "main", {"who": "ann"}, state, None, {})
    assert game.odds("main", state=state, who="ann").law("x").weights == plain.law(("x",))


INSIDE = """
ruleset: inside
mechanics:
  main:
    steps:
      r: {roll: 2d2}
      outer: {repeat: 2, each: {inner: STEP}}
"""


@pytest.mark.parametrize(
    "step",
    [
        '{repeat: "nth + count(r where face > 1)", each: {d: {roll: d2}}}',
        '{repeat: "1 + count(r where face > nth)", each: {d: {roll: d2}, n: nth}}',
        '{repeat: "nth if all(r where face > 1) else 1", each: {d: {roll: d2}}, keep: {highest: d}}',
        '{repeat: "1 + count(earlier)", each: {d: {roll: d2}}}',
        '{for: n, among: "upto(nth)", each: {d: {roll: d2}}}',
    ],
)
def test_how_often_steps_are_repeated_is_read_outside_of_them(step: str) -> None:
    game = interpreter.loads(INSIDE.replace("STEP", step))
    assert game.odds("main").law("outer").weights == Asked(game, "main", {}, None, None, {}).law(("outer",))


FOUGHT = """
ruleset: fought
kinds: {hero: {has: {luck: {type: points, to: 3, starts: 2}}}}
actions:
  deed:
    actor: {type: hero}
    inputs:
      effort: {type: number, from: 0, to: actor.luck, default: 0}
      loud:   {type: yes_no, default: no}
    cost: {luck: effort}
    steps: {die: {roll: d6}, total: die + effort + (1 if loud else 0)}
    outcomes: {good: total >= 5, bad: otherwise}
scenes:
  fight:
    inputs: {heroes: {list_of: hero}}
    steps: {nerve: {roll: d4}, twice: nerve * 2}
    round: {go: {steps: {slip: {roll: d2}, lost: {lose: slip, from: "item(heroes, 1).luck"}}}}
    guard: 2
    outcomes: {over: any(heroes where it.luck == 0)}
"""


@pytest.mark.parametrize("names", [("nerve",), ("twice",), ("nerve", "rounds"), ("nerve", "ann.luck")])
def test_what_a_scene_did_before_its_first_round_can_be_asked_for(names: tuple[str, ...]) -> None:
    game = interpreter.loads(FOUGHT)
    state = game.state(ann={"is": "hero"})
    plain = Asked(game, "scenes.fight", {"heroes": ["ann"]}, state, None, {})
    assert game.odds("scenes.fight", state=state, heroes=["ann"]).law(*names).weights == plain.law(names)


def test_what_an_action_asks_first_is_answered_by_chance_or_for_the_best_as_all_else() -> None:
    game = interpreter.loads(FOUGHT)
    state = game.state(ann={"is": "hero"})
    plain = Asked(game, "actions.deed", {"actor": "ann"}, state, RANDOM, {})
    assert game.odds("actions.deed", state=state, actor="ann", policy=RANDOM).law("total").weights == plain.law(
        ("total",)
    )
    chances = {}
    for effort in range(3):
        for loud in (False, True):
            odds = game.odds("actions.deed", state=state, actor="ann", effort=effort, loud=loud)
            chances[effort, loud] = odds.outcomes["good"]
    best = game.odds("actions.deed", state=state, actor="ann", best="good")
    assert best.outcomes["good"] == max(chances.values())
    assert [(one.path, one.answer) for one in best.strategy] == [("effort", 2), ("loud", True)]
    assert game.odds("actions.deed", state=state, actor="ann", worst="good").outcomes["good"] == min(chances.values())
    assert (
        game.odds("actions.deed", state=state, actor="ann", best="good", effort=1).outcomes["good"] == chances[1, True]
    )
    assert game.odds("actions.deed", state=state, actor="ann", best="total").mean("total") == Fraction(13, 2)


FLAGGED = """
ruleset: flagged
mechanics:
  main:
    steps: {a: {roll: d6}, b: {roll: d6}, even_: a == b}
    outcomes: {good: a > 2, bad: otherwise}
    also: {pair: a == b}
cases:
  - {name: one, mechanic: main, odds: ODDS}
"""
OF_FLAGS = {
    "{pair: 1/6}": "",
    "{pair: {yes: 1/6, no: 5/6}}": "",
    "{even_: {yes: 1/6, no: 5/6}}": "",
    "{pair: {no: 1/6}}": "HR701",
    "{pair: {yes: 5/6}}": "HR701",
    "{pair: {maybe: 1/6}}": "HR640",
    "{good: {maybe: 1/6}}": "HR640",
}


@pytest.mark.parametrize("odds", OF_FLAGS)
def test_chances_of_a_flag_are_written_short_or_as_those_of_a_step(odds: str) -> None:
    loaded = pipeline.from_text(Source.of("flagged.yaml", FLAGGED.replace("ODDS", odds)))
    assert loaded.program is not None and loaded.world is not None and not loaded.problems.errors
    (verdict,) = map(Trial(interpreter.Game(loaded.program, loaded.world)).run, cases_of(loaded.world.cases))
    assert [one.code for one in verdict.failures] == ([OF_FLAGS[odds]] if OF_FLAGS[odds] else [])
    assert all("``" not in one.message for one in verdict.failures)


FORMS_OF_CASES = {
    "first_of": "{first_of: {e: {if: WHEN, is: sum(c)}, g: '1'}}",
    "first_of, later": "{first_of: {d: {if: f == 1, is: '2'}, e: {if: WHEN, is: sum(c)}, g: '1'}}",
    "if else": "'sum(c) if WHEN else 1'",
    "and": "'WHEN and sum(c) < 0'",
    "or": "'not (WHEN) or sum(c) < 0'",
    "a step": "{is: sum(c), if: WHEN, else: '1'}",
}
NEVER = {"a constant": "no", "an option": "options.deep", "another step": "f == 3"}


@pytest.mark.parametrize("when", NEVER)
@pytest.mark.parametrize("form", FORMS_OF_CASES)
def test_a_sum_that_no_case_reads_is_not_followed(form: str, when: str) -> None:
    """The dice count downwards without end, so whatever reads their sum cannot be followed to its end."""
    step = FORMS_OF_CASES[form].replace("WHEN", NEVER[when] if form in ("if else", "and", "or") else f"'{NEVER[when]}'")
    text = f"""
ruleset: cases
options: {{deep: {{type: yes_no, default: no}}}}
mechanics:
  main:
    steps:
      f: {{roll: d2}}
      c: {{roll: 2d2, again: face == size, counts: 1 - face}}
      b: {step}
"""
    loaded = pipeline.from_text(Source.of("cases.yaml", text))
    assert loaded.program is not None and loaded.world is not None and not loaded.problems.errors, loaded.problems
    assert interpreter.Game(loaded.program, loaded.world).odds("main").missing_of("b") == 0


@pytest.mark.parametrize("count", [2, 99, 100, 101, 400])
def test_a_first_of_may_have_many_cases(count: int) -> None:
    cases = ", ".join([f"c{n}: {{if: n == {n}, is: '{n}'}}" for n in range(1, count)])
    text = f"""
ruleset: cases
mechanics:
  main:
    steps: {{f: {{roll: d1000}}, n: only(f), b: {{first_of: {{{cases}, z: '0'}}}}}}
"""
    loaded = pipeline.from_text(Source.of("cases.yaml", text))
    assert loaded.program is not None and loaded.world is not None
    law = interpreter.Game(loaded.program, loaded.world).odds("main").of("b")
    assert law == {0: Fraction(1001 - count, 1000), **{n: Fraction(1, 1000) for n in range(1, count)}}

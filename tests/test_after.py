"""What a case expects of the state afterwards: that a value is missing, things that the run names, a scene that is
over."""

from __future__ import annotations

from interpreter import Game, pipeline
from interpreter.diagnostics.source import Source
from interpreter.testing.cases import Trial, cases_of

RULES = """\
ruleset: sworn
names: {mood: [calm, angry], place: [here, none]}
kinds:
  vow: {has: {says: {type: text, default: ""}, rank: {type: number, default: 1}}}
  hero:
    has:
      vows: {list_of: vow, default: []}
      mood: {type: mood, optional: yes}
      at:   {type: place, default: none}
mechanics:
  swear:
    inputs: {who: {type: hero}, says: {type: text, default: free the river}}
    steps:
      made:  {make: vow, named: says, with: {rank: 3}}
      sworn: {add: made, to: who.vows}
      calms: {set: who.mood, to: none}
scenes:
  talk:
    inputs: {heroes: {list_of: hero}}
    has: {said: {type: points, to: 3}, done: {is: said > 1}}
    round: {speak: {steps: {more: {gain: 1, to: scene.said}}}}
    outcomes: {over: scene.done}
cases:
  - {name: a, mechanic: swear, before: {bo: {is: hero, mood: calm}}, given: {who: bo}, after: {AFTER}}
  - {name: b, scene: talk, before: {bo: {is: hero}}, given: {heroes: [bo]}, after: {OVER}}
  - {name: c, scene: talk, rounds: 1, before: {bo: {is: hero}}, given: {heroes: [bo]}, after: {scene: {said: 1}}}
"""


def found(after: str = "bo.vows: [free_the_river]", over: str = "scene.said: 2") -> list[str]:
    """The problems of the cases, found by checking or by playing them."""
    loaded = pipeline.from_text(Source.of("sworn.yaml", RULES.replace("AFTER", after).replace("OVER", over)))
    if loaded.problems.errors:
        return [one.message for one in loaded.problems.errors]
    assert loaded.program is not None and loaded.world is not None
    trial = Trial(Game(loaded.program, loaded.world))
    return [one.message for case in cases_of(loaded.world.cases) for one in trial.run(case).failures]


def test_none_is_a_value_that_is_missing_and_a_word_where_a_list_has_it() -> None:
    assert found("bo: {mood: none, at: none}") == []
    assert found("bo.mood: none, given(bo.mood): no") == []
    assert found("bo.mood: calm") == ["a: `bo.mood` expected calm, got (missing)"]
    assert found("bo.at: here") == ["a: `bo.at` expected here, got none"]


def test_a_thing_that_the_run_names_is_read_by_its_name() -> None:
    assert found("free_the_river: {rank: 3}, free_the_river.says: ''") == []
    assert found("free_the_river.rank: 2") == ["a: `free_the_river.rank` expected 2, got 3"]
    assert found("free_the_river.rang: 2") == ["a `vow` has no `rang`"]
    assert found("fill_the_river.rank: 3") == ["a: `fill_the_river` is not defined here"]


def test_a_scene_that_is_over_is_read_as_it_ended() -> None:
    assert found(over="scene: {said: 2, done: yes}") == []
    assert found(over="scene.said: 1, bo.vows: []") == ["b: `scene.said` expected 1, got 2"]
    assert found(over="scene: {sad: 1}") == ["`scene` has no `sad`"]

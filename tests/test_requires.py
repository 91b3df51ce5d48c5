"""What kinds require of their things: checked wherever a thing begins, never in play, and told all at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter import Game, PlayError
from interpreter.host.call import failure
from interpreter.identity.closure import hashes_used
from interpreter.identity.units import units_of
from interpreter.testing.cases import Trial, cases_of

HEROES = """
ruleset: heroes
options: {points: {type: number, from: 0, default: 10, about: How many points there are to spend.}}
names: {ability: [might, wits]}
kinds:
  gear:
    part: yes
    has:
      weight: {type: number, default: 1}
    requires:
      light: weight <= 5
  hero:
    has:
      wizard:    {type: yes_no, default: no}
      abilities: {type: number, per: ability, default: 8}
      spent:     {is: abilities(might) + abilities(wits) - 16}
      gear:      {type: gear}
    requires:
      budget: {is: spent <= options.points, about: More points were spent than there are.}
      clever: not wizard or abilities(wits) >= 13
  camp:
    one: yes
    has: {size: {type: number, default: 3}}
    requires: {big: size > 2}
mechanics:
  copy:
    inputs: {of: {type: hero}, more: {type: number, default: 0}}
    steps:
      made: {make: hero, with: {abilities: {might: of.abilities(might) + more, wits: of.abilities(wits)}}}
  curse:
    inputs: {who: {type: hero}}
    steps:
      dulled: {set: who.abilities(wits), to: 3}
      is_heavy: {set: who.gear.weight, to: 9}
"""

DULL = {"is": "hero", "wizard": True, "abilities": {"might": 20}}
"""A hero who meets neither requirement."""


def heroes(more: str = "", **options: Any) -> Game:
    return interpreter.loads(HEROES + more, name="heroes.yaml", options=options)


def names(refused: PlayError) -> list[str | None]:
    return [one.about for one in refused.diagnostics]


def test_every_requirement_of_every_thing_is_told_with_what_it_reads() -> None:
    with pytest.raises(PlayError) as refused:
        heroes().state(ann=DULL, bo={"is": "hero", "gear": {"weight": 6}}, camp={"size": 1})
    assert names(refused.value) == ["camp.big", "ann.budget", "ann.clever", "bo.gear.light"]
    assert [one.message for one in refused.value.diagnostics][1:3] == [
        "`ann` does not meet `budget`: More points were spent than there are "
        "(`spent <= options.points`, with spent 12 and options.points 10)",
        "`ann` does not meet `clever`: `not wizard or abilities(wits) >= 13`, with wizard yes and abilities(wits) 8",
    ]
    assert {one.code for one in refused.value.diagnostics} == {"HR668"}


def test_a_requirement_reads_options() -> None:
    assert heroes(points=12).state(ann={"is": "hero", "abilities": {"might": 20}})


def test_things_of_the_book_are_checked() -> None:
    book = "things:\n  hero:\n    ann: {wizard: yes}\n"
    with pytest.raises(PlayError, match="`ann` does not meet `clever`"):
        _ = heroes(book).start
    assert heroes(book).state(ann={"wizard": False})


@pytest.mark.parametrize("rule", ["copy", "curse"])
def test_a_thing_written_as_an_input_is_checked(rule: str) -> None:
    given = {"of" if rule == "copy" else "who": {"wizard": True}}
    for ask in (heroes().roll, heroes().odds, heroes().simulate):
        with pytest.raises(PlayError) as refused:
            ask(rule, inputs=given)
        assert names(refused.value) == ["of.clever" if rule == "copy" else "who.clever"]


def test_a_rule_that_makes_a_thing_that_is_not_legal_is_refused_in_every_way_of_playing() -> None:
    given = {"of": {"abilities": {"might": 15}}, "more": 4}
    game = heroes()
    for ask in (game.roll, game.simulate, lambda rule, inputs: game.odds(rule, inputs=inputs).of("made")):
        with pytest.raises(PlayError) as refused:
            ask("copy", inputs=given)
        assert names(refused.value) == ["hero_3.budget"]
        assert refused.value.diagnostic.span.text == "made"
    assert heroes().roll("copy", inputs={**given, "more": 3})


def test_play_breaks_what_was_required_and_the_save_is_read() -> None:
    game = heroes()
    cursed = game.roll(
        "curse", state=game.state(ann={"is": "hero", "wizard": True, "abilities": {"wits": 13}}), who="ann"
    )
    assert [one.about for one in game.problems(cursed.state)] == ["ann.clever", "ann.gear.light"]
    again = game.state(game.to_json(cursed.state))
    assert game.to_data(again) == game.to_data(cursed.state)
    assert game.replay(cursed.to_json()).state == cursed.state
    assert game.roll("curse", state=again, who="ann")


def test_a_game_may_allow_what_is_required() -> None:
    game = heroes()
    free = game.allowing(["clever", "budget"])
    state = free.state(ann=DULL)
    assert free.problems(state) == ()
    assert [one.about for one in game.problems(state)] == ["ann.budget", "ann.clever"]
    assert [one.about for one in game.allowing(["budget"]).problems({"ann": DULL})] == ["ann.clever"]
    assert free.with_options({"points": 3}).state(ann=DULL)
    session = free.begin("mechanics.curse", state=state, who="ann")
    assert game.resume(session.to_json()).adopted == ()
    with pytest.raises(PlayError, match="no requirement `cleverr`"):
        game.allowing(["cleverr"])


def test_problems_tell_what_does_not_fit_before_what_is_required() -> None:
    game = heroes()
    assert [one.code for one in game.problems({"ann": {"is": "hero", "wizard": "maybe"}})] == ["HR640"]
    assert [one.about for one in game.problems({"ann": DULL})] == ["ann.budget", "ann.clever"]
    assert game.problems({"ann": {"is": "hero"}}) == ()


def test_a_scene_file_is_checked_at_the_places_of_the_values(tmp_path: Path) -> None:
    (tmp_path / "heroes.yaml").write_text(HEROES)
    file = tmp_path / "ann.yaml"
    file.write_text(
        "state: ann\nof: heroes\nthings:\n  hero:\n    ann:\n      wizard: yes\n    bo: {gear: {weight: 9}}\n"
    )
    found = [(one.line, one.column, one.about) for one in interpreter.check(file)]
    assert found == [(6, 15, "ann.clever"), (7, 25, "bo.gear.light")]


def test_forms_and_schemas_say_what_is_required() -> None:
    required = heroes().kinds["hero"].requires
    assert [(one.name, one.condition, one.about) for one in required.values()] == [
        ("budget", "spent <= options.points", "More points were spent than there are."),
        ("clever", "not wizard or abilities(wits) >= 13", ""),
    ]
    assert heroes().schema("kinds.hero")["x-requires"]["budget"] == "More points were spent than there are."


# Cases and house rules -------------------------------------------------------------------------------------------

CASES = """
cases:
  - {name: both, before: {ann: {is: hero, wizard: yes, abilities: {might: 20}}}, error: [clever, budget]}
  - {name: one, before: {ann: {is: hero, wizard: yes}}, error: clever}
  - {name: of several, before: {ann: {is: hero, wizard: yes}, bo: {is: hero, wizard: yes}}, error: clever}
  - {name: not all, before: {ann: {is: hero, wizard: yes, abilities: {might: 20}}}, error: clever}
  - {name: too many, before: {ann: {is: hero, wizard: yes}}, error: [clever, budget]}
  - {name: none, before: {ann: {is: hero}}, error: clever}
  - {name: legal, before: {ann: {is: hero, abilities: {wits: 9}}}, after: {ann.spent: 1}}
  - name: unforeseen
    mechanic: curse
    before: {ann: {is: hero, wizard: yes, abilities: {might: 20}}}
    given: {who: ann}
    after: {ann.spent: 7}
"""


def ours(change: str, base: str = HEROES) -> Game:
    """The heroes under a house rule that changes one requirement."""
    text = f"ruleset: ours\nextends: heroes\nchanges:\n  kinds.hero.requires.{change}\n"
    return interpreter.loads(text, resolve=lambda wanted: base if wanted.name == "heroes" else None)


def failures(game: Game) -> dict[str, list[str]]:
    """The codes of what is wrong with each case."""
    trial = Trial(game)
    return {one.name: [problem.code for problem in trial.run(one).failures] for one in cases_of(game.world.cases)}


def test_cases_expect_exactly_the_reasons() -> None:
    assert failures(heroes(CASES)) == {
        "both": [], "one": [], "of several": [], "not all": ["HR701"], "too many": ["HR701"], "none": ["HR703"],
        "legal": [], "unforeseen": ["HR702", "HR702"],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        ("budget: {set: spent <= 12, because: More.}", ["clever"]),
        ("budget.is: {set: base or wizard, because: More.}", ["clever"]),
        ("budget: {remove: here, because: Free.}", ["clever"]),
        ("strong: {add: abilities(might) > 20, because: Strong.}", ["budget", "clever", "strong"]),
        ("clever: {rename: bright, because: Plain.}", ["budget", "bright"]),
    ],
)
def test_house_rules_change_one_requirement_by_its_path(change: str, refused: list[str]) -> None:
    assert [one.about for one in ours(change).problems({"ann": DULL})] == [f"ann.{one}" for one in refused]


def test_a_renamed_requirement_is_renamed_in_cases() -> None:
    assert failures(ours("clever: {rename: bright, because: Plain.}", HEROES + CASES))["both"] == []


# Identity and hosts ----------------------------------------------------------------------------------------------


def test_a_requirement_is_a_unit_that_only_rules_that_make_such_things_reach() -> None:
    program = heroes().program
    path = "kinds.hero.requires.clever"
    assert path in units_of(program)
    assert path in hashes_used(program, "mechanics.copy") and path not in hashes_used(program, "mechanics.curse")
    other = interpreter.loads(HEROES.replace(">= 13", ">= 14"), name="heroes.yaml")
    changed = {one for one, unit in units_of(program).items() if unit.hash != units_of(other.program)[one].hash}
    assert changed == {path}
    save = heroes().allowing(["budget", "clever"])
    assert other.state(save.to_json(save.state(ann=DULL)))


def test_a_host_in_another_language_is_told_every_reason() -> None:
    with pytest.raises(PlayError) as refused:
        heroes().state(ann=DULL)
    error = failure(refused.value)["error"]
    assert "`budget`" in error["message"] and ["`clever`" in one["message"] for one in error["others"]] == [True]

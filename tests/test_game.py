"""The door, exactly as it is promised to hosts."""

from __future__ import annotations

import gc
import json
import threading
import weakref
from collections.abc import Iterator
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

import games
import jsonschema
import pytest

import interpreter
from interpreter import Game, PlayError, Result, RulesetError, bundled
from interpreter.simulation.worker import MOST_KEPT
from interpreter.testing.cases import cases_of, fold_dotted_keys

# Inputs beside those of the cases: dice on the table, marked numbers, modifiers, whatever replays could trip over.
PLAYED: dict[tuple[str, str], dict[str, Any]] = {
    ("jadeclaw", "prepare"): {"own": {"dice": "2d12 & d10 & d4", "modifiers": ["attack_twice", "fall_back"]}},
    ("jadeclaw", "simple_roll"): {"own": {"dice": "d12 & d8 trait body & d4", "favored": True, "penalties": 2}},
    ("jadeclaw", "contest"): {"own": "d10 & d4", "against": {"dice": "2d6", "quality": "expert"}},
    ("jadeclaw", "worst_of"): {"pool": "d12 & 2d8", "penalty": 1, "favored": True},
    ("jadeclaw", "damage_roll"): {"damage": "d8 slaying & d6 & d4", "soak": {"dice": "d8 & d6", "favored": True}},
    ("jadeclaw", "count_hits"): {
        "damage": {"dice": "d12 slaying & 2d4", "faces": [9, 4, 1]},
        "soak": {"dice": "no_dice", "faces": []},
    },
    ("fiend-wake", "burn_essence"): {"face": 7, "spare": [1, 3, 5]},
    ("fiend-wake", "roll"): {"stat": {"level": 7, "marked": [5]}, "skill": 4, "essence": 5, "difficulty": 9},
}
SEEDS = range(4)


def policy(choice: interpreter.Choice) -> Any:
    """A player of strong habits: yes, the last of the options, the most that there may be."""
    options: Any = choice.options or ()
    match choice.kind:
        case "yes_no":
            return True
        case "text":
            return "a tale"
        case "some":
            return tuple(options[: choice.most])
    return options[-1]


def plays(name: str) -> Iterator[tuple[str, Any]]:
    """Every mechanic of a ruleset with the inputs of two of its cases and those above, or with some made up."""
    game, world = games.game(name), games.loaded(name).world
    assert world is not None
    given: dict[str, list[Any]] = {mechanic: [] for mechanic in game.mechanics}
    for case in cases_of(world.cases):
        if case.text("mechanic") in given and not {"error", "options", "before"} & set(case.node.by_key):
            given[case.text("mechanic") or ""].append(fold_dotted_keys(case.given))
    for mechanic, found in given.items():
        more = PLAYED.get((name, mechanic))
        if not found and game.program.kinds:
            continue  # it is played with things that are not there without its cases
        needed = {one.name: made_up(one) for one in game.mechanics[mechanic].inputs.values() if one.required}
        for inputs in [*found[:2], *([more] if more else [])] or [needed]:
            yield mechanic, inputs


def made_up(one: interpreter.Input) -> Any:
    """Something that an input takes, for a mechanic that no case plays."""
    if one.choices:
        return next(iter(one.choices))
    if one.fields:
        return {inner.name: made_up(inner) for inner in one.fields.values() if inner.required}
    plain = {"a number": one.low or 1, "yes or no": "yes", "dice": "2d6", "a die": "d6", "text": "a tale"}
    return plain.get(one.type, {"dice": "2d6", "faces": [6, 1]} if one.type == "a roll" else [])


@pytest.mark.parametrize("name", bundled.rulesets())
def test_a_replay_is_the_same_result(name: str) -> None:
    game = games.game(name)
    for (mechanic, given), seed, who in product(plays(name), SEEDS, (None, policy)):
        one = game.roll(mechanic, inputs=given, seed=seed, policy=who)
        text = one.to_json()
        assert game.replay(one).to_json() == text
        assert game.replay(text).to_json() == text
        assert game.replay(json.loads(text)).to_json() == text
        assert game.roll(mechanic, inputs=given, faces=one.faces, policy=who).to_data() == one.to_data() | {
            "seed": None
        }


@pytest.mark.parametrize("name", bundled.rulesets())
def test_a_seed_is_a_result(name: str) -> None:
    games_of_name = games.game(name), interpreter.load(name)
    for (mechanic, given), seed in product(plays(name), SEEDS):
        first, second = (game.roll(mechanic, inputs=given, seed=seed) for game in games_of_name)
        assert first.to_json() == second.to_json()
        assert str(first.trace) == str(second.trace)


SCHEMA = json.loads((bundled.schemas() / "result.json").read_text("utf-8"))


@pytest.mark.parametrize("name", bundled.rulesets())
def test_a_result_is_what_its_schema_says(name: str) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for (mechanic, given), given_policy in product(plays(name), (None, policy)):
        result = games.game(name).roll(mechanic, inputs=given, seed=3, policy=given_policy)
        validator.validate(json.loads(result.to_json()))


@pytest.mark.parametrize("key", ["houserule", "rules", "inputs", "faces", "choices", "values", "trace", "seed"])
def test_the_schema_refuses_what_is_missing_or_has_another_form(key: str) -> None:
    data = games.game("jadeclaw").roll("contest", inputs=PLAYED["jadeclaw", "contest"], seed=1).to_data()
    validator = jsonschema.Draft202012Validator(SCHEMA)
    assert validator.is_valid(data)
    assert not validator.is_valid({name: value for name, value in data.items() if name != key})
    assert not validator.is_valid(data | {key: 1.5})
    assert not validator.is_valid(data | {"more": 1})


def test_the_promise_of_the_front_page() -> None:
    game = interpreter.load("jadeclaw", options={"double_botch": "tie"})
    assert game.options["double_botch"].value == "tie"
    result = game.roll("contest", own="d10 & d4", against="2d6", faces=[7, 2, 3, 4])
    assert result.outcome == "success"
    assert result.also == {"double_botch": False}
    assert result.values["margin"] == 3
    assert result.faces == (7, 2, 3, 4)
    assert result.choices == ()
    assert result.seed is None
    assert "success" in str(result.trace)
    assert json.loads(result.to_json())["outcome"] == "success"
    assert game.roll("contest", own="2d4", against="d4", faces=[1, 1, 1]).outcome == "tie"


def test_without_a_seed_a_fresh_one_is_told() -> None:
    game = games.game("jadeclaw")
    first = game.roll("contest", own="4d12", against="4d12")
    assert isinstance(first.seed, str) and len(first.seed) == 32
    assert game.roll("contest", own="4d12", against="4d12", seed=first.seed).faces == first.faces


def test_inputs_come_as_text_as_data_and_as_values() -> None:
    game = games.game("jadeclaw")
    dice = game.roll("throw_damage", own="2d8", faces=[5, 5]).values["left"]
    ways: list[Any] = ["2d8", "d8 & d8", {"dice": "2d8"}, {"dice": dice}, dice, {"dice": "2d8", "bonuses": 0}]
    for own in ways:
        assert game.roll("simple_roll", own=own, faces=[3, 7]).values["score"] == 7


def test_what_a_mechanic_takes() -> None:
    inputs = games.game("fiend-wake").mechanics["roll"].inputs
    assert list(inputs) == ["stat", "skill", "essence", "difficulty", "stakes", "counts_for"]
    assert (inputs["skill"].type, inputs["skill"].low, inputs["skill"].default) == ("a number", 0, 0)
    assert inputs["difficulty"].required and not inputs["stat"].required
    assert inputs["essence"].about
    own = games.game("jadeclaw").mechanics["contest"].inputs["own"]
    assert (own.type, list(own.fields)[:2]) == ("side", ["who", "skill"])
    difficulty = games.game("jadeclaw").mechanics["task"].inputs["difficulty"]
    assert next(iter(difficulty.choices)) == "trivial"


# Dice on the table -----------------------------------------------------------------------------------------------


def keys(result: Result) -> list[int]:
    pairs = result.values["matched"]
    return [die.key for pair in pairs for die in (pair["ours"], pair["theirs"]) if die.key != -1]


def test_dice_of_two_results_stay_apart() -> None:
    game = games.game("jadeclaw")
    damage = game.roll("throw_damage", own="d8 & d6 & d4", faces=[7, 6, 2]).values["dice"]
    soak = game.roll("throw_damage", own="d8 & d6", faces=[7, 3]).values["dice"]
    assert [die.key for die in damage][:2] == [die.key for die in soak]
    result = game.roll("count_hits", damage=damage, soak=soak)
    assert len(set(keys(result))) == len(keys(result)) == 5
    assert result.values["hits"] == 2  # 7 against 7, 6 against 3, 2 against an imaginary 1
    assert game.replay(result.to_json()).to_json() == result.to_json()


ON_THE_TABLE = """
ruleset: table
roles: {roller: Who rolls.}
types: {hand: {has: {ours: {type: roll}, theirs: {type: roll}}}}
dice: {boost: {faces: [blank, hit, hit + hit]}}
mechanics:
  throw:
    steps:
      rolled: {roll: {base: 2d6, kit: d8}, each: {seen: face}, counts: face - 1, again: face == 6}
  keep:
    inputs: {dice: {type: roll}, more: {type: roll, optional: yes}}
    steps:
      new:   {roll: 2d6}
      hand:  dice & new
      kept:  {choose: some, among: hand, by: roller, default: []}
      again: {reroll: "without(dice, kept)"}
      throws: count(dice.throws)
      total: sum(kept) + sum(again)
  hand:
    inputs: {held: {type: hand}, several: {list_of: number, default: []}}
    steps:
      joined: held.ours & held.theirs
      rest: without(joined, held.ours)
      total: sum(rest)
  symbols: {inputs: {dice: {type: roll}}, steps: {hits: sum(dice.hit)}}
"""


def test_dice_that_went_on_keep_their_throws_when_they_are_passed_on() -> None:
    game = interpreter.loads(ON_THE_TABLE, name="table.yaml")
    rolled = game.roll("throw", faces=[6, 2, 8, 6, 1]).values["rolled"]
    assert [[throw.face for throw in die.throws] for die in rolled] == [[6, 6, 1], [2], [8]]
    thrown = game.roll("throw", faces=[6, 2, 8, 6, 1]).to_data()["values"]["rolled"]
    assert thrown[0] == {"die": "d6", "faces": [6, 6, 1], "value": 10, "part": "base"}
    result = game.roll("keep", dice=rolled, faces=[3, 4, 1, 1, 1])
    assert result.values["throws"] == 5
    assert result.to_data()["inputs"]["dice"] == {
        "dice": "d6 & d6 & d8",
        "faces": [[6, 6, 1], 2, 8],
        "counts": [[5, 5, 0], 1, 7],
        "parts": ["base", "base", "kit"],
        "scored": [{"roll": "mechanics.throw.steps.rolled"}] * 3,
    }
    jsonschema.validate(result.to_data(), SCHEMA)
    assert game.replay(result.to_json()).to_json() == result.to_json()


def test_choices_among_thrown_dice_replay() -> None:
    game = interpreter.loads(ON_THE_TABLE)
    result = game.roll("keep", dice={"dice": "2d6", "faces": [3, 3]}, seed=5, policy=lambda c: c.options[1:3])
    saved = result.to_data()["choices"]
    assert saved[0]["choice"] == "kept" and saved[0]["picked"] == [1, 2]
    assert game.replay(result.to_json()).to_json() == result.to_json()


def test_dice_on_the_table_in_a_record_stay_apart_too() -> None:
    game = interpreter.loads(ON_THE_TABLE)
    held = {"ours": {"dice": "2d6", "faces": [3, 3]}, "theirs": {"dice": "2d6", "faces": [3, 5]}}
    result = game.roll("hand", held=held)
    assert result.values["total"] == 8
    assert game.replay(result.to_json()).to_json() == result.to_json()


def test_symbols_on_the_table() -> None:
    game = interpreter.loads(ON_THE_TABLE)
    result = game.roll("symbols", dice={"dice": "times(boost, 2)", "faces": ["hit + hit", "blank"]})
    assert result.values["hits"] == 2
    assert game.replay(result.to_json()).to_json() == result.to_json()


@pytest.mark.parametrize(
    "dice",
    [
        *(
            {"dice": "2d6", "faces": [3]},
            {"dice": "2d6", "faces": [3, 7]},
            {"dice": "2d6", "faces": 3},
            {"dice": "2d6"},
        ),
        *(
            {"dice": "d6", "faces": [[]]},
            {"dice": "d6", "faces": [3], "counts": [1, 2]},
            "2d6",
            7,
            [3, 4],
            None,
            {},
            [{}],
        ),
        *(
            {"dice": "d6", "faces": [[3, 4]], "counts": [[1]]},
            {"dice": "x", "faces": []},
            {"dice": "d6", "faces": [{}]},
        ),
    ],
    ids=str,
)
def test_what_is_no_roll_is_one_diagnostic(dice: Any) -> None:
    with pytest.raises(PlayError):
        interpreter.loads(ON_THE_TABLE).roll("keep", dice=dice, seed=1)


# What is refused -------------------------------------------------------------------------------------------------


def test_a_ruleset_that_cannot_be_used() -> None:
    with pytest.raises(RulesetError) as error:
        interpreter.loads("ruleset: broken\nmechanics: {m: {steps: {a: b + 1, c: d}}}\n", name="house.yaml")
    first, second = error.value.diagnostics
    assert (first.code, first.path, first.line, first.column) == ("HR301", "house.yaml", 2, 28)
    assert (second.line, second.column) == (2, 38)
    assert first.message and str(first).startswith("house.yaml:2:28: HR301 ")


def test_check_lists_everything_and_touches_nothing(tmp_path: Path) -> None:
    file = tmp_path / "house.yaml"
    file.write_text("ruleset: broken\nmechanics: {m: {steps: {a: b + 1, c: d}}}\n")
    assert [one.code for one in interpreter.check(file)] == ["HR301", "HR301"]
    assert [one.code for one in interpreter.check(str(tmp_path / "none.yaml"))] == ["HR643"]
    assert interpreter.check("jadeclaw") == []


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ({"mechanic": "contst"}, "HR601"),
        ({"own": "d10", "against": "2d6", "aginst": "d6"}, "HR602"),
        ({"own": "d10"}, "HR603"),
        ({"own": {"dice": "d10", "bonuses": -1}, "against": "d4"}, "HR604"),
        ({"own": "d10 &", "against": "d4"}, "HR2"),
        ({"own": 3, "against": "d4"}, "HR4"),
        ({"own": 3.5, "against": "d4"}, "HR640"),
        ({"own": None, "against": "d4"}, "HR"),
        ({"own": object(), "against": "d4"}, "HR640"),
        ({"own": "d10", "against": "2d6", "faces": [1]}, "HR610"),
        ({"own": "d10", "against": "2d6", "faces": [1, 1, 1, 1]}, "HR611"),
        ({"own": "d10", "against": "2d6", "faces": [1, 1, 7]}, "HR612"),
        ({"own": "d10", "against": "2d6", "choices": {"no_such": 1}}, "HR623"),
        ({"own": "d10", "against": "2d6", "policy": "no_such"}, "HR642"),
        ({"own": "1001d6", "against": "d4"}, "HR"),
        ({"own": "9" * 30, "against": "d4"}, "HR"),
        ({"own": "(" * 60, "against": "d4"}, "HR2"),
        ({"own": {"dice": {"dice": "d6"}}, "against": "d4"}, "HR"),
        ({"own": [["d6"]], "against": "d4"}, "HR"),
    ],
    ids=lambda value: value if isinstance(value, str) else ", ".join(value) if isinstance(value, dict) else None,
)
def test_a_call_that_cannot_be_played_is_one_diagnostic(what: dict[str, Any], code: str) -> None:
    given = dict(what)
    with pytest.raises(PlayError) as error:
        games.game("jadeclaw").roll(given.pop("mechanic", "contest"), **given)
    assert len(error.value.diagnostics) == 1
    assert error.value.diagnostic.code.startswith(code)


@pytest.mark.parametrize("options", [{"double_bitch": "tie"}, {"double_botch": "maybe"}, {"overwhelming_margin": 0}])
def test_an_option_that_does_not_fit(options: dict[str, Any]) -> None:
    with pytest.raises(RulesetError):
        interpreter.load("jadeclaw", options=options)


def saved() -> dict[str, Any]:
    own = {"stat": 5, "skill": 3, "essence": 3, "difficulty": 7}
    return json.loads(games.game("fiend-wake").roll("roll", inputs=own, seed=11, policy=policy).to_json())  # type: ignore[no-any-return]


def saved_rules(uses: dict[str, str]) -> dict[str, Any]:
    """The rules of a saved result, of which it uses more, or others."""
    rules = saved()["rules"]
    return {**rules, "uses": {**rules["uses"], **uses}}


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"rules": {}}, "HR678"),
        ({"houserule": "result/2"}, "HR677"),
        ({"houserule": "state/1"}, "HR676"),
        ({"houserule": 1}, "HR645"),
        ({"mechanic": "task"}, "HR"),
        ({"outcome": "triumph"}, "HR644"),
        ({"also": {"more": 1}}, "HR644"),
        ({"values": {}}, "HR644"),
        ({"faces": []}, "HR610"),
        ({"faces": [1] * 99}, "HR6"),
        ({"faces": None}, "HR645"),
        ({"choices": []}, "HR644"),
        ({"choices": [7]}, "HR645"),
        ({"choices": [{"choice": "x"}]}, "HR645"),
        ({"choices": [{"choice": "x", "answer": 1}] * 50}, "HR644"),
        ({"choices": [{"choice": "tosses.burn.numbers", "answer": [1], "picked": ["x"]}]}, "HR645"),
        ({"choices": [{"choice": "tosses.burn.numbers", "answer": [1], "picked": [77]}]}, "HR"),
        ({"inputs": {}}, "HR603"),
        ({"inputs": 3}, "HR645"),
        ({"options": {"die": "d20"}}, "HR"),
    ],
    ids=str,
)
def test_a_saved_result_that_was_tampered_with(changed: dict[str, Any], code: str) -> None:
    game, data = games.game("fiend-wake"), saved()
    assert game.replay(data).outcome == data["outcome"]
    with pytest.raises(PlayError) as error:
        game.replay(data | changed)
    assert error.value.diagnostic.code.startswith(code)


@pytest.mark.parametrize(
    ("path", "told"), [("rounding", "`rounding` has changed"), ("no.such", "`no.such` is gone")], ids=str
)
def test_a_saved_result_says_what_has_changed_and_comes_out_the_same(path: str, told: str) -> None:
    again = games.game("fiend-wake").replay(saved() | {"rules": saved_rules({path: "0" * 12})})
    assert [line.text for line in again.adopted] == [told]


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "null", '"x"', "{}"])
def test_what_is_no_saved_result(text: str) -> None:
    with pytest.raises(PlayError) as error:
        games.game("jadeclaw").replay(text)
    assert error.value.diagnostic.code == "HR645"


def test_a_choice_too_many_is_noticed() -> None:
    game, data = games.game("fiend-wake"), saved()
    data["choices"].append(data["choices"][-1])
    with pytest.raises(PlayError) as error:
        game.replay(data)
    assert error.value.diagnostic.code == "HR644"


def test_a_result_under_options_replays_in_a_game_without_them() -> None:
    result = interpreter.load("jadeclaw", options={"overwhelming_margin": 2}).roll("verdict", own=6, other=4)
    assert result.outcome == "overwhelming_success"
    assert games.game("jadeclaw").replay(result.to_json()).outcome == "overwhelming_success"
    assert games.game("jadeclaw").roll("verdict", own=6, other=4).outcome == "success"


# A game among hosts ----------------------------------------------------------------------------------------------


def test_a_game_is_used_from_several_threads() -> None:
    for name, mechanic in (("jadeclaw", "damage_roll"), ("fiend-wake", "roll")):
        given = PLAYED[name, mechanic]
        expected = [games.game(name).roll(mechanic, inputs=given, seed=seed).to_json() for seed in range(12)]
        game = interpreter.load(name)  # fresh, so that everything is compiled while others play
        found: dict[int, list[str]] = {}

        def work(
            number: int, game: Game = game, mechanic: str = mechanic, given: Any = given, found: Any = found
        ) -> None:
            found[number] = [game.roll(mechanic, inputs=given, seed=seed).to_json() for seed in range(12)]

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [found.get(number) == expected for number in range(4)] == [True] * 4


HELD = """\
ruleset: held
kinds:
  fighter: {has: {hurt: {type: track, length: 6}, luck: {type: points, from: 0, to: 3, lasts: scene}}}
events:
  blow:
    inputs: {target: {type: fighter}, amount: {type: number, from: 0}}
    steps: {marked: {gain: amount, to: target.hurt}}
actions:
  strike:
    actor: {type: fighter}
    inputs: {target: {type: fighter, ask: "Who is hit?"}}
    steps:
      thrown: {roll: 2d6, again: face == 6}
      dare:   {choose: yes_no, by: actor, default: no, ask: "Do you dare?"}
      hit:    {cause: blow, with: {target: target, amount: 1}, if: sum(thrown) > 7 or dare}
"""


def test_a_game_that_is_let_go_is_not_kept() -> None:
    kept = []
    for _ in range(MOST_KEPT + 2):
        game = interpreter.loads(HELD)
        state = game.state({"ann": {"is": "fighter"}, "bo": {"is": "fighter"}})
        given = {"actor": "ann", "inputs": {"target": "bo"}, "choices": {"dare": True}, "state": state}
        assert game.roll("actions.strike", seed=1, **given).state is not None
        assert game.odds("actions.strike", **given) and game.simulate("actions.strike", seed=1, runs=100, **given)
        assert game.ends(state, "scene") and game.possible(state, "ann")
        session = game.begin(
            "actions.strike", inputs=given["inputs"] | {"actor": "ann"}, state=state, players={"anna": ["ann", "bo"]}
        )
        game.resume(session.to_json())
        kept.append(weakref.ref(game.program))
        del game, state, given, session
    gc.collect()
    assert [one() for one in kept[:-MOST_KEPT]] == [None] * 2  # a thread keeps the last ones that it has simulated


def test_a_result_cannot_change_its_game() -> None:
    game = interpreter.load("jadeclaw", options={"double_botch": "tie"})
    before = game.roll("contest", own="2d4", against="d4", faces=[1, 1, 1])
    with pytest.raises((TypeError, AttributeError)):
        game.options["double_botch"] = "botch"  # type: ignore[index]
    assert game.roll("contest", own="2d4", against="d4", faces=[1, 1, 1]).to_json() == before.to_json()


def test_types_travel_with_the_package() -> None:
    assert resources.files("interpreter").joinpath("py.typed").is_file()


def test_everything_in_the_door_is_there() -> None:
    assert all(hasattr(interpreter, name) for name in interpreter.__all__)
    assert {"load", "loads", "check", "Game", "Result", "RulesetError", "PlayError", "Diagnostic"} <= set(
        interpreter.__all__
    )

"""What a host asks of a game, and the JSON Schema of what it gives: enough for a form, and true to what is read."""

from __future__ import annotations

import dataclasses
import json
import re
import runpy
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import games
import jsonschema
import pytest

import interpreter
from interpreter import Game, PlayError, bundled
from interpreter.api.decode import node_of
from interpreter.api.input_data import input_data
from interpreter.syntax.document import Mapping as Tree
from interpreter.syntax.document import Node, Scalar, Sequence
from interpreter.testing.cases import Case, cases_of, fold_dotted_keys

GAMES = [*bundled.rulesets()]


def validator(game: Game, path: str) -> jsonschema.Draft202012Validator:
    schema = game.schema(path)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema
    return jsonschema.Draft202012Validator(schema)


def plain(node: Node) -> Any:
    """What somebody writes in YAML as a host gives it: numbers, yes and no, text, lists, mappings."""
    if isinstance(node, Tree):
        return {one.key.text: plain(one.value) for one in node.entries}
    if isinstance(node, Sequence):
        return [plain(one) for one in node.items]
    assert isinstance(node, Scalar)
    text = node.text
    if text in ("yes", "no") and not node.style:
        return text == "yes"
    return int(text) if text.lstrip("-").isdigit() and not node.style else text


def played(game: Game, case: Case) -> str | None:
    """The path of the rule that a case plays."""
    return next(
        (f"{key}s.{case.text(key)}" for key in ("mechanic", "action", "event", "scene") if case.text(key)), None
    )


def cases(name: str) -> Iterator[tuple[str, Mapping[str, Node], Case]]:
    game, world = games.game(name), games.loaded(name).world
    assert world is not None
    for case in cases_of(world.cases):
        path = played(game, case)
        if path is not None and "error" not in case.node and game.has(path):
            yield path, fold_dotted_keys(case.given), case


@pytest.mark.parametrize("name", GAMES)
def test_the_inputs_of_every_case_fit_the_schema_of_its_rule(name: str) -> None:
    game = games.game(name)
    checks: dict[str, jsonschema.Draft202012Validator] = {}
    for path, given, case in cases(name):
        if path not in checks:
            checks[path] = validator(game, path)
        data = {key: plain(node) for key, node in given.items()}
        if path.startswith("actions.") and "actor" not in data:
            data["actor"] = case.text("actor") or "somebody"
        if path.startswith("scenes.") and "scene" in plain(case.node).get("before", {}):
            continue  # it is under way, and has its inputs
        wrong = list(checks[path].iter_errors(data))
        assert not wrong, (path, str(case.node.span), data, wrong[0].message)


@pytest.mark.parametrize("name", GAMES)
def test_every_thing_of_a_game_fits_the_schema_of_its_kind(name: str) -> None:
    game = games.game(name)
    checks = {kind: validator(game, f"kinds.{kind}") for kind in game.kinds}
    states = [game.start] if game.kinds else []
    for file in (one for one in bundled.scenes().values() if one.parent.parent.name == name):
        states.append(interpreter.load_scene(file).state)
    for state in states:
        for thing, held in game.to_data(state)["things"].items():
            if held["is"] in checks and "." not in thing:
                assert not [one.message for one in checks[held["is"]].iter_errors(held)], (thing, held)


@pytest.mark.parametrize("name", GAMES)
def test_every_rule_and_kind_has_a_schema(name: str) -> None:
    game = games.game(name)
    sections = {"mechanics": game.mechanics, "actions": game.actions, "events": game.events, "scenes": game.scenes}
    for section, rules in sections.items():
        for key, rule in rules.items():
            assert rule.path == f"{section}.{key}"
            schema = validator(game, rule.path).schema
            assert {*schema["properties"]} - {"actor"} == {*rule.inputs}
            assert not validator(game, rule.path).is_valid({"nothing of this name": 1})
            assert dataclasses.asdict(rule)
    for key, kind in game.kinds.items():
        assert not validator(game, f"kinds.{key}").is_valid({"nothing of this name": 1})
        assert dataclasses.asdict(kind)
    options = {key: one.value for key, one in game.options.items()}
    assert validator(game, "options").is_valid(options)
    for tables in (game.tables, game.policies):
        assert all(dataclasses.asdict(one) for one in tables.values())


@pytest.mark.parametrize("name", GAMES)
def test_every_default_fits_its_own_schema(name: str) -> None:
    game = games.game(name)
    rules = [
        one.path for section in (game.mechanics, game.actions, game.events, game.scenes) for one in section.values()
    ]
    for path in (*rules, *(f"kinds.{kind}" for kind in game.kinds), "options"):
        schema = game.schema(path)
        for key, one in schema.get("properties", {}).items():
            if "default" in one:
                whole = {**one, "$defs": schema.get("$defs", {})}
                wrong = list(jsonschema.Draft202012Validator(whole).iter_errors(one["default"]))
                assert not wrong, (path, key, one)


RULES = """\
ruleset: harbour
names: {sail: {reefed: Little wind in it., full: All of it.}}
options: {toll: {type: number, from: 0, to: 9, default: 3, about: What it costs.}}
types:
  crew: {written_as: hands, has: {hands: {type: number, from: 1}, drunk: {type: yes_no, default: no}}}
modifiers:
  storm: {to: crew, adds: {hands: 1}}
  leak: {to: crew, takes: {depth: {type: number}}, adds: {hands: depth}}
kinds:
  ship:
    title: Ship
    about: It floats.
    has:
      tons: {type: number, from: 1, to: 500, about: How large it is.}
      sail: {type: sail, default: full}
      hull: {type: points, to: tons * 2, starts: full}
      holds: {type: number, per: sail, from: 0, to: {reefed: 3, full: tons}, default: 0}
      speed: {is: tons / 10}
      flag: {type: text, optional: yes, seen_by: owner}
      boat: {type: boat}
  boat: {part: yes, has: {oars: {type: number, default: 2}}}
actions:
  ram:
    actor: ship
    inputs:
      target: {type: ship, where: it is not actor}
      force: {type: number, from: 1, to: actor.tons, default: actor.tons, about: How hard.}
      men: {type: crew}
      with: {list_of: sail, least: 1, default: "[full]"}
      dice: {type: dice, default: d6}
    cost: {hull: force}
    at_most: {times: 1, per: round}
    steps: {die: {roll: dice}, hit: {lose: sum(die), from: target.hull}}
    outcomes: {sunk: target.hull == 0, afloat: otherwise}
tables:
  draught: {about: How deep., rows: {1 to 9: 1, 10 or more: 2}, off_the_rows: refuse}
policies: {bold: {force: actor.tons}}
mechanics:
  lots: {inputs: {thrown: {type: roll}}, steps: {best: highest(thrown) otherwise 0}}
"""
SHIP = {"is": "ship", "tons": 20}


@pytest.fixture(scope="module")
def harbour() -> Game:
    return interpreter.loads(RULES)


@pytest.mark.parametrize(
    ("path", "fits", "data"),
    [
        ("actions.ram", True, {"actor": "ann", "target": "bo", "men": 3}),
        ("actions.ram", True, {"actor": "ann", "target": "bo", "men": {"hands": 3, "drunk": True}}),
        ("actions.ram", True, {"actor": "ann", "target": "bo", "men": {"hands": 3, "modifiers": ["storm"]}}),
        (
            "actions.ram",
            True,
            {"actor": "ann", "target": "bo", "men": {"hands": 3, "modifiers": [{"leak": {"depth": 1}}]}},
        ),
        ("actions.ram", True, {"actor": "ann", "target": {"tons": 3}, "men": 3, "with": ["full"], "dice": "2d6"}),
        ("actions.ram", False, {"target": "bo", "men": 3}),
        ("actions.ram", False, {"actor": "ann", "target": "bo", "men": 0}),
        ("actions.ram", False, {"actor": "ann", "target": "bo", "men": "three"}),
        ("actions.ram", False, {"actor": "ann", "target": "bo", "men": {"drunk": True}}),
        ("actions.ram", False, {"actor": "ann", "target": "bo", "men": {"hands": 3, "modifiers": ["leak"]}}),
        ("actions.ram", False, {"actor": "ann", "target": "bo", "men": 3, "force": 501}),
        ("actions.ram", False, {"actor": "ann", "target": "bo", "men": 3, "force": True}),
        ("actions.ram", False, {"actor": "ann", "target": "bo", "men": 3, "with": []}),
        ("actions.ram", False, {"actor": "ann", "target": "bo", "men": 3, "with": ["half"]}),
        ("actions.ram", False, {"actor": "ann", "target": "bo", "men": 3, "dice": 6}),
        ("actions.ram", False, {"actor": "ann", "target": {"is": "boat"}, "men": 3}),
        ("kinds.ship", True, SHIP),
        ("kinds.ship", True, {**SHIP, "title": "The Gull", "flag": "red", "holds": {"full": 2}, "boat": {"oars": 4}}),
        ("kinds.ship", False, {"is": "ship"}),
        ("kinds.ship", False, {**SHIP, "is": "boat"}),
        ("kinds.ship", False, {**SHIP, "tons": 0}),
        ("kinds.ship", False, {**SHIP, "sail": "half"}),
        ("kinds.ship", False, {**SHIP, "speed": 2}),
        ("kinds.ship", False, {**SHIP, "holds": {"half": 2}}),
        ("kinds.ship", False, {**SHIP, "boat": {"sails": 1}}),
        ("options", True, {"toll": 9}),
        ("options", False, {"toll": 10}),
        ("lots", True, {"thrown": {"dice": "d8 & d6", "faces": [7, [6, 2]]}}),
        ("lots", True, {"thrown": []}),
        ("lots", False, {"thrown": {"dice": "d8"}}),
        ("lots", False, {"thrown": "d8"}),
    ],
)
def test_a_schema_is_what_is_read(harbour: Game, path: str, fits: bool, data: dict[str, Any]) -> None:
    """What fits a schema is read, and what does not is refused."""
    assert validator(harbour, path).is_valid(data) == fits
    things = {"ann": {**SHIP, "tons": 500}, "bo": SHIP}

    def give() -> object:
        if path == "options":
            return harbour.with_options(data)
        if path == "kinds.ship":
            return harbour.state(cog=data)
        return harbour.roll(path, state=harbour.state(things), inputs=data, seed=1)

    if fits:
        assert give()
    else:
        with pytest.raises(PlayError):
            give()


def test_what_a_game_has_is_told(harbour: Game) -> None:
    ship = harbour.kinds["ship"]
    assert (ship.title, ship.about, ship.one, ship.part) == ("Ship", "It floats.", False, False)
    assert (ship.has["tons"].required, ship.has["tons"].low, ship.has["tons"].high) == (True, 1, 500)
    assert not ship.has["hull"].required and ship.has["hull"].counter
    assert (ship.has["hull"].live, ship.has["hull"].high_text) == (True, "tons * 2")
    assert ship.has["sail"].choices == {"reefed": "Little wind in it.", "full": "All of it."}
    assert (ship.has["holds"].per, [*ship.has["holds"].words]) == ("sail", ["reefed", "full"])
    assert ship.has["speed"].derived and ship.has["speed"].default_text == "tons / 10"
    assert (ship.has["flag"].seen_by, ship.has["sail"].seen_by) == (("owner",), None)
    assert ship.has["boat"].part == "boat" and not ship.has["boat"].required
    ram = harbour.actions["ram"]
    assert (ram.actor, ram.costs, ram.at_most, ram.per) == ("ship", {"hull": "force"}, 1, "round")
    assert (ram.inputs["target"].kind, ram.outcomes) == ("ship", ("sunk", "afloat"))
    assert (ram.inputs["force"].high_text, ram.inputs["force"].default_text) == ("actor.tons", "actor.tons")
    assert (harbour.options["toll"].value, harbour.options["toll"].high) == (3, 9)
    assert [(row.low, row.high, row.value) for row in harbour.tables["draught"].rows] == [(1, 9, 1), (10, None, 2)]
    assert harbour.policies["bold"].answers == {"force": "actor.tons"}
    with pytest.raises(TypeError):
        harbour.kinds["ship"] = ship  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        ship.title = "Boat"  # type: ignore[misc]


def test_bounds_are_those_of_the_moment(harbour: Game) -> None:
    state = harbour.state(ann=SHIP)
    assert harbour.bounds(state, "ann", "hull") == (0, 40)
    assert harbour.bounds(state, "ann", "tons") == (1, 500)
    assert harbour.bounds(state, "ann", "holds", "full") == (0, 20)
    assert harbour.bounds(state, "ann", "holds", "reefed") == (0, 3)
    assert harbour.bounds({"ann": {**SHIP, "tons": 7}}, "ann", "hull") == (0, 14)
    assert harbour.bounds(state, "ann.boat", "oars") == (None, None)
    for wrong in (
        ("bo", "hull"),
        ("ann", "sail"),
        ("ann", "keel"),
        ("ann", "holds"),
        ("ann", "holds", "half"),
        ("ann", "hull", "full"),
    ):
        with pytest.raises(PlayError):
            harbour.bounds(state, *wrong)


def test_a_schema_says_what_people_read(harbour: Game) -> None:
    schema = harbour.schema("actions.ram")
    assert schema["$schema"].endswith("2020-12/schema")
    force = schema["properties"]["force"]
    assert (force["minimum"], force["x-maximum"], force["x-default"]) == (1, "actor.tons", "actor.tons")
    assert force["description"] == "How hard." and "default" not in force
    assert schema["properties"]["actor"]["x-kind"] == "ship"
    hull = harbour.schema("kinds.ship")["properties"]["hull"]
    assert (hull["minimum"], hull["x-maximum"], hull["x-default"]) == (0, "tons * 2", "tons * 2")
    assert schema["properties"]["target"]["x-where"] == "it is not actor"
    sail = harbour.schema("kinds.ship")["properties"]["sail"]
    assert [(one["const"], one["description"]) for one in sail["oneOf"]] == [
        ("reefed", "Little wind in it."),
        ("full", "All of it."),
    ]
    for path in ("kinds.boot", "actions.rum", "nothing", "tables.draught"):
        with pytest.raises(PlayError):
            harbour.schema(path)


def test_dir_shows_what_hosts_use(harbour: Game) -> None:
    shown = [name for name in dir(harbour) if not name.startswith("_")]
    assert {"roll", "kinds", "schema", "name", "state", "odds"} <= {*shown}
    assert not {"program", "world", "closures", "walker", "reader", "odds_caches", "walk"} & {*shown}
    manual = (bundled.manual() / "embedding.md").read_text("utf-8")
    assert [name for name in shown if f".{name}" not in manual and f"`{name}`" not in manual] == []


def test_values_of_a_result_are_inputs_again(harbour: Game) -> None:
    state = harbour.state(ann=SHIP, bo=SHIP)
    result = harbour.act(state, "ram", actor="ann", target="bo", men=3, force=2, faces=[4])
    given = {name: input_data(value) for name, value in result.inputs.items() if value is not None}
    assert not [one.message for one in validator(harbour, "actions.ram").iter_errors(given)]
    assert node_of(given["target"], "target")


@pytest.mark.parametrize("name", bundled.rulesets())
def test_a_page_of_forms_is_made_without_reading_rules(name: str) -> None:
    path = Path(__file__).parent.parent / "docs" / "examples" / "sheets.py"
    game, names = games.game(name), runpy.run_path(str(path))
    page = names["page"](game)
    rules = [*game.actions.values(), *game.mechanics.values()]
    sheets = [f"kinds.{one.name}" for one in game.kinds.values() if not one.part]
    assert re.findall(r"<form id='([^']+)'", page) == [*sheets, *(one.path for one in rules)]
    for rule in rules:
        form = page.partition(f"<form id='{rule.path}'>")[2].partition("</form>")[0]
        for one in rule.inputs.values():
            assert one.fields or f'name="{one.name}"' in form, (rule.path, one.name)

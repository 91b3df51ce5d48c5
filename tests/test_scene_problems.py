"""Scene files and states that people write, against the ruleset that they name: every problem, each with its place."""

from __future__ import annotations

import io
from itertools import permutations
from pathlib import Path

import pytest
import test_codes

import interpreter
from interpreter import bundled

RULES = """\
ruleset: bridge
options: {slippery: {type: yes_no, default: no}, width: {type: number, from: 1, to: 9, default: 2}}
roles: {judge: Who decides.}
kinds:
  duellist:
    has:
      reach: {type: number, from: 1, to: 9}
      nerve: {type: points, to: reach * 2, starts: full}
      stance: {type: stance, default: low}
      ally: {type: duellist, optional: yes}
      strength: {is: reach + 1}
  bridge: {one: yes, has: {planks: {type: number, default: 4}}}
names: {stance: [low, high]}
scenes:
  duel:
    inputs: {duellists: {list_of: duellist, least: 2}, rounds: {type: number, from: 1, default: 3}}
    round: {blows: {steps: {blow: {choose: number, by: duellists, from: 0, to: 3}}}}
    outcomes: {over: scene.round == rounds}
"""
RIGHT = """\
state: at-dawn
of: bridge
options: {slippery: yes}
scene: duel
things:
  duellist:
    ann: {reach: 5, ally: bo}
    bo: {like: ann, reach: 4, stance: high}
  bridge: {planks: 3}
given: {duellists: [ann, bo]}
players: {anna: [ann], ben: [bo, judge]}
"""
WRONG = """\
state: at-dusk
of: bridge
options: {slippery: maybe, depth: 3, width: 10}
scene: dual
things:
  duellist:
    ann: {reach: 12, luck: 3, strength: 4}
    bo: {reach: 4, stance: hihg}
    cy: {stance: low, ally: dee}
  ogre: {}
  bridge: {planks: many}
players: {anna: [ann]}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bridge.yaml").write_text(RULES, "utf-8")
    return tmp_path


def told(text: str) -> list[str]:
    """What is found in a scene file, by the file and by its text, in Python and by the command."""
    Path("scene.yaml").write_text(text, "utf-8")
    found = interpreter.check("scene.yaml")
    by_text = interpreter.check("scene.yaml", text=text, resolve=lambda wanted: RULES)
    assert [str(one) for one in by_text] == [str(one) for one in found]
    code, out, _ = test_codes.run("check", "scene.yaml", "--format", "concise")
    assert code == bool(found) and out.splitlines() == [str(one) for one in found]
    return [f"{one.line}:{one.column} {one.code} {one.message}" for one in found]


def test_a_scene_without_problems_has_none(folder: Path) -> None:
    assert told(RIGHT) == []
    code, out, _ = test_codes.run("check", "scene.yaml", "bridge.yaml")
    assert code == 0 and "1 ruleset and 1 scene file, no errors" in out
    assert test_codes.run("check", "scene.yaml")[1] == "1 scene file, no errors\n"
    assert "1 ruleset and 1 scene file, no errors" in test_codes.run("check", ".")[1]


def test_every_problem_is_told_at_its_place(folder: Path) -> None:
    assert told(WRONG) == [
        "3:21 HR640 `slippery` must be yes or no, and `maybe` is not",
        "3:35 HR641 there is no option `depth`",
        "3:45 HR604 `width` must be from 1 to 9, not 10",
        "4:8 HR303 there is no scene `dual`",
        "7:18 HR604 `reach` must be from 1 to 9, not 12",
        "7:22 HR305 `duellist` has no `luck`",
        "7:31 HR571 `strength` is derived from other values, so it cannot be given",
        "8:28 HR306 `hihg` is not a word of `stance`",
        "9:5 HR102 `cy`, which is a `duellist`, needs `reach`",
        "9:29 HR650 there is no thing `dee`",
        "10:3 HR303 there is no kind `ogre`",
        "11:20 HR640 `planks` must be a number, and `many` is not",
    ]


def test_what_shows_only_in_a_state_is_told_too(folder: Path) -> None:
    high = RIGHT.replace("{reach: 5, ally: bo}", "{reach: 5, nerve: 11}").replace("stance: high}", "nerve: 9}")
    assert told(high) == [
        "7:28 HR604 `nerve` must be from 0 to 10, not 11",
        "8:38 HR604 `nerve` must be from 0 to 8, not 9",
    ]
    assert told(RIGHT.replace("[ann, bo]}\n", "[ann, bo], rounds: 0, rain: 3}\n")) == [
        "10:39 HR604 `rounds` must be at least 1, not 0",
        "10:48 HR602 `duel` has no input `rain`",
    ]
    assert told(RIGHT.replace("[ann, bo]}\n", "[ann, cy], rounds: 0}\n")) == [
        "10:26 HR650 there is no thing `cy`",
        "10:39 HR604 `rounds` must be at least 1, not 0",
    ]
    assert told(RIGHT.replace("[bo, judge]", "[ann, jude]")) == [
        "11:30 HR665 `anna` and `ben` both answer for `ann`",
        "11:35 HR664 `ben` cannot answer for `jude`: it is neither a thing nor a role",
    ]
    assert told(RIGHT.replace("given: {duellists: [ann, bo]}\n", "")) == [
        "4:1 HR603 `duel` needs `duellists`: it has no default"
    ]
    assert told(RIGHT.replace("{reach: 5, ally: bo}", "3")) == ["7:10 HR640 `ann` must be a `duellist`, and `3` is not"]


def test_a_former_name_is_told_with_the_name_of_now(folder: Path) -> None:
    Path("bridge.yaml").write_text(
        RULES.replace("reach: {type", "arms: {formerly: reach, type").replace("reach ", "arms ")
    )
    Path("scene.yaml").write_text(RIGHT, "utf-8")
    first, *_ = interpreter.check("scene.yaml")
    assert str(first).startswith("scene.yaml:7:11: HR305 `duellist` has no `reach`")
    assert first.help == "it is called `arms` now"


def test_rulesets_that_are_missing_or_wrong_are_told(folder: Path) -> None:
    Path("scene.yaml").write_text(RIGHT.replace("of: bridge", "of: brigde"), "utf-8")
    (one,) = interpreter.check("scene.yaml")
    assert str(one).startswith("scene.yaml:2:5: HR643 there is no ruleset `brigde`")
    Path("bridge.yaml").write_text(RULES.replace("reach + 1", "rech + 1"), "utf-8")
    Path("scene.yaml").write_text(RIGHT, "utf-8")
    (one,) = interpreter.check("scene.yaml")
    assert (one.path, one.code) == ("bridge.yaml", "HR301")
    Path("other.yaml").write_text(RIGHT.replace("at-dawn", "other"), "utf-8")
    for words in (("scene.yaml", "bridge.yaml", "other.yaml"), (".",), ("scene.yaml", "other.yaml")):
        out = test_codes.run("check", *words, "--format", "concise")[1]
        assert out.count("HR301") == 1 and "house rule" not in out


def test_a_state_is_checked_without_a_scene_and_from_standard_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told("state: hero\nof: bridge\nthings: {duellist: {ann: {reach: 3}}}\n") == []
    assert len(told("state: hero\nof: bridge\nthings: {duellist: {ann: {reach: 0}}}\n")) == 1
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(RIGHT.replace("reach: 5", "reach: 0").encode())))
    code, out, _ = test_codes.run("check", "-", "--stdin-filename", "here.yaml", "--format", "concise")
    assert (code, out) == (1, "here.yaml:7:18: HR604 `reach` must be from 1 to 9, not 0\n")


@pytest.mark.parametrize("name", bundled.scenes())
def test_bundled_scenes_have_no_problems(name: str) -> None:
    assert interpreter.check(bundled.scenes()[name]) == []


BOUND_BY_EACH_OTHER = (
    "level:  {type: number, default: 1}",
    "hearts: {type: points, to: level * 2, starts: full}",
    "nerve:  {type: points, to: hearts, starts: full}",
    "calm:   {type: points, to: nerve, starts: full}",
)


@pytest.mark.parametrize("declared", list(permutations(BOUND_BY_EACH_OTHER)))
def test_what_bounds_another_value_is_told_first_however_they_are_declared(declared: tuple[str, ...]) -> None:
    has = "".join(f"      {one}\n" for one in declared)
    game = interpreter.loads(f"ruleset: ring\nkinds:\n  fighter:\n    has:\n{has}")
    things = game.to_data(game.state(ann={"is": "fighter"}))["things"]
    assert list(things["ann"].items()) == [("is", "fighter"), ("level", 1), ("hearts", 2), ("nerve", 2), ("calm", 2)]
    with pytest.raises(interpreter.PlayError, match="`hearts` must be from 0 to 2, not 7"):
        game.state(ann={"is": "fighter", "calm": 9, "nerve": 8, "hearts": 7, "level": 1})

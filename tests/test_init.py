"""`houserule init`: whatever it makes has no problems, passes its cases and plays at once; nothing is overwritten."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from marks import at_night, thorough

from interpreter import bundled, pipeline
from interpreter.api import scene_file
from interpreter.cli import group

LONG = ("2d20", "d6", "fate", "fiend-wake", "jadeclaw", "year-zero", "savage-worlds")
RULESETS = thorough(bundled.rulesets(), lambda name: name in LONG, every=3)
NOT_THE_LARGEST = [
    *(one for one in RULESETS if one.values != ("fiend-wake",)),
    *at_night(["fiend-wake"], bool),
]
SCENES = sorted({path.parent.parent.name for path in bundled.scenes().values()})
SCHEMA = re.compile(r"# yaml-language-server: \$schema=(.*)\n")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, arguments)


def made(*arguments: str) -> list[str]:
    """What a command has made; the commands that it proposes work."""
    done = run("init", *arguments)
    assert done.exit_code == 0, f"{done.output}{done.exception}"
    for line in re.findall(r"^  houserule (.*?)   ", done.stdout, re.MULTILINE):
        words = shlex.split(line)
        if words[0] == "simulate":
            words += ["--runs", "2", "--seed", "1"]
        if words[0] == "play":
            words += ["--no-input", "--seed", "1"]
        again = run(*words)
        assert again.exit_code == 0, f"{line}: {again.output}{again.exception}"
    files = re.findall(r"^made (.*)$", done.stdout, re.MULTILINE)
    for file in files:
        if file.endswith(".yaml"):
            line = SCHEMA.match(Path(file).read_text("utf-8"))
            assert line is not None and Path(line[1]).is_file()
    return files


def is_sound(name: str) -> None:
    assert list(pipeline.from_path(pipeline.find_ruleset(name)).problems) == []
    done = run("test", name)
    assert (done.exit_code, done.stderr) == (0, ""), done.output


def test_a_game_is_made_of_nothing() -> None:
    assert made("game", "night-market") == ["night-market.yaml"]
    is_sound("night-market.yaml")
    text = Path("night-market.yaml").read_text("utf-8")
    assert "ruleset: night-market\ntitle: Night market\n" in text
    assert "faces:" in text and "odds:" in text


@pytest.mark.parametrize("base", NOT_THE_LARGEST)
def test_a_game_is_a_copy_under_another_name(base: str) -> None:
    files = made("game", "ours", "--from", base)
    assert files[0] == "ours/ours.yaml"
    is_sound("ours")
    for file in files:
        assert not re.search(rf"^(ruleset|part_of|of): {base}$", Path(file).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("base", NOT_THE_LARGEST)
def test_a_house_rule_changes_what_a_case_notices(base: str) -> None:
    assert made("rule", "ours", "--over", base) == ["ours.yaml"]
    is_sound("ours.yaml")
    text = Path("ours.yaml").read_text("utf-8")
    assert f"extends: {base}\n" in text and "because:" in text and "differs:" in text and "cases:" in text


def test_a_house_rule_over_a_file_lies_beside_it() -> None:
    made("game", "rules/market")
    assert made("rule", "hard", "--over", "rules/market.yaml") == ["rules/hard.yaml"]
    is_sound("rules/hard.yaml")
    done = run("init", "rule", "elsewhere/hard", "--over", "rules/market.yaml")
    assert done.exit_code == 2 and "must lie beside it: write `rules/hard.yaml`" in done.output
    made("game", "ours", "--from", "pbta")
    assert made("rule", "hard", "--over", "ours") == ["ours/hard.yaml"]


def test_a_house_rule_needs_a_case_that_notices_it() -> None:
    Path("bare.yaml").write_text("ruleset: bare\nmechanics: {flip: {steps: {coin: {roll: d2}}}}\n", "utf-8")
    done = run("init", "rule", "hard", "--over", "bare.yaml")
    assert done.exit_code != 0 and "write a case of it first" in done.output
    assert not Path("hard.yaml").exists()


@pytest.mark.parametrize("base", [*SCENES, *sorted(bundled.scenes())])
def test_a_scene_can_be_played(base: str) -> None:
    done = run("init", "scene", "last-stand", "--over", base)
    assert done.exit_code == 0, done.output
    file = scene_file.read(Path("last-stand.yaml"))
    assert file.name == "last-stand" and file.title == "Last stand"
    game = scene_file.game_of(file)
    began = {"players": scene_file.players_of(file), "inputs": scene_file.inputs_of(game, file)}
    assert game.begin(
        scene_file.path_of_scene(file), state=scene_file.state_of(game, file), seed=1, **began
    ).host.requests


RAFT = """\
ruleset: raft
kinds:
  sailor:
    has:
      breath: {type: points, to: 3, starts: 3}
      moves:  {type: points, to: 1, starts: 1, lasts: round}
actions:
  push:
    actor: sailor
    inputs: {target: {type: sailor, where: it is not actor}}
    cost: {moves: 1}
    steps: {falls: {lose: 1, from: target.breath}}
scenes:
  wrestling:
    inputs: {sailors: {list_of: sailor, least: 2}}
    has: {dry: {is: sailors where it.breath > 0}}
    round:
      pushing:
        steps:
          everyone: {for: one, among: sailors, each: {own: {turn: one, steps: {does: {offer: [push], to: one}}}}}
    guard: 9
    outcomes: {over: count(scene.dry) <= 1}
"""


def test_a_scene_is_made_of_the_rules_alone() -> None:
    Path("raft.yaml").write_text(RAFT, "utf-8")
    assert made("scene", "brawl", "--over", "raft.yaml") == ["brawl.yaml"]
    assert "sailors: [ann, bo]" in Path("brawl.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["scene", "x", "--over", "pbta"], "there are no scenes in `pbta`"),
        (["game", "a b"], "`a b` is no name"),
        (["game", ""], "is no name"),
        (["game", "x", "--from", "nowhere"], "there is no ruleset `nowhere`"),
        (["rule", "x"], "Missing option '--over'"),
        (["rule", "x", "--over", "nowhere"], "there is no ruleset `nowhere`"),
    ],
)
def test_what_cannot_be_made_is_refused(arguments: list[str], said: str, folder: Path) -> None:
    done = run("init", *arguments)
    assert done.exit_code != 0 and said in done.output + str(done.exception)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["game", "x"], "x.yaml"),
        (["game", "x", "--from", "pbta"], "x/cases.yaml"),
        (["rule", "x", "--over", "pbta"], "x.yaml"),
        (["scene", "x", "--over", "2d20"], "x.yaml"),
    ],
)
def test_nothing_is_overwritten(arguments: list[str], file: str, folder: Path) -> None:
    Path(file).parent.mkdir(exist_ok=True)
    Path(file).write_text("mine\n", "utf-8")
    done = run("init", *arguments)
    assert done.exit_code != 0 and f"`{file}` is there already" in str(done.exception)
    assert Path(file).read_text("utf-8") == "mine\n"
    assert [one for one in folder.rglob("*") if one.is_file()] == [folder / file]

"""The story of a play: what it tells and leaves out, and that nothing of it is taken for Markdown."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from lasting.fights import FILES
from test_fights import any_answer, begun

import interpreter
from interpreter.cli import play

SEA = """
ruleset: sea
kinds:
  boat:
    has:
      hull:   {type: track, length: 6}
      oars:   {type: points, to: 3, starts: 3, lasts: turn}
    summary: [hull]
actions:
  ram:
    title: Ram a boat
    actor: boat
    inputs: {target: {type: boat, where: it is not actor}}
    cost: {oars: 1}
    steps:
      hit: {call: blow}
      hurt: {cause: damage, with: {boat: target, amount: 2}, if: hit.outcome is holed}
  shout:
    title: Shout
    actor: boat
    inputs: {words: {type: text, ask: What do you shout?, by: actor}}
    steps: {done: yes}
events:
  damage:
    title: Damage
    inputs: {boat: {type: boat}, amount: {type: number}}
    steps: {marks: {gain: amount, to: boat.hull}}
mechanics:
  blow:
    steps: {rolled: {roll: d6}}
    outcomes:
      holed:  {if: rolled >= 3, tells: "The planks break (*crack*)"}
      missed: {if: otherwise}
scenes:
  battle:
    title: A battle
    inputs: {boats: {list_of: boat}}
    round:
      sailing:
        steps:
          turns:
            for: one
            among: boats
            each: {own: {turn: one, steps: {does: {offer: [ram, shout], to: one, most: 2}}}}
    outcomes: {sunk: {title: The *Anna* is lost, if: any(boats where it.hull >= 4)}}
"""


@pytest.fixture(scope="module")
def sea() -> interpreter.Game:
    return interpreter.loads(SEA)


def played(game: interpreter.Game, *answers: str) -> interpreter.Session:
    things = {"anna": {"is": "boat", "title": "*Anna*"}, "bo_low": {"is": "boat"}}
    session = game.begin("battle", state=things, seed=2, inputs={"boats": ["anna", "bo_low"]})
    for one in answers:
        request = session.host.requests[0]
        session.host.answer(request.id, one)
    return session


def test_a_story_tells_who_did_what_to_whom_with_the_dice_in_brackets(sea: interpreter.Game) -> None:
    answers = ("pass", "ram", "pass", "shout", "a_b *c*", "pass", "ram", "ram")
    assert "*It is not over.*" in played(sea, *answers[:-1]).host.story()
    session = played(sea, *answers)
    assert session.host.story("The *sea*") == (
        "# The \\*sea\\*\n\n"
        "A battle: \\*Anna\\*, bo low\n\n"
        "## Round 1\n\n"
        "- **bo low**: Ram a boat: \\*Anna\\*. [rolled d6: 1] missed.\n\n"
        "## Round 2\n\n"
        "- **\\*Anna\\***: Shout: a\\_b \\*c\\*.\n"
        "- **bo low**: Ram a boat: \\*Anna\\*. [rolled d6: 6] The planks break (\\*crack\\*). "
        "\\*Anna\\*: hull 0 → 2 of 6.\n"
        "- **bo low**: Ram a boat: \\*Anna\\*. [rolled d6: 3] The planks break (\\*crack\\*). "
        "\\*Anna\\*: hull 2 → 4 of 6.\n\n"
        "## The end: The \\*Anna\\* is lost\n\n"
        "- **\\*Anna\\***: hull 4 of 6\n"
        "- **bo low**: hull 0 of 6\n"
    )


@pytest.mark.parametrize("path", FILES, ids=[one.stem for one in FILES])
def test_a_story_has_the_rounds_and_the_end_of_every_bundled_scene(path: Path) -> None:
    session, chance = begun(path, 1), random.Random(1)
    for _ in range(150):
        if session.over:
            break
        request = session.host.requests[0]
        session.host.answer(request.id, any_answer(request, chance))
    told = session.host.story()
    assert len(re.findall(r"^## Round \d+$", told, re.MULTILINE)) == len(session.rounds)
    assert ("## The end" in told) == session.over and ("*It is not over.*" in told) != session.over
    assert not re.search(r"\n{3}|^- *$|^- \S+ *$|[a-z]_[a-z]", told, re.MULTILINE), told


def test_a_story_is_kept_in_a_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    first = run(
        play.command,
        ["fiend-wake", "duel", "--seed", "1", "--no-save", "--story", "duel.md"],
        input=":story\n:story now.md\n:story now.md\n:quit\n",
    )
    kept = Path("duel.md").read_text()
    assert kept.startswith("# ") and "## Round 1" in kept and kept.partition("\n\n")[2] == Path("now.md").read_text()
    assert kept.partition("\n\n")[2].splitlines()[0] in first.output
    assert "HR683" in first.output  # a file that is there stays as it is
    again = run(play.command, ["fiend-wake", "duel", "--story", "duel.md"], input="\n")
    assert again.exit_code != 0 and Path("duel.md").read_text() == kept


DUEL = (
    SEA.partition("scenes:")[0]
    + """
scenes:
  battle:
    inputs: {boats: {list_of: boat}, unlucky: {type: boat}}
    has: {afloat: {is: boats where it.hull < 6}}
    round: {sinking: {steps: {gone: {gain: 6, to: unlucky.hull}}}}
    outcomes:
      won:
        if: count(scene.afloat) == 1
        tells: ["victory for {scene.afloat}", {say: ", in the first round", if: scene.round == 1}]
"""
)


def test_a_story_ends_with_what_the_outcome_of_a_scene_tells(tmp_path: Path) -> None:
    (tmp_path / "sea.yaml").write_text(DUEL)
    (tmp_path / "duel.yaml").write_text(
        "state: duel\nof: sea.yaml\nscene: battle\nthings: {boat: {ada: {}, bea: {}}}\n"
        "given: {boats: [ada, bea], unlucky: ada}\n"
    )
    written = tmp_path / "story.md"
    played = CliRunner().invoke(
        play.command, [str(tmp_path / "duel.yaml"), "--no-input", "--no-save", "--seed", "1", "--story", str(written)]
    )
    assert "\nAfter 1 round: victory for bea, in the first round\n" in played.output, played.output
    assert "## The end: victory for bea, in the first round\n" in written.read_text("utf-8")

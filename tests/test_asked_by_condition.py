"""`by` with a condition or `otherwise`: one question, put to a role or a thing that is chosen when it comes.

In every way of playing, in odds against plain Python, and with one message for each slip.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from interpreter import Game, RulesetError, check, loads, pipeline
from interpreter.diagnostics.source import Source
from interpreter.editor import links
from interpreter.editor.analysis import analysis_of
from interpreter.editor.completion import completions_at
from interpreter.identity.units import units_of
from interpreter.pipeline import Finder
from interpreter.play.requests import Choice
from interpreter.report.explain import explain_name
from interpreter.rulebook import page
from interpreter.rulebook.book import book

RULES = """\
ruleset: asked
roles: {attacker: Who strikes., defender: Who is struck., game_master: Who rules.}
kinds:
  fighter:
    has:
      hits: {type: number, default: 0}
      tired: {type: yes_no, default: no}
      squire: {type: fighter, optional: yes}
  camp: {one: yes, has: {noise: {type: number, default: 0}}}
policies: {modest: {die: "only(lowest(rolled, 1))"}}
mechanics:
  strike:
    inputs: {weaker: {type: yes_no, default: yes}, ruled: {type: yes_no, default: no}}
    steps:
      rolled: {roll: 2d4}
      die: {choose: one, among: rolled, by: defender if weaker else game_master if ruled else attacker, ask: Which die?}
    outcomes: {high: die >= 3, low: otherwise}
  by_dice:
    steps:
      rolled: {roll: 3d4}
      die: {choose: one, among: rolled, by: attacker if sum(rolled) > 7 else defender}
    outcomes: {high: die >= 3, low: otherwise}
  helped:
    inputs:
      helper: {type: fighter, optional: yes}
      spare: {type: yes_no, by: helper.squire otherwise game_master, default: no}
    steps:
      rolled: {roll: 2d4}
      die: {choose: one, among: rolled, by: helper.squire otherwise helper otherwise attacker, ask: "Which die?"}
    outcomes: {high: die >= 3, low: otherwise}
  swapped:
    steps: {struck: {call: strike, roles: {attacker: defender, defender: attacker}}}
    outcomes: {high: struck.outcome is high, low: otherwise}
actions:
  hit:
    actor: {type: fighter}
    inputs:
      target: {type: fighter, where: it is not actor}
      hard: {type: yes_no, by: game_master if target.hits > 2 else target, ask: Is it hard?}
    steps:
      feint: {choose: yes_no, by: camp if hard else actor, default: no, ask: Is it a feint?}
      ducks: {choose: yes_no, by: attacker if target.tired else target, default: no, ask: Do you duck?}
      struck:
        call: strike
        with: {weaker: ducks}
        roles: {attacker: game_master if feint else actor, defender: target}
      hurt: {set: target.hits, to: target.hits + 1, if: struck.outcome is high}
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return loads(RULES)


def heard(asked: list[tuple[str, str | None]], answers: dict[str, object]) -> Callable[[Choice], object]:
    """A host that notes who is asked, and answers by the key."""

    def ask(choice: Choice) -> object:
        asked.append((choice.path, choice.by))
        return answers.get(choice.path, choice.options[0] if choice.options else False)

    return ask


# Play --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "who"),
    [
        ({"weaker": True}, "defender"),
        ({"weaker": True, "ruled": True}, "defender"),
        ({"weaker": False}, "attacker"),
        ({"weaker": False, "ruled": True}, "game_master"),
    ],
)
def test_the_condition_says_who_is_asked(game: Game, given: dict[str, bool], who: str) -> None:
    asked: list[tuple[str, str | None]] = []
    game.roll("strike", faces=[1, 4], ask=heard(asked, {}), **given)
    assert asked == [("die", who)]
    session = game.begin("strike", players={"ann": [who]}, seed=1, **given)
    assert [one.path for one in session.seat("ann").requests] == ["die"]


@pytest.mark.parametrize(
    ("helper", "squire", "who"), [(None, None, "attacker"), ("bo", None, "bo"), ("bo", "cy", "cy")]
)
def test_a_thing_that_may_be_missing_is_asked_if_it_is_there(
    game: Game, helper: str | None, squire: str | None, who: str
) -> None:
    given = {"helper": helper} if helper else {}
    bo = {"is": "fighter"} | ({"squire": squire} if squire else {})
    state = game.state(bo=bo, cy={"is": "fighter"})
    asked: list[tuple[str, str | None]] = []
    game.roll("helped", state=state, faces=[1, 4], ask=heard(asked, {}), spare=False, **given)
    assert asked == [("die", who)]
    best = {who: "high", **{other: "low" for other in ("bo", "cy", "attacker") if other != who}}
    assert game.odds("helped", state=state, best=best, spare=False, **given).of("outcome")["high"] == Fraction(3, 4)
    session = game.begin("helped", state=state, players={"ann": [who]}, seed=1, spare=False, **given)
    assert [one.path for one in session.seat("ann").requests] == ["die"]


def test_it_is_evaluated_when_the_question_comes(game: Game) -> None:
    for faces, who in (([4, 3, 1], "attacker"), ([1, 1, 2], "defender")):
        asked: list[tuple[str, str | None]] = []
        game.roll("by_dice", faces=faces, ask=heard(asked, {}))
        assert asked == [("die", who)]


def test_one_key_answers_whoever_is_asked(game: Game) -> None:
    for weaker in (True, False):
        played = game.roll("strike", faces=[1, 4], weaker=weaker, choices={"die": 4})
        assert played.outcome == "high"
        assert game.roll("strike", faces=[1, 4], weaker=weaker, policy="modest").outcome == "low"
        assert game.odds("strike", weaker=weaker, policy="modest").of("outcome")["high"] == Fraction(1, 4)
        found = game.simulate("strike", weaker=weaker, policy="modest", runs=2_000, seed=1)
        assert abs(float(found.of("outcome")["high"]) - 0.25) < 0.05


def test_a_role_of_a_call_is_whoever_has_it(game: Game) -> None:
    asked: list[tuple[str, str | None]] = []
    game.roll("swapped", faces=[1, 4], ask=heard(asked, {}))
    assert asked == [("struck.die", "attacker")]


@pytest.mark.parametrize(
    ("hits", "tired", "answers", "expected"),
    [
        (0, False, {"hard": False, "feint": False, "ducks": True}, ["bo", "ann", "bo", "bo"]),
        (3, False, {"hard": True, "feint": True, "ducks": False}, ["game_master", "camp", "bo", "game_master"]),
        (3, True, {"hard": False, "feint": False, "ducks": False}, ["game_master", "ann", "attacker", "ann"]),
    ],
)
def test_roles_and_things_stand_on_both_sides(
    game: Game, hits: int, tired: bool, answers: dict[str, object], expected: list[str]
) -> None:
    asked: list[tuple[str, str | None]] = []
    state = game.state(ann={"is": "fighter"}, bo={"is": "fighter", "hits": hits, "tired": tired})
    game.act(state, "hit", actor="ann", target="bo", faces=[1, 4], ask=heard(asked, answers))
    assert asked == list(zip(("hard", "feint", "ducks", "struck.die"), expected, strict=True))


# Odds --------------------------------------------------------------------------------------------------------------


def test_each_side_decides_what_it_is_asked(game: Game) -> None:
    """The attacker wants a high die, the defender a low one; plain Python over all faces."""
    best = {"attacker": "high", "defender": "low"}
    ways = [*product(range(1, 5), repeat=2)]
    for weaker, pick in ((True, min), (False, max)):
        true = Fraction(sum(pick(way) >= 3 for way in ways), len(ways))
        assert game.odds("strike", weaker=weaker, best=best).of("outcome")["high"] == true
    three = [*product(range(1, 5), repeat=3)]
    high = sum((max if sum(way) > 7 else min)(way) >= 3 for way in three)
    assert game.odds("by_dice", best=best).of("outcome")["high"] == Fraction(high, len(three))


def test_the_best_goes_to_whoever_has_the_role(game: Game) -> None:
    """The attacker has the role of the defender, who is asked: the attacker's goal counts."""
    best = {"attacker": "high", "defender": "low"}
    assert (
        game.odds("swapped", best=best).of("outcome")["high"]
        == game.odds("strike", weaker=False, best=best).of("outcome")["high"]
    )


# Words and slips ---------------------------------------------------------------------------------------------------


def test_explanations_say_who_is_asked_when(game: Game) -> None:
    told = "\n".join(explain_name(game.program, None, "mechanics.strike"))
    assert "the defender if weaker, otherwise the game master if ruled, otherwise the attacker chooses one" in told
    told = "\n".join(explain_name(game.program, None, "mechanics.helped"))
    assert "the helper.squire if there is one, otherwise the helper if there is one, otherwise the attacker" in told


def test_a_rulebook_says_it_without_formulas() -> None:
    made = pipeline.from_text(Source.of("<text>", RULES), Finder())
    text = page.markdown(book(made, {}))
    assert "The defender if weaker, otherwise the game master if ruled, otherwise the attacker decides" in text
    assert "if there is one, otherwise the helper if there is one, otherwise the attacker decides" in text


def test_an_editor_offers_and_renames_roles(tmp_path: Path) -> None:
    path = (tmp_path / "asked.yaml").resolve()
    path.write_text(RULES, "utf-8")
    analysis = analysis_of(path, {})
    offered = {one.label for one in completions_at(analysis, analysis.sources[path], RULES.index("defender if weaker"))}
    assert {"attacker", "defender", "game_master", "weaker"} <= offered
    for old, uses in (("attacker", 8), ("defender", 6), ("game_master", 5), ("camp", 2)):
        declared = next(span for span in analysis.definitions if span.text == old)
        edits = links.rename_edits([analysis], declared, f"{old}_x")
        assert len(edits) == uses, old
        assert links.error_after([analysis], {}, edits, ()) is None


def test_a_changed_condition_is_a_change_of_the_rule(game: Game) -> None:
    other = loads(RULES.replace("defender if weaker else game_master", "attacker if weaker else game_master"))
    best = {"attacker": "high", "defender": "low"}
    assert game.odds("strike", best=best).of("outcome")["high"] != other.odds("strike", best=best).of("outcome")["high"]
    ours, theirs = (units_of(one.program)["mechanics.strike"].hash for one in (game, other))
    assert ours != theirs


SLIPS = {
    "quotes": ("\"'defender'\"", "HR202", "a role is a word, without quotes", "write `defender`"),
    "no else": (
        "defender if weaker", "HR207", "who is asked otherwise?", "add `else`: `defender if weaker else attacker`"),
    "two": (
        "[attacker, defender]", "HR303", "one role or thing is asked, and `attacker` and `defender` are two",
        "ask each in a step of its own, or one of them: `by: attacker if … else defender`"),
    "a misspelt role": (
        "defendr if weaker else attacker", "HR303", "there is no role `defendr`", "did you mean `defender`?"),
    "a misspelt role at the end": (
        "defender if weaker else atacker", "HR303", "there is no role `atacker`", "did you mean `attacker`?"),
    "an unknown thing before `otherwise`": (
        "nobody_there otherwise attacker", "HR303", "there is no role `nobody_there`", None),
    "a misspelt role after `otherwise`": (
        "defender otherwise atacker", "HR303", "there is no role `atacker`", "did you mean `attacker`?"),
    "nobody": ("defender if weaker else none", "HR303", "nobody can be asked here",
        "name a role or a thing; `if` leaves a question out"),
    "dice that are never missing": ("rolled otherwise attacker", "HR303", "there is no role `rolled`", None),
    "a number": ("defender if weaker else 3", "HR303", "there is no role `3`", None),
    "no condition": ("defender if 3 else attacker", "HR401", "this should be yes or no, not a number", None),
    "an unknown condition": ("defender if weeker else attacker", "HR301", "`weeker` is not defined here", None),
    "dice": ("defender if weaker else rolled", "HR303", "there is no role `rolled`", None),
}  # fmt: skip


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_has_one_message(slip: str) -> None:
    by, code, message, help_text = SLIPS[slip]
    text = RULES.replace("defender if weaker else game_master if ruled else attacker", by)
    with pytest.raises(RulesetError) as error:
        loads(text)
    assert [(one.code, one.message) for one in error.value.diagnostics] == [(code, message)]
    assert help_text is None or error.value.diagnostics[0].help == help_text


def test_every_role_of_the_condition_must_be_somebody_where_things_act() -> None:
    """`strike` is called by an action that gives both roles, and `by_dice` by one that gives neither."""
    text = RULES.replace("      hurt: {set", "      more: {call: by_dice}\n      hurt: {set")
    text = text.replace("if: struck.outcome is high", "if: struck.outcome is high and more.outcome is high")
    told = [one.message for one in check("asked", text=text) if one.code == "HR914"]
    assert told == ["nobody may have the role `defender` when `die` is asked"]

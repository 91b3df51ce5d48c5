"""A trace told short: what it leaves out, and what it never leaves out."""

from __future__ import annotations

import games
import pytest
from marks import LARGE, thorough

from interpreter import Game, bundled, load, loads
from interpreter.api.result import Result
from interpreter.cli.traces import as_page
from interpreter.report.short import shorten_trace
from interpreter.testing import cases as testing

RULES = """\
ruleset: quarrel
roles: {player: Whoever quarrels.}
mechanics:
  throw:
    inputs: {own: dice}
    steps:
      thrown: {roll: own}
      low:    any(thrown where face == 1)
      best:   highest(thrown) otherwise 0
      worst:  lowest(thrown) otherwise 0
  side:
    inputs: {own: dice}
    steps:
      tried: {call: throw, with: {own: own}}
      dare:  {choose: yes_no, by: player, default: no}
      score: tried.best + (1 if dare else 0)
    outcomes: {high: score > 4, plain: otherwise}
  quarrel:
    inputs: {own: dice, against: dice}
    steps:
      mine:   {call: side, with: {own: own}}
      theirs: {call: throw, with: {own: against}}
      lead:   mine.score - theirs.best
      both:   mine.score == 1 and theirs.best == 1
      luck:
        start: {roll: 2d4}
        then:
          kept: luck where face > 1
    outcomes: {won: lead > 0, lost: otherwise}
    also: {close: lead == 1}
"""


def plain(text: str, *_: str) -> str:
    return text


def page(result: Result, verbose: bool = False) -> list[str]:
    return as_page(result, plain, verbose).splitlines()


@pytest.fixture(scope="module")
def quarrel() -> Game:
    return loads(RULES)


def test_a_call_is_one_line_with_its_dice_what_is_read_of_it_and_its_outcome(quarrel: Game) -> None:
    result = quarrel.roll("quarrel", inputs={"own": "2d6", "against": "1d6"}, faces=[3, 3, 3, 1, 4])
    assert page(result) == [
        "mine: Side: own 2d6 → d6: 3, d6: 3; score 3; plain",
        "  dare: player chooses no",
        "theirs: Throw: own d6 → d6: 3; best 3",
        "lead: 0",
        "luck: starts as d4: 1, d4: 4",
        "luck: d4: 4",
        "",
        "quarrel: lost",
    ]


def test_verbose_shows_every_line(quarrel: Game) -> None:
    result = quarrel.roll("quarrel", inputs={"own": "2d6", "against": "1d6"}, faces=[3, 3, 3, 1, 4])
    assert [line.strip() for line in page(result, verbose=True)[:-2]] == [str(line).strip() for line in result.trace]


GAMES = sorted(bundled.rulesets())


@pytest.mark.parametrize("name", thorough(GAMES, lambda name: name in LARGE))
def test_every_roll_and_decision_of_the_bundled_cases_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    results: list[Result] = []

    def noted(*given: object) -> Result:
        results.append(real(*given))  # type: ignore[arg-type]
        return results[-1]

    real = testing._play_case
    monkeypatch.setattr(testing, "_play_case", noted)
    loaded = games.loaded(name)
    assert loaded.program is not None and loaded.world is not None
    game = Game(loaded.program, loaded.world)
    trial = testing.Trial(game, odds=False)
    for case in testing.cases_of(game.world.cases):
        if not case.states_odds:
            trial.run(case)
    assert results
    for result in results:
        lines = [line for line in result.trace if not line.quiet]
        told = "\n".join(line.text for line in shorten_trace(lines, result.rule, result.trace.program))
        for line in lines:
            if line.kind in ("roll", "choice", "reroll", "make") or (line.depth == 0 and line.kind == "cause"):
                assert line.text in told, (result.mechanic, line)


CONTESTS = [
    ("jadeclaw", "contest", {"own": "d10 & d8", "against": "2d6"}),
    ("jadeclaw", "attack", dict.fromkeys(("to_hit", "defense", "damage", "soak", "resolve"), "d8")),
    ("d6", "opposed", {"initiator": "4D", "resister": "3D+1"}),
    ("fiend-wake", "roll", {"stat": 5, "skill": 3, "difficulty": 7}),
    ("savage-worlds", "trait_test", {"trait": "d8"}),
]


@pytest.mark.parametrize(("game", "mechanic", "inputs"), CONTESTS)
def test_a_contest_is_told_in_twelve_lines(game: str, mechanic: str, inputs: dict[str, object]) -> None:
    playing = load(game)
    for seed in range(20):
        result = playing.roll(mechanic, inputs=inputs, seed=seed)
        assert len(page(result)) <= 12, "\n".join(page(result))

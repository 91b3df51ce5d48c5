"""Names that mean one thing inside of steps and another outside, stages that are skipped, and rolls passed to calls."""

from __future__ import annotations

from textwrap import indent

import pytest
from enumeration import by_enumeration, hold_to_every_history

import interpreter
from interpreter.api.game import Game
from interpreter.diagnostics import PlayError

INNER = {
    "passes": "repeat: 1",
    "a loop": "for: n, among: [1]",
    "a reading in passes": "repeat: 2",
}
STEPS = {
    **{
        f"comparisons in {name}": f"t: {{{loop}, each: {{a: {{roll: 2d2}}, b: {{roll: 2d2}}, w: 'outranks(a, b)'}}}}\n"
        "a: {roll: 2d2}\nb: {roll: 2d2}\nx: outranks(a, b)\nvalue: '(1 if x else 0) + count(t.w where it) * 2'"
        for name, loop in INNER.items()
    },
    "a comparison with an unfinished value": "b: {roll: 2d3}\n"
    "a: {start: {roll: 2d2}, then: {x: {roll: 2d3, if: 'outranks(b, a)'}}}\nvalue: 1 if outranks(b, a) else 0",
    "a choice as a stage": "r: {roll: d3}\n"
    "s: {start: r > 1, then: {a: {choose: yes_no, default: no, by: player, if: r == 2}}}\nvalue: 1 if s else 0",
    "a number as a stage": "r: {roll: d3}\n"
    "s: {start: r + 1, then: {a: {choose: number, from: 0, to: 9, default: 0, by: player, if: r == 2}}}\nvalue: s + 0",
    "an input with a requirement": "r: {roll: 2d3}\nc: {call: required, with: {rolled: r}}\nvalue: c.s",
    "an input that a default reads": "r: {roll: 2d3}\nc: {call: defaulted, with: {rolled: r}}\nvalue: c.s",
    "an input that another is held to": "r: {roll: 2d3}\nc: {call: limited, with: {rolled: r, m: 1}}\nvalue: c.s",
}
CALLED = """
  required:
    inputs: {rolled: {type: roll, least: 1}}
    requires: {enough: sum(rolled) >= 2}
    steps: {s: highest(rolled)}
  defaulted:
    inputs: {rolled: {type: roll}, m: {type: number, default: sum(rolled)}}
    steps: {s: m + count(rolled where face == 2)}
  limited:
    inputs: {rolled: {type: roll}, m: {type: number, where: it <= sum(rolled)}}
    steps: {s: m + count(rolled where face == 2)}
  shorter: {inputs: {rolled: {type: roll, most: 1}}, steps: {s: sum(rolled)}}
"""


def game(steps: str) -> Game:
    return interpreter.loads(
        f"ruleset: within\nroles: {{player: Who plays.}}\nmechanics:{CALLED}  one:\n    steps:\n"
        + indent(steps, " " * 6)
    )


@pytest.mark.parametrize("steps", STEPS)
def test_odds_and_simulations_are_those_of_every_history(steps: str) -> None:
    played = game(STEPS[steps])
    names = ("x", "value") if "x: outranks" in STEPS[steps] else ("value",)
    hold_to_every_history(played, "one", *names)


def test_the_length_of_a_roll_that_is_passed_on_is_checked() -> None:
    played = game("r: {roll: 2d3}\nc: {call: shorter, with: {rolled: r}}\nvalue: c.s")
    with pytest.raises(PlayError, match=r"HR60\d"):
        played.odds("one").law("value")
    with pytest.raises(PlayError, match=r"HR60\d"):
        played.simulate("one", runs=50, seed=1, of=("value",))


OUTCOME = """
ruleset: outcome
kinds: {hero: {one: yes, has: {x: {type: number, default: 1}}}}
mechanics:
  one:
    steps: {r: {roll: 2d3}, sel: r where face > hero.x}
    outcomes:
      hit: {if: sum(r) > 3, steps: {g: {set: hero.x, to: 2}, k: count(sel)}}
      miss: otherwise
"""


def test_a_selection_by_the_state_is_kept_over_changes_in_the_steps_of_an_outcome() -> None:
    played = interpreter.loads(OUTCOME)
    true = by_enumeration(played, "one", played.state(), ("outcome", "k"), {})
    assert played.odds("one").law("outcome", "k").weights == true


@pytest.mark.parametrize("pool", ["times(d6, d - 2)", "(d - 2)d6"])
def test_what_fails_in_play_fails_in_odds_also_where_only_some_runs_read_it(pool: str) -> None:
    played = interpreter.loads(
        "ruleset: fails\nmechanics:\n  one:\n    steps:\n      d: {roll: d3}\n"
        f"      e: 'count({pool})'\n      x: e if d == 2 else 0\n"
    )
    with pytest.raises(PlayError):
        played.odds("one").law("x")

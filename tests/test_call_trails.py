"""An error deep in calls shows each call that led to it, and a message about odds or a scene names the way out."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import interpreter
from interpreter import PlayError
from interpreter.cli import group
from interpreter.odds.answer import Advice
from interpreter.odds.strategy import sentences

DEEP = """
ruleset: deep
functions:
  share: {takes: {a: number}, gives: down(10 / a)}
  twice: {takes: {a: number}, gives: 2 * share(a)}
  f1: {takes: {a: number}, gives: share(a) + 1}
  f2: {takes: {a: number}, gives: f1(a) + 1}
  f3: {takes: {a: number}, gives: f2(a) + 1}
  f4: {takes: {a: number}, gives: f3(a) + 1}
  f5: {takes: {a: number}, gives: f4(a) + 1}
  f6: {takes: {a: number}, gives: f5(a) + 1}
mechanics:
  inner:
    inputs: {n: {type: number, from: 0, to: 30}}
    steps: {q: FORMULA}
  middle:
    inputs: {n: {type: number, from: 0, to: 30}}
    steps: {deeper: {call: inner, with: {n: n}}}
  outer:
    inputs: {n: {type: number, from: 0, to: 30}}
    steps: {c: {call: middle, with: {n: n}}}
"""


@pytest.mark.parametrize(
    ("formula", "n", "calls"),
    [
        ("share(n)", 0, ["share", "inner", "middle"]),
        ("twice(n)", 0, ["share", "twice", "inner", "middle"]),
        ("down(10 / n)", 0, ["inner", "middle"]),
        ("f2(n)", 0, ["share", "f1", "f2", "inner", "middle"]),
        ("f6(n)", 0, ["share", "f1", "f2", "f3", "f4", "f5", "f6", "inner"]),  # a long trail is cut
    ],
)
def test_an_error_shows_the_calls_that_led_to_it(formula: str, n: int, calls: list[str]) -> None:
    game = interpreter.loads(DEEP.replace("FORMULA", formula))
    with pytest.raises(PlayError, match="HR632") as problem:
        game.roll("outer", n=n)
    notes = problem.value.diagnostic.notes
    assert [text for _, text in notes] == [f"in `{name}`, which is called here" for name in calls]
    assert all(span.text for span, _ in notes)


def test_an_error_that_no_call_leads_to_has_no_trail() -> None:
    game = interpreter.loads(DEEP.replace("FORMULA", "down(10 / n)"))
    with pytest.raises(PlayError, match="HR632") as problem:
        game.roll("inner", n=0)
    assert problem.value.diagnostic.notes == ()


IDLE = """
ruleset: idle
kinds: {one: {has: {hp: {type: points, to: 3, starts: 3}}}}
POLICY
actions: {hit: {actor: {type: one}, steps: {l: {lose: 1, from: actor.hp}}}}
scenes:
  s:
    inputs: {who: {type: one}}
    round: {go: {steps: {o: {offer: [hit], to: who}}}}
    guard: 9
    outcomes: {done: who.hp == 0}
"""


@pytest.mark.parametrize("ask", ["odds", "simulate"])
@pytest.mark.parametrize(("policies", "help_"), [("", "`--policy random`"),
                                                 ("policies: {bold: {s.o: hit}}", "`--policy bold`")])  # fmt: skip
def test_a_scene_in_which_nobody_acts_asks_for_a_policy(policies: str, help_: str, ask: str) -> None:
    game = interpreter.loads(IDLE.replace("POLICY", policies))
    state = game.state(ann={"is": "one"})
    with pytest.raises(PlayError, match=r"HR818.*nobody acts") as problem:
        if ask == "odds":
            game.odds("s", state=state, who="ann").law("outcome")
        else:
            game.simulate("s", state=state, who="ann", runs=5)
    assert help_ in str(problem.value.diagnostic.help) and "guard`" not in str(problem.value.diagnostic.help)


def test_a_case_that_is_left_open_is_named_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "large.yaml").write_text("""ruleset: large
mechanics:
  m: {steps: {rolled: {roll: 30d20}, sorted_: "ordered(rolled.face)", odd_: "item(sorted_, 3) * item(sorted_, 17)"}}
cases:
  - {name: too large, mechanic: m, odds: {odd_: {400: 1/2}}}
""")
    said = CliRunner().invoke(group, ["test", str(tmp_path / "large.yaml")]).output
    assert "HR904 too large: its odds take too much work to check: these odds need about 10^" in said
    assert "`houserule odds` may answer in part" in said and "1 left open" in said


def test_a_strategy_is_told_without_an_exception_that_is_not_there() -> None:
    """A name with many short values decides it, so there is none."""
    advice = [Advice("m.wants", {"two": f"{n}, {n + 1}"}, n % 2 == 0, interpreter.Law({}).missing) for n in range(90)]
    assert all(not said.endswith("but ") for said in sentences(advice))

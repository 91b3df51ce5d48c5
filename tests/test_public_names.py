"""The public interface: its names and signatures, its second name, pickles, and what notebooks show."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import tomllib
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import games
import public_names
import pytest

import interpreter
from interpreter import Game, PlayError, pickled

PACKAGE = Path(interpreter.__file__).parent


def test_public_names_and_signatures_change_on_purpose() -> None:
    """After a change on purpose, `python -m tests.record names` writes the file."""
    assert public_names.text() == public_names.NAMES.read_text("utf-8")


def in_python(code: str, *folders: Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, (*folders, *sys.path)))
    env = {**os.environ, "PYTHONPATH": path}
    return subprocess.run([sys.executable, "-c", code], cwd=folders[0], env=env, capture_output=True, text=True)


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder in which `houserule` is the package that the distribution has."""
    (tmp_path / "houserule").symlink_to(PACKAGE / "alias")
    return tmp_path


def test_houserule_is_interpreter_under_another_name(installed: Path) -> None:
    done = in_python(
        "import houserule, interpreter\n"
        "assert houserule.__all__ == interpreter.__all__ and houserule.__version__ == interpreter.__version__\n"
        "assert all(getattr(houserule, name) is getattr(interpreter, name) for name in interpreter.__all__)\n"
        "assert {*houserule.__all__} <= {*dir(houserule)} and not hasattr(houserule, '_MODULES')\n"
        "from houserule import *\n"
        "assert loads is interpreter.loads\n",
        installed,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (PACKAGE / "alias" / "py.typed").is_file()
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"]["interpreter/alias"] == "houserule"
    told = in_python("import runpy, sys; sys.argv[1:] = ['--version']; runpy.run_module('houserule')", installed)
    assert interpreter.__version__ in told.stdout


def test_another_package_called_interpreter_is_told(installed: Path) -> None:
    (installed / "interpreter.py").write_text("loads = None\n")
    done = in_python("import houserule", installed)
    assert done.returncode and "is not the one that comes with houserule" in done.stderr
    assert str(installed / "interpreter.py") in done.stderr


# Pickles ---------------------------------------------------------------------------------------------------------


def carried(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def test_a_result_survives_a_pickle() -> None:
    game = games.game("jadeclaw")
    result = game.roll("contest", own="d10 & d4", against="2d6", seed=7)
    again = carried(result)
    assert again.to_json() == result.to_json() and again.seed == 7
    assert str(again.trace) == str(result.trace) and again.values == result.values
    assert carried(again).to_json() == result.to_json()


FEW = """\
ruleset: few
mechanics:
  toss:
    inputs: {bonus: {type: number, default: 0}}
    steps: {die: {roll: d6}, more: {choose: yes_no, by: player, default: no}, total: die + bonus}
    outcomes: {good: total > 3 or more, bad: otherwise}
roles: {player: Who tosses.}
kinds: {coin: {has: {worth: {type: number, default: 2}}}}
actions:
  spend:
    actor: coin
    steps: {die: {roll: d6}, lost: {set: actor.worth, to: die}}
    outcomes: {gone: die == 1, left: otherwise}
"""


@pytest.fixture(scope="module")
def few() -> Game:
    return interpreter.loads(FEW)


def good(choice: interpreter.Choice) -> bool:
    return True


def test_results_with_states_choices_and_policies_survive(few: Game) -> None:
    state = few.state(penny={"is": "coin"})
    spent = few.act(state, "spend", actor="penny", seed=3)
    again = carried(spent)
    assert again.state == spent.state and again.before == spent.before and again.to_json() == spent.to_json()
    tossed = few.roll("toss", seed=1, policy=good)
    assert carried(tossed).choices == tossed.choices == (("more", True),)


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: game.odds("toss", bonus=1),
        lambda game: game.odds("toss", best="good"),
        lambda game: game.odds("toss", policy=good),
        lambda game: game.odds("toss", bonus=1).when({"outcome": "good"}),
        lambda game: game.simulate("toss", runs=500, seed=2),
        lambda game: game.simulate("toss", runs=500, seed=2).when({"outcome": "good"}),
    ],
)
def test_odds_survive_with_what_was_not_asked_yet(few: Game, ask: Callable[[Game], interpreter.Odds]) -> None:
    odds = ask(few)
    early = carried(odds)
    assert early.of("outcome") == odds.of("outcome")
    late = carried(odds)
    assert late.outcomes == odds.outcomes and type(late) is type(odds)
    assert late.of("total") == odds.of("total") and late.mean("total") == odds.mean("total")
    assert late.strategy == odds.strategy
    assert carried(late).outcomes == odds.outcomes


def test_comparisons_and_sweeps_survive(few: Game) -> None:
    both = interpreter.compare(few.odds("toss"), few.odds("toss", bonus=1), renamed={"bad": "worse"})
    assert carried(both).outcomes == both.outcomes and carried(both).mean("total") == both.mean("total")
    swept = few.sweep("toss", over={"bonus": [0, 1, 2]})
    assert carried(swept).chances("good") == swept.chances("good")


def test_a_pickle_of_another_version_is_refused(few: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    made = [few, few.odds("toss"), few.roll("toss", seed=1), few.simulate("toss", runs=10, seed=1)]
    before = [pickle.dumps(one) for one in made]
    monkeypatch.setattr(pickled, "VERSION", "9.9")
    named: set[str] = set()

    class NotingUnpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> object:
            named.add(module)
            return super().find_class(module, name)

    for one in before:
        with pytest.raises(PlayError) as refused:
            NotingUnpickler(io.BytesIO(one)).load()
        assert refused.value.diagnostic.code == "HR645" and "to_json" in (refused.value.diagnostic.help or "")
    assert named == {"interpreter.pickled"}  # anything else may be called otherwise by then


# Notebooks -------------------------------------------------------------------------------------------------------

AWKWARD = """\
ruleset: awkward
title: "<b>Bold & Co</b>"
about: "<script>alert(1)</script>"
options: {rate: {type: number, default: 2, about: "<i>x</i>"}}
kinds: {thing: {about: "<u>a</u>", has: {size: {type: number, default: 1, about: "<s>b</s>"}}}}
mechanics:
  test:
    title: "<em>Test</em>"
    about: "A | B <x>"
    inputs: {note: {type: text, default: "'<img src=x>'", about: "<p>"}, bonus: {type: number, default: 0}}
    steps: {die: {roll: d6}, said: note}
    outcomes: {high: die + bonus > 3, low: otherwise}
"""


class Tags(HTMLParser):
    """The tags of a text of HTML, which are all closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.open: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_what_notebooks_show_is_escaped() -> None:
    game = interpreter.loads(AWKWARD)
    shown: list[Any] = [game, game.mechanics["test"], game.kinds["thing"], game.roll("test", seed=1)]
    for one in shown:
        html = one._repr_html_()
        assert Tags(html).seen <= {"p", "b", "code", "table", "tr", "th", "td", "pre"}, html
    assert "&lt;em&gt;Test" in game.mechanics["test"]._repr_html_()
    assert "&lt;img" in game.roll("test", seed=1, note="<img>")._repr_html_()


def test_comparisons_and_sweeps_have_a_display() -> None:
    game = interpreter.loads(AWKWARD)
    both = interpreter.compare(game.odds("test", note="<&>"), game.odds("test", bonus=1))
    swept = game.sweep("test", over={"bonus": [0, 1]}, note="<&>")
    for one in (both, swept):
        assert ElementTree.fromstring(one._repr_html_()).tag.endswith("svg")
        assert "high" in one._repr_markdown_() and "50" in one._repr_markdown_()
    broken = interpreter.compare(game.odds("test"), game.odds("test"), renamed={})
    assert broken._repr_html_()

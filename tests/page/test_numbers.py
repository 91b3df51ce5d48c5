"""Every bundled game and house rule opens in the page, and has the odds there that the library gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import interpreter
from interpreter import bundled
from page import Visitor

pytestmark = pytest.mark.thorough

ENGINE = """async () => {
  const engine = new Worker('worker.js', {type: 'module'});
  const reply = message => new Promise(done => {
    engine.onmessage = event => done(event.data);
    engine.postMessage(message);
  });
  await reply({snapshot: true});
  window.asked = async call => (await reply({id: 1, call})).reply;
}"""


@pytest.fixture(scope="module")
def ask(browser: Any, address: str) -> Iterator[Callable[..., dict[str, Any]]]:
    """Puts a call to an engine of the page, as the page does."""
    context = browser.new_context()
    me = Visitor(context.new_page(), address)
    me.tab.goto(address + "first.json")  # a page without an engine of its own
    me.tab.evaluate(ENGINE)
    yield lambda **call: me.tab.evaluate("call => window.asked(call)", call)
    context.close()


@pytest.mark.parametrize("name", [*bundled.rulesets(), *bundled.house_rules()])
def test_each_game_has_the_same_odds_in_the_page(ask: Callable[..., dict[str, Any]], name: str) -> None:
    opened = ask(do="files", name=name)
    checked = ask(do="check", files=opened["files"], main=opened["main"])
    assert checked["sound"], checked["problems"]
    assert checked["game"]["mechanics"]
    game = interpreter.load(name)
    answered = 0
    for form in checked["game"]["mechanics"][:3]:
        inputs = {one["name"]: one["value"] for one in form["inputs"]}
        reply = ask(do="odds", mechanic=form["name"], inputs=inputs, of=None, tail="exactly", seconds=60)
        here = _own_odds(game, form["name"], inputs)
        assert reply["ok"] == (here is not None), reply
        if here is not None:
            answered += 1
            shares = {row["chance"]["share"] for row in reply["tables"][0]["rows"]}
            assert shares - {0} == here - {0}  # a row of what only the base has stands at 0
    assert answered or not any(form["results"] for form in checked["game"]["mechanics"][:3])


def _own_odds(game: interpreter.Game, mechanic: str, inputs: dict[str, str]) -> set[float] | None:
    """The chances of the first result; None where they are refused."""
    try:
        odds = game.odds(mechanic, inputs={name: text for name, text in inputs.items() if text}, seconds=60)
        return {float(chance) for chance in odds.of(odds.results[0]).values()}
    except interpreter.PlayError:
        return None

"""How fast the page is here: `PYTHONPATH=tests:. python -m page.times`. It says how loaded the machine is, too."""

from __future__ import annotations

import gzip
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

from page import CHROMIUM, DESK, DIST, FLAGS, Visitor, served

ATTACK = "ruleset: ours\nextends: dnd5e\nchanges:\n  options.critical_from.default:\n    set: {}\n    because: More.\n"
SMALL = """ruleset: two
mechanics:
  test:
    inputs: {{number: {{type: number, default: {}}}}}
    steps: {{dice: {{roll: 2d6}}, total: sum(dice)}}
    outcomes: {{hit: total >= number, miss: otherwise}}
"""
LONG = """ruleset: long
mechanics:
  test:
    inputs: {number: {type: number, default: 1}}
    steps: {dice: {roll: (number)d100}, total: sum(dice)}
    outcomes: {high: total > 50 * number, low: otherwise}
"""
EDITS = 7

SHOWN = """text => new Promise(done => {
  const odds = document.documentElement.dataset.odds;
  const begun = performance.now();
  const watcher = new MutationObserver(() => {
    if (document.documentElement.dataset.odds === odds) return;
    watcher.disconnect();
    requestAnimationFrame(() => done(performance.now() - begun));
  });
  watcher.observe(document.documentElement, {attributes: true});
  document.execCommand('insertText', false, text);
})"""
"""From a key to the picture, measured in the page: the driver of the browser takes time of its own."""


def seconds(do: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    do()
    return time.perf_counter() - begun


def edits(me: Visitor, text: str, values: range) -> str:
    """The times from a change of one number in a text to its odds, in milliseconds."""
    taken = []
    for value in values:
        me.tab.click(".cm-content")
        me.tab.keyboard.press("Control+a")
        taken.append(me.tab.evaluate(SHOWN, text.format(value)))
    return f"{min(taken):.0f} to {max(taken):.0f} ms, the median {statistics.median(taken):.0f} ms"


def measure() -> None:
    from playwright.sync_api import sync_playwright

    print(f"load: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    files = [one for one in DIST.rglob("*") if one.is_file() and one.name not in ("stdlib.zip", "core.pack")]
    sizes = [
        one.stat().st_size if one.suffix in (".pack", ".zip") else len(gzip.compress(one.read_bytes())) for one in files
    ]
    print(f"download: {sum(sizes) / 1e6:.1f} MB")
    with sync_playwright() as started, served() as address:
        browser = started.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        context = browser.new_context(viewport=DESK)
        me = Visitor(context.new_page(), address)
        print(f"first odds: {seconds(lambda: ahead(me)):.2f} s")
        me.tab.wait_for_selector("html[data-odds]", state="attached")
        for what in ("cold", "warm", "warm"):
            other = browser.new_context(viewport=DESK) if what == "cold" else context
            visitor = Visitor(other.new_page(), address)
            print(f"live odds, {what}: {seconds(visitor.opens):.2f} s")
            visitor.tab.close()
        me.opens()
        me.sees_new_odds(lambda: me.writes(ATTACK.format(20)))
        print(f"a key in a house rule over D&D: {edits(me, ATTACK, range(12, 12 + EDITS))}")
        me.sees_new_odds(lambda: me.writes(SMALL.format(2)))
        print(f"a key in a small game: {edits(me, SMALL, range(3, 3 + EDITS))}")
        me.waits("navigator.serviceWorker.controller !== null")
        context.set_offline(True)
        print(f"reload without a network: {seconds(lambda: reload(me)):.2f} s")
        me.sees_new_odds(lambda: me.writes(LONG))
        me.tab.fill("input[aria-label='number']", "1000")
        me.tab.locator("#stop").wait_for()
        print(f"another engine in the place of a stuck one: {seconds(lambda: another_engine(me)):.2f} s")
        browser.close()


def ahead(me: Visitor) -> None:
    me.tab.goto(me.address)
    me.tab.wait_for_selector("html[data-ahead]", state="attached")


def another_engine(me: Visitor) -> None:
    me.tab.click("#stop")
    me.waits("document.documentElement.dataset.engine === 'ready'")


def reload(me: Visitor) -> None:
    me.tab.reload()
    me.tab.wait_for_selector("html[data-odds]", state="attached")


if __name__ == "__main__":
    measure()

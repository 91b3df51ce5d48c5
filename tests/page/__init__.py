"""The page in a real browser: Chromium of the system, driven by Playwright, without a screen.

The page is `integrations/page/dist`, which `houserule page --build` makes.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from interpreter.cli import page

DIST = page.SOURCES / "dist"
AXE = page.SOURCES / "node_modules" / "axe-core" / "axe.min.js"
CHROMIUM = Path("/usr/bin/chromium")

FLAGS = [
    "--no-sandbox",  # tests may run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

DESK = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
NARROW = {"width": 360, "height": 740}

SECONDS = 60
"""How long a test waits for anything, on a machine that does much else."""


def missing() -> str:
    """What tests of the page lack, or nothing."""
    if not CHROMIUM.exists():
        return "Chromium is not installed"
    if not (DIST / "index.html").exists():
        return "the page is not built: houserule page --build"
    return "" if AXE.exists() else "axe-core is not installed: npm ci in integrations/page"


@contextmanager
def served() -> Iterator[str]:
    """The address of the built page, as `houserule page` serves it."""
    with page.page_server(DIST, 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://{page.HOST}:{server.server_port}/"
        server.shutdown()


class Visitor:
    """Somebody who uses the page in a tab of their own; what the browser complains about is kept in `complaints`."""

    def __init__(self, tab: Any, address: str) -> None:
        self.tab, self.address = tab, address
        self.complaints: list[str] = []
        tab.set_default_timeout(1000 * SECONDS)
        tab.on("pageerror", lambda error: self.complaints.append(str(error)))
        tab.on("console", lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None)

    def opens(self, link: str = "") -> Visitor:
        """Open the page and wait until it shows odds that Python has computed."""
        self.tab.goto(self.address + link)
        self.tab.wait_for_selector("html[data-odds]", state="attached")
        return self

    @property
    def answers(self) -> int:
        """How many times odds have been computed."""
        return int(self.tab.evaluate("document.documentElement.dataset.odds ?? 0"))

    def sees_new_odds(self, do: Any) -> float:
        """Do something, and wait until new odds are shown; the seconds that it took."""
        before, begun = self.answers, time.perf_counter()
        do()
        self.waits(f"Number(document.documentElement.dataset.odds) > {before}")
        return time.perf_counter() - begun

    def waits(self, condition: str) -> None:
        """Wait for a condition of JavaScript. The page's policy forbids Playwright's own wait, which evaluates text."""
        end = time.monotonic() + SECONDS
        while not self.tab.evaluate(condition):
            assert time.monotonic() < end, condition
            time.sleep(0.01)

    def writes(self, text: str) -> None:
        """Replace the text in the editor, as one paste does: typed text would be completed and indented."""
        self.tab.click(".cm-content")
        self.tab.keyboard.press("Control+a")
        self.tab.keyboard.insert_text(text)

    def chances(self) -> dict[str, str]:
        """The outcomes that are shown, each with its chance."""
        rows = self.tab.evaluate(
            "[...document.querySelectorAll('#odds .bars tbody tr')].map(row => [row.querySelector('th').textContent,"
            " row.querySelector('.figure b').textContent])"
        )
        return dict(rows)

    def violations(self) -> list[str]:
        """What axe-core finds that is serious."""
        self.tab.evaluate(AXE.read_text("utf-8"))
        # The list of completions is moved through from the editor, which keeps the focus.
        context = "{exclude: ['.cm-tooltip-autocomplete']}"
        found = self.tab.evaluate(f"axe.run({context}, {{resultTypes: ['violations']}})")["violations"]
        return [
            f"{one['id']}: {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
            for one in found
            if one["impact"] in ("serious", "critical")
            for node in one["nodes"][:3]
        ]

    def width_that_overflows(self) -> int:
        """How many pixels of the page lie beyond its side."""
        return int(self.tab.evaluate("document.documentElement.scrollWidth - innerWidth"))

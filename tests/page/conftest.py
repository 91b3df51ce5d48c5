"""One browser for all tests of the page, and a tab without any memory for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from page import CHROMIUM, DESK, FLAGS, Visitor, missing, served


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if lack := missing():
        pytest.skip(lack)
    with playwright.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def address(browser: Any) -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture
def visitor(browser: Any, address: str) -> Iterator[Callable[..., Visitor]]:
    """Makes visitors, each with the size of their screen and whether it is dark."""
    contexts = []

    def visit(size: dict[str, int] = DESK, dark: bool = False, **more: Any) -> Visitor:
        context = browser.new_context(viewport=size, color_scheme="dark" if dark else "light", **more)
        contexts.append(context)
        return Visitor(context.new_page(), address)

    yield visit
    for context in contexts:
        context.close()

"""Holds families of rulesets: every way of working their mechanic `main` out gives what enumeration gives."""

from __future__ import annotations

from generated.hold import CHECKS, held

EXACT = {name: CHECKS[name] for name in ("exact odds", "silent play")}
DRAWN = EXACT | {name: CHECKS[name] for name in ("columns",) if name in CHECKS}


def assert_agreement(text: str, drawn: bool = True) -> None:
    """Exact odds and silent play agree with enumeration, and, if wanted, simulation does as well."""
    verdict = held(text, checks=DRAWN if drawn else EXACT)
    assert verdict.kind == "agreed" and verdict.held["held: exact odds"] == 1, (verdict, text)

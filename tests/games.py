"""Rulesets for tests that only read them: each is loaded once in a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import interpreter
from interpreter import Game, pipeline
from interpreter.pipeline import Loaded


@cache
def loaded(ruleset: str | Path) -> Loaded:
    """A ruleset with its cases and its warnings, by the name of a bundled ruleset or house rule, or by its file."""
    return pipeline.from_path(pipeline.find_ruleset(str(ruleset)))


@cache
def game(ruleset: str | Path) -> Game:
    """A ruleset to be played, by the name of a bundled ruleset or house rule, or by its file."""
    return interpreter.load(ruleset)


def fresh_game(ruleset: str | Path) -> Game:
    """A ruleset to be played that was asked nothing before, so that it knows no odds and has compiled nothing."""
    made = loaded(ruleset)
    assert made.program is not None and made.world is not None, list(map(str, made.problems.errors))
    return Game(made.program, made.world)

"""A name under `odds` of a case is a name of the rule, wherever it stands, also where it is a key of cases."""

from __future__ import annotations

import pytest

from interpreter import Game, pipeline
from interpreter.diagnostics.source import Source
from interpreter.runtime.functions import FUNCTIONS
from interpreter.syntax.grammar import FORMS
from interpreter.testing.cases import Trial, cases_of

KEYS = sorted(set(FORMS["case"].keys) - {*FUNCTIONS, "given", "options"})
LAYOUTS = {
    "in one line": "odds: {hungry: 1/2, KEY: {3: 1/2}}",
    "on lines": "odds:\n      hungry: 1/2\n      KEY: {3: 1/2}",
    "line by line": "odds:\n      hungry: 1/2\n      KEY:\n        3: 1/2",
}
TEXT = """ruleset: named
mechanics:
  rouse:
    steps:
      die: {roll: d2}
      KEY: die + 1
    outcomes: {hungry: die == 1, calm: otherwise}
cases:
  - name: a name
    mechanic: rouse
    ODDS
"""


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("key", KEYS)
def test_it_is_a_name(key: str, layout: str) -> None:
    text = TEXT.replace("ODDS", LAYOUTS[layout]).replace("KEY", key)
    loaded = pipeline.from_text(Source.of("named.yaml", text))
    assert loaded.problems.errors == []
    assert loaded.program is not None and loaded.world is not None
    trial = Trial(Game(loaded.program, loaded.world))
    assert [trial.run(case).failures for case in cases_of(loaded.world.cases)] == [()]

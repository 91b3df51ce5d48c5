"""The bundled rulesets: sound, and every case of theirs holds."""

from __future__ import annotations

import pytest

from interpreter import library, pipeline
from interpreter.cases import Trial, cases_of
from interpreter.game import Game


@pytest.mark.parametrize("name", library.rulesets())
def test_every_case_holds(name: str) -> None:
    loaded = pipeline.from_path(pipeline.find(name))
    assert [str(problem) for problem in loaded.problems] == []
    assert loaded.program and loaded.world
    trial = Trial(Game(loaded.program, loaded.world))
    verdicts = [trial.run(case) for case in cases_of(loaded.world.cases)]
    assert [str(failure) for verdict in verdicts for failure in verdict.failures] == []
    assert verdicts

"""What earlier versions have written is read by this one, and holds what it held."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from saved_games import FOLDER, what_is_in

from interpreter.identity.units import UNITS
from interpreter.version import VERSION


@pytest.mark.parametrize("folder", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_what_a_version_has_written_is_read_by_this_one(folder: Path) -> None:
    held, holds = json.loads((folder / "holds.json").read_text("utf-8")), what_is_in(folder)
    assert {key: one for key, one in holds.items() if key not in ("units", "hashes")} == {
        key: one for key, one in held.items() if key not in ("units", "hashes")
    }
    if held["units"] == UNITS:
        changed = [path for path, known in held["hashes"].items() if holds["hashes"].get(path) != known]
        assert not changed, "units are hashed in another way: give `UNITS` another number"


def test_this_version_has_saves() -> None:
    assert (FOLDER / VERSION).is_dir(), "`python -m tests.record saved` writes them when a version is released"

"""Saves as a version writes them, kept for all later versions to read: `tests/saved/VERSION`.

They are written when a version is released, by `python -m tests.record saved`, and never edited after that.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from adoption.changes import FLEET, Change
from adoption.told import COLUMNS, saves

import interpreter
from interpreter.api.journal import session_in
from interpreter.identity.units import UNITS, units_of
from interpreter.version import VERSION

FOLDER = Path(__file__).parent / "saved"
FILES = dict(zip(COLUMNS, ("state.json", "question.json", "between.json", "result.json"), strict=False))


def what_is_in(folder: Path) -> dict[str, Any]:
    """What the saves of a folder hold, as this version reads them under their rules."""
    game = interpreter.load_file(folder / "fleet.yaml")
    hashes = {path: unit.hash for path, unit in units_of(game.program).items()}
    found: dict[str, Any] = {"units": UNITS, "hashes": hashes}
    for name in (*FILES.values(), "duel.journal"):
        text = (folder / name).read_text("utf-8")
        adopted = game.adopt(session_in(text) or text)
        assert adopted.lines == (), (folder, name)
        state = adopted.state
        if adopted.session is not None:
            asked = [{"path": one.path, "who": one.who, "options": list(one.options or ())}
                     for one in adopted.session.host.requests]  # fmt: skip
            found[name] = {"asked": asked, "lines": [str(line) for line in adopted.session.host.lines()]}
            state = adopted.session.state
        elif adopted.result is not None:
            state = adopted.result.state
        assert state is not None
        found.setdefault(name, {})["things"] = game.to_data(state)["things"]
    return found


def record(_: list[Path]) -> None:
    """Write the saves of this version, and what they hold."""
    folder = FOLDER / VERSION
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fleet.yaml").write_text(FLEET, "utf-8")
    with tempfile.TemporaryDirectory() as place:
        written = saves(Change(), Path(place))
        journal = (Path(place) / "duel.journal").read_text("utf-8")
    for column, name in FILES.items():
        (folder / name).write_text(json.dumps(json.loads(written[column]), indent=1) + "\n", "utf-8")
    (folder / "duel.journal").write_text(journal, "utf-8")
    (folder / "holds.json").write_text(json.dumps(what_is_in(folder), indent=1) + "\n", "utf-8")

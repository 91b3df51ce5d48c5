"""What every save says of itself: what it is, who wrote it, and which rules it was written under.

    {"houserule": "state/1", "by": "0.1.0", "rules": {"name": …, "version": …, "language": 1, "units": 1,
     "uses": {path: hash}, "shape": {kind: …}}, "options": {…}, …}

`uses` are the units that the save depends on: of a state, only the things of the book. `shape` is what its values had
to fit. A later program compares both with its own, so that whatever a save does not use may change unnoticed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.identity.shape import shapes_of
from interpreter.identity.units import UNITS, units_of
from interpreter.version import VERSION

FORMATS = {"state": 1, "session": 5, "result": 1}
"""The newest form of each kind of save. A key that may be left out does not change the number."""

KIND = "houserule"
"""The first key of a save."""

BOOK = "things."
"""The beginning of the path of a thing of the book."""


def header(what: str, program: ir.Program, uses: Mapping[str, str], kinds: Iterable[str]) -> dict[str, Any]:
    """The first keys of a save: `uses` are the hashes of the units it depends on, `kinds` those of things in it."""
    rules = {
        "name": program.name, "version": program.version, "language": 1, "units": UNITS, "uses": dict(uses),
        "shape": shapes_of(program, kinds),
    }  # fmt: skip
    return {KIND: f"{what}/{FORMATS[what]}", "by": VERSION, "rules": rules}


def book_hashes(program: ir.Program) -> dict[str, str]:
    """The hashes of the things of the book."""
    return {path: unit.hash for path, unit in units_of(program).items() if path.startswith(BOOK)}


def is_save(data: Any) -> bool:
    """Whether plain data say that they are a save."""
    return isinstance(data, Mapping) and isinstance(data.get(KIND), str)


def kind_of_save(data: Any) -> str | None:
    """What plain data say that they are, such as `state`; None if they are no save."""
    return str(data[KIND]).partition("/")[0] if is_save(data) else None


def check_header(what: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The `rules` of a save. Raises PlayError if it is another kind of save, of a later form, or malformed."""
    kind, _, number = str(data.get(KIND)).partition("/")
    if kind != what:
        raise PlayError(say.another_save(what, str(data.get(KIND))[:40]))
    if number != str(FORMATS[what]):
        raise PlayError(say.later_save(what, number[:20], FORMATS[what], str(data.get("by"))[:20]))
    rules = data.get("rules")
    if not isinstance(rules, Mapping):
        raise PlayError(say.malformed_save(what, "`rules` are missing"))
    sound = {
        **{key: isinstance(rules.get(key), str) for key in ("name", "version")},
        **{key: type(rules.get(key)) is int for key in ("language", "units")},
        "uses": isinstance(rules.get("uses"), Mapping) and all(isinstance(one, str) for one in rules["uses"].values()),
        "shape": isinstance(rules.get("shape"), Mapping) and all(map(_is_shape, rules["shape"].values())),
    }
    for key, is_sound in sound.items():
        if not is_sound:
            raise PlayError(say.malformed_save(what, f"`{key}` of its `rules` is missing or has another form"))
    return rules


def _is_shape(data: Any) -> bool:
    """Whether data are the shape of a kind, as far as they are read."""
    has = data.get("has") if isinstance(data, Mapping) else None
    return isinstance(has, Mapping) and all(
        isinstance(one, Mapping)
        and isinstance(one.get("seen_by", []), list)
        and all(isinstance(name, str) for name in one.get("seen_by", []))
        for one in has.values()
    )


def units_that_differ(program: ir.Program, rules: Mapping[str, Any]) -> list[str]:
    """The paths of the units that a save uses and that are gone or others now. Hashes that were made in another way
    cannot be compared: then all of them differ."""
    now = units_of(program)
    if rules["units"] != UNITS:
        return sorted(map(str, rules["uses"]))
    return [path for path, known in rules["uses"].items() if path not in now or now[path].hash != known]

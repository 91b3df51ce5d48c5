"""What every save says of itself: what it is, who wrote it, and which rules it was written under.

    {"houserule": "state/1", "by": "0.1.0", "rules": {"name": …, "version": …, "language": 1, "units": 1,
     "uses": {path: hash}, "shape": {kind: …}, "text": …}, "options": {…}, …}

`uses` are the units that the save depends on: of a state, only the things of the book. `shape` is what its values had
to fit. A later program compares both with its own, so that whatever a save does not use may change unnoticed.
`text` is there if somebody wants the save to carry its rules: then it can be taken up under these, and compared with
others by a later program that hashes units in another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir, pipeline
from interpreter.diagnostics import PlayError, RulesetError
from interpreter.diagnostics.source import Source
from interpreter.identity.shape import shapes_of
from interpreter.identity.units import UNITS, RuleUnit, unit_in_words, units_of
from interpreter.pipeline import FileOrigin
from interpreter.saves.former_names import path_of_now
from interpreter.saves.plan import AdoptionLine
from interpreter.syntax import files
from interpreter.version import VERSION

FORMATS = {"state": 1, "session": 5, "result": 1}
"""The newest form of each kind of save. A key that may be left out does not change the number."""

KIND = files.KEY_OF_SAVE

KEPT = "<the rules of the save>"
"""What messages call the rules that a save carries."""

BOOK = "things."
"""The beginning of the path of a thing of the book."""


def header(
    what: str, program: ir.Program, uses: Mapping[str, str], kinds: Iterable[str], text: str | None = None
) -> dict[str, Any]:
    """The first keys of a save: `uses` are the hashes of the units it depends on, `kinds` those of things in it, and
    `text` the rules themselves, if it carries them."""
    rules = {
        "name": program.name, "version": program.version, "language": 1, "units": UNITS, "uses": dict(uses),
        "shape": shapes_of(program, kinds), **({"text": text} if text is not None else {}),
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
    kind, _, number = _in_words(data.get(KIND)).partition("/")
    if kind != what:
        raise PlayError(say.another_save(what, _in_words(data.get(KIND))[:40]))
    if number != str(FORMATS[what]):
        raise PlayError(say.other_form_of_save(what, number[:20], FORMATS[what], _in_words(data.get("by"))[:20]))
    rules = data.get("rules")
    if not isinstance(rules, Mapping):
        raise PlayError(say.malformed_save(what, "`rules` are missing"))
    sound = {
        **{key: isinstance(rules.get(key), str) for key in ("name", "version")},
        **{key: type(rules.get(key)) is int for key in ("language", "units")},
        "text": isinstance(rules.get("text", ""), str),
        "uses": isinstance(rules.get("uses"), Mapping) and all(isinstance(one, str) for one in rules["uses"].values()),
        "shape": isinstance(rules.get("shape"), Mapping) and all(map(_is_shape, rules["shape"].values())),
    }
    for key, is_sound in sound.items():
        if not is_sound:
            raise PlayError(say.malformed_save(what, f"`{key}` of its `rules` is missing or has another form"))
    return rules if rules["units"] == UNITS or "text" not in rules else _with_hashes_of_now(rules)


def _in_words(value: Any) -> str:
    """A value of a save as a message says it. Python writes no number of more than some thousand digits."""
    try:
        return str(value)
    except ValueError:
        return "a long number"


def _with_hashes_of_now(rules: Mapping[str, Any]) -> Mapping[str, Any]:
    """The `rules` of a save that carries them, hashed as units are hashed now; as they are if they have errors now."""
    units = _units_of_text(rules["text"])
    if units is None:
        return rules
    uses = {path: units[path].hash if path in units else "" for path in rules["uses"]}
    return {**rules, "units": UNITS, "uses": uses}


@lru_cache(maxsize=4)
def _units_of_text(text: str) -> Mapping[str, RuleUnit] | None:
    """The units of rules that a save carries, or None where they have errors now; a save is read several times."""
    try:
        carried = pipeline.from_place(FileOrigin(Source.of(KEPT, text)), to_play=True)
    except RulesetError:
        return None
    return units_of(carried.program) if carried.program is not None and not carried.problems.errors else None


def _is_shape(data: Any) -> bool:
    """Whether data are the shape of a kind, as far as they are read."""
    has = data.get("has") if isinstance(data, Mapping) else None
    return isinstance(has, Mapping) and all(
        isinstance(one, Mapping)
        and isinstance(one.get("seen_by", []), list)
        and all(isinstance(name, str) for name in one.get("seen_by", []))
        for one in has.values()
    )


def lines_of_rules(program: ir.Program, rules: Mapping[str, Any]) -> list[AdoptionLine]:
    """A line for each rule that a save uses and that is gone or another now; the book is no rule. Hashes that were made
    in another way cannot be compared, which one line says."""
    if rules["units"] != UNITS:
        return [AdoptionLine("rule", "", "whether its rules have changed cannot be told: it does not carry them, and "
                                         "this version of houserule compares rules in another way")]  # fmt: skip
    lines = [_line_of_rule(program, path, known) for path, known in rules["uses"].items() if not path.startswith(BOOK)]
    return [line for line in lines if line is not None]


def without_gone_attributes(lines: Sequence[AdoptionLine], told: Sequence[AdoptionLine]) -> list[AdoptionLine]:
    """The lines of rules without those of attributes that are gone, if what is told of a state has their values."""
    gone = {one.path for one in told if one.kind == "aside"}
    return [one for one in lines if one.path.partition(" ")[0] not in gone]


def _line_of_rule(program: ir.Program, path: str, known: str) -> AdoptionLine | None:
    """The line of a unit that is not what it was; None for one that is, and for a renamed kind or attribute, of which
    its things tell."""
    now = path_of_now(program, path)
    unit = units_of(program).get(now)
    if unit is not None and unit.hash == known:
        return None
    if unit is None or " " in path or now.rpartition(".")[2] == path.rpartition(".")[2]:
        change = "has changed" if unit is not None else "is gone"
        return AdoptionLine("rule", now, f"{unit_in_words(now)} {change}")
    return None if path.startswith("kinds.") else AdoptionLine("renamed", now, f"`{path}` is `{now}` now")

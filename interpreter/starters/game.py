"""A first game: a small one, or a copy of another under a new name."""

from __future__ import annotations

import re
from pathlib import Path

from interpreter import diagnostics as say
from interpreter import pipeline
from interpreter.diagnostics import RulesetError
from interpreter.starters.new_file import NewFile, put_schema_line, schema_line, title_of

MECHANIC = "attempt"
_SMALL = """\
ruleset: {name}
title: {title}

mechanics:
  attempt:
    title: Attempt something difficult
    inputs:
      skill:      {{type: number, from: 0, default: 0, about: How good you are at it.}}
      difficulty: {{type: number, from: 2, default: 8, about: The number to reach.}}
    steps:
      rolled: {{roll: 2d6}}
      total:  sum(rolled) + skill
    outcomes:
      triumph: total >= difficulty + 4
      success: total >= difficulty
      failure: otherwise

# Cases are tests: what must come out, with these faces on the dice, or how likely it must be.
cases:
  - name: four more than needed is a triumph
    mechanic: attempt
    given: {{skill: 2, difficulty: 8}}
    faces: [6, 4]
    expect: {{total: 12, outcome: triumph}}
  - name: the odds of a beginner
    mechanic: attempt
    odds: {{triumph: 1/36, success: 7/18, failure: 7/12}}
"""


def small_game(path: Path) -> list[NewFile]:
    """A game of one mechanic with two cases."""
    return [NewFile(path, schema_line("ruleset") + _SMALL.format(name=path.stem, title=title_of(path.stem)))]


def copy_game(base: Path, folder: Path) -> list[NewFile]:
    """A ruleset with its parts, its rows and its scenes under the name of a new folder; house rules over it are not
    copied. Raises RulesetError if a file cannot be read."""
    old, new = base.stem, folder.name
    files = [NewFile(folder / f"{new}.yaml", _rename_ruleset(base, old, new, "ruleset", "ruleset"))]
    for part in pipeline.parts_of(base):
        files.append(NewFile(folder / part.name, _rename_ruleset(part, old, new, "part_of", "part")))
    for scene in scenes_beside(base):
        files.append(NewFile(folder / scene.name, _rename_ruleset(scene, old, new, "of", "scene")))
    rows = base.parent / "rows.tsv"
    if rows.is_file():
        files.append(NewFile(folder / rows.name, pipeline.read(rows).text))
    taken = [file.path for file in files]
    if len(set(taken)) < len(taken):  # a part with the name of the new game
        raise RulesetError(
            say.is_there_already(pipeline.path_in_messages(next(one for one in taken if taken.count(one) > 1)))
        )
    return files


def _rename_ruleset(path: Path, old: str, new: str, key: str, kind: str) -> str:
    """The text of a file in which `key` names a ruleset, with another name there."""
    text = re.sub(rf"^{key}: *['\"]?{re.escape(old)}(\.yaml)?['\"]? *$", f"{key}: {new}", pipeline.read(path).text,
                  count=1, flags=re.MULTILINE)  # fmt: skip
    if key == "ruleset":
        text = re.sub(r"^title: .*$", f"title: {title_of(new)}", text, count=1, flags=re.MULTILINE)
    return put_schema_line(text, kind)


def scenes_beside(base: Path) -> list[Path]:
    """The scene files that come with a ruleset: in its folder, or in the folder `scenes` there."""
    there = [*sorted(base.parent.glob("*.yaml")), *sorted((base.parent / "scenes").glob("*.yaml"))]
    names = "|".join(re.escape(name) for name in (base.stem, base.name))
    return [path for path in there if re.search(rf"^of: *['\"]?({names})['\"]? *(#.*)?$", _text(path), re.MULTILINE)]


def _text(path: Path) -> str:
    try:
        return pipeline.read(path).text
    except RulesetError:
        return ""

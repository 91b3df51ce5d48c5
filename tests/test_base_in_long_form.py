"""`base` in a change is the expression before it, also where the new value is written in its long form; and what a
message about a house rule proposes loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import pipeline
from interpreter.api.game import Game
from interpreter.diagnostics.edits import apply_edits
from interpreter.pipeline import Loaded

BASE = """\
ruleset: small
functions: {twice: {takes: {n: number}, gives: n * 2}}
kinds:
  hero:
    has:
      hurt:  {type: number, default: 1}
      range: {is: 1 + hurt}
mechanics:
  look:
    inputs: {who: {type: hero}}
    steps:
      seen: who.range
      long: {is: seen + 1, about: Further.}
      more: twice(seen)
    outcomes:
      far:  {if: seen > 2, about: Out of sight.}
      wide: more > 99
      near: otherwise
"""

CHANGES = {
    "what follows from other values": ("kinds.hero.has.range", "{is: base + 2}", (4, 5, 8, "far")),
    "a long form of a long form": ("mechanics.look.steps.long", "{is: base * 2, about: Twice.}", (2, 6, 4, "near")),
    "a long form of a short form": ("mechanics.look.steps.more", "{is: base + 1, about: One more.}", (2, 3, 5, "near")),
    "a short form of a long form": ("mechanics.look.steps.long", "base * 3", (2, 9, 4, "near")),
    "an outcome": ("mechanics.look.outcomes.far", "{if: base or more == 4, about: Near enough.}", (2, 3, 4, "far")),
    "an outcome in short form": ("mechanics.look.outcomes.wide", "{if: base or seen == 2}", (2, 3, 4, "wide")),
    "a whole function": ("functions.twice", "{takes: {n: number}, gives: base + n}", (2, 3, 6, "near")),
    "a default": ("kinds.hero.has.hurt", "{type: number, default: base + 4}", (6, 7, 12, "far")),
}


def loaded(folder: Path, changes: str) -> Loaded:
    (folder / "small.yaml").write_text(BASE)
    (folder / "over.yaml").write_text(f"ruleset: over\nextends: small\nchanges:\n{changes}")
    return pipeline.from_path(folder / "over.yaml")


def result(made: Loaded) -> tuple[object, ...]:
    assert made.program is not None and made.world is not None and not made.problems.errors, made.problems.errors
    run = Game(made.program, made.world).roll("look", state={"ann": {"is": "hero"}}, who="ann")
    return (*(run.values[one] for one in ("seen", "long", "more")), run.outcome)


@pytest.mark.parametrize("what", CHANGES)
def test_base_is_the_former_expression(what: str, tmp_path: Path) -> None:
    path, value, expected = CHANGES[what]
    assert result(loaded(tmp_path, f"  {path}: {{set: {value}, because: Tried.}}\n")) == expected


@pytest.mark.parametrize("wrong", ["base + 2", "1 + hurt", "hurt * 2"])
def test_a_value_in_place_of_a_declaration_is_proposed_as_it_loads(wrong: str, tmp_path: Path) -> None:
    path = "kinds.hero.has.range"
    made = loaded(tmp_path, f"  {path}: {{because: Tried., set: {wrong}}}\n")
    (error, *_) = made.problems.errors
    assert error.proposed and error.proposed[0][1] in (error.help or "")
    text = apply_edits(error.span.source, error.proposed)
    changes = text.partition("changes:\n")[2]
    assert not loaded(tmp_path, changes).problems.errors


SIGNS = ["&", "&&", "=", "is", "is not", "isnt", "equals", "|", "at least", "less than", "+", "does not equal"]
SIDES = [("base", "seen > 2"), ("seen > 2", "base"), ("base", "seen"), ("seen", "base"), ("base", "base")]


@pytest.mark.parametrize("sign", SIGNS)
def test_a_message_about_base_and_what_it_proposes_stand_in_the_house_rule(sign: str, tmp_path: Path) -> None:
    for left, right in SIDES:
        change = f"  mechanics.look.outcomes.wide: {{because: Tried., set: '{left} {sign} {right}'}}\n"
        for error in loaded(tmp_path, change).problems.errors:
            places = [error.span, *(place for place, _ in (*error.edits, *error.proposed))]
            assert {Path(place.source.name).name for place in places} == {"over.yaml"}, str(error)


@pytest.mark.parametrize("sign", ["is", "is not"])
def test_what_base_is_compared_with_stays_denied(sign: str, tmp_path: Path) -> None:
    change = f"  mechanics.look.outcomes.wide: {{because: Tried., set: base {sign} yes}}\n"
    (error,) = loaded(tmp_path, change).problems.errors
    assert error.help == f"write `{'!=' if sign == 'is not' else '=='}` for yes or no"

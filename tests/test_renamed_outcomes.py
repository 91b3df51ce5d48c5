"""Whether outcomes cover every case does not depend on what house rules call the names in their conditions."""

from __future__ import annotations

import pytest

from interpreter import pipeline
from interpreter.diagnostics.source import Source
from interpreter.layers.effective import effective_ruleset
from interpreter.pipeline import FileOrigin, Finder, Loaded

NEW_NAMES = ("c", "longer", "a_name_that_is_much_longer_than_the_one_that_it_replaces")
COMPLETE = (
    "{good: b and x, fair: b and not x, bad: not b}",
    "{good: b, bad: not b}",
    "{good: x if b else y, bad: not (x if b else y)}",
    "{good: b or x, fair: not b and y, bad: not b and not x and not y}",
    "{good: n + t > 3, bad: n + t <= 3}",
    "{good: n < t, even: n == t, bad: n > t}",
    "{good: w is red, fair: w is green, bad: w is blue}",
)
INCOMPLETE = (
    "{good: b and x, fair: b and not x, bad: not b and y}",
    "{good: n + t > 3, bad: n + t < 3}",
    "{good: n < t, bad: t < n}",
    "{good: w is red, bad: w is blue}",
)
UNREACHABLE = (
    "{good: b or x, fair: x and b, bad: otherwise}",
    "{good: b, fair: not b, bad: otherwise}",
    "{good: n > 3, fair: n > 4, bad: otherwise}",
    "{good: 'w in [red, green]', fair: w is green, bad: otherwise}",
)
BASE = """ruleset: base
mechanics:
  main:
    inputs:
      b: {{type: yes_no}}
      x: {{type: yes_no}}
      y: {{type: yes_no}}
      n: {{type: number}}
      t: {{type: number}}
      w: {{one_of: [red, green, blue]}}
    steps: {{thrown: {{roll: d6}}}}
    outcomes: {outcomes}
"""


class _Base(Finder):
    """Finds one base, whatever is asked for."""

    def base(self, place: FileOrigin, name: str) -> FileOrigin:
        return FileOrigin(Source("base.yaml", _TEXTS[name]))


_TEXTS: dict[str, str] = {}


def changed(outcomes: str, changes: str) -> Loaded:
    _TEXTS["base.yaml"] = BASE.format(outcomes=outcomes)
    layer = f"ruleset: layer\nextends: base.yaml\nchanges:\n{changes}"
    return pipeline.from_text(Source("layer.yaml", layer), _Base())


def errors(loaded: Loaded) -> list[str]:
    return [one.code for one in loaded.problems.errors]


@pytest.mark.parametrize("new", NEW_NAMES)
@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        *[(one, []) for one in COMPLETE],
        *[(one, ["HR501"]) for one in INCOMPLETE],
        *[(one, ["HR502"]) for one in UNREACHABLE],
    ],
)
def test_what_outcomes_cover_stays_the_same_under_new_names(outcomes: str, expected: list[str], new: str) -> None:
    assert errors(pipeline.from_text(Source("base.yaml", BASE.format(outcomes=outcomes)))) == expected
    for old in "bntw":
        named = f"  mechanics.main.inputs.{old}: {{rename: {new}, because: told otherwise}}\n"
        assert errors(changed(outcomes, named)) == expected, old


@pytest.mark.parametrize("new", NEW_NAMES)
def test_a_layer_and_its_effective_text_have_the_same_outcomes_out_of_reach(new: str) -> None:
    loaded = changed(
        "{good: given(thrown) or n <= 6, bad: otherwise}",
        f"  mechanics.main.steps.thrown: {{rename: {new}, because: told otherwise}}\n"
        "  mechanics.main.outcomes.fine: {add: n > 3, before: good, because: told otherwise}\n",
    )
    assert loaded.merged is not None and loaded.world is not None
    lines = "\n".join(line.text for line in effective_ruleset(loaded.merged, loaded.world.base_places))
    assert errors(loaded) == errors(pipeline.from_text(Source("effective.yaml", lines))) == ["HR502"]

"""A text in which house rules rename something has its places in the file and its words from the house rules."""

from __future__ import annotations

from collections.abc import Iterator

import games
import pytest

import interpreter
from interpreter import pipeline
from interpreter.bundled import rulesets
from interpreter.checker.cases import note_cases
from interpreter.diagnostics.source import RewrittenSource, Source, Span
from interpreter.frozen import dataclass
from interpreter.layers.effective import effective_ruleset
from interpreter.pipeline import FileOrigin, Finder, Loaded

LONG = "a_name_that_is_much_longer_than_the_one_that_it_replaces"
NEW_NAMES = ("c", "other", LONG)
BASE = """\
ruleset: base
names:
  colour: [red, green]
mechanics:
  main:
    inputs:
      bonus: {type: number, at_least: 0, at_most: 3}
      w: {one_of: colour}
    steps:
      thrown: {roll: d6}
      sure: given(thrown) and bonus > 1
      quoted: "given(thrown) or bonus == 2 and given(thrown)"
      single: 'bonus + 1 + nothing'
      block: |
        bonus
          + thrown + given(thrown)
      folded: >
        given(thrown) and w is red and
        bonus > thrown
      lines: bonus +
        thrown + given(thrown)
      escaped: "bonus + \\x74hrown + given(thrown)"
      pair: {low: bonus, high: thrown + given(thrown)}
    outcomes: {good: sure and w is red, bad: not sure}
cases:
  main: [{given: {bonus: 1, w: red}, faces: {thrown: 4}, expect: {single: 2, pair.low: 1, "sure": no}}]
"""


@dataclass(frozen=True)
class _Base(Finder):
    """Finds one base, whatever is asked for."""

    text: str = ""

    def base(self, place: FileOrigin, name: str) -> FileOrigin:
        return FileOrigin(Source("base.yaml", self.text))


def renamed(*changes: tuple[str, str], base: str = "base.yaml", finder: Finder | None = None) -> Loaded:
    finder = finder or _Base(text=BASE)
    lines = "".join(f"  {path}: {{rename: {new}, because: told otherwise}}\n" for path, new in changes)
    return pipeline.from_text(Source("layer.yaml", f"ruleset: layer\nextends: {base}\nchanges:\n{lines}"), finder)


def problems_of(loaded: Loaded) -> list[tuple[str, int, int, int]]:
    """Code, line, column and length of each problem in the base."""
    found = [one for one in loaded.problems if one.path == "base.yaml"]
    return [(one.code, one.line, one.column, one.span.end - one.span.start) for one in found]


@pytest.mark.parametrize("new", NEW_NAMES)
def test_problems_stand_where_they_stand_without_the_new_name(new: str) -> None:
    before = problems_of(pipeline.from_text(Source("base.yaml", BASE)))
    assert len(before) > 10
    for old in ("inputs.bonus", "inputs.w", "steps.thrown", "steps.sure"):
        assert problems_of(renamed((f"mechanics.main.{old}", new))) == before, old
    assert problems_of(renamed(("names.colour", new))) == before
    assert problems_of(renamed(("names.colour.red", new))) == before


@pytest.mark.parametrize("new", NEW_NAMES)
def test_several_new_names_in_one_text_keep_its_places(new: str) -> None:
    before = problems_of(pipeline.from_text(Source("base.yaml", BASE)))
    changes = [("mechanics.main.inputs.bonus", new), ("mechanics.main.steps.thrown", f"{new}2")]
    again = [(f"mechanics.main.inputs.{new}", "b"), (f"mechanics.main.steps.{new}2", f"x_{new}")]
    assert problems_of(renamed(*changes)) == before
    assert problems_of(renamed(*changes, *again)) == before
    assert problems_of(renamed(*reversed(changes), *again)) == before


def test_a_problem_says_the_new_name_and_shows_the_file() -> None:
    found = [one for one in renamed(("mechanics.main.steps.thrown", LONG)).problems if one.code == "HR902"]
    assert len(found) == 7
    assert {one.span.text for one in found} == {f"given({LONG})"}
    assert {one.span.in_file.text for one in found} == {"given(thrown)"}


ESCAPED = (
    ('"bonus + \\x74hrown + nothing"', "nothing"),
    ('"bonus\\t+ th\\u0072own + nothing"', "nothing"),
    ('"bonus +\\\n        thrown + nothing"', "nothing"),
    ('"\\x6eothing + bonus"', "\\x6eothing"),
)


@pytest.mark.parametrize("new", ["thrown", *NEW_NAMES])
@pytest.mark.parametrize(("text", "wrong"), ESCAPED)
def test_escapes_move_no_place(text: str, wrong: str, new: str) -> None:
    base = BASE.replace('"bonus + \\x74hrown + given(thrown)"', text)
    made = renamed(*([("mechanics.main.steps.thrown", new)] if new != "thrown" else []), finder=_Base(text=base))
    found = [one for one in made.problems if one.code == "HR301" and one.line >= 22]
    assert [one.span.in_file.text for one in found] == [wrong]
    assert found[0].span.text == "nothing"


def test_doubled_quotes_in_a_text_move_no_place() -> None:
    base = BASE.replace("{roll: d6}", "{choose: one, among: '[1, 2]', ask: 'It''s yours, isn''t it, {nothing}?'}")
    found = [one for one in pipeline.from_text(Source("base.yaml", base)).problems if one.line == 10]
    assert [(one.code, one.span.in_file.text) for one in found] == [("HR301", "nothing")]


@pytest.mark.parametrize("new", NEW_NAMES)
def test_outcomes_that_leave_something_out_name_it_by_its_new_name(new: str) -> None:
    base = """\
ruleset: base
mechanics:
  main:
    inputs: {w: {one_of: [red, green]}, b: {type: yes_no}}
    steps: {thrown: {roll: d6}}
    outcomes: {good: "b and w is red", bad: not b and w is red}
"""
    made = renamed(("mechanics.main.inputs.b", new), finder=_Base(text=base))
    told = [one.message + (one.help or "") for one in made.problems if one.code == "HR501"]
    assert len(told) == 1 and f"`{new}`" in told[0]


@pytest.mark.parametrize("new", NEW_NAMES)
def test_the_former_names_give_the_same_ruleset_again(new: str) -> None:
    there = [("inputs.bonus", new), ("steps.thrown", f"{new}2"), ("inputs.w", f"{new}3"), ("steps.sure", f"{new}4")]
    back = [(f"{path.split('.')[0]}.{name}", path.split(".")[1]) for path, name in there]
    changes = [(f"mechanics.main.{path}", name) for path, name in (*there, *back)]
    assert texts_of(renamed(*changes)) == texts_of(renamed())


def texts_of(loaded: Loaded) -> list[str]:
    assert loaded.merged is not None and loaded.world is not None
    return [line.text for line in effective_ruleset(loaded.merged, loaded.world.base_places)]


# Bundled games ---------------------------------------------------------------------------------------------------


def _paths(game: interpreter.Game) -> Iterator[str]:
    for name, rule in sorted(game.program.mechanics.items()):
        yield from (f"mechanics.{name}.inputs.{one.name}" for one in rule.inputs)
        yield from (f"mechanics.{name}.steps.{one.name}" for one in rule.steps)
    yield from (f"types.{name}" for name in sorted(game.program.types))


def _references(loaded: Loaded) -> dict[Span, Span]:
    assert loaded.world is not None and loaded.program is not None
    note_cases(loaded.world, loaded.program)
    return loaded.world.references


@pytest.mark.parametrize("name", rulesets())
def test_the_uses_of_names_in_bundled_games_keep_their_places(name: str) -> None:
    """With a new name, each use has the place and the declaration that it had, and says the new name."""
    before = _references(renamed(base=name, finder=Finder()))
    paths, renamed_somewhere = list(_paths(games.game(name))), set[Span]()
    for number, path in enumerate(paths[:: max(len(paths) // 3, 1)]):
        new = NEW_NAMES[number % len(NEW_NAMES)]
        loaded = renamed((path, f"{new}_{number}"), base=name, finder=Finder())
        if loaded.problems.errors:
            continue
        after = {used.in_file: (used, declared.in_file) for used, declared in _references(loaded).items()}
        moved = set[Span]()
        for used, declared in before.items():
            now, to = after[used]
            if to != declared:
                moved.add(declared)
                assert now.text.strip("'\"") == f"{new}_{number}", path
            elif not isinstance(now.source, RewrittenSource):
                assert now.text == used.text, path
        assert len(moved) <= 1, path
        renamed_somewhere |= moved
    assert renamed_somewhere

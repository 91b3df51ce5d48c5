"""A first house rule: a change of one number or one ruling that a case of its base notices, with such a case.

Changes are tried in the order in which people make them: when an outcome holds, a row of a table, an option, a step.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from interpreter.api.game import Game
from interpreter.diagnostics import CASE_DIFFERS, Problems
from interpreter.diagnostics.edits import apply_edits
from interpreter.diagnostics.source import Source
from interpreter.frozen import dataclass
from interpreter.layers.merge import Merged
from interpreter.pipeline import FileOrigin, Finder, Loaded, from_place
from interpreter.starters.new_file import NewFile, schema_line, title_of
from interpreter.syntax import document
from interpreter.syntax.document import Mapping, Node, Scalar
from interpreter.syntax.yaml_text import flow_value, quote
from interpreter.testing.cases import Case, Trial, Verdict, cases_of
from interpreter.testing.claims import claim_verdicts
from interpreter.testing.layered import LayeredCases
from interpreter.testing.reachability import Reach

FEW = 4
"""A change that bends no more cases with faces is taken at once."""

MOST_OF_ONE = 4
"""How many changes of one mechanic, table or option are tried."""

MOST_NEAR = 30
"""How many cases of the rules that a change concerns are looked at for one that shows it."""

LONGEST_LINE = 110
_BECAUSE = "Say here why your group plays it so."
_IS_EQUAL = re.compile(r"(==|!=|\bis|\bin)\s*\[?$")
_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")


@dataclass(frozen=True)
class ExampleChange:
    """What stands at a path of the base, and what shall stand there."""

    path: str
    was: str
    now: str


@dataclass(frozen=True)
class HouseRule:
    file: NewFile
    change: ExampleChange
    case: Case
    """The case of the base that shows the change."""


def house_rule(base: Loaded, path: Path, extends: str) -> HouseRule | None:
    """A house rule over a base without errors; `extends` is how the new file names it.

    None if no case of the base notices any of the changes.
    """
    assert base.merged is not None and base.program is not None and base.world is not None
    cases = sorted((one for one in cases_of(base.world.cases) if one.subject), key=_clumsiness)
    reach = Reach(base.program)
    heavy: list[_Noticed] = []
    for with_odds in (False, True):  # faces on the table show a change better than odds do, and sooner
        for change in _first_of_each(example_changes(base.merged.root)):
            rules = _rules_using(reach, change)
            near = [one for one in cases if _rule_of_case(one) in rules and bool(one.odds or one.mean) == with_odds]
            noticed = _notice_change(change, path, extends, near[:MOST_NEAR])
            if noticed is None:
                continue
            file = _complete_house_rule(noticed, path, extends, FEW)
            if file is not None:
                return file
            heavy.append(noticed)
    return next((file for one in heavy if (file := _complete_house_rule(one, path, extends, None)) is not None), None)


def _first_of_each(examples: Iterator[ExampleChange]) -> Iterator[ExampleChange]:
    """The first changes of each mechanic, table and option."""
    taken: Counter[str] = Counter()
    for change in examples:
        construct = _path_of_construct(change)
        taken[construct] += 1
        if taken[construct] <= MOST_OF_ONE:
            yield change


def _path_of_construct(change: ExampleChange) -> str:
    """The path of the mechanic, table or option that a change is in."""
    return ".".join(change.path.split(".")[:2])


def _rules_using(reach: Reach, change: ExampleChange) -> set[str]:
    """The paths of the rules that use what a change is in."""
    construct = _path_of_construct(change)
    users = {path for path, uses in reach.uses.items() if construct in uses} | {construct}
    return {".".join(path.split(".")[:2]) for path in users}


def _rule_of_case(case: Case) -> str:
    """The path of the rule that a case plays."""
    return f"mechanics.{case.subject}" if case.text("mechanic") else case.subject or ""


# Changes ---------------------------------------------------------------------------------------------------------


def example_changes(root: Mapping) -> Iterator[ExampleChange]:
    """Changes of a number or a ruling, those first that people make most."""
    mechanics = list(_section(root, "mechanics"))
    for name, rule in mechanics:
        for outcome, condition in _section(rule, "outcomes"):
            yield from _other_numbers(f"mechanics.{name}.outcomes.{outcome}", condition, "if")
    for name, table in _section(root, "tables"):
        for row, value in _section(table, "rows"):
            yield from _other_numbers(f"tables.{name}.rows.{row}", value, "")
    for name, option in _section(root, "options"):
        default = option.get("default") if isinstance(option, Mapping) else None
        if isinstance(default, Scalar) and default.text in ("yes", "no"):
            yield ExampleChange(f"options.{name}.default", default.text, "no" if default.text == "yes" else "yes")
        elif default is not None:
            yield from _other_numbers(f"options.{name}.default", default, "")
    for name, rule in mechanics:
        for step, value in _section(rule, "steps"):
            yield from _other_numbers(f"mechanics.{name}.steps.{step}", value, "is")


def _section(node: Node | None, name: str) -> Iterator[tuple[str, Node]]:
    section = node.get(name) if isinstance(node, Mapping) else None
    for entry in section.entries if isinstance(section, Mapping) else ():
        if "." not in entry.key.text:  # a path would go on there
            yield entry.key.text, entry.value


def _other_numbers(path: str, value: Node, key: str) -> Iterator[ExampleChange]:
    """Changes of the last number of a formula, which the long form has under `key`, by one."""
    if isinstance(value, Mapping) and key:
        inside = value.get(key)
        if inside is not None:
            yield from _other_numbers(f"{path}.{key}", inside, "")
        return
    text = " ".join(value.text.split()) if isinstance(value, Scalar) else ""
    numbers = list(_NUMBER.finditer(text))
    if numbers and not _IS_EQUAL.search(text[: numbers[-1].start()]):
        start, end = numbers[-1].span()
        for other in (int(text[start:end]) + 1, int(text[start:end]) - 1):
            if other > 0:
                yield ExampleChange(path, text, f"{text[:start]}{other}{text[end:]}")


# Trying them -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Noticed:
    """A change that a case notices, with the ruleset under it, and the case as it comes out then."""

    change: ExampleChange
    under: Loaded
    case: Case
    text: str


def _notice_change(change: ExampleChange, path: Path, extends: str, near: list[Case]) -> _Noticed | None:
    """A change that one of some cases notices; None if none does, or if the base has errors under it."""
    under = _load_house_rule(_text(change, path.stem, extends), path, to_play=True)
    if under is None:
        return None
    trial = _trial(under)
    for case in near:
        verdict = trial.run(case)
        text = _case_with_result(verdict) if verdict.failures else None
        if text is not None:
            return (
                _Noticed(change, under, case, text) if not any(one.failures for one in claim_verdicts(under)) else None
            )
    return None


def _complete_house_rule(noticed: _Noticed, path: Path, extends: str, most: int | None) -> HouseRule | None:
    """The house rule of a change; None if it bends more than `most` cases with faces, or is not sound."""
    bent = _bent_rules(noticed.under, most)
    if bent is None:
        return None
    text = _text(noticed.change, path.stem, extends, bent, noticed.text)
    loaded = _load_house_rule(text, path)
    if loaded is None or not _own_case_passes(loaded):
        return None
    return HouseRule(NewFile(path, schema_line("house-rule") + text), noticed.change, noticed.case)


def _text(change: ExampleChange, name: str, extends: str, differs: list[str] | None = None, case: str = "") -> str:
    lines = [
        f"ruleset: {name}",
        f"title: {title_of(name)}",
        f"extends: {extends}",
        "changes:",
        f"  {quote(change.path)}:",
        f"    set: {quote(change.now)}",
        f"    was: {quote(change.was)}",
        f"    because: {_BECAUSE}",
    ]
    if differs:
        lines += [
            "differs:  # the rules of the base whose cases come out otherwise, as intended",
            *(f"  - {quote(one)}" for one in differs),
        ]
    return "\n".join(lines) + "\n" + (f"cases:\n{case}" if case else "")


def _load_house_rule(text: str, path: Path, to_play: bool = False) -> Loaded | None:
    """The ruleset of a house rule; None if anything is wrong with it. Only `to_play`, nothing is looked for that has no
    effect."""
    place = FileOrigin(Source.of(f"{path.stem}.yaml", text), path.resolve().parent)
    loaded = from_place(place, Finder((Path.cwd(),)), to_play=to_play)
    return loaded if loaded.program is not None and loaded.world is not None and not list(loaded.problems) else None


def _trial(loaded: Loaded) -> Trial:
    assert loaded.program is not None and loaded.world is not None
    return Trial(Game(loaded.program, loaded.world))


def _bent_rules(loaded: Loaded, most: int | None) -> list[str] | None:
    """The rules of the base of which a change bends cases; None if more than `most` with faces are bent."""
    assert loaded.world is not None and loaded.merged is not None
    lower, trial = _names_of_sources_below(loaded.merged), _trial(loaded)
    cases = [case for case in cases_of(loaded.world.cases) if case.span.source.name in lower]
    names: set[str] = set()
    for case in sorted(cases, key=lambda one: bool(one.odds or one.mean)):  # odds take longer
        if case.title not in names and trial.run(case).failures:
            names.add(case.title)
            if most is not None and len(names) > most and not (case.odds or case.mean):
                return None
    layered = LayeredCases(loaded.merged, tuple(cases_of(loaded.world.cases)), trial.game.program)
    return list(
        layered.propose_entries(case for case in layered.cases if case.title in names and layered.is_of_base(case))
    )


def _names_of_sources_below(merged: Merged) -> set[str]:
    return {source.name for one in merged.below for source in one.sources}


def _own_case_passes(loaded: Loaded) -> bool:
    """Whether the case of a house rule passes."""
    assert loaded.world is not None and loaded.merged is not None
    lower, trial = _names_of_sources_below(loaded.merged), _trial(loaded)
    own = [trial.run(case) for case in cases_of(loaded.world.cases) if case.span.source.name not in lower]
    return all(not one.failures and not one.skipped for one in own)


# The case --------------------------------------------------------------------------------------------------------


def _clumsiness(case: Case) -> tuple[bool, bool, int]:
    """What a case has that makes it a poor example: those with less of it come first."""
    return "each" in case.node, "faces" not in case.node, len(case.node.span.text)


def _case_with_result(verdict: Verdict) -> str | None:
    """The case of a verdict with what came, as an item of `cases`; None if that is no matter of other values."""
    edits = [edit for failure in verdict.failures for edit in failure.edits]
    node = verdict.case.node
    if not all(failure.code == CASE_DIFFERS and failure.edits for failure in verdict.failures):
        return None
    source, span = node.span.source, node.span
    whole = apply_edits(source, edits)
    end = len(whole) - (len(source.text) - span.end)
    item = textwrap.dedent(" " * (span.column - 1) + whole[span.start : end])
    tree = document.parse(Source.of("case", item), Problems())
    if not isinstance(tree, Mapping):
        return None
    lines = [f"name: {quote(f'under this house rule, {verdict.case.title}')}"]
    for entry in tree.entries:
        if entry.key.text not in ("name", "rule", "about"):
            lines.append(f"{entry.key.text}: {flow_value(entry.value)}")
    if max(map(len, lines)) > LONGEST_LINE:
        return None
    return "".join(f"{'  - ' if not place else '    '}{line}\n" for place, line in enumerate(lines))

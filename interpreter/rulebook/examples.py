"""The worked example of a rule: a case of the ruleset that plays it, with what happens step by step."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from interpreter import ir
from interpreter.api.result import Result
from interpreter.chances.notebook import inputs_in_words
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.play.trace_events import OutcomeReached
from interpreter.report.short import shorten_trace
from interpreter.report.trace import Line
from interpreter.runtime.titles import titles_of
from interpreter.syntax.document import Node, Scalar
from interpreter.testing.cases import Case, Setting, Trial
from interpreter.values import Thing

MOST_LINES = 40
"""The most lines of an example: a whole fight explains no rule."""
MOST_DICE = 4
"""So many dice in an example of the main roll; more are hard to follow."""
MOST_TRIED = 8
"""How many cases of one rule are tried, if those before cannot be played."""


@dataclass(frozen=True)
class Example:
    """A case that was played: its inputs in words, its trace told short, its outcome and the sentence that tells it.

    `setting` has the rule and its inputs as they were played, and `choices` the answers that the case gives. `title` is
    the name of the case without its number, and `plainly_given` and `plain_lines` leave out what is written in braces.
    """

    name: str
    given: str
    actor: str
    lines: tuple[Line, ...]
    outcome: str
    told: str
    thrown: bool
    setting: Setting
    choices: dict[str, Node]
    case: Case
    title: str
    plainly_given: str

    @property
    def plain_lines(self) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if "{" not in line.text)


def example(
    trial: Trial, cases: Collection[Case], rule: ir.Mechanic, own: Collection[str] = (), rich: bool = False
) -> Example | None:
    """The first case of a rule that explains it and can be played; None without one.

    Cases of the files `own` come first: those of a house rule show what it changes. With `rich`, the case comes first
    that gives the most inputs, and of those the one with the most dice.
    """
    subject = rule.path.removeprefix("mechanics.")
    fitting = [one for one in cases if one.subject == subject and _explains(one)]
    for case in sorted(fitting, key=lambda one: (*_order_key(one, own), *(_richness(one) if rich else ())))[
        :MOST_TRIED
    ]:
        try:
            result = trial.result(case)
            played = _example(case, result, trial.setting(case))
        except PlayError:  # a house rule may ask for other faces than a case of the book gives
            continue
        if 0 < len(played.lines) <= MOST_LINES:
            return played
    return None


def usual_setting(trial: Trial, cases: Collection[Case], rule: ir.Mechanic) -> Setting | None:
    """The inputs with which odds of a rule are of interest where no example plays it; None if they are unknown.

    They are those of a case that states odds, or else the defaults.
    """
    subject = rule.path.removeprefix("mechanics.")
    for case in cases:
        if case.subject == subject and (case.odds or case.mean) and "options" not in case.node:
            try:
                return trial.setting(case)
            except PlayError:
                continue
    is_free = rule.path.startswith("mechanics.") and not any(one.required for one in rule.inputs)
    return Setting(trial.game, rule.name, None, {}) if is_free and not trial.game.program.has_state else None


def _explains(case: Case) -> bool:
    """Whether a case plays a rule with dice on the table, under the usual options, to a result."""
    if case.odds or case.mean or any(key in case.node for key in ("error", "options", "phase", "rounds", "first")):
        return False
    return bool(case.expect) or "after" in case.node


def _order_key(case: Case, own: Collection[str]) -> tuple[bool, ...]:
    grid = case.name != case.title
    return (case.span.source.name not in own, "faces" not in case.node, grid, "choices" in case.node)


def _richness(case: Case) -> tuple[int, int]:
    given, faces = case.node.get("given"), case.node.get("faces")
    thrown = min(len(getattr(faces, "items", ())), MOST_DICE)
    return (-len(getattr(given, "by_key", ())), -thrown)


def _example(case: Case, result: Result, setting: Setting) -> Example:
    program = result.trace.program
    loud = [line for line in result.trace if not line.quiet]
    last = next((line for line in reversed(loud) if line.kind == "outcome" and line.depth == 0), None)
    inputs = {name: value for name, value in result.inputs.items() if name != "actor"}
    return Example(
        case.title,
        inputs_in_words(inputs),
        titles_of(program).who(case.text("actor") or "").replace("_", " "),
        tuple(shorten_trace(loud, result.rule, program)),
        result.outcome or "",
        last.event.told if last is not None and isinstance(last.event, OutcomeReached) else "",
        bool(result.faces),
        setting,
        dict(_choices(case)),
        case,
        _NUMBER.sub("", case.title, count=1) if _NUMBER.match(case.title) else case.title,
        _plainly_given(case, result.inputs, program),
    )


_NUMBER = re.compile(r"[A-Z0-9]+(-[A-Z0-9]+)*-\d+ ")
"""A number by which authors know a case: `D-FWC-46 a number that a handicap has taken stacks nothing`."""


def _plainly_given(case: Case, inputs: Mapping[str, Any], program: ir.Program) -> str:
    """The inputs that a case gives, with titles; those that are records are left out."""
    titles, given = titles_of(program), getattr(case.node.get("given"), "by_key", {})
    constructs = {one.path.rpartition(".")[2]: one for one in _inputs_of(program, case)}
    told = []
    for name, value in inputs.items():
        if name == "actor" or name not in given or value in (None, (), "") or isinstance(value, Mapping):
            continue
        shown = titles.in_text(constructs[name]) if name in constructs else name
        text = titles.value(value)
        if isinstance(value, Thing):
            whole, *parts = text.split(".")
            text = f"{whole}’s {' '.join(parts)}" if parts else text
        if "{" not in text:
            told.append(f"{shown} {text}".replace("_", " "))
    return ", ".join(told)


def _inputs_of(program: ir.Program, case: Case) -> tuple[ir.Declaration, ...]:
    section, _, name = (case.subject or "").rpartition(".")
    rule = program.playable.get(section or "mechanics", {}).get(name)
    return rule.inputs if rule is not None else ()


def _choices(case: Case) -> Iterator[tuple[str, Node]]:
    """The answers of a case that hold whenever a choice is asked."""
    node = case.node.get("choices")
    for name, answer in getattr(node, "by_key", {}).items():
        if isinstance(answer.value, Scalar):  # a list has an answer for each time
            yield name, answer.value

"""The worked example of a rule: a case of the ruleset that plays it, with what happens step by step."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from interpreter import ir
from interpreter.api.result import Result
from interpreter.chances.notebook import inputs_in_words
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.play.trace_events import OutcomeReached
from interpreter.report.short import shorten_trace
from interpreter.report.trace import Line
from interpreter.syntax.document import Node, Scalar
from interpreter.testing.cases import Case, Setting, Trial

MOST_LINES = 40
"""The most lines of an example: a whole fight explains no rule."""
MOST_TRIED = 8
"""How many cases of one rule are tried, if those before cannot be played."""


@dataclass(frozen=True)
class Example:
    """A case that was played: its inputs in words, its trace told short, its outcome and the sentence that tells it.

    `setting` has the rule and its inputs as they were played, and `choices` the answers that the case gives.
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


def example(trial: Trial, cases: Collection[Case], rule: ir.Mechanic, own: Collection[str] = ()) -> Example | None:
    """The first case of a rule that explains it and can be played; None without one.

    Cases of the files `own` come first: those of a house rule show what it changes.
    """
    subject = rule.path.removeprefix("mechanics.")
    fitting = [one for one in cases if one.subject == subject and _explains(one)]
    for case in sorted(fitting, key=lambda one: _order_key(one, own))[:MOST_TRIED]:
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


def _example(case: Case, result: Result, setting: Setting) -> Example:
    program = result.trace.program
    loud = [line for line in result.trace if not line.quiet]
    last = next((line for line in reversed(loud) if line.kind == "outcome" and line.depth == 0), None)
    inputs = {name: value for name, value in result.inputs.items() if name != "actor"}
    return Example(
        case.title,
        inputs_in_words(inputs),
        case.text("actor") or "",
        tuple(shorten_trace(loud, result.rule, program)),
        result.outcome or "",
        last.event.told if last is not None and isinstance(last.event, OutcomeReached) else "",
        bool(result.faces),
        setting,
        dict(_choices(case)),
        case,
    )


def _choices(case: Case) -> Iterator[tuple[str, Node]]:
    """The answers of a case that hold whenever a choice is asked."""
    node = case.node.get("choices")
    for name, answer in getattr(node, "by_key", {}).items():
        if isinstance(answer.value, Scalar):  # a list has an answer for each time
            yield name, answer.value

"""The inputs at which the odds of a rule are compared: those that it declares, those of its cases, or its defaults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace

from interpreter.api.decode import fold_dotted_keys
from interpreter.api.query import Goals
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.pipeline import Loaded
from interpreter.syntax.document import Node, Scalar
from interpreter.syntax.document import Sequence as Listed
from interpreter.testing.cases import Case, Setting, Trial, cases_of, goals_of
from interpreter.testing.typical import typical_node, typical_points

MOST_TRIED, MOST_OWN = 6, 8
"""How many different inputs of cases are tried for one rule that declares none; of cases that changed, some more."""


@dataclass(frozen=True)
class PointToCompare:
    """A rule with its inputs on both sides, and how its choices are answered; `before` is None where it cannot be.

    `case` is the name of the case that it comes from, which `is_own` of the change; or the rule declares the point.
    """

    after: Setting
    before: Setting | None
    choices: Mapping[str, Node] = field(default_factory=dict)
    policy: str | None = None
    options: Mapping[str, Node] = field(default_factory=dict)
    best: Goals | None = None
    worst: Goals | None = None
    case: str = ""
    is_own: bool = False
    declared: bool = False


@dataclass(frozen=True)
class Side:
    """A ruleset without errors, and what tries its cases."""

    made: Loaded
    trial: Trial
    cases: tuple[Case, ...]

    @staticmethod
    def of(loaded: Loaded, trial: Trial) -> Side:
        return Side(loaded, trial, tuple(cases_of(loaded.world.cases)) if loaded.world is not None else ())

    def typical(self, name: str) -> list[dict[str, Node]]:
        """The typical inputs that a mechanic declares."""
        entry = self.made.world.section("mechanics").get(name) if self.made.world is not None else None
        typical = typical_node(entry) if entry is not None else None
        return typical_points(typical) if typical is not None else []


def points_to_compare(path: str, before: Side, after: Side, own: Collection[str]) -> list[PointToCompare]:
    """The points of a rule: those that it declares, those of its cases, or its defaults.

    Cases of the files `own`, which the change is about, come before other cases. Of several cases with the same inputs,
    one counts.
    """
    section, _, name = path.partition(".")
    typical = (after.typical(name) or before.typical(name)) if section == "mechanics" else []
    subject = name if section == "mechanics" else path
    points = list(_case_points(subject, before, after, own))
    if typical:
        return [
            *(
                replace(_point_with_defaults(name, before, after, fold_dotted_keys(one)), declared=True)
                for one in typical
            ),
            *points,
        ]
    if points:
        return points
    rule = after.trial.game.program.playable[section][name]
    is_free = section == "mechanics" and not any(one.required for one in rule.inputs)
    return [_point_with_defaults(name, before, after, {})] if is_free and not after.trial.game.program.has_state else []


def scripted_cases(path: str, after: Side, own: Collection[str]) -> Iterator[tuple[Case, PointToCompare]]:
    """The cases of a rule in the files `own` that list answers one after the other, which only play can follow."""
    section, _, name = path.partition(".")
    subject = name if section == "mechanics" else path
    for case in after.cases:
        answers = getattr(case.node.get("choices"), "by_key", {})
        listed = {key: one.value for key, one in answers.items() if isinstance(one.value, Listed)}
        if case.subject == subject and case.span.source.name in own and listed:
            with suppress(PlayError):
                choices = {key: one.value for key, one in answers.items()}
                yield (
                    case,
                    PointToCompare(after.trial.setting(case), None, choices, case.text("policy"), case=case.name),
                )


def _point_with_defaults(name: str, before: Side, after: Side, inputs: Mapping[str, Node]) -> PointToCompare:
    now = Setting(after.trial.game, name, None, inputs)
    return PointToCompare(now, replace(now, game=before.trial.game) if _has_rule(before, name) else None)


def _has_rule(side: Side, rule: str) -> bool:
    try:
        side.trial.game.rule(rule)
    except PlayError:
        return False
    return True


def _case_points(subject: str, before: Side, after: Side, own: Collection[str]) -> Iterator[PointToCompare]:
    fitting = [one for one in after.cases if one.subject == subject and _may_be_asked(one, one.span.source.name in own)]
    seen: set[str] = set()
    tried = 0
    for case in _order_by_grid(
        sorted(fitting, key=lambda one: (one.span.source.name not in own, not one.states_odds)), own
    ):
        key = _key_of_inputs(case)
        is_own = case.span.source.name in own
        if key in seen or (tried >= MOST_TRIED and not is_own) or tried >= MOST_OWN:
            continue
        seen.add(key)
        try:
            now = after.trial.setting(case)
        except PlayError:
            continue
        tried += 1
        yield PointToCompare(
            now,
            _setting_before(case, subject, before),
            dict(_choices(case)),
            case.text("policy"),
            _options(case),
            goals_of(case.node.get("best")),
            goals_of(case.node.get("worst")),
            case.name,
            is_own=is_own,
        )


def _order_by_grid(cases: Sequence[Case], own: Collection[str]) -> list[Case]:
    """The cases with one cell of each grid before further cells; cases of files `own` come first all the same."""
    seen: Counter[int] = Counter()
    ranks = []
    for one in cases:
        ranks.append((one.span.source.name not in own, seen[id(one.node)]))
        seen[id(one.node)] += 1
    return [one for _, one in sorted(zip(ranks, cases, strict=True), key=lambda pair: pair[0])]


def _may_be_asked(case: Case, is_own: bool) -> bool:
    """Whether a case is a point; one that ends in an error is, where it says what a change no longer allows."""
    return not any(key in case.node for key in ("phase", "rounds", "first", "ends")) and (
        is_own or "error" not in case.node
    )


def _setting_before(case: Case, subject: str, side: Side) -> Setting | None:
    if not _has_rule(side, subject):
        return None
    try:
        return side.trial.setting(case)
    except PlayError:  # only the new rules have what it needs
        return None


def _key_of_inputs(case: Case) -> str:
    """What tells the inputs of two cases apart."""
    parts = [f"{name}={' '.join(node.span.text.split())}" for name, node in sorted(case.inputs.items())]
    for key in ("before", "options", "policy", "best", "worst"):
        node = case.node.get(key)
        parts.append(" ".join(node.span.text.split()) if node is not None else "")
    return "; ".join([*parts, *(f"{name}={node.text}" for name, node in _choices(case))])


def _choices(case: Case) -> Iterator[tuple[str, Scalar]]:
    """The answers of a case that hold whenever a choice is asked."""
    node = case.node.get("choices")
    for name, answer in getattr(node, "by_key", {}).items():
        if isinstance(answer.value, Scalar):
            yield name, answer.value


def _options(case: Case) -> dict[str, Node]:
    node = case.node.get("options")
    return {one.key.text: one.value for one in getattr(node, "entries", ())}

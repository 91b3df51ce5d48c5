"""What changes of rules do to the odds, for people at a terminal and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.cli import tables
from interpreter.delta.figures import Figure, PointDelta, RuleDelta
from interpreter.delta.markdown import change_of, number
from interpreter.delta.rulesets import FolderDelta, RulesetDelta


def change_lines(delta: FolderDelta) -> Iterator[str]:
    """All changes of a folder, ruleset by ruleset."""
    if not delta.rulesets:
        yield "no ruleset has changed"
    for place, one in enumerate(delta.rulesets):
        yield from ["", ""] if place else []
        kind = {"new": "new house rule over " + one.base if one.base else "new", "broken": "has errors"}
        yield f"{one.file}: {one.title or one.name}, {kind.get(one.kind, one.kind)}"
        for reason in one.reasons:
            yield f"  {reason.path}: {reason.what}" + (f" ({reason.why})" if reason.why else "")
        yield from rules(one)
    if delta.beside:
        yield ""
        yield f"read from changed files: {', '.join(delta.beside)}"


def rules(one: RulesetDelta) -> Iterator[str]:
    """The rules of a ruleset whose odds change, each with a table for each of its inputs, and then the others."""
    if one.base and not one.rules:
        yield "  no rule with odds is touched"
    for rule in one.changing:
        for point in rule.points:
            yield ""
            yield f"{rule.name} {point.given or '(defaults)'}"
            yield from _table(point)
        for count, what in (
            (rule.alike, "odds as above"),
            (rule.slight, "changes below 0.05%"),
            (rule.same, "no change"),
        ):
            if count:
                yield f"  {what} at {count} other input{'' if count == 1 else 's'}"
        for allowed, what in ((rule.only_now, "allowed only now"), (rule.no_longer, "no longer allowed")):
            yield from (f"{rule.name} {given or '(defaults)'}: {what}" for given in allowed)
    same = [rule.name for rule in one.rules if not rule.changes and not rule.refused and not rule.is_new]
    rest = [
        ("new", [rule.name for rule in one.rules if rule.is_new]),
        ("changes below 0.05%", [rule.name for rule in one.slight]),
        ("the same odds", same),
        ("what things have afterwards takes too much", [rule.name for rule in one.rules if rule.unread]),
    ]
    refused: dict[str, list[str]] = {}
    for rule in one.rules:
        if rule.refused and not rule.is_new:
            refused.setdefault(rule.refused, []).append(rule.name)
    for title, names in [*rest, *refused.items()]:
        if names:
            yield ""
            yield f"{title}: {', '.join(names)}"


def _table(point: PointDelta) -> Iterator[str]:
    for panel in point.changing:
        if panel.title:
            yield f"  {panel.title}"
        rows = [
            (one.label, number(one, one.before), number(one, one.after), change_of(one))
            for one in panel.figures
            if one.is_possible
        ]
        parts = [["", *(row[0] for row in rows)]]
        for head, at in (("before", 1), ("after", 2), ("change", 3)):
            parts.append([head, *tables.points([row[at] for row in rows])])
        yield from tables.grid(list(zip(*parts, strict=True)))


def as_data(one: RulesetDelta) -> dict[str, Any]:
    """A change of a ruleset as plain data, with fractions."""
    return {
        "file": one.file,
        "ruleset": one.name,
        "kind": one.kind,
        "base": one.base or None,
        "rules": [_rule(rule) for rule in one.rules],
    }


def _rule(rule: RuleDelta) -> dict[str, Any]:
    return {
        "rule": rule.path,
        "title": rule.title,
        "changes": rule.changes,
        "new": rule.is_new,
        "same": rule.same,
        "slight": rule.slight,
        "alike": rule.alike,
        "only_now": [*rule.only_now],
        "no_longer": [*rule.no_longer],
        "refused": rule.refused or None,
        "unread": rule.unread,
        "points": [
            {
                "given": point.given,
                "results": [
                    {
                        "of": panel.title or "outcome",
                        "figures": [_figure(one) for one in panel.figures if one.is_possible],
                    }
                    for panel in point.panels
                ],
            }
            for point in rule.points
        ],
    }


def _is_possible(one: Figure) -> bool:
    return one.is_possible


def _figure(one: Figure) -> dict[str, Any]:
    before, after = (str(value) if value is not None else None for value in (one.before, one.after))
    return {"value": one.label, "mean": one.is_mean, "before": before, "after": after}

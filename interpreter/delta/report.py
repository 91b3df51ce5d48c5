"""What a change does to the odds as a report: in one line, then by ruleset and rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interpreter.chances.report import Report, ReportSection
from interpreter.chances.table import FLAGS, ChanceTable, OddsPoint, sort_key_of_change
from interpreter.chances.words import count_of, short_number
from interpreter.delta.figures import RuleDelta
from interpreter.delta.rulesets import FolderDelta, RulesetDelta

TITLE = "What this does to the odds"
SIDES = ("before", "after")
MOST_NAMED, MOST_RULES = 5, 4
"""The most rules that the first line names, and that are not folded away."""
MOST_REASONS, LONGEST = 8, 160


def folder_report(delta: FolderDelta, before: str, after: str, data: Mapping[str, Any], link: str = "") -> Report:
    """All changes of a folder; `before` and `after` say what is compared, `link` where there is a chart of it."""
    names = ", ".join(f"`{name}`" for name in delta.beside)
    below = [f"Read from changed files, and not shown again here: {names}."] if delta.beside else []
    body = ReportSection(
        lines=tuple(_summary(delta)),
        parts=tuple(map(_ruleset, delta.rulesets)),
        parts_name="rulesets",
        below=tuple(below),
        data={**data, "beside": [*delta.beside]},
    )
    closing = f"All odds are exact. Before is {before}, after is {after}."
    return Report(TITLE, body, sides=SIDES, brief=True, closing=closing, link=link)


def ruleset_report(delta: RulesetDelta, title: str) -> Report:
    """What layers over a ruleset do."""
    return Report(title, _ruleset(delta), sides=SIDES, brief=True)


def _summary(delta: FolderDelta) -> Iterator[str]:
    """What a reader should know who reads one line."""
    if not delta.rulesets:
        yield "No ruleset has changed."
        return
    changing = [(one, rule) for one in delta.rulesets for rule in one.changing_rules]
    broken = [one.name for one in delta.rulesets if one.kind == "broken"]
    if broken:
        yield f"**Cannot be compared because of errors:** {_code_list(broken)}."
    odds = _without_repeated_rules([rule for _, rule in changing if rule.odds_change])
    allowed = _without_repeated_rules([rule for _, rule in changing if rule.only_now or rule.no_longer])
    if odds:
        yield f"**The odds of {count_of(len(odds), 'rule')} change:** {_first_of(odds)}."
        largest = [(table, point, rule) for _, rule in changing for point in rule.points if (table := point.largest)]
        yield _largest_change(*max(largest, key=lambda one: sort_key_of_change(one[0])))
    if allowed:
        yield f"**What is allowed changes in {count_of(len(allowed), 'rule')}:** {_first_of(allowed)}."
    compared = [rule for one in delta.rulesets for rule in one.rules if not rule.refused]
    refused = [rule for one in delta.rulesets for rule in one.rules if rule.refused and rule.refused != "removed"]
    if refused and not compared:
        yield f"**What changes cannot be compared here:** {_first_of(refused)}."
    elif not odds and any(one.rules for one in delta.rulesets):
        what = "No odds change by as much as 0.05%" if any(one.slight for one in delta.rulesets) else "No odds change"
        yield f"{what if allowed else f'**{what}**'} at the inputs that were tried."


def _without_repeated_rules(rules: Sequence[RuleDelta]) -> list[RuleDelta]:
    """The rules without those of the same path, which other rulesets have."""
    return list({rule.path: rule for rule in rules}.values())


def _named_rule(rule: RuleDelta) -> str:
    return f"{rule.title} ({rule.reference})"


def _first_of(rules: Sequence[RuleDelta]) -> str:
    names = [*map(_named_rule, rules)]
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"


def _largest_change(table: ChanceTable, point: OddsPoint, rule: RuleDelta) -> str:
    """The change of a result that is largest, as a sentence."""
    row = table.largest
    assert row is not None
    where = f"in {rule.reference}" + (f", with {point.given}," if point.given else "")
    if table.certain:
        before, after = table.certain
        return f"The largest change: {table.title} {where} is **{after}** instead of {before}."
    is_named = table.title in ("", FLAGS)
    name = row.label if is_named else table.title if row.kind == "mean" else f"{table.title} {row.label}"
    after = short_number(row, row.number)
    if row.base is None:
        return f"The largest change: {name} {where} is new: **{after}**."
    change = f"from {short_number(row, row.base)} to **{after}**" + (" on average" if row.kind == "mean" else "")
    return f"The largest change: {name} {where} goes {change}."


def _code_list(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _ruleset(one: RulesetDelta) -> ReportSection:
    return ReportSection(
        title=one.title,
        name=one.name,
        source=one.file,
        state=_state_in_words(one),
        about=one.about,
        lines=tuple(_reasons(one)),
        parts=tuple(_rule(rule, rule not in one.changing_rules) for rule in one.rules),
        parts_name="rules",
        most_parts=MOST_RULES if len(one.changing_rules) > MOST_RULES + 1 else None,
        below=tuple(_rules_not_shown(one)) if one.kind == "changed" or one.base else (),
        data={"file": one.file, "ruleset": one.name, "kind": one.kind, "base": one.base or None},
    )


def _state_in_words(one: RulesetDelta) -> str:
    match one.kind:
        case "removed":
            return "removed"
        case "broken":
            return "has errors, so nothing can be compared"
        case "new":
            return f"a new house rule over {one.base}" if one.base else "a new ruleset, with nothing to compare it with"
    return ""


def _reasons(one: RulesetDelta) -> Iterator[str]:
    for reason in one.reasons[:MOST_REASONS]:
        why = f" — {reason.why}" if reason.why else ""
        yield f"`{reason.path}`: {_short(reason.what)}{why}"
    if len(one.reasons) > MOST_REASONS:
        yield f"and {len(one.reasons) - MOST_REASONS} more"


def _short(text: str) -> str:
    """Text of a rule in one line, cut where it is long; a code span that is cut is closed."""
    if len(text) <= LONGEST:
        return text
    cut = text[: LONGEST - 1]
    return cut + "…" + ("`" if cut.count("`") % 2 else "")


def _rule(rule: RuleDelta, aside: bool) -> ReportSection:
    return ReportSection(
        title=rule.title,
        name=rule.name,
        kind="" if rule.section == "mechanics" else rule.section[:-1],
        points=rule.points,
        below=tuple(_other_inputs(rule)),
        aside=aside,
        data={
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
        },
    )


def _other_inputs(rule: RuleDelta) -> Iterator[str]:
    for given, what in ((rule.only_now, "Allowed only now"), (rule.no_longer, "No longer allowed")):
        if given:
            yield f"{what}: {'; '.join(one or 'the defaults' for one in given)}."
    rest = [
        f"{rule.alike} with odds as above" if rule.alike else "",
        f"{rule.slight} with changes below 0.05%" if rule.slight else "",
        f"{rule.same} without any change" if rule.same else "",
    ]
    if any(rest):
        yield f"Other inputs that were tried: {', '.join(filter(None, rest))}."


def _rules_not_shown(one: RulesetDelta) -> Iterator[str]:
    """The rules that are touched and not shown, and why."""
    if one.slight:
        yield f"Touched, with changes below 0.05% at every input that was tried: {_titles(one.slight)}."
    new = [rule for rule in one.rules if rule.is_new]
    if new:
        yield f"New: {_titles(new)}."
    gone = [rule for rule in one.rules if rule.refused == "removed"]
    if gone:
        yield f"Removed: {_titles(gone)}."
    same = [rule for rule in one.rules if not rule.changes and not rule.refused and not rule.is_new and rule.same]
    if same:
        yield f"Touched, with the same odds at every input that was tried: {_titles(same)}."
    refused: dict[str, list[RuleDelta]] = {}
    for rule in one.rules:
        if rule.refused and rule.refused != "removed" and not rule.is_new:
            refused.setdefault(rule.refused, []).append(rule)
    for why, rules in refused.items():
        yield f"Touched, and not compared: {_titles(rules)} ({why})."
    unread = [rule for rule in one.rules if rule.unread]
    if unread:
        yield f"What things have afterwards takes too much to compare: {_titles(unread)}."
    if not one.rules:
        yield "No rule with odds is touched."


def _titles(rules: Sequence[RuleDelta]) -> str:
    return ", ".join(rule.reference for rule in rules)

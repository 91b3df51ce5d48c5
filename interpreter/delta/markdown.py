"""What a change does to the odds as Markdown, for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from interpreter.delta.compared import Figure, PointDelta, RuleDelta
from interpreter.delta.rulesets import FolderDelta, RulesetDelta
from interpreter.report.figures import percent

HEADING = "## What this does to the odds"
MOST_COLUMNS = 6
"""The most results that stand side by side in a table with a line for each input."""
MOST_LINES = 12
"""The most lines of a table that is not folded away."""
MOST_REASONS, LONGEST = 8, 160
LONGEST_COMMENT = 60_000
"""GitHub takes comments of 65,536 characters."""


def comment(delta: FolderDelta, before: str, after: str, picture: str = "") -> str:
    """The whole comment; `before` and `after` say what is compared, `picture` is where the chart can be seen."""
    parts = [HEADING, "\n".join(_summary(delta))]
    for one in delta.rulesets:
        parts.append("\n\n".join(_ruleset(one)))
    if delta.beside:
        names = ", ".join(f"`{name}`" for name in delta.beside)
        parts.append(f"Read from changed files, and not shown again here: {names}.")
    if picture:
        parts.append(f"[The same as a chart]({picture})")
    told = "All odds are exact; what things gain and lose is not compared."
    parts.append(f"<sub>{told} Before is {before}, after is {after}.</sub>")
    text = "\n\n".join(filter(None, parts)) + "\n"
    if len(text) <= LONGEST_COMMENT:
        return text
    end = text.rfind("\n\n### ", 0, LONGEST_COMMENT)
    left = "The rest is too long for a comment; `houserule delta` prints it all."
    return f"{text[: end if end > 0 else LONGEST_COMMENT]}\n\n{left}\n"


def _summary(delta: FolderDelta) -> Iterator[str]:
    """What a reader should know who reads one line."""
    if not delta.rulesets:
        yield "No ruleset has changed."
        return
    changing = [(one, rule) for one in delta.rulesets for rule in one.changing]
    broken = [one.name for one in delta.rulesets if one.kind == "broken"]
    if broken:
        yield f"**Cannot be compared because of errors:** {_named(broken)}."
    if not changing:
        if any(one.rules for one in delta.rulesets):
            yield "**No odds change** at the inputs that were tried."
        return
    names = list(dict.fromkeys(f"{rule.title} (`{rule.name}`)" for _, rule in changing))
    yield f"**The odds of {_count(len(names), 'rule')} change:** {', '.join(names)}."
    found = [(figure, point, rule) for _, rule in changing for point in rule.points if (figure := point.largest)]
    if found:
        figure, point, rule = max(found, key=lambda one: abs(difference(one[0])))
        given = f", with {point.given}" if point.given else ""
        yield (
            f"The largest change: {figure.label} in `{rule.name}`{_cell(given)} goes from "
            f"{percent(figure.before or Fraction(0))} to **{percent(figure.after or Fraction(0))}**."
        )


def difference(one: Figure) -> Fraction:
    """How much a number changes."""
    return (one.after or Fraction(0)) - (one.before or Fraction(0))


def _named(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _count(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")


def _ruleset(one: RulesetDelta) -> Iterator[str]:
    title = f"{_cell(one.title)} (`{one.name}`)" if one.title and one.title != one.name else f"`{one.name}`"
    match one.kind:
        case "removed":
            yield f"### {title}: removed"
            return
        case "broken":
            yield f"### {title}: has errors, so nothing can be compared"
            return
        case "new" if not one.base:
            yield f"### {title}: a new ruleset, with nothing to compare it with"
            return
        case "new":
            yield f"### {title}: a new house rule over {_cell(one.base)}"
        case _:
            yield f"### {title}"
    if one.about:
        yield f"> {_cell(one.about)}"
    if one.reasons:
        yield "\n".join(_reasons(one))
    for rule in one.changing:
        yield from _rule(rule)
    yield from _others(one)


def _reasons(one: RulesetDelta) -> Iterator[str]:
    for reason in one.reasons[:MOST_REASONS]:
        why = f" — {_cell(reason.why)}" if reason.why else ""
        yield f"- `{reason.path}`: {_short(reason.what)}{why}"
    if len(one.reasons) > MOST_REASONS:
        yield f"- and {len(one.reasons) - MOST_REASONS} more"


def _short(text: str) -> str:
    """Text of a rule in one line, cut where it is long; a code span that is cut is closed."""
    if len(text) <= LONGEST:
        return text
    cut = text[: LONGEST - 1]
    return cut + "…" + ("`" if cut.count("`") % 2 else "")


def _rule(rule: RuleDelta) -> Iterator[str]:
    yield f"#### {_cell(rule.title)} (`{rule.name}`)"
    lines = [line for table in _tables(rule.points) for line in (*table, "")][:-1]
    rest = [
        f"{rule.alike} with odds as above" if rule.alike else "",
        f"{rule.slight} with changes below 0.05%" if rule.slight else "",
        f"{rule.same} without any change" if rule.same else "",
    ]
    if any(rest):
        lines += ["", f"Other inputs that were tried: {', '.join(filter(None, rest))}."]
    text = "\n".join(lines)
    if len(lines) > MOST_LINES + 4:
        yield f"<details><summary>{_count(len(rule.points), 'input')}</summary>\n\n{text}\n\n</details>"
    else:
        yield text


def _tables(points: Sequence[PointDelta]) -> Iterator[list[str]]:
    """One table with a line for each point where that fits, otherwise a table for each point."""
    titles = {panel.title for point in points for panel in point.changing}
    by_point = [(point, _columns(point, titles)) for point in points]
    labels = list(dict.fromkeys(label for _, known in by_point for label in known))
    if len(labels) > MOST_COLUMNS:
        changing = [one for one in labels if any(one in known and known[one].changes for _, known in by_point)]
        labels = changing if len(changing) <= MOST_COLUMNS else labels
    if len(points) > 1 and 0 < len(labels) <= MOST_COLUMNS:
        yield [
            f"| with | {' | '.join(map(_cell, labels))} |",
            f"|---|{'--:|' * len(labels)}",
            *(
                f"| {_cell(point.given) or 'defaults'} | {' | '.join(both(known.get(label)) for label in labels)} |"
                for point, known in by_point
            ),
        ]
        return
    for point in points:
        yield [
            *([f"With {_cell(point.given)}:", ""] if point.given else []),
            "| | before | after | change |",
            "|---|--:|--:|--:|",
            *_lines(point),
        ]


def _columns(point: PointDelta, titles: set[str]) -> dict[str, Figure]:
    """The figures of some results of a point that tell the most: of a number its mean, of words each chance."""
    found: dict[str, Figure] = {}
    for panel in (one for one in point.panels if one.title in titles):
        mean = [one for one in panel.figures if one.is_mean]
        for one in mean or panel.figures:
            label = f"{panel.title}, {one.label}" if panel.title and panel.title != "also" else one.label
            found[label] = one
    return found


def _lines(point: PointDelta) -> Iterator[str]:
    for panel in point.changing:
        if panel.title:
            yield f"| *{_cell(panel.title)}* | | | |"
        for one in panel.figures:
            before, after = number(one, one.before), number(one, one.after)
            change = change_of(one)
            yield f"| {_cell(one.label)} | {before} | {f'**{after}**' if after != before else after} | {change} |"


def both(one: Figure | None) -> str:
    """A number before and after; one that stays is written once."""
    if one is None:
        return "0%"
    before, after = number(one, one.before), number(one, one.after)
    if not one.changes:
        return after
    return f"{before} → **{after}**" if before != after else f"{after} ({change_of(one)})"


def number(one: Figure, value: Fraction | None) -> str:
    """A chance in percent, or a mean; `-` where there is none."""
    if value is None:
        return "-"
    return f"{float(value):.4g}" if one.is_mean else percent(value)


def change_of(one: Figure) -> str:
    """The difference, with its sign."""
    if one.before is None or one.after is None:
        return "new" if one.before is None else "gone"
    if not one.changes:
        return "="
    return f"{float(difference(one)):+.3g}" if one.is_mean else percent(difference(one), sign=True)


def _others(one: RulesetDelta) -> Iterator[str]:
    """The rules that are touched and not shown, and why."""
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
        yield f"Touched, and not compared: {_titles(rules)} ({_cell(why)})."
    if not one.rules:
        yield "No rule with odds is touched."


def _titles(rules: Sequence[RuleDelta]) -> str:
    return ", ".join(f"`{rule.name}`" for rule in rules)


def _cell(text: str) -> str:
    """Text that cannot end a cell or begin an element of HTML."""
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())

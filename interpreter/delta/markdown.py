"""What a change does to the odds as Markdown, for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from interpreter.delta.figures import FLAGS, SLIGHT, Figure, PointDelta, RuleDelta, ValueTable, rank
from interpreter.delta.rulesets import FolderDelta, RulesetDelta
from interpreter.frozen import dataclass
from interpreter.report.figures import percent
from interpreter.values import in_words

HEADING = "## What this does to the odds"
MOST_COLUMNS = 6
"""The most results that stand side by side in a table with a line for each input."""
MOST_LINES = 12
"""The most lines of a table that is not folded away."""
MOST_NAMED, MOST_RULES = 5, 4
"""The most rules that the first line names, and that are not folded away."""
MOST_VALUES = 8
"""The most values of a law of which unlikely ones are shown, too."""
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
    parts.append(f"<sub>All odds are exact. Before is {before}, after is {after}.</sub>")
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
    odds = _once([rule for _, rule in changing if rule.odds_change])
    allowed = _once([rule for _, rule in changing if rule.only_now or rule.no_longer])
    if odds:
        yield f"**The odds of {_count(len(odds), 'rule')} change:** {_first_of(odds)}."
        found = [(table, point, rule) for _, rule in changing for point in rule.points if (table := point.largest)]
        yield _largest(*max(found, key=lambda one: rank(one[0])))
    if allowed:
        yield f"**What is allowed changes in {_count(len(allowed), 'rule')}:** {_first_of(allowed)}."
    compared = [rule for one in delta.rulesets for rule in one.rules if not rule.refused]
    refused = [rule for one in delta.rulesets for rule in one.rules if rule.refused and rule.refused != "removed"]
    if refused and not compared:
        yield f"**What changes cannot be compared here:** {_first_of(refused)}."
    elif not odds and any(one.rules for one in delta.rulesets):
        what = "No odds change by as much as 0.05%" if any(one.slight for one in delta.rulesets) else "No odds change"
        yield f"{what if allowed else f'**{what}**'} at the inputs that were tried."


def _once(rules: Sequence[RuleDelta]) -> list[RuleDelta]:
    """The rules without those of the same path, which other rulesets have."""
    return list({rule.path: rule for rule in rules}.values())


def _named_rule(rule: RuleDelta) -> str:
    return f"{_cell(rule.title)} ({_name(rule)})"


def _name(rule: RuleDelta) -> str:
    """The name of a rule to type, with its kind where it is no mechanic, as an action may be called like one."""
    return f"`{rule.name}`" if rule.section == "mechanics" else f"{rule.section[:-1]} `{rule.name}`"


def _first_of(rules: Sequence[RuleDelta]) -> str:
    names = [*map(_named_rule, rules)]
    if len(names) <= MOST_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"


def _largest(table: ValueTable, point: PointDelta, rule: RuleDelta) -> str:
    """The change of a result that is largest, as a sentence."""
    figure = table.largest
    assert figure is not None
    where = f"in {_name(rule)}" + (f", with {_cell(point.given)}," if point.given else "")
    if table.certain:
        before, after = table.certain
        return f"The largest change: {_cell(table.title)} {where} is **{_cell(after)}** instead of {_cell(before)}."
    is_named = table.title in ("", FLAGS)
    name = figure.label if is_named else table.title if figure.is_mean else f"{table.title} {figure.label}"
    after = number(figure, figure.after)
    if figure.before is None:
        return f"The largest change: {_cell(name)} {where} is new: **{after}**."
    change = f"from {number(figure, figure.before)} to **{after}**" + (" on average" if figure.is_mean else "")
    return f"The largest change: {_cell(name)} {where} goes {change}."


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
    most = MOST_RULES if len(one.changing) > MOST_RULES + 1 else len(one.changing)
    for rule in one.changing[:most]:
        yield from _rule(rule)
    rest = one.changing[most:]
    if rest:
        yield f"<details><summary>{_count(len(rest), 'more rule')}</summary>"
        for rule in rest:
            yield from _rule(rule)
        yield "</details>"
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
    yield f"#### {_named_rule(rule)}"
    if rule.points:
        tables = list(_tables(rule.points))
        text = "\n\n".join("\n".join(lines) for lines in tables)
        is_long = len(tables) > 1 and sum(map(len, tables)) > MOST_LINES
        yield _folded(_count(len(rule.points), "input"), text) if is_long else text
        yield from _law(rule.points)
    for given, what in ((rule.only_now, "Allowed only now"), (rule.no_longer, "No longer allowed")):
        if given:
            yield f"{what}: {_cell('; '.join(one or 'the defaults' for one in given))}."
    rest = [
        f"{rule.alike} with odds as above" if rule.alike else "",
        f"{rule.slight} with changes below 0.05%" if rule.slight else "",
        f"{rule.same} without any change" if rule.same else "",
    ]
    if any(rest):
        yield f"Other inputs that were tried: {', '.join(filter(None, rest))}."


def _folded(summary: str, text: str) -> str:
    return f"<details><summary>{_cell(summary)}</summary>\n\n{text}\n\n</details>"


def _tables(points: Sequence[PointDelta]) -> Iterator[list[str]]:
    """One table with a line for each point where that fits, otherwise a table for each point."""
    columns = _columns(points)
    if len(columns) > MOST_COLUMNS:
        columns = [one for one in columns if one.changes]
    if 0 < len(columns) <= MOST_COLUMNS and (len(points) > 1 or len(list(_lines(points[0]))) > MOST_LINES):
        yield [
            f"| with | {' | '.join(_cell(one.title) for one in columns)} |",
            f"|---|{'--:|' * len(columns)}",
            *(
                f"| {_cell(point.given) or 'defaults'} | {' | '.join(one.cells[place] for one in columns)} |"
                for place, point in enumerate(points)
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


@dataclass(frozen=True)
class _Column:
    """A column of a table with a line for each point."""

    title: str
    cells: tuple[str, ...]
    changes: bool


def _columns(points: Sequence[PointDelta]) -> list[_Column]:
    """What tells the most of what changes: a value that is certain, the mean of a number, the chances of words."""
    titles = dict.fromkeys(panel.title for point in points for panel in point.changing)
    found = []
    for title in titles:
        tables = [next((panel for panel in point.panels if panel.title == title), None) for point in points]
        known = [one for one in tables if one is not None]
        changes = any(one.changes for one in known)
        if all(one.certain for one in known):
            found.append(_Column(title, tuple(_certain(one) for one in tables), changes))
        elif all(any(figure.is_mean for figure in one.figures) for one in known):
            means = tuple(_cell_of(one, _of(one, "mean")) for one in tables)
            found.append(_Column(f"{title}, mean", means, changes))
        else:
            figures = [figure for one in known for figure in one.figures if not figure.is_mean]
            telling = {figure.label for figure in figures if figure.is_possible and _is_telling(figure)}
            for label in dict.fromkeys(figure.label for figure in figures if figure.label in telling):
                cells = tuple(_cell_of(one, _of(one, label)) for one in tables)
                name = label if title in ("", FLAGS) else f"{title}: {label}"
                found.append(_Column(name, cells, any(one.changes for one in figures if one.label == label)))
    return found


def _of(table: ValueTable | None, label: str) -> Figure | None:
    return next((one for one in table.figures if one.label == label), None) if table is not None else None


def _cell_of(table: ValueTable | None, figure: Figure | None) -> str:
    """A figure of a table; a value that is not there has no chance, and a table that is not there says nothing new."""
    return both(figure) if figure is not None else "0%" if table is not None else "="


def _certain(table: ValueTable | None) -> str:
    if table is None or table.certain is None:
        return "="
    before, after = map(_cell, table.certain)
    return f"{before} → **{after}**" if before != after else after


def _is_telling(one: Figure) -> bool:
    """Whether a chance is worth a place: that of what was not followed, or of no value, only where it can be seen."""
    if one.is_rest:
        return max(one.before or 0, one.after or 0) >= SLIGHT
    return one.label != in_words(None) or abs(one.difference) >= SLIGHT


def _law(points: Sequence[PointDelta]) -> Iterator[str]:
    """The whole law of the numbers of which the table shows the mean, where they change most."""
    if len(points) == 1 and len(list(_lines(points[0]))) <= MOST_LINES:
        return
    point = max(points, key=lambda one: one.size)
    table = point.largest
    if table is None or table.certain or not any(one.is_mean for one in table.figures):
        return
    if len(_columns(points)) <= MOST_COLUMNS:
        lines = ["| | before | after | change |", "|---|--:|--:|--:|", *_lines(replace(point, panels=(table,)))]
        yield _folded(f"{table.title} in full, with {point.given or 'the defaults'}", "\n".join(lines))


def _lines(point: PointDelta) -> Iterator[str]:
    for panel in point.changing:
        if panel.certain:
            before, after = map(_cell, panel.certain)
            change = next((change_of(one) for one in panel.figures if one.is_mean), "")
            yield f"| {_cell(panel.title)} | {before} | {f'**{after}**' if after != before else after} | {change} |"
            continue
        if panel.title:
            yield f"| *{_cell(panel.title)}* | | | |"
        is_long = sum(one.is_possible for one in panel.figures) > MOST_VALUES
        for one in panel.figures:
            if not one.is_possible or (one.is_rest and not _is_telling(one)):
                continue
            if is_long and not one.is_mean and max(one.before or 0, one.after or 0) < SLIGHT:
                continue
            before, after = number(one, one.before), number(one, one.after)
            strong = f"**{after}**" if after != before else after
            yield f"| {_cell(one.label)} | {before} | {strong} | {change_of(one)} |"


def both(one: Figure) -> str:
    """A number before and after; one that stays is written once."""
    before, after = number(one, one.before), number(one, one.after)
    if one.before is None:
        return f"new: **{after}**"
    if not one.changes:
        return after
    return f"{before} → **{after}**" if before != after else f"{after} ({change_of(one)})"


def number(one: Figure, value: Fraction | None) -> str:
    """A chance in percent, or a mean; `-` where there is none."""
    if value is None:
        return "-"
    if not one.is_mean:
        return percent(value)
    return f"{float(value):.4g}" if not one.slack else f"{float(value):.3g}"


def change_of(one: Figure) -> str:
    """The difference, with its sign."""
    if one.before is None or one.after is None:
        return "new" if one.before is None else "gone"
    if not one.changes:
        return "="
    return f"{float(one.difference):+.3g}" if one.is_mean else percent(one.difference, sign=True)


def _others(one: RulesetDelta) -> Iterator[str]:
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
        yield f"Touched, and not compared: {_titles(rules)} ({_cell(why)})."
    unread = [rule for rule in one.rules if rule.unread]
    if unread:
        yield f"What things have afterwards takes too much to compare: {_titles(unread)}."
    if not one.rules:
        yield "No rule with odds is touched."


def _titles(rules: Sequence[RuleDelta]) -> str:
    return ", ".join(map(_name, rules))


def _cell(text: str) -> str:
    """Text that cannot end a cell or begin an element of HTML."""
    return " ".join(text.replace("|", "\\|").replace("<", "&lt;").split())

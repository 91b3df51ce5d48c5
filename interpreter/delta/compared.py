"""The odds of the rules that a change touches, before and after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from interpreter import diagnostics as say
from interpreter.api.exact_odds import Allowance, exact_odds
from interpreter.api.game import Game
from interpreter.api.query import Query
from interpreter.chances.laws import compared_tables
from interpreter.chances.shortening import PAGE_LINES, shorten
from interpreter.chances.table import SLIGHT, ChanceRow, ChanceTable, Subject, with_flags_together
from interpreter.delta.figures import PointDelta, RuleDelta
from interpreter.delta.given import describe_inputs
from interpreter.delta.left import left_tables
from interpreter.delta.points import PointToCompare, Side, points_to_compare, scripted_cases
from interpreter.delta.touched import removed_rules, rules_that_write, touched_rules
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.layers.merge import Merged
from interpreter.layers.renamed_paths import RenamedPath, names_for, renamed_paths
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Comparison, Renamed
from interpreter.pipeline import Loaded
from interpreter.rulebook.chances import BOUND, names_shown
from interpreter.testing.cases import REFUSALS, Case, Setting, Trial

LIMITS = BOUND
"""The bound of one law, as on the pages of rulebooks: about a second, and the same on every machine."""


def rule_deltas(
    before: Loaded, after: Loaded, own: Collection[str], watch: Callable[[int, int], None] = lambda done, of: None
) -> list[RuleDelta]:
    """The rules that differ between two rulesets without errors; `own` are the names of the files that changed.

    `watch` is told how many rules are done, of how many.
    """
    assert before.program is not None and after.program is not None
    assert before.world is not None and after.world is not None
    old = Side.of(before, Trial(Game(before.program, before.world)))
    new = Side.of(after, Trial(Game(after.program, after.world)))
    renamed = renamings(after.merged)
    paths = touched_rules(before.program, after.program)
    writing = rules_that_write(before.program) | rules_that_write(after.program)
    deltas = []
    for number, path in enumerate(paths):
        watch(number, len(paths))
        deltas.append(_compare_rule(path, old, new, own, Renamed(*names_for(renamed, path)), path in writing))
    for path in touched_rules(before.program, after.program, ["scenes"]):
        deltas.append(RuleDelta(path, _title(after, path), refused="scenes are played, and not compared"))
    gone = [
        RuleDelta(path, _title(before, path), refused="removed")
        for path in removed_rules(before.program, after.program)
    ]
    called = {".".join((*scope, name)) for scope, name, _ in renamed}
    return [*deltas, *(one for one in gone if one.path not in called)]


def renamings(merged: Merged | None) -> tuple[RenamedPath, ...]:
    """The names that house rules give."""
    return renamed_paths(one.change for one in merged.applied) if merged is not None else ()


def _title(loaded: Loaded, path: str) -> str:
    section, _, name = path.partition(".")
    return loaded.program.playable[section][name].title if loaded.program is not None else name


def _compare_rule(path: str, old: Side, new: Side, own: Collection[str], renamed: Renamed, writes: bool) -> RuleDelta:
    """What a change does to a rule; `writes` says whether things may have something else after it."""
    delta = RuleDelta(path, _title(new.made, path))
    section, _, name = path.partition(".")
    assert old.made.program is not None
    is_new = name not in old.made.program.playable[section]
    points = points_to_compare(path, old, new, own)
    if not points:
        return replace(delta, refused="no inputs to compare at: no case plays it, and it declares none", is_new=is_new)
    seen = _Seen(writes)
    declared = [one for one in points if one.declared]
    others = [one for one in points if not one.declared]
    for one in (*declared, *others):
        if one.before is None and not is_new:
            seen.refused = seen.refused or "what its cases give, the rules before do not have"
            continue
        if not one.declared and len(seen.shown) == len(declared) + MOST_SHOWN:
            break
        if declared and not (one.declared or one.is_own) and any(each.changes for each in seen.shown):
            break  # other cases are tried only where neither the declared points nor the cases of the change do
        seen.add(one, renamed, keep=is_new or one.declared)
    if not is_new:
        seen.add_scripted(path, old, new, own)
    delta = replace(
        delta, only_now=tuple(seen.only_now), no_longer=tuple(seen.no_longer), unread=seen.unread, is_new=is_new
    )
    shown, same = seen.shown, seen.same
    if not shown and not same:
        return replace(delta, refused="" if delta.changes else seen.refused)
    if is_new:
        return replace(delta, points=tuple(_with_case_names(shown)), same=same)
    tables = [table for one in shown for table in one.tables]
    has_outcome = any(table.subject == Subject.RESULT and not table.title for table in tables)
    if has_outcome and any(table.changes and table.subject != Subject.BEHIND for table in tables):
        # Where an outcome changes, the values behind it say nothing more. Without one, any value may be the result.
        shown = [replace(one, tables=_tables_of_results(one)) for one in shown]
    grid = [one for one in shown if one.declared]
    rest = [one for one in shown if not one.declared]
    if not any(one.changes for one in grid):
        grid, same = [], same + len(grid)
    if len(grid) > 1 and len({one.changing_tables for one in grid}) == 1:
        grid = [replace(grid[0], given=f"all {len(grid)} typical inputs")]
    changed = [one for one in rest if one.changes]
    same += len(rest) - len(changed)
    distinct = list({one.tables: one for one in (*reversed(changed), *grid)}.values())[::-1]
    distinct = sorted([one for one in distinct if not one.declared], key=lambda one: -one.size)
    clear = [one for one in distinct if one.size >= SLIGHT] or ([] if grid else distinct[:1])
    return replace(
        delta,
        points=tuple(_with_case_names([*grid, *clear])),
        same=same,
        slight=len(distinct) - len(clear),
        alike=len(changed) - len(distinct),
    )


class _Seen:
    """What the points of a rule have shown so far."""

    def __init__(self, writes: bool) -> None:
        self.writes = writes
        self.shown: list[PointDelta] = []
        self.only_now: list[str] = []
        self.no_longer: list[str] = []
        self.same = 0
        self.looked = Counter[bool]()
        self.refused = ""
        self.unread = False

    def add(self, one: PointToCompare, renamed: Renamed, keep: bool) -> None:
        """Compare the odds at a point; it is shown if they change, or is to be kept anyway."""
        after, before = (
            odds_or_problem(one.after, one),
            odds_or_problem(one.before, one) if one.before is not None else None,
        )
        problems = [side for side in (after, before) if isinstance(side, Diagnostic)]
        if problems:
            sides = 1 if before is None else 2
            if len(problems) < sides and problems[0].code in FORBIDS:
                (self.no_longer if problems[0] is after else self.only_now).append(describe_inputs(one))
            elif not all(problem.code in FORBIDS for problem in problems):
                self.refused = self.refused or next(each.message for each in problems if each.code not in FORBIDS)
            return
        assert isinstance(after, Odds) and not isinstance(before, Diagnostic)
        try:
            point = self._point(one, before, after, renamed)
        except PlayError as problem:
            self.refused = self.refused or problem.diagnostic.message
            return
        if point is None or not (point.changes or keep):
            self.same += 1
        else:
            self.shown.append(replace(point, declared=one.declared))

    def add_scripted(self, path: str, old: Side, new: Side, own: Collection[str]) -> None:
        """Note which of the cases of the change that list answers only one side allows."""
        for case, one in scripted_cases(path, new, own):
            now = _allows(new.trial, case)
            if now != _allows(old.trial, case):
                (self.only_now if now else self.no_longer).append(f"{describe_inputs(one)} (“{case.name}”)")

    def _point(self, one: PointToCompare, before: Odds | None, after: Odds, renamed: Renamed) -> PointDelta | None:
        """The odds at a point; None where nothing is left to chance on either side."""
        names = names_shown(one.after, after)
        if before is None or one.before is None:
            tables = [table.without_base() for table in _tables(Comparison(after, after), names)]
            return PointDelta(describe_inputs(one), tuple(tables), case=one.case) if tables else None
        both = Comparison(before, after, renamed)
        tables = _tables(both, names)
        told_already = {_chances(table) for table in tables}
        left = self._tables_of_things_after(one.before, one.after, before, after)
        tables += [table for table in left if _chances(table) not in told_already]
        if self.looked[one.declared] < MOST_DEEP and not any(table.changes for table in tables):
            behind = _tables_behind_results(both, names)
            self.looked[one.declared] += not behind
            tables += behind
        return PointDelta(describe_inputs(one), tuple(tables), case=one.case) if tables else None

    def _tables_of_things_after(self, before: Setting, after: Setting, old: Odds, new: Odds) -> list[ChanceTable]:
        """What things have afterwards, where that differs; not looked for any more once it was too much for a rule."""
        if self.unread or not self.writes:
            return []
        try:
            return left_tables(before, after, (old, new))
        except PlayError as problem:
            self.unread = problem.diagnostic.code in TOO_MANY
            return []


def _allows(trial: Trial, case: Case) -> bool:
    """Whether rules allow what a case does, even where they ask for more than it has."""
    try:
        trial.result(case)
    except PlayError as problem:
        return problem.diagnostic.code not in FORBIDS
    return True


FORBIDS = (*REFUSALS, "HR604", "HR605", "HR606", "HR620", "HR625", say.NOT_LEGAL)
"""The codes of what rules do not allow: an input, an answer, a price that cannot be paid, a thing that is not legal."""
TOO_MANY = (*say.TOO_LARGE, "HR816")
"""The codes of paths that are too many to say what things have after them."""


def _with_case_names(points: Sequence[PointDelta]) -> Iterator[PointDelta]:
    """Points with the same inputs get the names of their cases: what tells them apart is the state before."""
    many = Counter(one.given for one in points)
    for one in points:
        text = f"{one.given} (“{one.case}”)" if one.given else f"“{one.case}”"
        yield replace(one, given=text) if many[one.given] > 1 and one.case else one


def _chances(one: ChanceTable) -> frozenset[tuple[Fraction | None, Fraction | None]]:
    """The chances of a table without their labels: a state that is named like the outcome says nothing new."""
    return frozenset((row.base, row.number) for row in one.shares)


def _tables_of_results(one: PointDelta) -> tuple[ChanceTable, ...]:
    return tuple(table for table in one.tables if table.subject != Subject.BEHIND)


MOST_DEEP = 2
"""At how many declared points and cases, where these stay too, the values behind the results are compared."""
MOST_BEHIND = 2
"""How many values that are no results of a rule are shown where its results stay as they are."""


def _tables_behind_results(both: Comparison, shown: Collection[str]) -> list[ChanceTable]:
    """The last values of steps whose odds change, the last one first; equal odds are those of one value."""
    names = [one for one in both.b.known if "." not in one and one not in shown and one not in both.b.composite]
    tables: dict[tuple[ChanceRow, ...], ChanceTable] = {}
    for name in reversed(names):
        for table in _tables(both, {name}, Subject.BEHIND) if _changes(both, name) else ():
            if table.changes and len(tables) < MOST_BEHIND:
                tables.setdefault(table.lines, table)
    return list(tables.values())


def _changes(both: Comparison, name: str) -> bool:
    try:
        return any(one.difference for one in both.of(name).values())
    except (PlayError, TypeError):
        return False


def odds_or_problem(setting: Setting, one: PointToCompare) -> Odds | Diagnostic:
    """The odds of one side of a point, or why there are none."""
    query = Query(
        setting.game, setting.rule, setting.inputs, setting.state, one.choices or None, one.policy,
        best=one.best, worst=one.worst,
    )  # fmt: skip
    try:
        odds = exact_odds(query, Allowance(LIMITS))
        if all(odds.missing_of(name) == 1 for name in odds.results):
            raise PlayError(say.nothing_followed(odds.results))
    except PlayError as problem:
        return problem.diagnostic
    return odds


MOST_SHOWN = 4
"""How many inputs of cases are shown for a rule that declares none: that many changes say what there is to say."""


def _tables(both: Comparison, shown: Collection[str], about: Subject = Subject.RESULT) -> list[ChanceTable]:
    """The results of both sides that are told, in the order of the rule."""
    known = {name: words for name, words in both.b.known.items() if name in shown}
    tables = compared_tables(replace(both, b=replace(both.b, known=known)))
    return [replace(one, subject=about) for one in with_flags_together(map(_readable_table, tables))]


def _readable_table(table: ChanceTable) -> ChanceTable:
    """A table in words; a difference up to what was not followed may be none."""
    slack = sum(table.missing.numbers, Fraction(0)) if table.missing is not None else Fraction(0)
    shown = shorten(table, PAGE_LINES).with_plain_words()
    rows, missing, mean = shown.rows, shown.missing, shown.mean
    if _may_be_absent(table):
        rows, missing = tuple(row for row in rows if row.value is True), None
    return replace(
        shown,
        rows=tuple(replace(row, slack=slack) for row in rows),
        missing=replace(missing, slack=slack) if missing is not None else None,
        mean=replace(mean, slack=Fraction(mean.error)) if mean is not None else None,
    )


def _may_be_absent(table: ChanceTable) -> bool:
    """Whether a value is yes, no or nothing at all: only yes is worth a line."""
    values = {row.value for row in table.rows}
    return None in values and True in values and values <= {None, True, False}

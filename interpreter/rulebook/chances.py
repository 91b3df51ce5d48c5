"""The odds of a rule for its page, within a bound of work, and what house rules change in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from interpreter import diagnostics as say
from interpreter.api.exact_odds import Allowance, exact_odds
from interpreter.api.query import Query
from interpreter.api.sampling import sample
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Change, Comparison, Renamed, labelled
from interpreter.odds.meter import WorkLimits
from interpreter.report import chart
from interpreter.report.chart import Bars, in_rows
from interpreter.report.figures import NOT_FOLLOWED, Panel, is_flag, panel, panels, percent
from interpreter.syntax.document import Node
from interpreter.testing.cases import Setting

BOUND = WorkLimits(states=20_000, work=700_000)
"""The bound of a law on a page: about a second. Its counts are the same on every machine, and so is the page."""
OF_ACTIONS = WorkLimits(states=300, work=500_000)
"""The bound for actions and events, of which each state plays reactions and takes milliseconds."""
RUNS, SEED = 10_000, 1
"""How a rule is simulated whose exact odds exceed the bound."""
TOO_MUCH = (*say.TOO_LARGE, say.NOTHING_FOLLOWED)
"""The codes of odds that take too much."""
MOST_ROWS = 16
"""The most lines of a law on a page."""


@dataclass(frozen=True)
class Row:
    """A line of odds: its label, its chance, and the chance without house rules if they change the odds."""

    label: str
    chance: Fraction
    before: Fraction | None = None

    @property
    def both(self) -> tuple[Fraction, ...]:
        """The chance, after the one without house rules if there is one."""
        return (self.chance,) if self.before is None else (self.before, self.chance)

    @property
    def change(self) -> str:
        if self.before is None:
            return "new"
        difference = Fraction(self.chance - self.before)
        return percent(difference, sign=True) if difference else "="

    @property
    def fraction(self) -> str:
        """The exact fraction, if it is short."""
        text = str(Fraction(self.chance))
        return text if len(text) <= chart.LONGEST_FRACTION else ""


@dataclass(frozen=True)
class Chances:
    """The odds of a rule with its inputs in words; `compared` if the lines have both chances."""

    given: str
    answers: str
    method: str
    exact: bool
    panels: tuple[tuple[str, tuple[Row, ...]], ...]
    compared: bool

    def picture(self, title: str) -> str:
        """The chart as SVG, with all its figures in words."""
        shown = [(heading, [Bars(row.label, row.both) for row in rows]) for heading, rows in self.panels]
        return in_rows(title, self._sentence, shown)

    @property
    def _sentence(self) -> str:
        return " ".join(
            (f"{heading}: " if heading else "")
            + "; ".join(
                f"{row.label} {percent(row.chance)}"
                + (f", before {percent(row.before)}" if row.before is not None and row.before != row.chance else "")
                for row in rows
            )
            + "."
            for heading, rows in self.panels
        )


def chances(setting: Setting, answers: Mapping[str, Node], before: Setting | None, renamed: Renamed) -> Chances | None:
    """The odds of a rule, beside those of `before`, the same rule without house rules, if these change them.

    None where there are no odds: nothing is left to chance, nothing is told of it, or it takes too much.
    """
    made = _odds(setting, answers)
    if made is None:
        return None
    odds, given = made
    old = _odds(before, given) if before is not None else None
    both = Comparison(old[0], odds, renamed) if old is not None and old[0].exact == odds.exact else None
    told = names_shown(setting, odds)
    odds = replace(odds, known={name: words for name, words in odds.known.items() if name in told})
    both = replace(both, b=odds) if both is not None else None
    try:
        changed = tuple(compared_panels(both)) if both is not None else ()
        plain = tuple((_panel_heading(one), tuple(_lines(one))) for one in panels(odds, MOST_ROWS))
    except PlayError:
        return None
    compared = any(row.change != "=" for _, rows in changed for row in rows)
    shown = changed if compared else plain
    if not any(0 < chance < 1 for _, rows in shown for row in rows for chance in row.both):
        return None
    answered = ", ".join(f"{name} {_answer(node)}" for name, node in given.items())
    return Chances(chart.given(odds), answered, _method(odds), odds.exact, shown, compared)


def names_shown(setting: Setting, odds: Odds) -> set[str]:
    """The names whose odds a page tells: the outcome and the readings; without them the last number or word.

    What the steps of an outcome find is left out.
    """
    rule = setting.game.rule(setting.rule)
    told = {"outcome", *(one.name for one in rule.also)} & odds.known.keys()
    return told or set(odds.results) - odds.composite


def _odds(setting: Setting, answers: Mapping[str, Node]) -> tuple[Odds, Mapping[str, Node]] | None:
    """The odds of a setting whose results are known, and the answers to choices that were needed for them."""
    query = Query(setting.game, setting.rule, setting.inputs, setting.state)
    for given in ({}, answers) if answers else ({},):
        try:
            return _law_of_page(replace(query, choices=given or None)), given
        except PlayError:  # a choice without an answer, or too much work
            continue
    return None


def _law_of_page(query: Query) -> Odds:
    is_mechanic = query.rule in query.instance.program.mechanics
    try:
        odds = exact_odds(query, Allowance(BOUND if is_mechanic else OF_ACTIONS))
        if all(odds.missing_of(name) == 1 for name in odds.results):
            raise PlayError(say.nothing_followed(odds.results))
        return odds
    except PlayError as problem:
        if problem.diagnostic.code not in TOO_MUCH or not is_mechanic:
            raise
        return sample(query, RUNS, SEED)


def _method(odds: Odds) -> str:
    return "exact" if odds.exact else f"simulated, {RUNS:,} runs"


def _answer(node: Node) -> str:
    return " ".join(node.span.text.split())


def _panel_heading(one: Panel) -> str:
    return "" if one.title == "outcome" else _plain_words(one.title)


def _lines(one: Panel) -> Iterator[Row]:
    yield from (Row(_plain_words(label), chance) for label, chance in one.rows)
    if one.missing:
        yield Row(NOT_FOLLOWED, one.missing)


def compared_panels(both: Comparison) -> Iterator[tuple[str, tuple[Row, ...]]]:
    """The laws of both sides, with all that are yes or no under one heading; what only house rules have comes last."""
    flags: list[Row] = []
    news: list[tuple[str, tuple[Row, ...]]] = []
    for name in both.results:
        law, missing = both.of(name), both.missing_of(name)
        if is_flag(law, any(missing)):
            of = law.get(True, Change(Fraction(0), Fraction(0)))
            flags.append(Row(_plain_words(name), of.b, of.a))
            continue
        rows = [Row(_plain_words(label), one.b, one.a) for label, one in labelled(law, MOST_ROWS).items()]
        rows += [Row(NOT_FOLLOWED, missing.b, missing.a)] if any(missing) else []
        yield "" if name == "outcome" else _plain_words(name), tuple(rows)
    for one in (name for name in both.b.results if name not in both.results):
        new = both.b.of(one)
        if is_flag(new, both.b.missing_of(one)):
            flags.append(Row(_plain_words(one), new.get(True, Fraction(0))))
        else:
            news.append((_plain_words(one), tuple(_lines(panel(both.b, one, MOST_ROWS)))))
    if flags:
        yield "also", tuple(flags)
    yield from news


def _plain_words(name: str) -> str:
    return name.replace("_", " ")

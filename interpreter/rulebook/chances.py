"""The odds of a rule for its page, within a bound of work, and what house rules change in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from interpreter import diagnostics as say
from interpreter.api.exact_odds import Allowance, exact_odds
from interpreter.api.query import Query
from interpreter.api.sampling import sample
from interpreter.chances.formats.svg import LONGEST_FRACTION, narrow_chart
from interpreter.chances.laws import compared_tables, law_table
from interpreter.chances.notebook import inputs_in_words
from interpreter.chances.percent import percent
from interpreter.chances.shortening import PAGE_LINES, shorten
from interpreter.chances.table import ChanceRow, ChanceTable, with_flags_together
from interpreter.diagnostics import PlayError
from interpreter.frozen import dataclass
from interpreter.odds.answer import Odds
from interpreter.odds.comparison import Comparison, Renamed
from interpreter.odds.meter import WorkLimits
from interpreter.syntax.document import Node
from interpreter.testing.cases import Setting
from interpreter.values import in_words

BOUND = WorkLimits(states=20_000, work=700_000)
"""The bound of a law on a page: about a second. Its counts are the same on every machine, and so is the page."""
OF_ACTIONS = WorkLimits(states=300, work=500_000)
"""The bound for actions and events, of which each state plays reactions and takes milliseconds."""
RUNS, SEED = 10_000, 1
"""How a rule is simulated whose exact odds exceed the bound."""
TOO_MUCH = (*say.TOO_LARGE, say.NOTHING_FOLLOWED)
"""The codes of odds that take too much."""


@dataclass(frozen=True)
class Chances:
    """The odds of a rule with its inputs in words; `compared` if the rows have the chance without house rules."""

    given: str
    answers: str
    method: str
    exact: bool
    tables: tuple[ChanceTable, ...]
    compared: bool

    def picture(self, title: str) -> str:
        """The chart as SVG, with all its figures in words."""
        return narrow_chart(title, " ".join(map(_in_words, self.tables)), self.tables)


def _in_words(table: ChanceTable) -> str:
    rows = [
        f"{row.label} {percent(row.chance)}"
        + (f", before {percent(row.base)}" if row.base is not None and row.base != row.number else "")
        for row in table.shares
    ]
    return f"{table.title}: {'; '.join(rows)}." if table.title else f"{'; '.join(rows)}."


def fraction(row: ChanceRow) -> str:
    """The exact fraction of a row, if it is short."""
    text = str(Fraction(row.chance))
    return text if len(text) <= LONGEST_FRACTION else ""


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
    names = names_shown(setting, odds)
    odds = replace(odds, known={name: words for name, words in odds.known.items() if name in names})
    both = replace(both, b=odds) if both is not None else None
    try:
        changed = _tables_for_page(compared_tables(both)) if both is not None else ()
        plain = _tables_for_page(map(partial(law_table, odds), odds.results), first_alone=True)
    except PlayError:
        return None
    compared = any(row.differs for table in changed for row in table.shares)
    shown = changed if compared else plain
    if not any(0 < chance < 1 for table in shown for row in table.shares for chance in row.numbers):
        return None
    answered = ", ".join(f"{name} {_answer(node)}" for name, node in given.items())
    given_shown = {name: value for name, value in odds.inputs.items() if "{" not in in_words(value)}
    return Chances(inputs_in_words(given_shown), answered, _method(odds), odds.exact, shown, compared)


def _tables_for_page(tables: Iterable[ChanceTable], first_alone: bool = False) -> tuple[ChanceTable, ...]:
    return tuple(shorten(one, PAGE_LINES).with_plain_words() for one in with_flags_together(tables, first_alone))


def names_shown(setting: Setting, odds: Odds) -> set[str]:
    """The names whose odds a page tells: the outcome and the readings; without them the last number or word.

    What the steps of an outcome find is left out.
    """
    rule = setting.game.rule(setting.rule)
    names = {"outcome", *(one.name for one in rule.also)} & odds.known.keys()
    return names or set(odds.results) - odds.composite


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

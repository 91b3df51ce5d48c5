"""Claims: the odds that tables state, compared with the dice.

A rulebook often prints how likely something is. A claim of a table names the mechanic that throws for it, and each
row is compared with the exact odds. Loading a ruleset never computes them; `check` and `test` do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Mapping as Names
from fractions import Fraction
from functools import partial
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api.game import Game
from interpreter.checker.claims import names_of
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.diagnostics.source import Span
from interpreter.frozen import dataclass
from interpreter.layers.causes import with_notes
from interpreter.odds.intervals import chance_of
from interpreter.odds.projection import reading_of
from interpreter.pipeline import Loaded
from interpreter.runtime.evaluator import new_frame
from interpreter.testing.cases import Case, Verdict, settle_interval

TOO_MUCH = ("HR631", *say.TOO_LARGE)
"""The codes of odds that exceed a limit."""


@dataclass(frozen=True)
class ClaimCell:
    """One row of a table with a claim: its keys, its value and its place; `label` is the row in words."""

    keys: tuple[Any, ...]
    value: ir.Formula
    label: str
    span: Span


def problems_of_claims(loaded: Loaded) -> list[Diagnostic]:
    """The problems of the claims of a ruleset; none for a ruleset that has errors already."""
    if loaded.problems.errors:
        return []
    return [problem for one in claim_verdicts(loaded) for problem in (*one.failures, *filter(None, [one.skipped]))]


def claim_verdicts(loaded: Loaded) -> list[Verdict]:
    """The verdict on every row of every claim of a ruleset without errors, as on a case without a name."""
    return [run() for _, run in claims_of(loaded)]


def claims_of(loaded: Loaded) -> Iterator[tuple[Case, Callable[[], Verdict]]]:
    """Every row of every claim of a ruleset without errors, as a case without a name, and what gives its verdict."""
    if loaded.program is None or loaded.world is None or not loaded.program.claims:
        return
    game = Game(loaded.program, loaded.world)
    for claim in loaded.program.claims:
        table = loaded.program.tables[claim.table]
        for cell in claim_cells(table.rows):
            name = f"{claim.table} claims {claim.of}, row {cell.label}"
            case = Case(name, cell.span, (), loaded.world.root, {}, {}, {}, {})
            yield case, partial(_verdict, loaded, game, table, claim, cell, case)


def _verdict(loaded: Loaded, game: Game, table: ir.Table, claim: ir.Claim, cell: ClaimCell, case: Case) -> Verdict:
    lower = {source.name for one in (loaded.merged.below if loaded.merged else ()) for source in one.sources}
    problem = _problem(game, table, claim, cell, cell.span.source.name in lower)
    if problem is not None and loaded.merged is not None:
        problem = with_notes(problem, loaded.merged)
    later = problem if problem is not None and problem.severity == "warning" else None
    return Verdict(case, (problem,) if problem and not later else (), skipped=later)


def claim_cells(rows: tuple[ir.TableRow, ...], above: tuple[Any, ...] = (), label: str = "") -> Iterator[ClaimCell]:
    """The rows of a table, those under other rows too; a range is held at its ends."""
    for row in rows:
        ends = [row.key] if row.key is not None else [end for end in (row.low, row.high) if end is not None]
        written = row.path.rsplit(".", 1)[-1]
        for key in ends:
            named = label + (f"`{written}`" if row.key is not None else f"`{written}` at {key}")
            if isinstance(row.value, ir.Formula):
                yield ClaimCell((*above, key), row.value, named, row.span)
            else:
                yield from claim_cells(row.value, (*above, key), f"{named}, ")


def _problem(game: Game, table: ir.Table, claim: ir.Claim, cell: ClaimCell, bent: bool) -> Diagnostic | None:
    """What is wrong with one row, if anything is."""
    place = f"row {cell.label} of `{claim.table}`"
    try:
        names = {
            **dict(zip(names_of(table), cell.keys, strict=False)),
            "value": game.closures.of(cell.value)(new_frame()),
        }
        claimed = _exact_value(game, claim.chance.body, names)
        given = {name: game.closures.of(made)(new_frame(**names)) for name, made in claim.given}
        odds = game.odds(claim.mechanic, policy=claim.policy, inputs=given)
        name, value = reading_of(game.program.mechanics[claim.mechanic], claim.of) or (claim.of, True)
        chance = settle_interval(odds, lambda law_of: chance_of(law_of(name), value), claimed, claim.within)
    except PlayError as problem:
        if problem.diagnostic.code in TOO_MUCH:
            return say.claim_later(cell.span, place, claim.of)
        return say.claim_cannot_be_held(cell.span, place, problem.diagnostic)
    match chance.compare_with(claimed, claim.within):
        case "holds":
            return None
        case "open":
            why = say.claim_not_settled(claim.of, str(chance), chance.missing)
            return say.claim_cannot_be_held(cell.span, place, why)
    nearest = min(max(claimed, chance.low), chance.high)
    bent_at = claim.path if bent else None
    return say.claim_is_off(cell.span, place, claim.of, claimed, nearest, chance.low == chance.high, bent_at)


def _exact_value(game: Game, of: ir.Expr, names: Names[str, Any]) -> Fraction:
    """The value of an expression whose quotients are not rounded."""
    match of:
        case ir.Quotient(bare=True):
            below = _exact_value(game, of.right, names)
            if not below:
                raise PlayError(say.cannot_compute(of.span, "/", "the divisor is 0"))
            return _exact_value(game, of.left, names) / below
        case ir.Arithmetic():
            left, right = _exact_value(game, of.left, names), _exact_value(game, of.right, names)
            return left + right if of.sign == "+" else left - right if of.sign == "-" else left * right
        case ir.Negative():
            return -_exact_value(game, of.of, names)
        case ir.Conditional():
            return _exact_value(
                game, of.then if _value_of_plain_expression(game, of.condition, names) else of.otherwise, names
            )
        case _:
            return Fraction(_value_of_plain_expression(game, of, names))


def _value_of_plain_expression(game: Game, of: ir.Expr, names: Names[str, Any]) -> Any:
    return game.closures.of(ir.Formula(of, of.type, of.span))(new_frame(**names))

"""The odds at several points side by side: one line a point, one column a number that tells the most."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from interpreter.chances.table import FLAGS, NOT_FOLLOWED, ChanceRow, ChanceTable, OddsPoint, merge_in_order
from interpreter.frozen import dataclass


@dataclass(frozen=True)
class OddsColumn:
    """What is told at each point, from its table there; where there is no table, nothing is told.

    `kind` says of which row it is: the value that is `certain`, the `mean`, the `deviation`, or the `chance` of a
    `label`.
    """

    title: str
    tables: tuple[ChanceTable | None, ...]
    kind: str = "chance"
    label: str = ""

    @cached_property
    def rows(self) -> tuple[ChanceRow | None, ...]:
        """The row of each point; None where a point does not have the value, or a deviation."""
        return tuple(one.row(self.label) if one is not None else None for one in self.tables)

    @property
    def changes(self) -> bool:
        if self.kind != "chance":
            return any(one.changes for one in self.tables if one is not None)
        return any(row.changes for row in self.rows if row is not None)


def telling_columns(
    points: Sequence[OddsPoint], is_telling: Callable[[ChanceRow], bool] = lambda row: True
) -> list[OddsColumn]:
    """What tells the most of each result: a value that is certain, the chance of yes where a name says what that is,
    the mean and the deviation of a number, or the chances of words that are telling."""
    return list(_possible_columns(points, is_telling))


def _possible_columns(points: Sequence[OddsPoint], is_telling: Callable[[ChanceRow], bool]) -> Iterator[OddsColumn]:
    for title in dict.fromkeys(table.title for point in points for table in point.changing_tables):
        tables = tuple(next((one for one in point.tables if one.title == title), None) for point in points)
        known = [one for one in tables if one is not None]
        prefix = "" if title in ("", FLAGS) else title
        if all(one.certain for one in known) and any(one.is_compared for one in known):
            yield OddsColumn(title, tables, "certain")
        elif prefix and title != FLAGS and all(one.is_flag and not one.is_compared for one in known):
            yield OddsColumn(title, tables, "chance", "yes")
        elif all(one.mean is not None and not one.has_flags for one in known):
            yield OddsColumn(f"{prefix}, mean" if prefix else "mean", tables, "mean", "mean")
            if all(one.deviation is not None for one in known):
                yield OddsColumn(f"{prefix}, deviation" if prefix else "deviation", tables, "deviation")
        else:
            labels: list[str] = []
            for one in known:
                labels = merge_in_order(labels, [row.label for row in one.shares])
            rest = [label for label in labels if label == NOT_FOLLOWED]
            for label in [*(one for one in labels if one not in rest), *rest]:
                column = OddsColumn(f"{prefix}: {label}" if prefix else label, tables, "chance", label)
                if any(row is not None and is_telling(row) for row in column.rows):
                    yield column

"""What a change does to the odds of rules: at which points, and what is told of others."""

from __future__ import annotations

from interpreter.chances.table import SLIGHT, OddsPoint
from interpreter.frozen import dataclass


@dataclass(frozen=True)
class PointDelta(OddsPoint):
    """The odds at one point before and after.

    `case` is the name of the case that has these inputs; those that a rule declares are shown without a change, too.
    """

    case: str = ""
    declared: bool = False


@dataclass(frozen=True)
class RuleDelta:
    """What a change does to the odds of a rule: at the points where it does something, and how many others there are.

    Of further points, at `alike` the odds are those of a point shown, and at `slight` no chance changes by as much as
    `SLIGHT`. `only_now` and `no_longer` are the inputs that just one side allows. `refused` says why there is nothing
    to compare, `unread` that what things have afterwards took too much. `is_new` has odds that nothing stands beside.
    """

    path: str
    title: str
    points: tuple[PointDelta, ...] = ()
    same: int = 0
    slight: int = 0
    alike: int = 0
    only_now: tuple[str, ...] = ()
    no_longer: tuple[str, ...] = ()
    refused: str = ""
    unread: bool = False
    is_new: bool = False

    @property
    def name(self) -> str:
        return self.path.partition(".")[2]

    @property
    def section(self) -> str:
        return self.path.partition(".")[0]

    @property
    def reference(self) -> str:
        """The name to type, with the kind of rule where it is no mechanic, as an action may be called like one."""
        return f"`{self.name}`" if self.section == "mechanics" else f"{self.section[:-1]} `{self.name}`"

    @property
    def odds_change(self) -> bool:
        return any(one.changes for one in self.points)

    @property
    def changes(self) -> bool:
        """Whether any chance changes, or what is allowed."""
        return self.odds_change or bool(self.only_now or self.no_longer)

    @property
    def is_slight(self) -> bool:
        """Whether it changes so little that percentages hardly show it."""
        return self.changes and not (self.only_now or self.no_longer) and all(one.size < SLIGHT for one in self.points)

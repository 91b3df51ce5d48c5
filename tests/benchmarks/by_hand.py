"""Duels of Fiend Wake in plain Python: two who fight by the policy `steady`, and the rules that they meet.

Everything that those two never meet is left out: places, mounts, house rules, other policies, what is burnt or called.
Faces come from whoever throws, in the order in which the ruleset asks for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Throw = Callable[[int], int]
"""A face of a die of so many."""

EVASION = 7
MOST_ROUNDS = 200
ENOUGH = 6
"""So many handicaps, and one runs."""


@dataclass
class Score:
    """A stat: its stack numbers by its level, and those that are handicapped."""

    level: int
    handicapped: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.numbers = [number for number in range(1, self.level + 1) if number % 2 or number == self.level]
        self.free = list(self.numbers)

    def lose(self) -> None:
        """The highest that is available is marked."""
        self.handicapped.append(self.free.pop())


@dataclass(frozen=True)
class Weapon:
    name: str
    ranged: bool
    skill: str
    first_intention: int
    second_intention: int
    ready_cost: int


@dataclass(frozen=True)
class Armour:
    encumbrance: int
    reduction: int


FISTS = Weapon("fists", False, "unarmed_combat", 1, 1, 0)
RIFLE = Weapon("rifle", True, "rifles", 4, 2, 2)
AXE = Weapon("axe", False, "blades", 5, 2, 1)
PLATE = Armour(1, 3)
MAIL = Armour(1, 2)
ABILITIES = {"tactics": 3, "rifles": 3, "blades": 2, "unarmed_combat": 2}


@dataclass
class Fighter:
    name: str
    side: str
    scores: dict[str, Score]
    weapon: Weapon
    armour: Armour
    threshold: int
    abilities: dict[str, int] = field(default_factory=lambda: ABILITIES)
    points: int = 0
    tokens: int = 0
    wounds: int = 0
    pending: bool = False
    armed: bool = False
    struck: bool = False
    unconscious: bool = False
    fled: bool = False

    @property
    def able(self) -> bool:
        return not (self.unconscious or self.fled)

    @property
    def wielded(self) -> Weapon:
        return self.weapon if self.armed else FISTS

    @property
    def may_arm(self) -> bool:
        return not self.armed and self.weapon.ready_cost <= self.points

    @property
    def harmed(self) -> int:
        return sum(len(score.handicapped) for score in self.scores.values())


def scores(cunning: int, grace: int) -> dict[str, Score]:
    """The stats of a veteran, in the order in which they stand on the sheet."""
    levels = {"cunning": cunning, "spirit": 5, "resolve": 4, "essence": 3, "grace": grace, "power": 3, "endurance": 4}
    return {name: Score(level) for name, level in levels.items()}


def fighters(brakk: Armour, dorn: Armour, threshold: int) -> list[Fighter]:
    """Two veterans in armour, who have a handicap for so many wounds."""
    return [
        Fighter("brakk", "the old guard", scores(5, 4), RIFLE, brakk, threshold),
        Fighter("dorn", "the young", scores(4, 5), AXE, dorn, threshold),
    ]


def in_plate() -> list[Fighter]:
    """Those of `scenes/duel.yaml`."""
    return fighters(PLATE, MAIL, 20)


@dataclass
class Duel:
    """One fight; `outcome` is None where it was broken off."""

    throw: Throw
    outcome: str | None = None
    rounds: int = 0
    fighters: list[Fighter] = field(default_factory=in_plate)

    def fight(self) -> Duel:
        """Rounds until all who are awake agree to end it."""
        while self.outcome is None and self.rounds < MOST_ROUNDS:
            self.rounds += 1
            self.prepare()
            order = self.bids()
            if not self.turns(order):
                self.outcome = "nobody_moved"
                break
            self.aftermath(order)
            self.lapse()
        return self

    def lapse(self) -> None:
        """What is left when the round ends is lost."""
        for one in self.fighters:
            one.points = one.tokens = 0
            one.pending = False

    def prepare(self) -> None:
        for one in self.fighters:
            if one.able:
                one.points += 2 + len(one.scores["cunning"].free)
                one.tokens += len(one.scores["resolve"].free)
                self.upkeep(one)

    def upkeep(self, one: Fighter) -> None:
        """Armour takes points, or tokens that are worth two: as many points as can be, and nothing needlessly."""
        price = one.armour.encumbrance
        for points in range(min(one.points, price), -1, -1):
            tokens = -((points - price) // 2)
            wasted = points + 2 * tokens - price
            if tokens <= one.tokens and (points == 0 or wasted == 0):
                one.points -= points
                one.tokens -= tokens
                return
        one.points = one.tokens = 0

    def bids(self) -> list[Fighter]:
        """Everybody bids one point; the order of the round, drawn by lots where bid and tactics are the same."""
        groups: dict[tuple[int, int], list[Fighter]] = {}
        for one in self.fighters:
            if one.able:
                bid = min(one.points, 1)
                one.points -= bid
                groups.setdefault((bid, one.abilities["tactics"]), []).append(one)
        order: list[Fighter] = []
        for key in sorted(groups, reverse=True):
            level = groups[key]
            while len(level) > 1:
                order.append(level.pop(self.throw(len(level)) - 1))
            order += level
        return order

    def turns(self, order: list[Fighter]) -> bool:
        """A turn for every token, all at once and again; whether anybody has taken one."""
        taken = False
        for _ in range(max([one.tokens for one in order], default=0)):
            self.set_out(order)
            for one in order:
                if one.pending:
                    one.pending = False
                    if one.able:
                        taken = True
                        self.turn(one)
        return taken

    def set_out(self, order: list[Fighter]) -> None:
        """Everybody who has a token pays one for a turn."""
        for one in order:
            if one.able and one.tokens > 0:
                one.tokens -= 1
                one.pending = True

    def turn(self, one: Fighter) -> None:
        """What `steady` does: run when badly hurt, arm, strike once."""
        one.struck = False
        while one.able:
            if one.harmed >= ENOUGH:
                one.points = 0
                one.fled = True
            elif one.may_arm:
                self.arm(one)
            elif one.struck or not (prey := self.prey(one)):
                break
            else:
                one.struck = True
                self.attack(one, prey[0])

    def arm(self, one: Fighter) -> None:
        one.points -= one.weapon.ready_cost
        one.armed = True

    def foes(self, one: Fighter) -> list[Fighter]:
        return [other for other in self.fighters if other.able and other.side != one.side]

    def prey(self, one: Fighter) -> list[Fighter]:
        """Those who are hurt most first; on an open field everybody can be hit."""
        return sorted(self.foes(one), key=lambda other: -other.wounds)

    def attack(self, one: Fighter, target: Fighter) -> None:
        weapon = one.wielded
        success, stacked = self.roll(one.scores["grace"], one.abilities[weapon.skill], EVASION)
        if success:
            precision = min(stacked, max(one.scores["power"].free, default=0)) if weapon.ranged else 0
            self.wound(target, weapon.first_intention + precision)

    def roll(self, stat: Score, skill: int, difficulty: int) -> tuple[bool, int]:
        """Whether a roll comes to its difficulty, and how many dice were stacked."""
        traps = [number for number in reversed(stat.numbers[:skill]) if number in stat.free]
        spare = 1 if 1 in traps else 0
        total = tosses = 0
        while True:
            target = traps[tosses] if tosses < len(traps) else spare
            face = self.throw(12)
            total += face
            tosses += 1
            if face > min(target, 9):
                return total >= difficulty, tosses - 1

    def wound(self, target: Fighter, amount: int) -> None:
        target.wounds += max(amount - target.armour.reduction, 0)
        if target.wounds >= target.threshold:
            self.handicap(target)
            target.wounds = 0

    def handicap(self, one: Fighter) -> None:
        """The score with the most numbers loses one; without Endurance one faints."""
        open_ = [score for score in one.scores.values() if score.free]
        if open_:
            max(open_, key=lambda score: len(score.free)).lose()
        if not one.scores["endurance"].free:
            one.unconscious = True

    def aftermath(self, order: list[Fighter]) -> None:
        for leader in order[:1]:
            if leader.able:
                self.turn(leader)
        for one in order:
            if one.able and one.may_arm:
                self.arm(one)
        for one in reversed(order):
            if one.able and one.points > 0 and (prey := self.prey(one)):
                points, one.points = one.points, 0
                self.wound(prey[0], one.wielded.second_intention * points)
        for one in self.fighters:
            if one.unconscious and not one.fled:
                held, _ = self.roll(one.scores["endurance"], 0, 7)
                if not held:
                    self.handicap(one)
        if not any(self.foes(one) for one in self.fighters if one.able):
            self.outcome = "won" if any(one.able for one in self.fighters) else "agreed"

"""Random small rulesets, as the text that an author would write.

`ruleset(seed)` gives a ruleset whose mechanic `main` needs no inputs. Dice are few and small, so that every way they
can fall may be walked: `Grower.left` is about how many ways there may still be, and whatever throws dice pays for it.
A `Scope` knows which names may be read where, by what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import yaml

Tree = dict[str, Any]

HEAD: Tree = {
    "ruleset": "generated",
    "comparators": {"beats": "more than", "reaches": "at least"},
    "tags": ["red", "blue"],
    "ladders": {"size": ["d2", "d3", "d4"]},
    "dice": {
        "fudge": {"faces": [-1, 0, 1]},
        "loaded": {"faces": [1, 1, 2, 4]},
        "omen": {"faces": ["blank", "star", "star + moon", "moon"]},
    },
    "roles": {"player": "Who plays."},
    "names": {"mood": ["calm", "angry", "sad"]},
    "options": {
        "bonus": {"type": "number", "from": 0, "default": 1},
        "harsh": {"type": "yes_no", "default": "no"},
    },
    "functions": {
        "half": {"takes": {"n": "number"}, "gives": "up(n / 2)"},
        "shown": {"takes": {"thrown": "roll"}, "gives": "count(thrown where face >= 2)"},
    },
    "tables": {
        "wound": {"type": "number", "rows": {"0 or less": 0, "1 to 3": 1, "4 or more": 3}},
        "temper": {"type": "mood", "rows": {"1 or less": "calm", "2 to 3": "sad", "4 or more": "angry"}},
    },
}
FACES = {"d2": 2, "d3": 3, "d4": 4, "fudge": 3, "loaded": 3, "omen": 4}
"""Dice, and how many different faces each has."""

WAYS = (6, 20, 60, 120)
"""How many ways a mechanic may have, about."""


def ruleset(seed: int) -> str:
    """A ruleset as text; the same seed gives the same one."""
    return written(Grower(Random(seed)).whole())


def written(tree: Tree) -> str:
    """A tree of mappings, lists and plain values as YAML."""
    return yaml.safe_dump(tree, sort_keys=False, width=1000)


@dataclass(frozen=True)
class Rolled:
    """A roll that may be read: the fewest dice it has, the names of its parts, and whether its dice have symbols."""

    least: int
    parts: tuple[str, ...] = ()
    symbols: bool = False


@dataclass(frozen=True)
class Listed:
    """A list of passes or pairs: its columns of numbers and of yes and no, and the fewest elements it has."""

    numbers: tuple[str, ...]
    flags: tuple[str, ...]
    least: int


@dataclass
class Scope:
    """What may be read at a place, by what it is."""

    numbers: list[str] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    pools: list[str] = field(default_factory=list)
    rolls: dict[str, Rolled] = field(default_factory=dict)
    lists: dict[str, Listed] = field(default_factory=dict)

    def inner(self) -> Scope:
        """What steps inside a step see: all of this, and what they name is their own."""
        return Scope([*self.numbers], [*self.flags], [*self.words], [*self.pools], {**self.rolls}, {**self.lists})


@dataclass(frozen=True)
class Called:
    """A mechanic that may be called: its inputs, what can be read of the call, and the ways it costs."""

    inputs: tuple[tuple[str, str], ...]
    numbers: tuple[str, ...]
    outcomes: tuple[str, ...]
    flags: tuple[str, ...]
    cost: float


@dataclass
class Grower:
    """Makes one ruleset. Functions that make an expression are named for what it is worth."""

    chance: Random
    left: float = 1
    _names: int = 0
    _calls: dict[str, Called] = field(default_factory=dict)

    # Small helps --------------------------------------------------------------------------------------------------

    def maybe(self, likely: float = 0.5) -> bool:
        return self.chance.random() < likely

    def any_of(self, *of: Any) -> Any:
        return self.chance.choice(of)

    def name(self, kind: str) -> str:
        self._names += 1
        return f"{kind}{self._names}"

    @contextmanager
    def share(self, times: int) -> Iterator[None]:
        """Inside, dice cost so many times as much, as they are thrown so many times."""
        before = self.left
        self.left = before ** (1 / max(times, 1))
        yield
        self.left **= max(times, 1)

    # Wholes -------------------------------------------------------------------------------------------------------

    def whole(self) -> Tree:
        mechanics: Tree = {}
        for _ in range(self.any_of(0, 0, 1, 2)):
            name = self.name("part")
            mechanics[name] = self.helper(name)
        self.left = self.any_of(*WAYS)
        mechanics["main"] = self.mechanic(Scope(), self.chance.randint(2, 6), True)
        return {**HEAD, "mechanics": mechanics}

    def helper(self, name: str) -> Tree:
        """A mechanic to be called."""
        scope, inputs, given = Scope(), {}, []
        if self.maybe():
            inputs["need"] = {"type": "number", "default": 2}
            given.append(("need", "number"))
            scope.numbers.append("need")
        if self.maybe(0.4):
            inputs["lying"] = {"type": "roll", "least": 1}
            given.append(("lying", "roll"))
            scope.rolls["lying"] = Rolled(1)
        if self.maybe(0.3):
            inputs["pool"] = {"type": "dice", "least": 1, "default": "2d2"}
            given.append(("pool", "dice"))
            scope.pools.append("pool")
        self.left = 10
        made = self.mechanic(scope, self.chance.randint(1, 3), False)
        steps = made["steps"]
        numbers = tuple(n for n in scope.numbers if n in steps)
        flags = tuple(f for f in (*scope.flags, *made.get("also", {})) if f in steps or _is_flag(made, f))
        words = tuple(n for n in made.get("outcomes", {}) if n not in ("read", "as"))
        self._calls[name] = Called(tuple(given), numbers, words, flags, 10 / max(self.left, 0.5))
        return {"inputs": inputs, **made} if inputs else made

    def mechanic(self, scope: Scope, steps: int, outermost: bool) -> Tree:
        made: Tree = {}
        if outermost and self.maybe(0.4):
            made["inputs"] = {"skill": {"type": "number", "default": self.chance.randint(0, 3)}}
            scope.numbers.append("skill")
        made["steps"] = self.steps(scope, steps)
        if self.maybe(0.8 if outermost else 0.6):
            made["outcomes"] = self.outcomes(scope, made["steps"])
        if self.maybe(0.4):
            made["also"] = {self.name("also"): self.also(scope) for _ in range(self.any_of(1, 1, 2))}
        return made

    def outcomes(self, scope: Scope, steps: Tree) -> Tree:
        calls = [name for name, step in steps.items() if isinstance(step, dict) and "call" in step and "if" not in step]
        calls = [name for name in calls if self._calls[steps[name]["call"]].outcomes]
        if calls and self.maybe(0.3):
            return {"as": self.chance.choice(calls)}
        if scope.numbers and self.maybe(0.25):
            low = self.chance.randint(0, 3)
            high = low + self.chance.randint(1, 3)
            middle = f"{low} to {high - 1}" if high - low > 1 else f"{low}"
            return {
                "read": f"{self.number(scope, 1)} + options.bonus - options.bonus",  # nobody proves a range of it
                "fine": f"{high} or more",
                "fair": middle,
                "poor": f"{low - 1} or less",
            }
        made: Tree = {}
        for word in ("good", "fair", "odd_one")[: self.chance.randint(1, 3)]:
            made[word] = self.open_flag(scope)
            if self.maybe(0.15) and self.left > 4:
                inner = scope.inner()
                made[word] = {"if": made[word], "steps": self.steps(inner, self.chance.randint(1, 2))}
        made["bad"] = "otherwise"
        return made

    def also(self, scope: Scope) -> Any:
        if self.maybe(0.6):
            return self.flag(scope, 1)
        return {"high": self.open_flag(scope), "low": "otherwise"}

    def open_flag(self, scope: Scope) -> str:
        """A condition of an outcome: mostly one that the checker cannot prove to hold always or never."""
        made = self.flag(scope, 1)
        return f"({made}) != options.harsh" if self.maybe(0.8) else made

    # Steps --------------------------------------------------------------------------------------------------------

    def steps(self, scope: Scope, count: int) -> Tree:
        made: Tree = {}
        kinds: list[tuple[Callable[[Scope], tuple[str, Any]], int]] = [
            (self.step_roll, 6), (self.step_number, 5), (self.step_flag, 2), (self.step_reroll, 3),
            (self.step_repeat, 2), (self.step_pair, 2), (self.step_stages, 2), (self.step_first_of, 1),
            (self.step_compare, 1), (self.step_raise, 1), (self.step_choose, 1), (self.step_call, 3),
            (self.step_block, 1), (self.step_place, 1), (self.step_word, 1), (self.step_dice, 2),
        ]  # fmt: skip
        if not scope.rolls:
            name, step = self.step_roll(scope)
            made[name] = step
        while len(made) < count:
            (make,) = self.chance.choices([m for m, _ in kinds], [w for _, w in kinds])
            name, step = make(scope)
            if name:
                made[name] = step
        if self.maybe(0.7):  # something to ask for
            name, step = self.step_number(scope)
            made[name] = step
        return made

    def step_roll(self, scope: Scope) -> tuple[str, Any]:
        name, step = self.name("roll"), {}
        if self.maybe(0.15):
            parts = {part: self.pool(scope, self.any_of(1, 1, 2))[0] for part in ("left", "right")}
            scope.rolls[name] = Rolled(2, ("left", "right"))
            step = {"roll": parts}
        elif scope.pools and self.maybe(0.3) and self.pay(9):
            step = {"roll": self.chance.choice(scope.pools)}
            scope.rolls[name] = Rolled(0)
        else:
            pool, least, symbols = self.pool(scope, self.any_of(1, 2, 2, 3, 3, 4))
            if scope.flags and self.maybe(0.1):
                pool, least = f"{pool} if {self.flag(scope, 1)} else {self.any_of('no_dice', 'd2')}", 0
            scope.rolls[name] = Rolled(least, (), symbols)
            step = {"roll": pool}
        if not scope.rolls[name].symbols and scope.rolls[name].least and self.maybe(0.35):
            self.dress(scope, name, step)
        if self.maybe(0.12) and "again" not in step and scope.rolls[name].least:
            step["then"] = self.roll_stages(scope, name)
        return name, step

    def pool(self, scope: Scope, count: int) -> tuple[str, int, bool]:
        """Dice that are not thrown: as written, the fewest, and whether they all have symbols."""
        if self.maybe(0.06) and self.pay(4**count):
            return f"times(omen, {count})" if count > 1 else "omen", count, True
        written, thrown = [], 0
        while thrown < count:
            die = self.any_of("d2", "d2", "d3", "d3", "d4", "fudge", "loaded")
            if not self.pay(FACES[die]):
                die = "d2"
                if not self.pay(2):
                    break
            many = 1
            while thrown + many < count and self.maybe(0.6) and self.pay(FACES[die]):
                many += 1
            if die.startswith("d"):
                text = f"{many if many > 1 else ''}{die}" + (
                    self.any_of(" red", " blue", " red") if self.maybe(0.2) else ""
                )
            else:
                text = f"times({die}, {many})" if many > 1 else die
            written.append(text)
            thrown += many
        if not written:
            return "d2", 1, False  # there is always a die to be had
        return " & ".join(written), thrown, False

    def pay(self, ways: float) -> bool:
        """Whether there is room for so many times as many ways; it is used up."""
        if self.left < ways:
            return False
        self.left /= ways
        return True

    def dress(self, scope: Scope, name: str, step: Tree) -> None:
        """Let throws count something else, have names of their own, or go on."""
        inner = scope.inner()
        inner.rolls.clear()
        inner.numbers += ["face", "face", "nth"]
        if self.maybe(0.5):
            step["each"] = {}
            for _ in range(self.any_of(1, 1, 2)):
                if self.maybe(0.7):
                    own = self.name("of_throw")
                    step["each"][own] = self.number(inner, 1)
                    inner.numbers.append(own)
                else:
                    own = self.name("if_throw")
                    step["each"][own] = self.any_of("face >= 2", "odd(face)", self.flag(inner, 1))
                    inner.flags.append(own)
        if self.maybe(0.5):
            step["counts"] = self.any_of("1 if face >= 2 else 0", "face * 2", self.number(inner, 1))
        if self.maybe(0.6) and self.pay(3 ** min(scope.rolls[name].least, 2)):
            most = self.any_of(2, 3)
            ends = ["face == size", "face >= 2", "odd(face)", "red in tags and face >= 2", self.flag(inner, 1)]
            step["again"] = f"({self.chance.choice(ends)}) and nth < {most}"
            if self.maybe(0.1):
                step["guard"] = 5

    def roll_stages(self, scope: Scope, name: str) -> Tree:
        made: Tree = {}
        for _ in range(self.any_of(1, 2)):
            stage = self.name("stage")
            if self.maybe(0.6) and self.pay(4):
                made[stage] = self.rerolled(scope, name)
                if self.maybe(0.3):
                    made[stage]["if"] = self.flag(scope, 1)
            else:
                cut = f"{self.any_of('highest', 'lowest')}({name}, {self.any_of(1, 2)})"
                made[stage] = self.any_of(cut, f"{name} where {self.of_die(scope, scope.rolls[name])}")
                scope.rolls[name] = replace(scope.rolls[name], least=0)
        return made

    def rerolled(self, scope: Scope, roll: str) -> Tree:
        condition = self.of_die(scope, scope.rolls[roll])
        made = {"reroll": self.any_of(f"{roll} where {condition}", f"{roll} where {condition}", roll)}
        if self.maybe(0.1):
            made["reroll"] = f"{self.any_of('highest', 'lowest')}({roll}, {self.any_of(1, 2)})"
        if self.maybe(0.5):
            made["most"] = self.any_of(1, 1, 2)
            if self.maybe(0.6):
                made["first"] = self.any_of("biggest", "smallest")
        if self.maybe(0.15) and not scope.rolls[roll].symbols:
            made["to"] = self.any_of(1, 2)
        return made

    def step_reroll(self, scope: Scope) -> tuple[str, Any]:
        able = [name for name, of in scope.rolls.items() if of.least]
        if not able or not self.pay(4):
            return "", None
        roll, name = self.chance.choice(able), self.name("again")
        step = self.rerolled(scope, roll)
        cut = "(" in step["reroll"].split(" where ")[0]
        scope.rolls[name] = Rolled(0) if cut else scope.rolls[roll]
        return name, step

    def step_number(self, scope: Scope) -> tuple[str, Any]:
        name = self.name("number")
        step: Any = self.number(scope, 2)
        if self.maybe(0.12):
            step = {"is": step, "if": self.flag(scope, 1), "else": self.number(scope, 1)}
        elif self.maybe(0.06):  # missing where the condition does not hold
            step = {"is": step, "if": self.flag(scope, 1)}
            scope.numbers.append(f"({name} otherwise {self.any_of(0, -1)})")
            scope.flags.append(f"given({name})")
            return name, step
        scope.numbers.append(name)
        return name, step

    def step_flag(self, scope: Scope) -> tuple[str, Any]:
        name, step = self.name("flag"), self.flag(scope, 2)
        scope.flags.append(name)
        return name, step

    def step_dice(self, scope: Scope) -> tuple[str, Any]:
        """A roll made of other rolls."""
        if not scope.rolls:
            return "", None
        one, other = self.chance.choice(list(scope.rolls)), self.chance.choice(list(scope.rolls))
        name, of = self.name("dice"), scope.rolls[one]
        makes = [
            (f"{one} where {self.of_die(scope, of)}", 0),
            (f"highest({one}, {self.any_of(1, 2)})", min(of.least, 1)),
            (f"lowest({one}, {self.any_of(1, 2)})", min(of.least, 1)),
            (f"without({one}, {self.any_of('highest', 'lowest')}({one}, 1))", 0),
            (one, of.least),
        ]
        if one != other and not of.parts and not of.symbols and not scope.rolls[other].symbols:
            makes.append((f"{one} & {other}", of.least + scope.rolls[other].least))
        made, least = self.chance.choice(makes)
        scope.rolls[name] = Rolled(least, (), of.symbols)
        return name, made

    def step_repeat(self, scope: Scope) -> tuple[str, Any]:
        times, name = self.any_of(2, 2, 3), self.name("tries")
        with self.share(times):
            inner = scope.inner()
            first = self.outer_pairs(inner)
            if not first:
                inner.rolls = {n: r for n, r in inner.rolls.items() if self.maybe(0.3)}
            if self.maybe(0.3):
                inner.numbers.append("nth")
            each = first | self.steps(inner, self.chance.randint(1, 3))
            numbers = tuple(n for n in inner.numbers if n in each)
            flags = tuple(f for f in inner.flags if f in each)
            if numbers and self.maybe(0.25):
                late = self.name("late")
                looks = [f"sum(earlier.{numbers[0]})", f"count(earlier) + {numbers[-1]}"]
                looks += [f"sum(earlier.{pairs}.{column})" for pairs in first for column in inner.lists[pairs].numbers]
                each[late] = self.chance.choice(looks)
                numbers += (late,)
        step: Tree = {"repeat": times, "each": each}
        if self.maybe(0.12):
            step["repeat"] = f"clamp({self.number(scope, 1)}, 1, {times})"
        if self.maybe(0.3):
            step["until"] = self.chance.choice(flags) if flags and self.maybe() else self.flag(inner, 1)
        if numbers and self.maybe(0.4):
            step["keep"] = {self.any_of("highest", "lowest"): self.chance.choice(numbers)}
            scope.numbers += [f"{name}.{n}" for n in numbers]
            scope.flags += [f"{name}.{f}" for f in flags]
            scope.rolls |= {f"{name}.{r}": of for r, of in inner.rolls.items() if r in each}
        else:
            scope.lists[name] = Listed(numbers, flags, 1)
        scope.lists |= {f"{name}.{pairs}": inner.lists[pairs] for pairs in first}
        return name, step

    def outer_pairs(self, inner: Scope) -> Tree:
        """Now and then pairs of rolls from outside of steps that have just begun."""
        name, step = self.step_pair(inner) if self.maybe(0.3) else ("", None)
        return {name: step} if name else {}

    def step_pair(self, scope: Scope) -> tuple[str, Any]:
        able = [name for name, of in scope.rolls.items() if not of.symbols]
        if len(able) < 2:
            return "", None
        ours, theirs = self.chance.sample(able, 2)
        name, lead, won = self.name("pairs"), self.name("lead"), self.name("won")
        each = {
            lead: self.any_of(
                "ours",
                "theirs",
                "ours - theirs",
                "max(ours, theirs)",
                "1 if ours >= theirs + 2 else 0",
                "wound(ours - theirs)",
            ),
            won: self.any_of("ours > theirs", "ours == theirs", "ours reaches theirs", "odd(ours + theirs)"),
        }
        step: Tree = {"pair": ours, "with": theirs, "each": each}
        least = min(scope.rolls[ours].least, scope.rolls[theirs].least)
        if self.maybe():
            step["missing"] = self.any_of(1, 2, f"clamp({self.number(scope, 0)}, 0, 2)")
            least = scope.rolls[ours].least
        if self.maybe(0.2):
            step["first"] = self.any_of("red in tags", f"face >= {self.number(scope, 0)}")
            each[lead] = self.any_of(each[lead], "ours - theirs if red in ours.tags else 0")
        if self.maybe(0.3):
            del each[lead if self.maybe() else won]
        scope.lists[name] = Listed(tuple(n for n in each if n == lead), tuple(f for f in each if f == won), least)
        return name, step

    def step_stages(self, scope: Scope) -> tuple[str, Any]:
        name = self.name("value")
        then: Tree = {}
        inner = scope.inner()
        inner.numbers += [name] * 3
        for _ in range(self.any_of(1, 2, 2)):
            stage: Any = self.any_of(f"{name} + 1", f"max({name} - 1, 0)", f"half({name})", self.number(inner, 1))
            if self.maybe():
                stage = {"is": stage, "if": self.flag(inner, 1)}
            then[self.name("stage")] = stage
        step = {"start": self.number(scope, 1), "then": then}
        scope.numbers.append(name)
        return name, step

    def step_first_of(self, scope: Scope) -> tuple[str, Any]:
        name = self.name("which")
        cases: Tree = {self.name("case"): {"if": self.flag(scope, 1), "is": self.number(scope, 1)} for _ in range(2)}
        cases[self.name("case")] = self.number(scope, 1)
        scope.numbers.append(name)
        return name, {"first_of": cases}

    def step_compare(self, scope: Scope) -> tuple[str, Any]:
        name = self.name("standing")
        lines: Tree = {self.name("line"): {"ours": self.number(scope, 1), "theirs": self.number(scope, 1)}}
        if self.maybe():
            lines[self.name("line")] = {"ours": self.flag(scope, 1), "theirs": self.flag(scope, 1)}
        step: Tree = {"compare": lines}
        if self.maybe(0.3):
            step["ties"] = self.any_of("ours", "theirs")
        scope.flags += [f"{name}.ahead", f"{name}.behind", f"{name}.level"]
        return name, step

    def step_raise(self, scope: Scope) -> tuple[str, Any]:
        if not self.pay(3):
            return "", None
        name = self.name("pool")
        of = self.any_of("d2", "2d2", "d3 & d2", "d4 & d2")
        step: Tree = {"raise": of, "ladder": "size", "by": self.any_of(1, -1, f"clamp({self.number(scope, 1)}, -1, 2)")}
        if self.maybe(0.2):
            step["raise"] = f"{of} where size < 3"
        if self.maybe(0.3):
            step["past_top"] = "carry_to_next_smaller"
        if self.maybe(0.2):
            step["when_full"] = "add_lowest"
        scope.pools.append(name)
        scope.numbers += [f"count({name})", f"(highest({name}) otherwise 0)"]
        return name, step

    def step_choose(self, scope: Scope) -> tuple[str, Any]:
        name, kind = self.name("chosen"), self.any_of("number", "yes_no", "one")
        step: Tree = {"choose": kind, "by": "player"}
        if kind == "number":
            step |= {"from": 0, "to": 2, "default": f"clamp({self.number(scope, 1)}, 0, 2)"}
            scope.numbers.append(name)
        elif kind == "yes_no":
            step["default"] = self.flag(scope, 1)
            scope.flags.append(name)
        else:
            step |= {"among": "mood", "default": self.any_of("calm", "angry")}
            scope.words.append(name)
        if self.maybe(0.3):
            step["if"] = self.flag(scope, 1)
        return name, step

    def step_call(self, scope: Scope) -> tuple[str, Any]:
        able = [name for name, of in self._calls.items() if of.cost <= self.left]
        if not able:
            return "", None
        called = self.chance.choice(able)
        of = self._calls[called]
        given: Tree = {}
        for name, kind in of.inputs:
            rolls = [roll for roll, rolled in scope.rolls.items() if rolled.least and not rolled.symbols]
            if kind == "roll" and not rolls:
                return "", None
            if kind == "number":
                given[name] = self.number(scope, 1)
            elif kind == "roll":
                given[name] = self.chance.choice(rolls)
            else:
                given[name] = self.any_of("2d2", "d3", "d2 & d3")
        self.pay(of.cost)
        name = self.name("call")
        step: Tree = {"call": called}
        if given:
            step["with"] = given
        if self.maybe(0.15):
            step["if"] = self.flag(scope, 1)
            scope.numbers += [f"({name}.{n} otherwise 0)" for n in of.numbers]
            scope.flags.append(f"given({name})")
            return name, step
        scope.numbers += [f"{name}.{n}" for n in of.numbers]
        scope.flags += [f"{name}.outcome is {word}" for word in of.outcomes] + [f"{name}.{f}" for f in of.flags]
        return name, step

    def step_block(self, scope: Scope) -> tuple[str, Any]:
        name, inner = self.name("block"), scope.inner()
        first = self.outer_pairs(inner)
        steps = first | self.steps(inner, self.chance.randint(1, 2))
        mine = [n for n in inner.numbers if n in steps]
        if self.maybe(0.6):
            step: Tree = {"if": self.flag(scope, 1), "steps": steps}
            scope.numbers += [f"({name}.{n} otherwise 0)" for n in mine]
        else:
            step = {"steps": steps}
            scope.numbers += [f"{name}.{n}" for n in mine]
            scope.lists |= {f"{name}.{pairs}": inner.lists[pairs] for pairs in first}
            scope.rolls |= {f"{name}.{r}": of for r, of in inner.rolls.items() if r in steps}
        return name, step

    def step_place(self, scope: Scope) -> tuple[str, Any]:
        name, many = self.name("placed"), self.any_of(1, 2)
        showing = self.any_of(1, 2, f"clamp({self.number(scope, 1)}, 1, 2)")
        scope.rolls[name] = Rolled(many)
        return name, {"place": f"{many}d2 & d3" if self.maybe(0.3) else f"{many}d3", "showing": showing}

    def step_word(self, scope: Scope) -> tuple[str, Any]:
        name = self.name("mood")
        step = self.any_of(f"temper({self.number(scope, 1)})", f"calm if {self.flag(scope, 1)} else angry")
        scope.words.append(name)
        return name, step

    # Expressions --------------------------------------------------------------------------------------------------

    def number(self, scope: Scope, deep: int) -> str:
        simple: list[Callable[[Scope], str]] = [lambda _: str(self.chance.randint(0, 3))]
        if scope.numbers:
            simple += [lambda s: self.chance.choice(s.numbers)] * 3
        if scope.rolls:
            simple += [self.of_roll] * 5
        if scope.lists:
            simple += [self.of_list] * 4
        if deep == 0 or self.maybe(0.4):
            return self.chance.choice(simple)(scope)
        a, b = self.number(scope, deep - 1), self.number(scope, deep - 1)
        k = self.chance.randint(1, 3)
        return self.any_of(
            f"{a} + {b}", f"{a} + {b}", f"{a} - ({b})", f"max({a}, {b})", f"min({a}, {b})", f"abs({a})", f"({a}) * {k}",
            f"({a}) / 2", f"clamp({a}, 0, {k})", f"half({a})", f"wound({a})", f"({a}) + options.bonus",
            f"({a} if {self.flag(scope, deep - 1)} else {b})",
        )  # fmt: skip

    def of_roll(self, scope: Scope) -> str:
        """A number that is read of a roll."""
        name, of = self.chance.choice(list(scope.rolls.items()))
        if of.symbols:
            return self.any_of(
                f"sum({name}.star)", f"sum({name}.moon)", f"count({name} where star > 0)", f"count({name})"
            )
        if of.parts and self.maybe():
            name = f"{name}.{self.chance.choice(of.parts)}"
            of = Rolled(1)
        zero = "" if of.least else " otherwise 0"
        k, where = self.chance.randint(1, 3), self.of_die(scope, of)
        end = self.any_of("highest", "lowest")
        return self.any_of(
            f"sum({name})", f"sum({name})", f"({end}({name}){zero})", f"({end}({name}){zero})",
            f"(kth({name}, {k}) otherwise 0)", f"sum({end}({name}, {k}))", f"sum({end}({name}, {k}))",
            f"count({name} where {where})", f"sum({name} where {where})", f"({end}({name} where {where}) otherwise 0)",
            f"count({name})", f"count({name}.throws)", f"count(groups({name}))", f"shown({name})",
            f"(highest(groups({name}).width) otherwise 0)", f"sum(without({name}, {end}({name}, 1)))",
            f"sum({name})",
        )  # fmt: skip

    def of_die(self, scope: Scope, of: Rolled) -> str:
        """A condition that looks at one die."""
        if of.symbols:
            return self.any_of("star > 0", "moon == 0", "star + moon == 2")
        k = self.chance.randint(1, 4)
        makes = [
            f"face == {k}",
            f"face >= {k}",
            f"value >= {k}",
            f"value == {k}",
            "odd(face)",
            "size >= 3",
            "face == size",
        ]
        makes += ["red in tags", f"value < {k} or face == 2", "not red in tags and face >= 2"]
        if of.parts:
            makes += ["part is left", "part is right and face >= 2"]
        if scope.numbers:
            makes.append(f"face {self.any_of('==', '<', '>=')} {self.chance.choice(scope.numbers)}")
        return self.chance.choice([m for m in makes if "where" not in m])

    def of_list(self, scope: Scope) -> str:
        """A number that is read of a list of passes or pairs."""
        name, of = self.chance.choice(list(scope.lists.items()))
        makes = [f"count({name})"]
        zero = "" if of.least else " otherwise 0"
        for column in of.numbers:
            at, k = f"{name}.{column}", self.chance.randint(0, 2)
            makes += [f"sum({at})"] * 3 + [f"({self.any_of('highest', 'lowest')}({at}){zero})"]
            makes += [f"count({name} where it.{column} >= {k})", f"count({at} where it == {k})"]
            makes += [f"(kth({at}, 2) otherwise 0)", f"({self.any_of('first', 'last')}({at}){zero})"]
            makes += [f"sum({self.any_of('highest', 'lowest', 'first')}({at}, 2))"]
        for column in of.flags:
            makes += [f"count({name} where it.{column})", f"count({name}.{column} where it)"]
        return self.chance.choice(makes)

    def flag(self, scope: Scope, deep: int) -> str:
        makes: list[Callable[[], str]] = [self._compared(scope, max(deep - 1, 0))] * 4
        if scope.flags:
            makes += [lambda: self.chance.choice(scope.flags)] * 2
        if scope.words:
            makes.append(lambda: f"{self.chance.choice(scope.words)} is {self.any_of('calm', 'angry', 'sad')}")
        if scope.rolls:
            makes += [self._any_die(scope)] * 2
        for name, of in scope.lists.items():
            makes += [lambda name=name, f=f: f"{self.any_of('any', 'all')}({name}.{f})" for f in of.flags]
        if deep == 0 or self.maybe(0.7):
            return self.chance.choice(makes)()
        a, b = self.flag(scope, deep - 1), self.flag(scope, deep - 1)
        return self.any_of(f"({a}) and ({b})", f"({a}) or ({b})", f"not ({a})", f"({a}) and not options.harsh")

    def _compared(self, scope: Scope, deep: int) -> Callable[[], str]:
        def made() -> str:
            sign = self.any_of(">=", ">", "<", "==", "!=", "beats", "reaches")
            other = str(self.chance.randint(0, 5)) if self.maybe(0.6) else self.number(scope, deep)
            return f"({self.number(scope, deep)}) {sign} ({other})"

        return made

    def _any_die(self, scope: Scope) -> Callable[[], str]:
        def made() -> str:
            name, of = self.chance.choice(list(scope.rolls.items()))
            return f"{self.any_of('any', 'any', 'all')}({name} where {self.of_die(scope, of)})"

        return made


def _is_flag(made: Tree, name: str) -> bool:
    """Whether something beside the outcomes is a yes or no, and not a list of outcomes of its own."""
    return isinstance(made.get("also", {}).get(name), str)

"""What is written out of a program, and where: the names that it may use, its functions, what they remember."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from interpreter import ir
from interpreter.codegen.dependencies import Read, fields_read
from interpreter.codegen.mutable_state import MutableState
from interpreter.ir.traversal import each_in
from interpreter.play.deciders import Answers
from interpreter.play.run import Budget, MechanicEnded
from interpreter.play.verbs import walker_of
from interpreter.runtime.evaluator import ELEMENTS, Closures, Frame
from interpreter.runtime.rng import FaceSource
from interpreter.runtime.state import STATE, State
from interpreter.values import Die

Made = TypeVar("Made")

MOST_REMEMBERED = 10_000
"""How many values of one function are remembered from one run to the next, where they hang on nothing."""


class NotGenerated(Exception):
    """Something is wrong, or not written out: the walk says what it is, or does it."""


class RunCount:
    """How much a run has done, and how much it may do."""

    __slots__ = ("dice", "most_dice", "most_steps", "nested", "source", "steps")

    def __init__(self) -> None:
        self.source: FaceSource | None = None
        self.steps = self.dice = self.nested = 0
        self.most_steps, self.most_dice = Budget.steps, Budget.dice


class GeneratedModule:
    """A program under fixed options, and under one policy of its own or none, as functions in Python.

    A function is written out when it is first called. All of them work on the one state `live`, which changes under
    them, and remember what they found until something changes that it hangs on. Records hold what some formula reads,
    or the `whole` of what a rule comes to.
    """

    def __init__(
        self, program: ir.Program, options: Mapping[str, Any], policy: str | None = None, whole: bool = False
    ) -> None:
        self.program, self.policy = program, policy
        self.plain = Closures(program, dict(options))
        self.walker = walker_of(self.plain)
        self.options = self.plain.options
        self.live, self.run = MutableState(), RunCount()
        self.frame: Frame = {".meter": [ELEMENTS], STATE: self.live}
        self.hangs_on: dict[Read, list[dict[Any, Any]]] = {}
        """What is remembered, by what it hangs on."""
        self.remembered: list[dict[Any, Any]] = []
        self.always: list[dict[Any, Any]] = []
        self.fields_read = None if whole else fields_read(program)
        self.names: dict[str, Any] = {
            "has": self.live.has_by_id,
            "run": self.run,
            "frame": self.frame,
            "spent": self._spent,
            "thrown": self._thrown,
            "Ended": MechanicEnded,
            "Unwritten": NotGenerated,
        }
        self.answers = Answers({}, lambda choice, value: value, policy)
        self._bound: dict[int, tuple[Any, str]] = {}
        self._functions: dict[Any, str] = {}
        self._ready: dict[Any, Any] = {}
        self._hooks_end = next(each_in(program.kinds, ir.End), None) is not None

    def bind(self, value: Any) -> str:
        """The name that a value has in what is written."""
        kept = self._bound.get(id(value))
        if kept is None:
            kept = self._bound[id(value)] = value, f"k{len(self._bound)}"
            self.names[kept[1]] = value
        return kept[1]

    def function(self, key: Any, write: Callable[[str], str]) -> str:
        """The name of a function that is written when it is first called: `write` gives its text."""
        name = self._functions.get(key)
        if name is None:
            name = self._functions[key] = f"f{len(self._functions)}"
            self.names[name] = _PendingFunction(self, name, write)
        return name

    def memory(self, reads: frozenset[Read]) -> dict[Any, Any]:
        """Something to remember in what hangs on values of things, or on nothing."""
        made: dict[Any, Any] = {}
        (self.remembered if reads else self.always).append(made)
        for one in reads:
            self.touched(one).append(made)
        return made

    def touched(self, read: Read) -> list[dict[Any, Any]]:
        """What is forgotten when such a value changes: the list itself, which may still grow."""
        return self.hangs_on.setdefault(read, [])

    def once(self, key: Any, make: Callable[[], Made]) -> Made:
        """What was made ready under a key."""
        if key not in self._ready:
            self._ready[key] = make()
        found: Made = self._ready[key]
        return found

    def ends(self, rule: ir.Mechanic) -> bool:
        """Whether a step may break a rule off with an outcome, one that follows when a bound is reached too."""
        return self._hooks_end or next(each_in(rule, ir.End), None) is not None

    def forget(self) -> None:
        """Forget all that was remembered."""
        for one in self.remembered:
            one.clear()

    def begin(self, source: FaceSource) -> None:
        """Another run begins."""
        run = self.run
        run.source, run.steps, run.dice, run.nested = source, 0, 0, 0
        self.answers = Answers({}, lambda choice, value: value, self.policy)
        for one in self.always:
            if len(one) > MOST_REMEMBERED:
                one.clear()
        self.afresh()

    def afresh(self) -> None:
        """What comes now may compute as much as a whole run."""
        run = self.run
        run.most_steps, run.most_dice = run.steps + Budget.steps, run.dice + Budget.dice
        self.frame[".meter"][0] = ELEMENTS

    def become(self, state: State) -> None:
        """What lasts is now as in another state."""
        self.live.become(state)
        self.forget()

    def _spent(self, elements: Any) -> Any:
        """Elements that are looked at, which a run may not do without end."""
        meter = self.frame[".meter"]
        meter[0] -= len(elements)
        if meter[0] < 0:
            raise NotGenerated
        return elements

    def _thrown(self, dice: tuple[Die, ...]) -> list[Any]:
        """The faces of dice that are thrown."""
        run = self.run
        run.dice += len(dice)
        if run.dice > run.most_dice or run.source is None:
            raise NotGenerated
        return run.source.throw(dice) if dice else []


class _PendingFunction:
    """Stands for a function until it is called."""

    def __init__(self, script: GeneratedModule, name: str, write: Callable[[str], str]) -> None:
        self.script, self.name, self.write = script, name, write

    def written(self) -> Callable[..., Any]:
        """The function, which stands for itself from now on; of one that is nested too deep for Python, that."""
        names = self.script.names
        if names[self.name] is self:
            try:
                exec(self.write(self.name), names)
            except (SyntaxError, RecursionError, MemoryError):
                names[self.name] = _too_deep
        made: Callable[..., Any] = names[self.name]
        return made

    def __call__(self, *arguments: Any) -> Any:
        return self.written()(*arguments)


def _too_deep(*_: Any) -> None:
    raise NotGenerated

"""The Python that is generated from a program: its functions, the names they may use, and their caches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from interpreter import ir
from interpreter.codegen.dependencies import fields_read
from interpreter.codegen.mutable_state import MutableState
from interpreter.ir.state_reads import Read
from interpreter.ir.traversal import outermost_nodes_in
from interpreter.play.deciders import Answers
from interpreter.play.run import MechanicEnded, RunLimits
from interpreter.play.verbs import walker_of
from interpreter.runtime.evaluator import Closures, Frame
from interpreter.runtime.operations import ELEMENTS
from interpreter.runtime.rng import FaceSource
from interpreter.runtime.state import STATE, State
from interpreter.values import Die
from interpreter.work_count import spend as spend_work

if TYPE_CHECKING:
    from interpreter.codegen.function_writer import FunctionWriter

Made = TypeVar("Made")

Trail = tuple[str, ...]
"""The names of the steps that hold a step, and its own."""

Verb = Callable[["FunctionWriter", Any, ir.Step, Trail, "str | None"], None]
"""Writes a step of one kind, given its action; the variable takes the result, None where nothing reads it."""

RUN, STEPS_AT_ONCE = 20, 64
"""The units of work of a run, beside its steps; and how many steps are counted at a time, two for a unit."""

MOST_CACHED = 10_000
"""How many values of one function are kept from one run to the next, where they depend on no state."""


class NotGenerated(Exception):
    """A run goes wrong or needs something that is not generated: play reports it, or runs it."""


class RunCount:
    """What a run has spent of its budget, and the budget; the kinds of what it has `destroyed`, by name."""

    __slots__ = ("calls", "destroyed", "dice", "most_dice", "most_steps", "nested", "next_count", "source", "steps")

    def __init__(self) -> None:
        self.source: FaceSource | None = None
        self.steps = self.dice = self.nested = 0
        self.calls: tuple[str, ...] = ()
        self.destroyed: dict[str, str] = {}
        self.most_steps, self.most_dice = RunLimits.steps, RunLimits.dice
        self.next_count = STEPS_AT_ONCE
        """The number of steps at which they are counted next."""

    def count_steps(self) -> None:
        """Count the steps on the meter in force. Raises NotGenerated where they are more than the limit."""
        spend_work(STEPS_AT_ONCE // 2)
        if self.steps > self.most_steps:
            raise NotGenerated
        self.next_count = min(self.steps + STEPS_AT_ONCE, self.most_steps + 1)


class GeneratedModule:
    """A program as functions in Python, under fixed options and at most one policy of the ruleset.

    A function is generated when it is first called. All functions work on the one mutable `state`, and cache values
    until something changes that these depend on. `verbs` maps classes of steps to what writes them. Records hold the
    fields that some formula reads, or the `whole` of what a rule results in. With `keeps_calls`, an answer of the
    policy may depend on the steps that lead to its question, so that runs keep them.
    """

    def __init__(
        self,
        program: ir.Program,
        options: Mapping[str, Any],
        verbs: Mapping[type, Verb],
        policy: str | None = None,
        whole: bool = False,
    ) -> None:
        self.program, self.policy, self.verbs = program, policy, verbs
        self.closures = Closures(program, dict(options))
        self.walker = walker_of(self.closures)
        self.options = self.closures.options
        self.state, self.run = MutableState(), RunCount()
        self.frame: Frame = {".meter": [ELEMENTS], STATE: self.state}
        self.fields_read = None if whole else fields_read(program)
        self.names: dict[str, Any] = {
            "has": self.state.has_by_id,
            "run": self.run,
            "frame": self.frame,
            "thrown": self._throw_faces,
            "Ended": MechanicEnded,
            "NotGenerated": NotGenerated,
        }
        self.answers = Answers({}, lambda choice, value: value, policy)
        self._caches_by_read: dict[Read, list[dict[Any, Any]]] = {}
        self._caches_of_state: list[dict[Any, Any]] = []
        self._lasting_caches: list[dict[Any, Any]] = []
        self._bound: dict[int, tuple[Any, str]] = {}
        self._functions: dict[Any, str] = {}
        self._made: dict[Any, Any] = {}
        answers = outermost_nodes_in(program, ir.PolicyAnswer) if policy is not None else ()
        self.keeps_calls = any(one.calls for one in answers)
        self._hooks_end = next(outermost_nodes_in(program.kinds, ir.End), None) is not None

    def bind(self, value: Any) -> str:
        """The name that generated functions know a value by."""
        kept = self._bound.get(id(value))
        if kept is None:
            kept = self._bound[id(value)] = value, f"k{len(self._bound)}"
            self.names[kept[1]] = value
        return kept[1]

    def function(self, key: Any, write: Callable[[str], str]) -> str:
        """The name of the function under a key; `write` gives its source, by its name, when it is first called."""
        name = self._functions.get(key)
        if name is None:
            name = self._functions[key] = f"f{len(self._functions)}"
            self.names[name] = _PendingFunction(self, name, write)
        return name

    def cache(self, reads: frozenset[Read]) -> dict[Any, Any]:
        """A cache for values that depend on attributes of objects, or on no state at all."""
        made: dict[Any, Any] = {}
        (self._caches_of_state if reads else self._lasting_caches).append(made)
        for read in reads:
            self.caches_of(read).append(made)
        return made

    def caches_of(self, read: Read) -> list[dict[Any, Any]]:
        """The caches to clear when an attribute changes: the list itself, which may still grow."""
        return self._caches_by_read.setdefault(read, [])

    def make_once(self, key: Any, make: Callable[[], Made]) -> Made:
        """The value under a key, which is made when it is first asked for."""
        if key not in self._made:
            self._made[key] = make()
        found: Made = self._made[key]
        return found

    def may_end(self, rule: ir.Mechanic) -> bool:
        """Whether a step may end a rule with an outcome; steps that follow when a bound is reached count."""
        return self._hooks_end or next(outermost_nodes_in(rule, ir.End), None) is not None

    def begin(self, source: FaceSource) -> None:
        """Begin another run."""
        run = self.run
        spend_work(RUN + run.steps % STEPS_AT_ONCE // 2)
        run.next_count = STEPS_AT_ONCE
        run.source, run.steps, run.dice, run.nested, run.calls = source, 0, 0, 0, ()
        run.destroyed = {}
        self.answers = Answers({}, lambda choice, value: value, self.policy)
        for cache in self._lasting_caches:
            if len(cache) > MOST_CACHED:
                cache.clear()
        self.renew_budget()

    def renew_budget(self) -> None:
        """Give the rest of the run the budget of a whole run."""
        run = self.run
        run.most_steps, run.most_dice = run.steps + RunLimits.steps, run.dice + RunLimits.dice
        run.next_count = min(run.next_count, run.most_steps + 1)
        self.frame[".meter"][0] = ELEMENTS

    def set_state(self, state: State) -> None:
        """Replace the state and clear the caches that depend on it."""
        self.state.set(state)
        for cache in self._caches_of_state:
            cache.clear()

    def take_state_after_step(self, state: State) -> None:
        """Replace the state by the one after a step that play has run.

        Raises NotGenerated for an object under the name of a destroyed one of another kind: play tells them apart by
        their kinds, generated functions only look at names.
        """
        gone = self.run.destroyed
        gone.update({name: held.kind for name, held in self.state.things.items() if name not in state.things})
        if any(gone.get(name, held.kind) != held.kind for name, held in state.things.items() if gone):
            raise NotGenerated
        self.set_state(state)

    def _throw_faces(self, dice: tuple[Die, ...]) -> list[Any]:
        """The faces of dice that are thrown."""
        run = self.run
        run.dice += len(dice)
        if run.dice > run.most_dice or run.source is None:
            raise NotGenerated
        return run.source.throw(dice) if dice else []


class _PendingFunction:
    """Stands for a function until it is first called."""

    def __init__(self, module: GeneratedModule, name: str, write: Callable[[str], str]) -> None:
        self.module, self.name, self.write = module, name, write

    def generate(self) -> Callable[..., Any]:
        """The function, which takes this object's place; one that raises if Python cannot compile its nesting."""
        names = self.module.names
        if names[self.name] is self:
            try:
                exec(self.write(self.name), names)
            except (SyntaxError, RecursionError, MemoryError):
                names[self.name] = _raise_too_deep
        made: Callable[..., Any] = names[self.name]
        return made

    def __call__(self, *arguments: Any) -> Any:
        return self.generate()(*arguments)


def _raise_too_deep(*_: Any) -> None:
    raise NotGenerated

"""A ruleset under chosen options: its rules by name, and readers of inputs, answers, states and names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, lru_cache
from hashlib import sha256
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.api import arguments
from interpreter.api.adopt_state import AdoptedState, adopt_state
from interpreter.api.decode import InputReader, node_of, replace_given
from interpreter.api.given_answers import answers_of
from interpreter.api.input_data import inputs_data
from interpreter.api.options import all_options, chosen_options
from interpreter.api.stack_guard import stack_guarded
from interpreter.api.state_json import extend_state, start
from interpreter.checker.attributes import things_of
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic, PlayError
from interpreter.ir import types as t
from interpreter.ir.choice_keys import record_with_phase
from interpreter.ir.lasting_dice import dice_last
from interpreter.ir.without_consequences import rules_without_consequences
from interpreter.layers.effective import effective_text
from interpreter.pickled import reduce_by
from interpreter.play.actions import perform_action
from interpreter.play.deciders import Answers, Policy
from interpreter.play.events import run_event
from interpreter.play.run import Run, Walk
from interpreter.play.scenes import WHOLE, ScenePart, compile_scene
from interpreter.play.verbs import walker_of
from interpreter.runtime.constraints import constraints_check
from interpreter.runtime.evaluator import Closures, new_frame
from interpreter.runtime.kept_dice import dice_in, settle_dice
from interpreter.runtime.requirements import unmet_requirements
from interpreter.runtime.state import EMPTY, STATE, State
from interpreter.saves.header import check_header, is_save
from interpreter.saves.plan import NO_WISHES, Wishes
from interpreter.syntax.document import Node
from interpreter.syntax.json_text import NotJson, read_json

if TYPE_CHECKING:
    from interpreter.odds.query_cache import QueryCache

Held = State | Mapping[str, Any] | str
"""A state that a host passes: one that a game has made, or plain data or JSON text that `Game.state` reads."""


class Instance:
    """A checked program under chosen options. It never changes; what it caches follows from the program."""

    def __init__(self, program: ir.Program, world: World, options: Mapping[str, Any] | None = None) -> None:
        self.program = program
        self.world = world
        self.chosen: Mapping[str, Any] = chosen_options(program, world, options or {})
        self.option_values: Mapping[str, Any] = MappingProxyType(all_options(program, self.chosen))
        self.closures = Closures(program, dict(self.option_values))
        self.walker = walker_of(self.closures)
        self.odds_caches: dict[Any, QueryCache] = {}
        self._texts: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def title(self) -> str:
        return self.program.title

    @property
    def version(self) -> str:
        return self.program.version

    @cached_property
    def ruleset_text(self) -> str:
        """The rules with all their parts and house rules, as the text of one file, which needs no other.

        It has no cases, and not the options that are chosen; `loads` reads it.
        """
        return effective_text(self.world.root, self.world.base_places)

    def with_options(self, options: Mapping[str, Any]) -> Self:
        """The same ruleset with these options changed."""
        return type(self)(self.program, self.world, {**self.own_options, **options})

    @cached_property
    def without_consequences(self) -> Self:
        """The same ruleset, in which nothing follows when points reach a bound and nobody reacts."""
        return type(self)(rules_without_consequences(self.program), self.world, self.own_options)

    @arguments.with_checked_arguments
    def allowing(self, allow: Sequence[str]) -> Self:
        """The same game, in which things may be written and made that do not meet these requirements of their kinds.

        Raises PlayError for a name that no requirement of a kind has.
        """
        kinds = self.program.kinds
        known = [one.name for kind in kinds.values() for one in kind.requires]
        for name in allow:
            if name not in known:
                raise PlayError(say.unknown_of(say.NOWHERE, "requirement", name, known))
        left = {
            name: replace(kind, requires=tuple([one for one in kind.requires if one.name not in allow]))
            for name, kind in kinds.items()
        }
        return type(self)(replace(self.program, kinds=left), self.world, self.own_options) if allow else self

    @property
    def own_options(self) -> dict[str, Any]:
        """The chosen options as plain data."""
        return inputs_data(self.chosen)

    @cached_property
    def _pack(self) -> tuple[Any, ...]:
        import pickle

        data = pickle.dumps((self.program, self.world, self.own_options), pickle.HIGHEST_PROTOCOL)
        return reduce_by(_unpack, type(self), sha256(data).hexdigest(), data)

    def __reduce__(self) -> tuple[Any, ...]:
        return self._pack

    # Rules ------------------------------------------------------------------------------------------------------

    def rule(self, name: str) -> ir.Mechanic:
        """The rule of a name or a path. Raises PlayError where there is none."""
        return self.find_rule(name)[1]

    def section_of(self, name: str) -> str:
        """The section of a rule of a name or a path. Raises PlayError where there is none."""
        return self.find_rule(name)[0]

    def has(self, name: str) -> bool:
        """Whether there is a rule of a name or a path."""
        with suppress(PlayError):
            return bool(self.find_rule(name))
        return False

    def find_rule(self, name: str) -> tuple[str, ir.Mechanic]:
        """The section and the rule of a name or a path (`events.stress`). Raises PlayError where there is none."""
        program = self.program
        if name in program.mechanics:  # the most frequent kind of rule
            return "mechanics", program.mechanics[name]
        sections = program.playable
        section, _, last = name.rpartition(".")
        for key, rules in sections.items():
            if section in ("", key) and last in rules:
                return key, rules[last]
        raise PlayError(say.unknown_mechanic(name, [key for rules in sections.values() for key in rules]))

    def type_of(self, name: str, phase: str | None = None) -> t.Record:
        """The record of a rule of a name or a path: its values, and of an event whether it happened; of one phase of a
        scene, its steps too."""
        section, rule = self.find_rule(name)
        if section == "scenes" and phase is not None:
            return record_with_phase(self.program.scenes[rule.name], phase)
        if section != "events":
            return rule.type
        return t.Record(rule.name, (*rule.type.fields, ("happened", t.YES_NO)), rule.type.where)

    def walk(self, name: str, part: ScenePart = WHOLE) -> Callable[[dict[str, Any], Run], Walk]:
        """The function that plays a rule of a name or a path from a frame with its inputs; of a scene, a part of it."""
        section, rule = self.find_rule(name)
        if section == "events":
            return lambda given, run: run_event(self.walker, rule, None, given, run)
        if section == "actions":
            action = self.program.actions[rule.name]
            return lambda given, run: perform_action(self.walker, action, given, run)
        if section == "scenes":
            return compile_scene(self.walker, self.program.scenes[rule.name], part)
        return self.walker.walk_of_rule(rule)

    # Inputs and answers -----------------------------------------------------------------------------------------

    def reader(self, state: Held | None = None) -> InputReader:
        """A reader of values for this ruleset under these options; it can name the things of a state."""
        there = self.state_from(state) if state is not None else self.start if self.program.kinds else EMPTY
        there = settle_dice(self.program, there)
        kept = len({one.key for one in dice_in(there)}) if dice_last(self.program) else 0
        known = self._texts
        return InputReader(self.world, self.closures, dice_read=kept, known=known, state=there, stateless=state is None)

    def _reader_without_state(self) -> InputReader:
        return InputReader(self.world, self.closures, known=self._texts)

    def answers(
        self, choices: Mapping[str, Any] | None, policy: str | Policy | None, ask: Policy | None, reader: InputReader
    ) -> Answers:
        """The answers of a run; given ones are read by the type of the choice when it is asked."""
        return answers_of(reader, choices, policy, ask)

    @stack_guarded
    def try_input(self, rule: str, name: str, given: Any, state: Held | None = None) -> None:
        """Raises PlayError if a value does not fit the declaration of an input; it may name things of a state."""
        declared = next(one for one in self.rule(rule).inputs if one.name == name)
        node, reader = node_of(given, name), self.reader(state)
        value = reader.value(node, declared.type, name)
        with suppress(KeyError), say.Placed({name: node.span}):  # a bound that reads another input is checked later
            constraints_check(self.closures, declared)(value, {**new_frame(), STATE: reader.state})

    def with_inputs(self, mechanic: str, given: Mapping[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
        """Inputs with some of them changed; a dotted name changes a part of a record and keeps the rest."""
        short = {}
        for one in self.rule(mechanic).inputs:
            kind = t.without_maybe(one.type)
            record = self.program.types.get(kind.name) if isinstance(kind, t.Record) else None
            short[one.name] = record.written_as if record else None
        nodes = {name: node_of(value, name) for name, value in given.items()}
        for name, value in changed.items():
            nodes = replace_given(nodes, name, node_of(value, name), short.get(name.partition(".")[0]))
        return dict(nodes)

    # States -----------------------------------------------------------------------------------------------------

    @cached_property
    def start(self) -> State:
        """The state that a ruleset begins with: its things, and one of each kind of which there is one."""
        state = start(self._reader_without_state())
        self._check_new_things(state, {})
        return state

    @stack_guarded
    def state(self, things: Mapping[str, Any] | str | None = None, /, **more: Any) -> State:
        """A state with these things, or one that `to_data` or `to_json` of this game has written.

        Things are written by name, each as what it has, with its kind under `is`: `ada={"is": "hero", "luck": 2}`.
        A state that was saved under other rules is taken up as far as nothing is lost: what the rules no longer hold is
        kept aside. Raises PlayError if something does not fit, or must be decided first, which `adopt` does.
        """
        if isinstance(things, str):
            try:
                things = read_json(things)
            except NotJson as error:
                raise PlayError(say.wrong_state(str(error))) from None
        if things is not None and not isinstance(things, Mapping):
            raise PlayError(say.wrong_state("it is not a mapping"))
        written = dict(arguments.names("things", things or {}))
        if is_save(written):
            return self.saved_state(written, check_header("state", written))
        written |= arguments.names("things", more)
        return self.state_of({name: node_of(value, name) for name, value in written.items()})[0]

    def adopt_state(
        self, data: Mapping[str, Any], rules: Mapping[str, Any], wishes: Wishes = NO_WISHES
    ) -> AdoptedState:
        """The data of a state, taken up under the rules of this game; `rules` are those of the save that it is in."""
        return adopt_state(self._reader_without_state, data, rules, wishes)

    def saved_state(self, data: Mapping[str, Any], rules: Mapping[str, Any]) -> State:
        """The same, if nothing must be decided. Raises PlayError where something must."""
        adopted = self.adopt_state(data, rules)
        if adopted.state is None:
            raise PlayError(say.decisions_open("state", [one.text for one in adopted.lines if one.open]))
        return adopted.state

    def state_of(self, written: Mapping[str, Node]) -> tuple[State, set[str]]:
        """The state with objects as they are written, and the paths of the declarations that they use.

        Raises PlayError if a value does not fit, or for every requirement of their kinds that things do not meet.
        """
        state, used = self.read_things(written)
        self._check_new_things(state, written)
        kinds = [self.program.kinds[kind] for kind in {held.kind for held in state.things.values()}]
        return state, used | {one.path for kind in kinds for one in kind.requires}

    def read_things(self, written: Mapping[str, Node], before: State | None = None) -> tuple[State, set[str]]:
        """The same, whatever the kinds require of the things, which may name those of a state `before`."""
        if before is not None:
            reader = self.reader(before)
            return extend_state(reader, before, written, only=frozenset()), reader.used
        reader = self._reader_without_state()
        return extend_state(reader, EMPTY, written), reader.used

    def with_things(self, state: State, written: Mapping[str, Node]) -> State:
        """A state with further things. Raises PlayError as `state_of` does."""
        more = extend_state(self.reader(state), state, written, only=frozenset())
        self._check_new_things(more, written, state)
        return more

    def unmet_requirements(
        self, state: State, written: Mapping[str, Node], before: State = EMPTY
    ) -> Iterator[Diagnostic]:
        """Every requirement that things of a state do not meet, of those that were not there `before`; `written` is
        what people wrote of them."""
        new = [name for name in state.things if name not in before.things]
        nodes = {name: entry.value for name, (_, entry) in things_of(self.world).items()} | dict(written)
        return unmet_requirements(self.closures, {**new_frame(), STATE: state}, new, nodes)

    def _check_new_things(self, state: State, written: Mapping[str, Node], before: State = EMPTY) -> None:
        unmet = list(self.unmet_requirements(state, written, before))
        if unmet:
            raise PlayError(*unmet)

    def state_from(self, state: Held) -> State:
        """A state as it is, or what `state` makes of plain data. Raises PlayError for any other value."""
        if isinstance(state, State):
            return state
        if not isinstance(state, Mapping | str):
            raise PlayError(
                say.wrong_state(f"it is neither a state nor a mapping of things, but a {type(state).__name__}")
            )
        return self.state(state)

    def compile_reading(self, state: Held, text: str) -> tuple[ir.Formula, Callable[[State], Any]]:
        """An expression about the things of a state, and a function that evaluates it in this and later ones."""
        state, text = self.state_from(state), arguments.text("text", text)
        things = {one: state.thing(one) for one in state.things if "." not in one}
        kinds = {name: t.Object(thing.kind) for name, thing in things.items()}
        expression = self.reader(state).check_expression(node_of(text, text), None, kinds)
        value = self.closures.of(expression)
        return expression, lambda now: value({**new_frame(), **things, STATE: now})

    def evaluate_with_type(self, state: Held, text: str) -> tuple[t.Type, Any, frozenset[str]]:
        """The type of an expression about a state, its value, and the paths of the declarations that it uses."""
        here = self.state_from(state)
        made, value = self.compile_reading(here, text)
        return made.type, value(here), made.refs

    # Names whose values odds and simulations give --------------------------------------------------------------

    def names_of_state(self, rule: str, state: State | None, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The names that read the state after the run, each with its words; the others read the record of the rule.

        Raises PlayError for a name that neither has.
        """
        from interpreter.odds.projection import check_name, reads_end_state

        left = {}
        for name in names:
            if state is not None and reads_end_state(state, name):
                kind = t.without_maybe(self.compile_reading(state, name)[0].type)
                left[name] = kind.words if isinstance(kind, t.Word) else ()
            else:
                check_name(self.type_of(rule), name)
        return left

    def reader_of_name(self, state: State | None, name: str) -> Callable[[Any, Mapping[str, Any]], Any]:
        """The function that reads a name from the record of a run, or from the frame at its end.

        Raises PlayError for a name that neither has.
        """
        from interpreter.odds.projection import reads_end_state, shown_value, value_at

        if state is None or not reads_end_state(state, name):
            return lambda record, at: value_at(record, name)
        _, value = self.compile_reading(state, name)
        head = name.partition(".")[0]
        return lambda record, at: shown_value(value(at[STATE])) if head in at[STATE].things else None


@lru_cache(maxsize=8)
def _unpack(kind: type[Instance], key: str, data: bytes) -> Instance:
    """The instance that another process has sent, created once however often it is sent."""
    import pickle

    return kind(*pickle.loads(data))

"""Find what a ruleset declares or changes to no effect: nothing reads it, nothing causes it, nobody has it.

Each finding is a warning. What people read at the table is no finding: texts, outcomes, what mechanics work out when
they are played by themselves, values with `seen_by`, events with `by`, and whatever cites another text (`elsewhere`)
or a row without a rule (`flavour`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.checker.attributes import attribute_entries
from interpreter.checker.world import World
from interpreter.diagnostics import Diagnostic
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.ir.choice_keys import steps_at_bounds
from interpreter.ir.consent import price_hangs_on
from interpreter.ir.deciders import roles_asked
from interpreter.ir.traversal import EFFECTS, children, nodes_under, outermost_nodes_in, texts_at
from interpreter.runtime.state import SCENE
from interpreter.syntax.document import Mapping, Scalar, Sequence, items_of, value_at
from interpreter.syntax.fixed_words import BOUNDARIES
from interpreter.work_count import spend

OF_CHANGES = ("before", "after", "amount", "excess")
"""The values of a change that tell what was there."""


def report_unread(world: World, program: ir.Program) -> None:
    """Report every finding, but only in the files on top: what lies under a layer is its own author's."""
    if not world.problems.errors:
        for problem in _Findings(world, program).all_findings():
            if problem.span.source.name not in world.lower:
                world.problems.add(problem)


class _Findings:
    """What the formulas and steps of a program read, and what is left."""

    def __init__(self, world: World, program: ir.Program) -> None:
        self.world, self.program = world, program
        self.attributes: set[tuple[str, str]] = set()
        self.fields: set[str] = set()
        """The names of fields that formulas read, of whatever record."""
        self.of_changes: set[str] = set()
        """The names of steps of which a formula reads what was there before or after."""
        self.told_of_scenes: set[str] = set()
        """The attributes of scenes that texts read: an input of a scene may be there to be told."""
        self.options: set[str] = set()
        self.rounds = False
        self.tested: dict[str, set[str]] = {}
        """By the name of a list of words, the words that conditions name."""
        self.read_whole: set[tuple[str, str]] = set()
        """The lists of words that are read in another way than by naming a word."""
        self.changed: dict[tuple[str, str], Span] = {}
        self.told_elsewhere = {one.path for one in program.citations if one.status in ("elsewhere", "flavour")}
        self.acting: list[tuple[ir.Mechanic, Any]] = [(one, one) for one in program.events.values()]
        self.acting += [(one.rule, one) for one in program.actions.values()]
        self.acting += [(one.action.rule, one) for one in program.reactions.values()]
        self.acting += [(one.rule, one) for one in program.scenes.values()]
        self.rules = [*((one, one) for one in program.mechanics.values()), *self.acting]
        self.within = {rule.path: _names_read(whole) for rule, whole in self.rules}
        self._collect_reads()

    def all_findings(self) -> Iterator[Diagnostic]:
        yield from self._unread_attributes()
        yield from self._untested_words()
        yield from self._unread_declarations()
        yield from self._unread_results()
        yield from self._actions_without_effect()
        yield from self._prices_known_already()
        yield from self._uncaused_events()
        yield from self._questions_to_nobody()

    # What is read

    def _collect_reads(self) -> None:
        program = self.program
        stack: list[tuple[Any, tuple[str, str] | None]] = [
            (part, None)
            for part in (
                *(program.options, program.types, program.functions, program.tables, program.modifiers, program.kinds),
                *(program.mechanics, program.events, program.actions, program.reactions, program.scenes),
            )
        ]
        stack += [([formula for _, formula in one.given], None) for one in program.claims]
        while stack:
            node, own = stack.pop()
            spend(2)
            if not isinstance(node, (list, dict)):
                self._note_reads(node, own)
            if isinstance(node, (ir.Assign, ir.Shift)):
                own = (node.target.kind, node.target.name)
                stack.append((node.target, None))
                stack.append((node.value if isinstance(node, ir.Assign) else node.amount, own))
                continue
            for child in children(node):
                self._note_word(node, child)
                stack.append((child, own))

    def _note_reads(self, node: Any, own: tuple[str, str] | None) -> None:
        """Note what a node reads; `own` is the attribute that a change around it sets, which it may read for that."""
        for text in texts_at(node):
            self.told_of_scenes |= {
                one.name
                for one in nodes_under(list(text.formulas))
                if isinstance(one, ir.Attribute) and one.kind == SCENE
            }
            for part in text.parts:  # an option may decide what is said
                self.options |= {one.name for one in nodes_under([part.condition]) if isinstance(one, ir.Option)}
        match node:
            case ir.Attribute(kind=kind, name=name):
                if (kind, name) != own:
                    self.attributes.add((kind, name))
            case ir.Field(of=of, name=name) | ir.Column(of=of, name=name):
                self.fields.add(name)
                if name in (*OF_CHANGES, "happened"):
                    self.of_changes.add(getattr(of, "name", ""))
                element = _present_element_type(of.type)
                if isinstance(element, t.Object):
                    self.attributes.add((element.kind, name))
            case ir.Option(name=name):
                self.options.add(name)
            case ir.Pay():
                self.attributes |= {(purse.kind, purse.name) for purse, _ in node.purses}
            case ir.Draw(target=target, refill=refill):
                piles = {(one.kind, one.name) for one in (target, refill) if one is not None}
                self.attributes |= piles
                self.read_whole |= piles  # what is drawn may be compared without being named
            case ir.Take(target=target):
                self.attributes.add((target.kind, target.name))
            case ir.Lvalue():
                self.changed.setdefault((node.kind, node.name), node.span)
            case ir.Action():
                who = t.without_maybe(node.actor.type)
                if isinstance(who, t.Object):
                    self.attributes |= {(who.kind, cost.name) for cost in node.costs}

    def _note_word(self, node: Any, child: Any) -> None:
        """Note the words that a condition names, lists of words that are read in another way, and what is rounded."""
        if isinstance(child, ir.Quotient) and child.bare and not isinstance(node, ir.Relation):
            self.rounds = True
        if isinstance(node, ir.Relation):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(_present_element_type(one.type), t.Word) and isinstance(other, ir.Constant):
                    self.tested.setdefault(_present_element_type(one.type).name, set()).add(other.value)
        if isinstance(child, ir.Attribute) and isinstance(_present_element_type(child.type), t.Word):
            if isinstance(node, ir.Membership) and child is node.of and isinstance(node.item, ir.Constant):
                self.tested.setdefault(_present_element_type(child.type).name, set()).add(node.item.value)
            else:
                self.read_whole.add((child.kind, child.name))
        if isinstance(node, ir.Column) and isinstance(_present_element_type(node.type), t.Word):
            element = _present_element_type(node.of.type)
            if isinstance(element, t.Object):
                self.read_whole.add((element.kind, node.name))

    # What is left

    def _values_for_rules(self) -> Iterator[tuple[ir.Kind, ir.HeldAttribute]]:
        """The values that things keep for rules: neither derived, nor parts, nor said to be for people."""
        for kind in self.program.kinds.values():
            for one in kind.has.values():
                of_language = kind.name == SCENE and (one.name == "round" or ".inputs." in one.path)
                if one.derived is None and one.part is None and not of_language and not self._is_for_people(kind, one):
                    yield kind, one

    def _is_for_people(self, kind: ir.Kind, one: ir.HeldAttribute) -> bool:
        if (
            isinstance(_present_element_type(one.type), t.Text)
            or one.path in self.told_elsewhere
            or one.name in kind.summary
        ):
            return True
        node = attribute_entries(self.world, kind.name)[one.name].value
        seen = value_at(node, "seen_by")
        return seen is not None and not (isinstance(seen, Sequence) and not seen.items)

    def _unread_attributes(self) -> Iterator[Diagnostic]:
        for step in outermost_nodes_in(self._rules_and_hooks(), ir.Step):
            for inner in (one for one in nodes_under(step) if isinstance(one, ir.Step)):
                change = inner.action
                if isinstance(change, (ir.Shift, ir.Assign, ir.Exclude)) and inner.name in self.of_changes:
                    self.attributes.add((change.target.kind, change.target.name))
        for kind, one in self._values_for_rules():
            hooked = one.when_full or one.when_hit_full or one.when_empty or one.refuses
            if not hooked and (kind.name, one.name) not in self.attributes:
                yield say.never_read(one.declared.span, one.name, kind.name, self.changed.get((kind.name, one.name)))

    def _rules_and_hooks(self) -> list[Any]:
        return [[whole for _, whole in self.rules], list(steps_at_bounds(self.program))]

    def _untested_words(self) -> Iterator[Diagnostic]:
        """Words that a list of a thing may hold and no rule asks for, where rules ask for others of its words."""
        for kind, one in self._values_for_rules():
            word = _present_element_type(one.type)
            place = (kind.name, one.name)
            if (
                not isinstance(word, t.Word)
                or not isinstance(t.without_maybe(one.type), t.List)
                or place in self.read_whole
            ):
                continue
            if place not in self.attributes:  # no rule reads the list, and that is a finding of its own
                continue
            for name in word.words if word.name in self.tested else ():
                if name not in self.tested[word.name]:
                    yield say.word_never_tested(word.named_at(name) or one.declared.span, name, one.name)

    def _unread_declarations(self) -> Iterator[Diagnostic]:
        of_scenes = {name for kind, name in self.attributes if kind == SCENE}
        for rule, _ in self.rules:
            if rule.name in BOUNDARIES or rule.path in self.told_elsewhere:
                continue
            known = self.within[rule.path]
            if rule.path.startswith("events."):
                answering = [one for one in self.program.reactions.values() if rule.name in one.events]
                known = known.union(*(_fields_of_event(one) for one in answering))
            if rule.path.startswith("scenes."):
                known = known | of_scenes | self.told_of_scenes
            for one in rule.inputs:
                if one.name not in known and one.name != "upgraded" and not self._is_told(one):
                    yield say.never_used(one.span, "input", one.name)
        takers: list[ir.Function | ir.Modifier] = [*self.program.functions.values(), *self.program.modifiers.values()]
        for taking in takers:
            own = _names_read(taking)
            for one in taking.takes:
                if one.name not in own:
                    yield say.never_used(one.span, "input", one.name)
        for option in self.program.options.values():
            if option.name not in self.options and not self._is_told(option):
                yield say.never_used(option.span, "option", option.name)
        for record in self.program.types.values():
            own = _names_read(record)
            for one in record.has:
                if one.name not in self.fields and one.name not in own and not self._is_told(one):
                    yield say.never_used(one.span, "field", one.name)
        rounding = self.world.root.get("rounding")
        if rounding is not None and not self.rounds and "rounding" not in self.told_elsewhere:
            yield say.never_rounded(self.world.root.key("rounding").span)

    def _is_told(self, one: ir.Declaration) -> bool:
        return isinstance(_present_element_type(one.type), t.Text) or one.path in self.told_elsewhere

    def _goals_of_cases(self) -> Iterator[tuple[str, str]]:
        """What cases look for the best answers to, with their mechanics: a flag for it needs no other reader."""
        for case in self.world.cases:
            mechanic = value_at(case, "mechanic")
            for key in ("best", "worst"):
                goal = value_at(case, key)
                named = [one.value for one in goal.entries] if isinstance(goal, Mapping) else [goal]
                for one in [name for value in named for name in (items_of(value) or (value,))]:
                    if isinstance(mechanic, Scalar) and isinstance(one, Scalar):
                        yield mechanic.text, one.text

    def _unread_results(self) -> Iterator[Diagnostic]:
        """Where things act: answers and results that no rule reads, and flags of mechanics that no caller reads."""
        called: dict[str, Span] = {}
        for rule, whole in self.acting:
            for step in (one for one in nodes_under(whole) if isinstance(one, ir.Step)):
                unread = step.name not in self.within[rule.path] and step.name not in self.fields
                match step.action:
                    case ir.Choose(kind=kind) if unread and kind != "text":
                        yield say.answer_never_read(step.span, step.name)
                    case ir.ChooseEach() if unread:
                        yield say.answer_never_read(step.span, step.name)
                    case ir.Call(mechanic=name):
                        called.setdefault(name, step.span)
                        if unread and not self._does_something(self.program.mechanics[name]):
                            yield say.result_never_read(step.span, step.name, name)
        goals = set(self._goals_of_cases())
        for name, span in called.items():
            mechanic = self.program.mechanics[name]
            for also in mechanic.also:
                if (name, also.name) in goals:
                    continue
                if also.name not in self.fields and also.path not in self.told_elsewhere:
                    yield say.flag_never_read(mechanic.type.named_at(also.name) or mechanic.span, also.name, name, span)

    def _does_something(self, node: Any) -> bool:
        """Whether steps, or the mechanics that they call, change the state, cause anything or let anybody act."""
        seen: set[str] = set()
        stack = [node]
        while stack:
            for one in nodes_under(stack.pop()):
                if isinstance(one, EFFECTS):
                    return True
                if isinstance(one, ir.Call) and one.mechanic not in seen:
                    seen.add(one.mechanic)
                    stack.append(self.program.mechanics[one.mechanic])
        return False

    def _actions_without_effect(self) -> Iterator[Diagnostic]:
        """Actions and reactions that change nothing and tell nothing; a price that comes back by itself is nothing."""
        for action in (*self.program.actions.values(), *(one.action for one in self.program.reactions.values())):
            rule, who = action.rule, t.without_maybe(action.actor.type)
            if rule.outcomes or rule.also or rule.path in self.told_elsewhere or not isinstance(who, t.Object):
                continue
            has = self.program.kinds[who.kind].has
            if not any(has[cost.name].lasts is None for cost in action.costs) and not self._does_something(rule):
                yield say.without_effect(rule.span, rule.name, bool(action.costs))

    def _prices_known_already(self) -> Iterator[Diagnostic]:
        for action in self.program.actions.values():
            if action.may_refuse and not price_hangs_on(action):
                node = value_at(self.world.section("actions")[action.rule.name].value, "may_refuse")
                yield say.price_known_already(node.span if node is not None else action.rule.span, action.rule.name)

    def _uncaused_events(self) -> Iterator[Diagnostic]:
        caused = {one.event for one in nodes_under(self._rules_and_hooks()) if isinstance(one, ir.Cause)}
        for event in self.program.events.values():
            known = event.name in caused or event.name in BOUNDARIES or bool(event.by)
            if not known and event.path not in self.told_elsewhere:
                yield say.never_caused(event.span, event.name)

    def _questions_to_nobody(self) -> Iterator[Diagnostic]:
        """Questions of mechanics to a role that only mechanics ask, where an acting thing comes to them.

        A role that a rule with things in it asks by name is that of a person at the table.
        """
        asking = [one for _, whole in self.acting for one in nodes_under(whole)]
        at_the_table = {*self.program.kinds}
        for one in asking:
            at_the_table |= roles_asked(one.by) if isinstance(one, (ir.Choose, ir.Declaration)) else frozenset()
        seen: set[tuple[str, frozenset[str]]] = set()
        stack: list[tuple[Any, frozenset[str], Span | None]] = [(whole, frozenset(), None) for _, whole in self.acting]
        stack += [(step, frozenset(), None) for step in steps_at_bounds(self.program)]
        while stack:
            here, filled, place = stack.pop()
            for step in (one for one in nodes_under(here) if isinstance(one, ir.Step)):
                for call in outermost_nodes_in(step.action, ir.Call, ir.Step):
                    there = filled | at_the_table
                    given = {role for role, who in call.roles if roles_asked(who) <= there}
                    known = filled.difference([role for role, _ in call.roles]) | given
                    if (call.mechanic, known) not in seen:
                        seen.add((call.mechanic, known))
                        stack.append((self.program.mechanics[call.mechanic], known, place or step.span))
                for choice in outermost_nodes_in(step.action, ir.Choose, ir.Step):
                    if place is not None:
                        for by in sorted(roles_asked(choice.by) - filled - at_the_table):
                            yield say.nobody_has_role(step.span, by, step.name, place)


def _names_read(whole: Any) -> frozenset[str]:
    return frozenset(one.name for one in _all_nodes_under(whole) if isinstance(one, ir.Local))


def _all_nodes_under(whole: Any) -> Iterator[Any]:
    """Every node under a node or a collection, the values in the texts of questions too.

    An input may be there to be told; what lasts, and is told and nothing else, is still reported.
    """
    for node in nodes_under(whole):
        spend(2)
        yield node
        yield from nodes_under(list(_formulas_of_text(node)))


def _formulas_of_text(node: Any) -> tuple[ir.Formula, ...]:
    """What the text of a question and those of its answers read, or what an outcome tells."""
    return tuple([one for text in texts_at(node) for one in text.formulas])


def _fields_of_event(reaction: ir.Reaction) -> frozenset[str]:
    return frozenset(
        one.name
        for one in _all_nodes_under(reaction)
        if isinstance(one, ir.Field) and isinstance(one.of, ir.Local) and one.of.name == "event"
    )


def _present_element_type(kind: t.Type) -> Any:
    """The type of a value that is present, or of the elements of a list."""
    kind = t.without_maybe(kind)
    if isinstance(kind, t.Map):
        return _present_element_type(kind.of)
    return _present_element_type(kind.of) if isinstance(kind, t.List) else kind

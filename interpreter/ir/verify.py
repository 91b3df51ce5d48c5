"""Check the invariants of a program, on which every engine relies.

Tests run this over bundled and generated rulesets. A violation is a bug of the interpreter, never of a ruleset, so its
text is for programmers of the interpreter.

- A formula has the type of its body, and `refs` name all that its body uses of the ruleset.
- A name that is read is bound there: inputs, earlier steps, and what the step around it defines.
- `it` and words of dice occur only in slots that test elements or dice.
- The result of a step, or the value of a skipped one, fits the type of the step.
- A path belongs to one node, and starts with the path of the node around it.
- Rules and tables that are called, caused, offered or looked up exist and receive the arguments that they need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from interpreter import ir
from interpreter.frozen import dataclass
from interpreter.ir import types as t
from interpreter.ir.passes import names_of_pass
from interpreter.ir.state_reads import any_reads_state
from interpreter.ir.traversal import children, inner_expressions, outermost_nodes_in
from interpreter.syntax.fixed_words import EVERYBODY


@dataclass(frozen=True, slots=True)
class _Scope:
    """The names that are bound, and whether a slot defines `it` or the words of a die."""

    names: frozenset[str] = frozenset()
    element: bool = False
    die: bool = False

    def bound(self, *names: str) -> _Scope:
        return replace(self, names=self.names.union(names))


def violations(program: ir.Program) -> list[str]:
    """The violated invariants of a program, each with the path of the construct that it is in."""
    check = _Check(program)
    for option in program.options.values():
        check.declaration(option, check.top)
    for record in program.types.values():
        check.declarations(record.has, check.top)
    for function in program.functions.values():
        check.function(function)
    for table in program.tables.values():
        check.rows(table.rows, table.path)
        if isinstance(table.off, ir.Formula):
            check.formula(table.off, replace(check.top, element=True), table.path)
    for claim in program.claims:
        check.claim(claim)
    for modifier in program.modifiers.values():
        check.modifier(modifier)
    for kind in program.kinds.values():
        for attribute in kind.has.values():
            check.attribute(attribute)
        for wanted in kind.requires:
            check.formula(wanted.condition, check.top.bound("owner"), wanted.path)
    for mechanic in (*program.mechanics.values(), *program.events.values()):
        check.mechanic(mechanic, check.top)
    for action in program.actions.values():
        check.action(action, check.top)
    for reaction in program.reactions.values():
        check.reaction(reaction)
    for scene in program.scenes.values():
        check.scene(scene)
    check.paths()
    return check.found


@dataclass
class _Check:
    program: ir.Program
    found: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        program = self.program
        self.top = _Scope(frozenset({"scene"} if program.scenes else ()))
        self.kinds = {kind.name: {name: one.path for name, one in kind.has.items()} for kind in program.kinds.values()}

    def note(self, at: str, what: str) -> None:
        self.found.append(f"{at}: {what}")

    def check_known(self, name: str, declared: Iterable[str], what: str, at: str) -> bool:
        if name in declared:
            return True
        self.note(at, f"there is no {what} `{name}`")
        return False

    # Declarations and rules

    def declarations(self, declared: Iterable[ir.Declaration], scope: _Scope) -> _Scope:
        for one in declared:
            self.declaration(one, scope)
            scope = scope.bound(one.name)
        return scope

    def declaration(self, one: ir.Declaration, scope: _Scope) -> None:
        by = one.by if isinstance(one.by, ir.Formula) else None
        for formula in (one.low, one.high, one.default, one.fewest, one.most, one.among, by, one.minor):
            self.optional_formula(formula, scope, one.path)
        self.optional_formula(one.where, replace(scope, element=True), one.path)

    def function(self, function: ir.Function) -> None:
        scope = self.declarations(function.takes, self.top)
        if isinstance(function.gives, ir.Formula):
            self.formula(function.gives, scope, function.path)
            return
        for case in function.gives.cases:
            self.optional_formula(case.condition, scope, case.path)
            self.formula(case.value, scope, case.path)

    def rows(self, rows: Iterable[ir.TableRow], at: str) -> None:
        for row in rows:
            if isinstance(row.value, ir.Formula):
                self.formula(row.value, self.top, row.path)
            else:
                self.rows(row.value, at)

    def claim(self, claim: ir.Claim) -> None:
        self.check_known(claim.table, self.program.tables, "table", claim.path)
        scope = self.top.bound("row", "column", "value")
        self.formula(claim.chance, scope, claim.path)
        if self.check_known(claim.mechanic, self.program.mechanics, "mechanic", claim.path):
            self.arguments(claim.given, self.program.mechanics[claim.mechanic].inputs, claim.path)
        for _, formula in claim.given:
            self.formula(formula, scope, claim.path)

    def modifier(self, modifier: ir.Modifier) -> None:
        scope = self.declarations(modifier.takes, self.top)
        record = self.program.types.get(modifier.to)
        names = [one.name for one in record.has] if record is not None else []
        self.check_known(modifier.to, self.program.types, "type", modifier.path)
        for name, formula in modifier.adds:
            self.check_known(name, names, "field", modifier.path)
            self.formula(formula, scope, modifier.path)

    def attribute(self, one: ir.HeldAttribute) -> None:
        scope = self.top.bound("owner", *([ir.WORD] if one.per is not None else []))
        self.declaration(one.declared, scope)
        self.optional_formula(one.derived, scope, one.path)
        self.optional_formula(one.starts, scope, one.path)
        for steps in (one.when_full, one.when_hit_full, one.when_empty):
            self.steps(steps, scope.bound("excess"), frozenset(), one.path)

    def mechanic(self, rule: ir.Mechanic, scope: _Scope) -> _Scope:
        """The scope after the rule, with its inputs and its steps."""
        scope = self.declarations(rule.inputs, scope)
        for who in rule.by:
            self.check_known(who, (*self.program.roles, *self.program.kinds, EVERYBODY), "role", rule.path)
        for one in rule.requires:
            self.formula(one.condition, scope, one.path)
        word = t.without_maybe(rule.type.field("outcome") or t.ANYTHING)
        ends = frozenset(word.words if isinstance(word, t.Word) else ())
        scope = self.steps(rule.steps, scope, ends, rule.path)
        self.outcomes(rule.outcomes, scope, ends, rule.path)
        inside = scope.bound("outcome")
        for also in rule.also:
            if isinstance(also.reading, ir.Outcomes):
                self.outcomes(also.reading, inside, ends, also.path)
            else:
                self.formula(also.reading, inside, also.path)
            inside = inside.bound(also.name)
        return scope

    def outcomes(self, outcomes: ir.Outcomes | None, scope: _Scope, ends: frozenset[str], at: str) -> None:
        if outcomes is None:
            return
        self.optional_formula(outcomes.as_of, scope, at)
        for one in outcomes.cases:
            self.optional_formula(one.condition, scope, one.path)
            for value in one.tells.formulas:
                self.formula(value, scope, one.path)
            self.steps(one.steps, scope, ends, one.path)

    def action(self, action: ir.Action, scope: _Scope) -> None:
        rule = action.rule
        self.declaration(action.actor, scope)
        scope = scope.bound("actor")
        spent = {"spent"} if action.costs else set()
        self.mechanic(rule, scope.bound(*spent))
        scope = scope.bound(*(one.name for one in rule.inputs))
        for cost in action.costs:
            self.formula(cost.amount, scope, cost.path)
            self.optional_formula(cost.key, scope, cost.path)
        for limit in (action.limit, action.upgrade.limit if action.upgrade is not None else None):
            if limit is not None:
                self.formula(limit.times, scope, limit.path)
        if action.upgrade is not None:
            self.optional_formula(action.upgrade.counts_as, scope, action.upgrade.path)
        for name, answers in action.answers.items():
            self.check_known(name, [one.name for one in rule.inputs], "input", rule.path)
            self.answers(answers, scope, rule.path)
        self.answers(action.pays, scope, rule.path)

    def reaction(self, reaction: ir.Reaction) -> None:
        scope = self.top.bound("event")
        for name in reaction.events:
            self.check_known(name, self.program.events, "event", reaction.action.rule.path)
        self.action(reaction.action, scope)
        self.answers(reaction.answers, scope.bound("actor"), reaction.action.rule.path)

    def scene(self, scene: ir.Scene) -> None:
        ends = frozenset(one.name for one in scene.outcomes)
        scope = self.mechanic(scene.rule, self.top)
        for phase in scene.phases:
            self.steps(phase.steps, scope, ends, phase.path)
        self.optional_formula(scene.guard, scope, scene.rule.path)
        self.outcomes(ir.Outcomes(scene.outcomes), scope, ends, scene.rule.path)

    # Steps

    def steps(self, steps: Iterable[ir.Step], scope: _Scope, ends: frozenset[str], at: str) -> _Scope:
        for step in steps:
            self.step(step, scope, ends)
            scope = scope.bound(step.name)
        return scope

    def step(self, step: ir.Step, scope: _Scope, ends: frozenset[str]) -> None:
        self.optional_formula(step.condition, scope, step.path)
        self.optional_formula(step.instead, scope, step.path)
        self.optional_formula(step.at_most, scope, step.path)
        if isinstance(step.action, ir.Let):
            self.fits(step.action.formula, step.type, step.path)
        if step.instead is not None:
            self.fits(step.instead, step.type, step.path)
        self.body(step.action, step, scope, ends)

    def body(self, body: ir.StepBody, step: ir.Step, scope: _Scope, ends: frozenset[str]) -> None:
        at = step.path
        self.names(body, ends, scope, at)
        slots: dict[int, _Scope] = {}
        match body:
            case ir.RollDice(_, each, counts, again, _):
                scored = self.steps(each, scope.bound(*IN_A_THROW), ends, at)
                slots = {id(counts): scored, id(again): scored.bound("counts")}
            case ir.Repeat(_, each, until, keep, carry):
                passed = self.steps(each, scope.bound(*names_of_pass(body)), ends, at)
                for name, _ in carry:
                    self.check_known(name, {one.name: one for one in each}, "step", at)
                slots = {id(until): passed, id(keep[1] if keep else None): passed}
            case ir.Pair(_, _, _, first, each):
                self.steps(each, scope.bound("ours", "theirs"), ends, at)
                slots = {id(first): replace(scope, die=True)}
            case ir.Reroll(by=by):
                slots = {id(by): replace(scope, die=True)}
            case ir.Stages(start, then):
                self.body(start, step, scope, ends)
                for one in then:
                    self.step(one, scope.bound(step.name), ends)
                return
            case ir.ForEach(name, _, where, each):
                self.steps(each, scope.bound(name), ends, at)
                slots = {id(where): replace(scope, element=True)}
            case ir.ChooseEach(choice, _, asked):
                self.body(choice, step, scope.bound("chooser") if asked else replace(scope, element=True), ends)
            case ir.Choose(where=where, together=together):
                slots = {id(one): replace(scope, element=True) for one in (where, together)}
            case ir.Order(_, keys):
                slots = {id(key.formula): replace(scope, element=True) for key in keys}
            case ir.StepGroup(each) | ir.Turn(_, each):
                self.steps(each, scope, ends, at)
        for formula in _own_formulas(body):
            self.formula(formula, slots.get(id(formula), scope), at)

    def names(self, body: ir.StepBody, ends: frozenset[str], scope: _Scope, at: str) -> None:
        """The names by which a step refers to something of the ruleset."""
        program = self.program
        for target in outermost_nodes_in(body, ir.Lvalue, ir.Step):
            if self.check_known(target.kind, self.kinds, "kind", at):
                self.check_known(target.name, self.kinds[target.kind], "attribute", at)
        match body:
            case ir.Call(name, given, roles):
                if self.check_known(name, program.mechanics, "mechanic", at):
                    self.arguments(given, program.mechanics[name].inputs, at)
                for role, _ in roles:
                    self.check_known(role, program.roles, "role", at)
            case ir.Cause(name, given):
                if self.check_known(name, program.events, "event", at):
                    self.arguments(given, program.events[name].inputs, at)
            case ir.Act(name, _, given):
                if self.check_known(name, program.actions, "action", at):
                    self.arguments(given, program.actions[name].rule.inputs, at, partly=True)
            case ir.Offer(names):
                for name in names:
                    self.check_known(name, program.actions, "action", at)
            case ir.Make(name):
                self.check_known(name, program.kinds, "kind", at)
            case ir.Raise(ladder=name):
                self.check_known(name, program.ladders, "ladder", at)
            case ir.End(name):
                self.check_known(name, ends, "outcome", at)
            case ir.ChangeEvent() | ir.CancelEvent():
                if "event" not in scope.names:
                    self.note(at, "there is no event to change or cancel")

    def arguments(
        self,
        given: Iterable[tuple[str, ir.Formula]],
        inputs: Iterable[ir.Declaration],
        at: str,
        partly: bool = False,
    ) -> None:
        """Check the arguments of a rule: it must have these inputs, and all required ones are given unless `partly`."""
        passed = dict(given)
        declared = {one.name: one for one in inputs}
        for name in passed:
            self.check_known(name, declared, "input", at)
        for one in declared.values():
            if one.required and one.name not in passed and not partly:
                self.note(at, f"nothing is given for the input `{one.name}`")

    # Formulas

    def answers(self, answers: Mapping[str, tuple[ir.PolicyAnswer, ...]], scope: _Scope, at: str) -> None:
        for policy, those in answers.items():
            self.check_known(policy, self.program.policies, "policy", at)
            for one in those:
                self.formula(one.formula, scope, at)
            if [one for one in those[:-1] if not one.calls]:
                self.note(at, f"an answer of the policy `{policy}` never fits, since one that always fits comes before")

    def optional_formula(self, formula: ir.Formula | None, scope: _Scope, at: str) -> None:
        if formula is not None:
            self.formula(formula, scope, at)

    def fits(self, formula: ir.Formula, kind: t.Type, at: str) -> None:
        if not t.fits(formula.type, kind):
            self.note(at, f"{t.in_words(formula.type)} does not fit {t.in_words(kind)}")

    def formula(self, formula: ir.Formula, scope: _Scope, at: str) -> None:
        if formula.type != formula.body.type:
            self.note(at, f"a formula of {t.in_words(formula.type)} has a body of {t.in_words(formula.body.type)}")
        self.expression(formula.body, formula.refs, scope, at)

    def expression(self, node: ir.Expr, refs: frozenset[str], scope: _Scope, at: str) -> None:
        program = self.program
        match node:
            case ir.Local(name):
                if name not in scope.names:
                    self.note(at, f"`{name}` is read and not bound")
            case ir.Element():
                if not scope.element:
                    self.note(at, "`it` stands outside of a slot")
            case ir.DieField(name):
                if not scope.die:
                    self.note(at, f"`{name}` of a die stands outside of a slot")
            case ir.Option(name):
                self.uses(name, {key: one.path for key, one in program.options.items()}, refs, "option", at)
            case ir.Attribute(_, kind, name):
                if self.check_known(kind, self.kinds, "kind", at):
                    self.uses(name, self.kinds[kind], refs, "attribute", at)
            case ir.Apply(name, arguments):
                self.uses(name, {key: one.path for key, one in program.functions.items()}, refs, "function", at)
                if name in program.functions and len(arguments) != len(program.functions[name].takes):
                    self.note(at, f"`{name}` takes another number of arguments")
                if name in program.functions and node.reads_state != any_reads_state(program.functions[name].gives):
                    self.note(at, f"a call of `{name}` is wrong about whether it reads the state")
            case ir.Lookup(name, keys):
                self.uses(name, {key: one.path for key, one in program.tables.items()}, refs, "table", at)
                if name in program.tables and len(keys) != len(program.tables[name].keys):
                    self.note(at, f"`{name}` takes another number of keys")
                made = program.tables.get(name)
                if made is not None and node.reads_state != any_reads_state((made.rows, made.off)):
                    self.note(at, f"a look into `{name}` is wrong about whether it reads the state")
            case ir.Quotient(bare=True) if "rounding" not in refs:
                self.note(at, "a formula that rounds does not name the rounding in `refs`")
            case ir.Filtered(of, condition):
                self.expression(of, refs, scope, at)
                listed = isinstance(t.without_maybe(of.type), t.List)
                slot = replace(scope, element=True) if listed else replace(scope, die=True)
                self.expression(condition, refs, slot, at)
                return
            case ir.Sorted(of, key):
                self.expression(of, refs, scope, at)
                listed = isinstance(t.without_maybe(of.type), t.List)
                slot = replace(scope, element=True) if listed else replace(scope, die=True)
                self.expression(key, refs, slot, at)
                return
        for one in inner_expressions(node):
            self.expression(one, refs, scope, at)

    def uses(self, name: str, paths: Mapping[str, str], refs: frozenset[str], what: str, at: str) -> None:
        if self.check_known(name, paths, what, at) and paths[name] not in refs:
            self.note(at, f"`refs` lack the {what} `{name}`")

    # Paths

    def paths(self) -> None:
        """Check that each node with a path of its own is inside the node that the path names, except shared costs."""
        owners: dict[str, Any] = {}
        program = self.program
        actions = [*program.actions.values(), *(one.action for one in program.reactions.values())]
        rules = [*program.mechanics.values(), *program.events.values(), *(one.rule for one in actions)]
        attributes = [one for kind in program.kinds.values() for one in kind.has.values()]
        placed: list[Any] = [*rules, *program.functions.values(), *program.tables.values(), *attributes]
        stack: list[tuple[Any, str]] = [(one, one.path) for one in placed]
        stack += [(scene, scene.rule.path) for scene in program.scenes.values()]
        while stack:
            here, above = stack.pop()
            if isinstance(here, _PLACED):
                if not f"{here.path}.".startswith(f"{above}."):
                    self.note(above, f"the path `{here.path}` is not one inside")
                if owners.setdefault(here.path, here) is not here:
                    self.note(here.path, "two nodes have this path")
                above = here.path
            if not isinstance(here, ir.Formula):
                stack += [(one, above) for one in children(here)]


IN_A_THROW = ("face", "nth", "size", "tags", "part", "earlier")
_PLACED = (ir.Mechanic, ir.Step, ir.Outcome, ir.FirstOfCase, ir.Also, ir.Phase, ir.SortKey)
"""The nodes with a path of their own."""


def _own_formulas(body: ir.StepBody) -> list[ir.Formula]:
    """The formulas of a step that belong to no step or choice inside it."""
    found: list[ir.Formula] = []
    stack = children(body)
    while stack:
        here = stack.pop()
        if isinstance(here, ir.Formula):
            found.append(here)
        elif not isinstance(here, (ir.Step, ir.Choose)):
            stack += children(here)
    return found

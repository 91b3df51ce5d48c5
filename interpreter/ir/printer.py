"""Print the program as text, with every type and every implied step.

The text shows what is played, and tests compare it with what the checker should make. Expressions are fully
bracketed; `number(x)` and `dice(x)` are conversions that the checker adds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, assert_never

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.traversal import is_bare_quotient
from interpreter.values import in_words


def listing(program: ir.Program) -> str:
    """The whole program."""
    lines = [f"ruleset {program.name} {program.version}", f"rounding {program.rounding}"]
    lines += [f"comparator {name} = {relation}" for name, relation in program.comparators.items()]
    lines += [f"ladder {name} = {', '.join(map(str, rungs))}" for name, rungs in program.ladders.items()]
    lines += [f"names {name} = {', '.join(words)}" for name, words in program.words.items()]
    lines += [f"die {name} = {', '.join(map(str, die.faces or (die,)))}" for name, die in program.dice.items()]
    lines += [f"option {declaration_line(one)}" for one in program.options.values()]
    for record in program.types.values():
        written = f" written as {record.written_as}" if record.written_as else ""
        lines += [f"type {record.name}{written}", *(f"  {declaration_line(one)}" for one in record.has)]
    for function in program.functions.values():
        lines += _function(function)
    for table in program.tables.values():
        lines += _table(table)
        lines += [_claim(claim) for claim in program.claims if claim.table == table.name]
    for modifier in program.modifiers.values():
        added = ", ".join(f"{name} {formula(amount)}" for name, amount in modifier.adds)
        lines.append(f"modifier {modifier.name} to {modifier.to}: {added}")
    for kind in program.kinds.values():
        lines += ["", *_kind(kind)]
    for rule in program.mechanics.values():
        lines += ["", *_rule(rule, "mechanic")]
    for event in program.events.values():
        lines += ["", *_rule(event, "event")]
    for action in program.actions.values():
        lines += ["", *_action_rule(action, "action")]
    for scene in program.scenes.values():
        lines += ["", *_scene(scene)]
    for reaction in program.reactions.values():
        when = "before" if reaction.before else "after"
        lines += [
            "",
            *_action_rule(
                reaction.action,
                "reaction",
                f"{when} {' or '.join(reaction.events)}{', automatic' * reaction.automatic}",
            ),
        ]
    return "\n".join(lines) + "\n"


def declaration_line(one: ir.Declaration) -> str:
    """A declaration on one line."""
    text = f"{one.name}: {short_type(one.type)}"
    text += f" = {formula(one.default)}" if one.default is not None else ", optional" if one.optional else ""
    return text + (f" where {formula(one.where)}" if one.where else "")


def short_type(kind: t.Type) -> str:
    """A type in short form: `number 1..6`, `list(word)`, `roll?` for one that may be missing."""
    match kind:
        case t.Number(None, None):
            return "number"
        case t.Number(low, high):
            return f"number {'' if low is None else low}..{'' if high is None else high}"
        case t.YesNo():
            return "yes_no"
        case t.Text():
            return "text"
        case t.SingleDie():
            return "die"
        case t.DiceCode():
            return "code"
        case t.Word(name, _):
            return name
        case t.Dice(least):
            return f"dice({least}+)" if least else "dice"
        case t.ThrownDie():
            return "thrown die"
        case t.Roll(least, single):
            return "roll(1)" if single else f"roll({least}+)" if least else "roll"
        case t.List(of, least):
            return f"list({short_type(of)})" + (f"({least}+)" if least else "")
        case t.Record(name, _) | t.Object(name):
            return name
        case t.Map(key, of):
            return f"map({short_type(key)}: {short_type(of)})"
        case t.Maybe(of):
            return f"{short_type(of)}?"
        case t.Anything():
            return "anything"
        case _:
            assert_never(kind)


def formula(of: ir.Formula) -> str:
    """A checked expression as text."""
    return expression(of.body)


def expression(of: ir.Expr) -> str:
    """An expression, bracketed in the order of its evaluation."""
    match of:
        case ir.Constant(str() as text, t.Text()):
            return f"“{text}”"
        case ir.Constant(value, kind):
            return (
                "no_dice" if value == () and isinstance(kind, t.Dice) else "none" if value is None else in_words(value)
            )
        case ir.Local(name) | ir.DieField(name):
            return name
        case ir.Option(name):
            return f"options.{name}"
        case ir.Element():
            return "it"
        case ir.Field(inner, name) | ir.RollPart(inner, name) | ir.Attribute(inner, _, name):
            return f"{expression(inner)}.{name}"
        case ir.MapEntry(inner, key):
            return f"{expression(inner)}({expression(key)})"
        case ir.Column(inner, name):
            return f"{expression(inner)}.each.{name}"
        case ir.Negative(inner):
            return f"-{expression(inner)}"
        case ir.Relation("==", left, right) if isinstance(left.type, t.Word):
            return f"({expression(left)} is {expression(right)})"
        case ir.Arithmetic(sign, left, right):
            return f"({expression(left)} {sign} {expression(right)})"
        case ir.Relation(sign, left, right):
            return f"({_operand(left)} {sign} {_operand(right)})"
        case ir.Quotient(left, right, rounding):
            return f"{rounding}({expression(left)} / {expression(right)})"
        case ir.Membership(item, xs):
            return f"({expression(item)} in {expression(xs)})"
        case ir.Not(inner):
            return f"not {expression(inner)}"
        case ir.And(left, right):
            return f"({expression(left)} and {expression(right)})"
        case ir.Or(left, right):
            return f"({expression(left)} or {expression(right)})"
        case ir.Conditional(condition, then, otherwise):
            return f"({expression(then)} if {expression(condition)} else {expression(otherwise)})"
        case ir.Otherwise(inner, instead):
            return f"({expression(inner)} otherwise {expression(instead)})"
        case ir.ListLiteral(items):
            return f"[{', '.join(map(expression, items))}]"
        case ir.PoolLiteral(number, die):
            return f"times({expression(die)}, {expression(number)})"
        case ir.Tagged(dice, tags):
            return f"{expression(dice)} {' '.join(tags)}"
        case ir.Joined(left, right):
            return f"({expression(left)} & {expression(right)})"
        case ir.Filtered(inner, condition):
            return f"({expression(inner)} where {expression(condition)})"
        case ir.Sorted(inner, key):
            return f"({expression(inner)} by {expression(key)})"
        case ir.Builtin(name, arguments) | ir.Apply(name, arguments) | ir.Lookup(name, arguments):
            return f"{name}({', '.join(map(expression, arguments))})"
        case ir.Converted(inner, to):
            return f"{to}({expression(inner)})"
        case ir.RecordLiteral(fields):
            return "{" + ", ".join(f"{name}: {expression(value)}" for name, value in fields) + "}"
        case _:
            assert_never(of)


def _operand(of: ir.Expr) -> str:
    return f"({expression(of.left)} / {expression(of.right)})" if is_bare_quotient(of) else expression(of)


def _function(of: ir.Function) -> list[str]:
    head = f"function {of.name}({', '.join(map(declaration_line, of.takes))}) -> {short_type(of.type)}"
    if isinstance(of.gives, ir.Formula):
        return [head, f"  {formula(of.gives)}"]
    return [head, *(f"  {_case(case)}" for case in of.gives.cases)]


def _case(case: ir.FirstOfCase) -> str:
    when = f" if {formula(case.condition)}" if case.condition else ""
    return f"{case.name}: {formula(case.value)}{when}"


def _table(of: ir.Table) -> list[str]:
    off = of.off if isinstance(of.off, str) else formula(of.off)
    head = f"table {of.name}({', '.join(map(short_type, of.keys))}) -> {short_type(of.type)}"
    return [head, *_rows(of.rows, "  "), *([] if off == "refuse_at_load" else [f"  off the rows: {off}"])]


def _claim(of: ir.Claim) -> str:
    given = "".join(f" {name}={formula(made)}" for name, made in of.given)
    answers = f" policy {of.policy}" if of.policy else ""
    return f"  claims {of.of} of {of.mechanic}{given}{answers} = {formula(of.chance)} within {of.within}"


def _rows(rows: tuple[ir.TableRow, ...], indent: str) -> Iterator[str]:
    for row in rows:
        key = (
            row.key
            if row.key is not None
            else f"{'' if row.low is None else row.low}..{'' if row.high is None else row.high}"
        )
        if isinstance(row.value, ir.Formula):
            yield f"{indent}{key}: {formula(row.value)}"
        else:
            yield f"{indent}{key}:"
            yield from _rows(row.value, indent + "  ")


def _kind(kind: ir.Kind) -> Iterator[str]:
    yield f"kind {kind.name}" + ", just one" * kind.one + ", a part" * kind.part
    if kind.summary:
        yield f"  summary {', '.join(kind.summary)}"
    for one in kind.has.values():
        yield f"  {_attribute(one)}"
        for word, steps in (("full", one.when_full), ("hit full", one.when_hit_full), ("empty", one.when_empty)):
            yield from _step_lines(f"when {word}", steps, "    ")
    yield from _requires(kind.requires)


def _attribute(one: ir.HeldAttribute) -> str:
    """An attribute on one line."""
    per = f" per {one.per.name}" if one.per is not None else ""
    if one.derived is not None:
        return f"{one.name}: {short_type(one.declared.type)}{per} is {formula(one.derived)}"
    if not one.counter:
        return declaration_line(one.declared) + per + _lasting_words(one)
    low, high = one.declared.low, one.declared.high
    bounds = (f" from {formula(low)}" if low is not None else "") + (f" to {formula(high)}" if high is not None else "")
    starts = f" starts {formula(one.starts)}" if one.starts is not None else ""
    return f"{one.name}: points{per}{bounds}{starts}" + _lasting_words(one)


def _lasting_words(one: ir.HeldAttribute) -> str:
    return (f" lasts {one.lasts}" if one.lasts else "") + " as bookkeeping" * one.bookkeeping


def _action_rule(action: ir.Action, word: str, when: str = "") -> Iterator[str]:
    head, *below = _rule(action.rule, word)
    yield head + (f" {when}" if when else "")
    yield f"  actor {declaration_line(action.actor)}"
    for cost in action.costs:
        yield f"  costs {cost.name}{f'({formula(cost.key)})' if cost.key is not None else ''} {formula(cost.amount)}"
    if action.may_refuse:
        yield "  may refuse the price"
    if action.upgrade is not None:
        counts = f" counts as {formula(action.upgrade.counts_as)}" if action.upgrade.counts_as is not None else ""
        yield f"  upgrade to {action.upgrade.to}, waives {', '.join(action.upgrade.waives) or 'nothing'}{counts}"
    if action.limit is not None:
        yield f"  at most {formula(action.limit.times)} per {action.limit.per}"
    yield from below


def _rule(rule: ir.Mechanic, word: str) -> Iterator[str]:
    yield f"{word} {rule.name}{' by ' + ', '.join(rule.by) if rule.by else ''}"
    yield from (f"  input {declaration_line(one)}" for one in rule.inputs)
    yield from _requires(rule.requires)
    for step in rule.steps:
        yield from _step(step, "  ")
    if rule.outcomes:
        yield from _outcomes(rule.outcomes, "  ", "outcome")
    for one in rule.also:
        if isinstance(one.reading, ir.Formula):
            yield f"  also {one.name}: {formula(one.reading)}"
        else:
            yield f"  also {one.name}:"
            yield from _outcomes(one.reading, "    ", "is")


def _requires(requires: tuple[ir.Requirement, ...]) -> Iterator[str]:
    yield from (f"  requires {one.name}: {formula(one.condition)}" for one in requires)


def _scene(scene: ir.Scene) -> Iterator[str]:
    yield from _rule(scene.rule, "scene")
    for phase in scene.phases:
        yield f"  phase {phase.name}"
        for step in phase.steps:
            yield from _step(step, "    ")
    if scene.guard is not None:
        yield f"  guard {formula(scene.guard)}"
    for one in scene.outcomes:
        yield f"  outcome {one.name}: {formula(one.condition) if one.condition else 'by a step'}"
        yield from _question_lines(one.tells, "    ")
        for step in one.steps:
            yield from _step(step, "    ")


def _outcomes(of: ir.Outcomes, indent: str, word: str) -> Iterator[str]:
    if of.as_of is not None:
        yield f"{indent}{word} as {formula(of.as_of)}"
    for one in of.cases:
        counts = f" counts as {one.counts_as}" if one.counts_as else ""
        yield f"{indent}{word} {one.name}{counts}: {formula(one.condition) if one.condition else 'otherwise'}"
        yield from _question_lines(one.tells, f"{indent}  ")
        for step in one.steps:
            yield from _step(step, indent + "  ")


def _question_lines(of: ir.Question, indent: str) -> Iterator[str]:
    """What an outcome tells, part by part."""
    for part in of.parts:
        when = f" if {formula(part.condition)}" if part.condition else ""
        other = f" else {part.instead.written}" if part.instead else ""
        yield f"{indent}tells {part.say.written}{when}{other}"


def _step(step: ir.Step, indent: str) -> Iterator[str]:
    when = f" if {formula(step.condition)}" if step.condition else ""
    other = f" else {formula(step.instead)}" if step.instead else ""
    head, *below = list(_action(step.action, indent + "  "))
    yield f"{indent}{step.name}: {short_type(step.type)} = {head}{when}{other}"
    yield from below


def _formula_lines(indent: str, **formulas: ir.Formula | None) -> list[str]:
    return [f"{indent}{name}: {formula(one)}" for name, one in formulas.items() if one is not None]


def _step_lines(word: str, steps: tuple[ir.Step, ...], indent: str) -> Iterator[str]:
    if steps:
        yield f"{indent}{word}:"
        for step in steps:
            yield from _step(step, indent + "  ")


def _action(action: ir.StepBody, indent: str) -> Iterator[str]:
    match action:
        case ir.Let(of):
            yield formula(of)
        case ir.RollDice(parts, each, counts, again, guard):
            yield "roll " + ", ".join(f"{name}: {formula(pool)}" if name else formula(pool) for name, pool in parts)
            yield from _step_lines("each", each, indent)
            yield from _formula_lines(indent, counts=counts, again=again, guard=guard)
        case ir.Reroll(of, which, most, by, to):
            whole = f" of {formula(of)}" if which else ""
            yield f"reroll {formula(which or of)}{whole}"
            yield from _formula_lines(indent, most=most, by=by, to=to)
        case ir.Place(dice, showing):
            yield f"place {formula(dice)} showing {formula(showing)}"
        case ir.Raise(of, which, ladder, _, by, past_top, when_full):
            yield f"raise {formula(which or of)} on {ladder} by {formula(by)}, {past_top}, {when_full}"
        case ir.Stages(start, then, _):
            head, *below = list(_action(start, indent))
            yield head
            yield from below
            yield from _step_lines("then", then, indent)
        case ir.Repeat(times, each, until, keep, carry):
            kept = f", keep {keep[0]} {formula(keep[1])}" if keep else ""
            yield f"repeat {formula(times)}{kept}"
            yield from (f"{indent}carry {name} from {formula(begun)}" for name, begun in carry)
            yield from _step_lines("each", each, indent)
            yield from _formula_lines(indent, until=until)
        case ir.Pair(ours, theirs, missing, first, each):
            yield f"pair {formula(ours)} with {formula(theirs)}"
            yield from _formula_lines(indent, missing=missing, first=first)
            yield from _step_lines("each", each, indent)
        case ir.Compare(lines, ties):
            yield "compare" + (f", ties {ties}" if ties else "")
            yield from (f"{indent}{name}: {formula(ours)} against {formula(theirs)}" for name, ours, theirs, _ in lines)
        case ir.Choose():
            yield from _choice(action, indent)
        case ir.Call(mechanic, given, roles):
            yield f"call {mechanic}({_arguments(given)})"
            yield from (f"{indent}{role}: {who if isinstance(who, str) else formula(who)}" for role, who in roles)
        case ir.FirstOf(cases):
            yield "first of"
            yield from (f"{indent}{_case(case)}" for case in cases)
        case ir.StepGroup(steps):
            yield "steps"
            for step in steps:
                yield from _step(step, indent)
        case ir.End(outcome):
            yield f"end {outcome}"
        case ir.ForEach(name, among, where, each):
            yield f"for {name} among {formula(among)}" + (f" where {formula(where)}" if where else "")
            yield from _step_lines("each", each, indent)
        case ir.ChooseEach(choice, among, asked, budget):
            yield from _choice(
                replace(choice, among=choice.among if asked else among), indent, among if asked else None
            )
            yield from _formula_lines(indent, budget=budget)
        case ir.Order(of, keys):
            yield f"order {formula(of)}"
            for key in keys:
                yield f"{indent}{key.name}: {key.way}" + (f" {formula(key.formula)}" if key.formula else "")
        case ir.Turn(who, steps):
            yield f"turn of {formula(who)}"
            for step in steps:
                yield from _step(step, indent)
        case _:
            yield _effect(action)


def _effect(effect: ir.Effect) -> str:
    """An effect on one line."""
    match effect:
        case ir.Shift(amount, target, down):
            return f"{'lose' if down else 'gain'} {formula(amount)} {'from' if down else 'to'} {target_text(target)}"
        case ir.Pay(amount, purses, _, may_refuse, minor):
            mixed = ", ".join(
                target_text(target) + (f" worth {formula(rate)}" if rate else "") for target, rate in purses
            )
            return (
                f"pay {formula(amount)} from {mixed}"
                + (", if wanted" if may_refuse else "")
                + (f", minor {formula(minor)}" if minor is not None else "")
            )
        case ir.Assign(target, value):
            return f"set {target_text(target)} to {formula(value)}"
        case ir.Include(value, target, lasts):
            until = (
                ""
                if lasts is None
                else f" until {lasts}"
                if isinstance(lasts, str)
                else f" for {formula(lasts)} rounds"
            )
            return f"add {formula(value)} to {target_text(target)}{until}"
        case ir.Exclude(value, target):
            return f"remove {formula(value)} from {target_text(target)}"
        case ir.Make(kind, given, named):
            return f"make {kind}({_arguments(given)})" + (f" named {formula(named)}" if named else "")
        case ir.Destroy(thing):
            return f"destroy {formula(thing)}"
        case ir.Cause(event, given, later):
            when = (
                ""
                if later is None
                else f" when the {later} ends"
                if isinstance(later, str)
                else f" in {formula(later)} rounds"
            )
            return f"cause {event}({_arguments(given)}){when}"
        case ir.Act(name, actor, given):
            return f"act {name}({', '.join(filter(None, (f'actor: {formula(actor)}', _arguments(given))))})"
        case ir.Offer(actions, to, most):
            often = f", at most {formula(most)} times" if most is not None else ""
            return f"offer {', '.join(actions)} to {formula(to)}{often}"
        case ir.ChangeEvent(given):
            return f"change {_arguments(given)}"
        case ir.CancelEvent():
            return "cancel the event"
        case ir.Draw(number, target, refill):
            more = f", refill from {target_text(refill)}" if refill is not None else ""
            return f"draw {formula(number)} from {target_text(target)}{more}"
        case ir.Put(values, target):
            return f"put {formula(values)} into {target_text(target)}"
        case ir.Take(values, target):
            return f"take {formula(values)} from {target_text(target)}"
        case ir.Turn():
            raise AssertionError("a turn has steps")
        case _:
            assert_never(effect)


def target_text(target: ir.Lvalue) -> str:
    """The target of a change, as it is written."""
    return f"{formula(target.thing)}.{target.name}" + (f"({formula(target.key)})" if target.key is not None else "")


def _arguments(given: tuple[tuple[str, ir.Formula], ...]) -> str:
    return ", ".join(f"{name}: {formula(value)}" for name, value in given)


def _choice(of: ir.Choose, indent: str, each: ir.Formula | None = None) -> Iterator[str]:
    by = f"each of {formula(each)}" if each else formula(of.by) if isinstance(of.by, ir.Formula) else of.by
    yield f"choose {of.kind}" + (f" by {by}" if by else "")
    bounds: dict[str, Any] = {"from": of.low, "to": of.high, "least": of.least, "most": of.most}
    yield from _formula_lines(
        indent, among=of.among, where=of.where, together=of.together, **bounds, default=of.default, minor=of.minor
    )
    for name, answers in of.answers.items():
        for one in answers:
            through = f" by {' and '.join(one.calls)}" if one.calls else ""
            yield f"{indent}policy {name}{through}: {formula(one.formula)}"

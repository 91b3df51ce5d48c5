"""Explain a rule in sentences made from its program: its inputs, steps, outcomes and sources.

Expressions appear as their author wrote them, options with their current value and the alternatives.
Changes by house rules come last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.diagnostics.source import Span
from interpreter.ir import types as t
from interpreter.layers.effective import one_line
from interpreter.layers.merge import Merged
from interpreter.play.scenes import USUAL_GUARD
from interpreter.report.trace import citations
from interpreter.runtime.state import SCENE
from interpreter.syntax.grammar import EVERYBODY
from interpreter.values import in_words

SECTIONS = (
    *("mechanics", "kinds", "events", "actions", "reactions", "scenes"),
    *("functions", "tables", "options", "modifiers", "types", "comparators", "ladders"),
)


def explained(program: ir.Program, merged: Merged | None, wanted: str) -> list[str]:
    """Lines about what is `wanted`: a name of any section, a path, or a row of the book. PlayError if there is none.

    Without `merged`, the changes by house rules are not listed; the sentences tell the rules as they have changed them.
    """
    explainer = _Explainer(program, merged)
    paths = [one.path for one in program.citations if one.row == wanted]
    if paths:
        return list(explainer.row(wanted, list(dict.fromkeys(paths))))
    if wanted in program.notes:
        return [f"{wanted} is a note: {program.notes[wanted]}"]
    for section in SECTIONS:
        name = wanted.removeprefix(f"{section}.").split(".")[0]
        if (wanted == name or wanted.startswith(f"{section}.")) and name in explainer.section(section):
            return list(explainer.thing(section, name))
    known = [*(one.row for one in program.citations), *(name for s in SECTIONS for name in explainer.section(s))]
    raise PlayError(say.nothing_to_explain(wanted, dict.fromkeys(known)))


def overview(program: ir.Program) -> list[str]:
    """The rules of a ruleset by name and title; under a heading for each section if it has more than mechanics."""
    rules = [(name, one.title) for name, one in program.mechanics.items()]
    if not (program.kinds or program.events or program.actions or program.reactions or program.scenes):
        return [f"  {name}: {title}" for name, title in rules]
    sections = {
        "Kinds": [(name, one.about) for name, one in program.kinds.items()],
        "Actions": [(name, one.rule.title) for name, one in program.actions.items()],
        "Events": [(name, one.title) for name, one in program.events.items()],
        "Reactions": [(name, one.action.rule.title) for name, one in program.reactions.items()],
        "Scenes": [(name, one.rule.title) for name, one in program.scenes.items()],
        "Mechanics": rules,
    }
    told = []
    for heading, found in sections.items():
        if found:
            told += [f"{heading}:", *(f"  {name}{': ' if title else ''}{title}" for name, title in found)]
    return told


class _Explainer:
    def __init__(self, program: ir.Program, merged: Merged | None) -> None:
        self.program, self.merged = program, merged
        self.cited = citations(program)

    def section(self, name: str) -> dict[str, object]:
        return dict(getattr(self.program, name))

    def row(self, row: str, paths: list[str]) -> Iterator[str]:
        told = dict.fromkeys(one.status for one in self.program.citations if one.row == row)
        yield f"{row} ({', '.join(told)}) is cited by {_listed([f'`{path}`' for path in paths])}."
        for thing in dict.fromkeys(tuple(path.split(".")[:2]) for path in paths):
            if len(thing) == 2 and thing[0] in SECTIONS:
                yield ""
                yield from self.thing(*thing)

    def thing(self, section: str, name: str) -> Iterator[str]:
        program, path = self.program, f"{section}.{name}"
        match section:
            case "mechanics":
                yield from self._mechanic(program.mechanics[name])
            case "kinds":
                yield from self._kind(program.kinds[name])
            case "events":
                event = program.events[name]
                by = _listed([_seer(one) for one in event.by])
                yield from self._mechanic(event, [f"Caused by {by}, at the table."] if by else [])
                yield from self._answers(name)
            case "actions":
                action = program.actions[name]
                yield from self._mechanic(action.rule, self._action_head(action, f"Any {_who(action)} can do it."))
            case "reactions":
                yield from self._reaction(program.reactions[name])
            case "scenes":
                yield from self._scene(program.scenes[name])
            case "functions":
                yield from self._function(program.functions[name])
            case "tables":
                yield from self._table(program.tables[name])
            case "options":
                yield from self._option(program.options[name])
            case "modifiers":
                yield from self._modifier(program.modifiers[name])
            case "types":
                yield f"`{name}` is a record.{self._sources(path)}"
                yield from (f"  {self._declared(one)}" for one in program.types[name].has)
            case "comparators":
                yield f"`a {name} b` means that a is {program.comparators[name]} b.{self._sources(path)}"
            case "ladders":
                rungs = " < ".join(map(str, program.ladders[name]))
                yield f"The ladder `{name}` is {rungs}.{self._sources(path)}"
        yield from self._layers(path)

    # Sources and house rules

    def _sources(self, path: str) -> str:
        rows = self.cited.get(path, ())
        return f" [{', '.join(f'{row} {status}' for row, status in rows)}]" if rows else ""

    def _layers(self, path: str) -> Iterator[str]:
        touched = [
            one
            for one in (self.merged.applied if self.merged is not None else ())
            if one.change.name == path or one.change.name.startswith(path + ".")
        ]
        if touched:
            yield "House rules:"
        for one in touched:
            change = one.change
            what = {
                "set": f"set to {one_line(one.after)}, was {one_line(one.before)}",
                "add": f"added: {one_line(one.after)}",
                "remove": "removed",
                "move": f"moved {change.anchor}",
                "rename": f"renamed to {one_line(change.value)}",
            }[change.verb]
            reason = f" {change.because}" if change.because else ""
            yield f"  `{one.layer.name}` ({change.span}): `{change.name}` {what}.{reason}"

    # Options, functions, tables and modifiers

    def _option(self, one: ir.Declaration) -> Iterator[str]:
        yield f"Option `{one.name}`{': ' + one.about if one.about else '.'}{self._sources(one.path)}"
        default = _text(one.default) if one.default else "nothing"
        meanings = dict(one.meanings)
        yield f"  The value is `{default}`{': ' + meanings[default] if meanings.get(default) else '.'}"
        for word, meaning in meanings.items():
            if word != default:
                yield f"  It can be set to `{word}`{': ' + meaning if meaning else '.'}"
        if not meanings:
            yield f"  It can be set to {_type_in_words(one)}{_between(one)}."

    def _function(self, one: ir.Function) -> Iterator[str]:
        takes = _listed([f"`{taken.name}`" for taken in one.takes]) or "nothing"
        yield f"The function `{one.name}` takes {takes} and gives {t.in_words(one.type)}.{self._sources(one.path)}"
        if isinstance(one.gives, ir.Formula):
            yield f"  The result is {_text(one.gives)}."
        else:
            yield "  The result is the first of these whose condition holds:"
            yield from self._cases(one.gives, "    ")

    def _table(self, one: ir.Table) -> Iterator[str]:
        keys = _listed([t.in_words(key) for key in one.keys])
        yield f"The table `{one.name}` gives {t.in_words(one.type)} for {keys}.{self._sources(one.path)}"
        yield from self._rows(one.rows, "  ")
        if isinstance(one.off, ir.Formula):
            yield f"  For any other value, the result is {_text(one.off)}."
        elif one.off == "nearest":
            yield "  Any other value counts as the nearest row."
        elif one.off == "refuse":
            yield "  Any other value is refused."
        for claim in self.program.claims:
            if claim.table == one.name:
                given = _listed([f"`{name}` = {_text(made)}" for name, made in claim.given])
                how = f", with {given}," if given else ""
                off = f", within {claim.within}" if claim.within else ""
                said = f"`{claim.of}` of `{claim.mechanic}`{how} has the chance {_text(claim.chance)}{off}"
                yield f"  Each row claims that {said}."

    def _rows(self, rows: tuple[ir.TableRow, ...], indent: str) -> Iterator[str]:
        for row in rows:
            name = row.path.rsplit(".", 1)[-1]
            if isinstance(row.value, ir.Formula):
                yield f"{indent}{name}: {_text(row.value)}{self._sources(row.path)}"
            else:
                yield f"{indent}{name}:"
                yield from self._rows(row.value, indent + "  ")

    def _modifier(self, one: ir.Modifier) -> Iterator[str]:
        added = _listed([f"{_text(amount)} to `{name}`" for name, amount in one.adds])
        who = f" The {one.by.replace('_', ' ')} applies it." if one.by else ""
        to = f"{t.article(one.to)} `{one.to}`"
        yield f"{one.title} (`{one.name}`) adds {added} of {to}.{who}{self._sources(one.path)}"

    def _declared(self, one: ir.Declaration, before: str = "") -> str:
        text = f"`{one.name}`: {before}{_type_in_words(one)}"
        text += _between(one)
        text += _among(one)
        if one.default is not None:
            text += f"; default {_text(one.default)}"
        elif one.optional:
            text += "; optional"
        beside = f" Beside each answer stands{_asked(one.shows)}." if one.shows else ""
        return f"{text}.{_asked(one.ask)}{beside} {one.about}".rstrip() + self._sources(one.path)

    # Mechanics

    def _mechanic(self, rule: ir.Mechanic, after_head: Iterable[str] = ()) -> Iterator[str]:
        yield f"{rule.title} (`{rule.name}`). {rule.about}".rstrip() + self._sources(rule.path)
        yield from after_head
        if rule.inputs:
            yield "Inputs:"
            yield from (f"  {self._declared(one)}" for one in rule.inputs)
        for one in rule.requires:
            yield f"Requires: {_text(one.condition)}.{self._sources(one.path)}"
        if rule.steps:
            yield "Steps:"
        for step in rule.steps:
            yield from self._step(step, "  ")
        if rule.outcomes:
            yield from self._outcomes(rule.outcomes, "The outcome")
        for reading in rule.also:
            if isinstance(reading.reading, ir.Formula):
                yield f"The flag `{reading.name}` holds if {_text(reading.reading)}.{self._sources(reading.path)}"
            else:
                yield from self._outcomes(reading.reading, f"`{reading.name}`")

    def _scene(self, scene: ir.Scene) -> Iterator[str]:
        begins = ["It is played in rounds."] if not scene.rule.steps else []
        for line in self._mechanic(scene.rule, begins):
            yield line.replace("Steps:", "Before the first round:", 1)
        remembers = [one for one in self.program.kinds[SCENE].has.values() if one.declared.name in scene.has]
        if remembers:
            yield "It keeps these values, as `scene.…`:"
            for one in remembers:
                yield from self._holding(one)
        yield "Each round has these phases:"
        for phase in scene.phases:
            yield f"  {phase.title} (`{phase.name}`). {phase.about}".rstrip() + self._sources(phase.path)
            for step in phase.steps:
                yield from self._step(step, "    ")
        if scene.outcomes:
            yield "It ends when one of these holds; they are checked after every phase, in this order:"
        for outcome in scene.outcomes:
            when = f"if {_text(outcome.condition)}" if outcome.condition else "when a step ends the scene with it"
            yield f"  {outcome.name}, {when}.{self._sources(outcome.path)}"
            for step in outcome.steps:
                yield from self._step(step, "    ")
        yield f"After {_text(scene.guard) if scene.guard else USUAL_GUARD} rounds it ends without an outcome."

    def _outcomes(self, of: ir.Outcomes, begin: str) -> Iterator[str]:
        if of.as_of is not None:
            yield f"{begin} is that of `{_text(of.as_of)}`."
            return
        yield f"{begin} is the first of these whose condition holds:"
        for one in of.cases:
            when = f"if {_text(one.condition)}" if one.condition else "otherwise"
            counts = f" (which counts as {one.counts_as})" if one.counts_as else ""
            told = f" A record of play tells{_asked(one.tells)}." if one.tells else ""
            yield f"  {one.name}{counts}, {when}.{told}{self._sources(one.path)}"
            for step in one.steps:
                yield from self._step(step, "    ")

    def _step(self, step: ir.Step, indent: str) -> Iterator[str]:
        when = f" If {_text(step.condition)}:" if step.condition else ""
        head, *below = list(self._action(step.action, indent + "  "))
        yield f"{indent}`{step.name}`:{when} {head}{self._sources(step.path)}"
        yield from below
        if step.instead is not None:
            yield f"{indent}  Otherwise: {_text(step.instead)}."

    def _inner(self, begin: str, steps: tuple[ir.Step, ...], indent: str) -> Iterator[str]:
        if steps:
            yield f"{indent}{begin}"
            for step in steps:
                yield from self._step(step, indent + "  ")

    def _cases(self, of: ir.FirstOf, indent: str) -> Iterator[str]:
        for case in of.cases:
            when = f"if {_text(case.condition)}" if case.condition else "otherwise"
            value = _text(case.value)
            name = f" ({case.name.replace('_', ' ')})" if case.name != value else ""
            yield f"{indent}{value}, {when}{name}.{self._sources(case.path)}"

    def _action(self, action: ir.StepBody, indent: str) -> Iterator[str]:
        match action:
            case ir.Let(of):
                yield f"{_text(of)}."
            case ir.RollDice(parts, each, counts, again):
                yield f"roll {_listed([f'{_text(pool)} ({name})' if name else _text(pool) for name, pool in parts])}."
                yield from self._inner("For each throw:", each, indent)
                if counts:
                    yield f"{indent}A throw counts as {_text(counts)}."
                if again:
                    yield f"{indent}While {_text(again)}, the same die is thrown again and the throw is added."
            case ir.Reroll(of, which, most, biggest, to):
                order = "" if biggest is None else f", the {'biggest' if biggest else 'smallest'} first"
                some = f", at most {_text(most)}" if most else ""
                yield f"{f'turn to {_text(to)}:' if to else 'reroll'} {_text(which or of)}{some}{order}."
            case ir.Place(dice, showing):
                yield f"place {_text(dice)} showing {_text(showing)}, without throwing."
            case ir.Raise(of, which, ladder, _, by, past_top, when_full):
                past = {"stop": "is lost", "carry_to_next_smaller": "goes to the next smaller die"}[past_top]
                full = {"lost": "it is lost", "add_lowest": "it adds a die of the lowest rung"}[when_full]
                yield f"raise {_text(which or of)} on the ladder `{ladder}` by {_text(by)}."
                yield f"{indent}A step past the top {past}; when all dice are at the top, {full}."
            case ir.Stages(start, then, _):
                head, *below = list(self._action(start, indent))
                yield f"start with {head}"
                yield from below
                yield from self._inner("Then, in this order:", then, indent)
            case ir.Repeat(times, each, until, keep):
                stop = f", until {_text(until)}" if until else ""
                yield f"repeat {_text(times)} times{stop}:"
                for step in each:
                    yield from self._step(step, indent)
                if keep:
                    yield f"{indent}Only the pass with the {keep[0]} {_text(keep[1])} counts."
            case ir.Pair(ours, theirs, missing, _, each):
                yield f"pair {_text(ours)} with {_text(theirs)}, both from the highest down."
                if missing:
                    yield f"{indent}Where {_text(theirs)} runs out of dice, {_text(missing)} takes the place of a die."
                yield from self._inner("For each pair:", each, indent)
            case ir.Compare(lines, ties):
                told = [f"`{name}` ({_text(ours)} against {_text(theirs)})" for name, ours, theirs, _ in lines]
                equal = f" If all are equal, `{ties}` wins." if ties else ""
                yield f"compare {', then '.join(told)}; the first difference decides.{equal}"
            case ir.Choose():
                yield from self._choice(action, indent)
            case ir.Call(mechanic, given, roles):
                passed = _listed([_passed(name, value) for name, value in given])
                title = self.program.mechanics[mechanic].title
                yield f"{title} (`{mechanic}`){' with ' + passed if passed else ''}."
                for role, who in roles:
                    yield f"{indent}{_role(who)} is the {role.replace('_', ' ')}."
            case ir.FirstOf():
                yield "the first of these whose condition holds:"
                yield from self._cases(action, indent)
            case ir.StepGroup(steps):
                yield "do this:"
                for step in steps:
                    yield from self._step(step, indent)
            case ir.End(outcome):
                yield f"the rule ends here, with the outcome {outcome}."
            case ir.ForEach(name, among, where, each):
                yield f"for each `{name}` of {_text(among)}{f' where {_text(where)}' if where else ''}:"
                for step in each:
                    yield from self._step(step, indent)
            case ir.ChooseEach(choice, among, asked, budget):
                yield from self._choice(choice, indent, f"each of {_text(among)}" if asked else "")
                if asked:
                    yield f"{indent}All choose at once, without seeing each other's answers."
                else:
                    yield f"{indent}There is one such choice for each of {_text(among)}."
                if budget is not None:
                    yield f"{indent}The sum of the answers is at most {_text(budget)}."
            case ir.Order(of, keys):
                yield f"sort {_text(of)}; the first difference decides:"
                for key in keys:
                    first = {"high": "the highest first", "low": "the lowest first"}.get(key.way)
                    said = f"{_text(key.formula)}, {first}" if key.formula is not None else "at random"
                    yield f"{indent}- {key.name}: {said}."
            case ir.Turn(who, steps):
                yield f"a turn of {_text(who)}:"
                for step in steps:
                    yield from self._step(step, indent)
            case _:
                yield from self._effect(action, indent)

    # Effects

    def _effect(self, effect: ir.Effect, indent: str) -> Iterator[str]:
        match effect:
            case ir.Shift(amount, target, down):
                yield f"{_place(target)} goes {'down' if down else 'up'} by {_text(amount)}."
                yield from self._follows(target, down, indent)
            case ir.Pay(amount, purses, payer, may_refuse):
                if purses[0][1] is None:
                    yield f"pay {_text(amount)} from {_place(purses[0][0])}."
                else:
                    kinds = [f"{target.name} (each worth {_text(rate)})" for target, rate in purses if rate is not None]
                    yield f"pay {_text(amount)} from {_text(payer)}, in {_listed(kinds)}."
                if may_refuse:
                    yield f"{indent}The payer may refuse; then, or if there is too little, nothing is paid."
                else:
                    yield f"{indent}If there is too little, the whole rule is refused."
                for target, _ in purses:
                    yield from self._follows(target, True, indent)
            case ir.Assign(target, value):
                yield f"{_place(target)} becomes {_text(value)}."
            case ir.Include(value, target, lasts):
                until = f" until the {lasts} ends" if isinstance(lasts, str) else ""
                if isinstance(lasts, ir.Formula):
                    until = f" for {_text(lasts)} rounds, counting the current one"
                yield f"{_text(value)} is added to {_place(target)}{until}."
            case ir.Exclude(value, target):
                yield f"{_text(value)} is removed from {_place(target)}."
            case ir.Make(kind, given, named):
                passed = _listed([_passed(name, value) for name, value in given])
                after = f", named after {_text(named)}" if named else ""
                yield f"a new `{kind}` is created{' with ' + passed if passed else ''}{after}."
            case ir.Destroy(thing):
                yield f"{_text(thing)} is destroyed."
            case ir.Cause(event, given, later):
                passed = _listed([_passed(name, value) for name, value in given])
                title = self.program.events[event].title
                when = f" when the {later} ends" if isinstance(later, str) else ""
                if isinstance(later, ir.Formula):
                    when = f" after {_text(later)} rounds, counting the current one"
                yield f"{title} (`{event}`) happens{when}{', with ' + passed if passed else ''}."
            case ir.Act(name, actor, given):
                passed = _listed([_passed(key, value) for key, value in given])
                title = self.program.actions[name].rule.title
                yield f"{_text(actor)} takes the action {title} (`{name}`){' with ' + passed if passed else ''}."
            case ir.Offer(actions, to, most, _, ask):
                often = f"up to {_text(most)} times" if most is not None else "any number of times"
                names = _listed([f"{self.program.actions[one].rule.title} (`{one}`)" for one in actions])
                yield f"{_text(to)} may take any of these actions that are possible, {often}: {names}.{_asked(ask)}"
            case ir.ChangeEvent(given):
                yield _listed([f"`{name}` of the event becomes {_text(value)}" for name, value in given]) + "."
            case ir.CancelEvent():
                yield "the event is cancelled."
            case ir.Draw(number, target, refill):
                yield f"{_text(number)} are drawn from {_place(target)} at random."
                if refill is not None:
                    yield f"{indent}If nothing is left, all of {_place(refill)} is put back first."
            case ir.Put(values, target):
                yield f"{_text(values)} are put into {_place(target)}."
            case ir.Take(values, target):
                yield f"{_text(values)} is taken from {_place(target)}; if it is not there, the whole rule is refused."
            case ir.Turn():
                raise AssertionError("a turn has steps")
            case _:
                assert_never(effect)

    def _follows(self, target: ir.Lvalue, down: bool, indent: str) -> Iterator[str]:
        """A reference to the steps that follow when a bound is reached."""
        one = self.program.kinds[target.kind].has[target.name]
        if one.when_empty if down else one.when_full or one.when_hit_full:
            yield f"{indent}`{target.kind}` says what happens when it is {'empty' if down else 'full'}."

    # Kinds, actions and reactions

    def _kind(self, kind: ir.Kind) -> Iterator[str]:
        what = f"There is one `{kind.name}`." if kind.one else f"`{kind.name}` is a kind of thing."
        what = f"`{kind.name}` is a kind of part: each belongs to another thing." if kind.part else what
        yield f"{what} {kind.about}".rstrip() + self._sources(kind.path)
        if kind.written_as is not None:
            yield f"A plain value given for one is its `{kind.written_as}`."
        if kind.summary:
            yield f"A record of play shows {_listed([f'`{name}`' for name in kind.summary])} when a round ends."
        yield f"{'It' if kind.one else 'Each'} has:"
        for one in kind.has.values():
            yield from self._holding(one)
        can = [f"`{name}`" for name, action in self.program.actions.items() if _kind_of(action) == kind.name]
        if can:
            yield f"Actions: {_listed(can)}."
        answers = [f"`{name}`" for name, one in self.program.reactions.items() if _kind_of(one.action) == kind.name]
        if answers:
            yield f"Reactions: {_listed(answers)}."

    def _holding(self, one: ir.HeldAttribute) -> Iterator[str]:
        declared = one.declared
        if one.derived is not None:
            text = f"`{one.name}`: always {_text(one.derived)}. {declared.about}".rstrip()
        elif one.counter:
            low = _bound(declared.low) if declared.low is not None else "0"
            span = f" from {low} to {_bound(declared.high)}" if declared.high is not None else f", at least {low}"
            starts = _bound(one.starts) if one.starts is not None else low
            text = f"`{one.name}`: points{span}; starts at {starts}. {declared.about}".rstrip()
        elif one.part is not None:
            text = f"`{one.name}`: a part of the kind `{one.part}`. {declared.about}".rstrip()
        else:
            text = self._declared(declared, f"for each `{one.per.name}`, " if one.per is not None else "")
        yield f"  {text}" + (self._sources(one.path) if one.derived or one.counter or one.part else "")
        if one.lasts is not None:
            yield f"    It returns to its initial value when a {one.lasts} ends."
        if one.refuses:
            yield "    A gain beyond its maximum is refused, and with it the whole rule."
        yield from self._inner("When it is full:", one.when_full, "    ")
        yield from self._inner("When it gains and is already full:", one.when_hit_full, "    ")
        yield from self._inner("When it is empty:", one.when_empty, "    ")
        if one.bookkeeping:
            yield "    A record of play leaves out its changes."
        if one.seen_by is not None:
            who = f"Only {_listed([_seer(one) for one in one.seen_by])}" if one.seen_by else "No player"
            yield f"    {who} can see it."

    def _action_head(self, action: ir.Action, who: str) -> Iterator[str]:
        """The actor, the price and the limit of an action."""
        yield f"{who}{self._sources(action.actor.path)}"
        if action.kind is not None:
            yield f"It is an action of the kind `{action.kind}`."
        for cost in action.costs:
            yield f"It costs {_text(cost.amount)} of the actor's `{cost.name}`.{self._sources(cost.path)}"
        if action.shows:
            yield f"Beside it stands{_asked(action.shows)}."
        up = action.upgrade
        if up is not None:
            waived = f"without paying {_listed([f'`{name}`' for name in up.waives])}" if up.waives else "at full cost"
            counts = f"; {_text(up.counts_as)} counts as spent" if up.counts_as is not None else ""
            yield f"It may be upgraded to the kind `{up.to}`, {waived}{counts}.{self._sources(up.path)}"
        if action.limit is not None:
            times = _text(action.limit.times)
            often = "once" if times == "1" else f"{times} times"
            yield f"Each actor can do it {often} per {action.limit.per}.{self._sources(action.limit.path)}"

    def _reaction(self, one: ir.Reaction) -> Iterator[str]:
        events = _listed([f"{self.program.events[event].title} (`{event}`)" for event in one.events])
        when = f"It reacts to {events}, {'before' if one.before else 'after'} the event happens."
        who = f"It is automatic for every {_who(one.action)}."
        asked = f"Any {_who(one.action)} may choose to do it, once for each event.{_asked(one.ask)}"
        yield from self._mechanic(
            one.action.rule, [when, *self._action_head(one.action, who if one.automatic else asked)]
        )

    def _answers(self, event: str) -> Iterator[str]:
        """The reactions to an event, in order."""
        found = [one for one in self.program.reactions.values() if event in one.events]
        for one in sorted(found, key=lambda one: (not one.before, not one.automatic)):
            rule = one.action.rule
            how = "automatic" if one.automatic else "if its actor chooses to"
            yield f"Reaction {'before' if one.before else 'after'} it: {rule.title} (`{rule.name}`), {how}."

    def _choice(self, of: ir.Choose, indent: str, who: str = "") -> Iterator[str]:
        """A choice of `who`, if given, else of the one it names."""
        who = who or (_role(of.by) if of.by else "a player")
        what = {"yes_no": "yes or no", "text": "a text", "number": "a number", "one": "one", "some": "some"}[of.kind]
        between = ""
        if of.low and of.high:
            between = f" from {_text(of.low)} to {_text(of.high)}"
        if of.among:
            between += f" of {_text(of.among)}" + (f" where {_text(of.where)}" if of.where else "")
        if of.most:
            between += f", at most {_text(of.most)}"
        if of.together:
            between += f", together with {_text(of.together)}"
        yield f"{who} chooses {what}{between}.{_asked(of.ask)}"
        if of.shows:
            yield f"{indent}Beside each answer stands{_asked(of.shows)}."
        for word, meaning in of.meanings:
            if meaning:
                yield f"{indent}{word}: {meaning}"
        if of.default is not None:
            yield f"{indent}The default is {_text(of.default)}."


def _bound(formula: ir.Formula) -> str:
    """A bound in words: a constant as its value, else as it was written."""
    return in_words(formula.body.value) if isinstance(formula.body, ir.Constant) else _text(formula)


def _place(target: ir.Lvalue) -> str:
    return _written(target.span)


def _kind_of(action: ir.Action) -> str:
    kind = t.present(action.actor.type)
    return kind.kind if isinstance(kind, t.Thing) else ""


def _who(action: ir.Action) -> str:
    return f"`{_kind_of(action)}`{_among(action.actor)}"


def _seer(who: str) -> str:
    return {"owner": "its owner", EVERYBODY: EVERYBODY}.get(who, f"the {who.replace('_', ' ')}")


def _among(one: ir.Declaration) -> str:
    """The candidates of a value and its condition."""
    among = f" of {_text(one.among)}" if one.among else ""
    return among + (f" where {_text(one.where)}" if one.where else "")


def _type_in_words(one: ir.Declaration) -> str:
    """The type of a declaration; a list of words of its own (`one_of`) has the same name, which is not repeated."""
    kind = t.present(one.type)
    if isinstance(kind, t.Word) and kind.name == one.name and kind.words:
        return f"one of {t.listed_words(kind.words)}"
    return t.in_words(one.type)


def _between(one: ir.Declaration) -> str:
    if one.low is None and one.high is None:
        return ""
    if one.low is None or one.high is None:
        return f", at least {_text(one.low)}" if one.low else f", at most {_text(one.high)}" if one.high else ""
    return f" from {_text(one.low)} to {_text(one.high)}"


def _passed(name: str, value: ir.Formula) -> str:
    """An argument of a call; one that passes on an input of the same name is named once."""
    same = isinstance(value.body, ir.Local) and value.body.name == name
    return f"the same {name}" if same else f"{name} = {_text(value)}"


def _role(who: ir.Formula | str) -> str:
    """Who is asked, or has a role: `the roller`, `the actor`."""
    return f"the {_text(who) if isinstance(who, ir.Formula) else who.replace('_', ' ')}"


def _asked(ask: ir.Question) -> str:
    """A question, to stand after a sentence, with the conditions of its parts; nothing if there is none."""
    return "".join([f" {_part_of_text(one)}" for one in ask.parts])


def _part_of_text(part: ir.TextPart) -> str:
    if part.condition is None:
        return f"“{part.say.written}”"
    other = f", else “{part.instead.written}”" if part.instead is not None else ""
    return f"“{part.say.written}” (if {_text(part.condition)}{other})"


def _text(formula: ir.Formula) -> str:
    """An expression as its author wrote it; a generated one as its value."""
    generated = in_words(formula.body.value) if isinstance(formula.body, ir.Constant) else "?"
    return _written(formula.span) or generated


def _written(span: Span) -> str:
    """The text of a scalar in one line, without the marks of YAML."""
    text = re.sub(r"^[>|]-? *", "", " ".join(span.text.split()))
    quoted = text[:1] in ("'", '"') and text[-1:] == text[:1]
    return text[1:-1] or "an empty text" if quoted else text


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1] if parts else ""

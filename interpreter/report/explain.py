"""Explain a rule in sentences made from its program: its inputs, steps, outcomes and sources.

Expressions appear as their author wrote them, options with their current value and the alternatives.
Changes by house rules come last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, assert_never

from interpreter import diagnostics as say
from interpreter import ir
from interpreter.diagnostics import PlayError
from interpreter.ir import types as t
from interpreter.ir.by_word import purse_name
from interpreter.ir.consent import may_refuse_price
from interpreter.ir.deciders import roles_asked
from interpreter.layers.merge import Merged
from interpreter.play.scenes import USUAL_GUARD
from interpreter.report import phrases
from interpreter.report.sentences import Sentence, lines, reference
from interpreter.report.trace import citations
from interpreter.runtime.state import SCENE
from interpreter.runtime.titles import Construct, titles_of

SECTIONS = (
    *("mechanics", "kinds", "events", "actions", "reactions", "scenes"),
    *("functions", "tables", "options", "modifiers", "types", "comparators", "ladders"),
)


def explain_name(program: ir.Program, merged: Merged | None, wanted: str) -> list[str]:
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
            return list(explainer.declaration_lines(section, name))
    known = [*(one.row for one in program.citations), *(name for s in SECTIONS for name in explainer.section(s))]
    raise PlayError(say.nothing_to_explain(wanted, dict.fromkeys(known)))


def sentences(program: ir.Program, section: str, name: str) -> list[Sentence]:
    """What there is to say about a declaration: a heading with its title, then its parts."""
    return list(_Explainer(program, None).thing(section, name))


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
    texts = []
    for heading, names in sections.items():
        if names:
            texts += [f"{heading}:", *(f"  {name}{': ' if title else ''}{title}" for name, title in names)]
    return texts


def explain_step(program: ir.Program, step: ir.Step) -> list[str]:
    """Lines about one step of a rule, with the steps inside it."""
    return list(lines([_Explainer(program, None)._step(step)]))


def explain_declaration(program: ir.Program, one: ir.Declaration) -> str:
    """A line about an input: its type, bounds, default and meaning."""
    return " ".join(lines([_Explainer(program, None)._declaration(one)]))


class _Explainer:
    def __init__(self, program: ir.Program, merged: Merged | None) -> None:
        self.program, self.merged = program, merged
        self.cited, self.titles = citations(program), titles_of(program)

    def _label(self, one: Construct, after: str = ": ") -> dict[str, Any]:
        """How the sentence about a construct begins, `Strength (`strength`): `, and what it names."""
        title = self.titles.constructs.get(one.path, "")
        lead = f"{title} (`{one.name}`)" if title else f"`{one.name}`"
        return {"lead": f"{lead}{after}", "name": title or one.name}

    def _label_of_word(self, word: str, after: str = ": ") -> dict[str, Any]:
        """The same of a word of a list."""
        title = self.titles.word(word)
        return {"lead": f"{title} (`{word}`){after}" if title != word else f"{word}{after}", "name": title}

    def _label_of_outcome(self, outcome: ir.Outcome, counts: str = "") -> dict[str, Any]:
        """The same of an outcome, of which people read the title alone."""
        title = self.titles.word(outcome.name)
        return {"lead": f"{title}{counts}, ", "name": title}

    def _role(self, who: ir.Formula | str) -> str:
        """Who is asked, or has a role: `the roller`, `the actor`; a role with a title is called by it."""
        if isinstance(who, ir.Formula):
            return phrases.person(who.body, self._role) if roles_asked(who) else f"the {phrases.formula(who)}"
        return self.titles.constructs.get(f"roles.{who}") or f"the {who.replace('_', ' ')}"

    def section(self, name: str) -> dict[str, object]:
        return dict(getattr(self.program, name))

    def row(self, row: str, paths: list[str]) -> Iterator[str]:
        statuses = dict.fromkeys(one.status for one in self.program.citations if one.row == row)
        yield f"{row} ({', '.join(statuses)}) is cited by {phrases.enumeration([f'`{path}`' for path in paths])}."
        for thing in dict.fromkeys(tuple(path.split(".")[:2]) for path in paths):
            if len(thing) == 2 and thing[0] in SECTIONS:
                yield ""
                yield from self.declaration_lines(*thing)

    def declaration_lines(self, section: str, name: str) -> Iterator[str]:
        """The lines about a declaration, with the changes by house rules last."""
        yield from lines(self.thing(section, name))
        yield from lines(self._house_rule_changes(f"{section}.{name}"))

    def thing(self, section: str, name: str) -> Iterator[Sentence]:
        program, path = self.program, f"{section}.{name}"
        match section:
            case "mechanics":
                yield from self._mechanic(program.mechanics[name])
            case "kinds":
                yield from self._kind(program.kinds[name])
            case "events":
                event = program.events[name]
                by = phrases.enumeration([phrases.viewers(one) for one in event.by])
                yield from self._mechanic(event, [Sentence(f"Caused by {by}, at the table.")] if by else [])
                yield from self._reactions_to(name)
            case "actions":
                action = program.actions[name]
                yield from self._mechanic(
                    action.rule, self._action_head(action, f"Any {phrases.actor(action)} can do it.")
                )
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
                yield self._sentence_about(
                    f"`{name}` is a record.", path, map(self._declaration, program.types[name].has)
                )
            case "comparators":
                yield self._sentence_about(f"`a {name} b` means that a is {program.comparators[name]} b.", path)
            case "ladders":
                rungs = " < ".join(map(self.titles.value, program.ladders[name]))
                yield self._sentence_about(f"The ladder `{name}` is {rungs}.", path)

    def _sentence_about(self, text: str, path: str, below: Iterable[Sentence] = (), **named: str) -> Sentence:
        """A sentence about a construct, with what it says about itself, if the text does not, and the rows it cites."""
        about = self.program.abouts.get(path, "")
        if about not in text and text.endswith(":"):
            text = f"{about} {text}"
        elif about not in text:
            stop = "" if text.endswith((".", "!", "?", "”")) or not text else "."
            text = f"{text}{stop} {about}".strip()
        return Sentence(text, path, tuple(below), cites=self.cited.get(path, ()), **named)

    # House rules

    def _house_rule_changes(self, path: str) -> Iterator[Sentence]:
        touched = [
            one
            for one in (self.merged.applied if self.merged is not None else ())
            if one.change.name == path or one.change.name.startswith(path + ".")
        ]
        if touched:
            yield Sentence("House rules:", below=tuple(map(phrases.layer_change, touched)))

    # Options, functions, tables and modifiers

    def _option(self, one: ir.Declaration) -> Iterator[Sentence]:
        default = phrases.source_text(one.default) if one.default else "nothing"
        meanings = dict(one.meanings)
        said = f"The value is `{default}`{': ' + meanings[default] if meanings.get(default) else '.'}"
        below = [Sentence(said, f"{one.path}.default")]
        for word, meaning in meanings.items():
            if word != default:
                title = f" ({self.titles.words[word]})" if word in self.titles.words else ""
                said = f"It can be set to `{word}`{title}{': ' + meaning if meaning else '.'}"
                below.append(Sentence(said, f"{one.path}.one_of.{word}"))
        if not meanings:
            below.append(Sentence(f"It can be set to {phrases.type_of(one)}{phrases.bounds(one)}."))
        lead = f"Option {self._label(one, ': ' if one.about else '.')['lead']}"
        yield self._sentence_about(one.about, one.path, below, lead=lead, part="head")

    def _function(self, one: ir.Function) -> Iterator[Sentence]:
        takes = phrases.enumeration([f"`{taken.name}`" for taken in one.takes]) or "nothing"
        lead = f"The function `{one.name}` takes {takes} and gives {t.in_words(one.type)}. "
        if isinstance(one.gives, ir.Formula):
            result = self._sentence_about(f"The result is {phrases.formula(one.gives)}.", f"{one.path}.gives")
        else:
            said = "The result is the first of these whose condition holds:"
            result = self._sentence_about(said, f"{one.path}.gives", self._cases(one.gives))
        taken_in = self._parameter_meanings(one.takes)
        yield self._sentence_about(one.about, one.path, (*taken_in, result), lead=lead, part="head")

    def _table(self, one: ir.Table) -> Iterator[Sentence]:
        keys = phrases.enumeration([t.in_words(key) for key in one.keys])
        lead = f"The table `{one.name}` gives {t.in_words(one.type)} for {keys}. "
        below = (*self._rows(one.rows), *self._off_and_claims(one))
        yield self._sentence_about(one.about, one.path, below, lead=lead, part="head")

    def _off_and_claims(self, one: ir.Table) -> Iterator[Sentence]:
        """What a table gives where it has no row, and the odds that it states."""
        path = f"{one.path}.off_the_rows"
        if isinstance(one.off, ir.Formula):
            yield Sentence(f"For any other value, the result is {phrases.formula(one.off)}.", path)
        elif one.off == "nearest":
            yield Sentence("Any other value counts as the nearest row.", path)
        elif one.off == "refuse":
            yield Sentence("Any other value is refused.", path)
        for claim in self.program.claims:
            if claim.table == one.name:
                given = phrases.enumeration([f"`{name}` = {phrases.formula(value)}" for name, value in claim.given])
                how = f", with {given}," if given else ""
                off = f", within {claim.within}" if claim.within else ""
                claimed = f"`{claim.of}` of `{claim.mechanic}`{how} has the chance {phrases.formula(claim.chance)}{off}"
                yield self._sentence_about(f"Each row claims that {claimed}.", claim.path)

    def _rows(self, rows: tuple[ir.TableRow, ...]) -> Iterator[Sentence]:
        for row in rows:
            name = row.path.rsplit(".", 1)[-1]
            if isinstance(row.value, ir.Formula):
                yield self._sentence_about(
                    phrases.formula(row.value), row.path, lead=f"{name}: ", name=name, part="row"
                )
            else:
                yield Sentence("", row.path, tuple(self._rows(row.value)), f"{name}:", name, part="row")

    def _modifier(self, one: ir.Modifier) -> Iterator[Sentence]:
        added = phrases.enumeration([f"{phrases.formula(amount)} to `{name}`" for name, amount in one.adds])
        who = f" The {one.by.replace('_', ' ')} applies it." if one.by else ""
        to = f"{t.article(one.to)} `{one.to}`"
        said = f"adds {added} of {to}.{who}"
        below = self._parameter_meanings(one.takes)
        yield self._sentence_about(said, one.path, below, lead=f"{one.title} (`{one.name}`) ", part="head")

    def _parameter_meanings(self, takes: Iterable[ir.Declaration]) -> list[Sentence]:
        """What those parameters mean that say something about themselves."""
        sentences_of_inputs = tuple(self._declaration(one) for one in takes if one.about)
        return [Sentence("It takes:", below=sentences_of_inputs, part="has")] if sentences_of_inputs else []

    def _declaration(self, one: ir.Declaration, before: str = "", below: Iterable[Sentence] = ()) -> Sentence:
        text = f"{before}{phrases.type_of(one)}"
        text += phrases.bounds(one)
        text += phrases.candidates(one)
        if one.default is not None:
            text += f"; default {phrases.formula(one.default)}"
        elif one.optional:
            text += "; optional"
        text = f"{text}.{phrases.question(one.ask)} {one.about}".rstrip()
        meanings = [
            *phrases.answer_notes(one.shows),
            *phrases.minor_notes(one.minor),
            *(
                Sentence(meaning, f"{one.path}.one_of.{word}", **self._label_of_word(word))
                for word, meaning in (one.meanings if phrases.has_own_words(one) else ())
                if meaning
            ),
        ]
        return self._sentence_about(text, one.path, (*meanings, *below), **self._label(one))

    # Mechanics

    def _mechanic(self, rule: ir.Mechanic, after_head: Iterable[Sentence] = ()) -> Iterator[Sentence]:
        yield self._sentence_about(rule.about, rule.path, lead=f"{rule.title} (`{rule.name}`). ", part="head")
        yield from after_head
        if rule.inputs:
            yield Sentence("Inputs:", below=tuple(map(self._declaration, rule.inputs)), part="inputs")
        yield from map(self._requirement, rule.requires)
        if rule.steps:
            yield Sentence("Steps:", below=self._steps(rule.steps), part="steps")
        if rule.outcomes:
            yield self._outcomes(rule.outcomes, "The outcome", f"{rule.path}.outcomes")
        for reading in rule.also:
            if isinstance(reading.reading, ir.Formula):
                about = f" {reading.about}" if reading.about else ""
                said, label = f"holds if {phrases.formula(reading.reading)}.{about}", self._label(reading, " ")
                label["lead"] = f"The flag {label['lead']}"
                yield self._sentence_about(said, reading.path, **label, part="flag")
            else:
                yield self._outcomes(reading.reading, f"`{reading.name}`", reading.path)

    def _requirement(self, one: ir.Requirement) -> Sentence:
        why = f" ({one.about.removesuffix('.')})" if one.about else ""
        return self._sentence_about(f"Requires: {phrases.formula(one.condition)}{why}.", one.path)

    def _scene(self, scene: ir.Scene) -> Iterator[Sentence]:
        begins = [Sentence("It is played in rounds.")] if not scene.rule.steps else []
        for one in self._mechanic(scene.rule, begins):
            yield replace(one, text="Before the first round:") if one.part == "steps" else one
        remembers = [one for one in self.program.kinds[SCENE].has.values() if one.declared.name in scene.has]
        if remembers:
            said = "It keeps these values, as `scene.…`:"
            yield Sentence(said, below=tuple(map(self._held_attribute, remembers)), part="has")
        yield Sentence("Each round has these phases:", below=tuple(map(self._phase, scene.phases)), part="phases")
        if scene.outcomes:
            said = "It ends when one of these holds; they are checked after every phase, in this order:"
            yield Sentence(said, below=tuple(map(self._scene_end, scene.outcomes)), part="outcomes")
        often = phrases.formula(scene.guard) if scene.guard else USUAL_GUARD
        yield Sentence(f"After {often} rounds it ends without an outcome.", f"{scene.rule.path}.guard")

    def _phase(self, phase: ir.Phase) -> Sentence:
        below, lead = self._steps(phase.steps), f"{phase.title} (`{phase.name}`). "
        return self._sentence_about(phase.about, phase.path, below, lead=lead, name=phase.title, part="phase")

    def _scene_end(self, outcome: ir.Outcome) -> Sentence:
        when = f"if {phrases.formula(outcome.condition)}" if outcome.condition else "when a step ends the scene with it"
        about = f" {outcome.about}" if outcome.about else ""
        below = self._steps(outcome.steps)
        return self._sentence_about(f"{when}.{about}", outcome.path, below, **self._label_of_outcome(outcome))

    def _outcomes(self, of: ir.Outcomes, begin: str, path: str) -> Sentence:
        if of.as_of is not None:
            words = t.without_maybe(of.as_of.type)
            which = f" ({t.listed_words(words.words)})" if isinstance(words, t.Word) else ""
            return Sentence(f"{begin} is that of `{phrases.source_text(of.as_of)}`{which}.", path)
        said = f"{begin} is the first of these whose condition holds:"
        return Sentence(said, path, tuple(map(self._outcome, of.cases)), part="outcomes")

    def _outcome(self, one: ir.Outcome) -> Sentence:
        when = f"if {phrases.condition(one.condition)}" if one.condition else "otherwise"
        counts = f" (which counts as {one.counts_as})" if one.counts_as else ""
        record = f" A record of play tells{phrases.question(one.tells)}." if one.tells else ""
        about = f" {one.about}" if one.about else ""
        below = self._steps(one.steps)
        return self._sentence_about(f"{when}.{about}{record}", one.path, below, **self._label_of_outcome(one, counts))

    def _steps(self, steps: Iterable[ir.Step]) -> tuple[Sentence, ...]:
        return tuple(map(self._step, steps))

    def _step(self, step: ir.Step) -> Sentence:
        when = f"If {phrases.formula(step.condition)}: " if step.condition else ""
        text, below = self._action(step.action)
        if step.instead is not None:
            below = (*below, Sentence(phrases.otherwise_phrase(step, step.instead), f"{step.path}.else"))
        if isinstance(step.action, ir.Compare):
            told = [(f"`{name}`: ", f"{step.path}.compare.{name}") for name, *_ in step.action.lines]
            below = (
                *below,
                *(self._sentence_about("", path, lead=lead) for lead, path in told if path in self.program.abouts),
            )
        about = f" {step.about}" if step.about else ""
        return self._sentence_about(f"{when}{text}{about}", step.path, below, **self._label(step))

    def _sentences_of_steps(self, begin: str, steps: tuple[ir.Step, ...]) -> tuple[Sentence, ...]:
        return (Sentence(begin, below=self._steps(steps)),) if steps else ()

    def _cases(self, of: ir.FirstOf) -> Iterator[Sentence]:
        for case in of.cases:
            when = f"if {phrases.formula(case.condition)}" if case.condition else "otherwise"
            name = f" ({self.titles.in_text(case)})" if case.name != phrases.source_text(case.value) else ""
            yield self._sentence_about(f"{phrases.formula(case.value)}, {when}{name}.", case.path)

    def _action(self, action: ir.StepBody) -> tuple[str, tuple[Sentence, ...]]:
        """What a step does: its sentence, and those below it."""
        match action:
            case ir.Let(of):
                return f"{phrases.formula(of)}.", ()
            case ir.RollDice():
                return self._throw(action)
            case ir.Reroll(of, which, most, by, to):
                order = f", by {phrases.formula(by)}" if by else ""
                some = f", at most {phrases.formula(most)}" if most else ""
                verb = f"turn to {phrases.formula(to)}:" if to else "reroll"
                return f"{verb} {phrases.formula(which or of)}{some}{order}.", ()
            case ir.Place(dice, showing):
                return f"place {phrases.formula(dice)} showing {phrases.formula(showing)}, without throwing.", ()
            case ir.Raise(of, which, ladder, _, by, past_top, when_full):
                past = {"stop": "is lost", "carry_to_next_smaller": "goes to the next smaller die"}[past_top]
                full = {"lost": "it is lost", "add_lowest": "it adds a die of the lowest rung"}[when_full]
                said = f"A step past the top {past}; when all dice are at the top, {full}."
                return f"raise {phrases.formula(which or of)} on the ladder `{ladder}` by {phrases.formula(by)}.", (
                    Sentence(said),
                )
            case ir.Stages(start, (*before, row), _, reads_row=True):
                text, below = self._action(start)
                below = (*below, *self._sentences_of_steps("Before the row is read, in this order:", tuple(before)))
                return f"{text.removesuffix('.')} on {phrases.row_of_dice(row)}.", below
            case ir.Stages(start, then, _):
                text, below = self._action(start)
                return f"start with {text}", (*below, *self._sentences_of_steps("Then, in this order:", then))
            case ir.Repeat():
                return self._repeat(action)
            case ir.Pair():
                return self._pair(action)
            case ir.Compare(compared, ties):
                told = [
                    f"`{name}` ({phrases.formula(ours)} against {phrases.formula(theirs)})"
                    for name, ours, theirs, _ in compared
                ]
                equal = f" If all are equal, `{ties}` wins." if ties else ""
                return f"compare {', then '.join(told)}; the first difference decides.{equal}", ()
            case ir.Choose():
                return self._choice(action)
            case ir.Call(mechanic, given, roles):
                below = tuple(Sentence(f"{self._role(who)} is {self._role(role)}.") for role, who in roles)
                return f"{self._reference('mechanics', mechanic)}{phrases.arguments(given)}.", below
            case ir.FirstOf():
                return "the first of these whose condition holds:", tuple(self._cases(action))
            case ir.StepGroup(steps):
                return "do this:", self._steps(steps)
            case ir.End(outcome):
                return f"the rule ends here, with the outcome {outcome}.", ()
            case ir.ForEach(name, among, where, each):
                some = f" where {phrases.formula(where)}" if where else ""
                return f"for each `{name}` of {phrases.formula(among)}{some}:", self._steps(each)
            case ir.ChooseEach():
                return self._choice_of_each(action)
            case ir.Order(of, keys):
                return f"sort {phrases.formula(of)}; the first difference decides:", tuple(map(self._sort_key, keys))
            case ir.Turn(who, steps):
                return f"a turn of {phrases.formula(who)}:", self._steps(steps)
            case _:
                return self._effect(action)

    def _repeat(self, action: ir.Repeat) -> tuple[str, tuple[Sentence, ...]]:
        stop = f", until {phrases.formula(action.until)}" if action.until else ""
        below = self._steps(action.each)
        if action.carry:
            begun = phrases.enumeration([f"`{name}` begins with {phrases.formula(to)}" for name, to in action.carry])
            below = (Sentence(f"{begun}; every pass goes on from the one before."), *below)
        if action.keep:
            which, by = action.keep
            below += (Sentence(f"Only the pass with the {which} {phrases.formula(by)} counts."),)
        return f"repeat {phrases.formula(action.times)} times{stop}:", below

    def _throw(self, action: ir.RollDice) -> tuple[str, tuple[Sentence, ...]]:
        pools = [f"{phrases.formula(pool)} ({name})" if name else phrases.formula(pool) for name, pool in action.parts]
        below = self._sentences_of_steps("For each throw:", action.each)
        if action.counts:
            below += (Sentence(f"A throw counts as {phrases.formula(action.counts)}."),)
        if action.again:
            said = f"While {phrases.formula(action.again)}, the same die is thrown again and the throw is added."
            below += (Sentence(said),)
        return f"roll {phrases.enumeration(pools)}.", below

    def _pair(self, action: ir.Pair) -> tuple[str, tuple[Sentence, ...]]:
        ours, theirs = phrases.formula(action.ours), phrases.formula(action.theirs)
        below = self._sentences_of_steps("For each pair:", action.each)
        if action.first:
            so = "highest first by" if isinstance(action.first.type, t.Number) else "first those with"
            below = (Sentence(f"Equal dice of {ours} are paired {so} {phrases.formula(action.first)}."), *below)
        if action.missing:
            said = f"Where {theirs} runs out of dice, {phrases.formula(action.missing)} takes the place of a die."
            below = (Sentence(said), *below)
        return f"pair {ours} with {theirs}, both from the highest down.", below

    def _choice_of_each(self, action: ir.ChooseEach) -> tuple[str, tuple[Sentence, ...]]:
        each = f"each of {phrases.formula(action.among)}"
        text, below = self._choice(action.choice, each if action.asked else "")
        if action.asked:
            below += (Sentence("All choose at once, without seeing each other's answers."),)
        else:
            below += (Sentence(f"There is one such choice for {each}."),)
        if action.budget is not None:
            below += (Sentence(f"The sum of the answers is at most {phrases.formula(action.budget)}."),)
        return text, below

    def _sort_key(self, key: ir.SortKey) -> Sentence:
        first = {"high": "the highest first", "low": "the lowest first"}.get(key.way)
        said = f"{phrases.formula(key.formula)}, {first}" if key.formula is not None else "at random"
        return Sentence(f"{said}.", key.path, lead=f"- {key.name}: ", name=key.name)

    def _reference(self, section: str, name: str) -> str:
        """The title and the name of a rule."""
        return reference(section, name, self.program.playable[section][name].title)

    # Effects

    def _effect(self, effect: ir.Effect) -> tuple[str, tuple[Sentence, ...]]:
        match effect:
            case ir.Shift(amount, target, down):
                said = f"{phrases.place(target)} goes {'down' if down else 'up'} by {phrases.formula(amount)}."
                return said, self._steps_that_follow(target, down)
            case ir.Pay(amount, purses, payer, may_refuse, minor):
                if may_refuse:
                    below = [Sentence("The payer may refuse; then, or if there is too little, nothing is paid.")]
                else:
                    below = [Sentence("If there is too little, the whole rule is refused.")]
                below += phrases.minor_notes(minor)
                for target, _ in purses:
                    below += self._steps_that_follow(target, True)
                if purses[0][1] is None:
                    return f"pay {phrases.formula(amount)} from {phrases.place(purses[0][0])}.", tuple(below)
                rates = [(purse_name(target), rate) for target, rate in purses if rate is not None]
                kinds = [f"{name} (each worth {phrases.formula(rate)})" for name, rate in rates]
                return (
                    f"pay {phrases.formula(amount)} from {phrases.formula(payer)}, in {phrases.enumeration(kinds)}.",
                    tuple(below),
                )
            case ir.Assign(target, value):
                return f"{phrases.place(target)} becomes {phrases.formula(value)}.", ()
            case ir.Include(value, target, lasts):
                until = f" until the {lasts} ends" if isinstance(lasts, str) else ""
                if isinstance(lasts, ir.Formula):
                    until = f" for {phrases.formula(lasts)} rounds, counting the current one"
                return f"{phrases.formula(value)} is added to {phrases.place(target)}{until}.", ()
            case ir.Exclude(value, target):
                return f"{phrases.formula(value)} is removed from {phrases.place(target)}.", ()
            case ir.Make(kind, given, named):
                after = f", named after {phrases.formula(named)}" if named else ""
                return f"a new `{kind}` is created{phrases.arguments(given)}{after}.", ()
            case ir.Destroy(thing):
                return f"{phrases.formula(thing)} is destroyed.", ()
            case ir.Cause(event, given, later):
                when = f" when the {later} ends" if isinstance(later, str) else ""
                if isinstance(later, ir.Formula):
                    when = f" after {phrases.formula(later)} rounds, counting the current one"
                caused = self._reference("events", event)
                return f"{caused} happens{when}{phrases.arguments(given, ', with ')}.", ()
            case ir.Act(name, actor, given):
                taken = self._reference("actions", name)
                return f"{phrases.formula(actor)} takes the action {taken}{phrases.arguments(given)}.", ()
            case ir.Offer(actions, to, most, _, ask):
                often = f"up to {phrases.formula(most)} times" if most is not None else "any number of times"
                names = phrases.enumeration([self._reference("actions", one) for one in actions])
                said = f"{phrases.formula(to)} may take any of these actions that are possible, {often}: {names}."
                said += phrases.question(ask)
                return said, ()
            case ir.ChangeEvent(given):
                return phrases.enumeration(
                    [f"`{name}` of the event becomes {phrases.formula(value)}" for name, value in given]
                ) + ".", ()
            case ir.CancelEvent():
                return "the event is cancelled.", ()
            case ir.Draw(number, target, refill):
                some = (
                    f"If nothing is left, all of {phrases.place(refill)} is put back first."
                    if refill is not None
                    else ""
                )
                below = [Sentence(some)] if some else []
                return f"{phrases.formula(number)} are drawn from {phrases.place(target)} at random.", tuple(below)
            case ir.Put(values, target):
                return f"{phrases.formula(values)} are put into {phrases.place(target)}.", ()
            case ir.Take(values, target):
                said = f"{phrases.formula(values)} is taken from {phrases.place(target)}"
                said += "; if it is not there, the whole rule is refused."
                return said, ()
            case ir.Turn():
                raise AssertionError("a turn has steps")
            case _:
                assert_never(effect)

    def _steps_that_follow(self, target: ir.Lvalue, down: bool) -> tuple[Sentence, ...]:
        """A reference to the steps that follow when a bound is reached."""
        one = self.program.kinds[target.kind].has[target.name]
        if one.when_empty if down else one.when_full or one.when_hit_full:
            return (Sentence(f"`{target.kind}` says what happens when it is {'empty' if down else 'full'}."),)
        return ()

    # Kinds, actions and reactions

    def _kind(self, kind: ir.Kind) -> Iterator[Sentence]:
        label = self._label(kind, "")["lead"]
        what = f"There is one {label}." if kind.one else f"{label} is a kind of thing."
        what = f"{label} is a kind of part: each belongs to another thing." if kind.part else what
        yield self._sentence_about(kind.about, kind.path, lead=f"{what} ", part="head")
        if kind.written_as is not None:
            yield Sentence(f"A plain value given for one is its `{kind.written_as}`.")
        if kind.summary:
            shown = phrases.enumeration([f"`{name}`" for name in kind.summary])
            yield Sentence(f"A record of play shows {shown} when a round ends.", part="screen")
        begin = f"{'It' if kind.one else 'Each'} has:"
        yield Sentence(begin, below=tuple(map(self._held_attribute, kind.has.values())), part="has")
        yield from map(self._requirement, kind.requires)
        can = [
            f"`{name}`" for name, action in self.program.actions.items() if phrases.kind_of_actor(action) == kind.name
        ]
        if can:
            yield Sentence(f"Actions: {phrases.enumeration(can)}.")
        answers = [
            f"`{name}`"
            for name, one in self.program.reactions.items()
            if phrases.kind_of_actor(one.action) == kind.name
        ]
        if answers:
            yield Sentence(f"Reactions: {phrases.enumeration(answers)}.")

    def _held_attribute(self, one: ir.HeldAttribute) -> Sentence:
        below: list[Sentence] = []
        if one.lasts is not None:
            below.append(Sentence(f"It returns to its initial value when a {one.lasts} ends."))
        if one.refuses:
            below.append(Sentence("A gain beyond its maximum is refused, and with it the whole rule."))
        below += self._sentences_of_steps("When it is full:", one.when_full)
        below += self._sentences_of_steps("When it gains and is already full:", one.when_hit_full)
        below += self._sentences_of_steps("When it is empty:", one.when_empty)
        if one.bookkeeping:
            below.append(Sentence("A record of play leaves out its changes.", part="screen"))
        if one.seen_by is not None:
            who = (
                f"Only {phrases.enumeration([phrases.viewers(one) for one in one.seen_by])}"
                if one.seen_by
                else "No player"
            )
            below.append(Sentence(f"{who} can see it."))
        declared, each = one.declared, f"for each `{one.per.name}`, " if one.per is not None else ""
        if one.derived is not None:
            text = f"{each}always {phrases.formula(one.derived)}. {declared.about}".rstrip()
        elif one.counter:
            low = phrases.bound_in_words(declared.low) if declared.low is not None else "0"
            top = phrases.bound_in_words(declared.high) if declared.high is not None else None
            span = f" from {low} to {top}" if top is not None else f", at least {low}"
            starts = f"starts at {phrases.bound_in_words(one.starts) if one.starts is not None else low}"
            if one.starts is declared.high:
                starts = "starts full"
            text = f"{each}points{span}; {starts}. {declared.about}".rstrip()
        elif one.part is not None:
            text = f"a part of the kind `{one.part}`. {declared.about}".rstrip()
        else:
            return self._declaration(declared, each, below)
        return self._sentence_about(text, one.path, below, **self._label(one))

    def _action_head(self, action: ir.Action, who: str) -> Iterator[Sentence]:
        """The actor, the price and the limit of an action."""
        yield self._sentence_about(who, action.actor.path)
        if action.kind is not None:
            yield self._sentence_about(f"It is an action of the kind `{action.kind}`.", f"action_kinds.{action.kind}")
        for cost in action.costs:
            points = cost.name if cost.key is None else f"{cost.name}({phrases.source_text(cost.key)})"
            yield self._sentence_about(f"It costs {phrases.formula(cost.amount)} of the actor's `{points}`.", cost.path)
        if action.shows:
            yield Sentence(f"Beside it stands{phrases.question(action.shows)}.", part="screen")
        up = action.upgrade
        if up is not None:
            waived = (
                f"without paying {phrases.enumeration([f'`{name}`' for name in up.waives])}"
                if up.waives
                else "at full cost"
            )
            counts = f"; {phrases.formula(up.counts_as)} counts as spent" if up.counts_as is not None else ""
            yield self._sentence_about(f"It may be upgraded to the kind `{up.to}`, {waived}{counts}.", up.path)
        if may_refuse_price(action):
            yield Sentence("The actor hears the price and may refuse it; then nothing is paid, and nothing is done.")
        if action.limit is not None:
            times = action.limit.times
            often = "once" if phrases.source_text(times) == "1" else f"{phrases.formula(times)} times"
            yield self._sentence_about(f"Each actor can do it {often} per {action.limit.per}.", action.limit.path)

    def _reaction(self, one: ir.Reaction) -> Iterator[Sentence]:
        events = phrases.enumeration([self._reference("events", event) for event in one.events])
        when = f"It reacts to {events}, {'before' if one.before else 'after'} the event happens."
        who = f"It is automatic for every {phrases.actor(one.action)}."
        asked = f"Any {phrases.actor(one.action)} may choose to do it, once for each event.{phrases.question(one.ask)}"
        head = self._action_head(one.action, who if one.automatic else asked)
        yield from self._mechanic(one.action.rule, [Sentence(when), *head])

    def _reactions_to(self, event: str) -> Iterator[Sentence]:
        """The reactions to an event, in order."""
        reactions = [one for one in self.program.reactions.values() if event in one.events]
        for one in sorted(reactions, key=lambda one: (not one.before, not one.automatic)):
            rule = one.action.rule
            how = "automatic" if one.automatic else "if its actor chooses to"
            called = reference("reactions", rule.name, rule.title)
            yield Sentence(f"Reaction {'before' if one.before else 'after'} it: {called}, {how}.")

    def _choice(self, of: ir.Choose, who: str = "") -> tuple[str, tuple[Sentence, ...]]:
        """A choice of `who`, if given, else of the one it names."""
        who = who or (self._role(of.by) if of.by else "a player")
        what = {"yes_no": "yes or no", "text": "a text", "number": "a number", "one": "one", "some": "some"}[of.kind]
        between = ""
        if of.low and of.high:
            between = f" from {phrases.formula(of.low)} to {phrases.formula(of.high)}"
        if of.among:
            between += f" of {phrases.formula(of.among)}" + (f" where {phrases.formula(of.where)}" if of.where else "")
        if of.most:
            between += f", at most {phrases.formula(of.most)}"
        if of.together:
            between += f", together with {phrases.formula(of.together)}"
        below = phrases.answer_notes(of.shows)
        below += [Sentence(meaning, **self._label_of_word(word)) for word, meaning in of.meanings if meaning]
        if of.default is not None:
            usual = "to choose nothing" if phrases.source_text(of.default) == "[]" else phrases.formula(of.default)
            below.append(Sentence(f"The default is {usual}."))
        below += phrases.minor_notes(of.minor)
        return f"{who} chooses {what}{between}.{phrases.question(of.ask)}", tuple(below)

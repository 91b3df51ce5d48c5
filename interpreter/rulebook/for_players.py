"""What players read of a declaration: who does it, what it costs, what is thrown, and when it succeeds.

It has no formula and no name of the files: what cannot be said in a few words is left to the exact rule, which a page
keeps folded for those who change rules. All sentences are without a path, for notes of house rules stand there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from interpreter import ir
from interpreter.ir import types as t
from interpreter.ir.consent import may_refuse_price
from interpreter.ir.deciders import roles_asked
from interpreter.ir.traversal import locals_in, nodes_under
from interpreter.report import phrases
from interpreter.report.plain_words import FormulaWording, is_plural, plain_name, plain_words, truth
from interpreter.report.sentences import Sentence, reference
from interpreter.report.short import compared_names
from interpreter.runtime.state import SCENE

MOST_IN_FULL = 10
"""The most sentences with which a rule is told in full; of a longer one, what is only worked out is left out."""
MOST_HAPPENING = 16
"""The most sentences about what happens; a longer procedure is read step by step in the exact rule."""


def told_to_players(wording: FormulaWording, section: str, name: str) -> tuple[Sentence, ...]:
    """What players read of a declaration, below its title and what it says about itself."""
    program = wording.program
    match section:
        case "mechanics":
            return tuple(_rule(wording, program.mechanics[name]))
        case "events":
            event = program.events[name]
            by = phrases.enumeration([phrases.viewers(one) for one in event.by])
            begin = [Sentence(f"{by[:1].upper()}{by[1:]} may cause it at the table.")] if by else []
            return (*begin, *_rule(wording, event), *_answers_to(program, name))
        case "actions":
            action = program.actions[name]
            return (*_head(wording, action, "can do it"), *_rule(wording, action.rule))
        case "reactions":
            return tuple(_reaction(wording, program.reactions[name]))
        case "scenes":
            return tuple(_scene(wording, program.scenes[name]))
        case "kinds":
            return tuple(_kind(wording, program.kinds[name]))
        case "options":
            return tuple(_option(wording, program.options[name]))
        case "names":
            means = program.meanings.get(name, {})
            words = [(one, plain_name(wording.titles.word(one))) for one in program.words[name]]
            return (
                Sentence("", below=tuple(Sentence(means.get(one, ""), name=title) for one, title in words), part="has"),
            )
        case "tables":
            off = {"nearest": "Any other value counts as the nearest row.", "refuse": "There is no other value."}
            told = off.get(str(program.tables[name].off))
            return (Sentence(told),) if told else ()
        case "modifiers":
            return tuple(_modifier(wording, program.modifiers[name]))
        case "ladders":
            rungs = " < ".join(plain_name(wording.titles.value(one)) for one in program.ladders[name])
            return (Sentence(f"{rungs}."),)
    return ()


def price_of(wording: FormulaWording, action: ir.Action) -> list[str]:
    """What an action costs, in words: `1 tactical point`; empty where it declares no cost."""
    kind = wording.program.kinds.get(phrases.kind_of_actor(action))
    told = []
    for cost in action.costs:
        amount = plain_words(cost.amount, wording)
        held = kind.has.get(cost.name) if kind is not None else None
        title = wording.titles.constructs.get(held.path) if held is not None else None
        points = title or plain_name(cost.name)
        if title is None and amount == "1" and points.endswith("s") and not points.endswith("ss"):
            points = points[:-1]  # a name is English, and so is its singular
        of = plain_words(cost.key, wording) if cost.key is not None else None
        points = f"{points} ({of})" if of else points
        inputs = {one.name for one in action.rule.inputs if one.by is None}
        if isinstance(cost.amount.body, ir.Local) and cost.amount.body.name in inputs:
            told.append(f"{points}, as many as you choose")
        elif amount != "0":
            told.append(
                f"{amount} {points}"
                if amount and amount.isdigit()
                else f"{points}, as many as {amount or 'it is worth'}"
            )
    return told


def dice_of(wording: FormulaWording, rule: ir.Mechanic) -> list[str]:
    """The dice that a rule throws itself, each pool in words."""
    own = within_rule(wording, rule)
    throws = [one for one in nodes_under(rule) if isinstance(one, ir.RollDice)]
    return list(dict.fromkeys(filter(None, (_pools(own, one) for one in throws))))


def within_rule(wording: FormulaWording, rule: ir.Mechanic) -> FormulaWording:
    """The wording inside a rule, whose steps have names there."""
    inside = _within_steps(wording, rule.steps)
    named = {**_titles_of(wording, rule.inputs), **inside.named}
    return replace(inside, named=named, read=frozenset(compared_names(rule)))


def _within_steps(wording: FormulaWording, within: Sequence[ir.Step]) -> FormulaWording:
    """The wording inside steps, which have names there."""
    steps = {one.name: one for one in nodes_under(list(within)) if isinstance(one, ir.Step)}
    return replace(wording, steps=steps, named=_titles_of(wording, steps.values()))


def _titles_of(wording: FormulaWording, several: Iterable[ir.Declaration | ir.Step]) -> dict[str, str]:
    """The titles of those that have one, by name."""
    titles = wording.titles.constructs
    return {one.name: titles[one.path] for one in several if one.path in titles}


def outcomes_in_words(wording: FormulaWording, rule: ir.Mechanic) -> tuple[Sentence, ...]:
    """Each outcome with when it comes about; of a rule that has the outcome of another, those of the other."""
    if rule.outcomes is None:
        return ()
    inside = within_rule(wording, rule)
    step = _step_read(inside, rule.outcomes.as_of) if rule.outcomes.as_of is not None else None
    if step is not None and isinstance(step.action, ir.Call):
        return outcomes_in_words(wording, wording.program.mechanics[step.action.mechanic])
    return _outcomes(inside, rule.outcomes.cases)


def happening_in(wording: FormulaWording, rule: ir.Mechanic, most: int = MOST_IN_FULL) -> list[Sentence]:
    """What happens in a rule, with everything that is worked out there if that takes no more than `most` sentences."""
    inside = within_rule(wording, rule)
    full = list(dict.fromkeys(_steps_in_words(replace(inside, read=frozenset(inside.steps)), rule.steps)))
    return full if len(full) <= most else list(dict.fromkeys(_steps_in_words(inside, rule.steps)))


# Rules


def _rule(wording: FormulaWording, rule: ir.Mechanic) -> Iterator[Sentence]:
    inside = within_rule(wording, rule)
    needs = tuple(
        _input(inside, one) for one in rule.inputs if one.required or one.about or any(dict(one.meanings).values())
    )
    if needs:
        yield Sentence("Inputs:", below=needs, part="inputs")
    refused = [one.about.removesuffix(".") for one in rule.requires if truth(one.condition, inside) is not True]
    if any(refused):
        yield Sentence(f"It may be refused: {'; '.join(filter(None, refused))}.")
    happening = happening_in(wording, rule)
    if happening:
        yield Sentence("What happens", below=tuple(happening[:MOST_HAPPENING]), part="happens")
    if len(happening) > MOST_HAPPENING:
        yield Sentence("The exact rule below has the rest, step by step.")
    if rule.outcomes is not None and rule.outcomes.cases:
        yield Sentence("The outcome", below=_outcomes(inside, rule.outcomes.cases), part="ends")
    elif rule.outcomes is not None and rule.outcomes.as_of is not None:
        called = _mechanic_of(inside, rule.outcomes.as_of)
        yield Sentence(f"The outcome is that of “{called}”." if called else "The outcome is that of the roll.")
    for also in rule.also:
        if isinstance(also.reading, ir.Formula) and (also.about or plain_words(also.reading, inside)):
            when = plain_words(also.reading, inside)
            name = wording.titles.constructs.get(also.path) or plain_name(also.name)
            yield Sentence(_join_sentences([f"“{name}” counts where {when}." if when else "", also.about]))
    caused = dict.fromkeys(one.event for one in nodes_under(rule) if isinstance(one, ir.Cause))
    if caused:
        led = [reference("events", one, wording.program.events[one].title) for one in caused]
        yield Sentence(f"It can lead to {phrases.enumeration(led)}.")


def _outcomes(wording: FormulaWording, cases: Iterable[ir.Outcome], in_scene: bool = False) -> tuple[Sentence, ...]:
    told: list[Sentence] = []
    for one in cases:
        title = plain_name(wording.titles.word(one.name))
        if one.condition is None:
            when = "otherwise" if told and not in_scene else ""
        elif truth(one.condition, wording) is False:
            when = "never at this table"
        else:
            said = plain_words(one.condition, wording)
            when = f"if {said}" if said else "" if one.about else "where the exact rule says so"
        told.append(Sentence(_join_sentences([f"{when}." if when else "", one.about]) or "always.", name=title))
    return tuple(told)


def _mechanic_of(wording: FormulaWording, of: ir.Formula) -> str:
    """A reference to the mechanic that a step calls whose outcome is read."""
    step = _step_read(wording, of)
    if step is None or not isinstance(step.action, ir.Call):
        return ""
    return reference("mechanics", step.action.mechanic, wording.program.mechanics[step.action.mechanic].title)


def _step_read(wording: FormulaWording, of: ir.Formula) -> ir.Step | None:
    """The step whose outcome a formula reads."""
    body = of.body.of if isinstance(of.body, ir.Field | ir.Converted) else of.body
    return wording.steps.get(body.name) if isinstance(body, ir.Local) else None


def _input(wording: FormulaWording, one: ir.Declaration) -> Sentence:
    """What a rule needs to know: what it is about, and its bounds if these are plain."""
    title = plain_name(wording.titles.of(one))
    text = _type(wording, one)
    is_record = isinstance(t.without_maybe(one.type), t.Record)
    if one.default is not None and not is_record and (usual := plain_words(one.default, wording)):
        text += f"; usually {usual}" if usual != "none" else ""
    meanings = tuple(
        Sentence(meaning, name=plain_name(wording.titles.word(word))) for word, meaning in one.meanings if meaning
    )
    return Sentence(_join_sentences([f"{text}.", one.about]), name=title, below=meanings)


def _type(wording: FormulaWording, one: ir.Declaration) -> str:
    """What a value may be."""
    match kind := t.without_maybe(one.type):
        case t.Object(of_kind):
            where = plain_words(one.where, wording) if one.where is not None else None
            title = plain_name(wording.titles.kind(of_kind))
            return f"{t.article(title)} {title}" + (f", if {where}" if where else "")
        case t.Word(_, words) if words:
            return f"one of {', '.join(plain_name(wording.titles.word(word)) for word in words)}"
        case t.Number():
            low, high = (plain_words(of, wording) if of is not None else None for of in (one.low, one.high))
            if low and high:
                return f"a number from {low} to {high}"
            bound = f", at least {low}" if low and low != "0" else f", at most {high}" if high else ""
            return f"a number{bound}"
        case t.List(of):
            each = t.without_maybe(of)
            if isinstance(each, t.Word) and each.words:
                return f"any number of: {', '.join(plain_name(wording.titles.word(word)) for word in each.words)}"
            called = wording.titles.kind(each.kind) if isinstance(each, t.Object) else t.in_words(each)
            return f"any number: {plain_name(called).replace('`', '')}"
        case t.Map(_, of):
            return f"one for each: {plain_name(t.in_words(of)).replace('`', '')}"
        case t.Record(name, _):
            title = wording.titles.constructs.get(f"types.{name}") or plain_name(name)
            return f"{t.article(title)} {title}"
        case t.YesNo() | t.Text() | t.Dice() | t.SingleDie() | t.DiceCode():
            return t.in_words(kind)
    return "a value"


def _steps_in_words(wording: FormulaWording, steps: Iterable[ir.Step]) -> Iterator[Sentence]:
    """What people at the table notice of steps, in their order: dice, choices, changes, and what authors say."""
    for step in steps:
        known = truth(step.condition, wording) if step.condition is not None else True
        if known is False:
            continue
        when = plain_words(step.condition, wording) if step.condition is not None and known is not True else ""
        said, below = _step_in_words(wording, step)
        if said and when is None:
            said = f"In some cases: {said}"
        elif said and when:
            said = f"If {when}: {said}"
        name = plain_name(wording.titles.of(step)) if isinstance(step.action, ir.Let | ir.FirstOf) else ""
        if isinstance(step.action, ir.Let) and truth(step.action.formula, wording) is not None:
            continue
        if said or step.about:
            said = said if name else said[:1].upper() + said[1:]
            yield Sentence(_join_sentences([said, step.about]), name=name, below=below)
        yield from _steps_in_words(wording, _steps_inside(step.action))


def _steps_inside(action: ir.StepBody) -> tuple[ir.Step, ...]:
    match action:
        case ir.StepGroup(steps) | ir.Turn(_, steps):
            return steps
        case ir.RollDice(each=each) | ir.Repeat(each=each) | ir.ForEach(each=each) | ir.Pair(each=each):
            return each
        case ir.Stages(start, then):
            return (*_steps_inside(start), *then)
    return ()


def _step_in_words(wording: FormulaWording, step: ir.Step) -> tuple[str, tuple[Sentence, ...]]:
    action = step.action.start if isinstance(step.action, ir.Stages) else step.action
    match action:
        case ir.Let(of) if (step.about or step.name in wording.read) and truth(of, wording) is None:
            told = plain_words(of, wording)
            return (f"{told}." if told else ""), ()
        case ir.FirstOf(cases) if step.about or step.name in wording.read:
            pairs = [(plain_words(one.value, wording), one.condition) for one in cases]
            known = [truth(condition, wording) if condition is not None else None for _, condition in pairs]
            pairs = [pair for pair, holds in zip(pairs, known, strict=True) if holds is not False]
            ways = [_case(wording, value, condition) for value, condition in pairs]
            return (f"{'; '.join(filter(None, ways))}." if all(ways) else ""), ()
        case ir.RollDice(again=again):
            pools = _pools(wording, action)
            more = ""
            if again is not None:
                while_ = plain_words(again, wording) if not locals_in(again.body) else None
                more = f" While {while_}, throw that die again and add it." if while_ else ""
                more = more or " Some throws are followed by another of the same die, and added."
            return f"throw {pools or 'the dice'}{_tables_of_dice(wording, step.action)}.{more}", ()
        case ir.Reroll(of, _, _, _, to) if to is None:
            dice = plain_words(of, wording)
            return f"throw {'some of ' + dice if dice else 'dice'} again.", ()
        case ir.Call(mechanic):
            called, below = wording.program.mechanics[mechanic], list[Sentence]()
            if mechanic in wording.told_inside:
                below = happening_in(replace(wording, told_inside=wording.told_inside - {mechanic}), called)
            return f"{reference('mechanics', mechanic, called.title)}.", tuple(below)
        case ir.Choose():
            return _choice(wording, action, step.about)
        case ir.ChooseEach(choice):
            return _choice(wording, choice, step.about)
        case ir.Shift(amount, target, down):
            how_much, place = plain_words(amount, wording), _place(wording, target)
            verb = ("fall" if down else "rise") + ("" if is_plural((place or "").partition(" of ")[0]) else "s")
            return (f"{place} {verb} by {how_much}.", ()) if how_much and place else ("", ())
        case ir.Pay(amount, purses):
            how_much, place = plain_words(amount, wording), _place(wording, purses[0][0])
            return (f"pay {how_much} from {place}.", ()) if how_much and place else ("", ())
        case ir.Assign(target, value):
            now, place = plain_words(value, wording), _place(wording, target)
            verb = "become" if is_plural((place or "").partition(" of ")[0]) else "becomes"
            return (f"{place} {verb} {now}.", ()) if now and place else ("", ())
        case ir.Offer(actions, to):
            names = [reference("actions", one, wording.program.actions[one].rule.title) for one in actions]
            who = plain_words(to, wording) or "somebody"
            return f"{who} may take any of these: {phrases.enumeration(names)}.", ()
        case ir.CancelEvent():
            return "the event does not happen.", ()
    return "", ()


def _tables_of_dice(wording: FormulaWording, action: ir.StepBody) -> str:
    """Where a throw is looked up: ` on the table “Mishaps”`; nothing where its row is not the value."""
    if not isinstance(action, ir.Stages) or not action.reads_row:
        return ""
    names = dict.fromkeys(one.name for one in nodes_under(action.then[-1]) if isinstance(one, ir.Lookup))
    titles = [wording.titles.constructs.get(f"tables.{name}") or plain_name(name) for name in names]
    tables = phrases.enumeration([f"“{title}”" for title in titles])
    return f" on the table{'s' * (len(titles) > 1)} {tables}" if titles else ""


def _case(wording: FormulaWording, value: str | None, condition: ir.Formula | None) -> str | None:
    when = plain_words(condition, wording) if condition is not None else ""
    return None if value is None or when is None else f"{value} if {when}" if when else f"otherwise {value}"


def _choice(wording: FormulaWording, of: ir.Choose, about: str) -> tuple[str, tuple[Sentence, ...]]:
    asked = "".join(phrases.readable_text(part.say.written) for part in of.ask.parts[:1])
    asked = f": “{asked}”" if asked and "…" not in asked else ""
    by = of.by if isinstance(of.by, ir.Formula) else None
    who = (_person(wording, by) if by is not None else _role(wording, of.by) if of.by else None) or "a player"
    below = tuple(
        Sentence(meaning, name=plain_name(wording.titles.word(word))) for word, meaning in of.meanings if meaning
    )
    return (f"{who} decides{asked or '.'}" if asked or below or about else ""), below


def _place(wording: FormulaWording, target: ir.Lvalue) -> str | None:
    """An attribute that changes; None for one that is kept for the rules alone."""
    thing = plain_words(target.thing, wording)
    if thing is None or wording.program.kinds[target.kind].has[target.name].bookkeeping:
        return None
    name = plain_name(wording.titles.attribute(target.kind, target.name))
    if target.kind == SCENE:
        return f"the {name} of the scene"
    key = plain_words(target.key, wording) if target.key is not None else None
    if thing == "it":
        return f"its {name}"
    return f"{name}{f' ({key})' if key else ''} of {thing}"


def _role(wording: FormulaWording, name: Any) -> str:
    return wording.titles.constructs.get(f"roles.{name}") or f"the {plain_name(name)}"


def _person(wording: FormulaWording, by: ir.Formula) -> str | None:
    """Who is asked: a thing, or one of two roles and things."""

    def part(expr: ir.Expr) -> ir.Formula:
        return replace(by, body=expr, type=expr.type)

    match by.body:
        case ir.Conditional(condition, then, otherwise) if roles_asked(by):
            when = plain_words(part(condition), wording)
            sides = [_person(wording, part(side)) for side in (then, otherwise)]
            return f"{sides[0]} if {when}, otherwise {sides[1]}" if when and all(sides) else None
        case ir.Otherwise(thing, instead) if roles_asked(by):
            sides = [_person(wording, part(side)) for side in (thing, instead)]
            return f"{sides[0]} if there is one, otherwise {sides[1]}" if all(sides) else None
        case ir.Constant(str() as role):
            return _role(wording, role)
    return plain_words(by, wording)


def _pools(wording: FormulaWording, throw: ir.RollDice) -> str:
    told = [plain_words(pool, wording) for _, pool in throw.parts]
    return phrases.enumeration([one for one in told if one]) if all(told) else ""


# Actions, reactions and scenes


def _head(wording: FormulaWording, action: ir.Action, what: str) -> Iterator[Sentence]:
    """Who can do it, what it costs and how often it may be done."""
    actor = plain_name(wording.titles.kind(phrases.kind_of_actor(action)))
    where = plain_words(action.actor.where, wording) if action.actor.where is not None else None
    only = f", if {where}" if where else ", under some conditions" if action.actor.where is not None else ""
    yield Sentence(_join_sentences([f"{t.article(actor).capitalize()} {actor} {what}{only}.", action.actor.about]))
    limit = action.limit
    if action.kind is not None:
        yield Sentence(f"It is an action of the kind “{wording.titles.action_kind(action.kind)}”.")
    price = price_of(wording, action)
    if price:
        yield Sentence(f"It costs {' and '.join(price)}.")
    if action.upgrade is not None:
        yield Sentence(f"It may be done as one of the kind “{wording.titles.action_kind(action.upgrade.to)}” instead.")
    if may_refuse_price(action):
        yield Sentence("The price is said first, and may be refused.")
    times = plain_words(limit.times, wording) if limit is not None else None
    if limit is not None and times:
        yield Sentence(f"Each may do it {'once' if times == '1' else f'{times} times'} per {limit.per}.")


def _reaction(wording: FormulaWording, one: ir.Reaction) -> Iterator[Sentence]:
    named = [reference("events", event, wording.program.events[event].title) for event in one.events]
    yield Sentence(f"It answers {phrases.enumeration(named)}, {'before' if one.before else 'after'} that happens.")
    how = "does it without being asked" if one.automatic else "may do it, once for each event"
    yield from _head(wording, one.action, how)
    yield from _rule(wording, one.action.rule)


def _answers_to(program: ir.Program, event: str) -> Iterator[Sentence]:
    named = [
        reference("reactions", one.action.rule.name, one.action.rule.title)
        for one in program.reactions.values()
        if event in one.events
    ]
    if named:
        yield Sentence(f"It can be answered by {phrases.enumeration(named)}.")


def _scene(wording: FormulaWording, scene: ir.Scene) -> Iterator[Sentence]:
    before = tuple(dict.fromkeys(_steps_in_words(within_rule(wording, scene.rule), scene.rule.steps)))
    if before:
        yield Sentence("Before the first round", below=before[:MOST_HAPPENING], part="happens")
    phases = []
    for phase in scene.phases:
        inside = _within_steps(wording, phase.steps)
        below = tuple(dict.fromkeys(_steps_in_words(inside, phase.steps)))[:MOST_HAPPENING]
        phases.append(Sentence(phase.about, name=phase.title, below=below))
    if phases:
        yield Sentence("Each round", below=tuple(phases), part="rounds")
    if scene.outcomes:
        yield Sentence("It ends", below=_outcomes(wording, scene.outcomes, in_scene=True), part="ends")


# Characters, options and modifiers


def _kind(wording: FormulaWording, kind: ir.Kind) -> Iterator[Sentence]:
    has = tuple(_attribute(wording, one) for one in kind.has.values())
    yield Sentence("It has" if kind.one else "Each has", below=has, part="has")
    reactions = {name: one.action for name, one in wording.program.reactions.items()}
    for section, of in (("actions", wording.program.actions), ("reactions", reactions)):
        own = {name: one for name, one in of.items() if phrases.kind_of_actor(one) == kind.name}
        named = [reference(section, name, one.rule.title) for name, one in own.items()]
        if named:
            yield Sentence(f"{section.capitalize()}: {phrases.enumeration(named)}.")


def _attribute(wording: FormulaWording, one: ir.HeldAttribute) -> Sentence:
    declared, name = one.declared, plain_name(wording.titles.of(one))
    each = f"for each {plain_name(one.per.name)}: " if one.per is not None else ""
    if one.derived is not None:
        told = plain_words(one.derived, wording)
        text = f"{each}{told}." if told else "worked out from the others." if not declared.about else ""
    elif one.counter:
        low = plain_words(declared.low, wording) if declared.low is not None else "0"
        high = plain_words(declared.high, wording) if declared.high is not None else None
        text = f"{each}points" + (f" from {low or '0'} to {high}." if high else ".")
    elif one.part is not None:
        text = ""
    else:
        text = f"{each}{_type(wording, declared)}."
    if one.lasts is not None:
        declared_about = f"{declared.about} It begins anew when a {one.lasts} ends.".strip()
    else:
        declared_about = declared.about
    meanings = tuple(
        Sentence(meaning, name=plain_name(wording.titles.word(word)))
        for word, meaning in (declared.meanings if phrases.has_own_words(declared) else ())
        if meaning
    )
    return Sentence(_join_sentences([text, declared_about]), name=name, below=meanings)


def _option(wording: FormulaWording, one: ir.Declaration) -> Iterator[Sentence]:
    meanings, usual = dict(one.meanings), _constant(one.default)
    if meanings:
        for word, meaning in meanings.items():
            title = plain_name(wording.titles.word(word))
            yield Sentence(f"“{title}”{' (usual)' if word == usual else ''}{': ' + meaning if meaning else '.'}")
        return
    value = plain_words(one.default, wording) if one.default is not None else None
    yield Sentence(f"Usually {value or 'as the exact rule says'}; it may be {_type(wording, one)}.")


def _constant(of: ir.Formula | None) -> Any:
    return of.body.value if of is not None and isinstance(of.body, ir.Constant) else None


def _modifier(wording: FormulaWording, one: ir.Modifier) -> Iterator[Sentence]:
    added = [(plain_name(name), plain_words(amount, wording)) for name, amount in one.adds]
    told = phrases.enumeration([f"{amount} {name}" if amount else name for name, amount in added])
    yield Sentence(f"It adds {told}.")
    yield from (Sentence(parameter.about) for parameter in one.takes if parameter.about)


def _join_sentences(parts: Iterable[str]) -> str:
    return " ".join(filter(None, (one.strip() for one in parts)))

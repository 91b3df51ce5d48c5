"""What `:help` says in `houserule play`: what can be typed, with examples for the question that is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter import ir
from interpreter.api.offers import PASSES
from interpreter.api.questions import FACES, Request
from interpreter.api.session import Session
from interpreter.cli.request_text import as_tuple, hint_of_default, title_of
from interpreter.cli.typed_answers import NONE, are_numbered, is_offer, option_text, seat_at_terminal
from interpreter.play.available_actions import PASS
from interpreter.report.in_short import rule_in_short, short_entries
from interpreter.runtime.titles import titles_of
from interpreter.values import in_words

COMMANDS = """\
Commands:
  ?          what this question is about    ? NAME     what a word on the screen means
  ? 3        all about one answer           m          more of a long list of answers
  :explain   the rule behind this question  :explain NAME the whole rule of a name, with its sources
  :undo      take back the last answer      :redo      give it again
  :look      show who is how                :look NAME show all of one
  :save FILE save the session               :load FILE continue a saved session
  :standing  list the answers that stand    :ask       be asked again
  :refuse    refuse every reaction until the round ends; :refuse scene, or turn
  :ask everything asks also what hardly matters, such as little that is left to do; :ask usual
  :log       show the play from the start   :story     tell it as a story; :story FILE keeps it
  :quit      stop playing
For the game master, where somebody is offered actions:
  :set ann.luck 3 WHY        a value        :cause EVENT who=ann WHY   an event, with its reactions
  :add KIND cai luck=2 WHY   a new thing    :roll NAME bonus=2 WHY     a mechanic
  :remove cai WHY            gone again     :end round WHY, :end scene OUTCOME WHY
  :give ann ben WHY          ben answers for ann from now on
  :gm {gain: 2, to: ann.luck} WHY           any effect of the language"""


COMMAND_WORDS = (
    ":undo", ":redo", ":look", ":save", ":load", ":standing", ":ask", ":ask everything", ":ask usual", ":refuse",
    ":log", ":story", ":explain", ":quit", ":help",
    ":set", ":cause", ":roll", ":add", ":remove", ":end", ":give", ":gm",
)  # fmt: skip
"""The commands that Tab completes."""


def words_at(session: Session, group: Sequence[Request]) -> list[str]:
    """What Tab completes at a question: its options by their titles, the commands, and the names of things."""
    options = [group[0].title_of(option_text(one)) for one in group[0].options or ()]
    options += ["yes", "no"] if group[0].kind == "yes_no" else []
    titles = titles_of(session.game.program, session.state)
    things = [titles.thing(name) for name in seat_at_terminal(session).view()]
    after = [f"{word} {name}" for word, names in ((":look", things), ("?", options)) for name in names]
    return [*options, *COMMAND_WORDS, *things, *after]


def help_at(session: Session, group: Sequence[Request]) -> str:
    """What can be typed at a question, or at the same question to several characters."""
    request, one = group[0], example(group[0])
    lines = ["Press Enter for the answer in brackets."] if all(each.has_default for each in group) else []
    if request.kind == FACES:
        lines.append("Type the faces in the order of the dice, or press Enter to leave them to chance.")
    elif request.options is not None and are_numbered([option_text(each) for each in request.options]):
        lines.append(f"Type the number or the text of an option, or a beginning of it that fits no other: {one}.")
    elif request.kind != "text":
        lines.append(f"Type the answer: {one}.")
    if request.kind == "some":
        lines.append("Separate several options with commas.")
    if len(group) > 1:
        each = ", ".join(example(other) for other in group)
        named = f"{group[-1].who} {example(group[-1])}"
        lines.append(f"{one} answers for all of them, {each} for each in order, and {named} for one of them;")
        lines.append("the others then give the answer in brackets.")
    elif is_offer(request):
        lines += _help_for_offers(session, request)
        if request.spent:
            lines.append(f"{PASS}! scene passes only where {' and '.join(request.spent)} is used up.")
    elif request.kind not in ("text", FACES):
        lines.append(f"Go on after a semicolon: {one}; {one} answers this question and the next one of the same rule.")
    if request.kind not in ("text", FACES):
        lines.append(f"An answer with ! stands until the round ends: {one}!, or {one}! turn, or {one}! scene;")
        lines.append(f"{one}! all stands for all your characters, {one}! everybody for those of all players here.")
    return "\n".join([*lines, COMMANDS])


MOST_ANSWERS = 8
"""The most possible answers that `?` tells one by one."""


def about_question(program: ir.Program, *group: Request) -> Iterator[str]:
    """What a question, or the same question to several characters, is about in plain sentences: what is asked, with its
    values, and each action that is offered and its price; else what may be answered and what each answer does."""
    request = group[0]
    yield title_of(request)
    if is_offer(request):
        if request.about:
            yield request.about
        yield from _about_offers(program, request)
        return
    section, _, name = request.rule.partition(".")
    rule = program.playable.get(section, {}).get(name)
    if section == "reactions" and name in program.reactions:
        rule = program.reactions[name].action.rule
    if rule is not None:
        yield f"This is about: {rule_in_short(rule)}"
    if request.about and (rule is None or request.about != rule.about):
        yield request.about
    answers = [_possible_answers(one) for one in group]
    if len(set(answers)) == 1:
        yield answers[0]
    else:
        yield from (f"{one.title_of(one.who)}: {answer}" for one, answer in zip(group, answers, strict=True))
    named = [one for one in map(option_text, request.options or ()) if request.meanings.get(one)]
    yield from (f"  {request.title_of(one)}: {request.meanings[one]}" for one in named[:MOST_ANSWERS])
    if len(named) > MOST_ANSWERS:
        yield "  …"


def _about_offers(program: ir.Program, request: Request) -> Iterator[str]:
    """Each offered action by its number in the list; of many, only what it comes to, so that a screen holds them."""
    offered = [one for one in request.options or () if one in program.actions]
    few = len(offered) <= MOST_ANSWERS
    for number, name in enumerate(offered, 1):
        rule = program.actions[name].rule
        upgrade = program.actions[name].upgrade
        own = [one for one in rule.inputs if one.by is None and (upgrade is None or one.path != upgrade.path)]
        asked = [program.titles.get(one.path) or one.name.strip("_").replace("_", " ") for one in own]
        inputs = f" It asks for {', '.join(asked)}." if asked and few else ""
        about = f". {rule.about}" if rule.about and few else "."
        yield f"  {number:>2}  {request.meanings.get(name, '')}{about}{inputs}"
    prices = dict.fromkeys(price for terms in request.terms.values() for price in terms.prices)
    for price in prices:
        yield from (f"  {line}" for line in short_entries(program, price)[:1])
    yield f"  {len(offered) + 1:>2}  {PASS}: {PASSES}."
    if not few:
        yield f"? 1 says more about the first of them, and so on to ? {len(offered)}."


def _possible_answers(request: Request) -> str:
    usual = f" Enter gives {hint_of_default(request)}." if request.has_default else ""
    titles = [request.title_of(option_text(one)) for one in request.options or ()]
    match request.kind:
        case "faces":
            return "Type the faces of the dice on the table, or press Enter to leave them to chance."
        case "yes_no":
            return f"The answer is yes or no.{usual}"
        case "number" if request.low is not None:
            return f"The answer is a number from {request.low} to {request.high}.{usual}"
        case "some":
            number = f"{request.least} to {request.most}" if request.least < request.most else str(request.most)
            return f"Pick {number} of {', '.join(titles)}{'' if request.least else f', or {NONE}'}.{usual}"
    if titles:
        return f"The answer is one of {', '.join(titles)}.{usual}"
    return f"The answer is any text.{usual}"


def example(request: Request) -> str:
    """An answer that is valid: the default, or else the first one that is."""
    if request.has_default:
        default = as_tuple(request.default)
        return in_words(default, lambda one: request.title_of(str(one))) if default not in (None, (), []) else NONE
    if request.kind == "yes_no":
        return "yes"
    if request.kind == "number":
        return str(request.low or 0)
    words = [option_text(one) for one in request.options or ()]
    return ", ".join(map(request.title_of, words[: max(request.least, 1)]))


def _help_for_offers(session: Session, request: Request) -> Iterator[str]:
    """What can be typed where actions are offered, with an action that is possible and what it needs."""
    actions = {one.action: one for one in session.game.possible(session.state, request.who or "")}
    examples: list[list[str]] = []
    for name in (one for one in request.options or () if one in actions):
        of_others = {one.name for one in session.game.program.actions[name].rule.inputs if one.by is not None}
        skipped = of_others | set(actions[name].settled)
        asked = {key: values for key, values in actions[name].inputs.items() if key not in skipped}
        if all(values is not None and len(values) > 1 for values in asked.values()):
            examples.append([name, *(in_words(values[0]) for values in asked.values() if values is not None)])
    best = next((one for one in examples if len(one) > 1), None)
    if best is not None:
        yield f"Go on after a semicolon: {'; '.join(best)} answers the questions about the action, too;"
        yield f"after them, {PASS} ends the turn when actions are offered again."

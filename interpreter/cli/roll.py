"""`houserule roll`: play a mechanic, with a full trace."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import click

from interpreter import diagnostics as say
from interpreter.api.forms import Rule
from interpreter.api.game import Game
from interpreter.api.questions import question, read
from interpreter.api.result import Result
from interpreter.cli import parameters
from interpreter.cli.asked_inputs import ask_for_required, ask_input, described, things_missing
from interpreter.cli.play_help import about_question
from interpreter.cli.report import as_text
from interpreter.cli.request_text import hint_of, options_of, title_of
from interpreter.cli.rulesets import assignments, game, value_of
from interpreter.cli.terminal import Paint, painter, show
from interpreter.cli.typed_answers import answer_of
from interpreter.diagnostics import PlayError
from interpreter.play.requests import Choice
from interpreter.report.before_question import before, headings_around, lines_before
from interpreter.report.explain import explained
from interpreter.report.short import shortened
from interpreter.report.trace import Line, Trace
from interpreter.syntax.document import Node, Sequence


@click.command("roll")
@parameters.rule_with_inputs
@parameters.single_run
def command(
    ruleset: str,
    mechanic: str | None,
    inputs: tuple[str, ...],
    faces: str | None,
    choose: tuple[str, ...],
    policy: str | None,
    layers: tuple[str, ...],
    options: tuple[str, ...],
    seed: int | None,
    form: str,
    no_input: bool,
    verbose: bool,
) -> None:
    """Play MECHANIC of RULESET with inputs such as `own="d10 & d4"` or `against.quality=expert`.

    At a terminal, it asks for missing inputs. Without MECHANIC, it lists the mechanics of the ruleset.
    """
    playing = game(ruleset, options, layers)
    if mechanic is None:
        listed(playing)
        return
    asks = sys.stdin.isatty() and not no_input
    given = assignments(inputs)
    rule = playing.mechanics.get(mechanic)
    if rule is not None:
        for name, node in given.items():
            if name not in rule.inputs:
                raise PlayError(say.unknown_input(node.span, name, mechanic, rule.inputs))
        missing = [one for one in rule.inputs.values() if one.required and one.name not in given]
        if missing and not asks:
            click.echo(needed(rule), err=True)
            raise click.exceptions.Exit(2)
        for one in missing:
            kind = things_missing(playing, one, playing.rule(mechanic))
            if kind is not None:
                raise PlayError(say.needs_things(ruleset, mechanic, one.name, kind))
        for one in missing:
            given[one.name] = ask_input(playing, mechanic, one)
        if asks:
            given |= ask_for_required(playing, playing.rule(mechanic), given)
    result = playing.roll(
        mechanic,
        inputs=given,
        faces=parameters.faces_of(faces),
        choices=answers(choose),
        policy=policy,
        seed=seed,
        ask=TerminalAnswers(playing, f"mechanics.{mechanic}") if asks else None,
    )
    if form == "json":
        click.echo(result.to_json())
    else:
        show(as_page(result, painter(sys.stdout), verbose))


def as_page(result: Result, paint: Paint, verbose: bool = False) -> str:
    """A result as people read it: its trace, then its outcome.

    The trace is told short, and the outcome has its sources; `verbose` gives every line of the trace.
    """
    loud = [line for line in result.trace if not line.quiet]
    lines = list(_worded(result.trace if verbose else shortened(loud, result.rule, result.trace.program), paint))
    last = loud[-1] if loud and loud[-1].kind == "outcome" and not verbose else None
    rows = paint(f"  [{last.sources}]", "dim") if last is not None and last.cites else ""
    lines += [""] if lines else []
    lines.append(f"{paint(result.mechanic, 'bold')}: {paint(result.outcome or 'done', 'bold green')}{rows}")
    if result.seed is not None and result.faces:
        lines.append(paint(f"seed {result.seed}; faces {','.join(map(str, result.faces))}", "dim"))
    return "\n".join(lines)


def told(trace: Trace, paint: Paint, verbose: bool = False) -> Iterator[str]:
    """The lines of a trace."""
    return _worded((line for line in trace if verbose or not line.quiet), paint)


def _worded(lines: Iterable[Line], paint: Paint) -> Iterator[str]:
    styles = {"step": "bold", "roll": "bold", "outcome": "bold", "call": "magenta"}
    for line in lines:
        name = paint(line.name, styles.get(line.kind, "cyan")) if line.name else ""
        text = paint(line.text, "bold green") if line.kind == "outcome" and line.depth == 0 else line.text
        note = paint(f"  [{line.sources}]", "dim") if line.cites else ""
        yield f"{'  ' * line.depth}{name}{': ' if name and text else ''}{text}{note}"


def listed(playing: Game) -> None:
    """List what a ruleset can play, where nothing is named."""
    rules, lasting = titles(playing), happenings(playing)
    scenes = {name: scene.rule.title for name, scene in playing.program.scenes.items()}
    width = max(map(len, (*rules, *lasting, *scenes)), default=0)
    click.echo(f"{playing.title} ({playing.name} {playing.version})")
    for named, how in (
        (rules, "Give one of these, and its inputs as name=value."),
        (lasting, "Give one of these to `act` with a state, or to `odds` and `simulate` with `--state`."),
        (scenes, "Give `play`, `odds` or `simulate` a scene file that says who is in one of these."),
    ):
        if named:
            lines = [f"  {name:<{width}}  {title}" for name, title in named.items()]
            click.echo("\n".join(["", *lines, "", how]))


def titles(playing: Game) -> dict[str, str]:
    """The mechanics of a ruleset, each with its title."""
    return {rule.name: rule.title for rule in playing.mechanics.values()}


def happenings(playing: Game) -> dict[str, str]:
    """The actions and events of a ruleset, each with its title."""
    actions = {name: action.rule.title for name, action in playing.program.actions.items()}
    return actions | {name: event.title for name, event in playing.program.events.items()}


def needed(rule: Rule, *first: str) -> str:
    """The required and the other inputs of a rule, in words; `first` are lines that come before them."""
    required = [one for one in rule.inputs.values() if one.required]
    others = [one for one in rule.inputs.values() if not one.required]
    lines = [f"`{rule.name}` ({rule.title}) needs:", *first]
    lines += [f"  {one.name}=…  {described(one)}" for one in required]
    if others:
        lines.append("It also accepts:")
        lines += [f"  {one.name}=…  {described(one)}" for one in others]
    return "\n".join(lines)


HELP = "?"
"""What is typed to be told what a question is about."""

WHOLE_RULE = ":explain"
"""What is typed for the whole rule that asks."""


@dataclass
class TerminalAnswers:
    """Asks the person at the terminal in a run of the rule at a `path`, with what came since the last question; `seen`
    counts those events."""

    playing: Game
    path: str
    seen: int = 0

    def __call__(self, choice: Choice) -> Any:
        paint = painter(sys.stderr)
        closures, events = self.playing.closures, choice.events
        around = lines_before(closures, headings_around(events, self.seen, choice.depth), ())
        lines = lines_before(closures, events, choice.on_table, self.seen)
        told = before(around, lines, choice.depth, choice.at, choice.by, self.path, self.playing.program)
        self.seen = len(events)
        show("\n".join(["", *_worded(told.lines, paint)]), err=True)
        return self._answer(choice)

    def _answer(self, choice: Choice) -> Any:
        """The answer of the person at the terminal, who is asked as in `houserule play`; `?` tells what is asked."""
        request = question(choice, "", None)
        who = f" ({choice.by})" if choice.by else ""
        about = f" for {request.of}" if request.of else ""
        told = [
            f"{title_of(request)}{about}{who}",
            *([f"  {request.about}"] if request.about else []),
            *options_of(request),
        ]
        show("\n".join(told), err=True)
        while True:
            text = click.prompt(hint_of(request), default="", show_default=False, prompt_suffix="> ", err=True)
            if text.strip() == HELP and request.kind != "text":
                show("\n".join(about_question(self.playing.program, request)), err=True)
                continue
            if text.strip() == WHOLE_RULE and request.rule and request.kind != "text":
                show("\n".join(explained(self.playing.program, None, request.rule)), err=True)
                continue
            try:
                return read(choice, answer_of(request, text))
            except PlayError as problem:
                click.echo(as_text(problem.diagnostic, painter(sys.stderr)), err=True, color=True)


def answers(written: tuple[str, ...]) -> dict[str, Node]:
    """Answers by key; a key that is given several times has a list of answers, in that order."""
    made: dict[str, list[Node]] = {}
    for text in written:
        name, sign, value = text.partition("=")
        if not sign:
            raise PlayError(say.bad_assignment(text))
        made.setdefault(name, []).append(value_of(name, value))
    return {
        name: nodes[0] if len(nodes) == 1 else Sequence(tuple(nodes), nodes[0].span) for name, nodes in made.items()
    }

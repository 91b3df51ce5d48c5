"""`houserule play`: play a scene at the terminal; a policy answers for players who are not there."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from interpreter import diagnostics as say
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.api.questions import FACES, Request
from interpreter.api.session import Session
from interpreter.api.standing_answers import ROUND
from interpreter.cli import parameters
from interpreter.cli.interrupts import Terminated
from interpreter.cli.report import as_text
from interpreter.cli.roll import YES_OR_NO
from interpreter.cli.rulesets import game
from interpreter.cli.states import text_of
from interpreter.cli.terminal import Paint, painter
from interpreter.diagnostics import PlayError, RulesetError
from interpreter.play.deciders import RANDOM, Policy, any_answer
from interpreter.play.requests import Choice
from interpreter.report.trace import Line
from interpreter.report.transcript import HEADS, NOTHING, recorded
from interpreter.runtime.rng import Pcg32, fresh_seed
from interpreter.syntax import files
from interpreter.values import in_words

MOST_COMPUTED = 12
"""The most lines above a question that tell what was computed for it."""

HELP = """\
Type the number or the text of an option; press Enter for the answer in brackets. Separate several options with
commas. Options that are numbers themselves have no other numbers: type them as they are.
Where several characters are asked at once, give one answer for all of them, one for each in order (2, 0, 1), or some
by name (anna 2, ben 1): the others give the answer in brackets.
An answer with ! stands until the round ends: no!, or no! turn, or no! scene; no! all stands for all your characters.
Commands:
  :undo      take back the last answer      :redo      give it again
  :look      show every object              :look ann  show only this one
  :save FILE save the session               :load FILE continue a saved session
  :standing  list the answers that stand    :ask       be asked again
  :log       show the play from the start   :quit      stop playing"""

STANDS = re.compile(r"(?P<answer>.*?)\s*!(?P<all>\s*all)?(?:\s*(?P<until>turn|round|scene))?")
"""An answer that stands: `no!`, `pass! turn`, `0! all scene`."""


@click.command("play")
@click.argument("ruleset")
@click.argument("scene")
@click.option(
    "--as", "seated", multiple=True, metavar="PLAYER", help="A player of the file who plays here; by default all."
)
@click.option("--policy", help="Who answers for everybody else: a policy of the ruleset, or `random`.")
@click.option("--dice", type=click.Choice(("chance", "table")), default="chance", show_default=True,
              help="Throw the dice at random, or ask for the faces.")  # fmt: skip
@parameters.seed()
@parameters.changed_rules
@click.option("--save", "file", metavar="FILE", help="Write the session to this file when it ends or is stopped.")
@click.option("--verbose", "-v", is_flag=True, help="Show every step, and the rows of the rulebook.")
@parameters.no_input
def command(
    ruleset: str,
    scene: str,
    seated: tuple[str, ...],
    policy: str | None,
    dice: str,
    seed: int | None,
    layers: tuple[str, ...],
    options: tuple[str, ...],
    file: str | None,
    verbose: bool,
    no_input: bool,
) -> None:
    """Play SCENE of RULESET: a scene file, or a session that `--save` or `:save` has written.

    At every question `:help` lists the other commands, such as undo, save and look.
    """
    table = _Transcript(painter(sys.stdout), verbose)
    if scene.endswith(scene_file.ENDINGS):
        written = scene_file.read(Path(scene))
        playing = game(ruleset, options, layers, written)
        state = scene_file.state_of(playing, written)
        here = {name: one for name, one in scene_file.players_of(written).items() if not seated or name in seated}
        for name in seated:
            if name not in here:
                raise PlayError(say.unknown_player(name, written.players))
        alone = _policy(policy, seated or no_input)
        session = playing.begin(
            scene_file.played(written), state=state, players=here if not no_input else {}, seed=seed,
            dice=dice if not no_input else "chance", policy=alone, inputs=scene_file.given(playing, written),
        )  # fmt: skip
        table.title(written.title, written.about)
    else:
        playing = game(ruleset, options, layers)
        session = playing.resume(text_of(scene), policy=_policy(policy, seated or no_input))
    try:
        session = _played(playing, session, table)
    finally:
        table.show(session)
        if file is not None:
            _save(session, file)
    if session.over:
        table.end(session)


def _policy(name: str | None, alone: object) -> str | Policy | None:
    """The policy for choices without a player here: one of the ruleset, random answers, defaults; None asks here."""
    if name == RANDOM:
        pick = Pcg32(fresh_seed(), 1)
        return lambda choice: any_answer(choice, pick)
    return name if name is not None else _by_default if alone else None


def _by_default(choice: Choice) -> Any:
    """Answers without a policy: the default, or else the first option."""
    return None if choice.offers_default or not choice.options else choice.options[0]


class PlayerLeft(Exception):
    """The input has ended, or the player has stopped the session."""


def _played(playing: Game, session: Session, table: _Transcript) -> Session:
    """Ask until the scene is over or a player stops; returns the session, which `:load` may have replaced."""
    while not session.over:
        table.show(session)
        group = _asked_together(session)
        try:
            text = table.asks(session, group)
            if text.startswith(":"):
                session = _told(playing, session, table, text[1:].split())
            else:
                _give(session, group, text)
        except PlayerLeft:
            break
        except PlayError as problem:
            click.echo(as_text(problem.diagnostic, table.paint), color=True)
        except RulesetError as problem:
            click.echo(as_text(problem.diagnostics[0], table.paint), color=True)
    return session


def _first(session: Session) -> Request:
    """The first open question; with only one player here, as that player may see it."""
    one = next(iter(session.players)) if len(session.players) == 1 else None
    first = session.requests[0]
    return next((seen for seen in session.asked(one) if seen.id == first.id), first) if one is not None else first


def _asked_together(session: Session) -> list[Request]:
    """The first open question, and the same question to the other characters of the same player."""
    first = _first(session)
    if first.kind not in ("number", "yes_no") or not first.has_default:
        return [first]
    here = session.asked(first.player) if first.player is not None else session.requests
    same = [
        one
        for one in here
        if (one.name, one.question, one.kind, one.player) == (first.name, first.question, first.kind, first.player)
        and one.has_default and one.who is not None
    ]  # fmt: skip
    return same if len(same) > 1 else [first]


def _give(session: Session, group: Sequence[Request], text: str) -> None:
    """Give the typed answers to a question, or to the same question to several characters."""
    stands = STANDS.fullmatch(text) if group[0].kind not in ("text", FACES) else None
    until, for_all = None, False
    if stands is not None:
        text, until, for_all = stands["answer"], stands["until"] or ROUND, bool(stands["all"])
    given = _texts(group, text)
    for_all = for_all and len({answer for _, answer in given}) == 1
    for request, answer in given:
        if any(one.id == request.id for one in session.requests):  # an answer for all may have answered it
            session.answer(request.id, _answer(request, answer), until=until, for_all=for_all)


def _texts(group: Sequence[Request], text: str) -> list[tuple[Request, str]]:
    """The text for each of several requests: one for all, one for each in order, or some by name."""
    if len(group) == 1:
        return [(group[0], text)]
    parts = [one.strip() for one in text.split(",")]
    named = {one.partition(" ")[0]: one.partition(" ")[2].strip() for one in parts if " " in one}
    if named:
        strange = next((one for one in named if one not in [request.who for request in group]), None)
        if strange is not None or len(named) < len(parts):
            raise PlayError(
                say.not_one_of(say.NOWHERE, "who answers", strange or parts[0], [str(one.who) for one in group])
            )
        return [(request, named.get(str(request.who), "")) for request in group]
    if len(parts) not in (1, len(group)):
        raise PlayError(say.wrong_number_of_answers(len(group), len(parts)))
    return list(zip(group, parts * len(group) if len(parts) == 1 else parts, strict=True))


def _told(playing: Game, session: Session, table: _Transcript, words: Sequence[str]) -> Session:
    """Run a command of the terminal, such as `:undo`; returns the session to go on with."""
    match words:
        case ["undo"]:
            session.undo()
            table.again(session, "undone")
        case ["redo"]:
            session.redo()
            table.again(session, "redone")
        case ["look", *names]:
            table.look(session, names)
        case ["save", name]:
            _save(session, name)
            click.echo(table.paint(f"saved in {name}", "dim"), color=True)
        case ["load", name]:
            session = playing.resume(text_of(name), policy=session.policy)
            table.again(session, f"loaded from {name}")
        case ["standing"]:
            for line in _standing(session):
                click.echo(line)
        case ["ask"]:
            session.ask_again()
            click.echo(table.paint("no answer stands any more", "dim"), color=True)
        case ["log"]:
            table.again(session, "")
        case ["quit" | "q"]:
            raise PlayerLeft
        case _:
            click.echo(HELP)
    return session


def _standing(session: Session) -> Iterator[str]:
    """A line for each answer that stands."""
    for one in session.standing():
        whose = next((player for player, names in session.players.items() if one.who in names), "all")
        name = one.path.rpartition(".")[2].replace("_", " ")
        answer = in_words(_again(one.answer))
        yield f"  {whose if one.for_all else one.who}: {name} {answer}, until the {one.until} ends"


def _save(session: Session, name: str) -> None:
    files.write_whole(name, session.to_json() + "\n")


def _answer(request: Request, text: str) -> Any:
    """The answer that a typed text means: numbers of the list, words, yes or no."""
    text = text.strip()
    if request.kind == FACES:
        return [_face(one) for one in text.replace(",", " ").split()]
    if not text and request.has_default:
        return request.default
    if request.kind == "yes_no":
        return YES_OR_NO.get(text.lower(), text)
    if request.kind == "number":
        return _face(text)
    if request.options is None:
        return text
    if request.kind == "some":
        words = [one.strip() for one in text.strip("[]").split(",") if one.strip()]
        picked: list[int | str] = []
        for word in words:
            picked.append(_picked(request, word, picked))
        return {"pick": picked} if all(isinstance(one, int) for one in picked) else words
    one = _picked(request, text)
    return {"pick": one} if isinstance(one, int) else text


def _are_numbered(options: Sequence[str]) -> bool:
    """Whether a list of options has numbers by which to pick one: not where options are numbers themselves."""
    return not any(one.removeprefix("-").isdigit() for one in options)


def _face(text: str) -> Any:
    return int(text) if text.lstrip("-").isdigit() else text


def _picked(request: Request, text: str, before: Sequence[int | str] = ()) -> int | str:
    """The index of an option that was typed as its number in the list, from 1, or as its text.

    Of options with the same text it is the first that was not picked `before`.
    """
    told = [in_words(one) for one in request.options or ()]

    def first(word: str) -> int:
        places = [place for place, one in enumerate(told) if one == word]
        return next((place for place in places if place not in before), places[0])

    if text in told:
        return first(text)
    if text.isdigit() and 1 <= int(text) <= len(told) and _are_numbered(told):
        return int(text) - 1
    near = {one for one in told if one.startswith(text)}
    return first(near.pop()) if len(near) == 1 else text


# What is shown ---------------------------------------------------------------------------------------------------


@dataclass
class _Transcript:
    """What the terminal has shown so far."""

    paint: Paint
    verbose: bool
    since: int = 0
    shown: list[Line] = field(default_factory=list)

    def title(self, title: str, about: str) -> None:
        click.echo(self.paint(title, "bold") + (f"\n{about}" if about else ""), color=True)

    def show(self, session: Session) -> None:
        """Show what has happened since the last time."""
        lines = self._lines(session, self.since)
        same = next((n for n, (old, new) in enumerate(zip(self.shown, lines, strict=False)) if old != new), None)
        for line in lines[same if same is not None else len(self.shown) :]:
            click.echo(self._line(line), color=True)
        self.shown, last = lines, max(session.rounds, default=0)
        if last > self.since:  # earlier rounds are not shown again
            self.since, self.shown = last, self._lines(session, last)

    def again(self, session: Session, why: str) -> None:
        """Show the round from its beginning after an undo or a load, or else the whole record."""
        if why:
            click.echo(self.paint(f"— {why} —", "dim"), color=True)
        self.since, self.shown = max(session.rounds, default=0) if why else 0, []
        self.show(session)

    def _lines(self, session: Session, since: int) -> list[Line]:
        one = next(iter(session.players)) if len(session.players) == 1 else None
        lines = session.lines(one, since)
        return [line for line in lines if not line.quiet] if self.verbose else recorded(lines, session.over)

    def _line(self, line: Line) -> str:
        styles = {"round": "bold", "phase": "bold", "turn": "bold cyan", "act": "cyan", "outcome": "green",
                  "rolled": "green", "choice": "dim", "scene": "bold"}  # fmt: skip
        name = f"{line.name}{': ' if line.text else ''}" if line.name else ""
        note = self.paint(f"  [{line.sources}]", "dim") if line.cites and self.verbose else ""
        return f"{'  ' * line.depth}{self.paint(f'{name}{line.text}', styles.get(line.kind, ''))}{note}"

    def asks(self, session: Session, group: Sequence[Request]) -> str:
        """The text that is typed at a question, or at the same question to several characters. Raises PlayerLeft at the
        end of the input."""
        request = group[0]
        who = request.who or "" if len(group) == 1 else ""
        player = f"{request.player}, " if request.player and len(session.players) > 1 else ""
        about = f" for {request.of}" if request.of else ""
        title = _title(request)
        click.echo("", color=True)
        for line in self._computed(session, request) if request.kind != FACES else ():
            click.echo(line, color=True)
        head = (player + who).removesuffix(", ")
        click.echo(self.paint(f"{head}{': ' if head else ''}{title}{about}", "bold yellow"), color=True)
        for line in self._options(session, request) if len(group) == 1 else _each(group):
            click.echo(line, color=True)
        hint = _hint(request) if len(group) == 1 else f"[{', '.join(in_words(one.default) for one in group)}]"
        click.echo(self.paint(f"{hint}> ", "yellow"), nl=False, color=True)
        sys.stdout.flush()
        try:
            text = sys.stdin.readline()
        except Terminated:
            raise
        except KeyboardInterrupt:
            text = ""
        if not text:
            click.echo("")
            raise PlayerLeft
        return text.strip()

    def _computed(self, session: Session, request: Request) -> Iterator[str]:
        """What has been computed since the last thing that the record tells, with the dice on the table."""
        one = next(iter(session.players)) if len(session.players) == 1 else request.player
        lines = session.lines_before(request.id, one)
        told = max((n for n, line in enumerate(lines) if line.kind in HEADS), default=-1)
        computed = [
            f"  {line.name}{': ' if line.text else ''}{line.text}"
            for line in lines[told + 1 :]
            if not self.verbose and line.kind in ("step", "call", "roll", "table") and line.text not in NOTHING
        ]
        yield from (self.paint(line, "dim") for line in list(dict.fromkeys(computed))[-MOST_COMPUTED:])

    def _options(self, session: Session, request: Request) -> Iterator[str]:
        """The list of options, actions with their costs."""
        if request.options is None:
            yield from (f"  {word}: {means}" for word, means in request.meanings.items())
            return
        told = [in_words(one) for one in request.options]
        if not _are_numbered(told):
            yield f"  {', '.join(told)}"
            return
        width = max(map(len, told), default=0)
        for number, word in enumerate(told, 1):
            more = request.meanings.get(word, "")
            yield f"  {number:>2}  {word:<{width}}  {more}".rstrip()

    def look(self, session: Session, names: Sequence[str]) -> None:
        """Show the objects of the state and their values, as the players here may see them."""
        view = session.view(next(iter(session.players)) if len(session.players) == 1 else None)
        for name, has in view.items():
            if names and name not in names:
                continue
            values = {key: value for key, value in has.items() if key != "is" and value not in (None, [], {})}
            text = ", ".join(f"{key} {_short(value)}" for key, value in values.items())
            click.echo(f"{self.paint(name, 'bold')} ({has['is']}): {text}", color=True)

    def end(self, session: Session) -> None:
        """Show the outcome."""
        result = session.result
        assert result is not None
        rounds = result.values.get("rounds")
        after = f" after {rounds} round{'s' * (rounds != 1)}" if rounds is not None else ""
        click.echo("\n" + self.paint(f"{result.outcome or 'over'}{after}", "bold green"), color=True)
        if session.beginning.seed is not None:
            click.echo(self.paint(f"seed {session.beginning.seed}", "dim"), color=True)


def _each(group: Sequence[Request]) -> Iterator[str]:
    """A line for each of several characters who are asked the same."""
    width = max(len(str(one.who)) for one in group)
    for one in group:
        yield f"  {one.who!s:<{width}}  {_hint(one)}"


def _title(request: Request) -> str:
    """The question; for faces, the path of the step and what they are thrown for."""
    if request.kind != FACES:
        return request.question or request.name.replace("_", " ")
    where = request.path.replace("_", " ").replace(".", " › ")
    return f"{where}\n{request.question}" if request.question else where


def _hint(request: Request) -> str:
    default = f" [{in_words(_again(request.default))}]" if request.has_default else ""
    match request.kind:
        case "faces":
            return f"{', '.join(str(die['die']) for die in request.dice)}, faces"
        case "number" if request.low is not None:
            return f"{request.low} to {request.high}{default}"
        case "yes_no":
            return f"yes or no{default}"
        case "some":
            return f"{request.least} to {request.most} of them{default}"
    return default.strip() if request.options is not None else f"text{default}"


def _again(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"({', '.join(f'{key} {_short(one)}' for key, one in value.items() if one not in (None, [], {}))})"
    return f"[{', '.join(map(_short, value))}]" if isinstance(value, list) else in_words(value)

"""`houserule play`: play a scene at the terminal; a policy answers for players who are not there."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from interpreter import diagnostics as say
from interpreter.api import scene_file
from interpreter.api.game import Game
from interpreter.api.journal import session_in
from interpreter.api.load import load_kept
from interpreter.api.offers import PASSES
from interpreter.api.questions import Request
from interpreter.api.scene_file import SceneFile
from interpreter.api.session import Session
from interpreter.api.session_log import GIVEN
from interpreter.api.standing_answers import EVERYTHING, USUAL, WHAT_IS_ASKED
from interpreter.cli import parameters
from interpreter.cli.autosave import Autosave, check_replaceable, free_name_beside
from interpreter.cli.begun_scene import BegunScene, Seating, begin_file
from interpreter.cli.campaign_lock import campaign_lock
from interpreter.cli.campaigns import end_scene, next_scene, open_campaign
from interpreter.cli.chosen_rules import take_up
from interpreter.cli.interrupts import Terminated, defer_interrupts
from interpreter.cli.line_editing import edited_line
from interpreter.cli.master_commands import MASTER_COMMANDS, obey_master
from interpreter.cli.play_help import about_question, help_at, words_at
from interpreter.cli.play_screen import Screen, answer_in_words
from interpreter.cli.reactions import wanted_reactions
from interpreter.cli.report import as_text
from interpreter.cli.rulesets import command_for, load_game, scene_named
from interpreter.cli.states import read_text, saved_session_in, state_left_by
from interpreter.cli.terminal import echo, painter, terminal_size
from interpreter.cli.typed_actions import action_and_inputs
from interpreter.cli.typed_answers import (
    AnswersAhead,
    action_meant_by,
    answers_of,
    check_possible_ahead,
    equal_requests,
    is_offer,
    is_shared_out,
    option_meant,
    option_named,
    read_answer,
    refused_until,
    seat_asked,
    seat_at_terminal,
    split,
    subject_of,
)
from interpreter.diagnostics import Diagnostic, PlayError, RulesetError
from interpreter.play.available_actions import PASS
from interpreter.play.deciders import RANDOM, Policy, any_answer
from interpreter.play.requests import Choice
from interpreter.report.explain import explain_name
from interpreter.report.in_short import names_in, sentences_with, short_entries
from interpreter.runtime.rng import Seed, SeededDice, fresh_seed
from interpreter.syntax import files
from interpreter.values import in_words

MOST_EXPLAINED = 20
"""The most lines of a rule that `:explain` shows whole."""


@click.command("play")
@click.argument("ruleset", required=False)
@click.argument("scene", required=False, metavar="SCENE")
@click.option(
    "--as", "seated", multiple=True, metavar="PLAYER", help="A player of the file who plays here; by default all."
)
@click.option("--policy", help="Who answers for everybody else: a policy of the ruleset, or `random`.")
@click.option("--dice", type=click.Choice(("chance", "table")), default="chance", show_default=True,
              help="Throw the dice at random, or ask for the faces.")  # fmt: skip
@parameters.seed()
@click.option("--ask", "asks", type=click.Choice(WHAT_IS_ASKED),
              help="Ask what is usual, as a new game does, or also what hardly matters.")  # fmt: skip
@parameters.changed_rules
@click.option("--from", "earlier", metavar="SAVE",
              help="Begin in the state in which a saved session has ended, or in a saved state.")  # fmt: skip
@click.option("--save", "file", metavar="FILE", help="Write the session to this file when it ends or is stopped.")
@click.option("--story", metavar="FILE", help="Write the play as a story to this file, in Markdown.")
@click.option("--no-save", is_flag=True, help="Keep no journal of the game.")
@click.option("--verbose", "-v", is_flag=True, help="Show every step, and the rows of the rulebook.")
@parameters.no_input
@parameters.allow_scene_alone(
    "scene", whole=lambda name: files.is_campaign(name) or _is_saved_session(name), instead=command_for
)
def command(
    ruleset: str,
    scene: str,
    seated: tuple[str, ...],
    policy: str | None,
    dice: str,
    seed: Seed | None,
    asks: str | None,
    layers: tuple[str, ...],
    options: tuple[str, ...],
    allow: tuple[str, ...],
    earlier: str | None,
    file: str | None,
    story: str | None,
    no_save: bool,
    verbose: bool,
    no_input: bool,
) -> None:
    """Play SCENE of RULESET: a scene file, or a session that `--save` or `:save` has written.

    A scene file names its ruleset itself, so that RULESET may be left out.
    A saved session alone goes on under the rules that it was saved with.
    One that comes with the ruleset may be given by its name alone; `houserule list RULESET` lists them.
    At every question `:help` lists the other commands, such as undo, save and look.
    """
    screen, seen = Screen(painter(sys.stdout), verbose), files.see(scene or ruleset)  # before it is read
    seating = Seating(seated, _policy(policy, seated or no_input), seed, dice, no_input, asks)
    _check_new(story)
    kept = load_kept(read_text(ruleset)) if scene is None and _is_saved_session(ruleset) else None
    scene = scene if kept is None else ruleset
    if files.is_campaign(ruleset):
        if layers or options or allow or earlier is not None or file is not None or no_save:
            raise click.UsageError("a campaign has its own rules, state and journal: leave out all options about these")
        with campaign_lock(Path(ruleset)):
            _play_campaign(ruleset, scene, screen, seating, story)
        return
    scene = scene_named(ruleset, scene)
    written = _scene_file(scene)
    if written is not None:
        playing = load_game(ruleset, options, layers, written, allow)
        session = _begin(screen, playing, written, earlier, seating)
    elif earlier is not None:
        raise click.UsageError("--from is for a scene file: a saved session goes on in its own state")
    else:
        playing = kept or load_game(ruleset, options, layers, allow=allow)
        session = _resume(screen, playing, scene, seating)
    if session is None:
        return
    replaced = check_replaceable(file, session)
    autosave = None if no_save or no_input else _autosave(scene, seen)
    is_of_files = kept is None and session.game is playing
    words = _words_of_rules(ruleset, layers, allow, playing, written) if is_of_files else []
    title = written.title if written is not None else ""
    _play_and_keep(session, screen, autosave, words, _Kept(file, replaced, story, title))


class _Kept(NamedTuple):
    """The files in which a play is kept: its save, in place of what was `replaced`, and its story under a title."""

    save: str | None
    replaced: str
    story: str | None
    title: str


def _write_kept(session: Session, kept: _Kept) -> None:
    """Write the files in which a play is kept."""
    with defer_interrupts():
        _save_or_beside(session, kept.save, kept.replaced)
        _write_story(session, kept.story, kept.title)


def _play_and_keep(
    session: Session, screen: Screen, autosave: Autosave | None, words_of_rules: list[str], kept: _Kept
) -> None:
    """Play to the end or until somebody leaves, and keep what was asked for; only then tell of it, for the terminal may
    have been closed."""
    playing = session.game
    try:
        session = _play_to_the_end(session, screen, autosave)
    finally:
        try:
            _write_kept(session, kept)
        except Terminated:  # it came just before signals were deferred, and comes once
            _write_kept(session, kept)
        finally:
            with suppress(OSError):
                screen.show_news(session)
            if autosave is not None:
                _end(autosave, session, words_of_rules if session.game is playing else [])
    if session.over:
        screen.show_outcome(session)


def _begin(screen: Screen, playing: Game, file: SceneFile, earlier: str | None, seating: Seating) -> Session | None:
    """The scene of a file at its first question, in the state that an earlier save has left, if one is named; None if
    somebody stops."""

    def begin(game: Game) -> BegunScene:
        before = state_left_by(game, earlier) if earlier is not None else (None, ())
        return begin_file(game, file, before, seating)

    begun = take_up(screen, playing, begin, earlier or "", seating.no_input)
    if begun is None:
        return None
    if not seating.no_input:
        begun.session.host.ask(seating.asks or USUAL)
    screen.title(file.title, file.about)
    if begun.before is not None:
        screen.show_changes(begun.session, begun.before, begun.state)
    return begun.session


def _resume(screen: Screen, playing: Game, name: str, seating: Seating) -> Session | None:
    """The saved session of a file, under the rules of now or those that it carries; None if somebody stops."""

    def resume(game: Game) -> Session:
        return game.resume(session_in(read_text(name)) or read_text(name), policy=seating.policy)

    session = take_up(screen, playing, resume, name, seating.no_input)
    if session is not None and seating.no_input:
        session.run(lambda request: None if request.has_default else next(iter(request.options or ()), None))
    if session is not None and seating.asks is not None:
        session.host.ask(seating.asks)
    if session is not None and session.log and not session.over and terminal_size(sys.stdout).columns:
        screen.show_again(session, "goes on here; :log shows the record from the beginning")
    return session


def _play_campaign(name: str, scene: str | None, screen: Screen, seating: Seating, story: str | None) -> None:
    """Play the next scene of a campaign, or go on with the one that is under way."""
    campaign = open_campaign(name)
    if scene is None:
        journal = campaign.scene_under_way()
        session = _resume(screen, campaign.playing, str(journal), seating)
        autosave = Autosave(journal.stem, journal)
    else:
        file, autosave = next_scene(campaign, scene)
        session = _begin(screen, campaign.playing, file, str(campaign.now) if campaign.now.exists() else None, seating)
    if session is None:
        return
    try:
        session = _play_to_the_end(session, screen, autosave)
    finally:
        _write_story(session, story)
        with suppress(OSError):  # a terminal that was closed
            screen.show_news(session)
        if not session.over:
            autosave.close()
            echo(f"saved; `houserule play {name}` goes on", err=True)
    if session.over:
        end_scene(campaign, session, autosave)
        screen.show_outcome(session)


def _check_new(name: str | None) -> None:
    """Raise RulesetError if a file that is to be written is there."""
    if name is not None and Path(name).exists():
        raise RulesetError(say.file_is_there(name))


def _write_story(session: Session, name: str | None, title: str = "") -> None:
    """Write the play so far as a story for whoever sits here, if a file is named."""
    if name is not None:
        files.write_whole(name, seat_at_terminal(session).story(title), files.NOTHING)


def _autosave(scene: str, seen: str) -> Autosave:
    """The journal of a game: it goes on in the journal that is played, and else is a new one, named after the scene."""
    path = Path(scene)
    is_journal = path.suffix == ".journal" and files.is_file(path)
    return Autosave(path.stem, path, seen) if is_journal else Autosave(path.stem)


def _words_of_rules(
    ruleset: str, layers: Sequence[str], allow: Sequence[str], playing: Game, file: SceneFile | None
) -> list[str]:
    """The words that name the rules of a game in a command: its ruleset, its house rules and options, those of a scene
    file among them, and what it allows."""
    below = scene_file.names_of_layers(file) if file is not None else []
    chosen = [f"{name}={in_words(value)}" for name, value in playing.own_options.items()]
    options = {"--with": [*below, *layers], "--option": chosen, "--allow": allow}
    return [ruleset, *(word for option, names in options.items() for name in names for word in (option, name))]


def _end(autosave: Autosave, session: Session, rules: Sequence[str]) -> None:
    """Say where a game lies that is not over, or why it lies nowhere. `rules` are the words of a command that name its
    rules; without any, it has its own."""
    if session.over:
        autosave.finish()
    elif autosave.problem:
        echo(f"the game was not saved: {autosave.problem}", err=True)
    elif autosave.path is not None:
        autosave.close()
        words = files.printable(shlex.join([*rules, str(autosave.path)]))
        echo(f"saved; `houserule play {words}` goes on", err=True)


def _policy(name: str | None, alone: object) -> str | Policy | None:
    """The policy for choices without a player here: one of the ruleset, random answers, defaults; None asks here."""
    if name == RANDOM:
        pick = SeededDice(fresh_seed()).generator
        return lambda choice: any_answer(choice, pick)
    return name if name is not None else _default_answer if alone else None


def _default_answer(choice: Choice) -> Any:
    """Answers without a policy: the default, or else the first option."""
    return None if choice.offers_default or not choice.options else choice.options[0]


def _scene_file(name: str) -> SceneFile | None:
    """The scene file of a name; None where it means a save, whatever its ending."""
    return scene_file.read(Path(name)) if name.endswith(scene_file.ENDINGS) and not _is_saved_session(name) else None


def _is_saved_session(name: str) -> bool:
    """Whether a file is a saved session or a journal."""
    return files.is_file(Path(name)) and saved_session_in(name) is not None


def for_players(problem: Diagnostic) -> Diagnostic:
    """A refusal without what only the author of the rules can read: formulas, and places in the rules."""
    help_text = None if problem.code == say.FAILS_WHERE else problem.help
    notes = tuple([note for note in problem.notes if note[0].source is problem.span.source])
    return replace(problem, help=help_text, notes=notes)


class PlayerLeft(Exception):
    """The input has ended, or the player has stopped the session."""


def _play_to_the_end(session: Session, screen: Screen, autosave: Autosave | None) -> Session:
    """Ask until the scene is over or a player stops; returns the session, which `:load` may have replaced."""
    ahead = AnswersAhead()
    while not session.over:
        if autosave is not None:
            _note(autosave, session, screen)
        screen.show_news(session)
        group = equal_requests(session)
        first, turn, typed_now = group[0], session.turn, False
        ahead = screen.drop_unasked(session, first, ahead)
        if ahead.are_over(first, turn):
            ahead = screen.show_unused_answers(ahead)
        try:
            if ahead.are_for(first, turn):
                ahead = screen.drop_needless(session, first, ahead)
            if ahead.are_for(first, turn):
                text, ahead = ahead.texts[0], replace(ahead, texts=ahead.texts[1:])
                screen.echo(first, text)
            else:
                ahead = ahead.interrupt_for(first)
                screen.show_question(session, group)
                text, after = split(_read_typed_line(session, screen, group), first, session.game.program.actions, turn)
                typed_now = not after.texts
                if is_offer(first) and after.texts:
                    check_possible_ahead(session, first, text, after.texts)
                if after.texts:
                    screen.show_unused_answers(ahead)
                    ahead = after
            if screen.turns_page(first, text):
                screen.show_more(session, group)
            elif text.startswith(("?", ":")) or (text == "help" and first.kind != "text"):
                session = _obey_command(session, screen, text, group)
                if text.split()[0] in LEADING_ELSEWHERE:
                    ahead = screen.show_unused_answers(ahead)
            else:
                _give_answers(session, group, text, screen)
                hidden = first.secret and screen.conceal_answer(session, first)
                if not hidden:
                    screen.note_shown_answers(group)
                _tell_what_stands(session, group, text, screen, hidden)
        except PlayerLeft:
            break
        except Terminated:
            raise
        except KeyboardInterrupt:  # after the question was shown, and before keys are waited for
            echo("")
            break
        except PlayError as problem:
            screen.show_line(as_text(for_players(problem.diagnostic), screen.paint))
            if not first.has_default and not is_offer(first) and session.log:
                screen.show_line("  :undo takes back the answer before", "dim")
            if not typed_now or first.who == ahead.who:
                ahead = screen.show_unused_answers(ahead)
        except RulesetError as problem:
            screen.show_line(as_text(problem.diagnostics[0], screen.paint))
    screen.show_unused_answers(ahead)
    if autosave is not None:
        autosave.note(session)  # also one that nobody was asked in
    return session


def _note(autosave: Autosave, session: Session, screen: Screen) -> None:
    """Put on the disk what has happened, and say so where that begins to fail, or works again."""
    before = autosave.problem
    autosave.note(session)
    if autosave.problem != before:
        screen.show_line(
            f"the game is not being saved: {autosave.problem}; `:save FILE` saves it elsewhere"
            if autosave.problem
            else "the game is being saved again",
            "dim",
        )


LEADING_ELSEWHERE = (":undo", ":redo", ":load", ":end")
"""Commands after which other questions follow than those for which answers were typed ahead."""


def _obey_command(session: Session, screen: Screen, text: str, group: Sequence[Request]) -> Session:
    """Obey a command that is typed at a question; returns the session, which `:load` may have replaced."""
    if text.split()[0] == ":refuse":
        until = refused_until(text.split()[1:])
        screen.show_refusal(until, group[0])
        session.host.refuse(until)
        return session
    if text == ":standing":
        refused, standing = session.host.refuses, session.host.standing
        if refused is not None:
            screen.show_refusal(refused)
        if standing or refused is None:
            screen.show_standing_answers(session, standing)
        return session
    words = ["?", *text[1:].split()] if text.startswith("?") else text.removeprefix(":").split()
    if words and words[0] in MASTER_COMMANDS:
        obey_master(session.master, text.removeprefix(":"))
        return session
    return _run_command(session, screen, words, group)


def _read_typed_line(session: Session, screen: Screen, group: Sequence[Request]) -> str:
    """The line that is typed. Raises PlayerLeft at the end of the input."""
    sys.stdout.flush()
    try:
        secret = any(one.secret for one in group)
        text = edited_line(screen.line, lambda: words_at(session, group), remember=not secret)
    except Terminated:
        raise
    except KeyboardInterrupt:
        text = ""
    if not text:
        echo("")
        raise PlayerLeft
    return text.strip()


def _give_answers(session: Session, group: Sequence[Request], text: str, screen: Screen) -> None:
    """Give the typed answer to a question, or the answers to the same question to several characters: all or none."""
    said = read_answer(text, group[0])
    first = group[0]
    if first.reaction and first.others and said.until is None:
        session.host.react(first.id, wanted_reactions(first, text))
        return
    beside: dict[str, Any] = {}
    if is_offer(first):
        named, beside = action_and_inputs(session, first, said.answer)
        said = replace(said, answer=named)
        _check_can_be_picked(session, first, said.answer)
    given = answers_of(group, said.answer)
    if is_shared_out(first):
        beside = {subject_of(one): answer for one, answer in given[1:]}
        given = given[:1]
    if beside:
        session.host.answer(first.id, given[0][1], said.until, beside=beside)
        screen.note_answers_beside(first, beside)
        return
    for request, answer in given:
        session.host.try_answer(request.id, answer, until=said.until)
    same = all(answer == given[0][1] for _, answer in given)
    for request, answer in given:
        if any(one.id == request.id for one in session.host.requests):  # an answer for all may have answered it
            session.host.answer(request.id, answer, said.until, said.for_all and same, said.for_everybody and same)


def _tell_what_stands(session: Session, group: Sequence[Request], text: str, screen: Screen, hidden: bool) -> None:
    """Tell how long a typed answer stands, if it does; what was answered is not told where it is `hidden`."""
    until = read_answer(text, group[0]).until
    if until is None:
        return
    asked = {request.id for request in group}
    stand = [one for one in session.host.standing if one.request in asked]
    if stand:
        screen.show_standing_answers(session, stand, hidden)
    else:
        screen.show_line(f"  the {until} is over, and so is this answer", "dim")


def _check_can_be_picked(session: Session, offer: Request, text: str) -> None:
    """Raise PlayError with the reason where a text names an action that is not possible now."""
    words = text.split() if option_meant(offer, text) is None else []  # behind the action may stand what it is done to
    texts = [" ".join(words[:number]) for number in range(len(words), 0, -1)]
    named = next(filter(None, (action_meant_by(session.game.program.actions, one) for one in texts)), None)
    if offer.who is None or named is None or named in (offer.options or ()):
        return
    reason = seat_asked(session, offer).why_not(offer.who, named)
    if reason is not None:
        raise PlayError(replace(reason, span=say.NOWHERE))  # to players, the place in the rules is no answer


def _run_command(session: Session, screen: Screen, words: Sequence[str], group: Sequence[Request]) -> Session:
    """Run a command of the terminal, such as `:undo`; returns the session to go on with."""
    playing = session.game
    match words:
        case ["undo"]:
            given = next((one for one in reversed(session.log) if one.how == GIVEN), None)
            session.host.undo()
            screen.show_again(session, f"undone{f': {answer_in_words(session, given)}' if given is not None else ''}")
        case ["redo"]:
            session.host.redo()
            screen.show_again(session, "redone")
        case ["look", *names]:
            screen.show_things(session, names)
        case ["save" | "save!" as how, name]:
            _save(session, name, check_replaceable(name, session) if how == "save" else None)
            screen.show_line(f"saved in {name}", "dim")
        case ["load", name]:
            text = read_text(name)
            session = playing.resume(session_in(text) or text, policy=session.policy)
            screen.show_adopted(session.adopted)
            screen.show_again(session, f"loaded from {name}")
        case ["ask"]:
            session.host.ask_again()
            screen.show_line("no answer stands any more", "dim")
        case ["ask", what]:
            session.host.ask(what)
            screen.show_line(ASKED_NOW[what], "dim")
        case ["log"]:
            screen.show_again(session, "")
        case ["story"]:
            screen.show_line(seat_at_terminal(session).story().rstrip())
        case ["story", name]:
            _check_new(name)
            _write_story(session, name)
            screen.show_line(f"the story so far is in {name}", "dim")
        case ["quit" | "q"]:
            raise PlayerLeft
        case ["?"] if not screen.verbose:
            screen.show_line("\n".join(about_question(playing.program, *group)))
            rule = group[0].rule.partition(".")[2]
            whole = f", :explain {rule} of the whole rule" if rule else ""
            screen.show_line(f"? NAME tells of a word on the screen{whole}.", "dim")
        case ["?", *names] if names and not screen.verbose:
            _print_about_names(session, screen, group[0], names)
        case ["?" | "explain"]:
            _explain_question(playing, screen, session.host.requests[0])
        case ["?" | "explain", *names]:
            _explain_named(session, screen, "_".join(names))
        case ["help"] | []:
            screen.show_line(help_at(session, group))
        case ["save" | "load" as name]:
            raise PlayError(say.command_without_file(name))
        case [name, *_]:
            raise PlayError(say.unknown_command(name))
    return session


ASKED_NOW = {
    EVERYTHING: "  everything is asked, also what hardly matters, and every offer is made",
    USUAL: "  not asked is what hardly matters: minor questions, and offers where little is left to do",
}
"""What is told of what somebody wishes to be asked."""


def _print_about_names(session: Session, screen: Screen, request: Request, names: Sequence[str]) -> None:
    """Tell in short what an answer to a question or else a name means, or what a thing has."""
    program = session.game.program
    word, things = " ".join(names), seat_at_terminal(session).view()
    option = option_named(request, word)
    if is_offer(request) and PASS in (option, word):
        screen.show_line(f"{PASS}: {PASSES}; {PASS}! stands until the round ends.")
        return
    if option is not None:
        screen.show_line(f"{request.title_of(option)}: {request.meanings[option]}" if not is_offer(request)
                         else request.meanings[option])  # fmt: skip
        word, names = option, [option]
    lines = short_entries(program, word)
    if not lines or names[0] in things:
        said = sentences_with(program, word) if option is None else []
        if names[0] in things or (not said and option is None):
            _explain_named(session, screen, "_".join(names))
        if said:
            screen.show_line("\n".join(said))
        return
    screen.show_line("\n".join(lines))
    name = "_".join(names)
    if any(name in rules for rules in program.playable.values()):
        screen.show_line(f":explain {name} gives the whole rule.", "dim")


def _explain_question(playing: Game, screen: Screen, request: Request) -> None:
    """Show what a question is about: the rule that asks it, or each action that it offers."""
    offered = [name for name in request.options or () if name in playing.program.actions]
    for name in offered:
        about = playing.program.actions[name].rule.about
        screen.show_line(f"  {name}: {request.meanings.get(name, '')}{f'. {about}' if about else ''}")
    if request.rule and not offered:
        screen.show_line("\n".join(_part_about(explain_name(playing.program, None, request.rule), request.name)))
    rule = offered[0] if offered else request.rule or "RULE"
    screen.show_line(f":explain {rule} gives the whole rule; :help lists what can be typed.", "dim")


def _explain_named(session: Session, screen: Screen, name: str) -> None:
    """Show what a rule says, or else what a thing has."""
    program = session.game.program
    try:
        screen.show_line("\n".join(explain_name(program, None, name)))
    except PlayError:
        if name in seat_at_terminal(session).view():
            screen.show_things(session, [name])
            return
        lines = short_entries(program, name) or sentences_with(program, name)
        if lines:
            screen.show_line("\n".join(lines))
            return
        raise PlayError(say.nothing_to_explain_in_play(name, names_in(program))) from None


def _part_about(lines: list[str], name: str) -> list[str]:
    """Of the explanation of a long rule, the part about the step or input of a name, or else all of it."""
    place = next((n for n, line in enumerate(lines) if line.lstrip().startswith(f"`{name}`")), None)
    if place is None or len(lines) <= MOST_EXPLAINED:
        return lines
    depth = len(lines[place]) - len(lines[place].lstrip())
    end = place + 1
    while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > depth:
        end += 1
    return [lines[0], *lines[place:end]]


def _save(session: Session, name: str, seen: str | None = None) -> None:
    files.write_whole(name, session.to_json(with_rules=True) + "\n", seen)


def _save_or_beside(session: Session, name: str | None, seen: str | None) -> None:
    """Write the session to a file, if one is named, or, if another program has written there since it was `seen`, to a
    new one beside. Raises RulesetError if that is not possible."""
    if name is None:
        return
    try:
        _save(session, name, seen)
    except RulesetError:
        if files.see(name) == seen:
            raise
        other = free_name_beside(name)
        _save(session, other, files.NOTHING)
        with suppress(OSError):
            echo(f"{name} was changed by another program meanwhile; saved in {other}", err=True)

"""What `houserule play` shows: the record of play, what lies on the table, questions, and who is how."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from interpreter.api.interventions import MASTER, WHY, is_intervention
from interpreter.api.questions import Request
from interpreter.api.session import Session
from interpreter.api.session_log import STANDING, Answer
from interpreter.api.standing_answers import USUAL
from interpreter.api.status import parted_status_of, status_of
from interpreter.cli.changed_values import changed_values, value_in_words
from interpreter.cli.end_of_record import EndOfRecord
from interpreter.cli.how_it_stands import HowItStands
from interpreter.cli.menu import MORE, MenuEntry, MenuPage
from interpreter.cli.news import without_what_stands_above
from interpreter.cli.prompt import Prompt, fit
from interpreter.cli.reactions import HINT, menu_of_reactions
from interpreter.cli.request_text import (
    Beside,
    as_tuple,
    entries_of,
    hint_of,
    in_points,
    remaining_offer,
    shared_sentences,
    title_of,
)
from interpreter.cli.states import RULES_HAVE_CHANGED
from interpreter.cli.terminal import (
    Paint,
    can_write_over,
    clear_previous_line,
    print_wrapped,
    terminal_size,
    wrap,
)
from interpreter.cli.typed_actions import example_with_input
from interpreter.cli.typed_answers import (
    NONE,
    AnswersAhead,
    is_offer,
    is_shared_out,
    names_thing_not_offered,
    option_text,
    seat_asked,
    seat_at_terminal,
    subject_of,
)
from interpreter.ir.consent import PAYS
from interpreter.play.available_actions import PASS
from interpreter.play.trace_events import ChoiceMade, OutcomeReached
from interpreter.report.before_question import Happening, ThrownCall
from interpreter.report.trace import Line, is_end_of_scene, with_reason
from interpreter.report.transcript import DECLINED, RecordLine, join_lines
from interpreter.runtime.state import State
from interpreter.runtime.titles import titles_of
from interpreter.saves.plan import AdoptionLine
from interpreter.shown_text import last_sentence
from interpreter.values import in_words

TELLS_VALUES = (PAYS, "upgraded")
"""The names of questions about which is said what something costs now, so that it is said each time."""

MOST_COMPUTED = 12
"""The most lines above a question that tell what was computed for it."""


@dataclass
class Screen:
    """What the terminal has shown so far."""

    paint: Paint
    verbose: bool
    record: EndOfRecord | None = None
    logged: int = 0
    shown: Sequence[Line] = ()
    asked: tuple[str, ...] = ()
    """The questions, by id, that stand on the screen and that nothing was told after."""
    line: str = ""
    """What stands on the screen before the answer that is being typed."""
    next_entry: int = 0
    """The number of the entry of the menu with which its next part begins."""
    has_more: bool = False
    """Whether the screen shows only a part of the menu."""
    told_what_is_passed: bool = False
    stands: HowItStands = field(default_factory=HowItStands)
    told_abouts: set[str] = field(default_factory=set)
    """What a terminal has said of questions so far; `?` says it again."""
    answered: set[tuple[str | None, str]] = field(default_factory=set)
    """Whose answers to which questions, by name, stand on the screen since the record was shown last."""

    def show_line(self, text: str, style: str = "") -> None:
        """Show a line."""
        print_wrapped(self.paint(text, style) if style else text)

    def title(self, title: str, about: str) -> None:
        self.show_line(self.paint(title, "bold") + (f"\n{about}" if about else ""))
        self.show_line("Enter gives the answer in brackets, ? helps, :undo takes back an answer.", "dim")

    def show_news(self, session: Session, whole: bool = False) -> None:
        """Show what has happened since the last time; on a terminal, unless the `whole` is asked for, without what
        stands above the next question."""
        record = self._record(session)
        lines = record.lines() if whole else self._news(session)
        same = next((n for n, (old, new) in enumerate(zip(self.shown, lines, strict=False)) if old != new), None)
        new = lines[same if same is not None else len(self.shown) :]
        given = [one for one in session.log[self.logged :] if one.how == STANDING]
        refused = {(one.who, one.path.rpartition(".")[2]) for one in given}
        if _passes_minor_questions(session):  # what comes of a passed question is told, and not the question
            self.answered |= {(one.who, one.path.rpartition(".")[2]) for one in given if one.answer != PASS}
        for line in join_lines(line for line in new if not self._repeats_shown_answer(line)):
            if line.kind != DECLINED:
                self.show_line(self._line(line))
            elif isinstance(line, RecordLine) and _question_of(line) in refused:
                self.show_line(self._line(replace(line, text=f"{line.head}refused")))
        self._tell_what_is_passed(session)
        if new:
            self.answered.clear()
            self.asked = ()
        self.logged = len(session.log)
        self.shown = self._news(session) if record.begin_at_last_turn() or whole else lines

    def _news(self, session: Session) -> Sequence[Line]:
        """The lines of the record that are shown as they come."""
        lines = self._record(session).lines()
        if self.verbose or not terminal_size(sys.stdout).columns:
            return lines
        return without_what_stands_above(lines, session.game.program, session.over)

    def _tell_what_is_passed(self, session: Session) -> None:
        """Tell once that a question was passed because it hardly matters."""
        passed = any(one.how == STANDING for one in session.log[self.logged :])
        if passed and not self.told_what_is_passed and _passes_minor_questions(session):
            self.show_line("  (what hardly matters is not asked; :ask everything changes that)", "dim")
            self.told_what_is_passed = True

    def note_shown_answers(self, group: Sequence[Request]) -> None:
        """Note that the answers to some questions stand beside these, so that the record need not tell them."""
        self.answered |= {(request.who, request.name) for request in group}

    def note_answers_beside(self, request: Request, names: Iterable[str]) -> None:
        """Note that what an action asks for, by the names of its inputs, was answered with it."""
        self.answered |= {(request.who, name) for name in names}

    def conceal_answer(self, session: Session, request: Request) -> bool:
        """Put a secret answer out of sight of the player who is asked next, and whether that was done: the terminal
        must be able to write over a line. The record tells it when all have answered."""
        others = any(one.secret and one.player != request.player for one in session.host.requests)
        if not others or not can_write_over(sys.stdin) or not can_write_over(sys.stdout):
            return False
        clear_previous_line()
        print_wrapped("> (hidden until all have answered)")
        return True

    def _repeats_shown_answer(self, line: Line) -> bool:
        """Whether a line of the record only repeats an answer, without a price that was paid with it."""
        return isinstance(line, RecordLine) and _question_of(line) in self.answered and not line.paid

    def show_adopted(self, lines: Sequence[AdoptionLine]) -> None:
        """Say what has changed in the rules since a save, and where it goes on."""
        if lines:
            self.show_line(RULES_HAVE_CHANGED, "bold")
            for one in lines:
                self.show_line(f"  {one.text}")

    def show_changes(self, session: Session, before: State, after: State) -> None:
        """Say which values of things a scene has changed before it began."""
        names = _names_seen(session.players[session.only_player] if session.only_player is not None else None)
        for line in changed_values(session.game.program, before, after, names):
            self.show_line(line)

    def show_again(self, session: Session, why: str) -> None:
        """Show the turn from its beginning after an undo or a load, or else the whole record."""
        if why:
            self.show_line(f"— {why} —", "dim")
        record = self._record(session)
        record.begin_anew()
        self.shown = []
        self.answered.clear()
        self.asked = ()
        self.logged = len(session.log)
        if why:
            record.begin_at_last_turn()
            lines = self._news(session)
            self.shown = lines[: max((n for n, line in enumerate(lines) if line.kind in ("turn", "phase")), default=0)]
        self.show_news(session, whole=not why)

    def _record(self, session: Session) -> EndOfRecord:
        if self.record is None or self.record.session is not session:
            self.record = EndOfRecord(session, self.verbose)
        return self.record

    def _line(self, line: Line) -> str:
        styles = {"round": "bold", "phase": "bold", "turn": "bold cyan", "act": "cyan", "outcome": "bold",
                  DECLINED: "dim", "rolled": "bold", "choice": "dim", "scene": "bold"}  # fmt: skip
        name = f"{line.shown}{': ' if line.text else ''}" if line.name else ""
        note = self.paint(f"  [{line.sources}]", "dim") if line.cites and self.verbose else ""
        return f"{'  ' * line.depth}{self.paint(f'{name}{line.text}', styles.get(line.kind, ''))}{note}"

    # Questions ---------------------------------------------------------------------------------------------------

    def show_question(self, session: Session, group: Sequence[Request]) -> None:
        """Show a question, or the same question to several characters, and what to know for it; of a question that
        still stands on the screen, only the line for the answer."""
        prompt, asked = self._prompt(session, group), tuple([one.id for one in group])
        size = terminal_size(sys.stdout)
        if asked != self.asked:
            self.asked = asked
            scenes = self.stands.forms(session, group[0], size.columns) if size.columns else ()
            told = prompt.about in self.told_abouts and group[0].name not in TELLS_VALUES
            about = "" if told else prompt.about
            shown = fit(replace(prompt, scenes=scenes, about=about), size)
            if size.columns and shown.about == prompt.about:
                self.told_abouts.add(shown.about)
            self.show_line("")
            for line in shown.scene:
                self.show_line(line, "dim")
            for line in shown.above:
                self.show_line(line, "dim")
            self.show_line(prompt.question, "bold yellow")
            if shown.about:
                self.show_line(shown.about)
            self._show_page(shown.page)
        line = self.paint(f"{prompt.line} ", "yellow")
        self.line = wrap(line, size.columns).rpartition("\n")[2] if size.columns else line
        print_wrapped(line, nl=False)

    def show_more(self, session: Session, group: Sequence[Request]) -> None:
        """Show the next part of the menu, after the last the first."""
        prompt = replace(self._prompt(session, group), above=(), about="")
        self._show_page(fit(prompt, terminal_size(sys.stdout), self.next_entry).page)

    def turns_page(self, request: Request, text: str) -> bool:
        """Whether a text asks for more of the menu, and is no option of the request itself."""
        return text == MORE and self.has_more and text not in map(option_text, request.options or ())

    def _show_page(self, page: MenuPage) -> None:
        for line in page.lines:
            self.show_line(line)
        self.next_entry, self.has_more = page.next, page.is_part

    def _prompt(self, session: Session, group: Sequence[Request]) -> Prompt:
        """A question, or the same question to several characters, with what to know for it."""
        request, alone, program = group[0], len(group) == 1, session.game.program
        player = f"{request.player}, " if request.player and len(session.players) > 1 else ""
        above = tuple(self._computed_lines(session, request))
        line = _answer_line(session, request) if alone else _line_for_group(group)
        if request.spent and is_offer(request):
            asked = f"{player}{request.title_of(request.who)}: Anything else? {remaining_offer(request)}"
            return Prompt(above, asked, "", (), line)
        who = request.title_of(request.who)
        if who in program.roles:  # the name of a thing is shown as it is typed
            who = who.replace("_", " ")
        of = request.title_of(request.of)
        about = f" for {of}" if of and of not in title_of(request) else ""
        if request.reaction and request.others:
            menu = menu_of_reactions(request)
            said = f"  {menu.about}" if menu.about else ""
            return Prompt(above, f"{player}who reacts? {menu.question}".rstrip(), said, menu.entries, HINT)
        head = (player + (who if alone else "")).removesuffix(", ")
        parted = shared_sentences([title_of(one) for one in group], ends=False)
        asked, own = (parted.text, parted.own) if not alone else (f"{title_of(request)}{about}", ())
        head = (player + who if is_shared_out(request) else head).removesuffix(", ")
        question = f"{head}{': ' if head and asked else ':' if head else ''}{asked}"
        said = f"  {request.about}" if request.about else ""
        if not alone:
            return Prompt(above, question, said, tuple([MenuEntry((one,)) for one in _line_for_each(group, own)]), line)
        titles = titles_of(program, session.state)
        told = seat_asked(session, request).chances(request.id) if request.kind == "one" else {}
        chances = {option: in_points(chance, titles) for option, chance in told.items()}
        if not is_offer(request):
            return Prompt(above, question, said, tuple(entries_of(request, Beside(titles, chances=chances))), line)
        _, other = _parted_status(session, request)
        status = (f"  {request.title_of(request.who)}: {other}",) if other else ()
        possible = {one.action: one for one in session.game.possible(session.state, request.who or "")}
        inputs = {name: [one.name for one in program.actions[name].rule.inputs if one.by is None] for name in possible}
        entries = entries_of(request, Beside(titles, titles.kind_of(request.who or ""), possible, chances, inputs))
        return Prompt((*above, *status), question, said, tuple(entries), line, offers=True)

    def echo(self, request: Request, text: str) -> None:
        """Show a question that was answered beforehand, and the answer."""
        self.show_line(f"  {request.title_of(request.who)}: {title_of(request)} {text}", "dim")

    def drop_needless(self, session: Session, request: Request, ahead: AnswersAhead) -> AnswersAhead:
        """The answers typed ahead without those at their front that name a thing at a question that has no such option:
        they answer a question that was not asked, since that thing was the only possible answer to it."""
        while ahead.texts and names_thing_not_offered(ahead.texts[0], request, seat_at_terminal(session).view()):
            self.show_line(f"  not asked: {ahead.texts[0]}, which is the only one", "dim")
            ahead = replace(ahead, texts=ahead.texts[1:])
        return ahead

    def drop_unasked(self, session: Session, request: Request, ahead: AnswersAhead) -> AnswersAhead:
        """The answers typed ahead without those at their front that answer questions which were not asked."""
        number = ahead.count_unasked(request, session.turn)
        for text in ahead.texts[:number]:
            self.show_line(f"  not asked: {text}", "dim")
        return replace(ahead, texts=ahead.texts[number:])

    def show_unused_answers(self, ahead: AnswersAhead) -> AnswersAhead:
        """Show which of the answers typed ahead no question has taken, if any; the result is that none are left."""
        if ahead.texts:
            self.show_line(f"  not used: {'; '.join(ahead.texts)}", "dim")
        return AnswersAhead()

    def _computed_lines(self, session: Session, request: Request) -> Iterator[str]:
        """What was computed for the question, with the dice on the table, which the record does not tell; and what the
        question is for, unless the record has just told it."""
        computed = seat_asked(session, request).before(request.id).computed
        lines = [
            f"  {line.shown}{': ' if line.name and line.text else ''}{line.text}"
            for line in computed
            if line.kind != "roll" and not self._has_just_told(line)
        ]
        yield from lines[-MOST_COMPUTED:] if not self.verbose else ()

    def _has_just_told(self, line: Line) -> bool:
        """Whether the record on the screen has just told what is happening, or the dice of a call that is over."""
        last = self.shown[-MOST_COMPUTED:]
        if isinstance(line.event, Happening):
            return any(isinstance(one.event, Happening) and one.path == line.path for one in last)
        events = [one.event for one in last]
        return isinstance(line, ThrownCall) and all(one in events for one in line.throws)

    def show_standing_answers(self, session: Session, answers: Sequence[Answer], hidden: bool = False) -> None:
        """Show for each answer what it answers from now on, the same of several in one line; `hidden` ones are not
        told."""
        if not answers:
            self.show_line("  no answer stands", "dim")
        names: dict[str, list[str]] = {}
        for one in answers:
            names.setdefault(_standing_line(session, one, hidden), []).append(_whose_answer(session, one))
        for text, whose in names.items():
            self.show_line(f"  {', '.join(dict.fromkeys(whose))}: {text}", "dim")

    def show_refusal(self, until: str, asked: Request | None = None) -> None:
        """Show until when all reactions are refused, and that what is `asked` now still wants an answer, if it does."""
        self.show_line(f"  every reaction is refused until the {until} ends; :ask ends this, too", "dim")
        if asked is not None and not asked.reaction:
            self.show_line("  this question is about no reaction, so it still needs an answer", "dim")

    # The table ---------------------------------------------------------------------------------------------------

    def show_things(self, session: Session, names: Sequence[str]) -> None:
        """Show things as the players here may see them: those in the scene, in short, or some with all they have."""
        player = session.only_player
        view, titles = seat_at_terminal(session).view(), titles_of(session.game.program, session.state)
        if not names:
            seen = session.players[player] if player is not None else None
            told = {name: status_of(session.game, session.state, name, _names_seen(seen)) for name in view}
            for name in (name for name, status in told.items() if status and name in session.taking_part):
                self.show_line(f"{self.paint(titles.thing(name), 'bold')}: {told[name]}")
            of_rules = session.game.start.things  # weapons and the like, as they are in every game
            beside = [name for name in view if told[name] and name not in (*session.taking_part, *of_rules)]
            for name in beside:
                self.show_line(f"{titles.thing(name)}: {told[name]}", "dim")
            others = [name for name in view if name not in beside and not (told[name] and name in session.taking_part)]
            if others:
                self.show_line(f"also: {', '.join(map(titles.thing, others))} (:look NAME shows all of one)", "dim")
            return
        by_title = {titles.thing(name).casefold(): name for name in view}
        whole = by_title.get(" ".join(names).casefold())  # a title may have blanks
        for name in [whole] if whole is not None else names:
            name = by_title.get(name.casefold(), name)
            if name not in view:
                self.show_line(f"there is no `{name}`")
                continue
            kind = titles.kind_of(name)
            left_out = ("is",) if "title" in session.game.program.kinds[kind].has else ("is", "title")
            has = {key: value for key, value in view[name].items() if key not in left_out}
            told = {titles.attribute(kind, key): one for key, one in has.items() if one not in (None, [], {})}
            text = ", ".join(f"{key} {value_in_words(value, titles)}" for key, value in told.items())
            self.show_line(f"{self.paint(titles.thing(name), 'bold')} ({titles.kind(view[name]['is'])}): {text}")

    def show_outcome(self, session: Session) -> None:
        """Show the outcome, and how it can be seen again."""
        result = session.result
        assert result is not None
        rounds = result.values.get("rounds")
        after = f"after {rounds} round{'s' * (rounds != 1)}" if rounds is not None else ""
        events = (one.event for one in reversed(self._record(session).lines()))
        ends = (one for one in events if is_end_of_scene(one, session.beginning.rule))
        told = next((one.told for one in ends if isinstance(one, OutcomeReached)), "")
        outcome = titles_of(session.game.program).word(result.outcome or "over")
        ended = f"{after.capitalize()}: {told}" if told and after else told or f"{outcome} {after}".rstrip()
        self.show_line("\n" + self.paint(ended, "bold green"))
        if session.beginning.seed is not None:
            self.show_line(f"seed {session.beginning.seed}", "dim")


def _passes_minor_questions(session: Session) -> bool:
    """Whether answers that nobody gave are those to questions which hardly matter: nobody has given any that stand."""
    return session.host.asks == USUAL and not session.host.standing and session.host.refuses is None


WIDEST_LINE = 66
"""The widest that the line for an answer becomes by what it tells of whoever is asked."""


def _answer_line(session: Session, request: Request) -> str:
    """The line where an answer is typed: who is asked, how many points and the like there are, and what Enter gives."""
    counts, _ = _parted_status(session, request)
    hint, who = hint_of(request), request.title_of(request.who)
    example = example_with_input(session, request) if is_offer(request) and not request.spent else None
    whole = f"such as {example} {hint}" if example is not None else hint
    hint = whole if len(f"{who} ({', '.join(counts)}) {whole}> ") <= WIDEST_LINE else hint
    while counts and len(f"{who} ({', '.join(counts)}) {hint}> ") > WIDEST_LINE:
        counts = counts[:-1]
    return f"{who} ({', '.join(counts)}) {hint}>".replace(" >", ">") if counts else f"{hint}>"


def _parted_status(session: Session, request: Request) -> tuple[list[str], str]:
    """How whoever is asked is doing, as far as the player who answers may know: what is counted, and the rest."""
    seen = session.players.get(request.player) if request.player is not None else None
    return parted_status_of(session.game, session.state, request.who, _names_seen(seen))


def _defaults(group: Sequence[Request]) -> str:
    return ", ".join(one.title_of(in_words(one.default)) for one in group)


def _question_of(entry: RecordLine) -> tuple[str | None, str] | None:
    """Who was asked the question that an entry answers, and its name."""
    return (entry.event.node.by, entry.event.node.name) if isinstance(entry.event, ChoiceMade) else None


def answer_in_words(session: Session, one: Answer) -> str:
    """Whose answer to which open question one is that was taken back: `ann: Hold on? no`, or what the game master did.
    A secret one is not told."""
    if is_intervention(one.answer):
        return with_reason(f"the game master: {one.answer[MASTER].strip('{}')}", one.answer.get(WHY, ""))
    asked = next((request for request in session.host.requests if request.id == one.request), None)
    if asked is None:
        return one.path
    who, question = asked.title_of(asked.who) or one.by or "", title_of(asked)
    told = "" if asked.secret else _given_in_words(session, asked, one)
    between = " " if question.endswith("?") else ": "
    return f"{who}{': ' if who else ''}{question}{f'{between}{told}' if told else ''}"


def _given_in_words(session: Session, asked: Request, one: Answer) -> str:
    """An answer of the log with titles, an action by its own; nothing for options given by number."""
    if isinstance(one.answer, Mapping):
        return ""
    if is_offer(asked) and one.answer in session.game.program.actions:
        return session.game.program.actions[one.answer].rule.title
    titles = titles_of(session.game.program, session.state)
    return in_words(as_tuple(one.answer), lambda text: titles.thing_or_word(str(text)))


def _names_seen(seen: Sequence[str] | None) -> frozenset[str] | None:
    return frozenset(seen) if seen is not None else None


def _standing_line(session: Session, one: Answer, hidden: bool) -> str:
    """`“Another turn?” is answered yes until the round ends`; `is answered so`, where the answer is hidden."""
    titles = titles_of(session.game.program, session.state)
    answer = in_words(as_tuple(one.answer), lambda text: titles.thing_or_word(str(text))) if one.answer != [] else NONE
    answer = "so" if hidden else answer
    return _standing_sentence(session.host.question_of(one), session.host.spent_of(one), answer, str(one.until))


def _standing_sentence(question: str, spent: Sequence[str], answer: str, until: str) -> str:
    where = f", where {' and '.join(spent)} is used up," if spent else ""
    return f"“{last_sentence(question)}”{where} is answered {answer} until the {until} ends"


def _whose_answer(session: Session, one: Answer) -> str:
    """The player for all of whose characters an answer stands, or the character."""
    if one.for_everybody:
        return "everybody"
    if not one.for_all:
        return str(one.who)
    return next((player for player, names in session.players.items() if one.who in names), "all")


def _line_for_group(group: Sequence[Request]) -> str:
    """The line where the answers for several are typed."""
    if is_shared_out(group[0]):
        return f"such as {', '.join(f'{subject_of(one)} 1' for one in group[:2])} [{_defaults(group)}]>"
    return f"one for all, or one each [{_defaults(group)}]>"


def _line_for_each(group: Sequence[Request], own: Sequence[str]) -> Iterator[str]:
    """A line for each of several who are asked the same, with what is asked of this one alone."""
    named = [one.title_of(subject_of(one)) for one in group]
    hints = list(map(hint_of, group))
    width, wide = max(map(len, named)), max(map(len, hints))
    for name, hint, asked in zip(named, hints, own, strict=True):
        yield f"  {name:<{width}}  {hint:<{wide}}  {asked}".rstrip()

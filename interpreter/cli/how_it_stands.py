"""How a scene stands, above a question: whose turn it is and who follows, what has changed, and who is how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import takewhile
from typing import Any

from interpreter.api.questions import Request
from interpreter.api.session import Session
from interpreter.api.status import summary_seen
from interpreter.cli.menu import MenuEntry
from interpreter.cli.typed_answers import is_offer, seat_asked
from interpreter.frozen import dataclass
from interpreter.report.story import LAPSING
from interpreter.runtime.summaries import OutOf, counts_in_short, parted_by_count, summary_in_words, value_in_summary
from interpreter.runtime.titles import Titles, titles_of
from interpreter.values import Thing

LONGEST_BAR = 10
"""The most cells of a bar."""

FULL, EMPTY = "█", "░"
"""A cell of a bar that is filled, and one that is not."""

LONGEST_NAME = 20
"""The longest name below which all bars stand in one line."""

MOST_ALONE = 4
"""So many who take part have a line each; more of them stand two in a line."""

MOST_NEXT = 3
"""The most names of those who have the next turns."""

MOST_CHANGED = 6
"""The most changes that are told."""

Summaries = Mapping[str, Mapping[str, Any]]
"""The summary of each who takes part, by name."""


@dataclass
class HowItStands:
    """What each player was told of a scene when they were asked last, so that the next question tells what is new; who
    is how stands above the first question of each round, and where actions are offered in another turn."""

    _told: tuple[tuple[int, int], str | None] | None = None
    """In which turn who was told last."""
    _bars: dict[str | None, tuple[int, int]] = field(default_factory=dict)
    """In which turn each player was shown bars last."""
    _known: dict[str | None, Summaries] = field(default_factory=dict)
    """What each player knew of everybody."""

    def forms(self, session: Session, request: Request, width: int) -> tuple[tuple[str, ...], ...]:
        """What to tell above a question at a terminal of a width, in lines, the fullest form first; none where the same
        player has just been told."""
        seen = session.players.get(request.player) if request.player is not None else None
        names = frozenset(seen) if seen is not None else None
        now: Summaries = {
            one: summary_seen(session.game, session.state, one, names)
            for one in session.state.things
            if one in session.taking_part
        }
        before, self._known = self._known.get(request.player, now), {**self._known, request.player: now}
        told, rounds = (session.turn, request.player), {at[0] for at in self._bars.values()}
        bars = is_offer(request) and self._bars.get(request.player) != session.turn
        bars = bars or session.turn[0] not in rounds  # the first question of a round; all players read one screen
        if self._told == told and not bars:
            return ()
        self._told = told
        if bars:
            self._bars[request.player] = session.turn
        titles = titles_of(session.game.program, session.state)
        changed = list(_changes(before, now, titles))
        more = f"; {len(changed) - MOST_CHANGED} more changes" if len(changed) > MOST_CHANGED else ""
        told_since = f"  since {request.player or 'this'} was last asked: {'; '.join(changed[:MOST_CHANGED])}{more}"
        heading = [_heading(session, request, titles)] if session.turn != (0, 0) else []
        since = [told_since] if changed else []
        table = _lines_of_bars(now, titles, width) if bars else []
        where = _lines_of_places(now, titles) if table else []
        each: tuple[list[str], ...] = ([*since, *table, *where], [*table, *where], table, since, [])
        return tuple(dict.fromkeys((*heading, *one) for one in each if heading or one))


def _heading(session: Session, request: Request, titles: Titles) -> str:
    """`── Round 2, the turn of ann; then bo, cy`"""
    turn = seat_asked(session, request).turn
    whose = f", the turn of {titles.thing(turn.who)}" if turn is not None else ""
    names = [titles.thing(one) for one in turn.then] if turn is not None else []
    then = f"; then {', '.join(names[:MOST_NEXT])}{', …' if len(names) > MOST_NEXT else ''}" if names else ""
    return f"── Round {session.turn[0]}{whose}{then}"


def _changes(before: Summaries, now: Summaries, titles: Titles) -> Iterator[str]:
    """What of the summaries has changed, the same thing in one: `ann wounds 1/6 → 3/6, place gate → keep`. A list of
    those who take part, as a place has one, is left out: what has changed of each of them tells the same."""
    for thing, has in now.items():
        kind = titles.kind_of(thing)
        was = before.get(thing, {})
        told = [
            _change(titles.attribute(kind, name).replace("_", " "), was[name], one, titles, thing)
            for name, one in has.items()
            if name in was and was[name] != one and not isinstance(one, Mapping) and not _lapses(titles, kind, name)
            if not (_names_those_in(was[name], now) or _names_those_in(one, now))
        ]
        if told:
            yield f"{titles.thing(thing)} {', '.join(told)}"


def _change(name: str, was: Any, now: Any, titles: Titles, thing: str) -> str:
    """What is new of an attribute: a value and the one before, what came to a list or has gone, or that it holds."""
    if isinstance(now, bool):
        return f"{'' if now else 'no longer '}{name}"
    if type(was) is tuple and type(now) is tuple and was and now:
        signed = [("+", one) for one in now if one not in was] + [("−", one) for one in was if one not in now]
        if signed:
            return f"{name} {' '.join(f'{sign}{value_in_summary(one, titles, thing)}' for sign, one in signed)}"
    if isinstance(was, OutOf) and isinstance(now, OutOf) and was.most != now.most:
        return f"{name} {was.now}/{was.most} → {now.now}/{now.most}"
    return f"{name} {_short(was, titles, thing)} → {_short(now, titles, thing)}"


def _lapses(titles: Titles, kind: str, name: str) -> bool:
    """Whether an attribute begins anew with each turn or round, so that everybody knows that it changes."""
    of = titles.kinds.get(kind)
    return of is not None and name in of.has and of.has[name].lasts in LAPSING


def _short(value: Any, titles: Titles, thing: str) -> str:
    if isinstance(value, OutOf):
        return str(value.now)
    return "none" if value in (None, ()) else value_in_summary(value, titles, thing)


def _lines_of_bars(now: Summaries, titles: Titles, width: int) -> list[str]:
    """A line for each of a few who take part, or two in a line, each as full as there is room."""
    barred = {name: bar for name in now if (bar := _bar(now[name], titles, titles.kind_of(name))) is not None}
    if not barred:
        return []
    lengths = [len(titles.thing(name)) for name in barred]
    longest = max((one for one in lengths if one <= LONGEST_NAME), default=0)  # a longer one stands out of line
    entries = [
        MenuEntry(
            tuple([f"  {titles.thing(name):<{longest}}  {form}" for form in _forms(bar, now[name], titles, name)])
        )
        for name, bar in barred.items()
    ]
    if len(entries) <= MOST_ALONE:
        return [one.line_for_width(width) for one in entries]
    half = width // 2
    return [
        "".join(f"{one.line_for_width(half - 1):<{half}}" for one in entries[nth : nth + 2]).rstrip()
        for nth in range(0, len(entries), 2)
    ]


def _lines_of_places(now: Summaries, titles: Titles) -> list[str]:
    """A line that tells who is where, as the summaries of those without a bar have it."""
    barred = [name for name in now if _bar(now[name], titles, titles.kind_of(name)) is not None]
    held = [one for name in now if name not in barred for one in _describe_lists(name, now, titles)]
    return [f"  {'; '.join(held)}"] if held else []


def _names_those_in(value: Any, now: Summaries) -> bool:
    """Whether a value is a list of things that take part."""
    return type(value) is tuple and bool(value) and all(isinstance(one, Thing) and one.id in now for one in value)


def _describe_lists(name: str, now: Summaries, titles: Titles) -> Iterator[str]:
    """Which of those who take part the lists of a summary name, such as who is in a place: `gate: ann and bo`."""
    for value in now[name].values():
        if _names_those_in(value, now):
            yield f"{titles.thing(name)}: {value_in_summary(value, titles, name)}"


@dataclass(frozen=True)
class _Bar:
    """`██████░░░░` and `6/10 wounds` of the `name` of an attribute."""

    name: str
    cells: str
    count: str


def _forms(bar: _Bar, has: Mapping[str, Any], titles: Titles, name: str) -> Iterator[str]:
    """A bar with more or less of what else is known of somebody: other counts, what matters most, and the rest. What
    matters most is what holds, since it may say that somebody is out, and what the summary names before the bar; it is
    told even where that leaves no room for the bar."""
    kind = titles.kind_of(name)
    counted, other = parted_by_count(has)
    counts = counts_in_short({one: value for one, value in counted.items() if one != bar.name}, titles, kind)
    first = set(takewhile(lambda one: one != bar.name, has))
    most = {one: value for one, value in has.items() if value is True or (one in first and value != 0)}
    holds = summary_in_words(most, titles, kind, name)
    words = summary_in_words(other, titles, kind, name)
    for parts in ([*counts, words], [words], [*counts, holds], [holds]):
        yield "  ".join([f"{bar.cells} {bar.count}", ", ".join(filter(None, parts))]).rstrip()
    yield f"{bar.count}, {holds}" if holds else bar.count


def _bar(has: Mapping[str, Any], titles: Titles, kind: str) -> _Bar | None:
    """The bar of the first points or track of a summary that have a bound; None without any."""
    for name, value in has.items():
        if isinstance(value, OutOf) and value.most > 0:
            cells = min(value.most, LONGEST_BAR)
            filled = max(-(-value.now * cells // value.most), 0)
            told = titles.attribute(kind, name).replace("_", " ")
            return _Bar(name, FULL * min(filled, cells) + EMPTY * (cells - filled), f"{value.now}/{value.most} {told}")
    return None

"""What a run notes of itself is told from its values: awkward texts stand verbatim in every form, and lose nothing.

A game is played twice, with plain words and with awkward texts in their places. Every form of its record has to come
out alike, but for these texts.
"""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from test_packages import PACKAGE

from interpreter import HOST, Session, loads
from interpreter.cli.play_screen import Screen
from interpreter.cli.terminal import painter
from interpreter.play import trace_events
from interpreter.report.short import shorten_trace
from interpreter.report.transcript import join_lines, record_lines
from interpreter.shown_text import in_one_line

GAME = """\
ruleset: texts
kinds:
  hero:
    has:
      luck: {type: points, starts: 9}
      fame: {type: points, to: 9}
      motto: {type: text, default: none yet}
      songs: {list_of: text, default: []}
      hidden: {type: number, default: 1, seen_by: owner}
  scroll: {has: {label: {type: text, default: ""}}}
mechanics:
  test:
    title: <test>
    inputs: {who: hero, why: {type: text}}
    steps: {die: {roll: d6}, said: why, hidden: die + who.hidden}
    outcomes: {well: {if: sum(die) >= 2, tells: "{why}"}, badly: otherwise}
events:
  deed:
    title: <event>
    inputs: {who: hero, how: {type: text}, grade: {type: number, default: 0}}
    steps:
      tried: {call: test, with: {who: who, why: how}}
      more: {gain: 1, to: who.fame}
      still: {set: who.hidden, to: who.hidden}
      motto: {set: who.motto, to: how}
      song: {add: how, to: who.songs}
      made: {make: scroll, with: {label: how}}
actions:
  boast:
    title: <action>
    actor: hero
    cost: {luck: 1}
    inputs: {how: {type: text, ask: "<ask>?"}}
    steps: {done: {cause: deed, with: {who: actor, how: how, grade: 2}}}
reactions:
  echo:
    title: <reaction>
    before: deed
    actor: hero
    cost: {luck: 1}
    ask: "<ask>?"
    inputs: {words: {type: text, ask: "<ask>?"}}
    steps: {louder: {change: {how: words, grade: event.grade}}}
scenes:
  feast:
    title: <scene>
    inputs: {guests: {list_of: hero, least: 1}}
    round:
      boasts:
        title: <phase>
        steps:
          word: {choose: text, by: first(guests), ask: "<ask>?"}
          everybody:
            for: one
            among: guests
            each: {own: {turn: one, steps: {does: {offer: [boast], to: one, most: 1}}}}
          farewell: {choose: text, by: guests, ask: "<ask>?"}
    outcomes: {over: scene.round == 1}
"""

PLAIN = {
    place: f"q{place}q" for place in ("test", "event", "action", "reaction", "scene", "phase", "ask", "said", "word")
}
"""Words that stand nowhere else, by the place of the text."""

PIECES = (
    " stays ", " for ", ": ", " → ", " of ", " chooses ", ", ", " (excess 2)", "starts as ", "[", "]", "{", "}", "()",
    ")", "…", "scene.luck 1", "added to ann.songs", "removed from bo.x", "no", "none", "pass", "0", "yes", "1", "for 2",
    "2 passes", "d6: 4", "ann", "bo", "deed", "boast", "\\", "'", '"', "#", "`", "ann chooses no",
)  # fmt: skip
"""Of what the words of a record consist, and what they once were read by."""

ALONE = ("no", "none", "pass", "[]", "{}", "0", "yes", "for glory", "2 passes", "she stays loyal", "push for glory")


def text_in(chance: random.Random, title: bool) -> str:
    """An awkward text, of a title in a ruleset or of what somebody writes."""
    made = "".join(chance.choices(PIECES, k=chance.randint(1, 4)))
    if title:  # which is kept on one line; `{` would begin a value there
        return " ".join(f"x{made.replace('{', '(').replace('}', ')')}x".split())
    return chance.choice([made, chance.choice(ALONE), f"{made}\n{made}", f" {made} "])


def awkward(seed: int) -> dict[str, str]:
    """Awkward texts for all places, no two alike."""
    chance = random.Random(seed)
    made: dict[str, str] = {}
    while len(made) < len(PLAIN):
        place = list(PLAIN)[len(made)]
        text = text_in(chance, place not in ("said", "word"))
        made |= {place: text} if text not in made.values() else {}
    return made


def told(texts: dict[str, str]) -> Iterator[str]:
    """All that is told of a play with these texts."""
    rules = GAME
    for place, text in texts.items():
        rules = rules.replace(f'"<{place}>?"', json.dumps(f"{text}?")).replace(f"<{place}>", json.dumps(text))
    game = loads(rules)
    state = game.state(ann={"is": "hero"}, bo={"is": "hero"})
    session = game.begin("feast", state=state, players={"a": ["ann"], "b": ["bo"]}, seed=1, guests=["ann", "bo"])
    shown = io.StringIO()
    with redirect_stdout(shown):
        screen = Screen(painter(shown), False)
        while not session.over:
            screen.show_news(session)
            request = session.host.requests[0]
            screen.show_question(session, [request])
            for player in (None, request.player):
                yield from map(str, session.seat(player or HOST).before(request.id).lines)
                yield from (f"{line}" for line in session.seat(player or HOST).lines_before(request.id))
            yield from (line for one in session.host.requests for line in one.since)
            answer = {"text": texts["word" if request.name == "words" else "said"], "yes_no": True}
            session.seat(request.player or HOST).answer(request.id, answer.get(request.kind, "boast"))
        screen.show_news(session)
    yield shown.getvalue()
    yield from forms(session)


def forms(session: Session) -> Iterator[str]:
    for player in (None, "a", "b"):
        lines = session.seat(player or HOST).lines()
        entries = record_lines(lines)
        for some in (lines, entries, join_lines(entries), join_lines(lines)):
            yield "\n".join(map(str, some))
    assert session.result is not None
    loud = [line for line in session.host.lines() if not line.quiet]
    yield "\n".join(map(str, shorten_trace(loud, session.result.rule, session.game.program)))
    yield from (line["text"] for line in session.result.to_data()["trace"])


@cache
def plain() -> tuple[str, ...]:
    return tuple(told(PLAIN))


@pytest.mark.parametrize(
    "texts",
    [*map(awkward, range(8)), *({**PLAIN, "said": one, "word": f"{one} " * 2} for one in ALONE)],
    ids=lambda texts: texts["said"][:20],
)
def test_awkward_texts_stand_as_they_are_and_in_one_line_in_every_form_of_a_record(texts: dict[str, str]) -> None:
    found = list(told(texts))
    assert len(found) == len(plain())
    for one, wanted in zip(found, plain(), strict=True):
        for place, word in PLAIN.items():
            wanted = wanted.replace(word, in_one_line(texts[place]))
        assert one == wanted


def test_every_type_of_event_is_in_the_union_that_is_taken_apart() -> None:
    own = {one for one in vars(trace_events).values() if getattr(one, "__module__", "") == trace_events.__name__}
    types = {one for one in own if is_dataclass(one) and not one.__name__.startswith("_")}
    assert types == set(get_args(trace_events.Event))


def named(file: Path) -> str:
    return file.stem


READS = "partition|split|startswith|endswith|removeprefix|removesuffix|replace|strip"


@pytest.mark.parametrize("file", [*sorted(PACKAGE.glob("report/*.py")), PACKAGE / "cli/play_screen.py"], ids=named)
def test_nothing_is_read_from_the_words_of_a_line(file: Path) -> None:
    assert not re.findall(rf"line\.text\.(?:{READS})|re\.\w+\([^)]*line\.text", file.read_text("utf-8"))

"""A group that plays the first round of a scene of Fiend Wake, and how often a terminal asks it something.

`python -m tests.short_rounds castle 1 2 3` prints what is asked in the first round of a scene with each of some seeds.

The group wants to fight. Whoever has no weapon ready readies one, whoever can attack an awake foe does, and whoever
cannot walks on; all turns are taken. They pay for armour, bid, and harass with what is left. Essence is burnt where
that makes a success of a toss. Each character steps in the first time in a round that it is asked; when all of a
player have, the player refuses for the rest of the round. What an action asks for is typed with it, as the terminal
proposes: `7 sentry`. Nothing is typed ahead for later questions.
"""

from __future__ import annotations

import io
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from unittest.mock import patch

from interpreter import Game, load
from interpreter.api import scene_file
from interpreter.api.questions import Request
from interpreter.api.session import Session
from interpreter.api.standing_answers import USUAL
from interpreter.cli import play
from interpreter.cli.begun_scene import Seating, begin_file
from interpreter.cli.play_screen import Screen
from interpreter.cli.typed_answers import is_offer, subject_of
from interpreter.values import in_words

SCENES = Path(__file__).parent.parent / "rulesets" / "fiend-wake" / "scenes"

ATTACKS = ("ranged_attack", "melee_attack")


class Group:
    """The players of a session: what they type at each question, and what they were asked."""

    def __init__(self) -> None:
        self.asked: list[Request] = []
        self.reacted: set[str | None] = set()
        self._line = ""

    def is_asked(self, session: Session, group: Sequence[Request]) -> None:
        """Note a question, or the same one to several, and think of the line for it; the first round ends the play."""
        if session.turn[0] > 1:
            self._line = ""
            return
        asked = group[0]
        if self.asked and self.asked[-1].id == asked.id:
            raise AssertionError(f"refused: {self._line!r} to {asked.question}")
        self.asked.append(asked)
        self._line = self._answer(session, group) + "\n"

    def types(self) -> str:
        """The line for the question that stands on the screen; none ends the play."""
        return self._line

    def _answer(self, session: Session, group: Sequence[Request]) -> str:
        asked = group[0]
        if asked.reaction:
            return self._reaction((asked, *asked.others))
        if is_offer(asked):
            return action(session, asked)
        match asked.name:
            case "bids":  # some are in a hurry, and some are not
                return ", ".join(str(min(len(str(one.who)) % 3, one.high or 0)) for one in group)
            case "split" if len(group) > 1:  # all on the first foe
                return f"{subject_of(asked)} {asked.high}"
            case "split":
                return str(asked.high)
            case "change":
                return smallest_that_is_enough(asked)
        return "" if asked.has_default else in_words((asked.options or (asked.low,))[0])

    def _reaction(self, each: Sequence[Request]) -> str:
        fresh = [place for place, one in enumerate(each) if one.who not in self.reacted]
        self.reacted |= {each[place].who for place in fresh}
        if len(each) == 1:
            return "yes" if fresh else "no!"
        return " ".join(str(place + 1) for place in fresh) if fresh else "no! all"


def action(session: Session, offer: Request) -> str:
    """The action that whoever is asked takes, with what it asks for."""
    possible = {one.action: one for one in session.game.possible(session.state, offer.who or "")}
    look, options = session.host.look, offer.options or ()

    def numbered(name: str, value: object) -> str:
        return f"{options.index(name) + 1} {in_words(value)}"

    if "arm_yourself" in options:
        return numbered("arm_yourself", (possible["arm_yourself"].inputs["weapon"] or ())[0])
    for name in (one for one in ATTACKS if one in options):
        for target in possible[name].inputs["target"] or ():
            if look(f"not allied({target.id}, {offer.who}) and {target.id}.awake"):
                return numbered(name, target)
    if "enter_location" in options:
        return numbered("enter_location", (possible["enter_location"].inputs["place"] or ())[0])
    return "pass"


def smallest_that_is_enough(asked: Request) -> str:
    """The smallest change of a toss that makes a success; none where none does, or where it is one anyhow."""
    enough = [n for n in range(asked.low or 0, (asked.high or 0) + 1) if "enough" in asked.meanings.get(str(n), "")]
    return str(0 if 0 in enough or not enough else min(enough, key=abs))


def first_round(game: Game, scene: str, seed: int) -> list[Request]:
    """What a terminal asks the group in the first round of a scene, one request for each screen."""
    file = scene_file.read(SCENES / f"{scene}.yaml")
    session = begin_file(game, file, (None, ()), Seating((), None, seed, "chance", False)).session
    session.host.ask(USUAL)
    group, screen = Group(), Screen(lambda text, style: text, verbose=False)
    with (
        patch.object(Screen, "show_question", lambda self, session, asked: group.is_asked(session, asked)),
        patch.object(play, "edited_line", lambda *_, **__: group.types()),
        redirect_stdout(io.StringIO()),
    ):
        play._play_to_the_end(session, screen, None)
    return group.asked


def questions(asked: Sequence[Request]) -> Iterator[tuple[str, int]]:
    """How often each question was asked, by its place in the rules, the most frequent first."""
    yield from Counter(f"{one.rule}.{one.name}" for one in asked).most_common()


if __name__ == "__main__":
    name, *seeds = sys.argv[1:]
    for seed in seeds:
        found = first_round(load("fiend-wake"), name, int(seed))
        print(f"{name}, seed {seed}: {len(found)} questions")
        for question, times in questions(found):
            print(f"  {times:>4}  {question}")

"""Under which rules a save goes on where its rules have changed: those of now, or those that it carries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from interpreter.api.game import Game
from interpreter.api.load import load_kept
from interpreter.cli.play_screen import Screen
from interpreter.cli.report import as_text
from interpreter.cli.states import read_text
from interpreter.cli.terminal import print_wrapped
from interpreter.cli.typed_lines import typed_line
from interpreter.diagnostics import HouseruleError
from interpreter.saves.plan import AdoptionLine


class TakenUp(Protocol):
    """What goes on from a save; `adopted` says what has changed in the rules since."""

    @property
    def adopted(self) -> tuple[AdoptionLine, ...]: ...


Taken = TypeVar("Taken", bound=TakenUp)

QUESTION = "Go on under the rules of now? Enter goes on, keep takes the rules of the save, stop leaves all as it was."


def take_up(screen: Screen, playing: Game, begin: Callable[[Game], Taken], save: str, no_input: bool) -> Taken | None:
    """What `begin` makes of a save under the rules of now, or, if somebody says so, under those that the save carries;
    None if somebody stops. Without input, it goes on.

    Nothing is written before. Raises PlayError where something must be decided first.
    """
    begun = begin(playing)
    screen.show_adopted(begun.adopted)
    if not begun.adopted or no_input:
        return begun
    while True:
        screen.show_line(QUESTION, "bold yellow")
        print_wrapped(screen.paint("[go on]> ", "yellow"), nl=False)
        line = typed_line()
        match line.strip():
            case "" | "go on" | "yes" if line:
                return begun
            case "" | "stop" | "no" | ":quit" | ":q":
                return None
            case "keep":
                try:
                    return begin(load_kept(read_text(save)))
                except HouseruleError as problem:
                    screen.show_line(as_text(problem.diagnostics[0], screen.paint))

"""The answers of the person at the terminal in a single run."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from interpreter.api.game import Game
from interpreter.api.questions import question, read
from interpreter.cli.play_help import about_question
from interpreter.cli.report import as_text
from interpreter.cli.request_text import hint_of, options_of, title_of
from interpreter.cli.terminal import echo, painter, print_wrapped
from interpreter.cli.traces import format_lines
from interpreter.cli.typed_answers import answer_of
from interpreter.cli.typed_lines import read_line
from interpreter.diagnostics import PlayError
from interpreter.play.requests import Choice
from interpreter.report.before_question import headings_around, lines_before, summarize_before_question
from interpreter.report.explain import explain_name
from interpreter.runtime.state import State
from interpreter.runtime.titles import titles_of

HELP = "?"
"""What is typed to be told what a question is about."""

WHOLE_RULE = ":explain"
"""What is typed for the whole rule that asks."""


@dataclass
class TerminalAnswers:
    """Asks the person at the terminal in a run of the rule at a `path`, with what came since the last question; `seen`
    counts those events. Things have the titles of a `state`."""

    playing: Game
    path: str
    seen: int = 0
    state: State | None = None

    def __call__(self, choice: Choice) -> Any:
        paint = painter(sys.stderr)
        closures, events = self.playing.closures, choice.events
        around = lines_before(closures, headings_around(events, self.seen, choice.depth), (), state=self.state)
        lines = lines_before(closures, events, choice.on_table, self.seen, self.state)
        told = summarize_before_question(
            around, lines, choice.depth, choice.at, choice.by, self.path, self.playing.program
        )
        self.seen = len(events)
        print_wrapped("\n".join(["", *format_lines(told.lines, paint)]), err=True)
        return self._answer(choice)

    def _answer(self, choice: Choice) -> Any:
        """The answer of the person at the terminal, who is asked as in `houserule play`; `?` tells what is asked."""
        titles = titles_of(self.playing.program, self.state)
        request = question(choice, "", None, titles)
        who = f" ({request.title_of(choice.by)})" if choice.by else ""
        about = f" for {request.title_of(request.of)}" if request.of else ""
        lines = [
            f"{title_of(request)}{about}{who}",
            *([f"  {request.about}"] if request.about else []),
            *options_of(request),
        ]
        print_wrapped("\n".join(lines), err=True)
        while True:
            text = read_line(f"{hint_of(request)}> ")
            if text.strip() == HELP and request.kind != "text":
                print_wrapped("\n".join(about_question(self.playing.program, request)), err=True)
                continue
            if text.strip() == WHOLE_RULE and request.rule and request.kind != "text":
                print_wrapped("\n".join(explain_name(self.playing.program, None, request.rule)), err=True)
                continue
            try:
                return read(choice, answer_of(request, text), titles)
            except PlayError as problem:
                echo(as_text(problem.diagnostic, painter(sys.stderr)), err=True, color=True)

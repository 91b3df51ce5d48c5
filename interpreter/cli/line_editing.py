"""A line that a person edits, with the lines before it and with Tab, where Python's readline and a terminal are there.

The first key is waited for here and not by readline, so that no interrupt is lost (`typed_lines.py` says how one could
be): what is typed meanwhile is neither shown nor taken, and readline gets it with the rest of the line. From then on,
Python looks for signals only while readline waits: one that comes within some milliseconds of a key is taken with the
next key.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from types import ModuleType

from interpreter.cli.terminal import STYLES, can_write_over
from interpreter.cli.typed_lines import is_on_main_thread, typed_line, wait_for_input_or_signal

try:
    import termios
except ImportError:  # not on Windows
    termios = None  # type: ignore[assignment]

UNSEEN = "\x01{}\x02"
"""What tells readline that signs of a prompt take no room."""

SEPARATOR = ";"
"""What parts answers in a line: Tab completes the last of them."""


def edited_line(prompt: str, words: Callable[[], Sequence[str]], remember: bool) -> str:
    """The next line of the terminal with its end, behind a prompt that stands there; empty at the end of the input.

    Tab completes one of the `words`, and the arrows give the lines before, of which this will be one if it is one to
    `remember`. Where lines cannot be edited, it is read as it comes.
    """
    readline = _readline()
    if readline is None or not _is_terminal():
        return typed_line()
    _wait_for_key()
    readline.set_completer(_completer(words))
    try:
        line = input("\r" + STYLES.sub(lambda style: UNSEEN.format(style[0]), prompt))
    except EOFError:
        return ""
    finally:
        readline.set_completer(None)
    last = readline.get_current_history_length()
    if remember and line.strip() and (not last or readline.get_history_item(last) != line):
        readline.add_history(line)
    return f"{line}\n"


def completions(typed: str, words: Sequence[str]) -> list[str]:
    """What a text may become that begins one of the words, in capitals or not; the words whole, in order."""
    return [word for word in dict.fromkeys(words) if word.casefold().startswith(typed.casefold())]


def _completer(words: Callable[[], Sequence[str]]) -> Callable[[str, int], str | None]:
    """What readline asks for the completions of what is typed after the last separator, one after the other."""
    found: list[str] = []

    def complete(typed: str, number: int) -> str | None:
        if number == 0:
            blanks = typed[: len(typed) - len(typed.lstrip(" "))]
            found[:] = [blanks + word for word in completions(typed.lstrip(" "), words())]
        return found[number] if number < len(found) else None

    return complete


@cache
def _readline() -> ModuleType | None:
    """Python's readline as lines are edited here; None where Python was built without it."""
    try:
        import readline
    except ImportError:
        return None
    readline.set_auto_history(False)  # a secret answer is not remembered
    readline.set_completer_delims(SEPARATOR)
    if "libedit" in (readline.__doc__ or ""):
        readline.parse_and_bind("bind ^I rl_complete")
    else:
        readline.parse_and_bind("tab: complete")
        readline.parse_and_bind("set enable-bracketed-paste off")  # each line that is pasted is an answer
        readline.parse_and_bind("set completion-ignore-case on")
        readline.parse_and_bind("set bell-style none")
    return readline


def _is_terminal() -> bool:
    """Whether somebody types at a terminal that can move the cursor."""
    return termios is not None and can_write_over(sys.stdin) and can_write_over(sys.stdout) and is_on_main_thread()


def _wait_for_key() -> None:
    """Wait until a key was pressed. The handler of a signal that arrives has run when this returns."""
    with _key_by_key():
        wait_for_input_or_signal()


@contextmanager
def _key_by_key() -> Iterator[None]:
    """Inside, the terminal gives each key at once, and shows none."""
    end = sys.stdin.fileno()
    before = termios.tcgetattr(end)
    keys = [*before]
    keys[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(end, termios.TCSANOW, keys)
    try:
        yield
    finally:
        termios.tcsetattr(end, termios.TCSANOW, before)

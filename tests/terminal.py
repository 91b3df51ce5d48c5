"""A program at a pseudo-terminal and a person before it, for what is said only where somebody looks."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

HOUSERULE = "from interpreter.cli import main; main()"

PATIENCE = 120
"""How many seconds anything may be waited for. Only what never comes takes so long, however busy the machine is."""

HIDDEN, SHOWN = "\x1b[?25l", "\x1b[?25h"
"""What takes the cursor of a terminal away, and what gives it back."""


class Terminal:
    """The command at a pseudo-terminal of a kind and a size, and a person at its keys; `piped` takes its output
    elsewhere. `size` is the number of columns and of lines; without it the terminal tells none."""

    def __init__(
        self,
        *arguments: str,
        folder: Path | None = None,
        kind: str = "dumb",
        piped: bool = False,
        program: str = HOUSERULE,
        size: tuple[int, int] | None = None,
    ) -> None:
        self.near, far = pty.openpty()
        if size is not None:
            termios.tcsetwinsize(far, size[::-1])
        self.seen, self._read = "", 0
        self.process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            stdin=far,
            stdout=subprocess.PIPE if piped else far,
            stderr=far,
            cwd=folder,
            env={**os.environ, "NO_COLOR": "1", "TERM": kind},
            start_new_session=True,
        )
        os.close(far)

    def sees(self, sign: str | re.Pattern[str]) -> str:
        """Everything new up to and with a text, or what fits a pattern; it must come in time."""
        pattern = re.compile(re.escape(sign)) if isinstance(sign, str) else sign
        end = time.monotonic() + PATIENCE
        while not (found := pattern.search(self.seen, self._read)):
            assert self._more(end), f"{pattern.pattern!r} never came: {self.seen[self._read :]}"
        before, self._read = self._read, found.end()
        return self.seen[before : self._read]

    def types(self, text: str) -> None:
        os.write(self.near, f"{text}\n".encode())

    def presses(self, keys: str) -> None:
        """Keys without Enter."""
        os.write(self.near, keys.encode())

    def resizes(self, columns: int, lines: int) -> None:
        termios.tcsetwinsize(self.near, (lines, columns))

    @property
    def shows_what_is_typed(self) -> bool:
        """Whether the terminal itself shows keys, and gives whole lines, as before a program edits them."""
        modes = termios.tcgetattr(self.near)[3]
        return bool(modes & termios.ECHO and modes & termios.ICANON)

    def interrupts(self) -> None:
        """Ctrl-C, which a terminal sends to all that run in it."""
        os.killpg(self.process.pid, signal.SIGINT)

    def terminates(self, everything: bool = False) -> None:
        """What `kill` sends to the program, or to all that run with it."""
        (os.killpg if everything else os.kill)(self.process.pid, signal.SIGTERM)

    def ends(self) -> int:
        """The exit code, when all that came is seen."""
        end = time.monotonic() + PATIENCE
        while self._more(end):
            pass
        return self.process.wait(PATIENCE)

    @property
    def gave_the_cursor_back(self) -> bool:
        return self.seen.rfind(SHOWN) > self.seen.rfind(HIDDEN) >= 0

    @property
    def out(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.read().decode()

    def _more(self, end: float) -> bool:
        """Whether anything came before the time was over, or the other side had closed."""
        ready, _, _ = select.select([self.near], [], [], max(end - time.monotonic(), 0))
        try:
            more = os.read(self.near, 4096) if ready else b""
        except OSError:  # so a terminal says that nobody is at its other end any more
            more = b""
        self.seen += more.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(more)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        """Whatever went wrong, nothing goes on waiting for keys, nor working."""
        with suppress(ProcessLookupError):  # as it should be, all have ended
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        os.close(self.near)

"""Internal errors of commands: the message for the user, and the data for a bug report."""

from __future__ import annotations

import shlex
import sys
import traceback

from interpreter.cli.report import write_diagnostics
from interpreter.host.internal_error import internal_error_of

EXIT_CODE = 70
"""`EX_SOFTWARE` of sysexits.h: an internal error."""


def report_internal_error(error: Exception, with_traceback: bool) -> None:
    """Write on standard error that this is an internal error, and what to send in a report."""
    if with_traceback:
        traceback.print_exception(error, file=sys.stderr)
    write_diagnostics([internal_error_of(error, f"the command line (`{command_line()}`)")], "text", sys.stderr)


def command_line() -> str:
    """The command as it can be pasted into a shell."""
    return shlex.join(["houserule", *sys.argv[1:]])

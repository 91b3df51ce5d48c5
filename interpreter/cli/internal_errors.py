"""Internal errors: the message for the user, and the data for a bug report."""

from __future__ import annotations

import shlex
import sys
import traceback
from importlib.metadata import PackageNotFoundError, version

from interpreter import diagnostics as say
from interpreter.cli.report import report
from interpreter.diagnostics import Diagnostic

EXIT_CODE = 70
"""`EX_SOFTWARE` of sysexits.h: an internal error."""


def report_internal_error(error: Exception, with_traceback: bool) -> None:
    """Write on standard error that this is an internal error, and what to send in a report."""
    if with_traceback:
        traceback.print_exception(error, file=sys.stderr)
    report([diagnostic_of(error, f"the command line (`{command_line()}`)")], "text", sys.stderr)


def diagnostic_of(error: Exception, doing: str) -> Diagnostic:
    """An unexpected exception as a diagnostic; `doing` names the command line or the call that caused it."""
    return say.internal_error(last_line(error), doing, installed_version())


def last_line(error: Exception) -> str:
    """The last line of the traceback of an error."""
    return traceback.format_exception_only(error)[-1].strip()


def command_line() -> str:
    """The command as it can be pasted into a shell."""
    return shlex.join(["houserule", *sys.argv[1:]])


def installed_version() -> str:
    """The version of houserule with that of Python."""
    try:
        own = version("houserule")
    except PackageNotFoundError:
        own = "not installed"
    return f"houserule {own}, Python {sys.version.split()[0]}"

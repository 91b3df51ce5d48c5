"""An unexpected exception as a diagnostic, with what a report of it needs."""

from __future__ import annotations

import sys
import traceback
from importlib.metadata import PackageNotFoundError, version

from interpreter import diagnostics as say
from interpreter.diagnostics import Diagnostic


def internal_error_of(error: Exception, doing: str) -> Diagnostic:
    """An unexpected exception as a diagnostic; `doing` names the command line or the call that caused it."""
    return say.internal_error(_last_line(error), doing, _installed_version())


def _last_line(error: Exception) -> str:
    return traceback.format_exception_only(error)[-1].strip()


def _installed_version() -> str:
    """The version of houserule with that of Python."""
    try:
        own = version("houserule")
    except PackageNotFoundError:
        own = "not installed"
    return f"houserule {own}, Python {sys.version.split()[0]}"

"""The command `houserule`. Each subcommand has a file, which is imported only when it is called."""

from __future__ import annotations

import atexit
import errno
import gc
import importlib
import io
import os
import sys
from contextlib import suppress
from typing import Any, NoReturn

import click

from interpreter.syntax.names import normalize
from interpreter.version import VERSION

COMPLETE = "_HOUSERULE_COMPLETE"
"""The environment variable by which a shell asks what may stand at the end of a line."""

COMMANDS = {
    "init": "Make a first game, house rule or scene.",
    "list": "List games, house rules and scene files, or what a ruleset has to play.",
    "check": "Report every error in rulesets, without playing.",
    "fmt": "Lay files out in the one way, and keep every comment.",
    "roll": "Play a mechanic, with a full trace.",
    "act": "Play an action or an event in a state.",
    "play": "Play a scene at the terminal, round by round.",
    "campaign": "Make a campaign, in which each scene begins as the last one ended.",
    "possible": "List the actions that an actor can take now, with targets and prices.",
    "replay": "Play a saved result again.",
    "adopt": "Take up saved states and sessions under rules that have changed.",
    "host": "Serve sessions to another program, a line of JSON for each call.",
    "odds": "Compute the exact odds of each outcome.",
    "compare": "Compare the odds with and without a house rule, an option or another input.",
    "delta": "Show what a change of rule files does to the odds, between two revisions or folders.",
    "simulate": "Count the outcomes of many runs, with the standard error.",
    "sweep": "Find the odds over a grid of inputs and options.",
    "test": "Run the cases beside the rules.",
    "coverage": "Show which rows of a rulebook the rules cite and the cases exercise.",
    "explain": "Explain a rule, a word of the language, or the code of a message.",
    "docs": "Write a ruleset as a rulebook for people: one page, with examples and odds.",
    "page": "Serve the page on which one bends rules in a browser and sees their odds.",
    "lsp": "Serve an editor: errors while typing, completion, hover, renaming.",
    "show": "Show the checked program of a ruleset, or its text with every layer.",
}


class _Lazy(click.Group):
    """A group whose commands are imported when they are called."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an unexpected exception is reported as an internal error."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
            raise
        except MemoryError:
            raise click.ClickException("there is not enough memory for this") from None
        except Exception as error:
            from interpreter.cli.internal_errors import EXIT_CODE, report_internal_error
            from interpreter.diagnostics import HouseruleError

            if isinstance(error, HouseruleError) or _is_of_output(error):
                raise
            report_internal_error(error, ctx.params["traceback"])
            raise click.exceptions.Exit(EXIT_CODE) from None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of a command line. Names are typed as keyboards make them; files are called as they are."""
        if not args and not ctx.resilient_parsing:  # versions of click do otherwise
            click.echo(ctx.get_help(), err=True)
            ctx.exit(2)
        return super().parse_args(ctx, [one if os.path.lexists(one) else normalize(one) for one in args])

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]  # `list` is a module here, once it is imported

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        from interpreter.cli.budgets import give_budget

        command: click.Command = importlib.import_module(f"interpreter.cli.{name}").command
        give_budget(name, command)
        if COMPLETE in os.environ:
            from interpreter.cli.completion import complete_parameters

            complete_parameters(command)
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        from interpreter.diagnostics import nearest_name
        from interpreter.shown_text import in_one_line

        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            if ctx.resilient_parsing:  # a shell completes the line, and behind an unknown command nothing fits
                return args[0], click.Command(args[0]), args[1:]
            near = nearest_name(args[0], COMMANDS)
            ctx.fail(f"there is no command `{in_one_line(args[0])}`" + (f"; did you mean `{near}`?" if near else ""))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])


OUTPUT_FAILED = 74
"""`EX_IOERR` of sysexits.h: what a command tells cannot be written."""
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG, errno.EIO)


def _is_of_output(error: Exception) -> bool:
    """Whether standard output or error cannot be written, as on a full disk; errors of files are told elsewhere."""
    return isinstance(error, OSError) and error.filename is None and error.errno in _FULL


def _stop_writing(error: OSError) -> NoReturn:
    """Tell, if that is possible, that standard output cannot be written, and leave what waits to be written."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"standard output cannot be written: {(error.strerror or 'it failed').lower()}\n")
        sys.stderr.flush()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.close()
    sys.exit(OUTPUT_FAILED)


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="houserule")  # looking the package up takes longer than the rest
@click.option("--traceback", is_flag=True, help="Show the Python traceback of an internal error.")
def group(traceback: bool) -> None:
    """Tabletop role-playing rules as data, and the interpreter that runs them.

    RULESET is the name of a bundled ruleset, a file or a folder; `-` is YAML on standard input.
    """


def main() -> None:
    """Run the command; print problems on standard error, and exit with a code that `docs/cli/README.md` lists."""
    from interpreter.cli.interrupts import exit_code, raise_on_sigterm

    atexit.register(gc.freeze)  # a last search for garbage at the end of Python would take a fifth of a long check
    sys.set_int_max_str_digits(0)  # exact chances may have thousands of digits; input is bounded where it is read
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names may contain characters that cannot be printed

    try:
        with raise_on_sigterm():
            # In this mode click returns the code of an `Exit` instead of exiting.
            if COMPLETE in os.environ:
                from interpreter.cli.completion import register

                register()
            code = group.main(standalone_mode=False, complete_var=COMPLETE)
            sys.exit(code if isinstance(code, int) else 0)
    except (click.Abort, KeyboardInterrupt) as stopped:  # at a prompt, or just before it
        click.echo("stopped", err=True)
        sys.exit(exit_code(stopped))
    except click.ClickException as problem:
        from interpreter.shown_text import on_terminal

        setattr(problem, "message", on_terminal(problem.message))  # noqa: B010  (final to mypy)
        problem.show()
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except Exception as problem:
        from interpreter.diagnostics import HouseruleError

        if isinstance(problem, OSError) and _is_of_output(problem):
            _stop_writing(problem)
        if not isinstance(problem, HouseruleError):
            raise
        from interpreter.cli.report import write_diagnostics

        with suppress(OSError):  # nobody reads it
            write_diagnostics(problem.diagnostics, "text", sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()

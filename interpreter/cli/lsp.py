"""`houserule lsp`: the language server."""

from __future__ import annotations

import logging
import sys

import click

from interpreter import diagnostics as say
from interpreter.diagnostics import RulesetError
from interpreter.diagnostics.source import Source


@click.command("lsp")
@click.option(
    "--log", type=click.Path(dir_okay=False), help="Write a log to this file; without it, errors go to stderr."
)
@click.option("--stdio", is_flag=True, help="Use standard input and output, as always; many editors pass this.")
def command(log: str | None, stdio: bool) -> None:
    """Serve an editor on standard input and output, by the Language Server Protocol.

    The page on editors has settings for VS Code, Neovim, Helix and others.
    """
    from interpreter.formatting.proof import format_text

    try:
        from interpreter.lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise RulesetError(say.no_language_server()) from None
    handler = logging.FileHandler(log, encoding="utf-8") if log else logging.StreamHandler(sys.stderr)
    shown = "%(asctime)s %(levelname)s %(name)s %(message)s"
    logging.basicConfig(level=logging.INFO if log else logging.ERROR, format=shown, handlers=[handler])
    serve(lambda text: format_text(Source.of("text", text))[0])

"""`houserule page`: the page on which anybody bends a rule in a browser, served on this machine."""

from __future__ import annotations

import contextlib
import functools
import os
import shutil
import subprocess
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click

from interpreter.cli.terminal import echo

SOURCES = Path(__file__).parent.parent.parent / "integrations" / "page"
"""The sources of the page in a clone; an installed package has none."""

HOST = "127.0.0.1"

HEADERS = {
    # A policy in the page itself cannot say who may show it in a frame.
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    # A browser asks each time whether a file has changed, so that no two builds are mixed.
    "Cache-Control": "no-cache",
}

TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json",
         ".pack": "application/octet-stream", ".zip": "application/zip"}  # fmt: skip
"""The types of files that not every system knows, and without which browsers refuse them."""


@click.command("page")
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--build", is_flag=True, help="Build the page first, with Node.js and npm, from the sources in a clone.")
@click.option("--port", type=click.IntRange(0, 65535), default=8737, show_default=True, help="0 takes any free port.")
def command(folder: Path | None, build: bool, port: int) -> None:
    """Serve the page on which one bends rules in a browser and sees their odds, on this machine alone.

    FOLDER is a built page; without it, the one that was built in this clone. Ctrl-C ends.
    """
    if build:
        build_page()
    served = folder if folder is not None else SOURCES / "dist"
    if not (served / "index.html").is_file():
        raise click.ClickException(
            f"there is no built page in {served}" if folder is not None else
            "the page is not built: in a clone of houserule, `houserule page --build` builds it with Node.js and npm"
        )  # fmt: skip
    try:
        server = page_server(served, port)
    except OSError as error:
        raise click.ClickException(f"port {port} cannot be used ({error.strerror}); give another, --port 0") from None
    with server:
        echo(f"http://{HOST}:{server.server_port}/ (Ctrl-C ends)")
        server.serve_forever()


def build_page() -> None:
    """Build the page of this clone. Raises ClickException if that cannot be done."""
    if not (SOURCES / "build.mjs").is_file():
        raise click.ClickException("only a clone of houserule has the sources of the page")
    if shutil.which("npm") is None or shutil.which("node") is None:
        raise click.ClickException("to build the page takes Node.js 20 or newer, with npm: https://nodejs.org")
    for words in (["npm", "ci", "--no-audit", "--no-fund"], ["node", "build.mjs"]):
        made = subprocess.run(words, cwd=SOURCES, env={**os.environ, "PYTHON": sys.executable})
        if made.returncode:
            raise click.ClickException(f"`{' '.join(words)}` failed in {SOURCES}")


def page_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """A server of a built page for this machine, at a port, or at any free one for 0."""
    return ThreadingHTTPServer((HOST, port), functools.partial(_Files, directory=str(folder)))


class _Files(SimpleHTTPRequestHandler):
    def guess_type(self, path: str | os.PathLike[str]) -> str:
        return TYPES.get(Path(path).suffix) or super().guess_type(path)

    def end_headers(self) -> None:
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def list_directory(self, path: str | os.PathLike[str]) -> None:
        self.send_error(404, "there is nothing here")

    def log_message(self, format: str, *args: object) -> None:
        """Requests are not told: one line with the address is all that anybody needs."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        with contextlib.suppress(ConnectionError):  # the browser has closed the page
            super().copyfile(source, outputfile)

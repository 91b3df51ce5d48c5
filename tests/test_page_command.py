"""`houserule page` without a browser: what it serves, with which headers, and what it says where nothing is built."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli import page


@pytest.fixture
def built(tmp_path: Path) -> Path:
    (tmp_path / "engine").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>page</title>", "utf-8")
    (tmp_path / "page.js").write_text("", "utf-8")
    for name in ("pyodide.mjs", "pyodide.asm.wasm", "snapshot.pack"):
        (tmp_path / "engine" / name).write_bytes(b"")
    return tmp_path


@pytest.fixture
def connection(built: Path) -> Iterator[HTTPConnection]:
    with page.page_server(built, 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield HTTPConnection(page.HOST, server.server_port, timeout=10)
        server.shutdown()
        thread.join()


def got(connection: HTTPConnection, path: str) -> HTTPResponse:
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    return response


def test_the_page_is_served_with_headers_that_keep_it_whole_and_out_of_frames(connection: HTTPConnection) -> None:
    response = got(connection, "/")
    assert response.status == 200
    assert response.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("page.js", "text/javascript"),
        ("engine/pyodide.mjs", "text/javascript"),
        ("engine/pyodide.asm.wasm", "application/wasm"),
        ("engine/snapshot.pack", "application/octet-stream"),
    ],
)
def test_each_file_has_the_type_that_browsers_want(connection: HTTPConnection, name: str, kind: str) -> None:
    response = got(connection, f"/{name}")
    assert (response.status, response.headers["Content-Type"]) == (200, kind)
    assert "Content-Encoding" not in response.headers


@pytest.mark.parametrize("path", ["/engine/", "/nothing", "/../pyproject.toml", "/%2e%2e/pyproject.toml"])
def test_nothing_else_is_served(connection: HTTPConnection, path: str) -> None:
    assert got(connection, path).status == 404


def test_where_nothing_is_built_it_says_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "SOURCES", tmp_path / "integrations")
    shown = CliRunner().invoke(page.command)
    assert shown.exit_code == 1 and "`houserule page --build` builds it" in shown.output
    shown = CliRunner().invoke(page.command, [str(tmp_path)])
    assert shown.exit_code == 1 and "there is no built page" in shown.output
    shown = CliRunner().invoke(page.command, ["--build"])
    assert shown.exit_code == 1 and "only a clone of houserule has the sources" in shown.output


def test_a_build_needs_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "SOURCES", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "build.mjs").write_text("", "utf-8")
    shown = CliRunner().invoke(page.command, ["--build"])
    assert shown.exit_code == 1 and "Node.js" in shown.output


def test_a_port_that_is_taken_is_told(built: Path) -> None:
    with page.page_server(built, 0) as server:
        shown = CliRunner().invoke(page.command, [str(built), "--port", str(server.server_port)])
    assert shown.exit_code == 1 and "give another" in shown.output

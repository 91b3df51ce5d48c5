"""The extension for VS Code: its manifest here, and its own tests with Node.js where `npm install` was run."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.version import VERSION

FOLDER = Path(__file__).parent.parent / "integrations" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text("utf-8"))
COMMAND = [sys.executable, "-c", "from interpreter.cli import main; main()", "lsp"]


def test_the_manifest_names_files_that_are_there() -> None:
    contributes = MANIFEST["contributes"]
    named = [contributes["languages"][0]["configuration"], contributes["grammars"][0]["path"]]
    for name in named:
        assert json.loads((FOLDER / name).read_text("utf-8"))
    assert f"--outfile={MANIFEST['main'].removeprefix('./')}" in MANIFEST["scripts"]["build"]


def test_the_extension_has_the_version_of_the_program() -> None:
    assert MANIFEST["version"] == VERSION
    assert f"houserule-{VERSION}.vsix" in (FOLDER.parent.parent / "docs" / "editor.md").read_text("utf-8")


def test_the_usual_command_is_the_language_server() -> None:
    setting = MANIFEST["contributes"]["configuration"]["properties"]["houserule.command"]
    assert setting["default"] == ["houserule", "lsp"]


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
@pytest.mark.parametrize("name", ["extension.js", "server-command.js"])
def test_its_files_are_javascript(name: str) -> None:
    subprocess.run(["node", "--check", str(FOLDER / name)], check=True, timeout=100)


@pytest.mark.skipif(
    shutil.which("node") is None or not (FOLDER / "node_modules").is_dir(), reason="`npm install` was not run"
)
def test_it_starts_the_server_and_the_server_answers_it() -> None:
    pytest.importorskip("pygls")
    environment = {**os.environ, "HOUSERULE_COMMAND": json.dumps(COMMAND)}
    done = subprocess.run(
        ["node", "--test", "test/"], cwd=FOLDER, env=environment, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stdout

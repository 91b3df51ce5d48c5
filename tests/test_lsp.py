"""The language server through a real client: the process `houserule lsp`, asked by pytest-lsp."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from random import Random

import pytest
from test_editor import LANTERNS, LAYER

pytest_lsp = pytest.importorskip("pytest_lsp")
from lsprotocol import types as lsp  # noqa: E402
from pytest_lsp import ClientServerConfig, LanguageClient  # noqa: E402

from interpreter.editor.analysis import Analysis  # noqa: E402
from interpreter.lsp import server  # noqa: E402
from interpreter.lsp.translate import apply_changes  # noqa: E402

START = [sys.executable, "-c", "from interpreter.cli import main; main()", "lsp"]
BROKEN = LANTERNS.replace("highest(rolled) -", "highest(roled) -").replace("title: Climb", "title: 🎲 Climb")


@pytest_lsp.fixture(config=ClientServerConfig(server_command=START))
async def client(lsp_client: LanguageClient, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[None]:
    folder = tmp_path_factory.mktemp("rules")
    (folder / "lanterns.yaml").write_text(LANTERNS, "utf-8")
    (folder / "windy.yaml").write_text(LAYER, "utf-8")
    workspace = lsp.WorkspaceFolder(folder.as_uri(), "rules")
    capabilities = pytest_lsp.client_capabilities("visual-studio-code")
    await lsp_client.initialize_session(
        lsp.InitializeParams(capabilities=capabilities, root_uri=folder.as_uri(), workspace_folders=[workspace])
    )
    lsp_client.folder = folder
    lsp_client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)(lambda params: None)
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, text: str, name: str = "lanterns.yaml") -> lsp.TextDocumentIdentifier:
    """A document that is open and checked."""
    uri = (client.folder / name).as_uri()
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "yaml", 1, text)))
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return lsp.TextDocumentIdentifier(uri)


def place(text: str, part: str, plus: int = 0) -> lsp.Position:
    """The position of a part of a text, which stands on a line of plain characters."""
    before = text[: text.index(part) + plus]
    return lsp.Position(before.count("\n"), len(before) - before.rfind("\n") - 1)


@pytest.mark.asyncio
async def test_a_slip_is_shown_mended_and_gone(client: LanguageClient) -> None:
    document = await opened(client, BROKEN)
    (told,) = client.diagnostics[document.uri]
    assert (told.code, told.severity) == ("HR301", lsp.DiagnosticSeverity.Error)
    assert told.message == "`roled` is not defined here\nhelp: did you mean `rolled`?"
    assert told.range.start == place(BROKEN, "roled")
    (action,) = await client.text_document_code_action_async(
        lsp.CodeActionParams(document, told.range, lsp.CodeActionContext([told]))
    )
    (edit,) = action.edit.changes[document.uri]
    assert (action.title, edit.new_text) == ("Write `rolled`", "rolled")
    version = lsp.VersionedTextDocumentIdentifier(2, document.uri)
    change = lsp.TextDocumentContentChangePartial(edit.range, edit.new_text)
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(version, [change]))
    await client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not client.diagnostics[document.uri]


@pytest.mark.asyncio
async def test_a_text_is_formatted_as_fmt_lays_it_out(client: LanguageClient) -> None:
    ragged = "ruleset:   ragged\nmechanics:\n    leap: {steps: {run_up: {roll: '2d6'}}}   # both dice\n"
    document = await opened(client, ragged, "ragged.yaml")
    asked = lsp.DocumentFormattingParams(document, lsp.FormattingOptions(2, True))
    (edit,) = await client.text_document_formatting_async(asked)
    assert edit.new_text == "ruleset: ragged\nmechanics:\n  leap: {steps: {run_up: {roll: 2d6}}}  # both dice\n"
    broken = await opened(client, "ruleset: broken\nmechanics: {leap: [\n", "broken.yaml")
    assert not await client.text_document_formatting_async(lsp.DocumentFormattingParams(broken, asked.options))


@pytest.mark.asyncio
async def test_columns_behind_an_emoji_are_those_of_the_protocol(client: LanguageClient) -> None:
    text = LANTERNS.replace("{roll: 2d6}", '{roll: 2d6, about: "🎲🎲", if: heigth > 0}')
    document = await opened(client, text)
    told = next(one for one in client.diagnostics[document.uri] if one.code == "HR301")
    line = text.splitlines()[told.range.start.line].encode("utf-16-le")
    assert line[2 * told.range.start.character : 2 * told.range.end.character].decode("utf-16-le") == "heigth"


@pytest.mark.asyncio
async def test_completion_hover_and_definition(client: LanguageClient) -> None:
    document = await opened(client, LANTERNS)
    at = place(LANTERNS, "eased(height)", 8)
    offered = await client.text_document_completion_async(lsp.CompletionParams(document, at))
    assert {"height", "reach", "rolled"} <= {one.label for one in offered}
    told = await client.text_document_hover_async(lsp.HoverParams(document, at))
    assert told.contents.value == "`height`: a number, at least 1; default 4. How far it is."
    for _ in range(100):
        told = await client.text_document_hover_async(lsp.HoverParams(document, place(LANTERNS, "climb:")))
        if "being computed" not in told.contents.value:
            break
        await asyncio.sleep(0.1)
    assert told.contents.value.startswith("Climb a wall (`climb`).") and "  top      55.6%\n" in told.contents.value
    assert told.contents.value.index("55.6%") < told.contents.value.index("Inputs:")  # not where one must scroll
    found = await client.text_document_definition_async(lsp.DefinitionParams(document, at))
    assert (found.uri, found.range.start) == (document.uri, place(LANTERNS, "height:"))


@pytest.mark.asyncio
async def test_a_name_is_renamed_in_files_that_are_not_open(client: LanguageClient) -> None:
    document = await opened(client, LANTERNS)
    at = place(LANTERNS, "highest(rolled)", 9)
    span = await client.text_document_prepare_rename_async(lsp.PrepareRenameParams(document, at))
    assert span.start == place(LANTERNS, "rolled)")
    edit = await client.text_document_rename_async(lsp.RenameParams(document, at, "thrown"))
    counts = {uri.rsplit("/", 1)[-1]: len(edits) for uri, edits in edit.changes.items()}
    assert counts == {"lanterns.yaml": 2, "windy.yaml": 1}
    with pytest.raises(Exception, match="`height` is already taken"):
        await client.text_document_rename_async(lsp.RenameParams(document, at, "height"))


@pytest.mark.asyncio
async def test_a_lens_runs_a_case(client: LanguageClient) -> None:
    document = await opened(client, LANTERNS)
    (lens,) = await client.text_document_code_lens_async(lsp.CodeLensParams(document))
    assert lens.command.title == "Run case"
    call = lsp.ExecuteCommandParams(lens.command.command, lens.command.arguments)
    assert await client.workspace_execute_command_async(call) == {"passed": True, "message": "six is the top: passed"}


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_changes_of_ranges_make_the_text_of_the_editor(ending: str) -> None:
    """Edits as an editor counts them: lines by their endings, columns in UTF-16."""
    random = Random(3)
    text = f"a: 🎲 b{ending}{ending}é: d\u2028\x0bx{ending}"
    for _ in range(300):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice([0, 1, 3]))
        if "\r\n" in (text[start - 1 : start + 1], text[end - 1 : end + 1]):
            continue  # no editor puts a cursor there
        put = random.choice(["", "🎲", "x", f"y{ending}z", "\x0c"])
        change = lsp.TextDocumentContentChangePartial(lsp.Range(as_editor(text, start), as_editor(text, end)), put)
        text, made = text[:start] + put + text[end:], apply_changes(text, [change])
        assert made == text
    assert apply_changes(text, [lsp.TextDocumentContentChangeWholeDocument("new")]) == "new"


def as_editor(text: str, offset: int) -> lsp.Position:
    """A position by the wording of the protocol."""
    lines = re.split(r"\r\n|\n|\r", text[:offset])
    return lsp.Position(len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)


def test_without_pygls_the_command_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "pygls.py").write_text("raise ModuleNotFoundError(\"No module named 'pygls'\", name='pygls')\n")
    start = "sys.argv[1:] = ['lsp']; from interpreter.cli import main; main()"
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {start}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("HR019 the language server needs pygls") and "pip install '.[editor]'" in done.stderr


def test_a_ruleset_that_waits_with_a_later_text_is_checked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever types faster than the largest ruleset is checked waits for the last text, not for all of them."""
    file = tmp_path / "book.yaml"
    desktop = server.Desktop()
    submitted: list[Callable[[], None]] = []
    read: list[str] = []
    monkeypatch.setattr(desktop.checking, "submit", submitted.append)
    whole = server.analysis_of

    def noted(root: Path, texts: Mapping[Path, str], folders: tuple[Path, ...]) -> Analysis:
        read.append(texts[root])
        return whole(root, texts, folders)

    monkeypatch.setattr(server, "analysis_of", noted)
    loop = asyncio.new_event_loop()
    for face in (4, 6, 8):
        desktop.desk.write(file, f"ruleset: book\nmechanics: {{m: {{steps: {{x: {{roll: d{face}}}}}}}}}\n")
        desktop._check(file, loop)
    for work in submitted:
        work()
    loop.close()
    assert len(read) == 1 and "d8" in read[0]

"""A language server: it keeps the texts of an editor, checks them when typing pauses, and answers questions.

Analyses run in a thread, one after another, so that an answer never waits for one. An internal error is logged and
shown, and the server goes on.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from interpreter import bundled
from interpreter.diagnostics import Diagnostic, HouseruleError
from interpreter.diagnostics.source import Source, Span
from interpreter.editor import links
from interpreter.editor.analysis import Analysis, analysis_of, problems_of
from interpreter.editor.completion import completions_at, first_keys
from interpreter.editor.desk import Desk
from interpreter.editor.fixes import fixes_of
from interpreter.editor.hover import hover_at
from interpreter.editor.lenses import Ran, lenses_of, result_of_case
from interpreter.editor.odds import odds_lines
from interpreter.editor.positions import carry_offset
from interpreter.lsp.translate import (
    apply_changes,
    diagnostic_of,
    item_of,
    location_of,
    offset_of,
    path_of,
    range_between,
    uri_of,
    workspace_edit,
)
from interpreter.version import VERSION

PAUSE = 0.2
"""The seconds after the last change before a ruleset is checked."""
PATIENCE = 0.25
"""The seconds for which a hover waits for odds; later it says that they are being computed."""
MOST_ODDS = 2
"""The most odds that are computed at once."""
RUN_CASE = "houserule.runCase"
log = logging.getLogger("houserule.lsp")

Format = Callable[[str], str]
"""Formats the text of a file. Raises HouseruleError for a text that it cannot read."""


def serve(format_text: Format | None = None) -> None:
    """Serve one editor on standard input and output, until it says that it leaves."""
    Desktop(format_text).server.start_io()


class Desktop:
    """The server of one editor, with its desk."""

    def __init__(self, format_text: Format | None = None) -> None:
        self.server = LanguageServer("houserule", VERSION, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.desk = Desk((Path.cwd(),))
        self.format_text = format_text
        self.uris: dict[Path, str] = {}
        self.versions: dict[Path, int | None] = {}
        self.published: set[Path] = set()
        self.waiting: dict[Path, asyncio.TimerHandle] = {}
        self.odds: dict[tuple[str, str], tuple[str, ...] | None] = {}
        self.results: dict[tuple[Path, str], Ran] = {}
        self.checks: dict[Path, int] = {}
        """How many times each ruleset was to be checked."""
        self.checking = ThreadPoolExecutor(1, "check")
        self._register()

    def _register(self) -> None:
        def register(name: str, answer: Callable[[Any], Any], options: Any = None) -> None:
            self.server.feature(name, options)(self._guard(answer))

        async def run_case(uri: str, name: str) -> Any:
            return await self.run_case(uri, name)

        register(lsp.INITIALIZED, self.remember_folders)
        register(lsp.TEXT_DOCUMENT_DID_OPEN, self.open_document)
        register(lsp.TEXT_DOCUMENT_DID_CHANGE, self.edit_document)
        register(lsp.TEXT_DOCUMENT_DID_CLOSE, self.close_document)
        register(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self.update_changed_files)
        register(
            lsp.TEXT_DOCUMENT_COMPLETION, self.completion, lsp.CompletionOptions(trigger_characters=[".", " ", "{"])
        )
        register(lsp.TEXT_DOCUMENT_HOVER, self.hover)
        register(lsp.TEXT_DOCUMENT_DEFINITION, self.definition)
        register(lsp.TEXT_DOCUMENT_REFERENCES, self.references)
        register(lsp.TEXT_DOCUMENT_RENAME, self.rename, lsp.RenameOptions(prepare_provider=True))
        register(lsp.TEXT_DOCUMENT_PREPARE_RENAME, self.prepare_rename)
        register(lsp.TEXT_DOCUMENT_CODE_ACTION, self.code_actions, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
        register(lsp.TEXT_DOCUMENT_CODE_LENS, self.code_lenses)
        self.server.command(RUN_CASE)(run_case)
        if self.format_text is not None:
            register(lsp.TEXT_DOCUMENT_FORMATTING, self.format_document)

    def _guard(self, answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """A function that answers; internal errors are logged and shown, and the answer is None then."""
        if asyncio.iscoroutinefunction(answer):

            async def answer_later(params: Any) -> Any:
                try:
                    return await answer(params)
                except JsonRpcException:
                    raise
                except Exception as error:
                    self._report_failure(answer.__name__, error)

            return answer_later

        def direct(params: Any) -> Any:
            try:
                return answer(params)
            except JsonRpcException:
                raise
            except Exception as error:
                self._report_failure(answer.__name__, error)

        return direct

    def _report_failure(self, what: str, error: Exception) -> None:
        """Log and show an internal error, inside its handler."""
        log.error("internal error in %s\n%s", what, traceback.format_exc())
        self.show(f"Internal error of houserule ({what}): {error!r}. Please report it with the log.")

    def show(self, message: str, kind: lsp.MessageType = lsp.MessageType.Error) -> None:
        """Show a message in the editor."""
        self.server.window_show_message(lsp.ShowMessageParams(kind, message))

    # Texts

    def remember_folders(self, params: lsp.InitializedParams) -> None:
        folders = [path_of(uri) for uri in self.server.workspace.folders]
        self.desk.folders = tuple(folders) or (Path.cwd(),)

    def open_document(self, params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        path = path_of(document.uri)
        self.uris[path], self.versions[path] = document.uri, document.version
        self._schedule(self.desk.write(path, document.text, document.language_id == "houserule"), 0.0)

    def edit_document(self, params: lsp.DidChangeTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        text = apply_changes(self.desk.texts.get(path, ""), params.content_changes)
        self.versions[path] = params.text_document.version
        touched = self.desk.write(path, text)
        own = self.desk.roots.get(path)
        self._schedule(sorted(touched, key=lambda root: (root != own, root)), PAUSE)

    def close_document(self, params: lsp.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri)
        self._schedule(self.desk.close(path), PAUSE)
        self._publish()
        self.uris.pop(path, None)

    def update_changed_files(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        self._schedule(set(self.desk.roots.values()), PAUSE)

    # Checking

    def _schedule(self, roots: Iterable[Path], pause: float) -> None:
        """Check rulesets after a pause; one that waits already begins to wait anew."""
        loop = asyncio.get_running_loop()
        for root in roots:
            if (before := self.waiting.pop(root, None)) is not None:
                before.cancel()
            self.waiting[root] = loop.call_later(pause, self._check, root, loop)

    def _check(self, root: Path, loop: asyncio.AbstractEventLoop) -> None:
        self.waiting.pop(root, None)
        texts, folders = dict(self.desk.texts), self.desk.folders
        self.checks[root] = number = self.checks.get(root, 0) + 1

        def work() -> None:
            if self.checks[root] != number:  # a later text of it waits, too
                return
            try:
                analysis = analysis_of(root, texts, folders)
                if analysis.loaded.program is not None and analysis.loaded.program.claims:  # their odds take long
                    loop.call_soon_threadsafe(self._keep_analysis, analysis, list(analysis.loaded.problems))
                loop.call_soon_threadsafe(self._keep_analysis, analysis, problems_of(analysis))
                _ = (
                    analysis.uses,
                    analysis.definitions,
                    analysis.name_at(Source("", ""), 0),
                )  # so that no answer makes them, and after the problems, which somebody waits for
            except Exception as error:
                log.error("internal error in checking %s\n%s", root, traceback.format_exc())
                message = f"Internal error of houserule in checking {root.name}: {error!r}."
                loop.call_soon_threadsafe(self.show, message)

        self.checking.submit(work)

    def _keep_analysis(self, analysis: Analysis, problems: list[Diagnostic]) -> None:
        self.desk.keep_analysis(analysis, problems)
        if analysis.root not in self.waiting:
            self._publish()

    def _publish(self) -> None:
        """Send the problems of every file, and nothing for those that have none any more."""
        problems = self.desk.diagnostics()
        for path in sorted({*problems, *self.published, *self.desk.roots}):
            diagnostics = [diagnostic_of(one, self.desk.paths) for one in problems.get(path, ())]
            uri = self.uris.get(path) or uri_of(path)
            version = self.versions.get(path) if path in self.desk.texts else None
            self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, diagnostics, version))
        self.published = set(problems)

    def _place_of(self, params: Any) -> tuple[Path, Source | None, int]:
        """The file, the text and the offset that a question is about."""
        path = path_of(params.text_document.uri)
        source = self.desk.source(path) if path in self.desk.roots else None
        return path, source, offset_of(source, params.position) if source is not None else 0

    # Answers

    def completion(self, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        path, source, offset = self._place_of(params)
        if source is not None:
            offered = completions_at(self.desk.analysis(path), source, offset)
        elif (source := self.desk.source(path)) is not None:  # nothing says yet that it is a ruleset
            offset = offset_of(source, params.position)
            offered = first_keys(source, offset)
        else:
            return []
        return [item_of(one, source, offset, self._inserts_lines) for one in offered]

    @property
    def _inserts_lines(self) -> bool:
        """Whether the editor can insert lines without indenting them itself."""
        asked: Any = self.server.client_capabilities
        for name in ("text_document", "completion", "completion_item", "insert_text_mode_support", "value_set"):
            asked = getattr(asked, name, None)
        return lsp.InsertTextMode.AsIs in (asked or ())

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        path, source, offset = self._place_of(params)
        analysis, sound = self.desk.analysis(path), self.desk.last_sound(path)
        if source is None or analysis is None:
            return None
        told = hover_at(analysis, sound, source, offset)
        if told is None:
            return None
        title, *rest = [_escape(line) for line in told.lines] or [""]
        odds = await self._odds(sound, told.rule) if told.rule is not None and sound is not None else ()
        block = "\n".join(["```text", *odds, "```"]) if odds else ""  # before all that may have to be scrolled to
        parts = [title, block, "  \n".join(rest)] if block else ["  \n".join([title, *rest])]
        parts = [part for part in parts if part]
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, "\n\n".join(parts))
        return lsp.Hover(text, range_between(source, told.start, told.end))

    async def _odds(self, analysis: Analysis, rule: str) -> tuple[str, ...]:
        """The odds of a mechanic, or that they are being computed; they are computed once for each text."""
        assert analysis.loaded.program is not None
        key = analysis.fingerprint, rule
        if key not in self.odds:
            if sum(one is None for one in self.odds.values()) >= MOST_ODDS:
                return ("Other odds are being computed; point here again.",)
            self.odds[key] = None
            Thread(target=self._compute_odds, args=(analysis, key), daemon=True).start()
        for _ in range(12):
            if self.odds[key] is not None:
                break
            await asyncio.sleep(PATIENCE / 12)
        return self.odds[key] or ("The odds are being computed; point here again.",)

    def _compute_odds(self, analysis: Analysis, key: tuple[str, str]) -> None:
        try:
            self.odds[key] = odds_lines(analysis, key[1])
        except Exception as error:
            log.error("internal error in odds of %s\n%s", key[1], traceback.format_exc())
            self.odds[key] = (f"No odds: internal error {error!r}.",)

    def definition(self, params: lsp.DefinitionParams) -> lsp.Location | None:
        path, source, offset = self._place_of(params)
        analysis = self.desk.analysis(path)
        place = links.definition_of(analysis, source, offset) if analysis is not None and source is not None else None
        return location_of(place) if place is not None else None

    async def references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        path, source, offset = self._place_of(params)
        if source is None:
            return []
        places = await self._run_in_thread(self._declared_and_users, path, source, offset)
        if places is None:
            return []
        declared, analyses = places
        return [location_of(one) for one in links.references_of(analyses, declared, params.context.include_declaration)]

    def _declared_and_users(self, path: Path, source: Source, offset: int) -> tuple[Span, list[Analysis]] | None:
        """Where the name at an offset is declared, and fresh analyses of all rulesets that may use it."""
        texts, folders = dict(self.desk.texts), self.desk.folders
        root = self.desk.roots[path]
        own = analysis_of(root, texts, folders)
        place = links.place_at(own, source, offset)
        if place is None:
            return None
        declared = own.references.get(place, place)
        folders_of = list(dict.fromkeys((*folders, root.parent)))
        others = {*self.desk.roots.values(), *links.layers_with_word(declared.text, root, folders_of, texts)} - {root}
        return declared, [own, *(analysis_of(one, texts, folders) for one in sorted(others))]

    async def _run_in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.checking, function, *arguments)

    def prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.Range | None:
        path, source, offset = self._place_of(params)
        analysis = self.desk.analysis(path)
        place = links.place_at(analysis, source, offset) if analysis is not None and source is not None else None
        if place is None or source is None:
            return None
        start = carry_offset(place.source.text, source.text, place.start)
        return range_between(source, start, start + place.end - place.start) if start is not None else None

    async def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        path, source, offset = self._place_of(params)
        if (reason := links.refused_name(params.new_name)) is not None:
            raise _refusal(reason)
        places = (
            await self._run_in_thread(self._declared_and_users, path, source, offset) if source is not None else None
        )
        if places is None:
            raise _refusal("there is no name of the ruleset here")
        declared, analyses = places
        edits = links.rename_edits(analyses, declared, params.new_name)
        shipped = [one.path.name for one in edits if self._is_shipped(one.path)]
        if shipped:
            raise _refusal(
                f"it is used in {shipped[0]}, which comes with houserule; a house rule has `rename` for that"
            )
        error = await self._run_in_thread(links.error_after, analyses, dict(self.desk.texts), edits, self.desk.folders)
        if error is not None:
            raise _refusal(f"{error.path}:{error.line}: {error.message}")
        return workspace_edit(edits)

    def _is_shipped(self, path: Path) -> bool:
        """Whether a file comes with the program, and does not lie in a folder that is open."""
        shipped = {one.parent.resolve() for one in bundled.rulesets().values()}
        inside = any(path.is_relative_to(one) for one in shipped)
        return inside and not any(path.is_relative_to(folder) for folder in self.desk.folders)

    def code_actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path = path_of(params.text_document.uri)
        source = self.desk.source(path)
        if source is None:
            return []
        first, last = offset_of(source, params.range.start), offset_of(source, params.range.end)
        actions = []
        for problem in self.desk.diagnostics().get(path, ()):
            start = carry_offset(problem.span.source.text, source.text, problem.span.start)
            if start is None or start > last or start + problem.span.end - problem.span.start < first:
                continue
            for fix in fixes_of(problem):
                edits = [self._edit(span, text) for span, text in fix.edits]
                if all(edits):
                    actions.append(
                        lsp.CodeAction(
                            fix.title,
                            lsp.CodeActionKind.QuickFix,
                            diagnostics=[diagnostic_of(problem, self.desk.paths)],
                            is_preferred=True,
                            edit=workspace_edit(one for one in edits if one is not None),
                        )
                    )
        return actions

    def _edit(self, span: Span, text: str) -> links.FileEdit | None:
        """An edit of a place in the text as it is now; None where it was changed since."""
        path = self.desk.paths.get(span.source.name)
        source = self.desk.source(path) if path is not None else None
        if path is None:
            return None
        if source is None:
            return links.FileEdit(path, span, text)
        start = carry_offset(span.source.text, source.text, span.start)
        if start is None or source.text[start : start + span.end - span.start] != span.text:
            return None
        return links.FileEdit(path, Span(source, start, start + span.end - span.start), text)

    # Cases

    def code_lenses(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        path = path_of(params.text_document.uri)
        source, analysis = self.desk.source(path), self.desk.analysis(path)
        if source is None or analysis is None:
            return []
        lenses = []
        for one in lenses_of(analysis, source):
            result = self.results.get((path, one.name))
            title = "Run case" if result is None else f"Run case again ({'failed' if result.failures else result.said})"
            command = lsp.Command(title, RUN_CASE, arguments=[params.text_document.uri, one.name])
            lenses.append(lsp.CodeLens(range_between(source, one.offset, one.offset), command))
        return lenses

    async def run_case(self, uri: str, name: str) -> dict[str, Any]:
        """Run a case of a file, and show what comes of it."""
        path = path_of(uri)
        texts, folders, root = dict(self.desk.texts), self.desk.folders, self.desk.roots.get(path)
        try:
            done = (
                await self._run_in_thread(lambda: result_of_case(analysis_of(root, texts, folders), name))
                if root
                else None
            )
        except HouseruleError as error:
            self.show(str(error))
            return {"passed": False, "message": str(error)}
        if done is None:
            message = f"{name}: it cannot run while the ruleset has errors"
            self.show(message, lsp.MessageType.Warning)
            return {"passed": False, "message": message}
        self.results[path, name] = done
        message = done.said if done.failures else f"{name}: {done.said}"
        self.show(message, lsp.MessageType.Error if done.failures else lsp.MessageType.Info)
        window = self.server.client_capabilities.workspace
        if window is not None and window.code_lens is not None and window.code_lens.refresh_support:
            self.server.workspace_code_lens_refresh(None)
        return {"passed": not done.failures, "message": message}

    def format_document(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        source = self.desk.source(path_of(params.text_document.uri))
        if source is None or self.format_text is None:
            return []
        try:
            text = self.format_text(source.text)
        except HouseruleError:
            return []  # its problems are shown already
        return [lsp.TextEdit(range_between(source, 0, len(source.text)), text)] if text != source.text else []


def _refusal(reason: str) -> JsonRpcException:
    """Why a rename is refused, as the editor shows it."""
    return JsonRpcException(reason, -32803)  # RequestFailed of the protocol


def _escape(line: str) -> str:
    """A line of an explanation as Markdown, with its indentation."""
    indent = len(line) - len(line.lstrip(" "))
    return "&nbsp;" * indent + line.lstrip(" ").replace("*", "\\*").replace("<", "&lt;")

"""The server: which file is looked at when, and what the editor is told.

A file of a program of several is looked at by itself first, then together with the others.

A C file is looked at when it is opened, saved, or has not changed for a moment; so is each open file that includes a
changed one. What was being asked of its old text is given up. Changes to a loop are tried when the editor asks what
can be done there, once for each text.

Loops of a header are those that the open C files have found in it.

    In: the editor's messages.   Out: diagnostics, hovers, code actions.   Not here: what is said -- analysis.py.
"""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from ompc import __version__
from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass, field
from ompc.base.source import Location
from ompc.frontend.preprocess import read_source
from ompc.lsp import protocol
from ompc.lsp.answers import Answer, Failure, Fix, Fixes, Job, LoopAnswer, Result
from ompc.lsp.projects import Compiled, Projects
from ompc.lsp.workers import Workers

PAUSE = 0.4
"""Seconds without a change after which a text is looked at."""


NOTHING = Answer(())


@dataclass(slots=True)
class Opened:
    """A C file that the editor has open. `answer` is about the text that `task` looks at, or about an older one;
    `fixes`: changes to a loop, by its file and line; `is_whole`: it has been looked at with the program's other files.
    """

    path: str
    uri: str
    task: asyncio.Task[None] | None = None
    answer: Answer = NOTHING
    fixes: dict[tuple[str, int], asyncio.Task[tuple[Fix, ...]]] = field(default_factory=dict)
    is_whole: bool = False

    def forget(self) -> None:
        for task in (self.task, *self.fixes.values()):
            if task is not None:
                task.cancel()
        self.fixes.clear()


class Server(LanguageServer):
    """`texts`: of each text that the editor has open, by its path, the name by which the editor knows it; `opened`: the
    C files among them, by that name. Texts come whole: where a line ends is then the C compiler's affair alone.
    """

    def __init__(self, projects: Projects) -> None:
        super().__init__("ompc", __version__, types.TextDocumentSyncKind.Full)
        self.projects = projects
        self.workers = Workers()
        self.texts: dict[str, str] = {}
        self.opened: dict[str, Opened] = {}

    # ------------------------------------------------------------------------ texts

    @property
    def client(self) -> protocol.Client:
        return protocol.client_of(self.client_capabilities, self.workspace.position_codec, self._uri_of)

    def _uri_of(self, path: str) -> tuple[str, int | None]:
        uri = self.texts.get(path)
        if uri is None:
            return Path(path).as_uri(), None
        return uri, self.workspace.get_text_document(uri).version

    def unsaved(self) -> dict[str, str]:
        """Texts of the editor that are not those on the disk, by their paths."""
        texts = ((path, self.workspace.get_text_document(uri).source) for path, uri in self.texts.items())
        return {path: text for path, text in texts if text != _on_disk(path)}

    def lines_of(self, path: str) -> Sequence[str]:
        uri = self.texts.get(path)
        text = _on_disk(path) if uri is None else self.workspace.get_text_document(uri).source
        return (text or "").split("\n")

    # ------------------------------------------------------------------------ looking at files

    def look(self, changed: str, pause: float) -> None:
        """At the open files that the text of `changed` is part of, after `pause` seconds."""
        for opened in self.opened.values():
            if changed in (opened.path, *opened.answer.reads):
                opened.forget()
                opened.task = asyncio.ensure_future(self._look(opened, pause))

    async def _look(self, opened: Opened, pause: float) -> None:
        await asyncio.sleep(pause)
        problems: tuple[Diagnostic, ...] = ()
        try:
            compiled = self.projects.of(opened.path)
            problems = compiled.problems
            result = await self._result(opened, replace(compiled, beside=()), None)
            if compiled.beside and isinstance(result, Answer) and not _has_errors(result):
                if not opened.is_whole:
                    self._say(opened, result, problems)
                result = await self._result(opened, compiled, None)
                opened.is_whole = True
        except Exception as error:  # what goes wrong with one file must not end the server
            result = Failure(f"{type(error).__name__}: {error}", traceback.format_exc())
        self._say(opened, result, problems)

    def _say(self, opened: Opened, result: Result, problems: Sequence[Diagnostic]) -> None:
        answer = self._failed(opened, result) if isinstance(result, Failure) else result
        assert isinstance(answer, Answer), "no loop was named to try changes for"
        before = opened.answer
        opened.answer = replace(answer, diagnostics=(*problems, *answer.diagnostics))
        self.publish({opened.path, *_files_with_diagnostics(before), *_files_with_diagnostics(opened.answer)})

    async def _result(self, opened: Opened, compiled: Compiled, at: tuple[str, int] | None) -> Result:
        job = Job(opened.path, compiled.directory, compiled.options, self.unsaved(), at, compiled.beside)
        return await self.workers.result_of(job)

    def _failed(self, opened: Opened, failure: Failure) -> Answer:
        """ompc itself is wrong: the loops that were known stay known."""
        self.window_log_message(
            types.LogMessageParams(types.MessageType.Error, f"{opened.path}: {failure.why}\n{failure.details}")
        )
        said = Diagnostic("OMPC901", Kind.BUG, f"ompc failed: {failure.why}", Location(opened.path, 1))
        return Answer((said,), opened.answer.loops, opened.answer.reads or (opened.path,))

    def publish(self, paths: Iterable[str]) -> None:
        """What all open files say of these ones."""
        for path in sorted(paths):
            lines, client = self.lines_of(path), self.client
            found = [
                protocol.diagnostic(each, lines, client)
                for opened in self.opened.values()
                for each in opened.answer.diagnostics
                if _file_of(each, opened) == path
            ]
            distinct = [each for number, each in enumerate(found) if each not in found[:number]]
            uri, version = client.uri_of(path)
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, distinct, version))

    # ------------------------------------------------------------------------ questions

    async def loops_at(self, uri: str, first: int, last: int) -> list[tuple[Opened, LoopAnswer]]:
        """The loops that have one of these lines, counted from 1, once the newest text has been looked at."""
        path = path_of(uri)
        own = self.opened.get(uri)
        while own is not None and own.task is not None and not own.task.done():
            await asyncio.wait([own.task])
        return [
            (opened, loop)
            for opened in self.opened.values()
            for loop in opened.answer.loops
            if loop.file == path and loop.first <= last and first <= loop.last
        ]

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        line, path = params.position.line + 1, path_of(params.text_document.uri) or ""
        found = await self.loops_at(params.text_document.uri, line, line)
        lines = self.lines_of(path)
        heads = [loop for _, loop in found if line <= protocol.last_line_of_head(loop, lines)]
        innermost = max(heads, key=lambda loop: loop.first, default=None)
        return None if innermost is None else protocol.hover(innermost, lines, self.client)

    async def code_actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        only = params.context.only
        if only is not None and not any(types.CodeActionKind.QuickFix.startswith(kind) for kind in only):
            return []
        first, last = params.range.start.line + 1, params.range.end.line + 1
        found = await self.loops_at(params.text_document.uri, first, last)
        actions: list[types.CodeAction] = []
        for opened, loop in found:
            cures = [each for each in params.context.diagnostics if _is_about(each, loop)]
            for fix in await self._fixes(opened, loop) if loop.on_host else ():
                action = protocol.code_action(fix, self.lines_of(fix.file), self.client, cures)
                actions += [] if action in actions else [action]
        return actions

    async def _fixes(self, opened: Opened, loop: LoopAnswer) -> tuple[Fix, ...]:
        key = loop.file, loop.first
        if key not in opened.fixes:
            opened.fixes[key] = asyncio.ensure_future(self._try(opened, key))
        task = opened.fixes[key]
        await asyncio.wait([task])  # whoever asks may be cancelled, and the next one gets the answer
        return () if task.cancelled() else task.result()

    async def _try(self, opened: Opened, at: tuple[str, int]) -> tuple[Fix, ...]:
        result = await self._result(opened, self.projects.of(opened.path), at)
        return result.made if isinstance(result, Fixes) else ()


def path_of(uri: str) -> str | None:
    """The absolute path; None: it is no file, as a text that has never been saved."""
    path = uris.to_fs_path(uri)
    return None if path is None or not path.startswith("/") else os.path.normpath(path)


def _on_disk(path: str) -> str | None:
    try:
        return read_source(Path(path))
    except CompileError:
        return None


def _file_of(found: Diagnostic, opened: Opened) -> str:
    """The file to show it in: the C file itself, where it is about no place of the user's."""
    if found.at is None or not Path(found.at.file).is_file():
        return opened.path
    return found.at.file


def _files_with_diagnostics(answer: Answer) -> set[str]:
    return {each.at.file for each in answer.diagnostics if each.at is not None and Path(each.at.file).is_file()}


def _has_errors(answer: Answer) -> bool:
    return any(each.kind is Kind.ERROR for each in answer.diagnostics)


def _is_about(found: types.Diagnostic, loop: LoopAnswer) -> bool:
    return found.source == protocol.SOURCE and loop.first <= found.range.start.line + 1 <= loop.last


def make_server(projects: Projects) -> Server:
    """The server, which waits to be started; within a running program it is one of several."""
    server = Server(projects)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        path = path_of(document.uri)
        if path is not None and path.endswith(".c") and document.language_id in {"c", ""}:
            server.opened[document.uri] = Opened(path, document.uri)
        if path is not None:
            server.texts[path] = document.uri
            server.look(path, 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: types.DidChangeTextDocumentParams) -> None:
        server.look(path_of(params.text_document.uri) or "", PAUSE)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def did_save(params: types.DidSaveTextDocumentParams) -> None:
        server.look(path_of(params.text_document.uri) or "", 0)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: types.DidCloseTextDocumentParams) -> None:
        path = path_of(params.text_document.uri) or ""
        server.texts.pop(path, None)
        closed = server.opened.pop(params.text_document.uri, None)
        if closed is not None:
            closed.forget()
            server.publish({closed.path, *_files_with_diagnostics(closed.answer)})
        server.look(path, PAUSE)  # what was not saved is gone

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        return await server.hover(params)

    kinds = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, kinds)
    async def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        return await server.code_actions(params)

    return server


def serve(projects: Projects, requests: BinaryIO, answers: BinaryIO) -> None:
    """Until the editor says that it ends, or is gone."""
    server = make_server(projects)
    try:
        server.start_io(requests, answers)
    finally:
        server.workers.close()

"""A client of the language server that speaks its protocol itself: `ompc lsp` as a process, as an editor starts it."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

SECONDS = 60
"""The longest that an answer may take on a loaded machine."""


class Client:
    """Messages that the server sends of itself are kept in `told`, in their order."""

    def __init__(self, folder: Path, *words: str, capabilities: Mapping[str, object] | None = None) -> None:
        command = [sys.executable, "-m", "ompc", "lsp", *words]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.told: list[dict[str, Any]] = []
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._number = 0
        self._answers: dict[int, dict[str, Any]] = {}
        threading.Thread(target=self._read, daemon=True).start()
        self.server = self.ask("initialize", processId=None, rootUri=folder.as_uri(), capabilities=capabilities or {})
        self.tell("initialized")

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while header := out.readline():
            assert header.startswith(b"Content-Length: "), f"something else on standard output: {header!r}"
            while out.readline().strip():
                pass
            self._messages.put(json.loads(out.read(int(header.split()[1]))))
        self._messages.put(None)

    def _send(self, message: Mapping[str, object]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self.process.stdin.flush()

    def _next(self) -> dict[str, Any]:
        message = self._messages.get(timeout=SECONDS)
        assert message is not None, "the server has ended"
        return message

    def tell(self, method: str, **params: object) -> None:
        self._send({"method": method, "params": params})

    def begin(self, method: str, **params: object) -> int:
        """A question whose answer nobody waits for yet; its number."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int) -> Any:
        while number not in self._answers:
            message = self._next()
            if "method" in message:
                self.told.append(message)
            else:
                self._answers[message["id"]] = message
        message = self._answers.pop(number)
        return message.get("error") or message["result"]

    def ask(self, method: str, **params: object) -> Any:
        return self.answer(self.begin(method, **params))

    def wait_for(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message, from the oldest that nobody has waited for, that is wanted."""
        while True:
            message = self.told.pop(0) if self.told else self._next()
            if "method" not in message:
                self._answers[message["id"]] = message
            elif wanted(message):
                return message

    def diagnostics(self, uri: str, version: int | None = None) -> list[dict[str, Any]]:
        """The next ones of a file, of this version of its text if one is named."""
        found = self.wait_for(
            lambda message: message.get("method") == "textDocument/publishDiagnostics"
            and message["params"]["uri"] == uri
            and version in (None, message["params"].get("version"))
        )
        return list(found["params"]["diagnostics"])

    def open(self, path: Path, text: str | None = None, language: str = "c") -> str:
        uri = path.as_uri()
        text = path.read_text() if text is None else text
        self.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": language, "version": 1, "text": text})
        return uri

    def change(self, uri: str, version: int, text: str) -> None:
        document = {"uri": uri, "version": version}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def hover(self, uri: str, line: int) -> Any:
        """`line` counts from 1."""
        return self.ask("textDocument/hover", textDocument={"uri": uri}, position={"line": line - 1, "character": 1})

    def actions(self, uri: str, line: int, diagnostics: list[Any] | None = None) -> list[dict[str, Any]]:
        place = {"line": line - 1, "character": 0}
        context = {"diagnostics": diagnostics or []}
        found = self.ask(
            "textDocument/codeAction", textDocument={"uri": uri}, range={"start": place, "end": place}, context=context
        )
        assert isinstance(found, list), found
        return found

    def close(self) -> int:
        """As an editor ends it; the exit status."""
        self.ask("shutdown")
        self.tell("exit")
        return self.process.wait(timeout=SECONDS)

"""One file -> its loops and where each is, found out in a process of its own, which may crash or never end.

In: Source, level, seconds.   Out: FileResult.
"""

from __future__ import annotations

import multiprocessing
import time
import traceback
from collections.abc import Iterable, Mapping
from multiprocessing.connection import Connection
from typing import Any

from ompc.diagnostics import CompileError, format_diagnostic
from ompc.driver import translate
from ompc.options import Level, Options

from .records import FileResult, Loop, Translated
from .suites import Source

_Found = tuple[Translated, tuple[Loop, ...], str]
REFUSED_CODES = frozenset({"OMPC101", "OMPC102", "OMPC103"})
"""The file is no C; anything else that stops ompc is worth a look."""


def examine(suite: str, source: Source, level: Level, seconds: float) -> FileResult:
    """Translate the file; a process that crashes or runs too long is a result too."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, source, level), daemon=True)
    started = time.monotonic()
    process.start()
    sender.close()
    outcome, loops, message = _received(receiver, process, seconds)
    process.join(5)
    process.kill()
    receiver.close()
    return FileResult(suite, str(source.path), outcome, round(time.monotonic() - started, 2), loops, message)


def _received(receiver: Connection, process: Any, seconds: float) -> _Found:
    if not receiver.poll(seconds):
        process.kill()
        return Translated.TIMEOUT, (), f"not translated in {seconds:.0f} s"
    try:
        found: _Found = receiver.recv()
    except EOFError:
        process.join(5)
        return Translated.CRASH, (), f"the process ended with status {process.exitcode}"
    return found


def _send(sender: Connection, source: Source, level: Level) -> None:
    sender.send(_translated(source, level))
    sender.close()


def _translated(source: Source, level: Level) -> _Found:
    try:
        translation = translate(source.path, Options(level, cpp_flags=source.flags, cc="gcc"))
        for text in translation.dumps.values():
            assert isinstance(text, str)
    except CompileError as error:
        text = "\n".join(format_diagnostic(d) for d in error.diagnostics)
        refused = {d.code for d in error.diagnostics} <= REFUSED_CODES
        return (Translated.REFUSED if refused else Translated.CRASH), (), text
    except BaseException:  # whatever it is, it is a bug that must be reported
        return Translated.CRASH, (), traceback.format_exc()[-4000:]
    regions: Any = translation.report["regions"]
    whole_file = "" if regions else "\n".join(format_diagnostic(d) for d in translation.diagnostics)
    return Translated.YES, tuple(_loops(regions)), whole_file


def _loops(regions: Iterable[Mapping[str, Any]]) -> Iterable[Loop]:
    for region in regions:
        reason = region["reason"] or {"code": "", "message": ""}
        yield Loop(
            region["function"],
            region["line"],
            region["directive"],
            tuple(region["clauses"]),
            region["target"] == "gpu",
            reason["code"],
            reason["message"],
        )

"""Files -> their loops and where each is, found out in a process of its own, which may crash or never end.

Files of one program are translated together, since a loop may call functions of the other files.

In: Sources, level, seconds.   Out: a FileResult for each.
"""

from __future__ import annotations

import multiprocessing
import subprocess
import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any

from ompc.base.diagnostics import CompileError, format_diagnostic
from ompc.base.options import Level, Options
from ompc.base.translation import Translation
from ompc.driver import translate_program

from .records import FileResult, Loop, LoopAlone, Translated
from .suites import Source

_Found = tuple[Translated, tuple[Loop, ...], str]


def examine(suite: str, sources: Sequence[Source], level: Level, seconds: float) -> list[FileResult]:
    """Translate the files; a process that crashes or runs too long is a result too."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(sender, sources, level), daemon=True)
    started = time.monotonic()
    process.start()
    sender.close()
    found = _received(receiver, process, seconds, len(sources))
    process.join(5)
    process.kill()
    receiver.close()
    each = round((time.monotonic() - started) / len(sources), 2)
    return [
        FileResult(suite, str(source.path), outcome, each, loops, message)
        for source, (outcome, loops, message) in zip(sources, found, strict=True)
    ]


def _received(receiver: Connection, process: Any, seconds: float, count: int) -> list[_Found]:
    if not receiver.poll(seconds):
        process.kill()
        return [(Translated.TIMEOUT, (), f"not translated in {seconds:.0f} s")] * count
    try:
        found: list[_Found] = receiver.recv()
    except EOFError:
        process.join(5)
        return [(Translated.CRASH, (), f"the process ended with status {process.exitcode}")] * count
    return found


def _send(sender: Connection, sources: Sequence[Source], level: Level) -> None:
    sender.send(_translated(sources, level))
    sender.close()


def _translated(sources: Sequence[Source], level: Level) -> list[_Found]:
    refused = [_refused(source) for source in sources]
    if any(refused):
        if len(sources) > 1:
            return [found for source in sources for found in _translated([source], level)]
        return [(Translated.REFUSED, (), refused[0])]
    try:
        options = Options(level, cpp_flags=sources[0].flags, cc="gcc")
        translations = translate_program([source.path for source in sources], options)
        for translation in translations:
            for text in translation.dumps.values():
                assert isinstance(text, str)
    except CompileError as error:
        text = "\n".join(format_diagnostic(d) for d in error.diagnostics)
        return [(Translated.CRASH, (), text)] * len(sources)  # gcc takes it
    except BaseException:  # whatever it is, it is a bug that must be reported
        return [(Translated.CRASH, (), traceback.format_exc()[-4000:])] * len(sources)
    return [_found(translation) for translation in translations]


def _refused(source: Source) -> str:
    """What gcc has against the file: all of gcc, since nesting of constructs is checked after the syntax."""
    command = ["gcc", "-fopenmp", "-w", "-O0", *source.flags, "-S", str(source.path), "-o", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
    return (done.stderr[-1000:] or "refused") if done.returncode else ""


def _found(translation: Translation) -> _Found:
    regions: Any = translation.report["regions"]
    whole_file = "" if regions else "\n".join(format_diagnostic(d) for d in translation.diagnostics)
    return Translated.YES, tuple(_loops(regions)), whole_file


def _loops(regions: Iterable[Mapping[str, Any]]) -> Iterable[Loop]:
    for region in regions:
        if region["directive"] == "no pragma":
            continue  # one that ompc has added
        reason = region["reason"] or {"code": "", "message": ""}
        yield Loop(
            region["function"],
            region["line"],
            region["directive"],
            tuple(region["clauses"]),
            region["target"] == "gpu",
            reason["code"],
            reason["message"],
            tuple(_alone(region["launch"] or {})),
        )


def _alone(launch: Mapping[str, Any]) -> Iterable[LoopAlone]:
    for each in launch.get("alone", ()):
        yield LoopAlone(each["line"], each["because"], each["independent"])

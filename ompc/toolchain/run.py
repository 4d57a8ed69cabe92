"""Run a built program as if the user had started it: same standard streams, same exit status, signals passed on.

Ctrl-C reaches the program from the terminal; ompc waits for what the program makes of it. SIGTERM and SIGHUP sent to
ompc are handed on. A program that a signal killed gives 128 + its number, as in a shell.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from ompc.diagnostics import CompileError, Diagnostic, Kind

_QUIET = {signal.SIGINT, signal.SIGPIPE}
"""Ends that the user or the pipe's reader asked for: a shell says nothing about them either."""


def run_program(program: Path, arguments: Sequence[str], environ: Mapping[str, str]) -> tuple[int, Diagnostic | None]:
    """The exit status to pass on, and OMPC406 where a signal killed it. CompileError OMPC413: it cannot be started."""
    try:
        child = subprocess.Popen([str(program), *arguments], env=dict(environ))
    except OSError as error:
        raise CompileError(Diagnostic("OMPC413", Kind.ERROR, f"cannot start {program}: {error.strerror}")) from None
    with _signals_for(child):
        status = child.wait()
    if status >= 0:
        return status, None
    number = signal.Signals(-status) if -status in set(signal.Signals) else None
    return 128 - status, None if number in _QUIET else _killed(program.name, -status)


def _killed(name: str, number: int) -> Diagnostic:
    what = signal.strsignal(number)
    return Diagnostic("OMPC406", Kind.ERROR, f"{name} was killed by signal {number}" + (f" ({what})" if what else ""))


@contextmanager
def _signals_for(child: subprocess.Popen[bytes]) -> Iterator[None]:
    """While the child runs, the interrupt is its own affair and requests to end go to it."""

    def hand_on(number: int, _frame: FrameType | None) -> None:
        child.send_signal(number)

    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: None),
        signal.SIGQUIT: signal.signal(signal.SIGQUIT, lambda *_: None),
        signal.SIGTERM: signal.signal(signal.SIGTERM, hand_on),
        signal.SIGHUP: signal.signal(signal.SIGHUP, hand_on),
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

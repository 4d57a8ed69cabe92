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

from ompc.base.diagnostics import CompileError, Diagnostic, Kind
from ompc.base.frozen import dataclass, field

_QUIET = {signal.SIGINT, signal.SIGPIPE}
"""Signals by which the user, or the pipe's reader, asked the program to end: a shell says nothing about them either."""


def run_program(program: Path, arguments: Sequence[str], environ: Mapping[str, str]) -> tuple[int, Diagnostic | None]:
    """The exit status to pass on, and OMPC406 where a signal killed it. CompileError OMPC413: it cannot be started."""
    with _signals_handed_on() as to:
        try:
            child = subprocess.Popen([str(program), *arguments], env=dict(environ))
        except OSError as error:
            raise CompileError(Diagnostic("OMPC413", Kind.ERROR, f"cannot start {program}: {error.strerror}")) from None
        to.start(child)
        status = child.wait()
    if status >= 0:
        return status, None
    number = signal.Signals(-status) if -status in set(signal.Signals) else None
    return 128 - status, None if number in _QUIET else _killed(program.name, -status)


def _killed(name: str, number: int) -> Diagnostic:
    what = signal.strsignal(number)
    return Diagnostic("OMPC406", Kind.ERROR, f"{name} was killed by signal {number}" + (f" ({what})" if what else ""))


@dataclass(slots=True)
class _Receiver:
    """Who gets the requests to end: the child, from its start on; what came before that waits for it."""

    child: subprocess.Popen[bytes] | None = None
    waiting: list[int] = field(default_factory=list)

    def start(self, child: subprocess.Popen[bytes]) -> None:
        self.child = child
        while self.waiting:
            child.send_signal(self.waiting.pop())

    def hand_on(self, number: int, _frame: FrameType | None) -> None:
        if self.child is None:
            self.waiting.append(number)
        else:
            self.child.send_signal(number)


@contextmanager
def _signals_handed_on() -> Iterator[_Receiver]:
    """While the child starts and runs, the interrupt is its own affair and requests to end go to it."""
    receiver = _Receiver()
    before = {
        signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: None),
        signal.SIGQUIT: signal.signal(signal.SIGQUIT, lambda *_: None),
        signal.SIGTERM: signal.signal(signal.SIGTERM, receiver.hand_on),
        signal.SIGHUP: signal.signal(signal.SIGHUP, receiver.hand_on),
    }
    try:
        yield receiver
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

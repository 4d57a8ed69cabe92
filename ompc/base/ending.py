"""What is left when ompc is told to end: nothing. The temporary files of this process, and what it does on a signal.

    SIGINT, SIGTERM, SIGHUP     the compilers that it started end, its temporary files go, exit status 128 + the number

Nothing is unwound: threads may be in the middle of anything, and an exception in the middle of an import is none that
anybody could handle. So every temporary file or folder is known here before it exists, and what must not stop halfway
(two renames) is done undisturbed. A signal that the process ignored from its start stays ignored (nohup).

A program that is run for the user gets the signals itself (toolchain/run.py). In Python (`ompc.load`) the process is
its user's, and so are its signals.

A command that comes to its own end leaves its memory to the system, too (`leave`).

In: nothing.   Out: context managers; `watch_signals` for the commands.
Not here: signals before this module is there -- __main__.py.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ROUNDS = 40
"""The most rounds in which processes and files are searched for. Each is followed by a wait of 25 ms."""
QUIET_ROUNDS = 3
"""The process ends after so many rounds in a row that find nothing. One is not enough: a thread may be about to start a
compiler, whose folder (`run_tool`) it already has.
"""


_PR_SET_CHILD_SUBREAPER = 36
"""The value of this constant in Linux's <sys/prctl.h>."""


class _State:
    """What the handler must know: `left` is to go, `busy` how many blocks must not be disturbed, `asked` the signal
    that waits for their end; `ends`: nothing new is begun."""

    def __init__(self) -> None:
        self.left: set[Path] = set()
        self.busy = 0
        self.asked = 0
        self.ends = False


_STATE = _State()


@contextmanager
def temporary_directory(prefix: str, place: Path | None = None) -> Iterator[str]:
    """A new folder in `place`, or where temporary files are; it goes with all that is in it, if it is still there."""
    path = _new(prefix, place)
    try:
        path.mkdir(mode=0o700)
        yield str(path)
    finally:
        _remove(path)


@contextmanager
def temporary_file(prefix: str, place: Path) -> Iterator[tuple[int, Path]]:
    """A new file in `place`, open for writing, that is to be renamed; it goes where it was not. OSError."""
    path = _new(prefix, place)
    try:
        yield os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), path
    finally:
        _remove(path)


def _new(prefix: str, place: Path | None) -> Path:
    while _STATE.ends:
        time.sleep(1)  # in another thread; the process is about to end
    path = (place or Path(tempfile.gettempdir())) / f"{prefix}{os.urandom(6).hex()}"
    _STATE.left.add(path)
    return path


@contextmanager
def undisturbed() -> Iterator[None]:
    """A signal that comes meanwhile ends the process behind the block."""
    _STATE.busy += 1
    try:
        yield
    finally:
        _STATE.busy -= 1
        if _STATE.asked and not _STATE.busy:
            _end(_STATE.asked, None)


def watch_signals() -> None:
    """For a process that is ompc's own."""
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _end)


def leave(status: int) -> NoReturn:
    """End a command with this status, without freeing node by node what the system takes back at once: of a translation
    that takes two seconds, 0.2 s. Whoever waits for Python's own end has it: other threads, a profiler, a debugger, and
    streams that cannot be written, of which it speaks.
    """
    others = (thread for thread in threading.enumerate() if thread is not threading.main_thread())
    if sys.getprofile() is None and sys.gettrace() is None and all(thread.daemon for thread in others):
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    sys.exit(status)


def _end(number: int, _frame: object) -> None:
    if _STATE.busy:
        _STATE.asked = number
        return
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    _STATE.ends = True
    _adopt_orphans()
    quiet = 0
    for _ in range(ROUNDS):
        running = _descendants()
        for process in running:
            with suppress(OSError):
                os.kill(process, signal.SIGTERM)
        for path in tuple(_STATE.left):
            _remove(path)
        quiet = 0 if running or _STATE.left else quiet + 1
        if quiet == QUIET_ROUNDS:
            break
        time.sleep(0.025)
    if os.isatty(2):
        os.write(2, b"\r\x1b[K\x1b[?25h")  # the line of what is being done, which hid the cursor
    os._exit(128 + number)


def _adopt_orphans() -> None:
    """What a compiler's driver starts just before it ends is a child of this process then, and so the next to end."""
    with suppress(OSError, AttributeError, ImportError):
        import ctypes  # only who is told to end needs it

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()
    if not path.exists():
        _STATE.left.discard(path)


def _descendants() -> list[int]:
    """The processes that this one started, and those that they started; those that have ended are none."""
    children: dict[int, list[int]] = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            state, parent = place.read_bytes().rpartition(b")")[2].split()[:2]
            if state != b"Z":
                children.setdefault(int(parent), []).append(int(place.parent.name))
    found: list[int] = []
    waiting = [os.getpid()]
    while waiting:
        own = children.get(waiting.pop(), [])
        found += own
        waiting += own
    return found

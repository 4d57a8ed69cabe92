"""Shell text that is run in a folder, to its end or to its time's end, with all that it has started.

In: text, folder, environment.   Out: Ran, or FailedError.   Not here: what is run when (measuring.py).
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.whole.listing import STREAMS, Entry

_live: set[subprocess.Popen[bytes]] = set()
_lock = threading.Lock()


class FailedError(Exception):
    """A program that cannot be measured further: `word` for a table, and the details as one line."""

    def __init__(self, word: str, details: str) -> None:
        super().__init__(f"{word}: {details}" if details else word)
        self.word, self.details = word, details


@dataclass(frozen=True, slots=True)
class Ran:
    """One run: its seconds from start to end, its exit status, and what it wrote."""

    seconds: float
    status: int
    stdout: str
    stderr: str

    def own_seconds(self, pattern: re.Pattern[str] | None) -> float | None:
        """What the program says about its time: the last match in its output, None without a pattern."""
        if pattern is None:
            return None
        said = [*pattern.finditer(self.stdout), *pattern.finditer(self.stderr)]
        try:
            return float(said[-1].group(1))
        except (IndexError, ValueError, TypeError) as error:
            raise FailedError("no time", "nothing that it printed matches `time` with a number") from error

    @property
    def ending(self) -> str:
        """How it ended, as text: the status or the signal, and the last line of what it said about that."""
        number = self.status - 128 if self.status > 128 else -self.status
        names = {item.value: item.name for item in signal.Signals}
        how = names.get(number) or f"exit status {self.status}"
        last = next((line.strip() for line in reversed(self.stderr.splitlines()) if line.strip()), "")
        return f"{how}: {last[:120]}" if last else how


def run_shell(text: str, folder: Path, environment: Mapping[str, str], seconds: float, log: Path) -> Ran:
    """Run `text` in `folder`; what it prints goes through files LOG.stdout and LOG.stderr. Raises FailedError."""
    out, err = (log.with_name(f"{log.name}.{stream}") for stream in STREAMS)
    with out.open("wb") as stdout, err.open("wb") as stderr:
        begin = time.perf_counter()
        try:
            process = subprocess.Popen(
                ["/bin/sh", "-c", text],
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
            )
        except OSError as error:
            raise FailedError("not started", error.strerror or str(error)) from error
        status = _wait(process, seconds)
        taken = time.perf_counter() - begin
    return Ran(taken, status, *(path.read_text(encoding="utf-8", errors="replace") for path in (out, err)))


def _wait(process: subprocess.Popen[bytes], seconds: float) -> int:
    """The exit status. A timer ends what takes too long: a wait with a time limit looks 20 times a second only."""
    late = threading.Event()

    def end() -> None:
        late.set()
        _end(process)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    try:  # an interruption may come at once
        with _lock:
            _live.add(process)
        timer.start()
        status = process.wait()
    except BaseException:
        _end(process)
        raise
    finally:
        timer.cancel()
        with _lock:
            _live.discard(process)
    if late.is_set():
        raise FailedError("timed out", f"not done after {seconds:g} s")
    return status


def end_all() -> None:
    """End what other threads wait for."""
    with _lock:
        for process in _live:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and what it has started; whoever waits for it is told by the system."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def answer_of(entry: Entry, ran: Ran, folder: Path, mask: Path) -> str:
    """What the program has said, by the entry's `answer`; its own path `mask` is no part of it. Raises FailedError."""
    parts = []
    for name in entry.answer:
        if name == "stdout":
            text = ran.stdout
        elif name == "stderr":  # where ompc's runtime says what it has to say, too
            text = "\n".join(line for line in ran.stderr.splitlines() if not line.startswith("ompc:"))
        else:
            text = _written(folder / name, name)
        parts.append(text.replace(str(mask), ""))
    return "\n".join(parts)


def _written(path: Path, name: str) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise FailedError("no answer", f"it wrote no {name}") from error

"""What is being done, in one line of a terminal: it appears where something takes long, and goes when that is done.

Nothing is shown where standard error is no terminal: what ompc says in a pipe or a file are messages and nothing else.

In: steps as they begin.   Out: a line on the terminal.   Not here: the steps -- watch.py, tune/.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

DELAY_SECONDS = 1.0
"""How long a run takes before anything is shown; 0: it is shown at once. Most runs end before, and so do not load the
library that shows it.
"""
REFRESH_SECONDS = 0.1
"""The least time between two drawings. A text that comes sooner waits for the next one."""


class _Line:
    """The line, once it is there. Steps may come from any thread."""

    def __init__(self, title: str, color: bool | None) -> None:
        self._color = color
        self._lock = threading.Lock()
        self._text = title
        self._ended = False
        self._started = self._drawn = time.monotonic()
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def say(self, text: str) -> None:
        with self._lock:
            self._text = text
            if self._progress is not None and self._task is not None:
                now = time.monotonic()
                is_due = now - self._drawn >= REFRESH_SECONDS
                self._drawn = now if is_due else self._drawn
                self._progress.update(self._task, description=text, refresh=is_due)

    def appear(self) -> None:
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        look = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
        with self._lock:
            if not self._ended:
                self._progress = Progress(*look, console=terminal(self._color), transient=True, get_time=time.monotonic)
                self._task = self._progress.add_task(self._text, total=None)
                self._progress.tasks[0].start_time = self._started
                self._progress.start()

    def end(self) -> None:
        with self._lock:
            self._ended = True
            if self._progress is not None:
                self._progress.stop()


def terminal(color: bool | None = None) -> Console:
    """Standard error for rich. `color`: False: none; None: as the terminal and NO_COLOR say."""
    from rich.console import Console

    return Console(stderr=True, no_color=True if color is False else None)


def can_show(stream: TextIO | None, environ: Mapping[str, str]) -> bool:
    """Is this standard error a terminal that can take a line back?"""
    return stream is not None and stream.isatty() and environ.get("TERM", "dumb") not in {"dumb", "unknown"}


Shown = Callable[[str], AbstractContextManager[Callable[[str], None]]]
"""From a title to a context, which is entered while things are done; it gives the function to call with what is being
done now.
"""


@contextmanager
def shown(
    title: str, on_terminal: bool, color: bool | None = None, delay: float | None = None
) -> Iterator[Callable[[str], None]]:
    """A function to call with what is being done now. `on_terminal`: is standard error one that can show it?"""
    if not on_terminal:
        yield lambda text: None
        return
    line = _Line(title, color)
    seconds = DELAY_SECONDS if delay is None else delay
    timer = threading.Timer(seconds, line.appear)
    timer.daemon = True
    if seconds > 0:
        timer.start()
    else:
        line.appear()
    try:
        yield line.say
    finally:
        timer.cancel()
        line.end()

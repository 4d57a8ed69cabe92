"""How a run is watched: which stage of which file is at work now, and how long each one took.

    with watch.stage("jacobi.c", "parse"):
        ...

Whoever works says what begins; what is shown of it is somebody else's decision (`ompc --time`, a line on a terminal).
Stages may run at the same time, in threads, and so take more together than the clock shows.

In: stages as they begin and end.   Out: `Watch.taken`.   Not here: showing them -- progress.py, times.py.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from time import perf_counter

from ompc.base.frozen import dataclass

Stage = Callable[[str], AbstractContextManager[None]]
"""From the name of a stage to the context in which that stage of one file runs."""


def unwatched(stage: str) -> AbstractContextManager[None]:
    """A `Stage` of which nobody is told."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Taken:
    """One stage that has ended. `file` is as the user wrote it; empty: the stage is of all files together."""

    file: str
    stage: str
    seconds: float


Running = tuple[str, str]
"""A file and a stage."""


def now_text(files: Sequence[str], running: Sequence[Running]) -> str:
    """`mesh.c (2 of 12): analysis`; of several, the one that has run longest."""
    if not running:
        return files[0]
    file, stage = running[0]
    count = f" ({files.index(file) + 1} of {len(files)})" if len(files) > 1 and file in files else ""
    return f"{file}{count}: {stage}" if file else stage


def _nobody(running: Sequence[Running]) -> None:
    """The listener of a watch that nobody looks at."""


class Watch:
    """`changed` is told what runs, the longest first, whenever that changes, by the thread that changes it."""

    def __init__(self, changed: Callable[[Sequence[Running]], None] = _nobody) -> None:
        self.taken: list[Taken] = []
        self._changed = changed
        self._running: list[Running] = []
        self._lock = threading.Lock()

    @contextmanager
    def stage(self, file: str, name: str) -> Iterator[None]:
        with self._lock:
            self._running.append((file, name))
            self._changed(self._running)
        started = perf_counter()
        try:
            yield
        finally:
            self.taken.append(Taken(file, name, perf_counter() - started))
            with self._lock:
                self._running.remove((file, name))
                self._changed(self._running)

    def of(self, file: str) -> Stage:
        return partial(self.stage, file)

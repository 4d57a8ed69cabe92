"""A progress bar on a terminal; nothing where standard error is a pipe or rich is not installed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def steps(title: str, total: int) -> Iterator[Callable[[str], None]]:
    """A function to call after each of `total` steps, with what was done."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    except ImportError:
        yield lambda done: None
        return
    look = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*look, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(title, total=total)

        def advance(done: str) -> None:
            progress.update(task, advance=1, description=f"{title}: {done}")

        yield advance

"""What is being done, in one line of a terminal that goes when all is done; nothing where standard error is a pipe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn


@contextmanager
def steps(title: str) -> Iterator[Callable[[str], None]]:
    """A function to call before each step with what it is."""
    console = Console(stderr=True)
    look = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*look, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(title, total=None)
        count = 0

        def step(what: str) -> None:
            nonlocal count
            count += 1
            progress.update(task, description=f"{title}: {count}  {what}")

        yield step

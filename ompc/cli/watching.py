"""What is seen of long work: a line on a terminal while it lasts, and with `--time` a table behind it.

In: the stages as they begin and end.   Out: text on standard error.   Not here: the line -- progress.py; the table --
times.py.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

import click

from ompc.cli.output import printable
from ompc.command_options import Asked
from ompc.progress import shown
from ompc.times import format_times
from ompc.watch import Running, Watch


def progress(title: str) -> AbstractContextManager[Callable[[str], None]]:
    """A line on the terminal, if standard error is one that can show it."""
    able = sys.stderr.isatty() and os.environ.get("TERM", "dumb") not in {"dumb", "unknown"}
    return shown(title, able, click.get_current_context().color)


@contextmanager
def watched(asked: Asked) -> Iterator[Watch]:
    """A watch over the work on these files."""
    started = time.perf_counter()
    files = [str(source) for source in asked.request.sources]
    with progress(asked.source.name) as say_now:
        watch = Watch(lambda running: say_now(_now(files, running)))
        yield watch
    say_times(asked, watch, started)


def say_times(asked: Asked, watch: Watch, started: float) -> None:
    """The table of what the watch has seen since `started`, if it was asked for."""
    if asked.times:
        click.echo(printable(format_times(watch.taken, time.perf_counter() - started)), err=True, nl=False)


def _now(files: Sequence[str], running: Sequence[Running]) -> str:
    """`mesh.c (2 of 12): analysis`; of several, the one that has run longest."""
    if not running:
        return files[0]
    file, stage = running[0]
    count = f" ({files.index(file) + 1} of {len(files)})" if len(files) > 1 and file in files else ""
    return printable(f"{file}{count}: {stage}" if file else stage)

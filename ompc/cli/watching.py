"""What is seen of long work: a line on a terminal while it lasts, and with `--time` a table behind it.

In: the stages as they begin and end.   Out: text on standard error.   Not here: the line -- progress.py; the table --
times.py.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import click

from ompc.base.progress import can_show, shown
from ompc.base.times import format_times
from ompc.base.visible import for_terminal
from ompc.base.watch import Watch, now_text
from ompc.command_options import Asked


def progress(title: str) -> AbstractContextManager[Callable[[str], None]]:
    """A line on the terminal, if standard error is one that can show it."""
    return shown(title, can_show(sys.stderr, os.environ), click.get_current_context().color)


@contextmanager
def watched(asked: Asked) -> Iterator[Watch]:
    """A watch over the work on these files."""
    started = time.perf_counter()
    files = [str(source) for source in asked.request.sources]
    with progress(asked.source.name) as say_now:
        watch = Watch(lambda running: say_now(for_terminal(now_text(files, running))))
        yield watch
    say_times(asked, watch, started)


def say_times(asked: Asked, watch: Watch, started: float) -> None:
    """The table of what the watch has seen since `started`, if it was asked for."""
    if asked.times:
        click.echo(for_terminal(format_times(watch.taken, time.perf_counter() - started)), err=True, nl=False)

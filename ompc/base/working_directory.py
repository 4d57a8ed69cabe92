"""Being in another directory for a while: paths in a command line mean what they meant where it was given."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def working_directory(directory: Path) -> Iterator[None]:
    """Of the whole process: not while other threads run. (contextlib.chdir wants Python 3.11.)"""
    before = Path.cwd()
    os.chdir(directory)
    try:
        yield
    finally:
        os.chdir(before)

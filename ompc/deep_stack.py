"""Room for recursion over deeply nested programs: expressions of thousands of terms, chains of `else if`.

Trees are walked by recursive functions, and Python's usual limit is a thousand calls. Here a function runs in a thread
whose stack has room for many more. What still does not fit raises RecursionError, as anywhere.

    In: a function.   Out: what it returns, or the exception that it raises.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

CALLS = 40_000
"""Nested calls of Python functions."""

STACK_BYTES = 512 << 20
"""Some 13 KB for each call: what Python before 3.11 needs, with room to spare. Only touched pages take memory."""

T = TypeVar("T")


def with_deep_stack(function: Callable[[], T]) -> T:
    """What `function()` returns, run with room for CALLS nested calls."""
    if threading.current_thread().name == _NAME:
        return function()
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(function())
        except BaseException as error:  # every exception is the caller's, KeyboardInterrupt too
            result.set_exception(error)

    limit, size = sys.getrecursionlimit(), threading.stack_size(STACK_BYTES)
    sys.setrecursionlimit(max(limit, CALLS))
    try:
        thread = threading.Thread(target=run, name=_NAME, daemon=True)
        thread.start()
    except RuntimeError:  # no memory for such a stack: the limits of a plain call then
        sys.setrecursionlimit(limit)
        return function()
    finally:
        threading.stack_size(size)
    try:
        return result.result()
    finally:
        sys.setrecursionlimit(limit)


_NAME = "ompc-deep-stack"

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
"""The depth of nested calls of Python functions that there is room for."""

STACK_BYTES = 512 << 20
"""The size of the stack in bytes: some 13 KB for each call, which is what Python before 3.11 needs, with room to spare.
Only touched pages take memory.
"""

T = TypeVar("T")


class _Limit:
    """Python's limit of calls, which is that of all threads: high while any deep stack is in use."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._before = 0

    def raise_it(self) -> None:
        with self._lock:
            if self._users == 0:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._before, CALLS))
            self._users += 1

    def put_back(self) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0 and sys.getrecursionlimit() == max(self._before, CALLS):
                sys.setrecursionlimit(self._before)

    def start(self, thread: threading.Thread) -> None:
        """With STACK_BYTES, also an attribute of the process. RuntimeError: there is no memory for them."""
        with self._lock:
            size = threading.stack_size(STACK_BYTES)
            try:
                thread.start()
            finally:
                threading.stack_size(size)


_LIMIT = _Limit()


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

    _LIMIT.raise_it()
    try:
        _LIMIT.start(threading.Thread(target=run, name=_NAME, daemon=True))
    except RuntimeError:  # no memory for such a stack: the limits of a plain call then
        _LIMIT.put_back()
        return function()
    try:
        return result.result()
    finally:
        _LIMIT.put_back()


_NAME = "ompc-deep-stack"

"""Functions with room for recursion, in several threads at once."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from ompc.base.deep_stack import with_deep_stack


def nested(depth: int) -> int:
    return 0 if depth == 0 else 1 + nested(depth - 1)


def test_the_process_s_limits_are_as_before() -> None:
    limits = sys.getrecursionlimit(), threading.stack_size()
    inside, all_in = [], threading.Barrier(4)

    def work(k: int) -> int:
        all_in.wait()
        inside.append(sys.getrecursionlimit())
        return nested(2000 + k)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda k: with_deep_stack(partial(work, k)), range(8))) == [2000 + k for k in range(8)]
    assert min(inside) > 2000
    assert (sys.getrecursionlimit(), threading.stack_size()) == limits

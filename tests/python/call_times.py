"""What a call of a library's function takes, besides what the function does: `python tests/python/call_times.py`.

The function returns at once. Three arrays and two numbers, the best of several runs, in microseconds of processor time;
emulated, or on a GPU: `python tests/python/call_times.py cuda`, with arrays of CuPy.
"""

from __future__ import annotations

import sys
import time
import timeit
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

import ompc

PROGRAM = """\
void five(int n, double f, const double *x, const double *y, double *z)
{
    if (n <= 0)
        return;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        z[i] = f * x[i] + y[i];
}
double number(int n, double f) { return n * f; }
"""
COUNTING_SECONDS = 0.0045
"""What `counting_seconds` is on an idle machine of 2023."""


def counting_seconds() -> float:
    """A hundred thousand turns of a loop, the best of several runs."""

    def count() -> int:
        total = 0
        for i in range(100_000):
            total += i * i
        return total

    return min(timeit.repeat(count, timer=time.process_time, number=1, repeat=9))


def measured(cxx: str | None = None, target: str = "emulate") -> dict[str, float]:
    """By what is passed."""
    lib: Any = ompc.compile_string(PROGRAM, target=target, cxx=cxx, quiet=True)
    arrays = [np.ones(1000) for _ in range(3)]
    on_device = [lib.to_device(a) for a in arrays]
    calls = {
        "scalars": lambda: lib.number(3, 2.0),
        "NumPy": lambda: lib.five(0, 2.0, *arrays),
        "device": lambda: lib.five(0, 2.0, *on_device),
        "NumPy, by Python": lambda: lib.five._checked([0, 2.0, *arrays], None),
    }
    if target == "cuda":
        cupy: Any = import_module("cupy")
        of_cupy = [cupy.ones(1000) for _ in range(3)]
        calls["CuPy"] = lambda: lib.five(0, 2.0, *of_cupy)
        calls["CuPy's own interface, three times"] = lambda: [a.__cuda_array_interface__ for a in of_cupy]

    def taken(call: Callable[[], object]) -> float:
        return min(timeit.repeat(call, timer=time.process_time, number=2000, repeat=15)) / 2000 * 1e6

    return {name: taken(call) for name, call in calls.items()}


if __name__ == "__main__":
    times = counting_seconds() / COUNTING_SECONDS
    sys.stdout.write(f"a loop of plain counting: {times:.2f} times an idle machine's time\n")
    for name, taken in measured(None, *sys.argv[1:]).items():
        sys.stdout.write(f"{name}: {taken:.2f} us a call\n")

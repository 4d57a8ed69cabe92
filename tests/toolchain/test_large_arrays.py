"""Programs with more static data than fits beside the code: gcc links them with -mcmodel=medium or -mcmodel=large."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
#include <stdio.h>
double a[300000000], b[3000], c[70001];
static double d[200000000];
double e[5] = {1, 2};
int main(void)
{
    long i, n = sizeof a / sizeof a[0];
    double s = 0;
    #pragma omp parallel for
    for (i = 0; i < 3000; i++) { a[n - 1 - i] = i; b[i] = 2 * i; c[i] = e[1]; d[i] = 1; }
    c[70000] = 5;
    #pragma omp parallel for reduction(+ : s)
    for (i = 0; i < 3000; i++)
        s += a[n - 1 - i] + b[i] + c[i] + d[i] + c[70000];
    return printf("%.17g\\n", s) < 0;
}
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="code models of another name")
@pytest.mark.parametrize(
    "flags", ["-mcmodel=medium", pytest.param("-mcmodel=large -O2", marks=pytest.mark.nightly)]
)
def test_arrays_of_more_than_two_gigabytes(tmp_path: Path, keeping_cxx: str, flags: str) -> None:
    (tmp_path / "a.c").write_text(PROGRAM)
    build = [sys.executable, "-m", "ompc", "cc", "--target", "emulate", "--cxx", keeping_cxx]
    subprocess.run([*build, "-fopenmp", *flags.split(), "a.c", "-o", "a"], cwd=tmp_path, check=True)
    environ = {**os.environ, "OMPC_OFFLOAD": "always"}
    done = subprocess.run(["./a"], cwd=tmp_path, env=environ, capture_output=True, text=True, check=True)
    assert done.stdout == "13519500\n"

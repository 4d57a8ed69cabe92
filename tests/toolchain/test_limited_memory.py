"""Programs that may not have all the address space that there is: their loops run on the host, and one line says so."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
int main(int argc, char **argv)
{
    int n = 1000000;
    double s = 0, *a = malloc(n * sizeof *a);
    struct rlimit limit = {atol(argv[1]), RLIM_INFINITY};
    if (limit.rlim_cur != 0 && setrlimit(RLIMIT_AS, &limit) != 0)
        return 9;
    for (int k = 0; k < 3; k++) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++)
            a[i] = i + k;
        #pragma omp parallel for reduction(+:s)
        for (int i = 0; i < n; i++)
            s += a[i];
    }
    return printf("%.12g\\n", s) < 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, keeping_cxx: str) -> Path:
    folder = tmp_path_factory.mktemp("limited")
    (folder / "a.c").write_text(PROGRAM)
    line = [sys.executable, "-m", "ompc", "cc", "-fopenmp", "a.c", "-o", "a"]
    environ = {**os.environ, "OMPC_TARGET": "emulate", "OMPC_CXX": keeping_cxx}
    subprocess.run(line, cwd=folder, env=environ, check=True)
    return folder / "a"


@pytest.mark.parametrize("megabytes", [150, 300])
@pytest.mark.parametrize("by_itself", [True, False])
def test_the_host_runs_what_there_is_no_room_for(program: Path, megabytes: int, by_itself: bool) -> None:
    """Limited by itself, or by who starts it."""
    limit = megabytes << 20
    run = {**os.environ, "OMPC_OFFLOAD": "always", "OMP_NUM_THREADS": "2"}

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))

    command = [program, str(limit if by_itself else 0)]
    done = subprocess.run(
        command, env=run, capture_output=True, text=True, timeout=60, preexec_fn=None if by_itself else limited
    )
    assert (done.returncode, done.stdout) == (0, "1.5000015e+12\n"), done.stderr
    assert 1 <= done.stderr.count("runs on the host: device memory is exhausted [OMPC454]") <= 2, done.stderr
    assert done.stderr.count("\n") <= 2


def test_without_a_limit_they_are_launched(program: Path) -> None:
    run = {**os.environ, "OMPC_OFFLOAD": "always"}
    done = subprocess.run([program, "0"], env=run, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("1.5000015e+12\n", "")

"""Machines that do not say whether a page fault was a read or a write (AArch64 without its exception's syndrome)."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ompc.cli import main

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 40000;
    double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), sum = 0;
    for (int i = 0; i < n; i++) { a[i] = i; b[i] = 1; }
    for (int t = 0; t < 3; t++) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) b[i] += 0.5 * a[i];
        if (t == 1) b[7] = -2; /* a read, for all that is known, and the second time a write */
        sum += b[20000];
    }
    for (int i = 0; i < n; i++) sum += b[i] + a[i];
    printf("%.17g\\n", sum);
    return 0;
}
"""


@pytest.mark.slow
def test_the_host_writes_where_the_device_has_read(tmp_path: Path, emulating_cxx: str) -> None:
    (tmp_path / "a.c").write_text(PROGRAM)
    subprocess.run(["cc", "-O1", "-fopenmp", "a.c", "-o", "plain"], cwd=tmp_path, check=True)
    expected = subprocess.run([tmp_path / "plain"], capture_output=True, text=True, check=True).stdout
    silent = f"{shutil.which('cc')} -DOMPC_FAULTS_SAY_NOTHING"
    words = ["--target", "emulate", "--cxx", emulating_cxx, "--cc", silent, "-O0", "-q", "-fopenmp"]
    assert main(["build", str(tmp_path / "a.c"), *words, "-o", str(tmp_path / "a")]) == 0
    environ = {"OMPC_OFFLOAD": "always", "OMPC_CHECK": "coherence", "OMPC_LOG": "4"}
    done = subprocess.run([tmp_path / "a"], capture_output=True, text=True, env=environ, check=True, timeout=60)
    assert done.stdout == expected
    reads, writes = (f"b: the host {does} byte 56 of 320000, whose page is guarded" for does in ("reads", "writes"))
    assert 0 < done.stderr.find(reads) < done.stderr.find(writes)

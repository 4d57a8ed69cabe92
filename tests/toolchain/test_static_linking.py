"""Programs that bring the libraries with them which ompc's runtime needs, or all libraries."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ompc.base.options import options_of_heap
from ompc.toolchain.machine.flags import split_flags

PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 100000;
    double *a = malloc(n * sizeof *a), s = 0;
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp parallel for reduction(+:s)
    for (int i = 0; i < n; i++)
        s += a[i];
    return printf("%g\\n", s) < 0;
}
"""


@pytest.mark.parametrize(
    ("command", "words", "missing"),
    [
        ("build", ["-static"], ["libc.so", "libstdc++", "libgcc_s"]),
        ("build", ["-static-libgcc", "-static-libstdc++"], ["libstdc++", "libgcc_s"]),
        ("cc", ["-static-pie"], ["libc.so", "libstdc++", "libgcc_s"]),
        ("cc", ["-static-libstdc++"], ["libstdc++"]),
    ],
)
def test_a_static_program(
    tmp_path: Path, command: str, words: list[str], missing: list[str], keeping_cxx: str, ompc_command: str
) -> None:
    (tmp_path / "a.c").write_text(PROGRAM)
    line = [*ompc_command.split(), command, "-fopenmp", "a.c", *words, "-o", "a"]
    environ = {**os.environ, "OMPC_TARGET": "emulate", "OMPC_CXX": keeping_cxx, "CXX": keeping_cxx}
    subprocess.run(line, cwd=tmp_path, env=environ, check=True)
    listed = subprocess.run(["ldd", "a"], cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    assert not any(name in listed for name in missing), listed
    run = {**os.environ, "OMPC_OFFLOAD": "always", "OMPC_SUMMARY": "1"}
    done = subprocess.run([tmp_path / "a"], env=run, capture_output=True, text=True, check=True)
    assert done.stdout == "4.99995e+09\n" and "2 of 2 loops on the device" in done.stderr


@pytest.mark.parametrize(
    "word", ["-static", "-static-pie", "-static-libgcc", "-static-libstdc++", "-shared-libgcc", "-pie", "-no-pie"]
)
def test_options_of_the_link(word: str) -> None:
    rest, flags = split_flags(["a.c", word])
    assert (rest, flags.link) == (["a.c"], (word,))


def test_a_static_runtime_stands_in_front_of_no_other_libc() -> None:
    assert options_of_heap([], ["-lz"]) == [] == options_of_heap([], ["-static-libgcc"])
    assert options_of_heap([], ["-static"]) == ["-DOMPC_STATIC"] == options_of_heap([], ["-static-pie"])

"""The block table and the trip counts: programs without kernels."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime_builds import COMMON, PROGRAMS, SANITIZE, Builder, run


@pytest.mark.parametrize("flags", [["-O2"], SANITIZE], ids=["plain", "sanitized"])
def test_block_table(build: Builder, flags: list[str]) -> None:
    name = "heap-sanitized" if flags is SANITIZE else "heap"
    program = build.plain(name, PROGRAMS / "heap.c", ["-std=gnu11", "-pthread", *flags, COMMON / "ompc_heap.c"], "gcc")
    done = run([program])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_cpp_new_and_out_of_memory(build: Builder) -> None:
    """Memory from C++ is known too; a host array that cannot be had ends the program."""
    heap = build.plain("heap.o", COMMON / "ompc_heap.c", ["-std=gnu11", "-O2", "-c"], "gcc")
    program = build.plain("cpp", PROGRAMS / "cpp.cc", ["-std=c++17", heap], "g++")
    done = run([program])
    assert (done.returncode, done.stdout) == (70, "ok\n")
    assert done.stderr == "ompc: no memory for a host array of 4611686018427387904 bytes [OMPC455]\n"


def test_trip_counts(build: Builder) -> None:
    program = build.plain("trips", PROGRAMS / "trips.cc", ["-std=c++17", "-O1", "-fsanitize=undefined"], "g++")
    done = run([program])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_page_locking_in_place(build: Builder) -> None:
    """The rule, and the spans of pages, without a device."""
    heap = build.plain("heap.o", COMMON / "ompc_heap.c", ["-std=gnu11", "-O2", "-c"], "gcc")
    flags: list[str | Path] = ["-std=c++17", "-O1", "-fsanitize=undefined", heap]
    done = run([build.plain("pinning", PROGRAMS / "pinning.cc", flags, "g++")])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")

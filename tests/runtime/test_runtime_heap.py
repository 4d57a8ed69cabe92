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


def test_the_device_of_each_process_of_an_mpi_job(build: Builder) -> None:
    program = build.plain("rank", PROGRAMS / "rank.cc", ["-std=c++17"], "g++")

    def device(count: int, **environment: str) -> str:
        clean = dict.fromkeys(("OMPI_COMM_WORLD_LOCAL_RANK", "PMI_LOCAL_RANK", "SLURM_LOCALID"), "")
        return run([program, str(count)], **{**clean, **environment}).stdout.strip()

    assert device(4) == "-1"
    assert [device(2, OMPI_COMM_WORLD_LOCAL_RANK=str(rank)) for rank in range(4)] == ["0", "1", "0", "1"]
    assert device(4, SLURM_LOCALID="3", PMI_LOCAL_RANK="2") == "2"
    assert device(1, SLURM_LOCALID="3") == "0"
    assert device(8, OMPC_DEVICE="5", OMPI_COMM_WORLD_LOCAL_RANK="1") == "5"
    assert device(8, SLURM_LOCALID="many") == "-1"

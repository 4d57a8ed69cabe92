"""The block table and the trip counts: programs without kernels."""

from __future__ import annotations

from pathlib import Path

import pytest
from runtime_builds import LOG, PROGRAMS, SANITIZE, Builder, run


@pytest.mark.parametrize("flags", [["-O2"], SANITIZE], ids=["plain", "sanitized"])
def test_block_table(build: Builder, flags: list[str]) -> None:
    name = "heap-sanitized" if flags is SANITIZE else "heap"
    heap = build.c_runtime(f"{name}.o", *flags)
    program = build.plain(name, PROGRAMS / "heap.c", ["-std=gnu11", "-pthread", *flags, heap], "gcc")
    done = run([program])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_cpp_new_and_out_of_memory(build: Builder) -> None:
    """Memory from C++ is known too; a host array that cannot be had ends the program."""
    heap = build.c_runtime("heap.o", "-O2")
    program = build.plain("cpp", PROGRAMS / "cpp.cc", ["-std=c++17", heap], "g++")
    done = run([program])
    assert (done.returncode, done.stdout) == (70, "ok\n")
    assert done.stderr == "ompc: no memory for a host array of 4611686018427387904 bytes [OMPC455]\n"


def test_trip_counts(build: Builder) -> None:
    program = build.plain("trips", PROGRAMS / "trips.cc", ["-std=c++17", "-O1", "-fsanitize=undefined"], "g++")
    done = run([program])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_entries_of_nests_at_places_of_their_own(build: Builder) -> None:
    flags: list[str | Path] = ["-std=c++17", "-O1", "-fsanitize=undefined"]
    done = run([build.plain("nest_counts", PROGRAMS / "nest_counts.cc", flags, "g++")])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_page_locking_in_place(build: Builder) -> None:
    """The rule, and the spans of pages, without a device."""
    heap = build.c_runtime("heap.o", "-O2")
    flags: list[str | Path] = ["-std=c++17", "-O1", "-fsanitize=undefined", heap]
    done = run([build.plain("pinning", PROGRAMS / "pinning.cc", flags, "g++")])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_the_division_of_time(build: Builder, tmp_path: Path) -> None:
    """With a device that runs behind the host, and more launches than are remembered."""
    heap = build.c_runtime("heap.o", "-O2")
    flags: list[str | Path] = ["-std=c++17", "-O1", "-fsanitize=undefined", f"-I{PROGRAMS / 'later'}", heap]
    flags += [LOG, LOG.with_name("ompc_timeline.cc")]
    done = run([build.plain("timeline", PROGRAMS / "timeline.cc", flags, "g++")], OMPC_PROFILE=str(tmp_path / "ledger"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_is_a_launch_worth_it(build: Builder) -> None:
    """The rule, without a device."""
    flags: list[str | Path] = ["-std=c++17", "-O1", "-fopenmp", "-fsanitize=undefined"]
    done = run([build.plain("cost_model", PROGRAMS / "cost_model.cc", flags, "g++")])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_do_loops_go_together(build: Builder) -> None:
    """Programs played through: what their loops cost by themselves, together and on either side alone."""
    flags: list[str | Path] = ["-std=c++17", "-O1", "-fsanitize=undefined"]
    done = run([build.plain("together", PROGRAMS / "together.cc", flags, "g++")])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_sections_without_gaps(build: Builder) -> None:
    """Of what loops overwrite."""
    flags: list[str | Path] = ["-std=c++17", "-O1", "-fsanitize=undefined"]
    done = run([build.plain("lmad", PROGRAMS / "lmad.cc", flags, "g++")])
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok\n", "")


def test_how_a_launch_is_divided_among_devices(build: Builder) -> None:
    """The rule, without a device."""
    flags: list[str | Path] = ["-std=c++17", "-O1", "-fopenmp", "-fsanitize=undefined"]
    done = run([build.plain("parts", PROGRAMS / "parts.cc", flags, "g++")])
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


@pytest.fixture(scope="session")
def calibration(build: Builder) -> Path:
    heap = build.c_runtime("heap.o", "-O2")
    flags: list[str | Path] = ["-std=c++17", "-fsanitize=undefined", f"-I{PROGRAMS / 'later'}", heap, LOG]
    return build.plain("calibration", PROGRAMS / "calibration.cc", flags, "g++")


def stored(calibration: Path, folder: Path) -> Path:
    """A file with the built-in costs, each of which ends in 7."""
    lines = run([calibration], OMPC_CALIBRATION="").stdout.splitlines()
    file = folder / "costs.txt"
    file.write_text("# made by hand\nformat = 1\ndevice = X\n\n" + "".join(f"{line[:-1]}7\r\n" for line in lines))
    return file


def test_stored_costs_are_read(calibration: Path, tmp_path: Path) -> None:
    """From the file that is named, or from that of the device; in any locale."""
    file = stored(calibration, tmp_path)
    done = run([calibration, "X", "de_DE.UTF-8"], OMPC_CALIBRATION=str(file))
    assert done.stderr == "" and len(done.stdout.splitlines()) > 10
    assert all(line.endswith("7") for line in done.stdout.splitlines())
    built_in = run([calibration, "X"], OMPC_CALIBRATION="").stdout
    assert "7\n" not in built_in
    own = tmp_path / "ompc" / "calibration" / "My--GPU-2.txt"
    own.parent.mkdir(parents=True)
    file.rename(own)
    assert run([calibration, "My (GPU 2"], XDG_CONFIG_HOME=str(tmp_path)).stdout == done.stdout
    assert run([calibration, "Another"], XDG_CONFIG_HOME=str(tmp_path)).stdout == built_in
    (tmp_path / ".config").symlink_to(tmp_path)
    for config in ("", "relative"):
        home = run([calibration, "My (GPU 2"], XDG_CONFIG_HOME=config, HOME=str(tmp_path))
        assert home.stdout == done.stdout and home.stderr == ""


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("launch_nanoseconds = 0", "line 19 is not understood: launch_nanoseconds = 0"),
        ("launch_nanoseconds = -1", "line 19 is not understood: launch_nanoseconds = -1"),
        ("launch_nanoseconds = 3e3", "line 19 is not understood: launch_nanoseconds = 3e3"),
        ("launch_nanoseconds = 99999999999999999999", "line 19 is not understood: launch_nanoseconds = 9999"),
        ("launch_nanoseconds=3", "line 19 is not understood: launch_nanoseconds=3"),
        ("launches = 3", "line 19 is not understood: launches = 3"),
        ("format = 2", "line 19 is not understood: format = 2"),
        ("", "it has no launch_nanoseconds"),
        ("launch_nanoseconds = 3", ""),
        ("launch_nanoseconds = 3\ncopy_nanoseconds = 1", "line 20 is not understood: copy_nanoseconds = 1"),
    ],
)
def test_costs_that_cannot_be_used_are_said_and_left(calibration: Path, tmp_path: Path, line: str, why: str) -> None:
    file = stored(calibration, tmp_path)
    lines = [each for each in file.read_text().splitlines() if not each.startswith("launch_nanoseconds")]
    file.write_text("\n".join([*lines, line]) + "\n")
    done = run([calibration, "X"], OMPC_CALIBRATION=str(file))
    assert done.stderr.startswith(f"ompc: the measurements in {file} are not used: {why}" if why else "")
    assert ("[OMPC459]" in done.stderr) == bool(why)
    assert (done.stdout == run([calibration], OMPC_CALIBRATION="").stdout) == bool(why)


def test_files_of_costs_that_are_none(calibration: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    for name, why in (("nowhere", "No such file"), ("empty", 'it does not begin with "format = 1"'), (".", "")):
        done = run([calibration, "X"], OMPC_CALIBRATION=str(tmp_path / name))
        assert why in done.stderr and done.stderr.endswith("[OMPC459]\n") and done.stderr.count("\n") == 1
        assert done.returncode == 0

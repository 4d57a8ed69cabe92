"""The runtime's features, by programs that check themselves: emulated, with sanitizers, accepted by nvcc, on a GPU."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from runtime_builds import Builder, run

ARRAYS = "blocks refusals sections constants last shapes pinned threads concurrent mapped forked leaving".split()
AT_NIGHT = [(False, "1"), (True, "0"), (True, "7")]
"""Sanitizers and orders that a day has in other pairs."""
REFUSALS = """\
ompc: arrays.c:10: runs on the host: x and y overlap [OMPC453]
ompc: arrays.c:10: runs on the host: x points to an object of unknown extent [OMPC452]
ompc: arrays.c:70: runs on the host: out and w overlap [OMPC453]
ompc: arrays.c:100: runs on the host: t points to an object of unknown extent [OMPC452]
"""


def expect_ok(command: list[str | Path], **environment: str) -> str:
    """Runs a program that checks itself; its standard error."""
    done = run(command, **environment)
    assert (done.returncode, done.stdout) == (0, "ok\n"), done.stdout + done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("sanitize", "seed"),
    [(False, "0"), (False, "7"), (True, "1"), *(pytest.param(*way, marks=pytest.mark.nightly) for way in AT_NIGHT)],
    ids=lambda value: {False: "plain", True: "sanitized"}.get(value, value),
)
@pytest.mark.parametrize("name", ["reductions", "device", "fast_division"])
def test_emulated(build: Builder, name: str, sanitize: bool, seed: str) -> None:
    assert expect_ok([build.emulated(name, sanitize)], OMPC_SEED=seed) == ""


@pytest.mark.parametrize("sanitize", [False, True], ids=["plain", "sanitized"])
@pytest.mark.parametrize("part", ARRAYS)
def test_arrays_emulated(build: Builder, part: str, sanitize: bool) -> None:
    guard = "0" if part == "mapped" else "1"  # with guards there is nothing that a mapping would keep
    said = expect_ok([build.emulated("arrays", sanitize), part], OMPC_CHECK="memory", OMPC_GUARD=guard)
    if part == "refusals":
        assert said == REFUSALS
    elif part == "threads":
        assert said == "ompc: arrays.c:10: runs on the host: it is inside an active parallel region [OMPC451]\n"
    else:
        assert said == ""


@pytest.mark.parametrize("sanitize", [False, True], ids=["plain", "sanitized"])
@pytest.mark.parametrize("disabled", [False, True], ids=["", "disabled"])
def test_page_locked_blocks_emulated(build: Builder, sanitize: bool, disabled: bool) -> None:
    """`free` and `realloc` take page-locked blocks; where there are none, the same calls give plain memory."""
    program = build.emulated("host_blocks", sanitize)
    command, environment = ([program, "disabled"], {"OMPC_DISABLE": "1"}) if disabled else ([program], {})
    said = expect_ok(command, ASAN_OPTIONS="allocator_may_return_null=1", **environment)
    assert sanitize or said == ""


@pytest.mark.parametrize("memory", ["1000000000", "1000000", "0"])
def test_neighbours_emulated(build: Builder, memory: str) -> None:
    """Page-locked in place, however much memory may be."""
    assert expect_ok([build.emulated("coarsening")], OMPC_LOCKED_MEMORY=memory, OMPC_GUARD="0") == ""


@pytest.mark.nvcc
@pytest.mark.parametrize(
    ("names", "architecture"),
    [("reductions device fast_division faults coarsening host_blocks coherence", "90"), ("device", "75")],
)
def test_accepted_by_nvcc(build: Builder, names: str, architecture: str) -> None:
    build.accepted_by_nvcc(names, architecture)


@pytest.mark.parametrize("emulated", [True, pytest.param(False, marks=pytest.mark.nvcc)], ids=["emulated", "cuda"])
def test_what_is_compiled_once_is_accepted(build: Builder, emulated: bool) -> None:
    build.runtime_accepted(emulated)


@pytest.mark.gpu
@pytest.mark.parametrize("name", ["reductions", "device", "fast_division", "coarsening", "host_blocks"])
def test_on_gpu(build: Builder, name: str) -> None:
    assert expect_ok([build.on_gpu(name)], OMPC_GUARD="0" if name == "coarsening" else "1") == ""


@pytest.mark.gpu
@pytest.mark.parametrize("part", ARRAYS)
def test_arrays_on_gpu(build: Builder, part: str) -> None:
    said = expect_ok([build.on_gpu("arrays"), part], OMPC_GUARD="0" if part == "mapped" else "1")
    assert part != "refusals" or said == REFUSALS


@pytest.mark.parametrize("run_number", range(3))
def test_threads_that_read_when_the_program_ends(build: Builder, run_number: int) -> None:
    """They never return: the status is that of the thread that ends the program."""
    done = run([build.emulated("arrays"), "ending"])
    assert (done.returncode, done.stdout, done.stderr) == (9, "", "")


@pytest.mark.gpu
def test_kernel_error_on_gpu(build: Builder) -> None:
    done = run([build.on_gpu("faults"), "touch", str(1 << 50)])
    assert done.returncode == 70 and done.stdout == "atexit\n"
    assert done.stderr.startswith("ompc: jacobi.c:41: parallel for: ") and done.stderr.endswith("[OMPC460]\n")


@pytest.mark.nvcc
def test_no_device(build: Builder) -> None:
    """A program that finds no GPU says so and refuses; on a machine with one, none is visible."""
    done = run([build.on_gpu("arrays", "sm_90"), "last"], CUDA_VISIBLE_DEVICES="")
    assert done.returncode == 1
    assert done.stderr.startswith("ompc: no loop runs on the GPU: ") and done.stderr.endswith(" [OMPC450]\n")
    assert done.stderr.count("\n") == 1


def test_disabled(build: Builder) -> None:
    done = run([build.emulated("arrays"), "last"], OMPC_DISABLE="1")
    assert done.returncode == 1 and done.stdout.startswith("line ") and done.stderr == ""
    logged = run([build.emulated("arrays"), "last"], OMPC_DISABLE="1", OMPC_LOG="1")
    assert logged.stderr == "ompc: arrays.c:80: runs on the host: OMPC_OFFLOAD or OMPC_DISABLE says so\n"


def test_device_memory_exhausted(build: Builder) -> None:
    done = run([build.emulated("arrays"), "last"], OMPC_DEVICE_MEMORY="4000")
    assert done.returncode == 1
    assert done.stderr == "ompc: arrays.c:80: runs on the host: device memory is exhausted [OMPC454]\n"


def test_log(build: Builder) -> None:
    said = expect_ok([build.emulated("arrays"), "last"], OMPC_LOG="2")
    assert said == "ompc: the device is ompc emulator\nompc: arrays.c:80: last_80: grid 4x1x1, block 128x1x1\n"


def test_a_level_of_the_log_that_there_is_not(build: Builder) -> None:
    """It is told once, also by a program that reaches no region."""
    for level in ("6", "yes", "-1", "12"):
        said = expect_ok([build.emulated("arrays"), "last"], OMPC_LOG=level)
        assert said.startswith(f"ompc: OMPC_LOG={level} is not understood, ") and said.count("\n") == 1
    assert expect_ok([build.emulated("arrays"), "last"], OMPC_LOG="0") == ""


def test_what_is_told_is_in_the_log_too(build: Builder, tmp_path: Path) -> None:
    log = tmp_path / "log"
    told = "ompc: arrays.c:80: runs on the host: device memory is exhausted [OMPC454]\n"
    for level in ("", "1"):  # a file alone asks for the first level; lines are added to it
        done = run(
            [build.emulated("arrays"), "last"], OMPC_DEVICE_MEMORY="4000", OMPC_LOG=level, OMPC_LOG_FILE=str(log)
        )
        assert done.returncode == 1 and done.stderr == told
    assert log.read_text() == 2 * told


def test_a_log_that_cannot_be_written(build: Builder, tmp_path: Path) -> None:
    """Its lines are on standard error then."""
    said = expect_ok([build.emulated("arrays"), "last"], OMPC_LOG="2", OMPC_LOG_FILE=str(tmp_path)).splitlines()
    assert said[0] == f"ompc: cannot write the log {tmp_path}: Is a directory [OMPC456]" and len(said) == 3


@pytest.mark.parametrize(("part", "status"), [("blocks", 0), ("immediate", 3)])
def test_ledger(build: Builder, tmp_path: Path, part: str, status: int) -> None:
    """Also when the program ends by _exit."""
    profile = tmp_path / "profile.json"
    assert run([build.emulated("arrays"), part], OMPC_PROFILE=str(profile)).returncode == status
    ledger = json.loads(profile.read_text())
    assert (ledger["schema"], ledger["target"], ledger["device"]) == (2, "emulate", "ompc emulator")
    add, add_openmpc, move = ledger["regions"]
    assert (add["id"], add["file"], add["line"], add["directive"]) == ("add_10", "arrays.c", 10, "target parallel for")
    assert add_openmpc["directive"] == 'parallel for "quoted"'
    assert (add["launches"], add["refused"], move["launches"]) == (2, 0, 1)
    assert (add["h2d_bytes"], add["h2d_copies"], add["d2h_bytes"], add["d2h_copies"]) == (202400, 4, 1600, 2)
    assert 0 < add["kernel_seconds"] < add["wall_seconds"]
    assert min(add["h2d_seconds"], add["d2h_seconds"]) > 0


def test_constants_are_copied_when_they_change(build: Builder, tmp_path: Path) -> None:
    """Five launches; the second finds on the device what it needs."""
    profile = tmp_path / "profile.json"
    expect_ok([build.emulated("arrays"), "constants"], OMPC_PROFILE=str(profile))
    weighted = next(region for region in json.loads(profile.read_text())["regions"] if region["id"] == "weighted_60")
    assert (weighted["launches"], weighted["h2d_bytes"]) == (5, 4 * 40)
    assert weighted["avoided"]["unchanged since the last launch"] == 40


def test_ledger_adds_up(build: Builder, tmp_path: Path) -> None:
    """The arrays to their region, the regions to the totals, the parts to the program's time."""
    profile = tmp_path / "profile.json"
    expect_ok([build.emulated("arrays"), "mapped"], OMPC_PROFILE=str(profile), OMPC_GUARD="0")
    ledger = json.loads(profile.read_text())
    totals, regions = ledger["totals"], ledger["regions"]
    assert sum(ledger["parts"].values()) == pytest.approx(ledger["wall_seconds"])
    for key in ("h2d_bytes", "d2h_bytes", "h2d_copies", "d2h_seconds"):
        for region in regions:
            assert sum(array[key] for array in region["arrays"]) == pytest.approx(region[key])
        assert sum(region[key] for region in regions) == pytest.approx(totals[key])
    assert min(totals["avoided"]["valid on the device"], totals["avoided"]["not read by the host"]) > 0
    assert totals["waits"]["results"]["count"] <= totals["launches"] > 0 < totals["waits"]["mapping"]["count"]


def test_trace(build: Builder, tmp_path: Path) -> None:
    """Events in Chrome's format, each inside the program's time; a file that cannot be written changes nothing else."""
    trace = tmp_path / "trace.json"
    expect_ok([build.emulated("arrays"), "mapped"], OMPC_TRACE=str(trace), OMPC_GUARD="0")
    events = json.loads(trace.read_text())
    spans = [event for event in events if event["ph"] == "X"]
    assert {span["cat"] for span in spans} == {"kernel", "h2d", "d2h", "wait", "launch"}
    assert all(span["ts"] >= 0 and span["dur"] >= 0 for span in spans)
    tracks = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name"}
    assert {(span["pid"], span["tid"]) for span in spans} <= tracks
    kernel = next(span for span in spans if span["cat"] == "kernel")
    assert kernel["name"].startswith("arrays.c:")
    said = expect_ok([build.emulated("arrays"), "last"], OMPC_TRACE=str(tmp_path))
    assert said == f"ompc: cannot write the trace {tmp_path}: Is a directory [OMPC456]\n"


@pytest.mark.gpu
@pytest.mark.parametrize("part", ["blocks", "mapped", "constants"])
def test_ledger_and_trace_on_gpu(build: Builder, tmp_path: Path, part: str) -> None:
    """The times of events in the stream are times of the host's clock."""
    profile, trace = tmp_path / "profile.json", tmp_path / "trace.json"
    asked = {"OMPC_PROFILE": str(profile), "OMPC_TRACE": str(trace), "OMPC_GUARD": "0" if part == "mapped" else "1"}
    expect_ok([build.on_gpu("arrays"), part], **asked)
    ledger = json.loads(profile.read_text())
    wall = ledger["wall_seconds"]
    assert sum(ledger["parts"].values()) == pytest.approx(wall)
    assert 0 < ledger["parts"]["kernel"] <= ledger["totals"]["kernel_seconds"] * 1.001 < wall
    assert 0 < ledger["parts"]["h2d"] <= ledger["totals"]["h2d_seconds"] * 1.001 < wall
    spans = [event for event in json.loads(trace.read_text()) if event["ph"] == "X"]
    assert len([s for s in spans if s["cat"] == "kernel"]) >= ledger["totals"]["launches"] > 0
    started = max(span["ts"] + span["dur"] for span in spans if span["cat"] == "init")
    assert all(span["ts"] >= started for span in spans if span["cat"] in {"kernel", "h2d", "d2h"})
    assert all(span["ts"] + span["dur"] <= wall * 1e6 + 100 for span in spans)


def test_profile_that_cannot_be_written(build: Builder, tmp_path: Path) -> None:
    said = expect_ok([build.emulated("arrays"), "last"], OMPC_PROFILE=str(tmp_path))
    assert said == f"ompc: cannot write the profile {tmp_path}: Is a directory [OMPC456]\n"


WRONG_KERNELS = {
    "touch 40001": "41: parallel for: the kernel accesses 'u' out of bounds: byte 320008 of 320000 [OMPC461]",
    "touch 40600": "41: parallel for: the kernel accesses 'u' out of bounds: byte 324800 of 320000 [OMPC461]",
    "touch -600": "41: parallel for: the kernel accesses 'u' out of bounds: byte -4800 of 320000 [OMPC461]",
    "byte 317": "42: parallel for: the kernel writes 'u' out of bounds: byte 317 of 317 [OMPC461]",
    "byte -1": "42: parallel for: the kernel writes 'u' out of bounds: byte -1 of 317 [OMPC461]",
    "earlier": "43: parallel for: the kernel accesses 'u' of an earlier launch: byte 4800 of 320000 [OMPC461]",
    "0": "44: parallel for: only 63 of the 64 threads of a block reach a barrier [OMPC463]",
    "1": "44: parallel for: a warp operation is not reached by all the lanes that it names [OMPC463]",
    "3": "44: parallel for: a thread of the kernel needs more than 1 MiB of local memory [OMPC462]",
}


@pytest.mark.parametrize("sanitize", [False, True], ids=["plain", "sanitized"])
@pytest.mark.parametrize("arguments", WRONG_KERNELS)
def test_kernels_that_go_wrong(build: Builder, arguments: str, sanitize: bool) -> None:
    """The region and the cause are named; atexit handlers run, and what they launch is refused."""
    done = run([build.emulated("faults", sanitize), *arguments.split()])
    assert (done.returncode, done.stdout, done.stderr) == (
        70,
        "atexit\n",
        f"ompc: jacobi.c:{WRONG_KERNELS[arguments]}\n",
    )


def test_blocks_lie_against_either_guard(build: Builder) -> None:
    """An access just before a block faults under some seed, one just behind it under another."""
    causes = {
        index: {run([build.emulated("faults"), "touch", index], OMPC_SEED=str(seed)).stderr for seed in range(1, 5)}
        for index in ("-1", "40000")
    }
    assert any("accesses" in cause for cause in causes["-1"]) and any("accesses" in cause for cause in causes["40000"])
    assert all("[OMPC461]" in cause for each in causes.values() for cause in each)


def test_host_memory_in_a_kernel(build: Builder) -> None:
    done = run([build.emulated("faults"), "host"], OMPC_CHECK="memory")
    assert done.returncode == 70 and done.stderr.endswith(", which is not device memory [OMPC464]\n")


BROKEN_BY_HAND = {
    "unnoticed": "10: parallel for: the two copies of 'x' (byte 160001 of 320000) differ: "
    "the host has changed its own unnoticed since sums.c:10",
    "undeclared": "20: parallel for: the kernel has changed 'x' (byte 160006 of 320000), "
    "which its launch does not write",
}


LEFT = {
    "kept": ("30", "copy_but", "1 of 40000 numbers of 'y'", "160000"),
    "kept bytes": ("40", "set_bytes", "9 of 40000 numbers of 'x'", "20000"),
    "kept member": ("50", "set_places", "2 of 120000 numbers of 'x'", "160008"),
}
LEAVES = (
    "ompc: sums.c:{}: parallel for: the kernel '{}' leaves {} as they were, the first of them at byte {}; "
    "its launcher says that it overwrites them [OMPC477]\n"
)


def expect_coherence_errors(program: Path) -> None:
    for part, words in LEFT.items():
        for check in ("coherence", "overwrites"):
            done = run([program, part], OMPC_CHECK=check)
            assert (done.returncode, done.stderr) == (70, LEAVES.format(*words))
    assert expect_ok([program, "kept"]) == ""
    assert expect_ok([program, "quiet"], OMPC_CHECK="coherence") == ""
    for part, message in BROKEN_BY_HAND.items():
        done = run([program, part], OMPC_CHECK="coherence")
        said = re.sub(r"byte \d+", "byte _", done.stderr)
        assert (done.returncode, said) == (70, re.sub(r"byte \d+", "byte _", f"ompc: sums.c:{message} [OMPC469]\n"))


@pytest.mark.parametrize("sanitize", [False, True], ids=["plain", "sanitized"])
def test_coherence(build: Builder, sanitize: bool) -> None:
    """The checker says nothing of a program that is right, and bites when a guard is taken away or a launcher lies."""
    expect_coherence_errors(build.emulated("coherence", sanitize))


@pytest.mark.gpu
def test_coherence_on_gpu(build: Builder) -> None:
    expect_coherence_errors(build.on_gpu("coherence"))

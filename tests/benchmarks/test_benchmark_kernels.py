"""`python -m benchmarks kernels`: its programs, the work of each, ratios and bars, made-up programs from end to end."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from benchmark_records import ledger, region

from benchmarks.__main__ import main
from benchmarks.columns import Column, Setup, rounds
from benchmarks.kernels_model import SIZES
from benchmarks.kernels_report import table
from benchmarks.kernels_results import geometric_mean, results
from benchmarks.kernels_suite import KERNELS, kernel_of
from benchmarks.results import problems
from benchmarks.suite import Program
from ompc.tools.answers.compare import first_difference

STRICT = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-O1")
PROGRAMS = {(k.program.source, k.program.sizes["quick"].flags): k.program for k in KERNELS}
WRONG = ["x", "-1", "1 x", "1 1 1 1 1 1", "9999999999999999999999"]
ODD = {
    "triad": ["0", "1"],
    "dot": ["0", "1"],
    "product": ["1 1 1", "5 1 7", "1 5 1"],
    "sweep": ["1 1", "2 5", "3 3 2"],
    "stencil3d": ["1 1 1", "3 3 3", "2 5 7"],
    "transpose": ["1 1", "1 7", "5 3"],
    "convolution": ["1 1", "2 9", "3 3"],
    "atax": ["1 1", "3 7"],
    "histogram": ["0", "1 1", "777 3"],
    "spmv": ["1 1 0", "7 100 1", "6000 3 2"],
    "nbody": ["1", "2"],
    "verlet": ["1", "2"],
    "forces": ["1", "2"],
    "boids": ["1", "40 3"],
    "correlation": ["1 1", "1 5", "7 3"],
    "covariance": ["2 1", "5 7", "7 3"],
    "gramschmidt": ["1 1", "1 5", "7 3"],
    "lu": ["1", "2", "3"],
    "cholesky": ["1", "2", "3"],
    "trmm": ["1 1", "1 5", "7 3"],
    "ludcmp": ["1", "2", "3"],
    "floyd-warshall": ["1", "2", "7"],
    "doitgen": ["1 1 1", "1 5 3", "7 3 1"],
    "fdtd-apml": ["1 1 1", "2 1 5", "3 5 1"],
}
"""Sizes at the edge, of the programs that are of this suite alone."""


def compiled(program: Program, folder: Path, *flags: str) -> Path:
    executable = folder / f"{program.name}{len(flags)}"
    command = ["gcc", *STRICT, *program.sizes["quick"].flags, *flags, program.source, "-o", executable, "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return executable


def run(executable: Path, arguments: str, threads: int) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    command = [executable, *arguments.split()]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=lambda program: program.name)
def test_same_answer_with_any_threads_and_as_target_region(program: Program, tmp_path: Path) -> None:
    """Also where other compilers are to offload it, which runs on the host here."""
    executable, offloading = compiled(program, tmp_path), compiled(program, tmp_path, "-DOFFLOAD")
    usual = " ".join(program.sizes["quick"].arguments)
    for arguments in (usual, *ODD.get(program.source.stem, [])):
        one, *others = run(executable, arguments, 1), run(executable, arguments, 4), run(offloading, arguments, 2)
        for other in others:
            assert one.returncode == other.returncode == 0
            assert first_difference(one.stdout, other.stdout, rtol=program.rtol) is None
            assert "nan" not in one.stdout
    if program.source.stem in ODD:
        for arguments in WRONG:
            done = run(executable, arguments, 1)
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith(f"usage: {program.source.stem} ")


def test_every_program_has_its_sizes() -> None:
    names = [kernel.program.name for kernel in KERNELS]
    assert len(set(names)) == len(names)
    for kernel in KERNELS:
        program = kernel.program
        assert tuple(program.sizes) == SIZES
        assert program.source.is_file()
        assert not program.handwritten or program.cuda_source.is_file()
        assert kernel.small or bool(program.handwritten) != bool(kernel.against)
        assert kernel.small == program.choosing
        assert kernel.against is None or kernel_of(kernel.against).program.handwritten
        assert program.beside is None or kernel_of(program.beside).program.source == program.source
        for size in program.sizes.values():
            assert kernel.repetitions_of(size) > 0
            assert kernel.work_of(size).in_unit(kernel.unit) > 0


@pytest.mark.parametrize(
    ("name", "bytes_", "operations"),
    [
        ("triad", 24 * 2**26, 2 * 2**26),
        ("product-float", 4 * 3 * 2048**2, 2 * 2048**3),
        ("product-ikj", 4 * 3 * 2048**2, 2 * 2048**3),
        ("product-double", 8 * 3 * 2048**2, 2 * 2048**3),
        ("jacobi-8192", 40 * 2**26, 13 * 2**26),
        ("stencil3d", 16 * 2**27, 8 * 2**27),
        ("spmv", 500 * 10**6, 80 * 10**6),
        ("pi_integral", 0, 12 * 10**9),
        ("lu", 16 * 1999 * 2000 * 3999 // 6, 2 * 1999 * 2000 * 3999 // 6),
        ("trmm", 8 * (500000 + 2 * 1200000), 1000 * 999 * 1200),
        ("fdtd-apml", 48 * 256 * 257**2, 16 * 256 * 257**2),
    ],
)
def test_work(name: str, bytes_: int, operations: int) -> None:
    kernel = kernel_of(name)
    work = kernel.work_of(kernel.program.sizes["full"])
    assert (work.bytes, work.operations) == (bytes_, operations)


FAKE = """#!/bin/sh
[ {variant} != auto ] || [ "$OMPC_OFFLOAD" = always ] || exit 9
[ -z "$OMPC_PROFILE" ] || cat >"$OMPC_PROFILE" <<'END'
{ledger}
END
echo 'checksum {answer}'
echo 'seconds {seconds}' >&2
echo 'repetition {repetition}' >&2
[ -z "$KERNEL_TIMES" ] || [ {variant} = auto ] || [ {variant} = host ] || echo 'kernels {kernels}' >&2
{more}
"""


def fake(folder: Path, variant: str, kernels: float, answer: str = "4.5", more: str = "") -> None:
    """An executable that stands for triad, of which the quick size has two repetitions."""
    started, own = region(2.0, 0.5, 9.0, 0.25), region(2.0, 0.5, kernels, 0.25)
    started["id"] = "start_device_1"
    text = FAKE.format(
        variant=variant,
        ledger=json.dumps(ledger(started, own)),
        answer=answer,
        seconds=10 * kernels,
        repetition=kernels,
        kernels=kernels,
        more=more,
    )
    path = folder / f"triad.{variant}"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def measured(folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    path = folder / "record.json"
    common = ["kernels", "--quick", "--only", "triad", "--runs", "2", "--work", str(folder), "--json", str(path)]
    status = main([*common, "--reuse", *options])
    return status, json.loads(path.read_text(encoding="utf-8"))


def test_a_measurement_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for variant, kernels in (("host", 8.0), ("baseline", 4.0), ("thesis", 4.0), ("auto", 2.0), ("handwritten", 1.0)):
        fake(tmp_path, variant, kernels, "4.50000000001" if variant == "auto" else "4.5")
    status, record = measured(tmp_path)
    assert status == 0
    (outcome,) = results(record).outcomes
    assert outcome.kernels == {"host": 8.0, "baseline": 2.0, "thesis": 2.0, "auto": 1.0, "handwritten": 0.5}
    assert outcome.phases["auto"] == 20.0
    assert (outcome.speed("auto"), outcome.phase_speed("auto")) == (0.5, 0.5)
    assert outcome.rate("auto") == pytest.approx(24 * 1009 / 1e9)
    printed = capsys.readouterr().out
    assert "skipped clang: not built (1 programs)" in printed
    assert "not judged" in printed
    pytest.importorskip("matplotlib")
    assert main(["plot", str(tmp_path / "record.json"), "--png", str(tmp_path / "figure.png")]) == 0
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_bars_on_the_reference_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.columns.describe", lambda: {"device": "NVIDIA H200"})
    for variant, kernels in (("host", 8.0), ("auto", 2.0), ("handwritten", 1.0)):
        fake(tmp_path, variant, kernels)
    _, record = measured(tmp_path)
    record["sizes"] = "full"
    words = {verdict.bar.text: verdict.word for _, verdict in results(record).verdicts}
    assert words["hand-written / auto, kernels: worst"] == "MISSED"
    assert words["auto"] == "MISSED"  # GB/s
    assert words["clang / auto, kernels: worst"] == "MISSED"  # than what is known of clang
    assert "MISSED" in table(record)
    assert results({**record, "environment": {"device": "another"}}).limits is None


def test_a_nest_is_judged_by_itself(tmp_path: Path) -> None:
    for variant, kernels in (("host", 8.0), ("auto", 4.0), ("handwritten", 3.0)):
        fake(tmp_path, variant, kernels)
        (tmp_path / f"triad.{variant}").rename(tmp_path / f"lu.{variant}")
    path = tmp_path / "record.json"
    options = ["--quick", "--only", "lu", "--work", str(tmp_path), "--reuse", "--json", str(path)]
    assert main(["kernels", *options]) == 0
    record = {**json.loads(path.read_text(encoding="utf-8")), "sizes": "full"}
    verdicts = {verdict.bar.text: verdict for _, verdict in results(record).verdicts}
    own = verdicts["hand-written / auto"]
    assert (own.value, own.bar.limit, own.word) == (0.75, 0.7, "met")
    assert verdicts["hand-written / auto, kernels: worst"].value is None


def test_what_is_not_there_is_no_failure(tmp_path: Path) -> None:
    for variant in ("host", "baseline", "thesis", "auto", "handwritten"):
        fake(tmp_path, variant, 1.0)
    fake(tmp_path, "clang", 1.0, more="echo 'skipped: no such device' >&2; exit 77")
    fake(tmp_path, "thesis", 1.0, "4.6")
    status, record = measured(tmp_path)
    assert status == 1
    assert ["triad, thesis: wrong answer" in problem for problem in problems(record)] == [True]
    assert record["programs"][0]["variants"]["clang"]["skipped"] == "no such device"
    (outcome,) = results(record).outcomes
    assert set(outcome.kernels) == {"host", "baseline", "auto", "handwritten"}


def test_a_program_beside_another_brings_that_one(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    options = ["--quick", "--only", "histogram-atomic", "--work", str(tmp_path), "--reuse", "--json", str(path)]
    assert main(["kernels", *options]) == 1  # nothing is built
    record = json.loads(path.read_text(encoding="utf-8"))
    assert [program["name"] for program in record["programs"]] == ["histogram", "histogram-atomic"]
    assert "host" not in record["programs"][1]["variants"]


def test_what_is_left_to_choose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may run on the host, and is judged beside the host."""
    monkeypatch.setattr("benchmarks.columns.describe", lambda: {"device": "NVIDIA H200"})
    for variant, seconds in (("host", 8.0), ("auto", 20.0), ("choosing", 10.0)):
        fake(tmp_path, variant, seconds / 10, more='[ -z "$OMPC_OFFLOAD" ] || exit 8' if variant == "choosing" else "")
        (tmp_path / f"triad.{variant}").rename(tmp_path / f"triad-small.{variant}")
    path = tmp_path / "record.json"
    options = ["--quick", "--only", "triad-small", "--work", str(tmp_path), "--reuse", "--json", str(path)]
    assert main(["kernels", *options]) == 0
    record = json.loads(path.read_text(encoding="utf-8"))
    verdicts = {verdict.bar.text: verdict for _, verdict in results({**record, "sizes": "full"}).verdicts}
    choice = verdicts["gcc / auto choosing, phase"]
    assert (choice.value, choice.word) == (0.8, "MISSED")


def test_parts_become_one_record(tmp_path: Path) -> None:
    for variant in ("host", "auto", "handwritten"):
        fake(tmp_path, variant, 1.0)
    _, record = measured(tmp_path, "--without", "baseline", "--without", "thesis")
    assert list(record["programs"][0]["variants"]) == ["host", "auto", "handwritten", "clang", "nvc"]
    part, whole = tmp_path / "record.json", tmp_path / "whole.json"
    assert main(["plot", str(part), str(part), "--json", str(whole)]) == 0
    assert json.loads(whole.read_text(encoding="utf-8"))["programs"] == 2 * record["programs"]
    part.write_text(json.dumps({**record, "sizes": "full"}), encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["plot", str(part), str(whole)])


def test_geometric_mean() -> None:
    assert geometric_mean([0.5, 2.0]) == pytest.approx(1.0)
    assert geometric_mean([]) is None


def test_what_was_measured_before_an_interruption_is_kept(tmp_path: Path) -> None:
    program = KERNELS[0].program
    table = [Column(program, program.sizes["quick"], variant) for variant in ("host", "auto", "thesis")]

    def measured(column: Column, turn: int) -> None:
        if turn == 0 and column.variant == "thesis":
            raise KeyboardInterrupt
        column.runs.append({"round": turn})

    rounds(Setup((), "emulate", 3, tmp_path, {}), table, measured, lambda done: None)
    assert [column.problem for column in table] == [None, None, "interrupted"]
    assert [len(column.runs) for column in table] == [2, 2, 1]

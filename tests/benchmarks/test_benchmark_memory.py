"""`python -m benchmarks memory`: formulas, bars, made-up programs from end to end, one real program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from benchmark_records import ledger, region

from benchmarks.__main__ import main
from benchmarks.bars import Bar
from benchmarks.ledger import Flow, parse_ledger
from benchmarks.memory import COLUMN_SECONDS
from benchmarks.memory_bars import Measured, Minimum, Traffic, above, bandwidth, excess, ratio, seconds_of
from benchmarks.memory_report import table
from benchmarks.memory_results import outcomes
from benchmarks.memory_suite import MEMORY, SIZES, study_of
from benchmarks.results import problems

ROOT = Path(__file__).resolve().parents[2]
MINIMUM = Minimum(1_000_000, 1_000_000, arrays=1)


@pytest.mark.parametrize(
    ("name", "arguments", "to_device", "to_host"),
    [
        ("jacobi-200", (5, 4, 100, 0), 8 * (20 + 6 + 3), 8 * 6),
        ("jacobi-200", (1, 1, 100, 0), 8 * (1 + 3), 0),
        ("heat", (5, 4, 3), 160, 160),
        ("heat", (5, 4, 0), 0, 0),
        ("table_uniform", (7,), 32_000, 0),
        ("table_lanes", (7, 9), 32_000, 0),
        ("transfer_many", (10, 3), 240, 240),
        ("launch_cost", (9,), 5 * 2**20, 2**20),
        ("matmul", (2, 3, 5), 4 * (6 + 15), 4 * 10),
        ("pi_montecarlo", (10,), 160, 0),
        ("pi_integral", (10,), 0, 0),
        ("mandelbrot", (10, 50), 160, 0),
    ],
)
def test_minimum(name: str, arguments: tuple[int, ...], to_device: int, to_host: int) -> None:
    minimum = study_of(name).minimum(*arguments)
    assert (minimum.to_device, minimum.to_host) == (to_device, to_host)


def test_every_program_has_its_sizes_and_reasons() -> None:
    names = [study.program.name for study in MEMORY]
    assert len(set(names)) == len(names)
    for study in MEMORY:
        assert tuple(study.program.sizes) == SIZES
        assert study.because
        assert study.program.source.is_file()
        assert not study.program.handwritten or study.program.cuda_source.is_file()
        for size in study.program.sizes.values():
            assert study.minimum_of(size).to_device >= 0


@pytest.mark.parametrize(
    ("moved", "allowed"),
    [
        ((1_000_000, 1_000_000), True),
        ((1_026_384, 1_026_384), True),  # 1 %, four pages
        ((1_026_385, 1_000_000), False),
        ((1_000_000, 1_026_385), False),
        ((0, 2_000_000), False),
    ],
)
def test_whole_pages_are_allowed(moved: tuple[int, int], allowed: bool) -> None:
    assert MINIMUM.allows(*moved) == allowed
    measured = Measured({}, {"auto": Traffic(Flow(moved[0]), Flow(moved[1]))}, MINIMUM)
    assert (excess("auto")(measured) == 0.0) == allowed


def test_values_of_bars() -> None:
    traffic = {"auto": Traffic(Flow(10**9, 0.02), Flow(0, 0.0))}
    measured = Measured({"auto": 2.0, "baseline": 50.0}, traffic, MINIMUM)
    assert seconds_of("auto", 1e3)(measured) == 2000.0
    assert ratio("baseline", "auto")(measured) == 25.0
    assert above("baseline", "auto", 2.0)(measured) == 96.0
    assert bandwidth("auto", "to_device")(measured) == pytest.approx(50.0)
    assert bandwidth("auto", "to_host")(measured) is None
    for missing in (
        seconds_of("x"),
        ratio("x", "auto"),
        above("auto", "x", 1.0),
        bandwidth("x", "to_host"),
        excess("x"),
    ):
        assert missing(measured) is None


@pytest.mark.parametrize(("value", "at_least", "met"), [(1.0, False, True), (1.1, False, False), (1.1, True, True)])
def test_limits(value: float, at_least: bool, met: bool) -> None:
    assert Bar("", seconds_of("auto"), 1.0, at_least=at_least).is_met(value) == met


def test_bytes_of_a_ledger_are_those_of_its_regions() -> None:
    read = parse_ledger(ledger(region(1.0, 0.5, 0.1, 0.25), region(1.0, 0.5, 0.1, 0.25)))
    assert (read.to_device, read.to_host) == (Flow(16, 1.0), Flow(16, 0.5))
    assert read.to_device.gigabytes_per_second == pytest.approx(16e-9)
    assert Flow(0, 1.0).gigabytes_per_second is None


FAKE = """#!/bin/sh
[ "$CUDA_MODULE_LOADING" = EAGER ] || [ {variant} = host ] || exit 9
[ -z "$OMPC_PROFILE" ] || cat >"$OMPC_PROFILE" <<'END'
{ledger}
END
echo 'mean {answer}'
echo 'seconds {seconds}' >&2
{more}
"""


def fake(folder: Path, variant: str, seconds: float, answer: str = "4.5", more: str = "") -> None:
    """An executable that stands for table_uniform."""
    made = region(2.0, 0.5, 1.0, 0.25)
    made["h2d_bytes"], made["d2h_bytes"] = 32_000, 0
    text = FAKE.format(variant=variant, ledger=json.dumps(ledger(made)), answer=answer, seconds=seconds, more=more)
    path = folder / f"table_uniform.{variant}"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def measured(folder: Path, *options: str) -> tuple[int, dict[str, Any]]:
    path = folder / "record.json"
    common = ["memory", "--only", "table_uniform", "--runs", "3", "--work", str(folder), "--reuse", "--json", str(path)]
    return main([*common, *options]), json.loads(path.read_text(encoding="utf-8"))


def test_a_measurement_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake(tmp_path, "host", 9.0)
    fake(tmp_path, "thesis", 2.0)
    fake(tmp_path, "auto", 1.0, "4.5000000001")
    fake(tmp_path, "handwritten", 0.5, more="echo 'moved 32000 8' >&2; echo 'copied in 1e-3 out 2e-3' >&2")
    status, record = measured(tmp_path)
    assert status == 0
    (outcome,) = outcomes(record)
    assert [(time.variant, time.phase, time.runs) for time in outcome.times] == [
        ("host", 9.0, 3),
        ("thesis", 2.0, 3),
        ("auto", 1.0, 3),
        ("handwritten", 0.5, 3),
    ]
    assert outcome.traffic["handwritten"] == Traffic(Flow(32000, 1e-3), Flow(8, 2e-3))
    assert [(verdict.value, verdict.word) for verdict in outcome.verdicts] == [(2.0, "met"), (0.0, "met")]
    printed = capsys.readouterr().out
    assert "thesis / auto" in printed
    assert "2.000" in printed
    pytest.importorskip("matplotlib")
    assert main(["plot", str(tmp_path / "record.json"), "--png", str(tmp_path / "figure.png")]) == 0
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("answer", "more", "problem"),
    [
        ("4.6", "", "wrong answer: token 2"),
        ("4.5", "echo 'ompc: a.c:1: runs on the host: no device [OMPC450]' >&2", "OMPC450"),
        ("4.5", "exit 3", "exit status 3"),
    ],
)
def test_failures_are_told_and_leave_the_rest(tmp_path: Path, answer: str, more: str, problem: str) -> None:
    for variant in ("host", "auto", "handwritten"):
        fake(tmp_path, variant, 1.0)
    fake(tmp_path, "thesis", 1.0, answer, more if "OMPC450" not in more else f'[ -n "$OMPC_PROFILE" ] || {more}')
    status, record = measured(tmp_path)
    assert status == 1
    assert [problem in text for text in problems(record)] == [True]
    (outcome,) = outcomes(record)
    assert outcome.verdicts[0].word == "not measured"
    assert "FAILED table_uniform, thesis" in table(record)


def test_what_is_slow_leaves_the_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.memory.COLUMN_SECONDS", 0.0)
    assert COLUMN_SECONDS > 0
    for variant in ("host", "thesis", "auto", "handwritten"):
        fake(tmp_path, variant, 1.0)
    _, record = measured(tmp_path)
    (outcome,) = outcomes(record)
    assert {time.runs for time in outcome.times} == {2}


def test_saved_by_date_and_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.__main__.RESULTS", tmp_path / "results")
    monkeypatch.setattr("benchmarks.columns.describe", lambda: {"device": "NVIDIA H200"})
    for variant in ("host", "thesis", "auto"):
        fake(tmp_path, variant, 1.0)
    status, record = measured(tmp_path, "--target", "emulate", "--save", "--quick")
    assert status == 0
    (picture,) = (tmp_path / "results").iterdir()
    assert picture.name == f"{record['date'][:10]}-h200"
    assert [verdict.word for verdict in outcomes(record)[0].verdicts] == ["not judged", "met"]


def test_other_records_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_text('{"experiment": "none"}', encoding="utf-8")
    with pytest.raises(SystemExit):
        main(["plot", str(path)])


@pytest.mark.slow
def test_a_real_program(tmp_path: Path, emulating_cxx: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Emulated, at a tiny size: built at every level, right everywhere, and never below the minimum."""
    monkeypatch.setenv("CXX", emulating_cxx)
    path = tmp_path / "record.json"
    options = ["--quick", "--target", "emulate", "--only", "heat", "--runs", "1", "--json", str(path)]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "memory", *options], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (outcome,) = outcomes(json.loads(path.read_text(encoding="utf-8")))
    assert [time.variant for time in outcome.times] == ["host", "baseline", "thesis", "auto"]
    for traffic in outcome.traffic.values():
        over = traffic.over(outcome.minimum)
        assert over is not None and over >= 1.0

"""The programs compile without a warning, and say the same with one thread and with four, at odd sizes too."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from benchmarks.memory_suite import MEMORY
from benchmarks.suite import FIGURE_16, Program
from ompc.tools.answers.compare import first_difference

PROGRAMS = {program.source.stem: program for program in (*FIGURE_16, *(study.program for study in MEMORY))}

CASES = {
    "matmul": ["", "1 1 1", "7 13 31", "128 1 138", "1 127 1"],
    "pi_montecarlo": ["", "0", "1", "1009 5"],
    "pi_integral": ["", "0", "1", "1009"],
    "mandelbrot": ["1021 1000", "0", "1 1", "7 0"],
    "jacobi": ["200 200 100", "1 1", "2 2 3", "3 3", "7 31 13", "1 200 5", "200 200 0"],
    "heat": ["", "1 1", "7 31 13", "1 200 5", "9 9 0"],
    "table_uniform": ["1009", "0", "1"],
    "table_lanes": ["", "0", "1 1", "7 0"],
    "transfer": ["", "0", "1", "1009 3", "7 0"],
    "launch_cost": ["50", "0"],
}

WRONG = {
    "matmul": ["1", "0 1 1", "129 1 1", "1 1 1 1", "1 x 1", "1 1 2147483649"],
    "pi_montecarlo": ["-1", "x", "1 2 3", "9999999999999999999999"],
    "pi_integral": ["-1", "1.5", "1 2"],
    "mandelbrot": ["-1", "1 x", "2147483648", "1 2 3"],
    "jacobi": ["1", "0 5", "201 5", "5 5 -1", "5 5 5 x", "5 5 5 nan", "1 1 1 1 1 1 1"],
    "heat": ["1", "0 5", "32769 5", "5 5 -1", "5 5 5 5"],
    "table_uniform": ["-1", "x", "1 2"],
    "table_lanes": ["-1", "1 x", "1 2 3"],
    "transfer": ["-1", "1 x", "1 2 3"],
    "launch_cost": ["-1", "x", "1 2"],
}


@pytest.fixture(scope="session")
def executables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every program, compiled with warnings as errors."""
    folder = tmp_path_factory.mktemp("programs")
    flags = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-O2"]
    for name, program in PROGRAMS.items():
        for macros, file in (("-DTIME_TRANSFERS", "timed"), ("-UTIME_TRANSFERS", name)):
            command = ["gcc", *flags, macros, str(program.source), "-o", str(folder / file), "-lm"]
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
    return {name: folder / name for name in PROGRAMS}


def run(executable: Path, arguments: str, threads: int) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    return subprocess.run(
        [str(executable), *arguments.split()], env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize(("program", "arguments"), [(p, a) for p, cases in CASES.items() for a in cases])
def test_same_answer_with_one_thread_and_four(executables: dict[str, Path], program: str, arguments: str) -> None:
    one, four = (run(executables[program], arguments, threads) for threads in (1, 4))
    assert one.returncode == four.returncode == 0
    assert first_difference(one.stdout, four.stdout, rtol=PROGRAMS[program].rtol) is None
    assert "nan" not in one.stdout
    assert "inf " not in one.stdout
    assert one.stderr.startswith("seconds ")


@pytest.mark.parametrize(("program", "arguments"), [(p, a) for p, cases in WRONG.items() for a in cases])
def test_wrong_arguments_give_a_usage_line(executables: dict[str, Path], program: str, arguments: str) -> None:
    done = run(executables[program], arguments, 1)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith(f"usage: {program} ")


@pytest.mark.parametrize(
    ("program", "arguments", "answer"),
    [
        ("pi_montecarlo", "1000000", ("pi", 3.14159, 5e-3)),
        ("pi_integral", "", ("pi", 3.14159265358979, 1e-11)),
        ("mandelbrot", "100000 1000", ("area", 1.5066, 2e-2)),
        ("heat", "40 60 500", ("total", 40 * 60 + 99.0 * 11 * 11, 1e-5)),
        ("table_lanes", "10000 100", ("sum", 5e5, 3e3)),
        ("transfer", "2048 3", ("sum", sum(2.0 * (i % 1024 + k) + 1 for k in range(3) for i in range(2048)), 0.0)),
        ("launch_cost", "7", ("sum", 32.0 * 7, 0.0)),
        ("jacobi", "21 21 1000 1e-12", ("error", 0.0, 1e-6)),
        ("jacobi", "21 31 3000 0 0.8 0.7", ("error", 0.0, 1e-6)),
    ],
)
def test_answers_are_right(
    executables: dict[str, Path], program: str, arguments: str, answer: tuple[str, float, float]
) -> None:
    label, value, within = answer
    words = run(executables[program], arguments, 2).stdout.split()
    assert float(words[words.index(label) + 1]) == pytest.approx(value, abs=within)


def test_matmul_against_integers(executables: dict[str, Path]) -> None:
    rows, inner, columns = 5, 7, 11
    state = 2012

    def element() -> int:
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 60) - 8

    a = [[element() for _ in range(inner)] for _ in range(rows)]
    b = [[element() for _ in range(columns)] for _ in range(inner)]
    total = sum(
        ((i * 31 + j * 17) % 97 + 1) * sum(a[i][k] * b[k][j] for k in range(inner))
        for i in range(rows)
        for j in range(columns)
    )
    stdout = run(executables["matmul"], f"{rows} {inner} {columns}", 2).stdout
    assert f"checksum {total / 64:.6f}\n" in stdout


def test_declared_sizes_can_be_raised(tmp_path: Path) -> None:
    matmul: Program = next(program for program in FIGURE_16 if program.name == "matmul")
    flags = [flag.replace("2048", "300") for flag in matmul.sizes["large"].flags]
    executable = tmp_path / "matmul"
    subprocess.run(["gcc", "-fopenmp", "-O1", *flags, str(matmul.source), "-o", str(executable)], check=True)
    assert run(executable, "", 2).stdout.startswith("matmul 300 300 300\n")

"""`ompc translate --plain` of the programs that have a version written by hand: as short, and with gcc's results."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from accepted_by_nvcc import FRONT_ENDS, MACHINE_CODE

from ompc.toolchain.machine.nvcc import require_nvcc
from tests.plain.plain_programs import (
    HAND_WRITTEN,
    PROGRAMS,
    built_by_gcc,
    built_on_host,
    output_of,
    plain,
    written,
)

CASES = {
    "jacobi": ("60", "70", "8"),
    "matmul": ("20", "30", "40"),
    "heat": ("40", "50", "6"),
    "pi_integral": ("100000",),
    "pi_montecarlo": ("30000",),
    "mandelbrot": ("500", "100"),
    "transpose": ("70", "45"),
    "histogram": ("20000", "100"),
    "spmv": ("300", "20", "1"),
    "triad": ("1003", "2"),
}
"""The arguments that they run with."""

LARGEST = 1.5
"""How many times the lines of the version by hand."""


@pytest.mark.parametrize("name", CASES)
def test_plain_output_is_as_short_as_what_is_written_by_hand(name: str) -> None:
    files = plain(PROGRAMS / f"{name}.c").files
    by_hand = len((HAND_WRITTEN / f"{name}.cu").read_text().splitlines())
    shared = len((HAND_WRITTEN / "device.cuh").read_text().splitlines())
    lines = {file: text.splitlines() for file, text in files.items()}
    assert len(lines[f"{name}.cu"]) + len(lines[f"{name}_cuda.h"]) <= LARGEST * by_hand
    own = (f"{name}.c", f"{name}.cu", f"{name}_cuda.h", f"{name}_copies.cuh")
    program = sum(len(lines[file]) for file in own if file in lines)
    assert program <= LARGEST * (by_hand + shared)
    assert max(map(len, (*lines[f"{name}.cu"], *lines[f"{name}_cuda.h"]))) <= 120


@pytest.mark.parametrize("name", CASES)
def test_plain_output_has_the_results_of_gcc(name: str, tmp_path: Path) -> None:
    program = built_on_host(plain(PROGRAMS / f"{name}.c"), tmp_path / "plain")
    original = built_by_gcc(PROGRAMS / f"{name}.c", tmp_path)
    assert _rounded(output_of(program, *CASES[name])) == _rounded(output_of(original, *CASES[name]))


def _rounded(text: str) -> str:
    """Sums have another order: the last digits of nine."""
    return re.sub(r"\d\.\d{6,}(e[+-]\d+)?", lambda found: f"{float(found.group()):.6e}", text)


@pytest.mark.nvcc
def test_nvcc_takes_plain_output_without_a_warning(tmp_path: Path, nightly: bool) -> None:
    until = MACHINE_CODE if nightly else FRONT_ENDS
    nvcc = [str(require_nvcc(os.environ).path), *until, "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra"]
    for name in CASES:
        folder = written(plain(PROGRAMS / f"{name}.c"), tmp_path / name)
        words = [*nvcc, "-c", f"{name}.cu"]
        ran = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")

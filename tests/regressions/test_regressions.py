"""Programs that once got a wrong answer, a crash, or code that does not compile; each says at its top what it guards.

Every program gives what `gcc -fopenmp` gives. A first line `/* on device: N` states how many of its loops must have a
kernel, so that a program cannot pass because all of it stays on the host.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from ompc import driver
from ompc.cli import main
from ompc.options import Level, Options
from ompc.toolchain.nvcc import find_nvcc

PROGRAMS = sorted(Path(__file__).parent.glob("*.c"))
_ON_DEVICE = re.compile(r"/\* on device: (\d+)")


def _outcome(program: Path) -> tuple[int, str]:
    done = subprocess.run([program], capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout


def _expected(source: Path, directory: Path) -> tuple[int, str]:
    program = directory / "expected"
    subprocess.run(["gcc", "-w", "-O1", "-fopenmp", source, "-o", program, "-lm"], check=True)
    return _outcome(program)


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_answers_are_those_of_the_c_compiler(source: Path, tmp_path: Path) -> None:
    expected = _expected(source, tmp_path)
    for level in ("auto", "thesis"):
        program = tmp_path / level
        built = main(["build", str(source), "-o", str(program), "--target", "emulate", "--opt", level, "-q", "-w"])
        assert built == 0
        assert _outcome(program) == expected, level


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_as_many_loops_on_the_device_as_the_program_says(source: Path) -> None:
    stated = _ON_DEVICE.match(source.read_text())
    assert stated is not None, "the first line says how many loops have a kernel"
    report = driver.translate(source, Options(level=Level.AUTO)).report
    regions = report["regions"]
    assert isinstance(regions, list)
    assert sum(region["target"] == "gpu" for region in regions) == int(stated.group(1))


DOWNWARDS = """
#include <stdio.h>
int main(void)
{
    unsigned char a[100] = {0};
#pragma omp parallel for schedule(runtime)
    for (unsigned char i = 98; i >= 1; --i)
        a[i]++;
#pragma omp parallel for schedule(dynamic, 2)
    for (unsigned i = 98; i >= 1; i -= 3)
        a[i]++;
    printf("%d %d %d %d\\n", a[98], a[97], a[2], a[1]);
}
"""


def test_unsigned_loops_run_downwards_whatever_their_schedule(tmp_path: Path) -> None:
    """gcc 12 itself runs none of these iterations, so its answer is none to compare with."""
    source, program = tmp_path / "down.c", tmp_path / "down"
    source.write_text(DOWNWARDS)
    assert main(["build", str(source), "-o", str(program), "--target", "emulate", "-q"]) == 0
    assert _outcome(program) == (0, "2 1 2 1\n")


def _nvcc() -> Path:
    found = find_nvcc(os.environ)
    assert found is not None, "the marker has asked for it"
    return found.path


@pytest.mark.nvcc
@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_nvcc_has_nothing_to_say(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert main(["translate", str(source), "-o", str(folder), "-q"]) == 0
    strict = ["-arch=sm_90", "-std=c++17", "-Xcompiler=-fopenmp", "-Werror=all-warnings", "-c", "-o", "/dev/null"]
    for device in folder.glob("*.cu"):
        command = [_nvcc(), *strict, device.name]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

"""Programs that once got a wrong answer, a crash, or code that does not compile; each says at its top what it guards.

Every program gives what `gcc -fopenmp` gives. A first line `/* on device: N` states how many of its loops must have a
kernel, so that a program cannot pass because all of it stays on the host.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from accepted_by_nvcc import check_accepted

from ompc import driver
from ompc.base.options import Level, Options
from ompc.cli import main

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
def test_answers_are_those_of_the_c_compiler(
    source: Path, emulating_cxx: str, nightly: bool, tmp_path: Path
) -> None:
    """By day one of four also at `thesis`: the levels differ in what plan/ decides."""
    expected = _expected(source, tmp_path)
    for level in ("auto", "thesis") if nightly or PROGRAMS.index(source) % 4 == 0 else ("auto",):
        program = tmp_path / level
        words = ["--target", "emulate", "--cxx", emulating_cxx, "-O0", "--opt", level, "-q", "-w"]
        assert main(["build", str(source), "-o", str(program), *words]) == 0
        assert _outcome(program) == expected, level


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_as_many_loops_on_the_device_as_the_program_says(source: Path) -> None:
    stated = _ON_DEVICE.match(source.read_text())
    assert stated is not None, "the first line says how many loops have a kernel"
    report = driver.translate(source, Options(level=Level.AUTO)).report
    regions = report["regions"]
    assert isinstance(regions, list)
    asked = [region for region in regions if region["directive"] != "no pragma"]
    assert sum(region["target"] == "gpu" for region in asked) == int(stated.group(1))


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


def test_unsigned_loops_run_downwards_whatever_their_schedule(emulating_cxx: str, tmp_path: Path) -> None:
    """gcc 12 itself runs none of these iterations, so its answer is none to compare with."""
    source, program = tmp_path / "down.c", tmp_path / "down"
    source.write_text(DOWNWARDS)
    assert (
        main(["build", str(source), "-o", str(program), "--target", "emulate", "--cxx", emulating_cxx, "-O0", "-q"])
        == 0
    )
    assert _outcome(program) == (0, "2 1 2 1\n")


@pytest.mark.nvcc
def test_nvcc_has_nothing_to_say(nightly: bool, tmp_path: Path) -> None:
    check_accepted((driver.translate(source, Options(tag=source.stem)) for source in PROGRAMS), tmp_path, full=nightly)

"""Values of environment variables, and names of files, that would do something to a terminal; what surrounds a word."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
#include <stdio.h>
static double a[100000];
int main(void)
{
    #pragma omp parallel for
    for (int i = 0; i < 100000; i++)
        a[i] = i;
    return printf("%g\\n", a[5]) < 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, keeping_cxx: str) -> Path:
    """Its name has a line break: lines are counted in it all the same."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "a\n\x1b[31mb.c").write_text(PROGRAM)
    line = [
        sys.executable,
        "-m",
        "ompc",
        "build",
        "--target",
        "emulate",
        "--cxx",
        keeping_cxx,
        "a\n\x1b[31mb.c",
        "-o",
        "a",
    ]
    subprocess.run(line, cwd=folder, check=True)
    return folder / "a"


def run(program: Path, **environ: str) -> str:
    done = subprocess.run([program], env={**os.environ, **environ}, capture_output=True, text=True, check=True)
    assert done.stdout == "5\n"
    return done.stderr


@pytest.mark.parametrize("variable", ["OMPC_LOG", "OMPC_OFFLOAD", "OMPC_LANES", "OMPC_REGIONS"])
def test_nothing_that_a_terminal_obeys(program: Path, variable: str) -> None:
    said = run(program, **{variable: "\x1b[31m\x07\x7f\n\rx"})
    assert "?[31m????x" in said and not set(said) & set("\x1b\x07\x7f\r")


def test_names_of_files(program: Path) -> None:
    said = run(program, OMPC_LOG="3", OMPC_OFFLOAD="always")
    assert "a\\x0a\\x1b[31mb.c:6: " in said and "\x1b" not in said


@pytest.mark.parametrize("white", ["", " ", "\t", "\n", " \v\f\r\n"])
@pytest.mark.parametrize("word", ["disabled", "Disabled", "DISABLED"])
def test_white_space_around_a_word_of_openmp(program: Path, word: str, white: str) -> None:
    said = run(program, OMP_TARGET_OFFLOAD=white + word + white, OMPC_SUMMARY="1", OMPC_OFFLOAD="always")
    assert "0 of 1 loop on the device" in said and "not understood" not in said


def test_a_name_that_is_no_utf8(tmp_path: Path, keeping_cxx: str) -> None:
    """What the compiler depends on is read with any bytes in it."""
    name = os.fsdecode(b"\xff\xfe.c")
    (tmp_path / name).write_text(PROGRAM)
    line = [sys.executable, "-m", "ompc", "build", "--target", "emulate", "--cxx", keeping_cxx, name, "-o", "a"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr
    assert run(tmp_path / "a") == ""

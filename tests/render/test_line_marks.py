"""Kernels that name the user's lines: each directive stands in front of what comes from there."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from ompc.base.options import Level, Options
from ompc.base.resources import Runtime, include_words
from ompc.driver import translate
from ompc.render.makefiles.nvcc_options import debug_options
from ompc.toolchain.machine.nvcc import require_nvcc

# Every statement has a number of its own, by which it is known again.
PROGRAM = """\
#include <math.h>
static double of(double x)
{
    if (x > 100.5)
        return x * 101.5;
    switch ((int)x) {
    case 3: x += 102.5; break;
    default: x -= 103.5;
    }
    return x + 104.5;
}
void f(int n, double *a, const double *b)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 105.5;
        for (int k = 0; k < 3; k++)
            s += 106.5 * k;
        while (s > 107.5) {
            s *= 108.5; goto out;
        }
        if (s < 109.5) { s += 110.5; } else s += 111.5;
    out:
        a[i] = of(s) + b[i] * 112.5;
    }
}
void rows(int n, const int *row, const int *col, const double *v, const double *x, double *y)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 113.5;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += v[k] * x[col[k]] * 114.5;
        y[i] = s + 115.5;
    }
}
void pairs(int n, const double *m, const double *p, double *a)
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++) {
        double s = 116.5;
        for (int j = 0; j < n; j++) {
            const double d = p[j] - p[i] + 117.5;
            s += m[j] / sqrt(d * d + 118.5);
        }
        a[i] = s;
    }
}
void product(int n, double a[n][n], double b[n][n], double c[n][n])
{
    #pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 119.5;
            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s * 120.5;
        }
}
"""


def device_text(folder: Path, lines_from: str | None, level: Level = Level.AUTO, tag: str = "") -> str:
    source = folder / "marked.c"
    source.write_text(PROGRAM)
    options = Options(level=level, lines_from=lines_from, tag=tag)
    return translate(Path(source.name), options).files["marked.cu"]


@pytest.mark.parametrize("level", Level)
def test_directives_name_the_statement_behind_them(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    user = PROGRAM.split("\n")
    lines = device_text(tmp_path, "../here", level).split("\n")
    seen: set[str] = set()
    for at, line in enumerate(lines):
        directive = re.fullmatch(r'#line (\d+) "(.*)"', line)
        assert directive or "\x01" not in line
        if directive and directive[2] == "marked.cu":
            assert int(directive[1]) == at + 2
        elif directive:
            assert directive[2] == "../here/marked.c"
            numbers = set(re.findall(r"1[012]\d\.5", lines[at + 1]))
            assert numbers <= set(re.findall(r"1[012]\d\.5", user[int(directive[1]) - 1]))
            seen |= numbers
    assert {f"{number}.5" for number in (100, 101, 102, 106, 107, 108, 110, 111, 112, 119, 120)} <= seen


def test_nothing_is_marked_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    unmarked = device_text(tmp_path, None)
    assert "#line" not in unmarked and "\x01" not in unmarked
    marked = device_text(tmp_path, ".")
    words = re.findall(r"\w+", re.sub(r"#line .*", "", marked))
    assert words == re.findall(r"\w+", unmarked)


def test_what_nvcc_is_told() -> None:
    assert debug_options([]) == ["-lineinfo"]
    assert debug_options(["-O2", "-g"]) == ["-lineinfo", "-g"]
    assert debug_options(["-O2", "-g", "-O0"]) == ["-G", "-g"]
    assert debug_options(["-g3", "-g0"]) == ["-lineinfo"]


@pytest.mark.nvcc
def test_nvcc_hands_them_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "marked.cu").write_text(device_text(tmp_path, "."))
    command = [str(require_nvcc(os.environ).path), "-std=c++17", "-arch=sm_90", "-Werror", "all-warnings", "-ptx"]
    folders = include_words(Runtime.CUDA, Runtime.COMMON)
    subprocess.run([*command, "-lineinfo", *folders, "marked.cu", "-o", "marked.ptx"], check=True)
    text = (tmp_path / "marked.ptx").read_text()
    number = re.search(r'\.file\s+(\d+) ".*/marked\.c"', text)
    assert number and f"\t.loc\t{number[1]} 24 " in text  # a[i] = of(s) + ...

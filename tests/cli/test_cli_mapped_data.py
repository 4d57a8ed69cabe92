"""Data that one file of a program maps, and that another one without a loop on the device uses."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ompc.cli import main

MAIN = """\
#include <stdio.h>
#include <stdlib.h>
double look(double *p);
void change(double *p, int n), end(double *p, int n);
int main(void)
{
    int n = 1000;
    double *p = calloc(n, sizeof *p), s;
    #pragma omp target enter data map(to: p[0:n])
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) p[i] = i;
    s = look(p);
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) p[i] += 1;
    change(p, n);
    #pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++) p[i] *= 2;
    end(p, n);
    printf("%g %g %g\\n", s, p[3], p[4]);
    return 0;
}
"""
OTHER = """\
PLACE
double look(double *p)
{
    double s;
    LINE
    s = p[7];
    return s;
}
void change(double *p, int n)
{
    #pragma omp target update from(p[0:n])
    p[3] = 50;
    #pragma omp target update to(p[0:n])
}
void end(double *p, int n)
{
    #pragma omp target exit data map(from: p[0:n])
}
"""
LINE = "#pragma omp target map(from: s)"
HIDDEN = '#define HIDDEN _Pragma("omp target map(from: s)")'
UNREAD = "int f(int n) { int g(int m) { return m + n; } return g(n); }"


@pytest.mark.parametrize(
    ("place", "line", "codes"),
    [("", LINE, []), (HIDDEN, "HIDDEN", ["OMPC342"]), (UNREAD, LINE, ["OMPC105"])],
)
def test_the_host_code_of_another_file_finds_mapped_data(
    place: str,
    line: str,
    codes: list[str],
    emulating_cxx: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Where a line cannot be inserted, no file keeps data on the device."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text(MAIN)
    (tmp_path / "b.c").write_text(OTHER.replace("PLACE", place).replace("LINE", line))
    assert main(["build", "a.c", "b.c", "-o", "program", "--target", "emulate", "--cxx", emulating_cxx, "-O0"]) == 0
    said = capfd.readouterr().err
    assert all(code in said for code in codes)
    done = subprocess.run([tmp_path / "program"], capture_output=True, text=True, timeout=60)
    assert done.stdout == "7 100 10\n"

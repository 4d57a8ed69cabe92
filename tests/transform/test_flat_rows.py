"""Pointers to rows of variable length in kernels: what stands for them, and what is proved of that."""

from __future__ import annotations

from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate

FUNCTIONS = """
static int len;
static void row(int n, double x[][n], int j) { for (int i = 1; i < n - 1; i++) x[j][i] = x[j][i] * 0.5; }
static void of_file(double x[restrict static 2][len], int j) { for (int i = 0; i < len; i++) x[j][i] = 1; }
static void planes(int a, int b, double x[][b][a], int k) { for (int j = 0; j < b; j++) x[k][j][a - 1] = 0; }
static void moved(int n, double x[][n], int j) { x[j][0] = n; n = 2; x[j][1] = n; }
static double first(int n, double x[][n], int j) { return x[j][0]; }
"""
EACH = "for (int i = 0; i < n; i++)"


def _kernel(tmp_path: Path, parameters: str, statement: str) -> tuple[str, str]:
    """The text of the kernel's iteration, and where its independence comes from."""
    source = tmp_path / "a.c"
    loop = f"#pragma omp parallel for\n    for (int j = 0; j < m; j++) {{ {statement.replace('EACH', EACH)} }}"
    source.write_text(f"{FUNCTIONS}\nvoid f(int m, int n, {parameters}) {{\n    {loop}\n}}\n")
    dumps = translate(source, Options()).dumps
    proved = "iterations  proved independent" in dumps["analysis"]
    return " ".join(dumps["kernels"].split()), "proved" if proved else "promised"


@pytest.mark.parametrize(
    ("parameters", "statement", "text"),
    [
        ("double (*x)[n]", "row(n, x, j);", "x[j][i] = x[j][i] * 0.5;"),
        ("double *p", "row(n, (double (*)[n])p, j);", "p[(long)j * n + i] = p[(long)j * n + i] * 0.5;"),
        ("double *p", "double (*q)[n] = (double (*)[n])p; EACH q[j][i] *= 2;", "p[(long)j * n + i] *= 2;"),
        ("double *p", "double (*q)[n + 1] = (double (*)[n + 1])p; EACH q[j][i] = 2;", "p[(long)j * (n + 1) + i] = 2;"),
        ("double *p", "of_file((double (*)[len])p, j);", "p[(long)j * len + i] = 1;"),
        ("double (*x)[3][n]", "planes(n, 3, x, j);", "x[j][j_1][n - 1] = 0;"),
        ("double (*x)[n][n]", "EACH { double (*q)[n] = x[j] + i; (*q)[0] = i; }", "x[j][i][0] = i;"),
    ],
)
def test_what_keeps_its_value_is_in_the_place_of_the_pointer(
    tmp_path: Path, parameters: str, statement: str, text: str
) -> None:
    kernel, independence = _kernel(tmp_path, parameters, statement)
    assert text in kernel and independence == "proved"


@pytest.mark.parametrize(
    ("parameters", "statement", "text"),
    [
        ("double (*x)[n]", "moved(n, x, j);", "x_1_length = (long)n_1;"),
        ("double *p", "int k = n; double (*q)[k] = (double (*)[k])p; k = 2; q[j][0] = k;", "q_length = (long)k;"),
        ("double (*x)[n]", "double (*q)[2 * n] = (double (*)[2 * n])x; *q[j] = 1;", "((double *)x)[(long)j * (2 * n)]"),
        ("double (*x)[n]", "double (*q)[n] = x; q++; q[j][0] = 1;", "q += (long)n;"),
    ],
)
def test_what_changes_is_kept(tmp_path: Path, parameters: str, statement: str, text: str) -> None:
    kernel, _ = _kernel(tmp_path, parameters, statement)
    assert text in kernel


@pytest.mark.parametrize(
    "statement",
    [
        "int k = n; double (*q)[k] = (double (*)[k])p; k = 2; (*q)[j] = k;",
        "int k = n; double (*q)[k] = (double (*)[k])p; k = 2; q[0][j] = k;",
    ],
)
def test_a_length_that_nothing_asks_for_is_gone(tmp_path: Path, statement: str) -> None:
    kernel, _ = _kernel(tmp_path, "double *p", statement)
    assert "length" not in kernel and "p[" in kernel


def test_a_function_that_returns_a_value_gets_elements(tmp_path: Path) -> None:
    kernel, _ = _kernel(tmp_path, "double (*x)[n], double *y", "y[j] = first(n, x, j);")
    assert "y[j] = first(n, (double *)x, j);" in kernel

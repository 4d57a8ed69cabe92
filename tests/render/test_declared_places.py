"""Where kernels declare variables: with their first value, in the innermost block that says the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate


@pytest.fixture
def kernels(tmp_path: Path) -> Callable[[str], list[str]]:
    """The lines of the kernels and functions of a program, without indentation."""

    def made(text: str) -> list[str]:
        (tmp_path / "p.c").write_text(text)
        return [line.strip() for line in translate(tmp_path / "p.c", Options()).files["p.cu"].splitlines()]

    return made


LOOP = """
void f(int n, double *restrict a, double *restrict b, int *restrict c) {
    double s, w; int i, j, k;
    #pragma omp parallel for private(s, w, j, k)
    for (i = 0; i < n; i++) {
        BODY
    }
}
"""


def test_variables_are_declared_with_their_first_value(kernels: Callable[[str], list[str]]) -> None:
    lines = kernels(LOOP.replace("BODY", "s = a[i]; for (j = 0; j < 3; j++) { w = s * j; s += w * w; } b[i] = s;"))
    assert {"double s = a[i];", "for (int j = 0; j < 3; j++) {", "double w = s * j;"} <= {*lines}
    assert not {"double s;", "double w;", "int j;", "int k;"} & {*lines}


def test_each_block_that_sets_it_first_declares_it(kernels: Callable[[str], list[str]]) -> None:
    body = "if (c[i]) { s = a[i]; b[i] = s * s; } else { s = 2; w = s * a[i]; b[i] = s + w * w; }"
    lines = kernels(LOOP.replace("BODY", body))
    assert {"double s = a[i];", "double s = 2;"} <= {*lines}


@pytest.mark.parametrize(
    "body",
    [
        "if (c[i]) s = a[i]; else s = 2; b[i] = s;",
        "for (j = 0; j < 3; j++) { if (j == 0) s = a[i]; s *= 2; } b[i] = s;",
        "for (j = 0; j < 3; j++) { s = a[i] * j; b[i] += s; } b[i] += s;",
        "do { s = a[i] * 0.5; a[i] = s; } while (s > 1); b[i] = 0;",
        "switch (c[i]) { case 0: s = a[i]; break; default: s = 1; } b[i] = s;",
        "j = 0; again: s = a[i] + j; if (j++ < 3) goto again; b[i] = s;",
    ],
)
def test_what_is_read_elsewhere_is_declared_around(kernels: Callable[[str], list[str]], body: str) -> None:
    lines = kernels(LOOP.replace("BODY", body))
    assert "double s;" in lines


def test_counters_read_behind_their_loop_are_declared_around(kernels: Callable[[str], list[str]]) -> None:
    lines = kernels(LOOP.replace("BODY", "for (j = 0; j < 3 && a[i] > j; j++) b[i] += j; c[i] = j;"))
    assert "int j;" in lines
    assert any(line.startswith("for (j = 0;") for line in lines)


def test_constants_that_nothing_reads_are_not_stored(kernels: Callable[[str], list[str]]) -> None:
    lines = kernels(LOOP.replace("BODY", "b[i] = a[i]; k = 3;"))
    assert not any("k = 3" in line for line in lines)


def test_functions_are_as_kernels_are(kernels: Callable[[str], list[str]]) -> None:
    lines = kernels(
        "static double g(double x) { double y; int k; y = x; for (k = 0; k < 9; k++) y = y * x; return y; }"
        + LOOP.replace("BODY", "b[i] = g(a[i]);")
    )
    assert {"double y = x;", "for (int k = 0; k < 9; k++)"} <= {*lines}


def test_blocks_lose_braces_that_say_nothing(kernels: Callable[[str], list[str]]) -> None:
    lines = kernels(LOOP.replace("BODY", "{ { double x = a[i]; b[i] = x; } } { w = 1; { s = w; b[i] += s; } }"))
    at = lines.index("double x = a[i];")
    assert lines[at : at + 5] == ["double x = a[i];", "b[i] = x;", "double w = 1;", "double s = w;", "b[i] += s;"]


def test_where_threads_have_one_point_loops_are_left_by_break(kernels: Callable[[str], list[str]]) -> None:
    places = " + ".join(f"a[(i + {d}) * m + j]" for d in range(10))
    lines = kernels(
        "void f(int n, int m, double *restrict a, double *restrict b) {\n#pragma omp parallel for collapse(2)\n"
        f"for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) b[i * m + j] = {places}; }}"
    )
    assert lines.count("if (once)") == 2 and not any("once ?" in line for line in lines)


def test_members_of_what_is_made_there_are_their_values(kernels: Callable[[str], list[str]]) -> None:
    lines = kernels(
        "typedef struct { double re, im; } z;\nvoid f(int n, z *restrict a, double *restrict b) {\n"
        "#pragma omp parallel for\nfor (int i = 0; i < n; i++) b[i] = ((z){a[i].im + 1, a[i].re}).re; }"
    )
    assert "b[i] = a[i].im + 1;" in lines


@pytest.mark.parametrize(("name", "conditions"), [("t", 2), ("w", 1)])
def test_parts_of_one_loop_are_one_block_unless_names_clash(
    kernels: Callable[[str], list[str]], name: str, conditions: int
) -> None:
    lines = kernels(
        "double a[64][40], y[64][40], z[64][40];\nvoid f(int n) {\n"
        "#pragma omp parallel for\nfor (int k = 0; k < 64; k++) { double v[40];\n"
        "for (int i = 0; i < n; i++) v[i] = a[k][i] * 2;\n"
        "for (int i = 1; i < n - 1; i++) { double t = v[i-1] - v[i+1]; y[k][i] = (y[k][i] - y[k][i-1]) * t; }\n"
        f"for (int i = 1; i < n - 1; i++) {{ double {name} = v[i-1] + v[i+1];"
        f" z[k][i] = (z[k][i] - z[k][i-1]) * {name}; }} }} }}"
    )
    assert sum("i_ahead - 1 < n - 1" in line for line in lines) == conditions, lines
    assert lines.count("if (2 <= i_ahead && i_ahead - 1 < n - 1) {") == conditions


def test_shared_loops_declare_what_their_entries_set(kernels: Callable[[str], list[str]]) -> None:
    """Also what is the counter of another one."""
    lines = kernels("""
        static float a[400][400], b[400][400], d[400][400];
        void f(int n)
        {
            #pragma omp parallel for
            for (int c = 0; c < n; c++) {
                int i, j, last; float w;
                for (j = 0; j < n; j++)
                    for (i = 0; i < 3; i++) {
                        w = a[c][j] * i;
                        b[c][j] += w;
                    }
                last = n - 1;
                for (i = 0; i < n; i++)
                    for (j = 0; j < 3; j++) {
                        w = b[c][last - i] * j;
                        d[c][i] += w;
                    }
            }
        }
    """)
    begin = next(number for number, line in enumerate(lines) if line.startswith("f_shared("))
    shared = lines[begin:]
    assert {"for (int i = 0; i < 3; i++) {", "for (int j = 0; j < 3; j++) {", "float w = a[c][j] * i;"} <= {*shared}
    assert [line for line in shared if line.endswith("{};")] == ["int last{};"]

"""Ids of loops: from their functions, stable when lines move, unique in the unit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.driver import translate

FOR = "\n#pragma omp parallel for\nfor (int i = 0; i < n; i++) "
SUM = "\n#pragma omp parallel for reduction(+: s)\nfor (int i = 0; i < n; i++) "
HEAD = """struct grid { double *rhs, x[9]; struct { double y; } cell[9]; };
double relax(double *u, int i) { return u[i] = i; }
"""
Ids = Callable[[str], list[str]]


@pytest.fixture
def ids(tmp_path: Path) -> Ids:
    def of(text: str) -> list[str]:
        source = tmp_path / "a.c"
        source.write_text(HEAD + text)
        return [region["id"] for region in translate(source, Options()).report["regions"]]

    return of


@pytest.mark.parametrize(
    ("loops", "names"),
    [
        (f"{FOR}u[i] = 0;", ["f"]),
        (f"{FOR}u[i] = 0; {FOR}v[i] = u[i];", ["f_u", "f_v"]),
        (f"{FOR}u[i] = 0; {FOR}u[n - 1 - i] += 1; {SUM}s += u[i];", ["f_u", "f_u_2", "f_s"]),
        (f"{FOR}g->rhs[i] = 0; {FOR}g->x[i] = 1; {FOR}g->cell[i].y = 2;", ["f_rhs", "f_x", "f_cell"]),
        (f"{FOR}relax(u, i); {FOR}{{ double t[2]; t[i & 1] = i; *(v + i) = t[0]; }}", ["f_relax", "f_v"]),
    ],
)
def test_words(ids: Ids, loops: str, names: list[str]) -> None:
    text = f"void f(int n, double *u, double *v, struct grid *g, double s) {{\n{loops}\n}}"
    assert ids(text) == names
    assert ids("\n/* other lines */\n" + text.replace("for (", "\nfor (")) == names


def test_what_other_loops_may_be_called(ids: Ids) -> None:
    body = f"(int n, double *u, double *v) {{{FOR}u[i] = v[i]; }}\n"
    assert ids(f"void f_equal{body}void f{body}") == ["f_equal", "f_2"]
    assert ids(f"int main(void) {{ static double u[9]; int n = 9;\n{FOR}u[i] = 1; }}") == ["main_u"]


def test_kernels_whose_name_is_something_else(tmp_path: Path) -> None:
    """Of a variable, of a function that kernels call, of CUDA's or C++'s."""
    source = tmp_path / "a.c"
    source.write_text(
        f"double twice(int n, double *u) {{{FOR}u[i] *= 2;\n return n; }}\n"
        f"void u(int n, double *u) {{{FOR}u[i] = twice(0, u); }}\n"
        f"void launch(int n, double *v) {{{FOR}v[i] = 1; }}\n"
        f"void namespace(int n, double *v) {{{FOR}v[i] = 1; }}\n"
    )
    found = translate(source, Options())
    assert [region["id"] for region in found.report["regions"]] == ["twice", "u", "launch", "namespace"]
    kernels = [line.partition("(")[0].split()[-1] for line in found.files["a.cu"].splitlines() if "__global__" in line]
    assert kernels[-3:] == ["u_2", "launch", "namespace_2"]
    assert "twice" not in kernels and "OMPC_LAUNCH(launch_2, shape, launch," in found.files["a.cu"]

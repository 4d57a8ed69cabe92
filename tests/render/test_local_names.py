"""Names of what the device file has besides the user's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from ompc.base.options import Options
from ompc.driver import compile_to, translate
from ompc.plan.model.names import Local
from ompc.render.local_names import with_names

CASES = Path(__file__).parent.parent / "snapshots" / "cases"


@pytest.fixture
def device(tmp_path: Path) -> Callable[[str], str]:
    def made(text: str) -> str:
        (tmp_path / "p.c").write_text(text)
        return translate(tmp_path / "p.c", Options()).files["p.cu"]

    return made


def locals_in(value: Any, seen: set[int]) -> set[Local]:
    """What has no name yet, in records of the plan's model."""
    if isinstance(value, Local):
        return {value}
    if id(value) in seen:
        return set()
    seen.add(id(value))
    if isinstance(value, dict):
        return {found for pair in value.items() for part in pair for found in locals_in(part, seen)}
    if isinstance(value, tuple):
        return {found for part in value for found in locals_in(part, seen)}
    if is_dataclass(value) and type(value).__module__.startswith("ompc.plan.model"):
        return {found for field in fields(value) for found in locals_in(getattr(value, field.name), seen)}
    return set()


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir() if path.is_dir()))
def test_everything_gets_a_name_once(name: str) -> None:
    plan = compile_to("plan", CASES / name / "input.c")
    named = with_names(plan)
    assert bool(locals_in(plan, set())) == bool(plan.on_device)
    assert not locals_in(named, set())
    again = with_names(named)
    assert [region.kernel for region in again.regions] == [region.kernel for region in named.regions]


def test_the_users_names_come_first(device: Callable[[str], str]) -> None:
    text = device("""
    void f(int n, double *t, const double *trips, double t_result) {
        double iteration = 0;
        #pragma omp parallel for reduction(+:iteration)
        for (int i = 0; i < n; i++) { int rows = i; t[rows] = trips[i]; iteration += t_result; }
        t[0] = iteration;
    }
    """)
    assert "size_t iteration_2 = blockIdx.x" in text
    assert "iteration_2 < trips_2" in text
    assert "ompc::reduce(iteration, iteration_result)" in text


def test_one_name_for_a_launch(device: Callable[[str], str]) -> None:
    """What the launcher passes is called as in the kernels."""
    text = device("""
    void f(int n, int m, int trips_j, double a[n][m], const double b[n][m]) {
        #pragma omp parallel for collapse(2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) a[i][j] = b[i][j] * trips_j;
    }
    """)
    (name,) = set(re.findall(r"ompc::Trips (trips_j\w*)", text))
    assert name == "trips_j_2" and f"size_t {name})" in text


def test_sizes_that_the_host_knows(device: Callable[[str], str]) -> None:
    """`a_bytes`, which the launcher is told of `a`, is the user's."""
    text = device("""
    void g(double *);
    void f(int n, double a_bytes) {
        double a[n];
        g(a);
        #pragma omp parallel for
        for (int i = 0; i < n; i++) a[i] += a_bytes;
        g(a);
    }
    """)
    assert re.search(r"int ompc_launch_f\(int n, double a_bytes, unsigned long a_bytes_2, void \*a\)", text)
    assert "ompc::object(a_bytes_2)" in text


def test_constants_of_one_name(device: Callable[[str], str]) -> None:
    text = device("""
    static double w(double x) { return x; }
    void f(double *y) {
        #pragma omp parallel for
        for (int i = 0; i < 50; i++) y[i] = w(y[i]);
        double w[2] = {1, 2};
        #pragma omp parallel for
        for (int i = 0; i < 50; i++) y[i] += w[0] + w[1];
    }
    """)
    assert "__constant__ double w_2[2];" in text and "w_2[0] + w_2[1]" in text


def test_a_struct_of_that_name(device: Callable[[str], str]) -> None:
    """C++ has `t{...}` for C's `(struct t){...}`."""
    text = device("""
    struct t { double x, y; };
    void f(int n, double *a) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) {
            struct t p = (struct t){i, 2};
            a[i] = p.x + p.y;
        }
    }
    """)
    assert "t{(double)i, 2.0}" in text and "size_t iteration = blockIdx.x" in text


def test_a_number_of_that_name(device: Callable[[str], str]) -> None:
    """A bound is printed by the name of its number."""
    text = device("""
    enum { region = 10, trips = 100 };
    void f(double *a) {
        #pragma omp parallel for
        for (int i = region; i < trips; i++) a[i] += 1;
    }
    """)
    assert "ompc::Region region_2(" in text
    assert "ompc::Trips trips_2 = ompc::trips_lt<int>(region, trips, 1);" in text


def test_an_object_that_is_called_like_its_struct(device: Callable[[str], str]) -> None:
    """It keeps its name: C++ has `struct point` for the type then."""
    text = device("""
    struct point { double x, y; };
    static struct point point;
    static double moved(double x) { return x + point.x; }
    void f(int n, double *a) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) a[i] = moved(a[i]);
    }
    """)
    assert "moved(double x, const struct point *point)" in text and "point->x" in text


def test_a_parameter_that_a_function_hides(device: Callable[[str], str]) -> None:
    text = device("""
    static double shift;
    static double g(double x) { double shift_2 = x; return shift_2 + shift; }
    static double h(double shift) { return g(shift); }
    void f(int n, double *y) {
        #pragma omp parallel for
        for (int i = 0; i < n; i++) y[i] = h(y[i]);
    }
    """)
    assert "double g(double x, double shift)" in text and "double h(double shift, double shift_2)" in text

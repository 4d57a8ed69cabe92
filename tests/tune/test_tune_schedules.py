"""Which kernels of a launch can be chosen, what can be chosen of each, and that a launch takes the one that was."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from ompc.base.options import Options
from ompc.cli import main
from ompc.driver import translate
from ompc.tools.tune.variants import tunable_loops

PROGRAM = """\
#include <stdio.h>
#include <stdlib.h>
static float a[40][900], b[900][40], c[40][40];
static double t[40][40];
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), l = atoi(argv[2]);
    const double *large = calloc(40 * 9000, sizeof *large);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 900; k++)
            a[i][k] = i + k % 3, b[k][i] = k % 5 - i;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float s = 0;
            for (int k = 0; k < l; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s + large[i * 9000 + j];
        }
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        for (int j = i / 2; j <= i; j++)
            t[i][j] = c[i][j] * 2;
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += t[i][j] * (i + j);
    printf("%g\\n", s);
    return 0;
}
"""


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory, emulating_cxx: str) -> Path:
    """A product with a kernel of tiles and one that splits sums, and rows of many lengths that groups may share."""
    folder = tmp_path_factory.mktemp("product")
    (folder / "p.c").write_text(PROGRAM)
    words = ["--target", "emulate", "--cxx", emulating_cxx, "-O0", "-q", "-o", str(folder / "p")]
    assert main(["build", str(folder / "p.c"), *words]) == 0
    return folder / "p"


def launched(program: Path, sizes: str, tune: str, **settings: str) -> list[str]:
    """The shapes of its launches; the answer is the host's."""
    environ = {**os.environ, "OMPC_LOG": "3", "OMPC_TUNE": tune, **settings}
    done = subprocess.run([program, *sizes.split()], env=environ, capture_output=True, text=True, check=True)
    host = {**os.environ, "OMPC_OFFLOAD": "never"}
    expected = subprocess.run([program, *sizes.split()], env=host, capture_output=True, text=True, check=True)
    assert done.stdout == expected.stdout and "not followed" not in done.stderr
    return [line.split(": ", 3)[3] for line in done.stderr.splitlines() if ": grid " in line]


def kernel_of(shape: str, for_any: str) -> str:
    """By the shape of a launch; `for_any`: that of the kernel for any launch."""
    return "any" if shape == for_any else "tiles" if shape.endswith(" 16x16x1") else "group"


@pytest.mark.parametrize(
    ("sizes", "tune", "expected"),
    [
        ("20 40", "*:schedule=1", ["tiles", "group"]),
        ("20 40", "*:schedule=1,lanes=256,block=64", ["tiles", "group"]),
        ("20 40", "*:schedule=2", ["group", "any"]),  # the second loop has no such kernel
        ("20 40", "*:schedule=2,lanes=64", ["group", "any"]),
        ("20 3", "*:schedule=1", ["tiles", "group"]),  # too few iterations of the inner loop for the runtime
        ("2 3", "*:schedule=1", ["tiles", "group"]),
        ("2 3", "*:schedule=2", ["group", "any"]),
        ("20 0", "*:schedule=1", ["any", "group"]),  # nothing is staged
        ("20 40", "*:schedule=1,tile=0", ["any", "group"]),
    ],
)
def test_a_launch_takes_the_kernel_that_was_chosen(product: Path, sizes: str, tune: str, expected: list[str]) -> None:
    shapes = zip(launched(product, sizes, tune), launched(product, sizes, "*:schedule=0"), strict=True)
    assert [kernel_of(shape, for_any) for shape, for_any in shapes] == expected


def test_the_kernel_for_any_launch_has_the_shape_that_is_asked_for(product: Path) -> None:
    shapes = launched(product, "20 40", "*:schedule=0,block=64x2,lanes=8,tile=8")
    assert [shape.partition("block ")[2] for shape in shapes] == ["64x2x1", "128x1x1"]


@pytest.mark.parametrize(("schedule", "kernel"), [(0, "any"), (1, "tiles"), (2, "group")])
def test_each_slice_has_the_kernel_that_was_chosen(product: Path, schedule: int, kernel: str) -> None:
    sliced = {"OMPC_SLICE": "300000"}
    shapes = [launched(product, "40 40", f"*:schedule={number}", **sliced)[:-1] for number in (schedule, 0)]
    assert len(shapes[0]) > 1
    assert {kernel_of(*pair) for pair in zip(*shapes, strict=True)} == {kernel}


def test_what_can_be_chosen_of_each(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(PROGRAM)
    product, triangle = tunable_loops([translate(tmp_path / "p.c", Options())])
    assert [each.knobs for each in product.schedules] == [("block", "fills"), ("tile",), ("lanes", "fills")]
    assert [each.knobs for each in triangle.schedules] == [("block", "fills"), ("lanes", "fills")]
    assert product.schedules[1].tiles == (8, 4, 2)
    assert product.schedules[2].lanes == (2, 4, 8, 16, 32, 64, 128, 256)


ROWS = """\
void f(int n, int m, const int *row, const float *w, const float *x, float *y)
{{
#pragma omp parallel for
    for (int i = 0; i < n; i++) {{
        float s = 0;
        {body}
        y[i] = s;
    }}
}}
"""


@pytest.mark.parametrize(
    ("body", "knobs", "most"),
    [
        ("for (int k = row[i]; k < row[i + 1]; k++) s += w[k] * x[k];", ("lanes", "block", "fills"), 512),
        ("for (int k = 0; k < m; k++) s += 1 / (x[k] + w[i]);", ("rows", "lanes", "fills"), 256),
        ("for (int k = 0; k < m; k++) if (w[i * m + k] > s) s = w[i * m + k];", ("lanes", "block", "fills"), 32),
    ],
)
def test_threads_of_an_iteration(tmp_path: Path, body: str, knobs: tuple[str, ...], most: int) -> None:
    (tmp_path / "r.c").write_text(ROWS.format(body=body))
    (loop,) = tunable_loops([translate(tmp_path / "r.c", Options())])
    own = loop.schedules[0]
    assert (own.knobs, max(own.lanes)) == (knobs, most)

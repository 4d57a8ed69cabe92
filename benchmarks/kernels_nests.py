"""Of `python -m benchmarks kernels`: nests of dense linear algebra and their like, as PolyBench collects them.

Each is judged by itself. The sizes are PolyBench 4.2.1's LARGE (of fdtd-apml: 3.2's); the programs are written from
what they compute. A repetition begins with a copy of what was given, which the work does not count.
"""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.kernels_model import BY_HAND, GIGABYTES, TERAFLOPS, Kernel, Work, sizes_of
from benchmarks.suite import Program

LEAST_SPEED = 0.7


def _nest(name: str, label: str, full: str, quick: str, work: Callable[..., Work], unit: str = GIGABYTES) -> Kernel:
    return Kernel(
        Program(name, name, sizes_of(label, full, quick), rtol=1e-8, levels=("auto",), handwritten=BY_HAND),
        work,
        unit,
        least_speed=LEAST_SPEED,
        alone=True,
    )


def _half_product(rows: int, columns: int) -> Work:
    """Of all pairs of columns, each of which is read again in every pass over the table."""
    return Work(8 * (4 * rows * columns + columns * columns), rows * columns * (columns + 1.0))


def _orthogonal(rows: int, columns: int) -> Work:
    """In each step the later columns are read twice and written."""
    later = sum(columns - k - 1 for k in range(min(rows, columns)))
    return Work(24.0 * rows * later, 4.0 * rows * later)


def _elimination(n: int) -> Work:
    """In each step what is right and below is read and written."""
    points = sum(k * k for k in range(n))
    return Work(16.0 * points, 2.0 * points)


def _half_elimination(n: int) -> Work:
    points = sum(k * (k + 1) // 2 for k in range(n))
    return Work(16.0 * points, 2.0 * points)


def _solution(n: int) -> Work:
    """Both substitutions read the matrix once."""
    of_elimination = _elimination(n)
    return Work(of_elimination.bytes + 8 * n * n, of_elimination.operations + 2 * n * n)


def _triangle(rows: int, columns: int) -> Work:
    return Work(8 * (rows * rows // 2 + 2 * rows * columns), float(rows) * (rows - 1) * columns)


def _rows_by_matrix(planes: int, rows: int, columns: int) -> Work:
    elements = planes * rows * columns
    return Work(8 * (2 * elements + columns * columns), 2.0 * elements * columns)


def _step(planes: int, rows: int, columns: int) -> Work:
    """Four fields are read, two written."""
    points = planes * (rows + 1) * (columns + 1)
    return Work(48 * points, 16 * points)


NESTS = (
    _nest("correlation", "1400 x 1200", "1400 1200 2", "33 17 2", _half_product, TERAFLOPS),
    _nest("covariance", "1400 x 1200", "1400 1200 2", "33 17 2", _half_product, TERAFLOPS),
    _nest("gramschmidt", "1000 x 1200", "1000 1200 2", "17 33 2", _orthogonal),
    _nest("lu", "2000", "2000 2", "33 2", _elimination),
    _nest("cholesky", "2000", "2000 2", "33 2", _half_elimination),
    _nest("trmm", "1000 x 1200", "1000 1200 2", "33 17 2", _triangle, TERAFLOPS),
    _nest("ludcmp", "2000", "2000 2", "33 2", _solution),
    _nest("floyd-warshall", "2800", "2800 2", "33 2", lambda n: Work(4.0 * n * n * n, 2.0 * n * n * n)),
    _nest("doitgen", "150 x 140 x 160", "150 140 160 2", "3 5 17 2", _rows_by_matrix, TERAFLOPS),
    _nest("fdtd-apml", "256^3", "256 256 256 5", "3 5 17 2", _step),
)

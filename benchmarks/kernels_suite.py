"""All of `python -m benchmarks kernels`: sums, small problems, irregular loops; kernels_dense.py; kernels_nests.py."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.kernels_dense import DENSE, product
from benchmarks.kernels_model import BY_HAND, PEERS, SIZES, TERAFLOPS, TIMED, Kernel, Others, Work, sizes_of
from benchmarks.kernels_nests import NESTS
from benchmarks.suite import Program, Size

SCALARS = (
    Kernel(
        Program(
            "pi_integral",
            "PI (Integral)",
            {
                "full": Size("2 x 10^9", ("2000000000",), ("REPETITIONS=5", *TIMED)),
                "quick": Size("1009", ("1009",), ("REPETITIONS=5", *TIMED)),
            },
            handwritten={"handwritten": ("-DREPETITIONS=5",)},
            peers=PEERS,
        ),
        lambda n: Work(0, 6 * n),
        TERAFLOPS,
        repetitions=5,
        others=Others(clang=1.165),
    ),
    Kernel(
        Program(
            "pi_montecarlo",
            "PI (Monte Carlo)",
            {
                "full": Size("2^25 trials", ("33554432",), ("REPETITIONS=5", *TIMED)),
                "quick": Size("1009", ("1009",), ("REPETITIONS=5", *TIMED)),
            },
            handwritten={"handwritten": ("-DREPETITIONS=5",)},
            peers=PEERS,
        ),
        lambda n: Work(16 * n, 3 * n),
        repetitions=5,
    ),
    Kernel(
        Program(
            "mandelbrot",
            "Mandelbrot",
            {
                "full": Size("2^22 points, 10^3 it.", ("4194304", "1000"), ("REPETITIONS=3", *TIMED)),
                "quick": Size("100, 50 it.", ("100", "50"), ("REPETITIONS=3", *TIMED)),
            },
            handwritten={"handwritten": ("-DREPETITIONS=3",)},
            peers=PEERS,
        ),
        # A quarter and a bit of the points stay and take all iterations of eight operations; the others leave soon.
        lambda points, iterations: Work(16 * points, 8 * 0.27 * points * iterations),
        TERAFLOPS,
        repetitions=3,
    ),
    Kernel(
        Program(
            "matmul-138",
            "MatrixMul, small",
            {
                "full": Size("128 x 138, 20 times", ("128", "128", "138"), ("REPETITIONS=20", *TIMED)),
                "quick": Size("128 x 138, 2 times", ("128", "128", "138"), ("REPETITIONS=2", *TIMED)),
            },
            rtol=0.0,
            handwritten={"handwritten": ("-DREPETITIONS=20",)},
            stem="matmul",
            choosing=True,
        ),
        lambda rows, inner, columns: product(rows, inner, columns, 4),
        TERAFLOPS,
        repetitions=20,
        small=True,
    ),
    Kernel(
        Program(
            "jacobi-200",
            "Jacobi, small",
            {
                "full": Size("200 x 200, 100 it.", ("200", "200", "100", "0"), TIMED),
                "quick": Size("200 x 200, 3 it.", ("200", "200", "3", "0"), TIMED),
            },
            rtol=1e-7,
            handwritten=BY_HAND,
            stem="jacobi",
            choosing=True,
        ),
        lambda rows, columns, _iterations, _tolerance: Work(40 * rows * columns, 13 * rows * columns),
        repetitions=100,
        small=True,
    ),
    *(
        Kernel(
            Program(
                f"{stem}-small",
                f"{title}, small",
                {name: Size(label, tuple(arguments.split()), defines) for name in SIZES},
                levels=("auto",),
                stem=stem,
                choosing=True,
            ),
            work,
            TERAFLOPS,
            repetitions=1,
            small=True,
        )
        for stem, title, label, arguments, defines, work in (
            (
                "triad",
                "STREAM triad",
                "1000, 20 times",
                "1000 20",
                (),
                lambda n, repetitions: Work(0, 2 * n * repetitions),
            ),
            ("pi_integral", "PI (Integral)", "10^6", "1000000", TIMED, lambda n: Work(0, 6 * n)),
            ("pi_montecarlo", "PI (Monte Carlo)", "10^5 trials", "100000", TIMED, lambda n: Work(16 * n, 3 * n)),
        )
    ),
)


def _histogram(name: str, title: str, spread: int, beside: str | None, *defines: str) -> Kernel:
    return Kernel(
        Program(
            name,
            title,
            sizes_of(f"2^28 bytes, {spread} values", f"268435456 {spread} 5", f"1009 {spread} 2", defines),
            handwritten={} if beside else BY_HAND,
            stem="histogram",
            beside=beside,
            peers=() if beside else PEERS,
            levels=("auto",) if beside else ("baseline", "thesis", "auto"),
        ),
        lambda n, _spread: Work(n, 0),
        against=beside,
    )


def _sparse_work(rows: int, entries: int) -> Work:
    return Work(12 * entries + 20 * rows, 2 * entries)


def _entries(rows: int, entries: int, skewed: int) -> int:
    """Of all rows, as programs/matrix.h makes them."""
    if skewed == 3:
        return sum(min(rows // k, entries) for k in range(1, rows + 1))
    return rows * (entries + (skewed == 2))


def _sparse(name: str, title: str, label: str, full: str, quick: str, *defines: str) -> Kernel:
    return Kernel(
        Program(
            name,
            title,
            sizes_of(label, full, quick, defines),
            handwritten={"handwritten": tuple(f"-D{define}" for define in defines)},
            stem="spmv",
            peers=PEERS,
        ),
        lambda rows, entries, skewed: _sparse_work(rows, _entries(rows, entries, skewed)),
        least_speed=0.9,
    )


NEIGHBOURS = 81
"""Particles of density 1 within the reach of 2.8, on average with the sides; 57 of them within the cutoff of 2.5."""


def _forces(newton: bool) -> Callable[..., Work]:
    def work(side: int) -> Work:
        count, listed = side**3, NEIGHBOURS / (2 if newton else 1)
        return Work(count * (4 * listed + 32 + 48), count * listed * (8 + 14 * 57 / NEIGHBOURS))

    return work


IRREGULAR = (
    _histogram("histogram", "Histogram", 256, None),
    _histogram("histogram-atomic", "Histogram, atomic", 256, "histogram", "ATOMIC"),
    _histogram("histogram-2", "Histogram, skewed", 2, None),
    _histogram("histogram-2-atomic", "the same, atomic", 2, "histogram-2", "ATOMIC"),
    _sparse("spmv", "SpMV", "10^6 rows of 40", "1000000 40 0 10", "1009 40 0 2"),
    _sparse("spmv-short", "SpMV, short rows", "8 x 10^6 rows of 4", "8000000 4 0 10", "1009 4 0 2"),
    _sparse("spmv-long", "SpMV, long rows", "40,000 rows of 1000", "40000 1000 0 10", "101 100 0 2"),
    _sparse("spmv-skewed", "SpMV, skewed rows", "10^6 rows of 40", "1000000 40 1 10", "1009 40 1 2"),
    _sparse("spmv-one-long", "SpMV, one long row", "10^6 rows of 10, one of 10^6", "1000000 10 2 10", "20011 3 2 2"),
    _sparse("spmv-few", "SpMV, few rows", "100 rows of 10^6", "100 1000000 0 10", "5 9000 0 2"),
    _sparse("spmv-zipf", "SpMV, Zipf's law", "10^6 rows to 10^6", "1000000 1000000 3 10", "20011 20011 3 2"),
    _sparse("spmv-zipf-20000", "SpMV, Zipf's law", "10^6 rows to 20,000", "1000000 20000 3 10", "20011 400 3 2"),
    _sparse(
        *("laplacian-zipf", "Laplacian, Zipf's law", "10^6 rows to 10^6"),
        *("1000000 1000000 3 10", "20011 20011 3 2", "DIFFERENCES"),
    ),
    Kernel(
        Program(
            "nbody",
            "N-body, floats",
            sizes_of("32,768 bodies", "32768 3", "101 2"),
            rtol=1e-3,  # sums of 32768 floats, squared
            handwritten=BY_HAND,
            peers=PEERS,
        ),
        lambda n: Work(28 * n, 20.0 * n * n, is_double=False),
        TERAFLOPS,
    ),
    Kernel(
        Program(
            "verlet", "Verlet list", sizes_of("262,144 particles", "64 5", "7 2"), handwritten=BY_HAND, peers=PEERS
        ),
        # 27 cells of 2.8^3 or a little more
        lambda side: Work(side**3 * (36 + 4 * NEIGHBOURS), 8 * 27 * 2.8**3 * side**3),
        TERAFLOPS,
    ),
    *(
        Kernel(
            Program(
                name,
                title,
                sizes_of("262,144 particles", "64 10", "7 2", tuple(defines)),
                rtol=1e-8,
                handwritten={"handwritten": tuple(f"-D{define}" for define in defines)},
                stem="forces",
                peers=PEERS,
            ),
            _forces(bool(defines)),
            TERAFLOPS,
        )
        for name, title, defines in (("forces", "LJ forces", ()), ("forces-newton", "LJ forces, Newton", ("NEWTON",)))
    ),
    *(
        Kernel(
            Program(
                name,
                title,
                sizes_of("2^20 agents", "1048576 16 5", "1009 16 2", tuple(defines)),
                rtol=1e-4,  # floats, and a neighbour at the very edge
                handwritten={"handwritten": tuple(f"-D{define}" for define in defines)},
                stem="boids",
                peers=PEERS,
            ),
            lambda agents, per_cell: Work(agents * 32, agents * per_cell * (9 * 5 + 3.14 * 9), is_double=False),
            TERAFLOPS,
        )
        for name, title, defines in (("boids", "Boids", ()), ("boids-aligned", "Boids, aligned", ("ALIGNED",)))
    ),
)

KERNELS = (*DENSE, *SCALARS, *IRREGULAR, *NESTS)


def kernel_of(name: str) -> Kernel:
    """The entry of a program by its name."""
    return next(kernel for kernel in KERNELS if kernel.program.name == name)

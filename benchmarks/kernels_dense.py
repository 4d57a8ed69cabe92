"""Of `python -m benchmarks kernels`: vectors, matrices, grids."""

from __future__ import annotations

from benchmarks.kernels_model import (
    BY_HAND,
    BY_HAND_AND_CUBLAS,
    PEERS,
    TERAFLOPS,
    TIMED,
    Kernel,
    Others,
    Work,
    sizes_of,
)
from benchmarks.suite import Program, Size


def product(rows: int, inner: int, columns: int, size: int) -> Work:
    elements = rows * inner + inner * columns + rows * columns
    return Work(size * elements, 2.0 * rows * inner * columns, size == 8)


def _variant(suffix: str, title: str, *macros: str) -> Kernel:
    """Another order of loops or storage of floats: the same answer, compared with the same version by hand."""
    return Kernel(
        Program(
            f"product-{suffix}",
            f"Product, {title}",
            sizes_of("2048", "2048 2048 2048 5", "33 17 40 2", macros),
            rtol=0.0,
            levels=("auto",),
            stem="product",
            beside="product-float",
        ),
        lambda rows, inner, columns: product(rows, inner, columns, 4),
        TERAFLOPS,
        at_least=34.0,
        against="product-float",
    )


DENSE = (
    Kernel(
        Program(
            "triad",
            "STREAM triad",
            sizes_of("2^26 doubles", "67108864 10", "1009 2"),
            handwritten=BY_HAND,
            peers=PEERS,
        ),
        lambda n: Work(24 * n, 2 * n),
        at_least=3651.0,
        others=Others(clang=3540.0),
    ),
    Kernel(
        Program(
            "dot",
            "Dot product",
            sizes_of("2^26 doubles", "67108864 10", "1009 2"),
            handwritten=BY_HAND_AND_CUBLAS,
            peers=PEERS,
        ),
        lambda n: Work(16 * n, 2 * n),
        at_least=3651.0,
    ),
    Kernel(
        Program(
            "product-float",
            "Product, floats",
            sizes_of("2048", "2048 2048 2048 5", "33 17 40 2"),
            rtol=0.0,
            handwritten=BY_HAND_AND_CUBLAS,
            stem="product",
            peers=PEERS,
        ),
        lambda rows, inner, columns: product(rows, inner, columns, 4),
        TERAFLOPS,
        at_least=34.0,
        others=Others(ppcg=30.4),
    ),
    _variant("ikj", "loops i k j", "ORDER_IKJ"),
    _variant("jki", "loops j k i", "ORDER_JKI"),
    _variant("jik", "loops j i k", "ORDER_JIK"),
    _variant("tn", "A by columns", "A_BY_COLUMNS"),
    _variant("nt", "B by columns", "B_BY_COLUMNS"),
    _variant("tt", "A, B by columns", "A_BY_COLUMNS", "B_BY_COLUMNS"),
    _variant("ttt", "all by columns", "A_BY_COLUMNS", "B_BY_COLUMNS", "C_BY_COLUMNS"),
    Kernel(
        Program(
            "matmul-2048",
            "MatrixMul, declared",
            {
                "full": Size(
                    "2048",
                    ("2048", "2048", "2048"),
                    ("MAX_ROWS=2048", "MAX_INNER=2048", "MAX_COLUMNS=2048", "REPETITIONS=5", *TIMED),
                ),
                "quick": Size(
                    "33 17 40", ("33", "17", "40"), ("MAX_ROWS=33", "MAX_INNER=17", "MAX_COLUMNS=40", "REPETITIONS=5")
                ),
            },
            rtol=0.0,
            stem="matmul",
        ),
        lambda rows, inner, columns: product(rows, inner, columns, 4),
        TERAFLOPS,
        repetitions=5,
        at_least=34.0,
        against="product-float",
    ),
    Kernel(
        Program(
            "product-double",
            "Product, doubles",
            sizes_of("2048", "2048 2048 2048 5", "33 17 40 2", ("REAL=double",)),
            rtol=0.0,
            handwritten={"handwritten": ("-DREAL=double",), "cublas": ("-DREAL=double", "-DCUBLAS")},
            stem="product",
            peers=PEERS,
        ),
        lambda rows, inner, columns: product(rows, inner, columns, 8),
        TERAFLOPS,
        at_least=18.0,
        others=Others(clang=2.33),
    ),
    Kernel(
        Program(
            "sweep",
            "2-D sweep",
            sizes_of("8192 x 8192", "8192 8192 10", "33 65 3"),
            handwritten=BY_HAND,
            peers=PEERS,
        ),
        lambda rows, columns: Work(16 * rows * columns, 5 * rows * columns),
        others=Others(ppcg=3540.0),
    ),
    Kernel(
        Program(
            "sweep-residual",
            "Jacobi, swapping",
            sizes_of("8192 x 8192", "8192 8192 10", "33 65 3", ("RESIDUAL",)),
            rtol=1e-7,
            handwritten={"handwritten": ("-DRESIDUAL",)},
            stem="sweep",
            peers=PEERS,
        ),
        lambda rows, columns: Work(24 * rows * columns, 10 * rows * columns),
        at_least=3651.0,
        others=Others(clang=1040.0),
    ),
    Kernel(
        Program(
            "jacobi-8192",
            "Jacobi, copying",
            {
                "full": Size(
                    "8192 x 8192, 10 it.",
                    ("8192", "8192", "10", "0"),
                    ("MAX_ROWS=8192", "MAX_COLUMNS=8192", *TIMED),
                ),
                "quick": Size("33 x 65, 10 it.", ("33", "65", "10", "0"), TIMED),
            },
            rtol=1e-7,
            handwritten=BY_HAND,
            stem="jacobi",
        ),
        lambda rows, columns, _iterations, _tolerance: Work(40 * rows * columns, 13 * rows * columns),
        repetitions=10,
        at_least=3651.0,
    ),
    Kernel(
        Program(
            "stencil3d",
            "3-D sweep",
            sizes_of("512^3", "512 512 512 10", "9 17 33 3"),
            handwritten=BY_HAND,
            peers=PEERS,
        ),
        lambda planes, rows, columns: Work(16 * planes * rows * columns, 8 * planes * rows * columns),
        others=Others(ppcg=3131.0),
    ),
    Kernel(
        Program(
            "transpose",
            "Transpose, floats",
            sizes_of("16384 x 16384", "16384 16384 3", "33 65 2"),
            rtol=0.0,
            handwritten=BY_HAND,
            peers=PEERS,
        ),
        lambda rows, columns: Work(8 * rows * columns, 0, is_double=False),
        at_least=3651.0,
        others=Others(ppcg=2033.0),
    ),
    *(
        Kernel(
            Program(
                name,
                title,
                sizes_of("8192 x 8192", "8192 8192 10", "33 65 2", defines),
                rtol=1e-6,
                handwritten={"handwritten": tuple(f"-D{define}" for define in defines)},
                stem="convolution",
                peers=PEERS,
            ),
            lambda rows, columns: Work(8 * rows * columns, 17 * rows * columns, is_double=False),
            others=Others(ppcg=ppcg),
        )
        for name, title, defines, ppcg in (
            ("convolution", "Convolution 3 x 3", (), 2366.0),
            ("convolution-array", "the same, weights in array", ("WEIGHTS_IN_ARRAY",), 2059.0),
        )
    ),
    Kernel(
        Program(
            "atax",
            "A^T A x, floats",
            sizes_of("16384 x 16384", "16384 16384 3", "33 65 2"),
            rtol=1e-4,  # sums of 16384 floats, of 16384 sums
            handwritten=BY_HAND_AND_CUBLAS,
            peers=PEERS,
        ),
        lambda rows, columns: Work(8 * rows * columns, 4 * rows * columns, is_double=False),
        others=Others(ppcg=1335.0),
    ),
)

"""Names that a program may give: ordinary ones, words of C++, and names that CUDA's headers own."""

from __future__ import annotations

import random
from itertools import count

ORDINARY = ("x", "y", "t", "u", "v", "w", "acc", "tmp", "val", "res", "cur", "left", "right", "delta", "it", "old")
AWKWARD = (
    *(
        "new",
        "class",
        "delete",
        "this",
        "template",
        "typename",
        "namespace",
        "operator",
        "private",
        "public",
        "virtual",
    ),
    *(
        "try",
        "catch",
        "throw",
        "friend",
        "mutable",
        "explicit",
        "using",
        "bool",
        "true",
        "false",
        "nullptr",
        "constexpr",
    ),
    *("and", "or", "not", "xor", "bitand", "compl", "decltype", "static_cast", "thread_local", "char16_t", "concept"),
    *("float3", "int4", "dim3", "uint", "min", "max", "threadIdx", "blockDim", "blockIdx", "gridDim", "warpSize"),
    *("cudaMalloc", "atomicAdd", "__ldg", "half", "rsqrt", "norm", "saturate", "tex2D", "std", "ompc", "lane", "block"),
    *("ulong", "ushort", "tid", "n_", "omp_in", "index", "y0", "y1", "j0", "gamma", "clock", "signbit", "main_loop"),
)


class Names:
    """Fresh names for one function, and for file scope (`case` is the prefix that keeps cases apart)."""

    def __init__(self, rng: random.Random, case: str, taken: frozenset[str] = frozenset()) -> None:
        self.rng = rng
        self.case = case
        self._taken = set(taken)
        self._count = 0
        self._of_file = count(1)

    def local(self, stem: str | None = None) -> str:
        """A name inside a function; one in eight is awkward."""
        if stem is None:
            stem = self.rng.choice(AWKWARD if self.rng.random() < 0.12 else ORDINARY)
        name = stem
        while name in self._taken:
            self._count += 1
            name = f"{stem.rstrip('_')}{self._count}"
        self._taken.add(name)
        return name

    def file_scope(self, stem: str) -> str:
        return f"{self.case}_{stem}{next(self._of_file)}"

    def function(self) -> Names:
        """For another function of the same case."""
        inner = Names(self.rng, self.case)
        inner._of_file = self._of_file
        return inner

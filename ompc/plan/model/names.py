"""Names in the generated device code.

The user's names are kept, so that C++ scoping resolves them as C did. Renamed are: C++ keywords and what CUDA's
headers own, everywhere in the file by the same rule. What the device file has besides, the plan calls a Local: it says
which name it wants, and which one it gets is found when all of them are known (render/local_names.py).

    In: names of the user's.   Out: their spelling.   Not here: which names are free -- render/local_names.py.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import PurePath

from ompc.base.frozen import dataclass
from ompc.base.visible import in_ascii

_CPP_KEYWORDS = """
alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class co_await co_return
co_yield compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export
false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid typename
using virtual wchar_t xor xor_eq
""".split()

_CUDA_NAMES = """
threadIdx blockIdx blockDim gridDim warpSize dim3 ompc min max linux unix abs labs llabs isnan isinf isfinite
signbit clock clock64 printf assert __global__ __device__ __host__ __shared__ __constant__ size_t main
""".split()

_MACROS = """
EOF EXIT_FAILURE EXIT_SUCCESS HUGE_VAL INFINITY MAXFLOAT M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 M_LOG10E M_LOG2E
M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 NAN NULL RAND_MAX BUFSIZ CHAR_BIT CHAR_MAX CHAR_MIN DBL_DIG DBL_EPSILON DBL_MAX
DBL_MIN FLT_DIG FLT_EPSILON FLT_MAX FLT_MIN FLT_RADIX INT_MAX INT_MIN LLONG_MAX LLONG_MIN LONG_MAX LONG_MIN SCHAR_MAX
SCHAR_MIN SHRT_MAX SHRT_MIN SIZE_MAX UCHAR_MAX UINT_MAX ULLONG_MAX ULONG_MAX USHRT_MAX errno stderr stdin stdout
""".split()
"""Of C's headers, which CUDA's include: names of the user's where the program does not."""

_VECTOR_TYPES = [
    base + width
    for base in "char uchar short ushort int uint long ulong longlong ulonglong float double".split()
    for width in ("1", "2", "3", "4")
]

RESERVED = frozenset(_CPP_KEYWORDS) | frozenset(_CUDA_NAMES) | frozenset(_VECTOR_TYPES) | frozenset(_MACROS)
"""Names that user code must not have in a .cu file."""


def spelled(name: str) -> str:
    """The device spelling of a name of the user's, which no other name has: `min_` of `min`, `min__` of `min_`, and,
    since nvcc wants ASCII, `_u03b1` of a Greek alpha.
    """
    name = in_ascii(name)
    stem = name
    while stem.endswith("_") and stem not in RESERVED:
        stem = stem[:-1]
    return name + "_" if stem in RESERVED else name


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """Something of the device file that the user's program does not have, mostly a variable. Identity is the object:
    two that want one name are two.

    `wanted`     its name, unless something else that is seen there has it
    `otherwise`  its name then; empty: `wanted` with a number behind it
    `after`      what it is named after: `wanted` stands behind that one's name
    `inside`     one kernel alone has it: another kernel of the loop may call something of its own so
    """

    wanted: str
    otherwise: str = ""
    after: str | Local = ""
    inside: bool = False

    def __str__(self) -> str:
        """For the text forms of the plan."""
        return f"{self.after}{self.wanted}"


Name = str | Local
"""What the plan calls something: by the name that it has, or as what will get one."""


def namespace_of(source: str, tag: str = "") -> str:
    """The namespace of a source file's device code:
    "jacobi_c" for jacobi.c; no C library function is called like that. `tag` tells files of one name apart.
    """
    name = re.sub(r"\W", "_", PurePath(source).name + (f"_{tag}" if tag else ""), flags=re.ASCII)
    return f"_{name}" if name[:1].isdigit() else name


_UNSAFE = re.compile(r"""^[-.@~ ]| $|[\x00-\x1f\x7f"\\;=*?%|&<>(){}\[\]`!^$]""")
"""Matches what make, the shell, the compiler's command line or an #include would take for something else. Make has no
way to quote most of it, and nvcc has a shell read the names that it hands on.
"""

_TAKEN = ("ompc_runtime", "ompc_kernels", "ompc_host", "Makefile", "clean", "emulate", "host")
_BESIDE = ("_launchers", "_device", "_emulate", "_emulate_device", "_host")
"""What a folder has beside `a.c` and `a.o`: `a_launchers.cu`, `a_device.o` and the like."""


def file_names(sources: Sequence[PurePath]) -> tuple[str, ...]:
    """What the generated files of each source are called: its own name without .c, with _ for what a Makefile cannot
    have in names, `a;b` `a_b`; a second `util` `util_2`.

    The folders of the runtime and what make has a meaning for are taken, as is what a folder has beside another file.
    """
    names: list[str] = []
    for source in sources:
        stem = _UNSAFE.sub("_", source.stem)
        candidates = (stem, *(f"{stem}_{n}" for n in range(2, len(sources) + 3)))
        names.append(next(name for name in candidates if _is_free(name, names)))
    return tuple(names)


def _is_free(name: str, names: Collection[str]) -> bool:
    beside = {f"{other}{suffix}" for other in names for suffix in _BESIDE}
    return name not in {*names, *_TAKEN, *beside} and not any(f"{name}{suffix}" in names for suffix in _BESIDE)


def first_free(name: str, taken: Collection[str]) -> str:
    """`name` itself when it is free, else with the first free suffix `_2`, `_3`, ..."""
    candidate, count = name, 1
    while candidate in taken:
        count += 1
        candidate = f"{name}_{count}"
    return candidate

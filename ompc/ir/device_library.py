"""The C library's functions, and gcc's builtin ones, that a kernel may call, with their C prototypes.

CUDA's math library has every function of C11's <math.h> that takes and returns `float` or `double`. In C++ an
unsuffixed name is an overload set: `sqrt(x)` of a `float` is a `float` there, and `abs(x)` of a `double` a `double`.
The renderer therefore casts each argument to the parameter type given here, which keeps C's meaning.
"""

from __future__ import annotations

from ompc.base.frozen import dataclass
from ompc.ir import types as ty


@dataclass(frozen=True, slots=True)
class LibraryFunction:
    """`device_name` is what the kernel calls; `params` and `returns` are C's."""

    device_name: str
    params: tuple[ty.Type, ...]
    returns: ty.Type


THREAD_OF_BLOCK, THREAD_IN_TURN = "ompc_thread_of_block", "ompc_thread_in_turn"
PLACE_IN_BLOCK, LENGTH_OF_BLOCK = "ompc_place_in_block", "ompc_length_of_block"
LENGTH_OF_CHUNK = "ompc_length_of_chunk"
PART_BEGINS, PART_ENDS = "ompc_part_begins", "ompc_part_ends"

_UNARY = """acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp2 expm1 fabs floor lgamma log log10
log1p log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc""".split()
_BINARY = "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder".split()
_TO_INTEGER = {"ilogb": ty.INT, "lrint": ty.LONG, "lround": ty.LONG, "llrint": ty.LLONG, "llround": ty.LLONG}
_TO_REAL = "creal cimag cabs carg".split()
_TO_COMPLEX = "conj cproj cexp csqrt".split()
COMPLEX = "__builtin_complex"
_SCALED = {"ldexp": ty.INT, "scalbn": ty.INT, "scalbln": ty.LONG}
_CLASSIFY = "isnan isinf isfinite signbit".split()


_BITS = "popcount parity clz ctz ffs".split()
_WIDTHS = {"": (ty.UINT, ty.INT), "l": (ty.ULONG, ty.LONG), "ll": (ty.ULLONG, ty.LLONG)}
_SWAPPED = {"bswap16": ty.USHORT, "bswap32": ty.UINT, "bswap64": ty.ULONG}


def _builtins() -> dict[str, LibraryFunction]:
    """`__builtin_clzl(x)` is `ompc::clz(x)` of an unsigned long."""
    table: dict[str, LibraryFunction] = {}
    for suffix, (unsigned, signed) in _WIDTHS.items():
        for name in _BITS:
            kind = signed if name == "ffs" else unsigned
            table[f"__builtin_{name}{suffix}"] = LibraryFunction(f"ompc::{name}", (kind,), ty.INT)
    for name, kind in _SWAPPED.items():
        table[f"__builtin_{name}"] = LibraryFunction("ompc::bswap", (kind,), kind)
    return table


def _of_width(real: ty.Float, suffix: str) -> dict[str, LibraryFunction]:
    table: dict[str, LibraryFunction] = {}
    for name in _UNARY:
        table[name + suffix] = LibraryFunction(name + suffix, (real,), real)
    for name in _BINARY:
        table[name + suffix] = LibraryFunction(name + suffix, (real, real), real)
    for name, result in _TO_INTEGER.items():
        table[name + suffix] = LibraryFunction(name + suffix, (real,), result)
    for name, exponent in _SCALED.items():
        table[name + suffix] = LibraryFunction(name + suffix, (real, exponent), real)
    table["fma" + suffix] = LibraryFunction("fma" + suffix, (real, real, real), real)
    return table


def _of_complex(real: ty.Float, suffix: str) -> dict[str, LibraryFunction]:
    """<complex.h>'s, which are the runtime's own (ompc_complex.h), and what CMPLX expands to."""
    number = ty.Complex(real)
    table = {name: LibraryFunction(f"ompc::{name}", (number,), real) for name in _TO_REAL}
    table |= {name: LibraryFunction(f"ompc::{name}", (number,), number) for name in _TO_COMPLEX}
    table = {name + suffix: function for name, function in table.items()}
    return table | {COMPLEX + suffix: LibraryFunction(f"ompc::Complex<{real.name}>", (real, real), number)}


def _table() -> dict[str, LibraryFunction]:
    table = _of_width(ty.DOUBLE, "") | _of_width(ty.FLOAT, "f")
    table |= _of_complex(ty.DOUBLE, "") | _of_complex(ty.FLOAT, "f")
    table |= {f"__builtin_{name}": function for name, function in table.items()}
    for name, kind in {"abs": ty.INT, "labs": ty.LONG, "llabs": ty.LLONG}.items():
        table[name] = table[f"__builtin_{name}"] = LibraryFunction(name, (kind,), kind)
    return table | _builtins() | _schedules()


def _schedules() -> dict[str, LibraryFunction]:
    """ompc's own: which thread of a team, and which team, runs an iteration (transform/thread_numbers.py)."""
    return {
        THREAD_OF_BLOCK: LibraryFunction("ompc::thread_of_block", (ty.ULONG, ty.ULONG, ty.INT), ty.INT),
        THREAD_IN_TURN: LibraryFunction("ompc::thread_in_turn", (ty.ULONG, ty.ULONG, ty.INT), ty.INT),
        PLACE_IN_BLOCK: LibraryFunction("ompc::place_in_block", (ty.ULONG, ty.ULONG, ty.INT), ty.ULONG),
        LENGTH_OF_BLOCK: LibraryFunction("ompc::length_of_block", (ty.ULONG, ty.ULONG, ty.INT), ty.ULONG),
        PART_BEGINS: LibraryFunction("ompc::part_begins", (ty.ULONG, ty.ULONG, ty.INT, ty.INT, ty.INT), ty.ULONG),
        PART_ENDS: LibraryFunction("ompc::part_ends", (ty.ULONG, ty.ULONG, ty.INT, ty.INT, ty.INT), ty.ULONG),
        LENGTH_OF_CHUNK: LibraryFunction("ompc::length_of_chunk", (ty.ULONG, ty.ULONG, ty.ULONG), ty.ULONG),
    }


FUNCTIONS = _table()

CLASSIFICATION = {f"__builtin_{name}": name for name in _CLASSIFY}
"""Type-generic macros of <math.h> as gcc's header expands them; the argument keeps its own type. `isinf`, which expands
to `__builtin_isinf_sign`: transform/classification_values.py.
"""

CONSTANTS = {
    "__builtin_huge_val": "HUGE_VAL",
    "__builtin_huge_valf": "HUGE_VALF",
    "__builtin_inf": "HUGE_VAL",
    "__builtin_inff": "HUGE_VALF",
    "__builtin_nan": 'nan("")',
    "__builtin_nanf": 'nanf("")',
}
"""HUGE_VAL, INFINITY and NAN as gcc's header expands them."""


WRITING = frozenset("frexp frexpf modf modff".split())
"""Functions of CUDA's that also write behind a pointer. Analyses look into what sema/library.c has for them; CUDA's
give what glibc's do, of infinities and NaN too (compared on an H200: all floats, 33 million doubles).
"""

LEAVE, PRINT = "__ompc_leave", "__ompc_print"
"""The functions that take the place of calls that end the program (transform/early_exit.py), and of those that print
(device_prints.py).
"""


def is_device_function(name: str) -> bool:
    """Can a kernel call the C library's `name`?"""
    return name in FUNCTIONS or name in CLASSIFICATION or name in CONSTANTS or name in (LEAVE, PRINT)


def plain_name(name: str) -> str:
    """Of a function of real numbers, without `__builtin_` and the suffix of floats: `sqrt` of `__builtin_sqrtf`."""
    name = name.removeprefix("__builtin_")
    return name[:-1] if name.endswith("f") and name[:-1] in FUNCTIONS else name

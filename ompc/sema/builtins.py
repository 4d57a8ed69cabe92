"""What the compiler knows without a declaration: predefined types, and the `__builtin_` functions that headers expand
to.

Types whose layout or arithmetic ompc does not model are `Unknown` here, and so host only. A builtin that is a libc
function under another name (`__builtin_sqrt`) has that function's type.
"""

from __future__ import annotations

from ompc.ir import types as ty

# The names of frontend/neutralise.PRELUDE that are no C types of ours.
UNKNOWN_TYPES = {
    name: ty.Unknown(name)
    for name in (
        "__builtin_va_list",
        "__auto_type",
        "__label__",
        "_Float16",
        "__bf16",
        "_Decimal32",
        "_Decimal64",
        "_Decimal128",
    )
}

_CHAR_P = ty.Pointer(ty.qualified(ty.CHAR, ("const",)))
_VOID_P = ty.Pointer(ty.VOID)


def _signature(returns: ty.Type, *params: ty.Type) -> ty.Function:
    return ty.Function(returns, params)


_GENERIC = ty.Function(ty.INT, None)  # any argument types; the result is an int

FUNCTIONS: dict[str, ty.Function] = {
    "__builtin_huge_val": _signature(ty.DOUBLE),
    "__builtin_huge_valf": _signature(ty.FLOAT),
    "__builtin_huge_vall": _signature(ty.LONG_DOUBLE),
    "__builtin_inf": _signature(ty.DOUBLE),
    "__builtin_inff": _signature(ty.FLOAT),
    "__builtin_infl": _signature(ty.LONG_DOUBLE),
    "__builtin_nan": _signature(ty.DOUBLE, _CHAR_P),
    "__builtin_nanf": _signature(ty.FLOAT, _CHAR_P),
    "__builtin_nanl": _signature(ty.LONG_DOUBLE, _CHAR_P),
    "__builtin_expect": _signature(ty.LONG, ty.LONG, ty.LONG),
    "__builtin_unreachable": _signature(ty.VOID),
    "__builtin_trap": _signature(ty.VOID),
    "__builtin_prefetch": ty.Function(ty.VOID, (ty.Pointer(ty.qualified(ty.VOID, ("const",))),), variadic=True),
    "__builtin_assume_aligned": ty.Function(_VOID_P, (_VOID_P, ty.SIZE_T), variadic=True),
    "__builtin_alloca": _signature(_VOID_P, ty.SIZE_T),
    "__builtin_popcount": _signature(ty.INT, ty.UINT),
    "__builtin_popcountl": _signature(ty.INT, ty.ULONG),
    "__builtin_popcountll": _signature(ty.INT, ty.ULLONG),
    "__builtin_clz": _signature(ty.INT, ty.UINT),
    "__builtin_clzl": _signature(ty.INT, ty.ULONG),
    "__builtin_clzll": _signature(ty.INT, ty.ULLONG),
    "__builtin_ctz": _signature(ty.INT, ty.UINT),
    "__builtin_ctzl": _signature(ty.INT, ty.ULONG),
    "__builtin_ctzll": _signature(ty.INT, ty.ULLONG),
    "__builtin_ffs": _signature(ty.INT, ty.INT),
    "__builtin_ffsl": _signature(ty.INT, ty.LONG),
    "__builtin_ffsll": _signature(ty.INT, ty.LLONG),
    "__builtin_parity": _signature(ty.INT, ty.UINT),
    "__builtin_parityl": _signature(ty.INT, ty.ULONG),
    "__builtin_parityll": _signature(ty.INT, ty.ULLONG),
    "__builtin_bswap16": _signature(ty.USHORT, ty.USHORT),
    "__builtin_bswap32": _signature(ty.UINT, ty.UINT),
    "__builtin_bswap64": _signature(ty.ULONG, ty.ULONG),
    "__builtin_va_start": ty.Function(ty.VOID, None),
    "__builtin_va_end": ty.Function(ty.VOID, None),
    "__builtin_va_copy": ty.Function(ty.VOID, None),
    "__builtin_constant_p": _GENERIC,
    "__builtin_classify_type": _GENERIC,
}
FUNCTIONS.update(
    (f"__builtin_{name}", _GENERIC)
    for name in (
        "isnan isinf isinf_sign isfinite isnormal signbit fpclassify isgreater isgreaterequal isless islessequal"
        " islessgreater isunordered"
    ).split()
)

_MATH_1 = (
    "sqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p cbrt"
    " fabs floor ceil round trunc rint nearbyint erf erfc lgamma tgamma"
).split()
_MATH_2 = "pow fmod atan2 fmin fmax fdim hypot copysign remainder nextafter".split()
for _suffix, _type in (("", ty.DOUBLE), ("f", ty.FLOAT), ("l", ty.LONG_DOUBLE)):
    FUNCTIONS.update((f"__builtin_{n}{_suffix}", _signature(_type, _type)) for n in _MATH_1)
    FUNCTIONS.update((f"__builtin_{n}{_suffix}", _signature(_type, _type, _type)) for n in _MATH_2)
    FUNCTIONS[f"__builtin_ilogb{_suffix}"] = _signature(ty.INT, _type)
    FUNCTIONS[f"__builtin_scalbn{_suffix}"] = _signature(_type, _type, ty.INT)
FUNCTIONS["__builtin_abs"] = _signature(ty.INT, ty.INT)
FUNCTIONS["__builtin_llabs"] = _signature(ty.LLONG, ty.LLONG)
FUNCTIONS["__builtin_labs"] = _signature(ty.LONG, ty.LONG)


def implicit(name: str) -> ty.Function | None:
    """What an undeclared function has as its type: a builtin's, or implicit int (C89); None for an unknown builtin."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    return None if name.startswith("__builtin_") else ty.Function(ty.INT, None)

"""Macros, as the device file may define them again.

    #define NX 1024                      Macro("NX", "1024", "jacobi.c", 3)
    #define CELLS (NX * NX)              Macro("CELLS", "(NX * NX)", "jacobi.c", 4, names=(NX,))
    #define AT(i, j) ((i) * NX + (j))    the same, with parameters=("i", "j")
    FLT_MAX, of <float.h>                Macro("FLT_MAX", header="cfloat")

In: nothing.   Out: Macro, Named; which macros of the standard library's headers C and C++ have alike.
Not here: which of them a program uses where -- frontend/macro_uses.py; which the device file has -- plan/program.
"""

from __future__ import annotations

from collections.abc import Iterator

from ompc.base.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro that has one definition in all of its file.

    `text`     its replacement list, as the preprocessor writes it
    `file`     where it is defined, as line markers name it: "<command-line>" for -D
    `line`     the line there
    `header`   the standard header that defines it, by its name in C++; then the rest is not needed
    `names`    the macros that `text` names

    `parameters`   None for a macro without
    `is_constant`  it stands for numbers and operators, whatever is around it
    """

    name: str
    text: str = ""
    file: str = ""
    line: int = 0
    header: str = ""
    names: tuple[Macro, ...] = ()
    parameters: tuple[str, ...] | None = None
    is_constant: bool = True

    @property
    def written(self) -> str:
        """What stands behind `#define`."""
        given = "" if self.parameters is None else f"({', '.join(self.parameters)})"
        return f"{self.name}{given} {self.text}"

    def with_named(self) -> Iterator[Macro]:
        """This one and those that its text needs; some may come twice."""
        for macro in self.names:
            yield from macro.with_named()
        yield self


@dataclass(frozen=True, slots=True)
class Named:
    """The user has written macros' names for an expression, the innermost first: `SQ(x)` for `((x) * (x))`. `of`: what
    a constant is (ir/macro_names.py); None: it is none.
    """

    macros: tuple[Macro, ...]
    of: object


_LIMITS = "MAX MIN"
_STANDARD = {
    "cfloat": [f"{kind}_{what}" for kind in ("FLT", "DBL") for what in "MAX MIN EPSILON DIG MANT_DIG TRUE_MIN".split()],
    "climits": ["CHAR_BIT", "UCHAR_MAX", "USHRT_MAX", "UINT_MAX", "ULONG_MAX", "ULLONG_MAX"]
    + [f"{kind}_{limit}" for kind in "SCHAR SHRT INT LONG LLONG".split() for limit in _LIMITS.split()],
    "cmath": "M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2".split(),
    "cstdlib": ["RAND_MAX"],
    "cstdint": [f"INT{bits}_{limit}" for bits in (8, 16, 32, 64) for limit in _LIMITS.split()]
    + [f"UINT{bits}_MAX" for bits in (8, 16, 32, 64)]
    + ["SIZE_MAX"],
}
STANDARD_HEADERS = {name: header for header, names in _STANDARD.items() for name in names}
"""The header of C++ that defines the constant, by the macro's name: with the type and value that it has in C. Those of
`char` are left out, which an option of the C compiler changes.
"""

"""Options and attributes by which gcc reads a file otherwise than C and its ABI say.

    gcc -fpack-struct=2 a.c         struct {char c; long l;} has ten bytes on the host, and sixteen in a kernel
    enum __attribute__((packed)) e  has one byte
    gcc -fwrapv a.c                 INT_MAX + 1 is INT_MIN; analyses and a kernel's compiler take it that it never comes
    [[omp::directive(atomic)]] n++; a directive that is no pragma

ompc computes sizes and layouts by the ABI, and kernels are compiled without such options. A file with one of them is
copied through. Packed structs are read (sema/records.py), and only loops that use them stay on the host.

    In: the options of the C compiler, the preprocessed text.   Out: what is otherwise; None: nothing.
    Not here: plain `char`, where the machine has it without a sign -- so have kernels there.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence

_LAYOUT = re.compile(
    r"-f(short-enums|pack-struct(=\d+)?|unsigned-bitfields|no-signed-bitfields|short-wchar|single-precision-constant"
    r"|sso-struct=.*)|-mms-bitfields|-m32|-mx32|-m16|-mlong-double-\d+|-m(96|128)bit-long-double|-malign-double"
)
_WRAPS = {"-fwrapv": True, "-fno-strict-overflow": True, "-fno-wrapv": False, "-fstrict-overflow": False}
_CHARACTERS = re.compile(r"-f(wide-)?exec-charset=.*")
_IS_CHAR_SIGNED = platform.machine().lower() in ("x86_64", "amd64", "i686")
_CHAR = ("-funsigned-char", "-fno-signed-char") if _IS_CHAR_SIGNED else ("-fsigned-char", "-fno-unsigned-char")

_ATTRIBUTE = r"(?:__attribute(?:__)?\s*\(\([^;{}]*?\)\)|\[\[[^;{}]*?\]\])"
_ENUM = re.compile(rf"\benum\s*({_ATTRIBUTE})[\s\w]*{{|\benum\b[^;{{}}()]*{{[^;{{}}]*}}\s*({_ATTRIBUTE})")
_RESIZES = re.compile(r"\b_*(packed|mode)_*\b")
_OPTIMIZE = re.compile(r"\boptimize_*\b[^;{}\n]*?\b(wrapv|no-strict-overflow|no-strict-aliasing)\b")
_DIRECTIVE = re.compile(r"\[\[[^;{}]*?\bomp\s*(?:::|:)\s*(?:directive|sequence)\b")


def otherwise(flags: Sequence[str], text: str) -> str | None:
    """What makes types of this file, its arithmetic or its directives others than they are in kernels."""
    wraps = [flag for flag in flags if flag in _WRAPS]
    if wraps and _WRAPS[wraps[-1]]:
        return f"{wraps[-1]} lets signed numbers wrap around, as they do not in kernels"
    for flag in flags:
        if _LAYOUT.fullmatch(flag) or flag in _CHAR:
            return f"{flag} gives types another layout or sign than kernels have"
        if _CHARACTERS.fullmatch(flag):
            return f"{flag} gives characters other numbers than kernels have"
    if _RESIZES.search(text) and any(_RESIZES.search(found[1] or found[2]) for found in _ENUM.finditer(text)):
        return "an enum has a size of its own, by an attribute"
    option = _OPTIMIZE.search(text)
    if option is not None:
        return f"-f{option[1]} for a part of the file, by an attribute or a pragma"
    if _DIRECTIVE.search(text):
        return "an OpenMP directive in an attribute"
    return None

"""Options and attributes by which gcc gives types another size, layout or sign than its ABI says.

    gcc -fpack-struct=2 a.c         struct {char c; long l;} has ten bytes on the host, and sixteen in a kernel
    enum __attribute__((packed)) e  has one byte

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
_IS_CHAR_SIGNED = platform.machine().lower() in ("x86_64", "amd64", "i686")
_CHAR = ("-funsigned-char", "-fno-signed-char") if _IS_CHAR_SIGNED else ("-fsigned-char", "-fno-unsigned-char")

_ATTRIBUTE = r"(?:__attribute(?:__)?\s*\(\([^;{}]*?\)\)|\[\[[^;{}]*?\]\])"
_ENUM = re.compile(rf"\benum\s*({_ATTRIBUTE})[\s\w]*{{|\benum\b[^;{{}}()]*{{[^;{{}}]*}}\s*({_ATTRIBUTE})")
_RESIZES = re.compile(r"\b_*(packed|mode)_*\b")


def other_layout(flags: Sequence[str], text: str) -> str | None:
    """What makes types of this file others than the ABI's."""
    for flag in flags:
        if _LAYOUT.fullmatch(flag) or flag in _CHAR:
            return f"{flag} gives types another layout or sign than kernels have"
    if _RESIZES.search(text) and any(_RESIZES.search(found[1] or found[2]) for found in _ENUM.finditer(text)):
        return "an enum has a size of its own, by an attribute"
    return None
